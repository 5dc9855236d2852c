//! JSON, written. Nothing is read back here, and a library for both costs a quarter of the page.

use std::fmt::Write;

/// A value being written.
#[derive(Default)]
pub struct Json {
    text: String,
    /// Whether the next member follows another.
    more: bool,
}

impl Json {
    /// What was written.
    pub fn into_text(self) -> String {
        self.text
    }

    fn next(&mut self) {
        if std::mem::replace(&mut self.more, true) {
            self.text.push(',');
        }
    }

    fn inside(&mut self, open: char, close: char, body: impl FnOnce(&mut Json)) {
        self.text.push(open);
        self.more = false;
        body(self);
        self.text.push(close);
        self.more = true;
    }

    /// An object.
    pub fn object(&mut self, body: impl FnOnce(&mut Json)) {
        self.next();
        self.inside('{', '}', body);
    }

    /// The name of a member of an object; its value follows.
    pub fn key(&mut self, key: &str) -> &mut Json {
        self.text(key);
        self.text.push(':');
        self.more = false;
        self
    }

    /// A list.
    pub fn list<T>(&mut self, of: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut Json, T)) {
        self.next();
        self.inside('[', ']', |json| {
            for item in of {
                each(json, item);
            }
        });
    }

    /// A number.
    pub fn number(&mut self, number: impl Into<i64>) {
        self.next();
        let _ = write!(self.text, "{}", number.into());
    }

    /// A number, or `null`.
    pub fn number_or_null(&mut self, number: Option<impl Into<i64>>) {
        match number {
            Some(number) => self.number(number),
            None => {
                self.next();
                self.text.push_str("null");
            }
        }
    }

    /// A text.
    pub fn text(&mut self, text: &str) {
        self.next();
        self.text.push('"');
        for c in text.chars() {
            match c {
                '"' => self.text.push_str("\\\""),
                '\\' => self.text.push_str("\\\\"),
                '\n' => self.text.push_str("\\n"),
                // `<` so that no HTML page can be ended by a text within it.
                c if (c as u32) < 0x20 || c == '<' => {
                    let _ = write!(self.text, "\\u{:04x}", c as u32);
                }
                c => self.text.push(c),
            }
        }
        self.text.push('"');
    }

    /// A text, or `null`.
    pub fn text_or_null(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => {
                self.next();
                self.text.push_str("null");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn what_is_written_is_read_as_what_it_was() {
        let mut json = Json::default();
        json.object(|o| {
            o.key("a \"b\"").text("x\n\u{1}</script>\\");
            o.key("n").list([1, 2], |l, n| l.number(n));
            o.key("none").number_or_null(None::<i64>);
            o.key("e").object(|_| ());
            o.key("z").text_or_null(Some("я"));
        });
        let read: serde_json::Value = serde_json::from_str(&json.into_text()).unwrap();
        assert_eq!(
            read,
            serde_json::json!({"a \"b\"": "x\n\u{1}</script>\\", "n": [1, 2], "none": null, "e": {}, "z": "я"})
        );
    }
}
