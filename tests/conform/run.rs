//! Carries out a recorded run on the engine and compares what comes of it, as the README of the
//! recordings says: after each step virtual time runs until the recorded state is reached and
//! nothing has changed for 1.5 s more.

use super::compare::{Diff, Found, Ids, compare};
use super::incidental::{self, TABLE};
use super::observe;
use super::script::{KeyValue, Op, Script, Step};
use highwater::kafka::batch::NewRecord;
use highwater::kafka::client::settings::{ConsumerSettings, ProducerSettings};
use highwater::kafka::error::KafkaError;
use highwater::kafka::event::EventKind;
use highwater::kafka::ids::{BrokerId, BrokerSet, Ms, Tp};
use highwater::kafka::message::{Acks, CurrentLeader, Isolation, NodeId, OffsetSpec};
use highwater::kafka::metadata::PartitionReg;
use highwater::world::World;
use highwater::world::command::{
    Command, Keep, PartitionName, PollException, Process, ReadRecord, Reply, Ticket,
};
use highwater::world::picture::BrokerPicture;
use serde_json::{Map, Value, json};
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

/// Nothing may have changed for so long.
const QUIET: i64 = 1_500;
/// Time between two looks.
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
        for topic in &script.topics {
            if !described(&topic.name)
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

    // --- commands and time -----------------------------------------------------------------

    fn apply(&mut self, command: Command) -> Result<Option<Ticket>, String> {
        let applied = self
            .world
            .apply(&command)
            .map_err(|refusal| format!("{command:?} is refused: {refusal:?}"))?;
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

    /// Moves the produces under way.
    fn pump(&mut self) {
        let numbers: Vec<u32> = self.jobs.keys().copied().collect();
        for n in numbers {
            let Some(mut job) = self.jobs.remove(&n) else {
                continue;
            };
            self.pump_one(&mut job);
            self.jobs.insert(n, job);
        }
    }

    fn pump_one(&mut self, job: &mut Job) {
        loop {
            if let Some((ticket, count)) = job.waiting {
                let Some(reply) = self.world.reply(ticket) else {
                    return;
                };
                job.answers
                    .extend(produced(reply, count, job.raw.is_some()));
                job.waiting = None;
                job.next_at = self.now + job.spacing;
            }
            if job.left.is_empty() || self.now < job.next_at {
                return;
            }
            let take = if job.raw.is_some() { job.left.len() } else { 1 };
            let now = Ms(self.now);
            let records: Vec<NewRecord> = job
                .left
                .drain(..take)
                .map(|(key, value)| NewRecord {
                    key,
                    value,
                    timestamp: now,
                })
                .collect();
            let (client, partition) = (job.client.clone(), job.partition.clone());
            let command = match job.raw {
                Some((broker, acks, timeout)) => Command::ProduceRaw {
                    client,
                    broker,
                    partition,
                    records,
                    acks,
                    timeout,
                },
                None => Command::Produce {
                    client,
                    partition,
                    records,
                },
            };
            match self.apply(command) {
                Ok(Some(ticket)) => job.waiting = Some((ticket, take)),
                Ok(None) => {}
                Err(e) => job.answers.push(json!({ "error": e })),
            }
        }
    }

    // --- a step ----------------------------------------------------------------------------

    fn step(&mut self, script: &Script, step: &Step, report: &mut Report) {
        if step.pause.0 > 0 {
            self.advance(step.pause.0);
        } else if self.at_once {
            self.advance(2);
        }
        report.steps += 1;
        self.at_once = step.after.is_none();
        let result = match self.act(script, step) {
            Ok(result) => result,
            Err(e) => {
                report.failed = Some((step.n, vec![refused("do", e)]));
                return;
            }
        };
        let none = Value::Null;
        let expected = step.result.as_ref().unwrap_or(&none);
        let got = result.as_ref().unwrap_or(&none);
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

    /// Runs until the recorded state is reached and nothing has changed for a while.
    fn settle(&mut self, script: &Script, step: &Step, recorded: &Value) -> Found {
        let limit = match (step.give_up, &step.op) {
            (Some(limit), _) => limit.0,
            (None, Op::Wait(_) | Op::WaitAnswer(_)) => 400_000,
            (None, _) => 120_000,
        };
        let mut wanted = recorded.clone();
        observe::trim(recorded, &mut wanted);
        let mut without_lookups = wanted.clone();
        let parts = without_lookups["partitions"].as_object_mut();
        for (_, p) in parts.into_iter().flatten() {
            p.as_object_mut().map(|o| o.remove("list_offsets_latest"));
        }
        let start = self.now;
        let fits = |found: &Found| {
            let excepted = |d: &Diff| TABLE.iter().any(|e| e.covers(&script.id, step.n, d));
            found.diffs.iter().all(excepted)
        };
        // What is told of a failure is the moment that came nearest.
        let mut nearest: Option<Found> = None;
        let mut equal = |p: &Self, state: &Value| {
            let mut ids = p.ids.clone();
            let found = compare_states(script, step, &without_lookups, state, &mut ids);
            let fits = fits(&found);
            let nearer = |n: &Found| found.diffs.len() < n.diffs.len();
            if !fits && nearest.as_ref().is_none_or(nearer) {
                nearest = Some(found);
            }
            fits
        };
        let (mut last, mut since) = (self.look(recorded), self.now);
        let mut reached = equal(self, &last);
        loop {
            let over = self.now - start >= limit;
            let quiet = self.now - since >= QUIET;
            if over || (reached && quiet && self.conditions(step, start)) {
                let mut ids = self.ids.clone();
                let asked = self.ask(last.clone());
                let mut found = compare_states(script, step, &wanted, &asked, &mut ids);
                if over && found.diffs.is_empty() {
                    found.diffs.push(Diff {
                        path: "after".into(),
                        expected: Some("settled".into()),
                        got: Some(format!("still moving after {limit} ms").into()),
                    });
                }
                if over || fits(&found) {
                    let nearest = nearest.filter(|n| n.diffs.len() < found.diffs.len());
                    if !fits(&found)
                        && let Some(nearest) = nearest
                    {
                        return nearest;
                    }
                    self.ids = ids;
                    return found;
                }
            }
            self.advance(TICK);
            let now = self.look(recorded);
            if now != last {
                reached = equal(self, &now);
                (last, since) = (now, self.now);
            }
        }
    }

    /// What a step waits for beyond the recorded state.
    fn conditions(&self, step: &Step, start: i64) -> bool {
        match step.op {
            Op::Wait(span) => self.now - start >= span.0,
            // `start` is told once the broker has registered again.
            Op::Start(b) => {
                let image = self.world.picture().controller;
                let before = self.epoch_at_stop.get(&b.0).copied().unwrap_or(-1);
                image
                    .brokers
                    .get(&b)
                    .is_some_and(|reg| reg.epoch.0 > before && !reg.fenced)
            }
            _ => true,
        }
    }

    fn look(&self, recorded: &Value) -> Value {
        let picture = self.world.picture();
        let mut state = observe::state(&picture, |b| self.cut.contains(&b), &self.changes);
        observe::trim(recorded, &mut state);
        state
    }

    /// Asks the leaders, as the recorder does, on a copy of the world.
    fn ask(&self, mut state: Value) -> Value {
        let mut world = self.world.clone();
        let picture = world.picture();
        let mut asked = Vec::new();
        for part in &picture.partitions {
            let leader = part.reg.leader;
            let Some(broker) =
                leader.filter(|_| observe::askable(&picture, part, |b| self.cut.contains(&b)))
            else {
                continue;
            };
            let mut lookup = |spec| {
                let command = Command::ListOffsets {
                    client: "looker".into(),
                    partition: part.name.clone(),
                    spec,
                    isolation: Isolation::ReadUncommitted,
                };
                world.apply(&command).ok().and_then(|a| a.ticket)
            };
            let (earliest, latest) = (lookup(OffsetSpec::Earliest), lookup(OffsetSpec::Latest));
            asked.push((part.name.clone(), broker, earliest, latest));
        }
        let wait = |world: &mut World, ticket: Option<Ticket>| -> Option<Reply> {
            let ticket = ticket?;
            for _ in 0..300 {
                if let Some(reply) = world.reply(ticket) {
                    return Some(reply.clone());
                }
                let _ = world.apply(&Command::Advance(Ms(10)));
            }
            None
        };
        for (name, broker, earliest, latest) in asked {
            let earliest = wait(&mut world, earliest);
            let latest = wait(&mut world, latest);
            let tp = format!("{}-{}", name.topic, name.partition);
            let o = &mut state["partitions"][&tp];
            for field in ["log_start", "high_watermark", "last_stable_offset"] {
                o[field] = Value::Null;
            }
            if let Some(Reply::Failed(error, _)) = latest {
                o["list_offsets_latest"] = error.name().into();
            }
            let Some(Reply::Offset(Some(start))) = earliest else {
                continue;
            };
            o["log_start"] = start.0.into();
            let fetch = Command::FetchRaw {
                client: "looker".into(),
                broker,
                partition: name,
                offset: start,
                rack: None,
                current_leader_epoch: None,
            };
            let ticket = world.apply(&fetch).ok().and_then(|a| a.ticket);
            if let Some(Reply::Fetched {
                high_watermark,
                last_stable,
                ..
            }) = wait(&mut world, ticket)
            {
                o["high_watermark"] = high_watermark.0.into();
                o["last_stable_offset"] = last_stable.0.into();
                if let Some(Reply::Offset(Some(latest))) = latest
                    && latest != high_watermark
                {
                    o["list_offsets_latest"] = latest.0.into();
                }
            }
        }
        state
    }

    // --- what a step does ------------------------------------------------------------------

    fn act(&mut self, script: &Script, step: &Step) -> Result<Option<Value>, String> {
        match &step.op {
            Op::Describe(topic) => {
                self.create(script, topic)?;
                Ok(None)
            }
            Op::Produce {
                client,
                settings,
                partition,
                records,
            } => {
                // The settings of the step, and the addresses of when it was first used.
                let known = self.producers.get(client);
                let settings = ProducerSettings {
                    bootstrap: known.map_or_else(|| self.bootstrap(), |s| s.bootstrap.clone()),
                    ..settings.clone()
                };
                if known != Some(&settings) {
                    self.producers.insert(client.clone(), settings.clone());
                    self.apply(Command::Producer {
                        client: client.clone(),
                        settings,
                    })?;
                }
                let spacing = step.spacing.0;
                let limit = 2_500 + spacing * records.len() as i64;
                self.produce(step, client, partition, records, None, limit)
            }
            Op::ProduceRaw {
                client,
                broker,
                acks,
                timeout,
                partition,
                records,
            } => {
                let raw = Some((*broker, *acks, *timeout));
                self.produce(step, client, partition, records, raw, 1_500)
            }
            Op::Kill(b) => {
                self.stopping(*b);
                let (broker, keep) = (*b, Keep::Everything);
                self.done(Command::Kill { broker, keep })
            }
            Op::Freeze(b) => self.done(Command::Freeze { broker: *b }),
            Op::Thaw(b) => {
                self.cut.remove(&b.0);
                self.done(Command::Thaw { broker: *b })
            }
            Op::Start(b) => {
                let stopping =
                    |p: &mut Self| (p.process(*b) != Some(Process::Stopping)).then_some(());
                self.until(400_000, stopping);
                self.cut.remove(&b.0);
                self.done(Command::Start { broker: *b })
            }
            Op::Shutdown(b) => {
                self.stopping(*b);
                self.apply(Command::Shutdown { broker: *b })?;
                let limit = step.give_up.map_or(15_000, |ms| ms.0);
                let gone = |p: &mut Self| (p.process(*b) == Some(Process::Stopped)).then_some(());
                let exited = self.until(limit, gone).is_some();
                Ok(Some(json!({ "exited": exited })))
            }
            Op::NewDisk(b) => self.done(Command::NewDisk { broker: *b }),
            Op::Cut(b) => {
                self.cut.insert(b.0);
                let (broker, controller) = (NodeId::Broker(*b), NodeId::Controller);
                for (from, to) in [(broker, controller), (controller, broker)] {
                    self.apply(Command::Cut { from, to })?;
                }
                Ok(None)
            }
            Op::Uncut(b) => {
                self.cut.remove(&b.0);
                let (broker, controller) = (NodeId::Broker(*b), NodeId::Controller);
                for (from, to) in [(broker, controller), (controller, broker)] {
                    self.apply(Command::Heal { from, to })?;
                }
                Ok(None)
            }
            Op::SlowNetwork(b, delay) => self.done(Command::DelayFetchAnswers {
                broker: *b,
                delay: *delay,
            }),
            Op::AlterTopic { topic, name, value } => self.admin(Command::AlterTopicConfig {
                topic: topic.clone(),
                name: name.clone(),
                value: value.clone(),
            }),
            Op::AlterBroker {
                broker,
                name,
                value,
            } => self.admin(Command::AlterBrokerConfig {
                broker: *broker,
                name: name.clone(),
                value: value.clone(),
            }),
            Op::ElectLeaders {
                unclean,
                partitions,
            } => self.elect(*unclean, partitions.clone()),
            Op::Reassign {
                partition,
                replicas,
            } => self.admin(Command::Reassign {
                partition: partition.clone(),
                replicas: replicas.clone(),
            }),
            Op::DeleteRecords { partition, before } => self.answered(
                Command::DeleteRecords {
                    partition: partition.clone(),
                    before: *before,
                    timeout: Ms(8_000),
                },
                40_000,
            ),
            Op::Wait(_) => Ok(None),
            Op::WaitAnswer(of) => {
                let answer = |p: &mut Self| p.jobs.get(of).and_then(Job::answer);
                let answer = self.until(180_000, answer);
                Ok(Some(answer.unwrap_or(json!({ "pending": true }))))
            }
            Op::Fetch {
                broker,
                partition,
                offset,
                rack,
                current_leader_epoch,
            } => self.answered(
                Command::FetchRaw {
                    client: "fetcher".into(),
                    broker: *broker,
                    partition: partition.clone(),
                    offset: *offset,
                    rack: rack.clone(),
                    current_leader_epoch: *current_leader_epoch,
                },
                3_000,
            ),
            Op::ListOffsets {
                partition,
                spec,
                isolation,
            } => {
                let picture = self.world.picture();
                let leader = picture.partition(partition).and_then(|p| p.reg.leader);
                if leader.is_none() {
                    return Ok(Some(json!({ "error": "LEADER_NOT_AVAILABLE" })));
                }
                self.answered(
                    Command::ListOffsets {
                        client: "lookup".into(),
                        partition: partition.clone(),
                        spec: *spec,
                        isolation: *isolation,
                    },
                    3_000,
                )
            }
            Op::Assign {
                client,
                partitions,
                seek,
                settings,
            } => {
                let settings = ConsumerSettings {
                    bootstrap: self.bootstrap(),
                    ..settings.clone()
                };
                let known = (partitions.clone(), settings.clone());
                self.consumers.insert(client.clone(), known);
                self.done(Command::Assign {
                    client: client.clone(),
                    partitions: partitions.clone(),
                    seek: *seek,
                    settings,
                })
            }
            Op::Seek {
                client,
                partition,
                offset,
            } => match self.consumers.get(client).cloned() {
                Some((partitions, settings)) if partitions == [partition.clone()] => {
                    self.done(Command::Assign {
                        client: client.clone(),
                        partitions,
                        seek: Some(*offset),
                        settings,
                    })
                }
                _ => Err(format!("{client} does not read {partition:?} alone")),
            },
            Op::Poll(client) => self.poll(client, step.poll_for.0),
            Op::Close(client) => {
                self.consumers.remove(client);
                Ok(None)
            }
        }
    }

    /// The recorder gives a client the addresses of the brokers that are up; after its first
    /// metadata a client knows the others too.
    fn bootstrap(&self) -> Vec<BrokerId> {
        let picture = self.world.picture();
        let up = |b: &BrokerPicture| observe::broker_state(b, self.cut.contains(&b.id.0)) == "up";
        let (first, rest): (Vec<_>, Vec<_>) = picture.brokers.iter().partition(|b| up(b));
        first.into_iter().chain(rest).map(|b| b.id).collect()
    }

    fn done(&mut self, command: Command) -> Result<Option<Value>, String> {
        self.apply(command).map(|_| None)
    }

    fn process(&self, b: BrokerId) -> Option<Process> {
        self.world.picture().broker(b).map(|b| b.process)
    }

    fn stopping(&mut self, b: BrokerId) {
        let image = self.world.picture().controller;
        let epoch = image.brokers.get(&b).map_or(-1, |reg| reg.epoch.0);
        self.epoch_at_stop.insert(b.0, epoch);
    }

    /// An administrator's command: `ok` or an error.
    fn admin(&mut self, command: Command) -> Result<Option<Value>, String> {
        let ticket = match self.world.apply(&command) {
            Ok(applied) => {
                applied.events.iter().for_each(|e| self.note(&e.kind));
                applied.ticket
            }
            Err(highwater::world::command::Refusal::Config(_)) => {
                return Ok(Some(error(KafkaError::InvalidConfig, None)));
            }
            Err(refusal) => return Err(format!("{command:?} is refused: {refusal:?}")),
        };
        let reply = self.reply_within(ticket, 40_000);
        Ok(Some(match reply {
            Reply::Failed(e, _) => error(e, None),
            _ => json!({ "ok": true }),
        }))
    }

    fn answered(&mut self, command: Command, limit: i64) -> Result<Option<Value>, String> {
        let ticket = self.apply(command)?;
        Ok(Some(answer(&self.reply_within(ticket, limit))))
    }

    fn elect(
        &mut self,
        unclean: bool,
        partitions: Option<Vec<PartitionName>>,
    ) -> Result<Option<Value>, String> {
        let all = partitions.is_none();
        let ticket = self.apply(Command::ElectLeaders {
            unclean,
            partitions,
        })?;
        let reply = self.reply_within(ticket, 40_000);
        let Reply::Elected(list) = reply else {
            return Ok(Some(answer(&reply)));
        };
        let mut out = Map::new();
        for (name, result) in list {
            let name = format!("{}-{}", name.topic, name.partition);
            match result {
                Ok(()) => {
                    out.insert(name, "ok".into());
                }
                // The client leaves these out when all were asked for.
                Err(KafkaError::ElectionNotNeeded) if all => {}
                Err(e) => {
                    out.insert(name, error(e, None));
                }
            }
        }
        Ok(Some(json!({ "partitions": out })))
    }

    fn produce(
        &mut self,
        step: &Step,
        client: &Rc<str>,
        partition: &PartitionName,
        records: &[KeyValue],
        raw: Option<(BrokerId, Acks, Ms)>,
        limit: i64,
    ) -> Result<Option<Value>, String> {
        let mut job = Job {
            client: client.clone(),
            partition: partition.clone(),
            raw,
            spacing: step.spacing.0,
            next_at: self.now,
            left: records.iter().cloned().collect(),
            waiting: None,
            answers: Vec::new(),
        };
        self.pump_one(&mut job);
        self.jobs.insert(step.n, job);
        let limit = step.answer_within.map_or(limit, |ms| ms.0);
        let answer = self.until(limit, |p| p.jobs.get(&step.n).and_then(Job::answer));
        Ok(Some(answer.unwrap_or(json!({ "pending": true }))))
    }

    /// The recorder polls over and over for a while and puts the records together.
    fn poll(&mut self, client: &Rc<str>, total: i64) -> Result<Option<Value>, String> {
        let Some((partitions, _)) = self.consumers.get(client).cloned() else {
            return Err(format!("client {client} has not been assigned"));
        };
        let several = partitions.len() > 1;
        let end = self.now + total;
        let mut got: Vec<(PartitionName, ReadRecord)> = Vec::new();
        let mut place = Vec::new();
        let mut preferred = None;
        while self.now < end {
            let timeout = Ms((end - self.now).min(200));
            let ticket = self.apply(Command::Poll {
                client: client.clone(),
                timeout,
            })?;
            let before = self.now;
            match self.reply_within(ticket, timeout.0 + 1_000) {
                Reply::Polled {
                    records,
                    positions,
                    preferred_read_replica,
                    exception,
                } => {
                    if let Some(e) = exception {
                        return Ok(Some(thrown(&e, &partitions, &positions)));
                    }
                    got.extend(records);
                    place = positions;
                    preferred = preferred_read_replica;
                }
                other => return Ok(Some(answer(&other))),
            }
            if self.now == before {
                self.advance(1);
            }
        }
        if several {
            got.sort_by(|a, b| (&a.0, a.1.offset).cmp(&(&b.0, b.1.offset)));
        }
        let records: Vec<Value> = got
            .iter()
            .map(|(tp, r)| {
                let mut o = read(r, true);
                if several {
                    o["partition"] = format!("{}-{}", tp.topic, tp.partition).into();
                }
                o
            })
            .collect();
        let position = |tp: &PartitionName| {
            let found = place.iter().find(|(name, _)| name == tp);
            match found.and_then(|(_, at)| *at) {
                Some(at) => at.0.into(),
                None => Value::from("not settled"),
            }
        };
        let mut out = json!({ "records": records });
        out["position"] = match partitions.as_slice() {
            [one] => position(one),
            all => all
                .iter()
                .map(|tp| (format!("{}-{}", tp.topic, tp.partition), position(tp)))
                .collect::<Map<_, _>>()
                .into(),
        };
        if let Some(b) = preferred {
            out["preferred_read_replica"] = b.0.into();
        }
        Ok(Some(out))
    }
}

fn order_is_incidental(script: &Script, step: &Step) -> bool {
    incidental::rejoin_order(&script.notes)
        .iter()
        .any(|s| s.is_none_or(|n| n == step.n))
}

/// Compares states; where the notes say so, without who of several followers rejoined first.
fn compare_states(script: &Script, step: &Step, want: &Value, got: &Value, ids: &mut Ids) -> Found {
    let mut own = ids.clone();
    let found = compare("after", want, got, &mut own);
    if found.diffs.is_empty() || !order_is_incidental(script, step) {
        *ids = own;
        return found;
    }
    let forget = |state: &Value| {
        let mut state = state.clone();
        for (_, p) in state["partitions"].as_object_mut().into_iter().flatten() {
            if let Some(changes) = p.get_mut("changes") {
                incidental::forget_rejoin_order(changes);
            }
        }
        state
    };
    let mut again = compare("after", &forget(want), &forget(got), ids);
    again.reordered = again.diffs.len() < found.diffs.len();
    again
}

fn refused(path: &str, why: String) -> Diff {
    Diff {
        path: path.into(),
        expected: Some("carried out".into()),
        got: Some(why.into()),
    }
}

fn error(e: KafkaError, leader: CurrentLeader) -> Value {
    let mut o = json!({ "error": e.name(), "message": e.text() });
    if let Some((id, epoch)) = leader {
        o["current_leader"] = json!({ "id": id.0, "epoch": epoch.0 });
    }
    o
}

/// The answers of one produce, one a record.
fn produced(reply: &Reply, count: usize, raw: bool) -> Vec<Value> {
    match reply {
        Reply::Failed(e, leader) if raw => vec![error(*e, *leader); count],
        Reply::Produced(offsets) => offsets
            .iter()
            .map(|o| json!({ "offset": o.map_or(-1, |o| o.0) }))
            .collect(),
        other => vec![answer(other); count],
    }
}

fn read(r: &ReadRecord, with_key: bool) -> Value {
    let mut o =
        json!({ "offset": r.offset.0, "epoch": r.epoch.0, "value": observe::text(&r.value) });
    if with_key {
        o["key"] = observe::text(&r.key);
    }
    o
}

fn answer(reply: &Reply) -> Value {
    match reply {
        Reply::Done => json!({ "ok": true }),
        // Who leads is told by a broker's own answer to a produce alone.
        Reply::Failed(e, _) => error(*e, None),
        Reply::Offset(at) => json!({ "offset": at.map_or(-1, |b| b.0) }),
        Reply::LowWatermark(at) => json!({ "low_watermark": at.0 }),
        Reply::Fetched {
            high_watermark,
            last_stable,
            log_start,
            preferred_read_replica,
            records,
        } => {
            let mut o = json!({
                "high_watermark": high_watermark.0,
                "last_stable_offset": last_stable.0,
                "log_start": log_start.0,
                "records": records.iter().map(|r| read(r, false)).collect::<Vec<_>>(),
            });
            if let Some(b) = preferred_read_replica {
                o["preferred_read_replica"] = b.0.into();
            }
            o
        }
        other => json!({ "error": format!("{other:?}") }),
    }
}

fn thrown(
    e: &PollException,
    partitions: &[PartitionName],
    positions: &[(PartitionName, Option<highwater::kafka::ids::Boundary>)],
) -> Value {
    let name = match e {
        PollException::OffsetOutOfRange => "OffsetOutOfRangeException",
        PollException::NoOffsetForPartition => "NoOffsetForPartitionException",
        PollException::LogTruncation(_) => "LogTruncationException",
    };
    let first = partitions.first();
    let at = positions
        .iter()
        .find(|(name, _)| Some(name) == first)
        .and_then(|(_, at)| *at);
    let mut o = json!({ "exception": name });
    o["position"] = at.map_or("not settled".into(), |at| at.0.into());
    if let (PollException::LogTruncation(Some((at, epoch))), Some(tp)) = (e, first) {
        let tp = format!("{}-{}", tp.topic, tp.partition);
        o["divergent"] = json!({ "partition": tp, "offset": at.0, "leader_epoch": epoch.0 });
    }
    o
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
