//! Carries out a recorded run on the engine and compares what comes of it, as the README of the
//! recordings says: after each step virtual time runs until the recorded state is reached and
//! nothing has changed for 1.5 s more.

#[path = "run/act.rs"]
mod act;
#[path = "run/answers.rs"]
mod answers;
#[path = "run/clients.rs"]
mod clients;
#[path = "run/consumers.rs"]
mod consumers;
#[path = "run/groups.rs"]
mod groups;
#[path = "run/offsets.rs"]
mod offsets;
#[path = "run/producers.rs"]
mod producers;
#[path = "run/settle.rs"]
mod settle;
#[path = "run/tool.rs"]
mod tool;
#[path = "run/untold.rs"]
mod untold;
#[path = "run/words.rs"]
mod words;

use super::compare::{Diff, Found, Ids, compare};
use super::incidental::TABLE;
use super::observe;
use super::script::{KeyValue, Op, Script, Step};
use highwater::kafka::client::settings::{ConsumerSettings, ProducerSettings};
use highwater::kafka::error::KafkaError;
use highwater::kafka::event::EventKind;
use highwater::kafka::ids::{BrokerId, BrokerSet, Ms, Tp};
use highwater::kafka::message::Acks;
use highwater::kafka::metadata::PartitionReg;
use highwater::script::print_command;
use highwater::text::Lang;
use highwater::view::trouble::refusal_words;
use highwater::world::World;
use highwater::world::command::{Command, PartitionName, Refusal, Reply, Ticket};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// How a run came out.
#[derive(Debug, Default)]
pub struct Report {
    /// Steps carried out.
    pub steps: u32,
    /// Facts found equal.
    pub facts: u32,
    /// The first step that differs, and how.
    pub failed: Option<(u32, Vec<Diff>)>,
    /// What was compared by pattern only.
    pub by_pattern: BTreeSet<&'static str>,
    /// Entries of the table of incidental fields that were needed.
    pub excepted: BTreeSet<usize>,
    /// Steps at which the order of rejoining was left out, by the run's own notes.
    pub orders: BTreeSet<u32>,
}

/// The longest time that passes at once, ms.
const TICK: i64 = 40;

/// Carries out a run.
pub fn play(script: &Script) -> Report {
    let mut player = Player::new(script);
    let mut report = Report::default();
    player.start(script, &mut report);
    for step in &script.steps {
        if report.failed.is_some() {
            break;
        }
        player.step(script, step, &mut report);
    }
    report
}

struct Player {
    world: World,
    now: i64,
    /// Brokers the script has cut off (the recorder's own notion of it).
    cut: BTreeSet<u8>,
    regs: BTreeMap<Tp, Rc<PartitionReg>>,
    changes: BTreeMap<Tp, Vec<Value>>,
    created: BTreeSet<Rc<str>>,
    producers: BTreeMap<Rc<str>, ProducerSettings>,
    consumers: BTreeMap<Rc<str>, (Vec<PartitionName>, ConsumerSettings)>,
    epoch_at_stop: BTreeMap<u8, i64>,
    jobs: BTreeMap<u32, Job>,
    ids: Ids,
    /// The step just done was not looked at: the next follows at once.
    at_once: bool,
    /// What the recorder of offsets keeps.
    one: offsets::OneNode,
}

/// A produce under way: its records go one after the other, each once the last is answered.
struct Job {
    client: Rc<str>,
    partition: PartitionName,
    /// Straight to a broker, all in one request.
    raw: Option<(BrokerId, Acks, Ms)>,
    spacing: i64,
    next_at: i64,
    left: VecDeque<KeyValue>,
    waiting: Option<(Ticket, usize)>,
    answers: Vec<Value>,
}

impl Job {
    fn answer(&self) -> Option<Value> {
        if self.waiting.is_some() || !self.left.is_empty() {
            return None;
        }
        match self.answers.as_slice() {
            [one] if one.get("error").is_some() => Some(one.clone()),
            all => Some(json!({ "records": all })),
        }
    }
}

impl Player {
    fn new(script: &Script) -> Self {
        Player {
            world: World::new(script.setup.clone()),
            now: 0,
            cut: BTreeSet::new(),
            regs: BTreeMap::new(),
            changes: BTreeMap::new(),
            created: BTreeSet::new(),
            producers: BTreeMap::new(),
            consumers: BTreeMap::new(),
            epoch_at_stop: BTreeMap::new(),
            jobs: BTreeMap::new(),
            ids: Ids::default(),
            at_once: false,
            one: offsets::OneNode::default(),
        }
    }

    /// Topics that no step describes are there before the first step; their changes are told.
    fn start(&mut self, script: &Script, report: &mut Report) {
        self.advance(2_000);
        let described = |name: &str| {
            script
                .steps
                .iter()
                .any(|s| matches!(&s.op, Op::Describe(t) if **t == *name))
        };
        self.one.start = script.start;
        self.one.given = script.given();
        for topic in &script.topics {
            let later = script.one_node && script.tells_of(&topic.name) > Some(0);
            if !(described(&topic.name) || later)
                && let Err(e) = self.create(script, &topic.name)
            {
                report.failed = Some((0, vec![refused("topics", e)]));
                return;
            }
        }
        if !self.created.is_empty() {
            self.advance(2_000);
            self.changes.clear();
        }
        if let Some(n) = script.cluster_min_isr {
            let has = self.world.picture().controller.cluster_min_isr;
            if has.map(i64::from) == Some(n) {
                report.facts += 1;
            } else {
                report.failed = Some((
                    0,
                    vec![Diff {
                        path: "cluster.config_records min.insync.replicas".into(),
                        expected: Some(n.into()),
                        got: has.map(Value::from),
                    }],
                ));
            }
        }
    }

    fn create(&mut self, script: &Script, name: &Rc<str>) -> Result<(), String> {
        if !self.created.insert(name.clone()) {
            return Ok(());
        }
        for t in script.topics.iter().filter(|t| t.name == *name) {
            let ticket = self.apply(Command::CreateTopic {
                name: t.name.clone(),
                assignment: t.assignment.clone(),
                config: t.config.clone(),
            })?;
            if let Reply::Failed(e, _) = self.reply_within(ticket, 5_000) {
                return Err(format!("{e}"));
            }
        }
        Ok(())
    }

    /// The recorder of offsets makes a topic right before the first step that tells of it.
    fn create_in_time(&mut self, script: &Script, step: &Step) -> Result<(), String> {
        if !script.one_node {
            return Ok(());
        }
        for topic in &script.topics {
            let here = script
                .tells_of(&topic.name)
                .and_then(|at| script.steps.get(at));
            if here.is_some_and(|s| s.n == step.n) && !self.created.contains(&topic.name) {
                self.create(script, &topic.name)?;
                self.advance(500);
            }
        }
        Ok(())
    }

    // --- commands and time -----------------------------------------------------------------

    fn apply(&mut self, command: Command) -> Result<Option<Ticket>, String> {
        let applied = self
            .world
            .apply(&command)
            .map_err(|refusal| not_taken(&command, &refusal))?;
        for event in &applied.events {
            self.note(&event.kind);
        }
        Ok(applied.ticket)
    }

    /// Keeps the controller's change records, in order.
    fn note(&mut self, event: &EventKind) {
        match event {
            EventKind::PartitionChanged { tp, old, new, .. } => {
                let change = observe::change(old.as_deref(), new);
                self.changes.entry(*tp).or_default().push(change);
                self.regs.insert(*tp, new.clone());
            }
            EventKind::ElrCleared { topic } => {
                for (tp, reg) in &mut self.regs {
                    let of_topic = topic.is_none_or(|t| t == tp.topic);
                    if !of_topic || (reg.elr.is_empty() && reg.last_known_elr.is_empty()) {
                        continue;
                    }
                    let reg = Rc::make_mut(reg);
                    reg.elr = BrokerSet::EMPTY;
                    reg.last_known_elr.clear();
                    let mut change = observe::change(None, reg);
                    change["clear_elr"] = true.into();
                    self.changes.entry(*tp).or_default().push(change);
                }
            }
            _ => {}
        }
    }

    fn advance(&mut self, ms: i64) {
        let until = self.now + ms;
        while self.now < until {
            let step = (until - self.now).min(TICK);
            // Passing time cannot be refused; if it is, the run stands still and fails by that.
            let _ = self.apply(Command::Advance(Ms(step)));
            self.now += step;
            self.pump();
        }
    }

    /// Lets time pass, a little at a time, until there is something to return.
    fn until<T>(&mut self, limit: i64, mut f: impl FnMut(&mut Self) -> Option<T>) -> Option<T> {
        let start = self.now;
        loop {
            if let Some(found) = f(self) {
                return Some(found);
            }
            let passed = self.now - start;
            if passed >= limit {
                return None;
            }
            self.advance(if passed < 100 { 1 } else { 5 }.min(limit - passed));
        }
    }

    fn reply_within(&mut self, ticket: Option<Ticket>, limit: i64) -> Reply {
        let Some(ticket) = ticket else {
            return Reply::Done;
        };
        self.until(limit, |p| p.world.reply(ticket).cloned())
            .unwrap_or(Reply::Failed(KafkaError::RequestTimedOut, None))
    }

    fn step(&mut self, script: &Script, step: &Step, report: &mut Report) {
        if step.pause.0 > 0 {
            self.advance(step.pause.0);
        } else if self.at_once {
            self.advance(2);
        }
        report.steps += 1;
        if let Err(e) = self.create_in_time(script, step) {
            report.failed = Some((step.n, vec![refused("topics", e)]));
            return;
        }
        self.at_once = step.after.is_none();
        let result = match self.act(script, step) {
            Ok(result) => result,
            Err(e) => {
                report.failed = Some((step.n, vec![refused("do", e)]));
                return;
            }
        };
        let none = Value::Null;
        let mut expected = step.result.clone().unwrap_or(Value::Null);
        let mut got = result.unwrap_or(none);
        let left_out = untold::untell(&step.op, &mut expected, &mut got, &self.one.given);
        report.by_pattern.extend(left_out);
        let (expected, got) = (&expected, &got);
        let found = compare("result", expected, got, &mut self.ids);
        let mut diffs = self.take(script, step, found, report);
        if let Some(recorded) = &step.after {
            let found = self.settle(script, step, recorded);
            diffs.extend(self.take(script, step, found, report));
            self.changes.clear();
        }
        if !diffs.is_empty() {
            report.failed = Some((step.n, diffs));
        }
    }

    /// Counts what was found; leaves the differences that the notes do not call incidental.
    fn take(&self, script: &Script, step: &Step, found: Found, report: &mut Report) -> Vec<Diff> {
        report.facts += found.facts;
        report.by_pattern.extend(found.by_pattern);
        let mut left = found.diffs;
        left.retain(|diff| {
            let entry = TABLE
                .iter()
                .position(|e| e.covers(&script.id, step.n, diff));
            report.excepted.extend(entry);
            entry.is_none()
        });
        if found.reordered {
            report.orders.insert(step.n);
        }
        left
    }
}

fn refused(path: &str, why: String) -> Diff {
    Diff {
        path: path.into(),
        expected: Some("carried out".into()),
        got: Some(why.into()),
    }
}

impl Report {
    /// What was not compared as it stands.
    pub fn remarks(&self) -> Vec<String> {
        let mut out: Vec<String> = self.by_pattern.iter().map(ToString::to_string).collect();
        for i in &self.excepted {
            let e = &TABLE[*i];
            out.push(format!("incidental: step {} {}", e.step, e.path));
        }
        for n in &self.orders {
            out.push(format!("incidental: step {n} order of rejoining"));
        }
        out
    }

    /// `step N: path expected X got Y`, the first of them.
    pub fn failure(&self) -> Option<String> {
        let (n, diffs) = self.failed.as_ref()?;
        let more = match diffs.len() {
            0 | 1 => String::new(),
            n => format!(" (and {} more)", n - 1),
        };
        let first = diffs.first().map(Diff::text).unwrap_or_default();
        Some(format!("step {n}: {first}{more}"))
    }
}

/// A command and why it was not taken, in the words of scenes.
fn not_taken(command: &Command, refusal: &Refusal) -> String {
    let command = print_command(command, &[]);
    let why = refusal_words(Lang::En, refusal);
    format!("`{command}` is refused: {why}")
}
