//! The course of a turn: the morning, before players order; the hour itself; blocks of hours.

mod arrive;
mod close;
mod combat;
mod command;
mod courier;
mod dice;
pub mod drill;
mod headquarters;
mod march;
mod orders;
mod rest;
mod set;
mod sight;
pub(crate) mod touch;
mod walk;

use musterd_engine::{Input, Scribe};

use crate::data::Acw;
use crate::event::Event;
use crate::order::Order;
use crate::state::{Phase, State};

pub(crate) use courier::ride;

/// Runs the rules until the next wait.
pub(crate) fn step(rules: &Acw, scribe: &mut Scribe<'_, Acw>, input: &Input<Order>) {
    match scribe.state().phase {
        Phase::Unfounded => {
            scribe.record(Event::Founded);
            morning(rules, scribe, 1);
            close::stand(rules, scribe);
        }
        Phase::Battle => block(rules, scribe, input),
        Phase::Over => {}
    }
}

/// A mail turn: hour after hour, until its last one, contact where a side asked for that, or the end of the battle.
fn block(rules: &Acw, scribe: &mut Scribe<'_, Acw>, input: &Input<Order>) {
    let last = rules.block_from(scribe.state().turn);
    let mut told = orders::take(rules, scribe, input);
    loop {
        let turn = scribe.state().turn;
        let near = orders::contacts(rules, scribe.state());
        hour(rules, scribe);
        if turn == rules.battle().last_turn() || scribe.state().resigned.is_some() {
            let outcome = scribe.state().reckoned(rules.battle());
            scribe.record(Event::Ended { outcome });
            return;
        }
        let stops = orders::stops(rules, scribe.state(), &near);
        morning(rules, scribe, turn + 1);
        if turn >= last || stops {
            close::stand(rules, scribe);
            return;
        }
        orders::again(rules, scribe, &mut told);
    }
}

/// What happens before players order: reinforcements come, communications are tried, commanders command, whoever is near the enemy is engaged, and every
/// brigade gets its order.
pub(super) fn morning(rules: &Acw, scribe: &mut Scribe<'_, Acw>, turn: u16) {
    scribe.record(Event::Began { turn });
    arrive::arrive(rules, scribe);
    touch::check(rules, scribe);
    command::morning(rules, scribe);
    combat::aim(rules, scribe);
    set::set(rules, scribe);
}

/// An hour: combat, movement, rest, sight, points. In a no-move turn nobody fights or moves (ACW-61).
pub(super) fn hour(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    orders::profiles(scribe);
    if !is_still(rules, scribe.state()) {
        combat::fight(rules, scribe);
        march::march(rules, scribe);
    }
    rest::rest(rules, scribe);
    sight::check(rules, scribe);
    close::close(rules, scribe);
}

/// Whether nobody moves in this turn.
fn is_still(rules: &Acw, state: &State) -> bool {
    rules.battle().hour(state.turn).still
}
