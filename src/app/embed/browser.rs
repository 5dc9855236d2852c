//! Carries messages between the page and the page around it. What they say and mean is decided in
//! the files beside this one.

use super::hello::{No, Sender, TIMES, connect, hello, target};
use super::json::{Fields, list, quoted};
use super::limits::Limits;
use super::progress::Progress;
use super::request::{self, Code, Command};
use super::size::{Sizes, band, messages};
use super::tell::{self, At};
use super::tokens::Tokens;
use crate::app::address::{Address, BadValue, Options, Origin, Resize, Theme};
use crate::app::question::{Predict, Told};
use crate::app::state::State;
use crate::app::{dom, frame, notices};
use crate::text::{Lang, embed as say};
use crate::view::tables::Way;
use gloo_timers::callback::Timeout;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{MessageEvent, MessagePort, ResizeObserver};
use yew::prelude::*;

/// Refusals that are said in the console; after that it is noise.
const SAID: u32 = 10;

/// How long the layout must be at rest before its height is told, ms.
const REST: u32 = 120;

/// The page as it was drawn last.
#[derive(Clone)]
pub struct Page {
    pub state: UseReducerHandle<State>,
    /// Says something aloud.
    pub say: Callback<String>,
    /// The scene has begun.
    pub began: bool,
}

/// What a step is compared with: a handle of the library's always shows the newest state.
struct Before {
    turn: u32,
    step: u32,
    playing: bool,
    scenario: Option<String>,
    theme: Theme,
    /// How many moves the reader's branch had.
    moves: usize,
    bad: usize,
}

#[derive(Default)]
pub(super) struct Link {
    pub(super) framed: bool,
    pub(super) id: String,
    pub(super) nonce: String,
    pub(super) origin: Origin,
    pub(super) resize: Resize,
    pub(super) page: RefCell<Option<Page>>,
    before: RefCell<Option<Before>>,
    pub(super) end: RefCell<Option<Box<dyn FnOnce()>>>,
    pub(super) port: RefCell<Option<MessagePort>>,
    pub(super) hellos: RefCell<Vec<Timeout>>,
    pub(super) rest: RefCell<Option<Timeout>>,
    pub(super) seq: Cell<u32>,
    /// When the scene was ready, ms of the epoch.
    pub(super) ready: Cell<Option<u64>>,
    pub(super) refusals: Cell<u32>,
    /// Folds that the reader opened or shut.
    pub(super) folds: Cell<u32>,
    pub(super) by_host: Cell<bool>,
    pub(super) limits: RefCell<Limits>,
    pub(super) sizes: RefCell<Sizes>,
    pub(super) progress: RefCell<Progress>,
    /// When the last question was put, ms of the epoch.
    asked: Cell<u64>,
    pub(super) tokens: RefCell<Tokens>,
}

thread_local! {
    static LINK: RefCell<Option<Rc<Link>>> = const { RefCell::new(None) };
}

fn link() -> Option<Rc<Link>> {
    LINK.with(|link| link.try_borrow().ok()?.clone())
}

fn now() -> u64 {
    js_sys::Date::now() as u64
}

/// Opens the channel, before anything is drawn. `end` takes the page away.
pub fn open(address: &Address, end: impl FnOnce() + 'static) {
    let Options {
        origin, id, resize, ..
    } = address.options.clone();
    let nonce = chance();
    let own = Rc::new(Link {
        framed: frame::framed(),
        id: id.unwrap_or_else(|| nonce.chars().rev().take(8).collect()),
        nonce,
        origin,
        resize,
        end: RefCell::new(Some(Box::new(end))),
        ..Link::default()
    });
    LINK.with(|link| link.replace(Some(own.clone())));
    if !own.framed {
        return;
    }
    watch(&own);
    let Some(to) = target(&own.origin).map(str::to_string) else {
        return;
    };
    let heard = {
        let own = own.clone();
        Closure::<dyn Fn(MessageEvent)>::new(move |e: MessageEvent| own.on_window(&e))
    };
    if let Some(window) = dom::window() {
        let heard = heard.as_ref().unchecked_ref();
        let _ = window.add_event_listener_with_callback("message", heard);
    }
    // As long as the page.
    heard.forget();
    let scenario = address.scenario.clone().unwrap_or_default();
    let words = hello(&own.id, &scenario, &own.nonce);
    let hellos = TIMES.map(|after| {
        let (own, words, to) = (own.clone(), words.clone(), to.clone());
        Timeout::new(after, move || own.to_parent(&words, &to))
    });
    own.hellos.replace(hellos.into());
}

/// 32 hexadecimal digits that nobody can guess.
fn chance() -> String {
    let mut bytes = [0; 16];
    if let Some(crypto) = dom::window().and_then(|w| w.crypto().ok()) {
        let _ = crypto.get_random_values_with_u8_array(&mut bytes);
    }
    let digits = bytes.iter().flat_map(|b| [b / 16, b % 16]);
    digits
        .filter_map(|d| char::from_digit(d.into(), 16))
        .collect()
}

/// Watches everything that the height depends on.
fn watch(link: &Rc<Link>) {
    let Some(place) = dom::document().and_then(|d| d.get_element_by_id("app")) else {
        return;
    };
    let changed = {
        let link = link.clone();
        Closure::<dyn Fn()>::new(move || link.measure_soon())
    };
    if let Ok(observer) = ResizeObserver::new(changed.as_ref().unchecked_ref()) {
        observer.observe(&place);
    }
    changed.forget();
    let folded = {
        let link = link.clone();
        Closure::<dyn Fn()>::new(move || {
            link.folds.set(link.folds.get() + 1);
            link.measure_soon();
        })
    };
    let heard = folded.as_ref().unchecked_ref();
    let _ = place.add_event_listener_with_callback_and_bool("toggle", heard, true);
    folded.forget();
}

/// The page was drawn.
pub fn shown(page: Page) {
    if let Some(link) = link() {
        link.shown(page);
    }
}

/// A question stands, or was answered.
pub fn asked(told: &Told) {
    let Some(link) = link() else { return };
    let mut progress = link.progress.borrow_mut();
    let (ev, data) = match told {
        Told::Question {
            step,
            kind,
            text,
            options,
        } => {
            link.asked.set(now());
            let options = options.iter().map(|(id, words)| {
                let option = Fields::default().text("id", id);
                option.text("text", words).done()
            });
            let data = Fields::default().text("id", &tell::question_id(*step));
            let data = data.text("kind", kind).number("step", *step);
            let data = data.text("text", text).raw("options", &list(options));
            ("question", data)
        }
        Told::Answer {
            step,
            kind,
            response,
            correct,
            pattern,
        } => {
            // Shown without an answer is no answer.
            let Some(correct) = correct else { return };
            progress.answered += 1;
            progress.correct += u32::from(*correct);
            let ms = now() - link.asked.get().min(now());
            let texts = |of: &[String]| list(of.iter().map(|t| quoted(t)));
            let data = Fields::default().text("id", &tell::question_id(*step));
            let data = data.text("kind", kind).number("step", *step);
            let data = data.raw("response", &texts(response));
            let data = data
                .flag("correct", *correct)
                .raw("pattern", &texts(pattern));
            let data = data.number("attempt", 1);
            let data = data.number("ms", u32::try_from(ms).unwrap_or(u32::MAX));
            ("answer", data)
        }
    };
    drop(progress);
    link.send(ev, &data.done());
}

/// The program has stopped.
pub fn failed(what: &str) {
    if let Some(link) = link() {
        link.send("error", &tell::trouble("panic", what, ""));
    }
}

impl Link {
    fn to_parent(&self, words: &str, to: &str) {
        let parent = dom::window().and_then(|w| w.parent().ok().flatten());
        if let (Some(parent), Ok(message)) = (parent, js_sys::JSON::parse(words)) {
            let _ = parent.post_message(&message, to);
        }
    }

    /// Whether a host has taken its end of the port.
    fn is_heard(&self) -> bool {
        self.port.try_borrow().is_ok_and(|port| port.is_some())
    }

    pub(super) fn send(&self, ev: &str, data: &str) {
        let Ok(port) = self.port.try_borrow() else {
            return;
        };
        if let Some(port) = &*port {
            self.seq.set(self.seq.get() + 1);
            let t = self.ready.get().map_or(0, |then| now() - then.min(now()));
            let t = u32::try_from(t).unwrap_or(u32::MAX);
            post(port, &tell::event(ev, self.seq.get(), t, data));
        }
    }

    /// A message on the window: the only one of use is the parent's offer of a port.
    fn on_window(self: &Rc<Self>, e: &MessageEvent) {
        if self.refusals.get() > SAID {
            return;
        }
        let parent = dom::window().and_then(|w| w.parent().ok().flatten());
        let parent: Option<JsValue> = parent.map(Into::into);
        let source: Option<JsValue> = e.source().map(Into::into);
        let ports = e.ports().unchecked_into::<js_sys::Array>();
        let from = Sender {
            is_parent: source.is_some() && source == parent,
            origin: &e.origin(),
            ports: ports.length(),
        };
        match connect(&text(&e.data()), from, &self.nonce, &self.origin) {
            Ok(()) => self.connected(ports.get(0).unchecked_into()),
            Err(No::Refused(why)) => {
                self.refusals.set(self.refusals.get() + 1);
                dom::log(&["connect: ", why].concat());
            }
            Err(No::Other) => {}
        }
    }

    fn connected(self: &Rc<Self>, port: MessagePort) {
        self.hellos.take();
        let heard = {
            let own = self.clone();
            Closure::<dyn Fn(MessageEvent)>::new(move |e: MessageEvent| own.on_port(&e))
        };
        port.set_onmessage(Some(heard.as_ref().unchecked_ref()));
        heard.forget();
        if let Some(old) = self.port.replace(Some(port)) {
            old.close();
        }
        self.seq.set(0);
        self.limits.take();
        self.greet();
    }

    /// What a host that has just come should know.
    fn greet(&self) {
        let Some(page) = self.page.borrow().clone() else {
            return;
        };
        if let (Ok(show), true) = (&page.state.show, self.ready.get().is_some()) {
            self.send("ready", &tell::info(show, at(&page.state)));
        }
        self.warn(&page.state);
    }

    fn warn(&self, state: &State) {
        for bad in &state.bad {
            let words = notices::name(state.lang, bad, &state.library);
            let code = match (bad, state.options.strict) {
                (BadValue::Scenario(_), _) => ("error", "no-such-scenario"),
                (_, true) => ("error", "strict"),
                (_, false) => ("warning", "bad-param"),
            };
            self.send(code.0, &tell::trouble(code.1, &words, bad.param()));
        }
        if state.show.is_err() && !state.practises() && state.no_such().is_none() {
            let id = state.scenario.as_deref().unwrap_or_default();
            let words = say::no_such(state.lang, "scenario", id);
            self.send("error", &tell::trouble("bad-scenario", &words, "scenario"));
        }
    }

    fn shown(self: &Rc<Self>, page: Page) {
        self.page.replace(Some(page.clone()));
        let state = &*page.state;
        let old = self.before.replace(Some(Before {
            turn: state.turn,
            step: state.step,
            playing: state.playing,
            scenario: state.scenario.clone(),
            theme: state.theme,
            moves: state.moves(),
            bad: state.bad.len(),
        }));
        let old = old.as_ref();
        if old.is_none_or(|old| old.bad < state.bad.len()) {
            self.warn(state);
        }
        let stopped = state.options.strict && !state.bad.is_empty();
        let runs = page.began && !stopped;
        if let (Ok(show), true) = (&state.show, runs) {
            let moved = old.is_some_and(|old| old.turn != state.turn);
            let anew =
                self.ready.get().is_none() || old.is_some_and(|old| old.scenario != state.scenario);
            if anew {
                self.ready.set(Some(now()));
                self.by_host.set(false);
                let mut progress = Progress::begin(state.bounds, now());
                progress.of = show.questions(state.lang).len() as u32;
                self.progress.replace(progress);
                self.send("ready", &tell::info(show, at(state)));
            } else if let (true, Some(old)) = (moved, old) {
                let plays = old.playing || state.playing;
                let cause = match state.way {
                    _ if self.by_host.take() => "host",
                    Way::Next if plays => "play",
                    Way::Next => "next",
                    Way::Back => "back",
                    Way::Jump => "seek",
                };
                let moves = state.moves();
                if moves > old.moves {
                    let (action, step) = state.last_move(old.step);
                    let fork = super::json::Fields::default().number("step", step);
                    self.send("fork", &fork.text("action", &action).done());
                }
                // Nobody to tell: nothing to write out, and no styles to work out before their time.
                if self.is_heard() {
                    self.send("step", &tell::step(show, at(state), old.step, cause));
                    self.settle(state);
                }
            }
            if anew || moved {
                let open = state.quiz.predict == Predict::Required
                    && state.quiz.answers.len() < show.questions(state.lang).len();
                let told = self.progress.borrow_mut().at(state.step, now(), !open);
                for (ev, data) in told {
                    self.send(ev, &data);
                }
            }
        }
        if old.is_none_or(|old| old.theme != state.theme) {
            self.keep_legible(state);
        }
        if self.framed {
            self.measure_soon();
        }
    }

    /// Tells when everything that moves has come to rest.
    fn settle(self: &Rc<Self>, state: &State) {
        let (step, turn) = (state.step, state.turn);
        let waits = js_sys::Array::new();
        if let Some(document) = dom::document() {
            for animation in document.get_animations().iter() {
                let animation = animation.unchecked_into::<web_sys::Animation>();
                if let Ok(over) = animation.finished() {
                    waits.push(&over);
                }
            }
        }
        let own = self.clone();
        wasm_bindgen_futures::spawn_local(async move {
            let all = js_sys::Promise::all_settled(&waits);
            let _ = wasm_bindgen_futures::JsFuture::from(all).await;
            let here = own.page.borrow().as_ref().map(|page| page.state.turn);
            if here == Some(turn) {
                let data = super::json::Fields::default().number("step", step);
                own.send("settled", &data.done());
            }
        });
    }

    fn on_port(self: &Rc<Self>, e: &MessageEvent) {
        let page = self.page.borrow().clone();
        let lang = page.as_ref().map_or(Lang::En, |page| page.state.lang);
        let (mut rid, command) = request::read(&text(&e.data()), lang);
        // What is too long is not read, but whose it is can be seen from outside.
        if matches!(&command, Err((Code::TooMany, _))) {
            let own = js_sys::Reflect::get(&e.data(), &"rid".into()).unwrap_or_default();
            rid = request::asker(&text(&own));
        }
        let within = self.limits.borrow_mut().take(now());
        let ends = within && command == Ok(Command::Destroy);
        let done = match (command, page) {
            _ if !within => Err(request::too_many(lang)),
            (Err(refusal), _) => Err(refusal),
            (Ok(Command::Destroy), _) => Ok("{}".into()),
            (Ok(command), Some(page)) if self.ready.get().is_some() => {
                if self.later(&rid, &command, &page) {
                    return;
                }
                self.carry_out(command, &page)
            }
            (Ok(_), _) => Err((Code::NotReady, say::not_ready(lang))),
        };
        let answer = match done {
            Ok(result) => request::done(&rid, &result),
            Err(refusal) => request::refused(&rid, &refusal),
        };
        if let Some(port) = &*self.port.borrow() {
            post(port, &answer);
        }
        if ends {
            self.close(lang);
        }
    }

    fn measure_soon(self: &Rc<Self>) {
        let own = self.clone();
        let rest = Timeout::new(REST, move || own.measure());
        self.rest.replace(Some(rest));
    }

    fn measure(&self) {
        // This timer is over; it must not be stopped while it runs.
        if let Some(timer) = self.rest.take() {
            timer.forget();
        }
        let Some(page) = self.page.borrow().clone() else {
            return;
        };
        let (Some(window), Some(document)) = (dom::window(), dom::document()) else {
            return;
        };
        let (Some(place), Some(root)) = (
            document.get_element_by_id("app"),
            document.document_element(),
        ) else {
            return;
        };
        let size = place.get_bounding_client_rect();
        let (width, height) = (size.width().ceil() as u32, size.height().ceil() as u32);
        let type_size = window.get_computed_style(&root).ok().flatten();
        let type_size = type_size.and_then(|s| s.get_property_value("font-size").ok());
        let type_size = type_size.unwrap_or_default();
        let rem = type_size.trim_end_matches("px").split('.').next();
        let rem = rem.and_then(|px| px.parse().ok()).unwrap_or(16);
        let inner = window.inner_height().ok().and_then(|h| h.as_f64());
        let state = &*page.state;
        let view = state.view.map_or(9, |view| view as u32);
        let key = format!(
            "{width} {} {type_size} {view} {} {} {} {} {}",
            state.lang.code(),
            state.scenario.as_deref().unwrap_or_default(),
            page.began,
            self.folds.get(),
            state.bad.len(),
            state.base().is_some(),
        );
        let band = band(inner.unwrap_or_default() as u32, rem);
        if height == 0 || !self.sizes.borrow_mut().tell(&key, band, height) {
            return;
        }
        let to = target(&self.origin).unwrap_or("*");
        for (words, _) in messages(self.resize, &self.id, &dom::address(), height) {
            self.to_parent(&words, to);
        }
        let data = super::json::Fields::default().number("width", width);
        self.send("size", &data.number("height", height).done());
    }

    /// The host is done with the scene: nothing goes on.
    fn close(&self, lang: Lang) {
        self.hellos.take();
        self.rest.take();
        self.page.take();
        self.ready.set(None);
        if let Some(port) = self.port.take() {
            port.close();
        }
        // No message on the window is listened to any more.
        self.refusals.set(SAID + 1);
        if let Some(end) = self.end.take() {
            end();
        }
        let Some(document) = dom::document() else {
            return;
        };
        if let (Some(place), Ok(note)) = (
            document.get_element_by_id("app"),
            document.create_element("p"),
        ) {
            note.set_class_name("boot");
            note.set_text_content(Some(&say::ended(lang)));
            place.set_inner_html("");
            let _ = place.append_child(&note);
        }
    }
}

pub(super) fn at(state: &State) -> At {
    At {
        lang: state.lang,
        step: state.step,
        bounds: state.bounds,
        playing: state.playing,
    }
}

/// A message as JSON; empty if it cannot be written so.
fn text(data: &JsValue) -> String {
    let written = js_sys::JSON::stringify(data).ok();
    written.and_then(|t| t.as_string()).unwrap_or_default()
}

fn post(port: &MessagePort, words: &str) {
    if let Ok(message) = js_sys::JSON::parse(words) {
        let _ = port.post_message(&message);
    }
}
