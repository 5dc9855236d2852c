//! Whether two results are the same: columns by their names or by their places, rows as a set,
//! their order only where it was asked for; and if not, what differs.

use crate::database::{Cell, Ran};
use std::collections::BTreeMap;

/// The outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The same.
    Same,
    /// Other columns than were asked for.
    Columns {
        /// Asked for and not there.
        missing: Vec<String>,
        /// There and not asked for.
        extra: Vec<String>,
    },
    /// The same rows in another order: what stands at the first wrong place, and what should.
    Order(Cell, Cell),
    /// Other rows.
    Rows(Difference),
}

/// How rows differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Of each row of the result.
    pub rows: Vec<Mark>,
    /// Rows that are not there, as they should be.
    pub missing: Vec<Vec<Cell>>,
    /// How many rows were expected.
    pub expected: usize,
}

/// How a row stands to what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It is expected.
    Same,
    /// The row of this name is expected with other values.
    Differs(Vec<CellDiffers>),
    /// No row of this name is expected.
    Extra,
    /// The row of this name was there already.
    Twice,
}

/// A value that is another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellDiffers {
    /// Which of the columns asked for.
    pub column: usize,
    /// What the result has.
    pub got: Cell,
    /// What it should have.
    pub expected: Cell,
}

impl CellDiffers {
    /// How much too great it is, of numbers.
    pub fn by(&self) -> Option<i64> {
        match (&self.got, &self.expected) {
            (Cell::Int(got), Cell::Int(expected)) => got.checked_sub(*expected),
            _ => None,
        }
    }
}

/// For each column asked for, its place in the result: by name where the name is there, the
/// others in their order. `Err`: there are too many or too few.
pub fn places(wanted: &[&str], got: &[String]) -> Result<Vec<usize>, Found> {
    let mut free: Vec<usize> = (0..got.len()).collect();
    let mut named: Vec<Option<usize>> = wanted
        .iter()
        .map(|name| {
            let at = free
                .iter()
                .position(|at| got[*at].eq_ignore_ascii_case(name))?;
            Some(free.remove(at))
        })
        .collect();
    if wanted.len() != got.len() {
        let unnamed = wanted.iter().zip(&named).filter(|(_, at)| at.is_none());
        return Err(Found::Columns {
            missing: unnamed.map(|(name, _)| name.to_string()).collect(),
            extra: free.iter().map(|at| got[*at].clone()).collect(),
        });
    }
    let mut free = free.into_iter();
    for place in &mut named {
        if place.is_none() {
            *place = free.next();
        }
    }
    Ok(named.into_iter().flatten().collect())
}

/// The rows with these columns alone.
pub fn project(rows: &[Vec<Cell>], places: &[usize]) -> Vec<Vec<Cell>> {
    rows.iter()
        .map(|row| {
            places
                .iter()
                .filter_map(|at| row.get(*at).cloned())
                .collect()
        })
        .collect()
}

/// Whether two lists have the same rows, in any order.
pub fn same_set(a: &[Vec<Cell>], b: &[Vec<Cell>]) -> bool {
    let sorted = |rows: &[Vec<Cell>]| {
        let mut rows = rows.to_vec();
        rows.sort();
        rows
    };
    sorted(a) == sorted(b)
}

/// Compares a result with what was expected; the first column names a row.
pub fn compare(wanted: &[&str], expected: &[Vec<Cell>], ordered: bool, got: &Ran) -> Found {
    let places = match places(wanted, &got.columns) {
        Ok(places) => places,
        Err(found) => return found,
    };
    let rows = project(&got.rows, &places);
    if !got.cut && same_set(&rows, expected) {
        let wrong = rows.iter().zip(expected).find(|(got, want)| got != want);
        return match wrong {
            Some((got, want)) if ordered => Found::Order(name(got), name(want)),
            _ => Found::Same,
        };
    }
    let mut open: BTreeMap<Cell, &Vec<Cell>> =
        expected.iter().map(|row| (name(row), row)).collect();
    let known: Vec<Cell> = open.keys().cloned().collect();
    // A row that is right takes its place before one of the same name that is not.
    let mut marks: Vec<Option<Mark>> = rows
        .iter()
        .map(|row| {
            let right = open.get(&name(row)).is_some_and(|want| *want == row);
            right.then(|| {
                open.remove(&name(row));
                Mark::Same
            })
        })
        .collect();
    for (row, mark) in rows.iter().zip(&mut marks) {
        if mark.is_some() {
            continue;
        }
        *mark = Some(match open.remove(&name(row)) {
            Some(want) => Mark::Differs(differing(row, want)),
            None if known.contains(&name(row)) => Mark::Twice,
            None => Mark::Extra,
        });
    }
    Found::Rows(Difference {
        rows: marks.into_iter().flatten().collect(),
        missing: expected
            .iter()
            .filter(|row| open.contains_key(&name(row)))
            .cloned()
            .collect(),
        expected: expected.len(),
    })
}

fn name(row: &[Cell]) -> Cell {
    row.first().cloned().unwrap_or(Cell::Null)
}

fn differing(row: &[Cell], want: &[Cell]) -> Vec<CellDiffers> {
    (0..)
        .zip(row.iter().zip(want))
        .filter(|(_, (got, want))| got != want)
        .map(|(column, (got, want))| CellDiffers {
            column,
            got: got.clone(),
            expected: want.clone(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(numbers: &[i64]) -> Vec<Cell> {
        numbers.iter().map(|n| Cell::Int(*n)).collect()
    }

    fn ran(columns: &[&str], rows: &[&[i64]]) -> Ran {
        Ran {
            columns: columns.iter().map(|c| c.to_string()).collect(),
            rows: rows.iter().map(|r| row(r)).collect(),
            ..Ran::default()
        }
    }

    const WANTED: [&str; 2] = ["id", "lag"];

    fn found(columns: &[&str], rows: &[&[i64]], ordered: bool) -> Found {
        let expected = [row(&[0, 5]), row(&[1, 1])];
        compare(&WANTED, &expected, ordered, &ran(columns, rows))
    }

    #[test]
    fn names_win_over_places_and_places_do_without_names() {
        for columns in [["id", "lag"], ["x", "y"], ["ID", "?column"], ["id", "x"]] {
            assert_eq!(found(&columns, &[&[1, 1], &[0, 5]], false), Found::Same);
        }
        for columns in [["lag", "id"], ["lag", "x"], ["x", "id"]] {
            assert_eq!(found(&columns, &[&[5, 0], &[1, 1]], true), Found::Same);
        }
    }

    #[test]
    fn order_counts_only_where_it_was_asked_for() {
        let rows: [&[i64]; 2] = [&[1, 1], &[0, 5]];
        assert_eq!(found(&WANTED, &rows, false), Found::Same);
        let other = Found::Order(Cell::Int(1), Cell::Int(0));
        assert_eq!(found(&WANTED, &rows, true), other);
    }

    #[test]
    fn columns_too_many_or_too_few_are_named() {
        let columns = |missing: &[&str], extra: &[&str]| Found::Columns {
            missing: missing.iter().map(|c| c.to_string()).collect(),
            extra: extra.iter().map(|c| c.to_string()).collect(),
        };
        assert_eq!(found(&["id"], &[&[0]], false), columns(&["lag"], &[]));
        assert_eq!(
            found(&["id", "lag", "more"], &[&[0, 5, 1]], false),
            columns(&[], &["more"])
        );
        assert_eq!(found(&["5"], &[&[0]], false), columns(&WANTED, &["5"]));
    }

    #[test]
    fn each_row_is_told_how_it_differs() {
        let Found::Rows(difference) = found(&WANTED, &[&[0, 4], &[7, 1], &[0, 5]], false) else {
            panic!("the rows differ");
        };
        assert_eq!(difference.rows, [Mark::Twice, Mark::Extra, Mark::Same]);
        assert_eq!(difference.missing, [row(&[1, 1])]);
        let Found::Rows(difference) = found(&WANTED, &[&[0, 4], &[1, 1]], false) else {
            panic!("a row differs");
        };
        let Mark::Differs(cells) = &difference.rows[0] else {
            panic!("the first row differs");
        };
        assert_eq!((cells[0].column, cells[0].by()), (1, Some(-1)));
        assert_eq!(difference.rows[1], Mark::Same);
        assert!(difference.missing.is_empty());
    }

    #[test]
    fn a_result_that_was_cut_is_never_right() {
        let expected = [row(&[0, 5])];
        let mut got = ran(&WANTED, &[&[0, 5]]);
        assert_eq!(compare(&WANTED, &expected, false, &got), Found::Same);
        got.cut = true;
        assert_ne!(compare(&WANTED, &expected, false, &got), Found::Same);
    }
}
