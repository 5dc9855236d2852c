//! The one list of things that can be done to a world. Scenes, tests, links and the search use
//! it alike; every choice (which message goes next, what a lossy crash keeps) is a field here.

use crate::kafka::batch::NewRecord;
use crate::kafka::client::settings::{ConsumerSettings, ProducerSettings};
use crate::kafka::error::KafkaError;
use crate::kafka::event::Event;
use crate::kafka::ids::*;
use crate::kafka::map::Map;
use crate::kafka::message::{Acks, CurrentLeader, Isolation, NodeId, OffsetSpec};
use std::rc::Rc;

/// A partition by name, as an author writes it: `orders-0`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartitionName {
    /// The topic's name.
    pub topic: Rc<str>,
    /// The partition's number.
    pub partition: u16,
}

/// What a crash leaves on a broker's disk.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Keep {
    /// Everything that was written (a killed process; the page cache survives).
    Everything,
    /// Of each named partition only the records below this boundary (lost power); of the others
    /// everything.
    Below(Map<PartitionName, Boundary>),
}

/// Something to be done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    // --- administrator ---
    /// Creates a topic with this assignment (one list of brokers a partition).
    CreateTopic {
        /// Its name.
        name: Rc<str>,
        /// Brokers of each partition, the preferred leader first.
        assignment: Vec<Vec<BrokerId>>,
        /// Its settings by Kafka's names.
        config: Vec<(Rc<str>, Rc<str>)>,
    },
    /// Sets (`None`: takes back) a topic's setting.
    AlterTopicConfig {
        /// The topic.
        topic: Rc<str>,
        /// The setting.
        name: Rc<str>,
        /// Its value.
        value: Option<Rc<str>>,
    },
    /// Sets (`None`: takes back) a broker's dynamic setting.
    AlterBrokerConfig {
        /// The broker.
        broker: BrokerId,
        /// The setting.
        name: Rc<str>,
        /// Its value.
        value: Option<Rc<str>>,
    },
    /// ElectLeaders.
    ElectLeaders {
        /// UNCLEAN rather than PREFERRED.
        unclean: bool,
        /// For these; `None`: for all.
        partitions: Option<Vec<PartitionName>>,
    },
    /// Reassigns a partition, or (`None`) cancels a reassignment.
    Reassign {
        /// Which.
        partition: PartitionName,
        /// The target replicas in order.
        replicas: Option<Vec<BrokerId>>,
    },
    /// DeleteRecords, sent to the leader.
    DeleteRecords {
        /// Which partition.
        partition: PartitionName,
        /// Below this boundary; -1: up to the high watermark.
        before: Boundary,
        /// How long to wait for all replicas, ms.
        timeout: Ms,
    },

    // --- machines ---
    /// Kills a broker's process.
    Kill {
        /// Which.
        broker: BrokerId,
        /// What its disk keeps.
        keep: Keep,
    },
    /// Tells a broker to shut down in good order.
    Shutdown {
        /// Which.
        broker: BrokerId,
    },
    /// Starts a broker that is down.
    Start {
        /// Which.
        broker: BrokerId,
    },
    /// Stops a broker's process without ending it (SIGSTOP).
    Freeze {
        /// Which.
        broker: BrokerId,
    },
    /// Lets it run again.
    Thaw {
        /// Which.
        broker: BrokerId,
    },
    /// Gives a dead broker an empty disk.
    NewDisk {
        /// Which.
        broker: BrokerId,
    },

    // --- network ---
    /// Messages from one node to the other no longer arrive.
    Cut {
        /// From.
        from: NodeId,
        /// To.
        to: NodeId,
    },
    /// They arrive again.
    Heal {
        /// From.
        from: NodeId,
        /// To.
        to: NodeId,
    },
    /// Messages from one node to the other take this long from now on, ms.
    Delay {
        /// From.
        from: NodeId,
        /// To.
        to: NodeId,
        /// How long.
        delay: Ms,
    },
    /// Answers to this broker's fetches take this much longer, ms (a slow link of a follower).
    DelayFetchAnswers {
        /// The follower.
        broker: BrokerId,
        /// How much longer.
        delay: Ms,
    },
    /// Messages from one node to the other are kept back, in order, until released.
    Hold {
        /// From.
        from: NodeId,
        /// To.
        to: NodeId,
    },
    /// Lets the held messages go, and later ones pass.
    Release {
        /// From.
        from: NodeId,
        /// To.
        to: NodeId,
    },
    /// Loses the oldest message on its way (or held) from one node to the other.
    Lose {
        /// From.
        from: NodeId,
        /// To.
        to: NodeId,
    },

    // --- clients ---
    /// Names a producer and its settings.
    Producer {
        /// Its name.
        client: Rc<str>,
        /// Its settings.
        settings: ProducerSettings,
    },
    /// A producer sends records (one batch).
    Produce {
        /// Which producer; one with default settings is made if there is none of this name.
        client: Rc<str>,
        /// Where to.
        partition: PartitionName,
        /// What.
        records: Vec<NewRecord>,
    },
    /// A produce request written straight to a broker, without a producer's metadata and retries.
    ProduceRaw {
        /// A name for the requester.
        client: Rc<str>,
        /// To which broker.
        broker: BrokerId,
        /// Which partition.
        partition: PartitionName,
        /// What.
        records: Vec<NewRecord>,
        /// acks
        acks: Acks,
        /// The request's time-out, ms.
        timeout: Ms,
    },
    /// A consumer takes partitions by hand.
    Assign {
        /// Its name.
        client: Rc<str>,
        /// The partitions.
        partitions: Vec<PartitionName>,
        /// Where to start in each (seek); `None`: by its reset policy.
        seek: Option<Boundary>,
        /// Its settings.
        settings: ConsumerSettings,
    },
    /// A consumer polls until something comes or this time is over, ms.
    Poll {
        /// Which.
        client: Rc<str>,
        /// For how long.
        timeout: Ms,
    },
    /// One fetch request written straight to a broker, not held there.
    FetchRaw {
        /// A name for the requester.
        client: Rc<str>,
        /// To which broker.
        broker: BrokerId,
        /// Which partition.
        partition: PartitionName,
        /// From which boundary.
        offset: Boundary,
        /// client.rack
        rack: Option<Rc<str>>,
        /// The leader epoch in the request.
        current_leader_epoch: Option<Epoch>,
    },
    /// ListOffsets, sent to the leader that the controller names.
    ListOffsets {
        /// A name for the requester.
        client: Rc<str>,
        /// Which partition.
        partition: PartitionName,
        /// What to look up.
        spec: OffsetSpec,
        /// How far the asker may see.
        isolation: Isolation,
    },

    // --- time ---
    /// Lets this much time pass, ms.
    Advance(Ms),
    /// Handles the next thing that is due.
    Step,
    /// Lets time pass until the condition holds, at most so long.
    Until {
        /// The condition.
        condition: Condition,
        /// At most, ms.
        limit: Ms,
    },
    /// Lets time pass until nothing that a person could see has changed for so long.
    Settle {
        /// For how long nothing changed, ms.
        quiet: Ms,
        /// At most, ms.
        limit: Ms,
    },

    // --- by hand: worlds without a clock (search, historic scripts) ---
    /// A follower asks each leader it follows, if no fetch of it is under way.
    Ask {
        /// The follower.
        follower: BrokerId,
    },
    /// Delivers the oldest message on its way from one node to the other.
    Deliver {
        /// From.
        from: NodeId,
        /// To.
        to: NodeId,
    },
    /// A whole fetch: asked, handled and answered.
    FetchNow {
        /// The follower.
        follower: BrokerId,
    },
    /// A broker takes in the next metadata record.
    ApplyMetadata {
        /// Which broker.
        broker: BrokerId,
    },
    /// The controller holds a broker's session to have ended.
    Fence {
        /// Which.
        broker: BrokerId,
    },
    /// The controller takes a fenced, registered broker back.
    Unfence {
        /// Which.
        broker: BrokerId,
    },
    /// So much time has passed that the leader no longer counts this follower as caught up
    /// (unless their log ends are equal); it then looks for followers that lag.
    Lapse {
        /// The leader's broker.
        leader: BrokerId,
        /// The follower.
        follower: BrokerId,
    },
}

/// Something that can be waited for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// The controller's leader of a partition (`None`: no leader).
    Leader(PartitionName, Option<BrokerId>),
    /// The controller's ISR of a partition.
    Isr(PartitionName, BrokerSet),
    /// The controller holds the broker fenced, or not.
    Fenced(BrokerId, bool),
    /// The broker's process is in this state.
    Process(BrokerId, Process),
    /// A replica's log end.
    LogEnd(BrokerId, PartitionName, Boundary),
    /// A replica's high watermark.
    HighWatermark(BrokerId, PartitionName, Boundary),
    /// The command of this number has its reply.
    Replied(Ticket),
    /// The last command of this client has its reply.
    Answered(Rc<str>),
    /// An event of this kind, with these fields, happens after the command began. The names are
    /// those of [`EventKind`](crate::kafka::event::EventKind) in kebab case: `fetch-handled`.
    Event {
        /// The kind.
        kind: Rc<str>,
        /// Fields and their values, as text: `("follower", "3")`.
        fields: Vec<(Rc<str>, Rc<str>)>,
    },
}

/// The state of a broker's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Process {
    /// Running.
    Up,
    /// Told to shut down, has not ended yet.
    Stopping,
    /// Stands still.
    Frozen,
    /// Killed.
    Killed,
    /// Ended by a controlled shutdown.
    Stopped,
}

/// The number of a command in a world, by which its reply is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub u32);

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
    /// A boundary looked up; `None`: nothing found.
    Offset(Option<Boundary>),
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

pub use crate::kafka::client::consumer::PollException;

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
    /// There is no message to deliver, hold or lose there.
    NoMessage {
        /// From.
        from: NodeId,
        /// To.
        to: NodeId,
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
