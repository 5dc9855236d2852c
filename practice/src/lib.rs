//! The SQL practice behind its page: a real SQLite, what a right query returns, and how a wrong
//! one differs. Compiled for the browser it is a module of its own, loaded in a worker when a
//! reader opens the practice; natively the same code is tested.

pub mod compare;
pub mod database;
pub mod judge;
pub mod mistakes;
pub mod solutions;
pub mod trouble;
