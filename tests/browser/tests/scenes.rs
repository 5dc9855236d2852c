//! Every scene of the gallery, walked both ways.

use highwater_browser_tests::{Page, with_page};
use serde_json::Value;

/// What a step shows: the drawing with all its places, the card, the words.
const SHOWN: &str = "hw.shown()";
/// Elements of a drawing of three brokers.
const MOST_ELEMENTS: u64 = 600;

/// The scenes the front page links to.
async fn scenes(page: &Page) -> Vec<String> {
    page.load("?lang=en").await;
    let links = page
        .eval(
            "[...document.querySelectorAll('#scenes a[href*=\"scenario=\"]')]\
             .map(a => new URL(a.href).searchParams.get('scenario'))",
        )
        .await;
    let scenes: Vec<String> = match links {
        Value::Array(ids) => ids
            .iter()
            .filter_map(|id| id.as_str().map(String::from))
            .collect(),
        other => panic!("no scenes: {other}"),
    };
    assert!(
        scenes.len() >= 10,
        "the gallery has {} scenes",
        scenes.len()
    );
    scenes
}

#[test]
fn back_from_every_step_shows_what_that_step_showed() {
    with_page(async |page| {
        page.prefer("prefers-reduced-motion", "reduce").await;
        for scene in scenes(page).await {
            page.load(&format!("?scenario={scene}&step=0&lang=en&predict=off"))
                .await;
            page.eval("document.querySelectorAll('details').forEach(d => d.open = true)")
                .await;
            let last = page.eval("hw.last()").await.as_u64().unwrap_or_default();
            assert!(last >= 7, "{scene} has only {last} steps");
            let mut shown = vec![page.text(SHOWN).await];
            for step in 1..=last {
                page.eval("hw.button('Next').click()").await;
                page.until(
                    &format!("{scene} is at {step}"),
                    &format!("hw.step() === {step}"),
                )
                .await;
                shown.push(page.text(SHOWN).await);
            }
            for step in (0..last).rev() {
                page.eval("hw.button('Back').click()").await;
                page.until(
                    &format!("{scene} is at {step}"),
                    &format!("hw.step() === {step}"),
                )
                .await;
                let again = page.text(SHOWN).await;
                let differs = shown[step as usize]
                    .lines()
                    .zip(again.lines())
                    .find(|(a, b)| a != b);
                assert_eq!(differs, None, "{scene}, step {step}, coming back");
                assert_eq!(
                    again.len(),
                    shown[step as usize].len(),
                    "{scene}, step {step}"
                );
            }
        }
    });
}

#[test]
fn no_scene_is_broken_or_too_big() {
    with_page(async |page| {
        for scene in scenes(page).await {
            page.load(&format!("?scenario={scene}&step=0&lang=ru"))
                .await;
            let last = page.eval("hw.last()").await.as_u64().unwrap_or_default();
            for step in 0..=last {
                page.eval(&format!("hw.go({step})")).await;
                page.until(
                    &format!("{scene} is at {step}"),
                    &format!("hw.step() === {step}"),
                )
                .await;
                // A violated invariant, an author's expectation that failed, a scene that is refused.
                let alerts = page
                    .text("[...document.querySelectorAll('[role=alert], .broken, .fatal')].map(e => e.innerText).join('; ')")
                    .await;
                assert_eq!(alerts, "", "{scene}, step {step}");
                let elements = page
                    .eval("Math.max(0, ...[...document.querySelectorAll('.replicas .stage')].map(e => e.querySelectorAll('*').length))")
                    .await;
                let elements = elements.as_u64().unwrap_or(u64::MAX);
                assert!(
                    elements <= MOST_ELEMENTS,
                    "{scene}, step {step}: {elements} elements"
                );
            }
        }
    });
}
