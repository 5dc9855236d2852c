//! Segments: the files a log consists of. What is deleted goes by whole segments, and the last
//! one, the active segment, is never compacted.

use super::{AppendRules, Log, batch_bytes};
use crate::kafka::batch::Batch;
use crate::kafka::ids::{Boundary, Ms};
use std::rc::Rc;

/// One segment: the batches from its base up to the next segment's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Segment {
    /// Where it begins (boundary).
    pub base: Boundary,
    /// Its size, bytes.
    pub bytes: i64,
    /// The largest time stamp of its first batch with records: its age counts from it (R-OFF-9),
    /// ms.
    pub first: Option<Ms>,
    /// The largest time stamp in it, ms.
    pub latest: Option<Ms>,
}

/// The largest time stamp in a batch.
fn latest(batch: &Batch) -> Option<Ms> {
    batch.records.iter().map(|r| r.timestamp).max()
}

impl Segment {
    /// An empty segment that begins here.
    pub fn at(base: Boundary) -> Segment {
        Segment {
            base,
            ..Segment::default()
        }
    }

    /// A batch more.
    pub(super) fn add(&mut self, batch: &Batch) {
        self.bytes += batch_bytes(batch);
        let latest = latest(batch);
        self.first = self.first.or(latest);
        self.latest = self.latest.max(latest);
    }
}

impl Log {
    /// All segments, the oldest first; the last is the active one.
    pub fn segments(&self) -> impl Iterator<Item = &Segment> {
        self.closed.iter().chain(std::iter::once(&self.active))
    }

    /// The boundaries at which segments begin, the oldest first; the last is the active one's.
    pub fn segment_bases(&self) -> impl Iterator<Item = Boundary> {
        self.segments().map(|s| s.base)
    }

    /// Where the files begin: at or below the log start.
    pub fn first_base(&self) -> Boundary {
        self.closed.first().map_or(self.active.base, |s| s.base)
    }

    /// Where the active segment begins.
    pub fn active_base(&self) -> Boundary {
        self.active.base
    }

    /// Begins a new segment at the log end, unless the active one is empty.
    pub fn roll(&mut self) {
        self.roll_at(self.end);
    }

    fn roll_at(&mut self, base: Boundary) {
        if self.active.bytes > 0 {
            Rc::make_mut(&mut self.closed).push(self.active);
            self.active = Segment::at(base);
        }
    }

    /// Begins a new segment if what is to be appended at once does not belong into the active one:
    /// it does not fit, or it is too much newer than that segment's first batch (R-OFF-9). A
    /// follower's begins at the first batch it was sent, which may lie behind a gap.
    pub fn roll_before(&mut self, batches: &[Batch], rules: &AppendRules) {
        let fits = batches.first().is_some_and(|b| !self.end.covers(b.base));
        if self.active.bytes == 0 || !fits {
            return;
        }
        let bytes: i64 = batches.iter().map(batch_bytes).sum();
        let newest = batches.iter().filter_map(latest).max();
        let full = self.active.bytes > rules.segment_bytes - bytes;
        let old = match (newest, self.active.first) {
            (Some(newest), Some(first)) => newest.since(first) > rules.segment_ms,
            _ => false,
        };
        if let Some(first) = batches.first().filter(|_| full || old) {
            self.roll_at(first.base.before());
        }
    }

    /// Segments that begin behind `to` are gone; the last that is left is appended to again
    /// (R-TRC-1).
    pub(super) fn reopen(&mut self, to: Boundary) {
        while self.active.base > to && !self.closed.is_empty() {
            if let Some(segment) = Rc::make_mut(&mut self.closed).pop() {
                self.active = segment;
            }
        }
        let base = self.active.base;
        let first = self.batches.partition_point(|b| b.base.before() < base);
        let mut active = Segment::at(base);
        for batch in &self.batches[first..] {
            active.add(batch);
        }
        self.active = active;
    }
}
