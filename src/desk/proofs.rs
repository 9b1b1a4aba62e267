//! What a seat can check of its own dice before they are revealed (dice.md, "Selective proof").

use super::campaign::Campaign;
use super::correction::TakenBack;
use musterd_dice::audit::{Line, Proofs};
use musterd_dice::{Chain, Digest, LogEntry, Seat, SecretChain, roll_leaves};
use musterd_engine::journal::Cause;

/// A stretch of the log: from the close of an adjudication, or from its rerun, to the opening that followed with what changed
/// its deadline at once. That is what the head at the end of its dispatches stands on, and nothing in it came from a player.
#[derive(Debug, Clone, Default)]
pub(super) struct Tail {
    from: u64,
    before: Option<Digest>,
    lines: Vec<Line>,
    stage: Stage,
}

/// How far a [`Tail`] has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stage {
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

impl Campaign {
    /// The leaves of the last adjudication's rolls, in the order of the tree: what all seats' proofs are made from. None where
    /// nothing ran.
    #[must_use]
    pub fn leaves_of_rolls(&self, secrets: &SecretChain) -> Vec<Digest> {
        let last = self.last().and_then(|last| Some((last, secrets.secret(last.t)?)));
        last.map_or_else(Vec::new, |(last, secret)| {
            roll_leaves(&secret, &self.charter().game, last.t, &last.rolls)
        })
    }

    /// A seat's own rolls in the last adjudication, with the proof that they are the committed ones; none where nothing ran, where
    /// the number of rolls is a secret of the game, or where it is revealed, so that everybody can check all of it. `leaves` are
    /// [`Self::leaves_of_rolls`].
    #[must_use]
    pub fn proofs(&self, secrets: &SecretChain, leaves: &[Digest], seat: &Seat) -> Option<Proofs> {
        let last = self.last().filter(|_| self.game().withholds_proofs().is_none())?;
        let secret = secrets.secret(last.t).filter(|_| self.revealed() < last.t)?;
        let tail = self.tail();
        let own = |label: &_| self.game().shows_roll(label, seat);
        let game = &self.charter().game;
        let rolls = Proofs::tree(&secret, game, last.t, leaves, &last.rolls, &own);
        Some(Proofs {
            protocol: Proofs::PROTOCOL.to_owned(),
            game: game.clone(),
            t: last.t,
            seat: seat.clone(),
            from: tail.from,
            before: tail.before?,
            entries: tail.lines.clone(),
            rolls,
        })
    }
}
