//! Where consumers stand and what they commit: I20.

use super::*;
use crate::kafka::client::consumer::PollResult;
use crate::kafka::group::message::{CommitPart, GroupRequest};
use crate::kafka::message::{Body, NodeId};
use crate::world::client_node::Kind;

impl World {
    /// I20, a poll has ended: the position is behind the last record that was returned, or further
    /// on where only markers, aborted records and holes lie between (R-CON-1, R-CON-2).
    pub(in crate::world) fn polled(&mut self, id: ClientId, result: &PollResult) {
        let mut found = Found::default();
        let Some(Kind::Consumer(consumer)) = self.clients.get(id.0 as usize).map(|c| &c.kind)
        else {
            return;
        };
        let read_committed = consumer.settings().read_committed;
        for (tp, position) in &result.positions {
            let last = result.records.iter().rfind(|r| r.0 == *tp);
            let (Some(position), Some(last)) = (position, last) else {
                continue;
            };
            let behind = last.1.after();
            let name = || self.controller.image().partition_name(*tp);
            if *position < behind {
                let text = format!(
                    "a poll returned record {} of {} and left the position at {position}",
                    last.1,
                    name()
                );
                found.add(POSITION_LAW, *tp, text);
                continue;
            }
            let truth = self.ghost.truth.get(tp).filter(|t| t.holds_good());
            let data = |offset: Offset, epoch: Epoch| {
                let mut logs = self.machines.keys().filter_map(|b| self.log_of(*b, *tp));
                logs.any(|log| {
                    let at = log.batches().partition_point(|b| b.last < offset);
                    let batch = log.batches().get(at);
                    batch
                        .filter(|b| b.epoch == epoch && b.control.is_none())
                        .is_some()
                })
            };
            let passed = (behind.0..position.0).map(Offset).find(|offset| {
                truth.filter(|t| t.counts(last.2)).is_some_and(|t| {
                    t.record(*offset).is_some_and(|(epoch, r)| {
                        let skipped = read_committed && t.in_transaction(*offset);
                        !t.may_be_gone(r) && !skipped && data(*offset, *epoch)
                    })
                })
            });
            if let Some(passed) = passed {
                let text = format!(
                    "a poll returned {} up to record {} and moved the position to {position}, past record {passed}",
                    name(),
                    last.1
                );
                found.add(POSITION_LAW, *tp, text);
            }
        }
        self.report(found);
        self.reached_by(id);
    }

    /// Notes how far a consumer has come, for its group.
    pub(in crate::world) fn reached_by(&mut self, id: ClientId) {
        let Some(Kind::Consumer(consumer)) = self.clients.get(id.0 as usize).map(|c| &c.kind)
        else {
            return;
        };
        let Some(group) = consumer.settings().group.clone() else {
            return;
        };
        for tp in consumer.assignment() {
            if let Some((position, _)) = consumer.read_position(tp) {
                self.ghost.may_commit(&group, tp, position);
            }
        }
    }

    /// The application, or whoever else writes commits by hand, sets a value of its own (R-COM-2).
    pub(in crate::world) fn set_by_hand(&mut self, group: &Rc<str>, offsets: &[CommitPart]) {
        for (tp, committed) in offsets {
            self.ghost.may_commit(group, *tp, committed.offset);
        }
    }

    /// I20, somebody commits: a consumer no more than any of its group has ever reached, or somebody
    /// has set (runs/o16).
    pub(super) fn commits(&mut self, from: NodeId, body: &Body, found: &mut Found) {
        let NodeId::Client(id) = from else {
            return;
        };
        let (group, offsets) = match body {
            Body::Group(GroupRequest::Commit { group, offsets, .. })
            | Body::Group(GroupRequest::TransactionCommit { group, offsets, .. }) => {
                (group, offsets)
            }
            _ => return,
        };
        let kind = self.clients.get(id.0 as usize).map(|c| &c.kind);
        if !matches!(kind, Some(Kind::Consumer(_))) {
            return self.set_by_hand(group, offsets);
        }
        self.reached_by(id);
        for (tp, committed) in offsets {
            let reached = self.ghost.reached.0.get(&(group.clone(), *tp)).copied();
            if reached.is_none_or(|reached| committed.offset > reached) {
                let reached = reached.map_or_else(|| "nothing".into(), |r| r.to_string());
                let text = format!(
                    "the group {group} commits {} of {}; its consumers have reached {reached}",
                    committed.offset,
                    self.controller.image().partition_name(*tp)
                );
                found.add(POSITION_LAW, *tp, text);
            }
        }
    }
}
