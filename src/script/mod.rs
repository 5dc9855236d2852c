//! The scenario language: a story in a text file, read, printed and checked. Holds no behaviour:
//! what a command does is the world's affair. The language is described in docs/scenarios.md.

pub mod ast;
pub mod check;
mod check_offsets;
pub mod error;
mod foreign;
pub mod iso;
pub mod known;
mod lex;
pub mod library;
pub mod nearest;
mod parse;
mod print;
pub mod question;
mod settings;
pub mod tool_args;

pub use parse::{parse, parse_bytes};
pub use print::{condition_text, event_line, fact_text, print, print_command};
