//! The policy that pages state themselves, on a host that sends no headers.

use highwater_browser_tests::{DEEP, Page, built, with_broken_page, with_page};
use serde_json::json;

const OWN: &str = "s/leader-fails/en/index.html";
const NEXT: &str = ".bar .primary";

fn read(name: &str) -> String {
    std::fs::read_to_string(built().join(name)).expect("it is built")
}

/// The policy in a page's own markup, as a tag.
fn stated(html: &str) -> &str {
    let start = html.find("<meta http-equiv=\"Content-Security-Policy\"");
    let start = start.expect("the page states its policy");
    let end = start + html[start..].find('>').expect("the tag ends") + 1;
    assert!(
        !html[..start].contains("<script") && !html[..start].contains("<link"),
        "something is loaded before the policy is known"
    );
    &html[start..end]
}

/// The program's page as `dist --base` makes it for the test's server.
fn index(page: &Page) -> String {
    let named = format!("'self' {}", page.server.origin());
    let policy = stated(&read(OWN)).replace("'self'", &named);
    let index = read("index.html");
    let bare = match index.contains("http-equiv=\"Content-Security-Policy\"") {
        true => index.replace(stated(&index), ""),
        false => index.clone(),
    };
    let charset = "<meta charset=\"utf-8\">";
    assert!(bare.contains(charset));
    bare.replacen(charset, &format!("{charset}\n{policy}"), 1)
}

/// Puts a page where the server sends no policy along.
async fn open(page: &Page, name: &str, html: &str, query: &str) {
    let path = format!("{DEEP}{name}");
    page.server.add_page(&path, html);
    page.goto(&format!("{}{path}{query}", page.server.origin()))
        .await;
}

/// Steps forth and back once the program is there.
async fn steps(page: &Page) {
    page.until("the app is there", Page::READY).await;
    page.tap(NEXT).await;
    page.until("the step is 1", "hw.step() === 1").await;
    page.tap(".bar .back").await;
    page.until("the step is 0", "hw.step() === 0").await;
}

#[test]
fn pages_work_under_the_policy_they_state_themselves() {
    with_page(async |page| {
        open(page, OWN, &read(OWN), "").await;
        steps(page).await;
        let index = index(page);
        open(page, "", &index, "?scenario=leader-fails&step=0&lang=en").await;
        steps(page).await;
        // SQLite is WebAssembly in a worker.
        let query = "?scenario=replay-sql&step=0&lang=en";
        open(page, "", &index, query).await;
        page.until(
            "SQLite is ready",
            "/SQLite 3[.]/.test(document.querySelector('.p-engine')?.innerText)",
        )
        .await;
        // In a frame that may do nothing but run scripts it has no origin to be the same as.
        page.server.add_page(
            "/lesson.html",
            &format!(
                "<!doctype html><title>Lesson</title><link rel=icon href='data:,'>\
                 <iframe sandbox='allow-scripts' src='{}?scenario=leader-fails&lang=en' width=720 height=700></iframe>",
                page.server.app()
            ),
        );
        page.goto(&format!("{}/lesson.html", page.server.origin()))
            .await;
        page.enter_frame().await;
        page.until(
            "the frame's program is there",
            "document.documentElement.dataset.program",
        )
        .await;
        page.leave_frame().await;
    });
}

#[test]
fn what_is_smuggled_into_the_markup_does_not_run() {
    // The console tells of each thing that is stopped.
    with_broken_page(async |page| {
        let ill = "<script>globalThis.smuggled = 'a script'</script>\
                   <img src=data:, onerror=\"globalThis.smuggled = 'a handler'\">\
                   <script src=\"data:text/javascript,globalThis.smuggled='an address'\"></script>\
                   <style>body { outline: 7px solid red }</style>";
        let index = index(page);
        for (name, html, query) in [
            (OWN, read(OWN), ""),
            ("", index, "?scenario=leader-fails&step=0&lang=en"),
        ] {
            // Without the policy all of it works, so its silence below is the policy's doing.
            for (policed, seen) in [(false, json!("an address")), (true, json!(null))] {
                let html = match policed {
                    true => html.clone(),
                    false => html.replace(stated(&html), ""),
                };
                assert!(html.contains("<body>"), "{name}");
                let html = html.replacen("<body>", &format!("<body>{ill}"), 1);
                open(page, name, &html, query).await;
                page.until("the app is there", Page::READY).await;
                let ran = page.eval("globalThis.smuggled ?? null").await;
                assert_eq!(ran == json!(null), seen == json!(null), "{name}: {ran}");
                let outline = page
                    .text("getComputedStyle(document.body).outlineWidth")
                    .await;
                assert_eq!(outline == "7px", !policed, "{name}: {outline}");
            }
        }
    });
}
