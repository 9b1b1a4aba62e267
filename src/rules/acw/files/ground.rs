//! Reads a map: its ground, names and works. What runs along it is read in `paths`.

use std::collections::BTreeMap;

use musterd_engine::hex::{Direction, Hex};
use musterd_engine::yaml::{Reader, short};
use musterd_kit::data::At;
use musterd_kit::field::{Bounds, Cells, Rows};
use musterd_kit::lists::joined;
use musterd_kit::names::{is_one, words};

use super::declared::{MOST, MapFile};
use crate::battle::{HexSide, Map};
use crate::model::{BrigadeId, HqId};
use crate::numbers::{Ground, Numbers};

/// A map as read.
#[derive(Default)]
pub(super) struct ReadMap {
    /// The map.
    pub(super) map: Map,
    /// Whether its size is known.
    pub(super) sized: bool,
    /// Whether the ground of each hex is known.
    pub(super) ground_known: Vec<bool>,
    /// The places of its names in the file, by hex.
    pub(super) named: BTreeMap<Hex, At<String>>,
}

/// Reads a map, and notes its faults.
pub(super) fn read(reader: &mut Reader, file: &MapFile, numbers: &Numbers) -> ReadMap {
    let rows = Rows::read(reader, "rows", &file.rows, Cells::Signs, MOST);
    let (columns, height) = rows.size();
    let signs = joined(numbers.grounds().map(|(_, name, terrain)| format!("{} {name}", terrain.sign)), ", ");
    let cells = rows.ground(reader, |sign| numbers.ground_of(sign), &signs);
    let sides = vec![[HexSide::default(); 6]; cells.len()];
    let map = Map {
        title: file.title.clone(),
        metres: file.metres,
        columns,
        rows: height,
        sides,
        ground: cells.iter().map(|cell| cell.unwrap_or(Ground(0))).collect(),
        ..Map::default()
    };
    let mut read = ReadMap {
        map,
        sized: rows.known_size().is_some() && file.rows.known().is_some(),
        ground_known: cells.iter().map(Option::is_some).collect(),
        named: BTreeMap::new(),
    };
    read.name_places(reader, file);
    for (named, value) in &file.forts.0 {
        let Some(hex) = read.bounds().hex(reader, named) else { continue };
        if read.is_closed(numbers, hex) {
            reader.fault(named.at, format!("nobody can enter {hex}: works stand on open ground"));
        }
        read.map.forts.insert(hex, *value);
    }
    read
}

/// What orders would read a name as, if not as that of a place.
pub(super) fn misread(name: &str, hex: Option<Hex>) -> Option<&'static str> {
    let folded = words(name);
    let is_way = Direction::from_abbreviation(name.trim()).is_some()
        || ["north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest", "n", "s"]
            .contains(&folded.concat().as_str());
    match name.parse::<Hex>() {
        Ok(named) if hex != Some(named) => Some("another hex"),
        _ if is_way => Some("a direction"),
        _ if name.parse::<BrigadeId>().is_ok() || name.parse::<HqId>().is_ok() => Some("a unit"),
        _ if ["all", "everybody", "everyone"].contains(&folded.concat().as_str()) => Some("all units"),
        _ if ["stand", "stay", "halt", "here"].contains(&folded.concat().as_str()) => Some("an order"),
        _ if name.contains([',', ';', ':', '#', '"', '>']) => Some("several names"),
        _ if folded.is_empty() || !name.chars().any(char::is_alphabetic) => Some("a number"),
        _ => None,
    }
}

impl ReadMap {
    fn name_places(&mut self, reader: &mut Reader, file: &MapFile) {
        let mut names: Vec<&str> = Vec::new();
        for (hex, name) in &file.places.0 {
            let hex = self.bounds().hex(reader, hex);
            let Some(text) = name.known() else { continue };
            if names.iter().any(|other| is_one(other, text)) {
                reader.fault(
                    name.at,
                    format!("`{}` is the name of two hexes: call one otherwise", short(text)),
                );
            }
            names.push(text);
            if let Some(as_what) = misread(text, hex) {
                let reason = format!("orders read `{}` as {as_what}: call the place otherwise", short(text));
                reader.fault(name.at, reason);
            }
            self.map.places.extend(hex.map(|hex| (hex, text.clone())));
            self.named.extend(hex.map(|hex| (hex, name.clone())));
        }
    }

    /// Whether the ground of a hex is known.
    pub(super) fn knows(&self, hex: Hex) -> bool {
        self.sized && self.map.has(hex) && self.ground_known[self.map.place(hex)]
    }

    /// Whether a hex is known to be one that nobody enters.
    pub(super) fn is_closed(&self, numbers: &Numbers, hex: Hex) -> bool {
        self.knows(hex) && numbers.terrain(self.map.ground(hex)).column.is_none()
    }

    /// What files say of its hexes.
    pub(super) const fn bounds(&self) -> Bounds {
        Bounds { of: "map", size: (self.map.columns, self.map.rows), known: self.sized }
    }
}
