//! An administrator's command lines: topics, settings, deleted records.

use super::command::{REQUEST_TIMEOUT, options};
use super::line::{Cursor, Known, Parsed};
use crate::kafka::config::{BrokerConfig, ServerConfig, TopicConfig};
use crate::kafka::ids::*;
use crate::script::error::{Problem, Wanted, WordKind};
use crate::script::lex::Word;
use crate::script::settings::refused;
use crate::world::command::Command;
use std::rc::Rc;

/// The most partitions a topic may have: more than any picture shows.
const MOST_PARTITIONS: u16 = 1_000;

pub(super) fn topic(line: &mut Cursor<'_>, known: &mut Known) -> Parsed<Command> {
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
            let most = MOST_PARTITIONS / (assignment.len() as u16).max(1);
            if times > most {
                let problem = Problem::TooLarge {
                    found: value.into(),
                    most: most.to_string(),
                };
                return line.fault(word.value_column(), problem);
            }
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
pub(super) fn config(line: &mut Cursor<'_>, known: &Known, set: bool) -> Parsed<Command> {
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

pub(super) fn delete_records(line: &mut Cursor<'_>, known: &Known) -> Parsed<Command> {
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
