//! `measure`: what a reader waits for, on a slow line and a slow processor.

use crate::run::{Done, cargo, root, run};
use crate::test::BROWSER_TESTS;
use crate::{browser, dist};

/// Measures `dist/` as it is.
pub fn measure() -> Done {
    let folder = root().join(dist::DIST);
    if !folder.join("index.html").is_file() {
        return Err(format!(
            "there is no {}/: run `cargo xtask dist` first",
            dist::DIST
        ));
    }
    let program = ["--package", BROWSER_TESTS, "--example", "measure"];
    run(cargo()
        .args(["run", "--quiet", "--locked"])
        .args(program)
        .env("CHROMEDRIVER", browser::driver()?)
        .env("HIGHWATER_DIST", folder))
}
