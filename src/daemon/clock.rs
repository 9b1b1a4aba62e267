//! The only place that asks the system for the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Timestamp;

/// Where the daemon gets the time from.
#[derive(Debug, Clone)]
pub enum Clock {
    /// The system's clock.
    System,
    /// A clock that somebody sets: `--now`, and the simulator. Mail arrives when this clock says.
    Set(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands at this instant until it is set.
    #[must_use]
    pub fn at(unix: i64) -> Self {
        Self::Set(Arc::new(AtomicI64::new(unix)))
    }

    /// Now, unix seconds.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this is where time enters the program")]
    pub fn now(&self) -> i64 {
        match self {
            Self::System => Timestamp::now().as_second(),
            Self::Set(unix) => unix.load(Ordering::SeqCst),
        }
    }

    /// Whether the time is set by somebody: a reproducible run.
    #[must_use]
    pub fn is_set(&self) -> bool {
        matches!(self, Self::Set(_))
    }

    /// Sets a settable clock forward or back; the system's clock stays as it is.
    pub fn set(&self, unix: i64) {
        if let Self::Set(now) = self {
            now.store(unix, Ordering::SeqCst);
        }
    }

    /// When a message counts as arrived: as its mailbox says, or now where the clock is set.
    #[must_use]
    pub fn arrival(&self, by_mailbox: i64) -> i64 {
        if self.is_set() { self.now() } else { by_mailbox }
    }
}
