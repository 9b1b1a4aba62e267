//! What follows an adjudication, and what was told of one.

use crate::HostError;
use crate::decisions::sitting::Sitting;
use crate::games::Games;
use crate::mails::enclosures::{AUDIT_ENDING, Audit, Shape};
use musterd_desk::audit::audit_file;
use musterd_desk::past::{PastTurn, past_turn};
use musterd_desk::reveal::revealed;
use musterd_dice::{GameId, Seat};

/// How large an audit file may be to go with a dispatch, in bytes: what can't be left out of a mail has to stay below what the
/// store takes.
const LARGEST_AUDIT: usize = 100_000;

impl Games {
    /// What a seat was told after an adjudication, the last one or that of a past turn: its subject, and it in this shape.
    pub(crate) fn report(
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

impl Sitting<'_> {
    /// After an adjudication: what is now revealed, the next window, and everybody's dispatch.
    pub(crate) fn go_on(&mut self) -> Result<(), HostError> {
        let reveals = self.reveal_by_terms()?;
        self.open_window()?;
        self.report_to_all(reveals)?;
        self.take_left_orders()?;
        self.mind_contact()
    }

    /// Everybody's dispatch, or the last report where the game is over; with the audit file where something was revealed.
    pub(crate) fn report_to_all(&mut self, reveals: bool) -> Result<(), HostError> {
        let seats: Vec<Seat> = self.campaign().charter().players.keys().cloned().collect();
        let bound = self.bind_reports(&seats)?;
        let is_over = self.campaign().results().is_some();
        let audit = if reveals || is_over { self.audit_so_far()? } else { None };
        self.mail_with(audit.as_ref(), |clerk| {
            let campaign = clerk.campaign;
            // The end of a game that was rolled back had dispatches of its own for the same number. Those of an end without the rules don't come right
            // behind the dice that they tell of, as those of number 0 do.
            let is_first = campaign.correction().is_none() && !campaign.was_cut_short();
            let n = if is_first { 0 } else { campaign.entries() };
            clerk.dispatches(bound, n)?;
            clerk.computer_orders()
        })?;
        Ok(())
    }

    /// Opens the next window of a campaign: deadline, sealed orders of computer players, or the end.
    pub(crate) fn open_window(&mut self) -> Result<(), HostError> {
        let (now, zone) = (self.now(), self.config.zone.clone());
        let secrets = self.chain()?;
        let campaign = self.campaign();
        let at = campaign.first_deadline(now, &zone);
        let cause = campaign.opening(&secrets, at).map_err(|e| HostError::campaign(&self.game, e))?;
        self.play(cause)?;
        // Nobody knows this deadline yet: where somebody is away, the dispatch says why it is a later one.
        let campaign = self.campaign();
        let later = campaign.later_deadline(&zone);
        let cause = later.and_then(|(at, reason)| campaign.rescheduling(at, reason));
        cause.map_or(Ok(()), |cause| self.play(cause))
    }

    /// The audit file of a game as far as it is revealed, with the log as far as all were told of it; none where nothing is.
    pub(crate) fn audit_so_far(&mut self) -> Result<Option<Audit>, HostError> {
        if self.campaign().revealed() == 0 {
            return Ok(None);
        }
        let campaign = self.campaign();
        // Of a game that is over nothing is hidden any more.
        let told = match campaign.results() {
            Some(_) => campaign.entries(),
            None => campaign.shared().map_or(0, |shared| shared.entries),
        };
        let (entries, secrets) = (self.entries()?, self.chain()?);
        let entries = &entries[..entries.len().min(usize::try_from(told).unwrap_or(usize::MAX))];
        let mut file = audit_file(entries, &secrets, revealed(entries));
        let mut text = file.to_json();
        if text.len() > LARGEST_AUDIT {
            // What plays the game again is large, and no die depends on it.
            file.replay = None;
            text = file.to_json();
        }
        let text = Some(text).filter(|text| text.len() <= LARGEST_AUDIT);
        Ok(Some(Audit { name: format!("{}{AUDIT_ENDING}", self.game), text }))
    }
}
