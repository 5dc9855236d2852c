//! A display for a browser that does not draw without one.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A running Xvfb.
pub struct Display {
    child: Child,
    number: String,
}

impl Display {
    /// Starts one under a number that is free.
    pub fn start() -> Display {
        let mut child = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x1024x24"])
            .args(["-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|e| panic!("no display for the browser (Xvfb: {e}): install xvfb"));
        let said = child.stdout.take().expect("its output is piped");
        let mut number = String::new();
        let read = BufReader::new(said).read_line(&mut number);
        let number = number.trim().to_string();
        let display = Display { child, number };
        assert!(
            read.is_ok() && !display.number.is_empty(),
            "Xvfb does not say its number"
        );
        display
    }

    /// What `DISPLAY` has to be.
    pub fn name(&self) -> String {
        format!(":{}", self.number)
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
