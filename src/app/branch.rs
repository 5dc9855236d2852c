//! The reader's own way: what can be done with the story at the step that is shown, and the note
//! that a branch is one.

use super::dom;
use super::notices::rich;
use super::show::Show;
use super::state::{Act, Action};
use crate::history::branch::{Move, possible};
use crate::script::print;
use crate::text::{Lang, moves as words};
use crate::view::moves::groups;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties)]
pub struct WhatIfProps {
    pub lang: Lang,
    pub show: Rc<Show>,
    pub step: u32,
    /// The step at which the reader left the story, if so.
    pub base: Option<u32>,
    pub act: Act,
}

impl PartialEq for WhatIfProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.show, &other.show)
            && (self.lang, self.step, self.base) == (other.lang, other.step, other.base)
    }
}

#[component]
pub fn WhatIf(props: &WhatIfProps) -> Html {
    let WhatIfProps {
        lang, step, base, ..
    } = *props;
    let open = use_state_eq(|| base.is_some());
    let node = use_node_ref();
    // A button that has done its work may be gone: who pressed it stays where the buttons are.
    {
        let node = node.clone();
        let first = use_mut_ref(|| true);
        use_effect_with((step, base), move |_| {
            if !std::mem::replace(&mut *first.borrow_mut(), false) && dom::nothing_focused() {
                dom::focus_in_place(&node);
            }
        });
    }
    let toggle = {
        let open = open.clone();
        Callback::from(move |e: MouseEvent| {
            e.prevent_default();
            open.set(!*open);
        })
    };
    html! {
        <details class="fold what-if" open={*open}>
            <summary onclick={toggle}>{ words::heading(lang) }</summary>
            if *open {
                <p class="muted">{ words::about(lang) }</p>
                { buttons(props, &node) }
                if let Some(base) = base {
                    <details class="fold">
                        <summary>{ words::save(lang) }</summary>
                        <textarea class="file" readonly=true rows="12" spellcheck="false" aria-label={words::save(lang)} value={file(&props.show, base)} />
                    </details>
                }
            }
        </details>
    }
}

fn buttons(props: &WhatIfProps, node: &NodeRef) -> Html {
    let lang = props.lang;
    let Some(frame) = props.show.frame(0, props.step) else {
        return Html::default();
    };
    // What was told before this step decides who can be started again.
    let mut story = (*props.show.scenario).clone();
    story.beats.truncate(props.step as usize);
    let all = possible(&story, &frame.picture);
    html! {
        <div class="moves" ref={node.clone()} tabindex="-1" role="group" aria-label={words::heading(lang)}>
            { for groups(lang, &frame.picture, &all).into_iter().map(|group| html! {
                <div class="moves-of" role="group" aria-label={group.name.clone()} key={group.name.clone()}>
                    <span class="t-eb">{ group.name }</span>
                    { for group.moves.into_iter().map(|(what, label)| html! {
                        <button type="button" key={format!("{what:?}")} onclick={press(&props.act, what)}>{ rich(&label) }</button>
                    }) }
                </div>
            }) }
        </div>
    }
}

fn press(act: &Act, what: Move) -> Callback<MouseEvent> {
    act.reform(move |_| Action::Try(what))
}

/// The branch as a file of the scene language, under a name of its own.
fn file(show: &Show, base: u32) -> String {
    let mut scenario = (*show.scenario).clone();
    scenario.id = format!("{}-from-{base}", scenario.id).into();
    // Marks and checks of the story belong to its file, not to this one.
    scenario.runs.clear();
    print(&scenario)
}

/// Says that what is shown is the reader's own.
pub fn note(lang: Lang, base: u32, act: &Act) -> Html {
    html! {
        <div class="note own" role="status">
            <p>{ words::on_branch(lang, base) }</p>
            <button type="button" onclick={act.reform(|_| Action::Story)}>{ words::leave(lang) }</button>
        </div>
    }
}

/// Says that the branch that was left is still there.
pub fn left(lang: Lang, count: u32, act: &Act) -> Html {
    html! {
        <div class="note own" role="status">
            <p>{ words::left(lang, count) }</p>
            <button type="button" onclick={act.reform(|_| Action::Return)}>{ words::again(lang) }</button>
        </div>
    }
}
