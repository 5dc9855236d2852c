//! What was wrong with the address, and what went wrong with a scene: always said, never a blank
//! page.

use super::address::{BadValue, NAMES, nearest};
use super::draw::icon;
use super::show::{Library, Show, ShowError};
use super::state::{Act, Action};
use crate::history::Trouble;
use crate::history::branch::BadLink;
use crate::text::{Lang, moves, spans, trouble, ui};
use crate::view::trouble::failure_words;
use crate::world::picture::Picture;
use std::rc::Rc;
use yew::prelude::*;

/// A sentence with its code terms in code type.
pub fn rich(sentence: &str) -> Html {
    spans(sentence)
        .into_iter()
        .map(|s| match s.code {
            true => html! { <code>{ s.text }</code> },
            false => html! { { s.text } },
        })
        .collect()
}

/// The line on values that were not taken.
pub fn not_taken(lang: Lang, bad: &[BadValue], library: &Rc<Library>, act: &Act) -> Html {
    if bad.is_empty() {
        return Html::default();
    }
    let list: Vec<_> = bad.iter().map(|b| name(lang, b, library)).collect();
    html! {
        <div class="note" role="status">
            { icon::inline(icon::WARN, 16) }
            <p>{ rich(&ui::parameters_not_taken(lang, &list.join("; "))) }</p>
            <button type="button" onclick={act.reform(|_| Action::Dismiss)}>{ ui::dismiss(lang) }</button>
        </div>
    }
}

fn name(lang: Lang, bad: &BadValue, library: &Library) -> String {
    match bad {
        BadValue::Scenario(given) => {
            let near = nearest(given, library.ids());
            ui::bad_scene(lang, given, &near.join(", "))
        }
        BadValue::Step(given) => ui::bad_value(lang, "step", given, "0, 1, 2, …"),
        BadValue::StepBeyond(given, last) => ui::bad_step(lang, given, *last),
        BadValue::Name(given) => ui::bad_name(lang, given, &NAMES.join(", ")),
        BadValue::Twice(name) => ui::twice(lang, name),
        BadValue::Link(BadLink::Version(version)) => moves::link_version(lang, version),
        BadValue::Link(BadLink::Cut) => moves::link_cut(lang),
        BadValue::Link(_) => moves::link_damaged(lang),
        BadValue::LinkScene => moves::link_scene(lang),
        BadValue::LinkParted(good, asked) => moves::link_parted(lang, *good, *asked),
        BadValue::Lang(given) => ui::bad_value(lang, "lang", given, "ru, en, auto"),
        BadValue::View(given) => ui::bad_value(lang, "view", given, "auto, replicas, ruler, both"),
        BadValue::Theme(given) => ui::bad_value(lang, "theme", given, "light, dark, auto"),
    }
}

/// In a scene's place when it cannot be shown.
pub fn refused(lang: Lang, error: &ShowError) -> Html {
    let what = match error {
        ShowError::NoSuchScene | ShowError::NothingToShow => trouble::nothing_to_show(lang),
        ShowError::Malformed(words) => words.clone(),
        ShowError::Failed(failure) => failure_words(lang, failure),
    };
    html! { <div class="fatal" role="alert"><p>{ rich(&ui::scene_broken(lang, &what)) }</p></div> }
}

/// Lines of the story that did not come true: a claim at its step, a refused command also at the
/// steps after it, which it may have spoilt.
pub fn failures(lang: Lang, show: &Show, step: u32) -> Html {
    show.failures
        .iter()
        .filter(|f| match f.trouble {
            Trouble::Mismatch(_) => f.step == step,
            Trouble::Refused(_) => f.step <= step,
        })
        .map(|f| {
            let words = ui::expectation_failed(lang, &failure_words(lang, f));
            html! { <p class="broken" role="alert">{ rich(&words) }</p> }
        })
        .collect()
}

/// Invariants that do not hold at this step.
pub fn broken(lang: Lang, picture: &Picture) -> Html {
    picture
        .violations
        .iter()
        .map(|(id, text)| {
            html! { <p class="broken" role="alert">{ ui::violation(lang, id, text) }</p> }
        })
        .collect()
}
