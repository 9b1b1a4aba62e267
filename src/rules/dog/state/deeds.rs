//! Applies events that change the places of units: they come, move, split, leave the field.

use std::collections::BTreeSet;

use super::{State, Unit};
use crate::data::Dog;
use crate::model::{UnitId, Waiting};
use crate::scores::{self, crew};
use musterd_engine::hex::Hex;

impl State {
    pub(super) fn with(&mut self, id: UnitId, change: impl FnOnce(&mut Unit)) {
        if let Some(unit) = self.units.get_mut(&id) {
            change(unit);
        }
    }

    pub(super) fn raise(&mut self, rules: &Dog, unit: &Waiting) {
        let Waiting { unit: id, name, sorts, at, hidden } = unit.clone();
        let Some(army) = rules.battle().army_of(id) else { return };
        let shots = sorts.iter().map(|sort| scores::shots(rules.numbers(), sort)).collect();
        self.taken.insert(at, id);
        self.units.insert(id, Unit { shots, hidden, ..Unit::new(army, name, sorts, at) });
    }

    /// Puts a unit into another hex, its boat with it.
    pub(super) fn put(&mut self, id: UnitId, to: Hex) {
        let Some(unit) = self.units.get_mut(&id) else { return };
        if self.taken.get(&unit.at) == Some(&id) {
            self.taken.remove(&unit.at);
        }
        unit.at = to;
        self.taken.insert(to, id);
        if let Some(boat) = unit.aboard.and_then(|boat| self.boats.get_mut(usize::from(boat))) {
            boat.at = to;
        }
    }

    /// One step of a march.
    pub(super) fn step(&mut self, id: UnitId, to: Hex, spent: u16) {
        self.put(id, to);
        self.with(id, |unit| {
            unit.spent = unit.spent.saturating_add(spent);
            unit.saved = None;
            unit.moved = true;
        });
    }

    /// A unit goes aboard.
    pub(super) fn board(&mut self, id: UnitId, boat: u8, at: Hex) {
        self.put(id, at);
        self.with(id, |unit| (unit.aboard, unit.moved, unit.swimming) = (Some(boat), true, 0));
        if let Some(boat) = self.boats.get_mut(usize::from(boat)) {
            boat.load = Some(id);
        }
    }

    /// A unit goes ashore.
    pub(super) fn land(&mut self, id: UnitId, boat: u8, to: Hex) {
        self.with(id, |unit| (unit.aboard, unit.moved) = (None, true));
        if let Some(boat) = self.boats.get_mut(usize::from(boat)) {
            boat.load = None;
        }
        self.put(id, to);
    }

    /// A part of a unit stays in its hex; the rest is about to leave it.
    pub(super) fn split(&mut self, id: UnitId, part: UnitId, at: Hex, fighters: &[u16]) {
        let Some(unit) = self.units.get_mut(&id) else { return };
        let mut rest = unit.clone();
        for ((sort, stay), counts) in unit.sorts.iter_mut().zip(fighters).zip(unit.first.iter_mut()) {
            sort.fighters = sort.fighters.saturating_sub(*stay);
            *counts = counts.saturating_sub(*stay);
        }
        keep_sorts(unit);
        for ((sort, stay), counts) in rest.sorts.iter_mut().zip(fighters).zip(rest.first.iter_mut()) {
            (sort.fighters, *counts) = (*stay, *stay);
        }
        keep_sorts(&mut rest);
        (rest.moved, rest.at, rest.saved, rest.aboard) = (true, at, None, None);
        self.note_part(id, part);
        self.taken.insert(at, part);
        self.units.insert(part, rest);
    }

    /// The crew of chariots becomes a unit of its own.
    pub(super) fn dismount(&mut self, id: UnitId, part: UnitId, at: Hex, spent: u16) {
        let Some(unit) = self.units.get_mut(&id) else { return };
        let sorts = crew(&unit.sorts);
        if sorts.is_empty() {
            return;
        }
        let mut foot = unit.clone();
        foot.first = sorts.iter().map(|sort| sort.fighters).collect();
        foot.sorts = sorts;
        foot.shots.clear();
        // The shots are the crew's (ruling DOG-26).
        for (sort, shots) in unit.sorts.iter_mut().zip(&mut unit.shots) {
            if sort.crew.take().is_some() {
                foot.shots.push(std::mem::take(shots));
            }
        }
        (foot.moved, foot.at, foot.saved, foot.aboard) = (true, at, None, None);
        unit.spent = unit.spent.saturating_add(spent);
        self.note_part(id, part);
        self.taken.insert(at, part);
        self.units.insert(part, foot);
    }

    /// Names of parts are used once; a leader's word for a unit is one for its part (ruling DOG-15).
    fn note_part(&mut self, id: UnitId, part: UnitId) {
        self.if_attacked.values_mut().for_each(|said| said.inherit(id, part));
        let used = self.parts.entry(UnitId { part: 0, ..part }).or_default();
        *used = (*used).max(part.part);
    }

    /// Drops the sorts of a unit of which nobody is left; a unit of which nobody is left leaves the field.
    pub(super) fn drop_empty(&mut self, id: UnitId) {
        self.with(id, keep_sorts);
        if self.units.get(&id).is_some_and(|unit| unit.fighters() == 0) {
            self.remove(id);
        }
    }

    /// Takes a unit off the field.
    pub(super) fn remove(&mut self, id: UnitId) {
        let Some(unit) = self.units.remove(&id) else { return };
        if self.taken.get(&unit.at) == Some(&id) {
            self.taken.remove(&unit.at);
        }
        for boat in &mut self.boats {
            boat.load = boat.load.filter(|load| *load != id);
        }
    }

    /// Counts the rounds that units are in deep water (ruling DOG-24).
    pub(super) fn tread_water(&mut self, rules: &Dog) {
        let deep: BTreeSet<UnitId> =
            self.units.keys().copied().filter(|id| self.in_deep_water(rules, *id)).collect();
        for (id, unit) in &mut self.units {
            unit.swimming = if deep.contains(id) { unit.swimming + 1 } else { 0 };
        }
    }

    /// Whether a unit swims with no land next to it (ruling DOG-24).
    pub(crate) fn in_deep_water(&self, rules: &Dog, id: UnitId) -> bool {
        let Some(unit) = self.units.get(&id) else { return false };
        let water = |hex| {
            let ground = self.ground(rules, hex);
            ground.is_none_or(|ground| rules.numbers().cover(ground.terrain).is_water())
        };
        let carried = unit.aboard.is_some() || self.works.bridges.contains(&unit.at);
        !carried && water(unit.at) && rules.battle().field.around(unit.at).all(water)
    }
}

/// Drops sorts of which nobody is left, with what is counted beside them.
fn keep_sorts(unit: &mut Unit) {
    let kept: Vec<bool> = unit.sorts.iter().map(|sort| sort.fighters > 0).collect();
    fn retain<T>(list: &mut Vec<T>, kept: &[bool]) {
        debug_assert_eq!(list.len(), kept.len(), "one for each sort");
        let mut kept = kept.iter();
        list.retain(|_| kept.next().copied().unwrap_or(true));
    }
    retain(&mut unit.sorts, &kept);
    retain(&mut unit.shots, &kept);
    retain(&mut unit.first, &kept);
}
