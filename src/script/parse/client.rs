//! A client's command lines.

use super::command::{REQUEST_TIMEOUT, options};
use super::line::{Cursor, Known, Parsed};
use crate::kafka::batch::{NewRecord, Stamp};
use crate::kafka::ids::*;
use crate::kafka::message::{Isolation, OffsetSpec};
use crate::script::error::{ClientIs, Wanted, WordKind};
use crate::script::lex::Word;
use crate::script::settings::{self, unknown};
use crate::world::command::Command;

const LOOKUPS: &[(&str, OffsetSpec)] = &[
    ("earliest", OffsetSpec::Earliest),
    ("latest", OffsetSpec::Latest),
    ("max-timestamp", OffsetSpec::MaxTimestamp),
];

pub(in crate::script) const ISOLATIONS: &[(&str, Isolation)] = &[
    ("log-end", Isolation::LogEnd),
    ("read_uncommitted", Isolation::ReadUncommitted),
    ("read_committed", Isolation::ReadCommitted),
];

/// Units of a record's time stamp, the largest first, in ms.
pub(in crate::script) const STAMPS: &[(&str, i64)] = &[
    ("d", 86_400_000),
    ("h", 3_600_000),
    ("min", 60_000),
    ("s", 1_000),
    ("ms", 1),
];

/// `@5s`, `@-3h`: the time that a record carries, counted from time 0. Without it a record has
/// the time of its sending, so that 0 itself cannot be written.
fn stamp(line: &Cursor<'_>, word: &Word) -> Parsed<Ms> {
    let text = word.text.trim_start_matches('@');
    let (minus, text) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let factor = STAMPS.iter().find(|(name, _)| *name == unit);
    let at = number.parse::<i64>().ok().zip(factor);
    match at.and_then(|(n, (_, factor))| n.checked_mul(*factor)) {
        Some(ms) if ms > 0 => Ok(Ms(minus * ms)),
        _ => line.wanted(Wanted::Stamp, word),
    }
}

/// Records to the end of the line: `"value"`, `key="value"`, `null`, each with a time stamp
/// behind it if wanted.
pub(super) fn records(line: &mut Cursor<'_>) -> Parsed<Vec<NewRecord>> {
    let mut records = vec![];
    loop {
        let word = line.next(Wanted::Record)?;
        let (key, value, quoted) = match word.pair() {
            Some((key, value)) if !word.quoted => (Some(key.into()), value, word.value_quoted),
            _ => (None, word.text.as_str(), word.quoted),
        };
        let value = match (value, quoted) {
            ("null", false) => None,
            (value, true) => Some(value.into()),
            (_, false) => return line.wanted(Wanted::Record, word),
        };
        let mut timestamp = Ms(0);
        if let Some(word) = line.peek().filter(|w| !w.quoted && w.text.starts_with('@')) {
            line.next(Wanted::Stamp)?;
            timestamp = stamp(line, word)?;
        }
        records.push(NewRecord {
            key,
            value,
            timestamp,
        });
        if line.peek().is_none() {
            return Ok(records);
        }
    }
}

/// `produce-raw x to 1 orders-0 acks=all timeout=30s "value"`: options first, then records.
pub(super) fn produce_raw(line: &mut Cursor<'_>, known: &mut Known) -> Parsed<Command> {
    let client = line.name()?;
    let broker = line.broker(known)?;
    let partition = line.partition(known)?;
    let word = line.next(Wanted::Setting)?;
    let acks = match word.pair() {
        Some(("acks", value)) => settings::acks("acks", value)
            .or_else(|problem| line.fault(word.value_column(), problem))?,
        _ => return line.unknown(WordKind::Option, word, &["acks=all", "acks=1", "acks=0"]),
    };
    let mut timeout = REQUEST_TIMEOUT;
    let mut stamp: Option<Stamp> = None;
    while let Some(word) = line.peek().filter(|word| !word.value_quoted)
        && let Some((name, value)) = word.pair()
    {
        line.next(Wanted::Setting)?;
        let mut marked = stamp.unwrap_or(Stamp {
            producer_id: 0,
            epoch: 0,
            base_sequence: 0,
        });
        match name {
            "timeout" => {
                line.put_time(word, value, &mut timeout)?;
                continue;
            }
            "producer-id" => {
                line.put_number(word, value, Wanted::Number, &mut marked.producer_id)?;
            }
            "producer-epoch" => line.put_number(word, value, Wanted::Number, &mut marked.epoch)?,
            "sequence" => {
                line.put_number(word, value, Wanted::Number, &mut marked.base_sequence)?;
            }
            _ => {
                let words = &["timeout", "producer-id", "producer-epoch", "sequence"];
                return line.fault(word.column, unknown(WordKind::Option, name, words));
            }
        }
        stamp = Some(marked);
    }
    let records = records(line)?;
    known.meet(&client);
    Ok(Command::ProduceRaw {
        client,
        broker,
        partition,
        records,
        acks,
        timeout,
        stamp,
    })
}

pub(super) fn assign(line: &mut Cursor<'_>, known: &mut Known) -> Parsed<Command> {
    let client = line.name()?;
    line.of_kind(known, &client, ClientIs::Consumer)?;
    let mut partitions = line.partitions(known)?;
    while line.peek().is_some_and(|word| word.eq.is_none()) {
        partitions.extend(line.partitions(known)?);
    }
    let mut seek = None;
    if let Some(("seek", value)) = line.peek().and_then(|word| word.pair()) {
        let word = line.next(Wanted::Boundary)?;
        let mut boundary = 0;
        line.put_number(word, value, Wanted::Boundary, &mut boundary)?;
        seek = Some(Boundary(boundary));
    }
    let settings = line.settings(|pairs| settings::consumer(pairs))?;
    known.declare(&client, ClientIs::Consumer, false, line);
    Ok(Command::Assign {
        client,
        partitions,
        seek,
        settings,
    })
}

pub(super) fn fetch_raw(line: &mut Cursor<'_>, known: &mut Known) -> Parsed<Command> {
    let client = line.name()?;
    let broker = line.broker(known)?;
    let partition = line.partition(known)?;
    let (mut offset, mut rack, mut epoch) = (0, None, None);
    options(
        line,
        &mut [
            ("offset", &mut |l, w, v| {
                l.put_number(w, v, Wanted::Boundary, &mut offset)
            }),
            ("rack", &mut |_, _, v| {
                rack = Some(v.into());
                Ok(())
            }),
            ("leader-epoch", &mut |l, w, v| {
                let mut n = 0;
                l.put_number(w, v, Wanted::Number, &mut n)?;
                epoch = Some(Epoch(n));
                Ok(())
            }),
        ],
    )?;
    known.meet(&client);
    Ok(Command::FetchRaw {
        client,
        broker,
        partition,
        offset: Boundary(offset),
        rack,
        current_leader_epoch: epoch,
    })
}

/// `list-offsets c1 orders-0 latest`, `list-offsets c1 orders-0 timestamp=5`.
pub(super) fn list_offsets(line: &mut Cursor<'_>, known: &mut Known) -> Parsed<Command> {
    let client = line.name()?;
    let partition = line.partition(known)?;
    let spec = match line.peek().and_then(|word| word.pair()) {
        Some(("timestamp", value)) => {
            let word = line.next(Wanted::Number)?;
            let mut at = 0;
            line.put_number(word, value, Wanted::Number, &mut at)?;
            OffsetSpec::Timestamp(Ms(at))
        }
        _ => line.one_of(WordKind::Lookup, LOOKUPS)?,
    };
    let mut isolation = Isolation::ReadUncommitted;
    options(
        line,
        &mut [("isolation", &mut |l, w, v| {
            match ISOLATIONS.iter().find(|(word, _)| *word == v) {
                Some((_, found)) => isolation = *found,
                None => {
                    let words: Vec<&str> = ISOLATIONS.iter().map(|(w, _)| *w).collect();
                    return l.fault(w.value_column(), unknown(WordKind::Isolation, v, &words));
                }
            }
            Ok(())
        })],
    )?;
    known.meet(&client);
    Ok(Command::ListOffsets {
        client,
        partition,
        spec,
        isolation,
    })
}
