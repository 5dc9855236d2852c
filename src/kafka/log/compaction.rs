//! Segments, and what takes whole segments or superseded records out of a log (R-CMP-*, R-RET-6).
//!
//! A restriction: records of transactions are neither removed nor do they supersede others, and
//! tombstones stay. Both only keep what Kafka would remove in a later pass.

use super::Log;
use crate::kafka::batch::{Batch, Record};
use crate::kafka::ids::{Boundary, Offset};
use crate::kafka::map::Map;
use std::rc::Rc;

impl Log {
    /// The boundaries at which segments begin, oldest first; the last is the active segment's.
    pub fn segment_bases(&self) -> impl Iterator<Item = Boundary> {
        std::iter::once(self.first_base).chain(self.rolls.iter().copied())
    }

    /// Begins a new segment at the log end, unless the active one is empty (R-OFF-9 decides when).
    pub fn roll(&mut self) {
        if self.active_base() < self.end {
            self.rolls.push(self.end);
        }
    }

    fn active_base(&self) -> Boundary {
        self.rolls.last().copied().unwrap_or(self.first_base)
    }

    /// One compaction pass below the active segment and the last stable offset (R-CMP-1): of each
    /// key the record with the highest number stays (R-CMP-3), records without key go (R-CMP-4),
    /// a producer's last batch and the last batch of the pass stay even if empty (R-CMP-7), no
    /// number and no boundary changes (R-CMP-8).
    pub fn clean_pass(&mut self) {
        let limit = self.last_stable().min(self.active_base());
        let cleanable = self.batches.partition_point(|b| b.end() <= limit);
        let plain = |b: &Batch| b.control.is_none() && !b.transactional;
        let mut survivor: Map<Rc<str>, Offset> = Map::new();
        for record in self.batches[..cleanable]
            .iter()
            .filter(|b| plain(b))
            .flat_map(|b| b.records.iter())
        {
            if let Some(key) = &record.key {
                survivor.insert(key.clone(), record.offset);
            }
        }
        let mut last_of_producer: Map<i64, Offset> = Map::new();
        for batch in self.batches.iter() {
            if let Some(stamp) = batch.stamp {
                last_of_producer.insert(stamp.producer_id, batch.base);
            }
        }
        let stays = |r: &Record| {
            r.key
                .as_ref()
                .is_some_and(|k| survivor.get(k) == Some(&r.offset))
        };
        let mut at = 0;
        let batches = Rc::make_mut(&mut self.batches);
        batches.retain_mut(|batch| {
            at += 1;
            if at > cleanable || !plain(batch) {
                return true;
            }
            if !batch.records.iter().all(stays) {
                batch.records = batch.records.iter().filter(|r| stays(r)).cloned().collect();
            }
            !batch.records.is_empty()
                || at == cleanable
                || batch
                    .stamp
                    .is_some_and(|s| last_of_producer.get(&s.producer_id) == Some(&batch.base))
        });
    }

    /// Deletes the segments that lie wholly below the log start, never the active one (R-RET-1,
    /// R-RET-6). Returns how many went. No boundary a client sees changes.
    pub fn delete_segments_below_start(&mut self) -> u32 {
        let gone = self.rolls.partition_point(|base| *base <= self.start);
        let Some(base) = gone.checked_sub(1).map(|last| self.rolls[last]) else {
            return 0;
        };
        self.rolls.drain(..gone);
        self.first_base = base;
        let first = self.batches.partition_point(|b| b.end() <= base);
        if first > 0 {
            Rc::make_mut(&mut self.batches).drain(..first);
        }
        gone as u32
    }
}
