//! Cases about a leader and a follower together: two brokers on benches, and between them the
//! test carries the follower's questions and the leader's answers.

use super::areas_partition::{records, steps};
use super::bench::{Bench, Start, TP, append, log_of, numbers, pair, registration};
use super::vectors::Outcome;
use highwater::kafka::config::ServerConfig;
use highwater::kafka::error::KafkaError;
use highwater::kafka::ids::*;
use highwater::kafka::log::Log;
use highwater::kafka::message::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const LEADER: BrokerId = BrokerId(0);
const FOLLOWER: BrokerId = BrokerId(1);

struct Pair {
    leader: Bench,
    follower: Bench,
    /// What the follower looked like after each answer of the last rounds.
    seen: Vec<Value>,
    produce: Option<Correlation>,
    fetched: Option<FetchedPart>,
}

/// A log as a case tells it: `batches` of one record each, `offsets`, or its end alone.
fn log(spec: &Value, epoch: i32) -> Option<(Log, i64)> {
    let mut log = Log::new();
    // No epochs known: records as an old format leaves them.
    let unknown = spec.get("latest_epoch").is_some_and(Value::is_null);
    if let Some(batches) = spec["batches"].as_array() {
        for b in batches {
            let epoch = if unknown { -1 } else { pair(b)?.1 as i32 };
            append(&mut log, epoch, 0, None);
        }
    } else if let Some(offsets) = spec.get("offsets").and_then(numbers) {
        let start = spec["log_start"].as_i64().unwrap_or(0);
        log.truncate_fully_and_start_at(Boundary(start), None);
        for _ in &offsets {
            append(&mut log, epoch, 0, None);
        }
    } else {
        log = log_of(spec["leo"].as_i64().unwrap_or(0), epoch);
    }
    let hw = spec["hw"].as_i64().unwrap_or(0).min(log.end().0);
    Some((log, hw))
}

fn bench(me: BrokerId, spec: &Value, leader_epoch: i32, record_epoch: i32) -> Option<Bench> {
    let (log, hw) = log(spec, record_epoch)?;
    // A third replica that is never heard of holds the leader's high watermark where the case
    // puts it.
    let all = [LEADER, FOLLOWER, BrokerId(2)];
    let reg = registration(
        all.to_vec(),
        all.into_iter().collect(),
        Some(LEADER),
        leader_epoch,
        0,
    );
    Some(Bench::new(Start {
        me,
        reg: Some(reg),
        log,
        high_watermark: hw,
        server: ServerConfig::default(),
        min_isr: None,
        racks: BTreeMap::new(),
        brokers: all.to_vec(),
    }))
}

/// Runs a case that gives a `leader` and a `follower`, or one of them.
pub fn run(case: &Value) -> Outcome {
    let given = &case["given"];
    let (leader, follower) = (&given["leader"], &given["follower"]);
    let known = [
        "batches",
        "leader_epoch",
        "hw",
        "leo",
        "log_start",
        "offsets",
        "latest_epoch",
    ];
    for side in [leader, follower] {
        let keys = side.as_object().into_iter().flat_map(|o| o.keys());
        if !keys.clone().all(|k| known.contains(&k.as_str())) {
            return None;
        }
    }
    let epoch_of = |v: &Value| v["leader_epoch"].as_i64().map(|e| e as i32);
    let epoch = epoch_of(follower)
        .or(epoch_of(leader))
        .or(epoch_of(given))
        .unwrap_or(0);
    let both_ends = given.get("follower_leo").is_some();
    let (leader, follower) = if both_ends {
        let end = given["follower_leo"]["1"].as_i64()?;
        (
            json!({ "leo": given["leo"], "hw": given["hw"] }),
            json!({ "leo": end, "hw": given["hw"] }),
        )
    } else {
        (leader.clone(), follower.clone())
    };
    let mut pair = Pair {
        leader: bench(LEADER, &leader, epoch, epoch)?,
        follower: bench(FOLLOWER, &follower, epoch, epoch)?,
        seen: Vec::new(),
        produce: None,
        fetched: None,
    };
    steps(case, &mut pair, Pair::act, Pair::see)
}

impl Pair {
    /// Carries the follower's questions to the leader and the answers back, until its next fetch
    /// would start a new round. Returns whether anything moved.
    fn round(&mut self) -> bool {
        let mut first = true;
        let mut any = false;
        for _ in 0..20 {
            let Some(i) = self
                .follower
                .asked
                .iter()
                .position(|(_, to, _)| *to == self.leader.me)
            else {
                break;
            };
            let fetch = matches!(self.follower.asked[i].2, Body::Fetch(_));
            if fetch && !first {
                break;
            }
            first = false;
            any = true;
            let (correlation, _, body) = self.follower.asked.remove(i);
            let asked = self.leader.request(NodeId::Broker(self.follower.me), body);
            if !self.leader.answers.contains_key(&asked) {
                self.leader.advance(501); // parked: nothing new
            }
            let Some(answer) = self.leader.answers.remove(&asked) else {
                break;
            };
            let from = NodeId::Broker(self.leader.me);
            self.follower.now = self.follower.now.max(self.leader.now);
            self.follower.deliver(from, correlation, answer);
            self.seen.push(state(&self.follower));
        }
        any
    }

    fn act(&mut self, op: &Value) -> Option<Result<(), String>> {
        match op["op"].as_str()? {
            "start_fetching" | "truncate_phase" => {}
            "follower_fetch_round" => {
                // Kafka's test counts passes of a loop; what must be is so at some moment of them.
                self.round();
            }
            "replicate_until_stable" => {
                self.seen.clear();
                for _ in 0..20 {
                    // A follower that waits after an error asks again.
                    self.follower.advance(1_001);
                    self.round();
                }
                self.seen = vec![state(&self.follower)];
            }
            "produce" => {
                let acks = Acks::parse(op["acks"].to_string().trim_matches('"'))?;
                let n = op["n"].as_u64()? as usize;
                self.produce = Some(self.leader.produce(n, acks));
            }
            // The controller's part is played by the new leader's metadata.
            "broker_fenced" => {}
            "become_leader_on" => {
                let epoch = op["leader_epoch"].as_i64()? as i32;
                let mut reg = self.follower.reg()?;
                reg.leader = Some(FOLLOWER);
                reg.isr = BrokerSet::only(FOLLOWER);
                reg.leader_epoch = Epoch(epoch);
                reg.partition_epoch = reg.partition_epoch.next();
                self.follower.tell_partition(reg);
            }
            "broker_returns" => {
                let reg = self.follower.reg()?;
                self.leader.tell_partition(reg);
                std::mem::swap(&mut self.leader, &mut self.follower);
            }
            "fetch" => {
                let request = FetchRequest {
                    asker: Asker::Consumer {
                        rack: None,
                        modern: true,
                        read_committed: false,
                    },
                    parts: vec![FetchPart {
                        tp: TP,
                        offset: Boundary(op["offset"].as_i64()?),
                        log_start: Boundary(0),
                        current_leader_epoch: None,
                        last_fetched_epoch: None,
                    }],
                    max_wait: Ms(0),
                    min_records: 1,
                    max_bytes: 1 << 20,
                };
                let asked = match op["broker"].as_str()? {
                    "leader" => &mut self.leader,
                    _ => &mut self.follower,
                };
                let client = NodeId::Client(ClientId(1));
                let number = asked.request(client, Body::Fetch(request));
                let Some(Body::FetchAnswer(parts)) = asked.answers.get(&number) else {
                    return Some(Err("the fetch is not answered".into()));
                };
                self.fetched = parts.first().cloned();
            }
            _ => return None,
        }
        Some(Ok(()))
    }

    fn see(&mut self, key: &str, expected: &Value) -> Option<Value> {
        let now = state(&self.follower);
        Some(match key {
            "follower" => {
                let wanted = expected.as_object()?;
                let mut got = serde_json::Map::new();
                for k in wanted.keys() {
                    got.insert(k.clone(), now.get(k)?.clone());
                }
                got.into()
            }
            "log_start" | "offsets" => {
                let met = self.seen.iter().find(|s| s[key] == *expected);
                met.unwrap_or(&now)[key].clone()
            }
            // After a failover the old follower leads.
            "leader" => self
                .follower
                .leader()
                .map_or(-1, |_| i64::from(self.follower.me.0))
                .into(),
            "leo" | "hw" => now[key].clone(),
            "fetch_offset" => {
                let asked = self
                    .follower
                    .asked
                    .iter()
                    .rev()
                    .find_map(|(_, _, b)| match b {
                        Body::Fetch(r) => r.parts.first().map(|p| p.offset.0),
                        _ => None,
                    });
                asked.map_or(Value::Null, Value::from)
            }
            "ready_for_fetch" => {
                let fetches = |b: &Body| matches!(b, Body::Fetch(_));
                self.follower
                    .asked
                    .iter()
                    .any(|(_, _, b)| fetches(b))
                    .into()
            }
            "epoch_start" => self.follower.leader()?.epoch_start.0.into(),
            "produce_answered" => {
                let answers = [&self.leader.answers, &self.follower.answers];
                answers
                    .iter()
                    .any(|a| self.produce.is_some_and(|p| a.contains_key(&p)))
                    .into()
            }
            "old_leader_leo" => now["leo"].clone(),
            "records" => {
                let fetched = self.fetched.as_ref()?.result.as_ref().ok()?;
                records(fetched).into()
            }
            "error" => match &self.fetched {
                Some(part) => part
                    .result
                    .as_ref()
                    .err()
                    .map_or("NONE", |e| e.name())
                    .into(),
                None => match self.leader.answers.get(&self.produce?)? {
                    Body::ProduceAnswer { result, .. } => {
                        result.err().map_or("NONE", KafkaError::name).into()
                    }
                    _ => return None,
                },
            },
            _ => return None,
        })
    }
}

fn state(b: &Bench) -> Value {
    let Some(r) = b.replica() else {
        return Value::Null;
    };
    let records = || {
        let batches = r.log.batches().iter();
        batches.flat_map(|b| b.records.iter().map(move |r| (r.offset.0, b.epoch.0)))
    };
    json!({
        "batches": records().map(|(o, e)| json!([o, e])).collect::<Vec<_>>(),
        "offsets": records().map(|(o, _)| o).collect::<Vec<_>>(),
        "leo": r.log.end().0,
        "hw": r.log.high_watermark().0,
        "log_start": r.log.start().0,
    })
}

/// A fetch of an older start of a broker than the metadata knows (R-LDR-5).
pub fn stale_epoch(case: &Value) -> Outcome {
    let bench = bench(LEADER, &json!({ "leo": 10, "hw": 0 }), 0, 0)?;
    steps(
        case,
        &mut (bench, "NONE"),
        |(bench, last), op| {
            let epoch = op["broker_epoch"].as_i64()?;
            let part = FetchPart {
                tp: TP,
                offset: Boundary(op["offset"].as_i64()?),
                log_start: Boundary(0),
                current_leader_epoch: None,
                last_fetched_epoch: None,
            };
            let epoch = (epoch >= 0).then_some(BrokerEpoch(epoch));
            let number = bench.follower_fetch(FOLLOWER, epoch, part, Ms(0), 0);
            let Some(Body::FetchAnswer(parts)) = bench.answers.get(&number) else {
                return Some(Err("the fetch is not answered".into()));
            };
            let error = parts.first()?.result.as_ref().err();
            *last = error.map_or("NONE", |e| e.name());
            Some(Ok(()))
        },
        |(_, last), key, _| (key == "error").then(|| (*last).into()),
    )
}
