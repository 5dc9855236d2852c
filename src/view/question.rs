//! A question before a step in the words of a language, and what is said of an answer.

use crate::script::ast::{Beat, Text};
use crate::script::question::Kind;
use crate::text::{Lang, question as say};

/// How a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedKind {
    /// One of the options.
    Choice,
    /// Each option that is right.
    Multi,
    /// A whole number.
    Number,
    /// One of the options, each a boundary of the log shown.
    Gap,
}

impl AskedKind {
    /// Its word, as the scene language and messages to a host write it.
    pub fn word(self) -> &'static str {
        match self {
            AskedKind::Choice => "choice",
            AskedKind::Multi => "multi",
            AskedKind::Number => "number",
            AskedKind::Gap => "gap",
        }
    }
}

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// How it is answered.
    pub kind: AskedKind,
    /// What is asked.
    pub text: String,
    /// What may be chosen, in the author's order, boundaries from the left; of a number what is
    /// known about some answers.
    pub options: Vec<Choice>,
}

/// Something that may be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its id in messages: `option-1`, `gap-5`, `5`.
    pub id: String,
    /// Its words.
    pub words: String,
    /// Its number or boundary.
    pub value: Option<i64>,
    /// Whether it is right.
    pub right: bool,
    /// Of a wrong one: why it is wrong.
    pub because: String,
    /// Of a decision: what it costs; else empty.
    pub price: String,
}

/// What a reader answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// These options, by their places.
    Chosen(Vec<u32>),
    /// A number.
    Number(i64),
    /// Nothing: the step was to be shown.
    Shown,
}

/// What comes of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it is right; `None`: there is no answer.
    pub correct: Option<bool>,
    /// The verdict in a word or two.
    pub word: String,
    /// The answer, labelled as the reader's.
    pub yours: Option<String>,
    /// Sentences: why what was chosen is wrong, and what is right.
    pub sentences: Vec<String>,
    /// Of a decision: what each choice costs, also those that were not made.
    pub prices: Vec<Price>,
}

/// What a choice costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    /// The choice.
    pub choice: String,
    /// Its price.
    pub price: String,
    /// Whether the reader made it.
    pub yours: bool,
}

fn words(text: &Text, lang: Lang) -> String {
    match lang {
        Lang::Ru => text.russian().into(),
        Lang::En => text.english().into(),
    }
}

/// The question before a beat.
pub fn question(lang: Lang, beat: &Beat) -> Option<Asked> {
    let q = beat.question.as_ref()?;
    let kind = match q.kind {
        Kind::Choice => AskedKind::Choice,
        Kind::Multi => AskedKind::Multi,
        Kind::Number => AskedKind::Number,
        Kind::Gap(_) => AskedKind::Gap,
    };
    let counted = |value: i64| match kind {
        AskedKind::Gap => (format!("gap-{value}"), say::before(lang, value)),
        _ => (value.to_string(), value.to_string()),
    };
    let mut options: Vec<Choice> = (1..)
        .zip(&q.options)
        .map(|(n, option)| {
            let (id, text) = match option.value {
                Some(value) => counted(value),
                None => (format!("option-{n}"), words(&option.text, lang)),
            };
            Choice {
                id,
                words: text,
                value: option.value,
                right: option.right,
                because: words(&option.because, lang),
                price: words(&option.price, lang),
            }
        })
        .collect();
    if let Some(value) = q.right() {
        let (id, words) = counted(value);
        let at = options.iter().filter(|o| o.value < Some(value)).count();
        let sorted = kind == AskedKind::Gap;
        if sorted {
            crate::kafka::sort::by_key(&mut options, |o| o.value);
        }
        options.insert(
            if sorted { at } else { 0 },
            Choice {
                id,
                words,
                value: Some(value),
                right: true,
                because: String::new(),
                price: String::new(),
            },
        );
    }
    Some(Asked {
        kind,
        text: words(&q.asks, lang),
        options,
    })
}

impl Asked {
    /// Ids of what is right.
    pub fn right(&self) -> Vec<&str> {
        let right = self.options.iter().filter(|o| o.right);
        right.map(|o| &*o.id).collect()
    }

    /// Ids (of a number: itself) of what was answered.
    pub fn response(&self, given: &Given) -> Vec<String> {
        match given {
            Given::Chosen(places) => {
                let chosen = places
                    .iter()
                    .filter_map(|at| self.options.get(*at as usize));
                chosen.map(|o| o.id.clone()).collect()
            }
            Given::Number(n) => vec![n.to_string()],
            Given::Shown => vec![],
        }
    }

    /// Whether an answer is right; `None`: there is none.
    pub fn correct(&self, given: &Given) -> Option<bool> {
        if *given == Given::Shown {
            return None;
        }
        let (response, right) = (self.response(given), self.right());
        if self.kind == AskedKind::Choice {
            // Of a decision more than one choice may do.
            return Some(response.iter().any(|id| right.contains(&&**id)));
        }
        Some(response == right)
    }

    /// The boundary that was predicted, of a gap.
    pub fn gap(&self, given: &Given) -> Option<i64> {
        match (self.kind, given) {
            (AskedKind::Gap, Given::Chosen(places)) => {
                self.options.get(*places.first()? as usize)?.value
            }
            _ => None,
        }
    }
}

/// What is said of an answer once the step has run.
pub fn verdict(lang: Lang, asked: &Asked, given: &Given) -> Verdict {
    let correct = asked.correct(given);
    let chosen: Vec<&Choice> = match given {
        Given::Chosen(places) => {
            let all = places.iter();
            all.filter_map(|at| asked.options.get(*at as usize))
                .collect()
        }
        Given::Number(n) => asked
            .options
            .iter()
            .filter(|o| o.value == Some(*n))
            .collect(),
        Given::Shown => vec![],
    };
    let join = |all: Vec<&str>| all.join("; ");
    let yours = match given {
        Given::Shown => None,
        Given::Number(n) => Some(say::yours(lang, &n.to_string())),
        Given::Chosen(_) => {
            let all = chosen.iter().map(|o| &*o.words).collect();
            Some(say::yours(lang, &join(all)))
        }
    };
    let priced = asked.options.iter().filter(|o| !o.price.is_empty());
    let prices = priced.map(|o| Price {
        choice: o.words.clone(),
        price: o.price.clone(),
        yours: chosen.iter().any(|c| c.id == o.id),
    });
    let prices: Vec<Price> = prices.collect();
    let because = chosen
        .iter()
        .filter(|o| !o.right)
        .map(|o| o.because.clone());
    let mut sentences: Vec<String> = because.filter(|s| !s.is_empty()).collect();
    if correct != Some(true) {
        let right = asked.options.iter().filter(|o| o.right);
        let right = join(right.map(|o| o.words.trim_end_matches('.')).collect());
        sentences.push(match prices.is_empty() {
            true => say::right_answer(lang, &right),
            false => say::honest(lang, &right),
        });
    }
    Verdict {
        correct,
        word: match correct {
            Some(true) => say::right(lang),
            Some(false) => say::wrong(lang),
            None => say::shown(lang),
        },
        yours,
        sentences,
        prices,
    }
}
