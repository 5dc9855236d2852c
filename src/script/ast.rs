//! A scenario as data.

use super::question::Question;
use crate::kafka::error::KafkaError;
use crate::kafka::group::message::GroupState;
use crate::kafka::ids::*;
use crate::kafka::transaction::message::TransactionState;
use crate::world::command::{Command, PartitionName, Process};
use crate::world::setup::Setup;
use std::rc::Rc;

/// A story: a cluster, what was done to it beforehand, and beats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Comment lines at its head.
    pub notes: Vec<Rc<str>>,
    /// Its id: a word of letters, digits and hyphens.
    pub id: Rc<str>,
    /// Rows of the requirements that it shows.
    pub rows: Vec<Rc<str>>,
    /// Where it stands in the gallery.
    pub group: Group,
    /// How it is shown.
    pub view: View,
    /// Recorded runs of Apache Kafka that it corresponds to.
    pub runs: Vec<Rc<str>>,
    /// Its title.
    pub title: Text,
    /// The question it answers (front page).
    pub question: Text,
    /// What there is to see and to do, in a paragraph.
    pub summary: Text,
    /// The cluster.
    pub cluster: Cluster,
    /// The same story told side by side with one word changed.
    pub lanes: Option<Lanes>,
    /// What is done before step 0, unseen.
    pub setup: Vec<Line>,
    /// The steps.
    pub beats: Vec<Beat>,
}

/// A text in the languages the author gave it in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// In Russian.
    pub ru: Option<Rc<str>>,
    /// In English.
    pub en: Option<Rc<str>>,
}

impl Text {
    /// In Russian, or what there is.
    pub fn russian(&self) -> &str {
        self.ru.as_deref().or(self.en.as_deref()).unwrap_or("")
    }
    /// In English, or what there is.
    pub fn english(&self) -> &str {
        self.en.as_deref().or(self.ru.as_deref()).unwrap_or("")
    }
    /// Whether there is none in any language.
    pub fn is_empty(&self) -> bool {
        self.ru.is_none() && self.en.is_none()
    }
}

/// Groups of the gallery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Group {
    /// Replication.
    #[default]
    Replication,
    /// Offsets, commits, lag.
    Offsets,
    /// Exercises.
    Practice,
}

impl Group {
    /// Every group and its word.
    pub const WORDS: &'static [(&'static str, Group)] = &[
        ("replication", Group::Replication),
        ("offsets", Group::Offsets),
        ("practice", Group::Practice),
    ];
}

/// How a scenario is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// Each replica's own log, one under the other.
    #[default]
    Replicas,
    /// A grid of brokers and partitions with counters.
    Overview,
    /// Lanes side by side.
    Compare,
    /// One log with every boundary named, and who reads it.
    Ruler,
    /// Replicas and ruler together.
    Both,
}

impl View {
    /// Every view and its word.
    pub const WORDS: &'static [(&'static str, View)] = &[
        ("replicas", View::Replicas),
        ("overview", View::Overview),
        ("compare", View::Compare),
        ("ruler", View::Ruler),
        ("both", View::Both),
    ];
}

/// What the world starts from, as the author wrote it: only what differs from Kafka's defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// Brokers, each with its rack.
    pub brokers: Vec<(BrokerId, Option<Rc<str>>)>,
    /// How long a message takes, ms.
    pub link_delay: Ms,
    /// Extra time of a message, ms.
    pub link_jitter: Ms,
    /// Where chance starts from.
    pub seed: u64,
    /// No clock.
    pub by_hand: bool,
    /// All brokers up and unfenced at the start.
    pub started: bool,
    /// Settings of all servers by Kafka's names.
    pub config: Vec<(Rc<str>, Rc<str>)>,
    /// Historic switches by name.
    pub switches: Vec<(Rc<str>, Rc<str>)>,
}

impl Default for Cluster {
    fn default() -> Self {
        let Setup {
            brokers,
            link_delay,
            link_jitter,
            seed,
            by_hand,
            started,
            ..
        } = Setup::default();
        Cluster {
            brokers,
            link_delay,
            link_jitter,
            seed,
            by_hand,
            started,
            config: vec![],
            switches: vec![],
        }
    }
}

impl Cluster {
    /// What the world starts from. Settings and switches that nobody knows are left out: the
    /// parser has refused them.
    pub fn setup(&self) -> Setup {
        let mut setup = Setup {
            brokers: self.brokers.clone(),
            link_delay: self.link_delay,
            link_jitter: self.link_jitter,
            seed: self.seed,
            by_hand: self.by_hand,
            started: self.started,
            ..Setup::default()
        };
        for (name, value) in &self.config {
            let _ = setup.server.set(name, value);
        }
        for (name, value) in &self.switches {
            super::settings::set_switch(&mut setup.switches, name, value);
        }
        setup
    }
}

/// One story told several times at once, on one clock, with one word changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// The name that stands for the word: `acks`, written `$acks` in commands.
    pub variable: Rc<str>,
    /// The word in each lane.
    pub values: Vec<Rc<str>>,
}

/// A step of the story: it changes one thing worth looking at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beat {
    /// Where it begins in the file.
    pub at: Position,
    /// A name for addresses: `step=leader-dies`.
    pub mark: Option<Rc<str>>,
    /// What changed, with the numbers.
    pub title: Text,
    /// What follows: who can now do what.
    pub so: Text,
    /// What the picture should stress.
    pub focus: Vec<Focus>,
    /// What is asked before it.
    pub question: Option<Question>,
    /// Commands, expectations, comments, in order.
    pub lines: Vec<Line>,
}

impl Scenario {
    /// Whether a beat holds two instruments' lags side by side: the scene is about how they differ.
    pub fn compares_lags(&self) -> bool {
        let told = |beat: &Beat| {
            let mut told: Vec<Instrument> = Vec::new();
            for line in &beat.lines {
                if let LineKind::Expect(Expectation {
                    fact: Fact::Lag(instrument, ..),
                    ..
                }) = &line.what
                    && !told.contains(instrument)
                {
                    told.push(*instrument);
                }
            }
            told.len()
        };
        self.beats.iter().any(|beat| told(beat) > 1)
    }
}

/// Something the picture can stress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Focus {
    /// A broker.
    Broker(BrokerId),
    /// The controller.
    Controller,
    /// A client.
    Client(Rc<str>),
    /// A partition.
    Partition(PartitionName),
    /// A record, wherever it is.
    Record(PartitionName, Offset),
    /// The classic mistake in counting a lag: from the last record's number.
    Mistake,
}

impl Focus {
    /// The partition it lies in, if it is about one.
    pub fn partition(&self) -> Option<&PartitionName> {
        match self {
            Focus::Partition(name) | Focus::Record(name, _) => Some(name),
            _ => None,
        }
    }

    /// The client, if it is one.
    pub fn client(&self) -> Option<&Rc<str>> {
        match self {
            Focus::Client(name) => Some(name),
            _ => None,
        }
    }
}

/// A line and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where it stands in the file.
    pub at: Position,
    /// What it says.
    pub what: LineKind,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// A comment.
    Note(Rc<str>),
    /// Something is done.
    Do(Act),
    /// Something must hold.
    Expect(Expectation),
}

/// What is done by a line: one command, or the two of `cut 1<->2`, or one for each partition of
/// `produce p1 orders-0..23 "x"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// The same in every lane.
    Same(Vec<Command>),
    /// Each lane its own.
    PerLane {
        /// The words of the line, with the variable.
        words: Rc<str>,
        /// What they are in each lane.
        commands: Vec<Vec<Command>>,
    },
}

impl Act {
    /// What is done in a lane.
    pub fn commands(&self, lane: usize) -> &[Command] {
        match self {
            Act::Same(commands) => commands,
            Act::PerLane { commands, .. } => commands.get(lane).map_or(&[], |c| c),
        }
    }
}

/// Something that must hold at its place in the story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// In this lane only (its index).
    pub lane: Option<u16>,
    /// What must hold.
    pub fact: Fact,
}

/// Something that holds or does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The controller's leader of a partition; `None`: none.
    Leader(PartitionName, Option<BrokerId>),
    /// Its leader epoch.
    LeaderEpoch(PartitionName, Epoch),
    /// Its ISR.
    Isr(PartitionName, BrokerSet),
    /// Its eligible leader replicas.
    Elr(PartitionName, BrokerSet),
    /// A boundary of a replica.
    Bound(Bound, BrokerId, PartitionName, Boundary),
    /// The values of a replica's log from its log start, in order.
    Records(BrokerId, PartitionName, Vec<Option<Rc<str>>>),
    /// What a broker believes it is for a partition.
    Role(BrokerId, PartitionName, Role),
    /// The state of a broker's process.
    Process(BrokerId, Process),
    /// Whether the controller holds a broker fenced.
    Fenced(BrokerId, bool),
    /// A client's last send of this value, as the client sees it.
    Sent(Rc<str>, Rc<str>, Sent),
    /// How often it has been sent.
    Attempts(Rc<str>, Rc<str>, u32),
    /// How long the client waited for its outcome, ms, and what it is rounded to, ms.
    Waited(Rc<str>, Rc<str>, Ms, Ms),
    /// Values of confirmed records that are gone, in order of their numbers.
    Lost(Vec<Option<Rc<str>>>),
    /// Values a consumer was given, in order.
    Received(Rc<str>, Vec<Option<Rc<str>>>),
    /// A consumer's position.
    At(Rc<str>, PartitionName, Boundary),
    /// A count over all partitions.
    Count(Count, u32),
    /// How many partitions a broker leads.
    Leads(BrokerId, u32),
    /// The partitions a consumer has.
    Assignment(Rc<str>, Vec<PartitionName>),
    /// The next position that a consumer's application has to process.
    Processed(Rc<str>, PartitionName, Option<Boundary>),
    /// What a consumer's application saved in a store of its own.
    Saved(Rc<str>, PartitionName, Option<Boundary>),
    /// How often processing a record of this value took effect.
    Effect(Rc<str>, Rc<str>, u32),
    /// What is committed for a group.
    Committed(Rc<str>, PartitionName, Option<Boundary>),
    /// The metadata of that commit.
    Metadata(Rc<str>, PartitionName, Rc<str>),
    /// The state of a group.
    GroupState(Rc<str>, GroupState),
    /// How many members a group has.
    Members(Rc<str>, u32),
    /// Its generation or group epoch.
    Generation(Rc<str>, i32),
    /// The state of a transactional id.
    Transaction(Rc<str>, TransactionState),
    /// What an instrument shows as the lag, of a consumer or (commit) a group.
    Lag(Instrument, Rc<str>, PartitionName, Option<i64>),
    /// An event happened (or did not) since the beat began.
    Event {
        /// Whether it did.
        happened: bool,
        /// Its kind.
        kind: Rc<str>,
        /// Its fields.
        fields: Vec<(Rc<str>, Rc<str>)>,
    },
}

/// Boundaries of a replica.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Log start.
    LogStart,
    /// Log end.
    LogEnd,
    /// High watermark.
    HighWatermark,
    /// Last stable offset.
    LastStable,
}

impl Bound {
    /// Every boundary and its word.
    pub const WORDS: &'static [(&'static str, Bound)] = &[
        ("log-start", Bound::LogStart),
        ("log-end", Bound::LogEnd),
        ("high-watermark", Bound::HighWatermark),
        ("last-stable", Bound::LastStable),
    ];
}

/// How a client sees a send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sent {
    /// Confirmed at this number; `None`: without a number (acks=0).
    Confirmed(Option<Offset>),
    /// Failed for good.
    Failed(KafkaError),
    /// No outcome yet.
    Pending,
}

/// What a replica is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It leads.
    Leader,
    /// It follows.
    Follower,
    /// Its broker is down.
    Down,
}

impl Role {
    /// Every role and its word.
    pub const WORDS: &'static [(&'static str, Role)] = &[
        ("leader", Role::Leader),
        ("follower", Role::Follower),
        ("down", Role::Down),
    ];
}

/// Instruments that tell a lag, each from its own boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instrument {
    /// The client's metric records-lag: the end in its last fetch less its position.
    Fetch,
    /// kafka-consumer-groups: the high watermark less the group's commit.
    Commit,
    /// The application: the high watermark less what it has to process next.
    Process,
}

impl Instrument {
    /// Every instrument and its word.
    pub const WORDS: &'static [(&'static str, Instrument)] = &[
        ("fetch", Instrument::Fetch),
        ("commit", Instrument::Commit),
        ("process", Instrument::Process),
    ];
}

/// Words of the states of a group.
pub const GROUP_STATE_WORDS: &[(&str, GroupState)] = &[
    ("empty", GroupState::Empty),
    ("preparing-rebalance", GroupState::PreparingRebalance),
    ("completing-rebalance", GroupState::CompletingRebalance),
    ("assigning", GroupState::Assigning),
    ("reconciling", GroupState::Reconciling),
    ("stable", GroupState::Stable),
    ("dead", GroupState::Dead),
];

/// Words of the states of a transaction.
pub const TRANSACTION_STATE_WORDS: &[(&str, TransactionState)] = &[
    ("empty", TransactionState::Empty),
    ("ongoing", TransactionState::Ongoing),
    ("prepare-commit", TransactionState::PrepareCommit),
    ("prepare-abort", TransactionState::PrepareAbort),
    ("complete-commit", TransactionState::CompleteCommit),
    ("complete-abort", TransactionState::CompleteAbort),
    ("dead", TransactionState::Dead),
];

/// Counts as a console shows them, by the controller's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Replicas in an ISR.
    InSync,
    /// Replicas assigned.
    Replicas,
    /// Partitions with fewer replicas in the ISR than assigned.
    UnderReplicated,
    /// Partitions without a leader.
    Offline,
    /// Partitions with fewer replicas in the ISR than min.insync.replicas.
    UnderMinIsr,
    /// Partitions with just min.insync.replicas replicas in the ISR.
    AtMinIsr,
}

impl Count {
    /// Every count and its word.
    pub const WORDS: &'static [(&'static str, Count)] = &[
        ("in-sync-replicas", Count::InSync),
        ("replicas", Count::Replicas),
        ("under-replicated", Count::UnderReplicated),
        ("offline", Count::Offline),
        ("under-min-isr", Count::UnderMinIsr),
        ("at-min-isr", Count::AtMinIsr),
    ];
}

/// Words of the states of a process.
pub const PROCESS_WORDS: &[(&str, Process)] = &[
    ("up", Process::Up),
    ("stopping", Process::Stopping),
    ("frozen", Process::Frozen),
    ("killed", Process::Killed),
    ("stopped", Process::Stopped),
];

/// A place in a file. Two scenarios that differ in nothing else are the same scenario.
#[derive(Clone, Copy, Debug, Default)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl PartialEq for Position {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
impl Eq for Position {}
