//! The point that a game has reached. A mail that was decided at one point must never be applied to another turn when the game has to be played again
//! from an older journal.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::Campaign;
use musterd_dice::Digest;

/// A point in the course of a game. It equals another only if everything before it was adjudicated and amended in the same way; times don't matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Juncture {
    /// The adjudication that is open, or was closed or ran last.
    pub t: u32,
    /// The phase of that adjudication.
    pub phase: Phase,
    /// The end of the chain of the log lines that led to the position.
    pub course: Digest,
}

/// The phases of an adjudication.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Its orders are taken.
    Open,
    /// Its orders are closed, and its dice wait for the public beacon.
    Closed,
    /// It has run, and the next window is not open.
    Ran,
    /// The game is over.
    Over,
}

impl Juncture {
    /// Whether a game reaches this point before `other`. Equal also if two courses of a game have reached the same turn.
    pub fn order(&self, other: &Self) -> Ordering {
        (self.t, self.phase).cmp(&(other.t, other.phase))
    }
}

impl Campaign {
    /// The point that the game has reached.
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
