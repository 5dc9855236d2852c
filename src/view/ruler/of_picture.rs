//! A partition of a world as a ruler shows it: from its leader's replica, or from the longest one
//! while nobody leads.

use super::{InputRecord, Isolation, Reader, RulerInput, Txn};
use crate::kafka::ids::Tp;
use crate::world::picture::{ClientKind, ClientPicture, Picture, ReplicaPicture};

/// The ruler of a partition; `None` if no broker holds it.
pub fn input(picture: &Picture, tp: Tp) -> Option<RulerInput> {
    let partition = picture.partitions.iter().find(|p| p.tp == tp)?;
    let leader = partition.reg.leader.and_then(|b| picture.replica(b, tp));
    let all = picture.brokers.iter().flat_map(|b| &b.replicas);
    let replica = leader.or_else(|| all.filter(|r| r.tp == tp).max_by_key(|r| r.log_end))?;
    let mut name = partition.name.topic.to_string();
    name.push('-');
    name.push_str(&partition.name.partition.to_string());
    Some(RulerInput {
        name,
        log_start: replica.log_start,
        last_stable: replica.last_stable,
        high_watermark: replica.high_watermark,
        log_end: replica.log_end,
        records: records(replica),
        readers: picture
            .clients
            .iter()
            .filter_map(|c| reader(picture, tp, c))
            .collect(),
        effects: Vec::new(),
    })
}

fn records(replica: &ReplicaPicture) -> Vec<InputRecord> {
    let records = replica.records.iter();
    records
        .map(|r| InputRecord {
            offset: r.offset,
            key: r.key.clone(),
            value: r.value.clone(),
            control: r.control,
            txn: Txn::None,
            removed: false,
        })
        .collect()
}

fn reader(_picture: &Picture, tp: Tp, client: &ClientPicture) -> Option<Reader> {
    let ClientKind::Consumer { positions, .. } = &client.kind else {
        return None;
    };
    let (_, position) = positions.iter().find(|(of, _)| *of == tp)?;
    Some(Reader {
        name: client.name.clone(),
        isolation: Isolation::Uncommitted,
        position: *position,
        ..Reader::default()
    })
}
