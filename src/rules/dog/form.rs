//! The order form of a dispatch: every own unit with an example to edit, as comments.

use std::collections::BTreeSet;

use super::battle::hire::HireList;
use super::data::Dog;
use super::known::ways;
use super::order::Record;
use super::roster::Roster;
use super::scores;
use super::view::{OwnUnit, View, Wait};
use super::way::Ways;
use super::words;
use musterd_engine::hex::Hex;
use musterd_kit::form::{HOW_TO, shortened};

/// The form, without its frame. Sent back as it is, it orders nothing.
pub fn form(rules: &Dog, view: &View) -> Vec<String> {
    let mut lines = vec![HOW_TO.to_owned()];
    match view.wait {
        Wait::Founding | Wait::Over => return Vec::new(),
        Wait::SetUp => lines.extend(records(rules, view)),
        Wait::Orders | Wait::Moves | Wait::Combat => lines.extend(orders(rules, view)),
    }
    lines.into_iter().map(shortened).collect()
}

/// The units to be placed or hired.
fn records(rules: &Dog, view: &View) -> Vec<String> {
    let Some(roster) = Roster::of(rules, view) else { return Vec::new() };
    let numbers = rules.numbers();
    let (placed, open) = roster.settled();
    let mut lines = Vec::new();
    if let Some(money) = open.money() {
        lines.push(format!("# You have {money} to spend and a leadership of {}.", view.leadership));
        lines.extend(open.example().map(|record| format!("# {}", hired(rules, &record))));
        let list = |list: &HireList| format!("{:<28} # {}", format!("# HIRE {}", list.id), list.title);
        lines.extend(open.lists().into_iter().map(list));
    }
    for unit in placed {
        let hidden = if unit.hidden { " HIDDEN" } else { "" };
        let order = format!("# UNIT {} AT {}{hidden}", unit.unit.number, unit.at);
        lines.push(format!("{order:<28} # {}", words::fighters(numbers, &unit.sorts)));
    }
    lines
}

/// A unit for hire, as an example to edit.
pub(super) fn hired(rules: &Dog, record: &Record) -> String {
    let numbers = rules.numbers();
    let mut line = format!("UNIT {}", record.unit.number);
    for sort in &record.sorts {
        line.push(' ');
        line.push_str(&words::counted(numbers, sort));
        line.extend(sort.size.map(|size| format!(" SIZE {size}")));
    }
    line.extend(record.at.map(|at| format!(" AT {at}")));
    line
}

/// A line for every unit: an attack on an enemy next to it, a volley at an enemy within range, or a march to the nearest enemy. If a march comes next
/// to an enemy this round, an attack on the unit there is added: moves and fights are mailed together.
fn orders(rules: &Dog, view: &View) -> Vec<String> {
    let mut lines = Vec::new();
    // Units in the way may be gone tomorrow; water stays.
    let ways = Ways { taken: BTreeSet::new(), ..ways(rules, view) };
    let mut taken = view.taken();
    for (id, unit) in view.free() {
        let mut attacks = false;
        let nearest = view.foes(rules).min_by_key(|(other, foe)| (foe.at.distance(unit.at), *other));
        let order = match nearest {
            Some((foe, seen)) if view.wait != Wait::Moves && seen.at.distance(unit.at) == 1 => {
                format!("# ATTACK {id} {foe}")
            }
            Some((foe, seen)) if view.wait != Wait::Moves && shoots(rules, unit, seen.at) => {
                format!("# SHOOT {id} {foe}")
            }
            Some((_, seen)) if view.wait != Wait::Combat && seen.at.distance(unit.at) > 1 => {
                match beside(&ways, &taken, unit, seen.at) {
                    Some((to, is_near)) => {
                        attacks = is_near && view.wait == Wait::Orders;
                        taken.insert(to);
                        format!("# MOVE {id} TO {to}")
                    }
                    None if view.wait == Wait::Moves => format!("# HIDE {id}"),
                    None => format!("# DEFEND {id}"),
                }
            }
            Some(_) if view.wait == Wait::Moves => format!("# FLEE {id} TO"),
            None if view.wait != Wait::Combat => format!("# HIDE {id}"),
            _ => format!("# DEFEND {id}"),
        };
        let who = words::fighters(rules.numbers(), &unit.sorts);
        lines.push(format!("{order:<28} # {who} in {}", unit.at));
        if attacks {
            lines.push(format!("{:<28} # whoever is next to it then", format!("# ATTACK {id}")));
        }
    }
    if view.wait != Wait::Moves {
        lines.push("# IF ATTACKED DEFEND         # or KEEP; names of units, or all; it stands".to_owned());
    }
    lines
}

/// Whether a unit can shoot as far as this hex.
fn shoots(rules: &Dog, unit: &OwnUnit, at: Hex) -> bool {
    let scale = rules.battle().scale;
    scores::volley_force(rules.numbers(), scale, &unit.sorts, &unit.shots, unit.at.distance(at)) > 0
}

/// The free hex next to an enemy to which a unit has the shortest way. If all reachable hexes are taken, the enemy's own hex: the march then stops
/// before it. Also whether the unit arrives this round, if nobody bars the way. `None` if there is no way.
fn beside(ways: &Ways<'_>, taken: &BTreeSet<Hex>, unit: &OwnUnit, foe: Hex) -> Option<(Hex, bool)> {
    let mut reached = false;
    let free = |hex: Hex| {
        let beside = hex.distance(foe) == 1;
        reached |= beside;
        beside && !taken.contains(&hex)
    };
    let way = ways.cheapest(&unit.sorts, unit.aboard, unit.at, free);
    let Some((way, to)) = way.and_then(|way| way.last().copied().map(|to| (way, to))) else {
        return reached.then_some((foe, false));
    };
    let steps = std::iter::once(&unit.at).chain(&way).zip(&way);
    let costs = steps.filter_map(|(from, to)| ways.step(&unit.sorts, unit.aboard, *from, *to).ok());
    let points = scores::points(ways.rules.numbers(), &unit.sorts, unit.aboard);
    Some((to, costs.map(u32::from).sum::<u32>() <= u32::from(points)))
}
