//! The leader's high watermark (R-HW-10 to R-HW-18). That it stands still below
//! min.insync.replicas is what makes eligible leader replicas safe (R-ELR-5); with the leader
//! alone in the ISR and a minimum of 1 it moves at once, also on a leader that is cut off
//! (R-ZOM-4).

use super::{Context, Leader, Replica};
use crate::kafka::event::{Cause, EventKind, HwTerm, TermKind};
use crate::kafka::ids::*;
use crate::kafka::out::Out;

impl Leader {
    /// Whether a replica might be let into the ISR (R-ISR-4, R-CSD-4): not fenced, not shutting down, and
    /// its fetches come from the start of the broker that the controller knows.
    pub fn eligible(&self, broker: BrokerId, ctx: Context<'_>) -> bool {
        let Some(reg) = ctx.image.brokers.get(&broker) else {
            return false;
        };
        let Some(remote) = self.remotes.get(&broker).filter(|r| r.log_end.is_some()) else {
            return false;
        };
        let same_start = !ctx.switches.broker_epoch_check
            || remote.broker_epoch.is_none_or(|epoch| epoch == reg.epoch);
        reg.active() && same_start
    }

    /// The ISR that the high watermark must satisfy: with a joining replica, and without any
    /// shrink that the controller has not accepted (R-HW-12).
    pub fn maximal_isr(&self) -> BrokerSet {
        self.pending
            .as_ref()
            .map_or(self.isr, |p| p.maximal(self.isr))
    }

    /// The terms of HW = min(...) at this moment (R-HW-10, R-HW-11).
    pub fn terms(&self, log_end: Boundary, now: Ms, ctx: Context<'_>) -> Vec<HwTerm> {
        let counted = if ctx.switches.maximal_isr {
            self.maximal_isr()
        } else {
            self.isr
        };
        let mut terms = vec![HwTerm {
            broker: ctx.me,
            log_end: Some(log_end),
            kind: TermKind::Leader,
        }];
        for (&broker, remote) in &self.remotes {
            let kind = if self.isr.contains(broker) {
                TermKind::InIsr
            } else if counted.contains(broker) {
                TermKind::Joining
            } else if remote.caught_up(log_end, now, ctx.server.replica_lag_time_max)
                && self.eligible(broker, ctx)
            {
                TermKind::CaughtUpOutsider
            } else {
                continue;
            };
            terms.push(HwTerm {
                broker,
                log_end: remote.log_end,
                kind,
            });
        }
        terms
    }
}

impl Replica {
    /// Whether the accepted ISR is too small (R-HW-13).
    pub fn under_min_isr(&self, ctx: Context<'_>) -> bool {
        self.leader()
            .is_some_and(|l| l.isr.len() < self.effective_min_isr(ctx))
    }

    /// Looks whether the high watermark can move; called at exactly the moments of R-HW-15.
    /// Returns whether it moved.
    pub fn maybe_increment_high_watermark(&mut self, ctx: Context<'_>, out: &mut Out) -> bool {
        let Some(leader) = self.leader() else {
            return false;
        };
        let from = self.log.high_watermark();
        let end = self.log.end();
        if from == end {
            return false;
        }
        let counted = if ctx.switches.maximal_isr {
            leader.maximal_isr()
        } else {
            leader.isr
        };
        // A replica that has not fetched in this epoch counts as -1 (R-HW-16).
        let mut candidate = end;
        for (&broker, remote) in &leader.remotes {
            let known = remote.log_end.unwrap_or(Boundary(-1));
            if known < candidate
                && (counted.contains(broker)
                    || (remote.caught_up(end, out.now, ctx.server.replica_lag_time_max)
                        && leader.eligible(broker, ctx)))
            {
                candidate = known;
            }
        }
        if candidate <= from {
            return false;
        }
        if ctx.switches.strict_min_isr && self.under_min_isr(ctx) {
            let (isr, min_isr) = (leader.isr.len(), self.effective_min_isr(ctx));
            out.emit(EventKind::HighWatermarkHeld {
                broker: ctx.me,
                tp: self.tp,
                at: from,
                isr,
                min_isr,
            });
            return false;
        }
        if self.log.maybe_increment_high_watermark(candidate).is_none() {
            return false;
        }
        if out.recording
            && let Some(leader) = self.leader()
        {
            let terms = leader.terms(end, out.now, ctx);
            let causes: Vec<Cause> = terms
                .iter()
                .filter_map(|t| leader.remotes.get(&t.broker))
                .map(|r| r.cause)
                .collect();
            let cause = out.emit_because(
                EventKind::HighWatermarkMoved {
                    broker: ctx.me,
                    tp: self.tp,
                    from,
                    to: candidate,
                    terms,
                },
                &causes,
            );
            out.cause = cause;
        }
        true
    }
}
