use std::io::Read;
use std::path::PathBuf;

use clap::Args;

use super::global::{Ended, Global};
use super::output;
use musterd_daemon::{HostError, Reply, Request};
use musterd_dice::{GameId, Seat};

/// Show exactly what the receipt for some orders would say; changes nothing
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  musterd check alpha french orders.txt\n  echo 'MOVE 1 TO Ulm' | musterd check alpha french -\n\nExit status 1 where a line has an error."
)]
pub(super) struct Check {
    /// The game's name
    game: GameId,
    /// The seat, such as french or allied.austria
    seat: Seat,
    /// The orders; `-` reads them from standard input
    file: PathBuf,
}

/// The largest order file that is read, in bytes.
const LARGEST: u64 = 1_000_000;

impl Check {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let fault = |error| HostError::Io { path: self.file.clone(), error };
        let mut bytes = Vec::new();
        if self.file.as_os_str() == "-" {
            std::io::stdin().lock().take(LARGEST).read_to_end(&mut bytes).map_err(fault)?;
        } else {
            let file = std::fs::File::open(&self.file).map_err(fault)?;
            file.take(LARGEST).read_to_end(&mut bytes).map_err(fault)?;
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let request = Request::Check { game: self.game.clone(), seat: self.seat.clone(), text };
        let Reply::Check { text, errors } = global.ask(request)? else { return Ok(Ended::Done) };
        if global.json {
            output::json(&Reply::Check { text, errors });
        } else {
            output::text(&text);
        }
        Ok(if errors == 0 { Ended::Done } else { Ended::Finding(1) })
    }
}
