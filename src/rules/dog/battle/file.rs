//! Reads and checks a battle file: every fault is noted with its place.

mod armies;
mod hire;

pub(crate) use hire::is_hire_list;

use std::collections::{BTreeMap, BTreeSet};

use super::declared::{BattleFile, FieldLine, HexText, Orders};
use super::hire::{HireList, HireLists, UnfitLists};
use super::{Battle, Field};
use crate::model::{Ground, Relief};
use crate::numbers::Numbers;
use musterd_engine::alike::names;
use musterd_engine::files::{DataError, DataErrors, RuleFiles};
use musterd_engine::hex::{Hex, HexSet};
use musterd_engine::yaml::{LineColumn, Reader, short};
use musterd_kit::data::{ANY, At, whole};
use musterd_kit::field::{Bounds, Cells, HexOrTwo, Rows, Size, hexes, place};
use musterd_kit::files::{Found, open};
use musterd_kit::lists::joined;

/// The file of a game's battle, whatever its original name.
pub const FILE: &str = "scenario.yaml";

/// The most columns and rows of a field.
const MOST: Size = (40, 40);
/// The most armies.
const MOST_ARMIES: usize = 8;

impl Battle {
    /// Reads and checks `scenario.yaml` together with the hire lists.
    ///
    /// # Errors
    /// Every fault of the battle, and of the lists that it names, with line and column.
    pub fn with_lists(files: &RuleFiles, numbers: &Numbers) -> Result<(Self, HireLists), DataErrors> {
        let read = ReadBattle::with_lists(files, numbers);
        Ok((read.found.usable(read.battle)?, read.lists))
    }
}

/// A battle as read, with everything found in it; usable if there are no errors.
pub(crate) struct ReadBattle {
    battle: Option<Battle>,
    pub(crate) found: Found,
    /// What its author has to mend, and what a game that was founded with it goes on with.
    pub(crate) late: Vec<DataError>,
    lists: HireLists,
}

impl ReadBattle {
    /// Reads the hire lists and the battle.
    pub(crate) fn with_lists(files: &RuleFiles, numbers: &Numbers) -> Self {
        let (lists, unfit) = HireList::load(files, numbers);
        let (mut reader, file) = open::<BattleFile>(files, FILE, &ANY);
        let id = file.as_ref().map(|file| file.id.clone());
        let mut clerk = Clerk::new(&mut reader, numbers, (&lists, &unfit));
        let battle = file.map(|file| clerk.battle(file));
        let late = clerk.late_faults(FILE);
        Self { battle, found: Found { id, ..reader.into() }, late, lists }
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
    /// Whether the number of columns and rows of the field is known.
    sized: bool,
    /// Hexes of which it is not known what is in them, a fault being noted.
    vague: HexSet,
    /// Faults that games were founded with before they were looked for: they are told to authors alone.
    late: Vec<(LineColumn, String)>,
}

impl<'a> Clerk<'a> {
    fn new(
        reader: &'a mut Reader,
        numbers: &'a Numbers,
        (lists, unfit): (&'a HireLists, &'a UnfitLists),
    ) -> Self {
        Self { reader, numbers, lists, unfit, sized: false, vague: HexSet::default(), late: Vec::new() }
    }
}

impl Clerk<'_> {
    /// The faults of a file that are told to authors alone.
    fn late_faults(&mut self, file: &str) -> Vec<DataError> {
        let late = std::mem::take(&mut self.late).into_iter();
        late.map(|(at, reason)| DataError { file: file.to_owned(), at, reason }).collect()
    }

    fn battle(&mut self, file: BattleFile) -> Battle {
        let mut battle = Battle {
            id: file.id.value,
            title: file.title,
            situation: file.situation,
            date: file.date,
            scale: file.scale.value,
            by_phase: file.orders == Orders::ByPhase,
            rounds: file.rounds.as_ref().map(|rounds| rounds.value),
            holders: None,
            switches: file.switches,
            field: self.field(file.field),
            armies: Vec::new(),
        };
        let alliances = self.armies(&mut battle, file.scale.known().copied(), file.armies);
        if let Some(holders) = file.holders.filter(|holders| holders.known().is_some()) {
            let (at, text) = (holders.at, holders.value);
            if battle.rounds.is_none() {
                self.reader.fault(at, "`holders` win when the last round ends: add `rounds`");
            }
            if let Some(alliances) = alliances.filter(|alliances| !alliances.contains(&text)) {
                let near = names(&text, alliances.iter().map(String::as_str));
                self.reader.fault(at, format!("no army fights for `{}`; {near}", short(&text)));
            }
            battle.holders = Some(text);
        }
        battle
    }

    fn field(&mut self, line: FieldLine) -> Field {
        // A word for each hex: the sign of its terrain and that of its relief.
        let rows = Rows::read(self.reader, "rows", &line.rows, Cells::Words, MOST);
        let (columns, height) = rows.size();
        self.sized = rows.known_size().is_some();
        let mut ground = Vec::new();
        for hex in hexes(rows.size()) {
            let known = rows.at(hex).and_then(|(word, at)| self.ground(at, word));
            ground.push(known.unwrap_or_else(|| {
                self.vague.insert(hex);
                Ground::OPEN
            }));
        }
        let mut field = Field {
            columns,
            rows: height,
            ground,
            places: BTreeMap::new(),
            bridges: BTreeSet::new(),
            crossings: BTreeSet::new(),
            boats: Vec::new(),
        };
        let built = line.fortifications.map(|built| (built.known().is_some(), built.value.0));
        let (mut whole_field, built) = built.unwrap_or((true, Vec::new()));
        whole_field &= built.iter().all(|(key, _)| key.known().is_some());
        for (key, walls) in built {
            let Some(hex) = self.hex(&field, &key) else { continue };
            let Some(ground) = field.ground(hex) else { continue };
            if !self.numbers.cover(ground.terrain).is_constructable() {
                let reason =
                    format!("nothing can be built in {} at {hex} (manual 3.3, DOG-37)", ground.terrain);
                self.reader.fault(key.at, reason);
            }
            #[expect(clippy::expect_used, reason = "it has a ground")]
            let index = place(rows.size(), hex).expect("a hex of the field");
            field.ground[index].walls = Some(walls);
        }
        let mut named: Vec<String> = Vec::new();
        for (key, At { at, value: name, .. }) in line.places.0 {
            let hex = self.hex(&field, &key);
            if !name.is_empty() && named.iter().any(|other| other.eq_ignore_ascii_case(&name)) {
                self.reader.fault(at, format!("`{}` is the name of two hexes", short(&name)));
            }
            named.push(name.clone());
            field.places.extend(hex.map(|hex| (hex, name)));
        }
        let bridges = line.bridges.map(|bridges| (bridges.known().is_some(), bridges.value));
        let (known, bridges) = bridges.unwrap_or((true, Vec::new()));
        whole_field &= known && whole(&bridges);
        for bridge in &bridges {
            self.bridge(&mut field, bridge);
        }
        for boat in &line.boats {
            let Some(hex) = self.hex(&field, boat) else { continue };
            let water = |ground: Ground| self.numbers.cover(ground.terrain).is_water();
            let afloat = |hex| self.vague.contains(hex) || field.ground(hex).is_some_and(water);
            if !afloat(hex) {
                self.reader.fault(boat.at, format!("a boat lies in water, and {hex} is land"));
            } else if field.boats.contains(&hex) {
                self.reader.fault(boat.at, format!("two boats lie in {hex}: put one elsewhere"));
            }
            field.boats.push(hex);
        }
        if !whole_field {
            // What can't be read may be built anywhere, and carries who could not stand there else.
            self.vague.extend(field.hexes());
        }
        field
    }

    fn ground(&mut self, at: LineColumn, token: &str) -> Option<Ground> {
        let mut signs = token.chars();
        let sign = signs.next().unwrap_or('.');
        let terrain = self.numbers.terrains().find(|(_, cover)| cover.sign == sign);
        let relief =
            Relief::ALL.into_iter().find(|relief| self.numbers.slope(*relief).sign.0 == signs.as_str());
        if terrain.is_none() && !self.numbers.knows_terrains() {
            return None;
        }
        let (Some((terrain, cover)), Some(relief)) = (terrain, relief) else {
            let signs = self.numbers.terrains().map(|(terrain, cover)| format!("{} {terrain}", cover.sign));
            let slopes =
                Relief::ALL.map(|relief| format!("`{}` {relief}", self.numbers.slope(relief).sign.0));
            let reason = format!(
                "`{}` is no hex: write the sign of a terrain ({}), then that of its relief ({})",
                short(token),
                joined(signs, ", "),
                joined(slopes, ", ")
            );
            self.reader.fault(at, reason);
            return None;
        };
        if relief != Relief::Plains && !cover.has_relief() {
            self.reader.fault(at, format!("`{token}`: {terrain} has no relief (manual 3.2, DOG-37)"));
        }
        Some(Ground { terrain, relief, walls: None })
    }

    /// A bridge: a hex of water, or two adjacent hexes.
    fn bridge(&mut self, field: &mut Field, bridge: &At<HexOrTwo>) {
        let Some(HexOrTwo(text)) = bridge.known() else { return };
        let at = bridge.at;
        let hex = |clerk: &mut Self, text: &str| clerk.hex_in(field, at, text);
        if let Some((a, b)) = text.split_once('-') {
            let (Some(a), Some(b)) = (hex(self, a), hex(self, b)) else { return };
            if a.direction_to(b).is_none() {
                self.reader.fault(at, format!("{a} and {b} are not neighbours: a bridge joins two that are"));
            }
            field.crossings.insert((a.min(b), a.max(b)));
        } else {
            let Some(hex) = hex(self, text) else { return };
            let land = |ground: Ground| !self.numbers.cover(ground.terrain).is_water();
            if field.ground(hex).is_some_and(land) && !self.vague.contains(hex) {
                let reason =
                    format!("{hex} is land: a bridge is a hex of water, or a side such as 0304-0305");
                self.reader.fault(at, reason);
            }
            field.bridges.insert(hex);
        }
    }

    fn hex(&mut self, field: &Field, hex: &At<HexText>) -> Option<Hex> {
        let HexText(text) = hex.known()?;
        self.hex_in(field, hex.at, text)
    }

    fn hex_in(&mut self, field: &Field, at: LineColumn, text: &str) -> Option<Hex> {
        self.bounds(field).read(self.reader, at, text)
    }

    /// What files say of the hexes of the field.
    const fn bounds(&self, field: &Field) -> Bounds {
        Bounds { of: "field", size: (field.columns, field.rows), known: self.sized }
    }
}
