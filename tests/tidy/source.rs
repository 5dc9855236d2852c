//! Reading the project's files, and Rust without its comments and texts.

use std::fs;
use std::path::{Path, PathBuf};

/// The project's folder.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file of the project.
pub struct Source {
    /// Its path from the project's folder, with `/`.
    pub path: String,
    /// What it holds.
    pub text: String,
}

impl Source {
    /// The folder below `src/` it lies in, if there is one.
    pub fn layer(&self) -> Option<&str> {
        let (folder, _) = self.path.strip_prefix("src/")?.split_once('/')?;
        Some(folder)
    }
}

/// Every file below a folder with one of these extensions, in order of their paths.
pub fn below(folder: &str, extensions: &[&str]) -> Vec<Source> {
    let mut paths = Vec::new();
    walk(&root().join(folder), &mut paths);
    paths.sort();
    paths
        .into_iter()
        .filter(|path| {
            let extension = path
                .extension()
                .and_then(|e| e.to_str())
                .unwrap_or_default();
            extensions.contains(&extension)
        })
        .map(|path| {
            let text =
                fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let inside = path.strip_prefix(root()).unwrap_or(&path);
            let path = inside.to_string_lossy().replace('\\', "/");
            Source { path, text }
        })
        .collect()
}

/// Every Rust file of the product.
pub fn product() -> Vec<Source> {
    let files = below("src", &["rs"]);
    assert!(files.len() > 10, "the product is found");
    files
}

fn walk(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let hidden = name.to_string_lossy().starts_with('.');
        let built = ["target", "dist"]
            .iter()
            .any(|built| path == root().join(built));
        if hidden || built {
            continue;
        }
        if path.is_dir() {
            walk(&path, paths);
        } else {
            paths.push(path);
        }
    }
}

/// Rust with its comments gone and its texts empty; lines stay where they were.
pub fn code(rust: &str) -> String {
    let mut out = String::with_capacity(rust.len());
    let mut rest = rust;
    while let Some(c) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(raw) = raw_text(rest) {
            raw
        } else if c == '"' {
            text_end(rest)
        } else if let Some(character) = character(rest) {
            character
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        out.extend(rest[..skipped].chars().filter(|c| *c == '\n'));
        // What stood here parted two words.
        out.push(' ');
        rest = &rest[skipped..];
    }
    out
}

/// The length of a text in quotes at the start of `rest`.
fn text_end(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of a raw text (`r"…"`, `r#"…"#`) at the start of `rest`.
fn raw_text(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let inside = after[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = inside.find(&end).map_or(inside.len(), |at| at + end.len());
    Some(1 + hashes + 1 + length)
}

/// The length of a character in quotes at the start of `rest`; a lifetime is none.
fn character(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    let mut characters = inside.char_indices();
    let (_, first) = characters.next()?;
    if first == '\\' {
        return inside[1..]
            .char_indices()
            .skip(1)
            .find(|(_, c)| *c == '\'')
            .map(|(at, _)| at + 3);
    }
    let (at, quote) = characters.next()?;
    (quote == '\'').then_some(at + 2)
}

/// The words of a piece of code: names and numbers.
pub fn names(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
}

/// The code without its test module, which may do what the product may not, and comes last.
pub fn without_tests(code: &str) -> &str {
    code.match_indices("#[cfg(test)]")
        .find(|(at, _)| {
            let after = code[*at..]
                .lines()
                .skip(1)
                .find(|line| !line.trim().is_empty());
            after.is_some_and(|line| line.contains("mod ") && line.contains('{'))
        })
        .map_or(code, |(at, _)| &code[..at])
}

/// The product's files that readers get: without those that are compiled for tests alone.
pub fn shipped() -> Vec<Source> {
    let files = product();
    let of_tests: Vec<String> = files
        .iter()
        .flat_map(|file| {
            let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let lines = file.text.lines();
            let pairs = lines.clone().zip(lines.skip(1));
            pairs
                .filter(|(attribute, _)| *attribute == "#[cfg(test)]")
                .filter_map(|(_, line)| line.split("mod ").nth(1)?.strip_suffix(';'))
                .map(move |name| format!("{folder}/{name}"))
        })
        .collect();
    files
        .into_iter()
        .filter(|file| {
            let own = |of: &String| {
                file.path
                    .strip_prefix(of.as_str())
                    .is_some_and(|rest| rest.starts_with(['.', '/']))
            };
            !of_tests.iter().any(own)
        })
        .collect()
}

#[test]
fn comments_and_texts_are_taken_out_and_nothing_else() {
    let rust = "let a = \"// f64\"; // f32\nlet b: &'static str = r#\"\"f\"#; /* x\n */ let c = '\\'';\n\
                let d = 'é'; e('\"', g);";
    let kept: Vec<&str> = names(&code(rust))
        .map(|name| name.to_owned().leak() as &str)
        .collect();
    let words = [
        "let", "a", "let", "b", "static", "str", "let", "c", "let", "d", "e", "g",
    ];
    assert_eq!(kept, words);
    assert_eq!(code(rust).lines().count(), rust.lines().count());
}
