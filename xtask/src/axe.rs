//! axe-core for the browser tests: the version of `tests/browser/package-lock.json`, kept with the
//! other tools.

use crate::run::{Done, command, root, run, which};
use crate::{apt, tools};
use std::path::PathBuf;

const WANTED: &str =
    "install Node.js with npm (on Debian: apt-get install nodejs npm), which fetches axe-core";

/// The script, fetched where it is not there yet.
pub fn script() -> Done<PathBuf> {
    let read = |name: &str| {
        let path = root().join("tests/browser").join(name);
        std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
    };
    let files = ["package.json", "package-lock.json"].map(|name| (name, read(name)));
    let folder = tools::folder()?.join("axe");
    let script = folder.join("node_modules/axe-core/axe.min.js");
    let lock = files[1].1.clone()?;
    let same = std::fs::read_to_string(folder.join("package-lock.json")).is_ok_and(|l| l == lock);
    if same && script.is_file() {
        return Ok(script);
    }
    if which("npm").is_none() {
        apt::install(&["nodejs", "npm"], WANTED)?;
    }
    println!("set-up: fetching axe-core into {}", folder.display());
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    std::fs::create_dir_all(&folder).map_err(failed)?;
    for (name, text) in files {
        std::fs::write(folder.join(name), text?).map_err(failed)?;
    }
    let quiet = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    run(command("npm").args(quiet).current_dir(&folder))
        .map_err(|why| format!("{why}; {WANTED}"))?;
    match script.is_file() {
        true => Ok(script),
        false => Err(format!("npm left no {}", script.display())),
    }
}
