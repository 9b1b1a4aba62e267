//! What armies see of each other's units, and remember of those that have hidden.

use std::collections::BTreeMap;

use super::memory::Memory;
use super::{State, Unit};
use crate::change::Change;
use crate::data::Dog;
use crate::event::{Event, Strike};
use crate::model::{ArmyId, Sort, UnitId, Waiting};
use crate::scores;
use crate::view::{Count, LastCounted, LastSeen, SeenUnit};
use musterd_engine::hex::Hex;
use musterd_kit::seen::Sighting;

impl Unit {
    /// Whether an army sees the unit: its own and its allies' always, others in the open.
    pub(crate) fn is_seen(&self, rules: &Dog, army: ArmyId) -> bool {
        rules.battle().allied(army, self.army) || !self.hidden
    }
}

impl State {
    /// A unit of somebody else's as an army sees it.
    pub(crate) fn seen_unit(&self, rules: &Dog, army: ArmyId, unit: &Unit) -> SeenUnit {
        SeenUnit {
            army: unit.army,
            name: unit.name.clone(),
            kinds: unit.sorts.iter().map(|sort| (sort.troop, sort.elite)).collect(),
            count: self.count(rules, army, unit),
            at: unit.at,
            hidden: unit.hidden,
            captive: unit.captive,
            aboard: unit.aboard.is_some(),
        }
    }

    /// The number of fighters in a unit as an army sees it: exact for allies, and for enemies next to one of its own or its allies' units.
    fn count(&self, rules: &Dog, army: ArmyId, unit: &Unit) -> Count {
        let fighters = unit.fighters();
        if rules.battle().allied(army, unit.army) || self.is_beside(rules, army, unit.at) {
            return Count::Exactly(fighters);
        }
        // The bands refer to the largest unit of this type, because the size of its fighters is not seen.
        let (numbers, scale) = (rules.numbers(), rules.battle().scale);
        let room = |sort: &Sort| scores::capacity(numbers, scale, &Sort { size: None, ..sort.clone() });
        let full = unit.sorts.iter().map(room).max().unwrap_or(1);
        let band = bands(full).into_iter().find(|(_, most)| fighters <= *most);
        match band.unwrap_or((1, fighters)) {
            (least, most) if least >= most => Count::Exactly(fighters),
            (least, most) => Count::About(least, most),
        }
    }

    /// The enemies that have hidden since an army saw them, and may be where they hid.
    pub(crate) fn out_of_sight(&self, rules: &Dog, army: ArmyId) -> BTreeMap<UnitId, LastSeen> {
        let is_in_sight = |id: UnitId| self.unit(id).is_some_and(|unit| unit.is_seen(rules, army));
        let Some(memory) = self.memories.get(&army) else { return BTreeMap::new() };
        let hid = memory.hid.out_of_sight(is_in_sight);
        let may_be_there = |hex: Hex| self.at(hex).is_none_or(|other| !is_in_sight(other));
        hid.filter(|(_, sighting)| may_be_there(sighting.at))
            .map(|(id, sighting)| (id, LastSeen { unit: sighting.what.clone(), round: sighting.when }))
            .collect()
    }

    /// The enemies in sight whom an army counted before and doesn't now.
    pub(crate) fn last_counted(&self, rules: &Dog, army: ArmyId) -> BTreeMap<UnitId, LastCounted> {
        let Some(memory) = self.memories.get(&army) else { return BTreeMap::new() };
        let guessed = |id: UnitId| {
            let seen = self.unit(id).filter(|unit| unit.is_seen(rules, army));
            seen.is_some_and(|unit| matches!(self.count(rules, army, unit), Count::About(..)))
        };
        memory.counted.iter().map(|(id, counted)| (*id, *counted)).filter(|(id, _)| guessed(*id)).collect()
    }

    /// Remembers what armies see of each other's units by an event that is about to happen.
    pub(super) fn remember(&mut self, rules: &Dog, event: &Event) {
        if self.to_show {
            let mut showing = std::mem::take(&mut self.showing);
            if let Event::Amended { .. } = event {
                showing.changes(|| self.shows(rules));
            } else {
                self.to_show = false;
                for (army, shown) in showing.told(self.shows(rules)) {
                    let memory = self.memories.entry(army).or_default();
                    for unit in shown.doubtful {
                        memory.hid.forget(unit);
                        memory.counted.remove(&unit);
                    }
                    for (id, unit) in &shown.pieces {
                        if let Count::Exactly(fighters) = unit.count {
                            memory.count(*id, fighters, self.round);
                        }
                    }
                    memory.report = shown.pieces;
                }
            }
            self.showing = showing;
        }
        match event {
            Event::RoundBegan { .. } => self.to_show = true,
            Event::MovesEnded => self.to_show = rules.battle().by_phase,
            Event::Hid { unit, .. } => self.lose_sight(rules, *unit),
            Event::Revealed { unit, .. }
            | Event::Surrendered { unit, .. }
            | Event::Amended {
                change: Change::Hidden { unit, hidden: false } | Change::Captured { unit, .. },
            } => {
                self.memories.values_mut().for_each(|memory| memory.hid.forget(*unit));
            }
            Event::Moved { unit, to: at, .. }
            | Event::Landed { unit, to: at, .. }
            | Event::Boarded { unit, at, .. }
            | Event::Dismounted { unit, at, .. }
            | Event::Amended { change: Change::Place { unit, to: at } | Change::Aboard { unit, at } } => {
                if let Some(unit) = self.unit(*unit) {
                    let (army, hidden) = (unit.army, unit.hidden);
                    self.find_empty(rules, army, hidden, *at);
                }
            }
            Event::Amended { change: Change::Added(new) } => {
                if let Some(army) = rules.battle().army_of(new.unit) {
                    self.find_empty(rules, army, new.hidden, new.at);
                }
            }
            _ => {}
        }
        self.keep_counts(rules, event);
    }

    /// What armies are told of the numbers of each other's units by an event that is about to happen, and which they don't know any more after it
    /// (ruling DOG-45).
    fn keep_counts(&mut self, rules: &Dog, event: &Event) {
        match event {
            Event::StruckFleeing { strike } | Event::Shot { strike, .. } => self.count_struck(rules, strike),
            Event::Exchanged { strike, answer, .. } => {
                std::iter::once(strike).chain(answer).for_each(|strike| self.count_struck(rules, strike));
            }
            Event::Drowned { unit, killed, .. } => {
                self.count_leaving(rules, *unit, killed.iter().sum(), None);
            }
            Event::Split { unit, part, fighters, .. } => {
                self.count_leaving(rules, *unit, fighters.iter().sum(), Some(*part));
            }
            Event::Amended { change: Change::Fighters { unit, sort, fighters } } => {
                let sorts = || self.unit(*unit).into_iter().flat_map(|unit| &unit.sorts).enumerate();
                let now = |(place, own): (usize, &Sort)| {
                    if place == usize::from(*sort) { *fighters } else { own.fighters }
                };
                let all: u16 = sorts().map(now).sum();
                self.tell_enemies(rules, *unit, |_, memory, round, counts| {
                    memory.counted.remove(unit);
                    if counts && all > 0 {
                        memory.count(*unit, all, round);
                    }
                });
            }
            // Out of sight its number may change untold; another may get the name of one that is gone.
            Event::Hid { unit, .. }
            | Event::Amended {
                change:
                    Change::Hidden { unit, hidden: true }
                    | Change::Added(Waiting { unit, .. })
                    | Change::Removed { unit },
            } => {
                for memory in self.memories.values_mut() {
                    memory.counted.remove(unit);
                }
            }
            _ => {}
        }
    }

    /// Those who can count the dead of a strike know how many are left: by the report if they took part in it, else if they knew before.
    fn count_struck(&mut self, rules: &Dog, strike: &Strike) {
        let killed = strike.killed.iter().sum();
        let battle = rules.battle();
        let by = battle.army_of(strike.by);
        self.tell_enemies(rules, strike.on, |army, memory, round, counts| {
            memory.lessen(strike.on, counts.then_some(killed), round);
            if counts && strike.left > 0 && by.is_some_and(|by| battle.allied(army, by)) {
                memory.count(strike.on, strike.left, round);
            }
        });
    }

    /// Some leave a unit: those who can count them know how many are left, if they knew before.
    fn count_leaving(&mut self, rules: &Dog, unit: UnitId, leave: u16, part: Option<UnitId>) {
        self.tell_enemies(rules, unit, |_, memory, round, counts| {
            memory.lessen(unit, counts.then_some(leave), round);
            if let Some(part) = part.filter(|_| counts) {
                memory.count(part, leave, round);
            }
        });
    }

    /// Tells the memory of each enemy of a unit what happens to it, with the round and whether that army can count the unit.
    fn tell_enemies(
        &mut self,
        rules: &Dog,
        id: UnitId,
        mut tell: impl FnMut(ArmyId, &mut Memory, u16, bool),
    ) {
        let Some(Unit { army: own, hidden, at, .. }) = self.unit(id) else { return };
        let (own, hidden, at) = (*own, *hidden, *at);
        let armies = rules.battle().armies().iter().map(|army| army.id);
        for army in armies.filter(|army| !rules.battle().allied(*army, own)) {
            // Nobody is told of a hidden unit's number, however near he is.
            let counts = !hidden && self.is_beside(rules, army, at);
            tell(army, self.memories.entry(army).or_default(), self.round, counts);
        }
    }

    /// What each leader's report of the position shows of his enemies.
    fn shows(&self, rules: &Dog) -> BTreeMap<ArmyId, BTreeMap<UnitId, SeenUnit>> {
        let report = |army: ArmyId| {
            let enemy = |unit: &Unit| !rules.battle().allied(army, unit.army);
            let seen = self.units.iter().filter(|(_, unit)| enemy(unit) && !unit.hidden);
            seen.map(|(id, unit)| (*id, self.seen_unit(rules, army, unit))).collect()
        };
        rules.battle().armies().iter().map(|army| (army.id, report(army.id))).collect()
    }

    /// Whoever sees a unit of this army come to a hex knows that nobody hides there.
    fn find_empty(&mut self, rules: &Dog, of: ArmyId, hidden: bool, at: Hex) {
        for (army, memory) in &mut self.memories {
            if !hidden || rules.battle().allied(*army, of) {
                memory.hid.forget_where(|_, sighting| sighting.at == at);
            }
        }
    }

    /// A unit goes out of its enemies' sight: they saw where it was, and how strong it was by their last report.
    fn lose_sight(&mut self, rules: &Dog, id: UnitId) {
        let Some((army, at)) = self.unit(id).filter(|unit| !unit.hidden).map(|unit| (unit.army, unit.at))
        else {
            return;
        };
        for (of, memory) in &mut self.memories {
            let unit = memory.report.get(&id).filter(|_| !rules.battle().allied(*of, army));
            let Some(unit) = unit else { continue };
            let told = memory.counted.get(&id).map(|counted| Count::Exactly(counted.fighters));
            let what = SeenUnit { at, count: told.unwrap_or(unit.count), ..unit.clone() };
            memory.hid.see(id, Sighting { at, when: self.round, shown: true, what });
        }
    }
}

/// The bands by which the strength of a distant unit is guessed, for a full unit of this size: up to an eighth of it, a quarter, a half, or more
/// (ruling DOG-45). A band with a single number would reveal it, so it is merged with the next; only a unit that can't hold two fighters is known by
/// its band.
fn bands(full: u16) -> Vec<(u16, u16)> {
    let edge = |eighths: u32| u16::try_from(u32::from(full) * eighths / 8).unwrap_or(full);
    let mut bands: Vec<(u16, u16)> = Vec::new();
    let mut least = 1;
    for most in [edge(1), edge(2), edge(4), full] {
        if most > least {
            bands.push((least, most));
            least = most + 1;
        }
    }
    if least <= full {
        match bands.last_mut() {
            Some(last) => last.1 = full,
            None => bands.push((1, full)),
        }
    }
    bands
}

#[cfg(test)]
mod tests {
    use super::bands;

    /// Ruling DOG-45.
    #[test]
    fn no_band_tells_the_number_of_a_distant_unit() {
        for full in 2..=200 {
            let bands = bands(full);
            assert!(bands.iter().all(|(least, most)| least < most), "{full}: {bands:?}");
            let numbers: Vec<u16> = bands.iter().flat_map(|(least, most)| *least..=*most).collect();
            assert_eq!(numbers, (1..=full).collect::<Vec<_>>(), "{full}: {bands:?}");
        }
        assert_eq!(bands(20), [(1, 2), (3, 5), (6, 10), (11, 20)]);
        assert_eq!(bands(10), [(1, 2), (3, 5), (6, 10)]);
        assert_eq!(bands(4), [(1, 2), (3, 4)]);
        assert_eq!(bands(1), [(1, 1)]);
    }
}
