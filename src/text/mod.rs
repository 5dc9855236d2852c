//! Every sentence a person gets, in Russian and in English, as typed functions. A phrase is
//! written whole in each language: nothing is glued together across languages. Code terms stand
//! in backquotes; [`spans`] takes them apart for whoever sets the type.

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
