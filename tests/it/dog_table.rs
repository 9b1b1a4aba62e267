//! Dice at a table of Death or Glory: what a session proves, and what no slip, crash or second process can do to it.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;

use serde_json::Value;

use super::audit::independent;
use crate::common::pages::assert_fits;

fn command(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
    command.current_dir(dir).arg("--dir").arg(dir).args(arguments);
    command
}

fn musterd(dir: &Path, arguments: &[&str]) -> Output {
    command(dir, arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn done(dir: &Path, arguments: &[&str]) -> String {
    let output = musterd(dir, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", said(&output));
    said(&output)
}

fn json(dir: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&done(dir, &[arguments, &["--json"]].concat())).unwrap()
}

/// An evening of six throws, and its audit file.
fn evening(dir: &Path) -> Value {
    for throw in [
        &["strike", "heavy infantry", "18", "at", "orcs", "40", "--terrain", "forest", "--elite"][..],
        &["strike", "18 HI at 20 pikemen", "--exchange", "--salt", "five blue cats"],
        &["strike", "72", "at", "40", "of", "3", "hp"],
        &["shoot", "20 elven archers", "at", "12 orcs", "range", "4"],
        &["hide", "12 elves in forest", "from", "forestmen"],
        &["initiative", "red", "blue", "the King"],
    ] {
        assert_fits(&done(dir, &[&["dog"], throw].concat()));
    }
    done(dir, &["dog", "reveal", "--out", "evening.json"]);
    serde_json::from_str(&fs::read_to_string(dir.join("evening.json")).unwrap()).unwrap()
}

#[test]
fn a_session_is_proved_by_both_verifiers_and_played_again() {
    let dir = tempfile::tempdir().unwrap();
    let file = evening(dir.path());
    let verified = done(dir.path(), &["verify", "evening.json", "--replay"]);
    assert!(verified.contains("6 adjudications came out as the file says"), "{verified}");
    assert!(verified.contains("2  throw-2  L2     players"), "{verified}");
    let (exit, words) = independent(dir.path(), &file, &[]);
    assert_eq!(exit, 0, "{words}");
    assert_eq!(
        file["turns"][0]["orders"]["umpire"],
        "strike 18 elite heavy infantry in forest at 40 orcs in forest\n"
    );
    assert_eq!(file["turns"][1]["orders"]["players"], "salt: five blue cats\n");
}

#[test]
fn whatever_is_changed_in_it_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let honest = evening(dir.path());
    type Forgery = fn(&mut Value);
    let forgeries: [(&str, Forgery); 5] = [
        ("a die", |file| {
            let die = &mut file["turns"][0]["rolls"][0][3][0];
            *die = (die.as_u64().unwrap() % 6 + 1).into();
        }),
        ("what was thrown for", |file| {
            file["turns"][0]["orders"]["umpire"] = "strike 19 heavy infantry at 40 orcs\n".into();
        }),
        ("the players' words", |file| file["turns"][1]["orders"]["players"] = "salt: six blue cats\n".into()),
        ("a throw left out", |file| {
            file["turns"].as_array_mut().unwrap().remove(2);
        }),
        ("a line of the log", |file| {
            let log = file["log"].as_array_mut().unwrap();
            log.truncate(log.len() - 2);
        }),
    ];
    for (what, forge) in forgeries {
        let mut file = honest.clone();
        forge(&mut file);
        let (exit, words) = independent(dir.path(), &file, &[]);
        let output = musterd(dir.path(), &["verify", "audit.json"]);
        assert_eq!((exit, output.status.code()), (1, Some(1)), "{what}: {words}{}", said(&output));
    }
    // A die changed in the journal itself, before the umpire makes the file of it.
    let path = dir.path().join("dog-session.jsonl");
    let journal = fs::read_to_string(&path).unwrap();
    let changed = journal.replacen("\"faces\":[", "\"faces\":[7,", 1);
    assert_ne!(changed, journal);
    fs::write(&path, changed).unwrap();
    done(dir.path(), &["dog", "reveal", "--out", "changed.json"]);
    assert_eq!(musterd(dir.path(), &["verify", "changed.json"]).status.code(), Some(1));
    // The sum made of honest dice: only who plays it again can see that.
    let mut file = honest;
    let strike = &mut file["replay"]["steps"][0]["events"][0]["strike"];
    strike["damage"] = (strike["damage"].as_u64().unwrap() + 1).into();
    fs::write(dir.path().join("sum.json"), file.to_string()).unwrap();
    assert_eq!(musterd(dir.path(), &["verify", "sum.json", "--replay"]).status.code(), Some(1));
}

#[test]
fn its_secret_is_the_umpires_alone_until_it_is_revealed() {
    let dir = tempfile::tempdir().unwrap();
    let begun = done(dir.path(), &["dog", "session", "--session", "Our Evening.jsonl"]);
    let path = dir.path().join("Our Evening.jsonl.secret");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let secret = fs::read_to_string(&path).unwrap();
    let last = secret.lines().find_map(|line| line.strip_prefix("last ")).unwrap();
    let thrown = done(dir.path(), &["dog", "strike", "9 K", "--session", "Our Evening.jsonl"]);
    let journal = fs::read_to_string(dir.path().join("Our Evening.jsonl")).unwrap();
    assert!(![&begun, &thrown, &journal].iter().any(|text| text.contains(last)));
    assert!(thrown.contains("Chain: our-evening 4"), "{thrown}");
    assert!(begun.contains("Its anchor") && !thrown.contains("Its anchor"), "it begins once");
    // Without it, or with another one, nothing more is thrown.
    fs::rename(&path, dir.path().join("aside")).unwrap();
    let output = musterd(dir.path(), &["dog", "strike", "9 K", "--session", "Our Evening.jsonl"]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    let other = secret.replace(last, &"1".repeat(64));
    fs::write(&path, other).unwrap();
    let output = musterd(dir.path(), &["dog", "strike", "9 K", "--session", "Our Evening.jsonl"]);
    assert!(said(&output).contains("put the right file back"), "{}", said(&output));
}

/// Cut short anywhere, a throw ends as it was to end: there is no second try.
#[test]
fn a_throw_that_was_cut_short_is_finished_with_the_same_dice() {
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("dog-session.jsonl");
    done(dir.path(), &["dog", "session"]);
    let first = json(dir.path(), &["dog", "strike", "18 HI at 40 orcs"]);
    let text = fs::read(&whole).unwrap();
    let lines: Vec<usize> = (0..text.len()).filter(|at| text[*at] == b'\n').map(|at| at + 1).collect();
    // Founded, opened, closed, adjudicated.
    assert_eq!(lines.len(), 4);
    for length in [lines[1], lines[1] + 9, lines[2], lines[2] + 40, text.len() - 1] {
        fs::write(&whole, &text[..length]).unwrap();
        let page = done(dir.path(), &["dog", "strike", "1 K at 9 goblins"]);
        assert!(page.contains("A throw that was cut short was finished first."), "{length}: {page}");
        let shown = json(dir.path(), &["dog", "session"]);
        assert_eq!(shown["throws"][0]["strike"], first["strike"], "{length}");
        assert_eq!(shown["throws"].as_array().unwrap().len(), 2);
    }
    // Before its line was on disk it was never thrown for.
    fs::write(&whole, &text[..lines[0] + 5]).unwrap();
    assert_eq!(json(dir.path(), &["dog", "strike", "1 K"])["t"], 1);
    done(dir.path(), &["dog", "reveal"]);
    done(dir.path(), &["verify", "dog-session.audit.json", "--replay"]);
    // A beginning that was cut short keeps its secret: nobody can look for a better one.
    let secret = fs::read(dir.path().join("dog-session.jsonl.secret")).unwrap();
    fs::write(&whole, "").unwrap();
    done(dir.path(), &["dog", "session"]);
    assert_eq!(fs::read(dir.path().join("dog-session.jsonl.secret")).unwrap(), secret);
}

#[test]
fn two_processes_throw_one_after_the_other() {
    let dir = tempfile::tempdir().unwrap();
    thread::scope(|scope| {
        for hand in 0..4 {
            let dir = dir.path();
            scope.spawn(move || {
                for _ in 0..3 {
                    done(dir, &["dog", "strike", &format!("{} K", hand + 1)]);
                }
            });
        }
    });
    let shown = json(dir.path(), &["dog", "session"]);
    let numbers: Vec<u64> =
        shown["throws"].as_array().unwrap().iter().map(|throw| throw["t"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=12).collect::<Vec<_>>());
    done(dir.path(), &["dog", "reveal"]);
    done(dir.path(), &["verify", "dog-session.audit.json", "--replay"]);
}

/// `--salt -`: what is thrown for is on disk before anybody says a word.
#[test]
fn the_players_words_are_asked_for_once_the_line_is_on_record() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = command(dir.path(), &["dog", "strike", "9 K", "--salt", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all("under the old oak\n".as_bytes()).unwrap();
    let page = said(&child.wait_with_output().unwrap());
    let asked = page.find("Throw 1 is on record. The players' words for the dice:").unwrap();
    assert!(asked < page.find("the players' words entered the dice (L2)").unwrap(), "{page}");
    let journal = fs::read_to_string(dir.path().join("dog-session.jsonl")).unwrap();
    assert!(journal.contains("salt: under the old oak"), "{journal}");
    // A session goes on after it was revealed, with dice that nobody knows yet.
    done(dir.path(), &["dog", "reveal"]);
    done(dir.path(), &["dog", "strike", "9 K"]);
    assert_eq!(json(dir.path(), &["dog", "session"])["revealed"], 1);
    done(dir.path(), &["dog", "reveal", "--out", "all.json"]);
    done(dir.path(), &["verify", "all.json", "--replay"]);
}

#[test]
fn what_cannot_be_thrown_is_told_and_leaves_no_trace() {
    let dir = tempfile::tempdir().unwrap();
    for (arguments, reason) in [
        (&["strike", "18 hevy infantry at 40 orcs"][..], "did you mean heavy infantry?"),
        (&["strike", "18 HI", "--terrain", "heaven"], "`heaven` is no ground"),
        (&["shoot", "18 HI at 9 K"], "nothing to shoot with"),
        (&["initiative", "red", "Red"], "two armies are called"),
        (&["strike", "1 K", "--switch", "giants"], "there is no such switch"),
        (&["reveal"], "there is no session"),
    ] {
        let output = musterd(dir.path(), &[&["dog"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", said(&output));
        assert!(said(&output).contains(reason), "{arguments:?}: {}", said(&output));
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    // What the session is decides, not what is asked later.
    done(dir.path(), &["dog", "session", "--scale", "strategic", "--switch", "tiny_strikes"]);
    let output = musterd(dir.path(), &["dog", "shoot", "20 archers at 9 K range 2"]);
    assert!(said(&output).contains("they shoot 1 hexes at most on the strategic scale"), "{}", said(&output));
    let output = musterd(dir.path(), &["dog", "strike", "1 K", "--scale", "tactical"]);
    assert!(said(&output).contains("began on the strategic scale with tiny_strikes"), "{}", said(&output));
    let other = dir.path().join("notes.txt");
    fs::write(&other, "no journal\n").unwrap();
    let output = musterd(dir.path(), &["dog", "strike", "1 K", "--session", "notes.txt"]);
    assert!(said(&output).contains("line 1 is no line of a session"), "{}", said(&output));
    assert_eq!(fs::read_to_string(other).unwrap(), "no journal\n");
}

/// Ruling DOG-38: the manual's second table.
#[test]
fn the_chart_is_the_product_of_the_tenth_and_the_strike() {
    let dir = tempfile::tempdir().unwrap();
    let chart = done(dir.path(), &["dog", "chart", "--up-to", "95"]);
    assert!(chart.contains("71-80       32          40        48"), "{chart}");
    let lines = json(dir.path(), &["dog", "chart", "--up-to", "95"]);
    let expected = (1..=10).map(|tenth: u64| {
        serde_json::json!({"from": tenth * 10 - 9, "to": tenth * 10, "bad": 4 * tenth, "medium": 5 * tenth, "good": 6 * tenth})
    });
    assert_eq!(lines, expected.collect::<Value>());
}

/// Manual 1, 3.1: a table may have its reasons, so what no field would have is thrown for, and told.
#[test]
fn units_too_large_and_on_ground_that_they_cannot_enter_are_told_of() {
    let dir = tempfile::tempdir().unwrap();
    let told = |arguments: &[&str], parts: &[&str]| {
        let page = done(dir.path(), arguments);
        assert_fits(&page);
        let flat = page.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(flat.contains("But "), !parts.is_empty(), "{page}");
        parts.iter().for_each(|part| assert!(flat.contains(part), "{part}: {page}"));
    };
    told(
        &["dog", "strike", "18 HI at 40 orcs"],
        &["But 40 orcs: it needs room for 40 men", "20 orcs at most"],
    );
    told(&["dog", "strike", "18 HI in water at 2 giants"], &["18 heavy infantry: heavy infantry would sink"]);
    told(&["dog", "hide", "5 elephants in forest"], &["too big for forests", "4 battle elephants at most"]);
    told(&["dog", "strike", "18 HI at 20 orcs in forest"], &[]);
    told(
        &["odds", "dog", "strike", "18 HI at 40 orcs"],
        &["But 40 orcs: one unit on the strategic scale alone"],
    );
    told(&["odds", "dog", "exchange", "6 trolls in swamp at 1 elf"], &["trolls are too heavy for swamps"]);
    told(&["odds", "dog", "shoot", "20 archers at 300 orcs"], &["a strategic unit has room for 200"]);
}

/// Whoever types names writes one or several, in full or as the table calls them for short.
#[test]
fn one_or_many_in_full_or_for_short_are_the_same_fighters() {
    let dir = tempfile::tempdir().unwrap();
    for (typed, line) in [
        ("1 pikemen at 3 pterodactyl", "strike 1 pikeman at 3 battle pterodactyls"),
        ("1 demons size 20 at 1 elf", "strike 1 lesser demon size 20 at 1 elf"),
        ("2 wolf at 1 dwarf", "strike 2 battle wolves at 1 dwarf"),
        ("1 forestman at 2 lizardman guards", "strike 1 forestman at 2 lizardman guards"),
    ] {
        assert_eq!(json(dir.path(), &["dog", "strike", typed])["line"], line);
    }
    let none = musterd(dir.path(), &["dog", "hide", "0 elves"]);
    assert!(said(&none).contains("`0` is too few or too many: write 1 to 1000 fighters"), "{}", said(&none));
}
