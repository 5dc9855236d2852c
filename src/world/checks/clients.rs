//! What clients are told: I11, I13, I14; what they do is looked at in `positions`.

use super::logs::value;
use super::*;
use crate::kafka::batch::Batch;
use crate::kafka::message::{Acks, Body, Fetched, NodeId};
use crate::world::truth::record;

impl World {
    /// A broker answers a client, or a client asks something.
    pub(in crate::world) fn told(
        &mut self,
        from: NodeId,
        to: NodeId,
        body: &Body,
        asked: Option<(Acks, u32)>,
        committed_only: bool,
    ) {
        let mut found = Found::default();
        self.commits(from, body, &mut found);
        let (NodeId::Broker(id), NodeId::Client(_)) = (from, to) else {
            return self.report(found);
        };
        match body {
            Body::ProduceAnswer {
                tp,
                result: Ok(base),
                ..
            } => {
                if let Some((Acks::All, count)) = asked {
                    self.confirmed(id, *tp, *base, count, &mut found);
                }
            }
            Body::FetchAnswer(parts) => {
                for part in parts {
                    if let Ok(fetched) = &part.result {
                        self.visible(id, part.tp, fetched, committed_only, &mut found);
                        self.given(
                            id,
                            part.tp,
                            &fetched.batches,
                            fetched.high_watermark,
                            &mut found,
                        );
                    }
                }
            }
            _ => {}
        }
        self.report(found);
    }

    /// Whether the word of this broker counts, and the guarantees stand.
    fn trusted(&self, id: BrokerId, tp: Tp) -> Option<(&Broker, &Truth)> {
        let broker = self.machines.get(&id)?.broker()?;
        let truth = self.ghost.truth.get(&tp)?;
        let replica = broker.replicas.get(&tp)?;
        let counts = truth.holds_good()
            && truth.counts(replica.leader_epoch)
            && !truth.unreconciled.contains(id);
        counts.then_some((broker, truth))
    }

    /// I11: what is confirmed under acks=all is committed, and on enough disks (R-INV-6).
    fn confirmed(&self, id: BrokerId, tp: Tp, base: Offset, count: u32, found: &mut Found) {
        let Some((broker, truth)) = self.trusted(id, tp) else {
            return;
        };
        let name = || self.controller.image().partition_name(tp);
        let last = Offset(base.0 + i64::from(count.max(1)) - 1);
        if !truth.high_watermark.covers(last) {
            let text = format!(
                "broker {id} confirmed record {last} of {} under acks=all; the high watermark is {}",
                name(),
                truth.high_watermark
            );
            found.add(ACK_COMMITTED, tp, text);
            return;
        }
        let Some((epoch, known)) = truth.record(last) else {
            return; // deleted meanwhile
        };
        let has = |b: &BrokerId| {
            self.log_of(*b, tp)
                .and_then(|log| record(log, last))
                .is_some_and(|(e, has)| e == *epoch && has == known)
        };
        let holders: BrokerSet = self.machines.keys().copied().filter(has).collect();
        let reg = broker
            .image
            .effective_min_isr(tp, self.common.server.min_insync_replicas);
        let min_isr = reg.min(truth.lowest_min_isr);
        if holders.union(truth.damaged).len() < min_isr && last.before() >= truth.start {
            let text = format!(
                "broker {id} confirmed record {last} ({}) of {} under acks=all; only {holders} have it, min.insync.replicas is {min_isr}",
                value(known),
                name()
            );
            found.add(ACK_COMMITTED, tp, text);
        }
    }

    /// I14: a reader is given nothing at or behind the high watermark, and of committed transactions
    /// alone nothing at or behind the last stable offset (R-READ-1, R-ISO-1).
    fn visible(
        &self,
        id: BrokerId,
        tp: Tp,
        fetched: &Fetched,
        committed_only: bool,
        found: &mut Found,
    ) {
        let (bound, what) = if committed_only {
            (fetched.last_stable, "last stable offset")
        } else {
            (fetched.high_watermark, "high watermark")
        };
        let last = fetched.batches.last().map(|b| b.last);
        if let Some(last) = last.filter(|last| !bound.covers(*last)) {
            let text = format!(
                "broker {id} gave a reader {} up to record {last}; its {what} is {bound}",
                self.controller.image().partition_name(tp)
            );
            found.add(VISIBLE_BELOW_HW, tp, text);
        }
    }

    /// I13: a reader is given committed records alone, so none that could change (R-INV-8).
    fn given(&self, id: BrokerId, tp: Tp, batches: &[Batch], hw: Boundary, found: &mut Found) {
        let Some((_, truth)) = self.trusted(id, tp) else {
            return;
        };
        let all = batches
            .iter()
            .flat_map(|b| b.records.iter().map(move |r| (b.epoch, r)));
        for (epoch, given) in all {
            let committed = truth.record(given.offset);
            let same = committed.is_some_and(|(e, known)| *e == epoch && known == given);
            if same || given.offset.before() < truth.start {
                continue;
            }
            let known = match committed {
                Some((epoch, known)) => format!("committed is {} of epoch {epoch}", value(known)),
                None => format!("the high watermark is {}", truth.high_watermark),
            };
            let text = format!(
                "broker {id} gave a reader record {} of {} as {} of epoch {epoch} below its high watermark {hw}; {known}",
                given.offset,
                self.controller.image().partition_name(tp),
                value(given)
            );
            found.add(CONSISTENT_READ, tp, text);
            return;
        }
    }
}
