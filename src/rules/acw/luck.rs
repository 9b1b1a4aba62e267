//! Good and bad luck: each roll is evaluated for the commander of the unit that it was thrown for. Lots for who fires first are left out: whether it is good
//! to fire first depends on the fight. Leaders are left out: only those that are hit are told of.

use std::array::from_fn;

use musterd_dice::statistics::Trial;

use crate::data::Acw;
use crate::event::{Check, CheckResult, Event, Factor, Part, Shot, Touch};
use crate::model::{BrigadeId, UnitId};
use crate::values;

/// The rolls of an adjudication that were good or bad luck for a commander.
pub(crate) fn trials(rules: &Acw, events: &[Event]) -> Vec<Trial> {
    events.iter().flat_map(|event| of(rules, event)).collect()
}

fn of(rules: &Acw, event: &Event) -> Vec<Trial> {
    match event {
        Event::Fired(shot) => fired(rules, shot),
        Event::Checked(check) => checked(rules, check).into_iter().collect(),
        Event::Startled { brigade, die: Some(die), against, .. } => {
            let alert = |die: i32| i32::from(die < *against);
            let worth: [i32; 16] = from_fn(|die| alert(die as i32));
            graded(rules, *brigade, "surprise", &worth, alert(whole(*die))).into_iter().collect()
        }
        Event::Communicated { checks, .. } => {
            checks.iter().filter_map(|check| reached(rules, check)).collect()
        }
        _ => Vec::new(),
    }
}

/// The target's luck in a shot: its vulnerability by the hits, and whether each of them costs cohesion.
fn fired(rules: &Acw, shot: &Shot) -> Vec<Trial> {
    let thrown = chance(&shot.target_parts);
    let spared = |die: i32| {
        let vulnerability = shot.vulnerability - thrown + die;
        -whole(values::hits(rules.numbers(), shot.value, vulnerability))
    };
    let worth: [i32; 4] = from_fn(|die| spared(die as i32));
    let vulnerability = graded(rules, shot.target, "vulnerability", &worth, spared(thrown));
    let holds: Vec<i32> = (0..shot.faces).map(|die| i32::from(die > 0)).collect();
    let hit = |die: &u32| graded(rules, shot.target, "cohesion", &holds, i32::from(*die > 0));
    vulnerability.into_iter().chain(shot.dice.iter().filter_map(hit)).collect()
}

/// The result of a check by each number of its die.
fn checked(rules: &Acw, check: &Check) -> Option<Trial> {
    let sum = check.total - chance(&check.parts);
    let result = |die: i32| CheckResult::of(sum + die) as i32;
    let worth: [i32; 8] = from_fn(|die| result(die as i32));
    graded(rules, check.brigade, "checks", &worth, check.result as i32)
}

/// Whether a unit is reached.
fn reached(rules: &Acw, touch: &Touch) -> Option<Trial> {
    let made = |die: u32| i32::from(Touch { die, ..*touch }.is_made());
    let worth: [i32; 16] = from_fn(|die| made(die as u32));
    let seat = &rules.battle().leader_of(touch.unit).seat;
    Trial::graded(seat, "communications", &worth, made(touch.die))
}

/// The random number among the parts of a value.
fn chance(parts: &[Part]) -> i32 {
    parts.iter().find(|Part(factor, _)| *factor == Factor::Chance).map_or(0, |Part(_, quarters)| quarters / 4)
}

#[expect(clippy::expect_used, reason = "neither a die nor the hits of a shot come near it")]
fn whole(number: u32) -> i32 {
    i32::try_from(number).expect("a small number")
}

fn graded(rules: &Acw, brigade: BrigadeId, what: &'static str, worth: &[i32], got: i32) -> Option<Trial> {
    let seat = &rules.battle().leader_of(UnitId::Brigade(brigade)).seat;
    Trial::graded(seat, what, worth, got)
}
