//! The position in play as a unit's leader sees it: what his orders are judged by.

use std::collections::BTreeSet;

use super::Hand;
use crate::data::Dog;
use crate::legality::{Lookout, Mover};
use crate::model::{ArmyId, UnitId};
use crate::scores;
use crate::state::{State, Unit};
use crate::way::Ways;
use musterd_engine::hex::Hex;

/// The field without anybody on it: enough for what a step costs.
pub(super) const fn empty<'a>(rules: &'a Dog, state: &'a State) -> Ways<'a> {
    let (changed, bridges) = (state.changed_ground(), &state.bridges);
    Ways { rules, changed, bridges, taken: BTreeSet::new(), watched: BTreeSet::new() }
}

/// The field as an army sees it: hidden enemies are not there.
pub(super) fn seen_by<'a>(rules: &'a Dog, state: &'a State, army: ArmyId) -> Ways<'a> {
    let battle = rules.battle();
    let mut ways = empty(rules, state);
    for unit in state.units.values() {
        let friend = battle.allied(unit.army, army);
        if friend || !unit.hidden {
            ways.taken.insert(unit.at);
        }
        if !friend && !unit.hidden && unit.captive.is_none() {
            ways.watched.extend(unit.at.around());
        }
    }
    ways
}

/// The true position without hidden enemies: those are met, not known of (ruling DOG-44).
pub(super) struct Outlook<'a> {
    rules: &'a Dog,
    state: &'a State,
    army: ArmyId,
}

impl Outlook<'_> {
    fn is_friend(&self, unit: &Unit) -> bool {
        self.rules.battle().allied(unit.army, self.army)
    }
}

impl Lookout for Outlook<'_> {
    fn ground(&self) -> Ways<'_> {
        empty(self.rules, self.state)
    }

    fn occupant(&self, hex: Hex) -> Option<String> {
        let id = self.state.at(hex)?;
        let unit = self.state.unit(id)?;
        (self.is_friend(unit) || !unit.hidden).then(|| id.to_string())
    }

    fn boats(&self) -> Vec<Hex> {
        self.state.boats.iter().map(|boat| boat.at).collect()
    }

    fn foes(&self) -> Vec<(UnitId, Hex)> {
        let units = self.state.units.iter();
        let foes = units.filter(|(_, unit)| !self.is_friend(unit) && !unit.hidden && unit.captive.is_none());
        foes.map(|(id, unit)| (*id, unit.at)).collect()
    }
}

impl Hand<'_, '_> {
    /// What an army's leader sees.
    pub(super) fn outlook(&self, army: ArmyId) -> Outlook<'_> {
        Outlook { rules: self.rules, state: self.state(), army }
    }

    /// A unit that can act, and what its leader sees.
    pub(super) fn mover(&self, id: UnitId) -> Option<(Mover<'_>, Outlook<'_>)> {
        let unit = self.active(id)?;
        let (at, sorts, hidden) = (unit.at, unit.sorts.as_slice(), unit.hidden);
        let (aboard, points) = (unit.aboard.is_some(), self.points(unit));
        Some((Mover { id, at, sorts, aboard, hidden, points }, self.outlook(unit.army)))
    }

    /// The points that a unit has left this round, in halves.
    pub(super) fn points(&self, unit: &Unit) -> u16 {
        let numbers = self.rules.numbers();
        scores::points(numbers, &unit.sorts, unit.aboard.is_some()).saturating_sub(unit.spent)
    }
}
