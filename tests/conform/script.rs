//! A recorded script (`kafka-run/1`) as typed data. Everything the format can say is either
//! understood here or named as not applicable, before the first step is carried out.

use highwater::kafka::client::settings::{ConsumerSettings, OffsetReset, ProducerSettings};
use highwater::kafka::config::ServerConfig;
use highwater::kafka::ids::{Boundary, BrokerId, Epoch, Ms};
use highwater::kafka::message::{Acks, Isolation, OffsetSpec};
use highwater::world::command::PartitionName;
use highwater::world::setup::Setup;
use serde_json::{Map, Value};
use std::rc::Rc;

/// A run.
pub struct Script {
    pub id: String,
    pub kafka: String,
    pub setup: Setup,
    pub topics: Vec<Topic>,
    pub steps: Vec<Step>,
    pub notes: String,
    /// The cluster-wide min.insync.replicas that the controller wrote at the start.
    pub cluster_min_isr: Option<i64>,
}

/// A topic of the run.
pub struct Topic {
    pub name: Rc<str>,
    pub assignment: Vec<Vec<BrokerId>>,
    pub config: Vec<(Rc<str>, Rc<str>)>,
}

/// A step.
pub struct Step {
    pub n: u32,
    pub op: Op,
    pub name: String,
    pub result: Option<Value>,
    /// `None`: the next step follows at once.
    pub after: Option<Value>,
    pub pause: Ms,
    pub spacing: Ms,
    /// How long a poll goes on.
    pub poll_for: Ms,
    /// When a produce without an answer counts as pending.
    pub answer_within: Option<Ms>,
    pub give_up: Option<Ms>,
}

/// A key and a value.
pub type KeyValue = (Option<Rc<str>>, Option<Rc<str>>);

/// What a step does.
pub enum Op {
    Describe(Rc<str>),
    Produce {
        client: Rc<str>,
        settings: ProducerSettings,
        partition: PartitionName,
        records: Vec<KeyValue>,
    },
    ProduceRaw {
        client: Rc<str>,
        broker: BrokerId,
        acks: Acks,
        timeout: Ms,
        partition: PartitionName,
        records: Vec<KeyValue>,
    },
    Kill(BrokerId),
    Freeze(BrokerId),
    Thaw(BrokerId),
    Start(BrokerId),
    Shutdown(BrokerId),
    NewDisk(BrokerId),
    Cut(BrokerId),
    Uncut(BrokerId),
    SlowNetwork(BrokerId, Ms),
    AlterTopic {
        topic: Rc<str>,
        name: Rc<str>,
        value: Option<Rc<str>>,
    },
    AlterBroker {
        broker: BrokerId,
        name: Rc<str>,
        value: Option<Rc<str>>,
    },
    ElectLeaders {
        unclean: bool,
        partitions: Option<Vec<PartitionName>>,
    },
    Reassign {
        partition: PartitionName,
        replicas: Option<Vec<BrokerId>>,
    },
    DeleteRecords {
        partition: PartitionName,
        before: Boundary,
    },
    /// Waits for the recorded state, at least so long.
    Wait(Ms),
    WaitAnswer(u32),
    Fetch {
        broker: BrokerId,
        partition: PartitionName,
        offset: Boundary,
        rack: Option<Rc<str>>,
        current_leader_epoch: Option<Epoch>,
    },
    ListOffsets {
        partition: PartitionName,
        spec: OffsetSpec,
        isolation: Isolation,
    },
    Assign {
        client: Rc<str>,
        partitions: Vec<PartitionName>,
        seek: Option<Boundary>,
        settings: ConsumerSettings,
    },
    Seek {
        client: Rc<str>,
        partition: PartitionName,
        offset: Boundary,
    },
    Poll(Rc<str>),
    Close(Rc<str>),
}

type Res<T> = Result<T, String>;

/// A JSON object of which every field must be asked for.
struct Fields<'a> {
    of: &'a Map<String, Value>,
    what: String,
    asked: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    fn new(value: &'a Value, what: String) -> Res<Self> {
        let of = value
            .as_object()
            .ok_or_else(|| format!("{what} is not an object"))?;
        Ok(Fields {
            of,
            what,
            asked: Vec::new(),
        })
    }
    fn get(&mut self, name: &'static str) -> Option<&'a Value> {
        self.asked.push(name);
        self.of.get(name).filter(|v| !v.is_null())
    }
    fn need(&mut self, name: &'static str) -> Res<&'a Value> {
        let what = self.what.clone();
        self.get(name)
            .ok_or_else(|| format!("{what} needs \"{name}\""))
    }
    fn text(&mut self, name: &'static str) -> Res<Rc<str>> {
        let v = self.need(name)?;
        scalar(v).ok_or_else(|| format!("{}: \"{name}\" is not a text", self.what))
    }
    fn number(&mut self, name: &'static str) -> Res<i64> {
        let v = self.need(name)?;
        v.as_i64()
            .ok_or_else(|| format!("{}: \"{name}\" is not a whole number", self.what))
    }
    fn number_or(&mut self, name: &'static str) -> Res<Option<i64>> {
        if self.get(name).is_none() {
            return Ok(None);
        }
        self.number(name).map(Some)
    }
    fn broker(&mut self, name: &'static str) -> Res<BrokerId> {
        let v = self.need(name)?;
        broker(v).ok_or_else(|| format!("{}: \"{name}\" is not a broker", self.what))
    }
    fn partition(&mut self, name: &'static str) -> Res<PartitionName> {
        let v = self.need(name)?;
        v.as_str()
            .and_then(partition_name)
            .ok_or_else(|| format!("{}: \"{name}\" is not a partition", self.what))
    }
    /// Nothing may be left over: what is not understood is not passed over.
    fn done(self) -> Res<()> {
        match self.of.keys().find(|k| !self.asked.contains(&k.as_str())) {
            Some(k) => Err(format!("{}: field \"{k}\" is not known here", self.what)),
            None => Ok(()),
        }
    }
}

/// A text, number or truth value as text.
fn scalar(v: &Value) -> Option<Rc<str>> {
    match v {
        Value::String(s) => Some(s.as_str().into()),
        Value::Number(_) | Value::Bool(_) => Some(v.to_string().into()),
        _ => None,
    }
}

fn broker(v: &Value) -> Option<BrokerId> {
    v.as_u64().filter(|b| *b < 64).map(|b| BrokerId(b as u8))
}

/// `orders-0`
pub fn partition_name(text: &str) -> Option<PartitionName> {
    let (topic, partition) = text.rsplit_once('-')?;
    Some(PartitionName {
        topic: topic.into(),
        partition: partition.parse().ok()?,
    })
}

fn settings(v: Option<&Value>, what: &str) -> Res<Vec<(Rc<str>, Rc<str>)>> {
    let Some(v) = v else { return Ok(Vec::new()) };
    let map = v
        .as_object()
        .ok_or_else(|| format!("{what} is not an object"))?;
    map.iter()
        .map(|(k, v)| {
            let v = scalar(v).ok_or_else(|| format!("{what}: {k} has no plain value"))?;
            Ok((k.as_str().into(), v))
        })
        .collect()
}

impl Script {
    /// Reads a run. The error says why it cannot be carried out here.
    pub fn parse(doc: &Value) -> Res<Script> {
        match doc["format"].as_str() {
            Some("kafka-run/1") => {}
            Some(other) => return Err(format!("format {other} is not known")),
            None => return Err("no \"format\"".into()),
        }
        if let Some(mode) = doc["mode"].as_str()
            && mode != "kraft"
        {
            return Err(format!("mode {mode} is not the engine's"));
        }
        let kafka = doc["kafka"].as_str().unwrap_or("?");
        if !kafka.starts_with("4.") {
            return Err(format!("recorded on Kafka {kafka}; the engine is 4.3"));
        }
        let (setup, cluster_min_isr) = cluster(&doc["cluster"])?;
        let topics = list(&doc["topics"], "topics")?
            .iter()
            .map(topic)
            .collect::<Res<Vec<_>>>()?;
        let mut steps = Vec::new();
        for (i, v) in list(&doc["steps"], "steps")?.iter().enumerate() {
            steps.push(step(v, i as u32 + 1)?);
        }
        for s in &steps {
            if let Op::Describe(name) = &s.op
                && !topics.iter().any(|t| t.name == *name)
            {
                return Err(format!("step {}: no topic {name} in \"topics\"", s.n));
            }
            if let Op::WaitAnswer(of) = s.op
                && !steps
                    .iter()
                    .any(|t| t.n == of && t.n < s.n && t.is_produce())
            {
                return Err(format!("step {}: step {of} is not an earlier produce", s.n));
            }
        }
        Ok(Script {
            id: doc["id"].as_str().unwrap_or("?").into(),
            kafka: kafka.into(),
            setup,
            topics,
            steps,
            notes: doc["notes"].as_str().unwrap_or("").into(),
            cluster_min_isr,
        })
    }
}

impl Step {
    fn is_produce(&self) -> bool {
        matches!(self.op, Op::Produce { .. } | Op::ProduceRaw { .. })
    }
}

fn list<'a>(v: &'a Value, what: &str) -> Res<&'a Vec<Value>> {
    v.as_array()
        .ok_or_else(|| format!("\"{what}\" is not a list"))
}

fn cluster(v: &Value) -> Res<(Setup, Option<i64>)> {
    let mut f = Fields::new(v, "cluster".into())?;
    f.get("controllers");
    let ids = list(f.need("brokers")?, "cluster.brokers")?;
    let mut setup = Setup {
        brokers: ids
            .iter()
            .map(|b| broker(b).map(|b| (b, None)))
            .collect::<Option<_>>()
            .ok_or("cluster.brokers: ids are 0 to 63")?,
        ..Setup::default()
    };
    for (name, value) in settings(f.get("config"), "cluster.config")? {
        set(&mut setup.server, &name, &value)?;
    }
    if let Some(per) = f.get("broker_config") {
        for (id, v) in per
            .as_object()
            .ok_or("cluster.broker_config is not an object")?
        {
            let id = id
                .parse()
                .map(BrokerId)
                .map_err(|_| format!("broker_config: broker {id}"))?;
            for (name, value) in settings(Some(v), "cluster.broker_config")? {
                let slot = setup.brokers.iter_mut().find(|(b, _)| *b == id);
                let (_, rack) =
                    slot.ok_or_else(|| format!("broker_config: there is no broker {id}"))?;
                match &*name {
                    "broker.rack" => *rack = Some(value),
                    _ => broker_setting(&mut setup, id, &name, &value)?,
                }
            }
        }
    }
    if let Some(features) = f.get("features") {
        if let Some(level) = features["eligible.leader.replicas.version"].as_i64() {
            setup.switches.elr = level > 0;
        }
        if let Some(level) = features["metadata.version"].as_i64()
            && level < 27
        {
            return Err(format!(
                "metadata.version {level} is older than the engine's"
            ));
        }
    }
    let mut min_isr = None;
    if let Some(records) = f.get("config_records") {
        for r in list(records, "cluster.config_records")? {
            let r = r.as_str().unwrap_or_default();
            match r.strip_prefix("type 4 '' min.insync.replicas=") {
                Some(n) => min_isr = n.parse().ok(),
                None => return Err(format!("cluster.config_records: {r:?} is not known")),
            }
        }
    }
    f.done()?;
    Ok((setup, min_isr))
}

fn set(server: &mut ServerConfig, name: &str, value: &str) -> Res<()> {
    server
        .set(name, value)
        .map_err(|_| format!("cluster.config: {name}={value} is not a setting of the engine"))
}

/// Settings of one broker.
fn broker_setting(setup: &mut Setup, id: BrokerId, name: &str, value: &str) -> Res<()> {
    let own = &mut setup.broker_settings;
    if !own.iter().any(|(b, _)| *b == id) {
        own.push((id, setup.server.clone()));
    }
    match own.iter_mut().find(|(b, _)| *b == id) {
        Some((_, server)) => set(server, name, value),
        None => Ok(()),
    }
}

fn topic(v: &Value) -> Res<Topic> {
    let mut f = Fields::new(v, "topic".into())?;
    let name = f.text("name")?;
    let assignment = list(f.need("assignment")?, "assignment")?
        .iter()
        .map(brokers)
        .collect::<Option<_>>()
        .ok_or_else(|| format!("topic {name}: the assignment is not lists of brokers"))?;
    let config = settings(f.get("config"), "topic.config")?;
    f.done()?;
    let mut known = highwater::kafka::config::TopicConfig::default();
    for (k, v) in &config {
        known
            .set(k, Some(v))
            .map_err(|_| format!("topic {name}: {k}={v} is not a setting of the engine"))?;
    }
    Ok(Topic {
        name,
        assignment,
        config,
    })
}

fn brokers(v: &Value) -> Option<Vec<BrokerId>> {
    v.as_array()?.iter().map(broker).collect()
}

fn step(v: &Value, nth: u32) -> Res<Step> {
    let mut f = Fields::new(v, format!("step {nth}"))?;
    let n = f.number_or("n")?.map_or(nth, |n| n as u32);
    f.get("say");
    f.get("until"); // what the recorder waited for; the recorded state is what is waited for here
    let doing = f.need("do")?;
    let result = f.get("result").cloned();
    let after = f.get("after").cloned();
    let mut ms = |name| Ok::<_, String>(f.number_or(name)?.map(Ms));
    let pause = ms("pause_ms")?.unwrap_or_default();
    let spacing = ms("spacing_ms")?.unwrap_or_default();
    let poll_for = ms("for_ms")?.unwrap_or(Ms(2_500));
    let answer_within = ms("answer_within_ms")?;
    let give_up = f.number_or("give_up_s")?.map(|s| Ms(s * 1000));
    f.done()?;
    if let Some(a) = &after {
        check_after(a, n)?;
    }
    let name: String = doing["op"].as_str().unwrap_or("").into();
    let mut d = Fields::new(doing, format!("step {n}: {name}"))?;
    let op = op(&mut d, &name)?;
    d.done()?;
    Ok(Step {
        n,
        op,
        name,
        result,
        after,
        pause,
        spacing,
        poll_for,
        answer_within,
        give_up,
    })
}

/// Every field of a recorded state must be one that is compared.
fn check_after(a: &Value, n: u32) -> Res<()> {
    const AFTER: &[&str] = &[
        "brokers",
        "fenced",
        "in_controlled_shutdown",
        "partitions",
        "counts",
    ];
    const PARTITION: &[&str] = &[
        "leader",
        "leader_epoch",
        "partition_epoch",
        "isr",
        "elr",
        "last_known_elr",
        "replicas",
        "adding",
        "removing",
        "recovery",
        "log_start",
        "high_watermark",
        "last_stable_offset",
        "list_offsets_latest",
        "logs",
        "changes",
    ];
    const LOG: &[&str] = &[
        "log_start",
        "log_end",
        "checkpointed_hw",
        "epochs",
        "records",
    ];
    let known = |v: &Value, names: &[&str], what: &str| -> Res<()> {
        let map = v
            .as_object()
            .ok_or_else(|| format!("step {n}: {what} is not an object"))?;
        match map.keys().find(|k| !names.contains(&k.as_str())) {
            Some(k) => Err(format!("step {n}: {what}.{k} is not known here")),
            None => Ok(()),
        }
    };
    known(a, AFTER, "after")?;
    for (tp, p) in a["partitions"].as_object().into_iter().flatten() {
        known(p, PARTITION, &format!("after.partitions.{tp}"))?;
        for (b, l) in p["logs"].as_object().into_iter().flatten() {
            known(l, LOG, &format!("after.partitions.{tp}.logs.{b}"))?;
        }
    }
    Ok(())
}

fn op(d: &mut Fields, name: &str) -> Res<Op> {
    d.get("op");
    Ok(match name {
        "describe" => Op::Describe(d.text("topic")?),
        "produce" => produce(d)?,
        "kill" => Op::Kill(d.broker("broker")?),
        "freeze" => Op::Freeze(d.broker("broker")?),
        "thaw" => Op::Thaw(d.broker("broker")?),
        "start" => Op::Start(d.broker("broker")?),
        "shutdown" => Op::Shutdown(d.broker("broker")?),
        "new_disk" => Op::NewDisk(d.broker("broker")?),
        "cut" | "uncut" => {
            let b = d.broker("broker")?;
            if let Some(from) = d.get("from")
                && from.as_str() != Some("controller")
            {
                return Err(format!("{}: cut off from {from}", d.what));
            }
            match name {
                "cut" => Op::Cut(b),
                _ => Op::Uncut(b),
            }
        }
        "slow_network" => Op::SlowNetwork(d.broker("broker")?, Ms(d.number("answer_delay_ms")?)),
        "alter_config" => {
            let (setting, value) = (d.text("name")?, d.get("value"));
            let value = value.and_then(scalar);
            match d.get("broker") {
                Some(_) => Op::AlterBroker {
                    broker: d.broker("broker")?,
                    name: setting,
                    value,
                },
                None => Op::AlterTopic {
                    topic: d.text("topic")?,
                    name: setting,
                    value,
                },
            }
        }
        "elect_leaders" => {
            let kind = d.text("type")?;
            let partitions = match d.get("partitions") {
                Some(Value::Array(names)) => Some(
                    names
                        .iter()
                        .map(|p| p.as_str().and_then(partition_name))
                        .collect::<Option<_>>()
                        .ok_or_else(|| format!("{}: partitions", d.what))?,
                ),
                _ => None,
            };
            Op::ElectLeaders {
                unclean: match &*kind {
                    "UNCLEAN" => true,
                    "PREFERRED" => false,
                    _ => return Err(format!("{}: type {kind}", d.what)),
                },
                partitions,
            }
        }
        "reassign" => Op::Reassign {
            partition: d.partition("partition")?,
            replicas: match d.get("replicas") {
                Some(v) => Some(brokers(v).ok_or_else(|| format!("{}: replicas", d.what))?),
                None => None,
            },
        },
        "delete_records" => Op::DeleteRecords {
            partition: d.partition("partition")?,
            before: Boundary(d.number("before_offset")?),
        },
        "wait" => match d.number_or("answer_to")? {
            Some(of) => Op::WaitAnswer(of as u32),
            None => Op::Wait(span(&d.text("for")?)),
        },
        "fetch" => {
            isolation(d)?; // without transactions both see the same
            Op::Fetch {
                broker: d.broker("to_broker")?,
                partition: d.partition("partition")?,
                offset: Boundary(d.number("offset")?),
                rack: d.get("rack").and_then(scalar),
                current_leader_epoch: d
                    .number_or("current_leader_epoch")?
                    .filter(|e| *e >= 0)
                    .map(|e| Epoch(e as i32)),
            }
        }
        "list_offsets" => Op::ListOffsets {
            partition: d.partition("partition")?,
            spec: match &*d.text("spec")? {
                "earliest" => OffsetSpec::Earliest,
                "latest" => OffsetSpec::Latest,
                "max-timestamp" => OffsetSpec::MaxTimestamp,
                other => return Err(format!("{}: spec {other}", d.what)),
            },
            isolation: isolation(d)?,
        },
        "assign" => assign(d)?,
        "seek" => Op::Seek {
            client: d.text("client")?,
            partition: d.partition("partition")?,
            offset: Boundary(d.number("offset")?),
        },
        "poll" => Op::Poll(d.text("client")?),
        "close" => Op::Close(d.text("client")?),
        "" => return Err(format!("{}no \"op\"", d.what)),
        other => return Err(format!("{}: op {other} is not the engine's", d.what)),
    })
}

fn isolation(d: &mut Fields) -> Res<Isolation> {
    match d.get("isolation").and_then(Value::as_str) {
        None | Some("read_uncommitted") => Ok(Isolation::ReadUncommitted),
        Some("read_committed") => Ok(Isolation::ReadCommitted),
        Some(other) => Err(format!("{}: isolation {other}", d.what)),
    }
}

/// "8 s" among the conditions of a wait; the other conditions show in the recorded state.
fn span(text: &str) -> Ms {
    let mut longest = Ms(0);
    for part in text.split([',', ';']) {
        let part = part.trim().trim_end_matches(" later");
        let seconds = part.strip_suffix(" s").and_then(|n| n.parse::<f64>().ok());
        if let Some(s) = seconds {
            longest = longest.max(Ms((s * 1000.0) as i64));
        }
    }
    longest
}

fn produce(d: &mut Fields) -> Res<Op> {
    let client = d.text("client")?;
    let acks = d.text("acks")?;
    let acks = Acks::parse(&acks).ok_or_else(|| format!("{}: acks {acks}", d.what))?;
    let partition = PartitionName {
        topic: d.text("topic")?,
        partition: d.number("partition")? as u16,
    };
    let what = d.what.clone();
    let records = list(d.need("records")?, "records")?
        .iter()
        .map(|r| {
            let mut f = Fields::new(r, format!("{what}: record"))?;
            let (key, value) = (f.get("key"), f.get("value"));
            f.done()?;
            Ok((key.and_then(scalar), value.and_then(scalar)))
        })
        .collect::<Res<Vec<_>>>()?;
    let idempotent = d
        .get("idempotent")
        .and_then(Value::as_bool)
        .unwrap_or(false);
    let timeout = d.number_or("timeout_ms")?.map(Ms);
    if d.get("to_broker").is_some() {
        if idempotent {
            return Err(format!("{what}: an idempotent batch straight to a broker"));
        }
        d.get("retries");
        return Ok(Op::ProduceRaw {
            client,
            broker: d.broker("to_broker")?,
            acks,
            timeout: timeout.unwrap_or(Ms(30_000)),
            partition,
            records,
        });
    }
    // The recorder's producer: one record at a time, and what it sets for a retrying one.
    let retries = d
        .number_or("retries")?
        .unwrap_or(if idempotent { 1_000 } else { 0 });
    let request_timeout = timeout.unwrap_or(Ms(60_000));
    let plain = ProducerSettings::default();
    let settings = ProducerSettings {
        acks,
        idempotent,
        retries: retries as u32,
        retry_backoff: if retries > 0 {
            Ms(200)
        } else {
            plain.retry_backoff
        },
        request_timeout,
        delivery_timeout: if retries > 0 {
            Ms(120_000)
        } else {
            request_timeout
        },
        linger: match d.number_or("linger_ms")? {
            Some(ms) => Ms(ms),
            None => Ms(0),
        },
        max_in_flight: 1,
        metadata_max_age: if retries > 0 {
            Ms(2_000)
        } else {
            plain.metadata_max_age
        },
        ..plain
    };
    Ok(Op::Produce {
        client,
        settings,
        partition,
        records,
    })
}

fn assign(d: &mut Fields) -> Res<Op> {
    let client = d.text("client")?;
    let partitions = list(d.need("partitions")?, "partitions")?
        .iter()
        .map(|p| p.as_str().and_then(partition_name))
        .collect::<Option<_>>()
        .ok_or_else(|| format!("{}: partitions", d.what))?;
    let seek = d.number_or("seek")?.map(Boundary);
    let mut settings = ConsumerSettings {
        offset_reset: OffsetReset::Earliest,
        ..ConsumerSettings::default()
    };
    if let Some(v) = d.get("auto.offset.reset") {
        settings.offset_reset = match v.as_str() {
            Some("earliest") => OffsetReset::Earliest,
            Some("latest") => OffsetReset::Latest,
            Some("none") => OffsetReset::None,
            _ => return Err(format!("{}: auto.offset.reset {v}", d.what)),
        };
    }
    settings.rack = d.get("client.rack").and_then(scalar);
    if let Some(v) = d.get("isolation.level") {
        settings.read_committed = v.as_str() == Some("read_committed");
    }
    let whole = |v: &Value| scalar(v).and_then(|t| t.parse::<i64>().ok());
    if let Some(v) = d.get("fetch.max.wait.ms") {
        let ms = whole(v).ok_or_else(|| format!("{}: fetch.max.wait.ms {v}", d.what))?;
        settings.fetch_max_wait = Ms(ms);
    }
    if let Some(v) = d.get("max.poll.records") {
        let n = whole(v).filter(|n| *n > 0);
        settings.max_poll_records =
            n.ok_or_else(|| format!("{}: max.poll.records {v}", d.what))? as u32;
    }
    Ok(Op::Assign {
        client,
        partitions,
        seek,
        settings,
    })
}
