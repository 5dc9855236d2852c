//! The card beside the stage: the author's heading and "so what", and between them what happened
//! and why, from the events.

use super::{Step, Target};
use crate::kafka::event::EventId;
use crate::kafka::ids::Tp;

/// What the author of a beat wrote, in the language shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Author<'a> {
    /// The heading; empty: one is made from the events.
    pub heading: &'a str,
    /// The "so what"; may be empty.
    pub so: &'a str,
}

/// The card.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// The step's statement.
    pub heading: String,
    /// What happened: one to three sentences, past tense. Code terms in backquotes.
    pub what: Vec<String>,
    /// Why: a rule, with its formula.
    pub why: Vec<Why>,
    /// So what; may be empty.
    pub so: String,
    /// Earlier steps that made this one possible.
    pub causes: Vec<CauseChip>,
}

/// A rule at work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// The rule in one sentence, present tense. Code terms in backquotes.
    pub text: String,
    /// Ids of the rule sheet, e.g. `R-HW-10`.
    pub rules: Vec<&'static str>,
    /// The rule with live values.
    pub formula: Option<Formula>,
    /// The whole rule, where the sentence is a simplification (behind a fold, marked
    /// «упрощённо»).
    pub full: Option<String>,
}

/// A formula: lines of tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula {
    /// Its lines.
    pub lines: Vec<Vec<Token>>,
    /// Words under it, e.g. which term stands outside the ISR.
    pub notes: Vec<String>,
}

/// A piece of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its text, spaces included.
    pub text: String,
    /// What it is.
    pub kind: TokenKind,
    /// What it points to on the stage.
    pub target: Option<Target>,
}

/// Kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenKind {
    /// Signs and words.
    Plain,
    /// A term.
    Term,
    /// The term that decides: bold.
    Limiting,
    /// The result, a server's boundary: blue, bold.
    Server,
    /// A client's value: orange.
    Client,
    /// A broken promise.
    Alert,
}

impl TokenKind {
    /// Its class.
    pub fn class(self) -> &'static str {
        match self {
            TokenKind::Plain => "f-plain",
            TokenKind::Term => "f-term",
            TokenKind::Limiting => "f-limit",
            TokenKind::Server => "f-server",
            TokenKind::Client => "f-client",
            TokenKind::Alert => "f-alert",
        }
    }
}

/// A link to an earlier step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CauseChip {
    /// The step's number (as shown).
    pub step: u32,
    /// «шаг 5».
    pub label: String,
}

/// The card of a step about a partition (`None`: about the whole cluster). `number` is this
/// step's number, `step_of` tells in which step an event happened.
pub fn card(
    step: &Step,
    tp: Option<Tp>,
    author: Author,
    number: u32,
    step_of: &dyn Fn(EventId) -> Option<u32>,
) -> Card {
    let _ = (step, tp, number, step_of);
    Card {
        heading: author.heading.into(),
        so: author.so.into(),
        ..Card::default()
    }
}
