//! What events do to units: they come, go, part, fall, are freed.

use std::collections::BTreeSet;

use super::gone::How;
use super::{Boat, Phase, State, Unit, loot};
use crate::amend::Change;
use crate::data::Dog;
use crate::event::Strike;
use crate::legality::crew;
use crate::model::{Sort, Terrain, UnitId};
use crate::scores;
use musterd_engine::hex::Hex;

impl State {
    pub(super) fn with(&mut self, id: UnitId, change: impl FnOnce(&mut Unit)) {
        if let Some(unit) = self.units.get_mut(&id) {
            change(unit);
        }
    }

    pub(super) fn raise(
        &mut self,
        rules: &Dog,
        id: UnitId,
        name: String,
        sorts: Vec<Sort>,
        at: Hex,
        hidden: bool,
    ) {
        let Some(army) = rules.battle().lettered(id.army).map(|army| army.id) else { return };
        let shots =
            |sort: &Sort| scores::distance(rules.numbers(), sort).map_or(0, |distance| distance.shots);
        let unit = Unit {
            army,
            name,
            shots: sorts.iter().map(shots).collect(),
            first: sorts.iter().map(|sort| sort.fighters).collect(),
            sorts,
            at,
            hidden,
            spent: 0,
            moved: false,
            saved: None,
            stance: None,
            struck: false,
            retaliated: false,
            obeys: true,
            pursues: None,
            guards: None,
            captive: None,
            aboard: None,
            swimming: 0,
        };
        self.taken.insert(at, id);
        self.units.insert(id, unit);
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

    /// Makes a strike so; `counted` where those who struck could count the dead.
    pub(super) fn wound(&mut self, rules: &Dog, strike: &Strike, counted: bool) {
        // By letter: of two who strike at the same time one may be gone already.
        let army = |id: UnitId| rules.battle().lettered(id.army).map(|army| army.id);
        let (Some(by), Some(on)) = (army(strike.by), army(strike.on)) else { return };
        if let Some(ledger) = self.ledgers.get_mut(&by) {
            ledger.inflicted += u64::from(strike.hp);
            ledger.counted += if counted { u64::from(strike.hp) } else { 0 };
        }
        if let Some(ledger) = self.ledgers.get_mut(&on) {
            ledger.lost += u64::from(strike.hp);
        }
        self.kill(strike.on, &strike.killed, How::Struck { by });
    }

    pub(super) fn kill(&mut self, id: UnitId, killed: &[u16], how: How) {
        let Some(unit) = self.units.get(&id) else { return };
        for (sort, dead) in unit.sorts.clone().iter().zip(killed) {
            self.note_gone(id, sort, sort.fighters.min(*dead), how);
        }
        self.with(id, |unit| {
            for (sort, dead) in unit.sorts.iter_mut().zip(killed) {
                sort.fighters = sort.fighters.saturating_sub(*dead);
            }
        });
        self.drop_empty(id);
    }

    /// Drops the sorts of a unit of which nobody is left; a unit of which nobody is left leaves the field.
    fn drop_empty(&mut self, id: UnitId) {
        self.with(id, keep_sorts);
        if self.units.get(&id).is_some_and(|unit| unit.fighters() == 0) {
            self.remove(id);
        }
    }

    /// Takes a unit off the field.
    fn remove(&mut self, id: UnitId) {
        let Some(unit) = self.units.remove(&id) else { return };
        if self.taken.get(&unit.at) == Some(&id) {
            self.taken.remove(&unit.at);
        }
        for boat in &mut self.boats {
            boat.load = boat.load.filter(|load| *load != id);
        }
    }

    pub(super) fn free(&mut self, rules: &Dog, id: UnitId) {
        let loot = self.units.get(&id).map_or(0, |unit| loot(rules, unit));
        let captor = self.units.get(&id).and_then(|unit| unit.captive);
        self.with(id, |unit| unit.captive = None);
        // The loot goes with the captive (ruling DOG-28: those who are freed are not looted).
        let army = captor.and_then(|captor| rules.battle().lettered(captor.army)).map(|army| army.id);
        if let Some(ledger) = army.and_then(|army| self.ledgers.get_mut(&army)) {
            ledger.loot = ledger.loot.saturating_sub(loot);
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
            ground.is_none_or(|ground| ground.terrain == Terrain::Water)
        };
        let carried = unit.aboard.is_some() || self.bridges.contains(&unit.at);
        !carried && water(unit.at) && rules.battle().field.around(unit.at).all(water)
    }

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
                // Once the moves are over, the next ones are those of the round after.
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

/// Drops sorts of which nobody is left, with what is counted beside them.
fn keep_sorts(unit: &mut Unit) {
    let kept: Vec<bool> = unit.sorts.iter().map(|sort| sort.fighters > 0).collect();
    fn retain<T>(list: &mut Vec<T>, kept: &[bool]) {
        let mut kept = kept.iter();
        list.retain(|_| kept.next().copied().unwrap_or(true));
    }
    retain(&mut unit.sorts, &kept);
    retain(&mut unit.shots, &kept);
    retain(&mut unit.first, &kept);
}
