//! The signal that the program is to end, for code that waits for a server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The signal that the program is to end. The default value never gives it.
#[derive(Debug, Clone, Default)]
pub struct Stop(Option<Arc<AtomicBool>>);

impl Stop {
    /// The signal is given once `set` is true.
    pub const fn when(set: Arc<AtomicBool>) -> Self {
        Self(Some(set))
    }

    /// Whether the program is to end.
    pub fn is_set(&self) -> bool {
        self.0.as_ref().is_some_and(|set| set.load(Ordering::Relaxed))
    }

    /// Whether the signal can ever be given.
    pub(super) const fn may_come(&self) -> bool {
        self.0.is_some()
    }
}
