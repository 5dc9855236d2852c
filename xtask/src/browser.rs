//! A browser and its driver for the tests: found, or installed where that is ours to do.

use crate::run::{Done, command, run, which};
use std::path::{Path, PathBuf};

/// The driver that speaks WebDriver to Chromium.
pub fn driver() -> Done<PathBuf> {
    if let Some(found) = find() {
        return Ok(found);
    }
    install()?;
    find().ok_or_else(|| WANTED.into())
}

const WANTED: &str = "install Chromium or Chrome and its chromedriver (on Debian: apt-get install \
                      chromium chromium-driver), or set CHROMEDRIVER to the driver's path";

fn find() -> Option<PathBuf> {
    std::env::var_os("CHROMEDRIVER")
        .filter(|path| !path.is_empty())
        .map(PathBuf::from)
        .or_else(|| which("chromedriver"))
}

/// Installs both from the distribution, where it is Debian's and we may.
fn install() -> Done {
    if !Path::new("/etc/debian_version").exists() || which("apt-get").is_none() {
        return Err(WANTED.into());
    }
    let by_root = std::env::var("USER").is_ok_and(|user| user == "root")
        || crate::run::output(command("id").arg("-u")).as_deref() == Some("0");
    let words: &[&str] = if by_root {
        &["env"]
    } else if crate::run::output(command("sudo").args(["-n", "true"])).is_some() {
        &["sudo", "-n", "env"]
    } else {
        return Err(WANTED.into());
    };
    println!("set-up: installing chromium and chromium-driver");
    let apt = |arguments: &[&str]| {
        run(command(words[0])
            .args(&words[1..])
            .arg("DEBIAN_FRONTEND=noninteractive")
            .arg("apt-get")
            .args(arguments))
    };
    apt(&["update", "-q"])
        .and_then(|()| {
            apt(&[
                "install",
                "-q",
                "-y",
                "--no-install-recommends",
                "chromium",
                "chromium-driver",
            ])
        })
        .map_err(|why| format!("{why}; {WANTED}"))
}
