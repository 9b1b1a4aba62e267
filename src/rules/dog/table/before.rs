//! What is said before a throw: who strikes whom, by which sum, what each die does, what is odd, and what was taken for granted.

use super::Sitting;
use super::keep::Tabletop;
use super::line::Named;
use super::throw::{Blow, Striker, Struck, Throw, striker};
use super::unit::KeptUnit;
use crate::model::{Ground, UnitId};
use crate::odds::Fighters;
use crate::scores;
use crate::words::{self, behind};
use musterd_engine::briefing::Fact;
use musterd_kit::lists::{joined, listed};
use musterd_text::nouns::counted;

/// What is said before a throw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Before {
    /// Who, whom, the sums, and what each die does.
    pub facts: Vec<Fact>,
    /// Reasons not to throw; the umpire decides.
    pub warnings: Vec<String>,
}

/// What is said before a throw at a table that keeps this.
pub fn before(rules: &Sitting, table: &Tabletop, named: &Named) -> Before {
    let mut facts: Vec<Fact> = [named.by, named.on]
        .into_iter()
        .flatten()
        .filter_map(|id| Some(Fact::of(id.to_string(), unit_in_words(rules, table.units.get(&id)?))))
        .collect();
    match &named.throw {
        Throw::Strike { way, by, on } => {
            let defends = *way == Blow::Retaliation;
            facts.extend(blow(
                rules,
                by,
                on.as_ref(),
                by.force(&rules.numbers, rules.switches, *way),
                ("Force", defends),
            ));
            if let (Blow::Exchange, Striker::Fighters(us), Some(Struck::Fighters(them))) = (way, by, on) {
                let answer = Striker::Fighters(them.clone());
                let force = answer.force(&rules.numbers, rules.switches, Blow::Retaliation);
                let back = Struck::Fighters(us.clone());
                facts.extend(blow(rules, &answer, Some(&back), force, ("Retaliation", true)));
            }
        }
        Throw::Volley { by, on, hexes } => {
            facts.extend(blow(
                rules,
                by,
                on.as_ref(),
                by.volley(&rules.numbers, rules.house.scale, *hexes),
                ("Force", false),
            ));
        }
        Throw::Search { hidden, searcher } => {
            let (_, _, chance) = rules.search(hidden, searcher.as_deref());
            facts.push(Fact::of("Found", format!("by {} of 6 faces", chance.clamp(1, 6))));
        }
        Throw::Initiative { .. } => {}
    }
    facts.extend(granted(table, named).into_iter().map(|text| Fact::of("Granted", text)));
    Before { facts, warnings: warnings(table, named) }
}

/// A unit as the table keeps it: `18 of 20 heavy infantry in forest at 0301, hidden`.
pub fn unit_in_words(rules: &Sitting, unit: &KeptUnit) -> String {
    let numbers = &rules.numbers;
    let each = unit.sorts.iter().zip(&unit.began).map(|(sort, began)| match sort.fighters == *began {
        true => words::counted(numbers, sort),
        false => format!("{} of {began} {}", sort.fighters, words::sort_name(numbers, sort)),
    });
    let mut text = listed(each);
    text.push_str(&behind(" in ", Some(unit.ground).filter(|ground| *ground != Ground::OPEN)));
    text.push_str(&behind(" at ", Some(&unit.place).filter(|place| !place.is_empty())));
    let arms =
        unit.sorts.iter().zip(&unit.shots).filter(|(sort, _)| scores::distance(numbers, sort).is_some());
    let shots = joined(arms.map(|(_, shots)| shots), " and ");
    if !shots.is_empty() {
        let all: u32 = unit.shots.iter().map(|shots| u32::from(*shots)).sum();
        let word = if all == 1 { "shot" } else { "shots" };
        text.push_str(&format!(", {shots} {word} left"));
    }
    let states = [
        (unit.hidden, "hidden"),
        (unit.routed, "routed"),
        (unit.left() == 0, "nobody left"),
        (unit.acted, "has struck"),
    ];
    for (_, state) in states.into_iter().filter(|(is, _)| *is) {
        text.push_str(&format!(", {state}"));
    }
    text
}

/// The sum of a strike, and what each die of it does.
fn blow(
    rules: &Sitting,
    by: &Striker,
    on: Option<&Struck>,
    force: u32,
    (title, defends): (&'static str, bool),
) -> Vec<Fact> {
    if force == 0 {
        return vec![Fact::of(title, format!("none: {} can't", striker(&rules.numbers, by)))];
    }
    let mut facts = vec![Fact::of(title, format!("{force}; a tenth, rounded up, is {}", force.div_ceil(10)))];
    if let Striker::Fighters(fighters) = by {
        facts.extend(modifier(rules, fighters, defends).map(|text| Fact::of("Ground", text)));
    }
    for (dice, die) in [("1 or 2", 1), ("3 or 4", 3), ("5 or 6", 5)] {
        let damage = scores::damage(rules.switches, force, die);
        let points = counted(damage, "hit point", "hit points");
        let fallen = on.map(|on| {
            let toll = on.toll(&rules.numbers, damage);
            let [dead, left] =
                [&toll.killed, &toll.left].map(|all| all.iter().map(|n| u32::from(*n)).sum::<u32>());
            format!("{dead} of {} fall", dead + left)
        });
        facts.push(Fact::of(
            dice,
            fallen.map_or_else(|| points.clone(), |fallen| format!("{points}: {fallen}")),
        ));
    }
    facts
}

/// What the ground does to a force, where it does anything.
fn modifier(rules: &Sitting, fighters: &Fighters, defends: bool) -> Option<String> {
    let force = |ground| {
        let way = if defends { Blow::Retaliation } else { Blow::Attack };
        Striker::Fighters(Fighters { ground, ..fighters.clone() }).force(&rules.numbers, rules.switches, way)
    };
    let (open, here) = (force(Ground::OPEN), force(fighters.ground));
    let what = if defends { "defence" } else { "attack" };
    (open != here)
        .then(|| format!("{} makes the {what} {here}, which is {open} in the open", fighters.ground))
}

/// What the table did not say, and the throw takes as it usually is.
fn granted(table: &Tabletop, named: &Named) -> Vec<String> {
    let on_open = |id: &UnitId| table.units.get(id).is_some_and(|unit| !unit.ground_said);
    let unsaid: Vec<UnitId> = [named.by, named.on].into_iter().flatten().filter(on_open).collect();
    let stand = if unsaid.len() == 1 { "stands" } else { "stand" };
    let near = matches!(named.throw, Throw::Volley { hexes: None, .. }) && named.names_units();
    let alone = matches!(named.throw, Throw::Strike { way: Blow::Attack, on: Some(_), .. });
    let granted = [
        (!unsaid.is_empty()).then(|| format!("{} {stand} in the open: no ground was said", listed(&unsaid))),
        near.then(|| "from one hex: no RANGE was said".to_owned()),
        (alone && named.on.is_some()).then(|| "no retaliation: EXCHANGE throws for both".to_owned()),
    ];
    granted.into_iter().flatten().collect()
}

/// Reasons not to throw.
fn warnings(table: &Tabletop, named: &Named) -> Vec<String> {
    let unit = |id: Option<UnitId>| id.and_then(|id| table.units.get(&id).map(|unit| (id, unit)));
    let mut warnings = Vec::new();
    let retaliates = matches!(named.throw, Throw::Strike { way: Blow::Retaliation, .. });
    let searches = matches!(named.throw, Throw::Search { .. });
    if let Some((id, unit)) = unit(named.by).filter(|_| !searches) {
        if unit.acted && !retaliates {
            warnings.push(format!("{id} has attacked or shot already in this phase"));
        }
        if unit.routed {
            warnings.push(format!("{id} is routed"));
        }
        if matches!(named.throw, Throw::Volley { .. }) && unit.shooters().sorts.is_empty() {
            warnings.push(format!("{id} is out of shots"));
        }
    }
    match unit(named.on) {
        Some((id, unit)) if searches && !unit.hidden => warnings.push(format!("{id} isn't hidden")),
        Some((id, unit)) if !searches && unit.hidden => {
            warnings.push(format!("{id} is hidden: who strikes it has to find it first, search {id}"));
        }
        _ => {}
    }
    if let (Some(by), Some(on)) = (named.by, named.on)
        && by.army == on.army
    {
        warnings.push(format!("{by} and {on} are of one army"));
    }
    warnings
}
