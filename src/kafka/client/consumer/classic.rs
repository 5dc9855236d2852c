//! Membership by the classic protocol: join, sync, generations, heartbeats (R-REB-*). Joining goes
//! on in polls alone; heartbeats go on between them.

use super::Consumer;
use super::assignor::assign;
use super::commit::CommitWhy;
use super::coordinator::{Sent, wrong_coordinator};
use super::member::Member;
use crate::kafka::client::sooner;
use crate::kafka::error::KafkaError;
use crate::kafka::event::Cause;
use crate::kafka::group::message::{Assignor, GroupAnswer, GroupRequest, Join, Joined, MemberRef};
use crate::kafka::ids::*;
use crate::kafka::map::Set;
use crate::kafka::out::Out;
use std::rc::Rc;

/// A member by the classic protocol.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Classic {
    pub topics: Vec<TopicId>,
    /// Its member id; empty: none.
    pub member: Rc<str>,
    /// -1: none.
    pub generation: i32,
    phase: Phase,
    /// It is to rejoin in its next poll.
    pub rejoin: bool,
    /// Not joined (again) before this time.
    again: Ms,
    /// A heartbeat without an answer, and the generation it was for.
    pub beat: Option<(Sent, i32)>,
    next_beat: Ms,
    /// Without an answer to a heartbeat until then the coordinator is held to be gone.
    session_until: Ms,
    pub last_poll: Ms,
    /// Answers to join and sync that came between polls.
    inbox: Vec<(Correlation, GroupAnswer)>,
}

/// How far it is in joining.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Phase {
    /// In no generation.
    Out,
    /// Still in its generation: commits before it gives partitions up.
    Preparing,
    /// To be joined, or JoinGroup is under way.
    Joining(Option<Sent>),
    /// It leads the group and has to know the partitions before it can share them out.
    Sharing(Joined),
    /// To be synced, or SyncGroup is under way; with what the leader has shared out.
    Syncing(Option<Sent>, Vec<(Rc<str>, Vec<Tp>)>),
    /// It has its partitions.
    Stable,
}

impl Classic {
    pub fn new(topics: Vec<TopicId>, now: Ms) -> Self {
        Classic {
            topics,
            member: "".into(),
            generation: -1,
            phase: Phase::Out,
            rejoin: true,
            again: Ms(0),
            beat: None,
            next_beat: Ms(0),
            session_until: Ms::MAX,
            last_poll: now,
            inbox: Vec::new(),
        }
    }

    /// Another subscription: the group has to share out anew.
    pub fn subscribe(&mut self, topics: Vec<TopicId>) {
        self.rejoin |= topics != self.topics;
        self.topics = topics;
    }

    /// JoinGroup or SyncGroup under way.
    pub fn asked(&self) -> Option<&Sent> {
        match &self.phase {
            Phase::Joining(sent) | Phase::Syncing(sent, _) => sent.as_ref(),
            _ => None,
        }
    }

    pub fn is_in_generation(&self) -> bool {
        self.generation >= 0 && matches!(self.phase, Phase::Stable | Phase::Preparing)
    }

    pub fn is_rebalancing(&self) -> bool {
        let (Phase::Joining(_) | Phase::Sharing(_) | Phase::Syncing(..)) = self.phase else {
            return false;
        };
        true
    }

    /// Out of the group as far as this client is concerned.
    pub fn forget(&mut self, also_member: bool) {
        self.generation = -1;
        if also_member {
            self.member = "".into();
        }
        self.phase = Phase::Out;
        self.rejoin = true;
    }

    pub fn lost(&mut self, broker: BrokerId, again: Ms) {
        self.beat.take_if(|(sent, _)| sent.broker == broker);
        if let Phase::Joining(sent) | Phase::Syncing(sent, _) = &mut self.phase
            && sent.is_some_and(|s| s.broker == broker)
        {
            // Whether it was joined is not known: it begins again with what it has.
            self.phase = Phase::Joining(None);
            self.again = again;
        }
    }

    fn beats(&self) -> bool {
        !matches!(self.phase, Phase::Out | Phase::Joining(_)) && self.generation >= 0
    }

    pub fn member_ref(&self, instance: Option<Rc<str>>) -> MemberRef {
        MemberRef {
            id: self.member.clone(),
            generation: self.generation,
            instance,
        }
    }
}

impl Consumer {
    fn classic(&mut self) -> Option<&mut Classic> {
        match &mut self.side.member {
            Member::Classic(c) => Some(c),
            _ => None,
        }
    }

    /// Whether it keeps its partitions while it rejoins (R-REB-6): only if each of its assignors is
    /// cooperative.
    fn is_cooperative(&self) -> bool {
        let cooperative = |a: &Assignor| *a == Assignor::CooperativeSticky;
        self.settings.assignors.iter().all(cooperative)
    }

    /// Goes on with joining, as far as it can.
    pub(super) fn classic_in_poll(&mut self, cause: Cause, due: &mut Option<Ms>, out: &mut Out) {
        let inbox = self.classic().map(|c| std::mem::take(&mut c.inbox));
        for (correlation, answer) in inbox.unwrap_or_default() {
            self.joining_answered(correlation, &answer, out);
        }
        let Some(c) = self.classic() else { return };
        let resting = matches!(c.phase, Phase::Out | Phase::Stable);
        if resting && !c.rejoin {
            return;
        }
        let Some(broker) = self.reach_coordinator(cause, due, out) else {
            return;
        };
        if resting {
            self.prepare_to_join(out);
        }
        self.leave_old_generation(out);
        self.share_out_as_leader();
        let now = out.now;
        let limit = self.settings.request_timeout;
        let Some(c) = self.classic() else { return };
        match &c.phase {
            Phase::Joining(None) if c.again > now => sooner(due, c.again),
            Phase::Joining(None) => {
                let request = self.join_request();
                // The coordinator may wait for all members that long before it answers.
                let limit = limit.max(self.settings.max_poll_interval.plus(Ms(5_000)));
                let sent = self.send_to(broker, request, limit, cause, out);
                if let Some(c) = self.classic() {
                    c.rejoin = false;
                    c.phase = Phase::Joining(Some(sent));
                }
            }
            Phase::Syncing(None, shares) => {
                let shares = shares.clone();
                let request = GroupRequest::Sync {
                    group: self.settings.group.clone().unwrap_or_default(),
                    member: self.classic_ref(),
                    assignments: shares.clone(),
                };
                let sent = self.send_to(broker, request, limit, cause, out);
                if let Some(c) = self.classic() {
                    c.phase = Phase::Syncing(Some(sent), shares);
                }
            }
            _ => {}
        }
        if let Some(sent) = self.classic().and_then(|c| c.asked().copied()) {
            sooner(due, sent.deadline);
        }
    }

    fn classic_ref(&mut self) -> MemberRef {
        let instance = self.settings.instance.clone();
        let member = self.classic().map(|c| c.member_ref(instance));
        member.unwrap_or_else(MemberRef::none)
    }

    fn join_request(&mut self) -> GroupRequest {
        let owned = self.parts.keys().copied().collect();
        let member = self.classic_ref();
        GroupRequest::Join(Join {
            group: self.settings.group.clone().unwrap_or_default(),
            member: member.id,
            instance: member.instance,
            client: self.side.client.0.clone(),
            session_timeout: self.settings.session_timeout,
            rebalance_timeout: self.settings.max_poll_interval,
            assignors: self.settings.assignors.clone(),
            topics: self.topics().to_vec(),
            owned,
        })
    }

    /// Before it rejoins: enable.auto.commit commits once more (R-COM-3). By an eager assignor
    /// nothing is fetched from here on (R-REB-6).
    fn prepare_to_join(&mut self, out: &mut Out) {
        let in_generation = self.classic().is_some_and(|c| c.is_in_generation());
        if in_generation && self.commits_itself() {
            let offsets = self.consumed();
            if !offsets.is_empty() {
                let limit = self.settings.max_poll_interval;
                self.begin_commit(CommitWhy::Parting, offsets, limit, out);
            }
        }
        if !self.is_cooperative() {
            self.hold_back(|_| true);
        }
        if let Some(c) = self.classic() {
            c.phase = Phase::Preparing;
        }
    }

    /// Once that commit is over: an eager member gives up all its partitions, a cooperative one
    /// keeps them; one that is in no generation any more has lost them (R-REB-6).
    fn leave_old_generation(&mut self, out: &mut Out) {
        if self.is_parting() {
            return;
        }
        let Some(c) = self.classic() else { return };
        if c.phase != Phase::Preparing {
            return;
        }
        let lost = c.generation < 0;
        c.phase = Phase::Joining(None);
        if lost || !self.is_cooperative() {
            self.give_up(|_| true, lost, out);
        }
    }

    /// The leader shares out, when it knows the partitions of all topics that members want.
    fn share_out_as_leader(&mut self) {
        let Some(c) = self.classic() else { return };
        let Phase::Sharing(joined) = &c.phase else {
            return;
        };
        let joined = joined.clone();
        let topics = joined.members.iter().flat_map(|m| m.topics.iter().copied());
        let unknown = |t: &TopicId| self.cluster.partitions_of(*t).is_none();
        let unknown: Vec<TopicId> = topics.filter(unknown).collect();
        for topic in &unknown {
            let first = Tp {
                topic: *topic,
                partition: 0,
            };
            self.cluster.follow(first);
        }
        if !unknown.is_empty() {
            return;
        }
        let topics: Set<TopicId> = joined
            .members
            .iter()
            .flat_map(|m| m.topics.iter().copied())
            .collect();
        let partitions: Vec<Tp> = topics
            .iter()
            .flat_map(|t| self.cluster.partitions_of(*t).unwrap_or_default())
            .collect();
        let shares = assign(joined.assignor, &joined.members, &partitions);
        if let Some(c) = self.classic() {
            c.phase = Phase::Syncing(None, shares);
        }
    }

    /// Heartbeats, and the watch over max.poll.interval.ms (R-REB-5).
    pub(super) fn classic_between(&mut self, due: &mut Option<Ms>, out: &mut Out) {
        let now = out.now;
        let polls = self.poll.is_some();
        let (interval, limit) = (
            self.settings.heartbeat_interval,
            self.settings.max_poll_interval,
        );
        let Some(c) = self.classic() else { return };
        if !c.beats() {
            return;
        }
        let idle_until = c.last_poll.plus(limit);
        if !polls {
            if idle_until <= now {
                self.leave_classic(out);
                if let Some(c) = self.classic() {
                    c.forget(true);
                }
                return;
            }
            sooner(due, idle_until);
        }
        if c.session_until <= now {
            c.session_until = Ms::MAX;
            c.beat = None;
            self.coordinator_unknown(now);
        }
        let Some(c) = self.classic() else { return };
        sooner(due, c.session_until);
        if let Some((sent, _)) = &c.beat {
            sooner(due, sent.deadline);
            return;
        }
        if c.next_beat > now {
            sooner(due, c.next_beat);
            return;
        }
        let Some(broker) = self.reach_coordinator(Cause::default(), due, out) else {
            return;
        };
        let member = self.classic_ref();
        let generation = member.generation;
        let group = self.settings.group.clone().unwrap_or_default();
        let limit = self.settings.request_timeout;
        let request = GroupRequest::Beat { group, member };
        let sent = self.send_to(broker, request, limit, Cause::default(), out);
        if let Some(c) = self.classic() {
            c.beat = Some((sent, generation));
            c.next_beat = now.plus(interval);
            sooner(due, c.next_beat);
        }
    }

    /// LeaveGroup, unless it is a static member, whose place waits for it (R-REB-8). Returns the
    /// request.
    pub(super) fn leave_classic(&mut self, out: &mut Out) -> Option<Sent> {
        let member = self.classic_ref();
        if member.id.is_empty() || member.instance.is_some() {
            return None;
        }
        let broker = self.side.coordinator.at?;
        let group = self.settings.group.clone()?;
        let limit = self.settings.request_timeout;
        let request = GroupRequest::Leave { group, member };
        Some(self.send_to(broker, request, limit, out.cause, out))
    }

    pub(super) fn classic_answered(
        &mut self,
        correlation: Correlation,
        answer: &GroupAnswer,
        out: &mut Out,
    ) {
        let polls = self.poll.is_some();
        match answer {
            GroupAnswer::Joined(_) | GroupAnswer::Synced(_) if !polls => {
                if let Some(c) = self.classic() {
                    c.inbox.push((correlation, answer.clone()));
                }
            }
            GroupAnswer::Joined(_) | GroupAnswer::Synced(_) => {
                self.joining_answered(correlation, answer, out);
            }
            GroupAnswer::Beaten(result) => self.beaten(correlation, *result, out),
            _ => {}
        }
    }

    /// A heartbeat was answered (R-REB-4).
    fn beaten(&mut self, correlation: Correlation, result: Result<(), KafkaError>, out: &mut Out) {
        let session = self.settings.session_timeout;
        let Some(c) = self.classic() else { return };
        let Some((_, generation)) = c.beat.take_if(|(s, _)| s.correlation == correlation) else {
            return;
        };
        let unchanged = generation == c.generation;
        match result {
            Ok(()) => c.session_until = out.now.plus(session),
            Err(KafkaError::RebalanceInProgress) => {
                c.session_until = out.now.plus(session);
                c.rejoin |= c.phase == Phase::Stable;
            }
            Err(error) if wrong_coordinator(error) => self.coordinator_unknown(out.now),
            Err(
                error @ (KafkaError::IllegalGeneration
                | KafkaError::UnknownMemberId
                | KafkaError::FencedInstanceId),
            ) if unchanged => {
                c.forget(error != KafkaError::IllegalGeneration);
                if error == KafkaError::FencedInstanceId {
                    // Another process has taken the name over; this one takes it back when it is
                    // polled again (R-REB-8).
                    self.refused(error);
                }
            }
            Err(_) => {}
        }
    }

    /// JoinGroup or SyncGroup was answered, and a poll looks at it.
    fn joining_answered(&mut self, correlation: Correlation, answer: &GroupAnswer, out: &mut Out) {
        let Some(c) = self.classic() else { return };
        if c.asked().is_none_or(|s| s.correlation != correlation) {
            return;
        }
        match answer {
            GroupAnswer::Joined(Ok(joined)) => self.joined(joined, out.now),
            GroupAnswer::Joined(Err((KafkaError::MemberIdRequired, member))) => {
                c.member = member.clone();
                c.phase = Phase::Joining(None);
            }
            GroupAnswer::Synced(Ok(tps)) => self.synced(tps, out),
            GroupAnswer::Joined(Err((error, _))) | GroupAnswer::Synced(Err(error)) => {
                self.joining_refused(*error, out.now);
            }
            _ => {}
        }
    }

    fn joined(&mut self, joined: &Joined, now: Ms) {
        let (interval, session) = (
            self.settings.heartbeat_interval,
            self.settings.session_timeout,
        );
        let Some(c) = self.classic() else { return };
        c.member = joined.member.clone();
        c.generation = joined.generation;
        c.next_beat = now.plus(interval);
        c.session_until = now.plus(session);
        c.phase = if joined.leader == joined.member && !joined.members.is_empty() {
            Phase::Sharing(joined.clone())
        } else {
            Phase::Syncing(None, Vec::new())
        };
    }

    /// Its partitions. By a cooperative assignor those that it no longer has are given up now, and
    /// the group is joined once more so that others can have them (R-REB-6).
    fn synced(&mut self, tps: &[Tp], out: &mut Out) {
        let owned = self.owned();
        let gone = owned.iter().any(|tp| !tps.contains(tp));
        let added: Vec<Tp> = tps.iter().copied().filter(|t| !owned.contains(t)).collect();
        if let Some(c) = self.classic() {
            c.phase = Phase::Stable;
            c.rejoin |= gone;
        }
        self.give_up(|tp| !tps.contains(&tp), false, out);
        if self.commits_itself() {
            let interval = self.settings.auto_commit_interval;
            self.side.next_auto_commit = Some(out.now.plus(interval));
        }
        if !added.is_empty() || tps.is_empty() {
            self.take_on(added, out);
        }
    }

    fn joining_refused(&mut self, error: KafkaError, now: Ms) {
        use KafkaError as E;
        let again = now.plus(self.settings.retry_backoff);
        if wrong_coordinator(error) {
            self.coordinator_unknown(now);
        }
        let Some(c) = self.classic() else { return };
        match error {
            E::UnknownMemberId | E::IllegalGeneration => c.forget(error == E::UnknownMemberId),
            E::RebalanceInProgress => c.phase = Phase::Joining(None),
            E::CoordinatorLoadInProgress | E::CoordinatorNotAvailable | E::NotCoordinator => {
                c.phase = Phase::Joining(None);
                c.again = again;
            }
            _ => {
                c.phase = Phase::Out;
                c.rejoin = true;
                self.refused(error);
            }
        }
    }
}
