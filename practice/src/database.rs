//! A query on a fresh copy of the tables. What it does to them is gone with the copy.

use highwater::view::practice::tables::{Table, Value};
use rusqlite::fallible_iterator::FallibleIterator;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Batch, Connection, Error};
use std::fmt;

/// Longest query, bytes.
pub const LONGEST_QUERY: usize = 10_000;
/// Rows that are read of a result.
pub const MOST_ROWS: usize = 200;
/// Letters that are shown of a value.
pub const MOST_LETTERS: usize = 200;
/// Columns of a result.
const MOST_COLUMNS: i32 = 50;
/// Bytes of one value, and of all that SQLite holds at once.
const MOST_BYTES: i32 = 1 << 20;
const MOST_MEMORY: i64 = 64 << 20;

/// A value of a result. What a learner may write in another way is the same: `5`, `5.0`, `'5'`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cell {
    /// Nothing.
    Null,
    /// A whole number.
    Int(i64),
    /// Anything else, as it is shown.
    Other(String),
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Null => f.write_str("NULL"),
            Cell::Int(number) => number.fmt(f),
            Cell::Other(text) => text.fmt(f),
        }
    }
}

impl Cell {
    fn of(value: ValueRef<'_>) -> Cell {
        match value {
            ValueRef::Null => Cell::Null,
            ValueRef::Integer(number) => Cell::Int(number),
            ValueRef::Real(real) => {
                // Up to 2^53 a real number holds every whole one.
                let whole = real.fract() == 0.0 && real.abs() < 9.0e15;
                if whole {
                    Cell::Int(real as i64)
                } else {
                    Cell::Other(real.to_string())
                }
            }
            ValueRef::Text(bytes) => {
                let text = String::from_utf8_lossy(bytes);
                match text.trim().parse::<i64>() {
                    Ok(number) if number.to_string() == text.trim() => Cell::Int(number),
                    _ => Cell::Other(text.into_owned()),
                }
            }
            ValueRef::Blob(bytes) => Cell::Other(format!("blob[{}]", bytes.len())),
        }
    }
}

/// What a query returned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// The columns of the last result; none if no statement had one.
    pub columns: Vec<String>,
    /// Its rows, at most [`MOST_ROWS`].
    pub rows: Vec<Vec<Cell>>,
    /// There were more.
    pub cut: bool,
    /// A statement wrote to the copy.
    pub changed: bool,
}

/// Why a query did not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// In SQLite's words.
    pub message: String,
    /// The byte of the query where SQLite stopped, if it says so.
    pub at: Option<usize>,
    /// It was refused by the practice, not by SQL.
    pub forbidden: bool,
}

/// The version of SQLite.
pub fn version() -> &'static str {
    rusqlite::version()
}

/// Runs all statements of a query on a fresh copy of the tables.
pub fn run(query: &str) -> Result<Ran, Failed> {
    let connection = fresh().map_err(|e| failed(query, e))?;
    all(&connection, query).map_err(|e| failed(query, e))
}

/// The same, given up after so many thousand steps of SQLite's machine. For tests: in the page a
/// query that does not end is stopped with its worker.
pub fn run_at_most(query: &str, thousands: u32) -> Result<Ran, Failed> {
    let mut connection = fresh().map_err(|e| failed(query, e))?;
    let mut left = thousands;
    let tired = move || {
        left = left.saturating_sub(1);
        left == 0
    };
    connection
        .progress_handler(1_000, Some(tired))
        .and_then(|()| all(&connection, query))
        .map_err(|e| failed(query, e))
}

fn all(connection: &Connection, query: &str) -> Result<Ran, Error> {
    let mut ran = Ran::default();
    let mut found = false;
    let mut batch = Batch::new(connection, query);
    while let Some(mut statement) = batch.next()? {
        found = true;
        ran.changed |= !statement.readonly();
        let columns: Vec<String> = statement.column_names().map(String::from).collect();
        let count = columns.len();
        if statement.parameter_count() > 0 {
            return Err(Error::InvalidParameterCount(0, statement.parameter_count()));
        }
        let mut rows = Vec::new();
        let mut cut = false;
        let mut result = statement.raw_query();
        while let Some(row) = result.next()? {
            if rows.len() == MOST_ROWS {
                cut = true;
                break;
            }
            let cells = (0..count).map(|at| Ok(Cell::of(row.get_ref(at)?)));
            rows.push(cells.collect::<Result<Vec<_>, Error>>()?);
        }
        if count > 0 {
            (ran.columns, ran.rows, ran.cut) = (columns, rows, cut);
        }
    }
    if found { Ok(ran) } else { Err(Error::Empty) }
}

/// A database in memory with the tables, and with everything barred that is not about them.
fn fresh() -> Result<Connection, Error> {
    let mut connection = Connection::open_in_memory()?;
    connection.query_row(
        &format!("PRAGMA hard_heap_limit = {MOST_MEMORY}"),
        [],
        |_| Ok(()),
    )?;
    for table in Table::ALL {
        connection.execute_batch(&create(table))?;
    }
    for (limit, most) in [
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_LENGTH, MOST_BYTES),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, LONGEST_QUERY as i32),
        (Limit::SQLITE_LIMIT_COLUMN, MOST_COLUMNS),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 100),
    ] {
        connection.set_limit(limit, most)?;
    }
    connection.authorizer(Some(bar))?;
    Ok(connection)
}

/// Other databases, settings and modules are not part of the practice.
fn bar(asked: AuthContext<'_>) -> Authorization {
    match asked.action {
        AuthAction::Attach { .. }
        | AuthAction::Detach { .. }
        | AuthAction::Pragma { .. }
        | AuthAction::CreateVtable { .. }
        | AuthAction::DropVtable { .. } => Authorization::Deny,
        _ => Authorization::Allow,
    }
}

/// The statements that make a table.
fn create(table: Table) -> String {
    let rows = table.rows();
    let kind = |at: usize| match rows.first().and_then(|row| row.get(at)) {
        Some(Value::Text(_)) => "TEXT",
        _ => "INTEGER",
    };
    let columns: Vec<String> = (0..)
        .zip(table.columns())
        .map(|(at, name)| format!("{name} {} NOT NULL", kind(at)))
        .collect();
    let rows: Vec<String> = rows
        .iter()
        .map(|row| {
            let values: Vec<String> = row
                .iter()
                .map(|value| match value {
                    Value::Int(number) => number.to_string(),
                    Value::Text(text) => format!("'{text}'"),
                })
                .collect();
            format!("({})", values.join(", "))
        })
        .collect();
    format!(
        "CREATE TABLE {0} ({1}); INSERT INTO {0} VALUES {2};",
        table.name(),
        columns.join(", "),
        rows.join(", ")
    )
}

fn failed(query: &str, error: Error) -> Failed {
    let plain = |message: String| Failed {
        message,
        at: None,
        forbidden: false,
    };
    match error {
        Error::SqlInputError {
            msg, sql, offset, ..
        } => {
            // The place is counted from the statement that failed, which is the rest of the query.
            let before = query.len().saturating_sub(sql.len());
            let at = usize::try_from(offset).ok().map(|offset| before + offset);
            Failed {
                at: at.filter(|at| *at <= query.len()),
                ..plain(msg)
            }
        }
        Error::SqliteFailure(error, message) => Failed {
            forbidden: error.code == rusqlite::ErrorCode::AuthorizationForStatementDenied,
            ..plain(message.unwrap_or_else(|| error.to_string()))
        },
        Error::Empty => plain(EMPTY.into()),
        Error::InvalidParameterCount(..) => plain(PARAMETER.into()),
        other => plain(other.to_string()),
    }
}

/// The message of a query without a statement.
pub const EMPTY: &str = "empty";
/// The message of a query with parameters.
pub const PARAMETER: &str = "parameter";
