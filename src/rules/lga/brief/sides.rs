//! The reader's side, and those against it.

use crate::data::Lga;
use crate::model::{Nation, Side};
use crate::view::View;

/// Whether a nation fights for the reader's side.
pub(super) fn is_own(rules: &Lga, view: &View, nation: Nation) -> bool {
    rules.scenario.side_of(nation) == Some(view.side)
}

/// The sides against the reader's, in turn order.
pub(super) fn enemies<'a>(rules: &'a Lga, view: &'a View) -> impl Iterator<Item = Side> + 'a {
    rules.scenario.sides.iter().map(|spec| spec.side).filter(|side| *side != view.side)
}
