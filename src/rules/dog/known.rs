//! The field and the units on it, as far as a leader knows them.

use super::data::Dog;
use super::model::{Ground, Sort, TroopId};
use super::view::{View, Wait};
use super::way::Ways;
use musterd_engine::hex::Hex;

/// The field as a leader knows it.
pub(super) fn ways<'a>(rules: &'a Dog, view: &'a View) -> Ways<'a> {
    let watched = view.foes(rules).flat_map(|(_, unit)| unit.at.around()).collect();
    Ways { rules, works: &view.works, taken: view.taken(), watched }
}

/// A hex of the battle for an example: next to an own unit, or where the army may start.
pub(super) fn example_hex(rules: &Dog, view: &View) -> Hex {
    let battle = rules.battle();
    let beside = view.own.values().find_map(|unit| battle.field.around(unit.at).next());
    let zone = view.army.map(|army| &battle.army(army).zone);
    let start = || battle.field.hexes().find(|hex| zone.is_some_and(|zone| zone.contains(*hex)));
    beside.or_else(start).unwrap_or(Hex::new(1, 1))
}

/// The ground under somebody in a hex, as a leader knows it.
pub(super) fn ground(rules: &Dog, view: &View, hex: Hex, aboard: bool) -> Ground {
    view.works.footing(&rules.battle().field, hex, aboard)
}

/// So many fighters of these kinds, shared out evenly: what is in a mixed unit is not to be seen.
pub(super) fn unseen_sorts(kinds: &[(TroopId, bool)], all: u16) -> Vec<Sort> {
    let each = u16::try_from(kinds.len()).unwrap_or(u16::MAX).max(1);
    let sort = |(place, (troop, elite)): (u16, &(TroopId, bool))| Sort {
        elite: *elite,
        ..Sort::of(*troop, all / each + u16::from(place < all % each))
    };
    (0..).zip(kinds).map(sort).collect()
}

/// The first enemy in sight: on these fields whoever is seen can be reached. Units that are to be placed want orders too.
pub(super) fn contact(rules: &Dog, view: &View) -> Option<String> {
    match view.wait {
        Wait::Founding | Wait::SetUp => return Some("units to be placed".to_owned()),
        Wait::Over => return None,
        Wait::Orders | Wait::Moves | Wait::Combat => {}
    }
    if !view.waiting.is_empty() {
        return Some("units to be placed anew".to_owned());
    }
    let (id, enemy) = view.foes(rules).next()?;
    Some(format!("the enemy {id} at {}", rules.place(enemy.at)))
}
