//! The calls of a transactional producer: which is possible in which state (section E2).

use super::Producer;
use super::batch::State;
use super::transaction::{Ask, ErrorCause, ProducerState, TransactionException, Transactions};
use crate::kafka::error::KafkaError;
use crate::kafka::event::EventKind;
use crate::kafka::group::message::{CommitPart, MemberRef};
use crate::kafka::ids::*;
use crate::kafka::out::Out;
use crate::kafka::transaction::message::ProducerRef;
use std::rc::Rc;

impl Producer {
    /// initTransactions(). `tag` comes back in [`calls`](Self::calls).
    pub fn init_transactions(&mut self, tag: u32, out: &mut Out) {
        let Some(tx) = self.transactional() else {
            return self
                .refused_calls
                .push((tag, Err(TransactionException::IllegalState)));
        };
        if let Some(exception) = tx.thrown() {
            return tx.refuse(tag, exception);
        }
        match tx.state {
            ProducerState::Uninitialized => {
                tx.state = ProducerState::Initializing;
                tx.queue.push_back(Ask::Init {
                    tag: Some(tag),
                    again: false,
                });
                tx.wait(tag, out.now);
            }
            // It is still under way: this call waits for it.
            ProducerState::Initializing => self.wait_for_it(tag, out),
            _ => return tx.refuse(tag, TransactionException::IllegalState),
        }
        self.drive(out);
    }

    /// A call that was given up is made again: it waits for what is under way.
    fn wait_for_it(&mut self, tag: u32, out: &mut Out) {
        if let Some(tx) = self.transactional() {
            if let Some(last) = tx.queue.iter_mut().filter_map(Ask::tag).last() {
                *last = Some(tag);
            }
            tx.wait(tag, out.now);
        }
    }

    /// beginTransaction().
    ///
    /// # Errors
    /// IllegalState, and what an error state throws.
    pub fn begin_transaction(&mut self, out: &mut Out) -> Result<(), TransactionException> {
        let client = self.id;
        let tx = self
            .transactional()
            .ok_or(TransactionException::IllegalState)?;
        if let Some(exception) = tx.thrown() {
            return Err(exception);
        }
        if tx.state != ProducerState::Ready {
            return Err(TransactionException::IllegalState);
        }
        tx.state = ProducerState::InTransaction;
        let id = tx.id.clone();
        out.emit(EventKind::TransactionBegun { client, id });
        Ok(())
    }

    /// commitTransaction() or abortTransaction(). A commit waits for what was sent; an abort gives
    /// up what was not.
    pub fn end_transaction(&mut self, tag: u32, commit: bool, out: &mut Out) {
        let Some(tx) = self.transactional() else {
            return self
                .refused_calls
                .push((tag, Err(TransactionException::IllegalState)));
        };
        let abortable = !commit && tx.state == ProducerState::AbortableError;
        if let Some(exception) = tx.thrown().filter(|_| !abortable) {
            tx.refuse(tag, exception);
            return self.note_end(commit, Some(exception), out);
        }
        match (tx.state, commit) {
            (ProducerState::Committing, true) | (ProducerState::Aborting, false) => {
                self.wait_for_it(tag, out);
            }
            (ProducerState::InTransaction, _) | (ProducerState::AbortableError, false) => {
                tx.wait(tag, out.now);
                if !commit {
                    // What was still to be told the coordinator is of no use any more.
                    let sent = usize::from(tx.sent.is_some());
                    tx.queue.truncate(sent);
                    tx.adding.clear();
                }
                let again = !commit && tx.again;
                tx.queue.push_back(Ask::End {
                    tag: Some(tag).filter(|_| !again),
                    commit,
                });
                if again {
                    tx.queue.push_back(Ask::Init {
                        tag: Some(tag),
                        again,
                    });
                }
                tx.state = if commit {
                    ProducerState::Committing
                } else {
                    ProducerState::Aborting
                };
                tx.error = None;
            }
            _ => return tx.refuse(tag, TransactionException::IllegalState),
        }
        self.drive(out);
    }

    /// sendOffsetsToTransaction().
    pub fn send_offsets(
        &mut self,
        tag: u32,
        group: Rc<str>,
        member: MemberRef,
        offsets: Vec<CommitPart>,
        out: &mut Out,
    ) {
        let Some(tx) = self.transactional() else {
            return self
                .refused_calls
                .push((tag, Err(TransactionException::IllegalState)));
        };
        if let Some(exception) = tx.thrown() {
            return tx.refuse(tag, exception);
        }
        if tx.state != ProducerState::InTransaction {
            return tx.refuse(tag, TransactionException::IllegalState);
        }
        if offsets.is_empty() {
            return tx.done.push((tag, Ok(())));
        }
        tx.wait(tag, out.now);
        if tx.rises() {
            tx.started = true;
        } else {
            tx.queue.push_back(Ask::AddOffsets {
                group: group.clone(),
            });
        }
        tx.queue.push_back(Ask::Offsets {
            tag: Some(tag),
            group,
            member,
            offsets,
        });
        self.drive(out);
    }

    /// The calls that ended since the last look.
    pub fn calls(&mut self) -> Vec<(u32, Result<(), TransactionException>)> {
        let mut all = std::mem::take(&mut self.refused_calls);
        if let Some(tx) = self.transactional() {
            all.append(&mut tx.done);
        }
        all
    }

    /// Whether a transaction is open, as this producer believes.
    pub fn in_transaction(&self) -> bool {
        let state = self.transaction.as_ref().map(|tx| tx.state);
        matches!(
            state,
            Some(ProducerState::InTransaction | ProducerState::AbortableError)
        )
    }

    /// Its transactional id, and its state as it sees itself.
    pub fn transaction(&self) -> Option<(Rc<str>, ProducerState)> {
        let tx = self.transaction.as_ref()?;
        Some((tx.id.clone(), tx.state))
    }

    /// What it was given: producer id and epoch; `None` before initTransactions().
    pub fn producer_ref(&self) -> Option<ProducerRef> {
        let given = self.transaction.is_none() || self.producer_id >= 0;
        given.then_some(ProducerRef {
            id: self.producer_id,
            epoch: self.epoch,
        })
    }

    pub(super) fn transactional(&mut self) -> Option<&mut Transactions> {
        self.transaction.as_deref_mut()
    }

    /// Whether a record may be sent now; else the error that `send` fails with.
    pub(super) fn may_send(&mut self, tp: Tp) -> Result<(), KafkaError> {
        let Some(tx) = self.transactional() else {
            return Ok(());
        };
        match (tx.thrown(), tx.error) {
            (None, _) => {}
            (Some(_), Some(ErrorCause::Kafka(error))) => return Err(error),
            _ => return Err(KafkaError::TransactionAbortable),
        }
        if tx.state != ProducerState::InTransaction {
            return Err(KafkaError::InvalidTxnState);
        }
        if tx.rises() {
            tx.started = true;
        } else if !tx.added.contains(&tp) && tx.adding.insert(tp) {
            let queued = tx.queue.iter().skip(usize::from(tx.sent.is_some()));
            if !queued.into_iter().any(|a| *a == Ask::AddPartitions) {
                tx.queue.push_back(Ask::AddPartitions);
            }
        }
        Ok(())
    }

    /// A batch failed for good: the transaction cannot be committed any more.
    pub(super) fn batch_failed(&mut self, error: KafkaError) {
        let Some(tx) = self.transactional() else {
            return;
        };
        let passing = super::answers::retriable(error)
            || matches!(error, KafkaError::Timeout | KafkaError::InvalidTxnState);
        match error {
            KafkaError::ProducerFenced | KafkaError::InvalidProducerIdMapping => {
                self.enter_error(ErrorCause::Kafka(error), true);
            }
            _ if passing => {
                self.enter_error(ErrorCause::Kafka(KafkaError::TransactionAbortable), false);
            }
            _ => {
                tx.again |= !tx.rises() && tx.state == ProducerState::InTransaction;
                self.enter_error(ErrorCause::Kafka(error), false);
            }
        }
    }

    /// Into an error state; what is not under way fails with it.
    pub(super) fn enter_error(&mut self, cause: ErrorCause, fatal: bool) {
        let Some(tx) = self.transactional() else {
            return;
        };
        let already = tx.state == ProducerState::FatalError
            || (!fatal
                && matches!(
                    tx.state,
                    ProducerState::AbortableError | ProducerState::Aborting
                ));
        if already {
            return;
        }
        tx.state = if fatal {
            ProducerState::FatalError
        } else {
            ProducerState::AbortableError
        };
        tx.error = Some(cause);
    }

    /// Batches that were never sent are given up when the transaction is to be aborted.
    pub(super) fn give_up_unsent(&mut self, out: &mut Out) {
        let Some(tx) = self.transactional() else {
            return;
        };
        if !(tx.in_error() || tx.state == ProducerState::Aborting) {
            return;
        }
        let error = match tx.error {
            Some(ErrorCause::Kafka(error)) => error,
            _ => KafkaError::TransactionAbortable,
        };
        let unsent: Vec<u32> = self
            .queues
            .values()
            .flat_map(|q| &q.waiting)
            .copied()
            .filter(|i| self.sends[*i as usize].stamp.is_none())
            .collect();
        for index in unsent {
            debug_assert!(matches!(
                self.sends[index as usize].state,
                State::Queued { .. }
            ));
            self.finish(index, Err(error), None, out);
        }
    }

    /// Tells that commit or abort came to an end.
    pub(super) fn note_end(
        &mut self,
        commit: bool,
        exception: Option<TransactionException>,
        out: &mut Out,
    ) {
        let client = self.id;
        let Some(tx) = self.transactional() else {
            return;
        };
        let id = tx.id.clone();
        let error = exception.map(|e| match e {
            TransactionException::Kafka(error) => error,
            _ => KafkaError::TransactionAbortable,
        });
        out.emit(EventKind::TransactionEnded {
            client,
            id,
            commit,
            error,
        });
    }
}
