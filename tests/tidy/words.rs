//! Words that must not stand in the code, because of what they would do.

use crate::source::{Source, below, code, names, product, shipped, without_tests};

/// What the engine and its views know nothing of: the browser, chance, clocks, threads, and
/// numbers that differ between machines.
const NOT_LEFT_OF_APP: &[&str] = &[
    "web_sys",
    "js_sys",
    "wasm_bindgen",
    "yew",
    "HashMap",
    "HashSet",
    "RandomState",
    "f32",
    "f64",
    "Instant",
    "SystemTime",
    "thread",
];

#[test]
fn everything_left_of_the_app_is_plain_and_the_same_everywhere() {
    let wrong = found(
        shipped()
            .into_iter()
            .filter(|file| file.layer() != Some("app")),
        |code| {
            let code = without_tests(code);
            NOT_LEFT_OF_APP
                .iter()
                .filter(|word| names(code).any(|name| name == **word))
                .collect()
        },
    );
    // The program itself may start the app.
    let wrong: Vec<_> = wrong
        .into_iter()
        .filter(|w| !w.starts_with("src/main.rs"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Yew writes `style={…}` with setAttribute, which `style-src 'self'` refuses.
#[test]
fn no_component_has_a_style_attribute() {
    let app = product()
        .into_iter()
        .filter(|file| file.layer() == Some("app"));
    let wrong = found(app, |code| {
        ["style=", "style ="]
            .iter()
            .filter(|word| code.contains(**word))
            .collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A width that depends on the machine must not be stored: states would differ in wasm.
#[test]
fn nothing_that_is_stored_is_as_wide_as_a_pointer() {
    let mut wrong = Vec::new();
    for file in product() {
        if !matches!(file.layer(), Some("kafka" | "world")) {
            continue;
        }
        let code = code(&file.text);
        let mut inside = false;
        for (number, line) in without_tests(&code).lines().enumerate() {
            let start = line
                .trim_start_matches("pub ")
                .trim_start_matches("pub(crate) ");
            let declares = start.starts_with("struct ") || start.starts_with("enum ");
            inside |= declares;
            if inside && names(line).any(|name| matches!(name, "usize" | "isize")) {
                wrong.push(format!("{}:{}: {}", file.path, number + 1, line.trim()));
            }
            // A declaration ends on its own line, or with a brace in the first column.
            let whole = declares && (line.ends_with(';') || line.ends_with('}'));
            inside &= !whole && !line.starts_with('}');
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Work that was left for later, and ways to fall over.
#[test]
fn nothing_is_left_undone() {
    let here = |file: &Source| file.path.starts_with("tests/tidy/");
    let all = [
        "src", "practice", "tests", "xtask", "examples", "static", "docs",
    ]
    .into_iter()
    .flat_map(|folder| below(folder, &["rs", "md", "css", "txt", "html"]))
    .filter(|file| !here(file) && !file.path.starts_with("tests/data/"));
    let mut wrong = Vec::new();
    for file in all {
        for (number, line) in file.text.lines().enumerate() {
            for word in [
                "TODO",
                "FIXME",
                "XXX",
                "todo!(",
                "unimplemented!(",
                "dbg!(",
                "#[ignore",
            ] {
                if line.contains(word) {
                    wrong.push(format!("{}:{}: {word}", file.path, number + 1));
                }
            }
            let allows = line.contains("#[allow(") || line.contains("#![allow(");
            let mut following = file.text.lines().skip(number).take(4);
            if allows && !following.any(|line| line.contains("reason = ")) {
                let place = format!("{}:{}", file.path, number + 1);
                wrong.push(format!("{place}: an `allow` without its reason"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_product_does_not_fall_over_on_a_missing_value() {
    // The program itself may speak to whoever runs it outside a browser.
    let files = shipped().into_iter().filter(|file| file.layer().is_some());
    let wrong = found(files, |code| {
        let code = without_tests(code);
        [".unwrap()", "panic!(", "println!("]
            .iter()
            .filter(|word| code.contains(**word))
            .collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each file with each word that `look` finds in its code.
fn found(
    files: impl Iterator<Item = Source>,
    look: impl Fn(&str) -> Vec<&'static &'static str>,
) -> Vec<String> {
    files
        .flat_map(|file| {
            let words = look(&code(&file.text));
            words
                .into_iter()
                .map(move |word| format!("{}: {word}", file.path))
        })
        .collect()
}
