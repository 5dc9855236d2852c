//! A browser and its driver for the tests: found, or installed where that is ours to do.

use crate::apt;
use crate::run::{Done, which};
use std::path::PathBuf;

/// The driver that speaks WebDriver to Chromium.
pub fn driver() -> Done<PathBuf> {
    if let Some(found) = find() {
        return Ok(found);
    }
    apt::install(&["chromium", "chromium-driver"], WANTED)?;
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
