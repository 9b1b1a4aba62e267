//! Each leader's luck: each roll is evaluated for the armies that had something to win or lose by it. The throw for the order of the armies is left
//! out: whether it is good to act first depends on the battle.

use super::data::Dog;
use super::event::{Event, Strike};
use super::model::UnitId;
use super::scores;
use musterd_dice::statistics::Trial;

/// The rolls of one adjudication.
pub(super) fn trials(rules: &Dog, events: &[Event]) -> Vec<Trial> {
    events.iter().flat_map(|event| of(rules, event)).collect()
}

fn of(rules: &Dog, event: &Event) -> Vec<Trial> {
    match event {
        Event::Exchanged { strike, answer, .. } => {
            let answer = answer.iter().flat_map(|answer| blow(rules, answer, "retaliations"));
            blow(rules, strike, "attacks").into_iter().chain(answer).collect()
        }
        // A volley counts for the shooting side. Its target knows neither the die nor the number of shooters (ruling DOG-45).
        Event::Shot { strike, .. } => {
            let worth = [1, 2, 3, 4, 5, 6].map(|die| harm(rules, strike, die));
            alone(rules, strike.by, "volleys", &worth, harm(rules, strike, strike.die))
        }
        Event::StruckFleeing { strike } => blow(rules, strike, "pursuits"),
        // Only searches whose chance the unit's leader is told. The chance of another would reveal who searched (ruling DOG-50).
        Event::Searched { unit, chance, found, plain: true, .. } => {
            let worth = [1, 2, 3, 4, 5, 6].map(|die| i32::from(die > *chance));
            alone(rules, *unit, "hidings", &worth, i32::from(!found))
        }
        Event::ObedienceTested { unit, limit, obeys, .. } => {
            let worth: Vec<i32> = (1..=100).map(|die| i32::from(die > *limit)).collect();
            alone(rules, *unit, "obedience", &worth, i32::from(*obeys))
        }
        _ => Vec::new(),
    }
}

/// A strike, for both sides: its value is its damage, limited by the fighters left to take it.
fn blow(rules: &Dog, strike: &Strike, what: &'static str) -> Vec<Trial> {
    let most = if strike.left == 0 { i32::try_from(strike.hp).unwrap_or(i32::MAX) } else { i32::MAX };
    let worth = [1, 2, 3, 4, 5, 6].map(|die| harm(rules, strike, die).min(most));
    let got = harm(rules, strike, strike.die).min(most);
    let dealt = alone(rules, strike.by, what, &worth, got);
    let taken = alone(rules, strike.on, "blows taken", &worth.map(|one| -one), -got);
    dealt.into_iter().chain(taken).collect()
}

/// The damage of a strike with this face of its die.
fn harm(rules: &Dog, strike: &Strike, die: u32) -> i32 {
    i32::try_from(scores::damage(rules.battle().switches, strike.force, die)).unwrap_or(i32::MAX)
}

/// A roll that concerns one unit is the luck of its army's leader; it is left out if all faces do the same.
fn alone(rules: &Dog, unit: UnitId, what: &'static str, worth: &[i32], got: i32) -> Vec<Trial> {
    let army = rules.battle().lettered(unit.army);
    army.and_then(|army| Trial::graded(&army.seat, what, worth, got)).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shipped;
    use musterd_engine::Ruleset;
    use musterd_engine::hex::Hex;

    fn told(event: Event) -> Vec<String> {
        let rules = Dog::from_files(&shipped("training").unwrap(), &[]).unwrap();
        let told = |t: Trial| format!("{} {} {}/{} {}", t.seat, t.what, t.good, t.of, t.hit);
        trials(&rules, &[event]).into_iter().map(told).collect()
    }

    fn strike(die: u32, left: u16, hp: u32) -> Strike {
        let (by, on, at) = (UnitId::new('R', 1), UnitId::new('B', 1), Hex::new(3, 3));
        Strike { by, from: at, on, at, force: 36, die, damage: 0, killed: vec![1], hp, left }
    }

    #[test]
    fn a_strike_is_looked_at_from_both_sides() {
        let struck = |die, left, hp| {
            told(Event::Exchanged { strike: strike(die, left, hp), answer: None, silent: None })
        };
        // 16, 20 or 24 damage, 20 on average.
        assert_eq!(struck(5, 2, 24), ["red attacks 2/6 true", "blue blows taken 2/6 false"]);
        assert_eq!(struck(3, 2, 20), ["red attacks 2/6 false", "blue blows taken 2/6 false"]);
        assert_eq!(struck(1, 2, 16), ["red attacks 2/6 false", "blue blows taken 2/6 true"]);
        // 18 hit points were left: two thirds of the faces take them all.
        assert_eq!(struck(3, 0, 18), ["red attacks 4/6 true", "blue blows taken 2/6 false"]);
        // Whatever fell, everybody died: no luck in it.
        assert_eq!(struck(6, 0, 15), [""; 0]);
    }

    /// Ruling DOG-45: those whom it falls on can't tell how many shot, nor those who shot how many are left.
    #[test]
    fn a_volley_is_the_luck_of_those_who_shoot_whoever_was_there() {
        let shot =
            |die, left, hp| told(Event::Shot { strike: strike(die, left, hp), hexes: 3, left: vec![1] });
        assert_eq!(shot(5, 2, 24), ["red volleys 2/6 true"]);
        assert_eq!(shot(3, 2, 20), ["red volleys 2/6 false"]);
        assert_eq!(shot(3, 0, 18), ["red volleys 2/6 false"]);
    }

    #[test]
    fn to_lie_hidden_and_to_be_obeyed_is_luck_too() {
        let unit = UnitId::new('R', 1);
        let searched = |chance, plain| {
            told(Event::Searched { unit, at: Hex::new(3, 3), die: 2, chance, found: true, plain })
        };
        assert_eq!(searched(2, true), ["red hidings 4/6 false"]);
        assert_eq!(searched(6, true), [""; 0]);
        assert_eq!(searched(2, false), [""; 0], "its chance tells of who looked");
        let tested = Event::ObedienceTested { unit, die: 30, limit: 20, obeys: true };
        assert_eq!(told(tested), ["red obedience 80/100 true"]);
    }
}
