//! Serving clients and followers, and holding what cannot be answered yet.

use super::{Broker, Parked};
use crate::kafka::batch::{Batch, NewBatch};
use crate::kafka::error::KafkaError;
use crate::kafka::event::EventKind;
use crate::kafka::ids::*;
use crate::kafka::log::batch_bytes;
use crate::kafka::message::*;
use crate::kafka::out::{BrokerTimer, Out};
use crate::kafka::partition::Produced;

/// Keeps as many batches as fit, and always the first, so that a reader gets on.
fn limit(batches: &mut Vec<Batch>, max_bytes: i64) {
    let mut sum = 0;
    let fits = |batch: &Batch| {
        sum += batch_bytes(batch);
        sum <= max_bytes
    };
    let count = batches.iter().map(fits).take_while(|fits| *fits).count();
    batches.truncate(count.max(1));
}

impl Broker {
    pub(super) fn serve_produce(
        &mut self,
        message: &Message,
        tp: Tp,
        batch: &NewBatch,
        acks: Acks,
        timeout: Ms,
        out: &mut Out,
    ) {
        let (correlation, from) = (message.correlation, message.from);
        let served = self.with(tp, out, |r, ctx, out| {
            let end = r.log.end();
            let (produced, moved) = r.produce(correlation, from, batch, acks, ctx, out);
            (produced, moved, r.log.end() != end)
        });
        let Some((produced, moved, appended)) = served else {
            if acks != Acks::None {
                let error = self.absent();
                self.answer_produce(correlation, from, tp, Err(error), out);
            }
            return;
        };
        match produced {
            Produced::Answer(result) => self.answer_produce(correlation, from, tp, result, out),
            Produced::Waits => {
                self.remind(out.now.plus(timeout), BrokerTimer::Parked(correlation), out)
            }
            Produced::Silent => {}
        }
        if moved {
            self.after_leader_change(tp, true, out);
        } else if appended {
            self.recheck_parked(tp, out);
        }
    }

    pub(super) fn answer_produce(
        &mut self,
        correlation: Correlation,
        to: NodeId,
        tp: Tp,
        result: Result<Offset, KafkaError>,
        out: &mut Out,
    ) {
        let mut cause = out.cause;
        if let NodeId::Client(client) = to {
            cause = out.emit(EventKind::ProduceAnswered {
                broker: self.id,
                client,
                tp,
                result,
            });
        }
        let current_leader = match result {
            Err(KafkaError::NotLeaderOrFollower | KafkaError::FencedLeaderEpoch) => {
                self.current_leader(tp)
            }
            _ => None,
        };
        out.answer(
            correlation,
            self.node(),
            to,
            Body::ProduceAnswer {
                tp,
                result,
                current_leader,
            },
            cause,
        );
    }

    /// Who leads as far as this broker knows (R-ACK-9).
    fn current_leader(&self, tp: Tp) -> CurrentLeader {
        let reg = self.image.partitions.get(&tp)?;
        reg.leader.map(|leader| (leader, reg.leader_epoch))
    }

    pub(super) fn serve_fetch(&mut self, message: &Message, request: &FetchRequest, out: &mut Out) {
        let arrived = out.cause;
        let mut parts = Vec::with_capacity(request.parts.len());
        let mut moved = Vec::new();
        for part in &request.parts {
            let mut result = self.read_part(part, request);
            if let (Ok(fetched), Asker::Replica { id, epoch }) = (&result, &request.asker) {
                // The answer holds the high watermark from before this (R-REP-5).
                let sent = fetched.batches.len() as u32;
                let diverging = fetched.diverging;
                let notes =
                    diverging.is_none() || !self.common.switches.ignore_position_on_divergence;
                if let Some((epoch, end)) = diverging {
                    out.emit(EventKind::DivergenceFound {
                        leader: self.id,
                        follower: *id,
                        tp: part.tp,
                        asked: part.offset,
                        epoch,
                        end,
                    });
                }
                if notes {
                    match self.with(part.tp, out, |r, ctx, out| {
                        r.note_fetch(*id, *epoch, part, sent, ctx, out)
                    }) {
                        Some(Ok(hw_moved)) => moved.push((part.tp, hw_moved, out.cause)),
                        Some(Err(error)) => result = Err(error),
                        None => {}
                    }
                    self.track_isr_request(part.tp, out);
                    out.cause = arrived;
                }
            }
            if let Err(error) = result {
                let (broker, asker) = (self.id, message.from);
                out.emit(EventKind::FetchRefused {
                    broker,
                    asker,
                    tp: part.tp,
                    offset: part.offset,
                    error,
                });
            }
            parts.push(FetchedPart {
                tp: part.tp,
                offset: part.offset,
                result,
            });
        }
        if self.should_hold(&parts, request) {
            let correlation = message.correlation;
            self.parked.push(Parked {
                correlation,
                from: message.from,
                request: request.clone(),
                cause: arrived,
            });
            self.remind(
                out.now.plus(request.max_wait),
                BrokerTimer::Parked(correlation),
                out,
            );
        } else {
            out.answer(
                message.correlation,
                self.node(),
                message.from,
                Body::FetchAnswer(parts),
                arrived,
            );
        }
        for (tp, hw_moved, cause) in moved {
            out.cause = if hw_moved { cause } else { arrived };
            self.after_leader_change(tp, hw_moved, out);
            self.answer_deletes(tp, out);
        }
        out.cause = arrived;
    }

    fn read_part(&self, part: &FetchPart, request: &FetchRequest) -> Result<Fetched, KafkaError> {
        let Some(replica) = self.replicas.get(&part.tp) else {
            return Err(match self.image.partitions.get(&part.tp) {
                Some(_) => KafkaError::NotLeaderOrFollower,
                None => self.absent(),
            });
        };
        let ctx = self.context();
        let mut fetched = replica.read(part, &request.asker, ctx)?;
        limit(&mut fetched.batches, request.max_bytes);
        let committed = matches!(
            request.asker,
            Asker::Consumer {
                read_committed: true,
                ..
            }
        );
        if committed && let Some(last) = fetched.batches.last() {
            let producers = replica.log.producers();
            fetched.aborted = producers.aborted_between(part.offset, last.end());
        }
        if let Asker::Consumer { rack, .. } = &request.asker {
            fetched.preferred_read_replica =
                replica.preferred_read_replica(rack.as_deref(), part.offset, ctx);
            if fetched.preferred_read_replica.is_some() {
                fetched.batches.clear(); // sent elsewhere, without data (R-FFR-2)
                fetched.aborted.clear();
            }
        }
        Ok(fetched)
    }

    /// Whether to hold a fetch (R-READ-6, R-READ-7). A follower's bound is the log end, so a high
    /// watermark that moves does not let its fetch go (R-REP-6).
    fn should_hold(&self, parts: &[FetchedPart], request: &FetchRequest) -> bool {
        if request.max_wait.0 <= 0 || request.min_records == 0 {
            return false;
        }
        let mut records = 0;
        for part in parts {
            match &part.result {
                Err(_) => return false,
                Ok(f) if f.diverging.is_some() || f.preferred_read_replica.is_some() => {
                    return false;
                }
                Ok(f) => {
                    records += f
                        .batches
                        .iter()
                        .map(|b| b.records.len().max(1) as u32)
                        .sum::<u32>()
                }
            }
        }
        records < request.min_records
    }

    /// Looks again at the fetches held for a partition, and answers those that can be.
    pub(super) fn recheck_parked(&mut self, tp: Tp, out: &mut Out) {
        if self.parked.is_empty() {
            return;
        }
        let mut at = 0;
        while at < self.parked.len() {
            let parked = &self.parked[at];
            if !parked.request.parts.iter().any(|p| p.tp == tp) {
                at += 1;
                continue;
            }
            let parts = self.read_all(&parked.request);
            if self.should_hold(&parts, &parked.request) {
                at += 1;
            } else {
                let parked = self.parked.remove(at);
                out.answer(
                    parked.correlation,
                    self.node(),
                    parked.from,
                    Body::FetchAnswer(parts),
                    out.cause,
                );
            }
        }
    }

    fn read_all(&self, request: &FetchRequest) -> Vec<FetchedPart> {
        let read = |part: &FetchPart| FetchedPart {
            tp: part.tp,
            offset: part.offset,
            result: self.read_part(part, request),
        };
        request.parts.iter().map(read).collect()
    }

    /// A held request's time is over.
    pub(super) fn wait_is_over(&mut self, correlation: Correlation, out: &mut Out) {
        if let Some(at) = self
            .parked
            .iter()
            .position(|p| p.correlation == correlation)
        {
            // Read again, noting nothing (R-LDR-2): the follower learns the present high watermark.
            let parked = self.parked.remove(at);
            let parts = self.read_all(&parked.request);
            out.answer(
                correlation,
                self.node(),
                parked.from,
                Body::FetchAnswer(parts),
                parked.cause,
            );
            return;
        }
        for tp in self.replicas.keys().copied().collect::<Vec<_>>() {
            let Some(replica) = self.replicas.get_mut(&tp) else {
                continue;
            };
            if let Some(waiting) = replica.take_waiting(correlation) {
                out.cause = waiting.cause;
                let over = Err(KafkaError::RequestTimedOut);
                self.answer_produce(correlation, waiting.from, tp, over, out);
                return;
            }
            if let Some(delete) = replica.take_delete(correlation) {
                let body = Body::DeleteRecordsAnswer {
                    tp,
                    result: Err(KafkaError::RequestTimedOut),
                };
                out.answer(correlation, self.node(), delete.from, body, out.cause);
                return;
            }
        }
    }

    /// After something that may let waiting requests go (R-HW-18).
    pub(super) fn after_leader_change(
        &mut self,
        tp: Tp,
        high_watermark_moved: bool,
        out: &mut Out,
    ) {
        let outer = out.cause;
        let done = self
            .with(tp, out, |r, ctx, _| r.take_reached(ctx))
            .unwrap_or_default();
        for (waiting, result) in done {
            self.answer_produce(waiting.correlation, waiting.from, tp, result, out);
            out.cause = outer;
        }
        if high_watermark_moved {
            self.recheck_parked(tp, out);
            self.coordinator_advanced(tp, out);
            self.transactions_committed(tp, out);
        }
        out.cause = outer;
    }

    pub(super) fn serve_delete_records(
        &mut self,
        message: &Message,
        tp: Tp,
        before: Boundary,
        timeout: Ms,
        out: &mut Out,
    ) {
        let (correlation, from) = (message.correlation, message.from);
        let result = self
            .with(tp, out, |r, ctx, out| {
                r.delete_records(correlation, from, before, ctx, out)
            })
            .unwrap_or(Err(KafkaError::UnknownTopicOrPartition));
        let result = match result {
            Ok(None) => {
                self.remind(out.now.plus(timeout), BrokerTimer::Parked(correlation), out);
                return self.recheck_parked(tp, out);
            }
            Ok(Some(low)) => Ok(low),
            Err(error) => Err(error),
        };
        let body = Body::DeleteRecordsAnswer { tp, result };
        out.answer(correlation, self.node(), from, body, out.cause);
        self.recheck_parked(tp, out);
    }

    pub(super) fn answer_deletes(&mut self, tp: Tp, out: &mut Out) {
        let done = self
            .with(tp, out, |r, ctx, _| r.take_deleted(ctx))
            .unwrap_or_default();
        for (delete, low) in done {
            let body = Body::DeleteRecordsAnswer {
                tp,
                result: Ok(low),
            };
            out.answer(
                delete.correlation,
                self.node(),
                delete.from,
                body,
                out.cause,
            );
        }
    }

    /// A broker that was waited for may have been fenced: only live ones count (R-DEL-3).
    pub(super) fn recheck_deletes(&mut self, out: &mut Out) {
        for tp in self.replicas.keys().copied().collect::<Vec<_>>() {
            self.answer_deletes(tp, out);
        }
    }
}
