//! The module with the database in a worker of its own, so that a query that does not end can be
//! stopped: the worker is ended with it.

use super::desk::Heard;
use crate::app::dom;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::js_sys::{Array, Error, Reflect, global};
use web_sys::{
    Blob, BlobPropertyBag, ErrorEvent, MessageEvent, Url, Worker, WorkerOptions, WorkerType,
};
use yew::Callback;

/// A worker that runs until this is dropped.
pub struct Running {
    worker: Worker,
    _heard: Closure<dyn Fn(MessageEvent)>,
    _failed: Closure<dyn Fn(ErrorEvent)>,
}

impl Running {
    /// Starts it. What it says, also that it could not be started, goes to `say`.
    pub fn start(say: &Callback<Heard>) -> Option<Running> {
        let Some(address) = address() else {
            say.emit(Heard::Failed(String::new()));
            return None;
        };
        let worker = match open(&address) {
            Ok(worker) => worker,
            Err(error) => {
                say.emit(Heard::Failed(words(&error)));
                return None;
            }
        };
        let heard = {
            let say = say.clone();
            Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
                let text = event.data().as_string().unwrap_or_default();
                if let Some(heard) = Heard::read(&text) {
                    say.emit(heard);
                }
            })
        };
        let failed = {
            let say = say.clone();
            Closure::<dyn Fn(ErrorEvent)>::new(move |event: ErrorEvent| {
                // The event of a script that could not be read has no message.
                let message = JsValue::from(&event);
                let message = Reflect::get(&message, &"message".into());
                let message = message.ok().and_then(|m| m.as_string());
                say.emit(Heard::Failed(
                    message.unwrap_or_else(|| "Worker: error".into()),
                ));
            })
        };
        worker.set_onmessage(Some(heard.as_ref().unchecked_ref()));
        worker.set_onerror(Some(failed.as_ref().unchecked_ref()));
        Some(Running {
            worker,
            _heard: heard,
            _failed: failed,
        })
    }

    /// Asks it.
    pub fn ask(&self, text: &str) {
        let _ = self.worker.post_message(&JsValue::from_str(text));
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

/// Where the worker's script is; the build writes it into the page.
fn address() -> Option<String> {
    let document = dom::document()?;
    let told = document.query_selector("meta[name=practice]").ok()??;
    let base = document.base_uri().ok()??;
    let address = Url::new_with_base(&told.get_attribute("content")?, &base);
    Some(address.ok()?.href())
}

fn open(address: &str) -> Result<Worker, JsValue> {
    if !sandboxed() {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        return Worker::new_with_options(address, &options);
    }
    // In a frame with a sandbox the page's own files count as another origin's, from which no
    // worker may start. A script of the page's own making may, if it is no module (Chromium), and
    // it may import them.
    let script = format!(
        "import({}).catch(e => postMessage(`x${{e}}`));",
        quoted(address)
    );
    let kind = BlobPropertyBag::new();
    kind.set_type("text/javascript");
    let parts = Array::of1(&JsValue::from_str(&script));
    let blob = Blob::new_with_str_sequence_and_options(&parts, &kind)?;
    Worker::new(&Url::create_object_url_with_blob(&blob)?)
}

/// Whether the page is of no origin, as a frame with a sandbox is.
fn sandboxed() -> bool {
    let origin = Reflect::get(&global(), &"origin".into());
    origin.is_ok_and(|origin| origin.as_string().as_deref() == Some("null"))
}

/// An address as a string of JavaScript: it has no other signs to be feared.
fn quoted(address: &str) -> String {
    format!("\"{}\"", address.replace('\\', "%5C").replace('"', "%22"))
}

fn words(error: &JsValue) -> String {
    let error: Option<&Error> = error.dyn_ref();
    error.map_or_else(|| "Worker".into(), |e| String::from(e.to_string()))
}
