//! What is committed: asking for it, and starting from it (R-RST-1).

use super::coordinator::{Sent, wrong_coordinator};
use super::group::CallResult;
use super::{Consumer, Lookup, PartState, Position};
use crate::kafka::client::sooner;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Cause, EventKind};
use crate::kafka::group::message::{Committed, FetchedOffset, GroupRequest};
use crate::kafka::ids::*;
use crate::kafka::out::Out;

/// A question what is committed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Asking {
    /// The call; `None`: for positions of the consumer itself.
    tag: Option<u32>,
    tps: Vec<Tp>,
    deadline: Ms,
    pub sent: Option<Sent>,
    again: Ms,
    error: Option<KafkaError>,
    cause: Cause,
}

impl Consumer {
    /// A question by the application what is committed.
    pub(super) fn begin_asking(&mut self, tag: u32, tps: Vec<Tp>, out: &mut Out) {
        if self.settings.group.is_none() {
            let result = Err(KafkaError::InvalidGroupId);
            self.side.calls.push((tag, CallResult::Offsets(result)));
            return;
        }
        self.side.asks.push(Asking {
            tag: Some(tag),
            tps,
            deadline: out.now.plus(self.settings.api_timeout),
            sent: None,
            again: Ms(0),
            error: None,
            cause: out.cause,
        });
    }

    /// Within a poll: asks where partitions without a position go on (R-RST-1).
    pub(super) fn ask_for_positions(&mut self, cause: Cause) {
        let lacks = |(tp, part): (&Tp, &super::Part)| {
            (part.state == PartState::Initializing).then_some(*tp)
        };
        let tps: Vec<Tp> = self.parts.iter().filter_map(lacks).collect();
        self.side
            .asks
            .retain(|a| a.tag.is_some() || a.sent.is_some() || !tps.is_empty());
        if tps.is_empty() || self.side.asks.iter().any(|a| a.tag.is_none()) {
            return;
        }
        self.side.asks.push(Asking {
            tag: None,
            tps,
            deadline: Ms::MAX,
            sent: None,
            again: self.side.ask_again,
            error: None,
            cause,
        });
    }

    /// Sends the questions.
    pub(super) fn send_asks(&mut self, due: &mut Option<Ms>, out: &mut Out) {
        let Some(group) = self.settings.group.clone() else {
            return;
        };
        for mut ask in std::mem::take(&mut self.side.asks) {
            if ask.deadline <= out.now {
                self.ask_over(
                    &ask,
                    Err(ask.error.unwrap_or(KafkaError::RequestTimedOut)),
                    out,
                );
                continue;
            }
            // Positions are seen to by poll alone.
            let idle = ask.tag.is_none() && self.poll.is_none();
            if let Some(sent) = ask.sent {
                sooner(due, sent.deadline);
            } else if ask.again > out.now {
                if !idle {
                    sooner(due, ask.again);
                }
            } else if !idle && let Some(broker) = self.reach_coordinator(ask.cause, due, out) {
                let request = GroupRequest::Fetch {
                    group: group.clone(),
                    member: self.ask_as(),
                    partitions: Some(ask.tps.clone()),
                    require_stable: true,
                };
                let limit = self.settings.request_timeout;
                let sent = self.send_to(broker, request, limit, ask.cause, out);
                sooner(due, sent.deadline);
                ask.sent = Some(sent);
            }
            if ask.tag.is_some() {
                sooner(due, ask.deadline);
            }
            self.side.asks.push(ask);
        }
    }

    /// OffsetFetch was answered.
    pub(super) fn ask_answered(
        &mut self,
        correlation: Correlation,
        result: &Result<Vec<FetchedOffset>, KafkaError>,
        out: &mut Out,
    ) {
        let answered = |a: &Asking| a.sent.is_some_and(|s| s.correlation == correlation);
        let Some(at) = self.side.asks.iter().position(answered) else {
            return;
        };
        let ask = self.side.asks.remove(at);
        let error = match result {
            Err(error) => Some(*error),
            // A commit of a transaction is pending there (R-GRP-4).
            Ok(all) => all.iter().find_map(|(_, r)| r.as_ref().err().copied()),
        };
        match (error, result) {
            (Some(error), _) => self.ask_refused(ask, error, out),
            (None, Ok(all)) => {
                let found: Vec<(Tp, Option<Committed>)> = all
                    .iter()
                    .filter_map(|(tp, r)| Some((*tp, r.clone().ok()?)))
                    // A negative one reads as none (R-COM-13).
                    .map(|(tp, c)| (tp, c.filter(|c| c.offset.0 >= 0)))
                    .collect();
                self.ask_over(&ask, Ok(found), out);
            }
            (None, Err(_)) => {}
        }
    }

    fn ask_refused(&mut self, mut ask: Asking, error: KafkaError, out: &mut Out) {
        use KafkaError as E;
        if wrong_coordinator(error) {
            self.coordinator_unknown(out.now);
        }
        let again = matches!(
            error,
            E::CoordinatorNotAvailable
                | E::NotCoordinator
                | E::CoordinatorLoadInProgress
                | E::UnstableOffsetCommit
                | E::NetworkException
                | E::RequestTimedOut
                | E::StaleMemberEpoch
        );
        if again || ask.tag.is_none() {
            ask.sent = None;
            ask.error = Some(error);
            ask.again = out.now.plus(self.settings.retry_backoff);
            self.side.asks.push(ask);
        } else {
            self.ask_over(&ask, Err(error), out);
        }
    }

    fn ask_over(
        &mut self,
        ask: &Asking,
        result: Result<Vec<(Tp, Option<Committed>)>, KafkaError>,
        out: &mut Out,
    ) {
        if let Ok(found) = &result {
            for (tp, committed) in found {
                match committed {
                    Some(committed) => self.side.known.insert(*tp, committed.clone()),
                    None => self.side.known.remove(tp),
                };
            }
        }
        match (ask.tag, result) {
            (Some(tag), result) => self.side.calls.push((tag, CallResult::Offsets(result))),
            (None, Ok(found)) => {
                for (tp, committed) in found {
                    self.start_from(tp, committed, out);
                }
            }
            (None, Err(_)) => {}
        }
    }

    /// A partition goes on where its group left off, whatever the value (R-RST-1); without a commit
    /// the reset policy has the word, and only then: "latest" passes over all that was produced
    /// before this first look (R-RST-6).
    fn start_from(&mut self, tp: Tp, committed: Option<Committed>, out: &mut Out) {
        let Some(part) = self.parts.get_mut(&tp) else {
            return;
        };
        if part.state != PartState::Initializing {
            return;
        }
        let Some(committed) = committed else {
            part.state = PartState::Reset(Lookup::default());
            return;
        };
        let to = committed.offset;
        out.emit(EventKind::PositionRestored {
            client: self.id,
            tp,
            to,
        });
        let position = Position {
            offset: to,
            epoch: committed.leader_epoch,
        };
        self.put(tp, position);
    }

    /// The connection to a broker broke.
    pub(super) fn asks_lost(&mut self, broker: BrokerId, out: &mut Out) {
        for ask in std::mem::take(&mut self.side.asks) {
            if ask.sent.is_some_and(|s| s.broker == broker) {
                self.ask_refused(ask, KafkaError::NetworkException, out);
            } else {
                self.side.asks.push(ask);
            }
        }
    }
}
