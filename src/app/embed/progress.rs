//! How far a reader has come: what a course may want to know, and nothing else.

use super::json::{Fields, hundredths};

/// The steps shown so far.
#[derive(Debug, Default)]
pub struct Progress {
    bounds: (u32, u32),
    seen: Vec<u32>,
    furthest: u32,
    /// Quarters that were told.
    quarters: u32,
    /// When progress was told last, ms.
    told: Option<u64>,
    owed: bool,
    completed: bool,
    began: u64,
    /// Questions: how many there are, were answered, and rightly.
    pub of: u32,
    /// Answered.
    pub answered: u32,
    /// Rightly.
    pub correct: u32,
}

impl Progress {
    /// A scene begins, at this time (ms).
    pub fn begin(bounds: (u32, u32), now: u64) -> Progress {
        Progress {
            bounds,
            furthest: bounds.0,
            began: now,
            ..Progress::default()
        }
    }

    /// A step is shown; what there is to tell, by the event's name. `answered`: nothing that has
    /// to be answered is open.
    pub fn at(&mut self, step: u32, now: u64, answered: bool) -> Vec<(&'static str, String)> {
        let (from, to) = self.bounds;
        if !self.seen.contains(&step) {
            self.seen.push(step);
        }
        let (seen, of) = (self.seen.len() as u32, to - from + 1);
        let quarters = (seen * 4 / of).min(3);
        self.owed |= step > self.furthest || quarters > self.quarters;
        self.furthest = self.furthest.max(step);
        self.quarters = self.quarters.max(quarters);
        let mut told = Vec::new();
        if self.owed && self.told.is_none_or(|then| now >= then + 1000) {
            (self.owed, self.told) = (false, Some(now));
            let data = Fields::default().number("seen", seen).number("of", of);
            let ratio = hundredths(seen * 100 / of);
            told.push(("progress", data.raw("ratio", &ratio).done()));
        }
        if step == to && answered && !self.completed {
            self.completed = true;
            let ms = u32::try_from(now - self.began.min(now)).unwrap_or(u32::MAX);
            let data = Fields::default().number("ms", ms);
            let data = data
                .number("answered", self.answered)
                .number("correct", self.correct)
                .number("of", self.of)
                .done();
            told.push(("completed", data));
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_steps_are_told_at_most_once_a_second() {
        let mut p = Progress::begin((0, 3), 0);
        let names =
            |told: Vec<(&'static str, String)>| told.into_iter().map(|t| t.0).collect::<Vec<_>>();
        let first = p.at(0, 0, true);
        assert_eq!(
            first,
            [("progress", "{\"seen\":1,\"of\":4,\"ratio\":0.25}".into())]
        );
        assert!(p.at(1, 500, true).is_empty());
        // Held back, not forgotten.
        assert_eq!(names(p.at(1, 1000, true)), ["progress"]);
        assert!(p.at(0, 2500, true).is_empty());
        assert_eq!(names(p.at(3, 4000, true)), ["progress", "completed"]);
        assert!(p.at(3, 9000, true).is_empty());
    }

    #[test]
    fn a_scene_is_complete_at_the_last_step_that_is_shown() {
        let mut p = Progress::begin((2, 4), 100);
        assert!(p.at(4, 700, false).iter().all(|t| t.0 != "completed"));
        let done = p.at(4, 1700, true);
        let data = "{\"ms\":1600,\"answered\":0,\"correct\":0,\"of\":0}";
        assert_eq!(done.last(), Some(&("completed", data.into())));
    }
}
