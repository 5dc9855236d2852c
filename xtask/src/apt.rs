//! Packages of the distribution, where it is Debian's and we may.

use crate::run::{Done, command, output, run, which};
use std::path::Path;

/// Installs packages; where that is not ours to do, the error says what is `wanted`.
pub fn install(packages: &[&str], wanted: &str) -> Done {
    if !Path::new("/etc/debian_version").exists() || which("apt-get").is_none() {
        return Err(wanted.into());
    }
    let by_root = std::env::var("USER").is_ok_and(|user| user == "root")
        || output(command("id").arg("-u")).as_deref() == Some("0");
    let words: &[&str] = if by_root {
        &["env"]
    } else if output(command("sudo").args(["-n", "true"])).is_some() {
        &["sudo", "-n", "env"]
    } else {
        return Err(wanted.into());
    };
    println!("set-up: installing {}", packages.join(" and "));
    let apt = |arguments: &[&str]| {
        run(command(words[0])
            .args(&words[1..])
            .arg("DEBIAN_FRONTEND=noninteractive")
            .arg("apt-get")
            .args(arguments))
    };
    let install = ["install", "-q", "-y", "--no-install-recommends"];
    apt(&["update", "-q"])
        .and_then(|()| apt(&[&install, packages].concat()))
        .map_err(|why| format!("{why}; {wanted}"))
}
