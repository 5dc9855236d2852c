//! What the recorder wrote down after a step, read off a world.

#[path = "observe_offsets.rs"]
mod offsets;

pub use offsets::*;

use highwater::kafka::ids::{Boundary, BrokerSet, Offset, Tp};
use highwater::kafka::metadata::{PartitionReg, Recovery};
use highwater::world::command::Process;
use highwater::world::picture::{
    BrokerPicture, PartitionPicture, Picture, ReplicaPicture, RolePicture,
};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A set, sorted.
pub fn set(brokers: BrokerSet) -> Value {
    brokers.iter().map(|b| b.0).collect::<Vec<_>>().into()
}

fn sorted(brokers: &[highwater::kafka::ids::BrokerId]) -> Value {
    let mut ids: Vec<u8> = brokers.iter().map(|b| b.0).collect();
    ids.sort_unstable();
    ids.into()
}

fn ordered(brokers: &[highwater::kafka::ids::BrokerId]) -> Value {
    brokers.iter().map(|b| b.0).collect::<Vec<_>>().into()
}

/// The state of a broker in the recorder's words. `cut` is set by its own cut and uncut steps.
pub fn broker_state(b: &BrokerPicture, cut: bool) -> &'static str {
    match b.process {
        Process::Up if cut => "cut",
        Process::Up => "up",
        Process::Stopping => "stopping",
        Process::Frozen => "frozen",
        Process::Killed => "killed",
        Process::Stopped => "stopped",
    }
}

/// The fields that a state and a change record share.
fn registration(reg: &PartitionReg) -> Map<String, Value> {
    let mut o = Map::new();
    let leader = reg.leader.map_or(-1, |b| i64::from(b.0));
    o.insert("leader".into(), leader.into());
    o.insert("leader_epoch".into(), reg.leader_epoch.0.into());
    o.insert("partition_epoch".into(), reg.partition_epoch.0.into());
    o.insert("isr".into(), set(reg.isr));
    o.insert("elr".into(), set(reg.elr));
    o.insert("last_known_elr".into(), sorted(&reg.last_known_elr));
    if !reg.adding.is_empty() {
        o.insert("adding".into(), ordered(&reg.adding));
    }
    if !reg.removing.is_empty() {
        o.insert("removing".into(), ordered(&reg.removing));
    }
    if reg.recovery == Recovery::Recovering {
        o.insert("recovery".into(), "RECOVERING".into());
    }
    o
}

/// A change record.
pub fn change(old: Option<&PartitionReg>, new: &PartitionReg) -> Value {
    let mut o = registration(new);
    if old.is_some_and(|old| old.replicas != new.replicas) {
        o.insert("replicas".into(), ordered(&new.replicas));
    }
    Value::Object(o)
}

/// The whole state, without what only a request to a leader can tell.
pub fn state(p: &Picture, cut: impl Fn(u8) -> bool, changes: &BTreeMap<Tp, Vec<Value>>) -> Value {
    let mut out = Map::new();
    let brokers: Map<_, _> = p
        .brokers
        .iter()
        .map(|b| (b.id.to_string(), broker_state(b, cut(b.id.0)).into()))
        .collect();
    out.insert("brokers".into(), brokers.into());
    let ids = |pick: &dyn Fn(&BrokerPicture) -> bool| -> Vec<u8> {
        p.brokers
            .iter()
            .filter(|b| pick(b))
            .map(|b| b.id.0)
            .collect()
    };
    out.insert("fenced".into(), ids(&|b| b.fenced == Some(true)).into());
    let leaving = ids(&|b| b.in_controlled_shutdown && b.fenced == Some(false));
    if !leaving.is_empty() {
        out.insert("in_controlled_shutdown".into(), leaving.into());
    }
    let mut partitions = Map::new();
    for part in &p.partitions {
        let mut o = registration(&part.reg);
        o.insert("replicas".into(), ordered(&part.reg.replicas));
        for (k, v) in boundaries(p, part, &cut) {
            o.insert(k.into(), v);
        }
        let logs: Map<_, _> = p
            .brokers
            .iter()
            .filter_map(|b| {
                let r = b.replicas.iter().find(|r| r.tp == part.tp)?;
                Some((b.id.to_string(), log(r)))
            })
            .collect();
        o.insert("logs".into(), logs.into());
        if let Some(list) = changes.get(&part.tp).filter(|l| !l.is_empty()) {
            o.insert("changes".into(), list.clone().into());
        }
        let name = format!("{}-{}", part.name.topic, part.name.partition);
        partitions.insert(name, o.into());
    }
    out.insert("counts".into(), counts(p));
    out.insert("partitions".into(), partitions.into());
    Value::Object(out)
}

/// Whether the recorder would ask this partition's leader: it runs, is not frozen and not cut off.
pub fn askable(p: &Picture, part: &PartitionPicture, cut: impl Fn(u8) -> bool) -> bool {
    let leader = part.reg.leader.and_then(|b| p.broker(b));
    leader.is_some_and(|b| broker_state(b, cut(b.id.0)) == "up")
}

fn boundaries(
    p: &Picture,
    part: &PartitionPicture,
    cut: impl Fn(u8) -> bool,
) -> [(&'static str, Value); 3] {
    let leads = |r: &&ReplicaPicture| matches!(r.role, RolePicture::Leader(_));
    let replica = part
        .reg
        .leader
        .filter(|_| askable(p, part, cut))
        .and_then(|b| p.replica(b, part.tp))
        .filter(leads);
    let of = |f: fn(&ReplicaPicture) -> i64| replica.map_or(Value::Null, |r| f(r).into());
    [
        ("log_start", of(|r| r.log_start.0)),
        ("high_watermark", of(|r| r.high_watermark.0)),
        ("last_stable_offset", of(|r| r.last_stable.0)),
    ]
}

fn log(r: &ReplicaPicture) -> Value {
    let records: Vec<Value> = r
        .records
        .iter()
        .map(|rec| {
            let mut o = Map::new();
            o.insert("offset".into(), rec.offset.0.into());
            o.insert("epoch".into(), rec.epoch.0.into());
            match rec.control {
                Some(c) => {
                    let name = format!("{c:?}").to_uppercase();
                    o.insert("control".into(), name.into());
                }
                None => {
                    o.insert("key".into(), text(&rec.key));
                    let value = rec.value.as_deref().map(super::script::offsets::shown);
                    o.insert("value".into(), json!(value));
                }
            }
            if let Some((id, epoch, sequence)) = rec.stamp {
                o.insert("producer_id".into(), id.into());
                o.insert("producer_epoch".into(), epoch.into());
                if rec.transactional && rec.control.is_none() {
                    o.insert("transactional".into(), true.into());
                } else if rec.control.is_none() {
                    o.insert("sequence".into(), sequence.into());
                }
            }
            if rec.control.is_none() {
                o.insert("timestamp".into(), rec.timestamp.0.into());
            }
            if rec.delete_horizon {
                o.insert("delete_horizon".into(), true.into());
            }
            if !r.log_start.covers(rec.offset) {
                return Value::Object(o);
            }
            o.insert("below_log_start".into(), true.into());
            Value::Object(o)
        })
        .collect();
    let epochs: Vec<Value> = r.epochs.iter().map(|(e, b)| json!([e.0, b.0])).collect();
    let segment = |(base, bytes): &(Boundary, i64)| json!({ "base": base.0, "bytes": bytes });
    let empty = |(base, last): &(Offset, Offset)| json!({ "base": base.0, "last": last.0 });
    let mut log = json!({
        "segments": r.segments.iter().map(segment).collect::<Vec<_>>(),
        "log_start": r.log_start.0,
        "log_end": r.log_end.0,
        "checkpointed_hw": r.checkpointed_high_watermark.0,
        "epochs": epochs,
        "records": records,
    });
    if let Some(at) = r.cleaned_to {
        log["cleaned_to"] = at.0.into();
    }
    if !r.empty_batches.is_empty() {
        log["empty_batches"] = r.empty_batches.iter().map(empty).collect();
    }
    log
}

/// Times of records as ms since 1970; those that no step gave (a broker's own, or of the moment of
/// sending) by pattern only.
pub fn times(state: &mut Value, start: i64, given: &BTreeSet<i64>) {
    let parts = state["partitions"].as_object_mut().into_iter().flatten();
    let logs = parts
        .filter_map(|(_, p)| p.get_mut("logs")?.as_object_mut())
        .flatten();
    let records = logs
        .filter_map(|(_, log)| log.get_mut("records")?.as_array_mut())
        .flatten();
    for record in records {
        let Some(at) = record.get("timestamp").and_then(Value::as_i64) else {
            continue;
        };
        record["timestamp"] = match given.contains(&(at + start)) {
            true => (at + start).into(),
            false => "of the broker".into(),
        };
    }
}

/// A text or null.
pub fn text(t: &Option<std::rc::Rc<str>>) -> Value {
    t.as_deref().map_or(Value::Null, Value::from)
}

/// The figures of a cluster console.
fn counts(p: &Picture) -> Value {
    let mut leaders: BTreeMap<String, u32> =
        p.brokers.iter().map(|b| (b.id.to_string(), 0)).collect();
    let (mut replicas, mut in_sync, mut under, mut offline) = (0, 0, 0, 0);
    for part in &p.partitions {
        match part.reg.leader {
            Some(b) => *leaders.entry(b.to_string()).or_default() += 1,
            None => offline += 1,
        }
        let (n, isr) = (part.reg.replicas.len() as u32, part.reg.isr.len());
        replicas += n;
        in_sync += isr;
        under += u32::from(isr < n);
    }
    json!({
        "partitions": p.partitions.len(),
        "replicas": replicas,
        "in_sync_replicas": in_sync,
        "under_replicated": under,
        "offline": offline,
        "leaders": leaders,
    })
}

/// Leaves out of a state what the recorded one does not tell, by the rules of the format: logs
/// and changes where it has none, counts where it has none, the checkpoint of brokers not up.
pub fn trim(recorded: &Value, state: &mut Value) {
    if recorded.get("fenced").is_none() {
        state.as_object_mut().map(|o| o.remove("fenced"));
    }
    // Internal topics are told of by their groups and transactions.
    if let Some(parts) = state["partitions"].as_object_mut() {
        parts.retain(|name, _| {
            !name.starts_with("__") || recorded["partitions"].get(name).is_some()
        });
    }
    if recorded.get("counts").is_none() {
        state.as_object_mut().map(|o| o.remove("counts"));
    }
    let parts = state["partitions"].as_object_mut().into_iter().flatten();
    for (name, p) in parts {
        let Some(p) = p.as_object_mut() else { continue };
        if recorded["partitions"][name].get("logs").is_none() {
            p.remove("logs");
            p.remove("changes");
        }
        if recorded["partitions"][name]
            .get("partition_epoch")
            .is_none()
        {
            p.remove("partition_epoch");
            p.remove("changes");
        }
        for (b, log) in p
            .get_mut("logs")
            .and_then(Value::as_object_mut)
            .into_iter()
            .flatten()
        {
            let Some(log) = log.as_object_mut() else {
                continue;
            };
            if recorded["brokers"][b] != "up" {
                log.remove("checkpointed_hw");
            }
            let told = &recorded["partitions"][name]["logs"][b];
            if told.get("segments").is_none() {
                for field in ["segments", "cleaned_to", "empty_batches"] {
                    log.remove(field);
                }
            }
            let times = |r: &Value| r.get("timestamp").is_some();
            let times = told["records"]
                .as_array()
                .is_some_and(|all| all.iter().any(times));
            let records = log.get_mut("records").and_then(Value::as_array_mut);
            for record in records
                .into_iter()
                .flatten()
                .filter_map(Value::as_object_mut)
            {
                if !times {
                    record.remove("timestamp");
                }
            }
        }
    }
}
