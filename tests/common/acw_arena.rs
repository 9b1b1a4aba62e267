//! Whole battles of Decisive Battles between computer commanders, in process: no mail, no store, dice from a numbered seed.
#![allow(dead_code, reason = "each test binary uses some of it")]

use std::collections::BTreeMap;
use std::time::Duration;

use musterd_acw::event::{Event, Outcome};
use musterd_acw::order::Order;
use musterd_acw::view::View;
use musterd_acw::{Acw, Skill, State, shipped};
use musterd_dice::Seat;
use musterd_engine::orders::{Reading, Weight};
use musterd_engine::{Awaiting, Input, Ruleset, Scribe};

use crate::common::Loose;

/// The battles in the order of the guide.
pub(crate) const BATTLES: [&str; 8] = [
    "kellys-mill",
    "bull-run",
    "shiloh",
    "second-manassas",
    "antietam",
    "fredericksburg-assault",
    "fredericksburg",
    "chancellorsville",
];

/// The rules of a shipped battle with these options, as in `block: 3, radio: on`.
pub(crate) fn rules(battle: &str, options: &str) -> Acw {
    let mut files = shipped(battle).unwrap();
    if !options.is_empty() {
        files.0.insert("options.yaml".to_owned(), options.replace(", ", "\n"));
    }
    Acw::from_files(&files, &[]).unwrap_or_else(|errors| panic!("{battle}: {errors}"))
}

/// What a computer commander orders: read without an error or a warning.
pub(crate) fn orders(rules: &Acw, view: &View, skill: Skill, seed: u64) -> Reading<Order> {
    let text = rules.play(view, skill, seed);
    let reading = rules.read_orders(view, &text);
    let doubt = reading.remarks.iter().find(|remark| remark.weight != Weight::Note);
    assert!(doubt.is_none(), "turn {}, {}: {doubt:?}\n{text}", view.turn, view.seat);
    reading
}

/// The position after one more adjudication, and its events.
pub(crate) fn step(
    rules: &Acw,
    state: &State,
    t: u32,
    dice: &mut Loose,
    orders: BTreeMap<Seat, Reading<Order>>,
) -> (State, Vec<Event>) {
    let mut scribe = Scribe::new(rules, state.clone(), t, dice);
    rules.step(&mut scribe, &Input { orders });
    (scribe.state().clone(), scribe.finish())
}

/// What a battle took: time, and men.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Times {
    /// Adjudications.
    pub(crate) turns: u32,
    /// Of the slowest turn, with both armies' orders.
    pub(crate) slowest: Duration,
    /// Choosing and reading orders.
    pub(crate) playing: Duration,
    /// Adjudicating.
    pub(crate) stepping: Duration,
    /// Men of each side who fell to shots and charges: without those who were left of brigades that are gone.
    pub(crate) fell: [u32; 2],
}

/// Plays a battle to its end; a side without a skill gives no orders. `look` sees every view with its orders.
#[expect(clippy::disallowed_methods, reason = "the arena measures time")]
pub(crate) fn play(
    rules: &Acw,
    skills: [Option<Skill>; 2],
    seed: u32,
    mut look: impl FnMut(&View, &Reading<Order>),
) -> (Outcome, Times) {
    let (mut state, mut dice) = (rules.found(), Loose::numbered(seed));
    let mut times = Times::default();
    for t in 1..=200 {
        let mut all = BTreeMap::new();
        let begun = std::time::Instant::now();
        match rules.awaiting(&state) {
            Awaiting::Over { .. } => {
                let view = rules.view(&state, &rules.seats()[0].seat);
                return (view.outcome.unwrap(), times);
            }
            Awaiting::Founding => {}
            Awaiting::Orders { must, .. } => {
                for seat in must {
                    let view = rules.view(&state, &seat);
                    let Some(skill) = skills[view.side.unwrap().index()] else { continue };
                    let reading = orders(rules, &view, skill, seed.into());
                    look(&view, &reading);
                    all.insert(seat, reading);
                }
            }
        }
        let played = begun.elapsed();
        let (after, events) = step(rules, &state, t, &mut dice, all);
        state = after;
        for event in &events {
            if let Event::Fired(shot) = event {
                times.fell[shot.target.side.index()] += shot.lost;
            }
        }
        times.turns += 1;
        times.slowest = times.slowest.max(begun.elapsed());
        times.playing += played;
        times.stepping += begun.elapsed().saturating_sub(played);
    }
    panic!("{}: no end", rules.title());
}
