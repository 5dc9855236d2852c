//! The page that cannot start says why, in both languages, and what to do.

use highwater_browser_tests::{DEEP, Page, built, with_broken_page, with_page};
use serde_json::json;

/// What the page says instead of starting.
async fn told(page: &Page) -> String {
    page.until("it is told", "!!document.querySelector('.fatal.boot')")
        .await;
    page.text("document.querySelector('.fatal.boot').innerText")
        .await
}

/// Has both languages, these words, and a way to try again.
async fn tells(page: &Page, words: &[&str]) {
    let said = told(page).await;
    for word in words {
        assert!(said.contains(word), "“{word}” is not in: {said}");
    }
    for lang in ["ru", "en"] {
        let text = page
            .text(&format!(
                "document.querySelector('.boot p[lang={lang}]').innerText"
            ))
            .await;
        assert!(text.len() > 40, "{lang}: {text}");
    }
    let link = "document.querySelector('.boot a').href === location.href";
    assert_eq!(page.eval(link).await, json!(true));
}

#[test]
fn opened_from_disk_it_names_a_server() {
    with_broken_page(async |page| {
        let file = built().canonicalize().expect("it is built");
        page.goto(&format!("file://{}/index.html", file.display()))
            .await;
        tells(page, &["с диска", "from disk", "python3 -m http.server"]).await;
    });
}

#[test]
fn without_one_of_its_files_it_names_the_file() {
    with_broken_page(async |page| {
        page.devtools("Network.enable", json!({})).await;
        for (kind, named) in [
            ("*/highwater-*.js", ".js"),
            ("*/start-*.js", "start-"),
            ("*.wasm", "не все её файлы"),
        ] {
            page.devtools("Network.setBlockedURLs", json!({ "urls": [kind] }))
                .await;
            page.goto(&page.server.app()).await;
            tells(page, &[named, "did not load"]).await;
        }
    });
}

#[test]
fn a_damaged_program_is_told() {
    with_broken_page(async |page| {
        let wasm = std::fs::read_dir(built())
            .expect("it is built")
            .filter_map(|file| file.ok()?.file_name().into_string().ok())
            .find(|name| name.starts_with("highwater-") && name.ends_with(".wasm"))
            .expect("there is a program");
        page.server.add_page(&format!("{DEEP}{wasm}"), "no program");
        page.goto(&page.server.app()).await;
        tells(page, &["повреждены", "damaged"]).await;
    });
}

#[test]
fn a_policy_that_is_too_strict_is_named() {
    with_broken_page(async |page| {
        let index = std::fs::read_to_string(built().join("index.html")).expect("it is built");
        for (name, policy) in [
            ("wasm.html", "script-src 'self'"),
            (
                "connect.html",
                "script-src 'self' 'wasm-unsafe-eval'; connect-src 'none'",
            ),
        ] {
            let meta =
                format!("<head><meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
            let path = format!("{DEEP}{name}");
            page.server
                .add_page(&path, &index.replacen("<head>", &meta, 1));
            page.goto(&format!("{}{path}", page.server.origin())).await;
            tells(
                page,
                &["политикой", "policy", "wasm-unsafe-eval", "connect-src"],
            )
            .await;
        }
    });
}

#[test]
fn a_download_that_stands_still_is_told_and_may_still_come() {
    with_page(async |page| {
        page.before_load(
            "const wait = setTimeout, get = fetch; let on = false; \
             window.fetch = (...a) => on ? get(...a) : new Promise(go => { window.goOn = () => { on = true; go(get(...a)); }; }); \
             window.setTimeout = (f, ms, ...a) => wait(f, ms === 15000 ? 500 : ms, ...a);",
        )
        .await;
        page.goto(&page.server.app()).await;
        tells(page, &["дольше обычного", "longer than usual"]).await;
        page.eval("(goOn(), true)").await;
        page.until("the app is there after all", Page::READY).await;
    });
}
