//! A consumer (sections F1, F2, F8, F9; its group: F3, G). What it reads, it reads inside `poll`:
//! it finds out who leads, gives each partition a valid position, fetches, and returns what has
//! come. What arrives between polls is looked at in the next one. Commits and heartbeats go on
//! between polls.

mod aborted;
pub mod assignor;
mod classic;
#[cfg(test)]
mod classic_tests;
mod commit;
mod coordinator;
mod fetch;
mod group;
#[cfg(test)]
mod group_tests;
mod member;
mod modern;
#[cfg(test)]
mod modern_tests;
mod position;
mod restore;
#[cfg(test)]
mod tests;

pub use group::{CallResult, CommitException, CommitMode, MembershipView, SeekTo};

use super::cluster::{Cluster, Pace};
use super::settings::{ConsumerSettings, OffsetReset};
use super::{backoff, sooner};
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Cause, EventKind};
use crate::kafka::group::message::GroupAnswer;
use crate::kafka::ids::*;
use crate::kafka::map::Map;
use crate::kafka::message::{Body, FetchedPart, Message, NodeId};
use crate::kafka::out::{ClientTimer, Out, Timer};
use std::collections::VecDeque;
use std::rc::Rc;

/// reconnect.backoff.ms
const RECONNECT_BACKOFF: Ms = Ms(50);
/// reconnect.backoff.max.ms
const RECONNECT_BACKOFF_MAX: Ms = Ms(1_000);

/// A record as poll returns it: partition, number, leader epoch, key, value.
pub type PolledRecord = (Tp, Offset, Epoch, Option<Rc<str>>, Option<Rc<str>>);

/// What a poll returned.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PollResult {
    /// The records, partition by partition in the order they came.
    pub records: Vec<PolledRecord>,
    /// The position afterwards; `None`: none yet, or not known to be valid.
    pub positions: Vec<(Tp, Option<Boundary>)>,
    /// The replica it reads from instead of the leader.
    pub preferred_read_replica: Option<BrokerId>,
    /// What poll threw instead of returning records.
    pub exception: Option<PollException>,
}

/// An exception out of poll().
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PollException {
    /// OffsetOutOfRangeException: there is no reset policy (R-RST-4).
    OffsetOutOfRange,
    /// NoOffsetForPartitionException (R-RST-2).
    NoOffsetForPartition,
    /// LogTruncationException (R-TRD-2), with the boundary where the log the consumer has read
    /// and the present one part and the epoch that ends there, if known.
    LogTruncation(Option<(Boundary, Epoch)>),
    /// The group refused the consumer for good (another process has its group.instance.id, ...).
    Refused(KafkaError),
}

/// A consumer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Consumer {
    id: ClientId,
    settings: ConsumerSettings,
    cluster: Cluster,
    /// What it is assigned.
    parts: Map<Tp, Part>,
    /// The poll under way.
    poll: Option<Poll>,
    /// Fetches without an answer; at most one a broker (R-CON-4).
    fetches: Vec<Fetching>,
    /// Fetched and not returned yet, the oldest first.
    arrived: VecDeque<Arrived>,
    /// Brokers that could not be reached: not asked again before this time.
    unreachable: Map<BrokerId, Unreachable>,
    /// Every record it was given, in order.
    received: Vec<(Tp, Offset, Option<Rc<str>>)>,
    done: Vec<(u32, PollResult)>,
    /// Thrown by the next poll.
    exception: Option<PollException>,
    /// The earliest reminder that is pending.
    wake: Option<Ms>,
    /// Its group, if it has one.
    side: group::Side,
    closed: bool,
    /// Switch `consumer_truncation_detection` (KIP-320).
    truncation_detection: bool,
}

/// A partition of a consumer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Part {
    position: Option<Position>,
    state: PartState,
    /// The leader (epoch) the position was last held against (R-TRD-1).
    leader: Option<(BrokerId, Epoch)>,
    /// Read from this replica until this time (R-FFR-2).
    preferred: Option<(BrokerId, Ms)>,
    /// Not fetched before this time, after an error.
    ready: Ms,
    /// Not fetched, by wish of the application.
    paused: bool,
    /// Not fetched, as it is to be given up.
    revoking: bool,
    /// Where seekToBeginning or seekToEnd goes, whatever the reset policy.
    sought: Option<OffsetReset>,
    /// The end and the log start in the last fetch answer (R-LAG-1).
    bounds: Option<(Boundary, Boundary)>,
}

/// The next record to return (R-CON-1), with the epoch of the record in front of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Position {
    offset: Boundary,
    epoch: Option<Epoch>,
}

/// Whether a partition can be fetched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
enum PartState {
    /// The position holds.
    #[default]
    Fetching,
    /// The group has to be asked where to go on.
    Initializing,
    /// A position has to be looked up by the reset policy.
    Reset(Lookup),
    /// It has to be seen whether the log up to the position is still the one that was read.
    Validating(Lookup),
}

/// A question to the leader about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Lookup {
    /// Under way.
    asked: Option<(Correlation, BrokerId)>,
    /// When its answer is given up, or (not under way) when it is asked at the earliest, ms.
    at: Ms,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Poll {
    tag: u32,
    deadline: Ms,
    cause: Cause,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Fetching {
    correlation: Correlation,
    broker: BrokerId,
    deadline: Ms,
    tps: Vec<Tp>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Arrived {
    broker: BrokerId,
    part: FetchedPart,
    /// Up to here it has been returned.
    next: Boundary,
    cause: Cause,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Unreachable {
    until: Ms,
    times: u32,
}

impl Consumer {
    /// A consumer without partitions.
    pub fn new(id: ClientId, settings: ConsumerSettings, bootstrap: Vec<BrokerId>) -> Self {
        Consumer {
            side: group::Side::default(),
            closed: false,
            truncation_detection: true,
            id,
            settings,
            cluster: Cluster::new(id, bootstrap),
            parts: Map::new(),
            poll: None,
            fetches: Vec::new(),
            arrived: VecDeque::new(),
            unreachable: Map::new(),
            received: Vec::new(),
            done: Vec::new(),
            exception: None,
            wake: None,
        }
    }

    /// The name of the client (client.id) and how many processes had it before: member ids that
    /// are made of them are new ones.
    pub fn named(mut self, name: &Rc<str>, process: u32) -> Self {
        self.side.client = (name.clone(), process);
        self
    }

    /// Without the fix of KIP-320 if `on` is false: positions are never held against the log.
    pub fn detect_truncation(mut self, on: bool) -> Self {
        self.truncation_detection = on;
        self
    }

    /// Takes these partitions and no others. With `seek` each is read from that boundary; without,
    /// a partition it had keeps its position and a new one gets one from its group's commit, or by
    /// auto.offset.reset (R-RST-1).
    pub fn assign(&mut self, partitions: &[Tp], seek: Option<Boundary>, out: &mut Out) {
        self.auto_commit(out);
        let start = self.start_state();
        let mut before = std::mem::take(&mut self.parts);
        for tp in partitions {
            let had = before.remove(tp);
            let from = had.as_ref().and_then(|p| p.position).map(|p| p.offset);
            let part = match (seek, had) {
                (Some(to), had) => {
                    out.emit(EventKind::PositionReset {
                        client: self.id,
                        tp: *tp,
                        from,
                        to,
                    });
                    Part {
                        position: Some(Position {
                            offset: to,
                            epoch: None,
                        }),
                        preferred: had.and_then(|p| p.preferred),
                        ..Part::default()
                    }
                }
                (None, Some(had)) => had,
                (None, None) => Part {
                    state: start.clone(),
                    ..Part::default()
                },
            };
            self.cluster.follow(*tp);
            self.parts.insert(*tp, part);
        }
        self.exception = None;
        self.drive(out);
    }

    /// How a partition without a position begins.
    fn start_state(&self) -> PartState {
        match self.settings.group {
            Some(_) => PartState::Initializing,
            None => PartState::Reset(Lookup::default()),
        }
    }

    /// Polls: ends when records have come, an exception is due or the time is over; `tag` comes
    /// back in [`done`](Self::done). One poll at a time: another one ends the one before.
    pub fn poll(&mut self, tag: u32, timeout: Ms, out: &mut Out) {
        self.finish(Vec::new(), None);
        if self.closed || self.side.closing.is_some() {
            self.done.push((tag, PollResult::default()));
            return;
        }
        self.poll = Some(Poll {
            tag,
            deadline: out.now.plus(timeout),
            cause: out.cause,
        });
        self.drive(out);
    }

    /// Takes an answer, or the news that there will be none.
    pub fn handle(&mut self, message: &Message, out: &mut Out) {
        if let NodeId::Broker(broker) = message.from
            && !matches!(message.body, Body::Disconnected)
        {
            self.unreachable.remove(&broker);
            self.cluster.heard(broker);
        }
        match &message.body {
            Body::MetadataAnswer(image) => {
                self.cluster.answered(message.correlation, image, out);
            }
            Body::FetchAnswer(parts) => self.fetched(message, parts),
            Body::ListOffsetsAnswer { tp, result, .. } => {
                let result = result.map(|found| found.map(|f| f.at));
                self.offset_found(message.correlation, *tp, result, out);
            }
            Body::EpochEndAnswer { tp, result } => {
                self.epoch_end_found(message.correlation, *tp, *result, out);
            }
            Body::GroupAnswer(answer) => self.group_answered(message.correlation, answer, out),
            Body::Disconnected if self.cluster.disconnected(message.correlation) => {}
            Body::Disconnected => {
                if let NodeId::Broker(broker) = message.from {
                    self.lost(broker, out);
                }
            }
            _ => {}
        }
        self.drive(out);
    }

    /// The coordinator, or whoever was asked for it, answered.
    fn group_answered(&mut self, correlation: Correlation, answer: &GroupAnswer, out: &mut Out) {
        match answer {
            GroupAnswer::Coordinator(_, _, result) => {
                self.coordinator_found(correlation, *result, out);
            }
            GroupAnswer::Committed(results) => self.commit_answered(correlation, results, out),
            GroupAnswer::Fetched(result) => self.ask_answered(correlation, result, out),
            _ if self.leave_answered(correlation) => {}
            _ => self.member_answered(correlation, answer, out),
        }
    }

    /// A broker's process has ended: the connection to it breaks, also if nothing is under way.
    pub fn broker_gone(&mut self, broker: BrokerId, out: &mut Out) {
        self.lost(broker, out);
        self.drive(out);
    }

    /// A reminder. One that is out of date does no harm.
    pub fn timer(&mut self, _timer: &ClientTimer, out: &mut Out) {
        if self.wake.is_some_and(|at| at <= out.now) {
            self.wake = None;
        }
        self.drive(out);
    }

    /// The polls that ended since the last call.
    pub fn done(&mut self) -> Vec<(u32, PollResult)> {
        std::mem::take(&mut self.done)
    }

    /// Its settings.
    pub fn settings(&self) -> &ConsumerSettings {
        &self.settings
    }

    /// Changes its settings.
    pub fn set_settings(&mut self, settings: ConsumerSettings) {
        if self.settings.group != settings.group {
            let client = self.side.client.clone();
            self.side = group::Side::default();
            self.side.client = client;
        }
        self.settings = settings;
    }

    /// The position in each partition; `None` while there is none that is known to be valid.
    pub fn positions(&self) -> Vec<(Tp, Option<Boundary>)> {
        self.parts
            .iter()
            .map(|(tp, part)| {
                let valid = part.state == PartState::Fetching;
                let position = part.position.filter(|_| valid);
                (*tp, position.map(|p| p.offset))
            })
            .collect()
    }

    /// The position in a partition, also one that is not known to be valid, and the epoch of the
    /// record in front of it.
    pub fn read_position(&self, tp: Tp) -> Option<(Boundary, Option<Epoch>)> {
        let position = self.parts.get(&tp)?.position?;
        Some((position.offset, position.epoch))
    }

    /// Every record it was given, in order: partition, number, value.
    pub fn received(&self) -> &[(Tp, Offset, Option<Rc<str>>)] {
        &self.received
    }

    /// The replica it reads from instead of the leader (of its first partition that has one).
    pub fn preferred_read_replica(&self) -> Option<BrokerId> {
        self.parts
            .values()
            .find_map(|p| p.preferred)
            .map(|(broker, _)| broker)
    }

    fn pace(&self) -> Pace {
        Pace {
            request_timeout: self.settings.request_timeout,
            retry_backoff: self.settings.retry_backoff,
            retry_backoff_max: self.settings.retry_backoff_max,
            max_age: self.settings.metadata_max_age,
        }
    }

    /// The connection to a broker broke: whatever was asked of it has no answer.
    fn lost(&mut self, broker: BrokerId, out: &mut Out) {
        let now = out.now;
        self.cluster.lost(broker);
        // One lost connection may be told once for each request on it.
        if self.reachable_at(broker, now).is_none() {
            let times = self.unreachable.get(&broker).map_or(0, |u| u.times);
            let wait = backoff(RECONNECT_BACKOFF, RECONNECT_BACKOFF_MAX, times);
            let until = now.plus(wait);
            let times = times + 1;
            self.unreachable
                .insert(broker, Unreachable { until, times });
        }
        let (lost, kept) = std::mem::take(&mut self.fetches)
            .into_iter()
            .partition(|f: &Fetching| f.broker == broker);
        self.fetches = kept;
        let lost: Vec<Fetching> = lost;
        for tp in lost.iter().flat_map(|f| &f.tps) {
            if let Some(part) = self.parts.get_mut(tp) {
                part.preferred = None;
            }
        }
        let again = now.plus(self.settings.retry_backoff);
        for part in self.parts.values_mut() {
            if let PartState::Reset(l) | PartState::Validating(l) = &mut part.state
                && l.asked.is_some_and(|(_, b)| b == broker)
            {
                *l = Lookup {
                    asked: None,
                    at: again,
                };
            }
        }
        self.coordinator_lost(broker, now);
        self.commits_lost(broker, out);
        self.member_lost(broker, now);
        self.leave_lost(broker);
    }

    /// Requests whose time is over: the connection is given up.
    fn time_out(&mut self, out: &mut Out) {
        let now = out.now;
        let mut late: BrokerSet = self
            .fetches
            .iter()
            .filter(|f| f.deadline <= now)
            .map(|f| f.broker)
            .collect();
        for part in self.parts.values() {
            if let PartState::Reset(l) | PartState::Validating(l) = &part.state
                && let Some((_, broker)) = l.asked
                && l.at <= now
            {
                late.insert(broker);
            }
        }
        late = late.union(self.late_coordinator(now));
        for broker in late.iter() {
            self.lost(broker, out);
        }
    }

    /// When the broker may be asked (again); `None`: now.
    fn reachable_at(&self, broker: BrokerId, now: Ms) -> Option<Ms> {
        let until = self.unreachable.get(&broker)?.until;
        (until > now).then_some(until)
    }

    fn drive(&mut self, out: &mut Out) {
        if self.closed {
            return;
        }
        self.time_out(out);
        let mut due = None;
        if let Some(poll) = self.poll.clone() {
            if self.exception.is_none() {
                self.member_in_poll(poll.cause, &mut due, out);
            }
            self.auto_commit(out);
            self.ask_for_positions(poll.cause);
            self.drive_poll(poll, &mut due, out);
        }
        self.member_between(&mut due, out);
        self.send_commits(&mut due, out);
        self.send_asks(&mut due, out);
        self.go_on_closing(&mut due, out);
        // What is due now has been done: nothing wakes it twice at one time.
        let due = due.map(|at| at.max(out.now.plus(Ms(1))));
        if let Some(at) = due
            && !self.closed
            && self.wake.is_none_or(|wake| at < wake)
        {
            self.wake = Some(at);
            out.remind(
                at,
                Timer::Client {
                    client: self.id,
                    what: ClientTimer::Wake,
                },
            );
        }
    }

    fn drive_poll(&mut self, poll: Poll, due: &mut Option<Ms>, out: &mut Out) {
        self.follow_leaders();
        if let Some(exception) = self.due_exception() {
            self.finish(Vec::new(), Some(exception));
            return;
        }
        let (records, advanced) = self.collect(&poll, out);
        if advanced || self.exception.is_some() {
            let exception = if records.is_empty() {
                self.exception.take()
            } else {
                None
            };
            self.finish(records, exception);
            return;
        }
        sooner(due, poll.deadline);
        if let Some(at) = self.side.next_auto_commit
            && at > out.now
            && self.commits_itself()
            && !self.parts.is_empty()
        {
            sooner(due, at);
        }
        let leaderless = self
            .parts
            .keys()
            .any(|tp| self.cluster.leader(*tp).is_none())
            || self.lacks_topics();
        let busy = self.fetches.iter().map(|f| f.broker).collect();
        let pace = self.pace();
        if (!self.parts.is_empty() || self.is_subscribed())
            && let Some(at) = self
                .cluster
                .drive(leaderless, busy, None, pace, poll.cause, out)
        {
            sooner(due, at);
        }
        self.look_up(&poll, due, out);
        self.send_fetches(&poll, due, out);
        if poll.deadline <= out.now {
            self.came_to_nothing(&poll, out);
            self.finish(Vec::new(), None);
        }
    }

    /// Time is over and nothing has come.
    fn came_to_nothing(&self, poll: &Poll, out: &mut Out) {
        let client = self.id;
        for (tp, position) in self.positions() {
            let Some(position) = position else { continue };
            let kind = EventKind::PollEmpty {
                client,
                tp,
                position,
            };
            out.emit_because(kind, &[poll.cause]);
        }
    }

    /// The end of a poll.
    fn finish(&mut self, records: Vec<PolledRecord>, exception: Option<PollException>) {
        let Some(poll) = self.poll.take() else {
            return;
        };
        self.received.extend(
            records
                .iter()
                .map(|(tp, offset, _, _, value)| (*tp, *offset, value.clone())),
        );
        let result = PollResult {
            records,
            positions: self.positions(),
            preferred_read_replica: self.preferred_read_replica(),
            exception,
        };
        self.done.push((poll.tag, result));
    }
}
