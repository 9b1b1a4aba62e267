//! Mail that names no seat: its sender is told how to play, or that nothing was done with what may have been orders.

use super::HostError;
use super::answers::Sender;
use super::host::{Batch, Host};
use super::limits::{STRANGERS, mailbox_of};
use crate::dice::{Digest, GameId};
use crate::letter::Letter;
use crate::store::{HOST, Step};

/// How many such mails from a registered address are answered in a day.
const MOST_OF_A_PLAYER: u32 = 10;

impl Host {
    /// A mail for no game of ours: help, at most once a day for each sender. A player is told each time, since what he sent may have
    /// been orders.
    pub(super) fn help_sender(
        &mut self,
        asked: Option<&GameId>,
        letter: &Letter,
        mail: &str,
        batch: &mut Batch,
    ) -> Result<Step, HostError> {
        let mut step = Step::default();
        let [from] = letter.from.as_slice() else { return Ok(step) };
        if self.is_own(from) || !from.is_ascii() {
            return Ok(step);
        }
        let sender = if self.plays_somewhere(from) {
            let id = letter.message_id.as_deref().unwrap_or(mail);
            let copy = Digest::of(format!("{id}\n{from}").as_bytes());
            if !self.is_first(format!("{HOST}/helped/{copy}"), &mut step, batch)? {
                return Ok(Step::default());
            }
            let counted = format!("{HOST}/helps/{}", Digest::of(mailbox_of(from).as_bytes()));
            let Some(nth) = self.how_manieth(MOST_OF_A_PLAYER, &counted, &mut step, batch)? else {
                tracing::warn!(
                    from,
                    mail,
                    "too many mails of a player without a seat's address today: this one is not answered"
                );
                return Ok(Step::default());
            };
            Sender::Player { nth }
        } else if self.is_used_up(self.config.limits.strangers_a_day, STRANGERS) {
            return Ok(step);
        } else {
            Sender::Stranger
        };
        let packet = match asked {
            Some(asked) => self.mailroom.unknown_game(from, sender, asked, letter, self.clock.now()),
            None => self.mailroom.help(from, sender, letter, self.clock.now()),
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
            Sender::Stranger => {
                self.is_first(packet.id.clone(), &mut step, batch)?
                    && self.may_answer_strangers(&mut step, batch)?
            }
        };
        step.packets.extend(may_be_told.then_some(packet));
        Ok(step)
    }

    fn plays_somewhere(&mut self, from: &str) -> bool {
        let from = [from.to_owned()];
        self.games().iter().any(|game| self.plays_there(game, &from))
    }
}
