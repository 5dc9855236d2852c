//! What must hold in every browser: done by plain WebDriver alone, in those that
//! `HIGHWATER_BROWSERS` names.

use highwater_browser_tests::{Page, built, from_disk_in_each_browser, in_each_browser};
use serde_json::json;

const SCENE: &str = "?scenario=leader-fails&step=0&lang=ru";
const NEXT: &str = ".bar .primary";
const BACK: &str = ".bar .back";
/// Arrow keys, End and Home, as WebDriver writes them.
const RIGHT: &str = "\u{e014}";
const LEFT: &str = "\u{e012}";
const END: &str = "\u{e010}";
const HOME: &str = "\u{e011}";
const ENTER_WITH_CTRL: &str = "\u{e009}\u{e007}";

/// Waits until the page shows a step.
async fn at(page: &Page, step: &str) {
    page.until(
        &format!("the step is {step}"),
        &format!("hw.step() === {step}"),
    )
    .await;
}

#[test]
fn it_loads_and_every_card_and_drawing_is_there() {
    in_each_browser(async |page| {
        page.load("?lang=ru").await;
        assert!(page.text("document.title").await.contains("Highwater"));
        let cards = page.eval("document.querySelectorAll('.sc a').length").await;
        assert!(cards.as_u64().is_some_and(|n| n >= 10), "{cards} cards");
        for query in [
            SCENE,
            "?scenario=overview&step=2&lang=en",
            "?scenario=compare-acks&step=3&lang=ru",
            "?scenario=lags&step=3&lang=en",
        ] {
            page.load(query).await;
            let drawn = "[...document.querySelectorAll('main svg')].some(s => \
                         s.getBoundingClientRect().width > 200 && s.querySelector('text'))";
            let told = "document.querySelector('.face.now').innerText.length > 20";
            assert_eq!(page.eval(drawn).await, json!(true), "{query}: no drawing");
            assert_eq!(page.eval(told).await, json!(true), "{query}: no words");
            let wrong = "[...document.querySelectorAll('[role=alert], .broken, .fatal')].map(e => e.innerText)";
            assert_eq!(page.eval(wrong).await, json!([]), "{query}");
            let fits = "document.documentElement.scrollWidth <= innerWidth";
            assert_eq!(page.eval(fits).await, json!(true), "{query} is too wide");
        }
    });
}

#[test]
fn it_steps_and_goes_back_and_shows_the_same() {
    in_each_browser(async |page| {
        page.load(SCENE).await;
        // Drawn for the page's width at first, and then for its own.
        page.until(
            "the line of steps has its width",
            "(t => t.querySelector('svg').getBoundingClientRect().width === t.clientWidth)\
             (document.querySelector('.track'))",
        )
        .await;
        let mut shown = vec![page.text("hw.shown()").await];
        for step in ["1", "2", "3"] {
            page.tap(NEXT).await;
            at(page, step).await;
            shown.push(page.text("hw.shown()").await);
        }
        for step in [2, 1, 0] {
            page.tap(BACK).await;
            at(page, &step.to_string()).await;
            let again = page.text("hw.shown()").await;
            let differs = shown[step].lines().zip(again.lines()).find(|(a, b)| a != b);
            assert_eq!(differs, None, "step {step}, coming back");
        }
        for (key, step) in [(RIGHT, "1"), (END, "hw.last()"), (HOME, "0"), (RIGHT, "1")] {
            page.keys(".stage", key).await;
            at(page, step).await;
        }
    });
}

#[test]
fn the_line_of_steps_is_a_slider_and_jumps() {
    in_each_browser(async |page| {
        page.load(SCENE).await;
        for (key, step) in [
            (END, "hw.last()"),
            (LEFT, "hw.last() - 1"),
            (HOME, "0"),
            (RIGHT, "1"),
        ] {
            page.keys(".slider", key).await;
            at(page, step).await;
        }
        // Dragged, it says every value on its way.
        page.eval("[2, 5, 9, 4].forEach(hw.go)").await;
        at(page, "4").await;
        page.until("the address follows", "location.search.includes('step=4')")
            .await;
    });
}

#[test]
fn the_language_and_the_look_change_in_place() {
    in_each_browser(async |page| {
        page.load("?scenario=first-write&step=2&lang=ru&theme=light")
            .await;
        let russian = page.text("hw.heading()").await;
        let light = "getComputedStyle(document.body).backgroundColor";
        let ground = page.text(light).await;
        page.tap("button[lang=en]").await;
        page.until(
            "the page is English",
            "document.documentElement.lang === 'en'",
        )
        .await;
        assert_ne!(page.text("hw.heading()").await, russian);
        page.tap("header .seg:last-child button:last-child").await;
        page.until(
            "the page is dark",
            "document.documentElement.dataset.theme === 'dark'",
        )
        .await;
        assert_ne!(page.text(light).await, ground);
        assert_eq!(page.eval("hw.step()").await, json!(2));
    });
}

/// In a frame of its own, and in one that may do nothing but run scripts.
#[test]
fn it_runs_in_a_frame_and_leaves_the_lesson_alone() {
    in_each_browser(async |page| {
        for (path, sandbox) in [
            ("/plain.html", ""),
            ("/sandbox.html", "sandbox='allow-scripts'"),
        ] {
            let lesson = format!(
                "<!doctype html><title>Lesson</title><link rel=icon href='data:,'>\
                 <input autofocus><iframe {sandbox} src='{}{SCENE}' width=720 height=700></iframe>\
                 <p style='height: 1500px'></p>",
                page.server.app()
            );
            page.server.add_page(path, &lesson);
            page.goto(&format!("{}{path}", page.server.origin())).await;
            page.enter_frame().await;
            page.until("the app is there in the frame", Page::READY)
                .await;
            page.leave_frame().await;
            let state = "[document.activeElement.tagName, scrollY].join(' ')";
            assert_eq!(page.text(state).await, "INPUT 0", "{path}");
            page.enter_frame().await;
            page.tap(NEXT).await;
            at(page, "1").await;
            page.tap(BACK).await;
            at(page, "0").await;
            page.leave_frame().await;
        }
    });
}

/// SQLite in a worker: a query that is right, and one that never ends.
#[test]
fn a_query_is_judged_and_an_endless_one_is_stopped() {
    in_each_browser(async |page| {
        page.load("?scenario=replay-sql&step=0&lang=en").await;
        page.until(
            "SQLite is ready",
            "/SQLite 3[.]/.test((document.querySelector('.p-engine, .broken') ?? {}).innerText) \
             && !document.querySelector('progress')",
        )
        .await;
        let turn = "Number(document.querySelector('.practice').dataset.answered)";
        let said = "document.querySelector('.p-verdict').innerText";
        let before = page.eval(turn).await;
        page.eval("document.querySelector('#sql').select()").await;
        page.keys(
            "#sql",
            "SELECT partition_id, log_end - committed_offset AS lag FROM partition_state ORDER BY 1",
        )
        .await;
        page.keys("#sql", ENTER_WITH_CTRL).await;
        page.until("the query is judged", &format!("{turn} > {before}"))
            .await;
        let verdict = page.text(said).await;
        assert!(verdict.starts_with("Right"), "{verdict}");

        page.eval("document.querySelector('#sql').select()").await;
        page.keys(
            "#sql",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
        )
        .await;
        page.keys("#sql", ENTER_WITH_CTRL).await;
        page.until(
            "the query runs",
            "hw.button('Stop')?.ariaDisabled !== 'true'",
        )
        .await;
        page.eval("hw.button('Stop').click()").await;
        page.until(
            "it is told that the query was stopped",
            &format!("/stopped/i.test({said})"),
        )
        .await;
    });
}

/// The single file of a scene, opened straight from disk.
#[test]
fn a_scene_in_one_file_runs_from_disk() {
    let file = built().join("s/leader-fails/leader-fails.en.html");
    let Ok(file) = file.canonicalize() else {
        // A folder made without the scenes' own pages has none; what it has is all tested.
        assert!(!built().join("s").exists(), "s/ has no single file");
        return;
    };
    from_disk_in_each_browser(async |page| {
        page.goto(&format!("file://{}", file.display())).await;
        // There is no engine in it, nothing comes later: it can be turned as soon as it stands.
        let app = |what: &str| format!("document.querySelector('#app {what}')");
        let slider = app(".slider");
        page.until(
            "it can be turned",
            &format!(
                "document.documentElement.matches('[data-alone].live') && {}",
                app(NEXT)
            ),
        )
        .await;
        let shown = format!(
            "[{slider}.value, {}.innerHTML, {}.innerText].join()",
            app(".stage"),
            app(".face.now")
        );
        let last = page.text(&format!("{slider}.max")).await;
        let reach = async |step: &str| {
            page.until(
                &format!("the step is {step}"),
                &format!("{slider}.value === '{step}'"),
            )
            .await;
            page.text(&shown).await
        };
        let mut seen = vec![reach("0").await];
        for step in ["1", "2", "3"] {
            page.tap(NEXT).await;
            seen.push(reach(step).await);
        }
        for n in 1..seen.len() {
            assert_ne!(seen[n - 1], seen[n], "step {n} shows nothing new");
        }
        for step in [2, 1] {
            page.tap(BACK).await;
            assert_eq!(reach(&step.to_string()).await, seen[step], "back at {step}");
        }
        for place in [".slider", ".stage"] {
            for (key, step) in [
                (HOME, "0"),
                (RIGHT, "1"),
                (RIGHT, "2"),
                (LEFT, "1"),
                (END, last.as_str()),
            ] {
                page.keys(&format!("#app {place}"), key).await;
                let now = reach(step).await;
                if let Some(then) = seen.get(step.parse::<usize>().expect("a step")) {
                    assert_eq!(&now, then, "{key:?} on {place}, step {step}");
                }
            }
        }
        let asked = "performance.getEntriesByType('resource').map(e => e.name)\
                     .filter(name => !/^(data|blob):/.test(name))";
        assert_eq!(page.eval(asked).await, json!([]), "it asked for a file");
    });
}

/// The element of a course page: a picture with a button, and the scene in its place.
#[test]
fn the_loader_starts_a_frame_on_a_press() {
    in_each_browser(async |page| {
        let lesson = format!(
            "<!doctype html><title>Lesson</title><link rel=icon href='data:,'>\
             <script type=module src='{app}v1/highwater-embed.js'></script>\
             <high-water scenario=leader-fails lang=en><a href='{app}?scenario=leader-fails'>A leader fails</a></high-water>",
            app = page.server.app()
        );
        page.server.add_page("/lesson.html", &lesson);
        page.goto(&format!("{}/lesson.html", page.server.origin()))
            .await;
        let inside = "document.querySelector('high-water').shadowRoot";
        page.until(
            "it can be started",
            &format!("{inside}?.querySelector('button')"),
        )
        .await;
        assert_eq!(
            page.eval(&format!("{inside}.querySelector('iframe')"))
                .await,
            json!(null)
        );
        page.eval(&format!("{inside}.querySelector('button').click()"))
            .await;
        page.until(
            "a frame is there",
            &format!("{inside}.querySelector('iframe')"),
        )
        .await;
    });
}
