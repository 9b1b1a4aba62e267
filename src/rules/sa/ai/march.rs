//! How far it is on foot to those whom an army goes for: around rivers and whatever else a unit may not enter.

use musterd_engine::hex::Hex;
use musterd_kit::way::Ways;

use super::board::Board;
use crate::model::Terrain;

/// A friend who stands two hexes or less from ground that a unit may not enter, on a bridge or waiting for it, holds up whoever comes behind as long as so many
/// steps: by then another way may be better. In the open there is a way around him.
const JAM: u32 = 6;

/// The ways to the nearest of the goals, for each kind of unit by the ground that it may enter.
pub(super) struct Marches(Vec<(Passable, Ways<u32>)>);

type Passable = [bool; Terrain::ALL.len()];

impl Marches {
    /// The ways of all own units.
    pub(super) fn new(board: &Board<'_>, goals: &[usize]) -> Self {
        let field = &board.rules.battle().field;
        let mut marches: Vec<(Passable, Ways<u32>)> = Vec::new();
        for place in &board.own {
            let passable = passable(board, *place);
            if marches.iter().any(|(known, _)| *known == passable) {
                continue;
            }
            let starts = goals.iter().map(|goal| (board.at(*goal), 0));
            let closed = |hex: Hex| field.has(hex) && !passable[field.terrain(hex) as usize];
            let ways = Ways::reach(field.last(), starts, |here, steps| {
                let friend = board.friends.iter().any(|friend| board.at(*friend) == here);
                let narrow = || here.around().any(|hex| hex.around().any(closed));
                let step = if friend && narrow() { 1 + JAM } else { 1 };
                here.around()
                    .filter(|hex| field.has(*hex) && !closed(*hex))
                    .map(move |hex| (hex, steps + step))
            });
            marches.push((passable, ways));
        }
        Self(marches)
    }

    /// How many steps a unit has from a hex to the nearest goal; `None` if it can't get there.
    pub(super) fn steps(&self, board: &Board<'_>, place: usize, hex: Hex) -> Option<u32> {
        let passable = passable(board, place);
        self.0.iter().find(|(known, _)| *known == passable)?.1.cost(hex)
    }
}

fn passable(board: &Board<'_>, place: usize) -> Passable {
    Terrain::ALL.map(|ground| board.step(place, ground).is_some())
}
