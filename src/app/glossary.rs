//! Terms in the card open the glossary: one sentence each, with the rule behind it.

use super::help;
use super::notices::rich;
use crate::text::glossary::{ENTRIES, Entry, entry, pieces};
use crate::text::{Lang, spans, ui};
use web_sys::Element;
use yew::prelude::*;

/// A sentence with its code terms in code type, and the first of each of its terms as a button.
/// Who holds the sentence hears of a press by [`pressed`].
pub fn terms(lang: Lang, sentence: &str, seen: &mut Vec<&'static str>) -> Html {
    let mut all = Vec::new();
    for span in spans(sentence) {
        let inside: Html = pieces(lang, span.text, seen)
            .into_iter()
            .map(|piece| match piece.entry {
                Some(e) => html! { <button type="button" class="term" data-term={e.id} aria-haspopup="dialog">{ piece.text }</button> },
                None => html! { { piece.text } },
            })
            .collect();
        all.push(match span.code {
            true => html! { <code>{ inside }</code> },
            false => inside,
        });
    }
    all.into_iter().collect()
}

/// The term that was pressed, if one was.
pub fn pressed(e: &MouseEvent) -> Option<&'static str> {
    let target = e.target_dyn_into::<Element>()?;
    let id = target
        .closest("[data-term]")
        .ok()??
        .get_attribute("data-term")?;
    entry(&id).map(|e| e.id)
}

#[derive(Properties, PartialEq)]
pub struct GlossaryProps {
    pub lang: Lang,
    pub node: NodeRef,
    /// The term asked for; it stands first.
    pub asked: Option<&'static str>,
}

#[component]
pub fn Glossary(props: &GlossaryProps) -> Html {
    let lang = props.lang;
    let close = {
        let node = props.node.clone();
        move |_: MouseEvent| help::close(&node)
    };
    let asked = props.asked.and_then(entry);
    html! {
        <dialog ref={props.node.clone()} class="glossary" aria-label={ui::glossary(lang)}>
            if let Some(e) = asked {
                <h2 class="t-title">{ rich(e.term(lang)) }</h2>
                <p>{ rich(e.said(lang)) }{ " " }<span class="rule">{ e.rule }</span></p>
            } else {
                <h2 class="t-title">{ ui::glossary(lang) }</h2>
            }
            <p class="row"><span class="grow"></span><button type="button" onclick={close}>{ ui::close(lang) }</button></p>
            <details open={asked.is_none()} class="fold">
                <summary>{ ui::all_terms(lang) }</summary>
                <dl>{ for ENTRIES.iter().map(|e| line(lang, e)) }</dl>
            </details>
        </dialog>
    }
}

fn line(lang: Lang, e: &Entry) -> Html {
    html! {
        <>
            <dt>{ rich(e.term(lang)) }</dt>
            <dd>{ rich(e.said(lang)) }{ " " }<span class="rule">{ e.rule }</span></dd>
        </>
    }
}
