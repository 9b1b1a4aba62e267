//! What is so near that a commander's orders may be wanted.

use musterd_engine::Ruleset;
use musterd_engine::founding::OPTIONS_FILE;
use musterd_sa::model::Side;
use musterd_sa::{Sa, shipped};

use crate::orders::view_after;

fn battle(block: &str) -> Sa {
    let mut files = shipped("mill").unwrap();
    files.0.insert(OPTIONS_FILE.to_owned(), format!("block: {block}\n"));
    Sa::from_files(&files, &[]).unwrap()
}

/// The least distance of an enemy that is no contact: everybody but one unit of each side is taken off the field, and the enemy put ever farther away.
fn first_free(rules: &Sa) -> u32 {
    let mut view = view_after(rules, Side::A, 3);
    assert!(rules.contact(&view).is_some() && view.orders_now());
    let places = [Side::A, Side::B].map(|side| {
        rules.battle().units.iter().position(|spec| spec.id.side == side && spec.missile.is_none()).unwrap()
    });
    for (place, unit) in view.position.units.iter_mut().enumerate() {
        unit.at = unit.at.filter(|_| places.contains(&place));
    }
    let own = view.position.units[places[0]].at.unwrap();
    let mut hexes: Vec<_> = rules.battle().field.hexes().filter(|hex| *hex != own).collect();
    hexes.sort_by_key(|hex| hex.distance(own));
    let near: Vec<(u32, bool)> = hexes
        .iter()
        .map(|hex| {
            view.position.units[places[1]].at = Some(*hex);
            (hex.distance(own), rules.contact(&view).is_some())
        })
        .collect();
    let free = near.iter().find(|(_, is_near)| !is_near).map_or(u32::MAX, |(distance, _)| *distance);
    assert!(near.iter().all(|(distance, is_near)| *is_near == (*distance < free)), "{near:?}");
    free
}

#[test]
fn an_enemy_is_near_as_far_as_he_gets_in_a_block() {
    let [short, usual, long] = ["4", "12", "36"].map(|block| first_free(&battle(block)));
    assert!(short <= usual && usual < long, "{short} {usual} {long}");
    // Foot needs more than four time-points a hex: it goes one hex, one more with Haste, and strikes the next.
    assert_eq!(short, 4);
    // The block that is settled before the commander is asked again brings foot across the field.
    let rules = battle("36");
    let foot = rules.battle().units.iter().find(|spec| spec.id.side == Side::B && spec.missile.is_none());
    let pace = u32::from(rules.numbers().clear(foot.unwrap().kind));
    assert!(long > 36 / pace + 1, "{long} at {pace}");
}
