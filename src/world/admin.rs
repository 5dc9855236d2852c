//! What an administrator does. Requests to the controller are carried out at once; those to a
//! leader travel like a client's.

use super::World;
use super::client_node::Asked;
use super::command::{Command, PartitionName, Refusal, Reply, Ticket};
use crate::kafka::config::TopicConfig;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Cause, EventKind};
use crate::kafka::ids::*;
use crate::kafka::message::Body;
use std::rc::Rc;

impl World {
    pub(super) fn administer(&mut self, ticket: Ticket, command: &Command) -> Result<(), Refusal> {
        match command {
            Command::CreateTopic {
                name,
                assignment,
                config,
            } => {
                let mut settings = TopicConfig::default();
                for (key, value) in config {
                    settings.set(key, Some(value)).map_err(Refusal::Config)?;
                }
                for id in assignment.iter().flatten() {
                    self.known(*id)?;
                }
                let mut out = self.out(Cause::default());
                let result = self
                    .controller
                    .create_topic(name, assignment, settings, &mut out);
                self.take(out);
                self.admin_reply(ticket, name, result.map(|_| Reply::Done));
            }
            Command::AlterTopicConfig { topic, name, value } => {
                let id = self.controller.image().topic(topic).ok_or_else(|| {
                    Refusal::NoSuchPartition(PartitionName {
                        topic: topic.clone(),
                        partition: 0,
                    })
                })?;
                let what = topic.clone();
                let cause = self.note(EventKind::ConfigChanged {
                    what,
                    name: name.clone(),
                    value: value.clone(),
                });
                let mut out = self.out(cause);
                let result =
                    self.controller
                        .alter_topic_config(id, name, value.as_deref(), &mut out);
                self.take(out);
                result.map_err(Refusal::Config)?;
                self.replies.insert(ticket, Reply::Done);
            }
            Command::AlterBrokerConfig {
                broker,
                name,
                value,
            } => {
                self.known(*broker)?;
                let what = format!("broker {broker}").into();
                let cause = self.note(EventKind::ConfigChanged {
                    what,
                    name: name.clone(),
                    value: value.clone(),
                });
                let mut out = self.out(cause);
                let result =
                    self.controller
                        .alter_broker_config(*broker, name, value.as_deref(), &mut out);
                self.take(out);
                result.map_err(Refusal::Config)?;
                self.replies.insert(ticket, Reply::Done);
            }
            Command::ElectLeaders {
                unclean,
                partitions,
            } => {
                let asked = match partitions {
                    Some(names) => Some(
                        names
                            .iter()
                            .map(|n| self.tp(n))
                            .collect::<Result<Vec<_>, _>>()?,
                    ),
                    None => None,
                };
                let mut out = self.out(Cause::default());
                let results = self
                    .controller
                    .elect_leaders(*unclean, asked.as_deref(), &mut out);
                self.take(out);
                let name = |tp: Tp| self.partition_name(tp);
                let named = results.into_iter().map(|(tp, r)| (name(tp), r)).collect();
                self.replies.insert(ticket, Reply::Elected(named));
            }
            Command::Reassign {
                partition,
                replicas,
            } => {
                let tp = self.tp(partition)?;
                let mut out = self.out(Cause::default());
                let result = self.controller.reassign(tp, replicas.as_deref(), &mut out);
                self.take(out);
                let what = format!("{}-{}", partition.topic, partition.partition).into();
                self.admin_reply(ticket, &what, result.map(|()| Reply::Done));
            }
            Command::DeleteRecords {
                partition,
                before,
                timeout,
            } => {
                let tp = self.tp(partition)?;
                let body = Body::DeleteRecords {
                    tp,
                    before: *before,
                    timeout: *timeout,
                };
                let admin: Rc<str> = "admin".into();
                self.ask_leader(ticket, &admin, tp, body, Asked::Other);
            }
            _ => {}
        }
        Ok(())
    }

    fn admin_reply(&mut self, ticket: Ticket, what: &Rc<str>, result: Result<Reply, KafkaError>) {
        let reply = match result {
            Ok(reply) => reply,
            Err(error) => {
                self.note(EventKind::AdminRefused {
                    what: what.clone(),
                    error,
                });
                Reply::Failed(error, None)
            }
        };
        self.replies.insert(ticket, reply);
    }

    /// A partition by the name of its topic.
    pub(super) fn partition_name(&self, tp: Tp) -> PartitionName {
        let topic = self
            .controller
            .image()
            .topic_reg(tp.topic)
            .map_or_else(|| "?".into(), |t| t.name.clone());
        PartitionName {
            topic,
            partition: tp.partition,
        }
    }
}
