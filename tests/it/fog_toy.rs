//! What sides may know in the toy; and, on the toy, that the property of `fog.rs` has teeth: it finds each leak that is built in on purpose.

use std::collections::BTreeMap;

use musterd::dice::Seat;
use musterd::engine::Ruleset;
use musterd::engine::files::RuleFiles;

use super::fog::{Oracle, compare, holds};
use super::leaks::Leak;
use super::letters_mutation::Chance;
use super::toy::{Event, FILES, Toy, View, seat};
use crate::common::soak;

/// The toy: what a side has and bids only it and the umpire know; how the dice fell nobody.
struct ToyOracle;

#[derive(Clone, Debug)]
struct Truth {
    round: u32,
    wait: &'static str,
    purse: BTreeMap<Seat, u32>,
    won: BTreeMap<Seat, u32>,
    leader: Option<Seat>,
}

fn knows(to: &Seat, side: &Seat) -> bool {
    to == side || to.as_str() == "umpire"
}

impl Oracle for ToyOracle {
    type Rules = Toy;
    type Truth = Truth;

    fn at_start(_: &Toy) -> Truth {
        let none: BTreeMap<Seat, u32> = ["red", "blue"].map(|side| (seat(side), 0)).into();
        Truth { round: 0, wait: "founding", purse: none.clone(), won: none, leader: None }
    }

    fn happen(_: &Toy, truth: &mut Truth, event: &Event) {
        match event {
            Event::Paid { side, coins } => {
                truth.purse.insert(side.clone(), *coins);
                (truth.wait, truth.round) = ("bids", 1);
            }
            Event::Bid { side, coins } => {
                let left = truth.purse[side].saturating_sub(*coins);
                truth.purse.insert(side.clone(), left);
            }
            Event::Clashed { leader, .. } => (truth.leader, truth.wait) = (leader.clone(), "ruling"),
            Event::Ruled { upheld } => {
                if let Some(side) = truth.leader.take().filter(|_| *upheld) {
                    *truth.won.get_mut(&side).unwrap() += 1;
                }
                truth.round += 1;
                truth.wait = if truth.round > 3 { "over" } else { "bids" };
            }
            Event::Amended { purse: true, side, value } => drop(truth.purse.insert(side.clone(), *value)),
            Event::Amended { side, value, .. } => drop(truth.won.insert(side.clone(), *value)),
        }
    }

    fn known(_: &Toy, truth: &Truth, seat: &Seat) -> String {
        let mut known = truth.clone();
        known.purse.retain(|side, _| knows(seat, side));
        format!("{known:?}")
    }

    fn learnt(_: &Toy, _: &Truth, event: &Event, seat: &Seat) -> Option<String> {
        match event {
            Event::Paid { side, .. } | Event::Bid { side, .. } | Event::Amended { purse: true, side, .. } => {
                knows(seat, side).then(|| format!("{event:?}"))
            }
            Event::Clashed { leader, .. } => Some(format!("{leader:?} leads")),
            Event::Ruled { .. } | Event::Amended { .. } => Some(format!("{event:?}")),
        }
    }

    fn change(_: &Toy, truth: &Truth, chance: &mut Chance) -> Vec<Event> {
        let sides: Vec<&Seat> = truth.purse.keys().collect();
        let side = (*chance.pick(&sides)).clone();
        let value = u32::try_from(chance.below(12)).unwrap();
        vec![Event::Amended { purse: chance.below(4) > 0, side, value }]
    }

    fn anything(_: &Toy, _: &View, chance: &mut Chance) -> String {
        let lines = ["BID 1", "BID 4", "BID 99", "BID many", "UPHOLD", "VOID", "BIDE", "BID"];
        (0..=chance.below(4)).map(|_| format!("{}\n", chance.pick(&lines))).collect()
    }
}

/// The toy with this in the chests at the founding, and a leak.
fn toy(chests: &str, leak: Leak) -> Toy {
    let text = format!("{}chests: {chests}\n", FILES[0].1);
    let files = RuleFiles([("scenario.yaml".to_owned(), text)].into());
    let mut rules = Toy::from_files(&files, &[]).unwrap();
    rules.leak = leak;
    rules
}

/// The first leak that is found within some seeds: by play, or between games that were founded on other hidden facts.
fn found(leak: Leak) -> Option<String> {
    let (rules, richer) = (toy("{}", leak), toy("{blue: 7}", leak));
    let compared = |other, seed| compare::<ToyOracle>(&rules, other, seed, 7);
    (0..6).find_map(|seed| compared(&rules, seed).and_then(|_| compared(&richer, seed)).err())
}

#[test]
fn the_toy_tells_nothing_that_is_hidden() {
    holds::<ToyOracle>(&toy("{}", Leak::Nothing), soak::seeds(0..48), 7, [200, 300, 300, 40]);
    assert_eq!(found(Leak::Nothing), None);
}

/// The proof that the property can fail: each way to leak, and which seat and seed show it.
#[test]
fn every_leak_that_is_planted_in_the_toy_is_found() {
    for leak in Leak::ALL {
        let why = found(leak).unwrap_or_else(|| panic!("{leak:?} passes"));
        assert!(why.contains("seat ") && why.contains("seed "), "{leak:?}: {why}");
    }
}
