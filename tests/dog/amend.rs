//! What the GM may amend: the table of the guide, every form of it tried.

use std::collections::BTreeMap;

use musterd_dog::{Dog, State, shipped};
use musterd_engine::{Fold, Input, Ruleset, Scribe};

use crate::common::Loose;
use crate::common::pages::page;

/// A battle in which every form of the guide makes sense: E3 is mixed, D2 its enemy, and 0506 is water.
const BATTLE: &str = "id: x\ntitle: X\nsituation: X.\nscale: strategic\nfield:\n  rows: [\". . . . . .\", \". . . . . .\", \". . . . . .\", \". . . . . .\", \". . . . . .\", \". . . . ~ .\"]\n\
    armies:\n\
    \x20 - {seat: emperor, letter: E, name: Empire, leadership: 9999, units: [{id: 3, at: \"0101\", mixed: [{type: HI, fighters: 30}, {type: A, fighters: 30}, {type: LI, fighters: 30}]}]}\n\
    \x20 - {seat: king, letter: D, name: Dwarves, leadership: 9999, units: [{id: 2, type: D, fighters: 30, at: \"0102\"}]}\n\
    \x20 - {seat: queen, letter: Q, name: Elves, leadership: 9999, units: [{id: 1, type: EA, fighters: 30, at: \"0601\"}]}\n";

fn step(rules: &Dog, state: &State, orders: &[(&str, &str)]) -> State {
    let reading = |(seat, text): &(&str, &str)| {
        let seat = seat.parse().unwrap();
        let reading = rules.read_orders(&rules.view(state, &seat), text);
        (seat, reading)
    };
    let orders: BTreeMap<_, _> = orders.iter().map(reading).collect();
    let mut dice = Loose::numbered(1);
    let mut scribe = Scribe::new(rules, state.clone(), 1, &mut dice);
    rules.step(&mut scribe, &Input { orders });
    scribe.state().clone()
}

#[test]
fn every_change_of_the_guide_is_taken() {
    let mut files = shipped("training").unwrap();
    files.0.insert("scenario.yaml".to_owned(), BATTLE.to_owned());
    let rules = Dog::from_files(&files, &[]).unwrap_or_else(|errors| panic!("{errors}"));
    let fresh = step(&rules, &rules.found(), &[]);
    let captive = step(&rules, &fresh, &[("emperor", "SURRENDER E3 TO D2")]);
    let few =
        "UNIT E3 FIGHTERS 0 archers; UNIT E3 FIGHTERS 0 light infantry; UNIT E3 FIGHTERS 10; BOAT 0506 YES";
    let boat = amended(&rules, &fresh, few);
    for one in musterd_dog::amend::uses() {
        for line in &one.lines {
            let state = match line.as_ref() {
                "UNIT E3 FREE" => &captive,
                "UNIT E3 ABOARD 0506" => &boat,
                _ => &fresh,
            };
            let events = rules.amend(state, line).unwrap_or_else(|remark| panic!("{line}: {}", remark.text));
            assert!(!events.is_empty(), "{line}");
        }
    }
}

#[test]
fn a_change_that_cannot_be_read_is_pointed_at() {
    let rules = Dog::from_files(&shipped("training").unwrap(), &[]).unwrap();
    let fresh = step(&rules, &rules.found(), &[]);
    for (line, place, text, hint) in [
        ("UNTI R1 FREE", (0, 4), "UNTI R1 FREE: `UNTI` is no change.", "did you mean UNIT?"),
        (
            "REMOVE R1; UNIT B1 SHOTS many",
            (25, 4),
            "UNIT B1 SHOTS many: `many` is no number from 0 to 1000",
            "",
        ),
        (
            "UNIT R1 SIZE 4",
            (8, 4),
            "UNIT R1 SIZE 4: What changes? Write FIGHTERS, SHOTS, AT, ABOARD, HIDDEN, NAME, PRISONER or FREE.",
            "",
        ),
        (
            "REMOVE R1 now",
            (10, 3),
            "REMOVE R1 now: What is `now` here? The change is complete before it.",
            "",
        ),
    ] {
        let remark = rules.amend(&fresh, line).unwrap_err();
        assert_eq!((remark.span, remark.text.as_str()), (Some(place), text));
        assert_eq!(remark.hint.unwrap_or_default(), hint);
    }
}

#[test]
fn units_are_amended_by_their_names_too() {
    let (rules, fresh) = field();
    let named = amended(&rules, &fresh, "UNIT E3 NAME \"Old Guard\"; UNIT Q1 NAME \"Lost Ones\"");
    let after = amended(&rules, &named, "UNIT Old Guard AT 0201; UNIT \"lost ones\" HIDDEN YES");
    let view = rules.view(&after, &"emperor".parse().unwrap());
    assert_eq!(view.own.values().next().unwrap().at, "0201".parse().unwrap());
    assert_eq!(after.hidden(), ["Q1".parse().unwrap()]);
    let twice = amended(&rules, &named, "UNIT D2 NAME \"Old Guard\"");
    for (state, line, fault) in [
        (&twice, "REMOVE Old Guard", "several units are called so: write D2 or E3"),
        (&named, "REMOVE Old Ones", "`Old` is no unit"),
        (&named, "UNIT E3 NAME 7", "`7` can't be told from a number in orders: use words"),
        (&named, "UNIT E3 NAME b7", "`b7` can't be told from a number in orders: use words"),
        (
            &named,
            "ADD E9 10 heavy infantry AT 0301; UNIT E9 NAME \"old guard\"",
            "E3 is called `old guard`: orders could not tell them apart",
        ),
    ] {
        let told = rules.amend(state, line).unwrap_err().text;
        assert!(told.contains(fault), "{line}: {told}");
    }
}

#[test]
fn a_prisoner_is_made_and_a_unit_put_aboard() {
    let (rules, fresh) = field();
    let held = amended(&rules, &fresh, "UNIT E3 PRISONER OF D2");
    let king = rules.view(&held, &"king".parse().unwrap());
    let emperor = rules.view(&held, &"emperor".parse().unwrap());
    assert_eq!(emperor.own.values().next().unwrap().captive, Some("D2".parse().unwrap()));
    assert!(!king.own.values().next().unwrap().guards, "the captor is free to act");
    let freed = amended(&rules, &held, "UNIT E3 FREE");
    assert_eq!(rules.view(&freed, &"king".parse().unwrap()), rules.view(&fresh, &"king".parse().unwrap()));
    for (state, line, fault) in [
        (&held, "UNIT E3 PRISONER OF D2", "E3 is D2's prisoner already: UNIT E3 FREE first"),
        (&fresh, "UNIT E3 PRISONER OF Q1", "E3 is not next to Q1"),
        (&fresh, "UNIT E3 PRISONER OF E3", "E3 is no enemy of E3"),
        (&fresh, "UNIT D2 ABOARD 0506", "no boat lies in 0506: BOAT 0506 YES brings one"),
    ] {
        let told = rules.amend(state, line).unwrap_err().text;
        assert!(told.contains(fault), "{line}: {told}");
    }
    let boats = amended(&rules, &fresh, "BOAT 0506 YES");
    let large = rules.amend(&boats, "UNIT D2 ABOARD 0506").unwrap_err().text;
    assert!(large.contains("a boat carries 20 (DOG-35)"), "{large}");
    let aboard = amended(&rules, &boats, "UNIT D2 FIGHTERS 10; UNIT D2 ABOARD 0506");
    let king = rules.view(&aboard, &"king".parse().unwrap());
    let unit = king.own.values().next().unwrap();
    assert_eq!((unit.aboard, unit.at), (true, "0506".parse().unwrap()));
    let taken = rules.amend(&aboard, "UNIT Q1 ABOARD 0506").unwrap_err().text;
    assert!(taken.contains("somebody is in 0506 already"), "{taken}");
    let ashore = amended(&rules, &aboard, "UNIT D2 AT 0102; BOAT 0506 NO");
    assert!(!rules.view(&ashore, &"king".parse().unwrap()).own.values().next().unwrap().aboard);
}

#[test]
fn a_bridge_over_a_side_is_built_and_goes() {
    let mut files = shipped("training").unwrap();
    let rows = "rows: [\". f .\", \". f .\"]";
    let battle = format!(
        "id: x\ntitle: X\nsituation: X.\nscale: strategic\nfield:\n  {rows}\narmies:\n\
         \x20 - {{seat: emperor, letter: E, name: Empire, leadership: 99, units: [{{id: 1, type: LI, fighters: 60, at: \"0101\"}}]}}\n\
         \x20 - {{seat: king, letter: D, name: Dwarves, leadership: 99, units: [{{id: 2, type: D, fighters: 60, at: \"0302\"}}]}}\n"
    );
    files.0.insert("scenario.yaml".to_owned(), battle);
    let rules = Dog::from_files(&files, &[]).unwrap_or_else(|errors| panic!("{errors}"));
    let fresh = step(&rules, &rules.found(), &[]);
    let emperor = "emperor".parse().unwrap();
    // The receipt of a march says what it costs.
    let told = |state: &State| {
        let (_, recap) = rules.read_back(&rules.view(state, &emperor), "MOVE E1 0201");
        recap.orders[0].effect.clone()
    };
    let bridged = amended(&rules, &fresh, "BRIDGE 0201-0101 YES");
    assert_ne!(told(&bridged), told(&fresh), "it is crossed like a road");
    let pages = |state: &State| page(&rules.brief(&rules.view(state, &emperor), &[]));
    assert!(pages(&bridged).contains("from 0101 to 0201") && !pages(&fresh).contains("from 0101 to 0201"));
    let gone = amended(&rules, &bridged, "BRIDGE 0101-0201 NO");
    assert_eq!(told(&gone), told(&fresh));
    for (state, line, fault) in [
        (&fresh, "BRIDGE 0101-0201 NO", "there is no bridge from 0101 to 0201"),
        (&bridged, "BRIDGE 0101-0201 YES", "there is a bridge from 0101 to 0201 already"),
        (&fresh, "BRIDGE 0101-0301 YES", "0101 and 0301 are not neighbours"),
        (&fresh, "BRIDGE 0101 YES", "0101 is land"),
    ] {
        let told = rules.amend(state, line).unwrap_err().text;
        assert!(told.contains(fault), "{line}: {told}");
    }
}

/// The field of the guide's forms, as the first round begins.
fn field() -> (Dog, State) {
    let mut files = shipped("training").unwrap();
    files.0.insert("scenario.yaml".to_owned(), BATTLE.to_owned());
    let rules = Dog::from_files(&files, &[]).unwrap_or_else(|errors| panic!("{errors}"));
    let fresh = step(&rules, &rules.found(), &[]);
    (rules, fresh)
}

/// Two large units next to each other.
const DUEL: &str = "id: x\ntitle: X\nsituation: X.\nscale: strategic\nfield:\n  rows: [\". .\", \". .\"]\n\
    armies:\n\
    \x20 - {seat: emperor, letter: E, name: Empire, leadership: 9999, units: [{id: 1, type: heavy infantry, fighters: 60, at: \"0101\"}]}\n\
    \x20 - {seat: king, letter: D, name: Dwarves, leadership: 9999, units: [{id: 2, type: dwarves, fighters: 90, at: \"0102\"}]}\n";

fn amended(rules: &Dog, state: &State, text: &str) -> State {
    let mut after = state.clone();
    for event in rules.amend(state, text).unwrap_or_else(|remark| panic!("{text}: {}", remark.text)) {
        rules.apply(&mut after, &event);
    }
    assert_eq!(after.faults(rules), Vec::<String>::new(), "{text}");
    after
}

/// What each army lost and what it took from its enemies, in hit points, as the GM's page says it.
fn ledgers(rules: &Dog, state: &State) -> Vec<(u64, u64)> {
    let page = page(&rules.overview(state).unwrap());
    let words: Vec<&str> = page.split_whitespace().collect();
    let points = words.windows(4).filter(|words| words[1] == "lost," && words[3] == "taken");
    points.map(|words| (words[0].parse().unwrap(), words[2].parse().unwrap())).collect()
}

fn fighters(rules: &Dog, state: &State, seat: &str) -> u16 {
    let view = rules.view(state, &seat.parse().unwrap());
    view.own.values().flat_map(|unit| &unit.sorts).map(|sort| sort.fighters).sum()
}

#[test]
fn whoever_the_gm_puts_back_is_on_no_ledger() {
    let mut files = shipped("training").unwrap();
    files.0.insert("scenario.yaml".to_owned(), DUEL.to_owned());
    let rules = Dog::from_files(&files, &[]).unwrap_or_else(|errors| panic!("{errors}"));
    let fresh = step(&rules, &rules.found(), &[]);
    let fought = step(&rules, &fresh, &[("king", "ATTACK D2 E1")]);
    let (left, before) = (fighters(&rules, &fought, "emperor"), ledgers(&rules, &fought));
    let [(lost, taken), (theirs, ours)] = before[..] else { panic!("two armies") };
    assert!(0 < left && left < 59 && taken > 0, "both lost some: {before:?}");
    assert_eq!((lost, taken), (ours, theirs));

    // One of the fallen stands again, then all: nobody lost them.
    let each = lost / u64::from(60 - left);
    let one = amended(&rules, &fought, &format!("UNIT E1 FIGHTERS {}", left + 1));
    assert_eq!(ledgers(&rules, &one), [(lost - each, taken), (theirs, ours - each)]);
    let all = amended(&rules, &fought, "UNIT E1 FIGHTERS 60; UNIT D2 FIGHTERS 90");
    assert_eq!(ledgers(&rules, &all), [(0, 0), (0, 0)]);
    assert_eq!(all.hit_points(&rules), fresh.hit_points(&rules));
    // More than there ever were are new, and no debt of anybody's.
    let more = amended(&rules, &fought, "UNIT E1 FIGHTERS 120");
    assert_eq!(ledgers(&rules, &more), [(0, taken), (theirs, 0)]);

    // Whom the GM took off himself he puts back without a trace; the dead stay dead.
    let off = amended(&rules, &fought, "UNIT E1 FIGHTERS 5");
    assert_eq!(ledgers(&rules, &off), before);
    for text in [
        format!("UNIT E1 FIGHTERS 5; UNIT E1 FIGHTERS {left}"),
        format!("UNIT E1 FIGHTERS 0; ADD E1 {left} heavy infantry AT 0101"),
        format!("REMOVE E1; ADD E1 {left} heavy infantry AT 0201"),
    ] {
        let back = amended(&rules, &fought, &text);
        assert_eq!((ledgers(&rules, &back), fighters(&rules, &back, "emperor")), (before.clone(), left));
    }
    let whole = amended(&rules, &fought, "REMOVE E1; ADD E1 60 heavy infantry AT 0101");
    assert_eq!(
        ledgers(&rules, &whole),
        [(0, taken), (theirs, 0)],
        "under its own number it is the same unit"
    );
}

/// Ruling DOG-45: out of an enemy's sight the GM puts back one or all, and nothing that the enemy reads is different.
#[test]
fn an_enemy_who_cannot_count_a_unit_is_not_told_how_many_stand_in_it_again() {
    let mut files = shipped("training").unwrap();
    files.0.insert("scenario.yaml".to_owned(), DUEL.replace("\". .\", \". .\"", "\". . . .\", \". . . .\""));
    let rules = Dog::from_files(&files, &[]).unwrap_or_else(|errors| panic!("{errors}"));
    let fresh = step(&rules, &rules.found(), &[]);
    let fought = step(&rules, &fresh, &[("king", "ATTACK D2 E1")]);
    let (left, king) = (fighters(&rules, &fought, "emperor"), "king".parse().unwrap());
    assert!(left < 59, "there are some to put back");
    for away in ["UNIT E1 AT 0401", "UNIT E1 HIDDEN YES"] {
        let apart = amended(&rules, &fought, away);
        let reads = |fighters: u16| {
            let text = format!("UNIT E1 FIGHTERS {fighters}");
            let events = rules.amend(&apart, &text).unwrap();
            let told: Vec<_> = events.iter().map(|event| rules.witness(&apart, event, &king)).collect();
            (rules.view(&amended(&rules, &apart, &text), &king).inflicted, told)
        };
        assert_eq!(reads(left + 1), reads(60), "{away}");
        assert_eq!(reads(60).0, rules.view(&fought, &king).inflicted, "{away}: he counted so many");
    }
}
