//! A position that is given directly, as an umpire or a test case sets it up: whose turn it is, and where all units stand.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::data::Lga;
use super::model::{Date, Nation, Side, UnitId};
use super::state::{State, Unit};
use musterd_engine::hex::Hex;

/// A position of a scenario at the moment when the side whose turn it is may order.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The season.
    pub date: Date,
    /// The side whose turn it is.
    pub phasing: Side,
    /// The units on the map; all other units are in the build pool.
    #[serde(default)]
    pub units: BTreeMap<UnitId, PlacedUnit>,
    /// The order of stacks, top first, if it is not that of the units' numbers.
    #[serde(default)]
    pub stacks: BTreeMap<Hex, Vec<UnitId>>,
    /// Hexes whose controller differs from the start. A hex in which a unit stands belongs to the unit's side.
    #[serde(default)]
    pub control: BTreeMap<Hex, Side>,
    /// Military points, if they differ from those of the start.
    #[serde(default)]
    pub points: BTreeMap<Nation, i32>,
}

/// A unit on the map.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlacedUnit {
    /// The hex.
    pub at: Hex,
    /// Morale; full where not given.
    pub morale: Option<i8>,
    /// Fatigue.
    #[serde(default)]
    pub fatigue: u8,
    /// Whether it garrisons the city.
    #[serde(default)]
    pub garrison: bool,
    /// Whether it began the turn out of supply.
    #[serde(default)]
    pub cut_off: bool,
}

impl Lga {
    /// The state of a position given outright.
    ///
    /// # Errors
    /// The position is inconsistent; the text says how.
    pub fn set_up(&self, position: &Position) -> Result<State, String> {
        let scenario = &self.scenario;
        let mut state = State::at_start(self);
        for spec in &scenario.units {
            state.lift(spec.id);
            *state.unit_mut(spec.id) = Unit::default();
        }
        let seasons = (position.date.seasons() + 1).checked_sub(scenario.start.seasons());
        state.turn = seasons.ok_or_else(|| format!("{} is before the scenario", position.date))?;
        (state.begun, state.date, state.phasing) = (true, position.date, position.phasing);
        state.points.extend(position.points.iter().map(|(&nation, &points)| (nation, points)));
        for (&id, placed) in &position.units {
            let spec = scenario.find(id).ok_or_else(|| format!("the scenario has no unit {id}"))?;
            let stats = self.stats(spec.kind);
            *state.unit_mut(id) = Unit {
                morale: placed.morale.unwrap_or(stats.max_morale),
                fatigue: placed.fatigue,
                garrison: placed.garrison,
                cut_off: placed.cut_off,
                left: stats.moves,
                ..Unit::default()
            };
            state.put_below(id, placed.at);
            if scenario.in_play(placed.at) && spec.kind.arm != super::model::Arm::Hq {
                state.control.insert(placed.at, spec.side);
            }
        }
        for (&hex, pieces) in &position.stacks {
            for &id in pieces {
                if state.unit(id).at != Some(hex) {
                    return Err(format!("unit {id} is not at {hex}, so it can't lie in that stack"));
                }
                state.lift(id);
                state.put_below(id, hex);
            }
        }
        state.control.extend(position.control.iter().map(|(&hex, &side)| (hex, side)));
        for side in &scenario.sides {
            let points = super::victory::points(self, &state.control, side.side);
            state.victory.insert(side.side, points);
        }
        let faults = state.faults(self);
        if faults.is_empty() { Ok(state) } else { Err(faults.join("; ")) }
    }
}
