//! One replica's log: batches, the boundaries start <= last stable <= high watermark <= end
//! (R-HW-1), the leader epoch cache and what is known of producers. Who leads and who follows is
//! not its business; its methods say which of the two they are for.

mod compaction;
mod epoch_cache;
#[cfg(test)]
mod life_tests;
mod producers;
mod read;
mod retention;
mod segments;
mod size;
#[cfg(test)]
mod tests;
mod truncate;

pub use compaction::{Cleanable, Cleaned, Cleaning};
pub use epoch_cache::{EpochCache, TruncationTarget, diverges, truncation_target};
pub use producers::{Aborted, Producer, Producers, Written, sequence_plus};
pub use retention::Deleted;
pub use segments::Segment;
pub use size::{batch_bytes, new_batch_bytes};

use super::batch::{Batch, NewBatch, Record};
use super::error::KafkaError;
use super::ids::{Boundary, Epoch, Ms, Offset};
use std::rc::Rc;

/// One replica's log. Cheap to clone: what grows is shared until it changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Log {
    batches: Rc<Vec<Batch>>,
    start: Boundary,
    end: Boundary,
    high_watermark: Boundary,
    epochs: EpochCache,
    producers: Rc<Producers>,
    /// The segments that are not appended to any more, oldest first.
    closed: Rc<Vec<Segment>>,
    /// The segment that is.
    active: Segment,
    /// The cleaner's checkpoint: below it no key stands twice (R-CMP-1).
    cleaned_to: Option<Boundary>,
    /// How far this replica's own retention has brought the log start (R-RET-8).
    expired: Boundary,
}

/// What a leader's topic demands of a batch (R-OFF-8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AppendRules {
    /// cleanup.policy contains compact: every record needs a key.
    pub compacted: bool,
    /// max.message.bytes: the largest batch, bytes.
    pub max_message_bytes: i64,
    /// segment.bytes, bytes.
    pub segment_bytes: i64,
    /// How much newer than a segment's first batch a batch may be to go into it (R-OFF-9), ms.
    pub segment_ms: Ms,
    /// message.timestamp.type=LogAppendTime: the leader's time takes the place of the producer's.
    pub log_append_time: bool,
    /// message.timestamp.after.max.ms: how far a producer's time may be ahead.
    pub timestamp_after_max: Ms,
}

impl Default for AppendRules {
    fn default() -> Self {
        AppendRules {
            compacted: false,
            max_message_bytes: 1_048_588,
            segment_bytes: 1_073_741_824,
            segment_ms: Ms(604_800_000),
            log_append_time: false,
            timestamp_after_max: Ms(3_600_000),
        }
    }
}

/// Where a leader's append put a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Append {
    /// The number of its first record.
    pub base: Offset,
    /// The number of its last record.
    pub last: Offset,
    /// It was there already: nothing was appended (R-IDM-1).
    pub duplicate: bool,
}

impl Log {
    /// An empty log that starts, ends and has its high watermark at 0.
    pub fn new() -> Log {
        Log::default()
    }

    /// Log start offset: records below it cannot be read.
    pub fn start(&self) -> Boundary {
        self.start
    }

    /// Log end offset (LEO): the next record's number.
    pub fn end(&self) -> Boundary {
        self.end
    }

    /// High watermark: records below it are committed, as far as this replica knows.
    pub fn high_watermark(&self) -> Boundary {
        self.high_watermark
    }

    /// Last stable offset: the bound of a read_committed consumer (R-LSO-1). One open transaction
    /// holds back everything behind its first record, whoever wrote it (R-LSO-4).
    pub fn last_stable(&self) -> Boundary {
        match self.first_unstable() {
            Some(first) => first.min(self.high_watermark),
            None => self.high_watermark,
        }
    }

    /// The boundary in front of the oldest transaction that is open, or complete but not yet
    /// replicated; never below the log start (R-LSO-2).
    pub fn first_unstable(&self) -> Option<Boundary> {
        let first = self.producers.first_unstable()?;
        Some(first.before().max(self.start))
    }

    /// Whether a transaction is open, or complete and not yet replicated.
    pub fn has_unstable(&self) -> bool {
        self.producers.has_unstable()
    }

    /// All batches in the files, also those below the log start.
    pub fn batches(&self) -> &[Batch] {
        &self.batches
    }

    /// The cleaner's checkpoint (boundary); `None`: it has never been here (R-CMP-1).
    pub fn cleaned_to(&self) -> Option<Boundary> {
        self.cleaned_to
    }

    /// How far this replica's own retention has brought the log start (boundary): another
    /// replica may still have what lies below (R-RET-8).
    pub fn expired(&self) -> Boundary {
        self.expired
    }

    /// The leader epoch cache.
    pub fn epochs(&self) -> &EpochCache {
        &self.epochs
    }

    /// The latest epoch in the cache.
    pub fn latest_epoch(&self) -> Option<Epoch> {
        self.epochs.latest()
    }

    /// What is known of producers.
    pub fn producers(&self) -> &Producers {
        &self.producers
    }

    /// The end of the largest epoch not above `epoch`, with this log's end (R-EPC-2).
    pub fn end_offset_for(&self, epoch: Epoch) -> Option<(Epoch, Boundary)> {
        self.epochs.end_offset_for(epoch, self.end)
    }

    /// Notes that an epoch begins at a boundary: a new leader does so at its log end, also if it
    /// writes nothing (R-EPC-1, R-EPC-4).
    pub fn assign_epoch(&mut self, epoch: Epoch, start: Boundary) {
        self.epochs.assign(epoch, start);
    }

    /// Appends a batch as the leader of `epoch`: gives its records the numbers from the log end
    /// on (R-OFF-1), unless the batch is a duplicate (R-IDM-1). The high watermark stays
    /// (R-OFF-7). A marker takes one number and the time `now` (R-OFF-3). A new segment may begin
    /// in front of the batch (R-OFF-9).
    ///
    /// # Errors
    /// Nothing is appended then: MESSAGE_TOO_LARGE, RECORD_LIST_TOO_LARGE, INVALID_RECORD
    /// (R-OFF-8, or no records), INVALID_TIMESTAMP, INVALID_PRODUCER_EPOCH,
    /// OUT_OF_ORDER_SEQUENCE_NUMBER (R-IDM-2, R-IDM-3).
    pub fn append_as_leader(
        &mut self,
        batch: &NewBatch,
        epoch: Epoch,
        now: Ms,
        rules: AppendRules,
    ) -> Result<Append, KafkaError> {
        let marker = batch.control.is_some();
        if !marker {
            Self::check_records(batch, now, rules)?;
        }
        if let Some(stamp) = batch.stamp {
            if !marker
                && let Some(first) = self.producers.duplicate(stamp, batch.records.len() as i32)
            {
                return Ok(Append {
                    base: first.base,
                    last: first.last,
                    duplicate: true,
                });
            }
            self.producers.check(stamp, marker)?;
        }
        let base = self.end.next();
        let records: Rc<[Record]> = if marker {
            Rc::from([Record {
                offset: base,
                timestamp: now,
                key: None,
                value: None,
            }])
        } else {
            (base.0..)
                .zip(batch.records.iter())
                .map(|(offset, r)| Record {
                    offset: Offset(offset),
                    timestamp: if rules.log_append_time {
                        now
                    } else {
                        r.timestamp
                    },
                    key: r.key.clone(),
                    value: r.value.clone(),
                })
                .collect()
        };
        let last = Offset(base.0 + records.len() as i64 - 1);
        let batch = Batch {
            base,
            last,
            epoch,
            stamp: batch.stamp,
            transactional: batch.transactional || marker,
            control: batch.control,
            delete_horizon: None,
            records,
        };
        self.roll_before(std::slice::from_ref(&batch), &rules);
        self.put(batch);
        Ok(Append {
            base,
            last,
            duplicate: false,
        })
    }

    fn check_records(batch: &NewBatch, now: Ms, rules: AppendRules) -> Result<(), KafkaError> {
        let bytes = new_batch_bytes(batch);
        if bytes > rules.max_message_bytes {
            return Err(KafkaError::MessageTooLarge);
        }
        let no_key = rules.compacted && batch.records.iter().any(|r| r.key.is_none());
        let no_sequence = batch.stamp.is_some_and(|s| s.base_sequence < 0);
        if batch.records.is_empty() || no_key || no_sequence {
            return Err(KafkaError::InvalidRecord);
        }
        let latest = now.plus(rules.timestamp_after_max);
        if !rules.log_append_time && batch.records.iter().any(|r| r.timestamp > latest) {
            return Err(KafkaError::InvalidTimestamp);
        }
        if bytes > rules.segment_bytes {
            return Err(KafkaError::RecordListTooLarge);
        }
        Ok(())
    }

    /// Appends what a leader sent, with the leader's numbers; gaps forward are legal (R-OFF-4).
    /// Takes the batches up to the first whose epoch is above `fetching_epoch` (R-OFF-6) and
    /// returns how many. An empty log that the batches straddle is started anew at the first of
    /// them (R-OFF-5).
    ///
    /// # Errors
    /// Nothing is appended then: UnexpectedAppendOffset below the log end, OffsetsOutOfOrder.
    pub fn append_as_follower(
        &mut self,
        batches: &[Batch],
        fetching_epoch: Epoch,
    ) -> Result<u32, KafkaError> {
        let taken = batches
            .iter()
            .position(|b| b.epoch > fetching_epoch)
            .unwrap_or(batches.len());
        let batches = &batches[..taken];
        let (Some(first), Some(last)) = (batches.first(), batches.last()) else {
            return Ok(0);
        };
        let rising = batches.windows(2).all(|w| w[0].last < w[1].base);
        if !rising || batches.iter().any(|b| b.last < b.base) {
            return Err(KafkaError::OffsetsOutOfOrder);
        }
        if self.end.covers(first.base) {
            let straddled = self.start == self.end && !self.end.covers(last.last);
            if !straddled {
                return Err(KafkaError::UnexpectedAppendOffset);
            }
            self.truncate_fully_and_start_at(first.base.before(), None);
        }
        for batch in batches {
            self.put(batch.clone());
        }
        Ok(taken as u32)
    }

    fn put(&mut self, batch: Batch) {
        // Records of an old format carry no epoch (-1).
        if batch.epoch.0 >= 0 {
            self.epochs.assign(batch.epoch, batch.base.before());
        }
        self.end = batch.end();
        self.active.add(&batch);
        if batch.stamp.is_some() {
            Rc::make_mut(&mut self.producers).note(&batch);
        }
        Rc::make_mut(&mut self.batches).push(batch);
    }

    /// Raises a leader's high watermark, never lowers it (R-HW-3). Returns old and new if it
    /// moved. Beyond the log end is the caller's error.
    pub fn maybe_increment_high_watermark(&mut self, to: Boundary) -> Option<(Boundary, Boundary)> {
        debug_assert!(to <= self.end, "R-HW-3: high watermark beyond the log end");
        let to = to.min(self.end);
        (to > self.high_watermark).then(|| self.set_high_watermark(to))
    }

    /// Sets a follower's high watermark to what its leader said, as far as its own log bears it;
    /// it may fall (R-HW-4). Returns old and new if it moved.
    pub fn update_high_watermark(&mut self, to: Boundary) -> Option<(Boundary, Boundary)> {
        let to = to.clamp(self.start, self.end);
        (to != self.high_watermark).then(|| self.set_high_watermark(to))
    }

    fn set_high_watermark(&mut self, to: Boundary) -> (Boundary, Boundary) {
        let old = std::mem::replace(&mut self.high_watermark, to);
        self.forget_replicated(to);
        (old, to)
    }

    fn forget_replicated(&mut self, below: Boundary) {
        if self.producers.has_replicated_below(below) {
            Rc::make_mut(&mut self.producers).replicated_below(below);
        }
    }

    /// Raises the log start; `false` if it is there already. Trims the epoch cache (R-DEL-1).
    ///
    /// # Errors
    /// OFFSET_OUT_OF_RANGE above the high watermark.
    pub fn maybe_increment_start(&mut self, to: Boundary) -> Result<bool, KafkaError> {
        if to > self.high_watermark {
            return Err(KafkaError::OffsetOutOfRange);
        }
        if to <= self.start {
            return Ok(false);
        }
        self.start = to;
        self.epochs.truncate_from_start(to);
        self.forget_replicated(to);
        Ok(true)
    }

    /// Makes the log wrong, for a test of the checks: it knows of no transaction.
    #[cfg(test)]
    pub fn forget_producers(&mut self) {
        self.producers = Rc::default();
    }

    /// Forgets producers that wrote nothing for `expiration` (R-IDM-4).
    pub fn remove_expired_producers(&mut self, now: Ms, expiration: Ms) {
        if self
            .producers
            .iter()
            .any(|(_, p)| Producers::is_expired(p, now, expiration))
        {
            Rc::make_mut(&mut self.producers).remove_expired(now, expiration);
        }
    }
}
