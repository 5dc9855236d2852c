//! A consumer in a group: subscription, commits, close (sections F3, G).

use super::commit::{CommitWhy, Committing};
use super::coordinator::{Coordinator, Sent};
use super::member::Member;
use super::restore::Asking;
use super::{Consumer, Lookup, Part, PartState, Position};
use crate::kafka::client::settings::OffsetReset;
use crate::kafka::client::sooner;
use crate::kafka::error::KafkaError;
use crate::kafka::event::EventKind;
use crate::kafka::group::message::Committed;
use crate::kafka::ids::*;
use crate::kafka::map::Map;
use crate::kafka::out::Out;
use std::collections::VecDeque;
use std::rc::Rc;

/// How long close() may take, ms (its default).
const CLOSE_TIMEOUT: Ms = Ms(30_000);

/// Where a seek goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SeekTo {
    /// To this boundary.
    Offset(Boundary),
    /// seekToBeginning: to the log start, looked up in the next poll.
    Beginning,
    /// seekToEnd: to the end, looked up in the next poll.
    End,
}

/// How a commit is made (R-COM-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CommitMode {
    /// commitSync: tries again until default.api.timeout.ms.
    Sync,
    /// commitAsync: tries once.
    Async,
}

/// What a call other than poll came to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CallResult {
    /// A commit: done, or the exception.
    Committed(Result<(), CommitException>),
    /// committed(): what is committed for each partition asked for.
    Offsets(Result<Vec<(Tp, Option<Committed>)>, KafkaError>),
    /// close() returned.
    Closed,
}

/// An exception out of a commit (R-COM-9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CommitException {
    /// CommitFailedException: no longer a member; with the broker's error.
    CommitFailed(KafkaError),
    /// RebalanceInProgressException.
    RebalanceInProgress,
    /// RetriableCommitFailedException (commitAsync).
    Retriable(KafkaError),
    /// TimeoutException: retriable errors until the time was over.
    Timeout(KafkaError),
    /// FencedInstanceIdException: fatal.
    FencedInstance,
    /// Another error of Kafka's.
    Other(KafkaError),
    /// IllegalArgumentException: a negative offset (R-COM-2).
    IllegalArgument,
    /// InvalidGroupIdException: no group.id is set.
    NoGroup,
}

/// A client's word on its membership, for pictures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MembershipView {
    /// The group.
    pub group: Option<Rc<str>>,
    /// The member id it has.
    pub member: Option<Rc<str>>,
    /// Generation or member epoch; -1: none.
    pub generation: i32,
    /// Whether it has partitions by subscription.
    pub subscribed: bool,
}

/// A consumer's side of its group.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Side {
    pub coordinator: Coordinator,
    /// Commits that are not over, in the order they were asked for.
    pub commits: VecDeque<Committing>,
    /// Questions what is committed.
    pub asks: Vec<Asking>,
    /// The next question for positions is not sent before this time.
    pub ask_again: Ms,
    /// When enable.auto.commit commits next.
    pub next_auto_commit: Option<Ms>,
    /// What is committed, as this client last sent or heard it.
    pub known: Map<Tp, Committed>,
    /// Calls that ended.
    pub calls: Vec<(u32, CallResult)>,
    pub closing: Option<Closing>,
    pub member: Member,
    /// client.id, and how many processes had it before.
    pub client: (Rc<str>, u32),
}

/// A close() under way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Closing {
    pub tag: u32,
    /// When it returns in any case.
    pub deadline: Ms,
    leave: Leave,
}

/// How far the leaving of a group is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Leave {
    NotYet,
    Asked(Sent),
    Over,
}

impl Side {
    /// Requests without an answer.
    pub fn open(&self) -> impl Iterator<Item = &Sent> {
        let commits = self.commits.iter().filter_map(|c| c.sent.as_ref());
        let asks = self.asks.iter().filter_map(|a| a.sent.as_ref());
        let leave = self.closing.iter().filter_map(|c| match &c.leave {
            Leave::Asked(sent) => Some(sent),
            _ => None,
        });
        commits.chain(asks).chain(leave).chain(self.member.open())
    }
}

impl Consumer {
    /// Subscribes to topics: partitions come by group membership, in later polls.
    pub fn subscribe(&mut self, topics: &[TopicId], out: &mut Out) {
        self.begin_membership(topics, out.now);
        self.drive(out);
    }

    /// Sets a position. `false`: the partition is not assigned (IllegalStateException).
    pub fn seek(&mut self, tp: Tp, to: SeekTo, out: &mut Out) -> bool {
        let Some(part) = self.parts.get_mut(&tp) else {
            return false;
        };
        let from = part.position.map(|p| p.offset);
        part.sought = match to {
            SeekTo::Offset(_) => None,
            SeekTo::Beginning => Some(OffsetReset::Earliest),
            SeekTo::End => Some(OffsetReset::Latest),
        };
        match to {
            SeekTo::Offset(to) => {
                part.state = PartState::Fetching;
                // No epoch, so nothing to validate (R-RST-5).
                part.position = Some(Position {
                    offset: to,
                    epoch: None,
                });
                out.emit(EventKind::PositionReset {
                    client: self.id,
                    tp,
                    from,
                    to,
                });
            }
            SeekTo::Beginning | SeekTo::End => part.state = PartState::Reset(Lookup::default()),
        }
        self.exception = None;
        true
    }

    /// Sets a position of which it is known which epoch the record in front of it has: before
    /// anything is fetched the log is asked whether that still is so (R-TRD-1).
    pub fn seek_with_epoch(&mut self, tp: Tp, to: Boundary, epoch: Epoch, out: &mut Out) -> bool {
        let is_assigned = self.seek(tp, SeekTo::Offset(to), out);
        if is_assigned {
            let position = Position {
                offset: to,
                epoch: Some(epoch),
            };
            self.put(tp, position);
        }
        is_assigned
    }

    /// Stops (or resumes) fetching of partitions; the assignment stays.
    pub fn pause(&mut self, tps: &[Tp], paused: bool) {
        for tp in tps {
            if let Some(part) = self.parts.get_mut(tp) {
                part.paused = paused;
            }
        }
    }

    /// Commits these next positions, or (`None`) the positions of all assigned partitions. `tag`
    /// comes back in [`calls`](Self::calls).
    pub fn commit(
        &mut self,
        tag: u32,
        offsets: Option<Vec<(Tp, Committed)>>,
        mode: CommitMode,
        out: &mut Out,
    ) {
        let offsets = offsets.unwrap_or_else(|| self.consumed());
        let why = CommitWhy::Asked { tag, mode };
        self.begin_commit(why, offsets, self.settings.api_timeout, out);
        self.drive(out);
    }

    /// committed(): asks what is committed for partitions.
    pub fn ask_committed(&mut self, tag: u32, tps: Vec<Tp>, out: &mut Out) {
        self.begin_asking(tag, tps, out);
        self.drive(out);
    }

    /// close(): commits if enable.auto.commit, leaves the group (R-COM-3; a static member does
    /// not leave, R-REB-8).
    pub fn close(&mut self, tag: u32, out: &mut Out) {
        self.finish(Vec::new(), None);
        self.side.closing = Some(Closing {
            tag,
            deadline: out.now.plus(CLOSE_TIMEOUT),
            leave: Leave::NotYet,
        });
        if self.commits_itself() {
            let offsets = self.consumed();
            if !offsets.is_empty() {
                self.begin_commit(CommitWhy::Parting, offsets, CLOSE_TIMEOUT, out);
            }
        }
        self.drive(out);
    }

    /// Goes on with a close(): first what is still to be committed, then the leave.
    pub(super) fn go_on_closing(&mut self, due: &mut Option<Ms>, out: &mut Out) {
        let Some(closing) = &self.side.closing else {
            return;
        };
        let over = closing.deadline <= out.now;
        sooner(due, closing.deadline);
        if !over && !self.side.commits.is_empty() {
            return;
        }
        if closing.leave == Leave::NotYet {
            let lost = self.generation() < 0;
            if self.is_subscribed() {
                self.give_up(|_| true, lost, out);
            }
            let asked = match self.side.member {
                Member::ByHand => None,
                Member::Classic(_) => self.leave_classic(out),
                Member::Modern(_) => self.leave_modern(out),
            };
            self.side.member = Member::ByHand;
            if let Some(closing) = &mut self.side.closing {
                closing.leave = asked.map_or(Leave::Over, Leave::Asked);
            }
        }
        let waits = |c: &mut Closing| over || c.leave == Leave::Over;
        if let Some(closing) = self.side.closing.take_if(waits) {
            self.side.commits.clear();
            self.side.asks.clear();
            self.parts.clear();
            self.closed = true;
            self.side.calls.push((closing.tag, CallResult::Closed));
            out.emit(EventKind::ConsumerClosed { client: self.id });
        }
    }

    /// Whether this answers the leave of a close().
    pub(super) fn leave_answered(&mut self, correlation: Correlation) -> bool {
        self.end_leave(|sent| sent.correlation == correlation)
    }

    /// The connection to a broker broke: whether it has heard the leave is not known.
    pub(super) fn leave_lost(&mut self, broker: BrokerId) {
        self.end_leave(|sent| sent.broker == broker);
    }

    fn end_leave(&mut self, ended: impl Fn(&Sent) -> bool) -> bool {
        let Some(closing) = &mut self.side.closing else {
            return false;
        };
        let ended = matches!(&closing.leave, Leave::Asked(sent) if ended(sent));
        if ended {
            closing.leave = Leave::Over;
        }
        ended
    }

    /// The calls that ended since the last look.
    pub fn calls(&mut self) -> Vec<(u32, CallResult)> {
        std::mem::take(&mut self.side.calls)
    }

    /// Its membership.
    pub fn membership(&self) -> MembershipView {
        let member = match &self.side.member {
            Member::Classic(c) => Some(c.member.clone()),
            Member::Modern(m) if m.epoch > 0 => Some(m.member.clone()),
            Member::Modern(_) | Member::ByHand => None,
        };
        MembershipView {
            group: self.settings.group.clone(),
            member: member.filter(|id| !id.is_empty()),
            generation: self.generation(),
            subscribed: self.is_subscribed(),
        }
    }

    /// What is committed, as this client last sent or heard it; it may have changed since.
    pub fn committed(&self) -> Vec<(Tp, Committed)> {
        let known = self.side.known.iter();
        known.map(|(tp, c)| (*tp, c.clone())).collect()
    }

    /// The metric records-lag by partition (R-LAG-1): the end in the last fetch answer (high
    /// watermark, or last stable offset under read_committed) minus the position now, so that a
    /// seek shows at once; `None`: no answer or no position yet.
    pub fn records_lag(&self) -> Vec<(Tp, Option<i64>)> {
        self.by_bounds(|position, (end, _)| end.0 - position.0)
    }

    fn by_bounds(
        &self,
        count: impl Fn(Boundary, (Boundary, Boundary)) -> i64,
    ) -> Vec<(Tp, Option<i64>)> {
        let one = |(tp, part): (&Tp, &Part)| {
            let both = part.position.zip(part.bounds);
            (*tp, both.map(|(at, bounds)| count(at.offset, bounds)))
        };
        self.parts.iter().map(one).collect()
    }

    /// The metric records-lead by partition: the position minus the log start in the last fetch
    /// answer (R-LAG-1).
    pub fn records_lead(&self) -> Vec<(Tp, Option<i64>)> {
        self.by_bounds(|position, (_, start)| position.0 - start.0)
    }

    /// Partitions that are assigned.
    pub fn assignment(&self) -> Vec<Tp> {
        self.parts.keys().copied().collect()
    }

    /// Partitions that are not fetched, by wish of the application.
    pub fn paused(&self) -> Vec<Tp> {
        let paused = self.parts.iter().filter(|(_, part)| part.paused);
        paused.map(|(tp, _)| *tp).collect()
    }
}
