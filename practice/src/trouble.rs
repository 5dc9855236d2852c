//! A query that did not run: where, and why, in words.

use crate::database::{EMPTY, Failed, PARAMETER};
use highwater::script::nearest::nearest;
use highwater::text::Lang;
use highwater::text::practice::sqlite as says;
use highwater::view::practice::reply::Both;
use highwater::view::practice::tables::Table;

/// What stands in a starter where the reader is to write.
const GAP: char = '…';

/// What is said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// With the line, if the place is known.
    pub heading: Both,
    /// Why, a guess at what was meant, and that it does not count.
    pub lines: Vec<Both>,
    /// The bytes of the query that are to blame.
    pub place: Option<(usize, usize)>,
}

/// SQLite's message in the reader's language, with the place.
pub fn trouble(query: &str, failed: &Failed) -> Trouble {
    let message = failed.message.as_str();
    let mut at = failed.at.filter(|at| query.is_char_boundary(*at));
    let mut name = None;
    let lines: Vec<Both> = if failed.forbidden {
        vec![Both::say(says::forbidden)]
    } else if message == EMPTY {
        vec![Both::say(says::empty)]
    } else if message == PARAMETER {
        vec![Both::say(says::parameter)]
    } else if message
        .strip_prefix("no such column: ")
        .is_some_and(|name| name.contains(GAP))
    {
        // To SQLite the ellipsis is a name like any other.
        vec![Both::say(says::gap)]
    } else if let Some(found) = message.strip_prefix("no such column: ") {
        // SQLite adds advice of its own to names in double quotes.
        let found = found.split(" - ").next().unwrap_or(found).trim_matches('"');
        name = Some(found);
        let bare = found.rsplit('.').next().unwrap_or(found);
        with_similar(
            Both::say(|lang| says::no_column(lang, found)),
            nearest(bare, Table::ALL.iter().flat_map(|t| t.columns()).copied()),
        )
    } else if let Some(found) = message.strip_prefix("no such table: ") {
        name = Some(found);
        let bare = found.rsplit('.').next().unwrap_or(found);
        with_similar(
            Both::say(|lang| says::no_table(lang, found)),
            nearest(bare, Table::ALL.iter().map(|t| t.name())),
        )
    } else if let Some(found) = message.strip_prefix("no such function: ") {
        name = Some(found);
        let functions = [
            "count", "sum", "min", "max", "avg", "abs", "coalesce", "iif",
        ];
        with_similar(
            Both::say(|lang| says::no_function(lang, found)),
            nearest(found, functions.into_iter()),
        )
    } else if let Some(found) = message.strip_prefix("ambiguous column name: ") {
        name = Some(found);
        vec![Both::say(|lang| says::ambiguous(lang, found))]
    } else if let Some(found) = quoted(message, "near \"", "\": syntax error") {
        vec![Both::say(|lang| says::near(lang, found))]
    } else if message == "incomplete input" {
        at = Some(query.trim_end().trim_end_matches(';').trim_end().len());
        vec![Both::say(says::incomplete)]
    } else if let Some(found) = quoted(message, "unrecognized token: \"", "\"") {
        vec![Both::say(|lang| says::no_token(lang, found))]
    } else if let Some(found) = quoted(message, "misuse of aggregate: ", "()").or(quoted(
        message,
        "misuse of aggregate function ",
        "()",
    )) {
        name = Some(found);
        vec![Both::say(|lang| says::aggregate(lang, found))]
    } else if let Some(found) = quoted(message, "wrong number of arguments to function ", "()") {
        name = Some(found);
        vec![Both::say(|lang| says::arguments(lang, found))]
    } else if message.contains("out of memory") || message.contains("too big") {
        vec![Both::say(says::too_big)]
    } else {
        vec![Both::say(|lang| says::own_words(lang, message))]
    };
    let at = at.or_else(|| word(query, name?));
    finish(query, at, lines)
}

/// A query that is not even given to SQLite.
pub fn too_long(limit: usize) -> Trouble {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    finish(
        "",
        None,
        vec![Both::say(|lang| says::too_long(lang, limit))],
    )
}

fn finish(query: &str, at: Option<usize>, mut lines: Vec<Both>) -> Trouble {
    lines.push(Both::say(says::no_attempt));
    let place = at.map(|at| extent(query, at));
    let heading = match place {
        Some((at, _)) => {
            let line = query[..at].matches('\n').count() + 1;
            let line = u32::try_from(line).unwrap_or(u32::MAX);
            Both::say(|lang| says::failed_at(lang, line))
        }
        None => Both::say(says::failed),
    };
    Trouble {
        heading,
        lines,
        place,
    }
}

fn with_similar(said: Both, similar: Option<String>) -> Vec<Both> {
    let mut lines = vec![said];
    lines.extend(similar.map(|name| Both::say(|lang: Lang| says::similar(lang, &name))));
    lines
}

fn quoted<'a>(message: &'a str, before: &str, after: &str) -> Option<&'a str> {
    message.strip_prefix(before)?.strip_suffix(after)
}

fn of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | GAP)
}

/// From a byte to the end of the word, or of the sign, that stands there. At the very end it is
/// the last sign before.
fn extent(query: &str, at: usize) -> (usize, usize) {
    let rest = &query[at..];
    let Some(first) = rest.chars().next() else {
        let last = query.char_indices().next_back();
        return (last.map_or(0, |(at, _)| at), query.len());
    };
    if !of_name(first) {
        return (at, at + first.len_utf8());
    }
    let length = rest.find(|c| !of_name(c)).unwrap_or(rest.len());
    (at, at + length)
}

/// Where a name stands in the query as a word of its own.
fn word(query: &str, name: &str) -> Option<usize> {
    // Lower-casing ASCII alone keeps every byte where it is.
    let (query, name) = (query.to_ascii_lowercase(), name.to_ascii_lowercase());
    query
        .match_indices(&name)
        .find(|(at, found)| {
            let before = query[..*at].chars().next_back();
            let after = query[at + found.len()..].chars().next();
            !before.is_some_and(of_name) && !after.is_some_and(of_name)
        })
        .map(|(at, _)| at)
}
