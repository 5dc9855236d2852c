//! The broker as coordinator: whoever leads a partition of `__consumer_offsets` keeps the groups
//! that hash to it (R-GRP-1). The coordinator itself is in `kafka::group`; here it is given what it
//! asks for: records appended, answers sent, the time.

use super::Broker;
use crate::kafka::batch::{NewBatch, NewRecord, Stamp};
use crate::kafka::error::KafkaError;
use crate::kafka::event::EventKind;
use crate::kafka::group::message::{CoordinatorKind, GroupAnswer, GroupRequest, GroupView};
use crate::kafka::group::{
    Asked, Env, Job, Name, OFFSETS_TOPIC, Shard, TRANSACTION_TOPIC, Work, Write, partition_for,
    refusal,
};
use crate::kafka::ids::*;
use crate::kafka::message::{Body, Message, NodeId};
use crate::kafka::out::{BrokerTimer, Out};
use crate::kafka::transaction::message::ProducerRef;

impl Broker {
    /// A request about a group.
    pub(super) fn serve_group(&mut self, message: &Message, request: &GroupRequest, out: &mut Out) {
        let answer = match request {
            GroupRequest::FindCoordinator(kind, key) => {
                GroupAnswer::Coordinator(*kind, key.clone(), self.find_coordinator(*kind, key, out))
            }
            request => return self.coordinate(message, request, out),
        };
        let asked = Asked {
            correlation: message.correlation,
            from: message.from,
            cause: out.cause,
        };
        self.answer_group(&asked, answer, out.cause, out);
    }

    fn answer_group(
        &mut self,
        asked: &Asked,
        answer: GroupAnswer,
        cause: crate::kafka::event::Cause,
        out: &mut Out,
    ) {
        let body = Body::GroupAnswer(answer);
        out.answer(asked.correlation, self.node(), asked.from, body, cause);
    }

    /// A request to the coordinator of its group: this broker, or it says that it is not.
    fn coordinate(&mut self, message: &Message, request: &GroupRequest, out: &mut Out) {
        let asked = Asked {
            correlation: message.correlation,
            from: message.from,
            cause: out.cause,
        };
        let tp = self.coordinator_partition(CoordinatorKind::Group, request.group());
        let shard = tp.and_then(|tp| Some((tp, self.shards.get(&tp)?)));
        let error = match shard {
            None => KafkaError::NotCoordinator,
            Some((_, shard)) if shard.loading.is_some() => KafkaError::CoordinatorLoadInProgress,
            Some((tp, _)) => {
                return self.on_shard(tp, out, |shard, job| shard.handle(&asked, request, job));
            }
        };
        self.answer_group(&asked, refusal(request, error), out.cause, out);
    }

    /// Lets a coordinator work, and does what it asks for.
    fn on_shard(&mut self, tp: Tp, out: &mut Out, f: impl FnOnce(&mut Shard, &mut Job<'_, '_>)) {
        let mut cause = out.cause;
        let Some(mut work) = self.ask_shard(tp, out, f) else {
            return;
        };
        let mut moved = false;
        // A batch that is refused may lead to more work.
        loop {
            for (asked, answer) in std::mem::take(&mut work.answers) {
                self.answer_group(&asked, answer, out.cause, out);
            }
            if work.writes.is_empty() {
                break;
            }
            let write = work.writes.remove(0);
            let appended = self.append_entries(tp, &write, out);
            cause = out.cause;
            let more = match appended {
                Ok((base, hw_moved)) => {
                    moved |= hw_moved;
                    self.ask_shard(tp, out, |shard, job| shard.appended(write, base, job))
                }
                Err(error) => {
                    self.ask_shard(tp, out, |shard, job| shard.refused(write, error, job))
                }
            };
            if let Some(more) = more {
                work.writes.extend(more.writes);
                work.answers.extend(more.answers);
            }
        }
        out.cause = cause;
        if moved {
            self.after_leader_change(tp, true, out);
        }
        self.wake_shard(tp, out);
    }

    fn ask_shard(
        &mut self,
        tp: Tp,
        out: &mut Out,
        f: impl FnOnce(&mut Shard, &mut Job<'_, '_>),
    ) -> Option<Work> {
        let replica = self.replicas.get(&tp)?;
        let env = Env {
            me: self.id,
            server: &self.common.server,
            switches: &self.common.switches,
            image: &self.image,
            by_hand: self.common.by_hand,
            leader_epoch: replica.leader_epoch,
            high_watermark: replica.log.high_watermark(),
        };
        let mut job = Job {
            env,
            out,
            work: Work::default(),
        };
        f(self.shards.get_mut(&tp)?, &mut job);
        Some(job.work)
    }

    /// Appends what a coordinator writes, as the leader and without waiting for the followers: who
    /// waits does so in the coordinator (R-GRP-3). The number of the first record, and whether the
    /// high watermark moved.
    fn append_entries(
        &mut self,
        tp: Tp,
        write: &Write,
        out: &mut Out,
    ) -> Result<(Offset, bool), KafkaError> {
        let now = out.now;
        let records = write.entries.iter().map(|entry| NewRecord {
            key: Some(entry.key()),
            value: entry.value(),
            timestamp: now,
        });
        let mut batch = NewBatch::plain(records);
        let appended = self.with(tp, out, |r, ctx, out| {
            if let Some(ProducerRef { id, epoch }) = write.producer {
                // Kafka writes them without sequence numbers; here each follows the last.
                let last = r.log.producers().get(id).filter(|p| p.epoch == epoch);
                let last = last.and_then(|p| p.last_sequence());
                batch.transactional = true;
                batch.stamp = Some(Stamp {
                    producer_id: id,
                    epoch,
                    base_sequence: last.map_or(0, |s| crate::kafka::log::sequence_plus(s, 1)),
                });
            }
            r.append_as_coordinator(&batch, ctx, out)
        });
        let result = appended.unwrap_or(Err(KafkaError::NotLeaderOrFollower));
        if result.is_ok() {
            self.recheck_parked(tp, out);
        }
        result
    }

    fn wake_shard(&mut self, tp: Tp, out: &mut Out) {
        if let Some(due) = self.shards.get_mut(&tp).and_then(Shard::next_wake)
            && due < Ms::MAX
        {
            self.remind(due.max(out.now), BrokerTimer::Coordinator(tp), out);
        }
    }

    /// A coordinator asked to be woken.
    pub(super) fn coordinator_due(&mut self, tp: Tp, out: &mut Out) {
        let Some(shard) = self.shards.get(&tp) else {
            return;
        };
        if shard.loading.is_some_and(|ready| ready <= out.now) {
            self.load_shard(tp, out);
        }
        self.on_shard(tp, out, |shard, job| shard.look(job));
    }

    fn load_shard(&mut self, tp: Tp, out: &mut Out) {
        let Some(log) = self.replicas.get(&tp).map(|r| r.log.clone()) else {
            return;
        };
        self.on_shard(tp, out, |shard, job| {
            let me = job.env.me;
            shard.load(log.batches(), job);
            job.out
                .emit(EventKind::CoordinatorLoaded { broker: me, tp });
            // Topics that went while nobody could write their tombstones.
            for (at, _) in job
                .env
                .image
                .topics
                .iter()
                .enumerate()
                .filter(|t| t.1.deleted)
            {
                shard.topic_deleted(TopicId(at as u16), job);
            }
        });
    }

    /// Metadata about a partition was taken in: whoever leads one of `__consumer_offsets` now
    /// begins to read it, and who no longer does forgets (R-GRP-5). A new epoch of the same leader
    /// changes nothing.
    pub(super) fn update_coordinator(&mut self, tp: Tp, out: &mut Out) {
        let name = self.image.topic_reg(tp.topic).map(|t| &*t.name);
        if name != Some(OFFSETS_TOPIC) {
            return;
        }
        let leads = self.replicas.get(&tp).is_some_and(|r| r.leader().is_some());
        match (leads, self.shards.contains_key(&tp)) {
            (true, false) => {
                // It takes a moment.
                let ready = out.now.plus(Ms(1));
                self.shards.insert(tp, Shard::new(ready));
                if self.common.by_hand {
                    self.load_shard(tp, out);
                } else {
                    self.wake_shard(tp, out);
                }
            }
            (false, true) => {
                if let Some(shard) = self.shards.remove(&tp) {
                    for (asked, answer) in shard.dismiss() {
                        self.answer_group(&asked, answer, out.cause, out);
                    }
                }
            }
            _ => {}
        }
    }

    /// The high watermark of a led partition has moved.
    pub(super) fn coordinator_advanced(&mut self, tp: Tp, out: &mut Out) {
        if self.shards.get(&tp).is_some_and(|s| s.loading.is_none()) {
            self.on_shard(tp, out, |shard, job| shard.advanced(job));
        }
    }

    /// A transaction's marker was appended to a led partition of `__consumer_offsets`, below
    /// `until`: the commits of that transaction count, or are forgotten (R-COM-11). They are seen
    /// once the high watermark is there; call it before `after_leader_change`.
    pub fn transaction_ended(&mut self, tp: Tp, producer_id: i64, commit: bool, until: Boundary) {
        if let Some(shard) = self.shards.get_mut(&tp)
            && shard.loading.is_none()
        {
            shard.transaction_ended(producer_id, commit, until);
        }
    }

    /// A topic is gone (R-GRP-6).
    pub(super) fn coordinator_topic_deleted(&mut self, topic: TopicId, out: &mut Out) {
        let all: Vec<Tp> = self.shards.keys().copied().collect();
        for tp in all {
            if self.shards.get(&tp).is_some_and(|s| s.loading.is_none()) {
                self.on_shard(tp, out, |shard, job| shard.topic_deleted(topic, job));
            }
        }
    }

    /// All that it coordinates, for comparing worlds.
    pub fn hash_groups(&self, state: &mut impl std::hash::Hasher) {
        use std::hash::Hash;
        for shard in &self.shards {
            shard.hash(state);
        }
    }

    /// Whether it is still reading the log of a partition of `__consumer_offsets`.
    pub fn is_loading_groups(&self) -> bool {
        self.shards.values().any(|s| s.loading.is_some())
    }

    /// The groups this broker coordinates, as far as it has read their logs.
    pub fn groups(&self) -> Vec<(Tp, GroupView)> {
        let mut all = Vec::new();
        for (tp, shard) in &self.shards {
            if let (None, Some(replica)) = (shard.loading, self.replicas.get(tp)) {
                let views = shard.views(replica.log.high_watermark());
                all.extend(views.into_iter().map(|view| (*tp, view)));
            }
        }
        all
    }

    /// The partition of the internal topic that a group or transactional id belongs to, as far as
    /// this broker's metadata knows it.
    pub fn coordinator_partition(&self, kind: CoordinatorKind, key: &str) -> Option<Tp> {
        let name = internal_topic(kind);
        let topic = self.image.topic(name)?;
        let tp = Tp {
            topic,
            partition: partition_for(key),
        };
        self.image.partitions.contains_key(&tp).then_some(tp)
    }

    /// FindCoordinator: the leader of the partition. A partition that is not there yet is asked
    /// for at the controller, and the client asks again.
    fn find_coordinator(
        &mut self,
        kind: CoordinatorKind,
        key: &Name,
        out: &mut Out,
    ) -> Result<BrokerId, KafkaError> {
        if key.is_empty() && kind == CoordinatorKind::Transaction {
            return Err(KafkaError::InvalidRequest);
        }
        let Some(tp) = self.coordinator_partition(kind, key) else {
            let body = Body::CreateInternal {
                topic: internal_topic(kind).into(),
                partition: partition_for(key),
            };
            out.request(self.node(), NodeId::Controller, body, out.cause);
            return Err(KafkaError::CoordinatorNotAvailable);
        };
        let leader = self.image.partitions.get(&tp).and_then(|reg| reg.leader);
        leader.ok_or(KafkaError::CoordinatorNotAvailable)
    }
}

/// The topic that holds the state of coordinators of this kind.
pub fn internal_topic(kind: CoordinatorKind) -> &'static str {
    match kind {
        CoordinatorKind::Group => OFFSETS_TOPIC,
        CoordinatorKind::Transaction => TRANSACTION_TOPIC,
    }
}
