//! Recall: a turn that would run because all are ready waits a short while, and a mail of a player who is asked stops it.

use crate::HostError;
use crate::books::batch::Batch;
use crate::decisions::sitting::Sitting;
use crate::games::Games;
use crate::mails::mailroom::Clerk;
use crate::mails::notices::PlayerNotice;
use musterd_desk::calendar;
use musterd_dice::{GameId, Seat};
use musterd_engine::journal::{Author, Change};

impl Games {
    /// After a mail or the GM's commands: runs the open turn where all are ready and it need not wait.
    pub(crate) fn run_if_ready(&mut self, game: &GameId, batch: &mut Batch) -> Result<(), HostError> {
        Sitting::begin(self, game, batch)?.stand_by()?;
        if self.campaign(game)?.runs_at_once() {
            Sitting::run_now(self, game, "ready", batch)?;
        }
        Ok(())
    }

    /// The games that wait so, a sentence each.
    pub(crate) fn recalls_in_words(&mut self) -> Result<Vec<String>, HostError> {
        let games = self.docket().iter().filter(|(_, docket)| docket.recall.is_some());
        let games: Vec<GameId> = games.map(|(game, _)| game.clone()).collect();
        let zone = self.config.zone.clone();
        let mut lines = Vec::new();
        for game in games {
            let campaign = self.campaign(&game)?;
            let Some((at, window)) = campaign.runs_at().zip(campaign.window()) else { continue };
            let at = calendar::zoned(at, campaign.zone(None, &zone)).strftime("%a %-d %b %Y %H:%M %Z");
            lines.push(format!(
                "{game}: all are ready. Turn {} waits until {at}, in case a mail stops it, and runs when this command is called after that.",
                window.t
            ));
            self.trim();
        }
        Ok(lines)
    }
}

impl Sitting<'_> {
    /// What becomes of the wait, as a step of its own; whether something does.
    pub(crate) fn stand_by(mut self) -> Result<bool, HostError> {
        self.mind_recall(false)?;
        let is_any = !self.step.entries.is_empty();
        if is_any {
            self.close();
        }
        Ok(is_any)
    }

    /// Lets the open turn go on without those who are ready until contact and have nothing in reach; the others are told that their orders are
    /// wanted.
    pub(crate) fn mind_contact(&mut self) -> Result<(), HostError> {
        for (seat, contact) in self.campaign().until_contact() {
            let Some(contact) = contact else {
                let text = format!("{seat} goes on without a mail");
                self.arrange(Author::Host, Change::GoesOn { seat }, text)?;
                continue;
            };
            self.ask_again(&seat, &contact)?;
        }
        Ok(())
    }

    /// Waits again for those who went on without a mail and have something in reach, since the GM changed the position.
    pub(crate) fn mind_changed_contact(&mut self) -> Result<(), HostError> {
        for (seat, contact) in self.campaign().contact_since() {
            let text = format!("{seat} is asked for orders again");
            self.arrange(Author::Host, Change::Asked { seat: seat.clone() }, text)?;
            self.ask_again(&seat, &contact)?;
        }
        Ok(())
    }

    /// Tells a seat that was ready until contact what is in reach now.
    pub(crate) fn ask_again(&mut self, seat: &Seat, contact: &str) -> Result<(), HostError> {
        let told = vec![
            format!("You were READY UNTIL CONTACT. Now there is {contact}, and your orders are wanted again."),
            "Answer the newest dispatch. READY UNTIL CONTACT in a set lets the turns go on without you once more.".to_owned(),
        ];
        self.mail(|clerk| clerk.note(seat, PlayerNotice::new("your orders are wanted", told)))
    }

    /// Lets the wait begin, begin anew or end, as what has just happened asks for; `anew` where it is other orders of somebody who is
    /// asked. When the turn was to run, where that is stopped.
    pub(crate) fn mind_recall(&mut self, anew: bool) -> Result<Option<i64>, HostError> {
        let now = self.now();
        let campaign = self.campaign();
        let before = campaign.runs_at();
        let Some(cause) = campaign.recalling(now, anew) else { return Ok(None) };
        self.play(cause)?;
        match self.campaign().runs_at() {
            Some(until) => {
                tracing::info!(game = %self.game, until, "all are ready: the turn waits for a mail that stops it");
                Ok(None)
            }
            None => {
                tracing::info!(game = %self.game, "the turn that was about to run is stopped");
                Ok(before)
            }
        }
    }

    /// The same for a mail of this seat's that is no set of orders: its player is ready no more.
    pub(crate) fn stop_by(&mut self, seat: &Seat) -> Result<Option<i64>, HostError> {
        let campaign = self.campaign();
        if !campaign.is_stopped_by(seat) {
            return Ok(None);
        }
        let by = Author::Seat { seat: seat.clone() };
        let (change, text) =
            (Change::Unready { seat: seat.clone() }, format!("{seat} is not ready any more"));
        self.arrange(by, change, text)?;
        self.mind_recall(false)
    }
}

impl Clerk<'_> {
    /// That a mail has stopped the turn that was to run `at` this time.
    pub(crate) fn stopped(&self, seat: &Seat, at: i64) -> String {
        format!(
            "All were ready, and the turn was about to run on {}. Your mail stopped it: it waits for its deadline, or for READY from you \
             again.",
            self.time(Some(seat), at)
        )
    }
}
