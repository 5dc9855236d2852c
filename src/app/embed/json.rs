//! Messages as text. The browser turns a message into JSON and back by itself; what stands in it
//! is read and written here, so that all of it can be tested without a browser. Numbers are kept
//! in thousandths: nothing in the contract is finer.

/// A value of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`.
    Null,
    /// A boolean.
    Flag(bool),
    /// A number, in thousandths.
    Number(i64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// An object.
    Object(Vec<(String, Value)>),
}

/// How deep lists and objects may lie in one another.
const DEPTH: u32 = 8;

impl Value {
    /// Reads a text; `None`: it is no JSON, or deeper than any message.
    pub fn read(text: &str) -> Option<Value> {
        let mut reader = Reader { rest: text };
        let value = reader.value(DEPTH)?;
        reader.skip();
        reader.rest.is_empty().then_some(value)
    }

    /// A field of an object.
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Object(fields) => fields.iter().find(|(n, _)| n == name).map(|f| &f.1),
            _ => None,
        }
    }

    /// A text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A whole number that is not negative.
    pub fn whole(&self) -> Option<u32> {
        match self {
            Value::Number(n) if n % 1000 == 0 => u32::try_from(n / 1000).ok(),
            _ => None,
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    fn take(&mut self, sign: &str) -> bool {
        self.skip();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn value(&mut self, depth: u32) -> Option<Value> {
        let deeper = depth.checked_sub(1)?;
        if self.take("{") {
            let mut fields = Vec::new();
            if self.take("}") {
                return Some(Value::Object(fields));
            }
            loop {
                self.skip();
                let name = self.string()?;
                if !self.take(":") {
                    return None;
                }
                fields.push((name, self.value(deeper)?));
                if self.take("}") {
                    return Some(Value::Object(fields));
                }
                if !self.take(",") {
                    return None;
                }
            }
        }
        if self.take("[") {
            let mut items = Vec::new();
            if self.take("]") {
                return Some(Value::List(items));
            }
            loop {
                items.push(self.value(deeper)?);
                if self.take("]") {
                    return Some(Value::List(items));
                }
                if !self.take(",") {
                    return None;
                }
            }
        }
        for (word, value) in [
            ("null", Value::Null),
            ("true", Value::Flag(true)),
            ("false", Value::Flag(false)),
        ] {
            if self.take(word) {
                return Some(value);
            }
        }
        if self.rest.starts_with('"') {
            return self.string().map(Value::Text);
        }
        self.number()
    }

    /// A number as JavaScript writes it. One too great to count in thousandths is as great as can
    /// be counted; one with an exponent is as good as none or as endless.
    fn number(&mut self) -> Option<Value> {
        let end = self
            .rest
            .find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c)))
            .unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        let (text, exponent) = text.split_once(['e', 'E']).unwrap_or((text, ""));
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, text),
        };
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let all_digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || !all_digits(whole) || !all_digits(part) {
            return None;
        }
        if let Some(small) = exponent.strip_prefix('-') {
            return all_digits(small).then_some(Value::Number(sign));
        }
        let digit = |at: usize| part.as_bytes().get(at).map_or(0, |b| i64::from(b - b'0'));
        let part = digit(0) * 100 + digit(1) * 10 + digit(2);
        let most = i64::MAX / 2;
        let whole = match exponent {
            "" => whole.parse::<i64>().unwrap_or(most),
            _ => most,
        };
        Some(Value::Number(
            sign * whole.saturating_mul(1000).saturating_add(part),
        ))
    }

    fn string(&mut self) -> Option<String> {
        let mut chars = self.rest.strip_prefix('"')?.chars();
        let mut out = String::new();
        loop {
            match chars.next()? {
                '"' => break,
                '\\' => match chars.next()? {
                    'n' => out.push('\n'),
                    't' => out.push('\t'),
                    'r' => out.push('\r'),
                    'b' => out.push('\u{8}'),
                    'f' => out.push('\u{c}'),
                    'u' => {
                        let mut code = 0;
                        for _ in 0..4 {
                            code = code * 16 + chars.next()?.to_digit(16)?;
                        }
                        // Halves of a pair that JavaScript let stand alone.
                        out.push(char::from_u32(code).unwrap_or('\u{fffd}'));
                    }
                    sign @ ('"' | '\\' | '/') => out.push(sign),
                    _ => return None,
                },
                c => out.push(c),
            }
        }
        self.rest = chars.as_str();
        Some(out)
    }
}

/// A text in quotes.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c < ' ' => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A list of values that are written already.
pub fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    ["[", &items.join(","), "]"].concat()
}

/// A number with two digits behind the point, from hundredths.
pub fn hundredths(n: u32) -> String {
    let pad = if n % 100 < 10 { "0" } else { "" };
    [&*(n / 100).to_string(), ".", pad, &(n % 100).to_string()].concat()
}

/// An object, being written.
#[derive(Debug)]
pub struct Fields(String);

impl Default for Fields {
    fn default() -> Self {
        Fields("{".into())
    }
}

impl Fields {
    /// A message: an object that says whose it is.
    pub fn message() -> Fields {
        Fields::default().raw("highwater", "1")
    }

    /// A field whose value is written already.
    pub fn raw(mut self, name: &str, value: &str) -> Fields {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(&quoted(name));
        self.0.push(':');
        self.0.push_str(value);
        self
    }

    /// A text.
    pub fn text(self, name: &str, value: &str) -> Fields {
        self.raw(name, &quoted(value))
    }

    /// A whole number.
    pub fn number(self, name: &str, value: u32) -> Fields {
        self.raw(name, &value.to_string())
    }

    /// A boolean.
    pub fn flag(self, name: &str, value: bool) -> Fields {
        self.raw(name, if value { "true" } else { "false" })
    }

    /// The object as text.
    pub fn done(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_javascript_writes_is_read() {
        let value = Value::read(
            "{\"a\":[1,-2.5,0.8,1e21,1e-7,true,null],\"b\\n\\u0416\":\"\\\"x\\\\\",\"c\":{}}",
        )
        .unwrap();
        let list = vec![
            Value::Number(1000),
            Value::Number(-2500),
            Value::Number(800),
            Value::Number(i64::MAX),
            Value::Number(1),
            Value::Flag(true),
            Value::Null,
        ];
        assert_eq!(value.get("a"), Some(&Value::List(list)));
        assert_eq!(value.get("b\nЖ").and_then(Value::text), Some("\"x\\"));
        assert_eq!(value.get("c"), Some(&Value::Object(vec![])));
        assert_eq!(Value::Number(3000).whole(), Some(3));
        for n in [-1000, 1500, i64::MAX] {
            assert_eq!(Value::Number(n).whole(), None, "{n}");
        }
    }

    #[test]
    fn what_is_no_json_is_nothing() {
        for text in [
            "",
            "{",
            "[1",
            "{\"a\"}",
            "{\"a\":}",
            "tru",
            "1 2",
            "\"",
            "\"\\x\"",
            "-",
            ".5",
            "01x",
            "{a:1}",
            "[1,]",
            "\"\\u00\"",
        ] {
            assert_eq!(Value::read(text), None, "{text}");
        }
        assert_eq!(Value::read(&"[".repeat(100_000)), None);
        assert_eq!(Value::read("[[[[[[[[1]]]]]]]]"), None);
        assert!(Value::read("[[[[[[[1]]]]]]]").is_some());
    }

    /// What is written is JSON for others as well.
    #[test]
    fn what_is_written_is_read_by_anybody() {
        let text = Fields::message()
            .text("t", "a\"b\\c\nd\u{1}Ж")
            .number("n", 7)
            .flag("f", false)
            .raw("l", &list(["1".into(), "null".into()].into_iter()))
            .raw("r", &hundredths(105))
            .done();
        let other: serde_json::Value = serde_json::from_str(&text).unwrap();
        let wanted = serde_json::json!({
            "highwater": 1, "t": "a\"b\\c\nd Ж", "n": 7, "f": false, "l": [1, null], "r": 1.05,
        });
        assert_eq!(other, wanted);
        assert!(Value::read(&text).is_some());
    }
}
