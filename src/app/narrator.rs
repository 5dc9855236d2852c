//! What is said aloud. A few unseen live nodes are used in turn, since some screen readers pass
//! over a change of one they have just read; of a burst of steps only the last is said.

use crate::text::Lang;
use gloo_timers::callback::Timeout;
use yew::prelude::*;

/// Something to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Speech {
    /// The words; empty: nothing.
    pub words: String,
    /// How long it must have been quiet before, ms.
    pub rest: u32,
    /// Goes up with every saying, so that the same words twice are said twice.
    pub turn: u32,
}

const NODES: usize = 4;

#[derive(Properties, PartialEq)]
pub struct NarratorProps {
    pub lang: Lang,
    pub speech: Speech,
}

#[component]
pub fn Narrator(props: &NarratorProps) -> Html {
    let said = use_state(|| (0, String::new()));
    {
        let (node, _) = *said;
        let set = said.setter();
        use_effect_with(props.speech.clone(), move |speech| {
            let words = speech.words.clone();
            let timer = (!words.is_empty())
                .then(|| Timeout::new(speech.rest, move || set.set(((node + 1) % NODES, words))));
            move || drop(timer)
        });
    }
    let (at, words) = &*said;
    html! {
        <div class="said" lang={props.lang.code()}>
            { for (0..NODES).map(|node| html! {
                <p key={node} role="status" aria-live="polite">{ if node == *at { words.as_str() } else { "" } }</p>
            }) }
        </div>
    }
}
