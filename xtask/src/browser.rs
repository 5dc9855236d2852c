//! A browser and its driver for the tests: found, or installed where that is ours to do.

use crate::run::{Done, which};
use crate::{apt, tools};
use std::path::PathBuf;

/// The driver that speaks WebDriver to Chromium.
pub fn driver() -> Done<PathBuf> {
    if let Some(found) = find("CHROMEDRIVER", "chromedriver") {
        return Ok(found);
    }
    apt::install(&["chromium", "chromium-driver"], WANTED)?;
    find("CHROMEDRIVER", "chromedriver").ok_or_else(|| WANTED.into())
}

const WANTED: &str = "install Chromium or Chrome and its chromedriver (on Debian: apt-get install \
                      chromium chromium-driver), or set CHROMEDRIVER to the driver's path";

/// The geckodriver that is used.
const GECKODRIVER: &str = "0.37.1";

const FIREFOX: &str = "install Firefox (on Debian: apt-get install firefox-esr)";
const WEBKIT: &str = "install WebKitWebDriver and Xvfb (on Debian: apt-get install \
                      webkit2gtk-driver xvfb), or set WEBKITDRIVER to the driver's path";

/// Firefox, and the driver that speaks WebDriver to it.
pub fn firefox() -> Done<PathBuf> {
    let there = || which("firefox").is_some() || which("firefox-esr").is_some();
    if !there() {
        apt::install(&["firefox-esr"], FIREFOX)?;
    }
    if !there() {
        return Err(FIREFOX.into());
    }
    match set("GECKODRIVER") {
        Some(driver) => Ok(driver),
        None => tools::built("geckodriver", GECKODRIVER, "about 4 minutes"),
    }
}

/// WebKitGTK's small browser with its driver, and a display that it can draw on.
pub fn webkit() -> Done<PathBuf> {
    let there = || find("WEBKITDRIVER", "WebKitWebDriver").filter(|_| which("Xvfb").is_some());
    if let Some(found) = there() {
        return Ok(found);
    }
    apt::install(&["webkit2gtk-driver", "xvfb"], WEBKIT)?;
    there().ok_or_else(|| WEBKIT.into())
}

fn set(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable)
        .filter(|path| !path.is_empty())
        .map(PathBuf::from)
}

fn find(variable: &str, program: &str) -> Option<PathBuf> {
    set(variable).or_else(|| which(program))
}
