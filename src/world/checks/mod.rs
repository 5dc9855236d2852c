//! The invariants, checked after every input of a node (at the last record of each log) and, where
//! the setup says so, after every command (at every record). What is found is an event and stays
//! in the picture; nothing is ever hidden. Ids and names as in docs/invariants.md. The rule sheet's
//! own list is among them: R-INV-1 is I01, R-INV-2 I04 and I07, R-INV-3 I09 and I10, R-INV-4 I05
//! and I15, R-INV-5 I15, R-INV-6 I11 and I12, R-INV-7 I03, R-INV-8 I13.

mod clients;
mod controller;
mod fenced;
mod groups;
mod leadership;
mod logs;
mod positions;
mod stable;

use super::World;
use super::setup::Checks;
use super::truth::{Depth, Truth};
use crate::kafka::broker::Broker;
use crate::kafka::event::{Cause, EventKind};
use crate::kafka::group::OFFSETS_TOPIC;
use crate::kafka::ids::*;
use crate::kafka::log::Log;
use crate::kafka::map::Set;
use crate::kafka::metadata::PartitionReg;
use crate::kafka::switches::Switches;
use std::rc::Rc;

/// An invariant that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Violation {
    /// Which: `I07`.
    pub id: &'static str,
    /// Its name: `CandidateCompleteness`.
    pub name: &'static str,
    /// In which partition.
    pub tp: Option<Tp>,
    /// What is the case, with the facts.
    pub text: Rc<str>,
}

/// Where the checks put what they find.
#[derive(Debug, Default)]
pub(super) struct Found(Vec<Violation>);

impl Found {
    fn add(&mut self, (id, name): Invariant, tp: Tp, text: String) {
        self.0.push(Violation {
            id,
            name,
            tp: Some(tp),
            text: text.into(),
        });
    }
}

type Invariant = (&'static str, &'static str);

const LOG_STRUCTURE: Invariant = ("I01", "LogStructure");
const EPOCH_CACHE: Invariant = ("I02", "EpochCacheMatchesLog");
const LOG_MATCHING: Invariant = ("I03", "LogMatching");
const PREFIX_AGREES: Invariant = ("I04", "CommittedPrefixAgrees");
const ONE_LEADER: Invariant = ("I05", "OneLeaderPerEpoch");
const LEADER_COMPLETE: Invariant = ("I06", "LeaderCompleteness");
const CANDIDATE_COMPLETE: Invariant = ("I07", "CandidateCompleteness");
const QUORUM: Invariant = ("I08", "QuorumSuperset");
const HW_JUSTIFIED: Invariant = ("I09", "HwJustified");
const HW_MONOTONE: Invariant = ("I10", "TrueHwMonotone");
const ACK_COMMITTED: Invariant = ("I11", "AckImpliesCommitted");
const NO_LOSS: Invariant = ("I12", "NoGlobalLoss");
const CONSISTENT_READ: Invariant = ("I13", "ConsistentRead");
const VISIBLE_BELOW_HW: Invariant = ("I14", "VisibleBelowHw");
const CONTROLLER_SANE: Invariant = ("I15", "ControllerSane");
const FENCED_CHANGES_NOTHING: Invariant = ("I16", "FencedCannotChange");
const LSO_CORRECT: Invariant = ("I17", "LsoCorrect");
const ONE_OWNER: Invariant = ("I18", "OneOwner");
const COMMIT_FENCED: Invariant = ("I19", "CommitFenced");
const POSITION_LAW: Invariant = ("I20", "PositionLaw");

/// One partition, as the checks look at it.
struct Look<'a> {
    world: &'a World,
    tp: Tp,
    reg: &'a PartitionReg,
    truth: &'a Truth,
    depth: Depth,
}

impl Look<'_> {
    fn name(&self) -> String {
        self.world.controller.image().partition_name(self.tp)
    }

    /// The logs of the partition, on running brokers and on the disks of dead ones.
    fn logs(&self) -> impl Iterator<Item = (BrokerId, &Log)> {
        let brokers = self.world.machines.keys();
        brokers.filter_map(|id| Some((*id, self.world.log_of(*id, self.tp)?)))
    }
}

impl World {
    /// Every invariant that can be read off the present state, at every record.
    pub fn check(&self) -> Vec<Violation> {
        let mut found = Found::default();
        for tp in self.controller.image().partitions.keys() {
            self.check_partition(*tp, Depth::Whole, &mut found);
        }
        self.owners_are_single(Depth::Whole, &mut found);
        found.0
    }

    /// What was found so far, each kind once a partition, in order.
    pub fn violations(&self) -> &[Violation] {
        &self.violations.0
    }

    fn check_partition(&self, tp: Tp, depth: Depth, found: &mut Found) {
        let (Some(reg), Some(truth)) = (
            self.controller.image().partitions.get(&tp),
            self.ghost.truth.get(&tp),
        ) else {
            return;
        };
        let world = self;
        let look = Look {
            world,
            tp,
            reg,
            truth,
            depth,
        };
        look.logs_are_sound(found);
        look.leaders_are_sound(found);
        look.controller_is_sane(found);
    }

    /// A broker that runs and is registered with the controller as what it is.
    fn live(&self, id: BrokerId) -> Option<&Broker> {
        let broker = self.machines.get(&id)?.broker()?;
        let reg = self.controller.image().brokers.get(&id)?;
        (broker.epoch == Some(reg.epoch)).then_some(broker)
    }

    /// A node has handled an input: takes note of what is true now, and looks at the partitions
    /// it touched.
    pub(super) fn observe(&mut self, touched: &[(BrokerId, Tp)]) {
        let mut found = Found::default();
        let mut partitions: Set<Tp> = touched.iter().map(|(_, tp)| *tp).collect();
        self.observe_controller(&mut partitions, &mut found);
        for (id, tp) in touched {
            self.observe_replica(*id, *tp, &mut found);
            self.observe_stable(*id, *tp, &mut found);
        }
        let offsets = self.controller.image().topic(OFFSETS_TOPIC);
        if touched.iter().any(|(_, tp)| Some(tp.topic) == offsets) {
            self.owners_are_single(Depth::Tail, &mut found);
        }
        for tp in partitions {
            self.refresh(tp);
            self.check_partition(tp, Depth::Tail, &mut found);
        }
        self.report(found);
    }

    /// The command is carried out: looks at everything, if that is asked for.
    pub(super) fn check_whole(&mut self) {
        let whole = match self.setup.checks {
            Checks::ByBuild => cfg!(debug_assertions),
            Checks::Cheap => false,
            Checks::Full => true,
        };
        if whole {
            let found = self.check();
            self.report(Found(found));
        }
        debug_assert!(
            self.setup.checks != Checks::ByBuild
                || self.violations.0.is_empty()
                || self.common.switches != Switches::default(),
            "{:?}",
            self.violations.0
        );
    }

    /// Makes events of what is new.
    fn report(&mut self, found: Found) {
        for violation in found.0 {
            let known = |v: &Violation| (v.id, v.tp) == (violation.id, violation.tp);
            if self.violations.0.iter().any(known) {
                continue;
            }
            let (invariant, text) = (violation.id, violation.text.clone());
            self.violations.0.push(violation);
            let mut out = self.out(Cause::default());
            out.emit(EventKind::Violation { invariant, text });
            self.take(out);
        }
    }

    fn depth(&self) -> Depth {
        match self.setup.checks {
            Checks::ByBuild if cfg!(debug_assertions) => Depth::Whole,
            Checks::Full => Depth::Whole,
            _ => Depth::Tail,
        }
    }
}
