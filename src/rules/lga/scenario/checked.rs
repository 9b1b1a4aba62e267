//! A scenario that was read, and checked against its map: its sides, its order of battle, and who is called away.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Date, Level, Nation, Side, UnitId, UnitType};
use musterd_engine::hex::{Hex, HexSet};

/// A scenario, checked against its map.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Its name on the command line: `austrian-1805`.
    pub id: String,
    /// Its title: `Austrian Challenge`.
    pub title: String,
    /// The situation, a few sentences.
    pub situation: String,
    /// What became of it in history, a few sentences; empty where the scenario tells nothing.
    pub aftermath: String,
    /// The first season.
    pub start: Date,
    /// The last season.
    pub end: Date,
    /// The sides, in the order in which they take their turns.
    pub sides: Vec<SideSpec>,
    /// Every unit, on the map or not, by number from 1.
    pub units: Vec<UnitSpec>,
    /// Who controls each land hex in play at the start.
    pub control: BTreeMap<Hex, Side>,
    pub(super) in_play: HexSet,
    /// Whether sides may enter what the Neutral side controls (ruling LGA-33).
    pub neutral_open: bool,
    /// The units that are called away.
    pub recalls: Vec<Recall>,
}

impl Scenario {
    /// One side.
    pub fn side(&self, side: Side) -> Option<&SideSpec> {
        self.sides.iter().find(|s| s.side == side)
    }

    /// The side that a nation fights for; none where it is not in the scenario.
    pub fn side_of(&self, nation: Nation) -> Option<Side> {
        self.sides.iter().find(|s| s.nations.iter().any(|(n, _)| *n == nation)).map(|s| s.side)
    }

    /// The nations in play with their military points at the start, in the order in which they act.
    pub fn nations(&self) -> impl Iterator<Item = (Nation, i32)> + '_ {
        self.sides.iter().flat_map(|s| s.nations.iter().copied())
    }

    /// One unit.
    ///
    /// # Panics
    /// When the number is not one of this scenario's: every number in a state or an event is; what players write is
    /// looked up with [`Scenario::find`].
    pub fn unit(&self, id: UnitId) -> &UnitSpec {
        &self.units[usize::from(id.0) - 1]
    }

    /// The unit with this number, if there is one.
    pub fn find(&self, id: UnitId) -> Option<&UnitSpec> {
        self.units.get(usize::from(id.0).checked_sub(1)?)
    }

    /// What a unit is called in answers: `III Davout (3)`; without such a unit, its number.
    pub fn called(&self, id: UnitId) -> Cow<'_, str> {
        self.find(id).map_or_else(|| Cow::Owned(id.to_string()), |spec| Cow::Borrowed(spec.called.as_str()))
    }

    /// Whether anything may happen on land in this hex: not sea, and not closed in this scenario.
    pub fn in_play(&self, hex: Hex) -> bool {
        self.in_play.contains(hex)
    }

    /// The recall by which a unit has been called away by now: it may not leave its hex, nor be built again (ruling LGA-41).
    pub fn called_away(&self, unit: UnitId, now: Date) -> Option<&Recall> {
        self.recalls.iter().find(|recall| recall.unit == unit && recall.when <= now)
    }

    /// Whether a city is a side's own: it held it at the start, or the scenario says so.
    pub fn is_home(&self, hex: Hex, side: Side) -> bool {
        match self.sides.iter().find(|s| s.home.contains(&hex)) {
            Some(owner) => owner.side == side,
            None => self.control.get(&hex) == Some(&side),
        }
    }

    /// How many seasons the scenario has.
    pub fn turns(&self) -> u32 {
        self.end.seasons() - self.start.seasons() + 1
    }
}

/// A side of a scenario.
#[derive(Debug, Clone)]
pub struct SideSpec {
    /// The side.
    pub side: Side,
    /// Its nations with their military points at the start, in the order in which they act.
    pub nations: Vec<(Nation, i32)>,
    /// The victory points needed for each level, from strategic defeat to absolute victory.
    pub levels: Vec<(Level, i32)>,
    /// Cities that are home to it though somebody else holds them at the start.
    pub home: BTreeSet<Hex>,
}

impl SideSpec {
    /// The level that so many victory points give (manual 5.2).
    pub fn level(&self, points: i32) -> Level {
        self.levels
            .iter()
            .rev()
            .find(|(_, least)| points >= *least)
            .map_or(Level::AbsoluteDefeat, |(level, _)| *level)
    }
}

/// A unit of the order of battle, or of the build pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitSpec {
    /// Its number.
    pub id: UnitId,
    /// Its name: `III Davout`.
    pub name: String,
    /// Its name with its number: `III Davout (3)`.
    pub called: String,
    /// The nation that it belongs to.
    pub nation: Nation,
    /// The side that it fights for.
    pub side: Side,
    /// Its type.
    pub kind: UnitType,
    /// The combat modifier of a headquarters; 0 for other units.
    pub modifier: i8,
    /// First year in which it can be built (ruling LGA-6).
    pub from_year: u16,
    /// Its start; `None` in the build pool.
    pub start: Option<Start>,
}

/// How a unit starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// The hex.
    pub hex: Hex,
    /// Whether as the city's garrison.
    pub garrison: bool,
    /// Morale.
    pub morale: i8,
    /// Fatigue.
    pub fatigue: u8,
}

/// A unit that is called away for good (ruling LGA-41).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recall {
    /// The unit.
    pub unit: UnitId,
    /// The city that it goes to.
    pub to: Hex,
    /// At the start of its side's turn in this season.
    pub when: Date,
}
