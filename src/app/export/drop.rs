//! A picture that this page once saved, dropped on it: the step that lies within is opened.
//! Only the query and the fragment of its link are read; no address is loaded.

use crate::app::address::Address;
use crate::app::dom;
use crate::app::state::{Act, Action};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::DragEvent;

/// Longest picture that is looked into, bytes.
const LONGEST: f64 = 2_000_000.0;

/// Listens for files until what is returned is dropped.
pub fn listen(act: Act) -> impl Drop {
    let over = Closure::<dyn Fn(DragEvent)>::new(|e: DragEvent| e.prevent_default());
    let dropped = Closure::<dyn Fn(DragEvent)>::new(move |e: DragEvent| {
        let file = e
            .data_transfer()
            .and_then(|d| d.files())
            .and_then(|f| f.get(0));
        let Some(file) = file else {
            return;
        };
        e.prevent_default();
        let (act, name) = (act.clone(), file.name());
        if file.size() > LONGEST {
            return act.emit(Action::Dropped(Err(name)));
        }
        let text = file.text();
        wasm_bindgen_futures::spawn_local(async move {
            let text = wasm_bindgen_futures::JsFuture::from(text).await;
            let text = text.ok().and_then(|t| t.as_string()).unwrap_or_default();
            act.emit(Action::Dropped(link_in(&text).ok_or(name)));
        });
    });
    let listening = [("dragover", over), ("drop", dropped)];
    for (kind, handler) in &listening {
        if let Some(window) = dom::window() {
            let _ = window.add_event_listener_with_callback(kind, handler.as_ref().unchecked_ref());
        }
    }
    Listening(listening)
}

type Heard = (&'static str, Closure<dyn Fn(DragEvent)>);

struct Listening([Heard; 2]);

impl Drop for Listening {
    fn drop(&mut self) {
        for (kind, handler) in &self.0 {
            if let Some(window) = dom::window() {
                let _ = window
                    .remove_event_listener_with_callback(kind, handler.as_ref().unchecked_ref());
            }
        }
    }
}

/// Query and fragment of the link in a picture.
fn link_in(svg: &str) -> Option<(Address, String)> {
    let (_, rest) = svg.split_once("<metadata id=\"highwater\" data-link=\"")?;
    let (link, _) = rest.split_once('"')?;
    let link = link.replace("&amp;", "&");
    let (_, query) = link.split_once('?')?;
    let (query, fragment) = query.split_once('#').unwrap_or((query, ""));
    Some((Address::read(query), fragment.to_string()))
}
