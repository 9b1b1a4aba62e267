//! Reads a field.

use std::collections::BTreeMap;

use musterd_engine::hex::Hex;
use musterd_engine::yaml::{Reader, short};
use musterd_kit::field::{Bounds, Cells, Rows};
use musterd_kit::names::is_one;

use super::declared::{Ground, MOST};
use crate::battle::Field;
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
    let signs = Terrain::ALL.map(|terrain| format!("{} {}", terrain.sign(), terrain.words()));
    let cells = rows.ground(reader, Terrain::of_sign, &signs.join(", "));
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
            let hex = self.bounds().hex(reader, hex);
            let Some(text) = name.known() else { continue };
            if names.iter().any(|other| is_one(other, text)) {
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

    /// What files say of its hexes.
    pub(super) const fn bounds(&self) -> Bounds {
        Bounds { of: "field", size: (self.field.columns, self.field.rows), known: self.sized }
    }
}
