//! `dist`: the app as a folder that any static server can serve, at any path, under a strict
//! content policy.

use crate::run::{Done, root, run};
use crate::{clang, page, pages, tools};
use std::path::Path;

/// The folder the app is built into.
pub const DIST: &str = "dist";

/// Builds `dist/`; what is said (`--base URL`, `--single SCENE --lang LANG`) is for its pages.
pub fn dist(said: &[String]) -> Done {
    let tools = tools::set_up()?;
    clang::clang()?;
    run(tools.trunk().args(["build", "--release", "--dist", DIST]))?;
    let folder = root().join(DIST);
    page::refit(&folder)?;
    pages::pages(&folder, said)?;
    check(&folder)?;
    println!("dist: {DIST}/ is ready for any static server");
    Ok(())
}

/// Refuses a page that would not work in a deep folder or under the policy of the README.
fn check(folder: &Path) -> Done {
    let html = std::fs::read_to_string(folder.join("index.html"))
        .map_err(|e| format!("{DIST}/index.html cannot be read: {e}"))?;
    let faults = faults(&html);
    if faults.is_empty() {
        Ok(())
    } else {
        Err(format!("{DIST}/index.html: {}", faults.join("; ")))
    }
}

/// What is wrong with the page, in words.
fn faults(page: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for tag in tags(page) {
        let name = tag.split([' ', '\n', '>']).next().unwrap_or_default();
        for attribute in ["href", "src", "action"] {
            if let Some(address) = value(tag, attribute) {
                let elsewhere = address.starts_with('/') || address.contains(':');
                if elsewhere && !address.starts_with("data:") {
                    faults.push(format!("{attribute}=\"{address}\" is not relative"));
                }
            }
        }
        if name == "script" && value(tag, "src").is_none() {
            faults.push("an inline script".into());
        }
        if name == "style" || tag.contains(" style=") {
            faults.push("an inline style".into());
        }
        if tag.contains(" on") && tag.split_whitespace().any(|word| word.starts_with("on")) {
            faults.push(format!("an inline handler in <{name}>"));
        }
    }
    faults
}

/// The opening tags of a page, without their first bracket, closing tags and comments left out.
fn tags(page: &str) -> impl Iterator<Item = &str> {
    page.split('<')
        .skip(1)
        .filter(|text| text.starts_with(|c: char| c.is_ascii_alphabetic()))
        .map(|text| text.split('>').next().unwrap_or(text))
}

/// The value of an attribute, quoted or not.
fn value<'a>(tag: &'a str, attribute: &str) -> Option<&'a str> {
    let start = tag.find(&format!(" {attribute}="))? + attribute.len() + 2;
    let rest = &tag[start..];
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
    match quote {
        Some(quote) => rest[1..].split(quote).next(),
        None => rest.split_whitespace().next(),
    }
}

#[cfg(test)]
mod tests {
    use super::faults;

    #[test]
    fn a_relative_page_without_inline_code_is_fine() {
        let page = "<!doctype html><link rel=stylesheet href=./app-1.css>\
                    <script type=\"module\" src=\"./start-1.js\"></script><h1>on time</h1>";
        assert_eq!(faults(page), Vec::<String>::new());
    }

    #[test]
    fn each_thing_the_policy_forbids_is_named() {
        let page = "<link href=\"/app.css\"><script>1</script><style></style>\
                    <p style=\"color:red\"><a href='https://example.org'><b onclick=\"x()\">";
        assert_eq!(
            faults(page),
            [
                "href=\"/app.css\" is not relative",
                "an inline script",
                "an inline style",
                "an inline style",
                "href=\"https://example.org\" is not relative",
                "an inline handler in <b>",
            ]
        );
    }
}
