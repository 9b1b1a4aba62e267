//! A roll that all agree to throw again: the GM asks for it, every player consents, and then the turn is told of anew.

use super::HostError;
use super::games::Games;
use musterd_dice::GameId;
use musterd_engine::journal::Cause;
use musterd_store::Step;

impl Games {
    /// Throws the roll again that was asked for, once every player has consented: the open window is void, the turn that ran last
    /// comes to what it comes to now, and the next window opens. Whether that was so.
    pub(super) fn reroll_if_agreed(&mut self, game: &GameId, step: &mut Step) -> Result<bool, HostError> {
        let Some(cause) = self.rerolling(game)? else { return Ok(false) };
        let before = step.entries.len();
        let open = self.campaign(game)?.window().map(|window| window.t);
        if let Some(t) = open {
            let reason = "everybody agreed to throw a roll again".to_owned();
            self.play(game, step, Cause::RolledBack { t, back: t, reason })?;
        }
        self.play(game, step, cause)?;
        tracing::info!(%game, "a roll was thrown again");
        match self.campaign(game)?.charter().terms.approval {
            Some(_) => self.draft(game, step)?,
            None => self.go_on(game, step)?,
        }
        self.tell_witnesses(game, step, before)?;
        Ok(true)
    }
}
