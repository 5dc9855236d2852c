//! `practice`: the module with SQLite, built and put beside the app. Trunk calls this after each
//! build (Trunk.toml), so `serve` and `dist` both have it.

use crate::clang::clang;
use crate::page::fnv1a;
use crate::run::{Done, root, run};
use crate::tools::{self, WASM};
use std::path::{Path, PathBuf};

/// How the names of its files begin.
pub const NAME: &str = "sqlite-";
const PACKAGE: &str = "highwater-practice";

/// Builds the module into the folder that trunk is about to publish.
pub fn practice() -> Done {
    let folder = std::env::var_os("TRUNK_STAGING_DIR")
        .map(PathBuf::from)
        .ok_or("trunk calls this: use serve or dist")?;
    let tools = tools::set_up()?;
    run(tools
        .cargo()
        .args(["build", "--quiet", "--release", "--locked"])
        .args(["--target", WASM, "--package", PACKAGE, "--bin", PACKAGE])
        .env("CC_wasm32_unknown_unknown", clang()?))?;
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root().join("target"), |set| root().join(set));
    let wasm = target.join(WASM).join("release").join(PACKAGE);
    let out = target.join("practice");
    run(tools
        .bindgen()
        .args([
            "--target",
            "web",
            "--no-typescript",
            "--out-name",
            "practice",
        ])
        .arg("--out-dir")
        .arg(&out)
        .arg(wasm.with_extension("wasm")))?;
    let worker = put(&out, &folder)?;
    announce(&folder.join("index.html"), &worker)
}

/// Puts the files into the folder under names of what they hold; returns the worker's.
fn put(from: &Path, folder: &Path) -> Done<String> {
    let read = |path: PathBuf| {
        std::fs::read(&path).map_err(|e| format!("{} cannot be read: {e}", path.display()))
    };
    let write = |kind: &str, bytes: &[u8]| {
        let name = format!("{NAME}{:016x}{kind}", fnv1a(bytes));
        std::fs::write(folder.join(&name), bytes)
            .map_err(|e| format!("{name} cannot be written: {e}"))?;
        Done::Ok(name)
    };
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).map_err(|e| e.to_string());
    let wasm = read(from.join("practice_bg.wasm"))?;
    let size = wasm.len().to_string();
    let wasm = write(".wasm", &wasm)?;
    let glue = text(read(from.join("practice.js"))?)?.replace("practice_bg.wasm", &wasm);
    let glue = write(".js", glue.as_bytes())?;
    let worker = text(read(root().join("practice").join("worker.js"))?)?
        .replace("PRACTICE_JS", &glue)
        .replace("PRACTICE_WASM", &wasm)
        .replace("PRACTICE_BYTES", &size);
    write(".worker.js", worker.as_bytes())
}

/// Tells the page where the worker is.
fn announce(page: &Path, worker: &str) -> Done {
    let failed = |e: std::io::Error| format!("{}: {e}", page.display());
    let text = std::fs::read_to_string(page).map_err(failed)?;
    let told = format!("<meta name=\"practice\" content=\"./{worker}\">\n</head>");
    if !text.contains("</head>") {
        return Err(format!("{} has no </head>", page.display()));
    }
    std::fs::write(page, text.replacen("</head>", &told, 1)).map_err(failed)
}
