//! Joining, beating and leaving in the classic protocol (R-REB-3, R-REB-4, R-REB-8).

use super::Name;
use super::classic::{ClassicGroup, Member};
use super::job::{Asked, Job, Then};
use super::message::{GroupAnswer, GroupState, Join, MemberRef};
use super::records::Entry;
use super::shard::{Group, Shard};
use crate::kafka::error::KafkaError;
use crate::kafka::event::LeaveReason;
use crate::kafka::ids::*;

/// How long a new member may wait for the others (CLASSIC_GROUP_NEW_MEMBER_JOIN_TIMEOUT_MS), ms.
const NEW_MEMBER_TIMEOUT: Ms = Ms(300_000);

impl Shard {
    /// JoinGroup.
    pub(super) fn join(&mut self, asked: &Asked, join: &Join, job: &mut Job<'_, '_>) {
        if let Err(error) = self.try_join(asked, join, job) {
            let answer = Err((error, join.member.clone()));
            job.answer(asked, GroupAnswer::Joined(answer));
        }
    }

    fn try_join(
        &mut self,
        asked: &Asked,
        join: &Join,
        job: &mut Job<'_, '_>,
    ) -> Result<(), KafkaError> {
        let name = &join.group;
        if name.is_empty() {
            return Err(KafkaError::InvalidGroupId);
        }
        let server = job.env.server;
        let allowed = server.group_min_session_timeout..=server.group_max_session_timeout;
        if !allowed.contains(&join.session_timeout) {
            return Err(KafkaError::InvalidSessionTimeout);
        }
        if join.assignors.is_empty() {
            return Err(KafkaError::InconsistentGroupProtocol);
        }
        self.make_classic(join, job)?;
        let Some(Group::Classic(group)) = self.groups.get_mut(name) else {
            return Err(KafkaError::UnknownMemberId);
        };
        if group.state == GroupState::Dead {
            return Err(KafkaError::CoordinatorNotAvailable);
        }
        let common = group.common_assignors();
        let speaks = |a| common.contains(a);
        if !group.members.is_empty() && !join.assignors.iter().any(speaks) {
            return Err(KafkaError::InconsistentGroupProtocol);
        }
        if !join.member.is_empty() {
            return group.rejoin(asked, join, job);
        }
        self.ids += 1;
        let of = join.instance.as_ref().unwrap_or(&join.client);
        // Another coordinator may have given the same number: then the epoch tells them apart.
        let id: Name = match job.env.leader_epoch {
            Epoch(0) => format!("{of}-{}", self.ids).into(),
            epoch => format!("{of}-{epoch}.{}", self.ids).into(),
        };
        let Some(instance) = &join.instance else {
            // A dynamic member comes back with the id it is given.
            group
                .pending
                .insert(id.clone(), job.now().plus(join.session_timeout));
            let answer = Err((KafkaError::MemberIdRequired, id));
            job.answer(asked, GroupAnswer::Joined(answer));
            return Ok(());
        };
        match group.static_member(instance).cloned() {
            Some(old) => group.replace(asked, join, &old, id, job),
            None => group.add(asked, join, id, job),
        }
        Ok(())
    }

    /// The classic group that a JoinGroup is for.
    fn make_classic(&mut self, join: &Join, job: &mut Job<'_, '_>) -> Result<(), KafkaError> {
        let name = &join.group;
        let mut records = match self.groups.get(name) {
            Some(Group::Classic(_)) => return Ok(()),
            None => Vec::new(),
            // An empty group changes its protocol (KIP-848).
            Some(group) if group.state() == GroupState::Empty => self.bury(name, job),
            Some(_) => return Err(KafkaError::InconsistentGroupProtocol),
        };
        if !join.member.is_empty() {
            return Err(KafkaError::UnknownMemberId);
        }
        let group = ClassicGroup::simple(job.now());
        records.push(Entry::Classic(name.clone(), Some(group.record())));
        self.groups.insert(name.clone(), Group::Classic(group));
        job.changed(name, GroupState::Dead, GroupState::Empty, 0);
        job.write(records, Vec::new());
        Ok(())
    }

    /// Heartbeat (R-REB-4).
    pub(super) fn beat(&mut self, name: &Name, who: &MemberRef, now: Ms) -> Result<(), KafkaError> {
        let Some(Group::Classic(group)) = self.groups.get_mut(name) else {
            return Err(KafkaError::UnknownMemberId);
        };
        if group.state == GroupState::Dead {
            return Err(KafkaError::CoordinatorNotAvailable);
        }
        group.validate_member(&who.id, who.instance.as_ref())?;
        if who.generation != group.generation {
            return Err(KafkaError::IllegalGeneration);
        }
        match group.state {
            GroupState::PreparingRebalance => {
                group.beat(&who.id, now);
                Err(KafkaError::RebalanceInProgress)
            }
            GroupState::CompletingRebalance | GroupState::Stable => {
                group.beat(&who.id, now);
                Ok(())
            }
            _ => Err(KafkaError::UnknownMemberId),
        }
    }

    /// LeaveGroup.
    pub(super) fn leave(
        &mut self,
        name: &Name,
        who: &MemberRef,
        job: &mut Job<'_, '_>,
    ) -> Result<(), KafkaError> {
        let Some(Group::Classic(group)) = self.groups.get_mut(name) else {
            return Err(KafkaError::UnknownMemberId);
        };
        if group.state == GroupState::Dead {
            return Err(KafkaError::CoordinatorNotAvailable);
        }
        if who.instance.is_none() && group.pending.remove(&who.id).is_some() {
            group.maybe_complete(name, job);
            return Ok(());
        }
        // An administrator names a static member by its instance alone.
        let id = match &who.instance {
            Some(instance) if who.id.is_empty() => group.static_member(instance).cloned(),
            _ => Some(who.id.clone()),
        };
        let id = id.ok_or(KafkaError::UnknownMemberId)?;
        group.validate_member(&id, who.instance.as_ref())?;
        group.remove(name, &id, LeaveReason::Left, job);
        Ok(())
    }
}

impl ClassicGroup {
    /// A member with an id joins.
    fn rejoin(
        &mut self,
        asked: &Asked,
        join: &Join,
        job: &mut Job<'_, '_>,
    ) -> Result<(), KafkaError> {
        let (name, id) = (&join.group, &join.member);
        if join.instance.is_none() && self.pending.remove(id).is_some() {
            self.add(asked, join, id.clone(), job);
            return Ok(());
        }
        self.validate_member(id, join.instance.as_ref())?;
        let leads = self.leader.as_ref() == Some(id);
        let told = self.told(id);
        let Some(member) = self.members.get_mut(id) else {
            return Err(KafkaError::UnknownMemberId);
        };
        let same = member.assignors == join.assignors
            && member.topics == join.topics
            && member.owned == join.owned;
        let again = match self.state {
            GroupState::PreparingRebalance => true,
            // Its answer was lost: it is told once more.
            GroupState::CompletingRebalance => !same,
            // The leader rejoins when it sees that there is something to share out anew.
            GroupState::Stable => leads || !same,
            _ => return Err(KafkaError::UnknownMemberId),
        };
        if !again {
            member.deadline = job.now().plus(member.session_timeout);
            job.answer(asked, GroupAnswer::Joined(Ok(told)));
            return Ok(());
        }
        member.update(asked, join);
        self.prepare_or_complete(name, job);
        Ok(())
    }

    /// A new member.
    fn add(&mut self, asked: &Asked, join: &Join, id: Name, job: &mut Job<'_, '_>) {
        let mut member = Member {
            client: asked.client(),
            instance: join.instance.clone(),
            session_timeout: join.session_timeout,
            rebalance_timeout: join.rebalance_timeout,
            assignors: Vec::new(),
            topics: Vec::new(),
            owned: Vec::new(),
            assignment: Vec::new(),
            joining: None,
            syncing: None,
            is_new: true,
            deadline: job.now().plus(NEW_MEMBER_TIMEOUT),
        };
        member.update(asked, join);
        job.joined(&join.group, &id, member.client);
        self.with_protocol = true;
        self.new_member = true;
        self.leader.get_or_insert_with(|| id.clone());
        self.members.insert(id, member);
        self.prepare_or_complete(&join.group, job);
    }

    /// A new process of a static member's name takes its place (R-REB-8): the old one is fenced. In
    /// a stable group it has the assignment at once and nobody else notices.
    fn replace(&mut self, asked: &Asked, join: &Join, old: &Name, id: Name, job: &mut Job<'_, '_>) {
        let Some(mut member) = self.members.remove(old) else {
            return;
        };
        let fenced = KafkaError::FencedInstanceId;
        if let Some(asked) = member.joining.take() {
            job.answer(&asked, GroupAnswer::Joined(Err((fenced, old.clone()))));
        }
        if let Some(asked) = member.syncing.take() {
            job.answer(&asked, GroupAnswer::Synced(Err(fenced)));
        }
        let leader = self.leader.clone();
        if self.leader.as_ref() == Some(old) {
            self.leader = Some(id.clone());
        }
        if self.unsynced.remove(old) {
            self.unsynced.insert(id.clone());
        }
        job.left(&join.group, old, member.client, LeaveReason::Replaced);
        job.joined(&join.group, &id, asked.client());
        member.update(asked, join);
        member.deadline = job.now().plus(member.session_timeout);
        self.members.insert(id.clone(), member);
        if self.state == GroupState::Stable && self.choose_assignor() == self.assignor {
            if let Some(member) = self.members.get_mut(&id) {
                member.joining = None;
            }
            // Told the old id for the leader's it does not share out, but asks for its part.
            let mut told = self.told(&id);
            told.leader = leader.unwrap_or_else(|| "".into());
            told.members.clear();
            let answer = GroupAnswer::Joined(Ok(told));
            let record = Entry::Classic(join.group.clone(), Some(self.record()));
            job.write(vec![record], vec![Then::Answer(asked.clone(), answer)]);
            return;
        }
        self.prepare_or_complete(&join.group, job);
    }
}

impl Member {
    /// Takes over what a JoinGroup says, and waits for its answer.
    fn update(&mut self, asked: &Asked, join: &Join) {
        self.session_timeout = join.session_timeout;
        self.rebalance_timeout = join.rebalance_timeout;
        self.assignors.clone_from(&join.assignors);
        self.topics.clone_from(&join.topics);
        self.owned.clone_from(&join.owned);
        self.joining = Some(asked.clone());
    }
}
