//! Attacks on enemies in sight: concentrate with a headquarters next to them, then attack round after round in good order.

use super::Player;
use crate::model::{Arm, UnitId};
use crate::order::{Act, Guard, HexIs, Limit, Path};
use crate::plan::Piece;
use musterd_engine::hex::Hex;

/// The least sum of modifiers with which the first unit attacks.
const WANTED: i8 = 2;
/// Rounds that one unit fights in an assault.
const ROUNDS: u8 = 4;

/// A planned assault on one hex.
struct Assault {
    at: Hex,
    from: Hex,
    hq: Option<UnitId>,
    /// The attackers in their order, each with what it expects to add to the die.
    units: Vec<(UnitId, i8)>,
    score: i32,
}

impl Player<'_> {
    /// Makes the best assault that is likely to succeed, until there is none.
    pub(super) fn assault(&mut self) {
        let enemies = self.view.enemies.keys();
        let sites: Vec<(Hex, Hex)> =
            enemies.flat_map(|at| self.rules.map.neighbours(*at).map(|from| (*at, from))).collect();
        for _ in 0..6 {
            let idle = self.idle();
            let best = sites
                .iter()
                .filter_map(|(at, from)| self.consider(*at, *from, &idle))
                .max_by_key(|assault| (assault.score, self.lot(assault.from)));
            match best {
                Some(assault) => self.make(&assault),
                None => return,
            }
        }
    }

    /// Whether a unit may get to a hex with a move left.
    fn may_reach(&self, piece: &Piece, hex: Hex) -> bool {
        piece.hex.distance(hex) < u32::from(piece.left)
            || self.rules.footings.has_free_steps(piece.traveller())
    }

    /// An assault on `at` from `from` with all units that can get there with a move left, if it is likely to succeed.
    fn consider(&self, at: Hex, from: Hex, idle: &[UnitId]) -> Option<Assault> {
        let there = |piece: &&Piece| {
            self.may_reach(piece, from) && self.reach(piece).left_at(from).is_some_and(|left| left > 0)
        };
        let pieces: Vec<&Piece> = idle.iter().filter_map(|id| self.plan.piece(*id)).filter(there).collect();
        if pieces.is_empty() {
            return None;
        }
        let hq = pieces.iter().filter(|p| p.kind.arm == Arm::Hq).max_by_key(|p| (p.modifier, p.id));
        let here = self.plan.pieces().filter(|p| p.hex == from).map(|p| p.modifier).max().unwrap_or(0);
        let help = hq.map_or(0, |p| p.modifier).max(here) - here;
        // As if the top unit were unhurt.
        let morale = self.view.enemies.get(&at).map_or(0, |top| self.rules.stats(top.kind).max_morale);
        let mut units: Vec<(UnitId, i8)> = pieces
            .iter()
            .filter(|p| p.kind.arm != Arm::Hq && p.morale >= 2)
            .filter(|p| !(p.garrison && self.swing(p.hex) > 0))
            .map(|p| (p.id, self.plan.odds(&p.standing_at(from), at).sum() + help - morale))
            .collect();
        // The best first: it wears the top unit down, and tired defenders make the rest's odds better.
        units.sort_by_key(|(id, net)| (std::cmp::Reverse(*net), *id));
        let first = units.first()?.1;
        let count = self.enemy_count(at);
        let enough = units.iter().filter(|(_, net)| *net >= WANTED - 1).count();
        let needed = usize::try_from(count.saturating_mul(2).div_ceil(3)).unwrap_or(usize::MAX).max(1);
        if first < WANTED || enough < needed {
            return None;
        }
        units.retain(|(_, net)| *net >= WANTED - 2);
        units.truncate(needed * 2 + 1);
        let nation = self.plan.piece(units.first()?.0)?.nation;
        if !self.supplied(nation, from, &[from].into()) {
            return None;
        }
        let value = i32::try_from(count).unwrap_or(0) * 2 + self.swing(at) * 3;
        let score = value + i32::from(first) * 2 + i32::try_from(units.len()).unwrap_or(0);
        Some(Assault { at, from, hq: hq.map(|p| p.id), units, score })
    }

    fn make(&mut self, assault: &Assault) {
        let Assault { at, from, hq, ref units, .. } = *assault;
        if let Some(hq) = hq {
            self.send(hq, from);
            self.used.push(hq);
        }
        for (unit, _) in units {
            self.send(*unit, from);
            self.used.push(*unit);
        }
        let limit = Limit { rounds: ROUNDS, while_morale: Some(2), while_odds: None };
        for (unit, _) in units {
            self.order(Act::Attack { unit: *unit, at, limit, enter: true });
        }
        if let Some(hq) = hq {
            let guard = Guard { hex: at, is: HexIs::Controlled };
            self.order_if(Some(guard), Act::Move { unit: hq, path: Path::To(at) });
        }
    }
}
