//! Steps of the recorder of offsets, groups and transactions, as commands to the world.

use super::super::murmur;
use super::super::observe;
use super::super::script::offsets::{Commit, Given, Off, Offsets, Spec, offsets_of, shown};
use super::super::script::{Script, Step};
use super::words::{self, commit_error, poll_error};
use super::{Player, not_taken};
use highwater::kafka::batch::{NewRecord, Stamp};
use highwater::kafka::client::consumer::CommitMode;
use highwater::kafka::client::settings::{ConsumerSettings, ProducerSettings};
use highwater::kafka::error::KafkaError;
use highwater::kafka::group::message::{Committed, GroupAnswer, MemberRef};
use highwater::kafka::ids::{Boundary, BrokerId, Ms};
use highwater::kafka::message::{Acks, OffsetSpec};
use highwater::world::command::{Command, GroupCall, PartitionName, Refusal, Reply, Ticket};
use serde_json::{Map, Value, json};
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

type Done = Result<Value, String>;

/// The time of a call that is answered by a broker sooner or later.
const SOON: i64 = 20_000;

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
    fn close_unseen(&mut self, step: &Step, off: &Off) -> Result<(), String> {
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
    fn beside(&mut self, script: &Script, step: &Step, off: &Off) -> Result<(), String> {
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
    fn plain(&mut self, command: Command) -> Done {
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
    fn try_apply(&mut self, command: Command) -> Result<Result<Option<Ticket>, Value>, String> {
        match self.world.apply(&command) {
            Ok(applied) => {
                applied.events.iter().for_each(|e| self.note(&e.kind));
                Ok(Ok(applied.ticket))
            }
            Err(Refusal::NoGroup(_)) => Ok(Err(json!({ "error": "INVALID_GROUP_ID" }))),
            Err(refusal) => Err(not_taken(&command, &refusal)),
        }
    }

    fn made(&mut self, client: &Rc<str>, settings: &ConsumerSettings) {
        self.one.consumers.insert(client.clone(), settings.clone());
    }

    // --- producers --------------------------------------------------------------------------

    fn make_producer(
        &mut self,
        client: &Rc<str>,
        idempotent: bool,
        transactional_id: Option<Rc<str>>,
        timeout: Option<Ms>,
    ) -> Result<(), String> {
        if self.producers.contains_key(client) {
            return Ok(());
        }
        let plain = ProducerSettings::default();
        let settings = ProducerSettings {
            acks: Acks::All,
            idempotent: idempotent || transactional_id.is_some(),
            // All records of a step go out as one batch a partition, at once.
            linger: Ms(0),
            request_timeout: Ms(5_000),
            delivery_timeout: Ms(8_000),
            transaction_timeout: timeout.unwrap_or(plain.transaction_timeout),
            transactional_id,
            ..plain
        };
        self.producers.insert(client.clone(), settings.clone());
        let client = client.clone();
        self.apply(Command::Producer { client, settings })?;
        Ok(())
    }

    /// A record with its time, counted from virtual time 0.
    fn record(&self, given: &Given) -> NewRecord {
        NewRecord {
            key: given.key.clone(),
            value: given.value.clone(),
            timestamp: given.at.map_or(Ms(self.now), |at| Ms(at - self.one.start)),
        }
    }

    fn produce_batches(
        &mut self,
        client: &Rc<str>,
        topic: &Rc<str>,
        partition: Option<u16>,
        records: &[Given],
    ) -> Done {
        let count = self.partitions_of(topic);
        let place = |r: &Given| {
            let by_key = || murmur::partition(r.key.as_deref().unwrap_or(""), count);
            partition.unwrap_or_else(by_key)
        };
        let mut batches: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
        for (i, record) in records.iter().enumerate() {
            batches.entry(place(record)).or_default().push(i);
        }
        let mut told = vec![Value::Null; records.len()];
        for (number, places) in &batches {
            let batch = places.iter().map(|i| self.record(&records[*i])).collect();
            let ticket = self.apply(Command::Produce {
                client: client.clone(),
                partition: PartitionName {
                    topic: topic.clone(),
                    partition: *number,
                },
                records: batch,
            })?;
            let reply = self.reply_within(ticket, 15_000);
            for (at, i) in places.iter().enumerate() {
                told[*i] = match &reply {
                    Reply::Produced(offsets) => {
                        let offset = offsets.get(at).copied().flatten();
                        let mut o = json!({ "offset": offset.map_or(-1, |o| o.0) });
                        if partition.is_none() {
                            o["partition"] = (*number).into();
                        }
                        o
                    }
                    other => words::failed(other),
                };
            }
        }
        Ok(json!({ "records": told }))
    }

    fn partitions_of(&self, topic: &str) -> u16 {
        let picture = self.world.picture();
        let all = picture.partitions.iter();
        all.filter(|p| &*p.name.topic == topic).count() as u16
    }

    fn batch(&mut self, partition: &PartitionName, stamp: Stamp, records: &[Given]) -> Done {
        let records = records.iter().map(|r| self.record(r)).collect();
        let ticket = self.apply(Command::ProduceRaw {
            client: "raw".into(),
            broker: BrokerId(1),
            partition: partition.clone(),
            records,
            acks: Acks::All,
            timeout: Ms(5_000),
            stamp: Some(stamp),
        })?;
        Ok(match self.reply_within(ticket, SOON) {
            Reply::Produced(offsets) => {
                let base = offsets.first().copied().flatten();
                json!({ "base_offset": base.map_or(-1, |o| o.0) })
            }
            other => words::failed(&other),
        })
    }

    fn init_producer(&mut self) -> Done {
        let ticket = self.apply(Command::InitProducerRaw {
            client: "raw".into(),
            transactional_id: None,
            timeout: Ms(60_000),
        })?;
        Ok(match self.reply_within(ticket, SOON) {
            Reply::Producer(p) => json!({ "producer_id": p.id, "producer_epoch": p.epoch }),
            other => words::failed(&other),
        })
    }

    fn transaction(&mut self, command: Command) -> Done {
        let ticket = self.apply(command)?;
        Ok(match self.reply_within(ticket, SOON) {
            Reply::Transaction(Err(e)) => words::transaction_error(e),
            Reply::Failed(e, _) => words::error(e),
            _ => json!({}),
        })
    }

    // --- consumers --------------------------------------------------------------------------

    /// Polls until as many records have come as were recorded, or the time is over.
    fn poll_one(&mut self, step: &Step, client: &Rc<str>) -> Done {
        let none = Vec::new();
        let recorded = step.result.as_ref().map_or(&Value::Null, |r| &r["records"]);
        let wanted = recorded.as_array().unwrap_or(&none).len();
        let limit = match (step.poll_for.0, wanted) {
            (for_ms, _) if for_ms != 2_500 => for_ms,
            (_, 0) => words::seconds(&step.say).map_or(1_300, |s| s.max(1_300)),
            _ => 7_000,
        };
        let mut got = Vec::new();
        let end = self.now + limit;
        loop {
            match self.poll_once(client, Ms((end - self.now).clamp(0, 60)))? {
                Ok(records) => got.extend(records),
                Err(error) => return Ok(error),
            }
            if self.now >= end || (wanted > 0 && got.len() >= wanted) {
                break;
            }
        }
        Ok(json!({ "records": three(got) }))
    }

    /// One call of poll().
    fn poll_once(
        &mut self,
        client: &Rc<str>,
        timeout: Ms,
    ) -> Result<Result<Vec<words::Polled>, Value>, String> {
        let before = self.now;
        let ticket = self.apply(Command::Poll {
            client: client.clone(),
            timeout,
        })?;
        let reply = self.reply_within(ticket, timeout.0 + 10_000);
        if self.now == before {
            self.advance(1);
        }
        Ok(match reply {
            Reply::Polled {
                records,
                positions,
                exception,
                ..
            } => match exception {
                Some(e) => Err(poll_error(&e, &positions)),
                None => Ok(records
                    .into_iter()
                    .map(|(tp, r)| {
                        let value = r.value.as_deref().map(shown);
                        (tp.topic.to_string(), tp.partition, r.offset.0, value)
                    })
                    .collect()),
            },
            other => Err(words::failed(&other)),
        })
    }

    /// Several in turn, until each has what was recorded for it, and all of its records.
    fn poll_in_turn(&mut self, step: &Step, clients: &[Rc<str>]) -> Done {
        let recorded = step.result.as_ref().map_or(&Value::Null, |r| &r["records"]);
        let mut got: BTreeMap<&str, Vec<words::Polled>> = BTreeMap::new();
        let mut errors: BTreeMap<&str, Value> = BTreeMap::new();
        let limit = match step.poll_for.0 {
            2_500 => 15_000,
            ms => ms,
        };
        let end = self.now + limit;
        let holds = |p: &Self| {
            let none = Value::Null;
            let after = step.after.as_ref().unwrap_or(&none);
            clients.iter().all(|c| {
                let want = &after["consumers"][&**c]["assignment"];
                want.is_null() || *want == observe::assignment(&p.world.picture(), c)
            })
        };
        // A member that was seen without a position was not polled long enough to get one.
        let none = Value::Null;
        let after = step.after.as_ref().unwrap_or(&none);
        let brief = |c: &str| {
            let at = after["consumers"][c]["position"].as_object();
            at.is_some_and(|at| at.values().any(Value::is_null))
        };
        loop {
            for client in clients {
                let timeout = if brief(client) { Ms(0) } else { Ms(40) };
                match self.poll_once(client, timeout)? {
                    Ok(records) => got.entry(client).or_default().extend(records),
                    Err(error) => {
                        errors.insert(client, error);
                    }
                }
            }
            let enough = clients.iter().all(|c| {
                let wanted = recorded[&**c].as_array().map_or(0, Vec::len);
                let fails = recorded[&**c].get("error").is_some();
                (!fails || errors.contains_key(&**c)) && got.get(&**c).map_or(0, Vec::len) >= wanted
            });
            if self.now >= end || (enough && holds(self)) {
                break;
            }
        }
        let told = |c: &Rc<str>| {
            let records = three(got.remove(&**c).unwrap_or_default());
            let told = errors.remove(&**c).unwrap_or(records);
            (c.to_string(), told)
        };
        let told: Map<String, Value> = clients.iter().map(told).collect();
        Ok(json!({ "records": told }))
    }

    fn commit(&mut self, client: &Rc<str>, what: &Commit) -> Done {
        let one = |offsets, mode| Command::Commit {
            client: client.clone(),
            offsets,
            mode,
        };
        if !self.one.consumers.contains_key(client) {
            // The recorder makes a consumer without a group for this.
            return Ok(json!({ "error": "INVALID_GROUP_ID" }));
        }
        let limit = self.one.consumers[client].api_timeout.0 + 1_000;
        let offsets = match what {
            Commit::Positions => None,
            Commit::Offsets(offsets) => Some(offsets.clone()),
            Commit::Numbers(partition, numbers, true) => {
                return self.commit_async(client, partition, numbers);
            }
            Commit::Numbers(partition, numbers, false) => {
                let mut order = Vec::new();
                let (last, first) = numbers.split_last().ok_or("no numbers")?;
                for n in first {
                    let at = vec![(partition.clone(), Committed::at(Boundary(*n)))];
                    self.apply(one(Some(at), CommitMode::Async))?;
                    order.push(json!(n));
                }
                let at = vec![(partition.clone(), Committed::at(Boundary(*last)))];
                let ticket = self.apply(one(Some(at), CommitMode::Sync))?;
                self.reply_within(ticket, limit);
                order.push(json!(format!("sync {last}")));
                return Ok(json!({ "order": order }));
            }
        };
        let ticket = match self.try_apply(one(offsets, CommitMode::Sync))? {
            Ok(ticket) => ticket,
            Err(error) => return Ok(error),
        };
        Ok(match self.reply_within(ticket, limit) {
            Reply::Committed(Err(e)) => commit_error(&e),
            Reply::Failed(e, _) => words::error(e),
            _ => json!({}),
        })
    }

    /// commitAsync one after the other; then it polls until all are answered.
    fn commit_async(
        &mut self,
        client: &Rc<str>,
        partition: &PartitionName,
        numbers: &[i64],
    ) -> Done {
        let mut open = Vec::new();
        for n in numbers {
            let mut at = Committed::at(Boundary(*n));
            // The recording says so in words only: "metadata that is too large".
            if numbers == [3] && partition.partition == 0 {
                at.metadata = "x".repeat(4_097).into();
            }
            let ticket = self.apply(Command::Commit {
                client: client.clone(),
                offsets: Some(vec![(partition.clone(), at)]),
                mode: CommitMode::Async,
            })?;
            open.extend(ticket.map(|t| (t, *n)));
        }
        let mut order = Vec::new();
        let end = self.now + 6_500;
        while !open.is_empty() && self.now < end {
            // What comes of the polls is not told.
            let _ = self.poll_once(client, Ms(50))?;
            open.retain(|(ticket, n)| {
                let told = match self.world.reply(*ticket) {
                    None => return true,
                    Some(Reply::Committed(Err(e))) => commit_error(e),
                    Some(Reply::Failed(e, _)) => words::error(*e),
                    Some(_) => json!(n),
                };
                order.push(told);
                false
            });
        }
        Ok(json!({ "callbacks": order }))
    }

    fn committed(&mut self, step: &Step, client: &Rc<str>) -> Done {
        let picture = self.world.picture();
        let partitions = observe::assigned(&picture, client);
        let limit = self
            .one
            .consumers
            .get(client)
            .map_or(SOON, |s| s.api_timeout.0 + 1_000);
        let ticket = self.apply(Command::Committed {
            client: client.clone(),
            partitions,
        })?;
        Ok(match self.reply_within(ticket, limit) {
            Reply::Offsets(Ok(all)) => {
                let alone = step
                    .result
                    .as_ref()
                    .is_some_and(|r| r["committed"].is_i64());
                if let ([(p, at)], true) = (all.as_slice(), alone) {
                    let position = observe::position(&picture, client, p);
                    let at = at.as_ref().map(|c| c.offset.0);
                    return Ok(json!({ "position": position, "committed": at }));
                }
                let told: Map<String, Value> = all
                    .into_iter()
                    .map(|(p, at)| {
                        let at = at.map_or(Value::Null, |c| c.offset.0.into());
                        (observe::name(&p), at)
                    })
                    .collect();
                json!({ "committed": told })
            }
            // Tried again until the call's time was over.
            Reply::Offsets(Err(KafkaError::UnstableOffsetCommit)) => {
                words::error(KafkaError::RequestTimedOut)
            }
            Reply::Offsets(Err(e)) => words::error(e),
            other => words::failed(&other),
        })
    }

    /// The commit alone, without the position.
    fn committed_beside(&mut self, step: &Step, client: &Rc<str>) -> Done {
        let mut told = self.committed(step, client)?;
        if let Some(told) = told.as_object_mut() {
            told.remove("position");
        }
        Ok(told)
    }

    /// The metric of the last fetch; maxima and means over windows of time are the client's own.
    fn metrics(&self, client: &Rc<str>) -> Value {
        let lags = observe::lags(&self.world.picture(), client);
        let mut told = Map::new();
        for (tp, lag) in &lags {
            if let Some(lag) = lag.as_i64() {
                told.insert(tp.clone(), json!({ "records-lag": lag }));
            }
        }
        told.insert("currentLag()".into(), lags.into());
        told.into()
    }

    // --- look-ups and groups ----------------------------------------------------------------

    fn look_up(
        &mut self,
        by_consumer: bool,
        partition: &PartitionName,
        isolation: highwater::kafka::message::Isolation,
        spec: &Spec,
    ) -> Done {
        let (name, spec) = match spec {
            Spec::Earliest => (json!("earliest"), OffsetSpec::Earliest),
            Spec::Latest => (json!("latest"), OffsetSpec::Latest),
            Spec::MaxTimestamp => (json!("max-timestamp"), OffsetSpec::MaxTimestamp),
            Spec::At(at) => {
                let virtual_time = Ms(at - self.one.start);
                (json!(at), OffsetSpec::Timestamp(virtual_time))
            }
        };
        let ticket = self.apply(Command::ListOffsets {
            client: "lookup".into(),
            partition: partition.clone(),
            spec,
            isolation,
        })?;
        let mut told = match self.reply_within(ticket, SOON) {
            Reply::Offset(Some(found)) => json!({
                "offset": found.at.0,
                "leader_epoch": found.leader_epoch.map(|e| e.0),
                "timestamp": found.timestamp.map_or(-1, |at| at.0 + self.one.start),
            }),
            Reply::Offset(None) if by_consumer => json!({ "offset": null }),
            Reply::Offset(None) => json!({ "offset": -1, "leader_epoch": null, "timestamp": -1 }),
            other => words::failed(&other),
        };
        told["spec"] = name;
        Ok(told)
    }

    /// A request to a group's coordinator, and its answer.
    pub(super) fn call(
        &mut self,
        call: GroupCall,
    ) -> Result<Result<GroupAnswer, KafkaError>, String> {
        let ticket = self.apply(Command::CallGroup {
            client: "admin".into(),
            call,
        })?;
        Ok(match self.reply_within(ticket, SOON) {
            Reply::Group(answer) => Ok(answer),
            Reply::Failed(e, _) => Err(e),
            other => return Err(format!("an answer of another kind: {other:?}")),
        })
    }

    fn admin_commit(&mut self, group: &Rc<str>, offsets: Offsets, member: MemberRef) -> Done {
        let group = group.clone();
        let answer = self.call(GroupCall::Commit {
            group,
            member,
            offsets,
        })?;
        Ok(words::group_answer(answer))
    }

    fn groups_commit(&mut self, groups: &[Rc<str>]) -> Done {
        let mut table = Vec::new();
        for group in groups {
            // One position in one partition, which the recording does not tell.
            let partition = PartitionName {
                topic: "t".into(),
                partition: 0,
            };
            let offsets = vec![(partition, Committed::at(Boundary(1)))];
            self.admin_commit(group, offsets, MemberRef::none())?;
            let partition = highwater::kafka::group::partition_for(group);
            table.push(json!({ "group": &**group, "partition": partition }));
        }
        Ok(json!({ "table": table }))
    }

    fn group_offsets(
        &mut self,
        group: &Rc<str>,
        partitions: Option<Vec<PartitionName>>,
        require_stable: bool,
    ) -> Done {
        let answer = self.call(GroupCall::Offsets {
            group: group.clone(),
            partitions,
            require_stable,
        })?;
        let Ok(GroupAnswer::Fetched(Ok(parts))) = answer else {
            return Ok(words::group_answer(answer));
        };
        let told = parts.iter().map(|(tp, result)| {
            let partition = self.world.picture().controller.partition_name(*tp);
            match result {
                Ok(at) => {
                    let offset = at.as_ref().map_or(-1, |c| c.offset.0);
                    json!({ "partition": partition, "offset": offset })
                }
                Err(e) => json!({ "partition": partition, "error": e.name(), "offset": -1 }),
            }
        });
        Ok(json!({ "offsets": told.collect::<Vec<_>>() }))
    }

    /// The member that a consumer's transaction speaks for.
    fn sender(&self, group: &str, generation: i32, consumer: Option<&str>) -> MemberRef {
        if generation < 0 {
            return MemberRef::none();
        }
        let picture = self.world.picture();
        let of_group = |(name, s): &(&Rc<str>, &ConsumerSettings)| {
            s.group.as_deref() == Some(group) && consumer.is_none_or(|c| c == &***name)
        };
        let name = self
            .one
            .consumers
            .iter()
            .find(of_group)
            .map(|(name, _)| name);
        let id = name.and_then(|name| observe::member_id(&picture, name));
        MemberRef {
            id: id.unwrap_or("".into()),
            generation,
            instance: None,
        }
    }

    /// The id that "<given>" stands for: that of the member the step speaks of.
    fn member_id(&self, step: &Step, written: &Rc<str>) -> Rc<str> {
        if let Some(of) = &step.member_of {
            return observe::member_id(&self.world.picture(), of).unwrap_or("".into());
        }
        if &**written != "<given>" {
            return written.clone();
        }
        let words: Vec<&str> = step
            .say
            .split(|c: char| !c.is_ascii_alphanumeric())
            .collect();
        for word in &words {
            if let Some(member) = self.one.members.get(*word) {
                return member.id.clone();
            }
            if let Some(id) = observe::member_id(&self.world.picture(), word) {
                return id;
            }
        }
        let first = self.one.members.values().next();
        first.map_or("given".into(), |m| m.id.clone())
    }
}

/// Records as the recorder tells them: by partition and number.
fn three(mut records: Vec<words::Polled>) -> Value {
    records.sort_by(|a, b| (&a.0, a.1, a.2).cmp(&(&b.0, b.1, b.2)));
    records
        .into_iter()
        .map(|(_, partition, offset, value)| json!([partition, offset, value]))
        .collect()
}

fn configure(config: &Value) -> Value {
    let reset = config["auto.offset.reset"].as_str();
    match reset.map(super::super::script::offsets::reset) {
        Some(None) => json!({ "error": "ConfigException", "exception": "ConfigException" }),
        _ => json!({}),
    }
}
