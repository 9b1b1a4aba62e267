//! What a decision comes to, before it is committed.

use std::collections::BTreeSet;

use crate::books::decided::Decision;
use musterd_store::Step;

/// Steps that will be committed together.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) steps: Vec<Step>,
    /// The marks in them, for whoever asks before they are committed.
    pub(crate) seen: BTreeSet<String>,
    /// For which turn each of the mails was decided.
    pub(crate) decisions: Vec<Decision>,
}

impl Batch {
    /// Steps that mark nothing of which later ones of the same batch would have to know.
    pub(crate) fn of(steps: Vec<Step>) -> Self {
        Self { steps, ..Self::default() }
    }
}
