//! Transactions on the engine, as a client and a broker's operator would notice them (section E2).

mod bench;
mod ends;
mod failover;
mod offsets;
mod older;
