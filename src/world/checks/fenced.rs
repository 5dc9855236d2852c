//! I16: a request that carries an older epoch than its receiver knows changes nothing there. I19: nor
//! does a commit of an older generation.

use super::*;
use crate::kafka::group::message::{GroupKind, GroupRequest};
use crate::kafka::message::{Asker, Body, Message, NodeId};
use crate::kafka::partition::Replica;

/// What an outdated request must leave as it is.
#[derive(Debug)]
pub(in crate::world) enum Fenced {
    /// The controller's metadata log.
    Controller(MetaOffset),
    /// Replicas of a broker.
    Replicas(BrokerId, Vec<Replica>),
    /// A coordinator's log ends there (I19).
    Commits(BrokerId, Tp, Boundary),
}

impl World {
    /// Before a message is handled: what must not change, if it is outdated.
    pub(in crate::world) fn outdated(&self, message: &Message) -> Option<Fenced> {
        let image = self.controller.image();
        match (&message.body, message.to) {
            (
                Body::AlterPartition {
                    broker_epoch,
                    tp,
                    leader_epoch,
                    partition_epoch,
                    ..
                },
                NodeId::Controller,
            ) => {
                let NodeId::Broker(from) = message.from else {
                    return None;
                };
                let stale = image
                    .brokers
                    .get(&from)
                    .is_none_or(|b| *broker_epoch < b.epoch)
                    || image.partitions.get(tp).is_none_or(|p| {
                        *leader_epoch < p.leader_epoch || *partition_epoch < p.partition_epoch
                    });
                stale.then_some(Fenced::Controller(image.offset))
            }
            (Body::Heartbeat { epoch, .. }, NodeId::Controller) => {
                let NodeId::Broker(from) = message.from else {
                    return None;
                };
                let stale = image.brokers.get(&from).is_none_or(|b| *epoch < b.epoch);
                stale.then_some(Fenced::Controller(image.offset))
            }
            (Body::Fetch(request), NodeId::Broker(id))
                if self.common.switches.fetch_epoch_check =>
            {
                let broker = self.machines.get(&id)?.broker()?;
                let Asker::Replica { id: asker, epoch } = &request.asker else {
                    return None;
                };
                let stale = |part: &crate::kafka::message::FetchPart| {
                    let replica = broker.replicas.get(&part.tp)?;
                    let old_start = replica
                        .leader()
                        .and_then(|l| l.remotes.get(asker))
                        .is_some_and(|r| {
                            r.broker_epoch
                                .zip(*epoch)
                                .is_some_and(|(known, told)| told < known)
                        });
                    let old = part
                        .current_leader_epoch
                        .is_some_and(|e| e < replica.leader_epoch);
                    (old || old_start).then(|| replica.clone())
                };
                let kept: Vec<Replica> = request.parts.iter().filter_map(stale).collect();
                (!kept.is_empty()).then_some(Fenced::Replicas(id, kept))
            }
            (Body::Group(request), NodeId::Broker(id)) => self.old_commit(id, request),
            _ => None,
        }
    }

    /// I19: a commit of a classic group's older generation is refused (R-COM-6). In the consumer
    /// protocol some are taken (R-COM-10), so nothing is asked of it.
    fn old_commit(&self, id: BrokerId, request: &GroupRequest) -> Option<Fenced> {
        let (GroupRequest::Commit { group, member, .. }
        | GroupRequest::TransactionCommit { group, member, .. }) = request
        else {
            return None;
        };
        if member.generation < 0 {
            return None;
        }
        let broker = self.machines.get(&id)?.broker()?;
        let old = |view: &crate::kafka::group::message::GroupView| {
            view.group == *group
                && view.kind == GroupKind::Classic
                && member.generation < view.epoch
        };
        let (tp, _) = broker.groups().into_iter().find(|(_, view)| old(view))?;
        let end = broker.replicas.get(&tp)?.log.end();
        Some(Fenced::Commits(id, tp, end))
    }

    /// After it was handled.
    pub(in crate::world) fn still_as_it_was(&mut self, fenced: &Fenced, message: &Message) {
        let mut found = Found::default();
        let what = crate::world::look::name(&message.body);
        match fenced {
            Fenced::Controller(offset) => {
                if self.controller.image().offset != *offset {
                    let text = format!("an outdated {what} changed the controller's state");
                    found.0.push(Violation {
                        id: FENCED_CHANGES_NOTHING.0,
                        name: FENCED_CHANGES_NOTHING.1,
                        tp: None,
                        text: text.into(),
                    });
                }
            }
            Fenced::Commits(id, tp, end) => {
                let now = self.log_of(*id, *tp).map(Log::end);
                if now.is_some_and(|now| now > *end) {
                    let text = format!(
                        "broker {id} took an {what} of an older generation than its group's"
                    );
                    found.add(COMMIT_FENCED, *tp, text);
                }
            }
            Fenced::Replicas(id, kept) => {
                let Some(broker) = self.machines.get(id).and_then(|m| m.broker()) else {
                    return;
                };
                for replica in kept {
                    if broker.replicas.get(&replica.tp) != Some(replica) {
                        let name = self.controller.image().partition_name(replica.tp);
                        let text = format!("an outdated {what} changed {name} on broker {id}");
                        found.add(FENCED_CHANGES_NOTHING, replica.tp, text);
                    }
                }
            }
        }
        self.report(found);
    }
}
