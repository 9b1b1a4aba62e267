//! With `--json` every command that fails tells programs why, all in one form.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use musterd::daemon::{FaultKind, control};
use serde_json::Value;
use tempfile::TempDir;

use crate::namespaces::{said, wait_for};

/// The words of the program's own; all others are of [`FaultKind`].
const OWN: [&str; 5] = ["usage", "finding", "incomplete", "unconfirmed", "output"];

const FAULTS: [FaultKind; 12] = [
    FaultKind::Refused,
    FaultKind::Configuration,
    FaultKind::Store,
    FaultKind::Spool,
    FaultKind::Mail,
    FaultKind::Game,
    FaultKind::Secret,
    FaultKind::File,
    FaultKind::Backup,
    FaultKind::Busy,
    FaultKind::NoDaemon,
    FaultKind::Daemon,
];

/// How each command is made to fail: its words, the exit status, the kind. A question about odds, and what is done at a table, fails by its
/// arguments.
fn failing(command: &str) -> (&'static [&'static str], i32, &'static str) {
    match command {
        "demo" => (&["demo", "moon"], 2, "refused"),
        "init" => (&["init", "host"], 2, "refused"),
        "serve" => (&["--dir", "nowhere", "serve", "--once"], 3, "configuration"),
        "deliver" => (&["--dir", "nowhere", "deliver"], 75, "configuration"),
        "scenarios" => (&["scenarios"], 3, "output"),
        "scenario check" => (&["scenario", "check", "broken.yaml", "--ruleset", "lga"], 1, "finding"),
        "scenario show" => (&["scenario", "show", "broken.yaml", "--ruleset", "lga"], 1, "finding"),
        "scenario copy" => (&["scenario", "copy", "moon", "moon.yaml"], 2, "refused"),
        "new" => (&["new", "moon", "--id", "beta", "--seat", "red=computer"], 2, "refused"),
        "status" => (&["status", "beta"], 2, "refused"),
        "check" => (&["check", "alpha", "french", "no-orders.txt"], 3, "file"),
        "config check" => (&["config", "check", "wrong/musterd.yaml"], 1, "finding"),
        "report" => (&["report", "alpha", "red"], 2, "refused"),
        "history" => (&["history", "beta", "red"], 2, "refused"),
        "resolve" => (&["resolve", "alpha", "99"], 2, "refused"),
        "gm" => (&["gm", "alpha", "EJECT", "allied"], 1, "unconfirmed"),
        "journal" => (&["journal", "beta"], 2, "refused"),
        "key" => (&["--dir", "wrong", "key"], 3, "configuration"),
        "audit" => (&["audit", "alpha", "--out", "host/store/x"], 2, "refused"),
        "verify" => (&["verify", "nothing.json"], 3, "file"),
        "escrow" => (&["escrow", "--check", "broken.yaml"], 2, "refused"),
        "backup" => (&["backup", "broken.yaml"], 2, "refused"),
        "restore" => (&["restore", "broken.yaml", "--to", "elsewhere"], 3, "backup"),
        "health" => (&["health"], 3, "finding"),
        "metrics" => (&["metrics"], 3, "no-daemon"),
        "schema" => (&["schema", "moon"], 2, "refused"),
        "templates check" => (&["templates", "check"], 1, "finding"),
        "odds lga attack" => (&["odds", "lga", "attack", "moon"], 2, "usage"),
        "dog record" => (&["dog", "record", "beta"], 2, "refused"),
        "dog next" => (&["dog", "next", "beta", "--out", "-"], 2, "refused"),
        "dog reveal" => (&["dog", "reveal", "--session", "none.jsonl", "--out", "-"], 2, "refused"),
        other if other.starts_with("odds ") || other.starts_with("dog ") => (&[], 2, "usage"),
        other => panic!("`{other}` is a new command: say here how it fails, so that its error is looked at"),
    }
}

/// A place with a host, in which `alpha` waits for its players, and with things that are wrong.
fn place() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    let done = |arguments: &[&str]| {
        let output = command(place.path(), arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", said(&output));
    };
    done(&["init", "host", "--address", "campaign@example.org"]);
    let seats = ["--seat", "french=anna@example.org", "--seat", "allied=ben@example.org"];
    done(&[&["new", "austrian-1805", "--id", "alpha", "--start", "now"][..], &seats].concat());
    let at = |file: &str| place.path().join(file);
    fs::write(at("broken.yaml"), "title: nothing else\n").unwrap();
    fs::create_dir(at("wrong")).unwrap();
    fs::write(at("wrong/musterd.yaml"), "address: nobody\n").unwrap();
    fs::write(at("host/templates/help.txt"), "{{ unknown").unwrap();
    place
}

fn command(place: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("timeout");
    command.args(["60", env!("CARGO_BIN_EXE_musterd")]);
    if arguments.first() != Some(&"--dir") {
        command.args(["--dir", "host"]);
    }
    command.current_dir(place).args(arguments);
    command.env_remove("MUSTERD_DIR").env_remove("MUSTERD_LOG").stdin(Stdio::null());
    command
}

/// What it tells programs on standard error: one object, last of the lines, all of which are JSON; standard output has JSON alone.
fn error_of(asked: &str, output: &Output) -> Value {
    let code = output.status.code().unwrap();
    let text = said(output);
    assert_ne!(code, 0, "{asked}: {text}");
    let stderr = String::from_utf8(output.stderr.clone()).unwrap();
    let read =
        |line: &str| serde_json::from_str::<Value>(line).unwrap_or_else(|e| panic!("{asked}: {e}: {text}"));
    let mut lines: Vec<Value> = stderr.lines().map(read).collect();
    let error = lines.pop().unwrap_or_else(|| panic!("{asked}: nothing on standard error: {text}"));
    assert!(lines.iter().all(|line| line["error"].is_null() && !line["level"].is_null()), "{asked}: {text}");
    let object = error.as_object().unwrap();
    assert_eq!(object.keys().collect::<Vec<_>>(), ["error"], "{asked}: {text}");
    let error = object["error"].as_object().unwrap();
    let keys: BTreeSet<&str> = error.keys().map(String::as_str).collect();
    assert_eq!(keys, BTreeSet::from(["exit", "kind", "message"]), "{asked}");
    assert_eq!(error["exit"], code, "{asked}: {text}");
    assert!(!error["message"].as_str().unwrap().is_empty(), "{asked}");
    let documents = serde_json::Deserializer::from_slice(&output.stdout).into_iter::<Value>();
    assert!(documents.into_iter().all(|document| document.is_ok()), "{asked}: {text}");
    Value::Object(error.clone())
}

/// All commands that do something, by the words that name them.
fn commands() -> Vec<String> {
    fn look(command: &clap::Command, path: &str, found: &mut Vec<String>) {
        let mut inner = command.get_subcommands().peekable();
        if inner.peek().is_none() {
            found.push(path.to_owned());
        }
        inner.for_each(|inner| look(inner, format!("{path} {}", inner.get_name()).trim(), found));
    }
    let mut found = Vec::new();
    look(&musterd::cli::command(), "", &mut found);
    found
}

#[test]
fn every_command_that_fails_tells_programs_why_in_one_form() {
    let place = place();
    for name in commands() {
        let words: Vec<&str> = name.split(' ').collect();
        let mistyped = command(place.path(), &[&words[..], &["--json", "--no-such-flag"]].concat()).output();
        let error = error_of(&name, &mistyped.unwrap());
        let exit = if name == "deliver" { 75 } else { 2 };
        // `gm` takes everything behind the game as the command.
        assert_eq!((&error["kind"], &error["exit"]), (&"usage".into(), &exit.into()), "{name}: {error}");
        assert!(!error["message"].as_str().unwrap().contains("Usage:"), "{name}: {error}");

        let (arguments, exit, kind) = failing(&name);
        if arguments.is_empty() {
            continue;
        }
        let mut asked = command(place.path(), &[arguments, &["--json"][..]].concat());
        if arguments[0] == "gm" {
            asked = command(place.path(), &[&["--dir", "host", "--json"], arguments].concat());
        }
        if kind == "output" {
            asked.stdout(fs::File::options().write(true).open("/dev/full").unwrap());
        }
        let output = asked.output().unwrap();
        let error = error_of(&name, &output);
        assert_eq!((&error["kind"], &error["exit"]), (&kind.into(), &exit.into()), "{name}: {error}");
        let is_finding = ["finding", "unconfirmed"].contains(&kind);
        assert_eq!(
            !output.stdout.is_empty(),
            is_finding,
            "{name}: the answer tells what was found, {}",
            said(&output)
        );
    }
}

#[test]
fn nothing_else_than_json_is_told_with_json_whatever_is_wrong() {
    let place = place();
    let audited = command(place.path(), &["audit", "alpha", "--out", "alpha.json"]).output().unwrap();
    assert!(audited.status.success(), "{}", said(&audited));
    for (arguments, exit, kind) in [
        (&["--json"][..], 2, "usage"),
        (&["--json", "verify", "alpha.json"], 5, "incomplete"),
        (&["--json", "moon"], 2, "usage"),
        (&["--json", "odds"], 2, "usage"),
        (&["new", "austrian-1805", "--json"], 2, "usage"),
        (&["--json", "gm", "alpha", "MOON", "alpha"], 2, "finding"),
        (&["--json", "gm", "alpha", "PROCESS", "99"], 2, "finding"),
        (
            &[
                "--json",
                "--seed-file",
                "none",
                "--now",
                "2026-01-01T00:00:00Z",
                "new",
                "austrian-1805",
                "--id",
                "b",
                "--seat",
                "french=computer",
                "--seat",
                "allied=computer",
            ],
            3,
            "file",
        ),
    ] {
        let error = error_of(&arguments.join(" "), &command(place.path(), arguments).output().unwrap());
        assert_eq!((&error["kind"], &error["exit"]), (&kind.into(), &exit.into()), "{arguments:?}: {error}");
    }
    // What a program is told of the log can't be taken for the error.
    let mut logs = command(place.path(), &["--json", "status", "beta"]);
    let output = logs.env("MUSTERD_LOG", "musterd=loud").output().unwrap();
    error_of("a level that there is not", &output);
    assert_eq!(output.stderr.iter().filter(|byte| **byte == b'\n').count(), 2, "{}", said(&output));
    // Without it people are told as ever.
    let plain = command(place.path(), &["status", "beta"]).output().unwrap();
    assert_eq!(
        String::from_utf8(plain.stderr).unwrap(),
        "error: there is no game `beta`; `musterd status` lists them\n"
    );
}

#[test]
fn what_the_daemon_refuses_is_told_as_what_a_command_refuses_itself() {
    let place = place();
    let asked: [&[&str]; 4] = [
        &["status", "beta", "--json"],
        &["report", "alpha", "red", "--json"],
        &["resolve", "alpha", "99", "--json"],
        &["--json", "dog", "record", "beta"],
    ];
    let tell = || {
        asked.map(|arguments| {
            error_of(&arguments.join(" "), &command(place.path(), arguments).output().unwrap())
        })
    };
    let alone = tell();
    let mut daemon = command(place.path(), &["serve"]).stderr(Stdio::null()).spawn().unwrap();
    wait_for("the daemon", || control::daemon_runs(&place.path().join("host")).then_some(()));
    let told = tell();
    let stopped = Command::new("kill").args(["-TERM", &daemon.id().to_string()]).status().unwrap();
    daemon.wait().unwrap();
    assert!(stopped.success());
    assert_eq!(told, alone);
}

#[test]
fn every_kind_is_in_the_operators_guide() {
    let guide = include_str!("../../docs/operators-guide.md");
    for kind in FAULTS.iter().map(|kind| kind.as_str()).chain(OWN) {
        assert!(guide.contains(&format!("\n| `{kind}` | ")), "{kind}");
        let json = format!("\"{kind}\"");
        let known = serde_json::from_str::<FaultKind>(&json).unwrap();
        assert!(OWN.contains(&kind) || known.as_str() == kind, "{kind} is read as {known:?}");
    }
    // A kind of a newer daemon.
    assert_eq!(serde_json::from_str::<FaultKind>("\"moon\"").unwrap(), FaultKind::Daemon);
}
