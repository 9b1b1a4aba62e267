//! Somebody else takes a seat: a new secret, a welcome with the current dispatch, or the computer's orders at once.

use std::collections::BTreeMap;

use crate::HostError;
use crate::clock::DAY;
use crate::config::check_address;
use crate::decisions::sitting::Sitting;
use crate::mails::frame::Unframed;
use crate::mails::mailroom::Clerk;
use crate::mails::notices::PlayerNotice;
use musterd_desk::mail::Kind;
use musterd_dice::{ChainLines, Seat};
use musterd_engine::alike::meant;
use musterd_engine::journal::{Author, Change, Player};
use musterd_engine::{Awaiting, Levels};

/// How somebody leaves a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parting {
    /// They may take another, or this one again.
    Free,
    /// They may not come back until the GM lets them.
    Barred,
}

impl Sitting<'_> {
    /// Gives a seat to another player, or to nobody. `text` is what the public log says of it. Orders that are here for the open
    /// turn stand; a computer gives its own at once where none are, and a person gets time. The new deadline, if that moved it:
    /// all are still to be told.
    pub(crate) fn give_seat(
        &mut self,
        seat: &Seat,
        player: &Player,
        by: Author,
        text: &str,
    ) -> Result<Option<i64>, HostError> {
        let issue = self.campaign().issue(seat) + 1;
        let seated = Change::Seated { seat: seat.clone(), player: player.clone() };
        let text = player.in_log(seat, text);
        self.arrange(by.clone(), seated, text)?;
        let secret = Change::Secret { seat: seat.clone(), issue };
        let text = format!("{seat} has a new secret");
        self.arrange(by, secret, text)?;
        // Who plays neither waits for a seat of the game nor sees what others see.
        for address in player.addresses() {
            self.strike(address)?;
        }
        let mut deadline = None;
        match player {
            Player::Computer { skill } => {
                let campaign = self.campaign();
                let asked = match campaign.game().awaiting() {
                    Awaiting::Orders { may, .. } => may.contains(seat),
                    Awaiting::Founding | Awaiting::Over { .. } => false,
                };
                let asked = asked || campaign.must().contains(seat);
                let has_orders = campaign
                    .window()
                    .is_none_or(|open| open.accepted.contains_key(seat) || open.sealed.contains_key(seat));
                if asked && !has_orders {
                    self.stand_in(&BTreeMap::from([(seat.clone(), skill.clone())]))?;
                }
            }
            Player::Mail { .. } => {
                deadline = self.give_newcomer_time(seat)?;
                let bound = self.bind_reports([seat])?;
                let audit = self.audit_so_far()?;
                self.mail_with(audit.as_ref(), |clerk| {
                    let n = clerk.campaign.entries();
                    clerk.welcome(seat)?;
                    clerk.dispatch_again(bound, n)?;
                    let sealed = clerk.campaign.window().is_some_and(|open| open.sealed.contains_key(seat));
                    if sealed { clerk.note(seat, sealed_orders()) } else { Ok(()) }
                })?;
            }
            Player::Open => {}
        }
        Ok(deadline)
    }
}

/// That a new player's orders are not taken yet.
fn sealed_orders() -> PlayerNotice {
    let told = "For the open turn the computer's orders were sealed when it opened, and they stand. Yours are taken from the next turn on.";
    PlayerNotice::new("your first turn is the next one", vec![told.to_owned()])
}

impl Clerk<'_> {
    /// A last word to somebody who plays a seat no more.
    pub(crate) fn farewell(&mut self, seat: &Seat, to: String, parting: Parting) -> Result<(), HostError> {
        let campaign = self.campaign;
        let game = &campaign.charter().game;
        let subject = format!("you play {} no more", campaign.title_of(seat));
        let mut paragraphs = vec![format!(
            "The GM has given your seat in {game} to somebody else, or to nobody. Your orders for the open turn, if you sent any, stand \
             until others come; no further mail of yours changes anything in this game."
        )];
        if parting == Parting::Barred {
            paragraphs.push(
                "You can take no seat of it again, nor wait for one nor watch, unless the GM lets you."
                    .to_owned(),
            );
        }
        let (id, message_id) = self.id(campaign.next_t(), seat, Kind::Notice, campaign.entries())?;
        let name = (format!("{id}/farewell"), format!("farewell.{message_id}"));
        let shows = campaign.open_head().map(ChainLines::from);
        let message = self.words_and_lines(&subject, paragraphs, String::new(), shows.clone());
        let draft = Unframed {
            game: Some(game),
            seat: Some(seat),
            stale_after: Some(self.now + 14 * DAY),
            shows,
            ..Unframed::new(name, vec![to], Kind::Notice, message)
        };
        self.write(draft)
    }
}

/// Who sits where, as the command line says it.
pub(crate) fn players(
    seats: &BTreeMap<Seat, String>,
    levels: &Levels,
) -> Result<BTreeMap<Seat, Player>, HostError> {
    let player = |(seat, who): (&Seat, &String)| {
        let player = player(who, levels).map_err(|e| HostError::usage(format!("--seat {seat}: {e}")))?;
        Ok((seat.clone(), player))
    };
    seats.iter().map(player).collect()
}

/// Who plays a seat: addresses, `computer`, `computer:cautious`, `open`.
pub(crate) fn player(who: &str, levels: &Levels) -> Result<Player, String> {
    if who == "open" {
        return Ok(Player::Open);
    }
    if let Some(level) = levels.computer(who) {
        return level.map(|skill| Player::Computer { skill }).map_err(|e| e.to_string());
    }
    let addresses: Vec<String> = who.split(',').map(|a| a.trim().to_lowercase()).collect();
    // A word is meant for the computer, or for nobody.
    if let [word] = addresses.as_slice()
        && !word.contains('@')
    {
        let known: Vec<String> = levels.words().chain(["open".to_owned()]).collect();
        let hint = match meant(word, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("write an address, {} or open", levels.words().collect::<Vec<_>>().join(", ")),
        };
        return Err(format!("`{word}` is not a mail address: {hint}"));
    }
    addresses.iter().try_for_each(|address| check_address(address))?;
    Ok(Player::Mail { addresses })
}
