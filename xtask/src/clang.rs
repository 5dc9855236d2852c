//! A C compiler that writes wasm, for SQLite: found, or installed where that is ours to do.

use crate::apt;
use crate::run::{Done, command, output};

const WANTED: &str = "the practice needs a clang that can write wasm: install LLVM's clang (on \
                      Debian: apt-get install clang; on macOS: brew install llvm, as Apple's own \
                      cannot; on Windows: winget install LLVM.LLVM), or set \
                      CC_wasm32_unknown_unknown to its path";

/// Where package managers put it beside the path.
const PLACES: [&str; 5] = [
    "clang",
    "/opt/homebrew/opt/llvm/bin/clang",
    "/usr/local/opt/llvm/bin/clang",
    "C:\\Program Files\\LLVM\\bin\\clang.exe",
    "clang-19",
];

/// The compiler for wasm.
pub fn clang() -> Done<String> {
    if let Some(found) = find() {
        return Ok(found);
    }
    apt::install(&["clang"], WANTED)?;
    find().ok_or_else(|| WANTED.into())
}

fn find() -> Option<String> {
    let chosen = std::env::var("CC_wasm32_unknown_unknown").ok();
    if chosen.as_ref().is_some_and(|path| !path.is_empty()) {
        return chosen;
    }
    let place = PLACES.into_iter().find(|path| {
        let targets = output(command(path).arg("--print-targets"));
        targets.is_some_and(|said| said.contains("wasm32"))
    });
    place.map(String::from)
}
