//! Steps of the recorder of offsets, groups and transactions, as commands to the world.

use super::super::observe;
use super::super::script::offsets::{Commit, Off, offsets_of};
use super::super::script::{Script, Step};
use super::words;
use super::{Player, not_taken};
use highwater::kafka::batch::Stamp;
use highwater::kafka::client::settings::ConsumerSettings;
use highwater::kafka::group::message::{Committed, GroupAnswer, MemberRef};
use highwater::kafka::ids::{Boundary, Ms};
use highwater::world::command::{Command, GroupCall, PartitionName, Refusal, Reply, Ticket};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What the recorder of offsets keeps for itself.
#[derive(Default)]
pub struct OneNode {
    /// The moment of virtual time 0, ms since 1970.
    pub start: i64,
    /// Consumers that run, with the time-out of their calls.
    pub consumers: BTreeMap<Rc<str>, ConsumerSettings>,
    /// The application's own progress.
    pub processed: BTreeMap<Rc<str>, BTreeMap<String, i64>>,
    /// Members that are requests by hand: id, generation, who else is in it.
    pub members: BTreeMap<Rc<str>, RawMember>,
    /// Joins without an answer.
    pub joins: BTreeMap<Rc<str>, Ticket>,
    /// Times that steps give to records, ms since 1970.
    pub given: BTreeSet<i64>,
    /// How far each partition of the internal topic was read.
    pub seen: BTreeMap<u16, i64>,
}

/// A member by hand.
#[derive(Clone, Default)]
pub struct RawMember {
    pub id: Rc<str>,
    pub generation: i32,
    pub leads: bool,
    pub all: Vec<Rc<str>>,
}

pub(super) type Done = Result<Value, String>;

/// The time of a call that is answered by a broker sooner or later.
pub(super) const SOON: i64 = 20_000;

impl Player {
    pub(super) fn act_off(&mut self, script: &Script, step: &Step, off: &Off) -> Done {
        self.one.start = script.start;
        self.close_unseen(step, off)?;
        self.beside(script, step, off)?;
        match off {
            Off::Produce {
                client,
                idempotent,
                transactional_id,
                topic,
                partition,
                records,
            } => {
                self.make_producer(client, *idempotent, transactional_id.clone(), None)?;
                self.produce_batches(client, topic, *partition, records)
            }
            Off::Batch(partition, stamp, records) => {
                let id = self.ids.engine(stamp.producer_id);
                let stamp = Stamp {
                    producer_id: id.unwrap_or(stamp.producer_id),
                    ..*stamp
                };
                self.batch(partition, stamp, records)
            }
            Off::InitProducer => self.init_producer(),
            Off::InitTransactions(client, id, timeout) => {
                self.make_producer(client, true, Some(id.clone()), *timeout)?;
                self.transaction(Command::InitTransactions {
                    client: client.clone(),
                })
            }
            Off::Begin(client) => self.transaction(Command::BeginTransaction {
                client: client.clone(),
            }),
            Off::End(client, commit) => self.transaction(Command::EndTransaction {
                client: client.clone(),
                commit: *commit,
            }),
            Off::SendOffsets {
                client,
                group,
                generation,
                consumer,
                offsets,
            } => {
                let mut member = self.sender(group, *generation, consumer.as_deref());
                // Beside its `do` (README): the member's id there is made up.
                if (script.id.as_str(), step.n) == ("o14-txn-consume-produce", 48) {
                    member.id = "a stranger".into();
                }
                self.transaction(Command::SendOffsets {
                    client: client.clone(),
                    group: group.clone(),
                    member,
                    offsets: offsets.clone(),
                })
            }
            Off::Assign(client, settings, partitions) => {
                self.made(client, settings);
                self.plain(Command::Assign {
                    client: client.clone(),
                    partitions: partitions.clone(),
                    seek: None,
                    settings: ConsumerSettings::clone(settings),
                })
            }
            Off::Subscribe(client, settings, topics) => {
                self.made(client, settings);
                self.plain(Command::Subscribe {
                    client: client.clone(),
                    topics: topics.clone(),
                    settings: ConsumerSettings::clone(settings),
                })
            }
            Off::Seek(client, partition, at) => {
                let sought = self.plain(Command::Seek {
                    client: client.clone(),
                    partition: partition.clone(),
                    to: highwater::world::command::Seek::Offset(*at),
                })?;
                // The recorder of offsets asked for the commit beside some of its seeks.
                let asked = step
                    .result
                    .as_ref()
                    .is_some_and(|r| r.get("committed").is_some());
                match asked {
                    true => self.committed_beside(step, client),
                    false => Ok(sought),
                }
            }
            Off::Poll(client) => self.poll_one(step, client),
            Off::PollAll(clients) => self.poll_in_turn(step, clients),
            Off::Commit(client, what) => self.commit(client, what),
            Off::AdminCommit(group, offsets) => {
                self.admin_commit(group, offsets.clone(), MemberRef::none())
            }
            Off::GroupsCommit(groups) => self.groups_commit(groups),
            Off::RawCommit {
                group,
                member,
                generation,
                instance,
                offsets,
            } => {
                let id = self.member_id(step, member);
                let member = MemberRef {
                    id,
                    generation: *generation,
                    instance: instance.clone(),
                };
                self.admin_commit(group, offsets.clone(), member)
            }
            Off::Committed(client) => self.committed(step, client),
            Off::Process(client, partition, next) => {
                let own = self.one.processed.entry(client.clone()).or_default();
                own.insert(observe::name(partition), next.0);
                self.plain(Command::Process {
                    client: client.clone(),
                    partition: partition.clone(),
                    next: *next,
                })
            }
            Off::Close(client) => {
                self.one.consumers.remove(client);
                let client = client.clone();
                self.plain(Command::Close { client })
            }
            Off::Crash(client) => {
                self.one.consumers.remove(client);
                let client = client.clone();
                self.plain(Command::Crash { client })
            }
            Off::Metrics(client) => Ok(self.metrics(client)),
            Off::ListOffsets(client, partition, isolation, specs) => {
                let mut all = Vec::new();
                for spec in specs {
                    all.push(self.look_up(client.is_some(), partition, *isolation, spec)?);
                }
                Ok(json!({ "offsets": all }))
            }
            Off::GroupOffsets(group, partitions, require_stable) => {
                self.group_offsets(group, partitions.clone(), *require_stable)
            }
            Off::ReadOffsetsTopic => Ok(self.read_offsets_topic(step)),
            Off::DeleteRecords(partition, before) => {
                let ticket = self.apply(Command::DeleteRecords {
                    partition: partition.clone(),
                    before: *before,
                    timeout: Ms(8_000),
                })?;
                Ok(match self.reply_within(ticket, 40_000) {
                    Reply::LowWatermark(at) => json!({ "low_watermark": at.0 }),
                    other => words::failed(&other),
                })
            }
            Off::DeleteOffsets(group, partitions) => {
                let answer = self.call(GroupCall::DeleteOffsets {
                    group: group.clone(),
                    partitions: partitions.clone(),
                })?;
                Ok(match answer {
                    Ok(GroupAnswer::OffsetsDeleted(Ok(parts))) => {
                        let error = parts.iter().find_map(|(_, r)| r.err());
                        error.map_or(json!({}), words::error)
                    }
                    other => words::group_answer(other),
                })
            }
            Off::DeleteGroup(group) => {
                let group = group.clone();
                let answer = self.call(GroupCall::Delete { group })?;
                Ok(words::group_answer(answer))
            }
            Off::DeleteTopic(name) => {
                self.created.remove(name);
                let done = self.plain(Command::DeleteTopic { name: name.clone() });
                self.advance(1_500);
                done
            }
            Off::AlterTopic(topic, pairs) => {
                for (name, value) in pairs {
                    self.plain(Command::AlterTopicConfig {
                        topic: topic.clone(),
                        name: name.clone(),
                        value: Some(value.clone()),
                    })?;
                }
                Ok(json!({}))
            }
            Off::Wait(what) => {
                self.wait_for(what);
                Ok(json!({ "reached": true }))
            }
            Off::Tool(tool, args) => self.tool(script, step, tool, args),
            Off::Configure(config) => Ok(configure(config)),
            Off::Join(client) => self.join(step, client),
            Off::Sync(client) => self.sync(step, client),
            Off::Leave(client) => self.leave(step, client),
        }
    }

    /// Consumers that the recorder closed without a step of their own.
    pub(super) fn close_unseen(&mut self, step: &Step, off: &Off) -> Result<(), String> {
        let told = step.after.as_ref().and_then(|a| a["consumers"].as_object());
        let Some(told) = told else {
            return Ok(());
        };
        let own = match off {
            Off::Close(client) | Off::Crash(client) => Some(client.clone()),
            _ => None,
        };
        let running: Vec<Rc<str>> = self.one.consumers.keys().cloned().collect();
        for client in running {
            if !told.contains_key(&*client) && Some(&client) != own.as_ref() {
                self.one.consumers.remove(&client);
                self.plain(Command::Close { client })?;
            }
        }
        Ok(())
    }

    /// What the recorder did between two steps, as its states show (README: "what a step did
    /// beside its `do`").
    pub(super) fn beside(&mut self, script: &Script, step: &Step, off: &Off) -> Result<(), String> {
        // Groups that are there all at once, with commits, before a consumer of theirs begins.
        let begins = matches!(off, Off::Assign(..) | Off::Subscribe(..));
        let groups = step.after.as_ref().and_then(|a| a["groups"].as_object());
        for (group, told) in groups.into_iter().flatten().filter(|_| begins) {
            let known = self.world.picture().group(group).is_some();
            let committed = told["committed"].as_object().filter(|c| !c.is_empty());
            if let (false, Some(_)) = (known, committed) {
                let offsets = offsets_of(&told["committed"])?;
                self.admin_commit(&group.as_str().into(), offsets, MemberRef::none())?;
            }
        }
        if (script.id.as_str(), step.n) == ("o16-commit-values", 12) {
            let orders = PartitionName {
                topic: "orders".into(),
                partition: 0,
            };
            let offsets = vec![(orders, Committed::at(Boundary(6)))];
            self.commit(&"c".into(), &Commit::Offsets(offsets))?;
        }
        Ok(())
    }

    /// A command whose outcome is `{}`, or an error.
    pub(super) fn plain(&mut self, command: Command) -> Done {
        let ticket = match self.try_apply(command)? {
            Ok(ticket) => ticket,
            Err(error) => return Ok(error),
        };
        Ok(match self.reply_within(ticket, SOON) {
            Reply::Failed(e, _) => words::error(e),
            _ => json!({}),
        })
    }

    /// A refusal that a client would tell as an error of its own is an outcome, too.
    pub(super) fn try_apply(
        &mut self,
        command: Command,
    ) -> Result<Result<Option<Ticket>, Value>, String> {
        match self.world.apply(&command) {
            Ok(applied) => {
                applied.events.iter().for_each(|e| self.note(&e.kind));
                Ok(Ok(applied.ticket))
            }
            Err(Refusal::NoGroup(_)) => Ok(Err(json!({ "error": "INVALID_GROUP_ID" }))),
            Err(refusal) => Err(not_taken(&command, &refusal)),
        }
    }

    pub(super) fn made(&mut self, client: &Rc<str>, settings: &ConsumerSettings) {
        self.one.consumers.insert(client.clone(), settings.clone());
    }
}

fn configure(config: &Value) -> Value {
    let reset = config["auto.offset.reset"].as_str();
    match reset.map(super::super::script::offsets::reset) {
        Some(None) => json!({ "error": "ConfigException", "exception": "ConfigException" }),
        _ => json!({}),
    }
}
