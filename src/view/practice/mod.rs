//! The SQL practice as a page shows it: the tables with their figures, the tasks, the rulers, and
//! what the module with the database answers. What a right query is, and the database itself,
//! are not here: they are a module of their own (`practice/`), loaded when the practice is opened.

pub mod reply;
pub mod ruler;
pub mod tables;
pub mod tasks;

/// The practice in the address: `?scenario=replay-sql`.
pub const SCENE: &str = "replay-sql";
