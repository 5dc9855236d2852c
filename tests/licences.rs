//! Every package may be used under the licences of `deny.toml`, and comes from where it says.
//!
//! cargo-deny says more; this needs neither it nor a network.

use serde_json::Value;
use std::process::Command;

/// Metadata of every package in the lock file.
fn packages() -> Vec<Value> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let out = Command::new(cargo)
        .args(["metadata", "--locked", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let all: Value = serde_json::from_slice(&out.stdout).expect("cargo writes JSON");
    let packages = all["packages"].as_array().cloned().unwrap_or_default();
    assert!(
        packages.len() > 50,
        "the user interface's packages are among them"
    );
    packages
}

fn text<'a>(package: &'a Value, field: &str) -> &'a str {
    package[field].as_str().unwrap_or_default()
}

/// The quoted words of `field = [ … ]` in a section of `deny.toml`, comments left out.
fn list(section: &str, field: &str) -> Vec<String> {
    let deny = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/deny.toml"))
        .expect("deny.toml is there");
    let uncommented = deny
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n");
    let (_, section) = uncommented
        .split_once(&format!("[{section}]"))
        .unwrap_or_else(|| panic!("deny.toml has a section {section}"));
    let (_, rest) = section
        .split_once(&format!("\n{field} = ["))
        .unwrap_or_else(|| panic!("{section} has a list {field}"));
    let (inside, _) = rest
        .split_once("\n]")
        .or_else(|| rest.split_once(']'))
        .expect("it ends");
    inside
        .split('"')
        .skip(1)
        .step_by(2)
        .map(String::from)
        .collect()
}

/// Whether an SPDX expression can be met with the allowed licences alone.
fn may_be_used(expression: &str, allowed: &[String]) -> bool {
    // The older `A/B` means `A OR B`.
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let met = any(&words, &mut at, allowed);
    met && at == words.len()
}

fn any(words: &[&str], at: &mut usize, allowed: &[String]) -> bool {
    let mut met = all(words, at, allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        met |= all(words, at, allowed);
    }
    met
}

fn all(words: &[&str], at: &mut usize, allowed: &[String]) -> bool {
    let mut met = one(words, at, allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        met &= one(words, at, allowed);
    }
    met
}

fn one(words: &[&str], at: &mut usize, allowed: &[String]) -> bool {
    let word = words.get(*at).copied().unwrap_or_default();
    *at += 1;
    if word == "(" {
        let met = any(words, at, allowed);
        *at += 1;
        return met;
    }
    if words.get(*at) == Some(&"WITH") {
        // An exception makes another licence of it, to be allowed by its full name.
        let full = format!("{word} WITH {}", words.get(*at + 1).unwrap_or(&""));
        *at += 2;
        return allowed.contains(&full);
    }
    allowed.iter().any(|licence| licence == word)
}

#[test]
fn expressions_are_read_as_spdx_means_them() {
    let allowed = ["MIT", "Apache-2.0", "Unicode-3.0"].map(String::from);
    for met in [
        "MIT",
        "MIT/Apache-2.0",
        "GPL-3.0 OR MIT",
        "(MIT OR X) AND Unicode-3.0",
    ] {
        assert!(may_be_used(met, &allowed), "{met}");
    }
    for unmet in ["GPL-3.0", "MIT AND X", "MIT WITH Y", "(MIT OR X) AND X", ""] {
        assert!(!may_be_used(unmet, &allowed), "{unmet}");
    }
}

#[test]
fn every_package_may_be_used() {
    let allowed = list("licenses", "allow");
    assert!(allowed.contains(&"MIT".into()), "the list is read");
    let excepted = list("[licenses.exceptions]", "allow");
    let deny = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/deny.toml"))
        .expect("deny.toml is there");
    let refused: Vec<String> = packages()
        .iter()
        .filter(|p| {
            let exception = deny.contains(&format!("crate = \"{}\"", text(p, "name")));
            let licence = text(p, "license");
            !(may_be_used(licence, &allowed) || exception && may_be_used(licence, &excepted))
        })
        .map(|p| format!("{} is under {:?}", text(p, "name"), text(p, "license")))
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn every_package_is_ours_or_from_crates_io() {
    for package in packages() {
        let source = package["source"].as_str();
        let home = "registry+https://github.com/rust-lang/crates.io-index";
        let name = text(&package, "name");
        assert!(
            source == Some(home) || source.is_none() && package["manifest_path"].is_string(),
            "{name} comes from {source:?}"
        );
        if source.is_none() {
            let at = text(&package, "manifest_path");
            assert!(
                at.starts_with(env!("CARGO_MANIFEST_DIR")),
                "{name} lies outside: {at}"
            );
        }
    }
}

/// A second copy would cost the reader its whole size, and two of wasm-bindgen do not work.
#[test]
fn what_the_page_is_made_of_is_there_once() {
    let packages = packages();
    for name in ["yew", "wasm-bindgen", "js-sys", "web-sys", "serde"] {
        let copies = packages.iter().filter(|p| text(p, "name") == name).count();
        assert!(copies <= 1, "{copies} copies of {name}");
    }
}

/// Each ignored advisory has a package it is about; a stale entry would hide the next one.
#[test]
fn ignored_advisories_are_about_packages_that_are_there() {
    let ignored = list("advisories", "ignore");
    assert!(
        ignored.iter().any(|word| word == "RUSTSEC-2025-0141"),
        "{ignored:?}"
    );
    assert!(
        packages().iter().any(|p| text(p, "name") == "bincode"),
        "no bincode any more"
    );
}
