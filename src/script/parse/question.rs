//! Lines of a question before a beat.

use super::Reader;
use super::fact;
use super::line::{Cursor, Parsed};
use crate::script::ast::*;
use crate::script::error::{Place, Problem, ScriptError, Wanted, WordKind};
use crate::script::question::{Answer, Kind, Question};

/// The words these lines begin with, in the order in which they stand.
pub(super) const WORDS: &[&str] = &[
    "predict", "asks", "right", "wrong", "because", "price", "key",
];
const KINDS: &[&str] = &["choice", "multi", "number", "gap"];

impl Reader {
    /// `predict choice`, `predict gap orders-0`.
    pub(super) fn predict(&mut self, line: &mut Cursor<'_>, at: Position) -> Parsed<()> {
        let word = line.next(Wanted::Name)?;
        let kind = match word.text.as_str() {
            "choice" => Kind::Choice,
            "multi" => Kind::Multi,
            "number" => Kind::Number,
            "gap" => {
                line.inner();
                Kind::Gap(line.partition(&self.known)?)
            }
            _ => return line.unknown(WordKind::QuestionKind, word, KINDS),
        };
        line.done()?;
        let Some(beat) = self.scenario.beats.last_mut() else {
            return Ok(());
        };
        if beat.question.is_some() {
            let word = "predict".into();
            return line.fault(at.column, Problem::Twice { word });
        }
        beat.question = Some(Question {
            kind,
            asks: Text::default(),
            options: vec![],
            keys: vec![],
        });
        Ok(())
    }

    /// `key committed reports orders-0 = 5`.
    pub(super) fn key(&mut self, line: &mut Cursor<'_>, at: Position) -> Parsed<()> {
        let lane = self.lane_of(line)?;
        let fact = fact::fact(line, &self.known)?;
        line.done()?;
        let what = LineKind::Expect(Expectation { lane, fact });
        let missing = missing("predict", at.line);
        let question = self.question().ok_or(missing)?;
        question.keys.push(Line { at, what });
        Ok(())
    }

    /// `wrong 5`: a wrong number or boundary.
    pub(super) fn wrong(&mut self, line: &mut Cursor<'_>, at: Position) -> Parsed<()> {
        let column = line.peek().map_or(at.column, |word| word.column);
        let value: i64 = line.number(Wanted::Number)?;
        line.done()?;
        let missing = missing("predict", at.line);
        let question = self.question().ok_or(missing)?;
        if question.options.iter().any(|o| o.value == Some(value)) {
            let word = format!("wrong {value}");
            return line.fault(column, Problem::Twice { word });
        }
        question.options.push(Answer {
            right: false,
            text: Text::default(),
            value: Some(value),
            because: Text::default(),
            price: Text::default(),
        });
        Ok(())
    }

    pub(super) fn question(&mut self) -> Option<&mut Question> {
        self.scenario.beats.last_mut()?.question.as_mut()
    }

    /// Where the text of `asks`, `right`, `wrong`, `because` and `price` belongs. A second text in a
    /// language begins another answer.
    pub(super) fn question_text(&mut self, word: &str, language: &str) -> Option<&mut Text> {
        let russian = language == "ru:";
        let has = |text: &Text| {
            if russian {
                text.ru.is_some()
            } else {
                text.en.is_some()
            }
        };
        let question = self.question()?;
        match word {
            "asks" => Some(&mut question.asks),
            "because" => question.options.last_mut().map(|o| &mut o.because),
            "price" => question.options.last_mut().map(|o| &mut o.price),
            _ => {
                let right = word == "right";
                let goes_on = question.options.last().is_some_and(|o| {
                    let open = o.because.is_empty() && o.price.is_empty();
                    o.right == right && o.value.is_none() && open && !has(&o.text)
                });
                if !goes_on {
                    question.options.push(Answer {
                        right,
                        text: Text::default(),
                        value: None,
                        because: Text::default(),
                        price: Text::default(),
                    });
                }
                question.options.last_mut().map(|o| &mut o.text)
            }
        }
    }

    /// What a question lacks, once its beat is whole.
    pub(super) fn question_faults(&self) -> Vec<ScriptError> {
        let mut faults = vec![];
        for beat in &self.scenario.beats {
            let Some(q) = &beat.question else { continue };
            let mut lacks = |word| faults.push(missing(word, beat.at.line));
            if q.asks.is_empty() {
                lacks("asks");
            }
            let right = q.options.iter().filter(|o| o.right).count();
            match (q.counts(), q.right()) {
                (true, None) => lacks("key"),
                (true, Some(n)) if q.options.iter().any(|o| o.value == Some(n)) => {
                    faults.push(ScriptError {
                        line: beat.at.line,
                        column: 1,
                        problem: Problem::Contradiction {
                            word: format!("wrong {n}"),
                        },
                    });
                    continue;
                }
                (false, _) if right == 0 => lacks("right"),
                _ => {}
            }
            // Of a decision several answers may do; of a question of fact one is right.
            if q.kind == Kind::Choice && right > 1 && !q.decides() {
                let word = "right".into();
                let (line, column) = (beat.at.line, 1);
                let problem = Problem::Twice { word };
                faults.push(ScriptError {
                    line,
                    column,
                    problem,
                });
                continue;
            }
            let wrong = || q.options.iter().filter(|o| !o.right);
            let mut lacks = |word| faults.push(missing(word, beat.at.line));
            if wrong().next().is_none() {
                lacks("wrong");
            }
            if wrong().any(|o| o.because.is_empty()) {
                lacks("because");
            }
            if q.decides() && q.options.iter().any(|o| o.price.is_empty()) {
                lacks("price");
            }
        }
        faults
    }
}

fn missing(word: &'static str, line: u32) -> ScriptError {
    ScriptError {
        line,
        column: 1,
        problem: Problem::Missing {
            word,
            place: Place::Question,
        },
    }
}
