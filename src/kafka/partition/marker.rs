//! What a coordinator writes into a partition this broker leads: transaction markers, and its own
//! records in internal topics.

use super::{Context, Replica};
use crate::kafka::batch::{Control, NewBatch, NewRecord, Stamp};
use crate::kafka::error::KafkaError;
use crate::kafka::event::EventKind;
use crate::kafka::ids::Boundary;
use crate::kafka::out::Out;
use crate::kafka::transaction::EPOCH_RISES;
use crate::kafka::transaction::message::ProducerRef;

impl Replica {
    /// Appends one record that a coordinator keeps, as acks=all would be: not below
    /// min.insync.replicas. Returns the boundary the high watermark must reach, and whether it
    /// moved.
    ///
    /// # Errors
    /// NOT_LEADER_OR_FOLLOWER, NOT_ENOUGH_REPLICAS, and those of the log.
    pub fn append_state(
        &mut self,
        record: NewRecord,
        ctx: Context<'_>,
        out: &mut Out,
    ) -> Result<(Boundary, bool), KafkaError> {
        if self.under_min_isr(ctx) {
            return Err(KafkaError::NotEnoughReplicas);
        }
        let (at, moved) = self.append_as_coordinator(&NewBatch::plain([record]), ctx, out)?;
        Ok((at.after(), moved))
    }

    /// Appends the marker of a transaction (R-OFF-3, R-TXN-1): one record, in each partition of
    /// the transaction. With transaction.version 2 a marker has a higher epoch than any data of
    /// its transaction, so one that comes late cannot end the next transaction; one that is
    /// repeated after its transaction has ended is written again.
    ///
    /// # Errors
    /// INVALID_PRODUCER_EPOCH, NOT_LEADER_OR_FOLLOWER, NOT_ENOUGH_REPLICAS.
    pub fn write_marker(
        &mut self,
        producer: ProducerRef,
        commit: bool,
        version: u8,
        ctx: Context<'_>,
        out: &mut Out,
    ) -> Result<(Boundary, bool), KafkaError> {
        if self.leader().is_none() {
            return Err(KafkaError::NotLeaderOrFollower);
        }
        if self.under_min_isr(ctx) {
            return Err(KafkaError::NotEnoughReplicas);
        }
        let known = self.log.producers().get(producer.id);
        let late =
            |epoch: i16, open: bool| producer.epoch < epoch || (producer.epoch == epoch && open);
        if version >= EPOCH_RISES && known.is_some_and(|p| late(p.epoch, p.open.is_some())) {
            return Err(KafkaError::InvalidProducerEpoch);
        }
        let batch = NewBatch {
            records: [].into(),
            stamp: Some(Stamp {
                producer_id: producer.id,
                epoch: producer.epoch,
                base_sequence: -1,
            }),
            transactional: true,
            control: Some(if commit {
                Control::Commit
            } else {
                Control::Abort
            }),
        };
        let (epoch, rules) = (self.leader_epoch, self.append_rules(ctx));
        let active = self.log.active_base();
        let appended = self.log.append_as_leader(&batch, epoch, out.now, rules)?;
        self.cut = Default::default();
        self.report_roll(active, ctx, out);
        out.cause = out.emit(EventKind::MarkerAppended {
            broker: ctx.me,
            tp: self.tp,
            offset: appended.base,
            commit,
            producer: producer.id,
        });
        let moved = self.maybe_increment_high_watermark(ctx, out);
        Ok((appended.last.after(), moved))
    }
}
