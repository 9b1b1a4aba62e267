//! A game that ends otherwise than by its rules: because all agree to a draw, or because its GM decides so.

use crate::HostError;
use crate::decisions::sitting::Sitting;
use crate::mails::notices::PlayerNotice;
use musterd_engine::journal::{Author, Change};

impl Sitting<'_> {
    /// Ends the game without its rules, with these results, one line for each side or one for all. An open turn never runs. All are sent their last
    /// reports with the audit file, as at an end by the rules; before any turn has run all are only told the results. `text` is the public
    /// log's line about it; it must not begin like another note of the log (`docs/dice.md`). The GM is not told.
    pub(crate) fn end_by(
        &mut self,
        by: Author,
        results: Vec<String>,
        text: impl Into<String>,
    ) -> Result<(), HostError> {
        let before = self.step.entries.len();
        let told = self.campaign().last().is_none().then(|| results.clone());
        self.arrange(by, Change::Ended { results }, text)?;
        match told {
            None => self.report_to_all(true)?,
            Some(told) => {
                self.mail(|clerk| {
                    clerk.tell_all(|_, _| PlayerNotice::new("the game is over", told.clone()))
                })?;
            }
        }
        tracing::info!(game = %self.game, "the game was ended");
        self.tell_witnesses(before)
    }
}
