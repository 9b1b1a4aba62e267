//! The decision about one game: all that it comes to is one step.

use std::ops::Deref;
use std::sync::Arc;

use crate::HostError;
use crate::books::batch::Batch;
use crate::games::Games;
use crate::mails::enclosures::Audit;
use crate::mails::mailroom::Clerk;
use musterd_desk::campaign::Campaign;
use musterd_dice::{GameId, SecretChain};
use musterd_engine::journal::{Arrangement, Author, Cause, Change, Entry};
use musterd_store::Step;

/// The decision about one game. Its step is committed with the batch, or nothing of it. What was played in a sitting that is not
/// closed stands in no journal: the game then has to be evicted, as its campaign has it in memory.
pub(crate) struct Sitting<'g> {
    pub(crate) games: &'g mut Games,
    pub(crate) game: GameId,
    pub(crate) step: Step,
    pub(crate) batch: &'g mut Batch,
}

impl Deref for Sitting<'_> {
    type Target = Games;

    fn deref(&self) -> &Games {
        self.games
    }
}

impl<'g> Sitting<'g> {
    /// Begins with an empty step, at the game's present position.
    pub(crate) fn begin(
        games: &'g mut Games,
        game: &GameId,
        batch: &'g mut Batch,
    ) -> Result<Self, HostError> {
        let step = games.step(game)?;
        Ok(Self { games, game: game.clone(), step, batch })
    }

    /// Runs the open turn, in a sitting of its own.
    pub(crate) fn run_now(
        games: &'g mut Games,
        game: &GameId,
        reason: &str,
        batch: &'g mut Batch,
    ) -> Result<(), HostError> {
        let mut sitting = Self::begin(games, game, batch)?;
        sitting.adjudicate(Some(reason))?;
        sitting.close();
        Ok(())
    }

    /// Puts the step behind those of the batch.
    pub(crate) fn close(self) {
        self.batch.steps.push(self.step);
    }

    /// The same, unless nothing is in it.
    pub(crate) fn close_unless_empty(self) {
        let Step { game, position, .. } = &self.step;
        let empty = Step { game: game.clone(), position: *position, ..Step::default() };
        if self.step != empty {
            self.close();
        }
    }
}

impl Sitting<'_> {
    /// The game as it is with what was decided so far.
    pub(crate) fn campaign(&self) -> &Campaign {
        self.games.folded(&self.game)
    }

    /// The whole journal, with what was decided so far.
    pub(crate) fn entries(&self) -> Result<Vec<Entry>, HostError> {
        self.games.entries(&self.game)
    }

    /// The secret chain.
    pub(crate) fn chain(&mut self) -> Result<Arc<SecretChain>, HostError> {
        self.games.chain(&self.game)
    }

    /// Adds an entry to the step, and folds it at once.
    pub(crate) fn play(&mut self, cause: Cause) -> Result<(), HostError> {
        self.games.play(&self.game, &mut self.step, cause)
    }

    /// Journals what somebody settled.
    pub(crate) fn arrange(
        &mut self,
        by: Author,
        change: Change,
        text: impl Into<String>,
    ) -> Result<(), HostError> {
        let t = self.campaign().next_t();
        self.play(Cause::Arranged(Arrangement { t, by, change, text: text.into() }))
    }

    /// Lets `write` write mails about the game, which are part of the step.
    pub(crate) fn mail<T>(
        &mut self,
        write: impl FnOnce(&mut Clerk<'_>) -> Result<T, HostError>,
    ) -> Result<T, HostError> {
        self.mail_with(None, write)
    }

    /// The same, with an audit file for the dispatches among them.
    pub(crate) fn mail_with<T>(
        &mut self,
        audit: Option<&Audit>,
        write: impl FnOnce(&mut Clerk<'_>) -> Result<T, HostError>,
    ) -> Result<T, HostError> {
        self.games.mail_with(&self.game, &mut self.step, audit, write)
    }

    /// Lets `tell` find the words for something about the game.
    pub(crate) fn about<T>(&mut self, tell: impl FnOnce(&Clerk<'_>) -> T) -> Result<T, HostError> {
        self.games.about(&self.game, tell)
    }

    /// Whether nothing had this key before, in the store or in the batch; marks it.
    pub(crate) fn is_first(&mut self, key: String) -> Result<bool, HostError> {
        self.games.is_first(key, &mut self.step, self.batch)
    }

    /// The how-manieth this is, from 1, of what is counted under this key today, if it is among the first `most`; counts it.
    pub(crate) fn how_manieth(&mut self, most: u32, counted: &str) -> Result<Option<u32>, HostError> {
        self.games.how_manieth(most, counted, &mut self.step, self.batch)
    }

    /// Whether this is among the first `most` of what is counted under this key today; counts it.
    pub(crate) fn is_among(&mut self, most: u32, counted: &str) -> Result<bool, HostError> {
        self.games.is_among(most, counted, &mut self.step, self.batch)
    }
}
