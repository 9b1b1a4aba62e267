//! A scenario: dates, sides, order of battle, control and victory levels, from `games/lga/scenarios/*.yaml`.

mod file;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::map::Map;
use super::model::{Date, Level, Nation, Season, Side, UnitId, UnitType};
use super::numbers::Numbers;
use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_engine::hex::{Hex, HexSet};

pub(super) use file::{Draft, Places};

/// The file that a game's scenario is in, whatever it was called before.
pub const FILE: &str = "scenario.yaml";

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
    sides: Vec<SideSpec>,
    units: Vec<UnitSpec>,
    control: BTreeMap<Hex, Side>,
    in_play: HexSet,
    neutral_open: bool,
    recalls: Vec<Recall>,
}

/// A side of a scenario.
#[derive(Debug, Clone)]
pub struct SideSpec {
    /// Which.
    pub side: Side,
    /// Its nations with their military points at the start, in the order in which they act.
    pub nations: Vec<(Nation, i32)>,
    /// What each level of victory asks for, from strategic defeat to absolute victory.
    pub levels: Vec<(Level, i32)>,
    /// Cities that are home to it though somebody else holds them at the start.
    pub home: BTreeSet<Hex>,
}

impl SideSpec {
    /// The level that so many victory points give (manual 5.2).
    #[must_use]
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
    /// Whose it is.
    pub nation: Nation,
    /// The side that it fights for.
    pub side: Side,
    /// Its type.
    pub kind: UnitType,
    /// HQ only: what it adds to combat.
    pub modifier: i8,
    /// First year in which it can be built (ruling LGA-6).
    pub from_year: u16,
    /// Where it starts; none in the build pool.
    pub start: Option<Start>,
}

/// How a unit starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// Where.
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
    /// Who.
    pub unit: UnitId,
    /// To which city.
    pub to: Hex,
    /// At the start of its side's turn in this season.
    pub when: Date,
}

impl Scenario {
    /// Reads `scenario.yaml` and the map that it names, and checks one against the other.
    ///
    /// # Errors
    /// Everything that is wrong with either, with file, line and column.
    pub fn load(files: &RuleFiles, numbers: &Numbers) -> Result<(Self, Map), DataErrors> {
        let draft = Draft::read(files, numbers)?;
        if draft.errors.is_empty() { Ok((draft.scenario, draft.map)) } else { Err(DataErrors(draft.errors)) }
    }

    /// The sides, in the order in which they take their turns.
    #[must_use]
    pub fn sides(&self) -> &[SideSpec] {
        &self.sides
    }

    /// One side.
    #[must_use]
    pub fn side(&self, side: Side) -> Option<&SideSpec> {
        self.sides.iter().find(|s| s.side == side)
    }

    /// The side that a nation fights for; none where it is not in the scenario.
    #[must_use]
    pub fn side_of(&self, nation: Nation) -> Option<Side> {
        self.sides.iter().find(|s| s.nations.iter().any(|(n, _)| *n == nation)).map(|s| s.side)
    }

    /// The nations in play with their military points at the start, in the order in which they act.
    pub fn nations(&self) -> impl Iterator<Item = (Nation, i32)> + '_ {
        self.sides.iter().flat_map(|s| s.nations.iter().copied())
    }

    /// Every unit, on the map or not, by number from 1.
    #[must_use]
    pub fn units(&self) -> &[UnitSpec] {
        &self.units
    }

    /// One unit.
    ///
    /// # Panics
    /// When the number is not one of this scenario's: every number in a state or an event is; what players write is
    /// looked up with [`Scenario::find`].
    #[must_use]
    pub fn unit(&self, id: UnitId) -> &UnitSpec {
        &self.units[usize::from(id.0) - 1]
    }

    /// The unit with this number, if there is one.
    #[must_use]
    pub fn find(&self, id: UnitId) -> Option<&UnitSpec> {
        self.units.get(usize::from(id.0).checked_sub(1)?)
    }

    /// What a unit is called in answers: `III Davout (3)`; without such a unit, its number.
    #[must_use]
    pub fn called(&self, id: UnitId) -> Cow<'_, str> {
        self.find(id).map_or_else(|| Cow::Owned(id.to_string()), |spec| Cow::Borrowed(spec.called.as_str()))
    }

    /// Whether anything may happen on land in this hex: not sea, and not closed in this scenario.
    #[must_use]
    pub fn in_play(&self, hex: Hex) -> bool {
        self.in_play.contains(hex)
    }

    /// Who controls each land hex in play at the start.
    #[must_use]
    pub fn control(&self) -> &BTreeMap<Hex, Side> {
        &self.control
    }

    /// Whether sides may enter what the Neutral side controls (ruling LGA-33).
    #[must_use]
    pub const fn neutral_open(&self) -> bool {
        self.neutral_open
    }

    /// The units that are called away.
    #[must_use]
    pub fn recalls(&self) -> &[Recall] {
        &self.recalls
    }

    /// The recall by which a unit has been called away by now: it may not leave its hex, nor be built again (ruling LGA-41).
    #[must_use]
    pub fn called_away(&self, unit: UnitId, now: Date) -> Option<&Recall> {
        self.recalls.iter().find(|recall| recall.unit == unit && recall.when <= now)
    }

    /// Whether a city is a side's own: it held it at the start, or the scenario says so.
    #[must_use]
    pub fn is_home(&self, hex: Hex, side: Side) -> bool {
        match self.sides.iter().find(|s| s.home.contains(&hex)) {
            Some(owner) => owner.side == side,
            None => self.control.get(&hex) == Some(&side),
        }
    }

    /// How many seasons the scenario has.
    #[must_use]
    pub fn turns(&self) -> u32 {
        let season = |date: Date| u32::from(date.year) * 4 + date.season as u32;
        season(self.end) - season(self.start) + 1
    }
}

impl Season {
    /// The season in lower case, for the log.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Spring => "spring",
            Self::Summer => "summer",
            Self::Autumn => "autumn",
            Self::Winter => "winter",
        }
    }
}
