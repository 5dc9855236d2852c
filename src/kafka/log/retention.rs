//! What takes whole segments out of a log, from the oldest on (R-RET-*).

use super::Log;
use crate::kafka::event::DeleteReason;
use crate::kafka::ids::{Boundary, Ms};
use crate::kafka::log_config::{LogSettings, Setting};
use std::rc::Rc;

/// Segments that were deleted at once for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deleted {
    /// Why.
    pub why: DeleteReason,
    /// Where the oldest of them began (boundary).
    pub from: Boundary,
    /// Where the oldest that is left begins (boundary).
    pub to: Boundary,
    /// How many.
    pub segments: u32,
    /// All went, also the active one: a new one was begun at the log end first.
    pub rolled: bool,
}

/// The reasons in the order in which they are looked at (R-RET-1).
const ORDER: [DeleteReason; 3] = [
    DeleteReason::LogStart,
    DeleteReason::Size,
    DeleteReason::Time,
];

impl Log {
    /// How many of the oldest segments may go for one reason. It stops at the first that may not,
    /// and at one that is not wholly below the high watermark (R-RET-2).
    fn deletable(&self, why: DeleteReason, now: Ms, settings: &LogSettings<'_>) -> u32 {
        let limit = match why {
            DeleteReason::LogStart => 0,
            // Without "delete" only what lies below the log start goes (R-RET-7).
            _ if !settings.deletes() => return 0,
            DeleteReason::Size => settings.get(Setting::RetentionBytes),
            DeleteReason::Time => settings.get(Setting::Retention),
        };
        if limit < 0 {
            return 0;
        }
        let mut over = match why {
            DeleteReason::Size => self.segments().map(|s| s.bytes).sum::<i64>() - limit,
            _ => 0,
        };
        let ends = self.segment_bases().skip(1).map(Some).chain([None]);
        let mut count = 0;
        for (segment, next) in self.segments().zip(ends) {
            if self.high_watermark < next.unwrap_or(self.end) {
                break;
            }
            let goes = match why {
                DeleteReason::LogStart => next.is_some_and(|next| next <= self.start),
                // The log never gets smaller than retention.bytes (R-RET-5).
                DeleteReason::Size => {
                    over -= segment.bytes;
                    over >= 0
                }
                DeleteReason::Time => segment
                    .latest
                    .is_some_and(|latest| now.since(latest) > Ms(limit)),
            };
            // The active segment may go too, if there is something in it (R-RET-3).
            if !goes || (next.is_none() && segment.bytes == 0) {
                break;
            }
            count += 1;
        }
        count
    }

    /// Whether [`Log::delete_old`] would delete something.
    pub fn has_old(&self, now: Ms, settings: &LogSettings<'_>) -> bool {
        ORDER
            .iter()
            .any(|why| self.deletable(*why, now, settings) > 0)
    }

    /// Deletes the segments that may go: those below the log start, then by size, then by time
    /// (R-RET-1 to R-RET-7). The log start moves to where the oldest that is left begins; log end
    /// and high watermark stay (R-RET-6).
    pub fn delete_old(&mut self, now: Ms, settings: &LogSettings<'_>) -> Vec<Deleted> {
        let mut done = Vec::new();
        for why in ORDER {
            let segments = self.deletable(why, now, settings);
            if segments > 0 {
                done.push(self.delete_oldest(segments, why));
            }
        }
        done
    }

    fn delete_oldest(&mut self, segments: u32, why: DeleteReason) -> Deleted {
        let from = self.first_base();
        let rolled = segments as usize > self.closed.len();
        if rolled {
            self.roll();
        }
        let count = (segments as usize).min(self.closed.len());
        Rc::make_mut(&mut self.closed).drain(..count);
        let to = self.first_base();
        let gone = self.batches.partition_point(|b| b.end() <= to);
        if gone > 0 {
            Rc::make_mut(&mut self.batches).drain(..gone);
        }
        // Each segment has its own index of aborted transactions: it goes with it.
        if self.producers.aborted().iter().any(|a| to.covers(a.last)) {
            Rc::make_mut(&mut self.producers).retain_aborted(|a| !to.covers(a.last));
        }
        if self.maybe_increment_start(to) == Ok(true) {
            self.expired = to;
        }
        Deleted {
            why,
            from,
            to,
            segments,
            rolled,
        }
    }
}
