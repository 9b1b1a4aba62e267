//! Reports.

use std::collections::BTreeSet;

use musterd_engine::briefing::Briefing;

use crate::data::Acw;
use crate::sight::Sight;
use crate::state::State;
use crate::view::View;

pub(crate) fn brief(_: &Acw, _: &View, _: &[Sight]) -> Briefing {
    todo!()
}

pub(crate) fn overview(_: &Acw, _: &State) -> Option<Briefing> {
    todo!()
}

pub(crate) fn shown(_: &Acw, _: &View, _: &[Sight], _: &BTreeSet<String>) -> Briefing {
    todo!()
}

pub(crate) fn history(_: &Acw, _: &View) -> Briefing {
    todo!()
}
