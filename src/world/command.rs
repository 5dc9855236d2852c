//! The one list of things that can be done to a world. Scenes, tests, links and the search use
//! it alike; every choice (which message goes next, what a lossy crash keeps) is a field here.

use crate::kafka::batch::{NewRecord, Stamp};
use crate::kafka::client::consumer::CommitMode;
use crate::kafka::client::reset::ResetTo;
use crate::kafka::client::settings::{ConsumerSettings, ProducerSettings};
use crate::kafka::group::message::{Committed, MemberRef};
use crate::kafka::ids::*;
use crate::kafka::map::Map;
use crate::kafka::message::{Acks, Isolation, NodeId, OffsetSpec};
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
        /// Producer id, epoch and first sequence, as an idempotent producer would write them.
        stamp: Option<Stamp>,
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

    // --- consumers in groups and their applications ---
    /// A consumer subscribes to topics; made if there is none of this name (or it was closed or
    /// has crashed: then it is a new process).
    Subscribe {
        /// Its name.
        client: Rc<str>,
        /// The topics.
        topics: Vec<Rc<str>>,
        /// Its settings; `group.id` is needed.
        settings: ConsumerSettings,
    },
    /// Sets a consumer's position.
    Seek {
        /// Which consumer.
        client: Rc<str>,
        /// Which partition.
        partition: PartitionName,
        /// Where to.
        to: Seek,
    },
    /// Stops or resumes fetching of partitions.
    Pause {
        /// Which consumer.
        client: Rc<str>,
        /// Which partitions.
        partitions: Vec<PartitionName>,
        /// Stop rather than resume.
        paused: bool,
    },
    /// A consumer commits.
    Commit {
        /// Which consumer.
        client: Rc<str>,
        /// Next positions (boundaries); `None`: its positions.
        offsets: Option<Vec<(PartitionName, Committed)>>,
        /// commitSync or commitAsync.
        mode: CommitMode,
    },
    /// committed(): what is committed for partitions, as this consumer is told.
    Committed {
        /// Which consumer.
        client: Rc<str>,
        /// Which partitions.
        partitions: Vec<PartitionName>,
    },
    /// The application beside a consumer processes what it was given, up to a next position.
    Process {
        /// Which consumer.
        client: Rc<str>,
        /// Which partition.
        partition: PartitionName,
        /// The next position afterwards (boundary).
        next: Boundary,
    },
    /// The application saves its next position in a store of its own: not in Kafka.
    SaveOutside {
        /// Which consumer.
        client: Rc<str>,
        /// Which partition.
        partition: PartitionName,
        /// The next position (boundary).
        next: Boundary,
    },
    /// A consumer closes: commits if enable.auto.commit, leaves its group.
    Close {
        /// Which.
        client: Rc<str>,
    },
    /// A client's process is gone at once.
    Crash {
        /// Which.
        client: Rc<str>,
    },

    // --- transactions ---
    /// initTransactions().
    InitTransactions {
        /// Which producer.
        client: Rc<str>,
    },
    /// beginTransaction().
    BeginTransaction {
        /// Which producer.
        client: Rc<str>,
    },
    /// commitTransaction() or abortTransaction().
    EndTransaction {
        /// Which producer.
        client: Rc<str>,
        /// COMMIT rather than ABORT.
        commit: bool,
    },
    /// sendOffsetsToTransaction().
    SendOffsets {
        /// Which producer.
        client: Rc<str>,
        /// The group.
        group: Rc<str>,
        /// The member in whose name; `MemberRef::none()`: with the group id alone.
        member: MemberRef,
        /// Next positions (boundaries).
        offsets: Vec<(PartitionName, Committed)>,
    },
    /// InitProducerId written straight to a broker.
    InitProducerRaw {
        /// A name for the requester.
        client: Rc<str>,
        /// transactional.id
        transactional_id: Option<Rc<str>>,
        /// transaction.timeout.ms
        timeout: Ms,
    },

    // --- groups, by hand ---
    /// A request about a group, written straight to its coordinator.
    CallGroup {
        /// A name for the requester.
        client: Rc<str>,
        /// What is asked.
        call: GroupCall,
    },
    /// `kafka-consumer-groups --reset-offsets`.
    ResetOffsets {
        /// A name for whoever runs the tool.
        client: Rc<str>,
        /// The group.
        group: Rc<str>,
        /// Which partitions.
        scope: NamedScope,
        /// Where to.
        to: ResetTo,
        /// --execute rather than --dry-run.
        execute: bool,
    },
    /// Deletes a topic, and with it the commits for it (R-GRP-6).
    DeleteTopic {
        /// Its name.
        name: Rc<str>,
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
    /// A replica's log start.
    LogStart(BrokerId, PartitionName, Boundary),
    /// A replica's last stable offset.
    LastStable(BrokerId, PartitionName, Boundary),
    /// How far the cleaner has come on a replica.
    CleanedTo(BrokerId, PartitionName, Boundary),
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

pub use super::call::{GroupCall, NamedScope, Seek};
pub use super::reply::{
    Applied, CommitException, ErrorCause, PollException, ReadRecord, Refusal, Reply,
    TransactionException,
};
