//! After a step: running until the recorded state is reached and nothing changes any more.

use super::super::compare::{Diff, Found, Ids, compare};
use super::super::incidental::{self, TABLE};
use super::super::observe;
use super::super::script::offsets::Off;
use super::super::script::{Op, Script, Step};
use super::Player;
use highwater::kafka::ids::Ms;
use highwater::kafka::message::{Isolation, OffsetSpec};
use highwater::world::World;
use highwater::world::command::{Command, Reply, Ticket};
use highwater::world::picture::Picture;
use serde_json::Value;

/// Nothing may have changed for so long, ms.
const QUIET: i64 = 1_500;
/// That recorder looked until two looks, 80 ms apart, were alike.
const QUIET_ONE_NODE: i64 = 80;
/// Time between two looks, ms.
const LOOK: i64 = 40;

impl Player {
    /// Runs until the recorded state is reached and nothing has changed for a while.
    pub(super) fn settle(&mut self, script: &Script, step: &Step, recorded: &Value) -> Found {
        let limit = match (step.give_up, &step.op) {
            (Some(limit), _) => limit.0,
            (None, Op::Wait(_) | Op::WaitAnswer(_)) => 400_000,
            (None, Op::Off(off)) if matches!(**off, Off::Wait(_)) => 400_000,
            (None, _) => 120_000,
        };
        let mut wanted = recorded.clone();
        observe::trim(recorded, &mut wanted);
        observe::times(&mut wanted, 0, &self.one.given);
        let mut without_lookups = wanted.clone();
        let parts = without_lookups["partitions"].as_object_mut();
        for (_, p) in parts.into_iter().flatten() {
            p.as_object_mut().map(|o| o.remove("list_offsets_latest"));
        }
        // Between the steps of that recorder there was next to no time.
        let quiet_time = if script.one_node {
            QUIET_ONE_NODE
        } else {
            QUIET
        };
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
            let quiet = self.now - since >= quiet_time;
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
            self.advance(LOOK);
            let now = self.look(recorded);
            if now != last {
                reached = equal(self, &now);
                (last, since) = (now, self.now);
            }
        }
    }

    /// What a step waits for beyond the recorded state.
    pub(super) fn conditions(&self, step: &Step, start: i64) -> bool {
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

    pub(super) fn look(&self, recorded: &Value) -> Value {
        let picture = self.world.picture();
        let mut state = observe::state(&picture, |b| self.cut.contains(&b), &self.changes);
        self.look_at_offsets(recorded, &picture, &mut state);
        observe::trim(recorded, &mut state);
        observe::times(&mut state, self.one.start, &self.one.given);
        state
    }

    /// Consumers, groups and transactions where the recorder tells of them.
    fn look_at_offsets(&self, recorded: &Value, picture: &Picture, state: &mut Value) {
        let told = |name: &str| recorded.get(name);
        if let Some(told) = told("consumers") {
            let running = self.one.consumers.iter();
            let running: Vec<_> = running.map(|(n, s)| (n.clone(), s.group.clone())).collect();
            state["consumers"] = observe::consumers(picture, told, &self.one.processed, &running);
        }
        if let Some(told) = told("groups") {
            state["groups"] = observe::groups(picture, told);
        }
        if let Some(told) = told("transactions") {
            state["transactions"] = observe::transactions(picture, told);
        }
    }

    /// Asks the leaders, as the recorder does, on a copy of the world.
    pub(super) fn ask(&self, mut state: Value) -> Value {
        let mut world = self.world.clone();
        let picture = world.picture();
        let mut asked = Vec::new();
        for part in &picture.partitions {
            let tp = format!("{}-{}", part.name.topic, part.name.partition);
            if state["partitions"].get(&tp).is_none() {
                continue;
            }
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
            let start = start.at;
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
                    && latest.at != high_watermark
                {
                    o["list_offsets_latest"] = latest.at.0.into();
                }
            }
        }
        state
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
