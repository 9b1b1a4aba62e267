//! `musterd status` of a host with many games: those that are open, that somebody has to see to, that wait for a GM.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::namespaces::said;

const BEN: &str = "ben@example.org";
const CARL: &str = "carl@example.org";

fn musterd(place: &Path, day: u32, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
    let now = format!("2026-01-{day:02}T12:00:00Z");
    command.current_dir(place).args(["--dir", "host", "--now", &now]).args(arguments);
    command.env_remove("MUSTERD_DIR").stdin(Stdio::null()).output().unwrap()
}

fn done(place: &Path, day: u32, arguments: &[&str]) -> String {
    let output = musterd(place, day, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// The games that are told of with these filters, in order.
fn told(place: &Path, day: u32, filters: &[&str]) -> Vec<String> {
    let told = done(place, day, &[&["status"][..], filters].concat());
    let json = done(place, day, &[&["--json", "status"][..], filters].concat());
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["reply"], "status");
    let games =
        json["games"].as_array().unwrap().iter().map(|game| game["game"].as_str().unwrap().to_owned());
    let games: Vec<String> = games.collect();
    let heads = told.lines().filter(|line| !line.starts_with(' ')).filter_map(|line| line.split_once(": "));
    let heads: Vec<&str> = heads.map(|(game, _)| game).collect();
    match games.is_empty() {
        true => assert_eq!(told, "No game is so: `musterd status` shows all games.\n"),
        false => assert_eq!(heads, games, "{told}"),
    }
    games
}

/// A host on the first day, with a game that has ended and others with deadlines at all times.
fn place() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    done(place.path(), 1, &["demo", "dog/training", "--keep", "host"]);
    for (id, gm, deadline, missing) in [
        ("in-ten-days", BEN, "10d", "standing"),
        ("never", BEN, "none", "standing"),
        ("paused", CARL, "2d", "standing"),
        ("in-three-days", CARL, "3d", "standing"),
        ("tomorrow", BEN, "1d", "gm"),
    ] {
        let seats = ["--seat", "french=anna@example.org", "--seat", "allied=computer", "--start", "now"];
        let terms = ["--gm", gm, "--deadline", deadline, "--missing", missing];
        done(place.path(), 1, &[&["new", "austrian-1805", "--id", id][..], &seats, &terms].concat());
    }
    done(place.path(), 1, &["gm", "paused", "PAUSE", "--yes"]);
    place
}

#[test]
fn a_host_of_many_games_sees_those_that_it_asks_for() {
    let place = place();
    let told = |day: u32, filters: &[&str]| told(place.path(), day, filters);
    assert_eq!(told(1, &[]), ["demo", "in-ten-days", "in-three-days", "never", "paused", "tomorrow"]);
    assert_eq!(told(1, &["--open"]), ["in-ten-days", "in-three-days", "never", "paused", "tomorrow"]);
    // The time moves neither on: one has no deadline, the other stands still.
    assert_eq!(told(1, &["--due"]), ["tomorrow", "never", "paused"]);
    assert_eq!(told(1, &["--due=23h"]), ["never", "paused"]);
    assert_eq!(told(1, &["--due=72h"]), ["tomorrow", "in-three-days", "never", "paused"]);
    assert_eq!(told(1, &["--gm"]), ["paused"]);
    assert_eq!(told(1, &["--gm=BEN@example.org"]), ["in-ten-days", "never", "tomorrow"]);
    assert_eq!(told(1, &["--gm=nobody@example.org"]), [""; 0]);
    assert_eq!(told(1, &["--gm=carl@example.org", "--due=3d", "--open"]), ["in-three-days", "paused"]);
    // A deadline that is over is due still.
    assert_eq!(told(5, &["--due=1h"]), ["tomorrow", "in-three-days", "never", "paused"]);
    for wrong in [&["status", "never", "--open"][..], &["status", "--due", "2d"], &["status", "--due=soon"]] {
        assert_eq!(musterd(place.path(), 1, wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn a_turn_that_waits_for_the_gms_decision_waits_for_the_gm() {
    let place = place();
    let gms = |day: u32| told(place.path(), day, &["--gm"]);
    assert_eq!(gms(1), ["paused"]);
    done(place.path(), 2, &["serve", "--once"]);
    assert_eq!(gms(2), ["paused", "tomorrow"]);
    done(place.path(), 3, &["gm", "tomorrow", "EXTEND", "2", "2d"]);
    assert_eq!(gms(3), ["paused"]);
    done(place.path(), 3, &["gm", "paused", "RESUME", "--yes"]);
    assert_eq!(gms(3), [""; 0]);
}

#[test]
fn a_game_that_is_set_aside_is_open_and_due() {
    let place = place();
    let secret = place.path().join("host/secrets/in-ten-days.secret");
    std::fs::remove_file(secret).unwrap();
    let mirror = place.path().join("host/mirror/never.jsonl");
    let text = std::fs::read_to_string(&mirror).unwrap().replacen("founded", "fuonded", 1);
    std::fs::write(&mirror, text).unwrap();
    std::fs::remove_dir_all(place.path().join("host/store")).unwrap();
    let open = told(place.path(), 1, &["--open"]);
    assert_eq!(open, ["in-ten-days", "in-three-days", "paused", "tomorrow", "never"]);
    let due = told(place.path(), 1, &["--due=1h"]);
    assert_eq!(due, ["in-ten-days", "paused", "never"], "the time of the first is known still");
}
