//! What the recorder of offsets wrote down beside partitions: consumers, groups, transactions.

use highwater::kafka::group::message::{Committed, GroupKind, GroupView, MemberView};
use highwater::kafka::group::records::{ClassicMemberRecord, Entry, assignor_name};
use highwater::kafka::ids::{Boundary, ClientId, TopicId, Tp};
use highwater::world::command::PartitionName;
use highwater::world::picture::{
    ClientKind, MemberPicture, PartitionPicture, Picture, RecordPicture,
};
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
    picture
        .groups
        .iter()
        .map(|g| g.view.group.clone())
        .collect()
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
    let mut out = Map::new();
    for (group, told) in recorded.as_object().into_iter().flatten() {
        let found = picture.group(group).map(|g| &g.view);
        let one = found.map_or(json!({ "state": "DEAD", "committed": {} }), |view| {
            one_group(picture, view, told)
        });
        out.insert(group.clone(), one);
    }
    out.into()
}

fn one_group(picture: &Picture, view: &GroupView, told: &Value) -> Value {
    let name = |tp: &Tp| picture.controller.partition_name(*tp);
    let committed = |(tp, c): &(Tp, Committed)| {
        let at = json!({
            "offset": c.offset.0,
            "leader_epoch": c.leader_epoch.map(|e| e.0),
            "metadata": super::super::script::offsets::shown(&c.metadata),
        });
        (name(tp), at)
    };
    // Kafka's OffsetFetch for all partitions leaves out what is taken for no commit.
    let there = view.committed.iter().filter(|(_, c)| c.offset.0 >= 0);
    let committed: Map<String, Value> = there.map(committed).collect();
    let kind = match view.kind {
        GroupKind::Classic => "classic",
        GroupKind::Consumer => "consumer",
    };
    let mut o = json!({ "state": view.state.name(), "type": kind, "committed": committed });
    if told.get("members").is_none() {
        return o;
    }
    if let Some(epoch) = view.target_epoch {
        o["group_epoch"] = view.epoch.into();
        o["target_assignment_epoch"] = epoch.into();
    }
    let sorted = |tps: &[Tp]| {
        let mut names: Vec<String> = tps.iter().map(name).collect();
        names.sort();
        json!(names)
    };
    let member = |m: &MemberView| {
        let mut o = json!({
            "client": client_name(picture, m.client),
            "assignment": sorted(&m.assignment),
        });
        if let Some(instance) = &m.instance {
            o["instance"] = json!(&**instance);
        }
        if let Some((epoch, target)) = &m.target {
            o["member_epoch"] = json!(epoch);
            o["target"] = sorted(target);
        }
        o
    };
    let mut members: Vec<Value> = view.members.iter().map(member).collect();
    members.sort_by_key(|m| (m["client"].to_string(), m["instance"].to_string()));
    o["members"] = members.into();
    o
}

/// Transactional ids, of those that the recorder tells of.
pub fn transactions(picture: &Picture, recorded: &Value) -> Value {
    let mut out = Map::new();
    for (id, _) in recorded.as_object().into_iter().flatten() {
        let found = picture
            .transactions
            .iter()
            .find(|t| *t.view.transactional_id == **id);
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

/// Records of `__consumer_offsets` behind those seen, partition by partition in the order of the
/// folders' names.
pub fn offsets_topic(picture: &Picture, seen: &mut BTreeMap<u16, i64>) -> Vec<Value> {
    let mut out = Vec::new();
    let of_topic = |p: &&PartitionPicture| &*p.name.topic == "__consumer_offsets";
    let mut parts: Vec<&PartitionPicture> = picture.partitions.iter().filter(of_topic).collect();
    parts.sort_by_key(|p| p.name.partition.to_string());
    for part in parts {
        let leader = part.reg.leader.and_then(|b| picture.replica(b, part.tp));
        let number = part.name.partition;
        let from = seen.entry(number).or_default();
        for record in leader.into_iter().flat_map(|r| &r.records) {
            if record.offset.0 < *from {
                continue;
            }
            *from = record.offset.0 + 1;
            out.push(one_record(picture, number, record));
        }
    }
    out
}

fn one_record(picture: &Picture, partition: u16, record: &RecordPicture) -> Value {
    let mut o = json!({ "partition": partition, "offset": record.offset.0 });
    if let Some((id, epoch, _)) = record.stamp {
        o["producer_id"] = id.into();
        o["producer_epoch"] = epoch.into();
    }
    if let Some(control) = record.control {
        o["control"] = format!("{control:?}").to_uppercase().into();
        return o;
    }
    if record.stamp.is_some() {
        o["transactional"] = true.into();
    }
    let key = record.key.as_deref().unwrap_or("");
    let entry = Entry::parse(key, record.value.as_deref());
    let Some(entry) = entry else {
        o["type"] = format!("not understood: {key}").into();
        return o;
    };
    let (kind, key, value) = decoded(picture, &entry);
    o["type"] = kind.into();
    o["key"] = key;
    o["value"] = value;
    o
}

/// Type, key and value in the fields of Kafka's own records.
fn decoded(picture: &Picture, entry: &Entry) -> (&'static str, Value, Value) {
    let of_group = |group: &str| json!({ "groupId": group });
    let of_member = |group: &str| json!({ "groupId": group, "memberId": "<id>" });
    match entry {
        Entry::Offset(group, topic, partition, value) => {
            let key = json!({ "group": &**group, "topic": &**topic, "partition": partition });
            let value = value.as_ref().map(|v| {
                json!({
                    "offset": v.committed.offset.0,
                    "leaderEpoch": v.committed.leader_epoch.map_or(-1, |e| e.0),
                    "metadata": &*v.committed.metadata,
                    "commitTimestamp": "<time>",
                })
            });
            ("OffsetCommit", key, json!(value))
        }
        Entry::Classic(group, value) => {
            let key = json!({ "group": &**group });
            let value = value.as_ref().map(|v| {
                let member = |m: &ClassicMemberRecord| {
                    json!({
                        "memberId": "<member>",
                        "groupInstanceId": m.instance.as_deref(),
                        "clientId": client_name(picture, m.client),
                        "rebalanceTimeout": m.rebalance_timeout.0,
                        "sessionTimeout": m.session_timeout.0,
                    })
                };
                json!({
                    "protocolType": if v.with_protocol { "consumer" } else { "" },
                    "generation": v.generation,
                    "protocol": v.assignor.map(assignor_name),
                    "leader": v.leader.as_ref().map(|_| "<member>"),
                    "currentStateTimestamp": "<time>",
                    "members": v.members.iter().map(member).collect::<Vec<_>>(),
                })
            });
            ("GroupMetadata", key, json!(value))
        }
        Entry::Group(group, epoch) => {
            let value = epoch.map(|epoch| json!({ "epoch": epoch }));
            ("ConsumerGroupMetadata", of_group(group), json!(value))
        }
        Entry::TargetEpoch(group, epoch) => {
            let value = epoch.map(|epoch| json!({ "assignmentEpoch": epoch }));
            let kind = "ConsumerGroupTargetAssignmentMetadata";
            (kind, of_group(group), json!(value))
        }
        Entry::Member(group, _, value) => {
            let value = value.as_ref().map(|v| {
                let topics = v.topics.iter().map(|t| topic_name(picture, *t));
                json!({
                    "instanceId": v.instance.as_deref(),
                    "clientId": client_name(picture, v.client),
                    "subscribedTopicNames": topics.collect::<Vec<_>>(),
                    "rebalanceTimeoutMs": v.rebalance_timeout.0,
                    "serverAssignor": v.assignor.as_deref(),
                })
            });
            (
                "ConsumerGroupMemberMetadata",
                of_member(group),
                json!(value),
            )
        }
        Entry::Target(group, _, value) => {
            let value = value.as_ref().map(|tps| {
                let parts = tps.iter().map(|tp| (*tp, None));
                json!({ "topicPartitions": by_topic(parts) })
            });
            let kind = "ConsumerGroupTargetAssignmentMember";
            (kind, of_member(group), json!(value))
        }
        Entry::Current(group, _, value) => {
            let since = |all: &[(Tp, i32)]| by_topic(all.iter().map(|(tp, e)| (*tp, Some(*e))));
            let value = value.as_ref().map(|v| {
                json!({
                    "memberEpoch": v.epoch,
                    "previousMemberEpoch": v.previous,
                    "state": v.state,
                    "assignedPartitions": since(&v.assigned),
                    "partitionsPendingRevocation": since(&v.revoking),
                })
            });
            let kind = "ConsumerGroupCurrentMemberAssignment";
            (kind, of_member(group), json!(value))
        }
    }
}

/// Partitions by topic, whose id is masked, with the epochs they were given at.
fn by_topic(tps: impl Iterator<Item = (Tp, Option<i32>)>) -> Vec<Value> {
    let mut topics: BTreeMap<TopicId, (Vec<u16>, Vec<i32>)> = BTreeMap::new();
    for (tp, epoch) in tps {
        let (parts, epochs) = topics.entry(tp.topic).or_default();
        parts.push(tp.partition);
        epochs.extend(epoch);
    }
    let one = |(parts, epochs): (Vec<u16>, Vec<i32>)| {
        let mut o = json!({ "topicId": "<topic id>", "partitions": parts });
        if !epochs.is_empty() {
            o["assignmentEpochs"] = json!(epochs);
        }
        o
    };
    topics.into_values().map(one).collect()
}
