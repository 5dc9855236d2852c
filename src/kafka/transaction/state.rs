//! The states of a transactional id and what leads from one to the next (R-TXN-1 to R-TXN-6).
//! Nothing here writes: a decision is what is to be written, and holds once it is committed.

use super::EPOCH_RISES;
use super::message::{ProducerRef, TransactionState};
use super::record::Metadata;
use crate::kafka::error::KafkaError;
use crate::kafka::ids::{Ms, Tp};
use crate::kafka::map::Set;

/// A transactional id at its coordinator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// What is committed of it.
    pub now: Metadata,
    /// What is written and not yet committed; nothing else can begin meanwhile.
    pub pending: Option<Metadata>,
    /// Partitions whose marker is still to be written.
    pub markers: Set<Tp>,
    /// Those of them that a leader has been asked for.
    pub asked: Set<Tp>,
}

/// What an InitProducerId leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initialised {
    /// A new epoch: to be written and answered.
    Given(Metadata),
    /// A transaction is open: it is aborted first, and the client comes again (R-TXN-3).
    AbortFirst(Metadata),
}

/// What an EndTxn leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It was done already: the same answer again.
    Again(ProducerRef),
    /// The decision, to be written; then the markers.
    Prepare(Metadata),
}

impl Entry {
    /// An id that was never seen: it has a producer id, no epoch yet.
    pub fn new(producer_id: i64, version: u8) -> Self {
        Entry::read(Metadata {
            producer: ProducerRef {
                id: producer_id,
                epoch: -1,
            },
            last_epoch: None,
            timeout: Ms(0),
            state: TransactionState::Empty,
            partitions: Set::new(),
            started: None,
            version,
        })
    }

    /// An id as it was read from the log.
    pub fn read(now: Metadata) -> Self {
        Entry {
            markers: if now.state.is_prepared() {
                now.partitions.clone()
            } else {
                Set::new()
            },
            now,
            pending: None,
            asked: Set::new(),
        }
    }

    /// InitProducerId (R-TXN-3). `fresh` is a producer id nobody has, for the case that the epochs
    /// of the present one are used up.
    ///
    /// # Errors
    /// CONCURRENT_TRANSACTIONS, PRODUCER_FENCED.
    pub fn init(
        &self,
        timeout: Ms,
        current: Option<ProducerRef>,
        fresh: i64,
        version: u8,
    ) -> Result<Initialised, KafkaError> {
        let now = &self.now;
        let first = now.producer.epoch < 0;
        if current.is_some_and(|c| !first && c.id != now.producer.id) {
            return Err(KafkaError::ProducerFenced);
        }
        if self.pending.is_some() || now.state.is_prepared() {
            return Err(KafkaError::ConcurrentTransactions);
        }
        if now.state == TransactionState::Ongoing {
            return Ok(Initialised::AbortFirst(self.abort_and_fence(version)));
        }
        let (producer, last_epoch) = match current {
            // The answer to its last request was lost.
            Some(c) if !first && now.last_epoch == Some(c.epoch) => (now.producer, now.last_epoch),
            Some(c) if !first && c.epoch != now.producer.epoch => {
                return Err(KafkaError::ProducerFenced);
            }
            _ if now.producer.epoch >= i16::MAX - 1 => {
                let producer = ProducerRef {
                    id: fresh,
                    epoch: 0,
                };
                (producer, None)
            }
            _ => {
                let producer = ProducerRef {
                    epoch: now.producer.epoch + 1,
                    ..now.producer
                };
                (producer, current.map(|_| now.producer.epoch))
            }
        };
        Ok(Initialised::Given(Metadata {
            producer,
            last_epoch,
            timeout,
            state: TransactionState::Empty,
            partitions: Set::new(),
            started: None,
            version,
        }))
    }

    /// AddPartitionsToTxn. `None`: they are in it already.
    ///
    /// # Errors
    /// CONCURRENT_TRANSACTIONS while another change is under way or markers are being written,
    /// INVALID_PRODUCER_ID_MAPPING, PRODUCER_FENCED.
    pub fn add(
        &self,
        producer: ProducerRef,
        partitions: &[Tp],
        at: Ms,
        version: u8,
    ) -> Result<Option<Metadata>, KafkaError> {
        let now = &self.now;
        if self.pending.is_some() {
            return Err(KafkaError::ConcurrentTransactions);
        }
        if now.producer.id != producer.id {
            return Err(KafkaError::InvalidProducerIdMapping);
        }
        if now.producer.epoch != producer.epoch {
            return Err(KafkaError::ProducerFenced);
        }
        if now.state.is_prepared() {
            return Err(KafkaError::ConcurrentTransactions);
        }
        let ongoing = now.state == TransactionState::Ongoing;
        if ongoing && partitions.iter().all(|p| now.partitions.contains(p)) {
            return Ok(None);
        }
        let mut all = if ongoing {
            now.partitions.clone()
        } else {
            Set::new()
        };
        all.extend(partitions.iter().copied());
        Ok(Some(Metadata {
            state: TransactionState::Ongoing,
            partitions: all,
            started: if ongoing { now.started } else { Some(at) },
            version,
            ..now.clone()
        }))
    }

    /// EndTxn of a client (R-TXN-1, R-TXN-2).
    ///
    /// # Errors
    /// CONCURRENT_TRANSACTIONS, INVALID_PRODUCER_ID_MAPPING, PRODUCER_FENCED (R-TXN-6),
    /// INVALID_TXN_STATE.
    pub fn end(
        &self,
        producer: ProducerRef,
        commit: bool,
        at: Ms,
        version: u8,
    ) -> Result<Ended, KafkaError> {
        use TransactionState::*;
        let now = &self.now;
        if self.pending.is_some() {
            return Err(KafkaError::ConcurrentTransactions);
        }
        if now.producer.id != producer.id {
            return Err(KafkaError::InvalidProducerIdMapping);
        }
        let rises = version >= EPOCH_RISES;
        // Where the epoch rises with the decision, the request after it is known by its old one.
        let again = now.version >= EPOCH_RISES && now.producer.epoch == producer.epoch + 1;
        let same = now.producer.epoch == producer.epoch;
        let valid = match now.state {
            Empty | Ongoing | Dead => same,
            PrepareCommit | PrepareAbort if rises => again,
            CompleteCommit | CompleteAbort if rises => again || same,
            _ => same,
        };
        if !valid {
            return Err(KafkaError::ProducerFenced);
        }
        let repeated = if rises { again } else { true };
        match (now.state, commit) {
            (Ongoing, _) => Ok(Ended::Prepare(self.decide(commit, at, version))),
            (CompleteCommit, true) | (CompleteAbort, false) if repeated => {
                Ok(Ended::Again(now.producer))
            }
            (PrepareCommit, true) | (PrepareAbort, false) => {
                Err(KafkaError::ConcurrentTransactions)
            }
            // Nothing was added, yet the producer may have sent something that failed: it aborts.
            (Empty | CompleteCommit | CompleteAbort, false) if rises && !again => {
                Ok(Ended::Prepare(self.decide(false, at, version)))
            }
            _ => Err(KafkaError::InvalidTxnState),
        }
    }

    fn decide(&self, commit: bool, at: Ms, version: u8) -> Metadata {
        let now = &self.now;
        let (epoch, last_epoch) = if version >= EPOCH_RISES {
            (
                now.producer.epoch.saturating_add(1),
                Some(now.producer.epoch),
            )
        } else {
            (now.producer.epoch, now.last_epoch)
        };
        let open = now.state == TransactionState::Ongoing;
        Metadata {
            producer: ProducerRef {
                epoch,
                ..now.producer
            },
            last_epoch,
            state: if commit {
                TransactionState::PrepareCommit
            } else {
                TransactionState::PrepareAbort
            },
            started: if open { now.started } else { Some(at) },
            version,
            ..now.clone()
        }
    }

    /// The coordinator aborts an open transaction of its own accord: the time is over (R-TXN-5) or
    /// another producer has come (R-TXN-3). The epoch rises in either version.
    pub fn abort_and_fence(&self, version: u8) -> Metadata {
        let mut to = self.decide(false, Ms(0), version);
        if version < EPOCH_RISES {
            to.producer.epoch = to.producer.epoch.saturating_add(1);
            to.last_epoch = None;
        }
        to
    }

    /// All markers are written.
    pub fn complete(&self) -> Metadata {
        Metadata {
            state: match self.now.state {
                TransactionState::PrepareCommit => TransactionState::CompleteCommit,
                _ => TransactionState::CompleteAbort,
            },
            partitions: Set::new(),
            ..self.now.clone()
        }
    }

    /// Whether the transaction has been open too long (R-TXN-5).
    pub fn is_timed_out(&self, at: Ms) -> bool {
        self.pending.is_none()
            && self.now.state == TransactionState::Ongoing
            && self
                .now
                .started
                .is_some_and(|start| start.plus(self.now.timeout) < at)
    }

    /// What was written is committed now; returns the state before.
    pub fn committed(&mut self) -> TransactionState {
        let before = self.now.state;
        if let Some(pending) = self.pending.take() {
            *self = Entry::read(pending);
        }
        before
    }
}

impl TransactionState {
    /// Whether the outcome is decided and markers are being written.
    pub fn is_prepared(self) -> bool {
        matches!(
            self,
            TransactionState::PrepareCommit | TransactionState::PrepareAbort
        )
    }
}
