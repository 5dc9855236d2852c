//! `dist --scorm SCENE|all [--lang ru|en]`: a scene as a SCORM 1.2 package, for a course platform
//! that keeps files itself. It holds what the scene needs from `dist/`, a page that opens it, and
//! the adapter `v1/scorm12.js`.

use crate::dist::DIST;
use crate::embed::V1;
use crate::practice;
use crate::run::{Done, root};
use crate::zip::zip;
use std::path::Path;

/// Where the packages go, inside `dist/`.
pub const FOLDER: &str = "scorm";

/// What the words behind `dist` ask for: nothing, or packages.
pub fn asked(words: &[String]) -> Done<Option<(String, Vec<&'static str>)>> {
    let usage = || {
        "usage: cargo xtask dist [--base URL] [--single SCENE] [--scorm SCENE|all] [--lang ru|en]"
            .to_string()
    };
    let (mut scene, mut langs) = (None, vec!["ru", "en"]);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(usage)?;
        match word.as_str() {
            "--scorm" => scene = Some(value.clone()),
            "--lang" if value == "ru" => langs = vec!["ru"],
            "--lang" if value == "en" => langs = vec!["en"],
            // Words of the pages: see `examples/pages.rs`.
            "--base" | "--single" => {}
            _ => return Err(usage()),
        }
    }
    Ok(scene.map(|scene| (scene, langs)))
}

/// Writes the packages of a scene, or of all.
pub fn scorm(scene: &str, langs: &[&str]) -> Done {
    let mut names = Vec::new();
    let folder = root().join("static/scenarios");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries.flatten() {
        if let Some(name) = entry.file_name().to_string_lossy().strip_suffix(".txt") {
            names.push(name.to_string());
        }
    }
    names.sort();
    if scene != "all" {
        if !names.iter().any(|name| name == scene) {
            return Err(format!(
                "no scene `{scene}`; there are {}",
                names.join(", ")
            ));
        }
        names = vec![scene.to_string()];
    }
    let dist = root().join(DIST);
    let app = app(&dist)?;
    std::fs::create_dir_all(dist.join(FOLDER)).map_err(|e| format!("{FOLDER}: {e}"))?;
    for name in names {
        let text = read(&folder.join(format!("{name}.txt")))?;
        for lang in langs {
            let title = title(&text, lang).ok_or_else(|| format!("{name} has no title"))?;
            let files = package(&name, lang, title, &app)?;
            let path = format!("{FOLDER}/{name}-{lang}.zip");
            let bytes = zip(&files)?;
            std::fs::write(dist.join(&path), bytes).map_err(|e| format!("{path}: {e}"))?;
            println!("{DIST}/{path}");
        }
    }
    Ok(())
}

/// The files of one package, by name.
fn package(
    scene: &str,
    lang: &str,
    title: &str,
    app: &[(String, Vec<u8>)],
) -> Done<Vec<(String, Vec<u8>)>> {
    let template = |name: &str| read(&root().join("static/scorm").join(name));
    let mut files = vec![
        (
            "launch.html".to_string(),
            fill(&template("launch.html")?, scene, lang, title).into_bytes(),
        ),
        (
            "launch.css".to_string(),
            template("launch.css")?.into_bytes(),
        ),
    ];
    files.extend(app.iter().cloned());
    let list: String = (files.iter())
        .map(|(name, _)| format!("      <file href=\"{name}\"/>\n"))
        .collect();
    let manifest =
        fill(&template("imsmanifest.xml")?, scene, lang, title).replace("{files}", &list);
    // First in the archive: some platforms look no further.
    files.insert(0, ("imsmanifest.xml".to_string(), manifest.into_bytes()));
    Ok(files)
}

fn fill(template: &str, scene: &str, lang: &str, title: &str) -> String {
    let plain = title
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;");
    // Without the browser's storage and beside the platform's own buttons: nothing to share here.
    let src = format!("index.html?scenario={scene}&amp;lang={lang}&amp;hide=share");
    template
        .replace("{src}", &src)
        .replace("{scene}", scene)
        .replace("{lang}", lang)
        .replace("{title}", &plain)
}

/// The app's own files: those that lie at the top of `dist/`, without the SQL practice.
fn app(dist: &Path) -> Done<Vec<(String, Vec<u8>)>> {
    let failed = |e: std::io::Error| format!("{DIST}: {e}");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dist).map_err(failed)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_file() && !name.starts_with(practice::NAME) {
            files.push((name, std::fs::read(entry.path()).map_err(failed)?));
        }
    }
    let adapter = std::fs::read(dist.join(V1).join("scorm12.js")).map_err(failed)?;
    files.push(("scorm12.js".into(), adapter));
    files.sort();
    Ok(files)
}

/// The title of a scene in a language, from its text.
fn title<'a>(scene: &'a str, lang: &str) -> Option<&'a str> {
    let mark = format!("title {lang}: ");
    scene.lines().find_map(|line| line.strip_prefix(&mark))
}

fn read(path: &Path) -> Done<String> {
    std::fs::read_to_string(path).map_err(|e| format!("{} cannot be read: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::{asked, package, title};

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(String::from).collect()
    }

    #[test]
    fn what_is_asked_for_is_understood_or_refused() {
        assert_eq!(asked(&[]), Ok(None));
        let one = Some(("address".to_string(), vec!["ru"]));
        assert_eq!(asked(&words("--scorm address --lang ru")), Ok(one));
        assert!(asked(&words("--scorm")).is_err());
        assert!(asked(&words("--scorm address --lang de")).is_err());
    }

    #[test]
    fn a_package_lists_its_files_and_says_the_title_as_text() {
        let app = [("index.html".to_string(), b"x".to_vec())];
        let files = package("a-b", "en", "A & \"B\" <c>", &app).expect("the templates are there");
        let names: Vec<&str> = files.iter().map(|f| f.0.as_str()).collect();
        assert_eq!(
            names,
            ["imsmanifest.xml", "launch.html", "launch.css", "index.html"]
        );
        let manifest = String::from_utf8_lossy(&files[0].1).into_owned();
        for name in &names[1..] {
            assert!(
                manifest.contains(&format!("<file href=\"{name}\"/>")),
                "{name}"
            );
        }
        assert!(manifest.contains("<title>A &amp; &quot;B&quot; &lt;c></title>"));
        let launch = String::from_utf8_lossy(&files[1].1).into_owned();
        assert!(launch.contains("data-src=\"index.html?scenario=a-b&amp;lang=en&amp;hide=share\""));
        assert!(!launch.contains('{') && !manifest.contains('{'));
        assert_eq!(title("x\ntitle ru: Да\n", "ru"), Some("Да"));
    }
}
