//! One replica of a partition on one broker: its log and what the broker believes it is for the
//! partition, leader or follower. Nothing here knows of other partitions or of sockets.

mod append;
mod coordinate;
mod fetch;
mod follower;
mod high_watermark;
mod isr;
mod life;
mod marker;
mod offsets;
mod remote;
mod role;

pub use append::{Produced, Waiting};
pub use fetch::Read;
pub use follower::AfterAnswer;
pub use isr::Pending;
pub use offsets::DeleteWaiting;
pub use remote::Remote;

use super::batch::Batch;
use super::config::ServerConfig;
use super::event::Cause;
use super::ids::*;
use super::log::Log;
use super::log_config::LogSettings;
use super::metadata::{Image, Recovery};
use super::switches::Switches;
use crate::kafka::map::Map;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// What a replica may look at outside itself while it handles an input.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The broker it is on.
    pub me: BrokerId,
    /// That broker's epoch; `None` before it is registered.
    pub my_epoch: Option<BrokerEpoch>,
    /// Settings.
    pub server: &'a ServerConfig,
    /// Historic switches.
    pub switches: &'a Switches,
    /// The metadata this broker has applied.
    pub image: &'a Image,
}

impl<'a> Context<'a> {
    /// The settings of a partition's logs.
    pub fn log_settings(&self, tp: Tp) -> LogSettings<'a> {
        let config = self.image.topic_reg(tp.topic).map(|t| &t.config);
        LogSettings {
            server: &self.server.log,
            topic: config.map(|c| &c.log),
            policy: config.map(|c| c.cleanup_policy).unwrap_or_default(),
        }
    }
}

/// Something kept for a picture only: of no weight when two states are compared.
#[derive(Clone, Debug, Default)]
pub struct Shown<T>(pub T);

impl<T> PartialEq for Shown<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
impl<T> Eq for Shown<T> {}
impl<T> Hash for Shown<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// A replica.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Replica {
    /// Of which partition.
    pub tp: Tp,
    /// Its log.
    pub log: Log,
    /// The leader epoch it is in; -1 before it was told any.
    pub leader_epoch: Epoch,
    /// The partition epoch it is in.
    pub partition_epoch: PartitionEpoch,
    /// What it believes it is.
    pub role: Role,
    /// The batches cut from it by the last truncation, until it appends again.
    pub cut: Shown<Rc<[Batch]>>,
}

/// What a replica believes it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// It leads.
    Leader(Box<Leader>),
    /// It follows.
    Follower(Follower),
}

/// A leader's own knowledge. Made anew for every leader epoch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Leader {
    /// The assignment.
    pub replicas: Vec<BrokerId>,
    /// The ISR the controller has accepted, as far as this leader knows (committed ISR).
    pub isr: BrokerSet,
    /// Recovery state.
    pub recovery: Recovery,
    /// A change of the ISR under way.
    pub pending: Option<Pending>,
    /// The log end when it became leader in this epoch (boundary).
    pub epoch_start: Boundary,
    /// The other replicas, as their fetches tell.
    pub remotes: Map<BrokerId, Remote>,
    /// Produce requests that wait for the high watermark.
    pub waiting: Vec<Waiting>,
    /// DeleteRecords requests that wait for the low watermark.
    pub deletes: Vec<DeleteWaiting>,
    /// The event that made it leader.
    pub cause: Cause,
}

/// A follower's own knowledge.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Follower {
    /// Whom it follows; `None`: nobody leads, or the leader is not known.
    pub leader: Option<BrokerId>,
    /// How its fetching stands.
    pub state: FetchState,
    /// The leader's high watermark minus its own log end at the last answer, at least 0;
    /// `None` before the first answer (R-REP-8 asks).
    pub lag: Option<i64>,
    /// The event that made it follow, or the last that let it go on.
    pub cause: Cause,
}

/// How a follower's fetching stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FetchState {
    /// It fetches from its log end.
    Fetching,
    /// It must first learn where its last epoch ended at the leader (historic: KIP-101, KIP-279).
    AskingEpoch,
    /// Answered OFFSET_OUT_OF_RANGE: it asks for the leader's log end, then log start (R-TRU-7).
    OutOfRange(OutOfRange),
    /// It waits until this time after an error.
    Delayed(Ms),
    /// Fenced by the leader: waits for new metadata (R-REP-7).
    Failed,
}

/// The two questions of R-TRU-7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutOfRange {
    /// Where does the leader's log end?
    AskEnd,
    /// Where does it start?
    AskStart,
}

impl Replica {
    /// A replica that has been told nothing yet.
    pub fn new(tp: Tp, log: Log) -> Self {
        Replica {
            tp,
            log,
            leader_epoch: Epoch(-1),
            partition_epoch: PartitionEpoch(-1),
            role: Role::Follower(Follower {
                leader: None,
                state: FetchState::Fetching,
                lag: None,
                cause: Cause::default(),
            }),
            cut: Shown::default(),
        }
    }

    /// Its knowledge as leader, if it believes it leads.
    pub fn leader(&self) -> Option<&Leader> {
        match &self.role {
            Role::Leader(leader) => Some(leader),
            Role::Follower(_) => None,
        }
    }

    /// The same, to change.
    pub fn leader_mut(&mut self) -> Option<&mut Leader> {
        match &mut self.role {
            Role::Leader(leader) => Some(leader),
            Role::Follower(_) => None,
        }
    }

    /// Its knowledge as follower.
    pub fn follower(&self) -> Option<&Follower> {
        match &self.role {
            Role::Follower(follower) => Some(follower),
            Role::Leader(_) => None,
        }
    }

    /// The same, to change.
    pub fn follower_mut(&mut self) -> Option<&mut Follower> {
        match &mut self.role {
            Role::Follower(follower) => Some(follower),
            Role::Leader(_) => None,
        }
    }

    /// min.insync.replicas, at most the number of assigned replicas (R-HW-14).
    pub fn effective_min_isr(&self, ctx: Context<'_>) -> u32 {
        ctx.image
            .effective_min_isr(self.tp, ctx.server.min_insync_replicas)
    }

    fn note_cut(&mut self, cut: Vec<Batch>) {
        if !cut.is_empty() {
            self.cut = Shown(cut.into());
        }
    }
}
