//! Dice at a table of Death or Glory: what a session proves, and what no slip, crash or second process can do to it.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
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

/// What the prompt says to lines from a pipe.
fn sat(dir: &Path, options: &[&str], lines: &[&str]) -> String {
    let mut command = command(dir, &[&["dog", "table"], options].concat());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all((lines.join("\n") + "\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    said(&output)
}

const WORDS: [&str; 2] = ["words red five blue cats", "words blue under the oak"];

/// Throws change the units that the table keeps, a line that is taken back stays on record as void, and both verifiers prove all of it.
#[test]
fn a_table_that_keeps_its_units_is_proved() {
    let dir = tempfile::tempdir().unwrap();
    let armies = [
        "unit R1 18 HI in forest at 0301",
        "B1 20 orcs at \"the old mill\"",
        "unit B2 9 archers at 0404 hidden",
    ];
    let evening = [
        "round",
        "initiative red blue",
        "phase combat",
        "strike R1 at B1",
        "undo",
        "exchange R1 at B1",
        "note it rains",
    ];
    let page = sat(dir.path(), &[], &[&armies[..], &WORDS, &evening].concat());
    assert_fits(&page);
    for part in [
        "18 heavy infantry in forest at 0301",
        "BEFORE THE THROW",
        "3 or 4   40 hit points: 13 of 20 fall",
        "Trust   the players' words entered the dice (L2)",
        "Void  line 9",
        "round 1; combat; ",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let shown = json(dir.path(), &["dog", "session"]);
    let exchange = &shown["throws"][10];
    let left = exchange["strike"]["toll"]["left"][0].as_u64().unwrap();
    assert_eq!(
        shown["table"]["units"]["B1"]["sorts"][0]["fighters"], left,
        "the strike that is void took nobody"
    );
    assert_eq!(exchange["of"], "exchange 18 heavy infantry in forest at 20 orcs");
    assert!(done(dir.path(), &["dog", "session"]).contains("9. STRIKE R1 AT B1 (VOID)"));
    done(dir.path(), &["dog", "reveal", "--out", "evening.json"]);
    let verified = done(dir.path(), &["verify", "evening.json", "--replay"]);
    assert!(verified.contains("12 adjudications came out as the file says"), "{verified}");
    let mut file: Value =
        serde_json::from_str(&fs::read_to_string(dir.path().join("evening.json")).unwrap()).unwrap();
    let (exit, words) = independent(dir.path(), &file, &[]);
    assert_eq!(exit, 0, "{words}");
    // A unit that lost fewer than the dice say, or a void that never was: who plays the evening again sees it.
    for (t, forge) in [(9, ("/units/B1/sorts/0/fighters", Value::from(19))), (10, ("/t", Value::from(8)))] {
        let honest = file.clone();
        let event = file["replay"]["steps"][t - 1]["events"][0].pointer_mut(forge.0).unwrap();
        assert_ne!(*event, forge.1);
        *event = forge.1;
        fs::write(dir.path().join("forged.json"), file.to_string()).unwrap();
        assert_eq!(
            musterd(dir.path(), &["verify", "forged.json", "--replay"]).status.code(),
            Some(1),
            "line {t}"
        );
        file = honest;
    }
}

/// No line ends the prompt, and nothing that is wrong leaves a trace.
#[test]
fn a_wrong_line_is_pointed_at_and_the_prompt_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let wrong = [
        "strik R1 at B1",
        "strike R1 at B7",
        "hlep",
        "unit",
        "\u{1}\u{7f}",
        "go",
        "odds",
        "odds note a",
        "strike 9 K",
        "#",
        "",
    ];
    let page = sat(
        dir.path(),
        &[],
        &[&["unit R1 18 HI"][..], &wrong, &["units", "help", "quit", "unit R2 9 K"]].concat(),
    );
    for part in [
        "  strik R1 at B1\n  ^^^^^\n  `strik` begins no line; did you mean strike?",
        "  strike R1 at B7\n               ^^\n  there is no unit B7: there are R1",
        "did you mean help?",
        "no line is held for a warning",
        "Nothing is thrown yet.",
        "UNITS",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert_fits(&page);
    assert_eq!(json(dir.path(), &["dog", "session"])["throws"].as_array().unwrap().len(), 1);
    // Bytes that are no text are no end either.
    let mut command = command(dir.path(), &["dog", "table"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"\xff\xfe\nunit R2 9 K\n").unwrap();
    assert!(said(&child.wait_with_output().unwrap()).contains("R2  9 knights"));
}

/// What speaks against a throw holds it, at the prompt and on the command line.
#[test]
fn a_throw_that_something_speaks_against_is_held() {
    let dir = tempfile::tempdir().unwrap();
    let held = "Warning  R1 has attacked or shot already in this phase";
    let armies = ["unit R1 18 HI", "unit B1 20 orcs", "unit B2 20 orcs"];
    let page = sat(
        dir.path(),
        &[],
        &[&armies[..], &WORDS, &["strike R1 at B1", "strike R1 at B2", "units", "go"]].concat(),
    );
    assert!(page.contains(held) && page.contains("no line is held"), "{page}");
    let page = sat(dir.path(), &[], &["strike R1 at B2", "go"]);
    assert!(page.contains("7. STRIKE R1 AT B2"), "{page}");
    let output = musterd(dir.path(), &["dog", "strike", "R1 at B2"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("--anyway throws all the same"), "{}", said(&output));
    let page = done(dir.path(), &["dog", "strike", "R1 at B2", "--anyway"]);
    assert!(
        page.contains("8. STRIKE R1 AT B2") && page.contains("the players' words entered the dice (L2)"),
        "{page}"
    );
}

/// What is on the screen is on the disk: whoever is killed at the prompt goes on where he was, and a throw that was cut short has the dice, and the
/// players' words, that it was to have.
#[test]
fn whoever_is_killed_at_the_prompt_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = command(dir.path(), &["dog", "table"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let lines =
        [&["unit R1 18 HI", "unit B1 40 orcs"][..], &WORDS, &["strike R1 at B1"]].concat().join("\n") + "\n";
    let mut input = child.stdin.take().unwrap();
    input.write_all(lines.as_bytes()).unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let thrown = output.by_ref().any(|line| line.unwrap().starts_with("Chain: "));
    assert!(thrown);
    child.kill().unwrap();
    child.wait().unwrap();
    let whole = json(dir.path(), &["dog", "session"]);
    assert_eq!(whole["throws"].as_array().unwrap().len(), 5);
    let path = dir.path().join("dog-session.jsonl");
    let text = fs::read(&path).unwrap();
    let ends: Vec<usize> = (0..text.len()).filter(|at| text[*at] == b'\n').map(|at| at + 1).collect();
    // The last throw is four entries: opened, the players' words, closed, adjudicated.
    for cut in 2..=4 {
        fs::write(&path, &text[..ends[ends.len() - cut]]).unwrap();
        let page = sat(dir.path(), &[], &["units"]);
        assert!(page.contains("A throw that was cut short was finished first."), "{cut}: {page}");
        let again = json(dir.path(), &["dog", "session"]);
        assert_eq!(again["throws"], whole["throws"], "{cut} entries less");
        assert_eq!(again["table"], whole["table"], "{cut} entries less");
    }
}

#[test]
fn a_table_begins_with_the_units_of_a_battle() {
    let dir = tempfile::tempdir().unwrap();
    let page = sat(dir.path(), &["--battle", "training"], &["units"]);
    assert!(page.contains("R1  19 light infantry"), "{page}");
    let output = musterd(dir.path(), &["dog", "table", "--battle", "training"]);
    assert!(said(&output).contains("keeps units already"), "{}", said(&output));
}

/// The name of a place that is too long for a table is left off, and of a battle that can't be kept nothing is written down.
#[test]
fn a_battle_is_written_down_whole_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    let training = include_str!("../../games/dog/scenarios/training.yaml");
    let long = training.replace("0303", "0405").replace("Road", &"the long road to the north ".repeat(3));
    fs::write(dir.path().join("long.yaml"), long).unwrap();
    let page = sat(dir.path(), &["--battle", "long.yaml"], &["units"]);
    assert!(page.contains("Written down: 2 units"), "{page}");
    assert!(page.contains("B1  14 pikemen") && page.contains("at 0405"), "{page}");
}

/// A line that begins with a unit of the army G is no slip of `go`.
#[test]
fn units_of_every_letter_begin_a_line() {
    let dir = tempfile::tempdir().unwrap();
    let page = sat(dir.path(), &[], &["unit G1 18 HI", "G1 at 0402", "G0", "units"]);
    assert!(page.contains("at 0402") && !page.contains("did you mean go"), "{page}");
}

/// A line that was held is thrown for as it was told: if another changes the table in between, it is told anew.
#[test]
fn a_held_line_is_told_anew_where_the_table_has_changed() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = command(dir.path(), &["dog", "table"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let armies = ["unit R1 18 HI", "unit B1 20 orcs", "unit B2 20 orcs"];
    let lines = [&armies[..], &WORDS, &["strike R1 at B1", "strike R1 at B2"]].concat().join("\n") + "\n";
    input.write_all(lines.as_bytes()).unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(output.by_ref().any(|line| line.unwrap().contains("Nothing is thrown: `go`")));
    sat(dir.path(), &[], &["B2 lost 5"]);
    input.write_all(b"go\ngo\nquit\n").unwrap();
    drop(input);
    let page = output.map(|line| line.unwrap() + "\n").collect::<String>();
    assert!(child.wait().unwrap().success());
    let (told, thrown) = page.split_once("Nothing is thrown: `go`").unwrap_or_else(|| panic!("{page}"));
    assert!(told.contains("WHICH HAS CHANGED") && told.contains("15 of 20 orcs"), "{page}");
    assert!(thrown.contains("8. STRIKE R1 AT B2"), "{page}");
}

/// A throw that was cut short is told of also where the next line is of the table's units.
#[test]
fn a_throw_that_is_finished_before_a_line_of_units_is_told() {
    let dir = tempfile::tempdir().unwrap();
    sat(dir.path(), &[], &[&["unit R1 18 HI", "unit B1 90 orcs"][..], &WORDS, &["strike R1 at B1"]].concat());
    let path = dir.path().join("dog-session.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let cut = text.trim_end().rfind('\n').unwrap() + 1;
    fs::write(&path, &text[..cut]).unwrap();
    let page = done(dir.path(), &["dog", "strike", "B1 at R1", "--anyway"]);
    assert!(page.contains("A throw that was cut short was finished first."), "{page}");
}

/// A session that version 0.1.0 wrote: its throws are shown and proved as they were, more can be thrown, and it keeps no units.
#[test]
fn a_session_of_the_first_version_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let vintage = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vintage");
    for (old, new) in [("dog-table-1.jsonl", "old.jsonl"), ("dog-table-1.jsonl.secret", "old.jsonl.secret")] {
        fs::copy(vintage.join(old), dir.path().join(new)).unwrap();
    }
    let shown = json(dir.path(), &["dog", "session", "--session", "old.jsonl"]);
    assert_eq!(shown["throws"][0]["line"], "exchange 18 heavy infantry at 20 pikemen");
    done(dir.path(), &["dog", "strike", "9 K", "--session", "old.jsonl"]);
    done(dir.path(), &["dog", "reveal", "--session", "old.jsonl", "--out", "old.json"]);
    let verified = done(dir.path(), &["verify", "old.json", "--replay"]);
    assert!(verified.contains("5 adjudications came out as the file says"), "{verified}");
    let output = musterd(dir.path(), &["dog", "table", "--session", "old.jsonl"]);
    assert!(said(&output).contains("began with a program that kept no units"), "{}", said(&output));
}
