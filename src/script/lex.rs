//! A line cut into words. A word ends at a space that is not inside quotes or square brackets.

use super::error::{Problem, ScriptError};

/// A word of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Where it begins, in characters from 1.
    pub column: u32,
    /// What it says, without quotes, and without spaces inside brackets.
    pub text: String,
    /// Where in `text` its first sign `=` outside quotes is (bytes).
    pub eq: Option<usize>,
    /// It begins with a quote.
    pub quoted: bool,
    /// Its value (what stands behind `=`) begins with a quote.
    pub value_quoted: bool,
}

impl Word {
    /// Name and value of `name=value`.
    pub fn pair(&self) -> Option<(&str, &str)> {
        let at = self.eq.filter(|at| *at > 0)?;
        Some((&self.text[..at], &self.text[at + 1..]))
    }
    /// The column of the value in `name=value`.
    pub fn value_column(&self) -> u32 {
        let name = self.eq.map_or(0, |at| self.text[..=at].chars().count());
        self.column + name as u32
    }
}

/// The words of a line.
pub(super) fn words(line: &str, number: u32) -> Result<Vec<Word>, ScriptError> {
    let mut words = Vec::new();
    let mut chars = (1u32..).zip(line.chars()).peekable();
    loop {
        while chars.next_if(|(_, c)| c.is_whitespace()).is_some() {}
        let Some(&(column, first)) = chars.peek() else {
            return Ok(words);
        };
        let mut word = Word {
            column,
            text: String::new(),
            eq: None,
            quoted: first == '"',
            value_quoted: false,
        };
        // Where the open quote or bracket stands.
        let mut quote = None;
        let mut bracket = None;
        while let Some((at, c)) =
            chars.next_if(|(_, c)| quote.is_some() || bracket.is_some() || !c.is_whitespace())
        {
            match c {
                '"' if quote.is_some() => quote = None,
                '"' => {
                    quote = Some(at);
                    word.value_quoted |= word.eq == Some(word.text.len().wrapping_sub(1));
                }
                '\\' if quote.is_some() => match chars.next() {
                    Some((_, escaped)) => word.text.push(escaped),
                    None => break,
                },
                _ if quote.is_some() => word.text.push(c),
                _ if bracket.is_some() && c.is_whitespace() => {}
                _ => {
                    match c {
                        '[' => bracket = Some(at),
                        ']' => bracket = None,
                        '=' if word.eq.is_none() => word.eq = Some(word.text.len()),
                        _ => {}
                    }
                    word.text.push(c);
                }
            }
        }
        for (open, sign) in [(quote, '"'), (bracket, ']')] {
            if let Some(column) = open {
                return Err(ScriptError {
                    line: number,
                    column,
                    problem: Problem::Unclosed { sign },
                });
            }
        }
        words.push(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_brackets_hold_a_word_together() {
        let line = words(r#"  produce p1 k="a b" [1, 2, 3] "q \"x\"" = "#, 1).unwrap();
        let texts: Vec<&str> = line.iter().map(|w| w.text.as_str()).collect();
        assert_eq!(texts, ["produce", "p1", "k=a b", "[1,2,3]", "q \"x\"", "="]);
        assert_eq!(line[0].column, 3);
        assert_eq!(line[2].pair(), Some(("k", "a b")));
        assert!(line[2].value_quoted && line[4].quoted);
        assert_eq!(line[3].column, 22);
    }

    #[test]
    fn an_open_quote_is_told_where_it_opens() {
        let error = words(r#"produce p1 orders-0 "Order"#, 7).unwrap_err();
        assert_eq!((error.line, error.column), (7, 21));
        assert_eq!(error.problem, Problem::Unclosed { sign: '"' });
    }
}
