//! Where things stand: no text is cut without a sign of it, and drawings can be read, in small
//! windows, on phones and with enlarged type.

use highwater_browser_tests::{Page, with_broken_page, with_page};
use serde_json::{Value, json};

/// The scenes of the gallery.
async fn scenes(page: &Page) -> Vec<String> {
    page.load("?lang=en").await;
    let links = "[...document.querySelectorAll('.sc a[href*=\"scenario=\"]')]\
                 .map(a => new URL(a.href).searchParams.get('scenario'))";
    let links = page.eval(links).await;
    let all: Vec<String> = (links.as_array().into_iter().flatten())
        .filter_map(|id| id.as_str().map(String::from))
        .filter(|id| id != "replay-sql")
        .collect();
    assert!(all.len() >= 20, "{all:?}");
    all
}

/// At every step: cards whose text does not fit, unless they scroll under a fade, by keys too.
const CUT: &str = "(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const cued = e => {
        const fade = getComputedStyle(e, '::after');
        return e.tabIndex === 0 && getComputedStyle(e).overflowY === 'auto'
            && fade.position === 'sticky' && parseFloat(fade.height) >= 20 && fade.backgroundImage.includes('gradient');
    };
    const found = [];
    for (let step = 0; step <= hw.last(); step++) {
        hw.go(step);
        do { await frame(); } while (hw.step() !== step);
        await frame();
        for (const e of document.querySelectorAll('.card'))
            if (e.scrollHeight > e.clientHeight + 1 && !(framed && cued(e))) found.push([step, e.scrollHeight, e.clientHeight]);
    }
    return found;
})()";

#[test]
fn no_explanation_is_cut_in_a_low_window() {
    with_page(async |page| {
        for scene in scenes(page).await {
            page.load(&format!("?scenario={scene}&step=0&lang=ru&predict=off"))
                .await;
            for (width, height) in [(960, 540), (1366, 650)] {
                page.resize(width, height).await;
                let cut = page.eval(&CUT.replace("framed", "false")).await;
                assert_eq!(cut, json!([]), "{scene} at {width} × {height}");
            }
        }
    });
}

#[test]
fn an_explanation_longer_than_its_frame_scrolls_under_a_fade() {
    with_page(async |page| {
        let all = scenes(page).await;
        let html = "<!doctype html><title>Lesson</title><link rel=icon href='data:,'>\
                    <iframe width=960 height=540></iframe>";
        page.server.add_page("/frame.html", html);
        page.goto(&format!("{}/frame.html", page.server.origin()))
            .await;
        for scene in all {
            page.eval(&format!(
                "(document.querySelector('iframe').src = '{}?scenario={scene}&step=0&lang=ru&predict=off&start=load', 0)",
                page.server.app()
            ))
            .await;
            page.enter_frame().await;
            page.until(
                "the scene is there",
                &format!("location.search.includes('{scene}') && {}", Page::READY),
            )
            .await;
            let cut = page.eval(&CUT.replace("framed", "true")).await;
            assert_eq!(cut, json!([]), "{scene}");
            page.leave_frame().await;
        }
    });
}

/// The least size of letters in the drawings, px as they are seen.
const LEAST: &str = "Math.min(...[...document.querySelectorAll('.stage svg text')].map(t => \
    parseFloat(getComputedStyle(t).fontSize) * t.ownerSVGElement.getBoundingClientRect().width / t.ownerSVGElement.viewBox.baseVal.width))";

#[test]
fn replicas_and_ruler_together_can_be_read_on_a_phone() {
    with_page(async |page| {
        for width in [360, 480, 700] {
            page.resize(width, 740).await;
            page.load("?scenario=where-commits-live&step=3&lang=ru&view=both")
                .await;
            page.until(
                "both are drawn",
                "document.querySelectorAll('.stage > svg').length >= 2",
            )
            .await;
            let under = "[...document.querySelectorAll('.stage > svg')].map(s => s.getBoundingClientRect()).every((r, i, all) => i === 0 || r.top >= all[i - 1].bottom)";
            page.until("each is under the one before", under).await;
            page.until("letters are of 12 px", &format!("{LEAST} >= 11.9"))
                .await;
        }
    });
}

#[test]
fn without_scripts_the_lanes_of_a_comparison_stand_under_each_other_on_a_phone() {
    with_page(async |page| {
        page.resize(360, 740).await;
        let off = json!({ "value": true });
        page.devtools("Emulation.setScriptExecutionDisabled", off)
            .await;
        page.goto(&format!("{}s/compare-acks/en/", page.server.app()))
            .await;
        let narrow = "[...document.querySelectorAll('.board .lane > svg')].filter(s => s.getBoundingClientRect().width < 300).length";
        assert_eq!(page.eval(narrow).await, json!(0));
        // Each lane as a whole: its strips, its logs, then the next.
        let order = "[...document.querySelectorAll('#step-1 .lane')].map(e => [e.getBoundingClientRect().top, e.getAttribute('aria-label') ?? '']) \
                     .sort((a, b) => a[0] - b[0]).map(([, name]) => /acks=\\w+/.exec(name)?.[0] ?? '')";
        let order = page.eval(order).await;
        assert_eq!(
            order,
            json!([
                "acks=0", "acks=0", "acks=1", "acks=1", "acks=all", "acks=all"
            ])
        );
        let wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
        assert_eq!(page.eval(wide).await, json!(false));
    });
}

#[test]
fn enlarged_type_puts_the_card_under_a_stage_that_grows_too() {
    with_page(async |page| {
        page.resize(960, 640).await;
        page.load("?scenario=acks1-loss&step=4&lang=ru&predict=off")
            .await;
        let before = page.eval(LEAST).await.as_f64().unwrap_or_default();
        page.eval("(document.documentElement.style.fontSize = '200%', 0)")
            .await;
        page.until(
            "the card is under the stage",
            "(([s, c]) => c.top >= s.bottom && c.width > 800)(['.stage', '.card'].map(s => document.querySelector(s).getBoundingClientRect()))",
        )
        .await;
        page.until("the drawing grows", &format!("{LEAST} > {before} * 1.3"))
            .await;
        let wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
        assert_eq!(page.eval(wide).await, json!(false));
    });
}

/// A window of 960 × 640 under a zoom of 200 %.
#[test]
fn in_a_very_low_window_nothing_stays_before_the_picture() {
    with_page(async |page| {
        page.resize(480, 320).await;
        for scene in ["lags", "compare-acks"] {
            page.load(&format!("?scenario={scene}&step=6&lang=ru"))
                .await;
            let place = "getComputedStyle(document.querySelector('.time')).position";
            assert_eq!(page.text(place).await, "static", "{scene}");
        }
    });
}

#[test]
fn an_answer_stays_within_the_card() {
    with_page(async |page| {
        for (width, height) in [(360, 740), (960, 640)] {
            page.resize(width, height).await;
            page.load("?").await;
            page.load("?scenario=acks1-loss&step=3&lang=ru").await;
            page.click(Page::NEXT).await;
            page.until("it is asked", "document.querySelector('.question.now')")
                .await;
            page.eval("(document.querySelector('.question.now input').click(), document.querySelector('.question.now .primary').click())").await;
            page.until(
                "it is judged",
                "document.querySelector('.face.now .verdict .guess')",
            )
            .await;
            let out = "(([g, v]) => g.right > v.right)(['.guess', '.verdict'].map(s => document.querySelector('.face.now ' + s).getBoundingClientRect()))";
            assert_eq!(page.eval(out).await, json!(false), "{width}");
            let cut = "[...document.querySelectorAll('.card')].some(e => e.scrollHeight > e.clientHeight + 1)";
            assert_eq!(page.eval(cut).await, json!(false), "{width}");
        }
    });
}

/// The question of the gallery and the statement of the scene stand together, here and there.
#[test]
fn a_scene_is_called_what_its_card_calls_it() {
    with_page(async |page| {
        for lang in ["ru", "en"] {
            page.resize(1280, 800).await;
            page.load("?").await;
            page.load(&format!("?lang={lang}")).await;
            let names =
                "['h2', 'p'].map(s => document.querySelector('.names ' + s)?.textContent ?? '')";
            let hero = page.eval(names).await;
            let card = "document.querySelector('.sc a[href*=\"scenario=acks1-loss\"]').textContent";
            assert_eq!(hero[0], page.eval(card).await);
            assert_ne!(hero[1], json!(""));
            // From the first screen there are three ways on, in the bar and under the scene.
            let ways = "[...document.querySelectorAll('.ways')].map(w => [...w.querySelectorAll('a')].filter(hw.visible).map(a => a.search || a.pathname))";
            let ways = page.eval(ways).await;
            assert_eq!(ways.as_array().map(Vec::len), Some(2), "{ways}");
            for list in ways.as_array().into_iter().flatten() {
                let has = |part: &str| {
                    list.as_array()
                        .into_iter()
                        .flatten()
                        .any(|a| a.as_str().is_some_and(|a| a.contains(part)))
                };
                assert!(
                    has("scenario=acks1-loss") && has("ui=") && has("scenario=replay-sql"),
                    "{ways}"
                );
            }
            page.click("document.querySelector('.page > .ways a')")
                .await;
            page.until(
                "the scene is open",
                "location.search.includes('acks1-loss') && !document.querySelector('.hero')",
            )
            .await;
            assert_eq!(page.eval(names).await, hero);
        }
    });
}

#[test]
fn a_preview_that_does_not_load_is_told_in_one_language() {
    with_broken_page(async |page| {
        page.before_load(
            "{ const wait = setTimeout; window.setTimeout = (f, ms, ...a) => wait(f, ms === 12000 ? 300 : ms, ...a); }",
        )
        .await;
        // A frame in a sandbox is out of reach of the browser's own blocking: the server keeps it.
        page.server.hold(".wasm", true);
        page.resize(1280, 900).await;
        page.goto(&format!(
            "{}embed/?ui=en&scenario=acks1-loss&lang=en",
            page.server.app()
        ))
        .await;
        page.until(
            "all three are told",
            "[...document.querySelectorAll('.notes li')].filter(l => /^✕.*did not load/.test(l.textContent)).length === 3",
        )
        .await;
        let told = page
            .text("document.querySelector('.foot[role=status]').textContent")
            .await;
        assert!(told.contains("did not open"), "{told}");
        page.enter_frame().await;
        // After 15 s without its program.
        page.until("the frame tells", "document.querySelector('.fatal.boot')")
            .await;
        let langs = page
            .eval("[...document.querySelectorAll('.fatal.boot p')].map(p => p.lang)")
            .await;
        assert_eq!(langs, Value::from(vec!["en"]));
        page.server.hold(".wasm", false);
        page.leave_frame().await;
    });
}
