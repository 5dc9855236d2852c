//! Requests to a coordinator of groups, and their answers.

use super::Name;
use crate::kafka::error::KafkaError;
use crate::kafka::ids::*;

/// What a coordinator is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CoordinatorKind {
    /// A group: the leader of its partition of `__consumer_offsets`.
    Group,
    /// A transactional id: the leader of its partition of `__transaction_state`.
    Transaction,
}

/// How a request names the member that sends it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MemberRef {
    /// The member id; empty: none.
    pub id: Name,
    /// Classic: generation; consumer protocol: member epoch. -1: none.
    pub generation: i32,
    /// group.instance.id
    pub instance: Option<Name>,
}

impl MemberRef {
    /// No member: an administrator or a consumer that assigns itself.
    pub fn none() -> Self {
        MemberRef {
            id: "".into(),
            generation: -1,
            instance: None,
        }
    }
}

/// What is committed for a partition: the *next* position (R-COM-1).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Committed {
    /// The next position (boundary). The broker does not check it (R-COM-2, R-COM-13).
    pub offset: Boundary,
    /// The leader epoch of the record in front of it, if told.
    pub leader_epoch: Option<Epoch>,
    /// Free text; at most offset.metadata.max.bytes (4096).
    pub metadata: Name,
}

impl Committed {
    /// A bare position.
    pub fn at(offset: Boundary) -> Self {
        Committed {
            offset,
            leader_epoch: None,
            metadata: "".into(),
        }
    }
}

/// A partition in a commit, by name as the client wrote it: it may not exist.
pub type CommitPart = (Tp, Committed);

/// How a classic group shares partitions out (partition.assignment.strategy).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Assignor {
    /// RangeAssignor: eager.
    #[default]
    Range,
    /// RoundRobinAssignor: eager.
    RoundRobin,
    /// StickyAssignor: eager.
    Sticky,
    /// CooperativeStickyAssignor: cooperative.
    CooperativeSticky,
}

/// A JoinGroup request of the classic protocol.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Join {
    /// The group.
    pub group: Name,
    /// The member id; empty: one is to be given.
    pub member: Name,
    /// group.instance.id
    pub instance: Option<Name>,
    /// The client's id, from which a member id is made.
    pub client: Name,
    /// session.timeout.ms
    pub session_timeout: Ms,
    /// max.poll.interval.ms: how long the group waits for it to rejoin.
    pub rebalance_timeout: Ms,
    /// Strategies it can do, the best first.
    pub assignors: Vec<Assignor>,
    /// Topics it is subscribed to.
    pub topics: Vec<TopicId>,
    /// Partitions it holds (cooperative, sticky).
    pub owned: Vec<Tp>,
}

/// A member as the leader of a classic group is told of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JoinMember {
    /// Its id.
    pub id: Name,
    /// group.instance.id
    pub instance: Option<Name>,
    /// Topics it is subscribed to.
    pub topics: Vec<TopicId>,
    /// Partitions it says it holds.
    pub owned: Vec<Tp>,
}

/// The answer to a JoinGroup.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Joined {
    /// The member id (given, or known).
    pub member: Name,
    /// The generation.
    pub generation: i32,
    /// The strategy all can do.
    pub assignor: Assignor,
    /// The member that shares out.
    pub leader: Name,
    /// All members, for the leader; empty for the others.
    pub members: Vec<JoinMember>,
}

/// A heartbeat of the consumer protocol (KIP-848).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConsumerBeat {
    /// The group.
    pub group: Name,
    /// The member id, which the client makes.
    pub member: Name,
    /// 0: (re)join; -1: leave; -2: a static member leaves for a while (R-848-3).
    pub epoch: i32,
    /// group.instance.id
    pub instance: Option<Name>,
    /// max.poll.interval.ms; `None`: unchanged.
    pub rebalance_timeout: Option<Ms>,
    /// Topics; `None`: unchanged.
    pub topics: Option<Vec<TopicId>>,
    /// Partitions it holds; `None`: unchanged.
    pub owned: Option<Vec<Tp>>,
    /// group.remote.assignor: `uniform` or `range`; `None`: the server's (uniform).
    pub assignor: Option<Name>,
}

/// Its answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConsumerBeaten {
    /// The member id.
    pub member: Name,
    /// The member's epoch.
    pub epoch: i32,
    /// How long until the next heartbeat, ms (5 s).
    pub interval: Ms,
    /// The assignment it should have; `None`: unchanged.
    pub assignment: Option<Vec<Tp>>,
}

/// The state of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroupState {
    /// No members.
    Empty,
    /// Classic: members are to rejoin (R-REB-1).
    PreparingRebalance,
    /// Classic: the leader is to share out.
    CompletingRebalance,
    /// Consumer protocol: an assignment is to be computed (R-848-1).
    Assigning,
    /// Consumer protocol: some member is not yet where it should be.
    Reconciling,
    /// All is as it should be.
    Stable,
    /// Does not exist (any longer).
    Dead,
}

impl GroupState {
    /// As Kafka's tools print it, e.g. `STABLE`.
    pub fn name(self) -> &'static str {
        match self {
            GroupState::Empty => "EMPTY",
            GroupState::PreparingRebalance => "PREPARING_REBALANCE",
            GroupState::CompletingRebalance => "COMPLETING_REBALANCE",
            GroupState::Assigning => "ASSIGNING",
            GroupState::Reconciling => "RECONCILING",
            GroupState::Stable => "STABLE",
            GroupState::Dead => "DEAD",
        }
    }
}

/// The kind of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroupKind {
    /// Classic, also one that was made by a bare commit (simple group).
    Classic,
    /// Consumer protocol (KIP-848).
    Consumer,
}

/// A member as a description tells it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MemberView {
    /// Its id.
    pub id: Name,
    /// The client.
    pub client: ClientId,
    /// group.instance.id
    pub instance: Option<Name>,
    /// What it has.
    pub assignment: Vec<Tp>,
    /// Consumer protocol: its epoch and what it should have.
    pub target: Option<(i32, Vec<Tp>)>,
}

/// A group as a description tells it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GroupView {
    /// Its name.
    pub group: Name,
    /// Its state.
    pub state: GroupState,
    /// Its kind.
    pub kind: GroupKind,
    /// Classic: generation; consumer protocol: group epoch.
    pub epoch: i32,
    /// Consumer protocol: the epoch of the target assignment.
    pub target_epoch: Option<i32>,
    /// Its members, in order of their ids.
    pub members: Vec<MemberView>,
    /// What is committed, by partition.
    pub committed: Vec<CommitPart>,
}

/// A request to a coordinator of groups (or, for `FindCoordinator`, to any broker).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GroupRequest {
    /// Who coordinates this?
    FindCoordinator(CoordinatorKind, Name),
    /// OffsetCommit (R-COM-*).
    Commit {
        /// The group.
        group: Name,
        /// Who commits.
        member: MemberRef,
        /// What.
        offsets: Vec<CommitPart>,
    },
    /// OffsetFetch (R-GRP-4).
    Fetch {
        /// The group.
        group: Name,
        /// Who asks.
        member: MemberRef,
        /// For which partitions; `None`: all that have a commit.
        partitions: Option<Vec<Tp>>,
        /// Not while a transactional commit is pending.
        require_stable: bool,
    },
    /// TxnOffsetCommit (R-COM-11).
    TransactionCommit {
        /// The group.
        group: Name,
        /// The member, if given.
        member: MemberRef,
        /// The producer id.
        producer_id: i64,
        /// The producer epoch.
        producer_epoch: i16,
        /// The transactional id.
        transactional_id: Name,
        /// What.
        offsets: Vec<CommitPart>,
    },
    /// JoinGroup.
    Join(Join),
    /// SyncGroup; the leader brings the assignment of each member.
    Sync {
        /// The group.
        group: Name,
        /// Who.
        member: MemberRef,
        /// From the leader: partitions by member id.
        assignments: Vec<(Name, Vec<Tp>)>,
    },
    /// Heartbeat of the classic protocol.
    Beat {
        /// The group.
        group: Name,
        /// Who.
        member: MemberRef,
    },
    /// LeaveGroup of the classic protocol.
    Leave {
        /// The group.
        group: Name,
        /// Who (its generation is not looked at).
        member: MemberRef,
    },
    /// ConsumerGroupHeartbeat.
    ConsumerBeat(ConsumerBeat),
    /// DescribeGroups / ConsumerGroupDescribe.
    Describe(Name),
    /// DeleteGroups.
    Delete(Name),
    /// OffsetDelete.
    DeleteOffsets(Name, Vec<Tp>),
}

/// What became of each partition of a request.
pub type PartErrors = Vec<(Tp, Result<(), KafkaError>)>;

/// A partition and what is committed for it.
pub type FetchedOffset = (Tp, Result<Option<Committed>, KafkaError>);

/// The answer to a [`GroupRequest`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GroupAnswer {
    /// The coordinator.
    Coordinator(CoordinatorKind, Name, Result<BrokerId, KafkaError>),
    /// OffsetCommit and TxnOffsetCommit: by partition.
    Committed(PartErrors),
    /// OffsetFetch: by partition (`Ok(None)`: no commit), or an error for the whole.
    Fetched(Result<Vec<FetchedOffset>, KafkaError>),
    /// JoinGroup. MEMBER_ID_REQUIRED carries the member id to come back with.
    Joined(Result<Joined, (KafkaError, Name)>),
    /// SyncGroup: the member's partitions.
    Synced(Result<Vec<Tp>, KafkaError>),
    /// Heartbeat.
    Beaten(Result<(), KafkaError>),
    /// LeaveGroup.
    Left(Result<(), KafkaError>),
    /// ConsumerGroupHeartbeat.
    ConsumerBeaten(Result<ConsumerBeaten, KafkaError>),
    /// DescribeGroups.
    Described(Result<GroupView, KafkaError>),
    /// DeleteGroups.
    Deleted(Result<(), KafkaError>),
    /// OffsetDelete: by partition, or an error for the whole.
    OffsetsDeleted(Result<PartErrors, KafkaError>),
}

impl GroupRequest {
    /// The group (or, of `FindCoordinator`, whatever is coordinated) that it is about.
    pub fn group(&self) -> &Name {
        match self {
            GroupRequest::FindCoordinator(_, group)
            | GroupRequest::Commit { group, .. }
            | GroupRequest::Fetch { group, .. }
            | GroupRequest::TransactionCommit { group, .. }
            | GroupRequest::Sync { group, .. }
            | GroupRequest::Beat { group, .. }
            | GroupRequest::Leave { group, .. }
            | GroupRequest::Describe(group)
            | GroupRequest::Delete(group)
            | GroupRequest::DeleteOffsets(group, _) => group,
            GroupRequest::Join(join) => &join.group,
            GroupRequest::ConsumerBeat(beat) => &beat.group,
        }
    }

    /// As Kafka's protocol calls it.
    pub fn name(&self) -> &'static str {
        match self {
            GroupRequest::FindCoordinator(..) => "FindCoordinator",
            GroupRequest::Commit { .. } => "OffsetCommit",
            GroupRequest::Fetch { .. } => "OffsetFetch",
            GroupRequest::TransactionCommit { .. } => "TxnOffsetCommit",
            GroupRequest::Join(_) => "JoinGroup",
            GroupRequest::Sync { .. } => "SyncGroup",
            GroupRequest::Beat { .. } => "Heartbeat",
            GroupRequest::Leave { .. } => "LeaveGroup",
            GroupRequest::ConsumerBeat(_) => "ConsumerGroupHeartbeat",
            GroupRequest::Describe(_) => "DescribeGroups",
            GroupRequest::Delete(_) => "DeleteGroups",
            GroupRequest::DeleteOffsets(..) => "OffsetDelete",
        }
    }
}
