//! Recovery in reserve, and digging (manual, "Cohesion", Menu 11).

use musterd_engine::Scribe;

use super::dice::random;
use crate::data::Acw;
use crate::event::Event;
use crate::law;
use crate::model::{Arm, BrigadeId, Light, Side};
use crate::order::Act;
use crate::state::{Brigade, State};

/// The most cohesion that a brigade can recover to: less when it has shattered, more at night.
pub(crate) const fn limit(brigade: &Brigade, night: bool) -> i32 {
    (if brigade.shattered { 4 } else { 6 }) + if night { 1 } else { 0 }
}

/// Brigades in reserve recover, idle infantry digs.
pub(super) fn rest(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    let night = rules.battle().hour(scribe.state().turn).light == Light::Night;
    let all: Vec<BrigadeId> =
        Side::ALL.into_iter().flat_map(|side| scribe.state().fielded(side)).map(|(id, ..)| id).collect();
    for id in all {
        let brigade = scribe.state().brigade(id);
        let rests = brigade.act == Act::Reserve && !brigade.moves && !brigade.fired;
        if rests && brigade.cohesion < limit(brigade, night) {
            let most = brigade.leadership + if night { 2 } else { 0 };
            let die = random(scribe, ("rally", "recover"), &id, 9);
            let recovers = i64::from(die) <= i64::from(most);
            scribe.record(Event::Rallied { brigade: id, die, most, recovers });
        }
        if digs(rules, scribe.state(), id) && random(scribe, ("dig", "works"), &id, 1) == 0 {
            let works = scribe.state().brigade(id).works + 1;
            scribe.record(Event::Dug { brigade: id, works });
        }
    }
}

/// Whether a brigade may dig: infantry of an army that does, idle in this turn, and of use to it (ACW-21, ACW-41).
fn digs(rules: &Acw, state: &State, id: BrigadeId) -> bool {
    let battle = rules.battle();
    let brigade = state.brigade(id);
    battle.army(id.side).entrench
        && battle.brigade(id).arm == Arm::Infantry
        && !brigade.moves
        && !brigade.fired
        && !brigade.shattered
        && !brigade.act.is_column()
        && brigade.act != Act::Assault
        && law::works(battle, brigade) < 3
}
