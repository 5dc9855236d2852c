//! What clients of a story are, by the lines that declare them: a line for another kind of client
//! is told at once, and not only when the story comes there.

use super::line::{Cursor, Known, Parsed};
use crate::script::error::{ClientIs, Problem};
use std::rc::Rc;

/// A client as a line declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declared {
    name: Rc<str>,
    is: ClientIs,
    /// It has a `transactional.id`.
    transactional: bool,
    /// Line, from 1.
    line: u32,
    /// The only lane it is declared in.
    lane: Option<u16>,
}

impl Known {
    /// The last declaration of a client whose process has not been ended, seen from this lane.
    fn declared(&self, client: &str) -> Option<&Declared> {
        let here = |d: &&Declared| {
            *d.name == *client && (d.lane.is_none() || self.lane.is_none() || d.lane == self.lane)
        };
        self.declared.iter().rfind(here)
    }

    /// A client's name appears and tells what it is.
    pub fn declare(
        &mut self,
        client: &Rc<str>,
        is: ClientIs,
        transactional: bool,
        line: &Cursor<'_>,
    ) {
        self.meet(client);
        self.declared.push(Declared {
            name: client.clone(),
            is,
            transactional,
            line: line.line,
            lane: self.lane,
        });
    }

    /// A client's process ends: the next one of this name may be of any kind.
    pub fn ended(&mut self, client: &str) {
        self.declared.retain(|d| *d.name != *client);
    }
}

impl Cursor<'_> {
    /// The word behind the first one, `client`, has to be of this kind, where that is known.
    pub fn of_kind(&self, known: &Known, client: &str, needs: ClientIs) -> Parsed<()> {
        match known.declared(client) {
            Some(d) if d.is != needs => self.fault(
                self.name_at(),
                Problem::OtherKind {
                    client: client.into(),
                    is: d.is,
                    line: d.line,
                    needs,
                },
            ),
            _ => Ok(()),
        }
    }

    /// A producer is declared once: a second line would change one that is at work.
    pub fn not_declared(&self, known: &Known, client: &str) -> Parsed<()> {
        self.of_kind(known, client, ClientIs::Producer)?;
        match known.declared(client) {
            Some(_) => self.fault(
                self.name_at(),
                Problem::Twice {
                    word: format!("producer {client}"),
                },
            ),
            None => Ok(()),
        }
    }

    /// Kafka's producer throws IllegalStateException out of a call about transactions without
    /// `transactional.id`.
    pub fn transactional(&self, known: &Known, client: &str) -> Parsed<()> {
        self.of_kind(known, client, ClientIs::Producer)?;
        match known.declared(client) {
            Some(d) if !d.transactional => self.fault(
                self.name_at(),
                Problem::NoTransactionalId {
                    client: client.into(),
                    line: d.line,
                },
            ),
            _ => Ok(()),
        }
    }
}
