//! The program: mounts the app.

fn main() {}
