//! The bounds of what a log may say (dice.md, "The log"): every verifier has the same, so that all say the same of a forged one.

use crate::beacon::BeaconPolicy;
use crate::entry::LogEntry;
use crate::label::Label;
use crate::natural::{LARGEST, natural};

/// The latest instant, and the longest time, in seconds: ten digits, until the year 2286.
const LATEST: u64 = 9_999_999_999;
/// The most slots of a game.
const MOST_SEATS: usize = 64;

/// Whether an entry keeps to the bounds.
///
/// # Errors
/// Names what doesn't.
pub(super) fn keeps(entry: &LogEntry) -> Result<(), &'static str> {
    let (numbers, instants): (&[u32], &[u64]) = match entry {
        LogEntry::Game { seats, house, beacon, .. } => {
            if seats.is_empty() || seats.len() > MOST_SEATS || !house.is_subset(seats) {
                return Err("a game has 1 to 64 slots, and those of the house are among them");
            }
            return match beacon {
                Some(BeaconPolicy { genesis, period, delay, .. }) => in_time(&[*genesis, *period, *delay]),
                None => Ok(()),
            };
        }
        LogEntry::Open { t, deadline, .. } => (&[*t], &[deadline.unwrap_or_default()]),
        LogEntry::Deadline { t, at } => (&[*t], &[*at]),
        LogEntry::Reroll { t, label } => {
            let of = label.as_str().split('/').next().and_then(natural);
            if !of.is_some_and(|of| label.is_of(of)) {
                return Err("the label of a reroll is t/phase/kind/subject/seq");
            }
            (&[*t], &[])
        }
        LogEntry::Rerun { t, k, .. } => (&[*t, *k], &[]),
        LogEntry::Rollback { t, back } => (&[*t, *back], &[]),
        LogEntry::Seal { t, .. }
        | LogEntry::Recv { t, .. }
        | LogEntry::Close { t, .. }
        | LogEntry::Rolls { t, .. }
        | LogEntry::Gm { t, .. } => (&[*t], &[]),
        LogEntry::Note { .. } => (&[], &[]),
    };
    if numbers.iter().any(|number| !(1..=LARGEST).contains(number)) {
        return Err("t counts from 1, and has nine digits at most");
    }
    in_time(instants)
}

fn in_time(seconds: &[u64]) -> Result<(), &'static str> {
    let within = seconds.iter().all(|at| *at <= LATEST);
    if within { Ok(()) } else { Err("a time has ten digits at most") }
}

impl Label {
    /// Whether it is `t/phase/kind/subject/seq` of this adjudication.
    pub(super) fn is_of(&self, t: u32) -> bool {
        let parts: Vec<&str> = self.as_str().split('/').collect();
        parts.len() == 5 && parts.iter().all(|part| !part.is_empty()) && parts[0] == t.to_string()
    }
}
