//! Who sees whom at the end of a turn (manual, "Sighting").

use std::collections::BTreeMap;

use musterd_engine::Scribe;
use musterd_engine::hex::Hex;

use super::dice::random;
use crate::data::Acw;
use crate::event::Event;
use crate::model::{Light, Side, UnitId, Weather};
use crate::state::State;

/// How far units see, in hexes.
const REACH: u32 = 5;
/// A sum of sight below this one is seen.
const SEEN: i32 = 56;
/// The random number that is added is at most this.
const CHANCE: i32 = 7;

/// Each side looks for the enemy. Where all enemies are seen anyway, nobody does.
pub(super) fn check(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    if rules.is_exposed() {
        return;
    }
    let sums = sums(rules, scribe.state());
    for by in Side::ALL {
        let units = units(scribe.state(), by.other());
        let mut seen = Vec::new();
        for (unit, at) in units {
            let Some(sum) = sums[by.index()].get(&at).filter(|sum| **sum < SEEN) else { continue };
            // One random number for an enemy, and none where it could change nothing (ACW-70).
            let sighted = sum + CHANCE < SEEN || {
                let die = random(scribe, ("sight", "find"), &unit, CHANCE.unsigned_abs());
                i64::from(*sum) + i64::from(die) < i64::from(SEEN)
            };
            if sighted {
                seen.push(unit);
            }
        }
        scribe.record(Event::Sighted { by, units: seen });
    }
}

/// The units of a side on the map.
fn units(state: &State, side: Side) -> Vec<(UnitId, Hex)> {
    let brigades = state.fielded(side).map(|(id, _, at)| (UnitId::Brigade(id), at));
    let hqs = state.hqs_of(side).filter_map(|(id, hq)| Some((UnitId::Hq(id), hq.at?)));
    brigades.chain(hqs).collect()
}

/// For each side the least sum of sight to each hex with an enemy in it, without the random number. It is the same in both directions.
fn sums(rules: &Acw, state: &State) -> [BTreeMap<Hex, i32>; 2] {
    let hour = rules.battle().hour(state.turn);
    let close = hour.light == Light::Night || hour.weather == Weather::HeavyFog;
    let reach = if close { 1 } else { REACH };
    let places = |side: Side| {
        let mut hexes: Vec<Hex> = units(state, side).into_iter().map(|(_, at)| at).collect();
        hexes.sort_unstable();
        hexes.dedup();
        hexes
    };
    let [a, b] = Side::ALL.map(places);
    let mut pairs: Vec<(u32, Hex, Hex)> = Vec::new();
    for one in &a {
        pairs.extend(
            b.iter().map(|other| (one.distance(*other), *one, *other)).filter(|(far, ..)| *far <= reach),
        );
    }
    // The nearest first: whoever is seen for sure isn't looked for any more.
    pairs.sort_unstable();
    let haze = rules.numbers().haze(hour.weather, hour.light);
    let mut sums = [BTreeMap::new(), BTreeMap::new()];
    for (_, one, other) in pairs {
        let sure = |side: Side, at: Hex| sums[side.index()].get(&at).is_some_and(|sum| sum + CHANCE < SEEN);
        if sure(Side::A, other) && sure(Side::B, one) {
            continue;
        }
        let sum = sum(rules, one, other) + haze;
        for (side, at) in [(Side::A, other), (Side::B, one)] {
            let least = sums[side.index()].entry(at).or_insert(sum);
            *least = sum.min(*least);
        }
    }
    sums
}

/// The sum of sight between two hexes on a clear day: what both and those between take from sight, and 8 for each hex between. Along a hex side the lower of
/// the two hexes counts (ACW-44).
pub(crate) fn sum(rules: &Acw, one: Hex, other: Hex) -> i32 {
    let map = &rules.battle().map;
    let of = |hex: Hex| rules.numbers().terrain(map.ground(hex)).sight;
    let between = one.line(other).map(|(hex, beside)| {
        let along = |hex: Hex| if map.has(hex) { Some(of(hex)) } else { None };
        let least = along(hex).into_iter().chain(beside.and_then(along)).min().unwrap_or(0);
        8 + least
    });
    let ends = if one == other { of(one) } else { of(one) + of(other) };
    ends + between.sum::<i32>()
}
