//! The interface between a host and the store of its games. [`Store`](super::Store) is the implementation that hosts use. Every other implementation
//! has to behave the same, which `tests/it/store_model.rs` checks.

use super::StoreError;
use super::step::{HOST, LedgerLine, Outbox, Outgoing, Packet, Step, Tried};
use musterd_dice::Digest;
use musterd_engine::GameId;
use musterd_engine::journal::Entry;

/// Read access: the journals of all games, the marks of handled mails, the outbox, and the state of every mail. Readers see whole commits only.
pub trait Records: Send + Sync {
    /// Every game that has a committed step and is not set aside, sorted.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn games(&self) -> Result<Vec<GameId>, StoreError>;

    /// The number of entries of a game, which is the [`Step::position`] of its next step; 0 if there is no such game.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn position(&self, game: &GameId) -> Result<u64, StoreError>;

    /// A game's journal; empty if there is no such game.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn entries(&self, game: &GameId) -> Result<Vec<Entry>, StoreError>;

    /// Whether a step with this key in [`Step::seen`] was committed.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn seen(&self, key: &str) -> Result<bool, StoreError>;

    /// Whether a step with this name in [`Step::handled`] was committed.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn handled(&self, spool_name: &str) -> Result<bool, StoreError>;

    /// The packet with this id.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn packet(&self, id: &str) -> Result<Option<Packet>, StoreError>;

    /// The mails that are to be sent at `now` (unix seconds), longest due first, at most `limit`.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn due(&self, now: i64, limit: usize) -> Result<Vec<Outgoing>, StoreError>;

    /// When the next mail is to be sent, unix seconds; `None` if none is waiting.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn next_due(&self) -> Result<Option<i64>, StoreError>;

    /// The number of waiting mails, and since when the oldest waits.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn outbox(&self) -> Result<Outbox, StoreError>;

    /// The state of every mail that waits to be sent, in the order in which they are due.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn waiting(&self) -> Result<Vec<LedgerLine>, StoreError>;

    /// The state of every mail whose packet's id has this prefix, by packet id and recipient.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn ledger_of(&self, packets: &str) -> Result<Vec<LedgerLine>, StoreError>;

    /// The state of every mail of a game (`None`: every mail of the host), by packet id and recipient.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn ledger(&self, game: Option<&GameId>) -> Result<Vec<LedgerLine>, StoreError> {
        self.ledger_of(&format!("{}/", game.map_or(HOST, GameId::as_str)))
    }

    /// The extent of every mirror journal that is not set aside: name, number of lines, the hash of the last line, and bytes. A journal that is no
    /// longer a file is set aside.
    ///
    /// # Errors
    /// The store is damaged or the disk fails.
    fn mirrors(&self) -> Result<Vec<(String, u64, Digest, u64)>, StoreError>;

    /// Why the journal of a game can't be used; `None` if it can.
    fn set_aside(&self, game: &GameId) -> Option<String>;
}

/// Read and write access. Commits are made one after the other.
pub trait Ledger: Records {
    /// Makes the steps durable, all or none. If a game's journal can't be written, the game is set aside, and its steps count even so
    /// ([`Ledger::newly_set_aside`]).
    ///
    /// # Errors
    /// [`StoreError::SetAside`]: a game had been set aside before; nothing was written. [`StoreError::Unmirrored`]: the steps are stored.
    /// [`StoreError::Unclear`]: the steps may be stored. Any other error: nothing was written. After a commit that failed half-way the store accepts
    /// no more until it is opened again.
    fn commit(&self, steps: &[Step]) -> Result<(), StoreError>;

    /// Records the results of tries to send, all with one sync. [`LedgerLine`] shows the result.
    ///
    /// # Errors
    /// The errors of [`Ledger::commit`], except that tries are recorded even for a game that was set aside since the store was opened. `Unfit` if
    /// there is no such packet and recipient, or if it is settled already (a bounce may still follow a success).
    fn record(&self, tried: &[Tried]) -> Result<(), StoreError>;

    /// The games whose journals could not be written and that were set aside since the last call, with the reason.
    fn newly_set_aside(&self) -> Vec<(GameId, String)>;

    /// Sets a game aside because something else of it can't be used: nothing of it is read, changed or sent until the store is opened again.
    fn set_game_aside(&self, game: &GameId, why: &str);

    /// Records that the files beside the store have been compared with it since it was rebuilt: it no longer counts as rebuilt.
    ///
    /// # Errors
    /// The disk fails.
    fn settle_rebuilding(&self) -> Result<(), StoreError>;
}
