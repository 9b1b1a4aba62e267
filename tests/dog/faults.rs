//! What authors are told of mistakes in their files: in one run all that can be known, and nothing that only follows from another mistake.

use musterd_dog::{Dog, shipped};
use musterd_engine::Ruleset;

use crate::common::marked::{Case, every_fault_is_told};

const BATTLE: &str = "scenario.yaml";
const HIRE: &str = "hire/watch-100.yaml";
const RULES: &str = "ruleset.yaml";

#[test]
fn a_value_that_can_not_be_read_hides_no_other_fault_of_a_battle() {
    let cases: &[Case] = &[
        (
            "a unit's hex, and armies that share a letter and a seat",
            &[
                (BATTLE, "at: \"0405\"", "at: ¦[]"),
                (BATTLE, "  - seat: blue\n    letter: B", "  - ¦¦seat: red\n    letter: R"),
            ],
            &[
                "two armies have the same seat: change one",
                "two armies have the same letter: change one",
                "a hex is a text, not a list",
            ],
        ),
        (
            "a type that is none, and another unit of the number",
            &[(
                BATTLE,
                "- {id: 1, name: Long Pikes, type: pikemen, fighters: 14, at: \"0405\"}",
                "- {id: 1, name: Long Pikes, type: ¦pikemenn, fighters: 14, at: \"0405\"}\n      - ¦¦{id: 1, type: P, fighters: 99, at: ¦\"9905\"}",
            )],
            &[
                "`pikemenn` is no type of troops; did you mean `pikemen`?",
                "B1: it needs room for 99 men, and a tactical unit has room for 20: 20 pikemen at most (manual 1)",
                "there are two units B1",
                "9905 is off the field, which has 6 columns and 5 rows",
            ],
        ),
        (
            "without a scale nothing is too large, and names are compared",
            &[
                (BATTLE, "scale: tactical", "scale: ¦huge"),
                (BATTLE, "fighters: 14", "fighters: 111"),
                (BATTLE, "{\"0303\": Road}", "{\"0303\": Road, \"0304\": ¦road, ¦\"9904\": Way}"),
            ],
            &[
                "`huge` is no scale; write strategic, tactical, personal",
                "`road` is the name of two hexes",
                "9904 is off the field, which has 6 columns and 5 rows",
            ],
        ),
        (
            "an army that is no keys and values is one all the same",
            &[(BATTLE, "armies:\n", "armies:\n  - ¦nobody\n"), (BATTLE, "letter: R", "letter: ¦r")],
            &[
                "an army is keys and values, not `nobody`: write `key: value`",
                "an army's letter is one of A to Z",
            ],
        ),
        (
            "alliances are compared where all are known",
            &[(BATTLE, "name: the Blues", "name: ¦[]"), (BATTLE, "rounds: 8", "holders: ¦the Bluse")],
            &["`holders` win when the last round ends: add `rounds`", "name is a text, not a list"],
        ),
        (
            "holders that nobody fights for",
            &[(BATTLE, "rounds: 8", "rounds: 8\nholders: ¦the Bluse")],
            &["no army fights for `the Bluse`; did you mean `the Blues`?"],
        ),
        (
            "ground that can't be read, and boats on land",
            &[
                (BATTLE, "\"f  f  .  .  .h .\"", "\"f  f  .  ¦?  .h .\""),
                (BATTLE, "  places:", "  boats: [\"0405\", ¦\"0101\"]\n  places:"),
            ],
            &[
                "`?` is no hex: write the sign of a terrain (. clear, , bushes, f forest, = road, : sand, * snow, % swamp, ~ water), then that of its relief (`` plains, `h` hills, `m` mountains)",
                "a boat lies in water, and 0101 is land",
            ],
        ),
        (
            "a field without rows has no size",
            &[(BATTLE, "  rows:", "  ¦¦ground:")],
            &[
                "a field has no key `ground`; the keys are rows, fortifications, places, bridges, boats",
                "a field needs a key `rows`: add it",
            ],
        ),
        (
            "a hire list that is none is no army without units",
            &[(
                BATTLE,
                "    units:\n      - {id: 1, name: Long Pikes, type: pikemen, fighters: 14, at: \"0405\"}",
                "    hire: ¦wacth-100",
            )],
            &["there is no hire list `wacth-100`; did you mean `watch-100`?"],
        ),
        (
            "a misspelt crew beside a number that is none",
            &[(BATTLE, "fighters: 14", "fighters: ¦eleven, crew: ¦archres")],
            &[
                "`eleven` is no number of fighters; write a number from 1 to 200",
                "`archres` is no type of troops; did you mean `archers`?",
            ],
        ),
    ];
    let examine = |files: &_| {
        let mut found = Dog::examine(files, "scenarios/training.yaml");
        found.errors.iter_mut().for_each(|fault| fault.file = BATTLE.to_owned());
        found
    };
    every_fault_is_told(&shipped("training").unwrap(), examine, cases);
}

#[test]
fn a_value_that_can_not_be_read_hides_no_other_fault_of_a_hire_list_or_of_the_numbers() {
    let lists: &[Case] = &[(
        "a type, a number, and a sum that is too much without them",
        &[
            (HIRE, "id: watch-100", "id: ¦watch-10"),
            (HIRE, "budget: 100", "budget: ¦40"),
            (HIRE, "type: pikemen", "type: ¦pikmen"),
            (HIRE, "fighters: 6", "fighters: ¦many"),
        ],
        &[
            "its `id` has to be `watch-100`, as the file is called",
            "its hire is at least 47, more than the 40 that it is for",
            "`pikmen` is no type of troops; did you mean `pikemen`?",
            "`many` is no number of fighters; write a number from 1 to 200",
        ],
    )];
    every_fault_is_told(&shipped("training").unwrap(), |files| Dog::examine(files, HIRE), lists);
    let rules: &[Case] = &[(
        "a crew that is none, a number, and a line that is missing",
        &[
            (
                RULES,
                "  - {code: A, name: archers, attack: 1",
                "  - ¦{code: A, crew: [ZZ], name: archers, attack: ¦one",
            ),
            (RULES, "{earthwork: 4, castle: 6, ", "¦{earthwork: 4, "),
        ],
        &[
            "`A` carries `ZZ`, and no line of `armies` has that code",
            "`one` is no number for `attack`; write a number from 0 to 100000",
            "`fortifications` has no line for castle: add one",
        ],
    )];
    every_fault_is_told(&shipped("training").unwrap(), |files| Dog::examine(files, RULES), rules);
}

#[test]
fn two_types_of_troops_with_one_code_or_name_are_refused_to_new_games_alone() {
    let mut files = shipped("training").unwrap();
    let rules = files.0.get_mut(RULES).unwrap();
    for (from, to) in [
        ("{code: LC, name: light cavalry, ", "{code: a, name: light cavalry, "),
        ("{code: HC, name: heavy cavalry, ", "{code: HC, name: archers, "),
        ("{code: K, name: knights, ", "{code: K, name: knights, also: [Archer], "),
    ] {
        assert!(rules.contains(from), "{from}");
        *rules = rules.replacen(from, to, 1);
    }
    let found = Dog::examine(&files, RULES);
    let told: Vec<String> = found.errors.iter().map(ToString::to_string).collect();
    let expected = [
        "ruleset.yaml:12:5: two types of troops have the code `a`: the first has it; change one",
        "ruleset.yaml:13:5: two types of troops are called `archers`: the first has the name; change one",
        "ruleset.yaml:14:5: two types of troops are called `Archer`: the first has the name; change one",
    ];
    assert_eq!(told, expected);
    let told_of_battle = Dog::examine(&files, "scenarios/training.yaml").errors;
    assert_eq!((told_of_battle, Dog::unfit_for_new(&files)), (found.errors.clone(), found.errors));
    // Games that were founded with such a file are played on.
    assert!(Dog::from_files(&files, &[]).is_ok());
    let shipped = Dog::examine(&shipped("training").unwrap(), RULES);
    assert_eq!((shipped.errors, shipped.warnings), (Vec::new(), Vec::new()));
}

#[test]
fn a_seat_called_gm_is_told_with_all_other_faults() {
    let mut files = shipped("training").unwrap();
    let battle = files.0.get_mut("scenario.yaml").unwrap();
    let seat = battle.lines().find_map(|line| line.split_once("seat: ")).unwrap().1;
    let seat: String = seat.chars().take_while(char::is_ascii_alphanumeric).collect();
    *battle = battle.replacen(&format!("seat: {seat}"), "seat: gm", 1).replacen("rounds: ", "rounds: x", 1);
    let found = Dog::examine(&files, "scenarios/training.yaml");
    let told: Vec<String> = found.errors.iter().map(|fault| fault.reason.clone()).collect();
    assert!(told.iter().any(|fault| fault.contains("a seat can't be called `gm`")), "{told:?}");
    assert!(told.iter().any(|fault| fault.contains("`x")), "{told:?}");
}

#[test]
fn a_misspelt_terrain_that_has_to_be_there_is_told_once() {
    let mut files = shipped("training").unwrap();
    let rules = files.0.get_mut(RULES).unwrap();
    *rules = rules.replacen("  road: {sign: ", "  raod: {sign: ", 1);
    let found = Dog::examine(&files, RULES);
    let told: Vec<String> = found.errors.iter().chain(&found.warnings).map(ToString::to_string).collect();
    assert_eq!(told, ["ruleset.yaml:57:3: `terrain` has no line for road: write `road` for `raod`"]);
}

#[test]
fn terrains_and_troops_of_an_authors_own_are_known_though_the_numbers_have_faults() {
    const ARCHERS: &str = "  - {code: A, name: archers, ";
    const WATER: &str = "  water: {sign: \"~\",";
    let own = || {
        let mut files = shipped("training").unwrap();
        let rules = files.0.get_mut(RULES).unwrap();
        *rules = rules.replacen(ARCHERS, "  - {code: A, name: sharpshooters, ", 1).replacen(
            WATER,
            &format!("  reeds: {{sign: \"r\", cost: 4, defence: 4, visibility: 3}}\n{WATER}"),
            1,
        );
        let battle = files.0.get_mut(BATTLE).unwrap();
        *battle = battle.replacen("\"f  f  .  .  .h .\"", "\"f  f  r  .  .h .\"", 1).replacen(
            "type: pikemen, fighters: 14",
            "type: sharpshooters, fighters: 14",
            1,
        );
        files
    };
    let examine = |files: &_| {
        let mut found = Dog::examine(files, "scenarios/training.yaml");
        let of_battle = found.errors.iter_mut().filter(|fault| fault.file.starts_with("scenarios/"));
        of_battle.for_each(|fault| fault.file = BATTLE.to_owned());
        found
    };
    let cases: &[Case] = &[
        (
            "a fault elsewhere",
            &[
                (RULES, "{earthwork: 4, castle: 6, ", "¦{earthwork: 4, "),
                (BATTLE, "type: sharpshooters", "type: ¦sharpshoters"),
                (BATTLE, "\"f  f  r  ", "\"f  ¦q  r  "),
            ],
            &[
                "`fortifications` has no line for castle: add one",
                "`q` is no hex: write the sign of a terrain (. clear, , bushes, f forest, = road, : sand, * snow, % swamp, ~ water, r reeds), then that of its relief (`` plains, `h` hills, `m` mountains)",
                "`sharpshoters` is no type of troops; did you mean `sharpshooters`?",
            ],
        ),
        (
            "faults of a terrain and of a type",
            &[
                (RULES, "name: sharpshooters, ", "¦nam: sharpshooters, "),
                (RULES, "  reeds: {sign: \"r\", cost: 4", "  ¦Reeds: {sign: ¦[], cost: ¦four"),
            ],
            &[
                "a type of troops has no key `nam`; did you mean `name`?",
                "`Reeds` is no word for a terrain; did you mean `reeds`?",
                "`sign` is a text, not a list",
                "`four` is no number for `cost`; write a number from 0 to 65535",
            ],
        ),
        (
            "terrains that have to be there",
            &[
                (RULES, "  clear: {sign", "  ¦¦clera: {sign"),
                (RULES, "  road: {sign: \"=\"", "  way: {sign: \"=\""),
            ],
            &[
                "`terrain` has no line for clear: write `clear` for `clera`",
                "`terrain` has no line for road: add one",
            ],
        ),
    ];
    every_fault_is_told(&own(), examine, cases);
}
