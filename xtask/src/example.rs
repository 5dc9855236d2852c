//! `conform`, `explore` and `bench`: programs of the project itself, in `examples/`.

use crate::run::{cargo, root};
use std::process::ExitCode;

/// Runs an example, optimised, with the user's arguments; its exit status becomes ours.
pub fn example(name: &str, arguments: &[String]) -> ExitCode {
    let built = root().join("target/native/examples").join(name);
    if !built.exists() {
        eprintln!("xtask {name}: building, once; this takes some minutes …");
    }
    let mut command = cargo();
    command
        .args([
            "run",
            "--quiet",
            "--locked",
            "--profile",
            "native",
            "--example",
            name,
        ])
        .arg("--manifest-path")
        .arg(root().join("Cargo.toml"))
        .arg("--")
        .args(arguments);
    // File names given by the user are relative to where the user is.
    if let Ok(here) = std::env::current_dir() {
        command.current_dir(here);
    }
    match command.status() {
        Ok(status) => ExitCode::from(
            status
                .code()
                .and_then(|c| u8::try_from(c).ok())
                .unwrap_or(1),
        ),
        Err(e) => {
            eprintln!("xtask {name}: cargo could not be started: {e}");
            ExitCode::FAILURE
        }
    }
}
