//! Where a game stands: so that a mail which was decided at one point of its course is never taken for another turn's, when the
//! game has to be played anew from an older journal.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::Campaign;
use musterd_dice::Digest;

/// A point in the course of a game. Equal to another only where everything before it was adjudicated and amended alike, at
/// whatever time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Juncture {
    /// The adjudication that is open, or was closed or ran last.
    pub t: u32,
    /// How far it is.
    pub phase: Phase,
    /// The end of the chain of what made the position.
    pub course: Digest,
}

/// How far an adjudication is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Its orders are taken.
    Open,
    /// They are closed, and its dice wait for the public beacon.
    Closed,
    /// It has run, and the next is not open.
    Ran,
    /// The game is over.
    Over,
}

impl Juncture {
    /// Whether a game comes to this point before it comes to `other`; equal also where two courses of a game come to the same
    /// turn.
    #[must_use]
    pub fn order(&self, other: &Self) -> Ordering {
        (self.t, self.phase).cmp(&(other.t, other.phase))
    }
}

impl Campaign {
    /// Where the game stands.
    #[must_use]
    pub fn juncture(&self) -> Juncture {
        let (t, phase) = match (&self.window, &self.closed) {
            (Some(window), _) => (window.t, Phase::Open),
            (None, Some(closed)) => (closed.t, Phase::Closed),
            (None, None) if self.results.is_some() => (self.next_t, Phase::Over),
            (None, None) => (self.next_t - 1, Phase::Ran),
        };
        Juncture { t, phase, course: self.course.head() }
    }
}
