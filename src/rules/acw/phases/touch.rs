//! Who is in communication with the headquarters over it (manual, "Communications").

use musterd_engine::Scribe;

use super::dice::random;
use crate::battle::{Battle, Hour};
use crate::data::Acw;
use crate::event::{Event, Touch};
use crate::model::{Arm, Branch, Echelon, HqId, Light, Profile, Side, UnitId, Weather};
use crate::state::State;

/// Tries the communications of both sides: with radio everybody is in touch, and nothing is thrown (ACW-38).
pub(super) fn check(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    for side in Side::ALL {
        let mut checks = Vec::new();
        if !rules.has_radio() {
            for (unit, over) in units(rules.battle(), side) {
                let Some((distance, chance)) = chance(rules, scribe.state(), unit, over) else { continue };
                let die = match unit {
                    UnitId::Brigade(id) => random(scribe, ("touch", "reach"), &id, 15),
                    UnitId::Hq(id) => random(scribe, ("touch", "reach"), &id, 15),
                };
                checks.push(Touch { unit, distance, chance, die });
            }
        }
        scribe.record(Event::Communicated { side, checks });
    }
}

/// All units but an army's headquarters, each with the headquarters over it.
fn units(battle: &Battle, side: Side) -> Vec<(UnitId, HqId)> {
    let army = battle.army(side);
    let hqs = army.hqs.iter().filter_map(|spec| Some((UnitId::Hq(spec.id), spec.over?)));
    hqs.chain(army.brigades.iter().map(|spec| (UnitId::Brigade(spec.id), spec.over))).collect()
}

/// The distance of a unit to the headquarters over it, and its chance to be in communication against a random number of 0 to 15; `None` if either is off
/// the map: it is out of communication then.
#[must_use]
pub(crate) fn chance(rules: &Acw, state: &State, unit: UnitId, over: HqId) -> Option<(u32, i32)> {
    let battle = rules.battle();
    let (here, there) = (state.at(unit)?, state.hq(over).at?);
    let distance = here.distance(there);
    let superior = battle.hq(over).echelon;
    let of_unit = match unit {
        UnitId::Brigade(id) => {
            let own = match battle.brigade(id).arm {
                Arm::Infantry => 0,
                Arm::MountedInfantry | Arm::Artillery => 6,
                Arm::Cavalry => 8,
            };
            own + match superior {
                Echelon::Army => 2,
                Echelon::Corps => 1,
                Echelon::Division => 0,
            }
        }
        UnitId::Hq(id) => {
            let spec = battle.hq(id);
            let is_horse = spec.branch == Branch::Cavalry;
            match (spec.echelon, is_horse, superior) {
                (Echelon::Corps, true, _) => 4,
                (Echelon::Corps | Echelon::Army, _, _) => 0,
                (Echelon::Division, _, _) => {
                    6 * i32::from(is_horse) + 2 * i32::from(superior == Echelon::Army)
                }
            }
        }
    };
    let base = rules.numbers().reach(distance);
    let sum = base + hindrance(battle.hour(state.turn)) + state.hq(over).staff + of_unit
        - distraction(state, over, superior);
    Some((distance, sum.max(0)))
}

/// What the time of day and the weather take off.
const fn hindrance(hour: &Hour) -> i32 {
    let light = match hour.light {
        Light::Night => -4,
        Light::Dawn | Light::Dusk => -2,
        Light::Day => 0,
    };
    let weather = match hour.weather {
        Weather::Rain | Weather::Snow | Weather::HeavyFog => -3,
        Weather::Drizzle | Weather::LightFog => -1,
        Weather::Clear | Weather::Overcast => 0,
    };
    light + weather
}

/// What keeps a headquarters from its work: the enemy near it, its own moves and its commander's zeal.
fn distraction(state: &State, over: HqId, echelon: Echelon) -> i32 {
    let hq = state.hq(over);
    let Some(at) = hq.at else { return 0 };
    let near = |reach: u32| {
        i32::from(state.fielded(over.side.other()).any(|(_, _, there)| at.distance(there) <= reach))
    };
    match echelon {
        Echelon::Army => {
            let zeal = match state.chiefs[over.side.index()].profile {
                Profile::Heroic => 3,
                Profile::Bold => 1,
                Profile::Sensible | Profile::Cautious => 0,
            };
            2 * near(4) + i32::from(hq.moved) + zeal
        }
        Echelon::Corps => near(3) + i32::from(hq.command.is_offensive()),
        Echelon::Division => 0,
    }
}
