//! The part of a world without a clock that can make a difference to what follows, as one number.
//! Epochs count by their order alone and values by where they first appear, so that worlds that
//! differ in nothing but how often something was tried are the same. Settings are not in it: a
//! search does not change them.

use super::World;
use super::machine::{Machine, MachineState};
use crate::kafka::batch::{Batch, Control};
use crate::kafka::broker::Broker;
use crate::kafka::error::KafkaError;
use crate::kafka::event::IsrMove;
use crate::kafka::ids::*;
use crate::kafka::log::Log;
use crate::kafka::message::{Asker, Body, FetchedPart, Message, NodeId};
use crate::kafka::metadata::{Image, MetaRecord, PartitionReg, Recovery};
use crate::kafka::partition::{FetchState, OutOfRange, Replica, Role};
use std::rc::Rc;

/// What is written down of a world, word by word.
#[derive(Debug, Default)]
pub struct Words {
    words: Vec<(Kind, i64)>,
    values: Vec<Option<Rc<str>>>,
    ranks: Vec<(Kind, i64)>,
}

/// Of which kind a word is. Within a kind only the order counts, except for plain words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Plain,
    Epoch,
    PartitionEpoch(Tp),
    BrokerEpoch(BrokerId),
}

impl Words {
    fn put(&mut self, word: impl Into<i64>) {
        self.words.push((Kind::Plain, word.into()));
    }
    fn count(&mut self, n: usize) {
        self.put(n as i64);
    }
    fn at(&mut self, boundary: Boundary) {
        self.put(boundary.0);
    }
    fn set(&mut self, set: BrokerSet) {
        self.put(set.iter().fold(0_i64, |bits, b| bits | 1 << b.0));
    }
    fn broker(&mut self, id: Option<BrokerId>) {
        self.put(id.map_or(-1, |b| i64::from(b.0)));
    }
    fn list(&mut self, list: &[BrokerId]) {
        self.put(list.iter().fold(1_i64, |n, b| n << 6 | i64::from(b.0)));
    }
    fn maybe(&mut self, boundary: Option<Boundary>) {
        self.put(boundary.map_or(-2, |b| b.0));
    }
    fn epoch(&mut self, epoch: Epoch) {
        self.words.push((Kind::Epoch, i64::from(epoch.0)));
    }
    fn maybe_epoch(&mut self, epoch: Option<Epoch>) {
        self.put(epoch.is_some());
        if let Some(epoch) = epoch {
            self.epoch(epoch);
        }
    }
    fn partition_epoch(&mut self, tp: Tp, epoch: PartitionEpoch) {
        self.words
            .push((Kind::PartitionEpoch(tp), i64::from(epoch.0)));
    }
    fn broker_epoch(&mut self, id: BrokerId, epoch: Option<BrokerEpoch>) {
        let epoch = epoch.map_or(-1, |e| e.0);
        self.words.push((Kind::BrokerEpoch(id), epoch));
    }
    fn value(&mut self, value: &Option<Rc<str>>) {
        let known = self.values.iter().position(|v| v == value);
        let at = known.unwrap_or_else(|| {
            self.values.push(value.clone());
            self.values.len() - 1
        });
        self.put(at as i64);
    }

    /// The number: two lanes of multiplication and shifts.
    fn number(&mut self) -> u128 {
        self.ranks.clear();
        let ranked = self.words.iter().filter(|(kind, _)| *kind != Kind::Plain);
        self.ranks.extend(ranked);
        self.ranks.sort_unstable();
        self.ranks.dedup();
        let mut lanes = (0x243f_6a88_85a3_08d3_u64, 0x1319_8a2e_0370_7344_u64);
        for word in &self.words {
            let word = match word.0 {
                Kind::Plain => word.1 as u64,
                kind => {
                    let first = self.ranks.partition_point(|r| r.0 < kind);
                    let at = self.ranks.partition_point(|r| r < word);
                    (at - first) as u64
                }
            };
            lanes.0 = (lanes.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            lanes.0 ^= lanes.0 >> 29;
            lanes.1 = (lanes.1.rotate_left(25) ^ word).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
            lanes.1 ^= lanes.1 >> 32;
        }
        let end = (lanes.0 ^ lanes.1.rotate_left(17)).wrapping_mul(0x1656_67b1_9e37_79f9);
        u128::from(lanes.0 ^ end >> 31) << 64 | u128::from(lanes.1 ^ end)
    }
}

impl World {
    /// The number of this world. `words` is a place to write in, to be used again.
    pub fn canonical(&self, words: &mut Words) -> u128 {
        words.words.clear();
        words.values.clear();
        let image = self.controller.image();
        words.image(image);
        for machine in self.machines.values() {
            self.machine_words(machine, words);
        }
        for (tp, truth) in &self.ghost.truth {
            words.at(truth.high_watermark);
            words.at(truth.start);
            words.count(truth.committed().len());
            for (epoch, record) in truth.committed() {
                words.put(record.offset.0);
                words.epoch(*epoch);
                words.value(&record.value);
            }
            words.set(truth.damaged);
            words.set(truth.unreconciled);
            words.set(truth.dismissed);
            words.put(truth.lowest_min_isr);
            words.maybe_epoch(truth.doubt);
            words.maybe_epoch(truth.given_up);
            words.put(tp.partition);
        }
        for message in self.waiting() {
            let client = |n| matches!(n, NodeId::Client(_));
            if !client(message.from) && !client(message.to) {
                self.message_words(message, words);
            }
        }
        words.number()
    }

    fn machine_words(&self, machine: &Machine, words: &mut Words) {
        match &machine.state {
            MachineState::Off { disk, .. } => {
                words.put(0);
                words.put(disk.clean_epoch.is_some());
                for (tp, log) in &disk.logs {
                    words.put(tp.partition);
                    words.disk(log);
                }
                for (tp, boundary) in &disk.checkpoint {
                    words.put(tp.partition);
                    words.at(*boundary);
                }
            }
            MachineState::On(node) => {
                words.put(1 + i64::from(machine.frozen));
                words.node(node);
                // What the controller has decided and it has not taken in.
                let behind = || self.controller.entries_after(node.seen().offset);
                words.count(behind().count());
                for entry in behind() {
                    words.put(entry.first);
                    words.meta_record(&entry.record);
                }
            }
        }
    }

    fn message_words(&self, message: &Message, words: &mut Words) {
        let node = |n| match n {
            NodeId::Controller => -1,
            NodeId::Broker(b) => i64::from(b.0),
            NodeId::Client(c) => 64 + i64::from(c.0),
        };
        words.put(node(message.from));
        words.put(node(message.to));
        let awaits = |id| {
            let node = self.machines.get(&id).and_then(|m| m.broker());
            node.is_some_and(|b| b.fetches().any(|(_, c, _)| c == message.correlation))
        };
        match &message.body {
            Body::Fetch(request) => {
                words.put(1);
                if let Asker::Replica { id, epoch } = request.asker {
                    words.put(awaits(id));
                    words.broker_epoch(id, epoch);
                }
                for part in &request.parts {
                    words.at(part.offset);
                    words.at(part.log_start);
                    words.maybe_epoch(part.current_leader_epoch);
                    words.maybe_epoch(part.last_fetched_epoch);
                }
            }
            Body::FetchAnswer(parts) => {
                words.put(2);
                if let NodeId::Broker(id) = message.to {
                    words.put(awaits(id));
                }
                for part in parts {
                    words.fetched(part);
                }
            }
            Body::AlterPartition {
                broker_epoch,
                tp,
                leader_epoch,
                partition_epoch,
                isr,
                ..
            } => {
                words.put(3);
                if let NodeId::Broker(from) = message.from {
                    words.broker_epoch(from, Some(*broker_epoch));
                    words.put(self.asks_with(from, *tp, message.correlation));
                }
                words.epoch(*leader_epoch);
                words.partition_epoch(*tp, *partition_epoch);
                for (broker, epoch) in isr {
                    words.broker(Some(*broker));
                    words.broker_epoch(*broker, *epoch);
                }
            }
            Body::AlterPartitionAnswer { tp, result } => {
                words.put(4);
                if let NodeId::Broker(to) = message.to {
                    words.put(self.asks_with(to, *tp, message.correlation));
                }
                match result {
                    Ok(altered) => words.partition(*tp, &altered.reg),
                    Err(error) => words.error(*error),
                }
            }
            Body::ListOffsets { spec, .. } => {
                words.put(5);
                words.put(*spec == crate::kafka::message::OffsetSpec::Latest);
            }
            Body::ListOffsetsAnswer { result, .. } => {
                words.put(6);
                words.maybe(result.ok().flatten().map(|found| found.at));
            }
            Body::EpochEnd {
                epoch,
                current_leader_epoch,
                ..
            } => {
                words.put(7);
                words.epoch(*epoch);
                words.maybe_epoch(*current_leader_epoch);
            }
            Body::EpochEndAnswer { result, .. } => {
                words.put(8);
                let told = result.ok().flatten();
                words.maybe_epoch(told.map(|t| t.0));
                words.maybe(told.map(|t| t.1));
            }
            _ => words.put(9),
        }
    }

    /// Whether a leader waits for the answer to this request for another ISR.
    pub(super) fn asks_with(&self, leader: BrokerId, tp: Tp, correlation: Correlation) -> bool {
        let node = self.machines.get(&leader).and_then(|m| m.broker());
        let leader = node.and_then(|b| b.replicas.get(&tp)?.leader());
        let pending = leader.and_then(|l| l.pending.as_ref());
        pending.is_some_and(|p| p.in_flight == Some(correlation))
    }
}

/// Writes what is hashed as words.
struct Spelled<'a>(&'a mut Words);

impl std::hash::Hasher for Spelled<'_> {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0.put(*byte);
        }
    }
    fn finish(&self) -> u64 {
        0
    }
}

impl Words {
    fn error(&mut self, error: KafkaError) {
        self.put(1_000 + error as i64);
    }

    fn image(&mut self, image: &Image) {
        for (id, reg) in &image.brokers {
            self.broker(Some(*id));
            self.broker_epoch(*id, Some(reg.epoch));
            self.put(i64::from(reg.fenced) | i64::from(reg.in_controlled_shutdown) << 1);
        }
        for (tp, reg) in &image.partitions {
            self.partition(*tp, reg);
        }
    }

    fn partition(&mut self, tp: Tp, reg: &PartitionReg) {
        for list in [
            &reg.replicas,
            &reg.adding,
            &reg.removing,
            &reg.last_known_elr,
        ] {
            self.list(list);
        }
        self.set(reg.isr);
        self.set(reg.elr);
        self.broker(reg.leader);
        self.epoch(reg.leader_epoch);
        self.partition_epoch(tp, reg.partition_epoch);
        self.put(reg.recovery == Recovery::Recovering);
    }

    fn meta_record(&mut self, record: &MetaRecord) {
        match record {
            MetaRecord::RegisterBroker { id, reg } => {
                self.put(1);
                self.broker(Some(*id));
                self.broker_epoch(*id, Some(reg.epoch));
            }
            MetaRecord::BrokerChange {
                id,
                fenced,
                in_controlled_shutdown,
            } => {
                self.put(2);
                self.broker(Some(*id));
                let word = |b: &Option<bool>| b.map_or(2, i64::from);
                self.put(word(fenced) << 2 | word(in_controlled_shutdown));
            }
            MetaRecord::Partition { tp, reg, .. } => {
                self.put(3);
                self.partition(*tp, reg);
            }
            MetaRecord::ClearElr { .. } => self.put(4),
            _ => self.put(5),
        }
    }

    /// What a broker coordinates, bit by bit: times and numbers of requests count too, so that a
    /// search may look at more worlds than it must, never at fewer.
    fn groups(&mut self, node: &Broker) {
        node.hash_groups(&mut Spelled(self));
    }

    fn node(&mut self, node: &Broker) {
        self.groups(node);
        use crate::kafka::broker::Lifecycle as L;
        self.put(match node.lifecycle {
            L::Registering => 0,
            L::CatchingUp => 1,
            L::Running => 2,
            L::ShuttingDown { .. } => 3,
            L::Stopped => 4,
        });
        self.broker_epoch(node.id, node.epoch);
        self.image(&node.image);
        for replica in node.replicas.values() {
            self.replica(replica);
        }
        for (tp, boundary) in &node.checkpoint {
            self.put(tp.partition);
            self.at(*boundary);
        }
        self.count(node.fetches().count());
        for (leader, _, asked) in node.fetches() {
            self.broker(Some(leader));
            for part in asked {
                self.at(part.offset);
                self.maybe_epoch(part.current_leader_epoch);
            }
        }
    }

    fn replica(&mut self, replica: &Replica) {
        self.log(&replica.log);
        self.epoch(replica.leader_epoch);
        self.partition_epoch(replica.tp, replica.partition_epoch);
        match &replica.role {
            Role::Follower(follower) => {
                self.put(0);
                self.broker(follower.leader);
                self.put(match follower.state {
                    FetchState::Fetching | FetchState::Delayed(_) => 0,
                    FetchState::AskingEpoch => 1,
                    FetchState::OutOfRange(OutOfRange::AskEnd) => 2,
                    FetchState::OutOfRange(OutOfRange::AskStart) => 3,
                    FetchState::Failed => 4,
                });
            }
            Role::Leader(leader) => {
                self.put(1);
                self.list(&leader.replicas);
                self.set(leader.isr);
                self.at(leader.epoch_start);
                match &leader.pending {
                    None => self.put(0),
                    Some(pending) => {
                        self.put(1 + i64::from(pending.in_flight.is_some()));
                        self.put(matches!(pending.what, IsrMove::Expand(_)));
                        self.set(pending.asked);
                    }
                }
                for (broker, remote) in &leader.remotes {
                    self.broker(Some(*broker));
                    self.maybe(remote.log_end);
                    self.maybe(remote.log_start);
                    // Once caught up it stays so until it lapses, which ends the last fetch too.
                    let lags = remote.last_caught_up.is_none();
                    let since = remote.last_fetch.filter(|_| lags);
                    self.put(lags);
                    self.maybe(since.map(|_| remote.last_fetch_leader_end));
                    self.broker_epoch(*broker, remote.broker_epoch);
                }
                self.count(leader.waiting.len());
                for waiting in &leader.waiting {
                    self.at(waiting.until);
                }
            }
        }
    }

    fn log(&mut self, log: &Log) {
        self.at(log.high_watermark());
        self.disk(log);
    }

    fn disk(&mut self, log: &Log) {
        self.at(log.start());
        self.at(log.end());
        self.batches(log.batches());
        self.count(log.segment_bases().count());
        self.maybe(log.cleaned_to());
        self.count(log.epochs().entries().len());
        for (epoch, start) in log.epochs().entries() {
            self.epoch(*epoch);
            self.at(*start);
        }
    }

    fn batches(&mut self, batches: &[Batch]) {
        self.count(batches.len());
        for batch in batches {
            self.put(batch.base.0);
            self.put(batch.last.0);
            self.epoch(batch.epoch);
            // Where nothing is missing, the numbers follow from the first.
            let whole = batch.last.0 - batch.base.0 + 1 == batch.records.len() as i64;
            if batch.transactional || !whole {
                let control = batch
                    .control
                    .map_or(0, |c| 1 + i64::from(c == Control::Abort));
                self.put(i64::from(whole) | control << 1);
                self.put(batch.stamp.map_or(-1, |s| s.producer_id));
            }
            for record in batch.records.iter() {
                if !whole {
                    self.put(record.offset.0);
                }
                self.value(&record.value);
            }
        }
    }

    fn fetched(&mut self, part: &FetchedPart) {
        self.at(part.offset);
        match &part.result {
            Err(error) => self.error(*error),
            Ok(fetched) => {
                self.batches(&fetched.batches);
                self.at(fetched.high_watermark);
                self.at(fetched.log_start);
                self.maybe_epoch(fetched.diverging.map(|d| d.0));
                self.maybe(fetched.diverging.map(|d| d.1));
            }
        }
    }
}
