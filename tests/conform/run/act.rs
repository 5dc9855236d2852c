//! What a step does: each op of a script as commands to the world.

use super::super::script::{Op, Script, Step};
use super::answers::{answer, error};
use super::{Job, Player, not_taken};
use highwater::kafka::client::settings::{ConsumerSettings, ProducerSettings};
use highwater::kafka::error::KafkaError;
use highwater::kafka::ids::{BrokerId, Ms};
use highwater::kafka::message::NodeId;
use highwater::world::command::{Command, Keep, PartitionName, Process, Refusal, Reply};
use serde_json::{Map, Value, json};

impl Player {
    pub(super) fn act(&mut self, script: &Script, step: &Step) -> Result<Option<Value>, String> {
        match &step.op {
            Op::Describe(topic) => {
                self.create(script, topic)?;
                Ok(None)
            }
            Op::Produce {
                client,
                settings,
                partition,
                records,
            } => {
                // The settings of the step, and the addresses of when it was first used.
                let known = self.producers.get(client);
                let settings = ProducerSettings {
                    bootstrap: known.map_or_else(|| self.bootstrap(), |s| s.bootstrap.clone()),
                    ..settings.clone()
                };
                if known != Some(&settings) {
                    self.producers.insert(client.clone(), settings.clone());
                    self.apply(Command::Producer {
                        client: client.clone(),
                        settings,
                    })?;
                }
                let spacing = step.spacing.0;
                let limit = 2_500 + spacing * records.len() as i64;
                self.produce(step, client, partition, records, None, limit)
            }
            Op::ProduceRaw {
                client,
                broker,
                acks,
                timeout,
                partition,
                records,
            } => {
                let raw = Some((*broker, *acks, *timeout));
                self.produce(step, client, partition, records, raw, 1_500)
            }
            Op::Kill(b) => {
                self.stopping(*b);
                let (broker, keep) = (*b, Keep::Everything);
                self.done(Command::Kill { broker, keep })
            }
            Op::Freeze(b) => self.done(Command::Freeze { broker: *b }),
            Op::Thaw(b) => {
                self.cut.remove(&b.0);
                self.done(Command::Thaw { broker: *b })
            }
            Op::Start(b) => {
                let stopping =
                    |p: &mut Self| (p.process(*b) != Some(Process::Stopping)).then_some(());
                self.until(400_000, stopping);
                self.cut.remove(&b.0);
                self.done(Command::Start { broker: *b })
            }
            Op::Shutdown(b) => {
                self.stopping(*b);
                self.apply(Command::Shutdown { broker: *b })?;
                let limit = step.give_up.map_or(15_000, |ms| ms.0);
                let gone = |p: &mut Self| (p.process(*b) == Some(Process::Stopped)).then_some(());
                let exited = self.until(limit, gone).is_some();
                Ok(Some(json!({ "exited": exited })))
            }
            Op::NewDisk(b) => self.done(Command::NewDisk { broker: *b }),
            Op::Cut(b) => {
                self.cut.insert(b.0);
                let (broker, controller) = (NodeId::Broker(*b), NodeId::Controller);
                for (from, to) in [(broker, controller), (controller, broker)] {
                    self.apply(Command::Cut { from, to })?;
                }
                Ok(None)
            }
            Op::Uncut(b) => {
                self.cut.remove(&b.0);
                let (broker, controller) = (NodeId::Broker(*b), NodeId::Controller);
                for (from, to) in [(broker, controller), (controller, broker)] {
                    self.apply(Command::Heal { from, to })?;
                }
                Ok(None)
            }
            Op::SlowNetwork(b, delay) => self.done(Command::DelayFetchAnswers {
                broker: *b,
                delay: *delay,
            }),
            Op::AlterTopic { topic, name, value } => self.admin(Command::AlterTopicConfig {
                topic: topic.clone(),
                name: name.clone(),
                value: value.clone(),
            }),
            Op::AlterBroker {
                broker,
                name,
                value,
            } => self.admin(Command::AlterBrokerConfig {
                broker: *broker,
                name: name.clone(),
                value: value.clone(),
            }),
            Op::ElectLeaders {
                unclean,
                partitions,
            } => self.elect(*unclean, partitions.clone()),
            Op::Reassign {
                partition,
                replicas,
            } => self.admin(Command::Reassign {
                partition: partition.clone(),
                replicas: replicas.clone(),
            }),
            Op::DeleteRecords { partition, before } => self.answered(
                Command::DeleteRecords {
                    partition: partition.clone(),
                    before: *before,
                    timeout: Ms(8_000),
                },
                40_000,
            ),
            Op::Wait(span) => {
                // Looked at, it is waited out while the state settles.
                if step.after.is_none() {
                    self.advance(span.0);
                }
                Ok(None)
            }
            Op::WaitAnswer(of) => {
                let answer = |p: &mut Self| p.jobs.get(of).and_then(Job::answer);
                let answer = self.until(180_000, answer);
                Ok(Some(answer.unwrap_or(json!({ "pending": true }))))
            }
            Op::Fetch {
                broker,
                partition,
                offset,
                rack,
                current_leader_epoch,
            } => self.answered(
                Command::FetchRaw {
                    client: "fetcher".into(),
                    broker: *broker,
                    partition: partition.clone(),
                    offset: *offset,
                    rack: rack.clone(),
                    current_leader_epoch: *current_leader_epoch,
                },
                3_000,
            ),
            Op::ListOffsets {
                partition,
                spec,
                isolation,
            } => {
                let picture = self.world.picture();
                let leader = picture.partition(partition).and_then(|p| p.reg.leader);
                if leader.is_none() {
                    return Ok(Some(json!({ "error": "LEADER_NOT_AVAILABLE" })));
                }
                self.answered(
                    Command::ListOffsets {
                        client: "lookup".into(),
                        partition: partition.clone(),
                        spec: *spec,
                        isolation: *isolation,
                    },
                    3_000,
                )
            }
            Op::Assign {
                client,
                partitions,
                seek,
                settings,
            } => {
                let settings = ConsumerSettings {
                    bootstrap: self.bootstrap(),
                    ..settings.clone()
                };
                let known = (partitions.clone(), settings.clone());
                self.consumers.insert(client.clone(), known);
                self.done(Command::Assign {
                    client: client.clone(),
                    partitions: partitions.clone(),
                    seek: *seek,
                    settings,
                })
            }
            Op::Seek {
                client,
                partition,
                offset,
            } => match self.consumers.get(client).cloned() {
                Some((partitions, settings)) if partitions == [partition.clone()] => {
                    self.done(Command::Assign {
                        client: client.clone(),
                        partitions,
                        seek: Some(*offset),
                        settings,
                    })
                }
                _ => Err(format!("{client} does not read {partition:?} alone")),
            },
            Op::Poll(client) => self.poll(client, step.poll_for.0),
            Op::Close(client) => {
                self.consumers.remove(client);
                Ok(None)
            }
            Op::Off(off) => self.act_off(script, step, off).map(Some),
        }
    }

    fn done(&mut self, command: Command) -> Result<Option<Value>, String> {
        self.apply(command).map(|_| None)
    }

    fn process(&self, b: BrokerId) -> Option<Process> {
        self.world.picture().broker(b).map(|b| b.process)
    }

    fn stopping(&mut self, b: BrokerId) {
        let image = self.world.picture().controller;
        let epoch = image.brokers.get(&b).map_or(-1, |reg| reg.epoch.0);
        self.epoch_at_stop.insert(b.0, epoch);
    }

    /// An administrator's command: `ok` or an error.
    fn admin(&mut self, command: Command) -> Result<Option<Value>, String> {
        let ticket = match self.world.apply(&command) {
            Ok(applied) => {
                applied.events.iter().for_each(|e| self.note(&e.kind));
                applied.ticket
            }
            Err(Refusal::Config(_)) => {
                return Ok(Some(error(KafkaError::InvalidConfig, None)));
            }
            Err(refusal) => return Err(not_taken(&command, &refusal)),
        };
        let reply = self.reply_within(ticket, 40_000);
        Ok(Some(match reply {
            Reply::Failed(e, _) => error(e, None),
            _ => json!({ "ok": true }),
        }))
    }

    fn answered(&mut self, command: Command, limit: i64) -> Result<Option<Value>, String> {
        let ticket = self.apply(command)?;
        Ok(Some(answer(&self.reply_within(ticket, limit))))
    }

    fn elect(
        &mut self,
        unclean: bool,
        partitions: Option<Vec<PartitionName>>,
    ) -> Result<Option<Value>, String> {
        let all = partitions.is_none();
        let ticket = self.apply(Command::ElectLeaders {
            unclean,
            partitions,
        })?;
        let reply = self.reply_within(ticket, 40_000);
        let Reply::Elected(list) = reply else {
            return Ok(Some(answer(&reply)));
        };
        let mut out = Map::new();
        for (name, result) in list {
            let name = format!("{}-{}", name.topic, name.partition);
            match result {
                Ok(()) => {
                    out.insert(name, "ok".into());
                }
                // The client leaves these out when all were asked for.
                Err(KafkaError::ElectionNotNeeded) if all => {}
                Err(e) => {
                    out.insert(name, error(e, None));
                }
            }
        }
        Ok(Some(json!({ "partitions": out })))
    }
}
