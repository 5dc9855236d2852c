//! A number and its unit stay on one line, whoever wrote the text.

/// Units of time of both languages.
const UNITS: [&str; 6] = ["мс", "с", "мин", "ms", "s", "min"];

/// The text with a space that does not break between a number and its unit.
pub(super) fn joined(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let mut out = String::with_capacity(text.len() + 8);
    for (n, word) in words.iter().enumerate() {
        if n > 0 {
            let joins = is_unit(word, words.get(n + 1)) && ends_in_digit(words[n - 1]);
            out.push(if joins { '\u{a0}' } else { ' ' });
        }
        out.push_str(word);
    }
    out
}

/// `next` tells the Russian second from the preposition: «эпоха 1 с LEO 3».
fn is_unit(word: &str, next: Option<&&str>) -> bool {
    let unit = word.trim_end_matches(['.', ',', ':', ';', ')', '?', '»', '”']);
    let name = next.is_some_and(|n| n.starts_with(char::is_uppercase));
    UNITS.contains(&unit) && !(word == "с" && name)
}

fn ends_in_digit(word: &str) -> bool {
    word.ends_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn a_number_keeps_its_unit() {
        for (given, want) in [
            ("через 25 мс.", "через 25_мс."),
            ("ждёт 9–10 с, потом", "ждёт 9–10_с, потом"),
            ("10,4 с — и запись цела", "10,4_с — и запись цела"),
            ("эпоху 1 с LEO 3", "эпоху 1 с LEO 3"),
            ("every 5 min, 3 s later", "every 5_min, 3_s later"),
            ("12 records", "12 records"),
        ] {
            assert_eq!(joined(given), want.replace('_', "\u{a0}"));
            assert_eq!(joined(&joined(given)), joined(given));
        }
    }
}
