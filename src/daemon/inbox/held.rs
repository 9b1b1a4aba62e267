//! Mails in `spool/done` that a rebuilt store doesn't know of: mirror journals that were put back from a backup are older than the
//! spool. Where it is on record for which turn of which game such a mail was decided (`decided.rs`), it is dealt with again by itself
//! once the game stands at that very turn, in the order of the first time; where the game has passed that turn it is refused like any mail
//! that is late. All others somebody has to read: orders for a later turn would count for the one that is open again. Until that is done no
//! turn of the games that they may be for is run at its deadline.

use std::collections::{BTreeMap, BTreeSet};

use crate::books::decided::Decision;
use musterd_dice::GameId;
use musterd_post::Pending;
use musterd_store::Step;

/// The mails that are held, in the order in which they were decided first; those of unknown destiny last.
#[derive(Default)]
pub(crate) struct HeldMails(pub(crate) Vec<Held>);

/// A mail that is held.
pub(crate) struct Held {
    pub(crate) mail: Pending,
    /// The games that it may be for and that don't know of it.
    pub(crate) claims: BTreeMap<GameId, Claim>,
    /// Whether it was decided for several games: then each has a mark of its own.
    pub(crate) is_for_several: bool,
    /// Whether the log names it.
    pub(crate) is_told: bool,
}

/// What a mail is to a game.
pub(crate) struct Claim {
    /// Where the game stood when the mail was decided; none where that isn't known.
    pub(crate) decided: Option<Decision>,
    pub(crate) prospect: Prospect,
}

/// What becomes of a mail that is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Prospect {
    /// It is dealt with now.
    Due,
    /// The game has not come so far, or can't be looked at until its journal is mended.
    Waits,
    /// Somebody has to read it.
    Unclear,
}

impl HeldMails {
    /// Whether none is.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this mail is held.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|held| held.mail.name == name)
    }

    /// The names of all, in their order.
    pub(crate) fn names(&self) -> Vec<String> {
        self.0.iter().map(|held| held.mail.name.clone()).collect()
    }

    /// Whether somebody has to read a mail before a turn of this game is run at its deadline.
    pub(crate) fn stop(&self, game: &GameId) -> bool {
        let stops = |held: &Held| held.claims.get(game).is_some_and(Claim::is_unclear);
        self.0.iter().any(stops)
    }

    /// Where the game stood when the mail was decided for it, if it is held for this game.
    pub(crate) fn decision(&self, name: &str, game: &GameId) -> Option<&Decision> {
        let held = self.0.iter().find(|held| held.mail.name == name)?;
        held.claims.get(game)?.decided.as_ref()
    }

    /// What is to be dealt with now.
    pub(crate) fn due(&self) -> impl Iterator<Item = (&Pending, &GameId)> {
        self.0.iter().flat_map(|held| {
            let due = held.claims.iter().filter(|(_, claim)| claim.prospect == Prospect::Due);
            due.map(|(game, _)| (&held.mail, game))
        })
    }
}

impl Claim {
    pub(crate) fn is_unclear(&self) -> bool {
        self.prospect == Prospect::Unclear
    }
}

impl Held {
    pub(crate) fn is_unclear(&self) -> bool {
        self.claims.is_empty() || self.claims.values().any(Claim::is_unclear)
    }
}

/// The mark that a mail for several games has had its effect in one of them.
pub(crate) fn mark(game: &GameId, mail: &str) -> String {
    format!("{game}/mail/{mail}")
}

/// Marks in the last step of each game of a mail for several that it has had its effect there: that it is handled stands in the journal
/// of one of them alone, and each can be put back from a backup alone.
pub(crate) fn mark_in_each(steps: &mut [Step], mail: &str) {
    let mut marked = BTreeSet::new();
    for step in steps.iter_mut().rev() {
        if let Some(game) = step.game.clone().filter(|game| !marked.contains(game)) {
            step.seen.push(mark(&game, mail));
            marked.insert(game);
        }
    }
}
