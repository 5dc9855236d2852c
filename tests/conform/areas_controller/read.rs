//! How cases write brokers and partitions.

use highwater::kafka::controller::change_builder::Election;
use highwater::kafka::ids::*;
use highwater::kafka::metadata::{PartitionReg, Recovery};
use serde_json::{Map, Value, json};

pub fn brokers(value: &Value) -> Option<Vec<BrokerId>> {
    let list = value.as_array()?.iter();
    list.map(|b| {
        Some(BrokerId(
            u8::try_from(b.as_u64()?).ok().filter(|b| *b < 64)?,
        ))
    })
    .collect()
}

pub fn broker(value: &Value) -> Result<BrokerId, String> {
    let id = value.as_u64().and_then(|b| u8::try_from(b).ok());
    id.filter(|b| *b < 64)
        .map(BrokerId)
        .ok_or_else(|| format!("{value} is no broker"))
}

pub fn set(value: &Value) -> Option<BrokerSet> {
    brokers(value).map(|list| list.into_iter().collect())
}

pub fn recovery(value: &Value) -> Option<Recovery> {
    match value.as_str()? {
        "RECOVERING" => Some(Recovery::Recovering),
        "RECOVERED" => Some(Recovery::Recovered),
        _ => None,
    }
}

pub fn election(value: &Value) -> Result<Election, String> {
    match value.as_str() {
        Some("ONLINE") => Ok(Election::Online),
        Some("PREFERRED") => Ok(Election::Preferred),
        Some("UNCLEAN") => Ok(Election::Unclean),
        _ => Err(format!("{value} is no election")),
    }
}

/// A partition as a case gives it; what is left out is as in a healthy partition.
pub fn partition(given: &Value) -> Result<PartitionReg, String> {
    let replicas = brokers(&given["replicas"]).ok_or("no replicas")?;
    let isr = set(&given["isr"]).unwrap_or_else(|| replicas.iter().copied().collect());
    let leader = match given["leader"].as_i64() {
        Some(-1) => None,
        Some(_) => Some(broker(&given["leader"])?),
        None => replicas.iter().copied().find(|b| isr.contains(*b)),
    };
    let number = |name: &str| given[name].as_i64().unwrap_or(0) as i32;
    Ok(PartitionReg {
        adding: brokers(&given["adding"]).unwrap_or_default(),
        removing: brokers(&given["removing"]).unwrap_or_default(),
        isr,
        elr: set(&given["elr"]).unwrap_or_default(),
        last_known_elr: brokers(&given["last_known_elr"]).unwrap_or_default(),
        leader,
        leader_epoch: Epoch(number("leader_epoch")),
        partition_epoch: PartitionEpoch(number("partition_epoch")),
        recovery: recovery(&given["recovery"]).unwrap_or_default(),
        replicas,
    })
}

pub fn show_partition(reg: &PartitionReg) -> Map<String, Value> {
    let list = |l: &[BrokerId]| json!(l.iter().map(|b| b.0).collect::<Vec<_>>());
    let members = |s: BrokerSet| json!(s.iter().map(|b| b.0).collect::<Vec<_>>());
    let fields = [
        ("replicas", list(&reg.replicas)),
        ("adding", list(&reg.adding)),
        ("removing", list(&reg.removing)),
        ("isr", members(reg.isr)),
        ("elr", members(reg.elr)),
        ("last_known_elr", list(&reg.last_known_elr)),
        ("leader", json!(reg.leader.map_or(-1, |b| i64::from(b.0)))),
        ("leader_epoch", json!(reg.leader_epoch.0)),
        ("partition_epoch", json!(reg.partition_epoch.0)),
        (
            "recovery",
            json!(match reg.recovery {
                Recovery::Recovered => "RECOVERED",
                Recovery::Recovering => "RECOVERING",
            }),
        ),
    ];
    fields
        .map(|(k, v)| (k.to_string(), v))
        .into_iter()
        .collect()
}
