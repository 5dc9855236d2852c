//! Claims about consumers, groups and transactions, held against a picture.

use super::ast::{Fact, Instrument};
use super::check::equal;
use crate::kafka::group::message::{Committed, GroupState};
use crate::kafka::ids::*;
use crate::kafka::transaction::message::TransactionState;
use crate::world::command::PartitionName;
use crate::world::picture::*;

/// `Err`: what is found instead; `None`: not a claim of this kind.
pub(super) fn holds(fact: &Fact, picture: &Picture) -> Option<Result<(), String>> {
    let tp = |p: &PartitionName| picture.partition(p).map(|p| p.tp);
    Some(match fact {
        Fact::Assignment(client, partitions) => {
            let found = member(picture, client).map(|m| {
                let mut names: Vec<_> = m.assignment.iter().map(|tp| name(picture, *tp)).collect();
                names.sort();
                names
            });
            let mut claimed: Vec<String> = partitions.iter().map(text).collect();
            claimed.sort();
            equal(found, claimed)
        }
        Fact::Processed(client, partition, at) => {
            let found = member(picture, client).zip(tp(partition)).map(|(m, tp)| {
                let found = m.processed_next.iter().find(|(t, _)| *t == tp);
                found.map(|(_, at)| *at)
            });
            equal(found, *at)
        }
        Fact::Saved(client, partition, at) => {
            let found = tp(partition).map(|tp| {
                let saved = store(picture, client)?
                    .outside
                    .iter()
                    .find(|(t, _)| *t == tp)?;
                Some(saved.1)
            });
            equal(found, *at)
        }
        Fact::Effect(client, value, times) => {
            let effects = store(picture, client).into_iter().flat_map(|s| &s.effects);
            let of_value = effects.filter(|e| *e.key == **value).map(|e| e.times);
            equal(Some(of_value.sum::<u32>()), *times)
        }
        Fact::Committed(group, partition, at) => {
            let found = committed(picture, group, partition).map(|c| c.map(|c| c.offset));
            equal(found, *at)
        }
        Fact::Metadata(group, partition, text) => {
            let found = committed(picture, group, partition).flatten();
            equal(found.map(|c| c.metadata.clone()), text.clone())
        }
        Fact::GroupState(group, state) => {
            let found = picture.group(group).map(|g| g.view.state);
            equal(Some(found.unwrap_or(GroupState::Dead)), *state)
        }
        Fact::Members(group, n) => {
            let found = picture.group(group).map(|g| g.view.members.len() as u32);
            equal(Some(found.unwrap_or(0)), *n)
        }
        Fact::Generation(group, n) => equal(picture.group(group).map(|g| g.view.epoch), *n),
        Fact::Transaction(id, state) => {
            let found = picture
                .transactions
                .iter()
                .find(|t| t.view.transactional_id == *id);
            let found = found.map_or(TransactionState::Dead, |t| t.view.state);
            equal(Some(found), *state)
        }
        Fact::Lag(instrument, whose, partition, n) => {
            equal(Some(lag(picture, *instrument, whose, partition)), *n)
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

fn text(p: &PartitionName) -> String {
    format!("{}-{}", p.topic, p.partition)
}

fn name(picture: &Picture, tp: Tp) -> String {
    picture.controller.partition_name(tp)
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
