//! Commands to consumers.

use super::World;
use super::application::Application;
use super::call::Seek;
use super::client_node::Kind;
use super::command::{Command, PartitionName, Refusal, Reply, Ticket};
use crate::kafka::client::consumer::{CallResult, Consumer, SeekTo};
use crate::kafka::client::settings::ConsumerSettings;
use crate::kafka::event::{Cause, EventKind};
use crate::kafka::group::message::Committed;
use crate::kafka::ids::*;
use std::rc::Rc;

/// Whether a client's process runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Life {
    /// It runs.
    #[default]
    Running,
    /// It ended in good order.
    Closed,
    /// It ended without a word.
    Crashed,
}

impl World {
    /// The running consumer of this name; a new process if there is none. One that has chosen its
    /// partitions by hand cannot subscribe, nor the other way about (IllegalStateException).
    pub(super) fn consumer(
        &mut self,
        name: &Rc<str>,
        settings: &ConsumerSettings,
        subscribes: bool,
    ) -> Result<ClientId, Refusal> {
        let bootstrap = self.bootstrap(&settings.bootstrap);
        let detect = self.common.switches.consumer_truncation_detection;
        let before = self.clients.iter().find(|c| c.name == *name);
        let process = before.map_or(0, |c| c.before + 1);
        let id = self.client(name, |id| {
            let consumer = Consumer::new(id, settings.clone(), bootstrap);
            let consumer = consumer.detect_truncation(detect);
            Kind::Consumer(Box::new(consumer.named(name, process)))
        });
        match self.kind(id) {
            Some(Kind::Consumer(c))
                if c.assignment().is_empty() || c.is_subscribed() == subscribes =>
            {
                c.set_settings(settings.clone());
                Ok(id)
            }
            Some(Kind::Consumer(_)) => Err(Refusal::OtherAssignment {
                client: name.clone(),
                subscribed: !subscribes,
            }),
            _ => Err(self.no_client(name)),
        }
    }

    /// The consumer of this name whose process runs.
    pub(super) fn running_consumer(&mut self, name: &Rc<str>) -> Result<ClientId, Refusal> {
        let at = self.clients.iter().position(|c| c.name == *name);
        at.map(|at| ClientId(at as u16))
            .filter(|id| matches!(self.kind(*id), Some(Kind::Consumer(_))))
            .ok_or_else(|| self.no_client(name))
    }

    /// What a consumer's call came to.
    pub(super) fn call_reply(&mut self, id: ClientId, result: CallResult) -> Reply {
        match result {
            CallResult::Committed(result) => Reply::Committed(result),
            CallResult::Offsets(result) => Reply::Offsets(result.map(|all| {
                all.into_iter()
                    .map(|(tp, committed)| (self.partition_name(tp), committed))
                    .collect()
            })),
            CallResult::Closed => {
                if let Some(client) = self.clients.get_mut(id.0 as usize) {
                    client.life = Life::Closed;
                }
                Reply::Done
            }
        }
    }

    /// A partition of a known topic, whether it exists or not: that is for the broker to say.
    fn any_partition(&self, name: &PartitionName) -> Result<Tp, Refusal> {
        let topic = self.controller.image().topic(&name.topic);
        topic
            .map(|topic| Tp {
                topic,
                partition: name.partition,
            })
            .ok_or_else(|| Refusal::NoSuchPartition(name.clone()))
    }

    pub(super) fn command_consumer(
        &mut self,
        ticket: Ticket,
        command: &Command,
    ) -> Result<(), Refusal> {
        let id = match command {
            Command::Subscribe {
                client,
                topics,
                settings,
            } => {
                if settings.group.is_none() {
                    return Err(Refusal::NoGroup(client.clone()));
                }
                let image = self.controller.image();
                let known = topics.iter().map(|name| {
                    image.topic(name).ok_or_else(|| {
                        Refusal::NoSuchPartition(PartitionName {
                            topic: name.clone(),
                            partition: 0,
                        })
                    })
                });
                let topics = known.collect::<Result<Vec<TopicId>, Refusal>>()?;
                let id = self.consumer(client, settings, true)?;
                self.tell_consumer(id, |c, out| c.subscribe(&topics, out));
                self.replies.insert(ticket, Reply::Done);
                id
            }
            Command::Seek {
                client,
                partition,
                to,
            } => {
                let tp = self.tp(partition)?;
                let id = self.running_consumer(client)?;
                let to = match to {
                    Seek::Offset(at) => SeekTo::Offset(*at),
                    Seek::Beginning => SeekTo::Beginning,
                    Seek::End => SeekTo::End,
                    Seek::Outside => {
                        let store = self.stores.get(&self.store_name(id));
                        let saved = store.and_then(|s| s.outside.get(&tp));
                        saved.map_or(SeekTo::Beginning, |at| SeekTo::Offset(*at))
                    }
                };
                let mut is_assigned = true;
                self.tell_consumer(id, |c, out| is_assigned = c.seek(tp, to, out));
                if !is_assigned {
                    return Err(not_assigned(client, partition));
                }
                self.replies.insert(ticket, Reply::Done);
                id
            }
            Command::Pause {
                client,
                partitions,
                paused,
            } => {
                let id = self.running_consumer(client)?;
                let mut tps = Vec::new();
                for name in partitions {
                    let tp = self.tp(name)?;
                    if !self.assignment(id).contains(&tp) {
                        return Err(not_assigned(client, name));
                    }
                    tps.push(tp);
                }
                self.tell_consumer(id, |c, _| c.pause(&tps, *paused));
                self.replies.insert(ticket, Reply::Done);
                id
            }
            Command::Commit {
                client,
                offsets,
                mode,
            } => {
                let id = self.running_consumer(client)?;
                let named = |(name, committed): &(PartitionName, Committed)| {
                    Ok((self.any_partition(name)?, committed.clone()))
                };
                let offsets = match offsets {
                    Some(all) => Some(all.iter().map(named).collect::<Result<Vec<_>, Refusal>>()?),
                    None => None,
                };
                if let (Some(offsets), Some(Kind::Consumer(c))) = (&offsets, self.kind(id))
                    && let Some(group) = c.settings().group.clone()
                {
                    self.set_by_hand(&group, offsets);
                }
                self.tell_consumer(id, |c, out| c.commit(ticket.0, offsets, *mode, out));
                id
            }
            Command::Committed { client, partitions } => {
                let id = self.running_consumer(client)?;
                let tps = partitions.iter().map(|name| self.any_partition(name));
                let tps = tps.collect::<Result<Vec<_>, Refusal>>()?;
                self.tell_consumer(id, |c, out| c.ask_committed(ticket.0, tps, out));
                id
            }
            Command::Close { client } => {
                let id = self.running_consumer(client)?;
                self.tell_consumer(id, |c, out| c.close(ticket.0, out));
                id
            }
            Command::Crash { client } => {
                let at = self.clients.iter().position(|c| c.name == *client);
                let id = at.map(|at| ClientId(at as u16));
                let id = id.filter(|id| self.kind(*id).is_some());
                let id = id.ok_or_else(|| self.no_client(client))?;
                self.crash_client(id);
                self.replies.insert(ticket, Reply::Done);
                id
            }
            Command::Process {
                client,
                partition,
                next,
            } => {
                let tp = self.tp(partition)?;
                let id = self.running_consumer(client)?;
                self.process_records(id, partition, tp, *next)?;
                self.replies.insert(ticket, Reply::Done);
                id
            }
            Command::SaveOutside {
                client,
                partition,
                next,
            } => {
                let tp = self.tp(partition)?;
                let id = self.running_consumer(client)?;
                self.save_outside(id, partition, tp, *next)?;
                self.replies.insert(ticket, Reply::Done);
                id
            }
            _ => return Err(Refusal::WrongMode),
        };
        if let Some(client) = self.clients.get_mut(id.0 as usize) {
            client.last = Some(ticket);
        }
        Ok(())
    }

    /// A call of the application to its consumer.
    fn tell_consumer(
        &mut self,
        id: ClientId,
        call: impl FnOnce(&mut Consumer, &mut crate::kafka::out::Out),
    ) {
        let mut out = self.out(Cause::default());
        if let Some(Kind::Consumer(c)) = self.kind(id) {
            call(c, &mut out);
        }
        self.take(out);
        self.collect(id);
    }

    fn assignment(&mut self, id: ClientId) -> Vec<Tp> {
        match self.kind(id) {
            Some(Kind::Consumer(c)) => c.assignment(),
            _ => Vec::new(),
        }
    }

    fn crash_client(&mut self, id: ClientId) {
        let Some(client) = self.clients.get_mut(id.0 as usize) else {
            return;
        };
        client.life = Life::Crashed;
        // What the application had in hand is gone with it; what it brought about is not.
        client.app = Application::default();
        if matches!(client.kind, Kind::Consumer(_)) {
            self.note(EventKind::ConsumerCrashed { client: id });
        }
    }

    /// Why the application has nothing of a partition.
    pub(super) fn nothing_in_hand(
        &mut self,
        id: ClientId,
        partition: &PartitionName,
        tp: Tp,
    ) -> Refusal {
        match self.clients.get(id.0 as usize).map(|c| c.name.clone()) {
            Some(client) if !self.assignment(id).contains(&tp) => not_assigned(&client, partition),
            _ => self.not_received(id, partition, None),
        }
    }

    pub(super) fn not_received(
        &self,
        id: ClientId,
        partition: &PartitionName,
        position: Option<Boundary>,
    ) -> Refusal {
        let client = self.clients.get(id.0 as usize);
        Refusal::NotReceived {
            client: client.map_or_else(|| "".into(), |c| c.name.clone()),
            partition: partition.clone(),
            position,
        }
    }
}

fn not_assigned(client: &Rc<str>, partition: &PartitionName) -> Refusal {
    Refusal::NotAssigned {
        client: client.clone(),
        partition: partition.clone(),
    }
}
