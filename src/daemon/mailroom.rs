//! The host's mails: from the state of a campaign to packets for the outbox. Every id is made from what the mail is, so
//! the same decision taken again after a crash makes the same mail.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use jiff::Timestamp;

use super::enclosures::{Audit, Enclosure};
use musterd_desk::calendar;
use musterd_desk::campaign::Campaign;
use musterd_desk::mail::{HostAddress, Token, key_line};
use musterd_dice::{Digest, Seat, SecretChain, Signer};
use musterd_engine::Awaiting;
use musterd_engine::journal::Player;
use musterd_letter::Letter;
use musterd_report::letters::{Addressee, Deadline, Part, Window};
use musterd_report::{Templates, span_in_words};

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
}

/// The address that a computer player writes from, and is written to on this machine's own Maildirs.
pub(super) fn computer_address(campaign: &Campaign, seat: &Seat) -> String {
    format!("{seat}.{}{COMPUTERS}", campaign.charter().game)
}

/// How the addresses of computer players end.
pub(super) const COMPUTERS: &str = "@computer.invalid";
