//! The files: shipped battles, what can be chosen of them, and what authors are told of mistakes.

use std::collections::BTreeSet;

use musterd_acw::battle::Battle;
use musterd_acw::model::{Crossing, Echelon, Light, Side, Water, Weather};
use musterd_acw::{Acw, SHIPPED, shipped};
use musterd_engine::Ruleset;
use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_engine::hex::Hex;

use crate::common::marked::{Case, every_fault_is_told};

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

const BATTLE: &str = "scenario.yaml";
const MAP: &str = "maps/kellys-mill.yaml";

#[test]
fn every_fault_of_a_battle_is_told_at_once_and_nothing_that_follows_from_another() {
    let cases: &[Case] = &[
        (
            "names of files, seats, letters",
            &[
                (BATTLE, "map: kellys-mill", "map: ¦kelly-mill"),
                (BATTLE, "kind: introductory", "kind: ¦introductry"),
                (BATTLE, "seat: confederate", "seat: ¦union"),
                (BATTLE, "name: the Confederacy", "name: ¦the Union"),
                (BATTLE, "letter: C", "letter: ¦U"),
            ],
            &[
                "`introductry` is no kind of scenario; did you mean `introductory`?",
                "there is no file `kelly-mill` in `maps`; did you mean `kellys-mill`?",
                "two commanders have the seat `union`",
                "both sides have the same name",
                "both sides have the same letter",
            ],
        ),
        (
            "seats and letters that are none",
            &[(BATTLE, "seat: union", "seat: ¦The Union"), (BATTLE, "letter: U", "letter: ¦u")],
            &[
                "`The Union` can't be a seat: write small letters, digits, - and .",
                "`u` is no letter of a side: write a capital, A to Z",
            ],
        ),
        (
            "days and hours",
            &[(
                BATTLE,
                "  - {date: 1862-10-10, from: 8, to: 15}",
                "  - {date: ¦1862-02-30, from: 8, to: 15, dawn: [¦7, 8], night: [¦8], still: [¦16]}\n  - {date: 1862-10-11, from: 9, to: ¦5}\n  - {date: ¦1862-10-10, from: 9, to: 10}",
            )],
            &[
                "`1862-02-30` is no date: write year, month, day, such as 1862-04-06",
                "7 is no hour of this day, which has 8 to 15",
                "8 is dawn already: leave one out",
                "16 is no hour of this day, which has 8 to 15",
                "the day ends at 5 and begins at 9: change one of them",
                "days follow each other: this one is not after that before it",
            ],
        ),
        (
            "turns after the last",
            &[
                (
                    BATTLE,
                    "[{turns: [1, 8], is: clear}]",
                    "[{turns: ¦[5, 2], is: clear}, {turns: ¦[7, 9], is: rain}, {turns: [1, 4], is: snow}, {turns: ¦[4, 5], is: ¦hail}]",
                ),
                (BATTLE, "held: a, turns: [1, 8]", "held: a, turns: ¦[1, 10]"),
                (BATTLE, "arrives: {turn: 2, at: \"0601\"}", "arrives: {turn: ¦9, at: \"0601\"}"),
            ],
            &[
                "turn 5 is after turn 2: write the first one first",
                "turn 9 is after the last, 8: leave out what comes after it",
                "turn 4 has its weather already: name each turn once",
                "`hail` is no weather; write clear, overcast, drizzle, rain, snow, light-fog, heavy-fog",
                "turn 10 is after the last, 8: it would count in no turn after that one",
                "turn 9 is after the last, 8: it would never come",
            ],
        ),
        (
            "objectives",
            &[(
                BATTLE,
                "radio: false\n",
                "  - {name: ¦Bethel-church, hex: ¦\"0703\", held: a}\n  - {name: ¦A3, hex: ¦\"1510\", held: a}\n  - {name: ¦\"12\", hex: \"1010\", held: ¦c}\n  - {name: ¦Signal Hill, hex: \"1011\", held: a, b: {¦turns: 5}}\n  - ¦{name: Rear, held: a, a: {turn: ¦-1}}\nradio: false\n",
            )],
            &[
                "two objectives are called `Bethel-church`: call one otherwise",
                "Bethel Church is in 0703 already: a hex has one objective",
                "orders read `A3` as a unit: call the objective otherwise",
                "1510 is off the map, which has 14 columns and 12 rows",
                "orders read `12` as a number: call the objective otherwise",
                "`c` is no side; write a, b",
                "`Signal Hill` is the map's name of 0804: call the objective otherwise",
                "the worth of an objective has no key `turns`; did you mean `turn`?",
                "an objective needs a key `hex`: add it",
                "`-1` is no number of points; write a number from 0 to 999",
            ],
        ),
        (
            "too much and too little",
            &[
                (
                    BATTLE,
                    "  - {name: Bethel Church, hex",
                    "  - {name: Nowhere, ¦hx: \"0101\", held: b}\n  - {name: Bethel Church, hex",
                ),
                (
                    BATTLE,
                    "    brigades:\n      - {name: Lyle",
                    "    corps:\n      - ¦{name: Reserve, commander: Nobody, leadership: 1, staff: 1}\n    ¦lost:\n      - {name: Lyle",
                ),
            ],
            &[
                "an objective has no key `hx`; did you mean `hex`?",
                "a corps has divisions or brigades: add one",
                "a side has no key `lost`; the keys are seat, name, letter, look, army, commander, leadership, staff, second, entrench, resolve, limited, rear, at, arrives, ground, advice, corps, divisions, brigades",
            ],
        ),
        (
            "limited objectives (ACW-95)",
            &[
                (BATTLE, "rear: north", "rear: north\n    limited: ¦[2, 9]"),
                (BATTLE, "rear: south", "rear: south\n    limited: ¦[5, 4]"),
            ],
            &[
                "turn 9 is after the last, 8: it limits no turn after that one",
                "turn 5 is after turn 4: write the first one first",
            ],
        ),
        (
            "limited objectives of a side that is told none",
            &[
                (BATTLE, "rear: north", "rear: north\n    limited: ¦[1, 8]"),
                (BATTLE, "        offensive: [Kellys Mill]\n", ""),
                (BATTLE, ", objective: Haskells Wood", ""),
            ],
            &[
                "nobody of this side is told an objective at the start: write `offensive` or `defensive` for a formation, or leave this out",
            ],
        ),
        (
            "commands",
            &[
                (
                    BATTLE,
                    "offensive: [Kellys Mill]",
                    "offensive: ¦[Bethel Church, Kellys Mill, Crossroads]\n        defensive: ¦Crossroads",
                ),
                (BATTLE, "offensive: [Kellys Mill]", "offensive: [Crossroads, ¦Crossroads]"),
                (BATTLE, "objective: Haskells Wood", "objective: ¦Haskell Woods"),
                (BATTLE, "at: \"0703\", facing: se}", "at: \"0703\", facing: se, objective: ¦Crossroads}"),
            ],
            &[
                "write one objective, or two: that by which it goes, and the objective itself",
                "a headquarters has one command: leave out `offensive` or `defensive`",
                "a brigade of a division goes where its division does: leave its objective out",
                "`Haskell Woods` is no objective; did you mean `Haskells Wood`?",
                "the way and the objective are the same: write it once",
            ],
        ),
        (
            "arms",
            &[
                (
                    BATTLE,
                    "regiments: 4, arms: rifle-musket, guns: 4, gun: 10pdr-parrott",
                    "regiments: 4, arms: ¦rifle-muskets, guns: 4, gun: ¦10pdr-parrot",
                ),
                (
                    BATTLE,
                    "          - {name: Voss, unit: 2nd Brigade, commander: Karl Voss, type: infantry, men: 1700, regiments: 4, arms: rifle-musket,",
                    "          - ¦{name: Voss, commander: Karl Voss, type: infantry, men: ¦0, arms: rifle-musket, guns: ¦4,",
                ),
                (
                    BATTLE,
                    "type: artillery, men: 200, guns: 6, gun: napoleon",
                    "type: artillery, men: 200, regiments: ¦1, arms: ¦carbine, guns: 6, gun: napoleon",
                ),
                (
                    BATTLE,
                    "      - {name: Lyle, unit: cavalry, commander: George Lyle, type: cavalry,",
                    "      - {name: Lyle, commander: George Lyle, type: ¦cavalri,",
                ),
                (
                    BATTLE,
                    "          - {name: Crane, unit: the battery, commander: Thomas Crane, type: artillery, men: 200, guns: 6, gun: napoleon,",
                    "          - ¦{name: Crane, commander: Thomas Crane, type: artillery, men: 200,",
                ),
            ],
            &[
                "the tables have no small arms `rifle-muskets`; did you mean `rifle-musket`?",
                "the tables have no guns `10pdr-parrot`; did you mean `10pdr-parrott`?",
                "infantry has `regiments`: add it",
                "`0` is no number of men; write a number from 1 to 30000",
                "say with `gun` what these are",
                "artillery has no `regiments`: leave it out",
                "artillery has no `arms`: leave it out",
                "`cavalri` is no type of brigade; did you mean `cavalry`?",
                "artillery has guns: add `guns`, their number, and `gun`, what they are",
            ],
        ),
        (
            "names of units",
            &[
                (BATTLE, "name: Hale, unit", "name: ¦Starks Big Battalions, unit"),
                (BATTLE, "name: Voss, unit", "name: ¦NW, unit"),
                (BATTLE, "name: Rourke, unit", "name: ¦BH2, unit"),
                (BATTLE, "name: Stark, unit", "name: ¦Crossroads, unit"),
                (BATTLE, "name: Lyle, unit", "name: ¦All, unit"),
                (BATTLE, "name: Rusk, unit", "name: ¦\"Rusk, Crane\", unit"),
                (BATTLE, "name: Purcell, unit", "name: ¦Maddox, unit"),
                (BATTLE, "name: Ledoux, unit", "name: ¦Signal Hill, unit"),
                (BATTLE, "name: Crane, unit", "name: ¦0405, unit"),
                (BATTLE, "name: Fairley Division", "name: ¦Tolliver Column"),
            ],
            &[
                "`Starks Big Battalions` is longer than 16 letters: shorten it",
                "orders read `NW` as a direction: call it otherwise",
                "orders read `BH2` as another unit: call it otherwise",
                "an objective is called `Crossroads` too: call one otherwise",
                "orders read `All` as all units: call it otherwise",
                "two units of this army are called `Tolliver Column`: call one otherwise",
                "two units of this army are called `Maddox`: call one otherwise",
                "`Signal Hill` is the map's name of 0804: call the unit otherwise",
                "orders read `0405` as a hex: call it otherwise",
                "orders read `Rusk, Crane` as several names: call it otherwise",
            ],
        ),
        (
            "where units stand",
            &[
                (BATTLE, "    at: \"0602\"", "    at: ¦\"0710\""),
                (BATTLE, "at: \"0703\", facing: se}", "at: \"0703\", arrives: ¦{turn: 2, at: \"0703\"}}"),
                (BATTLE, "at: \"0503\", facing: sw", "at: ¦\"1503\", facing: ¦south"),
                (BATTLE, "at: \"0803\"", "at: ¦\"1304\""),
                (BATTLE, "at: \"0510\"", "at: ¦\"0710\""),
                (
                    BATTLE,
                    "          - {name: Ledoux, unit: 3rd Brigade,",
                    "          - ¦{name: Gone, commander: N, type: cavalry, men: 100, regiments: 1, arms: carbine, experience: 1, leadership: 1}\n          - {name: Ledoux, unit: 3rd Brigade,",
                ),
            ],
            &[
                "0710 is the enemy's: an army's headquarters stands on its own ground",
                "a brigade is there at the start or comes later: leave one out",
                "1503 is off the map, which has 14 columns and 12 rows",
                "`south` is no direction; write e, w, ne, nw, se, sw",
                "Stark can't stand in 1304: artillery can't enter heavy woods",
                "Maddox and Purcell both stand in 0710: a hex holds one brigade",
                "a brigade needs `at`, its hex at the start, or `arrives`",
            ],
        ),
        (
            "looks of counters",
            &[
                (
                    BATTLE,
                    "    letter: U\n",
                    "    letter: U\n    look: {colour: ¦blue, ¦symbol: U, infantry: {symbol: ¦f}, mounted-infantry: {symbol: ¦HQ}, cavalry: {symbol: V}, artillery: {symbol: ¦V}}\n",
                ),
                (
                    BATTLE,
                    "        offensive: [Kellys Mill]",
                    "        look: {symbol: ¦V, letters: ¦\"#ffffff\"}\n        offensive: [Kellys Mill]",
                ),
                (BATTLE, "name: Hale, unit", "name: Hale, look: {symbol: ¦F}, unit"),
                (
                    BATTLE,
                    "name: Voss, unit",
                    "name: Voss, look: {symbol: ¦P, colour: \"#123456\", letters: ¦\"#fff\"}, unit",
                ),
                (BATTLE, "name: Rourke, unit", "name: Rourke, look: ¦{}, unit"),
                (BATTLE, "name: Stark, unit", "name: Stark, look: {symbol: ¦C}, unit"),
                (BATTLE, "name: Lyle, unit", "name: Lyle, look: {symbol: ¦ZZZ}, unit"),
                (BATTLE, "name: Maddox, unit", "name: Maddox, look: {symbol: V}, unit"),
            ],
            &[
                "`blue` is no colour: write # and six digits, such as \"#d5e0b8\"",
                "the look of a side has no key `symbol`; the keys are colour, letters, infantry, mounted-infantry, cavalry, artillery",
                "`f` is no symbol: write one or two capital letters, A to Z",
                "on maps `HQ` is a headquarters: choose another symbol",
                "on maps `V` is the symbol of cavalry: choose another symbol",
                "on maps `V` is the symbol of cavalry: choose another symbol",
                "`letters` are written on a `colour`: add it, or leave `letters` out",
                "on maps `F` is the sign of heavy woods: choose another symbol",
                "on maps `P` is the sign of a pontoon bridge: choose another symbol",
                "`#fff` is no colour: write # and six digits, such as \"#d5e0b8\"",
                "a look has a `symbol`, a `colour` or both: add one",
                "on maps `C` is the letter of the Confederacy: choose another symbol",
                "`ZZZ` is no symbol: write one or two capital letters, A to Z",
            ],
        ),
        (
            "ground of both sides",
            &[
                (BATTLE, "ground: [\"0107-1412\"]", "ground: [¦\"0106-1412\", ¦\"1413\", ¦\"0107-12\"]"),
                (BATTLE, "  at: \"0711\"", "  at: ¦\"0105\""),
            ],
            &[
                "0105 is the enemy's: an army's headquarters stands on its own ground",
                "0106 is ground of the other side, too: it belongs to one",
                "1413 is off the map, which has 14 columns and 12 rows",
                "`12` is not a hex: write four digits, column then row, such as 1204",
            ],
        ),
        (
            "roads and waters",
            &[
                (
                    MAP,
                    "path: [\"0703\", \"1003\", \"1207\", \"1208\"",
                    "path: [\"0703\", \"1003\", \"1207\", \"1208\"",
                ),
                (
                    MAP,
                    "  - {name: Wood Lane, path: [\"0703\", \"0503\"",
                    "  - {name: Stub, path: ¦[\"0703\"]}\n  - {name: Twice, kind: ¦rode, path: [\"0703\", ¦\"0703\", ¦\"1513\"]}\n  - {name: Wood Lane, path: [\"0703\", \"0503\"",
                ),
                (
                    MAP,
                    "{kind: ford, name: Rock Ford, between: [\"1207\", \"1208\"]}",
                    "{kind: ford, name: Rock Ford, between: [\"1207\", \"1208\"]}\n  - {kind: ford, between: ¦[\"1208\", \"1207\"]}\n  - {kind: ford, between: [\"1107\", ¦\"1109\"]}\n  - {kind: ¦ferry, between: ¦[\"0101\", \"0201\"]}",
                ),
            ],
            &[
                "a path has at least two hexes: write where it begins and where it ends",
                "`rode` is no kind of road; write road, rail",
                "0703 stands there twice in a row: leave one out",
                "1513 is off the map, which has 14 columns and 12 rows",
                "two crossings lie between 1208 and 1207: leave one out",
                "1109 is no neighbour of 1107: a crossing lies between neighbours",
                "`ferry` is no kind of crossing; write bridge, ford, pontoon",
                "there is no water between 0101 and 0201: a crossing lies on a side with water",
            ],
        ),
        (
            "a road over a river",
            &[
                (
                    MAP,
                    "path: [\"0703\", \"1003\", \"1207\", \"1208\"",
                    "path: [\"0703\", \"1003\", \"1107\", ¦\"1108\"",
                ),
                (MAP, "\".ff..,,,..fff,\"", "\".ff..,,,..ff~,\""),
                (MAP, "\"0712\"]}", "\"0712\", ¦\"1412\"]}"),
                (MAP, "\"fff..,,...ff,.\"", "\"fff..,,...~f,.\""),
                (MAP, "places:\n", "forts: {¦\"1311\": 1, \"0101\": ¦4}\nplaces:\n"),
                (MAP, "Cedar Ridge", "¦Signal hill"),
                (MAP, "Parson Orchard", "¦B7"),
            ],
            &[
                "the road leads through deep water in 1112: lead it round by more hexes",
                "Ford Road crosses a river between 1107 and 1108: add a bridge, ford or pontoon there to `crossings`, or lead it otherwise",
                "nobody can enter 1311: works stand on open ground",
                "`4` is no value of works; write a number from 1 to 3",
                "`Signal hill` is the name of two hexes: call one otherwise",
                "orders read `B7` as a unit: call the place otherwise",
            ],
        ),
        (
            "what can't be read hides no other fault, and makes none",
            &[
                (MAP, "\"..ff,...,,..ff\"", "\"..ff,...,,..f¦x\""),
                (MAP, "kind: river, bank: right", "kind: river, bank: ¦south"),
                (BATTLE, "at: \"0510\"", "at: ¦\"1501\""),
            ],
            &[
                "`x` is no ground: write . clear, , fields, o orchard, l light woods, f woods, F heavy woods, ^ hill crest, v ravine, % swamp, + town, = sunken road, ~ deep water",
                "`south` is no side of a path; write left, right",
                "1501 is off the map, which has 14 columns and 12 rows",
            ],
        ),
    ];
    every_fault_is_told(&shipped("kellys-mill").unwrap(), |files| Acw::examine(files, BATTLE), cases);
}

/// A shipped battle with this in the place of that.
fn changed(battle: &str, file: &str, from: &str, to: &str) -> RuleFiles {
    let mut files = shipped(battle).unwrap();
    let text = files.0.get_mut(file).unwrap();
    assert!(text.contains(from), "{file} has no {from}");
    *text = text.replacen(from, to, 1);
    files
}

#[test]
fn tables_with_faults_are_told_of_and_the_shipped_ones_stand_in() {
    const RULES: &str = "ruleset.yaml";
    let cases: &[Case] = &[(
        "tables",
        &[
            (RULES, "{to: 3, base: 13}", "{to: 3, base: ¦16}"),
            (
                RULES,
                "rifle-musket: {name: rifle muskets, fire: 4",
                "rifle-musket: {name: rifle muskets, fire: ¦four",
            ),
            (RULES, "  fields: {sign: \",\"", "  ¦fields: {sign: \".\""),
            (
                RULES,
                "  orchard: {sign: o, cover: 2, sight: 4,",
                "  orchard: {sign: o, cover: 2, sight: 4, colour: ¦green,",
            ),
            (BATTLE, "map: kellys-mill", "map: ¦kelly-mill"),
        ],
        &[
            "`16` is no number for `base`; write a number from 0 to 15",
            "`four` is no number for `fire`; write a number from 0 to 20",
            "`fields` has the sign of another terrain: `.`",
            "`green` is no colour: write # and six digits, such as \"#d5e0b8\"",
            "there is no file `kelly-mill` in `maps`; did you mean `kellys-mill`?",
        ],
    )];
    every_fault_is_told(&shipped("kellys-mill").unwrap(), |files| Acw::examine(files, BATTLE), cases);
}

#[test]
fn what_can_be_but_is_hardly_meant_is_doubted() {
    let doubts = |file: &str, from: &str, to: &str| {
        let found = Acw::examine(&changed("kellys-mill", file, from, to), BATTLE);
        assert_eq!(found.errors, Vec::new());
        found.warnings.into_iter().map(|doubt| doubt.to_string()).collect::<Vec<_>>()
    };
    let ends = |said: Vec<String>, expected: &[&str]| {
        assert_eq!(said.len(), expected.len(), "{said:?}");
        for (said, expected) in said.iter().zip(expected) {
            assert!(said.ends_with(expected) && said.contains(".yaml:"), "{said}");
        }
    };
    ends(
        doubts(BATTLE, "a: {turn: 3, end: 25}, b: {turn: 4, end: 30}}", "a: {turn: 0}}"),
        &["Haskells Wood is worth nothing to either side"],
    );
    ends(
        doubts(BATTLE, "at: \"0503\", facing: sw", "at: \"0508\", facing: sw"),
        &["Voss stands in 0508, which is ground of the Confederacy"],
    );
    ends(
        doubts(BATTLE, "arrives: {turn: 2, at: \"0601\"}", "arrives: {turn: 8, at: \"0601\"}"),
        &["Rourke comes in the last turn: it can do nothing"],
    );
    ends(
        doubts(MAP, "  \"0909\": Cedar Ridge", "  \"0909\": Cedar Ridge\n  \"0710\": Four Corners"),
        &["0710 is Four Corners on the map: orders know it by the objective's name alone"],
    );
    ends(
        doubts(
            BATTLE,
            "  - {date: 1862-10-10, from: 8, to: 15}",
            "  - {date: 1862-10-10, from: 8, to: 11}\n  - {date: 1862-10-11, from: 8, to: 11}",
        ),
        &[
            "between 1862-10-10, 11:00, and 1862-10-11, 08:00, are hours of no turn: nobody rests or arrives in them",
        ],
    );
    ends(
        doubts(
            BATTLE,
            "  - {date: 1862-10-10, from: 8, to: 15}",
            "  - {date: 1862-10-10, from: 8, to: 15, still: [8, 9, 10, 11, 12, 13, 14, 15]}",
        ),
        &["every hour is `still`: nobody moves or fights in this battle"],
    );
    ends(
        doubts(
            BATTLE,
            "    letter: U\n",
            "    letter: U\n    look: {colour: \"#8090a0\", letters: \"#ffffff\"}\n",
        ),
        &[
            "letters of #ffffff are hard to read on #8090a0: their contrast is 3.2 to 1, and 4.5 is wanted; without `letters` they are black or white",
        ],
    );
    let mut files =
        changed("kellys-mill", BATTLE, "    letter: U\n", "    letter: U\n    look: {colour: \"#80A0c0\"}\n");
    let text = files.0.get_mut(BATTLE).unwrap();
    *text = text.replacen("    letter: C\n", "    letter: C\n    look: {colour: \"#80a0C0\"}\n", 1);
    let found = Acw::examine(&files, BATTLE);
    assert_eq!(found.errors, Vec::new());
    ends(
        found.warnings.iter().map(ToString::to_string).collect(),
        &["both sides have counters of the same colour"],
    );
    // A corner behind a river without a crossing: nobody comes there.
    let mut files = changed(
        "kellys-mill",
        MAP,
        "crossings:\n",
        "  - {name: Moat, kind: river, bank: left, path: [\"1301\", \"1302\", \"1402\"]}\ncrossings:\n",
    );
    let text = files.0.get_mut(BATTLE).unwrap();
    let corner = "  - {name: Far Corner, hex: \"1401\", held: a, a: {end: 5}, b: {end: 5}}\nradio: false\n";
    *text = text.replacen("radio: false\n", corner, 1);
    let found = Acw::examine(&files, BATTLE);
    assert_eq!(found.errors, Vec::new());
    ends(
        found.warnings.iter().map(ToString::to_string).collect(),
        &[
            "no brigade of the Union or the Confederacy can ever come to Far Corner, 1401: a river or the ground is in the way",
        ],
    );
    // A road that nothing leads on from stops at the bank.
    ends(
        doubts(MAP, "roads:\n", "roads:\n  - {name: Blind Road, path: [\"1103\", \"1006\"]}\n"),
        &["Blind Road ends at a river in 1006: lead it over a crossing if it goes on"],
    );
}

/// More hours than a turn's number can count are a fault like any number of them.
#[test]
fn a_battle_of_years_is_refused() {
    let mut files = shipped("kellys-mill").unwrap();
    let battle = files.0.get_mut("scenario.yaml").unwrap();
    let day = "  - {date: 1862-10-10, from: 0, to: 23}\n";
    let line = battle.lines().find(|line| line.contains("date: 1862-10-10")).unwrap().to_owned() + "\n";
    *battle = battle.replacen(&line, &day.repeat(2800), 1);
    let found = Acw::examine(&files, BATTLE);
    let told = "the battle has 67200 turns: it can have 240";
    assert!(found.errors.iter().any(|fault| fault.reason == told), "{:?}", found.errors.first());
}

/// As the schema has it: digits alone, and a year of the game's centuries.
#[test]
fn a_date_is_written_as_the_schema_has_it() {
    let cases = [
        ("+862-10-10", "is no date"),
        ("1862-+1-10", "is no date"),
        ("1862-10-+9", "is no date"),
        ("1862-02-29", "is no date"),
        ("0862-10-10", "between 1000 and 1999"),
        ("2062-10-10", "between 1000 and 1999"),
    ];
    for (date, why) in cases {
        let mut files = shipped("kellys-mill").unwrap();
        let battle = files.0.get_mut("scenario.yaml").unwrap();
        *battle = battle.replacen("date: 1862-10-10", &format!("date: {date}"), 1);
        let told = Acw::from_files(&files, &[]).err().map(|errors| errors.to_string()).unwrap_or_default();
        assert!(told.contains(why), "{date}: {told}");
    }
}

/// A table without rows would be answered by 0.
#[test]
fn a_table_without_rows_is_a_fault() {
    for table in ["communications", "hits"] {
        let mut files = shipped("kellys-mill").unwrap();
        let tables = files.0.get_mut("ruleset.yaml").unwrap();
        let from = tables.find(&format!("\n{table}:")).unwrap() + 1;
        let to = from + tables[from..].find("\n\n").unwrap();
        tables.replace_range(from..to, &format!("{table}: []"));
        let line = tables[..from].lines().count() + 1;
        let told = Acw::from_files(&files, &[]).unwrap_err().to_string();
        assert!(told.contains(&format!("ruleset.yaml:{line}:")), "{told}");
        assert!(told.contains(&format!("`{table}` has no rows: add one")), "{told}");
    }
}

#[test]
fn a_battle_that_is_not_called_as_its_file_is_doubted() {
    let doubts = Acw::examine(&shipped("kellys-mill").unwrap(), "scenarios/mine.yaml").warnings;
    let said: Vec<String> = doubts.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "scenarios/mine.yaml:1:5: the id is `kellys-mill`, but the file is mine.yaml: the commands call it mine"
        ]
    );
}

#[test]
fn turns_are_the_hours_of_the_days_with_their_light_and_weather() {
    let rules = loaded("shiloh", "");
    let battle = rules.battle();
    assert_eq!(battle.last_turn(), 37);
    let said = |turn: u16| {
        let hour = battle.hour(turn);
        (hour.day.as_str(), hour.hour, hour.light, hour.weather, hour.still)
    };
    assert_eq!(said(1), ("6 April 1862", 5, Light::Dawn, Weather::Clear, false));
    assert_eq!(said(14), ("6 April 1862", 18, Light::Dusk, Weather::Clear, false));
    assert_eq!(said(15), ("6 April 1862", 19, Light::Night, Weather::Clear, true));
    assert_eq!(said(20), ("7 April 1862", 0, Light::Night, Weather::Rain, true));
    assert_eq!(said(37), ("7 April 1862", 17, Light::Day, Weather::Clear, false));
}

/// Sinking Creek: a stream south of Haskells Wood, and below the dam a river with its two crossings.
#[test]
fn waters_lie_on_the_bank_that_the_map_says() {
    let rules = loaded("kellys-mill", "");
    let map = &rules.battle().map;
    let hex = |text: &str| text.parse::<Hex>().unwrap();
    let between = |a: &str, b: &str| map.between(hex(a), hex(b));
    let stream = between("0406", "0407");
    assert_eq!((stream.water, stream.crossing, stream.is_open()), (Some(Water::Stream), None, true));
    let bridge = between("0806", "0807");
    assert_eq!(
        (bridge.water, bridge.crossing, bridge.is_open(), bridge.road),
        (Some(Water::River), Some(Crossing::Bridge), true, true)
    );
    assert_eq!(between("0807", "0806"), bridge, "the same seen from both hexes");
    assert!(!between("0906", "0907").is_open());
    assert_eq!(between("1207", "1208").crossing, Some(Crossing::Ford));
    // The path itself is dry, and so is the other bank.
    assert_eq!((between("0706", "0806").water, between("0806", "0805").water), (None, None));
    // Bull Run is never left open between the map's edges.
    let rules = loaded("bull-run", "");
    let map = &rules.battle().map;
    let mut open = vec![hex("2705")];
    let mut seen: BTreeSet<Hex> = open.iter().copied().collect();
    while let Some(at) = open.pop() {
        for (way, next) in map.around(at) {
            if map.side(at, way).water != Some(Water::River) && seen.insert(next) {
                open.push(next);
            }
        }
    }
    assert!(!seen.contains(&hex("1830")), "Manassas Junction lies beyond the river");
}

/// With radio corps headquarters are left out: their divisions and brigades stand under the army (ACW-38).
#[test]
fn corps_have_headquarters_and_seats_as_was_chosen() {
    let rules = loaded("bull-run", "");
    let army = rules.battle().army(Side::B);
    assert_eq!(army.hqs.iter().map(|hq| hq.echelon).collect::<Vec<_>>(), [Echelon::Army, Echelon::Corps]);
    let over = |rules: &Acw, name: &str| {
        let army = rules.battle().army(Side::B);
        let spec = army.brigades.iter().find(|spec| spec.name == name).unwrap();
        (
            army.hqs[spec.over.place()].echelon,
            spec.objective.map(|id| rules.battle().objective(id).name.clone()),
        )
    };
    assert_eq!(over(&rules, "Jackson"), (Echelon::Corps, None));
    let radio = loaded("bull-run", "radio: on");
    assert_eq!(radio.battle().army(Side::B).hqs.len(), 1);
    // The corps' objective is that of its brigades then (ACW-90).
    assert_eq!(over(&radio, "Jackson"), (Echelon::Army, Some("Portici".to_owned())));
    let seats = |rules: &Acw| rules.seat_specs().iter().map(|spec| spec.seat.to_string()).collect::<Vec<_>>();
    assert_eq!(seats(&rules), ["union", "confederate"]);
    assert_eq!(seats(&loaded("bull-run", "command: corps")), ["union", "confederate", "shenandoah"]);
    assert_eq!(seats(&loaded("bull-run", "command: corps, radio: on")), ["union", "confederate"]);
    // A division without a command of its own has its corps' (ACW-90).
    let rules = loaded("shiloh", "");
    let battle = rules.battle();
    let command = |name: &str| battle.army(Side::A).hqs.iter().find(|hq| hq.name == name).unwrap().command;
    assert_eq!(command("Nelson Division"), command("Army of the Ohio"));
    assert!(command("Nelson Division").is_offensive());
}

#[test]
fn the_sample_of_the_guide_is_a_battle_without_a_doubt() {
    let mut files = RuleFiles::of(SHIPPED);
    let map = include_str!("../../docs/acw/samples/maps/hobbs-gap.yaml");
    let text = include_str!("../../docs/acw/samples/scenarios/hobbs-gap.yaml");
    files.0.insert("maps/hobbs-gap.yaml".to_owned(), map.to_owned());
    files.0.insert(BATTLE.to_owned(), text.to_owned());
    let found = Acw::examine(&files, BATTLE);
    assert_eq!((found.errors, found.warnings), (Vec::new(), Vec::new()));
    stands(Acw::from_files(&files, &[]).unwrap().battle(), "the sample");
}
