//! What is so near that a commander's orders may be wanted.

use std::collections::BTreeMap;

use musterd_acw::model::{Arm, Side};
use musterd_acw::view::{Foe, FoeKind, Seen};
use musterd_acw::{Acw, SHIPPED};
use musterd_dice::{Block, Seed};
use musterd_engine::files::RuleFiles;
use musterd_engine::hex::Hex;
use musterd_engine::{Awaiting, Match, Ruleset};

use crate::common::Loose;
use crate::orders::bull_run;

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

/// Also where everybody is seen, contact is who gets next to a unit of the commander's, or to an objective that his side holds, before he is asked again.
#[test]
fn an_enemy_in_sight_is_contact_as_far_as_he_gets_before_the_next_orders() {
    let far = |options: &str| {
        let (rules, mut view) = bull_run(options, Side::A);
        let battle = rules.battle();
        view.brigades.iter_mut().skip(1).for_each(|brigade| brigade.at = None);
        view.hqs.iter_mut().for_each(|hq| hq.at = None);
        view.control.iter_mut().for_each(|side| *side = Side::B);
        let own = view.brigades[0].at.unwrap();
        let foe = Foe {
            at: own,
            kind: FoeKind::Brigade(Arm::Infantry),
            formation: None,
            shaken: false,
            seen: Seen::Sighted,
        };
        let hexes: Vec<Hex> = battle.map.within(own, 60).collect();
        let contact = hexes.iter().filter(|at| {
            view.foes = vec![Foe { at: **at, ..foe }];
            rules.contact(&view).is_some()
        });
        let near = contact.map(|at| at.distance(own)).max().unwrap();
        assert!(hexes.iter().any(|hex| hex.distance(own) > near), "{options}: {near}");
        near
    };
    // Nine hexes are the most of infantry in an hour, and it fights in the next hex.
    assert_eq!((far(""), far("block: 2")), (10, 19));
}
