//! Groups and their offsets as the coordinator keeps them (sections F3 to F5 and G): a pure part
//! of a broker. Commits and groups are records of `__consumer_offsets`, from which a new leader of
//! the partition rebuilds them.

pub mod assign;
pub mod classic;
mod commit;
mod consumer_beat;
mod expiry;
mod job;
mod join;
pub mod message;
mod modern;
mod rebalance;
pub mod records;
mod shard;
mod store;

pub use job::{Asked, Env, Job, Work, Write};
pub use shard::{Shard, refusal};

use std::rc::Rc;

/// The topic that commits are records of.
pub const OFFSETS_TOPIC: &str = "__consumer_offsets";
/// The topic that the states of transactions are records of.
pub const TRANSACTION_TOPIC: &str = "__transaction_state";
/// offsets.topic.num.partitions and transaction.state.log.num.partitions, their default.
pub const PARTITIONS: u16 = 50;

/// Java's `String.hashCode`: 31-polynomial over UTF-16 units, in 32 bits.
pub fn java_hash(text: &str) -> i32 {
    text.encode_utf16().fold(0, |hash: i32, unit| {
        hash.wrapping_mul(31).wrapping_add(i32::from(unit))
    })
}

/// The partition of `__consumer_offsets` (or, for a transactional id, of `__transaction_state`)
/// whose leader is the coordinator (R-GRP-1): |hash| mod 50, the absolute value of `i32::MIN`
/// counting as 0.
pub fn partition_for(key: &str) -> u16 {
    let hash = java_hash(key);
    let abs = if hash == i32::MIN { 0 } else { hash.abs() };
    (abs % i32::from(PARTITIONS)) as u16
}

/// A name, shared.
pub type Name = Rc<str>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r_grp_1_the_partition_follows_from_javas_hash_of_the_name() {
        // "polygenelubricants" hashes to i32::MIN.
        assert_eq!(java_hash("polygenelubricants"), i32::MIN);
        assert_eq!(partition_for("polygenelubricants"), 0);
        assert_eq!(java_hash("reports"), 1_094_603_199);
        assert_eq!(partition_for("reports"), 49);
        // Cyrillic letters are one unit each.
        assert_eq!(java_hash("я"), 0x44f);
    }
}
