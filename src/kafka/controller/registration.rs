//! Registration of a (re)started broker (R-FEN-5, R-FEN-8, R-FEN-9).

use super::Controller;
use super::election::BrokerMove;
use super::heartbeat::{Liveness, session_expired};
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Cause, EventKind};
use crate::kafka::ids::{BrokerEpoch, BrokerId, MetaOffset};
use crate::kafka::metadata::{BrokerReg, ChangeReason, MetaRecord};
use crate::kafka::out::Out;
use std::rc::Rc;

impl Controller {
    /// The broker epoch given, or the refusal; and the event that tells of it.
    pub(super) fn register(
        &mut self,
        broker: BrokerId,
        incarnation: u32,
        previous_epoch: Option<BrokerEpoch>,
        rack: Option<Rc<str>>,
        out: &mut Out,
    ) -> (Result<BrokerEpoch, KafkaError>, Cause) {
        let known = self.image().brokers.get(&broker).cloned();
        if let Some(known) = &known {
            if known.incarnation == incarnation {
                // The same process asks again: its answer was lost.
                self.touch(broker, out);
                return (Ok(known.epoch), out.cause);
            }
            // Only time ends a session: neither a clean stop nor being fenced does (run r22).
            let alive = !self.by_hand
                && self
                    .last_contact(broker)
                    .is_some_and(|at| !session_expired(at, self.session_timeout, out.now));
            if alive {
                let error = KafkaError::DuplicateBrokerRegistration;
                let cause = out.emit(EventKind::RegistrationRefused { broker, error });
                return (Err(error), cause);
            }
        }
        let unclean = known
            .as_ref()
            .is_some_and(|k| previous_epoch != Some(k.epoch));
        let (what, why) = if unclean {
            (
                BrokerMove {
                    unclean: Some(broker),
                    ..BrokerMove::default()
                },
                ChangeReason::UncleanRegistration(broker),
            )
        } else {
            (
                BrokerMove {
                    remove: Some(broker),
                    ..BrokerMove::default()
                },
                ChangeReason::Fenced(broker),
            )
        };
        let changes = if known.is_some() {
            self.plan_move(what)
        } else {
            Vec::new()
        };
        // The epoch is the offset of the registration record, which the changes come before.
        let epoch = BrokerEpoch(self.log.next_offset().0 + changes.len() as i64);
        let outer = out.cause;
        let cause = out.emit(EventKind::Registered {
            broker,
            epoch,
            unclean,
        });
        out.cause = cause;
        self.write_changes(changes, why, out);
        let reg = BrokerReg {
            epoch,
            incarnation,
            fenced: true,
            in_controlled_shutdown: false,
            rack,
        };
        self.log
            .append(MetaRecord::RegisterBroker { id: broker, reg }, cause);
        self.liveness.insert(
            broker,
            Liveness {
                contact: None,
                metadata_offset: MetaOffset(-1),
                shutdown_offset: None,
            },
        );
        self.touch(broker, out);
        out.cause = outer;
        (Ok(epoch), cause)
    }
}
