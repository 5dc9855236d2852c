//! Eligible leader replicas (KIP-966): who is kept as electable below min.insync.replicas, and
//! when that is forgotten.

use super::Controller;
use crate::kafka::event::EventKind;
use crate::kafka::ids::{BrokerId, BrokerSet, TopicId};
use crate::kafka::metadata::{MetaRecord, PartitionReg};
use crate::kafka::out::Out;

/// ELR and last known leader before the election of a change.
pub(super) struct Populated {
    pub(super) elr: BrokerSet,
    pub(super) last_known: Vec<BrokerId>,
}

/// R-ELR-1, R-ELR-2: below min ISR whoever leaves the ISR stays eligible, except after an
/// unclean stop; with enough in the ISR nobody outside of it is needed.
pub(super) fn populate(
    old: &PartitionReg,
    isr: BrokerSet,
    unclean_shutdown: BrokerSet,
    min_isr: u32,
    elr_on: bool,
) -> Populated {
    if !elr_on || isr.len() >= min_isr {
        return Populated {
            elr: BrokerSet::EMPTY,
            last_known: Vec::new(),
        };
    }
    Populated {
        elr: old.elr.union(old.isr).minus(isr).minus(unclean_shutdown),
        last_known: old.last_known_elr.clone(),
    }
}

impl Controller {
    /// R-ELR-8: a new cluster gets the static value as a setting of the whole cluster.
    pub(super) fn write_cluster_min_isr(&mut self, out: &mut Out) {
        if self.switches.elr {
            let record = MetaRecord::ClusterMinIsr(self.static_min_isr);
            self.log.append(record, out.cause);
        }
    }

    /// R-ELR-7: a change of min.insync.replicas makes the ELR meaningless; no epoch moves.
    pub(super) fn clear_elr(&mut self, topic: Option<TopicId>, out: &mut Out) {
        if !self.switches.elr {
            return;
        }
        let any = self.image().partitions.iter().any(|(tp, reg)| {
            topic.is_none_or(|t| t == tp.topic)
                && !(reg.elr.is_empty() && reg.last_known_elr.is_empty())
        });
        let cause = if any {
            out.emit(EventKind::ElrCleared { topic })
        } else {
            out.cause
        };
        self.log.append(MetaRecord::ClearElr { topic }, cause);
    }
}
