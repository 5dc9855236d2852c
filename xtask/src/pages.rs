//! The pages that are there before the program is: `examples/pages.rs` draws them, by the page's
//! own components; the program itself is taken off the critical path.

use crate::run::{Done, cargo, run};
use crate::small::small;
use std::path::Path;

/// Makes the built page start its program when the steps can be turned, and writes the pages.
pub fn pages(folder: &Path, said: &[String]) -> Done {
    let index = folder.join("index.html");
    let failed = |e: std::io::Error| format!("{}: {e}", index.display());
    let page = std::fs::read_to_string(&index).map_err(failed)?;
    if !page.contains(MODULE) {
        return Err("the page starts no module: has it been refitted?".into());
    }
    std::fs::write(&index, unhurried(&page)).map_err(failed)?;
    lighten(folder)?;
    // In the quick profile: drawing takes seconds either way, an optimised build minutes.
    run(cargo()
        .args([
            "run",
            "--quiet",
            "--locked",
            "--features",
            "pages",
            "--example",
            "pages",
            "--",
        ])
        .arg(folder)
        .args(said))
}

/// Leaves out of the script of the steps what only its authors need.
fn lighten(folder: &Path) -> Done {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !name.starts_with("steps-") {
            continue;
        }
        let failed = |e: std::io::Error| format!("{name}: {e}");
        let script = std::fs::read_to_string(&path).map_err(failed)?;
        std::fs::write(&path, small(&script)).map_err(failed)?;
    }
    Ok(())
}

const MODULE: &str = "<script type=\"module\" src=\"";

/// Names the program instead of starting it, and preloads nothing of it: `static/steps.js`
/// starts it, once the steps are there.
fn unhurried(page: &str) -> String {
    let mut out = String::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find('>').map_or(rest.len(), |end| end + 1);
        let (tag, after) = rest.split_at(end);
        rest = after;
        if let Some(address) = tag.strip_prefix(MODULE) {
            let address = address.split('"').next().unwrap_or_default();
            out.push_str(&format!("<meta name=\"program\" content=\"{address}\">"));
            rest = rest.strip_prefix("</script>").unwrap_or(rest);
        } else if !(tag.starts_with("<link") && tag.contains("preload\"")) {
            out.push_str(tag);
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::unhurried;

    #[test]
    fn the_program_is_named_and_not_started() {
        let page = "<link rel=\"modulepreload\" href=\"a.js\"><link rel=\"preload\" as=\"fetch\" href=\"a.wasm\"><link rel=\"icon\" href=\"i.svg\">\
                    <script type=\"module\" src=\"./start-1.js\"></script><p>x</p>";
        assert_eq!(
            unhurried(page),
            "<link rel=\"icon\" href=\"i.svg\"><meta name=\"program\" content=\"./start-1.js\"><p>x</p>"
        );
    }
}
