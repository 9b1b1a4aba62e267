//! The word that the program is to end, for whoever waits for a server meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the program is to end; by default it never is.
#[derive(Debug, Clone, Default)]
pub struct Stop(Option<Arc<AtomicBool>>);

impl Stop {
    /// It is to end once this is set.
    #[must_use]
    pub const fn when(set: Arc<AtomicBool>) -> Self {
        Self(Some(set))
    }

    /// Whether it is to end.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.as_ref().is_some_and(|set| set.load(Ordering::Relaxed))
    }

    /// Whether that may ever be.
    pub(super) const fn may_come(&self) -> bool {
        self.0.is_some()
    }
}
