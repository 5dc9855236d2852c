//! The page that puts a scene into a lesson.

use highwater_browser_tests::{Page, with_page};
use serde_json::json;

async fn open(page: &Page, query: &str) {
    page.goto(&format!("{}embed/{query}", page.server.app()))
        .await;
    page.until(
        "the snippet is there",
        "document.querySelector('#code')?.textContent",
    )
    .await;
}

const CODE: &str = "document.querySelector('#code').textContent";

/// Changes a control as a person would, as far as the page can tell.
async fn choose(page: &Page, control: &str, value: &str) {
    page.eval(&format!(
        "(e => {{ if (e.type === 'radio' || e.type === 'checkbox') e.click(); else {{ e.value = '{value}'; \
         e.dispatchEvent(new Event('change')); }} }})(document.querySelector(\"{control}\"))"
    ))
    .await;
}

#[test]
fn the_frames_load_what_the_snippet_says_and_the_address_keeps_the_choice() {
    with_page(async |page| {
        open(page, "?ui=en&scenario=leader-fails&lang=en").await;
        choose(page, "select[name=from]", "killed").await;
        choose(page, "select[name=step]", "broken").await;
        choose(page, "input[name=theme][value=dark]", "").await;
        choose(page, "input[name=hide][value=share]", "").await;
        choose(page, "input[name=lock]", "").await;
        let query =
            "scenario=leader-fails&from=killed&step=broken&lang=en&theme=dark&hide=share&lock=1";
        page.until(
            "the snippet has it all",
            &format!(
                "{CODE}.includes('index.html?{}\"')",
                query.replace('&', "&amp;")
            ),
        )
        .await;
        let frames =
            "[...document.querySelectorAll('.frames iframe')].map(f => new URL(f.src).search)";
        assert_eq!(
            page.eval(frames).await,
            json!([
                format!("?{query}&start=load"),
                format!("?{query}&start=load"),
                format!("?{query}&start=load")
            ])
        );
        let code = page.text(CODE).await;
        // A way out where a platform keeps frames away, and nothing of what a lesson hides.
        assert!(
            code.contains("index.html?") && code.contains("<p><a href="),
            "{code}"
        );
        assert_eq!(
            page.text("document.querySelector('.bar > .muted').textContent")
                .await,
            format!("{} characters", code.chars().count())
        );
        assert!(
            page.text("location.search")
                .await
                .starts_with(&format!("?{query}"))
        );

        // The other snippets are of the same scene.
        for (kind, has) in [
            (
                "element",
                "<high-water scenario=\"leader-fails\" from=\"killed\" step=\"broken\"",
            ),
            (
                "link",
                "/?scenario=leader-fails&step=broken&lang=en&theme=dark",
            ),
            ("markdown", "](http"),
        ] {
            choose(page, &format!("input[name=as][value={kind}]"), "").await;
            page.until(
                "the snippet is of that kind",
                &format!("{CODE}.includes('{has}')"),
            )
            .await;
        }
        choose(page, "input[name=as][value=element]", "").await;
        page.until(
            "the element has its hash",
            &format!("{CODE}.includes('integrity=\"sha384-')"),
        )
        .await;
        // What would not work is said, and the last good code stays.
        choose(page, "select[name=from]", "0").await;
        choose(page, "select[name=to]", "0").await;
        page.until(
            "the order is refused",
            "hw.visible(document.querySelector('#wrong'))",
        )
        .await;
        assert!(page.text(CODE).await.contains("from=\"killed\""));
    });
}

/// What is copied works: the element of the snippet, with its hash, in a page of another kind.
#[test]
fn the_copied_element_runs_in_a_plain_page() {
    with_page(async |page| {
        open(
            page,
            "?ui=en&scenario=leader-fails&lang=en&step=killed&as=element",
        )
        .await;
        let code = page.text(CODE).await.replace("start=\"visible\"", "");
        let html =
            format!("<!doctype html><title>Lesson</title><link rel=icon href='data:,'>{code}");
        page.server.add_page("/lesson.html", &html);
        page.goto(&format!("{}/lesson.html", page.server.origin()))
            .await;
        page.until(
            "the loader was taken",
            "document.querySelector('high-water')?.shadowRoot",
        )
        .await;
        let link = "document.querySelector('high-water a').href";
        assert!(
            page.text(link)
                .await
                .ends_with("?scenario=leader-fails&step=killed&lang=en")
        );
        let button =
            "document.querySelector('high-water').shadowRoot.querySelector('button').textContent";
        page.until("it can be started", &format!("{button}.includes('steps)')"))
            .await;
    });
}

#[test]
fn it_is_whole_at_320_pixels_in_both_languages_and_has_names() {
    with_page(async |page| {
        page.resize(320, 800).await;
        for lang in ["ru", "en"] {
            open(page, &format!("?ui={lang}&scenario=acks1-loss")).await;
            assert_eq!(
                page.eval(
                    "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
                )
                .await,
                json!(true)
            );
            assert_eq!(page.text("document.documentElement.lang").await, lang);
            let nameless = "[...document.querySelectorAll('button, select, input, a, iframe')]\
                .filter(e => !(hw.name(e) || e.title)).map(e => e.outerHTML)";
            assert_eq!(page.eval(nameless).await, json!([]));
            let cut = "[...document.querySelectorAll('label, button, legend, p')].filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent)";
            assert_eq!(page.eval(cut).await, json!([]), "{lang}");
            assert_eq!(page.eval("hw.faint()").await, json!([]));
        }
        // A scene that is gone leads to its like.
        open(page, "?ui=en&scenario=leader-gone").await;
        assert!(
            page.text("document.querySelector('header').innerText")
                .await
                .contains("leader-gone")
        );
    });
}
