//! Cases about a partition as leader and follower, and about a broker's answers: given a start,
//! steps and what must hold, they are carried out on one broker on a bench, or on two.

#[path = "areas_partition/rows.rs"]
mod rows;
#[path = "areas_partition/see.rs"]
mod see;
#[path = "areas_partition/start.rs"]
mod start;

use super::bench::{BROKER_EPOCH, Bench, TP, ids};
use super::vectors::Outcome;
use highwater::kafka::batch::{NewBatch, NewRecord, Stamp};
use highwater::kafka::error::KafkaError;
use highwater::kafka::ids::*;
use highwater::kafka::message::*;
use highwater::kafka::metadata::PartitionReg;
use highwater::kafka::transaction::message::{ProducerRef, TransactionRequest};
use serde_json::{Value, json};

const AREAS: &[&str] = &[
    "hw",
    "isr",
    "alter-partition",
    "replica-state",
    "truncation",
    "fetch-validation",
    "produce",
    "delete-records",
    "listoffsets",
    "lso",
    "follower-read",
    "read",
];

/// Runs a case of these areas.
pub fn run(case: &Value) -> Outcome {
    let area = case["area"].as_str()?;
    if !AREAS.contains(&area) {
        return None;
    }
    let given = case["given"].as_object()?;
    let follower_and_leader = given.get("leader").is_some_and(Value::is_object)
        || given.get("follower").is_some_and(Value::is_object)
        || given.get("follower_leo").is_some_and(Value::is_object);
    if follower_and_leader {
        return super::areas_pair::run(case);
    }
    if given.contains_key("replica") {
        return super::areas_remote::run(case);
    }
    if given.contains_key("rows") {
        return rows::rows(case);
    }
    if given.contains_key("preferred_replica") {
        return None; // a consumer's own
    }
    Case::start(given)?.run(case)
}

/// Checks `then` after each of the steps.
pub fn steps<T>(
    case: &Value,
    state: &mut T,
    mut act: impl FnMut(&mut T, &Value) -> Option<Result<(), String>>,
    mut see: impl FnMut(&mut T, &str, &Value) -> Option<Value>,
) -> Outcome {
    let when = case["when"].as_array()?;
    let then = case["then"].as_array()?;
    for done in 0..=when.len() {
        if done > 0
            && let Err(why) = act(state, &when[done - 1])?
        {
            return Some(Err(format!("step {done}: {why}")));
        }
        for t in then {
            let after = t["after"].as_u64().map_or(when.len(), |n| n as usize);
            if after != done {
                continue;
            }
            for (key, expected) in t.as_object()?.iter().filter(|(k, _)| *k != "after") {
                let got = see(state, key, expected)?;
                if got != *expected {
                    let why = format!("step {done}: {key} expected {expected} got {got}");
                    return Some(Err(why));
                }
            }
        }
    }
    Some(Ok(()))
}

/// A broker on a bench, and what was last asked of it.
struct Case {
    bench: Bench,
    fetch: Option<Correlation>,
    produce: Option<Correlation>,
    last: Option<Correlation>,
    /// What the case says of the partition, for one that has not been told yet.
    given: PartitionReg,
    /// The case's consumers are of before KIP-392.
    old_client: bool,
    /// What a direct look gave instead of an answer.
    direct: Option<Result<Option<i64>, KafkaError>>,
    changed: Value,
    removed: bool,
    reg_before: (Epoch, PartitionEpoch),
}

impl Case {
    fn run(mut self, case: &Value) -> Outcome {
        steps(case, &mut self, Case::act, |c, key, expected| {
            c.see(key, expected)
        })
    }

    fn part(&self, op: &Value) -> FetchPart {
        let current = match op.get("current_leader_epoch") {
            Some(v) => v.as_i64().map(|e| Epoch(e as i32)),
            None => self.bench.replica().map(|r| r.leader_epoch),
        };
        FetchPart {
            tp: TP,
            offset: Boundary(op["offset"].as_i64().unwrap_or(0)),
            log_start: Boundary(op["log_start"].as_i64().unwrap_or(0)),
            current_leader_epoch: current,
            last_fetched_epoch: op["last_fetched_epoch"].as_i64().map(|e| Epoch(e as i32)),
        }
    }

    fn follower_fetch(&mut self, op: &Value) -> Option<()> {
        let id = BrokerId(op["replica"].as_u64().unwrap_or(1) as u8);
        let epoch = match op.get("broker_epoch").and_then(Value::as_i64) {
            Some(-1) => None,
            Some(e) => Some(BrokerEpoch(e)),
            None => Some(BROKER_EPOCH),
        };
        let wait = Ms(op["max_wait_ms"].as_i64().unwrap_or(0));
        let min = op["min_bytes"].as_u64().unwrap_or(0) as u32;
        let part = self.part(op);
        self.fetch = Some(self.bench.follower_fetch(id, epoch, part, wait, min));
        self.last = self.fetch;
        Some(())
    }

    fn consumer_fetch(&mut self, op: &Value, old: bool) {
        let part = FetchPart {
            current_leader_epoch: op["current_leader_epoch"].as_i64().map(|e| Epoch(e as i32)),
            ..self.part(op)
        };
        let request = FetchRequest {
            asker: Asker::Consumer {
                rack: op["rack"].as_str().map(Into::into),
                modern: !old,
                read_committed: op["isolation"] == "read_committed",
            },
            parts: vec![part],
            max_wait: Ms(op["max_wait_ms"].as_i64().unwrap_or(0)),
            min_records: op["min_bytes"].as_u64().unwrap_or(1) as u32,
            max_bytes: 1 << 20,
        };
        let client = NodeId::Client(ClientId(1));
        self.fetch = Some(self.bench.request(client, Body::Fetch(request)));
        self.last = self.fetch;
    }

    fn act(&mut self, op: &Value) -> Option<Result<(), String>> {
        let int = |key: &str| op[key].as_i64();
        self.direct = None;
        match op["op"].as_str()? {
            "follower_fetch" => self.follower_fetch(op)?,
            "fetch" if op["as"] == "follower" => self.follower_fetch(op)?,
            "fetch" => {
                let old = op["version"] == "old" || (op["version"].is_null() && self.old_client);
                self.consumer_fetch(op, old);
            }
            "append_leader" if op["txn"] == true => self.append_transactional(op)?,
            "append_marker" => self.append_marker(op)?,
            "append_leader" => {
                self.bench.produce(int("n")? as usize, Acks::Leader);
            }
            "produce" => {
                let acks = match &op["acks"] {
                    Value::String(s) => Acks::parse(s)?,
                    other => Acks::parse(&other.to_string())?,
                };
                self.produce = Some(self.bench.produce(int("n")? as usize, acks));
                self.last = self.produce;
            }
            "advance_time" => self.bench.advance(int("ms")?),
            "isr_shrink_check" => self.bench.shrink_check(),
            "isr_shrink_check_at" => {
                self.bench.now = Ms(int("ms")?);
                self.bench.shrink_check();
                self.removed = !self.bench.alters.is_empty();
            }
            "alter_partition_ok" => {
                let epoch = PartitionEpoch(int("partition_epoch")? as i32);
                return Some(self.bench.alter_answer(Ok(epoch)));
            }
            "alter_partition_error" => {
                let error = KafkaError::from_name(op["error"].as_str()?)?;
                return Some(self.bench.alter_answer(Err(error)));
            }
            "set_broker" => {
                let state = op["state"].as_str()?;
                let id = BrokerId(int("id")? as u8);
                self.bench
                    .tell_broker(id, state == "fenced", state.contains("shut"));
            }
            "metadata_update" | "become_follower" | "become_leader" => self.metadata(op)?,
            "load_partition" => {}
            "hw_update" if self.bench.leader().is_some() => {
                // A leader's moves with what its follower has.
                self.follower_fetch(&json!({ "replica": 1, "offset": int("to")? }))?;
            }
            "hw_update" => {
                let to = Boundary(int("to")?);
                let moved = self.bench.log_mut()?.update_high_watermark(to);
                self.changed = moved.map_or(Value::Null, |(_, to)| to.0.into());
            }
            "increment_log_start" => {
                let to = Boundary(int("to")?);
                let done = self.bench.log_mut()?.maybe_increment_start(to);
                self.direct = Some(done.map(|_| None));
            }
            "list_offsets" => {
                let body = Body::ListOffsets {
                    tp: TP,
                    spec: match &op["ts"] {
                        Value::String(s) if s == "LATEST" => OffsetSpec::Latest,
                        Value::String(s) if s == "EARLIEST" => OffsetSpec::Earliest,
                        Value::String(s) if s == "MAX_TIMESTAMP" => OffsetSpec::MaxTimestamp,
                        Value::Number(n) => OffsetSpec::Timestamp(Ms(n.as_i64()?)),
                        _ => return None,
                    },
                    isolation: match op["isolation"].as_str() {
                        None => Isolation::LogEnd,
                        Some("read_uncommitted") => Isolation::ReadUncommitted,
                        Some("read_committed") => Isolation::ReadCommitted,
                        Some(_) => return None,
                    },
                    current_leader_epoch: None,
                };
                self.last = Some(self.bench.request(NodeId::Client(ClientId(2)), body));
            }
            "delete_records" => {
                let body = Body::DeleteRecords {
                    tp: TP,
                    before: Boundary(int("offset")?),
                    timeout: Ms(1_000),
                };
                self.last = Some(self.bench.request(NodeId::Client(ClientId(3)), body));
            }
            "check_epoch" => {
                let asked = int("request").map(|e| Epoch(e as i32));
                let replica = self.bench.replica()?;
                let leader_only = replica.leader().is_none();
                self.direct = Some(replica.check_epoch(asked, leader_only).map(|()| None));
            }
            "select" => {
                let replica = self.bench.replica()?;
                let rack = op["rack"].as_str();
                let chosen =
                    replica.preferred_read_replica(rack, Boundary(0), self.bench.broker.context());
                let chosen = chosen.unwrap_or(self.bench.me);
                self.direct = Some(Ok(Some(i64::from(chosen.0))));
            }
            _ => return None,
        }
        Some(Ok(()))
    }

    fn append_transactional(&mut self, op: &Value) -> Option<()> {
        let producer_id = op["pid"].as_i64()?;
        for sequence in 0..op["times"].as_i64().unwrap_or(1) as i32 {
            let batch = NewBatch {
                stamp: Some(Stamp {
                    producer_id,
                    epoch: 0,
                    base_sequence: sequence,
                }),
                transactional: true,
                ..NewBatch::plain([NewRecord::value("v")])
            };
            let body = Body::Produce {
                tp: TP,
                batch,
                transactional_id: None,
                acks: Acks::Leader,
                timeout: Ms(1_000),
            };
            self.bench.request(NodeId::Client(ClientId(0)), body);
        }
        Some(())
    }

    fn append_marker(&mut self, op: &Value) -> Option<()> {
        let request = TransactionRequest::WriteMarkers {
            producer: ProducerRef {
                id: op["pid"].as_i64()?,
                epoch: 1,
            },
            commit: op["type"] == "COMMIT",
            version: 2,
            partitions: vec![TP],
        };
        let coordinator = NodeId::Broker(BrokerId(9));
        self.bench.request(coordinator, Body::Transaction(request));
        Some(())
    }

    fn metadata(&mut self, op: &Value) -> Option<()> {
        let me = self.bench.me;
        let mut reg = self.bench.reg().unwrap_or_else(|| self.given.clone());
        if let Some(replica) = self.bench.replica() {
            self.reg_before = (replica.leader_epoch, replica.partition_epoch);
        }
        reg.partition_epoch = match op["partition_epoch"].as_i64() {
            Some(e) => PartitionEpoch(e as i32),
            None => reg.partition_epoch.next(),
        };
        if let Some(e) = op["leader_epoch"].as_i64() {
            reg.leader_epoch = Epoch(e as i32);
        }
        if let Some(isr) = op.get("isr").and_then(ids) {
            reg.isr = isr.into_iter().collect();
        }
        match op["op"].as_str()? {
            "become_leader" => reg.leader = Some(me),
            "become_follower" => reg.leader = Some(BrokerId(op["leader"].as_u64()? as u8)),
            _ => {}
        }
        self.bench.tell_partition(reg);
        Some(())
    }
}

/// Numbers of the records in an answer, from the boundary asked for on.
pub fn records(fetched: &Fetched) -> Vec<i64> {
    let all = fetched.batches.iter().flat_map(|b| b.records.iter());
    all.map(|r| r.offset.0).collect()
}
