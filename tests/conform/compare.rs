//! Comparing what was recorded with what the engine has, leaf by leaf.

use highwater::kafka::error::KafkaError;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A place where the two differ. `None` stands for a field that is not there.
#[derive(Clone, Debug, PartialEq)]
pub struct Diff {
    pub path: String,
    pub expected: Option<Value>,
    pub got: Option<Value>,
}

impl Diff {
    /// `path expected X got Y`
    pub fn text(&self) -> String {
        let show = |v: &Option<Value>| v.as_ref().map_or("nothing".into(), Value::to_string);
        format!(
            "{} expected {} got {}",
            self.path,
            show(&self.expected),
            show(&self.got)
        )
    }
}

/// What a comparison found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    pub diffs: Vec<Diff>,
    /// Leaves that are equal.
    pub facts: u32,
    /// Kinds of fields that were compared by pattern only, or not at all.
    pub by_pattern: BTreeSet<&'static str>,
    /// The order in which followers rejoined had to be left out.
    pub reordered: bool,
}

/// Numbers that the cluster gives out: the same one must stay the same all through a run.
#[derive(Clone, Debug, Default)]
pub struct Ids {
    engine_of: BTreeMap<i64, i64>,
}

impl Ids {
    /// The engine's number for a recorded one.
    pub fn engine(&self, recorded: i64) -> Option<i64> {
        self.engine_of.get(&recorded).copied()
    }

    fn same(&mut self, recorded: i64, engine: i64) -> bool {
        if let Some(known) = self.engine_of.get(&recorded) {
            return *known == engine;
        }
        if self.engine_of.values().any(|e| *e == engine) {
            return false;
        }
        self.engine_of.insert(recorded, engine);
        true
    }
}

/// Compares two values at a path.
pub fn compare(path: &str, expected: &Value, got: &Value, ids: &mut Ids) -> Found {
    let mut found = Found::default();
    walk(path, "", Some(expected), Some(got), ids, &mut found);
    found
}

fn walk(
    path: &str,
    key: &str,
    expected: Option<&Value>,
    got: Option<&Value>,
    ids: &mut Ids,
    found: &mut Found,
) {
    match key {
        // Texts for reading only; compared where the recorded one is the text of an error.
        "message" => {
            let kafkas = |v: &Value| KafkaError::ALL.iter().any(|e| Some(e.text()) == v.as_str());
            if expected.is_none() {
                // The engine has a text for every error; this answer was recorded without.
            } else if expected == got {
                found.facts += 1;
            } else if !expected.is_some_and(kafkas) {
                found.by_pattern.insert("message: not compared");
            } else {
                differ(path, expected, got, found);
            }
            return;
        }
        "exception" if got.is_none() => {
            found.by_pattern.insert("exception: not compared");
            return;
        }
        "producer_id" => {
            found
                .by_pattern
                .insert("producer_id: the same id throughout");
            let same = match (
                expected.and_then(Value::as_i64),
                got.and_then(Value::as_i64),
            ) {
                (Some(e), Some(g)) => ids.same(e, g),
                _ => false,
            };
            if same {
                found.facts += 1;
            } else {
                differ(path, expected, got, found);
            }
            return;
        }
        _ => {}
    }
    match (expected, got) {
        (Some(Value::Object(e)), Some(Value::Object(g))) => {
            let keys: BTreeSet<&String> = e.keys().chain(g.keys()).collect();
            for k in keys {
                let path = format!("{path}.{k}");
                walk(&path, k, e.get(k), g.get(k), ids, found);
            }
        }
        (Some(Value::Array(e)), Some(Value::Array(g))) if e.len() == g.len() => {
            if e.is_empty() {
                found.facts += 1;
            }
            let plain = |v: &Value| !v.is_object() && !v.is_array();
            if e.iter().chain(g).all(plain) {
                // A short list of numbers is one fact.
                if e == g {
                    found.facts += u32::from(!e.is_empty());
                } else {
                    differ(path, expected, got, found);
                }
                return;
            }
            for (i, (e, g)) in e.iter().zip(g).enumerate() {
                walk(&format!("{path}[{i}]"), "", Some(e), Some(g), ids, found);
            }
        }
        _ if expected == got => found.facts += 1,
        _ => differ(path, expected, got, found),
    }
}

fn differ(path: &str, expected: Option<&Value>, got: Option<&Value>, found: &mut Found) {
    found.diffs.push(Diff {
        path: path.into(),
        expected: expected.cloned(),
        got: got.cloned(),
    });
}
