//! The state of a world as plain data: what views, conditions and comparisons read. A picture is
//! a copy; nothing in it decides anything.

use super::command::{PartitionName, Process};
pub use super::consumer_node::Life;
use crate::kafka::batch::Control;
use crate::kafka::client::producer::ProducerState;
use crate::kafka::client::settings::{GroupProtocol, OffsetReset, ProducerSettings};
use crate::kafka::error::KafkaError;
use crate::kafka::event::{EventId, HwTerm};
use crate::kafka::group::message::{Committed, GroupView};
use crate::kafka::ids::*;
use crate::kafka::message::{Acks, NodeId};
use crate::kafka::metadata::{Image, PartitionReg};
use crate::kafka::transaction::message::{ProducerRef, TransactionView};
use std::rc::Rc;

/// A world at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Virtual time, ms since the start.
    pub now: Ms,
    /// Partitions as the controller holds them, by name.
    pub partitions: Vec<PartitionPicture>,
    /// All brokers of the scenario by id, also those that are down.
    pub brokers: Vec<BrokerPicture>,
    /// The controller's own image (the truth about leadership).
    pub controller: Rc<Image>,
    /// Clients in order of appearance.
    pub clients: Vec<ClientPicture>,
    /// What applications keep outside Kafka, by name.
    pub stores: Vec<StorePicture>,
    /// Transactional ids as their coordinators describe them, by id.
    pub transactions: Vec<TransactionPicture>,
    /// Messages on their way or held, the oldest first.
    pub messages: Vec<MessagePicture>,
    /// Confirmed records that no present or future clean leader holds any more.
    pub lost: Vec<LostRecord>,
    /// Groups, as the coordinator that leads now holds them.
    pub groups: Vec<GroupPicture>,
    /// Invariants that do not hold (none, unless a historic switch is off): id and sentence.
    pub violations: Vec<(&'static str, Rc<str>)>,
}

/// A group. A coordinator that is down, or still reading its log, tells of none.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupPicture {
    /// The broker that leads the group's partition of `__consumer_offsets`.
    pub coordinator: BrokerId,
    /// The group; its commits are those below that partition's high watermark.
    pub view: GroupView,
}

/// A partition as the controller holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionPicture {
    /// Which.
    pub tp: Tp,
    /// Its name.
    pub name: PartitionName,
    /// The registration: replicas, ISR, ELR, leader, epochs.
    pub reg: Rc<PartitionReg>,
    /// Effective min.insync.replicas (R-HW-14).
    pub min_isr: u32,
}

/// A broker.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokerPicture {
    /// Its id.
    pub id: BrokerId,
    /// Its process.
    pub process: Process,
    /// broker.rack
    pub rack: Option<Rc<str>>,
    /// Whether the controller holds it fenced; `None`: it never registered.
    pub fenced: Option<bool>,
    /// Granted a controlled shutdown that has not ended.
    pub in_controlled_shutdown: bool,
    /// Broker and controller cannot reach each other.
    pub cut_from_controller: bool,
    /// What the broker itself believes (its metadata image); `None` while it is down.
    pub image: Option<Rc<Image>>,
    /// Its replicas, by partition. Of a broker that is down: what is on its disk.
    pub replicas: Vec<ReplicaPicture>,
}

/// One replica of a partition.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplicaPicture {
    /// Of which partition.
    pub tp: Tp,
    /// What this broker believes it is for the partition.
    pub role: RolePicture,
    /// The leader epoch it is in.
    pub leader_epoch: Epoch,
    /// Log start (boundary).
    pub log_start: Boundary,
    /// Log end, LEO (boundary).
    pub log_end: Boundary,
    /// Its own high watermark (boundary).
    pub high_watermark: Boundary,
    /// Its last stable offset (boundary).
    pub last_stable: Boundary,
    /// The high watermark in its checkpoint file (boundary).
    pub checkpointed_high_watermark: Boundary,
    /// Its leader epoch cache: (epoch, first boundary of the epoch).
    pub epochs: Vec<(Epoch, Boundary)>,
    /// Where its oldest open or not yet replicated transaction begins (boundary, R-LSO-2).
    pub first_unstable: Option<Boundary>,
    /// Its segments, the oldest first: where each begins (boundary), and its bytes.
    pub segments: Vec<(Boundary, i64)>,
    /// How far the cleaner has come (boundary); `None`: never here (R-CMP-1).
    pub cleaned_to: Option<Boundary>,
    /// Batches that compaction has left without records: first and last number (R-CMP-7).
    pub empty_batches: Vec<(Offset, Offset)>,
    /// Its records in order, also those below the log start that are still in a file.
    pub records: Vec<RecordPicture>,
    /// The records that were cut from it by the last truncation, until it appends again at their
    /// place: what a drawing shows going.
    pub cut: Vec<RecordPicture>,
}

/// What a replica is, in its own belief.
#[derive(Clone, Debug, PartialEq)]
pub enum RolePicture {
    /// It leads.
    Leader(LeaderPicture),
    /// It follows; `None`: it knows no leader.
    Follower(Option<BrokerId>),
    /// Its broker is down.
    Down,
}

/// What a leader counts with.
#[derive(Clone, Debug, PartialEq)]
pub struct LeaderPicture {
    /// The ISR it holds for accepted.
    pub isr: BrokerSet,
    /// The ISR with a change under way (R-HW-12).
    pub maximal_isr: BrokerSet,
    /// The ISR it has asked for, while unanswered.
    pub asked: Option<BrokerSet>,
    /// The log end when it became leader.
    pub epoch_start: Boundary,
    /// The other replicas as their fetches told.
    pub remotes: Vec<RemotePicture>,
    /// The terms of the high watermark at present.
    pub terms: Vec<HwTerm>,
    /// Produce requests that wait, and the boundary the high watermark must reach.
    pub waiting: Vec<(ClientId, Boundary)>,
}

/// A follower in its leader's eyes.
#[derive(Clone, Debug, PartialEq)]
pub struct RemotePicture {
    /// Which broker.
    pub broker: BrokerId,
    /// Its log end by its last fetch; `None`: not fetched in this epoch.
    pub log_end: Option<Boundary>,
    /// Caught up by R-LDR-4.
    pub caught_up: bool,
}

/// A record.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordPicture {
    /// Its number.
    pub offset: Offset,
    /// Its leader epoch.
    pub epoch: Epoch,
    /// Its time stamp, ms.
    pub timestamp: Ms,
    /// Its key.
    pub key: Option<Rc<str>>,
    /// Its value; `None` is a tombstone.
    pub value: Option<Rc<str>>,
    /// A transaction marker.
    pub control: Option<Control>,
    /// Idempotent producer: (producer id, producer epoch, sequence of this record).
    pub stamp: Option<(i64, i16, i32)>,
    /// Whether it belongs to a transaction.
    pub transactional: bool,
    /// Whether the cleaner has set a time after which its batch's tombstones and markers go
    /// (R-CMP-5).
    pub delete_horizon: bool,
}

/// A client.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientPicture {
    /// Its number.
    pub id: ClientId,
    /// Its name.
    pub name: Rc<str>,
    /// What kind it is.
    pub kind: ClientKind,
}

/// A transactional id at the broker that coordinates it.
#[derive(Clone, Debug, PartialEq)]
pub struct TransactionPicture {
    /// The broker.
    pub coordinator: BrokerId,
    /// What it would describe.
    pub view: TransactionView,
}

/// What a transactional producer believes of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct ProducerTransaction {
    /// transactional.id
    pub id: Rc<str>,
    /// Its state.
    pub state: ProducerState,
    /// What its coordinator gave it; `None` before initTransactions().
    pub producer: Option<ProducerRef>,
}

/// Kinds of client.
#[derive(Clone, Debug, PartialEq)]
pub enum ClientKind {
    /// A producer.
    Producer {
        /// With transactional.id: its transactions.
        transaction: Option<ProducerTransaction>,
        /// Its settings.
        settings: ProducerSettings,
        /// The leader it knows for each partition it writes to.
        leaders: Vec<(Tp, Option<BrokerId>)>,
        /// What it has sent, in order.
        sends: Vec<SendPicture>,
    },
    /// A consumer.
    Consumer {
        /// Position by partition; `None`: none yet.
        positions: Vec<(Tp, Option<Boundary>)>,
        /// Records it was given, in order.
        received: Vec<(Tp, Offset, Option<Rc<str>>)>,
        /// Reads from this replica instead of the leader.
        preferred_read_replica: Option<BrokerId>,
        /// Its group, and what the application beside it has done.
        member: Box<MemberPicture>,
    },
    /// Requests written straight to brokers.
    Raw {
        /// What it has sent, in order.
        sends: Vec<SendPicture>,
    },
}

/// A consumer as a member of its group, and the application beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberPicture {
    /// Whether its process runs.
    pub life: Life,
    /// group.id
    pub group: Option<Rc<str>>,
    /// group.protocol
    pub protocol: GroupProtocol,
    /// isolation.level=read_committed
    pub read_committed: bool,
    /// auto.offset.reset
    pub offset_reset: OffsetReset,
    /// Whether it takes partitions by subscription rather than by hand.
    pub subscribed: bool,
    /// The member id it has; `None`: it is in no group.
    pub id: Option<Rc<str>>,
    /// Its generation (classic) or member epoch; -1: none.
    pub generation: i32,
    /// Partitions it has.
    pub assignment: Vec<Tp>,
    /// Those of them that it does not fetch for the time being.
    pub paused: Vec<Tp>,
    /// The application's next position to process (boundary). Kafka does not know it.
    pub processed_next: Vec<(Tp, Boundary)>,
    /// The metric records-lag; `None`: no fetch was answered yet.
    pub records_lag: Vec<(Tp, Option<i64>)>,
    /// The metric records-lead; `None`: no fetch was answered yet.
    pub records_lead: Vec<(Tp, Option<i64>)>,
    /// What is committed (next positions), as this client last sent or heard it.
    pub committed: Vec<(Tp, Committed)>,
}

/// What an application keeps outside Kafka: by group, or by its consumer's name without one.
#[derive(Clone, Debug, PartialEq)]
pub struct StorePicture {
    /// The group or the consumer.
    pub name: Rc<str>,
    /// Effects of its processing, in order of the first time.
    pub effects: Vec<EffectPicture>,
    /// Its own checkpoint: the next position (boundary) by partition.
    pub outside: Vec<(Tp, Boundary)>,
}

/// An effect of processing a record.
#[derive(Clone, Debug, PartialEq)]
pub struct EffectPicture {
    /// The record's partition.
    pub tp: Tp,
    /// Its number when it was first processed.
    pub offset: Offset,
    /// What the effect is known by: the record's value.
    pub key: Rc<str>,
    /// How often it took place.
    pub times: u32,
}

/// One send of a producer.
#[derive(Clone, Debug, PartialEq)]
pub struct SendPicture {
    /// To which partition.
    pub tp: Tp,
    /// The values.
    pub values: Vec<Option<Rc<str>>>,
    /// acks
    pub acks: Acks,
    /// When it was handed over, ms.
    pub at: Ms,
    /// How often it was sent.
    pub attempts: u32,
    /// How it stands.
    pub state: SendState,
}

/// How a send stands, as the producer sees it.
#[derive(Clone, Debug, PartialEq)]
pub enum SendState {
    /// Not sent yet (linger, no leader known, or waiting to try again after this error).
    Queued(Option<KafkaError>),
    /// Sent to this broker; no answer yet.
    InFlight(BrokerId),
    /// Confirmed at this number of its first record (`None` under acks=0), at this time.
    Confirmed(Option<Offset>, Ms),
    /// Failed for good, at this time.
    Failed(KafkaError, Ms),
}

/// A message on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct MessagePicture {
    /// From.
    pub from: NodeId,
    /// To.
    pub to: NodeId,
    /// When it will arrive, ms; `None`: held, or lying in a frozen process's socket.
    pub due: Option<Ms>,
    /// What it is: `Fetch`, `FetchAnswer`, `Produce`, ... (the name in the protocol).
    pub what: &'static str,
    /// Partition and boundary it is about, if it is about one.
    pub about: Option<(Tp, Boundary)>,
    /// How many records it carries.
    pub records: u32,
    /// The event that sent it.
    pub cause: Option<EventId>,
}

/// A confirmed record that is gone.
#[derive(Clone, Debug, PartialEq)]
pub struct LostRecord {
    /// Of which partition.
    pub tp: Tp,
    /// Its number.
    pub offset: Offset,
    /// Its value.
    pub value: Option<Rc<str>>,
    /// Brokers whose disk still holds it, if any (dead, or about to cut it).
    pub still_on: BrokerSet,
}

impl Picture {
    /// The partition of this name.
    pub fn partition(&self, name: &PartitionName) -> Option<&PartitionPicture> {
        self.partitions.iter().find(|p| p.name == *name)
    }
    /// The broker of this id.
    pub fn broker(&self, id: BrokerId) -> Option<&BrokerPicture> {
        self.brokers.iter().find(|b| b.id == id)
    }
    /// The group of this name.
    pub fn group(&self, name: &str) -> Option<&GroupPicture> {
        self.groups.iter().find(|g| &*g.view.group == name)
    }
    /// The replica of a partition on a broker.
    pub fn replica(&self, id: BrokerId, tp: Tp) -> Option<&ReplicaPicture> {
        self.broker(id)?.replicas.iter().find(|r| r.tp == tp)
    }
}
