//! The rows R1 to R12 and O1 to O14 of the requirements, each with its figures, on the engine.

mod cluster;
mod failover;
mod log_life;
mod members;
mod offsets;
mod overview;
mod price;
mod transactions;
mod write;
