//! What a transactional producer knows of its transactions (section E2), and its states.

use crate::kafka::client::finder::Finder;
use crate::kafka::error::KafkaError;
use crate::kafka::group::message::{CommitPart, CoordinatorKind, MemberRef};
use crate::kafka::ids::*;
use crate::kafka::map::Set;
use crate::kafka::transaction::EPOCH_RISES;
use std::collections::VecDeque;
use std::rc::Rc;

/// max.block.ms: how long a call waits at most, ms.
const MAX_BLOCK: Ms = Ms(60_000);

/// An exception out of a call about transactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransactionException {
    /// An error of Kafka's: fatal, or abortable (then only abortTransaction works).
    Kafka(KafkaError),
    /// CommitFailedException out of sendOffsetsToTransaction (R-COM-11).
    CommitFailed,
    /// IllegalStateException: no transactional.id, not initialised, none open.
    IllegalState,
    /// KafkaException: the client is in an error state after an earlier failure, its cause
    /// (R-TXN-7).
    InErrorState(ErrorCause),
}

/// What led into an error state, as far as a later call throws it wrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorCause {
    /// An error of Kafka's.
    Kafka(KafkaError),
    /// CommitFailedException out of sendOffsetsToTransaction.
    CommitFailed,
}

impl ErrorCause {
    /// As it was thrown where it happened.
    pub fn thrown(self) -> TransactionException {
        match self {
            ErrorCause::Kafka(error) => TransactionException::Kafka(error),
            ErrorCause::CommitFailed => TransactionException::CommitFailed,
        }
    }
}

/// The state of a transactional producer, as it sees itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProducerState {
    /// initTransactions() was not called.
    Uninitialized,
    /// It is being carried out.
    Initializing,
    /// No transaction is open.
    Ready,
    /// One is.
    InTransaction,
    /// Being committed.
    Committing,
    /// Being aborted.
    Aborting,
    /// Something failed: only abortTransaction() works.
    AbortableError,
    /// Nothing works any more.
    FatalError,
}

impl ProducerState {
    /// As Kafka's producer calls it.
    pub fn name(self) -> &'static str {
        match self {
            ProducerState::Uninitialized => "UNINITIALIZED",
            ProducerState::Initializing => "INITIALIZING",
            ProducerState::Ready => "READY",
            ProducerState::InTransaction => "IN_TRANSACTION",
            ProducerState::Committing => "COMMITTING_TRANSACTION",
            ProducerState::Aborting => "ABORTING_TRANSACTION",
            ProducerState::AbortableError => "ABORTABLE_ERROR",
            ProducerState::FatalError => "FATAL_ERROR",
        }
    }
}

/// What is to be asked of a coordinator, in this order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Ask {
    /// InitProducerId; `again`: for a higher epoch of the same id (transaction.version 1).
    Init { tag: Option<u32>, again: bool },
    /// AddPartitionsToTxn (transaction.version 1).
    AddPartitions,
    /// AddOffsetsToTxn (transaction.version 1).
    AddOffsets { group: Rc<str> },
    /// TxnOffsetCommit, to the group's coordinator.
    Offsets {
        tag: Option<u32>,
        group: Rc<str>,
        member: MemberRef,
        offsets: Vec<CommitPart>,
    },
    /// EndTxn.
    End { tag: Option<u32>, commit: bool },
}

impl Ask {
    pub fn tag(&mut self) -> Option<&mut Option<u32>> {
        match self {
            Ask::Init { tag, .. } | Ask::Offsets { tag, .. } | Ask::End { tag, .. } => Some(tag),
            Ask::AddPartitions | Ask::AddOffsets { .. } => None,
        }
    }
}

/// What a transactional producer knows of its transactions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Transactions {
    pub id: Rc<str>,
    pub state: ProducerState,
    /// transaction.version, as the coordinator told.
    pub version: u8,
    /// Something was sent in this transaction; else its end needs nobody (R-TXN-4).
    pub started: bool,
    /// transaction.version 1: partitions the coordinator has in the transaction, and those it is
    /// to be told.
    pub added: Set<Tp>,
    pub adding: Set<Tp>,
    pub queue: VecDeque<Ask>,
    /// The first of the queue is with a broker: until when its answer is waited for, ms.
    pub sent: Option<(Correlation, BrokerId, Ms)>,
    /// How often the first of the queue was tried, and when it may be again, ms.
    pub tries: u32,
    pub ready: Ms,
    pub coordinator: Finder,
    pub group: Option<Finder>,
    /// What put it into an error state.
    pub error: Option<ErrorCause>,
    /// A higher epoch has to be asked for after the abort (transaction.version 1).
    pub again: bool,
    /// Calls that wait, and until when, ms.
    pub open: Vec<(u32, Ms)>,
    pub done: Vec<(u32, Result<(), TransactionException>)>,
}

impl Transactions {
    pub fn new(id: Rc<str>) -> Self {
        Transactions {
            coordinator: Finder::new(CoordinatorKind::Transaction, id.clone()),
            id,
            state: ProducerState::Uninitialized,
            version: EPOCH_RISES,
            started: false,
            added: Set::new(),
            adding: Set::new(),
            queue: VecDeque::new(),
            sent: None,
            tries: 0,
            ready: Ms(0),
            group: None,
            error: None,
            again: false,
            open: Vec::new(),
            done: Vec::new(),
        }
    }

    /// Whether the epoch rises with every transaction (R-TXN-1).
    pub fn rises(&self) -> bool {
        self.version >= EPOCH_RISES
    }

    pub fn in_error(&self) -> bool {
        matches!(
            self.state,
            ProducerState::AbortableError | ProducerState::FatalError
        )
    }

    /// What a call throws in an error state: being fenced under its own name, the rest wrapped.
    pub fn thrown(&self) -> Option<TransactionException> {
        let cause = self.error.filter(|_| self.in_error())?;
        Some(match cause {
            ErrorCause::Kafka(KafkaError::ProducerFenced | KafkaError::InvalidProducerEpoch) => {
                cause.thrown()
            }
            _ => TransactionException::InErrorState(cause),
        })
    }

    /// The end of a call.
    pub fn answer(&mut self, tag: Option<u32>, result: Result<(), TransactionException>) {
        let Some(tag) = tag else { return };
        let waiting = self.open.len();
        self.open.retain(|(t, _)| *t != tag);
        if self.open.len() < waiting {
            self.done.push((tag, result));
        }
    }

    pub fn wait(&mut self, tag: u32, now: Ms) {
        self.open.push((tag, now.plus(MAX_BLOCK)));
    }

    pub fn refuse(&mut self, tag: u32, exception: TransactionException) {
        self.done.push((tag, Err(exception)));
    }
}
