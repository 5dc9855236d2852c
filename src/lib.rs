//! Highwater: how Apache Kafka replicates, fails over and keeps offsets, to be stepped through.
//!
//! Each module may import only from those before it in this list (and `text` from `view` and
//! `app`): `kafka` → `world` → `script` → `history` → `view` → `app`. See docs/architecture.md.

#[cfg_attr(
    all(feature = "pages", not(target_arch = "wasm32")),
    allow(
        dead_code,
        clippy::large_enum_variant,
        reason = "drawn natively, where nobody presses anything and memory is not counted"
    )
)]
pub mod app;
pub mod history;
pub mod kafka;
pub mod script;
pub mod text;
pub mod view;
pub mod world;
