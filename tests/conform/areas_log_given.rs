//! Builds the log that a vector's `given` describes.

use highwater::kafka::batch::{Batch, Control, Record, Stamp};
use highwater::kafka::ids::{Boundary, Epoch, Ms, Offset};
use highwater::kafka::log::Log;
use serde_json::Value;
use std::collections::BTreeMap;

/// What `given.log` may say; a case that says something else is not for a log alone.
pub const LOG_KEYS: &[&str] = &[
    "log_start",
    "leo",
    "hw",
    "single_record_batches",
    "batches",
    "offsets",
    "timestamps",
    "epoch_ranges",
    "per_segment",
    "keys",
    "active_segment_empty",
    "first_unstable",
    "records",
    "segments_of_appends",
    "leader_epoch",
    "keys_by_offset",
    "rolled",
    "segments",
];

/// The next sequence number of each producer, so that vectors need not name any.
pub type Sequences = BTreeMap<i64, i32>;

/// One batch as it lies in a log.
pub struct Draft {
    pub base: i64,
    pub n: i64,
    pub epoch: i32,
    pub pid: Option<i64>,
    pub transactional: bool,
    pub control: Option<Control>,
    pub timestamp: i64,
    /// The key of each record; none at all: records without.
    pub keys: Vec<String>,
}

impl Draft {
    pub fn plain(base: i64, n: i64, epoch: i32) -> Draft {
        Draft {
            base,
            n,
            epoch,
            pid: None,
            transactional: false,
            control: None,
            timestamp: 0,
            keys: Vec::new(),
        }
    }

    pub fn batch(&self, sequences: &mut Sequences) -> Batch {
        let stamp = self.pid.map(|producer_id| {
            let next = sequences.entry(producer_id).or_default();
            let base_sequence = if self.control.is_some() { -1 } else { *next };
            if self.control.is_none() {
                *next += self.n as i32;
            }
            Stamp {
                producer_id,
                epoch: 0,
                base_sequence,
            }
        });
        Batch {
            base: Offset(self.base),
            last: Offset(self.base + self.n - 1),
            epoch: Epoch(self.epoch),
            stamp,
            transactional: self.transactional || self.control.is_some(),
            control: self.control,
            delete_horizon: None,
            records: (self.base..self.base + self.n)
                .map(|o| Record {
                    offset: Offset(o),
                    timestamp: Ms(self.timestamp),
                    key: self
                        .keys
                        .get((o - self.base) as usize)
                        .map(|k| k.as_str().into()),
                    value: Some(format!("v{o}").into()),
                })
                .collect(),
        }
    }
}

pub fn control(word: &str) -> Option<Control> {
    match word.to_ascii_uppercase().as_str() {
        "COMMIT" => Some(Control::Commit),
        "ABORT" => Some(Control::Abort),
        _ => None,
    }
}

fn drafts(given: &Value, start: i64, epoch: i32) -> Option<Vec<Draft>> {
    let mut out = Vec::new();
    if let Some(batches) = given["batches"].as_array() {
        for b in batches {
            // [offset, epoch], or an object.
            if let Some(pair) = b.as_array() {
                out.push(Draft::plain(pair[0].as_i64()?, 1, pair[1].as_i64()? as i32));
                continue;
            }
            let base = b["base"].as_i64()?;
            let keys: Vec<String> = b["keys"]
                .as_array()
                .into_iter()
                .flatten()
                .map(Value::to_string)
                .collect();
            let last = b["last"]
                .as_i64()
                .unwrap_or(base + (keys.len() as i64 - 1).max(0));
            // Batches with keys are those of transactions.
            let in_transaction = !keys.is_empty() && b["pid"].is_i64();
            out.push(Draft {
                n: b["n"].as_i64().unwrap_or(last - base + 1),
                pid: b["pid"].as_i64(),
                transactional: b["txn"].as_bool().unwrap_or(in_transaction),
                keys,
                control: match b["marker"].as_str() {
                    Some(word) => Some(control(word)?),
                    None => None,
                },
                ..Draft::plain(base, 1, b["epoch"].as_i64().map_or(epoch, |e| e as i32))
            });
        }
    } else if let Some(records) = given["records"].as_array() {
        return super::clean::single_records(records, super::START);
    } else if let Some(keys) = given["keys_by_offset"].as_array() {
        for (o, key) in (start..).zip(keys) {
            out.push(Draft {
                keys: vec![key.to_string()],
                ..Draft::plain(o, 1, epoch)
            });
        }
    } else if let Some(offsets) = given["offsets"].as_array() {
        for o in offsets {
            out.push(Draft::plain(o.as_i64()?, 1, epoch));
        }
    } else if let Some(times) = given["timestamps"].as_array() {
        for (i, t) in (start..).zip(times) {
            out.push(Draft {
                timestamp: t.as_i64().unwrap_or(-1),
                ..Draft::plain(i, 1, epoch)
            });
        }
    } else if let Some(times) = given["timestamps"].as_object() {
        for (o, t) in times {
            out.push(Draft {
                timestamp: t.as_i64()?,
                ..Draft::plain(o.parse().ok()?, 1, epoch)
            });
        }
        out.sort_by_key(|d| d.base);
    } else if let Some(ranges) = given["epoch_ranges"].as_array() {
        for r in ranges {
            let epoch = r[0].as_i64()? as i32;
            for o in r[1].as_i64()?..=r[2].as_i64()? {
                out.push(Draft::plain(o, 1, epoch));
            }
        }
    } else if let Some(appends) = given["segments_of_appends"].as_array() {
        let (mut base, mut open) = (start, Vec::new());
        for a in appends {
            let mut draft = Draft::plain(base, a[1].as_i64()?, epoch);
            if let Some(word) = a[0].as_str() {
                draft = Draft {
                    n: 1,
                    pid: a[1].as_i64(),
                    control: Some(control(word)?),
                    ..draft
                };
            } else if let Some(pid) = a[0].as_i64() {
                open.push(pid);
                (draft.pid, draft.transactional) = (Some(pid), true);
            }
            base += draft.n;
            out.push(draft);
        }
    } else {
        let told = given["leo"].as_i64().or(given["records"].as_i64());
        let between = given["leo"].as_str().map(|_| 22);
        let end = told
            .or(between)
            .or(given["segments"].as_i64())
            .unwrap_or(start);
        for o in start..end {
            out.push(Draft {
                keys: given["keys"].as_str().map(Into::into).into_iter().collect(),
                timestamp: given["timestamps"].as_i64().unwrap_or(0),
                ..Draft::plain(o, 1, epoch)
            });
        }
    }
    Some(out)
}

/// A time: a number, or `now + delete.retention + 10000` in one word; without any, now.
pub fn time(value: &Value, now: Ms) -> Option<Ms> {
    let Some(text) = value.as_str() else {
        return Some(Ms(value.as_i64().unwrap_or(now.0)));
    };
    let (sign, rest) = match text.strip_prefix("now+delete.retention+") {
        Some(rest) => (1, rest),
        None => (-1, text.strip_prefix("now-delete.retention-")?),
    };
    Some(Ms(now.0 + sign * (86_400_000 + rest.parse::<i64>().ok()?)))
}

/// The log, or `None` if it says something that a log alone cannot be.
pub fn log(given: &Value, epoch: i32, sequences: &mut Sequences) -> Option<Log> {
    if let Some(map) = given.as_object()
        && !map.keys().all(|k| LOG_KEYS.contains(&k.as_str()))
    {
        return None;
    }
    let start = given["log_start"].as_i64().unwrap_or(0);
    let drafts = drafts(given, start, epoch)?;
    let mut log = Log::new();
    let first = drafts.first().map_or(start, |d| d.base.min(start));
    log.truncate_fully_and_start_at(Boundary(first), None);
    let per_segment = given["per_segment"]
        .as_i64()
        .or(given["segments"].as_i64().map(|_| 1));
    for draft in &drafts {
        if per_segment.is_some_and(|n| draft.base > first && (draft.base - first) % n == 0) {
            log.roll();
        }
        log.append_as_follower(&[draft.batch(sequences)], Epoch(i32::MAX))
            .ok()?;
    }
    let rolled = |key: &str| given[key].as_bool() == Some(true);
    if rolled("active_segment_empty") || rolled("rolled") {
        log.roll();
    }
    if start > first {
        log.update_high_watermark(Boundary(start));
        log.maybe_increment_start(Boundary(start)).ok()?;
    }
    let hw = match &given["hw"] {
        Value::String(word) if word == "leo" => log.end(),
        // Nothing is said of either: the log start may be raised as far as the log reaches.
        Value::Null if given["leo"].is_string() => log.end(),
        hw => Boundary(hw.as_i64().unwrap_or(start)),
    };
    log.update_high_watermark(hw);
    Some(log)
}
