//! A consumer in a group: subscription, commits, close (sections F3, G).

use super::Consumer;
use crate::kafka::error::KafkaError;
use crate::kafka::group::message::Committed;
use crate::kafka::ids::*;
use crate::kafka::out::Out;
use std::rc::Rc;

/// Where a seek goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SeekTo {
    /// To this boundary.
    Offset(Boundary),
    /// seekToBeginning: to the log start, looked up in the next poll.
    Beginning,
    /// seekToEnd: to the end, looked up in the next poll.
    End,
}

/// How a commit is made (R-COM-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CommitMode {
    /// commitSync: tries again until default.api.timeout.ms.
    Sync,
    /// commitAsync: tries once.
    Async,
}

/// What a call other than poll came to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CallResult {
    /// A commit: done, or the exception.
    Committed(Result<(), CommitException>),
    /// committed(): what is committed for each partition asked for.
    Offsets(Result<Vec<(Tp, Option<Committed>)>, KafkaError>),
    /// close() returned.
    Closed,
}

/// An exception out of a commit (R-COM-9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CommitException {
    /// CommitFailedException: no longer a member; with the broker's error.
    CommitFailed(KafkaError),
    /// RebalanceInProgressException.
    RebalanceInProgress,
    /// RetriableCommitFailedException (commitAsync).
    Retriable(KafkaError),
    /// TimeoutException: retriable errors until the time was over.
    Timeout(KafkaError),
    /// FencedInstanceIdException: fatal.
    FencedInstance,
    /// Another error of Kafka's.
    Other(KafkaError),
    /// IllegalArgumentException: a negative offset (R-COM-2).
    IllegalArgument,
    /// InvalidGroupIdException: no group.id is set.
    NoGroup,
}

/// A client's word on its membership, for pictures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MembershipView {
    /// The group.
    pub group: Option<Rc<str>>,
    /// The member id it has.
    pub member: Option<Rc<str>>,
    /// Generation or member epoch; -1: none.
    pub generation: i32,
    /// Whether it has partitions by subscription.
    pub subscribed: bool,
}

impl Consumer {
    /// Subscribes to topics: partitions come by group membership, in later polls.
    pub fn subscribe(&mut self, _topics: &[TopicId], _out: &mut Out) {}

    /// Sets a position. `false`: the partition is not assigned (IllegalStateException).
    pub fn seek(&mut self, _tp: Tp, _to: SeekTo, _out: &mut Out) -> bool {
        false
    }

    /// Stops (or resumes) fetching of partitions; the assignment stays.
    pub fn pause(&mut self, _tps: &[Tp], _paused: bool) {}

    /// Commits these next positions, or (`None`) the positions of all assigned partitions. `tag`
    /// comes back in [`calls`](Self::calls).
    pub fn commit(
        &mut self,
        _tag: u32,
        _offsets: Option<Vec<(Tp, Committed)>>,
        _mode: CommitMode,
        _out: &mut Out,
    ) {
    }

    /// committed(): asks what is committed for partitions.
    pub fn ask_committed(&mut self, _tag: u32, _tps: Vec<Tp>, _out: &mut Out) {}

    /// close(): commits if enable.auto.commit, leaves the group (R-COM-3; a static member does
    /// not leave, R-REB-8).
    pub fn close(&mut self, _tag: u32, _out: &mut Out) {}

    /// The calls that ended since the last look.
    pub fn calls(&mut self) -> Vec<(u32, CallResult)> {
        Vec::new()
    }

    /// Its membership.
    pub fn membership(&self) -> MembershipView {
        MembershipView::default()
    }

    /// The metric records-lag by partition (R-LAG-1): the end in the last fetch answer (high
    /// watermark, or last stable offset under read_committed) minus the position; `None`: no
    /// answer yet.
    pub fn records_lag(&self) -> Vec<(Tp, Option<i64>)> {
        Vec::new()
    }

    /// Partitions that are assigned.
    pub fn assignment(&self) -> Vec<Tp> {
        self.parts.keys().copied().collect()
    }
}
