//! Membership by the consumer protocol (KIP-848, R-848-*): the coordinator assigns, the member
//! converges by heartbeats. Heartbeats go on between polls; partitions change hands in polls alone,
//! where the application can be told.

use super::Consumer;
use super::commit::CommitWhy;
use super::coordinator::{Sent, wrong_coordinator};
use super::member::Member;
use crate::kafka::client::sooner;
use crate::kafka::error::KafkaError;
use crate::kafka::event::Cause;
use crate::kafka::group::message::{ConsumerBeat, ConsumerBeaten, GroupAnswer, GroupRequest};
use crate::kafka::ids::*;
use crate::kafka::map::Set;
use crate::kafka::out::Out;
use std::rc::Rc;

/// The member epoch in a heartbeat that joins (R-848-3).
const JOIN: i32 = 0;
/// In one that leaves.
const LEAVE: i32 = -1;
/// In one by which a static member leaves for a while.
const LEAVE_FOR_A_WHILE: i32 = -2;

/// A member by the consumer protocol.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Modern {
    pub topics: Vec<TopicId>,
    /// The id that this client has made for itself.
    pub member: Rc<str>,
    /// Its member epoch; 0 or less: not in the group.
    pub epoch: i32,
    phase: Phase,
    /// What the coordinator wants it to have; `None`: it has not said.
    target: Option<Set<Tp>>,
    /// A heartbeat without an answer.
    pub beat: Option<Sent>,
    /// When the next one is due.
    next_beat: Ms,
    /// The next one says everything, not only what has changed.
    whole: bool,
    /// The next one tells the topics.
    new_topics: bool,
    /// The next one tells what it holds: partitions have been given up or taken on.
    acknowledges: bool,
    pub last_poll: Ms,
}

/// Where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    /// Not in the group; joins in its next poll.
    Out,
    /// In the group, or joining it.
    In,
    /// Commits, before partitions are given up.
    Parting,
    /// The group has refused it for good.
    Refused,
}

impl Modern {
    pub fn new(member: Rc<str>, topics: Vec<TopicId>, now: Ms) -> Self {
        Modern {
            topics,
            member,
            epoch: JOIN,
            phase: Phase::Out,
            target: None,
            beat: None,
            next_beat: Ms(0),
            whole: true,
            new_topics: true,
            acknowledges: false,
            last_poll: now,
        }
    }

    /// Another subscription: told with the next heartbeat, at once.
    pub fn subscribe(&mut self, topics: Vec<TopicId>) {
        if topics != self.topics {
            self.topics = topics;
            self.new_topics = true;
            self.next_beat = Ms(0);
        }
    }

    pub fn lost(&mut self, broker: BrokerId, again: Ms) {
        if self.beat.take_if(|s| s.broker == broker).is_some() {
            self.whole = true;
            self.next_beat = again;
        }
    }

    fn is_in(&self) -> bool {
        matches!(self.phase, Phase::In | Phase::Parting)
    }

    /// (Re)joins with the next heartbeat, which is due at once.
    fn join(&mut self) {
        self.epoch = JOIN;
        self.phase = Phase::In;
        self.target = None;
        self.beat = None;
        self.whole = true;
        self.next_beat = Ms(0);
    }

    fn leave(&mut self, phase: Phase) {
        self.epoch = LEAVE;
        self.phase = phase;
        self.target = None;
        self.beat = None;
        self.acknowledges = false;
    }
}

impl Consumer {
    fn modern(&mut self) -> Option<&mut Modern> {
        match &mut self.side.member {
            Member::Modern(m) => Some(m),
            _ => None,
        }
    }

    /// Joins, and goes on towards the target: first what is to go is committed and given up, then
    /// what is new is taken on, then that is acknowledged (R-848-2).
    pub(super) fn modern_in_poll(&mut self, out: &mut Out) {
        let owned = self.owned();
        let commits_itself = self.commits_itself();
        let Some(m) = self.modern() else { return };
        if m.phase == Phase::Out {
            m.join();
        }
        let Some(target) = m.target.clone().filter(|t| *t != owned) else {
            return;
        };
        let goes = |tp: Tp| !target.contains(&tp);
        if m.phase == Phase::In {
            m.phase = Phase::Parting;
            if commits_itself {
                let offsets = self.consumed();
                if !offsets.is_empty() {
                    let limit = self.settings.max_poll_interval;
                    self.begin_commit(CommitWhy::Parting, offsets, limit, out);
                }
            }
            self.hold_back(goes);
        }
        if self.is_parting() {
            return;
        }
        self.give_up(goes, false, out);
        let added: Vec<Tp> = target
            .iter()
            .copied()
            .filter(|t| !owned.contains(t))
            .collect();
        if !added.is_empty() {
            self.take_on(added, out);
        }
        if let Some(m) = self.modern() {
            m.phase = Phase::In;
            m.acknowledges = true;
            m.next_beat = Ms(0);
        }
    }

    /// Heartbeats, and the watch over max.poll.interval.ms: the client itself leaves, and forgets
    /// its member epoch (R-REB-5, R-COM-10).
    pub(super) fn modern_between(&mut self, due: &mut Option<Ms>, out: &mut Out) {
        let now = out.now;
        let polls = self.poll.is_some();
        let limit = self.settings.max_poll_interval;
        let Some(m) = self.modern() else { return };
        if !m.is_in() {
            return;
        }
        let idle_until = m.last_poll.plus(limit);
        if !polls {
            if idle_until <= now {
                self.leave_modern(out);
                self.give_up(|_| true, true, out);
                if let Some(m) = self.modern() {
                    m.leave(Phase::Out);
                }
                return;
            }
            sooner(due, idle_until);
        }
        if let Some(sent) = &m.beat {
            sooner(due, sent.deadline);
            return;
        }
        if m.next_beat > now {
            sooner(due, m.next_beat);
            return;
        }
        let Some(broker) = self.reach_coordinator(Cause::default(), due, out) else {
            return;
        };
        let epoch = self.modern().map_or(JOIN, |m| m.epoch);
        if let Some(sent) = self.beat(broker, epoch, out) {
            sooner(due, sent.deadline);
            if let Some(m) = self.modern() {
                m.beat = Some(sent);
            }
        }
    }

    /// Sends a heartbeat: all it has to say when it joins or the last one was lost, otherwise what
    /// is new.
    fn beat(&mut self, broker: BrokerId, epoch: i32, out: &mut Out) -> Option<Sent> {
        let owned: Vec<Tp> = self.parts.keys().copied().collect();
        let instance = self.settings.instance.clone();
        let rebalance_timeout = self.settings.max_poll_interval;
        let assignor = self.settings.remote_assignor.clone();
        let group = self.settings.group.clone()?;
        let m = self.modern()?;
        let whole = std::mem::take(&mut m.whole) && epoch >= JOIN;
        let new_topics = std::mem::take(&mut m.new_topics) && epoch >= JOIN;
        let acknowledges = std::mem::take(&mut m.acknowledges) && epoch >= JOIN;
        let beat = ConsumerBeat {
            group,
            member: m.member.clone(),
            epoch,
            instance,
            rebalance_timeout: whole.then_some(rebalance_timeout),
            topics: (whole || new_topics).then(|| m.topics.clone()),
            owned: (whole || acknowledges).then_some(owned),
            assignor: assignor.filter(|_| whole),
        };
        let limit = self.settings.request_timeout;
        let request = GroupRequest::ConsumerBeat(beat);
        Some(self.send_to(broker, request, limit, out.cause, out))
    }

    /// Tells the group that it leaves; a static member comes back (R-848-7). Returns the request.
    pub(super) fn leave_modern(&mut self, out: &mut Out) -> Option<Sent> {
        let epoch = if self.settings.instance.is_some() {
            LEAVE_FOR_A_WHILE
        } else {
            LEAVE
        };
        let is_member = self.modern().is_some_and(|m| m.is_in() && m.epoch > JOIN);
        let broker = self.side.coordinator.at.filter(|_| is_member)?;
        self.beat(broker, epoch, out)
    }

    pub(super) fn modern_answered(
        &mut self,
        correlation: Correlation,
        answer: &GroupAnswer,
        out: &mut Out,
    ) {
        let GroupAnswer::ConsumerBeaten(result) = answer else {
            return;
        };
        let Some(m) = self.modern() else { return };
        if m.beat.take_if(|s| s.correlation == correlation).is_none() {
            return;
        }
        match result {
            Ok(beaten) => self.told(beaten, out.now),
            Err(error) => self.beat_refused(*error, out),
        }
    }

    fn told(&mut self, beaten: &ConsumerBeaten, now: Ms) {
        let owned = self.owned();
        let Some(m) = self.modern() else { return };
        m.epoch = beaten.epoch;
        // Something that came up while the heartbeat was under way is told at once.
        let at_once = m.acknowledges || m.new_topics;
        m.next_beat = if at_once {
            now
        } else {
            now.plus(beaten.interval)
        };
        let Some(target) = &beaten.assignment else {
            return;
        };
        let target: Set<Tp> = target.iter().copied().collect();
        let target = Some(target).filter(|t| *t != owned);
        if target != m.target {
            m.target = target;
            m.phase = Phase::In;
            self.release();
        }
    }

    /// Nothing is to be given up any more.
    fn release(&mut self) {
        for part in self.parts.values_mut() {
            part.revoking = false;
        }
    }

    fn beat_refused(&mut self, error: KafkaError, out: &mut Out) {
        use KafkaError as E;
        let again = out.now.plus(self.settings.retry_backoff);
        if wrong_coordinator(error) {
            self.coordinator_unknown(out.now);
        }
        let Some(m) = self.modern() else { return };
        match error {
            // Its partitions are lost, and it joins anew (R-848-4).
            E::FencedMemberEpoch | E::UnknownMemberId => {
                m.join();
                self.give_up(|_| true, true, out);
            }
            E::CoordinatorNotAvailable | E::NotCoordinator | E::CoordinatorLoadInProgress => {
                m.whole = true;
                m.next_beat = again;
            }
            // UNRELEASED_INSTANCE_ID (R-848-5) and the like.
            _ => {
                m.leave(Phase::Refused);
                self.give_up(|_| true, true, out);
                self.refused(error);
            }
        }
    }
}
