//! Commands of consumers in groups, transactions and tools as the language writes them.

use super::{bare, name, quote, time};
use crate::kafka::client::consumer::CommitMode;
use crate::kafka::client::reset::ResetTo;
use crate::kafka::group::message::{Committed, MemberRef};
use crate::kafka::ids::*;
use crate::script::iso;
use crate::script::parse::{ADMIN, REBALANCE, SESSION, TOOL};
use crate::script::settings::{consumer_words, init_producer_words};
use crate::world::command::{Command, GroupCall, NamedScope, PartitionName, Seek};
use std::rc::Rc;

/// The line that stands for the command; empty for a command that is not of this kind.
pub(super) fn text(command: &Command) -> String {
    match command {
        Command::Subscribe {
            client,
            topics,
            settings,
        } => join(
            format!("subscribe {client} {}", topics.join(" ")),
            consumer_words(settings),
        ),
        Command::Seek {
            client,
            partition,
            to,
        } => {
            let to = match to {
                Seek::Offset(at) => at.to_string(),
                Seek::Beginning => "beginning".into(),
                Seek::End => "end".into(),
                Seek::Outside => "outside".into(),
            };
            format!("seek {client} {} {to}", name(partition))
        }
        Command::Pause {
            client,
            partitions,
            paused,
        } => {
            let verb = if *paused { "pause" } else { "resume" };
            format!("{verb} {client} {}", names(partitions))
        }
        Command::Commit {
            client,
            offsets,
            mode,
        } => {
            let verb = match mode {
                CommitMode::Sync => "commit",
                CommitMode::Async => "commit-async",
            };
            let offsets = offsets.as_deref().unwrap_or_default();
            join(format!("{verb} {client}"), positions(offsets))
        }
        Command::Committed { client, partitions } => {
            format!("committed {client} {}", names(partitions))
        }
        Command::Process {
            client,
            partition,
            next,
        } => format!("process {client} {} to {next}", name(partition)),
        Command::SaveOutside {
            client,
            partition,
            next,
        } => format!("save {client} {} {next}", name(partition)),
        Command::Close { client } => format!("close {client}"),
        Command::Crash { client } => format!("crash {client}"),
        Command::InitTransactions { client } => format!("init-transactions {client}"),
        Command::BeginTransaction { client } => format!("begin {client}"),
        Command::EndTransaction { client, commit } => match commit {
            true => format!("commit-transaction {client}"),
            false => format!("abort {client}"),
        },
        Command::SendOffsets {
            client,
            group,
            member,
            offsets,
        } => {
            let line = format!("send-offsets {client} {}", bare(group));
            join(join(line, who(member, "generation")), positions(offsets))
        }
        Command::InitProducerRaw {
            client,
            transactional_id,
            timeout,
        } => join(
            format!("init-producer {client}"),
            init_producer_words(transactional_id.as_deref(), *timeout),
        ),
        Command::CallGroup { client, call } => group_call(client, call),
        Command::ResetOffsets {
            client,
            group,
            scope,
            to,
            execute,
        } => {
            let line = format!("reset-offsets {}{}", bare(group), by(client, TOOL));
            let mut words = scope_words(scope);
            words.extend(to_words(*to));
            words.extend(execute.then(|| "--execute".into()));
            join(line, words)
        }
        Command::DeleteTopic { name } => format!("delete-topic {name}"),
        _ => String::new(),
    }
}

fn join(mut line: String, words: Vec<String>) -> String {
    for word in words {
        line.push(' ');
        line += &word;
    }
    line
}

fn names(partitions: &[PartitionName]) -> String {
    let all: Vec<String> = partitions.iter().map(name).collect();
    all.join(" ")
}

fn listed(partitions: &[PartitionName]) -> String {
    if partitions.is_empty() {
        return "none".into();
    }
    let all: Vec<String> = partitions.iter().map(name).collect();
    all.join(",")
}

fn by(client: &str, default: &str) -> String {
    match client == default {
        true => String::new(),
        false => format!(" as {client}"),
    }
}

fn positions(offsets: &[(PartitionName, Committed)]) -> Vec<String> {
    let mut words = vec![];
    for (partition, at) in offsets {
        words.push(format!("{}={}", name(partition), at.offset));
        if let Some(epoch) = at.leader_epoch {
            words.push(format!("leader-epoch={epoch}"));
        }
        if !at.metadata.is_empty() {
            words.push(format!("metadata={}", quote(&at.metadata)));
        }
    }
    words
}

fn who(member: &MemberRef, number: &str) -> Vec<String> {
    let mut words = vec![];
    if !member.id.is_empty() {
        words.push(format!("member={}", bare(&member.id)));
    }
    if member.generation != -1 {
        words.push(format!("{number}={}", member.generation));
    }
    if let Some(instance) = &member.instance {
        words.push(format!("instance={}", bare(instance)));
    }
    words
}

fn group_call(client: &str, call: &GroupCall) -> String {
    let line = |verb: &str, group: &Rc<str>| format!("call {client} {verb} {}", bare(group));
    match call {
        GroupCall::Commit {
            group,
            member,
            offsets,
        } => join(
            join(line("commit", group), who(member, "generation")),
            positions(offsets),
        ),
        GroupCall::Offsets {
            group,
            partitions,
            require_stable,
        } => {
            let mut words = vec![];
            words.extend(require_stable.then(|| "require-stable=yes".into()));
            words.extend(partitions.iter().flatten().map(name));
            join(line("offsets", group), words)
        }
        GroupCall::Join {
            group,
            member,
            instance,
            timeouts,
            topics,
        } => {
            let member = MemberRef {
                id: member.clone(),
                instance: instance.clone(),
                ..MemberRef::none()
            };
            let mut words = who(&member, "generation");
            let mut option = |word: &str, value: Ms, default: Ms| {
                if value != default {
                    words.push(format!("{word}={}", time(value)));
                }
            };
            option("session", timeouts.0, SESSION);
            option("rebalance", timeouts.1, REBALANCE);
            join(
                format!("{} {}", line("join", group), topics.join(" ")),
                words,
            )
        }
        GroupCall::Sync {
            group,
            member,
            assignments,
        } => {
            let mut words = who(member, "generation");
            if !assignments.is_empty() {
                words.push("assign".into());
            }
            let share = |(id, all): &(Rc<str>, Vec<PartitionName>)| format!("{id}={}", listed(all));
            words.extend(assignments.iter().map(share));
            join(line("sync", group), words)
        }
        GroupCall::Beat { group, member } => join(line("beat", group), who(member, "generation")),
        GroupCall::Leave { group, member } => join(line("leave", group), who(member, "generation")),
        GroupCall::ConsumerBeat {
            group,
            member,
            topics,
            owned,
        } => {
            let mut words = who(member, "epoch");
            words.extend(
                topics
                    .as_ref()
                    .map(|all| format!("topics={}", all.join(","))),
            );
            words.extend(owned.as_ref().map(|all| format!("owned={}", listed(all))));
            join(line("consumer-beat", group), words)
        }
        GroupCall::Describe { group } => line("describe", group),
        GroupCall::Delete { group } => {
            format!("delete-group {}{}", bare(group), by(client, ADMIN))
        }
        GroupCall::DeleteOffsets { group, partitions } => {
            join(line("delete-offsets", group), vec![names(partitions)])
        }
    }
}

fn scope_words(scope: &NamedScope) -> Vec<String> {
    match scope {
        NamedScope::AllTopics => vec!["--all-topics".into()],
        NamedScope::Topics(topics) => {
            let one = |(topic, numbers): &(Rc<str>, Option<Vec<u16>>)| match numbers {
                None => format!("--topic {topic}"),
                Some(numbers) => {
                    let all: Vec<String> = numbers.iter().map(u16::to_string).collect();
                    format!("--topic {topic}:{}", all.join(","))
                }
            };
            topics.iter().map(one).collect()
        }
        NamedScope::File(lines) => {
            let one = |(p, at): &(PartitionName, Option<Boundary>)| match at {
                Some(at) => format!("{}={at}", name(p)),
                None => name(p),
            };
            let first = std::iter::once("--from-file".into());
            first.chain(lines.iter().map(one)).collect()
        }
    }
}

fn to_words(to: ResetTo) -> Vec<String> {
    let one = |word: &str| vec![word.into()];
    match to {
        ResetTo::Earliest => one("--to-earliest"),
        ResetTo::Latest => one("--to-latest"),
        ResetTo::Current => one("--to-current"),
        ResetTo::Offset(at) => vec!["--to-offset".into(), at.to_string()],
        ResetTo::ShiftBy(by) => vec!["--shift-by".into(), by.to_string()],
        ResetTo::Datetime(at) => {
            let text = iso::datetime_text(at, iso::SCENE_START);
            vec!["--to-datetime".into(), text]
        }
        ResetTo::ByDuration(span) => vec!["--by-duration".into(), iso::duration_text(span)],
        ResetTo::FromFile => vec![],
    }
}
