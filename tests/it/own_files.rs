//! Rules, maps, scenarios and hire lists of the host's own: one that is wrong spoils what names it and nothing else, and is told of with its faults,
//! those of the file that was asked about first.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::support::HOST;

const BATTLE: &str = include_str!("../../games/dog/scenarios/training.yaml");
const WATCH: &str = include_str!("../../games/dog/hire/watch-100.yaml");
const EUROPE: &str = include_str!("../../games/lga/maps/europe.yaml");
const RULES: &str = include_str!("../../games/lga/ruleset.yaml");
const AUSTRIA: &str = include_str!("../../games/lga/scenarios/austrian-1805.yaml");

fn musterd(dir: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("timeout");
    command.args(["-k", "1", "60", env!("CARGO_BIN_EXE_musterd"), "--dir"]).arg(dir).args(arguments);
    command.env_remove("MUSTERD_LOG").stdin(Stdio::null()).output().unwrap()
}

/// What a command says, and its exit status.
fn said(dir: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let output = musterd(dir, arguments);
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (text, output.status.code())
}

fn host() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("host");
    assert!(musterd(&dir, &["init", dir.to_str().unwrap(), "--address", HOST]).status.success());
    place
}

fn own(dir: &Path, path: &str, text: &str) {
    let file = dir.join("games").join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

/// Founds a battle between two computers.
fn battle(dir: &Path, scenario: &str, id: &str) -> (String, Option<i32>) {
    said(dir, &["new", scenario, "--id", id, "--seat", "red=computer", "--seat", "blue=computer"])
}

fn campaign(dir: &Path, scenario: &str, id: &str) -> (String, Option<i32>) {
    said(dir, &["new", scenario, "--id", id, "--seat", "french=computer", "--seat", "allied=computer"])
}

/// The training battle, its reds hired by a list.
fn hiring(list: &str) -> String {
    let swords =
        "units:\n      - {id: 1, name: First Swords, type: light infantry, fighters: 19, at: \"0301\"}";
    assert!(BATTLE.contains(swords));
    BATTLE.replace(swords, &format!("hire: {list}")).replace("id: training", "id: mine")
}

/// A list that costs more than it says, and has a type that is none.
fn bad_list() -> String {
    WATCH.replace("id: watch-100", "id: own").replace("budget: 100", "budget: 10").replace("pikemen", "pikes")
}

fn ford_of(dir: &Path, scenario: &str, id: &str) -> (String, Option<i32>) {
    said(dir, &["new", scenario, "--id", id, "--seat", "baron=computer", "--seat", "raiders=computer"])
}

#[test]
fn what_scenario_check_finds_of_an_own_battle_keeps_a_game_from_being_founded() {
    let place = host();
    let dir = &place.path().join("host");
    let ford =
        include_str!("../../games/dog/scenarios/millers-ford.yaml").replace("id: millers-ford", "id: mine");
    let at = "fighters: 14, at: \"0506\"";
    assert!(ford.contains(at));
    own(dir, "dog/scenarios/mine.yaml", &ford.replace(at, "fighters: 14, at: \"0105\""));
    let (text, status) = ford_of(dir, "mine", "alpha");
    assert_eq!(status, Some(2), "{text}");
    let fault = "games/dog/scenarios/mine.yaml:36:69: B1 starts in 0105, outside the `zone` of its army";
    assert!(text.contains(fault) && !dir.join("mirror/alpha.jsonl").exists(), "{text}");
    own(dir, "dog/scenarios/mine.yaml", &ford);
    let (text, status) = ford_of(dir, "mine", "alpha");
    assert_eq!(status, Some(0), "{text}");
    // A warning is told, and the game is founded.
    own(dir, "dog/scenarios/other.yaml", &ford);
    let (text, status) = ford_of(dir, "other", "beta");
    assert!(status == Some(0) && text.contains("Warning: games/dog/scenarios/other.yaml:"), "{text}");
}

#[test]
fn an_own_battle_is_examined_with_the_options_that_are_chosen() {
    let place = host();
    let dir = &place.path().join("host");
    let mill = include_str!("../../games/sa/scenarios/mill.yaml");
    own(
        dir,
        "sa/scenarios/mine.yaml",
        &mill.replace("id: mill", "id: mine").replace("field: mill", "field: mil"),
    );
    let new = ["new", "mine", "--id", "alpha", "--seat", "northwold=computer", "--seat", "reaches=computer"];
    let (text, status) = said(dir, &new);
    assert!(status == Some(2) && text.contains("`mil`"), "{text}");
    let (text, status) = said(dir, &[&new[..], &["--option", "field=mill"]].concat());
    assert_eq!(status, Some(0), "another field was chosen: {text}");
}

#[test]
fn a_bad_hire_list_spoils_what_names_it_and_nothing_else() {
    let place = host();
    let dir = &place.path().join("host");
    own(dir, "dog/hire/own.yaml", &bad_list());
    own(dir, "dog/hire/good.yaml", &WATCH.replace("id: watch-100", "id: good"));
    own(dir, "dog/scenarios/mine.yaml", &hiring("own"));
    let (text, status) = battle(dir, "training", "alpha");
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("games/dog/hire/own.yaml") && text.contains("Left out"), "{text}");
    let journal = fs::read_to_string(dir.join("mirror/alpha.jsonl")).unwrap();
    assert!(
        !journal.contains("hire/own.yaml") && journal.contains("hire/good.yaml"),
        "a game does without it"
    );
    let (text, status) = battle(dir, "mine", "beta");
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("the hire list `own` can't be used"), "{text}");
    assert!(text.contains("hire/own.yaml") && text.contains("`pikes` is no type of troops"), "{text}");
    assert_eq!(campaign(dir, "austrian-1805", "gamma").1, Some(0));
    assert_eq!(said(dir, &["serve", "--once"]).1, Some(0));
    // The list of what there is names it with its fault, and has all others.
    let (text, status) = said(dir, &["scenarios"]);
    assert_eq!(status, Some(0), "{text}");
    for wanted in ["dog/hire/watch-100", "dog/hire/good ", "dog/training", "lga/austrian-1805"] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    let line = |begins: &str| entry(&text, begins);
    assert!(line("games/dog/hire/own.yaml").contains("`pikes` is no type of troops"), "{text}");
    assert!(line("games/dog/hire/own.yaml").contains("musterd scenario check"), "{text}");
    assert!(
        line("dog/mine").contains("can't be played, ") && line("dog/mine").contains("can't be used"),
        "{text}"
    );
    let listed = said(dir, &["--json", "scenarios"]).0;
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["unfit"][0]["file"], "games/dog/hire/own.yaml");
    assert!(listed["unfit"][0]["errors"][0]["reason"].as_str().unwrap().contains("pikes"), "{listed}");
    // Unit records of another list go on, of this one its faults are told.
    assert_eq!(said(dir, &["dog", "record", "hire/good"]).1, Some(0));
    assert!(said(dir, &["dog", "record", "hire/own"]).0.contains("`pikes` is no type of troops"));
}

/// What a list says of one: its line and the one below.
fn entry(text: &str, begins: &str) -> String {
    let lines: Vec<&str> = text.lines().skip_while(|line| !line.starts_with(begins)).take(2).collect();
    lines.join("\n")
}

#[test]
fn a_check_shows_the_faults_of_the_file_that_was_asked_about_first() {
    let place = host();
    let dir = &place.path().join("host");
    own(dir, "dog/hire/own.yaml", &bad_list());
    own(dir, "dog/hire/another.yaml", "a: [");
    own(dir, "dog/scenarios/mine.yaml", &hiring("own").replace("rounds: 8", "rounds: many"));
    let file = dir.join("games/dog/scenarios/mine.yaml");
    let (mine, list) = (file.to_str().unwrap(), dir.join("games/dog/hire/own.yaml"));
    for asked in [mine, "dog/mine"] {
        let (text, status) = said(dir, &["scenario", "check", asked]);
        assert_eq!(status, Some(1), "{text}");
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
        assert!(text.starts_with(mine), "{text}");
        assert!(at("many") < at("In files that it depends on:"), "{text}");
        assert!(at("the hire list `own` can't be used") < at("In files that it depends on:"), "{text}");
        assert!(at("In files that it depends on:") < at(list.to_str().unwrap()), "{text}");
        assert!(!text.contains("another"), "what it doesn't name is not told of: {text}");
    }
    let (text, status) = said(dir, &["scenario", "check", list.to_str().unwrap()]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.starts_with(list.to_str().unwrap()) && !text.contains("another"), "{text}");
    assert!(!text.contains("In files that it depends on"), "{text}");
    // One that is good is in order, whatever lies beside it.
    own(dir, "dog/hire/own.yaml", &WATCH.replace("id: watch-100", "id: own"));
    assert_eq!(said(dir, &["scenario", "check", list.to_str().unwrap()]).1, Some(0));
    own(dir, "dog/scenarios/mine.yaml", &hiring("own"));
    assert_eq!(said(dir, &["scenario", "check", mine]).1, Some(0));
    // Numbers that can't be used hide no fault of the file itself.
    for (ruleset, text, path, fault) in [
        ("dog", hiring("own").replace("rounds: 8", "rounds: many"), "dog/scenarios/mine.yaml", "many"),
        (
            "lga",
            AUSTRIA.replacen("map: europe", "map: europe\nmood: gay", 1),
            "lga/scenarios/austria.yaml",
            "mood",
        ),
    ] {
        own(dir, &format!("{ruleset}/ruleset.yaml"), "a: [");
        own(dir, path, &text);
        let file = dir.join("games").join(path);
        let (text, status) = said(dir, &["scenario", "check", file.to_str().unwrap()]);
        assert_eq!(status, Some(1), "{text}");
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
        assert!(at(fault) < at("In files that it depends on:"), "{text}");
        assert!(at("In files that it depends on:") < at("ruleset.yaml"), "{text}");
    }
}

#[test]
fn a_file_that_can_not_be_read_spoils_what_names_it_and_nothing_else() {
    let place = host();
    let dir = &place.path().join("host");
    own(dir, "dog/scenarios/mine.yaml", &hiring("own"));
    own(dir, "lga/scenarios/austria.yaml", &AUSTRIA.replace("map: europe", "map: own"));
    for (n, kind) in ["directory", "pipe", "circle", "device"].into_iter().enumerate() {
        let files = ["dog/hire/own.yaml", "lga/maps/own.yaml", "lga/scenarios/broken.yaml"]
            .map(|path| dir.join("games").join(path));
        for file in &files {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            match kind {
                "directory" => fs::create_dir(file).unwrap(),
                "pipe" => assert!(Command::new("mkfifo").arg(file).status().unwrap().success()),
                "circle" => symlink(file, file).unwrap(),
                _ => symlink("/dev/zero", file).unwrap(),
            }
        }
        for (founded, wanted) in [
            (battle(dir, "training", &format!("alpha-{n}")), Some(0)),
            (campaign(dir, "austrian-1805", &format!("beta-{n}")), Some(0)),
            (battle(dir, "mine", "gamma"), Some(2)),
            (campaign(dir, "austria", "gamma"), Some(2)),
            (campaign(dir, "broken", "gamma"), Some(2)),
            (said(dir, &["serve", "--once"]), Some(0)),
        ] {
            assert_eq!(founded.1, wanted, "{kind}: {}", founded.0);
            if wanted == Some(2) {
                assert!(founded.0.contains("can't be read"), "{kind}: {}", founded.0);
            }
        }
        let (text, status) = said(dir, &["scenarios"]);
        assert_eq!(status, Some(0), "{kind}: {text}");
        for unfit in ["games/dog/hire/own.yaml", "games/lga/maps/own.yaml", "lga/broken", "lga/austria "] {
            let line = entry(&text, unfit);
            assert!(line.contains("can't be read"), "{kind}, {unfit}: {text}");
        }
        for name in ["lga/austria", "austrian-1805", "lga/broken"] {
            let (text, status) = said(dir, &["scenario", "check", name]);
            assert_eq!(status, Some(i32::from(name != "austrian-1805")), "{kind}: {text}");
        }
        for file in files {
            if file.is_dir() && !file.is_symlink() {
                fs::remove_dir(file).unwrap();
            } else {
                fs::remove_file(file).unwrap();
            }
        }
    }
}

#[test]
fn a_bad_map_scenario_or_book_of_rules_spoils_what_names_it_and_nothing_else() {
    let place = host();
    let dir = &place.path().join("host");
    own(dir, "lga/maps/own.yaml", &EUROPE.replacen("cities:", "citties:", 1));
    own(dir, "lga/scenarios/austria.yaml", &AUSTRIA.replace("map: europe", "map: own"));
    own(dir, "lga/scenarios/broken.yaml", "id: [");
    assert_eq!(campaign(dir, "austrian-1805", "alpha").1, Some(0));
    let journal = fs::read_to_string(dir.join("mirror/alpha.jsonl")).unwrap();
    assert!(!journal.contains("maps/own.yaml"), "a game does without it");
    for (name, fault) in [("austria", "maps/own.yaml"), ("broken", "no YAML")] {
        let (text, status) = campaign(dir, name, "beta");
        assert!(status == Some(2) && text.contains(fault), "{name}: {text}");
    }
    let (text, _) = said(dir, &["scenarios"]);
    for (begins, fault) in
        [("lga/broken", "no YAML"), ("lga/austria ", "own.yaml"), ("games/lga/maps/own.yaml", "citties")]
    {
        let line = entry(&text, begins);
        assert!(line.contains(fault) && line.contains("musterd scenario check"), "{begins}: {text}");
    }
    // Numbers of the host's own are named by every scenario of their ruleset, and by none of another; games that run have theirs.
    own(dir, "lga/ruleset.yaml", "a: [");
    assert_eq!(campaign(dir, "austrian-1805", "beta").1, Some(2));
    assert_eq!(battle(dir, "training", "beta").1, Some(0));
    assert_eq!(said(dir, &["serve", "--once"]).1, Some(0));
    assert_eq!(said(dir, &["report", "alpha", "french"]).1, Some(0));
}

/// Types of unit of the host's own are known to its scenarios, its games and its questions.
#[test]
fn a_type_of_unit_of_the_hosts_own_is_checked_played_and_asked_about() {
    let place = host();
    let dir = &place.path().join("host");
    let lancers = "  lancers: {like: cavalry, cost: 8, moves: 8, morale: 3}\n  hq: {";
    own(dir, "lga/ruleset.yaml", &RULES.replacen("  hq: {", lancers, 1));
    let war = AUSTRIA.replace("id: austrian-1805", "id: lancers-1805");
    own(dir, "lga/scenarios/lancers-1805.yaml", &war.replacen("type: cavalry", "type: lancers", 1));
    let (text, status) = said(dir, &["scenario", "check", "lancers-1805"]);
    assert!(status == Some(0) && text.contains("1 lancers (cavalry)"), "{text}");
    assert!(!said(dir, &["scenario", "check", "austrian-1805"]).0.contains("lancers"));
    assert_eq!(campaign(dir, "lancers-1805", "alpha").1, Some(0));
    assert_eq!(said(dir, &["serve", "--once"]).1, Some(0));
    let (text, _) = said(dir, &["report", "alpha", "french"]);
    assert!(text.contains("lancers 8 (moves 8"), "{text}");
    let (text, _) = said(dir, &["odds", "lga", "march", "--unit", "lancers", "--way", "1"]);
    assert!(text.contains("lancers of morale 3, 8 of 8 moves left"), "{text}");
    let (text, status) = said(dir, &["odds", "lga", "march", "--unit", "dragoons", "--way", "1"]);
    let known = "write infantry, guard, militia, cavalry, hq or lancers";
    assert!(status != Some(0) && text.contains(known), "{text}");
    // The mistake is told where it stands.
    own(dir, "lga/ruleset.yaml", &RULES.replacen("  hq: {", &lancers.replace("like: cavalry, ", ""), 1));
    let (text, status) = said(dir, &["scenario", "check", "lancers-1805"]);
    assert!(status == Some(1) && text.contains("ruleset.yaml:9:3: error: `lancers` is no arm"), "{text}");
}

/// A file outside `games/` is read by the rules whose keys it has, however many mistakes it has.
#[test]
fn a_file_with_many_mistakes_is_checked_by_the_rules_that_it_was_written_for() {
    let place = host();
    let dir = &place.path().join("host");
    let slips = [("title:", "titel:"), ("situation:", "sitation:"), ("type: infantry", "type: infantri")];
    let text = slips.iter().fold(AUSTRIA.to_owned(), |text, (right, wrong)| text.replace(right, wrong));
    let file = place.path().join("slips.yaml");
    fs::write(&file, text).unwrap();
    let (text, status) = said(dir, &["scenario", "check", file.to_str().unwrap()]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("did you mean `title`?") && !text.contains("battle"), "{text}");
}
