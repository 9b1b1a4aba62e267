//! Good and bad luck: each roll is evaluated for the commander of the unit that it was thrown for. Lots for who acts first are left out: whether it is
//! good to act first depends on the battle.

use std::array::from_fn;

use musterd_dice::statistics::Trial;

use crate::data::Sa;
use crate::event::{Blow, Check, Event};
use crate::law;
use crate::model::UnitId;
use crate::odds::{CASES, Throw};

/// The rolls of an adjudication that were good or bad luck for a commander.
pub(crate) fn trials(rules: &Sa, events: &[Event]) -> Vec<Trial> {
    events.iter().flat_map(|event| of(rules, event)).collect()
}

fn of(rules: &Sa, event: &Event) -> Vec<Trial> {
    match event {
        Event::Fought { attacker, defender, .. } => {
            let pairs = [(attacker, defender), (defender, attacker)];
            let throw = |own: &Blow| ("melees", Throw::Melee(rules.battle().spec(own.unit).class));
            pairs.into_iter().filter_map(|(own, foe)| blow(rules, own, foe, throw(own))).collect()
        }
        Event::Fired { attacker, defender, answered, .. } => {
            let answer = answered.then_some((defender, attacker));
            let volleys = [(attacker, defender)].into_iter().chain(answer);
            volleys.filter_map(|(own, foe)| blow(rules, own, foe, ("volleys", Throw::Fire))).collect()
        }
        Event::Checked { unit, check, .. } => nerve(rules, *unit, check).into_iter().collect(),
        Event::Wavered { unit, deserts, .. } => {
            #[expect(clippy::expect_used, reason = "the die was thrown because of it")]
            let most = rules.battle().spec(*unit).deserts.expect("a unit that may desert").most;
            let worth: [i32; 6] = from_fn(|face| i32::from(face as u32 >= most));
            graded(rules, *unit, "loyalty", &worth, i32::from(!deserts)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// What a unit does to another in melee or fire, by each throw of its dice: the men who fall.
fn blow(rules: &Sa, own: &Blow, foe: &Blow, (what, throw): (&'static str, Throw)) -> Option<Trial> {
    let worth: [i32; CASES as usize] = from_fn(|case| fells(own, foe, throw.random(case as u32 + 1)));
    graded(rules, own.unit, what, &worth, fells(own, foe, own.factors.random))
}

fn fells(own: &Blow, foe: &Blow, random: i32) -> i32 {
    let total = own.factors.total() - own.factors.random + random;
    i32::try_from(law::felled(own.men, total, foe.men)).unwrap_or(i32::MAX)
}

/// The result of a check by each throw of its three average dice: rout, halt or orders.
fn nerve(rules: &Sa, unit: UnitId, check: &Check) -> Option<Trial> {
    let class = rules.battle().spec(unit).class;
    let worth: [i32; 216] = from_fn(|case| {
        let dice = [case / 36, case / 6 % 6, case % 6].map(|face| law::AVERAGE[face] as i32);
        law::nerve(rules, class, check.modifiers() + dice.iter().sum::<i32>()) as i32
    });
    graded(rules, unit, "morale", &worth, check.result as i32)
}

fn graded(rules: &Sa, unit: UnitId, what: &'static str, worth: &[i32], got: i32) -> Option<Trial> {
    let commander = rules.battle().commander_of(unit)?;
    Trial::graded(&commander.seat, what, worth, got)
}
