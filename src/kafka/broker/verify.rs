//! KIP-890 with transaction.version 2: before the first append of a transaction to a partition its
//! leader asks the coordinator to add the partition to the transaction. So no record of a
//! transaction is in a log that its coordinator does not know of. The batch is held meanwhile, and
//! behind it those of the same producer.

use super::{Broker, Purpose};
use crate::kafka::error::KafkaError;
use crate::kafka::group::Name;
use crate::kafka::group::message::{CoordinatorKind, GroupAnswer, GroupRequest};
use crate::kafka::ids::*;
use crate::kafka::message::{Body, Message, NodeId};
use crate::kafka::out::{BrokerTimer, Out};
use crate::kafka::transaction::EPOCH_RISES;
use crate::kafka::transaction::message::{ProducerRef, TransactionRequest};

/// request.timeout.ms of a broker's own requests
const REQUEST_TIMEOUT: Ms = Ms(30_000);

/// Requests that are held.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Verifying {
    tp: Tp,
    producer: ProducerRef,
    /// In the order they came.
    held: Vec<Message>,
}

impl Broker {
    /// Whether a request has to wait until its partition is part of the transaction; it is held
    /// then, or refused.
    pub(super) fn holds_for_transaction(&mut self, message: &Message, out: &mut Out) -> bool {
        if self.common.server.transaction_version < EPOCH_RISES {
            return false;
        }
        let Some((tp, id, producer)) = self.subject(message) else {
            return false;
        };
        let Some(replica) = self.replicas.get(&tp).filter(|r| r.leader().is_some()) else {
            return false;
        };
        let known = replica.log.producers().get(producer.id);
        if known.is_some_and(|p| p.open.is_some() && p.epoch == producer.epoch) {
            return false;
        }
        let under_way = |v: &&mut Verifying| v.tp == tp && v.producer == producer;
        if let Some(verifying) = self.transactions.verifying.values_mut().find(under_way) {
            verifying.held.push(message.clone());
            return true;
        }
        let coordinator = self
            .coordinator_partition(CoordinatorKind::Transaction, &id)
            .and_then(|tp| self.image.partitions.get(&tp)?.leader);
        let Some(coordinator) = coordinator else {
            self.refuse_held(message, KafkaError::CoordinatorNotAvailable, out);
            return true;
        };
        let body = Body::Transaction(TransactionRequest::AddPartitions {
            transactional_id: id,
            producer,
            partitions: vec![tp],
        });
        let to = NodeId::Broker(coordinator);
        let correlation = self.request(to, body, Purpose::Verify, out.cause, out);
        let held = vec![message.clone()];
        let verifying = Verifying { tp, producer, held };
        self.transactions.verifying.insert(correlation, verifying);
        let due = out.now.plus(REQUEST_TIMEOUT);
        self.remind(due, BrokerTimer::Unanswered(correlation), out);
        true
    }

    /// Partition, transactional id and producer of a request that belongs to a transaction.
    fn subject(&self, message: &Message) -> Option<(Tp, Name, ProducerRef)> {
        match &message.body {
            Body::Produce {
                tp,
                batch,
                transactional_id: Some(id),
                ..
            } if batch.transactional => {
                let stamp = batch.stamp?;
                let producer = ProducerRef {
                    id: stamp.producer_id,
                    epoch: stamp.epoch,
                };
                Some((*tp, id.clone(), producer))
            }
            Body::Group(GroupRequest::TransactionCommit {
                group,
                producer_id,
                producer_epoch,
                transactional_id,
                ..
            }) => {
                let tp = self.coordinator_partition(CoordinatorKind::Group, group)?;
                let producer = ProducerRef {
                    id: *producer_id,
                    epoch: *producer_epoch,
                };
                Some((tp, transactional_id.clone(), producer))
            }
            _ => None,
        }
    }

    /// The coordinator has answered (or will not): what was held goes on, or is refused.
    pub(super) fn verified(
        &mut self,
        correlation: Correlation,
        result: Result<(), KafkaError>,
        out: &mut Out,
    ) {
        let Some(verifying) = self.transactions.verifying.remove(&correlation) else {
            return;
        };
        for message in &verifying.held {
            match result {
                Ok(()) => self.let_go(message, verifying.tp, verifying.producer, out),
                Err(error) => self.refuse_held(message, error, out),
            }
        }
    }

    fn let_go(&mut self, message: &Message, tp: Tp, producer: ProducerRef, out: &mut Out) {
        match &message.body {
            Body::Produce {
                batch,
                acks,
                timeout,
                ..
            } => {
                // R-IDM-3: a producer that is not known here begins at 0.
                let begins = batch.stamp.is_none_or(|s| s.base_sequence == 0);
                let replica = self.replicas.get(&tp);
                let known = replica.is_some_and(|r| r.log.producers().get(producer.id).is_some());
                if !begins && !known && replica.is_some_and(|r| r.leader().is_some()) {
                    let error = KafkaError::OutOfOrderSequenceNumber;
                    return self.answer_produce(
                        message.correlation,
                        message.from,
                        tp,
                        Err(error),
                        out,
                    );
                }
                self.serve_produce(message, tp, batch, *acks, *timeout, out);
            }
            Body::Group(request) => self.serve_group(message, request, out),
            _ => {}
        }
    }

    fn refuse_held(&mut self, message: &Message, error: KafkaError, out: &mut Out) {
        let error = match error {
            // A zombie that writes is told so in the words of a write (R-TXN-6).
            KafkaError::ProducerFenced => KafkaError::InvalidProducerEpoch,
            other => other,
        };
        match &message.body {
            Body::Produce { tp, .. } => {
                let error = match error {
                    KafkaError::NetworkException
                    | KafkaError::CoordinatorLoadInProgress
                    | KafkaError::CoordinatorNotAvailable
                    | KafkaError::NotCoordinator => KafkaError::NotEnoughReplicas,
                    other => other,
                };
                self.answer_produce(message.correlation, message.from, *tp, Err(error), out);
            }
            Body::Group(GroupRequest::TransactionCommit { offsets, .. }) => {
                let error = match error {
                    KafkaError::NetworkException | KafkaError::NotCoordinator => {
                        KafkaError::CoordinatorNotAvailable
                    }
                    other => other,
                };
                let parts = offsets.iter().map(|(tp, _)| (*tp, Err(error))).collect();
                let body = Body::GroupAnswer(GroupAnswer::Committed(parts));
                out.answer(
                    message.correlation,
                    self.node(),
                    message.from,
                    body,
                    out.cause,
                );
            }
            _ => {}
        }
    }
}
