//! The controller's own state: I15, and what its elections mean for what is committed.

use super::*;
use crate::kafka::metadata::Recovery;

impl Look<'_> {
    /// I15: ISR and ELR are disjoint parts of the assignment; nobody is in the ELR while the ISR is
    /// large enough; the leader is in the ISR (R-INV-4); nobody fenced is, but for the last member without
    /// ELR (R-FEN-4).
    pub(super) fn controller_is_sane(&self, found: &mut Found) {
        let reg = self.reg;
        let image = self.world.controller.image();
        let mut wrong = |what: String| {
            let text = format!("{}: {what}", self.name());
            found.add(CONTROLLER_SANE, self.tp, text);
        };
        let replicas: BrokerSet = reg.replicas.iter().copied().collect();
        if !reg.isr.is_subset(replicas) || !reg.elr.is_subset(replicas) {
            wrong(format!(
                "ISR {} and ELR {} are not within the assignment {replicas}",
                reg.isr, reg.elr
            ));
        }
        if !reg.isr.intersect(reg.elr).is_empty() {
            wrong(format!("ISR {} and ELR {} overlap", reg.isr, reg.elr));
        }
        let min_isr = self.world.common.server.min_insync_replicas;
        let min_isr = image.effective_min_isr(self.tp, min_isr);
        if reg.isr.len() >= min_isr && !reg.elr.is_empty() {
            wrong(format!(
                "the ELR is {} though the ISR {} has min.insync.replicas {min_isr} members",
                reg.elr, reg.isr
            ));
        }
        if let Some(leader) = reg.leader
            && !reg.isr.contains(leader)
        {
            wrong(format!("leader {leader} is not in the ISR {}", reg.isr));
        }
        // R-RAS-5: cancelling a reassignment may put one into the ISR unseen, if unclean elections
        // are allowed.
        let unseen = reg.leader.is_none() && self.world.controller.unclean_enabled(self.tp);
        let last_of_all = reg.isr.len() == 1 && (unseen || !self.world.common.switches.elr);
        let fenced = |b: &BrokerId| image.brokers.get(b).is_none_or(|r| r.fenced);
        if let Some(id) = reg.isr.iter().find(fenced).filter(|_| !last_of_all) {
            wrong(format!("broker {id} is fenced and in the ISR {}", reg.isr));
        }
    }
}

impl World {
    /// The controller may have written something: I15 for epochs (R-INV-5), and elections that give records up.
    pub(super) fn observe_controller(&mut self, touched: &mut Set<Tp>, found: &mut Found) {
        let image = self.controller.image().clone();
        let before = std::mem::replace(&mut self.ghost.image.0, image.clone());
        if Rc::ptr_eq(&image, &before) {
            return;
        }
        for tp in before.partitions.keys() {
            // Of a deleted topic nothing more is to be expected.
            if !image.partitions.contains_key(tp) {
                self.ghost.truth.remove(tp);
                self.ghost.confirmed.remove(tp);
            }
        }
        let settings =
            image.topics != before.topics || image.cluster_min_isr != before.cluster_min_isr;
        for (tp, new) in &image.partitions {
            let old = before.partitions.get(tp);
            if settings {
                touched.insert(*tp);
            }
            if old.is_some_and(|old| Rc::ptr_eq(old, new)) {
                continue;
            }
            touched.insert(*tp);
            let truth = self.ghost.truth.entry(*tp).or_default();
            let Some(old) = old else { continue };
            let epochs = |r: &PartitionReg| (r.leader_epoch, r.partition_epoch);
            let only_elr = PartitionReg {
                elr: old.elr,
                last_known_elr: old.last_known_elr.clone(),
                ..PartitionReg::clone(new)
            } == **old;
            let risen = new.partition_epoch > old.partition_epoch
                && new.leader_epoch >= old.leader_epoch
                && (new.leader == old.leader || new.leader_epoch > old.leader_epoch);
            if !risen && !only_elr {
                let text = format!(
                    "{}: leader {:?} with epochs {:?} was followed by leader {:?} with epochs {:?}",
                    image.partition_name(*tp),
                    old.leader,
                    epochs(old),
                    new.leader,
                    epochs(new)
                );
                found.add(CONTROLLER_SANE, *tp, text);
            }
            let replicas = |r: &PartitionReg| r.replicas.iter().copied().collect::<BrokerSet>();
            let gone = replicas(old).minus(replicas(new));
            truth.dismissed = truth.dismissed.union(gone).minus(new.isr);
            // R-ELE-3, R-ELE-5: a leader from outside of ISR and ELR may lack committed records; so
            // may one whom a cancelled reassignment put into the ISR.
            let trusted = old.isr.union(old.elr);
            let adding: BrokerSet = old.adding.iter().copied().collect();
            if !new.isr.is_empty() && new.isr.intersect(trusted.union(adding)).is_empty() {
                truth.doubt = Some(new.leader_epoch);
            }
            if let Some(leader) = new.leader
                && new.leader_epoch > old.leader_epoch
                && new.recovery == Recovery::Recovering
                && !trusted.contains(leader)
            {
                truth.doubt = Some(new.leader_epoch);
            }
        }
    }
}
