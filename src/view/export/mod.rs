//! A scene to take away: as text for a wiki, as a trace for a program, as a sequence diagram.
//! Pure text; the page puts it into a file or on the clipboard.

mod json;
mod markdown;
mod mermaid;
mod trace;

pub use markdown::markdown;
pub use mermaid::mermaid;
pub use trace::trace;

use super::card::Card;
use crate::kafka::event::Event;
use crate::text::Lang;
use crate::world::picture::Picture;

/// A scene, or the part of it that is taken away.
#[derive(Clone, Debug)]
pub struct Story<'a> {
    /// The language of all words.
    pub lang: Lang,
    /// The scene's id.
    pub id: &'a str,
    /// Its title.
    pub title: &'a str,
    /// The question it answers.
    pub question: &'a str,
    /// The address of the scene, without step: `https://…/?scenario=lags`.
    pub address: &'a str,
    /// What leads to a branch of the reader's own, as the address has it after `#`; empty: the
    /// scene as its author told it.
    pub branch: &'a str,
    /// The steps, in order.
    pub steps: Vec<Told<'a>>,
}

/// A step that is taken away.
#[derive(Clone, Debug)]
pub struct Told<'a> {
    /// Its number.
    pub number: u32,
    /// Its name in addresses.
    pub mark: Option<&'a str>,
    /// Its words.
    pub card: &'a Card,
    /// What there is to see.
    pub picture: &'a Picture,
    /// What happened on the way to it.
    pub events: &'a [Event],
}

impl Story<'_> {
    /// The address of a step.
    pub(super) fn at(&self, step: u32) -> String {
        let page = format!("{}&step={step}&lang={}", self.address, self.lang.code());
        match self.branch {
            "" => page,
            branch => format!("{page}#{branch}"),
        }
    }
}
