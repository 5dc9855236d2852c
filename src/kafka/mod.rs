//! The protocol as pure nodes. A node takes an input (a request, an answer, a metadata record, a
//! reminder at time t) and puts into [`out::Out`] what follows: messages, reminders, events. No
//! clock, no chance, no words, no drawing; whoever calls a node decides when and in which order.

pub mod batch;
pub mod broker;
pub mod client;
pub mod config;
pub mod controller;
pub mod error;
pub mod event;
pub mod event_fields;
pub mod group;
pub mod ids;
pub mod log;
pub mod log_config;
pub mod map;
pub mod message;
pub mod metadata;
pub mod out;
pub mod partition;
pub mod sort;
pub mod switches;
pub mod transaction;
