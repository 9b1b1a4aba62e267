//! What players are told about time and about each other, in a few words each.

use std::collections::BTreeSet;

use crate::HostError;
use crate::clock::DAY;
use crate::mails::frame::ToSeat;
use crate::mails::frame::Unframed;
use crate::mails::mailroom::Clerk;
use crate::packet_id::{PacketId, number_of};
use musterd_desk::calendar;
use musterd_desk::campaign::Campaign;
use musterd_desk::correction::Correction;
use musterd_desk::mail::{Attachment, Kind};
use musterd_desk::timing::AFTER_ABSENCE;
use musterd_dice::Seat;
use musterd_engine::briefing::ByHand;
use musterd_engine::journal::{GmRole, Player};
use musterd_report::text::{listed, sentence};
use musterd_report::{Message, ics};
use musterd_text::nouns::counted;

/// A few words to a player.
pub(crate) struct PlayerNotice {
    pub(crate) kind: Kind,
    pub(crate) subject: String,
    pub(crate) paragraphs: Vec<String>,
    /// Whether the deadline comes with it for the player's calendar.
    pub(crate) calendar: bool,
}

impl PlayerNotice {
    /// A notice without the deadline.
    pub(crate) fn new(subject: impl Into<String>, paragraphs: Vec<String>) -> Self {
        Self { kind: Kind::Notice, subject: subject.into(), paragraphs, calendar: false }
    }

    /// The same with it.
    pub(crate) fn with_deadline(self) -> Self {
        Self { calendar: true, ..self }
    }
}

/// Players as a sentence names them.
pub(crate) struct Names(Vec<String>);

/// The players of these seats.
pub(crate) fn names(campaign: &Campaign, seats: &BTreeSet<Seat>) -> Names {
    Names(seats.iter().map(|seat| campaign.title_of(seat)).collect())
}

impl Names {
    pub(crate) fn listed(&self) -> String {
        listed(&self.0)
    }

    /// With the verb behind them.
    pub(crate) fn is_are(&self) -> String {
        format!("{} {}", self.listed(), if self.0.len() == 1 { "is" } else { "are" })
    }
}

/// What the GM did about earlier turns, as all players read it.
pub(crate) fn correction_in_words(correction: &Correction) -> String {
    let because = |reason: &str| if reason.is_empty() { String::new() } else { format!(" (`{reason}`)") };
    match correction {
        Correction::Rerun { t, reason } => format!(
            "The GM corrected a mistake{}: turn {t} ran again with the same orders and the same dice. Orders that you have sent since \
             stand as they are; look at them again.",
            because(reason)
        ),
        Correction::Rerolled { of, label } => format!(
            "With everybody's consent a roll of turn {of} was thrown again: {label}. What is told here of that turn takes the place of what \
             you read before, and orders that you have sent since are void. Send new ones."
        ),
        Correction::RolledBack { t, back, reason } => format!(
            "The GM has taken back all turns from {back} to {t}{}. Play goes on from the position before turn {back}: what you read \
             since then is void, and so are orders that you have sent. Send new ones.",
            because(reason)
        ),
    }
}

/// How much of a report is the GM's, as its reader is told.
pub(crate) fn changed_by_hand(by_hand: &ByHand) -> Option<String> {
    let (struck, own) = (by_hand.struck, by_hand.own);
    let struck = (struck > 0).then(|| format!("{} struck", counted(struck, "line is", "lines are")));
    let own = (own > 0).then(|| {
        counted(
            own,
            "line is the GM's own and begins with `GM:`",
            "lines are the GM's own and begin with `GM:`",
        )
    });
    let what: Vec<String> = struck.into_iter().chain(own).collect();
    (!what.is_empty()).then(|| format!("The GM has changed this report by hand: {}.", what.join(", ")))
}

impl Clerk<'_> {
    /// A word to the GM of a game that goes with an entry of the journal, one with each.
    pub(crate) fn notice(&mut self, subject: &str, paragraphs: Vec<String>) -> Result<(), HostError> {
        self.notice_of(&self.words(subject, paragraphs))
    }

    /// A mail to the GM that goes with an entry of the journal, one with each.
    pub(crate) fn notice_of(&mut self, message: &Message) -> Result<(), HostError> {
        let name = format!("notice/{}/0", self.tag(&["gm", "notice", &self.campaign.entries().to_string()])?);
        self.gm_mail_named(&name, message)
    }

    /// The same of what is no entry; `name` is its own among all mails to this GM, parts of it between slashes.
    pub(crate) fn notice_named(
        &mut self,
        name: &str,
        subject: &str,
        paragraphs: Vec<String>,
    ) -> Result<(), HostError> {
        self.gm_mail_named(name, &self.words(subject, paragraphs))
    }

    /// The id and the Message-ID of a mail to those of the GM's addresses that have this part.
    pub(crate) fn gm_mail_name(&self, name: &str, role: GmRole) -> (String, String) {
        let game = &self.campaign.charter().game;
        let id = PacketId::of_gm(game, name, role);
        let dotted = id.replace('/', ".");
        (id, format!("{dotted}@{}", self.address.domain()))
    }

    fn gm_mail_named(&mut self, name: &str, message: &Message) -> Result<(), HostError> {
        let game = &self.campaign.charter().game;
        for (role, to) in self.gms_by_role(&self.campaign.charter().gm) {
            let draft = Unframed {
                game: Some(game),
                stale_after: Some(self.now + 7 * DAY),
                ..Unframed::new(self.gm_mail_name(name, role), to, Kind::Notice, message.clone())
            };
            self.write(self.reply_of_gm(role).frame(draft))?;
        }
        Ok(())
    }

    /// An instant on a seat's clock; on the game's where it is nobody's in particular.
    pub(crate) fn time(&self, seat: Option<&Seat>, at: i64) -> String {
        let zone = self.campaign.zone(seat, &self.zone);
        calendar::zoned(at, zone).strftime("%A %-d %B %Y, %H:%M %Z").to_string()
    }

    /// Until when the open turn's orders are taken, as a seat's player is told.
    pub(crate) fn taken_until(&self, seat: &Seat, deadline: i64) -> String {
        let (title, at) = (self.campaign.wait_title(), self.time(Some(seat), deadline));
        format!("The orders for {title} are now taken until {at}.")
    }

    /// That a seat has another player, and what that means for the open turn's deadline.
    pub(crate) fn another_player(
        &self,
        to: &Seat,
        subject: &str,
        told: String,
        deadline: Option<i64>,
    ) -> PlayerNotice {
        let later = deadline.map(|at| format!("The new player gets some time. {}", self.taken_until(to, at)));
        let note = PlayerNotice::new(subject, std::iter::once(told).chain(later).collect());
        PlayerNotice { calendar: deadline.is_some(), ..note }
    }

    /// A note to every person in the game, the missing ones too.
    pub(crate) fn tell_all(&mut self, note: impl Fn(&Self, &Seat) -> PlayerNotice) -> Result<(), HostError> {
        self.tell_others(None, note)
    }

    /// A note to every person in the game but one.
    pub(crate) fn tell_others(
        &mut self,
        but: Option<&Seat>,
        note: impl Fn(&Self, &Seat) -> PlayerNotice,
    ) -> Result<(), HostError> {
        for (seat, player) in &self.campaign.charter().players {
            if matches!(player, Player::Mail { .. }) && Some(seat) != but {
                let note = note(self, seat);
                self.note(seat, note)?;
            }
        }
        Ok(())
    }

    /// That a seat's orders are missing and the deadline comes near.
    pub(crate) fn reminder(&mut self, seat: &Seat) -> Result<(), HostError> {
        let Some(deadline) = self.deadline(seat) else { return Ok(()) };
        let title = self.campaign.wait_title();
        let (wanted, what, to_do) = match self.campaign.window().map(|w| w.t) {
            Some(1) => (
                "JOIN",
                "Your JOIN for the game has not come. It is taken".to_owned(),
                "To accept the seat, answer this mail with the one line JOIN on top: a receipt says that it has come. To decline, with \
                 the one line DECLINE. This is the only reminder for this deadline.",
            ),
            _ => (
                "orders",
                format!("No orders have come from you for {title}. They are taken"),
                "If you sent some, you would have a receipt: look for one, and send them again if there is none. An answer to \
                 this mail reaches your seat. This is the only reminder for this deadline.",
            ),
        };
        let note = PlayerNotice {
            kind: Kind::Reminder,
            subject: format!("Reminder: {wanted} until {}", deadline.short),
            paragraphs: vec![
                format!("{what} until {}, {} from now.", deadline.long, deadline.left),
                to_do.to_owned(),
            ],
            calendar: true,
        };
        self.note(seat, note)
    }

    /// What a dispatch says before all else: how the game ended otherwise than by its rules, the GM's words, who sent no orders, why the deadline is a late one.
    pub(crate) fn before_all_else(&self, seat: &Seat, by_hand: &ByHand) -> Vec<String> {
        let campaign = self.campaign;
        let Some(last) = campaign.last() else { return Vec::new() };
        // The rules tell how a game ended by them, and know of no other end.
        let mut notices = campaign.decided_results().map(<[String]>::to_vec).unwrap_or_default();
        // What is said of the last turn was said in its dispatch, and is not said twice.
        if campaign.was_cut_short() {
            return notices;
        }
        let for_seat = last.narration.iter().filter(|words| words.to.is_empty() || words.to.contains(seat));
        notices.extend(campaign.correction().map(correction_in_words));
        notices.extend(for_seat.map(|words| format!("The GM: {}", words.text.trim_end())));
        notices.extend(changed_by_hand(by_hand));
        let missed = last.missing.iter().filter(|_| last.t > 1);
        notices.extend(missed.map(|(missing, stood_in)| {
            let title = if missing == seat { "you".to_owned() } else { campaign.title_of(missing) };
            let did = match stood_in {
                true => "the computer gave them this time",
                false => "standing orders and what units do without orders were followed",
            };
            sentence(&format!("{title} sent no orders: {did}."))
        }));
        let window = campaign.window().zip(campaign.life().hours.first);
        if let Some((_, first)) = window.filter(|(window, first)| window.deadline > Some(*first)) {
            let mut absences = campaign.life().absences.values();
            let is_away = absences.any(|away| away.from <= first && first < away.until + AFTER_ABSENCE);
            let why = if is_away { ", because a player is away" } else { "" };
            notices.push(format!("The deadline is later than usual{why}."));
        }
        notices
    }

    /// A note to the player of a seat; none where a person plays it no more.
    pub(crate) fn note(&mut self, seat: &Seat, note: PlayerNotice) -> Result<(), HostError> {
        let campaign = self.campaign;
        let deadline = campaign.window().and_then(|window| window.deadline);
        let t = campaign.window().map(|w| w.t).or(campaign.awaited().map(|awaited| awaited.t)).unwrap_or(0);
        // What else is written to others changes nothing of its ids.
        let said = format!("{} {} {}", campaign.settled(), note.subject, note.paragraphs.join(" "));
        let message = self.words(&note.subject, note.paragraphs);
        let mail = ToSeat {
            attachments: if note.calendar { self.deadline_entry(seat) } else { Vec::new() },
            // Nobody wants to hear of a deadline that is over.
            stale_after: deadline.filter(|at| *at > self.now).or(Some(self.now + 2 * DAY)),
            ..ToSeat::new(t, note.kind, number_of(&said, self.now), message)
        };
        self.mail_seat(seat, mail)
    }

    /// The open window's deadline for the calendar of a seat's player, where it has one.
    pub(crate) fn deadline_entry(&self, seat: &Seat) -> Vec<Attachment> {
        let at = self.campaign.window().and_then(|window| window.deadline);
        at.map(|at| self.calendar_entry(seat, at)).into_iter().collect()
    }

    /// The deadline for the calendar of a seat's player. A moved one takes the place of the one before.
    fn calendar_entry(&self, seat: &Seat, at: i64) -> Attachment {
        let campaign = self.campaign;
        let (game, t) = (&campaign.charter().game, self.open_turn());
        let opened = campaign.window().map_or(self.now, |window| window.opened);
        let entry = ics::CalendarEntry {
            uid: format!("{game}.{t}.{seat}@{}", self.address.domain()),
            // It rises with time. The length of the journal would too, and would count what others send.
            sequence: u64::try_from(self.now.saturating_sub(opened)).unwrap_or_default(),
            stamp: self.now,
            at,
            summary: format!("[{game}] orders for {}", campaign.wait_title()),
            remind_minutes: campaign.charter().terms.remind,
        };
        Attachment::of("deadline.ics", "text/calendar; method=PUBLISH", ics::text(&entry))
    }
}
