//! What happened: one typed list, from which every sentence and every picture is derived. An
//! event carries its causes from the moment it is emitted; the node knows why, a later pass
//! could only guess.

use super::error::KafkaError;
use super::group::message::GroupState;
use super::ids::*;
use super::message::{Acks, NodeId};
use super::metadata::{ChangeReason, PartitionReg};
use super::transaction::message::TransactionState;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// The number of an event within a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(pub u32);

/// The event that led to something, kept in a node's state or in a message. It explains and does
/// not decide: two states that differ in nothing else are the same state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cause(pub Option<EventId>);

impl PartialEq for Cause {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
impl Eq for Cause {}
impl Hash for Cause {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its number.
    pub id: EventId,
    /// When, ms since the start.
    pub at: Ms,
    /// The events without which it would not have happened, the nearest first.
    pub causes: Vec<EventId>,
    /// What happened.
    pub kind: EventKind,
}

/// Why a replica counts when the leader computes the high watermark (R-HW-10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TermKind {
    /// The leader itself.
    Leader,
    /// In the ISR the controller has accepted.
    InIsr,
    /// Proposed for the ISR, not yet accepted (maximal ISR, R-HW-12).
    Joining,
    /// Outside the ISR, but caught up and eligible: the leader waits for it too (R-HW-11).
    CaughtUpOutsider,
}

/// One term of HW = min(...).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HwTerm {
    /// Whose log end.
    pub broker: BrokerId,
    /// Its log end as the leader knows it (from its last fetch); `None`: it has not fetched in
    /// this epoch, which counts as -1 (R-HW-16).
    pub log_end: Option<Boundary>,
    /// Why it counts.
    pub kind: TermKind,
}

/// Why a log was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TruncateReason {
    /// The leader answered that the logs part at this (epoch, boundary) (R-TRU-3).
    Diverging {
        /// The largest common epoch.
        epoch: Epoch,
        /// Where it ends at the leader.
        end: Boundary,
    },
    /// The leader's log is shorter (R-TRU-7).
    LeaderLogShorter,
    /// The leader's log starts behind this log's end: emptied, starts anew (R-TRU-7).
    LeaderLogStartsLater,
    /// To the own high watermark, no epoch being known (R-TRU-5), or by the historic switch.
    HighWatermark,
    /// The disk lost these records (a fault of the scenario).
    DiskLoss,
}

/// A change on its way from leader to controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IsrMove {
    /// A replica asks to be let in.
    Expand(BrokerId),
    /// Replicas are to leave.
    Shrink(BrokerSet),
}

/// Why a broker's process stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopKind {
    /// Killed (SIGKILL): no checkpoint, no word to the controller.
    Killed,
    /// The machine lost power: as killed, and of the disk only what had been written is left.
    PowerLost,
    /// Controlled shutdown, granted.
    Clean,
}

/// Why a member is no longer in its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LeaveReason {
    /// It said so.
    Left,
    /// No heartbeat for session.timeout.ms (R-REB-5, R-848-4).
    Session,
    /// No poll for max.poll.interval.ms: the client itself left (R-REB-5).
    PollInterval,
    /// It did not rejoin, or did not give up its partitions, in time (R-REB-3, R-848-4).
    Rebalance,
    /// Another process took over its group.instance.id (R-REB-8).
    Replaced,
}

/// Why segments were deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeleteReason {
    /// They lie below the log start (R-RET-1).
    LogStart,
    /// retention.bytes (R-RET-5).
    Size,
    /// retention.ms (R-RET-4).
    Time,
}

/// What became of a client's send, as the client sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Confirmed at this number; `None` under acks=0 (Kafka's -1, R-ACK-2).
    Confirmed(Option<Offset>),
    /// Failed for good.
    Failed(KafkaError),
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(
    missing_docs,
    reason = "the fields are named by the words of the glossary"
)]
pub enum EventKind {
    // --- the reader's or author's hand -------------------------------------------------------
    /// A broker's process was started.
    Started { broker: BrokerId },
    /// A broker's process is gone.
    Stopped { broker: BrokerId, how: StopKind },
    /// A broker was told to shut down.
    ShutdownAsked { broker: BrokerId },
    /// A broker's process stands still (SIGSTOP).
    Frozen { broker: BrokerId },
    /// It runs again.
    Thawed { broker: BrokerId },
    /// A dead broker's disk was replaced by an empty one.
    DiskReplaced { broker: BrokerId },
    /// Messages from one node to another no longer arrive.
    LinkCut { from: NodeId, to: NodeId },
    /// They arrive again.
    LinkHealed { from: NodeId, to: NodeId },
    /// They take this long, ms.
    LinkDelay { from: NodeId, to: NodeId, delay: Ms },
    /// A message was lost on the way.
    MessageLost {
        from: NodeId,
        to: NodeId,
        what: &'static str,
    },
    /// An administrator changed a setting.
    ConfigChanged {
        what: Rc<str>,
        name: Rc<str>,
        value: Option<Rc<str>>,
    },
    /// An administrator's command was refused.
    AdminRefused { what: Rc<str>, error: KafkaError },

    // --- clients ---------------------------------------------------------------------------
    /// A producer sent a batch (again, if attempt > 1).
    ProduceSent {
        client: ClientId,
        broker: BrokerId,
        tp: Tp,
        values: Vec<Option<Rc<str>>>,
        acks: Acks,
        attempt: u32,
    },
    /// The outcome, as the producer sees it.
    ProduceDone {
        client: ClientId,
        tp: Tp,
        values: Vec<Option<Rc<str>>>,
        acks: Acks,
        attempts: u32,
        outcome: Outcome,
    },
    /// A try failed; the producer will try again.
    ProduceRetry {
        client: ClientId,
        tp: Tp,
        error: KafkaError,
        after: Ms,
    },
    /// A client learned who leads.
    MetadataLearned {
        client: ClientId,
        from: BrokerId,
        tp: Tp,
        leader: Option<BrokerId>,
        epoch: Epoch,
    },
    /// A consumer got records (boundaries: position before and after).
    Consumed {
        client: ClientId,
        broker: BrokerId,
        tp: Tp,
        from: Boundary,
        to: Boundary,
        values: Vec<Option<Rc<str>>>,
    },
    /// A consumer was answered with an error.
    ConsumeRefused {
        client: ClientId,
        broker: BrokerId,
        tp: Tp,
        position: Boundary,
        error: KafkaError,
    },
    /// A poll ended without records and without an error.
    PollEmpty {
        client: ClientId,
        tp: Tp,
        position: Boundary,
    },
    /// A consumer's position was set anew.
    PositionReset {
        client: ClientId,
        tp: Tp,
        from: Option<Boundary>,
        to: Boundary,
    },

    // --- leader ----------------------------------------------------------------------------
    /// The leader appended a batch (record numbers base..=last).
    Appended {
        broker: BrokerId,
        tp: Tp,
        base: Offset,
        last: Offset,
        epoch: Epoch,
        values: Vec<Option<Rc<str>>>,
    },
    /// The leader found a batch it already has; nothing was appended (R-IDM-1).
    DuplicateFound {
        broker: BrokerId,
        tp: Tp,
        base: Offset,
    },
    /// A produce waits in the leader until its high watermark reaches the boundary (R-ACK-4).
    ProduceWaits {
        broker: BrokerId,
        client: ClientId,
        tp: Tp,
        until: Boundary,
    },
    /// The leader answered a produce.
    ProduceAnswered {
        broker: BrokerId,
        client: ClientId,
        tp: Tp,
        result: Result<Offset, KafkaError>,
    },
    /// The leader took note of a follower's fetch: it holds everything below `offset`.
    FetchHandled {
        leader: BrokerId,
        follower: BrokerId,
        tp: Tp,
        offset: Boundary,
        before: Option<Boundary>,
        sent: u32,
    },
    /// The leader told a follower that the logs part.
    DivergenceFound {
        leader: BrokerId,
        follower: BrokerId,
        tp: Tp,
        asked: Boundary,
        epoch: Epoch,
        end: Boundary,
    },
    /// The leader refused a fetch.
    FetchRefused {
        broker: BrokerId,
        asker: NodeId,
        tp: Tp,
        offset: Boundary,
        error: KafkaError,
    },
    /// The leader's high watermark moved.
    HighWatermarkMoved {
        broker: BrokerId,
        tp: Tp,
        from: Boundary,
        to: Boundary,
        terms: Vec<HwTerm>,
    },
    /// It could have moved, but the ISR is below min.insync.replicas (R-HW-13).
    HighWatermarkHeld {
        broker: BrokerId,
        tp: Tp,
        at: Boundary,
        isr: u32,
        min_isr: u32,
    },
    /// The leader asks the controller to change the ISR.
    IsrChangeAsked {
        leader: BrokerId,
        tp: Tp,
        isr: BrokerSet,
        what: IsrMove,
    },
    /// The controller refused.
    IsrChangeRefused {
        leader: BrokerId,
        tp: Tp,
        error: KafkaError,
    },
    /// The leader learned the ISR it now counts with.
    IsrLearned {
        leader: BrokerId,
        tp: Tp,
        from: BrokerSet,
        to: BrokerSet,
    },
    /// Records below the boundary were deleted.
    LogStartMoved {
        broker: BrokerId,
        tp: Tp,
        from: Boundary,
        to: Boundary,
    },

    // --- follower --------------------------------------------------------------------------
    /// A follower asked for data from its log end.
    FetchSent {
        follower: BrokerId,
        leader: BrokerId,
        tp: Tp,
        offset: Boundary,
    },
    /// A follower appended what it was sent; its log end went from one boundary to another.
    Replicated {
        follower: BrokerId,
        leader: BrokerId,
        tp: Tp,
        from: Boundary,
        to: Boundary,
    },
    /// A follower took over the leader's high watermark, as far as its own log goes (R-HW-4).
    FollowerHighWatermark {
        follower: BrokerId,
        tp: Tp,
        from: Boundary,
        to: Boundary,
        told: Boundary,
    },
    /// A log was cut; the records' numbers from..to and their values are gone from it.
    Truncated {
        broker: BrokerId,
        tp: Tp,
        from: Boundary,
        to: Boundary,
        values: Vec<Option<Rc<str>>>,
        reason: TruncateReason,
    },
    /// A follower is behind its throttle and stops asking (R-REP-8).
    Throttled { follower: BrokerId, tp: Tp },

    // --- controller ------------------------------------------------------------------------
    /// A broker registered; it starts fenced.
    Registered {
        broker: BrokerId,
        epoch: BrokerEpoch,
        unclean: bool,
    },
    /// A registration was refused, the old session being alive (R-FEN-5).
    RegistrationRefused { broker: BrokerId, error: KafkaError },
    /// No heartbeat for the session timeout: fenced.
    FencedBroker { broker: BrokerId, silent: Ms },
    /// A caught-up broker may serve again.
    UnfencedBroker { broker: BrokerId },
    /// The controller lets a broker go: leadership is moved first.
    ShutdownGranted { broker: BrokerId },
    /// A partition's state changed (a change record). `old` is `None` when it was created.
    PartitionChanged {
        tp: Tp,
        old: Option<Rc<PartitionReg>>,
        new: Rc<PartitionReg>,
        why: ChangeReason,
    },
    /// The ELR was emptied because min.insync.replicas changed (R-ELR-7).
    ElrCleared { topic: Option<TopicId> },

    // --- brokers and metadata --------------------------------------------------------------
    /// A broker has applied the metadata log up to this record.
    MetadataApplied {
        broker: BrokerId,
        offset: MetaOffset,
    },
    /// A broker leads a partition from now on, as far as it knows.
    BecameLeader {
        broker: BrokerId,
        tp: Tp,
        epoch: Epoch,
        start: Boundary,
    },
    /// A broker follows from now on; `leader` is `None` when there is none.
    BecameFollower {
        broker: BrokerId,
        tp: Tp,
        epoch: Epoch,
        leader: Option<BrokerId>,
    },
    /// A broker no longer has the partition.
    ReplicaDeleted { broker: BrokerId, tp: Tp },

    // --- consumers, groups, commits ----------------------------------------------------------
    /// A client learned who coordinates a group or a transactional id.
    CoordinatorFound {
        client: ClientId,
        key: Rc<str>,
        broker: BrokerId,
    },
    /// A broker has read a partition of an internal topic and coordinates its groups (R-GRP-5).
    CoordinatorLoaded { broker: BrokerId, tp: Tp },
    /// A client sends a commit of a next position (boundary).
    CommitSent {
        client: ClientId,
        group: Rc<str>,
        tp: Tp,
        offset: Boundary,
    },
    /// A commit was answered, as the client sees it.
    CommitDone {
        client: ClientId,
        group: Rc<str>,
        tp: Tp,
        offset: Boundary,
        error: Option<KafkaError>,
    },
    /// The coordinator holds a new commit: its record is below the high watermark (R-GRP-3).
    OffsetCommitted {
        broker: BrokerId,
        group: Rc<str>,
        tp: Tp,
        from: Option<Boundary>,
        to: Boundary,
    },
    /// A commit is gone: expired (R-EXP-1), or deleted.
    OffsetForgotten {
        broker: BrokerId,
        group: Rc<str>,
        tp: Tp,
        offset: Boundary,
        expired: bool,
    },
    /// A consumer took its position from its group's commit (R-RST-1).
    PositionRestored {
        client: ClientId,
        tp: Tp,
        to: Boundary,
    },
    /// A group changed state; generation, or group epoch in the consumer protocol.
    GroupChanged {
        broker: BrokerId,
        group: Rc<str>,
        from: GroupState,
        to: GroupState,
        generation: i32,
    },
    /// A member is in a group.
    MemberJoined {
        broker: BrokerId,
        group: Rc<str>,
        member: Rc<str>,
        client: ClientId,
    },
    /// A member is no longer in it.
    MemberLeft {
        broker: BrokerId,
        group: Rc<str>,
        member: Rc<str>,
        client: ClientId,
        why: LeaveReason,
    },
    /// A consumer has new partitions.
    Assigned {
        client: ClientId,
        group: Rc<str>,
        tps: Vec<Tp>,
    },
    /// A consumer gave partitions up, or lost them without a chance to commit (R-REB-6).
    Revoked {
        client: ClientId,
        group: Rc<str>,
        tps: Vec<Tp>,
        lost: bool,
    },
    /// A consumer closed in good order.
    ConsumerClosed { client: ClientId },
    /// A consumer's process is gone: no commit, no word to its group.
    ConsumerCrashed { client: ClientId },

    // --- the application beside a consumer -----------------------------------------------------
    /// The application has processed the records between two boundaries.
    Processed {
        client: ClientId,
        tp: Tp,
        from: Boundary,
        to: Boundary,
        values: Vec<Option<Rc<str>>>,
    },
    /// An effect took place again: `times` in all.
    EffectRepeated {
        client: ClientId,
        tp: Tp,
        offset: Offset,
        key: Rc<str>,
        times: u32,
    },
    /// The application saved its next position in a store of its own, not in Kafka.
    SavedOutside {
        client: ClientId,
        tp: Tp,
        from: Option<Boundary>,
        to: Boundary,
    },

    // --- transactions ----------------------------------------------------------------------------
    /// A producer began a transaction (nobody else knows yet).
    TransactionBegun { client: ClientId, id: Rc<str> },
    /// Commit or abort was answered, as the producer sees it.
    TransactionEnded {
        client: ClientId,
        id: Rc<str>,
        commit: bool,
        error: Option<KafkaError>,
    },
    /// The coordinator moved a transaction on.
    TransactionChanged {
        broker: BrokerId,
        id: Rc<str>,
        from: TransactionState,
        to: TransactionState,
        epoch: i16,
    },
    /// A leader appended a transaction's marker (R-OFF-3).
    MarkerAppended {
        broker: BrokerId,
        tp: Tp,
        offset: Offset,
        commit: bool,
        producer: i64,
    },
    /// A leader's last stable offset moved (R-LSO-1).
    LastStableMoved {
        broker: BrokerId,
        tp: Tp,
        from: Boundary,
        to: Boundary,
    },

    // --- a log's life ------------------------------------------------------------------------------
    /// A new segment begins at the boundary (R-OFF-9).
    SegmentRolled {
        broker: BrokerId,
        tp: Tp,
        base: Boundary,
    },
    /// Whole segments were deleted: what lay between the boundaries is gone.
    SegmentsDeleted {
        broker: BrokerId,
        tp: Tp,
        from: Boundary,
        to: Boundary,
        why: DeleteReason,
    },
    /// The cleaner went over the log up to a boundary and removed these records (R-CMP-3).
    Compacted {
        broker: BrokerId,
        tp: Tp,
        to: Boundary,
        removed: Vec<Offset>,
    },

    // --- the reset tool --------------------------------------------------------------------------
    /// A reset was planned, or (`executed`) committed. `asked`: what was asked for, where it
    /// lies outside the log and was set to one of its ends (R-RSO-4).
    ResetPlanned {
        client: ClientId,
        group: Rc<str>,
        tp: Tp,
        from: Option<Boundary>,
        to: Boundary,
        asked: Option<Boundary>,
        executed: bool,
    },
    /// A reset was refused: the group has members (R-RSO-1).
    ResetRefused {
        client: ClientId,
        group: Rc<str>,
        state: GroupState,
    },

    // --- truth about the whole -------------------------------------------------------------
    /// A confirmed record is on no living or dead replica that could lead, or was overwritten.
    ConfirmedLost {
        tp: Tp,
        offset: Offset,
        value: Option<Rc<str>>,
    },
    /// An invariant does not hold: a fault of this program, or of a historic switch.
    Violation {
        invariant: &'static str,
        text: Rc<str>,
    },
}

impl EventKind {
    /// Whether it changes something that a person looking at logs, boundaries, roles and answers
    /// could see. The rest is the coming and going of questions.
    pub fn is_visible(&self) -> bool {
        match self {
            EventKind::FetchHandled { before, offset, .. } => *before != Some(*offset),
            EventKind::FetchSent { .. }
            | EventKind::MetadataApplied { .. }
            | EventKind::Throttled { .. }
            | EventKind::FetchRefused { .. }
            | EventKind::RegistrationRefused { .. }
            | EventKind::HighWatermarkHeld { .. }
            | EventKind::MessageLost { .. }
            | EventKind::ProduceRetry { .. }
            | EventKind::CommitSent { .. }
            | EventKind::CoordinatorFound { .. }
            | EventKind::ProduceSent { .. } => false,
            _ => true,
        }
    }
}
