//! The beginner: every unit goes for the nearest enemy, and bows and slings shoot at him.

use super::board::{Board, charge};
use crate::law;
use crate::order::{Act, Order, Stance, Task};

/// His orders.
pub(super) fn orders(board: &Board<'_>) -> Vec<Order> {
    // Whoever arrives in the mail turn goes for the enemy at once.
    let arrives = |place: &usize| board.tell(*place, &charge(Vec::new(), Stance::Charge));
    let of = |place: usize| {
        let Some(foe) = board.nearest(place) else { return Vec::new() };
        let id = board.rules.battle().units[foe].id;
        let shoots = board.range(place) > 1;
        let fires = shoots && law::fire(board.rules, &board.position, place, foe).is_ok();
        let wanted = match (shoots, fires) {
            _ if board.rules.battle().units[place].likeness => charge(Vec::new(), Stance::Avoid),
            (_, true) => charge(vec![Task::plain(Act::Fire(id))], Stance::Advance(None)),
            (true, false) => charge(Vec::new(), Stance::Advance(None)),
            (false, false) => charge(vec![Task::plain(Act::Attack(id))], Stance::Charge),
        };
        board.tell(place, &wanted)
    };
    board.coming.iter().flat_map(arrives).chain(board.own.iter().copied().flat_map(of)).collect()
}
