//! Becoming leader or follower, as new metadata says.

use super::{Context, FetchState, Follower, Leader, Remote, Replica, Role, Waiting};
use crate::kafka::event::EventKind;
use crate::kafka::metadata::PartitionReg;
use crate::kafka::out::Out;
use crate::kafka::switches::Truncation;

/// What became of a replica when new metadata came.
#[derive(Debug, Default)]
pub struct RoleChange {
    /// It has a new leader epoch (and so a new role, or the same anew).
    pub new_epoch: bool,
    /// Produce requests that waited and must now be refused (R-ACK-10).
    pub dismissed: Vec<Waiting>,
    /// The high watermark moved.
    pub high_watermark_moved: bool,
}

impl Replica {
    /// Takes over what the metadata says of the partition. Older metadata is ignored (R-ALT-5).
    pub fn apply(&mut self, reg: &PartitionReg, ctx: Context<'_>, out: &mut Out) -> RoleChange {
        if reg.partition_epoch < self.partition_epoch {
            return RoleChange::default();
        }
        if reg.leader == Some(ctx.me) {
            self.lead(reg, ctx, out)
        } else {
            self.follow(reg, ctx, out)
        }
    }

    fn lead(&mut self, reg: &PartitionReg, ctx: Context<'_>, out: &mut Out) -> RoleChange {
        let new_epoch = reg.leader_epoch > self.leader_epoch;
        let end = self.log.end();
        let was_leader = matches!(self.role, Role::Leader(_));
        self.leader_epoch = reg.leader_epoch;
        if !was_leader {
            self.role = Role::Leader(Box::new(Leader {
                replicas: Vec::new(),
                isr: reg.isr,
                recovery: reg.recovery,
                pending: None,
                epoch_start: end,
                remotes: Default::default(),
                waiting: Vec::new(),
                deletes: Vec::new(),
                cause: out.cause,
            }));
        }
        if new_epoch {
            // The entry is made even if nothing is ever written in this epoch (R-EPO-4, R-EPC-4).
            self.log.assign_epoch(reg.leader_epoch, end);
        }
        let now = out.now;
        let tp = self.tp;
        if let Some(leader) = self.leader_mut() {
            leader.replicas.clone_from(&reg.replicas);
            leader.remotes.retain(|b, _| reg.replicas.contains(b));
            for &broker in reg.replicas.iter().filter(|b| **b != ctx.me) {
                let remote = leader.remotes.entry(broker).or_insert_with(Remote::default);
                if new_epoch {
                    remote.reset(now, end, !was_leader, reg.isr.contains(broker));
                }
            }
            if new_epoch {
                leader.epoch_start = end;
                leader.isr = reg.isr;
            }
        }
        // The metadata behind an answer that was taken in already says nothing of a change that has
        // been asked for since (docs/invariants.md: Kafka forgets the change here).
        let known = !new_epoch && reg.partition_epoch == self.partition_epoch;
        let asking = self
            .leader()
            .and_then(|l| l.pending.as_ref())
            .is_some_and(|p| p.in_flight.is_some());
        if !(known && asking && ctx.switches.metadata_keeps_pending_change) {
            self.learn_isr(reg, ctx, out);
        }
        if new_epoch {
            let cause = out.emit(EventKind::BecameLeader {
                broker: ctx.me,
                tp,
                epoch: reg.leader_epoch,
                start: end,
            });
            if let Some(leader) = self.leader_mut() {
                leader.cause = cause;
            }
            out.cause = cause;
        }
        let high_watermark_moved = self.maybe_increment_high_watermark(ctx, out);
        RoleChange {
            new_epoch,
            dismissed: Vec::new(),
            high_watermark_moved,
        }
    }

    fn follow(&mut self, reg: &PartitionReg, ctx: Context<'_>, out: &mut Out) -> RoleChange {
        let new_epoch = reg.leader_epoch > self.leader_epoch;
        let mut dismissed = Vec::new();
        if let Role::Leader(leader) = &mut self.role {
            dismissed = std::mem::take(&mut leader.waiting);
        }
        self.partition_epoch = reg.partition_epoch;
        if !new_epoch && matches!(self.role, Role::Follower(_)) {
            // An ISR change alone does not disturb the fetching (R-EPO-5).
            return RoleChange::default();
        }
        let same_leader = self.follower().is_some_and(|f| f.leader == reg.leader);
        self.leader_epoch = reg.leader_epoch;
        let cause = out.emit(EventKind::BecameFollower {
            broker: ctx.me,
            tp: self.tp,
            epoch: reg.leader_epoch,
            leader: reg.leader,
        });
        let check = ctx.switches.truncate_on_epoch_change || !same_leader;
        let state = match ctx.switches.truncation {
            Truncation::Kip101 | Truncation::Kip279
                if check && self.log.latest_epoch().is_some() =>
            {
                FetchState::AskingEpoch
            }
            _ => FetchState::Fetching,
        };
        self.role = Role::Follower(Follower {
            leader: reg.leader,
            state,
            lag: None,
            cause,
        });
        if reg.leader.is_some() {
            self.maybe_truncate_to_high_watermark(check, ctx, out);
        }
        RoleChange {
            new_epoch,
            dismissed,
            high_watermark_moved: false,
        }
    }
}
