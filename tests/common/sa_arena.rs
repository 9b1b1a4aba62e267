//! Whole battles of The Shattered Alliance between computer commanders, in process: no mail, no store, dice from a numbered seed.
#![allow(dead_code, reason = "each test binary uses some of it")]

use std::collections::BTreeMap;

use musterd_dice::Seat;
use musterd_engine::orders::{Reading, Weight};
use musterd_engine::{Awaiting, Input, Ruleset, Scribe};
use musterd_sa::model::Side;
use musterd_sa::order::Order;
use musterd_sa::view::View;
use musterd_sa::{Sa, Skill, State, shipped};

use crate::common::Loose;

/// The battles in the order of the guide.
pub(crate) const BATTLES: [&str; 9] =
    ["mill", "ambush", "kingdoms", "ormolu", "beasts", "issus", "cynoscephalae", "stamford", "manzikert"];

/// Adjudications in a battle at most.
const MOST_STEPS: u32 = 60;

/// The rules of a shipped battle.
pub(crate) fn rules(battle: &str) -> Sa {
    Sa::from_files(&shipped(battle).unwrap(), &[]).unwrap_or_else(|errors| panic!("{battle}: {errors}"))
}

/// What a computer commander orders: read without an error or a warning.
pub(crate) fn orders(rules: &Sa, view: &View, skill: Skill, seed: u64) -> Reading<Order> {
    let text = rules.play(view, skill, seed);
    let reading = rules.read_orders(view, &text);
    let doubt = reading.remarks.iter().find(|remark| remark.weight != Weight::Note);
    assert!(doubt.is_none(), "{doubt:?}\n{text}");
    reading
}

/// The position after one more adjudication.
pub(crate) fn step(
    rules: &Sa,
    state: &State,
    t: u32,
    dice: &mut Loose,
    orders: BTreeMap<Seat, Reading<Order>>,
) -> State {
    let mut scribe = Scribe::new(rules, state.clone(), t, dice);
    rules.step(&mut scribe, &Input { orders });
    scribe.state().clone()
}

/// Plays a battle to its end; `look` sees every view before its commander orders. Who won, if anybody did.
pub(crate) fn play(
    rules: &Sa,
    skills: [Skill; 2],
    seed: u32,
    mut look: impl FnMut(&View, &Reading<Order>),
) -> Option<Side> {
    let (mut state, mut dice) = (rules.found(), Loose::numbered(seed));
    for t in 1..=MOST_STEPS {
        let mut all = BTreeMap::new();
        match rules.awaiting(&state) {
            Awaiting::Over { .. } => {
                let view = rules.view(&state, &rules.seats()[0].seat);
                return view.outcome.unwrap().won.map(|(side, _)| side);
            }
            Awaiting::Founding => {}
            Awaiting::Orders { must, .. } => {
                for seat in must {
                    let view = rules.view(&state, &seat);
                    let reading = orders(rules, &view, skills[view.side.unwrap().index()], seed.into());
                    look(&view, &reading);
                    all.insert(seat, reading);
                }
            }
        }
        state = step(rules, &state, t, &mut dice, all);
    }
    panic!("{}: no end after {MOST_STEPS} adjudications", rules.title());
}
