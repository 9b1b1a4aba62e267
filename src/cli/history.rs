use clap::Args;

use super::global::{Ended, Global};
use super::report;
use musterd_daemon::{HostError, Request};
use musterd_dice::{GameId, Seat};

/// Show a campaign's history as a seat knows it: points, strength, losses, cities, story
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  musterd history alpha french")]
pub(super) struct History {
    /// The game's name
    game: GameId,
    /// The seat, such as french; when the game is over, every seat knows everything
    seat: Seat,
}

impl History {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        report::show(global, Request::History { game: self.game.clone(), seat: self.seat.clone() })
    }
}
