//! Applies the GM's changes to the position.

use super::{State, Unit};
use crate::change::Change;

impl State {
    /// Applies a GM's change.
    pub(crate) fn amend(&mut self, change: &Change) {
        match *change {
            Change::Morale { unit, morale } => self.unit_mut(unit).morale = morale,
            Change::Fatigue { unit, fatigue } => self.unit_mut(unit).fatigue = fatigue,
            Change::Moves { unit, left } => {
                let unit = self.unit_mut(unit);
                (unit.left, unit.ended) = (left, unit.ended && left == 0);
            }
            Change::Placed { unit, at, morale, left } => {
                if self.unit(unit).at.is_none() {
                    *self.unit_mut(unit) = Unit { morale, left, ..Unit::default() };
                }
                self.shift(unit, at);
            }
            Change::Topped { unit } => {
                if let Some(at) = self.unit(unit).at {
                    self.lift(unit);
                    self.put_on_top(unit, at);
                }
            }
            Change::Pooled { unit } => self.destroy(unit),
            Change::Garrison { unit, garrison } => self.unit_mut(unit).garrison = garrison,
            Change::Supplied { unit, supplied } => self.unit_mut(unit).cut_off = !supplied,
            Change::Rallied { unit, rallied } => self.unit_mut(unit).rallied = rallied,
            Change::Points { nation, points } => drop(self.points.insert(nation, points)),
            Change::Victory { side, points } => drop(self.victory.insert(side, points)),
            Change::Control { at, side } => drop(self.control.insert(at, side)),
        }
    }
}
