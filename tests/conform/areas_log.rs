//! Carries out the vectors that need no more than a log, an epoch cache or what is known of
//! producers: areas log, epoch-cache, read, lso, compaction, retention, and such cases of hw, idempotence,
//! delete-records, listoffsets, retention and truncation.

#[path = "areas_log_clean.rs"]
mod clean;
#[path = "areas_log_given.rs"]
mod given;
#[path = "areas_log_then.rs"]
mod then;

use given::{Draft, Sequences};
use highwater::kafka::batch::{Control, NewBatch, NewRecord, Stamp};
use highwater::kafka::error::KafkaError;
use highwater::kafka::ids::{Boundary, Epoch, Ms};
use highwater::kafka::log::{
    Append, AppendRules, EpochCache, Log, Producers, TruncationTarget, truncation_target,
};
use serde_json::{Map, Value, json};

const AREAS: &[&str] = &[
    "log",
    "epoch-cache",
    "read",
    "lso",
    "hw",
    "idempotence",
    "delete-records",
    "listoffsets",
    "retention",
    "compaction",
    "truncation",
];

/// When a case about times begins.
const START: Ms = Ms(1_000_000_000);

/// What `given` may say beside `log`.
const GIVEN: &[&str] = &[
    "log",
    "role",
    "epochs",
    "checkpoint_hw",
    "leader_epoch_before",
    "pid",
    "epoch",
    "appended",
    "last_seq",
    "producer_id_expiration_ms",
    "txn_open_at",
    "producer_state",
    "follower",
    "leader",
    "policy",
    "retention_ms",
    "retention_bytes_as_records",
    "now",
    "map_capacity",
    "cleaner_checkpoint",
    "min_compaction_lag_ms",
    "delete_retention_ms",
];

/// Carries a vector out. `None`: it is not one of these.
pub fn run(case: &Value) -> Option<Result<(), String>> {
    let area = case["area"].as_str()?;
    if !AREAS.contains(&area) {
        return None;
    }
    let mut bench = Bench::new(&case["given"], area)?;
    let steps = case["when"].as_array()?;
    let then = case["then"].as_array()?;
    // First whether all of it can be carried out; only then what came of it counts.
    let mut failure = bench.compare(0, steps.len(), then)?.err();
    for (i, step) in steps.iter().enumerate() {
        bench.step(step)?;
        let result = bench.compare(i + 1, steps.len(), then)?;
        failure = failure.or(result.err());
    }
    Some(failure.map_or(Ok(()), Err))
}

struct Bench {
    log: Log,
    /// The leader's log, in a case of two.
    leader: Option<Log>,
    /// A cache alone, in a case of nothing else.
    cache: Option<EpochCache>,
    /// Producers alone, for what bypasses the duplicate lookup.
    producers: Producers,
    sequences: Sequences,
    given: Value,
    two: bool,
    epoch: Epoch,
    now: Ms,
    /// What the last step gave.
    outcome: Map<String, Value>,
}

fn boundary(value: &Value) -> Option<Boundary> {
    value.as_i64().map(Boundary)
}

fn epoch(value: &Value) -> Option<Epoch> {
    Some(Epoch(i32::try_from(value.as_i64()?).ok()?))
}

fn end_json(end: Option<(Epoch, Boundary)>) -> Value {
    end.map_or(json!([-1, -1]), |(e, o)| json!([e.0, o.0]))
}

fn epochs_of(value: &Value) -> Option<EpochCache> {
    let mut cache = EpochCache::new();
    for entry in value.as_array()? {
        cache.assign(epoch(&entry[0])?, boundary(&entry[1])?);
    }
    Some(cache)
}

fn new_batch(n: i64, stamp: Option<Stamp>, transactional: bool, now: Ms) -> NewBatch {
    NewBatch {
        stamp,
        transactional,
        ..NewBatch::plain((0..n).map(|_| NewRecord {
            timestamp: now,
            ..NewRecord::value("v")
        }))
    }
}

impl Bench {
    fn new(given: &Value, area: &str) -> Option<Bench> {
        let keys = given.as_object()?;
        if !keys.keys().all(|k| GIVEN.contains(&k.as_str())) {
            return None;
        }
        let mut bench = Bench {
            log: Log::new(),
            leader: None,
            cache: None,
            producers: Producers::default(),
            sequences: Sequences::new(),
            given: given.clone(),
            two: false,
            epoch: epoch(&given["leader_epoch_before"]).unwrap_or_default(),
            now: if area == "compaction" && keys.contains_key("delete_retention_ms") {
                START
            } else {
                Ms(0)
            },
            outcome: Map::new(),
        };
        if let Some(log) = keys.get("log") {
            bench.log = given::log(log, bench.epoch.0, &mut bench.sequences)?;
            let unstable = bench.log.first_unstable().map(|b| b.0);
            if log
                .get("first_unstable")
                .is_some_and(|u| *u != json!(unstable))
            {
                return None;
            }
        }
        if keys.contains_key("epochs") {
            bench.cache = Some(epochs_of(&given["epochs"])?);
        }
        if let Some(leader) = keys.get("leader") {
            // A fetch loop over epochs is the partition's, not a log's.
            if area != "log" {
                return None;
            }
            let follower = keys.get("follower")?;
            bench.two = true;
            bench.epoch = epoch(&follower["leader_epoch"])?;
            bench.log = given::log(&follower["log"], 0, &mut bench.sequences)?;
            bench.leader = Some(given::log(leader, 0, &mut bench.sequences)?);
        }
        bench.know_producers()?;
        Some(bench)
    }

    /// The producer that cases of area idempotence describe in `given` itself.
    fn know_producers(&mut self) -> Option<()> {
        let given = self.given.clone();
        let Some(pid) = given["pid"].as_i64() else {
            return Some(());
        };
        for appended in given["appended"].as_array().unwrap_or(&Vec::new()) {
            self.append_sequence(appended)?;
            if self.outcome["error"] != "NONE" {
                return None;
            }
        }
        if let Some(last) = given["last_seq"].as_i64() {
            self.append_sequence(&json!({ "seq": [last, last] }))?;
        }
        if let Some(at) = given["txn_open_at"].as_i64() {
            self.log.truncate_fully_and_start_at(Boundary(at), None);
            let draft = Draft {
                pid: Some(pid),
                transactional: true,
                ..Draft::plain(at, 1, 0)
            };
            self.take(&draft)?;
        }
        self.producers = self.log.producers().clone();
        self.outcome.clear();
        Some(())
    }

    fn set(&mut self, key: &str, value: Value) {
        self.outcome.insert(key.into(), value);
    }

    fn set_error(&mut self, error: Option<KafkaError>) {
        self.set("error", json!(error.map_or("NONE", KafkaError::name)));
    }

    fn set_moved(&mut self, moved: Option<(Boundary, Boundary)>) {
        self.set("changed_to", json!(moved.map(|(_, to)| to.0)));
    }

    fn take(&mut self, draft: &Draft) -> Option<()> {
        let batch = draft.batch(&mut self.sequences);
        let result = self.log.append_as_follower(&[batch], Epoch(i32::MAX));
        self.set_error(result.err());
        Some(())
    }

    fn lead(&mut self, batch: &NewBatch) {
        let rules = AppendRules::default();
        match self
            .log
            .append_as_leader(batch, self.epoch, self.now, rules)
        {
            Ok(Append {
                base,
                last,
                duplicate,
            }) => {
                self.set_error(None);
                self.set("base_offset", json!(base.0));
                self.set("last_offset", json!(last.0));
                self.set("duplicate", json!(duplicate));
            }
            Err(error) => self.set_error(Some(error)),
        }
    }

    /// `{seq: [first, last], epoch?}` of the given producer.
    fn append_sequence(&mut self, step: &Value) -> Option<()> {
        let first = step["seq"][0].as_i64()?;
        let last = step["seq"][1].as_i64()?;
        let stamp = self.stamp(step, first)?;
        let batch = new_batch(last - first + 1, Some(stamp), false, self.now);
        self.lead(&batch);
        Some(())
    }

    fn stamp(&self, step: &Value, sequence: i64) -> Option<Stamp> {
        let producer_epoch = step["epoch"].as_i64().or(self.given["epoch"].as_i64());
        Some(Stamp {
            producer_id: step["pid"].as_i64().or(self.given["pid"].as_i64())?,
            epoch: i16::try_from(producer_epoch.unwrap_or(0)).ok()?,
            base_sequence: i32::try_from(sequence).ok()?,
        })
    }

    /// `None`: not an operation on a log.
    fn step(&mut self, step: &Value) -> Option<()> {
        self.outcome.clear();
        match step["op"].as_str()? {
            "append_leader" => self.append_leader(step)?,
            "append_marker" => {
                let control = given::control(step["type"].as_str()?)?;
                self.marker(step, control)?;
            }
            "append" if step.get("key").is_some() => self.append_keyed(step)?,
            "append" => self.append_sequence(step)?,
            "append_follower" => {
                let at = epoch(&step["epoch"]).unwrap_or(self.epoch);
                let n = step["n"].as_i64().unwrap_or(1);
                self.take(&Draft::plain(step["base"].as_i64()?, n, at.0))?;
            }
            "append_leader_at" | "txn_append" => {
                let draft = Draft {
                    pid: step["pid"].as_i64(),
                    transactional: step["op"] == "txn_append",
                    ..Draft::plain(step["offset"].as_i64()?, 1, self.epoch.0)
                };
                self.take(&draft)?;
            }
            "marker" => {
                let draft = Draft {
                    pid: step["pid"].as_i64(),
                    control: Some(given::control(step["type"].as_str()?)?),
                    ..Draft::plain(step["offset"].as_i64()?, 1, self.epoch.0)
                };
                self.take(&draft)?;
            }
            "state_append" => self.state_append(step)?,
            "hw_increment_leader" => {
                let to = boundary(&step["to"])?;
                if to > self.log.end() {
                    // Kafka throws; the log takes it for its caller's error (R-HW-3).
                    self.set("error", json!("IllegalArgument"));
                } else {
                    let moved = self.log.maybe_increment_high_watermark(to);
                    self.set_moved(moved);
                }
            }
            "hw_update" => {
                let moved = self.log.update_high_watermark(boundary(&step["to"])?);
                self.set_moved(moved);
            }
            "load_partition" => {
                let hw = boundary(&self.given["checkpoint_hw"]).unwrap_or_default();
                self.log.load(hw);
            }
            "become_leader" => {
                self.epoch = epoch(&step["leader_epoch"])?;
                self.log.assign_epoch(self.epoch, self.log.end());
            }
            "truncate_to" => {
                self.log.truncate_to(boundary(&step["offset"])?);
            }
            "truncate_fully_and_start_at" => {
                let start = boundary(&step["log_start"]);
                self.log
                    .truncate_fully_and_start_at(boundary(&step["offset"])?, start);
            }
            "increment_log_start" => {
                let result = self.log.maybe_increment_start(boundary(&step["to"])?);
                self.set_error(result.err());
            }
            "roll" => self.log.roll(),
            "clean_pass" => self.clean(None, self.now),
            "clean" => self.clean(step["dirty_from"].as_i64(), self.now),
            "clean_two_passes" => self.clean_two_passes(),
            "cleanable_offsets" => self.cleanable_offsets(step)?,
            "run_retention" => self.run_retention()?,
            "list_aborted" => {
                let aborted: Vec<Value> = self.log.producers().aborted().iter().map(|a| {
                    json!({"pid": a.producer_id, "first": a.first.0, "last": a.last.0, "lso": a.last_stable.0})
                }).collect();
                self.set("aborted", json!(aborted));
            }
            "advance_time" => self.now = self.now.plus(Ms(step["ms"].as_i64()?)),
            "remove_expired" => {
                let span = self.given["producer_id_expiration_ms"]
                    .as_i64()
                    .unwrap_or(86_400_000);
                self.log.remove_expired_producers(self.now, Ms(span));
                self.producers = self.log.producers().clone();
            }
            "read" => self.read(step)?,
            "list_offsets" => self.list_offsets(step)?,
            "diverging_response" => self.diverging(step)?,
            "follower_fetch_round" => self.fetch()?,
            "replicate_until_stable" => loop {
                let before = self.log.clone();
                self.fetch()?;
                if self.log == before {
                    break;
                }
            },
            op => self.cache_step(op, step)?,
        }
        Some(())
    }

    fn cache_step(&mut self, op: &str, step: &Value) -> Option<()> {
        if op == "end_offset_for" {
            let asked = epoch(&step["epoch"])?;
            let leo = boundary(&step["leo"]).unwrap_or(self.log.end());
            let cache = self.cache.as_ref().unwrap_or(self.log.epochs());
            let result = end_json(cache.end_offset_for(asked, leo));
            self.set("result", result);
            return Some(());
        }
        let cache = self.cache.as_mut()?;
        match op {
            "assign" => cache.assign(epoch(&step["epoch"])?, boundary(&step["start"])?),
            "truncate_from_end" => cache.truncate_from_end(boundary(&step["offset"])?),
            "truncate_from_start" => cache.truncate_from_start(boundary(&step["offset"])?),
            "clear" => cache.clear(),
            _ => return None,
        }
        Some(())
    }

    fn append_leader(&mut self, step: &Value) -> Option<()> {
        let n = step["n"].as_i64().unwrap_or(1);
        for _ in 0..step["times"].as_i64().unwrap_or(1) {
            let stamp = match step["pid"].as_i64() {
                None => None,
                Some(pid) => {
                    let next = self.sequences.entry(pid).or_default();
                    let sequence = i64::from(*next);
                    *next += n as i32;
                    Some(self.stamp(step, sequence)?)
                }
            };
            let transactional = step["txn"].as_bool().unwrap_or(false);
            let batch = new_batch(n, stamp, transactional, self.now);
            self.lead(&batch);
        }
        Some(())
    }

    fn marker(&mut self, step: &Value, control: Control) -> Option<()> {
        let stamp = self.stamp(step, -1)?;
        self.lead(&NewBatch {
            control: Some(control),
            ..new_batch(0, Some(stamp), true, self.now)
        });
        Some(())
    }

    fn state_append(&mut self, step: &Value) -> Option<()> {
        let stamp = self.stamp(step, step["seq"].as_i64()?)?;
        let checked = self.producers.check(stamp, false);
        if checked.is_ok() {
            let mut batch = Draft {
                pid: Some(stamp.producer_id),
                timestamp: self.now.0,
                ..Draft::plain(0, 1, 0)
            }
            .batch(&mut self.sequences);
            batch.stamp = Some(stamp);
            self.producers.note(&batch);
        }
        self.set_error(checked.err());
        Some(())
    }

    fn bound(&self, isolation: &Value) -> Option<Boundary> {
        match isolation.as_str() {
            None | Some("LOG_END") => Some(self.log.end()),
            Some("HIGH_WATERMARK" | "read_uncommitted") => Some(self.log.high_watermark()),
            Some("TXN_COMMITTED" | "read_committed") => Some(self.log.last_stable()),
            Some(_) => None,
        }
    }

    fn read(&mut self, step: &Value) -> Option<()> {
        let from = boundary(&step["offset"])?;
        let below = self.bound(&step["isolation"])?;
        match self.log.read(from, below, u32::MAX) {
            Err(error) => self.set_error(Some(error)),
            Ok(batches) => {
                self.set_error(None);
                let bases: Vec<i64> = batches.iter().map(|b| b.base.0).collect();
                let records: Vec<i64> = batches
                    .iter()
                    .flat_map(|b| b.records.iter())
                    .filter(|r| !from.covers(r.offset))
                    .map(|r| r.offset.0)
                    .collect();
                self.set("first_offset", json!(bases.first()));
                self.set("batches", json!(bases));
                self.set("records", json!(records));
            }
        }
        Some(())
    }

    fn list_offsets(&mut self, step: &Value) -> Option<()> {
        let below = self.bound(&step["isolation"])?;
        let found = match &step["ts"] {
            Value::String(word) => match word.as_str() {
                "EARLIEST" => Some((self.log.start(), Ms(-1))),
                "LATEST" => Some((below, Ms(-1))),
                "MAX_TIMESTAMP" => self.log.max_timestamp().filter(|(at, _)| *at < below),
                _ => return None,
            },
            at => self.log.lookup_timestamp(Ms(at.as_i64()?), below),
        };
        self.set_error(None);
        self.set("offset", json!(found.map(|(at, _)| at.0)));
        self.set("timestamp", json!(found.map(|(_, time)| time.0)));
        Some(())
    }

    fn diverging(&mut self, step: &Value) -> Option<()> {
        let follower = &self.given["follower"];
        let told = epoch(&step["epoch"])?;
        let own = match &follower["end_offset_for"][told.0.to_string()] {
            Value::Null => None,
            own => Some((epoch(&own[0])?, boundary(&own[1])?)),
        };
        let leader = (told, boundary(&step["end"])?);
        let TruncationTarget { to, complete } =
            truncation_target(own, leader, boundary(&follower["leo"])?);
        self.set("truncate_to", json!(to.0));
        self.set("complete", json!(complete));
        Some(())
    }

    /// What a follower's log does with one fetch from a leader that does not diverge.
    fn fetch(&mut self) -> Option<()> {
        let leader = self.leader.as_ref()?;
        let got = leader.read(self.log.end(), leader.end(), u32::MAX).ok()?;
        let taken = self.log.append_as_follower(&got, self.epoch);
        self.log.update_high_watermark(leader.high_watermark());
        self.set_error(taken.err());
        Some(())
    }
}
