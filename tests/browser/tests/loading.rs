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
                 <iframe {sandbox} src='{}?lang=en' width=720 height=600></iframe>",
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

#[test]
fn bad_values_are_named_in_a_line_that_can_be_put_away() {
    with_page(async |page| {
        page.load("?scenario=no-such-scene&lang=xx&theme=pink")
            .await;
        let text = page.text("document.querySelector('main').innerText").await;
        for named in ["no-such-scene", "xx", "pink"] {
            assert!(text.contains(named), "{named} is not named: {text}");
        }
        page.click("document.querySelector('.note button')").await;
        page.until("the line is gone", "!document.querySelector('.note')")
            .await;
        // The page is as good as without them.
        page.click(Page::NEXT).await;
        page.until("the scene can be stepped", "hw.step() > 0")
            .await;

        // A step that is not there, and one that is no number.
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
                for (width, height) in [(320, 640), (360, 740), (960, 540), (1280, 900)] {
                    page.resize(width, height).await;
                    let wide = "document.documentElement.scrollWidth <= innerWidth";
                    page.until(&format!("{query} in {lang} fits into {width} px"), wide)
                        .await;
                }
            }
        }
    });
}
