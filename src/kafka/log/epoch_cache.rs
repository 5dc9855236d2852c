//! The leader epoch cache: at which boundary each leader epoch began in this log (rules R-EPC-*),
//! and the two calculations made from it: where an asker's log diverges, and how far to cut.

use crate::kafka::ids::{Boundary, Epoch};
use std::rc::Rc;

/// (epoch, start) pairs, strictly increasing in both. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EpochCache {
    entries: Rc<Vec<(Epoch, Boundary)>>,
}

impl EpochCache {
    /// An empty cache.
    pub fn new() -> Self {
        Self::default()
    }

    /// The entries, oldest first: an epoch and the boundary at which it began.
    pub fn entries(&self) -> &[(Epoch, Boundary)] {
        &self.entries
    }

    /// The epoch of the latest entry.
    pub fn latest(&self) -> Option<Epoch> {
        self.entries.last().map(|e| e.0)
    }

    /// The epoch of the oldest entry.
    pub fn earliest(&self) -> Option<Epoch> {
        self.entries.first().map(|e| e.0)
    }

    /// Notes that `epoch` begins at `start` (R-EPC-1). An older epoch, or an older start, wipes
    /// what contradicts it.
    pub fn assign(&mut self, epoch: Epoch, start: Boundary) {
        if self
            .entries
            .last()
            .is_some_and(|(e, s)| *e == epoch && start >= *s)
        {
            return;
        }
        let entries = Rc::make_mut(&mut self.entries);
        while entries
            .last()
            .is_some_and(|(e, s)| *e >= epoch || *s >= start)
        {
            entries.pop();
        }
        entries.push((epoch, start));
    }

    /// Where the largest epoch not above `epoch` ends in a log that ends at `leo` (R-EPC-2).
    /// `None` is Kafka's undefined (-1, -1).
    pub fn end_offset_for(&self, epoch: Epoch, leo: Boundary) -> Option<(Epoch, Boundary)> {
        let latest = self.latest()?;
        if epoch.0 < 0 || epoch > latest {
            return None;
        }
        if epoch == latest {
            return Some((epoch, leo));
        }
        // Not the latest, so an entry of a higher epoch exists.
        let higher = self.entries.partition_point(|(e, _)| *e <= epoch);
        let floor = match higher {
            0 => epoch,
            n => self.entries[n - 1].0,
        };
        Some((floor, self.entries[higher].1))
    }

    /// The epoch of a record that lies right behind boundary `at` in a log with this cache.
    pub fn epoch_at(&self, at: Boundary) -> Option<Epoch> {
        let n = self.entries.partition_point(|(_, s)| *s <= at);
        n.checked_sub(1).map(|i| self.entries[i].0)
    }

    /// Drops entries that begin at or behind `end` (R-EPC-3).
    pub fn truncate_from_end(&mut self, end: Boundary) {
        if self.entries.last().is_some_and(|(_, s)| *s >= end) {
            let keep = self.entries.partition_point(|(_, s)| *s < end);
            Rc::make_mut(&mut self.entries).truncate(keep);
        }
    }

    /// Drops entries that begin at or before `start`; the last of them stays, beginning at
    /// `start` (R-EPC-3).
    pub fn truncate_from_start(&mut self, start: Boundary) {
        let gone = self.entries.partition_point(|(_, s)| *s <= start);
        if gone == 0 || (gone == 1 && self.entries[0].1 == start) {
            return;
        }
        let entries = Rc::make_mut(&mut self.entries);
        entries.drain(..gone - 1);
        entries[0].1 = start;
    }

    /// Forgets everything (R-TRC-2).
    pub fn clear(&mut self) {
        if !self.entries.is_empty() {
            self.entries = Rc::default();
        }
    }
}

/// Whether a log fetched from boundary `fetch` by an asker whose last record is of epoch
/// `last_fetched` diverges from a log whose end of that epoch is `answer` (R-TRU-1).
pub fn diverges(answer: (Epoch, Boundary), last_fetched: Epoch, fetch: Boundary) -> bool {
    answer.0 < last_fetched || answer.1 < fetch
}

/// How far a follower cuts its log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TruncationTarget {
    /// The boundary to cut at.
    pub to: Boundary,
    /// Whether the logs agree then; otherwise the follower has to ask again (R-TRU-4).
    pub complete: bool,
}

/// How far a follower whose log ends at `leo` cuts, told by its leader that epoch `leader.0` ends
/// at `leader.1`; `own` is what the follower's cache says of that epoch (R-TRU-3).
pub fn truncation_target(
    own: Option<(Epoch, Boundary)>,
    leader: (Epoch, Boundary),
    leo: Boundary,
) -> TruncationTarget {
    match own {
        Some((epoch, end)) if epoch != leader.0 => TruncationTarget {
            to: end.min(leo),
            complete: false,
        },
        Some((_, end)) => TruncationTarget {
            to: end.min(leader.1).min(leo),
            complete: true,
        },
        None => TruncationTarget {
            to: leader.1.min(leo),
            complete: true,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(entries: &[(i32, i64)]) -> EpochCache {
        let mut c = EpochCache::new();
        for (e, s) in entries {
            c.assign(Epoch(*e), Boundary(*s));
        }
        c
    }

    fn list(c: &EpochCache) -> Vec<(i32, i64)> {
        c.entries().iter().map(|(e, s)| (e.0, s.0)).collect()
    }

    #[test]
    fn an_older_epoch_assigned_again_later_wipes_the_newer_r_epc_1() {
        let mut c = cache(&[(1, 5), (2, 6)]);
        c.assign(Epoch(1), Boundary(7));
        assert_eq!(list(&c), [(1, 7)]);
        c.assign(Epoch(1), Boundary(9));
        assert_eq!(
            list(&c),
            [(1, 7)],
            "a later start of the latest epoch is ignored"
        );
        c.assign(Epoch(1), Boundary(3));
        assert_eq!(list(&c), [(1, 3)], "an earlier one is not");
    }

    #[test]
    fn ends_of_epochs_r_epc_2() {
        let c = cache(&[(2, 10), (4, 13), (5, 17)]);
        let end = |e| {
            c.end_offset_for(Epoch(e), Boundary(20))
                .map(|(e, o)| (e.0, o.0))
        };
        assert_eq!(end(-1), None);
        assert_eq!(end(1), Some((1, 10)), "below all entries");
        assert_eq!(end(2), Some((2, 13)));
        assert_eq!(end(3), Some((2, 13)), "floor");
        assert_eq!(end(5), Some((5, 20)));
        assert_eq!(end(6), None);
        assert_eq!(
            EpochCache::new().end_offset_for(Epoch(0), Boundary(3)),
            None
        );
    }

    #[test]
    fn cutting_keeps_the_last_epoch_at_the_new_start_r_epc_3() {
        let mut c = cache(&[(2, 6), (3, 8), (4, 11)]);
        c.truncate_from_start(Boundary(9));
        assert_eq!(list(&c), [(3, 9), (4, 11)]);
        c.truncate_from_start(Boundary(11));
        assert_eq!(list(&c), [(4, 11)]);
        c.truncate_from_end(Boundary(11));
        assert_eq!(list(&c), []);
    }

    #[test]
    fn identity_does_not_depend_on_history() {
        let mut a = cache(&[(1, 0), (2, 5), (3, 9)]);
        a.truncate_from_end(Boundary(4));
        assert_eq!(a, cache(&[(1, 0)]));
    }

    /// The seven cases of correctness 1.3: (name, leader's epochs and end, follower's epochs and
    /// end, the leader's answer, the boundary the follower cuts at in the first round).
    #[test]
    fn worked_cases_a_to_g_r_tru_1_r_tru_3() {
        type Side<'a> = (&'a [(i32, i64)], i64);
        type Case<'a> = (&'a str, Side<'a>, Side<'a>, Option<((i32, i64), i64)>);
        let cases: [Case; 7] = [
            ("A", (&[(1, 0)], 5), (&[(1, 0)], 3), None),
            ("B", (&[(1, 0), (2, 3)], 5), (&[(1, 0)], 3), None),
            (
                "C",
                (&[(1, 0), (2, 2)], 3),
                (&[(1, 0)], 4),
                Some(((1, 2), 2)),
            ),
            (
                "D",
                (&[(1, 0), (3, 2)], 2),
                (&[(1, 0), (2, 2)], 4),
                Some(((1, 2), 2)),
            ),
            (
                "E",
                (&[(1, 0), (3, 2)], 4),
                (&[(1, 0), (2, 2)], 4),
                Some(((1, 2), 2)),
            ),
            (
                "F",
                (&[(1, 0), (3, 2)], 4),
                (&[(1, 0), (2, 1)], 3),
                Some(((1, 2), 1)),
            ),
            (
                "G",
                (&[(1, 0), (3, 1)], 2),
                (&[(2, 0)], 2),
                Some(((1, 1), 0)),
            ),
        ];
        for (name, (leader, leader_end), (follower, follower_end), expected) in cases {
            let (leader, follower) = (cache(leader), cache(follower));
            let (leader_end, leo) = (Boundary(leader_end), Boundary(follower_end));
            let last = follower.latest().expect("a follower with records");
            let answer = leader.end_offset_for(last, leader_end).expect("defined");
            let diverging = diverges(answer, last, leo).then_some(answer);
            assert_eq!(
                diverging.map(|(e, o)| (e.0, o.0)),
                expected.map(|e| e.0),
                "case {name}: answer"
            );
            if let Some((answer, to)) = diverging.zip(expected.map(|e| e.1)) {
                let target = truncation_target(follower.end_offset_for(answer.0, leo), answer, leo);
                assert_eq!(target.to.0, to, "case {name}: cut");
                assert!(target.complete, "case {name}: one round suffices");
            }
        }
    }
}
