//! Judges recorded runs and test vectors: `conform FILE-OR-FOLDER...`. A line a case, a last
//! line with the sums; exit status 1 on a failure or where nothing could be run, 2 on bad usage or an unreadable file.

#[allow(
    dead_code,
    reason = "shared with the tests, which use other parts of it"
)]
#[path = "../tests/conform/mod.rs"]
mod conform;

use conform::Verdict;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if args.is_empty() || args.iter().any(|a| a.to_string_lossy().starts_with('-')) {
        eprintln!("usage: conform FILE-OR-FOLDER...");
        return ExitCode::from(2);
    }
    // A fault of the engine is told on the case's own line.
    std::panic::set_hook(Box::new(|_| {}));
    let (mut passed, mut failed, mut not_applicable, mut unreadable) = (0, 0, 0, false);
    let mut complain = |path: &Path, why: &str| {
        eprintln!("{}: {why}", path.display());
        unreadable = true;
    };
    for arg in &args {
        let mut files = Vec::new();
        if let Err(e) = collect(arg, &mut files) {
            complain(arg, &e.to_string());
        }
        files.sort();
        for file in files {
            let text = match std::fs::read_to_string(&file) {
                Ok(text) => text,
                Err(e) => {
                    complain(&file, &e.to_string());
                    continue;
                }
            };
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            match conform::judge(&text, &stem) {
                Ok(lines) => {
                    for line in lines {
                        println!("{}", line.text());
                        match line.verdict {
                            Verdict::Pass => passed += 1,
                            Verdict::Fail(_) => failed += 1,
                            Verdict::NotApplicable(_) => not_applicable += 1,
                        }
                    }
                }
                Err(e) => complain(&file, &e),
            }
        }
    }
    println!("{passed} passed, {failed} failed, {not_applicable} n/a");
    if passed + failed == 0 {
        eprintln!("nothing was run");
    }
    match (unreadable, failed) {
        (true, _) => ExitCode::from(2),
        (_, 0) if passed > 0 => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    }
}

/// The file itself, or all `.json` files of a folder and of those in it.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !path.metadata()?.is_dir() {
        files.push(path.into());
        return Ok(());
    }
    for entry in std::fs::read_dir(path)? {
        let inner = entry?.path();
        if inner.is_dir() || inner.extension().is_some_and(|e| e == "json") {
            collect(&inner, files)?;
        }
    }
    Ok(())
}
