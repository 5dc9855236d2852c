//! `serve`: set-up, then the app on a local port, rebuilt as its files change.

use crate::run::{Done, run};
use crate::{clang, tools};

/// Serves until interrupted. The address is Trunk.toml's; `extra` goes to trunk.
pub fn serve(extra: &[String]) -> Done {
    let tools = tools::set_up()?;
    // Before the wait, so that a missing compiler is said at once.
    clang::clang()?;
    let said = |name: &str| {
        let value = extra.iter().skip_while(|word| *word != name).nth(1);
        value.cloned()
    };
    let address = said("--address").unwrap_or_else(|| "127.0.0.1".into());
    let port = said("--port").unwrap_or_else(|| "8080".into());
    println!("serve: building; then open http://{address}:{port}/ (Ctrl+C ends it)");
    run(tools.trunk().arg("serve").args(extra))
}
