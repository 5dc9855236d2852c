//! A lesson with frames of the built page, and the messages between the two.

use crate::Page;
use serde_json::Value;

/// Opens a lesson with frames, each a query and a tag's attributes.
pub async fn lesson(page: &Page, frames: &[(&str, &str)]) {
    let tags: String = frames
        .iter()
        .map(|(query, attributes)| {
            let app = page.server.app();
            format!("<iframe {attributes} src='{app}?{query}'></iframe>")
        })
        .collect();
    let html = format!(
        "<!doctype html><title>Lesson</title><link rel=icon href='data:,'>\
         <script>{}</script><p>Above</p>{tags}<p>Below</p>",
        include_str!("host.js")
    );
    page.server.add_page("/lesson.html", &html);
    page.goto(&format!("{}/lesson.html", page.server.origin()))
        .await;
}

/// The same, and connects with the first frame.
pub async fn connected(page: &Page, query: &str) {
    lesson(page, &[(query, "width=960 height=700")]).await;
    page.until("the frame says hello", "host.link(0).hello")
        .await;
    page.eval("host.offer(0)").await;
    page.until("it is ready", "host.events(0, 'ready').length === 1")
        .await;
}

/// Asks the first frame, and waits for its answer.
pub async fn ask(page: &Page, cmd: &str, args: Value) -> Value {
    page.eval(&format!("host.ask(0, '{cmd}', {args})")).await
}

/// A JavaScript expression inside a frame of the same origin.
pub fn inside(at: usize, expression: &str) -> String {
    format!("(({{ document, hw, location }}) => ({expression}))(host.frames()[{at}].contentWindow)")
}

/// Waits until a frame of the same origin shows its scene.
pub async fn started(page: &Page, at: usize) {
    let ready = inside(at, "document.querySelector('#app .bar button')");
    page.until("the frame has started", &ready).await;
}
