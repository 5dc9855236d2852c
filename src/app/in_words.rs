//! The scene in words: heading, state, what changed, the list of all steps. For those who hear it,
//! and for those who want the figures as tables.

use super::notices::rich;
use super::ruler::Sight;
use super::state::{Act, Action};
use crate::text::{Lang, ui};
use crate::view::card::Card;
use crate::view::tables::{Described, Table, Way};
use yew::{Html, html};

pub fn in_words(
    lang: Lang,
    parts: &[Described],
    sight: Option<&Sight>,
    cards: &[Card],
    step: u32,
    (begin, last): (u32, u32),
    act: &Act,
) -> Html {
    html! {
        <details class="fold words">
            <summary>{ ui::in_words(lang) }</summary>
            <h3>{ ui::step_of(lang, step - begin, last - begin) }</h3>
            if let Some(card) = cards.get(step as usize) {
                <p class="t-st">{ rich(&card.heading) }</p>
                { for card.what.iter().map(|s| html! { <p>{ rich(s) }</p> }) }
                { for card.why.iter().map(|w| html! { <p>{ rich(&w.text) }</p> }) }
                if !card.so.is_empty() {
                    <p>{ rich(&card.so) }</p>
                }
            }
            <h3>{ ui::state(lang) }</h3>
            { for parts.iter().filter(|d| !d.tables.is_empty()).map(|d| html! {
                <>
                    { lane(d) }
                    { for d.tables.iter().map(table) }
                    { list(&d.clients) }
                </>
            }) }
            { for sight.map(of_ruler) }
            <h3>{ ui::what_changed(lang) }</h3>
            if parts.iter().all(|d| d.changed.is_empty()) {
                <p>{ ui::nothing_changed(lang) }</p>
            }
            { for parts.iter().filter(|d| !d.changed.is_empty()).map(|d| html! { <>{ lane(d) }{ list(&d.changed) }</> }) }
            <h3>{ ui::all_steps(lang) }</h3>
            <ol class="steps">
                { for (0..).zip(cards).filter(|(at, _)| (begin..=last).contains(at)).map(|(at, card)| {
                    let go = act.reform(move |_| Action::Go(at, Way::Jump, false));
                    html! {
                        <li><button type="button" aria-current={(at == step).then_some("step")} onclick={go}>{ at - begin }{ ". " }{ rich(&card.heading) }</button></li>
                    }
                }) }
            </ol>
        </details>
    }
}

/// The heading of a lane's part.
fn lane(d: &Described) -> Html {
    match d.heading.is_empty() {
        true => Html::default(),
        false => html! { <h4>{ &d.heading }</h4> },
    }
}

fn list(of: &[String]) -> Html {
    match of.is_empty() {
        true => Html::default(),
        false => {
            html! { <ul class="plain">{ for of.iter().map(|s| html! { <li>{ rich(s) }</li> }) }</ul> }
        }
    }
}

/// The ruler's tables, what follows from them, and its picture as text.
fn of_ruler(sight: &Sight) -> Html {
    let words = sight.words();
    html! {
        <>
            { table(&words.boundaries) }
            { table(&words.lags) }
            { table(&words.effects) }
            <ul class="plain">{ for words.notes.iter().map(|s| html! { <li>{ rich(s) }</li> }) }</ul>
            <pre class="scroll" tabindex="0" aria-hidden="true">{ sight.as_text() }</pre>
        </>
    }
}

fn table(t: &Table) -> Html {
    if t.rows.is_empty() {
        return Html::default();
    }
    html! {
        <div class="scroll" tabindex="0" role="group" aria-label={t.caption.clone()}>
            <table>
                <caption>{ &t.caption }</caption>
                <thead><tr>{ for t.head.iter().map(|h| html! { <th scope="col">{ h }</th> }) }</tr></thead>
                <tbody>
                    { for t.rows.iter().map(|row| html! {
                        <tr>
                            { for row.iter().enumerate().map(|(at, cell)| match at {
                                0 => html! { <th scope="row">{ cell }</th> },
                                _ => html! { <td>{ cell }</td> },
                            }) }
                        </tr>
                    }) }
                </tbody>
            </table>
        </div>
    }
}
