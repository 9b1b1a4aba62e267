//! `REACH`: how far units get in a block, by what their commander sees.

use std::collections::{BTreeMap, BTreeSet};

use musterd_engine::Ruleset;
use musterd_engine::briefing::{Briefing, Part, Row};
use musterd_engine::hex::Hex;
use musterd_report::text::sections as page;
use musterd_sa::model::{Side, UnitId};

use crate::common::pages::golden;
use crate::common::reach::{Named, holds, refuses};
use crate::orders::{battle, view_after};

#[test]
fn every_goal_is_one_that_orders_take() {
    for name in ["mill", "ormolu", "issus"] {
        let rules = battle(name);
        for (side, steps) in [(Side::A, 1), (Side::A, 3), (Side::B, 4)] {
            let view = view_after(&rules, side, steps);
            if view.orders_now() {
                let ordered = holds(&rules, &view, 8, Named::by_hex);
                assert!(ordered > 5, "{name} {side:?} {steps}: {ordered}");
            }
        }
    }
}

#[test]
fn a_unit_is_told_when_it_gets_where() {
    let rules = battle("mill");
    let view = view_after(&rules, Side::A, 3);
    let answer = rules.reach(&view, "1").unwrap();
    golden("reach-sa", &format!("{}\n\n{}", answer.title, page(&answer)));
}

#[test]
fn the_answer_agrees_with_the_receipt_of_each_march() {
    let rules = battle("mill");
    let view = view_after(&rules, Side::A, 3);
    let scouts = rules.battle().units.iter().position(|spec| spec.id == UnitId::new(Side::A, 6)).unwrap();
    let told = times(&rules.reach(&view, "6").unwrap());
    assert!(told.values().collect::<BTreeSet<_>>().len() > 2, "{told:?}");
    let at = view.position.units[scouts].at.unwrap();
    let free = |hex: &Hex| view.position.units.iter().all(|unit| unit.at != Some(*hex));
    for hex in rules.battle().field.hexes().filter(|hex| *hex != at && free(hex)) {
        let (_, recap) = rules.read_back(&view, &format!("MOVE A6 TO {hex}"));
        let arrival = recap.ahead.iter().find_map(|line| arrival(line)).filter(|(_, at)| *at == hex);
        assert_eq!(told.get(&hex), arrival.map(|(time, _)| time).as_ref(), "{hex}: {:?}", recap.ahead);
    }
}

/// The last step that a receipt tells of the scouts: `Northwold Scouts (A6): at 4, 8, 12 moves to 0608, 0707, 0807.`
fn arrival(line: &str) -> Option<(String, Hex)> {
    let (times, ways) = line.split_once("(A6): ")?.1.rsplit_once(" moves to ")?;
    let time = times.rsplit(' ').next()?.to_owned();
    let hexes = ways.split([',', '.', ';', ' ']).filter(|word| !word.is_empty());
    Some((time, hexes.map_while(|word| word.parse().ok()).last()?))
}

/// The time-point of each goal.
fn times(answer: &Briefing) -> BTreeMap<Hex, String> {
    let tables = answer.sections.iter().flat_map(|section| &section.parts);
    let rows = tables.filter_map(|part| if let Part::Table(table) = part { Some(&table.rows) } else { None });
    let rows = rows.flatten().filter_map(|row| if let Row::Cells(cells) = row { Some(cells) } else { None });
    let times = rows.flat_map(|cells| cells[1].split(", ").map(|place| (place, cells[0].clone())));
    times.map(|(place, time)| (place.rsplit(' ').next().unwrap().parse().unwrap(), time)).collect()
}

#[test]
fn who_does_not_make_the_initial_move_is_not_answered_that_nothing_is_reached() {
    let rules = battle("mill");
    let view = view_after(&rules, Side::B, 1);
    assert!(!view.orders_now());
    let refused = rules.reach(&view, "1").unwrap_err();
    assert!(refused.text.contains("makes its initial move now"), "{refused:?}");
}

#[test]
fn what_is_asked_wrongly_is_pointed_at() {
    let rules = battle("mill");
    let view = view_after(&rules, Side::A, 3);
    refuses(&rules, &view, "99", "");
    let foe = rules.reach(&view, "B1").unwrap_err();
    assert!(foe.text.contains("is the enemy's"), "{foe:?}");
}
