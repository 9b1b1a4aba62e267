//! How far it is on foot to those whom an army goes for: around rivers and whatever else a unit may not enter.

use musterd_engine::hex::Hex;
use musterd_kit::way::Ways;

use super::board::Board;
use crate::model::Terrain;

/// A friend who stands two hexes or less from ground that a unit may not enter, on a bridge or waiting for it, holds up whoever comes behind as long as so many
/// steps: by then another way may be better. In the open there is a way around him.
const JAM: u32 = 6;

/// The ways to the nearest of the goals, for each kind of unit by the ground that it may enter.
pub(super) struct Marches {
    kinds: Vec<(Passable, Ways<u32>)>,
    /// The kind of each unit; `None` for those without a way.
    of: Vec<Option<usize>>,
}

type Passable = [bool; Terrain::ALL.len()];

impl Marches {
    /// The ways of all own units.
    pub(super) fn new(board: &Board<'_>, goals: &[usize]) -> Self {
        let field = &board.rules.battle().field;
        let mut kinds: Vec<(Passable, Ways<u32>)> = Vec::new();
        let mut of = vec![None; board.rules.battle().units.len()];
        for place in &board.own {
            let passable = passable(board, *place);
            let known = kinds.iter().position(|(known, _)| *known == passable);
            of[*place] = Some(known.unwrap_or(kinds.len()));
            if known.is_some() {
                continue;
            }
            let starts = goals.iter().map(|goal| (board.at(*goal), 0));
            let closed = |hex: Hex| field.has(hex) && !passable[field.terrain(hex) as usize];
            let ways = Ways::reach(field.last(), starts, |here, steps| {
                let there = board.position.unit_at(board.rules, here);
                let friend = there.is_some_and(|there| board.friends.contains(&there));
                let narrow = || here.around().any(|hex| hex.around().any(closed));
                let step = if friend && narrow() { 1 + JAM } else { 1 };
                here.around()
                    .filter(|hex| field.has(*hex) && !closed(*hex))
                    .map(move |hex| (hex, steps + step))
            });
            kinds.push((passable, ways));
        }
        Self { kinds, of }
    }

    /// How many steps a unit has from a hex to the nearest goal; `None` if it can't get there.
    pub(super) fn steps(&self, place: usize, hex: Hex) -> Option<u32> {
        self.kinds[self.of[place]?].1.cost(hex)
    }
}

fn passable(board: &Board<'_>, place: usize) -> Passable {
    Terrain::ALL.map(|ground| board.step(place, ground).is_some())
}
