//! What time asks of the host: reminders, late and held turns, turns that run, dispatches that go out.

use std::collections::{BTreeMap, BTreeSet};

use crate::HostError;
use crate::books::batch::Batch;
use crate::decisions::sitting::Sitting;
use crate::games::Games;
use crate::games::docket::Docket;
use crate::mails::mailroom::Clerk;
use crate::mails::notices::{PlayerNotice, names};
use musterd_desk::calendar;
use musterd_desk::life::HELD;
use musterd_desk::timing::Due;
use musterd_dice::{Digest, GameId, Seat, Word};
use musterd_engine::journal::{Arrangement, Author, Carriage, Cause, Change, Entry, Matter, PressLetter};
use musterd_store::Step;
use musterd_text::nouns::count;

/// What the log says of a turn that is held for a mailbox.
const HELD_FOR_MAILBOX: &str = "turn held: a mailbox can't be reached";

/// Whether it is sure that orders which are not here are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Every mailbox was drained.
    Sure,
    /// A mailbox can't be reached, since this time by [`Clock::passed`]: orders may be waiting in it.
    ///
    /// [`Clock::passed`]: crate::clock::Clock::passed
    Unreached(i64),
    /// Mails are held that a rebuilt store doesn't know of: orders may be among them.
    MailsHeld,
    /// The clock has jumped: it may not be as late as it seems.
    ClockJumped,
}

/// What is done of what is due in a game.
#[derive(Default)]
pub(crate) struct Doing {
    /// To be committed.
    pub(crate) steps: Vec<Step>,
    /// Whether a turn runs by it.
    pub(crate) runs: bool,
    /// Whether something else may be due then.
    pub(crate) goes_on: bool,
    /// When this is to be looked at again, where that can't be told from the game; unix seconds.
    pub(crate) again: Option<i64>,
}

impl Games {
    /// What is due in a game at `now`, and is to be committed; called again after that, until nothing goes on. For whatever is later than
    /// `now` orders in time may still lie in a mailbox. Where that is in doubt nobody is called missing and a turn is held for the same reason: for a
    /// mailbox up to the configured limit; for mails that are held, and a clock in doubt, as long as they are.
    ///
    /// # Errors
    /// The store, or the game.
    pub(crate) fn look_after(&mut self, game: &GameId, now: i64, trust: Trust) -> Result<Doing, HostError> {
        let trust = if self.held().stop(game) { Trust::MailsHeld } else { trust };
        let Some(due) = self.campaign(game)?.due(now) else {
            let docket = Docket::now(self.campaign(game)?, now);
            self.put_off(game, docket);
            return Ok(Doing::default());
        };
        let mut batch = Batch::default();
        if let Some(deadline) = self.campaign(game)?.closes_at()
            && self.is_held(game, deadline, now, trust)?
        {
            if now >= deadline {
                Sitting::begin(self, game, &mut batch)?.tell_doubt(deadline, trust)?;
            }
            return Ok(Doing { steps: batch.steps, ..Doing::default() });
        }
        let doing = Sitting::begin(self, game, &mut batch)?.carry_out(due, now)?;
        tracing::debug!(%game, now, "done what was due");
        Ok(Doing { steps: batch.steps, ..doing })
    }

    /// Whether a turn with this deadline is held.
    fn is_held(&mut self, game: &GameId, deadline: i64, now: i64, trust: Trust) -> Result<bool, HostError> {
        let hold = i64::from(self.config.hold_hours) * 3600;
        Ok(match trust {
            Trust::Sure => false,
            // The limit can't be told by a clock that is in doubt itself.
            Trust::MailsHeld | Trust::ClockJumped => true,
            Trust::Unreached(_) if now < deadline + hold => true,
            // A host that was off over the deadline has not waited yet; the GM was told how long it will, whatever is restarted since.
            Trust::Unreached(since) => {
                self.held_since(game, deadline)?.is_none_or(|told| now < told + hold)
                    && self.clock.passed() < since.saturating_add(hold)
            }
        })
    }

    /// When the GM was told that the turn with this deadline is held for a mailbox.
    fn held_since(&self, game: &GameId, deadline: i64) -> Result<Option<i64>, HostError> {
        let is_note =
            |entry: &&Entry| matches!(&entry.cause, Cause::Noted { text } if text == HELD_FOR_MAILBOX);
        let entries = self.entries(game)?;
        Ok(entries.iter().rev().take_while(|entry| entry.at >= deadline).find(is_note).map(|entry| entry.at))
    }
}

impl Sitting<'_> {
    /// Does what is due; the steps are in the batch.
    fn carry_out(mut self, due: Due, now: i64) -> Result<Doing, HostError> {
        let runs = matches!(due, Due::Run(_));
        match due {
            Due::Beacon(awaited) => return self.run_by_beacon(&awaited, now),
            Due::StandBy => return Ok(Doing { goes_on: self.stand_by()?, ..Doing::default() }),
            Due::Run(stand_ins) => self.run(&stand_ins),
            Due::Remind(seats) => self.remind(&seats),
            Due::TellLate(missing, until) => self.tell_late(&missing, until),
            Due::Hold(missing, until) => self.hold(&missing, until),
            Due::Excuse(missing, until) => self.excuse(&missing, until),
            Due::AskGm(missing) => self.ask_gm(&missing),
            Due::Unseal(commit) => self.unseal(&commit),
            Due::Release => self.release(Author::Host, ": the time to look at them is over"),
            Due::Show(t) => self.show(t),
        }?;
        self.close();
        Ok(Doing { goes_on: true, runs, ..Doing::default() })
    }

    /// Passes on a letter that was sealed until now.
    fn unseal(&mut self, commit: &Digest) -> Result<(), HostError> {
        let campaign = self.campaign();
        let t = campaign.window().map_or(0, |window| window.t);
        let Some(letter) = campaign.letters().waiting(commit).cloned() else { return Ok(()) };
        self.play(Cause::Unsealed { t, commit: *commit })?;
        let letter = PressLetter { carriage: Carriage::AtOnce, ..letter };
        self.mail(|clerk| clerk.press(&letter))
    }

    /// Runs a turn whose time is over; the computer orders for some of the missing.
    fn run(&mut self, stand_ins: &BTreeMap<Seat, Word>) -> Result<(), HostError> {
        self.stand_in(stand_ins)?;
        // A turn that was held back runs once nothing is missing any more, which the log calls a change of its deadline.
        let now = self.now();
        let campaign = self.campaign();
        let early = campaign.window().and_then(|window| window.deadline).is_some_and(|at| at > now);
        let reason = match campaign.runs_at() {
            Some(_) => Some("ready"),
            None => early.then_some("complete"),
        };
        self.adjudicate(reason)
    }

    /// Reminds seats of their orders, once for each deadline.
    fn remind(&mut self, seats: &BTreeSet<Seat>) -> Result<(), HostError> {
        self.tell(Matter::Reminder, seats)?;
        self.mail(|clerk| seats.iter().try_for_each(|seat| clerk.reminder(seat)))?;
        tracing::info!(game = %self.game, seats = seats.len(), "reminded");
        Ok(())
    }

    /// Tells everybody, once, that the turn waits for late orders.
    fn tell_late(&mut self, missing: &BTreeSet<Seat>, until: i64) -> Result<(), HostError> {
        self.tell(Matter::Late, missing)?;
        self.mail(|clerk| {
            let who = names(clerk.campaign, missing);
            clerk.tell_all(|clerk, seat| {
                let told = format!(
                    "The deadline has passed without orders from {}. The turn waits for them until {}; it runs as soon as they \
                     are here.",
                    who.listed(),
                    clerk.time(Some(seat), until)
                );
                PlayerNotice::new(format!("{} late", who.is_are()), vec![told])
            })
        })?;
        tracing::info!(game = %self.game, missing = missing.len(), "late orders told");
        Ok(())
    }

    /// Holds a turn back for missing orders, and tells everybody.
    fn hold(&mut self, missing: &BTreeSet<Seat>, until: i64) -> Result<(), HostError> {
        let who = names(self.campaign(), missing).listed();
        let why = format!(
            "The deadline has passed without orders from {who}, and this game doesn't go on without them."
        );
        self.hold_back(missing, until, &why, "it runs as soon as the orders are here")
    }

    /// Holds a turn back, once, for seats whose missed turn is excused, and tells everybody.
    fn excuse(&mut self, missing: &BTreeSet<Seat>, until: i64) -> Result<(), HostError> {
        let campaign = self.campaign();
        let who = names(campaign, missing).listed();
        let is_new = |seat: &&Seat| campaign.life().newcomers.contains(*seat);
        let new: BTreeSet<Seat> = missing.iter().filter(is_new).cloned().collect();
        let mut why = format!("The deadline has passed without orders from {who}.");
        if !new.is_empty() {
            why.push_str(&format!(" New in the game: {}.", names(campaign, &new).listed()));
        }
        if campaign.charter().terms.excused > 0 {
            let turns = count(campaign.charter().terms.excused, "missed turn");
            why.push_str(&format!(" Each player of this game is excused {turns}."));
        }
        self.hold_back(
            missing,
            until,
            &why,
            "it runs as soon as the orders are here, and at that time without them",
        )
    }

    fn hold_back(
        &mut self,
        missing: &BTreeSet<Seat>,
        until: i64,
        why: &str,
        then: &str,
    ) -> Result<(), HostError> {
        let zone = self.config.zone.clone();
        let campaign = self.campaign();
        let until = calendar::off_free_days(&campaign.charter().deadlines, until, &zone);
        let cause = campaign.rescheduling(until, HELD);
        cause.into_iter().try_for_each(|cause| self.play(cause))?;
        self.mail(|clerk| {
            let told = |clerk: &Clerk<'_>, seat: Option<&Seat>| {
                vec![format!("{why} The turn is held back until {}; {then}.", clerk.time(seat, until))]
            };
            let subject = "the turn is held back";
            clerk.tell_all(|clerk, seat| {
                PlayerNotice::new(subject, told(clerk, Some(seat))).with_deadline()
            })?;
            clerk.notice(subject, told(clerk, None))
        })?;
        tracing::info!(game = %self.game, missing = missing.len(), until, "held back");
        Ok(())
    }

    /// Asks the GM, once for each deadline, what is to become of missing players. The turn waits.
    fn ask_gm(&mut self, missing: &BTreeSet<Seat>) -> Result<(), HostError> {
        self.tell(Matter::Decision, missing)?;
        self.mail(|clerk| {
            let who = names(clerk.campaign, missing);
            let (t, game) = (clerk.open_turn(), &clerk.campaign.charter().game);
            let paragraphs = vec![
                format!(
                    "The time of turn {t} is over without orders from {}. The turn waits for you; it runs by itself only when the \
                     orders are here.",
                    who.listed()
                ),
                format!(
                    "Answer with PROCESS {t} to run it without them, EXTEND {t} 2d to give more time, or REPLACE and a seat to find \
                     another player. On the command line the same is `musterd gm {game} PROCESS {t}`."
                ),
            ];
            let (subject, then) = match clerk.campaign.charter().gm.is_empty() {
                false => ("the turn waits for the GM", "The GM decides how it goes on.".to_owned()),
                // Only a founding waits in a game without a GM: for players.
                true => ("the game waits for a player", format!("It begins when somebody has taken the free seat: JOIN {game}.")),
            };
            let told = format!("The time of this turn is over without orders from {}. {then}", who.listed());
            clerk.tell_all(|_, _| PlayerNotice::new(subject, vec![told.clone()]))?;
            clerk.notice("your decision is wanted", paragraphs)
        })?;
        tracing::info!(game = %self.game, missing = missing.len(), "the GM is asked");
        Ok(())
    }

    /// Tells the GM, once for each reason, that a turn waits because it is not sure what is missing.
    fn tell_doubt(mut self, deadline: i64, trust: Trust) -> Result<(), HostError> {
        let reason = match trust {
            Trust::Sure | Trust::Unreached(_) => "mailbox",
            Trust::MailsHeld => "mails",
            Trust::ClockJumped => "clock",
        };
        let told = format!("{}/held/{deadline}/{reason}", self.game);
        if !self.is_first(told)? {
            return Ok(());
        }
        let hours = self.config.hold_hours;
        let (note, paragraph) = match trust {
            Trust::ClockJumped => (
                "turn held: the clock jumped",
                "The clock of the host's machine has jumped, and the turn's time has come by it. The turn is held for a quarter \
                 of an hour, in case somebody sets the clock right. `musterd resolve` runs it now."
                    .to_owned(),
            ),
            Trust::MailsHeld => (
                "turn held: mails from before the store was rebuilt are to be read",
                "The turn's time has come, but the host was put back as it was at an earlier time, and mails that came since are held \
                 unread: orders may be among them. The turn is held until the operator has looked at them; `musterd health` says \
                 what to do. `musterd resolve` runs it now, without them."
                    .to_owned(),
            ),
            Trust::Sure | Trust::Unreached(_) => (
                HELD_FOR_MAILBOX,
                format!(
                    "The turn's time has come, but a mailbox can't be reached and orders may be waiting in it. The turn is held \
                     until it answers, for {hours} hours at most from now on. `musterd resolve` runs it now."
                ),
            ),
        };
        tracing::warn!(game = %self.game, note);
        // An entry would have its date of the clock that is in doubt.
        if trust != Trust::ClockJumped {
            self.play(Cause::Noted { text: note.to_owned() })?;
        }
        self.mail(|clerk| {
            clerk.notice_named(&format!("held/{deadline}/{reason}"), "turn held", vec![paragraph])
        })?;
        self.close();
        Ok(())
    }

    /// The computer gives the orders of these seats for the open turn, each by this level.
    pub(crate) fn stand_in(&mut self, seats: &BTreeMap<Seat, Word>) -> Result<(), HostError> {
        for (seat, level) in seats {
            let secrets = self.chain()?;
            let cause = self
                .campaign()
                .stand_in(&secrets, seat, level)
                .map_err(|e| HostError::campaign(&self.game, e))?;
            self.play(cause)?;
        }
        Ok(())
    }

    /// Moves the deadline of the open window where its players' votes or absences ask for that, and tells everybody.
    pub(crate) fn move_deadline(&mut self) -> Result<(), HostError> {
        let zone = self.config.zone.clone();
        let now = self.now();
        // The terms may allow no more than a time that is over.
        let later = self.campaign().later_deadline(&zone).filter(|(at, _)| *at > now);
        let Some((deadline, reason)) = later else { return Ok(()) };
        let why = match reason {
            "vote" => "A majority of the players asked for more time.",
            _ => "A player whose orders are wanted is away.",
        };
        self.reschedule(deadline, reason, why)
    }

    /// Moves the deadline of the open window, and tells everybody why.
    pub(crate) fn reschedule(&mut self, deadline: i64, reason: &str, why: &str) -> Result<(), HostError> {
        if self.set_deadline_to(deadline, reason)? {
            self.mail(|clerk| {
                clerk.tell_all(|clerk, seat| {
                    let told = vec![format!("{why} {}", clerk.taken_until(seat, deadline))];
                    PlayerNotice::new("another deadline", told).with_deadline()
                })
            })?;
        }
        Ok(())
    }

    /// Gives whoever has just taken a seat time for the open turn, if too little is left. The new deadline, which all are still to be
    /// told of.
    pub(crate) fn give_newcomer_time(&mut self, seat: &Seat) -> Result<Option<i64>, HostError> {
        let (zone, now) = (self.config.zone.clone(), self.now());
        let Some(deadline) = self.campaign().newcomer_deadline(seat, now, &zone) else {
            return Ok(None);
        };
        Ok(self.set_deadline_to(deadline, "newcomer")?.then_some(deadline))
    }

    /// Journals another deadline of the open window; whether one is open.
    fn set_deadline_to(&mut self, deadline: i64, reason: &str) -> Result<bool, HostError> {
        let Some(cause) = self.campaign().rescheduling(deadline, reason) else { return Ok(false) };
        self.play(cause)?;
        tracing::info!(game = %self.game, deadline, reason, "deadline moved");
        Ok(true)
    }

    /// Sends the dispatches of a turn that waited for the GM, and opens the next window.
    pub(crate) fn release(&mut self, by: Author, why: &str) -> Result<(), HostError> {
        let t = self.campaign().last().map_or(0, |last| last.t);
        let text = format!("dispatches of {t} released{why}");
        let before = self.step.entries.len();
        self.play(Cause::Arranged(Arrangement { t, by, change: Change::Released, text }))?;
        self.go_on()?;
        self.tell_witnesses(before)
    }

    fn tell(&mut self, matter: Matter, seats: &BTreeSet<Seat>) -> Result<(), HostError> {
        let cause = self.campaign().telling(matter, seats);
        cause.into_iter().try_for_each(|cause| self.play(cause))
    }
}
