//! What is true of the whole and known to no node: which records were confirmed, and which of
//! them are gone.

use super::World;
use super::machine::{Machine, MachineState};
use super::truth::Truth;
use crate::kafka::event::{Cause, EventKind};
use crate::kafka::ids::*;
use crate::kafka::map::{Map, Set};
use crate::kafka::message::{Acks, Asker, Body, Message, NodeId};
use crate::kafka::metadata::Image;
use crate::kafka::partition::Shown;
use std::rc::Rc;

/// A record a producer was told is stored.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Confirmed {
    /// Its number.
    pub offset: Offset,
    /// The leader epoch it was written in.
    pub epoch: Epoch,
    /// Its value.
    pub value: Option<Rc<str>>,
    /// The acks it was confirmed under.
    pub acks: Acks,
    /// It is gone: no clean leader will have it.
    pub lost: bool,
}

/// Facts about the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ghost {
    /// Confirmed records by partition, in the order of their epochs and numbers.
    pub confirmed: Map<Tp, Vec<Confirmed>>,
    /// Produce requests that a broker is dealing with: acks and number of records.
    asked: Map<Correlation, (Acks, u32)>,
    /// What is true of each partition.
    pub truth: Map<Tp, Truth>,
    /// The controller's image when it was last looked at.
    pub image: Shown<Rc<Image>>,
    /// Fetches under way of consumers that read committed transactions alone. It decides nothing, as
    /// the two below: worlds are the same without.
    pub committed_only: Shown<Set<Correlation>>,
    /// The last stable offset of each leader, and the leader epoch it had it in.
    pub stable: Shown<Map<(BrokerId, Tp), (Epoch, Boundary)>>,
    /// How far each group has come: the highest position of any consumer, or what somebody set.
    pub reached: Shown<Map<(Rc<str>, Tp), Boundary>>,
}

impl Ghost {
    /// A broker's process has ended.
    pub fn ended(&mut self, id: BrokerId) {
        for truth in self.truth.values_mut() {
            truth.seen.remove(&id);
        }
        self.stable.0.retain(|(broker, _), _| *broker != id);
    }

    /// A broker's disk lost records of a partition.
    pub fn disk_lost(&mut self, id: BrokerId, tp: Tp) {
        self.truth.entry(tp).or_default().damaged.insert(id);
    }

    /// A broker's disk was replaced.
    pub fn all_lost(&mut self, id: BrokerId) {
        for truth in self.truth.values_mut() {
            truth.damaged.insert(id);
        }
    }

    /// A group may commit as far as this.
    pub fn may_commit(&mut self, group: &Rc<str>, tp: Tp, to: Boundary) {
        let reached = self.reached.0.entry((group.clone(), tp)).or_insert(to);
        *reached = to.max(*reached);
    }

    /// A broker is about to handle a request.
    pub fn saw_request(&mut self, message: &Message) {
        if let Body::Fetch(request) = &message.body
            && let Asker::Consumer {
                read_committed: true,
                ..
            } = request.asker
        {
            self.committed_only.0.insert(message.correlation);
        }
        if let Body::Produce { batch, acks, .. } = &message.body
            && *acks != Acks::None
        {
            self.asked
                .insert(message.correlation, (*acks, batch.records.len() as u32));
        }
    }

    /// A node sends: a broker's answer to a produce confirms records. The acks they were sent
    /// with and their number.
    pub fn saw_send(
        &mut self,
        machines: &Map<BrokerId, Machine>,
        correlation: Correlation,
        from: NodeId,
        body: &Body,
    ) -> Option<(Acks, u32)> {
        let Body::ProduceAnswer { tp, result, .. } = body else {
            return None;
        };
        let (acks, count) = self.asked.remove(&correlation)?;
        let (Ok(base), NodeId::Broker(id)) = (result, from) else {
            return None;
        };
        let log = machines
            .get(&id)
            .and_then(Machine::broker)
            .and_then(|b| b.replicas.get(tp))
            .map(|r| &r.log);
        let log = log?;
        let all = self.confirmed.entry(*tp).or_default();
        for offset in (base.0..base.0 + i64::from(count)).map(Offset) {
            let Some((epoch, value)) = find(log, offset) else {
                continue;
            };
            let place = all.binary_search_by_key(&(epoch, offset), |c| (c.epoch, c.offset));
            if let Err(at) = place {
                let record = Confirmed {
                    offset,
                    epoch,
                    value,
                    acks,
                    lost: false,
                };
                all.insert(at, record);
            }
        }
        Some((acks, count))
    }
}

/// Epoch and value of a record in a log.
pub fn find(log: &crate::kafka::log::Log, offset: Offset) -> Option<(Epoch, Option<Rc<str>>)> {
    let batches = log.batches();
    let at = batches.partition_point(|b| b.last < offset);
    let batch = batches.get(at).filter(|b| b.base <= offset)?;
    let record = batch.records.iter().find(|r| r.offset == offset)?;
    Some((batch.epoch, record.value.clone()))
}

impl World {
    /// Looks whether the present leaders lack confirmed records. A leader is asked only once it
    /// knows that it leads; what it lacks then, no clean leader after it will have.
    pub(super) fn look_for_losses(&mut self) {
        let mut lost = Vec::new();
        for (tp, all) in &self.ghost.confirmed {
            let Some(reg) = self.controller.image().partitions.get(tp) else {
                continue;
            };
            let Some(leader) = reg.leader else { continue };
            let Some(MachineState::On(node)) = self.machines.get(&leader).map(|m| &m.state) else {
                continue;
            };
            let Some(replica) = node.replicas.get(tp) else {
                continue;
            };
            if replica.leader_epoch != reg.leader_epoch || replica.leader().is_none() {
                continue;
            }
            let log = &replica.log;
            let truth = self.ghost.truth.get(tp);
            let superseded = |offset| {
                let known = truth.and_then(|t| t.record(offset));
                known.is_some_and(|(_, r)| truth.is_some_and(|t| t.may_be_gone(r)))
            };
            for (at, record) in all.iter().enumerate() {
                let gone = record.offset.before() >= log.start()
                    && match find(log, record.offset) {
                        Some((epoch, _)) => epoch != record.epoch,
                        None => !superseded(record.offset),
                    };
                if gone && !record.lost {
                    lost.push((*tp, at));
                }
            }
        }
        for (tp, at) in lost {
            let Some(record) = self
                .ghost
                .confirmed
                .get_mut(&tp)
                .and_then(|all| all.get_mut(at))
            else {
                continue;
            };
            record.lost = true;
            let (offset, value) = (record.offset, record.value.clone());
            let mut out = self.out(Cause::default());
            out.emit(EventKind::ConfirmedLost { tp, offset, value });
            self.take(out);
        }
    }

    /// The brokers whose log still holds a record.
    pub(super) fn holders(&self, tp: Tp, offset: Offset, epoch: Epoch) -> BrokerSet {
        self.machines
            .keys()
            .copied()
            .filter(|id| {
                self.log_of(*id, tp)
                    .and_then(|log| find(log, offset))
                    .is_some_and(|(e, _)| e == epoch)
            })
            .collect()
    }
}
