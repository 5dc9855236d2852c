//! The rows R1 to R12 of the requirements, each with its figures, on the engine.

mod cluster;
mod failover;
mod overview;
mod price;
mod write;
