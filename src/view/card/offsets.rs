//! The sentences of events about consumers, groups, transactions and a log's life.

use crate::kafka::event::Event;
use crate::view::Step;

/// An event on its own: none, one or two sentences with their weights.
pub fn one(_step: &Step, _event: &Event) -> Vec<(i32, String)> {
    Vec::new()
}
