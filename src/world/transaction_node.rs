//! Transactional producers.

use super::World;
use super::client_node::{Asked, Kind, Raw};
use super::command::{Command, Refusal, Reply, Ticket};
use super::consumer_node::Life;
use crate::kafka::client::producer::ProducerState;
use crate::kafka::event::Cause;
use crate::kafka::group::TRANSACTION_TOPIC;
use crate::kafka::group::partition_for;
use crate::kafka::ids::*;
use crate::kafka::message::Body;
use crate::kafka::transaction::message::TransactionRequest;
use std::rc::Rc;

impl World {
    /// Why a story cannot make this call: Kafka's producer would throw IllegalStateException out
    /// of it, and the story would go on as if it had been made. Errors of Kafka's (R-TXN-5,
    /// R-TXN-6, R-TXN-7) are events, not this.
    pub fn out_of_turn(&self, command: &Command) -> Option<Refusal> {
        use ProducerState::*;
        let (client, may): (_, &[ProducerState]) = match command {
            Command::InitTransactions { client } => (client, &[Uninitialized, Initializing]),
            Command::BeginTransaction { client } => (client, &[Ready]),
            Command::EndTransaction { client, commit } => match commit {
                true => (client, &[InTransaction, Committing]),
                false => (client, &[InTransaction, Aborting]),
            },
            Command::SendOffsets { client, .. } => (client, &[InTransaction]),
            _ => return None,
        };
        let node = self.clients.iter().find(|c| c.name == *client)?;
        let Kind::Producer(producer) = &node.kind else {
            return None;
        };
        let state = producer.transaction().map(|(_, state)| state);
        let fine = |s| may.contains(&s) || matches!(s, AbortableError | FatalError);
        let illegal = node.life == Life::Running && !state.is_some_and(fine);
        illegal.then(|| Refusal::OutOfTurn {
            client: client.clone(),
            state,
        })
    }

    pub(super) fn command_transaction(
        &mut self,
        ticket: Ticket,
        command: &Command,
    ) -> Result<(), Refusal> {
        let tag = ticket.0;
        let mut out = self.out(Cause::default());
        let id = match command {
            Command::InitTransactions { client } => {
                let (id, producer) = self.transactional(client)?;
                producer.init_transactions(tag, &mut out);
                id
            }
            Command::BeginTransaction { client } => {
                let (id, producer) = self.transactional(client)?;
                let result = producer.begin_transaction(&mut out);
                self.replies.insert(ticket, Reply::Transaction(result));
                id
            }
            Command::EndTransaction { client, commit } => {
                let (id, producer) = self.transactional(client)?;
                producer.end_transaction(tag, *commit, &mut out);
                id
            }
            Command::SendOffsets {
                client,
                group,
                member,
                offsets,
            } => {
                let mut parts = Vec::with_capacity(offsets.len());
                for (name, committed) in offsets {
                    parts.push((self.tp(name)?, committed.clone()));
                }
                let (id, producer) = self.transactional(client)?;
                producer.send_offsets(tag, group.clone(), member.clone(), parts, &mut out);
                id
            }
            Command::InitProducerRaw {
                client,
                transactional_id,
                timeout,
            } => return self.init_producer_raw(ticket, client, transactional_id, *timeout),
            _ => return Err(Refusal::WrongMode),
        };
        self.take(out);
        self.collect(id);
        if let Some(client) = self.clients.get_mut(id.0 as usize) {
            client.last = Some(ticket);
        }
        Ok(())
    }

    fn transactional(
        &mut self,
        name: &Rc<str>,
    ) -> Result<(ClientId, &mut crate::kafka::client::producer::Producer), Refusal> {
        let at = self.clients.iter().position(|c| c.name == *name);
        let id = at.map(|at| ClientId(at as u16));
        let refusal = self.no_client(name);
        match id.and_then(|id| Some((id, self.kind(id)?))) {
            Some((id, Kind::Producer(producer))) => Ok((id, producer)),
            _ => Err(refusal),
        }
    }

    /// Written to the coordinator as the controller knows it; without a transactional id to the
    /// first broker that runs.
    fn init_producer_raw(
        &mut self,
        ticket: Ticket,
        name: &Rc<str>,
        transactional_id: &Option<Rc<str>>,
        timeout: Ms,
    ) -> Result<(), Refusal> {
        let image = self.controller.image();
        let partition = transactional_id.as_deref().map(partition_for);
        let leader = partition.and_then(|partition| {
            let topic = image.topic(TRANSACTION_TOPIC)?;
            image.partitions.get(&Tp { topic, partition })?.leader
        });
        let broker = leader.or_else(|| self.bootstrap(&[]).first().copied());
        let body = Body::Transaction(TransactionRequest::InitProducer {
            transactional_id: transactional_id.clone(),
            timeout,
            current: None,
        });
        let id = self.client(name, |_| Kind::Raw(Raw::default()));
        if !matches!(self.kind(id), Some(Kind::Raw(_))) {
            return Err(self.no_client(name));
        }
        if let Some(broker) = broker {
            self.write(ticket, id, broker, body, Asked::Other, Cause::default());
        }
        if let Some(client) = self.clients.get_mut(id.0 as usize) {
            client.last = Some(ticket);
        }
        Ok(())
    }
}
