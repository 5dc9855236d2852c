//! `embed`: what others build upon, put beside the app. The scripts of `v1/`, made small, with the
//! hashes for their `integrity`, and the page that builds an embed, with its list of scenes. Trunk
//! calls this after each build (Trunk.toml), so `serve` and `dist` both have it.

use crate::run::{Done, cargo, output, root};
use crate::sha384::integrity;
use crate::small::small;
use std::path::{Path, PathBuf};

/// The folder of the first version of the contract: its files keep their names for ever.
pub const V1: &str = "v1";
/// The page that builds an embed.
pub const BUILDER: &str = "embed";
/// What a course page loads, and the most that it may take, gzipped.
pub const LOADER: (&str, u64) = ("highwater-embed.js", 4096);

/// Fills `v1/` and `embed/` of the folder that trunk is about to publish.
pub fn embed() -> Done {
    let folder = std::env::var_os("TRUNK_STAGING_DIR")
        .map(PathBuf::from)
        .ok_or("trunk calls this: use serve or dist")?;
    let put = |name: &str| copy(&root().join("static").join(name), &folder.join(name));
    let hashes = put(V1)?;
    put(BUILDER)?;
    let write = |path: &str, text: &str| {
        std::fs::write(folder.join(path), text).map_err(|e| format!("{path}: {e}"))
    };
    write("v1/integrity.txt", &hashes)?;
    let scenes = output(cargo().args(["run", "--quiet", "--locked", "--example", "scenes"]))
        .ok_or("the list of scenes could not be made: `cargo run --example scenes` says why")?;
    write("embed/scenes.json", &scenes)
}

/// Copies the files of a folder, scripts made small; returns a line with the hash of each script.
fn copy(from: &Path, to: &Path) -> Done<String> {
    let failed = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    std::fs::create_dir_all(to).map_err(|e| failed(to, e))?;
    let entries = std::fs::read_dir(from).map_err(|e| failed(from, e))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut hashes = String::new();
    for path in paths {
        let mut bytes = std::fs::read(&path).map_err(|e| failed(&path, e))?;
        let name = path.file_name().unwrap_or_default();
        if path.extension().is_some_and(|kind| kind == "js") {
            let script =
                String::from_utf8(bytes).map_err(|e| format!("{}: {e}", path.display()))?;
            bytes = small(&script).into_bytes();
            hashes += &format!("{} {}\n", name.to_string_lossy(), integrity(&bytes));
        }
        let to = to.join(name);
        std::fs::write(&to, bytes).map_err(|e| failed(&to, e))?;
    }
    Ok(hashes)
}
