//! Whole campaigns of La Grande Armée with wild orders: whatever players write, the position hangs together after every
//! event, and folding the journal gives the same game again.

use std::collections::BTreeMap;

use musterd_dice::{Block, Seat, Seed, Stream};
use musterd_engine::{Awaiting, Fold, Match, Ruleset};
use musterd_lga::{Lga, data, shipped};

use crate::common::{Loose, soak};
use crate::lga_wild::wild_orders;

fn play(scenario: &str, seats: &[&str], seed: u8) {
    let seats: Vec<Seat> = seats.iter().map(|seat| seat.parse().unwrap()).collect();
    let load = || Lga::from_files(&shipped(scenario).unwrap(), &seats).unwrap();
    let (rules, mut table, mut again) = (load(), Match::new(load()), Match::new(load()));
    let mut state = rules.found();
    let mut dice = Loose(Seed::unrelated(soak::seed_bytes(seed)));
    let mut chance = Stream::new(&Seed::unrelated(soak::seed_bytes(seed)), &"wild".parse().unwrap());
    let mut attacks = 0;
    for t in 1.. {
        let blocks: BTreeMap<Seat, Block> = match table.awaiting() {
            Awaiting::Over { results } => {
                assert!(results.len() > rules.scenario.sides.len(), "{results:?}");
                break;
            }
            Awaiting::Founding => BTreeMap::new(),
            Awaiting::Orders { .. } => {
                let order = |seat: &Seat, chance: &mut Stream| {
                    (seat.clone(), Block::canonical(&wild_orders(&rules, &table.view(seat), chance)))
                };
                table.seats().iter().map(|spec| order(&spec.seat, &mut chance)).collect()
            }
        };
        assert!(t < 60, "the game goes on for ever");
        let adjudication = table.adjudicate(t, &blocks, &mut dice);
        for event in &adjudication.events {
            attacks += usize::from(event["event"] == "attacked");
            rules.apply(&mut state, &serde_json::from_value(event.clone()).unwrap());
            assert_eq!(state.faults(&rules), Vec::<String>::new(), "{scenario} t={t} after {event}");
        }
        table.adopt(&adjudication.events).unwrap();
        again.adopt(&adjudication.events).unwrap();
        assert_eq!(table.digest(), again.digest());
        for spec in rules.seats() {
            assert_eq!(table.view(&spec.seat), rules.view(&state, &spec.seat));
            assert!(!table.brief(&spec.seat).sections.is_empty());
        }
    }
    assert!(soak::is_enough(attacks > 0), "{scenario}: nobody fought");
}

#[test]
fn every_scenario_can_be_played_to_its_end_with_any_orders() {
    for (path, _) in data::SHIPPED {
        let Some(scenario) = path.strip_prefix("scenarios/") else { continue };
        let scenario = scenario.trim_end_matches(".yaml");
        for seed in 0..3 {
            play(scenario, &[], seed);
        }
    }
}

#[test]
fn a_side_of_several_players_can_be_played_to_its_end() {
    play("austrian-1805", &["french", "allied.austria", "allied.russia", "allied.britain"], 7);
    play("spanish-1808", &["french", "allied.spain", "allied.britain"], 8);
}
