//! Hand-made clusters and messages for the tests of the clients.

use crate::kafka::event::{Cause, EventKind};
use crate::kafka::ids::*;
use crate::kafka::message::{Body, Message, NodeId};
use crate::kafka::metadata::{BrokerReg, Image, PartitionReg, Recovery};
use crate::kafka::out::Out;
use std::rc::Rc;

pub const TP: Tp = Tp {
    topic: TopicId(0),
    partition: 0,
};

/// An image with brokers 1, 2, 3 and partitions of one topic, each led by (leader, epoch).
pub fn image(leaders: &[(u8, i32)], fenced: &[u8]) -> Rc<Image> {
    let mut image = Image::empty();
    for id in [1, 2, 3] {
        let reg = BrokerReg {
            epoch: BrokerEpoch(0),
            incarnation: 0,
            fenced: fenced.contains(&id),
            in_controlled_shutdown: false,
            rack: None,
        };
        image.brokers.insert(BrokerId(id), reg);
    }
    for (partition, (leader, epoch)) in (0..).zip(leaders) {
        let reg = PartitionReg {
            replicas: [1, 2, 3].map(BrokerId).to_vec(),
            adding: vec![],
            removing: vec![],
            isr: [1, 2, 3].map(BrokerId).into_iter().collect(),
            elr: BrokerSet::EMPTY,
            last_known_elr: vec![],
            leader: (*leader > 0).then_some(BrokerId(*leader)),
            leader_epoch: Epoch(*epoch),
            partition_epoch: PartitionEpoch(*epoch),
            recovery: Recovery::Recovered,
        };
        let tp = Tp { partition, ..TP };
        image.partitions.insert(tp, Rc::new(reg));
    }
    Rc::new(image)
}

/// The network between one client and the brokers: what was sent and not answered, the time, the
/// events, the reminders.
#[derive(Default)]
pub struct Wire {
    pub out: Out,
}

impl Wire {
    pub fn new() -> Self {
        let mut wire = Wire::default();
        wire.out.recording = true;
        wire
    }

    /// Takes the one message that was sent since the last look: to whom, and what.
    pub fn sent(&mut self) -> (Correlation, BrokerId, Body) {
        assert_eq!(self.out.sends.len(), 1, "sent: {:?}", self.out.sends);
        self.all_sent().remove(0)
    }

    /// Takes all messages that were sent since the last look.
    pub fn all_sent(&mut self) -> Vec<(Correlation, BrokerId, Body)> {
        std::mem::take(&mut self.out.sends)
            .into_iter()
            .map(|(c, _, to, body, _)| {
                let mut brokers = (0..64).map(BrokerId);
                let to = brokers.find(|b| NodeId::Broker(*b) == to);
                (c, to.expect("a client writes to brokers only"), body)
            })
            .collect()
    }

    /// The earliest reminder that is not over.
    pub fn next_reminder(&mut self) -> Option<Ms> {
        let now = self.out.now;
        self.out.timers.retain(|(at, _)| *at > now);
        self.out.timers.iter().map(|(at, _)| *at).min()
    }

    pub fn events(&mut self) -> Vec<EventKind> {
        std::mem::take(&mut self.out.events)
            .into_iter()
            .map(|e| e.kind)
            .collect()
    }

    pub fn at(&mut self, now: i64) -> &mut Out {
        self.out.now = Ms(now);
        &mut self.out
    }
}

/// An answer from a broker.
pub fn answer(correlation: Correlation, from: BrokerId, body: Body) -> Message {
    Message {
        correlation,
        from: NodeId::Broker(from),
        to: NodeId::Client(ClientId(0)),
        body,
        cause: Cause::default(),
    }
}
