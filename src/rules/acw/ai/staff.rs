//! Where the seasoned commander's headquarters goes, and how he leads.

use musterd_engine::hex::Hex;

use super::look::Look;
use crate::law::PERSONAL;
use crate::model::{Echelon, Profile};
use crate::order::{Act, Goal, Order};
use crate::phases::touch::{Sort, hindrance};
use crate::state::Brigade;

/// So near to the headquarters the enemy disturbs it.
const DISTURBS: u32 = 4;
/// How much better another place has to be, in hundredths.
const BETTER: i64 = 115;
/// Targeted brigades near him for which he takes risks upon himself.
const BOLD: usize = 3;
/// Assaulting brigades near him that he leads himself.
const HEROIC: usize = 6;

pub(super) fn orders(look: &Look<'_>) -> Vec<Order> {
    if !look.hq.is_army() {
        return Vec::new();
    }
    let mut orders = Vec::new();
    let goal = ride(look);
    orders.extend(goal.map(Order::Goal));
    let profile = profile(look);
    if look.view.chief.is_some_and(|chief| chief.profile != profile) {
        orders.push(Order::Profile(profile));
    }
    orders
}

/// How he leads: nearer to the fire the more brigades look at him.
fn profile(look: &Look<'_>) -> Profile {
    let hq = look.view.hq(look.hq);
    let Some(at) = hq.at else { return Profile::Sensible };
    let near = |reach: u32| look.fielded().filter(move |(_, _, hex)| hex.distance(at) <= reach);
    let targeted = near(PERSONAL).filter(|(_, one, _)| one.targeted).count();
    let charging = near(3).filter(|(_, one, _)| one.act == Act::Assault).count();
    match () {
        () if hq.leader.is_none() && targeted > 0 && charging >= HEROIC => Profile::Heroic,
        () if hq.leader.is_none() && targeted >= BOLD => Profile::Bold,
        () => Profile::Sensible,
    }
}

/// Where to: nowhere unless it is much better there than here.
fn ride(look: &Look<'_>) -> Option<Goal> {
    let hq = look.view.hq(look.hq);
    let here = hq.at?;
    let stands = match hq.goal {
        Goal::Stand => true,
        Goal::Hex(hex) => hex == here,
        Goal::Objective(id) => look.battle.objective(id).hex == here,
        Goal::Corps(_) => false,
    };
    // Who is under way goes on, unless the enemy is there first.
    if let (false, Goal::Hex(hex)) = (stands, hq.goal)
        && look.is_own(hex)
        && worth(look, hex) * 100 >= worth(look, here) * 105
    {
        return None;
    }
    let now = worth(look, here);
    let best = places(look, here).into_iter().map(|hex| (worth(look, hex), hex)).max()?;
    if best.0 * 100 > now * BETTER && best.1 != here {
        return Some(Goal::Hex(best.1));
    }
    (!stands).then_some(Goal::Stand)
}

/// Where it could go: near his formations, behind the front.
fn places(look: &Look<'_>, here: Hex) -> Vec<Hex> {
    let map = &look.battle.map;
    let mut places: Vec<Hex> = map.within(here, 3).collect();
    for (_, hq) in look.view.own_hqs() {
        places.extend(hq.at.into_iter().flat_map(|at| map.within(at, 3).collect::<Vec<_>>()));
    }
    places.sort_unstable();
    places.dedup();
    let stands = |hex: &Hex| {
        let terrain = look.rules.numbers().terrain(map.ground(*hex));
        look.is_own(*hex) && terrain.column.is_some() && look.clear(*hex) > 2
    };
    places.retain(stands);
    places
}

/// What a place is worth: whom his orders would reach from there, and who could be told in person.
fn worth(look: &Look<'_>, place: Hex) -> i64 {
    let numbers = look.rules.numbers();
    let hour = look.battle.hour(look.view.turn);
    let staff = look.view.hq(look.hq).staff + 2;
    let near_foe = look.clear(place) <= DISTURBS;
    let base = staff + hindrance(hour.light, hour.weather) - if near_foe { 2 } else { 0 };
    let chance =
        |at: Hex, more: i32| i64::from((numbers.reach(at.distance(place)) + base + more).clamp(0, 15) + 1);
    let mut sum = 0;
    for spec in look.battle.hqs_under(look.hq) {
        let Some(at) = look.view.hq(spec.id).at else { continue };
        let own: i64 = look
            .battle
            .all_under(spec.id)
            .map(|own| look.view.brigade(own.id))
            .filter(|one| one.is_fielded())
            .map(Brigade::power)
            .sum();
        sum += own * chance(at, 0);
    }
    for (id, one, at) in look.fielded() {
        let spec = look.battle.brigade(id);
        let more = Sort::Brigade(spec.arm).adds(Echelon::Division);
        if spec.over == look.hq {
            sum += one.power() * chance(at, more);
        } else if at.distance(place) <= PERSONAL {
            let fights = if one.engaged().is_some() || look.clear(at) <= 3 { 6 } else { 2 };
            sum += one.power() * fights;
        }
    }
    sum
}
