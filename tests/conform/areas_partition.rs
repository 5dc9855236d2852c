//! Cases about a partition as leader and follower, and about a broker's answers: given a start,
//! steps and what must hold, they are carried out on one broker on a bench, or on two.

use super::bench::{BROKER_EPOCH, Bench, Start, TP, append, ids, log_of, numbers, registration};
use super::vectors::Outcome;
use highwater::kafka::batch::Stamp;
use highwater::kafka::config::ServerConfig;
use highwater::kafka::error::KafkaError;
use highwater::kafka::event::IsrMove;
use highwater::kafka::ids::*;
use highwater::kafka::log::Log;
use highwater::kafka::message::*;
use highwater::kafka::metadata::PartitionReg;
use highwater::kafka::partition::Pending;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

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
        return rows(case);
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
    fn start(given: &Map<String, Value>) -> Option<Case> {
        const KNOWN: &[&str] = &[
            "replicas",
            "leader",
            "isr",
            "leader_epoch",
            "partition_epoch",
            "leo",
            "hw",
            "epoch_start",
            "min_isr",
            "remote_leo",
            "racks",
            "broker_epoch_known",
            "replica_lag_time_max_ms",
            "lag_time_max_ms",
            "t0",
            "log",
            "leader_log",
            "role",
            "partition",
            "client",
            "checkpoint_hw",
            "leader_only",
            "last_caught_up_ms",
            "leader_leo",
            "follower_leo",
            "check_times_ms",
            "broker_epoch_in_metadata",
        ];
        let known = |k: &String| KNOWN.contains(&k.as_str()) || k.starts_with("broker_");
        if !given.keys().all(known) {
            return None;
        }
        let inner = given.get("partition").and_then(Value::as_object);
        let get = |key: &str| inner.and_then(|p| p.get(key)).or_else(|| given.get(key));
        let int = |key: &str| get(key).and_then(Value::as_i64);
        let log = get("log").or_else(|| get("leader_log"));
        let in_log = |key: &str| log.and_then(|l| l.get(key)).and_then(Value::as_i64);

        let racks: BTreeMap<u8, String> = get("racks")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .filter_map(|(k, v)| Some((k.parse().ok()?, v.as_str()?.to_string())))
            .collect();
        let mut racks = racks;
        let mut remote: BTreeMap<u8, i64> = get("remote_leo")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .filter_map(|(k, v)| Some((k.parse().ok()?, v.as_i64()?)))
            .collect();
        let mut leo = int("leo").or(in_log("leo"));
        let mut me = BrokerId(int("leader").unwrap_or(0) as u8);
        // Replicas with racks and log ends of their own (a selection by rack).
        let detailed = get("replicas")
            .and_then(Value::as_array)
            .filter(|l| l[0].is_object());
        let mut replicas = get("replicas").and_then(ids);
        if let Some(list) = detailed {
            let mut all = Vec::new();
            for r in list {
                let id = r["id"].as_u64()? as u8;
                racks.insert(id, r["rack"].as_str()?.into());
                if r["leader"] == true {
                    me = BrokerId(id);
                    leo = r["leo"].as_i64();
                } else {
                    remote.insert(id, r["leo"].as_i64()?);
                }
                all.push(BrokerId(id));
            }
            replicas = Some(all);
        }
        // ISR removal told by times alone.
        if let Some(end) = int("leader_leo") {
            leo = Some(end);
            remote.insert(1, int("follower_leo")?);
        }
        let isr: Option<Vec<BrokerId>> = get("isr").and_then(ids);
        let replicas = replicas.unwrap_or_else(|| {
            let racked: Vec<BrokerId> = racks.keys().map(|b| BrokerId(*b)).collect();
            if racked.is_empty() {
                vec![BrokerId(0), BrokerId(1)]
            } else {
                racked
            }
        });
        let isr: BrokerSet = isr
            .unwrap_or_else(|| replicas.clone())
            .into_iter()
            .collect();
        let leader_epoch = int("leader_epoch").unwrap_or(0) as i32;
        let leads = get("role").and_then(Value::as_str) != Some("follower");
        let told = get("leader").is_some() || get("partition").is_some() || get("log").is_none();
        let becomes = case_becomes_leader_later(given);

        let hw = int("hw").or(in_log("hw")).or(int("checkpoint_hw"));
        let lag = int("replica_lag_time_max_ms").or(int("lag_time_max_ms"));
        let server = ServerConfig {
            replica_lag_time_max: lag.map_or(ServerConfig::default().replica_lag_time_max, Ms),
            rack_aware_selector: !racks.is_empty(),
            ..ServerConfig::default()
        };
        let leo = leo.unwrap_or(0);
        let on_disk = int("epoch_start").unwrap_or(match (becomes, get("leader_log")) {
            (false, None) => hw.unwrap_or(0).min(leo),
            _ => leo,
        });
        let stamps = times(log, leo);
        let disk = disk(log, on_disk, leader_epoch, &stamps, hw)?;
        let other = replicas.iter().copied().find(|b| *b != me);
        let leader = if leads { Some(me) } else { other };
        let epoch = int("partition_epoch").unwrap_or(0) as i32;
        let whole = registration(replicas.clone(), isr, leader, leader_epoch, epoch);
        let reg = (!becomes && (told || log.is_some())).then(|| whole.clone());
        let mut brokers = replicas.clone();
        brokers.extend([BrokerId(7)].into_iter().filter(|b| !replicas.contains(b)));
        let mut bench = Bench::new(Start {
            me,
            reg,
            log: disk,
            high_watermark: hw.unwrap_or(0).min(on_disk),
            server,
            min_isr: int("min_isr").map(|n| n as i32),
            racks,
            brokers,
        });
        let transaction = log
            .and_then(|l| l["batches"].as_array())
            .is_some_and(|b| b[0]["txn"] == true);
        let later = |bench: &mut Bench, below: i64| {
            for at in bench.replica().map_or(0, |r| r.log.end().0)..below {
                let stamp = transaction.then_some(Stamp {
                    producer_id: 2,
                    epoch: 0,
                    base_sequence: at as i32,
                });
                if let Some(log) = bench.log_mut() {
                    append(
                        log,
                        leader_epoch,
                        stamps.get(&at).copied().unwrap_or(0),
                        stamp,
                    );
                }
            }
        };
        for (key, state) in given.iter().filter(|(k, _)| k.starts_with("broker_")) {
            if let (Ok(id), Some(state)) = (key["broker_".len()..].parse(), state.as_str()) {
                bench.tell_broker(BrokerId(id), state == "fenced", state == "shutting_down");
            }
        }
        // A follower that held all there was at time 0 lacks what comes then.
        let first = match int("last_caught_up_ms") {
            Some(_) => *remote.get(&1)?,
            None => leo,
        };
        later(&mut bench, first);
        let mut case = Case {
            bench,
            fetch: None,
            produce: None,
            last: None,
            given: whole,
            old_client: given.get("client").is_some_and(|c| c["version"] == "old"),
            direct: None,
            changed: Value::Null,
            removed: false,
            reg_before: (Epoch(0), PartitionEpoch(0)),
        };
        for (b, end) in &remote {
            case.follower_fetch(&json!({ "replica": b, "offset": end }))?;
        }
        later(&mut case.bench, leo);
        case.fetch = None;
        case.last = None;
        Some(case)
    }

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
                    .tell_broker(id, state == "fenced", state == "shutting_down");
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

    fn answer(&self) -> Option<&Body> {
        self.bench.answers.get(&self.last?)
    }

    fn fetched(&self) -> Option<&FetchedPart> {
        match self.bench.answers.get(&self.fetch?)? {
            Body::FetchAnswer(parts) => parts.first(),
            _ => None,
        }
    }

    fn error(&self) -> Option<KafkaError> {
        if let Some(direct) = &self.direct {
            return direct.err();
        }
        match self.answer()? {
            Body::FetchAnswer(parts) => parts.first()?.result.as_ref().err().copied(),
            Body::ProduceAnswer { result, .. } => result.err(),
            Body::ListOffsetsAnswer { result, .. } => result.err(),
            Body::DeleteRecordsAnswer { result, .. } => result.err(),
            _ => None,
        }
    }

    fn see(&mut self, key: &str, expected: &Value) -> Option<Value> {
        let replica = self.bench.replica()?;
        let leader = replica.leader();
        let remote = leader.and_then(|l| l.remotes.get(&BrokerId(1)));
        let in_flight = leader
            .and_then(|l| l.pending.as_ref())
            .is_some_and(|p| p.in_flight.is_some());
        let set = |s: BrokerSet| Value::from(s.iter().map(|b| b.0).collect::<Vec<_>>());
        Some(match key {
            "hw" => replica.log.high_watermark().0.into(),
            "leo" => replica.log.end().0.into(),
            "log_start" => replica.log.start().0.into(),
            "isr" => set(leader?.isr),
            "maximal_isr" => set(leader?.maximal_isr()),
            "alter_partition_in_flight" | "in_flight" => in_flight.into(),
            "proposed_isr" => set(leader?.pending.as_ref()?.asked),
            "state" => match leader?.pending.as_ref().map(|p| &p.what) {
                None => "CommittedPartitionState",
                Some(IsrMove::Expand(_)) => "PendingExpand",
                Some(IsrMove::Shrink(_)) => "PendingShrink",
            }
            .into(),
            "retried" => {
                let before = self.bench.alters_before_error?;
                self.bench.advance(1_000);
                (self.bench.alters.len() > before).into()
            }
            "removed" => self.removed.into(),
            "partition_epoch" => replica.partition_epoch.0.into(),
            "leader_epoch" => replica.leader_epoch.0.into(),
            "accepted" => {
                let now = (replica.leader_epoch, replica.partition_epoch);
                (now != self.reg_before).into()
            }
            "epoch_start" => leader?.epoch_start.0.into(),
            "remote_leo" => remote.and_then(|r| r.log_end).map_or(-1, |b| b.0).into(),
            "remote_log_start" => remote.and_then(|r| r.log_start).map_or(-1, |b| b.0).into(),
            "last_caught_up" => {
                let at = remote.and_then(|r| r.last_caught_up).map_or(-1, |ms| ms.0);
                match expected.as_str() {
                    Some("t0") if at == 0 => "t0".into(),
                    Some("now") if at == self.bench.now.0 => "now".into(),
                    _ => at.into(),
                }
            }
            "changed_to" => self.changed.clone(),
            "selected" => self
                .direct
                .as_ref()?
                .as_ref()
                .ok()?
                .as_ref()
                .copied()?
                .into(),
            "produce_answered" => self.bench.answers.contains_key(&self.produce?).into(),
            "answered" => self.bench.answers.contains_key(&self.last?).into(),
            "parked" => u32::from(!self.bench.answers.contains_key(&self.last?)).into(),
            "error" => self.error().map_or("NONE", KafkaError::name).into(),
            "response_hw" => self
                .fetched()?
                .result
                .as_ref()
                .ok()?
                .high_watermark
                .0
                .into(),
            "diverging" => match self.fetched()?.result.as_ref().ok()?.diverging {
                None => Value::Null,
                Some((epoch, end)) => json!([epoch.0, end.0]),
            },
            "diverging_epoch_present" => self
                .fetched()?
                .result
                .as_ref()
                .ok()?
                .diverging
                .is_some()
                .into(),
            "preferred_replica_present" => {
                let fetched = self.fetched()?.result.as_ref().ok()?;
                fetched.preferred_read_replica.is_some().into()
            }
            "records" => {
                let fetched = self.fetched()?.result.as_ref().ok()?;
                records(fetched).into()
            }
            "offset" => match self.answer()? {
                Body::ListOffsetsAnswer { result, .. } => match result {
                    Ok(at) => at.map_or(Value::Null, |b| b.0.into()),
                    Err(_) => Value::Null,
                },
                _ => return None,
            },
            // The answer of the engine does not carry it: that of the record it found.
            "timestamp" => match self.answer()? {
                Body::ListOffsetsAnswer {
                    result: Ok(Some(at)),
                    ..
                } => {
                    let mut records = replica.log.batches().iter().flat_map(|b| b.records.iter());
                    let found = records.find(|r| r.offset == at.next());
                    found.map_or(Value::Null, |r| r.timestamp.0.into())
                }
                _ => Value::Null,
            },
            "low_watermark" => match self.answer()? {
                Body::DeleteRecordsAnswer { result, .. } => result.map_or(-1, |b| b.0).into(),
                _ => return None,
            },
            _ => return None,
        })
    }
}

/// Numbers of the records in an answer, from the boundary asked for on.
pub fn records(fetched: &Fetched) -> Vec<i64> {
    let all = fetched.batches.iter().flat_map(|b| b.records.iter());
    all.map(|r| r.offset.0).collect()
}

/// A case that has no leader yet: it becomes one by a step.
fn case_becomes_leader_later(given: &Map<String, Value>) -> bool {
    given.contains_key("isr")
        && !given.contains_key("leader")
        && given.contains_key("min_isr")
        && !given.contains_key("leader_epoch")
}

fn times(log: Option<&Value>, leo: i64) -> BTreeMap<i64, i64> {
    let by_place = |l: &Vec<Value>| {
        (0..)
            .zip(l.iter().map(|t| t.as_i64().unwrap_or(-1)))
            .collect()
    };
    match log.and_then(|l| l.get("timestamps")) {
        Some(Value::Array(list)) => by_place(list),
        Some(Value::Object(map)) => map
            .iter()
            .filter_map(|(k, v)| Some((k.parse().ok()?, v.as_i64()?)))
            .collect(),
        _ => (0..leo).map(|at| (at, 0)).collect(),
    }
}

/// What lies on the disk when the broker starts.
fn disk(
    spec: Option<&Value>,
    end: i64,
    leader_epoch: i32,
    stamps: &BTreeMap<i64, i64>,
    hw: Option<i64>,
) -> Option<Log> {
    let epochs = spec.and_then(|l| l["epochs"].as_array());
    let mut log = Log::new();
    for at in 0..end {
        let epoch = match epochs {
            Some(list) => {
                let pairs = list.iter().map(numbers).collect::<Option<Vec<_>>>()?;
                let of = pairs.iter().rev().find(|p| p[1] <= at).or(pairs.first())?;
                of[0] as i32
            }
            None => (leader_epoch - 1).max(0),
        };
        append(&mut log, epoch, stamps.get(&at).copied().unwrap_or(0), None);
    }
    if let Some(start) = spec.and_then(|l| l["log_start"].as_i64()) {
        log.maybe_increment_high_watermark(Boundary(hw.unwrap_or(end).min(end).max(start)));
        log.maybe_increment_start(Boundary(start)).ok()?;
    }
    Some(log)
}

/// A table of ISR states: what counts for the high watermark, and for min.insync.replicas.
fn rows(case: &Value) -> Outcome {
    let table = case["given"]["rows"].as_array()?.clone();
    let mut results = Value::Null;
    steps(
        case,
        &mut results,
        |results, op| {
            let mut out = Vec::new();
            for row in &table {
                let isr: BrokerSet = ids(&row["isr"])?.into_iter().collect();
                let what = match row["state"].as_str()? {
                    "committed" => None,
                    "pending_expand" => {
                        let joining = BrokerId(row["joining"].as_u64()? as u8);
                        Some(IsrMove::Expand(joining))
                    }
                    "pending_shrink" => {
                        Some(IsrMove::Shrink(ids(&row["leaving"])?.into_iter().collect()))
                    }
                    _ => return None,
                };
                let mut bench = Bench::new(Start {
                    me: BrokerId(0),
                    reg: Some(registration(
                        vec![BrokerId(0), BrokerId(1), BrokerId(2)],
                        isr,
                        Some(BrokerId(0)),
                        0,
                        0,
                    )),
                    log: log_of(0, 0),
                    high_watermark: 0,
                    server: ServerConfig::default(),
                    min_isr: None,
                    racks: BTreeMap::new(),
                    brokers: vec![BrokerId(0), BrokerId(1), BrokerId(2)],
                });
                let leader = bench.broker.replicas.get_mut(&TP)?.leader_mut()?;
                leader.pending = what.map(|what| Pending {
                    asked: isr,
                    what,
                    in_flight: None,
                });
                let set = match op["op"].as_str()? {
                    "maximal_isr" => leader.maximal_isr(),
                    "isr_for_min_isr_check" => leader.isr,
                    _ => return None,
                };
                out.push(json!(set.iter().map(|b| b.0).collect::<Vec<_>>()));
            }
            *results = out.into();
            Some(Ok(()))
        },
        |results, key, _| (key == "results").then(|| results.clone()),
    )
}
