//! What players read, as they read it: golden pages from fixed positions, and what holds of every page.

use std::collections::{BTreeMap, BTreeSet};

use musterd::dice::{Block, Seat, Seed, Stream};
use musterd::engine::{Awaiting, Match, Ruleset};
use musterd::hex::Hex;
use musterd::rules::lga::brief::brief;
use musterd::rules::lga::model::{Date, Nation, Season, Side, UnitId};
use musterd::rules::lga::order::{Reaction, Standing, Trigger};
use musterd::rules::lga::sight::{Check, CombatResult, FogLoss, Modifier, Named, Sight};
use musterd::rules::lga::view::{PointCount, View};
use musterd::rules::lga::{Lga, shipped};

use crate::common::Loose;
use crate::common::pages::{assert_fits, golden, page};
use crate::lga_wild::wild_orders;

fn hex(text: &str) -> Hex {
    text.parse().unwrap()
}

pub(crate) fn lga(scenario: &str) -> Lga {
    Lga::from_files(&shipped(scenario).unwrap(), &[]).unwrap()
}

/// The position at the start of a scenario as one side sees it.
pub(crate) fn opening(rules: &Lga, side: Side) -> View {
    rules.view(&rules.found(), &side.to_string().to_lowercase().parse().unwrap())
}

fn named(rules: &Lga, name: &str) -> Named {
    let unit = rules.scenario.units.iter().find(|unit| unit.name == name).unwrap();
    Named { id: unit.id, name: unit.name.clone(), nation: unit.nation, kind: unit.kind }
}

fn check(die: u32, modifiers: &[(&str, i8)], ends: (i32, i32)) -> Check {
    let total = modifiers.iter().map(|(_, by)| i32::from(*by)).sum::<i32>() + i32::try_from(die).unwrap();
    let modifiers = modifiers.iter().map(|(why, by)| Modifier { why: (*why).to_owned(), by: *by }).collect();
    Check { die, modifiers, total, used: total.clamp(ends.0, ends.1) }
}

const COMBAT: (i32, i32) = (1, 7);
const TABLE: (i32, i32) = (1, 6);

fn moves(rules: &Lga, name: &str, path: &[&str], taken: &[&str]) -> Vec<Sight> {
    let unit = named(rules, name);
    let own = Some(unit.nation) == Nation::of("french");
    path.windows(2)
        .map(|step| Sight::Moved {
            unit: unit.clone(),
            own,
            from: hex(step[0]),
            to: hex(step[1]),
            captured: taken.contains(&step[1]),
        })
        .collect()
}

/// A French turn and the Allied muster after it, as the French saw them.
fn a_campaign_season(rules: &Lga) -> Vec<Sight> {
    let ulm = hex("1507");
    let mut sights = vec![Sight::Rallied { unit: named(rules, "VI Ney"), morale: 3, cost: 2 }];
    sights.extend(moves(rules, "III Davout", &["1203", "1303", "1304", "1405", "1406"], &["1406"]));
    sights.push(Sight::LongMarch {
        unit: named(rules, "III Davout"),
        at: hex("1406"),
        check: check(3, &[], TABLE),
        gained: 1,
    });
    sights.extend(moves(rules, "1 Cav", &["1203", "1303", "1304", "1405", "1406"], &[]));
    sights.push(Sight::Fogged { unit: named(rules, "1 Cav"), at: hex("1406"), die: 4, loss: FogLoss::One });
    let attack = |die, morale, loss: (i8, i8), destroyed| Sight::Attacked {
        attacker: named(rules, "III Davout"),
        from: hex("1406"),
        defender: named(rules, "Mack Cav"),
        at: ulm,
        garrison: false,
        check: check(
            die,
            &[("morale", 3), ("enemy morale", morale), ("across a river", -1), ("HQ", 2)],
            COMBAT,
        ),
        result: CombatResult {
            attacker_loss: loss.0,
            defender_loss: loss.1,
            attacker_destroyed: false,
            defender_destroyed: destroyed,
        },
    };
    sights.extend([attack(2, -2, (1, 1), false), attack(6, -1, (0, 3), true)]);
    sights.push(Sight::Withdrew {
        unit: named(rules, "Mack 1"),
        own: false,
        from: ulm,
        to: hex("1508"),
        check: None,
        loss: 1,
        destroyed: false,
        because: String::new(),
    });
    sights.push(Sight::NotDone {
        line: 7,
        order: "MOVE 12 TO Vienna".to_owned(),
        reason: "2 Cav has no moves left after the fog of war.".to_owned(),
    });
    sights.push(Sight::TurnBegan { date: rules.scenario.start, side: Side::Allied });
    sights.push(Sight::Counted {
        side: Side::Allied,
        points: 18,
        level: musterd::rules::lga::model::Level::AbsoluteVictory,
    });
    sights
}

#[test]
fn the_french_opening_of_1805() {
    let rules = lga("austrian-1805");
    let view = opening(&rules, Side::French);
    let mut sights = vec![Sight::TurnBegan { date: view.date, side: Side::French }];
    for (die, unit) in [(4, "III Davout"), (1, "I Bernadotte"), (3, "Italy A")] {
        let unit = named(&rules, unit);
        let own = &view.own[&unit.id];
        let check = check(die, &[("morale", own.morale), ("city", 2)], TABLE);
        let loss = i8::from(die == 1);
        sights.push(Sight::Mustered { unit, at: own.hex, check, loss, morale: 3 - loss, destroyed: false });
    }
    let page = page(&brief(&rules, &view, &sights));
    assert_fits(&page);
    golden("french-opening-1805", &page);
}

#[test]
fn a_season_told_to_the_french() {
    let rules = lga("austrian-1805");
    let mut view = opening(&rules, Side::French);
    view.phasing = Some(Side::Allied);
    let davout = named(&rules, "III Davout").id;
    let unit = view.own.get_mut(&davout).unwrap();
    (unit.hex, unit.morale, unit.fatigue) = (hex("1406"), 2, 3);
    view.stacks.get_mut(&hex("1203")).unwrap().retain(|id| *id != davout);
    view.stacks.insert(hex("1406"), vec![davout]);
    view.control.insert(hex("1406"), Side::French);
    view.supplied.remove(&hex("1309"));
    for unit in view.own.values_mut() {
        unit.served = view.supplied.contains(&unit.hex);
    }
    view.standing = vec![Standing {
        line: "REINFORCE 4 TO 1406 WHEN 1406 ATTACKED".to_owned(),
        reaction: Reaction::Reinforce { unit: UnitId(4), to: hex("1406") },
        when: Trigger::HexAttacked { hex: hex("1406") },
    }];
    let page = page(&brief(&rules, &view, &a_campaign_season(&rules)));
    assert_fits(&page);
    golden("french-season-1805", &page);
}

#[test]
fn the_end_of_a_campaign() {
    let rules = lga("austrian-1805");
    let mut view = opening(&rules, Side::Allied);
    (view.phasing, view.date, view.turn) = (None, rules.scenario.end, view.turns);
    let mut date = rules.scenario.start;
    for turn in 0..5 {
        view.history.push(PointCount { date, side: Side::French, points: 16 + turn });
        view.history.push(PointCount { date, side: Side::Allied, points: 20 - 2 * turn });
        date = date.next();
    }
    let page = page(&brief(&rules, &view, &[]));
    assert_fits(&page);
    golden("allied-end-1806", &page);
}

#[test]
fn forces_far_apart_get_a_map_each() {
    let rules = lga("waterloo-1815");
    let view = opening(&rules, Side::Allied);
    let page = page(&brief(&rules, &view, &[]));
    assert_fits(&page);
    golden("allied-opening-1815", &page);
}

#[test]
fn a_first_season_has_no_record_and_no_cut_off_forces() {
    let rules = lga("austrian-1805");
    let view = opening(&rules, Side::French);
    assert_eq!(view.date, Date { year: 1805, season: Season::Summer });
    let briefing = brief(&rules, &view, &[]);
    let titles: BTreeSet<&str> = briefing.sections.iter().map(|s| s.title.as_str()).collect();
    assert!(!titles.contains("The record") && !titles.contains("Supply"), "{titles:?}");
}

#[test]
fn a_side_without_units_is_not_told_that_they_are_in_supply() {
    let rules = lga("waterloo-1815");
    let mut view = opening(&rules, Side::French);
    let text = |view: &View| page(&brief(&rules, view, &[]));
    view.supplied.remove(&hex("1405"));
    view.supplied.remove(&hex("1007"));
    assert!(text(&view).contains("All your units stand in supply. "), "{}", text(&view));
    (view.own, view.stacks) = Default::default();
    assert!(text(&view).contains("Yours but cut off: "));
    assert!(!text(&view).contains("All your units"), "{}", text(&view));
}

#[test]
fn the_entries_of_a_legend_below_a_map_are_not_parted() {
    let rules = lga("waterloo-1815");
    let page = page(&brief(&rules, &opening(&rules, Side::French), &[]));
    assert!(page.contains("   . f clear, forest\n^ % ~ mountains, marsh, sea   :. held by"), "{page}");
}

/// A campaign with senseless orders, read by every seat after every step: whatever happens can be told within the page.
#[test]
fn every_report_of_a_wild_campaign_fits() {
    for (scenario, kept) in [("austrian-1805", Some(3)), ("spanish-1808", None), ("waterloo-1815", None)] {
        let rules = lga(scenario);
        let mut table = Match::new(lga(scenario));
        let mut dice = Loose(Seed::unrelated([7; 32]));
        let mut chance = Stream::new(&Seed::unrelated([7; 32]), &"wild".parse().unwrap());
        for t in 1..60 {
            let blocks: BTreeMap<Seat, Block> = match table.awaiting() {
                Awaiting::Over { .. } => break,
                Awaiting::Founding => BTreeMap::new(),
                Awaiting::Orders { .. } => {
                    let mut order = |seat: &Seat| wild_orders(&rules, &table.view(seat), &mut chance);
                    let seats = table.seats().iter().map(|spec| spec.seat.clone());
                    seats.map(|seat| (seat.clone(), Block::canonical(&order(&seat)))).collect()
                }
            };
            let adjudication = table.adjudicate(t, &blocks, &mut dice);
            table.adopt(&adjudication.events).unwrap();
            for spec in table.seats() {
                let page = page(&table.brief(&spec.seat));
                assert_fits(&page);
                if kept == Some(t) && spec.side == "Allied" {
                    golden("allied-wild-1805", &page);
                }
            }
        }
    }
}
