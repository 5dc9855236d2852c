//! What an `expect` line claims of consumers, groups and transactions.

use super::line::{Cursor, Known, Parsed};
use crate::kafka::ids::*;
use crate::script::ast::*;
use crate::script::error::{Wanted, WordKind};

/// The words of these facts.
pub(super) const WORDS: &[&str] = &[
    "assignment",
    "processed",
    "saved",
    "effect",
    "committed",
    "metadata",
    "group-state",
    "members",
    "generation",
    "transaction",
    "lag",
];

/// The fact behind its word; `None`: not one of these.
pub(super) fn fact(word: &str, line: &mut Cursor<'_>, known: &Known) -> Parsed<Option<Fact>> {
    Ok(Some(match word {
        "assignment" => {
            let client = line.client(known)?;
            line.equals()?;
            let none = line.peek().is_some_and(|word| word.text == "none");
            let partitions = if none {
                line.next(Wanted::Partition)?;
                vec![]
            } else {
                super::consumer::several(line, known)?
            };
            Fact::Assignment(client, partitions)
        }
        "processed" | "saved" => {
            let (client, partition) = (line.client(known)?, line.partition(known)?);
            line.equals()?;
            let at = or_none(line)?;
            match word {
                "processed" => Fact::Processed(client, partition, at),
                _ => Fact::Saved(client, partition, at),
            }
        }
        "effect" => {
            let client = line.client(known)?;
            let value = line.next(Wanted::Record)?;
            if !value.quoted {
                return line.wanted(Wanted::Record, value);
            }
            line.equals()?;
            Fact::Effect(
                client,
                value.text.as_str().into(),
                line.number(Wanted::Number)?,
            )
        }
        "committed" => {
            let (group, partition) = (line.name()?, line.partition(known)?);
            line.equals()?;
            Fact::Committed(group, partition, or_none(line)?)
        }
        "metadata" => {
            let (group, partition) = (line.name()?, line.partition(known)?);
            line.equals()?;
            let text = line.next(Wanted::Value)?;
            if !text.quoted {
                return line.wanted(Wanted::Value, text);
            }
            Fact::Metadata(group, partition, text.text.as_str().into())
        }
        "group-state" => {
            let group = line.name()?;
            line.equals()?;
            Fact::GroupState(group, line.one_of(WordKind::GroupState, GROUP_STATE_WORDS)?)
        }
        "members" => {
            let group = line.name()?;
            line.equals()?;
            Fact::Members(group, line.number(Wanted::Number)?)
        }
        "generation" => {
            let group = line.name()?;
            line.equals()?;
            Fact::Generation(group, line.number(Wanted::Number)?)
        }
        "transaction" => {
            let id = line.name()?;
            line.equals()?;
            let kind = WordKind::TransactionState;
            Fact::Transaction(id, line.one_of(kind, TRANSACTION_STATE_WORDS)?)
        }
        "lag" => {
            let instrument = line.one_of(WordKind::Instrument, Instrument::WORDS)?;
            let whose = match instrument {
                Instrument::Commit => line.name()?,
                _ => line.client(known)?,
            };
            let partition = line.partition(known)?;
            line.equals()?;
            Fact::Lag(instrument, whose, partition, difference(line)?)
        }
        _ => return Ok(None),
    }))
}

/// A boundary, or `none`.
fn or_none(line: &mut Cursor<'_>) -> Parsed<Option<Boundary>> {
    match line.peek() {
        Some(word) if word.text == "none" => {
            line.next(Wanted::Boundary)?;
            Ok(None)
        }
        _ => line.boundary().map(Some),
    }
}

/// A whole number, also below 0, or `none`.
fn difference(line: &mut Cursor<'_>) -> Parsed<Option<i64>> {
    let word = line.next(Wanted::Difference)?;
    match word.text.parse() {
        _ if word.text == "none" => Ok(None),
        Ok(n) if !word.text.starts_with('+') => Ok(Some(n)),
        _ => line.wanted(Wanted::Difference, word),
    }
}
