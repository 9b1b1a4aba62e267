//! How long to wait before trying again.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

/// Waits that double from try to try up to a limit. Each is shortened by up to a half, differently for each seed, so that clients that lost a server
/// together do not come back together.
#[derive(Debug, Clone)]
pub struct Backoff {
    first: Duration,
    most: Duration,
    seed: u64,
    tries: u32,
}

impl Backoff {
    /// `first` is the first wait, `most` the longest one; `seed` makes this client's waits differ from others'.
    pub fn new(first: Duration, most: Duration, seed: u64) -> Self {
        Self { first, most, seed, tries: 0 }
    }

    /// The wait after one more failure.
    pub fn after_failure(&mut self) -> Duration {
        let whole =
            self.first.saturating_mul(1_u32.checked_shl(self.tries).unwrap_or(u32::MAX)).min(self.most);
        self.tries = self.tries.saturating_add(1).min(31);
        #[expect(clippy::expect_used, reason = "a remainder of 501")]
        let per_mille = 500 + u32::try_from(scatter(self.seed, self.tries) % 501).expect("at most 500");
        whole / 1000 * per_mille
    }

    /// The try succeeded: the next failure counts as the first one.
    pub fn reset(&mut self) {
        self.tries = 0;
    }
}

/// A number that scatters waits. It may differ from build to build.
fn scatter(seed: u64, step: u32) -> u64 {
    let mut hasher = DefaultHasher::new();
    (seed, step).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_to_the_limit_and_start_anew_after_success() {
        let (first, most) = (Duration::from_secs(1), Duration::from_secs(60));
        let mut backoff = Backoff::new(first, most, 7);
        let waits: Vec<Duration> = (0..40).map(|_| backoff.after_failure()).collect();
        for (n, wait) in waits.iter().enumerate() {
            let whole = first * 2_u32.pow(u32::try_from(n.min(6)).unwrap());
            let whole = whole.min(most);
            assert!(*wait >= whole / 2 && *wait <= whole, "{n}: {wait:?}");
        }
        backoff.reset();
        assert!(backoff.after_failure() <= first);
    }

    #[test]
    fn two_clients_wait_differently_and_one_seed_always_the_same() {
        let waits = |seed| {
            let mut backoff = Backoff::new(Duration::from_secs(8), Duration::from_secs(600), seed);
            (0..8).map(|_| backoff.after_failure()).collect::<Vec<_>>()
        };
        assert_eq!(waits(1), waits(1));
        assert_ne!(waits(1), waits(2));
    }
}
