//! The last stable offset: I17.

use super::*;
use crate::kafka::map::Map;

impl Look<'_> {
    /// I17: the last stable offset is in front of the first transaction that is open, or whose
    /// marker is not below the high watermark; without one it is the high watermark (R-LSO-1,
    /// R-LSO-2).
    pub(super) fn stable_is_right(&self, id: BrokerId, log: &Log, found: &mut Found) {
        let hw = log.high_watermark();
        let stable = log.last_stable();
        // The cleaner stops at the first unstable record: behind it every batch is as it was.
        let cleaned = log.cleaned_to().unwrap_or_default();
        let mut open: Map<i64, Boundary> = Map::new();
        let mut first = None;
        for batch in log.batches().iter().filter(|b| b.end() > cleaned) {
            let Some(producer) = batch.stamp.map(|s| s.producer_id) else {
                continue;
            };
            if batch.control.is_some() {
                if let Some(from) = open.remove(&producer)
                    && batch.end() > hw
                {
                    first = Some(first.map_or(from, |f: Boundary| f.min(from)));
                }
            } else if batch.transactional {
                open.entry(producer).or_insert(batch.base.before());
            }
        }
        let first = open.into_values().chain(first).min();
        let expected = first.map_or(hw, |f| f.max(log.start()).min(hw));
        // Where the first records of a transaction were deleted, what is left of it begins later.
        let wrong = if log.start() > Boundary(0) {
            stable > expected
        } else {
            stable != expected
        };
        if wrong {
            let text = format!(
                "broker {id} has {} with the last stable offset {stable}; its transactions and the high watermark {hw} make it {expected}",
                self.name()
            );
            found.add(LSO_CORRECT, self.tp, text);
        }
    }
}

impl World {
    /// I17: a leader's last stable offset does not fall within its epoch.
    pub(super) fn observe_stable(&mut self, id: BrokerId, tp: Tp, found: &mut Found) {
        let broker = self.machines.get(&id).and_then(|m| m.broker());
        let Some(replica) = broker.and_then(|b| b.replicas.get(&tp)) else {
            return;
        };
        if replica.leader().is_none() {
            self.ghost.stable.0.remove(&(id, tp));
            return;
        }
        let now = (replica.leader_epoch, replica.log.last_stable());
        let before = self.ghost.stable.0.insert((id, tp), now);
        if let Some((epoch, from)) = before
            && epoch == now.0
            && now.1 < from
        {
            let text = format!(
                "the last stable offset of {} fell from {from} to {} on its leader, broker {id}, in epoch {epoch}",
                self.controller.image().partition_name(tp),
                now.1
            );
            found.add(LSO_CORRECT, tp, text);
        }
    }
}
