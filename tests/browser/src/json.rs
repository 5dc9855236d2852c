//! Commands of chromedriver that the WebDriver standard does not have.

use fantoccini::wd::WebDriverCompatibleCommand;
use serde_json::Value;

/// A POST to a path of the session.
#[derive(Debug)]
pub struct Post {
    /// The path after the session, such as `goog/cdp/execute`.
    pub path: &'static str,
    /// The body.
    pub body: Value,
}

impl WebDriverCompatibleCommand for Post {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        base.join(&format!(
            "session/{}/{}",
            session.unwrap_or_default(),
            self.path
        ))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.body.to_string()))
    }
}
