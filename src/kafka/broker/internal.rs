//! Records that a coordinator keeps in an internal topic.

use super::Broker;
use crate::kafka::batch::NewRecord;
use crate::kafka::error::KafkaError;
use crate::kafka::ids::*;
use crate::kafka::out::Out;

impl Broker {
    /// Appends to a partition of an internal topic; returns the boundary the high watermark must
    /// reach and whether it moved. [`Broker::internal_appended`] is to follow, once the caller has
    /// noted what is waited for.
    ///
    /// # Errors
    /// As a client of the coordinator is told: NOT_COORDINATOR, COORDINATOR_NOT_AVAILABLE.
    pub(super) fn append_internal(
        &mut self,
        tp: Tp,
        record: NewRecord,
        out: &mut Out,
    ) -> Result<(Boundary, bool), KafkaError> {
        let appended = self.with(tp, out, |r, ctx, out| r.append_state(record, ctx, out));
        match appended.unwrap_or(Err(KafkaError::NotLeaderOrFollower)) {
            Err(KafkaError::NotLeaderOrFollower) => Err(KafkaError::NotCoordinator),
            Err(KafkaError::NotEnoughReplicas) => Err(KafkaError::CoordinatorNotAvailable),
            other => other,
        }
    }

    /// After an append of a coordinator: followers that wait are answered, and if the high
    /// watermark moved, what waited for it goes on.
    pub(super) fn internal_appended(&mut self, tp: Tp, moved: bool, out: &mut Out) {
        if moved {
            self.after_leader_change(tp, true, out);
        } else {
            self.recheck_parked(tp, out);
        }
    }
}
