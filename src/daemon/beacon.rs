//! A game whose dice wait for a public beacon: its turns are closed and told of before the beacon's round, and run once its value is
//! there. Nobody can choose another round, and nothing but that value lets the turn run.

use super::HostError;
use super::frame::ToSeat;
use super::games::Games;
use super::mailroom::Clerk;
use super::notices::Note;
use super::rounds::Doing;
use musterd_desk::campaign::Awaited;
use musterd_desk::mail::Kind;
use musterd_dice::{GameId, orders_root};
use musterd_engine::journal::{Cause, Player};
use musterd_report::letters::{self, Notice};
use musterd_store::Step;

/// How long after a look that was in vain the next one is, in seconds.
const AGAIN: i64 = 15;
/// How long after its time a value that has not come is told of, in seconds.
const LATE: i64 = 3600;

impl Games {
    /// Closes the open window and adjudicates: close, events, the next window, and everybody's dispatch, in one step. Where the dice
    /// wait for a beacon it is the close, and everybody's notice of it.
    pub(super) fn adjudicate(&mut self, game: &GameId, reason: Option<&str>) -> Result<Step, HostError> {
        let mut step = self.step(game)?;
        self.adjudicate_in(game, reason, &mut step)?;
        Ok(step)
    }

    /// The same as a part of a step.
    pub(super) fn adjudicate_in(
        &mut self,
        game: &GameId,
        reason: Option<&str>,
        step: &mut Step,
    ) -> Result<(), HostError> {
        let before = step.entries.len();
        self.close(game, reason, step)?;
        let Some(awaited) = self.campaign(game)?.awaited() else {
            self.throw(game, step)?;
            return self.tell_witnesses(game, step, before);
        };
        self.mail(game, step, |clerk| clerk.close_notices(&awaited))?;
        tracing::info!(%game, t = awaited.t, round = awaited.round, due = awaited.due, "closed, and waits for the beacon");
        self.tell_witnesses(game, step, before)
    }

    fn close(&mut self, game: &GameId, reason: Option<&str>, step: &mut Step) -> Result<(), HostError> {
        let now = self.now();
        let campaign = self.campaign(game)?;
        // The round is counted from the last deadline. One that is long over would make it a round that is known already.
        let counts = campaign.charter().beacon.is_some()
            && campaign.window().is_some_and(|window| window.deadline != Some(now));
        if let Some(reason) = reason.or(counts.then_some("closed")) {
            let cause = campaign.rescheduling(now, reason);
            cause.into_iter().try_for_each(|cause| self.play(game, step, cause))?;
        }
        let secrets = self.chain(game)?;
        let cause = self.campaign(game)?.closing(&secrets).map_err(|e| HostError::campaign(game, e))?;
        self.play(game, step, cause)
    }

    /// Throws the dice of the window that has closed, and goes on.
    fn throw(&mut self, game: &GameId, step: &mut Step) -> Result<(), HostError> {
        let secrets = self.chain(game)?;
        let campaign = self.campaign(game)?;
        let cause = campaign.adjudication(&secrets).map_err(|e| HostError::campaign(game, e))?;
        let approval = campaign.charter().terms.approval;
        self.play(game, step, cause)?;
        match approval {
            Some(_) => self.draft(game, step),
            None => self.go_on(game, step),
        }
    }

    /// Runs a closed turn, if the beacon's value is there; else nothing comes of it but another look a little later, and a word to
    /// all, once, if it is late.
    pub(super) fn run_by_beacon(
        &mut self,
        game: &GameId,
        awaited: &Awaited,
        now: i64,
    ) -> Result<Doing, HostError> {
        let found = self.beacons().look(&awaited.beacon, awaited.round);
        let shining = found.map(|beacon| self.campaign(game).map(|campaign| campaign.shining(beacon)));
        match shining {
            Ok(cause) => {
                let mut step = self.step(game)?;
                let Some(cause) = cause? else { return Ok(Doing::default()) };
                self.play(game, &mut step, cause)?;
                self.throw(game, &mut step)?;
                self.tell_witnesses(game, &mut step, 0)?;
                Ok(Doing { steps: vec![step], runs: true, goes_on: true, again: None })
            }
            Err(why) => {
                if self.may_say(&format!("{game} beacon {}", awaited.round), now) {
                    tracing::warn!(%game, t = awaited.t, round = awaited.round, why, "the beacon's value is not there yet");
                }
                let is_late = now >= awaited.due.saturating_add(LATE);
                let told = if is_late { self.tell_late_beacon(game, awaited)? } else { None };
                Ok(Doing { steps: told.into_iter().collect(), again: Some(now + AGAIN), ..Doing::default() })
            }
        }
    }

    fn tell_late_beacon(&mut self, game: &GameId, awaited: &Awaited) -> Result<Option<Step>, HostError> {
        let Awaited { t, beacon, round, .. } = awaited;
        let told = format!("{game}/beacon/{t}");
        if self.books.seen(&told)? {
            return Ok(None);
        }
        let mut step = self.step(game)?;
        step.seen.push(told);
        let text = format!("turn {t} waits for round {round} of {beacon}, which has not come");
        self.play(game, &mut step, Cause::Noted { text })?;
        self.mail(game, &mut step, |clerk| {
            let late = format!(
                "Turn {t} is closed, and its dice wait for round {round} of the public beacon {beacon}. The host has not got its value, an \
                 hour after its time. The turn runs when it is there: nobody can put another round in its place, not even the GM."
            );
            let to_gm = format!(
                "`beacon` in the host's configuration says where values come from; its log says what is wrong. The value of round {round} \
                 can be put there by hand at any time: it is the same for ever."
            );
            clerk.to_all(|_, _| Note::new("the dice wait for the beacon", vec![late.clone()]))?;
            clerk.notice("a beacon has not come", vec![late.clone(), to_gm])
        })?;
        Ok(Some(step))
    }
}

impl Clerk<'_> {
    /// What the dice of a closed turn are bound to, to every person in the game, before anybody can know them.
    fn close_notices(&mut self, awaited: &Awaited) -> Result<(), HostError> {
        let campaign = self.campaign;
        let Some(leaves) = campaign.closed_leaves() else { return Ok(()) };
        let Awaited { t, beacon, round, due, .. } = awaited;
        let root = orders_root(&campaign.charter().game, *t, leaves);
        for (seat, player) in &campaign.charter().players {
            if !matches!(player, Player::Mail { .. }) {
                continue;
            }
            let at = self.time(Some(seat), *due);
            let notice = Notice {
                game: Some(campaign.charter().game.clone()),
                subject: format!("turn {t} is closed"),
                paragraphs: vec![
                    format!(
                        "The orders for {} are closed. The dice of t {t} are bound to them, one leaf a seat, and to a round of a public \
                         beacon that comes on {at}: until then nobody can know them. Then the turn runs, and your dispatch follows. No \
                         orders are taken meanwhile.",
                        campaign.wait_title()
                    ),
                    "Keep this mail. If it came to you before that time, the host could choose neither the orders nor the dice."
                        .to_owned(),
                ],
                lines: format!("{}  {beacon}, round {round}\n", letters::leaves_in_lines(leaves, &root)),
                witness: campaign.witness(),
            };
            let message = letters::notice(&self.templates, &notice);
            let mail = ToSeat::new(*t, Kind::Notice, campaign.entries(), message);
            self.to_seat(seat, mail)?;
        }
        Ok(())
    }
}
