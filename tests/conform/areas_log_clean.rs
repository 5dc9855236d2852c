//! Steps of the areas compaction and retention on a log alone.

use super::Bench;
use super::given::Draft;
use highwater::kafka::batch::NewBatch;
use highwater::kafka::batch::NewRecord;
use highwater::kafka::config::CleanupPolicy;
use highwater::kafka::event::DeleteReason;
use highwater::kafka::ids::{Boundary, Ms};
use highwater::kafka::log::{AppendRules, Cleaning};
use highwater::kafka::log_config::{LogDefaults, LogSettings, Setting};
use serde_json::{Value, json};

const DELETE_RETENTION: i64 = 86_400_000;

impl Bench {
    fn defaults(&self) -> LogDefaults {
        let mut defaults = LogDefaults::default();
        let mut put = |setting, value: &Value| {
            if let Some(value) = value.as_i64() {
                defaults.put(setting, value);
            }
        };
        put(Setting::Retention, &self.given["retention_ms"]);
        put(Setting::DeleteRetention, &self.given["delete_retention_ms"]);
        put(
            Setting::MinCompactionLag,
            &self.given["min_compaction_lag_ms"],
        );
        if self.given["retention_bytes_as_records"].as_i64().is_some() {
            let bytes: i64 = self.log.segments().map(|s| s.bytes).sum();
            let records = self.log.end().0 - self.log.start().0;
            let most = self.given["retention_bytes_as_records"].as_i64();
            let limit = most.map_or(-1, |n| bytes * n / records);
            defaults.put(Setting::RetentionBytes, limit);
        }
        defaults
    }

    fn policy(&self) -> Option<CleanupPolicy> {
        Some(match self.given["policy"].as_str() {
            None | Some("delete") => CleanupPolicy::Delete,
            Some("compact") => CleanupPolicy::Compact,
            Some("compact,delete") => CleanupPolicy::CompactDelete,
            Some(_) => return None,
        })
    }

    pub(super) fn run_retention(&mut self) -> Option<()> {
        let server = self.defaults();
        let settings = LogSettings {
            server: &server,
            topic: None,
            policy: self.policy()?,
        };
        let now = match self.given["retention_ms"].as_i64() {
            Some(_) => Ms(1_000_000_000),
            None => self.now,
        };
        let deleted = self.log.delete_old(now, &settings);
        let reasons = |why| deleted.iter().any(|d| d.why == why);
        // A case of retention is about size or time; those of the log's start say nothing else.
        let by_limit = reasons(DeleteReason::Size) || reasons(DeleteReason::Time);
        if by_limit && self.given.get("retention_ms").is_none() {
            return None;
        }
        let count: u32 = deleted.iter().map(|d| d.segments).sum();
        self.set("deleted", json!(count));
        Some(())
    }

    pub(super) fn clean(&mut self, from: Option<i64>, now: Ms) {
        let keys = self.given["map_capacity"].as_u64();
        let cleaned = self.log.clean(&Cleaning {
            first_dirty: Boundary(from.unwrap_or(0)),
            first_uncleanable: self.log.active_base(),
            now,
            delete_retention: Ms(DELETE_RETENTION),
            segment_bytes: 1 << 30,
            keys: keys.map_or(u32::MAX, |n| n as u32),
        });
        self.set("cleaned_to", json!(cleaned.to.0));
    }

    pub(super) fn clean_two_passes(&mut self) {
        self.clean(None, self.now);
        self.clean(None, self.now.plus(Ms(DELETE_RETENTION + 1)));
    }

    pub(super) fn cleanable_offsets(&mut self, step: &Value) -> Option<()> {
        let server = self.defaults();
        let settings = LogSettings {
            server: &server,
            topic: None,
            policy: CleanupPolicy::Compact,
        };
        let checkpoint = step["checkpoint"].as_i64();
        let checkpoint = checkpoint.or(self.given["cleaner_checkpoint"].as_i64());
        let cleanable = self
            .log
            .cleanable(checkpoint.map(Boundary), self.now, &settings);
        self.set("first_dirty", json!(cleanable.first_dirty.0));
        self.set("first_uncleanable", json!(cleanable.first_uncleanable.0));
        self.set("reset", json!(cleanable.reset));
        Some(())
    }

    /// `{key, value, ts?}`: one record in a batch of its own.
    pub(super) fn append_keyed(&mut self, step: &Value) -> Option<()> {
        let record = NewRecord {
            key: Some(step["key"].to_string().into()),
            value: step["value"].as_str().map(Into::into),
            timestamp: super::given::time(&step["ts"], self.now)?,
        };
        let rules = AppendRules {
            timestamp_after_max: Ms::MAX,
            segment_ms: Ms::MAX,
            ..AppendRules::default()
        };
        let batch = NewBatch::plain([record]);
        let done = self
            .log
            .append_as_leader(&batch, self.epoch, self.now, rules);
        self.set_error(done.err());
        Some(())
    }

    /// What is looked at in these areas alone.
    pub(super) fn cleaned_value(&self, key: &str, want: &Value) -> Option<Value> {
        let log = &self.log;
        let records = || log.batches().iter().flat_map(|b| b.records.iter());
        Some(match (key, want) {
            ("first_uncleanable", Value::String(word)) if word == "active_segment_base" => {
                let is = self.outcome.get(key)?;
                if *is == json!(log.active_base().0) {
                    want.clone()
                } else {
                    is.clone()
                }
            }
            ("last_seq", Value::Object(all)) => {
                let last = |pid: &String| {
                    let producer = log.producers().get(pid.parse().ok()?)?;
                    producer.last_sequence()
                };
                let known = all.keys().map(|pid| (pid.clone(), json!(last(pid))));
                Value::Object(known.collect())
            }
            ("keys", _) => json!(
                records()
                    .filter_map(|r| r.key.as_ref())
                    .map(|key| key.parse::<i64>().unwrap_or(-1))
                    .collect::<Vec<_>>()
            ),
            ("batch_last_offsets", _) => {
                json!(log.batches().iter().map(|b| b.last.0).collect::<Vec<_>>())
            }
            ("first_batch_last_offset", _) => json!(log.batches().first().map(|b| b.last.0)),
            _ => return None,
        })
    }
}

/// Batches of `records: [{o, key, value?, ts?, pid?, seq?}]`, each in a batch of its own.
pub fn single_records(records: &[Value], now: Ms) -> Option<Vec<Draft>> {
    let one = |r: &Value| {
        Some(Draft {
            pid: r["pid"].as_i64(),
            keys: vec![r["key"].to_string()],
            timestamp: super::given::time(&r["ts"], now)?.0,
            ..Draft::plain(r["o"].as_i64()?, 1, 0)
        })
    };
    records.iter().map(one).collect()
}
