//! The whole position of a battle, hidden units too. It can't be formatted or serialised: only `fog.rs` looks out of it.

use std::collections::{BTreeMap, BTreeSet};

use super::amend::{Change, Ruling};
use super::battle::Ground;
use super::data::Dog;
use super::event::{Event, Reckoning, Stance, Strike, Waiting};
use super::model::{ArmyId, Relief, Sort, Terrain, UnitId};
use super::scores;
use crate::hex::Hex;

/// Where a battle is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Before the founding.
    Unfounded,
    /// Unit records are mailed.
    SetUp,
    /// Moves are mailed, and combat orders with them unless the battle is by phase.
    Moves,
    /// Combat orders are mailed.
    Combat,
    /// Over.
    Over,
}

/// The position of one battle.
#[derive(Clone)]
pub struct State {
    pub(super) phase: Phase,
    /// Which round, from 1; 0 before the first.
    pub(super) round: u16,
    /// The armies in the order in which they act this round.
    pub(super) order: Vec<ArmyId>,
    /// Units on the field, captives too.
    pub(super) units: BTreeMap<UnitId, Unit>,
    /// The last part that split off each unit.
    parts: BTreeMap<UnitId, u8>,
    /// Who stands where. Nobody shares a hex (manual 1).
    taken: BTreeMap<Hex, UnitId>,
    /// Ground that the GM changed.
    ground: BTreeMap<Hex, Ground>,
    pub(super) bridges: BTreeSet<Hex>,
    pub(super) boats: Vec<Boat>,
    /// Units that several armies put into one hex, by unit: their leaders place them anew (manual 4.6).
    pub(super) waiting: BTreeMap<UnitId, Waiting>,
    /// What leaders' units do if attacked before they strike: whether they keep to their attack.
    pub(super) keep: BTreeMap<ArmyId, BTreeMap<Option<UnitId>, bool>>,
    pub(super) ledgers: BTreeMap<ArmyId, Ledger>,
    pub(super) leadership: BTreeMap<ArmyId, u32>,
    /// Rulings of the GM on the orders to come.
    pub(super) rulings: Vec<Ruling>,
    pub(super) reckonings: Vec<Reckoning>,
    pub(super) winner: Option<String>,
}

/// A boat (ruling DOG-35).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Boat {
    pub(super) at: Hex,
    pub(super) load: Option<UnitId>,
}

/// A unit on the field.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) army: ArmyId,
    pub(super) name: String,
    pub(super) sorts: Vec<Sort>,
    /// Volleys that each sort has left.
    pub(super) shots: Vec<u16>,
    /// How many each sort had at first.
    pub(super) first: Vec<u16>,
    pub(super) at: Hex,
    pub(super) hidden: bool,
    /// Halves of points spent this round.
    pub(super) spent: u16,
    /// Whether it has had its move this round.
    pub(super) moved: bool,
    /// Points saved toward a hex (ruling DOG-13), in halves.
    pub(super) saved: Option<(Hex, u16)>,
    /// How it stands in this round's combat, once that is settled.
    pub(super) stance: Option<Stance>,
    /// Whether it has struck or shot this round.
    pub(super) struck: bool,
    /// Whether it has retaliated this round.
    pub(super) retaliated: bool,
    /// Whether it obeys this round.
    pub(super) obeys: bool,
    /// Whom it pursues, and until the end of which round (ruling DOG-17).
    pub(super) pursues: Option<(UnitId, u16)>,
    /// Until the end of which round it guards prisoners (ruling DOG-28).
    pub(super) guards: u16,
    /// Whose prisoner it is.
    pub(super) captive: Option<UnitId>,
    /// In which boat it is.
    pub(super) aboard: Option<u8>,
    /// Rounds in deep water.
    pub(super) swimming: u16,
}

impl Unit {
    /// How many fighters.
    pub(super) fn fighters(&self) -> u16 {
        self.sorts.iter().map(|sort| sort.fighters).sum()
    }
}

/// What an army's battle cost so far, in hit points.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Ledger {
    /// Lost to enemies and to the water.
    pub(super) lost: u64,
    /// Of these, lost to the water.
    pub(super) drowned: u64,
    /// Taken from enemies.
    pub(super) inflicted: u64,
    /// Money from prisoners.
    pub(super) loot: u64,
}

impl State {
    /// The position before the founding.
    pub(super) fn at_start(rules: &Dog) -> Self {
        let battle = rules.battle();
        let armies = || battle.armies().iter();
        Self {
            phase: Phase::Unfounded,
            round: 0,
            order: armies().map(|army| army.id).collect(),
            units: BTreeMap::new(),
            parts: BTreeMap::new(),
            taken: BTreeMap::new(),
            ground: BTreeMap::new(),
            bridges: battle.field.bridges.clone(),
            boats: battle.field.boats.iter().map(|at| Boat { at: *at, load: None }).collect(),
            waiting: BTreeMap::new(),
            keep: BTreeMap::new(),
            ledgers: armies().map(|army| (army.id, Ledger::default())).collect(),
            leadership: armies().map(|army| (army.id, army.leadership)).collect(),
            rulings: Vec::new(),
            reckonings: Vec::new(),
            winner: None,
        }
    }

    /// A unit on the field.
    pub(super) fn unit(&self, id: UnitId) -> Option<&Unit> {
        self.units.get(&id)
    }

    /// A unit on the field that is nobody's prisoner.
    pub(super) fn active(&self, id: UnitId) -> Option<&Unit> {
        self.units.get(&id).filter(|unit| unit.captive.is_none())
    }

    /// Who stands in a hex.
    pub(super) fn at(&self, hex: Hex) -> Option<UnitId> {
        self.taken.get(&hex).copied()
    }

    /// What a hex is; none off the field.
    pub(super) fn ground(&self, rules: &Dog, hex: Hex) -> Option<Ground> {
        self.ground.get(&hex).copied().or_else(|| rules.battle().field.ground(hex))
    }

    /// Hexes that the GM changed.
    pub(super) fn changed_ground(&self) -> impl Iterator<Item = (Hex, Ground)> + '_ {
        self.ground.iter().map(|(hex, ground)| (*hex, *ground))
    }

    /// The ground under a unit.
    pub(super) fn footing(&self, rules: &Dog, unit: &Unit) -> Ground {
        let plain = Ground { terrain: Terrain::Clear, relief: Relief::Plains, walls: None };
        let ground = self.ground(rules, unit.at).unwrap_or(plain);
        // On a bridge and aboard a boat there is no water (ruling DOG-35).
        if unit.aboard.is_some() || self.bridges.contains(&unit.at) { plain } else { ground }
    }

    /// The enemies of a unit next to a hex that can fight and are in the open.
    pub(super) fn enemies_next_to(&self, rules: &Dog, of: UnitId, hex: Hex) -> Vec<UnitId> {
        let hostile = |id: &UnitId| {
            rules.battle().hostile(of, *id) && self.active(*id).is_some_and(|unit| !unit.hidden)
        };
        let mut found: Vec<UnitId> = hex.around().filter_map(|hex| self.at(hex)).filter(hostile).collect();
        found.sort_unstable();
        found
    }

    /// Whether a unit keeps to its attack if it is attacked before (ruling DOG-15): what was said of it, or of all, or yes.
    pub(super) fn keeps(&self, army: ArmyId, unit: UnitId) -> bool {
        let said = self.keep.get(&army);
        let of = |unit: Option<UnitId>| said.and_then(|said| said.get(&unit)).copied();
        of(Some(unit)).or_else(|| of(None)).unwrap_or(true)
    }

    /// The name of the next part that splits off a unit.
    pub(super) fn next_part(&self, id: UnitId) -> Option<UnitId> {
        // Parts of parts are named after the first of them: E3b, E3c. A name is never given twice.
        let used = self.parts.get(&UnitId { part: 0, ..id }).copied().unwrap_or(0).max(id.part);
        (used < UnitId::PARTS).then_some(UnitId { part: used + 1, ..id })
    }

    /// The ego of all of an army's units (ruling DOG-21).
    pub(super) fn ego(&self, rules: &Dog, army: ArmyId) -> u64 {
        let own = self.units.values().filter(|unit| unit.army == army && unit.captive.is_none());
        own.flat_map(|unit| &unit.sorts).map(|sort| scores::ego(rules.numbers(), sort)).sum()
    }

    /// Makes an event so.
    pub(super) fn apply(&mut self, rules: &Dog, event: &Event) {
        match event {
            Event::SetUpBegan => self.phase = Phase::SetUp,
            Event::Raised { unit, name, sorts, at, hidden } => {
                self.raise(rules, *unit, name.clone(), sorts.clone(), *at, *hidden);
            }
            Event::Clashed { units, .. } => {
                self.phase = Phase::SetUp;
                self.waiting.extend(units.iter().map(|unit| (unit.unit, unit.clone())));
            }
            Event::SetUpEnded => self.waiting.clear(),
            Event::Revealed { unit, .. } => self.with(*unit, |unit| unit.hidden = false),
            Event::Hid { unit, .. } => self.with(*unit, |unit| {
                unit.hidden = true;
                unit.moved = true;
            }),
            Event::InitiativeThrown { order, .. } => self.order.clone_from(order),
            Event::RoundBegan { round, order } => {
                self.round = *round;
                self.order.clone_from(order);
                self.phase = Phase::Moves;
                for unit in self.units.values_mut() {
                    (unit.spent, unit.moved, unit.stance) = (0, false, None);
                    (unit.struck, unit.retaliated, unit.obeys) = (false, false, true);
                    unit.pursues = unit.pursues.filter(|(_, until)| *until >= *round);
                }
            }
            Event::ObedienceTested { unit, obeys, .. } => self.with(*unit, |unit| unit.obeys = *obeys),
            Event::Moved { unit, to, spent, .. } => {
                self.put(*unit, *to);
                self.with(*unit, |unit| {
                    unit.spent += spent;
                    unit.saved = None;
                    unit.moved = true;
                });
            }
            Event::Saved { unit, toward, points, .. } => self.with(*unit, |unit| {
                unit.saved = Some((*toward, *points));
                unit.moved = true;
            }),
            Event::Stopped { unit, .. } => self.with(*unit, |unit| unit.moved = true),
            Event::Split { unit, part, at, fighters } => self.split(*unit, *part, *at, fighters),
            Event::Dismounted { unit, part, at, spent } => self.dismount(*unit, *part, *at, *spent),
            Event::Boarded { unit, boat, at, .. } => {
                self.put(*unit, *at);
                self.with(*unit, |unit| (unit.aboard, unit.moved, unit.swimming) = (Some(*boat), true, 0));
                if let Some(boat) = self.boats.get_mut(usize::from(*boat)) {
                    boat.load = Some(*unit);
                }
            }
            Event::Landed { unit, boat, to, .. } => {
                self.with(*unit, |unit| (unit.aboard, unit.moved) = (None, true));
                if let Some(boat) = self.boats.get_mut(usize::from(*boat)) {
                    boat.load = None;
                }
                self.put(*unit, *to);
            }
            Event::StruckFleeing { strike } => {
                let until = self.round + 1;
                self.wound(rules, strike);
                self.with(strike.by, |unit| unit.pursues = Some((strike.on, until)));
            }
            Event::MovesEnded => self.phase = Phase::Combat,
            Event::Stood { unit, stance, .. } => self.with(*unit, |unit| unit.stance = Some(*stance)),
            Event::Exchanged { strike, answer, .. } => {
                self.with(strike.by, |unit| (unit.struck, unit.saved) = (true, None));
                self.with(strike.on, |unit| unit.saved = None);
                if answer.is_some() {
                    self.with(strike.on, |unit| unit.retaliated = true);
                }
                self.wound(rules, strike);
                if let Some(answer) = answer {
                    self.wound(rules, answer);
                }
            }
            Event::Shot { strike, left, .. } => {
                self.with(strike.by, |unit| {
                    (unit.struck, unit.saved) = (true, None);
                    unit.shots.clone_from(left);
                });
                self.wound(rules, strike);
            }
            Event::Surrendered { unit, to, loot } => {
                let until = self.round + 1;
                self.with(*unit, |unit| (unit.captive, unit.pursues, unit.hidden) = (Some(*to), None, false));
                self.with(*to, |unit| unit.guards = until);
                let captor = self.units.get(to).map(|unit| unit.army);
                if let Some(ledger) = captor.and_then(|army| self.ledgers.get_mut(&army)) {
                    ledger.loot += loot;
                }
            }
            Event::Freed { unit, .. } => self.free(rules, *unit),
            Event::Drowned { unit, killed, hp, .. } => {
                let army = self.units.get(unit).map(|unit| unit.army);
                if let Some(ledger) = army.and_then(|army| self.ledgers.get_mut(&army)) {
                    ledger.lost += u64::from(*hp);
                    ledger.drowned += u64::from(*hp);
                }
                self.kill(*unit, killed);
            }
            Event::Instructed { army, unit, keep } => {
                let said = self.keep.entry(*army).or_default();
                // What is said of all takes the place of what was said of each.
                if unit.is_none() {
                    said.clear();
                }
                said.insert(*unit, *keep);
            }
            Event::RoundEnded { .. } => {
                self.rulings.clear();
                self.tread_water(rules);
            }
            Event::Ended { winner, reckonings } => {
                self.phase = Phase::Over;
                self.winner.clone_from(winner);
                self.reckonings.clone_from(reckonings);
                for reckoning in reckonings {
                    self.leadership.insert(reckoning.army, reckoning.after);
                }
            }
            Event::Amended { change } => self.amend(rules, change),
            Event::Searched { .. } | Event::NotDone { .. } => {}
        }
    }

    fn with(&mut self, id: UnitId, change: impl FnOnce(&mut Unit)) {
        if let Some(unit) = self.units.get_mut(&id) {
            change(unit);
        }
    }

    fn raise(&mut self, rules: &Dog, id: UnitId, name: String, sorts: Vec<Sort>, at: Hex, hidden: bool) {
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
            guards: 0,
            captive: None,
            aboard: None,
            swimming: 0,
        };
        self.taken.insert(at, id);
        self.units.insert(id, unit);
    }

    /// Puts a unit into another hex, its boat with it.
    fn put(&mut self, id: UnitId, to: Hex) {
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
    fn split(&mut self, id: UnitId, part: UnitId, at: Hex, fighters: &[u16]) {
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
        self.note_part(part);
        self.taken.insert(at, part);
        self.units.insert(part, rest);
    }

    /// The crew of chariots becomes a unit of its own.
    fn dismount(&mut self, id: UnitId, part: UnitId, at: Hex, spent: u16) {
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
        unit.spent += spent;
        self.note_part(part);
        self.taken.insert(at, part);
        self.units.insert(part, foot);
    }

    /// Names of parts are used once.
    fn note_part(&mut self, part: UnitId) {
        let used = self.parts.entry(UnitId { part: 0, ..part }).or_default();
        *used = (*used).max(part.part);
    }

    fn wound(&mut self, rules: &Dog, strike: &Strike) {
        // By letter: of two who strike at the same time one may be gone already.
        let army = |id: UnitId| rules.battle().lettered(id.army).map(|army| army.id);
        let (by, on) = (army(strike.by), army(strike.on));
        if let Some(ledger) = by.and_then(|army| self.ledgers.get_mut(&army)) {
            ledger.inflicted += u64::from(strike.hp);
        }
        if let Some(ledger) = on.and_then(|army| self.ledgers.get_mut(&army)) {
            ledger.lost += u64::from(strike.hp);
        }
        self.kill(strike.on, &strike.killed);
    }

    fn kill(&mut self, id: UnitId, killed: &[u16]) {
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

    fn free(&mut self, rules: &Dog, id: UnitId) {
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
    fn tread_water(&mut self, rules: &Dog) {
        let deep: BTreeSet<UnitId> =
            self.units.keys().copied().filter(|id| self.in_deep_water(rules, *id)).collect();
        for (id, unit) in &mut self.units {
            unit.swimming = if deep.contains(id) { unit.swimming + 1 } else { 0 };
        }
    }

    /// Whether a unit swims with no land next to it (ruling DOG-24).
    pub(super) fn in_deep_water(&self, rules: &Dog, id: UnitId) -> bool {
        let Some(unit) = self.units.get(&id) else { return false };
        let water = |hex| {
            let ground = self.ground(rules, hex);
            ground.is_none_or(|ground| ground.terrain == Terrain::Water)
        };
        let carried = unit.aboard.is_some() || self.bridges.contains(&unit.at);
        !carried && water(unit.at) && rules.battle().field.around(unit.at).all(water)
    }

    fn amend(&mut self, rules: &Dog, change: &Change) {
        match change {
            Change::Fighters { unit, sort, fighters } => {
                self.with(*unit, |unit| {
                    if let Some(sort) = unit.sorts.get_mut(usize::from(*sort)) {
                        sort.fighters = *fighters;
                    }
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
            }
            Change::Leadership { army, leadership } => _ = self.leadership.insert(*army, *leadership),
            Change::Loot { army, loot } => {
                if let Some(ledger) = self.ledgers.get_mut(army) {
                    ledger.loot = *loot;
                }
            }
            Change::Order { order } => self.order.clone_from(order),
            Change::Ruled { ruling } => self.rulings.push(*ruling),
        }
    }
}

impl State {
    /// What does not hang together in this position; tests ask after every event. Empty if all is well.
    #[must_use]
    pub fn faults(&self, rules: &Dog) -> Vec<String> {
        let mut faults = Vec::new();
        for (id, unit) in &self.units {
            if self.taken.get(&unit.at) != Some(id) {
                faults.push(format!("{id} stands in {}, where {:?} is", unit.at, self.taken.get(&unit.at)));
            }
            if unit.fighters() == 0 {
                faults.push(format!("{id} has nobody left and stands"));
            }
            if unit.sorts.len() != unit.shots.len() || unit.sorts.len() != unit.first.len() {
                faults.push(format!(
                    "{id} has {} sorts and shots for {}",
                    unit.sorts.len(),
                    unit.shots.len()
                ));
            }
            if unit.sorts.iter().zip(&unit.first).any(|(sort, first)| sort.fighters > *first) {
                faults.push(format!("{id} has more fighters than it began with"));
            }
            if let Err(reason) = scores::fits(rules.numbers(), rules.battle().scale, &unit.sorts) {
                faults.push(format!("{id}: {reason}"));
            }
            let bridged = unit.aboard.is_some() || self.bridges.contains(&unit.at);
            let ground = self.ground(rules, unit.at);
            let stands =
                ground.map(|g| scores::may_stand(rules.numbers(), rules.battle(), &unit.sorts, g, bridged));
            match stands {
                None => faults.push(format!("{id} stands off the field in {}", unit.at)),
                Some(Err(reason)) => faults.push(format!("{id} in {}: {reason}", unit.at)),
                Some(Ok(())) => {}
            }
            if unit
                .aboard
                .is_some_and(|boat| self.boats.get(usize::from(boat)).is_none_or(|b| b.load != Some(*id)))
            {
                faults.push(format!("{id} is aboard a boat that doesn't carry it"));
            }
        }
        if self.taken.len() != self.units.len() {
            faults.push(format!("{} hexes are taken by {} units", self.taken.len(), self.units.len()));
        }
        let sum = |of: fn(&Ledger) -> u64| self.ledgers.values().map(of).sum::<u64>();
        if sum(|ledger| ledger.lost) != sum(|ledger| ledger.inflicted + ledger.drowned) {
            faults.push("what was lost is not what was inflicted".to_owned());
        }
        faults
    }

    /// The hit points of everybody on the field, and of everybody who fell: nothing comes from nothing (tests).
    #[must_use]
    pub fn hit_points(&self, rules: &Dog) -> (u64, u64) {
        let of = |sort: &Sort| u64::from(scores::hp(rules.numbers(), sort)) * u64::from(sort.fighters);
        let present = self.units.values().flat_map(|unit| &unit.sorts).map(of).sum();
        (present, self.ledgers.values().map(|ledger| ledger.lost).sum())
    }

    /// The units that an army's enemies don't see.
    #[must_use]
    pub fn hidden(&self) -> Vec<UnitId> {
        self.units.iter().filter(|(_, unit)| unit.hidden).map(|(id, _)| *id).collect()
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

/// What a captive brings (manual 4.5, ruling DOG-28).
pub(super) fn loot(rules: &Dog, unit: &Unit) -> u64 {
    unit.sorts.iter().map(|sort| scores::maintenance(rules.numbers(), sort)).sum()
}
