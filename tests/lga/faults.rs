//! What authors are told of mistakes in their files: in one run all that can be known, and nothing that only follows from another mistake.

use musterd_engine::Ruleset;
use musterd_engine::files::RuleFiles;
use musterd_lga::{Lga, shipped};

use crate::common::marked::{Case, every_fault_is_told};

const SCENARIO: &str = "scenario.yaml";
const MAP: &str = "maps/lombardy.yaml";
const SETTING: &str = "settings/napoleonic.yaml";

/// The small scenario of the guide with its map.
fn files() -> RuleFiles {
    let mut files = shipped("austrian-1805").unwrap();
    for (to, path) in [(SCENARIO, "scenarios/lodi-1796.yaml"), (MAP, MAP)] {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/lga/samples/");
        files.0.insert(to.to_owned(), std::fs::read_to_string(format!("{root}{path}")).unwrap());
    }
    files
}

#[test]
fn a_value_that_can_not_be_read_hides_no_other_fault_of_a_scenario() {
    let cases: &[Case] = &[
        (
            "a hex and a twin",
            &[(
                SCENARIO,
                "{name: Laharpe, type: infantry, at: \"0405\"}",
                "{name: ¦massena, type: infantry, at: ¦[Ulm]}",
            )],
            &[
                "France has a unit called Massena already (line 23): call this one otherwise",
                "the hex is a text, not a list",
            ],
        ),
        (
            "a nation that is none: its units are looked at, but for what it may do",
            &[
                (SCENARIO, "nation: austria", "nation: ¦zanzibar"),
                (SCENARIO, "at: \"0503\"}", "at: \"0507\"}"),
                (SCENARIO, "at: \"0604\"}", "at: ¦\"1204\"}"),
                (SCENARIO, "{name: Melcalm,", "{name: ¦LIPTAY,"),
            ],
            &[
                "`zanzibar` is no nation; there are french, spain, austria, prussia, russia, britain",
                "Liptay stands at 1204, off the map: its last hex is 1007",
                "this nation has a unit called Liptay already (line 41): call this one otherwise",
            ],
        ),
        (
            "a nation that can't be read",
            &[
                (SCENARIO, "nation: austria", "nation: ¦7"),
                (SCENARIO, "type: hq, at: \"0503\", modifier: 1}", "type: hq, at: \"0503\", modifier: ¦9}"),
            ],
            &[
                "`7` is no word for a nation: write 2 to 16 small letters",
                "`9` is no modifier; write a number from 1 to 3",
            ],
        ),
        (
            "a side that can't be read may hold what it holds",
            &[
                (SCENARIO, "side: allied", "side: ¦purple"),
                (
                    SCENARIO,
                    "modifier: 2}",
                    "modifier: 2}\n          - ¦{name: MURAT, type: hq, at: \"0405\"}",
                ),
                (SCENARIO, "name: Liptay,", "name: ¦colli,"),
            ],
            &[
                "MURAT is an HQ and has no modifier: add `modifier: 1`, 2 or 3",
                "`purple` is no side; write french, allied, neutral",
                "Austria has a unit called Colli already (line 41): call this one otherwise",
            ],
        ),
        (
            "levels are compared as far as they are known",
            &[(
                SCENARIO,
                "tactical-defeat: 4, tactical-victory: 6, strategic-victory: 8, absolute-victory: 9",
                "tactical-defeat: ¦x, tactical-victory: 6, strategic-victory: ¦5, absolute-victory: 9",
            )],
            &[
                "`x` is no tactical-defeat; write a number from 0 to 999",
                "strategic victory asks for 5 points, but tactical victory for 6: each has to ask for more",
            ],
        ),
        (
            "without a map it is looked at by itself",
            &[
                (SCENARIO, "map: lombardy", "map: ¦asia"),
                (SCENARIO, "{name: Laharpe,", "{name: ¦Massena,"),
                (SCENARIO, "end: {season: winter, year: 1796}", "end: ¦{season: winter, year: 1795}"),
            ],
            &[
                "there is no map `asia` (maps/asia.yaml); there are europe, lombardy",
                "the scenario ends in Winter 1795 but starts in Spring 1796: swap them",
                "this nation has a unit called Massena already (line 23): call this one otherwise",
            ],
        ),
        (
            "a date that can't be read is compared with no other",
            &[
                (SCENARIO, "start: {season: spring, year: 1796}", "start: {season: spring, year: ¦MDCC}"),
                (
                    SCENARIO,
                    "neutral_open: true",
                    "neutral_open: true\nrecalls:\n  - {unit: BONAPARTE, to: ¦Turn, when: {season: summer, year: 1799}}",
                ),
            ],
            &[
                "`MDCC` is no year; write a number from 1700 to 1899",
                "the map has no city called Turn; did you mean Turin?",
            ],
        ),
        (
            "where a name is not known nobody is said to be missing",
            &[
                (SCENARIO, "{name: Laharpe,", "{name: ¦[],"),
                (
                    SCENARIO,
                    "neutral_open: true",
                    "neutral_open: true\nrecalls:\n  - {unit: Laharpe, to: Turin, when: ¦{season: summer, year: 1799}}",
                ),
            ],
            &[
                "Summer 1799 is not in the scenario, which runs from Spring 1796 to Winter 1796",
                "a unit's name is a text, not a list",
            ],
        ),
        (
            "a list that is none",
            &[
                (
                    SCENARIO,
                    "        pool:\n          - {name: Wurmser 1",
                    "        pool: ¦none\n        ¦pole:\n          - {name: Wurmser 1",
                ),
                (SCENARIO, "{name: Laharpe,", "{name: ¦Massena,"),
            ],
            &[
                "France has a unit called Massena already (line 23): call this one otherwise",
                "`pool` is a list, not `none`: begin each entry with `- `",
                "a nation has no key `pole`; the keys are nation, points, units, pool",
            ],
        ),
        (
            "a nation twice: its units are looked at",
            &[
                (SCENARIO, "nation: austria", "nation: ¦french"),
                (SCENARIO, "{name: Melcalm,", "{name: ¦LIPTAY,"),
            ],
            &[
                "France fights for the French side already: name it once",
                "France has a unit called Liptay already (line 41): call this one otherwise",
            ],
        ),
        (
            "a row of control that is no text",
            &[
                (SCENARIO, "  - \"FFFAAAANNN\"", "  - ¦[F]"),
                (SCENARIO, "  - \"NNNN~~NNNN\"", "  - \"NNNN~~NN¦xN\""),
            ],
            &[
                "`control` is a text, not a list",
                "`x` at 0907 is no sign: use F French, A Allied, N neutral, # out of play, ~ sea",
            ],
        ),
    ];
    every_fault_is_told(&files(), |files| Lga::examine(files, SCENARIO), cases);
}

#[test]
fn scenario_map_and_setting_are_told_of_together() {
    let cases: &[Case] = &[
        (
            "a fault in each",
            &[
                (
                    SETTING,
                    "  austria: {name: Austria, adjective: Austrian, letter: A",
                    "  ¦austria: {name: Austria, adjective: Austrian, letter: 1",
                ),
                (MAP, "\"^^...f....\"", "\"^^..¦xf....\""),
                (MAP, "name: Pavia,", "name: ¦Milan,"),
                (SCENARIO, "at: \"0304\"}", "at: ¦\"0507\"}"),
            ],
            &[
                "`x` at 0502 is no terrain: use . clear, f forest, ^ mountain, % marsh, ~ sea, # closed",
                "Milan has the name of Milan (line 42): orders could not tell them apart",
                "Serurier stands at 0507, which is sea: only British units sail",
                "`1` is no letter of Austria: write one from A to Z",
            ],
        ),
        (
            "an unknown ground is no ground to stand on wrongly, and all other is",
            &[
                (MAP, "\"^^^.~~^^^^\"", "\"^^^.¦?~^^^^\""),
                (SCENARIO, "at: \"0304\"}", "at: \"0507\"}"),
                (SCENARIO, "at: \"0305\"}", "at: ¦\"0607\"}"),
            ],
            &[
                "`?` at 0507 is no terrain: use . clear, f forest, ^ mountain, % marsh, ~ sea, # closed",
                "Augereau stands at 0607, which is sea: only British units sail",
            ],
        ),
        (
            "a map without its ground: nothing is off it, and names are compared",
            &[
                (MAP, "terrain:", "¦ground:"),
                (MAP, "name: Lombardy", "¦name: Lombardy"),
                (MAP, "name: Pavia,", "name: ¦Milan,"),
                (SCENARIO, "at: \"0304\"}", "at: \"9999\"}"),
            ],
            &[
                "a map needs a key `terrain`: add it",
                "a map has no key `ground`; the keys are name, setting, terrain, regions, countries, seas, sea_links, cities, rivers, blocked, homes",
                "Milan has the name of Milan (line 42): orders could not tell them apart",
            ],
        ),
        (
            "a city whose hex is wrong is a city all the same",
            &[
                (MAP, "hex: \"0204\"", "hex: ¦\"2204\""),
                (MAP, "hex: \"0704\", name: Cremona,", "hex: \"0704\", name: ¦turin,"),
                (SCENARIO, "side: french", "side: french\n    home: [Turin, ¦Mantova]"),
            ],
            &[
                "2204 is off the map: its last hex is 1007",
                "turin has the name of Turin (line 47): orders could not tell them apart",
                "the map has no city called Mantova; did you mean Mantua?",
            ],
        ),
        (
            "a letter that can't be read may be the one of a region",
            &[
                (MAP, "  P: Piedmont", "  ¦PP: Piedmont"),
                (MAP, "  s: {name: Ligurian Sea}", "  s: {name: ¦[]}"),
            ],
            &["`PP` is no letter: write one character, not `-`", "a sea's name is a text, not a list"],
        ),
        (
            "a capital that is none leaves nobody without supply besides",
            &[(MAP, "capitals: [Turin]", "capitals: [¦Rome]")],
            &["the map has no city called Rome; check its spelling"],
        ),
        (
            "a missing setting",
            &[
                (MAP, "name: Lombardy", "setting: ¦napoleonik\nname: Lombardy"),
                (MAP, "name: Cremona,", "name: ¦Turin,"),
                (SCENARIO, "{name: Laharpe,", "{name: ¦Massena,"),
            ],
            &[
                "there is no setting `napoleonik`; did you mean `napoleonic`?",
                "Turin has the name of Turin (line 48): orders could not tell them apart",
                "this nation has a unit called Massena already (line 23): call this one otherwise",
            ],
        ),
    ];
    every_fault_is_told(&files(), |files| Lga::examine(files, SCENARIO), cases);
}

#[test]
fn a_value_that_can_not_be_read_hides_no_other_fault_of_a_setting() {
    let austria = "austria: {name: Austria, adjective: Austrian, letter: A,";
    assert!(files().0[SETTING].contains(austria));
    let cases: &[Case] = &[
        (
            "shape, twins and zones in one run",
            &[
                (SETTING, "    supplies: false", "    supplies: ¦no"),
                (
                    SETTING,
                    "  austria: {name: Austria, adjective: Austrian, letter: A,",
                    "  ¦austria: {name: ¦[], adjective: Austrian, letter: S,",
                ),
                (
                    SETTING,
                    "{nations: [french], closed: [Russian Hinterland],",
                    "{nations: [¦frensh], closed: ¦Russian Hinterland,",
                ),
                (
                    SETTING,
                    "- {nations: [spain], types: [militia], confined: [Spain, Portugal],",
                    "- ¦{nations: [spain], types: [militia],",
                ),
            ],
            &[
                "`supplies` is true or false, not `no`",
                "austria can't have this letter: Spain has it already",
                "its name is a text, not a list",
                "`frensh` is no nation; did you mean `french`?",
                "`closed` is a list, not `Russian Hinterland`: begin each entry with `- `",
                "a zone has either `closed` or `confined`: write one of them",
            ],
        ),
        (
            "a nation with a capital letter is the one that is meant",
            &[(SETTING, "  spain:", "  ¦Spain:")],
            &["`Spain` is no word for a nation; did you mean `spain`?"],
        ),
        (
            "a nation whose word can't be read may be the one that is meant",
            &[
                (SETTING, "  spain:", "  ¦spain1:"),
                (SETTING, "letter: P,", "letter: ¦[],"),
                (
                    SETTING,
                    "  russia:\n    name: Russia\n    adjective: Russian\n    letter: R",
                    "  ¦russia:\n    name: Russia\n    adjective: Russian\n    letter: F",
                ),
            ],
            &[
                "`spain1` is no word for a nation: write 2 to 16 small letters",
                "`letter` is a text, not a list",
                "Russia can't have this letter: France has it already",
            ],
        ),
    ];
    every_fault_is_told(&files(), |files| Lga::examine(files, SETTING), cases);
}

const RULES: &str = "ruleset.yaml";
const HQ: &str = "  hq: {cost: 5, moves: 7, morale: 0}\n";

#[test]
fn every_missing_line_of_the_numbers_is_told() {
    let cases: &[Case] = &[
        (
            "a type and a number",
            &[
                (RULES, "  militia:", "  ¦milita:"),
                (RULES, "unspent_for_one_point: 4", "unspent_for_one_point: ¦0"),
            ],
            &[
                "`milita` is no arm, so `like` has to say which it fights as: infantry, guard, militia, cavalry, hq; did you mean `militia`?",
                "`0` is no number for `unspent_for_one_point`; write a number from 1 to 50",
            ],
        ),
        (
            "two types that are left out",
            &[
                (RULES, "  infantry: {cost: 9, moves: 5, morale: 3}\n", ""),
                (RULES, "  guard:", "  ¦¦guard:"),
                (RULES, HQ, ""),
            ],
            &["`units` has no line for infantry: add one", "`units` has no line for HQ: add one"],
        ),
        (
            "types and terrains of an author's own",
            &[
                (
                    RULES,
                    HQ,
                    "  hq: {cost: 5, moves: 7, morale: 0, like: ¦guard}\n  ¦Lancers: {like: cavalry, cost: ¦ten, moves: 8, morale: 4}\n",
                ),
                (
                    RULES,
                    "# Points to raise",
                    "terrains:\n  hills: {like: ¦wood, sign: ¦H, moves: 2}\n  ¦marsh: {like: marsh, sign: b, moves: ¦0}\n  \
                     ¦Heath: {like: clear, sign: ¦b, moves: 1}\n\n# Points to raise",
                ),
            ],
            &[
                "`hq` is an arm itself: leave `like` out",
                "`Lancers` is no word for a type; did you mean `lancers`?",
                "`ten` is no number for `cost`; write a number from 0 to 50",
                "`wood` is no terrain of the rules; write clear, forest, mountain, marsh",
                "`H` can't be the sign of a terrain: write a small letter, but not f or o",
                "`marsh` is a terrain of the rules: call this one otherwise",
                "`0` is no number for `moves`; write a number from 1 to 50",
                "`Heath` is no word for a terrain; did you mean `heath`?",
                "`b` is the sign of marsh already: choose another",
            ],
        ),
    ];
    every_fault_is_told(&files(), |files| Lga::examine(files, RULES), cases);
}

#[test]
fn types_and_terrains_of_an_authors_own_are_known_though_the_numbers_have_faults() {
    let own = |line: &str| {
        let mut files = files();
        let rules = files.0.get_mut(RULES).unwrap();
        *rules = rules.replace(HQ, &format!("{HQ}  {line}\n")).replace(
            "# Points to raise",
            "terrains:\n  hills: {like: forest, sign: h, moves: 2}\n\n# Points to raise",
        );
        let scenario = files.0.get_mut(SCENARIO).unwrap();
        *scenario =
            scenario.replace("name: Kilmaine, type: cavalry", "name: Kilmaine, type: lancers, morale: 4");
        let map = files.0.get_mut(MAP).unwrap();
        *map = map.replacen("...%.....%", "...%h....%", 1);
        files
    };
    let examine = |files: &_| {
        let mut found = Lga::examine(files, "scenarios/lodi-1796.yaml");
        let of_scenario = found.errors.iter_mut().filter(|fault| fault.file.starts_with("scenarios/"));
        of_scenario.for_each(|fault| fault.file = SCENARIO.to_owned());
        found
    };
    let elsewhere: &[Case] = &[(
        "a fault elsewhere in the numbers",
        &[
            (RULES, "unspent_for_one_point: 4", "unspent_for_one_point: ¦0"),
            (SCENARIO, "name: Melcalm, type: cavalry", "name: Melcalm, type: ¦lancer"),
            (MAP, ".f......%.", ".f.¦j....%."),
        ],
        &[
            "`j` at 0405 is no terrain: use . clear, f forest, ^ mountain, % marsh, ~ sea, # closed, h hills",
            "`0` is no number for `unspent_for_one_point`; write a number from 1 to 50",
            "`lancer` is no type; did you mean `lancers`?",
        ],
    )];
    every_fault_is_told(&own("lancers: {like: cavalry, cost: 8, moves: 8, morale: 4}"), examine, elsewhere);
    let columns: &[Case] = &[(
        "wrong columns of tables",
        &[
            (RULES, "results: [A3, A2", "results: [¦B3, A2"),
            (RULES, "  loss: [2, 2, 1, 1, 0, 0]", "  loss: ¦[2, 2, 1, 1, 0]"),
            (SCENARIO, "name: Melcalm, type: cavalry", "name: Melcalm, type: ¦lancer"),
            (MAP, ".f......%.", ".f.¦j....%."),
        ],
        &[
            "`j` at 0405 is no terrain: use . clear, f forest, ^ mountain, % marsh, ~ sea, # closed, h hills",
            "`loss` has 5 entries: write 6",
            "`B3` is no combat result: write A, D or S and how much morale is lost, such as D2",
            "`lancer` is no type; did you mean `lancers`?",
        ],
    )];
    every_fault_is_told(&own("lancers: {like: cavalry, cost: 8, moves: 8, morale: 4}"), examine, columns);
    let among_them: &[Case] = &[(
        "a fault of the type, and one of the terrain",
        &[(RULES, "lancers: {like: ", "lancers: {like: ¦"), (RULES, "sign: h", "sign: ¦H")],
        &[
            "`calvary` is no arm; did you mean `cavalry`?",
            "`H` can't be the sign of a terrain: write a small letter, but not f or o",
        ],
    )];
    every_fault_is_told(&own("lancers: {like: calvary, cost: 8, moves: 8, morale: 4}"), examine, among_them);
}
