//! One mail in: what it is, whose it is, and what it changes. Every mail for a game goes into its journal, accepted or
//! refused; none is answered twice, and automatic mail never.

use super::HostError;
use super::gm::is_gm;
use super::host::{Batch, Host};
use super::incoming::{Incoming, Refused, taken_apart};
use super::limits::STRANGERS;
use super::notify;
use crate::desk::order_mail::OrderMail;
use crate::dice::{Digest, GameId, Seat, Word};
use crate::engine::journal::{Cause, Received, Verdict};
use crate::letter::{self, Automatic, Letter, Limits, Route, Unreadable};
use crate::post::{Pending, Raw};
use crate::report::letters::Reason;
use crate::store::Step;

/// How many mails share one commit.
const COMMITTED_TOGETHER: usize = 64;
/// How many refusals a seat is mailed in a day.
const MOST_REFUSALS: u32 = 20;
/// Of how many mails a day that fail to prove that they are from a seat its player and the GM are told, for each way to fail.
const MOST_ATTEMPTS: u32 = 5;
/// How many receipts a day are sent for one set of orders: whatever mails it again and again is no person.
const MOST_RECEIPTS: u32 = 10;
/// How many receipts a seat is sent in a day for mails that look like a program's.
const MOST_TO_PROGRAMS: u32 = 10;

/// Where a mail goes once it was dealt with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is a game's: it stays in the spool for good.
    Kept,
    /// It is nobody's: it is kept a while.
    Other,
}

impl Host {
    /// Deals with everything that waits in the spool; returns how many mails.
    ///
    /// # Errors
    /// The store or the spool; the mails not dealt with stay in the spool.
    pub fn take_mail(&mut self) -> Result<usize, HostError> {
        let mut pending = self.spool.pending()?;
        pending.retain(|mail| !self.set_aside.contains(&mail.name));
        let mut taken = 0;
        for mails in pending.chunks(COMMITTED_TOGETHER) {
            notify::alive();
            taken += match self.take_together(mails) {
                Ok(()) => mails.len(),
                Err(error) if error.is_of_one_game() => self.take_singly(mails)?,
                Err(error) => return Err(error),
            };
        }
        Ok(taken)
    }

    /// Deals with these mails in one commit.
    fn take_together(&mut self, mails: &[Pending]) -> Result<(), HostError> {
        let mut batch = Batch::default();
        let mut kept = Vec::new();
        let mut other = Vec::new();
        let considered = mails.iter().try_for_each(|mail| {
            let fate =
                if self.store.handled(&mail.name)? { Fate::Kept } else { self.consider(mail, &mut batch)? };
            match fate {
                Fate::Kept => kept.push(mail.clone()),
                Fate::Other => other.push(mail),
            }
            Ok(())
        });
        if let Err(error) = considered.and_then(|()| self.commit(&batch)) {
            self.evict_all();
            return Err(error);
        }
        for mail in other {
            self.other.take(&self.spool.place_of(mail), &mail.name)?;
        }
        Ok(self.spool.done(&kept)?)
    }

    /// Deals with each of these mails alone. One that can't be dealt with must not stop the others: it waits in the spool
    /// for the next start of the program.
    fn take_singly(&mut self, mails: &[Pending]) -> Result<usize, HostError> {
        let mut taken = 0;
        for mail in mails {
            match self.take_together(std::slice::from_ref(mail)) {
                Ok(()) => taken += 1,
                Err(error) if error.is_of_one_game() => {
                    tracing::error!(mail = mail.name, %error, "this mail can't be dealt with: it stays in the spool");
                    self.set_aside.insert(mail.name.clone());
                }
                Err(error) => return Err(error),
            }
        }
        Ok(taken)
    }

    fn consider(&mut self, mail: &Pending, batch: &mut Batch) -> Result<Fate, HostError> {
        let raw = self.spool.read(mail)?.raw;
        let limits = Limits { bytes: self.config.max_mail_bytes };
        let letter = match &raw {
            Raw::Whole(bytes) => letter::open(bytes, &limits),
            Raw::Oversize { head, size } => {
                letter::open_head(head, Unreadable::TooLarge { bytes: *size, limit: limits.bytes })
            }
        };
        let handled = vec![mail.name.clone()];
        let route = letter::route(&letter, &self.mailroom.address);
        let game = route.game.as_ref().filter(|game| self.knows(game));
        if let Some(automatic) = &letter.automatic {
            if let Some(game) = game.filter(|_| automatic.may_be_a_persons()) {
                return self.consider_for(game, &route, mail, &letter, batch);
            }
            tracing::info!(mail = mail.name, ?automatic, "automatic mail: not answered");
            if let Automatic::Bounce(bounces) = automatic {
                let before = batch.steps.len();
                self.note_bounces(bounces, batch)?;
                if let Some(step) = batch.steps.get_mut(before) {
                    step.handled = handled;
                }
            }
            return Ok(Fate::Other);
        }
        match (game, &route.game) {
            (Some(game), _) => self.consider_for(game, &route, mail, &letter, batch),
            (None, other) => {
                let (commands, ..) = taken_apart(&letter);
                if !commands.is_empty() {
                    batch.steps.push(Step { handled, ..Step::default() });
                    self.obey_stranger(&letter, &mail.name, None, &commands, batch)?;
                    return Ok(Fate::Other);
                }
                let step = self.stranger(other.as_ref(), &letter, batch)?;
                let helped = !step.packets.is_empty();
                tracing::info!(mail = mail.name, from = ?letter.from, helped, "mail for no game of this host");
                // What had no effect leaves no mark: to look at it twice does no harm.
                if helped || !step.seen.is_empty() {
                    batch.steps.push(Step { handled, ..step });
                }
                Ok(Fate::Other)
            }
        }
    }

    /// A mail for no game of ours: help, at most once a day for each sender.
    fn stranger(
        &mut self,
        asked: Option<&GameId>,
        letter: &Letter,
        batch: &mut Batch,
    ) -> Result<Step, HostError> {
        let mut step = Step::default();
        let [from] = letter.from.as_slice() else { return Ok(step) };
        if self.is_own(from)
            || !from.is_ascii()
            || self.is_used_up(self.config.limits.strangers_a_day, STRANGERS)
        {
            return Ok(step);
        }
        let packet = match asked {
            Some(asked) => self.mailroom.unknown_game(from, asked, letter, self.clock.now()),
            None => self.mailroom.help(from, letter, self.clock.now()),
        };
        let packet = match packet {
            Err(HostError::Compose(error)) => {
                tracing::info!(from, %error, "this sender can't be answered");
                return Ok(step);
            }
            other => other?,
        };
        if self.is_first(packet.id.clone(), &mut step, batch)?
            && self.may_answer_strangers(&mut step, batch)?
        {
            step.packets.push(packet);
        }
        Ok(step)
    }

    /// A mail that names a game we have.
    fn consider_for(
        &mut self,
        game: &GameId,
        route: &Route,
        mail: &Pending,
        letter: &Letter,
        batch: &mut Batch,
    ) -> Result<Fate, HostError> {
        let mut step = self.step(game)?;
        step.handled.push(mail.name.clone());
        let players = &self.campaign(game)?.charter().players;
        let secret = match &route.seat {
            Some(seat) if players.contains_key(seat) || is_gm(seat) => Some(self.token(game, seat)?),
            _ => None,
        };
        let default_zone = self.config.zone.clone();
        let zone = self.campaign(game)?.zone(route.seat.as_ref(), &default_zone).to_owned();
        let domain = self.mailroom.address.domain().to_owned();
        let (commands, press, rest) = taken_apart(letter);
        let mail = Incoming {
            game,
            commands,
            press,
            rest,
            name: &mail.name,
            arrived: self.clock.arrival(mail.arrived),
            letter,
            route,
            secret,
            is_authentic: self.config.authentication.as_ref().is_none_or(|way| way.vouches_for(letter)),
            domain: &domain,
            zone: &zone,
        };
        let is_gms = route.seat.as_ref().is_some_and(is_gm);
        let campaign = self.campaign(game)?;
        if let Some(automatic) = &letter.automatic
            && !mail.counts_all_the_same(campaign)
        {
            tracing::info!(
                mail = mail.name,
                ?automatic,
                "it may be a person's and asks for nothing: not answered"
            );
            return Ok(Fate::Other);
        }
        if self.is_used_up(self.config.limits.unproved_a_day, &unproved(game))
            && mail.proves_nothing(self.campaign(game)?)
        {
            tracing::info!(%game, mail = mail.name, "enough mails that prove nothing were noted today: this one is not");
            return Ok(Fate::Other);
        }
        if is_gms {
            self.consider_gm(&mail, step, batch)?;
        } else {
            self.decide(&mail, step, batch)?;
        }
        if self.campaign(game)?.all_ready() {
            let step = self.adjudicate(game, Some("ready"))?;
            batch.steps.push(step);
        }
        Ok(Fate::Kept)
    }

    fn decide(&mut self, mail: &Incoming<'_>, mut step: Step, batch: &mut Batch) -> Result<(), HostError> {
        let (game, name) = (mail.game, mail.name);
        // A copy of a mail that changed the seat's player or secret is no stranger's attempt.
        if let Some(key) =
            mail.route.seat.as_ref().filter(|_| !mail.commands.is_empty()).map(|s| mail.commands_key(s))
            && (batch.seen.contains(&key) || self.store.seen(&key)?)
        {
            tracing::info!(%game, mail = name, "a second copy of commands: no effect");
            batch.steps.push(step);
            return Ok(());
        }
        let mut heard = None;
        if let Some((seat, orders)) = mail.writer(self.campaign(game)?) {
            self.note_reached(game, &seat, &mail.letter.from, &mut step)?;
            let hearing = self.hear_player(mail, &seat, orders, &mut step, batch)?;
            // Who has just resigned has no more to say.
            let resigned = self.campaign(game)?.free_seats().contains(&seat);
            if !resigned {
                self.pass_on(mail, &seat, &mut step, batch)?;
            }
            if resigned || !orders {
                if let Some(hearing) = hearing {
                    self.answer_player(mail, &seat, hearing, &mut step, batch)?;
                }
                batch.steps.push(step);
                return Ok(());
            }
            heard = hearing.map(|hearing| (seat, hearing));
        }
        if mail.is_strangers_request(self.campaign(game)?) {
            // What it asks for is a step of its own.
            batch.steps.push(step);
            return self.obey_stranger(mail.letter, name, Some(game), &mail.commands, batch);
        }
        let campaign = self.campaign(game)?;
        if mail.is_spent_seal(campaign) {
            tracing::info!(%game, mail = name, "orders that were sealed for a turn that has run");
        } else {
            match mail.judge(campaign) {
                Ok((seat, reply))
                    if self.is_first(mail.orders_key(&seat, &reply.block), &mut step, batch)? =>
                {
                    self.note_reached(game, &seat, &mail.letter.from, &mut step)?;
                    self.accept(mail, &seat, &reply, &mut step, batch)?;
                }
                Err(refused) if self.is_first(mail.refused_key(&refused), &mut step, batch)? => {
                    self.refuse(mail, refused, &mut step, batch)?;
                }
                _ => tracing::info!(%game, mail = name, "a second copy: no effect"),
            }
        }
        if let Some((seat, hearing)) = heard {
            self.answer_player(mail, &seat, hearing, &mut step, batch)?;
        }
        batch.steps.push(step);
        Ok(())
    }

    /// Whether nothing had this key before, in the store or in the batch; marks it.
    pub(super) fn is_first(
        &self,
        key: String,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<bool, HostError> {
        if self.store.seen(&key)? || !batch.seen.insert(key.clone()) {
            return Ok(false);
        }
        step.seen.push(key);
        Ok(true)
    }

    fn accept(
        &mut self,
        mail: &Incoming<'_>,
        seat: &Seat,
        reply: &OrderMail,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<(), HostError> {
        let game = mail.game;
        let window = self.campaign(game)?.window();
        let previous = window.and_then(|w| w.accepted.get(seat)).cloned();
        let reply = &reply.clone().upon(previous.as_ref().map(|accepted| &accepted.block));
        let chain = self.chain(game)?;
        let cause = self
            .campaign(game)?
            .acceptance(&chain, seat, reply.block.clone(), mail.name, mail.arrived)
            .map_err(|e| super::host::fault(game, e))?;
        self.play(game, step, cause)?;
        tracing::info!(%game, %seat, mail = mail.name, "orders accepted");
        let again = format!("{game}/{seat}/{}", reply.block.digest());
        let may_answer = self.is_among_seen(MOST_RECEIPTS, &again)
            && (mail.letter.automatic.is_none()
                || self.is_among(MOST_TO_PROGRAMS, &format!("{game}/{seat}/to-programs"), step, batch)?);
        if !may_answer {
            tracing::warn!(%game, %seat, mail = mail.name, "too many receipts today: the orders count, and this one is not sent");
            return Ok(());
        }
        let receipt = self.about(game, |mailroom, about| {
            mailroom.receipt(about, seat, reply, previous.as_ref(), mail.letter)
        })?;
        step.packets.extend(receipt);
        Ok(())
    }

    pub(super) fn refuse(
        &mut self,
        mail: &Incoming<'_>,
        refused: Refused,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<(), HostError> {
        let game = mail.game;
        let Refused { seat, word, reason } = refused;
        let not_proved = matches!(reason, Some(Reason::NotProved { .. }));
        let attempt = format!("{game}/{}/{word}", seat.as_ref().map_or("-", Seat::as_str));
        let most_noted = self.config.limits.unproved_a_day;
        if not_proved {
            match self.how_manieth(most_noted, &unproved(game), step, batch)? {
                None => return Ok(()),
                Some(n) if n == most_noted => {
                    let text = format!("{n} mails today proved nothing: no more of them are noted");
                    self.play(game, step, Cause::Noted { text })?;
                }
                Some(_) => {}
            }
        }
        let word: Word = word.parse().map_err(|e: crate::dice::BadWord| HostError::usage(e.to_string()))?;
        let text = Digest::of(mail.text().as_bytes());
        let cause = match self.campaign(game)?.window().map(|window| window.t) {
            Some(t) => Cause::Received(Received {
                t,
                seat: seat.clone(),
                mail: mail.name.to_owned(),
                arrived: mail.arrived,
                verdict: Verdict::Refused { reason: word.clone(), text },
            }),
            // Where nothing is open the log has no adjudication that a `recv` could name.
            None => {
                let seat = seat.as_ref().map_or("-", Seat::as_str);
                let when =
                    if self.campaign(game)?.draft().is_some() { "between turns" } else { "after the end" };
                Cause::Noted { text: format!("mail {when}: {seat} {text} refused {word}") }
            }
        };
        self.play(game, step, cause)?;
        let whose = seat.as_ref().map(tracing::field::display);
        tracing::info!(%game, seat = whose, mail = mail.name, reason = %word, "mail refused");
        if not_proved && !self.may_be_told_of(mail, step, batch)? {
            return Ok(());
        }
        // Counted apart: what others send in a player's name must not keep from him what became of his own mails.
        let counted = match not_proved {
            true => self.how_manieth(MOST_ATTEMPTS, &attempt, step, batch)?,
            false => {
                let refusals = format!("{game}/{}/refusals", seat.as_ref().map_or("-", Seat::as_str));
                self.how_manieth(MOST_REFUSALS, &refusals, step, batch)?
            }
        };
        let Some(counted) = counted else {
            let whose = seat.as_ref().map(tracing::field::display);
            tracing::warn!(%game, seat = whose, mail = mail.name, "too many refusals today: this one is not told");
            return Ok(());
        };
        if let (Some(seat), Some(reason)) = (&seat, reason) {
            let packet = self.about(game, |mailroom, about| {
                mailroom.refusal(about, seat, reason, mail.letter, mail.arrived)
            })?;
            step.packets.extend(packet);
        }
        if not_proved {
            let seat = match (&seat, &mail.route.seat) {
                (Some(seat), _) => seat.to_string(),
                (None, Some(gm)) if is_gm(gm) => "the GM".to_owned(),
                (None, _) => "a seat that it did not name".to_owned(),
            };
            let mut paragraphs = vec![format!(
                "A mail from {} claimed to be from {seat}, without the right secret or from an address that is not \
                 registered. It changed nothing. The mail lies in the spool as {}.",
                mail.letter.from.join(", "),
                mail.name
            )];
            if counted == MOST_ATTEMPTS {
                paragraphs.push(format!(
                    "It was the {MOST_ATTEMPTS}th of its kind today. You and the player are told of no more of them today; mails that \
                     prove whose they are count as always."
                ));
            }
            step.packets.extend(
                self.about(game, |mailroom, about| {
                    mailroom.notice(about, "a mail not proved", paragraphs, 0)
                })?,
            );
        }
        Ok(())
    }

    /// Whether player and GM are to be told of a mail that proved nothing: of any from a registered address, and of the
    /// first of the day from any other, lest a stranger flood them.
    fn may_be_told_of(
        &mut self,
        mail: &Incoming<'_>,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<bool, HostError> {
        if mail.is_from_a_player(self.campaign(mail.game)?) {
            return Ok(true);
        }
        let sender = Digest::of(mail.letter.from.join(",").as_bytes());
        let day = self.clock.now().div_euclid(24 * 3600);
        self.is_first(format!("{}/not-proved/{sender}/{day}", mail.game), step, batch)
    }
}

/// Under which mails are counted that prove nothing.
fn unproved(game: &GameId) -> String {
    format!("{game}/unproved")
}
