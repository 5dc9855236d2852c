//! The axis: which place each number takes. A log that is too long is folded where no boundary
//! stands, so that every boundary keeps the record before it and the record behind it.

use crate::kafka::sort;

/// A run of numbers, in places of their own or folded into a few.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    from: i64,
    to: i64,
    slot: i32,
    folded: bool,
}

/// The places of a drawing, counted from its left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Axis {
    runs: Vec<Run>,
    /// How many places there are in all.
    pub slots: i32,
}

impl Axis {
    /// An axis for the numbers below `end`, in `room` places if it can be; `marks` are the
    /// boundaries that must be seen, a fold takes `fold` places.
    pub fn new(end: i64, marks: &[i64], room: i32, fold: i32) -> Axis {
        let (room, fold) = (i64::from(room), i64::from(fold));
        let mut kept: Vec<(i64, i64)> = Vec::new();
        if end <= room {
            kept.push((0, end));
        } else {
            let mut wanted: Vec<(i64, i64)> = marks
                .iter()
                .map(|m| ((m - 1).clamp(0, end), (m + 1).clamp(0, end)))
                .collect();
            wanted.push((end - 1, end));
            sort::by_key(&mut wanted, |w| *w);
            for (from, to) in wanted {
                match kept.last_mut() {
                    // A fold that saves nothing is none.
                    Some(last) if from - last.1 <= fold => last.1 = last.1.max(to),
                    None if from <= fold => kept.push((0, to)),
                    _ => kept.push((from, to)),
                }
            }
            fill(&mut kept, room, fold);
        }
        let mut axis = Axis::default();
        let mut at = 0;
        for (from, to) in kept {
            axis.push(at, from, fold as i32, true);
            axis.push(from, to, (to - from) as i32, false);
            at = to;
        }
        axis
    }

    fn push(&mut self, from: i64, to: i64, slots: i32, folded: bool) {
        if to > from {
            self.runs.push(Run {
                from,
                to,
                slot: self.slots,
                folded,
            });
            self.slots += slots;
        }
    }

    /// The place in front of which a boundary stands.
    pub fn slot(&self, at: i64) -> i32 {
        let mut slot = self.slots;
        for run in self.runs.iter().rev() {
            if at >= run.to {
                break;
            }
            slot = match run.folded {
                true => run.slot,
                false => run.slot + (at - run.from).max(0) as i32,
            };
        }
        slot
    }

    /// Numbers that have a place of their own, and the place.
    pub fn cells(&self) -> impl Iterator<Item = (i64, i32)> {
        let open = self.runs.iter().filter(|r| !r.folded);
        open.flat_map(|r| (r.from..r.to).zip(r.slot..))
    }

    /// Folded runs: first number, the number behind the last, first place.
    pub fn folds(&self) -> impl Iterator<Item = (i64, i64, i32)> {
        let folded = self.runs.iter().filter(|r| r.folded);
        folded.map(|r| (r.from, r.to, r.slot))
    }
}

/// Opens folds from the right while there is room.
fn fill(kept: &mut Vec<(i64, i64)>, room: i64, fold: i64) {
    let mut taken: i64 = kept.iter().map(|k| k.1 - k.0).sum();
    let mut before = 0;
    for k in &*kept {
        taken += if k.0 > before { fold } else { 0 };
        before = k.1;
    }
    let mut extra = room - taken;
    let mut n = kept.len();
    while n > 0 && extra > 0 {
        n -= 1;
        let left = if n == 0 { 0 } else { kept[n - 1].1 };
        let gap = kept[n].0 - left;
        if gap == 0 {
            continue;
        }
        if gap - fold <= extra {
            extra -= gap - fold;
            kept[n].0 = left;
            if n > 0 {
                kept[n - 1].1 = kept[n].1;
                kept.remove(n);
            }
        } else {
            kept[n].0 -= extra;
            extra = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_not_folded() {
        let axis = Axis::new(13, &[2, 13], 13, 2);
        assert_eq!(axis.slots, 13);
        assert_eq!(axis.folds().count(), 0);
        assert_eq!((axis.slot(0), axis.slot(13)), (0, 13));
    }

    #[test]
    fn every_boundary_keeps_its_neighbours() {
        for marks in [
            vec![0, 50, 1000],
            vec![3, 500, 501, 990, 995, 1000],
            vec![1000],
        ] {
            let axis = Axis::new(1000, &marks, 20, 2);
            assert!(axis.slots <= 20, "{marks:?} takes {}", axis.slots);
            let cells: Vec<i64> = axis.cells().map(|c| c.0).collect();
            for m in &marks {
                assert!(*m == 0 || cells.contains(&(m - 1)), "{m} of {marks:?}");
                assert!(*m == 1000 || cells.contains(m), "{m} of {marks:?}");
            }
            // All room is used, and no number is shown and folded at once.
            assert_eq!(axis.slots, 20);
            let folded: i64 = axis.folds().map(|f| f.1 - f.0).sum();
            assert_eq!(folded + cells.len() as i64, 1000);
            // Boundaries stand in the order of their values.
            assert!(marks.windows(2).all(|w| axis.slot(w[0]) < axis.slot(w[1])));
        }
    }
}
