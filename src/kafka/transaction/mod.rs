//! Transactions as their coordinator keeps them (section E2): a pure part of the broker that
//! leads the transactional id's partition of `__transaction_state`.

pub mod message;
mod record;
mod state;
#[cfg(test)]
mod tests;

pub use record::{Metadata, TopicNames};
pub use state::{Ended, Entry, Initialised};

/// transaction.version of a new cluster: the epoch rises with every transaction (R-TXN-1).
pub const EPOCH_RISES: u8 = 2;
