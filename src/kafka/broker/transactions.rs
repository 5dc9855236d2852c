//! The broker as coordinator of transactions, and as a leader that writes markers (section E2).

use super::Broker;
use crate::kafka::message::Message;
use crate::kafka::out::Out;
use crate::kafka::transaction::message::TransactionRequest;

impl Broker {
    /// A request about a transaction.
    pub(super) fn serve_transaction(
        &mut self,
        _message: &Message,
        _request: &TransactionRequest,
        _out: &mut Out,
    ) {
    }
}
