//! The sequence of play (manual 5.1), one file a section of the manual.
//!
//! A step carries out phases IV to VI of the side whose turn it is, then phases I to III of the next one, so that every
//! player builds and rallies knowing how his units mustered.

mod allocate;
mod build;
mod combat;
pub(super) mod courier;
mod movement;
mod muster;
mod orders;
mod phasing;
mod reactions;
mod recall;
mod starve;
mod victory;

use super::data::Lga;
use super::event::Event;
use super::model::{Date, Side};
use super::order::Order;
use super::state::State;
use musterd_engine::{Input, Scribe};

/// Plays until somebody has to give orders.
pub(super) fn step(rules: &Lga, scribe: &mut Scribe<'_, Lga>, input: &Input<Order>) {
    if scribe.state().over {
        return;
    }
    orders::file_standing(rules, scribe, input);
    if scribe.state().begun {
        orders::carry_out(rules, scribe, input);
        starve::check(rules, scribe);
        match turn_after(rules, scribe.state()) {
            Some((date, turn, side)) => begin_turn(rules, scribe, date, turn, side),
            None => victory::decide(rules, scribe),
        }
    } else {
        let first = rules.scenario.sides[0].side;
        begin_turn(rules, scribe, rules.scenario.start, 1, first);
    }
}

/// Phases I to III of a player turn.
fn begin_turn(rules: &Lga, scribe: &mut Scribe<'_, Lga>, date: Date, turn: u32, side: Side) {
    scribe.record(Event::TurnBegan { date, turn, side });
    recall::call(rules, scribe);
    victory::count(rules, scribe, side);
    allocate::spring(rules, scribe);
    muster::supply(rules, scribe);
    muster::roll(rules, scribe);
}

/// The next player turn; none after the last one of the scenario.
fn turn_after(rules: &Lga, state: &State) -> Option<(Date, u32, Side)> {
    let sides = &rules.scenario.sides;
    let place = sides.iter().position(|spec| spec.side == state.phasing)?;
    match sides.get(place + 1) {
        Some(next) => Some((state.date, state.turn, next.side)),
        None if state.date < rules.scenario.end => Some((state.date.next(), state.turn + 1, sides[0].side)),
        None => None,
    }
}
