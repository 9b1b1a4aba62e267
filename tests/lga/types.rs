//! Types of unit and terrains that an author adds: data of a game, which the rules treat as the arms that they fight as, and the ground that they
//! count as.

use std::collections::BTreeMap;

use musterd_dice::{Block, Seed};
use musterd_engine::briefing::Part;
use musterd_engine::files::RuleFiles;
use musterd_engine::{Awaiting, Fold, Match, Ruleset};
use musterd_lga::model::Arm;
use musterd_lga::{Lga, shipped};
use serde_json::Value;

use crate::common::Loose;

const HQ: &str = "  hq: {cost: 5, moves: 7, morale: 0}\n";
const LINES: &str = "  lancers: {like: cavalry, cost: 8, moves: 8, morale: 4}
  grenadiers: {like: guard, cost: 6, moves: 3, morale: 5}
";

/// The shipped rules with more lines under `units`, and the small scenario of the guide.
fn with_types(lines: &str) -> RuleFiles {
    let sample = |path: &str| {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/lga/samples/");
        std::fs::read_to_string(format!("{root}{path}")).unwrap()
    };
    let mut files = shipped("austrian-1805").unwrap();
    let rules = files.0["ruleset.yaml"].replace(HQ, &format!("{HQ}{lines}"));
    assert!(rules.contains(lines));
    files.0.insert("ruleset.yaml".to_owned(), rules);
    files.0.insert("maps/lombardy.yaml".to_owned(), sample("maps/lombardy.yaml"));
    files.0.insert("scenario.yaml".to_owned(), sample("scenarios/lodi-1796.yaml"));
    files
}

/// Kilmaine leads lancers, and Vaubois's are grenadiers that wait to be built.
fn lodi() -> RuleFiles {
    let mut files = with_types(LINES);
    let scenario = files.0.get_mut("scenario.yaml").unwrap();
    *scenario = scenario
        .replace("name: Kilmaine, type: cavalry", "name: Kilmaine, type: lancers")
        .replace("name: Vaubois, type: infantry", "name: Vaubois, type: grenadiers");
    files
}

/// A game of these files: its events, and what the seats were told, turn by turn until it ends. The computer orders what `orders` doesn't.
fn played(files: &RuleFiles, orders: &str) -> (Vec<Value>, String) {
    let load = || Lga::from_files(files, &[]).unwrap();
    let (rules, mut table) = (load(), Match::new(load()));
    let mut state = rules.found();
    let mut dice = Loose(Seed::unrelated([1; 32]));
    let (mut events, mut told) = (Vec::new(), String::new());
    for t in 1.. {
        let mut blocks = BTreeMap::new();
        match table.awaiting() {
            Awaiting::Over { .. } => break,
            Awaiting::Founding => {}
            Awaiting::Orders { .. } if t == 2 => {
                blocks.insert("french".parse().unwrap(), Block::canonical(orders));
            }
            Awaiting::Orders { .. } => {
                for spec in table.seats() {
                    let orders = table.play(&spec.seat, "planner", 1);
                    blocks.insert(spec.seat.clone(), Block::canonical(&orders));
                }
            }
        }
        let adjudication = table.adjudicate(t, &blocks, &mut dice);
        for event in &adjudication.events {
            rules.apply(&mut state, &serde_json::from_value(event.clone()).unwrap());
            assert_eq!(state.faults(&rules), Vec::<String>::new(), "t={t} after {event}");
        }
        table.adopt(&adjudication.events).unwrap();
        events.extend(adjudication.events);
        for spec in table.seats() {
            told.push_str(&musterd_report::text::sections(&table.brief(&spec.seat)));
            told.push_str(table.published(&spec.seat).get());
        }
    }
    (events, told)
}

#[test]
fn types_of_an_author_march_are_built_and_fight_as_their_arms() {
    let (events, told) = played(&lodi(), "BUILD Vaubois\nMOVE Kilmaine TO 0505\nATTACK 0504 WITH Kilmaine\n");
    let of = |what: &str| events.iter().filter(move |event| event["event"] == what).collect::<Vec<_>>();
    let built = of("built");
    assert_eq!((built[0]["unit"].as_u64(), built[0]["cost"].as_u64()), (Some(8), Some(6)), "{}", built[0]);
    assert_eq!(built[0]["morale"].as_i64(), Some(5), "{}", built[0]);
    let moved: Vec<_> = of("moved").into_iter().filter(|event| event["unit"] == 6).take(2).collect();
    assert_eq!((moved[0]["left"].as_u64(), moved[1]["left"].as_u64()), (Some(7), Some(6)), "{moved:?}");
    let attack = of("attacked")[0];
    let why: Vec<&str> =
        attack["check"]["modifiers"].as_array().unwrap().iter().map(|m| m["why"].as_str().unwrap()).collect();
    assert_eq!((attack["attacker"].as_u64(), why.contains(&"cavalry against lower morale")), (Some(6), true));
    for text in [
        "French lancers",
        "French grenadiers",
        r#""type":"lancers""#,
        r#""type":"grenadiers""#,
        "grenadiers 6 (moves 3, morale 5)",
        "guard 10 (moves 4, morale 4)",
    ] {
        assert!(told.contains(text), "nobody is told `{text}`");
    }
}

#[test]
fn a_headquarters_type_of_an_author_is_no_unit() {
    let mut files = with_types("  marshal: {like: hq, cost: 6, moves: 9, morale: 0}\n");
    let scenario = files.0.get_mut("scenario.yaml").unwrap();
    *scenario = scenario.replace("BONAPARTE, type: hq", "BONAPARTE, type: marshal");
    let (events, told) = played(&files, "MOVE BONAPARTE TO Alessandria\n");
    for text in ["French marshal", "marshal 6 (moves 9, morale 0)", r#""type":"marshal""#] {
        assert!(told.contains(text), "nobody is told `{text}`");
    }
    let musters =
        |unit: u64| events.iter().any(|event| event["event"] == "mustered" && event["unit"] == unit);
    assert_eq!((musters(7), musters(1)), (false, true));
}

/// The order of the lines in a file is the author's.
#[test]
fn the_types_of_the_arms_come_first_whatever_their_order_is() {
    let files = with_types(LINES);
    let rules = files.0["ruleset.yaml"].clone();
    let line = "  infantry: {cost: 9, moves: 5, morale: 3}\n";
    let mut turned = files.clone();
    let text = rules.replace(line, "").replace(LINES, &format!("{LINES}{line}"));
    turned.0.insert("ruleset.yaml".to_owned(), text);
    let types = |files: &RuleFiles| {
        let numbers = Lga::from_files(files, &[]).unwrap().numbers.clone();
        numbers.units.iter().map(|(kind, stats)| (kind.to_string(), kind.arm, stats)).collect::<Vec<_>>()
    };
    assert_eq!(types(&turned), types(&files));
    let names: Vec<String> = types(&files).into_iter().map(|(name, ..)| name).collect();
    assert_eq!(names, ["infantry", "guard", "militia", "cavalry", "HQ", "lancers", "grenadiers"]);
    assert_eq!(types(&files)[5].1, Arm::Cavalry);
}

#[test]
fn mistakes_in_types_are_told_with_their_places() {
    let told = |lines: &str| Lga::from_files(&with_types(lines), &[]).unwrap_err().to_string();
    for (lines, fault) in [
        (
            "  lancers: {like: calvary, cost: 8, moves: 8, morale: 2}\n",
            "ruleset.yaml:10:19: `calvary` is no arm; did you mean `cavalry`?",
        ),
        (
            "  lancers: {cost: 8, moves: 8, morale: 2}\n",
            "ruleset.yaml:10:3: `lancers` is no arm, so `like` has to say which it fights as: infantry, guard, militia, cavalry, hq",
        ),
        (
            "  grenadiers: {like: lancers, cost: 8, moves: 8, morale: 2}\n",
            "ruleset.yaml:10:22: `lancers` is no arm; write infantry, guard, militia, cavalry, hq",
        ),
        (
            "  Lancers: {like: cavalry, cost: 8, moves: 8, morale: 2}\n",
            "ruleset.yaml:10:3: `Lancers` is no word for a type; did you mean `lancers`?",
        ),
        (
            "  cavalry: {like: cavalry, cost: 8, moves: 8, morale: 2}\n",
            "ruleset.yaml:10:3: `cavalry` stands there twice: leave one out",
        ),
    ] {
        assert_eq!(told(lines), fault);
    }
    let mut files = with_types("");
    let text = files.0["ruleset.yaml"].replace("  militia: {cost", "  militia: {like: infantry, cost");
    files.0.insert("ruleset.yaml".to_owned(), text.clone());
    let fault = Lga::from_files(&files, &[]).unwrap_err().to_string();
    assert_eq!(fault, "ruleset.yaml:7:19: `militia` is an arm itself: leave `like` out");
    files.0.insert(
        "ruleset.yaml".to_owned(),
        text.replace("  militia: {like: infantry, cost", "  irregulars: {like: infantry, cost"),
    );
    let fault = Lga::from_files(&files, &[]).unwrap_err().to_string();
    assert_eq!(fault, "ruleset.yaml:5:3: `units` has no line for militia: add one");
    // A type that the scenario names.
    let mut files = lodi();
    let scenario = files.0["scenario.yaml"].replace("type: lancers", "type: lancer");
    files.0.insert(
        "scenario.yaml".to_owned(),
        scenario.replace("name: Melcalm, type: cavalry", "name: Melcalm, type: hussars"),
    );
    let faults = Lga::from_files(&files, &[]).unwrap_err().to_string();
    let expected = [
        "scenario.yaml:28:36: `lancer` is no type; did you mean `lancers`?",
        "scenario.yaml:43:35: `hussars` is no type; write infantry, guard, militia, cavalry, hq, lancers, grenadiers",
    ];
    assert_eq!(faults.lines().collect::<Vec<_>>(), expected);
}

/// Lodi with hills where the French stand, where they march, and where Melcalm's cavalry is.
fn hills(line: &str) -> RuleFiles {
    let mut files = lodi();
    let rules = files.0.get_mut("ruleset.yaml").unwrap();
    *rules = rules.replace("# Points to raise", &format!("terrains:\n  hills: {line}\n\n# Points to raise"));
    let map = files.0.get_mut("maps/lombardy.yaml").unwrap();
    *map = map.replacen("...%.....%", "...%h....%", 1).replacen(".f......%.", ".f.hh...%.", 1);
    files
}

#[test]
fn a_terrain_of_an_author_has_its_own_numbers_and_counts_as_what_it_is_like() {
    let files = hills("{like: forest, sign: h, moves: 3, muster: -2}");
    let (events, told) = played(&files, "MOVE Kilmaine 0405 0505\nATTACK 0504 WITH Kilmaine\n");
    let of = |what: &str, who: &str, unit: u64| {
        let of = move |event: &&Value| event["event"] == what && event[who] == unit;
        events.iter().filter(of).collect::<Vec<_>>()
    };
    let lines = |event: &Value| -> Vec<(String, i64)> {
        let lines = event["check"]["modifiers"].as_array().unwrap().iter();
        lines.map(|line| (line["why"].as_str().unwrap().to_owned(), line["by"].as_i64().unwrap())).collect()
    };
    let moved = of("moved", "unit", 6);
    assert_eq!((moved[0]["left"].as_u64(), moved[1]["left"].as_u64()), (Some(5), Some(2)), "{moved:?}");
    let muster = lines(of("mustered", "unit", 1)[0]);
    assert!(
        muster.contains(&("hills".to_owned(), -2)) && !muster.iter().any(|(why, _)| why == "forest"),
        "{muster:?}"
    );
    let attack = lines(of("attacked", "attacker", 6)[0]);
    assert!(attack.contains(&("cavalry into forest".to_owned(), -1)), "{attack:?}");
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    for text in ["h hills (as forest, 3 to enter)", "h h h"] {
        assert!(told.contains(text), "nobody is told `{text}`");
    }
    let rules = Lga::from_files(&files, &[]).unwrap();
    let chart = rules.chart(true);
    let maps = chart.sections.iter().flat_map(|section| &section.parts).filter_map(|part| match part {
        Part::Map(map) => Some(("", map)),
        _ => None,
    });
    let page = musterd_report::html::drawing(maps);
    assert!(
        page.contains("fill=\"#e0c4b0\"") && page.contains(">hills</text>"),
        "a drawn map tells hills from forest"
    );
    let like = hills("{like: forest, sign: h, moves: 3}");
    let (events, _) = played(&like, "END 1\n");
    let muster = events.iter().find(|event| event["event"] == "mustered" && event["unit"] == 1).unwrap();
    assert!(lines(muster).contains(&("forest".to_owned(), -1)), "{muster}");
}

#[test]
fn mistakes_in_terrains_are_told_with_their_places() {
    let told = |line: &str| Lga::from_files(&hills(line), &[]).unwrap_err().to_string();
    for (line, fault) in [
        (
            "{like: wood, sign: h, moves: 2}",
            "ruleset.yaml:14:17: `wood` is no terrain of the rules; write clear, forest, mountain, marsh",
        ),
        (
            "{like: forest, sign: f, moves: 2}",
            "ruleset.yaml:14:31: `f` can't be the sign of a terrain: write a small letter, but not f or o",
        ),
        (
            "{like: forest, sign: h, moves: 0}",
            "ruleset.yaml:14:41: `0` is no number for `moves`; write a number from 1 to 50",
        ),
        (
            "{like: forest, sign: h, moves: 2}\n  heath: {like: clear, sign: h, moves: 1}",
            "ruleset.yaml:15:30: `h` is the sign of hills already: choose another",
        ),
        (
            "{like: forest, sign: h, moves: 2}\n  marsh: {like: clear, sign: q, moves: 1}",
            "ruleset.yaml:15:3: `marsh` is a terrain of the rules: call this one otherwise",
        ),
        (
            "{like: forest, sign: z, moves: 2}",
            "maps/lombardy.yaml:10:10: `h` at 0504 is no terrain: use . clear, f forest, ^ mountain, % marsh, ~ sea, # closed, z hills",
        ),
    ] {
        assert_eq!(told(line).lines().next().unwrap(), fault);
    }
}
