//! Requests to a coordinator of transactions, and those it sends to leaders; their answers.

use crate::kafka::error::KafkaError;
use crate::kafka::ids::*;
use std::rc::Rc;

/// A producer id and its epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProducerRef {
    /// The producer id.
    pub id: i64,
    /// The producer epoch.
    pub epoch: i16,
}

/// A request about transactions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TransactionRequest {
    /// InitProducerId (R-TXN-3); without a transactional id any broker answers.
    InitProducer {
        /// The transactional id.
        transactional_id: Option<Rc<str>>,
        /// transaction.timeout.ms
        timeout: Ms,
        /// The producer it was before, if it asks for a higher epoch of the same id.
        current: Option<ProducerRef>,
    },
    /// AddPartitionsToTxn. With transaction.version 2 the leader of a partition sends it before
    /// it appends the transaction's first batch.
    AddPartitions {
        /// The transactional id.
        transactional_id: Rc<str>,
        /// The producer.
        producer: ProducerRef,
        /// Partitions, also of `__consumer_offsets`.
        partitions: Vec<Tp>,
    },
    /// AddOffsetsToTxn: the partition of `__consumer_offsets` that a group belongs to, with
    /// transaction.version 1.
    AddOffsets {
        /// The transactional id.
        transactional_id: Rc<str>,
        /// The producer.
        producer: ProducerRef,
        /// The group.
        group: Rc<str>,
    },
    /// EndTxn.
    End {
        /// The transactional id.
        transactional_id: Rc<str>,
        /// The producer.
        producer: ProducerRef,
        /// COMMIT rather than ABORT.
        commit: bool,
    },
    /// WriteTxnMarkers: from the coordinator to a leader.
    WriteMarkers {
        /// The producer; the epoch is the marker's (R-TXN-1).
        producer: ProducerRef,
        /// COMMIT rather than ABORT.
        commit: bool,
        /// transaction.version the transaction ran with.
        version: u8,
        /// Where.
        partitions: Vec<Tp>,
    },
    /// DescribeTransactions.
    Describe {
        /// The transactional id.
        transactional_id: Rc<str>,
    },
}

impl TransactionRequest {
    /// As Kafka's protocol calls it.
    pub fn name(&self) -> &'static str {
        match self {
            TransactionRequest::InitProducer { .. } => "InitProducerId",
            TransactionRequest::AddPartitions { .. } => "AddPartitionsToTxn",
            TransactionRequest::AddOffsets { .. } => "AddOffsetsToTxn",
            TransactionRequest::End { .. } => "EndTxn",
            TransactionRequest::WriteMarkers { .. } => "WriteTxnMarkers",
            TransactionRequest::Describe { .. } => "DescribeTransactions",
        }
    }
}

/// The state of a transaction at its coordinator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TransactionState {
    /// Nothing since the last one, or never any.
    Empty,
    /// Open.
    Ongoing,
    /// COMMIT decided; markers are being written.
    PrepareCommit,
    /// ABORT decided; markers are being written.
    PrepareAbort,
    /// Committed, markers written.
    CompleteCommit,
    /// Aborted, markers written.
    CompleteAbort,
    /// The id is expired.
    Dead,
}

impl TransactionState {
    /// As Kafka's tools print it.
    pub fn name(self) -> &'static str {
        match self {
            TransactionState::Empty => "Empty",
            TransactionState::Ongoing => "Ongoing",
            TransactionState::PrepareCommit => "PrepareCommit",
            TransactionState::PrepareAbort => "PrepareAbort",
            TransactionState::CompleteCommit => "CompleteCommit",
            TransactionState::CompleteAbort => "CompleteAbort",
            TransactionState::Dead => "Dead",
        }
    }
}

/// A transactional id as its coordinator describes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TransactionView {
    /// The transactional id.
    pub transactional_id: Rc<str>,
    /// The state.
    pub state: TransactionState,
    /// The producer.
    pub producer: ProducerRef,
    /// The partitions of the open transaction, sorted.
    pub partitions: Vec<Tp>,
}

/// The answer to a [`TransactionRequest`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TransactionAnswer {
    /// InitProducerId.
    Init {
        /// The producer.
        result: Result<ProducerRef, KafkaError>,
        /// transaction.version of the cluster (ApiVersions tells a client).
        version: u8,
    },
    /// AddPartitionsToTxn.
    Added(Result<(), KafkaError>),
    /// EndTxn: the producer to go on with (transaction.version 2).
    Ended(Result<ProducerRef, KafkaError>),
    /// WriteTxnMarkers: by partition.
    MarkersWritten(Vec<(Tp, Result<(), KafkaError>)>),
    /// DescribeTransactions.
    Described(Result<TransactionView, KafkaError>),
}
