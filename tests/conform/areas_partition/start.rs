//! What a case starts from.

use super::super::bench::{Bench, Start, append, ids, pair, registration};
use super::Case;
use highwater::kafka::batch::Stamp;
use highwater::kafka::config::ServerConfig;
use highwater::kafka::ids::*;
use highwater::kafka::log::Log;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

impl Case {
    pub(super) fn start(given: &Map<String, Value>) -> Option<Case> {
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
                bench.tell_broker(BrokerId(id), state == "fenced", state.contains("shut"));
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
                let pairs = list.iter().map(pair).collect::<Option<Vec<_>>>()?;
                let of = pairs.iter().rev().find(|p| p.1 <= at).or(pairs.first())?;
                of.0 as i32
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
