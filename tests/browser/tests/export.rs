//! What is taken away: pictures that open their step again, and the scene as text.

use highwater_browser_tests::{Page, with_page};
use serde_json::json;

/// Keeps what the page hands to the browser as a file.
const KEEP: &str = "(() => { globalThis.files = []; const own = URL.createObjectURL; \
    URL.createObjectURL = blob => { files.push(blob); blob.text().then(t => { blob.said = t; }); return own.call(URL, blob); }; })()";

async fn press(page: &Page, label: &str) {
    page.click(&format!("hw.button('{label}')")).await;
}

#[test]
fn a_picture_holds_its_step_and_opens_it_when_it_is_dropped() {
    with_page(async |page| {
        for (place, words) in [
            ("?scenario=acks1-loss&step=1&lang=en", "LEO 4"),
            ("?scenario=acks1-loss&step=4&lang=en", "LEO 4"),
            ("?scenario=lags&step=3&lang=en&view=both", "HW"),
            ("?scenario=overview&step=2&lang=en", "LEO"),
            ("?scenario=compare-acks&step=3&lang=en", "HW"),
        ] {
            page.load("?").await;
            page.load(place).await;
            page.eval(KEEP).await;
            page.click("document.querySelector('.export > summary')")
                .await;
            press(page, "Picture, SVG").await;
            page.until(
                "the picture is there",
                "files.length === 1 && files[0].said",
            )
            .await;
            page.eval(
                "!!(globalThis.svg = new DOMParser().parseFromString(files[0].said, 'image/svg+xml'))",
            )
            .await;
            assert_eq!(
                page.eval("svg.querySelector('parsererror') === null").await,
                json!(true),
                "{place}"
            );
            let text = page
                .text("[...svg.querySelectorAll('text')].map(t => t.textContent).join(' ')")
                .await;
            assert!(text.contains(words), "{place}: {text}");
            let bare = "[...svg.querySelectorAll('*')].filter(e => e.hasAttribute('class') || e.hasAttribute('style')).length";
            assert_eq!(page.eval(bare).await, json!(0), "{place}");
            // The way of a write keeps its head, and the picture is no higher than what is drawn,
            // wherever the page has been scrolled to.
            if place.contains("step=1&") {
                let heads = "svg.querySelectorAll('[marker-end]').length > 0";
                assert_eq!(page.eval(heads).await, json!(true), "{place}");
            }
            let drawn = "(s => s.getBoundingClientRect().height)(document.querySelector('.stage svg, .console svg, .lane svg'))";
            let fits = format!(
                "parseFloat(svg.documentElement.getAttribute('height')) < 2 * {drawn} + 400"
            );
            assert_eq!(page.eval(&fits).await, json!(true), "{place}");
            // Nothing of it is fetched, and no colour is left to a sheet.
            let said = page.text("files[0].said").await;
            assert!(!said.contains("var(--"), "{place}");
            let state = page
                .eval("JSON.parse(svg.querySelector('metadata').textContent).steps.length")
                .await;
            assert_eq!(state, json!(1), "{place}");

            // Dropped on another place of the page, it opens its step.
            page.eval("globalThis.kept = files[0].said").await;
            page.click("hw.button('First step')").await;
            page.until("another step", "hw.step() === 0").await;
            page.eval(
                "(() => { const data = new DataTransfer(); data.items.add(new File([kept], 'a.svg', {type: 'image/svg+xml'})); \
                  window.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true})); })()",
            )
            .await;
            let step = place
                .split("step=")
                .nth(1)
                .and_then(|s| s.split('&').next())
                .unwrap_or("0");
            page.until("the step of the picture", &format!("hw.step() === {step}"))
                .await;
        }
    });
}

#[test]
fn a_file_that_is_no_picture_of_ours_is_said_to_be_none() {
    with_page(async |page| {
        page.load("?scenario=acks1-loss&step=2&lang=en").await;
        page.eval(
            "(() => { const data = new DataTransfer(); data.items.add(new File(['<svg/>'], 'cat.svg')); \
              window.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true})); })()",
        )
        .await;
        page.until(
            "it is said",
            "document.querySelector('.note')?.textContent.includes('cat.svg')",
        )
        .await;
        assert_eq!(page.eval("hw.step()").await, json!(2));
        // One of a scene that this site does not have does not throw the reader out.
        page.eval(
            "(() => { const data = new DataTransfer(); data.items.add(new File(['<svg xmlns=\"http://www.w3.org/2000/svg\"><metadata id=\"highwater\" data-link=\"https://a.example/?scenario=gone&amp;step=1\">{}</metadata></svg>'], 'old.svg')); \
              window.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true})); })()",
        )
        .await;
        page.until(
            "it is said",
            "document.querySelector('.note')?.textContent.includes('gone') && !document.querySelector('.note').textContent.includes('cat.svg')",
        )
        .await;
        assert_eq!(page.eval("hw.step()").await, json!(2));
    });
}

#[test]
fn the_scene_is_there_as_text_and_as_pixels() {
    with_page(async |page| {
        page.load("?scenario=acks1-loss&step=4&lang=ru").await;
        page.eval(KEEP).await;
        page.click("document.querySelector('.export > summary')")
            .await;
        for (label, begins) in [
            ("Markdown", "# "),
            ("Диаграмма Mermaid", "sequenceDiagram"),
            ("Трасса JSON", "{\"highwater\":\"trace\""),
        ] {
            press(page, label).await;
            let shown = "document.querySelector('.export textarea')?.value ?? ''";
            page.until(label, &format!("({shown}).startsWith({begins:?})"))
                .await;
            page.until(
                "the file is the same",
                &format!("files.at(-1).said === {shown}"),
            )
            .await;
        }
        press(page, "Картинка PNG ×2").await;
        page.until(
            "a picture of pixels",
            "files.at(-1).type === 'image/png' && files.at(-1).size > 2000",
        )
        .await;
    });
}
