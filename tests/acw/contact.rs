//! What is so near that a commander's orders may be wanted.

use std::collections::BTreeMap;

use musterd_acw::{Acw, SHIPPED};
use musterd_dice::{Block, Seed};
use musterd_engine::files::RuleFiles;
use musterd_engine::{Awaiting, Match, Ruleset};

use crate::common::Loose;

#[test]
fn nothing_is_in_reach_until_an_enemy_is_seen() {
    let files = RuleFiles::of_scenario(SHIPPED, "kellys-mill").unwrap();
    let mut table = Match::new(Acw::from_files(&files, &[]).unwrap());
    let mut dice = Loose(Seed::unrelated([1; 32]));
    let seats: Vec<_> = table.seats().iter().map(|spec| spec.seat.clone()).collect();
    let mut met = None;
    for t in 1.. {
        let mut blocks = BTreeMap::new();
        match table.awaiting() {
            Awaiting::Over { .. } => break,
            Awaiting::Founding => {}
            Awaiting::Orders { .. } => {
                let contacts: Vec<_> = seats.iter().filter_map(|seat| table.contact(seat)).collect();
                assert!(t > 2 || contacts.is_empty(), "at the opening: {contacts:?}");
                met = met.or(contacts.into_iter().next());
                for seat in &seats {
                    blocks.insert(seat.clone(), Block::canonical(&table.play(seat, "seasoned", 1)));
                }
            }
        }
        let adjudication = table.adjudicate(t, &blocks, &mut dice);
        table.adopt(&adjudication.events).unwrap();
    }
    assert!(met.as_ref().is_some_and(|met| met.starts_with("an enemy at ")), "{met:?}");
}
