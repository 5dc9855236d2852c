//! Conditions and facts as the language writes them.

use super::{bare, list, name, or_none, quote, time, values_text, word_of, yes_no};
use crate::kafka::event::EventKind;
use crate::kafka::event_fields::Names;
use crate::script::ast::*;
use crate::world::command::Condition;
use std::rc::Rc;

/// A condition as the language writes it.
pub fn condition_text(condition: &Condition) -> String {
    match condition {
        Condition::Leader(p, leader) => format!("leader {} = {}", name(p), or_none(leader)),
        Condition::Isr(p, isr) => format!("isr {} = {}", name(p), list(isr.iter())),
        Condition::Fenced(b, fenced) => format!("fenced {b} = {}", yes_no(*fenced)),
        Condition::Process(b, process) => {
            format!("process {b} = {}", word_of(PROCESS_WORDS, process))
        }
        Condition::LogEnd(b, p, at) => format!("log-end {b} {} = {at}", name(p)),
        Condition::HighWatermark(b, p, at) => format!("high-watermark {b} {} = {at}", name(p)),
        Condition::LogStart(b, p, at) => format!("log-start {b} {} = {at}", name(p)),
        Condition::LastStable(b, p, at) => format!("last-stable {b} {} = {at}", name(p)),
        Condition::CleanedTo(b, p, at) => format!("cleaned-to {b} {} = {at}", name(p)),
        Condition::Replied(ticket) => format!("replied {}", ticket.0),
        Condition::Answered(client) => format!("answered {client}"),
        Condition::Event { kind, fields } => event_text(kind, fields),
    }
}

fn event_text(kind: &str, fields: &[(Rc<str>, Rc<str>)]) -> String {
    let mut text = format!("event {kind}");
    for (name, value) in fields {
        text += &format!(" {name}={}", bare(value));
    }
    text
}

/// An event with all its fields, as `expect` and `until` ask for it.
pub fn event_line(event: &EventKind, names: &dyn Names) -> String {
    let keys = EventKind::fields_of(event.name()).unwrap_or_default();
    let fields = keys.iter().filter_map(|key| {
        let value = event.field_named(key, names)?;
        Some(((*key).into(), value.into()))
    });
    event_text(event.name(), &fields.collect::<Vec<_>>())
}

/// A fact as the language writes it.
pub fn fact_text(fact: &Fact) -> String {
    match fact {
        Fact::Leader(p, leader) => format!("leader {} = {}", name(p), or_none(leader)),
        Fact::LeaderEpoch(p, epoch) => format!("leader-epoch {} = {epoch}", name(p)),
        Fact::Isr(p, isr) => format!("isr {} = {}", name(p), list(isr.iter())),
        Fact::Elr(p, elr) => format!("elr {} = {}", name(p), list(elr.iter())),
        Fact::Bound(bound, b, p, at) => {
            format!("{} {b} {} = {at}", word_of(Bound::WORDS, bound), name(p))
        }
        Fact::Records(b, p, values) => format!("records {b} {} = {}", name(p), values_text(values)),
        Fact::Role(b, p, role) => format!("role {b} {} = {}", name(p), word_of(Role::WORDS, role)),
        Fact::Process(b, process) => format!("process {b} = {}", word_of(PROCESS_WORDS, process)),
        Fact::Fenced(b, fenced) => format!("fenced {b} = {}", yes_no(*fenced)),
        Fact::Sent(client, value, sent) => match sent {
            Sent::Confirmed(offset) => {
                format!("confirmed {client} {} = {}", quote(value), or_none(offset))
            }
            Sent::Failed(error) => format!("failed {client} {} = {error}", quote(value)),
            Sent::Pending => format!("pending {client} {}", quote(value)),
        },
        Fact::Attempts(client, value, n) => format!("attempts {client} {} = {n}", quote(value)),
        Fact::Waited(client, value, ms, unit) => {
            let time = match unit.0 {
                100 => format!("{}.{}s", ms.0 / 1_000, ms.0 % 1_000 / 100),
                1 => format!("{ms}ms"),
                _ => time(*ms),
            };
            format!("waited {client} {} = {time}", quote(value))
        }
        Fact::Lost(values) => format!("lost = {}", values_text(values)),
        Fact::Received(client, values) => format!("received {client} = {}", values_text(values)),
        Fact::At(client, p, at) => format!("position {client} {} = {at}", name(p)),
        Fact::Count(count, n) => format!("{} = {n}", word_of(Count::WORDS, count)),
        Fact::Leads(b, n) => format!("leads {b} = {n}"),
        Fact::Assignment(client, partitions) => {
            let all: Vec<String> = partitions.iter().map(name).collect();
            let all = if all.is_empty() {
                "none".into()
            } else {
                all.join(" ")
            };
            format!("assignment {client} = {all}")
        }
        Fact::Processed(c, p, at) => format!("processed {c} {} = {}", name(p), or_none(at)),
        Fact::Saved(c, p, at) => format!("saved {c} {} = {}", name(p), or_none(at)),
        Fact::Effect(c, value, n) => format!("effect {c} {} = {n}", quote(value)),
        Fact::Committed(group, p, at) => {
            format!("committed {} {} = {}", bare(group), name(p), or_none(at))
        }
        Fact::Metadata(group, p, text) => {
            format!("metadata {} {} = {}", bare(group), name(p), quote(text))
        }
        Fact::GroupState(group, state) => {
            let word = word_of(GROUP_STATE_WORDS, state);
            format!("group-state {} = {word}", bare(group))
        }
        Fact::Members(group, n) => format!("members {} = {n}", bare(group)),
        Fact::Generation(group, n) => format!("generation {} = {n}", bare(group)),
        Fact::Transaction(id, state) => {
            let word = word_of(TRANSACTION_STATE_WORDS, state);
            format!("transaction {} = {word}", bare(id))
        }
        Fact::Lag(instrument, whose, p, n) => {
            let word = word_of(Instrument::WORDS, instrument);
            format!("lag {word} {} {} = {}", bare(whose), name(p), or_none(n))
        }
        Fact::Event {
            happened,
            kind,
            fields,
        } => {
            let no = if *happened { "" } else { "no " };
            format!("{no}{}", event_text(kind, fields))
        }
    }
}
