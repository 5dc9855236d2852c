//! The driver of a browser, started on a free port and stopped with the test.

use crate::browser::Browser;
use crate::display::Display;
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a driver may take to listen.
const PATIENCE: Duration = Duration::from_secs(30);

/// How many drivers may end at once without having said a port.
const TRIES: usize = 5;

/// A running driver.
pub struct Driver {
    child: Child,
    port: u16,
    /// Ends after the driver does.
    _display: Option<Display>,
    /// What the browser leaves behind goes with the test: a profile of 20 MB each would fill a disk.
    _leavings: TempDir,
}

impl Driver {
    /// Starts the one that the browser's variable names, or else the one on the path.
    pub fn start(browser: Browser) -> Driver {
        let (variable, name) = browser.driver();
        let program = std::env::var(variable).unwrap_or_else(|_| name.into());
        let display = browser.needs_display().then(Display::start);
        let leavings = tempfile::tempdir().expect("a folder of its own for the browser");
        let mut command = Command::new(&program);
        command.env("TMPDIR", leavings.path());
        if let Some(display) = &display {
            command.env("DISPLAY", display.name());
        }
        // chromedriver chooses a port and says which; the others have to be told one.
        let chooses = browser == Browser::Chromium;
        let port = if chooses { 0 } else { free_port() };
        command
            .arg(format!("--port={port}"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let start = || {
            let mut child = command.spawn().unwrap_or_else(|e| {
                panic!(
                    "no driver for the browser ({program}: {e}): install {name} or set \
                     {variable}, or run `cargo xtask test`, which does it"
                )
            });
            let said = child.stdout.take().expect("its output is piped");
            let mut lines = BufReader::new(said).lines();
            let told = chooses.then(|| {
                let mut lines = lines.by_ref().map_while(Result::ok);
                lines.find_map(|line| port_in(&line))
            });
            // Goes on reading, so that the driver never waits for a full pipe.
            std::thread::spawn(move || lines.for_each(drop));
            match told {
                // It ended without a word.
                Some(None) => {
                    let _ = child.wait();
                    None
                }
                Some(Some(port)) => Some((child, port)),
                None => Some((child, port)),
            }
        };
        // A port that is free for one of the machine's two families of addresses may be taken for
        // the other, where several drivers start at once; then chromedriver ends, and the next
        // one chooses another.
        let started = std::iter::repeat_with(start).take(TRIES).flatten().next();
        let (child, port) = started.expect("chromedriver says its port");
        // In the driver's hands before it is waited for, so that it ends whatever happens.
        let driver = Driver {
            child,
            port,
            _display: display,
            _leavings: leavings,
        };
        driver.wait(&program);
        driver
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn wait(&self, program: &str) {
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(
                start.elapsed() < PATIENCE,
                "{program} does not listen on port {}",
                self.port
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to stop.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A port that nobody listens on.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("it is bound").port()
}

/// The port in `ChromeDriver was started successfully on port 40001.`
fn port_in(line: &str) -> Option<u16> {
    let (_, port) = line.split_once("successfully on port ")?;
    port.trim_end_matches('.').trim().parse().ok()
}
