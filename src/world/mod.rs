//! The cluster as a whole: all nodes, messages in flight, virtual time, faults, the one list of
//! commands, and the checks that run after every command. Holds no protocol rule of its own.

pub mod command;
pub mod picture;
pub mod setup;
