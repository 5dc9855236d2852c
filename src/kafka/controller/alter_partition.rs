//! A leader asks for another ISR (R-ALT-1, R-ALT-2), a replica for a new log directory.

use super::Controller;
use crate::kafka::error::KafkaError;
use crate::kafka::event::Cause;
use crate::kafka::ids::{BrokerEpoch, BrokerId, BrokerSet, Epoch, PartitionEpoch, Tp};
use crate::kafka::message::AlteredPartition;
use crate::kafka::metadata::{ChangeReason, PartitionReg, Recovery};
use crate::kafka::out::Out;

/// The fields of an AlterPartition request.
pub(super) struct AlterPartition<'a> {
    pub(super) from: BrokerId,
    pub(super) broker_epoch: BrokerEpoch,
    pub(super) tp: Tp,
    pub(super) leader_epoch: Epoch,
    pub(super) partition_epoch: PartitionEpoch,
    pub(super) isr: &'a [(BrokerId, Option<BrokerEpoch>)],
    pub(super) recovery: Recovery,
}

impl Controller {
    fn epoch_is(&self, broker: BrokerId, epoch: BrokerEpoch) -> bool {
        let reg = self.image().brokers.get(&broker);
        reg.is_some_and(|b| b.epoch == epoch)
    }

    pub(super) fn alter_partition(
        &mut self,
        ask: &AlterPartition<'_>,
        out: &mut Out,
    ) -> (Result<AlteredPartition, KafkaError>, Cause) {
        if !self.epoch_is(ask.from, ask.broker_epoch) {
            return (Err(KafkaError::StaleBrokerEpoch), out.cause);
        }
        let Some(reg) = self.image().partitions.get(&ask.tp).cloned() else {
            return (Err(KafkaError::UnknownTopicOrPartition), out.cause);
        };
        if let Err(error) = self.validate(ask, &reg) {
            return (Err(error), out.cause);
        }
        let election = self.election_of(ask.tp);
        let change = self.build_change(ask.tp, &reg, |c| {
            c.isr = ask.isr.iter().map(|(b, _)| *b).collect();
            c.recovery = ask.recovery;
            c.election = election;
        });
        let Some(new) = change else {
            return (Ok(AlteredPartition { reg }), out.cause);
        };
        let why = ChangeReason::AlterPartition { by: ask.from };
        let (new, cause) = self.write_change(ask.tp, new, why, out);
        if new.leader == Some(ask.from) {
            (Ok(AlteredPartition { reg: new }), cause)
        } else {
            // R-ALT-2: the change ended a reassignment that the sender is no longer part of.
            (Err(KafkaError::NewLeaderElected), cause)
        }
    }

    /// R-ALT-1, in Kafka's order.
    fn validate(&self, ask: &AlterPartition<'_>, reg: &PartitionReg) -> Result<(), KafkaError> {
        if ask.leader_epoch > reg.leader_epoch || ask.partition_epoch > reg.partition_epoch {
            return Err(KafkaError::NotController);
        }
        if ask.leader_epoch < reg.leader_epoch {
            return Err(KafkaError::FencedLeaderEpoch);
        }
        if reg.leader != Some(ask.from) {
            return Err(KafkaError::InvalidRequest);
        }
        if ask.partition_epoch < reg.partition_epoch {
            return Err(KafkaError::InvalidUpdateVersion);
        }
        let isr: BrokerSet = ask.isr.iter().map(|(b, _)| *b).collect();
        // A leader is always in its own ISR (R-ISR-9).
        if !isr.iter().all(|b| reg.replicas.contains(&b)) || !isr.contains(ask.from) {
            return Err(KafkaError::InvalidRequest);
        }
        if ask.recovery == Recovery::Recovering
            && (isr.len() > 1 || reg.recovery == Recovery::Recovered)
        {
            return Err(KafkaError::InvalidRequest);
        }
        for (broker, epoch) in ask.isr {
            // KIP-903: the member has to be the very start of the broker that the leader saw.
            let epoch = epoch.filter(|_| self.switches.broker_epoch_check);
            let eligible = self.active(*broker) && epoch.is_none_or(|e| self.epoch_is(*broker, e));
            if !eligible {
                return Err(KafkaError::IneligibleReplica);
            }
        }
        Ok(())
    }

    /// AssignReplicasToDirs: a record that raises the partition epoch, nothing else (R-EPO-1).
    pub(super) fn assign_directory(
        &mut self,
        from: BrokerId,
        broker_epoch: BrokerEpoch,
        tp: Tp,
        out: &mut Out,
    ) -> Cause {
        let Some(reg) = self.image().partitions.get(&tp).cloned() else {
            return out.cause;
        };
        if !self.epoch_is(from, broker_epoch) || !reg.replicas.contains(&from) {
            return out.cause;
        }
        match self.build_change(tp, &reg, |c| c.always = true) {
            Some(new) => {
                let why = ChangeReason::LogDirectory(from);
                self.write_change(tp, new, why, out).1
            }
            None => out.cause,
        }
    }
}
