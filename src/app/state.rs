//! What the page is at: place, step, language, look. A step is an index; nothing is undone.

use super::address::{Address, BadValue, Motion, Options, Place, SPEEDS, Theme, bounds, step_of};
use super::question::{Given, Quiz};
use super::show::{Library, Show, ShowError};
use crate::history::branch::{Branch, Link, Move};
use crate::script::ast::View;
use crate::text::Lang;
use crate::view::tables::Way;
use crate::view::{moves, practice};
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

pub struct State {
    pub library: Rc<Library>,
    /// The scene asked for; `None`: the front page.
    pub scenario: Option<String>,
    /// The scene on the page (on the front page the one at its top).
    pub show: Result<Rc<Show>, ShowError>,
    pub step: u32,
    /// Which way the reader came to this step.
    pub way: Way,
    /// Goes up with every step taken, so that the same step twice is two events.
    pub turn: u32,
    /// A press came while a key is held down: no motion, no words until it rests.
    pub hurried: bool,
    pub lang: Lang,
    /// The reader chose the language (or the address did), so it belongs into links.
    pub lang_chosen: bool,
    pub theme: Theme,
    /// Replicas, ruler or both, if the reader chose.
    pub view: Option<View>,
    pub bad: Vec<BadValue>,
    pub playing: bool,
    /// The step at which playing began: it does not stop there, even if it is a marker.
    pub played_from: u32,
    pub speed: usize,
    /// What the reader made of the story.
    pub branch: Option<Rc<RefCell<Branch>>>,
    /// The link to it, for the address.
    pub fragment: Rc<str>,
    /// The branch that was left last: its scene, its link and how many moves it has.
    left: Option<(Rc<str>, Rc<str>, usize)>,
    /// The turn at which the address was read.
    read_at: u32,
    /// The first and the last step that are shown.
    pub bounds: (u32, u32),
    /// How the author set the scene up.
    pub options: Options,
    /// Questions before steps.
    pub quiz: Quiz,
}

pub enum Action {
    /// To a step, in a way; `true`: hurried.
    Go(u32, Way, bool),
    Play(bool),
    /// The next speed.
    Speed,
    /// A speed, by its place in the list.
    Rate(usize),
    Lang(Lang),
    Theme(Theme),
    Motion(Motion),
    View(View),
    /// The bad values have been read.
    Dismiss,
    /// To a scene or (`None`) to the front page.
    Open(Option<String>),
    /// The browser went back or forth: query and fragment.
    Read(Address, String),
    /// A file was dropped: query and fragment of the link in it, or its name.
    Dropped(Result<(Address, String), String>),
    /// The reader does something with the story.
    Try(Move),
    /// Back to the story, from a branch.
    Story,
    /// Back to the branch that was left.
    Return,
    /// The question that stands is answered; its step runs.
    Answer(Given),
}

impl State {
    pub fn start(library: Rc<Library>, address: Address, fragment: &str, browser: Lang) -> State {
        let mut state = State {
            library,
            scenario: None,
            show: Err(ShowError::NoSuchScene),
            step: 0,
            way: Way::Jump,
            turn: 0,
            hurried: false,
            lang: address.lang.unwrap_or(browser),
            lang_chosen: address.lang.is_some(),
            theme: address.theme,
            view: None,
            bad: Vec::new(),
            playing: false,
            played_from: 0,
            speed: 0,
            branch: None,
            fragment: "".into(),
            left: None,
            read_at: 0,
            bounds: (0, 0),
            options: Options::default(),
            quiz: Quiz::default(),
        };
        state.read(address, fragment);
        state
    }

    fn read(&mut self, address: Address, fragment: &str) {
        self.bad = address.bad;
        self.view = address.view;
        self.speed = address.options.speed;
        self.options = address.options;
        self.quiz.predict = self.options.predict;
        self.library.seed(self.options.seed);
        self.scenario = None;
        let mut wanted = address.step;
        if let Some(id) = address.scenario {
            if id == practice::SCENE || self.library.has(&id) {
                self.scenario = Some(id);
            } else {
                self.bad.push(BadValue::Scenario(id));
                wanted = None;
            }
        }
        let asked = match wanted {
            Some(Place::Step(step)) => Some(step),
            _ => None,
        };
        self.open(wanted);
        let fragment = fragment.trim_start_matches('#');
        // Other anchors are not ours: course systems leave some.
        if Link::is_meant(fragment) && (self.options.lock || self.practises()) {
            self.bad.push(BadValue::LinkNowhere);
        } else if Link::is_meant(fragment) && self.no_such().is_none() {
            // The step may lie on the branch.
            self.bad
                .retain(|bad| !matches!(bad, BadValue::StepBeyond(..)));
            self.follow(fragment, asked);
        }
        self.read_at = self.turn;
    }

    /// Takes up the scene of the place, within its bounds, at a step.
    fn open(&mut self, step: Option<Place>) {
        (self.quiz.asking, self.quiz.answers) = (None, Rc::default());
        let id = self.scenario.as_deref().or(self.library.hero());
        self.show = match id {
            Some(id) if self.no_such().is_none() => self.library.show(id),
            _ => Err(ShowError::NoSuchScene),
        };
        let (last, marks) = match &self.show {
            _ if self.practises() => (practice::tasks::Task::ALL.len() as u32 - 1, vec![]),
            Ok(show) => (show.last(), show.marks()),
            Err(_) => (0, vec![]),
        };
        let limits = match self.scenario {
            Some(_) => (self.options.from.as_ref(), self.options.to.as_ref()),
            None => (None, None),
        };
        let (within, bad) = bounds(limits.0, limits.1, last, &marks);
        self.bad.extend(bad);
        self.bounds = within;
        let (wanted, bad) = step.map_or((None, None), |place| step_of(&place, within, &marks));
        self.bad.extend(bad);
        // The front page shows its scene in the middle of things.
        let first = match self.scenario {
            Some(_) => within.0,
            None => 1.min(last),
        };
        self.step = wanted.unwrap_or(first);
        self.way = Way::Jump;
        self.turn += 1;
        self.playing = false;
        self.branch = None;
        self.fragment = "".into();
    }

    /// Follows a link to a branch of the scene that is open; what does not lead where it led is
    /// left out, and said.
    fn follow(&mut self, text: &str, step: Option<u32>) {
        let link = match Link::read(text) {
            Ok(link) => link,
            Err(bad) => return self.bad.push(BadValue::Link(bad)),
        };
        let Ok(show) = self.show.clone() else {
            return;
        };
        let title = |branch: &Branch, what| match branch.run().picture(0) {
            Some(picture) => moves::title(&picture, what),
            None => Default::default(),
        };
        let followed = Branch::follow(&show.scenario, &link, &title);
        if !followed.same_start {
            return self.bad.push(BadValue::LinkScene);
        }
        if !followed.is_whole() {
            self.bad
                .push(BadValue::LinkParted(followed.good, followed.asked));
        }
        let shown = show.of_branch(&followed.branch);
        self.step = step.unwrap_or(u32::MAX).min(shown.last());
        self.bounds = (self.bounds.0.min(self.step), shown.last());
        self.show = Ok(Rc::new(shown));
        self.fragment = followed.branch.link().write().into();
        self.branch = Some(Rc::new(RefCell::new(followed.branch)));
    }

    /// Makes a move at the step that is shown: behind it the story, or what the reader had made
    /// of it, is gone.
    fn go(&mut self, what: Move) {
        let Ok(show) = self.show.clone() else {
            return;
        };
        if self.options.lock {
            return;
        }
        let own = self.branch.take();
        let own = own.filter(|branch| branch.borrow().base() <= self.step);
        let branch = own.unwrap_or_else(|| {
            let branch = Branch::new(&show.scenario, self.step);
            Rc::new(RefCell::new(branch))
        });
        {
            let mut branch = branch.borrow_mut();
            let keep = self.step - branch.base();
            branch.cut(keep as usize);
            let Some(picture) = branch.run().picture(0) else {
                return;
            };
            if branch.go(what, moves::title(&picture, what)) {
                let longer = show.longer(&branch);
                self.bounds.1 = longer.last();
                self.show = Ok(Rc::new(longer));
                self.step += 1;
                self.way = Way::Next;
                self.hurried = false;
                self.playing = false;
                self.turn += 1;
                self.fragment = branch.link().write().into();
            }
        }
        self.branch = Some(branch);
    }

    /// Keeps the reader's branch, so that nothing is lost with it.
    fn leave(&mut self) {
        let count = self.moves();
        if let (Some(id), true) = (&self.scenario, count > 0) {
            self.left = Some((id.as_str().into(), self.fragment.clone(), count));
        }
    }

    /// How many moves the branch has that was left in this scene.
    pub fn left(&self) -> Option<usize> {
        let (id, _, count) = self.left.as_ref()?;
        let here = self.branch.is_none() && self.scenario.as_deref() == Some(&**id);
        here.then_some(*count)
    }

    /// The scene that was asked for and is not there.
    pub fn no_such(&self) -> Option<&str> {
        self.bad.iter().find_map(|bad| match bad {
            BadValue::Scenario(given) => Some(given.as_str()),
            _ => None,
        })
    }

    /// Whether the SQL practice is on the page.
    pub fn practises(&self) -> bool {
        self.scenario.as_deref() == Some(practice::SCENE)
    }

    pub fn last(&self) -> u32 {
        self.bounds.1
    }

    /// The speed in tenths.
    pub fn tenths(&self) -> u32 {
        SPEEDS[self.speed]
    }

    /// The address of this state.
    pub fn address(&self) -> Address {
        Address {
            scenario: self.scenario.clone(),
            step: Some(Place::Step(self.step)),
            lang: self.lang_chosen.then_some(self.lang),
            theme: self.theme,
            view: self.view,
            options: Options {
                speed: self.speed,
                ..self.options.clone()
            },
            bad: Vec::new(),
        }
    }

    /// The address of this state as text: query and fragment.
    pub fn written(&self) -> String {
        let query = self.address().write();
        match &*self.fragment {
            "" => query,
            fragment => format!("{query}#{fragment}"),
        }
    }

    /// Whether the address stays as it came: what was wrong with it is then still there to be seen
    /// after a reload, and to be copied.
    pub fn keeps_address(&self) -> bool {
        let wrong = self.bad.iter().any(|bad| !bad.is_file());
        wrong && self.turn == self.read_at
    }

    /// How many moves the reader has made.
    pub fn moves(&self) -> usize {
        self.branch.as_ref().map_or(0, |b| b.borrow().moves().len())
    }

    /// The reader's last move as a word, and the step it was made at.
    pub fn last_move(&self, before: u32) -> (String, u32) {
        let branch = self.branch.as_ref().map(|b| b.borrow());
        let what = branch.and_then(|b| b.moves().last().copied());
        (what.map_or_else(String::new, Move::word), before)
    }

    /// The address of what the author told: without the reader's moves.
    pub fn curated(&self) -> Address {
        let mut address = self.address();
        if let Some(base) = self.base() {
            let step = self.step.min(base);
            address.step = Some(Place::Step(step));
        }
        address
    }

    /// The step at which the reader left the story.
    pub fn base(&self) -> Option<u32> {
        Some(self.branch.as_ref()?.borrow().base())
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Go(step, way, hurried) => {
                let step = step.clamp(self.bounds.0, self.bounds.1);
                let asked = self.quiz.asking.take();
                if step == self.step && way != Way::Jump {
                    return;
                }
                if let Ok(show) = &self.show
                    && self.quiz.stops(show, step, way)
                {
                    self.quiz.pressed = match asked == Some(step) {
                        true => self.quiz.pressed + 1,
                        false => 0,
                    };
                    self.quiz.asking = Some(step);
                    self.playing = false;
                    return;
                }
                // Back over a question that stands is where one is.
                if asked.is_some() && way == Way::Back {
                    return;
                }
                self.step = step;
                self.way = way;
                self.hurried = hurried;
                self.turn += 1;
                self.playing &= way == Way::Next && step < self.last();
            }
            Action::Play(on) => {
                self.played_from = self.step;
                if on && self.step < self.last() {
                    // The first step at once: that something plays must be seen.
                    self.act(Action::Go(self.step + 1, Way::Next, false));
                }
                self.playing = on && self.step < self.last() && self.quiz.asking.is_none();
            }
            Action::Speed => self.speed = (self.speed + 1) % SPEEDS.len(),
            Action::Rate(speed) => self.speed = speed % SPEEDS.len(),
            Action::Motion(motion) => self.options.motion = motion,
            Action::Lang(lang) => {
                self.lang = lang;
                self.lang_chosen = true;
            }
            Action::Theme(theme) => self.theme = theme,
            Action::View(view) => self.view = Some(view),
            // That there is no such scene is no line to be put away: nothing else is shown.
            Action::Dismiss => self.bad.retain(|bad| matches!(bad, BadValue::Scenario(_))),
            Action::Open(scenario) => {
                self.bad.clear();
                self.view = None;
                (self.options.from, self.options.to) = (None, None);
                self.scenario = scenario;
                self.open(None);
            }
            Action::Dropped(Ok((address, fragment))) => match &address.scenario {
                Some(id) if *id != practice::SCENE && !self.library.has(id) => {
                    self.bad.push(BadValue::FileScene(id.clone()));
                }
                _ => {
                    self.leave();
                    self.read(address, &fragment);
                }
            },
            Action::Dropped(Err(name)) => {
                let shown = name.chars().take(40).collect();
                self.bad.push(BadValue::File(shown));
            }
            Action::Try(what) => self.go(what),
            Action::Return => {
                if let Some((_, fragment, _)) = self.left.take() {
                    self.follow(&fragment, None);
                    self.turn += 1;
                    self.way = Way::Jump;
                }
            }
            Action::Answer(given) => {
                if let Some(step) = self.quiz.take(given) {
                    self.act(Action::Go(step, Way::Next, false));
                }
            }
            Action::Story => {
                let base = self.branch.as_ref().map(|branch| branch.borrow().base());
                self.leave();
                self.open(base.map(Place::Step));
            }
            Action::Read(address, fragment) => {
                if let Some(lang) = address.lang {
                    self.lang = lang;
                }
                self.theme = address.theme;
                self.read(address, &fragment);
            }
        }
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        State {
            library: self.library.clone(),
            scenario: self.scenario.clone(),
            show: self.show.clone(),
            bad: self.bad.clone(),
            branch: self.branch.clone(),
            fragment: self.fragment.clone(),
            left: self.left.clone(),
            options: self.options.clone(),
            quiz: self.quiz.clone(),
            ..*self
        }
    }
}

impl Reducible for State {
    type Action = Action;
    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        let mut next = (*self).clone();
        next.act(action);
        Rc::new(next)
    }
}

/// How the page hears of what the reader does.
pub type Act = Callback<Action>;
