//! The page inside another page: whether it is, when it is seen, and what of it shows there.

use super::address::{Options, Start};
use super::dom;
use crate::text::{Lang, embed as say};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry};
use yew::prelude::*;

/// Whether another page shows this one.
pub fn framed() -> bool {
    let Some(window) = dom::window() else {
        return false;
    };
    let own: &JsValue = window.as_ref();
    matches!(window.parent(), Ok(Some(parent)) if AsRef::<JsValue>::as_ref(&parent) != own)
}

/// Watches whether an element is on the screen, as long as it is kept.
pub struct Sight {
    observer: IntersectionObserver,
    _closure: Closure<dyn Fn(js_sys::Array)>,
}

impl Sight {
    /// `then` hears `true` when some of the element is on the screen, `false` when none is. A
    /// browser that cannot tell counts as one that shows it.
    pub fn watch(element: &Element, then: impl Fn(bool) + Clone + 'static) -> Option<Sight> {
        let hear = then.clone();
        let closure = Closure::<dyn Fn(js_sys::Array)>::new(move |entries: js_sys::Array| {
            let last = entries.pop().unchecked_into::<IntersectionObserverEntry>();
            hear(last.is_intersecting());
        });
        let Ok(observer) = IntersectionObserver::new(closure.as_ref().unchecked_ref()) else {
            then(true);
            return None;
        };
        observer.observe(element);
        Some(Sight {
            observer,
            _closure: closure,
        })
    }
}

impl Drop for Sight {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Marks the document with how the author set it up; the style sheet does the rest.
pub fn mark(options: &Options, alone: bool) {
    let on = |yes: bool| yes.then_some("");
    let set = dom::root_attribute;
    let word = |word: &'static str, default: &str| (word != default).then_some(word);
    set("data-contrast", word(options.contrast.word(), "auto"));
    set("data-motion", word(options.motion.word(), "auto"));
    set("data-controls", word(options.controls.word(), "full"));
    let hidden = options.hide.join(" ");
    set("data-hide", (!hidden.is_empty()).then_some(&*hidden));
    set("data-framed", on(alone));
}

/// Whether the reader's system asks for something, such as less motion.
pub fn prefers(query: &str) -> bool {
    let query = dom::window().and_then(|w| w.match_media(query).ok().flatten());
    query.is_some_and(|q| q.matches())
}

#[derive(Properties, PartialEq)]
pub struct GateProps {
    pub lang: Lang,
    /// When the scene begins.
    pub start: Start,
    /// The scene's title.
    pub title: String,
    /// Hears that it begins.
    pub open: Callback<()>,
}

/// In the scene's place until it begins: a button, or nothing but room until it is seen.
#[component]
pub fn Gate(props: &GateProps) -> Html {
    let node = use_node_ref();
    {
        let (node, open, start) = (node.clone(), props.open.clone(), props.start);
        use_effect_with((), move |()| {
            let element = node.cast::<Element>().filter(|_| start == Start::Visible);
            let sight = element.and_then(|element| {
                Sight::watch(&element, move |seen| {
                    if seen {
                        open.emit(());
                    }
                })
            });
            move || drop(sight)
        });
    }
    let press = props.open.reform(|_: MouseEvent| ());
    html! {
        <div class="gate" ref={node}>
            if props.start == Start::Click {
                <button type="button" class="primary" onclick={press}>{ say::start(props.lang, &props.title) }</button>
            }
        </div>
    }
}
