//! Fetching from leaders: one request under way for each leader this broker follows (R-REP-*).

use super::{Broker, Purpose};
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Cause, EventKind};
use crate::kafka::ids::*;
use crate::kafka::log::batch_bytes;
use crate::kafka::message::{
    Asker, Body, FetchPart, FetchRequest, FetchedPart, Isolation, NodeId, OffsetSpec,
};
use crate::kafka::out::{BrokerTimer, Out};
use crate::kafka::partition::{FetchState, OutOfRange};

/// The fetcher for one leader.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Fetcher {
    /// The request under way.
    in_flight: Option<Correlation>,
    /// What it asks.
    asked: Vec<FetchPart>,
    /// When it is given up, ms.
    deadline: Ms,
    /// The reminder that is set, if it lies ahead.
    watch: Option<Ms>,
}

impl Fetcher {
    /// The request under way.
    pub fn in_flight(&self) -> Option<Correlation> {
        self.in_flight
    }

    /// What it asks.
    pub fn asked(&self) -> &[FetchPart] {
        &self.asked
    }
}

impl Broker {
    /// Lets every fetcher that has nothing under way ask.
    pub(super) fn drive_all(&mut self, out: &mut Out) {
        let leaders: BrokerSet = self
            .replicas
            .values()
            .filter_map(|r| r.follower().and_then(|f| f.leader))
            .collect();
        self.fetchers.retain(|leader, _| leaders.contains(*leader));
        if self.common.by_hand {
            return;
        }
        for leader in leaders.iter() {
            self.drive(leader, out);
        }
    }

    /// By hand: asks every leader that has no fetch of this broker under way.
    pub fn ask_leaders(&mut self, out: &mut Out) -> bool {
        let leaders: BrokerSet = self
            .replicas
            .values()
            .filter_map(|r| r.follower().and_then(|f| f.leader))
            .collect();
        let mut asked = false;
        for leader in leaders.iter() {
            asked |= self.drive(leader, out);
        }
        asked
    }

    /// Asks one leader, if nothing is under way and there is something to ask. Returns whether a
    /// request was sent.
    fn drive(&mut self, leader: BrokerId, out: &mut Out) -> bool {
        if self
            .fetchers
            .get(&leader)
            .is_some_and(|f| f.in_flight.is_some())
        {
            return false;
        }
        let mut asked = Vec::new();
        let mut wake = None;
        let mut causes = Vec::new();
        let mut questions = Vec::new();
        let backoff = self.common.server.replica_fetch_backoff;
        for tp in self.replicas.keys().copied().collect::<Vec<_>>() {
            let throttled = self.throttled(tp, out);
            let ctx_image = self.image.clone();
            let Some(replica) = self.replicas.get_mut(&tp) else {
                continue;
            };
            let Some(follower) = replica.follower_mut() else {
                continue;
            };
            if follower.leader != Some(leader) {
                continue;
            }
            match follower.state {
                FetchState::Delayed(until) if until > out.now && !self.common.by_hand => {
                    wake = Some(wake.map_or(until, |w: Ms| w.min(until)));
                    continue;
                }
                FetchState::Delayed(_) => follower.state = FetchState::Fetching,
                FetchState::Failed => continue,
                FetchState::OutOfRange(_) | FetchState::AskingEpoch => {
                    questions.push(tp);
                    continue;
                }
                FetchState::Fetching => {}
            }
            if throttled {
                let again = out.now.plus(backoff);
                wake = Some(wake.map_or(again, |w: Ms| w.min(again)));
                continue;
            }
            causes.push((tp, follower.cause));
            let ctx = crate::kafka::partition::Context {
                me: self.id,
                my_epoch: self.epoch,
                server: &self.common.server,
                switches: &self.common.switches,
                image: &ctx_image,
            };
            asked.push(replica.fetch_part(ctx));
        }
        for tp in questions {
            self.ask_question(tp, leader, out);
        }
        if asked.is_empty() {
            if let Some(at) = wake {
                self.watch(leader, at, out);
            }
            return false;
        }
        let outer = out.cause;
        let mut cause = out.cause;
        for (part, (tp, why)) in asked.iter().zip(&causes) {
            cause = out.emit_because(
                EventKind::FetchSent {
                    follower: self.id,
                    leader,
                    tp: *tp,
                    offset: part.offset,
                },
                &[*why],
            );
        }
        let max_wait = if self.common.by_hand {
            Ms(0)
        } else {
            self.common.server.replica_fetch_wait_max
        };
        let request = FetchRequest {
            asker: Asker::Replica {
                id: self.id,
                epoch: self.epoch,
            },
            parts: asked.clone(),
            max_wait,
            max_bytes: self.common.server.replica_fetch_max_bytes,
            min_records: 1,
        };
        let to = NodeId::Broker(leader);
        let correlation =
            self.request(to, Body::Fetch(request), Purpose::Fetch(leader), cause, out);
        out.cause = outer;
        let deadline = out.now.plus(self.common.server.replica_socket_timeout);
        let fetcher = self.fetchers.entry(leader).or_default();
        fetcher.in_flight = Some(correlation);
        fetcher.asked = asked;
        fetcher.deadline = deadline;
        let at = wake.map_or(deadline, |w| w.min(deadline));
        self.watch(leader, at, out);
        true
    }

    /// Sees to it that the fetcher is looked at no later than `at`; one reminder serves many
    /// requests.
    fn watch(&mut self, leader: BrokerId, at: Ms, out: &mut Out) {
        let fetcher = self.fetchers.entry(leader).or_default();
        if fetcher.watch.is_none_or(|set| set > at || set <= out.now) {
            fetcher.watch = Some(at);
            self.remind(at, BrokerTimer::Fetcher(leader), out);
        }
    }

    pub(super) fn fetcher_due(&mut self, leader: BrokerId, out: &mut Out) {
        let Some(fetcher) = self.fetchers.get_mut(&leader) else {
            return;
        };
        if fetcher.watch.is_some_and(|set| set <= out.now) {
            fetcher.watch = None;
        }
        match fetcher.in_flight {
            Some(correlation) if fetcher.deadline <= out.now => {
                self.requests.remove(&correlation);
                self.fetch_failed(leader, correlation, out);
            }
            Some(_) => {
                let deadline = fetcher.deadline;
                self.watch(leader, deadline, out);
            }
            None => {
                self.drive(leader, out);
            }
        }
    }

    /// The leader's process is gone, or did not answer in time.
    pub(super) fn fetch_failed(
        &mut self,
        leader: BrokerId,
        correlation: Correlation,
        out: &mut Out,
    ) {
        let Some(fetcher) = self.fetchers.get_mut(&leader) else {
            return;
        };
        if fetcher.in_flight != Some(correlation) {
            return;
        }
        fetcher.in_flight = None;
        let asked = std::mem::take(&mut fetcher.asked);
        for part in asked {
            self.delay(part.tp, leader, out.now);
        }
        self.drive(leader, out);
    }

    fn delay(&mut self, tp: Tp, leader: BrokerId, now: Ms) {
        let until = now.plus(self.common.server.replica_fetch_backoff);
        if let Some(follower) = self.replicas.get_mut(&tp).and_then(|r| r.follower_mut())
            && follower.leader == Some(leader)
        {
            follower.state = FetchState::Delayed(until);
        }
    }

    pub(super) fn fetch_answered(
        &mut self,
        leader: BrokerId,
        correlation: Correlation,
        parts: &[FetchedPart],
        out: &mut Out,
    ) {
        let Some(fetcher) = self.fetchers.get_mut(&leader) else {
            return;
        };
        if fetcher.in_flight != Some(correlation) {
            return;
        }
        fetcher.in_flight = None;
        let asked = std::mem::take(&mut fetcher.asked);
        let outer = out.cause;
        for part in parts {
            let Some(question) = asked.iter().find(|a| a.tp == part.tp) else {
                continue;
            };
            self.part_answered(leader, question, part, out);
            out.cause = outer;
        }
        if !self.common.by_hand {
            self.drive(leader, out);
        }
    }

    fn part_answered(
        &mut self,
        leader: BrokerId,
        question: &FetchPart,
        part: &FetchedPart,
        out: &mut Out,
    ) {
        let tp = part.tp;
        let Some(replica) = self.replicas.get(&tp) else {
            return;
        };
        let same_epoch = question.current_leader_epoch == Some(replica.leader_epoch);
        if !replica.awaits(leader, part.offset)
            || (!same_epoch && self.common.switches.fetch_epoch_check)
        {
            return; // it has moved on since it asked (R-REP-2, R-REP-7)
        }
        match &part.result {
            Ok(fetched) => {
                if self.is_throttled_partition(tp) {
                    let bytes = fetched.batches.iter().map(batch_bytes).sum();
                    if bytes > 0 {
                        self.quota.record(
                            bytes,
                            out.now,
                            self.common.server.replication_quota_window,
                        );
                    }
                }
                match self.with(tp, out, |r, ctx, out| r.fetched(leader, fetched, ctx, out)) {
                    // A consumer may wait here for this replica's high watermark (R-FFR-5).
                    Some(Ok(after)) if after.changed => self.recheck_parked(tp, out),
                    Some(Err(_)) => self.delay(tp, leader, out.now),
                    _ => {}
                }
            }
            Err(KafkaError::OffsetOutOfRange) => {
                if let Some(f) = self.replicas.get_mut(&tp).and_then(|r| r.follower_mut()) {
                    f.state = FetchState::OutOfRange(OutOfRange::AskEnd);
                }
                self.ask_question(tp, leader, out);
            }
            Err(KafkaError::FencedLeaderEpoch) => {
                if let Some(f) = self.replicas.get_mut(&tp).and_then(|r| r.follower_mut()) {
                    f.state = FetchState::Failed;
                }
            }
            Err(_) => self.delay(tp, leader, out.now),
        }
    }

    fn ask_question(&mut self, tp: Tp, leader: BrokerId, out: &mut Out) {
        if self.requests.values().any(|p| *p == Purpose::Ask(tp)) {
            return;
        }
        let Some(replica) = self.replicas.get(&tp) else {
            return;
        };
        let current_leader_epoch = Some(replica.leader_epoch);
        let Some(follower) = replica.follower() else {
            return;
        };
        let isolation = Isolation::LogEnd;
        let body = match (follower.state, replica.log.latest_epoch()) {
            (FetchState::OutOfRange(OutOfRange::AskEnd), _) => Body::ListOffsets {
                tp,
                spec: OffsetSpec::Latest,
                isolation,
                current_leader_epoch,
            },
            (FetchState::OutOfRange(OutOfRange::AskStart), _) => Body::ListOffsets {
                tp,
                spec: OffsetSpec::Earliest,
                isolation,
                current_leader_epoch,
            },
            (FetchState::AskingEpoch, Some(epoch)) => Body::EpochEnd {
                tp,
                current_leader_epoch,
                epoch,
            },
            _ => return,
        };
        let correlation = self.request(
            NodeId::Broker(leader),
            body,
            Purpose::Ask(tp),
            Cause::default(),
            out,
        );
        let due = out.now.plus(self.common.server.replica_socket_timeout);
        self.remind(due, BrokerTimer::Unanswered(correlation), out);
    }

    pub(super) fn question_answered(&mut self, tp: Tp, body: &Body, out: &mut Out) {
        let Some(leader) = self
            .replicas
            .get(&tp)
            .and_then(|r| r.follower())
            .and_then(|f| f.leader)
        else {
            return;
        };
        let after = match body {
            Body::ListOffsetsAnswer {
                result: Ok(Some(told)),
                ..
            } => self.with(tp, out, |r, ctx, out| {
                r.out_of_range_answer(told.at, ctx, out)
            }),
            Body::EpochEndAnswer {
                result: Ok(told), ..
            } => self.with(tp, out, |r, ctx, out| r.epoch_end_answer(*told, ctx, out)),
            _ => {
                self.delay(tp, leader, out.now);
                None
            }
        };
        if after.is_some_and(|a| a.truncated) {
            self.recheck_parked(tp, out);
        }
        let asks_on = self
            .replicas
            .get(&tp)
            .and_then(|r| r.follower())
            .is_some_and(|f| {
                matches!(f.state, FetchState::OutOfRange(_) | FetchState::AskingEpoch)
            });
        if asks_on {
            self.ask_question(tp, leader, out);
        } else if !self.common.by_hand {
            self.drive(leader, out);
        }
    }

    fn is_throttled_partition(&self, tp: Tp) -> bool {
        self.image.topic_reg(tp.topic).is_some_and(|t| {
            t.config
                .follower_throttled
                .contains(&(tp.partition, self.id))
        }) && self
            .image
            .broker_configs
            .get(&self.id)
            .is_some_and(|c| c.follower_throttled_rate.is_some())
    }

    /// Over quota and out of sync: it stops asking (R-REP-8).
    fn throttled(&mut self, tp: Tp, out: &mut Out) -> bool {
        if !self.is_throttled_partition(tp) {
            return false;
        }
        let limit = self
            .image
            .broker_configs
            .get(&self.id)
            .and_then(|c| c.follower_throttled_rate)
            .unwrap_or(i64::MAX);
        let in_sync = self
            .replicas
            .get(&tp)
            .and_then(|r| r.follower())
            .is_some_and(|f| f.lag == Some(0));
        let server = &self.common.server;
        let (window, windows) = (
            server.replication_quota_window,
            server.replication_quota_windows,
        );
        let over = !in_sync && self.quota.exceeded(limit, out.now, window, windows);
        if over {
            out.emit(EventKind::Throttled {
                follower: self.id,
                tp,
            });
        }
        over
    }
}
