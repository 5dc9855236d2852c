//! From text to scenario. Every line stands for itself, so every faulty line is told.

mod admin;
mod client;
mod command;
mod consumer;
mod fact;
mod fact_offsets;
mod group;
mod head;
mod kinds;
mod line;
mod question;
mod units;

pub(super) use client::{ISOLATIONS, STAMPS};
pub(super) use command::{POLL_TIMEOUT, REQUEST_TIMEOUT, SETTLE_LIMIT, SETTLE_QUIET, UNTIL_LIMIT};
pub(super) use group::{ADMIN, REBALANCE, SESSION, TOOL};

use super::ast::*;
use super::error::{Place, Problem, ScriptError, Wanted, WordKind};
use super::lex::{Word, words};
use super::print::word_text;
use super::settings::unknown;
use crate::kafka::ids::*;
use crate::kafka::sort;
use head::HEAD;
use line::{Cursor, Known, Parsed};
use std::rc::Rc;

const LANGUAGES: &[&str] = &["ru:", "en:"];

/// The most bytes of a file: a story of a thousand beats has a third of it.
const MOST_BYTES: usize = 1_000_000;
/// So many faulty lines are told; after that it is no scenario.
const MOST_FAULTY: usize = 50;

fn only(problem: Problem) -> Vec<ScriptError> {
    let (line, column) = (1, 1);
    vec![ScriptError {
        line,
        column,
        problem,
    }]
}

/// Reads a scenario.
///
/// # Errors
/// Every fault in the file, by line.
pub fn parse(text: &str) -> Result<Scenario, Vec<ScriptError>> {
    // Some editors put a mark in front of a text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() > MOST_BYTES {
        return Err(only(Problem::TooBig));
    }
    let mut reader = Reader::new();
    if text.trim().is_empty() {
        return Err(only(Problem::Empty));
    }
    let text = line_ends(text);
    for (number, line) in (1u32..).zip(text.lines()) {
        if reader.errors.len() >= MOST_FAULTY {
            return Err(reader.stopped(number));
        }
        if let Err(error) = reader.line(line.trim_end(), number) {
            reader.errors.push(error);
        }
    }
    reader.finish()
}

/// Reads a scenario from a file's bytes.
///
/// # Errors
/// Every fault in the file, by line; the first bytes that are no UTF-8.
pub fn parse_bytes(bytes: &[u8]) -> Result<Scenario, Vec<ScriptError>> {
    match std::str::from_utf8(bytes) {
        _ if bytes.len() > MOST_BYTES => Err(only(Problem::TooBig)),
        Ok(text) => parse(text),
        Err(error) => {
            let sound = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            let sound = line_ends(&sound);
            let last = sound.rsplit('\n').next().unwrap_or_default();
            Err(vec![ScriptError {
                line: sound.matches('\n').count() as u32 + 1,
                column: last.chars().count() as u32 + 1,
                problem: Problem::NotUtf8,
            }])
        }
    }
}

/// The text with line ends of one kind: some systems end a line by CR alone.
fn line_ends(text: &str) -> std::borrow::Cow<'_, str> {
    match text.contains('\r') {
        true => text.replace("\r\n", "\n").replace('\r', "\n").into(),
        false => text.into(),
    }
}

struct Reader {
    scenario: Scenario,
    known: Known,
    place: Place,
    /// Words of the head that may stand once and have been read.
    seen: Vec<&'static str>,
    errors: Vec<ScriptError>,
    /// Clients that `focus` lines name, with line and column.
    focused: Vec<(u32, u32, Rc<str>)>,
    /// Where the `lanes` line names its variable.
    lanes_at: Option<(u32, u32)>,
    /// Numbers of beats (0: the head) with a `title` line that is faulty itself.
    titled: Vec<usize>,
}

impl Reader {
    fn new() -> Self {
        let cluster = Cluster::default();
        let known = Known {
            brokers: cluster.brokers.iter().map(|(id, _)| *id).collect(),
            ..Known::default()
        };
        Reader {
            scenario: Scenario {
                notes: vec![],
                id: "".into(),
                rows: vec![],
                group: Group::default(),
                view: View::default(),
                runs: vec![],
                title: Text::default(),
                question: Text::default(),
                summary: Text::default(),
                cluster,
                lanes: None,
                setup: vec![],
                beats: vec![],
            },
            known,
            place: Place::Head,
            seen: vec![],
            errors: vec![],
            focused: vec![],
            lanes_at: None,
            titled: vec![],
        }
    }

    fn line(&mut self, line: &str, number: u32) -> Parsed<()> {
        let trimmed = line.trim_start();
        if trimmed.is_empty() {
            return Ok(());
        }
        let column = (line.chars().count() - trimmed.chars().count()) as u32 + 1;
        let at = Position {
            line: number,
            column,
        };
        if let Some(note) = trimmed.strip_prefix('#') {
            self.note(note.trim(), at);
            return Ok(());
        }
        let first = trimmed.split_whitespace().next().unwrap_or_default();
        // `wrong 5` is a number's; with a language it is a text.
        let counts = || {
            self.scenario
                .beats
                .last()
                .is_some_and(|b| b.question.as_ref().is_some_and(|q| q.counts()))
        };
        let in_question = matches!(first, "asks" | "right" | "because" | "price")
            || first == "wrong" && !counts();
        if matches!(first, "title" | "so" | "question" | "summary") || in_question {
            let read = self.text(first, &trimmed[first.len()..], at);
            if read.is_err() && first == "title" {
                self.titled.push(self.scenario.beats.len());
            }
            return read;
        }
        let words = words(line, number)?;
        let end = line.chars().count() as u32 + 1;
        let (verb, rest) = match words.split_first() {
            Some(split) => split,
            None => return Ok(()),
        };
        let mut cursor = Cursor::new(rest, number, end);
        match verb.text.as_str() {
            "beat" => self.beat(&mut cursor, at),
            "setup" if self.place != Place::Head => {
                let word = "setup".into();
                match self.place {
                    Place::Setup => cursor.fault(at.column, Problem::Twice { word }),
                    place => cursor.fault(at.column, Problem::Misplaced { word, place }),
                }
            }
            "setup" => {
                self.place = Place::Setup;
                cursor.done()
            }
            _ if self.place == Place::Head => self.head(verb, &mut cursor),
            word if HEAD.contains(&word) => cursor.fault(
                at.column,
                Problem::Misplaced {
                    word: word.into(),
                    place: self.place,
                },
            ),
            "focus" if self.place == Place::Setup => cursor.fault(
                at.column,
                Problem::Misplaced {
                    word: "focus".into(),
                    place: Place::Setup,
                },
            ),
            "focus" => self.focus(&mut cursor),
            "predict" | "key" | "wrong" if self.place != Place::Beat => {
                let (word, place) = (verb.text.clone(), self.place);
                cursor.fault(at.column, Problem::Misplaced { word, place })
            }
            "predict" => self.predict(&mut cursor, at),
            "key" => self.key(&mut cursor, at),
            "wrong" => self.wrong(&mut cursor, at),
            _ => self.act(verb, &words, number, end, at),
        }
    }

    /// Where lines of the story go at present.
    fn lines(&mut self) -> &mut Vec<Line> {
        match self.scenario.beats.last_mut() {
            Some(beat) => &mut beat.lines,
            None => &mut self.scenario.setup,
        }
    }

    fn note(&mut self, note: &str, at: Position) {
        if self.place == Place::Head {
            self.scenario.notes.push(note.into());
        } else {
            let what = LineKind::Note(note.into());
            self.lines().push(Line { at, what });
        }
    }

    /// `title ru: …`
    fn text(&mut self, word: &str, rest: &str, at: Position) -> Parsed<()> {
        let cursor = Cursor::new(&[], at.line, 0);
        let place = self.place;
        if question::WORDS.contains(&word) {
            return self.text_of_question(word, rest, at);
        }
        let beat = self.scenario.beats.last_mut();
        let target = match (word, place, beat) {
            ("title", Place::Head, _) => &mut self.scenario.title,
            ("question", Place::Head, _) => &mut self.scenario.question,
            ("summary", Place::Head, _) => &mut self.scenario.summary,
            ("title", Place::Beat, Some(beat)) => &mut beat.title,
            ("so", Place::Beat, Some(beat)) => &mut beat.so,
            _ => {
                return cursor.fault(
                    at.column,
                    Problem::Misplaced {
                        word: word.into(),
                        place,
                    },
                );
            }
        };
        put_text(target, word, rest, at)
    }

    /// `asks ru: …`, `right ru: …`, `wrong ru: …`, `because ru: …`
    fn text_of_question(&mut self, word: &str, rest: &str, at: Position) -> Parsed<()> {
        let place = self.place;
        let language = rest.split_whitespace().next().unwrap_or_default();
        match self.question_text(word, language) {
            Some(target) => put_text(target, word, rest, at),
            None => {
                let word = word.into();
                let problem = Problem::Misplaced { word, place };
                Cursor::new(&[], at.line, 0).fault(at.column, problem)
            }
        }
    }

    fn beat(&mut self, line: &mut Cursor<'_>, at: Position) -> Parsed<()> {
        self.place = Place::Beat;
        self.scenario.beats.push(Beat {
            at,
            mark: None,
            title: Text::default(),
            so: Text::default(),
            focus: vec![],
            question: None,
            lines: vec![],
        });
        if let Some(word) = line.peek() {
            let mark = line.id()?;
            let beats = &mut self.scenario.beats;
            if beats.iter().any(|beat| beat.mark.as_ref() == Some(&mark)) {
                let word_again = format!("beat {mark}");
                return line.fault(word.column, Problem::Twice { word: word_again });
            }
            if let Some(beat) = beats.last_mut() {
                beat.mark = Some(mark);
            }
        }
        line.done()
    }

    fn focus(&mut self, line: &mut Cursor<'_>) -> Parsed<()> {
        line.inner();
        let word = line.next(Wanted::Name)?;
        let known = &self.known;
        let focus = match word.text.as_str() {
            "broker" => Focus::Broker(line.broker(known)?),
            "controller" => Focus::Controller,
            "client" => {
                // It may appear below, in the same beat: looked up at the end.
                let column = line.peek().map_or(1, |word| word.column);
                let name = line.name()?;
                self.focused.push((line.line, column, name.clone()));
                Focus::Client(name)
            }
            "partition" => Focus::Partition(line.partition(known)?),
            "record" => Focus::Record(line.partition(known)?, Offset(line.number(Wanted::Number)?)),
            "mistake" => Focus::Mistake,
            _ => {
                let words = &[
                    "broker",
                    "controller",
                    "client",
                    "partition",
                    "record",
                    "mistake",
                ];
                return line.unknown(WordKind::Focus, word, words);
            }
        };
        if let Some(beat) = self.scenario.beats.last_mut() {
            beat.focus.push(focus);
        }
        line.done()
    }

    /// A command or an expectation.
    fn act(
        &mut self,
        verb: &Word,
        words: &[Word],
        number: u32,
        end: u32,
        at: Position,
    ) -> Parsed<()> {
        let what = if verb.text == "expect" {
            let mut line = Cursor::new(&words[1..], number, end);
            let lane = self.lane_of(&mut line)?;
            let fact = fact::fact(&mut line, &self.known)?;
            line.done()?;
            LineKind::Expect(Expectation { lane, fact })
        } else if verb.text == "in" {
            LineKind::Do(self.in_lane(words, number, end)?)
        } else {
            if !command::WORDS.contains(&verb.text.as_str()) {
                let line = Cursor::new(&[], number, end);
                let others: &[&str] = if self.place == Place::Beat {
                    &["title", "so", "focus", "expect", "in", "beat"]
                } else {
                    &["expect", "in", "beat"]
                };
                let questions = match self.place {
                    Place::Beat => question::WORDS,
                    _ => &[],
                };
                let all = command::WORDS.iter().chain(others).chain(questions);
                let valid: Vec<&str> = all.copied().collect();
                let kind = match self.place {
                    Place::Beat => WordKind::BeatWord,
                    _ => WordKind::Command,
                };
                return line.unknown(kind, verb, &valid);
            }
            let commands = self.commands(words, number, end);
            // What this line would have named is not told to be unknown as well.
            let names = matches!(
                verb.text.as_str(),
                "topic" | "producer" | "assign" | "subscribe"
            );
            if let (Err(_), true, Some(name)) = (&commands, names, words.get(1)) {
                self.known.broken.push(name.text.as_str().into());
            }
            LineKind::Do(commands?)
        };
        self.lines().push(Line { at, what });
        Ok(())
    }

    /// `acks=all` behind `expect`: in this lane only.
    fn lane_of(&self, line: &mut Cursor<'_>) -> Parsed<Option<u16>> {
        let Some(word) = line.peek().filter(|word| word.pair().is_some()) else {
            return Ok(None);
        };
        line.next(Wanted::Name)?;
        let (name, value) = word.pair().unwrap_or_default();
        let lanes = self.known.lanes.as_ref();
        let variable: Vec<&str> = lanes.iter().map(|l| &*l.variable).collect();
        if !variable.contains(&name) {
            return line.fault(word.column, unknown(WordKind::Variable, name, &variable));
        }
        let values: Vec<&str> = lanes.iter().flat_map(|l| &l.values).map(|v| &**v).collect();
        match (0u16..).zip(&values).find(|(_, v)| **v == value) {
            Some((lane, _)) => Ok(Some(lane)),
            None => line.fault(word.value_column(), unknown(WordKind::Lane, value, &values)),
        }
    }

    /// `in acks=all until answered p1`: done in this lane only.
    fn in_lane(&mut self, words: &[Word], number: u32, end: u32) -> Parsed<Act> {
        let mut line = Cursor::new(&words[1..], number, end);
        let Some(lane) = self.lane_of(&mut line)? else {
            let word = line.next(Wanted::Lane)?;
            return line.wanted(Wanted::Lane, word);
        };
        let verb = line.next(Wanted::Command)?;
        let mut rest = Cursor::new(&words[3..], number, end);
        self.known.lane = Some(lane);
        let only = command::command(verb, &mut rest, &mut self.known);
        self.known.lane = None;
        let only = only?;
        let count = self.known.lanes.as_ref().map_or(0, |l| l.values.len());
        let mut commands = vec![vec![]; count];
        if let Some(place) = commands.get_mut(usize::from(lane)) {
            *place = only;
        }
        let texts: Vec<String> = words.iter().map(word_text).collect();
        let words = texts.join(" ").into();
        Ok(Act::PerLane { words, commands })
    }

    fn commands(&mut self, words: &[Word], number: u32, end: u32) -> Parsed<Act> {
        let parse = |words: &[Word], known: &mut Known| {
            let mut line = Cursor::new(&words[1..], number, end);
            command::command(&words[0], &mut line, known)
        };
        let variable = words
            .iter()
            .find_map(|word| Some((word, variable_in(word)?)));
        let Some((word, name)) = variable else {
            return parse(words, &mut self.known).map(Act::Same);
        };
        let lanes = self.known.lanes.clone();
        let Some(lanes) = lanes.filter(|lanes| *lanes.variable == *name) else {
            let valid: Vec<&str> = self.known.lanes.iter().map(|l| &*l.variable).collect();
            return Cursor::new(&[], number, end)
                .fault(word.column, unknown(WordKind::Variable, name, &valid));
        };
        let mut commands = vec![];
        let before = self.known.clone();
        for value in &lanes.values {
            self.known = before.clone();
            let words: Vec<Word> = words.iter().map(|word| put(word, name, value)).collect();
            commands.push(parse(&words, &mut self.known)?);
        }
        let texts: Vec<String> = words.iter().map(word_text).collect();
        let words = texts.join(" ").into();
        Ok(Act::PerLane { words, commands })
    }

    /// The faults so far, where there are too many to read on.
    fn stopped(mut self, line: u32) -> Vec<ScriptError> {
        self.errors
            .retain(|error| error.problem != Problem::Follows);
        let (column, problem) = (1, Problem::TooManyFaults);
        self.errors.push(ScriptError {
            line,
            column,
            problem,
        });
        self.errors
    }

    fn finish(mut self) -> Result<Scenario, Vec<ScriptError>> {
        let missing = |line, word, place| ScriptError {
            line,
            column: 1,
            problem: Problem::Missing { word, place },
        };
        for word in ["scenario", "cluster"] {
            if !self.seen.contains(&word) {
                self.errors.push(missing(1, word, Place::Head));
            }
        }
        if self.scenario.title.is_empty() && !self.titled.contains(&0) {
            self.errors.push(missing(1, "title", Place::Head));
        }
        if self.scenario.beats.is_empty() {
            self.errors.push(missing(1, "beat", Place::Scenario));
        }
        for (number, beat) in (1..).zip(&self.scenario.beats) {
            if beat.title.is_empty() && !self.titled.contains(&number) {
                self.errors
                    .push(missing(beat.at.line, "title", Place::Beat));
            }
        }
        let faults = self.question_faults();
        self.errors.extend(faults);
        let clients: Vec<&str> = self.known.clients.iter().map(|c| &**c).collect();
        for (line, column, name) in &self.focused {
            if !clients.contains(&&**name) && !self.known.broken.contains(name) {
                self.errors.push(ScriptError {
                    line: *line,
                    column: *column,
                    problem: unknown(WordKind::Client, name, &clients),
                });
            }
        }
        // A faulty line may be the one that tells the lanes apart.
        if let (Some((line, column)), Some(lanes), true) =
            (self.lanes_at, &self.scenario.lanes, self.errors.is_empty())
        {
            let stories = self.scenario.beats.iter().map(|beat| &beat.lines);
            let mut lines = stories.chain([&self.scenario.setup]).flatten();
            let told_apart = |l: &Line| matches!(l.what, LineKind::Do(Act::PerLane { .. }));
            if !lines.any(told_apart) {
                let variable = lanes.variable.to_string();
                self.errors.push(ScriptError {
                    line,
                    column,
                    problem: Problem::UnusedVariable { variable },
                });
            }
        }
        // Something else was told before them, or they would not be.
        self.errors
            .retain(|error| error.problem != Problem::Follows);
        sort::by_key(&mut self.errors, |error| (error.line, error.column));
        if self.errors.is_empty() {
            Ok(self.scenario)
        } else {
            Err(self.errors)
        }
    }
}

/// Puts the text of `title ru: …` into its place.
fn put_text(target: &mut Text, word: &str, rest: &str, at: Position) -> Parsed<()> {
    let cursor = Cursor::new(&[], at.line, 0);
    let skipped = rest.chars().take_while(|c| c.is_whitespace()).count();
    let column = at.column + (word.chars().count() + skipped) as u32;
    let rest = rest.trim_start();
    let language = rest.split_whitespace().next().unwrap_or_default();
    let place = match language {
        "ru:" => &mut target.ru,
        "en:" => &mut target.en,
        _ if language.ends_with(':') && language.len() == 3 => {
            return cursor.fault(column, unknown(WordKind::Language, language, LANGUAGES));
        }
        _ => {
            let found = Some(language.to_owned()).filter(|l| !l.is_empty());
            let what = Wanted::Language;
            return cursor.fault(column, Problem::Expected { what, found });
        }
    };
    let text = rest[language.len()..].trim();
    if text.is_empty() {
        let (what, found) = (Wanted::Text, None);
        return cursor.fault(column + 3, Problem::Expected { what, found });
    }
    if place.is_some() {
        let word = format!("{word} {language}");
        return cursor.fault(at.column, Problem::Twice { word });
    }
    *place = Some(units::joined(text).into());
    Ok(())
}

/// The variable a word stands for, as a whole or in its value.
fn variable_in(word: &Word) -> Option<&str> {
    let text = match word.pair() {
        Some((_, value)) if !word.quoted && !word.value_quoted => value,
        None if !word.quoted => &word.text,
        _ => return None,
    };
    text.strip_prefix('$')
}

/// The word with the variable's value in its place.
fn put(word: &Word, name: &str, value: &str) -> Word {
    let mut word = word.clone();
    if variable_in(&word) == Some(name) {
        let start = word.text.len() - name.len() - 1;
        word.text.replace_range(start.., value);
    }
    word
}
