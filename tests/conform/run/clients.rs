//! Producers and consumers as the recorder uses them.

use super::super::observe;
use super::super::script::{KeyValue, Step};
use super::answers::{answer, produced, read, thrown};
use super::{Job, Player};
use highwater::kafka::batch::NewRecord;
use highwater::kafka::ids::{BrokerId, Ms};
use highwater::kafka::message::Acks;
use highwater::world::command::{Command, PartitionName, ReadRecord, Reply};
use highwater::world::picture::BrokerPicture;
use serde_json::{Map, Value, json};
use std::rc::Rc;

impl Player {
    /// The recorder gives a client the addresses of the brokers that are up; after its first
    /// metadata a client knows the others too.
    pub(super) fn bootstrap(&self) -> Vec<BrokerId> {
        let picture = self.world.picture();
        let up = |b: &BrokerPicture| observe::broker_state(b, self.cut.contains(&b.id.0)) == "up";
        let (first, rest): (Vec<_>, Vec<_>) = picture.brokers.iter().partition(|b| up(b));
        first.into_iter().chain(rest).map(|b| b.id).collect()
    }

    pub(super) fn produce(
        &mut self,
        step: &Step,
        client: &Rc<str>,
        partition: &PartitionName,
        records: &[KeyValue],
        raw: Option<(BrokerId, Acks, Ms)>,
        limit: i64,
    ) -> Result<Option<Value>, String> {
        let mut job = Job {
            client: client.clone(),
            partition: partition.clone(),
            raw,
            spacing: step.spacing.0,
            next_at: self.now,
            left: records.iter().cloned().collect(),
            waiting: None,
            answers: Vec::new(),
        };
        self.pump_one(&mut job);
        self.jobs.insert(step.n, job);
        let limit = step.answer_within.map_or(limit, |ms| ms.0);
        let answer = self.until(limit, |p| p.jobs.get(&step.n).and_then(Job::answer));
        Ok(Some(answer.unwrap_or(json!({ "pending": true }))))
    }

    /// The recorder polls over and over for a while and puts the records together.
    pub(super) fn poll(&mut self, client: &Rc<str>, total: i64) -> Result<Option<Value>, String> {
        let Some((partitions, _)) = self.consumers.get(client).cloned() else {
            return Err(format!("client {client} has not been assigned"));
        };
        let several = partitions.len() > 1;
        let end = self.now + total;
        let mut got: Vec<(PartitionName, ReadRecord)> = Vec::new();
        let mut place = Vec::new();
        let mut preferred = None;
        while self.now < end {
            let timeout = Ms((end - self.now).min(200));
            let ticket = self.apply(Command::Poll {
                client: client.clone(),
                timeout,
            })?;
            let before = self.now;
            match self.reply_within(ticket, timeout.0 + 1_000) {
                Reply::Polled {
                    records,
                    positions,
                    preferred_read_replica,
                    exception,
                } => {
                    if let Some(e) = exception {
                        return Ok(Some(thrown(&e, &partitions, &positions)));
                    }
                    got.extend(records);
                    place = positions;
                    preferred = preferred_read_replica;
                }
                other => return Ok(Some(answer(&other))),
            }
            if self.now == before {
                self.advance(1);
            }
        }
        if several {
            got.sort_by(|a, b| (&a.0, a.1.offset).cmp(&(&b.0, b.1.offset)));
        }
        let records: Vec<Value> = got
            .iter()
            .map(|(tp, r)| {
                let mut o = read(r, true);
                if several {
                    o["partition"] = format!("{}-{}", tp.topic, tp.partition).into();
                }
                o
            })
            .collect();
        let position = |tp: &PartitionName| {
            let found = place.iter().find(|(name, _)| name == tp);
            match found.and_then(|(_, at)| *at) {
                Some(at) => at.0.into(),
                None => Value::from("not settled"),
            }
        };
        let mut out = json!({ "records": records });
        out["position"] = match partitions.as_slice() {
            [one] => position(one),
            all => all
                .iter()
                .map(|tp| (format!("{}-{}", tp.topic, tp.partition), position(tp)))
                .collect::<Map<_, _>>()
                .into(),
        };
        if let Some(b) = preferred {
            out["preferred_read_replica"] = b.0.into();
        }
        Ok(Some(out))
    }

    /// Moves the produces under way.
    pub(super) fn pump(&mut self) {
        let numbers: Vec<u32> = self.jobs.keys().copied().collect();
        for n in numbers {
            let Some(mut job) = self.jobs.remove(&n) else {
                continue;
            };
            self.pump_one(&mut job);
            self.jobs.insert(n, job);
        }
    }

    pub(super) fn pump_one(&mut self, job: &mut Job) {
        loop {
            if let Some((ticket, count)) = job.waiting {
                let Some(reply) = self.world.reply(ticket) else {
                    return;
                };
                job.answers
                    .extend(produced(reply, count, job.raw.is_some()));
                job.waiting = None;
                job.next_at = self.now + job.spacing;
            }
            if job.left.is_empty() || self.now < job.next_at {
                return;
            }
            let take = if job.raw.is_some() { job.left.len() } else { 1 };
            let now = Ms(self.now);
            let records: Vec<NewRecord> = job
                .left
                .drain(..take)
                .map(|(key, value)| NewRecord {
                    key,
                    value,
                    timestamp: now,
                })
                .collect();
            let (client, partition) = (job.client.clone(), job.partition.clone());
            let command = match job.raw {
                Some((broker, acks, timeout)) => Command::ProduceRaw {
                    client,
                    broker,
                    partition,
                    records,
                    acks,
                    timeout,
                    stamp: None,
                },
                None => Command::Produce {
                    client,
                    partition,
                    records,
                },
            };
            match self.apply(command) {
                Ok(Some(ticket)) => job.waiting = Some((ticket, take)),
                Ok(None) => {}
                Err(e) => job.answers.push(json!({ "error": e })),
            }
        }
    }
}
