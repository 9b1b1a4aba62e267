//! Which orders a commander can give in his battle.

use musterd_engine::hex::Hex;

use super::forms::Verb;
use crate::data::Sa;
use crate::deed;
use crate::model::{Spell, UnitId, Way};
use crate::order::Act;
use crate::state::Phase;
use crate::view::View;

/// Whether units are deployed now.
pub(crate) fn deploys(rules: &Sa, view: &View) -> bool {
    let zone = view.side.is_some_and(|side| !rules.battle().army(side).zone.is_empty());
    zone && matches!(view.phase, Phase::Initial(_))
}

/// Whether orders of this kind can be given now.
pub(super) fn is_offered(rules: &Sa, view: &View, verb: Verb) -> bool {
    match verb {
        Verb::Deploy => deploys(rules, view),
        _ if never(rules, view, verb).is_some() => false,
        _ if least(verb).is_none() => true,
        _ => view.own.iter().any(|id| is_able(rules, view, *id, verb)),
    }
}

/// Whether a unit can ever be ordered so.
pub(super) fn is_able(rules: &Sa, view: &View, id: UnitId, verb: Verb) -> bool {
    let never = |act| deed::never(rules, &view.position, view.real, rules.battle().place(id), act);
    least(verb).is_none_or(|act| never(act).is_none())
}

/// What a unit can do at least that can ever be ordered so, of the orders that are not for every unit.
fn least(verb: Verb) -> Option<Act> {
    match verb {
        Verb::Fire => Some(Act::FireAt(Hex::new(1, 1))),
        Verb::Cast => Some(Act::Cast(Spell::Blade, 1)),
        Verb::Replicate => Some(Act::Liken(Way::ALL[0])),
        Verb::Leave => Some(Act::Leave),
        _ => None,
    }
}

/// Why orders of this kind are never given by this side in this battle.
pub(super) fn never(rules: &Sa, view: &View, verb: Verb) -> Option<&'static str> {
    let battle = rules.battle();
    let side = view.side?;
    let has = |of: usize| battle.sides[of].magic > 0 || view.position.magic[of] > 0;
    match (verb, battle.hunt) {
        (Verb::Cast, _) if !has(0) && !has(1) => Some("There is no magic in this battle."),
        (Verb::Cast, _) if !has(side.index()) => Some("Your army has no magic in this battle."),
        (Verb::Replicate, None) => Some("There is no wizard in this battle."),
        (Verb::Leave, None) => Some("Nobody leaves the field in this battle."),
        (Verb::Replicate, Some(hunt)) if hunt.side != side => Some("The wizard is not in your army."),
        (Verb::Leave, Some(hunt)) if hunt.side != side => {
            Some("None of your army leaves the field in this battle.")
        }
        (Verb::Leave, Some(hunt)) if hunt.leaves >= battle.nightfall => {
            Some("Night falls before the wizard may leave the field in this battle.")
        }
        _ => None,
    }
}
