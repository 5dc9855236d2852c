//! A coordinator's partition of `__transaction_state`: what is written there, what follows when it
//! is committed, and how a new leader takes up what it reads.

use super::Broker;
use super::transactions::{Answer, Coordinator, Waiting};
use crate::kafka::batch::NewRecord;
use crate::kafka::error::KafkaError;
use crate::kafka::event::EventKind;
use crate::kafka::group::{Name, TRANSACTION_TOPIC};
use crate::kafka::ids::*;
use crate::kafka::out::{BrokerTimer, Out};
use crate::kafka::transaction::message::*;
use crate::kafka::transaction::{Entry, Metadata};

/// How long a new leader takes to read its partition of `__transaction_state`, ms.
const LOADING: Ms = Ms(1);
impl Broker {
    /// Writes what is to become of an id; it holds once it is committed.
    pub(super) fn write_transaction(
        &mut self,
        tp: Tp,
        id: &Name,
        mut entry: Entry,
        to: Metadata,
        answer: Option<Answer>,
        out: &mut Out,
    ) -> Result<(), KafkaError> {
        let record = NewRecord {
            key: Some(id.clone()),
            value: Some(to.text(&*self.image).into()),
            timestamp: out.now,
        };
        let outer = out.cause;
        let (until, moved) = self.append_internal(tp, record, out)?;
        entry.pending = Some(to);
        if let Some(coordinator) = self.transactions.coordinators.get_mut(&tp) {
            coordinator.ids.insert(id.clone(), entry);
            coordinator.waiting.push(Waiting {
                until,
                id: id.clone(),
                answer,
                cause: out.cause,
            });
        }
        self.internal_appended(tp, moved, out);
        out.cause = outer;
        Ok(())
    }

    /// The high watermark of a partition moved: what waited for it goes on.
    pub(super) fn transactions_committed(&mut self, tp: Tp, out: &mut Out) {
        let Some(high_watermark) = self.replicas.get(&tp).map(|r| r.log.high_watermark()) else {
            return;
        };
        self.markers_replicated(tp, high_watermark, out);
        let outer = out.cause;
        loop {
            let Some(coordinator) = self.transactions.coordinators.get_mut(&tp) else {
                return;
            };
            if coordinator
                .waiting
                .first()
                .is_none_or(|w| w.until > high_watermark)
            {
                break;
            }
            let done = coordinator.waiting.remove(0);
            let Some(entry) = coordinator.ids.get_mut(&done.id) else {
                continue;
            };
            let from = entry.committed();
            let (to, epoch) = (entry.now.state, entry.now.producer.epoch);
            if from != to || to == TransactionState::Empty {
                out.cause = out.emit_because(
                    EventKind::TransactionChanged {
                        broker: self.id,
                        id: done.id.clone(),
                        from,
                        to,
                        epoch,
                    },
                    &[done.cause],
                );
            }
            if let Some(answer) = &done.answer {
                self.answer_transaction(answer, out);
            }
            match to {
                TransactionState::Ongoing => self.watch_timeouts(out),
                to if to.is_prepared() => self.send_markers(tp, &done.id, out),
                _ => {}
            }
            out.cause = outer;
        }
    }

    /// All markers of a transaction are written: that is written too.
    pub(super) fn complete_transaction(&mut self, tp: Tp, id: &Name, out: &mut Out) {
        let Some(entry) = self
            .transactions
            .coordinators
            .get(&tp)
            .and_then(|c| c.ids.get(id))
            .filter(|e| e.pending.is_none() && e.now.state.is_prepared())
            .cloned()
        else {
            return;
        };
        let to = entry.complete();
        if self
            .write_transaction(tp, id, entry, to, None, out)
            .is_err()
        {
            self.markers_later(tp, id, out);
        }
    }

    /// This broker leads a partition of `__transaction_state` anew, or no longer.
    pub(super) fn transactions_role(&mut self, tp: Tp, out: &mut Out) {
        if self
            .image
            .topic_reg(tp.topic)
            .is_none_or(|t| &*t.name != TRANSACTION_TOPIC)
        {
            return;
        }
        let old = self.transactions.coordinators.remove(&tp);
        for waiting in old.into_iter().flat_map(|c| c.waiting) {
            if let Some(answer) = waiting.answer {
                let answer = answer.refused(KafkaError::NotCoordinator);
                self.answer_transaction(&answer, out);
            }
        }
        self.transactions.sent.retain(|_, s| s.coordinator != tp);
        let leads = self.replicas.get(&tp).is_some_and(|r| r.leader().is_some());
        if leads {
            self.transactions
                .coordinators
                .insert(tp, Coordinator::default());
            if self.common.by_hand {
                self.load_transactions(tp, out);
            } else {
                let due = out.now.plus(LOADING);
                self.remind(due, BrokerTimer::LoadTransactions(tp), out);
            }
        }
    }

    /// Reads the whole partition, as far as this replica's log goes, and takes up what was decided
    /// and not carried out.
    pub(super) fn load_transactions(&mut self, tp: Tp, out: &mut Out) {
        let (Some(replica), Some(coordinator)) = (
            self.replicas.get(&tp),
            self.transactions.coordinators.get_mut(&tp),
        ) else {
            return;
        };
        if coordinator.loaded || replica.leader().is_none() {
            return;
        }
        coordinator.loaded = true;
        let records = replica.log.batches().iter().flat_map(|b| b.records.iter());
        for record in records {
            let (Some(key), Some(value)) = (&record.key, &record.value) else {
                continue;
            };
            if let Some(metadata) = Metadata::parse(value, &*self.image) {
                coordinator.ids.insert(key.clone(), Entry::read(metadata));
            }
        }
        let prepared: Vec<Name> = coordinator
            .ids
            .iter()
            .filter(|(_, e)| e.now.state.is_prepared())
            .map(|(id, _)| id.clone())
            .collect();
        let broker = self.id;
        out.cause = out.emit(EventKind::CoordinatorLoaded { broker, tp });
        for id in prepared {
            self.send_markers(tp, &id, out);
        }
        self.watch_timeouts(out);
    }

    /// While a transaction is open, it is looked for such that are open too long (R-TXN-5).
    fn watch_timeouts(&mut self, out: &mut Out) {
        let open = |c: &Coordinator| {
            c.ids
                .values()
                .any(|e| e.now.state == TransactionState::Ongoing)
        };
        if self.transactions.check.is_some() || !self.transactions.coordinators.values().any(open) {
            return;
        }
        let period = self.common.server.transaction_check_interval.0.max(1);
        let due = Ms((out.now.0.div_euclid(period) + 1) * period);
        self.transactions.check = Some(due);
        self.remind(due, BrokerTimer::TransactionTimeouts, out);
    }

    pub(super) fn abort_timed_out(&mut self, out: &mut Out) {
        self.transactions.check = None;
        let mut late = Vec::new();
        for (tp, coordinator) in &self.transactions.coordinators {
            for (id, entry) in &coordinator.ids {
                if entry.is_timed_out(out.now) {
                    late.push((*tp, id.clone(), entry.clone()));
                }
            }
        }
        let version = self.common.server.transaction_version;
        for (tp, id, entry) in late {
            let to = entry.abort_and_fence(version);
            // What cannot be written now is tried at the next look.
            let _ = self.write_transaction(tp, &id, entry, to, None, out);
        }
        self.watch_timeouts(out);
    }
}
