//! Who is in communication with the headquarters over it (manual, "Communications").

use musterd_engine::Scribe;

use super::dice::random;
use crate::battle::Battle;
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
                let die = random(scribe, ("touch", "reach"), &unit, 15);
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
pub(crate) fn chance(rules: &Acw, state: &State, unit: UnitId, over: HqId) -> Option<(u32, i32)> {
    let battle = rules.battle();
    let (here, there) = (state.at(unit)?, state.hq(over).at?);
    let distance = here.distance(there);
    let superior = battle.hq(over).echelon;
    let sort = match unit {
        UnitId::Brigade(id) => Sort::Brigade(battle.brigade(id).arm),
        UnitId::Hq(id) => Sort::Hq(battle.hq(id).echelon, battle.hq(id).branch),
    };
    let hour = battle.hour(state.turn);
    let base = rules.numbers().reach(distance);
    let sum = base + hindrance(hour.light, hour.weather) + state.hq(over).staff + sort.adds(superior)
        - distraction(state, over, superior);
    Some((distance, sum.max(0)))
}

/// What is to be reached, as far as it counts.
#[derive(Clone, Copy)]
pub(crate) enum Sort {
    /// A brigade of this type.
    Brigade(Arm),
    /// A headquarters.
    Hq(Echelon, Branch),
}

impl Sort {
    /// What it adds to the chance to be reached by the headquarters over it.
    pub(crate) const fn adds(self, superior: Echelon) -> i32 {
        match self {
            Self::Brigade(arm) => {
                let own = match arm {
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
            Self::Hq(Echelon::Corps, Branch::Cavalry) => 4,
            Self::Hq(Echelon::Corps | Echelon::Army, _) => 0,
            Self::Hq(Echelon::Division, branch) => {
                let own = if matches!(branch, Branch::Cavalry) { 6 } else { 0 };
                own + if matches!(superior, Echelon::Army) { 2 } else { 0 }
            }
        }
    }
}

/// What the time of day and the weather take off, as a number to add.
pub(crate) const fn hindrance(light: Light, weather: Weather) -> i32 {
    let light = match light {
        Light::Night => -4,
        Light::Dawn | Light::Dusk => -2,
        Light::Day => 0,
    };
    let weather = match weather {
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
