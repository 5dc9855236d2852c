//! What was wrong with the address, and what went wrong with a scene: always said, never a blank
//! page.

use super::address::{BadValue, NAMES, nearest};
use super::draw::icon;
use super::show::{Library, Show, ShowError, words};
use super::state::{Act, Action};
use crate::history::Trouble;
use crate::history::branch::BadLink;
use crate::text::{Lang, address, moves, spans, trouble, ui};
use crate::view::trouble::failure_words;
use crate::world::picture::Picture;
use std::rc::Rc;
use yew::prelude::*;

/// So many faults of an address are named one by one.
const NAMED: usize = 5;

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
    let list = listed(lang, bad, library);
    let file = bad.iter().rfind(|b| b.is_file());
    if list.is_empty() && file.is_none() {
        return Html::default();
    }
    html! {
        <div class="note" role="status">
            { icon::inline(icon::WARN, 16) }
            <div>
                if !list.is_empty() {
                    <p>{ rich(&ui::parameters_not_taken(lang, &list)) }</p>
                }
                if let Some(file) = file {
                    <p>{ rich(&ui::not_opened(lang, &name(lang, file, library))) }</p>
                }
            </div>
            <button type="button" onclick={act.reform(|_| Action::Dismiss)}>{ ui::dismiss(lang) }</button>
        </div>
    }
}

/// What was not taken, in a row. A wrong origin is the host's business, and a scene that is not
/// there has a card of its own.
pub fn listed(lang: Lang, bad: &[BadValue], library: &Library) -> String {
    let said = bad
        .iter()
        .filter(|b| !matches!(b, BadValue::Origin(_) | BadValue::Scenario(_)) && !b.is_file());
    let mut list: Vec<_> = said.map(|b| name(lang, b, library)).collect();
    // A heap of them would push the scene off the screen.
    let more = list.len().saturating_sub(NAMED);
    list.truncate(NAMED);
    if more > 0 {
        list.push(ui::and_more(lang, more as u32));
    }
    list.join("; ")
}

/// What was not taken, and what could stand there.
pub fn name(lang: Lang, bad: &BadValue, library: &Library) -> String {
    match bad {
        BadValue::Scenario(given) => {
            let near = nearest(given, library.ids());
            ui::bad_scene(lang, given, &near.join(", "))
        }
        BadValue::Step(given) => ui::bad_value(lang, "step", given, "0, 1, 2, …"),
        BadValue::StepLike(given, mark, step) => address::step_taken(lang, given, mark, *step),
        BadValue::StepBeyond(given, first, last) => address::bad_step(lang, given, *first, *last),
        BadValue::Bounds(given) => address::bad_bounds(lang, given),
        BadValue::Name(given) => {
            address::bad_name(lang, given, &nearest(given, NAMES.into_iter()).join(", "))
        }
        BadValue::Twice(name) => ui::twice(lang, name),
        BadValue::Link(BadLink::Version(version)) => moves::link_version(lang, version),
        BadValue::Link(BadLink::Cut) => moves::link_cut(lang),
        BadValue::Link(_) => moves::link_damaged(lang),
        BadValue::File(name) => crate::text::export::not_ours(lang, name),
        BadValue::FileScene(id) => crate::text::export::no_scene_of(lang, id),
        BadValue::LinkNowhere => moves::link_nowhere(lang),
        BadValue::LinkScene => moves::link_scene(lang),
        BadValue::LinkParted(good, asked) => moves::link_parted(lang, *good, *asked),
        BadValue::Value(name, given, known) => ui::bad_value(lang, name, given, known),
        BadValue::Origin(given) => address::bad_origin(lang, given),
    }
}

/// In a scene's place where the author wants no fault passed over.
pub fn strict(lang: Lang, list: &str) -> Html {
    html! { <div class="fatal" role="alert"><p>{ rich(&address::strict(lang, list)) }</p></div> }
}

/// In a scene's place when there is none of that name.
pub fn no_such(
    lang: Lang,
    given: &str,
    library: &Library,
    go: &dyn Fn(Option<String>) -> Callback<MouseEvent>,
) -> Html {
    let link = |id: Option<&str>, words: Html| {
        let href = id.map_or("?".into(), |id| format!("?scenario={id}"));
        let to = id.map(String::from);
        html! { <a {href} onclick={go(to)}>{ words }</a> }
    };
    let near = nearest(given, library.ids());
    let near = near.into_iter().map(|id| {
        let title = library.scenarios().find(|s| *s.id == *id);
        let title = title.map(|s| words(&s.title, lang)).unwrap_or_default();
        html! { <li>{ link(Some(id), html! { <><code>{ id }</code>{ ": " }{ rich(title) }</> }) }</li> }
    });
    html! {
        <div class="fatal" role="alert">
            <p>{ rich(&ui::no_such_scene(lang, given)) }</p>
            <ul>{ for near }</ul>
            <p>{ link(None, html! { { ui::back_to_gallery(lang) } }) }</p>
        </div>
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
