//! How `tests/run` installs, skips and counts: the script itself, on machines with other programs.

use std::path::Path;
use std::process::Command;

use super::skips::{FILE, note};

/// What `tests/run` does on a machine with these programs before the real ones, and the script's packages replaced by `packages`.
struct Machine(tempfile::TempDir);

impl Machine {
    /// `programs` are shell scripts by name; in them `$here` is the machine's own directory.
    fn new(packages: &[&str], programs: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let here = dir.path().to_str().unwrap().to_owned();
        std::fs::create_dir(dir.path().join("tests")).unwrap();
        std::fs::create_dir(dir.path().join("bin")).unwrap();
        let script =
            std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run")).unwrap();
        let (before, rest) = script.split_once("packages=(\n").expect("a list of packages");
        let (_, after) = rest.split_once("\n)\n").unwrap();
        let packages: String = packages.iter().map(|line| format!("    \"{line}\"\n")).collect();
        let script = format!("{before}packages=(\n{packages})\n{after}").replace("$here", &here);
        std::fs::write(dir.path().join("tests/run"), script).unwrap();
        for (name, text) in programs {
            let path = dir.path().join("bin").join(name);
            std::fs::write(&path, format!("#!/bin/bash\nhere={here}\n{text}\n")).unwrap();
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(path, mode).unwrap();
        }
        Self(dir)
    }

    /// Runs `tests/run`: its exit status, and what it said.
    fn run(&self, arguments: &[&str]) -> (i32, String) {
        let path = format!("{}/bin:/usr/bin:/bin", self.0.path().display());
        let output = Command::new("bash")
            .arg(self.0.path().join("tests/run"))
            .args(arguments)
            .env("PATH", path)
            .env_remove(FILE)
            .output()
            .unwrap();
        let said = [output.stderr, output.stdout].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        (output.status.code().unwrap(), said)
    }

    fn has(&self, file: &str) -> bool {
        self.0.path().join(file).exists()
    }

    fn text(&self, file: &str) -> String {
        std::fs::read_to_string(self.0.path().join(file)).unwrap_or_default()
    }
}

/// A cargo whose tests end as three lines say, of which two tests were skipped, one of them in two places.
const SKIPPING: &str = r#"
case "$*" in *--no-default-features*) ;; test*)
    [ -z "$MUSTERD_SKIPPED" ] || printf 'a::one\tno disk\nb::two\tno server\na::one\tno clock\n' >>"$MUSTERD_SKIPPED"
    echo "test a::child ... ignored, not a test: run by another"
    echo "test result: ok. 7 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s"
    echo "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s"
esac"#;

/// One whose tests all run.
const RUNNING: &str = r#"
case "$*" in *--no-default-features*) ;; test*)
    echo "test result: ok. 7 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s"
esac"#;

#[test]
fn a_skipped_test_is_counted_in_the_last_line_and_fails_where_none_may_be() {
    let machine = Machine::new(&["here /"], &[("cargo", SKIPPING)]);
    let (status, said) = machine.run(&[]);
    assert_eq!((status, said.lines().last().unwrap()), (0, "8 passed, 0 failed, 2 skipped"), "{said}");
    for line in ["SKIPPED: a::one: no disk; no clock", "SKIPPED: b::two: no server"] {
        assert!(said.lines().any(|said| said == line), "{said}");
    }
    let (status, said) = machine.run(&["--all"]);
    assert_eq!((status, said.lines().last().unwrap()), (1, "8 passed, 0 failed, 2 skipped"), "{said}");
    assert!(said.contains("FAILED: 2 tests were skipped"), "{said}");

    let machine = Machine::new(&["here /"], &[("cargo", RUNNING)]);
    let (status, said) = machine.run(&["--all"]);
    assert_eq!((status, said.lines().last().unwrap()), (0, "7 passed, 0 failed, 0 skipped"), "{said}");
    let ci = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/run")).unwrap();
    assert!(ci.lines().any(|line| line == "exec tests/run --all"), "{ci}");
}

#[test]
fn an_ignored_test_is_a_skipped_one_unless_it_is_none() {
    let cargo = r#"
case "$*" in *--no-default-features*) ;; test*)
    echo "test a::child ... ignored, not a test: run by another"
    echo "test a::slow ... ignored, too slow"
    echo "test src/lib.rs - later (line 3) ... ignored"
    echo "test result: FAILED. 4 passed; 1 failed; 3 ignored; 0 measured; 0 filtered out; finished in 0.00s"
    exit 101
esac"#;
    let (status, said) = Machine::new(&["here /"], &[("cargo", cargo)]).run(&[]);
    assert_eq!((status, said.lines().last().unwrap()), (1, "4 passed, 1 failed, 2 skipped"), "{said}");
    assert!(said.contains("SKIPPED: a::slow: too slow\n"), "{said}");
}

#[test]
fn where_nothing_is_missing_no_package_list_is_touched() {
    let apt = ("apt-get", "touch $here/asked");
    let machine = Machine::new(&["here /"], &[("cargo", RUNNING), apt]);
    assert_eq!(machine.run(&[]).0, 0);
    assert!(!machine.has("asked"), "apt-get was run");
}

#[test]
fn what_is_missing_is_installed_with_lists_refreshed_only_where_they_do_not_have_it() {
    let apt = r#"
echo "$*" >>$here/asked
case "$*" in
    *update*) touch $here/lists ;;
    *install*) [ -e $here/lists ] || { echo "E: Unable to locate package tool"; exit 100; }; touch $here/tool ;;
esac"#;
    let programs = [("cargo", RUNNING), ("apt-get", apt), ("id", "echo 0")];
    let machine = Machine::new(&["here /", "tool $here/tool"], &programs);
    let (status, said) = machine.run(&[]);
    assert_eq!(status, 0, "{said}");
    let asked = machine.text("asked");
    let words: Vec<&str> =
        asked.split_whitespace().filter(|word| ["update", "install"].contains(word)).collect();
    assert_eq!(words, ["install", "update", "install"], "{asked}");

    let machine = Machine::new(&["tool $here/tool"], &programs);
    std::fs::write(machine.0.path().join("lists"), "").unwrap();
    assert_eq!(machine.run(&[]).0, 0);
    assert!(!machine.text("asked").contains("update"), "the lists had it");
}

#[test]
fn whoever_holds_the_package_lock_is_waited_for() {
    // Three times somebody else has it.
    let apt = r#"
echo x >>$here/tries
if [ $(wc -l <$here/tries) -le 3 ]; then
    echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 12 (apt-get)" >&2
    exit 100
fi
case "$*" in *install*) touch $here/tool ;; esac"#;
    let programs = [("cargo", RUNNING), ("apt-get", apt), ("id", "echo 0"), ("sleep", ":")];
    let machine = Machine::new(&["tool $here/tool"], &programs);
    let (status, said) = machine.run(&[]);
    assert_eq!((status, machine.text("tries").lines().count()), (0, 4), "{said}");
}

#[test]
fn without_root_or_without_a_compiler_it_says_what_to_install() {
    let programs = [("cargo", RUNNING), ("id", "echo 1000")];
    let machine = Machine::new(&["here /", "tool $here/tool"], &programs);
    let (status, said) = machine.run(&[]);
    assert_eq!(status, 1);
    assert!(said.contains("As root on Debian: apt-get install --no-install-recommends tool\n"), "{said}");
}

#[test]
fn a_skipped_test_leaves_a_line_with_its_name() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("skipped");
    note(Some(&file), "a::b", "no\ndisk\there");
    note(Some(&file), "c::d", "no time");
    note(None, "e::f", "nobody counts");
    assert_eq!(std::fs::read_to_string(file).unwrap(), "a::b\tno disk here\nc::d\tno time\n");
}

/// Nobody else may decide that a test is skipped: it would be counted as passed.
#[test]
fn every_test_that_is_skipped_says_so_here() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for entry in std::fs::read_dir(root.join("tests/it")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() || ["skips.rs", "counting.rs"].iter().any(|own| path.ends_with(own)) {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for (n, line) in (1..).zip(text.lines()) {
            let own = line.contains("MUSTERD_NO_SERVERS") && line.contains("env::var");
            let says = line.contains("print") && line.contains("SKIPPED");
            assert!(!own && !says, "{}:{n}: call skips::skipped: {line}", path.display());
        }
    }
}
