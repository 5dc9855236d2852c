//! The state of a transactional id as a record of `__transaction_state`: key the id, value a line
//! that a person can read and a new leader reads back.

use super::message::{ProducerRef, TransactionState, TransactionView};
use crate::kafka::ids::{Ms, Tp};
use crate::kafka::map::Set;
use std::fmt::Write;
use std::rc::Rc;

/// What is written of a transactional id.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Metadata {
    /// The producer; epoch -1 while none was given.
    pub producer: ProducerRef,
    /// The epoch before the last rise, by which a repeated request is known.
    pub last_epoch: Option<i16>,
    /// transaction.timeout.ms
    pub timeout: Ms,
    /// The state.
    pub state: TransactionState,
    /// The partitions of the transaction.
    pub partitions: Set<Tp>,
    /// When the transaction began at the coordinator, ms.
    pub started: Option<Ms>,
    /// transaction.version of its last change.
    pub version: u8,
}

/// How topics are called, both ways.
pub trait TopicNames {
    /// A partition's name, `orders-0`.
    fn name(&self, tp: Tp) -> Option<String>;
    /// The partition of this name.
    fn tp(&self, name: &str) -> Option<Tp>;
}

const STATES: [TransactionState; 7] = [
    TransactionState::Empty,
    TransactionState::Ongoing,
    TransactionState::PrepareCommit,
    TransactionState::PrepareAbort,
    TransactionState::CompleteCommit,
    TransactionState::CompleteAbort,
    TransactionState::Dead,
];

impl Metadata {
    /// As it is written, e.g.
    /// `Ongoing producerId=1000 epoch=0 timeout=60000 version=2 start=120 partitions=orders-0`.
    pub fn text(&self, names: &dyn TopicNames) -> String {
        let mut text = format!(
            "{} producerId={} epoch={} timeout={} version={}",
            self.state.name(),
            self.producer.id,
            self.producer.epoch,
            self.timeout.0,
            self.version,
        );
        // Writing to a String cannot fail.
        if let Some(epoch) = self.last_epoch {
            let _ = write!(text, " lastEpoch={epoch}");
        }
        if let Some(start) = self.started {
            let _ = write!(text, " start={}", start.0);
        }
        if !self.partitions.is_empty() {
            let names: Vec<String> = self
                .partitions
                .iter()
                .filter_map(|p| names.name(*p))
                .collect();
            let _ = write!(text, " partitions={}", names.join(","));
        }
        text
    }

    /// Reads it back; partitions of topics that are gone are left out. `None`: not such a text.
    pub fn parse(text: &str, names: &dyn TopicNames) -> Option<Metadata> {
        let mut words = text.split(' ');
        let state = words.next()?;
        let mut read = Metadata {
            producer: ProducerRef { id: -1, epoch: -1 },
            last_epoch: None,
            timeout: Ms(0),
            state: STATES.into_iter().find(|s| s.name() == state)?,
            partitions: Set::new(),
            started: None,
            version: 0,
        };
        for word in words {
            let (name, value) = word.split_once('=')?;
            match name {
                "producerId" => read.producer.id = value.parse().ok()?,
                "epoch" => read.producer.epoch = value.parse().ok()?,
                "timeout" => read.timeout = Ms(value.parse().ok()?),
                "version" => read.version = value.parse().ok()?,
                "lastEpoch" => read.last_epoch = Some(value.parse().ok()?),
                "start" => read.started = Some(Ms(value.parse().ok()?)),
                "partitions" => {
                    read.partitions = value.split(',').filter_map(|n| names.tp(n)).collect();
                }
                _ => return None,
            }
        }
        Some(read)
    }

    /// As DescribeTransactions tells it.
    pub fn view(&self, transactional_id: Rc<str>) -> TransactionView {
        TransactionView {
            transactional_id,
            state: self.state,
            producer: self.producer,
            partitions: self.partitions.iter().copied().collect(),
        }
    }
}
