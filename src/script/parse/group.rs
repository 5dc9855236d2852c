//! Command lines about groups from outside: requests by hand, the reset tool, deletions.

use super::consumer::{Strict, member, named, offsets, several, word};
use super::line::{Cursor, Known, Parsed};
use crate::kafka::ids::*;
use crate::script::error::{Problem, Wanted, WordKind};
use crate::script::iso;
use crate::script::lex::Word;
use crate::script::settings::unknown;
use crate::script::tool_args::{ArgFault, OPTIONS, reset_args};
use crate::world::command::{Command, GroupCall, PartitionName};
use std::rc::Rc;

/// Who runs tools and deletes, if the line does not say.
pub(in crate::script) const ADMIN: &str = "admin";
/// Who runs the reset tool, if the line does not say.
pub(in crate::script) const TOOL: &str = "tool";

/// Requests that `call x …` can write.
const CALLS: &[&str] = &[
    "commit",
    "offsets",
    "join",
    "sync",
    "beat",
    "leave",
    "consumer-beat",
    "describe",
    "delete",
    "delete-offsets",
];

pub(in crate::script) const SESSION: Ms = Ms(45_000);
pub(in crate::script) const REBALANCE: Ms = Ms(300_000);

/// `as NAME` behind the group.
fn by(line: &mut Cursor<'_>, known: &mut Known, default: &str) -> Parsed<Rc<str>> {
    let mut client: Rc<str> = default.into();
    if line
        .peek()
        .is_some_and(|word| word.text == "as" && !word.quoted)
    {
        word(line, "as")?;
        client = line.name()?;
    }
    known.meet(&client);
    Ok(client)
}

/// `delete-group reports`
pub(super) fn delete_group(line: &mut Cursor<'_>, known: &mut Known) -> Parsed<Command> {
    let group = line.name()?;
    let client = by(line, known, ADMIN)?;
    let call = GroupCall::Delete { group };
    Ok(Command::CallGroup { client, call })
}

/// `delete-offsets reports orders-0`
pub(super) fn delete_offsets(line: &mut Cursor<'_>, known: &mut Known) -> Parsed<Command> {
    let group = line.name()?;
    let client = by(line, known, ADMIN)?;
    let partitions = several(line, known)?;
    let call = GroupCall::DeleteOffsets { group, partitions };
    Ok(Command::CallGroup { client, call })
}

/// `delete-topic orders`: the name stays known, as that of a topic that once was.
pub(super) fn delete_topic(line: &mut Cursor<'_>, known: &Known) -> Parsed<Command> {
    let name = line.topic(known)?;
    Ok(Command::DeleteTopic { name })
}

/// `call x commit reports orders-0=5`
pub(super) fn group(line: &mut Cursor<'_>, known: &mut Known) -> Parsed<Command> {
    let client = line.name()?;
    let verb = line.next(Wanted::Name)?;
    let word_of_call = verb.text.as_str();
    if !CALLS.contains(&word_of_call) {
        return line.unknown(WordKind::GroupCall, verb, CALLS);
    }
    let group = line.name()?;
    let call = match word_of_call {
        "commit" => GroupCall::Commit {
            group,
            member: member(line)?,
            offsets: offsets(line, known, Strict::No)?,
        },
        "offsets" => asked_offsets(line, known, group)?,
        "join" => join(line, known, group)?,
        "sync" => sync(line, known, group)?,
        "beat" => GroupCall::Beat {
            group,
            member: member(line)?,
        },
        "leave" => GroupCall::Leave {
            group,
            member: member(line)?,
        },
        "consumer-beat" => consumer_beat(line, known, group)?,
        "describe" => GroupCall::Describe { group },
        "delete" => GroupCall::Delete { group },
        _ => GroupCall::DeleteOffsets {
            group,
            partitions: loose(line, known)?,
        },
    };
    known.meet(&client);
    Ok(Command::CallGroup { client, call })
}

/// Partitions of any name to the end of the line, at least one.
fn loose(line: &mut Cursor<'_>, known: &Known) -> Parsed<Vec<PartitionName>> {
    let mut all = vec![];
    loop {
        let word = line.next(Wanted::Partition)?;
        all.push(named(line, word, &word.text, known, Strict::No)?);
        if line.peek().is_none() {
            return Ok(all);
        }
    }
}

fn asked_offsets(line: &mut Cursor<'_>, known: &Known, group: Rc<str>) -> Parsed<GroupCall> {
    let mut require_stable = false;
    if let Some(("require-stable", value)) = line.peek().and_then(|word| word.pair()) {
        let word = line.next(Wanted::YesNo)?;
        require_stable = match value {
            "yes" => true,
            "no" => false,
            _ => {
                let (what, found) = (Wanted::YesNo, Some(value.into()));
                return line.fault(word.value_column(), Problem::Expected { what, found });
            }
        };
    }
    let partitions = match line.peek() {
        Some(_) => Some(loose(line, known)?),
        None => None,
    };
    Ok(GroupCall::Offsets {
        group,
        partitions,
        require_stable,
    })
}

fn join(line: &mut Cursor<'_>, known: &Known, group: Rc<str>) -> Parsed<GroupCall> {
    let mut topics = vec![line.topic(known)?];
    while line.peek().is_some_and(|word| word.eq.is_none()) {
        topics.push(line.topic(known)?);
    }
    let who = member(line)?;
    let (mut session, mut rebalance) = (SESSION, REBALANCE);
    super::command::options(
        line,
        &mut [
            ("session", &mut |l, w, v| l.put_time(w, v, &mut session)),
            ("rebalance", &mut |l, w, v| l.put_time(w, v, &mut rebalance)),
        ],
    )?;
    Ok(GroupCall::Join {
        group,
        member: who.id,
        instance: who.instance,
        timeouts: (session, rebalance),
        topics,
    })
}

/// Partitions in a value: `orders-0,orders-1`, or `none`.
fn listed(
    line: &Cursor<'_>,
    word: &Word,
    value: &str,
    known: &Known,
) -> Parsed<Vec<PartitionName>> {
    if value == "none" {
        return Ok(vec![]);
    }
    value
        .split(',')
        .map(|text| named(line, word, text, known, Strict::No))
        .collect()
}

/// `call x sync reports member=a generation=1 assign a=orders-0,orders-1 b=none`
fn sync(line: &mut Cursor<'_>, known: &Known, group: Rc<str>) -> Parsed<GroupCall> {
    let member = member(line)?;
    let mut assignments = vec![];
    if line.peek().is_some() {
        word(line, "assign")?;
        for word in line.pairs()? {
            let (name, value) = word.pair().unwrap_or_default();
            assignments.push((name.into(), listed(line, word, value, known)?));
        }
    }
    Ok(GroupCall::Sync {
        group,
        member,
        assignments,
    })
}

fn consumer_beat(line: &mut Cursor<'_>, known: &Known, group: Rc<str>) -> Parsed<GroupCall> {
    let member = member(line)?;
    let (mut topics, mut owned) = (None, None);
    for word in line.pairs()? {
        let (name, value) = word.pair().unwrap_or_default();
        match name {
            "topics" => topics = Some(value.split(',').map(Into::into).collect()),
            "owned" => owned = Some(listed(line, word, value, known)?),
            _ => {
                let words = &["member", "epoch", "instance", "topics", "owned"];
                return line.fault(word.column, unknown(WordKind::Option, name, words));
            }
        }
    }
    Ok(GroupCall::ConsumerBeat {
        group,
        member,
        topics,
        owned,
    })
}

/// `reset-offsets reports --topic orders:0 --to-offset 5 --execute`, in the words of
/// `kafka-consumer-groups`. A file is written out: `--from-file orders-0=8 orders-1`.
pub(super) fn reset(line: &mut Cursor<'_>, known: &mut Known) -> Parsed<Command> {
    let group = line.name()?;
    let client = by(line, known, TOOL)?;
    let first = line.peek().map(|word| word.column);
    let (mut words, mut args): (Vec<Option<&Word>>, Vec<&str>) = (vec![], vec![]);
    let mut file = String::new();
    while line.peek().is_some() {
        let word = line.next(Wanted::Name)?;
        words.push(Some(word));
        args.push(&word.text);
        match word.text.as_str() {
            "--from-file" => {
                words.push(None);
                args.push("file");
                while let Some(word) = line.peek().filter(|word| !word.text.starts_with("--")) {
                    line.next(Wanted::Position)?;
                    let (name, at) = word.pair().unwrap_or((&word.text, ""));
                    let p = line.partition_in(word, name, known)?;
                    file += &format!("{},{},{at}\n", p.topic, p.partition);
                }
            }
            "--topic" => {
                if let Some(word) = line.peek() {
                    let topic = word.text.split(':').next().unwrap_or_default();
                    line.known_topic(word, topic, known)?;
                }
            }
            // Said once, in front.
            "--group" | "--all-groups" => {
                return line.fault(
                    word.column,
                    Problem::Twice {
                        word: "group".into(),
                    },
                );
            }
            _ => {}
        }
    }
    words.extend([None, None]);
    args.extend(["--group", &group]);
    let column = |place: usize| {
        let word = words.get(place).copied().flatten();
        word.map_or(first.unwrap_or(1), |word| word.column)
    };
    match reset_args(&args, iso::SCENE_START, &file) {
        // Without --export and --dry-run the plan is the same; they are not kept.
        Ok(args) => Ok(Command::ResetOffsets {
            client,
            group,
            scope: args.scope,
            to: args.to,
            execute: args.execute,
        }),
        Err(ArgFault::Unknown(at, _)) => {
            let found = args.get(at).copied().unwrap_or_default();
            line.fault(column(at), unknown(WordKind::Option, found, OPTIONS))
        }
        Err(ArgFault::Value(at, expected)) => {
            let word = |at: usize| words.get(at).copied().flatten();
            let setting = args.get(at).copied().unwrap_or_default().into();
            let value = word(at + 1).map(|w| w.text.clone()).unwrap_or_default();
            let expected = expected.into();
            let place = if word(at + 1).is_some() { at + 1 } else { at };
            line.fault(
                column(place),
                Problem::BadValue {
                    setting,
                    value,
                    expected,
                },
            )
        }
        Err(ArgFault::Usage(text)) => line.fault(first.unwrap_or(1), Problem::ToolRefuses { text }),
    }
}
