//! Files: none too long to keep in the head, none forgotten, no link that leads nowhere.

use crate::source::{below, product, root};

/// Lines of a file of the product.
const LONGEST: usize = 700;

#[test]
fn no_file_is_too_long() {
    let long: Vec<String> = product()
        .iter()
        .map(|file| (file.text.lines().count(), &file.path))
        .filter(|(lines, _)| *lines > LONGEST)
        .map(|(lines, path)| format!("{path} has {lines} lines"))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn every_scene_is_in_the_library() {
    let script: String = product()
        .into_iter()
        .filter(|f| f.layer() == Some("script"))
        .map(|f| f.text)
        .collect();
    let forgotten: Vec<String> = below("static/scenarios", &["txt"])
        .into_iter()
        .map(|file| file.path)
        .filter(|path| {
            let name = path.rsplit('/').next().unwrap_or(path);
            !script.contains(&format!("scenarios/{name}\""))
        })
        .collect();
    assert!(
        forgotten.is_empty(),
        "no reader sees {}",
        forgotten.join(", ")
    );
}

/// A path of one machine would be read by nobody else.
#[test]
fn no_file_names_a_place_on_one_machine() {
    let places = ["/work/", "/root/", "/home/", "localhost:"];
    let mut wrong = Vec::new();
    let folders = [
        "src", "practice", "tests", "xtask", "examples", "static", "docs",
    ];
    let files = folders
        .into_iter()
        .flat_map(|f| below(f, &["rs", "md", "txt", "css", "toml"]));
    for file in files.filter(|f| !f.path.starts_with("tests/tidy/")) {
        for place in places {
            if file.text.contains(place) {
                wrong.push(format!("{}: {place}", file.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    let mut dead = Vec::new();
    let readme = below("", &["md"]);
    for file in readme {
        let folder = root().join(&file.path);
        let folder = folder.parent().unwrap_or(root());
        for link in file.text.split("](").skip(1) {
            let target = link.split([')', '#', ' ']).next().unwrap_or_default();
            let outside = target.is_empty() || target.contains(':');
            if !outside && !folder.join(target).exists() {
                dead.push(format!("{}: {target}", file.path));
            }
        }
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}
