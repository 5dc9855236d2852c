//! What a step can do, and how it is written.

use super::fields::{Fields, partition_name, scalar};
use super::offsets::Off;
use super::{Res, brokers, list};
use highwater::kafka::client::settings::{ConsumerSettings, OffsetReset, ProducerSettings};
use highwater::kafka::ids::{Boundary, BrokerId, Epoch, Ms};
use highwater::kafka::message::{Acks, Isolation, OffsetSpec};
use highwater::world::command::PartitionName;
use serde_json::Value;
use std::rc::Rc;

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
    /// One of the recorder of offsets.
    Off(Box<Off>),
}

/// Reads what a step does.
pub fn op(d: &mut Fields, name: &str) -> Res<Op> {
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

pub(super) fn isolation(d: &mut Fields) -> Res<Isolation> {
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
