//! Finds the part of a journal that belongs to a turn that has run, to make its report again.

use super::taken_back::TakenBack;
use musterd_engine::journal::{Cause, Entry};

/// A turn that has run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PastTurn {
    /// The adjudication.
    pub t: u32,
    /// The number of entries up to the window that followed the turn, in its counting version.
    pub upto: usize,
    /// Whether it was rolled back: then the report is the one that was sent when it ran.
    pub void: bool,
}

/// The turn with this number or name, if it has run. Of several with one name, a turn that counts is preferred to one that was rolled back, and a
/// later to an earlier one. A turn that ran again is reported as it ran last.
pub fn past_turn(entries: &[Entry], turn: &str) -> Option<PastTurn> {
    let all: Vec<&Entry> = entries.iter().collect();
    let taken_back = TakenBack::of(&all);
    let number: Option<u32> = turn.parse().ok();
    let mut named = None;
    let mut found = None;
    for (index, entry) in entries.iter().enumerate() {
        match &entry.cause {
            Cause::Opened { t, name, .. } => named = (name.as_str() == turn).then_some(*t),
            Cause::Adjudicated { t, .. } if number == Some(*t) || named == Some(*t) => {
                let void = taken_back.is_void(*t);
                if !void || found.is_none_or(|(_, _, was_void)| was_void) {
                    found = Some((index, *t, void));
                }
            }
            _ => {}
        }
    }
    let (ran, t, void) = found?;
    // Up to the next turn: this one's dispatches may have waited for the GM, and it may have run again.
    let rest = entries.get(ran + 1..).unwrap_or_default();
    let follows =
        |entry: &Entry| matches!(entry.cause, Cause::Opened { .. }) || entry.cause.results().is_some();
    // A reroll changed the turn's result, and opened another window.
    let anew = |entry: &Entry| matches!(&entry.cause, Cause::Rerolled(reroll) if reroll.of == t);
    if let Some(anew) = rest.iter().position(anew) {
        let told = rest.iter().skip(anew).position(follows);
        return Some(PastTurn { t, upto: ran + 1 + told.map_or(rest.len(), |at| anew + at + 1), void });
    }
    let next =
        rest.iter().position(|entry| matches!(entry.cause, Cause::Closed { .. } | Cause::RolledBack { .. }));
    let rest = rest.get(..next.unwrap_or(rest.len())).unwrap_or_default();
    let again = |entry: &Entry| matches!(entry.cause, Cause::Rerun { t: other, .. } if other == t);
    let told = rest.iter().position(follows).max(rest.iter().rposition(again));
    Some(PastTurn { t, upto: ran + 1 + told.map_or(rest.len(), |at| at + 1), void })
}
