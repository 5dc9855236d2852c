//! What the two group protocols have in common: whether the consumer is a member, in whose name it
//! commits, and what happens to its partitions when they come and go (section G).

use super::classic::Classic;
use super::coordinator::Sent;
use super::group::CommitException;
use super::modern::Modern;
use super::{Consumer, Part, PollException};
use crate::kafka::client::settings::GroupProtocol;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Cause, EventKind};
use crate::kafka::group::message::{GroupAnswer, MemberRef};
use crate::kafka::ids::*;
use crate::kafka::map::Set;
use crate::kafka::out::Out;

/// How a consumer comes by its partitions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Member {
    /// It takes them by hand.
    #[default]
    ByHand,
    /// As a member by the classic protocol.
    Classic(Box<Classic>),
    /// As a member by the consumer protocol (KIP-848).
    Modern(Box<Modern>),
}

impl Member {
    /// Requests without an answer.
    pub fn open(&self) -> impl Iterator<Item = &Sent> {
        let (one, other) = match self {
            Member::ByHand => (None, None),
            Member::Classic(c) => (c.asked(), c.beat.as_ref().map(|(sent, _)| sent)),
            Member::Modern(m) => (m.beat.as_ref(), None),
        };
        one.into_iter().chain(other)
    }
}

impl Consumer {
    /// Whether it takes partitions by subscription.
    pub fn is_subscribed(&self) -> bool {
        self.side.member != Member::ByHand
    }

    /// The topics it is subscribed to.
    pub(super) fn topics(&self) -> &[TopicId] {
        match &self.side.member {
            Member::ByHand => &[],
            Member::Classic(c) => &c.topics,
            Member::Modern(m) => &m.topics,
        }
    }

    pub(super) fn begin_membership(&mut self, topics: &[TopicId], now: Ms) {
        let mut topics = topics.to_vec();
        topics.sort_unstable();
        topics.dedup();
        for topic in &topics {
            self.cluster.follow(Tp {
                topic: *topic,
                partition: 0,
            });
        }
        match &mut self.side.member {
            Member::Classic(c) => c.subscribe(topics),
            Member::Modern(m) => m.subscribe(topics),
            Member::ByHand => {
                let next = now.plus(self.settings.auto_commit_interval);
                self.side.next_auto_commit.get_or_insert(next);
                self.side.member = match self.settings.protocol {
                    GroupProtocol::Classic => Member::Classic(Box::new(Classic::new(topics, now))),
                    GroupProtocol::Consumer => {
                        let (name, process) = &self.side.client;
                        let id = format!("{name}-{}", process + 1);
                        Member::Modern(Box::new(Modern::new(id.into(), topics, now)))
                    }
                };
            }
        }
    }

    /// Within a poll.
    pub(super) fn member_in_poll(&mut self, cause: Cause, due: &mut Option<Ms>, out: &mut Out) {
        match &mut self.side.member {
            Member::ByHand => {}
            Member::Classic(c) => {
                c.last_poll = out.now;
                self.classic_in_poll(cause, due, out);
            }
            Member::Modern(m) => {
                m.last_poll = out.now;
                self.modern_in_poll(out);
            }
        }
    }

    /// Whether or not a poll is under way: heartbeats, and the watch over max.poll.interval.ms.
    pub(super) fn member_between(&mut self, due: &mut Option<Ms>, out: &mut Out) {
        match &self.side.member {
            Member::ByHand => {}
            Member::Classic(_) => self.classic_between(due, out),
            Member::Modern(_) => self.modern_between(due, out),
        }
    }

    pub(super) fn member_answered(&mut self, c: Correlation, answer: &GroupAnswer, out: &mut Out) {
        match &self.side.member {
            Member::ByHand => {}
            Member::Classic(_) => self.classic_answered(c, answer, out),
            Member::Modern(_) => self.modern_answered(c, answer, out),
        }
    }

    /// The connection to a broker broke.
    pub(super) fn member_lost(&mut self, broker: BrokerId, now: Ms) {
        let again = now.plus(self.settings.retry_backoff);
        match &mut self.side.member {
            Member::ByHand => {}
            Member::Classic(c) => c.lost(broker, again),
            Member::Modern(m) => m.lost(broker, again),
        }
    }

    /// In whose name a commit goes out. The classic client does not even try while it is in no
    /// generation (R-REB-5); the one of the consumer protocol that has lost its membership commits
    /// as a stranger (R-COM-10).
    pub(super) fn commit_as(&self) -> Result<MemberRef, CommitException> {
        let instance = self.settings.instance.clone();
        match &self.side.member {
            Member::Classic(c) if c.is_in_generation() => Ok(MemberRef {
                id: c.member.clone(),
                generation: c.generation,
                instance,
            }),
            Member::Classic(c) if c.is_rebalancing() => Err(CommitException::RebalanceInProgress),
            Member::Classic(_) => Err(CommitException::CommitFailed(KafkaError::UnknownMemberId)),
            Member::Modern(m) if m.epoch > 0 => Ok(MemberRef {
                id: m.member.clone(),
                generation: m.epoch,
                instance,
            }),
            Member::Modern(_) | Member::ByHand => Ok(MemberRef {
                instance,
                ..MemberRef::none()
            }),
        }
    }

    /// In whose name positions are asked for: only the consumer protocol looks at it.
    pub(super) fn ask_as(&self) -> MemberRef {
        match &self.side.member {
            Member::Modern(_) => self.commit_as().unwrap_or_else(|_| MemberRef::none()),
            _ => MemberRef::none(),
        }
    }

    /// The generation (member epoch) a commit would carry now; -1: none.
    pub(super) fn generation(&self) -> i32 {
        match &self.side.member {
            Member::ByHand => -1,
            Member::Classic(c) => c.generation,
            Member::Modern(m) if m.epoch > 0 => m.epoch,
            Member::Modern(_) => -1,
        }
    }

    /// Whether it is on its way into a new generation.
    pub(super) fn is_rebalancing(&self) -> bool {
        matches!(&self.side.member, Member::Classic(c) if c.is_rebalancing())
    }

    /// The group does not know this member (in this generation): it begins anew.
    pub(super) fn forget_generation(&mut self, error: KafkaError) {
        if let Member::Classic(c) = &mut self.side.member {
            c.forget(error != KafkaError::IllegalGeneration);
        }
    }

    /// The group is rebalancing: it rejoins in its next poll.
    pub(super) fn want_rejoin(&mut self) {
        if let Member::Classic(c) = &mut self.side.member {
            c.rejoin = true;
        }
    }

    /// What it holds.
    pub(super) fn owned(&self) -> Set<Tp> {
        self.parts.keys().copied().collect()
    }

    /// These partitions are no longer fetched: they are to be given up.
    pub(super) fn hold_back(&mut self, tps: impl Fn(Tp) -> bool) {
        for (tp, part) in &mut self.parts {
            part.revoking |= tps(*tp);
        }
    }

    /// Gives partitions up, or loses them without a chance to commit (R-REB-6).
    pub(super) fn give_up(&mut self, which: impl Fn(Tp) -> bool, lost: bool, out: &mut Out) {
        let tps: Vec<Tp> = self.parts.keys().copied().filter(|tp| which(*tp)).collect();
        if tps.is_empty() {
            return;
        }
        for tp in &tps {
            self.parts.remove(tp);
        }
        if let Some(group) = self.settings.group.clone() {
            out.emit(EventKind::Revoked {
                client: self.id,
                group,
                tps,
                lost,
            });
        }
    }

    /// New partitions: each begins at its group's commit (R-REB-7, R-REB-9).
    pub(super) fn take_on(&mut self, tps: Vec<Tp>, out: &mut Out) {
        let state = self.start_state();
        for tp in &tps {
            self.cluster.follow(*tp);
            let part = Part {
                state: state.clone(),
                ..Part::default()
            };
            self.parts.insert(*tp, part);
        }
        if let Some(group) = self.settings.group.clone() {
            out.emit(EventKind::Assigned {
                client: self.id,
                group,
                tps,
            });
        }
    }

    /// The group refused it for good: poll throws that.
    pub(super) fn refused(&mut self, error: KafkaError) {
        self.exception = Some(PollException::Refused(error));
    }

    /// Whether what is known of the subscribed topics is enough to join.
    pub(super) fn lacks_topics(&self) -> bool {
        let unknown = |t: &TopicId| self.cluster.partitions_of(*t).is_none();
        self.topics().iter().any(unknown)
    }
}
