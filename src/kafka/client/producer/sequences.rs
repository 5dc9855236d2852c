//! Idempotence on the producer's side (R-IDM-5, R-IDM-6): which sequence a batch gets, which batch
//! may go next, and when the epoch is raised and sequences start at 0 again.

use super::batch::{Send, State};
use super::{Producer, Queue};
use crate::kafka::batch::Stamp;
use crate::kafka::error::KafkaError;
use crate::kafka::ids::Tp;
use crate::kafka::sort;

impl Producer {
    /// Whether batches are stamped (R-PRD-6: silently off with acks other than all, or no retries).
    pub(super) fn stamps(&self) -> bool {
        self.settings.is_idempotent() || self.transaction.is_some()
    }

    /// Whether the queue's first waiting batch may be sent as far as sequences go (R-IDM-6).
    pub(super) fn sequence_allows(&self, queue: &Queue, first: &Send) -> bool {
        if !self.stamps() {
            return true;
        }
        // What became of an expired batch is not known: nothing goes before that is settled.
        if queue.unresolved.is_some() {
            return false;
        }
        match first.base_sequence() {
            // A retry goes alone: only the lowest batch that is not done.
            Some(sequence) => self.lowest_outstanding(queue) == Some(sequence),
            // A new batch waits for those of the old producer epoch.
            None => queue.epoch == self.epoch || queue.in_flight.is_empty(),
        }
    }

    /// The lowest sequence of the partition's batches that were sent and are not done.
    pub(super) fn lowest_outstanding(&self, queue: &Queue) -> Option<i32> {
        queue
            .in_flight
            .iter()
            .chain(&queue.waiting)
            .filter_map(|i| self.sends[*i as usize].base_sequence())
            .min()
    }

    /// Stamps a batch that goes out for the first time; returns its stamp.
    pub(super) fn stamp(&mut self, index: u32) -> Option<Stamp> {
        if !self.stamps() {
            return None;
        }
        let (producer_id, epoch) = (self.producer_id, self.epoch);
        let send = &mut self.sends[index as usize];
        let queue = self.queues.entry(send.tp).or_default();
        if send.stamp.is_none() {
            if queue.epoch != epoch {
                // Another partition raised the epoch: this one starts at 0 too (R-IDM-3).
                queue.restart(epoch);
            }
            send.stamp = Some(Stamp {
                producer_id,
                epoch,
                base_sequence: queue.next_sequence,
            });
            queue.next_sequence = queue.next_sequence.wrapping_add(send.count()) & i32::MAX;
        }
        send.restamped = false;
        send.stamp
    }

    /// Whether the broker's refusal of an idempotent batch is worth another try, and whether the
    /// epoch has to be raised for it (TransactionManager.canRetry): after OUT_OF_ORDER of the
    /// batch right behind the last confirmed one there is a gap that no retry can fill. The epoch
    /// of a transactional producer is its coordinator's affair.
    pub(super) fn out_of_order(&mut self, index: u32) -> bool {
        let send = &self.sends[index as usize];
        let Some(queue) = self.queues.get(&send.tp) else {
            return false;
        };
        let next = send
            .base_sequence()
            .is_some_and(|s| s == queue.last_acked.map_or(0, |l| l.wrapping_add(1) & i32::MAX));
        let waits_for_others = queue.unresolved.is_none() && (send.restamped || !next);
        let gap = match queue.unresolved {
            None => true,
            Some(sequence) => send.base_sequence() == Some(sequence),
        };
        if self.transaction.is_some() {
            return waits_for_others;
        }
        if !waits_for_others && gap {
            self.raise_epoch(send.tp);
        }
        true
    }

    /// A batch failed for good (`handleFailedBatch`): the sequences behind it would leave a gap.
    pub(super) fn failed(&mut self, index: u32, error: KafkaError, adjust: bool) {
        let tp = self.sends[index as usize].tp;
        let stamped = self.sends[index as usize].stamp.is_some();
        if stamped && (adjust || error == KafkaError::OutOfOrderSequenceNumber) {
            self.raise_epoch(tp);
        }
    }

    /// An expired batch may or may not be in the log.
    pub(super) fn leave_unresolved(&mut self, index: u32) {
        let send = &self.sends[index as usize];
        if let Some(last) = send.last_sequence()
            && let Some(queue) = self.queues.get_mut(&send.tp)
        {
            let next = last.wrapping_add(1) & i32::MAX;
            queue.unresolved = Some(queue.unresolved.map_or(next, |u| u.max(next)));
        }
    }

    /// Settles partitions with an expired batch once nothing of them is outstanding: either later
    /// batches got through, or the epoch is raised (maybeResolveSequences).
    pub(super) fn resolve(&mut self) {
        let mut gaps = Vec::new();
        for (tp, queue) in &mut self.queues {
            let outstanding = queue
                .in_flight
                .iter()
                .chain(&queue.waiting)
                .any(|i| self.sends[*i as usize].stamp.is_some());
            if queue.unresolved.is_none() || outstanding {
                continue;
            }
            queue.unresolved = None;
            if queue.last_acked.map_or(0, |l| l.wrapping_add(1) & i32::MAX) != queue.next_sequence {
                gaps.push(*tp);
            }
        }
        for tp in gaps {
            self.raise_epoch(tp);
        }
    }

    /// Raises the producer epoch; the partition's outstanding batches get sequences from 0 on.
    fn raise_epoch(&mut self, tp: Tp) {
        if self.transaction.is_some() {
            return;
        }
        self.epoch = self.epoch.saturating_add(1);
        let (producer_id, epoch) = (self.producer_id, self.epoch);
        let Some(queue) = self.queues.get_mut(&tp) else {
            return;
        };
        queue.restart(epoch);
        let mut outstanding: Vec<u32> = queue
            .in_flight
            .iter()
            .chain(&queue.waiting)
            .copied()
            .filter(|i| self.sends[*i as usize].stamp.is_some())
            .collect();
        sort::by_key(&mut outstanding, |i| {
            self.sends[*i as usize].base_sequence()
        });
        for i in outstanding {
            let send = &mut self.sends[i as usize];
            send.stamp = Some(Stamp {
                producer_id,
                epoch,
                base_sequence: queue.next_sequence,
            });
            send.restamped = true;
            queue.next_sequence = queue.next_sequence.wrapping_add(send.count()) & i32::MAX;
        }
    }

    /// Notes the sequence of a confirmed batch.
    pub(super) fn acknowledged(&mut self, index: u32) {
        let send = &self.sends[index as usize];
        debug_assert!(matches!(send.state, State::Confirmed(..)));
        if let Some(last) = send.last_sequence()
            && let Some(queue) = self.queues.get_mut(&send.tp)
        {
            queue.last_acked = Some(queue.last_acked.map_or(last, |l| l.max(last)));
        }
    }
}

impl Queue {
    pub(super) fn restart(&mut self, epoch: i16) {
        self.epoch = epoch;
        self.next_sequence = 0;
        self.last_acked = None;
        self.unresolved = None;
    }
}
