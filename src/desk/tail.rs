//! The end of the log, from which proofs of a seat's own dice are made.

use super::taken_back::TakenBack;
use musterd_dice::audit::LogLine;
use musterd_dice::{Chain, Digest, LogEntry};
use musterd_engine::journal::Cause;

/// A part of the log: from the close of an adjudication, or from its rerun, to the opening that followed, including an immediate change of the new
/// deadline and what all were told. The head at the end of the adjudication's dispatches covers it, and no line of it came from a player.
#[derive(Debug, Clone, Default)]
pub(super) struct Tail {
    pub(super) from: u64,
    pub(super) before: Option<Digest>,
    pub(super) lines: Vec<LogLine>,
    pub(super) stage: Stage,
}

/// The progress of a [`Tail`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stage {
    /// Nothing has been adjudicated.
    #[default]
    Empty,
    /// The next window is not open yet.
    Waits,
    /// The next window is open, and nothing else has happened since.
    Opened,
    /// The tail is complete.
    Whole,
}

/// What a [`Tail`] is told of the campaign as a cause comes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    pub(super) opened: bool,
    pub(super) at_once: bool,
}

impl Tail {
    /// Must be called before a cause enters the log as the journal's entry with this index. `opened`: an adjudication's next window is open already,
    /// as when it runs again. `at_once`: the cause is a report that all get at once.
    pub(super) fn before(
        &mut self,
        (cause, index): (&Cause, u64),
        chain: &Chain,
        taken_back: &TakenBack,
        Moment { opened, at_once }: Moment,
    ) {
        if let Cause::Rerolled(_) = cause {
            // Everybody may see its one roll, once it is revealed.
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
            let stage = if opened { Stage::Opened } else { Stage::Waits };
            *self = Self { from: chain.next_index(), before, lines: Vec::new(), stage };
            return;
        }
        self.stage = match (self.stage, cause) {
            (Stage::Waits, Cause::Opened { .. }) => Stage::Opened,
            (Stage::Waits, cause) if cause.results().is_some() => Stage::Opened,
            (Stage::Opened, Cause::Rescheduled { .. }) => Stage::Opened,
            // One that is sent when a player asks for it comes from a player.
            (Stage::Opened, Cause::Reported(_)) if at_once => Stage::Opened,
            (Stage::Opened, _) => Stage::Whole,
            (stage, _) => stage,
        };
    }

    /// Must be called when a line has entered the log.
    pub(super) fn grow(&mut self, line: &LogEntry, hash: Digest) {
        if matches!(self.stage, Stage::Waits | Stage::Opened) {
            self.lines.push(LogLine::of(line, hash));
        }
    }
}
