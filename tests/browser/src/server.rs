//! A static server as any host has one: files of a folder, under a deep path, with the headers
//! that the README asks a host to send.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex};

/// Where the app is served: it must not matter.
pub const DEEP: &str = "/courses/kafka/lesson-7/";

/// The policy of the README; HOST is the origin.
const POLICY: &str = "default-src 'none'; script-src 'self' HOST 'wasm-unsafe-eval'; \
    style-src 'self' HOST; frame-src 'self' HOST; worker-src 'self' HOST blob:; \
    img-src 'self' HOST data: blob:; connect-src 'self' HOST; font-src 'none'; \
    base-uri 'none'; form-action 'none'; frame-ancestors *";

/// A server that lives as long as the test process.
#[derive(Clone)]
pub struct Server {
    port: u16,
    /// Pages of the tests themselves, by path; they stand for a course that embeds the app.
    own: Arc<Mutex<BTreeMap<String, String>>>,
    /// Paths that were asked for and are not there.
    missing: Arc<Mutex<Vec<String>>>,
    /// The end of the names of files that are kept back for now.
    held: Arc<(Mutex<Option<String>>, Condvar)>,
    /// Files of the app as `gzip -9` makes them, by path, where they are served so.
    small: Arc<BTreeMap<PathBuf, Vec<u8>>>,
}

/// The folder that `cargo xtask dist` wrote.
pub fn built() -> PathBuf {
    let set = std::env::var_os("HIGHWATER_DIST").map(PathBuf::from);
    let folder = set.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist"));
    assert!(
        folder.join("index.html").is_file(),
        "there is no built app in {}: run `cargo xtask dist` first",
        folder.display()
    );
    folder
}

impl Server {
    /// Serves a folder on a free port.
    pub fn start(folder: PathBuf) -> Server {
        Server::serve(folder, BTreeMap::new())
    }

    /// Serves a folder as a good host does: compressed.
    pub fn compressed(folder: PathBuf) -> Server {
        let small = compressed(&folder);
        Server::serve(folder, small)
    }

    fn serve(folder: PathBuf, small: BTreeMap<PathBuf, Vec<u8>>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let server = Server {
            port,
            own: Arc::default(),
            missing: Arc::default(),
            held: Arc::default(),
            small: Arc::new(small),
        };
        let shared = server.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (server, folder) = (shared.clone(), folder.clone());
                std::thread::spawn(move || server.answer(stream, &folder));
            }
        });
        server
    }

    /// The origin, without a slash at its end.
    pub fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The address of the app.
    pub fn app(&self) -> String {
        self.origin() + DEEP
    }

    /// Serves a page (or, by its name, a script) of the test's own, without the app's policy.
    pub fn add_page(&self, path: &str, html: &str) {
        self.own
            .lock()
            .expect("no thread panics with it")
            .insert(path.into(), html.into());
    }

    /// Whether the app was built without this file.
    pub fn lacks(&self, path: &str) -> bool {
        !built().join(path).is_file()
    }

    /// Paths that were asked for and are not there.
    pub fn missing(&self) -> Vec<String> {
        self.missing
            .lock()
            .expect("no thread panics with it")
            .clone()
    }

    /// Keeps files back whose names end so, or (`false`) lets them go.
    pub fn hold(&self, end: &str, on: bool) {
        let (held, told) = &*self.held;
        *held.lock().expect("no thread panics with it") = on.then(|| end.to_string());
        told.notify_all();
    }

    /// Waits as long as a file is kept back.
    fn wait(&self, path: &str) {
        let (held, told) = &*self.held;
        let lock = held.lock().expect("no thread panics with it");
        let back = |held: &mut Option<String>| held.as_ref().is_some_and(|end| path.ends_with(end));
        drop(told.wait_while(lock, back));
    }

    /// Answers one request and closes. A browser that hangs up early is no failure.
    fn answer(&self, stream: TcpStream, folder: &Path) {
        let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
        let Some(first) = lines.next() else { return };
        lines.take_while(|line| !line.is_empty()).for_each(drop);
        let target = first.split(' ').nth(1).unwrap_or("/");
        let path = target.split(['?', '#']).next().unwrap_or("/");
        self.wait(path);
        let _ = self.respond(&stream, path, folder);
    }

    fn respond(&self, mut stream: &TcpStream, path: &str, folder: &Path) -> std::io::Result<()> {
        let own = self
            .own
            .lock()
            .expect("no thread panics with it")
            .get(path)
            .cloned();
        let (status, kind, policy, body) = if let Some(page) = own {
            (
                "200 OK",
                match kind(path) {
                    "text/plain; charset=utf-8" => "text/html; charset=utf-8",
                    kind => kind,
                },
                String::new(),
                page.into_bytes(),
            )
        } else if let Some((kind, path)) = file(path, folder) {
            let policy = format!("Content-Security-Policy: {}\r\n", policy(&self.origin()));
            match self.small.get(&path) {
                Some(small) => (
                    "200 OK",
                    kind,
                    policy + "Content-Encoding: gzip\r\n",
                    small.clone(),
                ),
                None => ("200 OK", kind, policy, std::fs::read(path)?),
            }
        } else {
            self.missing
                .lock()
                .expect("no thread panics with it")
                .push(path.into());
            (
                "404 Not Found",
                "text/plain",
                String::new(),
                b"not here".to_vec(),
            )
        };
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{policy}\
             Access-Control-Allow-Origin: *\r\nCross-Origin-Resource-Policy: cross-origin\r\n\
             X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
            body.len()
        )?;
        stream.write_all(&body)
    }
}

/// The policy of a server at an origin.
fn policy(origin: &str) -> String {
    POLICY.replace("HOST", origin)
}

/// All files of a folder, each as `gzip -9` makes it.
fn compressed(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("it is built").flatten() {
        let path = entry.path();
        if path.is_dir() {
            all.extend(compressed(&path));
            continue;
        }
        let made = std::process::Command::new("gzip")
            .args(["-9", "-n", "-c"])
            .arg(&path)
            .output()
            .expect("gzip is there");
        all.insert(path, made.stdout);
    }
    all
}

/// A file of the app, with its type.
fn file(path: &str, folder: &Path) -> Option<(&'static str, PathBuf)> {
    let name = path.strip_prefix(DEEP)?;
    let index = format!("{name}index.html");
    let folder_of_its_own = name.is_empty() || name.ends_with('/');
    let name = if folder_of_its_own { &index } else { name };
    if name.split('/').any(|part| part == "..") {
        return None;
    }
    let path = folder.join(name);
    path.is_file().then(|| (kind(name), path))
}

/// The media type of a file, by the end of its name.
fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        _ => "text/plain; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use super::policy;

    #[test]
    fn the_policy_is_the_one_that_hosts_are_told() {
        let readme = include_str!("../../../README.md");
        let told = format!("Content-Security-Policy: {}\n", policy("HOST"));
        assert!(readme.contains(&told), "the README does not say {told}");
    }
}
