//! What a transactional producer asks its coordinators, one thing after the other, and what their
//! answers mean (TransactionManager's handlers).

use super::Producer;
use super::transaction::{Ask, ErrorCause, ProducerState, TransactionException, Transactions};
use crate::kafka::client::finder::Finder;
use crate::kafka::client::{backoff, sooner};
use crate::kafka::error::KafkaError;
use crate::kafka::group::message::{CoordinatorKind, GroupAnswer, GroupRequest, PartErrors};
use crate::kafka::ids::*;
use crate::kafka::message::{Body, Message, NodeId};
use crate::kafka::out::Out;
use crate::kafka::transaction::message::*;

/// Errors of a coordinator that is another one, or cannot be reached.
fn elsewhere(error: KafkaError) -> bool {
    matches!(
        error,
        KafkaError::NotCoordinator
            | KafkaError::CoordinatorNotAvailable
            | KafkaError::NetworkException
    )
}

/// Errors that pass by waiting.
fn passes(error: KafkaError) -> bool {
    matches!(
        error,
        KafkaError::CoordinatorLoadInProgress
            | KafkaError::ConcurrentTransactions
            | KafkaError::RequestTimedOut
            | KafkaError::UnknownTopicOrPartition
            | KafkaError::NotEnoughReplicas
    )
}

impl Producer {
    /// Does what is next, if it can be done.
    pub(super) fn drive_transaction(&mut self, due: &mut Option<Ms>, out: &mut Out) {
        if self.transaction.is_none() {
            return;
        }
        self.give_up_unsent(out);
        self.end_late_calls(out);
        let sent = self.transactional().and_then(|tx| tx.sent);
        if let Some((_, broker, deadline)) = sent
            && deadline <= out.now
        {
            self.cluster.lost(broker);
            self.ask_failed(KafkaError::NetworkException, out);
        }
        while self.next_ask(due, out) {}
        if let Some(tx) = &self.transaction {
            for (_, until) in &tx.open {
                sooner(due, *until);
            }
            if let Some((_, _, deadline)) = tx.sent {
                sooner(due, deadline);
            }
        }
    }

    fn end_late_calls(&mut self, out: &mut Out) {
        let Some(tx) = self.transactional() else {
            return;
        };
        let late: Vec<u32> = tx
            .open
            .iter()
            .filter(|(_, until)| *until <= out.now)
            .map(|(tag, _)| *tag)
            .collect();
        for tag in late {
            // What was asked goes on; the call can be made again.
            let error = TransactionException::Kafka(KafkaError::RequestTimedOut);
            tx.answer(Some(tag), Err(error));
        }
    }

    /// Sends the first of the queue, or settles it without sending; whether to look again.
    fn next_ask(&mut self, due: &mut Option<Ms>, out: &mut Out) -> bool {
        let unsent = self.outstanding().next().is_some();
        let (client, producer) = (self.id, self.producer());
        let timeout = self.settings.request_timeout;
        let pause = self.settings.retry_backoff;
        let init_timeout = self.settings.transaction_timeout;
        let Some(tx) = self.transaction.as_deref_mut() else {
            return false;
        };
        if tx.sent.is_some() {
            return false;
        }
        let Some(ask) = tx.queue.front().cloned() else {
            return false;
        };
        if let Some(cause) = tx.error.filter(|_| tx.in_error()) {
            self.fail_first(cause, out);
            return true;
        }
        match &ask {
            Ask::End { .. } if unsent => return false,
            Ask::End { commit, .. } if !tx.started => {
                // R-TXN-4: nothing was written, nobody needs to know.
                let commit = *commit;
                self.ended(None, commit, out);
                return true;
            }
            Ask::AddPartitions if tx.adding.is_empty() => {
                tx.queue.pop_front();
                return true;
            }
            _ => {}
        }
        let finder = match &ask {
            Ask::Offsets { group, .. } => {
                if tx.group.as_ref().is_none_or(|f| f.key != *group) {
                    tx.group = Some(Finder::new(CoordinatorKind::Group, group.clone()));
                }
                tx.group.as_mut()
            }
            _ => Some(&mut tx.coordinator),
        };
        let Some(finder) = finder else { return false };
        finder.drive(client, &mut self.cluster, (timeout, pause), due, out);
        let Some(broker) = finder.known() else {
            return false;
        };
        if tx.ready > out.now {
            sooner(due, tx.ready);
            return false;
        }
        let body = request(tx, &ask, producer, init_timeout);
        let to = NodeId::Broker(broker);
        let correlation = out.request(NodeId::Client(client), to, body, out.cause);
        tx.sent = Some((correlation, broker, out.now.plus(timeout)));
        false
    }

    fn producer(&self) -> ProducerRef {
        ProducerRef {
            id: self.producer_id,
            epoch: self.epoch,
        }
    }

    /// Takes an answer, or the news that there will be none; whether it was for this side of the
    /// producer.
    pub(super) fn transaction_answered(&mut self, message: &Message, out: &mut Out) -> bool {
        let client = self.id;
        let Some(tx) = self.transaction.as_deref_mut() else {
            return false;
        };
        let found = match &message.body {
            Body::GroupAnswer(GroupAnswer::Coordinator(_, _, result)) => *result,
            _ => Err(KafkaError::NetworkException),
        };
        let finders = std::iter::once(&mut tx.coordinator).chain(tx.group.as_mut());
        for finder in finders {
            if finder.answered(client, message.correlation, found, out) {
                if let (Body::Disconnected, NodeId::Broker(broker)) = (&message.body, message.from)
                {
                    self.cluster.lost(broker);
                }
                return true;
            }
        }
        if tx.sent.is_none_or(|(c, _, _)| c != message.correlation) {
            return false;
        }
        match &message.body {
            Body::TransactionAnswer(TransactionAnswer::Init { result, version }) => {
                tx.version = *version;
                match result {
                    Ok(producer) => self.initialised(*producer, out),
                    Err(error) => self.ask_failed(*error, out),
                }
            }
            Body::TransactionAnswer(TransactionAnswer::Added(Ok(()))) => self.added(),
            Body::TransactionAnswer(TransactionAnswer::Added(Err(error))) => {
                self.ask_failed(*error, out);
            }
            Body::TransactionAnswer(TransactionAnswer::Ended(result)) => {
                match (result, tx.queue.front()) {
                    (Ok(producer), Some(Ask::End { commit, .. })) => {
                        let (producer, commit) = (*producer, *commit);
                        self.ended(Some(producer), commit, out);
                    }
                    (Err(error), _) => self.ask_failed(*error, out),
                    _ => {}
                }
            }
            Body::GroupAnswer(GroupAnswer::Committed(parts)) => self.offsets_answered(parts, out),
            _ => {
                if let NodeId::Broker(broker) = message.from {
                    self.cluster.lost(broker);
                }
                self.ask_failed(KafkaError::NetworkException, out);
            }
        }
        true
    }

    fn first_done(&mut self) -> Option<Ask> {
        let tx = self.transactional()?;
        tx.sent = None;
        tx.tries = 0;
        tx.ready = Ms(0);
        tx.queue.pop_front()
    }

    fn initialised(&mut self, producer: ProducerRef, out: &mut Out) {
        self.go_on_as(producer);
        let ask = self.first_done();
        let Some(tx) = self.transactional() else {
            return;
        };
        tx.state = ProducerState::Ready;
        if let Some(Ask::Init { tag, again }) = ask {
            tx.answer(tag, Ok(()));
            if again {
                self.note_end(false, None, out);
            }
        }
    }

    /// A new epoch: sequences start at 0 again in every partition (R-IDM-3).
    fn go_on_as(&mut self, producer: ProducerRef) {
        if self.producer() == producer {
            return;
        }
        self.producer_id = producer.id;
        self.epoch = producer.epoch;
        for queue in self.queues.values_mut() {
            queue.restart(producer.epoch);
        }
    }

    fn added(&mut self) {
        let ask = self.first_done();
        let Some(tx) = self.transactional() else {
            return;
        };
        tx.started = true;
        if ask == Some(Ask::AddPartitions) {
            tx.added.extend(tx.adding.iter().copied());
            tx.adding.clear();
        }
    }

    /// The transaction has ended; `None`: without anybody being asked.
    fn ended(&mut self, producer: Option<ProducerRef>, commit: bool, out: &mut Out) {
        if let Some(producer) = producer {
            self.go_on_as(producer);
        }
        let mut ask = self.first_done();
        let Some(tx) = self.transactional() else {
            return;
        };
        tx.started = false;
        tx.again = false;
        tx.added.clear();
        tx.adding.clear();
        let last = tx.queue.is_empty();
        tx.state = if last {
            ProducerState::Ready
        } else {
            ProducerState::Initializing
        };
        let tag = ask.as_mut().and_then(Ask::tag).and_then(|t| *t);
        tx.answer(tag, Ok(()));
        if last {
            self.note_end(commit, None, out);
        }
    }

    fn offsets_answered(&mut self, parts: &PartErrors, out: &mut Out) {
        match parts.iter().find_map(|(_, result)| result.err()) {
            Some(error) => self.ask_failed(error, out),
            None => {
                if let Some(Ask::Offsets { tag, .. }) = self.first_done()
                    && let Some(tx) = self.transactional()
                {
                    tx.answer(tag, Ok(()));
                }
            }
        }
    }

    /// What the first of the queue was refused with: try again, or an error state.
    fn ask_failed(&mut self, error: KafkaError, out: &mut Out) {
        use ErrorCause::{CommitFailed, Kafka};
        let pause = (self.settings.retry_backoff, self.settings.retry_backoff_max);
        let Some(tx) = self.transaction.as_deref_mut() else {
            return;
        };
        tx.sent = None;
        let offsets = matches!(tx.queue.front(), Some(Ask::Offsets { .. }));
        if elsewhere(error) || passes(error) {
            if elsewhere(error) {
                match (&mut tx.group, offsets) {
                    (Some(group), true) => group.forget(),
                    _ => tx.coordinator.forget(),
                }
            }
            tx.ready = out.now.plus(backoff(pause.0, pause.1, tx.tries));
            tx.tries += 1;
            return;
        }
        let (cause, fatal) = match error {
            // An older answer says INVALID_PRODUCER_EPOCH for the same.
            KafkaError::InvalidProducerEpoch | KafkaError::ProducerFenced => {
                (Kafka(KafkaError::ProducerFenced), true)
            }
            // R-COM-11
            KafkaError::UnknownMemberId | KafkaError::IllegalGeneration if offsets => {
                (CommitFailed, false)
            }
            KafkaError::TransactionAbortable => (Kafka(error), false),
            KafkaError::FencedInstanceId if offsets => (Kafka(error), false),
            _ => (Kafka(error), true),
        };
        self.enter_error(cause, fatal);
        self.fail_first(cause, out);
    }

    /// The first of the queue fails with what led into an error state.
    fn fail_first(&mut self, cause: ErrorCause, out: &mut Out) {
        let mut ask = self.first_done();
        let Some(tx) = self.transactional() else {
            return;
        };
        let exception = tx.error.unwrap_or(cause).thrown();
        let tag = ask.as_mut().and_then(Ask::tag).and_then(|t| *t);
        tx.answer(tag, Err(exception));
        if let Some(Ask::End { commit, .. }) = ask {
            self.note_end(commit, Some(exception), out);
        }
    }
}

fn request(tx: &Transactions, ask: &Ask, producer: ProducerRef, timeout: Ms) -> Body {
    let transactional_id = tx.id.clone();
    Body::Transaction(match ask {
        Ask::Init { again, .. } => TransactionRequest::InitProducer {
            transactional_id: Some(transactional_id),
            timeout,
            current: again.then_some(producer),
        },
        Ask::AddPartitions => TransactionRequest::AddPartitions {
            transactional_id,
            producer,
            partitions: tx.adding.iter().copied().collect(),
        },
        Ask::AddOffsets { group } => TransactionRequest::AddOffsets {
            transactional_id,
            producer,
            group: group.clone(),
        },
        Ask::End { commit, .. } => TransactionRequest::End {
            transactional_id,
            producer,
            commit: *commit,
        },
        Ask::Offsets {
            group,
            member,
            offsets,
            ..
        } => {
            return Body::Group(GroupRequest::TransactionCommit {
                group: group.clone(),
                member: member.clone(),
                producer_id: producer.id,
                producer_epoch: producer.epoch,
                transactional_id,
                offsets: offsets.clone(),
            });
        }
    })
}
