//! Reads and checks a battle file: every fault is noted with its place.

mod armies;
mod hire;

use std::collections::{BTreeMap, BTreeSet};

use super::hire::{HireLists, UnfitLists};
use super::{Battle, Field};
use crate::model::{Fortification, Ground, Relief, Scale, Terrain};
use crate::numbers::Numbers;
use crate::switches::Switches;
use musterd_engine::files::{DataError, DataErrors, RuleFiles};
use musterd_engine::hex::Hex;
use musterd_engine::yaml::{Fields, LineColumn, Node, Reader, short};

/// The file of a game's battle, whatever its original name.
pub const FILE: &str = "scenario.yaml";

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

impl Battle {
    /// Reads and checks `scenario.yaml`.
    ///
    /// # Errors
    /// Every fault of it, with line and column.
    pub fn load(files: &RuleFiles, numbers: &Numbers) -> Result<Self, DataErrors> {
        Ok(Self::with_lists(files, numbers)?.0)
    }

    /// Reads and checks `scenario.yaml` together with the hire lists.
    ///
    /// # Errors
    /// Every fault of the battle, and of the lists that it names.
    pub fn with_lists(files: &RuleFiles, numbers: &Numbers) -> Result<(Self, HireLists), DataErrors> {
        let (draft, lists) = ReadBattle::with_lists(files, numbers)?;
        if draft.errors.is_empty() { Ok((draft.battle, lists)) } else { Err(DataErrors(draft.errors)) }
    }
}

/// A battle as read, with everything found in it; usable if there are no errors.
pub(crate) struct ReadBattle {
    pub(crate) battle: Battle,
    pub(crate) errors: Vec<DataError>,
    pub(crate) warnings: Vec<DataError>,
}

impl ReadBattle {
    /// Reads `scenario.yaml`.
    ///
    /// # Errors
    /// It can't be read at all.
    pub(super) fn read(
        files: &RuleFiles,
        numbers: &Numbers,
        lists: &HireLists,
        unfit: &UnfitLists,
    ) -> Result<Self, DataErrors> {
        let mut reader = Reader::new(FILE);
        let tree = files.tree(FILE)?;
        let battle = Clerk { reader: &mut reader, numbers, lists, unfit }.battle(&tree);
        Ok(Self { battle, errors: reader.errors, warnings: reader.warnings })
    }
}

/// Reads the file.
struct Clerk<'a> {
    reader: &'a mut Reader,
    numbers: &'a Numbers,
    /// The hire lists that a battle file may name.
    lists: &'a HireLists,
    /// The hire lists that can't be used, with the reasons.
    unfit: &'a UnfitLists,
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

    pub(super) fn needed(&mut self, fields: &Fields<'_>, key: &str) -> String {
        let node = fields.need(self.reader, key);
        node.and_then(|node| self.reader.text(node, key)).unwrap_or_default().trim().to_owned()
    }

    pub(super) fn optional(&mut self, fields: &Fields<'_>, key: &str) -> String {
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

    fn ground(&mut self, at: LineColumn, token: &str) -> Ground {
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

    fn hex_in(&mut self, field: &Field, at: LineColumn, text: &str) -> Option<Hex> {
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
}
