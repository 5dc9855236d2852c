//! From scenario to text, in the one canonical form: `parse(print(s)) == s`.

mod command;
mod fact;
mod offsets;
mod question;

use super::ast::*;
use super::lex::Word;
use super::parse::STAMPS;
use crate::kafka::batch::NewRecord;
use crate::kafka::ids::*;
use crate::kafka::message::NodeId;
use crate::world::command::{Command, PartitionName};
use command::commands_text;
pub use fact::{condition_text, event_line, fact_text};
use std::rc::Rc;

/// The scenario as text.
pub fn print(s: &Scenario) -> String {
    let mut p = Printer {
        out: String::new(),
        clients: vec![],
        lanes: s.lanes.clone(),
    };
    p.head(s);
    if !s.setup.is_empty() {
        p.line("\nsetup");
        p.lines(&s.setup);
    }
    for beat in &s.beats {
        p.line("");
        match &beat.mark {
            Some(mark) => p.line(&format!("beat {mark}")),
            None => p.line("beat"),
        }
        p.text("  title", &beat.title);
        p.text("  so", &beat.so);
        for focus in &beat.focus {
            p.line(&format!("  focus {}", focus_text(focus)));
        }
        if let Some(question) = &beat.question {
            p.question(question);
        }
        p.lines(&beat.lines);
        if let Some(question) = &beat.question {
            p.keys(question);
        }
    }
    p.out
}

/// A command as a line of a scenario. Clients are named by their order of appearance, if given.
pub fn print_command(command: &Command, clients: &[Rc<str>]) -> String {
    commands_text(std::slice::from_ref(command), clients)
}

struct Printer {
    out: String,
    clients: Vec<Rc<str>>,
    lanes: Option<Lanes>,
}

impl Printer {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn text(&mut self, word: &str, text: &Text) {
        for (language, text) in [("ru", &text.ru), ("en", &text.en)] {
            if let Some(text) = text {
                self.line(&format!("{word} {language}: {text}"));
            }
        }
    }

    fn head(&mut self, s: &Scenario) {
        for note in &s.notes {
            self.note("", note);
        }
        self.line(&format!("scenario {}", s.id));
        let words = |words: &[Rc<str>]| words.join(" ");
        if !s.rows.is_empty() {
            self.line(&format!("rows {}", words(&s.rows)));
        }
        self.line(&format!("group {}", word_of(Group::WORDS, &s.group)));
        self.line(&format!("view {}", word_of(View::WORDS, &s.view)));
        if !s.runs.is_empty() {
            self.line(&format!("run {}", words(&s.runs)));
        }
        self.text("title", &s.title);
        self.text("question", &s.question);
        self.text("summary", &s.summary);
        self.cluster(&s.cluster);
        if let Some(Lanes { variable, values }) = &s.lanes {
            self.line(&format!("lanes {variable}={}", values.join(",")));
        }
    }

    fn cluster(&mut self, c: &Cluster) {
        let d = Cluster::default();
        let ids: Vec<String> = c.brokers.iter().map(|(id, _)| id.to_string()).collect();
        let mut line = format!("cluster brokers={}", ids.join(","));
        if c.brokers.iter().any(|(_, rack)| rack.is_some()) {
            let racks: Vec<&str> = c
                .brokers
                .iter()
                .map(|b| b.1.as_deref().unwrap_or(""))
                .collect();
            line += &format!(" racks={}", racks.join(","));
        }
        if c.link_delay != d.link_delay {
            line += &format!(" link-delay={}", time(c.link_delay));
        }
        if c.link_jitter != d.link_jitter {
            line += &format!(" link-jitter={}", time(c.link_jitter));
        }
        if c.seed != d.seed {
            line += &format!(" seed={}", c.seed);
        }
        if c.by_hand != d.by_hand {
            line += &format!(" by-hand={}", yes_no(c.by_hand));
        }
        if c.started != d.started {
            line += &format!(" started={}", yes_no(c.started));
        }
        self.line(&line);
        for (name, value) in &c.config {
            self.line(&format!("config {name}={value}"));
        }
        for (name, value) in &c.switches {
            self.line(&format!("switch {name}={value}"));
        }
    }

    /// `acks=all `, in front of a claim of one lane.
    fn lane_word(&self, lane: Option<u16>) -> String {
        let word = lane.zip(self.lanes.as_ref()).and_then(|(lane, lanes)| {
            let value = lanes.values.get(usize::from(lane))?;
            Some(format!("{}={value} ", lanes.variable))
        });
        word.unwrap_or_default()
    }

    fn note(&mut self, indent: &str, note: &str) {
        let space = if note.is_empty() { "" } else { " " };
        self.line(&format!("{indent}#{space}{note}"));
    }

    fn lines(&mut self, lines: &[Line]) {
        for line in lines {
            let text = match &line.what {
                LineKind::Note(note) => {
                    self.note("  ", note);
                    continue;
                }
                LineKind::Do(act) => {
                    let lanes = self.lanes.as_ref().map_or(1, |l| l.values.len());
                    for command in (0..lanes).flat_map(|lane| act.commands(lane)) {
                        if let Some(name) = client_of(command)
                            && !self.clients.contains(name)
                        {
                            self.clients.push(name.clone());
                        }
                    }
                    match act {
                        Act::Same(commands) => commands_text(commands, &self.clients),
                        Act::PerLane { words, .. } => words.to_string(),
                    }
                }
                LineKind::Expect(e) => {
                    format!("expect {}{}", self.lane_word(e.lane), fact_text(&e.fact))
                }
            };
            self.line(&format!("  {text}"));
        }
    }
}

/// The client a command names.
fn client_of(command: &Command) -> Option<&Rc<str>> {
    match command {
        Command::Producer { client, .. }
        | Command::Produce { client, .. }
        | Command::ProduceRaw { client, .. }
        | Command::Assign { client, .. }
        | Command::Poll { client, .. }
        | Command::FetchRaw { client, .. }
        | Command::ListOffsets { client, .. }
        | Command::Subscribe { client, .. }
        | Command::InitProducerRaw { client, .. }
        | Command::CallGroup { client, .. }
        | Command::ResetOffsets { client, .. } => Some(client),
        _ => None,
    }
}

fn word_of<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words
        .iter()
        .find(|(_, v)| v == value)
        .map_or("?", |(word, _)| word)
}

/// A word as it was written.
pub(super) fn word_text(word: &Word) -> String {
    match word.pair() {
        Some((name, value)) if word.value_quoted => format!("{name}={}", quote(value)),
        _ if word.quoted => quote(&word.text),
        _ => word.text.clone(),
    }
}

fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Bare, if the text reads back as one word.
pub(super) fn bare(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "._-+:/<>,".contains(c);
    let brackets = text.starts_with('[') && text.ends_with(']');
    if !text.is_empty() && (text.chars().all(plain) || brackets) {
        text.into()
    } else {
        quote(text)
    }
}

fn yes_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

/// A time in the largest unit that keeps it whole.
fn time(ms: Ms) -> String {
    match ms.0 {
        n if n != 0 && n % 60_000 == 0 => format!("{}min", n / 60_000),
        n if n != 0 && n % 1_000 == 0 => format!("{}s", n / 1_000),
        n => format!("{n}ms"),
    }
}

fn list(brokers: impl IntoIterator<Item = BrokerId>) -> String {
    let ids: Vec<String> = brokers.into_iter().map(|id| id.to_string()).collect();
    format!("[{}]", ids.join(","))
}

fn name(p: &PartitionName) -> String {
    format!("{}-{}", p.topic, p.partition)
}

fn or_none<T: ToString>(value: &Option<T>) -> String {
    value.as_ref().map_or_else(|| "none".into(), T::to_string)
}

fn value_text(value: &Option<Rc<str>>) -> String {
    value.as_deref().map_or_else(|| "null".into(), quote)
}

fn values_text(values: &[Option<Rc<str>>]) -> String {
    if values.is_empty() {
        return "none".into();
    }
    let words: Vec<String> = values.iter().map(value_text).collect();
    words.join(" ")
}

fn record_text(record: &NewRecord) -> String {
    let value = value_text(&record.value);
    let mut text = match &record.key {
        Some(key) => format!("{key}={value}"),
        None => value,
    };
    if record.timestamp != Ms(0) {
        let ms = record.timestamp.0;
        let (unit, factor) = STAMPS
            .iter()
            .find(|(_, factor)| ms % factor == 0)
            .unwrap_or(&("ms", 1));
        text += &format!(" @{}{unit}", ms / factor);
    }
    text
}

fn records_text(records: &[NewRecord]) -> String {
    let words: Vec<String> = records.iter().map(record_text).collect();
    words.join(" ")
}

fn node(node: NodeId, clients: &[Rc<str>]) -> String {
    match node {
        NodeId::Controller => "controller".into(),
        NodeId::Broker(id) => id.to_string(),
        NodeId::Client(id) => clients
            .get(usize::from(id.0))
            .map_or_else(|| format!("client{id}"), |name| name.to_string()),
    }
}

fn focus_text(focus: &Focus) -> String {
    match focus {
        Focus::Broker(id) => format!("broker {id}"),
        Focus::Controller => "controller".into(),
        Focus::Mistake => "mistake".into(),
        Focus::Client(name) => format!("client {name}"),
        Focus::Partition(p) => format!("partition {}", name(p)),
        Focus::Record(p, offset) => format!("record {} {offset}", name(p)),
    }
}
