//! A broker: its replicas, the requests it serves and holds, its fetching from other leaders, its
//! life with the controller, and the metadata it has applied.

mod coordinator;
mod disk;
mod fetcher;
mod internal;
mod lifecycle;
mod log_life;
mod markers;
mod metadata;
mod quota;
mod requests;
mod transaction_log;
mod transactions;
mod verify;

pub use coordinator::internal_topic;
pub use disk::Disk;
pub use lifecycle::Lifecycle;

use super::config::ServerConfig;
use super::event::{Cause, EventKind};
use super::group::Shard;
use super::ids::*;
use super::message::{Body, FetchPart, FetchRequest, Message, NodeId};
use super::metadata::Image;
use super::out::{BrokerTimer, Out, Timer};
use super::partition::{Context, Replica};
use super::switches::Switches;
use super::transaction::message::TransactionAnswer;
use crate::kafka::map::Map;
use fetcher::Fetcher;
use quota::Quota;
use std::rc::Rc;
use transactions::Transactions;

/// What is the same for every broker of a world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Common {
    /// Settings.
    pub server: ServerConfig,
    /// Historic switches.
    pub switches: Switches,
    /// No clock: no reminders, no waiting in requests.
    pub by_hand: bool,
}

/// Why a request was sent, for when its answer comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Purpose {
    Register,
    Heartbeat,
    AlterPartition(Tp),
    MetaFetch,
    Fetch(BrokerId),
    /// WriteTxnMarkers.
    Markers,
    /// AddPartitionsToTxn, before an append.
    Verify,
    /// ListOffsets after OFFSET_OUT_OF_RANGE, or (historic) OffsetsForLeaderEpoch.
    Ask(Tp),
}

/// A fetch held until there is something to send (DelayedFetch).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Parked {
    correlation: Correlation,
    from: NodeId,
    request: FetchRequest,
    cause: Cause,
}

/// A running broker process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Broker {
    /// Its id.
    pub id: BrokerId,
    /// Which start of it this is.
    pub incarnation: u32,
    /// broker.rack
    pub rack: Option<Rc<str>>,
    /// The broker epoch it was given; `None` before it is registered.
    pub epoch: Option<BrokerEpoch>,
    /// Where in its life it is.
    pub lifecycle: Lifecycle,
    /// The metadata it has applied.
    pub image: Rc<Image>,
    /// Its replicas.
    pub replicas: Map<Tp, Replica>,
    /// The high watermark checkpoint file (R-HW-2).
    pub checkpoint: Map<Tp, Boundary>,
    common: Rc<Common>,
    /// The metadata it has fetched; ahead of `image` only until it has seen its own registration.
    seen: Rc<Image>,
    previous_epoch: Option<BrokerEpoch>,
    new_directory: bool,
    fetchers: Map<BrokerId, Fetcher>,
    parked: Vec<Parked>,
    requests: Map<Correlation, Purpose>,
    quota: Quota,
    /// The partitions of `__consumer_offsets` it coordinates.
    shards: Map<Tp, Shard>,
    transactions: Transactions,
    /// When the process was started: the cleaner looks at even spans from then, ms.
    booted: Ms,
    /// Whether the cleaner's next look is set; without a compacted log it has nothing to do.
    cleaner: bool,
}

impl Broker {
    fn node(&self) -> NodeId {
        NodeId::Broker(self.id)
    }

    fn remind(&self, due: Ms, what: BrokerTimer, out: &mut Out) {
        if !self.common.by_hand {
            out.remind(
                due,
                Timer::Broker {
                    broker: self.id,
                    incarnation: self.incarnation,
                    what,
                },
            );
        }
    }

    fn request(
        &mut self,
        to: NodeId,
        body: Body,
        purpose: Purpose,
        cause: Cause,
        out: &mut Out,
    ) -> Correlation {
        let correlation = out.request(self.node(), to, body, cause);
        self.requests.insert(correlation, purpose);
        correlation
    }

    /// Runs `f` on a replica with the context it needs.
    fn with<R>(
        &mut self,
        tp: Tp,
        out: &mut Out,
        f: impl FnOnce(&mut Replica, Context<'_>, &mut Out) -> R,
    ) -> Option<R> {
        let replica = self.replicas.get_mut(&tp)?;
        if out.touched.last() != Some(&(self.id, tp)) {
            out.touched.push((self.id, tp));
        }
        let ctx = Context {
            me: self.id,
            my_epoch: self.epoch,
            server: &self.common.server,
            switches: &self.common.switches,
            image: &self.image,
        };
        let (stable, unstable) = (replica.log.last_stable(), replica.log.has_unstable());
        let result = f(replica, ctx, out);
        // Without transactions it goes with the high watermark, and that is told already.
        let (from, to) = (stable, replica.log.last_stable());
        if from != to && (unstable || replica.log.has_unstable()) && replica.leader().is_some() {
            let broker = self.id;
            out.emit(EventKind::LastStableMoved {
                broker,
                tp,
                from,
                to,
            });
        }
        Some(result)
    }

    /// The metadata it has fetched; it acts on it once it has seen its own registration.
    pub fn seen(&self) -> &Image {
        &self.seen
    }

    /// The fetches it has under way: the leader asked, the request, and what it asks.
    pub fn fetches(&self) -> impl Iterator<Item = (BrokerId, Correlation, &[FetchPart])> {
        self.fetchers
            .iter()
            .filter_map(|(leader, f)| Some((*leader, f.in_flight()?, f.asked())))
    }

    /// The context its replicas see.
    pub fn context(&self) -> Context<'_> {
        Context {
            me: self.id,
            my_epoch: self.epoch,
            server: &self.common.server,
            switches: &self.common.switches,
            image: &self.image,
        }
    }

    /// A message arrives.
    pub fn handle(&mut self, message: &Message, out: &mut Out) {
        let correlation = message.correlation;
        match &message.body {
            Body::Produce { .. } | Body::Group(_) if self.holds_for_transaction(message, out) => {}
            Body::Produce {
                tp,
                batch,
                acks,
                timeout,
                transactional_id: _,
            } => self.serve_produce(message, *tp, batch, *acks, *timeout, out),
            Body::Fetch(request) => self.serve_fetch(message, request, out),
            Body::ListOffsets {
                tp,
                spec,
                isolation,
                current_leader_epoch,
            } => {
                let result = match self.replicas.get(tp) {
                    Some(r) => {
                        r.list_offsets(*spec, *isolation, *current_leader_epoch, self.context())
                    }
                    None => Err(self.absent()),
                };
                let body = Body::ListOffsetsAnswer {
                    tp: *tp,
                    spec: *spec,
                    result,
                };
                out.answer(correlation, self.node(), message.from, body, out.cause);
            }
            Body::EpochEnd {
                tp,
                current_leader_epoch,
                epoch,
            } => {
                let result = match self.replicas.get(tp) {
                    Some(r) => r.epoch_end(*epoch, *current_leader_epoch, true),
                    None => Err(self.absent()),
                };
                let body = Body::EpochEndAnswer { tp: *tp, result };
                out.answer(correlation, self.node(), message.from, body, out.cause);
            }
            Body::DeleteRecords {
                tp,
                before,
                timeout,
            } => self.serve_delete_records(message, *tp, *before, *timeout, out),
            Body::Metadata => {
                let body = Body::MetadataAnswer(self.image.clone());
                out.answer(correlation, self.node(), message.from, body, out.cause);
            }
            Body::Group(request) => self.serve_group(message, request, out),
            Body::Transaction(request) => self.serve_transaction(message, request, out),
            body => {
                // An answer: of use only if the question is still open.
                let Some(purpose) = self.requests.remove(&correlation) else {
                    return;
                };
                self.answered(correlation, purpose, body, out);
            }
        }
    }

    fn answered(&mut self, correlation: Correlation, purpose: Purpose, body: &Body, out: &mut Out) {
        match (purpose, body) {
            (Purpose::Register, Body::Registered(result)) => self.registered(*result, out),
            (Purpose::Heartbeat, Body::HeartbeatAnswer(result)) => {
                self.heartbeat_answered(*result, out)
            }
            (Purpose::MetaFetch, Body::MetaAnswer(records)) => self.metadata_arrived(records, out),
            (Purpose::AlterPartition(tp), Body::AlterPartitionAnswer { result, .. }) => {
                let incarnation = self.incarnation;
                let moved = self
                    .with(tp, out, |r, ctx, out| {
                        r.isr_answer(correlation, result, incarnation, ctx, out)
                    })
                    .unwrap_or(false);
                self.after_leader_change(tp, moved, out);
            }
            (Purpose::Fetch(leader), Body::FetchAnswer(parts)) => {
                self.fetch_answered(leader, correlation, parts, out)
            }
            (Purpose::Fetch(leader), Body::Disconnected) => {
                self.fetch_failed(leader, correlation, out)
            }
            (Purpose::Markers, Body::TransactionAnswer(answer)) => {
                let results = match answer {
                    TransactionAnswer::MarkersWritten(results) => Some(&results[..]),
                    _ => None,
                };
                self.markers_answered(correlation, results, out);
            }
            (Purpose::Markers, _) => self.markers_answered(correlation, None, out),
            (Purpose::Verify, body) => {
                let result = match body {
                    Body::TransactionAnswer(TransactionAnswer::Added(result)) => *result,
                    _ => Err(super::error::KafkaError::NetworkException),
                };
                self.verified(correlation, result, out);
            }
            (Purpose::Ask(tp), body) => self.question_answered(tp, body, out),
            _ => {}
        }
    }

    /// A reminder is due.
    pub fn timer(&mut self, what: &BrokerTimer, out: &mut Out) {
        match what {
            BrokerTimer::Heartbeat => self.heartbeat_due(out),
            BrokerTimer::Register => self.register(out),
            BrokerTimer::IsrShrinkCheck => {
                self.isr_shrink_check(out);
                let period = Ms((self.common.server.replica_lag_time_max.0 / 2).max(1));
                self.remind(out.now.plus(period), BrokerTimer::IsrShrinkCheck, out);
            }
            BrokerTimer::HighWatermarkCheckpoint => {
                self.write_checkpoint();
                let period = self.common.server.high_watermark_checkpoint_interval;
                self.remind(
                    out.now.plus(period),
                    BrokerTimer::HighWatermarkCheckpoint,
                    out,
                );
            }
            BrokerTimer::Parked(correlation) => self.wait_is_over(*correlation, out),
            BrokerTimer::Fetcher(leader) => self.fetcher_due(*leader, out),
            BrokerTimer::Unanswered(correlation) => self.unanswered(*correlation, out),
            BrokerTimer::LoadTransactions(tp) => self.load_transactions(*tp, out),
            BrokerTimer::TransactionTimeouts => self.abort_timed_out(out),
            BrokerTimer::Markers(tp, id) => self.send_markers(*tp, id, out),
            BrokerTimer::Retention => self.retention_due(out),
            BrokerTimer::Clean => self.clean_due(out),
            BrokerTimer::ProducerExpiration => self.forget_producers(out),
            BrokerTimer::RetryAlterPartition(tp) => self.send_isr_change(*tp, out),
            BrokerTimer::Coordinator(tp) => self.coordinator_due(*tp, out),
        }
    }

    /// Every led partition: whoever lags is to leave the ISR (R-ISR-1).
    pub fn isr_shrink_check(&mut self, out: &mut Out) {
        let led: Vec<Tp> = self
            .replicas
            .iter()
            .filter(|(_, r)| r.leader().is_some())
            .map(|(tp, _)| *tp)
            .collect();
        for tp in led {
            self.with(tp, out, |r, ctx, out| r.maybe_shrink_isr(ctx, out));
            self.track_isr_request(tp, out);
        }
    }

    /// By hand: so much time has passed that a follower no longer counts as caught up, unless the
    /// log ends are equal; then the leader looks for who lags.
    pub fn lapse(&mut self, follower: BrokerId, out: &mut Out) {
        for replica in self.replicas.values_mut() {
            if let Some(remote) = replica
                .leader_mut()
                .and_then(|l| l.remotes.get_mut(&follower))
            {
                remote.last_caught_up = None;
                remote.last_fetch = None;
            }
        }
        self.isr_shrink_check(out);
    }

    fn send_isr_change(&mut self, tp: Tp, out: &mut Out) {
        self.with(tp, out, |r, ctx, out| r.send_pending(ctx, out));
        self.track_isr_request(tp, out);
    }

    /// The replica has just sent (or not) an AlterPartition: remember whose answer it will be.
    fn track_isr_request(&mut self, tp: Tp, out: &mut Out) {
        let pending = self
            .replicas
            .get(&tp)
            .and_then(|r| r.leader())
            .and_then(|l| l.pending.as_ref());
        if let Some(correlation) = pending.and_then(|p| p.in_flight)
            && self
                .requests
                .insert(correlation, Purpose::AlterPartition(tp))
                .is_none()
        {
            let due = out.now.plus(self.common.server.controller_request_timeout);
            self.remind(due, BrokerTimer::Unanswered(correlation), out);
        }
    }

    fn unanswered(&mut self, correlation: Correlation, out: &mut Out) {
        match self.requests.get(&correlation) {
            Some(Purpose::AlterPartition(tp)) => {
                let tp = *tp;
                self.requests.remove(&correlation);
                let open = self
                    .replicas
                    .get(&tp)
                    .and_then(|r| r.leader())
                    .and_then(|l| l.pending.as_ref())
                    .is_some_and(|p| p.in_flight == Some(correlation));
                if open {
                    self.send_isr_change(tp, out);
                }
            }
            Some(Purpose::MetaFetch) => {
                self.requests.remove(&correlation);
                self.fetch_metadata(out);
            }
            Some(Purpose::Register) => {
                self.requests.remove(&correlation);
                self.register(out);
            }
            Some(purpose @ (Purpose::Markers | Purpose::Verify)) => {
                let purpose = *purpose;
                self.requests.remove(&correlation);
                self.answered(correlation, purpose, &Body::Disconnected, out);
            }
            Some(Purpose::Ask(tp)) => {
                let tp = *tp;
                self.requests.remove(&correlation);
                self.question_answered(tp, &Body::Disconnected, out);
            }
            _ => {}
        }
    }

    fn write_checkpoint(&mut self) {
        for (tp, replica) in &self.replicas {
            let high_watermark = replica.log.high_watermark();
            if self.checkpoint.get(tp) != Some(&high_watermark) {
                self.checkpoint.insert(*tp, high_watermark);
            }
        }
    }

    fn absent(&self) -> super::error::KafkaError {
        super::error::KafkaError::UnknownTopicOrPartition
    }
}
