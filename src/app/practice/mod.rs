//! The SQL practice: a snapshot as rulers and tables, tasks, an editor, and a verdict. The
//! database is a module of its own in a worker ([`engine`]); this page only asks it.

pub mod desk;

#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod answer;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod editor;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod engine;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod page;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod snapshot;

#[cfg(any(target_arch = "wasm32", feature = "pages"))]
pub(super) use page::{PracticeView, card};
