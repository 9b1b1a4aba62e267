//! The armies of a battle file: leaders, zones, what is for hire, units.

use std::collections::{BTreeMap, BTreeSet};

use super::{Clerk, MOST_ARMIES, MOST_FIGHTERS, MOST_MONEY};
use crate::battle::hire::HireList;
use crate::battle::{Army, Battle, Field, UnitSpec};
use crate::model::{ArmyId, People, Scale, Sort, TroopId, UnitId};
use crate::scores;
use musterd_dice::Seat;
use musterd_engine::files::DataErrors;
use musterd_engine::hex::{Hex, HexSet};
use musterd_engine::yaml::{Fields, Node, short};

impl Clerk<'_> {
    pub(super) fn armies(&mut self, battle: &mut Battle, node: &Node) {
        let nodes = self.reader.list(node, "the list of armies");
        if !(2..=MOST_ARMIES).contains(&nodes.len()) {
            self.reader.fault(node.at, format!("a battle has 2 to {MOST_ARMIES} armies"));
        }
        let mut taken = BTreeMap::new();
        for (index, node) in (0..).zip(nodes.iter().take(MOST_ARMIES)) {
            let Some(army) = self.army(battle, ArmyId(index), node) else { continue };
            for (same, what) in [
                (battle.led_by(&army.seat).is_some(), "seat"),
                (battle.lettered(army.letter).is_some(), "letter"),
            ] {
                if same {
                    self.reader.fault(node.at, format!("two armies have the same {what}: change one"));
                }
            }
            for unit in &army.units {
                let Some(hex) = unit.at else { continue };
                if let Some(other) = taken.insert(hex, unit.id) {
                    let reason = format!("{} and {other} both start in {hex}: a hex holds one unit", unit.id);
                    self.reader.fault(node.at, reason);
                }
            }
            battle.armies.push(army);
        }
        if battle.armies.len() > 1 && battle.alliances().len() < 2 {
            self.reader.fault(node.at, "all armies fight in one alliance: there is nobody to fight");
        }
    }

    fn army(&mut self, battle: &Battle, id: ArmyId, node: &Node) -> Option<Army> {
        const KEYS: &[&str] = &[
            "seat",
            "letter",
            "name",
            "leader",
            "alliance",
            "leadership",
            "zone",
            "budget",
            "hire",
            "hires",
            "elite",
            "peoples",
            "units",
        ];
        let fields = self.reader.fields(node, "an army", KEYS);
        let seat = fields.need(self.reader, "seat").and_then(|node| self.seat(node));
        let letter = fields.need(self.reader, "letter").and_then(|node| self.letter(node));
        let name = self.needed(&fields, "name");
        let leader = self.optional(&fields, "leader");
        let alliance = self.optional(&fields, "alliance");
        let leadership = fields.need(self.reader, "leadership");
        let leadership = leadership.and_then(|node| self.reader.number(node, "leadership", 1..=MOST_MONEY));
        let zone = fields
            .get("zone")
            .map_or_else(|| battle.field.hexes().collect(), |node| self.zone(&battle.field, node));
        let budget = fields.get("budget");
        let budget = budget.and_then(|node| self.reader.number(node, "budget", 1..=MOST_MONEY));
        let elite = fields.get("elite").and_then(|node| self.reader.flag(node, "`elite`")).unwrap_or(false);
        let hires = self.hires(&fields);
        let mut peoples = Vec::new();
        if let Some(node) = fields.get("peoples") {
            for node in self.reader.list(node, "the list of peoples") {
                peoples.extend(self.reader.word::<People>(node, "people", &People::WORDS));
            }
        }
        let mut army = Army {
            id,
            seat: seat?,
            letter: letter?,
            leader: if leader.is_empty() { format!("the leader of {name}") } else { leader },
            alliance: if alliance.is_empty() { name.clone() } else { alliance },
            name,
            leadership: leadership.unwrap_or(1),
            zone,
            budget,
            hires,
            elite,
            peoples,
            units: Vec::new(),
        };
        self.enlist(battle, &mut army, &fields);
        if army.units.is_empty() && army.budget.is_none() {
            self.reader.fault(
                node.at,
                "this army has nobody: list its `units`, name a list to `hire`, or give it a `budget`",
            );
        }
        self.doubt_ego(&army, node);
        Some(army)
    }

    fn seat(&mut self, node: &Node) -> Option<Seat> {
        let text = self.reader.text(node, "a seat")?;
        let seat = text.parse();
        if seat.is_err() {
            self.reader.fault(
                node.at,
                format!("`{}` can't be a seat: write small letters, digits, - and .", short(text)),
            );
        }
        seat.ok()
    }

    fn letter(&mut self, node: &Node) -> Option<char> {
        let text = self.reader.text(node, "a letter")?;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(letter @ 'A'..='Z'), None) => Some(letter),
            _ => {
                self.reader.fault(node.at, "an army's letter is one of A to Z");
                None
            }
        }
    }

    /// The units of an army: those that the file lists, and those of a hire list.
    fn enlist(&mut self, battle: &Battle, army: &mut Army, fields: &Fields<'_>) {
        if let Some(list) = fields.get("units") {
            for node in self.reader.list(list, "the list of units") {
                if let Some(unit) = self.unit(battle, army, node) {
                    if army.units.iter().any(|other| other.id == unit.id) {
                        self.reader.fault(node.at, format!("there are two units {}", unit.id));
                    }
                    army.units.push(unit);
                }
            }
        }
        if let Some(node) = fields.get("hire") {
            self.hired_whole(battle, army, node);
        }
    }

    /// Warns of an army with more pride than its leader can hold.
    fn doubt_ego(&mut self, army: &Army, node: &Node) {
        let ego: u64 =
            army.units.iter().flat_map(|unit| &unit.sorts).map(|s| scores::ego(self.numbers, s)).sum();
        if ego > u64::from(army.leadership) {
            let reason = format!(
                "the units' ego is {ego}, more than the leadership of {}: some will disobey (manual 2.3)",
                army.leadership
            );
            self.reader.doubt(node.at, reason);
        }
    }

    /// The units of a hire list, behind those that the file lists, without a place.
    fn hired_whole(&mut self, battle: &Battle, army: &mut Army, node: &Node) {
        let Some(name) = self.reader.text(node, "a hire list") else { return };
        if let Some((id, DataErrors(errors))) =
            self.unfit.iter().find(|(id, _)| id.eq_ignore_ascii_case(name))
        {
            self.reader.fault(node.at, format!("the hire list `{id}` can't be used"));
            let new = errors.iter().filter(|error| !self.reader.errors.contains(error)).cloned();
            let new: Vec<_> = new.collect();
            return self.reader.errors.extend(new);
        }
        let Some(list) = HireList::find(self.lists, name) else {
            let known: Vec<&str> = self.lists.keys().map(String::as_str).collect();
            let reason = format!("there is no hire list `{}`; there are {}", short(name), known.join(", "));
            return self.reader.fault(node.at, reason);
        };
        if list.scale != battle.scale {
            let reason =
                format!("{} is for {} battles, and this one is {}", list.id, list.scale, battle.scale);
            return self.reader.fault(node.at, reason);
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

    fn hires(&mut self, fields: &Fields<'_>) -> Vec<TroopId> {
        let all = || self.numbers.troops().filter(|(_, troop)| troop.for_hire).map(|(id, _)| id).collect();
        let Some(node) = fields.get("hires") else { return all() };
        let mut hires = BTreeSet::new();
        for node in self.reader.list(node, "the list of troops for hire") {
            hires.extend(self.troop(node));
        }
        hires.into_iter().collect()
    }

    fn troop(&mut self, node: &Node) -> Option<TroopId> {
        let text = self.reader.text(node, "a type of troops")?;
        let found = self.numbers.find(text);
        if found.is_none() {
            let reason = format!("`{}` is no type of troops: write a name or code of table 1", short(text));
            self.reader.fault(node.at, reason);
        }
        found
    }

    /// Hexes of a deployment zone: `0101-0312` is the rectangle between two hexes.
    fn zone(&mut self, field: &Field, node: &Node) -> HexSet {
        let mut zone = HexSet::default();
        for node in self.reader.list(node, "a zone") {
            let Some(text) = self.reader.text(node, "a hex, or two with - between").map(str::to_owned) else {
                continue;
            };
            let (first, last) = text.split_once('-').unwrap_or((&text, &text));
            let first = self.hex_in(field, node.at, first.trim());
            let (Some(a), Some(b)) = (first, self.hex_in(field, node.at, last.trim())) else { continue };
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

    fn unit(&mut self, battle: &Battle, army: &Army, node: &Node) -> Option<UnitSpec> {
        const KEYS: &[&str] =
            &["id", "name", "type", "fighters", "elite", "people", "crew", "size", "mixed", "at", "hidden"];
        let fields = self.reader.fields(node, "a unit", KEYS);
        let number = fields.need(self.reader, "id");
        let number =
            number.and_then(|node| self.reader.number(node, "unit's number", 1..=i64::from(UnitId::MOST)));
        let name = self.optional(&fields, "name");
        let sorts = self.sorts(&fields, battle.scale);
        let at = match fields.get("at") {
            None => None,
            Some(node) => Some(self.hex(&battle.field, node)?),
        };
        let hidden =
            fields.get("hidden").and_then(|node| self.reader.flag(node, "`hidden`")).unwrap_or(false);
        let id = UnitId::new(army.letter, number?);
        if sorts.is_empty() {
            return None;
        }
        if let Err(reason) = scores::fits(self.numbers, battle.scale, &sorts) {
            self.reader.fault(node.at, format!("{id}: {reason}"));
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
            self.reader.fault(node.at, format!("{id} can't start in {hex}: {reason}"));
        }
        Some(UnitSpec { id, name, sorts, at, hidden })
    }

    /// The sorts in a unit: one, or several if it is mixed (ruling DOG-33).
    pub(in crate::battle) fn sorts(&mut self, fields: &Fields<'_>, scale: Scale) -> Vec<Sort> {
        match fields.get("mixed") {
            None => self.sort(fields).into_iter().collect(),
            Some(list) => {
                if scale != Scale::Strategic {
                    self.reader.fault(list.at, "mixed units are of the strategic scale only (DOG-33)");
                }
                let mut sorts = Vec::new();
                for node in self.reader.list(list, "a mixed unit") {
                    const KEYS: &[&str] = &["type", "fighters", "elite", "people", "crew", "size"];
                    let fields = self.reader.fields(node, "a sort of fighters", KEYS);
                    sorts.extend(self.sort(&fields));
                }
                sorts
            }
        }
    }

    fn sort(&mut self, fields: &Fields<'_>) -> Option<Sort> {
        let troop = fields.need(self.reader, "type").and_then(|node| self.troop(node));
        let fighters = fields.need(self.reader, "fighters");
        let fighters =
            fighters.and_then(|node| self.reader.number(node, "number of fighters", 1..=MOST_FIGHTERS));
        let elite = fields.get("elite").and_then(|node| self.reader.flag(node, "`elite`")).unwrap_or(false);
        let people = fields.get("people");
        let people = people.and_then(|node| self.reader.word(node, "people", &People::WORDS));
        let crew = fields.get("crew").and_then(|node| self.troop(node));
        let size = fields.get("size");
        let size = size.and_then(|node| self.reader.number(node, "size", 1..=MOST_FIGHTERS));
        let sort = Sort { troop: troop?, elite, people, crew, size, fighters: fighters? };
        if let Err(reason) = scores::sense(self.numbers, &sort) {
            self.reader.fault(fields.at, reason);
        }
        Some(sort)
    }
}
