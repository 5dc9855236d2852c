//! What comes of a command: replies, refusals, events.

use super::command::{Condition, PartitionName, Process, Ticket};
use crate::kafka::client::reset::ResetOutcome;
use crate::kafka::error::KafkaError;
use crate::kafka::event::Event;
use crate::kafka::group::message::{Committed, GroupAnswer};
use crate::kafka::ids::*;
use crate::kafka::message::{CurrentLeader, FoundOffset, NodeId};
use crate::kafka::transaction::message::ProducerRef;
use std::rc::Rc;

/// What a command was answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reply {
    /// Done; nothing to tell.
    Done,
    /// Records stored at these numbers (`None` under acks=0).
    Produced(Vec<Option<Offset>>),
    /// Refused or failed, and who leads if that was told.
    Failed(KafkaError, CurrentLeader),
    /// What a fetch returned.
    Fetched {
        /// High watermark of the broker asked.
        high_watermark: Boundary,
        /// Its last stable offset.
        last_stable: Boundary,
        /// Its log start.
        log_start: Boundary,
        /// Read from here instead.
        preferred_read_replica: Option<BrokerId>,
        /// (number, epoch, key, value)
        records: Vec<ReadRecord>,
    },
    /// What a poll returned.
    Polled {
        /// The records, by partition.
        records: Vec<(PartitionName, ReadRecord)>,
        /// The position afterwards, by partition.
        positions: Vec<(PartitionName, Option<Boundary>)>,
        /// The replica it reads from, if not the leader.
        preferred_read_replica: Option<BrokerId>,
        /// What it threw instead.
        exception: Option<PollException>,
    },
    /// What was looked up; `None`: nothing found.
    Offset(Option<FoundOffset>),
    /// A consumer's commit.
    Committed(Result<(), CommitException>),
    /// committed(): by partition.
    Offsets(Result<Vec<(PartitionName, Option<Committed>)>, KafkaError>),
    /// A call about transactions.
    Transaction(Result<(), TransactionException>),
    /// InitProducerId.
    Producer(ProducerRef),
    /// The answer to a request to a coordinator; partitions by number.
    Group(GroupAnswer),
    /// What the reset tool came to.
    Reset(ResetOutcome),
    /// The low watermark after DeleteRecords.
    LowWatermark(Boundary),
    /// Each partition asked for and what became of it.
    Elected(Vec<(PartitionName, Result<(), KafkaError>)>),
}

/// A record as a reader gets it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReadRecord {
    /// Its number.
    pub offset: Offset,
    /// Its leader epoch.
    pub epoch: Epoch,
    /// Its key.
    pub key: Option<Rc<str>>,
    /// Its value.
    pub value: Option<Rc<str>>,
}

pub use crate::kafka::client::consumer::{CommitException, PollException};
pub use crate::kafka::client::producer::{ErrorCause, TransactionException};

/// Why a command was not taken: what is wrong and what to do, for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No broker of this id in the scenario.
    NoSuchBroker(BrokerId),
    /// No topic or partition of this name.
    NoSuchPartition(PartitionName),
    /// A broker would have to be in another state for this.
    WrongState {
        /// Which broker.
        broker: BrokerId,
        /// The state it is in.
        is: Process,
    },
    /// A setting's name or value is not known.
    Config(crate::kafka::config::ConfigError),
    /// An `Until` ran out of time.
    TimeOut {
        /// What was waited for.
        condition: Condition,
        /// For how long, ms.
        waited: Ms,
    },
    /// A name is not that of a client of the right kind.
    NoSuchClient(Rc<str>),
    /// The client is there, but of another kind.
    OtherKind {
        /// The client.
        client: Rc<str>,
        /// It is a producer (else a consumer or one that sends single requests).
        producer: bool,
    },
    /// The client's process has ended.
    Ended {
        /// The client.
        client: Rc<str>,
        /// Without a word; else in good order.
        crashed: bool,
    },
    /// A consumer that subscribes cannot choose its partitions by hand, nor the other way about.
    OtherAssignment {
        /// The consumer.
        client: Rc<str>,
        /// It subscribes.
        subscribed: bool,
    },
    /// The partition is not assigned to the consumer.
    NotAssigned {
        /// The consumer.
        client: Rc<str>,
        /// The partition.
        partition: PartitionName,
    },
    /// A call about transactions that the producer throws IllegalStateException out of.
    OutOfTurn {
        /// The producer.
        client: Rc<str>,
        /// Its state as it sees itself; `None`: it has no transactional.id.
        state: Option<crate::kafka::client::producer::ProducerState>,
    },
    /// A consumer does not have this partition, or has not got that far in it.
    NotReceived {
        /// The consumer.
        client: Rc<str>,
        /// The partition.
        partition: PartitionName,
        /// Its position (boundary), if it has the partition.
        position: Option<Boundary>,
    },
    /// A subscription or a group commit without `group.id`.
    NoGroup(Rc<str>),
    /// There is no message to deliver, hold or lose there.
    NoMessage {
        /// From.
        from: NodeId,
        /// To.
        to: NodeId,
    },
    /// So much happens at this moment that the clock does not get on: messages without delay go
    /// round in a circle.
    StandsStill {
        /// The moment, ms.
        at: Ms,
    },
    /// The command is for a world without a clock (or with one).
    WrongMode,
}

/// What came of applying a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// The command's number.
    pub ticket: Option<Ticket>,
    /// What happened while it was carried out.
    pub events: Vec<Event>,
}
