//! The dialog that copies a scene for others: a link, a frame, the element or Markdown, from this
//! step or from the beginning, with its length.

use super::{help, snippet};
use crate::text::{Lang, share, ui};
use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct ShareProps {
    pub lang: Lang,
    pub node: NodeRef,
    pub title: String,
    pub step: u32,
    /// The step's own word, if it has one.
    pub mark: Option<String>,
    /// The address of this step.
    pub address: String,
    /// Copies a text and hears whether it worked.
    pub copy: Callback<(String, Callback<bool>)>,
}

#[component]
pub fn Share(props: &ShareProps) -> Html {
    let lang = props.lang;
    let form = use_state_eq(|| snippet::Form::Link);
    let here = use_state_eq(|| true);
    let told = use_state_eq(String::new);
    let area = use_node_ref();
    let text = snippet::write(
        *form,
        lang,
        &props.address,
        &props.title,
        props.mark.as_deref(),
        *here,
    );
    let length = share::length(lang, text.chars().count() as i64);
    let forms = [
        (snippet::Form::Link, share::link(lang)),
        (snippet::Form::Frame, "iframe".into()),
        (snippet::Form::Element, share::element(lang)),
        (snippet::Form::Markdown, "Markdown".into()),
    ];
    let copy = {
        let (text, told, area, length) =
            (text.clone(), told.setter(), area.clone(), length.clone());
        props.copy.reform(move |_: MouseEvent| {
            let (told, area, length) = (told.clone(), area.clone(), length.clone());
            let then = Callback::from(move |ok| {
                told.set(match ok {
                    true => share::copied(lang, &length),
                    false => share::by_hand(lang),
                });
                if let (false, Some(area)) = (ok, area.cast::<HtmlTextAreaElement>()) {
                    area.select();
                }
            });
            (text.clone(), then)
        })
    };
    let tick = {
        let (here, told) = (here.clone(), told.setter());
        Callback::from(move |_: Event| {
            here.set(!*here);
            told.set(String::new());
        })
    };
    let close = {
        let node = props.node.clone();
        move |_: MouseEvent| help::close(&node)
    };
    html! {
        <dialog ref={props.node.clone()} class="share" aria-label={share::heading(lang)}>
            <h2 class="t-title">{ share::heading(lang) }</h2>
            <div class="seg" role="group" aria-label={share::form(lang)}>
                { for forms.into_iter().map(|(kind, name)| {
                    let (form, told) = (form.clone(), told.setter());
                    let on = *form == kind;
                    let press = move |_: MouseEvent| { form.set(kind); told.set(String::new()); };
                    html! { <button type="button" aria-pressed={on.to_string()} onclick={press}>{ name }</button> }
                }) }
            </div>
            if props.step > 0 {
                <label class="row"><input type="checkbox" checked={*here} onchange={tick} />{ share::from_here(lang, props.step) }</label>
            }
            <textarea ref={area} readonly=true rows="5" aria-label={share::heading(lang)} value={text} />
            <p class="row"><span class="muted grow" role="status">{ if told.is_empty() { length } else { (*told).clone() } }</span></p>
            <p class="row">
                if props.address.contains('#') {
                    <span class="grow muted">{ share::own_branch(lang) }</span>
                } else {
                    <a class="grow" href={snippet::builder(lang, &props.address)} target="_blank" rel="noopener">{ share::more(lang) }</a>
                }
                <button type="button" onclick={close}>{ ui::close(lang) }</button>
                <button type="button" class="primary" onclick={copy}>{ share::copy(lang) }</button>
            </p>
        </dialog>
    }
}
