//! What a backup made now has to hold. Mirror journals only grow, so that their lengths between two commits are all that has to be
//! known to copy them while the daemon goes on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::HostError;
use crate::games::Games;
use musterd_dice::{Digest, GameId};

/// A moment between two commits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// When, unix seconds.
    pub at: i64,
    /// Every mirror journal, by the name of its game, or `_host`.
    pub mirrors: BTreeMap<String, MirrorMark>,
    /// Every game.
    pub games: Vec<GameMark>,
    /// Games whose journal can't be used, and why: they are in neither list.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set_aside: BTreeMap<GameId, String>,
    /// Mails in `spool/done` that the rebuilt store doesn't know of: they are looked at after a restore too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<String>,
}

/// How far a mirror journal had been written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MirrorMark {
    /// Its lines.
    pub lines: u64,
    /// Its length.
    pub bytes: u64,
    /// The hash of its last line.
    pub hash: Digest,
}

/// Where a game stood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameMark {
    /// Its name.
    pub game: GameId,
    /// Entries of its journal.
    pub entries: u64,
    /// The open adjudication, if any.
    pub t: Option<u32>,
    /// What its secret has to lead to; none in backups that didn't note it.
    #[serde(default)]
    pub anchor: Option<Digest>,
}

impl Games {
    /// What a backup made now has to hold.
    ///
    /// # Errors
    /// The store, or a game that can't be folded.
    pub(crate) fn snapshot(&mut self) -> Result<Snapshot, HostError> {
        let mut mirrors = BTreeMap::new();
        for (name, lines, hash, bytes) in self.books.mirrors()? {
            mirrors.insert(name, MirrorMark { lines, bytes, hash });
        }
        let mut games = Vec::new();
        for game in self.names() {
            let entries = self.books.position(&game)?;
            // A game that can't go on is backed up all the same.
            let known = self.vault().anchor(&game);
            let (t, anchor) = match self.campaign(&game) {
                Ok(campaign) => (campaign.window().map(|window| window.t), Some(campaign.anchor())),
                Err(_) => (None, known),
            };
            self.trim();
            games.push(GameMark { game, entries, t, anchor });
        }
        let set_aside = self.games_set_aside();
        Ok(Snapshot { at: self.now(), mirrors, games, set_aside, held: self.held().names() })
    }
}
