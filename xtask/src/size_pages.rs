//! The budgets of what is there before the program: all that the first scene takes to be
//! stepped, the script of the steps, each scene's words, posters and single files.

use crate::run::Done;
use crate::size::gzipped;
use std::path::{Path, PathBuf};

/// Everything that the scene at the top of the front page takes, gzipped.
const FIRST: u64 = 150 * 1024;
/// The script that turns the steps, gzipped.
const SCRIPT: u64 = 4 * 1024;
/// A poster, gzipped, as it travels.
const POSTER: u64 = 15 * 1024;
/// The words of a scene in one language, gzipped, without its pictures.
const WORDS: u64 = 6 * 1024;
/// A scene as one file, as it lies on a disk.
const SINGLE: u64 = 700 * 1024;

/// Prints the largest of each kind against its budget; fails above it.
pub fn size(folder: &Path, files: &[PathBuf]) -> Done {
    let read = |path: &Path| std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()));
    let name = |path: &Path| {
        let own = path.strip_prefix(folder).unwrap_or(path);
        own.to_string_lossy().replace('\\', "/")
    };
    let mut over = Vec::new();
    let mut told = |what: &str, which: &str, bytes: u64, budget: u64| {
        println!("{bytes:>21}  {what}: {which}; the budget is {budget}");
        if bytes > budget {
            over.push(format!("{what} {which}: {bytes} of {budget} bytes"));
        }
    };
    let critical = |path: &&PathBuf| {
        let name = name(path);
        let script = name.starts_with("boot-") || name.starts_with("steps-");
        !name.contains('/') && (script || name.ends_with(".css") || name == "index.html")
    };
    for lang in ["ru", "en"] {
        let front = folder.join(format!("front.{lang}.html"));
        let mut all = gzipped(read(&front)?)?;
        for file in files.iter().filter(critical) {
            all += gzipped(read(file)?)?;
        }
        told("all that the first scene takes", lang, all, FIRST);
    }
    let (mut poster, mut words, mut single, mut script) =
        (Largest::new(), Largest::new(), Largest::new(), 0);
    for file in files {
        let name = name(file);
        if name.starts_with("steps-") {
            script = gzipped(read(file)?)?;
        } else if name.starts_with("s/") && name.ends_with(".svg") {
            poster.take(gzipped(read(file)?)?, &name);
        } else if name.starts_with("s/") && name.ends_with("/index.html") {
            let page = String::from_utf8_lossy(&read(file)?).into_owned();
            words.take(gzipped(told_in(&page).into_bytes())?, &name);
        } else if name.starts_with("s/") {
            single.take(read(file)?.len() as u64, &name);
        }
    }
    if poster.bytes == 0 || words.bytes == 0 || single.bytes == 0 || script == 0 {
        return Err("the pages of the scenes are not there: run `cargo xtask dist`".into());
    }
    told("the script of the steps", "steps.js", script, SCRIPT);
    told("the largest poster", &poster.name, poster.bytes, POSTER);
    told("the most words", &words.name, words.bytes, WORDS);
    told(
        "the largest single file, not compressed",
        &single.name,
        single.bytes,
        SINGLE,
    );
    match over.is_empty() {
        true => Ok(()),
        false => Err(over.join("; ")),
    }
}

struct Largest {
    bytes: u64,
    name: String,
}

impl Largest {
    fn new() -> Largest {
        Largest {
            bytes: 0,
            name: String::new(),
        }
    }

    fn take(&mut self, bytes: u64, name: &str) {
        if bytes > self.bytes {
            *self = Largest {
                bytes,
                name: name.into(),
            };
        }
    }
}

/// The texts of a storyboard's steps, without their markup.
fn told_in(page: &str) -> String {
    let texts = page.split("<div class=\"text\">").skip(1);
    let mut out = String::new();
    for text in texts {
        let text = text.split("<details><summary>").next().unwrap_or(text);
        let text = text.split("<p class=\"go\">").next().unwrap_or(text);
        for piece in text.split('<') {
            out.push_str(piece.split_once('>').map_or(piece, |(_, words)| words));
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::told_in;

    #[test]
    fn the_words_of_steps_are_taken_without_markup() {
        let page = "<h1>no</h1><div class=\"text\"><p>one <b>two</b></p></div><details><summary>no";
        let told = told_in(page);
        assert!(told.contains("one") && told.contains("two"));
        assert!(!told.contains("no") && !told.contains('<'));
    }
}
