//! ConsumerGroupHeartbeat: joining, going on and leaving in one request (KIP-848).

use super::Name;
use super::job::{Asked, Job, Then};
use super::message::{ConsumerBeat, ConsumerBeaten, GroupAnswer, GroupState};
use super::modern::{Member, ModernGroup};
use super::records::Entry;
use super::shard::{Group, Shard};
use crate::kafka::error::KafkaError;
use crate::kafka::event::LeaveReason;
use crate::kafka::ids::*;

/// max.poll.interval.ms of a member that does not tell, ms.
const REBALANCE_TIMEOUT: Ms = Ms(300_000);

/// Whether a heartbeat can be one at all.
fn check(beat: &ConsumerBeat) -> Result<(), KafkaError> {
    let holds = beat.owned.as_ref().is_some_and(|o| !o.is_empty());
    let bad = beat.group.is_empty()
        || beat.member.is_empty()
        || beat.epoch < -2
        || beat.epoch == -2 && beat.instance.is_none()
        || beat.epoch == 0 && (holds || beat.topics.is_none());
    if bad {
        return Err(KafkaError::InvalidRequest);
    }
    match beat.assignor.as_deref() {
        None | Some("uniform" | "range") => Ok(()),
        Some(_) => Err(KafkaError::UnsupportedAssignor),
    }
}

impl Shard {
    /// ConsumerGroupHeartbeat.
    pub(super) fn consumer_beat(
        &mut self,
        asked: &Asked,
        beat: &ConsumerBeat,
        job: &mut Job<'_, '_>,
    ) {
        let before = self.groups.get(&beat.group).map(Group::state);
        let result = check(beat).and_then(|()| {
            if beat.epoch < 0 {
                self.part(beat, job)
            } else {
                self.go_on(asked, beat, job)
            }
        });
        self.tell_state(&beat.group, before, job);
        match result {
            Err(error) => job.answer(asked, GroupAnswer::ConsumerBeaten(Err(error))),
            Ok((answer, records)) => {
                let answer = GroupAnswer::ConsumerBeaten(Ok(answer));
                if records.is_empty() {
                    job.answer(asked, answer);
                } else {
                    job.write(records, vec![Then::Answer(asked.clone(), answer)]);
                }
            }
        }
    }

    /// Notes that a group of the consumer protocol is in another state than before.
    pub(super) fn tell_state(
        &self,
        name: &Name,
        before: Option<GroupState>,
        job: &mut Job<'_, '_>,
    ) {
        if let Some(Group::Modern(group)) = self.groups.get(name) {
            let (from, to) = (before.unwrap_or(GroupState::Dead), group.state());
            if from != to {
                job.changed(name, from, to, group.epoch);
            }
        }
    }

    /// Epoch -1 or -2 (R-848-3, R-848-7).
    fn part(
        &mut self,
        beat: &ConsumerBeat,
        job: &mut Job<'_, '_>,
    ) -> Result<(ConsumerBeaten, Vec<Entry>), KafkaError> {
        let name = &beat.group;
        let Some(Group::Modern(group)) = self.groups.get_mut(name) else {
            return Err(KafkaError::GroupIdNotFound);
        };
        let member = match &beat.instance {
            Some(instance) => group.static_member(instance),
            None => Some(beat.member.clone()).filter(|id| group.members.contains_key(id)),
        };
        let member = member.ok_or(KafkaError::UnknownMemberId)?;
        if member != beat.member {
            return Err(KafkaError::FencedInstanceId);
        }
        let records = if beat.epoch == -2 {
            group.away(name, &member).into_iter().collect()
        } else {
            group.remove(name, &member, LeaveReason::Left, job)
        };
        let answer = ConsumerBeaten {
            member,
            epoch: beat.epoch,
            interval: job.env.server.group_consumer_heartbeat_interval,
            assignment: None,
        };
        Ok((answer, records))
    }

    /// Epoch 0 or more.
    fn go_on(
        &mut self,
        asked: &Asked,
        beat: &ConsumerBeat,
        job: &mut Job<'_, '_>,
    ) -> Result<(ConsumerBeaten, Vec<Entry>), KafkaError> {
        let (name, id, joins) = (&beat.group, &beat.member, beat.epoch == 0);
        let mut records = self.make_modern(name, joins, job)?;
        let Some(Group::Modern(group)) = self.groups.get_mut(name) else {
            return Err(KafkaError::GroupIdNotFound);
        };
        records.extend(admit(group, asked, beat, job)?);
        let before = group.members.get(id).map(|m| m.assigned.clone());
        records.extend(group.subscribe(name, beat, job.env.image));
        records.extend(group.share_out(name));
        records.extend(group.reconcile(name, id, beat.owned.as_deref(), job.now()));
        let session = job.env.server.group_consumer_session_timeout;
        let Some(member) = group.members.get_mut(id) else {
            return Err(KafkaError::UnknownMemberId);
        };
        member.deadline = job.now().plus(session);
        let tells_all =
            beat.rebalance_timeout.is_some() && beat.topics.is_some() && beat.owned.is_some();
        let news = joins || tells_all || before.as_ref() != Some(&member.assigned);
        let answer = ConsumerBeaten {
            member: id.clone(),
            epoch: member.epoch,
            interval: job.env.server.group_consumer_heartbeat_interval,
            assignment: news.then(|| member.assigned.keys().copied().collect()),
        };
        Ok((answer, records))
    }

    /// The group of the consumer protocol that a heartbeat is for.
    fn make_modern(
        &mut self,
        name: &Name,
        joins: bool,
        job: &mut Job<'_, '_>,
    ) -> Result<Vec<Entry>, KafkaError> {
        let state = match self.groups.get(name) {
            Some(Group::Modern(_)) => return Ok(Vec::new()),
            Some(group) => group.state(),
            None => GroupState::Dead,
        };
        // An empty classic group changes its protocol; one with members is not taken over.
        if !joins || !matches!(state, GroupState::Dead | GroupState::Empty) {
            return Err(KafkaError::GroupIdNotFound);
        }
        let records = self.bury(name, job);
        let group = Group::Modern(ModernGroup::new());
        self.groups.insert(name.clone(), group);
        Ok(records)
    }
}

/// Lets a member in, or in again; or says why not.
fn admit(
    group: &mut ModernGroup,
    asked: &Asked,
    beat: &ConsumerBeat,
    job: &mut Job<'_, '_>,
) -> Result<Vec<Entry>, KafkaError> {
    let (name, id) = (&beat.group, &beat.member);
    let mut owner = None;
    if let Some(instance) = &beat.instance {
        owner = group.static_member(instance);
    }
    if beat.epoch > 0 {
        if beat.instance.is_some() {
            match &owner {
                None => return Err(KafkaError::UnknownMemberId),
                Some(owner) if owner != id => return Err(KafkaError::FencedInstanceId),
                Some(_) => {}
            }
        }
        let member = group.members.get(id).ok_or(KafkaError::UnknownMemberId)?;
        ModernGroup::check_epoch(member, beat.epoch, beat.owned.as_deref())?;
        return Ok(Vec::new());
    }
    if let Some(old) = owner.filter(|old| old != id) {
        // A name that is in use is not given away (R-848-5).
        if group.members.get(&old).is_some_and(|m| m.epoch != -2) {
            return Err(KafkaError::UnreleasedInstanceId);
        }
        return Ok(group.replace(name, &old, id, job, asked.client()));
    }
    if let Some(member) = group.members.get_mut(id) {
        // It joins once more: it has nothing, and gets all that is meant for it.
        member.epoch = 0;
        member.previous = 0;
        member.state = super::modern::MemberState::Stable;
        member.revoking.clear();
        member.revoke_due = None;
        return Ok(Vec::new());
    }
    job.joined(name, id, asked.client());
    let member = Member {
        client: asked.client(),
        rebalance_timeout: REBALANCE_TIMEOUT,
        ..Member::default()
    };
    group.members.insert(id.clone(), member);
    Ok(Vec::new())
}
