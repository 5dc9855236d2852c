//! The follower's side: cutting the log where it parts from the leader's, appending, and taking
//! over the high watermark (R-REP-*, R-TRU-*). Its epoch cache changes by these alone: with nothing
//! to append and nothing to cut, an older entry may stand beside the leader's (R-EPC-6). After an
//! unclean election it loses its tail, also below its own high watermark (R-TRU-8).

use super::{Context, FetchState, OutOfRange, Replica};
use crate::kafka::batch::Batch;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{EventKind, TruncateReason};
use crate::kafka::ids::*;
use crate::kafka::message::{FetchPart, Fetched};
use crate::kafka::out::Out;
use crate::kafka::switches::Truncation;

/// What an answer did to a follower.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AfterAnswer {
    /// Its log or its high watermark changed.
    pub changed: bool,
    /// Its log was cut.
    pub truncated: bool,
}

fn values(batches: &[Batch]) -> Vec<Option<std::rc::Rc<str>>> {
    batches
        .iter()
        .flat_map(|b| b.records.iter().map(|r| r.value.clone()))
        .collect()
}

impl Replica {
    /// What to ask the leader for (R-REP-1).
    pub fn fetch_part(&self, ctx: Context<'_>) -> FetchPart {
        let by_epoch = ctx.switches.truncation == Truncation::OnFetch;
        FetchPart {
            tp: self.tp,
            offset: self.log.end(),
            log_start: self.log.start(),
            current_leader_epoch: Some(self.leader_epoch),
            last_fetched_epoch: self.log.latest_epoch().filter(|_| by_epoch),
        }
    }

    /// On becoming follower: without any epoch known the log is cut to the high watermark
    /// (R-TRU-5); Kafka before 0.11 did so always.
    pub(super) fn maybe_truncate_to_high_watermark(
        &mut self,
        check: bool,
        ctx: Context<'_>,
        out: &mut Out,
    ) {
        let historic = ctx.switches.truncation == Truncation::HighWatermark && check;
        if historic || self.log.latest_epoch().is_none() {
            let to = self.log.high_watermark();
            self.truncate(to, TruncateReason::HighWatermark, ctx, out);
        }
    }

    /// Cuts the log to end at `to`. Returns whether records went.
    pub fn truncate(
        &mut self,
        to: Boundary,
        reason: TruncateReason,
        ctx: Context<'_>,
        out: &mut Out,
    ) -> bool {
        let from = self.log.end();
        let cut = self.log.truncate_to(to);
        self.report_cut(from, cut, reason, ctx, out)
    }

    fn report_cut(
        &mut self,
        from: Boundary,
        cut: Vec<Batch>,
        reason: TruncateReason,
        ctx: Context<'_>,
        out: &mut Out,
    ) -> bool {
        if cut.is_empty() {
            return false;
        }
        let kind = EventKind::Truncated {
            broker: ctx.me,
            tp: self.tp,
            from,
            to: self.log.end(),
            values: if out.recording {
                values(&cut)
            } else {
                Vec::new()
            },
            reason,
        };
        let cause = out.emit(kind);
        self.note_cut(cut);
        if let Some(follower) = self.follower_mut() {
            follower.cause = cause;
        }
        true
    }

    /// Whether an answer from this leader to a fetch at this boundary is still of use (R-REP-2).
    pub fn awaits(&self, leader: BrokerId, offset: Boundary) -> bool {
        self.log.end() == offset
            && self
                .follower()
                .is_some_and(|f| f.leader == Some(leader) && f.state == FetchState::Fetching)
    }

    /// Takes in what the leader sent (R-REP-2, R-REP-4, R-OFF-6).
    ///
    /// # Errors
    /// That of the append, if the batches do not fit the log.
    pub fn fetched(
        &mut self,
        leader: BrokerId,
        fetched: &Fetched,
        ctx: Context<'_>,
        out: &mut Out,
    ) -> Result<AfterAnswer, KafkaError> {
        if let Some((epoch, end)) = fetched.diverging {
            let point = self.log.truncation_target((epoch, end));
            let truncated =
                self.truncate(point.to, TruncateReason::Diverging { epoch, end }, ctx, out);
            // High watermark and log start wait for an undisputed answer (R-TRU-4).
            return Ok(AfterAnswer {
                changed: truncated,
                truncated,
            });
        }
        let from = self.log.end();
        let mut changed = false;
        if !fetched.batches.is_empty() {
            let newer = |b: &Batch| b.epoch > self.leader_epoch;
            let count = fetched.batches.iter().position(newer);
            let batches = &fetched.batches[..count.unwrap_or(fetched.batches.len())];
            let active = self.log.active_base();
            let rules = self.append_rules(ctx);
            self.log.roll_before(batches, &rules);
            self.report_roll(active, ctx, out);
            self.log.append_as_follower(batches, self.leader_epoch)?;
            let to = self.log.end();
            if to != from {
                self.cut = Default::default();
                changed = true;
                let cause = out.emit(EventKind::Replicated {
                    follower: ctx.me,
                    leader,
                    tp: self.tp,
                    from,
                    to,
                });
                if let Some(follower) = self.follower_mut() {
                    follower.cause = cause;
                }
                out.cause = cause;
            }
        }
        let end = self.log.end();
        if let Some(follower) = self.follower_mut() {
            follower.lag = Some((fetched.high_watermark.0 - end.0).max(0));
        }
        if let Some((from, to)) = self.log.update_high_watermark(fetched.high_watermark) {
            changed = true;
            out.emit(EventKind::FollowerHighWatermark {
                follower: ctx.me,
                tp: self.tp,
                from,
                to,
                told: fetched.high_watermark,
            });
        }
        let start = self.log.start();
        if fetched.log_start > start
            && self.log.maybe_increment_start(fetched.log_start) == Ok(true)
        {
            changed = true;
            out.emit(EventKind::LogStartMoved {
                broker: ctx.me,
                tp: self.tp,
                from: start,
                to: self.log.start(),
            });
        }
        Ok(AfterAnswer {
            changed,
            truncated: false,
        })
    }

    /// The leader's log end (or start), asked for after OFFSET_OUT_OF_RANGE (R-TRU-7).
    pub fn out_of_range_answer(
        &mut self,
        told: Boundary,
        ctx: Context<'_>,
        out: &mut Out,
    ) -> AfterAnswer {
        let end = self.log.end();
        let Some(follower) = self.follower_mut() else {
            return AfterAnswer::default();
        };
        let mut truncated = false;
        match follower.state {
            FetchState::OutOfRange(OutOfRange::AskEnd) if told < end => {
                follower.state = FetchState::Fetching;
                truncated = self.truncate(told, TruncateReason::LeaderLogShorter, ctx, out);
            }
            FetchState::OutOfRange(OutOfRange::AskEnd) => {
                follower.state = FetchState::OutOfRange(OutOfRange::AskStart);
            }
            FetchState::OutOfRange(OutOfRange::AskStart) => {
                follower.state = FetchState::Fetching;
                if told > end {
                    let cut = self.log.truncate_fully_and_start_at(told, None);
                    truncated = true;
                    if !self.report_cut(end, cut, TruncateReason::LeaderLogStartsLater, ctx, out) {
                        out.emit(EventKind::LogStartMoved {
                            broker: ctx.me,
                            tp: self.tp,
                            from: end,
                            to: told,
                        });
                    }
                }
            }
            _ => {}
        }
        AfterAnswer {
            changed: truncated,
            truncated,
        }
    }

    /// Historic: the leader's answer about where the follower's last epoch ended (KIP-101 took the
    /// boundary alone, KIP-279 the pair).
    pub fn epoch_end_answer(
        &mut self,
        told: Option<(Epoch, Boundary)>,
        ctx: Context<'_>,
        out: &mut Out,
    ) -> AfterAnswer {
        let end = self.log.end();
        let Some(follower) = self.follower_mut() else {
            return AfterAnswer::default();
        };
        if follower.state != FetchState::AskingEpoch {
            return AfterAnswer::default();
        }
        follower.state = FetchState::Fetching;
        let truncated = match (told, ctx.switches.truncation) {
            (None, _) => {
                let to = self.log.high_watermark();
                self.truncate(to, TruncateReason::HighWatermark, ctx, out)
            }
            (Some((epoch, at)), Truncation::Kip101) => self.truncate(
                at.min(end),
                TruncateReason::Diverging { epoch, end: at },
                ctx,
                out,
            ),
            (Some((epoch, at)), _) => {
                let point = self.log.truncation_target((epoch, at));
                if !point.complete
                    && let Some(follower) = self.follower_mut()
                {
                    follower.state = FetchState::AskingEpoch;
                }
                self.truncate(
                    point.to,
                    TruncateReason::Diverging { epoch, end: at },
                    ctx,
                    out,
                )
            }
        };
        AfterAnswer {
            changed: truncated,
            truncated,
        }
    }
}
