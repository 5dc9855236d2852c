//! The wasm target, trunk and wasm-bindgen: looked for, and built once when they are not there.

use crate::run::{Done, cargo, command, output, path_with, root, run, which};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The trunk that is used. Later ones want a later compiler.
const TRUNK: &str = "0.21.14";
/// What the app is compiled for.
pub const WASM: &str = "wasm32-unknown-unknown";

/// The tools, ready.
pub struct Tools {
    /// The search path for whatever uses them.
    path: OsString,
    folder: PathBuf,
}

impl Tools {
    /// Trunk, which finds wasm-bindgen on the path it is given and then downloads nothing.
    pub fn trunk(&self) -> Command {
        let mut trunk = command(&self.program("trunk").to_string_lossy());
        // Trunk reads NO_COLOR as true or false, and refuses the usual NO_COLOR=1.
        trunk.env("PATH", &self.path).env_remove("NO_COLOR");
        trunk
    }

    /// Cargo, which finds the runner of wasm tests.
    pub fn cargo(&self) -> Command {
        let mut cargo = cargo();
        cargo.env("PATH", &self.path);
        cargo
    }

    /// wasm-bindgen.
    pub fn bindgen(&self) -> Command {
        command(&self.program("wasm-bindgen").to_string_lossy())
    }

    fn program(&self, name: &str) -> PathBuf {
        let own = executable(&self.folder, name);
        if own.is_file() { own } else { name.into() }
    }
}

/// Makes everything ready that building for the browser needs.
pub fn set_up() -> Done<Tools> {
    wasm_target()?;
    let folder = folder()?;
    tool(&folder, "trunk", "trunk", TRUNK, "about 5 minutes")?;
    let bindgen = locked_version("wasm-bindgen")?;
    for program in ["wasm-bindgen", "wasm-bindgen-test-runner"] {
        tool(
            &folder,
            program,
            "wasm-bindgen-cli",
            &bindgen,
            "about 2 minutes",
        )?;
    }
    let path = path_with(&folder.join("bin"))?;
    Ok(Tools { path, folder })
}

/// Adds the wasm target to the toolchain if it lacks it: rustup does so by itself only where its
/// automatic installation is on.
fn wasm_target() -> Done {
    if has_wasm_target() {
        return Ok(());
    }
    if which("rustup").is_none() {
        return Err(format!(
            "the Rust toolchain has no {WASM} standard library, and there is no rustup to add it"
        ));
    }
    println!("set-up: adding the {WASM} target");
    run(command("rustup").args(["target", "add", WASM]))
}

fn has_wasm_target() -> bool {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    output(command(&rustc).args(["--print", "target-libdir", "--target", WASM]))
        .and_then(|libraries| std::fs::read_dir(libraries).ok())
        .is_some_and(|mut files| files.next().is_some())
}

/// Adds a component of the toolchain (rustfmt, clippy) if `cargo NAME` does not work.
pub fn component(name: &str, subcommand: &str) -> Done {
    if output(cargo().args([subcommand, "--version"])).is_some() {
        return Ok(());
    }
    println!("set-up: adding {name}");
    run(command("rustup").args(["component", "add", name]))
}

/// Where the tools live: outside the project, so that a fresh clone finds them.
pub fn folder() -> Done<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(folder) = set("HIGHWATER_TOOLS") {
        return Ok(root().join(folder));
    }
    let cache = set("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| set("LOCALAPPDATA").map(PathBuf::from))
        .or_else(|| set("HOME").map(|home| Path::new(&home).join(".cache")));
    match cache {
        Some(cache) => Ok(cache.join("highwater").join("tools")),
        None => Err("set HIGHWATER_TOOLS to a folder for the build tools".into()),
    }
}

/// Makes sure that `program` of exactly this version is in the tools folder or on the path.
fn tool(folder: &Path, program: &str, package: &str, version: &str, time: &str) -> Done {
    let own = executable(folder, program);
    if version_of(&own).as_deref() == Some(version) {
        return Ok(());
    }
    // Another version in the tools folder would hide the right one further down the path.
    if !own.exists() && version_of(Path::new(program)).as_deref() == Some(version) {
        return Ok(());
    }
    println!(
        "set-up: building {package} {version} into {} (once, {time})",
        folder.display()
    );
    run(cargo()
        .args([
            "install",
            "--locked",
            "--no-default-features",
            "--force",
            "--root",
        ])
        .arg(folder)
        .arg(format!("{package}@{version}"))
        // A quarter less work than these packages' own release settings, on all cores.
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"))?;
    match version_of(&own) {
        Some(found) if found == version => Ok(()),
        found => Err(format!(
            "{package} {version} was installed, but `{program} --version` says {}",
            found.as_deref().unwrap_or("nothing")
        )),
    }
}

/// A program of a package of the same name, in exactly this version.
pub fn built(program: &str, version: &str, time: &str) -> Done<PathBuf> {
    let folder = folder()?;
    tool(&folder, program, program, version, time)?;
    let own = executable(&folder, program);
    Ok(if own.is_file() { own } else { program.into() })
}

/// The version a program gives of itself: the last word of `NAME VERSION`.
fn version_of(program: &Path) -> Option<String> {
    let said = output(command(&program.to_string_lossy()).arg("--version"))?;
    said.lines()
        .next()?
        .split_whitespace()
        .nth(1)
        .map(String::from)
}

fn executable(folder: &Path, name: &str) -> PathBuf {
    folder
        .join("bin")
        .join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// The version of a package in Cargo.lock: the one truth about wasm-bindgen.
fn locked_version(package: &str) -> Done<String> {
    let lock = std::fs::read_to_string(root().join("Cargo.lock"))
        .map_err(|e| format!("Cargo.lock cannot be read: {e}"))?;
    version_in_lock(&lock, package).ok_or(format!("Cargo.lock names no {package}"))
}

fn version_in_lock(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    let version = lines
        .nth(1)?
        .strip_prefix("version = \"")?
        .strip_suffix('"')?;
    Some(version.into())
}

#[cfg(test)]
mod tests {
    use super::version_in_lock;

    #[test]
    fn the_version_is_that_of_the_very_package() {
        let lock = "[[package]]\nname = \"wasm-bindgen-futures\"\nversion = \"0.4.1\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.129\"\n";
        assert_eq!(
            version_in_lock(lock, "wasm-bindgen").as_deref(),
            Some("0.2.129")
        );
        assert_eq!(version_in_lock(lock, "trunk"), None);
    }
}
