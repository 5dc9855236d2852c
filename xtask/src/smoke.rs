//! `test --browsers`: the short list of tests that other browsers than Chromium pass too.

use crate::run::{Done, cargo, root, run};
use crate::{browser, dist};
use std::path::PathBuf;

/// A browser: its name, the variable that names its driver, and how it is set up.
type Other = (&'static str, &'static str, fn() -> Done<PathBuf>);

const OTHERS: [Other; 2] = [
    ("firefox", "GECKODRIVER", browser::firefox),
    ("webkit", "WEBKITDRIVER", browser::webkit),
];

/// Takes `--browsers NAMES` out of the arguments; `true` if it was there.
pub fn wanted(arguments: &mut Vec<String>) -> Done<bool> {
    let Some(at) = arguments.iter().position(|word| word == "--browsers") else {
        return Ok(false);
    };
    if arguments.get(at + 1).map(String::as_str) != Some("all") {
        return Err("after --browsers comes all: Firefox and WebKitGTK besides Chromium".into());
    }
    arguments.drain(at..at + 2);
    Ok(true)
}

/// Runs the list in each of the others. One that cannot be set up keeps no other from running.
pub fn smoke() -> Done {
    let (mut names, mut drivers, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    for (name, variable, set_up) in OTHERS {
        match set_up() {
            Ok(driver) => {
                names.push(name);
                drivers.push((variable, driver));
            }
            Err(why) => faults.push(format!("{name}: {why}")),
        }
    }
    if !names.is_empty() {
        let package = ["--package", super::test::BROWSER_TESTS, "--test", "smoke"];
        let done = run(cargo()
            .args(["test", "--locked", "--no-fail-fast"])
            .args(package)
            .envs(drivers)
            .env("HIGHWATER_BROWSERS", names.join(","))
            .env("HIGHWATER_DIST", root().join(dist::DIST)));
        faults.extend(done.err());
    }
    match faults.is_empty() {
        true => Ok(()),
        false => Err(faults.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::wanted;

    #[test]
    fn the_option_is_taken_out_and_its_value_checked() {
        let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        let mut arguments = words("dist --browsers all fmt");
        assert_eq!(wanted(&mut arguments), Ok(true));
        assert_eq!(arguments, ["dist", "fmt"]);
        assert_eq!(wanted(&mut arguments), Ok(false));
        assert!(wanted(&mut words("--browsers opera")).is_err());
        assert!(wanted(&mut words("--browsers")).is_err());
    }
}
