//! What players ordered, checked once more by the law.

use std::collections::{BTreeMap, BTreeSet};

use musterd_engine::{Input, Scribe};

use super::command;
use super::set::set;
use crate::data::Acw;
use crate::event::Event;
use crate::law;
use crate::model::{BrigadeId, HqId, Profile, Side, UnitId};
use crate::order::{Act, Command, Goal, Order, When};
use crate::state::State;

/// What players told brigades for this mail turn.
pub(super) type Told = BTreeMap<BrigadeId, Act>;

/// The brigades of a side with an enemy near that they see.
pub(super) type Contacts = [BTreeSet<BrigadeId>; 2];

/// How near an enemy has to come for a block of hours to end.
const CONTACT: u32 = 2;

/// Takes the orders of all seats, in the order of the seats: where commanders go and how they lead, what headquarters and brigades are to do, what is left for
/// later hours. Of two orders to one unit the last counts.
pub(super) fn take(rules: &Acw, scribe: &mut Scribe<'_, Acw>, input: &Input<Order>) -> Told {
    let before = scribe.state().clone();
    let mut commanded: BTreeMap<HqId, Command> = BTreeMap::new();
    let mut told = Told::new();
    for side in Side::ALL {
        let mut ifs: Vec<(BrigadeId, When, Act)> = Vec::new();
        let mut stop = false;
        for commander in &rules.battle().army(side).commanders {
            let Some(reading) = input.orders.get(&commander.seat) else { continue };
            let hq = commander.hq;
            let reaches = |unit: UnitId| law::reach(rules, &before, hq, unit).is_ok();
            for placed in &reading.orders {
                match &placed.order {
                    Order::Goal(goal) if is_open(rules, &before, side, *goal) => {
                        scribe.record(Event::Bound { hq, goal: *goal });
                    }
                    Order::Profile(profile) if hq.is_army() => lead(scribe, side, *profile),
                    Order::Command(to, command)
                        if to.side == side
                            && !to.is_army()
                            && reaches(UnitId::Hq(*to))
                            && law::command(&before.holdings, side, *command).is_ok() =>
                    {
                        commanded.insert(*to, *command);
                    }
                    Order::Brigade(id, act)
                        if id.side == side
                            && reaches(UnitId::Brigade(*id))
                            && is_lawful(rules, &before, *id, *act) =>
                    {
                        told.insert(*id, *act);
                    }
                    Order::If(id, when, act) if id.side == side && reaches(UnitId::Brigade(*id)) => {
                        ifs.retain(|(other, condition, _)| (other, condition) != (id, when));
                        ifs.push((*id, *when, *act));
                    }
                    Order::StopOnContact(on) => stop |= *on,
                    Order::Resign if hq.is_army() => scribe.record(Event::Resigned { side }),
                    _ => {}
                }
            }
        }
        let state = scribe.state();
        let left = state.ifs.keys().any(|id| id.side == side) || state.stops[side.index()];
        if !ifs.is_empty() || stop || left {
            scribe.record(Event::Left { side, ifs, stop });
        }
    }
    for (hq, order) in &commanded {
        // Who directs a corps is whoever did when orders were written.
        let direct = law::direct(&before, hq.side);
        let is_told = |formation: HqId| commanded.contains_key(&formation);
        command::command(rules, scribe, (*hq, *order), direct, is_told);
    }
    for (brigade, act) in &told {
        scribe.record(Event::Told { brigade: *brigade, act: *act, when: None });
    }
    // Whoever was not told follows what the headquarters over him began.
    set(rules, scribe);
    told
}

/// Whether a seat's headquarters can go there.
fn is_open(rules: &Acw, state: &State, side: Side, goal: Goal) -> bool {
    let own = !matches!(goal, Goal::Corps(corps) if corps.side != side);
    own && law::goal(rules, &state.control, side, goal).is_ok()
}

/// Whether a brigade can be given an order now.
fn is_lawful(rules: &Acw, state: &State, id: BrigadeId, act: Act) -> bool {
    let brigade = state.brigade(id);
    !brigade.surprised && law::act(rules, (id, brigade), &state.hqs[id.side.index()], act).is_ok()
}

fn lead(scribe: &mut Scribe<'_, Acw>, side: Side, profile: Profile) {
    let state = scribe.state();
    let lawful = law::profile(&state.brigades[side.index()], state.hq(HqId::army(side)), profile).is_ok();
    if lawful && state.chiefs[side.index()].profile != profile {
        scribe.record(Event::Profiled { side, profile, fallback: false });
    }
}

/// A commander who can lead no more as he did is sensible (ACW-40).
pub(super) fn profiles(scribe: &mut Scribe<'_, Acw>) {
    for side in Side::ALL {
        let state = scribe.state();
        let profile = state.chiefs[side.index()].profile;
        if law::profile(&state.brigades[side.index()], state.hq(HqId::army(side)), profile).is_err() {
            scribe.record(Event::Profiled { side, profile: Profile::Sensible, fallback: true });
        }
    }
}

/// A later hour of a block: what players left for it, and what they told brigades before, as long as it can be done (ACW-72).
pub(super) fn again(rules: &Acw, scribe: &mut Scribe<'_, Acw>, told: &mut Told) {
    let state = scribe.state();
    let mut acts: BTreeMap<BrigadeId, (Act, Option<When>)> = BTreeMap::new();
    // A brigade deploys once, and stands there then.
    for act in told.values_mut().filter(|act| matches!(act, Act::Deploy(_))) {
        *act = Act::Stand;
    }
    for (id, act) in told.iter() {
        acts.insert(*id, (*act, None));
    }
    for (id, ifs) in &state.ifs {
        let brigade = state.brigade(*id);
        let comes_true = |when: When| match when {
            When::Engaged => brigade.engaged().is_some(),
            When::Shaken => law::is_shaken(rules.battle(), brigade),
        };
        // The graver condition counts where both come true.
        let lawful = ifs.iter().filter(|(when, act)| comes_true(*when) && is_lawful(rules, state, *id, *act));
        if let Some((when, act)) = lawful.max_by_key(|(when, _)| *when) {
            acts.insert(*id, (*act, Some(*when)));
        }
    }
    acts.retain(|id, (act, _)| state.brigade(*id).is_fielded() && is_lawful(rules, state, *id, *act));
    for (brigade, (act, when)) in acts {
        scribe.record(Event::Told { brigade, act, when });
    }
}

/// The brigades that have an enemy within two hexes, whom their side sees.
pub(super) fn contacts(rules: &Acw, state: &State) -> Contacts {
    Side::ALL.map(|side| {
        let foes: Vec<_> = crate::commanders::known(rules, state, side);
        let near = |at: musterd_engine::hex::Hex| foes.iter().any(|(_, foe)| at.distance(*foe) <= CONTACT);
        state.fielded(side).filter(|(_, _, at)| near(*at)).map(|(id, ..)| id).collect()
    })
}

/// Whether a side that asked for it has new contact.
pub(super) fn stops(rules: &Acw, state: &State, before: &Contacts) -> bool {
    let now = contacts(rules, state);
    Side::ALL.into_iter().any(|side| {
        let index = side.index();
        state.stops[index] && now[index].difference(&before[index]).next().is_some()
    })
}
