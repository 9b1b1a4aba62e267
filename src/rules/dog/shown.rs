//! The report for observers of the battle. It leaves out the leader's intentions and worth, and units that are still hidden, with everything that
//! only these could have seen (ruling DOG-51). What an army saw of others is in the reports of those others.

use std::collections::BTreeSet;

use super::brief;
use super::data::Dog;
use super::event::StanceReason;
use super::model::UnitId;
use super::order::IfAttacked;
use super::sight::{Named, SeenStrike, Sight, Sum};
use super::view::{OwnUnit, View};
use musterd_engine::briefing::Briefing;

/// The hidden units of an army.
pub(super) fn concealed(_: &Dog, view: &View) -> BTreeSet<String> {
    view.own.iter().filter(|(_, unit)| unit.hidden).map(|(id, _)| id.to_string()).collect()
}

/// A leader's report without these.
pub(super) fn shown(rules: &Dog, view: &View, sights: &[Sight], hidden: &BTreeSet<String>) -> Briefing {
    let lies_hidden = |id: &UnitId, was: bool| was && hidden.contains(&id.to_string());
    let own = view.own.iter().filter(|(id, unit)| lies_hidden(id, unit.hidden)).map(|(id, _)| *id);
    let allied = view.others.iter().filter(|(id, unit)| lies_hidden(id, unit.hidden)).map(|(id, _)| *id);
    let gone: BTreeSet<UnitId> = own.chain(allied).collect();
    let mut seen = View { if_attacked: IfAttacked::default(), waiting: Vec::new(), ..view.clone() };
    seen.remembered.clear();
    seen.counted.clear();
    seen.own.retain(|id, _| !gone.contains(id));
    seen.own.values_mut().for_each(|unit| *unit = OwnUnit { saved: None, ..unit.clone() });
    seen.others.retain(|id, _| !gone.contains(id));
    for (_, load) in &mut seen.boats {
        *load = load.filter(|load| !gone.contains(load));
    }
    let is_open = |sight: &&Sight| match sight {
        Sight::Split { part, .. } | Sight::Dismounted { part, .. } if gone.contains(part) => false,
        sight => !named(sight).iter().any(|unit| gone.contains(&unit.id)),
    };
    let sights: Vec<Sight> = sights.iter().filter(is_open).filter_map(for_watchers).collect();
    brief::shown(rules, &seen, &sights)
}

/// The part of a sight that observers may see: what the army's own units did and suffered, without what only a hidden neighbour could have counted.
fn for_watchers(sight: &Sight) -> Option<Sight> {
    Some(match sight {
        // These reveal orders, or the results of standing orders. A change by the GM, and a unit that stopped, may reveal a hidden unit.
        Sight::NotDone { .. }
        | Sight::Stopped { .. }
        | Sight::Saved { .. }
        | Sight::Clashed { .. }
        | Sight::Displaced { .. }
        | Sight::Stood { because: StanceReason::Attacked, .. }
        | Sight::Amended { .. }
        | Sight::Vanished { .. } => return None,
        Sight::Shot { strike, hexes } => Sight::Shot { strike: from_afar(strike)?, hexes: *hexes },
        // In melee each side counts those whom it fights.
        _ => {
            let named = named(sight);
            return (named.is_empty() || named.iter().any(|unit| unit.own)).then(|| sight.clone());
        }
    })
}

/// A volley as the shooters or the target know it without a neighbour's eyes: its force, or its effect. `None` if it is between others.
fn from_afar(strike: &SeenStrike) -> Option<SeenStrike> {
    let SeenStrike { sum, killed, .. } = strike;
    let (sum, killed) = match (strike.by.own, strike.on.own) {
        (true, _) => (sum.map(|sum| Sum { hp: None, left: None, ..sum }), None),
        (false, true) => (sum.map(|sum| Sum { force: None, die: None, damage: None, ..sum }), *killed),
        (false, false) => return None,
    };
    Some(SeenStrike { sum, killed, ..strike.clone() })
}

/// The units that a sight calls by name. Who strikes or is struck is to be seen.
fn named(sight: &Sight) -> Vec<&Named> {
    match sight {
        Sight::Searched { unit, .. }
        | Sight::Revealed { unit, .. }
        | Sight::Hid { unit, .. }
        | Sight::Vanished { unit, .. }
        | Sight::ObedienceTested { unit, .. }
        | Sight::Moved { unit, .. }
        | Sight::Saved { unit, .. }
        | Sight::Stopped { unit, .. }
        | Sight::Split { unit, .. }
        | Sight::Dismounted { unit, .. }
        | Sight::Boarded { unit, .. }
        | Sight::Landed { unit, .. }
        | Sight::Stood { unit, .. }
        | Sight::Freed { unit, .. }
        | Sight::Drowned { unit, .. } => vec![unit],
        Sight::Surrendered { unit, to, .. } => vec![unit, to],
        Sight::StruckFleeing { strike } | Sight::Exchanged { strike, .. } | Sight::Shot { strike, .. } => {
            vec![&strike.by, &strike.on]
        }
        Sight::SetUpBegan
        | Sight::Clashed { .. }
        | Sight::Displaced { .. }
        | Sight::InitiativeThrown { .. }
        | Sight::RoundBegan { .. }
        | Sight::NotDone { .. }
        | Sight::RoundEnded { .. }
        | Sight::Ended { .. }
        | Sight::Amended { .. } => Vec::new(),
    }
}
