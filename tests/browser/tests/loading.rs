//! The page as it comes: from any folder, under the strict policy, in a frame, in both languages.

use highwater_browser_tests::{Page, with_page};
use serde_json::json;

#[test]
fn the_page_loads_from_a_deep_folder_under_the_policy() {
    with_page(async |page| {
        page.load("?lang=ru").await;
        assert!(page.text("document.title").await.contains("Highwater"));
        assert_eq!(page.text("document.documentElement.lang").await, "ru");
        page.load("?lang=en").await;
        assert_eq!(page.text("document.documentElement.lang").await, "en");
    });
}

/// A lesson that embeds the page keeps the focus and its place, whatever the frame may do.
#[test]
fn a_frame_takes_neither_focus_nor_place() {
    with_page(async |page| {
        for (path, sandbox) in [
            ("/plain.html", ""),
            ("/sandbox.html", "sandbox='allow-scripts'"),
        ] {
            let lesson = format!(
                "<!doctype html><title>Lesson</title><link rel=icon href='data:,'>\
                 <input autofocus><div style='height: 1500px'></div>\
                 <iframe {sandbox} src='{}?lang=en&start=load' width=720 height=600></iframe>",
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
        }
    });
}

/// Also one whose name is no name at all; what has been asked for beside it is still said.
#[test]
fn a_scene_that_is_not_there_is_said_with_the_nearest_and_a_way_on() {
    with_page(async |page| {
        for (query, given) in [
            ("?scenario=leader-fail&lang=en&speed=xx", "leader-fail"),
            ("?scenario=%3Cb%3Ewhat&lang=en&speed=xx", "<b>what"),
        ] {
            page.goto(&format!("{}{query}", page.server.app())).await;
            page.until("a card says so", "document.querySelector('.fatal li a')")
                .await;
            let card = page
                .text("document.querySelector('.fatal').innerText")
                .await;
            assert!(card.contains(&format!("no scene {given}")), "{card}");
            let near = page
                .eval("document.querySelectorAll('.fatal li').length")
                .await;
            assert_eq!(near, 3);
            let note = page.text("document.querySelector('.note').innerText").await;
            assert!(note.contains("xx") && !note.contains(given), "{note}");
            page.click("document.querySelector('.note button')").await;
            page.until("the line is gone", "!document.querySelector('.note')")
                .await;
        }
        // The card stays; the list is below it.
        assert_eq!(
            page.eval("document.querySelectorAll('.fatal').length")
                .await,
            1
        );
        assert_ne!(
            page.eval("document.querySelector('.gal')").await,
            serde_json::Value::Null
        );
        page.goto(&format!(
            "{}?scenario=leader-fail&lang=en",
            page.server.app()
        ))
        .await;
        page.until("a card says so", "document.querySelector('.fatal li a')")
            .await;
        page.click("document.querySelector('.fatal li a')").await;
        page.until(
            "the scene is open",
            "location.search.includes('scenario=leader-fails') && document.querySelector('#app .bar button')",
        )
        .await;
        assert_eq!(
            page.eval("document.querySelector('.fatal')").await,
            serde_json::Value::Null
        );
    });
}

#[test]
fn bad_values_are_named_in_a_line_that_can_be_put_away() {
    with_page(async |page| {
        page.load("?speed=xx&theme=pink").await;
        let text = page.text("document.querySelector('main').innerText").await;
        for named in ["xx", "pink"] {
            assert!(text.contains(named), "{named} is not named: {text}");
        }
        // A reload, or a copy of the address, shows the fault again.
        assert_eq!(page.text("location.search").await, "?speed=xx&theme=pink");
        page.click("document.querySelector('.note button')").await;
        page.until("the line is gone", "!document.querySelector('.note')")
            .await;
        // The page is as good as without them.
        page.click(Page::NEXT).await;
        page.until("the scene can be stepped", "hw.step() > 0")
            .await;
        page.until("the address is written", "!location.search.includes('xx')")
            .await;
        let many: String = (0..40).map(|n| format!("&none{n}=1")).collect();
        page.load(&format!("?lang=en{many}")).await;
        let text = page.text("document.querySelector('.note').innerText").await;
        assert!(
            text.contains("none4") && text.contains("and 35 more"),
            "{text}"
        );

        // A step that is not there, and one that is no number.
        page.load("?foo=bar&lang=en-US&step=1&step=2").await;
        let text = page.text("document.querySelector('.note').innerText").await;
        assert!(text.contains("foo") && text.contains("step"), "{text}");
        assert_eq!(page.text("document.documentElement.lang").await, "en");
        for (step, shown) in [("9999", "hw.last()"), ("many", "0")] {
            page.load(&format!("?lang=en&scenario=first-write&step={step}"))
                .await;
            let text = page.text("document.querySelector('main').innerText").await;
            assert!(text.contains(step), "{step} is not named: {text}");
            assert_eq!(
                page.eval(&format!("hw.step() === {shown}")).await,
                json!(true)
            );
        }
    });
}

#[test]
fn an_address_opens_its_scene_at_its_step_and_follows_the_reader() {
    with_page(async |page| {
        page.load("?scenario=leader-fails&step=3&lang=en&theme=dark")
            .await;
        assert_eq!(page.eval("hw.step()").await, json!(3));
        assert_eq!(
            page.eval("document.documentElement.dataset.theme").await,
            json!("dark")
        );
        page.click(Page::NEXT).await;
        page.until(
            "the address has the new step",
            "location.search === '?scenario=leader-fails&step=4&lang=en&theme=dark'",
        )
        .await;
    });
}

#[test]
fn language_and_theme_change_in_place() {
    with_page(async |page| {
        page.load("?scenario=first-write&step=2&lang=ru&theme=light")
            .await;
        let russian = page.text("hw.heading()").await;
        page.click("document.querySelector('button[lang=en]')")
            .await;
        page.until(
            "the page is English",
            "document.documentElement.lang === 'en'",
        )
        .await;
        assert_ne!(page.text("hw.heading()").await, russian);
        assert_eq!(page.eval("hw.step()").await, json!(2));

        let light = page
            .text("getComputedStyle(document.body).backgroundColor")
            .await;
        page.click("document.querySelector('header .seg:last-child button:last-child')")
            .await;
        page.until(
            "the page is dark",
            "document.documentElement.dataset.theme === 'dark'",
        )
        .await;
        assert_ne!(
            page.text("getComputedStyle(document.body).backgroundColor")
                .await,
            light
        );
        assert_eq!(page.eval("hw.step()").await, json!(2));
    });
}

/// A look chosen twice is the system's again.
#[test]
fn a_theme_is_taken_back() {
    with_page(async |page| {
        page.load("?scenario=first-write&step=2&lang=en").await;
        let dark = "document.querySelector('header .seg:last-child button:last-child')";
        for shown in ["dark", ""] {
            page.click(dark).await;
            page.until(
                "the look has changed",
                &format!("(document.documentElement.dataset.theme ?? '') === '{shown}'"),
            )
            .await;
        }
        page.until(
            "the address is as before",
            "!location.search.includes('theme')",
        )
        .await;
    });
}

/// Every card of the front page opens its scene at its beginning, and the drawing is in sight.
#[test]
fn each_card_opens_its_scene() {
    with_page(async |page| {
        page.load("?lang=en").await;
        let cards = page.eval("document.querySelectorAll('.sc a').length").await;
        for n in 0..cards.as_u64().unwrap_or_default().min(3) {
            page.load("?lang=en").await;
            let card = format!("[...document.querySelectorAll('.sc a')][{n}]");
            let scene = page
                .text(&format!(
                    "new URL({card}.href).searchParams.get('scenario')"
                ))
                .await;
            page.click(&card).await;
            page.until(
                &format!("{scene} is open at its beginning"),
                &format!("location.search.includes('scenario={scene}&step=0')"),
            )
            .await;
            let seen = "(r => r.top >= 0 && r.bottom <= innerHeight)\
                        (document.querySelector('.stage, .console, .compare').getBoundingClientRect())";
            page.until("the drawing is in sight", seen).await;
        }
    });
}

/// On paper: no controls, no closed folds, but the step and where it is.
#[test]
fn print_names_the_step_and_the_address() {
    with_page(async |page| {
        page.load("?scenario=first-write&step=2&lang=en").await;
        page.devtools("Emulation.setEmulatedMedia", json!({ "media": "print" }))
            .await;
        let text = page.text("document.body.innerText").await;
        assert!(text.contains("\n2. "), "{text}");
        assert!(text.contains("?scenario=first-write&step=2"), "{text}");
        let rest = "[...document.querySelectorAll('button:not(.term), .btn, .fold:not([open])')].filter(hw.visible).length";
        assert_eq!(page.eval(rest).await, json!(0));
    });
}

/// The console on a phone: what happened is on the first screen, above the grid.
#[test]
fn a_phone_shows_what_happened_in_the_console() {
    with_page(async |page| {
        page.resize(360, 740).await;
        page.load("?scenario=overview&step=2&lang=ru").await;
        let seen = "(e => hw.visible(e) && e.innerText.length > 10 \
                    && e.getBoundingClientRect().bottom < document.querySelector('.time').getBoundingClientRect().top)\
                    (document.querySelector('.told .now'))";
        assert_eq!(page.eval(seen).await, json!(true));
        page.load("?scenario=compare-acks&step=0&lang=ru").await;
        let cover = page
            .text("document.querySelector('.face.now').innerText")
            .await;
        assert!(cover.contains("4-й миллисекунде"), "{cover}");
    });
}

#[test]
fn nothing_sticks_out_of_the_page_at_any_width() {
    with_page(async |page| {
        for query in [
            "?",
            "?scenario=first-write&step=4",
            "?scenario=overview&step=2",
            "?scenario=compare-acks&step=3",
            "?scenario=replay-sql&step=5",
        ] {
            for lang in ["ru", "en"] {
                let joint = if query == "?" { "" } else { "&" };
                page.load(&format!("{query}{joint}lang={lang}")).await;
                for width in (320..=1400).step_by(if lang == "ru" { 10 } else { 40 }) {
                    page.resize(width, 740).await;
                    let wide = "document.documentElement.scrollWidth <= innerWidth && \
                         [...document.querySelectorAll('.bar button')].filter(hw.visible).every(b => \
                         b.scrollWidth <= b.clientWidth && b.getBoundingClientRect().right <= innerWidth)";
                    page.until(&format!("{query} in {lang} fits into {width} px"), wide)
                        .await;
                }
            }
        }
    });
}
