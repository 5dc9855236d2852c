//! What is said aloud. A few unseen live nodes are used in turn, since some screen readers pass
//! over a change of one they have just read; of a burst of steps only the last is said, and what
//! is said has a second before the next (ux.md 3.7). Faults are alerts of their own.

use crate::text::Lang;
use gloo_timers::callback::Timeout;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
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

/// A way to a narrator. Who speaks by it is not drawn anew for what it says, and a scene has much
/// to draw.
#[derive(Clone, Default)]
pub struct Voice {
    to: Rc<RefCell<Option<Callback<Speech>>>>,
    turn: Rc<Cell<u32>>,
}

impl PartialEq for Voice {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.to, &other.to)
    }
}

impl Voice {
    /// Says the words once it has been quiet for `rest` ms.
    pub fn say(&self, words: String, rest: u32) {
        let turn = self.turn.get().wrapping_add(1);
        self.turn.set(turn);
        let to = self.to.borrow().clone();
        if let Some(to) = to {
            to.emit(Speech { words, rest, turn });
        }
    }
}

#[derive(Properties, PartialEq)]
pub struct SpokenProps {
    pub lang: Lang,
    pub voice: Voice,
}

/// The narrator of a voice.
#[component]
pub fn Spoken(props: &SpokenProps) -> Html {
    let speech = use_state_eq(Speech::default);
    {
        let set = speech.setter();
        use_effect_with(props.voice.clone(), move |voice| {
            let to = Callback::from(move |speech| set.set(speech));
            voice.to.replace(Some(to));
        });
    }
    html! { <Narrator lang={props.lang} speech={(*speech).clone()} /> }
}

const NODES: usize = 4;
/// Between clearing the last words and writing the next, ms.
const CLEAR: u32 = 200;
/// Between one saying and the next, ms.
const GAP: u32 = 1_000;

/// What waits to be said. No timer lives longer than there is something to say.
#[derive(Default)]
struct Queue {
    next: Option<String>,
    /// Runs until it has been quiet for long enough.
    quiet: Option<Timeout>,
    /// Runs while words are cleared, written and left to be read.
    busy: Option<Timeout>,
    node: usize,
}

type Say = Rc<dyn Fn((usize, String))>;

/// Says what waits, unless something is being said.
fn say(queue: &Rc<RefCell<Queue>>, write: &Say) {
    let mut q = queue.borrow_mut();
    if q.busy.is_some() {
        return;
    }
    let Some(words) = q.next.take() else {
        return;
    };
    write((q.node, String::new()));
    q.node = (q.node + 1) % NODES;
    let (node, own, write) = (q.node, queue.clone(), write.clone());
    q.busy = Some(Timeout::new(CLEAR, move || {
        write((node, words));
        let after = own.clone();
        own.borrow_mut().busy = Some(Timeout::new(GAP, move || {
            after.borrow_mut().busy = None;
            say(&after, &write);
        }));
    }));
}

#[derive(Properties, PartialEq)]
pub struct NarratorProps {
    pub lang: Lang,
    pub speech: Speech,
}

#[component]
pub fn Narrator(props: &NarratorProps) -> Html {
    let said = use_state(|| (0, String::new()));
    let queue = use_mut_ref(Queue::default);
    {
        let (queue, set) = (queue.clone(), said.setter());
        use_effect_with(props.speech.clone(), move |speech| {
            if !speech.words.is_empty() {
                let own = queue.clone();
                let write: Say = Rc::new(move |what| set.set(what));
                let quiet = Timeout::new(speech.rest, move || {
                    own.borrow_mut().quiet = None;
                    say(&own, &write);
                });
                let mut q = queue.borrow_mut();
                q.next = Some(speech.words.clone());
                q.quiet = Some(quiet);
            }
        });
    }
    {
        use_effect_with((), move |()| move || *queue.borrow_mut() = Queue::default());
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
