//! How wide a text will be, about: a table of widths per letter, a little on the wide side of
//! the fonts that systems have, so that what fits here fits on the page. Whole px.

use super::Role;

/// A letter's width in thousandths of the type's size, in a proportional face.
fn letter(c: char) -> i32 {
    match c {
        'i' | 'l' | 'j' | '.' | ',' | ':' | ';' | '\'' | '|' | 'і' | '·' => 310,
        ' ' | '\u{a0}' => 320,
        'f' | 't' | 'r' | '(' | ')' | '-' | '/' | '[' | ']' | '’' => 410,
        's' | 'c' | 'z' | 'г' | 'с' | 'т' | 'з' => 550,
        'm' | 'щ' | 'ш' | 'ю' | 'ж' | 'W' | 'M' | 'Ш' | 'Щ' | 'Ю' | 'Ж' => 950,
        'w' | 'м' | 'ы' | 'ф' | '→' | '↔' | '…' | '—' | 'М' => 860,
        'A'..='Z' | 'А'..='Я' | 'Ё' => 720,
        '0'..='9' => 637,
        '–' => 520,
        'a'..='z' | 'а'..='я' | 'ё' => 632,
        _ => 660,
    }
}

/// The width of a text in this role, px, rounded up.
pub fn width(text: &str, role: Role) -> i32 {
    let (size, weight) = match role {
        Role::Name => (14, 110),
        Role::Strong | Role::Server | Role::Client | Role::Alert => (12, 110),
        Role::Plain | Role::Muted => (12, 100),
        Role::Offset => return (text.chars().count() as i32 * 13 * 603).div_euclid(1000) + 1,
        Role::Mono | Role::Epoch => {
            return (text.chars().count() as i32 * 12 * 603).div_euclid(1000) + 1;
        }
    };
    let letters: i32 = text.chars().map(letter).sum();
    (letters * size * weight).div_euclid(100_000) + 1
}

/// The width of a sign and its text: 12 px, a gap of 4, the text.
pub fn badge_width(icon: bool, text: &str, role: Role) -> i32 {
    width(text, role) + if icon { 16 } else { 0 }
}

/// A text cut to a width, with an ellipsis if something was cut.
pub fn fit(text: &str, role: Role, px: i32) -> String {
    if width(text, role) <= px {
        return text.into();
    }
    let mut cut: Vec<char> = text.chars().collect();
    while cut.pop().is_some() {
        let tried: String = cut.iter().chain(['…'].iter()).collect();
        if width(&tried, role) <= px {
            return tried;
        }
    }
    String::new()
}
