//! Clients of the scenario, by name, and requests that are written straight to a broker.

use super::World;
use super::application::Application;
use super::command::{Command, Process, ReadRecord, Refusal, Reply, Ticket};
use super::consumer_node::Life;
use super::group_calls::Waiting;
use crate::kafka::batch::NewBatch;
use crate::kafka::client::consumer::Consumer;
use crate::kafka::client::producer::Producer;
use crate::kafka::client::reset::ResetTool;
use crate::kafka::client::settings::ProducerSettings;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Cause, EventKind, Outcome};
use crate::kafka::ids::*;
use crate::kafka::map::Map;
use crate::kafka::message::*;
use crate::kafka::out::{Out, Timer};
use crate::kafka::sort;
use crate::kafka::transaction::message::TransactionAnswer;
use std::rc::Rc;

/// A client.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClientNode {
    /// Its name.
    pub name: Rc<str>,
    /// What it is.
    pub kind: Kind,
    /// The last command it was given.
    pub last: Option<Ticket>,
    /// Whether its process runs.
    pub life: Life,
    /// How many processes there were before under this name.
    pub before: u32,
    /// The application beside a consumer; it lives and dies with the process.
    pub app: Application,
}

/// Kinds of client.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A producer.
    Producer(Box<Producer>),
    /// A consumer.
    Consumer(Box<Consumer>),
    /// Requests by hand.
    Raw(Raw),
    /// `kafka-consumer-groups`.
    Tool(Box<ResetTool>),
}

/// Requests written straight to brokers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Raw {
    open: Map<Correlation, (Ticket, Asked)>,
    /// Produce requests in order.
    pub sends: Vec<RawSend>,
    /// Requests whose coordinator has only just been made.
    pub waiting: Vec<Waiting>,
}

/// A produce request by hand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RawSend {
    pub tp: Tp,
    pub broker: BrokerId,
    pub values: Vec<Option<Rc<str>>>,
    pub acks: Acks,
    pub at: Ms,
    pub answer: Option<(Ms, Result<Option<Offset>, KafkaError>)>,
}

/// What was asked, for when the answer comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Asked {
    /// A produce: its place in `Raw::sends`, and how many records.
    Produce(u32, u32),
    /// Something else.
    Other,
}

fn read_records(batches: &[crate::kafka::batch::Batch], from: Boundary) -> Vec<ReadRecord> {
    let data = batches.iter().filter(|b| b.control.is_none());
    data.flat_map(|b| b.records.iter().map(|r| (b.epoch, r)))
        .filter(|(_, r)| r.offset.0 >= from.0)
        .map(|(epoch, r)| ReadRecord {
            offset: r.offset,
            epoch,
            key: r.key.clone(),
            value: r.value.clone(),
        })
        .collect()
}

impl World {
    pub(super) fn bootstrap(&self, set: &[BrokerId]) -> Vec<BrokerId> {
        match set {
            // Whom a client tries first is its own choice; here, one that can answer.
            [] => {
                let mut all: Vec<BrokerId> = self.machines.keys().copied().collect();
                let rank = |id: &BrokerId| match self.machines[id].process() {
                    Process::Up if !self.net.is_cut((*id).into(), NodeId::Controller) => 0,
                    Process::Up | Process::Stopping => 1,
                    Process::Frozen => 2,
                    Process::Killed | Process::Stopped => 3,
                };
                sort::by_key(&mut all, rank);
                all
            }
            set => set.to_vec(),
        }
    }

    /// The client of this name, made by `make` if there is none or its process has ended.
    pub(super) fn client(
        &mut self,
        name: &Rc<str>,
        make: impl FnOnce(ClientId) -> Kind,
    ) -> ClientId {
        if let Some(at) = self.clients.iter().position(|c| c.name == *name) {
            let (id, client) = (ClientId(at as u16), &mut self.clients[at]);
            if client.life != Life::Running {
                client.kind = make(id);
                client.life = Life::Running;
                client.before += 1;
                client.app = Application::default();
            }
            return id;
        }
        let id = ClientId(self.clients.len() as u16);
        self.clients.push(ClientNode {
            name: name.clone(),
            kind: make(id),
            last: None,
            life: Life::Running,
            before: 0,
            app: Application::default(),
        });
        id
    }

    /// Why there is no client of this name to take a command.
    pub(super) fn no_client(&self, name: &Rc<str>) -> Refusal {
        let client = name.clone();
        match self.clients.iter().find(|c| c.name == *name) {
            None => Refusal::NoSuchClient(client),
            Some(c) if c.life != Life::Running => Refusal::Ended {
                client,
                crashed: c.life == Life::Crashed,
            },
            Some(c) => Refusal::OtherKind {
                client,
                producer: matches!(c.kind, Kind::Producer(_)),
            },
        }
    }

    /// A client whose process runs.
    pub(super) fn kind(&mut self, id: ClientId) -> Option<&mut Kind> {
        let client = self.clients.get_mut(id.0 as usize)?;
        (client.life == Life::Running).then_some(&mut client.kind)
    }

    /// A broker's process has ended: clients see the connection break, also at rest.
    pub(super) fn tell_clients_gone(&mut self, broker: BrokerId, cause: Cause) {
        for at in 0..self.clients.len() {
            let mut out = self.out(cause);
            match self.kind(ClientId(at as u16)) {
                Some(Kind::Producer(p)) => p.broker_gone(broker, &mut out),
                Some(Kind::Consumer(c)) => c.broker_gone(broker, &mut out),
                Some(Kind::Tool(t)) => t.broker_gone(broker, &mut out),
                Some(Kind::Raw(_)) | None => {}
            }
            self.take(out);
            self.collect(ClientId(at as u16));
        }
    }

    pub(super) fn producer(
        &mut self,
        name: &Rc<str>,
        settings: ProducerSettings,
    ) -> Result<ClientId, Refusal> {
        let bootstrap = self.bootstrap(&settings.bootstrap);
        let new = !self.clients.iter().any(|c| c.name == *name);
        let id = self.client(name, |id| {
            // Producer ids are given out in order; a new one for each producer (R-IDM-5).
            Kind::Producer(Box::new(Producer::new(
                id,
                settings,
                bootstrap,
                i64::from(id.0),
            )))
        });
        // It will find no connection to brokers that are down.
        let down: Vec<BrokerId> = self
            .machines
            .iter()
            .filter(|(_, m)| m.broker().is_none())
            .map(|(b, _)| *b)
            .collect();
        let mut out = self.out(Cause::default());
        if new && let Some(Kind::Producer(p)) = self.kind(id) {
            for broker in down {
                p.broker_gone(broker, &mut out);
            }
        }
        self.take(out);
        match self.kind(id) {
            Some(Kind::Producer(_)) => Ok(id),
            _ => Err(self.no_client(name)),
        }
    }

    pub(super) fn command_client(
        &mut self,
        ticket: Ticket,
        command: &Command,
    ) -> Result<(), Refusal> {
        let mut of = None;
        match command {
            Command::Producer { client, settings } => {
                let id = self.producer(client, settings.clone())?;
                if let Some(Kind::Producer(p)) = self.kind(id) {
                    p.set_settings(settings.clone());
                }
            }
            Command::Produce {
                client,
                partition,
                records,
            } => {
                let tp = self.tp(partition)?;
                let id = self.producer(client, ProducerSettings::default())?;
                let mut records = records.clone();
                self.stamp_time(&mut records);
                let mut out = self.out(Cause::default());
                if let Some(Kind::Producer(p)) = self.kind(id) {
                    p.send(ticket.0, tp, records, &mut out);
                }
                self.take(out);
                self.collect(id);
                of = Some(id);
            }
            Command::ProduceRaw {
                client,
                broker,
                partition,
                records,
                acks,
                timeout,
                stamp,
            } => {
                let tp = self.tp(partition)?;
                self.known(*broker)?;
                let mut records = records.clone();
                self.stamp_time(&mut records);
                let values: Vec<_> = records.iter().map(|r| r.value.clone()).collect();
                let id = self.client(client, |_| Kind::Raw(Raw::default()));
                let now = self.now;
                let Some(Kind::Raw(raw)) = self.kind(id) else {
                    return Err(self.no_client(client));
                };
                let place = raw.sends.len() as u32;
                let count = values.len() as u32;
                raw.sends.push(RawSend {
                    tp,
                    broker: *broker,
                    values: values.clone(),
                    acks: *acks,
                    at: now,
                    answer: None,
                });
                let sent = EventKind::ProduceSent {
                    client: id,
                    broker: *broker,
                    tp,
                    values,
                    acks: *acks,
                    attempt: 1,
                };
                let cause = self.note(sent);
                let batch = NewBatch {
                    stamp: *stamp,
                    ..NewBatch::plain(records)
                };
                let body = Body::Produce {
                    tp,
                    batch,
                    transactional_id: None,
                    acks: *acks,
                    timeout: *timeout,
                };
                self.write(
                    ticket,
                    id,
                    *broker,
                    body,
                    Asked::Produce(place, count),
                    cause,
                );
                if *acks == Acks::None {
                    self.replies
                        .insert(ticket, Reply::Produced(vec![None; count as usize]));
                    if let Some(Kind::Raw(raw)) = self.kind(id)
                        && let Some(send) = raw.sends.get_mut(place as usize)
                    {
                        send.answer = Some((now, Ok(None)));
                    }
                }
                of = Some(id);
            }
            Command::Assign {
                client,
                partitions,
                seek,
                settings,
            } => {
                let tps = partitions
                    .iter()
                    .map(|p| self.tp(p))
                    .collect::<Result<Vec<_>, _>>()?;
                let id = self.consumer(client, settings, false)?;
                let mut out = self.out(Cause::default());
                if let Some(Kind::Consumer(c)) = self.kind(id) {
                    c.assign(&tps, *seek, &mut out);
                }
                self.take(out);
                self.collect(id);
                self.replies.insert(ticket, Reply::Done);
                of = Some(id);
            }
            Command::Poll { client, timeout } => {
                let id = self.running_consumer(client)?;
                let mut out = self.out(Cause::default());
                if let Some(Kind::Consumer(c)) = self.kind(id) {
                    c.poll(ticket.0, *timeout, &mut out);
                }
                self.take(out);
                self.collect(id);
                of = Some(id);
            }
            Command::FetchRaw {
                client,
                broker,
                partition,
                offset,
                rack,
                current_leader_epoch,
            } => {
                let tp = self.tp(partition)?;
                self.known(*broker)?;
                let id = self.client(client, |_| Kind::Raw(Raw::default()));
                let asker = Asker::Consumer {
                    rack: rack.clone(),
                    modern: true,
                    read_committed: false,
                };
                let part = FetchPart {
                    tp,
                    offset: *offset,
                    log_start: Boundary(0),
                    current_leader_epoch: *current_leader_epoch,
                    last_fetched_epoch: None,
                };
                let request = FetchRequest {
                    asker,
                    parts: vec![part],
                    max_wait: Ms(0),
                    max_bytes: 1_048_576,
                    min_records: 0,
                };
                self.write(
                    ticket,
                    id,
                    *broker,
                    Body::Fetch(request),
                    Asked::Other,
                    Cause::default(),
                );
                of = Some(id);
            }
            Command::ListOffsets {
                client,
                partition,
                spec,
                isolation,
            } => {
                let tp = self.tp(partition)?;
                let body = Body::ListOffsets {
                    tp,
                    spec: *spec,
                    isolation: *isolation,
                    current_leader_epoch: None,
                };
                of = self.ask_leader(ticket, client, tp, body, Asked::Other);
            }
            _ => {}
        }
        if let Some(client) = of.and_then(|id| self.clients.get_mut(id.0 as usize)) {
            client.last = Some(ticket);
        }
        Ok(())
    }

    fn stamp_time(&self, records: &mut [crate::kafka::batch::NewRecord]) {
        for record in records {
            if record.timestamp == Ms(0) {
                record.timestamp = self.now;
            }
        }
    }

    /// Writes a request straight to a broker.
    pub(super) fn write(
        &mut self,
        ticket: Ticket,
        id: ClientId,
        broker: BrokerId,
        body: Body,
        asked: Asked,
        cause: Cause,
    ) {
        let mut out = self.out(cause);
        let correlation = out.request(NodeId::Client(id), NodeId::Broker(broker), body, cause);
        if let Some(Kind::Raw(raw)) = self.kind(id) {
            raw.open.insert(correlation, (ticket, asked));
        }
        self.take(out);
    }

    /// Writes a request to the leader that the controller names; fails at once if there is none.
    pub(super) fn ask_leader(
        &mut self,
        ticket: Ticket,
        name: &Rc<str>,
        tp: Tp,
        body: Body,
        asked: Asked,
    ) -> Option<ClientId> {
        let id = self.client(name, |_| Kind::Raw(Raw::default()));
        match self
            .controller
            .image()
            .partitions
            .get(&tp)
            .and_then(|reg| reg.leader)
        {
            Some(leader) => self.write(ticket, id, leader, body, asked, Cause::default()),
            None => {
                self.replies
                    .insert(ticket, Reply::Failed(KafkaError::LeaderNotAvailable, None));
            }
        }
        Some(id)
    }

    pub(super) fn client_handles(&mut self, id: ClientId, message: &Message, mut out: Out) {
        match self.kind(id) {
            Some(Kind::Producer(p)) => p.handle(message, &mut out),
            Some(Kind::Consumer(c)) => c.handle(message, &mut out),
            Some(Kind::Tool(t)) => t.handle(message, &mut out),
            Some(Kind::Raw(_)) => {
                self.take(out);
                self.raw_answered(id, message);
                return;
            }
            None => {}
        }
        self.take(out);
        self.collect(id);
    }

    pub(super) fn client_reminded(&mut self, id: ClientId, timer: &Timer, mut out: Out) {
        let Timer::Client { what, .. } = timer else {
            return;
        };
        match self.kind(id) {
            Some(Kind::Producer(p)) => p.timer(what, &mut out),
            Some(Kind::Consumer(c)) => c.timer(what, &mut out),
            Some(Kind::Tool(t)) => t.timer(&mut out),
            Some(Kind::Raw(_)) => {
                self.take(out);
                return self.raw_reminded(id);
            }
            None => {}
        }
        self.take(out);
        self.collect(id);
    }

    /// Takes the outcomes a client has ready.
    pub(super) fn collect(&mut self, id: ClientId) {
        let mut replies = Vec::new();
        match self.kind(id) {
            Some(Kind::Producer(p)) => {
                for (tag, sent) in p.done() {
                    let reply = match sent {
                        Ok(offsets) => Reply::Produced(offsets),
                        Err((error, leader)) => Reply::Failed(error, leader),
                    };
                    replies.push((Ticket(tag), reply));
                }
                for (tag, result) in p.calls() {
                    replies.push((Ticket(tag), Reply::Transaction(result)));
                }
            }
            Some(Kind::Consumer(c)) => {
                let done = c.done();
                let calls = c.calls();
                for (tag, result) in calls {
                    replies.push((Ticket(tag), self.call_reply(id, result)));
                }
                for (_, polled) in &done {
                    self.polled(id, polled);
                }
                self.reached_by(id);
                for (tag, polled) in done {
                    let records = polled
                        .records
                        .into_iter()
                        .map(|(tp, offset, epoch, key, value)| {
                            (
                                self.partition_name(tp),
                                ReadRecord {
                                    offset,
                                    epoch,
                                    key,
                                    value,
                                },
                            )
                        })
                        .collect();
                    let positions = polled
                        .positions
                        .into_iter()
                        .map(|(tp, at)| (self.partition_name(tp), at))
                        .collect();
                    let exception = polled.exception;
                    let preferred_read_replica = polled.preferred_read_replica;
                    let reply = Reply::Polled {
                        records,
                        positions,
                        preferred_read_replica,
                        exception,
                    };
                    replies.push((Ticket(tag), reply));
                }
            }
            Some(Kind::Tool(t)) => {
                let ended = t.done().into_iter();
                replies.extend(ended.map(|(tag, outcome)| (Ticket(tag), Reply::Reset(outcome))));
            }
            _ => {}
        }
        self.replies.extend(replies);
    }

    fn raw_answered(&mut self, id: ClientId, message: &Message) {
        let now = self.now;
        let Some(Kind::Raw(raw)) = self.kind(id) else {
            return;
        };
        let Some((ticket, asked)) = raw.open.remove(&message.correlation) else {
            return;
        };
        let reply = match &message.body {
            Body::ProduceAnswer {
                result: Ok(base), ..
            } => {
                let count = match asked {
                    Asked::Produce(_, count) => i64::from(count),
                    Asked::Other => 1,
                };
                Reply::Produced((0..count).map(|i| Some(Offset(base.0 + i))).collect())
            }
            Body::ProduceAnswer {
                result: Err(error),
                current_leader,
                ..
            } => Reply::Failed(*error, *current_leader),
            Body::FetchAnswer(parts) => match parts.first() {
                Some(FetchedPart {
                    offset,
                    result: Ok(f),
                    ..
                }) => Reply::Fetched {
                    high_watermark: f.high_watermark,
                    last_stable: f.last_stable,
                    log_start: f.log_start,
                    preferred_read_replica: f.preferred_read_replica,
                    records: read_records(&f.batches, *offset),
                },
                Some(FetchedPart {
                    result: Err(error), ..
                }) => Reply::Failed(*error, None),
                None => return,
            },
            Body::ListOffsetsAnswer { result: Ok(at), .. } => Reply::Offset(*at),
            Body::ListOffsetsAnswer {
                result: Err(error), ..
            } => Reply::Failed(*error, None),
            Body::DeleteRecordsAnswer {
                result: Ok(low), ..
            } => Reply::LowWatermark(*low),
            Body::DeleteRecordsAnswer {
                result: Err(error), ..
            } => Reply::Failed(*error, None),
            Body::TransactionAnswer(TransactionAnswer::Init { result, .. }) => match result {
                Ok(producer) => Reply::Producer(*producer),
                Err(error) => Reply::Failed(*error, None),
            },
            Body::Disconnected => {
                raw.waiting.retain(|waiting| !waiting.is_for(ticket));
                Reply::Failed(KafkaError::NetworkException, None)
            }
            Body::GroupAnswer(_) => {
                if let Some(reply) = self.group_replied(id, ticket, message) {
                    self.replies.insert(ticket, reply);
                }
                return;
            }
            _ => return,
        };
        if let Asked::Produce(place, _) = asked
            && let Some(send) = raw.sends.get_mut(place as usize)
            && send.answer.is_none()
        {
            let result = match &reply {
                Reply::Produced(offsets) => Ok(offsets.first().copied().flatten()),
                Reply::Failed(error, _) => Err(*error),
                _ => Ok(None),
            };
            send.answer = Some((now, result));
            let outcome = result.map_or_else(Outcome::Failed, Outcome::Confirmed);
            let (tp, values, acks) = (send.tp, send.values.clone(), send.acks);
            let mut out = self.out(message.cause);
            out.emit(EventKind::ProduceDone {
                client: id,
                tp,
                values,
                acks,
                attempts: 1,
                outcome,
            });
            self.take(out);
        }
        // Under acks=0 the reply stands already.
        self.replies.entry(ticket).or_insert(reply);
    }
}
