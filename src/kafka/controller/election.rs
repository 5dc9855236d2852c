//! Fencing, unfencing and elections: which partitions a change of a broker's state touches.

use super::Controller;
use super::change_builder::{ChangeBuilder, Election};
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Cause, EventKind};
use crate::kafka::ids::{BrokerId, BrokerSet, Ms, Tp};
use crate::kafka::metadata::{ChangeReason, MetaRecord, PartitionReg};
use crate::kafka::out::Out;
use std::rc::Rc;

/// What happens to one broker, for all its partitions (ReplicationControlManager,
/// generateLeaderAndIsrUpdates).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BrokerMove {
    /// Leaves every ISR and may not lead.
    pub(super) remove: Option<BrokerId>,
    /// May lead from now on.
    pub(super) add: Option<BrokerId>,
    /// Leaves every ISR and ELR and may not lead (R-FEN-8).
    pub(super) unclean: Option<BrokerId>,
}

impl Controller {
    /// Registered, unfenced and not shutting down (R-ELE-1).
    pub(super) fn active(&self, broker: BrokerId) -> bool {
        self.image()
            .brokers
            .get(&broker)
            .is_some_and(|b| b.active())
    }

    /// unclean.leader.election.enable of a partition's topic.
    pub fn unclean_enabled(&self, tp: Tp) -> bool {
        self.image()
            .topic_reg(tp.topic)
            .and_then(|t| t.config.unclean_leader_election)
            .unwrap_or(self.static_unclean)
    }

    /// The election that an event of the cluster holds in a partition (R-ELE-7).
    pub(super) fn election_of(&self, tp: Tp) -> Election {
        if self.unclean_enabled(tp) {
            Election::Unclean
        } else {
            Election::Online
        }
    }

    pub(super) fn min_isr(&self, tp: Tp) -> u32 {
        self.image().effective_min_isr(tp, self.static_min_isr)
    }

    /// Builds a change of a partition with the brokers as they stand.
    pub(super) fn build_change(
        &self,
        tp: Tp,
        reg: &PartitionReg,
        set: impl FnOnce(&mut ChangeBuilder<'_>),
    ) -> Option<PartitionReg> {
        let acceptable = |b: BrokerId| self.active(b);
        let mut change = ChangeBuilder::new(reg, &acceptable, self.min_isr(tp), self.switches.elr);
        set(&mut change);
        change.build()
    }

    /// Writes a change record and notes the event.
    pub(super) fn write_change(
        &mut self,
        tp: Tp,
        new: PartitionReg,
        why: ChangeReason,
        out: &mut Out,
    ) -> (Rc<PartitionReg>, Cause) {
        let new = Rc::new(new);
        let old = self.image().partitions.get(&tp).cloned();
        let cause = out.emit(EventKind::PartitionChanged {
            tp,
            old,
            new: new.clone(),
            why,
        });
        self.log.append(
            MetaRecord::Partition {
                tp,
                reg: new.clone(),
                why,
            },
            cause,
        );
        (new, cause)
    }

    /// The changes of all partitions that the move of a broker touches.
    pub(super) fn plan_move(&self, what: BrokerMove) -> Vec<(Tp, PartitionReg)> {
        let image = self.image();
        let mut changes = Vec::new();
        let gone: BrokerSet = what.remove.into_iter().chain(what.unclean).collect();
        let acceptable = |b: BrokerId| {
            !gone.contains(b)
                && (what.add == Some(b) || image.brokers.get(&b).is_some_and(|r| r.active()))
        };
        for (&tp, reg) in &image.partitions {
            let touched = !reg.isr.intersect(gone).is_empty()
                || what.unclean.is_some_and(|b| reg.elr.contains(b))
                || (what.add.is_some() && reg.leader.is_none());
            if !touched {
                continue;
            }
            let mut change =
                ChangeBuilder::new(reg, &acceptable, self.min_isr(tp), self.switches.elr);
            change.isr = reg.isr.minus(gone);
            change.unclean_shutdown = what.unclean.into_iter().collect();
            change.election = self.election_of(tp);
            changes.extend(change.build().map(|new| (tp, new)));
        }
        changes
    }

    pub(super) fn write_changes(
        &mut self,
        changes: Vec<(Tp, PartitionReg)>,
        why: ChangeReason,
        out: &mut Out,
    ) {
        for (tp, new) in changes {
            self.write_change(tp, new, why, out);
        }
    }

    /// R-FEN-3: out of every ISR and leadership, then marked fenced.
    pub(super) fn write_fenced(&mut self, broker: BrokerId, why: ChangeReason, out: &mut Out) {
        let what = BrokerMove {
            remove: Some(broker),
            ..BrokerMove::default()
        };
        let changes = self.plan_move(what);
        self.write_changes(changes, why, out);
        self.log.append(
            MetaRecord::BrokerChange {
                id: broker,
                fenced: Some(true),
                in_controlled_shutdown: Some(false),
            },
            out.cause,
        );
        if let Some(live) = self.liveness.get_mut(&broker) {
            live.shutdown_offset = None;
        }
    }

    /// The session of a broker has ended (R-FEN-3); `silent` since its last heartbeat.
    pub(super) fn fence_for_silence(&mut self, broker: BrokerId, silent: Ms, out: &mut Out) {
        let outer = out.cause;
        out.cause = out.emit(EventKind::FencedBroker { broker, silent });
        self.write_fenced(broker, ChangeReason::Fenced(broker), out);
        out.cause = outer;
    }

    /// R-FEN-6: marked unfenced, then leaderless partitions that it can lead get a leader.
    pub(super) fn write_unfenced(&mut self, broker: BrokerId, out: &mut Out) -> Cause {
        let outer = out.cause;
        let cause = out.emit(EventKind::UnfencedBroker { broker });
        out.cause = cause;
        self.log.append(
            MetaRecord::BrokerChange {
                id: broker,
                fenced: Some(false),
                in_controlled_shutdown: None,
            },
            cause,
        );
        let what = BrokerMove {
            add: Some(broker),
            ..BrokerMove::default()
        };
        let changes = self.plan_move(what);
        self.write_changes(changes, ChangeReason::Unfenced(broker), out);
        out.cause = outer;
        cause
    }

    /// Holds a broker's session to have ended, by hand.
    pub fn fence(&mut self, broker: BrokerId, out: &mut Out) {
        if self.image().brokers.get(&broker).is_some_and(|b| !b.fenced) {
            let silent = self
                .last_contact(broker)
                .map_or(Ms(0), |at| out.now.since(at));
            self.fence_for_silence(broker, silent, out);
            self.log.answer_parked(out);
        }
    }

    /// Takes a registered, fenced broker back, by hand.
    pub fn unfence(&mut self, broker: BrokerId, out: &mut Out) {
        if self.image().brokers.get(&broker).is_some_and(|b| b.fenced) {
            self.write_unfenced(broker, out);
            self.log.answer_parked(out);
        }
    }

    /// ElectLeaders (R-ELE-9). With `None` for all partitions, those that need no election are
    /// left out of the answer.
    pub fn elect_leaders(
        &mut self,
        unclean: bool,
        partitions: Option<&[Tp]>,
        out: &mut Out,
    ) -> Vec<(Tp, Result<(), KafkaError>)> {
        let why = ChangeReason::ElectLeaders { unclean };
        let all: Vec<Tp> = match partitions {
            Some(named) => named.to_vec(),
            None => self.image().partitions.keys().copied().collect(),
        };
        let mut results = Vec::with_capacity(all.len());
        for tp in all {
            let result = self.elect_leader(tp, unclean, why, out);
            if partitions.is_some() || result != Err(KafkaError::ElectionNotNeeded) {
                results.push((tp, result));
            }
        }
        self.log.answer_parked(out);
        results
    }

    /// One election asked for (R-ELE-3, R-ELE-4, R-ELE-9).
    pub(super) fn elect_leader(
        &mut self,
        tp: Tp,
        unclean: bool,
        why: ChangeReason,
        out: &mut Out,
    ) -> Result<(), KafkaError> {
        let Some(reg) = self.image().partitions.get(&tp).cloned() else {
            return Err(KafkaError::UnknownTopicOrPartition);
        };
        let right = if unclean {
            reg.leader.is_some()
        } else {
            reg.leader.is_some() && reg.leader == reg.replicas.first().copied()
        };
        if right {
            return Err(KafkaError::ElectionNotNeeded);
        }
        let change = self.build_change(tp, &reg, |c| {
            c.election = if unclean {
                Election::Unclean
            } else {
                Election::Preferred
            }
        });
        match change {
            Some(new) => {
                self.write_change(tp, new, why, out);
                Ok(())
            }
            None if unclean => Err(KafkaError::EligibleLeadersNotAvailable),
            None => Err(KafkaError::PreferredLeaderNotAvailable),
        }
    }
}
