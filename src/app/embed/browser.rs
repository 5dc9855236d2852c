//! Carries messages between the page and the page around it. What they say and mean is decided in
//! the files beside this one.

use super::hello::{No, Sender, TIMES, connect, hello, target};
use super::json::Value;
use super::limits::Limits;
use super::progress::Progress;
use super::request::{self, Code, Command, Refusal};
use super::size::{Sizes, band, messages};
use super::tell::{self, At};
use super::tokens::Tokens;
use crate::app::address::{Address, Options, Origin, Place, Resize, SPEEDS, Theme, step_of};
use crate::app::show::Show;
use crate::app::state::{Action, State};
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
    bad: usize,
}

#[derive(Default)]
struct Link {
    framed: bool,
    id: String,
    nonce: String,
    origin: Origin,
    resize: Resize,
    page: RefCell<Option<Page>>,
    before: RefCell<Option<Before>>,
    end: RefCell<Option<Box<dyn FnOnce()>>>,
    port: RefCell<Option<MessagePort>>,
    hellos: RefCell<Vec<Timeout>>,
    rest: RefCell<Option<Timeout>>,
    seq: Cell<u32>,
    /// When the scene was ready, ms of the epoch.
    ready: Cell<Option<u64>>,
    refusals: Cell<u32>,
    /// Folds that the reader opened or shut.
    folds: Cell<u32>,
    by_host: Cell<bool>,
    limits: RefCell<Limits>,
    sizes: RefCell<Sizes>,
    progress: RefCell<Progress>,
    tokens: RefCell<Tokens>,
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

    fn send(&self, ev: &str, data: &str) {
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
            let code = match state.options.strict {
                true => ("error", "strict"),
                false => ("warning", "bad-param"),
            };
            self.send(code.0, &tell::trouble(code.1, &words, bad.param()));
        }
        if state.show.is_err() && !state.practises() {
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
                self.progress.replace(Progress::begin(state.bounds, now()));
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
                let data = tell::step(show, at(state), old.step, cause);
                self.send("step", &data);
                self.settle(state);
            }
            if anew || moved {
                let told = self.progress.borrow_mut().at(state.step, now(), true);
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
        let (rid, command) = request::read(&text(&e.data()), lang);
        let within = self.limits.borrow_mut().take(now());
        let ends = within && command == Ok(Command::Destroy);
        let done = match (command, page) {
            _ if !within => Err(request::too_many(lang)),
            (Err(refusal), _) => Err(refusal),
            (Ok(Command::Destroy), _) => Ok("{}".into()),
            (Ok(command), Some(page)) if self.ready.get().is_some() => {
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

    fn carry_out(&self, command: Command, page: &Page) -> Result<String, Refusal> {
        let state = &*page.state;
        let lang = state.lang;
        let Ok(show) = &state.show else {
            return Err((Code::Internal, say::cannot(lang)));
        };
        let (first, last) = state.bounds;
        let one = |name: &str, word: &str| super::json::Fields::default().text(name, word).done();
        let step = |to: u32| super::json::Fields::default().number("step", to);
        let playing = |to: u32, on: bool| step(to).flag("playing", on).done();
        match command {
            Command::GetInfo => Ok(tell::info(show, at(state))),
            Command::GetState => Ok(tell::state(show, at(state))),
            Command::Seek(place, animate) => {
                let (to, clamped) = within(show, &place, state.bounds, lang)?;
                self.go(page, to, animate);
                Ok(match clamped {
                    true => step(to).flag("clamped", true).done(),
                    false => step(to).done(),
                })
            }
            Command::Next | Command::Back | Command::First | Command::Last => {
                let to = match command {
                    Command::Next => state.step + 1,
                    Command::Back => state.step.saturating_sub(1),
                    Command::First => first,
                    _ => last,
                };
                let to = to.clamp(first, last);
                self.go(page, to, true);
                Ok(step(to).done())
            }
            Command::Play(rate) => {
                if let Some(at) = SPEEDS.iter().position(|s| Some(*s) == rate) {
                    page.state.dispatch(Action::Rate(at));
                }
                let to = match state.playing {
                    true => state.step,
                    false => (state.step + 1).min(last),
                };
                if !state.playing && to != state.step {
                    self.by_host.set(true);
                    page.state.dispatch(Action::Play(true));
                }
                Ok(playing(to, to < last))
            }
            Command::Pause => {
                page.state.dispatch(Action::Play(false));
                Ok(playing(state.step, false))
            }
            Command::SetLang(to) => {
                page.state.dispatch(Action::Lang(to));
                Ok(one("lang", to.code()))
            }
            Command::SetMotion(to) => {
                page.state.dispatch(Action::Motion(to));
                Ok(one("motion", to.word()))
            }
            Command::SetTheme(theme, tokens) => Ok(self.look(page, theme, tokens.as_ref())),
            Command::GetPermalink => {
                let url = address_of(state);
                let length = url.encode_utf16().count() as u32;
                let link = super::json::Fields::default().text("url", &url);
                Ok(link.number("length", length).done())
            }
            Command::Load(scene, place) => {
                let none = || (Code::OutOfRange, say::no_such(lang, "scenario", &scene));
                if !state.library.has(&scene) {
                    return Err(none());
                }
                let Ok(next) = state.library.show(&scene) else {
                    return Err((Code::Internal, say::cannot(lang)));
                };
                let to = match &place {
                    Some(place) => match within(&next, place, (0, next.last()), lang)? {
                        (to, false) => to,
                        (_, true) => {
                            let given = place.write();
                            return Err((Code::OutOfRange, say::no_such(lang, "step", &given)));
                        }
                    },
                    None => 0,
                };
                let mut address = state.address();
                address.scenario = Some(scene.clone());
                address.step = Some(Place::Step(to));
                address.view = None;
                (address.options.from, address.options.to) = (None, None);
                page.state.dispatch(Action::Read(address, String::new()));
                let loaded = super::json::Fields::default().text("scenario", &scene);
                Ok(loaded.number("step", to).done())
            }
            Command::Export(format, asked) => {
                let at = At {
                    step: asked.unwrap_or(state.step),
                    ..at(state)
                };
                if !(first..=last).contains(&at.step) {
                    let given = at.step.to_string();
                    return Err((Code::OutOfRange, say::no_such(lang, "step", &given)));
                }
                let data = tell::export(show, at, format, &address_of(state))?;
                let (word, media) = format.words();
                let fields = super::json::Fields::default().text("format", word);
                let fields = fields.number("step", at.step).text("type", media);
                Ok(fields.text("data", &data).done())
            }
            Command::Ask(name) | Command::Reveal(name) => {
                let short: String = name.chars().take(32).collect();
                Err((Code::BadArgs, say::no_such_question(lang, &short)))
            }
            Command::Announce(words) => {
                page.say.emit(words);
                Ok("{}".into())
            }
            Command::Destroy => Ok("{}".into()),
        }
    }

    /// To a step, as the reader would go there or at once.
    fn go(&self, page: &Page, to: u32, animate: bool) {
        let step = page.state.step;
        if to == step {
            return;
        }
        let way = match () {
            _ if animate && to == step + 1 => Way::Next,
            _ if animate && to + 1 == step => Way::Back,
            _ => Way::Jump,
        };
        self.by_host.set(true);
        dom::finish_motion();
        page.state.dispatch(Action::Go(to, way, false));
    }

    /// Another look; the colours hold for the one they were judged by.
    fn look(&self, page: &Page, theme: Option<Theme>, given: Option<&Value>) -> String {
        let state = &*page.state;
        let wanted = theme.unwrap_or(state.theme);
        let is_dark = dark(wanted);
        let mut rejected = Vec::new();
        let pinned = {
            let mut tokens = self.tokens.borrow_mut();
            if !tokens.legible(is_dark) {
                tokens.without_colours();
            }
            if let Some(given) = given {
                rejected = tokens.set(given, is_dark);
            }
            (tokens.accent, tokens.bg, tokens.text) != (None, None, None)
        };
        let to = match (pinned, is_dark) {
            (false, _) => wanted,
            (true, true) => Theme::Dark,
            (true, false) => Theme::Light,
        };
        if to != state.theme {
            page.state.dispatch(Action::Theme(to));
        }
        self.paint();
        for name in &rejected {
            let words = say::pale(state.lang, name);
            self.send("warning", &tell::trouble("bad-token", &words, name));
        }
        let rejected = super::json::list(rejected.iter().map(|n| super::json::quoted(n)));
        let look = super::json::Fields::default().text("theme", to.word());
        look.raw("rejected", &rejected).done()
    }

    /// The reader chose another look: colours that do not suit it go.
    fn keep_legible(&self, state: &State) {
        let suits = self.tokens.borrow().legible(dark(state.theme));
        if !suits {
            self.tokens.borrow_mut().without_colours();
            self.paint();
        }
    }

    /// Hands the tokens to the style sheet, through the object model alone: the policy forbids
    /// style attributes.
    fn paint(&self) {
        let Some(root) = dom::document().and_then(|d| d.document_element()) else {
            return;
        };
        let Ok(root) = root.dyn_into::<web_sys::HtmlElement>() else {
            return;
        };
        let set = self.tokens.borrow().css();
        for (name, value) in &set {
            let _ = root
                .style()
                .set_property(&["--host-", name].concat(), value);
        }
        let names: Vec<_> = set.iter().map(|s| s.0).collect();
        let names = names.join(" ");
        dom::root_attribute("data-host", (!names.is_empty()).then_some(&*names));
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

fn at(state: &State) -> At {
    At {
        lang: state.lang,
        step: state.step,
        bounds: state.bounds,
        playing: state.playing,
    }
}

/// The link to a step, for others.
fn address_of(state: &State) -> String {
    let query = state.address().permalink();
    let page = dom::page();
    match &*state.fragment {
        "" => [page, query].concat(),
        fragment => [&*page, &*query, "#", fragment].concat(),
    }
}

/// The step of a place, and whether it had to be moved within the bounds. A marker that is not
/// there is no place.
fn within(
    show: &Show,
    place: &Place,
    bounds: (u32, u32),
    lang: Lang,
) -> Result<(u32, bool), Refusal> {
    let marks = show.marks();
    match place {
        Place::Mark(mark) if !marks.iter().any(|m| m.0 == *mark) => {
            Err((Code::OutOfRange, say::no_such(lang, "marker", mark)))
        }
        place => {
            let (to, beyond) = step_of(place, bounds, &marks);
            Ok((to.unwrap_or(bounds.0), beyond.is_some()))
        }
    }
}

/// Whether a look is a dark one.
fn dark(theme: Theme) -> bool {
    match theme {
        Theme::Dark => true,
        Theme::Light => false,
        Theme::Auto => frame::prefers("(prefers-color-scheme: dark)"),
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
