//! The mailroom's answers to mails: receipts, refusals, and help for strangers.

use crate::HostError;
use crate::addresses::mailbox_of;
use crate::clock::DAY;
use crate::mails::frame::{InThread, ToSeat, Unframed};
use crate::mails::mailroom::{Clerk, Mailroom};
use crate::packet_id::number_of;
use musterd_desk::calendar;
use musterd_desk::campaign::{Accepted, ReadBack};
use musterd_desk::mail::{Attachment, Kind, Unread};
use musterd_desk::order_mail::OrderMail;
use musterd_dice::{Block, Digest, GameId, Seat};
use musterd_engine::Awaiting;
use musterd_engine::journal::Player;
use musterd_engine::orders::Weight;
use musterd_letter::Letter;
use musterd_report::Told;
use musterd_report::letters::{self, Help, Message, NotRead, Reason, Receipt, Refusal};
use musterd_store::{HOST, Packet};

/// Who sent a mail that names no seat, by the address that it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sender {
    /// It is registered in no game.
    Stranger,
    /// The same, and the mail holds a command where none is read.
    Asking {
        /// How many such mails of his there were today, with this one.
        nth: u32,
    },
    /// It is a player's.
    Player {
        /// How many such mails of his there were today, with this one.
        nth: u32,
    },
}

impl Clerk<'_> {
    /// What the receipt for the seat's accepted orders says: the mail that they came in, the set that they replaced, and when the turn
    /// was to run that they stopped. `told` is what the log has bound of it.
    pub(crate) fn receipt_text(
        &self,
        seat: &Seat,
        reply: &OrderMail,
        (previous, stopped): (Option<&Accepted>, Option<i64>),
        told: Option<Told>,
    ) -> Option<(Message, usize)> {
        let receipt = self.receipt_of(seat, reply, (previous, stopped), told)?;
        let errors = receipt.remarks.iter().filter(|r| r.weight == Weight::Error).count();
        Some((letters::receipt(&self.templates, &receipt), errors))
    }

    /// What the receipt for a seat's present orders says.
    fn receipt_of<'b>(
        &'b self,
        seat: &Seat,
        reply: &OrderMail,
        (previous, stopped): (Option<&'b Accepted>, Option<i64>),
        told: Option<Told>,
    ) -> Option<Receipt<'b>> {
        let campaign = self.campaign;
        let orders = campaign.window()?.accepted.get(seat)?;
        let ReadBack { recap, remarks } = campaign.read_back(seat, orders);
        Some(Receipt {
            to: self.addressee(seat),
            window: self.window(seat)?,
            block: orders.block.clone(),
            recap,
            remarks,
            told,
            previous: previous.map(|orders| &campaign.read_back(seat, orders).recap),
            ready: orders.sheet.ready && !campaign.life().hours.unready.contains(seat),
            stopped: stopped.map(|at| self.stopped(seat, at)),
            until_contact: orders.sheet.until_contact && campaign.allows_until_contact(),
            wait: orders.sheet.wait,
            join: orders.sheet.join && matches!(campaign.game().awaiting(), Awaiting::Founding),
            passed_over: reply.passed_over.clone(),
            marked: reply.marked,
            unended: reply.unended,
            held_back: reply.held_back,
            form_lines: reply.form_lines.clone(),
            asks: reply.asks.clone(),
            unread: not_read(reply.unread.clone()),
            leaf: orders.leaf,
            witness: campaign.open_head()?,
            left: None,
        })
    }

    /// The receipt for accepted orders, in the answer to this mail with this number.
    pub(crate) fn receipt(
        &mut self,
        seat: &Seat,
        reply: &OrderMail,
        before: (Option<&Accepted>, Option<i64>),
        (answered, n, told): (&Letter, u64, Option<Told>),
    ) -> Result<(), HostError> {
        let Some((message, _)) = self.receipt_text(seat, reply, before, told) else { return Ok(()) };
        let Some(head) = self.campaign.open_head() else { return Ok(()) };
        let orders = Attachment::text("orders.txt", reply.block.as_str().to_owned());
        let mail = ToSeat::new(self.open_turn(), Kind::Receipt, n, message).answering(answered, self.now);
        let mail = ToSeat { attachments: vec![orders], ..mail }.showing(head);
        self.mail_seat(seat, mail)
    }

    /// The receipt for orders that were left for the open turn.
    pub(crate) fn receipt_for_left(
        &mut self,
        seat: &Seat,
        block: &Block,
        said: String,
        told: Option<Told>,
    ) -> Result<(), HostError> {
        let reply = OrderMail::bare(block.clone());
        let receipt = self
            .receipt_of(seat, &reply, (None, None), told)
            .map(|receipt| Receipt { left: Some(said), ..receipt });
        let (Some(receipt), Some(head)) = (receipt, self.campaign.open_head()) else { return Ok(()) };
        let message = letters::receipt(&self.templates, &receipt);
        let orders = Attachment::text("orders.txt", block.as_str().to_owned());
        let n = number_of(&format!("left for {}", self.open_turn()), self.now);
        let mail = ToSeat::new(self.open_turn(), Kind::Receipt, n, message);
        self.mail_seat(seat, ToSeat { attachments: vec![orders], ..mail }.showing(head))
    }

    /// The answer to a mail with this number for a game that changed nothing, to the seat's registered address.
    pub(crate) fn refusal(
        &mut self,
        seat: &Seat,
        reason: Reason,
        (answered, n): (&Letter, u64),
        (arrived, stopped): (i64, Option<i64>),
    ) -> Result<(), HostError> {
        let campaign = self.campaign;
        let Some(Player::Mail { .. }) = campaign.charter().players.get(seat) else { return Ok(()) };
        let zone = campaign.zone(Some(seat), &self.zone);
        let proved = !matches!(reason, Reason::NotProved { .. });
        // Past its deadline a window may take nothing more, though its turn has not run yet.
        let open = campaign.takes_orders(seat, self.now);
        let refusal = Refusal {
            game: Some(campaign.charter().game.clone()),
            reason,
            about: answered.subject.clone(),
            arrived: calendar::zoned(arrived, zone).strftime("%a %-d %b %H:%M %Z").to_string(),
            window: if proved && open { self.window(seat) } else { None },
            ready_waits: proved && campaign.ready_waits(seat),
            stopped: stopped.map(|at| self.stopped(seat, at)),
            has_gm: !campaign.charter().gm.is_empty(),
            host: self.address.to_string(),
        };
        let message = letters::refusal(&self.templates, &refusal);
        let mail = ToSeat::new(self.open_turn(), Kind::Refusal, n, message).answering(answered, self.now);
        self.mail_seat(seat, if proved { mail } else { ToSeat { thread: InThread::Outside, ..mail } })
    }
}

impl Mailroom {
    /// The help for somebody whose mail names no seat.
    pub(crate) fn help(
        &self,
        to: &str,
        sender: Sender,
        answered: &Letter,
        now: i64,
    ) -> Result<Packet, HostError> {
        let plays = matches!(sender, Sender::Player { .. });
        let message = letters::help(&self.templates, &Help { host: self.address.to_string(), plays });
        self.to_sender(to, sender, message, answered, now)
    }

    /// A stranger who asks for nothing is written to once a day: the mail's id says so.
    fn to_sender(
        &self,
        to: &str,
        sender: Sender,
        message: Message,
        answered: &Letter,
        now: i64,
    ) -> Result<Packet, HostError> {
        let nth = match sender {
            Sender::Stranger => String::new(),
            Sender::Asking { nth } => format!("/asks/{nth}"),
            Sender::Player { nth } => format!("/{nth}"),
        };
        self.help_of_the_day(to, &nth, message, answered, now)
    }

    /// What is said once a day to an address; `which` tells several of a day apart.
    fn help_of_the_day(
        &self,
        to: &str,
        which: &str,
        message: Message,
        answered: &Letter,
        now: i64,
    ) -> Result<Packet, HostError> {
        let who = Digest::of(mailbox_of(to).as_bytes()).to_string();
        let name = format!("{}/{}{which}", &who[..16], now.div_euclid(DAY));
        let id = format!("help.{}@{}", name.replace('/', "."), self.address.domain());
        let name = (format!("{HOST}/help/{name}"), id);
        let draft = Unframed::new(name, vec![to.to_owned()], Kind::Answer, message).answering(answered);
        let draft = Unframed { stale_after: Some(now + DAY), ..draft };
        self.packet(draft, now)
    }

    /// That a mail for a game that can't go on is kept: one such packet an address, game and day.
    pub(crate) fn kept_for_later(
        &self,
        to: &str,
        game: &GameId,
        answered: &Letter,
        now: i64,
    ) -> Result<Packet, HostError> {
        let message = self.why_nothing_was_done(Reason::Waits { asked: game.to_string() }, answered);
        self.help_of_the_day(to, &format!("/waits/{game}"), message, answered, now)
    }

    /// Why nothing was done for somebody whose mail names no seat; counts as his help of the day where he asked for nothing.
    pub(crate) fn not_read(
        &self,
        to: &str,
        sender: Sender,
        reason: Reason,
        answered: &Letter,
        now: i64,
    ) -> Result<Packet, HostError> {
        self.to_sender(to, sender, self.why_nothing_was_done(reason, answered), answered, now)
    }

    fn why_nothing_was_done(&self, reason: Reason, answered: &Letter) -> Message {
        let refusal = Refusal {
            game: None,
            reason,
            about: answered.subject.clone(),
            arrived: String::new(),
            window: None,
            ready_waits: false,
            stopped: None,
            has_gm: false,
            host: self.address.to_string(),
        };
        letters::refusal(&self.templates, &refusal)
    }
}

/// What was not read of a mail, for its answer.
pub(crate) fn not_read(parts: Vec<Unread>) -> Vec<NotRead> {
    parts.into_iter().map(|part| NotRead { what: part.place.to_string(), lines: part.lines }).collect()
}
