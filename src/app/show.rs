//! A scene as the page holds it: recorded once, then only looked up.

use crate::history::branch::Branch;
use crate::history::{Failure, Run};
use crate::kafka::event::{Event, EventId, EventKind};
use crate::kafka::group::OFFSETS_TOPIC;
use crate::kafka::ids::{TopicId, Tp};
use crate::script::ast::{Focus, Scenario, Text, View};
use crate::script::library::SCENES;
use crate::script::parse;
use crate::text::Lang;
use crate::view::Step;
use crate::view::card::{Author, Card, card, of_lanes};
use crate::view::question::{Asked, question};
use crate::view::ruler::{self, Instrument, Needs};
use crate::world::World;
use crate::world::command::PartitionName;
use crate::world::picture::{ClientKind, Picture};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A step of a scene, in one lane.
#[derive(Debug)]
pub struct Frame {
    pub picture: Picture,
    pub events: Vec<Event>,
}

/// How a scene is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// One a step, step 0 the first.
    pub frames: Vec<Rc<Frame>>,
}

#[derive(Debug)]
pub struct Show {
    pub scenario: Rc<Scenario>,
    /// `RF=3`, `acks=1`.
    pub chips: Vec<String>,
    pub form: Form,
    /// At least one.
    pub lanes: Vec<Lane>,
    /// What a ruler of the scene needs at any step.
    pub needs: Needs,
    /// Lines of the story that did not come true.
    pub failures: Vec<Failure>,
}

/// A text of the author in a language.
pub fn words(text: &Text, lang: Lang) -> &str {
    match lang {
        Lang::Ru => text.russian(),
        Lang::En => text.english(),
    }
}

impl Show {
    /// Plays a story to its end and keeps every step of it.
    fn record(scenario: Rc<Scenario>) -> Result<Show, ShowError> {
        let world = World::new(scenario.cluster.setup());
        let mut run = Run::new(scenario.clone(), world);
        let names = scenario.lanes.as_ref().map(|l| (&l.variable, &l.values));
        let mut lanes: Vec<Lane> = (0..run.lanes() as usize)
            .map(|lane| Lane {
                name: names
                    .and_then(|(name, values)| Some(format!("{name}={}", values.get(lane)?).into()))
                    .unwrap_or_else(|| "".into()),
                frames: Vec::new(),
            })
            .collect();
        for step in 0..=run.steps() {
            run.seek(step);
            keep(&run, &mut lanes);
        }
        let failures = run.failures().to_vec();
        let first = lanes.first().and_then(|lane| lane.frames.last());
        let Some(picture) = first.map(|f| &f.picture) else {
            return Err(ShowError::NothingToShow);
        };
        let Some(tp) = picture.partitions.first().map(|p| p.tp) else {
            return Err(match failures.first() {
                Some(failure) => ShowError::Failed(failure.clone()),
                None => ShowError::NothingToShow,
            });
        };
        let form = match scenario.view {
            View::Replicas | View::Ruler | View::Both => Form::Replicas(tp),
            View::Overview => Form::Overview(tp.topic),
            View::Compare => Form::Compare(tp),
        };
        Ok(Show {
            needs: needs(form, &lanes),
            chips: chips(picture, form),
            scenario,
            form,
            lanes,
            failures,
        })
    }

    /// The show of a branch that has just been made longer by a move. `self`: the one it leaves,
    /// or that of the branch before the move.
    pub fn longer(&self, branch: &Branch) -> Show {
        let run = branch.run();
        let known = run.steps() as usize;
        let mut lanes: Vec<Lane> = self
            .lanes
            .iter()
            .map(|lane| Lane {
                name: lane.name.clone(),
                frames: lane.frames.iter().take(known).cloned().collect(),
            })
            .collect();
        keep(run, &mut lanes);
        Show {
            needs: needs(self.form, &lanes),
            chips: self.chips.clone(),
            scenario: run.scenario().clone(),
            form: self.form,
            lanes,
            failures: run.failures().to_vec(),
        }
    }

    /// The show of a branch as it is, none of whose moves has been shown yet.
    pub fn of_branch(&self, branch: &Branch) -> Show {
        let mut run = branch.run().clone();
        let mut show = Show {
            needs: self.needs,
            chips: self.chips.clone(),
            scenario: run.scenario().clone(),
            form: self.form,
            failures: run.failures().to_vec(),
            lanes: Vec::new(),
        };
        let empty = |lane: &Lane| Lane {
            name: lane.name.clone(),
            frames: Vec::new(),
        };
        show.lanes = self.lanes.iter().map(empty).collect();
        for step in 0..=run.steps() {
            run.seek(step);
            keep(&run, &mut show.lanes);
        }
        show.needs = needs(show.form, &show.lanes);
        show
    }

    pub fn id(&self) -> &str {
        &self.scenario.id
    }

    pub fn title(&self, lang: Lang) -> &str {
        words(&self.scenario.title, lang)
    }

    /// The last step; the first is 0.
    pub fn last(&self) -> u32 {
        self.scenario.beats.len() as u32
    }

    pub fn frame(&self, lane: usize, step: u32) -> Option<&Frame> {
        self.lanes
            .get(lane)?
            .frames
            .get(step as usize)
            .map(|f| &**f)
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
        // Events are numbered in order, so the last step that begins at or before it.
        let step = frames
            .iter()
            .rposition(|f| f.events.first().is_some_and(|e| e.id <= event))?;
        Some(step as u32)
    }

    /// The partition the card speaks of.
    pub fn about(&self) -> Option<Tp> {
        match self.form {
            Form::Replicas(tp) | Form::Compare(tp) => Some(tp),
            Form::Overview(_) => None,
        }
    }

    /// The partition whose log a step shows: the one its author looks at, else as the step before.
    pub fn shown(&self, step: u32) -> Option<Tp> {
        let Form::Replicas(first) = self.form else {
            return self.about();
        };
        let picture = &self.frame(0, step)?.picture;
        let looked = |number| {
            // A log of commits is shown beside it.
            let names = self.beat(number)?.focus.iter().filter_map(Focus::partition);
            let names = names.filter(|name| &*name.topic != OFFSETS_TOPIC);
            let known = |name: &PartitionName| picture.partitions.iter().find(|p| p.name == *name);
            names.filter_map(known).map(|p| p.tp).next()
        };
        Some((1..=step).rev().find_map(looked).unwrap_or(first))
    }

    /// Who counts the lag of a commit at a step, until the reader chooses.
    pub fn instrument(&self, step: u32) -> Instrument {
        match self.beat(step) {
            Some(beat) if beat.focus.contains(&Focus::Mistake) => Instrument::LastRecord,
            _ => Instrument::GroupTool,
        }
    }

    /// The consumer whose ruler a step shows: the last one its author looked at.
    pub fn reader(&self, step: u32, tp: Tp) -> Option<Rc<str>> {
        let input = ruler::input(&self.frame(0, step)?.picture, tp)?;
        (1..=step).rev().find_map(|number| {
            let mut clients = self.beat(number)?.focus.iter().filter_map(Focus::client);
            let reads = |name: &&Rc<str>| input.readers.iter().any(|r| r.name == **name);
            clients.find(reads).cloned()
        })
    }

    /// The cards of all steps in a language.
    pub fn cards(&self, lang: Lang) -> Vec<Card> {
        (0..=self.last())
            .filter_map(|number| {
                let step = self.step(lang, 0, number)?;
                let Some(beat) = self.beat(number) else {
                    return Some(self.cover(lang));
                };
                let author = Author {
                    heading: words(&beat.title, lang),
                    so: words(&beat.so, lang),
                    focus: &beat.focus,
                };
                let of_lane = |lane: usize, step: &Step| {
                    let step_of = |event| self.step_of(lane, event);
                    card(step, self.shown(number), author, number, &step_of)
                };
                if let Form::Compare(_) = self.form {
                    let lanes = self.lanes.iter().enumerate();
                    let cards = lanes.filter_map(|(n, lane)| {
                        Some((&*lane.name, of_lane(n, &self.step(lang, n, number)?)))
                    });
                    return Some(of_lanes(cards.collect()));
                }
                Some(of_lane(0, &step))
            })
            .collect()
    }

    /// The card of step 0: the question, and what there is to see.
    fn cover(&self, lang: Lang) -> Card {
        let s = &self.scenario;
        let summary = words(&s.summary, lang);
        Card {
            heading: match words(&s.question, lang) {
                "" => words(&s.title, lang).into(),
                question => question.into(),
            },
            what: (!summary.is_empty())
                .then(|| summary.to_string())
                .into_iter()
                .collect(),
            ..Card::default()
        }
    }

    fn beat(&self, step: u32) -> Option<&crate::script::ast::Beat> {
        self.scenario.beats.get(step.checked_sub(1)? as usize)
    }

    /// Turning points: steps in which the controller changed a leader or an ISR.
    pub fn markers(&self) -> Vec<u32> {
        (1..=self.last())
            .filter(|&step| {
                let turns = |e: &Event| match &e.kind {
                    EventKind::PartitionChanged { old, new, .. } => old
                        .as_ref()
                        .is_some_and(|old| (old.leader, old.isr) != (new.leader, new.isr)),
                    _ => false,
                };
                self.frame(0, step)
                    .is_some_and(|f| f.events.iter().any(turns))
            })
            .collect()
    }

    /// The step that stands for the scene: where something is lost, else its first turn.
    pub fn telling(&self) -> u32 {
        let lost = |step: &u32| {
            (0..self.lanes.len())
                .filter_map(|lane| self.frame(lane, *step))
                .any(|f| !f.picture.lost.is_empty())
        };
        (1..=self.last())
            .find(lost)
            .or_else(|| self.markers().first().copied())
            .unwrap_or(self.last())
    }

    /// The questions by the steps they stand before. A comparison has no card to put them.
    pub fn questions(&self, lang: Lang) -> Vec<(u32, Asked)> {
        if matches!(self.form, Form::Compare(_)) {
            return vec![];
        }
        let beats = (1u32..).zip(&self.scenario.beats);
        beats
            .filter_map(|(step, beat)| Some((step, question(lang, beat)?)))
            .collect()
    }

    /// The steps that have a name.
    pub fn marks(&self) -> Vec<(String, u32)> {
        (1..=self.last())
            .filter_map(|step| Some((self.beat(step)?.mark.as_deref()?.to_string(), step)))
            .collect()
    }

    /// The mark of a step.
    pub fn mark(&self, step: u32) -> Option<&str> {
        self.beat(step)?.mark.as_deref()
    }
}

/// Adds what there is to see at a run's step to every lane.
fn keep(run: &Run<World>, lanes: &mut [Lane]) {
    for (number, lane) in (0..).zip(lanes) {
        if let Some(picture) = run.picture(number) {
            let events = run.events(number).to_vec();
            lane.frames.push(Rc::new(Frame { picture, events }));
        }
    }
}

/// What a ruler needs at any step of any partition of the topic: any may be looked at.
fn needs(form: Form, lanes: &[Lane]) -> Needs {
    let mut needs = Needs::default();
    if let Form::Replicas(tp) = form {
        let steps = lanes.first().map_or(&[][..], |l| &l.frames);
        for picture in steps.iter().map(|f| &f.picture) {
            let all = picture.partitions.iter().map(|p| p.tp);
            for tp in all.filter(|of| of.topic == tp.topic) {
                needs.take(&ruler::input(picture, tp).unwrap_or_default());
            }
        }
    }
    needs
}

/// The settings that matter, as chips in the header.
fn chips(picture: &Picture, form: Form) -> Vec<String> {
    let mut chips = Vec::new();
    let Some(partition) = picture.partitions.first() else {
        return chips;
    };
    let factor = partition.reg.replicas.len();
    match form {
        Form::Overview(topic) => {
            let own = picture.partitions.iter().filter(|p| p.tp.topic == topic);
            chips.push(format!(
                "{} · {} × RF {factor}",
                partition.name.topic,
                own.count()
            ));
        }
        _ => chips.push(format!("RF={factor}")),
    }
    chips.push(format!("min.insync.replicas={}", partition.min_isr));
    if let Form::Replicas(_) = form {
        let acks = picture
            .clients
            .iter()
            .find_map(|client| match &client.kind {
                ClientKind::Producer { settings, .. } => Some(settings.acks),
                _ => None,
            });
        if let Some(acks) = acks {
            chips.push(format!("acks={}", acks.as_str()));
        }
    }
    chips
}

/// Why there is no scene to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShowError {
    /// There is no scene of this name.
    NoSuchScene,
    /// Its file is at fault; the messages name line and column.
    Malformed(String),
    /// The engine refused what the picture would begin with.
    Failed(Failure),
    /// It leads to no partition that could be drawn.
    NothingToShow,
}

/// The built-in scenes; a story is read at once and played when it is first asked for.
pub struct Library {
    entries: Vec<Entry>,
    /// Where chance starts from, in place of what the authors say.
    seed: Cell<Option<u32>>,
}

struct Entry {
    id: Rc<str>,
    scenario: Result<Rc<Scenario>, ShowError>,
    show: RefCell<Option<Result<Rc<Show>, ShowError>>>,
}

thread_local! {
    static BUILT_IN: Rc<Library> = Rc::new(Library::read(SCENES.iter().copied()));
}

impl Library {
    /// The scenes of the page itself, read once.
    pub fn built_in() -> Rc<Library> {
        BUILT_IN.with(Rc::clone)
    }

    /// Reads the scenes, given by name and text.
    pub fn read<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> Library {
        let entry = |(id, text): (&str, &str)| Entry {
            id: id.into(),
            scenario: parse(text).map(Rc::new).map_err(|errors| {
                let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
                ShowError::Malformed(lines.join("; "))
            }),
            show: RefCell::new(None),
        };
        Library {
            entries: files.map(entry).collect(),
            seed: Cell::new(None),
        }
    }

    /// Lets chance start elsewhere in every scene; what was played is played anew.
    pub fn seed(&self, seed: Option<u32>) {
        if self.seed.replace(seed) != seed {
            for entry in &self.entries {
                entry.show.borrow_mut().take();
            }
        }
    }

    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|e| &*e.id)
    }

    pub fn has(&self, id: &str) -> bool {
        self.ids().any(|known| known == id)
    }

    /// The stories that could be read.
    pub fn scenarios(&self) -> impl Iterator<Item = &Rc<Scenario>> {
        self.entries.iter().filter_map(|e| e.scenario.as_ref().ok())
    }

    /// The scene at the top of the front page: the author's first.
    pub fn hero(&self) -> Option<&str> {
        self.ids().next()
    }

    /// The story after this one.
    pub fn after(&self, id: &str) -> Option<&Rc<Scenario>> {
        self.scenarios().skip_while(|s| *s.id != *id).nth(1)
    }

    /// The scene, played if it has not been yet.
    pub fn show(&self, id: &str) -> Result<Rc<Show>, ShowError> {
        let Some(entry) = self.entries.iter().find(|e| &*e.id == id) else {
            return Err(ShowError::NoSuchScene);
        };
        let record = || {
            let mut scenario = entry.scenario.clone()?;
            if let Some(seed) = self.seed.get() {
                Rc::make_mut(&mut scenario).cluster.seed = seed.into();
            }
            Ok(Rc::new(Show::record(scenario)?))
        };
        entry.show.borrow_mut().get_or_insert_with(record).clone()
    }

    /// The scene, if it has been played.
    pub fn played(&self, id: &str) -> Option<Rc<Show>> {
        let entry = self.entries.iter().find(|e| &*e.id == id)?;
        entry.show.borrow().as_ref()?.as_ref().ok().cloned()
    }
}
