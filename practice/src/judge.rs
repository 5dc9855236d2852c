//! From a query to what the reader is told of it.

use crate::compare::{CellDiffers, Difference, Found, Mark, compare, places, project, same_set};
use crate::database::{Cell, LONGEST_QUERY, MOST_LETTERS, MOST_ROWS, Ran, run};
use crate::mistakes::{Mistake, mistakes};
use crate::solutions::{ordered, solution};
use crate::trouble::{Trouble, too_long, trouble};
use highwater::text::practice::{judge as says, tasks};
use highwater::view::practice::reply::{self, Asked, Both, Outcome, Reply, Row};
use highwater::view::practice::tasks::Task;

/// Runs a query and compares what it returns with what the task's solution returns.
pub fn judge(asked: &Asked) -> Reply {
    let mut reply = Reply {
        turn: asked.turn,
        task: asked.task,
        outcome: Outcome::Error,
        heading: Both::default(),
        lines: Vec::new(),
        place: None,
        columns: Vec::new(),
        rows: Vec::new(),
        solution: String::new(),
    };
    if asked.query.len() > LONGEST_QUERY {
        return failed(reply, too_long(LONGEST_QUERY));
    }
    let (ran, expected) = match (run(&asked.query), run(solution(asked.task))) {
        (Ok(ran), Ok(expected)) => (ran, expected),
        (Err(error), _) => return failed(reply, trouble(&asked.query, &error)),
        (_, Err(error)) => return failed(reply, trouble(solution(asked.task), &error)),
    };
    if ran.columns.is_empty() {
        reply.heading = Both::say(says::no_result);
        reply.lines.push(Both::say(says::no_result_about));
        remarks(&mut reply, &ran);
        return reply;
    }
    let found = compare(
        asked.task.columns(),
        &expected.rows,
        ordered(asked.task),
        &ran,
    );
    reply.outcome = match found {
        Found::Same => Outcome::Right,
        _ => Outcome::Wrong,
    };
    reply.columns = ran.columns.iter().map(|name| short(name)).collect();
    reply.rows = rows(asked.task, &ran, &found);
    tell(&mut reply, asked.task, &ran, found);
    remarks(&mut reply, &ran);
    reply.solution = solution(asked.task).into();
    reply
}

fn failed(mut reply: Reply, trouble: Trouble) -> Reply {
    let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    reply.heading = trouble.heading;
    reply.lines = trouble.lines;
    reply.place = trouble.place.map(|(from, to)| (byte(from), byte(to)));
    reply
}

/// What belongs to a run whatever it returned.
fn remarks(reply: &mut Reply, ran: &Ran) {
    if ran.cut {
        let limit = MOST_ROWS as i64;
        reply.lines.push(Both::say(|l| says::rows_cut(l, limit)));
    }
    let long =
        |cell: &Cell| matches!(cell, Cell::Other(text) if text.chars().count() > MOST_LETTERS);
    if ran.rows.iter().flatten().any(long) {
        let limit = MOST_LETTERS as i64;
        reply.lines.push(Both::say(|l| says::text_cut(l, limit)));
    }
    if ran.changed {
        reply.lines.push(Both::say(says::changed));
    }
}

fn short(text: &str) -> String {
    if text.chars().count() <= MOST_LETTERS {
        return text.into();
    }
    text.chars().take(MOST_LETTERS).chain(['…']).collect()
}

fn shown(cell: &Cell) -> String {
    short(&cell.to_string())
}

/// The rows of the result with their comparison; those that are missing stand at the end.
fn rows(task: Task, ran: &Ran, found: &Found) -> Vec<Row> {
    let cells = |row: &[Cell]| row.iter().map(shown).collect();
    let row = |row: &[Cell], mark, note| Row {
        cells: cells(row),
        mark,
        note,
    };
    let difference = match found {
        Found::Rows(difference) => difference,
        Found::Same => {
            let same = |r: &Vec<Cell>| row(r, reply::Mark::Same, Both::say(says::same));
            return ran.rows.iter().map(same).collect();
        }
        Found::Columns { .. } | Found::Order(..) => {
            let plain = |r: &Vec<Cell>| row(r, reply::Mark::Same, Both::default());
            return ran.rows.iter().map(plain).collect();
        }
    };
    let mut all: Vec<Row> = ran
        .rows
        .iter()
        .zip(&difference.rows)
        .map(|(r, mark)| match mark {
            Mark::Same => row(r, reply::Mark::Same, Both::say(says::same)),
            Mark::Differs(cells) => row(r, reply::Mark::Differs, note(task, cells)),
            Mark::Extra | Mark::Twice => row(r, reply::Mark::Extra, Both::say(says::extra)),
        })
        .collect();
    // A missing row is shown in the order of the result's columns.
    let Ok(places) = places(task.columns(), &ran.columns) else {
        return all;
    };
    all.extend(difference.missing.iter().map(|missing| {
        let mut turned = vec![Cell::Null; missing.len()];
        for (cell, at) in missing.iter().zip(&places) {
            turned[*at] = cell.clone();
        }
        row(&turned, reply::Mark::Missing, Both::say(says::missing))
    }));
    all
}

fn note(task: Task, cells: &[CellDiffers]) -> Both {
    Both::say(|lang| {
        let all: Vec<String> = cells
            .iter()
            .map(|cell| {
                let column = task.columns()[cell.column];
                let expected = shown(&cell.expected);
                match cell.by() {
                    Some(by) if by < 0 => says::less(lang, column, -by, &expected),
                    Some(by) => says::more(lang, column, by, &expected),
                    None => says::other(lang, column, &expected),
                }
            })
            .collect();
        all.join("; ")
    })
}

/// A row as it is called: p0, r2.
fn called(task: Task, name: &Cell) -> String {
    match (task.columns().first(), name) {
        (Some(&"partition_id"), Cell::Int(id)) => format!("p{id}"),
        _ => shown(name),
    }
}

fn in_code(names: &[String]) -> String {
    let coded: Vec<String> = names
        .iter()
        .map(|name| format!("`{}`", short(name).replace('`', "'")))
        .collect();
    coded.join(", ")
}

fn tell(reply: &mut Reply, task: Task, ran: &Ran, found: Found) {
    match found {
        Found::Same => {
            reply.heading = Both::say(says::right);
            reply.lines.push(Both::say(right(task)));
        }
        Found::Order(got, wanted) => {
            reply.heading = Both::say(says::wrong_order);
            let (got, wanted) = (called(task, &got), called(task, &wanted));
            let said = Both::say(|l| says::order_first(l, &got, &wanted));
            reply.lines.push(said);
        }
        Found::Columns { missing, extra } => {
            reply.heading = Both::say(says::wrong_columns);
            let wanted: Vec<String> = task.columns().iter().map(|c| c.to_string()).collect();
            let wanted = in_code(&wanted);
            let said = Both::say(|l| says::columns_wanted(l, &wanted));
            reply.lines.push(said);
            if !missing.is_empty() {
                let list = in_code(&missing);
                let said = Both::say(|l| says::column_missing(l, &list));
                reply.lines.push(said);
            }
            if !extra.is_empty() {
                let list = in_code(&extra);
                let said = Both::say(|l| says::column_extra(l, &list));
                reply.lines.push(said);
            }
            reply
                .lines
                .extend(known(task, ran).map(|m| Both::say(m.says)));
        }
        Found::Rows(difference) => {
            reply.heading = heading(&difference);
            reply.lines.push(first(task, ran, &difference));
            reply.lines.push(match known(task, ran) {
                Some(mistake) => Both::say(mistake.says),
                None => match off_by_one(task, &difference) {
                    Some(column) => Both::say(|l| says::off_by_one(l, column)),
                    None => Both::say(says::look_at_boundaries),
                },
            });
        }
    }
}

fn heading(difference: &Difference) -> Both {
    let count = |wanted: fn(&Mark) -> bool| difference.rows.iter().filter(|m| wanted(m)).count();
    let same = count(|m| *m == Mark::Same);
    let wrong = difference.expected.saturating_sub(same) as i64;
    let extra = count(|m| matches!(m, Mark::Extra | Mark::Twice)) as i64;
    let of = difference.expected as i64;
    match wrong {
        0 => Both::say(|l| says::extra_rows(l, extra)),
        _ => Both::say(|l| says::wrong_rows(l, wrong, of)),
    }
}

/// The first thing that differs, in words.
fn first(task: Task, ran: &Ran, difference: &Difference) -> Both {
    let places = places(task.columns(), &ran.columns).unwrap_or_default();
    let names = project(&ran.rows, &places);
    let marks = names.iter().zip(&difference.rows);
    let wrong = marks.clone().find(|(_, m)| matches!(m, Mark::Differs(_)));
    let row = |row: &Vec<Cell>| called(task, row.first().unwrap_or(&Cell::Null));
    if let Some((cells, Mark::Differs(list))) = wrong
        && let Some(cell) = list.first()
    {
        let column = task.columns()[cell.column];
        let (got, want) = (shown(&cell.got), shown(&cell.expected));
        return Both::say(|l| says::row_differs(l, &row(cells), column, &got, &want));
    }
    if let Some(missing) = difference.missing.first() {
        return Both::say(|l| says::row_missing(l, &row(missing)));
    }
    let twice = marks.clone().find(|(_, m)| **m == Mark::Twice);
    if let Some((cells, _)) = twice {
        return Both::say(|l| says::row_twice(l, &row(cells)));
    }
    let extra = marks.clone().find(|(_, m)| **m == Mark::Extra);
    let name = extra.map_or_else(String::new, |(cells, _)| row(cells));
    Both::say(|l| says::row_extra(l, &name))
}

/// The column in which every row is off by one in the same way, if that is all.
fn off_by_one(task: Task, difference: &Difference) -> Option<&'static str> {
    let mut seen = None;
    for mark in &difference.rows {
        let Mark::Differs(cells) = mark else {
            return None;
        };
        let [cell] = cells.as_slice() else {
            return None;
        };
        let this = (cell.column, cell.by().filter(|by| by.abs() == 1)?);
        if *seen.get_or_insert(this) != this {
            return None;
        }
    }
    let (column, _) = seen?;
    (difference.rows.len() == difference.expected).then(|| task.columns()[column])
}

/// The known mistake that returns this.
pub fn known(task: Task, ran: &Ran) -> Option<&'static Mistake> {
    mistakes(task).iter().find(|mistake| {
        let Ok(made) = run(mistake.query) else {
            return false;
        };
        match places(task.columns(), &ran.columns) {
            Ok(places) => {
                let at = |name: &String| {
                    let column = task.columns().iter().position(|c| c == name)?;
                    places.get(column).copied()
                };
                let spoilt: Option<Vec<usize>> = made.columns.iter().map(at).collect();
                spoilt.is_some_and(|spoilt| same_set(&project(&ran.rows, &spoilt), &made.rows))
            }
            Err(_) => made.columns.len() == ran.columns.len() && same_set(&ran.rows, &made.rows),
        }
    })
}

/// What a right answer means.
fn right(task: Task) -> fn(highwater::text::Lang) -> String {
    match task {
        Task::Lag => tasks::lag_right,
        Task::Between => tasks::between_right,
        Task::Deleted => tasks::deleted_right,
        Task::Reads => tasks::reads_right,
        Task::NothingNew => tasks::nothing_new_right,
        Task::Holes => tasks::holes_right,
        Task::Stable => tasks::stable_right,
        Task::Retention => tasks::retention_right,
    }
}
