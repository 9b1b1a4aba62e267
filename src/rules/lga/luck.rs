//! Each seat's luck: each roll is evaluated for the seats that had something to win or lose by it. Events contain the die and its modifiers, so the
//! result of every other face can be read from the same table.

use super::data::Lga;
use super::event::Event;
use super::model::UnitId;
use super::numbers::read;
use super::sight::{Check, CombatResult};
use super::tables::{march, siege};
use musterd_dice::statistics::Trial;
use musterd_engine::hex::Hex;

/// The rolls of one adjudication.
pub(super) fn trials(rules: &Lga, events: &[Event]) -> Vec<Trial> {
    let mut trials = Vec::new();
    for (at, event) in events.iter().enumerate() {
        match event {
            Event::Attacked { attacker, defender, check, result, .. } => {
                trials.extend(clash(rules, (*attacker, *defender), check, result));
            }
            Event::Moved { unit, to, left, .. } => {
                trials.extend(fog(rules, *unit, *to, *left, events.get(at + 1)));
            }
            event => trials.extend(alone(rules, event)),
        }
    }
    trials
}

/// A round of combat, for both sides (manual 5.64): its value is how much more morale the enemy lost.
fn clash(
    rules: &Lga,
    (attacker, defender): (UnitId, UnitId),
    check: &Check,
    result: &CombatResult,
) -> impl Iterator<Item = Trial> {
    let worth = six(check, |total| {
        let outcome = read(&rules.numbers.combat.results, total).1;
        i32::from(outcome.defender) - i32::from(outcome.attacker)
    });
    let got = i32::from(result.defender_loss) - i32::from(result.attacker_loss);
    let attack = graded(rules, attacker, "attacks", &worth, got);
    let defence = graded(rules, defender, "defences", &worth.map(|one| -one), -got);
    attack.into_iter().chain(defence)
}

/// The fog of war on a hex that was entered (manual 5.63). A roll without effect has left no event of its own.
fn fog(rules: &Lga, unit: UnitId, at: Hex, left: u8, next: Option<&Event>) -> Option<Trial> {
    let at_sea = rules.map.is_sea(at);
    if !march::rolls_for_fog(rules.scenario.unit(unit).kind.arm, left, at_sea) {
        return None;
    }
    // If there are no moves to lose, a ship can still be kept from sailing on; that counts as a move.
    let worth = |fogged: Option<u8>| i32::from(fogged.unwrap_or(left)) + i32::from(fogged.is_none());
    let faces: Vec<i32> = (1..=march::FOG_SIDES)
        .map(|die| worth(march::fog(rules.numbers.fog, left, die).map(|(_, left)| left)))
        .collect();
    let fogged = match next {
        Some(Event::Fogged { unit: hit, left, .. }) if *hit == unit => Some(*left),
        _ => None,
    };
    graded(rules, unit, "marches", &faces, worth(fogged))
}

/// A roll that concerns one unit only.
fn alone(rules: &Lga, event: &Event) -> Option<Trial> {
    let numbers = &rules.numbers;
    let (unit, what, worth, got) = match event {
        Event::Mustered { unit, check, loss, .. } => (
            unit,
            "musters",
            six(check, |total| -i32::from(read(&numbers.muster.loss, total).1)),
            -i32::from(*loss),
        ),
        Event::LongMarch { unit, check, gained, .. } => {
            let worth = six(check, |total| -i32::from(read(&numbers.long_march.fatigue, total).1));
            (unit, "long marches", worth, -i32::from(*gained))
        }
        Event::Reinforced { unit, check: Some(check), arrived, .. } => {
            let worth = six(check, |total| i32::from(total >= numbers.reinforce.arrives_on));
            (unit, "reinforcements", worth, i32::from(*arrived))
        }
        Event::Withdrew { unit, check: Some(check), loss, .. } => {
            let worth = six(check, |total| -i32::from(read(&numbers.rout.loss, total).1));
            (unit, "withdrawals", worth, -i32::from(*loss))
        }
        Event::Besieged { unit, loss, .. } => {
            let worth = [1, 2, 3, 4, 5, 6].map(|die| -i32::from(siege::loss(&numbers.siege, die)));
            (unit, "sieges", worth, -i32::from(*loss))
        }
        _ => return None,
    };
    graded(rules, *unit, what, &worth, got)
}

/// The value of each face of the die with the modifiers of this roll.
fn six(check: &Check, worth: impl Fn(i32) -> i32) -> [i32; 6] {
    let modifiers: i32 = check.modifiers.iter().map(|line| i32::from(line.by)).sum();
    [1, 2, 3, 4, 5, 6].map(|die| worth(die + modifiers))
}

/// A roll for a unit is the luck of the seat that commands it.
fn graded(rules: &Lga, unit: UnitId, what: &'static str, worth: &[i32], got: i32) -> Option<Trial> {
    let commander = rules.seat_of(rules.scenario.unit(unit).nation)?;
    Trial::graded(&commander.seat, what, worth, got)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::model::{Arm, Side};
    use crate::sight::{FogLoss, Modifier};

    fn unit(rules: &Lga, side: Side) -> UnitId {
        let specs = &rules.scenario.units;
        specs.iter().find(|spec| spec.side == side && spec.kind.arm == Arm::Infantry).unwrap().id
    }

    fn check(die: u32, by: i8) -> Check {
        let modifiers = vec![Modifier { why: "morale".to_owned(), by }];
        let total = i32::try_from(die).unwrap() + i32::from(by);
        Check { die, modifiers, total, used: total }
    }

    fn told(trials: &[Trial]) -> Vec<String> {
        let told = |t: &Trial| {
            format!("{} {} {}/{} {}", t.seat, t.what, t.good, t.of, if t.hit { "hit" } else { "miss" })
        };
        trials.iter().map(told).collect()
    }

    #[test]
    fn a_round_is_looked_at_from_both_sides() {
        let rules = fixture::rules("austrian-1805");
        let (attacker, defender) = (unit(&rules, Side::French), unit(&rules, Side::Allied));
        let round = |die, by, attacker_loss, defender_loss| Event::Attacked {
            attacker,
            from: Hex::new(10, 5),
            defender,
            at: Hex::new(11, 5),
            garrison: false,
            check: check(die, by),
            result: CombatResult {
                attacker_loss,
                defender_loss,
                attacker_destroyed: false,
                defender_destroyed: false,
            },
            spent: 0,
        };
        // A3 A2 A1 S1 D1 D2: worth -3 -2 -1 0 1 2, half a point below nothing on average.
        assert_eq!(
            told(&trials(&rules, &[round(4, 0, 1, 1), round(3, 0, 1, 0)])),
            [
                "french attacks 3/6 hit",
                "allied defences 3/6 miss",
                "french attacks 3/6 miss",
                "allied defences 3/6 hit"
            ]
        );
        // D1 D2 D3 D3 D3 D3: the enemy loses in any case, and less than was to be expected.
        assert_eq!(
            told(&trials(&rules, &[round(1, 4, 0, 1)])),
            ["french attacks 4/6 miss", "allied defences 2/6 hit"]
        );
        // Everything beyond the table's end: nothing to gain or lose.
        assert_eq!(told(&trials(&rules, &[round(1, 6, 0, 3)])), [""; 0]);
    }

    #[test]
    fn fog_that_did_not_come_is_a_hit() {
        let rules = fixture::rules("austrian-1805");
        let french = unit(&rules, Side::French);
        let (from, to) = (Hex::new(10, 5), Hex::new(11, 5));
        let moved = |left| Event::Moved { unit: french, from, to, left, marched: 1, captured: false };
        let fogged = |left| Event::Fogged { unit: french, at: to, die: 1, loss: FogLoss::All, left };
        assert_eq!(told(&trials(&rules, &[moved(3), moved(2)])), ["french marches 95/100 hit"; 2]);
        assert_eq!(told(&trials(&rules, &[moved(3), fogged(0)])), ["french marches 95/100 miss"]);
        // Without moves left nobody rolls on land.
        assert_eq!(told(&trials(&rules, &[moved(0)])), [""; 0]);
    }

    #[test]
    fn what_a_unit_rolls_for_itself_is_its_commanders_luck() {
        let rules = fixture::rules("austrian-1805");
        let (unit, at) = (unit(&rules, Side::Allied), Hex::new(11, 5));
        let because = String::new;
        let events = [
            Event::Mustered { unit, at, check: check(4, 0), loss: 1, morale: 2, destroyed: false },
            Event::LongMarch { unit, at, check: check(5, 0), gained: 0, fatigue: 0 },
            Event::Reinforced {
                unit,
                from: at,
                to: at,
                check: Some(check(3, 3)),
                arrived: true,
                because: because(),
            },
            Event::Withdrew {
                unit,
                from: at,
                to: at,
                check: Some(check(2, 1)),
                loss: 1,
                destroyed: false,
                because: because(),
            },
            Event::Besieged { unit, at, die: 4, loss: 3, morale: 0, destroyed: false },
            Event::Starved { unit, at },
        ];
        assert_eq!(
            told(&trials(&rules, &events)),
            [
                "allied musters 2/6 miss",
                "allied long marches 2/6 hit",
                "allied reinforcements 4/6 hit",
                "allied withdrawals 3/6 miss",
                "allied sieges 3/6 hit"
            ]
        );
    }
}
