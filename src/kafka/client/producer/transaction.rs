//! A transactional producer (section E2).

use super::Producer;
use crate::kafka::error::KafkaError;
use crate::kafka::group::message::{CommitPart, MemberRef};
use crate::kafka::out::Out;
use std::rc::Rc;

/// An exception out of a call about transactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransactionException {
    /// An error of Kafka's: fatal, or abortable (then only abortTransaction works).
    Kafka(KafkaError),
    /// CommitFailedException out of sendOffsetsToTransaction (R-COM-11).
    CommitFailed,
    /// IllegalStateException: no transactional.id, not initialised, none open.
    IllegalState,
    /// The client is in an error state after an earlier failure (R-TXN-7).
    InErrorState,
}

impl Producer {
    /// initTransactions(). `tag` comes back in [`calls`](Self::calls).
    pub fn init_transactions(&mut self, _tag: u32, _out: &mut Out) {}
    /// beginTransaction().
    ///
    /// # Errors
    /// IllegalState.
    pub fn begin_transaction(&mut self, _out: &mut Out) -> Result<(), TransactionException> {
        Err(TransactionException::IllegalState)
    }
    /// commitTransaction() or abortTransaction().
    pub fn end_transaction(&mut self, _tag: u32, _commit: bool, _out: &mut Out) {}
    /// sendOffsetsToTransaction().
    pub fn send_offsets(
        &mut self,
        _tag: u32,
        _group: Rc<str>,
        _member: MemberRef,
        _offsets: Vec<CommitPart>,
        _out: &mut Out,
    ) {
    }
    /// The calls that ended since the last look.
    pub fn calls(&mut self) -> Vec<(u32, Result<(), TransactionException>)> {
        Vec::new()
    }
    /// Whether a transaction is open, as this producer believes.
    pub fn in_transaction(&self) -> bool {
        false
    }
}
