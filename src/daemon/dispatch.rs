//! What follows an adjudication, and what was told of one.

use super::HostError;
use super::enclosures::{AUDIT_ENDING, Audit, Shape};
use super::games::Games;
use musterd_desk::audit::audit_file;
use musterd_desk::past::{PastTurn, past_turn};
use musterd_desk::reveal::revealed;
use musterd_dice::{GameId, Seat};
use musterd_store::Step;

/// How large an audit file may be to go with a dispatch, in bytes: what can't be left out of a mail has to stay below what the
/// store takes.
const LARGEST_AUDIT: usize = 100_000;

impl Games {
    /// After an adjudication: what is now revealed, the next window, and everybody's dispatch.
    pub(super) fn go_on(&mut self, game: &GameId, step: &mut Step) -> Result<(), HostError> {
        let reveals = self.reveal_by_terms(game, step)?;
        self.open_window(game, step)?;
        let is_over = self.campaign(game)?.results().is_some();
        let audit = if reveals || is_over { self.audit_so_far(game)? } else { None };
        self.mail_with(game, step, audit.as_ref(), |clerk| {
            clerk.dispatches()?;
            clerk.computer_orders()
        })?;
        Ok(())
    }

    /// The audit file of a game as far as it is revealed; none where nothing is.
    pub(super) fn audit_so_far(&mut self, game: &GameId) -> Result<Option<Audit>, HostError> {
        let campaign = self.campaign(game)?;
        if campaign.revealed() == 0 {
            return Ok(None);
        }
        let (entries, secrets) = (self.entries(game)?, self.chain(game)?);
        let mut file = audit_file(&entries, &secrets, revealed(&entries));
        let mut text = file.to_json();
        if text.len() > LARGEST_AUDIT {
            // What plays the game again is large, and no die depends on it.
            file.replay = None;
            text = file.to_json();
        }
        let text = Some(text).filter(|text| text.len() <= LARGEST_AUDIT);
        Ok(Some(Audit { name: format!("{game}{AUDIT_ENDING}"), text }))
    }

    /// What a seat was told after an adjudication, the last one or that of a past turn: its subject, and it in this shape.
    pub(super) fn report(
        &mut self,
        game: &GameId,
        seat: &Seat,
        turn: Option<&str>,
        shape: Shape,
    ) -> Result<(String, String), HostError> {
        self.seated(game, seat)?;
        let shown = match turn {
            None => self.about(game, |clerk| clerk.shown(seat, shape, None))?,
            Some(turn) => {
                let entries = self.books.entries(game)?;
                let PastTurn { t, upto, void } = past_turn(&entries, turn).ok_or_else(|| {
                    HostError::usage(format!("`{game}` has no adjudication `{turn}` behind it: give its number or its name, such as 3"))
                })?;
                let past = self.fold_past(game, &entries[..upto])?;
                let present = self.replace(game, past)?;
                let void = void.then_some(t);
                let shown = self.about(game, |clerk| clerk.shown(seat, shape, void));
                self.replace(game, present)?;
                shown?
            }
        };
        shown.ok_or_else(|| HostError::usage(format!("there is nothing to report of `{game}` yet")))
    }
}
