//! Positions for the tests of this ruleset: a scenario's opening, as a seat of each side sees it.

use super::data::{Lga, shipped};
use super::model::Side;
use super::view::View;
use crate::engine::Ruleset;

/// A shipped scenario, one seat a side.
pub(super) fn rules(scenario: &str) -> Lga {
    Lga::from_files(&shipped(scenario).unwrap(), &[]).unwrap()
}

/// What the seat of `side` sees at the start, with the turn its own.
pub(super) fn opening(rules: &Lga, side: Side) -> View {
    let seat = side.to_string().to_lowercase().parse().unwrap();
    View { phasing: Some(side), ..rules.view(&rules.found(), &seat) }
}
