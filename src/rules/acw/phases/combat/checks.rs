//! Cohesion checks at the end of all combat, and what comes of them (manual, "Cohesion", step three).

use std::collections::{BTreeMap, BTreeSet};

use musterd_engine::Scribe;
use musterd_engine::hex::Hex;

use super::loss::weaken;
use super::{flight, leaders};
use crate::data::Acw;
use crate::event::{Check, CheckResult, Event, Lost};
use crate::model::BrigadeId;
use crate::phases::dice::random;
use crate::state::{Deed, DeedKind, State};
use crate::values::{self, Fighter, Stress};

/// All who were fired at are checked, each with whether from the front alone; then who has to goes back, those farthest from the enemy first.
pub(super) fn check(rules: &Acw, scribe: &mut Scribe<'_, Acw>, fired_at: &BTreeMap<BrigadeId, bool>) {
    let mut results: Vec<(BrigadeId, CheckResult)> = Vec::new();
    for (id, frontal) in fired_at {
        let Some(at) = scribe.state().brigade(*id).at else { continue };
        let chance = random(scribe, ("check", "hold"), id, 7);
        let state = scribe.state();
        let stress = Stress {
            frontal: *frontal,
            confidence: confidence(state, *id, at),
            leader: leaders::present(state, id.side, at),
            before: before(state, *id, at),
            chance,
        };
        let (value, result) = values::check(&Fighter::of(rules, *id, state.brigade(*id)), &stress);
        let check = Check { brigade: *id, parts: value.parts, total: value.total, result };
        scribe.record(Event::Checked(Box::new(check)));
        results.push((*id, result));
    }
    let state = scribe.state();
    results.sort_by_key(|(id, _)| std::cmp::Reverse(flight::nearest(state, *id)));
    for (id, result) in results {
        carry_out(rules, scribe, id, result);
    }
}

fn carry_out(rules: &Acw, scribe: &mut Scribe<'_, Acw>, id: BrigadeId, result: CheckResult) {
    let brigade = scribe.state().brigade(id);
    let Some(at) = brigade.at else { return };
    match (result, brigade.shattered) {
        (CheckResult::Holds, _) => {}
        (CheckResult::Retreats, _) => go_back(rules, scribe, id, false),
        (CheckResult::Broken, true) => {
            scribe.record(Event::Destroyed { brigade: id, at, how: Lost::Routed });
        }
        (CheckResult::Broken | CheckResult::Shattered, false) => {
            scribe.record(Event::Shattered { brigade: id });
            go_back(rules, scribe, id, true);
        }
        // It has shattered before, and flees (ACW-11).
        (CheckResult::Shattered, true) => go_back(rules, scribe, id, true),
    }
}

/// A retreat of one or two hexes, or a flight of three or four; who can't go back loses cohesion (ACW-53).
fn go_back(rules: &Acw, scribe: &mut Scribe<'_, Acw>, id: BrigadeId, flees: bool) {
    let steps = if flees { 3 } else { 1 } + random(scribe, ("flee", "length"), &id, 1);
    let state = scribe.state();
    let brigade = state.brigade(id);
    let Some(from) = brigade.at else { return };
    let way = flight::way(rules, state, id, steps);
    if way.is_empty() {
        let cohesion = (brigade.cohesion - 1).max(0);
        scribe.record(Event::Cornered { brigade: id, cohesion });
        weaken(scribe, id);
    } else {
        scribe.record(Event::Retreated { brigade: id, from, way, flees });
    }
}

/// Friends within three hexes less enemies within two (ACW-16).
fn confidence(state: &State, id: BrigadeId, at: Hex) -> i32 {
    let near = |side, reach| state.fielded(side).filter(|(_, _, there)| at.distance(*there) <= reach).count();
    #[expect(clippy::expect_used, reason = "an army has so few units")]
    let count = |n: usize| i32::try_from(n).expect("a number of units");
    // It is no friend of its own.
    count(near(id.side, 3)) - 1 - count(near(id.side.other(), 2))
}

/// What happened near a brigade in the last turn: to friends within four hexes, to enemies within three. What destroyed one weighs for two turns (ACW-15).
/// Each brigade counts once, by the worst that happened to it (ACW-65).
fn before(state: &State, id: BrigadeId, at: Hex) -> i32 {
    let recent = |deed: &&Deed| {
        let age = state.turn - deed.turn;
        age == 1 || (age == 2 && deed.kind == DeedKind::Destroyed)
    };
    let near = |deed: &&Deed| {
        let reach = if deed.brigade.side == id.side { 4 } else { 3 };
        deed.brigade != id && deed.at.distance(at) <= reach
    };
    let deeds: Vec<&Deed> = state.deeds.iter().filter(recent).filter(near).collect();
    let whose: BTreeSet<BrigadeId> = deeds.iter().map(|deed| deed.brigade).collect();
    let weight = |deed: &Deed| match deed.kind {
        _ if deed.brigade.side != id.side => 2,
        DeedKind::Retreated => -1,
        DeedKind::Shattered => -3,
        DeedKind::Destroyed => -7,
    };
    let worst = |brigade: &BrigadeId| {
        deeds.iter().filter(|deed| deed.brigade == *brigade).map(|deed| weight(deed)).min().unwrap_or(0)
    };
    whose.iter().map(worst).sum()
}
