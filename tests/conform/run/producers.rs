//! What producers of the recorder of offsets do.

use super::super::murmur;
use super::super::script::offsets::Given;
use super::Player;
use super::offsets::{Done, SOON};
use super::words;
use highwater::kafka::batch::{NewRecord, Stamp};
use highwater::kafka::client::settings::ProducerSettings;
use highwater::kafka::ids::{BrokerId, Ms};
use highwater::kafka::message::Acks;
use highwater::world::command::{Command, PartitionName, Reply};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

impl Player {
    pub(super) fn make_producer(
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
    pub(super) fn record(&self, given: &Given) -> NewRecord {
        NewRecord {
            key: given.key.clone(),
            value: given.value.clone(),
            timestamp: given.at.map_or(Ms(self.now), |at| Ms(at - self.one.start)),
        }
    }

    pub(super) fn produce_batches(
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

    pub(super) fn partitions_of(&self, topic: &str) -> u16 {
        let picture = self.world.picture();
        let all = picture.partitions.iter();
        all.filter(|p| &*p.name.topic == topic).count() as u16
    }

    pub(super) fn batch(
        &mut self,
        partition: &PartitionName,
        stamp: Stamp,
        records: &[Given],
    ) -> Done {
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

    pub(super) fn init_producer(&mut self) -> Done {
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

    pub(super) fn transaction(&mut self, command: Command) -> Done {
        let ticket = self.apply(command)?;
        Ok(match self.reply_within(ticket, SOON) {
            Reply::Transaction(Err(e)) => words::transaction_error(e),
            Reply::Failed(e, _) => words::error(e),
            _ => json!({}),
        })
    }
}
