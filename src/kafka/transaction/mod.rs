//! Transactions as their coordinator keeps them (section E2): a pure part of the broker that
//! leads the transactional id's partition of `__transaction_state`.

pub mod message;
