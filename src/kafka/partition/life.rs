//! A log's life on its broker: segments begin, are deleted and cleaned, each replica's for itself
//! (R-RET-8, R-CMP-9).

use super::{Context, Replica};
use crate::kafka::event::EventKind;
use crate::kafka::ids::*;
use crate::kafka::log::{AppendRules, Cleanable, Cleaning};
use crate::kafka::log_config::Setting;
use crate::kafka::out::Out;

/// How many keys one pass of the cleaner keeps in mind: three quarters of what fits into the
/// default buffer of 128 MiB at 24 bytes a key (R-CMP-3).
const KEYS: u32 = 4_194_303;

impl Replica {
    /// What the topic's settings demand of an append.
    pub(super) fn append_rules(&self, ctx: Context<'_>) -> AppendRules {
        let settings = ctx.log_settings(self.tp);
        let segment_ms = settings.segment_ms();
        let most = settings.get(Setting::SegmentJitter).min(segment_ms.0);
        // Kafka draws a segment's jitter; here it follows from the segment and the broker.
        let jitter = match most {
            0 => 0,
            most => {
                let seed = self.log.active_base().0.wrapping_mul(2_654_435_761);
                seed.wrapping_add(i64::from(ctx.me.0) * 40_503)
                    .rem_euclid(most)
            }
        };
        AppendRules {
            compacted: settings.compacts(),
            max_message_bytes: settings.get(Setting::MaxMessageBytes),
            segment_bytes: settings.get(Setting::SegmentBytes),
            segment_ms: Ms(segment_ms.0 - jitter),
            log_append_time: settings.get(Setting::TimestampType) == 1,
            timestamp_after_max: settings.ms(Setting::TimestampAfterMax),
        }
    }

    /// Tells if the active segment is not the one it was.
    pub(super) fn report_roll(&self, before: Boundary, ctx: Context<'_>, out: &mut Out) {
        let base = self.log.active_base();
        if base != before {
            out.emit(EventKind::SegmentRolled {
                broker: ctx.me,
                tp: self.tp,
                base,
            });
        }
    }

    /// Retention (R-RET-1 to R-RET-8).
    pub fn delete_old(&mut self, ctx: Context<'_>, out: &mut Out) {
        let (start, settings) = (self.log.start(), ctx.log_settings(self.tp));
        for deleted in self.log.delete_old(out.now, &settings) {
            if deleted.rolled {
                out.emit(EventKind::SegmentRolled {
                    broker: ctx.me,
                    tp: self.tp,
                    base: deleted.to,
                });
            }
            let cause = out.emit(EventKind::SegmentsDeleted {
                broker: ctx.me,
                tp: self.tp,
                from: deleted.from,
                to: deleted.to,
                why: deleted.why,
            });
            out.cause = cause;
        }
        if self.log.start() != start {
            out.emit(EventKind::LogStartMoved {
                broker: ctx.me,
                tp: self.tp,
                from: start,
                to: self.log.start(),
            });
        }
    }

    /// What the cleaner could do here now, if it would choose this log (R-CMP-1, R-CMP-2).
    pub fn cleanable(&self, now: Ms, ctx: Context<'_>) -> Option<Cleanable> {
        let settings = ctx.log_settings(self.tp);
        if !settings.compacts() {
            return None;
        }
        let cleanable = self.log.cleanable(self.log.cleaned_to(), now, &settings);
        let least = settings.get(Setting::MinCleanableRatio);
        cleanable.is_chosen(least).then_some(cleanable)
    }

    /// One pass of the cleaner.
    pub fn clean(&mut self, cleanable: &Cleanable, ctx: Context<'_>, out: &mut Out) {
        let settings = ctx.log_settings(self.tp);
        let cleaned = self.log.clean(&Cleaning {
            first_dirty: cleanable.first_dirty,
            first_uncleanable: cleanable.until,
            now: out.now,
            delete_retention: settings.ms(Setting::DeleteRetention),
            segment_bytes: settings.get(Setting::SegmentBytes),
            keys: KEYS,
        });
        out.emit(EventKind::Compacted {
            broker: ctx.me,
            tp: self.tp,
            to: cleaned.to,
            removed: cleaned.removed,
        });
    }
}
