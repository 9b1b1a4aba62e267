//! The data files under `games/`: all of them are in the program, and all of them can be played.

use std::collections::BTreeSet;
use std::path::Path;

use musterd::desk::Desk;
use musterd::dice::Seat;

#[test]
fn every_file_of_the_games_is_built_in() {
    let desk = musterd::rulesets::desk();
    let rulesets: Vec<&str> = desk.rulesets().collect();
    assert_eq!(rulesets, ["lga", "dog", "sa", "acw"]);
    for ruleset in rulesets {
        is_built_in(&desk, ruleset);
    }
}

fn is_built_in(desk: &Desk, ruleset: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("games").join(ruleset);
    let files = |folder: &str| {
        // Not every game has maps of its own beside its scenarios.
        let names = std::fs::read_dir(root.join(folder)).into_iter().flatten().map(|f| f.unwrap().path());
        let yaml = names.filter(|path| path.extension().is_some_and(|e| e == "yaml"));
        yaml.map(|path| path.strip_prefix(&root).unwrap().to_string_lossy().into_owned()).collect::<Vec<_>>()
    };
    let prefix = format!("{ruleset}/");
    let built_in: BTreeSet<String> =
        desk.scenarios().into_iter().filter_map(|l| l.id.strip_prefix(&prefix).map(str::to_owned)).collect();
    let scenarios: BTreeSet<String> = files("scenarios")
        .iter()
        .filter_map(|path| Some(path.strip_prefix("scenarios/")?.strip_suffix(".yaml")?.to_owned()))
        .collect();
    assert_eq!(built_in, scenarios);
    for name in &scenarios {
        let founding = desk.founding(name).unwrap();
        for path in files("").into_iter().chain(files("maps")) {
            let text = std::fs::read_to_string(root.join(&path)).unwrap();
            assert_eq!(founding.files.0.get(&path), Some(&text), "{name}: {path}");
        }
        let text = std::fs::read_to_string(root.join(format!("scenarios/{name}.yaml"))).unwrap();
        assert_eq!(founding.files.0.get("scenario.yaml"), Some(&text), "{name}");
    }
}

#[test]
fn a_scenario_that_is_misspelt_is_answered_with_the_nearest() {
    let error = musterd::rulesets::desk().founding("austrian-1806").unwrap_err().to_string();
    assert!(error.contains("lga/austrian-1805"), "{error}");
}

#[test]
fn a_scenario_that_is_nothing_like_any_is_answered_without_a_guess() {
    let answer = musterd::rulesets::desk().founding("chess").unwrap_err().to_string();
    assert_eq!(answer, "there is no scenario `chess`; `musterd scenarios` lists them all");
}

#[test]
fn seats_that_do_not_fit_are_told_by_name() {
    let desk = musterd::rulesets::desk();
    let files = desk.founding("austrian-1805").unwrap().files;
    let answer = |seats: &[&str]| {
        let seats: Vec<Seat> = seats.iter().map(|seat| seat.parse().unwrap()).collect();
        desk.open(("lga", 1), &files, &seats).err().unwrap().to_string()
    };
    for (seats, why) in [
        (&["french", "russian"][..], "`russian`: this scenario has no russian side"),
        (&["french"], "nobody commands Austria: every nation needs a seat"),
        (&["allied", "allied.russia", "french"], "allied and allied.russia both command Russia"),
    ] {
        let answer = answer(seats);
        assert!(answer.contains(why), "{answer}");
    }
}
