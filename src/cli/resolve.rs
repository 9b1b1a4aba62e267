use clap::Args;

use super::global::{Ended, Global};
use super::output;
use musterd_daemon::{HostError, Reply, Request};
use musterd_dice::GameId;

/// Run a turn now, before its deadline
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  musterd resolve alpha 1805-autumn-french\n  musterd resolve alpha 5\n\n`musterd status` shows the open turn. It is named so that a stale command does no harm."
)]
pub(super) struct Resolve {
    /// The game's name
    game: GameId,
    /// The open turn, by number or name
    turn: String,
}

impl Resolve {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        match global.ask(Request::Resolve { game: self.game.clone(), turn: self.turn.clone() })? {
            reply if global.json => output::json(&reply),
            Reply::Resolved { t, ran: false, next } => {
                output::text(&format!("Turn {t} is closed, and waits for {next}."));
            }
            Reply::Resolved { t, next, .. } => {
                output::text(&format!("Turn {t} has run; the dispatches are in the outbox. Now: {next}."));
            }
            _ => {}
        }
        Ok(Ended::Done)
    }
}
