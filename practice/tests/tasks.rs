//! Every solution passes, every known mistake is refused with the sentence that names it, and a
//! right query may be written in any way.

use highwater::text::Lang;
use highwater::view::practice::reply::{Asked, Mark, Outcome, Reply};
use highwater::view::practice::tasks::Task;
use highwater_practice::database::{Cell, run};
use highwater_practice::judge::judge;
use highwater_practice::mistakes::mistakes;
use highwater_practice::solutions::{ordered, solution};

fn ask(task: Task, query: &str) -> Reply {
    let query = query.to_string();
    judge(&Asked {
        turn: 1,
        task,
        query,
    })
}

fn told(reply: &Reply, lang: Lang) -> String {
    let lines = reply.lines.iter().map(|line| line.of(lang).to_string());
    let heading = reply.heading.of(lang).to_string();
    [heading]
        .into_iter()
        .chain(lines)
        .collect::<Vec<_>>()
        .join("\n")
}

fn numbers(task: Task) -> Vec<Vec<String>> {
    let ran = run(solution(task)).expect("it runs");
    let text = |row: &Vec<Cell>| row.iter().map(Cell::to_string).collect();
    ran.rows.iter().map(text).collect()
}

/// The figures of the row O14, and of the tasks built upon it.
#[test]
fn solutions_return_the_figures_that_were_agreed() {
    for (task, rows) in [
        (Task::Lag, vec!["0 5", "1 1", "2 9"]),
        (Task::Between, vec!["0 3 2", "1 0 1", "2 2 4"]),
        (Task::Deleted, vec!["r2 2", "r4 5"]),
        (Task::Reads, vec!["r3 11", "r4 11", "r2 8", "r1 7", "r5 0"]),
        (Task::NothingNew, vec!["r2 8", "r5 0"]),
        (Task::Holes, vec!["0 5 2 8", "1 1 1 11", "2 9 3 25"]),
        (Task::Stable, vec!["0 9 3", "1 4 0", "2 10 1"]),
        (Task::Retention, vec!["0 8 3", "1 8 0", "2 20 0"]),
    ] {
        let mut found: Vec<String> = numbers(task).iter().map(|r| r.join(" ")).collect();
        if !ordered(task) {
            found.sort();
        }
        assert_eq!(found, rows, "{task:?}");
    }
}

#[test]
fn every_solution_passes_and_fits_into_the_editor_of_a_phone() {
    for task in Task::ALL {
        let reply = ask(task, solution(task));
        assert_eq!(
            reply.outcome,
            Outcome::Right,
            "{task:?}: {}",
            told(&reply, Lang::En)
        );
        assert!(reply.rows.iter().all(|row| row.mark == Mark::Same));
        assert_eq!(reply.columns.len(), task.columns().len());
        for line in solution(task).lines() {
            assert!(line.chars().count() <= 34, "{line}");
        }
    }
}

/// Each mistake, made in a whole answer: its columns wrong, the others right.
#[test]
fn every_known_mistake_is_refused_with_its_sentence() {
    for task in Task::ALL {
        for mistake in mistakes(task) {
            let made = run(mistake.query).expect("a mistake runs");
            let query = if made.columns.len() == task.columns().len()
                || !task
                    .columns()
                    .contains(&made.columns.last().map_or("", |c| c.as_str()))
            {
                mistake.query.to_string()
            } else {
                completed(task, mistake.query, &made.columns)
            };
            let reply = ask(task, &query);
            for lang in Lang::ALL {
                let sentence = (mistake.says)(lang);
                let told = told(&reply, lang);
                assert_eq!(reply.outcome, Outcome::Wrong, "{task:?}: {query}");
                assert!(told.contains(&sentence), "{query}\n{told}\nnot: {sentence}");
            }
        }
    }
}

/// A mistake's columns, with those of the solution that it does not spoil.
fn completed(task: Task, mistake: &str, spoilt: &[String]) -> String {
    let name = task.columns()[0];
    let columns: Vec<String> = task
        .columns()
        .iter()
        .map(|column| match spoilt.iter().any(|s| s == column) {
            true => format!("m.{column}"),
            false => format!("s.{column}"),
        })
        .collect();
    let bare = solution(task).trim_end_matches(';');
    format!(
        "SELECT {} FROM ({mistake}) AS m LEFT JOIN ({bare}) AS s ON s.{name} = m.{name}",
        columns.join(", ")
    )
}

/// No mistake returns what is right, or it would be named for nothing; and the first that fits
/// is the one that is meant.
#[test]
fn mistakes_differ_from_the_solution_and_from_each_other() {
    for task in Task::ALL {
        let right = run(solution(task)).expect("it runs");
        let mut seen: Vec<(Vec<String>, Vec<Vec<Cell>>)> = Vec::new();
        for mistake in mistakes(task) {
            let made = run(mistake.query).expect("a mistake runs");
            assert!(made.rows != right.rows || made.columns != right.columns);
            let mut rows = made.rows.clone();
            rows.sort();
            let this = (made.columns.clone(), rows);
            assert!(!seen.contains(&this), "twice: {}", mistake.query);
            seen.push(this);
        }
        assert!(mistakes(task).len() >= 4, "{task:?}");
    }
}

#[test]
fn a_right_query_may_be_written_in_any_way() {
    for (task, query) in [
        // other names, by place
        (
            Task::Lag,
            "SELECT partition_id AS p, log_end - committed_offset FROM partition_state ORDER BY p",
        ),
        // by name, in another order, as real numbers
        (
            Task::Lag,
            "SELECT (log_end - committed_offset) * 1.0 AS LAG, partition_id FROM partition_state ORDER BY 2",
        ),
        // as text, out of two statements
        (
            Task::Lag,
            "SELECT 1; SELECT partition_id, '' || (log_end - committed_offset) AS lag FROM partition_state ORDER BY 1;",
        ),
        // rows in any order, where none was asked for
        (
            Task::Between,
            "SELECT partition_id, fetch_position - processed_next, processed_next - committed_offset FROM partition_state ORDER BY 1 DESC",
        ),
        // without a join
        (
            Task::Deleted,
            "SELECT request_id, (SELECT log_start FROM partition_state p WHERE p.partition_id = r.partition_id) - from_position AS gone FROM replay_requests r WHERE gone > 0",
        ),
        // with a window and a CTE
        (
            Task::Retention,
            "WITH kept AS (SELECT *, row_number() OVER (PARTITION BY partition_id ORDER BY base_offset) AS n FROM segments WHERE newest_age_min <= 60) SELECT k.partition_id, base_offset, iif(base_offset > committed_offset, base_offset - committed_offset, 0) FROM kept k JOIN partition_state USING (partition_id) WHERE n = 1",
        ),
    ] {
        let reply = ask(task, query);
        assert_eq!(
            reply.outcome,
            Outcome::Right,
            "{query}\n{}",
            told(&reply, Lang::En)
        );
    }
}

#[test]
fn what_differs_is_said_by_row_and_column() {
    let reply = ask(
        Task::Lag,
        "SELECT partition_id, log_end - 1 - committed_offset FROM partition_state",
    );
    let ru = told(&reply, Lang::Ru);
    assert!(ru.starts_with("Пока нет: не сошлись 3 строки из 3"), "{ru}");
    assert!(
        ru.contains("Строка p0: в `lag` получилось 4, а нужно 5."),
        "{ru}"
    );
    assert_eq!(reply.rows[0].note.ru, "lag: нужно 5, меньше на 1");
    assert_eq!(reply.rows[0].note.en, "lag: expected 5, 1 less");
    assert!(!reply.solution.is_empty());

    // A row missing, a row too many.
    let reply = ask(Task::Deleted, "SELECT 'r2', 2 UNION SELECT 'r9', 1");
    let marks: Vec<Mark> = reply.rows.iter().map(|row| row.mark).collect();
    assert_eq!(marks, [Mark::Same, Mark::Extra, Mark::Missing]);
    assert_eq!(reply.rows[2].cells, ["r4", "5"]);
    let en = told(&reply, Lang::En);
    assert!(
        en.contains("1 of 2 rows differs") && en.contains("Row r4 is missing."),
        "{en}"
    );

    // Only too many.
    let query = "SELECT partition_id, log_end - committed_offset AS lag FROM partition_state UNION ALL SELECT 7, 7";
    let ru = told(&ask(Task::Lag, query), Lang::Ru);
    assert!(ru.starts_with("Пока нет: 1 лишняя строка"), "{ru}");
    assert!(ru.contains("Строки p7 быть не должно."), "{ru}");

    // The same row twice, as a join without its condition gives.
    let query = "SELECT partition_id, log_end - committed_offset AS lag FROM partition_state, (SELECT 1 UNION SELECT 2)";
    let en = told(&ask(Task::Lag, query), Lang::En);
    assert!(
        en.contains("3 rows too many") && en.contains("Row p0 came more than once."),
        "{en}"
    );
}

#[test]
fn columns_and_order_are_said() {
    let ru = told(
        &ask(
            Task::Between,
            "SELECT partition_id, fetch_position FROM partition_state",
        ),
        Lang::Ru,
    );
    assert!(
        ru.contains("Не хватает: `not_processed`, `not_saved`."),
        "{ru}"
    );
    assert!(ru.contains("Лишнее: `fetch_position`."), "{ru}");
    let query = solution(Task::Reads).replace("DESC", "ASC");
    let en = told(&ask(Task::Reads, &query), Lang::En);
    assert!(
        en.contains("their order is not") && en.contains("r5 stands where r3 should."),
        "{en}"
    );
}

/// Off by one for a reason nobody thought of: the column is named all the same.
#[test]
fn off_by_one_is_named_without_a_known_mistake() {
    let query = solution(Task::Retention)
        .replace("MIN(s.base_offset)\n    AS", "MIN(s.base_offset) - 1 AS");
    let en = told(&ask(Task::Retention, &query), Lang::En);
    assert!(en.contains("`new_start` is off by one each time"), "{en}");
}
