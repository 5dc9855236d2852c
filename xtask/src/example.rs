//! `conform`, `play`, `explore` and `bench`: programs of the project itself, in `examples/`.

use crate::run::{cargo, root};
use std::process::ExitCode;

/// Runs an example, optimised, with the user's arguments; its exit status becomes ours.
pub fn example(name: &str, arguments: &[String]) -> ExitCode {
    if !root().join("target/native/examples").join(name).exists() {
        eprintln!("xtask {name}: building, once; this takes some minutes …");
    }
    // Not quiet: a build tells what it compiles, or a person thinks that it hangs.
    let built = cargo()
        .args([
            "build",
            "--locked",
            "--profile",
            "native",
            "--example",
            name,
        ])
        .arg("--manifest-path")
        .arg(root().join("Cargo.toml"))
        .status();
    match built {
        Ok(status) if status.success() => {}
        Ok(_) => return ExitCode::FAILURE,
        Err(e) => {
            eprintln!("xtask {name}: cargo could not be started: {e}");
            return ExitCode::FAILURE;
        }
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
