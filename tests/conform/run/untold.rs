//! What a recorded result tells beyond what the engine knows, and what is not fixed in it. Each
//! of these is named in the report.

use super::super::script::Op;
use super::super::script::offsets::Off;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Takes it out of both sides; what was taken out is told.
pub fn untell(
    op: &Op,
    expected: &mut Value,
    got: &mut Value,
    given: &BTreeSet<i64>,
) -> Vec<&'static str> {
    let Op::Off(off) = op else {
        return Vec::new();
    };
    match &**off {
        Off::Metrics(_) => metrics(expected),
        Off::Tool(..) => tool(expected, got),
        Off::ReadOffsetsTopic => appended(expected),
        Off::ListOffsets(..) => look_ups(expected, got, given),
        _ => Vec::new(),
    }
}

/// Leader epoch and time stamp of what was found, where they are told: the consumer's own calls
/// return a boundary alone. Times that no step gave are a broker's own.
fn look_ups(expected: &mut Value, got: &mut Value, given: &BTreeSet<i64>) -> Vec<&'static str> {
    let mut told = Vec::new();
    let gots = got["offsets"].as_array_mut().into_iter().flatten();
    let list = expected["offsets"].as_array_mut().into_iter().flatten();
    for (one, got) in list.zip(gots) {
        for field in ["leader_epoch", "timestamp"] {
            if one.get(field).is_none() {
                got.as_object_mut().map(|o| o.remove(field));
            }
        }
        for side in [one, got] {
            let at = side.get("timestamp").and_then(Value::as_i64);
            if at.is_some_and(|at| at >= 0 && !given.contains(&at)) {
                side["timestamp"] = "of the broker".into();
                told.push("list_offsets: a broker's own time by pattern");
            }
        }
    }
    told
}

/// Bytes that clients exchange, ids, hashes and times in the records of the internal topic.
fn appended(expected: &mut Value) -> Vec<&'static str> {
    const LEFT_OUT: &[&str] = &[
        "topicId",
        "metadataHash",
        "assignmentTimestamp",
        "clientHost",
        "subscription",
        "assignment",
        "rackId",
        "subscribedTopicRegex",
        "classicMemberMetadata",
    ];
    for one in expected["appended"].as_array_mut().into_iter().flatten() {
        if let Some(o) = one.as_object_mut() {
            o.remove("value_version");
        }
        let Some(value) = one.get_mut("value").and_then(Value::as_object_mut) else {
            continue;
        };
        value.retain(|name, _| !LEFT_OUT.contains(&name.as_str()));
        if let Some(leader) = value.get_mut("leader").filter(|l| l.is_string()) {
            *leader = "<member>".into();
        }
        for member in value
            .get_mut("members")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            if let Some(o) = member.as_object_mut() {
                o.retain(|name, _| !LEFT_OUT.contains(&name.as_str()));
                o.insert("memberId".into(), "<member>".into());
            }
        }
    }
    vec!["read_offsets_topic: ids, hashes, times and bytes of assignments not compared"]
}

/// Maxima, minima and means over the client's windows of time.
fn metrics(expected: &mut Value) -> Vec<&'static str> {
    let Some(all) = expected.as_object_mut() else {
        return Vec::new();
    };
    all.remove("client");
    for (name, metrics) in all.iter_mut() {
        if let (true, Some(metrics)) = (name != "currentLag()", metrics.as_object_mut()) {
            metrics.retain(|name, _| name == "records-lag");
        }
    }
    vec!["metrics: over windows of time, not compared"]
}

/// The order of a plan's lines is not fixed, the list of options and stack traces are not printed
/// here, log lines carry the time of day.
fn tool(expected: &mut Value, got: &mut Value) -> Vec<&'static str> {
    let mut told = vec!["tool: the order of a plan's lines is not fixed"];
    expected.as_object_mut().map(|o| o.remove("output"));
    let lines = |v: &Value| -> Vec<String> {
        let lines = v["lines"].as_array().into_iter().flatten();
        lines.filter_map(|l| l.as_str().map(String::from)).collect()
    };
    let mut wanted = lines(expected);
    if let Some(at) = wanted.iter().position(|l| l.starts_with("Option  ")) {
        wanted.truncate(at);
        told.push("tool: the list of options is not printed");
    }
    let before = wanted.len();
    wanted.retain(|l| !l.starts_with('\t') && !l.starts_with("Caused by: "));
    if wanted.len() < before {
        told.push("tool: the stack trace is not printed");
    }
    let bare = |line: String| -> String {
        let line = match line.strip_prefix("[20") {
            Some(rest) => rest
                .split_once("] ")
                .map_or(line.clone(), |(_, l)| l.to_string()),
            None => line,
        };
        // Member ids are made up by chance; columns are as wide as they are.
        let masked: Vec<&str> = line.split_whitespace().collect();
        masked.join(" ")
    };
    let mut wanted: Vec<String> = wanted.into_iter().map(bare).collect();
    let mut found: Vec<String> = lines(got).into_iter().map(bare).collect();
    for line in wanted.iter_mut().chain(&mut found) {
        *line = mask(line);
    }
    wanted.sort();
    found.sort();
    for (side, lines) in [(expected, wanted), (got, found)] {
        if let Some(o) = side.as_object_mut() {
            o.insert("lines".into(), json!(lines));
        }
    }
    told
}

/// The member id in a described line.
fn mask(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    if let Some(at) = words.iter().position(|w| *w == "/127.0.0.1")
        && let Some(id) = at.checked_sub(1)
    {
        words[id] = "<member>";
    }
    words.join(" ")
}
