//! Mails for a game that change nothing: how many of them the journal notes, and who is told.

use crate::HostError;
use crate::addresses::mailbox_of;
use crate::decisions::sitting::Sitting;
use crate::games::Games;
use crate::inbox::incoming::{Incoming, Refused};
use musterd_desk::is_gm;
use musterd_dice::{Digest, Seat, Word};
use musterd_engine::journal::Cause;
use musterd_report::letters::Reason;

/// How many refusals a seat is mailed in a day.
const MOST_REFUSALS: u32 = 20;
/// Of how many mails a day that fail to prove that they are from a seat its player and the GM are told, for each way to fail.
const MOST_ATTEMPTS: u32 = 5;

impl Games {
    /// Whether the journal of a game has noted enough mails today that prove as little as this one.
    pub(crate) fn has_noted_enough(&mut self, mail: &Incoming<'_>) -> bool {
        self.is_used_up(self.config.limits.unproved_a_day, &unproved(mail))
    }
}

impl Sitting<'_> {
    /// Notes a mail that changed nothing, and tells whom it concerns.
    pub(crate) fn refuse(&mut self, mail: &Incoming<'_>, refused: Refused) -> Result<(), HostError> {
        let game = mail.game;
        let not_proved = refused.proves_nothing();
        let Refused { seat, word, reason } = refused;
        let is_attempt = matches!(reason, Some(Reason::NotProved { .. }));
        let attempt = format!("{game}/{}/{word}", seat.as_ref().map_or("-", Seat::as_str));
        if not_proved && !self.may_be_noted(mail)? {
            return Ok(());
        }
        let word: Word = word.parse().map_err(|e: musterd_dice::BadWord| HostError::usage(e.to_string()))?;
        let text = Digest::of(mail.text().as_bytes());
        let cause = self.campaign().refusing((mail.name, mail.arrived), seat.as_ref(), &word, text);
        self.play(cause)?;
        let stopped = match &seat {
            Some(seat) if !not_proved => self.stop_by(seat)?,
            _ => None,
        };
        let whose = seat.as_ref().map(tracing::field::display);
        let from = mail.letter.author.as_deref().unwrap_or("-");
        tracing::info!(%game, seat = whose, from, mail = mail.name, reason = %word, "mail refused");
        if not_proved && !self.may_be_told_of(mail, &attempt)? {
            return Ok(());
        }
        // Counted apart: what others send in a player's name must not keep from him what became of his own mails.
        let counted = match not_proved {
            true => self.how_manieth(MOST_ATTEMPTS, &attempt)?,
            false => {
                let refusals = format!("{game}/{}/refusals", seat.as_ref().map_or("-", Seat::as_str));
                self.how_manieth(MOST_REFUSALS, &refusals)?
            }
        };
        let Some(counted) = counted else {
            let whose = seat.as_ref().map(tracing::field::display);
            tracing::warn!(%game, seat = whose, mail = mail.name, "too many refusals today: this one is not told");
            return Ok(());
        };
        if let (Some(seat), Some(reason)) = (&seat, reason) {
            self.mail(|clerk| {
                clerk.refusal(seat, reason, (mail.letter, mail.number()), (mail.arrived, stopped))
            })?;
        }
        if is_attempt {
            let mut paragraphs = attempt_in_words(mail, seat.as_ref());
            if counted == MOST_ATTEMPTS {
                paragraphs.push(format!(
                    "It was the {MOST_ATTEMPTS}th of its kind today. You and the player are told of no more of them today; mails that \
                     prove whose they are count as always."
                ));
            }
            self.mail(|clerk| clerk.notice("a mail not proved", paragraphs))?;
        }
        Ok(())
    }

    /// Whether a mail that proves nothing may be noted: so many a day. The journal says when they were too many.
    fn may_be_noted(&mut self, mail: &Incoming<'_>) -> Result<bool, HostError> {
        let (game, most_noted) = (mail.game, self.config.limits.unproved_a_day);
        match self.how_manieth(most_noted, &unproved(mail))? {
            None => {
                tracing::info!(%game, mail = mail.name, "enough mails that prove nothing were noted today: this one is not");
                return Ok(false);
            }
            Some(n) if n == most_noted => {
                let text = match mail.secret_holder() {
                    Some(seat) => {
                        format!("{n} mails today had the secret of {seat} and came from elsewhere")
                    }
                    None => format!("{n} mails today proved nothing"),
                };
                tracing::warn!(%game, "{text}: no more of them are noted or answered");
                self.play(Cause::Noted { text: format!("{text}: no more of them are noted") })?;
            }
            Some(_) => {}
        }
        Ok(true)
    }

    /// Whether player and GM are to be told of a mail that proved nothing: of any from a registered address, and of the
    /// first such attempt of the day from any other, lest a stranger flood them.
    fn may_be_told_of(&mut self, mail: &Incoming<'_>, attempt: &str) -> Result<bool, HostError> {
        if mail.is_from_a_player(self.campaign()) {
            return Ok(true);
        }
        let from = mail.letter.author.as_deref().map_or_else(|| mail.letter.from_line.clone(), mailbox_of);
        let sender = Digest::of(from.as_bytes());
        let day = self.now().div_euclid(24 * 3600);
        // Who begins with a guess must not keep it quiet so that he then has the secret.
        self.is_first(format!("{attempt}/not-proved/{sender}/{day}"))
    }
}

/// What the GM is told of a mail that claims to be from somebody and doesn't prove it.
fn attempt_in_words(mail: &Incoming<'_>, seat: Option<&Seat>) -> Vec<String> {
    let from = mail.letter.sender_in_words();
    let whose = match (seat, &mail.route.seat) {
        (Some(seat), _) => seat.to_string(),
        (None, Some(gm)) if is_gm(gm) => "the GM".to_owned(),
        (None, _) => "a seat that it did not name".to_owned(),
    };
    let nothing_done = format!("It changed nothing. The mail lies in the spool as {}.", mail.name);
    let Some(holder) = mail.secret_holder() else {
        return vec![format!(
            "A mail from {from} claimed to be from {whose}, without the right secret. {nothing_done}"
        )];
    };
    let anew = match is_gm(holder) {
        true => "SECRET gm gives you a new one".to_owned(),
        false => format!(
            "SECRET {holder} gives the seat a new one, and so does NEW SECRET in a mail of its player's"
        ),
    };
    vec![
        format!(
            "A mail from {from} claimed to be from {whose} and has the right secret, but is not shown to come from a registered \
             address. {nothing_done}"
        ),
        format!("Unless it is the player's own, from elsewhere, somebody else knows the secret: {anew}."),
    ]
}

/// Under which mails are counted that prove nothing. Those that show the right secret, and come from an address that isn't registered,
/// apart: only who has the secret can write them, and whatever strangers send must not keep the answer from him.
fn unproved(mail: &Incoming<'_>) -> String {
    let game = mail.game;
    mail.secret_holder().map_or_else(|| format!("{game}/unproved"), |seat| format!("{game}/{seat}/unproved"))
}
