//! What players ask of the host by mail: each command is carried out or refused, and answered.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;

use super::HostError;
use super::host::{Batch, Host};
use super::incoming::Incoming;
use super::mailroom::{About, Draft, Mailroom};
use crate::desk::calendar;
use crate::dice::{Digest, Seat};
use crate::engine::journal::{Arrangement, Author, Cause, Change};
use crate::letter::{Command, Given, Kind, Span};
use crate::report::answer::{self, Answer, Answered};
use crate::report::span_in_words;
use crate::store::{Packet, Step};

/// How many mails with commands a seat is answered in a day.
const MOST_MAILS: u32 = 50;
/// Seconds in a day.
const DAY: i64 = 24 * 3600;

/// What came of a command.
pub(super) enum Outcome {
    /// It was done, or answered: a paragraph each.
    Done(Vec<String>),
    /// It could not be: why, and what to do.
    Wrong(String),
}

impl Outcome {
    fn done(paragraph: impl Into<String>) -> Self {
        Self::Done(vec![paragraph.into()])
    }
}

impl Host {
    /// Carries out the commands of a seat's player, in the order given, and answers them all in one mail.
    pub(super) fn obey_player(
        &mut self,
        mail: &Incoming<'_>,
        seat: &Seat,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<(), HostError> {
        if mail.commands.is_empty() || !self.is_first(mail.commands_key(seat), step, batch)? {
            return Ok(());
        }
        if !self.may_command_again(mail, seat, step, batch)? {
            tracing::warn!(game = %mail.game, %seat, "too many mails with commands today: this one is not answered");
            return Ok(());
        }
        let mut items = Vec::new();
        for Given { line, command } in &mail.commands {
            let outcome = match command {
                Ok(command) => self.obey_one(mail, seat, command, step)?,
                Err(fault) => Outcome::Wrong(format!("This command can't be read: {fault}.")),
            };
            tracing::info!(game = %mail.game, %seat, line, "command");
            let (wrong, paragraphs) = match outcome {
                Outcome::Done(paragraphs) => (false, paragraphs),
                Outcome::Wrong(why) => (true, vec![why]),
            };
            items.push(Answered { line: line.clone(), wrong, paragraphs });
        }
        self.move_deadline(mail.game, step)?;
        let answer = self.about(mail.game, |mailroom, about| mailroom.answer(about, seat, items, mail))?;
        step.packets.extend(answer);
        Ok(())
    }

    fn may_command_again(
        &self,
        mail: &Incoming<'_>,
        seat: &Seat,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<bool, HostError> {
        let day = self.clock.now().div_euclid(DAY);
        for n in 0..MOST_MAILS {
            if self.is_first(format!("{}/{seat}/commands/{day}/{n}", mail.game), step, batch)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn obey_one(
        &mut self,
        mail: &Incoming<'_>,
        seat: &Seat,
        command: &Command,
        step: &mut Step,
    ) -> Result<Outcome, HostError> {
        Ok(match command {
            Command::Absent { from, until } => self.absent(mail, seat, *from, *until, step)?,
            Command::Back => {
                let now = self.clock.now();
                let change = Change::Absent { seat: seat.clone(), from: now, until: now };
                self.arrange(mail, seat, step, change, format!("{seat} is back"))?;
                Outcome::done("Welcome back: your absence is struck out.")
            }
            Command::Extend(span) => self.vote(mail, seat, *span, step)?,
            Command::Zone(zone) => self.set_zone(mail, seat, zone, step)?,
            _ => Outcome::Wrong("This host doesn't know that command.".to_owned()),
        })
    }

    /// Journals what a player settled.
    fn arrange(
        &mut self,
        mail: &Incoming<'_>,
        seat: &Seat,
        step: &mut Step,
        change: Change,
        text: String,
    ) -> Result<(), HostError> {
        let campaign = self.campaign(mail.game)?;
        let t = campaign.window().map_or(campaign.next_t(), |window| window.t);
        let by = Author::Seat { seat: seat.clone() };
        self.play(mail.game, step, Cause::Arranged(Arrangement { t, by, change, text }))
    }

    fn absent(
        &mut self,
        mail: &Incoming<'_>,
        seat: &Seat,
        from: Option<Date>,
        until: Date,
        step: &mut Step,
    ) -> Result<Outcome, HostError> {
        let now = self.clock.now();
        // The last day is a day away, to its end.
        let (Some(first), Some(last)) = (
            from.map_or(Some(now), |day| midnight(day, mail.zone)),
            until.tomorrow().ok().and_then(|day| midnight(day, mail.zone)),
        ) else {
            return Ok(Outcome::Wrong("This day is not in the calendar.".to_owned()));
        };
        if last <= now || last <= first {
            return Ok(Outcome::Wrong(
                "An absence ends in the future, and not before it begins. Nothing was noted.".to_owned(),
            ));
        }
        let change = Change::Absent { seat: seat.clone(), from: first, until: last };
        self.arrange(mail, seat, step, change, format!("{seat} will be away"))?;
        let most = span_in_words(i64::from(self.campaign(mail.game)?.charter().terms.extension));
        Ok(Outcome::done(format!(
            "You are away until {} {until}. A deadline for which your orders are missing then is moved to a day after your return, \
             by {most} at most. BACK strikes this out.",
            until.weekday_name()
        )))
    }

    fn vote(
        &mut self,
        mail: &Incoming<'_>,
        seat: &Seat,
        span: Span,
        step: &mut Step,
    ) -> Result<Outcome, HostError> {
        let campaign = self.campaign(mail.game)?;
        let Some(deadline) = campaign.window().and_then(|window| window.deadline) else {
            return Ok(Outcome::Wrong("No deadline is set, so there is nothing to extend.".to_owned()));
        };
        let until = match span {
            Span::Minutes(minutes) => deadline + i64::from(minutes) * 60,
            Span::Until(at) => {
                let at = TimeZone::get(mail.zone).ok().and_then(|zone| at.to_zoned(zone).ok());
                at.map_or(0, |at| at.timestamp().as_second())
            }
        };
        if until <= deadline {
            return Ok(Outcome::Wrong("That is no later than the present deadline.".to_owned()));
        }
        let change = Change::Voted { seat: seat.clone(), until };
        self.arrange(mail, seat, step, change, format!("{seat} asks for more time"))?;
        let campaign = self.campaign(mail.game)?;
        let (needed, voices) = campaign.majority();
        let votes = campaign.life().hours.votes.len();
        let when = calendar::zoned(until, mail.zone).strftime("%A %-d %B, %H:%M %Z").to_string();
        Ok(Outcome::done(format!(
            "You ask for time until {when}. {votes} of {voices} players ask for more time; {needed} are needed."
        )))
    }

    fn set_zone(
        &mut self,
        mail: &Incoming<'_>,
        seat: &Seat,
        zone: &str,
        step: &mut Step,
    ) -> Result<Outcome, HostError> {
        let Ok(found) = TimeZone::get(zone) else {
            return Ok(Outcome::Wrong(format!(
                "`{zone}` is no time zone: write its name as Europe/Vienna or America/New_York."
            )));
        };
        let zone = found.iana_name().unwrap_or(zone).to_owned();
        let now = calendar::zoned(self.clock.now(), &zone).strftime("%A, %H:%M %Z").to_string();
        let change = Change::Zone { seat: seat.clone(), zone: zone.clone() };
        self.arrange(mail, seat, step, change, format!("{seat} is told times in another zone"))?;
        Ok(Outcome::done(format!("You are told times in {zone} from now on; there it is {now}.")))
    }
}

/// The beginning of a day in a zone, unix seconds.
fn midnight(day: Date, zone: &str) -> Option<i64> {
    let zone = TimeZone::get(zone).ok()?;
    Some(day.to_datetime(Time::MIN).to_zoned(zone).ok()?.timestamp().as_second())
}

/// The name of a day.
trait WeekdayName {
    fn weekday_name(&self) -> String;
}

impl WeekdayName for Date {
    fn weekday_name(&self) -> String {
        self.strftime("%A").to_string()
    }
}

impl Mailroom {
    /// The answer to a player's commands.
    fn answer(
        &self,
        about: &About<'_>,
        seat: &Seat,
        items: Vec<Answered>,
        mail: &Incoming<'_>,
    ) -> Result<Option<Packet>, HostError> {
        let campaign = about.campaign;
        let Some(to) = self.address_of(campaign, seat) else { return Ok(None) };
        let wrong = items.iter().filter(|item| item.wrong).count();
        let subject = match (items.len(), wrong) {
            (1, 0) => "your command".to_owned(),
            (n, 0) => format!("your {n} commands"),
            (1, _) => "[ERRORS] your command".to_owned(),
            (n, wrong) => format!("[ERRORS] {wrong} of your {n} commands"),
        };
        let game = &campaign.charter().game;
        let answer = Answer { game: Some(game.clone()), subject, items, witness: campaign.witness() };
        let t = campaign.window().map_or(campaign.next_t(), |w| w.t);
        let (id, message_id) = self.id(about, t, seat, Kind::Answer, number_of(mail.name));
        let answered = mail.letter.message_id.clone();
        let draft = Draft {
            id,
            to: vec![to],
            reply_to: Some(self.addressee(about, seat).reply_to),
            message_id,
            in_reply_to: answered.clone(),
            references: std::iter::once(self.thread(about, seat)).chain(answered).collect(),
            kind: Kind::Answer,
            game: Some(game),
            seat: Some(seat),
            message: answer::answer(&self.templates, &answer),
            attachments: Vec::new(),
            stale_after: Some(about.now + 2 * DAY),
        };
        self.packet(draft, about.now).map(Some)
    }
}

/// A number for a mail, the same whenever it is looked at: commands that only ask leave no other mark in the journal.
fn number_of(mail: &str) -> u64 {
    let digest = Digest::of(mail.as_bytes());
    digest.as_bytes().iter().take(6).fold(0, |number, byte| number << 8 | u64::from(*byte))
}
