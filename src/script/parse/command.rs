//! Command lines.

use super::admin::{config, delete_records, topic};
use super::client::{assign, fetch_raw, list_offsets, produce_raw, records};
use super::line::{Cursor, Known, Parsed, Whole, span, too_large};
use super::{consumer, fact, group};
use crate::kafka::ids::*;
use crate::kafka::map::Map;
use crate::script::ast::PROCESS_WORDS;
use crate::script::error::{ClientIs, Problem, Wanted, WordKind};
use crate::script::lex::Word;
use crate::script::settings::{self, unknown};
use crate::world::command::{Command, Condition, Keep, Ticket};

/// The word each command line begins with.
pub(super) const WORDS: &[&str] = &[
    "topic",
    "alter-config",
    "delete-config",
    "elect",
    "reassign",
    "delete-records",
    "kill",
    "shutdown",
    "start",
    "freeze",
    "thaw",
    "new-disk",
    "cut",
    "heal",
    "delay",
    "delay-fetch-answers",
    "hold",
    "release",
    "lose",
    "producer",
    "produce",
    "produce-raw",
    "assign",
    "poll",
    "fetch-raw",
    "list-offsets",
    "subscribe",
    "seek",
    "pause",
    "resume",
    "commit",
    "commit-async",
    "committed",
    "process",
    "save",
    "close",
    "crash",
    "init-transactions",
    "begin",
    "commit-transaction",
    "abort",
    "send-offsets",
    "init-producer",
    "call",
    "reset-offsets",
    "delete-group",
    "delete-offsets",
    "delete-topic",
    "advance",
    "step",
    "until",
    "settle",
    "ask",
    "deliver",
    "fetch",
    "apply-metadata",
    "fence",
    "unfence",
    "lapse",
];

/// How long a command waits when its line does not say.
pub(in crate::script) const UNTIL_LIMIT: Ms = Ms(60_000);
pub(in crate::script) const SETTLE_QUIET: Ms = Ms(1_500);
pub(in crate::script) const SETTLE_LIMIT: Ms = Ms(120_000);
pub(in crate::script) const POLL_TIMEOUT: Ms = Ms(1_000);
pub(in crate::script) const REQUEST_TIMEOUT: Ms = Ms(30_000);

/// The command of a line whose first word is `verb`; several where the line stands for several.
pub(super) fn command(
    verb: &Word,
    line: &mut Cursor<'_>,
    known: &mut Known,
) -> Parsed<Vec<Command>> {
    let one = |command: Command| Ok(vec![command]);
    let commands: Parsed<Vec<Command>> = match verb.text.as_str() {
        "topic" => topic(line, known).and_then(one),
        "alter-config" => config(line, known, true).and_then(one),
        "delete-config" => config(line, known, false).and_then(one),
        "elect" => {
            let kinds = &[("preferred", false), ("unclean", true)];
            let unclean = line.one_of(WordKind::Election, kinds)?;
            let mut partitions = vec![];
            while line.peek().is_some() {
                partitions.extend(line.partitions(known)?);
            }
            let partitions = Some(partitions).filter(|p| !p.is_empty());
            one(Command::ElectLeaders {
                unclean,
                partitions,
            })
        }
        "reassign" => {
            let partition = line.partition(known)?;
            let replicas = match line.peek() {
                Some(word) if word.text == "cancel" => {
                    line.next(Wanted::Brokers)?;
                    None
                }
                _ => Some(line.brokers(known)?),
            };
            one(Command::Reassign {
                partition,
                replicas,
            })
        }
        "delete-records" => delete_records(line, known).and_then(one),

        "kill" => {
            let broker = line.broker(known)?;
            let keep = match line.peek() {
                Some(word) if word.text == "keep" => keep(line, known)?,
                Some(word) => return line.unknown(WordKind::Option, word, &["keep"]),
                None => Keep::Everything,
            };
            one(Command::Kill { broker, keep })
        }
        "shutdown" => line
            .broker(known)
            .map(|broker| vec![Command::Shutdown { broker }]),
        "start" => line
            .broker(known)
            .map(|broker| vec![Command::Start { broker }]),
        "freeze" => line
            .broker(known)
            .map(|broker| vec![Command::Freeze { broker }]),
        "thaw" => line
            .broker(known)
            .map(|broker| vec![Command::Thaw { broker }]),
        "new-disk" => line
            .broker(known)
            .map(|broker| vec![Command::NewDisk { broker }]),

        "cut" | "heal" | "hold" | "release" | "lose" | "deliver" => {
            let links = line.link(known)?.into_iter();
            Ok(links
                .map(|(from, to)| match verb.text.as_str() {
                    "cut" => Command::Cut { from, to },
                    "heal" => Command::Heal { from, to },
                    "hold" => Command::Hold { from, to },
                    "release" => Command::Release { from, to },
                    "lose" => Command::Lose { from, to },
                    _ => Command::Deliver { from, to },
                })
                .collect())
        }
        "delay" => {
            let links = line.link(known)?.into_iter();
            let delay = line.time()?;
            Ok(links
                .map(|(from, to)| Command::Delay { from, to, delay })
                .collect())
        }
        "delay-fetch-answers" => one(Command::DelayFetchAnswers {
            broker: line.broker(known)?,
            delay: line.time()?,
        }),

        "producer" => {
            let client = line.name()?;
            line.not_declared(known, &client)?;
            let settings = line.settings(|pairs| settings::producer(pairs))?;
            let transactional = settings.transactional_id.is_some();
            known.declare(&client, ClientIs::Producer, transactional, line);
            one(Command::Producer { client, settings })
        }
        // A producer that no line declared would be a slip of the finger with default settings.
        "produce" => {
            let client = line.client(known)?;
            line.of_kind(known, &client, ClientIs::Producer)?;
            let partitions = line.partitions(known)?;
            let records = records(line)?;
            Ok(partitions
                .into_iter()
                .map(|partition| Command::Produce {
                    client: client.clone(),
                    partition,
                    records: records.clone(),
                })
                .collect())
        }
        "produce-raw" => produce_raw(line, known).and_then(one),
        "assign" => assign(line, known).and_then(one),
        "poll" => {
            let client = line.client(known)?;
            line.of_kind(known, &client, ClientIs::Consumer)?;
            let mut timeout = POLL_TIMEOUT;
            options(
                line,
                &mut [("timeout", &mut |l, w, v| l.put_time(w, v, &mut timeout))],
            )?;
            one(Command::Poll { client, timeout })
        }
        "fetch-raw" => fetch_raw(line, known).and_then(one),
        "list-offsets" => list_offsets(line, known).and_then(one),

        verb @ ("subscribe" | "seek" | "pause" | "resume" | "commit" | "commit-async"
        | "committed" | "process" | "save" | "close" | "crash") => {
            consumer::consumer(verb, line, known).and_then(one)
        }
        verb @ ("init-transactions" | "begin" | "commit-transaction" | "abort" | "send-offsets"
        | "init-producer") => consumer::transaction(verb, line, known).and_then(one),
        "call" => group::group(line, known).and_then(one),
        "reset-offsets" => group::reset(line, known).and_then(one),
        "delete-group" => group::delete_group(line, known).and_then(one),
        "delete-offsets" => group::delete_offsets(line, known).and_then(one),
        "delete-topic" => group::delete_topic(line, known).and_then(one),

        "advance" => line.time().map(|ms| vec![Command::Advance(ms)]),
        "step" => one(Command::Step),
        "until" => {
            let condition = condition(line, known)?;
            let mut limit = UNTIL_LIMIT;
            if line.peek().is_some_and(|word| word.text == "within") {
                line.next(Wanted::Time)?;
                limit = line.time()?;
            }
            one(Command::Until { condition, limit })
        }
        "settle" => {
            let (mut quiet, mut limit) = (SETTLE_QUIET, SETTLE_LIMIT);
            options(
                line,
                &mut [
                    ("quiet", &mut |l, w, v| l.put_time(w, v, &mut quiet)),
                    ("within", &mut |l, w, v| l.put_time(w, v, &mut limit)),
                ],
            )?;
            one(Command::Settle { quiet, limit })
        }

        "ask" => line
            .broker(known)
            .map(|follower| vec![Command::Ask { follower }]),
        "fetch" => line
            .broker(known)
            .map(|follower| vec![Command::FetchNow { follower }]),
        "apply-metadata" => line
            .broker(known)
            .map(|broker| vec![Command::ApplyMetadata { broker }]),
        "fence" => line
            .broker(known)
            .map(|broker| vec![Command::Fence { broker }]),
        "unfence" => line
            .broker(known)
            .map(|broker| vec![Command::Unfence { broker }]),
        "lapse" => {
            let follower = line.broker(known)?;
            let word = line.next(Wanted::Name)?;
            if word.text != "at" {
                return line.unknown(WordKind::Option, word, &["at"]);
            }
            let leader = line.broker(known)?;
            one(Command::Lapse { leader, follower })
        }
        _ => line.unknown(WordKind::Command, verb, WORDS),
    };
    let commands = commands?;
    line.done()?;
    Ok(commands)
}

impl Cursor<'_> {
    pub(super) fn put_time(&self, word: &Word, value: &str, place: &mut Ms) -> Parsed<()> {
        match span(value) {
            Ok(ms) => *place = ms,
            Err(problem) => return self.fault(word.value_column(), problem),
        }
        Ok(())
    }

    pub(super) fn put_number<T: Whole>(
        &self,
        word: &Word,
        value: &str,
        what: Wanted,
        place: &mut T,
    ) -> Parsed<()> {
        match value.parse() {
            Ok(n) if !value.starts_with(['-', '+']) => *place = n,
            _ => {
                let expected = Problem::Expected {
                    what,
                    found: Some(value.into()),
                };
                let problem = too_large(value, T::MOST).unwrap_or(expected);
                return self.fault(word.value_column(), problem);
            }
        }
        Ok(())
    }
}

pub(super) type Put<'p> = &'p mut dyn FnMut(&Cursor<'_>, &Word, &str) -> Parsed<()>;

/// The rest of the line as options `name=value`.
pub(super) fn options(line: &mut Cursor<'_>, valid: &mut [(&str, Put<'_>)]) -> Parsed<()> {
    for word in line.pairs()? {
        let (name, value) = word.pair().unwrap_or_default();
        match valid.iter_mut().find(|(n, _)| *n == name) {
            Some((_, put)) => put(line, word, value)?,
            None => {
                let names: Vec<&str> = valid.iter().map(|(n, _)| *n).collect();
                return line.fault(word.column, unknown(WordKind::Option, name, &names));
            }
        }
    }
    Ok(())
}

/// `keep orders-0<2 orders-1<0`.
fn keep(line: &mut Cursor<'_>, known: &Known) -> Parsed<Keep> {
    line.next(Wanted::Boundaries)?;
    let mut below = Map::new();
    loop {
        let word = line.next(Wanted::Boundaries)?;
        let Some((partition, boundary)) = word.text.split_once('<') else {
            return line.wanted(Wanted::Boundaries, word);
        };
        let partition = line.partition_in(word, partition, known)?;
        let boundary = line.parsed(word, boundary, Wanted::Boundaries)?;
        below.insert(partition, Boundary(boundary));
        if line.peek().is_none() {
            return Ok(Keep::Below(below));
        }
    }
}

const CONDITIONS: &[&str] = &[
    "leader",
    "isr",
    "fenced",
    "process",
    "log-end",
    "high-watermark",
    "log-start",
    "last-stable",
    "cleaned-to",
    "answered",
    "replied",
    "event",
];

fn condition(line: &mut Cursor<'_>, known: &Known) -> Parsed<Condition> {
    line.inner();
    let word = line.next(Wanted::Name)?;
    Ok(match word.text.as_str() {
        "leader" => {
            let partition = line.partition(known)?;
            line.equals()?;
            Condition::Leader(partition, line.broker_or_none(known)?)
        }
        "isr" => {
            let partition = line.partition(known)?;
            line.equals()?;
            Condition::Isr(partition, line.brokers(known)?.into_iter().collect())
        }
        "fenced" => {
            let broker = line.broker(known)?;
            line.equals()?;
            Condition::Fenced(broker, line.yes_no()?)
        }
        "process" => {
            let broker = line.broker(known)?;
            line.equals()?;
            Condition::Process(broker, line.one_of(WordKind::ProcessState, PROCESS_WORDS)?)
        }
        "log-end" => {
            let (broker, partition) = (line.broker(known)?, line.partition(known)?);
            line.equals()?;
            Condition::LogEnd(broker, partition, line.boundary()?)
        }
        "high-watermark" => {
            let (broker, partition) = (line.broker(known)?, line.partition(known)?);
            line.equals()?;
            Condition::HighWatermark(broker, partition, line.boundary()?)
        }
        "log-start" => {
            let (broker, partition) = (line.broker(known)?, line.partition(known)?);
            line.equals()?;
            Condition::LogStart(broker, partition, line.boundary()?)
        }
        "last-stable" => {
            let (broker, partition) = (line.broker(known)?, line.partition(known)?);
            line.equals()?;
            Condition::LastStable(broker, partition, line.boundary()?)
        }
        "cleaned-to" => {
            let (broker, partition) = (line.broker(known)?, line.partition(known)?);
            line.equals()?;
            Condition::CleanedTo(broker, partition, line.boundary()?)
        }
        "answered" => Condition::Answered(line.client(known)?),
        "replied" => Condition::Replied(Ticket(line.number(Wanted::Number)?)),
        "event" => {
            let (kind, fields) = fact::event(line, known)?;
            Condition::Event { kind, fields }
        }
        _ => return line.unknown(WordKind::Condition, word, CONDITIONS),
    })
}
