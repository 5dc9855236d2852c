//! `kafka-consumer-groups --reset-offsets`: plan and execution (section F10).

mod plan;
pub mod text;
mod tool;

pub use plan::{Known, plan};
pub use tool::ResetTool;

use crate::kafka::error::KafkaError;
use crate::kafka::group::message::GroupState;
use crate::kafka::ids::*;
use std::rc::Rc;

/// What the tool is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reset {
    /// The group.
    pub group: Rc<str>,
    /// Which partitions.
    pub scope: ResetScope,
    /// Where to.
    pub to: ResetTo,
    /// --execute rather than a plan alone (R-RSO-2).
    pub execute: bool,
}

/// Which partitions are reset (R-RSO-3).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ResetScope {
    /// --topic t or --topic t:0,1 (repeatable).
    Topics(Vec<(TopicId, Option<Vec<u16>>)>),
    /// --all-topics: all partitions with a commit of the group.
    AllTopics,
    /// --from-file: each with its own position; without one: 0 (R-RSO-10).
    File(Vec<(Tp, Option<Boundary>)>),
}

/// Where to (R-RSO-4, R-RSO-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResetTo {
    /// --to-earliest
    Earliest,
    /// --to-latest
    Latest,
    /// --to-current
    Current,
    /// --to-offset
    Offset(Boundary),
    /// --shift-by
    ShiftBy(i64),
    /// --to-datetime, ms
    Datetime(Ms),
    /// --by-duration, ms back from now
    ByDuration(Ms),
    /// the positions of --from-file
    FromFile,
}

/// Why a planned position is not the one asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResetWarning {
    /// Lower than the earliest: set to it.
    LowerThanEarliest {
        /// What was asked for.
        asked: Boundary,
        /// What it became.
        set: Boundary,
    },
    /// Higher than the latest: set to it.
    HigherThanLatest {
        /// What was asked for.
        asked: Boundary,
        /// What it became.
        set: Boundary,
    },
    /// No record at or after the time: the latest (R-RSO-5).
    NothingAtTime,
}

/// One line of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ResetLine {
    /// Which partition.
    pub tp: Tp,
    /// What was committed.
    pub current: Option<Boundary>,
    /// The new position (boundary).
    pub new: Boundary,
    /// What the tool warns of.
    pub warning: Option<ResetWarning>,
}

/// What the tool came to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ResetOutcome {
    /// The plan, and whether it was carried out.
    Planned {
        /// Its lines.
        lines: Vec<ResetLine>,
        /// --execute
        executed: bool,
    },
    /// The group has members: refused, exit status 0 (R-RSO-1, R-RSO-8).
    Running(GroupState),
    /// --shift-by without a commit: IllegalArgumentException, exit status 1 (R-RSO-8).
    NothingCommitted(Tp),
    /// Partitions of a known topic that do not exist (R-RSO-6).
    NoSuchPartitions(Vec<Tp>),
    /// Another error (unknown topic, no leader, no coordinator).
    Failed(KafkaError),
}
