//! What leaders may know in Death or Glory, told from the rulings alone (docs/rulings/dog.md: DOG-23, 31, 41, 43 to 46, 48 to 50): an enemy's
//! unit in the open with its types and place, counted from the next hex, guessed from afar; nothing of a hidden one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use musterd::dice::Seat;
use musterd::engine::journal::{Cause, Entry};
use musterd::engine::{Fold, Ruleset};
use musterd::hex::Hex;
use musterd::rules::dog::amend::Change;
use musterd::rules::dog::battle::Ground;
use musterd::rules::dog::event::{Event, Strike};
use musterd::rules::dog::model::{ArmyId, Sort, UnitId, Waiting};
use musterd::rules::dog::order::IfAttacked;
use musterd::rules::dog::view::View;
use musterd::rules::dog::{Dog, scores, shipped};

use super::contract::{DogSpecimen, mails, played};
use super::dog_arena;
use super::fog::{Oracle, compare, holds};
use super::letters_mutation::Chance;
use crate::common::soak;

struct DogOracle;

#[derive(Clone, Debug)]
struct Unit {
    army: ArmyId,
    name: String,
    sorts: Vec<Sort>,
    shots: Vec<u16>,
    at: Hex,
    hidden: bool,
    captive: Option<UnitId>,
    aboard: bool,
}

#[derive(Clone, Debug, Default)]
struct Truth {
    phase: &'static str,
    round: u16,
    order: Vec<ArmyId>,
    units: BTreeMap<UnitId, Unit>,
    waiting: BTreeMap<UnitId, Waiting>,
    bridges: BTreeSet<Hex>,
    boats: Vec<(Hex, Option<UnitId>)>,
    ground: BTreeMap<Hex, Ground>,
    leadership: BTreeMap<ArmyId, u32>,
    loot: BTreeMap<ArmyId, u64>,
    instructed: BTreeMap<ArmyId, String>,
    end: String,
}

impl Truth {
    fn with(&mut self, id: UnitId, change: impl FnOnce(&mut Unit)) {
        if let Some(unit) = self.units.get_mut(&id) {
            change(unit);
        }
    }

    fn add(&mut self, rules: &Dog, id: UnitId, name: &str, sorts: &[Sort], at: Hex, hidden: bool) {
        let Some(army) = rules.battle().lettered(id.army) else { return };
        let shots = |sort| scores::distance(rules.numbers(), sort).map_or(0, |distance| distance.shots);
        let unit = Unit {
            army: army.id,
            name: name.to_owned(),
            shots: sorts.iter().map(shots).collect(),
            sorts: sorts.to_vec(),
            at,
            hidden,
            captive: None,
            aboard: false,
        };
        self.units.insert(id, unit);
    }

    fn remove(&mut self, id: UnitId) {
        self.units.remove(&id);
        self.leave_boats(id);
    }

    fn leave_boats(&mut self, id: UnitId) {
        self.boats.iter_mut().for_each(|(_, load)| *load = load.filter(|load| *load != id));
    }

    fn kill(&mut self, id: UnitId, killed: &[u16]) {
        self.with(id, |unit| {
            for (sort, dead) in unit.sorts.iter_mut().zip(killed) {
                sort.fighters = sort.fighters.saturating_sub(*dead);
            }
        });
        self.tidy(id);
    }

    /// Drops sorts and units of which nobody is left.
    fn tidy(&mut self, id: UnitId) {
        self.with(id, |unit| {
            let mut left = unit.sorts.iter().map(|sort| sort.fighters > 0);
            unit.shots.retain(|_| left.next().unwrap_or(true));
            unit.sorts.retain(|sort| sort.fighters > 0);
        });
        if self.units.get(&id).is_some_and(|unit| unit.sorts.is_empty()) {
            self.remove(id);
        }
    }

    fn part(&mut self, id: UnitId, part: UnitId, at: Hex, stay: impl Fn(&mut Unit, &mut Unit)) {
        let Some(mut unit) = self.units.remove(&id) else { return };
        let mut rest = Unit { at, aboard: false, ..unit.clone() };
        stay(&mut unit, &mut rest);
        self.units.extend([(id, unit), (part, rest)]);
        self.tidy(id);
        self.tidy(part);
    }

    fn amend(&mut self, rules: &Dog, change: &Change) {
        match change {
            Change::Fighters { unit, sort, fighters } => {
                self.with(*unit, |unit| {
                    if let Some(sort) = unit.sorts.get_mut(usize::from(*sort)) {
                        sort.fighters = *fighters;
                    }
                });
                self.tidy(*unit);
            }
            Change::Shots { unit, sort, shots } => self.with(*unit, |unit| {
                if let Some(left) = unit.shots.get_mut(usize::from(*sort)) {
                    *left = *shots;
                }
            }),
            Change::Place { unit, to } => {
                self.leave_boats(*unit);
                self.with(*unit, |unit| (unit.at, unit.aboard) = (*to, false));
            }
            Change::Hidden { unit, hidden } => self.with(*unit, |unit| unit.hidden = *hidden),
            Change::Name { unit, name } => self.with(*unit, |unit| unit.name.clone_from(name)),
            Change::Added(Waiting { unit, name, sorts, at, hidden }) => {
                self.add(rules, *unit, name, sorts, *at, *hidden);
            }
            Change::Removed { unit } => self.remove(*unit),
            Change::Freed { unit } => self.with(*unit, |unit| unit.captive = None),
            Change::Captured { unit, captor } => {
                self.with(*unit, |unit| (unit.captive, unit.hidden) = (Some(*captor), false));
            }
            Change::Aboard { unit, at } => {
                self.leave_boats(*unit);
                let boats = self.boats.iter_mut().filter(|(lies, _)| lies == at);
                boats.for_each(|(_, load)| *load = Some(*unit));
                self.with(*unit, |unit| (unit.at, unit.aboard) = (*at, true));
            }
            Change::Leadership { army, leadership } => drop(self.leadership.insert(*army, *leadership)),
            Change::Loot { army, loot } => drop(self.loot.insert(*army, *loot)),
            Change::Order { order } => self.order.clone_from(order),
            Change::Ground { hex, ground } => drop(self.ground.insert(*hex, *ground)),
            Change::Bridge { hex, .. } => drop(self.bridges.insert(*hex)),
            Change::Boat { .. } | Change::Crossing { .. } | Change::Ruled { .. } => {}
        }
    }

    fn sees(&self, rules: &Dog, army: ArmyId, id: UnitId) -> bool {
        self.units.get(&id).is_some_and(|unit| !unit.hidden || rules.battle().allied(army, unit.army))
    }

    fn is_friend(&self, rules: &Dog, army: ArmyId, id: UnitId) -> bool {
        self.units.get(&id).is_some_and(|unit| rules.battle().allied(army, unit.army))
    }

    /// Whether an army or its allies have somebody free next to a hex.
    fn is_beside(&self, rules: &Dog, army: ArmyId, hex: Hex) -> bool {
        let near = |unit: &Unit| unit.captive.is_none() && unit.at.distance(hex) == 1;
        self.units.values().any(|unit| near(unit) && rules.battle().allied(army, unit.army))
    }

    fn counts(&self, rules: &Dog, army: ArmyId, id: UnitId) -> bool {
        let beside = |unit: &Unit| self.is_beside(rules, army, unit.at);
        self.is_friend(rules, army, id) || self.units.get(&id).is_some_and(beside)
    }

    /// How many an army may think are in a unit: from so many to so many (ruling DOG-45).
    fn strength(&self, rules: &Dog, army: ArmyId, id: UnitId) -> (u16, u16) {
        let unit = &self.units[&id];
        let fighters: u16 = unit.sorts.iter().map(|sort| sort.fighters).sum();
        if self.counts(rules, army, id) {
            return (fighters, fighters);
        }
        let sizeless = unit.sorts.iter().map(|sort| Sort { size: None, ..sort.clone() });
        let full = sizeless
            .map(|sort| scores::capacity(rules.numbers(), rules.battle().scale, &sort))
            .max()
            .unwrap();
        let mut edges: Vec<u16> = [8, 4, 2, 1].map(|part| full / part).to_vec();
        edges.dedup();
        // A band begins behind the one before; one that would be a single number goes with the next, the last with the one before.
        let mut begins = vec![1];
        for edge in edges {
            if edge > *begins.last().unwrap() {
                begins.push(edge + 1);
            }
        }
        begins.retain(|begin| *begin < full || *begin == 1);
        let least = *begins.iter().rfind(|begin| **begin <= fighters).unwrap();
        let most = begins.iter().find(|begin| **begin > fighters).map_or(full.max(fighters), |next| next - 1);
        (least, most)
    }

    /// A unit as events name it: its first type, without people and crew.
    fn named(&self, id: UnitId) -> Option<String> {
        let sort = self.units.get(&id)?.sorts.first()?;
        Some(format!("{id} {:?} {} {:?}", sort.troop, sort.elite, sort.size))
    }

    fn strike(&self, rules: &Dog, army: ArmyId, strike: &Strike) -> Option<String> {
        let Strike { by, from, on, at, force, die, damage, killed, hp, left } = strike;
        let concerned = self.is_friend(rules, army, *by) || self.is_friend(rules, army, *on);
        let (strikers, struck) = (self.counts(rules, army, *by), self.counts(rules, army, *on));
        let mut told = format!("{} {from} {} {at} {}", self.named(*by)?, self.named(*on)?, *left == 0);
        if struck {
            write!(told, " dead {}", killed.iter().sum::<u16>()).unwrap();
        }
        if concerned && strikers {
            write!(told, " force {force} die {die} damage {damage}").unwrap();
        }
        if concerned && struck {
            write!(told, " hp {hp} left {left}").unwrap();
        }
        Some(told)
    }
}

/// What an army may learn of a change by the GM's hand.
fn learnt_of_change(rules: &Dog, before: &Truth, change: &Change, army: ArmyId) -> Option<String> {
    let own = |unit: &UnitId| before.units.get(unit).is_some_and(|unit| unit.army == army);
    let told = match change {
        Change::Shots { unit, .. } => own(unit),
        Change::Leadership { army: of, .. } | Change::Loot { army: of, .. } => *of == army,
        Change::Ruled { .. } => false,
        Change::Added(Waiting { unit, hidden, .. }) => {
            let of = rules.battle().lettered(unit.army).unwrap().id;
            !hidden || rules.battle().allied(of, army)
        }
        Change::Hidden { hidden: false, unit } | Change::Captured { unit, .. } => {
            before.units.contains_key(unit)
        }
        Change::Fighters { unit, .. }
        | Change::Place { unit, .. }
        | Change::Aboard { unit, .. }
        | Change::Hidden { unit, .. }
        | Change::Name { unit, .. }
        | Change::Removed { unit }
        | Change::Freed { unit } => before.sees(rules, army, *unit),
        Change::Ground { .. }
        | Change::Bridge { .. }
        | Change::Crossing { .. }
        | Change::Boat { .. }
        | Change::Order { .. } => true,
    };
    told.then(|| format!("{change:?}"))
}

impl Oracle for DogOracle {
    type Rules = Dog;
    type Truth = Truth;

    fn at_start(rules: &Dog) -> Truth {
        let battle = rules.battle();
        Truth {
            phase: "founding",
            order: battle.armies().iter().map(|army| army.id).collect(),
            bridges: battle.field.bridges.clone(),
            boats: battle.field.boats.iter().map(|at| (*at, None)).collect(),
            leadership: battle.armies().iter().map(|army| (army.id, army.leadership)).collect(),
            ..Truth::default()
        }
    }

    fn happen(rules: &Dog, truth: &mut Truth, event: &Event) {
        match event {
            Event::SetUpBegan => truth.phase = "set-up",
            Event::Raised(Waiting { unit, name, sorts, at, hidden }) => {
                truth.add(rules, *unit, name, sorts, *at, *hidden);
            }
            Event::Clashed { units, .. } => {
                truth.phase = "set-up";
                truth.waiting.extend(units.iter().map(|unit| (unit.unit, unit.clone())));
            }
            Event::SetUpEnded => truth.waiting.clear(),
            Event::Revealed { unit, .. } => truth.with(*unit, |unit| unit.hidden = false),
            Event::Hid { unit, .. } => truth.with(*unit, |unit| unit.hidden = true),
            Event::InitiativeThrown { order, .. } => truth.order.clone_from(order),
            Event::RoundBegan { round, order } => {
                (truth.phase, truth.round) = ("moves", *round);
                truth.order.clone_from(order);
            }
            Event::Moved { unit, to, .. } => {
                truth.with(*unit, |unit| unit.at = *to);
                truth.boats.iter_mut().filter(|boat| boat.1 == Some(*unit)).for_each(|boat| boat.0 = *to);
            }
            Event::Split { unit, part, at, fighters } => truth.part(*unit, *part, *at, |goes, stays| {
                for ((sort, rest), count) in goes.sorts.iter_mut().zip(&mut stays.sorts).zip(fighters) {
                    sort.fighters = sort.fighters.saturating_sub(*count);
                    rest.fighters = *count;
                }
            }),
            Event::Dismounted { unit, part, at, .. } => truth.part(*unit, *part, *at, dismount),
            Event::Boarded { unit, boat, at, .. } => {
                truth.with(*unit, |unit| (unit.at, unit.aboard) = (*at, true));
                truth.boats[usize::from(*boat)].1 = Some(*unit);
            }
            Event::Landed { unit, boat, to, .. } => {
                truth.with(*unit, |unit| (unit.at, unit.aboard) = (*to, false));
                truth.boats[usize::from(*boat)].1 = None;
            }
            Event::StruckFleeing { strike } => truth.kill(strike.on, &strike.killed),
            Event::Exchanged { strike, answer, .. } => {
                for strike in std::iter::once(strike).chain(answer) {
                    truth.kill(strike.on, &strike.killed);
                }
            }
            Event::Shot { strike, left, .. } => {
                truth.with(strike.by, |unit| unit.shots.clone_from(left));
                truth.kill(strike.on, &strike.killed);
            }
            Event::Surrendered { unit, to, .. } => {
                truth.with(*unit, |unit| (unit.captive, unit.hidden) = (Some(*to), false));
            }
            Event::Freed { unit, .. } => truth.with(*unit, |unit| unit.captive = None),
            Event::Drowned { unit, killed, .. } => truth.kill(*unit, killed),
            Event::MovesEnded => truth.phase = "combat",
            Event::Instructed { army, if_attacked } => {
                truth.instructed.insert(*army, format!("{if_attacked:?}"));
            }
            Event::Ended { .. } => (truth.phase, truth.end) = ("over", format!("{event:?}")),
            Event::Amended { change } => truth.amend(rules, change),
            Event::Displaced { .. }
            | Event::Searched { .. }
            | Event::ObedienceTested { .. }
            | Event::Saved { .. }
            | Event::Stopped { .. }
            | Event::Stood { .. }
            | Event::NotDone { .. }
            | Event::RoundEnded { .. } => {}
        }
    }

    fn known(rules: &Dog, truth: &Truth, seat: &Seat) -> String {
        let army = rules.battle().led_by(seat).unwrap();
        let Truth { phase, round, order, bridges, ground, end, .. } = truth;
        let mut known = format!("{phase} {round} {order:?} {bridges:?} {ground:?} {end}");
        let mut owing = BTreeSet::new();
        for (id, unit) in &truth.units {
            if unit.captive.is_none() {
                owing.insert(unit.army);
            }
            if unit.army == army.id {
                write!(known, "\n{id} {unit:?}").unwrap();
            } else if truth.sees(rules, army.id, *id) {
                let Unit { name, at, hidden, captive, aboard, .. } = unit;
                let kinds: Vec<_> = unit.sorts.iter().map(|sort| (sort.troop, sort.elite)).collect();
                let strength = truth.strength(rules, army.id, *id);
                write!(known, "\n{id} {name} {kinds:?} {strength:?} {at} {hidden} {captive:?} {aboard}")
                    .unwrap();
            }
        }
        let load = |load: Option<UnitId>| load.filter(|load| truth.sees(rules, army.id, *load));
        let boats: Vec<_> = truth.boats.iter().map(|(at, aboard)| (at, load(*aboard))).collect();
        // Whoever has nobody left owes no orders: of that everybody is told.
        let again: BTreeSet<char> = truth.waiting.keys().map(|unit| unit.army).collect();
        let waiting: Vec<_> = truth.waiting.values().filter(|unit| unit.unit.army == army.letter).collect();
        let own = (truth.leadership.get(&army.id), truth.loot.get(&army.id), truth.instructed.get(&army.id));
        write!(known, "\n{boats:?} {owing:?} {again:?} {waiting:?} {own:?}").unwrap();
        known
    }

    fn learnt(rules: &Dog, before: &Truth, event: &Event, seat: &Seat) -> Option<String> {
        let leader = rules.battle().led_by(seat)?;
        let army = leader.id;
        let of_own = |unit: &UnitId| unit.army == leader.letter;
        let seen = |unit: &UnitId| before.named(*unit).filter(|_| before.sees(rules, army, *unit));
        let friend = |unit: &UnitId| before.is_friend(rules, army, *unit);
        let counts = |unit: &UnitId| before.counts(rules, army, *unit);
        let whole = || format!("{event:?}");
        match event {
            Event::SetUpBegan
            | Event::InitiativeThrown { .. }
            | Event::RoundBegan { .. }
            | Event::RoundEnded { .. }
            | Event::Ended { .. } => Some(whole()),
            Event::Raised(_) | Event::SetUpEnded | Event::MovesEnded | Event::Instructed { .. } => None,
            Event::Clashed { at, units } => {
                let own: Vec<_> = units.iter().map(|unit| unit.unit).filter(of_own).collect();
                (!own.is_empty()).then(|| format!("{own:?} clashed at {at}"))
            }
            Event::Displaced { unit, .. }
            | Event::ObedienceTested { unit, .. }
            | Event::Saved { unit, .. }
            | Event::Stood { unit, .. } => of_own(unit).then(whole),
            Event::Stopped { unit, at, .. } => of_own(unit).then(|| format!("{unit} stops at {at}")),
            Event::Searched { unit, at, die, chance, found, plain } => {
                let odds = plain.then_some((die, chance));
                let unit = before.named(*unit).filter(|_| friend(unit));
                unit.map(|unit| format!("{unit} at {at} looked for, {found}, {odds:?}"))
            }
            Event::Revealed { unit, at, because } => {
                before.named(*unit).map(|unit| format!("{unit} shows at {at}: {because:?}"))
            }
            Event::Hid { unit, at } => seen(unit).map(|named| format!("{named} hides at {at}")),
            Event::Moved { unit, from, to, .. } => seen(unit).map(|unit| format!("{unit} goes {from} {to}")),
            Event::Split { unit, part, at, fighters } => {
                let count = counts(unit).then(|| fighters.iter().sum::<u16>());
                seen(unit).map(|unit| format!("{unit} leaves {part} at {at}: {count:?}"))
            }
            Event::Dismounted { unit, part, at, .. } => {
                seen(unit).map(|unit| format!("{unit} leaves {part} at {at}"))
            }
            Event::Boarded { unit, at, .. } => seen(unit).map(|unit| format!("{unit} boards at {at}")),
            Event::Landed { unit, to, .. } => seen(unit).map(|unit| format!("{unit} lands at {to}")),
            Event::StruckFleeing { strike } => before.strike(rules, army, strike),
            Event::Exchanged { strike, answer, silent } => {
                let why = silent.filter(|_| friend(&strike.by) || friend(&strike.on));
                let answer = answer.as_ref().and_then(|answer| before.strike(rules, army, answer));
                Some(format!("{} {answer:?} {why:?}", before.strike(rules, army, strike)?))
            }
            Event::Shot { strike, hexes, .. } => {
                Some(format!("{} over {hexes}", before.strike(rules, army, strike)?))
            }
            Event::Surrendered { unit, to, loot } => {
                let loot = (friend(unit) || friend(to)).then_some(loot);
                Some(format!("{} to {} {loot:?}", before.named(*unit)?, before.named(*to)?))
            }
            Event::Freed { unit, at, .. } => seen(unit).map(|unit| format!("{unit} is free at {at}")),
            Event::Drowned { unit, at, killed, .. } => {
                let dead = counts(unit).then(|| killed.iter().sum::<u16>());
                seen(unit).map(|unit| format!("{unit} drowns at {at}: {dead:?}"))
            }
            Event::NotDone { seat: of, line, order, .. } => (of == seat).then(|| format!("{line} {order}")),
            Event::Amended { change } => learnt_of_change(rules, before, change, army),
        }
    }

    fn reason(event: &Event) -> String {
        match event {
            Event::NotDone { reason, .. } => reason.clone(),
            Event::Stopped { because, .. } => format!("{because:?}"),
            _ => String::new(),
        }
    }

    fn change(rules: &Dog, truth: &Truth, chance: &mut Chance) -> Vec<Event> {
        let units: Vec<UnitId> = truth.units.keys().copied().collect();
        if truth.phase != "moves" && truth.phase != "combat" || units.is_empty() {
            return Vec::new();
        }
        let id = *chance.pick(&units);
        let unit = &truth.units[&id];
        let number = |most: usize, chance: &mut Chance| u16::try_from(chance.below(most)).unwrap();
        let change = match chance.below(10) {
            0 => Change::Shots { unit: id, sort: 0, shots: number(9, chance) },
            1 => Change::Leadership { army: unit.army, leadership: 10 + u32::from(number(3000, chance)) },
            2 => Change::Loot { army: unit.army, loot: u64::from(number(90, chance)) },
            3 => {
                let sort = number(unit.sorts.len(), chance);
                let fighters = 1 + number(usize::from(unit.sorts[usize::from(sort)].fighters), chance);
                Change::Fighters { unit: id, sort: u8::try_from(sort).unwrap(), fighters }
            }
            4 => Change::Hidden { unit: id, hidden: !unit.hidden },
            5 | 6 => match free_hex(rules, truth, chance) {
                Some(to) => Change::Place { unit: id, to },
                None => return Vec::new(),
            },
            // Who has lost all is a matter of the rules.
            7 if truth.units.values().filter(|other| other.army == unit.army).count() > 2 => {
                Change::Removed { unit: id }
            }
            8 => {
                let (new, at) = (UnitId::new(id.army, UnitId::MOST), free_hex(rules, truth, chance));
                let (Some(at), false) = (at, truth.units.contains_key(&new)) else { return Vec::new() };
                let sorts = unit.sorts.clone();
                Change::Added(Waiting {
                    unit: new,
                    name: "Shadows".to_owned(),
                    sorts,
                    at,
                    hidden: chance.below(4) > 0,
                })
            }
            _ => {
                let if_attacked = IfAttacked { defend: chance.below(2) == 0, ..IfAttacked::default() };
                return vec![Event::Instructed { army: unit.army, if_attacked }];
            }
        };
        vec![Event::Amended { change }]
    }

    fn anything(rules: &Dog, view: &View, chance: &mut Chance) -> String {
        let own: Vec<UnitId> = view.own.keys().copied().collect();
        let hexes: Vec<Hex> = rules.battle().field.hexes().collect();
        let letters: Vec<char> = rules.battle().armies().iter().map(|army| army.letter).collect();
        let mut text = String::new();
        for id in &own {
            if chance.below(3) == 0 {
                continue;
            }
            let to = *chance.pick(&hexes);
            // A whom of any army, there or not, seen or not.
            let whom = UnitId::new(*chance.pick(&letters), 1 + u8::try_from(chance.below(9)).unwrap());
            let line = match chance.below(9) {
                0 | 1 => format!("MOVE {id} TO {to}"),
                2 => format!("FLEE {id} TO {to}"),
                3 => format!("ATTACK {id} {whom}"),
                4 => format!("SHOOT {id} {whom}"),
                5 => format!("HIDE {id}"),
                6 => format!("SURRENDER {id} TO {whom}"),
                7 => format!("MOVE {id} TO {to}\nATTACK {id}"),
                _ => format!("IF ATTACKED DEFEND {id}"),
            };
            writeln!(text, "{line}").unwrap();
        }
        text
    }
}

/// The crew goes on foot with its shots.
fn dismount(chariots: &mut Unit, foot: &mut Unit) {
    let with_crew = |sort: &Sort| sort.crew.is_some();
    let crews = chariots.sorts.iter().filter(|sort| with_crew(sort));
    foot.sorts = crews
        .map(|sort| Sort { troop: sort.crew.unwrap(), crew: None, people: None, size: None, ..sort.clone() })
        .collect();
    foot.shots = chariots
        .sorts
        .iter()
        .zip(&chariots.shots)
        .filter(|(sort, _)| with_crew(sort))
        .map(|(_, shots)| *shots)
        .collect();
    for (sort, shots) in chariots.sorts.iter_mut().zip(&mut chariots.shots) {
        if sort.crew.take().is_some() {
            *shots = 0;
        }
    }
}

/// A dry hex in which nobody stands.
fn free_hex(rules: &Dog, truth: &Truth, chance: &mut Chance) -> Option<Hex> {
    let field = &rules.battle().field;
    let dry = |hex: &Hex| field.ground(*hex).is_some_and(|ground| ground.terrain.word() != "water");
    let free: Vec<Hex> =
        field.hexes().filter(|hex| dry(hex) && truth.units.values().all(|unit| unit.at != *hex)).collect();
    (!free.is_empty()).then(|| *chance.pick(&free))
}

/// A battle after changes of its file, each of which is hidden from the enemy.
fn twin_of(battle: &str, changes: &[(&str, &str)]) -> Dog {
    let mut files = shipped(battle).unwrap();
    let text = files.0.get_mut("scenario.yaml").unwrap();
    for (old, new) in changes {
        assert!(text.contains(old), "{battle} has no `{old}`");
        *text = text.replace(old, new);
    }
    Dog::from_files(&files, &[]).unwrap()
}

#[test]
fn leaders_learn_nothing_that_is_hidden_in_battles_of_hidden_units() {
    for (battle, seeds) in [("daerquwa", 0..2), ("millers-ford", 0..2), ("reed-causeway", 0..1)] {
        holds::<DogOracle>(&dog_arena::rules(battle), soak::seeds(seeds), 10, [20, 60, 15, 3]);
    }
}

#[test]
fn a_battle_that_was_founded_on_other_hidden_units_looks_the_same() {
    let rules = dog_arena::rules("daerquwa");
    let twins = [
        ("fighters: 5, people: forest, at: \"0202\"", "fighters: 4, people: forest, at: \"0201\""),
        ("name: Thorn, type: elven archers, fighters: 7", "name: Thistle, type: elven archers, fighters: 6"),
        (
            "name: Leaf, type: elven archers, fighters: 7, people: forest",
            "name: Leaf, type: elven archers, fighters: 7, people: swamp",
        ),
        ("leadership: 700", "leadership: 900"),
    ];
    let mut turns = 0;
    for (seed, change) in soak::seeds(0..16).zip(twins.iter().cycle()) {
        let other = twin_of("daerquwa", std::slice::from_ref(change));
        turns += compare::<DogOracle>(&rules, &other, seed, 3).unwrap_or_else(|leak| panic!("{leak}")).turns;
    }
    assert!(soak::is_enough(turns > 24), "{turns} turns were alike");
}

/// The same through a whole host: every form of the dispatch, the history, a receipt; and in what anybody reads before the battle.
#[test]
fn the_mails_of_a_battle_that_was_founded_on_other_hidden_units_are_the_same() {
    let shows =
        |entry: &Entry| serde_json::to_string(entry).unwrap().contains(r#""event":"revealed","unit":"Q4""#);
    let unseen = |entries: &Vec<Entry>| !entries.iter().any(shows);
    let entries = (0..9).map(|seed| played::<DogSpecimen>(seed, 1)).find(unseen).unwrap();
    let text = serde_json::to_string(&entries).unwrap();
    let twin =
        [("name: Root,", "name: Moss,"), ("\"Root\"", "\"Moss\""), ("leadership: 700", "leadership: 900")];
    let text = twin.iter().fold(text, |text, (old, new)| {
        assert!(text.contains(old), "no `{old}`");
        text.replace(old, new)
    });
    let others: Vec<Entry> = serde_json::from_str(&text).unwrap();
    let orders = "MOVE E1 TO 0505\nATTACK E1 Q4\nSHOOT E8 Root\nSHOOT E8 Moss\nATTACK E2 Q9\n";
    let mails = |entries: &[Entry], seat: &str| mails(entries, &seat.parse().unwrap(), orders);
    assert_eq!(mails(&entries, "emperor"), mails(&others, "emperor"));
    assert_ne!(mails(&entries, "queen"), mails(&others, "queen"), "her own units");
    let renamed = twin_of("daerquwa", &[("name: Root,", "name: Moss,")]);
    assert_eq!(renamed.chart(true), dog_arena::rules("daerquwa").chart(true));
}

/// What is folded here is the position that the rules have: otherwise what follows from it means little.
#[test]
fn the_oracle_follows_the_battle() {
    let rules = dog_arena::rules("daerquwa");
    let entries = played::<DogSpecimen>(1, 99);
    let (mut state, mut truth, mut events, mut counted) = (rules.found(), DogOracle::at_start(&rules), 0, 0);
    for entry in entries {
        let Cause::Adjudicated { events: all, .. } = entry.cause else { continue };
        for event in all {
            let event: Event = serde_json::from_value(event).unwrap();
            rules.apply(&mut state, &event);
            DogOracle::happen(&rules, &mut truth, &event);
            events += 1;
        }
        for army in rules.battle().armies() {
            let view = rules.view(&state, &army.seat);
            // A count that is kept is still right, and of somebody in sight.
            for (id, last) in &view.counted {
                let fighters: u16 = truth.units[id].sorts.iter().map(|sort| sort.fighters).sum();
                assert_eq!((last.fighters, view.others.contains_key(id)), (fighters, true), "{id}, {last:?}");
                counted += 1;
            }
            let own = view.own;
            let of_army = truth.units.iter().filter(|(_, unit)| unit.army == army.id);
            let told: Vec<_> = of_army
                .map(|(id, unit)| {
                    (*id, unit.at, unit.hidden, unit.sorts.clone(), unit.shots.clone(), unit.captive)
                })
                .collect();
            let is: Vec<_> = own
                .into_iter()
                .map(|(id, unit)| (id, unit.at, unit.hidden, unit.sorts, unit.shots, unit.captive))
                .collect();
            assert_eq!(told, is);
        }
    }
    assert!(events > 300 && counted > 0, "{events} events, {counted} counts kept");
}
