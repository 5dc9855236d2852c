//! What goes between the page and the module with the database: texts, one after another, each
//! with its length before it, so that nothing in a learner's query can be taken for a sign of
//! ours.

use super::tasks::Task;
use crate::text::Lang;

/// A query that is to be run and judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Which press it was; the answer repeats it.
    pub turn: u32,
    /// The task.
    pub task: Task,
    /// The query as it stands in the editor.
    pub query: String,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The task is solved.
    Right,
    /// It ran; the answer is another one.
    Wrong,
    /// It did not run. It does not count as an attempt.
    Error,
}

/// How a row of the result stands to what was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The same, or nothing was compared.
    Same,
    /// Something in it differs.
    Differs,
    /// It should not be there.
    Extra,
    /// It should be there and is not.
    Missing,
}

/// A text in both languages, so that the page can change its language without asking again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Both {
    /// In Russian.
    pub ru: String,
    /// In English.
    pub en: String,
}

impl Both {
    /// Says it in each.
    pub fn say(phrase: impl Fn(Lang) -> String) -> Both {
        Both {
            ru: phrase(Lang::Ru),
            en: phrase(Lang::En),
        }
    }

    /// In one.
    pub fn of(&self, lang: Lang) -> &str {
        match lang {
            Lang::Ru => &self.ru,
            Lang::En => &self.en,
        }
    }
}

/// A row of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its values, as they are shown.
    pub cells: Vec<String>,
    /// How it compares.
    pub mark: Mark,
    /// The same in words; empty if nothing was compared.
    pub note: Both,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The press that it answers.
    pub turn: u32,
    /// The task that was judged.
    pub task: Task,
    /// How it ended.
    pub outcome: Outcome,
    /// What changed, with the numbers.
    pub heading: Both,
    /// Sentences under it.
    pub lines: Vec<Both>,
    /// The place of an error in the query, bytes from and to.
    pub place: Option<(u32, u32)>,
    /// The columns of the result; none if there is no result.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: Vec<Row>,
    /// A query that solves the task, sent once an attempt was made.
    pub solution: String,
}

fn put(out: &mut String, text: &str) {
    out.push_str(&text.len().to_string());
    out.push(':');
    out.push_str(text);
}

struct Reader<'a>(&'a str);

impl<'a> Reader<'a> {
    fn text(&mut self) -> Option<&'a str> {
        let (length, rest) = self.0.split_once(':')?;
        let length: usize = length.parse().ok()?;
        let text = rest.get(..length)?;
        self.0 = rest.get(length..)?;
        Some(text)
    }

    fn number(&mut self) -> Option<u32> {
        self.text()?.parse().ok()
    }

    fn both(&mut self) -> Option<Both> {
        Some(Both {
            ru: self.text()?.into(),
            en: self.text()?.into(),
        })
    }

    /// A list, its length first.
    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = self.number()?;
        (0..length).map(|_| one(self)).collect()
    }
}

impl Asked {
    /// As text.
    pub fn encode(&self) -> String {
        let mut out = String::new();
        put(&mut out, &self.turn.to_string());
        put(&mut out, &self.task.number().to_string());
        put(&mut out, &self.query);
        out
    }

    /// From text; `None` if it is none of ours.
    pub fn decode(text: &str) -> Option<Asked> {
        let mut read = Reader(text);
        Some(Asked {
            turn: read.number()?,
            task: Task::of_number(read.number()?)?,
            query: read.text()?.into(),
        })
    }
}

const OUTCOMES: [Outcome; 3] = [Outcome::Right, Outcome::Wrong, Outcome::Error];
const MARKS: [Mark; 4] = [Mark::Same, Mark::Differs, Mark::Extra, Mark::Missing];

impl Reply {
    /// As text.
    pub fn encode(&self) -> String {
        let mut out = String::new();
        let number = |out: &mut String, n: usize| put(out, &n.to_string());
        let both = |out: &mut String, b: &Both| {
            put(out, &b.ru);
            put(out, &b.en);
        };
        number(&mut out, self.turn as usize);
        number(&mut out, self.task.number() as usize);
        number(&mut out, self.outcome as usize);
        both(&mut out, &self.heading);
        number(&mut out, self.lines.len());
        self.lines.iter().for_each(|line| both(&mut out, line));
        let place: Vec<u32> = self.place.map_or(Vec::new(), |(from, to)| vec![from, to]);
        number(&mut out, place.len());
        place.iter().for_each(|at| number(&mut out, *at as usize));
        number(&mut out, self.columns.len());
        self.columns.iter().for_each(|name| put(&mut out, name));
        number(&mut out, self.rows.len());
        for row in &self.rows {
            number(&mut out, row.cells.len());
            row.cells.iter().for_each(|cell| put(&mut out, cell));
            number(&mut out, row.mark as usize);
            both(&mut out, &row.note);
        }
        put(&mut out, &self.solution);
        out
    }

    /// From text; `None` if it is none of ours.
    pub fn decode(text: &str) -> Option<Reply> {
        let mut read = Reader(text);
        Some(Reply {
            turn: read.number()?,
            task: Task::of_number(read.number()?)?,
            outcome: *OUTCOMES.get(read.number()? as usize)?,
            heading: read.both()?,
            lines: read.list(Reader::both)?,
            place: match read.list(Reader::number)?.as_slice() {
                [from, to] => Some((*from, *to)),
                _ => None,
            },
            columns: read.list(|r| Some(r.text()?.to_string()))?,
            rows: read.list(|r| {
                Some(Row {
                    cells: r.list(|r| Some(r.text()?.to_string()))?,
                    mark: *MARKS.get(r.number()? as usize)?,
                    note: r.both()?,
                })
            })?,
            solution: read.text()?.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_arrives_as_it_was_written() {
        let asked = Asked {
            turn: 7,
            task: Task::Holes,
            query: "SELECT '3:4', 'ё'; -- 12:".into(),
        };
        assert_eq!(Asked::decode(&asked.encode()), Some(asked));
        for bad in ["", "1:1", "x:1", "9:1", "1:11:91:x", "2:яя"] {
            assert_eq!(Asked::decode(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_answer_arrives_whole() {
        let word = |text: &str| Both {
            ru: format!("{text} по-русски"),
            en: text.into(),
        };
        let reply = Reply {
            turn: 3,
            task: Task::Lag,
            outcome: Outcome::Wrong,
            heading: word("heading"),
            lines: vec![word("one"), word("two:2")],
            place: Some((4, 9)),
            columns: vec!["partition_id".into(), "5:".into()],
            rows: vec![
                Row {
                    cells: vec!["0".into(), String::new()],
                    mark: Mark::Differs,
                    note: word("less"),
                },
                Row {
                    cells: Vec::new(),
                    mark: Mark::Missing,
                    note: Both::default(),
                },
            ],
            solution: "SELECT 1;".into(),
        };
        let text = reply.encode();
        assert_eq!(Reply::decode(&text), Some(reply));
        // Cut short anywhere, it is refused and nothing falls over.
        for (at, _) in text.char_indices() {
            assert_eq!(Reply::decode(&text[..at]), None);
        }
    }
}
