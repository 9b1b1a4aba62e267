//! Draws an army up: heavy and medium infantry in the middle of the front, those who shoot beside it, cavalry on the wings.

use std::collections::BTreeSet;

use musterd_engine::hex::Hex;

use crate::battle::{Edge, Field, Spec};
use crate::model::{Missile, UnitType};
use crate::numbers::Numbers;

/// How many hexes apart the fronts are where no scenario says where armies stand.
const APART: u8 = 7;

/// The hexes of a side where no scenario says where it stands: from its edge to its front.
pub(super) fn band(field: &Field, home: Edge) -> Vec<Hex> {
    let depth = match home {
        Edge::North | Edge::South => field.rows,
        Edge::East | Edge::West => field.columns,
    };
    let front = u32::from(depth.saturating_sub(APART + 1) / 2);
    field.hexes().filter(|hex| field.from(*hex, home) <= front).collect()
}

/// Where units are drawn up.
pub(super) struct Area<'a> {
    pub(super) numbers: &'a Numbers,
    pub(super) field: &'a Field,
    /// The edge behind them.
    pub(super) home: Edge,
    /// Their hexes.
    pub(super) hexes: Vec<Hex>,
}

impl Area<'_> {
    /// Gives each of these units a hex that nobody has and that it may enter.
    ///
    /// # Errors
    /// The first unit for which there is no room.
    pub(super) fn draw_up(&self, units: &mut [&mut Spec], taken: &mut BTreeSet<Hex>) -> Result<(), usize> {
        let ideals = self.ideals(units);
        for (unit, ideal) in ideals {
            let kind = units[unit].kind;
            let clear = self.numbers.clear(kind);
            let unfit = |hex: Hex| {
                let cost = self.numbers.cost(kind, self.field.terrain(hex))?;
                Some(u32::from(cost.saturating_sub(clear)) / 3 + hex.distance(ideal))
            };
            let free = self.hexes.iter().filter(|hex| !taken.contains(hex));
            let best = free.filter_map(|hex| Some((unfit(*hex)?, *hex))).min();
            let (_, hex) = best.ok_or(unit)?;
            taken.insert(hex);
            units[unit].at = Some(hex);
        }
        Ok(())
    }

    /// The hex that each unit would have on open ground, in the order in which they choose.
    fn ideals(&self, units: &[&mut Spec]) -> Vec<(usize, Hex)> {
        let along = |hex: &Hex| match self.home {
            Edge::North | Edge::South => hex.col,
            Edge::East | Edge::West => hex.row,
        };
        let (Some(first), Some(last)) =
            (self.hexes.iter().map(along).min(), self.hexes.iter().map(along).max())
        else {
            return (0..units.len()).map(|unit| (unit, Hex::new(1, 1))).collect();
        };
        let front = self.hexes.iter().map(|hex| self.field.from(*hex, self.home)).max().unwrap_or(0);
        let width = usize::from(last - first) + 1;
        // No rank takes more than three quarters of the width.
        let ranks = (units.len() * 4).div_ceil(width * 3).max(1);
        let mut beside = 0;
        let mut ideals = Vec::new();
        for part in [Part::Centre, Part::Shooters, Part::Wings] {
            let mut own: Vec<usize> =
                (0..units.len()).filter(|unit| Part::of(units[*unit]) == part).collect();
            own.sort_by_key(|unit| (units[*unit].kind, units[*unit].class, *unit));
            let frontage = own.len().div_ceil(ranks).max(1);
            for (number, unit) in own.iter().enumerate() {
                let (rank, file) = (number / frontage, number % frontage);
                // To the left and to the right in turn, from the middle on.
                let off = beside + file.div_ceil(2) + usize::from(part != Part::Centre && file % 2 == 0);
                let off = i64::try_from(off).unwrap_or(0) * if file % 2 == 0 { 1 } else { -1 };
                let middle = i64::from(first) + i64::from(last - first) / 2;
                ideals.push((*unit, self.hex(middle + off, i64::from(front) - rank as i64)));
            }
            beside += match part {
                _ if own.is_empty() => 0,
                Part::Centre => frontage / 2,
                Part::Shooters | Part::Wings => frontage.div_ceil(2),
            };
        }
        ideals
    }

    /// The hex so far along the front and so far from the home edge, or the nearest to it that the field has.
    fn hex(&self, along: i64, depth: i64) -> Hex {
        let (columns, rows) = (i64::from(self.field.columns), i64::from(self.field.rows));
        let (col, row) = match self.home {
            Edge::North => (along, 1 + depth),
            Edge::South => (along, rows - depth),
            Edge::West => (1 + depth, along),
            Edge::East => (columns - depth, along),
        };
        let within = |n: i64, most: i64| u8::try_from(n.clamp(1, most.max(1))).unwrap_or(1);
        Hex::new(within(col, columns), within(row, rows))
    }
}

/// A part of the order of battle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Centre,
    Shooters,
    Wings,
}

impl Part {
    const fn of(spec: &Spec) -> Self {
        match (spec.kind, spec.missile) {
            (kind, _) if kind.is_cavalry() => Self::Wings,
            (UnitType::Li, _) | (_, Some(Missile::Bow | Missile::Rocks)) => Self::Shooters,
            _ => Self::Centre,
        }
    }
}
