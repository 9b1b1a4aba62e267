//! Positions, and the events that change them.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A game's positions, and the events that lead from one position to the next.
///
/// `State` has no `Debug` and no `Serialize`: it leaves a table only through [`Ruleset::view`](super::Ruleset::view) and
/// [`Ruleset::witness`](super::Ruleset::witness).
pub trait Fold {
    /// The whole position, including everything hidden.
    type State: Clone + Send + Sync;
    /// One change of the position, with its outcome: folding needs no dice and no rules.
    type Event: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send;

    /// Applies one event to the state. It needs no dice and no rules, and can't fail.
    fn apply(&self, state: &mut Self::State, event: &Self::Event);
}
