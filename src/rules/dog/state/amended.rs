//! Applies the GM's changes to the position.

use super::gone::How;
use super::{Boat, Phase, State, Unit};
use crate::change::Change;
use crate::data::Dog;

impl State {
    pub(super) fn amend(&mut self, rules: &Dog, change: &Change) {
        match change {
            Change::Fighters { unit, sort, fighters } => {
                let place = usize::from(*sort);
                let of = |unit: &Unit| unit.sorts.get(place).cloned();
                let Some(before) = self.units.get(unit).and_then(of) else { return };
                self.note_gone(*unit, &before, before.fighters.saturating_sub(*fighters), How::TakenOff);
                self.take_back(rules, *unit, &before, fighters.saturating_sub(before.fighters));
                self.with(*unit, |unit| {
                    if let (Some(sort), Some(first)) = (unit.sorts.get_mut(place), unit.first.get_mut(place))
                    {
                        (sort.fighters, *first) = (*fighters, *fighters.max(first));
                    }
                });
                self.drop_empty(*unit);
            }
            Change::Shots { unit, sort, shots } => self.with(*unit, |unit| {
                if let Some(left) = unit.shots.get_mut(usize::from(*sort)) {
                    *left = *shots;
                }
            }),
            Change::Place { unit, to } => {
                self.with(*unit, |unit| (unit.aboard, unit.swimming, unit.saved) = (None, 0, None));
                for boat in &mut self.boats {
                    boat.load = boat.load.filter(|load| load != unit);
                }
                self.put(*unit, *to);
            }
            Change::Hidden { unit, hidden } => self.with(*unit, |unit| unit.hidden = *hidden),
            Change::Name { unit, name } => self.with(*unit, |unit| unit.name.clone_from(name)),
            Change::Added { unit, name, sorts, at, hidden } => {
                for sort in sorts {
                    self.take_back(rules, *unit, sort, sort.fighters);
                }
                self.raise(rules, *unit, name.clone(), sorts.clone(), *at, *hidden);
            }
            Change::Removed { unit } => {
                let sorts = self.units.get(unit).map_or_else(Vec::new, |unit| unit.sorts.clone());
                for sort in &sorts {
                    self.note_gone(*unit, sort, sort.fighters, How::TakenOff);
                }
                self.remove(*unit);
            }
            Change::Freed { unit } => self.free(rules, *unit),
            Change::Ground { hex, ground } => _ = self.ground.insert(*hex, *ground),
            Change::Bridge { hex, there } => {
                if *there {
                    self.bridges.insert(*hex);
                } else {
                    self.bridges.remove(hex);
                }
            }
            Change::Boat { hex, there } => {
                self.boats.retain(|boat| boat.at != *hex || boat.load.is_some());
                if *there {
                    self.boats.push(Boat { at: *hex, load: None });
                }
                self.count_boats();
            }
            Change::Leadership { army, leadership } => {
                self.leadership.insert(*army, *leadership);
                if let Some(reckoning) = self.reckonings.iter_mut().find(|own| own.army == *army) {
                    reckoning.after = *leadership;
                }
            }
            Change::Loot { army, loot } => {
                if let Some(ledger) = self.ledgers.get_mut(army) {
                    ledger.loot = *loot;
                }
            }
            Change::Order { order } => self.order.clone_from(order),
            Change::Ruled { ruling } => {
                // Once the moves of a round are over, a ruling on moves is for the next round.
                let later = u16::from(self.phase == Phase::Combat && ruling.is_of_moves());
                self.rulings.push((*ruling, self.round.max(1) + later));
            }
        }
        self.reckon_anew(rules);
    }

    /// Says anew in which boat everybody is: of those behind one that is gone each is another.
    fn count_boats(&mut self) {
        for (place, boat) in (0..).zip(&self.boats) {
            if let Some(unit) = boat.load.and_then(|load| self.units.get_mut(&load)) {
                unit.aboard = Some(place);
            }
        }
    }
}
