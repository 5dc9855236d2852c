//! Clients as pure nodes: producer, consumer.

pub mod settings;
