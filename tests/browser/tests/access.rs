//! For those who do not see the drawing, or do not use a mouse.

use highwater_browser_tests::{Page, with_page};
use serde_json::Value;

const PLACES: [&str; 5] = [
    "?scenario=replay-sql&step=6&lang=ru",
    "?lang=ru",
    "?scenario=first-write&step=3&lang=en",
    "?scenario=overview&step=2&lang=ru",
    "?scenario=compare-acks&step=3&lang=en",
];

/// A list of texts that should be empty.
async fn none(page: &Page, place: &str, what: &str, list: &str) {
    match page.eval(list).await {
        Value::Array(found) if found.is_empty() => {}
        found => panic!("{place}: {what}: {found}"),
    }
}

#[test]
fn every_control_has_a_name_and_is_big_enough() {
    with_page(async |page| {
        for place in PLACES {
            page.load(place).await;
            for width in [360, 960] {
                page.resize(width, 740).await;
                none(
                    page,
                    place,
                    "controls without a name",
                    "hw.controls().filter(e => !hw.name(e)).map(hw.say)",
                )
                .await;
                // What stands within a sentence or formula is as high as its line (WCAG 2.5.8).
                none(
                    page,
                    place,
                    "controls below 24 px",
                    "hw.controls().filter(e => !e.closest('p, li, summary, h3, .token')).filter(e => { \
                       const r = e.getBoundingClientRect(); return r.width < 24 || r.height < 24; \
                     }).map(e => hw.say(e) + ' ' + JSON.stringify(e.getBoundingClientRect()))",
                )
                .await;
            }
        }
    });
}

/// Tab reaches every control once, shows where it is, and leaves the page in the end.
#[test]
fn tab_goes_through_the_page_and_shows_where_it_is() {
    with_page(async |page| {
        for place in PLACES {
            page.load(place).await;
            let mut seen = Vec::new();
            for _ in 0..200 {
                page.press("Tab", "Tab").await;
                let here = page.text("hw.focus()").await;
                if here.is_empty() || seen.contains(&here) {
                    break;
                }
                let visible = page.text("hw.ring()").await;
                assert_ne!(visible, "none", "{place}: no ring around {here}");
                seen.push(here);
            }
            assert!(seen.len() > 10, "{place}: Tab reaches only {seen:?}");
        }
    });
}

#[test]
fn headings_and_landmarks_are_in_order() {
    with_page(async |page| {
        for place in PLACES {
            page.load(place).await;
            let one = "['main', 'h1'].filter(tag => [...document.querySelectorAll(tag)].filter(e => e.checkVisibility()).length !== 1)";
            none(page, place, "not there once", one).await;
            let skips = "[...document.querySelectorAll('h1,h2,h3,h4,h5')].map(h => +h.tagName[1])\
                         .filter((level, at, all) => level > (all[at - 1] ?? 0) + 1)";
            none(page, place, "headings skip a level", skips).await;
            let ids = "[...document.querySelectorAll('[id]')].map(e => e.id)\
                       .filter((id, at, all) => all.indexOf(id) !== at)";
            none(page, place, "ids twice", ids).await;
            let pictures = "[...document.querySelectorAll('svg')].filter(s => !s.closest('[aria-hidden=true]') && \
                            !(s.getAttribute('role') && s.getAttribute('aria-label'))).map(hw.say)";
            none(page, place, "drawings neither hidden nor named", pictures).await;
        }
    });
}

/// The contrast of every text with what lies behind it, in both themes.
#[test]
fn text_stands_out_from_its_ground() {
    with_page(async |page| {
        for theme in ["light", "dark"] {
            for place in PLACES {
                page.load(&format!("{place}&theme={theme}")).await;
                none(page, &format!("{place} {theme}"), "too faint", "hw.faint()").await;
            }
        }
    });
}
