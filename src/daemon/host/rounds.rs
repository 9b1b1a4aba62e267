//! What time asks of the games, one after the other.

use super::Host;
use crate::HostError;
use crate::books::batch::Batch;
use crate::decisions::time::rounds::{Doing, Trust};
use crate::games::docket::Docket;
use crate::notify;
use musterd_dice::GameId;

impl Host {
    /// Does for every game what was due at `drained`, the time when the mailboxes began to be drained: for anything later orders
    /// in time may still lie there. Nothing is done while mail waits for the relay. Returns how many turns ran.
    ///
    /// # Errors
    /// The store; what was committed before stands.
    pub fn run_due(&mut self, drained: i64, trust: Trust) -> Result<usize, HostError> {
        self.note_set_aside();
        if self.waits_for_relay() {
            return Ok(0);
        }
        let mut run = 0;
        for game in self.games.due_games(drained) {
            notify::alive();
            match self.run_due_of(&game, drained, trust) {
                Ok(turns) => run += turns,
                // One game that can't go on must not stop the others.
                Err(error) if error.is_of_one_game() => {
                    if !self.games.aside().contains_key(&game) {
                        tracing::error!(%game, %error, "this game can't go on until that is mended and musterd started again");
                    }
                    self.games.set_game_aside(&game, &error);
                }
                Err(error) => {
                    self.games.evict_all();
                    return Err(error);
                }
            }
        }
        Ok(run)
    }

    /// Does what is due in one game until nothing is.
    fn run_due_of(&mut self, game: &GameId, now: i64, trust: Trust) -> Result<usize, HostError> {
        let mut turns = 0;
        loop {
            let before = self.games.campaign(game)?.entries();
            let Doing { steps, runs, goes_on, again } = self.games.look_after(game, now, trust)?;
            self.commit(&Batch::of(steps))?;
            if let Some(at) = again {
                self.games.put_off(game, Docket { due: Some(at), ..Docket::default() });
            }
            if !goes_on {
                return Ok(turns);
            }
            turns += usize::from(runs);
            // Whatever was done left a mark; a doing without one would be done for ever.
            if self.games.campaign(game)?.entries() == before {
                tracing::error!(%game, "nothing came of what was due");
                return Ok(turns);
            }
        }
    }
}
