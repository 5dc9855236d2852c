//! Every sentence a person gets, in Russian and in English, as typed functions. A phrase is
//! written whole in each language: nothing is glued together across languages. Code terms stand
//! in backquotes; [`spans`] takes them apart for whoever sets the type.

pub mod address;
pub mod commits;
pub mod embed;
pub mod events;
pub mod export;
pub mod glossary;
pub mod moves;
pub mod number;
pub mod offset_events;
pub mod offset_rules;
pub mod pages;
pub mod phrase;
pub mod practice;
pub mod question;
pub mod ruler;
pub mod rules;
pub mod share;
pub mod state;
pub mod trouble;
pub mod ui;
pub mod ways;
pub mod words;

/// A language of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lang {
    /// Russian.
    #[default]
    Ru,
    /// English.
    En,
}

impl Lang {
    /// Both languages.
    pub const ALL: [Lang; 2] = [Lang::Ru, Lang::En];

    /// As in the address and in the document's `lang`: `ru`, `en`.
    pub fn code(self) -> &'static str {
        match self {
            Lang::Ru => "ru",
            Lang::En => "en",
        }
    }

    /// The language of this code.
    pub fn from_code(code: &str) -> Option<Lang> {
        Lang::ALL.into_iter().find(|l| l.code() == code)
    }
}

/// A run of text of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span<'a> {
    /// The text.
    pub text: &'a str,
    /// Code type: a setting, an error, a call. It never breaks across lines.
    pub code: bool,
}

/// Takes a sentence apart at its backquotes.
pub fn spans(text: &str) -> Vec<Span<'_>> {
    text.split('`')
        .enumerate()
        .map(|(i, text)| Span {
            text,
            code: i % 2 == 1,
        })
        .filter(|s| !s.text.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that can be said, with sample values.
    fn all(lang: Lang) -> Vec<(&'static str, String)> {
        [
            ui::samples(lang),
            address::samples(lang),
            embed::samples(lang),
            moves::samples(lang),
            share::samples(lang),
            question::samples(lang),
            export::samples(lang),
            pages::samples(lang),
            words::samples(lang),
            events::samples(lang),
            rules::samples(lang),
            ruler::samples(lang),
            commits::samples(lang),
            offset_events::samples(lang),
            offset_rules::samples(lang),
            state::samples(lang),
            trouble::samples(lang),
            ways::samples(lang),
            practice::samples(lang),
        ]
        .concat()
    }

    /// Words that stay Latin in Russian text besides code: Kafka's own names.
    const LATIN: &[&str] = &[
        "HW",
        "LEO",
        "ISR",
        "ELR",
        "RF",
        "LSO",
        "Kafka",
        "Apache",
        "Highwater",
        "Fetch",
        "JavaScript",
        "SQLite",
        "retention",
        "Ctrl",
        "Enter",
        "Tab",
        "Home",
        "End",
        "WebAssembly",
        "Markdown",
        "Mermaid",
        "heartbeat",
        "fenced",
        "unfenced",
        "high",
        "watermark",
        "unclean",
        "Unclean",
        "min",
        "max",
        "offset",
        "tombstone",
        "acks",
        "all",
    ];

    #[test]
    fn every_phrase_is_there_in_both_languages() {
        let (ru, en) = (all(Lang::Ru), all(Lang::En));
        assert!(ru.len() > 100);
        for ((name, ru), (_, en)) in ru.iter().zip(&en) {
            assert!(
                !ru.trim().is_empty() && !en.trim().is_empty(),
                "{name} says nothing"
            );
            assert!(!ru.contains('!') && !en.contains('!'), "{name} shouts");
            assert_eq!(ru.matches('`').count() % 2, 0, "{name}: {ru}");
            assert_eq!(en.matches('`').count() % 2, 0, "{name}: {en}");
            assert!(
                !en.chars().any(|c| ('а'..='я').contains(&c)),
                "{name} has Russian in English: {en}"
            );
        }
    }

    #[test]
    fn russian_has_no_english_words_but_kafkas_names() {
        for (name, text) in all(Lang::Ru) {
            let prose: String = spans(&text)
                .iter()
                .filter(|s| !s.code)
                .map(|s| s.text)
                .collect::<Vec<_>>()
                .join(" ");
            for word in prose
                .split(|c: char| !c.is_ascii_alphabetic())
                .filter(|w| w.len() > 1)
            {
                let shouted = word.chars().all(|c| c.is_ascii_uppercase());
                assert!(
                    shouted || LATIN.contains(&word),
                    "{name}: “{word}” in {text}"
                );
            }
        }
    }
}
