//! Which orders a commander can give in his battle.

use super::forms::Verb;
use crate::data::Sa;
use crate::model::UnitId;
use crate::state::Phase;
use crate::view::View;

/// Whether units are deployed now.
pub(crate) fn deploys(rules: &Sa, view: &View) -> bool {
    let zone = view.side.is_some_and(|side| !rules.battle().army(side).zone.is_empty());
    zone && matches!(view.phase, Phase::Initial(_))
}

/// Whether orders of this kind can be given now.
pub(super) fn is_offered(rules: &Sa, view: &View, verb: Verb) -> bool {
    let casts = |id: &UnitId| rules.battle().spec(*id).casts;
    match verb {
        Verb::Deploy => deploys(rules, view),
        Verb::Cast => {
            view.own.iter().any(casts) && view.side.is_some_and(|side| view.position.magic[side.index()] > 0)
        }
        _ => never(rules, view, verb).is_none(),
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
        _ => None,
    }
}
