//! Reads a field.

use std::collections::BTreeMap;

use musterd_engine::hex::Hex;
use musterd_engine::yaml::{LineColumn, Reader, short};
use musterd_kit::data::At;
use musterd_kit::field::{Cells, Rows, hexes};

use super::declared::{Ground, HexOrTwo, MOST};
use crate::battle::{Field, is_one_place};
use crate::model::{Terrain, UnitId, Way};

/// A field as read.
pub(super) struct ReadField {
    /// The field.
    pub(super) field: Field,
    /// Whether its size is known.
    pub(super) sized: bool,
    /// Whether all its ground is known, too.
    pub(super) known: bool,
    /// What its file calls it; empty if it has no file.
    pub(super) title: String,
}

/// Reads a field, and notes its faults.
pub(super) fn read(reader: &mut Reader, ground: &Ground) -> ReadField {
    let before = reader.errors.len();
    let rows = Rows::read(reader, "rows", &ground.rows, Cells::Signs, MOST);
    let (columns, height) = rows.size();
    let terrain = |hex| {
        let (sign, at) = rows.at(hex)?;
        let known = sign.chars().next().and_then(Terrain::of_sign);
        if known.is_none() {
            let signs = Terrain::ALL.map(|terrain| format!("{} {}", terrain.sign(), terrain.words()));
            let reason = format!("`{}` is no ground: write {}", short(sign), signs.join(", "));
            reader.fault(at, reason);
        }
        known
    };
    let cells: Vec<Option<Terrain>> = hexes(rows.size()).map(terrain).collect();
    let sized = rows.known_size().is_some() && ground.rows.known().is_some();
    let known = sized && cells.iter().all(Option::is_some);
    let ground_of = cells.into_iter().map(|cell| cell.unwrap_or(Terrain::Clear)).collect();
    let field = Field { columns, rows: height, ground: ground_of, places: BTreeMap::new() };
    let mut read =
        ReadField { field, sized, known: known && reader.errors.len() == before, title: String::new() };
    read.name_places(reader, ground);
    read
}

impl ReadField {
    fn name_places(&mut self, reader: &mut Reader, ground: &Ground) {
        let mut names: Vec<&str> = Vec::new();
        for (hex, name) in &ground.places.0 {
            let hex = self.hex(reader, hex);
            let Some(text) = name.known() else { continue };
            if names.iter().any(|other| is_one_place(other, text)) {
                reader.fault(name.at, format!("`{}` is the name of two hexes", short(text)));
            }
            names.push(text);
            let another = text.parse::<Hex>().is_ok_and(|named| hex != Some(named));
            let is_way = Way::named(text).is_some();
            if another || is_way || text.parse::<UnitId>().is_ok() {
                let as_what = if another {
                    "another hex"
                } else if is_way {
                    "a direction"
                } else {
                    "a unit"
                };
                let reason = format!("orders read `{}` as {as_what}: call the place otherwise", short(text));
                reader.fault(name.at, reason);
            }
            self.field.places.extend(hex.map(|hex| (hex, text.clone())));
        }
    }

    /// A hex of a file, if the field has it.
    pub(super) fn hex(&self, reader: &mut Reader, hex: &At<Hex>) -> Option<Hex> {
        let (at, hex) = (hex.at, *hex.known()?);
        match self.field.has(hex) {
            true => Some(hex),
            false => {
                self.is_off(reader, at, hex);
                None
            }
        }
    }

    /// Hexes of a file: single ones, and rectangles such as `0101-0312`.
    pub(super) fn hexes(&self, reader: &mut Reader, parts: &[At<HexOrTwo>]) -> Vec<Hex> {
        let mut found = Vec::new();
        for At { at, value: HexOrTwo(text), .. } in parts.iter().filter(|part| part.known().is_some()) {
            let mut corner = |text: &str| match text.trim().parse::<Hex>() {
                Ok(hex) if self.field.has(hex) => Some(hex),
                Ok(hex) => {
                    self.is_off(reader, *at, hex);
                    None
                }
                Err(bad) => {
                    reader.fault(*at, bad.to_string());
                    None
                }
            };
            let (a, b) = match text.split_once('-') {
                Some((first, last)) => (corner(first), corner(last)),
                None => {
                    let only = corner(text);
                    (only, only)
                }
            };
            let (Some(a), Some(b)) = (a, b) else { continue };
            let columns = a.col.min(b.col)..=a.col.max(b.col);
            let rows = a.row.min(b.row)..=a.row.max(b.row);
            let within = |hex: &Hex| columns.contains(&hex.col) && rows.contains(&hex.row);
            found.extend(self.field.hexes().filter(within));
        }
        found
    }

    fn is_off(&self, reader: &mut Reader, at: LineColumn, hex: Hex) {
        if self.sized {
            let (columns, rows) = (self.field.columns, self.field.rows);
            reader.fault(at, format!("{hex} is off the field, which has {columns} columns and {rows} rows"));
        }
    }
}
