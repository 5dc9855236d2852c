//! The keys, in a dialog of the browser's own: focus goes back by itself when it closes.

use crate::text::{Lang, ruler, ui};
use web_sys::HtmlDialogElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct HelpProps {
    pub lang: Lang,
    pub node: NodeRef,
    /// The scene has a ruler.
    pub ruler: bool,
}

#[component]
pub fn Help(props: &HelpProps) -> Html {
    let lang = props.lang;
    let close = {
        let node = props.node.clone();
        move |_: MouseEvent| close(&node)
    };
    let of_ruler = [("v", ruler::key_view(lang)), ("t", ruler::key_copy(lang))];
    let keys = [
        ("→ .", ui::key_next(lang)),
        ("← ,", ui::key_back(lang)),
        ("Home End", ui::key_first_last(lang)),
        ("[ ]", ui::key_markers(lang)),
        ("p", ui::key_play(lang)),
        ("e", ui::key_explain(lang)),
        ("l", ui::key_link(lang)),
        ("g", ui::glossary(lang)),
        ("?", ui::key_this(lang)),
        ("Esc", ui::key_escape(lang)),
    ];
    html! {
        <dialog ref={props.node.clone()} aria-label={ui::key_help(lang)}>
            <h2 class="t-title">{ ui::key_help(lang) }</h2>
            <dl>
                { for keys.into_iter().chain(of_ruler.into_iter().filter(|_| props.ruler)).map(|(key, does)| html! { <><dt>{ key }</dt><dd>{ does }</dd></> }) }
            </dl>
            <p class="muted">{ ui::key_note(lang) }</p>
            <p class="row"><span class="grow"></span><button type="button" onclick={close}>{ ui::close(lang) }</button></p>
        </dialog>
    }
}

/// Closes a dialog, if it is open.
pub fn close(node: &NodeRef) {
    if let Some(dialog) = node.cast::<HtmlDialogElement>().filter(|d| d.open()) {
        dialog.close();
    }
}

/// Opens a dialog.
pub fn open(node: &NodeRef) {
    if let Some(dialog) = node.cast::<HtmlDialogElement>().filter(|d| !d.open()) {
        let _ = dialog.show_modal();
    }
}
