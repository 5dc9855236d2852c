//! What a log knows of producers: the last batches of each, for duplicates and gaps (rules
//! R-IDM-*), and their transactions, which hold back the last stable offset (R-LSO-*).

use crate::kafka::batch::{Batch, Control, Stamp};
use crate::kafka::error::KafkaError;
use crate::kafka::ids::{Boundary, Ms, Offset};
use crate::kafka::map::Map;

/// How many batches of a producer are remembered (R-IDM-1).
pub const REMEMBERED: usize = 5;

/// A batch that a producer wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Written {
    /// The sequence number of its first record.
    pub first_sequence: i32,
    /// The sequence number of its last record.
    pub last_sequence: i32,
    /// The number of its first record.
    pub base: Offset,
    /// The number of its last record.
    pub last: Offset,
}

/// What is known of one producer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Producer {
    /// Its epoch, as last seen.
    pub epoch: i16,
    /// Its last batches of this epoch, oldest first, at most [`REMEMBERED`].
    pub written: Vec<Written>,
    /// The largest time stamp of its last batch, ms: what expiration counts from (R-IDM-4).
    pub last_timestamp: Ms,
    /// The first record of its open transaction.
    pub open: Option<Offset>,
}

impl Producer {
    /// The sequence number it wrote last in its present epoch.
    pub fn last_sequence(&self) -> Option<i32> {
        self.written.last().map(|w| w.last_sequence)
    }

    fn set_epoch(&mut self, epoch: i16) {
        if self.epoch != epoch {
            self.epoch = epoch;
            self.written.clear();
        }
    }
}

/// A transaction that was aborted (R-LSO-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Aborted {
    /// Whose it was.
    pub producer_id: i64,
    /// Its first record.
    pub first: Offset,
    /// Its marker.
    pub last: Offset,
    /// The last stable offset once it was complete, were everything replicated.
    pub last_stable: Boundary,
}

/// All producers of one log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Producers {
    known: Map<i64, Producer>,
    /// First record of each open transaction, and whose it is.
    open: Map<Offset, i64>,
    /// First record and marker of each transaction whose marker is not below the high watermark.
    unreplicated: Map<Offset, Offset>,
    aborted: Vec<Aborted>,
}

/// `a + n` as sequence numbers count: after `i32::MAX` comes 0 (R-IDM-2).
pub fn sequence_plus(a: i32, n: i32) -> i32 {
    a.wrapping_add(n) & i32::MAX
}

impl Producers {
    /// The producers by id.
    pub fn iter(&self) -> impl Iterator<Item = (i64, &Producer)> {
        self.known.iter().map(|(id, p)| (*id, p))
    }

    /// What is known of one.
    pub fn get(&self, producer_id: i64) -> Option<&Producer> {
        self.known.get(&producer_id)
    }

    /// Whether nothing at all is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty() && self.unreplicated.is_empty() && self.aborted.is_empty()
    }

    /// The aborted transactions, in order of their markers (R-LSO-5).
    pub fn aborted(&self) -> &[Aborted] {
        &self.aborted
    }

    /// Aborted transactions with something at or behind `from` and in front of `to`: what a
    /// read_committed consumer is sent along (R-ISO-1).
    pub fn aborted_between(&self, from: Boundary, to: Boundary) -> Vec<(i64, Offset)> {
        let within = |a: &&Aborted| a.last.after() > from && to.covers(a.first);
        let aborted = self.aborted.iter().filter(within);
        let mut list: Vec<(i64, Offset)> = aborted.map(|a| (a.producer_id, a.first)).collect();
        list.sort_unstable_by_key(|(_, first)| *first);
        list
    }

    /// Takes over the list of aborted transactions.
    pub fn take_aborted(&mut self, from: &Producers) {
        self.aborted.clone_from(&from.aborted);
    }

    /// Forgets aborted transactions, but those for which `keep` holds: the files that hold them
    /// are gone, or were written anew.
    pub fn retain_aborted(&mut self, keep: impl FnMut(&Aborted) -> bool) {
        self.aborted.retain(keep);
    }

    /// Whether some transaction is open, or not yet replicated.
    pub fn has_unstable(&self) -> bool {
        !self.open.is_empty() || !self.unreplicated.is_empty()
    }

    /// The first record of the oldest open transaction.
    pub fn first_undecided(&self) -> Option<Offset> {
        self.open.keys().next().copied()
    }

    /// The first record of the oldest transaction that is open, or whose marker is not yet below
    /// the high watermark (R-LSO-2).
    pub fn first_unstable(&self) -> Option<Offset> {
        let completed = self.unreplicated.keys().next().copied();
        match (self.first_undecided(), completed) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// The batch that this one repeats, if it is remembered (R-IDM-1, R-IDM-7: contents are not
    /// compared). `records` is the number of records in the batch, from 1.
    pub fn duplicate(&self, stamp: Stamp, records: i32) -> Option<Written> {
        let last = sequence_plus(stamp.base_sequence, records - 1);
        self.known
            .get(&stamp.producer_id)
            .filter(|p| p.epoch == stamp.epoch)?
            .written
            .iter()
            .copied()
            .find(|w| w.first_sequence == stamp.base_sequence && w.last_sequence == last)
    }

    /// Whether a leader may append a batch with this stamp (R-IDM-2, R-IDM-3). A marker may carry
    /// a newer epoch than its transaction's data: it ends that epoch (R-TXN-1).
    ///
    /// # Errors
    /// INVALID_PRODUCER_EPOCH, OUT_OF_ORDER_SEQUENCE_NUMBER.
    pub fn check(&self, stamp: Stamp, marker: bool) -> Result<(), KafkaError> {
        let Some(producer) = self.known.get(&stamp.producer_id) else {
            return Ok(());
        };
        if stamp.epoch < producer.epoch {
            return Err(KafkaError::InvalidProducerEpoch);
        }
        if marker {
            return Ok(());
        }
        // A newer epoch, and an epoch in which nothing was written yet, begin at 0.
        let next = match producer.last_sequence() {
            Some(last) if producer.epoch == stamp.epoch => sequence_plus(last, 1),
            _ => 0,
        };
        if stamp.base_sequence == next {
            Ok(())
        } else {
            Err(KafkaError::OutOfOrderSequenceNumber)
        }
    }

    /// Takes note of a batch that is in the log now, without asking whether it may be (R-IDM-4).
    pub fn note(&mut self, batch: &Batch) {
        let Some(stamp) = batch.stamp else { return };
        let id = stamp.producer_id;
        let producer = self.known.entry(id).or_insert_with(|| Producer {
            epoch: stamp.epoch,
            written: Vec::new(),
            last_timestamp: Ms(0),
            open: None,
        });
        producer.set_epoch(stamp.epoch);
        if let Some(latest) = batch.records.iter().map(|r| r.timestamp).max() {
            producer.last_timestamp = latest;
        }
        if let Some(control) = batch.control {
            if let Some(first) = producer.open.take() {
                self.complete(id, first, batch.last, control);
            }
            return;
        }
        if producer.written.len() == REMEMBERED {
            producer.written.remove(0);
        }
        producer.written.push(Written {
            first_sequence: stamp.base_sequence,
            last_sequence: batch.last_sequence().unwrap_or(stamp.base_sequence),
            base: batch.base,
            last: batch.last,
        });
        if batch.transactional && producer.open.is_none() {
            producer.open = Some(batch.base);
            self.open.insert(batch.base, id);
        }
    }

    fn complete(&mut self, producer_id: i64, first: Offset, marker: Offset, control: Control) {
        self.open.remove(&first);
        self.unreplicated.insert(first, marker);
        if control == Control::Abort {
            self.aborted.push(Aborted {
                producer_id,
                first,
                last: marker,
                last_stable: self
                    .first_undecided()
                    .map_or(marker.after(), Offset::before),
            });
        }
    }

    /// Whether [`Producers::replicated_below`] would change something.
    pub fn has_replicated_below(&self, boundary: Boundary) -> bool {
        self.unreplicated.values().any(|m| boundary.covers(*m))
    }

    /// Transactions whose marker is below the boundary (the high watermark, or the log start)
    /// hold nothing back any longer (R-LSO-3).
    pub fn replicated_below(&mut self, boundary: Boundary) {
        self.unreplicated.retain(|_, m| !boundary.covers(*m));
    }

    /// Whether a producer is to be forgotten at `now` (R-IDM-4).
    pub fn is_expired(producer: &Producer, now: Ms, expiration: Ms) -> bool {
        producer.open.is_none() && now.since(producer.last_timestamp) >= expiration
    }

    /// Forgets producers that wrote nothing for `expiration` and have no open transaction
    /// (R-IDM-4).
    pub fn remove_expired(&mut self, now: Ms, expiration: Ms) {
        self.known
            .retain(|_, p| !Self::is_expired(p, now, expiration));
    }
}
