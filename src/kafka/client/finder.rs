//! Who coordinates a group or a transactional id, as a client finds out: any broker is asked, and
//! asked again when the one it named turns out not to be.

use super::cluster::Cluster;
use super::sooner;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Cause, EventKind};
use crate::kafka::group::message::{CoordinatorKind, GroupRequest};
use crate::kafka::ids::*;
use crate::kafka::message::{Body, NodeId};
use crate::kafka::out::Out;
use std::rc::Rc;

/// What a client knows of one coordinator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Finder {
    kind: CoordinatorKind,
    pub key: Rc<str>,
    known: Option<BrokerId>,
    /// The question under way, whom it went to, and when it is given up, ms.
    asked: Option<(Correlation, BrokerId, Ms)>,
    /// Not asked again before this time, ms.
    ready: Ms,
}

impl Finder {
    pub fn new(kind: CoordinatorKind, key: Rc<str>) -> Self {
        Finder {
            kind,
            key,
            known: None,
            asked: None,
            ready: Ms(0),
        }
    }

    /// The coordinator, as last told.
    pub fn known(&self) -> Option<BrokerId> {
        self.known
    }

    /// It is not the one, or cannot be reached.
    pub fn forget(&mut self) {
        self.known = None;
    }

    /// Asks, if nothing is known and it is time to.
    pub fn drive(
        &mut self,
        client: ClientId,
        cluster: &mut Cluster,
        (timeout, backoff): (Ms, Ms),
        due: &mut Option<Ms>,
        out: &mut Out,
    ) {
        if self.known.is_some() {
            return;
        }
        if let Some((_, broker, deadline)) = self.asked {
            if deadline > out.now {
                return sooner(due, deadline);
            }
            cluster.lost(broker);
            self.asked = None;
        }
        if self.ready > out.now {
            return sooner(due, self.ready);
        }
        let Some(broker) = cluster.any() else { return };
        let request = GroupRequest::FindCoordinator(self.kind, self.key.clone());
        let correlation = out.request(
            NodeId::Client(client),
            NodeId::Broker(broker),
            Body::Group(request),
            out.cause,
        );
        let deadline = out.now.plus(timeout);
        self.asked = Some((correlation, broker, deadline));
        self.ready = out.now.plus(backoff);
        sooner(due, deadline);
    }

    /// Takes an answer; returns whether it was for this question.
    pub fn answered(
        &mut self,
        client: ClientId,
        correlation: Correlation,
        result: Result<BrokerId, KafkaError>,
        out: &mut Out,
    ) -> bool {
        if self.asked.take_if(|a| a.0 == correlation).is_none() {
            return false;
        }
        if let Ok(broker) = result {
            self.known = Some(broker);
            let key = self.key.clone();
            let cause: Cause = out.emit(EventKind::CoordinatorFound {
                client,
                key,
                broker,
            });
            out.cause = cause;
        }
        true
    }
}
