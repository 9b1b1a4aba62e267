//! The chances of fights and checks in words.

use musterd_text::nouns::counted;

use crate::data::Sa;
use crate::law;
use crate::model::UnitId;
use crate::odds::{self, Fighter};
use crate::order::Act;
use crate::state::Last;
use crate::view::View;

/// The odds of a fight that a unit is told to fight, as both stand; `None` if they can't be told. `before` is what it is told to do before that.
pub(super) fn odds(rules: &Sa, view: &View, id: UnitId, act: Act, before: Option<Act>) -> Option<String> {
    let position = &view.position;
    let place = rules.battle().index(id)?;
    let foe = match act {
        Act::Attack(foe) | Act::Fire(foe) => law::foe(rules, position, place, foe),
        Act::FireAt(hex) => law::foe_at(rules, position, place, hex),
        Act::Strike(way) => law::strike(rules, position, place, way),
        _ => return None,
    };
    let is_fire = matches!(act, Act::Fire(_) | Act::FireAt(_));
    let moves = before.is_some_and(|act| matches!(act, Act::Move(_) | Act::To(_) | Act::Again));
    if moves || position.units[place].routing {
        return (moves && !is_fire).then(|| "its morale is checked before it strikes".to_owned());
    }
    let foe = foe.ok()?;
    let distance = position.units[place].at?.distance(position.units[foe].at?);
    if is_fire && law::fire(rules, position, place, foe).is_err() {
        return None;
    }
    if !is_fire && distance > 1 {
        let distance = counted(distance, "hex", "hexes");
        return Some(format!("{distance} away: its morale is checked before it strikes"));
    }
    let unreal = !law::is_real(rules, view.real, place);
    let unknown = view.real.is_none() && rules.battle().units[foe].likeness;
    let doubtful = match (unreal, unknown || !law::is_real(rules, view.real, foe)) {
        (true, _) => return Some("a likeness fights as one man".to_owned()),
        (false, true) => "against the real one: ",
        (false, false) => "",
    };
    let fight = if is_fire {
        odds::fire(rules, position, place, foe)
    } else {
        odds::melee(rules, position, place, foe)
    };
    let checked = !is_fire && before.is_none() && position.units[place].last == Last::Moved;
    let check = checked.then(|| {
        let class = rules.battle().units[place].class;
        format!("{}; then ", nerve(odds::nerves(rules, class, odds::modifiers(rules, position, place))))
    });
    let breaks = !is_fire && odds::breaks(rules, position, place);
    let breaks = if breaks { ", and routs if it loses" } else { "" };
    Some(format!("{doubtful}{}{}{breaks}", check.unwrap_or_default(), fought(&fight)))
}

/// The results of a check in words: `if its morale holds: 83%, else it halts (12%) or routs (5%)`. The cases are of [`odds::CHECKS`], from rout on.
pub(super) fn nerve([rout, halt, orders]: [u32; 3]) -> String {
    let share = |cases| percent(cases, odds::CHECKS);
    let otherwise = match (rout, halt) {
        (0, 0) => return "(its morale holds)".to_owned(),
        (0, halt) => format!("halts ({})", share(halt)),
        (rout, 0) => format!("routs ({})", share(rout)),
        (rout, halt) => format!("halts ({}) or routs ({})", share(halt), share(rout)),
    };
    format!("if its morale holds: {}, else it {otherwise}", share(orders))
}

/// The results of a check by which a unit in rout may rally (SA-16).
pub(super) fn rally([rout, halt, orders]: [u32; 3]) -> String {
    let all = [("takes orders again", orders), ("rallies and halts", halt), ("runs on", rout)];
    let may = all.iter().filter(|(_, cases)| *cases > 0);
    let told = may.map(|(does, cases)| format!("{does} ({})", percent(*cases, odds::CHECKS)));
    told.collect::<Vec<_>>().join(" or ")
}

/// `42%`. What is neither impossible nor certain is never 0% or 100%.
fn percent(cases: u32, of: u32) -> String {
    match (cases * 100 + of / 2) / of {
        0 if cases > 0 => "<1%".to_owned(),
        100 if cases < of => ">99%".to_owned(),
        percent => format!("{percent}%"),
    }
}

/// The odds of a fight in words.
fn fought(sides: &[Fighter; 2]) -> String {
    let forecast = odds::Forecast::of(sides);
    let [wins, loses] = forecast.wins.map(|cases| percent(cases, odds::Forecast::ALL));
    let [lost, fallen] = forecast.lost;
    format!(
        "wins {wins}, loses {loses}; on average fells {fallen} of {} and loses {lost} of {}",
        sides[1].men, sides[0].men
    )
}
