//! What nodes send each other. A request, its handling and its answer are three separate things,
//! each of which may be delayed or lost.

use super::batch::{Batch, NewBatch};
use super::error::KafkaError;
use super::event::Cause;
use super::group::message::{GroupAnswer, GroupRequest};
use super::ids::*;
use super::metadata::{Image, MetaRecord, PartitionReg, Recovery};
use super::transaction::message::{TransactionAnswer, TransactionRequest};
use std::rc::Rc;

/// A party that sends and takes messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeId {
    /// The controller.
    Controller,
    /// A broker.
    Broker(BrokerId),
    /// A client of the scenario.
    Client(ClientId),
}

/// A message on its way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// Ties request and answer.
    pub correlation: Correlation,
    /// Who sent it.
    pub from: NodeId,
    /// Whom it is for.
    pub to: NodeId,
    /// What it says.
    pub body: Body,
    /// The event that made it be sent.
    pub cause: Cause,
}

/// acks of a produce request (R-ACK-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Acks {
    /// 0: nobody answers.
    None,
    /// 1: the leader answers after its own append.
    Leader,
    /// all (-1): the leader answers when the high watermark has passed the records.
    All,
}

impl Acks {
    /// As written in a producer's settings: `0`, `1`, `all` (or `-1`).
    pub fn parse(text: &str) -> Option<Acks> {
        match text {
            "0" => Some(Acks::None),
            "1" => Some(Acks::Leader),
            "all" | "-1" => Some(Acks::All),
            _ => None,
        }
    }
    /// `0`, `1` or `all`.
    pub fn as_str(self) -> &'static str {
        match self {
            Acks::None => "0",
            Acks::Leader => "1",
            Acks::All => "all",
        }
    }
}

/// Who fetches.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Asker {
    /// A follower.
    Replica {
        /// Its id.
        id: BrokerId,
        /// Its broker epoch; `None` is Kafka's -1 (no check).
        epoch: Option<BrokerEpoch>,
    },
    /// A consumer.
    Consumer {
        /// client.rack
        rack: Option<Rc<str>>,
        /// Fetch v11 or newer: may read from a follower (R-FFR-4).
        modern: bool,
        /// isolation.level=read_committed
        read_committed: bool,
    },
}

/// One partition of a fetch request (R-REP-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FetchPart {
    /// Which partition.
    pub tp: Tp,
    /// The boundary asked from: a follower's log end, a consumer's position.
    pub offset: Boundary,
    /// A follower's log start.
    pub log_start: Boundary,
    /// The leader epoch the asker believes in; `None`: no check.
    pub current_leader_epoch: Option<Epoch>,
    /// The epoch of the last record the asker has; `None`: none.
    pub last_fetched_epoch: Option<Epoch>,
}

/// A fetch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FetchRequest {
    /// Who asks.
    pub asker: Asker,
    /// For which partitions.
    pub parts: Vec<FetchPart>,
    /// How long the broker may hold the request, ms.
    pub max_wait: Ms,
    /// How many bytes of one partition the answer carries at most; the first batch always.
    pub max_bytes: i64,
    /// How much it should gather meanwhile, in records (Kafka: bytes; 1 = anything).
    pub min_records: u32,
}

/// What a broker reads for one partition of a fetch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fetched {
    /// The batches from the one that holds the asked boundary.
    pub batches: Vec<Batch>,
    /// The broker's high watermark when it read, before it took note of this fetch (R-REP-5).
    pub high_watermark: Boundary,
    /// Its last stable offset.
    pub last_stable: Boundary,
    /// Its log start.
    pub log_start: Boundary,
    /// For a read_committed consumer: the aborted transactions that reach into what was read, each
    /// with its producer and its first record (R-ISO-1).
    pub aborted: Vec<(i64, Offset)>,
    /// The asker's log has to be cut: (largest common epoch, where that epoch ends here), R-TRU-1.
    pub diverging: Option<(Epoch, Boundary)>,
    /// A consumer should read from this replica instead (R-FFR-2).
    pub preferred_read_replica: Option<BrokerId>,
}

/// The answer for one partition of a fetch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FetchedPart {
    /// Which partition.
    pub tp: Tp,
    /// The boundary that was asked for.
    pub offset: Boundary,
    /// What was read.
    pub result: Result<Fetched, KafkaError>,
}

/// Who leads, told with an error (R-ACK-9).
pub type CurrentLeader = Option<(BrokerId, Epoch)>;

/// What ListOffsets found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FoundOffset {
    /// The boundary.
    pub at: Boundary,
    /// The leader epoch there.
    pub leader_epoch: Option<Epoch>,
    /// The time stamp of the record found, ms; `None` (Kafka's -1) where none was looked for.
    pub timestamp: Option<Ms>,
}

impl FoundOffset {
    /// A boundary alone.
    pub fn at(at: Boundary) -> Self {
        FoundOffset {
            at,
            leader_epoch: None,
            timestamp: None,
        }
    }
}

/// What to look up by ListOffsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OffsetSpec {
    /// -2: log start.
    Earliest,
    /// -1: the end as the asker may see it.
    Latest,
    /// -3: the record with the largest time stamp.
    MaxTimestamp,
    /// The first record at or after this time, ms.
    Timestamp(Ms),
}

/// Isolation of a lookup (R-LST-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Isolation {
    /// A replica or debug lookup: up to the log end.
    LogEnd,
    /// read_uncommitted: up to the high watermark.
    ReadUncommitted,
    /// read_committed: up to the last stable offset.
    ReadCommitted,
}

/// What the controller tells a broker in a heartbeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeartbeatState {
    /// Still fenced.
    pub fenced: bool,
    /// Has applied its own registration.
    pub caught_up: bool,
    /// May stop now.
    pub should_shut_down: bool,
}

/// The ISR the controller has accepted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AlteredPartition {
    /// The partition's state after the change.
    pub reg: Rc<PartitionReg>,
}

/// What a message says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    /// A broker registers with the controller (R-FEN-5, R-FEN-8).
    Register {
        /// Which start of the broker this is.
        incarnation: u32,
        /// The epoch of the registration that ended cleanly; `None` after a crash.
        previous_epoch: Option<BrokerEpoch>,
        /// broker.rack
        rack: Option<Rc<str>>,
        /// Its log directory is new (empty disk).
        new_directory: bool,
    },
    /// The broker epoch given, or the refusal.
    Registered(Result<BrokerEpoch, KafkaError>),
    /// A broker's heartbeat.
    Heartbeat {
        /// Its broker epoch.
        epoch: BrokerEpoch,
        /// How far it has applied the metadata log.
        metadata_offset: MetaOffset,
        /// It does not want to be unfenced.
        want_fence: bool,
        /// It asks to stop.
        want_shut_down: bool,
    },
    /// The controller's answer.
    HeartbeatAnswer(Result<HeartbeatState, KafkaError>),
    /// A leader asks to change the ISR (R-ALT-1).
    AlterPartition {
        /// The leader's broker epoch.
        broker_epoch: BrokerEpoch,
        /// Which partition.
        tp: Tp,
        /// The leader's leader epoch.
        leader_epoch: Epoch,
        /// The partition epoch it changes.
        partition_epoch: PartitionEpoch,
        /// The new ISR, each with the broker epoch the leader saw (`None`: no check, KIP-903 off).
        isr: Vec<(BrokerId, Option<BrokerEpoch>)>,
        /// The recovery state asked for.
        recovery: Recovery,
    },
    /// The controller's answer.
    AlterPartitionAnswer {
        /// Which partition.
        tp: Tp,
        /// The new state, or the refusal.
        result: Result<AlteredPartition, KafkaError>,
    },
    /// A replica got a new log directory: the controller notes it (AssignReplicasToDirs).
    AssignDirectory {
        /// The broker's epoch.
        broker_epoch: BrokerEpoch,
        /// Which partition.
        tp: Tp,
    },
    /// Its answer.
    AssignDirectoryAnswer,
    /// A broker fetches the metadata log behind an offset; the controller holds the request until
    /// there is something.
    MetaFetch {
        /// The offset of the last record the broker has.
        after: MetaOffset,
    },
    /// Metadata records in order, each with the image after it.
    MetaAnswer(Vec<(MetaRecord, Rc<Image>)>),
    /// A fetch by a follower or a consumer.
    Fetch(FetchRequest),
    /// The answer to a fetch.
    FetchAnswer(Vec<FetchedPart>),
    /// A produce request: one batch for one partition.
    Produce {
        /// Which partition.
        tp: Tp,
        /// The batch.
        batch: NewBatch,
        /// transactional.id, if the batch belongs to a transaction.
        transactional_id: Option<Rc<str>>,
        /// acks
        acks: Acks,
        /// How long the broker may wait for replication, ms.
        timeout: Ms,
    },
    /// The answer to a produce.
    ProduceAnswer {
        /// Which partition.
        tp: Tp,
        /// The number of the batch's first record, or the error.
        result: Result<Offset, KafkaError>,
        /// Who leads, with a leadership error.
        current_leader: CurrentLeader,
    },
    /// ListOffsets for one partition.
    ListOffsets {
        /// Which partition.
        tp: Tp,
        /// What is looked up.
        spec: OffsetSpec,
        /// How far the asker may see.
        isolation: Isolation,
        /// The leader epoch the asker believes in.
        current_leader_epoch: Option<Epoch>,
    },
    /// Its answer: `None` where nothing was found (Kafka's -1).
    ListOffsetsAnswer {
        /// Which partition.
        tp: Tp,
        /// What was looked up.
        spec: OffsetSpec,
        /// What was found.
        result: Result<Option<FoundOffset>, KafkaError>,
    },
    /// OffsetsForLeaderEpoch for one partition.
    EpochEnd {
        /// Which partition.
        tp: Tp,
        /// The leader epoch the asker believes in.
        current_leader_epoch: Option<Epoch>,
        /// The epoch asked about.
        epoch: Epoch,
    },
    /// Its answer: `None` where the epoch is unknown (R-EPC-2).
    EpochEndAnswer {
        /// Which partition.
        tp: Tp,
        /// The largest epoch not above the one asked for, and where it ends.
        result: Result<Option<(Epoch, Boundary)>, KafkaError>,
    },
    /// DeleteRecords for one partition.
    DeleteRecords {
        /// Which partition.
        tp: Tp,
        /// Records below this boundary go; -1 is "up to the high watermark".
        before: Boundary,
        /// How long to wait for the followers, ms.
        timeout: Ms,
    },
    /// Its answer: the low watermark.
    DeleteRecordsAnswer {
        /// Which partition.
        tp: Tp,
        /// The low watermark, or the error.
        result: Result<Boundary, KafkaError>,
    },
    /// A client asks who leads what.
    Metadata,
    /// The broker's own image.
    MetadataAnswer(Rc<Image>),
    /// A request about a group, to its coordinator.
    Group(GroupRequest),
    /// Its answer.
    GroupAnswer(GroupAnswer),
    /// A request about a transaction.
    Transaction(TransactionRequest),
    /// Its answer.
    TransactionAnswer(TransactionAnswer),
    /// A broker asks the controller to make a partition of an internal topic. Kafka makes all 50
    /// at once; here only those are made that some name of the scenario leads to, the others
    /// being empty for ever.
    CreateInternal {
        /// `__consumer_offsets` or `__transaction_state`.
        topic: Rc<str>,
        /// Which partition.
        partition: u16,
    },
    /// Its answer; the partition itself comes with the metadata.
    CreateInternalAnswer,
    /// Not a message: the connection broke before an answer came (the far side died).
    Disconnected,
}

impl Body {
    /// Whether this is a request (and so expects an answer).
    pub fn is_request(&self) -> bool {
        matches!(
            self,
            Body::Register { .. }
                | Body::Heartbeat { .. }
                | Body::AlterPartition { .. }
                | Body::AssignDirectory { .. }
                | Body::MetaFetch { .. }
                | Body::Fetch(_)
                | Body::Produce { .. }
                | Body::ListOffsets { .. }
                | Body::EpochEnd { .. }
                | Body::DeleteRecords { .. }
                | Body::Metadata
                | Body::Group(_)
                | Body::Transaction(_)
                | Body::CreateInternal { .. }
        )
    }
}
