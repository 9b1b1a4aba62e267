//! The players' orders, checked again by the law against the true position.

use std::collections::BTreeMap;

use musterd_engine::{Input, Scribe};

use super::command;
use crate::data::Acw;
use crate::event::Event;
use crate::law;
use crate::model::{BrigadeId, HqId, Profile, Side, UnitId};
use crate::order::{Act, Order, When};
use crate::state::State;

/// Takes the orders of all seats, and has the headquarters that were told something begin it.
pub(super) fn take(rules: &Acw, scribe: &mut Scribe<'_, Acw>, input: &Input<Order>) {
    let battle = rules.battle();
    let mut left: BTreeMap<Side, (Vec<(BrigadeId, When, Act)>, bool)> = BTreeMap::new();
    for (seat, reading) in &input.orders {
        let Some((side, commander)) = battle.commander(seat) else { continue };
        let hq = commander.hq;
        for placed in &reading.orders {
            scribe.take_in_hand(Some(placed.line));
            match &placed.order {
                Order::If(brigade, when, act) if can_order(rules, scribe.state(), hq, *brigade) => {
                    left.entry(side).or_default().0.push((*brigade, *when, *act));
                }
                Order::StopOnContact(stop) => left.entry(side).or_default().1 = *stop,
                order => carry_out(rules, scribe, hq, order),
            }
        }
        scribe.take_in_hand(None);
    }
    for side in Side::ALL {
        let (ifs, stop) = left.remove(&side).unwrap_or_default();
        let state = scribe.state();
        let had = state.stops[side.index()] || state.ifs.keys().any(|id| id.side == side);
        if had || !ifs.is_empty() || stop {
            scribe.record(Event::Left { side, ifs, stop });
        }
        lead(scribe, side);
    }
    command::obey(rules, scribe);
}

fn can_order(rules: &Acw, state: &State, hq: HqId, brigade: BrigadeId) -> bool {
    law::reach(rules, state, hq, UnitId::Brigade(brigade)).is_ok()
}

fn carry_out(rules: &Acw, scribe: &mut Scribe<'_, Acw>, own: HqId, order: &Order) {
    let state = scribe.state();
    let side = own.side;
    let event = match order {
        Order::Goal(goal) if law::goal(rules, &state.control, side, *goal).is_ok() => {
            Some(Event::Bound { hq: own, goal: *goal })
        }
        Order::Profile(profile) if own.is_army() => {
            let brigades = &state.brigades[side.index()];
            let allowed = law::profile(brigades, state.hq(own), *profile).is_ok();
            allowed.then_some(Event::Profiled { side, profile: *profile, fallback: false })
        }
        Order::Command(hq, given) => {
            let holder = |id: crate::model::ObjectiveId| state.holdings[id.place()].holder;
            let reached = law::reach(rules, state, own, UnitId::Hq(*hq)).is_ok() && !hq.is_army();
            let allowed = reached && law::command(rules, holder, side, *given).is_ok();
            allowed.then_some(Event::Commanded { hq: *hq, command: *given })
        }
        Order::Brigade(id, act) => {
            let brigade = state.brigade(*id);
            let allowed = can_order(rules, state, own, *id)
                && law::act(rules, (*id, brigade), &state.hqs[side.index()], *act).is_ok();
            allowed.then_some(Event::Told { brigade: *id, act: *act, when: None })
        }
        Order::Resign => Some(Event::Resigned { side }),
        _ => None,
    };
    if let Some(event) = event {
        scribe.record(event);
    }
}

/// A profile that is not to be had any more becomes SENSIBLE (ACW-40).
fn lead(scribe: &mut Scribe<'_, Acw>, side: Side) {
    let state = scribe.state();
    let profile = state.chiefs[side.index()].profile;
    let hq = state.hq(HqId::army(side));
    if law::profile(&state.brigades[side.index()], hq, profile).is_err() {
        scribe.record(Event::Profiled { side, profile: Profile::Sensible, fallback: true });
    }
}

/// Orders that were left for a later hour of the block, where what they wait for has come true.
pub(super) fn recall(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    let state = scribe.state();
    let mut told = Vec::new();
    for (id, ifs) in &state.ifs {
        let brigade = state.brigade(*id);
        if !brigade.is_fielded() {
            continue;
        }
        let is_true = |when: When| match when {
            When::Engaged => brigade.engaged().is_some(),
            When::Shaken => law::is_shaken(rules.battle(), brigade),
        };
        let fits = |act: Act| law::act(rules, (*id, brigade), &state.hqs[id.side.index()], act).is_ok();
        // The last that is true counts: who is shaken looks to that first.
        let due = ifs.iter().rev().find(|(when, act)| is_true(*when) && fits(*act));
        told.extend(due.map(|(when, act)| Event::Told { brigade: *id, act: *act, when: Some(*when) }));
    }
    told.into_iter().for_each(|event| scribe.record(event));
}
