//! Finds the units of an order for `ALL`.

use super::{Piece, Plan};
use crate::model::{Arm, UnitId};
use crate::needs::{can_build, rally_price};
use crate::order::{Act, Path};
use musterd_engine::hex::Hex;

impl Plan<'_> {
    /// The seat's units that an order for `ALL` is for, by number: those that are expected to be in `at`, or anywhere, and for which the order makes
    /// sense. `act` makes the order for a unit.
    ///
    /// A garrison does not belong to `ALL`, so that an army can march away without leaving its cities empty; to move a garrison, its number must be
    /// given.
    pub fn everyone(&self, at: Option<Hex>, act: impl Fn(UnitId) -> Act) -> Vec<UnitId> {
        let ours = self.pieces.values().filter(|piece| self.view.commands(piece.nation));
        let there = ours.filter(|piece| at.is_none_or(|hex| piece.hex == hex));
        let pool = self.view.pool.iter().filter(|unit| self.view.commands(unit.nation));
        let known =
            pool.filter(|unit| can_build(self.rules, unit.id, self.view.date).is_ok()).map(|unit| unit.id);
        let to_build =
            known.filter(|unit| !self.built.contains(unit) && matches!(act(*unit), Act::Build { .. }));
        there
            .filter(|piece| self.concerns(piece, &act(piece.id)))
            .map(|piece| piece.id)
            .chain(to_build)
            .collect()
    }

    fn concerns(&self, piece: &Piece, act: &Act) -> bool {
        let free = !piece.garrison && (piece.ended.is_none() || piece.unsure.is_some());
        match act {
            Act::Rally { .. } => rally_price(self.rules, piece.kind, piece.morale, piece.rallied).is_ok(),
            Act::Move { path: Path::To(goal), .. } => free && piece.hex != *goal,
            Act::Attack { at, .. } => {
                free && piece.kind.arm != Arm::Hq && self.rules.map.touch(piece.hex, *at)
            }
            Act::Garrison { .. } => free && piece.kind.arm.can_garrison(),
            Act::Move { .. } | Act::End { .. } => free,
            Act::Top { .. } | Act::Build { .. } | Act::Aid { .. } | Act::Standing { .. } => false,
        }
    }
}
