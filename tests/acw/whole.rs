//! Whole battles between commanders who are left to themselves.

use std::collections::BTreeMap;

use musterd_acw::event::Event;
use musterd_acw::model::Side;
use musterd_acw::{Acw, Phase, Presence, State, shipped};
use musterd_engine::{Input, Ruleset, Scribe};

use crate::common::Loose;

/// Plays a battle to its end without any order, and gives every event with the position before it.
pub(crate) fn played(battle: &str, seed: u32, mut look: impl FnMut(&Acw, &State, &Event)) -> (Acw, State) {
    let rules = Acw::from_files(&shipped(battle).unwrap(), &[]).unwrap();
    let mut state = rules.found();
    let input = Input { orders: BTreeMap::new() };
    for t in 1.. {
        let mut dice = Loose::numbered(seed);
        let mut scribe = Scribe::new(&rules, state.clone(), t, &mut dice);
        rules.step(&mut scribe, &input);
        for event in scribe.finish() {
            look(&rules, &state, &event);
            musterd_engine::Fold::apply(&rules, &mut state, &event);
        }
        if matches!(rules.awaiting(&state), musterd_engine::Awaiting::Over { .. }) {
            break;
        }
        assert!(t < 200, "{battle} comes to no end");
    }
    (rules, state)
}

#[test]
fn every_battle_comes_to_its_end_when_commanders_are_left_to_themselves() {
    for battle in ["kellys-mill", "bull-run"] {
        let mut shots = 0;
        let (rules, state) =
            played(battle, 1, |_, _, event| shots += u32::from(matches!(event, Event::Fired(_))));
        let musterd_engine::Awaiting::Over { results } = rules.awaiting(&state) else { panic!() };
        println!("{battle}: {shots} shots, {results:?}");
        assert!(shots > 5, "{battle}: {shots} shots");
    }
    let _ = (Side::A, Phase::Over, Presence::Fielded);
}
