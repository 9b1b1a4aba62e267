//! The files: shipped battles, what can be chosen of them, and what authors are told of mistakes.

use std::collections::BTreeSet;

use musterd_acw::battle::Battle;
use musterd_acw::model::Side;
use musterd_acw::{Acw, SHIPPED, shipped};
use musterd_engine::Ruleset;
use musterd_engine::files::{DataErrors, RuleFiles};

/// The names of the shipped files of a folder.
fn files(folder: &str) -> Vec<&'static str> {
    let name = |path: &'static str| path.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(".yaml");
    SHIPPED.iter().filter_map(|(path, _)| name(path)).collect()
}

/// A shipped battle with these options.
fn with(battle: &str, options: &str) -> Result<Acw, DataErrors> {
    let mut files: RuleFiles = shipped(battle).unwrap();
    if !options.is_empty() {
        files.0.insert("options.yaml".to_owned(), options.replace(", ", "\n"));
    }
    Acw::from_files(&files, &[])
}

#[track_caller]
fn loaded(battle: &str, options: &str) -> Acw {
    with(battle, options).unwrap_or_else(|errors| panic!("{battle}, {options}:\n{errors}"))
}

#[test]
fn every_shipped_battle_loads_with_every_option() {
    for name in files("scenarios") {
        for options in
            ["", "command: corps", "radio: on", "radio: on, command: corps", "block: 6, guns: second"]
        {
            let rules = loaded(name, options);
            let battle = rules.battle();
            stands(battle, name);
            let seats = battle.armies.iter().map(|army| army.commanders.len()).sum::<usize>();
            assert_eq!(seats, rules.seat_specs().len());
            assert!(options == "command: corps" || seats == 2, "{name}, {options}: {seats}");
        }
        let found = Acw::examine(&shipped(name).unwrap(), &format!("scenarios/{name}.yaml"));
        assert_eq!((found.errors, found.warnings), (Vec::new(), Vec::new()), "{name}");
    }
}

/// Brigades stand alone, and every headquarters has some under it.
#[track_caller]
fn stands(battle: &Battle, said: &str) {
    let mut taken = BTreeSet::new();
    for side in Side::ALL {
        let army = battle.army(side);
        for spec in army.brigades.iter().filter(|spec| spec.start.turn == 0) {
            assert!(taken.insert(spec.start.at), "{said}: {} in {}", spec.name, spec.start.at);
        }
        for hq in &army.hqs {
            assert!(battle.all_under(hq.id).next().is_some(), "{said}: {} leads nobody", hq.name);
        }
    }
}
