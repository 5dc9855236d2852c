//! Command lines of consumers in groups, of the application beside them, and of transactional
//! producers.

use super::line::{Cursor, Known, Parsed};
use crate::kafka::client::consumer::CommitMode;
use crate::kafka::group::message::{Committed, MemberRef};
use crate::kafka::ids::*;
use crate::script::error::{ClientIs, Problem, Wanted, WordKind};
use crate::script::lex::Word;
use crate::script::settings;
use crate::world::command::{Command, PartitionName, Seek};
use std::rc::Rc;

/// Whether partitions that do not exist may be named.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Strict {
    /// They must be of this scenario.
    Yes,
    /// A request by hand is sent all the same.
    No,
}

/// The commands of consumers and their applications.
pub(super) fn consumer(verb: &str, line: &mut Cursor<'_>, known: &mut Known) -> Parsed<Command> {
    if verb == "subscribe" {
        return subscribe(line, known);
    }
    let client = line.client(known)?;
    if verb == "crash" {
        known.ended(&client);
        return Ok(Command::Crash { client });
    }
    line.of_kind(known, &client, ClientIs::Consumer)?;
    if verb == "close" {
        known.ended(&client);
        return Ok(Command::Close { client });
    }
    Ok(match verb {
        "seek" => Command::Seek {
            client,
            partition: line.partition(known)?,
            to: seek(line)?,
        },
        "pause" | "resume" => Command::Pause {
            client,
            partitions: several(line, known)?,
            paused: verb == "pause",
        },
        "commit" | "commit-async" => Command::Commit {
            client,
            offsets: match line.peek() {
                Some(_) => Some(offsets(line, known, Strict::Yes)?),
                None => None,
            },
            mode: match verb {
                "commit" => CommitMode::Sync,
                _ => CommitMode::Async,
            },
        },
        "committed" => Command::Committed {
            client,
            partitions: several(line, known)?,
        },
        _ => {
            let partition = line.partition(known)?;
            if verb == "process" {
                word(line, "to")?;
            }
            let next = line.boundary()?;
            match verb {
                "process" => Command::Process {
                    client,
                    partition,
                    next,
                },
                _ => Command::SaveOutside {
                    client,
                    partition,
                    next,
                },
            }
        }
    })
}

/// The commands of transactional producers.
pub(super) fn transaction(verb: &str, line: &mut Cursor<'_>, known: &mut Known) -> Parsed<Command> {
    if verb == "init-producer" {
        return init_producer(line, known);
    }
    let client = line.client(known)?;
    line.transactional(known, &client)?;
    Ok(match verb {
        "init-transactions" => Command::InitTransactions { client },
        "begin" => Command::BeginTransaction { client },
        "commit-transaction" => Command::EndTransaction {
            client,
            commit: true,
        },
        "abort" => Command::EndTransaction {
            client,
            commit: false,
        },
        _ => {
            let group = line.name()?;
            let member = member(line)?;
            let offsets = offsets(line, known, Strict::Yes)?;
            Command::SendOffsets {
                client,
                group,
                member,
                offsets,
            }
        }
    })
}

fn subscribe(line: &mut Cursor<'_>, known: &mut Known) -> Parsed<Command> {
    let client = line.name()?;
    line.of_kind(known, &client, ClientIs::Consumer)?;
    let mut topics = vec![line.topic(known)?];
    while line.peek().is_some_and(|word| word.eq.is_none()) {
        topics.push(line.topic(known)?);
    }
    let settings = line.settings(|pairs| settings::consumer(pairs))?;
    if settings.group.is_none() {
        line.next(Wanted::GroupId)?;
    }
    known.declare(&client, ClientIs::Consumer, false, line);
    Ok(Command::Subscribe {
        client,
        topics,
        settings,
    })
}

fn init_producer(line: &mut Cursor<'_>, known: &mut Known) -> Parsed<Command> {
    let client = line.name()?;
    let s = line.settings(|pairs| settings::init_producer(pairs))?;
    known.meet(&client);
    Ok(Command::InitProducerRaw {
        client,
        transactional_id: s.transactional_id,
        timeout: s.transaction_timeout,
    })
}

fn seek(line: &mut Cursor<'_>) -> Parsed<Seek> {
    let words = &[
        ("beginning", Seek::Beginning),
        ("end", Seek::End),
        ("outside", Seek::Outside),
    ];
    let number = |word: &Word| word.text.starts_with(|c: char| c.is_ascii_digit());
    match line.peek() {
        Some(word) if !number(word) => line.one_of(WordKind::Place, words),
        _ => line.boundary().map(Seek::Offset),
    }
}

/// Partitions to the end of the line, at least one.
pub(super) fn several(line: &mut Cursor<'_>, known: &Known) -> Parsed<Vec<PartitionName>> {
    let mut all = line.partitions(known)?;
    while line.peek().is_some() {
        all.extend(line.partitions(known)?);
    }
    Ok(all)
}

/// One of these words and no other.
pub(super) fn word(line: &mut Cursor<'_>, text: &'static str) -> Parsed<()> {
    line.one_of(WordKind::Option, &[(text, ())])
}

/// `orders-0=5 leader-epoch=0 metadata="batch 17" orders-1=7`: what stands behind a position
/// belongs to it.
pub(super) fn offsets(
    line: &mut Cursor<'_>,
    known: &Known,
    strict: Strict,
) -> Parsed<Vec<(PartitionName, Committed)>> {
    let mut all: Vec<(PartitionName, Committed)> = vec![];
    loop {
        let word = line.next(Wanted::Position)?;
        let Some((name, value)) = word.pair() else {
            return line.wanted(Wanted::Position, word);
        };
        match (name, all.last_mut()) {
            ("metadata", Some((_, at))) => at.metadata = value.into(),
            ("leader-epoch", Some((_, at))) => {
                let mut epoch = 0;
                line.put_number(word, value, Wanted::Number, &mut epoch)?;
                at.leader_epoch = Some(Epoch(epoch));
            }
            ("metadata" | "leader-epoch", None) => return line.wanted(Wanted::Position, word),
            _ => {
                let partition = named(line, word, name, known, strict)?;
                if all.iter().any(|(other, _)| *other == partition) {
                    let word_again = name.into();
                    return line.fault(word.column, Problem::Twice { word: word_again });
                }
                // By hand a broker is sent also what no client would send (R-COM-2).
                let minus = strict == Strict::No && value.starts_with('-');
                let mut boundary = 0;
                let digits = if minus { &value[1..] } else { value };
                line.put_number(word, digits, Wanted::Boundary, &mut boundary)?;
                let boundary = Boundary(if minus { -boundary } else { boundary });
                all.push((partition, Committed::at(boundary)));
            }
        }
        if line.peek().is_none() {
            return Ok(all);
        }
    }
}

/// A partition in a word, of this scenario or (by hand) of any name.
pub(super) fn named(
    line: &Cursor<'_>,
    word: &Word,
    text: &str,
    known: &Known,
    strict: Strict,
) -> Parsed<PartitionName> {
    if strict == Strict::Yes {
        return line.partition_in(word, text, known);
    }
    let Some((topic, partition)) = text.rsplit_once('-').filter(|(topic, _)| !topic.is_empty())
    else {
        return line.wanted(Wanted::Partition, word);
    };
    Ok(PartitionName {
        topic: topic.into(),
        partition: line.parsed(word, partition, Wanted::Partition)?,
    })
}

/// `member=ID generation=1 instance=NAME`, all of them or none.
pub(super) fn member(line: &mut Cursor<'_>) -> Parsed<MemberRef> {
    let mut member = MemberRef::none();
    while let Some((name, value)) = line.peek().and_then(|word| word.pair()) {
        if !matches!(name, "member" | "generation" | "epoch" | "instance") {
            break;
        }
        let word = line.next(Wanted::Setting)?;
        let text = || Rc::<str>::from(value);
        match name {
            "member" => member.id = text(),
            "instance" => member.instance = Some(text()),
            // Epochs of members go down to -2 (R-848-3).
            _ => match value.parse() {
                Ok(n) if n >= -2 => member.generation = n,
                _ => {
                    let (what, found) = (Wanted::Number, Some(value.into()));
                    return line.fault(word.value_column(), Problem::Expected { what, found });
                }
            },
        }
    }
    Ok(member)
}
