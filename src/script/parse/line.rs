//! One line under the reader's finger: takes words one by one and knows where each stands.

use super::kinds::Declared;
use crate::kafka::event_fields::Names;
use crate::kafka::ids::*;
use crate::kafka::message::NodeId;
use crate::script::ast::Lanes;
use crate::script::error::{Problem, ScriptError, Wanted, WordKind};
use crate::script::lex::Word;
use crate::script::settings::unknown;
use crate::world::command::PartitionName;
use std::rc::Rc;

pub(super) type Parsed<T> = Result<T, ScriptError>;

/// What the lines above have made known.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub brokers: Vec<BrokerId>,
    pub topics: Vec<(Rc<str>, u16)>,
    /// In order of appearance, which is how a world numbers them.
    pub clients: Vec<Rc<str>>,
    pub lanes: Option<Lanes>,
    /// Topics and clients whose line is faulty itself.
    pub broken: Vec<Rc<str>>,
    /// Clients that a line has declared and none has ended.
    pub declared: Vec<Declared>,
    /// The only lane that the line is for.
    pub lane: Option<u16>,
}

/// The longest time a line may name: a world that has to live through more answers no more.
const LONGEST: Ms = Ms(86_400_000);

/// Topics of Kafka's own: they may be looked at, not written to.
const INNER_TOPICS: &[&str] = &["__consumer_offsets", "__transaction_state"];
/// offsets.topic.num.partitions and transaction.state.log.num.partitions, unless set.
const INNER_PARTITIONS: u16 = 50;

impl Known {
    /// A client's name appears.
    pub fn meet(&mut self, client: &Rc<str>) {
        if !self.clients.contains(client) {
            self.clients.push(client.clone());
        }
    }
}

impl Names for Known {
    fn topic(&self, topic: TopicId) -> String {
        self.topics
            .get(usize::from(topic.0))
            .map_or_else(|| topic.to_string(), |(name, _)| name.to_string())
    }
    fn client(&self, client: ClientId) -> String {
        self.clients
            .get(usize::from(client.0))
            .map_or_else(|| client.to_string(), |name| name.to_string())
    }
}

/// The words of a line not yet taken.
pub(super) struct Cursor<'a> {
    words: &'a [Word],
    /// Line, from 1.
    pub line: u32,
    /// Column behind the last word.
    end: u32,
    /// Whether Kafka's own topics may be named.
    inner: bool,
    /// Column of the first word.
    first: u32,
}

impl<'a> Cursor<'a> {
    pub fn new(words: &'a [Word], line: u32, end: u32) -> Self {
        Cursor {
            words,
            line,
            end,
            inner: false,
            first: words.first().map_or(end, |word| word.column),
        }
    }

    /// The column of the first word, which names whom the line is about.
    pub fn name_at(&self) -> u32 {
        self.first
    }

    /// The line looks at something, so that Kafka's own topics may be named.
    pub fn inner(&mut self) {
        self.inner = true;
    }

    pub fn fault<T>(&self, column: u32, problem: Problem) -> Parsed<T> {
        Err(ScriptError {
            line: self.line,
            column,
            problem,
        })
    }

    pub fn peek(&self) -> Option<&'a Word> {
        self.words.first()
    }

    /// The next word; where there is none, what is wanted is told.
    pub fn next(&mut self, what: Wanted) -> Parsed<&'a Word> {
        match self.words.split_first() {
            Some((word, rest)) => {
                self.words = rest;
                Ok(word)
            }
            None => self.fault(self.end, Problem::Expected { what, found: None }),
        }
    }

    /// The word is not what is wanted.
    pub fn wanted<T>(&self, what: Wanted, word: &Word) -> Parsed<T> {
        let found = Some(word.text.clone());
        self.fault(word.column, Problem::Expected { what, found })
    }

    /// The word is none of these.
    pub fn unknown<T>(&self, kind: WordKind, word: &Word, words: &[&str]) -> Parsed<T> {
        self.fault(word.column, unknown(kind, &word.text, words))
    }

    /// The line must end here.
    pub fn done(&self) -> Parsed<()> {
        match self.peek() {
            None => Ok(()),
            Some(word) => self.fault(
                word.column,
                Problem::TooMuch {
                    found: word.text.clone(),
                },
            ),
        }
    }

    /// The next word as one of these.
    pub fn one_of<T: Clone>(&mut self, kind: WordKind, words: &[(&str, T)]) -> Parsed<T> {
        let word = self.next(Wanted::Name)?;
        match words.iter().find(|(w, _)| *w == word.text) {
            Some((_, value)) => Ok(value.clone()),
            None => {
                let words: Vec<&str> = words.iter().map(|(w, _)| *w).collect();
                self.unknown(kind, word, &words)
            }
        }
    }

    pub fn equals(&mut self) -> Parsed<()> {
        let word = self.next(Wanted::Equals)?;
        if word.text == "=" && !word.quoted {
            Ok(())
        } else {
            self.wanted(Wanted::Equals, word)
        }
    }

    pub fn name(&mut self) -> Parsed<Rc<str>> {
        let word = self.next(Wanted::Name)?;
        if word.text.is_empty() || word.eq.is_some() || word.text.starts_with('[') {
            return self.wanted(Wanted::Name, word);
        }
        Ok(word.text.as_str().into())
    }

    pub fn id(&mut self) -> Parsed<Rc<str>> {
        let word = self.next(Wanted::Id)?;
        let fine = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if word.text.is_empty() || !word.text.chars().all(fine) {
            return self.wanted(Wanted::Id, word);
        }
        Ok(word.text.as_str().into())
    }

    pub fn number<T: Whole>(&mut self, what: Wanted) -> Parsed<T> {
        let word = self.next(what)?;
        self.parsed(word, &word.text, what)
    }

    /// A number inside a word.
    pub fn parsed<T: Whole>(&self, word: &Word, text: &str, what: Wanted) -> Parsed<T> {
        match text.parse() {
            Ok(n) if !text.starts_with(['-', '+']) => Ok(n),
            _ => match too_large(text, T::MOST) {
                Some(problem) => self.fault(word.column, problem),
                None => self.wanted(what, word),
            },
        }
    }

    pub fn boundary(&mut self) -> Parsed<Boundary> {
        self.number(Wanted::Boundary).map(Boundary)
    }

    pub fn time(&mut self) -> Parsed<Ms> {
        let word = self.next(Wanted::Time)?;
        match span(&word.text) {
            Ok(ms) => Ok(ms),
            Err(problem) => self.fault(word.column, problem),
        }
    }

    /// A time and what it is rounded to: `9s` to whole seconds, `9.4s` to tenths.
    pub fn rounded_time(&mut self) -> Parsed<(Ms, Ms)> {
        let word = self.next(Wanted::Time)?;
        let text = word.text.as_str();
        if let Some((whole, rest)) = text.split_once('.')
            && let (Some(Ms(whole)), Some(tenths)) = (
                time(&format!("{whole}s")),
                rest.strip_suffix('s').and_then(|t| t.parse::<u8>().ok()),
            )
            && rest.len() == 2
        {
            return Ok((Ms(whole + i64::from(tenths) * 100), Ms(100)));
        }
        let unit = match text.trim_start_matches(|c: char| c.is_ascii_digit()) {
            "s" => 1_000,
            "min" => 60_000,
            _ => 1,
        };
        match time(text) {
            Some(ms) => Ok((ms, Ms(unit))),
            None => self.wanted(Wanted::Time, word),
        }
    }

    pub fn yes_no(&mut self) -> Parsed<bool> {
        let word = self.next(Wanted::YesNo)?;
        match word.text.as_str() {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => self.wanted(Wanted::YesNo, word),
        }
    }

    pub fn broker(&mut self, known: &Known) -> Parsed<BrokerId> {
        let word = self.next(Wanted::Broker)?;
        self.broker_in(word, &word.text, known)
    }

    fn broker_in(&self, word: &Word, text: &str, known: &Known) -> Parsed<BrokerId> {
        let id = match text.parse() {
            Ok(id) if id < 64 && !text.starts_with('+') => BrokerId(id),
            _ => return self.wanted(Wanted::Broker, word),
        };
        // Empty only while the line that names the brokers is faulty itself.
        if known.brokers.is_empty() || known.brokers.contains(&id) {
            return Ok(id);
        }
        let brokers: Vec<String> = known.brokers.iter().map(BrokerId::to_string).collect();
        self.fault(
            word.column,
            Problem::NoSuchBroker {
                broker: id.0,
                brokers: brokers.join(", "),
            },
        )
    }

    /// `none`, or a broker.
    pub fn broker_or_none(&mut self, known: &Known) -> Parsed<Option<BrokerId>> {
        match self.peek() {
            Some(word) if word.text == "none" => {
                self.next(Wanted::Broker)?;
                Ok(None)
            }
            _ => self.broker(known).map(Some),
        }
    }

    /// `[1,2,3]`.
    pub fn brokers(&mut self, known: &Known) -> Parsed<Vec<BrokerId>> {
        let word = self.next(Wanted::Brokers)?;
        let inside = word
            .text
            .strip_prefix('[')
            .and_then(|text| text.strip_suffix(']'));
        let Some(inside) = inside.filter(|_| !word.quoted) else {
            return self.wanted(Wanted::Brokers, word);
        };
        if inside.is_empty() {
            return Ok(vec![]);
        }
        inside
            .split(',')
            .map(|text| self.broker_in(word, text, known))
            .collect()
    }

    /// A topic of this scenario.
    pub fn topic(&mut self, known: &Known) -> Parsed<Rc<str>> {
        let word = self.next(Wanted::Name)?;
        self.known_topic(word, &word.text, known)
    }

    /// A topic inside a word.
    pub fn known_topic(&self, word: &Word, topic: &str, known: &Known) -> Parsed<Rc<str>> {
        match known.topics.iter().find(|(name, _)| **name == *topic) {
            Some((name, _)) => Ok(name.clone()),
            None if known.broken.iter().any(|name| **name == *topic) => {
                self.fault(word.column, Problem::Follows)
            }
            None => {
                let topics: Vec<&str> = known.topics.iter().map(|(name, _)| &**name).collect();
                self.fault(word.column, unknown(WordKind::Topic, topic, &topics))
            }
        }
    }

    pub fn partition(&mut self, known: &Known) -> Parsed<PartitionName> {
        let word = self.next(Wanted::Partition)?;
        self.partition_in(word, &word.text, known)
    }

    /// A partition inside a word.
    pub fn partition_in(&self, word: &Word, text: &str, known: &Known) -> Parsed<PartitionName> {
        let Some((topic, partition)) = text.rsplit_once('-') else {
            return self.wanted(Wanted::Partition, word);
        };
        if known.broken.iter().any(|name| **name == *topic) {
            return self.fault(word.column, Problem::Follows);
        }
        let partition: u16 = self.parsed(word, partition, Wanted::Partition)?;
        if self.inner && INNER_TOPICS.contains(&topic) && partition < INNER_PARTITIONS {
            return Ok(PartitionName {
                topic: topic.into(),
                partition,
            });
        }
        let found = known.topics.iter().find(|(name, _)| **name == *topic);
        match found {
            None => {
                let topics: Vec<&str> = known.topics.iter().map(|(name, _)| &**name).collect();
                self.fault(word.column, unknown(WordKind::Topic, topic, &topics))
            }
            Some((name, partitions)) if partition < *partitions => Ok(PartitionName {
                topic: name.clone(),
                partition,
            }),
            Some((_, partitions)) => self.fault(
                word.column,
                Problem::NoSuchPartition {
                    partition: text.into(),
                    partitions: *partitions,
                },
            ),
        }
    }

    /// The partitions of `orders-0` or `orders-0..23`.
    pub fn partitions(&mut self, known: &Known) -> Parsed<Vec<PartitionName>> {
        let word = self.next(Wanted::Partition)?;
        let Some((first, last)) = word.text.split_once("..") else {
            return Ok(vec![self.partition_in(word, &word.text, known)?]);
        };
        let first = self.partition_in(word, first, known)?;
        let last = format!("{}-{last}", first.topic);
        let last = self.partition_in(word, &last, known)?;
        if last.partition < first.partition {
            return self.wanted(Wanted::Partition, word);
        }
        Ok((first.partition..=last.partition)
            .map(|partition| PartitionName {
                topic: first.topic.clone(),
                partition,
            })
            .collect())
    }

    /// A client that has appeared above.
    pub fn client(&mut self, known: &Known) -> Parsed<Rc<str>> {
        let word = self.next(Wanted::Name)?;
        match known.clients.iter().find(|name| ***name == *word.text) {
            Some(name) => Ok(name.clone()),
            None if known.broken.iter().any(|name| **name == *word.text) => {
                self.fault(word.column, Problem::Follows)
            }
            None => {
                let clients: Vec<&str> = known.clients.iter().map(|c| &**c).collect();
                self.unknown(WordKind::Client, word, &clients)
            }
        }
    }

    fn node(&self, word: &Word, text: &str, known: &Known) -> Parsed<NodeId> {
        if text == "controller" {
            return Ok(NodeId::Controller);
        }
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(NodeId::Broker(self.broker_in(word, text, known)?));
        }
        let client = known
            .clients
            .iter()
            .zip(0u16..)
            .find(|(c, _)| ***c == *text);
        if let Some((_, id)) = client {
            return Ok(NodeId::Client(ClientId(id)));
        }
        let clients = known.clients.iter().map(|c| &**c);
        let words: Vec<&str> = clients.chain(["controller"]).collect();
        if text.is_empty() {
            return self.wanted(Wanted::Link, word);
        }
        self.fault(word.column, unknown(WordKind::Client, text, &words))
    }

    /// `1->2`, or both ways: `1<->2`.
    pub fn link(&mut self, known: &Known) -> Parsed<Vec<(NodeId, NodeId)>> {
        let word = self.next(Wanted::Link)?;
        let (both, ends) = match word.text.split_once("<->") {
            Some(ends) => (true, Some(ends)),
            None => (false, word.text.split_once("->")),
        };
        let Some((from, to)) = ends else {
            return self.wanted(Wanted::Link, word);
        };
        let from = self.node(word, from, known)?;
        let to = self.node(word, to, known)?;
        Ok(if both {
            vec![(from, to), (to, from)]
        } else {
            vec![(from, to)]
        })
    }

    /// The rest of the line as `name=value`.
    pub fn pairs(&mut self) -> Parsed<Vec<&'a Word>> {
        let mut pairs: Vec<&Word> = vec![];
        while self.peek().is_some() {
            let word = self.next(Wanted::Setting)?;
            let Some((name, _)) = word.pair() else {
                return self.wanted(Wanted::Setting, word);
            };
            if pairs
                .iter()
                .any(|p| p.pair().is_some_and(|(n, _)| n == name))
            {
                return self.fault(word.column, Problem::Twice { word: name.into() });
            }
            pairs.push(word);
        }
        Ok(pairs)
    }

    /// Settings by a check of their own; a fault is told at the setting it is in.
    pub fn settings<T>(
        &mut self,
        check: impl for<'w> Fn(&mut dyn Iterator<Item = (&'w str, &'w str)>) -> Result<T, Problem>,
    ) -> Parsed<T> {
        let words = self.pairs()?;
        let pairs: Vec<(&str, &str)> = words.iter().filter_map(|w| w.pair()).collect();
        let mut settings = check(&mut std::iter::empty());
        for (i, word) in words.iter().enumerate() {
            settings = check(&mut pairs[..=i].iter().copied());
            if let Err(problem) = settings {
                let at = match problem {
                    Problem::UnknownWord { .. } => word.column,
                    _ => word.value_column(),
                };
                return self.fault(at, problem);
            }
        }
        settings.or_else(|problem| self.fault(self.end, problem))
    }
}

/// Whole numbers that a line may name, each with the largest.
pub(super) trait Whole: std::str::FromStr {
    /// The largest.
    const MOST: u64;
}
macro_rules! whole {
    ($($t:ty),*) => {
        $(impl Whole for $t {
            const MOST: u64 = <$t>::MAX as u64;
        })*
    };
}
whole!(u8, u16, u32, u64, i16, i32, i64);

/// Digits that are a number above the limit.
pub(super) fn too_large(text: &str, most: u64) -> Option<Problem> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| Problem::TooLarge {
        found: text.into(),
        most: most.to_string(),
    })
}

/// A time that a world can live through.
pub(super) fn span(text: &str) -> Result<Ms, Problem> {
    match time(text) {
        Some(ms) if ms <= LONGEST => Ok(ms),
        found => {
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            let unit = matches!(&text[digits..], "ms" | "s" | "min");
            Err(if found.is_some() || digits > 0 && unit {
                Problem::TooLarge {
                    found: text.into(),
                    most: format!("{}min", LONGEST.0 / 60_000),
                }
            } else {
                Problem::Expected {
                    what: Wanted::Time,
                    found: Some(text.into()),
                }
            })
        }
    }
}

/// `500ms`, `9s`, `5min`.
pub(super) fn time(text: &str) -> Option<Ms> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: i64 = number.parse().ok()?;
    let factor = match unit {
        "ms" => 1,
        "s" => 1_000,
        "min" => 60_000,
        _ => return None,
    };
    number.checked_mul(factor).map(Ms)
}
