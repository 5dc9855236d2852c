//! What is true of one partition and known to no broker: what is committed, who has led, and how
//! much of it the faults of the run leave to be relied on.

use crate::kafka::batch::Record;
use crate::kafka::ids::*;
use crate::kafka::log::Log;
use crate::kafka::map::Map;
use std::rc::Rc;

/// What is true of a partition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Truth {
    /// Every record that a leader's high watermark has ever covered, with its epoch, in order.
    committed: Rc<Vec<(Epoch, Record)>>,
    /// The highest high watermark that a leader has had (boundary). For a while after a fail-over
    /// no broker knows it.
    pub high_watermark: Boundary,
    /// The highest log start that a leader has had, or that a replica's own retention has set:
    /// records below it were deleted (boundary).
    pub start: Boundary,
    /// How far a cleaner has come on any replica (boundary): below it, records that were superseded
    /// may be gone from some logs and not yet from others (R-CMP-9).
    pub cleaned: Boundary,
    /// Committed records that were written in transactions: an abort makes them superfluous.
    transactional: Rc<Vec<Offset>>,
    /// Who led in each epoch.
    pub leaders: Map<Epoch, BrokerId>,
    /// How each replica stood when it was last seen.
    pub seen: Map<BrokerId, Seen>,
    /// Brokers that lost a part of this partition's log and have not been in the ISR since.
    pub damaged: BrokerSet,
    /// The smallest min.insync.replicas since all was well: so many copies were made.
    pub lowest_min_isr: u32,
    /// An election may have cost committed records, and its leader has not acted yet: nothing can
    /// be expected until it does. The leader epoch it began.
    pub doubt: Option<Epoch>,
    /// Records were given up in favour of the leader of this epoch; what leaders of earlier
    /// epochs say is void.
    pub given_up: Option<Epoch>,
    /// Replicas that may still hold what was given up.
    pub unreconciled: BrokerSet,
    /// Brokers that were taken out of the assignment and have not been in the ISR since.
    pub dismissed: BrokerSet,
}

/// A replica at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seen {
    /// Its leader epoch.
    pub epoch: Epoch,
    /// Whether it led.
    pub leads: bool,
    /// Its high watermark.
    pub high_watermark: Boundary,
}

/// How closely to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// At the last record alone: equal there means equal before, if I03 holds.
    Tail,
    /// At every record.
    Whole,
}

/// `partition_point`, found from the end: what is asked for is nearly always among the last, and
/// a step must cost the same however many came before it.
fn near_end<T>(list: &[T], before: impl Fn(&T) -> bool) -> usize {
    let mut back = 1;
    while back < list.len() && !before(&list[list.len() - back]) {
        back *= 2;
    }
    let from = list.len().saturating_sub(back);
    from + list[from..].partition_point(before)
}

/// A record in a log, with its epoch.
pub fn record(log: &Log, offset: Offset) -> Option<(Epoch, &Record)> {
    let batches = log.batches();
    let at = near_end(batches, |b| b.last < offset);
    let batch = batches.get(at).filter(|b| b.base <= offset)?;
    let record = batch.records.iter().find(|r| r.offset == offset)?;
    Some((batch.epoch, record))
}

impl Default for Truth {
    fn default() -> Self {
        Truth {
            committed: Rc::default(),
            high_watermark: Boundary(0),
            start: Boundary(0),
            cleaned: Boundary(0),
            transactional: Rc::default(),
            leaders: Map::new(),
            seen: Map::new(),
            damaged: BrokerSet::EMPTY,
            lowest_min_isr: u32::MAX,
            doubt: None,
            given_up: None,
            unreconciled: BrokerSet::EMPTY,
            dismissed: BrokerSet::EMPTY,
        }
    }
}

impl Truth {
    /// The committed records, with their epochs.
    pub fn committed(&self) -> &[(Epoch, Record)] {
        &self.committed
    }

    /// The committed record of this number, with its epoch.
    pub fn record(&self, offset: Offset) -> Option<&(Epoch, Record)> {
        let at = near_end(&self.committed, |(_, r)| r.offset < offset);
        self.committed.get(at).filter(|(_, r)| r.offset == offset)
    }

    /// Whether the faults so far leave the guarantees standing: fewer brokers lost their disk
    /// than min.insync.replicas, and no election that may lose data is in the air.
    pub fn holds_good(&self) -> bool {
        self.doubt.is_none() && self.damaged.len() < self.lowest_min_isr.max(1)
    }

    /// Whether what a leader of this epoch says still counts.
    pub fn counts(&self, epoch: Epoch) -> bool {
        self.given_up.is_none_or(|given_up| epoch >= given_up)
    }

    /// A leader's high watermark stands at `to`: what it covers is committed.
    pub fn commit(&mut self, log: &Log, to: Boundary) {
        self.start = self.start.max(log.start());
        if to <= self.high_watermark {
            return;
        }
        let from = self.high_watermark;
        let first = near_end(log.batches(), |b| b.end() <= from);
        let committed = Rc::make_mut(&mut self.committed);
        for batch in &log.batches()[first..] {
            for record in batch.records.iter() {
                if record.offset.before() >= from && to.covers(record.offset) {
                    committed.push((batch.epoch, record.clone()));
                    if batch.transactional && batch.control.is_none() {
                        Rc::make_mut(&mut self.transactional).push(record.offset);
                    }
                }
            }
        }
        self.high_watermark = to;
    }

    /// A replica has been heard of: what it has deleted or cleaned by itself.
    pub fn heed(&mut self, log: &Log) {
        self.start = self.start.max(log.expired());
        self.cleaned = self.cleaned.max(log.cleaned_to().unwrap_or_default());
    }

    /// Whether a committed record was written in a transaction.
    pub fn in_transaction(&self, offset: Offset) -> bool {
        self.transactional.contains(&offset)
    }

    /// Whether a cleaner may have taken a committed record: it was superseded, or is a tombstone,
    /// a marker, without key, or was written in a transaction (R-CMP-3 to R-CMP-6).
    pub fn may_be_gone(&self, record: &Record) -> bool {
        if !self.cleaned.covers(record.offset) {
            return false;
        }
        let (Some(key), Some(_)) = (&record.key, &record.value) else {
            return true;
        };
        let later = near_end(&self.committed, |(_, r)| r.offset <= record.offset);
        let superseded = |(_, r): &(Epoch, Record)| r.key.as_ref() == Some(key);
        self.transactional.contains(&record.offset)
            || self.committed[later..].iter().any(superseded)
    }

    /// The first committed record below `to` that a log lacks or has otherwise.
    pub fn lacking(&self, log: &Log, to: Boundary, depth: Depth) -> Option<&(Epoch, Record)> {
        if log.start() > self.start.min(to) {
            let from = self
                .committed
                .partition_point(|(_, r)| r.offset.before() < self.start);
            let first = self.committed.get(from);
            return first.filter(|(_, r)| log.start().covers(r.offset));
        }
        self.differing(log, to, depth)
    }

    /// The first committed record from the log's start up to `to` that a log lacks or has
    /// otherwise.
    pub fn differing(&self, log: &Log, to: Boundary, depth: Depth) -> Option<&(Epoch, Record)> {
        let (from, to) = (self.start.max(log.start()), to.min(self.high_watermark));
        let end = near_end(&self.committed, |(_, r)| to.covers(r.offset));
        let differs = |known: &&(Epoch, Record)| match record(log, known.1.offset) {
            Some((epoch, has)) => epoch != known.0 || *has != known.1,
            None => !self.may_be_gone(&known.1),
        };
        let reach = self.committed[..end].iter();
        let mut reach = reach.skip_while(|(_, r)| r.offset.before() < from);
        match depth {
            Depth::Tail => {
                let last = end.checked_sub(1).map(|at| &self.committed[at]);
                last.filter(|(_, r)| r.offset.before() >= from)
                    .filter(differs)
            }
            Depth::Whole => reach.find(differs),
        }
    }

    /// The guarantees are gone and a leader of `epoch` lacks committed records: what it has is
    /// what counts from now on. `others` are all brokers but that leader.
    pub fn give_up(&mut self, log: &Log, leader: BrokerId, epoch: Epoch, others: BrokerSet) {
        let start = self.start;
        let keep = self.committed.iter().position(|(known, record)| {
            record.offset.before() >= start
                && match self::record(log, record.offset) {
                    Some((epoch, has)) => epoch != *known || has != record,
                    None => !self.may_be_gone(record),
                }
        });
        let first = keep.map(|at| self.committed[at].1.offset.before());
        let to = self.high_watermark.min(log.end());
        let to = first.map_or(to, |first| to.min(first));
        let keep = self.committed.partition_point(|(_, r)| to.covers(r.offset));
        Rc::make_mut(&mut self.committed).truncate(keep);
        if self.transactional.iter().any(|o| !to.covers(*o)) {
            Rc::make_mut(&mut self.transactional).retain(|o| to.covers(*o));
        }
        self.cleaned = self.cleaned.min(to);
        self.high_watermark = to;
        // What was deleted stays of no concern, even if this leader still has it.
        self.start = self.start.min(to);
        self.doubt = None;
        self.given_up = Some(epoch);
        self.damaged.remove(leader);
        self.unreconciled = others;
    }
}

#[cfg(test)]
mod tests {
    use super::near_end;

    #[test]
    fn the_place_is_the_one_a_plain_search_finds() {
        for length in 0..20 {
            let list: Vec<u32> = (0..length).collect();
            for sought in 0..=length + 1 {
                let plain = list.partition_point(|n| *n < sought);
                assert_eq!(
                    near_end(&list, |n| *n < sought),
                    plain,
                    "{sought} of {length}"
                );
            }
        }
    }
}
