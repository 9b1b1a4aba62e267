//! The position as a seat knows it, for programs: what the report tells in words and maps, and nothing else. The format is published in
//! `docs/schema/lga-view.json`; the report must tell everything that is added to it.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::data::Lga;
use super::memory::LastSeen;
use super::model::{Date, Level, Nation, Side, UnitId, UnitType};
use super::view::{OwnUnit, PoolUnit, Purses, View};
use musterd_engine::hex::Hex;

/// What a seat knows, made of its view alone.
#[derive(Serialize)]
pub(super) struct Published<'a> {
    side: Side,
    nations: &'a [Nation],
    date: Date,
    turn: u32,
    turns: u32,
    phasing: Option<Side>,
    #[serde(serialize_with = "in_order")]
    points: &'a Purses,
    victory: Vec<SideStanding>,
    control: &'a BTreeMap<Hex, Side>,
    /// Own hexes that no supply reaches.
    cut_off: Vec<Hex>,
    stacks: Vec<OwnStack<'a>>,
    enemies: Vec<Seen<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    last_seen: Vec<Remembered<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    garrisons_met: Vec<GarrisonMet>,
    pool: Vec<ToBuild<'a>>,
}

#[derive(Serialize)]
struct SideStanding {
    side: Side,
    points: i32,
    level: Level,
}

/// An own stack, its top unit first.
#[derive(Serialize)]
struct OwnStack<'a> {
    hex: Hex,
    units: Vec<StackedUnit<'a>>,
}

#[derive(Serialize)]
struct StackedUnit<'a> {
    no: UnitId,
    name: &'a str,
    nation: Nation,
    #[serde(rename = "type")]
    kind: UnitType,
    garrison: bool,
    morale: i8,
    max_morale: i8,
    fatigue: u8,
    moves: u8,
    supplied: bool,
    /// The combat modifier of a headquarters; 0 for other units.
    bonus: i8,
}

/// An enemy stack in sight.
#[derive(Serialize)]
struct Seen<'a> {
    hex: Hex,
    nation: Nation,
    #[serde(rename = "type")]
    kind: UnitType,
    top: &'a str,
    pieces: Option<u32>,
}

/// An enemy piece out of sight, as it was last seen.
#[derive(Serialize)]
struct Remembered<'a> {
    hex: Hex,
    no: UnitId,
    name: &'a str,
    nation: Nation,
    #[serde(rename = "type")]
    kind: UnitType,
    date: Date,
    /// In whose turn.
    phasing: Side,
    garrison: bool,
    may_be_there: bool,
}

/// A garrison that a march has met, and whose name the side doesn't know.
#[derive(Serialize)]
struct GarrisonMet {
    hex: Hex,
    date: Date,
    /// In whose turn.
    phasing: Side,
}

#[derive(Serialize)]
struct ToBuild<'a> {
    no: UnitId,
    name: &'a str,
    nation: Nation,
    #[serde(rename = "type")]
    kind: UnitType,
    points: u16,
    from_year: u16,
}

/// Keys and values in the order in which they stand.
fn in_order<S: Serializer>(points: &&Purses, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(points.iter())
}

impl<'a> Published<'a> {
    pub(super) fn of(rules: &'a Lga, view: &'a View) -> Self {
        let ours = view.control.iter().filter(|(_, side)| **side == view.side).map(|(hex, _)| *hex);
        let stack = |(hex, ids): (&Hex, &'a Vec<UnitId>)| OwnStack {
            hex: *hex,
            units: ids.iter().filter_map(|id| view.own.get(id)).map(StackedUnit::of).collect(),
        };
        Self {
            side: view.side,
            nations: &view.nations,
            date: view.date,
            turn: view.turn,
            turns: view.turns,
            phasing: view.phasing,
            points: &view.points,
            victory: view
                .victory
                .iter()
                .map(|v| SideStanding { side: v.side, points: v.points, level: v.level })
                .collect(),
            control: &view.control,
            cut_off: ours.filter(|hex| !view.supplied.contains(hex)).collect(),
            stacks: view.stacks.iter().map(stack).collect(),
            enemies: view
                .enemies
                .iter()
                .map(|(hex, seen)| Seen {
                    hex: *hex,
                    nation: seen.nation,
                    kind: seen.kind,
                    top: &seen.name,
                    pieces: seen.count,
                })
                .collect(),
            last_seen: view.remembered.iter().map(|(id, seen)| Remembered::of(rules, *id, seen)).collect(),
            garrisons_met: view
                .garrisons
                .iter()
                .map(|(hex, turn)| GarrisonMet { hex: *hex, date: turn.date, phasing: turn.side })
                .collect(),
            pool: view.pool.iter().map(ToBuild::of).collect(),
        }
    }
}

impl<'a> StackedUnit<'a> {
    fn of(unit: &'a OwnUnit) -> Self {
        Self {
            no: unit.id,
            name: &unit.name,
            nation: unit.nation,
            kind: unit.kind,
            garrison: unit.garrison,
            morale: unit.morale,
            max_morale: unit.max_morale,
            fatigue: unit.fatigue,
            moves: unit.moves,
            supplied: unit.supplied,
            bonus: unit.modifier,
        }
    }
}

impl<'a> Remembered<'a> {
    fn of(rules: &'a Lga, id: UnitId, seen: &LastSeen) -> Self {
        let spec = rules.scenario().unit(id);
        Self {
            hex: seen.at,
            no: id,
            name: &spec.name,
            nation: spec.nation,
            kind: spec.kind,
            date: seen.turn.date,
            phasing: seen.turn.side,
            garrison: seen.glimpse.garrison,
            may_be_there: seen.may_be_there,
        }
    }
}

impl<'a> ToBuild<'a> {
    fn of(unit: &'a PoolUnit) -> Self {
        Self {
            no: unit.id,
            name: &unit.name,
            nation: unit.nation,
            kind: unit.kind,
            points: unit.cost,
            from_year: unit.from_year,
        }
    }
}
