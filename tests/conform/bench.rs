//! One broker on a bench: a real broker node whose controller, followers and clients are played
//! by the test. Brokers are numbered as in the vectors; each has broker epoch 2.

use highwater::kafka::batch::{NewBatch, NewRecord, Stamp};
use highwater::kafka::broker::{Broker, Common, Disk};
use highwater::kafka::config::{ServerConfig, TopicConfig};
use highwater::kafka::error::KafkaError;
use highwater::kafka::ids::*;
use highwater::kafka::log::{AppendRules, Log};
use highwater::kafka::map::Map;
use highwater::kafka::message::{
    Acks, AlteredPartition, Asker, Body, FetchPart, FetchRequest, Message, NodeId,
};
use highwater::kafka::metadata::{
    BrokerReg, ChangeReason, Image, MetaRecord, PartitionReg, Recovery,
};
use highwater::kafka::out::{BrokerTimer, Out, Timer};
use highwater::kafka::partition::{Leader, Replica};
use highwater::kafka::switches::Switches;
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The one partition of a bench.
pub const TP: Tp = Tp {
    topic: TopicId(0),
    partition: 0,
};
/// The broker epoch that the controller has given to everyone.
pub const BROKER_EPOCH: BrokerEpoch = BrokerEpoch(2);

/// A broker and what it has sent.
#[derive(Clone)]
pub struct Bench {
    pub broker: Broker,
    pub me: BrokerId,
    pub now: Ms,
    image: Image,
    out: Out,
    /// Answers, by request.
    pub answers: BTreeMap<Correlation, Body>,
    /// Requests to other brokers, the oldest first.
    pub asked: Vec<(Correlation, BrokerId, Body)>,
    /// AlterPartition requests, the oldest first.
    pub alters: Vec<(Correlation, BrokerSet)>,
    meta_fetch: Option<Correlation>,
    timers: Vec<(Ms, BrokerTimer)>,
    next: u64,
    /// How often an answer with an error came before each new AlterPartition.
    pub alters_before_error: Option<usize>,
}

/// What a bench starts from.
pub struct Start {
    pub me: BrokerId,
    pub reg: Option<PartitionReg>,
    pub log: Log,
    pub high_watermark: i64,
    pub server: ServerConfig,
    pub min_isr: Option<i32>,
    pub racks: BTreeMap<u8, String>,
    pub brokers: Vec<BrokerId>,
}

impl Bench {
    /// Boots the broker, registers it and tells it the metadata.
    pub fn new(start: Start) -> Bench {
        Bench::with(start, Switches::default())
    }

    /// The same with old bugs back.
    pub fn with(start: Start, switches: Switches) -> Bench {
        let common = Common {
            server: start.server,
            switches,
            by_hand: false,
        };
        let mut out = Out::default();
        let disk = Disk {
            logs: Map::from([(TP, start.log)]),
            checkpoint: Map::from([(TP, Boundary(start.high_watermark))]),
            ..Disk::empty(false)
        };
        let broker = Broker::boot(start.me, 1, None, disk, Rc::new(common), &mut out);
        let mut bench = Bench {
            broker,
            me: start.me,
            now: Ms(0),
            image: Image::empty(),
            out,
            answers: BTreeMap::new(),
            asked: Vec::new(),
            alters: Vec::new(),
            meta_fetch: None,
            timers: Vec::new(),
            next: 1 << 40,
            alters_before_error: None,
        };
        let register = bench
            .out
            .sends
            .iter()
            .find_map(|(c, _, _, body, _)| matches!(body, Body::Register { .. }).then_some(*c));
        bench.collect();
        let mut records: Vec<MetaRecord> = Vec::new();
        for id in start.brokers {
            records.push(MetaRecord::RegisterBroker {
                id,
                reg: BrokerReg {
                    epoch: BROKER_EPOCH,
                    incarnation: 1,
                    fenced: false,
                    in_controlled_shutdown: false,
                    rack: start.racks.get(&id.0).map(|r| r.as_str().into()),
                },
            });
        }
        while records.len() < 3 {
            records.push(MetaRecord::ClusterMinIsr(1));
        }
        let config = TopicConfig {
            min_insync_replicas: start.min_isr,
            ..TopicConfig::default()
        };
        records.push(MetaRecord::Topic {
            id: TP.topic,
            name: "orders".into(),
            config,
            partitions: 1,
        });
        if let Some(reg) = start.reg {
            records.push(partition_record(reg));
        }
        bench.tell(records);
        if let Some(correlation) = register {
            bench.deliver(
                NodeId::Controller,
                correlation,
                Body::Registered(Ok(BROKER_EPOCH)),
            );
        }
        bench
    }

    /// The replica.
    pub fn replica(&self) -> Option<&Replica> {
        self.broker.replicas.get(&TP)
    }

    /// The replica's knowledge as leader.
    pub fn leader(&self) -> Option<&Leader> {
        self.replica().and_then(Replica::leader)
    }

    /// The partition as last told.
    pub fn reg(&self) -> Option<PartitionReg> {
        self.image.partitions.get(&TP).map(|r| (**r).clone())
    }

    /// Changes a log directly, as a unit test of Kafka's log does.
    pub fn log_mut(&mut self) -> Option<&mut Log> {
        self.broker.replicas.get_mut(&TP).map(|r| &mut r.log)
    }

    fn collect(&mut self) {
        for (correlation, _, to, body, _) in std::mem::take(&mut self.out.sends) {
            match (to, body) {
                (NodeId::Controller, Body::MetaFetch { .. }) => self.meta_fetch = Some(correlation),
                (NodeId::Controller, Body::AlterPartition { isr, .. }) => {
                    let isr = isr.iter().map(|(b, _)| *b).collect();
                    self.alters.push((correlation, isr));
                }
                (NodeId::Controller, _) => {}
                (NodeId::Broker(b), body) if body.is_request() => {
                    self.asked.push((correlation, b, body));
                }
                (_, body) => {
                    self.answers.insert(correlation, body);
                }
            }
        }
        for (due, timer) in std::mem::take(&mut self.out.timers) {
            if let Timer::Broker { what, .. } = timer {
                self.timers.push((due, what));
            }
        }
    }

    /// A message reaches the broker.
    pub fn deliver(&mut self, from: NodeId, correlation: Correlation, body: Body) {
        self.out.now = self.now;
        let message = Message {
            correlation,
            from,
            to: NodeId::Broker(self.me),
            body,
            cause: Default::default(),
        };
        self.broker.handle(&message, &mut self.out);
        self.collect();
    }

    /// A request reaches the broker; its number.
    pub fn request(&mut self, from: NodeId, body: Body) -> Correlation {
        self.next += 1;
        let correlation = Correlation(self.next);
        self.deliver(from, correlation, body);
        correlation
    }

    /// Metadata records reach the broker.
    pub fn tell(&mut self, records: Vec<MetaRecord>) {
        let entries = records
            .into_iter()
            .map(|r| {
                self.image.apply(&r);
                (r, Rc::new(self.image.clone()))
            })
            .collect();
        if let Some(correlation) = self.meta_fetch.take() {
            self.deliver(NodeId::Controller, correlation, Body::MetaAnswer(entries));
        }
    }

    /// The partition changes.
    pub fn tell_partition(&mut self, reg: PartitionReg) {
        self.tell(vec![partition_record(reg)]);
    }

    /// A broker's registration changes.
    pub fn tell_broker(&mut self, id: BrokerId, fenced: bool, leaving: bool) {
        self.tell(vec![MetaRecord::BrokerChange {
            id,
            fenced: Some(fenced),
            in_controlled_shutdown: Some(leaving),
        }]);
    }

    /// Time passes; what is due is done in order.
    pub fn advance(&mut self, ms: i64) {
        let until = self.now.plus(Ms(ms));
        loop {
            let next = self
                .timers
                .iter()
                .enumerate()
                .filter(|(_, (due, _))| *due <= until)
                .min_by_key(|(i, (due, _))| (*due, *i))
                .map(|(i, _)| i);
            let Some(i) = next else { break };
            let (due, what) = self.timers.remove(i);
            self.now = self.now.max(due);
            self.out.now = self.now;
            self.broker.timer(&what, &mut self.out);
            self.collect();
        }
        self.now = until;
        self.out.now = until;
    }

    /// The look for lagging followers.
    pub fn shrink_check(&mut self) {
        self.out.now = self.now;
        self.broker.isr_shrink_check(&mut self.out);
        self.collect();
    }

    /// A follower fetches.
    pub fn follower_fetch(
        &mut self,
        id: BrokerId,
        epoch: Option<BrokerEpoch>,
        part: FetchPart,
        wait: Ms,
        min: u32,
    ) -> Correlation {
        let request = FetchRequest {
            asker: Asker::Replica { id, epoch },
            parts: vec![part],
            max_wait: wait,
            min_records: min,
            max_bytes: 1 << 20,
        };
        self.request(NodeId::Broker(id), Body::Fetch(request))
    }

    /// A client sends one batch of records.
    pub fn produce(&mut self, n: usize, acks: Acks) -> Correlation {
        let batch = NewBatch::plain((0..n).map(|i| NewRecord::value(&format!("v{i}"))));
        let body = Body::Produce {
            tp: TP,
            batch,
            transactional_id: None,
            acks,
            timeout: Ms(30_000),
        };
        self.request(NodeId::Client(ClientId(0)), body)
    }

    /// The answer to the last AlterPartition: accepted, or an error.
    pub fn alter_answer(
        &mut self,
        result: Result<PartitionEpoch, KafkaError>,
    ) -> Result<(), String> {
        let (correlation, asked) = *self.alters.last().ok_or("no AlterPartition was sent")?;
        let reg = self.reg().ok_or("no partition")?;
        let result = result.map(|partition_epoch| AlteredPartition {
            reg: Rc::new(PartitionReg {
                isr: asked,
                partition_epoch,
                ..reg
            }),
        });
        if let Ok(altered) = &result {
            // The record comes along the metadata log as well.
            self.image.partitions.insert(TP, altered.reg.clone());
        } else {
            self.alters_before_error = Some(self.alters.len());
        }
        let body = Body::AlterPartitionAnswer { tp: TP, result };
        self.deliver(NodeId::Controller, correlation, body);
        Ok(())
    }
}

fn partition_record(reg: PartitionReg) -> MetaRecord {
    MetaRecord::Partition {
        tp: TP,
        reg: Rc::new(reg),
        why: ChangeReason::Created,
    }
}

/// A registration with nothing under way.
pub fn registration(
    replicas: Vec<BrokerId>,
    isr: BrokerSet,
    leader: Option<BrokerId>,
    leader_epoch: i32,
    partition_epoch: i32,
) -> PartitionReg {
    PartitionReg {
        replicas,
        adding: Vec::new(),
        removing: Vec::new(),
        isr,
        elr: BrokerSet::EMPTY,
        last_known_elr: Vec::new(),
        leader,
        leader_epoch: Epoch(leader_epoch),
        partition_epoch: PartitionEpoch(partition_epoch),
        recovery: Recovery::Recovered,
    }
}

/// Appends one record of its own batch.
pub fn append(log: &mut Log, epoch: i32, timestamp: i64, stamp: Option<Stamp>) {
    let record = NewRecord {
        timestamp: Ms(timestamp),
        ..NewRecord::value(&format!("r{}", log.end()))
    };
    let mut batch = NewBatch::plain([record]);
    batch.stamp = stamp;
    batch.transactional = stamp.is_some();
    let appended = log.append_as_leader(&batch, Epoch(epoch), Ms(0), AppendRules::default());
    debug_assert!(appended.is_ok(), "a plain record is taken");
}

/// A log of `n` records.
pub fn log_of(n: i64, epoch: i32) -> Log {
    let mut log = Log::new();
    for _ in 0..n {
        append(&mut log, epoch, 0, None);
    }
    log
}

/// A list of numbers.
pub fn numbers(v: &Value) -> Option<Vec<i64>> {
    v.as_array()?.iter().map(Value::as_i64).collect()
}

/// A pair of numbers.
pub fn pair(v: &Value) -> Option<(i64, i64)> {
    match numbers(v)?.as_slice() {
        [a, b] => Some((*a, *b)),
        _ => None,
    }
}

/// A list of brokers.
pub fn ids(v: &Value) -> Option<Vec<BrokerId>> {
    Some(numbers(v)?.into_iter().map(|n| BrokerId(n as u8)).collect())
}
