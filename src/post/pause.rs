//! The system's clock, for network purposes only, and pauses before things that must not be repeated at once: a refused login, an unreachable relay.

use std::time::{Duration, Instant, SystemTime};

use super::Backoff;

#[expect(clippy::disallowed_methods, reason = "measures the network's patience, decides nothing in a game")]
pub(super) fn now() -> Instant {
    Instant::now()
}

/// Seconds since 1970 UTC, for a message whose mailbox can't say when it arrived.
#[expect(clippy::disallowed_methods, reason = "stands in for a mailbox's clock")]
pub(super) fn this_second() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// Pauses that grow from failure to failure. Servers lock accounts and ban addresses after repeated wrong passwords.
#[derive(Debug)]
pub(super) struct Pause {
    backoff: Backoff,
    until: Option<Instant>,
}

impl Pause {
    /// `first` is the first pause, `most` the longest; each is shortened by up to a half.
    pub(super) fn new(first: Duration, most: Duration) -> Self {
        Self { backoff: Backoff::new(first, most, u64::from(std::process::id())), until: None }
    }

    /// The pause after a refused login at a server with this timeout: a minute to an hour for a timeout of a minute.
    pub(super) fn after_login(timeout: Duration) -> Self {
        Self::new(timeout, timeout * 60)
    }

    /// Whether it is still too early to try again.
    pub(super) fn lasts(&self) -> bool {
        self.until.is_some_and(|until| now() < until)
    }

    /// Notes a failure. If a pause is already running, the failure belongs to an attempt from before it, and doesn't extend it.
    pub(super) fn begin(&mut self) {
        if !self.lasts() {
            self.until = Some(now() + self.backoff.after_failure());
        }
    }

    /// Notes a success.
    pub(super) fn end(&mut self) {
        self.until = None;
        self.backoff.reset();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_begins_with_a_failure_and_ends_with_success() {
        let hour = Duration::from_secs(3600);
        let mut pause = Pause::new(hour, hour);
        assert!(!pause.lasts());
        pause.begin();
        let until = pause.until;
        pause.begin();
        assert!(pause.lasts() && pause.until == until, "four that fail at once are one failure");
        pause.end();
        assert!(!pause.lasts());
        let mut over = Pause::new(Duration::ZERO, Duration::ZERO);
        over.begin();
        assert!(!over.lasts());
    }
}
