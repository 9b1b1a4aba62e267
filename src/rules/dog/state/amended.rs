//! Applies the GM's changes to the position.

use super::gone::How;
use super::{Boat, State, loot};
use crate::change::Change;
use crate::data::Dog;
use crate::model::UnitId;
use crate::view::Wait;
use musterd_engine::hex::Hex;

impl State {
    pub(super) fn amend(&mut self, rules: &Dog, change: &Change) {
        match change {
            Change::Fighters { unit, sort, fighters } => {
                if self.recount(rules, *unit, usize::from(*sort), *fighters).is_none() {
                    return;
                }
            }
            Change::Shots { unit, sort, shots } => self.with(*unit, |unit| {
                if let Some(left) = unit.shots.get_mut(usize::from(*sort)) {
                    *left = *shots;
                }
            }),
            Change::Place { unit, to } => self.put_ashore(*unit, *to),
            Change::Aboard { unit, at } => {
                self.put_ashore(*unit, *at);
                if let Some((place, boat)) = (0..).zip(&mut self.boats).find(|(_, boat)| boat.at == *at) {
                    boat.load = Some(*unit);
                    self.with(*unit, |unit| unit.aboard = Some(place));
                }
            }
            Change::Hidden { unit, hidden } => self.with(*unit, |unit| unit.hidden = *hidden),
            Change::Name { unit, name } => self.with(*unit, |unit| unit.name.clone_from(name)),
            Change::Added(unit) => {
                for sort in &unit.sorts {
                    self.take_back(rules, unit.unit, sort, sort.fighters);
                }
                self.raise(rules, unit);
            }
            Change::Removed { unit } => {
                let sorts = self.units.get(unit).map_or_else(Vec::new, |unit| unit.sorts.clone());
                for sort in &sorts {
                    self.note_gone(*unit, sort, sort.fighters, How::TakenOff);
                }
                self.remove(*unit);
            }
            Change::Freed { unit } => self.free(rules, *unit),
            Change::Captured { unit, captor } => {
                let loot = self.units.get(unit).map_or(0, |unit| loot(rules, unit));
                self.take_prisoner(*unit, *captor, loot);
            }
            Change::Ground { hex, ground } => _ = self.works.changed.insert(*hex, *ground),
            Change::Bridge { hex, there: true } => _ = self.works.bridges.insert(*hex),
            Change::Bridge { hex, there: false } => _ = self.works.bridges.remove(hex),
            Change::Crossing { a, b, there: true } => _ = self.works.crossings.insert((*a, *b)),
            Change::Crossing { a, b, there: false } => _ = self.works.crossings.remove(&(*a, *b)),
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
            Change::Loot { army, loot } => self.ledger(*army).loot = *loot,
            Change::Order { order } => self.order.clone_from(order),
            Change::Ruled { ruling } => {
                // Once the moves of a round are over, a ruling on moves is for the next round.
                let later = u16::from(self.wait == Wait::Combat && ruling.is_of_moves());
                self.rulings.push((*ruling, self.round.max(1) + later));
            }
        }
        self.reckon_anew(rules);
    }

    /// Says how many of a sort are left in a unit; `None` if there is no such sort.
    fn recount(&mut self, rules: &Dog, id: UnitId, place: usize, fighters: u16) -> Option<()> {
        let before = self.units.get(&id)?.sorts.get(place)?.clone();
        self.note_gone(id, &before, before.fighters.saturating_sub(fighters), How::TakenOff);
        self.take_back(rules, id, &before, fighters.saturating_sub(before.fighters));
        self.with(id, |unit| {
            if let (Some(sort), Some(first)) = (unit.sorts.get_mut(place), unit.first.get_mut(place)) {
                (sort.fighters, *first) = (fighters, fighters.max(*first));
            }
        });
        self.drop_empty(id);
        Some(())
    }

    /// Puts a unit into another hex, out of the boat that carries it.
    fn put_ashore(&mut self, id: UnitId, to: Hex) {
        self.with(id, |unit| (unit.aboard, unit.swimming, unit.saved) = (None, 0, None));
        for boat in &mut self.boats {
            boat.load = boat.load.filter(|load| *load != id);
        }
        self.put(id, to);
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
