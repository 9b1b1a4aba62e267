//! Whole games of La Grande Armée between computer players, in process: no mail, no store, dice from a numbered seed.
//! `benches/tournament.rs` plays with it too.
#![allow(dead_code, reason = "each test binary uses some of it")]

use std::collections::BTreeMap;

use musterd_dice::Seat;
use musterd_engine::orders::{Reading, Weight};
use musterd_engine::{Awaiting, Input, Ruleset, Scribe};
use musterd_lga::event::Event;
use musterd_lga::model::{Level, Side};
use musterd_lga::order::Order;
use musterd_lga::view::View;
use musterd_lga::{Lga, Skill, State, shipped};

use crate::common::Loose;

/// The scenarios in the manual's order, 1 to 7.
pub(crate) const SCENARIOS: [&str; 7] = [
    "austrian-1805",
    "prussian-1806",
    "spanish-1808",
    "danube-1809",
    "russian-1812",
    "nations-1814",
    "waterloo-1815",
];

/// Adjudications in a game at most: the longest scenario has eight seasons of two turns.
const MOST_STEPS: u32 = 40;

/// Who plays a side: nobody is a player who never writes.
pub(crate) type Players = BTreeMap<Side, Option<Skill>>;

/// A player on each side.
pub(crate) fn players(french: Option<Skill>, allied: Option<Skill>) -> Players {
    BTreeMap::from([(Side::French, french), (Side::Allied, allied)])
}

/// How a game ended for each side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Victory points and level at the last count.
    pub(crate) sides: BTreeMap<Side, (i32, Level)>,
}

impl Outcome {
    /// By how much a side is ahead: a hundred for each level of victory, and the victory points. The higher level wins
    /// (manual 5.2); points tell games of equal levels apart.
    pub(crate) fn margin(&self, of: Side) -> i32 {
        let score = |(points, level): &(i32, Level)| *level as i32 * 100 + points;
        self.sides.iter().map(|(side, end)| if *side == of { score(end) } else { -score(end) }).sum()
    }
}

/// Something that looks on.
pub(crate) trait Onlooker {
    /// What a computer player sends, and what the reader makes of it.
    fn orders(&mut self, _view: &View, _text: &str, _reading: &Reading<Order>) {}

    /// One adjudication: the position before it, and its events.
    fn adjudicated(&mut self, _rules: &Lga, _before: &State, _events: &[Event]) {}
}

/// Nobody looks on.
pub(crate) struct Nobody;

impl Onlooker for Nobody {}

/// A scenario's rules, with a seat a side.
pub(crate) fn rules(scenario: &str) -> Lga {
    Lga::from_files(&shipped(scenario).unwrap(), &[]).unwrap()
}

/// Plays a game to its end. `seed` fixes the dice and breaks the players' ties.
pub(crate) fn play(rules: &Lga, players: &Players, seed: u32, onlooker: &mut impl Onlooker) -> Outcome {
    let mut state = rules.found();
    let mut dice = Loose::numbered(seed);
    for t in 1..=MOST_STEPS {
        let mut orders = BTreeMap::new();
        match rules.awaiting(&state) {
            Awaiting::Over { .. } => return outcome(rules, &state),
            Awaiting::Founding => {}
            Awaiting::Orders { .. } => {
                for spec in rules.seats() {
                    let view = rules.view(&state, &spec.seat);
                    let Some(skill) = players[&view.side] else { continue };
                    let text = rules.play(&view, skill, u64::from(seed));
                    let reading = rules.read_orders(&view, &text);
                    onlooker.orders(&view, &text, &reading);
                    orders.insert(spec.seat.clone(), reading);
                }
            }
        }
        let mut scribe = Scribe::new(rules, state.clone(), t, &mut dice);
        rules.step(&mut scribe, &Input { orders });
        let before = std::mem::replace(&mut state, scribe.state().clone());
        onlooker.adjudicated(rules, &before, &scribe.finish());
    }
    panic!("{}: no end after {MOST_STEPS} adjudications", rules.title());
}

fn outcome(rules: &Lga, state: &State) -> Outcome {
    let seat: Seat = rules.seats()[0].seat.clone();
    let ends = rules.view(state, &seat).victory.into_iter().map(|v| (v.side, (v.points, v.level)));
    Outcome { sides: ends.collect() }
}

/// The errors that a reader finds in computer players' orders.
#[derive(Default)]
pub(crate) struct Proofreader(pub(crate) Vec<String>);

impl Onlooker for Proofreader {
    fn orders(&mut self, view: &View, text: &str, reading: &Reading<Order>) {
        for remark in reading.remarks.iter().filter(|r| r.weight == Weight::Error) {
            self.0.push(format!("{} {}: {remark:?}\n{text}", view.seat, view.date));
        }
    }
}
