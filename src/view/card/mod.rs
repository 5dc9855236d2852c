//! The card beside the stage: the author's heading and "so what", and between them what happened
//! and why, from the events.

mod causes;
mod focus;
mod formula;
mod offsets;
mod offsets_log;
mod offsets_read;
mod offsets_why;
mod sentence;
pub(super) mod tell;
mod waiting;
mod why;

use super::{Step, Target};
use crate::kafka::event::EventId;
use crate::kafka::ids::Tp;
use crate::kafka::sort;
use crate::script::ast::Focus;
use crate::text::{events, ui};

/// What the author of a beat wrote, in the language shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Author<'a> {
    /// The heading; empty: one is made from the events.
    pub heading: &'a str,
    /// The "so what"; may be empty.
    pub so: &'a str,
    /// What the beat is about: events about it are told before others.
    pub focus: &'a [Focus],
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
    let mut told = tell::told(step, tp);
    let mut hit = false;
    for t in &mut told {
        let in_focus = |f| focus::hits(step.now, f, &t.event.kind);
        if author.focus.iter().any(in_focus) {
            t.weight += focus::WEIGHT;
            hit = true;
        }
    }
    let told = tell::best(told, 3);
    let mut by_weight: Vec<&tell::Told> = told.iter().collect();
    sort::by_key(&mut by_weight, |t| -t.weight);
    let mut why: Vec<Why> = Vec::new();
    // Of a client that was looked at and heard nothing there is to tell what it waits for.
    let waits = tp.filter(|_| !hit).and_then(|tp| {
        author.focus.iter().find_map(|f| match f {
            Focus::Client(name) => {
                let client = focus::client(step.now, name)?;
                let (hw, until, why) = why::still_waits(step, tp, client)?;
                Some((events::produce_unanswered(step.lang, name, hw, until), why))
            }
            _ => None,
        })
    });
    let (unanswered, rule) = waits.unzip();
    why.extend(rule);
    for t in by_weight {
        // One rule; a second only where the first has no formula and an equal matter has one.
        let wanted =
            why.is_empty() || (why.len() == 1 && why[0].formula.is_none() && t.weight >= 70);
        if let Some(next) = why::why(step, tp, t.event).filter(|_| wanted)
            && (why.is_empty() || (next.formula.is_some() && next.text != why[0].text))
        {
            why.push(next);
        }
    }
    let causes = causes::steps(step, &told, number, step_of)
        .into_iter()
        .map(|step_number| CauseChip {
            step: step_number,
            label: ui::cause_chip(step.lang, step_number),
        })
        .collect();
    // The rule and the causes look at three events; two sentences are what a reader takes in.
    let room = 2 - usize::from(unanswered.is_some());
    let mut what: Vec<String> = unanswered
        .into_iter()
        .chain(tell::best(told, room).into_iter().map(|t| t.text))
        .collect();
    if what.is_empty() && step.before.is_some() {
        let name = author.focus.iter().find_map(|f| match f {
            Focus::Client(name) => Some(&**name),
            _ => None,
        });
        // Readers, or a single replica: a scene about offsets.
        let offsets = |tp: &Tp| {
            super::ruler::input(step.now, *tp).is_some_and(|i| !i.readers.is_empty())
                || crate::view::stage::row::reg(step.now, *tp)
                    .is_some_and(|reg| reg.replicas.len() == 1)
        };
        if let Some((told, rule)) = tp
            .filter(offsets)
            .and_then(|tp| offsets_why::stands(step, tp, name))
        {
            what.push(told);
            why.extend(rule);
        }
    }
    if what.is_empty() {
        let reg = tp.and_then(|tp| crate::view::stage::row::reg(step.now, tp));
        match (step.before, reg.and_then(|r| Some((r.leader?, r)))) {
            (Some(_), _) => {
                let quiet = || events::quiet(step.lang);
                what.push(waiting::told(step, tp).unwrap_or_else(quiet));
            }
            (None, Some((leader, r))) => {
                what.push(events::begins(step.lang, leader, r.leader_epoch, r.isr));
            }
            (None, None) => {}
        }
    }
    let heading = match (author.heading, what.first()) {
        ("", Some(first)) => first.trim_end_matches('.').into(),
        (heading, _) => heading.into(),
    };
    Card {
        heading,
        what,
        why,
        so: author.so.into(),
        causes,
    }
}

/// The card of a step of several lanes: what it came to in each of them, or once if it is the
/// same in all, and the rules that were at work.
pub fn of_lanes(cards: Vec<(&str, Card)>) -> Card {
    let said: Vec<(&str, &String)> = cards
        .iter()
        .filter_map(|(name, card)| Some((*name, card.what.last()?)))
        .collect();
    let what = match said.split_first() {
        Some(((_, first), rest)) if rest.iter().all(|(_, s)| s == first) => vec![(*first).clone()],
        _ => said.iter().map(|(n, s)| format!("`{n}`: {s}")).collect(),
    };
    let mut why: Vec<Why> = Vec::new();
    for rule in cards.iter().flat_map(|(_, card)| &card.why) {
        if why.len() < 2 && why.iter().all(|known| known.text != rule.text) {
            why.push(rule.clone());
        }
    }
    let first = cards.into_iter().next().map(|(_, card)| card);
    Card {
        what,
        why,
        ..first.unwrap_or_default()
    }
}
