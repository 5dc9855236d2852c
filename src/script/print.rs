//! From scenario to text, in the one canonical form: `parse(print(s)) == s`.

use super::ast::*;
use super::lex::Word;
use super::parse::{
    ISOLATIONS, POLL_TIMEOUT, REQUEST_TIMEOUT, SETTLE_LIMIT, SETTLE_QUIET, UNTIL_LIMIT,
};
use super::settings::{acks_word, consumer_words, producer_words};
use crate::kafka::batch::NewRecord;
use crate::kafka::ids::*;
use crate::kafka::message::{Isolation, NodeId, OffsetSpec};
use crate::world::command::{Command, Condition, Keep, PartitionName};
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
        p.lines(&beat.lines);
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
                    for command in act.commands(0) {
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
                    let lane = e.lane.zip(self.lanes.as_ref()).and_then(|(lane, lanes)| {
                        let value = lanes.values.get(usize::from(lane))?;
                        Some(format!("{}={value} ", lanes.variable))
                    });
                    format!("expect {}{}", lane.unwrap_or_default(), fact_text(&e.fact))
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
        | Command::ListOffsets { client, .. } => Some(client),
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
fn bare(text: &str) -> String {
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
    match &record.key {
        Some(key) => format!("{key}={value}"),
        None => value,
    }
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
        Focus::Client(name) => format!("client {name}"),
        Focus::Partition(p) => format!("partition {}", name(p)),
        Focus::Record(p, offset) => format!("record {} {offset}", name(p)),
    }
}

/// The line that stands for these commands.
fn commands_text(commands: &[Command], clients: &[Rc<str>]) -> String {
    let link = |verb: &str, from: NodeId, to: NodeId, rest: &str| {
        let arrow = if commands.len() == 2 { "<->" } else { "->" };
        let (from, to) = (node(from, clients), node(to, clients));
        format!("{verb} {from}{arrow}{to}{rest}")
    };
    let Some(command) = commands.first() else {
        return String::new();
    };
    match command {
        Command::CreateTopic {
            name,
            assignment,
            config,
        } => {
            let unit = (1..=assignment.len())
                .find(|n| {
                    assignment.len() % n == 0
                        && assignment
                            .chunks(*n)
                            .all(|chunk| *chunk == assignment[..*n])
                })
                .unwrap_or(0);
            let mut line = format!("topic {name}");
            for brokers in &assignment[..unit] {
                line += &format!(" {}", list(brokers.iter().copied()));
            }
            if unit < assignment.len() {
                line += &format!(" times={}", assignment.len() / unit);
            }
            for (name, value) in config {
                line += &format!(" {name}={}", value_bare(value));
            }
            line
        }
        Command::AlterTopicConfig { topic, name, value } => match value {
            Some(value) => format!("alter-config topic {topic} {name}={}", value_bare(value)),
            None => format!("delete-config topic {topic} {name}"),
        },
        Command::AlterBrokerConfig {
            broker,
            name,
            value,
        } => match value {
            Some(value) => format!("alter-config broker {broker} {name}={}", value_bare(value)),
            None => format!("delete-config broker {broker} {name}"),
        },
        Command::ElectLeaders {
            unclean,
            partitions,
        } => {
            let mut line = String::from(if *unclean {
                "elect unclean"
            } else {
                "elect preferred"
            });
            for p in partitions.iter().flatten() {
                line += &format!(" {}", name(p));
            }
            line
        }
        Command::Reassign {
            partition,
            replicas,
        } => match replicas {
            Some(replicas) => {
                format!(
                    "reassign {} {}",
                    name(partition),
                    list(replicas.iter().copied())
                )
            }
            None => format!("reassign {} cancel", name(partition)),
        },
        Command::DeleteRecords {
            partition,
            before,
            timeout,
        } => {
            let before = match before.0 {
                -1 => "high-watermark".into(),
                n => n.to_string(),
            };
            let rest = option("timeout", *timeout, REQUEST_TIMEOUT);
            format!("delete-records {} before {before}{rest}", name(partition))
        }
        Command::Kill { broker, keep } => match keep {
            Keep::Everything => format!("kill {broker}"),
            Keep::Below(below) => {
                let words: Vec<String> = below
                    .iter()
                    .map(|(p, at)| format!("{}<{at}", name(p)))
                    .collect();
                format!("kill {broker} keep {}", words.join(" "))
            }
        },
        Command::Shutdown { broker } => format!("shutdown {broker}"),
        Command::Start { broker } => format!("start {broker}"),
        Command::Freeze { broker } => format!("freeze {broker}"),
        Command::Thaw { broker } => format!("thaw {broker}"),
        Command::NewDisk { broker } => format!("new-disk {broker}"),
        Command::Cut { from, to } => link("cut", *from, *to, ""),
        Command::Heal { from, to } => link("heal", *from, *to, ""),
        Command::Delay { from, to, delay } => {
            link("delay", *from, *to, &format!(" {}", time(*delay)))
        }
        Command::DelayFetchAnswers { broker, delay } => {
            format!("delay-fetch-answers {broker} {}", time(*delay))
        }
        Command::Hold { from, to } => link("hold", *from, *to, ""),
        Command::Release { from, to } => link("release", *from, *to, ""),
        Command::Lose { from, to } => link("lose", *from, *to, ""),
        Command::Producer { client, settings } => {
            format!("producer {client} {}", producer_words(settings).join(" "))
        }
        Command::Produce {
            client,
            partition,
            records,
        } => {
            let mut place = name(partition);
            if let Some(Command::Produce { partition, .. }) =
                commands.get(1..).and_then(<[_]>::last)
            {
                place += &format!("..{}", partition.partition);
            }
            format!("produce {client} {place} {}", records_text(records))
        }
        Command::ProduceRaw {
            client,
            broker,
            partition,
            records,
            acks,
            timeout,
        } => {
            let timeout = option("timeout", *timeout, REQUEST_TIMEOUT);
            format!(
                "produce-raw {client} {broker} {} acks={}{timeout} {}",
                name(partition),
                acks_word(*acks),
                records_text(records)
            )
        }
        Command::Assign {
            client,
            partitions,
            seek,
            settings,
        } => {
            let names: Vec<String> = partitions.iter().map(name).collect();
            let mut line = format!("assign {client} {}", names.join(" "));
            if let Some(seek) = seek {
                line += &format!(" seek={seek}");
            }
            for word in consumer_words(settings) {
                line += &format!(" {word}");
            }
            line
        }
        Command::Poll { client, timeout } => {
            format!("poll {client}{}", option("timeout", *timeout, POLL_TIMEOUT))
        }
        Command::FetchRaw {
            client,
            broker,
            partition,
            offset,
            rack,
            current_leader_epoch,
        } => {
            let mut line = format!(
                "fetch-raw {client} {broker} {} offset={offset}",
                name(partition)
            );
            if let Some(rack) = rack {
                line += &format!(" rack={}", bare(rack));
            }
            if let Some(epoch) = current_leader_epoch {
                line += &format!(" leader-epoch={epoch}");
            }
            line
        }
        Command::ListOffsets {
            client,
            partition,
            spec,
            isolation,
        } => {
            let spec = match spec {
                OffsetSpec::Earliest => "earliest".into(),
                OffsetSpec::Latest => "latest".into(),
                OffsetSpec::MaxTimestamp => "max-timestamp".into(),
                OffsetSpec::Timestamp(at) => format!("timestamp={at}"),
            };
            let mut line = format!("list-offsets {client} {} {spec}", name(partition));
            if *isolation != Isolation::ReadUncommitted {
                line += &format!(" isolation={}", word_of(ISOLATIONS, isolation));
            }
            line
        }
        Command::Advance(ms) => format!("advance {}", time(*ms)),
        Command::Step => "step".into(),
        Command::Until { condition, limit } => {
            let mut line = format!("until {}", condition_text(condition));
            if *limit != UNTIL_LIMIT {
                line += &format!(" within {}", time(*limit));
            }
            line
        }
        Command::Settle { quiet, limit } => format!(
            "settle{}{}",
            option("quiet", *quiet, SETTLE_QUIET),
            option("within", *limit, SETTLE_LIMIT)
        ),
        Command::Ask { follower } => format!("ask {follower}"),
        Command::Deliver { from, to } => link("deliver", *from, *to, ""),
        Command::FetchNow { follower } => format!("fetch {follower}"),
        Command::ApplyMetadata { broker } => format!("apply-metadata {broker}"),
        Command::Fence { broker } => format!("fence {broker}"),
        Command::Unfence { broker } => format!("unfence {broker}"),
        Command::Lapse { leader, follower } => format!("lapse {follower} at {leader}"),
    }
}

fn option(name: &str, value: Ms, default: Ms) -> String {
    if value == default {
        String::new()
    } else {
        format!(" {name}={}", time(value))
    }
}

/// A setting's value: may be empty.
fn value_bare(value: &str) -> String {
    if value.is_empty() {
        String::new()
    } else {
        bare(value)
    }
}

/// A condition as the language writes it.
pub fn condition_text(condition: &Condition) -> String {
    match condition {
        Condition::Leader(p, leader) => format!("leader {} = {}", name(p), or_none(leader)),
        Condition::Isr(p, isr) => format!("isr {} = {}", name(p), list(isr.iter())),
        Condition::Fenced(b, fenced) => format!("fenced {b} = {}", yes_no(*fenced)),
        Condition::Process(b, process) => {
            format!("process {b} = {}", word_of(PROCESS_WORDS, process))
        }
        Condition::LogEnd(b, p, at) => format!("log-end {b} {} = {at}", name(p)),
        Condition::HighWatermark(b, p, at) => format!("high-watermark {b} {} = {at}", name(p)),
        Condition::Replied(ticket) => format!("replied {}", ticket.0),
        Condition::Answered(client) => format!("answered {client}"),
        Condition::Event { kind, fields } => event_text(kind, fields),
    }
}

fn event_text(kind: &str, fields: &[(Rc<str>, Rc<str>)]) -> String {
    let mut text = format!("event {kind}");
    for (name, value) in fields {
        text += &format!(" {name}={}", bare(value));
    }
    text
}

/// A fact as the language writes it.
pub(super) fn fact_text(fact: &Fact) -> String {
    match fact {
        Fact::Leader(p, leader) => format!("leader {} = {}", name(p), or_none(leader)),
        Fact::LeaderEpoch(p, epoch) => format!("leader-epoch {} = {epoch}", name(p)),
        Fact::Isr(p, isr) => format!("isr {} = {}", name(p), list(isr.iter())),
        Fact::Elr(p, elr) => format!("elr {} = {}", name(p), list(elr.iter())),
        Fact::Bound(bound, b, p, at) => {
            format!("{} {b} {} = {at}", word_of(Bound::WORDS, bound), name(p))
        }
        Fact::Records(b, p, values) => format!("records {b} {} = {}", name(p), values_text(values)),
        Fact::Role(b, p, role) => format!("role {b} {} = {}", name(p), word_of(Role::WORDS, role)),
        Fact::Process(b, process) => format!("process {b} = {}", word_of(PROCESS_WORDS, process)),
        Fact::Fenced(b, fenced) => format!("fenced {b} = {}", yes_no(*fenced)),
        Fact::Sent(client, value, sent) => match sent {
            Sent::Confirmed(offset) => {
                format!("confirmed {client} {} = {}", quote(value), or_none(offset))
            }
            Sent::Failed(error) => format!("failed {client} {} = {error}", quote(value)),
            Sent::Pending => format!("pending {client} {}", quote(value)),
        },
        Fact::Attempts(client, value, n) => format!("attempts {client} {} = {n}", quote(value)),
        Fact::Waited(client, value, ms) => {
            format!("waited {client} {} = {}", quote(value), time(*ms))
        }
        Fact::Lost(values) => format!("lost = {}", values_text(values)),
        Fact::Received(client, values) => format!("received {client} = {}", values_text(values)),
        Fact::At(client, p, at) => format!("position {client} {} = {at}", name(p)),
        Fact::Count(count, n) => format!("{} = {n}", word_of(Count::WORDS, count)),
        Fact::Leads(b, n) => format!("leads {b} = {n}"),
        Fact::Event {
            happened,
            kind,
            fields,
        } => {
            let no = if *happened { "" } else { "no " };
            format!("{no}{}", event_text(kind, fields))
        }
    }
}
