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

/// The part of a record's value that tells it from others, cut to a width: its last word, of a
/// long one the number at its end (`504`), else the front of its last part (`Paid`).
pub fn telling(value: &str, role: Role, px: i32) -> String {
    let word = value.split_whitespace().next_back().unwrap_or(value);
    let fits = |text: &str| text.chars().count() <= 4 && width(text, role) <= px;
    let number = word.trim_start_matches(|c: char| !c.is_ascii_digit());
    let at_end = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    let mut cut: Vec<char> = if fits(word) {
        return word.into();
    } else if at_end {
        number.chars().collect()
    } else {
        let part = word.char_indices().rfind(|(_, c)| c.is_uppercase());
        word[part.map_or(0, |(at, _)| at)..].chars().collect()
    };
    while !cut.is_empty() && !fits(&cut.iter().collect::<String>()) {
        if at_end {
            cut.remove(0);
        } else {
            cut.pop();
        }
    }
    cut.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_told_by_its_last_word() {
        let told = |value| telling(value, Role::Mono, 31);
        assert_eq!(told("OrderCreated 504"), "504");
        assert_eq!(told("OrderCreated 505"), "505");
        assert_eq!(told("old"), "old");
        assert_eq!(told("order-10504"), "0504");
        assert_eq!(told("OrderPaid"), "Paid");
        assert_eq!(told("∅"), "∅");
        assert_eq!(telling("OrderCreated 504", Role::Mono, 18), "04");
    }
}
