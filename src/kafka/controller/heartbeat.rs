//! Heartbeats: sessions, unfencing, controlled shutdown (R-FEN-1, R-FEN-5, R-CSD-1).

use super::Controller;
use super::election::BrokerMove;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Cause, EventKind};
use crate::kafka::ids::{BrokerEpoch, BrokerId, MetaOffset, Ms};
use crate::kafka::message::HeartbeatState;
use crate::kafka::metadata::{BrokerReg, ChangeReason, MetaRecord};
use crate::kafka::out::Out;

/// What the controller remembers of a broker without writing it into its log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Liveness {
    /// The last heartbeat of the present registration, ms; `None` once its session was ended.
    pub(super) contact: Option<Ms>,
    /// How far the broker has applied the metadata log, by its last heartbeat.
    pub(super) metadata_offset: MetaOffset,
    /// The offset that all active brokers have to reach before it may stop.
    pub(super) shutdown_offset: Option<MetaOffset>,
}

/// Whether a session has run out: strictly later than the timeout (R-FEN-1).
pub fn session_expired(last_contact: Ms, timeout: Ms, now: Ms) -> bool {
    now > last_contact && last_contact.plus(timeout) < now
}

/// A broker in the controller's eyes (BrokerControlState).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokerState {
    /// Registered, not trusted with anything.
    Fenced,
    /// Serving.
    Unfenced,
    /// Its leaderships are moved, the others are being told.
    ControlledShutdown,
    /// May end its process.
    ShutdownNow,
}

/// What a heartbeat says, and what else decides about the next state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// It does not want to be unfenced.
    pub want_fence: bool,
    /// It wants to stop.
    pub want_shut_down: bool,
    /// How far it has applied the metadata log.
    pub metadata_offset: MetaOffset,
    /// The offset of its registration record.
    pub registration: MetaOffset,
    /// It leads at least one partition.
    pub has_leaderships: bool,
    /// The offset its shutdown waits for, if it is in one.
    pub shutdown_offset: Option<MetaOffset>,
    /// The least metadata offset among active brokers; `None`: there is no active broker.
    pub lowest_active: Option<MetaOffset>,
}

/// The state after a heartbeat (BrokerHeartbeatManager.calculateNextBrokerState).
pub fn next_state(current: BrokerState, ask: &Ask) -> BrokerState {
    match current {
        BrokerState::Fenced if ask.want_shut_down => BrokerState::ShutdownNow,
        BrokerState::Fenced if !ask.want_fence && ask.metadata_offset >= ask.registration => {
            BrokerState::Unfenced
        }
        BrokerState::Fenced => BrokerState::Fenced,
        BrokerState::Unfenced => match (ask.want_fence, ask.want_shut_down) {
            (true, true) => BrokerState::ShutdownNow,
            (true, false) => BrokerState::Fenced,
            (false, true) if ask.has_leaderships => BrokerState::ControlledShutdown,
            (false, true) => BrokerState::ShutdownNow,
            (false, false) => BrokerState::Unfenced,
        },
        BrokerState::ControlledShutdown => {
            let told = ask
                .lowest_active
                .is_none_or(|lowest| ask.shutdown_offset.is_none_or(|wait| wait <= lowest));
            if !ask.has_leaderships && told {
                BrokerState::ShutdownNow
            } else {
                BrokerState::ControlledShutdown
            }
        }
        BrokerState::ShutdownNow => BrokerState::ShutdownNow,
    }
}

fn state_of(reg: &BrokerReg) -> BrokerState {
    match (reg.fenced, reg.in_controlled_shutdown) {
        (true, _) => BrokerState::Fenced,
        (false, true) => BrokerState::ControlledShutdown,
        (false, false) => BrokerState::Unfenced,
    }
}

impl Controller {
    /// When a broker was last heard in its present registration, ms; `None` if it is unknown or
    /// its session has ended.
    pub fn last_contact(&self, broker: BrokerId) -> Option<Ms> {
        self.liveness.get(&broker)?.contact
    }

    /// Notes that a broker was heard. Worlds without a clock know no sessions.
    pub(super) fn touch(&mut self, broker: BrokerId, out: &Out) {
        if !self.by_hand
            && let Some(live) = self.liveness.get_mut(&broker)
        {
            live.contact = Some(out.now);
        }
    }

    pub(super) fn heartbeat(
        &mut self,
        broker: BrokerId,
        epoch: BrokerEpoch,
        metadata_offset: MetaOffset,
        want_fence: bool,
        want_shut_down: bool,
        out: &mut Out,
    ) -> (Result<HeartbeatState, KafkaError>, Cause) {
        let Some(reg) = self.image().brokers.get(&broker) else {
            return (Err(KafkaError::BrokerIdNotRegistered), out.cause);
        };
        if reg.epoch != epoch {
            return (Err(KafkaError::StaleBrokerEpoch), out.cause);
        }
        let current = state_of(reg);
        let registration = MetaOffset(epoch.0);
        self.touch(broker, out);
        let ask = Ask {
            want_fence,
            want_shut_down,
            metadata_offset,
            registration,
            has_leaderships: want_shut_down && self.leads_something(broker),
            shutdown_offset: self.liveness.get(&broker).and_then(|l| l.shutdown_offset),
            lowest_active: self.lowest_active_offset(),
        };
        let next = next_state(current, &ask);
        let mut cause = out.cause;
        if next != current {
            cause = self.enter(broker, current, next, out);
        }
        let end = self.image().offset;
        if let Some(live) = self.liveness.get_mut(&broker) {
            live.metadata_offset = metadata_offset;
            if next == BrokerState::ControlledShutdown {
                live.shutdown_offset.get_or_insert(end);
            }
        }
        let state = HeartbeatState {
            fenced: matches!(next, BrokerState::Fenced | BrokerState::ShutdownNow),
            caught_up: metadata_offset >= registration,
            should_shut_down: next == BrokerState::ShutdownNow,
        };
        (Ok(state), cause)
    }

    /// Writes what a change of a broker's state needs; the event that tells of it.
    fn enter(
        &mut self,
        broker: BrokerId,
        current: BrokerState,
        next: BrokerState,
        out: &mut Out,
    ) -> Cause {
        let outer = out.cause;
        match next {
            BrokerState::Unfenced => self.write_unfenced(broker, out),
            BrokerState::Fenced => {
                self.fence_for_silence(broker, Ms(0), out);
                outer
            }
            BrokerState::ControlledShutdown => {
                let cause = out.emit(EventKind::ShutdownGranted { broker });
                out.cause = cause;
                self.write_controlled_shutdown(broker, out);
                out.cause = outer;
                cause
            }
            BrokerState::ShutdownNow => {
                // A fenced broker leads nothing and is in no ISR: there is nothing to write.
                if current == BrokerState::Fenced {
                    return out.emit(EventKind::ShutdownGranted { broker });
                }
                // With nothing to lead it may go at once; otherwise leave was given before.
                let cause = if current == BrokerState::Unfenced {
                    out.emit(EventKind::ShutdownGranted { broker })
                } else {
                    outer
                };
                out.cause = cause;
                self.write_fenced(broker, ChangeReason::ControlledShutdown(broker), out);
                out.cause = outer;
                cause
            }
        }
    }

    /// R-CSD-2: one record a partition moves the leader and takes the broker out of the ISR.
    fn write_controlled_shutdown(&mut self, broker: BrokerId, out: &mut Out) {
        self.log.append(
            MetaRecord::BrokerChange {
                id: broker,
                fenced: None,
                in_controlled_shutdown: Some(true),
            },
            out.cause,
        );
        let changes = self.plan_move(BrokerMove {
            remove: Some(broker),
            ..BrokerMove::default()
        });
        self.write_changes(changes, ChangeReason::ControlledShutdown(broker), out);
    }

    fn leads_something(&self, broker: BrokerId) -> bool {
        let mut partitions = self.image().partitions.values();
        partitions.any(|p| p.leader == Some(broker))
    }

    /// A frozen broker that is not fenced yet counts: it holds a shutdown up (R-CSD-1, run r22).
    fn lowest_active_offset(&self) -> Option<MetaOffset> {
        let brokers = self.image().brokers.iter();
        brokers
            .filter(|(_, reg)| reg.active())
            .filter_map(|(id, _)| self.liveness.get(id))
            .map(|live| live.metadata_offset)
            .min()
    }
}
