//! What a player settles about the seat: when they are away, where they are written to, its secret, its orders, its end.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;

use super::Asking;
use super::wish::{Guest, MOST_ADDRESSES, Wish, mail_of};
use crate::HostError;
use crate::config::check_address;
use crate::decisions::sitting::Sitting;
use crate::mails::notices::{PlayerNotice, names};
use crate::packet_id::PacketId;
use crate::packet_id::number_of;
use crate::response::{About, Early, Responded, Response, done, wrong, wrong_at};
use musterd_desk::calendar;
use musterd_desk::mail::{SeatCommand, Span};
use musterd_dice::{Label, Seat};
use musterd_engine::journal::{Author, Change, Player};
use musterd_report::letters::Reason;
use musterd_report::span_in_words;
use musterd_report::text::sentence;

/// How many new addresses a seat can name in a day: each is written to.
const MOST_NEW_ADDRESSES: u32 = 5;

impl Asking<'_, '_> {
    /// Journals what a player settled.
    pub(super) fn settle(&mut self, change: Change, text: String) -> Result<(), HostError> {
        let by = Author::Seat { seat: self.seat.clone() };
        self.arrange(by, change, text)
    }

    pub(super) fn absent(&mut self, from: Option<Date>, until: Date) -> Responded {
        let (mail, seat) = (self.incoming, self.seat);
        let now = self.now();
        // The last day is a day away, to its end.
        let (Some(first), Some(last)) = (
            from.map_or(Some(now), |day| midnight(day, mail.zone)),
            until.tomorrow().ok().and_then(|day| midnight(day, mail.zone)),
        ) else {
            return wrong("This day is not in the calendar.");
        };
        if last <= now || last <= first {
            return wrong_at(
                until.to_string(),
                "An absence ends in the future, and not before it begins. Nothing was noted.",
            );
        }
        let change = Change::Absent { seat: seat.clone(), from: first, until: last };
        self.settle(change, format!("{seat} will be away"))?;
        let most = span_in_words(i64::from(self.campaign().charter().terms.extension));
        done(format!(
            "You are away until {} {until}. A deadline for which your orders are missing then is moved to a day after your return, \
             by {most} at most. BACK strikes this out.",
            until.strftime("%A")
        ))
    }

    pub(super) fn vote(&mut self, span: Span) -> Responded {
        let (mail, seat) = (self.incoming, self.seat);
        let now = self.now();
        let campaign = self.campaign();
        let Some(deadline) = campaign.window().and_then(|window| window.deadline) else {
            return wrong("No deadline is set, so there is nothing to extend.");
        };
        if !campaign.has_voice(seat) {
            return wrong("This turn wants no orders of yours, so you have no vote on its deadline.");
        }
        let until = match span {
            // A turn may be waiting beyond its deadline: the time that is asked for begins now.
            Span::Minutes(minutes) => deadline.max(now) + i64::from(minutes) * 60,
            Span::Until(at) => {
                let at = TimeZone::get(mail.zone).ok().and_then(|zone| at.to_zoned(zone).ok());
                at.map_or(0, |at| at.timestamp().as_second())
            }
        };
        if until <= deadline.max(now) {
            let present = calendar::zoned(deadline.max(now), mail.zone).strftime("%A %-d %B, %H:%M %Z");
            let what = if deadline < now { "it is now" } else { "the present deadline" };
            return wrong(format!("That is no later than {what}, {present}."))
                .map_err(|early: Early| early.at(About::Nth(2, 2)));
        }
        let change = Change::Voted { seat: seat.clone(), until };
        self.settle(change, format!("{seat} asks for more time"))?;
        let campaign = self.campaign();
        let (needed, voices) = campaign.majority();
        let votes = campaign.votes().len();
        let when = calendar::zoned(until, mail.zone).strftime("%A %-d %B, %H:%M %Z").to_string();
        done(format!(
            "You ask for time until {when}. {votes} of {voices} players ask for more time; {needed} are needed."
        ))
    }

    pub(super) fn set_zone(&mut self, zone: &str) -> Responded {
        let seat = self.seat;
        let Ok(found) = TimeZone::get(zone) else {
            return wrong_at(
                zone,
                format!("`{zone}` is no time zone: write its name as Europe/Vienna or America/New_York."),
            );
        };
        let zone = found.iana_name().unwrap_or(zone).to_owned();
        let now = calendar::zoned(self.now(), &zone).strftime("%A, %H:%M %Z").to_string();
        let change = Change::Zone { seat: seat.clone(), zone: zone.clone() };
        self.settle(change, format!("{seat} is told times in another zone"))?;
        done(format!("You are told times in {zone} from now on; there it is {now}."))
    }

    pub(super) fn back(&mut self) -> Responded {
        let seat = self.seat;
        let now = self.now();
        let change = Change::Absent { seat: seat.clone(), from: now, until: now };
        self.settle(change, format!("{seat} is back"))?;
        done("Welcome back: your absence is struck out.")
    }

    /// Takes back the orders for the open turn, if the mail came in time.
    pub(super) fn withdraw_orders(&mut self) -> Responded {
        let (mail, seat) = (self.incoming, self.seat);
        let campaign = self.campaign();
        match mail.in_time(campaign, seat) {
            Ok(()) => {}
            Err(Reason::OtherTurn { meant, open }) => {
                return wrong(format!(
                    "This mail answers one of turn {meant}, and turn {open} is open now. Answer the newest dispatch."
                ));
            }
            Err(Reason::Late { closed, .. } | Reason::Closed { closed, .. }) => {
                return wrong(format!(
                    "It came too late: the orders were closed on {closed} and stand as they are."
                ));
            }
            Err(_) => return wrong("No orders are taken now, so none can be taken back."),
        }
        if !campaign.window().is_some_and(|window| window.accepted.contains_key(seat)) {
            return wrong("There are no orders of yours for the open turn.");
        }
        let title = campaign.wait_title();
        self.withdraw_set(seat, (mail.name, mail.arrived))?;
        done(format!(
            "Your orders for {title} are taken back, as if you had sent none. New ones are taken until the deadline; standing orders \
             from before are still in force."
        ))
    }

    /// Asks a new address of the player whether it is theirs.
    pub(super) fn add_address(&mut self, address: &str) -> Responded {
        let (mail, seat) = (self.incoming, self.seat);
        if let Err(why) = check_address(address) {
            return wrong_at(address, format!("{why}."));
        }
        if self.is_own(address) {
            return wrong_at(address, "That is the address of this host.");
        }
        let addresses = self.campaign().addresses_of(seat).to_vec();
        if let Some(own) = addresses.iter().find(|own| own.eq_ignore_ascii_case(address)) {
            if self.campaign().is_failing(seat, own) {
                self.note_reached(seat, std::slice::from_ref(own))?;
                return done(format!("Mail to {own} came back. It is tried again from now on."));
            }
            return wrong_at(address, format!("{address} is registered already."));
        }
        if addresses.len() >= MOST_ADDRESSES {
            return wrong(format!("A seat has at most {MOST_ADDRESSES} addresses: drop one first."));
        }
        if !self.is_among(MOST_NEW_ADDRESSES, &format!("{}/{seat}/addresses", mail.game))? {
            return wrong("That is enough new addresses for one day.");
        }
        let line = self.confirm_line(&Wish::Address(seat.clone()), address)?;
        let n = number_of(&format!("{} {address}", mail.name), mail.arrived);
        self.mail(|clerk| {
            let paragraphs = vec![
                format!(
                    "Whoever plays {} in this game asks that this address, too, counts as theirs. If that is you, answer this mail \
                     within three days with this line on top:",
                    clerk.campaign.title_of(seat)
                ),
                line,
                "If it isn't, do nothing: you will hear no more of it.".to_owned(),
            ];
            clerk.tell_guest(address, "is this your address?", paragraphs, n, Vec::new())
        })?;
        done(format!(
            "A code went to {address}. The address counts once the mail there is answered, from there, within three days. The first \
             of your addresses is the one that is written to; ADDRESS DROP takes one away."
        ))
    }

    pub(super) fn drop_address(&mut self, address: &str) -> Responded {
        let seat = self.seat;
        let before = self.campaign().addresses_of(seat).to_vec();
        let after: Vec<String> =
            before.iter().filter(|own| !own.eq_ignore_ascii_case(address)).cloned().collect();
        if after.len() == before.len() {
            return wrong_at(
                address,
                format!("{address} is not registered for your seat: that is {}.", before.join(", ")),
            );
        }
        let Some(first) = after.first().cloned() else {
            return wrong(
                "It is the only address of your seat: add another first, or RESIGN if you want to go.",
            );
        };
        let change = Change::Addresses { seat: seat.clone(), addresses: after };
        self.settle(change, format!("{seat} has other addresses"))?;
        // What waits for it is for the player, not for the address.
        let waits =
            |id: PacketId<'_>, to: &str| id.seat().as_ref() == Some(seat) && to.eq_ignore_ascii_case(address);
        for waiting in self.take_back("the player dropped the address", waits)? {
            self.send_again(seat, &waiting, address)?;
        }
        let first = self.campaign().address_of(seat).map_or(first, str::to_owned);
        done(format!("{address} counts no more. You are written to at {first}."))
    }

    pub(super) fn new_secret(&mut self) -> Responded {
        let seat = self.seat;
        let issue = self.campaign().issue(seat) + 1;
        let change = Change::Secret { seat: seat.clone(), issue };
        self.settle(change, format!("{seat} has a new secret"))?;
        self.mail(|clerk| clerk.new_secret(seat))?;
        done(
            "Your seat has a new secret; it comes in a mail of its own. The one before is worth nothing any more.",
        )
    }

    /// Notes that the player consents to throw a roll again; with the last consent it is thrown.
    pub(super) fn consent(&mut self, label: &Label, salt: &str) -> Responded {
        let seat = self.seat;
        let change = match self.campaign().consenting(seat, label, salt) {
            Ok(change) => change,
            Err(why) => return wrong_at(label.as_str(), format!("Nothing was noted: {why}.")),
        };
        self.settle(change, format!("{seat} consents to throw {label} again"))?;
        if self.reroll_if_agreed()? {
            return done(
                "All have consented, and the roll was thrown again: a new dispatch tells what came of it.",
            );
        }
        let campaign = self.campaign();
        let missing = names(campaign, &campaign.consents_missing().unwrap_or_default());
        done(format!("You consent. The roll is thrown again when these have too: {}.", missing.listed()))
    }

    /// `RESIGN`, and `DECLINE` in a game that has not begun: what ends somebody's seat wants a code. Who declines an invitation that he
    /// has not accepted has no seat to lose.
    pub(super) fn ask_to_resign(&mut self, command: &SeatCommand) -> Responded {
        let (mail, seat) = (self.incoming, self.seat);
        let campaign = self.campaign();
        if campaign.is_over() {
            return wrong("The game is over.");
        }
        let Some(from) = &mail.letter.author else {
            return wrong("The mail's From leaves a doubt whom it is from.");
        };
        let confirmed = campaign.window().is_some_and(|window| window.accepted.contains_key(seat));
        if *command == SeatCommand::Decline && !confirmed {
            let guest = mail_of(mail, from);
            return self.resign(&guest, seat);
        }
        let title = campaign.title_of(seat);
        let line = self.confirm_line(&Wish::Resign(seat.clone()), from)?;
        let told = vec![
            format!(
                "Nothing has been done yet. To give up your seat as {title} in {} for good, answer this mail within three days, from {from}, with \
                 this line on top:",
                mail.game
            ),
            line,
            "If you want to go on playing, do nothing: the seat stays yours.".to_owned(),
        ];
        Ok(Response::of(told))
    }
}

impl Sitting<'_> {
    fn withdraw_set(&mut self, seat: &Seat, (mail, arrived): (&str, i64)) -> Result<(), HostError> {
        let secrets = self.chain()?;
        let cause = self.campaign().withdrawal(&secrets, seat, mail, arrived);
        self.play(cause.map_err(|e| HostError::campaign(&self.game, e))?)
    }

    /// Gives the seat up, or declines it in a game that has not begun: those who wait for one are asked, all are told.
    pub(super) fn resign(&mut self, guest: &Guest<'_>, seat: &Seat) -> Responded {
        let campaign = self.campaign();
        let has_begun = campaign.last().is_some();
        let did = if has_begun { "resigned" } else { "declined" };
        if !has_begun && campaign.window().is_some_and(|window| window.accepted.contains_key(seat)) {
            // Or the game would begin by the JOIN of somebody who has gone.
            self.withdraw_set(seat, (guest.mail, guest.arrived))?;
        }
        let by = Author::Seat { seat: seat.clone() };
        let change = Change::Seated { seat: seat.clone(), player: Player::Open };
        let text = Player::Open.in_log(seat, &format!("{seat} {did}"));
        self.arrange(by, change, text)?;
        let asked = self.ask_standby(seat)?;
        let waiting = match asked {
            0 => "Nobody is on the list of those who wait for one.".to_owned(),
            1 => "The one who waits for a seat was asked.".to_owned(),
            n => format!("The {n} who wait for a seat were asked."),
        };
        let (game, from) = (self.game.clone(), guest.from);
        self.mail(|clerk| {
            let title = sentence(&clerk.campaign.title_of(seat));
            let told = vec![
                format!("{title} has {did}, and the seat is free. {waiting}"),
                format!("Whoever wants to take it writes to this host: JOIN {game} {seat}."),
            ];
            clerk.tell_all(|_, _| PlayerNotice::new("a seat is free", told.clone()))?;
            let paragraphs = vec![format!("{title} ({from}) has {did}. {waiting}")];
            clerk.notice(&format!("a player has {did}"), paragraphs)
        })?;
        done(match has_begun {
            true => {
                "You have given your seat up, and no mail of yours changes anything in this game any more. Orders that were accepted for \
                 the open turn still stand. Thank you for playing."
            }
            false => {
                "You have declined the seat, and somebody else can have it. No mail of yours changes anything in this game any more."
            }
        })
    }
}

/// The beginning of a day in a zone, unix seconds.
fn midnight(day: Date, zone: &str) -> Option<i64> {
    let zone = TimeZone::get(zone).ok()?;
    Some(day.to_datetime(Time::MIN).to_zoned(zone).ok()?.timestamp().as_second())
}
