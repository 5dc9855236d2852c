//! A place in a scene: a step's number or the word that marks it; and the bounds of what is shown.

use super::bad::BadValue;
use super::near::nearest;
use super::query::is_id;

/// A step as the address names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// By its number.
    Step(u32),
    /// By its marker.
    Mark(String),
}

impl Place {
    /// A whole number (too great a one is the greatest there is) or a marker's name.
    pub fn read(value: &str) -> Option<Place> {
        if !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()) {
            return Some(Place::Step(value.parse().unwrap_or(u32::MAX)));
        }
        let marks = is_id(value) && value.starts_with(|c: char| c.is_ascii_lowercase());
        marks.then(|| Place::Mark(value.into()))
    }

    /// As it stands in an address.
    pub fn write(&self) -> String {
        match self {
            Place::Step(step) => step.to_string(),
            Place::Mark(mark) => mark.clone(),
        }
    }
}

/// The places of a scene that have a name.
pub type Marks = [(String, u32)];

/// The first and the last step that are shown, and what was wrong with the bounds.
pub fn bounds(
    from: Option<&Place>,
    to: Option<&Place>,
    last: u32,
    marks: &Marks,
) -> ((u32, u32), Option<BadValue>) {
    let find = |place: Option<&Place>, default: u32| match place {
        None => Some(default),
        Some(Place::Step(step)) => Some((*step).min(last)),
        Some(Place::Mark(mark)) => marks.iter().find(|(name, _)| name == mark).map(|m| m.1),
    };
    match (find(from, 0), find(to, last)) {
        (Some(from), Some(to)) if from < to => ((from, to), None),
        _ if from.is_none() && to.is_none() => ((0, last), None),
        _ => {
            let part =
                |name: &str, place: Option<&Place>| place.map(|p| [name, "=", &p.write()].concat());
            let given: Vec<_> = [part("from", from), part("to", to)]
                .into_iter()
                .flatten()
                .collect();
            ((0, last), Some(BadValue::Bounds(given.join("&"))))
        }
    }
}

/// The step that an address asks for, within the bounds. What lies outside becomes the nearest,
/// an unknown word the marker most like it, if one is.
pub fn step_of(
    place: &Place,
    (from, to): (u32, u32),
    marks: &Marks,
) -> (Option<u32>, Option<BadValue>) {
    let clamp = |step: u32, given: String| {
        let near = step.clamp(from, to);
        let beyond = (near != step).then_some(BadValue::StepBeyond(given, from, to));
        (Some(near), beyond)
    };
    match place {
        Place::Step(step) => clamp(*step, step.to_string()),
        Place::Mark(mark) => match marks.iter().find(|(name, _)| name == mark) {
            Some((_, step)) => clamp(*step, mark.clone()),
            None => {
                let like = nearest(mark, marks.iter().map(|m| &*m.0));
                let begins = |name: &str| name.get(..3).is_some_and(|head| mark.starts_with(head));
                let near = like.first().filter(|name| begins(name));
                match marks.iter().find(|m| Some(&&*m.0) == near) {
                    Some((like, step)) => {
                        let step = (*step).clamp(from, to);
                        let bad = BadValue::StepLike(mark.clone(), like.clone(), step);
                        (Some(step), Some(bad))
                    }
                    None => (None, Some(BadValue::StepBeyond(mark.clone(), from, to))),
                }
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks() -> Vec<(String, u32)> {
        vec![("leader-dies".into(), 4), ("lost".into(), 7)]
    }

    #[test]
    fn bounds_are_steps_or_markers() {
        let mark = Place::Mark("leader-dies".into());
        let (b, bad) = bounds(Some(&mark), Some(&Place::Step(6)), 9, &marks());
        assert_eq!((b, bad), ((4, 6), None));
        assert_eq!(bounds(None, Some(&mark), 9, &marks()).0, (0, 4));
        assert_eq!(
            bounds(Some(&Place::Step(2)), Some(&Place::Step(99)), 9, &[]).0,
            (2, 9)
        );
    }

    #[test]
    fn bounds_the_wrong_way_round_are_left_out_and_said() {
        for (from, to) in [("6", "3"), ("3", "3"), ("9", "99"), ("nowhere", "5")] {
            let (from, to) = (Place::read(from), Place::read(to));
            let (b, bad) = bounds(from.as_ref(), to.as_ref(), 9, &marks());
            assert_eq!(b, (0, 9));
            assert!(matches!(bad, Some(BadValue::Bounds(_))));
        }
        assert_eq!(
            bounds(Place::read("99").as_ref(), None, 9, &[]).1,
            Some(BadValue::Bounds("from=99".into()))
        );
    }

    #[test]
    fn a_step_stays_within_the_bounds() {
        let at = |word: &str| step_of(&Place::read(word).unwrap(), (2, 6), &marks());
        assert_eq!(at("3"), (Some(3), None));
        assert_eq!(at("leader-dies"), (Some(4), None));
        for (given, near) in [("0", 2), ("99", 6), ("lost", 6)] {
            let bad = BadValue::StepBeyond(given.into(), 2, 6);
            assert_eq!(at(given), (Some(near), Some(bad)));
        }
        assert_eq!(at("99999999999999").0, Some(6));
    }

    #[test]
    fn an_unknown_word_is_the_marker_most_like_it() {
        let at = |word: &str| step_of(&Place::read(word).unwrap(), (0, 9), &marks());
        assert_eq!(
            at("leader-dead"),
            (
                Some(4),
                Some(BadValue::StepLike(
                    "leader-dead".into(),
                    "leader-dies".into(),
                    4
                ))
            )
        );
        let none = BadValue::StepBeyond("many".into(), 0, 9);
        assert_eq!(at("many"), (None, Some(none)));
    }
}
