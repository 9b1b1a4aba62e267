//! Mail that names no seat: its sender is told how to play, what was wrong with what was asked, or that nothing was done with what may have
//! been orders.

use crate::HostError;
use crate::addresses::mailbox_of;
use crate::books::batch::Batch;
use crate::decisions::counting::STRANGERS;
use crate::games::Games;
use crate::inbox::incoming::Incoming;
use crate::mails::answers::Sender;
use musterd_desk::mail::{self, Misplaced};
use musterd_dice::{Digest, GameId};
use musterd_letter::Letter;
use musterd_report::letters::Reason;
use musterd_store::{HOST, Step};

/// How many such mails from a registered address are answered in a day.
const MOST_OF_A_PLAYER: u32 = 10;
/// How many mails of a stranger are answered in a day that hold a command where none is read.
const MOST_HINTS: u32 = 3;

impl Games {
    /// A mail for no game of ours, or for one in which its sender has no seat: help, at most once a day for each sender, or why a command in
    /// it was not read. A player is told each time, since what he sent may have been orders.
    pub(crate) fn help_sender(
        &mut self,
        asked: Option<&GameId>,
        letter: &Letter,
        mail: &str,
        batch: &mut Batch,
    ) -> Result<Step, HostError> {
        let mut step = Step::default();
        let Some(from) = &letter.author else { return Ok(step) };
        if self.is_own(from) {
            return Ok(step);
        }
        let plays = self.plays_somewhere(from);
        let misplaced = letter.body.as_ref().ok().and_then(|body| mail::misplaced_command(&body.text));
        // What else is in a player's mail may be orders, and that they were not taken matters more.
        let misplaced = misplaced.filter(|misplaced| !plays || *misplaced == Misplaced::Quoted);
        let most = if plays { MOST_OF_A_PLAYER } else { MOST_HINTS };
        let sender = if !plays && self.is_used_up(self.config.limits.strangers_a_day, STRANGERS) {
            return Ok(step);
        } else if plays || misplaced.is_some() {
            let id = letter.message_id.as_deref().unwrap_or(mail);
            let copy = Digest::of(format!("{id}\n{from}").as_bytes());
            if !self.is_first(format!("{HOST}/helped/{copy}"), &mut step, batch)? {
                return Ok(Step::default());
            }
            let counted = format!("{HOST}/helps/{}", Digest::of(mailbox_of(from).as_bytes()));
            let Some(nth) = self.how_manieth(most, &counted, &mut step, batch)? else {
                tracing::warn!(
                    from,
                    mail,
                    "too many such mails of this sender today: this one is not answered"
                );
                return Ok(Step::default());
            };
            if plays { Sender::Player { nth } } else { Sender::Asking { nth } }
        } else {
            Sender::Stranger
        };
        let now = self.now();
        let packet = match (misplaced, asked) {
            (Some(misplaced), _) => {
                self.mailroom().not_read(from, sender, why_not_read(misplaced), letter, now)
            }
            (None, Some(asked)) if !self.knows(asked) => {
                let reason = Reason::UnknownGame { asked: asked.to_string() };
                self.mailroom().not_read(from, sender, reason, letter, now)
            }
            (None, _) => self.mailroom().help(from, sender, letter, now),
        };
        let packet = match packet {
            Err(HostError::Compose(error)) => {
                tracing::info!(from, %error, "this sender can't be answered");
                return Ok(step);
            }
            other => other?,
        };
        let may_be_told = match sender {
            Sender::Player { .. } => true,
            Sender::Asking { .. } => self.may_answer_strangers(&mut step, batch)?,
            Sender::Stranger => {
                self.is_first(packet.id.clone(), &mut step, batch)?
                    && self.may_answer_strangers(&mut step, batch)?
            }
        };
        step.packets.extend(may_be_told.then_some(packet));
        Ok(step)
    }

    /// Whether a mail for a game, of somebody who has no seat there and claims none, holds a command where none is read. It is dealt with as any
    /// stranger's.
    pub(crate) fn asks_in_vain(&mut self, mail: &Incoming<'_>) -> Result<bool, HostError> {
        let claims = mail.route.token.is_some() || mail.route.seat.is_some() || !mail.press.is_empty();
        if claims || !mail.commands.is_empty() || mail.is_from_a_player(self.campaign(mail.game)?) {
            return Ok(false);
        }
        Ok(mail::misplaced_command(mail.text()).is_some())
    }

    fn plays_somewhere(&mut self, from: &str) -> bool {
        let from = [from.to_owned()];
        self.current().iter().any(|game| self.plays_there(game, &from))
    }
}

fn why_not_read(misplaced: Misplaced) -> Reason {
    match misplaced {
        Misplaced::Below(line) => Reason::CommandBelow { line },
        Misplaced::Quoted => Reason::CodeQuoted,
    }
}
