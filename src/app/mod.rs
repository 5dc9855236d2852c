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

#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod beliefs;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod branch;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod card;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod commits;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod compare;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod controls;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod dom;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod draw;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod export;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod frame;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod front;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod glossary;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod help;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod in_words;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod moment;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod narrator;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod notices;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod overview;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod page;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod question;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod ruler;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod scene;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod share;
#[cfg(any(target_arch = "wasm32", test, feature = "pages"))]
#[cfg_attr(test, allow(dead_code, reason = "tests look at parts of it"))]
mod show;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod state;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod timeline;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod top;

#[cfg(target_arch = "wasm32")]
pub use page::mount;

#[cfg(all(feature = "pages", not(target_arch = "wasm32")))]
pub mod pages;
