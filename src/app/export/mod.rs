//! What a reader takes away: a picture of the step, or the scene as text. Where a frame may not
//! save files the text stands there to be copied.

mod drop;
mod picture;

pub use drop::listen;
#[cfg_attr(
    not(target_arch = "wasm32"),
    allow(unused_imports, reason = "there is no canvas natively")
)]
pub use picture::png;

use super::dom;
use super::notices::rich;
use super::show::Show;
use crate::text::{Lang, export as words};
use crate::view::export::{Story, Told, markdown, mermaid, trace};
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, Element, HtmlElement, Url};
use yew::prelude::*;

#[derive(Properties)]
pub struct ExportProps {
    pub lang: Lang,
    pub show: Rc<Show>,
    pub step: u32,
    /// The scene's element, in which the drawing is.
    pub root: NodeRef,
    /// Query and fragment of this step.
    pub link: String,
}

impl PartialEq for ExportProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.show, &other.show)
            && (self.lang, self.step, &self.link) == (other.lang, other.step, &other.link)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Svg,
    /// So many times as large.
    Png(u32),
    Markdown,
    Mermaid,
    Json,
}

impl Form {
    const ALL: [Form; 6] = [
        Form::Svg,
        Form::Png(1),
        Form::Png(2),
        Form::Markdown,
        Form::Mermaid,
        Form::Json,
    ];

    fn label(self, lang: Lang) -> String {
        match self {
            Form::Svg => words::svg(lang),
            Form::Png(times) => words::png(lang, times),
            Form::Markdown => words::markdown(lang),
            Form::Mermaid => words::mermaid(lang),
            Form::Json => words::json(lang),
        }
    }

    /// The ending of a file's name, and its media type.
    fn kind(self) -> (&'static str, &'static str) {
        match self {
            Form::Svg => ("svg", "image/svg+xml"),
            Form::Png(_) => ("png", "image/png"),
            Form::Markdown => ("md", "text/markdown"),
            Form::Mermaid => ("mmd", "text/plain"),
            Form::Json => ("json", "application/json"),
        }
    }
}

#[component]
pub fn Export(props: &ExportProps) -> Html {
    let lang = props.lang;
    let made = use_state(|| None::<(String, String)>);
    let told = use_state_eq(String::new);
    let press = |form: Form| {
        let (show, root, link) = (props.show.clone(), props.root.clone(), props.link.clone());
        let (step, made, told) = (props.step, made.setter(), told.setter());
        Callback::from(move |_: MouseEvent| {
            let (ending, kind) = form.kind();
            let name = match form {
                Form::Svg | Form::Png(_) => format!("{}-{step}.{ending}", show.id()),
                _ => format!("{}.{ending}", show.id()),
            };
            let branch = fragment(&link);
            let text = match form {
                Form::Svg | Form::Png(_) => {
                    let Some(root) = root.cast::<Element>() else {
                        return;
                    };
                    let link = [dom::page(), link.clone()].concat();
                    drawing(&show, lang, step, &root, &link)
                }
                Form::Markdown => with_story(&show, lang, None, branch, |story| {
                    markdown(story, |n| show.shown(n))
                }),
                Form::Mermaid => with_story(&show, lang, None, branch, mermaid),
                Form::Json => with_story(&show, lang, None, branch, trace),
            };
            let (told, made) = (told.clone(), made.clone());
            if let Form::Png(times) = form {
                picture::png(&text, times, move |blob| {
                    told.set(match blob {
                        Some(blob) => {
                            save(&blob, &name);
                            words::saved(lang, &name)
                        }
                        None => words::no_picture(lang),
                    });
                });
                return;
            }
            if let Some(blob) = blob(&text, kind) {
                save(&blob, &name);
            }
            told.set(words::saved(lang, &name));
            made.set(Some((form.label(lang), text)));
        })
    };
    html! {
        <details class="fold export">
            <summary>{ words::heading(lang) }</summary>
            <p class="muted">{ words::about(lang) }</p>
            <div class="moves-of" role="group" aria-label={words::heading(lang)}>
                { for Form::ALL.map(|form| html! { <button type="button" onclick={press(form)}>{ form.label(lang) }</button> }) }
            </div>
            <p class="small" role="status">{ rich(&told) }</p>
            if let Some((what, text)) = &*made {
                <textarea class="file" readonly=true rows="8" spellcheck="false" aria-label={words::as_text(lang, what)} value={text.clone()} />
            }
        </details>
    }
}

/// The drawing of the step on the screen, with its link and its state within.
pub fn drawing(show: &Show, lang: Lang, step: u32, scene: &Element, link: &str) -> String {
    let state = with_story(show, lang, Some(step), fragment(link), trace);
    picture::svg(scene, link, &state)
}

/// What stands after `#`.
fn fragment(link: &str) -> &str {
    link.split_once('#').map_or("", |(_, fragment)| fragment)
}

/// The scene, or one step of it, as `view` takes it away.
fn with_story(
    show: &Show,
    lang: Lang,
    only: Option<u32>,
    branch: &str,
    then: impl FnOnce(&Story) -> String,
) -> String {
    let cards = show.cards(lang);
    let address = format!("{}?scenario={}", dom::page(), show.id());
    let steps = (0..=show.last()).filter(|n| only.is_none_or(|one| one == *n));
    let steps = steps.filter_map(|number| {
        let frame = show.frame(0, number)?;
        Some(Told {
            number,
            mark: show.mark(number),
            card: cards.get(number as usize)?,
            picture: &frame.picture,
            events: &frame.events,
        })
    });
    then(&Story {
        lang,
        id: show.id(),
        title: show.title(lang),
        question: super::show::words(&show.scenario.question, lang),
        address: &address,
        branch,
        steps: steps.collect(),
    })
}

/// A text as a file's content.
fn blob(text: &str, kind: &str) -> Option<Blob> {
    let parts = web_sys::js_sys::Array::of1(&JsValue::from_str(text));
    let bag = BlobPropertyBag::new();
    bag.set_type(kind);
    Blob::new_with_str_sequence_and_options(&parts, &bag).ok()
}

/// Hands a file to the browser. A sandbox may refuse without a word.
fn save(blob: &Blob, name: &str) {
    let (Some(document), Ok(url)) = (dom::document(), Url::create_object_url_with_blob(blob))
    else {
        return;
    };
    if let Ok(link) = document.create_element("a") {
        let _ = link.set_attribute("href", &url);
        let _ = link.set_attribute("download", name);
        if let Some(link) = link.dyn_ref::<HtmlElement>() {
            link.click();
        }
    }
    let _ = Url::revoke_object_url(&url);
}
