//! A recorded script (`kafka-run/1`) as typed data. Everything the format can say is either
//! understood here or named as not applicable, before the first step is carried out.

#[path = "script/clock.rs"]
mod clock;
#[path = "script/fields.rs"]
mod fields;
#[path = "script/offsets.rs"]
pub mod offsets;
#[path = "script/op.rs"]
mod op;

pub use op::{KeyValue, Op};

use fields::{Fields, broker, scalar};
use highwater::kafka::config::{ServerConfig, TopicConfig};
use highwater::kafka::ids::{BrokerId, Ms};
use highwater::world::setup::Setup;
use op::op;
use serde_json::Value;
use std::collections::BTreeSet;
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
    /// Recorded on one node that is controller and broker: offsets, groups, transactions.
    pub one_node: bool,
    /// The moment that virtual time 0 stands for, ms since 1970.
    pub start: i64,
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
    pub say: String,
    /// Whose member id a request by hand carries.
    pub member_of: Option<Rc<str>>,
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

type Res<T> = Result<T, String>;

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
        let one_node = doc["cluster"]["controllers"] == doc["cluster"]["brokers"];
        let (setup, cluster_min_isr) = cluster(&doc["cluster"], one_node)?;
        let topics = list(&doc["topics"], "topics")?
            .iter()
            .map(topic)
            .collect::<Res<Vec<_>>>()?;
        let mut steps = Vec::new();
        for (i, v) in list(&doc["steps"], "steps")?.iter().enumerate() {
            steps.push(step(v, i as u32 + 1, one_node)?);
        }
        let start = clock::start(doc);
        clock::fill(&mut steps, start);
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
            one_node,
            start,
        })
    }
}

impl Script {
    /// Times that steps give to records, ms since 1970.
    pub fn given(&self) -> BTreeSet<i64> {
        let of = |s: &Step| match &s.op {
            Op::Off(off) => match &**off {
                offsets::Off::Produce { records, .. } | offsets::Off::Batch(_, _, records) => {
                    records.iter().filter_map(|r| r.at).collect()
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        self.steps.iter().flat_map(of).collect()
    }

    /// The first step whose state tells of this topic (its place in the list).
    pub fn tells_of(&self, topic: &str) -> Option<usize> {
        let of_topic = |name: &String| name.rsplit_once('-').is_some_and(|(t, _)| t == topic);
        self.steps.iter().position(|s| {
            let parts = s.after.as_ref().and_then(|a| a["partitions"].as_object());
            parts.is_some_and(|p| p.keys().any(of_topic))
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

/// What the recorder of offsets sets on its node.
const NODE: &[(&str, &str)] = &[
    ("group.initial.rebalance.delay.ms", "0"),
    ("group.min.session.timeout.ms", "1000"),
    ("group.consumer.min.session.timeout.ms", "1000"),
    ("group.consumer.min.heartbeat.interval.ms", "100"),
    ("group.consumer.heartbeat.interval.ms", "300"),
    ("log.cleaner.backoff.ms", "300"),
    ("log.initial.task.delay.ms", "300"),
    ("log.retention.check.interval.ms", "400"),
    ("log.segment.delete.delay.ms", "200"),
    ("log.file.delete.delay.ms", "200"),
    ("replica.high.watermark.checkpoint.interval.ms", "100"),
    ("log.flush.start.offset.checkpoint.interval.ms", "100"),
];

fn cluster(v: &Value, one_node: bool) -> Res<(Setup, Option<i64>)> {
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
    for (name, value) in NODE.iter().filter(|_| one_node) {
        // A setting that the engine does not have has no effect in it.
        let _ = setup.server.set(name, value);
    }
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
        let features = features
            .as_object()
            .ok_or("cluster.features is not an object")?;
        for (name, level) in features {
            let level = level
                .as_i64()
                .ok_or_else(|| format!("cluster.features.{name} is not a whole number"))?;
            match name.as_str() {
                "eligible.leader.replicas.version" => setup.switches.elr = level > 0,
                "transaction.version" => set(&mut setup.server, name, &level.to_string())?,
                "metadata.version" if level < 27 => {
                    return Err(format!(
                        "metadata.version {level} is older than the engine's"
                    ));
                }
                _ => {}
            }
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
    let mut known = TopicConfig::default();
    // Without retention nothing is deleted by age.
    let unlimited = |(k, v): &(Rc<str>, Rc<str>)| (&**k, &**v) == ("retention.ms", "-1");
    let config: Vec<_> = config
        .into_iter()
        .filter(|pair| !unlimited(pair) || known.set(&pair.0, Some(&pair.1)).is_ok())
        .collect();
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

fn step(v: &Value, nth: u32, one_node: bool) -> Res<Step> {
    let mut f = Fields::new(v, format!("step {nth}"))?;
    let n = f.number_or("n")?.map_or(nth, |n| n as u32);
    let say: String = f
        .get("say")
        .and_then(scalar)
        .map_or(String::new(), |t| t.to_string());
    f.get("want"); // as many as were recorded are waited for
    f.get("tell"); // what is told is compared
    let member_of = f.get("member_of").and_then(scalar);
    f.get("until"); // what the recorder waited for; the recorded state is what is waited for here
    let doing = f.need("do")?;
    let result = f.get("result").cloned();
    if !f.has("after") {
        return Err(format!(
            "step {n}: no \"after\" (null where the next step follows at once)"
        ));
    }
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
    let off = match one_node {
        true => offsets::op(&mut d, &name, &say)?,
        false => None,
    };
    let op = match off {
        Some(off) => Op::Off(Box::new(off)),
        None => op(&mut d, &name)?,
    };
    d.done()?;
    Ok(Step {
        n,
        op,
        name,
        say,
        member_of,
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
        "groups",
        "consumers",
        "transactions",
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
        "segments",
        "cleaned_to",
        "empty_batches",
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
