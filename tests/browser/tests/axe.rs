//! axe-core finds nothing: the rules of WCAG 2.2 A and AA that a program can check, on every kind
//! of page. The script is fetched by `cargo xtask test`, which names it in `AXE`.

use highwater_browser_tests::{Page, built, with_page};
use serde_json::Value;

/// Every kind of view there is, at a step where it shows much.
const VIEWS: [&str; 9] = [
    "?",
    "?scenario=leader-fails&step=6",
    "?scenario=overview&step=2",
    "?scenario=compare-acks&step=3",
    "?scenario=lags&step=3",
    "?scenario=replay&step=4",
    "?scenario=replay-sql&step=6",
    "?scenario=where-commits-live&step=5",
    "?scenario=leader-fails&step=6&controls=compact&hide=card&contrast=more&no-such=1",
];

const RUN: &str = "axe.run(document, { preload: false, iframes: false, resultTypes: ['violations'], \
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then(found => \
    found.violations.flatMap(rule => rule.nodes.map(node => \
    `${rule.id}: ${node.target.join(' ')} ${node.html.slice(0, 120)} (${(node.any[0] ?? node.all[0] ?? node.none[0])?.message ?? ''})`)))";

/// Adds what axe finds on the page that is open.
async fn look(page: &Page, axe: &str, place: &str, faults: &mut Vec<String>) {
    // What slides in is not measured half-way.
    page.until(
        "it stands still",
        "document.getAnimations().every(a => a.playState !== 'running')",
    )
    .await;
    page.settled(&format!("{axe}; true")).await;
    match page.settled(RUN).await {
        Value::Array(found) => faults.extend(
            found
                .iter()
                .map(|f| format!("{place}: {}", f.as_str().unwrap_or_default())),
        ),
        other => panic!("{place}: axe says {other}"),
    }
}

/// All views in a language and a look.
fn clean(lang: &str, theme: &str) {
    let path = std::env::var("AXE").unwrap_or_else(|_| {
        panic!("AXE names no axe.min.js: run `cargo xtask test browser`, which fetches it")
    });
    let axe = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    with_page(async |page| {
        let mut faults = Vec::new();
        // It does find what is there to be found.
        page.load(&format!("?lang={lang}")).await;
        page.eval("document.querySelector('main').append(document.createElement('button'))")
            .await;
        look(page, &axe, "", &mut faults).await;
        assert!(
            faults.len() == 1 && faults[0].contains("button-name"),
            "a button without a name: {faults:?}"
        );
        faults.clear();
        for view in VIEWS {
            let joint = if view == "?" { "" } else { "&" };
            let place = format!("{view}{joint}lang={lang}&theme={theme}");
            page.load(&place).await;
            look(page, &axe, &place, &mut faults).await;
        }
        // A question, and the sentence about an answer.
        page.load(&format!(
            "?scenario=acks1-loss&step=3&lang={lang}&theme={theme}"
        ))
        .await;
        page.click(Page::NEXT).await;
        page.until("it asks", "document.querySelector('.question.now')")
            .await;
        look(page, &axe, "a question", &mut faults).await;
        // What the reader does differently.
        page.load(&format!(
            "?scenario=acks1-loss&step=1&lang={lang}&theme={theme}"
        ))
        .await;
        page.click("document.querySelector('.what-if > summary')")
            .await;
        page.click("document.querySelector('.moves-of button')")
            .await;
        page.until("a move was made", "document.querySelector('.note.own')")
            .await;
        look(page, &axe, "a branch", &mut faults).await;
        // The dialogs of a scene.
        page.load(&format!(
            "?scenario=leader-fails&step=6&lang={lang}&theme={theme}"
        ))
        .await;
        page.eval("document.querySelector('.stage').focus()").await;
        page.press("?", "Digit7").await;
        page.until("help is open", "document.querySelector('dialog[open]')")
            .await;
        look(page, &axe, "help", &mut faults).await;

        page.prefer("prefers-color-scheme", theme).await;
        page.goto(&format!(
            "{}embed/?ui={lang}&scenario=leader-fails&lang={lang}",
            page.server.app()
        ))
        .await;
        page.until(
            "the snippet is there",
            "document.querySelector('#code')?.textContent",
        )
        .await;
        look(page, &axe, "the builder", &mut faults).await;
        let words = if lang == "ru" { "" } else { "en/" };
        for scene in ["leader-fails", "lags", "overview", "compare-acks"] {
            let place = format!("s/{scene}/{words}");
            if built().join(&place).join("index.html").exists() {
                page.goto(&format!("{}{place}", page.server.app())).await;
                look(page, &axe, &place, &mut faults).await;
            }
        }
        faults.sort();
        assert!(
            faults.is_empty(),
            "{} faults:\n{}",
            faults.len(),
            faults.join("\n")
        );
    });
}

#[test]
fn axe_finds_nothing_in_russian_by_day() {
    clean("ru", "light");
}

#[test]
fn axe_finds_nothing_in_russian_by_night() {
    clean("ru", "dark");
}

#[test]
fn axe_finds_nothing_in_english_by_day() {
    clean("en", "light");
}

#[test]
fn axe_finds_nothing_in_english_by_night() {
    clean("en", "dark");
}
