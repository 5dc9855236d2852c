//! What the browser tests take from npm, at the versions of `tests/browser/package-lock.json`,
//! kept with the other tools: axe-core, and the TypeScript compiler.

use crate::run::{Done, command, root, run, which};
use crate::{apt, tools};
use std::path::PathBuf;

const WANTED: &str = "install Node.js with npm (on Debian: apt-get install nodejs npm), which \
                      fetches axe-core and TypeScript";

/// The variables that tell the tests where each script is.
pub const SCRIPTS: [(&str, &str); 2] = [
    ("AXE", "node_modules/axe-core/axe.min.js"),
    ("TSC", "node_modules/typescript/bin/tsc"),
];

/// The folder of the packages, fetched where they are not there yet.
pub fn packages() -> Done<PathBuf> {
    let read = |name: &str| {
        let path = root().join("tests/browser").join(name);
        std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
    };
    let files = ["package.json", "package-lock.json"].map(|name| (name, read(name)));
    let folder = tools::folder()?.join("npm");
    let missing = || {
        let mut scripts = SCRIPTS.iter().map(|(_, script)| folder.join(script));
        scripts.find(|script| !script.is_file())
    };
    let lock = files[1].1.clone()?;
    let same = std::fs::read_to_string(folder.join("package-lock.json")).is_ok_and(|l| l == lock);
    if same && missing().is_none() {
        return Ok(folder);
    }
    if which("npm").is_none() {
        apt::install(&["nodejs", "npm"], WANTED)?;
    }
    println!("set-up: fetching packages of npm into {}", folder.display());
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    std::fs::create_dir_all(&folder).map_err(failed)?;
    for (name, text) in files {
        std::fs::write(folder.join(name), text?).map_err(failed)?;
    }
    let quiet = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    run(command("npm").args(quiet).current_dir(&folder))
        .map_err(|why| format!("{why}; {WANTED}"))?;
    match missing() {
        None => Ok(folder),
        Some(script) => Err(format!("npm left no {}", script.display())),
    }
}
