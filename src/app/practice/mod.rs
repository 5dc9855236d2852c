//! The SQL practice: a snapshot as rulers and tables, tasks, an editor, and a verdict. The
//! database is a module of its own in a worker ([`engine`]); this page only asks it.

pub mod desk;

#[cfg(target_arch = "wasm32")]
mod answer;
#[cfg(target_arch = "wasm32")]
mod editor;
#[cfg(target_arch = "wasm32")]
mod engine;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(target_arch = "wasm32")]
mod snapshot;

#[cfg(target_arch = "wasm32")]
pub(super) use page::{PracticeView, card};
