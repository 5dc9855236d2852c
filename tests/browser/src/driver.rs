//! chromedriver, started on a free port and stopped with the test.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A running chromedriver.
pub struct Driver {
    child: Child,
    port: u16,
}

impl Driver {
    /// Starts the one that `CHROMEDRIVER` names, or else the one on the path.
    pub fn start() -> Driver {
        let program = std::env::var("CHROMEDRIVER").unwrap_or_else(|_| "chromedriver".into());
        let mut child = Command::new(&program)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|e| {
                panic!(
                    "no driver for the browser ({program}: {e}): install chromedriver or set \
                     CHROMEDRIVER, or run `cargo xtask test`, which does it"
                )
            });
        let said = child.stdout.take().expect("its output is piped");
        let mut lines = BufReader::new(said).lines();
        let port = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| port_in(&line))
            .expect("chromedriver says its port");
        // Goes on reading, so that the driver never waits for a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Driver { child, port }
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to stop.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The port in `ChromeDriver was started successfully on port 40001.`
fn port_in(line: &str) -> Option<u16> {
    let (_, port) = line.split_once("successfully on port ")?;
    port.trim_end_matches('.').trim().parse().ok()
}
