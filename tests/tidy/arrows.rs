//! Each folder of `src/` imports only from those to its left.

use crate::source::{code, product};

/// Each folder, and what it may import besides itself.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("kafka", &[]),
    ("world", &["kafka"]),
    ("script", &["kafka", "world"]),
    ("history", &["kafka", "world", "script"]),
    ("text", &["kafka", "world"]),
    ("view", &["kafka", "world", "script", "history", "text"]),
    (
        "app",
        &["kafka", "world", "script", "history", "view", "text"],
    ),
];

#[test]
fn imports_go_to_the_left_alone() {
    let mut wrong = Vec::new();
    for file in product() {
        let Some(layer) = file.layer() else { continue };
        let Some((_, allowed)) = MAY_IMPORT.iter().find(|(name, _)| *name == layer) else {
            wrong.push(format!(
                "{}: src/{layer}/ is no folder of the house",
                file.path
            ));
            continue;
        };
        let code = code(&file.text);
        for (number, line) in code.lines().enumerate() {
            for root in ["crate::", "highwater::"] {
                for rest in line.split(root).skip(1) {
                    // `use crate::{a::b, c}` would hide what it imports from this test.
                    let name: String = rest
                        .chars()
                        .take_while(|c| c.is_alphanumeric() || *c == '_')
                        .collect();
                    if name != layer && !allowed.contains(&name.as_str()) {
                        let place = format!("{}:{}", file.path, number + 1);
                        wrong.push(format!("{place}: {layer} must not import {root}{name}"));
                    }
                }
            }
            if line.contains("super::super") {
                let place = format!("{}:{}", file.path, number + 1);
                wrong.push(format!("{place}: say `crate::`, not `super::super`"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
