//! What is so near that a leader's orders may be wanted.

use std::collections::BTreeMap;

use musterd_dice::Seed;
use musterd_engine::{Match, Ruleset};
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
