//! The host's mails: from the state of a campaign to packets for the outbox. Every id is made from what the mail is, so
//! the same decision taken again after a crash makes the same mail.

use jiff::Timestamp;

use super::HostError;
use crate::desk::calendar;
use crate::desk::campaign::Campaign;
use crate::dice::{GameId, Seat};
use crate::engine::Awaiting;
use crate::engine::journal::Player;
use crate::letter::{self, Attachment, HostAddress, Kind, Letter, Mailbox, Token, key_line};
use crate::report::Templates;
use crate::report::letters::{
    self, Addressee, Closed, Deadline, Dispatch, Final, History, Message, Notice, Part, Window,
};
use crate::store::Packet;

/// Seconds in a day.
pub(super) const DAY: i64 = 24 * 3600;

/// Who writes the host's mails, and how.
pub(super) struct Mailroom {
    pub(super) address: HostAddress,
    pub(super) name: String,
    pub(super) zone: String,
    pub(super) templates: Templates,
    /// Computer players get mail too, where it costs nobody anything: on this machine's own Maildirs.
    pub(super) mail_computers: bool,
}

/// A campaign with what the mailroom needs beside it.
pub(super) struct About<'a> {
    pub(super) campaign: &'a Campaign,
    pub(super) tokens: &'a dyn Fn(&Seat) -> Token,
    pub(super) now: i64,
}

/// A mail before it has its frame.
pub(super) struct Draft<'a> {
    pub(super) id: String,
    pub(super) to: Vec<String>,
    pub(super) reply_to: Option<String>,
    pub(super) message_id: String,
    pub(super) in_reply_to: Option<String>,
    pub(super) references: Vec<String>,
    pub(super) kind: Kind,
    pub(super) game: Option<&'a GameId>,
    pub(super) seat: Option<&'a Seat>,
    pub(super) message: Message,
    pub(super) attachments: Vec<Attachment>,
    pub(super) stale_after: Option<i64>,
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
        let own =
            addresses.iter().find(|own| answered.from.iter().any(|from| own.eq_ignore_ascii_case(from)));
        own.cloned().or_else(|| self.address_of(campaign, seat))
    }

    pub(super) fn packet(&self, draft: Draft<'_>, now: i64) -> Result<Packet, HostError> {
        let mut mail = letter::Packet {
            from: Mailbox { name: Some(self.name.clone()), address: self.address.to_string() },
            to: draft.to.clone(),
            reply_to: draft.reply_to,
            subject: draft.message.subject,
            message_id: draft.message_id.clone(),
            in_reply_to: draft.in_reply_to,
            references: draft.references,
            date: now,
            kind: draft.kind,
            game: draft.game.cloned(),
            seat: draft.seat.cloned(),
            text: draft.message.body,
            attachments: draft.attachments,
            automatic: true,
        };
        let mut raw = as_text(letter::compose(&mail)?);
        if raw.len() >= Packet::LARGEST {
            mail.text = shortened(&mail.text);
            raw = as_text(letter::compose(&mail)?);
        }
        Ok(Packet {
            id: draft.id,
            to: draft.to,
            from: self.address.to_string(),
            message_id: draft.message_id,
            raw,
            not_before: now,
            stale_after: draft.stale_after,
        })
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
        let zone = about.campaign.zone(Some(seat), &self.zone);
        let now = Timestamp::from_second(about.now).unwrap_or_default();
        Some(Deadline::new(&calendar::zoned(at, zone), now))
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
        })
    }

    pub(super) fn id(&self, about: &About<'_>, t: u32, seat: &Seat, kind: Kind, n: u64) -> (String, String) {
        let game = &about.campaign.charter().game;
        let id = format!("{game}/{t}/{seat}/{kind}/{n}");
        (id, letter::message_id(self.address.domain(), game, t, seat, kind, n))
    }

    /// The Message-ID that begins a seat's thread: that of the mail which brought its secret.
    pub(super) fn thread(&self, about: &About<'_>, seat: &Seat) -> String {
        self.id(about, 1, seat, Kind::Invitation, about.campaign.issue(seat).into()).1
    }

    /// The history of the game as one seat knows it, as text.
    pub(super) fn history(&self, about: &About<'_>, seat: &Seat) -> Message {
        let briefing = about.campaign.game().history(seat);
        letters::history(&self.templates, &History { to: self.addressee(about, seat), briefing })
    }

    /// The report of the adjudication that ran last, as text: what `report` shows and [`Self::dispatches`] mails.
    pub(super) fn report(&self, about: &About<'_>, seat: &Seat) -> Option<Message> {
        let campaign = about.campaign;
        campaign.last()?;
        let closed = campaign.last().map(|last| Closed {
            t: last.t,
            leaves: last.leaves.clone(),
            root: crate::dice::orders_root(&campaign.charter().game, last.t, &last.leaves),
            assurance: last.assurance.clone(),
        });
        let (to, briefing, witness) =
            (self.addressee(about, seat), campaign.brief(seat), campaign.witness()?);
        let notices = self.before_all_else(about, seat);
        Some(match (campaign.results(), self.window(about, seat)) {
            (Some(results), _) => {
                let results = results.to_vec();
                let last = Final { to, briefing, notices, results, audit_file: None, closed, witness };
                letters::final_report(&self.templates, &last)
            }
            (None, Some(window)) => {
                let form = campaign.game().form(seat);
                let dispatch = Dispatch { to, briefing, notices, window, form, closed, witness };
                letters::dispatch(&self.templates, &dispatch)
            }
            (None, None) => return None,
        })
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
        let Some(to) = self.address_of(about.campaign, seat) else { return Ok(None) };
        let Some(message) = self.report(about, seat) else { return Ok(None) };
        // A dispatch asks for the orders of the next adjudication: that is what an answer to it is meant for.
        let (id, message_id) = self.id(about, about.campaign.next_t(), seat, Kind::Dispatch, n);
        let thread = self.thread(about, seat);
        let draft = Draft {
            id,
            to: vec![to],
            reply_to: Some(self.addressee(about, seat).reply_to),
            message_id,
            in_reply_to: Some(thread.clone()),
            references: vec![thread],
            kind: Kind::Dispatch,
            game: Some(&about.campaign.charter().game),
            seat: Some(seat),
            message,
            attachments: self.deadline_entry(about, seat),
            stale_after: None,
        };
        self.packet(draft, about.now).map(Some)
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
            let mail = letter::Packet {
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
                attachments: Vec::new(),
                automatic: false,
            };
            packets.push(Packet {
                id,
                to: vec![to],
                from: self.address.to_string(),
                message_id,
                raw: as_text(letter::compose(&mail)?),
                not_before: about.now,
                stale_after: None,
            });
        }
        Ok(packets)
    }

    /// A word to the GM of a game; `n` tells apart what is said at one point of the journal.
    pub(super) fn notice(
        &self,
        about: &About<'_>,
        subject: &str,
        paragraphs: Vec<String>,
        n: u64,
    ) -> Result<Option<Packet>, HostError> {
        let campaign = about.campaign;
        let to = campaign.charter().gm.clone();
        if to.is_empty() {
            return Ok(None);
        }
        let game = &campaign.charter().game;
        let notice = Notice {
            game: Some(game.clone()),
            subject: subject.to_owned(),
            paragraphs,
            witness: campaign.witness(),
        };
        let entries = campaign.entries();
        let draft = Draft {
            id: format!("{game}/gm/notice/{entries}/{n}"),
            to,
            reply_to: Some(self.gm_address(about)),
            message_id: format!("{game}.gm.notice.{entries}.{n}@{}", self.address.domain()),
            in_reply_to: None,
            references: Vec::new(),
            kind: Kind::Notice,
            game: Some(game),
            seat: None,
            message: letters::notice(&self.templates, &notice),
            attachments: Vec::new(),
            stale_after: Some(about.now + 7 * DAY),
        };
        self.packet(draft, about.now).map(Some)
    }
}

/// The address that a computer player writes from, and is written to on this machine's own Maildirs.
pub(super) fn computer_address(campaign: &Campaign, seat: &Seat) -> String {
    format!("{seat}.{}@computer.invalid", campaign.charter().game)
}

/// A text too long for a mail, without its middle; the end has the chain lines. Any encoding of it stays far below
/// [`Packet::LARGEST`], attached orders included.
fn shortened(text: &str) -> String {
    const FRONT: usize = 32_000;
    const BACK: usize = 2_000;
    let front = &text[..text.floor_char_boundary(FRONT)];
    let back = &text[text.ceil_char_boundary(text.len().saturating_sub(BACK))..];
    let front = front.rsplit_once('\n').map_or(front, |(front, _)| front);
    let back = back.split_once('\n').map_or(back, |(_, back)| back);
    format!("{front}\n\n[ This mail was too long: its middle is left out. ]\n\n{back}")
}

fn as_text(mail: Vec<u8>) -> String {
    // Composed mails are ASCII; anything else would have been encoded.
    String::from_utf8(mail).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}
