//! The armies of a battle file: leaders, zones, what is for hire, units.

use std::collections::{BTreeMap, BTreeSet};

use super::{Clerk, MOST_ARMIES};
use crate::battle::declared::{ArmyLine, SortKeys, SortLine, UnitLine};
use crate::battle::hire::HireList;
use crate::battle::zone::starts_in;
use crate::battle::{Army, Battle, Field, UnitSpec};
use crate::model::{ArmyId, Scale, Sort, TroopId, UnitId};
use crate::scores;
use musterd_dice::Seat;
use musterd_engine::alike::names;
use musterd_engine::files::DataErrors;
use musterd_engine::hex::HexSet;
use musterd_engine::yaml::{LineColumn, short};
use musterd_kit::data::{At, seat, whole};
use musterd_kit::field::HexOrTwo;

/// What is known of an army, for what is compared between armies.
#[derive(Default)]
struct Enlisted {
    seat: Option<Seat>,
    letter: Option<char>,
    alliance: Option<String>,
    units: Vec<UnitSpec>,
    /// Where its units may start, if all of that is known.
    zone: Option<HexSet>,
    /// Whether all its units are known, with all that is in them.
    whole: bool,
}

impl Clerk<'_> {
    /// Reads the armies. Gives the alliances, each once, if all are known.
    pub(super) fn armies(
        &mut self,
        battle: &mut Battle,
        scale: Option<Scale>,
        lines: At<Vec<At<ArmyLine>>>,
    ) -> Option<BTreeSet<String>> {
        let (all, listed) = (lines.at, lines.known().is_some());
        if listed && !(2..=MOST_ARMIES).contains(&lines.value.len()) {
            self.reader.fault(all, format!("a battle has 2 to {MOST_ARMIES} armies"));
        }
        let mut taken = BTreeMap::new();
        let mut roll: Vec<Enlisted> = Vec::new();
        for (index, line) in (0..).zip(lines.value.into_iter().take(MOST_ARMIES)) {
            let at = line.at;
            let (own, army) = self.army(battle, scale, ArmyId(index), line);
            for (same, what) in [
                (own.seat.is_some() && roll.iter().any(|other| other.seat == own.seat), "seat"),
                (own.letter.is_some() && roll.iter().any(|other| other.letter == own.letter), "letter"),
            ] {
                if same {
                    self.reader.fault(at, format!("two armies have the same {what}: change one"));
                }
            }
            for unit in &own.units {
                let Some(hex) = unit.at else { continue };
                if let Some(other) = taken.insert(hex, unit.id) {
                    let reason = format!("{} and {other} both start in {hex}: a hex holds one unit", unit.id);
                    self.reader.fault(at, reason);
                }
            }
            battle.armies.extend(army);
            roll.push(own);
        }
        let alliances: Option<BTreeSet<String>> = roll.iter().map(|army| army.alliance.clone()).collect();
        let alliances = alliances.filter(|_| listed);
        if roll.len() > 1 && alliances.as_ref().is_some_and(|alliances| alliances.len() < 2) {
            self.reader.fault(all, "all armies fight in one alliance: there is nobody to fight");
        }
        alliances
    }

    /// An army: what is known of it, and itself if that is enough.
    fn army(
        &mut self,
        battle: &Battle,
        scale: Option<Scale>,
        id: ArmyId,
        line: At<ArmyLine>,
    ) -> (Enlisted, Option<Army>) {
        if line.known().is_none() {
            return (Enlisted::default(), None);
        }
        let At { at, value: line, .. } = line;
        let letter = line.letter.known().copied().filter(char::is_ascii_uppercase);
        if line.letter.known().is_some() && letter.is_none() {
            self.reader.fault(line.letter.at, "an army's letter is one of A to Z");
        }
        let faults = self.reader.errors.len();
        let zone: HexSet = match &line.zone {
            None => battle.field.hexes().collect(),
            Some(zone) => self.zone(&battle.field, zone),
        };
        let zoned =
            line.zone.as_deref().is_none_or(whole) && self.sized && self.reader.errors.len() == faults;
        let hires = self.hires(line.hires.as_deref());
        let alliance = line.alliance.as_ref().unwrap_or(&line.name);
        let mut own = Enlisted {
            seat: seat(self.reader, &line.seat),
            letter,
            alliance: alliance.known().cloned(),
            units: Vec::new(),
            zone: Some(zone.clone()).filter(|_| zoned),
            whole: true,
        };
        self.enlist(battle, scale, &mut own, line.units, line.hire.as_ref());
        if own.whole && own.units.is_empty() && line.budget.is_none() {
            self.reader.fault(
                at,
                "this army has nobody: list its `units`, name a list to `hire`, or give it a `budget`",
            );
        }
        if let Some(leadership) = line.leadership.known().filter(|_| own.whole) {
            self.doubt_ego(&own.units, *leadership, at);
        }
        let name = line.name.value;
        let army = own.seat.clone().zip(letter).map(|(seat, letter)| Army {
            id,
            seat,
            letter,
            leader: if line.leader.is_empty() { format!("the leader of {name}") } else { line.leader },
            alliance: line.alliance.map_or_else(|| name.clone(), |alliance| alliance.value),
            name,
            leadership: line.leadership.value,
            zone,
            budget: line.budget.map(|budget| budget.value),
            hires,
            elite: line.elite,
            peoples: line.peoples,
            units: own.units.clone(),
        });
        (own, army)
    }

    /// The units of an army: those that the file lists, and those of a hire list.
    fn enlist(
        &mut self,
        battle: &Battle,
        scale: Option<Scale>,
        army: &mut Enlisted,
        units: Option<At<Vec<At<UnitLine>>>>,
        hire: Option<&At<String>>,
    ) {
        let mut named = BTreeMap::new();
        army.whole &= units.as_ref().is_none_or(|units| units.known().is_some());
        for line in units.map_or_else(Vec::new, |units| units.value) {
            let at = line.at;
            if line.value.sorts.mixed.as_ref().and_then(At::known).is_some_and(Vec::is_empty) {
                self.reader
                    .doubt(at, "there is nobody in this unit, so it is left out: list its sorts in `mixed`");
                continue;
            }
            let name = line.value.name.clone();
            self.name(&name, at, &mut named);
            let (unit, numbered) = self.unit(battle, scale, army, line);
            if numbered && army.units.iter().any(|other| other.id == unit.id) {
                self.reader.fault(at, format!("there are two units {}", unit.id));
            }
            army.units.push(unit);
        }
        if let Some(list) = hire {
            army.whole &= self.hired_whole(scale, army, list);
        }
    }

    /// Whether orders can tell a unit's name from a number and from the names of the units before it, each with its line.
    pub(super) fn name(&mut self, name: &str, at: LineColumn, named: &mut BTreeMap<String, usize>) {
        if name.is_empty() {
            return;
        }
        let quoted = short(name);
        if UnitId::is_like(name) {
            let reason = format!("`{quoted}` can't be told from a number in orders: use words");
            self.late.push((at, reason));
        } else if let Some(line) = named.get(&name.to_ascii_lowercase()) {
            let reason =
                format!("another unit is called `{quoted}` (line {line}): orders could not tell them apart");
            self.late.push((at, reason));
        }
        named.entry(name.to_ascii_lowercase()).or_insert(at.line);
    }

    /// Warns of an army with more pride than its leader can hold.
    fn doubt_ego(&mut self, units: &[UnitSpec], leadership: u32, at: LineColumn) {
        let ego = scores::ego(self.numbers, units.iter().flat_map(|unit| &unit.sorts));
        if ego > u64::from(leadership) {
            let reason = format!(
                "the units' ego is {ego}, more than the leadership of {leadership}: some will disobey (manual 2.3)",
            );
            self.reader.doubt(at, reason);
        }
    }

    /// The units of a hire list, behind those that the file lists, without a place. Whether they are known.
    fn hired_whole(&mut self, scale: Option<Scale>, army: &mut Enlisted, named: &At<String>) -> bool {
        let Some(name) = named.known() else { return false };
        let at = named.at;
        if let Some((id, DataErrors(errors))) =
            self.unfit.iter().find(|(id, _)| id.eq_ignore_ascii_case(name))
        {
            self.reader.fault(at, format!("the hire list `{id}` can't be used"));
            let new = errors.iter().filter(|error| !self.reader.errors.contains(error)).cloned();
            let new: Vec<_> = new.collect();
            self.reader.errors.extend(new);
            return false;
        }
        let Some(list) = HireList::find(self.lists, name) else {
            let known = self.lists.keys().chain(self.unfit.keys()).map(String::as_str);
            let reason = format!("there is no hire list `{}`; {}", short(name), names(name, known));
            self.reader.fault(at, reason);
            return false;
        };
        let Some(scale) = scale else { return false };
        if list.scale != scale {
            let reason = format!("{} is for {} battles, and this one is {scale}", list.id, list.scale);
            self.reader.fault(at, reason);
            return false;
        }
        let own: Vec<UnitId> = army.units.iter().map(|unit| unit.id).collect();
        let units = list.numbered(army.letter.unwrap_or(NO_LETTER), 1, |id| own.contains(&id));
        army.units.extend(units.map(|(id, name, sorts)| UnitSpec {
            id,
            name: name.to_owned(),
            sorts: sorts.to_vec(),
            at: None,
            hidden: false,
        }));
        true
    }

    fn hires(&mut self, named: Option<&[At<String>]>) -> Vec<TroopId> {
        let Some(named) = named else {
            return self.numbers.troops().filter(|(_, troop)| troop.for_hire).map(|(id, _)| id).collect();
        };
        let hires: BTreeSet<TroopId> = named.iter().filter_map(|name| self.troop(name)).collect();
        hires.into_iter().collect()
    }

    fn troop(&mut self, named: &At<String>) -> Option<TroopId> {
        let text = named.known()?;
        let found = self.numbers.find(text);
        if found.is_none() && self.numbers.knows_troops() {
            self.reader.fault(
                named.at,
                format!("`{}` is no type of troops{}", short(text), self.numbers.hint(text)),
            );
        }
        found
    }

    /// Hexes of a deployment zone: `0101-0312` is the rectangle between two hexes.
    fn zone(&mut self, field: &Field, parts: &[At<HexOrTwo>]) -> HexSet {
        let found = self.bounds(field).hexes(self.reader, parts);
        found.into_iter().flat_map(|(_, hexes)| hexes).collect()
    }

    /// A unit, and whether its number is known.
    fn unit(
        &mut self,
        battle: &Battle,
        scale: Option<Scale>,
        army: &mut Enlisted,
        line: At<UnitLine>,
    ) -> (UnitSpec, bool) {
        let At { at: here, value: line, .. } = line;
        let numbered = line.id.known().is_some();
        let id = UnitId::new(army.letter.unwrap_or(NO_LETTER), line.id.value);
        let called = match (army.letter, numbered) {
            (Some(_), true) => id.to_string(),
            (None, true) => format!("unit {}", id.number),
            (_, false) => "this unit".to_owned(),
        };
        let (sorts, exact) = match here.line {
            // Nothing of it is known.
            0 => (Vec::new(), false),
            _ => self.sorts(here, line.sorts, scale),
        };
        let at = line.at.as_ref().and_then(|hex| self.hex(&battle.field, hex));
        army.whole &= exact;
        if let Some(scale) = scale.filter(|_| exact)
            && let Err(reason) = scores::fits(self.numbers, scale, &sorts)
        {
            self.reader.fault(here, format!("{called}: {reason}"));
        }
        if let Some(hex) = at.filter(|hex| exact && !self.vague.contains(*hex))
            && let Some(ground) = battle.field.ground(hex)
            && let Err(reason) = scores::may_stand(
                self.numbers,
                battle.switches,
                &sorts,
                ground,
                battle.field.bridges.contains(&hex),
            )
        {
            self.reader.fault(here, format!("{called} can't start in {hex}: {reason}"));
        }
        if let Some((hex, zone)) = at.zip(army.zone.as_ref()).filter(|(hex, zone)| !zone.contains(*hex)) {
            let place = line.at.map_or(here, |hex| hex.at);
            let zone = starts_in(&battle.field, zone);
            let reason = format!(
                "{called} starts in {hex}, outside the `zone` of its army, {zone}: move it there, or widen the zone"
            );
            self.late.push((place, reason));
        }
        (UnitSpec { id, name: line.name, sorts, at, hidden: line.hidden }, numbered)
    }

    /// The sorts in a unit: one, or several if it is mixed (ruling DOG-33). With them, whether they are known exactly.
    pub(in crate::battle) fn sorts(
        &mut self,
        at: LineColumn,
        keys: SortKeys,
        scale: Option<Scale>,
    ) -> (Vec<Sort>, bool) {
        let SortKeys { kind, fighters, elite, people, crew, size, mixed } = keys;
        let Some(mixed) = mixed else {
            let missing = [("type", kind.is_none()), ("fighters", fighters.is_none())];
            for (key, _) in missing.into_iter().filter(|(_, missing)| *missing) {
                self.reader.fault(at, format!("a unit needs a key `{key}`: add it"));
            }
            let (Some(kind), Some(fighters)) = (&kind, fighters) else {
                kind.iter().chain(&crew).for_each(|named| _ = self.troop(named));
                return (Vec::new(), false);
            };
            let line = SortLine { kind: kind.clone(), fighters, elite, people, crew, size };
            let (sort, exact) = self.sort(at, &line);
            return (sort.into_iter().collect(), exact);
        };
        if mixed.known().is_none() {
            return (Vec::new(), false);
        }
        if scale.is_some_and(|scale| scale != Scale::Strategic) {
            self.reader.fault(mixed.at, "mixed units are of the strategic scale only (DOG-33)");
        }
        let read: Vec<_> = mixed.value.iter().map(|line| self.sort(line.at, &line.value)).collect();
        let exact = read.iter().all(|(_, exact)| *exact);
        (read.into_iter().filter_map(|(sort, _)| sort).collect(), exact)
    }

    /// A sort of fighters, if its type is known, and whether all of it is.
    fn sort(&mut self, at: LineColumn, line: &SortLine) -> (Option<Sort>, bool) {
        let troop = self.troop(&line.kind);
        let crew = line.crew.as_ref().map(|crew| self.troop(crew));
        let (people, size) = (line.people.as_ref().map(At::known), line.size.as_ref().map(At::known));
        let exact = line.fighters.known().is_some()
            && crew != Some(None)
            && people != Some(None)
            && size != Some(None)
            && troop.is_some();
        let Some(troop) = troop else { return (None, false) };
        // A size that is not known is one that the type can have.
        let kind = self.numbers.troop(troop);
        let size = match size {
            Some(None) => Some(kind.size.least).filter(|_| kind.size.least < kind.size.most),
            size => size.flatten().copied(),
        };
        let (people, crew) = (people.flatten().copied(), crew.flatten());
        let sort = Sort { troop, elite: line.elite, people, crew, size, fighters: line.fighters.value };
        if let Err(reason) = scores::sense(self.numbers, &sort) {
            self.reader.fault(at, reason);
        }
        (Some(sort), exact)
    }
}

/// In the place of an army's letter that is not known.
const NO_LETTER: char = '?';
