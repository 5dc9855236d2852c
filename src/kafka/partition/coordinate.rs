//! What a coordinator writes into the partition it leads.

use super::{Context, Replica};
use crate::kafka::batch::NewBatch;
use crate::kafka::error::KafkaError;
use crate::kafka::event::EventKind;
use crate::kafka::ids::*;
use crate::kafka::out::Out;

impl Replica {
    /// Appends for a coordinator, as acks=1 does: min.insync.replicas is not asked for (R-GRP-3).
    /// The number of the first record, and whether the high watermark moved.
    ///
    /// # Errors
    /// NOT_LEADER_OR_FOLLOWER, and those of [`append_as_leader`](super::super::log::Log::append_as_leader).
    pub fn append_as_coordinator(
        &mut self,
        batch: &NewBatch,
        ctx: Context<'_>,
        out: &mut Out,
    ) -> Result<(Offset, bool), KafkaError> {
        if self.leader().is_none() {
            return Err(KafkaError::NotLeaderOrFollower);
        }
        let rules = self.append_rules(ctx);
        let active = self.log.active_base();
        let appended = self
            .log
            .append_as_leader(batch, self.leader_epoch, out.now, rules)?;
        self.cut = Default::default();
        self.report_roll(active, ctx, out);
        let values = if out.recording {
            batch.records.iter().map(|r| r.value.clone()).collect()
        } else {
            Vec::new()
        };
        out.cause = out.emit(EventKind::Appended {
            broker: ctx.me,
            tp: self.tp,
            base: appended.base,
            last: appended.last,
            epoch: self.leader_epoch,
            values,
        });
        let moved = self.maybe_increment_high_watermark(ctx, out);
        Ok((appended.base, moved))
    }
}
