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
        if let Reply::Journal { entries } = global.ask(Request::Journal { game: self.game.clone() })? {
            for entry in entries {
                output::json_line(&entry);
            }
        }
        Ok(Ended::Done)
    }
}
