//! Sighting at the end of a turn (manual, "Sighting"; ACW-22, ACW-44).

use musterd_engine::Scribe;
use musterd_engine::hex::Hex;

use super::dice::random;
use crate::battle::Hour;
use crate::data::Acw;
use crate::event::Event;
use crate::model::{Light, Side, UnitId, Weather};

/// How far anybody sees, in hexes.
const FAR: u32 = 5;
/// What each hex between adds to the sum of sight.
const BETWEEN: i32 = 8;
/// The sum from which on nothing is seen.
const UNSEEN: i32 = 56;

/// Looks for every enemy within reach: one throw for each, by whoever sees him best (ACW-70).
pub(super) fn look(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    let battle = rules.battle();
    let hour = battle.hour(scribe.state().turn.max(1));
    let reach = if hour.light == Light::Night || hour.weather == Weather::HeavyFog { 1 } else { FAR };
    for by in Side::ALL {
        let state = scribe.state();
        let eyes: Vec<Hex> = state.fielded(by).map(|(_, _, at)| at).collect();
        let enemy = by.other();
        let brigades = state.fielded(enemy).map(|(id, _, at)| (UnitId::Brigade(id), at));
        let hqs = state.hqs_of(enemy).filter_map(|(id, hq)| Some((UnitId::Hq(id), hq.at?)));
        let mut sums = Vec::new();
        for (unit, at) in brigades.chain(hqs) {
            let near = eyes.iter().filter(|eye| eye.distance(at) <= reach);
            if let Some(sum) = near.map(|eye| sum(rules, *eye, at, hour)).min() {
                sums.push((unit, sum));
            }
        }
        let mut units = Vec::new();
        for (unit, sum) in sums {
            let die = match unit {
                // What is seen for sure, or not at all, needs no throw.
                _ if sum + 7 < UNSEEN => 0,
                _ if sum >= UNSEEN => 7,
                UnitId::Brigade(id) => random(scribe, ("sight", "brigade"), &id, 7),
                UnitId::Hq(id) => random(scribe, ("sight", "hq"), &id, 7),
            };
            if sum + i32::try_from(die).unwrap_or(7) < UNSEEN {
                units.push(unit);
            }
        }
        scribe.record(Event::Sighted { by, units });
    }
}

/// The sum of sight from one hex to another: both hexes and all between, each of those between with its distance, weather and light.
pub(crate) fn sum(rules: &Acw, from: Hex, to: Hex, hour: &Hour) -> i32 {
    let map = &rules.battle().map;
    let of = |hex: Hex| rules.numbers().terrain(map.ground(hex)).sight;
    let between = from.line(to).map(|(one, other)| {
        // Along a side the lower of both hides.
        let lower = [Some(one), other].into_iter().flatten().filter(|hex| map.has(*hex)).map(of).min();
        lower.unwrap_or(0) + BETWEEN
    });
    of(from) + of(to) + between.sum::<i32>() + rules.numbers().haze(hour.weather, hour.light)
}
