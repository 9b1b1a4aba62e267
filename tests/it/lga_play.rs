//! Whole campaigns of La Grande Armée with wild orders: whatever players write, the position hangs together after every
//! event, and folding the journal gives the same game again.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use musterd::dice::{Block, Label, Roller, Seat, Seed, Stream};
use musterd::engine::{Awaiting, Ruleset, Table};
use musterd::rules::lga::view::View;
use musterd::rules::lga::{Lga, data, shipped};

/// Fair dice of no game.
pub(crate) struct Loose(pub(crate) Seed);

impl Roller for Loose {
    fn roll(&mut self, label: &Label, count: u32, sides: u32) -> Vec<u32> {
        let mut stream = Stream::new(&self.0, label);
        (0..count).map(|_| stream.die(sides)).collect()
    }
}

/// Orders without sense: every unit builds, rallies, marches, attacks and reacts at random.
pub(crate) fn wild_orders(rules: &Lga, view: &View, chance: &mut Stream) -> String {
    let mut text = String::new();
    let mut line = |words: String| writeln!(text, "{words}").unwrap();
    if view.phasing == Some(view.side) {
        for unit in &view.pool {
            line(format!("BUILD {}", unit.id));
        }
        for unit in view.own.values() {
            let around: Vec<_> = rules.map().neighbours(unit.hex).collect();
            let enemy = around.iter().find(|hex| view.enemies.contains_key(hex));
            let city = rules.map().cities().nth(chance.die(100) as usize).map(|(hex, _)| hex);
            match (chance.die(6), enemy, city) {
                (1, _, _) => line(format!("GARRISON {}", unit.id)),
                (2, _, _) => line(format!("RALLY {}", unit.id)),
                (3.., Some(hex), _) => line(format!("ATTACK {hex} WITH {} UNTIL CLEAR THEN ENTER", unit.id)),
                (_, _, Some(hex)) => line(format!("MOVE {} TO {hex}", unit.id)),
                _ => line(format!("MOVE {} E E SE W", unit.id)),
            }
        }
    }
    line("STANDING".to_owned());
    for unit in view.own.values() {
        let around: Vec<_> = rules.map().neighbours(unit.hex).collect();
        let to = around[chance.die(u32::try_from(around.len()).unwrap()) as usize - 1];
        match chance.die(4) {
            1 => line(format!("REINFORCE {} TO {to} ALWAYS", unit.id)),
            2 => line(format!("WITHDRAW {} TO {to} ALWAYS", unit.id)),
            3 => line(format!("TOP {} ALWAYS", unit.id)),
            _ => {}
        }
    }
    text
}

fn play(scenario: &str, seats: &[&str], seed: u8) {
    let seats: Vec<Seat> = seats.iter().map(|seat| seat.parse().unwrap()).collect();
    let load = || Lga::load(&shipped(scenario).unwrap(), &seats).unwrap();
    let (rules, mut table, mut again) = (load(), Table::new(load()), Table::new(load()));
    let mut state = rules.found();
    let mut dice = Loose(Seed::unrelated([seed; 32]));
    let mut chance = Stream::new(&Seed::unrelated([seed; 32]), &"wild".parse().unwrap());
    let mut attacks = 0;
    for t in 1.. {
        let blocks: BTreeMap<Seat, Block> = match table.awaiting() {
            Awaiting::Over { results } => {
                assert!(results.len() > rules.scenario().sides().len(), "{results:?}");
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
    assert!(attacks > 0, "{scenario}: nobody fought");
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
