//! The browsers there are: their drivers, and what a session asks of each.

use serde_json::{Value, json};

/// A browser, as its driver knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Browser {
    /// Chromium by chromedriver: the only one that all tests are for.
    Chromium,
    /// Firefox by geckodriver.
    Firefox,
    /// WebKitGTK's MiniBrowser by WebKitWebDriver.
    WebKit,
}

impl Browser {
    /// Those that `HIGHWATER_BROWSERS` names, between commas; Chromium if it names none.
    pub fn chosen() -> Vec<Browser> {
        let named = std::env::var("HIGHWATER_BROWSERS").unwrap_or_default();
        let names: Vec<&str> = named.split(',').filter(|name| !name.is_empty()).collect();
        match names.is_empty() {
            true => vec![Browser::Chromium],
            false => names.into_iter().map(Browser::named).collect(),
        }
    }

    fn named(name: &str) -> Browser {
        match name {
            "chromium" => Browser::Chromium,
            "firefox" => Browser::Firefox,
            "webkit" => Browser::WebKit,
            _ => panic!("there is no browser `{name}`; there are chromium, firefox, webkit"),
        }
    }

    /// The variable that names its driver, and the driver's name where that is not set.
    pub fn driver(self) -> (&'static str, &'static str) {
        match self {
            Browser::Chromium => ("CHROMEDRIVER", "chromedriver"),
            Browser::Firefox => ("GECKODRIVER", "geckodriver"),
            Browser::WebKit => ("WEBKITDRIVER", "WebKitWebDriver"),
        }
    }

    /// Whether it draws only where there is a display.
    pub fn needs_display(self) -> bool {
        self == Browser::WebKit
    }

    /// What a session asks for.
    pub fn wanted(self) -> Value {
        match self {
            Browser::Chromium => json!({
                "browserName": "chrome",
                "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
                "goog:chromeOptions": { "args": [
                    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
                    "--no-first-run", "--disable-background-networking",
                    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
                    "--window-size=1280,900",
                ]},
            }),
            Browser::Firefox => json!({
                "moz:firefoxOptions": { "args": ["-headless", "-width", "1280", "-height", "900"] },
            }),
            Browser::WebKit => json!({}),
        }
    }
}
