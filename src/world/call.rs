//! What can be asked of groups and consumers, partitions by name.

use super::command::PartitionName;
use crate::kafka::group::message::{Committed, MemberRef};
use crate::kafka::ids::*;
use std::rc::Rc;

/// Where a seek goes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Seek {
    /// To a boundary.
    Offset(Boundary),
    /// To the log start.
    Beginning,
    /// To the end.
    End,
    /// To what the application saved in its own store; the log start if it saved nothing.
    Outside,
}

/// Which partitions the reset tool is for, by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NamedScope {
    /// --topic t or --topic t:0,1
    Topics(Vec<(Rc<str>, Option<Vec<u16>>)>),
    /// --all-topics
    AllTopics,
    /// --from-file
    File(Vec<(PartitionName, Option<Boundary>)>),
}

/// A request to a group's coordinator, partitions by name: one that does not exist is sent all
/// the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GroupCall {
    /// OffsetCommit.
    Commit {
        /// The group.
        group: Rc<str>,
        /// In whose name.
        member: MemberRef,
        /// Next positions (boundaries).
        offsets: Vec<(PartitionName, Committed)>,
    },
    /// OffsetFetch.
    Offsets {
        /// The group.
        group: Rc<str>,
        /// Which; `None`: all.
        partitions: Option<Vec<PartitionName>>,
        /// Not while a transactional commit is pending.
        require_stable: bool,
    },
    /// JoinGroup (classic).
    Join {
        /// The group.
        group: Rc<str>,
        /// The member id, empty to be given one.
        member: Rc<str>,
        /// group.instance.id
        instance: Option<Rc<str>>,
        /// session.timeout.ms and rebalance timeout, ms
        timeouts: (Ms, Ms),
        /// Topics.
        topics: Vec<Rc<str>>,
    },
    /// SyncGroup, with the assignment of each member if it is the leader's.
    Sync {
        /// The group.
        group: Rc<str>,
        /// Who.
        member: MemberRef,
        /// By member id.
        assignments: Vec<(Rc<str>, Vec<PartitionName>)>,
    },
    /// Heartbeat (classic).
    Beat {
        /// The group.
        group: Rc<str>,
        /// Who.
        member: MemberRef,
    },
    /// LeaveGroup (classic).
    Leave {
        /// The group.
        group: Rc<str>,
        /// Who.
        member: MemberRef,
    },
    /// ConsumerGroupHeartbeat.
    ConsumerBeat {
        /// The group.
        group: Rc<str>,
        /// Who; the generation is the member epoch.
        member: MemberRef,
        /// Topics; `None`: unchanged.
        topics: Option<Vec<Rc<str>>>,
        /// Partitions it holds; `None`: unchanged.
        owned: Option<Vec<PartitionName>>,
    },
    /// DescribeGroups.
    Describe {
        /// The group.
        group: Rc<str>,
    },
    /// DeleteGroups.
    Delete {
        /// The group.
        group: Rc<str>,
    },
    /// OffsetDelete.
    DeleteOffsets {
        /// The group.
        group: Rc<str>,
        /// Which.
        partitions: Vec<PartitionName>,
    },
}
