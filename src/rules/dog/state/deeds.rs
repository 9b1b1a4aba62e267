//! What events do to units: they come, go, part, fall, are freed.

use std::collections::BTreeSet;

use super::{Boat, Phase, State, Unit, loot};
use crate::hex::Hex;
use crate::rules::dog::amend::Change;
use crate::rules::dog::data::Dog;
use crate::rules::dog::event::{Reckoning, Strike};
use crate::rules::dog::model::{ArmyId, Sort, Terrain, UnitId};
use crate::rules::dog::scores;

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
        let Some((index, crew)) = unit.sorts.iter().enumerate().find_map(|(i, sort)| Some((i, sort.crew?)))
        else {
            return;
        };
        let mut foot = unit.clone();
        foot.sorts =
            vec![Sort { troop: crew, crew: None, size: None, people: None, ..unit.sorts[index].clone() }];
        foot.first = vec![unit.sorts[index].fighters];
        // The shots are the crew's (ruling DOG-26).
        foot.shots = vec![unit.shots[index]];
        (foot.moved, foot.at, foot.saved, foot.aboard) = (true, at, None, None);
        unit.sorts[index].crew = None;
        unit.shots[index] = 0;
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
        let (by, on) = (army(strike.by), army(strike.on));
        if let Some(ledger) = by.and_then(|army| self.ledgers.get_mut(&army)) {
            ledger.inflicted += u64::from(strike.hp);
            ledger.counted += if counted { u64::from(strike.hp) } else { 0 };
        }
        if let Some(ledger) = on.and_then(|army| self.ledgers.get_mut(&army)) {
            ledger.lost += u64::from(strike.hp);
        }
        self.kill(strike.on, &strike.killed);
    }

    pub(super) fn kill(&mut self, id: UnitId, killed: &[u16]) {
        let Some(unit) = self.units.get_mut(&id) else { return };
        for (sort, dead) in unit.sorts.iter_mut().zip(killed) {
            sort.fighters = sort.fighters.saturating_sub(*dead);
        }
        keep_sorts(unit);
        if unit.fighters() == 0 {
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
    pub(in crate::rules::dog) fn in_deep_water(&self, rules: &Dog, id: UnitId) -> bool {
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
                self.with(*unit, |unit| {
                    if let Some(sort) = unit.sorts.get_mut(usize::from(*sort)) {
                        sort.fighters = *fighters;
                    }
                    keep_sorts(unit);
                });
                if self.units.get(unit).is_some_and(|unit| unit.fighters() == 0) {
                    self.remove(*unit);
                }
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
                self.raise(rules, *unit, name.clone(), sorts.clone(), *at, *hidden);
            }
            Change::Removed { unit } => self.remove(*unit),
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
                self.reckon_anew(*army, |reckoning| reckoning.after = *leadership);
            }
            Change::Loot { army, loot } => {
                if let Some(ledger) = self.ledgers.get_mut(army) {
                    ledger.loot = *loot;
                }
                self.reckon_anew(*army, |reckoning| reckoning.loot = *loot);
            }
            Change::Order { order } => self.order.clone_from(order),
            Change::Ruled { ruling } => {
                // Once the moves are over, the next ones are those of the round after.
                let later = u16::from(self.phase == Phase::Combat && ruling.is_of_moves());
                self.rulings.push((*ruling, self.round.max(1) + later));
            }
        }
    }

    /// Says anew in which boat everybody is: of those behind one that is gone each is another.
    fn count_boats(&mut self) {
        for (place, boat) in (0..).zip(&self.boats) {
            if let Some(unit) = boat.load.and_then(|load| self.units.get_mut(&load)) {
                unit.aboard = Some(place);
            }
        }
    }

    /// Changes what the battle cost an army, once it is over.
    fn reckon_anew(&mut self, army: ArmyId, change: impl FnOnce(&mut Reckoning)) {
        if let Some(reckoning) = self.reckonings.iter_mut().find(|reckoning| reckoning.army == army) {
            change(reckoning);
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
