//! The phases of a classic group: members rejoin, the leader shares out, all is stable
//! (R-REB-1 to R-REB-3).

use super::Name;
use super::classic::{ClassicGroup, JoinPhase};
use super::job::{Asked, Job, Then};
use super::message::{Assignor, GroupAnswer, GroupState, JoinMember, Joined};
use super::records::Entry;
use crate::kafka::error::KafkaError;
use crate::kafka::event::LeaveReason;
use crate::kafka::ids::*;
use crate::kafka::map::Set;

impl ClassicGroup {
    /// Goes over to a state.
    pub(super) fn go(&mut self, name: &Name, to: GroupState, job: &mut Job<'_, '_>) {
        let from = std::mem::replace(&mut self.state, to);
        self.since = job.now();
        job.changed(name, from, to, self.generation);
    }

    /// Whether every member has sent its JoinGroup, and nobody with a new id is still to.
    fn all_joined(&self) -> bool {
        self.pending.is_empty() && self.members.values().all(|m| m.joining.is_some())
    }

    /// The longest time a member may take to rejoin.
    fn rebalance_timeout(&self) -> Ms {
        let all = self.members.values().map(|m| m.rebalance_timeout);
        all.max().unwrap_or(Ms(0))
    }

    /// Begins a rebalance, or looks whether the one under way can go on.
    pub(super) fn prepare_or_complete(&mut self, name: &Name, job: &mut Job<'_, '_>) {
        if self.state == GroupState::PreparingRebalance {
            self.maybe_complete(name, job);
        } else {
            self.prepare(name, job);
        }
    }

    /// Begins a rebalance: all members are to rejoin. The first of an empty group waits for more
    /// members to come (R-REB-3).
    pub(super) fn prepare(&mut self, name: &Name, job: &mut Job<'_, '_>) {
        if self.state == GroupState::CompletingRebalance {
            self.dismiss_syncs(KafkaError::RebalanceInProgress, job);
        }
        self.sync_due = None;
        let first = self.state == GroupState::Empty;
        self.go(name, GroupState::PreparingRebalance, job);
        if first && !job.env.by_hand {
            let delay = job.env.server.group_initial_rebalance_delay;
            let rest = self.rebalance_timeout().since(delay);
            self.new_member = false;
            self.join = Some(JoinPhase::Initial {
                due: job.now().plus(delay),
                delay,
                rest: rest.max(Ms(0)),
            });
        } else if self.all_joined() {
            self.complete(name, job);
        } else {
            let due = job.now().plus(self.rebalance_timeout());
            self.join = Some(JoinPhase::Wait { due });
        }
    }

    /// The join phase ends once everybody is there, but for the first rebalance of an empty group.
    pub(super) fn maybe_complete(&mut self, name: &Name, job: &mut Job<'_, '_>) {
        let initial = matches!(self.join, Some(JoinPhase::Initial { .. }));
        if self.state == GroupState::PreparingRebalance && !initial && self.all_joined() {
            self.complete(name, job);
        }
    }

    /// The time of the join phase is over.
    pub(super) fn join_over(&mut self, name: &Name, job: &mut Job<'_, '_>) {
        if let Some(JoinPhase::Initial { delay, rest, .. }) = self.join
            && self.new_member
            && rest > Ms(0)
        {
            self.new_member = false;
            let again = job.env.server.group_initial_rebalance_delay.min(rest);
            self.join = Some(JoinPhase::Initial {
                due: job.now().plus(again),
                delay: again,
                rest: rest.since(delay).max(Ms(0)),
            });
            return;
        }
        self.complete(name, job);
    }

    /// Ends the join phase: dynamic members that are not there are out, the generation rises
    /// (R-REB-2), and everybody is told.
    fn complete(&mut self, name: &Name, job: &mut Job<'_, '_>) {
        self.join = None;
        let absent = |m: &super::classic::Member| m.joining.is_none() && m.instance.is_none();
        let absent: Vec<Name> = self
            .members
            .iter()
            .filter(|(_, m)| absent(m))
            .map(|(id, _)| id.clone())
            .collect();
        for id in absent {
            self.take_out(name, &id, LeaveReason::Rebalance, job);
        }
        if !self.members.is_empty() && !self.elect_leader() {
            // Only static members are left, and none of them is there: wait on.
            let due = job.now().plus(self.rebalance_timeout());
            self.join = Some(JoinPhase::Wait { due });
            return;
        }
        self.generation += 1;
        self.unsynced.clear();
        let topics = self.members.values().flat_map(|m| m.topics.clone());
        self.topics = Some(topics.collect::<Set<_>>().into_iter().collect());
        if self.members.is_empty() {
            self.assignor = None;
            self.leader = None;
            self.go(name, GroupState::Empty, job);
            let record = Entry::Classic(name.clone(), Some(self.record()));
            job.write(vec![record], Vec::new());
            return;
        }
        self.assignor = self.choose_assignor();
        self.go(name, GroupState::CompletingRebalance, job);
        let ids: Vec<Name> = self.members.keys().cloned().collect();
        for id in ids {
            let answer = self.told(&id);
            if let Some(member) = self.members.get_mut(&id) {
                member.deadline = job.now().plus(member.session_timeout);
                member.is_new = false;
                if let Some(asked) = member.joining.take() {
                    job.answer(&asked, GroupAnswer::Joined(Ok(answer)));
                }
            }
            self.unsynced.insert(id);
        }
        self.sync_due = Some(job.now().plus(self.rebalance_timeout()));
    }

    /// What a member is told of the present generation; the leader of all members.
    pub(super) fn told(&self, id: &Name) -> Joined {
        let leads = self.leader.as_ref() == Some(id);
        let members = self.members.iter().filter(|_| leads);
        Joined {
            member: id.clone(),
            generation: self.generation,
            assignor: self.assignor.unwrap_or_default(),
            leader: self.leader.clone().unwrap_or_else(|| "".into()),
            members: members
                .map(|(id, m)| JoinMember {
                    id: id.clone(),
                    instance: m.instance.clone(),
                    topics: m.topics.clone(),
                    owned: m.owned.clone(),
                })
                .collect(),
        }
    }

    /// The leader stays if it rejoined; else the first that did leads.
    fn elect_leader(&mut self) -> bool {
        let there = |id: &Name| self.members.get(id).is_some_and(|m| m.joining.is_some());
        if !self.leader.as_ref().is_some_and(there) {
            let first = self.members.keys().find(|id| there(id)).cloned();
            if first.is_none() {
                return false;
            }
            self.leader = first;
        }
        true
    }

    /// The strategies that every member can do.
    pub(super) fn common_assignors(&self) -> Vec<Assignor> {
        let mut members = self.members.values();
        let mut common = members.next().map(|m| m.assignors.clone());
        for member in members {
            if let Some(common) = &mut common {
                common.retain(|a| member.assignors.contains(a));
            }
        }
        common.unwrap_or_default()
    }

    /// Each member votes for the first it likes of those that all can do.
    pub(super) fn choose_assignor(&self) -> Option<Assignor> {
        let common = self.common_assignors();
        let votes = |a: &Assignor| {
            let vote = |m: &super::classic::Member| {
                m.assignors.iter().find(|a| common.contains(a)).copied()
            };
            self.members
                .values()
                .filter(|m| vote(m) == Some(*a))
                .count()
        };
        let best = common.iter().map(votes).max()?;
        common.iter().find(|a| votes(a) == best).copied()
    }

    /// Those that wait for their part are told that it does not come.
    fn dismiss_syncs(&mut self, error: KafkaError, job: &mut Job<'_, '_>) {
        for member in self.members.values_mut() {
            member.assignment.clear();
            if let Some(asked) = member.syncing.take() {
                job.answer(&asked, GroupAnswer::Synced(Err(error)));
            }
        }
    }

    /// SyncGroup.
    pub(super) fn sync(
        &mut self,
        name: &Name,
        asked: &Asked,
        who: &super::message::MemberRef,
        assignments: &[(Name, Vec<Tp>)],
        job: &mut Job<'_, '_>,
    ) {
        let valid = self.validate_member(&who.id, who.instance.as_ref());
        let error = match self.state {
            GroupState::Dead => Some(KafkaError::CoordinatorNotAvailable),
            _ if valid.is_err() => valid.err(),
            _ if who.generation != self.generation => Some(KafkaError::IllegalGeneration),
            GroupState::Empty => Some(KafkaError::UnknownMemberId),
            GroupState::PreparingRebalance => Some(KafkaError::RebalanceInProgress),
            _ => None,
        };
        if let Some(error) = error {
            return job.answer(asked, GroupAnswer::Synced(Err(error)));
        }
        self.unsynced.remove(&who.id);
        if self.unsynced.is_empty() {
            self.sync_due = None;
        }
        let leads = self.leader.as_ref() == Some(&who.id);
        let Some(member) = self.members.get_mut(&who.id) else {
            return;
        };
        if self.state == GroupState::Stable {
            member.deadline = job.now().plus(member.session_timeout);
            let assignment = member.assignment.clone();
            return job.answer(asked, GroupAnswer::Synced(Ok(assignment)));
        }
        member.syncing = Some(asked.clone());
        if leads {
            let mut record = self.record();
            for m in &mut record.members {
                let given = assignments.iter().find(|(id, _)| *id == m.id);
                m.assignment = given.map(|(_, tps)| tps.clone()).unwrap_or_default();
            }
            let then = Then::Synced(name.clone(), self.generation, assignments.to_vec());
            let record = Entry::Classic(name.clone(), Some(record));
            job.write(vec![record], vec![then]);
        }
    }

    /// The leader's plan is in the log (or could not be written): the group is stable.
    pub(super) fn synced(
        &mut self,
        name: &Name,
        generation: i32,
        assignments: &[(Name, Vec<Tp>)],
        result: Result<(), KafkaError>,
        job: &mut Job<'_, '_>,
    ) {
        if self.state != GroupState::CompletingRebalance || self.generation != generation {
            return;
        }
        if let Err(error) = result {
            self.dismiss_syncs(error, job);
            return self.prepare(name, job);
        }
        self.go(name, GroupState::Stable, job);
        for (id, member) in &mut self.members {
            let given = assignments.iter().find(|(m, _)| m == id);
            member.assignment = given.map(|(_, tps)| tps.clone()).unwrap_or_default();
            if let Some(asked) = member.syncing.take() {
                member.deadline = job.now().plus(member.session_timeout);
                let assignment = member.assignment.clone();
                job.answer(&asked, GroupAnswer::Synced(Ok(assignment)));
            }
        }
    }

    /// Takes a member out; the group goes on as it is.
    fn take_out(&mut self, name: &Name, id: &Name, why: LeaveReason, job: &mut Job<'_, '_>) {
        let Some(member) = self.members.remove(id) else {
            return;
        };
        let error = KafkaError::UnknownMemberId;
        if let Some(asked) = &member.joining {
            job.answer(asked, GroupAnswer::Joined(Err((error, id.clone()))));
        }
        if let Some(asked) = &member.syncing {
            job.answer(asked, GroupAnswer::Synced(Err(error)));
        }
        self.unsynced.remove(id);
        if self.leader.as_ref() == Some(id) {
            self.leader = self.members.keys().next().cloned();
        }
        job.left(name, id, member.client, why);
    }

    /// A member is gone: the others are to rejoin (R-REB-1).
    pub(super) fn remove(
        &mut self,
        name: &Name,
        id: &Name,
        why: LeaveReason,
        job: &mut Job<'_, '_>,
    ) {
        self.take_out(name, id, why, job);
        match self.state {
            GroupState::Stable | GroupState::CompletingRebalance => self.prepare(name, job),
            GroupState::PreparingRebalance if self.members.is_empty() => {
                self.join = None;
                self.maybe_complete(name, job);
            }
            GroupState::PreparingRebalance => self.maybe_complete(name, job),
            _ => {}
        }
    }

    /// Sessions, join phases and syncs whose time is over.
    pub(super) fn look(&mut self, name: &Name, job: &mut Job<'_, '_>) {
        let now = job.now();
        // First: a new member may wait as long as a rebalance may take.
        if self.join.as_ref().is_some_and(|j| j.due() <= now) {
            self.join_over(name, job);
        }
        let late: Vec<Name> = self
            .pending
            .iter()
            .filter(|(_, due)| **due <= now)
            .map(|(id, _)| id.clone())
            .collect();
        for id in late {
            self.pending.remove(&id);
            self.maybe_complete(name, job);
        }
        let ids: Vec<Name> = self.members.keys().cloned().collect();
        for id in ids {
            let Some(member) = self.members.get_mut(&id).filter(|m| m.deadline <= now) else {
                continue;
            };
            let waits = member.joining.is_some() || member.syncing.is_some();
            if waits && !member.is_new {
                member.deadline = now.plus(member.session_timeout);
            } else {
                self.remove(name, &id, LeaveReason::Session, job);
            }
        }
        if self.sync_due.is_some_and(|due| due <= now) {
            self.sync_due = None;
            let late: Vec<Name> = self.unsynced.iter().cloned().collect();
            for id in &late {
                self.take_out(name, id, LeaveReason::Rebalance, job);
            }
            if !late.is_empty() {
                self.prepare(name, job);
            }
        }
    }

    /// When something of it is due next.
    pub(super) fn next_due(&self) -> Option<Ms> {
        let members = self.members.values().map(|m| m.deadline);
        let pending = self.pending.values().copied();
        let phases = self.join.as_ref().map(JoinPhase::due).into_iter();
        members
            .chain(pending)
            .chain(phases)
            .chain(self.sync_due)
            .min()
    }
}
