//! The comparison in words: the clock, then a part a lane.

use super::lane::lane;
use super::strips::Scale;
use super::{Lane, LaneInput};
use crate::kafka::ids::Tp;
use crate::text::{Lang, state};
use crate::view::Step;
use crate::view::tables::{Described, described};
use crate::world::picture::Picture;

/// The last of the pictures given in words: what has changed on the clock, then each lane.
pub fn in_words(lang: Lang, tp: Tp, lanes: &[LaneInput]) -> Vec<Described> {
    let clock = lanes
        .first()
        .map_or_else(Vec::new, |l| time(lang, l.pictures));
    let clock = Described {
        changed: clock,
        ..Described::default()
    };
    std::iter::once(clock)
        .chain(lanes.iter().filter_map(|l| of_lane(lang, tp, l)))
        .collect()
}

/// How much time has passed, if some has since the step before.
fn time(lang: Lang, pictures: &[&Picture]) -> Vec<String> {
    let (Some(first), [.., before, now]) = (pictures.first(), pictures) else {
        return Vec::new();
    };
    let since = |p: &Picture| p.now.since(first.now);
    let (from, to) = (since(before), since(now));
    match from == to {
        true => Vec::new(),
        false => vec![state::clock_changed(lang, from, to)],
    }
}

fn of_lane(lang: Lang, tp: Tp, input: &LaneInput) -> Option<Described> {
    let (now, earlier) = input.pictures.split_last()?;
    let step = Step {
        lang,
        before: earlier.last().copied(),
        now,
        events: &[],
    };
    // Only the words of a lane are wanted: the scale of its strips does not matter.
    let clock = Scale { total: 1 };
    let words = |pictures| {
        let input = LaneInput { pictures, ..*input };
        outcome(lang, lane(lang, tp, &input, &clock))
    };
    let mut part = described(&step, tp);
    part.heading = input.name.into();
    let is = words(input.pictures);
    if !earlier.is_empty() {
        let was = words(earlier);
        let both = was.iter().zip(&is).filter(|(was, is)| was.1 != is.1);
        part.changed
            .extend(both.map(|(was, is)| state::figure_changed(lang, &is.0, &was.1, &is.1)));
    }
    let said = is.iter().filter(|(_, value)| !value.is_empty());
    part.clients
        .extend(said.map(|(label, value)| state::figure(lang, label, value)));
    Some(part)
}

/// What came of a lane: words under their labels.
fn outcome(lang: Lang, lane: Lane) -> [(String, String); 4] {
    [
        (state::row_outcome(lang), lane.verdict),
        (state::row_confirmed(lang), lane.confirmed),
        (state::row_waited(lang), lane.waited),
        (state::row_lost(lang), lane.lost),
    ]
}
