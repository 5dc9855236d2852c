//! What a query must not do, and what is said of one that does not run.

use highwater::text::Lang;
use highwater::view::practice::reply::{Asked, Outcome, Reply};
use highwater::view::practice::tasks::Task;
use highwater_practice::database::{LONGEST_QUERY, MOST_LETTERS, MOST_ROWS, run, run_at_most};
use highwater_practice::judge::judge;

fn ask(query: &str) -> Reply {
    let query = query.to_string();
    judge(&Asked {
        turn: 1,
        task: Task::Lag,
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

#[test]
fn an_error_points_at_its_place() {
    for (query, blamed, russian) in [
        (
            "SELECT partition_id,\n  log_end - commited_offset\nFROM partition_state",
            "commited_offset",
            "Запрос не выполнился: строка 2\nНет столбца `commited_offset`.\nЕсть похожее имя: `committed_offset`.\nПопытка не засчитана.",
        ),
        (
            "SELECT 1;\n\nSELECT ё FROM partition_state",
            "ё",
            "Запрос не выполнился: строка 3\nНет столбца `ё`.\nПопытка не засчитана.",
        ),
        (
            "SELECT *\nFROM partition_states",
            "partition_states",
            "Запрос не выполнился: строка 2\nНет таблицы `partition_states`.\nЕсть похожее имя: `partition_state`.\nПопытка не засчитана.",
        ),
        (
            "SELECT partition_id\nFORM partition_state",
            "partition_state",
            "Запрос не выполнился: строка 2\nSQL не ожидает здесь `partition_state`. Часто ошибка стоит чуть раньше: лишняя или забытая запятая, скобка, слово.\nПопытка не засчитана.",
        ),
        (
            "SELECT partition_id\nFROM partition_state JOIN replay_requests",
            "partition_id",
            "Запрос не выполнился: строка 1\nСтолбец `partition_id` есть в нескольких таблицах: напишите, из какой, например `p.partition_id`.\nПопытка не засчитана.",
        ),
        (
            "SELECT partition_id,\n  …\n    AS lag\nFROM partition_state",
            "…",
            "Запрос не выполнился: строка 2\nЗдесь стоит многоточие: напишите вместо него выражение.\nПопытка не засчитана.",
        ),
        (
            "SELECT maks(1)",
            "maks",
            "Запрос не выполнился: строка 1\nНет функции `maks`.\nЕсть похожее имя: `max`.\nПопытка не засчитана.",
        ),
        (
            "SELECT (1 + 2",
            "2",
            "Запрос не выполнился: строка 1\nЗапрос обрывается: чего-то не хватает в конце, может быть закрывающей скобки.\nПопытка не засчитана.",
        ),
        (
            "SELECT partition_id FROM partition_state\nWHERE COUNT(*) > 1",
            "COUNT",
            "Запрос не выполнился: строка 2\n`COUNT` считает по группе строк, и в этом месте его не бывает. Условие на группы пишется в `HAVING`.\nПопытка не засчитана.",
        ),
    ] {
        let reply = ask(query);
        assert_eq!(reply.outcome, Outcome::Error, "{query}");
        assert_eq!(told(&reply, Lang::Ru), russian);
        let place = reply
            .place
            .map(|(from, to)| &query[from as usize..to as usize]);
        assert_eq!(place, Some(blamed), "{query}");
        let en = told(&reply, Lang::En);
        assert!(en.contains("This does not count as an attempt."), "{en}");
        assert!(reply.solution.is_empty(), "an error opens no solution");
    }
}

#[test]
fn nothing_runs_without_a_query() {
    for query in ["", "  \n", "-- SELECT 1", ";;"] {
        let reply = ask(query);
        assert!(
            told(&reply, Lang::En).contains("There is no query in the field"),
            "{query}"
        );
    }
    let reply = ask("DELETE FROM partition_state");
    assert_eq!(reply.outcome, Outcome::Error);
    let ru = told(&reply, Lang::Ru);
    assert!(
        ru.contains("ничего не вернул") && ru.contains("изменил свою копию"),
        "{ru}"
    );
    let reply = ask("SELECT ?1");
    assert!(
        told(&reply, Lang::En).contains("has a parameter"),
        "{reply:?}"
    );
}

#[test]
fn other_databases_settings_and_modules_are_barred() {
    for query in [
        "ATTACH 'x.db' AS x",
        "ATTACH ':memory:' AS x",
        "DETACH main",
        "PRAGMA writable_schema = 1",
        "PRAGMA hard_heap_limit = 0",
        "SELECT * FROM pragma_database_list",
        "VACUUM INTO 'copy.db'",
        "CREATE VIRTUAL TABLE v USING dbstat",
    ] {
        assert!(run(query).is_err(), "{query} ran");
    }
    let reply = ask("PRAGMA table_info(partition_state)");
    assert!(
        told(&reply, Lang::Ru).contains("Это здесь не разрешено"),
        "{reply:?}"
    );
}

#[test]
fn whatever_happens_to_the_tables_they_come_back() {
    let query = "UPDATE partition_state SET log_end = 0; DROP TABLE replay_requests; \
                 CREATE TABLE more (x); SELECT log_end FROM partition_state";
    let ran = run(query).expect("it runs on its copy");
    assert!(ran.changed && ran.rows.len() == 3);
    let again = run(
        "SELECT sum(log_end), (SELECT count(*) FROM replay_requests), \
                     (SELECT count(*) FROM sqlite_master) FROM partition_state",
    );
    let row = &again.expect("the tables are there").rows[0];
    assert_eq!(
        row.iter().map(|c| c.to_string()).collect::<Vec<_>>(),
        ["53", "5", "5"]
    );
}

#[test]
fn what_is_too_much_is_cut_and_said() {
    let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i FROM n";
    let ran = run(endless).expect("only so many rows are read");
    assert!(ran.cut && ran.rows.len() == MOST_ROWS);
    assert!(told(&ask(endless), Lang::Ru).contains("Прочитаны только первые 200 строк"));

    let reply = ask("SELECT 0, hex(zeroblob(400))");
    assert_eq!(reply.rows[0].cells[1].chars().count(), MOST_LETTERS + 1);
    assert!(told(&reply, Lang::En).contains("shown up to character 200"));

    let reply = ask(&format!("SELECT 1 {}", "-".repeat(LONGEST_QUERY)));
    assert!(told(&reply, Lang::Ru).contains("Запрос длиннее 10000 знаков"));
    for big in [
        "SELECT zeroblob(100000000)",
        "SELECT replace(hex(zeroblob(500000)), '00', zeroblob(500000))",
    ] {
        let ru = told(&ask(big), Lang::Ru);
        assert!(ru.contains("не хватило памяти"), "{ru}");
    }
}

/// In the page such a query is stopped with its worker; here by a count of steps.
#[test]
fn a_query_that_never_ends_can_be_given_up() {
    let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let failed = run_at_most(endless, 100).expect_err("it never ends");
    assert_eq!(failed.message, "interrupted");
    assert_eq!(
        run_at_most("SELECT 1", 100).map(|ran| ran.rows.len()),
        Ok(1)
    );
}
