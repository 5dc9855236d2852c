//! What an `expect` line claims.

use super::fact_offsets;
use super::line::{Cursor, Known, Parsed};
use crate::kafka::error::KafkaError;
use crate::kafka::event::EventKind;
use crate::kafka::ids::*;
use crate::script::ast::*;
use crate::script::error::{Wanted, WordKind};
use crate::script::settings::{unknown, unknown_of_parts};
use std::rc::Rc;

const WORDS: &[&str] = &[
    "leader",
    "leader-epoch",
    "isr",
    "elr",
    "log-start",
    "log-end",
    "high-watermark",
    "last-stable",
    "records",
    "role",
    "process",
    "fenced",
    "confirmed",
    "failed",
    "pending",
    "attempts",
    "waited",
    "lost",
    "received",
    "position",
    "in-sync-replicas",
    "replicas",
    "under-replicated",
    "offline",
    "under-min-isr",
    "at-min-isr",
    "leads",
    "event",
    "no",
];

/// The fact on the rest of the line.
pub(super) fn fact(line: &mut Cursor<'_>, known: &Known) -> Parsed<Fact> {
    line.inner();
    let word = line.next(Wanted::Name)?;
    let text = word.text.as_str();
    if let Some((_, bound)) = Bound::WORDS.iter().find(|(w, _)| *w == text) {
        let (broker, partition) = (line.broker(known)?, line.partition(known)?);
        line.equals()?;
        return Ok(Fact::Bound(*bound, broker, partition, line.boundary()?));
    }
    if let Some(fact) = fact_offsets::fact(text, line, known)? {
        return Ok(fact);
    }
    if let Some((_, count)) = Count::WORDS.iter().find(|(w, _)| *w == text) {
        line.equals()?;
        return Ok(Fact::Count(*count, line.number(Wanted::Number)?));
    }
    Ok(match text {
        "leader" => {
            let partition = line.partition(known)?;
            line.equals()?;
            Fact::Leader(partition, line.broker_or_none(known)?)
        }
        "leader-epoch" => {
            let partition = line.partition(known)?;
            line.equals()?;
            Fact::LeaderEpoch(partition, Epoch(line.number(Wanted::Number)?))
        }
        "isr" | "elr" => {
            let partition = line.partition(known)?;
            line.equals()?;
            let brokers = line.brokers(known)?.into_iter().collect();
            if text == "isr" {
                Fact::Isr(partition, brokers)
            } else {
                Fact::Elr(partition, brokers)
            }
        }
        "records" => {
            let (broker, partition) = (line.broker(known)?, line.partition(known)?);
            line.equals()?;
            Fact::Records(broker, partition, values(line)?)
        }
        "role" => {
            let (broker, partition) = (line.broker(known)?, line.partition(known)?);
            line.equals()?;
            Fact::Role(broker, partition, line.one_of(WordKind::Role, Role::WORDS)?)
        }
        "process" => {
            let broker = line.broker(known)?;
            line.equals()?;
            Fact::Process(broker, line.one_of(WordKind::ProcessState, PROCESS_WORDS)?)
        }
        "fenced" => {
            let broker = line.broker(known)?;
            line.equals()?;
            Fact::Fenced(broker, line.yes_no()?)
        }
        "confirmed" => {
            let (client, value) = send(line, known)?;
            line.equals()?;
            let offset = match line.peek() {
                Some(word) if word.text == "none" => {
                    line.next(Wanted::Number)?;
                    None
                }
                _ => Some(Offset(line.number(Wanted::Number)?)),
            };
            Fact::Sent(client, value, Sent::Confirmed(offset))
        }
        "failed" => {
            let (client, value) = send(line, known)?;
            line.equals()?;
            let word = line.next(Wanted::Name)?;
            match KafkaError::from_name(&word.text) {
                Some(error) => Fact::Sent(client, value, Sent::Failed(error)),
                None => {
                    let names: Vec<&str> = KafkaError::ALL.iter().map(|e| e.name()).collect();
                    return line.unknown(WordKind::ErrorName, word, &names);
                }
            }
        }
        "pending" => {
            let (client, value) = send(line, known)?;
            Fact::Sent(client, value, Sent::Pending)
        }
        "attempts" => {
            let (client, value) = send(line, known)?;
            line.equals()?;
            Fact::Attempts(client, value, line.number(Wanted::Number)?)
        }
        "waited" => {
            let (client, value) = send(line, known)?;
            line.equals()?;
            let (ms, unit) = line.rounded_time()?;
            Fact::Waited(client, value, ms, unit)
        }
        "lost" => {
            line.equals()?;
            Fact::Lost(values(line)?)
        }
        "received" => {
            let client = line.client(known)?;
            line.equals()?;
            Fact::Received(client, values(line)?)
        }
        "position" => {
            let (client, partition) = (line.client(known)?, line.partition(known)?);
            line.equals()?;
            Fact::At(client, partition, line.boundary()?)
        }
        "leads" => {
            let broker = line.broker(known)?;
            line.equals()?;
            Fact::Leads(broker, line.number(Wanted::Number)?)
        }
        "event" => {
            let (kind, fields) = event(line, known)?;
            let happened = true;
            Fact::Event {
                happened,
                kind,
                fields,
            }
        }
        "no" => {
            line.one_of(WordKind::Fact, &[("event", ())])?;
            let (kind, fields) = event(line, known)?;
            let happened = false;
            Fact::Event {
                happened,
                kind,
                fields,
            }
        }
        _ => {
            let words: Vec<&str> = WORDS.iter().chain(fact_offsets::WORDS).copied().collect();
            return line.unknown(WordKind::Fact, word, &words);
        }
    })
}

fn send(line: &mut Cursor<'_>, known: &Known) -> Parsed<(Rc<str>, Rc<str>)> {
    let client = line.client(known)?;
    let word = line.next(Wanted::Record)?;
    if !word.quoted {
        return line.wanted(Wanted::Record, word);
    }
    Ok((client, word.text.as_str().into()))
}

/// Values in quotes to the end of the line, `null` for a tombstone; or `none` alone.
fn values(line: &mut Cursor<'_>) -> Parsed<Vec<Option<Rc<str>>>> {
    let mut values = vec![];
    loop {
        let word = line.next(Wanted::Value)?;
        match (word.text.as_str(), word.quoted) {
            ("none", false) if values.is_empty() => return Ok(values),
            ("null", false) => values.push(None),
            (value, true) => values.push(Some(value.into())),
            _ => return line.wanted(Wanted::Value, word),
        }
        if line.peek().is_none() {
            return Ok(values);
        }
    }
}

type EventFields = (Rc<str>, Vec<(Rc<str>, Rc<str>)>);

/// A kind of event and fields; up to the end of the line, or to `within`.
pub(super) fn event(line: &mut Cursor<'_>, known: &Known) -> Parsed<EventFields> {
    line.inner();
    let word = line.next(Wanted::Name)?;
    let kind = word.text.as_str();
    let Some(valid) = EventKind::fields_of(kind) else {
        let kinds: Vec<&str> = EventKind::KINDS.iter().map(|(word, _)| *word).collect();
        return line.fault(
            word.column,
            unknown_of_parts(WordKind::EventKind, kind, &kinds),
        );
    };
    let mut fields = vec![];
    while line.peek().is_some_and(|word| word.text != "within") {
        let word = line.next(Wanted::Setting)?;
        let Some((name, value)) = word.pair() else {
            return line.wanted(Wanted::Setting, word);
        };
        if !valid.contains(&name) {
            let problem = unknown_of_parts(WordKind::EventField, name, valid);
            return line.fault(word.column, problem);
        }
        // Names that stand for numbers must be those of this scenario.
        if name == "tp" {
            line.partition_in(word, value, known)?;
        }
        if name == "client" && !known.clients.iter().any(|c| **c == *value) {
            let clients: Vec<&str> = known.clients.iter().map(|c| &**c).collect();
            return line.fault(
                word.value_column(),
                unknown(WordKind::Client, value, &clients),
            );
        }
        fields.push((name.into(), value.into()));
    }
    Ok((kind.into(), fields))
}
