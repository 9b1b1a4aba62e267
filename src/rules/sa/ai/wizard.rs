//! A hunted wizard and his likenesses (SA-32): he multiplies while nobody is near, and all of them run for their own edge by different ways, so that nobody
//! sees who is real; there they leave as soon as they may.

use musterd_engine::hex::Hex;
use musterd_kit::way::Ways;

use super::board::{Board, charge};
use crate::law;
use crate::model::Way;
use crate::order::{Act, Charge, Stance, Task};

/// So far away an enemy leaves time for a spell, in hexes.
const CALM: u32 = 6;
/// What a hex farther from the nearest enemy is worth in time-points of way to the edge, up to [`CALM`].
const SAFETY: i64 = 14;
/// What a hex farther from the nearest of the others is worth, up to [`ALONE`].
const APART: i64 = 3;
/// So far from the others is far enough, in hexes.
const ALONE: u32 = 4;
/// The way to the edge where there is none, in time-points: longer than any.
const NO_WAY: i64 = 999;

/// What the wizard, or a likeness of him, does. If nobody wins by his death he keeps out of the way, and no more.
pub(super) fn charge_of(board: &mut Board<'_>, place: usize) -> Charge {
    let Some(hunt) = board.hunt() else { return charge(Vec::new(), Stance::Avoid) };
    let stands = board.at(place);
    let home = board.rules.battle().army(hunt.side).home;
    let near = clearance(board, place, stands);
    if near >= CALM
        && let Some(way) = room(board, place)
    {
        return charge(vec![Task::plain(Act::Liken(way))], Stance::Avoid);
    }
    if board.rules.battle().field.is_at(stands, home) && board.to > hunt.leaves {
        let wait = (board.due(place) <= hunt.leaves).then_some(Act::Until(hunt.leaves + 1));
        return charge(wait.into_iter().chain([Act::Leave]).map(Task::plain).collect(), Stance::Avoid);
    }
    let to = refuge(board, place);
    let tasks = if to == stands { Vec::new() } else { vec![Task::plain(Act::To(to))] };
    board.move_to(place, to);
    charge(tasks, Stance::Avoid)
}

/// How far the nearest enemy is from a hex.
fn clearance(board: &Board<'_>, place: usize, hex: Hex) -> u32 {
    law::clearance(board.rules, &board.position, place, hex)
}

/// A way in which the wizard can make a likeness: the one that leads farthest from all enemies.
fn room(board: &Board<'_>, place: usize) -> Option<Way> {
    let open = |way: Way| {
        let (_, hex) = law::liken(board.rules, &board.position, board.view.real, place, way).ok()?;
        Some((clearance(board, place, hex), way))
    };
    Way::ALL.into_iter().filter_map(open).max_by_key(|(clear, _)| *clear).map(|(_, way)| way)
}

/// The hex that the unit goes to: within what it can walk in the mail turn, near to the edge by its way, far from enemies and from the others.
fn refuge(board: &Board<'_>, place: usize) -> Hex {
    let (rules, stands) = (board.rules, board.at(place));
    let field = &rules.battle().field;
    let home = rules.battle().army(board.side).home;
    let exits = field.hexes().filter(|hex| field.is_at(*hex, home)).map(|hex| (hex, 0_u32));
    let exits = exits.filter(|(hex, _)| board.step(place, field.terrain(*hex)).is_some());
    let ways = Ways::reach(field.last(), exits, |hex, cost| {
        let step = board.step(place, field.terrain(hex)).map(|step| cost + u32::from(step));
        hex.around()
            .filter_map(move |next| Some((next, step?)))
            .filter(|(next, _)| board.step(place, field.terrain(*next)).is_some() && field.has(*next))
    });
    let others: Vec<Hex> = (0..rules.battle().units.len())
        .filter(|other| *other != place && rules.battle().units[*other].likeness)
        .filter_map(|other| board.position.units[other].at)
        .collect();
    let worth = |hex: Hex| {
        let way = ways.cost(hex).map_or(NO_WAY, i64::from);
        let safe = i64::from(clearance(board, place, hex).min(CALM)) * SAFETY;
        let apart = others.iter().map(|other| other.distance(hex)).min().unwrap_or(ALONE);
        safe + i64::from(apart.min(ALONE)) * APART - way
    };
    let within = board.reach(place).into_iter().map(|reached| reached.hex);
    within.max_by_key(|hex| (worth(*hex), *hex == stands)).unwrap_or(stands)
}
