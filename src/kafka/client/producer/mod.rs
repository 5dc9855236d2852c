//! A producer (section E). It knows its settings, what it was told of the cluster, and its sends.
//! Each `send` is one batch. A batch waits for linger.ms and a leader, goes out, is answered, and
//! on an error that may pass is tried again until delivery.timeout.ms is over (R-PRD-2).

mod answers;
mod batch;
mod coordinate;
mod sender;
mod sequences;
#[cfg(test)]
mod sequences_tests;
#[cfg(test)]
mod tests;
mod transaction;
mod transaction_calls;

pub use batch::{SendView, SendViewState};

pub use transaction::{ErrorCause, ProducerState, TransactionException};

use super::cluster::{Cluster, Pace};
use super::settings::ProducerSettings;
use crate::kafka::batch::NewRecord;
use crate::kafka::error::KafkaError;
use crate::kafka::ids::*;
use crate::kafka::map::Map;
use crate::kafka::message::{Body, CurrentLeader, Message, NodeId};
use crate::kafka::out::{ClientTimer, Out};
use batch::{Send, State};
use std::collections::VecDeque;
use transaction::Transactions;

/// What became of a send: the number of each record (`None` under acks=0), or the error and who
/// leads, if that was told with it.
pub type Sent = Result<Vec<Option<Offset>>, (KafkaError, CurrentLeader)>;

/// A producer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Producer {
    id: ClientId,
    settings: ProducerSettings,
    cluster: Cluster,
    producer_id: i64,
    /// The producer epoch; grows on a gap in the sequences (R-IDM-6).
    epoch: i16,
    /// All sends in order, also those that are done.
    sends: Vec<Send>,
    /// What is not done, by partition.
    queues: Map<Tp, Queue>,
    /// Outcomes that were not fetched yet.
    done: Vec<(u32, Sent)>,
    /// The earliest reminder that is pending.
    wake: Option<Ms>,
    /// With transactional.id: its transactions.
    transaction: Option<Box<Transactions>>,
    /// Calls about transactions to a producer that has none.
    refused_calls: Vec<(u32, Result<(), TransactionException>)>,
}

/// The sends of a partition that are not done. Numbers are places in `Producer::sends`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Queue {
    /// To be sent, in this order.
    waiting: VecDeque<u32>,
    /// Sent and unanswered, in the order they were sent.
    in_flight: Vec<u32>,
    /// The producer epoch the sequences below belong to.
    epoch: i16,
    /// The sequence of the next batch (R-IDM-5: each partition has its own).
    next_sequence: i32,
    /// The last sequence that was confirmed.
    last_acked: Option<i32>,
    /// The sequence behind an expired batch that may be in the log or not.
    unresolved: Option<i32>,
}

impl Producer {
    /// A producer that has not sent anything. `producer_id` is the id it stamps its batches with
    /// if it is idempotent: a new one for each producer, so that duplicates across restarts are
    /// not removed (R-IDM-5). A transactional producer is given its id by its coordinator.
    pub fn new(
        id: ClientId,
        settings: ProducerSettings,
        bootstrap: Vec<BrokerId>,
        producer_id: i64,
    ) -> Self {
        let transaction = settings.transactional_id.clone();
        let transaction = transaction.map(|id| Box::new(Transactions::new(id)));
        let producer_id = if transaction.is_some() {
            -1
        } else {
            producer_id
        };
        Producer {
            id,
            settings,
            cluster: Cluster::new(id, bootstrap),
            producer_id,
            epoch: if transaction.is_some() { -1 } else { 0 },
            transaction,
            refused_calls: Vec::new(),
            sends: Vec::new(),
            queues: Map::new(),
            done: Vec::new(),
            wake: None,
        }
    }

    /// Takes records to send, one batch; `tag` comes back in [`done`](Self::done).
    pub fn send(&mut self, tag: u32, tp: Tp, records: Vec<NewRecord>, out: &mut Out) {
        let index = self.sends.len() as u32;
        self.sends.push(Send {
            tag,
            tp,
            records: records.into(),
            acks: self.settings.acks,
            at: out.now,
            attempts: 0,
            stamp: None,
            restamped: false,
            tried_in: None,
            state: State::Queued {
                ready: out.now.plus(self.settings.linger),
                error: None,
            },
            cause: out.cause,
        });
        self.cluster.follow(tp);
        let epoch = self.epoch;
        self.queues
            .entry(tp)
            .or_insert_with(|| Queue {
                epoch,
                ..Queue::default()
            })
            .waiting
            .push_back(index);
        if let Err(error) = self.may_send(tp) {
            self.finish(index, Err(error), None, out);
        }
        self.drive(out);
    }

    /// Takes an answer, or the news that there will be none.
    pub fn handle(&mut self, message: &Message, out: &mut Out) {
        if let NodeId::Broker(broker) = message.from
            && !matches!(message.body, Body::Disconnected)
        {
            self.cluster.heard(broker);
        }
        if self.transaction_answered(message, out) {
            return self.drive(out);
        }
        match &message.body {
            Body::ProduceAnswer {
                tp,
                result,
                current_leader,
            } => self.answered(message, *tp, *result, *current_leader, out),
            Body::MetadataAnswer(image) => {
                self.cluster.answered(message.correlation, image, out);
            }
            Body::Disconnected => self.disconnected(message, out),
            _ => {}
        }
        self.drive(out);
    }

    /// A broker's process has ended: the connection to it breaks, also if nothing is under way. A
    /// producer at rest keeps still, but its next batch does not go there blindly.
    pub fn broker_gone(&mut self, broker: BrokerId, out: &mut Out) {
        self.cluster.lost(broker);
        if let Some(tx) = self.transactional() {
            let finders = std::iter::once(&mut tx.coordinator).chain(tx.group.as_mut());
            for finder in finders.filter(|f| f.known() == Some(broker)) {
                finder.forget();
            }
        }
        self.drive(out);
    }

    /// A reminder. One that is out of date does no harm.
    pub fn timer(&mut self, timer: &ClientTimer, out: &mut Out) {
        match timer {
            ClientTimer::Wake => {
                if self.wake.is_some_and(|at| at <= out.now) {
                    self.wake = None;
                }
            }
            ClientTimer::Unanswered(_) => {}
        }
        self.drive(out);
    }

    /// The outcomes since the last call.
    pub fn done(&mut self) -> Vec<(u32, Sent)> {
        std::mem::take(&mut self.done)
    }

    /// Its settings.
    pub fn settings(&self) -> &ProducerSettings {
        &self.settings
    }

    /// Changes its settings; what was sent before keeps its acks.
    pub fn set_settings(&mut self, settings: ProducerSettings) {
        self.settings = settings;
    }

    /// The leader it knows for each partition it has written to.
    pub fn leaders(&self) -> Vec<(Tp, Option<BrokerId>)> {
        self.queues
            .keys()
            .map(|tp| (*tp, self.cluster.leader(*tp).map(|(leader, _)| leader)))
            .collect()
    }

    /// All sends in order.
    pub fn sends(&self) -> Vec<SendView> {
        self.sends.iter().map(Send::view).collect()
    }

    /// The producer epoch.
    pub fn epoch(&self) -> i16 {
        self.epoch
    }

    /// The sequence that the partition's next new batch will get.
    pub fn next_sequence(&self, tp: Tp) -> i32 {
        self.queues.get(&tp).map_or(0, |q| q.next_sequence)
    }

    /// The sequence of the partition's last confirmed record.
    pub fn last_acked_sequence(&self, tp: Tp) -> Option<i32> {
        self.queues.get(&tp)?.last_acked
    }

    /// The lowest sequence of the partition's batches that were sent and are not done.
    pub fn first_outstanding_sequence(&self, tp: Tp) -> Option<i32> {
        self.lowest_outstanding(self.queues.get(&tp)?)
    }

    fn pace(&self) -> Pace {
        Pace {
            request_timeout: self.settings.request_timeout,
            retry_backoff: self.settings.retry_backoff,
            retry_backoff_max: self.settings.retry_backoff_max,
            max_age: self.settings.metadata_max_age,
        }
    }
}
