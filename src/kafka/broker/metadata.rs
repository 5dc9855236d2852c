//! Fetching and applying the metadata log.

use super::{Broker, Lifecycle, Purpose};
use crate::kafka::event::EventKind;
use crate::kafka::ids::*;
use crate::kafka::log::Log;
use crate::kafka::map::Set;
use crate::kafka::message::{Body, NodeId};
use crate::kafka::metadata::{Image, MetaRecord, PartitionReg};
use crate::kafka::out::{BrokerTimer, Out};
use crate::kafka::partition::Replica;
use std::rc::Rc;

impl Broker {
    /// Asks the controller for what comes after the metadata it has.
    pub(super) fn fetch_metadata(&mut self, out: &mut Out) {
        let body = Body::MetaFetch {
            after: self.seen.offset,
        };
        let cause = crate::kafka::event::Cause::default();
        let correlation = self.request(NodeId::Controller, body, Purpose::MetaFetch, cause, out);
        let due = out.now.plus(self.common.server.controller_request_timeout);
        self.remind(due, BrokerTimer::Unanswered(correlation), out);
    }

    pub(super) fn metadata_arrived(&mut self, records: &[(MetaRecord, Rc<Image>)], out: &mut Out) {
        let next = |seen: &Image| seen.offset.0 + 1;
        let mut touched = Set::new();
        let mut removed = Vec::new();
        let mut news = false;
        for (record, image) in records {
            if image.offset.0 < next(&self.seen) {
                continue; // had already
            }
            news = true;
            self.seen = image.clone();
            match record {
                MetaRecord::Partition { tp, .. } => {
                    touched.insert(*tp);
                }
                MetaRecord::RemoveTopic { topic } => {
                    let gone = self.replicas.keys().copied();
                    touched.extend(gone.filter(|tp| tp.topic == *topic));
                    removed.push(*topic);
                }
                _ => {}
            }
        }
        let acts = match self.lifecycle {
            Lifecycle::Registering | Lifecycle::CatchingUp => {
                !self.common.switches.restart_catches_up_metadata
            }
            Lifecycle::Running | Lifecycle::ShuttingDown { .. } => true,
            Lifecycle::Stopped => false,
        };
        if news && acts {
            self.image = self.seen.clone();
            let cause = out.emit(EventKind::MetadataApplied {
                broker: self.id,
                offset: self.image.offset,
            });
            out.cause = cause;
            for tp in touched {
                self.apply_partition(tp, out);
            }
            for topic in removed {
                self.coordinator_topic_deleted(topic, out);
            }
            self.recheck_deletes(out);
            self.wake_cleaner(out);
            self.drive_all(out);
        }
        self.maybe_caught_up(out);
        self.fetch_metadata(out);
    }

    /// Takes over the whole of the metadata it has fetched, as at the end of a start.
    pub(super) fn publish_all(&mut self, out: &mut Out) {
        self.image = self.seen.clone();
        let cause = out.emit(EventKind::MetadataApplied {
            broker: self.id,
            offset: self.image.offset,
        });
        out.cause = cause;
        let mut all: Set<Tp> = self.image.partitions.keys().copied().collect();
        all.extend(self.replicas.keys().copied());
        for tp in all {
            self.apply_partition(tp, out);
        }
        if self.new_directory
            && let Some(broker_epoch) = self.epoch
        {
            self.new_directory = false;
            for tp in self.replicas.keys().copied().collect::<Vec<_>>() {
                let body = Body::AssignDirectory { broker_epoch, tp };
                out.request(self.node(), NodeId::Controller, body, out.cause);
            }
        }
        self.wake_cleaner(out);
        self.drive_all(out);
    }

    fn apply_partition(&mut self, tp: Tp, out: &mut Out) {
        let deleted = |t: &crate::kafka::metadata::TopicReg| t.deleted;
        let reg = match self.image.partitions.get(&tp) {
            Some(reg) if reg.replicas.contains(&self.id) => reg.clone(),
            Some(_) => return self.delete_replica(tp, out),
            None if self.image.topic_reg(tp.topic).is_some_and(deleted) => {
                return self.delete_replica(tp, out);
            }
            None => return,
        };
        self.replicas
            .entry(tp)
            .or_insert_with(|| Replica::new(tp, Log::new()));
        let outer = out.cause;
        self.change_role(tp, &reg, out);
        self.update_coordinator(tp, out);
        out.cause = outer;
    }

    fn delete_replica(&mut self, tp: Tp, out: &mut Out) {
        if self.replicas.remove(&tp).is_some() {
            self.checkpoint.remove(&tp);
            out.emit(EventKind::ReplicaDeleted {
                broker: self.id,
                tp,
            });
            self.recheck_parked(tp, out);
            self.update_coordinator(tp, out);
        }
    }

    fn change_role(&mut self, tp: Tp, reg: &PartitionReg, out: &mut Out) {
        let Some(change) = self.with(tp, out, |r, ctx, out| r.apply(reg, ctx, out)) else {
            return;
        };
        for waiting in change.dismissed {
            let refused = Err(crate::kafka::error::KafkaError::NotLeaderOrFollower);
            self.answer_produce(waiting.correlation, waiting.from, tp, refused, out);
        }
        if self.is_shutting_down() && !reg.isr.contains(self.id) {
            // A stopping broker that is out of the ISR does not fetch any more (ReplicaManager).
            if let Some(follower) = self.replicas.get_mut(&tp).and_then(|r| r.follower_mut()) {
                follower.leader = None;
            }
        }
        if change.new_epoch {
            if self.replicas.get(&tp).is_some_and(|r| r.leader().is_none()) {
                self.markers_dismissed(tp, out);
            }
            self.transactions_role(tp, out);
        }
        if change.high_watermark_moved {
            self.after_leader_change(tp, true, out);
        } else if change.new_epoch {
            self.recheck_parked(tp, out);
        }
    }
}
