//! A scene as the page holds it: recorded once, then only looked up.

use crate::kafka::event::{Event, EventId};
use crate::kafka::ids::{TopicId, Tp};
use crate::text::Lang;
use crate::view::Step;
use crate::view::card::{Author, Card, card};
use crate::world::picture::Picture;
use std::cell::RefCell;
use std::rc::Rc;

/// Words in both languages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Both {
    pub ru: Rc<str>,
    pub en: Rc<str>,
}

impl Both {
    pub fn get(&self, lang: Lang) -> &str {
        match lang {
            Lang::Ru => &self.ru,
            Lang::En => &self.en,
        }
    }
}

/// A step of a scene, in one lane.
#[derive(Debug)]
pub struct Frame {
    pub picture: Picture,
    pub events: Vec<Event>,
}

/// What the author wrote for a step.
#[derive(Debug, Default)]
pub struct Words {
    pub heading: Both,
    pub so: Both,
    /// A turning point, which the marker keys go to.
    pub marker: bool,
}

/// How a scene is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// The replicas of a partition.
    Replicas(Tp),
    /// The console of a topic.
    Overview(TopicId),
    /// Lanes side by side.
    Compare(Tp),
}

/// One telling of the story.
#[derive(Debug)]
pub struct Lane {
    pub name: Rc<str>,
    pub frames: Vec<Frame>,
}

#[derive(Debug)]
pub struct Show {
    pub id: Rc<str>,
    pub title: Both,
    pub question: Both,
    pub summary: Both,
    /// `RF=3`, `acks=1`.
    pub chips: Vec<String>,
    /// Recorded runs it was compared with.
    pub runs: Vec<Rc<str>>,
    pub form: Form,
    pub words: Vec<Words>,
    /// At least one.
    pub lanes: Vec<Lane>,
}

impl Show {
    /// The last step; the first is 0.
    pub fn last(&self) -> u32 {
        (self.words.len() as u32).saturating_sub(1)
    }

    pub fn frame(&self, lane: usize, step: u32) -> Option<&Frame> {
        self.lanes.get(lane)?.frames.get(step as usize)
    }

    /// What `view` needs to know of a step.
    pub fn step(&self, lang: Lang, lane: usize, step: u32) -> Option<Step<'_>> {
        let frame = self.frame(lane, step)?;
        Some(Step {
            lang,
            before: step
                .checked_sub(1)
                .and_then(|before| self.frame(lane, before))
                .map(|f| &f.picture),
            now: &frame.picture,
            events: &frame.events,
        })
    }

    /// The step in which an event happened.
    fn step_of(&self, lane: usize, event: EventId) -> Option<u32> {
        let frames = &self.lanes.get(lane)?.frames;
        frames
            .iter()
            .position(|f| f.events.iter().any(|e| e.id == event))
            .map(|at| at as u32)
    }

    pub fn heading(&self, lang: Lang, step: u32) -> &str {
        self.words
            .get(step as usize)
            .map_or("", |words| words.heading.get(lang))
    }

    /// The partition the card speaks of.
    pub fn about(&self) -> Option<Tp> {
        match self.form {
            Form::Replicas(tp) | Form::Compare(tp) => Some(tp),
            Form::Overview(_) => None,
        }
    }

    /// The cards of all steps in a language.
    pub fn cards(&self, lang: Lang) -> Vec<Card> {
        (0..=self.last())
            .filter_map(|number| {
                let step = self.step(lang, 0, number)?;
                let words = self.words.get(number as usize)?;
                let author = Author {
                    heading: words.heading.get(lang),
                    so: words.so.get(lang),
                };
                let step_of = |event| self.step_of(0, event);
                Some(card(&step, self.about(), author, number, &step_of))
            })
            .collect()
    }

    pub fn markers(&self) -> Vec<u32> {
        (0..=self.last())
            .filter(|&step| self.words[step as usize].marker)
            .collect()
    }
}

/// Why there is no scene to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShowError {
    /// There is no scene at all.
    Empty,
    /// It could not be played: which, at which step, and the words of the refusal.
    Refused { id: Rc<str>, what: Both },
}

/// The built-in scenes; each is recorded when it is first asked for.
pub struct Library {
    entries: Vec<Entry>,
}

struct Entry {
    id: Rc<str>,
    show: RefCell<Option<Result<Rc<Show>, ShowError>>>,
}

impl Library {
    pub fn built_in() -> Library {
        Library {
            entries: Vec::new(),
        }
    }

    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|e| &*e.id)
    }

    pub fn has(&self, id: &str) -> bool {
        self.ids().any(|known| known == id)
    }

    /// The scene at the top of the front page.
    pub fn hero(&self) -> Option<&str> {
        self.ids().next()
    }

    /// The scene after this one.
    pub fn after(&self, id: &str) -> Option<&str> {
        self.ids().skip_while(|known| *known != id).nth(1)
    }

    pub fn show(&self, id: &str) -> Result<Rc<Show>, ShowError> {
        let Some(entry) = self.entries.iter().find(|e| &*e.id == id) else {
            return Err(ShowError::Empty);
        };
        entry
            .show
            .borrow_mut()
            .get_or_insert_with(|| record(id))
            .clone()
    }
}

fn record(_id: &str) -> Result<Rc<Show>, ShowError> {
    Err(ShowError::Empty)
}
