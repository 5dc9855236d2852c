//! Commits: saving positions (section F3).

use super::coordinator::Sent;
use super::group::{CallResult, CommitException, CommitMode};
use super::{Consumer, PartState};
use crate::kafka::client::settings::GroupProtocol;
use crate::kafka::client::sooner;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Cause, EventKind};
use crate::kafka::group::message::{Committed, GroupRequest, MemberRef};
use crate::kafka::ids::*;
use crate::kafka::out::Out;

/// Why a commit is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum CommitWhy {
    /// The application called; `tag` is its call.
    Asked { tag: u32, mode: CommitMode },
    /// enable.auto.commit, within a poll or an assign.
    Auto,
    /// enable.auto.commit, before partitions are given up or on close: tried again like commitSync.
    Parting,
}

/// A commit that is not over.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Committing {
    pub why: CommitWhy,
    offsets: Vec<(Tp, Committed)>,
    /// When it is given up.
    deadline: Ms,
    pub sent: Option<Sent>,
    /// In whose name it was sent.
    member: MemberRef,
    /// Not sent (again) before this time.
    again: Ms,
    /// What the last try came to.
    error: Option<KafkaError>,
    cause: Cause,
}

impl Committing {
    fn is_retried(&self) -> bool {
        let sync = CommitMode::Sync;
        match self.why {
            CommitWhy::Asked { mode, .. } => mode == sync,
            CommitWhy::Auto => false,
            CommitWhy::Parting => true,
        }
    }
}

impl Consumer {
    /// A commit that was asked for.
    pub(super) fn begin_commit(
        &mut self,
        why: CommitWhy,
        offsets: Vec<(Tp, Committed)>,
        limit: Ms,
        out: &mut Out,
    ) {
        let committing = Committing {
            why,
            deadline: out.now.plus(limit),
            sent: None,
            member: MemberRef::none(),
            again: Ms(0),
            error: None,
            cause: out.cause,
            offsets,
        };
        let refused = if self.settings.group.is_none() {
            Some(CommitException::NoGroup)
        } else if committing.offsets.iter().any(|(_, c)| c.offset.0 < 0) {
            Some(CommitException::IllegalArgument)
        } else {
            None
        };
        if let Some(exception) = refused {
            self.commit_over(&committing, Err((exception, None)), out);
        } else if committing.offsets.is_empty() {
            self.commit_over(&committing, Ok(()), out);
        } else {
            self.side.commits.push_back(committing);
        }
    }

    /// The positions of all partitions that have one, with the epoch of the record in front of it
    /// (R-COM-1).
    pub(super) fn consumed(&self) -> Vec<(Tp, Committed)> {
        let with_position = |(tp, part): (&Tp, &super::Part)| {
            let position = part
                .position
                .filter(|_| part.state == PartState::Fetching)?;
            let committed = Committed {
                leader_epoch: position.epoch,
                ..Committed::at(position.offset)
            };
            Some((*tp, committed))
        };
        self.parts.iter().filter_map(with_position).collect()
    }

    /// enable.auto.commit: if auto.commit.interval.ms has passed since the last, the positions as
    /// earlier polls left them are committed, before anything is fetched (R-COM-3). So all that was
    /// returned counts as processed, whether it is or not (R-COM-4).
    pub(super) fn auto_commit(&mut self, out: &mut Out) {
        if !self.commits_itself() || self.commit_as().is_err() {
            return;
        }
        let next = out.now.plus(self.settings.auto_commit_interval);
        let due = *self.side.next_auto_commit.get_or_insert(next);
        if due > out.now {
            return;
        }
        self.side.next_auto_commit = Some(next);
        let offsets = self.consumed();
        if !offsets.is_empty() {
            self.begin_commit(CommitWhy::Auto, offsets, self.settings.api_timeout, out);
        }
    }

    pub(super) fn commits_itself(&self) -> bool {
        self.settings.group.is_some() && self.settings.auto_commit
    }

    /// Sends what is to be committed, in the order it was asked for (R-COM-14), and gives up what
    /// has taken too long.
    pub(super) fn send_commits(&mut self, due: &mut Option<Ms>, out: &mut Out) {
        let mut waiting = std::mem::take(&mut self.side.commits);
        while let Some(mut commit) = waiting.pop_front() {
            if let Some(sent) = commit.sent {
                sooner(due, sent.deadline);
                if commit.is_retried() {
                    sooner(due, commit.deadline);
                }
                if commit.deadline > out.now || !commit.is_retried() {
                    self.side.commits.push_back(commit);
                } else {
                    self.commit_timed_out(&commit, out);
                }
                continue;
            }
            if commit.deadline <= out.now {
                self.commit_timed_out(&commit, out);
                continue;
            }
            match self.commit_as() {
                Err(exception) => {
                    self.commit_over(&commit, Err((exception, None)), out);
                    continue;
                }
                Ok(member) => commit.member = member,
            }
            sooner(due, commit.deadline);
            if commit.again > out.now {
                sooner(due, commit.again);
            } else if let Some(broker) = self.reach_coordinator(commit.cause, due, out) {
                self.send_commit(&mut commit, broker, out);
                sooner(due, out.now.plus(self.settings.request_timeout));
            }
            self.side.commits.push_back(commit);
        }
    }

    fn send_commit(&mut self, commit: &mut Committing, broker: BrokerId, out: &mut Out) {
        let Some(group) = self.settings.group.clone() else {
            return;
        };
        let mut cause = commit.cause;
        for (tp, committed) in &commit.offsets {
            let kind = EventKind::CommitSent {
                client: self.id,
                group: group.clone(),
                tp: *tp,
                offset: committed.offset,
            };
            cause = out.emit_because(kind, &[commit.cause]);
        }
        let request = GroupRequest::Commit {
            group,
            member: commit.member.clone(),
            offsets: commit.offsets.clone(),
        };
        let limit = self.settings.request_timeout;
        commit.sent = Some(self.send_to(broker, request, limit, cause, out));
    }

    /// OffsetCommit was answered.
    pub(super) fn commit_answered(
        &mut self,
        correlation: Correlation,
        results: &[(Tp, Result<(), KafkaError>)],
        out: &mut Out,
    ) {
        let answered = |c: &Committing| c.sent.is_some_and(|s| s.correlation == correlation);
        let Some(at) = self.side.commits.iter().position(answered) else {
            return;
        };
        let Some(commit) = self.side.commits.remove(at) else {
            return;
        };
        match results.iter().find_map(|(_, result)| result.err()) {
            None => {
                for (tp, committed) in &commit.offsets {
                    self.side.known.insert(*tp, committed.clone());
                }
                self.commit_over(&commit, Ok(()), out);
            }
            Some(error) => self.commit_refused(at, commit, error, out),
        }
    }

    /// What an error means for a commit (R-COM-9).
    pub(super) fn commit_refused(
        &mut self,
        place: usize,
        mut commit: Committing,
        error: KafkaError,
        out: &mut Out,
    ) {
        use KafkaError as E;
        let changed = commit.member.generation != self.generation();
        let modern = self.settings.protocol == GroupProtocol::Consumer;
        let exception = match error {
            E::CoordinatorNotAvailable | E::NotCoordinator | E::RequestTimedOut => {
                self.coordinator_unknown(out.now);
                None
            }
            E::CoordinatorLoadInProgress | E::UnknownTopicOrPartition | E::NetworkException => None,
            E::UnknownMemberId | E::IllegalGeneration if !modern => {
                if changed && self.is_rebalancing() {
                    Some(CommitException::RebalanceInProgress)
                } else {
                    self.forget_generation(error);
                    Some(CommitException::CommitFailed(error))
                }
            }
            E::RebalanceInProgress => {
                self.want_rejoin();
                Some(CommitException::RebalanceInProgress)
            }
            E::FencedInstanceId if !changed => Some(CommitException::FencedInstance),
            E::FencedInstanceId if self.is_rebalancing() => {
                Some(CommitException::RebalanceInProgress)
            }
            E::FencedInstanceId | E::UnknownMemberId => Some(CommitException::CommitFailed(error)),
            // Before partitions are given up the newer epoch is waited for.
            E::StaleMemberEpoch if commit.why == CommitWhy::Parting && changed => None,
            E::StaleMemberEpoch if commit.is_retried() => {
                Some(CommitException::CommitFailed(error))
            }
            _ => Some(CommitException::Other(error)),
        };
        match exception {
            Some(exception) => self.commit_over(&commit, Err((exception, Some(error))), out),
            None if commit.is_retried() => {
                commit.sent = None;
                commit.error = Some(error);
                commit.again = out.now.plus(self.settings.retry_backoff);
                self.side.commits.insert(place, commit);
            }
            None => {
                if commit.why == CommitWhy::Auto {
                    // The next try does not wait for the interval (R-COM-5).
                    let again = out.now.plus(self.settings.retry_backoff);
                    sooner(&mut self.side.next_auto_commit, again);
                }
                let exception = CommitException::Retriable(error);
                self.commit_over(&commit, Err((exception, Some(error))), out);
            }
        }
    }

    fn commit_timed_out(&mut self, commit: &Committing, out: &mut Out) {
        let error = commit.error.unwrap_or(KafkaError::RequestTimedOut);
        let exception = if commit.is_retried() {
            CommitException::Timeout(error)
        } else {
            CommitException::Retriable(error)
        };
        self.commit_over(commit, Err((exception, Some(error))), out);
    }

    /// Nobody knows the coordinator: what is tried only once has failed (R-COM-5).
    pub(super) fn async_commits_failed(&mut self, error: KafkaError, out: &mut Out) {
        let mut place = 0;
        while let Some(commit) = self.side.commits.get(place) {
            if commit.sent.is_some() || commit.is_retried() {
                place += 1;
            } else if let Some(commit) = self.side.commits.remove(place) {
                self.commit_refused(place, commit, error, out);
            }
        }
    }

    /// A commit has ended.
    fn commit_over(
        &mut self,
        commit: &Committing,
        result: Result<(), (CommitException, Option<KafkaError>)>,
        out: &mut Out,
    ) {
        if let (Some(group), true) = (&self.settings.group, commit.sent.is_some()) {
            for (tp, committed) in &commit.offsets {
                let kind = EventKind::CommitDone {
                    client: self.id,
                    group: group.clone(),
                    tp: *tp,
                    offset: committed.offset,
                    error: result.err().and_then(|(_, error)| error),
                };
                out.emit_because(kind, &[commit.cause]);
            }
        }
        if let CommitWhy::Asked { tag, .. } = commit.why {
            let result = result.map_err(|(exception, _)| exception);
            self.side.calls.push((tag, CallResult::Committed(result)));
        }
    }

    /// Whether a commit before a parting is still under way.
    pub(super) fn is_parting(&self) -> bool {
        let parting = |c: &Committing| c.why == CommitWhy::Parting;
        self.side.commits.iter().any(parting)
    }

    /// The connection to a broker broke.
    pub(super) fn commits_lost(&mut self, broker: BrokerId, out: &mut Out) {
        let gone = |sent: &Option<Sent>| sent.is_some_and(|s| s.broker == broker);
        let mut place = 0;
        while let Some(commit) = self.side.commits.get(place) {
            if !gone(&commit.sent) {
                place += 1;
                continue;
            }
            let before = self.side.commits.len();
            if let Some(commit) = self.side.commits.remove(place) {
                self.commit_refused(place, commit, KafkaError::NetworkException, out);
            }
            // One that is tried again is back in its place.
            if self.side.commits.len() == before {
                place += 1;
            }
        }
        self.asks_lost(broker, out);
    }
}
