//! The end of the log, from which proofs are made.

use super::taken_back::TakenBack;
use musterd_dice::audit::Line;
use musterd_dice::{Chain, Digest, LogEntry};
use musterd_engine::journal::Cause;

/// A stretch of the log: from the close of an adjudication, or from its rerun, to the opening that followed with what changed
/// its deadline at once. That is what the head at the end of its dispatches stands on, and nothing in it came from a player.
#[derive(Debug, Clone, Default)]
pub(super) struct Tail {
    pub(super) from: u64,
    pub(super) before: Option<Digest>,
    pub(super) lines: Vec<Line>,
    pub(super) stage: Stage,
}

/// How far a [`Tail`] has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stage {
    /// Nothing has been adjudicated.
    #[default]
    Empty,
    /// The next window is not open yet.
    Waits,
    /// It is, and nothing else has happened since.
    Opened,
    /// It is whole.
    Whole,
}

impl Tail {
    /// A cause is about to enter the log, as the journal's entry of this index.
    pub(super) fn before(&mut self, cause: &Cause, chain: &Chain, taken_back: &TakenBack, index: u64) {
        if let Cause::Rerolled(_) = cause {
            // Its one roll is everybody's to see, once it is revealed.
            *self = Self::default();
            return;
        }
        let begins = match cause {
            Cause::Closed { t, .. } => !taken_back.is_void(*t),
            Cause::Rerun { .. } => !taken_back.is_superseded(index),
            _ => false,
        };
        if begins {
            let before = Some(chain.head());
            *self = Self { from: chain.next_index(), before, lines: Vec::new(), stage: Stage::Waits };
            return;
        }
        self.stage = match (self.stage, cause) {
            (Stage::Waits, Cause::Opened { .. } | Cause::Ended { .. }) => Stage::Opened,
            (Stage::Opened, Cause::Rescheduled { .. }) => Stage::Opened,
            (Stage::Opened, _) => Stage::Whole,
            (stage, _) => stage,
        };
    }

    /// A line has entered the log.
    pub(super) fn grow(&mut self, line: &LogEntry, hash: Digest) {
        if matches!(self.stage, Stage::Waits | Stage::Opened) {
            self.lines.push(Line::of(line, hash));
        }
    }
}
