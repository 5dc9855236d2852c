//! Cutting, emptying and loading (rules R-TRC-*, R-HW-2, R-HW-5, R-EPC-5), and where to cut
//! (R-TRU-1, R-TRU-2, R-TRU-3).

use super::epoch_cache::{TruncationTarget, diverges, truncation_target};
use super::producers::Producers;
use super::{Log, Segment};
use crate::kafka::batch::Batch;
use crate::kafka::error::KafkaError;
use crate::kafka::ids::{Boundary, Epoch};
use std::rc::Rc;

impl Log {
    /// Cuts so that the log ends at `to` exactly; a batch that holds `to` goes whole (R-TRC-1).
    /// Lowers the high watermark with it (R-HW-5). Returns what was cut, in order.
    pub fn truncate_to(&mut self, to: Boundary) -> Vec<Batch> {
        if to >= self.end {
            self.epochs.truncate_from_end(to);
            return Vec::new();
        }
        if to < self.first_base() {
            return self.truncate_fully_and_start_at(to, None);
        }
        let keep = self.batches.partition_point(|b| b.end() <= to);
        let cut = self.cut_from(keep);
        self.end = to;
        self.start = self.start.min(to);
        self.reopen(to);
        self.cleaned_to = self.cleaned_to.map(|at| at.min(to));
        self.expired = self.expired.min(to);
        self.epochs.truncate_from_end(to);
        self.high_watermark = self.high_watermark.min(to);
        if cut.iter().any(|b| b.stamp.is_some()) {
            self.rebuild_producers();
        }
        cut
    }

    /// Empties the log; it ends at `at` then, and starts at `start` if given, else at `at`
    /// (R-TRC-2). Returns what was in it.
    pub fn truncate_fully_and_start_at(
        &mut self,
        at: Boundary,
        start: Option<Boundary>,
    ) -> Vec<Batch> {
        let cut = self.cut_from(0);
        *self = Log {
            start: start.unwrap_or(at).min(at),
            end: at,
            high_watermark: at,
            active: Segment::at(at),
            cleaned_to: self.cleaned_to.map(|cleaned| cleaned.min(at)),
            ..Log::new()
        };
        cut
    }

    /// What a start of the broker does: the high watermark is the checkpointed one as far as the
    /// log bears it (R-HW-2); epochs in which nothing is left are forgotten (R-EPC-5); producers
    /// are found anew from the batches (R-IDM-4).
    pub fn load(&mut self, checkpointed_high_watermark: Boundary) {
        self.epochs.truncate_from_end(self.end);
        self.epochs.truncate_from_start(self.start);
        self.high_watermark = checkpointed_high_watermark.clamp(self.start, self.end);
        self.rebuild_producers();
    }

    /// Where this log, as the leader's, diverges from an asker's that fetches from `fetch` with a
    /// last record of epoch `last_fetched`; `None`: it does not (R-TRU-1).
    ///
    /// # Errors
    /// OFFSET_OUT_OF_RANGE below the log start, or if nothing is known of that epoch (R-TRU-2).
    pub fn divergence(
        &self,
        last_fetched: Epoch,
        fetch: Boundary,
    ) -> Result<Option<(Epoch, Boundary)>, KafkaError> {
        let answer = self
            .end_offset_for(last_fetched)
            .filter(|_| fetch >= self.start)
            .ok_or(KafkaError::OffsetOutOfRange)?;
        Ok(diverges(answer, last_fetched, fetch).then_some(answer))
    }

    /// How far this log, as a follower's, is to be cut when the leader names `diverging`
    /// (R-TRU-3).
    pub fn truncation_target(&self, diverging: (Epoch, Boundary)) -> TruncationTarget {
        truncation_target(self.end_offset_for(diverging.0), diverging, self.end)
    }

    fn cut_from(&mut self, keep: usize) -> Vec<Batch> {
        if keep == self.batches.len() {
            return Vec::new();
        }
        Rc::make_mut(&mut self.batches).split_off(keep)
    }

    /// Replays the batches that are not wholly below the log start (R-IDM-4).
    pub(super) fn rebuild_producers(&mut self) {
        let mut found = Producers::default();
        let first = self.batches.partition_point(|b| b.end() <= self.start);
        for batch in &self.batches[first..] {
            found.note(batch);
        }
        found.replicated_below(self.high_watermark);
        // The index of aborted transactions is a file of its own: compaction takes away what it
        // could be made from.
        let end = self.end;
        found.take_aborted(&self.producers);
        found.retain_aborted(|a| end.covers(a.last));
        self.producers = Rc::new(found);
    }
}
