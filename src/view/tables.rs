//! The same as the stage in words and tables, for those who read or hear instead of looking; and
//! what is said aloud at a step.

use super::Step;
use super::card::Card;
use crate::kafka::ids::Tp;

/// A table; the first cell of a row is its heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// Headings of the columns.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// A step in words (ux.md 3.7).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Described {
    /// Brokers × role, epoch, ISR, records, HW, LEO.
    pub state: Table,
    /// Each boundary with what lies on both sides.
    pub boundaries: Table,
    /// What clients have sent and got.
    pub clients: Vec<String>,
    /// What differs from the step before.
    pub changed: Vec<String>,
}

/// A step in words.
pub fn described(step: &Step, tp: Tp) -> Described {
    let _ = (step, tp);
    Described::default()
}

/// Which way the reader came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// From the step before.
    Next,
    /// From the step after.
    Back,
    /// From anywhere.
    Jump,
}

/// What is said aloud: at most 25 words.
pub fn narration(step: &Step, card: &Card, number: u32, of: u32, way: Way) -> String {
    let _ = (step, number, of, way);
    card.heading.clone()
}

/// The `aria-valuetext` of the timeline: «шаг 9 из 18, лидер сменился».
pub fn value_text(step: &Step, heading: &str, number: u32, of: u32) -> String {
    let _ = (step, number, of);
    heading.into()
}
