//! Finding the coordinator of the group: any broker is asked, and asked again when the one it
//! named does not answer or says that it is not the one (R-COM-9).

use super::Consumer;
use crate::kafka::client::sooner;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Cause, EventKind};
use crate::kafka::group::message::{CoordinatorKind, GroupRequest};
use crate::kafka::ids::*;
use crate::kafka::message::{Body, NodeId};
use crate::kafka::out::Out;

/// What a client knows of its group's coordinator.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Coordinator {
    /// The broker that was named last and has not been found wrong since.
    pub at: Option<BrokerId>,
    /// The question under way.
    asked: Option<Sent>,
    /// Not asked before this time.
    again: Ms,
}

/// A request without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Sent {
    pub correlation: Correlation,
    pub broker: BrokerId,
    /// When the connection is given up.
    pub deadline: Ms,
}

impl Consumer {
    /// Looks for the coordinator, if it is not known and nobody has been asked.
    pub(super) fn find_coordinator(&mut self, cause: Cause, due: &mut Option<Ms>, out: &mut Out) {
        let Some(group) = self.settings.group.clone() else {
            return;
        };
        let now = out.now;
        let coordinator = &self.side.coordinator;
        if coordinator.at.is_some() {
            return;
        }
        if let Some(asked) = coordinator.asked {
            sooner(due, asked.deadline);
            return;
        }
        if coordinator.again > now {
            sooner(due, coordinator.again);
            return;
        }
        let Some(broker) = self.cluster.whom_to_ask(BrokerSet::EMPTY) else {
            return;
        };
        if let Some(at) = self.reachable_at(broker, now) {
            self.cluster.next_turn();
            sooner(due, at);
            return;
        }
        let request = GroupRequest::FindCoordinator(CoordinatorKind::Group, group);
        let sent = self.send_to(broker, request, self.settings.request_timeout, cause, out);
        sooner(due, sent.deadline);
        self.side.coordinator.asked = Some(sent);
    }

    /// Sends a request about the group to a broker.
    pub(super) fn send_to(
        &mut self,
        broker: BrokerId,
        request: GroupRequest,
        limit: Ms,
        cause: Cause,
        out: &mut Out,
    ) -> Sent {
        let correlation = out.request(
            NodeId::Client(self.id),
            NodeId::Broker(broker),
            Body::Group(request),
            cause,
        );
        Sent {
            correlation,
            broker,
            deadline: out.now.plus(limit),
        }
    }

    /// The coordinator, if it is known and can be asked now; otherwise it is looked for, or waited
    /// for.
    pub(super) fn reach_coordinator(
        &mut self,
        cause: Cause,
        due: &mut Option<Ms>,
        out: &mut Out,
    ) -> Option<BrokerId> {
        self.find_coordinator(cause, due, out);
        let broker = self.side.coordinator.at?;
        match self.reachable_at(broker, out.now) {
            Some(at) => {
                sooner(due, at);
                None
            }
            None => Some(broker),
        }
    }

    /// FindCoordinator was answered.
    pub(super) fn coordinator_found(
        &mut self,
        correlation: Correlation,
        result: Result<BrokerId, KafkaError>,
        out: &mut Out,
    ) {
        let coordinator = &mut self.side.coordinator;
        let mine = coordinator.asked.take_if(|s| s.correlation == correlation);
        if mine.is_none() {
            return;
        }
        match result {
            Ok(broker) => {
                coordinator.at = Some(broker);
                if let Some(key) = self.settings.group.clone() {
                    out.emit(EventKind::CoordinatorFound {
                        client: self.id,
                        key,
                        broker,
                    });
                }
            }
            Err(error) => {
                coordinator.again = out.now.plus(self.settings.retry_backoff);
                self.async_commits_failed(error, out);
            }
        }
    }

    /// The coordinator is not, or no longer, the one that is known.
    pub(super) fn coordinator_unknown(&mut self, now: Ms) {
        let coordinator = &mut self.side.coordinator;
        if coordinator.at.take().is_some() {
            coordinator.again = now.plus(self.settings.retry_backoff);
        }
    }

    /// The connection to a broker broke.
    pub(super) fn coordinator_lost(&mut self, broker: BrokerId, now: Ms) {
        let coordinator = &mut self.side.coordinator;
        if coordinator.asked.take_if(|s| s.broker == broker).is_some() {
            coordinator.again = now.plus(self.settings.retry_backoff);
            self.cluster.next_turn();
        }
        if self.side.coordinator.at == Some(broker) {
            self.coordinator_unknown(now);
        }
    }

    /// Brokers whose answers about the group have not come in time.
    pub(super) fn late_coordinator(&self, now: Ms) -> BrokerSet {
        let asked = self.side.coordinator.asked.iter();
        asked
            .chain(self.side.open())
            .filter(|s| s.deadline <= now)
            .map(|s| s.broker)
            .collect()
    }
}

/// Whether an error says that this broker is not the coordinator now: another one is looked for.
pub(super) fn wrong_coordinator(error: KafkaError) -> bool {
    matches!(
        error,
        KafkaError::CoordinatorNotAvailable | KafkaError::NotCoordinator
    )
}
