//! The report for observers of the campaign. It leaves out the commander's intentions, and the garrisons that have not moved since (ruling LGA-80).
//! What a side saw of others is in the reports of those others.

use std::collections::BTreeSet;

use super::brief;
use super::data::Lga;
use super::model::UnitId;
use super::sight::Sight;
use super::view::{OwnUnit, View};
use musterd_engine::briefing::Briefing;

/// The garrisons of a side, each with its place: the enemy doesn't see them.
pub(super) fn concealed(_: &Lga, view: &View) -> BTreeSet<String> {
    view.own.values().filter(|unit| unit.garrison).map(named).collect()
}

fn named(unit: &OwnUnit) -> String {
    format!("{} {}", unit.id, unit.hex)
}

/// A seat's report without its standing orders, and without events caused by them unless the position shows them; without the garrisons in `hidden`;
/// without numbers that include these (its strengths so far, and the pool of units
/// that are not on the map), and without what it remembers of others, who may lie hidden where they were seen.
pub(super) fn shown(rules: &Lga, view: &View, sights: &[Sight], hidden: &BTreeSet<String>) -> Briefing {
    let lies_there = |unit: &&OwnUnit| unit.garrison && hidden.contains(&named(unit));
    let gone: BTreeSet<UnitId> = view.own.values().filter(lies_there).map(|unit| unit.id).collect();
    let mut view = View { standing: Vec::new(), ..view.clone() };
    view.own.retain(|id, _| !gone.contains(id));
    view.stacks.values_mut().for_each(|stack| stack.retain(|id| !gone.contains(id)));
    view.stacks.retain(|_, stack| !stack.is_empty());
    view.record.strengths.clear();
    view.forget();
    let sights: Vec<Sight> = sights.iter().filter_map(|sight| told(sight, &gone)).collect();
    brief::shown(rules, &view, &sights)
}

/// The part of a sight that observers may see, to whom some own units are hidden.
fn told(sight: &Sight, hidden: &BTreeSet<UnitId>) -> Option<Sight> {
    match sight {
        // These reveal orders, or the results of standing orders.
        Sight::NotDone { .. } | Sight::StandingFiled { .. } | Sight::Topped { .. } => None,
        // An enemy that was seen on the march reveals the position of the unit that saw it.
        Sight::Moved { own: false, .. } | Sight::Withdrew { own: false, .. } => None,
        Sight::Reinforced { own, arrived, .. } if !own || !arrived => None,
        Sight::OutOfSupply { unit, .. }
        | Sight::Mustered { unit, .. }
        | Sight::Built { unit, .. }
        | Sight::Rallied { unit, .. }
        | Sight::Moved { unit, .. }
        | Sight::Fogged { unit, .. }
        | Sight::LongMarch { unit, .. }
        | Sight::Garrisoned { unit, .. }
        | Sight::Starved { unit, .. }
        | Sight::Besieged { unit, .. } => (!hidden.contains(&unit.id)).then(|| sight.clone()),
        Sight::Reinforced { unit, .. } | Sight::Withdrew { unit, .. } => {
            let mut told = sight.clone();
            if let Sight::Reinforced { because, .. } | Sight::Withdrew { because, .. } = &mut told {
                because.clear();
            }
            (!hidden.contains(&unit.id)).then_some(told)
        }
        // Both sides know of a fight.
        Sight::Attacked { .. }
        | Sight::TurnBegan { .. }
        | Sight::Counted { .. }
        | Sight::Allocated { .. }
        | Sight::Aided { .. }
        | Sight::Special { .. }
        | Sight::Ended { .. } => Some(sight.clone()),
    }
}
