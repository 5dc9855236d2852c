//! Boundaries asked for: ListOffsets, OffsetsForLeaderEpoch, DeleteRecords.

use super::{Context, Replica};
use crate::kafka::config::CleanupPolicy;
use crate::kafka::error::KafkaError;
use crate::kafka::event::EventKind;
use crate::kafka::ids::*;
use crate::kafka::message::{FoundOffset, Isolation, NodeId, OffsetSpec};
use crate::kafka::out::Out;

/// A DeleteRecords request that waits for the followers (R-DEL-3).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DeleteWaiting {
    /// The request.
    pub correlation: Correlation,
    /// Who asked.
    pub from: NodeId,
    /// The boundary the low watermark must reach.
    pub until: Boundary,
}

impl Replica {
    /// ListOffsets (R-LST-1 to R-LST-4). `None`: nothing found.
    ///
    /// # Errors
    /// Those of [`Replica::check_epoch`]; OFFSET_NOT_AVAILABLE (R-LST-3).
    pub fn list_offsets(
        &self,
        spec: OffsetSpec,
        isolation: Isolation,
        current_leader_epoch: Option<Epoch>,
        ctx: Context<'_>,
    ) -> Result<Option<FoundOffset>, KafkaError> {
        self.check_epoch(current_leader_epoch, true)?;
        let below = match isolation {
            Isolation::LogEnd => self.log.end(),
            Isolation::ReadUncommitted => self.log.high_watermark(),
            Isolation::ReadCommitted => self.log.last_stable(),
        };
        // A fresh leader does not know yet what has been told before it led (KIP-207).
        let uncertain = isolation != Isolation::LogEnd
            && ctx.switches.list_offsets_guard
            && self
                .leader()
                .is_some_and(|l| l.epoch_start > self.log.high_watermark());
        let record = |(at, timestamp): (Boundary, Ms)| FoundOffset {
            at,
            leader_epoch: self.log.epoch_before(Boundary(at.0 + 1)),
            timestamp: Some(timestamp),
        };
        match spec {
            OffsetSpec::Earliest => Ok(Some(FoundOffset {
                leader_epoch: self.log.epochs().epoch_at(self.log.start()),
                ..FoundOffset::at(self.log.start())
            })),
            OffsetSpec::Latest if uncertain => Err(KafkaError::OffsetNotAvailable),
            OffsetSpec::Latest => Ok(Some(FoundOffset {
                leader_epoch: Some(self.leader_epoch),
                ..FoundOffset::at(below)
            })),
            OffsetSpec::Timestamp(at) => match self.log.lookup_timestamp(at, below) {
                Some(found) => Ok(Some(record(found))),
                None if uncertain => Err(KafkaError::OffsetNotAvailable),
                None => Ok(None),
            },
            OffsetSpec::MaxTimestamp => match self.log.max_timestamp() {
                Some(found) if found.0 < below => Ok(Some(record(found))),
                _ if uncertain => Err(KafkaError::OffsetNotAvailable),
                _ => Ok(None),
            },
        }
    }

    /// OffsetsForLeaderEpoch (R-EPC-2, R-TRU-6).
    ///
    /// # Errors
    /// Those of [`Replica::check_epoch`].
    pub fn epoch_end(
        &self,
        epoch: Epoch,
        current_leader_epoch: Option<Epoch>,
        leader_only: bool,
    ) -> Result<Option<(Epoch, Boundary)>, KafkaError> {
        self.check_epoch(current_leader_epoch, leader_only)?;
        Ok(self.log.end_offset_for(epoch))
    }

    /// The lowest log start over the leader and the live replicas (R-DEL-3).
    pub fn low_watermark(&self, ctx: Context<'_>) -> Boundary {
        let own = self.log.start();
        let Some(leader) = self.leader() else {
            return own;
        };
        let alive = |b: &BrokerId| ctx.image.brokers.get(b).is_some_and(|r| !r.fenced);
        leader
            .remotes
            .iter()
            .filter(|(b, _)| alive(b))
            .map(|(_, r)| r.log_start.unwrap_or(Boundary(-1)))
            .fold(own, Boundary::min)
    }

    /// DeleteRecords at the leader (R-DEL-1, R-DEL-2). `Ok(Some(low))`: answer now; `Ok(None)`: the
    /// request waits for the followers.
    ///
    /// # Errors
    /// OFFSET_OUT_OF_RANGE, POLICY_VIOLATION, NOT_LEADER_OR_FOLLOWER.
    pub fn delete_records(
        &mut self,
        correlation: Correlation,
        from: NodeId,
        before: Boundary,
        ctx: Context<'_>,
        out: &mut Out,
    ) -> Result<Option<Boundary>, KafkaError> {
        if self.leader().is_none() {
            return Err(KafkaError::NotLeaderOrFollower);
        }
        let policy = ctx
            .image
            .topic_reg(self.tp.topic)
            .map(|t| t.config.cleanup_policy)
            .unwrap_or_default();
        if policy == CleanupPolicy::Compact {
            return Err(KafkaError::PolicyViolation);
        }
        let to = if before == Boundary(-1) {
            self.log.high_watermark()
        } else {
            before
        };
        if to.0 < 0 || to > self.log.high_watermark() {
            return Err(KafkaError::OffsetOutOfRange);
        }
        let start = self.log.start();
        if self.log.maybe_increment_start(to)? {
            out.emit(EventKind::LogStartMoved {
                broker: ctx.me,
                tp: self.tp,
                from: start,
                to: self.log.start(),
            });
        }
        let low = self.low_watermark(ctx);
        if low >= to {
            return Ok(Some(low));
        }
        if let Some(leader) = self.leader_mut() {
            leader.deletes.push(DeleteWaiting {
                correlation,
                from,
                until: to,
            });
        }
        Ok(None)
    }

    /// Takes out the DeleteRecords requests that the low watermark has reached.
    pub fn take_deleted(&mut self, ctx: Context<'_>) -> Vec<(DeleteWaiting, Boundary)> {
        if self.leader().is_none_or(|l| l.deletes.is_empty()) {
            return Vec::new();
        }
        let low = self.low_watermark(ctx);
        let Some(leader) = self.leader_mut() else {
            return Vec::new();
        };
        let (done, rest) = std::mem::take(&mut leader.deletes)
            .into_iter()
            .partition(|d| low >= d.until);
        leader.deletes = rest;
        let done: Vec<DeleteWaiting> = done;
        done.into_iter().map(|d| (d, low)).collect()
    }

    /// Takes out a DeleteRecords request whose time is over.
    pub fn take_delete(&mut self, correlation: Correlation) -> Option<DeleteWaiting> {
        let deletes = &mut self.leader_mut()?.deletes;
        let at = deletes.iter().position(|d| d.correlation == correlation)?;
        Some(deletes.remove(at))
    }
}
