//! One send of a producer: its batch, how often it was tried, what became of it.

use crate::kafka::batch::{NewRecord, Stamp};
use crate::kafka::error::KafkaError;
use crate::kafka::event::Cause;
use crate::kafka::ids::*;
use crate::kafka::message::Acks;
use std::rc::Rc;

/// A batch of a producer, from `send` to its end. It stays in the producer's list afterwards.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Send {
    /// What the caller knows it by.
    pub tag: u32,
    pub tp: Tp,
    pub records: Rc<[NewRecord]>,
    /// acks at the time of `send`.
    pub acks: Acks,
    /// When it was handed over; delivery.timeout.ms counts from here, ms.
    pub at: Ms,
    /// How often it was sent.
    pub attempts: u32,
    /// Given at the first try and kept over retries (R-IDM-6).
    pub stamp: Option<Stamp>,
    /// Its sequence was set anew since it was last sent.
    pub restamped: bool,
    /// The leader epoch known when it was last sent.
    pub tried_in: Option<Epoch>,
    pub state: State,
    /// The event it goes back to: its last try, or the command.
    pub cause: Cause,
}

/// How a send stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum State {
    /// Not before `ready`; `error`: what the last try failed with.
    Queued {
        ready: Ms,
        error: Option<KafkaError>,
    },
    /// With a broker.
    InFlight {
        broker: BrokerId,
        correlation: Correlation,
        /// request.timeout.ms is over.
        deadline: Ms,
        /// What the try before failed with.
        error: Option<KafkaError>,
    },
    Confirmed(Option<Offset>, Ms),
    Failed(KafkaError, Ms),
}

impl Send {
    pub fn values(&self) -> Vec<Option<Rc<str>>> {
        self.records.iter().map(|r| r.value.clone()).collect()
    }

    /// The number of records, as sequences count them.
    pub fn count(&self) -> i32 {
        self.records.len() as i32
    }

    pub fn base_sequence(&self) -> Option<i32> {
        self.stamp.map(|s| s.base_sequence)
    }

    /// The sequence of its last record; they wrap after `i32::MAX` (R-IDM-2).
    pub fn last_sequence(&self) -> Option<i32> {
        self.base_sequence()
            .map(|s| s.wrapping_add(self.count() - 1) & i32::MAX)
    }

    /// Whether it was sent before and put back (ProducerBatch.inRetry).
    pub fn in_retry(&self) -> bool {
        match self.state {
            State::Queued { error, .. } | State::InFlight { error, .. } => error.is_some(),
            _ => false,
        }
    }

    pub fn view(&self) -> SendView {
        SendView {
            tp: self.tp,
            values: self.values(),
            acks: self.acks,
            at: self.at,
            attempts: self.attempts,
            state: match self.state {
                State::Queued { error, .. } => SendViewState::Queued(error),
                State::InFlight { broker, .. } => SendViewState::InFlight(broker),
                State::Confirmed(offset, at) => SendViewState::Confirmed(offset, at),
                State::Failed(error, at) => SendViewState::Failed(error, at),
            },
        }
    }
}

/// One send, to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SendView {
    /// To which partition.
    pub tp: Tp,
    /// The values.
    pub values: Vec<Option<Rc<str>>>,
    /// acks
    pub acks: Acks,
    /// When it was handed over, ms.
    pub at: Ms,
    /// How often it was sent.
    pub attempts: u32,
    /// How it stands.
    pub state: SendViewState,
}

/// How a send stands, as the producer sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendViewState {
    /// Not sent yet (linger, no leader known, or waiting to try again after this error).
    Queued(Option<KafkaError>),
    /// Sent to this broker; no answer yet.
    InFlight(BrokerId),
    /// Confirmed at this number of its first record (`None` under acks=0), at this time, ms.
    Confirmed(Option<Offset>, Ms),
    /// Failed for good, at this time, ms.
    Failed(KafkaError, Ms),
}
