//! The order form of a dispatch: every own unit with an example to edit, as comments.

use super::data::Dog;
use super::read::basis;
use super::roster::Roster;
use super::view::{View, Wait};
use super::words;

/// The form, without its frame. Sent back as it is, it orders nothing.
#[must_use]
pub fn form(rules: &Dog, view: &View) -> Vec<String> {
    let mut lines = vec!["# Take away a # to give an order; write your own between the lines.".to_owned()];
    match view.wait {
        Wait::Founding | Wait::Over => return Vec::new(),
        Wait::SetUp => lines.extend(records(rules, view)),
        Wait::Orders | Wait::Moves | Wait::Combat => lines.extend(orders(rules, view)),
    }
    for line in &mut lines {
        if line.chars().count() > 78 {
            *line = line.chars().take(75).chain("...".chars()).collect();
        }
    }
    lines
}

/// The units to be placed or hired.
fn records(rules: &Dog, view: &View) -> Vec<String> {
    let Some(army) = view.army.map(|army| rules.battle().army(army)) else { return Vec::new() };
    let numbers = rules.numbers();
    let roster = Roster::of(rules, army, basis(view));
    let mut lines = Vec::new();
    if let Some(money) = roster.money() {
        lines.push(format!("# You have {money} to spend and a leadership of {}.", view.leadership));
        lines.push(format!("# UNIT 1 {} AT 0101", example(rules, army)));
    }
    for unit in roster.finish() {
        let hidden = if unit.hidden { " HIDDEN" } else { "" };
        let order = format!("# UNIT {} AT {}{hidden}", unit.unit.number, unit.at);
        lines.push(format!("{order:<28} # {}", words::fighters(numbers, &unit.sorts)));
    }
    lines
}

/// Somebody to hire, as an example.
fn example(rules: &Dog, army: &super::battle::Army) -> String {
    let numbers = rules.numbers();
    let cheap = army.hires.iter().min_by_key(|troop| numbers.troop(**troop).hire);
    cheap.map_or_else(String::new, |troop| format!("10 {}", numbers.troop(*troop).name))
}

/// A line for every unit.
fn orders(rules: &Dog, view: &View) -> Vec<String> {
    let numbers = rules.numbers();
    let mut lines = Vec::new();
    for (id, unit) in view.own.iter().filter(|(_, unit)| unit.captive.is_none()) {
        let beside = view.others.iter().find(|(other, foe)| {
            foe.captive.is_none() && foe.at.distance(unit.at) == 1 && rules.battle().hostile(*id, **other)
        });
        let verb = match (view.wait, beside) {
            (Wait::Moves, Some(_)) => format!("# MOVE {id} TO {}", unit.at),
            (_, Some((foe, _))) => format!("# ATTACK {id} {foe}"),
            (Wait::Combat, None) => format!("# DEFEND {id}"),
            (_, None) => format!("# MOVE {id} TO {}", unit.at),
        };
        lines.push(format!("{verb:<28} # {}", words::fighters(numbers, &unit.sorts)));
    }
    lines.push(
        "# IF ATTACKED DEFEND          # or KEEP, for all units or for those named: stands until changed"
            .to_owned(),
    );
    lines
}
