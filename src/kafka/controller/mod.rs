//! The controller: one node that registers brokers, watches their sessions, elects leaders and
//! writes every change into the metadata log that the brokers fetch. It never looks at anybody's
//! data log (R-ELE-8).

mod alter_partition;
pub mod change_builder;
mod election;
mod elr;
mod heartbeat;
mod metadata_log;
mod reassign;
mod registration;
mod tasks;
mod topics;

#[cfg(test)]
mod tests;

pub use heartbeat::{Ask, BrokerState, next_state, session_expired};
pub use metadata_log::Entry;

use crate::kafka::config::ServerConfig;
use crate::kafka::event::Cause;
use crate::kafka::ids::{BrokerId, MetaOffset, Ms};
use crate::kafka::map::Map;
use crate::kafka::message::{Body, Message, NodeId};
use crate::kafka::metadata::{Image, MetaRecord};
use crate::kafka::out::Out;
use crate::kafka::switches::Switches;
use alter_partition::AlterPartition;
use heartbeat::Liveness;
use metadata_log::MetadataLog;
use std::rc::Rc;

/// The controller.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Controller {
    log: MetadataLog,
    liveness: Map<BrokerId, Liveness>,
    switches: Switches,
    /// No clock: no sessions, no tasks, one metadata record an answer.
    by_hand: bool,
    session_timeout: Ms,
    static_min_isr: i32,
    static_unclean: bool,
    auto_rebalance: bool,
    balance_interval: Ms,
    unclean_interval: Ms,
}

impl Controller {
    /// A controller with an empty metadata log.
    pub fn new(server: &ServerConfig, switches: Switches, by_hand: bool) -> Self {
        Controller {
            log: MetadataLog::new(by_hand),
            liveness: Map::new(),
            switches,
            by_hand,
            session_timeout: server.session_timeout,
            static_min_isr: server.min_insync_replicas,
            static_unclean: server.unclean_leader_election,
            auto_rebalance: server.auto_leader_rebalance,
            balance_interval: server.leader_imbalance_check_interval,
            unclean_interval: server.unclean_leader_election_interval,
        }
    }

    /// Its own image: all records applied.
    pub fn image(&self) -> &Rc<Image> {
        self.log.image()
    }

    /// The records behind an offset, as far as they are kept for brokers.
    pub fn entries_after(&self, after: MetaOffset) -> impl Iterator<Item = &Rc<Entry>> {
        self.log.after(after)
    }

    /// Takes a record in as if it had been written before, without an event: for a controller that
    /// starts from a given state.
    pub fn replay(&mut self, record: MetaRecord) {
        self.log.append(record, Cause::default());
    }

    /// Begins its work: what a new cluster's log starts with (R-ELR-8), and its timers.
    pub fn start(&mut self, out: &mut Out) {
        self.write_cluster_min_isr(out);
        self.log.answer_parked(out);
        if !self.by_hand {
            self.arm_all(out);
        }
    }

    /// Takes a broker's request and answers it. What is not for a controller is left alone.
    pub fn handle(&mut self, message: &Message, out: &mut Out) {
        let NodeId::Broker(from) = message.from else {
            return;
        };
        let (body, cause) = match &message.body {
            Body::Register {
                incarnation,
                previous_epoch,
                rack,
                new_directory: _,
            } => {
                let (result, cause) =
                    self.register(from, *incarnation, *previous_epoch, rack.clone(), out);
                (Body::Registered(result), cause)
            }
            Body::Heartbeat {
                epoch,
                metadata_offset,
                want_fence,
                want_shut_down,
            } => {
                let (result, cause) = self.heartbeat(
                    from,
                    *epoch,
                    *metadata_offset,
                    *want_fence,
                    *want_shut_down,
                    out,
                );
                (Body::HeartbeatAnswer(result), cause)
            }
            Body::AlterPartition {
                broker_epoch,
                tp,
                leader_epoch,
                partition_epoch,
                isr,
                recovery,
            } => {
                let ask = AlterPartition {
                    from,
                    broker_epoch: *broker_epoch,
                    tp: *tp,
                    leader_epoch: *leader_epoch,
                    partition_epoch: *partition_epoch,
                    isr,
                    recovery: *recovery,
                };
                let (result, cause) = self.alter_partition(&ask, out);
                (Body::AlterPartitionAnswer { tp: *tp, result }, cause)
            }
            Body::AssignDirectory { broker_epoch, tp } => {
                let cause = self.assign_directory(from, *broker_epoch, *tp, out);
                (Body::AssignDirectoryAnswer, cause)
            }
            Body::CreateInternal { topic, partition } => {
                self.create_internal(topic, *partition, out);
                (Body::CreateInternalAnswer, out.cause)
            }
            Body::MetaFetch { after } => {
                self.log.fetch(from, message.correlation, *after, out);
                return;
            }
            _ => return,
        };
        out.answer(
            message.correlation,
            NodeId::Controller,
            message.from,
            body,
            cause,
        );
        self.log.answer_parked(out);
    }
}
