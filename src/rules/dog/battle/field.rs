//! The field of a battle: its hexes as they are at the start.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::Ground;
use musterd_engine::hex::Hex;
use musterd_kit::field::{hexes, place};
use serde::Serialize;

/// The field at the start; the GM may change it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Hexes in a row.
    pub columns: u8,
    /// Rows.
    pub rows: u8,
    pub(super) ground: Vec<Ground>,
    /// Names of hexes.
    pub places: BTreeMap<Hex, String>,
    /// Hexes over water that a bridge crosses (ruling DOG-35).
    pub bridges: BTreeSet<Hex>,
    /// Hex sides with a bridge, lower hex first (ruling DOG-35).
    pub crossings: BTreeSet<(Hex, Hex)>,
    /// Where boats lie, in order (ruling DOG-35).
    pub boats: Vec<Hex>,
}

/// What has become of the field during a battle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Works {
    /// Hexes with a bridge.
    pub bridges: BTreeSet<Hex>,
    /// Sides of hexes with a bridge, as pairs of neighbours, the smaller hex first. Not in the digest of a view: it follows from the events, and the
    /// digests of old journals stay the same.
    #[serde(skip)]
    pub crossings: BTreeSet<(Hex, Hex)>,
    /// Ground that differs from the battle file.
    pub changed: BTreeMap<Hex, Ground>,
}

impl Works {
    /// The bridges that the battle file has.
    pub fn at_start(field: &Field) -> Self {
        Self { bridges: field.bridges.clone(), crossings: field.crossings.clone(), changed: BTreeMap::new() }
    }

    /// What a hex is; `None` off the field.
    pub fn ground(&self, field: &Field, hex: Hex) -> Option<Ground> {
        self.changed.get(&hex).copied().or_else(|| field.ground(hex))
    }

    /// The ground under somebody in a hex: on a bridge and aboard a boat there is no water (ruling DOG-35).
    pub fn footing(&self, field: &Field, hex: Hex, aboard: bool) -> Ground {
        let carried = aboard || self.bridges.contains(&hex);
        self.ground(field, hex).filter(|_| !carried).unwrap_or(Ground::OPEN)
    }
}

impl Field {
    /// The ground of a hex; `None` off the field.
    pub fn ground(&self, hex: Hex) -> Option<Ground> {
        place((self.columns, self.rows), hex).map(|index| self.ground[index])
    }

    /// The last hex, in the last column and row.
    pub const fn last(&self) -> Hex {
        Hex::new(self.columns, self.rows)
    }

    /// Whether the hex is on the field.
    pub fn has(&self, hex: Hex) -> bool {
        self.ground(hex).is_some()
    }

    /// The hexes around one that are on the field.
    pub fn around(&self, hex: Hex) -> impl Iterator<Item = Hex> + '_ {
        hex.around().filter(|hex| self.has(*hex))
    }

    /// Every hex, as a map is read.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> + use<> {
        hexes((self.columns, self.rows))
    }

    /// The hex with this name, in any case.
    pub fn named(&self, name: &str) -> Option<Hex> {
        self.places.iter().find(|(_, own)| own.eq_ignore_ascii_case(name)).map(|(hex, _)| *hex)
    }

    /// A hex as a report writes it: `0304`, or `0304 Daerquwa`.
    pub fn place(&self, hex: Hex) -> String {
        self.places.get(&hex).map_or_else(|| hex.to_string(), |name| format!("{hex} {name}"))
    }
}
