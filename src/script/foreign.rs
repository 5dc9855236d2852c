//! Characters that nobody sees or that look like others: a word that has one looks right and is
//! not.

/// So many characters of a word are quoted.
const QUOTED: usize = 40;

/// Letters of other alphabets, and the Latin ones they look like.
const CYRILLIC: &[(char, char)] = &[
    ('а', 'a'),
    ('в', 'b'),
    ('с', 'c'),
    ('ԁ', 'd'),
    ('е', 'e'),
    ('һ', 'h'),
    ('і', 'i'),
    ('ј', 'j'),
    ('к', 'k'),
    ('м', 'm'),
    ('п', 'n'),
    ('о', 'o'),
    ('р', 'p'),
    ('ѕ', 's'),
    ('т', 't'),
    ('х', 'x'),
    ('у', 'y'),
];
const GREEK: &[(char, char)] = &[
    ('α', 'a'),
    ('ε', 'e'),
    ('ι', 'i'),
    ('κ', 'k'),
    ('ν', 'v'),
    ('ο', 'o'),
    ('ρ', 'p'),
    ('τ', 't'),
    ('υ', 'u'),
    ('χ', 'x'),
];
/// Signs that editors put in place of the plain ones.
const SIGNS: &[(char, char)] = &[
    ('“', '"'),
    ('”', '"'),
    ('„', '"'),
    ('«', '"'),
    ('»', '"'),
    ('‐', '-'),
    ('‑', '-'),
    ('–', '-'),
    ('—', '-'),
    ('−', '-'),
    ('→', '>'),
    ('﹣', '-'),
];

/// A character that does not belong into a word, and its place in it from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Foreign {
    /// It is not to be seen.
    Invisible(usize, char),
    /// It looks like this one.
    Alike(usize, char, char),
}

fn invisible(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{feff}' | '\u{fffc}'
        )
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}')
}

fn looks_like(c: char) -> Option<char> {
    // Full-width forms of the plain signs.
    if let '\u{ff01}'..='\u{ff5e}' = c {
        return char::from_u32(u32::from(c) - 0xfee0);
    }
    let lower = c.to_lowercase().next().unwrap_or(c);
    let all = CYRILLIC.iter().chain(GREEK).chain(SIGNS);
    let mut found = all.filter(|(foreign, _)| *foreign == lower);
    let (_, plain) = found.next()?;
    Some(match lower == c {
        true => *plain,
        false => plain.to_ascii_uppercase(),
    })
}

fn is_letter(c: char) -> bool {
    CYRILLIC
        .iter()
        .chain(GREEK)
        .any(|(foreign, _)| c.to_lowercase().eq([*foreign]))
}

/// The word as it looks.
pub(super) fn folded(word: &str) -> String {
    let seen = word.chars().filter(|c| !invisible(*c));
    seen.map(|c| looks_like(c).unwrap_or(c)).collect()
}

/// The first character of a word that does not belong there. A word that is Cyrillic throughout is
/// what it looks like, unless `meant` is what it looks like.
pub(super) fn foreign(word: &str, meant: Option<&str>) -> Option<Foreign> {
    if let Some((at, c)) = (1..).zip(word.chars()).find(|(_, c)| invisible(*c)) {
        return Some(Foreign::Invisible(at, c));
    }
    let mixed = word.chars().any(|c| c.is_ascii_alphabetic())
        && word
            .chars()
            .all(|c| c.is_ascii() || looks_like(c).is_some());
    let same = meant.is_some_and(|meant| folded(word) == meant);
    (1..).zip(word.chars()).find_map(|(at, c)| {
        let plain = looks_like(c)?;
        (mixed || same || !is_letter(c)).then_some(Foreign::Alike(at, c, plain))
    })
}

impl Foreign {
    /// The sentence in Russian.
    pub fn russian(self) -> String {
        match self {
            Foreign::Invisible(at, c) => {
                format!(" Знак {at} невидим: {}. Удалите его.", code(c))
            }
            Foreign::Alike(at, c, plain) => {
                let kind = match alphabet(c) {
                    Some(true) => "кириллическая буква ",
                    Some(false) => "греческая буква ",
                    None => "",
                };
                format!(" Знак {at} — {kind}{c} ({}), а не {plain}.", code(c))
            }
        }
    }
    /// The sentence in English.
    pub fn english(self) -> String {
        match self {
            Foreign::Invisible(at, c) => {
                format!(" Character {at} is invisible: {}. Delete it.", code(c))
            }
            Foreign::Alike(at, c, plain) => {
                let kind = match alphabet(c) {
                    Some(true) => "the Cyrillic ",
                    Some(false) => "the Greek ",
                    None => "",
                };
                format!(" Character {at} is {kind}{c} ({}), not {plain}.", code(c))
            }
        }
    }
}

/// Cyrillic, or Greek, or a sign.
fn alphabet(c: char) -> Option<bool> {
    match c {
        '\u{400}'..='\u{52f}' => Some(true),
        '\u{370}'..='\u{3ff}' => Some(false),
        _ => None,
    }
}

fn code(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

/// A word as it is quoted: not longer than a line of a terminal bears, and with every character to
/// be seen.
pub(super) fn quoted(word: &str) -> String {
    let mut text = String::new();
    for c in word.chars().take(QUOTED) {
        match invisible(c) {
            true => text += &format!("<{}>", code(c)),
            false => text.push(c),
        }
    }
    if word.chars().nth(QUOTED).is_some() {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_that_only_looks_right_is_named() {
        let english = |word, meant| foreign(word, meant).map(Foreign::english);
        assert_eq!(
            english("kіll", None).as_deref(),
            Some(" Character 2 is the Cyrillic і (U+0456), not i.")
        );
        assert_eq!(
            english("ki\u{200b}ll", None).as_deref(),
            Some(" Character 3 is invisible: U+200B. Delete it.")
        );
        assert_eq!(
            english("“a”", None).as_deref(),
            Some(" Character 1 is “ (U+201C), not \".")
        );
        assert!(foreign("сор", Some("cop")).is_some());
        assert_eq!(foreign("партия", None), None, "a Russian word is no slip");
        assert_eq!(foreign("ключ-key", None), None);
        assert_eq!(foreign("kill", None), None);
    }

    #[test]
    fn a_quoted_word_is_short_and_to_be_seen() {
        assert_eq!(quoted("ki\0ll"), "ki<U+0000>ll");
        assert_eq!(quoted(&"x".repeat(40)), "x".repeat(40));
        assert_eq!(quoted(&"x".repeat(41)), format!("{}…", "x".repeat(40)));
    }
}
