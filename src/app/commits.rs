//! The log of commits beside the log they are about, in scenes whose author looks at it.

use super::draw::commits::commits;
use super::show::Show;
use crate::script::ast::Focus;
use crate::view::Step;
use crate::view::commits::{Needs, commit_log, words};
use crate::view::stage::Layout;
use crate::view::tables::Described;
use yew::Html;

/// The partition of `__consumer_offsets` that a scene looks at, if it does.
pub fn needs(show: &Show) -> Option<Needs> {
    let last = &show.frame(0, show.last())?.picture;
    let focus = show.scenario.beats.iter().flat_map(|b| &b.focus);
    focus
        .filter_map(Focus::partition)
        .find_map(|name| Needs::of(name, last))
}

pub fn drawing(show: &Show, step: &Step, layout: Layout) -> Html {
    let drawn = needs(show).map(|needs| commits(&commit_log(step, &needs, layout)));
    drawn.unwrap_or_default()
}

pub fn in_words(show: &Show, step: &Step) -> Option<Described> {
    needs(show).map(|needs| words(step, &needs))
}
