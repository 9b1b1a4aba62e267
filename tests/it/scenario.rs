//! Scenarios and maps of one's own: every fault told where it stands, and doubts about the balance.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use musterd::desk::Desk;
use musterd::engine::Examination;
use proptest::prelude::*;

pub(crate) const SCENARIO: &str = "scenarios/lodi-1796.yaml";
pub(crate) const MAP: &str = "maps/lombardy.yaml";

/// Where the samples of the guide are.
fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/lga/samples")
}

pub(crate) fn sample(path: &str) -> String {
    fs::read_to_string(samples().join(path)).unwrap()
}

/// The built-in files with the samples laid beside them.
pub(crate) fn desk() -> Desk {
    let mut desk = musterd::rulesets::desk();
    for path in [SCENARIO, MAP, "scenarios/prussia-1809.yaml"] {
        desk.shelve("lga", path, sample(path)).unwrap();
    }
    desk
}

/// What is said of a sample after changes to it.
fn examine(path: &str, text: String) -> Examination {
    let mut desk = desk();
    desk.shelve("lga", path, text).unwrap();
    desk.examine("lga", path).unwrap()
}

fn said(found: &[musterd::engine::files::DataError]) -> Vec<String> {
    found.iter().map(ToString::to_string).collect()
}

/// The text with `to` in the place of `from`, and `line:column` of every `¦` in it; the marks themselves are taken out.
fn changed(path: &str, from: &str, to: &str) -> (String, Vec<String>) {
    let text = sample(path);
    assert!(text.contains(from), "{path} has no {from:?}");
    let marked = text.replacen(from, to, 1);
    let mut places = Vec::new();
    for (number, line) in marked.lines().enumerate() {
        let marks = line.chars().enumerate().filter(|(_, c)| *c == '¦').map(|(column, _)| column);
        places.extend(
            marks.enumerate().map(|(before, column)| format!("{}:{}", number + 1, column + 1 - before)),
        );
    }
    (marked.replace('¦', ""), places)
}

/// What is put in the place of what, with a mark before every fault, and what is said of them in order.
type Case = (&'static str, &'static str, &'static [&'static str]);

fn every_fault_is_told(path: &str, cases: &[Case]) {
    let mut wrong = Vec::new();
    for (from, to, reasons) in cases {
        let (text, places) = changed(path, from, to);
        assert_eq!(places.len(), reasons.len(), "{to:?} has a mark a fault");
        let expected: Vec<String> =
            places.iter().zip(*reasons).map(|(place, reason)| format!("{path}:{place}: {reason}")).collect();
        let examination = examine(path, text);
        assert!(examination.summary.is_empty(), "no balance of what can't be played: {to:?}");
        let said = said(&examination.errors);
        if said != expected {
            wrong.push(format!("{to:?}\n  said     {said:#?}\n  expected {expected:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_fault_of_a_scenario_is_told_where_it_stands() {
    every_fault_is_told(
        SCENARIO,
        &[
            // Keys and types.
            (
                "neutral_open",
                "¦neutral_opn",
                &["a scenario has no key `neutral_opn`; did you mean `neutral_open`?"],
            ),
            (
                "map: lombardy",
                "map: ¦lombady",
                &["there is no map `lombady` (maps/lombady.yaml); did you mean `lombardy`?"],
            ),
            (
                "map: lombardy",
                "map: ¦asia",
                &["there is no map `asia` (maps/asia.yaml); there are europe, lombardy"],
            ),
            (
                "title: \"The Bridge",
                "title: \"¦\u{fffd}The Bridge",
                &["this is no UTF-8: save the file with that encoding"],
            ),
            (
                "id: lodi-1796",
                "id: lodi¦\0-1796",
                &["a control character (\\u{0}) has no place in a text: take it out"],
            ),
            ("id: lodi-1796", "id: ¦Lodi", &["`Lodi` is no id: use a-z, 0-9 and -, as in waterloo-1815"]),
            ("title: \"The Bridge at Lodi\"", "title: ¦[Lodi]", &["the title is a text, not a list"]),
            (
                "neutral_open: true",
                "neutral_open: true\n¦neutral_open: false",
                &["`neutral_open` stands there twice: leave one out"],
            ),
            ("neutral_open: true", "neutral_open: ¦yes", &["`neutral_open` is true or false, not `yes`"]),
            // Dates.
            (
                "end: {season: winter, year: 1796}",
                "end: ¦{season: winter, year: 1795}",
                &["the scenario ends in Winter 1795 but starts in Spring 1796: swap them"],
            ),
            (
                "end: {season: winter, year: 1796}",
                "end: ¦{season: winter, year: 1896}",
                &["the scenario has 404 seasons: it may have 80"],
            ),
            (
                "start: {season: spring, year: 1796}",
                "start: {season: ¦sprin, year: ¦96}",
                &[
                    "`sprin` is no season; did you mean `spring`?",
                    "`96` is no year; write a number from 1700 to 1899",
                ],
            ),
            // Sides and nations.
            ("side: allied", "side: ¦aliled", &["`aliled` is no side; did you mean `allied`?"]),
            ("nation: austria", "nation: ¦austira", &["`austira` is no nation; did you mean `austria`?"]),
            (
                "nation: austria",
                "nation: ¦french",
                &["France fights for the French side already: name it once"],
            ),
            (
                "points: 8",
                "points: ¦-1",
                &["`-1` is no number of military points; write a number from 0 to 999"],
            ),
            (
                "strategic-victory: 8",
                "strategic-victory: ¦6",
                &[
                    "strategic victory asks for 6 points, but tactical victory for 6: each has to ask for more",
                ],
            ),
            (
                "levels: {strategic-defeat: 2, tactical-defeat: 4, tactical-victory: 6",
                "levels: ¦{strategic-defeat: 2, tactical-victory: 6",
                &["`levels` needs a key `tactical-defeat`: add it"],
            ),
            (
                "neutral_open: true",
                "neutral_open: true\nfirst: ¦neutral",
                &["the Neutral side is not in the scenario: name one that is"],
            ),
            (
                "  - side: allied\n    levels",
                "  - side: allied\n    home: [Milan, ¦Milano, ¦Milan]\n    levels",
                &[
                    "the map has no city called Milano; did you mean Milan?",
                    "Milan 0502 is somebody's home already: name it once",
                ],
            ),
            // Units.
            (
                "{name: Serurier, type: infantry",
                "{name: Serurier, type: ¦infantery",
                &["`infantery` is no type; did you mean `infantry`?"],
            ),
            (
                "name: Laharpe",
                "name: ¦massena",
                &["France has a unit called Massena already (line 23): call this one otherwise"],
            ),
            (
                "at: \"0304\"}",
                "at: ¦\"0406\"}",
                &["Serurier stands at 0406, which the Neutral side holds: change the hex or `control`"],
            ),
            (
                "at: \"0304\"}",
                "at: ¦\"0507\"}",
                &["Serurier stands at 0507, which is sea: only British units sail"],
            ),
            (
                "at: \"0304\"}",
                "at: ¦\"0101\"}",
                &["Serurier stands at 0101, which is out of play: change it in `control`"],
            ),
            (
                "at: \"0304\"}",
                "at: ¦\"1104\"}",
                &["Serurier stands at 1104, off the map: its last hex is 1007"],
            ),
            (
                "at: \"0304\"}",
                "at: ¦Turin}",
                &[
                    "`Turin` is not a hex: write four digits, column then row, such as 1204; Turin is \"0204\"",
                ],
            ),
            (
                "at: \"0304\"}",
                "at: \"0304\", morale: ¦4, fatigue: ¦x}",
                &[
                    "`4` is no morale of infantry; write a number from 0 to 3",
                    "`x` is no fatigue; write a number from 0 to 9",
                ],
            ),
            (
                "at: \"0304\"}",
                "at: \"0304\", modifier: ¦1}",
                &["Serurier is no HQ, so it has no modifier: leave it out"],
            ),
            (
                "- {name: Serurier, type: infantry, at: \"0304\"}",
                "- ¦{name: Serurier, type: infantry, at: \"0304\", garrison: true}",
                &["Serurier can't be a garrison at 0304: no city stands there"],
            ),
            (
                "- {name: Kilmaine, type: cavalry, at: \"0305\"}",
                "- ¦{name: Kilmaine, type: cavalry, at: \"0305\", garrison: true}",
                &["Kilmaine is cavalry and can't be a garrison: infantry, guard and militia can"],
            ),
            (
                "- {name: Serurier, type: infantry, at: \"0304\"}\n          - {name: Garrisons",
                "- {name: Serurier, type: infantry, at: \"0204\", garrison: true}\n          - ¦{name: Garrisons",
                &["Garrisons can't be a second garrison of Turin 0204: Serurier is it"],
            ),
            (
                "- {name: BEAULIEU, type: hq, at: \"0503\", modifier: 1}",
                "- ¦{name: BEAULIEU, type: hq, at: \"0503\"}",
                &["BEAULIEU is an HQ and has no modifier: add `modifier: 1`, 2 or 3"],
            ),
            ("modifier: 2}", "modifier: ¦4}", &["`4` is no modifier; write a number from 1 to 3"]),
            (
                "- {name: Vaubois, type: infantry, year: 1796}",
                "- ¦{name: Vaubois, type: infantry}",
                &["a unit of the pool needs a key `year`: add it"],
            ),
            (
                "{name: Melcalm,",
                "{name: ¦\"0504\",",
                &["`0504` can't be told from a number in orders: use letters"],
            ),
            // Recalls.
            (
                "neutral_open: true",
                "neutral_open: true\nrecalls:\n  - {unit: ¦BONAPART, to: ¦Turn, when: {season: summer, year: 1796}}\n  \
                 - {unit: BONAPARTE, to: Turin, when: ¦{season: summer, year: 1799}}",
                &[
                    "the scenario has no unit called BONAPART; did you mean BONAPARTE?",
                    "the map has no city called Turn; did you mean Turin?",
                    "Summer 1799 is not in the scenario, which runs from Spring 1796 to Winter 1796",
                ],
            ),
            // Control.
            (
                "  - \"NNNN~~NNNN\"",
                "  - \"NNNN~¦N¦~¦xNN\"",
                &[
                    "0607 is no land, so nobody holds it: write ~ or #",
                    "0707 is land: write F, A, N, or # for out of play",
                    "`x` at 0807 is no sign: use F French, A Allied, N neutral, # out of play, ~ sea",
                ],
            ),
            (
                "\"FFFAAAANNN\"",
                "\"FFFAAAANN¦\"",
                &["row 2 of `control` has 9 hexes, the others 10: write as many"],
            ),
            (
                "  - \"###AAAANNN\"\n  - \"FFFAAAANNN\"",
                "  ¦- \"FFFAAAANNN\"",
                &["`control` has 6 rows and the map 7: write a row a row"],
            ),
        ],
    );
}

#[test]
fn every_fault_of_a_map_is_told_where_it_stands() {
    every_fault_is_told(
        MAP,
        &[
            ("name: Lombardy", "¦nam: Lombardy", &["a map has no key `nam`; did you mean `name`?"]),
            (
                "\"^^...f....\"",
                "\"^^..¦xf....\"",
                &["`x` at 0502 is no terrain: use . clear, f forest, ^ mountain, % marsh, ~ sea, # closed"],
            ),
            (
                "\"^.........\"",
                "\"^........¦\"",
                &["row 3 of `terrain` has 9 hexes, the others 10: write as many"],
            ),
            (
                "\"PPPPLLLLLV\"",
                "\"PPPPLLLLLQ¦V\"",
                &["row 4 of `regions` has 11 hexes, the others 10: write as many"],
            ),
            (
                "\"PPPPLLLLLV\"",
                "\"PPPPLL¦QL¦sV\"",
                &[
                    "`Q` at 0704 is no country and no sea: add it to one of them",
                    "0904 is land, but `s` is not one of `countries`: change one of them",
                ],
            ),
            (
                "\"GGGGssMMMM\"",
                "\"GGGG¦GsMMMM\"",
                &["0507 is sea, but `G` is not one of `seas`: change one of them"],
            ),
            (
                "  G: Genoa\n",
                "  G: Genoa\n  ¦XX: Nowhere\n",
                &["`XX` is no letter: write one character, not `-`"],
            ),
            ("hex: \"0502\"", "hex: ¦\"0302\"", &["0302 holds Novara already (line 41): a hex has one city"]),
            ("hex: \"0502\"", "hex: ¦\"0508\"", &["0508 is off the map: its last hex is 1007"]),
            (
                "hex: \"0502\"",
                "hex: ¦\"0602\"",
                &["Milan stands at 0602, which is forest: cities stand on clear ground or in mountains"],
            ),
            (
                "name: Milan,",
                "name: ¦\"1796\",",
                &["`1796` can't be told from a number in orders: use letters"],
            ),
            (
                "name: Milan,",
                "name: ¦novara,",
                &["novara has the name of Novara (line 41): orders could not tell them apart"],
            ),
            (
                "name: Milan, rank: major",
                "name: Milan, rank: ¦mayor",
                &["`mayor` is no rank; did you mean `major`?"],
            ),
            (
                "name: Milan, rank: major",
                "name: Milan, rank: major, port: ¦true",
                &["Milan can't be a port: no sea touches 0502"],
            ),
            (
                "name: Milan, rank: major",
                "name: Milan, rank: major, within: ¦Lombardia",
                &["the map has no country called Lombardia; did you mean Lombardy?"],
            ),
            (
                "country: Piedmont",
                "country: ¦Piemont",
                &["the map has no country called Piemont; did you mean Piedmont?"],
            ),
            (
                "[Turin]",
                "[Turin, ¦Milan, ¦Rome]",
                &[
                    "Milan has not the rank of a capital: give it `rank: capital`",
                    "the map has no city called Rome; check its spelling",
                ],
            ),
            (
                "0204-0305",
                "¦0204-0306",
                &["0204 and 0306 are no neighbours: 0204 touches 0203, 0303, 0104, 0304, 0205, 0305"],
            ),
            (
                "0204-0305",
                "¦0204-0008, ¦204-305, ¦1007-1107",
                &[
                    "`0204-0008` is no hex side: write two neighbours such as 1307-1407",
                    "`204-305` is no hex side: write two neighbours such as 1307-1407",
                    "1107 in 1007-1107 is off the map",
                ],
            ),
            ("0204-0305", "0204-0305, ¦0305-0204", &["0305-0204 stands in Po twice: leave one out"]),
            (
                "cities:\n",
                "sea_links:\n  - {name: x, a: \"0507\", b: ¦\"0407\"}\ncities:\n",
                &["Genoa 0407 is no sea: a sea link joins two sea hexes"],
            ),
            (
                "cities:\n",
                "blocked:\n  Alps: [¦0101-0303]\ncities:\n",
                &["0101 and 0303 are no neighbours: 0101 touches 0201, 0102"],
            ),
        ],
    );
}

/// A unit stands where it should once the side or the sign is put right.
#[test]
fn ground_that_nobody_can_hold_is_told_of_and_not_who_stands_there() {
    let (text, _) = changed(SCENARIO, "side: allied", "side: neutral");
    assert_eq!(
        said(&examine(SCENARIO, text).errors),
        [
            "scenarios/lodi-1796.yaml:52:9: 0401 is held by the Allied side, which is not in `sides`: add it, or write N or #"
        ]
    );
    let (text, _) = changed(SCENARIO, "FFFFAAAAAN", "FFXFAAAAAN");
    assert_eq!(
        said(&examine(SCENARIO, text).errors),
        [
            "scenarios/lodi-1796.yaml:55:8: `X` at 0304 is no sign: use F French, A Allied, N neutral, # out of play, ~ sea"
        ]
    );
}

#[test]
fn a_scenario_on_a_broken_map_is_told_of_both_and_of_nothing_that_follows() {
    let mut desk = desk();
    let (map, _) = changed(MAP, "\"^^...f....\"", "\"^^...f...\"");
    desk.shelve("lga", MAP, map).unwrap();
    let (scenario, _) = changed(SCENARIO, "type: cavalry", "type: horse");
    desk.shelve("lga", SCENARIO, scenario).unwrap();
    assert_eq!(
        said(&desk.examine("lga", SCENARIO).unwrap().errors),
        [
            "scenarios/lodi-1796.yaml:28:36: `horse` is no type; write infantry, guard, militia, cavalry, hq",
            "maps/lombardy.yaml:8:15: row 2 of `terrain` has 9 hexes, the others 10: write as many",
        ]
    );
}

#[test]
fn what_can_be_played_but_may_not_be_meant_is_a_warning() {
    let warned = |path: &str, changes: &[(&str, &str)]| {
        let mut text = sample(path);
        for (from, to) in changes {
            assert!(text.contains(from), "{from}");
            text = text.replacen(from, to, 1);
        }
        let examination = examine(path, text);
        assert_eq!(said(&examination.errors), Vec::<String>::new());
        assert_eq!(examination.summary.len(), 1);
        examination.warnings.into_iter().map(|warning| warning.reason).collect::<Vec<_>>()
    };
    let cases: &[(&[(&str, &str)], &str)] = &[
        (
            &[(
                "strategic-defeat: 2, tactical-defeat: 4, tactical-victory: 5, strategic-victory: 6, absolute-victory: 8",
                "strategic-defeat: 1, tactical-defeat: 2, tactical-victory: 3, strategic-victory: 4, absolute-victory: 6",
            )],
            "the Allied side starts with 6 points, an absolute victory: it can only hold or lose",
        ),
        (
            &[(
                "strategic-defeat: 2, tactical-defeat: 4, tactical-victory: 6",
                "strategic-defeat: 5, tactical-defeat: 6, tactical-victory: 7",
            )],
            "the French side starts with 4 points, an absolute defeat: it can only stay or rise",
        ),
        (
            &[("absolute-victory: 9", "absolute-victory: 10")],
            "absolute victory asks the French side for 10 points, but all the cities that it can reach bring 9",
        ),
        (
            &[
                ("\"FFFAAAANNN\"", "\"F#FAAAANNN\""),
                ("\"FFFAAAAANN\"", "\"F##AAAAANN\""),
                ("\"FFFFAAAAAN\"", "\"FFF#AAAAAN\""),
                ("\"FFFFNNNNNN\"", "\"####NFNNNN\""),
                ("\"FFNNNNNNNN\"", "\"FFNNNNNNNN\""),
                ("at: \"0405\"", "at: \"0605\""),
                ("at: \"0405\"", "at: \"0605\""),
                ("at: \"0405\"", "at: \"0605\""),
                ("at: \"0305\"", "at: \"0605\""),
                ("at: \"0305\"", "at: \"0605\""),
            ],
            "Massena at Piacenza 0605 starts out of supply: no line leads to a source of its side",
        ),
        (
            &[(
                "{name: Wurmser 1, type: infantry, year: 1796}",
                "{name: Wurmser 1, type: infantry, year: 1797}",
            )],
            "Wurmser 1 can be built from 1797 on, but the scenario ends in Winter 1796",
        ),
        (
            &[("neutral_open: true", "neutral_open: false")],
            "the French side can't get to Verona 1003, Parma 0705, Genoa 0407",
        ),
        (
            &[(
                "  - side: allied",
                "  - side: neutral\n    levels: {strategic-defeat: 2, tactical-defeat: 4, tactical-victory: 6, strategic-victory: 8, absolute-victory: 9}\n    nations: [{nation: russia, points: 0}]\n  - side: allied",
            )],
            "the Neutral side has no unit: its seat would have nothing to order",
        ),
        (
            &[
                ("{name: Colli, type: infantry,", "{name: Colli, type: infantry, morale: 0,"),
                ("{name: Liptay, type: infantry,", "{name: Liptay, type: infantry, morale: 0,"),
                ("{name: Sebottendorf, type: infantry,", "{name: Sebottendorf, type: infantry, morale: 1,"),
            ],
            "the French side has 16 points of morale on the map against 5 of the Allied side: 3 times as many or more",
        ),
        (
            &[("id: lodi-1796", "id: lodi")],
            "the id is `lodi`, but the file is lodi-1796.yaml: the commands call it lodi-1796",
        ),
    ];
    for (changes, expected) in cases {
        let warnings = warned(SCENARIO, changes);
        assert!(warnings.iter().any(|warning| warning == expected), "{expected}\n{warnings:#?}");
    }
    let unused = examine(MAP, sample(MAP).replace("  G: Genoa\n", "  G: Genoa\n  T: Tuscany\n"));
    assert_eq!(
        said(&unused.warnings),
        ["maps/lombardy.yaml:30:3: no hex of `regions` is `T`: leave the line out, or use it"]
    );
}

#[test]
fn the_shipped_scenarios_have_no_errors_and_only_these_warnings() {
    let desk = musterd::rulesets::desk();
    let mut warned = BTreeMap::new();
    for listing in desk.scenarios() {
        let (ruleset, name) = listing.id.split_once('/').unwrap();
        let examination = desk.examine(ruleset, &format!("scenarios/{name}.yaml")).unwrap();
        assert_eq!(said(&examination.errors), Vec::<String>::new());
        let reasons: Vec<String> = examination.warnings.into_iter().map(|warning| warning.reason).collect();
        if ["acw", "dog"].contains(&ruleset) {
            assert_eq!(reasons, Vec::<String>::new(), "{name}");
            continue;
        }
        if ruleset == "sa" {
            // The Atari edition knows no medium cavalry (SA-6): each army that has some is told of.
            let mounted = match name {
                "cynoscephalae" | "manzikert" | "ormolu" => 2,
                "stamford" => 1,
                _ => 0,
            };
            let told = "medium cavalry (MC) fights as heavy cavalry in the Atari edition (SA-6)";
            assert_eq!(reasons, vec![told; mounted], "{name}");
            continue;
        }
        warned.insert(name.to_owned(), reasons);
    }
    // The starting levels are those of rulings LGA-3 and LGA-4; London and Stockholm are beyond the sea.
    let expected: [(&str, &[&str]); 7] = [
        (
            "austrian-1805",
            &["the Allied side starts with 20 points, an absolute victory: it can only hold or lose"],
        ),
        ("danube-1809", &[]),
        (
            "nations-1814",
            &[
                "the French side can't get to Stockholm 2101",
                "the French side starts with 24 points, an absolute victory: it can only hold or lose",
            ],
        ),
        (
            "prussian-1806",
            &["the Allied side starts with 16 points, an absolute victory: it can only hold or lose"],
        ),
        ("russian-1812", &[]),
        (
            "spanish-1808",
            &[
                "the French side can't get to Portsmouth 1101, London 1201",
                "the Allied side starts with 14 points, an absolute victory: it can only hold or lose",
            ],
        ),
        (
            "waterloo-1815",
            &[
                "the French side can't get to Portsmouth 1101, London 1201",
                "the French side starts with 4 points, an absolute defeat: it can only stay or rise",
                "the Allied side has 97 points of morale on the map against 31 of the French side: 3 times as many or more",
            ],
        ),
    ];
    let expected =
        expected.map(|(name, reasons)| (name.to_owned(), reasons.iter().map(|r| (*r).to_owned()).collect()));
    assert_eq!(warned, BTreeMap::from(expected));
    let map = desk.examine("lga", "maps/europe.yaml").unwrap();
    assert_eq!((map.errors, map.warnings), (Vec::new(), Vec::new()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// Whatever an author does to a file, the answer is a list of faults or a scenario that can be set up and shown.
    #[test]
    fn a_mutilated_file_is_told_of_or_can_be_shown(
        map in any::<bool>(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..12, "[-~#FAN.x0-9\"'{}\\[\\]:, \n&*!|é]{0,4}"), 1..5),
    ) {
        let path = if map { MAP } else { SCENARIO };
        let mut text: Vec<char> = sample(path).chars().collect();
        for (at, length, instead) in cuts {
            let at = at.index(text.len());
            let end = (at + length).min(text.len());
            text.splice(at..end, instead.chars());
        }
        let mut desk = desk();
        desk.shelve("lga", path, text.into_iter().collect()).unwrap();
        let examination = desk.examine("lga", path).unwrap();
        let founding = desk.founding("lodi-1796").unwrap();
        match desk.open(("lga", 1), &founding.files, &[]) {
            Ok(game) => {
                prop_assert!(map || examination.errors.is_empty(), "{:?}", examination.errors);
                prop_assert!(!game.chart(true).sections.is_empty());
            }
            Err(_) => prop_assert!(map || !examination.errors.is_empty()),
        }
    }
}
