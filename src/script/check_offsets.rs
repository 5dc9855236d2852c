//! Claims about consumers, groups and transactions, held against a picture.

use super::ast::{Fact, Instrument};
use crate::kafka::group::message::{Committed, GroupState};
use crate::kafka::transaction::message::TransactionState;
use crate::world::command::PartitionName;
use crate::world::picture::*;

/// What is so, as a fact of the same kind; `None`: nothing of that name.
pub(super) fn actual(fact: &Fact, picture: &Picture) -> Option<Fact> {
    let tp = |p: &PartitionName| picture.partition(p).map(|p| p.tp);
    Some(match fact {
        // The order in which a consumer has its partitions is nobody's claim.
        Fact::Assignment(client, claimed) => {
            let held = member(picture, client)?.assignment.iter();
            let mut held: Vec<_> = held
                .filter_map(|tp| picture.partitions.iter().find(|p| p.tp == *tp))
                .map(|p| p.name.clone())
                .collect();
            held.sort();
            let mut sorted = claimed.clone();
            sorted.sort();
            let held = if held == sorted {
                claimed.clone()
            } else {
                held
            };
            Fact::Assignment(client.clone(), held)
        }
        Fact::Processed(client, partition, _) => {
            let (m, tp) = (member(picture, client)?, tp(partition)?);
            let found = m.processed_next.iter().find(|(t, _)| *t == tp);
            Fact::Processed(client.clone(), partition.clone(), found.map(|(_, at)| *at))
        }
        Fact::Saved(client, partition, _) => {
            let tp = tp(partition)?;
            let saved =
                store(picture, client).and_then(|s| s.outside.iter().find(|(t, _)| *t == tp));
            Fact::Saved(client.clone(), partition.clone(), saved.map(|(_, at)| *at))
        }
        Fact::Effect(client, value, _) => {
            let effects = store(picture, client).into_iter().flat_map(|s| &s.effects);
            let of_value = effects.filter(|e| *e.key == **value).map(|e| e.times);
            Fact::Effect(client.clone(), value.clone(), of_value.sum())
        }
        Fact::Committed(group, partition, _) => {
            let at = committed(picture, group, partition)?.map(|c| c.offset);
            Fact::Committed(group.clone(), partition.clone(), at)
        }
        Fact::Metadata(group, partition, _) => {
            let text = committed(picture, group, partition)??.metadata.clone();
            Fact::Metadata(group.clone(), partition.clone(), text)
        }
        Fact::GroupState(group, _) => {
            let state = picture.group(group).map(|g| g.view.state);
            Fact::GroupState(group.clone(), state.unwrap_or(GroupState::Dead))
        }
        Fact::Members(group, _) => {
            let members = picture.group(group).map(|g| g.view.members.len() as u32);
            Fact::Members(group.clone(), members.unwrap_or(0))
        }
        Fact::Generation(group, _) => {
            Fact::Generation(group.clone(), picture.group(group)?.view.epoch)
        }
        Fact::Transaction(id, _) => {
            let mut all = picture.transactions.iter();
            let found = all.find(|t| t.view.transactional_id == *id);
            let state = found.map_or(TransactionState::Dead, |t| t.view.state);
            Fact::Transaction(id.clone(), state)
        }
        Fact::Lag(instrument, whose, partition, _) => {
            let n = lag(picture, *instrument, whose, partition);
            Fact::Lag(*instrument, whose.clone(), partition.clone(), n)
        }
        _ => return None,
    })
}

/// What an instrument shows; `None`: nothing.
fn lag(
    picture: &Picture,
    instrument: Instrument,
    whose: &str,
    partition: &PartitionName,
) -> Option<i64> {
    let part = picture.partition(partition)?;
    let end = || {
        let leader = picture.replica(part.reg.leader?, part.tp)?;
        Some(leader.high_watermark.0)
    };
    match instrument {
        // R-LAG-1: the client's own metric.
        Instrument::Fetch => {
            let lags = &member(picture, whose)?.records_lag;
            lags.iter().find(|(tp, _)| *tp == part.tp)?.1
        }
        // R-LAG-2: what kafka-consumer-groups subtracts, whatever the isolation level.
        Instrument::Commit => {
            let at = committed(picture, whose, partition)??;
            Some(end()? - at.offset.0)
        }
        Instrument::Process => {
            let done = &member(picture, whose)?.processed_next;
            let at = done.iter().find(|(tp, _)| *tp == part.tp)?.1;
            Some(end()? - at.0)
        }
    }
}

fn member<'p>(picture: &'p Picture, client: &str) -> Option<&'p MemberPicture> {
    let client = picture.clients.iter().find(|c| &*c.name == client)?;
    match &client.kind {
        ClientKind::Consumer { member, .. } => Some(member),
        _ => None,
    }
}

/// The store of a consumer's application: of its group, or of its own name.
fn store<'p>(picture: &'p Picture, client: &str) -> Option<&'p StorePicture> {
    let group = member(picture, client)?.group.as_deref();
    let name = group.unwrap_or(client);
    picture.stores.iter().find(|s| &*s.name == name)
}

/// What is committed; the outer `None`: no such partition.
fn committed<'p>(
    picture: &'p Picture,
    group: &str,
    partition: &PartitionName,
) -> Option<Option<&'p Committed>> {
    let tp = picture.partition(partition)?.tp;
    let view = picture.group(group).map(|g| &g.view);
    let found = view.and_then(|v| v.committed.iter().find(|(t, _)| *t == tp));
    Some(found.map(|(_, c)| c))
}
