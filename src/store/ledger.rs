//! What a host asks of whatever keeps its games. [`Store`](super::Store) is the engine that it runs on; another one has to keep the same
//! promises, which `tests/it/store_model.rs` holds against each.

use super::StoreError;
use super::step::{HOST, LedgerLine, Outbox, Outgoing, Packet, Step, Tried};
use musterd_dice::Digest;
use musterd_engine::GameId;
use musterd_engine::journal::Entry;

/// The journals of all games, the marks of what was handled, the outbox, and what became of every mail, for whoever only reads them. He sees whole
/// commits alone.
pub trait Records: Send + Sync {
    /// Every game that a step was committed for and that is not set aside, sorted.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn games(&self) -> Result<Vec<GameId>, StoreError>;

    /// How many entries a game has: the [`Step::position`] of its next step; 0 if there is no such game.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn position(&self, game: &GameId) -> Result<u64, StoreError>;

    /// A game's journal; empty if there is no such game.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn entries(&self, game: &GameId) -> Result<Vec<Entry>, StoreError>;

    /// Whether a step with this in [`Step::seen`] was committed.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn seen(&self, key: &str) -> Result<bool, StoreError>;

    /// Whether a step with this in [`Step::handled`] was committed.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn handled(&self, spool_name: &str) -> Result<bool, StoreError>;

    /// The packet of this id.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn packet(&self, id: &str) -> Result<Option<Packet>, StoreError>;

    /// What is to be sent at `now` (unix seconds), longest due first, at most `limit`.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn due(&self, now: i64, limit: usize) -> Result<Vec<Outgoing>, StoreError>;

    /// When something is next to be sent, unix seconds; none if nothing is pending.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn next_due(&self) -> Result<Option<i64>, StoreError>;

    /// What waits to be sent.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn outbox(&self) -> Result<Outbox, StoreError>;

    /// Where every mail stands that waits to be sent, in the order in which they are due.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn waiting(&self) -> Result<Vec<LedgerLine>, StoreError>;

    /// Where every mail stands whose packet's id begins so, by packet id and recipient.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn ledger_of(&self, packets: &str) -> Result<Vec<LedgerLine>, StoreError>;

    /// Where every mail of a game stands (none: every mail of the host), by packet id and recipient.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn ledger(&self, game: Option<&GameId>) -> Result<Vec<LedgerLine>, StoreError> {
        self.ledger_of(&format!("{}/", game.map_or(HOST, GameId::as_str)))
    }

    /// How far every mirror journal that is not set aside has been written: name, lines, the hash of the last, and bytes. One that is no file
    /// any more is set aside.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn mirrors(&self) -> Result<Vec<(String, u64, Digest, u64)>, StoreError>;

    /// Why the journal of a game can't be used, if so.
    #[must_use]
    fn set_aside(&self, game: &GameId) -> Option<String>;
}

/// The same for whoever writes them. Commits are made one after the other.
pub trait Ledger: Records {
    /// Makes the steps durable, all or none. A game whose journal can't be written is set aside, its steps stand all the same
    /// ([`Ledger::newly_set_aside`]).
    ///
    /// # Errors
    /// [`StoreError::SetAside`]: a game was set aside before; nothing was written. [`StoreError::Unmirrored`]: the steps are stored.
    /// [`StoreError::Unclear`]: they may be. Any other: nothing was written. After a commit that failed half-way the store takes no more until it
    /// is opened again.
    fn commit(&self, steps: &[Step]) -> Result<(), StoreError>;

    /// Notes how tries to send went, all with one sync. [`LedgerLine`] tells the result.
    ///
    /// # Errors
    /// As [`Ledger::commit`], but of a game that was set aside since the store was opened it is noted too; `Unfit` if there is no such packet
    /// and recipient, or it is settled already (a bounce may still follow a success).
    fn record(&self, tried: &[Tried]) -> Result<(), StoreError>;

    /// The games that were set aside since this was last asked, and why: their journals could not be written.
    #[must_use]
    fn newly_set_aside(&self) -> Vec<(GameId, String)>;

    /// Sets a game aside of which something else can't be used: nothing of it is read, changed or sent until the store is opened again.
    fn set_game_aside(&self, game: &GameId, why: &str);

    /// Whatever lies beside the store was compared with it since it was rebuilt: it counts as rebuilt no longer.
    ///
    /// # Errors
    /// The disk fails.
    fn settle_rebuilding(&self) -> Result<(), StoreError>;
}
