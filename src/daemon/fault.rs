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
use serde::{Deserialize, Serialize};

use crate::transit::Delivery;

/// What a fault is about, in one word that programs may rely on: the words stay as they are. The operator's guide lists them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// What is asked for can't be done, or names something that isn't there.
    Refused,
    /// The configuration.
    Configuration,
    /// The database and the journals.
    Store,
    /// The mail that was received.
    Spool,
    /// A mailbox, the relay, or a mail that can't be written.
    Mail,
    /// One game: its journal or its rules.
    Game,
    /// The secret of a game, or of the host.
    Secret,
    /// A file that can't be read or written.
    File,
    /// A backup.
    Backup,
    /// Nothing was done, and the same command may be carried out later.
    Busy,
    /// No daemon runs, and the command needs one.
    NoDaemon,
    /// The daemon gave no answer, or none that this program understands.
    #[default]
    #[serde(other)]
    Daemon,
}

impl FaultKind {
    /// The word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Configuration => "configuration",
            Self::Store => "store",
            Self::Spool => "spool",
            Self::Mail => "mail",
            Self::Game => "game",
            Self::Secret => "secret",
            Self::File => "file",
            Self::Backup => "backup",
            Self::Busy => "busy",
            Self::NoDaemon => "no-daemon",
            Self::Daemon => "daemon",
        }
    }
}

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
    /// No daemon runs for a data directory.
    #[error(
        "no daemon answers at {}: start it with `musterd --dir {} serve`, its log says why it ended",
        socket.display(),
        dir.display()
    )]
    NoDaemon {
        /// The control socket, at which none answers.
        socket: PathBuf,
        /// The data directory.
        dir: PathBuf,
    },
    /// The daemon runs, and its answer can't be had.
    #[error("{}: {error}", path.display())]
    NoAnswer {
        /// The control socket.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The running daemon did not carry out a command.
    #[error("{message}")]
    Told {
        /// What the fault is about.
        kind: FaultKind,
        /// The exit status for it.
        exit: u8,
        /// The daemon's words.
        message: String,
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
    pub const fn exit(&self) -> u8 {
        match self {
            Self::Usage(_) | Self::Desk(_) => 2,
            Self::Told { exit, .. } => *exit,
            _ => 3,
        }
    }

    /// What it is about.
    pub const fn kind(&self) -> FaultKind {
        match self {
            Self::Usage(_) | Self::Desk(_) => FaultKind::Refused,
            Self::Misconfigured(_) | Self::Config { .. } => FaultKind::Configuration,
            Self::Store(_) | Self::Lost { .. } => FaultKind::Store,
            Self::Keep(_) => FaultKind::Spool,
            Self::Post(_) | Self::Compose(_) => FaultKind::Mail,
            Self::Campaign { .. } => FaultKind::Game,
            Self::Secret { .. } => FaultKind::Secret,
            Self::Io { .. } => FaultKind::File,
            Self::Archive { .. } => FaultKind::Backup,
            Self::InTransit(_) | Self::Waiting(_) => FaultKind::Busy,
            Self::NoDaemon { .. } => FaultKind::NoDaemon,
            Self::NoAnswer { .. } => FaultKind::Daemon,
            Self::Told { kind, .. } => *kind,
        }
    }
}
