//! Rule ids: every one that is cited exists.

use crate::source::below;
use std::collections::BTreeMap;

/// Each rule of the sheet, with the part it stands in.
fn sheet() -> BTreeMap<String, String> {
    let list = include_str!("../data/rule_ids.txt");
    let rules: BTreeMap<String, String> = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
        .map(|(part, id)| (id.to_string(), part.to_string()))
        .collect();
    assert_eq!(rules.len(), 259, "the whole sheet is read");
    rules
}

/// The rule ids a text cites, such as `R-HW-10`.
fn cited(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .filter_map(|word| {
            let (group, number) = word.strip_prefix("R-")?.split_once('-')?;
            let letters = !group.is_empty() && group.chars().all(|c| c.is_ascii_uppercase());
            let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
            (letters && !digits.is_empty()).then(|| format!("R-{group}-{digits}"))
        })
}

#[test]
fn every_rule_that_is_cited_exists() {
    let sheet = sheet();
    let mut unknown = Vec::new();
    let folders = ["src", "tests", "examples", "static", "docs"];
    for file in folders
        .into_iter()
        .flat_map(|f| below(f, &["rs", "txt", "md"]))
    {
        for id in cited(&file.text) {
            if !sheet.contains_key(&id) {
                unknown.push(format!("{}: {id}", file.path));
            }
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}
