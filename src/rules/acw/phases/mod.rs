//! The course of a turn: the morning, which players see before they order, and the hour itself.

mod combat;
mod command;
mod commanders;
mod dice;
pub mod drill;
mod march;
mod orders;
mod rest;
mod sight;
mod touch;

use musterd_engine::hex::Hex;
use musterd_engine::{Input, Ride, Scribe, Seat};

use crate::data::Acw;
use crate::event::Event;
use crate::model::{HqId, ObjectiveId, Side};
use crate::order::{Command, Goal, Order};
use crate::state::{Phase, State};

/// Runs the founding, or a mail turn: a block of hours (rulings ACW-27, ACW-61).
pub(crate) fn step(rules: &Acw, scribe: &mut Scribe<'_, Acw>, input: &Input<Order>) {
    match scribe.state().phase {
        Phase::Unfounded => {
            scribe.record(Event::Founded);
            morning(rules, scribe, 1);
            sight::look(rules, scribe);
            combat::aim(rules, scribe);
            commanders::choose(rules, scribe);
            stand(rules, scribe);
        }
        Phase::Battle => {
            let (first, last) = (scribe.state().turn, rules.block_from(scribe.state().turn));
            orders::take(rules, scribe, input);
            for turn in first..=last {
                if turn > first {
                    orders::recall(rules, scribe);
                }
                hour(rules, scribe);
                if scribe.state().phase == Phase::Over || (turn < last && stops(scribe.state())) {
                    break;
                }
            }
            stand(rules, scribe);
        }
        Phase::Over => {}
    }
}

/// What players see before they order: arrivals, communications, what headquarters do.
fn morning(rules: &Acw, scribe: &mut Scribe<'_, Acw>, turn: u16) {
    scribe.record(Event::Began { turn });
    command::arrive(rules, scribe);
    touch::check(rules, scribe);
    command::reach(rules, scribe);
    command::pass_on(rules, scribe);
}

/// The hour: fights, moves, rest, sight, the standing; then the next morning or the end.
fn hour(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    let battle = rules.battle();
    let turn = scribe.state().turn;
    combat::fight(rules, scribe);
    if !battle.hour(turn).still {
        march::march(rules, scribe);
    }
    rest::rest(rules, scribe);
    sight::look(rules, scribe);
    score(rules, scribe);
    if turn == battle.last_turn() || scribe.state().resigned.is_some() {
        let outcome = scribe.state().reckoned(battle);
        scribe.record(Event::Ended { outcome });
        return;
    }
    morning(rules, scribe, turn + 1);
    combat::aim(rules, scribe);
    commanders::choose(rules, scribe);
}

/// Whether a side wanted the block to end on contact, and has it.
fn stops(state: &State) -> bool {
    let engaged = |side: Side| state.fielded(side).any(|(_, brigade, _)| brigade.engaged().is_some());
    Side::ALL.into_iter().any(|side| state.stops[side.index()] && engaged(side))
}

/// Who holds the objectives, and what they count (ACW-32, ACW-33).
fn score(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    let battle = rules.battle();
    let turn = scribe.state().turn;
    for (id, objective) in battle.objectives() {
        let state = scribe.state();
        let side = state.control[battle.map.place(objective.hex)];
        if state.holdings[id.place()].holder != side {
            scribe.record(Event::Taken { objective: id, side });
        }
        let (first, last) = objective.turns;
        if (first..=last).contains(&turn) {
            let points = objective.worth[side.index()].turn;
            scribe.record(Event::Scored { objective: id, side, points });
        }
    }
    scribe.record(Event::Closed);
}

/// What each seat's formations are to do for longer than this mail turn.
fn stand(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    let battle = rules.battle();
    for side in Side::ALL {
        for commander in &battle.army(side).commanders {
            let state = scribe.state();
            let is_led = |hq: HqId| battle.leader_of(crate::model::UnitId::Hq(hq)).hq == commander.hq;
            let commands: Vec<(HqId, Command)> = state
                .hqs_of(side)
                .filter(|(id, hq)| !id.is_army() && hq.at.is_some() && is_led(*id))
                .map(|(id, hq)| (id, hq.pending.unwrap_or(hq.command)))
                .collect();
            let objectives: Vec<(crate::model::BrigadeId, ObjectiveId)> = state
                .fielded(side)
                .filter(|(id, ..)| is_led(battle.brigade(*id).over))
                .filter_map(|(id, brigade, _)| Some((id, brigade.objective?)))
                .collect();
            let over = state.phase == Phase::Over;
            let goal = if over { Goal::Stand } else { state.hq(commander.hq).goal };
            let (commands, objectives) = if over { (Vec::new(), Vec::new()) } else { (commands, objectives) };
            scribe.record(Event::Stood { seat: commander.seat.clone(), goal, commands, objectives });
        }
    }
}

/// A courier's way between two commanders: the hexes between their headquarters, and how many of those the enemy of the writer controls or stands next to.
pub(crate) fn ride(rules: &Acw, state: &State, from: &Seat, to: &Seat) -> Option<Ride> {
    let battle = rules.battle();
    let ((side, one), (_, other)) = (battle.commander(from)?, battle.commander(to)?);
    let (here, there) = (state.hq(one.hq).at?, state.hq(other.hq).at?);
    let enemy = side.other();
    let foes: Vec<Hex> = state.fielded(enemy).map(|(_, _, at)| at).collect();
    let is_perilous = |hex: Hex| {
        state.control[battle.map.place(hex)] == enemy || foes.iter().any(|foe| foe.distance(hex) <= 1)
    };
    let way = here.line(there).map(|(hex, _)| hex).filter(|hex| battle.map.has(*hex));
    let perils = way.chain([there]).filter(|hex| is_perilous(*hex)).count();
    Some(Ride { hexes: here.distance(there), perils: u32::try_from(perils).unwrap_or(u32::MAX) })
}
