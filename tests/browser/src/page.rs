//! The page, and what a person can do with it.

use crate::browser::Browser;
use crate::driver::Driver;
use crate::json::Post;
use crate::server::Server;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How long something may take to come true.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long to wait before looking again.
const BLINK: Duration = Duration::from_millis(20);

/// What the tests ask a page.
const HELPERS: &str = include_str!("helpers.js");

/// A browser with one page, and the server it asks.
pub struct Page {
    client: Client,
    /// What it is shown in.
    pub browser: Browser,
    /// Whether it is asked by plain WebDriver only, which every browser's driver speaks.
    plain: bool,
    /// The server the page comes from.
    pub server: Server,
}

impl Page {
    /// True once the app can be stepped.
    pub const READY: &str = "document.documentElement.dataset.program && \
                             !!document.querySelector('#app .bar button')";
    /// The button that goes on.
    pub const NEXT: &str = "document.querySelector('.bar .primary')";

    /// Opens a fresh browser; nothing is loaded yet.
    pub async fn open(browser: Browser, plain: bool, driver: &Driver, server: Server) -> Page {
        let mut builder = ClientBuilder::new(HttpConnector::new());
        if let Value::Object(wanted) = browser.wanted() {
            builder.capabilities(wanted);
        }
        let client = builder
            .connect(&driver.url())
            .await
            .unwrap_or_else(|e| panic!("{browser:?} does not start: {e}"));
        let page = Page {
            client,
            browser,
            plain,
            server,
        };
        if !plain {
            page.before_load(HELPERS).await;
        }
        page
    }

    /// Ends the browser.
    pub async fn close(self) {
        // If this fails the browser is gone already.
        let _ = self.client.close().await;
    }

    /// Loads the app with a query such as `?lang=en`, and waits until it can be stepped.
    pub async fn load(&self, query: &str) {
        self.goto(&format!("{}{query}", self.server.app())).await;
        self.until("the app is there", Page::READY).await;
    }

    /// Loads any address.
    pub async fn goto(&self, address: &str) {
        self.client.goto(address).await.expect("the page loads");
    }

    /// Goes on in the page's first frame.
    pub async fn enter_frame(&self) {
        self.client.enter_frame(0).await.expect("there is a frame");
    }

    /// Goes back out of the frame.
    pub async fn leave_frame(&self) {
        self.client
            .enter_parent_frame()
            .await
            .expect("the page is there");
    }

    /// What a JavaScript expression is on the page.
    pub async fn eval(&self, expression: &str) -> Value {
        // Where no script can be put before the page's own, the helpers come with the question.
        let helpers = match self.plain {
            true => HELPERS.replacen("globalThis.hw =", "const hw =", 1),
            false => String::new(),
        };
        let script = format!("{helpers}\nreturn ({expression});");
        match self.client.execute(&script, Vec::new()).await {
            Ok(value) => value,
            Err(e) => panic!("`{expression}` failed: {e}"),
        }
    }

    /// What a promise comes to, however long it takes (an `eval` ends after half a minute).
    pub async fn settled(&self, expression: &str) -> Value {
        let asked =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.devtools("Runtime.evaluate", asked).await;
        let failed = &answer["exceptionDetails"];
        assert!(failed.is_null(), "{expression:.80}: {failed}");
        answer["result"]["value"].clone()
    }

    /// The text of an expression; empty if it is nothing.
    pub async fn text(&self, expression: &str) -> String {
        self.eval(expression)
            .await
            .as_str()
            .unwrap_or_default()
            .to_string()
    }

    /// Waits until an expression is true; says in words what was waited for.
    pub async fn until(&self, what: &str, condition: &str) {
        let start = Instant::now();
        while self.eval(&format!("!!({condition})")).await != json!(true) {
            if start.elapsed() > PATIENCE {
                let shown = self
                    .text("document.body ? document.body.innerText : ''")
                    .await;
                panic!("waited in vain until {what}; the page says:\n{shown}");
            }
            tokio::time::sleep(BLINK).await;
        }
    }

    /// Clicks the element of a CSS selector as every driver can, wherever it has scrolled to.
    pub async fn tap(&self, selector: &str) {
        let found = self.client.find(Locator::Css(selector)).await;
        let element = found.unwrap_or_else(|e| panic!("there is no {selector}: {e}"));
        let done = element.click().await;
        done.unwrap_or_else(|e| panic!("{selector} cannot be clicked: {e}"));
    }

    /// Types into the element of a CSS selector, which takes the focus.
    pub async fn keys(&self, selector: &str, keys: &str) {
        let found = self.client.find(Locator::Css(selector)).await;
        let element = found.unwrap_or_else(|e| panic!("there is no {selector}: {e}"));
        let done = element.send_keys(keys).await;
        done.unwrap_or_else(|e| panic!("{selector} takes no keys: {e}"));
    }

    /// Presses a key: what it means (`key`) and where it is on the keyboard (`code`), which
    /// differ under a Russian layout.
    pub async fn press(&self, key: &str, code: &str) {
        let event = |kind: &str| {
            let text = (kind == "keyDown" && key.chars().count() == 1).then_some(key);
            json!({
                "type": kind, "key": key, "code": code, "text": text.unwrap_or_default(),
                "windowsVirtualKeyCode": virtual_key(code),
            })
        };
        self.devtools("Input.dispatchKeyEvent", event("keyDown"))
            .await;
        self.devtools("Input.dispatchKeyEvent", event("keyUp"))
            .await;
    }

    /// Clicks in the middle of the element that a JavaScript expression gives, as a mouse would.
    /// Where it had to be scrolled to, two frames later: until the browser has drawn it there, it
    /// takes the place for what stood there before, such as another frame.
    pub async fn click(&self, element: &str) {
        let middle = self
            .eval(&format!(
                "(async e => {{ if (!e) return null; \
                 const middle = () => {{ const r = e.getBoundingClientRect(); \
                 return [r.x + r.width / 2, r.y + r.height / 2]; }}; \
                 const before = middle(); \
                 e.scrollIntoView({{block: 'center', behavior: 'instant'}}); \
                 const frame = () => new Promise(requestAnimationFrame); \
                 if (`${{middle()}}` !== `${{before}}`) {{ await frame(); await frame(); }} \
                 return middle(); }})({element})"
            ))
            .await;
        let (x, y) = (&middle[0], &middle[1]);
        assert!(x.is_number(), "there is nothing to click: {element}");
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
            self.devtools("Input.dispatchMouseEvent", event).await;
        }
    }

    /// Gives the page a size in CSS pixels, also smaller than a window can be.
    pub async fn resize(&self, width: u32, height: u32) {
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false,
        });
        self.devtools("Emulation.setDeviceMetricsOverride", size)
            .await;
        self.until(
            "the page has its new size",
            &format!("innerWidth === {width}"),
        )
        .await;
    }

    /// Sets what the reader prefers, such as `prefers-reduced-motion` = `reduce`.
    pub async fn prefer(&self, feature: &str, value: &str) {
        let features = json!({ "features": [{ "name": feature, "value": value }] });
        self.devtools("Emulation.setEmulatedMedia", features).await;
    }

    /// Runs a script in every page before its own scripts run.
    pub async fn before_load(&self, source: &str) {
        self.devtools(
            "Page.addScriptToEvaluateOnNewDocument",
            json!({ "source": source }),
        )
        .await;
    }

    /// Speaks to the browser's own protocol.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Value {
        let body = json!({ "cmd": command, "params": parameters });
        let post = Post {
            path: "goog/cdp/execute",
            body,
        };
        match self.client.issue_cmd(post).await {
            Ok(value) => value,
            Err(e) => panic!("{command} failed: {e}"),
        }
    }

    /// The entries of one of the browser's logs since it was last asked.
    pub async fn log(&self, kind: &str) -> Vec<Value> {
        let post = Post {
            path: "se/log",
            body: json!({ "type": kind }),
        };
        match self.client.issue_cmd(post).await {
            Ok(Value::Array(entries)) => entries,
            other => panic!("the {kind} log cannot be read: {other:?}"),
        }
    }
}

/// The number that Chromium wants for a key with a meaning of its own.
fn virtual_key(code: &str) -> u32 {
    match code {
        "Tab" => 9,
        "Enter" => 13,
        "Escape" => 27,
        "Space" => 32,
        "PageUp" => 33,
        "PageDown" => 34,
        "End" => 35,
        "Home" => 36,
        "ArrowLeft" => 37,
        "ArrowUp" => 38,
        "ArrowRight" => 39,
        "ArrowDown" => 40,
        _ => 0,
    }
}
