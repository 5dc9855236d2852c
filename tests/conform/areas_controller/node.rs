//! Cases that are carried out on the whole controller.

use super::Subject;
use super::read::{broker, brokers, election, partition, recovery, set, show_partition};
use highwater::kafka::config::{ServerConfig, TopicConfig};
use highwater::kafka::controller::Controller;
use highwater::kafka::controller::change_builder::Election;
use highwater::kafka::error::KafkaError;
use highwater::kafka::event::{Cause, EventKind};
use highwater::kafka::ids::*;
use highwater::kafka::message::{Body, Message, NodeId};
use highwater::kafka::metadata::{ChangeReason, Image, MetaRecord, PartitionReg};
use highwater::kafka::out::{ControllerTimer, Out};
use highwater::kafka::switches::Switches;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The whole controller, with brokers that only say what they are told to.
pub struct Node {
    controller: Controller,
    error: &'static str,
    results: Map<String, Value>,
    leader_changes: Map<String, Value>,
    changes: usize,
}

const TOPIC: TopicId = TopicId(0);

impl Node {
    fn image(&self) -> &Rc<Image> {
        self.controller.image()
    }

    fn act<T>(&mut self, f: impl FnOnce(&mut Controller, &mut Out) -> T) -> (T, Vec<Body>) {
        let mut out = Out {
            recording: true,
            ..Out::default()
        };
        let result = f(&mut self.controller, &mut out);
        for event in &out.events {
            if let EventKind::PartitionChanged { tp, old, new, .. } = &event.kind {
                self.changes += 1;
                if tp.topic == TOPIC && old.as_ref().is_some_and(|o| o.leader != new.leader) {
                    let leader = new.leader.map_or(-1, |b| i64::from(b.0));
                    self.leader_changes
                        .insert(tp.partition.to_string(), json!(leader));
                }
            }
        }
        (result, out.sends.into_iter().map(|s| s.3).collect())
    }

    fn send(&mut self, from: BrokerId, body: Body) -> Option<Body> {
        let message = Message {
            correlation: Correlation(0),
            from: NodeId::Broker(from),
            to: NodeId::Controller,
            body,
            cause: Cause::default(),
        };
        let answers = self.act(|c, out| c.handle(&message, out)).1;
        answers.into_iter().next()
    }

    fn epoch(&self, id: BrokerId) -> Option<BrokerEpoch> {
        self.image().brokers.get(&id).map(|b| b.epoch)
    }

    fn register(
        &mut self,
        id: BrokerId,
        previous_epoch: Option<BrokerEpoch>,
    ) -> Option<KafkaError> {
        let last = self.image().brokers.get(&id).map_or(0, |b| b.incarnation);
        let body = Body::Register {
            incarnation: last + 1,
            previous_epoch,
            rack: None,
            new_directory: false,
        };
        match self.send(id, body) {
            Some(Body::Registered(Err(error))) => Some(error),
            _ => None,
        }
    }

    fn heartbeat(&mut self, id: BrokerId, want_fence: bool, want_shut_down: bool) {
        let body = Body::Heartbeat {
            epoch: self.epoch(id).unwrap_or_default(),
            metadata_offset: self.image().offset,
            want_fence,
            want_shut_down,
        };
        self.error = match self.send(id, body) {
            Some(Body::HeartbeatAnswer(Err(error))) => error.name(),
            _ => "NONE",
        };
    }

    fn tp(&self, value: &Value) -> Result<Tp, String> {
        let number = match value {
            Value::Null => Some(0),
            Value::String(text) => text.rsplit('-').next().and_then(|n| n.parse().ok()),
            other => other.as_u64().and_then(|n| u16::try_from(n).ok()),
        };
        let partition = number.ok_or_else(|| format!("{value} is no partition"))?;
        Ok(Tp {
            topic: TOPIC,
            partition,
        })
    }

    fn alter_partition(&mut self, step: &Value) -> Result<(), String> {
        let from = broker(&step["sender"])?;
        let tp = self.tp(&step["partition"])?;
        let reg = self.image().partitions.get(&tp).cloned();
        let number = |name: &str| step[name].as_i64();
        let named = |b: BrokerId| step["broker_epochs"][b.0.to_string()].as_i64();
        let isr = brokers(&step["isr"]).ok_or("no isr")?;
        let epochs = isr.iter().map(|b| match named(*b) {
            Some(-1) => (*b, None),
            Some(epoch) => (*b, Some(BrokerEpoch(epoch))),
            None => (*b, self.epoch(*b)),
        });
        let current = |of: fn(&PartitionReg) -> i32| reg.as_ref().map_or(0, |r| of(r));
        let epoch = number("leader_epoch").map(|e| e as i32);
        let version = number("partition_epoch").map(|e| e as i32);
        let body = Body::AlterPartition {
            broker_epoch: number("broker_epoch")
                .map(BrokerEpoch)
                .or(self.epoch(from))
                .unwrap_or_default(),
            tp,
            leader_epoch: Epoch(epoch.unwrap_or_else(|| current(|r| r.leader_epoch.0))),
            partition_epoch: PartitionEpoch(
                version.unwrap_or_else(|| current(|r| r.partition_epoch.0)),
            ),
            isr: epochs.collect(),
            recovery: recovery(&step["recovery"]).unwrap_or_default(),
        };
        self.error = match self.send(from, body) {
            Some(Body::AlterPartitionAnswer { result, .. }) => {
                result.map_or_else(KafkaError::name, |_| "NONE")
            }
            _ => return Err("no answer".into()),
        };
        Ok(())
    }

    /// A broker is let into a shutdown that has not ended: it leads something of its own.
    fn begin_shutdown(&mut self, id: BrokerId, others: &[BrokerId]) -> Result<(), String> {
        let other = others.iter().copied().find(|b| *b != id);
        let assignment = vec![[id].into_iter().chain(other).collect()];
        let name = format!("led-by-{id}");
        let (created, _) =
            self.act(|c, out| c.create_topic(&name, &assignment, TopicConfig::default(), out));
        created.map_err(|e| e.name())?;
        self.heartbeat(id, false, true);
        Ok(())
    }
}

impl Subject for Node {
    fn new(given: &Value) -> Result<Self, String> {
        let partitions: BTreeMap<u16, Value> = match given["partitions"].as_object() {
            Some(all) => all
                .iter()
                .map(|(n, p)| Some((n.parse().ok()?, p.clone())))
                .collect::<Option<_>>()
                .ok_or("a partition's number is none")?,
            None if given.get("replicas").is_some() => [(0, given.clone())].into(),
            None => BTreeMap::new(),
        };
        let assignment: Vec<Vec<BrokerId>> = partitions
            .values()
            .map(|p| brokers(&p["replicas"]).ok_or("no replicas"))
            .collect::<Result<_, _>>()?;
        let ids = brokers(&given["brokers"])
            .map(|list| list.into_iter().collect())
            .unwrap_or_else(|| assignment.iter().flatten().copied().collect::<BrokerSet>());

        let server = ServerConfig {
            unclean_leader_election: given["unclean"] == "static",
            ..ServerConfig::default()
        };
        let switches = Switches {
            elr: given["elr_enabled"].as_bool().unwrap_or(true),
            ..Switches::default()
        };
        let mut node = Node {
            controller: Controller::new(&server, switches, true),
            error: "NONE",
            results: Map::new(),
            leader_changes: Map::new(),
            changes: 0,
        };
        node.act(|c, out| c.start(out));
        let fenced = set(&given["fenced"]).unwrap_or_default();
        for id in ids.iter() {
            node.register(id, None);
            if !fenced.contains(id) {
                node.heartbeat(id, false, false);
            }
        }
        if !assignment.is_empty() {
            let config = TopicConfig {
                min_insync_replicas: given["min_isr"].as_i64().map(|n| n as i32),
                unclean_leader_election: given["unclean"].as_bool().filter(|on| *on),
                ..TopicConfig::default()
            };
            let (created, _) = node.act(|c, out| c.create_topic("t", &assignment, config, out));
            created.map_err(|e| e.name())?;
        }
        let stopping = brokers(&given["shutting_down"]).unwrap_or_default();
        for id in &stopping {
            node.begin_shutdown(*id, &ids.iter().collect::<Vec<_>>())?;
        }
        // What a case gives and a new topic is not is written as the controller would have it.
        for (number, given) in &partitions {
            let tp = node.tp(&json!(number))?;
            let now = PartitionReg::clone(&node.image().partitions[&tp]);
            let mut whole = show_partition(&now);
            for (name, value) in given.as_object().into_iter().flatten() {
                if whole.contains_key(name) && !value.is_string() {
                    whole.insert(name.clone(), value.clone());
                }
            }
            let wanted = partition(&Value::Object(whole))?;
            if wanted != now {
                node.controller.replay(MetaRecord::Partition {
                    tp,
                    reg: Rc::new(wanted),
                    why: ChangeReason::Created,
                });
            }
        }
        node.changes = 0;
        Ok(node)
    }

    fn step(&mut self, step: &Value) -> Result<(), String> {
        self.leader_changes.clear();
        self.error = "NONE";
        let one = || broker(&step["id"]);
        match step["op"].as_str().unwrap_or("") {
            "fence_brokers_in_order" => {
                for id in brokers(&step["ids"]).ok_or("no ids")? {
                    self.act(|c, out| c.fence(id, out));
                }
            }
            "fence" | "fence_broker" => {
                let id = one()?;
                self.act(|c, out| c.fence(id, out));
            }
            "unfence" | "unfence_broker" => self.heartbeat(one()?, false, false),
            "heartbeat" => {
                let flag = |name: &str| step[name].as_bool().unwrap_or(false);
                self.heartbeat(one()?, flag("want_fence"), flag("want_shutdown"));
            }
            "clean_shutdown" => self.heartbeat(one()?, false, true),
            op @ ("register" | "unclean_shutdown") => {
                let ids = match brokers(&step["ids"]) {
                    Some(ids) => ids,
                    None => vec![one()?],
                };
                for id in ids {
                    let clean = op == "register" && step["clean"].as_bool().unwrap_or(false);
                    let previous = self.epoch(id).filter(|_| clean);
                    self.error = self.register(id, previous).map_or("NONE", KafkaError::name);
                }
            }
            "set_unclean" => {
                let value = step["value"].as_bool().ok_or("no value")?.to_string();
                let name = "unclean.leader.election.enable";
                self.act(|c, out| c.alter_topic_config(TOPIC, name, Some(&value), out))
                    .0
                    .map_err(|e| format!("{e:?}"))?;
            }
            "set_min_isr" => {
                let value = step["value"].as_i64().ok_or("no value")?.to_string();
                let name = "min.insync.replicas";
                self.act(|c, out| c.alter_topic_config(TOPIC, name, Some(&value), out))
                    .0
                    .map_err(|e| format!("{e:?}"))?;
            }
            "unclean_periodic_task" => {
                self.act(|c, out| c.timer(&ControllerTimer::UncleanElection, out));
            }
            "balance_leaders" => {
                self.act(|c, out| c.timer(&ControllerTimer::Balance, out));
            }
            "alter_partition" => self.alter_partition(step)?,
            "elect_leaders" => {
                let unclean = election(&step["type"])? == Election::Unclean;
                let named: Option<Vec<Tp>> = match (&step["partition"], &step["partitions"]) {
                    (Value::Null, Value::Array(list)) => {
                        Some(list.iter().map(|p| self.tp(p)).collect::<Result<_, _>>()?)
                    }
                    (Value::Null, _) => None,
                    (one, _) => Some(vec![self.tp(one)?]),
                };
                let (results, _) =
                    self.act(|c, out| c.elect_leaders(unclean, named.as_deref(), out));
                self.results.clear();
                for (tp, result) in results {
                    self.error = result.map_or_else(KafkaError::name, |()| "NONE");
                    self.results
                        .insert(tp.partition.to_string(), json!(self.error));
                }
            }
            "reassign" => {
                let tp = self.tp(&step["partition"])?;
                let target = brokers(&step["replicas"]);
                let (result, _) = self.act(|c, out| c.reassign(tp, target.as_deref(), out));
                self.error = result.map_or_else(KafkaError::name, |()| "NONE");
            }
            op => return Err(format!("{op} is not known here")),
        }
        Ok(())
    }

    fn show(&self, name: &str, _: &Value) -> Option<Value> {
        let of = |number: u16| {
            let tp = Tp {
                topic: TOPIC,
                partition: number,
            };
            self.image().partitions.get(&tp).map(|r| show_partition(r))
        };
        let ids = |wanted: fn(bool, bool) -> bool| {
            let all = self.image().brokers.iter();
            let those = all.filter(|(_, b)| wanted(b.fenced, b.in_controlled_shutdown));
            json!(those.map(|(id, _)| id.0).collect::<Vec<_>>())
        };
        match name {
            "error" => Some(json!(self.error)),
            "results" => Some(Value::Object(self.results.clone())),
            "changed" => Some(json!(self.changes > 0)),
            "leader_changes" => Some(Value::Object(self.leader_changes.clone())),
            "fenced" => Some(ids(|fenced, _| fenced)),
            "in_controlled_shutdown" => Some(ids(|_, stopping| stopping)),
            "imbalanced" => {
                let mut all = self.image().partitions.iter();
                Some(json!(all.any(|(tp, r)| {
                    tp.topic == TOPIC && r.leader != r.replicas.first().copied()
                })))
            }
            "partitions" => {
                let all = self.image().partitions.keys().filter(|t| t.topic == TOPIC);
                let shown = all.filter_map(|t| {
                    Some((t.partition.to_string(), Value::Object(of(t.partition)?)))
                });
                Some(Value::Object(shown.collect()))
            }
            _ => match name.strip_prefix("partition_").and_then(|n| n.parse().ok()) {
                Some(number) => of(number).map(Value::Object),
                None => of(0)?.remove(name),
            },
        }
    }
}
