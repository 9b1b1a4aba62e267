//! A battle file, read and checked: everything wrong with it is noted where it stands.

use std::collections::{BTreeMap, BTreeSet};

use super::{Army, Battle, FILE, Field, Ground, Switches, UnitSpec};
use crate::engine::files::{DataError, DataErrors, RuleFiles};
use crate::engine::yaml::{Fields, Node, Place, Reader, short};
use crate::hex::{Hex, HexSet};
use crate::rules::dog::model::{
    ArmyId, Fortification, People, Relief, Scale, Sort, Terrain, TroopId, UnitId,
};
use crate::rules::dog::numbers::Numbers;
use crate::rules::dog::scores;

/// The largest field.
const WIDEST: usize = 40;
const HIGHEST: usize = 40;
/// The most armies.
const MOST_ARMIES: usize = 8;
/// The most fighters in a unit, whatever its scale allows.
const MOST_FIGHTERS: i64 = 200;
/// The most rounds.
const MOST_ROUNDS: i64 = 200;
/// The most money and leadership.
const MOST_MONEY: i64 = 1_000_000;

/// A battle as read, with everything found in it; usable if there are no errors.
pub(in crate::rules::dog) struct Draft {
    pub(in crate::rules::dog) battle: Battle,
    pub(in crate::rules::dog) errors: Vec<DataError>,
    pub(in crate::rules::dog) warnings: Vec<DataError>,
}

impl Draft {
    /// Reads `scenario.yaml`.
    ///
    /// # Errors
    /// When it can't be read at all.
    pub(in crate::rules::dog) fn read(files: &RuleFiles, numbers: &Numbers) -> Result<Self, DataErrors> {
        let mut reader = Reader::new(FILE);
        let tree = files.tree(FILE)?;
        let battle = Clerk { reader: &mut reader, numbers }.battle(&tree);
        Ok(Self { battle, errors: reader.errors, warnings: reader.warnings })
    }
}

/// Who reads the file.
struct Clerk<'a> {
    reader: &'a mut Reader,
    numbers: &'a Numbers,
}

impl Clerk<'_> {
    fn battle(&mut self, tree: &Node) -> Battle {
        const KEYS: &[&str] = &[
            "id",
            "title",
            "situation",
            "date",
            "scale",
            "orders",
            "rounds",
            "holders",
            "switches",
            "field",
            "armies",
        ];
        let fields = self.reader.fields(tree, "a battle", KEYS);
        let id = self.needed(&fields, "id");
        let title = self.needed(&fields, "title");
        let situation = self.needed(&fields, "situation");
        let date = self.optional(&fields, "date");
        let scale = fields.need(self.reader, "scale");
        let scale = scale.and_then(|node| self.reader.word(node, "scale", &Scale::WORDS));
        let scale = scale.unwrap_or(Scale::Tactical);
        let by_phase = fields.get("orders").and_then(|node| {
            let word: Option<String> =
                self.reader.word(node, "way of mailing orders", &["together", "by-phase"]);
            let known = word.filter(|word| matches!(word.as_str(), "together" | "by-phase"));
            if known.is_none() {
                self.reader.fault(node.at, "orders are mailed `together` or `by-phase`");
            }
            known
        });
        let rounds = fields.get("rounds");
        let rounds = rounds.and_then(|node| self.reader.number(node, "number of rounds", 1..=MOST_ROUNDS));
        let switches = fields.get("switches").map_or(Switches::USUAL, |node| self.switches(node));
        let field = fields.need(self.reader, "field").map(|node| self.field(node));
        let field = field.unwrap_or_else(|| Field {
            columns: 0,
            rows: 0,
            ground: Vec::new(),
            places: BTreeMap::new(),
            bridges: BTreeSet::new(),
            crossings: BTreeSet::new(),
            boats: Vec::new(),
        });
        let mut battle = Battle {
            id,
            title,
            situation,
            date,
            scale,
            by_phase: by_phase.as_deref() == Some("by-phase"),
            rounds,
            holders: None,
            switches,
            field,
            armies: Vec::new(),
        };
        if let Some(node) = fields.need(self.reader, "armies") {
            self.armies(&mut battle, node);
        }
        if let Some(node) = fields.get("holders")
            && let Some(text) = self.reader.text(node, "the alliance that wins at the end")
        {
            if battle.rounds.is_none() {
                self.reader.fault(node.at, "`holders` win when the last round ends: add `rounds`");
            }
            if !battle.alliances().contains(&text) {
                let reason = format!("no army fights for `{}`: write the `alliance` of one", short(text));
                self.reader.fault(node.at, reason);
            }
            battle.holders = Some(text.to_owned());
        }
        battle
    }

    fn needed(&mut self, fields: &Fields<'_>, key: &str) -> String {
        let node = fields.need(self.reader, key);
        node.and_then(|node| self.reader.text(node, key)).unwrap_or_default().trim().to_owned()
    }

    fn optional(&mut self, fields: &Fields<'_>, key: &str) -> String {
        let node = fields.get(key);
        node.and_then(|node| self.reader.text(node, key)).unwrap_or_default().trim().to_owned()
    }

    fn switches(&mut self, node: &Node) -> Switches {
        let fields = self.reader.fields(node, "the list of switches", &Switches::WORDS);
        let mut read = |key: &str, usual: bool| {
            let node = fields.get(key);
            node.and_then(|node| self.reader.flag(node, &format!("`{key}`"))).unwrap_or(usual)
        };
        let usual = Switches::USUAL;
        Switches {
            tiny_strikes: read("tiny_strikes", usual.tiny_strikes),
            fliers: read("fliers", usual.fliers),
            barbarian_flight: read("barbarian_flight", usual.barbarian_flight),
            nomad_unease: read("nomad_unease", usual.nomad_unease),
            guard_loyalty: read("guard_loyalty", usual.guard_loyalty),
        }
    }

    fn field(&mut self, node: &Node) -> Field {
        const KEYS: &[&str] = &["rows", "fortifications", "places", "bridges", "boats"];
        let fields = self.reader.fields(node, "a field", KEYS);
        let mut field = Field {
            columns: 0,
            rows: 0,
            ground: Vec::new(),
            places: BTreeMap::new(),
            bridges: BTreeSet::new(),
            crossings: BTreeSet::new(),
            boats: Vec::new(),
        };
        if let Some(node) = fields.need(self.reader, "rows") {
            self.rows(&mut field, node);
        }
        if let Some(node) = fields.get("fortifications") {
            for (key, value) in self.reader.entries(node, "the list of fortifications") {
                let hex = self.hex(&field, key);
                let walls: Option<Fortification> =
                    self.reader.word(value, "fortification", &Fortification::WORDS);
                let (Some(hex), Some(walls)) = (hex, walls) else { continue };
                let Some(ground) = field.ground(hex) else { continue };
                if !ground.terrain.is_constructable() {
                    let reason =
                        format!("nothing can be built in {} at {hex} (manual 3.3, DOG-37)", ground.terrain);
                    self.reader.fault(key.at, reason);
                }
                let index =
                    (usize::from(hex.row) - 1) * usize::from(field.columns) + usize::from(hex.col) - 1;
                field.ground[index].walls = Some(walls);
            }
        }
        if let Some(node) = fields.get("places") {
            for (key, value) in self.reader.entries(node, "the list of places") {
                let name = self.reader.text(value, "a place's name").map(str::to_owned);
                let (Some(hex), Some(name)) = (self.hex(&field, key), name) else { continue };
                if field.named(&name).is_some() {
                    self.reader.fault(value.at, format!("`{}` is the name of two hexes", short(&name)));
                }
                field.places.insert(hex, name);
            }
        }
        if let Some(node) = fields.get("bridges") {
            for node in self.reader.list(node, "the list of bridges") {
                self.bridge(&mut field, node);
            }
        }
        if let Some(node) = fields.get("boats") {
            for node in self.reader.list(node, "the list of boats") {
                let Some(hex) = self.hex(&field, node) else { continue };
                let afloat = |hex| field.ground(hex).is_some_and(|ground| ground.terrain == Terrain::Water);
                if !afloat(hex) {
                    self.reader.fault(node.at, format!("a boat lies in water, and {hex} is land"));
                } else if field.boats.contains(&hex) {
                    self.reader.fault(node.at, format!("two boats lie in {hex}: put one elsewhere"));
                }
                field.boats.push(hex);
            }
        }
        field
    }

    /// The rows of a field: a token for each hex, the sign of its terrain and of its relief.
    fn rows(&mut self, field: &mut Field, node: &Node) {
        let rows = self.reader.list(node, "the rows of the field");
        if rows.is_empty() || rows.len() > HIGHEST {
            self.reader.fault(node.at, format!("a field has 1 to {HIGHEST} rows"));
        }
        for row in rows.iter().take(HIGHEST) {
            let Some(text) = self.reader.text(row, "a row of the field") else { continue };
            let tokens: Vec<&str> = text.split_whitespace().collect();
            let wide = u8::try_from(tokens.len()).unwrap_or(u8::MAX);
            if tokens.len() > WIDEST {
                self.reader.fault(row.at, format!("a row has at most {WIDEST} hexes, not {}", tokens.len()));
                continue;
            }
            if field.columns == 0 {
                field.columns = wide;
            } else if field.columns != wide {
                let reason = format!("this row has {wide} hexes, and the first has {}", field.columns);
                self.reader.fault(row.at, reason);
                continue;
            }
            for token in tokens {
                field.ground.push(self.ground(row.at, token));
            }
            field.rows += 1;
        }
    }

    fn ground(&mut self, at: Place, token: &str) -> Ground {
        let mut signs = token.chars();
        let sign = signs.next().unwrap_or('.');
        let terrain = Terrain::ALL.into_iter().find(|terrain| self.numbers.cover(*terrain).sign == sign);
        let relief =
            Relief::ALL.into_iter().find(|relief| self.numbers.slope(*relief).sign == signs.as_str());
        let plain = Ground { terrain: Terrain::Clear, relief: Relief::Plains, walls: None };
        let (Some(terrain), Some(relief)) = (terrain, relief) else {
            let signs = Terrain::ALL.map(|terrain| format!("{} {terrain}", self.numbers.cover(terrain).sign));
            let slopes = Relief::ALL.map(|relief| format!("`{}` {relief}", self.numbers.slope(relief).sign));
            let reason = format!(
                "`{}` is no hex: write the sign of a terrain ({}), then that of its relief ({})",
                short(token),
                signs.join(", "),
                slopes.join(", ")
            );
            self.reader.fault(at, reason);
            return plain;
        };
        if relief != Relief::Plains && !terrain.has_relief() {
            self.reader.fault(at, format!("`{token}`: {terrain} has no relief (manual 3.2, DOG-37)"));
        }
        Ground { terrain, relief, walls: None }
    }

    /// A bridge: a hex of water, or two adjacent hexes.
    fn bridge(&mut self, field: &mut Field, node: &Node) {
        let Some(text) = self.reader.text(node, "a bridge").map(str::to_owned) else { return };
        let hex = |clerk: &mut Self, text: &str| clerk.hex_in(field, node.at, text);
        if let Some((a, b)) = text.split_once('-') {
            let (Some(a), Some(b)) = (hex(self, a.trim()), hex(self, b.trim())) else { return };
            if a.direction_to(b).is_none() {
                self.reader
                    .fault(node.at, format!("{a} and {b} are not neighbours: a bridge joins two that are"));
            }
            field.crossings.insert((a.min(b), a.max(b)));
        } else {
            let Some(hex) = hex(self, &text) else { return };
            if field.ground(hex).is_some_and(|ground| ground.terrain != Terrain::Water) {
                let reason =
                    format!("{hex} is land: a bridge is a hex of water, or a side such as 0304-0305");
                self.reader.fault(node.at, reason);
            }
            field.bridges.insert(hex);
        }
    }

    fn hex(&mut self, field: &Field, node: &Node) -> Option<Hex> {
        let text = self.reader.text(node, "a hex")?.to_owned();
        self.hex_in(field, node.at, &text)
    }

    fn hex_in(&mut self, field: &Field, at: Place, text: &str) -> Option<Hex> {
        match text.parse::<Hex>() {
            Ok(hex) if field.has(hex) => Some(hex),
            Ok(hex) => {
                let reason = format!(
                    "{hex} is off the field, which has {} columns and {} rows",
                    field.columns, field.rows
                );
                self.reader.fault(at, reason);
                None
            }
            Err(bad) => {
                self.reader.fault(at, bad.to_string());
                None
            }
        }
    }

    fn armies(&mut self, battle: &mut Battle, node: &Node) {
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
            "hires",
            "elite",
            "peoples",
            "units",
        ];
        let fields = self.reader.fields(node, "an army", KEYS);
        let seat = fields.need(self.reader, "seat").and_then(|node| {
            let text = self.reader.text(node, "a seat")?;
            let seat = text.parse();
            if seat.is_err() {
                self.reader.fault(
                    node.at,
                    format!("`{}` can't be a seat: write small letters, digits, - and .", short(text)),
                );
            }
            seat.ok()
        });
        let letter = fields.need(self.reader, "letter").and_then(|node| {
            let text = self.reader.text(node, "a letter")?;
            let mut chars = text.chars();
            match (chars.next(), chars.next()) {
                (Some(letter @ 'A'..='Z'), None) => Some(letter),
                _ => {
                    self.reader.fault(node.at, "an army's letter is one of A to Z");
                    None
                }
            }
        });
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
        if let Some(list) = fields.get("units") {
            for node in self.reader.list(list, "the list of units") {
                if let Some(unit) = self.unit(battle, &army, node) {
                    if army.units.iter().any(|other| other.id == unit.id) {
                        self.reader.fault(node.at, format!("there are two units {}", unit.id));
                    }
                    army.units.push(unit);
                }
            }
        }
        if army.units.is_empty() && army.budget.is_none() {
            self.reader.fault(node.at, "this army has nobody: list its `units`, or give it a `budget`");
        }
        let ego: u64 =
            army.units.iter().flat_map(|unit| &unit.sorts).map(|s| scores::ego(self.numbers, s)).sum();
        if ego > u64::from(army.leadership) {
            let reason = format!(
                "the units' ego is {ego}, more than the leadership of {}: some will disobey (manual 2.3)",
                army.leadership
            );
            self.reader.doubt(node.at, reason);
        }
        Some(army)
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
        let sorts = match fields.get("mixed") {
            None => self.sort(&fields).into_iter().collect(),
            Some(list) => {
                if battle.scale != Scale::Strategic {
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
        };
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
            && let Err(reason) =
                scores::may_stand(self.numbers, battle, &sorts, ground, battle.field.bridges.contains(&hex))
        {
            self.reader.fault(node.at, format!("{id} can't start in {hex}: {reason}"));
        }
        Some(UnitSpec { id, name, sorts, at, hidden })
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
