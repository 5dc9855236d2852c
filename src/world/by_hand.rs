//! Moving a world without a clock by hand: nothing happens unless a command makes it happen. Brokers
//! send no heartbeats there; metadata is taken in by `ApplyMetadata` alone.

use super::World;
use super::command::{Command, Refusal};
use super::machine::MachineState;
use crate::kafka::broker::{Broker, Lifecycle};
use crate::kafka::event::Cause;
use crate::kafka::ids::*;
use crate::kafka::message::{Body, Message, NodeId};
use crate::kafka::metadata::MetaRecord;

/// How a broker stands towards one partition, for whoever decides what happens next.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// Which broker.
    pub broker: BrokerId,
    /// Its process runs.
    pub running: bool,
    /// It runs, is registered as what it is, and has caught up.
    pub live: bool,
    /// The controller holds it fenced.
    pub fenced: bool,
    /// What the controller has decided and it has not taken in.
    pub next: Next,
    /// It believes that it leads.
    pub leads: bool,
    /// Whom it follows.
    pub follows: Option<BrokerId>,
    /// As leader: the ISR it knows.
    pub isr: BrokerSet,
    /// As leader: followers that count as caught up, though their log ends are not equal.
    pub may_lapse: BrokerSet,
    /// Its log's end (boundary).
    pub log_end: Boundary,
}

/// The controller's next decision, as it concerns a broker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// There is none.
    Nothing,
    /// One that changes nothing it does or says: it does not lead, and nobody new does. It could
    /// be taken in at any time and nobody would notice.
    Quiet,
    /// One that matters.
    Loud,
}

impl World {
    /// How every broker stands towards a partition.
    pub fn standings(&self, tp: Tp) -> Vec<Standing> {
        let one = |id: &BrokerId| {
            let machine = self.machines.get(id)?;
            let node = machine.broker();
            let replica = node.and_then(|b| b.replicas.get(&tp));
            let leader = replica.and_then(|r| r.leader());
            let log_end = self.log_of(*id, tp).map_or(Boundary(0), |l| l.end());
            let reg = self.controller.image().brokers.get(id);
            let caught_up = |l: &crate::kafka::partition::Leader| {
                let all = l.remotes.iter();
                all.filter(|(_, r)| r.last_caught_up.is_some() && r.log_end != Some(log_end))
                    .map(|(b, _)| *b)
                    .collect()
            };
            Some(Standing {
                broker: *id,
                running: node.is_some(),
                live: node.is_some_and(|b| {
                    b.lifecycle == Lifecycle::Running && b.epoch == reg.map(|r| r.epoch)
                }),
                fenced: reg.is_none_or(|r| r.fenced),
                next: node.map_or(Next::Nothing, |b| self.next_decision(b)),
                leads: leader.is_some(),
                follows: replica.and_then(|r| r.follower()).and_then(|f| f.leader),
                isr: leader.map_or(BrokerSet::EMPTY, |l| l.isr),
                may_lapse: leader.map_or(BrokerSet::EMPTY, caught_up),
                log_end,
            })
        };
        self.machines.keys().filter_map(one).collect()
    }

    fn next_decision(&self, node: &Broker) -> Next {
        let mut next = Next::Nothing;
        for entry in self.controller.entries_after(node.seen().offset) {
            if next != Next::Nothing && entry.first {
                break;
            }
            next = Next::Quiet;
            let leads = node.replicas.values().any(|r| r.leader().is_some());
            let loud = match &entry.record {
                MetaRecord::Partition { tp, reg, .. } => {
                    let known = node.replicas.get(tp);
                    known.is_none_or(|r| r.leader_epoch < reg.leader_epoch)
                }
                MetaRecord::RegisterBroker { .. } | MetaRecord::BrokerChange { .. } => false,
                _ => true,
            };
            if leads || loud {
                return Next::Loud;
            }
        }
        next
    }

    /// Messages that wait for a `Deliver`, the oldest first.
    pub fn waiting(&self) -> impl Iterator<Item = &Message> {
        let metadata =
            |m: &&Message| !matches!(m.body, Body::MetaAnswer(_) | Body::MetaFetch { .. });
        self.net.pending.iter().filter(metadata)
    }

    /// Whether whoever this answer is for still waits for it.
    pub fn is_awaited(&self, answer: &Message) -> bool {
        let NodeId::Broker(id) = answer.to else {
            return true;
        };
        match &answer.body {
            Body::FetchAnswer(_) => {
                let node = self.machines.get(&id).and_then(|m| m.broker());
                node.is_some_and(|b| b.fetches().any(|(_, c, _)| c == answer.correlation))
            }
            Body::AlterPartitionAnswer { tp, .. } => self.asks_with(id, *tp, answer.correlation),
            _ => true,
        }
    }

    /// Whether a follower has a fetch from this leader under way.
    pub fn is_fetching(&self, follower: BrokerId, leader: BrokerId) -> bool {
        let node = self.machines.get(&follower).and_then(|m| m.broker());
        node.is_some_and(|b| b.fetches().any(|(l, _, _)| l == leader))
    }

    /// Commands for a world without a clock.
    pub(super) fn by_hand(&mut self, command: &Command) -> Result<(), Refusal> {
        match command {
            Command::Fence { broker } => {
                self.known(*broker)?;
                let mut out = self.out(Cause::default());
                self.controller.fence(*broker, &mut out);
                self.take(out);
                return Ok(());
            }
            Command::Unfence { broker } => {
                self.known(*broker)?;
                let mut out = self.out(Cause::default());
                self.controller.unfence(*broker, &mut out);
                self.take(out);
                return Ok(());
            }
            Command::Deliver { from, to } => {
                let message = self.net.take(*from, *to).ok_or(Refusal::NoMessage {
                    from: *from,
                    to: *to,
                })?;
                self.deliver(message);
                return Ok(());
            }
            Command::Lapse { leader, follower } => {
                self.known(*leader)?;
                self.known(*follower)?;
                let mut out = self.out(Cause::default());
                if let Some(broker) = self.broker_mut(*leader) {
                    broker.lapse(*follower, &mut out);
                }
                self.take(out);
                return Ok(());
            }
            _ => {}
        }
        if !self.setup.by_hand {
            return Err(Refusal::WrongMode);
        }
        match command {
            Command::Ask { follower } => {
                self.known(*follower)?;
                self.ask(*follower);
            }
            Command::FetchNow { follower } => {
                self.known(*follower)?;
                self.ask(*follower);
                let me = NodeId::Broker(*follower);
                let others: Vec<BrokerId> = self
                    .machines
                    .keys()
                    .copied()
                    .filter(|b| b != follower)
                    .collect();
                for leader in others {
                    // Question and answer, and the follow-up questions after OFFSET_OUT_OF_RANGE.
                    for _ in 0..4 {
                        let there = self.net.take(me, leader.into());
                        let went = there.is_some();
                        if let Some(message) = there {
                            self.deliver(message);
                        }
                        match self.net.take(leader.into(), me) {
                            Some(message) => self.deliver(message),
                            None if !went => break,
                            None => {}
                        }
                    }
                }
            }
            Command::ApplyMetadata { broker } => {
                self.known(*broker)?;
                if !self.take_in_metadata(*broker) {
                    let (from, to) = (NodeId::Controller, NodeId::Broker(*broker));
                    return Err(Refusal::NoMessage { from, to });
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A broker takes in what the controller's next decision has written. `false`: there is none.
    fn take_in_metadata(&mut self, id: BrokerId) -> bool {
        let me = NodeId::Broker(id);
        if let Some(question) = self.net.take_metadata_question(me) {
            self.deliver(question);
        }
        let Some(answer) = self.net.take_metadata(me) else {
            return false;
        };
        self.deliver(answer);
        // It asks on at once; the controller holds the question or has the next decision.
        if let Some(question) = self.net.take_metadata_question(me) {
            self.deliver(question);
        }
        true
    }

    /// A started broker registers and takes in all metadata up to its own registration: until then
    /// it does nothing, so that nobody could tell when in between.
    pub(super) fn bring_up(&mut self, id: BrokerId) {
        let (me, controller) = (NodeId::Broker(id), NodeId::Controller);
        for (from, to) in [(me, controller), (controller, me)] {
            if let Some(message) = self.net.take(from, to) {
                self.deliver(message);
            }
        }
        let catching_up = |world: &World| {
            let machine = world.machines.get(&id);
            machine
                .and_then(|m| m.broker())
                .is_some_and(|b| b.lifecycle == Lifecycle::CatchingUp)
        };
        while catching_up(self) && self.take_in_metadata(id) {}
    }

    /// A broker's process is gone. What was on its way to it is lost; whoever asked it something
    /// sees the connection break. What it had sent may still arrive.
    pub(super) fn forget_messages_to(&mut self, id: BrokerId, cause: Cause) {
        let gone = NodeId::Broker(id);
        let metadata = |m: &Message| matches!(m.body, Body::MetaAnswer(_) | Body::MetaFetch { .. });
        let (lost, kept): (Vec<Message>, Vec<Message>) = std::mem::take(&mut self.net.pending)
            .into_iter()
            .partition(|m| m.to == gone || (m.from == gone && metadata(m)));
        self.net.pending = kept.into();
        for message in lost {
            if message.body.is_request() {
                self.break_off(Message { cause, ..message });
            }
        }
    }

    /// Who sent this request learns that no answer will come.
    pub(super) fn break_off(&mut self, request: Message) {
        self.deliver(Message {
            from: request.to,
            to: request.from,
            body: Body::Disconnected,
            ..request
        });
    }

    fn ask(&mut self, follower: BrokerId) {
        let mut out = self.out(Cause::default());
        if let Some(MachineState::On(broker)) = self
            .machines
            .get_mut(&follower)
            .filter(|m| !m.frozen)
            .map(|m| &mut m.state)
        {
            broker.ask_leaders(&mut out);
        }
        self.take(out);
    }
}
