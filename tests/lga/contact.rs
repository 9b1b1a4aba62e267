//! What is so near that a leader's orders may be wanted.

use std::collections::BTreeMap;

use musterd_dice::Seed;
use musterd_engine::hex::Hex;
use musterd_engine::{Match, Ruleset};
use musterd_lga::model::{Side, Terrain};
use musterd_lga::view::{EnemyStack, View};
use musterd_lga::{Lga, shipped};

use crate::common::Loose;

#[test]
fn an_enemy_in_sight_is_contact_where_he_may_soon_be_met() {
    let mut table = Match::new(Lga::from_files(&shipped("austrian-1805").unwrap(), &[]).unwrap());
    let mut dice = Loose(Seed::unrelated([1; 32]));
    let founded = table.adjudicate(1, &BTreeMap::new(), &mut dice);
    table.adopt(&founded.events).unwrap();
    let contact = |seat: &str| table.contact(&seat.parse().unwrap());
    assert_eq!(contact("french").as_deref(), Some("an enemy at Ulm 1507"));
    assert_eq!(contact("allied").as_deref(), Some("an enemy at Amsterdam 1402"));
}

/// A view of the French opening without anybody on the map or any city held, and a stack of the enemy's.
fn empty(rules: &Lga) -> (View, EnemyStack) {
    let mut view = rules.view(&rules.found(), &"french".parse().unwrap());
    let stack = view.enemies.values().next().unwrap().clone();
    view.enemies.clear();
    view.control.clear();
    view.own.clear();
    (view, stack)
}

#[test]
fn who_may_get_to_a_piece_or_to_a_city_in_a_turn_is_contact() {
    let rules = Lga::from_files(&shipped("austrian-1805").unwrap(), &[]).unwrap();
    let all = rules.view(&rules.found(), &"french".parse().unwrap());
    let davout = all.own.iter().find(|(_, unit)| unit.name == "III Davout").unwrap();
    let paris: Hex = "1104".parse().unwrap();
    let (view, stack) = empty(&rules);
    let with_unit = View { own: [(*davout.0, davout.1.clone())].into(), ..view.clone() };
    let with_city = View { control: [(paris, Side::French)].into(), pool: Vec::new(), ..view };
    for (view, own) in [(with_unit, davout.1.hex), (with_city, paris)] {
        let is_land = |hex: &Hex| rules.map.area(*hex).is_some_and(|area| area.terrain != Terrain::Sea);
        for hex in rules.map.hexes().filter(is_land) {
            let seen = View { enemies: [(hex, stack.clone())].into(), ..view.clone() };
            // Cavalry moves seven hexes, and its zone goes one farther.
            let near = hex.distance(own) <= 8;
            assert_eq!(rules.contact(&seen).is_some(), near, "{hex} from {own}");
        }
        let afloat = rules.map.hexes().filter(|hex| !is_land(hex)).max_by_key(|hex| hex.distance(own));
        let seen = View { enemies: [(afloat.unwrap(), stack.clone())].into(), ..view.clone() };
        assert!(rules.contact(&seen).is_some(), "who is at sea may land anywhere");
    }
}

#[test]
fn whose_army_is_gone_is_asked_while_units_can_be_built() {
    let rules = Lga::from_files(&shipped("austrian-1805").unwrap(), &[]).unwrap();
    let (mut view, _) = empty(&rules);
    assert!(!view.pool.is_empty());
    assert_eq!(rules.contact(&view).as_deref(), Some("nothing of yours on the map; units can be built"));
    let french = view.nations[0];
    view.points.insert(french, 0);
    assert_eq!(rules.contact(&view), None, "without points nothing is built");
}
