//! The battle of one game, read and checked: the field, the two sides and their units.

use std::collections::{BTreeMap, BTreeSet};

use musterd_engine::Seat;
use musterd_engine::hex::{Direction, Hex};
use musterd_kit::names::is_one;
use musterd_kit::{field, named};

use crate::model::{Class, Missile, Side, Terrain, UnitId, UnitType, Weapon};
use crate::numbers::Gifts;

/// The file of the battle in a founding.
pub const FILE: &str = "scenario.yaml";

/// A battle.
#[derive(Debug, Clone)]
pub struct Battle {
    /// Its title.
    pub title: String,
    /// What it is made of.
    pub setting: Setting,
    /// Where its facts are from, in words; may be empty.
    pub sources: String,
    /// When it was, in words; may be empty.
    pub date: String,
    /// The situation before the first order.
    pub situation: String,
    /// The last time-point: nightfall.
    pub nightfall: u16,
    /// The field.
    pub field: Field,
    /// The sides, in the order of [`Side::ALL`].
    pub sides: [Army; 2],
    /// All units: those of side A by their numbers, then those of side B. Places in this list are places in the state.
    pub units: Vec<Spec>,
    /// The hunt for a wizard (SA-32), if there is one.
    pub hunt: Option<Hunt>,
    /// Whether an army or the field is another than the scenario's own: then the title names both armies.
    pub swapped: bool,
}

named! {
    /// What a battle is made of.
    pub enum Setting: "kind of scenario" {
        /// Osgorth.
        Fantasy = "fantasy",
        /// Antiquity and the Middle Ages.
        Historical = "historical",
        /// To learn with.
        Introductory = "introductory",
    }
}

/// The ground of a battle.
#[derive(Debug, Clone)]
pub struct Field {
    /// The number of columns.
    pub columns: u8,
    /// The number of rows.
    pub rows: u8,
    /// The terrain of each hex, row by row.
    pub ground: Vec<Terrain>,
    /// Names of hexes.
    pub places: BTreeMap<Hex, String>,
}

/// One side's army.
#[derive(Debug, Clone)]
pub struct Army {
    /// Its name.
    pub name: String,
    /// Its commanders: the first commands all units that belong to no contingent.
    pub commanders: Vec<Commander>,
    /// Spell points at the start.
    pub magic: u32,
    /// The edge of the field behind it, over which its units rout.
    pub home: Edge,
    /// Where its units may be deployed anew before the battle; empty if they stand where the scenario puts them.
    pub zone: BTreeSet<Hex>,
    /// The places of its first and last unit in [`Battle::units`]: from, and up to but without.
    pub units: (usize, usize),
}

/// A commander: of an army, or of a contingent of it.
#[derive(Debug, Clone)]
pub struct Commander {
    /// His seat.
    pub seat: Seat,
    /// How he is addressed: `the commander of Northwold`.
    pub title: String,
    /// The units under him.
    pub units: BTreeSet<UnitId>,
}

named! {
    /// An edge of the field.
    #[expect(missing_docs, reason = "edges")]
    pub enum Edge: "edge of the field" {
        North = "north",
        South = "south",
        East = "east",
        West = "west",
    }
}

/// A unit as the order of battle has it.
#[derive(Debug, Clone)]
pub struct Spec {
    /// Its side and number.
    pub id: UnitId,
    /// Its name: `Northwold Foot 2`, or without a number if it is the only one so called.
    pub name: String,
    /// What all units of its row are called: `Northwold Foot`.
    pub row: String,
    /// Its tribe or people.
    pub tribe: String,
    /// What its tribe can do.
    pub gifts: Gifts,
    /// Its type.
    pub kind: UnitType,
    /// Its training class.
    pub class: Class,
    /// Its weapon in melee.
    pub weapon: Weapon,
    /// Its missile weapon.
    pub missile: Option<Missile>,
    /// Whether it carries shields.
    pub shield: bool,
    /// Its men at the start.
    pub men: u32,
    /// Where it stands at the start; `None` if it comes later, or is a likeness that is not there yet.
    pub at: Option<Hex>,
    /// Whether it may cast spells (SA-38).
    pub casts: bool,
    /// When and where it comes, if not at the start.
    pub arrives: Option<Arrival>,
    /// The time-point before which it may not move.
    pub waits: Option<u16>,
    /// When it may change its mind.
    pub deserts: Option<Desertion>,
    /// Whether it is the wizard or one of his likenesses (SA-32): of these one alone is real.
    pub likeness: bool,
}

/// When and where a unit comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// At this time-point.
    pub point: u16,
    /// In this hex, or the nearest free one.
    pub at: Hex,
}

/// When a unit may desert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Desertion {
    /// At this time-point a die is thrown.
    pub point: u16,
    /// It deserts if the die shows no more than this.
    pub most: u32,
}

/// The hunt for a wizard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hunt {
    /// Whose wizard it is.
    pub side: Side,
    /// The wizard at the start, before any likeness.
    pub wizard: UnitId,
    /// After this time-point he may leave over his own edge.
    pub leaves: u16,
    /// Spell points that a likeness costs.
    pub cost: u32,
    /// Whether the hunt decides the battle: it is won at once if the real wizard dies, and lost if he leaves or lives at nightfall.
    pub decides: bool,
}

impl Field {
    /// Whether it has this hex.
    pub const fn has(&self, hex: Hex) -> bool {
        hex.col >= 1 && hex.col <= self.columns && hex.row >= 1 && hex.row <= self.rows
    }

    /// The place of a hex in lists row by row; `None` if it is off the field.
    pub fn index(&self, hex: Hex) -> Option<usize> {
        field::place((self.columns, self.rows), hex)
    }

    /// The ground of a hex; water off the field.
    pub fn terrain(&self, hex: Hex) -> Terrain {
        self.index(hex).map_or(Terrain::Water, |index| self.ground[index])
    }

    /// All hexes, row by row.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> + use<> {
        field::hexes((self.columns, self.rows))
    }

    /// The last hex.
    pub const fn last(&self) -> Hex {
        Hex::new(self.columns, self.rows)
    }

    /// The hex of this name, in any case and with or without accents.
    pub fn named(&self, name: &str) -> Option<Hex> {
        self.places.iter().find(|(_, own)| is_one(own, name)).map(|(hex, _)| *hex)
    }

    /// Whether a hex lies at this edge.
    pub const fn is_at(&self, hex: Hex, edge: Edge) -> bool {
        self.from(hex, edge) == 0
    }

    /// How many columns or rows a hex lies from an edge.
    pub const fn from(&self, hex: Hex, edge: Edge) -> u32 {
        let (own, last) = match edge {
            Edge::North => return hex.row as u32 - 1,
            Edge::West => return hex.col as u32 - 1,
            Edge::South => (hex.row, self.rows),
            Edge::East => (hex.col, self.columns),
        };
        last as u32 - own as u32
    }

    /// The hex next to one in this direction, if it is on the field.
    pub fn step(&self, hex: Hex, direction: Direction) -> Option<Hex> {
        hex.step(direction).filter(|next| self.has(*next))
    }
}

impl Battle {
    /// One side's army.
    pub const fn army(&self, side: Side) -> &Army {
        &self.sides[side.index()]
    }

    /// The place in lists of a unit that there may be; `None` if there is none such.
    pub fn index(&self, id: UnitId) -> Option<usize> {
        let (from, to) = self.army(id.side).units;
        let index = from + usize::from(id.number).checked_sub(1)?;
        (index < to).then_some(index)
    }

    /// The place of a unit in lists.
    ///
    /// # Panics
    /// The battle has no such unit.
    pub fn place(&self, id: UnitId) -> usize {
        #[expect(clippy::expect_used, reason = "units of orders, events and views are units of the battle")]
        self.index(id).expect("a unit of the battle")
    }

    /// A unit as the order of battle has it.
    ///
    /// # Panics
    /// The battle has no such unit.
    pub fn spec(&self, id: UnitId) -> &Spec {
        &self.units[self.place(id)]
    }

    /// Whether a unit is the wizard whose hunt decides this battle, or looks like him.
    pub(crate) fn is_hunted(&self, id: UnitId) -> bool {
        self.hunt.is_some_and(|hunt| hunt.decides) && self.spec(id).likeness
    }

    /// The side of a seat.
    pub fn side_of(&self, seat: &Seat) -> Option<Side> {
        Side::ALL.into_iter().find(|side| self.army(*side).commanders.iter().any(|one| one.seat == *seat))
    }

    /// The commander of a unit.
    pub fn commander_of(&self, id: UnitId) -> Option<&Commander> {
        self.army(id.side).commanders.iter().find(|one| one.units.contains(&id))
    }

    /// The commander in a seat.
    pub fn commander(&self, seat: &Seat) -> Option<&Commander> {
        self.sides.iter().flat_map(|army| &army.commanders).find(|one| one.seat == *seat)
    }
}
