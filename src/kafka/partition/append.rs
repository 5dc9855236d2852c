//! Writing through the leader, and waiting for the high watermark (R-ACK-3 to R-ACK-10).

use super::{Context, Replica};
use crate::kafka::batch::NewBatch;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Cause, EventKind};
use crate::kafka::ids::*;
use crate::kafka::message::{Acks, NodeId};
use crate::kafka::out::Out;

/// A produce request that waits in the leader (DelayedProduce).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Waiting {
    /// The request.
    pub correlation: Correlation,
    /// Who asked.
    pub from: NodeId,
    /// The number of the batch's first record.
    pub base: Offset,
    /// The boundary the high watermark must reach.
    pub until: Boundary,
    /// The event that made it wait.
    pub cause: Cause,
}

/// What to do with a produce request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Produced {
    /// Answer.
    Answer(Result<Offset, KafkaError>),
    /// It waits; answered when the high watermark gets there, or in time-out.
    Waits,
    /// acks=0: nobody is answered.
    Silent,
}

impl Replica {
    /// A produce request (R-ACK-4). Returns what to do and whether the high watermark moved.
    #[allow(clippy::too_many_arguments, reason = "the fields of one request")]
    pub fn produce(
        &mut self,
        correlation: Correlation,
        from: NodeId,
        batch: &NewBatch,
        acks: Acks,
        ctx: Context<'_>,
        out: &mut Out,
    ) -> (Produced, bool) {
        let refuse = |error| match acks {
            Acks::None => (Produced::Silent, false),
            _ => (Produced::Answer(Err(error)), false),
        };
        if self.leader().is_none() {
            return refuse(KafkaError::NotLeaderOrFollower);
        }
        if acks == Acks::All && self.under_min_isr(ctx) {
            return refuse(KafkaError::NotEnoughReplicas);
        }
        let rules = self.append_rules(ctx);
        let active = self.log.active_base();
        let appended = match self
            .log
            .append_as_leader(batch, self.leader_epoch, out.now, rules)
        {
            Ok(appended) => appended,
            Err(error) => return refuse(error),
        };
        let mut moved = false;
        let cause = if appended.duplicate {
            out.emit(EventKind::DuplicateFound {
                broker: ctx.me,
                tp: self.tp,
                base: appended.base,
            })
        } else {
            self.cut = Default::default();
            self.report_roll(active, ctx, out);
            let values = if out.recording {
                batch.records.iter().map(|r| r.value.clone()).collect()
            } else {
                Vec::new()
            };
            let cause = out.emit(EventKind::Appended {
                broker: ctx.me,
                tp: self.tp,
                base: appended.base,
                last: appended.last,
                epoch: self.leader_epoch,
                values,
            });
            out.cause = cause;
            moved = self.maybe_increment_high_watermark(ctx, out);
            cause
        };
        let produced = match acks {
            Acks::None => Produced::Silent,
            Acks::Leader => Produced::Answer(Ok(appended.base)),
            Acks::All => {
                let until = appended.last.after();
                match self.reached(until, ctx) {
                    Some(result) => Produced::Answer(result.map(|()| appended.base)),
                    None => {
                        if let NodeId::Client(client) = from {
                            out.emit(EventKind::ProduceWaits {
                                broker: ctx.me,
                                client,
                                tp: self.tp,
                                until,
                            });
                        }
                        let waiting = Waiting {
                            correlation,
                            from,
                            base: appended.base,
                            until,
                            cause,
                        };
                        if let Some(leader) = self.leader_mut() {
                            leader.waiting.push(waiting);
                        }
                        Produced::Waits
                    }
                }
            }
        };
        (produced, moved)
    }

    /// Whether a produce that needs the high watermark at `until` can be answered (R-ACK-5): a
    /// condition on the high watermark, not a count of acknowledgements.
    fn reached(&self, until: Boundary, ctx: Context<'_>) -> Option<Result<(), KafkaError>> {
        let leader = self.leader()?;
        if self.log.high_watermark() < until {
            return None;
        }
        Some(
            if leader.maximal_isr().len() >= self.effective_min_isr(ctx) {
                Ok(())
            } else {
                Err(KafkaError::NotEnoughReplicasAfterAppend)
            },
        )
    }

    /// Takes out the waiting produces that can be answered now.
    pub fn take_reached(&mut self, ctx: Context<'_>) -> Vec<(Waiting, Result<Offset, KafkaError>)> {
        let Some(leader) = self.leader_mut() else {
            return Vec::new();
        };
        if leader.waiting.is_empty() {
            return Vec::new();
        }
        let waiting = std::mem::take(&mut leader.waiting);
        let mut done = Vec::new();
        let mut rest = Vec::new();
        for w in waiting {
            match self.reached(w.until, ctx) {
                Some(result) => {
                    let result = result.map(|()| w.base);
                    done.push((w, result));
                }
                None => rest.push(w),
            }
        }
        if let Some(leader) = self.leader_mut() {
            leader.waiting = rest;
        }
        done
    }

    /// Takes out a waiting produce whose time is over.
    pub fn take_waiting(&mut self, correlation: Correlation) -> Option<Waiting> {
        let waiting = &mut self.leader_mut()?.waiting;
        let at = waiting.iter().position(|w| w.correlation == correlation)?;
        Some(waiting.remove(at))
    }
}
