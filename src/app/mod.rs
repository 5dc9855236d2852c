//! The page: draws what `view` gives, one to one, and turns presses into steps. State is an index
//! into a recorded run; back and scrubbing look things up and never undo anything.
//!
//! Only what reads the address, the keys and the marks is compiled natively, where it is tested; the rest
//! knows of a browser and exists for wasm alone.

pub mod address;
pub mod checked;
pub mod embed;
pub mod keys;
pub mod practice;
pub mod snippet;

#[cfg(target_arch = "wasm32")]
mod beliefs;
#[cfg(target_arch = "wasm32")]
mod branch;
#[cfg(target_arch = "wasm32")]
mod card;
#[cfg(target_arch = "wasm32")]
mod compare;
#[cfg(target_arch = "wasm32")]
mod controls;
#[cfg(target_arch = "wasm32")]
mod dom;
#[cfg(target_arch = "wasm32")]
mod draw;
#[cfg(target_arch = "wasm32")]
mod export;
#[cfg(target_arch = "wasm32")]
mod frame;
#[cfg(target_arch = "wasm32")]
mod front;
#[cfg(target_arch = "wasm32")]
mod glossary;
#[cfg(target_arch = "wasm32")]
mod help;
#[cfg(target_arch = "wasm32")]
mod in_words;
#[cfg(target_arch = "wasm32")]
mod narrator;
#[cfg(target_arch = "wasm32")]
mod notices;
#[cfg(target_arch = "wasm32")]
mod overview;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(target_arch = "wasm32")]
mod question;
#[cfg(target_arch = "wasm32")]
mod ruler;
#[cfg(target_arch = "wasm32")]
mod scene;
#[cfg(target_arch = "wasm32")]
mod share;
#[cfg(any(target_arch = "wasm32", test))]
#[cfg_attr(test, allow(dead_code, reason = "tests look at parts of it"))]
mod show;
#[cfg(target_arch = "wasm32")]
mod state;
#[cfg(target_arch = "wasm32")]
mod timeline;
#[cfg(target_arch = "wasm32")]
mod top;

#[cfg(target_arch = "wasm32")]
pub use page::mount;
