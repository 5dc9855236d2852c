//! Small errands in the browser that have no place in a component.

use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Document, Element, HtmlElement, ResizeObserver, Window};
use yew::prelude::*;

#[cfg(target_arch = "wasm32")]
pub fn window() -> Option<Window> {
    web_sys::window()
}

/// Natively there is none, so that nothing below reaches for one.
#[cfg(not(target_arch = "wasm32"))]
pub fn window() -> Option<Window> {
    None
}

pub fn document() -> Option<Document> {
    window()?.document()
}

/// The query of the page's address, with its question mark.
pub fn query() -> String {
    #[cfg(not(target_arch = "wasm32"))]
    return super::pages::reader().query;
    #[cfg(target_arch = "wasm32")]
    window()
        .and_then(|w| w.location().search().ok())
        .unwrap_or_default()
}

/// The fragment of the page's address, with its `#`.
pub fn fragment() -> String {
    window()
        .and_then(|w| w.location().hash().ok())
        .unwrap_or_default()
}

/// The page's whole address.
pub fn address() -> String {
    window()
        .and_then(|w| w.location().href().ok())
        .unwrap_or_default()
}

/// The same without its query.
pub fn page() -> String {
    let whole = address();
    whole.split(['?', '#']).next().unwrap_or_default().into()
}

/// Replaces the query, leaving no trace in the browser's history. A sandbox may refuse; then the
/// address simply stays.
pub fn replace_query(query: &str) {
    if let Some(history) = window().and_then(|w| w.history().ok()) {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(query));
    }
}

/// Adds a query to the browser's history.
pub fn push(query: &str) {
    if let Some(history) = window().and_then(|w| w.history().ok()) {
        let _ = history.push_state_with_url(&JsValue::NULL, "", Some(query));
    }
}

/// Goes to a query as a new page of the browser's history.
pub fn push_query(query: &str) {
    push(query);
    if let Some(window) = window() {
        window.scroll_to_with_x_and_y(0.0, 0.0);
    }
}

/// Says something to whoever looks into the browser's console.
pub fn log(words: &str) {
    web_sys::console::info_1(&["Highwater: ", words].concat().into());
}

/// The languages the browser asks for, the first first.
pub fn browser_language() -> String {
    window()
        .and_then(|w| w.navigator().language())
        .unwrap_or_default()
}

/// Sets or takes away an attribute of the document's root.
pub fn root_attribute(name: &str, value: Option<&str>) {
    if let Some(root) = document().and_then(|d| d.document_element()) {
        let _ = match value {
            Some(value) => root.set_attribute(name, value),
            None => root.remove_attribute(name),
        };
    }
}

/// Ends every motion at once: what moves stands where it was going.
pub fn finish_motion() {
    let Some(document) = document() else { return };
    for animation in document.get_animations().iter() {
        let _ = animation.unchecked_into::<web_sys::Animation>().finish();
    }
}

pub fn focus(node: &NodeRef) {
    if let Some(element) = node.cast::<HtmlElement>() {
        let _ = element.focus();
    }
}

/// Moves focus and nothing else: the page stays where it is.
pub fn focus_in_place(node: &NodeRef) {
    if let Some(element) = node.cast::<HtmlElement>() {
        let options = web_sys::FocusOptions::new();
        options.set_prevent_scroll(true);
        let _ = element.focus_with_options(&options);
    }
}

/// Moves focus and shows where it is.
pub fn focus_shown(node: &NodeRef) {
    focus_in_place(node);
    if let Some(element) = node.cast::<HtmlElement>() {
        element.scroll_into_view_with_bool(true);
    }
}

pub fn focus_selector(selector: &str) {
    let found = document().and_then(|d| d.query_selector(selector).ok().flatten());
    if let Some(element) = found.and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// Width of the window's content, px.
pub fn page_width() -> i32 {
    #[cfg(not(target_arch = "wasm32"))]
    return super::pages::reader().width;
    #[cfg(target_arch = "wasm32")]
    document()
        .and_then(|d| d.document_element())
        .map_or(960, |root| root.client_width())
}

/// The width of an element, px, kept up to date. `guess` stands in until it is measured;
/// asked for once, since a page that has just been changed is laid out to answer.
#[hook]
pub fn use_width(node: &NodeRef, guess: impl FnOnce() -> i32) -> i32 {
    use_measure(node, guess, Element::client_width)
}

/// The same in the reader's own type: as many px as it would be if the root's type were of
/// 16 px. A drawing laid out for this width grows with the words around it.
#[hook]
pub fn use_type_width(node: &NodeRef, guess: impl FnOnce() -> i32) -> i32 {
    use_measure(node, guess, |element| {
        element.client_width() * 16 / root_type()
    })
}

/// The size of the root's type, px.
fn root_type() -> i32 {
    let root = document().and_then(|d| d.document_element());
    let computed = root.and_then(|r| window()?.get_computed_style(&r).ok()?);
    let size = computed.and_then(|s| s.get_property_value("font-size").ok());
    let digits = size.as_deref().and_then(|s| s.split(['.', 'p']).next());
    digits.and_then(|d| d.parse().ok()).unwrap_or(16).max(1)
}

#[hook]
fn use_measure(node: &NodeRef, guess: impl FnOnce() -> i32, measure: fn(&Element) -> i32) -> i32 {
    let width = use_state_eq(guess);
    let node = node.clone();
    let set = width.setter();
    use_effect_with((), move |()| {
        let watch = node.cast::<Element>().and_then(|element| {
            let seen = element.clone();
            let changed = Closure::<dyn Fn()>::new(move || set.set(measure(&seen)));
            let observer = ResizeObserver::new(changed.as_ref().unchecked_ref()).ok()?;
            observer.observe(&element);
            Some((observer, changed))
        });
        move || {
            if let Some((observer, _closure)) = watch {
                observer.disconnect();
            }
        }
    });
    *width
}

/// A listener for keys, as long as it is kept.
pub struct BodyKeys(Closure<dyn Fn(KeyboardEvent)>);

/// Hears the keys that are pressed while nothing has the focus.
pub fn on_body_key(then: Callback<KeyboardEvent>) -> BodyKeys {
    let heard = Closure::<dyn Fn(KeyboardEvent)>::new(move |e: KeyboardEvent| {
        if e.target_dyn_into::<web_sys::HtmlElement>()
            .is_some_and(|target| target.tag_name() == "BODY")
        {
            then.emit(e);
        }
    });
    if let Some(document) = document() {
        let _ =
            document.add_event_listener_with_callback("keydown", heard.as_ref().unchecked_ref());
    }
    BodyKeys(heard)
}

impl Drop for BodyKeys {
    fn drop(&mut self) {
        if let Some(document) = document() {
            let _ = document
                .remove_event_listener_with_callback("keydown", self.0.as_ref().unchecked_ref());
        }
    }
}

/// Whether the focus is on nothing.
pub fn nothing_focused() -> bool {
    document()
        .and_then(|d| d.active_element())
        .is_none_or(|element| element.tag_name().eq_ignore_ascii_case("body"))
}

/// Whether the page runs from right to left.
pub fn is_rtl() -> bool {
    let root = document().and_then(|d| d.document_element());
    root.and_then(|r| r.get_attribute("dir")).as_deref() == Some("rtl")
}
