//! The head of a scenario: what it is and what its world starts from.

use super::line::{Cursor, Parsed};
use super::{Reader, admin, command};
use crate::kafka::ids::*;
use crate::kafka::switches::Switches;
use crate::script::ast::*;
use crate::script::error::{Place, Problem, ScriptError, Wanted, WordKind};
use crate::script::known::{ROWS, RUNS};
use crate::script::lex::Word;
use crate::script::settings::{SWITCHES, set_switch, switch_values, unknown, unknown_of_parts};
use std::rc::Rc;

pub(super) const HEAD: &[&str] = &[
    "scenario", "rows", "group", "view", "run", "title", "question", "summary", "cluster",
    "config", "switch", "lanes", "setup", "beat",
];
const CLUSTER: &[&str] = &[
    "brokers",
    "racks",
    "link-delay",
    "link-jitter",
    "seed",
    "by-hand",
    "started",
];
/// The rest of the line, at least one word, each of these words.
fn listed(line: &mut Cursor<'_>, kind: WordKind, words: &[&str]) -> Parsed<Vec<Rc<str>>> {
    let mut all = vec![];
    loop {
        let column = line.peek().map_or(1, |word| word.column);
        let id = line.id()?;
        if !words.contains(&&*id) {
            return line.fault(column, unknown_of_parts(kind, &id, words));
        }
        all.push(id);
        if line.peek().is_none() {
            return Ok(all);
        }
    }
}

impl Reader {
    /// A line of the head.
    pub(super) fn head(&mut self, verb: &Word, line: &mut Cursor<'_>) -> Parsed<()> {
        let Some(word) = HEAD.iter().find(|word| **word == verb.text) else {
            let misplaced = command::WORDS.contains(&verb.text.as_str())
                || matches!(verb.text.as_str(), "expect" | "focus");
            if misplaced {
                return line.fault(
                    verb.column,
                    Problem::Misplaced {
                        word: verb.text.clone(),
                        place: Place::Head,
                    },
                );
            }
            return line.unknown(WordKind::HeadWord, verb, HEAD);
        };
        let repeats = matches!(*word, "config" | "switch");
        if !repeats && self.seen.contains(word) {
            return line.fault(
                verb.column,
                Problem::Twice {
                    word: (*word).into(),
                },
            );
        }
        self.seen.push(word);
        match *word {
            "scenario" => self.scenario.id = line.id()?,
            "rows" => self.scenario.rows = listed(line, WordKind::Row, ROWS)?,
            "group" => self.scenario.group = line.one_of(WordKind::Group, Group::WORDS)?,
            "view" => self.scenario.view = line.one_of(WordKind::View, View::WORDS)?,
            "run" => self.scenario.runs = listed(line, WordKind::Run, RUNS)?,
            "cluster" => self.cluster(line)?,
            "config" => {
                while line.peek().is_some() {
                    let word = line.next(Wanted::Setting)?;
                    let setting = admin::server_setting(line, word)?;
                    let twice = self
                        .scenario
                        .cluster
                        .config
                        .iter()
                        .any(|(n, _)| *n == setting.0);
                    if twice {
                        let word = setting.0.to_string();
                        return line.fault(verb.column, Problem::Twice { word });
                    }
                    self.scenario.cluster.config.push(setting);
                }
            }
            "switch" => self.switches(line)?,
            "lanes" => self.lanes(line)?,
            _ => {}
        }
        line.done()
    }

    fn cluster(&mut self, line: &mut Cursor<'_>) -> Parsed<()> {
        let cluster = &mut self.scenario.cluster;
        let pairs = line.pairs()?;
        // Racks belong to brokers, wherever on the line they stand.
        let racks_last = pairs
            .iter()
            .filter(|w| w.pair().is_some_and(|p| p.0 != "racks"));
        let racks = pairs
            .iter()
            .filter(|w| w.pair().is_some_and(|p| p.0 == "racks"));
        for word in racks_last.chain(racks) {
            let (name, value) = word.pair().unwrap_or_default();
            let expected = |what| ScriptError {
                line: line.line,
                column: word.value_column(),
                problem: Problem::Expected {
                    what,
                    found: Some(value.to_owned()),
                },
            };
            let bad = |expected: &str| {
                line.fault(
                    word.value_column(),
                    Problem::BadValue {
                        setting: name.into(),
                        value: value.into(),
                        expected: expected.into(),
                    },
                )
            };
            let yes = |value: &str| match value {
                "yes" => Ok(true),
                "no" => Ok(false),
                _ => Err(expected(Wanted::YesNo)),
            };
            match name {
                "brokers" => {
                    // Faulty, they make no other line faulty.
                    self.known.brokers.clear();
                    let mut ids: Vec<BrokerId> = vec![];
                    for text in value.split(',') {
                        let digits = text.bytes().all(|b| b.is_ascii_digit());
                        let what = match text.parse() {
                            Ok(id) if id < 64 && digits => {
                                let id = BrokerId(id);
                                if ids.contains(&id) {
                                    let word_again = format!("broker {id}");
                                    let problem = Problem::Twice { word: word_again };
                                    return line.fault(word.value_column(), problem);
                                }
                                ids.push(id);
                                continue;
                            }
                            _ if digits && !text.is_empty() => Wanted::Broker,
                            _ => Wanted::BrokerIds,
                        };
                        let found = Some(text.into());
                        let problem = Problem::Expected { what, found };
                        return line.fault(word.value_column(), problem);
                    }
                    cluster.brokers = ids.iter().map(|id| (*id, None)).collect();
                    self.known.brokers = ids;
                }
                "racks" => {
                    let racks: Vec<&str> = value.split(',').collect();
                    if racks.len() != cluster.brokers.len() {
                        return bad("a rack for each broker: a,b,c");
                    }
                    for (broker, rack) in cluster.brokers.iter_mut().zip(racks) {
                        broker.1 = Some(rack.into()).filter(|r: &Rc<str>| !r.is_empty());
                    }
                }
                "link-delay" | "link-jitter" => {
                    let mut ms = Ms(0);
                    line.put_time(word, value, &mut ms)?;
                    if name == "link-delay" {
                        cluster.link_delay = ms;
                    } else {
                        cluster.link_jitter = ms;
                    }
                }
                "seed" => line.put_number(word, value, Wanted::Number, &mut cluster.seed)?,
                "by-hand" => cluster.by_hand = yes(value)?,
                "started" => cluster.started = yes(value)?,
                _ => return line.fault(word.column, unknown(WordKind::ClusterWord, name, CLUSTER)),
            }
        }
        Ok(())
    }

    fn switches(&mut self, line: &mut Cursor<'_>) -> Parsed<()> {
        for word in line.pairs()? {
            let (name, value) = word.pair().unwrap_or_default();
            if !SWITCHES.contains(&name) {
                return line.fault(word.column, unknown(WordKind::Switch, name, SWITCHES));
            }
            if !set_switch(&mut Switches::default(), name, value) {
                let problem = unknown(WordKind::SwitchValue, value, switch_values(name));
                return line.fault(word.value_column(), problem);
            }
            self.scenario
                .cluster
                .switches
                .push((name.into(), value.into()));
        }
        Ok(())
    }

    fn lanes(&mut self, line: &mut Cursor<'_>) -> Parsed<()> {
        let word = line.next(Wanted::Lanes)?;
        let Some((variable, values)) = word.pair() else {
            return line.wanted(Wanted::Lanes, word);
        };
        let values: Vec<Rc<str>> = values.split(',').map(Into::into).collect();
        if values.len() < 2 || values.iter().any(|v| v.is_empty()) {
            return line.wanted(Wanted::Lanes, word);
        }
        for (i, value) in (0..).zip(&values) {
            if values.iter().take(i).any(|other| other == value) {
                let word_again = format!("{variable}={value}");
                return line.fault(word.value_column(), Problem::Twice { word: word_again });
            }
        }
        let variable = variable.into();
        self.lanes_at = Some((line.line, word.column));
        let lanes = Some(Lanes { variable, values });
        self.known.lanes.clone_from(&lanes);
        self.scenario.lanes = lanes;
        Ok(())
    }
}
