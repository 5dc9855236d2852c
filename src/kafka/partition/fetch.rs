//! Serving fetches: checks, reading, divergence, and what the leader notes of a follower.

use super::{Context, Replica};
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Cause, EventKind};
use crate::kafka::ids::*;
use crate::kafka::message::{Asker, FetchPart, Fetched};
use crate::kafka::out::Out;

/// How many batches one answer carries at most for a partition.
const MAX_BATCHES: u32 = 1_000;

/// What reading for one partition of a fetch gave.
pub type Read = Result<Fetched, KafkaError>;

impl Replica {
    /// The leader epoch of a request against the own one, and leadership (R-EPO-3). A broker that
    /// has not heard of a new epoch serves those of its own and refuses newer ones (R-ZOM-2); its
    /// readers see no further than its own high watermark (R-ZOM-5).
    ///
    /// # Errors
    /// FENCED_LEADER_EPOCH, UNKNOWN_LEADER_EPOCH, NOT_LEADER_OR_FOLLOWER.
    pub fn check_epoch(&self, asked: Option<Epoch>, leader_only: bool) -> Result<(), KafkaError> {
        match asked {
            Some(epoch) if epoch < self.leader_epoch => Err(KafkaError::FencedLeaderEpoch),
            Some(epoch) if epoch > self.leader_epoch => Err(KafkaError::UnknownLeaderEpoch),
            _ if leader_only && self.leader().is_none() => Err(KafkaError::NotLeaderOrFollower),
            _ => Ok(()),
        }
    }

    /// Reads for a fetch (R-READ-1 to R-READ-5, R-TRU-1, R-TRU-2). Notes nothing.
    pub fn read(&self, part: &FetchPart, asker: &Asker, ctx: Context<'_>) -> Read {
        let (leader_only, below) = match asker {
            Asker::Replica { .. } => (true, self.log.end()),
            Asker::Consumer {
                modern,
                read_committed: false,
                ..
            } => (!modern, self.log.high_watermark()),
            Asker::Consumer {
                modern,
                read_committed: true,
                ..
            } => (!modern, self.log.last_stable()),
        };
        let epoch = match asker {
            Asker::Replica { .. } if !ctx.switches.fetch_epoch_check => None,
            _ => part.current_leader_epoch,
        };
        self.check_epoch(epoch, leader_only)?;
        if let (Asker::Replica { id, .. }, Some(leader)) = (asker, self.leader())
            && !leader.replicas.contains(id)
        {
            // The assignment may be newer at the asker than here (R-LDR-5).
            return Err(match part.current_leader_epoch {
                Some(_) => KafkaError::UnknownLeaderEpoch,
                None => KafkaError::NotLeaderOrFollower,
            });
        }
        let mut fetched = Fetched {
            batches: Vec::new(),
            high_watermark: self.log.high_watermark(),
            last_stable: self.log.last_stable(),
            log_start: self.log.start(),
            aborted: Vec::new(),
            diverging: None,
            preferred_read_replica: None,
        };
        if let Some(last) = part.last_fetched_epoch {
            fetched.diverging = self.log.divergence(last, part.offset)?;
            if fetched.diverging.is_some() {
                return Ok(fetched);
            }
        }
        fetched.batches = self.log.read(part.offset, below, MAX_BATCHES)?;
        Ok(fetched)
    }

    /// The leader takes note of a follower's fetch (R-LDR-1 to R-LDR-3), may ask to let it into the
    /// ISR (R-ISR-3) and re-evaluates the high watermark if the position changed (R-HW-15).
    /// Returns whether the high watermark moved.
    ///
    /// # Errors
    /// NOT_LEADER_OR_FOLLOWER for a fetch from an older start of the broker (R-LDR-5).
    pub fn note_fetch(
        &mut self,
        follower: BrokerId,
        broker_epoch: Option<BrokerEpoch>,
        part: &FetchPart,
        sent: u32,
        ctx: Context<'_>,
        out: &mut Out,
    ) -> Result<bool, KafkaError> {
        let (tp, end) = (self.tp, self.log.end());
        let now = out.now;
        // A fetch from an older start of the broker than the metadata knows (R-LDR-5, KIP-903).
        let known = ctx.image.brokers.get(&follower).filter(|reg| !reg.fenced);
        if ctx.switches.broker_epoch_check
            && let (Some(known), Some(told)) = (known, broker_epoch)
            && known.epoch > told
        {
            return Err(KafkaError::NotLeaderOrFollower);
        }
        let Some(leader) = self.leader_mut() else {
            return Err(KafkaError::NotLeaderOrFollower);
        };
        let Some(remote) = leader.remotes.get_mut(&follower) else {
            return Ok(false);
        };
        let before = remote.log_end;
        remote.fetched(part.offset, part.log_start, end, broker_epoch, now)?;
        let cause = out.emit(EventKind::FetchHandled {
            leader: ctx.me,
            follower,
            tp,
            offset: part.offset,
            before,
            sent,
        });
        if before != Some(part.offset) {
            remote.cause = cause;
        }
        let outer = std::mem::replace(&mut out.cause, cause);
        self.maybe_expand_isr(follower, ctx, out);
        let moved = before != Some(part.offset) && self.maybe_increment_high_watermark(ctx, out);
        if !moved {
            out.cause = outer;
        }
        Ok(moved)
    }

    /// The replica a consumer of this rack should read from, if not this leader (R-FFR-1).
    pub fn preferred_read_replica(
        &self,
        rack: Option<&str>,
        offset: Boundary,
        ctx: Context<'_>,
    ) -> Option<BrokerId> {
        let rack = rack.filter(|_| ctx.server.rack_aware_selector)?;
        let leader = self.leader()?;
        let in_rack = |b: BrokerId| {
            ctx.image
                .brokers
                .get(&b)
                .is_some_and(|r| r.rack.as_deref() == Some(rack))
        };
        if in_rack(ctx.me) {
            return None;
        }
        leader
            .remotes
            .iter()
            .filter(|(b, _)| leader.isr.contains(**b) && in_rack(**b))
            .filter(|(_, r)| {
                r.log_end.is_some_and(|e| e >= offset) && r.log_start.is_none_or(|s| s <= offset)
            })
            .max_by_key(|(b, r)| (r.log_end, r.last_caught_up, **b))
            .map(|(b, _)| *b)
    }

    /// The event of the last fetch of a follower that moved its position.
    pub fn fetch_cause(&self, follower: BrokerId) -> Cause {
        self.leader()
            .and_then(|l| l.remotes.get(&follower))
            .map(|r| r.cause)
            .unwrap_or_default()
    }
}
