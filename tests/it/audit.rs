//! The audit: what a host exports is true, and whatever somebody changes in it is found, by the program and by `docs/verify.py`.

use std::fs;
use std::path::Path;
use std::process::Command;

use musterd::desk::audit::audit_file;
use musterd::dice::audit::{Examination, Fault, examine};
use musterd::dice::{Chain, Witness};
use musterd::engine::journal::Entry;
use serde_json::{Value, json};

use super::support::*;

/// A short game of two people and a computer, played to its end, and the heads that their mails showed.
pub(crate) fn played() -> (Value, Vec<Witness>) {
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
    let heads =
        mails.iter().flat_map(|mail| Witness::all_in(&mail.body.as_ref().unwrap().text).collect::<Vec<_>>());
    (serde_json::to_value(file).unwrap(), heads.collect())
}

pub(crate) fn chain(entries: &[Entry]) -> Chain {
    let mut chain = Chain::new(&game());
    for line in entries.iter().flat_map(|entry| entry.cause.log_entries()) {
        chain.push(&line);
    }
    chain
}

pub(crate) fn examined(file: &Value, heads: &[Witness]) -> Examination {
    examine(&file.to_string(), heads, |_, _| {}).unwrap()
}

pub(crate) fn codes(file: &Value, heads: &[Witness]) -> Vec<&'static str> {
    examined(file, heads).findings.iter().map(|finding| finding.fault.code()).collect()
}

/// What the independent verifier says: its exit status and its words.
pub(crate) fn independent(dir: &Path, file: &Value, arguments: &[String]) -> (i32, String) {
    let path = dir.join("audit.json");
    fs::write(&path, file.to_string()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/verify.py");
    let output = Command::new("python3").arg("-B").arg(script).arg(&path).args(arguments).output().unwrap();
    let said = [output.stdout, output.stderr].map(|out| String::from_utf8(out).unwrap()).concat();
    assert!(!said.contains("Traceback"), "{said}");
    (output.status.code().unwrap(), said)
}

pub(crate) fn as_arguments(heads: &[Witness]) -> Vec<String> {
    heads.iter().flat_map(|w| ["--head".to_owned(), format!("{}:{}", w.index, w.head)]).collect()
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
    assert_eq!(independent(dir.path(), &file, &[]).0, 1);
    assert_eq!(independent(dir.path(), &file, &["--allow-unrevealed".to_owned()]).0, 0);
}

/// Makes the chain of a changed log whole again, as a host would who has the log alone.
pub(crate) fn rechain(file: &mut Value) {
    let mut head = musterd::dice::hash("genesis", &[b"alpha"]);
    for (index, line) in file["log"].as_array_mut().unwrap().iter_mut().enumerate() {
        let (kind, body) = (line["kind"].as_str().unwrap(), line["body"].as_str().unwrap());
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

/// Every kind of forgery that the protocol lists, what the program calls it, and how it is made.
pub(crate) const FORGERIES: &[Forgery] = &[
    ("a changed entry", "wrong-hash", |f| change_body(f, "deadline", "1 ", |b| format!("{b}0"))),
    ("a changed hash", "wrong-hash", |f| f["log"][3]["hash"] = json!(OTHER)),
    ("a dropped entry", "wrong-hash", |f| _ = lines_of(f).remove(5)),
    ("a witness of another log", "other-log", |f| f["witness"] = json!([[3, OTHER]])),
    ("a witness of a longer log", "other-log", |f| f["witness"] = json!([[3000, OTHER]])),
    ("a log made anew", "other-log", |f| {
        f["witness"] = json!([[3, f["log"][3]["hash"]]]);
        change_body(f, "open", "1 ", |b| format!("{b}x"));
        rechain(f);
    }),
    ("a second open", "count", |f| {
        let at = place_of(f, "open", "2 ");
        let line = f["log"][at].clone();
        lines_of(f).insert(at, line);
        rechain(f);
    }),
    ("a second close", "count", |f| {
        let at = place_of(f, "close", "2 ");
        let line = f["log"][at].clone();
        lines_of(f).insert(at, line);
        rechain(f);
    }),
    ("a missing close", "count", |f| {
        let at = place_of(f, "close", "2 ");
        lines_of(f).remove(at);
        rechain(f);
    }),
    ("missing rolls", "count", |f| {
        let at = place_of(f, "rolls", "2 ");
        lines_of(f).remove(at);
        rechain(f);
    }),
    ("second rolls", "count", |f| {
        let at = place_of(f, "rolls", "2 ");
        let line = f["log"][at].clone();
        lines_of(f).insert(at, line);
        rechain(f);
    }),
    ("dice before the close", "out-of-place", |f| {
        let (close, rolls) = (place_of(f, "close", "2 "), place_of(f, "rolls", "2 "));
        lines_of(f).swap(close, rolls);
        rechain(f);
    }),
    ("a gap in t", "gap", |f| {
        for line in lines_of(f) {
            let body = line["body"].as_str().unwrap();
            if let Some(rest) = body.strip_prefix("7 ") {
                line["body"] = json!(format!("8 {rest}"));
            }
        }
        rechain(f);
    }),
    ("a turn left out", "turn-missing", |f| _ = f["turns"].as_array_mut().unwrap().remove(2)),
    ("a turn twice", "turn-twice", |f| {
        let turn = f["turns"][2].clone();
        f["turns"].as_array_mut().unwrap().push(turn);
    }),
    ("a turn that never was", "turn-not-closed", |f| {
        let mut turn = f["turns"][2].clone();
        turn["t"] = json!(99);
        f["turns"].as_array_mut().unwrap().push(turn);
    }),
    ("another secret", "secret-not-in-chain", |f| f["turns"][2]["secret"] = json!(OTHER)),
    ("another anchor", "secret-not-in-chain", |f| {
        change_body(f, "game", "", |b| {
            let mut fields: Vec<&str> = b.split(' ').collect();
            fields[1] = OTHER;
            fields.join(" ")
        });
        rechain(f);
    }),
    ("a slot left out", "other-slots", |f| {
        _ = f["turns"][1]["orders"].as_object_mut().unwrap().remove("blue");
    }),
    ("a slot too many", "other-slots", |f| f["turns"][1]["orders"]["green"] = json!("BID 1\n")),
    ("other orders", "other-orders", |f| f["turns"][1]["orders"]["red"] = json!("BID 9\n")),
    ("orders for a silent seat", "never-accepted", |f| f["turns"][3]["orders"]["blue"] = json!("BID 9\n")),
    ("an accepted mail dropped", "not-the-accepted", |f| f["turns"][1]["orders"]["blue"] = Value::Null),
    ("a mail accepted after all", "not-the-accepted", |f| {
        change_body(f, "recv", "2 blue", |b| b.replacen(b.split(' ').nth(2).unwrap(), OTHER, 1));
        let at = place_of(f, "recv", "2 blue");
        let line = f["log"][at].clone();
        let last = place_of(f, "close", "2 ");
        lines_of(f).insert(last, line);
        rechain(f);
    }),
    ("a mail after the close", "out-of-place", |f| {
        let recv = place_of(f, "recv", "2 red");
        let line = lines_of(f).remove(recv);
        let close = place_of(f, "close", "2 ");
        lines_of(f).insert(close + 1, line);
        rechain(f);
    }),
    ("a missing seal", "seal-missing", |f| {
        let at = place_of(f, "seal", "3 ");
        lines_of(f).remove(at);
        rechain(f);
    }),
    ("a late seal", "seal-odd", |f| {
        let at = place_of(f, "seal", "1 ");
        let line = lines_of(f).remove(at);
        let close = place_of(f, "close", "1 ");
        lines_of(f).insert(close, line);
        rechain(f);
    }),
    ("a differing seal", "not-the-accepted", |f| {
        let forged = |b: &str| format!("{} {OTHER}", b.rsplit_once(' ').unwrap().0);
        change_body(f, "seal", "3 ", forged);
        let at = place_of(f, "recv", "3 umpire");
        lines_of(f).remove(at);
        rechain(f);
    }),
    ("a seal of a player's seat", "seal-odd", |f| {
        let at = place_of(f, "seal", "2 ");
        let mut line = f["log"][at].clone();
        line["body"] = json!(line["body"].as_str().unwrap().replace("umpire", "red"));
        lines_of(f).insert(at, line);
        rechain(f);
    }),
    ("a player shown another log", "seen-other", |f| {
        let orders = f["turns"][1]["orders"]["red"].as_str().unwrap().to_owned();
        let lines = orders
            .lines()
            .map(|l| if l.starts_with("seen:") { format!("seen: 4 {OTHER}\n") } else { format!("{l}\n") });
        f["turns"][1]["orders"]["red"] = json!(lines.collect::<String>());
    }),
    ("a beacon that the game has not", "wrong-beacon", |f| {
        f["turns"][1]["beacon"] = json!(format!("drand/1/{OTHER}"));
    }),
    ("a beacon left out", "wrong-beacon", |f| {
        change_body(f, "game", "", |b| {
            let mut fields: Vec<&str> = b.split(' ').collect();
            fields[4] = "drand-quicknet:1692803367:3:3600";
            fields.join(" ")
        });
        rechain(f);
    }),
    ("a better die", "wrong-die", |f| {
        let face = &mut rolled(f)["rolls"][0][3][0];
        *face = json!(face.as_u64().unwrap() % 6 + 1);
    }),
    ("a die of no sides", "impossible-roll", |f| rolled(f)["rolls"][0][2] = json!(0)),
    ("fewer dice than said", "impossible-roll", |f| rolled(f)["rolls"][0][1] = json!(9)),
    ("a label of another turn", "foreign-label", |f| {
        let label = &mut rolled(f)["rolls"][0][0];
        *label = json!(format!("9{}", label.as_str().unwrap()));
    }),
    ("a label used twice", "label-twice", |f| {
        let roll = rolled(f)["rolls"][0].clone();
        rolled(f)["rolls"].as_array_mut().unwrap().push(roll);
    }),
    ("a gap in a sequence", "label-gap", |f| {
        let label = &mut rolled(f)["rolls"][0][0];
        let (stem, _) = label.as_str().unwrap().rsplit_once('/').unwrap();
        *label = json!(format!("{stem}/7"));
    }),
    ("a roll left out", "other-rolls", |f| _ = rolled(f)["rolls"].as_array_mut().unwrap().remove(0)),
    ("another result", "other-result", |f| f["turns"][1]["result"] = json!(OTHER)),
    ("a rerun that never was", "other-reruns", |f| {
        f["turns"][1]["reruns"] = json!([{"rolls": [], "result": OTHER}]);
    }),
    ("a turn without its parts", "malformed", |f| f["turns"][1]["rolls"] = json!(5)),
    ("an entry without its parts", "malformed", |f| f["log"][4] = json!(7)),
    ("an entry of no known kind", "malformed", |f| f["log"][4]["kind"] = json!("gossip")),
    ("a body that its kind can't have", "malformed", |f| {
        change_body(f, "close", "2 ", |_| "2 now".to_owned());
        rechain(f);
    }),
    ("a block that is not canonical", "malformed", |f| f["turns"][1]["orders"]["red"] = json!("BID 2  \n")),
];

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

/// Whoever checks a file must not be kept busy for ever by a number in it.
#[test]
fn turns_numbered_beyond_every_chain_are_found_at_once() {
    let (mut forged, _) = played();
    for (kind, body) in [("open", "4000000000 - late".to_owned()), ("close", format!("4000000000 {OTHER}"))] {
        lines_of(&mut forged).push(json!({"kind": kind, "body": body, "hash": OTHER}));
    }
    rechain(&mut forged);
    forged["turns"].as_array_mut().unwrap().push(json!({"t": 4_000_000_000_u32, "secret": OTHER}));
    let found = codes(&forged, &[]);
    assert!(found.contains(&"gap") && found.contains(&"malformed"), "{found:?}");
}
