//! A test that runs itself again in namespaces of its own: there it may mount what it likes where the program's users have
//! it, and listen on the ports that they use, and the machine notices nothing.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use super::skips::{may_be_missing, skipped};

/// Set for the run inside: the test's directory.
const INSIDE: &str = "MUSTERD_TEST_INSIDE";
/// How long something may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// What is mounted as a namespace of mounts is made stays mounted there. A test that mounts a disk again and again holds this
/// alone: a copy elsewhere would keep the disk as it was when its power failed.
static MOUNTS: RwLock<()> = RwLock::new(());

/// For as long as a namespace of mounts is there.
pub(crate) fn copies_mounts() -> RwLockReadGuard<'static, ()> {
    MOUNTS.read().unwrap_or_else(PoisonError::into_inner)
}

/// For as long as no namespace of mounts may be there.
pub(crate) fn mounts_alone() -> RwLockWriteGuard<'static, ()> {
    MOUNTS.write().unwrap_or_else(PoisonError::into_inner)
}

/// The test's directory, in the run inside.
pub(crate) fn inside() -> Option<PathBuf> {
    std::env::var_os(INSIDE).map(PathBuf::from)
}

/// Runs this test again inside. A copy of the program lies at `bin/musterd` of the directory then, where every user may run it.
/// `None` where servers are not wanted or namespaces can't be made: said loudly (`skips.rs`).
pub(crate) fn run_inside(test: &str, dir: &Path) -> Option<Output> {
    if may_be_missing() {
        skipped("MUSTERD_NO_SERVERS=1");
        return None;
    }
    let _copies = copies_mounts();
    let unshare = || {
        let mut command = Command::new("unshare");
        command.args(["--mount", "--net", "--uts", "--pid", "--fork", "--kill-child"]);
        command
    };
    let tried = unshare().args(["ip", "link", "set", "lo", "up"]).output();
    if !tried.as_ref().is_ok_and(|output| output.status.success()) {
        skipped(&format!("no namespaces can be made here: {tried:?}"));
        return None;
    }
    fs::set_permissions(dir, fs::Permissions::from_mode(0o711)).unwrap();
    fs::create_dir(dir.join("bin")).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_musterd"), dir.join("bin/musterd")).unwrap();
    let this = std::env::current_exe().unwrap();
    let inner = unshare().arg(this).args([test, "--exact", "--nocapture"]).env(INSIDE, dir).output();
    Some(inner.unwrap())
}

/// What a run printed.
pub(crate) fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Runs a shell script, which must succeed.
pub(crate) fn sh(script: &str) -> String {
    let output = Command::new("sh").args(["-e", "-c", script]).output().unwrap();
    assert!(output.status.success(), "{script}: {}", said(&output));
    said(&output)
}

/// Waits until something is there.
pub(crate) fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..PATIENCE.as_millis() / 100 {
        if let Some(found) = look() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("{what} did not come");
}

/// Programs that are stopped when the test ends, however it ends.
#[derive(Default)]
pub(crate) struct Running(Vec<Child>);

impl Running {
    /// Starts one in the background.
    pub(crate) fn start(&mut self, command: &mut Command) {
        self.0.push(command.stdin(Stdio::null()).spawn().unwrap());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // Some have ended already.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
