//! The position as a seat knows it, for programs: what the report tells in words and maps, and nothing else. The format is published in
//! `docs/schema/lga-view.json`; the report must tell everything that is added to it.

use std::collections::BTreeMap;

use serde::Serializer;

use super::data::Lga;
use super::memory::LastSeen;
use super::model::{Date, Level, Nation, Side, UnitId, UnitType};
use super::record::Turn;
use super::view::{EnemyStack, OwnUnit, PoolUnit, Purses, Victory, View};
use musterd_engine::hex::Hex;
use musterd_kit::published;

published! {
    /// What a seat knows, made of its view alone.
    pub(super) struct Published<'a> of (rules: &'a Lga, view: &'a View) with {
        let ours = view.control.iter().filter(|(_, side)| **side == view.side).map(|(hex, _)| *hex);
    } {
        side: Side = view.side,
        nations: &'a [Nation] = &view.nations,
        date: Date = view.date,
        turn: u32 = view.turn,
        turns: u32 = view.turns,
        phasing: Option<Side> = view.phasing,
        #[serde(serialize_with = "in_order")]
        points: &'a Purses = &view.points,
        victory: Vec<SideStanding> = view.victory.iter().map(SideStanding::of).collect(),
        control: &'a BTreeMap<Hex, Side> = &view.control,
        /// Own hexes that no supply reaches.
        cut_off: Vec<Hex> = ours.filter(|hex| !view.supplied.contains(hex)).collect(),
        stacks: Vec<OwnStack<'a>> = view.stacks.iter().map(|(hex, ids)| OwnStack::of(view, *hex, ids)).collect(),
        enemies: Vec<Seen<'a>> = view.enemies.iter().map(|(hex, stack)| Seen::of(*hex, stack)).collect(),
        #[serde(skip_serializing_if = "Vec::is_empty")]
        last_seen: Vec<Remembered<'a>> =
            view.remembered.iter().map(|(id, seen)| Remembered::of(rules, *id, seen)).collect(),
        #[serde(skip_serializing_if = "Vec::is_empty")]
        garrisons_met: Vec<GarrisonMet> =
            view.garrisons.iter().map(|(hex, turn)| GarrisonMet::of(*hex, turn)).collect(),
        pool: Vec<ToBuild<'a>> = view.pool.iter().map(ToBuild::of).collect(),
    }

    struct SideStanding of (standing: &Victory) {
        side: Side = standing.side,
        points: i32 = standing.points,
        level: Level = standing.level,
    }

    /// An own stack, its top unit first.
    struct OwnStack<'a> of (view: &'a View, at: Hex, ids: &[UnitId]) {
        hex: Hex = at,
        units: Vec<StackedUnit<'a>> = ids.iter().filter_map(|id| view.own.get(id)).map(StackedUnit::of).collect(),
    }

    struct StackedUnit<'a> of (unit: &'a OwnUnit) {
        no: UnitId = unit.id,
        name: &'a str = &unit.name,
        nation: Nation = unit.nation,
        #[serde(rename = "type")]
        kind: UnitType = unit.kind,
        garrison: bool = unit.garrison,
        morale: i8 = unit.morale,
        max_morale: i8 = unit.max_morale,
        fatigue: u8 = unit.fatigue,
        moves: u8 = unit.moves,
        supplied: bool = unit.supplied,
        /// The combat modifier of a headquarters; 0 for other units.
        bonus: i8 = unit.modifier,
    }

    /// An enemy stack in sight.
    struct Seen<'a> of (at: Hex, stack: &'a EnemyStack) {
        hex: Hex = at,
        nation: Nation = stack.nation,
        #[serde(rename = "type")]
        kind: UnitType = stack.kind,
        top: &'a str = &stack.name,
        pieces: Option<u32> = stack.count,
    }

    /// An enemy piece out of sight, as it was last seen.
    struct Remembered<'a> of (rules: &'a Lga, id: UnitId, seen: &LastSeen) with {
        let spec = rules.scenario.unit(id);
    } {
        hex: Hex = seen.at,
        no: UnitId = id,
        name: &'a str = &spec.name,
        nation: Nation = spec.nation,
        #[serde(rename = "type")]
        kind: UnitType = spec.kind,
        date: Date = seen.turn.date,
        /// In whose turn.
        phasing: Side = seen.turn.side,
        garrison: bool = seen.glimpse.garrison,
        may_be_there: bool = seen.may_be_there,
    }

    /// A garrison that a march has met, and whose name the side doesn't know.
    struct GarrisonMet of (at: Hex, turn: &Turn) {
        hex: Hex = at,
        date: Date = turn.date,
        /// In whose turn.
        phasing: Side = turn.side,
    }

    struct ToBuild<'a> of (unit: &'a PoolUnit) {
        no: UnitId = unit.id,
        name: &'a str = &unit.name,
        nation: Nation = unit.nation,
        #[serde(rename = "type")]
        kind: UnitType = unit.kind,
        points: u16 = unit.cost,
        from_year: u16 = unit.from_year,
    }
}

/// Keys and values in the order in which they stand.
fn in_order<S: Serializer>(points: &&Purses, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(points.iter())
}
