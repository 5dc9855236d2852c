//! Reading and looking up by time (rules R-READ-*, R-LST-2, R-LST-4).

use super::Log;
use crate::kafka::batch::Batch;
use crate::kafka::error::KafkaError;
use crate::kafka::ids::{Boundary, Epoch, Ms};

impl Log {
    /// Batches from the one that holds the record at `from` (or the next left) on: whole ones
    /// only, none that reaches beyond `below`, at most `max_batches` (R-READ-2, R-READ-4,
    /// R-READ-5). `below` is the asker's bound: log end, high watermark or last stable offset
    /// (R-READ-3).
    ///
    /// # Errors
    /// OFFSET_OUT_OF_RANGE outside [log start, log end] (R-READ-1).
    pub fn read(
        &self,
        from: Boundary,
        below: Boundary,
        max_batches: u32,
    ) -> Result<Vec<Batch>, KafkaError> {
        if from < self.start || from < self.first_base() || from > self.end {
            return Err(KafkaError::OffsetOutOfRange);
        }
        if from >= below {
            return Ok(Vec::new());
        }
        let first = self.batches.partition_point(|b| b.end() <= from);
        Ok(self.batches[first..]
            .iter()
            .take(max_batches as usize)
            .take_while(|b| b.end() <= below)
            .cloned()
            .collect())
    }

    /// The epoch of the last record in front of `at`: what a fetch from `at` carries as its last
    /// fetched epoch.
    pub fn epoch_before(&self, at: Boundary) -> Option<Epoch> {
        let n = self.batches.partition_point(|b| b.base.before() < at);
        n.checked_sub(1).map(|i| self.batches[i].epoch)
    }

    /// The first record, in order of numbers and from the log start on, whose time stamp is at
    /// least `at`: the boundary in front of it and its time stamp. `None` also if it is not below
    /// `below`. Markers count (R-LST-2).
    pub fn lookup_timestamp(&self, at: Ms, below: Boundary) -> Option<(Boundary, Ms)> {
        let first = self.batches.partition_point(|b| b.end() <= self.start);
        self.batches[first..]
            .iter()
            .flat_map(|b| b.records.iter())
            .find(|r| r.timestamp >= at && !self.start.covers(r.offset))
            .filter(|r| below.covers(r.offset))
            .map(|r| (r.offset.before(), r.timestamp))
    }

    /// The earliest record with the largest time stamp in the files, also below the log start
    /// (R-LST-4).
    pub fn max_timestamp(&self) -> Option<(Boundary, Ms)> {
        let mut best: Option<(Boundary, Ms)> = None;
        for record in self.batches.iter().flat_map(|b| b.records.iter()) {
            if best.is_none_or(|(_, t)| record.timestamp > t) {
                best = Some((record.offset.before(), record.timestamp));
            }
        }
        best
    }
}
