//! Drawings for a host: of the step that is on the screen, as the reader sees it.

use super::browser::{Link, Page};
use super::json::Fields;
use super::request::{self, Code, Command, Format, Refusal};
use crate::app::{dom, export};
use crate::text::embed as say;
use std::rc::Rc;
use wasm_bindgen::JsValue;

impl Link {
    /// The drawing as SVG.
    pub(super) fn drawing(page: &Page, step: u32, link: &str) -> Result<String, Refusal> {
        let state = &*page.state;
        let refused = || (Code::OutOfRange, say::only_shown(state.lang, state.step));
        let scene = dom::document().and_then(|d| d.query_selector(".scene").ok()?);
        match (&state.show, scene) {
            (Ok(show), Some(scene)) if step == state.step => {
                Ok(export::drawing(show, state.lang, step, &scene, link))
            }
            (Ok(_), Some(_)) => Err(refused()),
            _ => Err((Code::Internal, say::cannot(state.lang))),
        }
    }

    /// Whether a command is answered later; then it will be.
    pub(super) fn later(self: &Rc<Self>, rid: &str, command: &Command, page: &Page) -> bool {
        let Command::Export(Format::Png, asked) = command else {
            return false;
        };
        let step = asked.unwrap_or(page.state.step);
        let link = super::carry::address_of(&page.state);
        let svg = match Link::drawing(page, step, &link) {
            Ok(svg) => svg,
            Err(refusal) => {
                self.answer(&request::refused(rid, &refusal), None);
                return true;
            }
        };
        let (own, rid, lang) = (self.clone(), rid.to_string(), page.state.lang);
        export::png(&svg, 1, move |blob| {
            let (word, media) = Format::Png.words();
            let fields = Fields::default().text("format", word);
            let fields = fields.number("step", step).text("type", media);
            match blob {
                Some(blob) => own.answer(&request::done(&rid, &fields.done()), Some(blob.into())),
                None => {
                    let refusal = (Code::Internal, say::cannot(lang));
                    own.answer(&request::refused(&rid, &refusal), None);
                }
            }
        });
        true
    }

    /// Sends an answer; `data` becomes a member of its result.
    fn answer(&self, words: &str, data: Option<JsValue>) {
        let Ok(message) = js_sys::JSON::parse(words) else {
            return;
        };
        if let (Some(data), Ok(result)) = (data, js_sys::Reflect::get(&message, &"result".into())) {
            let _ = js_sys::Reflect::set(&result, &"data".into(), &data);
        }
        if let Some(port) = &*self.port.borrow() {
            let _ = port.post_message(&message);
        }
    }
}
