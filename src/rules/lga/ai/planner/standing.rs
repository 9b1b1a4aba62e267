//! Standing orders by which the units of a stack relieve each other on top, so that no round meets a tired defender.

use std::collections::BTreeMap;

use super::super::Player;
use crate::model::Arm;
use crate::order::{Act, Reaction, Trigger};
use crate::plan::Piece;
use crate::read::written_reaction;
use musterd_engine::hex::Hex;

/// The most units that relieve each other in one stack.
const RELIEFS: usize = 5;
/// The distance within which enemies may attack.
const NEAR: u32 = 6;

impl Player<'_> {
    /// Puts the best unit of each stack under threat on top, and lets the next one take its place once it is attacked.
    pub(in super::super) fn reliefs(&mut self) -> Vec<String> {
        let mut stacks: BTreeMap<Hex, Vec<Piece>> = BTreeMap::new();
        let fit = |piece: &&Piece| piece.kind.arm != Arm::Hq && !piece.garrison && piece.morale >= 2;
        for piece in self.plan.pieces().filter(fit) {
            stacks.entry(piece.hex).or_default().push(piece.clone());
        }
        let mut lines = Vec::new();
        for (hex, mut units) in stacks {
            let ours = units.iter().all(|piece| self.view.commands(piece.nation));
            if units.len() < 2 || !ours || self.to_enemy(hex) > NEAR {
                continue;
            }
            units.sort_by_key(|piece| (-piece.morale, piece.fatigue, piece.id));
            units.truncate(RELIEFS);
            if self.view.phasing == Some(self.view.side) {
                self.order(Act::Top { unit: units[0].id, at: None });
            }
            let next = units.iter().cycle().skip(1);
            lines.extend(units.iter().zip(next).map(|(unit, next)| {
                let reaction = Reaction::Top { unit: next.id, at: None };
                written_reaction(reaction, Trigger::UnitAttacked { unit: unit.id })
            }));
        }
        lines
    }
}
