//! The mails that bring a seat its secret: the invitation, the welcome of a later player, a new secret. Each begins the thread
//! that the seat's other mails belong to.

use crate::HostError;
use crate::mails::frame::{InThread, ToSeat};
use crate::mails::mailroom::Clerk;
use musterd_desk::campaign::Campaign;
use musterd_desk::mail::{Attachment, Kind};
use musterd_desk::rhythm::rhythm;
use musterd_desk::starter::{STARTER, starter};
use musterd_desk::terms::reveal_in_words;
use musterd_dice::{ChainLines, Seat};
use musterd_engine::journal::Player;
use musterd_report::letters::{self, Invitation, Message};

/// What is revealed before the end of the game, and why dispatches bring no proofs where the terms would have them; empty where there
/// is nothing to say of either.
fn on_revealing(campaign: &Campaign) -> String {
    let terms = &campaign.charter().terms;
    let early = reveal_in_words(terms.reveal);
    let withheld = campaign.game().withholds_proofs().filter(|_| terms.proofs).map(str::to_owned);
    let said: Vec<String> = early.into_iter().chain(withheld).collect();
    said.join(" ")
}

impl Clerk<'_> {
    /// The first mail to every seat. `started`: the game begins at once, without their confirmation.
    pub(crate) fn invitations(&mut self, started: bool) -> Result<(), HostError> {
        let mut seats = self.campaign.charter().players.keys();
        seats.try_for_each(|seat| self.invitation(seat, started, false))
    }

    /// The mail that brings a new player the seat, in a game that has begun or not.
    pub(crate) fn welcome(&mut self, seat: &Seat) -> Result<(), HostError> {
        self.invitation(seat, self.campaign.last().is_some(), true)
    }

    fn invitation(&mut self, seat: &Seat, started: bool, seated: bool) -> Result<(), HostError> {
        let charter = self.campaign.charter();
        let others = charter.players.iter().filter(|(other, _)| *other != seat);
        let others = others.map(|(other, player)| (self.campaign.title_of(other), played_by(player)));
        let Some(shared) = self.campaign.shared() else { return Ok(()) };
        let seen = shared.witness.clone();
        // All are invited at once, and a newcomer alone.
        let open = self.campaign.open_head().filter(|_| seated);
        let witness = open.map_or_else(|| seen.clone().into(), ChainLines::from);
        let invitation = Invitation {
            to: self.addressee(seat),
            scenario: self.campaign.game().title(),
            situation: self.campaign.game().situation(),
            options: self.campaign.options().to_vec(),
            shows_battle: self.campaign.game().shows_battle(),
            others: others.map(|(title, who)| (title, who.to_owned())).collect(),
            rhythm: rhythm(charter),
            anchor: self.campaign.anchor(),
            beacon: charter.beacon.clone(),
            host_key: charter.host_key,
            reveal: on_revealing(self.campaign),
            // Where the time to confirm is over, the game waits for this seat alone.
            deadline: self.deadline(seat).filter(|deadline| !deadline.left.is_empty()),
            started,
            seated,
            seen,
            witness: witness.clone(),
        };
        let message = letters::invitation(&self.templates, &invitation);
        let signers = charter.host_key.map(|key| self.allowed_signers(&key));
        let starter = Attachment::text(STARTER, starter(self.campaign, seat, started));
        self.bring_secret(seat, message, Some(witness), std::iter::once(starter).chain(signers).collect())
    }

    /// That a seat has a new secret, and which.
    pub(crate) fn new_secret(&mut self, seat: &Seat) -> Result<(), HostError> {
        let to = self.addressee(seat);
        let what = match self.reply_of(seat).is_enough() {
            true => "The line for mail programs that spoil the address is now",
            false => "The line that shows your mails to be yours, which stands in each mail to you, is now",
        };
        let paragraphs = vec![
            format!("Your seat has a new secret. Write to {} from now on, or answer this mail.", to.reply_to),
            format!(
                "The secret before it is worth nothing any more: an answer to an older mail of this game will not be taken for yours. {what}"
            ),
            to.key_line,
            "The host's own secrets, which the dice come from, are those from before the first mail, and lead back to this \
             anchor:"
                .to_owned(),
        ];
        let anchor = format!("  {}\n", self.campaign.anchor());
        let message = self.words_and_lines("your seat's new secret", paragraphs, anchor, None);
        self.bring_secret(seat, message, None, Vec::new())
    }

    fn bring_secret(
        &mut self,
        seat: &Seat,
        message: Message,
        shows: Option<ChainLines>,
        attachments: Vec<Attachment>,
    ) -> Result<(), HostError> {
        let n = self.campaign.issue(seat).into();
        let mail = ToSeat::new(1, Kind::Invitation, n, message);
        self.mail_seat(seat, ToSeat { thread: InThread::Begins, shows, attachments, ..mail })
    }
}

/// Who plays a seat, in the words that everybody may read.
pub(crate) fn played_by(player: &Player) -> &'static str {
    match player {
        Player::Mail { .. } => "a person",
        Player::Computer { .. } => "the computer",
        Player::Open => "nobody yet",
    }
}
