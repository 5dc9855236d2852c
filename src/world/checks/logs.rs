//! The logs by themselves and side by side: I01 to I04.

use super::*;
use crate::kafka::batch::Record;
use crate::world::truth::record;

impl Look<'_> {
    pub(super) fn logs_are_sound(&self, found: &mut Found) {
        for (id, log) in self.logs() {
            self.structure(id, log, found);
            if self.depth == Depth::Whole {
                self.cache(id, log, found);
                self.stable_is_right(id, log, found);
            }
            self.committed_prefix(id, log, found);
        }
        if self.depth == Depth::Whole {
            let logs: Vec<_> = self.logs().collect();
            for (at, a) in logs.iter().enumerate() {
                for b in &logs[at + 1..] {
                    self.matching(*a, *b, found);
                }
            }
        }
    }

    /// I01: offsets strictly increase, epochs never decrease; log start <= last stable <= high
    /// watermark <= log end (R-HW-1, R-INV-1).
    fn structure(&self, id: BrokerId, log: &Log, found: &mut Found) {
        let (start, hw, end) = (log.start(), log.high_watermark(), log.end());
        let stable = log.last_stable();
        if !(start <= stable && stable <= hw && hw <= end) {
            let name = self.name();
            let text = format!(
                "broker {id} has {name} with log start {start}, last stable offset {stable}, high watermark {hw} and log end {end}"
            );
            found.add(LOG_STRUCTURE, self.tp, text);
        }
        let batches = log.batches();
        let from = match self.depth {
            Depth::Tail => batches.len().saturating_sub(2),
            Depth::Whole => 0,
        };
        for pair in batches[from..].windows(2) {
            let (a, b) = (&pair[0], &pair[1]);
            if a.last >= b.base || a.epoch > b.epoch {
                let name = self.name();
                let text = format!(
                    "broker {id} has {name} with record {} of epoch {} in front of record {} of epoch {}",
                    a.last, a.epoch, b.base, b.epoch
                );
                found.add(LOG_STRUCTURE, self.tp, text);
            }
        }
    }

    /// I02: the leader epoch cache says what the log says; behind it at most one epoch in which
    /// nothing was written, at the log end (R-EPC-1, R-EPC-4).
    fn cache(&self, id: BrokerId, log: &Log, found: &mut Found) {
        if self.truth.cleaned > log.start() {
            return self.cache_of_cleaned(id, log, found);
        }
        let mut expected: Vec<(Epoch, Boundary)> = Vec::new();
        for batch in log.batches().iter().filter(|b| b.end() > log.start()) {
            if expected
                .last()
                .is_none_or(|(epoch, _)| *epoch != batch.epoch)
            {
                expected.push((batch.epoch, batch.base.before().max(log.start())));
            }
        }
        let has = log.epochs().entries();
        let rest = has.strip_prefix(&expected[..]);
        let sound = rest.is_some_and(|rest| match rest {
            [] => true,
            [(_, start)] => *start == log.end(),
            _ => false,
        });
        if !sound {
            let name = self.name();
            let text = format!(
                "the epoch cache of {name} on broker {id} is {has:?}, the log has {expected:?}"
            );
            found.add(EPOCH_CACHE, self.tp, text);
        }
    }

    /// I02 of a log with holes: an epoch's first batches may be gone, so that its entry begins in
    /// front of what is left of it; each batch still lies in its own epoch.
    fn cache_of_cleaned(&self, id: BrokerId, log: &Log, found: &mut Found) {
        let cache = log.epochs();
        let live = log.batches().iter().filter(|b| b.end() > log.start());
        let mut at = live.map(|b| (b, cache.epoch_at(b.base.before().max(log.start()))));
        if let Some((batch, says)) = at.find(|(b, says)| *says != Some(b.epoch)) {
            let text = format!(
                "the epoch cache of {} on broker {id} has {says:?} at record {} of epoch {}",
                self.name(),
                batch.base,
                batch.epoch
            );
            found.add(EPOCH_CACHE, self.tp, text);
        }
    }

    /// I03: where two logs have a record of the same number and epoch, they are equal up to it (R-INV-7).
    fn matching(&self, a: (BrokerId, &Log), b: (BrokerId, &Log), found: &mut Found) {
        // Below the cleaner's reach one may still have what the other has not.
        let from = a.1.start().max(b.1.start()).max(self.truth.cleaned);
        let records = |log: &Log| -> Vec<(Epoch, Record)> {
            let batches = log.batches().iter().filter(|b| b.end() > from);
            batches
                .flat_map(|b| b.records.iter().map(|r| (b.epoch, r.clone())))
                .filter(|(_, r)| r.offset.before() >= from)
                .collect()
        };
        if std::ptr::eq(a.1.batches(), b.1.batches()) {
            return;
        }
        let (left, right) = (records(a.1), records(b.1));
        let common = left
            .iter()
            .zip(&right)
            .rposition(|(l, r)| l.0 == r.0 && l.1.offset == r.1.offset);
        let Some(common) = common else { return };
        let differing = (0..=common).find(|at| left[*at] != right[*at]);
        if let Some(at) = differing {
            let (l, r) = (&left[at], &right[at]);
            let text = format!(
                "{}: brokers {} and {} have the same record {} of epoch {}, but record {} is {} of epoch {} on the one and {} of epoch {} on the other",
                self.name(),
                a.0,
                b.0,
                left[common].1.offset,
                left[common].0,
                l.1.offset,
                value(&l.1),
                l.0,
                value(&r.1),
                r.0
            );
            found.add(LOG_MATCHING, self.tp, text);
        }
    }

    /// I04: below its high watermark a replica has what is committed, and no
    /// leader was behind it (R-INV-3).
    fn committed_prefix(&self, id: BrokerId, log: &Log, found: &mut Found) {
        if !self.truth.holds_good() || !self.counts(id) {
            return;
        }
        let hw = log.high_watermark();
        let running = self
            .world
            .machines
            .get(&id)
            .is_some_and(|m| m.broker().is_some());
        if running && hw > self.truth.high_watermark {
            let text = format!(
                "broker {id} has the high watermark {hw} in {}, but no leader ever had more than {}",
                self.name(),
                self.truth.high_watermark
            );
            found.add(PREFIX_AGREES, self.tp, text);
        }
        if let Some((epoch, known)) = self.truth.differing(log, hw, self.depth) {
            let has = match record(log, known.offset) {
                Some((epoch, has)) => format!("{} of epoch {epoch}", value(has)),
                None => "none".into(),
            };
            let text = format!(
                "{}: record {} is committed as {} of epoch {epoch}; broker {id} has {has} below its high watermark {hw}",
                self.name(),
                known.offset,
                value(known)
            );
            found.add(PREFIX_AGREES, self.tp, text);
        }
    }

    /// Whether what this replica has still counts after records were given up.
    pub(super) fn counts(&self, id: BrokerId) -> bool {
        let machine = self.world.machines.get(&id);
        let replica = machine
            .and_then(|m| m.broker())
            .and_then(|b| b.replicas.get(&self.tp));
        !self.truth.unreconciled.contains(id)
            && replica.is_none_or(|r| self.truth.counts(r.leader_epoch))
    }
}

/// A record's value for a sentence.
pub(super) fn value(record: &Record) -> String {
    match &record.value {
        Some(value) => format!("\"{value}\""),
        None => "a tombstone".into(),
    }
}
