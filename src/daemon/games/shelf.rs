//! The archive: games that are over and are opened only when somebody asks for them by name. Whether one is there stands in two marks of the ledger for
//! each time that it was put there, so that a host which starts need not read its journal.

use crate::HostError;
use crate::games::Games;
use musterd_dice::GameId;
use musterd_store::{Records, StoreError};

/// What a mark of the ledger says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// The game was put into the archive.
    Archived,
    /// It was taken out again.
    TakenOut,
}

impl Mark {
    fn key(self, game: &GameId, time: u32) -> String {
        let what = match self {
            Self::Archived => "archived",
            Self::TakenOut => "taken-out",
        };
        format!("{game}/{what}/{time}")
    }
}

/// How often a game was put into the archive, and whether it is there.
fn archived(records: &(impl Records + ?Sized), game: &GameId) -> Result<(u32, bool), StoreError> {
    let mut times = 0;
    while records.seen(&Mark::Archived.key(game, times + 1))? {
        times += 1;
    }
    let is_out = times == 0 || records.seen(&Mark::TakenOut.key(game, times))?;
    Ok((times, !is_out))
}

/// Whether a game is in the archive, by the marks of the ledger.
pub(crate) fn is_archived(records: &(impl Records + ?Sized), game: &GameId) -> Result<bool, StoreError> {
    archived(records, game).map(|(_, is_there)| is_there)
}

impl Games {
    /// The mark by which a game is put into the archive next, or is taken out of it.
    pub(crate) fn archive_mark(&self, game: &GameId, mark: Mark) -> Result<String, HostError> {
        let (times, _) = archived(&*self.books, game)?;
        let time = match mark {
            Mark::Archived => times + 1,
            Mark::TakenOut => times,
        };
        Ok(mark.key(game, time))
    }
}
