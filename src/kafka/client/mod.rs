//! Clients as pure nodes: producer, consumer. A client is idle unless it has something to send or
//! a poll under way: then no reminder of it is pending that would set another.

mod cluster;
pub mod consumer;
mod finder;
pub mod producer;
pub mod reset;
pub mod settings;
#[cfg(test)]
mod testing;

use super::ids::Ms;

/// Kafka's exponential backoff without its jitter: `base` doubled `times` times, at most `max`.
fn backoff(base: Ms, max: Ms, times: u32) -> Ms {
    let factor = 1_i64 << times.min(30);
    Ms(base.0.saturating_mul(factor).min(max.0.max(base.0)))
}

/// The earlier of a time already found and another.
fn sooner(found: &mut Option<Ms>, at: Ms) {
    *found = Some(found.map_or(at, |f| f.min(at)));
}
