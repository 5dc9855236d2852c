//! `test`: every check there is, in order, with a word about each at the end.

use crate::run::{Done, cargo, root, run, which};
use crate::tools::{self, Tools, WASM};
use crate::{browser, clang, dist, npm, size, smoke};
use std::time::Instant;

/// A part of the run: its name, and what it does.
type Part = (&'static str, fn(&Tools) -> Done);

const PARTS: &[Part] = &[
    ("fmt", |_| run(cargo().args(["fmt", "--all", "--check"]))),
    ("clippy", |_| {
        run(cargo()
            .args(["clippy", "--workspace", "--all-targets", "--locked"])
            .args(STRICT))
    }),
    ("clippy-wasm", |_| {
        run(cargo()
            .args(["clippy", "--lib", "--bins", "--locked", "--target", WASM])
            .args(["--package", "highwater", "--package", "highwater-practice"])
            .env("CC_wasm32_unknown_unknown", clang::clang()?)
            .args(STRICT))
    }),
    ("licences", |_| licences()),
    ("native", |_| {
        run(cargo().args([
            "test",
            "--workspace",
            "--locked",
            "--exclude",
            BROWSER_TESTS,
        ]))
    }),
    ("pages", |_| {
        run(cargo().args(["test", "--locked", "--features", "pages", "--test", "pages"]))
    }),
    ("wasm", wasm),
    ("dist", |_| dist::dist(&[])),
    ("size", |_| size::size()),
    ("browser", |_| in_browser()),
    (SMOKE, |_| smoke::smoke()),
];

const STRICT: [&str; 3] = ["--", "-D", "warnings"];
/// The package of the end-to-end tests.
pub const BROWSER_TESTS: &str = "highwater-browser-tests";

/// The part in other browsers, which is run only where it is asked for.
const SMOKE: &str = "smoke";

/// Runs all parts, or those that are named; goes on after a failure and says all of them.
pub fn test(arguments: &[String]) -> Done {
    let mut chosen = arguments.to_vec();
    let others = smoke::wanted(&mut chosen)?;
    let names = || {
        PARTS
            .iter()
            .map(|(name, _)| *name)
            .collect::<Vec<_>>()
            .join(", ")
    };
    if let Some(unknown) = chosen
        .iter()
        .find(|c| PARTS.iter().all(|(name, _)| name != c))
    {
        return Err(format!("no part `{unknown}`; there are {}", names()));
    }
    heading("set-up");
    tools::component("rustfmt", "fmt")?;
    tools::component("clippy", "clippy")?;
    let tools = tools::set_up()?;

    let mut lines = Vec::new();
    let mut failed = Vec::new();
    for (name, part) in PARTS {
        let named = chosen.iter().any(|c| c == name);
        let unasked = match *name {
            SMOKE => !others,
            _ => !chosen.is_empty(),
        };
        if unasked && !named {
            continue;
        }
        heading(name);
        let start = Instant::now();
        // What is measured and driven is what was built just now, never an older dist/.
        let done = if matches!(*name, "size" | "browser" | SMOKE) && failed.contains(&"dist") {
            Err("not run, because dist failed".into())
        } else {
            part(&tools)
        };
        let took = start.elapsed().as_secs();
        match done {
            Ok(()) => lines.push(format!("  ok      {name} ({took} s)")),
            Err(why) => {
                eprintln!("{name}: {why}");
                lines.push(format!("  failed  {name} ({took} s): {why}"));
                failed.push(name);
            }
        }
    }
    heading("summary");
    println!("{}", lines.join("\n"));
    if failed.is_empty() {
        Ok(())
    } else {
        Err(format!("failed: {}", failed.join(", ")))
    }
}

fn heading(name: &str) {
    println!("\n==== {name}");
}

/// The project's own check needs no network and runs with the native tests; cargo-deny says
/// more, where it is installed.
fn licences() -> Done {
    run(cargo().args(["test", "--locked", "--test", "licences"]))?;
    if which("cargo-deny").is_some() {
        return run(cargo().args(["deny", "--offline", "check", "bans", "licenses", "sources"]));
    }
    println!("cargo-deny is not installed: only the project's own check was made");
    Ok(())
}

/// The engine in wasm, in the browser: the same bytes of state, and quick enough.
fn wasm(tools: &Tools) -> Done {
    in_wasm(tools, &["--test", "golden"])
}

/// How long a reader who drags the timeline waits, as the page is built: told, not judged.
pub fn seek_in_browser() -> Done {
    let tools = tools::set_up()?;
    let arguments = ["--release", "--test", "seek", "--", "--nocapture"];
    in_wasm(&tools, &arguments)
}

fn in_wasm(tools: &Tools, arguments: &[&str]) -> Done {
    let driver = browser::driver()?;
    // The browser leaves a profile of 20 MB at each start. Not in target/: a socket in there must
    // have a short path.
    let leavings = std::env::temp_dir().join(format!("highwater-{}", std::process::id()));
    std::fs::create_dir_all(&leavings).map_err(|e| format!("{}: {e}", leavings.display()))?;
    let done = run(tools
        .cargo()
        .args(["test", "--locked", "--target", WASM])
        .args(arguments)
        .env("WASM_BINDGEN_USE_BROWSER", "1")
        .env(
            "WASM_BINDGEN_TEST_WEBDRIVER_JSON",
            root().join("tests/webdriver.json"),
        )
        .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60")
        .env("WASM_BINDGEN_TEST_TIMEOUT", "300")
        .env("CHROMEDRIVER", driver)
        .env("TMPDIR", &leavings));
    // What is left there is of no use to anybody, and its going is no part of the test.
    let _ = std::fs::remove_dir_all(&leavings);
    done
}

/// The built app in a real browser.
fn in_browser() -> Done {
    let driver = browser::driver()?;
    let mut tests = cargo();
    tests.args([
        "test",
        "--locked",
        "--no-fail-fast",
        "--package",
        BROWSER_TESTS,
    ]);
    match npm::packages() {
        Ok(folder) => {
            let scripts = npm::SCRIPTS.map(|(variable, script)| (variable, folder.join(script)));
            tests.envs(scripts);
        }
        Err(why) => {
            println!("without npm's packages two tests are left out: {why}");
            tests.args(["--", "--skip", "axe_", "--skip", "tsc_"]);
        }
    }
    run(tests
        .env("CHROMEDRIVER", driver)
        .env("HIGHWATER_DIST", root().join(dist::DIST)))
}
