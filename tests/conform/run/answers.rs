//! The engine's answers in the words of the recordings.

use super::super::observe;
use highwater::kafka::error::KafkaError;
use highwater::kafka::ids::Boundary;
use highwater::kafka::message::CurrentLeader;
use highwater::world::command::{PartitionName, PollException, ReadRecord, Reply};
use serde_json::{Value, json};

pub fn error(e: KafkaError, leader: CurrentLeader) -> Value {
    let mut o = json!({ "error": e.name(), "message": e.text() });
    if let Some((id, epoch)) = leader {
        o["current_leader"] = json!({ "id": id.0, "epoch": epoch.0 });
    }
    o
}

/// The answers of one produce, one a record.
pub fn produced(reply: &Reply, count: usize, raw: bool) -> Vec<Value> {
    match reply {
        Reply::Failed(e, leader) if raw => vec![error(*e, *leader); count],
        Reply::Produced(offsets) => offsets
            .iter()
            .map(|o| json!({ "offset": o.map_or(-1, |o| o.0) }))
            .collect(),
        other => vec![answer(other); count],
    }
}

pub fn read(r: &ReadRecord, with_key: bool) -> Value {
    let mut o =
        json!({ "offset": r.offset.0, "epoch": r.epoch.0, "value": observe::text(&r.value) });
    if with_key {
        o["key"] = observe::text(&r.key);
    }
    o
}

pub fn answer(reply: &Reply) -> Value {
    match reply {
        Reply::Done => json!({ "ok": true }),
        // Who leads is told by a broker's own answer to a produce alone.
        Reply::Failed(e, _) => error(*e, None),
        Reply::Offset(found) => json!({ "offset": found.map_or(-1, |f| f.at.0) }),
        Reply::LowWatermark(at) => json!({ "low_watermark": at.0 }),
        Reply::Fetched {
            high_watermark,
            last_stable,
            log_start,
            preferred_read_replica,
            records,
        } => {
            let mut o = json!({
                "high_watermark": high_watermark.0,
                "last_stable_offset": last_stable.0,
                "log_start": log_start.0,
                "records": records.iter().map(|r| read(r, false)).collect::<Vec<_>>(),
            });
            if let Some(b) = preferred_read_replica {
                o["preferred_read_replica"] = b.0.into();
            }
            o
        }
        other => json!({ "error": format!("{other:?}") }),
    }
}

pub fn thrown(
    e: &PollException,
    partitions: &[PartitionName],
    positions: &[(PartitionName, Option<Boundary>)],
) -> Value {
    let name = match e {
        PollException::OffsetOutOfRange => "OffsetOutOfRangeException",
        PollException::NoOffsetForPartition => "NoOffsetForPartitionException",
        PollException::LogTruncation(_) => "LogTruncationException",
        PollException::Refused(error) => error.name(),
    };
    let first = partitions.first();
    let at = positions
        .iter()
        .find(|(name, _)| Some(name) == first)
        .and_then(|(_, at)| *at);
    let mut o = json!({ "exception": name });
    o["position"] = at.map_or("not settled".into(), |at| at.0.into());
    if let (PollException::LogTruncation(Some((at, epoch))), Some(tp)) = (e, first) {
        let tp = format!("{}-{}", tp.topic, tp.partition);
        o["divergent"] = json!({ "partition": tp, "offset": at.0, "leader_epoch": epoch.0 });
    }
    o
}
