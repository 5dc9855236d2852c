//! A group of the consumer protocol (KIP-848, R-848-*): the coordinator shares out, and each member
//! comes to its part by itself, heartbeat by heartbeat.

use super::Name;
use super::assign::{Shares, Subscriber, range, sticky};
use super::job::Job;
use super::message::{ConsumerBeat, GroupState, MemberRef};
use super::records::{CurrentRecord, Entry, MemberRecord};
use crate::kafka::error::KafkaError;
use crate::kafka::event::LeaveReason;
use crate::kafka::ids::*;
use crate::kafka::map::{Map, Set};
use crate::kafka::metadata::Image;

/// How a member stands towards its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MemberState {
    /// It has what it was given last.
    #[default]
    Stable,
    /// It has been asked to give partitions up.
    Unrevoked,
    /// Partitions meant for it are still with others.
    Unreleased,
}

/// A member.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Member {
    /// Whose it is.
    pub client: ClientId,
    /// group.instance.id
    pub instance: Option<Name>,
    /// Topics it is subscribed to.
    pub topics: Vec<TopicId>,
    /// max.poll.interval.ms
    pub rebalance_timeout: Ms,
    /// The assignor it asks for.
    pub assignor: Option<Name>,
    /// Its epoch; -2: a static member that is away.
    pub epoch: i32,
    /// Its epoch before.
    pub previous: i32,
    /// How it stands.
    pub state: MemberState,
    /// What it has, and since which epoch each (KIP-1251).
    pub assigned: Map<Tp, i32>,
    /// What it is to give up.
    pub revoking: Map<Tp, i32>,
    /// When its session ends.
    pub deadline: Ms,
    /// When it must have given up what it is to.
    pub revoke_due: Option<Ms>,
}

impl Member {
    /// Whether it has all that the target of this epoch gives it.
    fn is_at(&self, target_epoch: i32) -> bool {
        self.state == MemberState::Stable && self.epoch == target_epoch
    }

    fn record(&self) -> MemberRecord {
        MemberRecord {
            instance: self.instance.clone(),
            client: self.client,
            topics: self.topics.clone(),
            rebalance_timeout: self.rebalance_timeout,
            assignor: self.assignor.clone(),
        }
    }

    fn current(&self) -> CurrentRecord {
        let list = |map: &Map<Tp, i32>| map.iter().map(|(tp, epoch)| (*tp, *epoch)).collect();
        CurrentRecord {
            epoch: self.epoch,
            previous: self.previous,
            state: self.state as u8,
            assigned: list(&self.assigned),
            revoking: list(&self.revoking),
        }
    }
}

/// A group of the consumer protocol.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ModernGroup {
    /// The group epoch: rises with every change that asks for a new target.
    pub epoch: i32,
    /// The epoch the target was computed for.
    pub target_epoch: i32,
    /// What each member should have.
    pub target: Map<Name, Vec<Tp>>,
    /// Its members.
    pub members: Map<Name, Member>,
    /// Topics subscribed to, with their partitions, as the target knew them.
    known: Vec<(TopicId, u16)>,
}

impl ModernGroup {
    /// One without members. The first raises the epoch to 2 (R-848-6).
    pub fn new() -> Self {
        ModernGroup {
            epoch: 1,
            target_epoch: 0,
            target: Map::new(),
            members: Map::new(),
            known: Vec::new(),
        }
    }

    /// Its state (R-848-1).
    pub fn state(&self) -> GroupState {
        if self.members.is_empty() {
            GroupState::Empty
        } else if self.epoch > self.target_epoch {
            GroupState::Assigning
        } else if self.members.values().all(|m| m.is_at(self.target_epoch)) {
            GroupState::Stable
        } else {
            GroupState::Reconciling
        }
    }

    /// The member that has an instance name.
    pub fn static_member(&self, instance: &str) -> Option<Name> {
        let named = |m: &Member| m.instance.as_deref() == Some(instance);
        let found = self.members.iter().find(|(_, m)| named(m));
        found.map(|(id, _)| id.clone())
    }

    /// Whether any member is subscribed to a topic.
    pub fn subscribed_to(&self, topic: TopicId) -> bool {
        self.members.values().any(|m| m.topics.contains(&topic))
    }

    /// Whether a commit is taken at all (R-COM-8, R-COM-10, R-COM-11), then by partition with
    /// [`takes`](Self::takes).
    ///
    /// # Errors
    /// UNKNOWN_MEMBER_ID; STALE_MEMBER_EPOCH for an epoch that is yet to come.
    pub fn validate_commit(
        &self,
        member: &MemberRef,
        transactional: bool,
    ) -> Result<(), KafkaError> {
        let nobody = member.generation < 0 && member.id.is_empty() && member.instance.is_none();
        if member.generation < 0 && self.members.is_empty() || transactional && nobody {
            return Ok(());
        }
        let known = self.members.get(&member.id);
        let known = known.ok_or(KafkaError::UnknownMemberId)?;
        if member.generation > known.epoch {
            return Err(KafkaError::StaleMemberEpoch);
        }
        Ok(())
    }

    /// Whether a member's commit for a partition is taken: with its epoch for any, with an older
    /// one for what it has had since then (KIP-1251, R-COM-8).
    pub fn takes(&self, member: &MemberRef, tp: Tp) -> bool {
        let Some(known) = self.members.get(&member.id) else {
            return true;
        };
        let since = known.assigned.get(&tp);
        member.generation >= known.epoch || since.is_some_and(|s| member.generation >= *s)
    }

    /// Whether a fetch of commits by a member is answered.
    ///
    /// # Errors
    /// UNKNOWN_MEMBER_ID, STALE_MEMBER_EPOCH.
    pub fn validate_fetch(&self, member: &MemberRef) -> Result<(), KafkaError> {
        if member.id.is_empty() && member.generation < 0 {
            return Ok(());
        }
        match self.members.get(&member.id) {
            None => Err(KafkaError::UnknownMemberId),
            Some(known) if known.epoch != member.generation => Err(KafkaError::StaleMemberEpoch),
            Some(_) => Ok(()),
        }
    }

    /// R-848-3: whether a heartbeat carries the member's epoch, or the one before with nothing but
    /// what it was given (its last answer was lost).
    ///
    /// # Errors
    /// FENCED_MEMBER_EPOCH.
    pub fn check_epoch(
        member: &Member,
        epoch: i32,
        owned: Option<&[Tp]>,
    ) -> Result<(), KafkaError> {
        let told = |owned: &[Tp]| owned.iter().all(|tp| member.assigned.contains_key(tp));
        let again = epoch == member.previous && owned.is_some_and(told);
        if epoch == member.epoch || epoch < member.epoch && again {
            Ok(())
        } else {
            Err(KafkaError::FencedMemberEpoch)
        }
    }

    /// Takes over what a heartbeat says of a member's subscription; the records.
    pub fn subscribe(&mut self, name: &Name, beat: &ConsumerBeat, image: &Image) -> Vec<Entry> {
        let mut records = Vec::new();
        let mut raise = false;
        if let Some(member) = self.members.get_mut(&beat.member) {
            let before = member.record();
            member.instance = beat.instance.clone().or(member.instance.take());
            if let Some(topics) = &beat.topics {
                let sorted: Set<TopicId> = topics.iter().copied().collect();
                member.topics = sorted.into_iter().collect();
            }
            member.rebalance_timeout = beat.rebalance_timeout.unwrap_or(member.rebalance_timeout);
            member.assignor = beat.assignor.clone().or(member.assignor.take());
            raise = member.topics != before.topics;
            let (id, record) = (beat.member.clone(), member.record());
            // A member that has just come is written in any case.
            if record != before || member.epoch == 0 {
                records.push(Entry::Member(name.clone(), id, Some(record)));
            }
        }
        let known = self.known(image);
        raise |= known != self.known;
        if raise {
            self.known = known;
            self.epoch += 1;
            records.push(Entry::Group(name.clone(), Some(self.epoch)));
        }
        records
    }

    fn known(&self, image: &Image) -> Vec<(TopicId, u16)> {
        let topics = self.members.values().flat_map(|m| m.topics.clone());
        let topics: Set<TopicId> = topics.collect();
        let there = |t: TopicId| {
            let reg = image.topic_reg(t).filter(|reg| !reg.deleted);
            reg.map(|reg| (t, reg.partitions))
        };
        topics.into_iter().filter_map(there).collect()
    }

    /// Computes the target for the present group epoch, if there is none; the records.
    pub fn share_out(&mut self, name: &Name) -> Vec<Entry> {
        if self.epoch <= self.target_epoch {
            return Vec::new();
        }
        let all = self.known.iter().flat_map(|(topic, count)| {
            (0..*count).map(|partition| Tp {
                topic: *topic,
                partition,
            })
        });
        let all: Vec<Tp> = all.collect();
        let members: Vec<Subscriber> = self
            .members
            .iter()
            .map(|(id, m)| Subscriber {
                id: id.clone(),
                instance: m.instance.clone(),
                topics: m.topics.clone(),
                owned: self.target.get(id).cloned().unwrap_or_default(),
            })
            .collect();
        // The assignor most members ask for; uniform where none is asked for.
        let asks = |m: &&Member| m.assignor.as_deref() == Some("range");
        let for_range = self.members.values().filter(asks).count();
        let shares: Shares = if for_range * 2 > members.len() {
            range(&members, &all)
        } else {
            sticky(&members, &all)
        };
        let mut records = Vec::new();
        for (id, share) in &shares {
            if self.target.get(id) != Some(share) {
                let record = Some(share.clone());
                records.push(Entry::Target(name.clone(), id.clone(), record));
            }
        }
        self.target = shares;
        self.target_epoch = self.epoch;
        records.push(Entry::TargetEpoch(name.clone(), Some(self.target_epoch)));
        records
    }

    /// Brings a member nearer to its target (R-848-2); the record, if something changed.
    pub fn reconcile(
        &mut self,
        name: &Name,
        id: &Name,
        owned: Option<&[Tp]>,
        now: Ms,
    ) -> Option<Entry> {
        let before = self.members.get(id)?.clone();
        let owns = |tps: &Map<Tp, i32>| owned.is_none_or(|o| o.iter().any(|t| tps.contains_key(t)));
        let epoch = match before.state {
            MemberState::Stable if before.epoch < self.target_epoch => before.epoch,
            MemberState::Unreleased => before.epoch,
            // What it is to give up counts as given up once it no longer tells of it.
            MemberState::Unrevoked if !owns(&before.revoking) => before.epoch + 1,
            _ => return None,
        };
        let target: Set<Tp> = self.target.get(id).into_iter().flatten().copied().collect();
        let mut after = before.clone();
        let move_to = |member: &mut Member, epoch: i32| {
            if member.epoch != epoch {
                member.previous = member.epoch;
                member.epoch = epoch;
            }
        };
        let all = std::mem::take(&mut after.assigned);
        let (kept, gone): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(tp, _)| target.contains(tp));
        after.assigned = kept.into_iter().collect();
        let gone: Map<Tp, i32> = gone.into_iter().collect();
        if !gone.is_empty() && owns(&gone) {
            after.revoking = gone;
            after.state = MemberState::Unrevoked;
            after.revoke_due = Some(now.plus(after.rebalance_timeout));
            move_to(&mut after, epoch);
        } else {
            // A partition is handed over only once nobody has it.
            let taken = |tp: &Tp| {
                let has = |m: &Member| m.assigned.contains_key(tp) || m.revoking.contains_key(tp);
                self.members.values().any(has)
            };
            let missing = target.iter().filter(|tp| !after.assigned.contains_key(tp));
            let missing: Vec<Tp> = missing.copied().collect();
            let (busy, free): (Vec<Tp>, Vec<Tp>) = missing.into_iter().partition(taken);
            after.revoking = Map::new();
            after.revoke_due = None;
            after
                .assigned
                .extend(free.into_iter().map(|tp| (tp, self.target_epoch)));
            after.state = if busy.is_empty() {
                MemberState::Stable
            } else {
                MemberState::Unreleased
            };
            move_to(&mut after, self.target_epoch);
        }
        let (was, is) = (before.current(), after.current());
        self.members.insert(id.clone(), after);
        let record = Entry::Current(name.clone(), id.clone(), Some(is.clone()));
        (was != is).then_some(record)
    }

    /// Takes a member out: tombstones, and a new group epoch. The target is computed with the next
    /// heartbeat of another.
    pub fn remove(
        &mut self,
        name: &Name,
        id: &Name,
        why: LeaveReason,
        job: &mut Job<'_, '_>,
    ) -> Vec<Entry> {
        let Some(member) = self.members.remove(id) else {
            return Vec::new();
        };
        self.target.remove(id);
        self.epoch += 1;
        self.known = self.known(job.env.image);
        job.left(name, id, member.client, why);
        let mut records = self.tombstones(name, id);
        records.push(Entry::Group(name.clone(), Some(self.epoch)));
        records
    }

    /// A new process takes over what a static member left behind (R-848-7); the records.
    pub fn replace(
        &mut self,
        name: &Name,
        old: &Name,
        id: &Name,
        job: &mut Job<'_, '_>,
        client: ClientId,
    ) -> Vec<Entry> {
        let Some(member) = self.members.remove(old) else {
            return Vec::new();
        };
        job.left(name, old, member.client, LeaveReason::Replaced);
        job.joined(name, id, client);
        let mut records = self.tombstones(name, old);
        let taken_over = Member {
            client,
            epoch: 0,
            previous: 0,
            state: MemberState::Stable,
            revoking: Map::new(),
            revoke_due: None,
            ..member
        };
        if let Some(target) = self.target.remove(old) {
            let record = Entry::Target(name.clone(), id.clone(), Some(target.clone()));
            self.target.insert(id.clone(), target);
            records.push(record);
        }
        self.members.insert(id.clone(), taken_over);
        records
    }

    fn tombstones(&self, name: &Name, id: &Name) -> Vec<Entry> {
        vec![
            Entry::Current(name.clone(), id.clone(), None),
            Entry::Target(name.clone(), id.clone(), None),
            Entry::Member(name.clone(), id.clone(), None),
        ]
    }

    /// A static member leaves for a while: its partitions wait for it (R-848-7).
    pub fn away(&mut self, name: &Name, id: &Name) -> Option<Entry> {
        let member = self.members.get_mut(id)?;
        member.previous = member.epoch;
        member.epoch = -2;
        member.revoking.clear();
        member.revoke_due = None;
        let record = Some(member.current());
        Some(Entry::Current(name.clone(), id.clone(), record))
    }

    /// Sessions and revocations whose time is over (R-848-4); the records.
    pub fn look(&mut self, name: &Name, job: &mut Job<'_, '_>) -> Vec<Entry> {
        let now = job.now();
        let due = |m: &Member| {
            if m.deadline <= now {
                Some(LeaveReason::Session)
            } else {
                m.revoke_due
                    .filter(|due| *due <= now)
                    .map(|_| LeaveReason::Rebalance)
            }
        };
        let late: Vec<(Name, LeaveReason)> = self
            .members
            .iter()
            .filter_map(|(id, m)| Some((id.clone(), due(m)?)))
            .collect();
        late.into_iter()
            .flat_map(|(id, why)| self.remove(name, &id, why, job))
            .collect()
    }

    /// When something of it is due next.
    pub fn next_due(&self) -> Option<Ms> {
        let both = |m: &Member| m.deadline.min(m.revoke_due.unwrap_or(m.deadline));
        self.members.values().map(both).min()
    }

    /// Takes in a record from the log (R-GRP-5).
    pub fn replay(&mut self, entry: Entry) {
        match entry {
            Entry::Group(_, Some(epoch)) => self.epoch = epoch,
            Entry::TargetEpoch(_, Some(epoch)) => self.target_epoch = epoch,
            Entry::Target(_, id, Some(tps)) => {
                self.target.insert(id, tps);
            }
            Entry::Target(_, id, None) => {
                self.target.remove(&id);
            }
            Entry::Member(_, id, Some(record)) => {
                let member = self.members.entry(id).or_default();
                member.instance = record.instance;
                member.client = record.client;
                member.topics = record.topics;
                member.rebalance_timeout = record.rebalance_timeout;
                member.assignor = record.assignor;
            }
            Entry::Member(_, id, None) => {
                self.members.remove(&id);
            }
            Entry::Current(_, id, Some(record)) => {
                let member = self.members.entry(id).or_default();
                member.epoch = record.epoch;
                member.previous = record.previous;
                member.state = match record.state {
                    1 => MemberState::Unrevoked,
                    2 => MemberState::Unreleased,
                    _ => MemberState::Stable,
                };
                member.assigned = record.assigned.into_iter().collect();
                member.revoking = record.revoking.into_iter().collect();
            }
            _ => {}
        }
    }

    /// The log is read: sessions begin anew.
    pub fn loaded(&mut self, now: Ms, session: Ms, image: &Image) {
        for member in self.members.values_mut() {
            member.deadline = now.plus(session);
            member.revoke_due = (member.state == MemberState::Unrevoked)
                .then(|| now.plus(member.rebalance_timeout));
        }
        self.known = self.known(image);
    }
}
