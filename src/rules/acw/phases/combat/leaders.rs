//! Leaders in danger, and who succeeds them (Menu 6, ACW-23, ACW-28, ACW-37, ACW-54, ACW-67).

use musterd_engine::Scribe;
use musterd_engine::hex::Hex;

use crate::data::Acw;
use crate::event::Event;
use crate::law;
use crate::model::{BrigadeId, Fate, HqId, Profile, Side, UnitId};
use crate::phases::dice::random;
use crate::state::State;
use crate::values::{BOLD_REACH, HEROIC_REACH};

/// Hundredths for each point of cohesion that his brigade loses.
const A_POINT: u32 = 2;
/// Hundredths for the commander of a headquarters under fire.
const UNDER_FIRE: u32 = 5;

/// How the army's commander leads whose presence is felt in a hex: heroic within three hexes, bold or sensible within four (ACW-7, ACW-40).
pub(super) fn present(state: &State, side: Side, at: Hex) -> Option<Profile> {
    let here = state.hq(HqId::army(side)).at?;
    let profile = state.chiefs[side.index()].profile;
    let reach = match profile {
        Profile::Heroic => HEROIC_REACH,
        Profile::Bold | Profile::Sensible => BOLD_REACH,
        Profile::Cautious => return None,
    };
    (here.distance(at) <= reach).then_some(profile)
}

/// A brigade lost cohesion: its commander may be hit, and those whose headquarters stand with it.
pub(super) fn hit(rules: &Acw, scribe: &mut Scribe<'_, Acw>, id: BrigadeId, points: i32) {
    let chance = A_POINT * points.unsigned_abs();
    if scribe.state().brigade(id).leader.is_none() && random(scribe, ("leader", "brigade"), &id, 99) < chance
    {
        let fate = fate(scribe, UnitId::Brigade(id));
        let leadership = (scribe.state().brigade(id).leadership - 1).max(0);
        scribe.record(Event::LeaderHit {
            unit: UnitId::Brigade(id),
            fate,
            leadership,
            staff: None,
            second: false,
        });
    }
    let with = |(_, hq): &(HqId, &crate::state::Hq)| hq.with == Some(id) && hq.leader.is_none();
    let hqs: Vec<HqId> = scribe.state().hqs_of(id.side).filter(with).map(|(hq, _)| hq).collect();
    for hq in hqs {
        if random(scribe, ("leader", "staff"), &hq, 99) < chance {
            fall(rules, scribe, hq);
        }
    }
}

/// A headquarters was fired at.
pub(super) fn under_fire(rules: &Acw, scribe: &mut Scribe<'_, Acw>, hq: HqId) {
    if can_fall(rules, scribe.state(), hq) && random(scribe, ("leader", "fire"), &hq, 99) < UNDER_FIRE {
        fall(rules, scribe, hq);
    }
}

/// The sides whose army commander is within four hexes of a brigade of his that the enemy has for a target.
pub(super) fn exposed(state: &State) -> [bool; 2] {
    Side::ALL.map(|side| {
        let Some(here) = state.hq(HqId::army(side)).at else { return false };
        state.fielded(side).any(|(_, brigade, at)| brigade.targeted && here.distance(at) <= law::PERSONAL)
    })
}

/// The army commanders share the danger of a turn by their profiles (ACW-23).
pub(super) fn risk(rules: &Acw, scribe: &mut Scribe<'_, Acw>, exposed: [bool; 2]) {
    for side in Side::ALL.into_iter().filter(|side| exposed[side.index()]) {
        let hq = HqId::army(side);
        let thousandths = match scribe.state().chiefs[side.index()].profile {
            Profile::Heroic => 80,
            Profile::Bold => 20,
            Profile::Sensible => 2,
            Profile::Cautious => continue,
        };
        if can_fall(rules, scribe.state(), hq) && random(scribe, ("leader", "army"), &hq, 999) < thousandths {
            fall(rules, scribe, hq);
        }
    }
}

/// Whether the commander of a headquarters can be hit: the first one, and in an army its second in command too. Deputies aren't (ACW-67).
fn can_fall(rules: &Acw, state: &State, hq: HqId) -> bool {
    let army = rules.battle().army(hq.side);
    let second = hq.is_army() && army.second.is_some() && state.chiefs[hq.side.index()].second.is_none();
    state.hq(hq).leader.is_none() || second
}

/// The commander of a headquarters is hit: the army's second in command succeeds, else a deputy whose leadership and staff are one lower (ACW-37).
fn fall(rules: &Acw, scribe: &mut Scribe<'_, Acw>, hq: HqId) {
    let fate = fate(scribe, UnitId::Hq(hq));
    let state = scribe.state();
    let second = hq.is_army() && state.hq(hq).leader.is_some();
    let deputy = (state.hq(hq).leadership - 1).max(0);
    let successor = rules.battle().army(hq.side).second.as_ref().filter(|_| hq.is_army() && !second);
    let leadership = successor.map_or(deputy, |successor| successor.leadership);
    // The second in command takes over the army's staff as it is.
    let staff = successor.is_none().then(|| (state.hq(hq).staff - 1).max(0));
    scribe.record(Event::LeaderHit { unit: UnitId::Hq(hq), fate, leadership, staff, second });
    // Nobody else leads so (ACW-37).
    let side = hq.side;
    if hq.is_army() && scribe.state().chiefs[side.index()].profile == Profile::Heroic {
        scribe.record(Event::Profiled { side, profile: Profile::Sensible, fallback: true });
    }
}

/// Killed, wounded or captured, by equal chances.
fn fate(scribe: &mut Scribe<'_, Acw>, unit: UnitId) -> Fate {
    Fate::ALL[random(scribe, ("leader", "fate"), &unit, 2) as usize]
}
