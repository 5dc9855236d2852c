//! What is there before the program, and where the program never comes.

use highwater_browser_tests::{DEEP, Page, built, with_broken_page, with_page};
use serde_json::json;

const SCENE: &str = "s/acks1-loss/";
const HEADING: &str = "document.querySelector('#app .face.now .t-st').textContent";
const LIVE: &str = "document.querySelector('#app .stage svg')";

async fn step(page: &Page) -> String {
    page.text("document.querySelector('#app .slider').value")
        .await
}

#[test]
fn without_scripts_every_step_can_be_read() {
    with_page(async |page| {
        page.devtools(
            "Emulation.setScriptExecutionDisabled",
            json!({ "value": true }),
        )
        .await;
        page.goto(&format!("{}{SCENE}en/", page.server.app())).await;
        let seen = "[...document.querySelectorAll('.beat')].every(b => b.innerText.length > 40 && \
                    [...b.querySelectorAll('svg.draw')].some(s => s.getBoundingClientRect().height > 50))";
        assert_eq!(page.eval(seen).await, json!(true));
        let count = page.eval("document.querySelectorAll('.beat').length").await;
        assert_eq!(count, json!(14));
        let said = page.text("document.body.innerText").await;
        assert!(said.contains("switched off"), "{said}");
        let ways = "[...document.querySelectorAll('.beat .go a')].every(a => document.querySelector(a.hash))";
        assert_eq!(page.eval(ways).await, json!(true));
    });
}

#[test]
fn where_a_policy_forbids_the_program_the_steps_turn_and_it_is_told() {
    with_broken_page(async |page| {
        let html = std::fs::read_to_string(built().join(SCENE).join("index.html"))
            .expect("it is built")
            .replace(" 'wasm-unsafe-eval'", "");
        let path = format!("{DEEP}s/strict/index.html");
        page.server.add_page(&path, &html);
        page.goto(&format!("{}{path}", page.server.origin())).await;
        page.until("it is drawn", LIVE).await;
        page.until("it is told", "document.querySelector('.fatal.boot')")
            .await;
        let told = page
            .text("document.querySelector('.fatal.boot').innerText")
            .await;
        assert!(
            told.contains("Интерактив отключён политикой безопасности страницы"),
            "{told}"
        );
        for wanted in ["1", "2"] {
            page.eval("document.querySelector('#app .bar .primary').click()")
                .await;
            assert_eq!(step(page).await, wanted);
        }
        page.eval("document.querySelector('#app .bar .back').click()")
            .await;
        assert_eq!(step(page).await, "1");
    });
}

#[test]
fn before_the_program_has_come_the_steps_turn_and_it_takes_over_where_they_are() {
    with_page(async |page| {
        for address in [
            "s/acks1-loss/",
            "?scenario=acks1-loss&lang=en",
            "",
            "s/overview/en/",
        ] {
            page.server.hold(".wasm", true);
            page.goto(&format!("{}{address}", page.server.app())).await;
            page.until(
                "it is drawn",
                "document.querySelector('.live #app .bar') && document.querySelector('#board')",
            )
            .await;
            page.eval("(window.moved = 0, new PerformanceObserver(l => l.getEntries().forEach(e => window.moved += e.value)).observe({ type: 'layout-shift' }))").await;
            for _ in 0..3 {
                page.eval("document.querySelector('#app .bar .primary').click()")
                    .await;
            }
            page.eval("document.querySelector('#app .bar .primary').focus()")
                .await;
            let heading = page.text(HEADING).await;
            let places = "JSON.stringify(['.widget', '.card', '.time', '.bar'].map(s => { \
                          const r = document.querySelector('#app ' + s).getBoundingClientRect(); \
                          return [r.x, r.y, r.width, r.height].map(Math.round); }))";
            let before = page.text(places).await;
            assert_eq!(step(page).await, "3", "{address}");
            assert_eq!(
                page.eval("document.documentElement.dataset.program ?? ''")
                    .await,
                json!("")
            );
            page.server.hold(".wasm", false);
            page.until("the program is there", Page::READY).await;
            assert_eq!(page.text(HEADING).await, heading, "{address}");
            assert_eq!(step(page).await, "3", "{address}");
            assert_eq!(page.text(places).await, before, "{address}");
            page.until(
                "the focus is kept",
                "document.activeElement.matches('.primary')",
            )
            .await;
            let moved = page.eval("window.moved").await.as_f64().unwrap_or(1.0);
            assert!(moved < 0.001, "{address}: it moved by {moved}");
        }
    });
}

#[test]
fn one_file_from_disk_can_be_stepped() {
    with_broken_page(async |page| {
        let file = built().join("s/lags/lags.en.html");
        let file = file.canonicalize().expect("it is built");
        page.goto(&format!("file://{}", file.display())).await;
        page.until("it is drawn", LIVE).await;
        let first = page.text(HEADING).await;
        page.press("ArrowRight", "ArrowRight").await;
        page.press("ArrowRight", "ArrowRight").await;
        assert_eq!(step(page).await, "2");
        assert_ne!(page.text(HEADING).await, first);
        page.press("Home", "Home").await;
        assert_eq!(page.text(HEADING).await, first);
        let said = page.text("document.body.innerText").await;
        assert!(said.contains("in one file"), "{said}");
    });
}

#[test]
fn on_paper_there_is_the_storyboard_and_no_empty_box() {
    with_page(async |page| {
        page.goto(&format!("{}{SCENE}", page.server.app())).await;
        page.until("the program is there", Page::READY).await;
        page.devtools("Emulation.setEmulatedMedia", json!({ "media": "print" }))
            .await;
        let app =
            "[...document.querySelectorAll('#app > :not(.defs)')].every(e => !e.offsetHeight)";
        assert_eq!(page.eval(app).await, json!(true));
        let shown = "[...document.querySelectorAll('.beat:not(.same)')]";
        let full = format!(
            "{shown}.length > 5 && {shown}.every(b => {{ const s = [...b.querySelectorAll('.stage svg')].filter(s => s.getBoundingClientRect().height > 50); return s.length === 1 && b.querySelector('.text').offsetHeight > 20; }})"
        );
        assert_eq!(page.eval(&full).await, json!(true));
        let two =
            format!("new Set({shown}.map(b => Math.round(b.getBoundingClientRect().x))).size");
        assert_eq!(page.eval(&two).await, json!(2));
    });
}
