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
    for one in musterd_dog::amend::uses() {
        for line in &one.lines {
            let state = if line.ends_with("E3 FREE") && line.starts_with("UNIT") { &captive } else { &fresh };
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
            "UNIT R1 SIZE 4: What changes? Write FIGHTERS, SHOTS, AT, HIDDEN, NAME or FREE.",
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
