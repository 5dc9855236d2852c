//! A question before a beat: what will happen, asked before it does.

use super::ast::{Fact, Line, LineKind, Text};
use crate::world::command::PartitionName;

/// A question that stands before a beat. Its key is held against the engine when the beat is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// How it is answered.
    pub kind: Kind,
    /// Its words.
    pub asks: Text,
    /// What may be answered, in the author's order; of a number or a gap the wrong ones alone.
    pub options: Vec<Answer>,
    /// Claims that hold behind the beat, which make the right answer right. Of a number or a gap
    /// the first one's value is the right answer.
    pub keys: Vec<Line>,
}

/// How a question is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One of the options.
    Choice,
    /// Each option that is right.
    Multi,
    /// A whole number.
    Number,
    /// A boundary of this partition's log.
    Gap(PartitionName),
}

/// Something that may be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether it is right.
    pub right: bool,
    /// Its words; none of a number or a gap.
    pub text: Text,
    /// Its number or boundary.
    pub value: Option<i64>,
    /// Of a wrong one: why it is wrong, in a sentence.
    pub because: Text,
    /// Of a decision: what it costs, in figures; empty of other answers.
    pub price: Text,
}

impl Question {
    /// Whether it is answered by a number.
    pub fn counts(&self) -> bool {
        matches!(self.kind, Kind::Number | Kind::Gap(_))
    }

    /// Whether it is a decision: each answer has its price, and more than one may do.
    pub fn decides(&self) -> bool {
        self.options.iter().any(|o| !o.price.is_empty())
    }

    /// The right number or boundary.
    pub fn right(&self) -> Option<i64> {
        match &self.keys.first()?.what {
            LineKind::Expect(e) if self.counts() => value(&e.fact),
            _ => None,
        }
    }
}

/// The whole number that a fact claims.
pub fn value(fact: &Fact) -> Option<i64> {
    match fact {
        Fact::Bound(_, _, _, at) | Fact::At(_, _, at) => Some(at.0),
        Fact::Processed(_, _, at) | Fact::Saved(_, _, at) | Fact::Committed(_, _, at) => {
            at.map(|at| at.0)
        }
        Fact::Lag(_, _, _, n) => *n,
        Fact::Count(_, n)
        | Fact::Leads(_, n)
        | Fact::Attempts(_, _, n)
        | Fact::Effect(_, _, n)
        | Fact::Members(_, n) => Some(i64::from(*n)),
        Fact::LeaderEpoch(_, epoch) => Some(epoch.0.into()),
        Fact::Leader(_, Some(broker)) => Some(broker.0.into()),
        _ => None,
    }
}
