//! Reassignment of a partition's replicas (R-RAS-*). An added replica copies like any outside the
//! ISR, and writes go on (R-RAS-2); a change of order alone moves no leader (R-RAS-6).

use super::Controller;
use crate::kafka::error::KafkaError;
use crate::kafka::ids::{BrokerId, BrokerSet, Tp};
use crate::kafka::metadata::{ChangeReason, PartitionReg};
use crate::kafka::out::Out;

impl Controller {
    /// Starts a reassignment to these replicas in this order, or (`None`) cancels the one under
    /// way.
    ///
    /// # Errors
    /// As R-RAS-7; UNKNOWN_TOPIC_OR_PARTITION for a partition that is not there.
    pub fn reassign(
        &mut self,
        tp: Tp,
        target: Option<&[BrokerId]>,
        out: &mut Out,
    ) -> Result<(), KafkaError> {
        let Some(reg) = self.image().partitions.get(&tp).cloned() else {
            return Err(KafkaError::UnknownTopicOrPartition);
        };
        let change = match target {
            Some(target) => {
                self.check_assignment(target)?;
                self.start_reassignment(tp, &reg, target)
            }
            None => self.cancel_reassignment(tp, &reg)?,
        };
        if let Some(new) = change {
            self.write_change(tp, new, ChangeReason::Reassign, out);
            self.log.answer_parked(out);
        }
        Ok(())
    }

    /// R-RAS-1: the target, then those that are to go, by id; R-RAS-4 if nobody is to come.
    fn start_reassignment(
        &self,
        tp: Tp,
        reg: &PartitionReg,
        target: &[BrokerId],
    ) -> Option<PartitionReg> {
        let current: BrokerSet = reg.replicas.iter().copied().collect();
        let wanted: BrokerSet = target.iter().copied().collect();
        let removing: Vec<BrokerId> = current.minus(wanted).iter().collect();
        let adding: Vec<BrokerId> = wanted.minus(current).iter().collect();
        self.build_change(tp, reg, |c| {
            c.replicas = target.iter().chain(&removing).copied().collect();
            if !removing.is_empty() {
                c.removing = removing;
            }
            if !adding.is_empty() {
                c.adding = adding;
            }
        })
    }

    /// R-RAS-5: the merged list without those being added, in its order.
    fn cancel_reassignment(
        &self,
        tp: Tp,
        reg: &PartitionReg,
    ) -> Result<Option<PartitionReg>, KafkaError> {
        if reg.adding.is_empty() && reg.removing.is_empty() {
            return Err(KafkaError::NoReassignmentInProgress);
        }
        let adding: BrokerSet = reg.adding.iter().copied().collect();
        let replicas: Vec<BrokerId> = reg
            .replicas
            .iter()
            .copied()
            .filter(|r| !adding.contains(*r))
            .collect();
        let mut isr = reg.isr.minus(adding);
        if isr.is_empty() && !reg.isr.is_empty() {
            // Only new replicas are in sync: going back would be an unclean election.
            let first = replicas.first().filter(|_| self.unclean_enabled(tp));
            isr.insert(*first.ok_or(KafkaError::InvalidReplicaAssignment)?);
        }
        let election = self.election_of(tp);
        Ok(self.build_change(tp, reg, |c| {
            c.isr = isr;
            c.replicas = replicas;
            c.adding.clear();
            c.removing.clear();
            c.election = election;
        }))
    }

    /// A list of replicas that can be: not empty, registered brokers only, none twice.
    pub(super) fn check_assignment(&self, replicas: &[BrokerId]) -> Result<(), KafkaError> {
        let mut seen = BrokerSet::EMPTY;
        for &broker in replicas {
            if !self.image().brokers.contains_key(&broker) || seen.contains(broker) {
                return Err(KafkaError::InvalidReplicaAssignment);
            }
            seen.insert(broker);
        }
        if seen.is_empty() {
            return Err(KafkaError::InvalidReplicaAssignment);
        }
        Ok(())
    }
}
