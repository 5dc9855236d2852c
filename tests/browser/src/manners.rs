//! What the page must not do, whatever is done with it.

use crate::browser::Browser;
use crate::page::Page;
use serde_json::Value;

/// Panics with every breach of manners since the page was opened.
pub async fn check(page: &Page) {
    let mut breaches = Vec::new();
    // Only Chromium's driver gives its logs away; the others are asked for what they loaded.
    if page.browser == Browser::Chromium {
        console(page, &mut breaches).await;
    } else {
        let foreign = page
            .eval(
                "performance.getEntriesByType('resource').map(e => e.name)\
                 .filter(name => new URL(name).origin !== location.origin)",
            )
            .await;
        if foreign.as_array().is_none_or(|list| !list.is_empty()) {
            breaches.push(format!("the page asks {foreign}"));
        }
    }
    for path in page.server.missing() {
        breaches.push(format!("the page asks for {path}, which is not there"));
    }
    let stored = page
        .eval("[document.cookie, localStorage.length + sessionStorage.length].join(' ')")
        .await;
    if stored != " 0" {
        breaches.push(format!("the page stores something: {stored}"));
    }
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

/// What Chromium's logs say.
async fn console(page: &Page, breaches: &mut Vec<String>) {
    // Everything worse than a remark: errors of scripts, refusals of the policy, failed loads.
    for entry in page.log("browser").await {
        if matches!(entry["level"].as_str(), Some("SEVERE" | "WARNING")) {
            breaches.push(format!("the console says {}", entry["message"]));
        }
    }
    let origin = page.server.origin();
    for address in requests(&page.log("performance").await) {
        let own = address.starts_with(&format!("{origin}/"))
            || ["data:", "blob:", "about:"]
                .iter()
                .any(|scheme| address.starts_with(scheme));
        if !own {
            breaches.push(format!("the page asks {address}"));
        }
    }
}

/// Addresses that were asked for, from the log of the browser's protocol.
fn requests(log: &[Value]) -> Vec<String> {
    log.iter()
        .filter_map(|entry| serde_json::from_str::<Value>(entry["message"].as_str()?).ok())
        .filter(|event| event["message"]["method"] == "Network.requestWillBeSent")
        .filter_map(|event| {
            let address = &event["message"]["params"]["request"]["url"];
            address.as_str().map(String::from)
        })
        .collect()
}
