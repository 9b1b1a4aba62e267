//! Positions, and the events that change them.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// What can be folded: positions of one game, and the events that lead from one to the next.
///
/// `State` has no `Debug` and no `Serialize`: it leaves a table only through [`Ruleset::view`](super::Ruleset::view) and
/// [`Ruleset::witness`](super::Ruleset::witness).
pub trait Fold {
    /// Everything there is to know about the position, hidden things too.
    type State: Clone + Send + Sync;
    /// One change of the position, with its outcome: folding needs no dice and no rules.
    type Event: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send;

    /// Makes one event so. No dice, no rules, can't fail.
    fn apply(&self, state: &mut Self::State, event: &Self::Event);
}
