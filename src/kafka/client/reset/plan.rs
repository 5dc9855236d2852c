//! Where each partition goes: a pure function of what the tool was told (R-RSO-4, R-RSO-5).

use super::{ResetLine, ResetOutcome, ResetTo, ResetWarning};
use crate::kafka::ids::*;

/// What the tool knows of a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Known {
    /// Which.
    pub tp: Tp,
    /// Log start (boundary).
    pub earliest: Boundary,
    /// High watermark (boundary), also while a transaction is open (R-RSO-4).
    pub latest: Boundary,
    /// The first record at or after the time asked for, if a time was and there is one.
    pub at_time: Option<Boundary>,
    /// What is committed.
    pub committed: Option<Boundary>,
    /// Its own position out of a file; without one in its line: 0 (R-RSO-10).
    pub of_file: Boundary,
}

/// The plan for these partitions.
///
/// # Errors
/// --shift-by where nothing is committed: nothing is planned at all (R-RSO-8).
pub fn plan(parts: &[Known], to: ResetTo) -> Result<Vec<ResetLine>, ResetOutcome> {
    parts.iter().map(|part| line(part, to)).collect()
}

fn line(part: &Known, to: ResetTo) -> Result<ResetLine, ResetOutcome> {
    let (new, warning) = match to {
        ResetTo::Earliest => (part.earliest, None),
        ResetTo::Latest => (part.latest, None),
        // Not clamped: a commit outside the log stays what it is.
        ResetTo::Current => (part.committed.unwrap_or(part.latest), None),
        ResetTo::Offset(asked) => clamp(part, asked),
        ResetTo::FromFile => clamp(part, part.of_file),
        ResetTo::ShiftBy(by) => match part.committed {
            Some(committed) => clamp(part, Boundary(committed.0.saturating_add(by))),
            None => return Err(ResetOutcome::NothingCommitted(part.tp)),
        },
        ResetTo::Datetime(_) | ResetTo::ByDuration(_) => match part.at_time {
            Some(at) => (at, None),
            None => (part.latest, Some(ResetWarning::NothingAtTime)),
        },
    };
    Ok(ResetLine {
        tp: part.tp,
        current: part.committed,
        new,
        warning,
    })
}

/// A position that a person gave is kept within the log.
fn clamp(part: &Known, asked: Boundary) -> (Boundary, Option<ResetWarning>) {
    if asked > part.latest {
        let set = part.latest;
        (set, Some(ResetWarning::HigherThanLatest { asked, set }))
    } else if asked < part.earliest {
        let set = part.earliest;
        (set, Some(ResetWarning::LowerThanEarliest { asked, set }))
    } else {
        (asked, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TP: Tp = Tp {
        topic: TopicId(0),
        partition: 0,
    };

    /// orders-0 of run o09: log start 4, end 10.
    fn new(to: ResetTo, committed: Option<i64>) -> (i64, bool) {
        let part = Known {
            tp: TP,
            earliest: Boundary(4),
            latest: Boundary(10),
            at_time: None,
            committed: committed.map(Boundary),
            of_file: Boundary(0),
        };
        let lines = plan(&[part], to).expect("a plan");
        (lines[0].new.0, lines[0].warning.is_some())
    }

    #[test]
    fn r_rso_4_asked_positions_are_clamped_and_the_current_one_is_not() {
        let at = |n| ResetTo::Offset(Boundary(n));
        assert_eq!(new(at(6), Some(5)), (6, false));
        assert_eq!(new(at(10), Some(5)), (10, false));
        assert_eq!(new(at(2), Some(5)), (4, true));
        assert_eq!(new(at(99), Some(5)), (10, true));
        assert_eq!(new(ResetTo::ShiftBy(-3), Some(10)), (7, false));
        assert_eq!(new(ResetTo::ShiftBy(-30), Some(9)), (4, true));
        assert_eq!(new(ResetTo::ShiftBy(100), Some(4)), (10, true));
        assert_eq!(new(ResetTo::Current, Some(20)), (20, false));
        assert_eq!(new(ResetTo::Current, Some(2)), (2, false));
        assert_eq!(new(ResetTo::Current, None), (10, false));
        assert_eq!(new(ResetTo::Earliest, None), (4, false));
    }

    #[test]
    fn r_rso_5_no_record_at_or_after_the_time_is_the_latest_with_a_warning() {
        assert_eq!(new(ResetTo::Datetime(Ms(7)), Some(5)), (10, true));
    }

    #[test]
    fn r_rso_10_a_line_of_a_file_without_an_offset_is_0_and_then_clamped() {
        assert_eq!(new(ResetTo::FromFile, Some(5)), (4, true));
    }

    #[test]
    fn r_rso_8_a_shift_without_a_commit_plans_nothing() {
        let part = Known {
            tp: TP,
            earliest: Boundary(0),
            latest: Boundary(10),
            at_time: None,
            committed: None,
            of_file: Boundary(0),
        };
        let refused = plan(&[part], ResetTo::ShiftBy(1));
        assert_eq!(refused, Err(ResetOutcome::NothingCommitted(part.tp)));
    }
}
