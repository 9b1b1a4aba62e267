//! Whether the secrets that lie beside the store go with it. A secret that is gone or altered is told at once, and not when
//! the next turn needs it: by then the backups may lack it too.

use std::path::Path;

use crate::HostError;
use crate::games::Games;
use crate::secrets::vault::Vault;
use musterd_dice::GameId;
use musterd_store::StoreError;

/// How many secrets the daemon compares with their anchors at a time; each takes some ten thousand hashes.
const PROVED_AT_ONCE: usize = 8;

/// Looks whether there are journals to the secrets in a data directory. Secrets without any mean that the disk which the journals lie
/// on is not there: a host that began anew would refuse all its players' mails.
///
/// # Errors
/// There are secrets of founded games, and `is_without_games` finds nothing to them.
pub(crate) fn look_for_journals(
    dir: &Path,
    is_without_games: impl FnOnce() -> Result<bool, StoreError>,
) -> Result<(), HostError> {
    let founded = Vault::founded_in(&dir.join("secrets"))?;
    if founded.is_empty() || !is_without_games()? {
        return Ok(());
    }
    let games = founded.iter().map(GameId::as_str).collect::<Vec<_>>().join(", ");
    Err(HostError::Lost { dir: dir.to_owned(), games })
}

impl Games {
    /// Looks whether the secret of every game is there and reads as one; what it leads to is proved later, a few at a time, lest a
    /// thousand games keep the host from starting.
    pub(crate) fn look_for_secrets(&mut self) {
        for game in self.current() {
            if let Err(error) = self.vault().look_for(&game) {
                self.note_lost_secret(&game, &error);
            }
        }
    }

    /// Compares a few more secrets with what their games were founded with; whether there were any left to compare.
    pub(crate) fn prove_secrets(&mut self) -> bool {
        let games = self.vault().unproved(PROVED_AT_ONCE);
        for game in &games {
            if let Err(error) = self.vault().prove(game) {
                self.note_lost_secret(game, &error);
            }
        }
        !games.is_empty()
    }

    fn note_lost_secret(&mut self, game: &GameId, error: &HostError) {
        if !self.aside().contains_key(game) {
            tracing::error!(%game, %error, "this game can't go on until that is mended and musterd started again");
            self.set_game_aside(game, error);
        }
    }
}
