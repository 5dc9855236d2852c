//! What a step of the recorder of offsets, groups and transactions can do (one node, `o*`).

use super::fields::{Fields, partition_name, scalar};
use super::{Res, list};
use highwater::kafka::batch::Stamp;
use highwater::kafka::client::settings::{ConsumerSettings, GroupProtocol, OffsetReset};
use highwater::kafka::group::message::{Assignor, Committed};
use highwater::kafka::ids::{Boundary, Epoch, Ms};
use highwater::kafka::message::Isolation;
use highwater::script::iso;
use highwater::world::command::PartitionName;
use serde_json::Value;
use std::rc::Rc;

/// A record as it was handed over; the time in ms since 1970, if it was given one.
#[derive(Clone, Debug)]
pub struct Given {
    pub key: Option<Rc<str>>,
    pub value: Option<Rc<str>>,
    pub at: Option<i64>,
}

/// What is looked up.
#[derive(Clone, Debug)]
pub enum Spec {
    Earliest,
    Latest,
    MaxTimestamp,
    /// ms since 1970
    At(i64),
}

/// Positions of a commit.
pub type Offsets = Vec<(PartitionName, Committed)>;

/// What a commit commits.
#[derive(Clone, Debug)]
pub enum Commit {
    /// Where the consumer stands.
    Positions,
    /// These.
    Offsets(Offsets),
    /// These one after the other; told is the order in which they were answered.
    Numbers(PartitionName, Vec<i64>, bool),
}

/// An op.
pub enum Off {
    Produce {
        client: Rc<str>,
        idempotent: bool,
        transactional_id: Option<Rc<str>>,
        topic: Rc<str>,
        partition: Option<u16>,
        records: Vec<Given>,
    },
    /// A batch written by hand, with its stamp.
    Batch(PartitionName, Stamp, Vec<Given>),
    InitProducer,
    InitTransactions(Rc<str>, Rc<str>, Option<Ms>),
    Begin(Rc<str>),
    End(Rc<str>, bool),
    SendOffsets {
        client: Rc<str>,
        group: Rc<str>,
        generation: i32,
        consumer: Option<Rc<str>>,
        offsets: Offsets,
    },
    Assign(Rc<str>, Box<ConsumerSettings>, Vec<PartitionName>),
    Subscribe(Rc<str>, Box<ConsumerSettings>, Vec<Rc<str>>),
    Seek(Rc<str>, PartitionName, Boundary),
    Poll(Rc<str>),
    PollAll(Vec<Rc<str>>),
    Commit(Rc<str>, Commit),
    AdminCommit(Rc<str>, Offsets),
    /// Each of these groups; told is where its commit lies.
    GroupsCommit(Vec<Rc<str>>),
    RawCommit {
        group: Rc<str>,
        member: Rc<str>,
        generation: i32,
        instance: Option<Rc<str>>,
        offsets: Offsets,
    },
    Committed(Rc<str>),
    Process(Rc<str>, PartitionName, Boundary),
    Close(Rc<str>),
    Crash(Rc<str>),
    Metrics(Rc<str>),
    ListOffsets(Option<Rc<str>>, PartitionName, Isolation, Vec<Spec>),
    GroupOffsets(Rc<str>, Option<Vec<PartitionName>>, bool),
    ReadOffsetsTopic,
    DeleteRecords(PartitionName, Boundary),
    DeleteOffsets(Rc<str>, Vec<PartitionName>),
    DeleteGroup(Rc<str>),
    DeleteTopic(Rc<str>),
    AlterTopic(Rc<str>, Vec<(Rc<str>, Rc<str>)>),
    Wait(Rc<str>),
    Tool(Rc<str>, Vec<Rc<str>>),
    /// Settings that a consumer is made with; told is whether it takes them.
    Configure(Value),
    Join(Rc<str>),
    Sync(Rc<str>),
    Leave(Rc<str>),
}

/// "<4096 bytes>" stands for a text of that length.
pub fn full(text: &str) -> Rc<str> {
    let inside = text
        .strip_prefix('<')
        .and_then(|t| t.strip_suffix(" bytes>"));
    match inside.and_then(|n| n.parse::<usize>().ok()) {
        Some(n) => "x".repeat(n).into(),
        None => text.into(),
    }
}

/// And back, as the recorder shows long texts.
pub fn shown(text: &str) -> String {
    match text.chars().count() {
        n if n > 1_000 => format!("<{n} bytes>"),
        _ => text.into(),
    }
}

/// Reads what a step does; `None`: not an op of this recorder.
pub fn op(d: &mut Fields, name: &str, say: &str) -> Res<Option<Off>> {
    if d.has("tool") {
        d.get("op");
        let args = texts(d.need("args")?, "args")?;
        return Ok(Some(Off::Tool(d.text("tool")?, args)));
    }
    let off = match name {
        "produce" => produce(d)?,
        "init_producer_id" => {
            d.text("client")?;
            Off::InitProducer
        }
        "init_txn" | "begin_txn" | "commit_txn" | "abort_txn" => {
            let (client, id) = (d.text("client")?, d.text("transactional_id")?);
            let timeout = d.number_or("transaction_timeout_ms")?.map(Ms);
            match name {
                "init_txn" => Off::InitTransactions(client, id, timeout.or(timeout_said(say))),
                "begin_txn" => Off::Begin(client),
                _ => Off::End(client, name == "commit_txn"),
            }
        }
        "send_offsets_to_txn" => Off::SendOffsets {
            client: d.text("client")?,
            group: d.text("group")?,
            generation: d.number_or("generation")?.unwrap_or(-1) as i32,
            consumer: d.get("consumer").and_then(scalar),
            offsets: offsets_of(d.need("offsets")?)?,
        },
        "assign" => {
            let settings = Box::new(config(d.get("config"))?);
            Off::Assign(
                d.text("client")?,
                settings,
                partitions(d.need("partitions")?)?,
            )
        }
        "subscribe" => {
            let settings = Box::new(config(d.get("config"))?);
            Off::Subscribe(
                d.text("client")?,
                settings,
                texts(d.need("topics")?, "topics")?,
            )
        }
        "seek" => Off::Seek(
            d.text("client")?,
            d.partition("partition")?,
            Boundary(d.number("offset")?),
        ),
        "poll" => match d.get("clients") {
            Some(clients) => Off::PollAll(texts(clients, "clients")?),
            None => Off::Poll(d.text("client")?),
        },
        "commit" => commit(d)?,
        "committed" => Off::Committed(d.text("client")?),
        "process" => Off::Process(
            d.text("client")?,
            d.partition("partition")?,
            Boundary(d.number("processed_next")?),
        ),
        "close" => Off::Close(d.text("client")?),
        "crash" => Off::Crash(d.text("client")?),
        "metrics" => Off::Metrics(d.text("client")?),
        "list_offsets" => list_offsets(d)?,
        "list_group_offsets" => {
            let partitions = match d.get("partitions") {
                Some(Value::Array(all)) => Some(partitions(&Value::Array(all.clone()))?),
                _ => None,
            };
            let stable = d.get("require_stable").and_then(Value::as_bool);
            Off::GroupOffsets(d.text("group")?, partitions, stable.unwrap_or(false))
        }
        "read_offsets_topic" => Off::ReadOffsetsTopic,
        "delete_records" => {
            let before = match d.number_or("before")? {
                Some(n) => n,
                None => d.number("before_offset")?,
            };
            Off::DeleteRecords(d.partition("partition")?, Boundary(before))
        }
        "delete_offsets" => {
            d.get("client");
            Off::DeleteOffsets(d.text("group")?, partitions(d.need("partitions")?)?)
        }
        "delete_group" => {
            d.get("client");
            Off::DeleteGroup(d.text("group")?)
        }
        "delete_topic" => Off::DeleteTopic(d.text("topic")?),
        "alter_config" => {
            let topic = d.text("topic")?;
            let pairs = match d.get("config") {
                Some(v) => super::settings(Some(v), "config")?,
                None => vec![(d.text("name")?, d.text("value")?)],
            };
            Off::AlterTopic(topic, pairs)
        }
        "wait" => Off::Wait(d.text("for")?),
        "configure" => {
            d.get("client");
            Off::Configure(d.need("config")?.clone())
        }
        "join_group" => Off::Join(d.text("client")?),
        "sync_group" => Off::Sync(d.text("client")?),
        "leave_group" => Off::Leave(d.text("client")?),
        _ => return Ok(None),
    };
    d.get("op");
    Ok(Some(off))
}

/// The recorded runs give a transaction's time-out in words only.
fn timeout_said(say: &str) -> Option<Ms> {
    if say.contains("above transaction.max.timeout.ms") {
        return Some(Ms(900_001));
    }
    let rest = say.split("transaction.timeout.ms ").nth(1)?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok().map(Ms)
}

fn texts(v: &Value, what: &str) -> Res<Vec<Rc<str>>> {
    list(v, what)?
        .iter()
        .map(|t| scalar(t).ok_or_else(|| format!("{what}: {t} is not a text")))
        .collect()
}

fn partitions(v: &Value) -> Res<Vec<PartitionName>> {
    let all = texts(v, "partitions")?;
    let one = |t: &Rc<str>| partition_name(t).ok_or_else(|| format!("{t} is not a partition"));
    all.iter().map(one).collect()
}

/// Positions by partition: a number, or with epoch and metadata.
pub fn offsets_of(v: &Value) -> Res<Offsets> {
    let map = v.as_object().ok_or("\"offsets\" is not an object")?;
    let one = |(name, at): (&String, &Value)| {
        let name = partition_name(name).ok_or_else(|| format!("{name} is not a partition"))?;
        let offset = at.as_i64().or_else(|| at["offset"].as_i64());
        let offset = offset.ok_or_else(|| format!("offsets: {at} has no offset"))?;
        let epoch = at["leader_epoch"].as_i64().filter(|e| *e >= 0);
        let committed = Committed {
            offset: Boundary(offset),
            leader_epoch: epoch.map(|e| Epoch(e as i32)),
            metadata: full(at["metadata"].as_str().unwrap_or("")),
        };
        Ok((name, committed))
    };
    map.iter().map(one).collect()
}

fn given(v: &Value, what: &str) -> Res<Vec<Given>> {
    list(v, "records")?
        .iter()
        .map(|r| {
            let mut f = Fields::new(r, format!("{what}: record"))?;
            let (key, value) = (f.get("key"), f.get("value"));
            let at = f.number_or("timestamp")?;
            f.done()?;
            let text = |v: Option<&Value>| v.and_then(scalar).map(|t| full(&t));
            Ok(Given {
                key: text(key),
                value: text(value),
                at,
            })
        })
        .collect()
}

fn produce(d: &mut Fields) -> Res<Off> {
    let client = d.text("client")?;
    if &*d.text("acks")? != "all" {
        return Err(format!("{}: acks other than all", d.what));
    }
    let idempotent = d.get("idempotent").and_then(Value::as_bool);
    let (topic, partition) = (d.text("topic")?, d.number_or("partition")?);
    let what = d.what.clone();
    let records = given(d.need("records")?, &what)?;
    let partition = partition.map(|p| p as u16);
    if let (Some(id), Some(partition)) = (d.number_or("producer_id")?, partition) {
        let stamp = Stamp {
            producer_id: id,
            epoch: d.number("producer_epoch")? as i16,
            base_sequence: d.number("base_sequence")? as i32,
        };
        return Ok(Off::Batch(
            PartitionName { topic, partition },
            stamp,
            records,
        ));
    }
    d.get("transaction_timeout_ms");
    Ok(Off::Produce {
        client,
        idempotent: idempotent.unwrap_or(false),
        transactional_id: d.get("transactional_id").and_then(scalar),
        topic,
        partition,
        records,
    })
}

fn commit(d: &mut Fields) -> Res<Off> {
    let client = d.text("client")?;
    if let Some(groups) = d.get("groups") {
        d.get("offsets"); // one position in one partition; which is not told
        return Ok(Off::GroupsCommit(texts(groups, "groups")?));
    }
    match &*client {
        "admin" => Ok(Off::AdminCommit(
            d.text("group")?,
            offsets_of(d.need("offsets")?)?,
        )),
        "raw" => Ok(Off::RawCommit {
            group: d.text("group")?,
            member: d.get("member").and_then(scalar).unwrap_or("".into()),
            generation: d.number_or("generation")?.unwrap_or(-1) as i32,
            instance: d.get("instance").and_then(scalar),
            offsets: offsets_of(d.need("offsets")?)?,
        }),
        _ => {
            let is_async = d.get("async").and_then(Value::as_bool).unwrap_or(false);
            let partition = match d.get("partition") {
                Some(_) => d.partition("partition")?,
                None => partition_name("orders-0").ok_or("orders-0")?,
            };
            let what = match d.need("offsets")? {
                Value::Array(all) => {
                    let numbers: Option<Vec<i64>> = all.iter().map(Value::as_i64).collect();
                    let numbers = numbers.ok_or("offsets are not numbers")?;
                    Commit::Numbers(partition, numbers, is_async)
                }
                Value::String(_) => Commit::Positions,
                all => Commit::Offsets(offsets_of(all)?),
            };
            Ok(Off::Commit(client, what))
        }
    }
}

fn list_offsets(d: &mut Fields) -> Res<Off> {
    let client = d.get("client").and_then(scalar);
    let partition = d.partition("partition")?;
    let isolation = super::op::isolation(d)?;
    let specs: Vec<Value> = match d.get("specs") {
        Some(all) => list(all, "specs")?.clone(),
        None => vec![d.need("spec")?.clone()],
    };
    let one = |v: &Value| match (v.as_i64(), v.as_str()) {
        (Some(at), _) => Ok(Spec::At(at)),
        (_, Some("earliest")) => Ok(Spec::Earliest),
        (_, Some("latest")) => Ok(Spec::Latest),
        (_, Some("max-timestamp")) => Ok(Spec::MaxTimestamp),
        _ => Err(format!("list_offsets: spec {v}")),
    };
    let specs = specs.iter().map(one).collect::<Res<_>>()?;
    Ok(Off::ListOffsets(client, partition, isolation, specs))
}

/// auto.offset.reset, as Kafka's client takes it.
pub fn reset(value: &str) -> Option<OffsetReset> {
    match value {
        "earliest" => Some(OffsetReset::Earliest),
        "latest" => Some(OffsetReset::Latest),
        "none" => Some(OffsetReset::None),
        _ => {
            let span = value.strip_prefix("by_duration:")?;
            iso::duration(span).map(OffsetReset::ByDuration)
        }
    }
}

/// A consumer of the recorder: what it sets itself, and what the step says.
fn config(v: Option<&Value>) -> Res<ConsumerSettings> {
    let mut s = ConsumerSettings {
        auto_commit: false,
        offset_reset: OffsetReset::None,
        fetch_max_wait: Ms(100),
        request_timeout: Ms(5_000),
        api_timeout: Ms(6_000),
        ..ConsumerSettings::default()
    };
    let Some(map) = v.and_then(Value::as_object) else {
        return Ok(s);
    };
    for (name, value) in map {
        let Some(text) = scalar(value) else { continue };
        let bad = || format!("config: {name}={text} is not known here");
        let ms = || text.parse().map(Ms).map_err(|_| bad());
        match name.as_str() {
            "group" | "group.id" => s.group = Some(text),
            "group.protocol" => {
                s.protocol = match &*text {
                    "classic" => GroupProtocol::Classic,
                    "consumer" => GroupProtocol::Consumer,
                    _ => return Err(bad()),
                }
            }
            "group.instance.id" => s.instance = Some(text),
            "group.remote.assignor" => s.remote_assignor = Some(text),
            "partition.assignment.strategy" => {
                let one = |class: &str| match class.rsplit('.').next() {
                    Some("RangeAssignor") => Ok(Assignor::Range),
                    Some("RoundRobinAssignor") => Ok(Assignor::RoundRobin),
                    Some("StickyAssignor") => Ok(Assignor::Sticky),
                    Some("CooperativeStickyAssignor") => Ok(Assignor::CooperativeSticky),
                    _ => Err(bad()),
                };
                s.assignors = text.split(',').map(one).collect::<Res<_>>()?;
            }
            "auto.offset.reset" => s.offset_reset = reset(&text).ok_or_else(bad)?,
            "isolation.level" => s.read_committed = &*text == "read_committed",
            "enable.auto.commit" => s.auto_commit = &*text == "true",
            "auto.commit.interval.ms" => s.auto_commit_interval = ms()?,
            "session.timeout.ms" => s.session_timeout = ms()?,
            "heartbeat.interval.ms" => s.heartbeat_interval = ms()?,
            "max.poll.interval.ms" => s.max_poll_interval = ms()?,
            "default.api.timeout.ms" => s.api_timeout = ms()?,
            "request.timeout.ms" => s.request_timeout = ms()?,
            "fetch.max.wait.ms" => s.fetch_max_wait = ms()?,
            "max.poll.records" => s.max_poll_records = text.parse().map_err(|_| bad())?,
            _ => return Err(bad()),
        }
    }
    Ok(s)
}
