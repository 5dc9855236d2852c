//! Longer words, text that runs to the left, a finger instead of a mouse, terms one does not know.

use highwater_browser_tests::{Page, with_page};
use serde_json::{Value, json};

const PLACES: [&str; 6] = [
    "?lang=ru",
    "?scenario=acks1-loss&step=4&lang=ru",
    "?scenario=lags&step=3&lang=en",
    "?scenario=overview&step=2&lang=ru",
    "?scenario=compare-acks&step=3&lang=en",
    "?scenario=replay-sql&step=1&lang=en",
];

async fn none(page: &Page, what: &str, list: &str) {
    match page.eval(list).await {
        Value::Array(found) if found.is_empty() => {}
        found => panic!("{what}: {found}"),
    }
}

/// A button whose words run out of it.
const SPILT: &str = "hw.controls().filter(e => e.matches('button, .btn') && e.scrollWidth > e.clientWidth + 1).map(hw.say)";

/// Every text outside the drawings twice as long: nothing leaves its box or widens the page.
#[test]
fn words_twice_as_long_have_room() {
    with_page(async |page| {
        for place in PLACES {
            for width in [360, 960] {
                page.resize(width, 740).await;
                page.load("?").await;
                page.load(place).await;
                page.eval(
                    "(() => { const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); \
                      const all = []; while (walk.nextNode()) all.push(walk.currentNode); \
                      for (const t of all) if (t.data.trim() && !t.parentElement.closest('svg, script, textarea, pre, .said, .mono')) t.data += ' ' + t.data; })()",
                )
                .await;
                let wide = page
                    .eval("document.documentElement.scrollWidth > document.documentElement.clientWidth")
                    .await;
                let out = page
                    .eval(
                        "[document.documentElement.scrollWidth, document.documentElement.clientWidth, innerWidth, ...[...document.querySelectorAll(\"*\")].filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth).map(e => hw.say(e) + e.getBoundingClientRect().right)]",
                    )
                    .await;
                assert_eq!(
                    wide,
                    json!(false),
                    "{place} at {width}: the page scrolls sideways: {out}"
                );
                none(
                    page,
                    &format!("{place} at {width}: words out of their button"),
                    SPILT,
                )
                .await;
            }
        }
    });
}

/// The page mirrors, a log does not: offsets grow to the right in every language.
#[test]
fn a_page_that_runs_to_the_left_keeps_the_axis_of_a_log() {
    with_page(async |page| {
        for place in PLACES {
            page.load("?").await;
            page.load(place).await;
            page.eval("document.documentElement.dir = 'rtl'").await;
            let wide = page
                .eval("document.documentElement.scrollWidth > document.documentElement.clientWidth")
                .await;
            assert_eq!(wide, json!(false), "{place}: the page scrolls sideways");
        }
        page.load("?").await;
        page.load("?scenario=acks1-loss&step=4&lang=en").await;
        let cells = "[...document.querySelector('.stage svg').querySelectorAll('.cell')].slice(0, 3).map(c => c.getBoundingClientRect().x)";
        page.eval("document.documentElement.dir = 'rtl'").await;
        let xs = page.eval(cells).await;
        assert!(
            xs[0].as_f64() < xs[1].as_f64() && xs[1].as_f64() < xs[2].as_f64(),
            "{xs}"
        );
        let brand = page
            .eval("document.querySelector('.wm').getBoundingClientRect().x > innerWidth / 2")
            .await;
        assert_eq!(brand, json!(true), "the header does not mirror");
        // The way forwards is to the left now.
        page.eval("document.querySelector('.stage').focus()").await;
        page.press("ArrowLeft", "ArrowLeft").await;
        page.until("a step on", "hw.step() === 5").await;
        page.press("ArrowRight", "ArrowRight").await;
        page.until("a step back", "hw.step() === 4").await;
    });
}

/// What is pressed by a finger is 44 px at least; a term within a sentence is as high as its line.
#[test]
fn a_finger_finds_every_control() {
    with_page(async |page| {
        page.devtools(
            "Emulation.setTouchEmulationEnabled",
            json!({"enabled": true, "maxTouchPoints": 1}),
        )
        .await;
        for place in PLACES {
            page.load("?").await;
            page.load(place).await;
            page.resize(360, 740).await;
            let coarse = page.eval("matchMedia('(pointer: coarse)').matches").await;
            assert_eq!(coarse, json!(true), "the browser plays no touch screen");
            none(
                page,
                &format!("{place}: controls below 44 px"),
                "hw.controls().filter(e => !e.matches('.term, .token, .stage, .card, [role=gridcell]')) \
                 .filter(e => !e.closest('p, li:not(.steps li), h3, .meta')) \
                 .filter(e => { const r = e.getBoundingClientRect(); return r.height < 43.5 || r.width < 43.5; }) \
                 .filter(e => !e.matches('input[type=range]')).map(e => hw.say(e) + ' ' + e.getBoundingClientRect().height)",
            )
            .await;
        }
    });
}

/// A word one does not know is one press away from its sentence, and the focus comes back.
#[test]
fn a_term_opens_the_glossary() {
    with_page(async |page| {
        page.load("?scenario=acks1-loss&step=3&lang=en").await;
        let open = "document.querySelector('dialog.glossary').open";
        let term = "document.querySelector('.face.now .term')";
        let name = page.text(&format!("{term}.dataset.term")).await;
        page.click(term).await;
        page.until("the glossary is open", open).await;
        let said = page
            .text("document.querySelector('dialog.glossary p').textContent")
            .await;
        assert!(said.contains("R-") && said.len() > 40, "{said}");
        page.press("Escape", "Escape").await;
        page.until("it is closed", &format!("!{open}")).await;
        let back = page.text("document.activeElement.dataset.term").await;
        assert_eq!(back, name);
        // By its key too, also in the Russian layout.
        for key in ["g", "п"] {
            page.press(key, "KeyG").await;
            page.until("the glossary is open", open).await;
            let terms = page
                .eval("document.querySelectorAll('dialog.glossary dt').length")
                .await;
            assert!(terms.as_i64() > Some(25), "{terms}");
            page.press("Escape", "Escape").await;
            page.until("it is closed", &format!("!{open}")).await;
        }
    });
}

/// Of a burst of presses only the last step is said, in at most 25 words.
#[test]
fn of_a_burst_only_the_last_step_is_said() {
    with_page(async |page| {
        page.load("?scenario=acks1-loss&step=0&lang=en&predict=off")
            .await;
        page.eval(
            "(() => { globalThis.heard = []; new MutationObserver(() => { \
               const words = [...document.querySelectorAll('.scene [role=status][aria-live]')].map(p => p.textContent).filter(t => t); \
               for (const w of words) if (heard.at(-1) !== w) heard.push(w); \
             }).observe(document.querySelector('.scene .said'), {subtree: true, childList: true, characterData: true}); })()",
        )
        .await;
        page.eval("document.querySelector('.stage').focus()").await;
        for _ in 0..4 {
            page.press("ArrowRight", "ArrowRight").await;
        }
        page.until("something is said", "heard.length > 0").await;
        let heard = page.eval("heard").await;
        let all = heard.as_array().cloned().unwrap_or_default();
        let last = all
            .last()
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_string();
        assert!(all.len() <= 2 && last.contains('4'), "{heard}");
        assert!(last.split_whitespace().count() <= 25, "{last}");
    });
}
