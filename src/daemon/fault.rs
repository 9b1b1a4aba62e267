//! What can go wrong in the daemon, by who has to do something about it.

use std::io;
use std::path::{Path, PathBuf};

use musterd_desk::DeskError;
use musterd_desk::campaign::CampaignError;
use musterd_desk::mail::ComposeError;
use musterd_dice::GameId;
use musterd_engine::files::DataErrors;
use musterd_post::{KeepError, PostError};
use musterd_store::StoreError;

use crate::transit::Delivery;

/// A fault of a command or of the daemon.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The command asks for something that can't be: exit status 2.
    #[error("{0}")]
    Usage(String),
    /// The request doesn't fit the desk: exit status 2.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// The configuration has faults.
    #[error("{0}")]
    Misconfigured(DataErrors),
    /// The configuration can't be used on this machine.
    #[error("{}: {reason}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// What is wrong and what to do.
        reason: String,
    },
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The spool.
    #[error(transparent)]
    Keep(#[from] KeepError),
    /// A mailbox or relay.
    #[error(transparent)]
    Post(#[from] PostError),
    /// Nothing is stored here, and something was once: a disk is not there, or was swapped.
    #[error(
        "no journal of any game is in {}, and the secrets of games lie in its `secrets` directory ({games}): `store` and `mirror` are \
         missing or empty, as when a disk was not mounted. Mount it, or put both back from a backup, and start again; until then \
         nothing is touched and mails stay where they are. To begin anew without these games, move their secrets to a safe place first",
        dir.display()
    )]
    Lost {
        /// The data directory.
        dir: PathBuf,
        /// The games.
        games: String,
    },
    /// A game's journal or rules.
    #[error("game {game}: {error}")]
    Campaign {
        /// Which game.
        game: String,
        /// What is wrong.
        error: Box<CampaignError>,
    },
    /// A mail that could not be written.
    #[error("a mail could not be written: {0}")]
    Compose(#[from] ComposeError),
    /// A file.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A backup, or what should go into one.
    #[error("{}: {reason}", path.display())]
    Archive {
        /// The file.
        path: PathBuf,
        /// What is wrong and what to do.
        reason: String,
    },
    /// The relay has mails just now that this would take back. Once it is known what becomes of these it can be decided anew.
    #[error("the relay has mails just now that this takes back: try again when it has answered")]
    InTransit(Vec<Delivery>),
    /// The daemon waits for trouble to pass.
    #[error("the daemon waits until this passes, and tries again every minute at most: {0}")]
    Waiting(String),
    /// A game's secret.
    #[error("{}: {reason}", path.display())]
    Secret {
        /// The secret file.
        path: PathBuf,
        /// What is wrong and what to do.
        reason: String,
    },
}

impl HostError {
    /// A usage error.
    pub fn usage(text: impl Into<String>) -> Self {
        Self::Usage(text.into())
    }

    /// Whether the fault lies in one mail or one game, so that others can still be dealt with.
    pub(crate) const fn is_of_one_game(&self) -> bool {
        matches!(
            self,
            Self::Usage(_)
                | Self::Desk(_)
                | Self::Campaign { .. }
                | Self::Compose(_)
                | Self::Secret { .. }
                | Self::Store(StoreError::Unfit(_) | StoreError::SetAside { .. })
                | Self::Keep(KeepError::Altered(_))
        )
    }

    /// Of a game's journal or rules.
    pub(crate) fn campaign(game: &GameId, error: CampaignError) -> Self {
        Self::Campaign { game: game.to_string(), error: Box::new(error) }
    }

    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        Self::Io { path: path.to_owned(), error }
    }

    /// The exit status for it: 2 for usage, 3 for a fault of the machine.
    #[must_use]
    pub const fn exit(&self) -> u8 {
        match self {
            Self::Usage(_) | Self::Desk(_) => 2,
            _ => 3,
        }
    }
}
