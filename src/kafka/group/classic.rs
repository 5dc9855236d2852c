//! A group of the classic protocol, or one that a bare commit made (section G, R-REB-*).

use super::Name;
use super::expiry::Base;
use super::job::Asked;
use super::message::{Assignor, GroupAnswer, GroupState, MemberRef};
use super::records::{ClassicMemberRecord, ClassicRecord};
use super::shard::Group;
use crate::kafka::error::KafkaError;
use crate::kafka::ids::*;
use crate::kafka::map::{Map, Set};
use crate::kafka::switches::Switches;

/// A member.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// Whose it is.
    pub client: ClientId,
    /// group.instance.id
    pub instance: Option<Name>,
    /// session.timeout.ms
    pub session_timeout: Ms,
    /// max.poll.interval.ms
    pub rebalance_timeout: Ms,
    /// Strategies it can do, the best first.
    pub assignors: Vec<Assignor>,
    /// Topics it is subscribed to.
    pub topics: Vec<TopicId>,
    /// Partitions it said it holds when it joined.
    pub owned: Vec<Tp>,
    /// What it was given.
    pub assignment: Vec<Tp>,
    /// Its JoinGroup, while it waits for the others.
    pub joining: Option<Asked>,
    /// Its SyncGroup, while it waits for the leader's.
    pub syncing: Option<Asked>,
    /// It has not been answered yet since it came.
    pub is_new: bool,
    /// When its session ends.
    pub deadline: Ms,
}

/// How a join phase ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JoinPhase {
    /// The first of an empty group: it waits for more members to come (R-REB-3).
    Initial {
        /// When it looks whether some came.
        due: Ms,
        /// How long this wait is, ms.
        delay: Ms,
        /// How much longer it may wait, ms.
        rest: Ms,
    },
    /// It waits for members to rejoin.
    Wait {
        /// Who is not there then is out.
        due: Ms,
    },
}

impl JoinPhase {
    /// When.
    pub fn due(&self) -> Ms {
        match self {
            JoinPhase::Initial { due, .. } | JoinPhase::Wait { due } => *due,
        }
    }
}

/// A classic group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClassicGroup {
    /// Its state.
    pub state: GroupState,
    /// Since when, ms.
    pub since: Ms,
    /// Whether members with the consumers' protocol type were ever in it; else it is simple.
    pub with_protocol: bool,
    /// The generation.
    pub generation: i32,
    /// How it shares out.
    pub assignor: Option<Assignor>,
    /// The member that shares out.
    pub leader: Option<Name>,
    /// Its members.
    pub members: Map<Name, Member>,
    /// Member ids that were given and have not joined, and how long they may take.
    pub pending: Map<Name, Ms>,
    /// Members of this generation that have not asked for their part.
    pub unsynced: Set<Name>,
    /// Topics its members were subscribed to when the generation began.
    pub topics: Option<Vec<TopicId>>,
    /// The join phase, while there is one.
    pub join: Option<JoinPhase>,
    /// A member came since the last look in the first join phase.
    pub new_member: bool,
    /// Who has not asked for its part by then is out.
    pub sync_due: Option<Ms>,
}

impl ClassicGroup {
    /// One that nobody has joined.
    pub fn simple(now: Ms) -> Self {
        ClassicGroup {
            state: GroupState::Empty,
            since: now,
            with_protocol: false,
            generation: 0,
            assignor: None,
            leader: None,
            members: Map::new(),
            pending: Map::new(),
            unsynced: Set::new(),
            topics: None,
            join: None,
            new_member: false,
            sync_due: None,
        }
    }

    /// As the log has it: with members it is stable, and their sessions begin anew (R-GRP-5).
    pub fn from_record(record: ClassicRecord, now: Ms) -> Self {
        let assignor = record.assignor;
        let topics = record.members.iter().flat_map(|m| m.topics.clone());
        let topics: Set<TopicId> = topics.collect();
        let members: Map<Name, Member> = record
            .members
            .into_iter()
            .map(|m| {
                let member = Member {
                    client: m.client,
                    instance: m.instance,
                    session_timeout: m.session_timeout,
                    rebalance_timeout: m.rebalance_timeout,
                    assignors: assignor.into_iter().collect(),
                    topics: m.topics,
                    owned: Vec::new(),
                    assignment: m.assignment,
                    joining: None,
                    syncing: None,
                    is_new: false,
                    deadline: now.plus(m.session_timeout),
                };
                (m.id, member)
            })
            .collect();
        ClassicGroup {
            state: if members.is_empty() {
                GroupState::Empty
            } else {
                GroupState::Stable
            },
            since: record.since,
            with_protocol: record.with_protocol,
            generation: record.generation,
            assignor,
            leader: record.leader,
            topics: record.with_protocol.then(|| topics.into_iter().collect()),
            members,
            pending: Map::new(),
            unsynced: Set::new(),
            join: None,
            new_member: false,
            sync_due: None,
        }
    }

    /// What is written of it (GroupMetadata).
    pub fn record(&self) -> ClassicRecord {
        ClassicRecord {
            with_protocol: self.with_protocol,
            generation: self.generation,
            assignor: self.assignor,
            leader: self.leader.clone(),
            since: self.since,
            members: self
                .members
                .iter()
                .map(|(id, m)| ClassicMemberRecord {
                    id: id.clone(),
                    instance: m.instance.clone(),
                    client: m.client,
                    rebalance_timeout: m.rebalance_timeout,
                    session_timeout: m.session_timeout,
                    topics: m.topics.clone(),
                    assignment: m.assignment.clone(),
                })
                .collect(),
        }
    }

    /// The member that has an instance name.
    pub fn static_member(&self, instance: &str) -> Option<&Name> {
        let named = |m: &Member| m.instance.as_deref() == Some(instance);
        self.members
            .iter()
            .find(|(_, m)| named(m))
            .map(|(id, _)| id)
    }

    /// Whether a request's member is one (R-REB-8).
    ///
    /// # Errors
    /// UNKNOWN_MEMBER_ID; FENCED_INSTANCE_ID where another member has the instance name now.
    pub fn validate_member(&self, id: &Name, instance: Option<&Name>) -> Result<(), KafkaError> {
        if let Some(instance) = instance {
            match self.static_member(instance) {
                None => return Err(KafkaError::UnknownMemberId),
                Some(owner) if owner != id => return Err(KafkaError::FencedInstanceId),
                Some(_) => {}
            }
        }
        if self.members.contains_key(id) {
            Ok(())
        } else {
            Err(KafkaError::UnknownMemberId)
        }
    }

    /// Whether a commit is taken (R-COM-6, R-COM-11). The assignment is not looked at.
    ///
    /// # Errors
    /// As R-COM-6 names them.
    pub fn validate_commit(
        &self,
        member: &MemberRef,
        transactional: bool,
        switches: &Switches,
    ) -> Result<(), KafkaError> {
        if self.state == GroupState::Dead {
            return Err(KafkaError::CoordinatorNotAvailable);
        }
        if member.generation < 0 && self.state == GroupState::Empty {
            return Ok(());
        }
        let nobody = member.generation < 0 && member.id.is_empty() && member.instance.is_none();
        if !nobody {
            self.validate_member(&member.id, member.instance.as_ref())?;
            if member.generation != self.generation && switches.group_generation_fence {
                return Err(KafkaError::IllegalGeneration);
            }
        } else if !transactional && self.state != GroupState::Empty {
            return Err(KafkaError::UnknownMemberId);
        }
        if !transactional && self.state == GroupState::CompletingRebalance {
            return Err(KafkaError::RebalanceInProgress);
        }
        Ok(())
    }

    /// Whether commits can be deleted.
    ///
    /// # Errors
    /// NON_EMPTY_GROUP where members speak another protocol type; GROUP_ID_NOT_FOUND.
    pub fn validate_offset_delete(&self) -> Result<(), KafkaError> {
        match self.state {
            GroupState::Dead => Err(KafkaError::GroupIdNotFound),
            GroupState::Empty => Ok(()),
            _ if self.with_protocol => Ok(()),
            _ => Err(KafkaError::NonEmptyGroup),
        }
    }

    /// Whether a topic is subscribed to by members of the present generation. Where they are not
    /// known, every topic counts as subscribed.
    pub fn subscribed_to(&self, topic: TopicId) -> bool {
        match &self.topics {
            Some(topics) => topics.contains(&topic),
            None => self.with_protocol,
        }
    }

    /// From when commits count their age (R-EXP-1); `None`: none expires.
    pub fn expiry_base(&self) -> Option<Base> {
        match self.state {
            GroupState::Empty if self.with_protocol => Some(Base::Emptied(self.since)),
            _ if !self.with_protocol => Some(Base::Commit),
            GroupState::Stable => self.topics.as_ref().map(|_| Base::Commit),
            _ => None,
        }
    }

    /// Everybody who waits, when the coordinator ends.
    pub fn dismiss(self) -> Vec<(Asked, GroupAnswer)> {
        let error = KafkaError::NotCoordinator;
        let mut all = Vec::new();
        for (id, member) in self.members {
            let joined = GroupAnswer::Joined(Err((error, id)));
            all.extend(member.joining.map(|asked| (asked, joined)));
            let synced = GroupAnswer::Synced(Err(error));
            all.extend(member.syncing.map(|asked| (asked, synced)));
        }
        all
    }

    /// A sign of life of a member.
    pub fn beat(&mut self, id: &Name, now: Ms) {
        if let Some(member) = self.members.get_mut(id) {
            member.deadline = now.plus(member.session_timeout);
        }
    }
}

impl Group {
    /// See [`ClassicGroup::subscribed_to`].
    pub fn subscribed_to(&self, topic: TopicId) -> bool {
        match self {
            Group::Classic(group) => group.subscribed_to(topic),
            Group::Modern(group) => group.subscribed_to(topic),
        }
    }

    /// See [`ClassicGroup::expiry_base`].
    pub fn expiry_base(&self) -> Option<Base> {
        match self {
            Group::Classic(group) => group.expiry_base(),
            Group::Modern(_) => Some(Base::Commit),
        }
    }
}
