use clap::Args;

use super::global::{Ended, Global};
use super::output;
use musterd_daemon::{HostError, Reply, Request};
use musterd_dice::GameId;

/// Print a game's journal as JSON lines: all that happened, hidden things too
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  musterd journal alpha | jq 'select(.cause.kind == \"adjudicated\").cause.rolls'"
)]
pub(super) struct Journal {
    /// The game's name
    game: GameId,
}

impl Journal {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        match global.ask(Request::Journal { game: self.game.clone() })? {
            Ok(Reply::Journal { entries }) => {
                for entry in entries {
                    output::json_line(&entry);
                }
                Ok(Ended::Done)
            }
            Ok(_) => Ok(Ended::Done),
            Err(ended) => Ok(ended),
        }
    }
}
