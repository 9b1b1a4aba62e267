//! A game whose dice wait for a public beacon: its turns are closed and told of before the beacon's round, and run once its value is
//! there. Nobody can choose another round, and nothing but that value lets the turn run.

use crate::HostError;
use crate::decisions::sitting::Sitting;
use crate::decisions::time::rounds::Doing;
use crate::mails::frame::ToSeat;
use crate::mails::mailroom::Clerk;
use crate::mails::notices::PlayerNotice;
use musterd_desk::campaign::{Awaited, NotTheBeacons};
use musterd_desk::mail::Kind;
use musterd_dice::{BeaconPolicy, orders_root};
use musterd_engine::journal::{Cause, Player};
use musterd_report::letters::{self, Notice};

/// How long after a look that was in vain the next one is, in seconds.
const AGAIN: i64 = 15;
/// How long after its time a value that has not come is told of, in seconds.
const LATE: i64 = 3600;

/// Why a turn can't run by its beacon yet.
#[derive(Debug, thiserror::Error)]
enum NoValue {
    /// There is none.
    #[error("{0}")]
    NotThere(String),
    /// What is there isn't the beacon's.
    #[error("{0}")]
    Refused(NotTheBeacons),
}

impl Sitting<'_> {
    /// Runs a closed turn, if the beacon's value is there; else nothing comes of it but another look a little later, and a word to
    /// all, once, if it is late.
    pub(crate) fn run_by_beacon(mut self, awaited: &Awaited, now: i64) -> Result<Doing, HostError> {
        match self.ask_beacon(awaited) {
            Ok(None) => Ok(Doing::default()),
            Ok(Some(cause)) => {
                self.play(cause)?;
                self.throw()?;
                self.tell_witnesses(0)?;
                self.close();
                Ok(Doing { runs: true, goes_on: true, ..Doing::default() })
            }
            Err(why) => {
                let (game, t, round) = (self.game.clone(), awaited.t, awaited.round);
                let (about, said) = match &why {
                    NoValue::NotThere(_) => ("beacon", "the beacon's value is not there yet"),
                    NoValue::Refused(_) => (
                        "refused beacon",
                        "a value that is not the beacon's was refused, and is asked for again",
                    ),
                };
                if self.games.may_say(&format!("{game} {about} {round}"), now) {
                    tracing::warn!(%game, t, round, %why, "{said}");
                }
                if now >= awaited.due.saturating_add(LATE) {
                    self.tell_late_beacon(awaited)?;
                }
                Ok(Doing { again: Some(now + AGAIN), ..Doing::default() })
            }
        }
    }

    /// The value that a closed turn waits for, as a cause for the journal; none if it waits no more.
    fn ask_beacon(&mut self, awaited: &Awaited) -> Result<Option<Cause>, NoValue> {
        let value = self.games.beacons().look(&awaited.policy.name, awaited.round);
        let value = value.map_err(NoValue::NotThere)?;
        self.campaign().shining(value).map_err(NoValue::Refused)
    }

    /// Closes the open window and adjudicates: close, events, the next window, and everybody's dispatch. Where the dice
    /// wait for a beacon it is the close, and everybody's notice of it.
    pub(crate) fn adjudicate(&mut self, reason: Option<&str>) -> Result<(), HostError> {
        let before = self.step.entries.len();
        self.close_turn(reason)?;
        let Some(awaited) = self.campaign().awaited() else {
            self.throw()?;
            return self.tell_witnesses(before);
        };
        self.mail(|clerk| clerk.close_notices(&awaited))?;
        tracing::info!(game = %self.game, t = awaited.t, round = awaited.round, due = awaited.due, "closed, and waits for the beacon");
        self.tell_witnesses(before)
    }

    fn close_turn(&mut self, reason: Option<&str>) -> Result<(), HostError> {
        let now = self.now();
        let campaign = self.campaign();
        // The round is counted from the last deadline. One that is long over would make it a round that is known already.
        let counts = campaign.charter().beacon.is_some()
            && campaign.window().is_some_and(|window| window.deadline != Some(now));
        if let Some(reason) = reason.or(counts.then_some("closed")) {
            let cause = campaign.rescheduling(now, reason);
            cause.into_iter().try_for_each(|cause| self.play(cause))?;
        }
        let secrets = self.chain()?;
        let cause = self.campaign().closing(&secrets).map_err(|e| HostError::campaign(&self.game, e))?;
        self.play(cause)
    }

    /// Throws the dice of the window that has closed, and goes on.
    fn throw(&mut self) -> Result<(), HostError> {
        let secrets = self.chain()?;
        let campaign = self.campaign();
        let cause = campaign.adjudication(&secrets).map_err(|e| HostError::campaign(&self.game, e))?;
        let approval = campaign.charter().terms.approval;
        self.play(cause)?;
        match approval {
            Some(_) => self.draft(),
            None => self.go_on(),
        }
    }

    fn tell_late_beacon(mut self, awaited: &Awaited) -> Result<(), HostError> {
        let Awaited { t, policy: BeaconPolicy { name: beacon, .. }, round, .. } = awaited;
        let told = format!("{}/beacon/{t}", self.game);
        if !self.is_first(told)? {
            return Ok(());
        }
        let text = format!("turn {t} waits for round {round} of {beacon}, which has not come");
        self.play(Cause::Noted { text })?;
        self.mail(|clerk| {
            let late = format!(
                "Turn {t} is closed, and its dice wait for round {round} of the public beacon {beacon}. The host has not got its value, an \
                 hour after its time. The turn runs when it is there: nobody can put another round in its place, not even the GM."
            );
            let to_gm = format!(
                "`beacon` in the host's configuration says where values come from; its log says what is wrong. The value of round {round} \
                 can be put there by hand at any time: it is the same for ever."
            );
            clerk.tell_all(|_, _| PlayerNotice::new("the dice wait for the beacon", vec![late.clone()]))?;
            clerk.notice("a beacon has not come", vec![late.clone(), to_gm])
        })?;
        self.close();
        Ok(())
    }
}

impl Clerk<'_> {
    /// What the dice of a closed turn are bound to, to every person in the game, before anybody can know them.
    fn close_notices(&mut self, awaited: &Awaited) -> Result<(), HostError> {
        let campaign = self.campaign;
        let Some(leaves) = campaign.closed_leaves() else { return Ok(()) };
        let Awaited { t, policy: BeaconPolicy { name: beacon, .. }, round, due, .. } = awaited;
        let root = orders_root(&campaign.charter().game, *t, leaves);
        let Some(witness) = campaign.witness() else { return Ok(()) };
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
                witness: Some(witness.clone().into()),
            };
            let message = letters::notice(&self.templates, &notice);
            let mail = ToSeat::new(*t, Kind::Notice, campaign.entries(), message);
            self.mail_seat(seat, mail.showing(witness.clone()))?;
        }
        Ok(())
    }
}
