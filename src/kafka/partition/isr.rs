//! Changes of the ISR, as the leader asks for them and learns them (R-ISR-1 to R-ISR-6,
//! R-ALT-3 to R-ALT-5).

use super::{Context, Replica};
use crate::kafka::error::KafkaError;
use crate::kafka::event::{EventKind, IsrMove};
use crate::kafka::ids::*;
use crate::kafka::message::{Body, NodeId};
use crate::kafka::metadata::{PartitionReg, Recovery};
use crate::kafka::out::{BrokerTimer, Out, Timer};

/// A change of the ISR that the leader has asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pending {
    /// What is to change.
    pub what: IsrMove,
    /// The ISR asked for.
    pub asked: BrokerSet,
    /// The request that has no answer yet. `None`: refused in a way that leaves the state pending
    /// until metadata comes (R-ALT-3).
    pub in_flight: Option<Correlation>,
}

impl Pending {
    /// The maximal ISR (R-HW-12): a joiner counts at once, a leaver until the controller agrees.
    pub fn maximal(&self, isr: BrokerSet) -> BrokerSet {
        match self.what {
            IsrMove::Expand(broker) => isr.with(broker),
            IsrMove::Shrink(_) => isr,
        }
    }
}

impl Replica {
    /// At a follower's fetch: asks to let it into the ISR if it is due (R-ISR-3, R-ISR-5).
    pub fn maybe_expand_isr(&mut self, follower: BrokerId, ctx: Context<'_>, out: &mut Out) {
        let high_watermark = self.log.high_watermark();
        let Some(leader) = self.leader() else { return };
        let Some(end) = leader.remotes.get(&follower).and_then(|r| r.log_end) else {
            return;
        };
        let reached = end >= high_watermark
            && (!ctx.switches.expand_requires_epoch_start || end >= leader.epoch_start);
        if leader.pending.is_some()
            || leader.isr.contains(follower)
            || !reached
            || !leader.eligible(follower, ctx)
        {
            return;
        }
        let asked = leader.isr.with(follower);
        self.ask(IsrMove::Expand(follower), asked, ctx, out);
    }

    /// Every replica.lag.time.max.ms / 2: asks to remove whoever lags (R-ISR-1, R-LDR-4).
    pub fn maybe_shrink_isr(&mut self, ctx: Context<'_>, out: &mut Out) {
        let end = self.log.end();
        let Some(leader) = self.leader() else { return };
        if leader.pending.is_some() {
            return;
        }
        let lagging: BrokerSet = leader
            .isr
            .iter()
            .filter(|b| *b != ctx.me)
            .filter(|b| {
                leader
                    .remotes
                    .get(b)
                    .is_none_or(|r| !r.caught_up(end, out.now, ctx.server.replica_lag_time_max))
            })
            .collect();
        if !lagging.is_empty() {
            let asked = leader.isr.minus(lagging);
            self.ask(IsrMove::Shrink(lagging), asked, ctx, out);
        }
    }

    fn ask(&mut self, what: IsrMove, asked: BrokerSet, ctx: Context<'_>, out: &mut Out) {
        let because = match (&what, self.leader()) {
            (IsrMove::Expand(b), Some(l)) => l.remotes.get(b).map(|r| r.cause).unwrap_or_default(),
            _ => out.cause,
        };
        let cause = out.emit_because(
            EventKind::IsrChangeAsked {
                leader: ctx.me,
                tp: self.tp,
                isr: asked,
                what,
            },
            &[because],
        );
        if let Some(leader) = self.leader_mut() {
            leader.pending = Some(Pending {
                what,
                asked,
                in_flight: None,
            });
        }
        let before = std::mem::replace(&mut out.cause, cause);
        self.send_pending(ctx, out);
        out.cause = before;
    }

    /// Sends (again) the change under way.
    pub fn send_pending(&mut self, ctx: Context<'_>, out: &mut Out) {
        let (tp, leader_epoch, partition_epoch) =
            (self.tp, self.leader_epoch, self.partition_epoch);
        let Some(broker_epoch) = ctx.my_epoch else {
            return;
        };
        let Some(leader) = self.leader_mut() else {
            return;
        };
        let Some(pending) = &leader.pending else {
            return;
        };
        let isr = pending
            .asked
            .iter()
            .map(|b| {
                // The leader vouches for the start of the broker whose fetches it has seen (KIP-903).
                let epoch = if !ctx.switches.broker_epoch_check {
                    None
                } else if b == ctx.me {
                    Some(broker_epoch)
                } else {
                    leader.remotes.get(&b).and_then(|r| r.broker_epoch)
                };
                (b, epoch)
            })
            .collect();
        // The first change that a leader in recovery asks for ends the recovery (R-ELE-11).
        let body = Body::AlterPartition {
            broker_epoch,
            tp,
            leader_epoch,
            partition_epoch,
            isr,
            recovery: Recovery::Recovered,
        };
        let correlation = out.request(NodeId::Broker(ctx.me), NodeId::Controller, body, out.cause);
        if let Some(pending) = &mut leader.pending {
            pending.in_flight = Some(correlation);
        }
    }

    /// The controller's answer (R-ALT-3, R-ALT-4). Returns whether the high watermark moved.
    pub fn isr_answer(
        &mut self,
        correlation: Correlation,
        result: &Result<crate::kafka::message::AlteredPartition, KafkaError>,
        incarnation: u32,
        ctx: Context<'_>,
        out: &mut Out,
    ) -> bool {
        let tp = self.tp;
        let (leader_epoch, partition_epoch) = (self.leader_epoch, self.partition_epoch);
        let Some(leader) = self.leader_mut() else {
            return false;
        };
        let Some(pending) = &mut leader.pending else {
            return false;
        };
        if pending.in_flight != Some(correlation) {
            return false; // an answer for a state that has been replaced meanwhile
        }
        match result {
            Err(error) => {
                use KafkaError as K;
                out.emit(EventKind::IsrChangeRefused {
                    leader: ctx.me,
                    tp,
                    error: *error,
                });
                match error {
                    K::IneligibleReplica | K::OperationNotAttempted => leader.pending = None,
                    K::UnknownTopicOrPartition
                    | K::UnknownTopicId
                    | K::FencedLeaderEpoch
                    | K::InvalidUpdateVersion
                    | K::InvalidRequest
                    | K::NewLeaderElected => pending.in_flight = None,
                    _ => {
                        let what = BrokerTimer::RetryAlterPartition(tp);
                        out.remind(
                            out.now.plus(Ms(50)),
                            Timer::Broker {
                                broker: ctx.me,
                                incarnation,
                                what,
                            },
                        );
                    }
                }
                false
            }
            Ok(altered) => {
                let reg = &altered.reg;
                if reg.leader_epoch != leader_epoch || reg.partition_epoch < partition_epoch {
                    // It waits for the metadata that explains the answer.
                    pending.in_flight = None;
                    return false;
                }
                self.learn_isr(reg, ctx, out);
                self.maybe_increment_high_watermark(ctx, out)
            }
        }
    }

    /// Takes over the ISR the controller has accepted.
    pub(super) fn learn_isr(&mut self, reg: &PartitionReg, ctx: Context<'_>, out: &mut Out) {
        self.partition_epoch = reg.partition_epoch;
        let tp = self.tp;
        let Some(leader) = self.leader_mut() else {
            return;
        };
        let from = leader.isr;
        leader.isr = reg.isr;
        leader.recovery = reg.recovery;
        leader.pending = None;
        if from != reg.isr {
            out.emit(EventKind::IsrLearned {
                leader: ctx.me,
                tp,
                from,
                to: reg.isr,
            });
        }
    }
}
