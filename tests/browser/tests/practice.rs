//! The SQL practice: a real database in a worker, stopped when a query does not end.

use highwater_browser_tests::{Page, with_page};
use serde_json::json;

const ENGINE: &str = "(document.querySelector('.p-engine, .broken') ?? {}).innerText";
const VERDICT: &str = "document.querySelector('.p-verdict')";

/// Opens a task and waits for SQLite.
async fn open(page: &Page, step: u32, lang: &str) {
    page.load(&format!("?scenario=replay-sql&step={step}&lang={lang}"))
        .await;
    ready(page).await;
}

async fn ready(page: &Page) {
    let ready = format!("/SQLite 3[.]/.test({ENGINE}) && !document.querySelector('progress')");
    page.until("SQLite is ready", &ready).await;
}

/// Puts a query into the editor, as typing would.
async fn write(page: &Page, query: &str) {
    let set = format!(
        "(area => {{ area.focus(); area.select(); \
         document.execCommand('insertText', false, {}); return area.value; }})\
         (document.querySelector('#sql'))",
        json!(query)
    );
    assert_eq!(page.text(&set).await, query);
}

/// Checks with the keyboard and returns the verdict of this very query.
async fn check(page: &Page, query: &str) -> String {
    let turn = "Number(document.querySelector('.practice').dataset.answered)";
    let before = page.eval(turn).await;
    write(page, query).await;
    chord(page).await;
    page.until("the query is judged", &format!("{turn} > {before}"))
        .await;
    page.text(&format!("{VERDICT}.innerText")).await
}

/// Ctrl and Enter.
async fn chord(page: &Page) {
    for kind in ["rawKeyDown", "keyUp"] {
        let event = json!({ "type": kind, "key": "Enter", "code": "Enter", "modifiers": 2, "windowsVirtualKeyCode": 13 });
        page.devtools("Input.dispatchKeyEvent", event).await;
    }
}

const RIGHT: &str =
    "SELECT partition_id, log_end - committed_offset AS lag FROM partition_state ORDER BY 1";

#[test]
fn a_task_is_solved_and_the_next_one_opened() {
    with_page(async |page| {
        open(page, 0, "ru").await;
        let verdict = check(page, RIGHT).await;
        assert!(verdict.starts_with("Верно"), "{verdict}");
        assert_eq!(page.text("document.activeElement.id").await, "sql");
        page.click("document.querySelector('.p-verdict button')")
            .await;
        page.until(
            "the second task is open",
            "location.search.includes('step=1') && document.querySelector('.p-task h3').innerText.includes('Задача 2')",
        )
        .await;
        let pressed = "document.querySelector('.p-tasks button').getAttribute('aria-label')";
        assert_eq!(page.text(pressed).await, "Задача 1, решена: Лаг коммита");
    });
}

#[test]
fn a_wrong_answer_is_named_and_an_error_points_at_its_place() {
    with_page(async |page| {
        open(page, 0, "en").await;
        let locked = "!!document.querySelector('.p-locked')";
        let verdict = check(
            page,
            "SELECT partition_id,\n  commited_offset\nFROM partition_state",
        )
        .await;
        assert!(
            verdict.contains("line 2") && verdict.contains("committed_offset"),
            "{verdict}"
        );
        assert_eq!(
            page.text("document.querySelector('.p-edit mark').innerText")
                .await,
            "commited_offset"
        );
        let alert = page
            .text("document.querySelector('[role=alert]').innerText")
            .await;
        assert!(
            alert.contains("There is no column commited_offset"),
            "{alert}"
        );
        assert_eq!(
            page.eval(locked).await,
            json!(true),
            "an error is no attempt"
        );

        let wrong = RIGHT.replace("log_end -", "log_end - 1 -");
        let verdict = check(page, &wrong).await;
        assert!(verdict.contains("3 of 3 rows differ"), "{verdict}");
        assert!(
            verdict.contains("the number of the last record (9)"),
            "{verdict}"
        );
        let rows =
            "[...document.querySelectorAll('.p-result tbody tr')].map(r => r.innerText).join('; ')";
        let rows = page.text(rows).await;
        assert!(rows.contains("lag: expected 5, 1 less"), "{rows}");
        assert_eq!(page.eval(locked).await, json!(false));
        assert!(
            !page
                .text("document.querySelector('.p-solution pre').textContent")
                .await
                .is_empty()
        );
        // In the other language without asking again.
        page.click("document.querySelector('button[lang=ru]')")
            .await;
        page.until(
            "the verdict is Russian",
            &format!("{VERDICT}.innerText.includes('не сошлись 3 строки из 3')"),
        )
        .await;
    });
}

#[test]
fn a_query_that_never_ends_is_stopped_and_the_next_one_works() {
    with_page(async |page| {
        open(page, 0, "en").await;
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
        write(page, endless).await;
        chord(page).await;
        page.until(
            "it is said to run",
            &format!("String({ENGINE}).includes('is running')"),
        )
        .await;
        page.click(
            "[...document.querySelectorAll('.p-bar button')].find(b => b.innerText === 'Stop')",
        )
        .await;
        page.until(
            "it is said to be stopped",
            &format!("{VERDICT} && {VERDICT}.innerText.includes('was stopped')"),
        )
        .await;
        ready(page).await;
        let verdict = check(page, RIGHT).await;
        assert!(verdict.starts_with("Right"), "{verdict}");

        // Who goes on to another task has not to wait for the query of this one.
        write(page, endless).await;
        chord(page).await;
        page.until(
            "it runs again",
            &format!("String({ENGINE}).includes('is running')"),
        )
        .await;
        page.click("document.querySelectorAll('.p-tasks button')[2]")
            .await;
        ready(page).await;
        let verdict = check(page, "SELECT 1").await;
        assert!(!verdict.starts_with("Right"), "{verdict}");
    });
}

#[test]
fn it_works_in_a_sandboxed_frame_of_a_lesson() {
    with_page(async |page| {
        let lesson = format!(
            "<!doctype html><title>Lesson</title><link rel=icon href='data:,'>\
             <iframe sandbox='allow-scripts' src='{}?scenario=replay-sql&lang=en' width=720 height=900></iframe>",
            page.server.app()
        );
        page.server.add_page("/practice.html", &lesson);
        page.goto(&format!("{}/practice.html", page.server.origin()))
            .await;
        page.enter_frame().await;
        page.until("the practice is there in the frame", Page::READY)
            .await;
        ready(page).await;
        page.leave_frame().await;
    });
}

#[test]
fn the_module_is_loaded_only_when_the_practice_is_opened() {
    with_page(async |page| {
        let loaded =
            "performance.getEntriesByType('resource').some(e => e.name.includes('/sqlite-'))";
        page.load("?lang=en").await;
        assert_eq!(page.eval(loaded).await, json!(false));
        page.click("document.querySelector('#practice a')").await;
        ready(page).await;
        assert_eq!(page.eval(loaded).await, json!(true));
        assert_eq!(
            page.text("location.search").await,
            "?scenario=replay-sql&step=0&lang=en"
        );
    });
}

/// Tab goes out of the editor; every figure that is drawn is in a table too.
#[test]
fn it_is_usable_without_a_mouse_and_without_the_drawing() {
    with_page(async |page| {
        open(page, 0, "ru").await;
        page.eval("document.querySelector('#sql').focus()").await;
        page.press("Tab", "Tab").await;
        assert_ne!(page.text("document.activeElement.id").await, "sql");
        let tables = "[...document.querySelectorAll('.practice caption .said')].map(c => c.textContent).join()";
        assert_eq!(
            page.text(tables).await,
            "Таблица partition_state,Таблица replay_requests"
        );
        let label = "document.querySelector('#sql').labels[0].innerText";
        assert_eq!(page.text(label).await, "Запрос SQL");
    });
}
