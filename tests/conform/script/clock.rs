//! Which moment virtual time 0 stands for, and the times of records that a recording gives in
//! words only ("ten records, hourly").

use super::Step;
use super::offsets::{Given, Off};
use super::op::Op;
use highwater::script::iso;
use serde_json::Value;

const HOUR: i64 = 3_600_000;
/// Where nothing tells the time of the recording: 2026-11-30T14:00Z.
const DEFAULT: i64 = 1_796_047_200_000;
/// Steps of a recording came a second or two apart; here more time may pass between them.
const EARLIER: i64 = 60_000;

/// A moment a little before the recording began, by the newest time it tells.
pub fn start(doc: &Value) -> i64 {
    let mut newest = None;
    look(&doc["steps"], &mut newest);
    match newest {
        // All times are of the past: the recording itself came later.
        Some(at) if at > DEFAULT - 24 * HOUR => at - EARLIER,
        _ => DEFAULT,
    }
}

/// Times that the node itself wrote: of its own stamps, markers and log lines. What a client gave
/// may lie in the future.
fn look(v: &Value, newest: &mut Option<i64>) {
    match v {
        Value::Object(o) => {
            for (name, v) in o {
                match (name.as_str(), v) {
                    ("do", _) => {}
                    ("timestamp", Value::Number(n)) => *newest = (*newest).max(n.as_i64()),
                    _ => look(v, newest),
                }
            }
        }
        Value::Array(all) => all.iter().for_each(|v| look(v, newest)),
        // "[2026-11-30 14:58:22,532] WARN …"
        Value::String(line) if line.starts_with("[20") => {
            let text = line.get(1..20).unwrap_or("").replace(' ', "T");
            let at = iso::datetime(&text, 0).map(|at| at.0);
            // The first such line may come in the middle of a run.
            *newest = (*newest).max(at);
        }
        _ => {}
    }
}

/// Fills in what is told in words.
pub fn fill(steps: &mut [Step], start: i64) {
    let mut of_their_own = 0;
    for step in steps {
        let say = step.say.clone();
        let Op::Off(off) = &mut step.op else { continue };
        let Off::Produce { records, .. } = &mut **off else {
            continue;
        };
        if records.iter().any(|r| r.at.is_some()) {
            continue;
        }
        if say.contains("segment of their own") {
            of_their_own += 1;
            set(records, |_, _| start - (100 - 2 * of_their_own) * HOUR);
        } else if let Some(from) = say.split("hourly from ").nth(1) {
            let text = from.trim_end_matches('.').trim_end_matches('Z');
            if let Some(at) = iso::datetime(text, 0) {
                set(records, |i, _| at.0 + i * HOUR);
            }
        } else if say.contains("hourly") || say.starts_with("Ten in mail") {
            set(records, |i, n| start - (n - i) * HOUR);
        } else if say.contains("are hours old") {
            // "0-5 are hours old, 6-9 half an hour."
            set(records, |i, _| match i {
                0..=5 => start - (12 - i) * HOUR,
                _ => start - HOUR / 2,
            });
        }
    }
}

fn set(records: &mut [Given], at: impl Fn(i64, i64) -> i64) {
    let n = records.len() as i64;
    for (i, record) in (0..).zip(records) {
        record.at = Some(at(i, n));
    }
}
