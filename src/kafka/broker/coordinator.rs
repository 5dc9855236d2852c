//! The broker as coordinator: whoever leads a partition of `__consumer_offsets` keeps the groups
//! that hash to it (R-GRP-1).

use super::Broker;
use crate::kafka::error::KafkaError;
use crate::kafka::group::message::{CoordinatorKind, GroupAnswer, GroupRequest};
use crate::kafka::group::{Name, OFFSETS_TOPIC, TRANSACTION_TOPIC, partition_for};
use crate::kafka::ids::*;
use crate::kafka::message::{Body, Message, NodeId};
use crate::kafka::out::Out;

impl Broker {
    /// A request about a group.
    pub(super) fn serve_group(&mut self, message: &Message, request: &GroupRequest, out: &mut Out) {
        let answer = match request {
            GroupRequest::FindCoordinator(kind, key) => {
                GroupAnswer::Coordinator(*kind, key.clone(), self.find_coordinator(*kind, key, out))
            }
            _ => return,
        };
        let body = Body::GroupAnswer(answer);
        out.answer(
            message.correlation,
            self.node(),
            message.from,
            body,
            out.cause,
        );
    }

    /// The partition of the internal topic that a group or transactional id belongs to, as far as
    /// this broker's metadata knows it.
    pub fn coordinator_partition(&self, kind: CoordinatorKind, key: &str) -> Option<Tp> {
        let name = internal_topic(kind);
        let topic = self.image.topic(name)?;
        let tp = Tp {
            topic,
            partition: partition_for(key),
        };
        self.image.partitions.contains_key(&tp).then_some(tp)
    }

    /// FindCoordinator: the leader of the partition. A partition that is not there yet is asked
    /// for at the controller, and the client asks again.
    fn find_coordinator(
        &mut self,
        kind: CoordinatorKind,
        key: &Name,
        out: &mut Out,
    ) -> Result<BrokerId, KafkaError> {
        if key.is_empty() && kind == CoordinatorKind::Transaction {
            return Err(KafkaError::InvalidRequest);
        }
        let Some(tp) = self.coordinator_partition(kind, key) else {
            let body = Body::CreateInternal {
                topic: internal_topic(kind).into(),
                partition: partition_for(key),
            };
            out.request(self.node(), NodeId::Controller, body, out.cause);
            return Err(KafkaError::CoordinatorNotAvailable);
        };
        let leader = self.image.partitions.get(&tp).and_then(|reg| reg.leader);
        leader.ok_or(KafkaError::CoordinatorNotAvailable)
    }
}

/// The topic that holds the state of coordinators of this kind.
pub fn internal_topic(kind: CoordinatorKind) -> &'static str {
    match kind {
        CoordinatorKind::Group => OFFSETS_TOPIC,
        CoordinatorKind::Transaction => TRANSACTION_TOPIC,
    }
}
