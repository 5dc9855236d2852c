//! The app in frames of course pages: problems that authors report with embeds
//! (docs/embedding.md has the list), each made here and found harmless.

use highwater_browser_tests::{Page, with_page};
use serde_json::json;

/// A course page with the app in one frame.
async fn lesson(page: &Page, frame: &str) {
    let html = format!(
        "<!doctype html><title>Lesson</title><link rel=icon href='data:,'><body style='margin:0'>\
         <iframe {frame} src='{}?scenario=leader-fails&lang=en' width=720 height=480></iframe>\
         <div style='height:3000px'></div>",
        page.server.app()
    );
    page.server.add_page("/lesson.html", &html);
    page.goto(&format!("{}/lesson.html", page.server.origin()))
        .await;
    page.enter_frame().await;
    page.until("the app is there in the frame", Page::READY)
        .await;
}

/// Storage throws, the origin is `null`, nothing is shared with other threads.
#[test]
fn a_sandboxed_frame_is_whole_without_storage_and_shared_memory() {
    with_page(async |page| {
        lesson(page, "sandbox='allow-scripts'").await;
        let throws = "(() => { try { localStorage; return ''; } catch (e) { return e.name; } })()";
        assert_eq!(page.text(throws).await, "SecurityError");
        assert_eq!(page.text("origin").await, "null");
        assert_eq!(page.eval("crossOriginIsolated").await, json!(false));
        // Its style sheets came too: an integrity without crossorigin would keep them out.
        let sheets = "[...document.querySelectorAll('link[rel=stylesheet]')].filter(l => !l.sheet).map(l => l.href)";
        assert_eq!(page.eval(sheets).await, json!([]));
        assert_eq!(
            page.text("getComputedStyle(document.querySelector('.bar')).display")
                .await,
            "flex"
        );
        page.eval(&format!("({}.click(), 0)", Page::NEXT)).await;
        let at = "document.querySelector('.scene input[type=range]').value === '1'";
        page.until("it is stepped", at).await;
        page.leave_frame().await;
    });
}

#[test]
fn wheel_and_touch_are_the_pages() {
    with_page(async |page| {
        page.resize(900, 700).await;
        lesson(page, "").await;
        let kept = "['wheel', 'touchmove'].filter(kind => [...document.querySelectorAll('.scene *')].some(e => \
             !e.dispatchEvent(new Event(kind, { bubbles: true, cancelable: true }))))";
        assert_eq!(page.eval(kept).await, json!([]));
        let pan = "['auto', 'manipulation', 'pan-y'].includes(getComputedStyle(document.querySelector('.stage')).touchAction)";
        assert_eq!(page.eval(pan).await, json!(true));
        page.leave_frame().await;
        // A wheel over the frame goes on in the page once the frame is at its end.
        page.eval("(document.querySelector('iframe').contentWindow.scrollTo(0, 99999), 0)")
            .await;
        let wheel = json!({"type": "mouseWheel", "x": 300, "y": 40, "deltaX": 0, "deltaY": 400});
        page.devtools("Input.dispatchMouseEvent", wheel).await;
        page.until("the page has scrolled", "scrollY > 0").await;
    });
}

/// Notes and platforms show frames in browsers of their own making.
#[test]
fn any_browser_name_gets_the_page() {
    with_page(async |page| {
        page.devtools("Network.enable", json!({})).await;
        for name in [
            "Mozilla/5.0 (Macintosh) AppleWebKit/537.36 Notion/4.2.0 Chrome/126.0 Electron/31.3.1 Safari/537.36",
            "Moodle app",
            "x",
        ] {
            let named = json!({"userAgent": name});
            page.devtools("Network.setUserAgentOverride", named).await;
            lesson(page, "").await;
            assert_eq!(page.text("navigator.userAgent").await, name);
            page.leave_frame().await;
        }
    });
}

/// Platforms distrust frames that look like a login.
#[test]
fn nothing_asks_for_a_person() {
    with_page(async |page| {
        lesson(page, "").await;
        let asks = "document.querySelectorAll('form, input[type=password], input[type=email], [autocomplete]').length";
        assert_eq!(page.eval(asks).await, json!(0));
        page.leave_frame().await;
    });
}

#[test]
fn nothing_scrolls_sideways_at_the_sizes_of_lessons() {
    with_page(async |page| {
        for (width, height) in [(960, 540), (720, 480), (360, 740), (320, 740)] {
            lesson(page, "").await;
            page.leave_frame().await;
            page.eval(&format!(
                "(f => {{ f.width = {width}; f.height = {height}; }})(document.querySelector('iframe'))"
            ))
            .await;
            page.enter_frame().await;
            page.until("it has its size", &format!("innerWidth === {width}"))
                .await;
            let wider =
                "document.documentElement.scrollWidth > document.documentElement.clientWidth";
            assert_eq!(page.eval(wider).await, json!(false), "{width}");
            // What is pressed most is in sight without scrolling.
            let inside = format!(
                "{}.getBoundingClientRect().bottom <= innerHeight",
                Page::NEXT
            );
            assert_eq!(page.eval(&inside).await, json!(true), "{width} × {height}");
            page.leave_frame().await;
        }
    });
}

/// Where the clipboard is refused the text is there to be taken by hand, as a link too.
#[test]
fn a_scene_is_copied_in_four_forms_also_without_a_clipboard() {
    with_page(async |page| {
        page.load("?scenario=leader-fails&step=3&lang=en").await;
        page.eval("(Object.defineProperty(navigator, 'clipboard', { value: undefined }), 0)")
            .await;
        page.click("hw.button('Share: a link, or code for a lesson')")
            .await;
        page.until(
            "the dialog is open",
            "document.querySelector('.share[open]')",
        )
        .await;
        let text = "document.querySelector('.share textarea').value";
        for (form, holds) in [
            ("link", "?scenario=leader-fails&step=killed&lang=en"),
            ("iframe", "sandbox=\"allow-scripts "),
            (
                "custom tag",
                "<high-water scenario=\"leader-fails\" step=\"killed\"",
            ),
            ("Markdown", "](http"),
        ] {
            page.click(&format!("hw.button('{form}')")).await;
            page.until(form, &format!("{text}.includes('{holds}')"))
                .await;
            let said = "parseInt(document.querySelector('.share [role=status]').textContent)";
            assert_eq!(
                page.eval(&format!("{said} === [...{text}].length")).await,
                json!(true)
            );
        }
        page.click("document.querySelector('.share input')").await;
        page.until(
            "it opens at the start",
            &format!("!{text}.includes('step=')"),
        )
        .await;
        page.click("document.querySelector('.share .primary')")
            .await;
        page.until(
            "the text is selected",
            "document.querySelector('.share textarea').selectionEnd > 20",
        )
        .await;
        let told = page
            .text("document.querySelector('.share [role=status]').textContent")
            .await;
        assert!(told.contains("Ctrl+C"), "{told}");
    });
}
