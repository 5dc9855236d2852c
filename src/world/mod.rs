//! The cluster as a whole: all nodes, messages in flight, virtual time, faults, the one list of
//! commands, and the checks that run after every command. Holds no protocol rule of its own.

mod admin;
mod application;
pub mod by_hand;
mod call;
pub mod canonical;
pub mod checks;
mod client_node;
pub mod command;
mod condition;
mod consumer_node;
mod ghost;
mod group_calls;
#[cfg(test)]
mod group_tests;
mod look;
mod machine;
mod machines;
mod network;
pub mod picture;
mod reply;
pub mod setup;
mod store;
mod time;
mod transaction_node;
mod truth;

use crate::kafka::broker::{Broker, Common, Lifecycle};
use crate::kafka::controller::Controller;
use crate::kafka::event::{Cause, Event, EventKind};
use crate::kafka::ids::*;
use crate::kafka::map::Map;
use crate::kafka::message::{Body, Message, NodeId};
use crate::kafka::out::{Out, Timer};
use crate::kafka::partition::Shown;
use checks::Violation;
use client_node::ClientNode;
use command::{Applied, Command, PartitionName, Refusal, Reply, Ticket};
use ghost::Ghost;
use machine::{Machine, MachineState};
use network::{Due, Network};
use setup::Setup;
use std::rc::Rc;

/// A cluster, its clients and everything between them. Two equal worlds go on alike under equal
/// commands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct World {
    setup: Rc<Setup>,
    common: Rc<Common>,
    now: Ms,
    controller: Controller,
    machines: Map<BrokerId, Machine>,
    clients: Vec<ClientNode>,
    net: Network,
    replies: Map<Ticket, Reply>,
    /// What applications keep outside Kafka, by group (or by the client's name without one).
    stores: Map<Rc<str>, store::Store>,
    next_ticket: u32,
    next_correlation: u64,
    ghost: Ghost,
    /// How many numbers were drawn by chance.
    draws: u64,
    /// The next event's number, and the events of the command under way.
    events: Shown<Journal>,
    /// What was found to be wrong.
    violations: Shown<Vec<Violation>>,
}

/// The events of the command under way.
#[derive(Clone, Debug, Default)]
struct Journal {
    recording: bool,
    next: u32,
    list: Vec<Event>,
    /// When something that a person could see last changed.
    last_visible: Ms,
}

impl World {
    /// A world at time 0. If `setup.started`, all brokers are up, registered and unfenced.
    pub fn new(setup: Setup) -> World {
        let common = Rc::new(Common {
            server: setup.server.clone(),
            switches: setup.switches,
            by_hand: setup.by_hand,
        });
        let machines = setup
            .brokers
            .iter()
            .map(|(id, rack)| (*id, Machine::new(rack.clone())))
            .collect();
        let mut world = World {
            controller: Controller::new(&setup.server, setup.switches, setup.by_hand),
            draws: 0,
            setup: Rc::new(setup),
            common,
            now: Ms(0),
            machines,
            clients: Vec::new(),
            net: Network::default(),
            replies: Map::new(),
            stores: Map::new(),
            next_ticket: 0,
            next_correlation: 0,
            ghost: Ghost::default(),
            events: Shown(Journal::default()),
            violations: Shown::default(),
        };
        world.boot();
        world.events.0.recording = true;
        world
    }

    /// Whether events are recorded (on at the start). A search switches them off.
    pub fn record_events(&mut self, on: bool) {
        self.events.0.recording = on;
    }

    /// What it started from.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Virtual time, ms.
    pub fn now(&self) -> Ms {
        self.now
    }

    /// The answer to a command, once there is one.
    pub fn reply(&self, ticket: Ticket) -> Option<&Reply> {
        self.replies.get(&ticket)
    }

    /// Carries out a command.
    ///
    /// # Errors
    /// [`Refusal`], in words for a person. A refused command has changed nothing, but for an
    /// `Until` that ran out of time: that time has passed.
    pub fn apply(&mut self, command: &Command) -> Result<Applied, Refusal> {
        self.events.0.list.clear();
        let ticket = Ticket(self.next_ticket);
        let carried_out = self.carry_out(ticket, command);
        self.check_whole();
        carried_out?;
        self.next_ticket += 1;
        let events = std::mem::take(&mut self.events.0.list);
        Ok(Applied {
            ticket: Some(ticket),
            events,
        })
    }

    fn carry_out(&mut self, ticket: Ticket, command: &Command) -> Result<(), Refusal> {
        match command {
            Command::CreateTopic { .. }
            | Command::AlterTopicConfig { .. }
            | Command::AlterBrokerConfig { .. }
            | Command::ElectLeaders { .. }
            | Command::Reassign { .. }
            | Command::DeleteRecords { .. } => self.administer(ticket, command),
            Command::Kill { .. }
            | Command::Shutdown { .. }
            | Command::Start { .. }
            | Command::Freeze { .. }
            | Command::Thaw { .. }
            | Command::NewDisk { .. }
            | Command::Cut { .. }
            | Command::Heal { .. }
            | Command::Delay { .. }
            | Command::DelayFetchAnswers { .. }
            | Command::Hold { .. }
            | Command::Release { .. }
            | Command::Lose { .. } => self.disturb(command),
            Command::Producer { .. }
            | Command::Produce { .. }
            | Command::ProduceRaw { .. }
            | Command::Assign { .. }
            | Command::Poll { .. }
            | Command::FetchRaw { .. }
            | Command::ListOffsets { .. } => self.command_client(ticket, command),
            Command::Subscribe { .. }
            | Command::Seek { .. }
            | Command::Pause { .. }
            | Command::Commit { .. }
            | Command::Committed { .. }
            | Command::Close { .. }
            | Command::Crash { .. }
            | Command::Process { .. }
            | Command::SaveOutside { .. } => self.command_consumer(ticket, command),
            Command::InitTransactions { .. }
            | Command::BeginTransaction { .. }
            | Command::EndTransaction { .. }
            | Command::SendOffsets { .. }
            | Command::InitProducerRaw { .. } => self.command_transaction(ticket, command),
            Command::CallGroup { .. }
            | Command::ResetOffsets { .. }
            | Command::DeleteTopic { .. } => self.command_group(ticket, command),
            Command::Advance(_)
            | Command::Step
            | Command::Until { .. }
            | Command::Settle { .. } => self.pass_time(ticket, command),
            Command::Ask { .. }
            | Command::Deliver { .. }
            | Command::FetchNow { .. }
            | Command::ApplyMetadata { .. }
            | Command::Fence { .. }
            | Command::Unfence { .. }
            | Command::Lapse { .. } => self.by_hand(command),
        }
    }

    fn out(&self, cause: Cause) -> Out {
        Out {
            now: self.now,
            cause,
            recording: self.events.0.recording,
            next_event: self.events.0.next,
            next_correlation: self.next_correlation,
            ..Out::default()
        }
    }

    /// Takes up what a node has put out.
    fn take(&mut self, out: Out) {
        self.next_correlation = out.next_correlation;
        self.events.0.next = out.next_event;
        if out.visible {
            self.events.0.last_visible = self.now;
        }
        self.events.0.list.extend(out.events);
        self.observe(&out.touched);
        for (correlation, from, to, body, cause) in out.sends {
            let asked = self
                .ghost
                .saw_send(&self.machines, correlation, from, &body);
            let committed_only = match body {
                Body::FetchAnswer(_) => self.ghost.committed_only.0.remove(&correlation),
                _ => false,
            };
            self.told(from, to, &body, asked, committed_only);
            let message = Message {
                correlation,
                from,
                to,
                body,
                cause,
            };
            self.send(message);
        }
        for (due, what) in out.timers {
            if !self.setup.by_hand {
                self.net.push(due.max(self.now), Due::Timer(what));
            }
        }
    }

    fn send(&mut self, message: Message) {
        if self.setup.by_hand {
            self.net.pending.push_back(message);
            return;
        }
        let mut delay = self.setup.link_delay;
        if self.setup.link_jitter.0 > 0 {
            use rand_core::RngCore;
            let mut random = rand_pcg::Pcg32::new(self.setup.seed, 0x0a02_bdbf_7bb3_c0a7);
            random.advance(self.draws);
            self.draws += 1;
            delay = delay.plus(Ms(
                i64::from(random.next_u32()) % (self.setup.link_jitter.0 + 1)
            ));
            self.net.link(message.from, message.to);
        }
        self.net.send(message, self.now, delay);
    }

    /// Notes an event that no node but the scenario's hand has brought about.
    fn note(&mut self, kind: EventKind) -> Cause {
        let mut out = self.out(Cause::default());
        let cause = out.emit(kind);
        self.take(out);
        cause
    }

    /// Something is due.
    fn happen(&mut self, due: Due) {
        match due {
            Due::Message(message) => self.arrive(message),
            Due::Timer(timer) => self.remind(timer),
        }
    }

    fn arrive(&mut self, message: Message) {
        if self.net.is_cut(message.from, message.to) {
            self.lose(&message);
            return;
        }
        if let Some(held) = self
            .net
            .links
            .get_mut(&(message.from, message.to))
            .and_then(|l| l.held.as_mut())
        {
            held.push_back(message);
            return;
        }
        self.deliver(message);
    }

    fn lose(&mut self, message: &Message) {
        let what = look::name(&message.body);
        if !matches!(
            message.body,
            Body::Heartbeat { .. } | Body::HeartbeatAnswer(_) | Body::MetaFetch { .. }
        ) {
            let mut out = self.out(message.cause);
            out.emit(EventKind::MessageLost {
                from: message.from,
                to: message.to,
                what,
            });
            self.take(out);
        }
    }

    fn deliver(&mut self, message: Message) {
        if !message.body.is_request() {
            self.net.close(message.correlation);
        }
        let mut out = self.out(message.cause);
        let fenced = self.outdated(&message);
        match message.to {
            NodeId::Controller => {
                self.controller.handle(&message, &mut out);
                self.take(out);
                if let Some(fenced) = fenced {
                    self.still_as_it_was(&fenced, &message);
                }
            }
            NodeId::Client(id) => self.client_handles(id, &message, out),
            NodeId::Broker(id) => {
                let Some(machine) = self.machines.get_mut(&id) else {
                    return;
                };
                if machine.frozen {
                    machine.inbox.push(Due::Message(message));
                    return;
                }
                match machine.broker_mut() {
                    Some(broker) => {
                        self.ghost.saw_request(&message);
                        broker.handle(&message, &mut out);
                        self.take(out);
                        if let Some(fenced) = fenced {
                            self.still_as_it_was(&fenced, &message);
                        }
                        self.after_broker(id, matches!(message.body, Body::MetaAnswer(_)));
                    }
                    None if message.body.is_request() => {
                        // Nobody listens there: the connection is refused.
                        self.net.close(message.correlation);
                        let body = Body::Disconnected;
                        let (from, to) = (message.to, message.from);
                        self.send(Message {
                            body,
                            from,
                            to,
                            ..message
                        });
                    }
                    None => {}
                }
            }
        }
    }

    fn remind(&mut self, timer: Timer) {
        let mut out = self.out(Cause::default());
        match &timer {
            Timer::Controller(what) => {
                self.controller.timer(what, &mut out);
                self.take(out);
            }
            Timer::Client { client, .. } => {
                let client = *client;
                self.client_reminded(client, &timer, out);
            }
            Timer::Broker {
                broker: id,
                incarnation,
                what,
            } => {
                let (id, incarnation) = (*id, *incarnation);
                let Some(machine) = self.machines.get_mut(&id) else {
                    return;
                };
                if machine.incarnation != incarnation {
                    return;
                }
                if machine.frozen {
                    machine.inbox.push(Due::Timer(timer));
                    return;
                }
                let Some(broker) = machine.broker_mut() else {
                    return;
                };
                broker.timer(what, &mut out);
                self.take(out);
                self.after_broker(id, false);
            }
        }
    }

    /// A broker has handled something: it may have ended, and the ghost looks again.
    fn after_broker(&mut self, id: BrokerId, metadata: bool) {
        let ended = |m: &Machine| {
            m.broker()
                .is_some_and(|b| b.lifecycle == Lifecycle::Stopped)
        };
        if self.machines.get(&id).is_some_and(ended) {
            self.end_process(id, crate::kafka::event::StopKind::Clean);
        }
        if metadata {
            self.look_for_losses();
        }
    }

    fn broker_mut(&mut self, id: BrokerId) -> Option<&mut Broker> {
        self.machines.get_mut(&id)?.broker_mut()
    }

    fn tp(&self, name: &PartitionName) -> Result<Tp, Refusal> {
        let image = self.controller.image();
        image
            .topic(&name.topic)
            .map(|topic| Tp {
                topic,
                partition: name.partition,
            })
            .filter(|tp| image.partitions.contains_key(tp))
            .ok_or_else(|| Refusal::NoSuchPartition(name.clone()))
    }

    fn known(&self, id: BrokerId) -> Result<(), Refusal> {
        if self.machines.contains_key(&id) {
            Ok(())
        } else {
            Err(Refusal::NoSuchBroker(id))
        }
    }
}
