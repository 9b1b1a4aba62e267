//! The samples of the guide to scenarios: they load, check clean and are played to their end; and the commands about them.

use std::collections::BTreeMap;
use std::fs;
use std::io::BufRead;
use std::path::Path;
use std::process::Command;

use musterd::dice::{Block, Seed, Stream};
use musterd::engine::{Awaiting, Fold, Match, Ruleset};
use musterd::hex::Hex;
use musterd::rules::lga::Lga;
use musterd::rules::lga::ground::{NoEntry, Traveller, closed};
use musterd::rules::lga::model::{Arm, Nation};

use super::scenario::{MAP, SCENARIO, desk, sample};
use crate::common::{Loose, soak};
use crate::lga_wild::wild_orders;

#[test]
fn the_samples_of_the_guide_are_without_a_doubt() {
    for path in [SCENARIO, MAP, "scenarios/prussia-1809.yaml"] {
        let examination = desk().examine("lga", path).unwrap();
        assert_eq!((examination.errors, examination.warnings), (Vec::new(), Vec::new()), "{path}");
        assert!(!examination.summary.is_empty());
    }
}

/// Plays a sample to its end, computers with these skills or somebody who orders at random, and looks for what can't be
/// after every event.
fn play(name: &str, skill: Option<&str>, seed: u8) -> usize {
    let files = desk().founding(name).unwrap().files;
    let rules = Lga::from_files(&files, &[]).unwrap();
    let mut table = Match::new(Lga::from_files(&files, &[]).unwrap());
    let mut state = rules.found();
    let mut dice = Loose(Seed::unrelated(soak::seed_bytes(seed)));
    let mut chance = Stream::new(&Seed::unrelated(soak::seed_bytes(seed)), &"wild".parse().unwrap());
    let mut attacks = 0;
    for t in 1.. {
        let waiting = table.awaiting();
        if matches!(waiting, Awaiting::Over { .. }) {
            break;
        }
        let mut blocks = BTreeMap::new();
        if matches!(waiting, Awaiting::Orders { .. }) {
            for spec in table.seats() {
                let text = match skill {
                    Some(skill) => table.play(&spec.seat, skill, soak::seed(seed.into()).into()),
                    None => wild_orders(&rules, &table.view(&spec.seat), &mut chance),
                };
                blocks.insert(spec.seat.clone(), Block::canonical(&text));
            }
        }
        let adjudication = table.adjudicate(t, &blocks, &mut dice);
        for event in &adjudication.events {
            attacks += usize::from(event["event"] == "attacked");
            rules.apply(&mut state, &serde_json::from_value(event.clone()).unwrap());
            assert_eq!(state.faults(&rules), Vec::<String>::new(), "{name} t={t} after {event}");
        }
        table.adopt(&adjudication.events).unwrap();
        for spec in table.seats() {
            let page = musterd::report::text::sections(&table.brief(&spec.seat));
            assert!(page.lines().all(|line| line.len() <= musterd::report::WIDTH), "{page}");
        }
        assert!(t < 100, "the game goes on for ever");
    }
    attacks
}

#[test]
fn the_samples_of_the_guide_are_played_to_their_end() {
    for name in ["lodi-1796", "prussia-1809"] {
        for seed in 0..4 {
            let attacks: usize =
                [Some("cautious"), Some("planner"), None].map(|skill| play(name, skill, seed)).iter().sum();
            assert!(soak::is_enough(attacks > 0), "{name}: nobody fought");
        }
    }
}

#[test]
fn a_small_map_has_no_closed_zone_but_the_country_of_that_name() {
    let refused = |map: String| {
        let mut desk = desk();
        desk.shelve("lga", MAP, map).unwrap();
        let rules = Lga::from_files(&desk.founding("lodi-1796").unwrap().files, &[]).unwrap();
        let french = Traveller { nation: Nation::of("french").unwrap(), arm: Arm::Infantry };
        closed(&rules, french, Hex::new(10, 4), None)
    };
    assert_eq!(refused(sample(MAP)), None);
    let venice = sample(MAP).replace("V: Venice", "V: Russian Hinterland");
    assert!(matches!(refused(venice), Some(NoEntry::Zone(_))));
}

/// Runs the program in a folder; its output and exit status.
fn musterd(folder: &Path, arguments: &[&str]) -> (String, i32) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_musterd")).current_dir(folder).args(arguments).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (String::from_utf8(text).unwrap(), output.status.code().unwrap())
}

/// What it answers programs: why it failed stands on standard error.
fn answer(folder: &Path, arguments: &[&str]) -> (serde_json::Value, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
    let output = command.current_dir(folder).args(arguments).arg("--json").output().unwrap();
    (serde_json::from_slice(&output.stdout).unwrap(), output.status.code().unwrap())
}

/// Ends with the test, however that ends.
struct Watch(std::process::Child);

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_watched_scenario_is_checked_again_when_it_changes() {
    let dir = campaign();
    let file = dir.path().join("games/lga").join(SCENARIO);
    let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
    command.current_dir(dir.path()).args(["scenario", "check", file.to_str().unwrap(), "--watch"]);
    let mut watch = Watch(command.stdout(std::process::Stdio::piped()).spawn().unwrap());
    let mut lines = std::io::BufReader::new(watch.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("is in order")));
    assert!(lines.any(|line| line.contains("Ctrl-C")));
    fs::write(&file, fs::read_to_string(&file).unwrap().replace("at: \"0503\"", "at: \"9903\"")).unwrap();
    assert!(lines.any(|line| line.contains("off the map")));
    assert!(lines.any(|line| line.contains("Ctrl-C")));
    // What it depends on counts too.
    let map = dir.path().join("games/lga").join(MAP);
    fs::write(&map, fs::read_to_string(&map).unwrap().replace("name: Lodi", "name: 77")).unwrap();
    assert!(lines.any(|line| line.contains("can't be told from a number")));
    assert!(lines.any(|line| line.contains("Ctrl-C")));
    // It outlives what can't be read at all.
    let (good, aside) = (sample(MAP), file.with_extension("aside"));
    fs::rename(&file, &aside).unwrap();
    fs::create_dir(&file).unwrap();
    fs::remove_dir(&file).unwrap();
    fs::rename(&aside, &file).unwrap();
    fs::write(&map, good).unwrap();
    fs::write(&file, sample(SCENARIO)).unwrap();
    assert!(lines.any(|line| line.contains("is in order")));
}

#[test]
fn a_watched_file_that_is_deleted_is_told_of_and_so_is_its_return() {
    let dir = campaign();
    let scenarios = dir.path().join("games/lga/scenarios");
    let (file, aside) = (scenarios.join("lodi-1796.yaml"), scenarios.join("aside"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
    command.current_dir(dir.path()).args(["scenario", "check", file.to_str().unwrap(), "--watch"]);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut watch = Watch(command.spawn().unwrap());
    let mut lines = std::io::BufReader::new(watch.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut errors = std::io::BufReader::new(watch.0.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("Ctrl-C")));
    fs::rename(&file, &aside).unwrap();
    let told = errors.next().unwrap();
    assert!(
        told.contains("there is no file ") && told.ends_with(": it is checked when it is back"),
        "{told}"
    );
    // The same file, with the time and the length that it had.
    fs::rename(&aside, &file).unwrap();
    assert!(lines.any(|line| line.ends_with("lodi-1796.yaml is back.")));
    assert!(lines.any(|line| line.contains("is in order")));
    assert!(lines.any(|line| line.contains("Ctrl-C")));
    // The map, on which it depends: the scenario says that it is not there.
    let map = dir.path().join("games/lga").join(MAP);
    fs::rename(&map, &aside).unwrap();
    assert!(lines.any(|line| line.contains("there is no map `lombardy`")));
    fs::rename(&aside, &map).unwrap();
    assert!(lines.any(|line| line.contains("is in order")));
}

#[test]
fn a_scenario_is_drawn_as_it_begins() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["austrian-1805", "millers-ford"] {
        let (drawing, status) = musterd(dir.path(), &["scenario", "show", name, "--svg"]);
        assert_eq!(status, 0, "{drawing}");
        assert!(drawing.starts_with("<svg ") && drawing.trim_end().ends_with("</svg>"), "{name}");
    }
    let (refused, status) = musterd(dir.path(), &["scenario", "show", "austrian-1805", "--svg", "--json"]);
    assert!(status == 2 && refused.contains("leave --svg out"), "{refused}");
}

/// A data directory with the samples in it, as the guide has them copied.
fn campaign() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    musterd(dir.path(), &["init", "."]);
    for path in [SCENARIO, MAP, "scenarios/prussia-1809.yaml"] {
        let to = dir.path().join("games/lga").join(path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, sample(path)).unwrap();
    }
    dir
}

#[test]
fn check_and_show_take_files_anywhere_and_names_of_the_list() {
    let camp = campaign();
    let dir = camp.path();
    let file = "games/lga/scenarios/lodi-1796.yaml";
    let (text, status) = musterd(dir, &["scenario", "check", file]);
    assert_eq!(status, 0, "{text}");
    assert!(
        text.ends_with("\ngames/lga/scenarios/lodi-1796.yaml is in order: no errors, no warnings.\n"),
        "{text}"
    );
    assert!(
        text.contains("  Austria         3      -        1        1      13    1       8     3\n"),
        "{text}"
    );
    // A loose file, with the maps of the data directory.
    fs::copy(dir.join(file), dir.join("mine.yaml")).unwrap();
    let (text, status) = musterd(dir, &["scenario", "check", "mine.yaml", "--strict"]);
    assert_eq!(status, 1, "{text}");
    assert!(
        text.starts_with("mine.yaml:1:1: warning: the id is `lodi-1796`, but the file is mine.yaml: the commands call it mine\n"),
        "{text}"
    );
    assert_eq!(musterd(dir, &["scenario", "check", "mine.yaml"]).1, 0);
    // A name, a map, and what there is not.
    assert_eq!(musterd(dir, &["scenario", "check", "austrian-1805"]).1, 0);
    let (text, status) = musterd(dir, &["scenario", "check", "games/lga/maps/lombardy.yaml"]);
    assert!(status == 0 && text.contains("2 capital, 4 major, 7 minor; 1 of them ports"), "{text}");
    let rules = "games/lga/ruleset.yaml";
    fs::write(dir.join(rules), include_str!("../../games/lga/ruleset.yaml")).unwrap();
    let (text, status) = musterd(dir, &["scenario", "check", rules]);
    assert!(status == 0 && text.ends_with("ruleset.yaml is in order: no errors, no warnings.\n"), "{text}");
    let broken = include_str!("../../games/lga/ruleset.yaml").replacen("cost: 9", "cost: nine", 1);
    fs::write(dir.join(rules), broken).unwrap();
    let (text, status) = musterd(dir, &["scenario", "check", rules]);
    assert!(
        status == 1
            && text.starts_with("games/lga/ruleset.yaml:5:20: error: ")
            && text.ends_with("1 error, no warnings.\n"),
        "{text}"
    );
    fs::remove_file(dir.join(rules)).unwrap();
    assert_eq!(
        musterd(dir, &["scenario", "check", "nothing.yaml"]),
        ("error: there is no file nothing.yaml\n".to_owned(), 2)
    );
    assert_eq!(musterd(dir, &["scenario", "show", "games/lga/maps/lombardy.yaml"]).1, 2);

    let (text, status) = musterd(dir, &["scenario", "show", "lodi-1796", "--map"]);
    assert_eq!(status, 0, "{text}");
    assert!(
        text.starts_with("The Bridge at Lodi, Spring 1796 to Winter 1796\nLa Grande Armee: lga/lodi-1796\n")
    );
    assert!(text.contains(" 4   .F*F. %A.A.:o:.A*'%   :. held: Allied\n"), "{text}");
    assert!(text.lines().all(|line| line.is_ascii() && line.len() <= 78), "{text}");
    let (json, _) = musterd(dir, &["scenario", "show", "austrian-1805", "--map", "--json"]);
    let shown: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&shown["id"], &shown["title"]), (&"lga/austrian-1805".into(), &"Austrian Challenge".into()));
    assert!(shown["sections"].as_array().unwrap().iter().any(|section| section["title"] == "The map"));
}

/// A line without its columns.
fn words(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_broken_scenario_of_the_host_hides_no_other() {
    let camp = campaign();
    let dir = camp.path();
    let file = dir.join("games/lga").join(SCENARIO);
    fs::write(
        &file,
        sample(SCENARIO).replacen("garrison: true", "garrison: maybe", 1).replace("0304", "9999"),
    )
    .unwrap();
    let (text, status) = musterd(dir, &["scenarios"]);
    assert_eq!(status, 0);
    assert!(
        text.lines().any(|line| {
            words(line)
                == "lga/lodi-1796 can't be played, 2 errors: see `musterd scenario check lga/lodi-1796`"
        }),
        "{text}"
    );
    let listed = |line: &str| words(line) == "lga/waterloo-1815 Waterloo, Summer 1815 to Summer 1816";
    assert!(text.lines().any(listed), "{text}");
    let (found, status) = answer(dir, &["scenario", "check", "lodi-1796"]);
    assert_eq!(status, 1);
    assert_eq!(found["playable"], false);
    let error = &found["errors"][0];
    assert_eq!((&error["line"], &error["column"]), (&26.into(), &50.into()), "{found}");
    assert!(error["file"].as_str().unwrap().ends_with("games/lga/scenarios/lodi-1796.yaml"));
}

#[test]
fn a_file_in_another_encoding_is_told_of_and_stops_nothing_else() {
    let camp = campaign();
    let dir = camp.path();
    let file = "games/lga/scenarios/lodi-1796.yaml";
    // Latin-1, as an old editor saves it.
    let text = sample(SCENARIO).replace("Vaubois", "Blücher");
    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(c).unwrap()).collect();
    fs::write(dir.join(file), latin).unwrap();
    let (text, status) = musterd(dir, &["scenario", "check", file]);
    assert_eq!(status, 1, "{text}");
    assert!(
        text.starts_with(&format!(
            "{file}:31:22: error: this is no UTF-8: save the file with that encoding\n"
        )),
        "{text}"
    );
    let (text, status) = musterd(dir, &["scenarios"]);
    let told = "lga/lodi-1796 can't be played, 1 error: see `musterd scenario check lga/lodi-1796`
                        scenarios/lodi-1796.yaml:31:22: this is no UTF-8: save the file with that encoding";
    assert!(status == 0 && words(&text).contains(&words(told)), "{text}");
}

#[test]
fn what_cannot_be_founded_says_whether_the_files_or_the_question_is_at_fault() {
    let camp = campaign();
    let new = |scenario: &str, seat: &str| {
        let (text, status) = musterd(
            camp.path(),
            &["new", scenario, "--id", "a", "--seat", "french=a@example.org", "--seat", seat],
        );
        assert_ne!(status, 0);
        text
    };
    assert_eq!(
        new("austrian-1805", "allied.austria=b@example.org"),
        "error: --seat: nobody commands Russia: every nation needs a seat. The seats of the scenario are french and \
         allied. Each is one seat, or several that share it out among them, as in SEAT.PART; --seat SEAT=computer gives one \
         to the computer.\n"
    );
    assert_eq!(
        new("austrain-1805", "allied=b@example.org"),
        "error: there is no scenario `austrain-1805` (did you mean `lga/austrian-1805`?); `musterd scenarios` lists them all\n"
    );
    assert_eq!(
        new("moon", "allied=b@example.org"),
        "error: there is no scenario `moon`; `musterd scenarios` lists them all\n"
    );
}

#[test]
fn a_file_is_checked_by_the_rules_that_it_was_written_for_wherever_it_lies() {
    let camp = campaign();
    for (name, system) in [("daerquwa", "dog"), ("austrian-1805", "lga")] {
        let (text, _) = musterd(camp.path(), &["scenario", "show", name, "--yaml"]);
        let broken = text.replacen("title:", "titel:", 1);
        fs::write(camp.path().join("mine.yaml"), broken).unwrap();
        let (found, status) = answer(camp.path(), &["scenario", "check", "mine.yaml"]);
        assert_eq!((status, &found["ruleset"]), (1, &system.into()), "{found}");
        assert!(found.to_string().contains("did you mean `title`?"), "{found}");
    }
}

#[test]
fn a_copy_of_any_scenario_can_be_played_under_its_own_name() {
    let camp = campaign();
    let dir = camp.path();
    for listing in musterd::rulesets::desk().scenarios() {
        let (ruleset, name) = listing.id.split_once('/').unwrap();
        let folder = format!("games/{ruleset}/scenarios");
        fs::create_dir_all(dir.join(&folder)).unwrap();
        let file = format!("{folder}/my-{name}.yaml");
        let (text, status) = musterd(dir, &["scenario", "copy", &listing.id, &file]);
        assert_eq!(status, 0, "{text}");
        assert!(text.starts_with(&format!("{file} is a copy of {}.", listing.id)), "{text}");
        let (found, _) = answer(dir, &["scenario", "check", &file]);
        let told = found.to_string();
        assert!(found["playable"] == true && !told.contains("the commands call it"), "{told}");
        // Nothing but its name is another.
        let (shipped, _) = musterd(dir, &["scenario", "show", &listing.id, "--yaml"]);
        let copy = fs::read_to_string(dir.join(&file)).unwrap();
        let other = shipped.trim_end().lines().zip(copy.trim_end().lines()).filter(|(a, b)| a != b);
        assert_eq!(other.collect::<Vec<_>>().len(), 1, "{name}");
        assert_eq!(shipped.trim_end().lines().count(), copy.trim_end().lines().count());
    }
    let (listed, _) = musterd(dir, &["scenarios"]);
    assert!(listed.contains("my-austrian-1805"), "{listed}");
}

#[test]
fn maps_and_numbers_of_the_rules_are_copied_too_and_nothing_is_replaced_unasked() {
    let camp = campaign();
    let dir = camp.path();
    fs::create_dir_all(dir.join("games/acw/maps")).unwrap();
    let own = "games/acw/maps/mine.yaml";
    assert_eq!(musterd(dir, &["scenario", "copy", "acw/maps/bull-run", own]).1, 0);
    assert!(fs::read_to_string(dir.join(own)).unwrap().contains("\nid: mine\n"));
    assert_eq!(musterd(dir, &["scenario", "check", own]).1, 0);
    assert_eq!(musterd(dir, &["scenario", "copy", "acw/ruleset", "games/acw/ruleset.yaml"]).1, 0);
    assert_eq!(musterd(dir, &["scenario", "check", "games/acw/ruleset.yaml"]).1, 0);
    let refused = |words: &[&str], reason: &str| {
        let (text, status) = musterd(dir, &[&["scenario", "copy"], words].concat());
        assert!(status == 2 && text.contains(reason), "{words:?}: {text}");
    };
    refused(&["acw/maps/shiloh", own], "mine.yaml exists already");
    assert!(fs::read_to_string(dir.join(own)).unwrap().contains("title: Bull Run"));
    assert_eq!(musterd(dir, &["scenario", "copy", "acw/maps/shiloh", own, "--force"]).1, 0);
    assert!(fs::read_to_string(dir.join(own)).unwrap().contains("title: Shiloh"));
    refused(&["acw/maps/shilo", "x.yaml"], "acw has no file maps/shilo.yaml; did you mean `maps/shiloh`?");
    refused(&["moon/maps/shiloh", "x.yaml"], "moon");
    refused(&["austrian-185", "x.yaml"], "austrian-1805");
    refused(&["austrian-1805", "nowhere/x.yaml"], "there is no directory nowhere: make it first");
    refused(&["austrian-1805", "musterd.yaml"], "which is the host's own");
    let (printed, status) = musterd(dir, &["scenario", "copy", "austrian-1805", "-"]);
    assert!(status == 0 && printed.contains("id: austrian-1805"), "{printed}");
    let (json, _) = answer(dir, &["scenario", "copy", "austrian-1805", "x.yaml"]);
    assert_eq!((&json["copied"], &json["file"]), (&"lga/austrian-1805".into(), &"x.yaml".into()));
}
