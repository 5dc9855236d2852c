//! The page as trunk writes it, made fit for a strict content policy.
//!
//! Trunk starts the app from an inline script, which the policy `script-src 'self'` refuses; and
//! it asks for an integrity check of the preloaded wasm that no browser makes, which Chromium
//! remarks upon in every reader's console.

use crate::run::Done;
use std::path::Path;

/// Rewrites `folder/index.html`, and puts the script beside it.
pub fn refit(folder: &Path) -> Done {
    let at = folder.join("index.html");
    let page = std::fs::read_to_string(&at)
        .map_err(|e| format!("{} cannot be read: {e}", at.display()))?;
    let Some(split) = split(&page) else {
        return Err("trunk's page has no inline module script: has trunk changed?".into());
    };
    // Named after what it holds, as its neighbours are, so that it may be cached for ever.
    let name = format!("start-{:016x}.js", fnv1a(split.script.as_bytes()));
    let page = format!(
        "{}<script type=\"module\" src=\"./{name}\"></script>{}",
        split.before, split.after
    );
    std::fs::write(folder.join(&name), split.script)
        .and_then(|()| std::fs::write(&at, without_idle_integrity(&page)))
        .map_err(|e| format!("{} cannot be written: {e}", folder.display()))
}

/// Takes the integrity from what is preloaded to be fetched; scripts and styles keep theirs.
fn without_idle_integrity(page: &str) -> String {
    page.split_inclusive('>')
        .map(|tag| match tag.find(" integrity=\"") {
            Some(start) if tag.contains("as=\"fetch\"") => {
                let value = start + " integrity=\"".len();
                let end = tag[value..]
                    .find('"')
                    .map_or(tag.len(), |quote| value + quote + 1);
                format!("{}{}", &tag[..start], &tag[end..])
            }
            _ => tag.into(),
        })
        .collect()
}

struct Split<'a> {
    before: &'a str,
    script: String,
    after: &'a str,
}

/// Finds the first module script that has a body.
fn split(page: &str) -> Option<Split<'_>> {
    let mut from = 0;
    while let Some(found) = page[from..].find("<script") {
        let start = from + found;
        let body = start + page[start..].find('>')? + 1;
        let end = body + page[body..].find("</script>")?;
        let head = &page[start..body];
        if head.contains("module") && !head.contains(" src=") {
            return Some(Split {
                before: &page[..start],
                script: format!("{}\n", page[body..end].trim()),
                after: &page[end + "</script>".len()..],
            });
        }
        from = end;
    }
    None
}

/// A hash of what a file holds, for its name.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::{split, without_idle_integrity};

    #[test]
    fn only_what_is_preloaded_to_be_fetched_loses_its_integrity() {
        let page =
            "<link rel=\"modulepreload\" integrity=\"a\"><link integrity=\"b\" as=\"fetch\">";
        let fit = "<link rel=\"modulepreload\" integrity=\"a\"><link as=\"fetch\">";
        assert_eq!(without_idle_integrity(page), fit);
    }

    #[test]
    fn only_the_inline_module_script_is_taken() {
        let page = "<head><script src=\"a.js\"></script><script type=\"module\">\nstart()\n\
                    </script><p></head>";
        let split = split(page).expect("there is one");
        assert_eq!(split.before, "<head><script src=\"a.js\"></script>");
        assert_eq!(split.script, "start()\n");
        assert_eq!(split.after, "<p></head>");
    }
}
