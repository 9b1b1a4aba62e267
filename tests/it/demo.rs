//! The main job: `musterd demo`, as the README says it.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use musterd::engine::journal::{Cause, Entry};

fn musterd(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_musterd")).args(arguments).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "musterd {arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

fn demo(dir: &Path, seed: &Path) -> (String, String) {
    let (dir, seed) = (dir.to_str().unwrap(), seed.to_str().unwrap());
    let fixed = ["--seed-file", seed, "--now", "2026-01-01T00:00:00Z"];
    let shown = musterd(&[&fixed[..], &["demo", "--keep", dir]].concat());
    (shown, musterd(&["--dir", dir, "journal", "demo"]))
}

#[test]
fn the_demo_plays_to_a_level_of_victory_for_each_side_and_the_same_every_time() {
    let dir = tempfile::tempdir().unwrap();
    let seed = dir.path().join("seed");
    fs::write(&seed, "a seed for a test").unwrap();
    let (shown, journal) = demo(&dir.path().join("one"), &seed);
    let (_, again) = demo(&dir.path().join("two"), &seed);
    assert_eq!(journal, again, "the same seed and the same time give the same journal");

    let called = format!("{} --dir ", env!("CARGO_BIN_EXE_musterd"));
    let next = shown.lines().find_map(|line| line.strip_prefix("Look closer: "));
    assert!(
        next.is_some_and(|next| next.starts_with(&called)),
        "whoever installed it nowhere goes on: {next:?}"
    );

    let entries: Vec<Entry> = journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let adjudicated = entries.iter().filter(|e| matches!(e.cause, Cause::Adjudicated { .. })).count();
    assert_eq!(adjudicated, 11, "the founding, and two player turns in each of five seasons");
    let results = entries.iter().rev().find_map(|entry| match &entry.cause {
        Cause::Ended { results } => Some(results),
        _ => None,
    });
    for side in ["French", "Allied"] {
        let level = results.unwrap().iter().find(|line| line.starts_with(side));
        let level = level.unwrap_or_else(|| panic!("no level for {side} in {results:?}"));
        assert!(level.contains("victory") || level.contains("defeat"), "{level}");
        assert!(shown.contains(level.as_str()), "{shown}");
    }
    assert!(shown.contains("Summer 1806, Allied to move"), "{shown}");
    assert!(shown.lines().all(str::is_ascii), "{shown}");

    let past = musterd(&["--dir", dir.path().join("one").to_str().unwrap(), "history", "demo", "allied"]);
    let (_, story) = past.split_once("THE BALANCE").expect("a chart of the balance");
    assert!(shown.contains(story), "the last dispatch holds the history:\n{past}");

    fs::write(&seed, "another seed").unwrap();
    let (_, other) = demo(&dir.path().join("three"), &seed);
    assert_ne!(journal, other, "another seed gives other dice");
}

#[test]
fn a_demo_that_cannot_begin_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let (short, keep) = (dir.path().join("seed"), dir.path().join("kept"));
    fs::write(&short, "x").unwrap();
    let seed = short.to_str().unwrap();
    for question in [&["demo", "moon"][..], &["demo", "--seed-file", seed, "--now", "2026-01-01T00:00:00Z"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
        let output = command.args(question).arg("--keep").arg(&keep).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{question:?}");
        assert!(!keep.exists(), "{question:?}");
    }
}

/// The program, with a directory for temporary files of its own.
fn in_temporary(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
    command.env("TMPDIR", dir).args(arguments);
    command
}

fn is_empty(dir: &Path) -> bool {
    fs::read_dir(dir).unwrap().next().is_none()
}

#[test]
fn a_demo_leaves_nothing_behind_unless_asked_to() {
    let dir = tempfile::tempdir().unwrap();
    let output = in_temporary(dir.path(), &["demo", "dog/training"]).output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && is_empty(dir.path()), "{shown}");
    assert!(
        shown.contains("by mail, in a temporary directory") && shown.contains("The game is over."),
        "{shown}"
    );
    assert!(!shown.contains(dir.path().to_str().unwrap()), "no path is told that is gone: {shown}");
    let kept = format!("`{} demo dog/training --keep DIR`", env!("CARGO_BIN_EXE_musterd"));
    assert!(shown.contains(&kept), "how it is kept is told: {shown}");
    // Nor does one that fails: there is no room for it.
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" demo dog/training";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_musterd")]).env("TMPDIR", dir.path());
    let output = command.output().unwrap();
    assert!(!output.status.success() && is_empty(dir.path()), "{output:?}");
}

#[test]
fn a_demo_that_is_stopped_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    for signal in ["-INT", "-TERM"] {
        let mut demo = in_temporary(dir.path(), &["demo", "waterloo-1815"]);
        let mut demo = demo.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(demo.stdout.take().unwrap()).lines();
        let turn = lines.find(|line| line.as_ref().is_ok_and(|line| line.contains("turn  1")));
        assert!(turn.is_some() && !is_empty(dir.path()));
        assert!(Command::new("kill").args([signal, &demo.id().to_string()]).status().unwrap().success());
        // What it says until it ends is read: else it waits for that.
        lines.for_each(drop);
        let output = demo.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{signal}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(told, "error: the demo was stopped before its end: nothing is left of it\n");
        assert!(is_empty(dir.path()), "{signal}");
    }
}
