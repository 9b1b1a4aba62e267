//! Tests that can't be run here. The test harness has no word for them: they end as passed. So each says that it was skipped, on the
//! terminal and in the file that `tests/run` names, and `tests/run` counts them apart.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

/// Names the file for a line a skipped test: its name, a tabulator, why.
pub(crate) const FILE: &str = "MUSTERD_SKIPPED";

/// Says that the test that runs in this thread was skipped, all of it or a part of it.
#[track_caller]
pub(crate) fn skipped(why: &str) {
    let here = std::panic::Location::caller();
    let thread = std::thread::current();
    // With one thread for all tests the harness names it after none.
    let name = thread.name().filter(|name| *name != "main");
    let test = name.map_or_else(|| here.to_string(), str::to_owned);
    note(std::env::var_os(FILE).as_deref().map(Path::new), &test, why);
}

/// Adds a line for a test to the file, if there is one, and says so on the terminal.
pub(crate) fn note(file: Option<&Path>, test: &str, why: &str) {
    let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
    // Past the harness, which keeps what a passing test prints.
    let _ = writeln!(std::io::stderr(), "\n*** SKIPPED: {test}: {why} ***");
    let Some(file) = file else { return };
    let file = OpenOptions::new().create(true).append(true).open(file);
    // In one call: other tests write there at the same time.
    file.and_then(|mut file| file.write_all(format!("{test}\t{why}\n").as_bytes())).unwrap();
}

/// Whether whoever runs the tests said that servers and tools may be missing (`tests/run --no-servers`).
pub(crate) fn may_be_missing() -> bool {
    std::env::var_os("MUSTERD_NO_SERVERS").is_some_and(|said| said == "1")
}

/// Whether a program is there to be run. Where it isn't, the test that asks is skipped if that may be, and fails if not.
#[track_caller]
pub(crate) fn has(program: &str, package: &str) -> bool {
    let places = ["/usr/bin", "/usr/sbin", "/bin", "/sbin"];
    let found = places.iter().any(|place| Path::new(place).join(program).exists());
    if !found {
        assert!(
            may_be_missing(),
            "`{program}` is missing: run tests/run, or install {package}, or set MUSTERD_NO_SERVERS=1"
        );
        skipped(&format!("`{program}` is missing"));
    }
    found
}
