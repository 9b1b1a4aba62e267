//! One mail in: what it is, whose it is, and what it changes. Every mail for a game goes into its journal, accepted or
//! refused; none is answered twice, and automatic mail never.

use super::HostError;
use super::host::{Batch, Host};
use crate::desk::campaign::Campaign;
use crate::dice::{Block, Digest, GameId, Seat, Word};
use crate::engine::Awaiting;
use crate::engine::journal::{Cause, Player, Received, Verdict};
use crate::engine::sheet::Sheet;
use crate::letter::{self, Automatic, Bounce, Kind, Letter, Limits, Orders, Route, Sent, Source, Unreadable};
use crate::post::{Pending, Raw};
use crate::report::letters::Reason;
use crate::store::{Attempt, Step, Tried};

/// How many mails share one commit.
const COMMITTED_TOGETHER: usize = 64;
/// Longer orders than these are refused, in bytes and in lines: no army needs them.
const LONGEST_BLOCK: usize = 64 * 1024;
const MOST_LINES: usize = 2_000;
/// How many refusals a seat is mailed in a day.
const MOST_REFUSALS: u32 = 20;
/// How far a mail server's clock may be behind ours, in seconds.
const CLOCK_SKEW: i64 = 2;

/// A mail for a game that changes nothing there, and why.
struct Refused {
    seat: Option<Seat>,
    word: &'static str,
    reason: Option<Reason>,
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
        let considered = mails.iter().try_for_each(|mail| {
            if self.store.handled(&mail.name)? { Ok(()) } else { self.consider(mail, &mut batch) }
        });
        if let Err(error) = considered.and_then(|()| self.commit(&batch)) {
            self.evict_all();
            return Err(error);
        }
        mails.iter().try_for_each(|mail| Ok(self.spool.done(mail)?))
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

    fn consider(&mut self, mail: &Pending, batch: &mut Batch) -> Result<(), HostError> {
        let raw = self.spool.read(mail)?.raw;
        let limits = Limits { bytes: self.config.max_mail_bytes };
        let letter = match &raw {
            Raw::Whole(bytes) => letter::open(bytes, &limits),
            Raw::Oversize { head, size } => {
                letter::open_head(head, Unreadable::TooLarge { bytes: *size, limit: limits.bytes })
            }
        };
        let handled = vec![mail.name.clone()];
        if let Some(automatic) = &letter.automatic {
            tracing::info!(mail = mail.name, ?automatic, "automatic mail: not answered");
            batch.steps.push(Step { handled, ..Step::default() });
            if let Automatic::Bounce(bounces) = automatic {
                self.note_bounces(bounces, batch)?;
            }
            return Ok(());
        }
        let route = letter::route(&letter, &self.mailroom.address);
        match &route.game {
            Some(game) if self.knows(game) => self.consider_for(&game.clone(), &route, mail, &letter, batch),
            other => {
                let step = self.stranger(other.as_ref(), &letter, batch)?;
                batch.steps.push(Step { handled, ..step });
                Ok(())
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
        if *from == self.mailroom.address.to_string() || !from.is_ascii() {
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
        let key = packet.id.clone();
        if !self.store.seen(&key)? && batch.seen.insert(key.clone()) {
            step.seen.push(key);
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
    ) -> Result<(), HostError> {
        let mut step = self.step(game)?;
        step.handled.push(mail.name.clone());
        let arrived = self.clock.arrival(mail.arrived);
        if self.is_spent_seal(game, route, letter)? {
            tracing::info!(%game, mail = mail.name, "orders that were sealed for a turn that has run");
            batch.steps.push(step);
            return Ok(());
        }
        match self.orders_of(game, route, letter, arrived)? {
            Ok((seat, block)) => {
                let id = letter.message_id.as_deref().unwrap_or(&mail.name);
                let key =
                    format!("{game}/{seat}/{}", Digest::of(format!("{id}\n{}", block.digest()).as_bytes()));
                if self.store.seen(&key)? || !batch.seen.insert(key.clone()) {
                    tracing::info!(%game, %seat, mail = mail.name, "a second copy: no effect");
                    batch.steps.push(step);
                    return Ok(());
                }
                step.seen.push(key);
                self.accept(game, &seat, &block, mail, letter, arrived, &mut step)?;
            }
            Err(refused) => {
                let seat = refused.seat.as_ref().map_or("-", Seat::as_str);
                let text = letter.body.as_ref().map_or("", |body| body.text.as_str());
                let id = letter.message_id.as_deref().unwrap_or(&mail.name);
                let key = format!("{game}/{seat}/refused/{}", Digest::of(format!("{id}\n{text}").as_bytes()));
                if self.store.seen(&key)? || !batch.seen.insert(key.clone()) {
                    batch.steps.push(step);
                    return Ok(());
                }
                step.seen.push(key);
                self.refuse(game, refused, mail, letter, arrived, &mut step, batch)?;
            }
        }
        batch.steps.push(step);
        if self.campaign(game)?.all_ready() {
            let step = self.adjudicate(game, Some("ready"))?;
            batch.steps.push(step);
        }
        Ok(())
    }

    /// Whether this is a computer player's mail for a turn that ran before it came back to us: its orders counted all the
    /// same, because they were sealed.
    fn is_spent_seal(&mut self, game: &GameId, route: &Route, letter: &Letter) -> Result<bool, HostError> {
        let domain = self.mailroom.address.domain().to_owned();
        let campaign = self.campaign(game)?;
        let computer = route.seat.as_ref().is_some_and(|seat| {
            matches!(campaign.charter().players.get(seat), Some(Player::Computer { .. }))
        });
        let sent = letter.message_id.as_deref().and_then(|id| Sent::of(id, &domain));
        Ok(computer
            && sent.is_some_and(|sent| {
                sent.kind == Kind::Orders && campaign.window().is_none_or(|w| sent.t < w.t)
            }))
    }

    #[expect(clippy::too_many_arguments, reason = "the facts of one acceptance")]
    fn accept(
        &mut self,
        game: &GameId,
        seat: &Seat,
        block: &Block,
        mail: &Pending,
        letter: &Letter,
        arrived: i64,
        step: &mut Step,
    ) -> Result<(), HostError> {
        let window = self.campaign(game)?.window();
        let previous = window.and_then(|w| w.accepted.get(seat)).cloned();
        let cause = self.acceptance(game, seat, block.clone(), &mail.name, arrived)?;
        self.play(game, step, cause)?;
        tracing::info!(%game, %seat, mail = mail.name, "orders accepted");
        let receipt = self
            .about(game, |mailroom, about| mailroom.receipt(about, seat, block, previous.as_ref(), letter))?;
        step.packets.extend(receipt);
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "the facts of one refusal")]
    fn refuse(
        &mut self,
        game: &GameId,
        refused: Refused,
        mail: &Pending,
        letter: &Letter,
        arrived: i64,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<(), HostError> {
        let Refused { seat, word, reason } = refused;
        let t = self.campaign(game)?.window().map_or_else(|| 0, |w| w.t);
        let text = letter.body.as_ref().map_or("", |body| body.text.as_str());
        let word: Word = word.parse().map_err(|e: crate::dice::BadWord| HostError::usage(e.to_string()))?;
        let verdict = Verdict::Refused { reason: word.clone(), text: Digest::of(text.as_bytes()) };
        let received = Received { t, seat: seat.clone(), mail: mail.name.clone(), arrived, verdict };
        self.play(game, step, Cause::Received(received))?;
        tracing::info!(%game, ?seat, mail = mail.name, reason = %word, "mail refused");
        let not_proved = matches!(reason, Some(Reason::NotProved { .. }));
        if not_proved && !self.may_be_told_of(game, letter, step, batch)? {
            return Ok(());
        }
        if !self.may_refuse_again(game, seat.as_ref(), step, batch)? {
            tracing::warn!(%game, ?seat, mail = mail.name, "too many refusals today: this one is not told");
            return Ok(());
        }
        if let (Some(seat), Some(reason)) = (&seat, reason) {
            let packet =
                self.about(game, |mailroom, about| mailroom.refusal(about, seat, reason, letter, arrived))?;
            step.packets.extend(packet);
        }
        if not_proved {
            let seat = seat.map_or_else(|| "a seat that it did not name".to_owned(), |s| s.to_string());
            let paragraphs = vec![format!(
                "A mail from {} claimed to be from {seat}, without the right secret or from an address that is not \
                 registered. It changed nothing. The mail lies in the spool as {}.",
                letter.from.join(", "),
                mail.name
            )];
            step.packets.extend(
                self.about(game, |mailroom, about| {
                    mailroom.notice(about, "a mail not proved", paragraphs, 0)
                })?,
            );
        }
        Ok(())
    }

    /// Whether one more refusal may be mailed to this seat today. A program that answers every mail of ours, and doesn't say
    /// that it is one, would otherwise be refused for ever.
    fn may_refuse_again(
        &mut self,
        game: &GameId,
        seat: Option<&Seat>,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<bool, HostError> {
        let seat = seat.map_or("-", Seat::as_str);
        let day = self.clock.now().div_euclid(24 * 3600);
        for n in 0..MOST_REFUSALS {
            let key = format!("{game}/{seat}/refusals/{day}/{n}");
            if !self.store.seen(&key)? && batch.seen.insert(key.clone()) {
                step.seen.push(key);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether player and GM are to be told of a mail that proved nothing: of any from a registered address, and of the
    /// first of the day from any other, lest a stranger flood them.
    fn may_be_told_of(
        &mut self,
        game: &GameId,
        letter: &Letter,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<bool, HostError> {
        let players = &self.campaign(game)?.charter().players;
        let registered = players.values().any(|player| match player {
            Player::Mail { addresses } => letter.from.iter().any(|from| addresses.contains(from)),
            Player::Computer { .. } => false,
        });
        if registered {
            return Ok(true);
        }
        let sender = Digest::of(letter.from.join(",").as_bytes());
        let key = format!("{game}/not-proved/{sender}/{}", self.clock.now().div_euclid(24 * 3600));
        let first = !self.store.seen(&key)? && batch.seen.insert(key.clone());
        step.seen.push(key);
        Ok(first)
    }

    fn acceptance(
        &mut self,
        game: &GameId,
        seat: &Seat,
        block: Block,
        mail: &str,
        arrived: i64,
    ) -> Result<Cause, HostError> {
        self.campaign(game)?;
        let chain = self.vault.chain(game)?.clone();
        self.campaign(game)?
            .acceptance(&chain, seat, block, mail, arrived)
            .map_err(|e| super::host::fault(game, e))
    }

    /// The seat and the block of a mail, or why it changes nothing.
    fn orders_of(
        &mut self,
        game: &GameId,
        route: &Route,
        letter: &Letter,
        arrived: i64,
    ) -> Result<Result<(Seat, Block), Refused>, HostError> {
        let seat = match self.proved(game, route, letter)? {
            Ok(seat) => seat,
            Err(refused) => return Ok(Err(refused)),
        };
        let zone = {
            let default = self.config.zone.clone();
            super::deadline::zone_of(&self.campaign(game)?.charter().deadlines, &default).to_owned()
        };
        let domain = self.mailroom.address.domain().to_owned();
        let campaign = self.campaign(game)?;
        let block = in_time(campaign, game, &domain, &zone, letter, arrived)
            .and_then(|()| block_of(campaign, &seat, letter));
        Ok(match block {
            Ok(block) => match campaign.window().and_then(|w| w.sealed.get(&seat)) {
                Some(sealed) if sealed.block != block => {
                    Err(Refused { seat: Some(seat), word: "not-as-sealed", reason: None })
                }
                _ => Ok((seat, block)),
            },
            Err(reason) => Err(Refused { seat: Some(seat), word: reason.word(), reason: Some(reason) }),
        })
    }

    /// The seat that the mail has proved to be from: its secret, and a registered address.
    fn proved(
        &mut self,
        game: &GameId,
        route: &Route,
        letter: &Letter,
    ) -> Result<Result<Seat, Refused>, HostError> {
        let campaign = self.campaign(game)?;
        let charter = campaign.charter();
        let registered = |seat: &Seat| match charter.players.get(seat) {
            Some(Player::Mail { addresses }) => {
                letter.from.iter().any(|from| addresses.iter().any(|a| a.eq_ignore_ascii_case(from)))
            }
            Some(Player::Computer { .. }) => {
                letter.from == [super::mailroom::computer_address(campaign, seat)]
            }
            None => false,
        };
        let not_proved = || Reason::NotProved { from: letter.from.join(", ") };
        let seat = match &route.seat {
            Some(seat) if charter.players.contains_key(seat) => seat.clone(),
            Some(asked) => {
                let reason = Reason::UnknownSeat { asked: asked.to_string() };
                let seat = charter.players.keys().find(|seat| registered(seat)).cloned();
                return Ok(Err(Refused { seat, word: reason.word(), reason: Some(reason) }));
            }
            // Without a secret there is no proof; a registered sender is told so, nobody else.
            None => {
                let seat = charter.players.keys().find(|seat| registered(seat)).cloned();
                return Ok(Err(Refused { seat, word: "no-secret", reason: Some(not_proved()) }));
            }
        };
        let known = registered(&seat);
        let right = match &route.token {
            Some(token) => *token == self.vault.token(game, &seat)?,
            None => false,
        };
        Ok(match (right, known) {
            (true, true) => Ok(seat),
            (false, _) => Err(Refused { seat: Some(seat), word: "wrong-secret", reason: Some(not_proved()) }),
            (true, false) => {
                Err(Refused { seat: Some(seat), word: "wrong-sender", reason: Some(not_proved()) })
            }
        })
    }

    /// Marks addresses that bounced, and tells the GM.
    fn note_bounces(&mut self, bounces: &[Bounce], batch: &mut Batch) -> Result<(), HostError> {
        for bounce in bounces {
            let Some(original) = &bounce.original else { continue };
            let Some(sent) = Sent::of(original, self.mailroom.address.domain()) else { continue };
            let Sent { game, t, seat, kind, n } = sent;
            let packet = format!("{game}/{t}/{seat}/{kind}/{n}");
            if !self.knows(&game) {
                continue;
            }
            let status = bounce.status.clone().unwrap_or_else(|| "no status".to_owned());
            let recipient = bounce.recipient.clone().or_else(|| {
                let to = self.store.packet(&packet).ok().flatten()?.to;
                to.into_iter().next()
            });
            let Some(recipient) = recipient else { continue };
            if bounce.permanent {
                let attempt = Attempt::Refused { at: self.clock.now(), reason: format!("bounced: {status}") };
                let tried = Tried { packet: packet.clone(), recipient: recipient.clone(), attempt };
                // A forged or repeated bounce fits no open ledger line; the GM is told all the same.
                if let Err(error) = self.store.record(&[tried]) {
                    tracing::info!(%game, packet, %error, "a bounce that fits no mail of ours");
                }
            }
            let mut step = self.step(&game)?;
            let text = format!("bounce: {packet} to {recipient}: {status}");
            self.play(&game, &mut step, Cause::Noted { text })?;
            let paragraphs = vec![format!(
                "A mail to {recipient} came back ({status}): {packet}. The player may not have got it. A second address \
                 can be registered for the seat."
            )];
            step.packets.extend(
                self.about(&game, |mailroom, about| {
                    mailroom.notice(about, "a mail came back", paragraphs, 0)
                })?,
            );
            batch.steps.push(step);
        }
        Ok(())
    }
}

/// Whether the mail is for the open window: it answers a mail about this `t`, or it arrived while the window was open.
fn in_time(
    campaign: &Campaign,
    game: &GameId,
    domain: &str,
    zone: &str,
    letter: &Letter,
    arrived: i64,
) -> Result<(), Reason> {
    let Some(window) = campaign.window() else { return Err(Reason::GameOver) };
    let when = |at: i64| super::deadline::zoned(at, zone).strftime("%A %-d %B, %H:%M %Z").to_string();
    if let Some(deadline) = window.deadline
        && arrived > deadline
    {
        return Err(Reason::Late { window: campaign.wait_title(), closed: when(deadline) });
    }
    let answered = letter.in_reply_to.iter().chain(letter.references.iter().rev());
    // The invitation begins every thread, so having its id says nothing of the turn meant.
    let meant = answered
        .filter_map(|id| Sent::of(id, domain))
        .filter(|sent| sent.game == *game && sent.kind != Kind::Invitation)
        .map(|sent| sent.t)
        .max();
    match meant {
        Some(meant) if meant != window.t => Err(Reason::OtherTurn { meant, open: window.t }),
        Some(_) => Ok(()),
        _ if arrived + CLOCK_SKEW < window.opened => {
            Err(Reason::Late { window: "the turn before".to_owned(), closed: when(window.opened) })
        }
        _ => Ok(()),
    }
}

/// The block that the player wrote.
fn block_of(campaign: &Campaign, seat: &Seat, letter: &Letter) -> Result<Block, Reason> {
    let body = match &letter.body {
        Ok(body) => body,
        Err(Unreadable::TooLarge { bytes, limit }) => {
            return Err(Reason::TooLarge { bytes: *bytes, limit: *limit });
        }
        Err(other) => return Err(Reason::Unreadable { why: other.to_string() }),
    };
    let is_order_line = |line: &str| {
        let sheet = Sheet::of(line);
        sheet.ready || sheet.wait || sheet.join || campaign.game().is_order_line(line)
    };
    let (block, quoted) =
        match letter::find_orders(&body.text, body.orders_attachment.as_deref(), &is_order_line) {
            Orders::Block { block, source } => (block, source == Source::Quoted),
            Orders::Recognised { block, .. } | Orders::Unterminated(block) => (block, false),
            Orders::None => return Err(Reason::NoOrders),
        };
    let text = block.as_str();
    if quoted
        && orders_in(text, &is_order_line)
            == orders_in(&campaign.game().form(seat).join("\n"), &is_order_line)
    {
        return Err(Reason::NoOrders);
    }
    let lines = text.lines().count();
    if text.len() > LONGEST_BLOCK || lines > MOST_LINES {
        let why = format!(
            "The orders have {lines} lines and {} bytes; at most {MOST_LINES} lines and {LONGEST_BLOCK} bytes are read. \
             None of them was taken.",
            text.len()
        );
        return Err(Reason::Unreadable { why });
    }
    let founding = matches!(campaign.game().awaiting(), Awaiting::Founding);
    if founding && !Sheet::of(text).join {
        return Err(Reason::NoOrders);
    }
    Ok(block)
}

/// The order lines alone, tidied: what makes two forms the same.
fn orders_in(text: &str, is_order_line: &dyn Fn(&str) -> bool) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| is_order_line(line)).map(str::to_ascii_lowercase).collect()
}
