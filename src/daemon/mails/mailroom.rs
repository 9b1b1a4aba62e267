//! The host's mails: from the state of a campaign to packets for the outbox. Every id is made from what the mail is, so
//! the same decision taken again after a crash makes the same mail.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Deref;

use jiff::Timestamp;

use crate::config::enclosure::Enclosure;
use crate::mails::enclosures::Audit;
use crate::secrets::vault::Holder;
use musterd_desk::calendar;
use musterd_desk::campaign::Campaign;
use musterd_desk::mail::{HostAddress, Token, key_line};
use musterd_dice::{Digest, Seat, SecretChain, Signer};
use musterd_engine::Awaiting;
use musterd_engine::journal::{GmRole, Player};
use musterd_letter::Letter;
use musterd_report::letters::{Addressee, Deadline, Part, WindowShown};
use musterd_report::{Templates, span_in_words};
use musterd_store::Packet;

/// Who writes the host's mails, and how.
pub(crate) struct Mailroom {
    pub(crate) address: HostAddress,
    pub(crate) name: String,
    pub(crate) zone: String,
    pub(crate) templates: Templates,
    /// Whether mails are sent as HTML too.
    pub(crate) html: bool,
    /// What comes with a dispatch.
    pub(crate) attach: BTreeSet<Enclosure>,
    /// Computer players get mail too, where it costs nobody anything: on this machine's own Maildirs.
    pub(crate) mail_computers: bool,
    /// The host's own key, where it signs.
    pub(crate) signer: Option<Signer>,
}

/// The mailroom at work on one campaign: it writes mails about it, and collects them.
pub(crate) struct Clerk<'a> {
    mailroom: &'a Mailroom,
    pub(crate) campaign: &'a Campaign,
    tokens: &'a dyn Fn(Holder<'_>) -> Token,
    pub(crate) secrets: &'a SecretChain,
    /// The leaves of the last adjudication's rolls, once somebody needs them: the same for every seat.
    leaves: OnceCell<Vec<Digest>>,
    /// The audit file, where it goes with dispatches.
    pub(crate) audit: Option<&'a Audit>,
    pub(crate) now: i64,
    /// What is written so far, in this order.
    pub(crate) written: Vec<Packet>,
}

impl Deref for Clerk<'_> {
    type Target = Mailroom;

    fn deref(&self) -> &Mailroom {
        self.mailroom
    }
}

impl Mailroom {
    /// The address that a seat's mails go to; none where nobody is to be written to.
    pub(crate) fn address_of(&self, campaign: &Campaign, seat: &Seat) -> Option<String> {
        match campaign.charter().players.get(seat)? {
            Player::Mail { .. } => campaign.address_of(seat).map(str::to_owned),
            Player::Computer { .. } if self.mail_computers => Some(computer_address(campaign, seat)),
            Player::Computer { .. } | Player::Open => None,
        }
    }

    /// The address that a seat's mail is answered at: where it came from, if that is one of its player's; else where the seat is
    /// written to.
    pub(crate) fn answered_at(&self, campaign: &Campaign, seat: &Seat, answered: &Letter) -> Option<String> {
        let addresses = campaign.addresses_of(seat);
        let author = answered.author.as_deref();
        let own = addresses.iter().find(|own| author.is_some_and(|from| own.eq_ignore_ascii_case(from)));
        own.cloned().or_else(|| self.address_of(campaign, seat))
    }
}

impl<'a> Clerk<'a> {
    pub(crate) fn new(
        mailroom: &'a Mailroom,
        campaign: &'a Campaign,
        (tokens, secrets): (&'a dyn Fn(Holder<'_>) -> Token, &'a SecretChain),
        audit: Option<&'a Audit>,
        now: i64,
    ) -> Self {
        let leaves = OnceCell::new();
        Self { mailroom, campaign, tokens, secrets, leaves, audit, now, written: Vec::new() }
    }

    /// One who writes about the campaign as it was, with the present secrets.
    pub(crate) fn of_past<'b>(&'b self, past: &'b Campaign) -> Clerk<'b> {
        Clerk::new(self.mailroom, past, (self.tokens, self.secrets), None, self.now)
    }

    /// The secret that a seat has now.
    pub(crate) fn token(&self, seat: &Seat) -> Token {
        (self.tokens)(Holder::Seat(seat))
    }

    /// The secret that the GM's addresses with this part have now.
    pub(crate) fn gm_token(&self, role: GmRole) -> Token {
        (self.tokens)(Holder::Gm(role))
    }

    /// The leaves of the last adjudication's rolls.
    pub(crate) fn leaves(&self) -> &[Digest] {
        self.leaves.get_or_init(|| self.campaign.leaves_of_rolls(self.secrets))
    }

    /// The number of the open turn; 0 where none is.
    pub(crate) fn open_turn(&self) -> u32 {
        self.campaign.window().map_or(0, |window| window.t)
    }

    pub(crate) fn addressee(&self, seat: &Seat) -> Addressee {
        let game = &self.campaign.charter().game;
        let token = self.token(seat);
        Addressee {
            game: game.clone(),
            system: self.campaign.game().system().to_owned(),
            seat: seat.clone(),
            title: self.campaign.title_of(seat),
            allies: self.campaign.can_write_to(seat),
            reply_to: self.address.reply_address(game, seat, &token),
            key_line: key_line(game, seat, &token),
        }
    }

    pub(crate) fn deadline(&self, seat: &Seat) -> Option<Deadline> {
        let at = self.campaign.window()?.deadline?;
        Some(self.instant(seat, at))
    }

    /// An instant on the clock of a seat's player, as seen now.
    fn instant(&self, seat: &Seat, at: i64) -> Deadline {
        let zone = self.campaign.zone(Some(seat), &self.zone);
        let now = Timestamp::from_second(self.now).unwrap_or_default();
        Deadline::new(&calendar::zoned(at, zone), now)
    }

    pub(crate) fn window(&self, seat: &Seat) -> Option<WindowShown> {
        let part = match self.campaign.game().awaiting() {
            Awaiting::Orders { must, .. } if !must.contains(seat) => Part::Standing,
            _ => Part::Phasing,
        };
        Some(WindowShown {
            t: self.campaign.window()?.t,
            title: self.campaign.wait_title(),
            part,
            deadline: self.deadline(seat),
            recall: self.campaign.recall().map(|minutes| span_in_words(minutes.into()).into()),
            runs: self.campaign.runs_at().map(|at| Box::new(self.instant(seat, at))),
        })
    }
}

/// The address that a computer player writes from, and is written to on this machine's own Maildirs.
pub(crate) fn computer_address(campaign: &Campaign, seat: &Seat) -> String {
    format!("{seat}.{}{COMPUTERS}", campaign.charter().game)
}

/// How the addresses of computer players end.
pub(crate) const COMPUTERS: &str = "@computer.invalid";
