//! What is so near that a leader's orders may be wanted.

use std::collections::BTreeMap;

use musterd_dice::{Block, Seat, Seed};
use musterd_engine::{Match, Ruleset};
use musterd_lga::{Lga, SHIPPED, shipped};

use crate::common::{Loose, soak};

#[test]
fn an_enemy_in_sight_is_contact_where_he_may_soon_be_met() {
    for path in SHIPPED.iter().map(|(path, _)| path) {
        let Some(name) = path.strip_prefix("scenarios/").and_then(|path| path.strip_suffix(".yaml")) else {
            continue;
        };
        let mut table = Match::new(Lga::from_files(&shipped(name).unwrap(), &[]).unwrap());
        let mut dice = Loose(Seed::unrelated(soak::seed_bytes(1)));
        let founded = table.adjudicate(1, &BTreeMap::new(), &mut dice);
        table.adopt(&founded.events).unwrap();
        let seats: Vec<Seat> = table.seats().iter().map(|spec| spec.seat.clone()).collect();
        for seat in seats {
            println!("{name} {seat}: {:?}", table.contact(&seat));
        }
        let _ = Block::canonical("");
    }
}
