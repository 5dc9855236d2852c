//! Markers of transactions: the coordinator asks the leaders of all partitions of a transaction to
//! write them, until each has done so; a leader answers when its marker is replicated.

use super::{Broker, Purpose};
use crate::kafka::error::KafkaError;
use crate::kafka::group::Name;
use crate::kafka::ids::*;
use crate::kafka::map::Map;
use crate::kafka::message::{Body, Message, NodeId};
use crate::kafka::out::{BrokerTimer, Out};
use crate::kafka::transaction::message::*;

/// Markers that could not be written are asked for again after this long, ms.
const BACKOFF: Ms = Ms(100);
/// request.timeout.ms of a broker's own requests
const REQUEST_TIMEOUT: Ms = Ms(30_000);

/// Markers that a leader was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct SentMarkers {
    /// The partition of `__transaction_state`.
    pub coordinator: Tp,
    id: Name,
    /// The epoch of the markers: an answer about an earlier transaction says nothing of this one.
    epoch: i16,
    partitions: Vec<Tp>,
}

/// A WriteTxnMarkers request that waits at a leader.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Writing {
    correlation: Correlation,
    from: NodeId,
    /// Where the high watermark must get to.
    open: Vec<(Tp, Boundary)>,
    done: Vec<(Tp, Result<(), KafkaError>)>,
}

impl Broker {
    /// Asks for the markers of an id that are neither written nor asked for.
    pub(super) fn send_markers(&mut self, tp: Tp, id: &Name, out: &mut Out) {
        let image = self.image.clone();
        let Some(entry) = self
            .transactions
            .coordinators
            .get_mut(&tp)
            .and_then(|c| c.ids.get_mut(id))
            .filter(|e| e.pending.is_none() && e.now.state.is_prepared())
        else {
            return;
        };
        // A partition that is gone needs no marker.
        entry.markers.retain(|p| image.partitions.contains_key(p));
        if entry.markers.is_empty() {
            return self.complete_transaction(tp, id, out);
        }
        let producer = entry.now.producer;
        let commit = entry.now.state == TransactionState::PrepareCommit;
        let version = entry.now.version;
        let mut by_leader: Map<BrokerId, Vec<Tp>> = Map::new();
        let mut leaderless = false;
        for p in entry.markers.iter().filter(|p| !entry.asked.contains(p)) {
            match image.partitions.get(p).and_then(|reg| reg.leader) {
                Some(leader) => by_leader.entry(leader).or_default().push(*p),
                None => leaderless = true,
            }
        }
        entry.asked.extend(by_leader.values().flatten().copied());
        for (leader, partitions) in by_leader {
            let body = Body::Transaction(TransactionRequest::WriteMarkers {
                producer,
                commit,
                version,
                partitions: partitions.clone(),
            });
            let to = NodeId::Broker(leader);
            let correlation = self.request(to, body, Purpose::Markers, out.cause, out);
            let sent = SentMarkers {
                coordinator: tp,
                id: id.clone(),
                epoch: producer.epoch,
                partitions,
            };
            self.transactions.sent.insert(correlation, sent);
            let due = out.now.plus(REQUEST_TIMEOUT);
            self.remind(due, BrokerTimer::Unanswered(correlation), out);
        }
        if leaderless {
            self.markers_later(tp, id, out);
        }
    }

    pub(super) fn markers_later(&mut self, tp: Tp, id: &Name, out: &mut Out) {
        let what = BrokerTimer::Markers(tp, id.clone());
        self.remind(out.now.plus(BACKOFF), what, out);
    }

    /// A leader has answered for the markers it was asked for (or will not, `None`).
    pub(super) fn markers_answered(
        &mut self,
        correlation: Correlation,
        results: Option<&[(Tp, Result<(), KafkaError>)]>,
        out: &mut Out,
    ) {
        let Some(sent) = self.transactions.sent.remove(&correlation) else {
            return;
        };
        let (tp, id) = (sent.coordinator, sent.id);
        let Some(entry) = self
            .transactions
            .coordinators
            .get_mut(&tp)
            .and_then(|c| c.ids.get_mut(&id))
            .filter(|e| e.now.state.is_prepared() && e.now.producer.epoch == sent.epoch)
        else {
            return;
        };
        let mut again = false;
        for p in sent.partitions {
            entry.asked.remove(&p);
            let result = results
                .and_then(|all| all.iter().find(|(q, _)| *q == p))
                .map_or(Err(KafkaError::NetworkException), |(_, result)| *result);
            match result {
                Ok(()) => {
                    entry.markers.remove(&p);
                }
                // Another coordinator has gone on with this id: nothing more is to be done here.
                Err(
                    KafkaError::InvalidProducerEpoch | KafkaError::TransactionCoordinatorFenced,
                ) => {
                    entry.asked.insert(p);
                }
                Err(_) => again = true,
            }
        }
        if entry.markers.is_empty() {
            self.complete_transaction(tp, &id, out);
        } else if again {
            self.markers_later(tp, &id, out);
        }
    }

    /// As leader: writes the markers; answered when all are replicated.
    pub(super) fn write_markers(
        &mut self,
        message: &Message,
        producer: ProducerRef,
        commit: bool,
        version: u8,
        partitions: &[Tp],
        out: &mut Out,
    ) {
        let outer = out.cause;
        let mut appended = Vec::new();
        let mut writing = Writing {
            correlation: message.correlation,
            from: message.from,
            open: Vec::new(),
            done: Vec::new(),
        };
        for &tp in partitions {
            let written = self
                .with(tp, out, |r, ctx, out| {
                    r.write_marker(producer, commit, version, ctx, out)
                })
                .unwrap_or(Err(KafkaError::NotLeaderOrFollower));
            match written {
                Ok((until, moved)) => {
                    self.transaction_ended(tp, producer.id, commit, until);
                    writing.open.push((tp, until));
                    appended.push((tp, moved, out.cause));
                }
                Err(error) => writing.done.push((tp, Err(error))),
            }
            out.cause = outer;
        }
        self.transactions.writing.push(writing);
        for (tp, moved, cause) in appended {
            out.cause = cause;
            self.internal_appended(tp, moved, out);
        }
        out.cause = outer;
        self.answer_markers(out);
    }

    /// The high watermark of a partition is here now: markers below it are written.
    pub(super) fn markers_replicated(&mut self, tp: Tp, high_watermark: Boundary, out: &mut Out) {
        self.settle_markers(tp, Ok(()), |until| until <= high_watermark, out);
    }

    /// This broker no longer leads a partition: whether its markers stay is not known.
    pub(super) fn markers_dismissed(&mut self, tp: Tp, out: &mut Out) {
        self.settle_markers(tp, Err(KafkaError::NotLeaderOrFollower), |_| true, out);
    }

    fn settle_markers(
        &mut self,
        tp: Tp,
        result: Result<(), KafkaError>,
        which: impl Fn(Boundary) -> bool,
        out: &mut Out,
    ) {
        if self.transactions.writing.is_empty() {
            return;
        }
        for writing in &mut self.transactions.writing {
            if let Some(at) = writing.open.iter().position(|(p, u)| *p == tp && which(*u)) {
                writing.open.remove(at);
                writing.done.push((tp, result));
            }
        }
        self.answer_markers(out);
    }

    fn answer_markers(&mut self, out: &mut Out) {
        let all = std::mem::take(&mut self.transactions.writing);
        for writing in all {
            if writing.open.is_empty() {
                let body = Body::TransactionAnswer(TransactionAnswer::MarkersWritten(writing.done));
                out.answer(
                    writing.correlation,
                    self.node(),
                    writing.from,
                    body,
                    out.cause,
                );
            } else {
                self.transactions.writing.push(writing);
            }
        }
    }
}
