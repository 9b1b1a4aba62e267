//! Recovery in reserve, and entrenching.

use musterd_engine::Scribe;

use super::dice::random;
use crate::data::Acw;
use crate::event::Event;
use crate::model::{Arm, BrigadeId, Light, Side};
use crate::order::Act;

/// The most that a brigade digs (ACW-21).
const MOST_WORKS: u8 = 3;

/// Brigades in reserve recover (ACW-19); infantry of a side that digs, and that neither moved nor fired, digs (ACW-21, ACW-41).
pub(super) fn rest(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    let battle = rules.battle();
    let hour = battle.hour(scribe.state().turn);
    let (night, still) = (hour.light == Light::Night, hour.still);
    let ids: Vec<BrigadeId> =
        Side::ALL.into_iter().flat_map(|side| scribe.state().fielded(side)).map(|(id, ..)| id).collect();
    for id in ids {
        let brigade = scribe.state().brigade(id).clone();
        let rests = brigade.act == Act::Reserve && !brigade.moves && !brigade.fired;
        let limit = match (brigade.shattered, night) {
            (true, false) => 4,
            (true, true) => 5,
            (false, false) => 6,
            (false, true) => 7,
        };
        if rests && brigade.cohesion < limit {
            let most = brigade.leadership + if night { 2 } else { 0 };
            let die = random(scribe, ("rally", "reserve"), &id, 9);
            let recovers = i64::from(die) <= i64::from(most);
            scribe.record(Event::Rallied { brigade: id, die, most, recovers });
        }
        let digs = battle.army(id.side).entrench
            && battle.brigade(id).arm == Arm::Infantry
            && !brigade.shattered
            && !brigade.moves
            && !brigade.fired
            && matches!(brigade.act, Act::Stand | Act::Reserve | Act::Skirmish)
            && (still || brigade.engaged().is_none_or(|target| target.distance > 1));
        if digs && brigade.works < MOST_WORKS && random(scribe, ("dig", "works"), &id, 1) == 0 {
            scribe.record(Event::Dug { brigade: id, works: brigade.works + 1 });
        }
    }
}
