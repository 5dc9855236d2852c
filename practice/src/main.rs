//! The module in its worker: says that it is there, then answers one query after another. The
//! page stops a query that does not end by ending the worker.

fn main() {
    #[cfg(target_arch = "wasm32")]
    worker::start();
    #[cfg(not(target_arch = "wasm32"))]
    println!("The practice is part of the page: `cargo xtask serve` opens it.");
}

#[cfg(target_arch = "wasm32")]
mod worker {
    use highwater::view::practice::reply::Asked;
    use highwater_practice::{database, judge};
    use wasm_bindgen::{JsCast, JsValue, closure::Closure};
    use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

    fn scope() -> Option<DedicatedWorkerGlobalScope> {
        web_sys::js_sys::global().dyn_into().ok()
    }

    fn say(kind: &str, text: &str) {
        if let Some(scope) = scope() {
            let _ = scope.post_message(&JsValue::from_str(&format!("{kind}{text}")));
        }
    }

    pub fn start() {
        let asked = Closure::<dyn Fn(MessageEvent)>::new(|event: MessageEvent| {
            let text = event.data().as_string().unwrap_or_default();
            if let Some(asked) = Asked::decode(&text) {
                say("a", &judge::judge(&asked).encode());
            }
        });
        if let Some(scope) = scope() {
            scope.set_onmessage(Some(asked.as_ref().unchecked_ref()));
        }
        // It is needed as long as the worker lives.
        asked.forget();
        say("r", database::version());
    }
}
