//! Carries out what a host asks. Every value has been checked; what does not exist is refused.

use super::browser::{Link, Page, at};
use super::json::{Fields, Value, list, quoted};
use super::request::{Code, Command, Format, Refusal};
use super::tell::{self, At};
use crate::app::address::{Place, SPEEDS, Theme, step_of};
use crate::app::question::{Given, Predict};
use crate::app::show::Show;
use crate::app::state::{Action, State};
use crate::app::{dom, frame};
use crate::text::{Lang, embed as say};
use crate::view::tables::Way;
use wasm_bindgen::JsCast;

impl Link {
    pub(super) fn carry_out(&self, command: Command, page: &Page) -> Result<String, Refusal> {
        let state = &*page.state;
        let lang = state.lang;
        let Ok(show) = &state.show else {
            return Err((Code::Internal, say::cannot(lang)));
        };
        let (first, last) = state.bounds;
        let one = |name: &str, word: &str| Fields::default().text(name, word).done();
        let step = |to: u32| Fields::default().number("step", to);
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
            Command::GetPermalink(full) => {
                let url = match full {
                    true => address_of(state),
                    false => [dom::page(), state.curated().permalink()].concat(),
                };
                let length = url.encode_utf16().count() as u32;
                let link = Fields::default().text("url", &url);
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
                let loaded = Fields::default().text("scenario", &scene);
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
                let link = address_of(state);
                let data = match format {
                    Format::Svg => Link::drawing(page, at.step, &link)?,
                    format => tell::export(show, at, format, &link)?,
                };
                let (word, media) = format.words();
                let fields = Fields::default().text("format", word);
                let fields = fields.number("step", at.step).text("type", media);
                Ok(fields.text("data", &data).done())
            }
            Command::Ask(name) => self.ask(page, show, &name).map(|(_, told)| told),
            Command::Reveal(name) => {
                let (step, told) = self.ask(page, show, &name)?;
                if state.quiz.given(step).is_none() {
                    self.by_host.set(true);
                    page.state.dispatch(Action::Answer(Given::Shown));
                }
                Ok(told)
            }
            Command::Announce(words) => {
                page.say.emit(words);
                Ok("{}".into())
            }
            Command::Destroy => Ok("{}".into()),
        }
    }

    /// Puts a question: the scene stands in front of its step. One that was answered stays so.
    fn ask(&self, page: &Page, show: &Show, name: &str) -> Result<(u32, String), Refusal> {
        let state = &*page.state;
        let all = show.questions(state.lang);
        let found = all
            .iter()
            .find(|(step, _)| tell::question_id(*step) == name);
        let found = found.filter(|_| state.quiz.predict != Predict::Off);
        let Some((step, _)) = found else {
            let short: String = name.chars().take(32).collect();
            return Err((Code::BadArgs, say::no_such_question(state.lang, &short)));
        };
        if state.quiz.asking != Some(*step) && state.quiz.given(*step).is_none() {
            self.by_host.set(true);
            dom::finish_motion();
            page.state.dispatch(Action::Go(step - 1, Way::Jump, false));
            page.state.dispatch(Action::Go(*step, Way::Next, false));
        }
        let told = Fields::default().text("id", name).number("step", *step);
        Ok((*step, told.done()))
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
        let rejected = list(rejected.iter().map(|n| quoted(n)));
        let look = Fields::default().text("theme", to.word());
        look.raw("rejected", &rejected).done()
    }

    /// The reader chose another look: colours that do not suit it go.
    pub(super) fn keep_legible(&self, state: &State) {
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
}

/// The link to a step, for others.
pub(super) fn address_of(state: &State) -> String {
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
