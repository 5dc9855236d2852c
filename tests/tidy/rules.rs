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
    assert_eq!(rules.len(), 266, "the whole sheet is read");
    rules
}

/// The rule ids a text cites, such as `R-HW-10`.
fn cited(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .filter_map(|word| {
            let (group, number) = word.strip_prefix("R-")?.split_once('-')?;
            let letters = !group.is_empty()
                && (group.chars().all(|c| c.is_ascii_uppercase()) || group == "848");
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

/// Whether a rule of this part must be carried out by the engine or be listed as left out.
fn is_owed(part: &str) -> bool {
    part.starts_with(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'])
}

/// The ids a text cites, also those within `R-LDR-1 to R-LDR-6`.
fn covered(text: &str) -> std::collections::BTreeSet<String> {
    let ids: Vec<String> = cited(text).collect();
    let number = |id: &str| {
        id.rsplit_once('-')
            .and_then(|(g, n)| Some((g.to_string(), n.parse::<u32>().ok()?)))
    };
    let mut all: std::collections::BTreeSet<String> = ids.iter().cloned().collect();
    for pair in ids.windows(2) {
        let joined = format!("{} to {}", pair[0], pair[1]);
        if let (true, Some((group, from)), Some((other, to))) =
            (text.contains(&joined), number(&pair[0]), number(&pair[1]))
            && group == other
        {
            all.extend((from..=to).map(|n| format!("{group}-{n}")));
        }
    }
    all
}

#[test]
fn every_rule_owed_is_in_the_code_or_left_out_with_its_reason() {
    let engine: String = below("src", &["rs"])
        .into_iter()
        .map(|f| f.text + "\n")
        .collect();
    let carried = covered(&engine);
    // The last part of the list is about rules that are carried out, and more strictly.
    let list = include_str!("../../docs/left-out.md");
    let left_out = covered(
        list.split("## Where the engine is stricter")
            .next()
            .unwrap_or(list),
    );
    let mut wrong = Vec::new();
    for (id, part) in sheet().into_iter().filter(|(_, part)| is_owed(part)) {
        match (carried.contains(&id), left_out.contains(&id)) {
            (false, false) => wrong.push(format!(
                "{id} ({part}): neither in src/ nor in docs/left-out.md"
            )),
            (true, true) => wrong.push(format!(
                "{id} ({part}): both in src/ and in docs/left-out.md"
            )),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
