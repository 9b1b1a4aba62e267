use clap::Args;

use super::{Ended, Global, output};
use crate::daemon::{HostError, Reply, Request};
use crate::dice::{GameId, Seat};

/// Show a seat's dispatch, the last one or that of a past turn
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  musterd report alpha french\n  musterd report alpha french 3\n  musterd report alpha french 1805-summer-french"
)]
pub(super) struct Report {
    /// The game's name
    game: GameId,
    /// The seat, such as french or allied.austria
    seat: Seat,
    /// The turn after which it was written, by number or name [default: the last]
    turn: Option<String>,
}

impl Report {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let request =
            Request::Report { game: self.game.clone(), seat: self.seat.clone(), turn: self.turn.clone() };
        show(global, request)
    }
}

/// Asks for a report and prints it.
pub(super) fn show(global: &Global, request: Request) -> Result<Ended, HostError> {
    match global.ask(request)? {
        Ok(reply) if global.json => output::json(&reply),
        Ok(Reply::Report { subject, text }) => output::text(&format!("Subject: {subject}\n\n{text}")),
        Ok(_) => {}
        Err(ended) => return Ok(ended),
    }
    Ok(Ended::Done)
}
