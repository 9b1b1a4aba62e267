//! The armies of a battle file: leaders, zones, what is for hire, units.

use std::collections::{BTreeMap, BTreeSet};

use super::{Clerk, MOST_ARMIES};
use crate::battle::declared::{ArmyLine, HexOrTwo, SortKeys, SortLine, UnitLine};
use crate::battle::hire::HireList;
use crate::battle::{Army, Battle, Field, UnitSpec};
use crate::model::{ArmyId, Scale, Sort, TroopId, UnitId};
use crate::scores;
use musterd_dice::Seat;
use musterd_engine::files::DataErrors;
use musterd_engine::hex::{Hex, HexSet};
use musterd_engine::yaml::{LineColumn, short};
use musterd_kit::data::At;

impl Clerk<'_> {
    pub(super) fn armies(&mut self, battle: &mut Battle, lines: At<Vec<At<ArmyLine>>>) {
        let all = lines.at;
        if !(2..=MOST_ARMIES).contains(&lines.value.len()) {
            self.reader.fault(all, format!("a battle has 2 to {MOST_ARMIES} armies"));
        }
        let mut taken = BTreeMap::new();
        for (index, line) in (0..).zip(lines.value.into_iter().take(MOST_ARMIES)) {
            let at = line.at;
            let Some(army) = self.army(battle, ArmyId(index), line) else { continue };
            for (same, what) in [
                (battle.led_by(&army.seat).is_some(), "seat"),
                (battle.lettered(army.letter).is_some(), "letter"),
            ] {
                if same {
                    self.reader.fault(at, format!("two armies have the same {what}: change one"));
                }
            }
            for unit in &army.units {
                let Some(hex) = unit.at else { continue };
                if let Some(other) = taken.insert(hex, unit.id) {
                    let reason = format!("{} and {other} both start in {hex}: a hex holds one unit", unit.id);
                    self.reader.fault(at, reason);
                }
            }
            battle.armies.push(army);
        }
        if battle.armies.len() > 1 && battle.alliances().len() < 2 {
            self.reader.fault(all, "all armies fight in one alliance: there is nobody to fight");
        }
    }

    fn army(&mut self, battle: &Battle, id: ArmyId, line: At<ArmyLine>) -> Option<Army> {
        let At { at, value: line, .. } = line;
        let seat = self.seat(&line.seat);
        if !line.letter.value.is_ascii_uppercase() {
            self.reader.fault(line.letter.at, "an army's letter is one of A to Z");
            return None;
        }
        let zone = match &line.zone {
            None => battle.field.hexes().collect(),
            Some(zone) => self.zone(&battle.field, zone),
        };
        let hires = self.hires(line.hires.as_deref());
        let name = line.name;
        let mut army = Army {
            id,
            seat: seat?,
            letter: line.letter.value,
            leader: if line.leader.is_empty() { format!("the leader of {name}") } else { line.leader },
            alliance: if line.alliance.is_empty() { name.clone() } else { line.alliance },
            name,
            leadership: line.leadership,
            zone,
            budget: line.budget,
            hires,
            elite: line.elite,
            peoples: line.peoples,
            units: Vec::new(),
        };
        self.enlist(battle, &mut army, line.units, line.hire.as_ref());
        if army.units.is_empty() && army.budget.is_none() {
            self.reader.fault(
                at,
                "this army has nobody: list its `units`, name a list to `hire`, or give it a `budget`",
            );
        }
        self.doubt_ego(&army, at);
        Some(army)
    }

    fn seat(&mut self, At { at, value: text, .. }: &At<String>) -> Option<Seat> {
        let seat = text.parse();
        if seat.is_err() {
            self.reader.fault(
                *at,
                format!("`{}` can't be a seat: write small letters, digits, - and .", short(text)),
            );
        }
        seat.ok()
    }

    /// The units of an army: those that the file lists, and those of a hire list.
    fn enlist(
        &mut self,
        battle: &Battle,
        army: &mut Army,
        units: Vec<At<UnitLine>>,
        hire: Option<&At<String>>,
    ) {
        for line in units {
            let at = line.at;
            let Some(unit) = self.unit(battle, army, line) else { continue };
            if army.units.iter().any(|other| other.id == unit.id) {
                self.reader.fault(at, format!("there are two units {}", unit.id));
            }
            army.units.push(unit);
        }
        if let Some(list) = hire {
            self.hired_whole(battle, army, list);
        }
    }

    /// Warns of an army with more pride than its leader can hold.
    fn doubt_ego(&mut self, army: &Army, at: LineColumn) {
        let ego: u64 =
            army.units.iter().flat_map(|unit| &unit.sorts).map(|s| scores::ego(self.numbers, s)).sum();
        if ego > u64::from(army.leadership) {
            let reason = format!(
                "the units' ego is {ego}, more than the leadership of {}: some will disobey (manual 2.3)",
                army.leadership
            );
            self.reader.doubt(at, reason);
        }
    }

    /// The units of a hire list, behind those that the file lists, without a place.
    fn hired_whole(&mut self, battle: &Battle, army: &mut Army, At { at, value: name, .. }: &At<String>) {
        let at = *at;
        if let Some((id, DataErrors(errors))) =
            self.unfit.iter().find(|(id, _)| id.eq_ignore_ascii_case(name))
        {
            self.reader.fault(at, format!("the hire list `{id}` can't be used"));
            let new = errors.iter().filter(|error| !self.reader.errors.contains(error)).cloned();
            let new: Vec<_> = new.collect();
            return self.reader.errors.extend(new);
        }
        let Some(list) = HireList::find(self.lists, name) else {
            let known: Vec<&str> = self.lists.keys().map(String::as_str).collect();
            let reason = format!("there is no hire list `{}`; there are {}", short(name), known.join(", "));
            return self.reader.fault(at, reason);
        };
        if list.scale != battle.scale {
            let reason =
                format!("{} is for {} battles, and this one is {}", list.id, list.scale, battle.scale);
            return self.reader.fault(at, reason);
        }
        let own: Vec<UnitId> = army.units.iter().map(|unit| unit.id).collect();
        let units = list.numbered(army.letter, 1, |id| own.contains(&id));
        army.units.extend(units.map(|(id, name, sorts)| UnitSpec {
            id,
            name: name.to_owned(),
            sorts: sorts.to_vec(),
            at: None,
            hidden: false,
        }));
    }

    fn hires(&mut self, named: Option<&[At<String>]>) -> Vec<TroopId> {
        let Some(named) = named else {
            return self.numbers.troops().filter(|(_, troop)| troop.for_hire).map(|(id, _)| id).collect();
        };
        let hires: BTreeSet<TroopId> = named.iter().filter_map(|name| self.troop(name)).collect();
        hires.into_iter().collect()
    }

    fn troop(&mut self, At { at, value: text, .. }: &At<String>) -> Option<TroopId> {
        let found = self.numbers.find(text);
        if found.is_none() {
            let reason = format!("`{}` is no type of troops: write a name or code of table 1", short(text));
            self.reader.fault(*at, reason);
        }
        found
    }

    /// Hexes of a deployment zone: `0101-0312` is the rectangle between two hexes.
    fn zone(&mut self, field: &Field, parts: &[At<HexOrTwo>]) -> HexSet {
        let mut zone = HexSet::default();
        for At { at, value: HexOrTwo(text), .. } in parts {
            let (first, last) = text.split_once('-').unwrap_or((text, text));
            let first = self.hex_in(field, *at, first.trim());
            let (Some(a), Some(b)) = (first, self.hex_in(field, *at, last.trim())) else { continue };
            let within = |hex: &Hex| {
                (a.col.min(b.col)..=a.col.max(b.col)).contains(&hex.col)
                    && (a.row.min(b.row)..=a.row.max(b.row)).contains(&hex.row)
            };
            for hex in field.hexes().filter(within) {
                zone.insert(hex);
            }
        }
        zone
    }

    fn unit(&mut self, battle: &Battle, army: &Army, line: At<UnitLine>) -> Option<UnitSpec> {
        let At { at: here, value: line, .. } = line;
        let sorts = self.sorts(here, line.sorts, battle.scale);
        let at = match &line.at {
            None => None,
            Some(hex) => Some(self.hex(&battle.field, hex)?),
        };
        let (id, name, hidden) = (UnitId::new(army.letter, line.id), line.name, line.hidden);
        if sorts.is_empty() {
            return None;
        }
        if let Err(reason) = scores::fits(self.numbers, battle.scale, &sorts) {
            self.reader.fault(here, format!("{id}: {reason}"));
        }
        if let Some(hex) = at
            && let Some(ground) = battle.field.ground(hex)
            && let Err(reason) = scores::may_stand(
                self.numbers,
                battle.switches,
                &sorts,
                ground,
                battle.field.bridges.contains(&hex),
            )
        {
            self.reader.fault(here, format!("{id} can't start in {hex}: {reason}"));
        }
        Some(UnitSpec { id, name, sorts, at, hidden })
    }

    /// The sorts in a unit: one, or several if it is mixed (ruling DOG-33).
    pub(in crate::battle) fn sorts(&mut self, at: LineColumn, keys: SortKeys, scale: Scale) -> Vec<Sort> {
        let SortKeys { kind, fighters, elite, people, crew, size, mixed } = keys;
        let Some(mixed) = mixed else {
            let missing = [("type", kind.is_none()), ("fighters", fighters.is_none())];
            for (key, _) in missing.into_iter().filter(|(_, missing)| *missing) {
                self.reader.fault(at, format!("a unit needs a key `{key}`: add it"));
            }
            let (Some(kind), Some(fighters)) = (kind, fighters) else { return Vec::new() };
            let line = SortLine { kind, fighters, elite, people, crew, size };
            return self.sort(at, &line).into_iter().collect();
        };
        if scale != Scale::Strategic {
            self.reader.fault(mixed.at, "mixed units are of the strategic scale only (DOG-33)");
        }
        mixed.value.iter().filter_map(|line| self.sort(line.at, &line.value)).collect()
    }

    fn sort(&mut self, at: LineColumn, line: &SortLine) -> Option<Sort> {
        let troop = self.troop(&line.kind);
        let crew = line.crew.as_ref().and_then(|crew| self.troop(crew));
        let SortLine { elite, people, size, fighters, .. } = *line;
        let sort = Sort { troop: troop?, elite, people, crew, size, fighters };
        if let Err(reason) = scores::sense(self.numbers, &sort) {
            self.reader.fault(at, reason);
        }
        Some(sort)
    }
}
