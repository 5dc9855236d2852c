//! How one change record of a partition comes about (Kafka's PartitionChangeBuilder): from the
//! partition as it is, what is wanted of it, and who can lead, the partition as it will be.

use super::elr;
use crate::kafka::ids::{BrokerId, BrokerSet};
use crate::kafka::metadata::{PartitionReg, Recovery};

/// What kind of election a change may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Election {
    /// Keep the leader if it is valid, else the first valid replica (R-ELE-2).
    Online,
    /// The first of the assignment if it is valid, else as `Online` (R-ELE-4).
    Preferred,
    /// As `Online`, and if that finds nobody the first living replica (R-ELE-3).
    Unclean,
}

/// Who an election found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elected {
    /// The leader; `None` is Kafka's -1.
    pub leader: Option<BrokerId>,
    /// Its log may lack committed records.
    pub unclean: bool,
}

/// A change in the making. The fields start as the partition is; set what is to be different.
pub struct ChangeBuilder<'a> {
    partition: &'a PartitionReg,
    acceptable: &'a dyn Fn(BrokerId) -> bool,
    min_isr: u32,
    elr_on: bool,
    /// The election to hold.
    pub election: Election,
    /// The ISR wanted.
    pub isr: BrokerSet,
    /// The assignment wanted, in order.
    pub replicas: Vec<BrokerId>,
    /// The replicas a reassignment adds.
    pub adding: Vec<BrokerId>,
    /// The replicas a reassignment removes.
    pub removing: Vec<BrokerId>,
    /// Brokers that came back from an unclean stop: in no ELR (R-FEN-8).
    pub unclean_shutdown: BrokerSet,
    /// The recovery state wanted.
    pub recovery: Recovery,
    /// Write a record even if nothing visible changes (a new log directory, R-EPO-1).
    pub always: bool,
}

impl<'a> ChangeBuilder<'a> {
    /// Begins with the partition as it is. `acceptable` says who is alive and may lead
    /// (R-ELE-1), `min_isr` is the effective min.insync.replicas, `elr_on` whether the feature
    /// eligible.leader.replicas.version is 1 (R-ELR-6).
    pub fn new(
        partition: &'a PartitionReg,
        acceptable: &'a dyn Fn(BrokerId) -> bool,
        min_isr: u32,
        elr_on: bool,
    ) -> Self {
        ChangeBuilder {
            partition,
            acceptable,
            min_isr,
            elr_on,
            election: Election::Online,
            isr: partition.isr,
            replicas: partition.replicas.clone(),
            adding: partition.adding.clone(),
            removing: partition.removing.clone(),
            unclean_shutdown: BrokerSet::EMPTY,
            recovery: partition.recovery,
            always: false,
        }
    }

    /// The partition after the change; `None` if nothing would change.
    pub fn build(mut self) -> Option<PartitionReg> {
        let old = self.partition;
        self.complete_reassignment();
        let populated = elr::populate(
            old,
            self.isr,
            self.unclean_shutdown,
            self.min_isr,
            self.elr_on,
        );
        let (mut elr, mut last_known) = (populated.elr, populated.last_known);

        let elected = self.elect(elr);
        let mut leader = old.leader;
        let mut leader_set = false;
        let mut isr_set = false;
        let mut recovery = old.recovery;
        if elected.leader != old.leader {
            leader = elected.leader;
            leader_set = true;
            if let Some(new) = elected.leader {
                if elr.contains(new) || elected.unclean {
                    // R-ELR-3: out of the ELR into an ISR of its own. R-ELE-3: as after an
                    // unclean election, which leaves nobody else to trust.
                    self.isr = BrokerSet::only(new);
                    isr_set = true;
                    elr.remove(new);
                }
                if elected.unclean {
                    recovery = Recovery::Recovering;
                    elr = BrokerSet::EMPTY; // R-ELR-1: whatever the size of the ISR
                }
                // R-ELR-4: remembered only while there is no leader.
                last_known.clear();
            }
        }
        // R-EPO-2: a replica that leaves the assignment must not go on under the same epoch.
        if old.replicas.iter().any(|r| !self.replicas.contains(r)) {
            leader_set = true;
        }
        // R-FEN-4, R-ELE-6: without ELR the last member of the ISR stays in it.
        let isr = if self.isr.is_empty() && !self.elr_on && !isr_set {
            old.isr
        } else {
            self.isr
        };
        if self.elr_on
            && isr.is_empty()
            && !old.isr.is_empty()
            && let Some(last) = old.leader
        {
            last_known = vec![last]; // R-ELR-4
        }
        if self.recovery != old.recovery {
            recovery = self.recovery; // R-ELE-11: asked for by the leader
        }
        elr = self
            .replicas
            .iter()
            .copied()
            .collect::<BrokerSet>()
            .intersect(elr);

        let mut new = PartitionReg {
            replicas: self.replicas,
            adding: self.adding,
            removing: self.removing,
            isr,
            elr,
            last_known_elr: last_known,
            leader,
            leader_epoch: old.leader_epoch,
            partition_epoch: old.partition_epoch,
            recovery,
        };
        if !leader_set && !self.always && new == *old {
            return None;
        }
        if leader_set {
            new.leader_epoch = new.leader_epoch.next(); // R-EPO-1
        }
        new.partition_epoch = new.partition_epoch.next();
        Some(new)
    }

    /// Holds the election on the ISR wanted and this ELR, without making a change of it.
    pub fn elect(&self, elr: BrokerSet) -> Elected {
        let valid = |r: BrokerId| {
            (self.isr.contains(r) || (self.isr.is_empty() && elr.contains(r)))
                && (self.acceptable)(r)
        };
        let clean = |leader| Elected {
            leader,
            unclean: false,
        };
        let unclean = |leader| Elected {
            leader: Some(leader),
            unclean: true,
        };
        if self.election == Election::Preferred
            && let Some(&first) = self.replicas.first()
            && valid(first)
        {
            return clean(Some(first));
        }
        if let Some(leader) = self.partition.leader
            && valid(leader)
        {
            return clean(Some(leader));
        }
        if let Some(&first) = self.replicas.iter().find(|r| valid(**r)) {
            return clean(Some(first));
        }
        // R-ELE-5: the last known leader, whatever its log.
        if self.elr_on
            && self.isr.is_empty()
            && elr.is_empty()
            && let [last] = self.partition.last_known_elr[..]
            && self.replicas.contains(&last) // Kafka does not ask: docs/invariants.md
            && (self.acceptable)(last)
        {
            return unclean(last);
        }
        if self.election == Election::Unclean
            && let Some(&first) = self.replicas.iter().find(|r| (self.acceptable)(**r))
        {
            return unclean(first);
        }
        clean(None)
    }

    /// R-RAS-3: once the ISR covers all replicas that are to stay, the others go in this record.
    fn complete_reassignment(&mut self) {
        if self.adding.is_empty() && self.removing.is_empty() {
            return;
        }
        let staying: Vec<BrokerId> = self
            .replicas
            .iter()
            .copied()
            .filter(|r| !self.removing.contains(r))
            .collect();
        let isr = self.isr.minus(self.removing.iter().copied().collect());
        if staying.is_empty() || !staying.iter().all(|r| isr.contains(*r)) {
            return;
        }
        self.replicas = staying;
        self.isr = isr;
        self.adding.clear();
        self.removing.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kafka::ids::{Epoch, PartitionEpoch};

    fn set(ids: &[u8]) -> BrokerSet {
        ids.iter().map(|b| BrokerId(*b)).collect()
    }
    fn list(ids: &[u8]) -> Vec<BrokerId> {
        ids.iter().map(|b| BrokerId(*b)).collect()
    }
    fn partition(replicas: &[u8], isr: &[u8], elr: &[u8], leader: Option<u8>) -> PartitionReg {
        PartitionReg {
            replicas: list(replicas),
            adding: vec![],
            removing: vec![],
            isr: set(isr),
            elr: set(elr),
            last_known_elr: vec![],
            leader: leader.map(BrokerId),
            leader_epoch: Epoch(4),
            partition_epoch: PartitionEpoch(9),
            recovery: Recovery::Recovered,
        }
    }

    /// R-ELE-2: assignment order decides, not the order of ids; R-EPO-1: both epochs rise.
    #[test]
    fn the_first_valid_replica_of_the_assignment_leads() {
        let old = partition(&[1, 3, 2], &[1, 2, 3], &[], Some(1));
        let mut change = ChangeBuilder::new(&old, &|r| r.0 != 1, 2, true);
        change.isr = set(&[2, 3]);
        let new = change.build().unwrap();
        assert_eq!(new.leader, Some(BrokerId(3)));
        assert_eq!(
            (new.leader_epoch, new.partition_epoch),
            (Epoch(5), PartitionEpoch(10))
        );
    }

    /// R-FEN-4, R-ELE-6 against R-ELR-3, R-ELR-4: the last member with and without ELR.
    #[test]
    fn the_last_isr_member_dies() {
        let old = partition(&[1, 2], &[1], &[], Some(1));
        let after = |elr_on| {
            let mut change = ChangeBuilder::new(&old, &|_| false, 1, elr_on);
            change.isr = BrokerSet::EMPTY;
            change.build().unwrap()
        };
        let (with, without) = (after(true), after(false));
        assert_eq!(
            (with.isr, with.elr, with.leader),
            (set(&[]), set(&[1]), None)
        );
        assert_eq!(with.last_known_elr, list(&[1]));
        assert_eq!(
            (without.isr, without.elr, without.leader),
            (set(&[1]), set(&[]), None)
        );
        assert!(without.last_known_elr.is_empty());
    }

    /// R-ELE-5 as run r10c has it: the record that empties the ELR elects the last known leader.
    #[test]
    fn emptying_the_elr_elects_the_last_known_leader() {
        let mut old = partition(&[1, 2, 3], &[], &[2], None);
        old.last_known_elr = list(&[1]);
        let mut change = ChangeBuilder::new(&old, &|r| r.0 == 1 || r.0 == 3, 2, true);
        change.unclean_shutdown = set(&[2]);
        let new = change.build().unwrap();
        assert_eq!(new.leader, Some(BrokerId(1)));
        assert_eq!(new.isr, set(&[1]));
        assert_eq!((new.elr, new.last_known_elr), (set(&[]), vec![]));
        assert_eq!(new.recovery, Recovery::Recovering);
    }

    /// R-ELE-5, R-RAS-5: a cancelled reassignment does not make one leader whom it removes.
    #[test]
    fn the_last_known_leader_has_to_be_assigned() {
        let mut old = partition(&[4, 2], &[], &[], None);
        old.adding = list(&[4]);
        old.last_known_elr = list(&[4]);
        let mut change = ChangeBuilder::new(&old, &|r| r.0 == 4, 2, true);
        change.replicas = list(&[2]);
        change.adding.clear();
        let new = change.build().unwrap();
        assert_eq!((new.replicas, new.leader), (list(&[2]), None));
    }

    /// R-RAS-3 as runs r19 and r29 have it.
    #[test]
    fn the_join_of_the_last_added_replica_ends_a_reassignment() {
        let mut old = partition(&[4, 2, 1], &[1, 2], &[], Some(1));
        old.adding = list(&[4]);
        old.removing = list(&[1]);
        let mut change = ChangeBuilder::new(&old, &|_| true, 2, true);
        change.isr = set(&[1, 2, 4]);
        let new = change.build().unwrap();
        assert_eq!(new.replicas, list(&[4, 2]));
        assert_eq!((new.isr, new.leader), (set(&[2, 4]), Some(BrokerId(4))));
        assert!(new.adding.is_empty() && new.removing.is_empty());
        assert_eq!(new.leader_epoch, Epoch(5));
    }

    /// R-EPO-2: the leader stays, but a replica left the assignment.
    #[test]
    fn a_replica_that_leaves_the_assignment_raises_the_leader_epoch() {
        let mut old = partition(&[1, 2, 4, 3], &[1, 2, 3], &[], Some(1));
        old.adding = list(&[4]);
        old.removing = list(&[3]);
        let mut change = ChangeBuilder::new(&old, &|_| true, 2, true);
        change.isr = set(&[1, 2, 3, 4]);
        let new = change.build().unwrap();
        assert_eq!(
            (new.leader, new.leader_epoch),
            (Some(BrokerId(1)), Epoch(5))
        );
    }

    /// R-EPO-1 (run r31): nothing visible but the partition epoch.
    #[test]
    fn a_new_log_directory_raises_the_partition_epoch_alone() {
        let old = partition(&[1, 2], &[1, 2], &[], Some(1));
        assert_eq!(ChangeBuilder::new(&old, &|_| true, 1, true).build(), None);
        let mut change = ChangeBuilder::new(&old, &|_| true, 1, true);
        change.always = true;
        let new = change.build().unwrap();
        assert_eq!(new.partition_epoch, PartitionEpoch(10));
        assert_eq!(
            PartitionReg {
                partition_epoch: old.partition_epoch,
                ..new
            },
            old
        );
    }
}
