//! A broker's life with the controller: registration, heartbeats, shutdown (R-FEN-*, R-CSD-*).

use super::{Broker, Purpose};
use crate::kafka::error::KafkaError;
use crate::kafka::event::EventKind;
use crate::kafka::ids::*;
use crate::kafka::message::{Body, HeartbeatState, NodeId};
use crate::kafka::out::{BrokerTimer, Out};

/// Where in its life a broker is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lifecycle {
    /// It has no broker epoch yet.
    Registering,
    /// Registered; it replays metadata up to its own registration.
    CatchingUp,
    /// It acts on metadata; fenced until the controller says otherwise.
    Running,
    /// Told to shut down; `answered` once the controller has said a first word.
    ShuttingDown {
        /// Whether the controller has answered.
        answered: bool,
        /// When it stops without leave (R-CSD-3).
        until: Ms,
    },
    /// It may end now.
    Stopped,
}

/// How soon a refused registration is tried again, ms.
const REGISTER_BACKOFF: Ms = Ms(500);
/// The heartbeat after the first answer to a shutdown comes this soon, ms.
const SHUTDOWN_HEARTBEAT: Ms = Ms(50);

impl Broker {
    pub(super) fn register(&mut self, out: &mut Out) {
        if self.lifecycle != Lifecycle::Registering {
            return;
        }
        let body = Body::Register {
            incarnation: self.incarnation,
            previous_epoch: self.previous_epoch,
            rack: self.rack.clone(),
            new_directory: self.new_directory,
        };
        let correlation = self.request(NodeId::Controller, body, Purpose::Register, out.cause, out);
        let due = out.now.plus(self.common.server.controller_request_timeout);
        self.remind(due, BrokerTimer::Unanswered(correlation), out);
    }

    pub(super) fn registered(&mut self, result: Result<BrokerEpoch, KafkaError>, out: &mut Out) {
        if self.lifecycle != Lifecycle::Registering {
            return;
        }
        match result {
            // Retried until the old session has run out (R-FEN-5).
            Err(_) => self.remind(out.now.plus(REGISTER_BACKOFF), BrokerTimer::Register, out),
            Ok(epoch) => {
                self.epoch = Some(epoch);
                self.lifecycle = Lifecycle::CatchingUp;
                self.heartbeat(out);
                self.maybe_caught_up(out);
                let due = out.now.plus(self.common.server.heartbeat_interval);
                self.remind(due, BrokerTimer::Heartbeat, out);
            }
        }
    }

    /// Once its own registration is in the metadata it has fetched, it acts on all of it.
    pub(super) fn maybe_caught_up(&mut self, out: &mut Out) {
        let Some(epoch) = self.epoch else { return };
        if self.lifecycle == Lifecycle::CatchingUp && self.seen.offset.0 >= epoch.0 {
            self.lifecycle = Lifecycle::Running;
            self.publish_all(out);
            self.heartbeat(out);
        }
    }

    fn heartbeat(&mut self, out: &mut Out) {
        let Some(epoch) = self.epoch else { return };
        // Without a clock there is no session to keep alive.
        if self.common.by_hand && !self.is_shutting_down() {
            return;
        }
        let body = Body::Heartbeat {
            epoch,
            metadata_offset: self.image.offset,
            want_fence: self.lifecycle == Lifecycle::CatchingUp,
            want_shut_down: matches!(self.lifecycle, Lifecycle::ShuttingDown { .. }),
        };
        // An unanswered heartbeat is not missed: the next one says it all.
        self.requests
            .retain(|_, purpose| *purpose != Purpose::Heartbeat);
        self.request(NodeId::Controller, body, Purpose::Heartbeat, out.cause, out);
    }

    pub(super) fn heartbeat_due(&mut self, out: &mut Out) {
        if let Lifecycle::ShuttingDown { until, .. } = self.lifecycle
            && out.now >= until
        {
            self.lifecycle = Lifecycle::Stopped;
            return;
        }
        self.heartbeat(out);
        self.remind(
            out.now.plus(self.common.server.heartbeat_interval),
            BrokerTimer::Heartbeat,
            out,
        );
    }

    pub(super) fn heartbeat_answered(
        &mut self,
        result: Result<HeartbeatState, KafkaError>,
        out: &mut Out,
    ) {
        let Ok(state) = result else { return };
        if let Lifecycle::ShuttingDown { answered, .. } = &mut self.lifecycle {
            if state.should_shut_down {
                self.lifecycle = Lifecycle::Stopped;
            } else if !*answered {
                *answered = true;
                self.remind(
                    out.now.plus(SHUTDOWN_HEARTBEAT),
                    BrokerTimer::Heartbeat,
                    out,
                );
            }
        }
    }

    /// Tells the broker to shut down in good order (R-CSD-1).
    pub fn shut_down(&mut self, out: &mut Out) {
        match self.lifecycle {
            Lifecycle::Registering | Lifecycle::CatchingUp => self.lifecycle = Lifecycle::Stopped,
            Lifecycle::Running => {
                let until = out.now.plus(self.common.server.controlled_shutdown_timeout);
                self.lifecycle = Lifecycle::ShuttingDown {
                    answered: false,
                    until,
                };
                let cause = out.emit(EventKind::ShutdownAsked { broker: self.id });
                out.cause = cause;
                self.heartbeat(out);
            }
            Lifecycle::ShuttingDown { .. } | Lifecycle::Stopped => {}
        }
    }

    /// Whether the broker was told to shut down and has not ended.
    pub fn is_shutting_down(&self) -> bool {
        matches!(self.lifecycle, Lifecycle::ShuttingDown { .. })
    }
}
