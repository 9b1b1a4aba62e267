//! Who is in communication with the headquarters over it (manual, "Communications"; ACW-26).

use musterd_engine::Scribe;
use musterd_engine::hex::Hex;

use super::dice::random;
use crate::data::Acw;
use crate::event::{Event, Touch};
use crate::law;
use crate::model::{Arm, Branch, Echelon, HqId, Light, Profile, Side, UnitId, Weather};
use crate::state::State;

/// Throws for every brigade and headquarters on the map but those of armies; with radio nobody throws, and all are in touch (ACW-38).
pub(super) fn check(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    for side in Side::ALL {
        let state = scribe.state();
        let hqs = state.hqs_of(side).filter(|(id, hq)| !id.is_army() && hq.at.is_some());
        let units: Vec<UnitId> = hqs
            .map(|(id, _)| UnitId::Hq(id))
            .chain(state.fielded(side).map(|(id, ..)| UnitId::Brigade(id)))
            .collect();
        let mut checks = Vec::new();
        for unit in units {
            let Some((distance, chance)) = chance(rules, scribe.state(), unit) else { continue };
            let die = if rules.has_radio() {
                0
            } else {
                match unit {
                    UnitId::Brigade(id) => random(scribe, ("touch", "brigade"), &id, 15),
                    UnitId::Hq(id) => random(scribe, ("touch", "hq"), &id, 15),
                }
            };
            checks.push(Touch { unit, distance, chance, die });
        }
        scribe.record(Event::Communicated { side, checks });
    }
}

/// The distance of a unit to the headquarters over it, and its chance; `None` where one of both is off the map.
fn chance(rules: &Acw, state: &State, unit: UnitId) -> Option<(u32, i32)> {
    let battle = rules.battle();
    let (at, over, kind) = match unit {
        UnitId::Brigade(id) => {
            let spec = battle.brigade(id);
            let arm = match spec.arm {
                Arm::Infantry => 0,
                Arm::MountedInfantry | Arm::Artillery => 6,
                Arm::Cavalry => 8,
            };
            (state.brigade(id).at?, spec.over, arm)
        }
        UnitId::Hq(id) => {
            let spec = battle.hq(id);
            let kind = match (spec.echelon, spec.branch) {
                (_, Branch::Infantry) => 0,
                (Echelon::Division, Branch::Cavalry) => 6,
                (_, Branch::Cavalry) => 4,
            };
            (state.hq(id).at?, spec.over?, kind)
        }
    };
    let there = state.hq(over).at;
    let over = superior(rules, state, over, matches!(unit, UnitId::Brigade(_)));
    // Of a headquarters that is not on the map yet nobody hears.
    let distance = at.distance(there?);
    if rules.has_radio() {
        return Some((distance, 15));
    }
    let sum = rules.numbers().reach(distance) + hour(rules, state) + kind + over;
    Some((distance, sum.max(0)))
}

/// What light and weather take.
fn hour(rules: &Acw, state: &State) -> i32 {
    let hour = rules.battle().hour(state.turn);
    let light = match hour.light {
        Light::Night => -4,
        Light::Dawn | Light::Dusk => -2,
        Light::Day => 0,
    };
    let weather = match hour.weather {
        weather if weather.is_bad() => -3,
        Weather::Drizzle | Weather::LightFog => -1,
        _ => 0,
    };
    light + weather
}

/// What the headquarters over a unit adds: its staff, what it is, what it does (ACW-8).
fn superior(rules: &Acw, state: &State, id: HqId, of_brigade: bool) -> i32 {
    let (spec, hq) = (rules.battle().hq(id), state.hq(id));
    let near = |within: u32| {
        let close = |at: Hex| state.fielded(id.side.other()).any(|(_, _, foe)| foe.distance(at) <= within);
        i32::from(hq.at.is_some_and(close))
    };
    let kind = match spec.echelon {
        Echelon::Army => {
            let profile = match state.chiefs[id.side.index()].profile {
                Profile::Heroic => 3,
                Profile::Bold => 1,
                Profile::Sensible | Profile::Cautious => 0,
            };
            2 - 2 * near(law::PERSONAL) - i32::from(hq.moved) - profile
        }
        Echelon::Corps => i32::from(of_brigade) - near(3) - i32::from(hq.command.is_offensive()),
        Echelon::Division => 0,
    };
    hq.staff + kind
}
