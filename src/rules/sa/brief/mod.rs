//! Reports.

use std::collections::BTreeSet;

use musterd_engine::briefing::Briefing;

use crate::data::Sa;
use crate::sight::Sight;
use crate::state::State;
use crate::view::View;

/// The report to one seat.
pub(crate) fn brief(_rules: &Sa, _view: &View, _sights: &[Sight]) -> Briefing {
    Briefing::default()
}

/// The report to one seat, for observers.
pub(crate) fn shown(rules: &Sa, view: &View, sights: &[Sight], _hidden: &BTreeSet<String>) -> Briefing {
    brief(rules, view, sights)
}

/// The history of the battle.
pub(crate) fn history(rules: &Sa, view: &View) -> Briefing {
    brief(rules, view, &[])
}

/// Everything, for the GM.
pub(crate) fn overview(_rules: &Sa, _state: &State) -> Option<Briefing> {
    None
}
