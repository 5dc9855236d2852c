//! Running other programs: from the project's root, with the tools folder first on the path.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a verb ends with: nothing, or one sentence about what went wrong.
pub type Done<T = ()> = Result<T, String>;

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap_or(Path::new("."))
        .to_path_buf()
}

/// A command run in the project's root, with no standard input: nothing here may wait for a
/// person, least of all where there is none.
pub fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root()).stdin(Stdio::null());
    command
}

/// The cargo that runs this program.
pub fn cargo() -> Command {
    command(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()))
}

/// The path for children, with `folder` in front of what it was.
pub fn path_with(folder: &Path) -> Done<OsString> {
    let old = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder.to_path_buf()).chain(std::env::split_paths(&old));
    std::env::join_paths(folders).map_err(|e| format!("the search path cannot be set: {e}"))
}

/// Runs a command to its end; its output is the user's.
pub fn run(command: &mut Command) -> Done {
    let said = describe(command);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{said}` failed ({status})")),
        Err(e) => Err(format!("`{said}` could not be started: {e}")),
    }
}

/// Runs a command and returns what it printed, or `None` when it failed or is not there.
pub fn output(command: &mut Command) -> Option<String> {
    let out = command.stderr(Stdio::null()).output().ok()?;
    out.status
        .success()
        .then(|| String::from_utf8_lossy(&out.stdout).trim().to_string())
}

/// Where a program is on the path.
pub fn which(program: &str) -> Option<PathBuf> {
    let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(&file))
        .find(|path| path.is_file())
}

/// A command as one would type it.
fn describe(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    std::iter::once(name)
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
