//! A run that can be walked: forwards by carrying out commands, back by the nearest checkpoint
//! and replay. Knows commands and events, and nothing of Kafka.

pub mod branch;
pub mod run;
pub mod tape;

pub use run::{Failure, Run, Trouble};
pub use tape::{Machine, Step, Tape};
