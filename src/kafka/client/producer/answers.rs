//! What an answer to a produce request means: done, try again, or failed for good
//! (Sender.completeBatch).

use super::Producer;
use super::batch::State;
use crate::kafka::client::backoff;
use crate::kafka::client::cluster::invalid_metadata;
use crate::kafka::error::KafkaError;
use crate::kafka::event::EventKind;
use crate::kafka::ids::*;
use crate::kafka::message::{CurrentLeader, Message, NodeId};
use crate::kafka::out::Out;

/// Errors that may pass (R-PRD-3: RetriableException).
pub(super) fn retriable(error: KafkaError) -> bool {
    invalid_metadata(error)
        || matches!(
            error,
            KafkaError::NotEnoughReplicas
                | KafkaError::NotEnoughReplicasAfterAppend
                | KafkaError::RequestTimedOut
                | KafkaError::CorruptMessage
                | KafkaError::UnknownLeaderEpoch
                | KafkaError::OffsetNotAvailable
                | KafkaError::ConcurrentTransactions
        )
}

impl Producer {
    pub(super) fn answered(
        &mut self,
        message: &Message,
        tp: Tp,
        result: Result<Offset, KafkaError>,
        leader: CurrentLeader,
        out: &mut Out,
    ) {
        // An answer that comes after its time-out finds nobody waiting.
        let Some(index) = self.in_flight_as(message.correlation) else {
            return;
        };
        match result {
            Ok(base) => {
                self.finish(index, Ok(Some(base)), None, out);
                self.acknowledged(index);
            }
            Err(error) => {
                if let (Some((id, epoch)), NodeId::Broker(from)) = (leader, message.from) {
                    self.cluster.told(tp, id, epoch, from, out);
                }
                self.refused(index, error, leader, out);
            }
        }
    }

    /// The connection broke before an answer came.
    pub(super) fn disconnected(&mut self, message: &Message, out: &mut Out) {
        if self.cluster.disconnected(message.correlation) {
            return;
        }
        // Also under acks=0, where nobody waits for an answer.
        if let NodeId::Broker(broker) = message.from {
            self.cluster.lost(broker);
        }
        if let Some(index) = self.in_flight_as(message.correlation) {
            self.refused(index, KafkaError::NetworkException, None, out);
        }
    }

    fn in_flight_as(&self, correlation: Correlation) -> Option<u32> {
        self.queues
            .values()
            .flat_map(|q| &q.in_flight)
            .copied()
            .find(|i| {
                matches!(self.sends[*i as usize].state, State::InFlight { correlation: c, .. } if c == correlation)
            })
    }

    /// A try failed.
    pub(super) fn refused(
        &mut self,
        index: u32,
        error: KafkaError,
        leader: CurrentLeader,
        out: &mut Out,
    ) {
        if invalid_metadata(error) {
            self.cluster.want();
        }
        let send = &self.sends[index as usize];
        let (tp, attempts, tried_in) = (send.tp, send.attempts, send.tried_in);
        // R-PRD-2. The delivery time is looked at before every step anyway.
        let tries_left = attempts <= self.settings.retries;
        let out_of_order = error == KafkaError::OutOfOrderSequenceNumber && send.stamp.is_some();
        let again = match out_of_order {
            true => tries_left && self.out_of_order(index),
            false => tries_left && retriable(error),
        };
        if !again {
            self.finish(index, Err(error), leader, out);
            self.failed(index, error, tries_left);
            self.batch_failed(error);
            return;
        }
        // No pause where a newer leader is known already (KIP-951, R-ACK-9).
        let moved = self
            .cluster
            .leader(tp)
            .is_some_and(|(_, epoch)| tried_in.is_some_and(|tried| epoch > tried));
        let after = if moved {
            Ms(0)
        } else {
            backoff(
                self.settings.retry_backoff,
                self.settings.retry_backoff_max,
                attempts.saturating_sub(1),
            )
        };
        let client = self.id;
        let send = &mut self.sends[index as usize];
        send.state = State::Queued {
            ready: out.now.plus(after),
            error: Some(error),
        };
        send.cause = out.emit_because(
            EventKind::ProduceRetry {
                client,
                tp,
                error,
                after,
            },
            &[send.cause],
        );
        self.put_back(index, tp);
    }

    /// Back into the queue: in the order of sequences if there are any (R-IDM-6), else to the
    /// front, which may change the order (R-PRD-1).
    fn put_back(&mut self, index: u32, tp: Tp) {
        let sequence = self.sends[index as usize].base_sequence();
        let Some(queue) = self.queues.get_mut(&tp) else {
            return;
        };
        queue.remove(index);
        let place = match sequence {
            None => 0,
            Some(sequence) => queue
                .waiting
                .iter()
                .position(|i| {
                    self.sends[*i as usize]
                        .base_sequence()
                        .is_none_or(|s| s > sequence)
                })
                .unwrap_or(queue.waiting.len()),
        };
        queue.waiting.insert(place, index);
    }
}
