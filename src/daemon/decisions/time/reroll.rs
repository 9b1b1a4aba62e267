//! A roll that all agree to throw again: the GM asks for it, every player consents, and then the turn is told of anew.

use crate::HostError;
use crate::decisions::sitting::Sitting;
use musterd_engine::journal::Cause;

impl Sitting<'_> {
    /// Throws the roll again that was asked for, once every player has consented: the open window is void, the turn that ran last
    /// comes to what it comes to now, and the next window opens. Whether that was so.
    pub(crate) fn reroll_if_agreed(&mut self) -> Result<bool, HostError> {
        let Some(cause) = self.games.rerolling(&self.game)? else { return Ok(false) };
        let before = self.step.entries.len();
        let open = self.campaign().window().map(|window| window.t);
        if let Some(t) = open {
            let reason = "everybody agreed to throw a roll again".to_owned();
            self.play(Cause::RolledBack { t, back: t, reason })?;
        }
        self.play(cause)?;
        tracing::info!(game = %self.game, "a roll was thrown again");
        match self.campaign().charter().terms.approval {
            Some(_) => self.draft()?,
            None => self.go_on()?,
        }
        self.tell_witnesses(before)?;
        Ok(true)
    }
}
