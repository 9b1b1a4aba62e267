//! The audit: what a host exports is true, and whatever somebody changes in it is found, by the program and by `docs/verify.py`.

use std::fs;
use std::path::Path;
use std::process::Command;

use musterd::desk::audit::audit_file;
use musterd::dice::audit::{Examination, Fault, examine};
use musterd::dice::{Chain, ChainLines, Digest, Witness};
use musterd::engine::journal::Entry;
use serde_json::{Value, json};

use super::audit_forgeries::FORGERIES;
use super::support::*;

/// A short game of two people and a computer, played to its end, and the heads that their mails showed.
pub(crate) fn played() -> (Value, Vec<ChainLines>) {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game(&mut host, &[("umpire", "computer")], "24h");
    settle(&mut host);
    camp.post(camp.answer("red", "invitation", "a", &block("salt: seven grey stones\r\nJOIN")));
    camp.post(camp.answer("blue", "invitation", "b", "JOIN"));
    settle(&mut host);
    for round in 1..=3 {
        let seen = Witness::of(&chain(&journal(&mut host))).unwrap();
        let seen = format!("seen: {} {}", seen.index, seen.head);
        let orders = format!("salt: spring {round}\r\n{seen}\r\nBID 2\r\nREADY");
        camp.post(camp.answer("red", "dispatch", &format!("r{round}"), &block(&orders)));
        // Two sets in the first round; none in the second.
        if round == 1 {
            camp.post(camp.answer("blue", "dispatch", "b0", &block("BID 2")));
        }
        settle(&mut host);
        match round {
            2 => camp.wait(24 * HOUR),
            _ => camp.post(camp.answer("blue", "dispatch", &format!("b{round}"), &block("BID 1\r\nREADY"))),
        }
        settle(&mut host);
    }
    let entries = journal(&mut host);
    let file = audit_file(&entries, &camp.secrets(), u32::MAX);
    let mails = camp.mails(&player("red"));
    let heads = mails
        .iter()
        .flat_map(|mail| ChainLines::all_in(&mail.body.as_ref().unwrap().text).collect::<Vec<_>>());
    (serde_json::to_value(file).unwrap(), heads.collect())
}

pub(crate) fn chain(entries: &[Entry]) -> Chain {
    let mut chain = Chain::new(&game());
    for line in entries.iter().flat_map(|entry| entry.cause.log_entries()) {
        chain.push(&line);
    }
    chain
}

pub(crate) fn examined(file: &Value, heads: &[ChainLines]) -> Examination {
    examine(&file.to_string(), heads, |_, _| {}).unwrap()
}

pub(crate) fn codes(file: &Value, heads: &[ChainLines]) -> Vec<&'static str> {
    examined(file, heads).findings.iter().map(|finding| finding.fault.code()).collect()
}

/// What the independent verifier says: its exit status and its words.
pub(crate) fn independent(dir: &Path, file: &Value, arguments: &[String]) -> (i32, String) {
    independent_of(dir, &file.to_string(), arguments)
}

/// The same, of any text.
pub(crate) fn independent_of(dir: &Path, text: &str, arguments: &[String]) -> (i32, String) {
    let path = dir.join("audit.json");
    fs::write(&path, text).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/verify.py");
    let output = Command::new("python3").arg("-B").arg(script).arg(&path).args(arguments).output().unwrap();
    let said = [output.stdout, output.stderr].map(|out| String::from_utf8(out).unwrap()).concat();
    assert!(!said.contains("Traceback"), "{said}");
    (output.status.code().unwrap(), said)
}

pub(crate) fn as_arguments(heads: &[ChainLines]) -> Vec<String> {
    heads.iter().flat_map(|w| ["--head".to_owned(), format!("{}:{}", w.place(), w.head())]).collect()
}

#[test]
fn a_game_that_was_played_honestly_is_found_to_be_so() {
    let dir = tempfile::tempdir().unwrap();
    let (file, heads) = played();
    let outcome = examined(&file, &heads);
    assert_eq!(outcome.findings, []);
    assert!(heads.len() > 5 && outcome.witnesses == heads.len());
    assert_eq!(outcome.turns.len(), 7, "the founding, three rounds, three rulings");
    assert!(outcome.turns.iter().any(|turn| turn.dice > 0));
    let (status, said) = independent(dir.path(), &file, &as_arguments(&heads));
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("nothing wrong") && !said.contains("not witnessed"), "{said}");
    let (_, said) = independent(dir.path(), &file, &[]);
    assert!(said.contains("consistent, not witnessed"), "{said}");
    for turn in outcome.turns {
        let line = format!("t {}: {}, salted by ", turn.t, turn.level.unwrap());
        assert!(said.contains(&line), "both print the same level: `{line}`\n{said}");
    }
}

#[test]
fn what_is_not_revealed_is_not_fine() {
    let dir = tempfile::tempdir().unwrap();
    let (mut file, _) = played();
    file["turns"][4] = json!({"t": 5, "secret": null});
    let outcome = examined(&file, &[]);
    assert_eq!(outcome.findings.iter().map(|f| f.fault.clone()).collect::<Vec<_>>(), [Fault::Unrevealed]);
    assert_eq!(outcome.faults().count(), 0);
    assert_eq!(independent(dir.path(), &file, &[]).0, 5);
    assert_eq!(independent(dir.path(), &file, &["--allow-unrevealed".to_owned()]).0, 0);
}

/// Makes the chain of a changed log whole again, as a host would who has the log alone.
pub(crate) fn rechain(file: &mut Value) {
    relink(lines_of(file), 0, musterd::dice::hash("genesis", &[b"alpha"]));
}

/// Gives what is opened in a file the entries of its log that bind it, in their order, and leaves out what no entry binds any more.
pub(crate) fn reopen(file: &mut Value) {
    let bodies: Vec<String> =
        lines_of(file).iter().map(|line| line["body"].as_str().unwrap_or_default().to_owned()).collect();
    for turn in file["turns"].as_array_mut().unwrap() {
        let begins = format!("told {} ", turn["t"]);
        let entries: Vec<usize> = (0..bodies.len()).filter(|at| bodies[*at].starts_with(&begins)).collect();
        let Some(told) = turn["told"].as_array_mut() else { continue };
        told.truncate(entries.len());
        told.iter_mut().zip(entries).for_each(|(opening, entry)| opening["entry"] = json!(entry));
    }
}

/// Makes a stretch of a log whole again, which begins with this index, behind this head.
pub(crate) fn relink(lines: &mut [Value], from: u64, mut head: Digest) {
    for (index, line) in (from..).zip(lines) {
        let (Some(kind), Some(body)) = (line["kind"].as_str(), line["body"].as_str()) else { continue };
        let index = index.to_string();
        head = musterd::dice::hash(
            "entry",
            &[head.as_bytes(), index.as_bytes(), kind.as_bytes(), body.as_bytes()],
        );
        line["hash"] = json!(head.to_string());
    }
}

pub(crate) fn lines_of(file: &mut Value) -> &mut Vec<Value> {
    file["log"].as_array_mut().unwrap()
}

/// The first entry of a kind whose body begins so.
pub(crate) fn place_of(file: &Value, kind: &str, begins: &str) -> usize {
    let is = |line: &Value| line["kind"] == kind && line["body"].as_str().unwrap().starts_with(begins);
    file["log"].as_array().unwrap().iter().position(is).unwrap_or_else(|| panic!("no `{kind}` of `{begins}`"))
}

pub(crate) fn change_body(file: &mut Value, kind: &str, begins: &str, change: impl Fn(&str) -> String) {
    let at = place_of(file, kind, begins);
    let body = change(file["log"][at]["body"].as_str().unwrap());
    file["log"][at]["body"] = json!(body);
}

/// A turn with rolls, and the place of its first roll.
pub(crate) fn rolled(file: &mut Value) -> &mut Value {
    let turns = file["turns"].as_array_mut().unwrap();
    turns.iter_mut().find(|turn| !turn["rolls"].as_array().unwrap().is_empty()).unwrap()
}

pub(crate) const OTHER: &str = "1111111111111111111111111111111111111111111111111111111111111111";

pub(crate) type Forgery = (&'static str, &'static str, fn(&mut Value));

#[test]
fn every_forgery_is_found_by_both_verifiers() {
    both_find(&played().0, FORGERIES);
}

/// Both verifiers find each of these forgeries of a true file, and the program calls it by its name.
pub(crate) fn both_find(honest: &Value, forgeries: &[Forgery]) {
    let dir = tempfile::tempdir().unwrap();
    for (what, code, forge) in forgeries {
        let mut forged = honest.clone();
        forge(&mut forged);
        let found = codes(&forged, &[]);
        assert!(found.contains(code), "{what}: {found:?}");
        let (status, said) = independent(dir.path(), &forged, &[]);
        assert_eq!(status, 1, "{what}: {said}");
    }
}
