//! Command lines.

use super::fact;
use super::line::{Cursor, Known, Parsed, time};
use crate::kafka::batch::NewRecord;
use crate::kafka::config::{BrokerConfig, ServerConfig, TopicConfig};
use crate::kafka::ids::*;
use crate::kafka::message::{Isolation, OffsetSpec};
use crate::script::ast::PROCESS_WORDS;
use crate::script::error::{Problem, Wanted, WordKind};
use crate::script::lex::Word;
use crate::script::settings::{self, refused, unknown};
use crate::world::command::{Command, Condition, Keep, Ticket};
use std::collections::BTreeMap;
use std::rc::Rc;

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
            let settings = line.settings(|pairs| settings::producer(pairs))?;
            known.meet(&client);
            one(Command::Producer { client, settings })
        }
        "produce" => {
            let client = line.name()?;
            let partitions = line.partitions(known)?;
            let records = records(line)?;
            known.meet(&client);
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
            let mut timeout = POLL_TIMEOUT;
            options(
                line,
                &mut [("timeout", &mut |l, w, v| l.put_time(w, v, &mut timeout))],
            )?;
            one(Command::Poll { client, timeout })
        }
        "fetch-raw" => fetch_raw(line, known).and_then(one),
        "list-offsets" => list_offsets(line, known).and_then(one),

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
    fn put_time(&self, word: &Word, value: &str, place: &mut Ms) -> Parsed<()> {
        match time(value) {
            Some(ms) => *place = ms,
            None => {
                return self.fault(
                    word.value_column(),
                    Problem::Expected {
                        what: Wanted::Time,
                        found: Some(value.into()),
                    },
                );
            }
        }
        Ok(())
    }

    fn put_number<T: std::str::FromStr>(
        &self,
        word: &Word,
        value: &str,
        what: Wanted,
        place: &mut T,
    ) -> Parsed<()> {
        match value.parse() {
            Ok(n) if !value.starts_with(['-', '+']) => *place = n,
            _ => {
                return self.fault(
                    word.value_column(),
                    Problem::Expected {
                        what,
                        found: Some(value.into()),
                    },
                );
            }
        }
        Ok(())
    }
}

type Put<'p> = &'p mut dyn FnMut(&Cursor<'_>, &Word, &str) -> Parsed<()>;

/// The rest of the line as options `name=value`.
fn options(line: &mut Cursor<'_>, valid: &mut [(&str, Put<'_>)]) -> Parsed<()> {
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

fn topic(line: &mut Cursor<'_>, known: &mut Known) -> Parsed<Command> {
    let name = line.id()?;
    let mut assignment = vec![line.brokers(known)?];
    while line.peek().is_some_and(|word| word.text.starts_with('[')) {
        assignment.push(line.brokers(known)?);
    }
    let mut times: u16 = 1;
    let mut config = vec![];
    for word in line.pairs()? {
        let (name, value) = word.pair().unwrap_or_default();
        if name == "times" {
            line.put_number(word, value, Wanted::Number, &mut times)?;
            continue;
        }
        topic_setting(line, word, name, Some(value))?;
        config.push((name.into(), value.into()));
    }
    let unit = assignment.len() as u16;
    let all = unit.saturating_mul(times.max(1));
    let assignment: Vec<_> = assignment.into_iter().cycle().take(all.into()).collect();
    if known.topics.iter().any(|(other, _)| *other == name) {
        let word = format!("topic {name}");
        return line.fault(1, Problem::Twice { word });
    }
    known.topics.push((name.clone(), assignment.len() as u16));
    Ok(Command::CreateTopic {
        name,
        assignment,
        config,
    })
}

fn topic_setting(line: &Cursor<'_>, word: &Word, name: &str, value: Option<&str>) -> Parsed<()> {
    TopicConfig::default().set(name, value).or_else(|error| {
        let problem = refused(WordKind::TopicSetting, TopicConfig::NAMES, error);
        line.fault(setting_column(word, &problem), problem)
    })
}

fn setting_column(word: &Word, problem: &Problem) -> u32 {
    match problem {
        Problem::UnknownWord { .. } => word.column,
        _ => word.value_column(),
    }
}

/// `alter-config topic orders name=value`, `delete-config broker 1 name`.
fn config(line: &mut Cursor<'_>, known: &Known, set: bool) -> Parsed<Command> {
    let targets = &[("topic", true), ("broker", false)];
    let of_topic = line.one_of(WordKind::ConfigTarget, targets)?;
    let topic = if of_topic {
        let word = line.next(Wanted::Name)?;
        let topics: Vec<&str> = known.topics.iter().map(|(name, _)| &**name).collect();
        if !topics.contains(&word.text.as_str()) {
            return line.unknown(WordKind::Topic, word, &topics);
        }
        Some(Rc::<str>::from(word.text.as_str()))
    } else {
        None
    };
    let broker = if of_topic {
        None
    } else {
        Some(line.broker(known)?)
    };
    let word = line.next(Wanted::Setting)?;
    let (name, value) = match (word.pair(), set) {
        (Some((name, value)), true) => (name, Some(value)),
        (None, false) => (word.text.as_str(), None),
        _ if set => return line.wanted(Wanted::Setting, word),
        _ => return line.wanted(Wanted::Name, word),
    };
    if let Some(topic) = topic {
        topic_setting(line, word, name, value)?;
        return Ok(Command::AlterTopicConfig {
            topic,
            name: name.into(),
            value: value.map(Into::into),
        });
    }
    if let Err(error) = BrokerConfig::default().set(name, value) {
        let names = &["follower.replication.throttled.rate"];
        let problem = refused(WordKind::BrokerSetting, names, error);
        return line.fault(setting_column(word, &problem), problem);
    }
    Ok(Command::AlterBrokerConfig {
        broker: broker.unwrap_or_default(),
        name: name.into(),
        value: value.map(Into::into),
    })
}

/// A server setting of a `config` line.
pub(super) fn server_setting(line: &Cursor<'_>, word: &Word) -> Parsed<(Rc<str>, Rc<str>)> {
    let Some((name, value)) = word.pair() else {
        return line.wanted(Wanted::Setting, word);
    };
    match ServerConfig::default().set(name, value) {
        Ok(()) => Ok((name.into(), value.into())),
        Err(error) => {
            let problem = refused(WordKind::ServerSetting, ServerConfig::NAMES, error);
            line.fault(setting_column(word, &problem), problem)
        }
    }
}

fn delete_records(line: &mut Cursor<'_>, known: &Known) -> Parsed<Command> {
    let partition = line.partition(known)?;
    let word = line.next(Wanted::Name)?;
    if word.text != "before" {
        return line.unknown(WordKind::Option, word, &["before"]);
    }
    let before = match line.peek() {
        Some(word) if word.text == "high-watermark" => {
            line.next(Wanted::Boundary)?;
            Boundary(-1)
        }
        _ => line.boundary()?,
    };
    let mut timeout = REQUEST_TIMEOUT;
    options(
        line,
        &mut [("timeout", &mut |l, w, v| l.put_time(w, v, &mut timeout))],
    )?;
    Ok(Command::DeleteRecords {
        partition,
        before,
        timeout,
    })
}

/// `keep orders-0<2 orders-1<0`.
fn keep(line: &mut Cursor<'_>, known: &Known) -> Parsed<Keep> {
    line.next(Wanted::Boundaries)?;
    let mut below = BTreeMap::new();
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

/// Records to the end of the line: `"value"`, `key="value"`, `null`.
fn records(line: &mut Cursor<'_>) -> Parsed<Vec<NewRecord>> {
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
        records.push(NewRecord {
            key,
            value,
            timestamp: Ms(0),
        });
        if line.peek().is_none() {
            return Ok(records);
        }
    }
}

/// `produce-raw x to 1 orders-0 acks=all timeout=30s "value"`: options first, then records.
fn produce_raw(line: &mut Cursor<'_>, known: &mut Known) -> Parsed<Command> {
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
    if let Some(("timeout", value)) = line.peek().and_then(|word| word.pair()) {
        let word = line.next(Wanted::Time)?;
        line.put_time(word, value, &mut timeout)?;
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
    })
}

fn assign(line: &mut Cursor<'_>, known: &mut Known) -> Parsed<Command> {
    let client = line.name()?;
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
    known.meet(&client);
    Ok(Command::Assign {
        client,
        partitions,
        seek,
        settings,
    })
}

fn fetch_raw(line: &mut Cursor<'_>, known: &mut Known) -> Parsed<Command> {
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
fn list_offsets(line: &mut Cursor<'_>, known: &mut Known) -> Parsed<Command> {
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

const CONDITIONS: &[&str] = &[
    "leader",
    "isr",
    "fenced",
    "process",
    "log-end",
    "high-watermark",
    "answered",
    "replied",
    "event",
];

fn condition(line: &mut Cursor<'_>, known: &Known) -> Parsed<Condition> {
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
        "answered" => Condition::Answered(line.client(known)?),
        "replied" => Condition::Replied(Ticket(line.number(Wanted::Number)?)),
        "event" => {
            let (kind, fields) = fact::event(line, known)?;
            Condition::Event { kind, fields }
        }
        _ => return line.unknown(WordKind::Condition, word, CONDITIONS),
    })
}
