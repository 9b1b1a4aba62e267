//! Templates of the host's own that can't be used: the log tells of them, and the GM of a game that has its own.

use super::Host;
use crate::HostError;
use musterd_dice::GameId;

impl Host {
    /// Tells of templates that can't be used: the log, and the GM of a game that has its own, once as long as the fault is the same.
    pub(super) fn tell_of_templates(&mut self) -> Result<(), HostError> {
        let faults = self.games.mailroom().templates.faults().to_vec();
        for fault in &faults {
            tracing::error!(template = fault.file(), %fault, "this template can't be used: the next in line takes its place");
            let game = fault.file().split_once('/').and_then(|(game, _)| game.parse::<GameId>().ok());
            let Some(game) =
                game.filter(|game| self.games.knows(game) && !self.games.aside().contains_key(game))
            else {
                continue;
            };
            let told = self.games.tell_gm_of_template(&game, &fault.to_string());
            match told.and_then(|batch| self.commit(&batch)) {
                Err(error) if error.is_of_one_game() => self.games.evict_all(),
                told => told?,
            }
        }
        Ok(())
    }
}
