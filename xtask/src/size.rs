//! `size`: what a reader downloads, against the budget.

use crate::dist::DIST;
use crate::embed::{BUILDER, LOADER, V1};
use crate::run::{Done, root};
use crate::{practice, scorm, size_pages};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// All files of the app, each compressed by `gzip -9`: what is aimed at.
const BUDGET: u64 = 150 * 1024;

/// What it has come to so far, far above the budget. The test holds this line: it moves down with
/// every saving, and up only in a commit that says what has come in for it. None of it but the
/// sheets and two small scripts is waited for: see `size_pages`.
const REACHED: u64 = 860 * 1024;

/// The module of the practice, which is no part of the page.
const PRACTICE: u64 = 380 * 1024;

/// Prints the size of each file of `dist/`; fails above what was reached before.
pub fn size() -> Done {
    let folder = root().join(DIST);
    let mut files = Vec::new();
    list(&folder, &mut files)
        .map_err(|e| format!("{DIST}/ cannot be read ({e}): run `cargo xtask dist` first"))?;
    files.sort();
    println!("{:>10} {:>10}  file", "bytes", "gzipped");
    let (mut all, mut all_small) = (0, 0);
    let (mut apart, mut loader) = (0, 0);
    for file in &files {
        let bytes = std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
        let name = file.strip_prefix(&folder).unwrap_or(file);
        // Each reader loads one of these; they have budgets of their own.
        if name.starts_with("s") || name.to_string_lossy().starts_with("front.") {
            continue;
        }
        let (raw, small) = (bytes.len() as u64, gzipped(bytes)?);
        println!("{raw:>10} {small:>10}  {}", name.display());
        // Loaded only by who opens the practice.
        if name.to_string_lossy().starts_with(practice::NAME) {
            apart += small;
            continue;
        }
        // Loaded by course pages, and by who puts a scene into one.
        if [V1, BUILDER, scorm::FOLDER]
            .iter()
            .any(|apart| name.starts_with(apart))
        {
            if name.ends_with(LOADER.0) {
                loader = small;
            }
            continue;
        }
        all += raw;
        all_small += small;
    }
    println!(
        "{all:>10} {all_small:>10}  in all; the budget is {BUDGET} gzipped, the line held is {REACHED}"
    );
    println!(
        "{apart:>21}  in the SQL practice, gzipped: loaded apart, only when it is opened; the line held is {PRACTICE}"
    );
    size_pages::size(&folder, &files)?;
    if files.is_empty() {
        Err(format!("{DIST}/ is empty: run `cargo xtask dist` first"))
    } else if apart == 0 || apart > PRACTICE {
        Err(format!("the practice's module has {apart} bytes gzipped"))
    } else if loader == 0 || loader > LOADER.1 {
        let (name, most) = LOADER;
        Err(format!(
            "{name} has {loader} bytes gzipped, and may have {most}"
        ))
    } else if all_small > REACHED {
        Err(format!(
            "{} bytes more than was reached before",
            all_small - REACHED
        ))
    } else {
        Ok(())
    }
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// How many bytes the system's gzip makes of these.
pub fn gzipped(bytes: Vec<u8>) -> Done<u64> {
    gzip(bytes).map(|small| small.len() as u64)
}

/// What the system's gzip makes of these bytes.
pub fn gzip(bytes: Vec<u8>) -> Done<Vec<u8>> {
    let failed = |e: std::io::Error| format!("gzip could not be run: {e}");
    let mut gzip = Command::new("gzip")
        .args(["-9", "-n", "-c"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let mut input = gzip.stdin.take().ok_or("gzip has no input")?;
    let writer = std::thread::spawn(move || input.write_all(&bytes));
    let out = gzip.wait_with_output().map_err(failed)?;
    match writer.join() {
        Ok(Ok(())) if out.status.success() => Ok(out.stdout),
        _ => Err("gzip failed".into()),
    }
}
