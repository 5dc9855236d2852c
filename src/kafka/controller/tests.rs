//! The controller as brokers and administrators see it. Sequences of change records are those of
//! the recorded runs named beside them.

use super::*;
use crate::kafka::config::TopicConfig;
use crate::kafka::error::KafkaError;
use crate::kafka::event::EventKind;
use crate::kafka::ids::*;
use crate::kafka::message::HeartbeatState;
use crate::kafka::metadata::{PartitionReg, Recovery};
use crate::kafka::out::{ControllerTimer, Timer};

mod broker_tests;
mod log_tests;
mod partition_tests;

const TP: Tp = Tp {
    topic: TopicId(0),
    partition: 0,
};
const SESSION: Ms = Ms(9_000);

fn ids(list: &[u8]) -> Vec<BrokerId> {
    list.iter().map(|b| BrokerId(*b)).collect()
}

/// A controller, a clock, and what has been written since one last looked.
struct Bench {
    controller: Controller,
    now: Ms,
    correlation: u64,
    events: Vec<EventKind>,
    timers: Vec<(Ms, Timer)>,
}

impl Bench {
    fn new(brokers: &[u8]) -> Bench {
        Bench::with(brokers, Switches::default(), false)
    }

    fn with(brokers: &[u8], switches: Switches, by_hand: bool) -> Bench {
        let mut bench = Bench {
            controller: Controller::new(&ServerConfig::default(), switches, by_hand),
            now: Ms(0),
            correlation: 0,
            events: vec![],
            timers: vec![],
        };
        bench.act(|c, out| c.start(out));
        for b in brokers {
            bench.register(*b, 1, None).unwrap();
            bench.beat(*b);
        }
        bench
    }

    fn act<T>(&mut self, f: impl FnOnce(&mut Controller, &mut Out) -> T) -> (T, Out) {
        let mut out = Out {
            now: self.now,
            recording: true,
            ..Out::default()
        };
        let result = f(&mut self.controller, &mut out);
        self.events
            .extend(out.events.iter().map(|e| e.kind.clone()));
        self.timers.append(&mut out.timers);
        (result, out)
    }

    fn send(&mut self, from: u8, body: Body) -> Vec<Body> {
        self.correlation += 1;
        let message = Message {
            correlation: Correlation(self.correlation),
            from: NodeId::Broker(BrokerId(from)),
            to: NodeId::Controller,
            body,
            cause: Cause::default(),
        };
        let ((), out) = self.act(|c, out| c.handle(&message, out));
        out.sends.into_iter().map(|s| s.3).collect()
    }

    fn register(&mut self, b: u8, start: u32, previous: Option<i64>) -> Result<i64, KafkaError> {
        let body = Body::Register {
            incarnation: start,
            previous_epoch: previous.map(BrokerEpoch),
            rack: None,
            new_directory: false,
        };
        match &self.send(b, body)[0] {
            Body::Registered(result) => result.map(|e| e.0),
            other => panic!("{other:?}"),
        }
    }

    fn epoch(&self, b: u8) -> BrokerEpoch {
        self.controller.image().brokers[&BrokerId(b)].epoch
    }

    fn beat_at(&mut self, b: u8, offset: MetaOffset, stop: bool) -> HeartbeatState {
        let body = Body::Heartbeat {
            epoch: self.epoch(b),
            metadata_offset: offset,
            want_fence: false,
            want_shut_down: stop,
        };
        match &self.send(b, body)[0] {
            Body::HeartbeatAnswer(Ok(state)) => *state,
            other => panic!("{other:?}"),
        }
    }

    fn beat(&mut self, b: u8) -> HeartbeatState {
        let end = self.controller.image().offset;
        self.beat_at(b, end, false)
    }

    /// Lets a broker stop in good order.
    fn stop(&mut self, b: u8) {
        let end = self.controller.image().offset;
        if !self.beat_at(b, end, true).should_shut_down {
            let others: Vec<u8> = self
                .controller
                .image()
                .brokers
                .keys()
                .map(|b| b.0)
                .collect();
            for other in others {
                if self.controller.active(BrokerId(other)) {
                    self.beat(other);
                }
            }
            assert!(self.beat_at(b, end, true).should_shut_down);
        }
    }

    fn topic(&mut self, replicas: &[u8], min_isr: i32) {
        let config = TopicConfig {
            min_insync_replicas: Some(min_isr),
            ..TopicConfig::default()
        };
        let (result, _) =
            self.act(|c, out| c.create_topic("orders", &[ids(replicas)], config, out));
        result.unwrap();
        self.events.clear();
    }

    fn alter(&mut self, isr: &[u8]) -> Result<(), KafkaError> {
        let reg = self.reg();
        let leader = reg.leader.unwrap().0;
        let body = Body::AlterPartition {
            broker_epoch: self.epoch(leader),
            tp: TP,
            leader_epoch: reg.leader_epoch,
            partition_epoch: reg.partition_epoch,
            isr: isr
                .iter()
                .map(|b| (BrokerId(*b), Some(self.epoch(*b))))
                .collect(),
            recovery: Recovery::Recovered,
        };
        match self.send(leader, body).remove(0) {
            Body::AlterPartitionAnswer { result, .. } => result.map(|_| ()),
            other => panic!("{other:?}"),
        }
    }

    fn reg(&self) -> PartitionReg {
        PartitionReg::clone(&self.controller.image().partitions[&TP])
    }

    fn fence(&mut self, b: u8) {
        self.act(|c, out| c.fence(BrokerId(b), out));
    }

    /// Time passes for everybody but the living, then the controller looks for stale sessions.
    fn fence_check(&mut self) -> Ms {
        self.timers.clear();
        self.act(|c, out| c.timer(&ControllerTimer::FenceCheck, out));
        self.timers[0].0.since(self.now)
    }

    /// The change records since the last look, as the runs list them:
    /// `partition epoch, leader, leader epoch, isr, elr, last known elr`.
    fn changes(&mut self) -> Vec<String> {
        self.events
            .drain(..)
            .filter_map(|e| match e {
                EventKind::PartitionChanged { new, .. } => Some(line(&new)),
                EventKind::ElrCleared { .. } => Some("clear_elr".into()),
                _ => None,
            })
            .collect()
    }
}

fn line(reg: &PartitionReg) -> String {
    let list = |l: &[BrokerId]| l.iter().copied().collect::<BrokerSet>().to_string();
    let mut text = format!(
        "{} L{} e{} {} {} {}",
        reg.partition_epoch,
        reg.leader.map_or(-1, |b| i64::from(b.0)),
        reg.leader_epoch,
        reg.isr,
        reg.elr,
        list(&reg.last_known_elr),
    );
    if reg.recovery == Recovery::Recovering {
        text += " RECOVERING";
    }
    text
}
