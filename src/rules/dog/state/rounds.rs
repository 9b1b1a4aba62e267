//! Applies events that concern the whole battle: a round begins, the battle ends.

use super::{Phase, State};
use crate::event::Reckoning;
use crate::model::ArmyId;

impl State {
    /// Begins a round, in which every unit may move and strike again.
    pub(super) fn begin_round(&mut self, round: u16, order: &[ArmyId]) {
        self.round = round;
        self.order = order.to_vec();
        self.phase = Phase::Moves;
        for unit in self.units.values_mut() {
            (unit.spent, unit.moved, unit.stance) = (0, false, None);
            (unit.struck, unit.retaliated, unit.obeys) = (false, false, true);
            unit.pursues = unit.pursues.filter(|(_, until)| *until >= round);
        }
    }

    /// Ends the battle, with what it cost every leader.
    pub(super) fn end(&mut self, winner: Option<String>, reckonings: &[Reckoning]) {
        self.phase = Phase::Over;
        self.winner = winner;
        self.reckonings = reckonings.to_vec();
        for reckoning in reckonings {
            self.leadership.insert(reckoning.army, reckoning.after);
        }
    }
}
