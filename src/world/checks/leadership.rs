//! Who leads, who may lead, and what the high watermark rests on: I05 to I10, I12.

use super::logs::value;
use super::*;
use crate::kafka::batch::Record;
use crate::world::truth::{Seen, record};

const END: Boundary = Boundary(i64::MAX);

impl Look<'_> {
    pub(super) fn leaders_are_sound(&self, found: &mut Found) {
        for id in self.reg.isr.union(self.reg.elr).iter() {
            self.candidate(id, found);
        }
        for id in self.world.machines.keys() {
            self.leader(*id, found);
        }
        if self.depth == Depth::Whole {
            self.nothing_is_gone(found);
        }
    }

    /// I06, I07: who leads or may be elected has every committed record (R-INV-2).
    fn candidate(&self, id: BrokerId, found: &mut Found) {
        if !self.truth.holds_good() {
            return;
        }
        let Some(replica) = self.world.live(id).and_then(|b| b.replicas.get(&self.tp)) else {
            return;
        };
        let Some((epoch, known)) = self.truth.lacking(&replica.log, END, self.depth) else {
            return;
        };
        let what = self.missing(*epoch, known);
        let leads = self.reg.leader == Some(id)
            && replica.leader_epoch == self.reg.leader_epoch
            && replica.leader().is_some();
        if leads {
            let epoch = self.reg.leader_epoch;
            let text = format!(
                "broker {id} leads {} in epoch {epoch} and lacks {what}",
                self.name()
            );
            found.add(LEADER_COMPLETE, self.tp, text);
        } else {
            let set = if self.reg.isr.contains(id) {
                "ISR"
            } else {
                "ELR"
            };
            let text = format!(
                "broker {id} is in the {set} of {} and lacks {what}",
                self.name()
            );
            found.add(CANDIDATE_COMPLETE, self.tp, text);
        }
    }

    fn missing(&self, epoch: Epoch, known: &Record) -> String {
        format!(
            "record {} ({}, epoch {epoch}), which is committed: the high watermark was {}",
            known.offset,
            value(known),
            self.truth.high_watermark
        )
    }

    fn leader(&self, id: BrokerId, found: &mut Found) {
        let node = self.world.machines.get(&id).and_then(|m| m.broker());
        let Some(replica) = node.and_then(|b| b.replicas.get(&self.tp)) else {
            return;
        };
        let Some(leader) = replica.leader() else {
            return;
        };
        let maximal = leader.maximal_isr();
        // I08: the controller may only think of replicas that the leader counts (R-HW-12).
        let present = self.reg.leader == Some(id) && replica.leader_epoch == self.reg.leader_epoch;
        if present && self.world.live(id).is_some() && !self.reg.isr.is_subset(maximal) {
            let text = format!(
                "the controller's ISR of {} is {}, its leader, broker {id}, counts only {maximal}",
                self.name(),
                self.reg.isr
            );
            found.add(QUORUM, self.tp, text);
        }
        // I02, of a leader: it has made an entry for its own epoch (R-EPC-4).
        if replica.log.latest_epoch() != Some(replica.leader_epoch) {
            let text = format!(
                "broker {id} leads {} in epoch {}, its epoch cache ends with {:?}",
                self.name(),
                replica.leader_epoch,
                replica.log.epochs().entries().last()
            );
            found.add(EPOCH_CACHE, self.tp, text);
        }
        // I09: everybody it counts has what it calls committed.
        if !self.truth.holds_good() || !self.counts(id) {
            return;
        }
        let hw = replica.log.high_watermark();
        let excused = self.truth.damaged.union(self.truth.dismissed);
        for member in maximal.minus(excused).iter() {
            let Some(log) = self.world.log_of(member, self.tp) else {
                continue;
            };
            if log.end() < hw {
                let text = format!(
                    "the high watermark of {} on its leader, broker {id}, is {hw}; broker {member}, which it counts, ends at {}",
                    self.name(),
                    log.end()
                );
                found.add(HW_JUSTIFIED, self.tp, text);
            }
        }
    }

    /// I12: what is committed, and so everything confirmed under acks=all, is on some disk
    /// (R-INV-6).
    fn nothing_is_gone(&self, found: &mut Found) {
        if !self.truth.holds_good() {
            return;
        }
        if self
            .logs()
            .any(|(_, log)| self.truth.lacking(log, END, Depth::Whole).is_none())
        {
            return;
        }
        let gone = self.truth.committed().iter().find(|(epoch, known)| {
            known.offset.before() >= self.truth.start
                && !self.truth.may_be_gone(known)
                && !self.logs().any(|(_, log)| {
                    record(log, known.offset).is_some_and(|(e, has)| e == *epoch && has == known)
                })
        });
        if let Some((epoch, known)) = gone {
            let text = format!("no disk has {} any more", self.missing(*epoch, known));
            found.add(NO_LOSS, self.tp, format!("{}: {text}", self.name()));
        }
    }
}

impl World {
    /// A replica has handled something: I05 (R-INV-4), I09, I10 (R-INV-3), and what is
    /// committed now.
    pub(super) fn observe_replica(&mut self, id: BrokerId, tp: Tp, found: &mut Found) {
        let Some(node) = self.machines.get(&id).and_then(|m| m.broker()) else {
            return;
        };
        let Some(replica) = node.replicas.get(&tp) else {
            return;
        };
        let truth = self.ghost.truth.entry(tp).or_default();
        let epoch = replica.leader_epoch;
        let now = Seen {
            epoch,
            leads: replica.leader().is_some(),
            high_watermark: replica.log.high_watermark(),
        };
        let before = truth.seen.insert(id, now);
        truth.heed(&replica.log);
        let Some(leader) = replica.leader() else {
            return;
        };
        let name = || self.controller.image().partition_name(tp);
        let first = *truth.leaders.entry(epoch).or_insert(id);
        if first != id {
            let text = format!(
                "brokers {first} and {id} both led {} in epoch {epoch}",
                name()
            );
            found.add(ONE_LEADER, tp, text);
        }
        if let Some(before) = before {
            let (from, to) = (before.high_watermark, now.high_watermark);
            let min_isr = replica.effective_min_isr(node.context());
            if to > from && self.common.switches.strict_min_isr && leader.isr.len() < min_isr {
                let text = format!(
                    "the high watermark of {} moved from {from} to {to} with the ISR {} below min.insync.replicas {min_isr}",
                    name(),
                    leader.isr
                );
                found.add(HW_JUSTIFIED, tp, text);
            }
            if before.leads && before.epoch == epoch && to < from {
                let text = format!(
                    "the high watermark of {} fell from {from} to {to} on its leader in epoch {epoch}",
                    name()
                );
                found.add(HW_MONOTONE, tp, text);
            }
        }
        if truth.counts(epoch) {
            truth.commit(&replica.log, now.high_watermark);
        }
    }

    /// What can be relied on from now on.
    pub(super) fn refresh(&mut self, tp: Tp) {
        let image = self.controller.image().clone();
        let Some(reg) = image.partitions.get(&tp) else {
            return;
        };
        let Some(mut truth) = self.ghost.truth.remove(&tp) else {
            return;
        };
        let replica = |id: BrokerId| self.live(id).and_then(|b| b.replicas.get(&tp));
        let depth = self.depth();
        if let Some(id) = reg.leader
            && let Some(replica) = replica(id)
            && replica.leader().is_some()
            && replica.leader_epoch == reg.leader_epoch
        {
            let lost = !truth.holds_good() && truth.lacking(&replica.log, END, depth).is_some();
            if lost || truth.doubt.is_some() {
                let others = self.machines.keys().copied().filter(|b| *b != id).collect();
                truth.give_up(&replica.log, id, reg.leader_epoch, others);
                truth.commit(&replica.log, replica.log.high_watermark());
            }
        }
        // A broker that lost its disk is as good as any once it is back in the ISR.
        for id in truth.damaged.intersect(reg.isr).iter() {
            let whole =
                |r: &crate::kafka::partition::Replica| truth.lacking(&r.log, END, depth).is_none();
            if replica(id).is_some_and(whole) {
                truth.damaged.remove(id);
            }
        }
        for id in truth.unreconciled.iter() {
            let cleared = |r: &crate::kafka::partition::Replica| {
                let hw = r.log.high_watermark();
                truth.counts(r.leader_epoch)
                    && hw <= truth.high_watermark
                    && truth.differing(&r.log, hw, Depth::Whole).is_none()
            };
            if replica(id).is_some_and(cleared) {
                truth.unreconciled.remove(id);
            }
        }
        let min_isr = image.effective_min_isr(tp, self.common.server.min_insync_replicas);
        let well = truth.damaged.is_empty() && truth.doubt.is_none() && reg.isr.len() >= min_isr;
        truth.lowest_min_isr = if well {
            min_isr
        } else {
            truth.lowest_min_isr.min(min_isr)
        };
        self.ghost.truth.insert(tp, truth);
    }
}
