//! The chances of fights and checks in words.

use musterd_text::nouns::counted;

use crate::data::Sa;
use crate::law;
use crate::model::UnitId;
use crate::odds::{self, Fighter};
use crate::order::Act;
use crate::state::Last;
use crate::view::View;

/// The odds of a fight that a unit is told to fight, as both stand; `None` if it can't be fought now. `moves` if it moves first.
pub(super) fn odds(rules: &Sa, view: &View, id: UnitId, act: Act, moves: bool) -> Option<String> {
    let position = &view.position;
    let place = rules.battle().index(id)?;
    let foe = match act {
        Act::Attack(foe) | Act::Fire(foe) => law::foe(rules, position, place, foe),
        Act::FireAt(hex) => law::foe_at(rules, position, place, hex),
        Act::Strike(way) => law::strike(rules, position, place, way),
        _ => return None,
    };
    let foe = foe.ok().filter(|_| !moves && !position.units[place].routing)?;
    let is_fire = matches!(act, Act::Fire(_) | Act::FireAt(_));
    let distance = position.units[place].at?.distance(position.units[foe].at?);
    if is_fire && law::fire(rules, position, place, foe).is_err() {
        return None;
    }
    if !is_fire && distance > 1 {
        return Some(format!("{} away: its morale is checked before it strikes", hexes(distance)));
    }
    let unreal = |place: usize| !law::is_real(rules, view.real, place);
    let doubtful = match (unreal(place), unreal(foe)) {
        (true, _) => return Some("a likeness fights as one man".to_owned()),
        (false, true) => "against the real one: ",
        (false, false) => "",
    };
    let fight = if is_fire {
        odds::fire(rules, position, place, foe)
    } else {
        odds::melee(rules, position, place, foe)
    };
    let check = (!is_fire && position.units[place].last == Last::Moved).then(|| {
        let class = rules.battle().units[place].class;
        format!("{}; then ", nerve(odds::nerves(rules, class, odds::modifiers(rules, position, place))))
    });
    let breaks = !is_fire && odds::breaks(rules, position, place);
    let breaks = if breaks { ", and routs if it loses" } else { "" };
    Some(format!("{doubtful}{}{}{breaks}", check.unwrap_or_default(), fought(&fight)))
}

/// The results of a check in words: `if its morale holds: 83%, else it halts (12%) or routs (5%)`. The cases are of [`odds::CHECKS`], from rout on.
pub(super) fn nerve([rout, halt, orders]: [u32; 3]) -> String {
    let all = odds::CHECKS;
    match (rout, halt) {
        (0, 0) => "(its morale holds)".to_owned(),
        _ => format!(
            "if its morale holds: {}, else it halts ({}) or routs ({})",
            percent(orders, all),
            percent(halt, all),
            percent(rout, all)
        ),
    }
}

/// `42%`. What is neither impossible nor certain is never 0% or 100%.
fn percent(cases: u32, of: u32) -> String {
    match (cases * 100 + of / 2) / of {
        0 if cases > 0 => "<1%".to_owned(),
        100 if cases < of => ">99%".to_owned(),
        percent => format!("{percent}%"),
    }
}

fn hexes(distance: u32) -> String {
    counted(distance, "hex", "hexes")
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
