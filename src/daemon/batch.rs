//! What a decision comes to, before it is committed.

use std::collections::BTreeSet;

use super::decided::Decision;
use musterd_store::Step;

/// Steps that will be committed together.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) steps: Vec<Step>,
    /// The marks in them, for whoever asks before they are committed.
    pub(super) seen: BTreeSet<String>,
    /// For which turn each of the mails was decided.
    pub(super) decisions: Vec<Decision>,
}

impl Batch {
    /// Steps that mark nothing of which later ones of the same batch would have to know.
    pub(super) fn of(steps: Vec<Step>) -> Self {
        Self { steps, ..Self::default() }
    }
}
