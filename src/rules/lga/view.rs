//! What one seat knows of the position (docs/rulings/lga.md, "What a side sees"). The map itself is public.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::memory::{Fought, LastSeen, ShownHq};
use super::model::{Date, Level, Nation, Side, UnitId, UnitType};
use super::order::Standing;
use super::record::{Record, Turn};
use super::setting::Setting;
use musterd_dice::Seat;
use musterd_engine::hex::Hex;

/// What one seat knows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct View {
    /// The seat.
    pub seat: Seat,
    /// Its side.
    pub side: Side,
    /// The nations it commands.
    pub nations: Vec<Nation>,
    /// The season.
    pub date: Date,
    /// Which game turn (season) this is, from 1.
    pub turn: u32,
    /// How many there are.
    pub turns: u32,
    /// The side whose player turn it is; `None` once the game is over.
    pub phasing: Option<Side>,
    /// Who controls each land hex in play.
    #[serde(serialize_with = "as_list")]
    pub control: BTreeMap<Hex, Side>,
    /// The hexes from which the own side can trace a line of supply now (for its own nations).
    pub supplied: BTreeSet<Hex>,
    /// Every unit of the own side on the map, whoever commands it, by number.
    pub own: BTreeMap<UnitId, OwnUnit>,
    /// The order of the own stacks, top first.
    #[serde(serialize_with = "as_list")]
    pub stacks: BTreeMap<Hex, Vec<UnitId>>,
    /// Own units that can be built, or will be.
    pub pool: Vec<PoolUnit>,
    /// Enemy stacks in sight.
    #[serde(serialize_with = "as_list")]
    pub enemies: BTreeMap<Hex, EnemyStack>,
    /// Enemy pieces out of sight, as they were last seen. Not in the digest: it follows from the events, and the digests of old journals stay the same.
    #[serde(skip)]
    pub remembered: BTreeMap<UnitId, LastSeen>,
    /// What the last fight of each enemy piece has shown. Not in the digest, like the pieces out of sight.
    #[serde(skip)]
    pub fought: BTreeMap<UnitId, Fought>,
    /// The headquarters that fights have shown by their modifiers alone, and that may be with the stack in sight there. Not in the digest, like the
    /// pieces out of sight.
    #[serde(skip)]
    pub hqs: BTreeMap<Hex, ShownHq>,
    /// The cities where marches of the side have met a garrison without learning its name, each with the turn. Not in the digest, like the pieces out of
    /// sight.
    #[serde(skip)]
    pub garrisons: BTreeMap<Hex, Turn>,
    /// The player turn before this one; none in the first. Not in the digest, like the pieces out of sight.
    #[serde(skip)]
    pub before: Option<Turn>,
    /// Military points of every nation in play.
    pub points: Purses,
    /// Victory points of each side at its last count, with the level.
    pub victory: Vec<Victory>,
    /// The standing orders in force.
    pub standing: Vec<Standing>,
    /// Every count of victory points so far, in order.
    pub history: Vec<PointCount>,
    /// Strengths, battles, losses and cities taken, as far as the side knows. Not in the digest: it follows from the events, and the digests of old
    /// journals stay the same.
    #[serde(skip)]
    pub record: Record,
}

impl View {
    /// The enemy pieces out of sight that may be in a hex, as they were last seen there, by number.
    pub(super) fn remembered_at(&self, hex: Hex) -> impl Iterator<Item = (UnitId, &LastSeen)> {
        let there = self.remembered.iter().filter(move |(_, seen)| seen.at == hex && seen.may_be_there);
        there.map(|(id, seen)| (*id, seen))
    }

    /// Forgets what the side remembers of enemies out of its sight: pieces, headquarters, garrisons.
    pub(super) fn forget(&mut self) {
        self.remembered.clear();
        self.hqs.clear();
        self.garrisons.clear();
    }

    /// Whether the seat has a unit in this hex that is out of supply as things stand.
    pub fn is_cut_off(&self, hex: Hex) -> bool {
        self.stack(hex).any(|unit| self.commands(unit.nation) && !unit.served)
    }

    /// Whether the seat commands a nation.
    pub fn commands(&self, nation: Nation) -> bool {
        self.nations.contains(&nation)
    }

    /// The units on the map that the seat commands, by number.
    pub fn mine(&self) -> impl Iterator<Item = &OwnUnit> {
        self.own.values().filter(|unit| self.commands(unit.nation))
    }

    /// The units of the own side in a hex, top first.
    pub fn stack(&self, hex: Hex) -> impl Iterator<Item = &OwnUnit> {
        self.stacks.get(&hex).into_iter().flatten().filter_map(|id| self.own.get(id))
    }
}

/// Military points by nation, in the order of the setting, in which they are written.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(transparent)]
pub struct Purses(Vec<(Nation, i32)>);

impl Purses {
    /// The points of each nation, set in the order of the setting.
    pub fn of(setting: &Setting, points: &BTreeMap<Nation, i32>) -> Self {
        let mut purses: Vec<_> = points.iter().map(|(nation, points)| (*nation, *points)).collect();
        purses.sort_by_key(|(nation, _)| setting.place(*nation));
        Self(purses)
    }

    /// The points of a nation in play.
    pub fn get(&self, nation: &Nation) -> Option<&i32> {
        self.0.iter().find(|(other, _)| other == nation).map(|(_, points)| points)
    }

    /// Sets the points of a nation in play.
    pub fn insert(&mut self, nation: Nation, points: i32) {
        match self.0.iter_mut().find(|(other, _)| *other == nation) {
            Some(purse) => purse.1 = points,
            None => self.0.push((nation, points)),
        }
    }

    /// The nations in play with their points.
    pub fn iter(&self) -> impl Iterator<Item = (Nation, i32)> {
        self.0.iter().copied()
    }
}

fn as_list<K: Serialize, V: Serialize, S: serde::Serializer>(
    map: &BTreeMap<K, V>,
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_seq(map)
}

/// A unit of the own side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OwnUnit {
    /// Its number.
    pub id: UnitId,
    /// Its name: `III Davout`.
    pub name: String,
    /// The nation that it belongs to.
    pub nation: Nation,
    /// Its type.
    pub kind: UnitType,
    /// Where it stands.
    pub hex: Hex,
    /// Whether it garrisons the city.
    pub garrison: bool,
    /// Morale now.
    pub morale: i8,
    /// Morale at most.
    pub max_morale: i8,
    /// Fatigue now.
    pub fatigue: u8,
    /// Moves at the start of a season.
    pub moves: u8,
    /// Whether it began its turn in supply; a unit that did not can't move or attack this season.
    pub supplied: bool,
    /// Whether it is in supply where it stands now: by a line, or without one like the Spaniards (ruling LGA-34). Not in the digest: it follows from
    /// the rest, and the digests of old journals stay the same.
    #[serde(skip)]
    pub served: bool,
    /// The combat modifier of a headquarters; 0 for other units.
    pub modifier: i8,
}

/// A unit that can be built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PoolUnit {
    /// Its number.
    pub id: UnitId,
    /// Its name.
    pub name: String,
    /// The nation that it belongs to.
    pub nation: Nation,
    /// Its type.
    pub kind: UnitType,
    /// Military points to build it.
    pub cost: u16,
    /// First year in which it can be built.
    pub from_year: u16,
}

/// An enemy stack as seen: its top unit and, unless cavalry screens it, how many units it has (manual 3.5).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EnemyStack {
    /// The top unit. Not in the digest: its name is.
    #[serde(skip)]
    pub id: UnitId,
    /// Nation of the top unit.
    pub nation: Nation,
    /// Type of the top unit.
    pub kind: UnitType,
    /// Name of the top unit.
    pub name: String,
    /// How many pieces are in the stack; unknown behind cavalry.
    pub count: Option<u32>,
}

/// A side's points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Victory {
    /// The side.
    pub side: Side,
    /// Victory points at its last count.
    pub points: i32,
    /// The level that they give.
    pub level: Level,
    /// The victory points needed for each level, from strategic defeat to absolute victory.
    pub levels: Vec<(Level, i32)>,
}

/// A count of victory points, public to both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct PointCount {
    /// The season.
    pub date: Date,
    /// The side.
    pub side: Side,
    /// Victory points counted.
    pub points: i32,
}
