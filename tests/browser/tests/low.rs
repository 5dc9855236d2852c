//! A frame of 960 × 540, as course pages have it: bar, picture, sentence and switches in view at
//! once, without scrolling.

use highwater_browser_tests::{Page, with_page};
use serde_json::json;

const SCENES: [&str; 3] = ["lags", "open-transaction", "lag-is-distance"];

/// What of these is not whole between the window's top and the line of steps.
const OUT: &str = "(() => { \
    const floor = document.querySelector('.time').getBoundingClientRect(); \
    const out = [...document.querySelectorAll(SELECTORS)].filter(e => !e.closest('.board')).filter(e => { \
        const r = e.getBoundingClientRect(); \
        return !r.height || r.top < 0 || r.bottom > floor.top + 1; \
    }).map(e => `${e.tagName} ${e.className.baseVal ?? e.className} ${e.textContent.slice(0, 30)} \
        ${JSON.stringify(e.getBoundingClientRect())}`); \
    if (floor.bottom > innerHeight) out.push(`bar ${floor.bottom}`); \
    return out; })()";

fn out(selectors: &str) -> String {
    OUT.replace("SELECTORS", &format!("'{selectors}'"))
}

async fn open(page: &Page, place: &str) {
    page.resize(960, 540).await;
    page.load(place).await;
    page.until("it is there", Page::READY).await;
    page.until("it is drawn", "!!document.querySelector('.stage svg')")
        .await;
}

#[test]
fn a_low_frame_shows_bar_picture_sentence_and_switches() {
    with_page(async |page| {
        for scene in SCENES {
            for lang in ["ru", "en"] {
                for step in [3, 5] {
                    let place = format!("?scenario={scene}&lang={lang}&step={step}");
                    open(page, &place).await;
                    let whole =
                        ".stage > svg.ruler, .looks, .looks button, .remarks, .face.now > .t-st";
                    assert_eq!(page.eval(&out(whole)).await, json!([]), "{place}");
                    // The switches do not lie over the picture.
                    let over = "(b => b('.ruler').bottom > b('.looks').top + 1)(s => \
                         document.querySelector(s).getBoundingClientRect())";
                    assert_eq!(page.eval(over).await, json!(false), "{place}");
                    // Shrunk to fit, but not beyond reading: 12 px stay above 10.
                    let scale =
                        "(r => r.getScreenCTM().a >= 0.85)(document.querySelector('.ruler'))";
                    assert_eq!(page.eval(scale).await, json!(true), "{place}");
                }
            }
        }
    });
}

/// Replicas and ruler together are higher than the frame: they scroll in their box.
#[test]
fn both_views_scroll_under_switches_that_stay() {
    with_page(async |page| {
        for scene in SCENES {
            for lang in ["ru", "en"] {
                let place = format!("?scenario={scene}&lang={lang}&step=4&view=both");
                open(page, &place).await;
                let stays = ".stage, .looks, .looks button, .face.now > .t-st";
                assert_eq!(page.eval(&out(stays)).await, json!([]), "{place}");
                // Both drawings can be brought into view, the box taking the keys too.
                let ends = "(() => { const s = document.querySelector('.stage'); s.scrollTop = 99999; \
                     const r = s.querySelector('.ruler').getBoundingClientRect(); \
                     const looks = s.querySelector('.looks').getBoundingClientRect(); \
                     return s.tabIndex === 0 && s.querySelectorAll('svg').length === 2 \
                         && r.bottom <= looks.top + 1; })()";
                assert_eq!(page.eval(ends).await, json!(true), "{place}");
            }
        }
    });
}
