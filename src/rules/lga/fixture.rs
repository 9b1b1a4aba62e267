//! Positions for the tests of this ruleset: a scenario's opening, as a seat of each side sees it.

use super::data::{Lga, shipped};
use super::model::Side;
use super::view::View;
use musterd_engine::Ruleset;

/// A shipped scenario, one seat a side.
pub(super) fn rules(scenario: &str) -> Lga {
    Lga::from_files(&shipped(scenario).unwrap(), &[]).unwrap()
}

/// What the seat of `side` sees at the start, with the turn its own.
pub(super) fn opening(rules: &Lga, side: Side) -> View {
    let seat = side.to_string().to_lowercase().parse().unwrap();
    View { phasing: Some(side), ..rules.view(&rules.found(), &seat) }
}

/// What the seat of `side` sees of a position given outright, as the cases give it.
pub(super) fn position(rules: &Lga, side: Side, given: &str) -> View {
    let seat = side.to_string().to_lowercase().parse().unwrap();
    rules.view(&rules.set_up(&serde_yaml::from_str(given).unwrap()).unwrap(), &seat)
}

/// A nation of the shipped setting.
pub(super) fn nation(word: &str) -> super::model::Nation {
    super::model::Nation::of(word).unwrap()
}
