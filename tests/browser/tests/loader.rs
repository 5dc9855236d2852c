//! `<high-water>` in a course page. The frame is a small page that speaks the protocol, so that
//! these tests are of the host's side alone; `embed_host.rs` does the same with the app.

use highwater_browser_tests::{DEEP, Page, built, with_page};
use serde_json::json;

/// Where the loader and the frame that stands for the app are served.
const LOADER: &str = "/mock/v1/highwater-embed.js";
const SCRIPT: &str = "<script type=module src=/mock/v1/highwater-embed.js></script>";
/// The frame of an element, from inside.
const FRAME: &str =
    "(i => document.querySelectorAll('high-water')[i].shadowRoot.querySelector('iframe'))";
const BUTTON: &str =
    "(i => document.querySelectorAll('high-water')[i].shadowRoot.querySelector('button'))";
/// How many frames there are.
const FRAMES: &str = "[...document.querySelectorAll('high-water')].filter(e => e.shadowRoot.querySelector('iframe')).length";

/// Counts the timers that came, so that a test can wait for the loader's own look around.
const TIMERS: &str = "<script>looks = 0; { const real = setTimeout;
    setTimeout = (then, ms) => real(() => { then(); if (ms === 300) looks++; }, ms); }</script>";

/// Waits until the loader has looked around once more.
async fn looked(page: &Page, before: &serde_json::Value) {
    page.until("the loader has looked", &format!("looks > {before}"))
        .await;
}

/// Opens a course page with this body.
async fn lesson(page: &Page, body: &str) {
    let loader = std::fs::read_to_string(built().join("v1/highwater-embed.js"))
        .expect("the built app has the loader");
    page.server.add_page(LOADER, &loader);
    let frame = include_str!("../src/frame.html");
    page.server.add_page("/mock/index.html", frame);
    let html = format!(
        "<!doctype html><html lang=en><title>Lesson</title><link rel=icon href='data:,'>\
         <body style='margin:0'>{body}"
    );
    page.server.add_page("/lesson.html", &html);
    page.goto(&format!("{}/lesson.html", page.server.origin()))
        .await;
}

/// An element with its picture.
fn element(attributes: &str) -> String {
    format!(
        "<high-water scenario=s title='The leader dies' {attributes}><a href='{DEEP}?scenario=s'>\
         <img alt='Three brokers' width=640 height=360 src=\"data:image/svg+xml,%3Csvg \
         xmlns='http://www.w3.org/2000/svg' width='640' height='360'/%3E\"></a></high-water>"
    )
}

async fn defined(page: &Page) {
    page.until("the element is known", "customElements.get('high-water')")
        .await;
}

/// Presses an element's button and waits for its scene.
async fn press(page: &Page, number: usize) {
    page.click(&format!("{BUTTON}({number})")).await;
    ready(page, number).await;
}

async fn ready(page: &Page, number: usize) {
    let what = format!("scene {number} runs");
    let state = format!("document.querySelectorAll('high-water')[{number}].steps === 9");
    page.until(&what, &state).await;
}

/// What a promise comes to; what it fails with, as its code.
async fn outcome(page: &Page, promise: &str) -> serde_json::Value {
    page.eval(&format!(
        "(window.outcome = null, {promise}.then(r => outcome = {{r}}, e => outcome = {{code: e.code}}), 0)"
    ))
    .await;
    page.until("it is answered", "window.outcome").await;
    page.eval("outcome").await
}

#[test]
fn without_the_script_it_is_a_picture_with_a_link() {
    with_page(async |page| {
        lesson(page, &element("")).await;
        assert_eq!(
            page.eval("document.querySelector('high-water a').getAttribute('href')")
                .await,
            json!(format!("{DEEP}?scenario=s"))
        );
        let wide = "document.querySelector('high-water img').getBoundingClientRect().width";
        assert_eq!(page.eval(wide).await, json!(640));
    });
}

#[test]
fn a_press_starts_it_and_nothing_runs_before() {
    with_page(async |page| {
        lesson(
            page,
            &format!("<input autofocus>{}{SCRIPT}", element("step=2")),
        )
        .await;
        defined(page).await;
        assert_eq!(page.eval(FRAMES).await, json!(0));
        assert_eq!(
            page.text(&format!("{BUTTON}(0).textContent")).await,
            "Run: The leader dies"
        );
        assert_eq!(
            page.eval(&format!("{BUTTON}(0).getBoundingClientRect().height >= 44"))
                .await,
            json!(true)
        );
        press(page, 0).await;
        for (attribute, value) in [
            ("title", "The leader dies"),
            ("referrerpolicy", "no-referrer"),
            ("allow", "fullscreen; clipboard-write"),
            (
                "sandbox",
                "allow-scripts allow-popups allow-popups-to-escape-sandbox allow-downloads",
            ),
        ] {
            assert_eq!(
                page.text(&format!("{FRAME}(0).getAttribute('{attribute}')"))
                    .await,
                value
            );
        }
        let address = page.text(&format!("{FRAME}(0).src")).await;
        assert!(
            address.contains("/mock/index.html?scenario=s&step=2&lang=en&start=load"),
            "{address}"
        );
        // Where the pressed button was, focus goes on; the picture and the button are gone.
        page.until(
            "the frame has the focus",
            "document.querySelector('high-water').shadowRoot.activeElement?.tagName === 'IFRAME'",
        )
        .await;
        let picture = "document.querySelector('high-water img').getClientRects().length";
        assert_eq!(page.eval(picture).await, json!(0));
        assert_eq!(
            page.eval("document.querySelector('high-water').step").await,
            json!(2)
        );
    });
}

#[test]
fn what_is_seen_starts_by_itself_and_takes_neither_focus_nor_place() {
    with_page(async |page| {
        page.resize(900, 700).await;
        let body = format!(
            "{TIMERS}{TIMERS}<input autofocus><div style='height:1500px'></div>{}<div style='height:1500px'></div>{SCRIPT}",
            element("start=visible")
        );
        lesson(page, &body).await;
        defined(page).await;
        // A fifth of it is not enough.
        looked(page, &json!(0)).await;
        let before = page.eval("looks").await;
        page.eval("scrollTo(0, document.querySelector('high-water').offsetTop - 600)")
            .await;
        looked(page, &before).await;
        assert_eq!(page.eval(FRAMES).await, json!(0));
        page.eval("scrollBy(0, 500)").await;
        let at = page.eval("scrollY").await;
        ready(page, 0).await;
        assert_eq!(page.eval("scrollY").await, at);
        assert_eq!(page.text("document.activeElement.tagName").await, "INPUT");
    });
}

#[test]
fn two_run_at_most_and_who_made_room_goes_on_where_it_was() {
    with_page(async |page| {
        page.resize(900, 700).await;
        let gap = "<div style='height:900px'></div>";
        let three = [element(""), element(""), element("")].join(gap);
        // Counts at every change, so that no moment with three is missed.
        let watch = "<script>most = 0; let roots = [];
            const count = () => most = Math.max(most, roots.filter(r => r.querySelector('iframe')).length);
            customElements.whenDefined('high-water').then(() => {
              roots = [...document.querySelectorAll('high-water')].map(e => e.shadowRoot);
              for (const root of roots) new MutationObserver(count).observe(root, {childList: true, subtree: true});
            })</script>";
        lesson(page, &format!("{three}{watch}{SCRIPT}")).await;
        defined(page).await;
        press(page, 0).await;
        outcome(page, "document.querySelector('high-water').seek(7)").await;
        press(page, 1).await;
        press(page, 2).await;
        assert_eq!(page.eval("most").await, json!(2));
        let shown = |number: usize| {
            format!(
                "document.querySelectorAll('high-water')[{number}].shadowRoot.querySelector('img')"
            )
        };
        assert_eq!(page.eval(&format!("{FRAME}(0)")).await, json!(null));
        let picture = page
            .text(&format!("decodeURIComponent({}.src)", shown(0)))
            .await;
        assert!(picture.contains(">7</text>"), "{picture}");
        assert_eq!(
            page.eval(&format!("hw.visible({})", shown(0))).await,
            json!(true)
        );
        // It comes back to its step when it is looked at again, for what is not looked at.
        page.eval("scrollTo(0, 0)").await;
        ready(page, 0).await;
        assert_eq!(
            page.eval("document.querySelector('high-water').step").await,
            json!(7)
        );
        let address = page.text(&format!("{FRAME}(0).src")).await;
        assert!(
            address.contains("step=7") && address.ends_with("#k1.abc"),
            "{address}"
        );
        assert_eq!(page.eval("most").await, json!(2));
    });
}

/// Three in view at once would otherwise take turns for ever.
#[test]
fn what_is_looked_at_makes_no_room_for_what_nobody_pressed() {
    with_page(async |page| {
        page.resize(900, 2200).await;
        let three = element("start=visible").repeat(3);
        lesson(page, &format!("{TIMERS}{three}{SCRIPT}")).await;
        ready(page, 0).await;
        ready(page, 1).await;
        let before = page.eval("looks").await;
        page.eval("(e => { e.hidden = true; requestAnimationFrame(() => requestAnimationFrame(() => e.hidden = false)); })(document.querySelector('high-water:last-of-type'))")
            .await;
        page.until(
            "it was away",
            "document.querySelector('high-water:last-of-type').hidden === false",
        )
        .await;
        looked(page, &before).await;
        assert_eq!(page.eval(&format!("{FRAME}(2)")).await, json!(null));
        assert_eq!(page.eval(FRAMES).await, json!(2));
        // A press is an order.
        press(page, 2).await;
        assert_eq!(page.eval(FRAMES).await, json!(2));
    });
}

#[test]
fn heights_are_clamped_counted_and_never_believed_from_elsewhere() {
    with_page(async |page| {
        lesson(page, &format!("{}{SCRIPT}", element(""))).await;
        defined(page).await;
        press(page, 0).await;
        let height = format!("Number({FRAME}(0).height)");
        for (told, taken) in [(9999, 1600), (3, 160), (612, 612)] {
            let say = format!("document.querySelector('high-water').announce('size {told}')");
            outcome(page, &say).await;
            page.until("the height is taken", &format!("{height} === {taken}"))
                .await;
        }
        page.eval("(postMessage({highwater: 1, type: 'size', height: 700}, '*'), 0)")
            .await;
        outcome(
            page,
            "document.querySelector('high-water').announce('rubbish')",
        )
        .await;
        outcome(
            page,
            "document.querySelector('high-water').announce('sizes 30')",
        )
        .await;
        // Three changes are spent already.
        let taken = page.eval(&height).await;
        assert_eq!(taken, json!(306));
        assert_eq!(
            page.eval("document.querySelector('high-water').steps")
                .await,
            json!(9)
        );
    });
}

#[test]
fn on_paper_the_picture_stands_there_again() {
    with_page(async |page| {
        lesson(page, &format!("{}{SCRIPT}", element(""))).await;
        defined(page).await;
        press(page, 0).await;
        page.devtools("Emulation.setEmulatedMedia", json!({"media": "print"}))
            .await;
        let seen = "[document.querySelector('high-water img'), \
             ...document.querySelector('high-water').shadowRoot.querySelectorAll('iframe, button, .print')]\
             .map(e => e.getClientRects().length > 0).join(' ')";
        // The picture; no button, no frame; the line with the address.
        assert_eq!(page.text(seen).await, "true false false true");
        let line = page
            .text("document.querySelector('high-water').shadowRoot.querySelector('.print').textContent")
            .await;
        assert!(line.contains("/mock/?scenario=s&"), "{line}");
        page.devtools("Emulation.setEmulatedMedia", json!({"media": ""}))
            .await;
    });
}

#[test]
fn it_may_be_loaded_twice() {
    with_page(async |page| {
        let again = SCRIPT.replace(".js", ".js?again");
        lesson(page, &format!("{}{SCRIPT}{again}", element("start=load"))).await;
        ready(page, 0).await;
        assert_eq!(page.eval(FRAMES).await, json!(1));
    });
}

#[test]
fn twenty_of_them_cost_one_small_file() {
    with_page(async |page| {
        let twenty = (0..20).map(|_| element("")).collect::<String>();
        let loaded =
            "performance.getEntriesByType('resource').map(r => [r.name, r.encodedBodySize])";
        lesson(page, &twenty).await;
        assert_eq!(page.eval(loaded).await, json!([]));
        lesson(page, &format!("{twenty}{SCRIPT}")).await;
        defined(page).await;
        let all = page.eval(loaded).await;
        let all = all.as_array().expect("a list");
        assert_eq!(all.len(), 1, "{all:?}");
        assert!(
            all[0][1].as_u64().is_some_and(|size| size < 16_000),
            "{all:?}"
        );
    });
}

#[test]
fn the_host_drives_it_by_methods_attributes_and_hears_events() {
    with_page(async |page| {
        let tag = element("lang=ru branch=k1.abc");
        lesson(page, &format!("{tag}{SCRIPT}")).await;
        defined(page).await;
        assert_eq!(
            page.text(&format!("{BUTTON}(0).textContent")).await,
            "Запустить: The leader dies"
        );
        // Nothing runs yet: said, not waited for.
        let el = "document.querySelector('high-water')";
        assert_eq!(
            outcome(page, &format!("{el}.next()")).await["code"],
            "not-ready"
        );
        page.eval(&format!(
            "(window.heard = [], {el}.addEventListener('highwater-step', e => heard.push(e.detail.step)), 0)"
        ))
        .await;
        let info = outcome(page, &format!("{el}.run()")).await;
        assert_eq!(info["r"]["steps"], 9);
        assert_eq!(info["r"]["lang"], "ru");
        let src = page
            .text(&format!("{el}.shadowRoot.querySelector('iframe').src"))
            .await;
        assert!(src.ends_with("#k1.abc"), "{src}");
        for (call, step) in [
            ("next()", 1),
            ("seek('lost')", 4),
            ("last()", 9),
            ("back()", 8),
        ] {
            assert_eq!(
                outcome(page, &format!("{el}.{call}")).await["r"]["step"],
                step,
                "{call}"
            );
        }
        assert_eq!(
            outcome(page, &format!("{el}.play(1.5)")).await["r"]["rate"],
            1.5
        );
        assert_eq!(
            outcome(page, &format!("{el}.seek('nowhere')")).await["code"],
            "out-of-range"
        );
        assert_eq!(
            outcome(page, &format!("{el}.command('dance')")).await["code"],
            "unknown-cmd"
        );
        page.eval(&format!("({el}.step = 3, 0)")).await;
        page.until("the attribute is followed", &format!("{el}.step === 3"))
            .await;
        assert_eq!(page.text("heard.join(' ')").await, "1 4 9 8 3");
        // An attribute that is not taken has no promise to fail: it is told as an event.
        page.eval(&format!(
            "({el}.addEventListener('highwater-error', e => globalThis.told = e.detail.code, {{once: true}}), {el}.setAttribute('step', 'nowhere'), 0)"
        ))
        .await;
        page.until("the fault is told", "globalThis.told === 'out-of-range'")
            .await;
        // A frame that loads itself anew is taken up again.
        page.eval(&format!("({el}.announce('reload'), 0)")).await;
        page.until("it has begun anew", &format!("{el}.step === 0"))
            .await;
        assert_eq!(outcome(page, &format!("{el}.next()")).await["r"]["step"], 1);
        // Stopped, it keeps its place and leaves no frame; moved in the page, it is whole.
        outcome(page, &format!("{el}.stop()")).await;
        assert_eq!(page.eval(FRAMES).await, json!(0));
        page.eval(&format!("(document.body.prepend({el}), 0)"))
            .await;
        assert_eq!(outcome(page, &format!("{el}.run()")).await["r"]["step"], 1);
    });
}

#[test]
fn the_frame_is_as_dark_as_the_page() {
    with_page(async |page| {
        page.prefer("prefers-color-scheme", "dark").await;
        for (style, attribute, scheme) in [
            ("color-scheme:dark", "", "dark"),
            ("color-scheme:light", "", "light"),
            // A page that says nothing is drawn light, unless its own text is.
            ("", "", "light"),
            ("background:#111;color:#eee", "", "dark"),
            ("color-scheme:dark", "theme=light", "light"),
        ] {
            let body = format!("<div style='{style}'>{}</div>{SCRIPT}", element(attribute));
            lesson(page, &body).await;
            defined(page).await;
            press(page, 0).await;
            let is = page
                .text(&format!("getComputedStyle({FRAME}(0)).colorScheme"))
                .await;
            assert_eq!(is, scheme, "{style} {attribute}");
        }
    });
}
