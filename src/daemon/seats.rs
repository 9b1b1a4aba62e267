//! Somebody else takes a seat: a new secret, a welcome with the current dispatch, or the computer's orders at once.

use std::collections::BTreeSet;

use super::HostError;
use super::host::Host;
use super::mailroom::{About, Draft, Mailroom};
use crate::dice::{GameId, Seat};
use crate::engine::Awaiting;
use crate::engine::journal::{Arrangement, Author, Cause, Change, Player};
use crate::letter::Kind;
use crate::report::letters::{self, Notice};
use crate::store::{Packet, Step};

impl Host {
    /// Gives a seat to another player, or to nobody. `text` is what the public log says of it. Orders that are here for the open
    /// turn stand; a computer gives its own at once where none are.
    pub(super) fn give_seat(
        &mut self,
        game: &GameId,
        seat: &Seat,
        player: &Player,
        by: Author,
        text: String,
        step: &mut Step,
    ) -> Result<(), HostError> {
        let campaign = self.campaign(game)?;
        let (t, issue) = (campaign.next_t(), campaign.issue(seat) + 1);
        let seated = Change::Seated { seat: seat.clone(), player: player.clone() };
        self.play(game, step, Cause::Arranged(Arrangement { t, by: by.clone(), change: seated, text }))?;
        let secret = Change::Secret { seat: seat.clone(), issue };
        let text = format!("{seat} has a new secret");
        self.play(game, step, Cause::Arranged(Arrangement { t, by, change: secret, text }))?;
        match player {
            &Player::Computer { skill } => {
                let campaign = self.campaign(game)?;
                let asked = match campaign.game().awaiting() {
                    Awaiting::Orders { may, .. } => may.contains(seat),
                    Awaiting::Founding | Awaiting::Over { .. } => false,
                };
                let asked = asked || campaign.must().contains(seat);
                let has_orders = campaign
                    .window()
                    .is_none_or(|open| open.accepted.contains_key(seat) || open.sealed.contains_key(seat));
                if asked && !has_orders {
                    self.stand_in(game, &BTreeSet::from([seat.clone()]), skill, step)?;
                }
            }
            Player::Mail { .. } => {
                let packets = self.about(game, |mailroom, about| {
                    let n = about.campaign.entries();
                    let mut packets: Vec<Packet> = mailroom.welcome(about, seat)?.into_iter().collect();
                    packets.extend(mailroom.dispatch(about, seat, n)?);
                    Ok(packets)
                })?;
                step.packets.extend(packets);
            }
            Player::Open => {}
        }
        Ok(())
    }
}

impl Mailroom {
    /// The mail that brings a new player the seat, in a game that has begun or not.
    pub(super) fn welcome(&self, about: &About<'_>, seat: &Seat) -> Result<Option<Packet>, HostError> {
        let campaign = about.campaign;
        let Some(to) = self.address_of(campaign, seat) else { return Ok(None) };
        let addressee = self.addressee(about, seat);
        let game = &campaign.charter().game;
        let mut paragraphs = vec![
            format!("You play {} in {game}: {}.", addressee.title, campaign.game().title()),
            campaign.game().situation(),
        ];
        paragraphs.push(match (campaign.window(), campaign.last()) {
            (Some(window), _) if window.sealed.contains_key(seat) => {
                "For the open turn the computer's orders were sealed when it opened, and they stand. Yours are taken from the next turn on."
                    .to_owned()
            }
            (Some(_), Some(_)) => {
                "The current dispatch comes in a mail of its own. Answer it with your orders; orders that came before stand until then."
                    .to_owned()
            }
            (Some(_), None) => {
                "The game has not begun. Answer this mail with a line JOIN to confirm that you play; a line `salt:` with any words behind it \
                 mixes your own chance into the first dice."
                    .to_owned()
            }
            (None, _) => "The next dispatch asks for your orders.".to_owned(),
        });
        paragraphs.push(format!(
            "Your address at the host is {}: an answer to any of its mails goes there. It holds your secret; whoever played the seat before \
             can't use theirs any more. For mail programs that spoil the address, this line above the orders does the same:",
            addressee.reply_to
        ));
        paragraphs.push(addressee.key_line.clone());
        let notice = Notice {
            game: Some(game.clone()),
            subject: format!("you play {}", addressee.title),
            paragraphs,
            witness: campaign.witness(),
        };
        let (id, message_id) = self.id(about, 1, seat, Kind::Invitation, campaign.issue(seat).into());
        let draft = Draft {
            id,
            to: vec![to],
            reply_to: Some(addressee.reply_to),
            message_id,
            in_reply_to: None,
            references: Vec::new(),
            kind: Kind::Invitation,
            game: Some(game),
            seat: Some(seat),
            message: letters::notice(&self.templates, &notice),
            attachments: Vec::new(),
            stale_after: None,
        };
        self.packet(draft, about.now).map(Some)
    }

    /// A last word to somebody who plays a seat no more.
    pub(super) fn farewell(&self, about: &About<'_>, seat: &Seat, to: String) -> Result<Packet, HostError> {
        let campaign = about.campaign;
        let game = &campaign.charter().game;
        let notice = Notice {
            game: Some(game.clone()),
            subject: format!("you play {} no more", campaign.title_of(seat)),
            paragraphs: vec![format!(
                "The GM has given your seat in {game} to somebody else, or to nobody. Your orders for the open turn, if you sent any, stand \
                 until others come; no further mail of yours changes anything in this game."
            )],
            witness: campaign.witness(),
        };
        let (id, message_id) = self.id(about, campaign.next_t(), seat, Kind::Notice, campaign.entries());
        let draft = Draft {
            id: format!("{id}/farewell"),
            to: vec![to],
            reply_to: None,
            message_id: format!("farewell.{message_id}"),
            in_reply_to: None,
            references: Vec::new(),
            kind: Kind::Notice,
            game: Some(game),
            seat: Some(seat),
            message: letters::notice(&self.templates, &notice),
            attachments: Vec::new(),
            stale_after: Some(about.now + 14 * 24 * 3600),
        };
        self.packet(draft, about.now)
    }
}
