//! Where a consumer stands: a position by reset policy (R-RST-2), and whether a position still
//! belongs to the log that was read (R-TRD-1, R-TRD-2).

use super::{Consumer, Lookup, Part, PartState, Poll, PollException, Position};
use crate::kafka::client::cluster::invalid_metadata;
use crate::kafka::client::settings::OffsetReset;
use crate::kafka::client::sooner;
use crate::kafka::error::KafkaError;
use crate::kafka::event::EventKind;
use crate::kafka::ids::*;
use crate::kafka::message::{Body, Isolation, NodeId, OffsetSpec};
use crate::kafka::out::Out;

impl Consumer {
    /// Holds each position against the leader now known: with a new leader or epoch, a position
    /// that carries an epoch is validated before anything is fetched (R-TRD-1).
    pub(super) fn follow_leaders(&mut self) {
        let detects = self.truncation_detection;
        for (tp, part) in &mut self.parts {
            let Some(leader) = self.cluster.leader(*tp) else {
                continue;
            };
            if part.leader == Some(leader) {
                continue;
            }
            part.leader = Some(leader);
            part.ready = Ms(0);
            // A position by seek or reset has no epoch and is taken as it is (R-RST-5).
            let carries_epoch = detects && part.position.is_some_and(|p| p.epoch.is_some());
            match part.state {
                PartState::Fetching | PartState::Validating(_) if carries_epoch => {
                    part.state = PartState::Validating(Lookup::default());
                }
                _ => {}
            }
        }
    }

    /// The exception that is thrown before anything else is looked at.
    pub(super) fn due_exception(&mut self) -> Option<PollException> {
        if let Some(exception) = self.exception.take() {
            return Some(exception);
        }
        let lacks = |p: &Part| {
            let policy = p.sought.unwrap_or(self.settings.offset_reset);
            policy == OffsetReset::None && matches!(p.state, PartState::Reset(_))
        };
        let lacks = self.parts.values().any(lacks);
        lacks.then_some(PollException::NoOffsetForPartition)
    }

    /// Asks the leaders about positions.
    pub(super) fn look_up(&mut self, poll: &Poll, due: &mut Option<Ms>, out: &mut Out) {
        let tps: Vec<Tp> = self.parts.keys().copied().collect();
        for tp in tps {
            let Some((leader, epoch)) = self.cluster.leader(tp) else {
                continue;
            };
            let reachable_at = self.reachable_at(leader, out.now);
            let deadline = out.now.plus(self.settings.request_timeout);
            let Some(part) = self.parts.get_mut(&tp) else {
                continue;
            };
            let body = match (&part.state, part.position) {
                (PartState::Reset(_), _) => Body::ListOffsets {
                    tp,
                    spec: match part.sought.unwrap_or(self.settings.offset_reset) {
                        OffsetReset::Earliest => OffsetSpec::Earliest,
                        OffsetReset::Latest => OffsetSpec::Latest,
                        OffsetReset::ByDuration(ago) => {
                            OffsetSpec::Timestamp(Ms(out.now.0 - ago.0))
                        }
                        OffsetReset::None => continue,
                    },
                    isolation: if self.settings.read_committed {
                        Isolation::ReadCommitted
                    } else {
                        Isolation::ReadUncommitted
                    },
                    current_leader_epoch: Some(epoch),
                },
                (
                    PartState::Validating(_),
                    Some(Position {
                        epoch: Some(read), ..
                    }),
                ) => Body::EpochEnd {
                    tp,
                    current_leader_epoch: Some(epoch),
                    epoch: read,
                },
                _ => continue,
            };
            let (PartState::Reset(lookup) | PartState::Validating(lookup)) = &mut part.state else {
                continue;
            };
            if lookup.asked.is_some() || lookup.at > out.now {
                sooner(due, lookup.at);
            } else if let Some(at) = reachable_at {
                sooner(due, at);
            } else {
                let to = NodeId::Broker(leader);
                let correlation = out.request(NodeId::Client(self.id), to, body, poll.cause);
                *lookup = Lookup {
                    asked: Some((correlation, leader)),
                    at: deadline,
                };
                sooner(due, deadline);
            }
        }
    }

    /// Whether this is the answer the partition waits for; if so it waits no longer.
    fn take_lookup(&mut self, correlation: Correlation, tp: Tp) -> bool {
        let Some(part) = self.parts.get_mut(&tp) else {
            return false;
        };
        let (PartState::Reset(lookup) | PartState::Validating(lookup)) = &mut part.state else {
            return false;
        };
        lookup.asked.take_if(|(c, _)| *c == correlation).is_some()
    }

    /// A question about a position was refused: again after a while (R-TRD-3).
    fn lookup_refused(&mut self, tp: Tp, error: KafkaError, now: Ms) {
        if invalid_metadata(error) {
            self.cluster.want();
        }
        let again = now.plus(self.settings.retry_backoff);
        if let Some(part) = self.parts.get_mut(&tp)
            && let PartState::Reset(lookup) | PartState::Validating(lookup) = &mut part.state
        {
            lookup.at = again;
        }
    }

    /// ListOffsets for a reset was answered (R-RST-2).
    pub(super) fn offset_found(
        &mut self,
        correlation: Correlation,
        tp: Tp,
        result: Result<Option<Boundary>, KafkaError>,
        out: &mut Out,
    ) {
        if !self.take_lookup(correlation, tp) {
            return;
        }
        match result {
            Ok(Some(to)) => self.reset_to(tp, to, None, out),
            // Nothing that young: no fall back to the end, but another look when the time of this
            // request is over (R-RST-3).
            Ok(None) => {}
            Err(error) => self.lookup_refused(tp, error, out.now),
        }
    }

    /// OffsetsForLeaderEpoch was answered: where the epoch of the position ends now (R-TRD-2). After
    /// a clean election that is never below a position, as only committed records were read
    /// (R-TRD-4).
    pub(super) fn epoch_end_found(
        &mut self,
        correlation: Correlation,
        tp: Tp,
        result: Result<Option<(Epoch, Boundary)>, KafkaError>,
        out: &mut Out,
    ) {
        if !self.take_lookup(correlation, tp) {
            return;
        }
        let policy = self.settings.offset_reset != OffsetReset::None;
        let again = out.now.plus(self.settings.retry_backoff);
        let Some(part) = self.parts.get_mut(&tp) else {
            return;
        };
        let Some(position) = part.position else {
            return;
        };
        let truncation = match result {
            Err(error) => {
                self.lookup_refused(tp, error, out.now);
                return;
            }
            Ok(None) if policy => {
                part.state = PartState::Reset(Lookup::default());
                return;
            }
            Ok(None) => PollException::LogTruncation(None),
            Ok(Some((epoch, end))) if end < position.offset => {
                if policy {
                    // To where the logs part, not to the policy's place.
                    self.reset_to(tp, end, Some(epoch), out);
                    return;
                }
                PollException::LogTruncation(Some((end, epoch)))
            }
            Ok(Some(_)) => {
                part.state = PartState::Fetching;
                return;
            }
        };
        // The position stays and stays in doubt: the next poll asks again.
        part.state = PartState::Validating(Lookup {
            asked: None,
            at: again,
        });
        self.exception = Some(truncation);
    }

    /// Sets a position that may belong to an older log than the leader's: with an epoch it is
    /// validated before anything is fetched (R-TRD-1).
    pub(super) fn put(&mut self, tp: Tp, position: Position) {
        let detects = self.truncation_detection;
        if let Some(epoch) = position.epoch {
            self.cluster.seen_epoch(tp, epoch);
        }
        let leader = self.cluster.leader(tp);
        let Some(part) = self.parts.get_mut(&tp) else {
            return;
        };
        part.position = Some(position);
        part.state = match position.epoch {
            Some(_) if detects && leader.is_some() => PartState::Validating(Lookup::default()),
            _ => PartState::Fetching,
        };
    }

    fn reset_to(&mut self, tp: Tp, to: Boundary, epoch: Option<Epoch>, out: &mut Out) {
        let Some(part) = self.parts.get_mut(&tp) else {
            return;
        };
        let from = part.position.map(|p| p.offset);
        part.position = Some(Position { offset: to, epoch });
        part.state = PartState::Fetching;
        part.sought = None;
        out.emit(EventKind::PositionReset {
            client: self.id,
            tp,
            from,
            to,
        });
    }
}
