//! What the application beside a consumer keeps: its effects and, if it wants, its own
//! checkpoint. Neither is Kafka's; both outlive the consumer's process.

use crate::kafka::ids::*;
use crate::kafka::map::Map;
use std::rc::Rc;

/// The lasting state of an application.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Store {
    /// What its processing has brought about, in order of the first time.
    pub effects: Vec<Effect>,
    /// Its own checkpoint: the next position (boundary) by partition.
    pub outside: Map<Tp, Boundary>,
}

/// An effect of processing a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Effect {
    /// The record's partition.
    pub tp: Tp,
    /// The record's number.
    pub offset: Offset,
    /// What the effect is known by: the record's value.
    pub key: Rc<str>,
    /// How often it took place.
    pub times: u32,
}
