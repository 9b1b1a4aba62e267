//! The store: journals, marks of what was handled, outbox and ledger, in one embedded database with a mirror journal a game.

mod error;
mod step;

use std::path::Path;

use crate::engine::GameId;
use crate::engine::journal::Entry;
pub use error::StoreError;
pub use step::{Attempt, HOST, LedgerLine, Outgoing, Packet, Step, Tried};

/// What opening the store had to mend, a sentence each; empty after an ordinary stop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovery {
    /// The sentences.
    pub notes: Vec<String>,
}

/// The open store. One process at a time.
#[derive(Debug)]
pub struct Store {}

impl Store {
    /// Opens the store in the data directory `dir`, creates it where there is none, and mends what a crash left.
    ///
    /// # Errors
    /// Another process holds it; the disk fails; a mirror journal is damaged beyond what the store can mend.
    pub fn open(dir: &Path) -> Result<(Self, Recovery), StoreError> {
        Err(StoreError::Busy { dir: dir.to_owned() })
    }

    /// Makes the steps durable, all or none.
    ///
    /// # Errors
    /// [`StoreError::Stale`] and [`StoreError::Unfit`]: nothing was written, the store is as before. Any other: whether the
    /// steps were stored shows when the store is opened again; until then it takes no more.
    pub fn commit(&self, steps: &[Step]) -> Result<(), StoreError> {
        let _ = steps;
        Err(StoreError::Poisoned)
    }

    /// Notes how tries to send went, all with one sync. [`LedgerLine`] tells the result.
    ///
    /// # Errors
    /// As [`Store::commit`]; `Unfit` if there is no such packet and recipient, or it is settled already (a bounce may
    /// still follow a success).
    pub fn record(&self, tried: &[Tried]) -> Result<(), StoreError> {
        let _ = tried;
        Err(StoreError::Poisoned)
    }

    /// Every game, sorted.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    pub fn games(&self) -> Result<Vec<GameId>, StoreError> {
        Err(StoreError::Poisoned)
    }

    /// How many entries a game has: the [`Step::position`] of its next step; 0 if there is no such game.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    pub fn position(&self, game: &GameId) -> Result<u64, StoreError> {
        let _ = game;
        Err(StoreError::Poisoned)
    }

    /// A game's journal; empty if there is no such game.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    pub fn entries(&self, game: &GameId) -> Result<Vec<Entry>, StoreError> {
        self.entries_from(game, 0)
    }

    /// A game's journal from entry `first` (counted from 0) on.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    pub fn entries_from(&self, game: &GameId, first: u64) -> Result<Vec<Entry>, StoreError> {
        let _ = (game, first);
        Err(StoreError::Poisoned)
    }

    /// Whether a step with this in [`Step::seen`] was committed.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    pub fn seen(&self, key: &str) -> Result<bool, StoreError> {
        let _ = key;
        Err(StoreError::Poisoned)
    }

    /// Whether a step with this in [`Step::handled`] was committed.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    pub fn handled(&self, spool_name: &str) -> Result<bool, StoreError> {
        let _ = spool_name;
        Err(StoreError::Poisoned)
    }

    /// The packet of this id.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    pub fn packet(&self, id: &str) -> Result<Option<Packet>, StoreError> {
        let _ = id;
        Err(StoreError::Poisoned)
    }

    /// What is to be sent at `now` (unix seconds), longest due first, at most `limit`.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    pub fn due(&self, now: i64, limit: usize) -> Result<Vec<Outgoing>, StoreError> {
        let _ = (now, limit);
        Err(StoreError::Poisoned)
    }

    /// When something is next to be sent, unix seconds; none if nothing is pending.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    pub fn next_due(&self) -> Result<Option<i64>, StoreError> {
        Err(StoreError::Poisoned)
    }

    /// Where every mail of a game stands (none: every mail of the host), by packet id and recipient.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    pub fn ledger(&self, game: Option<&GameId>) -> Result<Vec<LedgerLine>, StoreError> {
        let _ = game;
        Err(StoreError::Poisoned)
    }
}
