//! The cleaner's work on one log: of each key the record with the highest number stays (R-CMP-*).
//! No number and no boundary changes (R-CMP-8).

use super::{Log, Segment};
use crate::kafka::batch::{Batch, Control, Record};
use crate::kafka::ids::{Boundary, Ms, Offset};
use crate::kafka::log_config::{LogSettings, Setting};
use crate::kafka::map::{Map, Set};
use std::rc::Rc;

/// What of a log can be cleaned (R-CMP-1, R-CMP-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cleanable {
    /// Where the dirty part begins (boundary).
    pub first_dirty: Boundary,
    /// Up to where it may be cleaned (boundary): the last stable offset, the active segment, or
    /// the first segment with a record that is too young.
    pub first_uncleanable: Boundary,
    /// The same, where the segment begins that it lies in: only whole segments are cleaned.
    pub until: Boundary,
    /// The checkpoint was of no use and the whole log counts as dirty.
    pub reset: bool,
    /// Bytes of the dirty part that can be cleaned.
    pub dirty_bytes: i64,
    /// Bytes of the clean part and of that.
    pub total_bytes: i64,
    /// A dirty record is older than max.compaction.lag.ms.
    pub overdue: bool,
}

impl Cleanable {
    /// Whether the cleaner takes the log: dirty enough (the ratio is in millionths), or overdue.
    pub fn is_chosen(&self, min_ratio: i64) -> bool {
        let dirty = i128::from(self.dirty_bytes) * 1_000_000;
        (self.overdue && self.dirty_bytes > 0)
            || dirty > i128::from(self.total_bytes) * i128::from(min_ratio)
    }

    /// Its share of dirty bytes in millionths: the cleaner begins with the filthiest log.
    pub fn ratio(&self) -> i64 {
        let dirty = i128::from(self.dirty_bytes) * 1_000_000;
        (dirty / i128::from(self.total_bytes.max(1))) as i64
    }
}

/// One pass of the cleaner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cleaning {
    /// Where the dirty part begins (boundary).
    pub first_dirty: Boundary,
    /// Up to where it is cleaned at most (boundary).
    pub first_uncleanable: Boundary,
    /// When, ms.
    pub now: Ms,
    /// delete.retention.ms
    pub delete_retention: Ms,
    /// How large a segment may get when neighbours are joined, bytes.
    pub segment_bytes: i64,
    /// How many keys one pass can keep in mind (R-CMP-3).
    pub keys: u32,
}

/// What a pass did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cleaned {
    /// How far the log is clean now (boundary).
    pub to: Boundary,
    /// The records that went, in order; markers too.
    pub removed: Vec<Offset>,
}

/// What the cleaner knows of transactions while it goes over the batches (R-CMP-6).
struct Transactions {
    /// Aborted ones ahead, by their first record: the last is the next.
    ahead: Vec<(Offset, i64)>,
    /// Aborted ones it is in, and whether data of theirs was met.
    aborted: Map<i64, bool>,
    /// Producers of whose committed transactions data was met.
    committed: Set<i64>,
}

impl Transactions {
    /// For a way over the batches from a boundary on.
    fn of(log: &Log, from: Boundary) -> Transactions {
        let aborted = log.producers.aborted().iter();
        let aborted = aborted.filter(|a| !from.covers(a.last));
        let mut ahead: Vec<(Offset, i64)> = aborted.map(|a| (a.first, a.producer_id)).collect();
        ahead.sort_unstable();
        ahead.reverse();
        Transactions {
            ahead,
            aborted: Map::new(),
            committed: Set::new(),
        }
    }

    /// Whether the batch is of no use any more: data of an aborted transaction, or a marker of
    /// whose transaction no data was met. `true` also for a marker that was emptied before.
    fn passes(&mut self, batch: &Batch) -> bool {
        while let Some((_, id)) = self.ahead.pop_if(|(first, _)| *first <= batch.last) {
            self.aborted.entry(id).or_insert(false);
        }
        let Some(stamp) = batch.stamp.filter(|_| batch.transactional) else {
            return false;
        };
        let id = stamp.producer_id;
        match batch.control.filter(|_| !batch.records.is_empty()) {
            Some(Control::Abort) => self.aborted.remove(&id) != Some(true),
            Some(Control::Commit) => !self.committed.remove(&id),
            None if batch.control.is_some() => true,
            None => match self.aborted.get_mut(&id) {
                Some(met) => {
                    *met = true;
                    true
                }
                None => {
                    self.committed.insert(id);
                    false
                }
            },
        }
    }
}

/// The highest number of each key in the dirty part, and how far that was looked at.
struct KeyMap {
    latest: Map<Rc<str>, Offset>,
    to: Boundary,
}

impl Log {
    /// What can be cleaned at `now` (R-CMP-1). `checkpoint`: how far it is clean.
    pub fn cleanable(
        &self,
        checkpoint: Option<Boundary>,
        now: Ms,
        settings: &LogSettings<'_>,
    ) -> Cleanable {
        let known = checkpoint.unwrap_or(self.start);
        let reset = known < self.start || known > self.end;
        let first_dirty = if reset { self.start } else { known };
        // Segments behind the dirty boundary, and the one it lies in.
        let dirty = |s: &&Segment| s.base >= self.segment_of(first_dirty);
        let mut limit = self.last_stable().min(self.active.base);
        let lag = settings.get(Setting::MinCompactionLag);
        if lag > 0 {
            let young = |s: &&Segment| s.latest.is_some_and(|at| at.0 > now.0 - lag);
            if let Some(segment) = self.closed.iter().filter(dirty).find(young) {
                limit = limit.min(segment.base);
            }
        }
        let first_uncleanable = limit.max(first_dirty);
        let bytes = |from: Boundary, to: Boundary| -> i64 {
            let within = |s: &&Segment| s.base >= from && s.base < to;
            self.segments().filter(within).map(|s| s.bytes).sum()
        };
        // Sizes are those of whole segments.
        let (from, to) = (
            self.segment_of(first_dirty),
            self.segment_of(first_uncleanable),
        );
        let dirty_bytes = bytes(from, to);
        let clean_bytes = bytes(Boundary(i64::MIN), first_dirty);
        let max_lag = settings.get(Setting::MaxCompactionLag);
        let oldest = self
            .closed
            .iter()
            .filter(dirty)
            .filter_map(|s| s.first)
            .min();
        Cleanable {
            first_dirty,
            first_uncleanable,
            until: to.max(first_dirty),
            reset,
            dirty_bytes,
            total_bytes: clean_bytes + dirty_bytes,
            overdue: oldest.is_some_and(|at| at.0 < now.0.saturating_sub(max_lag)),
        }
    }

    /// The base of the segment a boundary lies in.
    fn segment_of(&self, at: Boundary) -> Boundary {
        let behind = self.closed.partition_point(|s| s.base <= at);
        if self.active.base <= at {
            return self.active.base;
        }
        behind
            .checked_sub(1)
            .map_or(self.first_base(), |i| self.closed[i].base)
    }

    /// Cleans once: of each key met in the dirty part, the record with the highest number there
    /// stays, and every older one goes, also from the part that is clean already (R-CMP-3).
    pub fn clean(&mut self, cleaning: &Cleaning) -> Cleaned {
        let map = self.key_map(cleaning);
        // Whole segments are written anew, up to the one in which the look ended.
        let behind = self.closed.iter().find(|s| s.base >= map.to);
        let end = behind.map_or(self.active.base, |s| s.base);
        let mut transactions = Transactions::of(self, Boundary(i64::MIN));
        let mut aborted = Vec::new();
        let mut removed = Vec::new();
        let mut kept = Vec::with_capacity(self.batches.len());
        for batch in self.batches.iter() {
            if batch.base.before() >= end {
                kept.push(batch.clone());
                continue;
            }
            let useless = transactions.passes(batch);
            if batch.control == Some(Control::Abort) && !useless {
                aborted.push(batch.last);
            }
            let left = self.keep(batch, useless, &map, cleaning);
            let stays = left.as_ref().unwrap_or(batch);
            if stays.records.len() != batch.records.len() {
                let gone = |r: &&Record| stays.records.iter().all(|s| s.offset != r.offset);
                removed.extend(batch.records.iter().filter(gone).map(|r| r.offset));
            }
            if !stays.records.is_empty() || self.is_kept_empty(batch, cleaning) {
                kept.push(left.unwrap_or_else(|| batch.clone()));
            }
        }
        self.batches = Rc::new(kept);
        // The index is written anew with the segments: without what has no data left.
        if !self.producers.aborted().is_empty() {
            let producers = Rc::make_mut(&mut self.producers);
            producers.retain_aborted(|a| !end.covers(a.last) || aborted.contains(&a.last));
        }
        self.join_segments(end, cleaning.segment_bytes);
        let to = map.to.max(cleaning.first_dirty);
        self.cleaned_to = Some(to);
        Cleaned { to, removed }
    }

    fn key_map(&self, cleaning: &Cleaning) -> KeyMap {
        let Cleaning {
            first_dirty,
            first_uncleanable,
            ..
        } = *cleaning;
        let mut map = KeyMap {
            latest: Map::new(),
            to: first_dirty,
        };
        let mut transactions = Transactions::of(self, first_dirty);
        let first = self.batches.partition_point(|b| b.end() <= first_dirty);
        for batch in &self.batches[first..] {
            if batch.end() > first_uncleanable {
                break;
            }
            if !transactions.passes(batch) && batch.control.is_none() {
                for record in batch
                    .records
                    .iter()
                    .filter(|r| !first_dirty.covers(r.offset))
                {
                    let Some(key) = &record.key else { continue };
                    if map.latest.len() >= cleaning.keys as usize {
                        return map;
                    }
                    map.latest.insert(key.clone(), record.offset);
                }
            }
            map.to = batch.end();
        }
        map.to = first_uncleanable.max(first_dirty);
        map
    }

    /// The batch as it stays, if it changes.
    fn keep(&self, batch: &Batch, useless: bool, map: &KeyMap, at: &Cleaning) -> Option<Batch> {
        let due = batch
            .delete_horizon
            .is_some_and(|horizon| horizon <= at.now);
        let marker = batch.control.is_some();
        let stays = |record: &Record| {
            if marker {
                return !(useless && due);
            }
            if useless {
                return false;
            }
            if !map.to.covers(record.offset) {
                return true;
            }
            // Without key it goes (R-CMP-4); a tombstone goes when its time has come (R-CMP-5).
            record.key.as_ref().is_some_and(|key| {
                let survives = map.latest.get(key).is_none_or(|l| record.offset >= *l);
                survives && (record.value.is_some() || !due)
            })
        };
        let all = batch.records.iter().all(stays);
        let tombstone = |r: &Record| !marker && r.value.is_none() && stays(r);
        let stamps = batch.delete_horizon.is_none()
            && ((marker && useless && !batch.records.is_empty())
                || batch.records.iter().any(tombstone));
        if all && !stamps {
            return None;
        }
        let records: Rc<[Record]> = if all {
            batch.records.clone()
        } else {
            batch.records.iter().filter(|r| stays(r)).cloned().collect()
        };
        let fresh = stamps.then(|| at.now.plus(at.delete_retention));
        let horizon = batch.delete_horizon.or(fresh);
        Some(Batch {
            delete_horizon: horizon.filter(|_| !records.is_empty()),
            records,
            ..batch.clone()
        })
    }

    /// Whether a batch stays though nothing is left in it (R-CMP-7): it is its producer's last
    /// here (or the marker that gave the producer its present epoch), or the last of the round.
    fn is_kept_empty(&self, batch: &Batch, at: &Cleaning) -> bool {
        let last_of_producer = batch.stamp.is_some_and(|stamp| {
            let producer = self.producers.get(stamp.producer_id);
            producer.is_some_and(|p| match p.written.last() {
                Some(written) => written.last == batch.last,
                None => batch.control.is_some() && stamp.epoch == p.epoch,
            })
        });
        last_of_producer || batch.end() == at.first_uncleanable
    }

    /// Neighbours below `end` that fit into one segment together become one; their sizes before
    /// the cleaning count.
    fn join_segments(&mut self, end: Boundary, most: i64) {
        let cleaned = self.closed.partition_point(|s| s.base < end);
        let mut joined: Vec<Segment> = Vec::with_capacity(self.closed.len());
        let mut size = 0;
        for segment in &self.closed[..cleaned] {
            match joined.last_mut() {
                Some(last) if size + segment.bytes <= most => {
                    size += segment.bytes;
                    last.latest = last.latest.max(segment.latest);
                }
                _ => {
                    size = segment.bytes;
                    joined.push(*segment);
                }
            }
        }
        let bounds: Vec<Boundary> = joined.iter().skip(1).map(|s| s.base).chain([end]).collect();
        for (segment, bound) in joined.iter_mut().zip(bounds) {
            let mut now = Segment::at(segment.base);
            let from = self
                .batches
                .partition_point(|b| b.base.before() < segment.base);
            for batch in self.batches[from..]
                .iter()
                .take_while(|b| b.base.before() < bound)
            {
                now.add(batch);
            }
            // Of a segment in which no record is left, the age is that of what was in it.
            now.latest = now.latest.or(segment.latest);
            *segment = now;
        }
        joined.extend_from_slice(&self.closed[cleaned..]);
        self.closed = Rc::new(joined);
    }
}
