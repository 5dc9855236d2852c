//! `kafka-consumer-groups` as the recorder ran it: arguments, printed lines, exit status.

use super::super::observe;
use super::super::script::{Script, Step};
use super::Player;
use super::offsets::RawMember;
use super::words;
use highwater::kafka::client::reset::ResetOutcome;
use highwater::kafka::client::reset::text::{self, DescribedPart, Flags, Printed};
use highwater::kafka::error::KafkaError;
use highwater::kafka::group::message::{GroupAnswer, MemberRef, MemberView};
use highwater::kafka::ids::{Ms, Tp};
use highwater::kafka::message::{Isolation, OffsetSpec};
use highwater::script::tool_args::{ArgFault, reset_args};
use highwater::world::command::{Command, GroupCall, PartitionName, Reply};
use serde_json::{Value, json};
use std::rc::Rc;

type Done = Result<Value, String>;

impl Player {
    pub(super) fn tool(
        &mut self,
        script: &Script,
        step: &Step,
        tool: &str,
        args: &[Rc<str>],
    ) -> Done {
        if tool != "kafka-consumer-groups" {
            return Err(format!("tool {tool} is not the engine's"));
        }
        let words: Vec<&str> = args.iter().map(|a| &**a).collect();
        let printed = match words.first().copied() {
            Some("--reset-offsets") => self.reset(script, step, &words[1..])?,
            Some("--describe") => self.describe(&words)?,
            Some("--delete") => self.delete(&words)?,
            Some("--delete-offsets") => self.delete_offsets(&words)?,
            _ => return Err(format!("{tool} {words:?} is not the engine's")),
        };
        Ok(json!({ "exit": printed.exit, "lines": printed.lines }))
    }

    fn reset(&mut self, script: &Script, step: &Step, words: &[&str]) -> Result<Printed, String> {
        let file = file_said(&step.say);
        let args = match reset_args(words, script.start, &file) {
            Ok(args) => args,
            Err(ArgFault::Usage(sentence)) => return Ok(Printed::usage(sentence)),
            Err(fault) => return Err(format!("{words:?}: {fault:?}")),
        };
        let groups: Vec<Rc<str>> = match &args.group {
            Some(group) => vec![group.clone()],
            None => observe::group_names(&self.world.picture()),
        };
        let mut outcomes: Vec<(Rc<str>, ResetOutcome)> = Vec::new();
        for group in groups {
            let ticket = self.apply(Command::ResetOffsets {
                client: "kafka-consumer-groups".into(),
                group: group.clone(),
                scope: args.scope.clone(),
                to: args.to,
                execute: args.execute,
            })?;
            match self.reply_within(ticket, 70_000) {
                Reply::Reset(outcome) => outcomes.push((group, outcome)),
                other => return Err(format!("the tool: {other:?}")),
            }
        }
        let outcomes: Vec<(&str, &ResetOutcome)> = outcomes
            .iter()
            .map(|(group, outcome)| (&**group, outcome))
            .collect();
        let picture = self.world.picture();
        let Flags { said, export } = args.flags;
        let names = |topic| observe::topic_name(&picture, topic);
        Ok(text::reset(&outcomes, Flags { said, export }, &names))
    }

    fn describe(&mut self, words: &[&str]) -> Result<Printed, String> {
        let group: Rc<str> = value(words, "--group")?.into();
        let view = match self.call(GroupCall::Describe {
            group: group.clone(),
        })? {
            Ok(GroupAnswer::Described(view)) => view,
            Err(e) => Err(e),
            other => return Err(format!("describe: {other:?}")),
        };
        let mut tps: Vec<Tp> = Vec::new();
        if let Ok(view) = &view {
            let held = view
                .members
                .iter()
                .flat_map(|m| m.assignment.iter().copied());
            tps = view
                .committed
                .iter()
                .map(|(tp, _)| *tp)
                .chain(held)
                .collect();
        }
        let picture = self.world.picture();
        let place = |tp: &Tp| (observe::topic_name(&picture, tp.topic), tp.partition);
        tps.sort_by_key(place);
        tps.dedup();
        let mut parts = Vec::new();
        for tp in tps {
            let (topic, partition) = place(&tp);
            let committed = view.as_ref().ok().and_then(|v| {
                let found = v.committed.iter().find(|(t, _)| *t == tp);
                found.map(|(_, c)| c.offset)
            });
            let ticket = self.apply(Command::ListOffsets {
                client: "lookup".into(),
                partition: PartitionName {
                    topic: topic.into(),
                    partition,
                },
                spec: OffsetSpec::Latest,
                isolation: Isolation::ReadUncommitted,
            })?;
            let latest = match self.reply_within(ticket, 10_000) {
                Reply::Offset(found) => found.map(|f| f.at),
                _ => None,
            };
            parts.push(DescribedPart {
                tp,
                committed,
                latest,
            });
        }
        let names = |topic| observe::topic_name(&picture, topic);
        let client = |m: &MemberView| observe::client_name(&picture, m.client);
        let view = view.as_ref().map_err(|e| *e);
        Ok(text::describe(&group, view, &parts, &names, &client))
    }

    fn delete(&mut self, words: &[&str]) -> Result<Printed, String> {
        let group: Rc<str> = value(words, "--group")?.into();
        let result = match self.call(GroupCall::Delete {
            group: group.clone(),
        })? {
            Ok(GroupAnswer::Deleted(result)) => result,
            Err(e) => Err(e),
            other => return Err(format!("delete: {other:?}")),
        };
        Ok(text::delete_group(&group, result))
    }

    fn delete_offsets(&mut self, words: &[&str]) -> Result<Printed, String> {
        let group: Rc<str> = value(words, "--group")?.into();
        let picture = self.world.picture();
        let mut partitions = Vec::new();
        for pair in words.windows(2).filter(|pair| pair[0] == "--topic") {
            let (topic, numbers) = pair[1].split_once(':').unwrap_or((pair[1], ""));
            let numbers = numbers.split(',').filter_map(|n| n.parse::<u16>().ok());
            let mut numbers: Vec<u16> = numbers.collect();
            if numbers.is_empty() {
                let of_topic = picture
                    .partitions
                    .iter()
                    .filter(|p| &*p.name.topic == topic);
                numbers = of_topic.map(|p| p.name.partition).collect();
            }
            let name = |partition| PartitionName {
                topic: topic.into(),
                partition,
            };
            partitions.extend(numbers.into_iter().map(name));
        }
        let asked: Vec<Tp> = partitions
            .iter()
            .filter_map(|p| picture.partition(p).map(|p| p.tp))
            .collect();
        let result = match self.call(GroupCall::DeleteOffsets {
            group: group.clone(),
            partitions,
        })? {
            Ok(GroupAnswer::OffsetsDeleted(result)) => result,
            Err(e) => Err(e),
            other => return Err(format!("delete-offsets: {other:?}")),
        };
        let names = |topic| observe::topic_name(&picture, topic);
        let result = result.as_ref().map_err(|e| *e);
        Ok(text::delete_offsets(&group, result, &asked, &names))
    }

    // --- what is written by hand ---------------------------------------------------------------

    /// The group of the members that join by hand: the only one that the step tells of.
    fn group_of(step: &Step) -> Rc<str> {
        let groups = step.after.as_ref().and_then(|a| a["groups"].as_object());
        groups
            .and_then(|g| g.keys().next())
            .map_or("billing".into(), |g| g.as_str().into())
    }

    pub(super) fn join(&mut self, step: &Step, client: &Rc<str>) -> Done {
        let known = self.one.members.get(client).cloned().unwrap_or_default();
        let ticket = self.apply(Command::CallGroup {
            // All members by hand call themselves so.
            client: "raw".into(),
            call: GroupCall::Join {
                group: Self::group_of(step),
                member: known.id,
                instance: None,
                timeouts: (Ms(30_000), Ms(60_000)),
                topics: vec!["orders".into()],
            },
        })?;
        let Some(ticket) = ticket else {
            return Err("a join without a number".into());
        };
        let told = self.until(1_500, |p| p.world.reply(ticket).cloned());
        let told = match told {
            None => {
                self.one.joins.insert(client.clone(), ticket);
                json!({ "pending": true })
            }
            Some(reply) => self.joined(client, &reply),
        };
        // Its join may have let others in.
        let open: Vec<_> = self
            .one
            .joins
            .iter()
            .map(|(c, t)| (c.clone(), *t))
            .collect();
        for (other, ticket) in open {
            if let Some(reply) = self.until(500, |p| p.world.reply(ticket).cloned()) {
                self.one.joins.remove(&other);
                self.joined(&other, &reply);
            }
        }
        Ok(told)
    }

    fn joined(&mut self, client: &Rc<str>, reply: &Reply) -> Value {
        let member = self.one.members.entry(client.clone()).or_default();
        match reply {
            Reply::Group(GroupAnswer::Joined(Ok(joined))) => {
                let leads = joined.leader == joined.member;
                *member = RawMember {
                    id: joined.member.clone(),
                    generation: joined.generation,
                    leads,
                    all: joined.members.iter().map(|m| m.id.clone()).collect(),
                };
                json!({
                    "generation": joined.generation,
                    "leader": leads,
                    "members": joined.members.len(),
                })
            }
            Reply::Group(GroupAnswer::Joined(Err((e, id)))) => {
                if *e == KafkaError::MemberIdRequired {
                    member.id = id.clone();
                }
                json!({ "error": e.name() })
            }
            other => words::failed(other),
        }
    }

    fn hand(&self, client: &Rc<str>) -> (RawMember, MemberRef) {
        let member = self.one.members.get(client).cloned().unwrap_or_default();
        let named = MemberRef {
            id: member.id.clone(),
            generation: member.generation,
            instance: None,
        };
        (member, named)
    }

    /// The leader shares out: each member, in the order of its name here, a partition; one alone
    /// has both.
    pub(super) fn sync(&mut self, step: &Step, client: &Rc<str>) -> Done {
        let (member, named) = self.hand(client);
        let orders = |partition| PartitionName {
            topic: "orders".into(),
            partition,
        };
        let mut assignments = Vec::new();
        if member.leads {
            let by_name: Vec<Rc<str>> = self.one.members.values().map(|m| m.id.clone()).collect();
            let all = by_name.into_iter().filter(|id| member.all.contains(id));
            let all: Vec<Rc<str>> = all.collect();
            assignments = match all.as_slice() {
                [one] => vec![(one.clone(), vec![orders(0), orders(1)])],
                all => (0..)
                    .zip(all)
                    .map(|(n, id)| (id.clone(), vec![orders(n)]))
                    .collect(),
            };
        }
        let answer = self.call(GroupCall::Sync {
            group: Self::group_of(step),
            member: named,
            assignments,
        })?;
        Ok(words::group_answer(answer))
    }

    pub(super) fn leave(&mut self, step: &Step, client: &Rc<str>) -> Done {
        let (_, member) = self.hand(client);
        let group = Self::group_of(step);
        let answer = self.call(GroupCall::Leave { group, member })?;
        Ok(words::group_answer(answer))
    }

    /// New records of the internal topic, decoded, as the recorder reads them off the disk.
    pub(super) fn read_offsets_topic(&mut self, step: &Step) -> Value {
        self.advance(200);
        let picture = self.world.picture();
        if self.one.seen.is_empty() {
            // What was there before its first look the recorder does not tell.
            let told = step.result.as_ref().and_then(|r| r["appended"].as_array());
            for one in told.into_iter().flatten() {
                if let (Some(p), Some(at)) = (one["partition"].as_u64(), one["offset"].as_i64()) {
                    self.one.seen.entry(p as u16).or_insert(at);
                }
            }
        }
        let all = observe::offsets_topic(&picture, &mut self.one.seen);
        json!({ "appended": all })
    }

    /// Waits for what a recording names, beside its state.
    pub(super) fn wait_for(&mut self, what: &str) {
        let span = words::seconds(&format!("{what} ")).or_else(|| fraction(what));
        let span = match (span, what) {
            (_, "retention check") => Some(1_300),
            (span, _) => span,
        };
        // Counted from an earlier step ("68 s after leaving"): what has passed since is less.
        if let Some(span) = span {
            self.advance(span);
        }
    }
}

/// "0.3 s"
fn fraction(what: &str) -> Option<i64> {
    let (whole, tenth) = what.strip_suffix(" s")?.split_once('.')?;
    let (whole, tenth): (i64, i64) = (whole.parse().ok()?, tenth.parse().ok()?);
    Some(whole * 1_000 + tenth * 100)
}

fn value<'a>(words: &[&'a str], option: &str) -> Result<&'a str, String> {
    let pair = words.windows(2).find(|pair| pair[0] == option);
    pair.map(|pair| pair[1])
        .ok_or_else(|| format!("no {option}"))
}

/// What stood in the file: the recording tells it in words only.
fn file_said(say: &str) -> String {
    if let Some((_, rest)) = say.split_once('(') {
        let inside = rest.split(')').next().unwrap_or("");
        return inside.replace(" / ", "\n");
    }
    if say.contains("with quotes") {
        return "\"orders\",0,9".into();
    }
    "orders,0".into()
}
