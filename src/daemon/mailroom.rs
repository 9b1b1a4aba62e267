//! The host's mails: from the state of a campaign to packets for the outbox. Every id is made from what the mail is, so
//! the same decision taken again after a crash makes the same mail.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use jiff::Timestamp;

use super::HostError;
use super::clock::DAY;
use super::dispatch::{Audit, Enclosure};
use super::frame::{Draft, ToSeat, as_text};
use super::gm::gm_seat;
use musterd_desk::calendar;
use musterd_desk::campaign::Campaign;
use musterd_desk::mail::{self, HostAddress, Kind, Mailbox, Token, key_line};
use musterd_dice::{Digest, Seat, SecretChain, Signer};
use musterd_engine::Awaiting;
use musterd_engine::journal::Player;
use musterd_letter::Letter;
use musterd_report::letters::{self, Addressee, Deadline, History, Message, Part, Window};
use musterd_report::{Templates, span_in_words};
use musterd_store::Packet;

/// Who writes the host's mails, and how.
pub(super) struct Mailroom {
    pub(super) address: HostAddress,
    pub(super) name: String,
    pub(super) zone: String,
    pub(super) templates: Templates,
    /// Whether mails are sent as HTML too.
    pub(super) html: bool,
    /// What comes with a dispatch.
    pub(super) attach: BTreeSet<Enclosure>,
    /// Computer players get mail too, where it costs nobody anything: on this machine's own Maildirs.
    pub(super) mail_computers: bool,
    /// The host's own key, where it signs.
    pub(super) signer: Option<Signer>,
}

/// A campaign with what the mailroom needs beside it.
pub(super) struct About<'a> {
    pub(super) campaign: &'a Campaign,
    pub(super) tokens: &'a dyn Fn(&Seat) -> Token,
    pub(super) secrets: &'a SecretChain,
    /// The leaves of the last adjudication's rolls, once somebody needs them: the same for every seat.
    pub(super) leaves: OnceCell<Vec<Digest>>,
    /// The audit file, where it goes with dispatches.
    pub(super) audit: Option<&'a Audit>,
    pub(super) now: i64,
}

impl Mailroom {
    /// The address that a seat's mails go to; none where nobody is to be written to.
    pub(super) fn address_of(&self, campaign: &Campaign, seat: &Seat) -> Option<String> {
        match campaign.charter().players.get(seat)? {
            Player::Mail { .. } => campaign.address_of(seat).map(str::to_owned),
            Player::Computer { .. } if self.mail_computers => Some(computer_address(campaign, seat)),
            Player::Computer { .. } | Player::Open => None,
        }
    }

    /// The address that a seat's mail is answered at: where it came from, if that is one of its player's; else where the seat is
    /// written to.
    pub(super) fn answered_at(&self, campaign: &Campaign, seat: &Seat, answered: &Letter) -> Option<String> {
        let addresses = campaign.addresses_of(seat);
        let author = answered.author.as_deref();
        let own = addresses.iter().find(|own| author.is_some_and(|from| own.eq_ignore_ascii_case(from)));
        own.cloned().or_else(|| self.address_of(campaign, seat))
    }

    pub(super) fn addressee(&self, about: &About<'_>, seat: &Seat) -> Addressee {
        let game = &about.campaign.charter().game;
        let token = (about.tokens)(seat);
        Addressee {
            game: game.clone(),
            system: about.campaign.game().system().to_owned(),
            seat: seat.clone(),
            title: about.campaign.title_of(seat),
            allies: about.campaign.can_write_to(seat),
            reply_to: self.address.reply_address(game, seat, &token),
            key_line: key_line(game, seat, &token),
        }
    }

    pub(super) fn deadline(&self, about: &About<'_>, seat: &Seat) -> Option<Deadline> {
        let at = about.campaign.window()?.deadline?;
        Some(self.instant(about, seat, at))
    }

    /// An instant on the clock of a seat's player, as seen now.
    fn instant(&self, about: &About<'_>, seat: &Seat, at: i64) -> Deadline {
        let zone = about.campaign.zone(Some(seat), &self.zone);
        let now = Timestamp::from_second(about.now).unwrap_or_default();
        Deadline::new(&calendar::zoned(at, zone), now)
    }

    pub(super) fn window(&self, about: &About<'_>, seat: &Seat) -> Option<Window> {
        let part = match about.campaign.game().awaiting() {
            Awaiting::Orders { must, .. } if !must.contains(seat) => Part::Standing,
            _ => Part::Phasing,
        };
        Some(Window {
            t: about.campaign.window()?.t,
            title: about.campaign.wait_title(),
            part,
            deadline: self.deadline(about, seat),
            recall: about.campaign.recall().map(|minutes| span_in_words(minutes.into()).into()),
            runs: about.campaign.runs_at().map(|at| Box::new(self.instant(about, seat, at))),
        })
    }

    /// The history of the game as one seat knows it, as text.
    pub(super) fn history(&self, about: &About<'_>, seat: &Seat) -> Message {
        let briefing = about.campaign.game().history(seat);
        letters::history(&self.templates, &History { to: self.addressee(about, seat), briefing })
    }

    /// The report of the adjudication that ran last, as [`Self::dispatches`] mails it; `void` is its number where it was rolled back.
    pub(super) fn report(&self, about: &About<'_>, seat: &Seat, void: Option<u32>) -> Option<Message> {
        self.told(about, seat).map(|told| self.telling(&told.marked(void)))
    }

    /// The report of the adjudication that ran last, to every seat.
    pub(super) fn dispatches(&self, about: &About<'_>) -> Result<Vec<Packet>, HostError> {
        // The end of a game that was rolled back had dispatches of its own for the same number.
        let n = about.campaign.correction().map_or(0, |_| about.campaign.entries());
        let seats = about.campaign.charter().players.keys();
        seats.filter_map(|seat| self.dispatch(about, seat, n).transpose()).collect()
    }

    /// The report of the adjudication that ran last, to one seat; `n` tells it from the ones before, 0 is the first. None where
    /// nobody is to be written to, or there is nothing to report.
    pub(super) fn dispatch(
        &self,
        about: &About<'_>,
        seat: &Seat,
        n: u64,
    ) -> Result<Option<Packet>, HostError> {
        if self.address_of(about.campaign, seat).is_none() {
            return Ok(None);
        }
        let Some(told) = self.told(about, seat) else { return Ok(None) };
        // A dispatch asks for the orders of the next adjudication: that is what an answer to it is meant for.
        let mail = ToSeat::new(about.campaign.next_t(), Kind::Dispatch, n, self.telling(&told));
        self.to_seat(about, seat, ToSeat { attachments: self.enclosures(about, seat, &told), ..mail })
    }

    /// The computer players' sealed orders, mailed like anybody's.
    pub(super) fn computer_orders(&self, about: &About<'_>) -> Result<Vec<Packet>, HostError> {
        let Some(window) = about.campaign.window() else { return Ok(Vec::new()) };
        let game = &about.campaign.charter().game;
        let mut packets = Vec::new();
        for sealed in window.sealed.values() {
            let seat = &sealed.seat;
            let (id, message_id) = self.id(about, window.t, seat, Kind::Orders, 0);
            let to = self.address.reply_address(game, seat, &(about.tokens)(seat));
            let key = key_line(game, seat, &(about.tokens)(seat));
            let mail = mail::Packet {
                from: Mailbox { name: None, address: computer_address(about.campaign, seat) },
                to: vec![to.clone()],
                reply_to: None,
                subject: format!("[{game}] Orders, {}", window.name),
                message_id: message_id.clone(),
                in_reply_to: None,
                references: Vec::new(),
                date: about.now,
                kind: Kind::Orders,
                game: Some(game.clone()),
                seat: Some(seat.clone()),
                text: format!("{key}\nBEGIN ORDERS\n{}END ORDERS\n", sealed.block.as_str()),
                html: None,
                attachments: Vec::new(),
                automatic: false,
            };
            packets.push(Packet {
                id,
                to: vec![to],
                from: self.address.to_string(),
                message_id,
                raw: as_text(mail::compose(&mail)?),
                not_before: about.now,
                stale_after: None,
            });
        }
        Ok(packets)
    }

    /// A word to the GM of a game that goes with an entry of the journal, one with each.
    pub(super) fn notice(
        &self,
        about: &About<'_>,
        subject: &str,
        paragraphs: Vec<String>,
    ) -> Result<Option<Packet>, HostError> {
        let name = format!("notice/{}/0", about.campaign.entries());
        self.notice_named(about, &name, subject, paragraphs)
    }

    /// The same of what is no entry; `name` is its own among all mails to this GM, parts of it between slashes.
    pub(super) fn notice_named(
        &self,
        about: &About<'_>,
        name: &str,
        subject: &str,
        paragraphs: Vec<String>,
    ) -> Result<Option<Packet>, HostError> {
        let campaign = about.campaign;
        let to = campaign.charter().gm.clone();
        if to.is_empty() {
            return Ok(None);
        }
        let game = &campaign.charter().game;
        let name = (
            format!("{game}/gm/{name}"),
            format!("{game}.gm.{}@{}", name.replace('/', "."), self.address.domain()),
        );
        let draft = Draft {
            game: Some(game),
            stale_after: Some(about.now + 7 * DAY),
            ..Draft::new(name, to, Kind::Notice, self.words(about, subject, paragraphs))
        };
        self.packet(self.reply_of(about, &gm_seat()).frame(draft), about.now).map(Some)
    }
}

/// The address that a computer player writes from, and is written to on this machine's own Maildirs.
pub(super) fn computer_address(campaign: &Campaign, seat: &Seat) -> String {
    format!("{seat}.{}{COMPUTERS}", campaign.charter().game)
}

/// How the addresses of computer players end.
pub(super) const COMPUTERS: &str = "@computer.invalid";
