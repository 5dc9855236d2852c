//! Which recorded runs of Apache Kafka the engine was held against, and how much of each was
//! compared: lines that the test of the runs writes, nobody by hand.

/// The version of Kafka that recordings were made with; the test of the runs holds it.
pub const KAFKA: &str = "4.3.1";

const MARKS: &str = include_str!("../../static/checked.txt");

/// A run that was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark<'a> {
    /// The run's name.
    pub run: &'a str,
    /// How many steps of it.
    pub steps: u32,
    /// How many facts in all of them.
    pub facts: u32,
}

/// How far a scene was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// All runs it corresponds to were compared.
    Whole,
    /// Some were.
    Parts,
    /// None was, or it corresponds to none.
    No,
}

/// The mark of a run, if it was compared.
pub fn mark(run: &str) -> Option<Mark<'static>> {
    marks(MARKS).find(|mark| mark.run == run)
}

fn marks(text: &str) -> impl Iterator<Item = Mark<'_>> {
    text.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let run = words.next()?;
        let mut number = || words.by_ref().find_map(|word| word.parse().ok());
        Some(Mark {
            run,
            steps: number()?,
            facts: number()?,
        })
    })
}

/// How far a scene that corresponds to these runs was checked.
pub fn checked<'a>(runs: impl Iterator<Item = &'a str>) -> Checked {
    let (mut some, mut all) = (false, true);
    for run in runs {
        match mark(run) {
            Some(_) => some = true,
            None => all = false,
        }
    }
    match (some, all) {
        (true, true) => Checked::Whole,
        (true, false) => Checked::Parts,
        (false, _) => Checked::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read_as_the_test_of_the_runs_writes_them() {
        let mark = Mark {
            run: "r01-baseline",
            steps: 6,
            facts: 410,
        };
        assert!(marks("r01-baseline 6 steps, 410 facts\n").eq([mark]));
        assert_eq!(marks(MARKS).count(), MARKS.lines().count());
    }

    #[test]
    fn a_scene_is_checked_as_far_as_its_runs_are() {
        assert_eq!(checked(["r01-baseline"].into_iter()), Checked::Whole);
        assert_eq!(checked(["r01-baseline", "r99"].into_iter()), Checked::Parts);
        assert_eq!(checked(["r99"].into_iter()), Checked::No);
        assert_eq!(checked([].into_iter()), Checked::No);
    }
}
