//! The broker as coordinator of transactions (section E2): whoever leads a partition of
//! `__transaction_state` keeps the transactional ids that hash to it. What it decides is a record
//! there; it holds, and is answered, once the high watermark has passed it.

use super::Broker;
use super::markers::{SentMarkers, Writing};
use super::verify::Verifying;
use crate::kafka::error::KafkaError;
use crate::kafka::event::Cause;
use crate::kafka::group::Name;
use crate::kafka::group::message::CoordinatorKind;
use crate::kafka::ids::*;
use crate::kafka::map::Map;
use crate::kafka::message::{Body, Message, NodeId};
use crate::kafka::out::Out;
use crate::kafka::transaction::message::*;
use crate::kafka::transaction::{Ended, Entry, Initialised, TopicNames};

/// A broker gives out producer ids of a block of its own, so many a start.
const BLOCK: i64 = 1000;

/// All that a broker knows of transactions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Transactions {
    pub coordinators: Map<Tp, Coordinator>,
    /// Markers asked of leaders.
    pub sent: Map<Correlation, SentMarkers>,
    /// Markers written as leader that are not replicated yet.
    pub writing: Vec<Writing>,
    /// Batches held until their partition is part of the transaction.
    pub verifying: Map<Correlation, Verifying>,
    /// How many producer ids were given out.
    given: i64,
    /// A look for transactions that are open too long is due then.
    pub check: Option<Ms>,
}

/// The transactional ids of one partition of `__transaction_state`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Coordinator {
    pub loaded: bool,
    pub ids: Map<Name, Entry>,
    /// What is written and not committed, in order.
    pub waiting: Vec<Waiting>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Waiting {
    pub until: Boundary,
    pub id: Name,
    pub answer: Option<Answer>,
    pub cause: Cause,
}

/// Whom to answer once something is committed, and what.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Answer {
    correlation: Correlation,
    to: NodeId,
    body: TransactionAnswer,
}

impl TopicNames for crate::kafka::metadata::Image {
    fn name(&self, tp: Tp) -> Option<String> {
        Some(format!(
            "{}-{}",
            self.topic_reg(tp.topic)?.name,
            tp.partition
        ))
    }
    fn tp(&self, name: &str) -> Option<Tp> {
        let (topic, partition) = name.rsplit_once('-')?;
        Some(Tp {
            topic: self.topic(topic)?,
            partition: partition.parse().ok()?,
        })
    }
}

impl Broker {
    /// A request about a transaction.
    pub(super) fn serve_transaction(
        &mut self,
        message: &Message,
        request: &TransactionRequest,
        out: &mut Out,
    ) {
        let (correlation, to) = (message.correlation, message.from);
        let done = match request {
            TransactionRequest::InitProducer {
                transactional_id,
                timeout,
                current,
            } => {
                let result = match transactional_id {
                    None => Ok(Some(ProducerRef {
                        id: self.new_producer_id(),
                        epoch: 0,
                    })),
                    Some(id) => self.init_producer(message, id, *timeout, *current, out),
                };
                result.transpose().map(|r| self.initialised(r))
            }
            TransactionRequest::AddPartitions {
                transactional_id,
                producer,
                partitions,
            } => self
                .add_partitions(message, transactional_id, *producer, partitions, out)
                .transpose()
                .map(TransactionAnswer::Added),
            TransactionRequest::AddOffsets {
                transactional_id,
                producer,
                group,
            } => {
                let result = match self.coordinator_partition(CoordinatorKind::Group, group) {
                    Some(tp) => {
                        self.add_partitions(message, transactional_id, *producer, &[tp], out)
                    }
                    None => Err(KafkaError::CoordinatorNotAvailable),
                };
                result.transpose().map(TransactionAnswer::Added)
            }
            TransactionRequest::End {
                transactional_id,
                producer,
                commit,
            } => self
                .end_transaction(message, transactional_id, *producer, *commit, out)
                .transpose()
                .map(TransactionAnswer::Ended),
            TransactionRequest::Describe { transactional_id } => {
                let view = self.transaction_entry(transactional_id).and_then(|(_, e)| {
                    e.map(|e| e.now.view(transactional_id.clone()))
                        .ok_or(KafkaError::TransactionalIdNotFound)
                });
                Some(TransactionAnswer::Described(view))
            }
            TransactionRequest::WriteMarkers {
                producer,
                commit,
                version,
                partitions,
            } => {
                self.write_markers(message, *producer, *commit, *version, partitions, out);
                None
            }
        };
        if let Some(body) = done {
            self.answer_transaction(
                &Answer {
                    correlation,
                    to,
                    body,
                },
                out,
            );
        }
    }

    pub(super) fn answer_transaction(&self, answer: &Answer, out: &mut Out) {
        let body = Body::TransactionAnswer(answer.body.clone());
        out.answer(answer.correlation, self.node(), answer.to, body, out.cause);
    }

    fn initialised(&self, result: Result<ProducerRef, KafkaError>) -> TransactionAnswer {
        TransactionAnswer::Init {
            result,
            version: self.common.server.transaction_version,
        }
    }

    /// A producer id that nobody has: a block for each start of a broker (its broker epoch).
    fn new_producer_id(&mut self) -> i64 {
        let block = self.epoch.map_or(0, |e| e.0) + 1;
        self.transactions.given += 1;
        block * BLOCK + self.transactions.given - 1
    }

    /// The partition that an id belongs to, and what is known of the id.
    ///
    /// # Errors
    /// NOT_COORDINATOR, COORDINATOR_LOAD_IN_PROGRESS.
    fn transaction_entry(&self, id: &Name) -> Result<(Tp, Option<&Entry>), KafkaError> {
        let tp = self
            .coordinator_partition(CoordinatorKind::Transaction, id)
            .ok_or(KafkaError::NotCoordinator)?;
        let coordinator = self
            .transactions
            .coordinators
            .get(&tp)
            .ok_or(KafkaError::NotCoordinator)?;
        if !coordinator.loaded {
            return Err(KafkaError::CoordinatorLoadInProgress);
        }
        Ok((tp, coordinator.ids.get(id)))
    }

    fn init_producer(
        &mut self,
        message: &Message,
        id: &Name,
        timeout: Ms,
        current: Option<ProducerRef>,
        out: &mut Out,
    ) -> Result<Option<ProducerRef>, KafkaError> {
        if id.is_empty() {
            return Err(KafkaError::InvalidRequest);
        }
        if timeout > self.common.server.transaction_max_timeout || timeout.0 <= 0 {
            return Err(KafkaError::InvalidTransactionTimeout);
        }
        let version = self.common.server.transaction_version;
        let (tp, known) = self.transaction_entry(id)?;
        let known = known.cloned();
        let fresh = match &known {
            Some(entry) if entry.now.producer.epoch < i16::MAX - 1 => entry.now.producer.id,
            _ => self.new_producer_id(),
        };
        let entry = known.unwrap_or_else(|| Entry::new(fresh, version));
        let (to, result) = match entry.init(timeout, current, fresh, version)? {
            Initialised::Given(to) => {
                let producer = to.producer;
                (to, Ok(producer))
            }
            // R-TXN-3: the client asks again, and again, until the markers are written.
            Initialised::AbortFirst(to) => (to, Err(KafkaError::ConcurrentTransactions)),
        };
        let answer = Answer {
            correlation: message.correlation,
            to: message.from,
            body: self.initialised(result),
        };
        self.write_transaction(tp, id, entry, to, Some(answer), out)?;
        Ok(None)
    }

    fn add_partitions(
        &mut self,
        message: &Message,
        id: &Name,
        producer: ProducerRef,
        partitions: &[Tp],
        out: &mut Out,
    ) -> Result<Option<()>, KafkaError> {
        let version = self.common.server.transaction_version;
        let (tp, entry) = self.transaction_entry(id)?;
        let entry = entry.ok_or(KafkaError::InvalidProducerIdMapping)?.clone();
        let Some(to) = entry.add(producer, partitions, out.now, version)? else {
            return Ok(Some(()));
        };
        let answer = Answer {
            correlation: message.correlation,
            to: message.from,
            body: TransactionAnswer::Added(Ok(())),
        };
        self.write_transaction(tp, id, entry, to, Some(answer), out)?;
        Ok(None)
    }

    fn end_transaction(
        &mut self,
        message: &Message,
        id: &Name,
        producer: ProducerRef,
        commit: bool,
        out: &mut Out,
    ) -> Result<Option<ProducerRef>, KafkaError> {
        let version = self.common.server.transaction_version;
        let (tp, entry) = self.transaction_entry(id)?;
        let entry = entry.ok_or(KafkaError::InvalidProducerIdMapping)?.clone();
        let to = match entry.end(producer, commit, out.now, version)? {
            Ended::Again(producer) => return Ok(Some(producer)),
            Ended::Prepare(to) => to,
        };
        // Answered once the decision is committed; the markers come after.
        let answer = Answer {
            correlation: message.correlation,
            to: message.from,
            body: TransactionAnswer::Ended(Ok(to.producer)),
        };
        self.write_transaction(tp, id, entry, to, Some(answer), out)?;
        Ok(None)
    }

    /// The transactional ids this broker coordinates, as it would describe them, with the partition
    /// of `__transaction_state` they are kept in.
    pub fn transactions(&self) -> impl Iterator<Item = (Tp, TransactionView)> {
        let all = self.transactions.coordinators.iter();
        all.flat_map(|(tp, c)| c.ids.iter().map(|(id, e)| (*tp, id, e)))
            .filter(|(_, _, e)| e.now.producer.epoch >= 0)
            .map(|(tp, id, e)| (tp, e.now.view(id.clone())))
    }
}

impl Answer {
    /// The same as a refusal.
    pub fn refused(self, error: KafkaError) -> Answer {
        let body = match self.body {
            TransactionAnswer::Init { version, .. } => TransactionAnswer::Init {
                result: Err(error),
                version,
            },
            TransactionAnswer::Added(_) => TransactionAnswer::Added(Err(error)),
            _ => TransactionAnswer::Ended(Err(error)),
        };
        Answer { body, ..self }
    }
}
