//! Whether something that is waited for is so.

use super::World;
use super::command::{Condition, PartitionName, Ticket};
use crate::kafka::event_fields::Names;
use crate::kafka::ids::*;
use crate::kafka::log::Log;
use crate::world::machine::MachineState;

impl Names for World {
    fn topic(&self, topic: TopicId) -> String {
        let reg = self.controller.image().topic_reg(topic);
        reg.map_or_else(|| topic.to_string(), |reg| reg.name.to_string())
    }
    fn client(&self, client: ClientId) -> String {
        let node = self.clients.get(usize::from(client.0));
        node.map_or_else(|| client.to_string(), |node| node.name.to_string())
    }
}

impl World {
    /// Whether a condition holds now. `seen` counts the events of this command that were looked at.
    pub(super) fn holds(&self, condition: &Condition, ticket: Ticket, seen: &mut usize) -> bool {
        match condition {
            Condition::Leader(name, leader) => self.reg(name).is_some_and(|r| r.leader == *leader),
            Condition::Isr(name, isr) => self.reg(name).is_some_and(|r| r.isr == *isr),
            Condition::Fenced(broker, fenced) => self
                .controller
                .image()
                .brokers
                .get(broker)
                .is_some_and(|b| b.fenced == *fenced),
            Condition::Process(broker, process) => self
                .machines
                .get(broker)
                .is_some_and(|m| m.process() == *process),
            Condition::LogEnd(broker, name, at) => {
                self.log(*broker, name).is_some_and(|l| l.end() == *at)
            }
            Condition::HighWatermark(broker, name, at) => self
                .log(*broker, name)
                .is_some_and(|l| l.high_watermark() == *at),
            Condition::LogStart(broker, name, at) => {
                self.log(*broker, name).is_some_and(|l| l.start() == *at)
            }
            Condition::LastStable(broker, name, at) => self
                .log(*broker, name)
                .is_some_and(|l| l.last_stable() == *at),
            Condition::CleanedTo(broker, name, at) => self
                .log(*broker, name)
                .is_some_and(|l| l.cleaned_to() == Some(*at)),
            Condition::Replied(of) => self.replies.contains_key(of),
            Condition::Answered(client) => self
                .clients
                .iter()
                .find(|c| c.name == *client)
                .and_then(|c| c.last)
                .is_some_and(|last| last != ticket && self.replies.contains_key(&last)),
            Condition::Event { kind, fields } => {
                let new = self.events.0.list.get(*seen..).unwrap_or_default();
                *seen = self.events.0.list.len();
                new.iter().any(|e| e.kind.matches(kind, fields, self))
            }
        }
    }

    fn reg(&self, name: &PartitionName) -> Option<&crate::kafka::metadata::PartitionReg> {
        let tp = self.tp(name).ok()?;
        self.controller.image().partitions.get(&tp).map(|r| &**r)
    }

    fn log(&self, broker: BrokerId, name: &PartitionName) -> Option<&Log> {
        let tp = self.tp(name).ok()?;
        self.log_of(broker, tp)
    }

    /// The log of a partition on a broker, running or not.
    pub(super) fn log_of(&self, broker: BrokerId, tp: Tp) -> Option<&Log> {
        match &self.machines.get(&broker)?.state {
            MachineState::On(node) => node.replicas.get(&tp).map(|r| &r.log),
            MachineState::Off { disk, .. } => disk.logs.get(&tp),
        }
    }
}
