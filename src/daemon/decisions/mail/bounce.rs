//! Mails of ours that came back, or that the relay refused: the ledger knows, the address is marked in the journal, the mail goes
//! to the player's next address, and the GM is told.
//!
//! A report is believed if it returns the secret of the seat that the mail went to: that stands in the mail's own headers. What
//! returns nothing marks nothing, and the GM is told once a day that there was something.

use crate::HostError;
use crate::books::batch::Batch;
use crate::books::ledger::BOUNCED;
use crate::clock::DAY;
use crate::decisions::sitting::Sitting;
use crate::games::Games;
use crate::mails::frame::Unframed;
use crate::mails::mailroom::Clerk;
use crate::outbound::attempts::GIVEN_UP;
use crate::packet_id::PacketId;
use crate::transit::Delivery;
use musterd_desk::campaign::Campaign;
use musterd_desk::life::Failures;
use musterd_desk::mail::{self, Kind, Sent};
use musterd_dice::{Digest, GameId, Seat};
use musterd_engine::journal::{Author, Change};
use musterd_engine::terms::Missing;
use musterd_letter::{self as letter, Bounce};
use musterd_store::{Attempt, Outgoing, Packet, Tried};

/// So many reports a day that name no mail are looked into.
const NAMELESS_A_DAY: u32 = 20;

/// A mail that did not reach somebody.
struct Failure<'a> {
    packet: &'a Packet,
    recipient: &'a str,
    status: &'a str,
    /// Whether that says that the address is no good.
    permanent: bool,
}

impl Games {
    /// Takes note of what a delivery report says, once for each mail of ours and each address: servers report the same failure
    /// again and again.
    pub(crate) fn note_bounces(&mut self, bounces: &[Bounce], batch: &mut Batch) -> Result<(), HostError> {
        for bounce in bounces {
            let Some((game, packet)) = self.packet_of(bounce)? else {
                self.tell_of_nameless(bounce, batch)?;
                continue;
            };
            // A server may name the address that the player's mail is forwarded to.
            let named = packet.to.iter().find(|to| Some(*to) == bounce.recipient.as_ref());
            let Some(recipient) = named.or(packet.to.first()).cloned() else { continue };
            if !bounce.failed {
                tracing::info!(
                    %game,
                    packet = packet.id,
                    status = bounce.status,
                    "a server says that a mail is late and still under way: it has not come back"
                );
                continue;
            }
            let secret = mail::proof_in(packet.raw.as_bytes());
            if secret.is_none() || bounce.proof != secret {
                tracing::warn!(%game, packet = packet.id, "a report that doesn't return the mail it is about: not believed");
                let told = format!(
                    "A report says that a mail to {recipient} came back ({}). It doesn't return that mail, so that it may be \
                     forged: nothing was marked.",
                    packet.id
                );
                self.tell_of_doubtful(&game, told, batch)?;
                continue;
            }
            let mut at = Sitting::begin(self, &game, batch)?;
            if !at.is_first(format!("{game}/bounced/{}/{recipient}/failed", packet.id))? {
                tracing::info!(%game, packet = packet.id, "this report is known");
                continue;
            }
            let status = bounce.status.as_deref().unwrap_or("no status");
            let attempt = Attempt::Refused { at: at.now(), reason: format!("{BOUNCED}{status}") };
            let tried = Tried { packet: packet.id.clone(), recipient: recipient.clone(), attempt };
            // Dropped as stale or refused at once: the ledger says so already.
            match at.may_fail(&tried, at.batch)? {
                true => at.step.tried.push(tried),
                false => {
                    tracing::info!(%game, packet = packet.id, "a report on a mail that had failed before");
                }
            }
            let permanent = bounce.permanent;
            at.note_failure(&Failure { packet: &packet, recipient: &recipient, status, permanent })?;
            at.close();
        }
        Ok(())
    }

    /// Whether the ledger takes it that a mail came back, once these steps are committed: it was taken by the relay, or waits for it.
    ///
    /// # Errors
    /// The store; [`HostError::InTransit`] while the relay has the mail.
    fn may_fail(&self, failed: &Tried, earlier: &Batch) -> Result<bool, HostError> {
        let Tried { packet, recipient, .. } = failed;
        let delivery = Delivery::of(packet, recipient);
        if self.transit.has(&delivery) {
            return Err(HostError::InTransit(vec![delivery]));
        }
        let is_settled = |tried: &Tried| tried.packet == *packet && tried.recipient == *recipient;
        if earlier.steps.iter().flat_map(|step| &step.tried).any(is_settled) {
            return Ok(false);
        }
        let lines = self.books.ledger_of(packet)?;
        let line = lines.into_iter().find(|line| line.packet == *packet && line.recipient == *recipient);
        Ok(line.is_some_and(|line| line.next.is_some() || matches!(line.last, Some(Attempt::Sent { .. }))))
    }

    /// Tells the GM of each game in which the recipient is registered, once a day, of a report that names no mail at all.
    fn tell_of_nameless(&mut self, bounce: &Bounce, batch: &mut Batch) -> Result<(), HostError> {
        let (None, true, Some(recipient)) = (&bounce.original, bounce.failed, &bounce.recipient) else {
            return Ok(());
        };
        // To look for an address takes all games, and anybody can write such a report.
        if !self.is_among_seen(NAMELESS_A_DAY, "nameless-report") {
            return Ok(());
        }
        // One that can't go on keeps no GM of another from hearing of it.
        let games =
            self.docket().iter().filter(|(game, docket)| !docket.over && !self.aside().contains_key(*game));
        for game in games.map(|(game, _)| game.clone()).collect::<Vec<_>>() {
            match self.tell_of_nameless_in(&game, bounce, recipient, batch) {
                Err(error) if error.is_of_one_game() => {
                    tracing::error!(%game, %error, "whether a report concerns this game can't be told");
                }
                told => told?,
            }
        }
        Ok(())
    }

    fn tell_of_nameless_in(
        &mut self,
        game: &GameId,
        bounce: &Bounce,
        recipient: &str,
        batch: &mut Batch,
    ) -> Result<(), HostError> {
        let campaign = self.campaign(game)?;
        if !campaign.charter().players.keys().any(|seat| is_address_of(campaign, seat, recipient)) {
            return Ok(());
        }
        tracing::warn!(%game, "a report that doesn't say which mail it is about: not believed");
        let status = bounce.status.as_deref().unwrap_or("no status");
        let told = format!(
            "A report says that mail to {recipient} comes back ({status}). It doesn't say which mail, so that it may be forged, or \
             about another game: nothing was marked."
        );
        self.tell_of_doubtful(game, told, batch)
    }

    /// Tells the GM, once a day, of a report that is not believed.
    fn tell_of_doubtful(&mut self, game: &GameId, told: String, batch: &mut Batch) -> Result<(), HostError> {
        let day = self.now().div_euclid(DAY);
        let mut at = Sitting::begin(self, game, batch)?;
        if at.is_first(format!("{game}/doubtful-report/{day}"))? {
            at.mail(|clerk| clerk.doubt_notice(day, told))?;
            at.close();
        }
        Ok(())
    }

    /// Takes note of a mail that the relay refused for good, or put off for days: no report will come. Such an attempt is noted in
    /// the step that marks the address, so that neither is without the other; any other comes back, and one of no game.
    pub(crate) fn note_refused(
        &mut self,
        refused: &Outgoing,
        attempt: Attempt,
        batch: &mut Batch,
    ) -> Result<Option<Tried>, HostError> {
        let (packet, tried) = (&refused.packet, refused.tried(attempt));
        let Attempt::Refused { reason, .. } = &tried.attempt else { return Ok(Some(tried)) };
        let Some(game) = PacketId(&packet.id).game() else {
            return Ok(Some(tried));
        };
        if !self.knows(&game) {
            return Ok(Some(tried));
        }
        let mut at = Sitting::begin(self, &game, batch)?;
        let (status, permanent) = letter::read_reply(reason);
        // What should have mended in days is no good.
        let permanent = permanent || reason.starts_with(GIVEN_UP);
        at.step.tried.push(tried);
        let status = status.as_deref().unwrap_or("no status");
        let recipient = refused.recipient.as_str();
        at.note_failure(&Failure { packet, recipient, status, permanent })?;
        at.close();
        Ok(None)
    }

    /// Sends a mail on that waits for room in a full mailbox. It is tried there again and nothing is marked, as the mailbox may be
    /// emptied; but the player may read it at another address meanwhile.
    pub(crate) fn pass_full_mailbox(&mut self, full: &Outgoing, batch: &mut Batch) -> Result<(), HostError> {
        let Outgoing { packet, recipient, .. } = full;
        let Some(game) = PacketId(&packet.id).game() else {
            return Ok(());
        };
        if !self.knows(&game) {
            return Ok(());
        }
        let mut at = Sitting::begin(self, &game, batch)?;
        let Some(seat) = at.seat_written_to(packet, recipient) else { return Ok(()) };
        at.send_again(&seat, packet, recipient)?;
        if !at.step.packets.is_empty() {
            at.close();
        }
        Ok(())
    }

    /// The mail of ours that a report is about, where it went to the recipient that the report names.
    fn packet_of(&self, bounce: &Bounce) -> Result<Option<(GameId, Packet)>, HostError> {
        let domain = self.mailroom().address.domain();
        let Some(original) = &bounce.original else { return Ok(None) };
        let id = match Sent::of(original, domain) {
            Some(Sent { game, t, seat, kind, which }) => format!("{game}/{t}/{seat}/{kind}/{which}"),
            // The GM's have no turn.
            None => match original.strip_suffix(domain).and_then(|id| id.strip_suffix('@')) {
                Some(id) => id.replace('.', "/"),
                None => return Ok(None),
            },
        };
        let Some(game) = PacketId(&id).game() else { return Ok(None) };
        if !self.knows(&game) {
            return Ok(None);
        }
        let mut copies = self.copies_of(PacketId(&id), &[])?;
        let named =
            copies.iter().rposition(|copy| copy.to.iter().any(|to| Some(to) == bounce.recipient.as_ref()));
        Ok((!copies.is_empty()).then(|| (game, copies.swap_remove(named.unwrap_or(0)))))
    }

    /// A mail and its copies to further addresses, in the order in which they were sent, `new` ones among them; none if there is no such
    /// mail.
    pub(crate) fn copies_of(&self, id: PacketId<'_>, new: &[&Packet]) -> Result<Vec<Packet>, HostError> {
        let mut copies: Vec<Packet> = Vec::new();
        loop {
            let id = id.copy(copies.len());
            let is_new = || new.iter().find(|packet| packet.id == id).map(|packet| Packet::clone(packet));
            match self.books.packet(&id)?.or_else(is_new) {
                Some(copy) => copies.push(copy),
                None => return Ok(copies),
            }
        }
    }
}

impl Sitting<'_> {
    /// The copies of a mail under its first id, sent or still to be sent by this batch.
    pub(crate) fn copies(&self, first: PacketId<'_>) -> Result<Vec<Packet>, HostError> {
        let steps = self.batch.steps.iter().chain([&self.step]);
        let new: Vec<&Packet> = steps.flat_map(|step| &step.packets).collect();
        self.copies_of(first, &new)
    }

    /// Sends a copy of a mail to this address, under this id.
    pub(crate) fn send_copy(&mut self, packet: &Packet, id: String, to: String) {
        let raw = mail::readdressed(&packet.raw, &to);
        let not_before = self.now();
        self.step.packets.push(Packet { id, to: vec![to], raw, not_before, ..packet.clone() });
    }

    /// The seat that a mail went to at this address; none where that is of somebody who watches or waits, or was dropped meanwhile.
    fn seat_written_to(&self, packet: &Packet, recipient: &str) -> Option<Seat> {
        PacketId(&packet.id).seat().filter(|seat| is_address_of(self.campaign(), seat, recipient))
    }

    fn note_failure(&mut self, failure: &Failure<'_>) -> Result<(), HostError> {
        let Failure { packet, recipient, status, permanent } = failure;
        let at = mail::without_secrets((*recipient).to_owned());
        tracing::warn!(game = %self.game, packet = packet.id, recipient = at, status, permanent, "a mail did not arrive");
        if PacketId(&packet.id).is_to_gm() {
            return self.tell_of_gm(failure);
        }
        let Some(seat) = self.seat_written_to(packet, recipient) else { return Ok(()) };
        let was_failing = self.campaign().is_failing(&seat, recipient);
        if !was_failing {
            let (address, status, permanent) = ((*recipient).to_owned(), (*status).to_owned(), *permanent);
            let change = Change::Undelivered { seat: seat.clone(), address, status, permanent };
            let text = format!("a mail to {seat} did not arrive");
            self.arrange(Author::Host, change, text)?;
        }
        let is_failing = self.campaign().is_failing(&seat, recipient);
        self.send_again(&seat, packet, recipient)?;
        if is_failing && !was_failing {
            self.mail(|clerk| {
                let paragraphs = told_gm(clerk.campaign, &seat, recipient, status);
                clerk.notice("mail to a player comes back", paragraphs)
            })?;
        }
        Ok(())
    }

    /// Tells the operator, and whoever else leads the game, of a GM's address that fails: once a day.
    fn tell_of_gm(&mut self, failure: &Failure<'_>) -> Result<(), HostError> {
        let Failure { recipient, status, .. } = failure;
        let gms = self.campaign().charter().gm.clone();
        let mut to: Vec<String> = Vec::new();
        let all = || self.config.gm.iter().chain(&gms);
        // One that was dropped meanwhile is no GM's any more.
        if !all().any(|known| known.eq_ignore_ascii_case(recipient)) {
            return Ok(());
        }
        for other in all() {
            let is = |one: &str| one.eq_ignore_ascii_case(other);
            if !is(recipient) && !to.iter().any(|known| is(known)) {
                to.push(other.clone());
            }
        }
        if to.is_empty() {
            tracing::error!(game = %self.game, "mail to a GM fails: nobody else can be told");
            return Ok(());
        }
        let day = self.now().div_euclid(DAY);
        if self.is_first(format!("{}/gm-unreached/{recipient}/{day}", self.game))? {
            self.mail(|clerk| clerk.gm_unreached(recipient, status, to))?;
        }
        Ok(())
    }

    /// Sends a mail that failed to the player's next address, each once, if it is still worth sending. A mail that this step was to
    /// send, and doesn't, keeps its id.
    pub(crate) fn send_again(
        &mut self,
        seat: &Seat,
        failed: &Packet,
        recipient: &str,
    ) -> Result<(), HostError> {
        let now = self.now();
        let is_stale = failed.stale_after.is_some_and(|last| now > last);
        let first = PacketId(&failed.id).first();
        let copies = self.copies(first)?;
        let id = first.copy(copies.len());
        let was_sent_on = copies.last().is_some_and(|last| last.id != failed.id) && id != failed.id;
        if is_stale || was_sent_on {
            return Ok(());
        }
        let is_tried = |address: &str| {
            let tried = copies.iter().flat_map(|copy| &copy.to).map(String::as_str);
            tried.chain([recipient]).any(|tried| tried.eq_ignore_ascii_case(address))
        };
        let campaign = self.campaign();
        let mut addresses = campaign.addresses_of(seat).iter();
        let good =
            addresses.find(|other| !is_tried(other) && !campaign.is_failing(seat, other)).map(String::as_str);
        // Where mail fails to all, it goes to the first all the same.
        let next = good.or(campaign.address_of(seat).filter(|other| !is_tried(other)));
        let Some(next) = next.map(str::to_owned) else { return Ok(()) };
        tracing::info!(game = %self.game, %seat, packet = failed.id, "sent again to another address of the player's");
        self.send_copy(failed, id, next);
        Ok(())
    }

    /// An address that mail came back from is good again: something came from it that is proved to be its player's.
    pub(crate) fn note_reached(&mut self, seat: &Seat, from: &[String]) -> Result<(), HostError> {
        let campaign = self.campaign();
        let Some(failures) = campaign.life().undelivered.get(seat).filter(|failures| !failures.is_empty())
        else {
            return Ok(());
        };
        let good: Vec<String> = failures
            .keys()
            .filter(|failing| from.iter().any(|from| failing.eq_ignore_ascii_case(from)))
            .cloned()
            .collect();
        for address in good {
            let change = Change::Reached { seat: seat.clone(), address };
            let text = format!("{seat} is reached again");
            self.arrange(Author::Host, change, text)?;
        }
        Ok(())
    }
}

impl Clerk<'_> {
    /// That a report came which proves nothing. No entry of the journal tells it from what else is said there: its day does.
    fn doubt_notice(&mut self, day: i64, told: String) -> Result<(), HostError> {
        let name = format!("doubt/{day}");
        self.notice_named(&name, "a report that proves nothing", vec![told])
    }

    /// That an address of a GM's fails. It brings no secret of the game's: who has the host need not lead it.
    fn gm_unreached(&mut self, failing: &str, status: &str, to: Vec<String>) -> Result<(), HostError> {
        let game = &self.campaign.charter().game;
        let (day, whose) = (self.now.div_euclid(DAY), Digest::of(failing.as_bytes()));
        let name = (
            format!("{game}/gm/unreached/{day}/{whose}"),
            format!("{game}.gm.unreached.{day}.{whose}@{}", self.address.domain()),
        );
        let paragraphs = vec![
            format!(
                "Mail to {failing}, an address of the GM's of {game}, comes back ({status}): what the GM is told and asked goes astray."
            ),
            format!(
                "Turns go on as the terms say. On the host's machine `musterd gm {game} ADDRESS ADD NEW` and then `ADDRESS DROP {failing}` give \
                 the GM another address, and `musterd gm {game} COMMAND` leads the game meanwhile."
            ),
        ];
        let draft = Unframed {
            game: Some(game),
            stale_after: Some(self.now + 7 * DAY),
            ..Unframed::new(name, to, Kind::Notice, self.words("mail to the GM comes back", paragraphs))
        };
        self.write(draft)
    }
}

fn is_address_of(campaign: &Campaign, seat: &Seat, address: &str) -> bool {
    campaign.addresses_of(seat).iter().any(|own| own.eq_ignore_ascii_case(address))
}

/// What the GM is told of an address that is marked from now on.
fn told_gm(campaign: &Campaign, seat: &Seat, failing: &str, status: &str) -> Vec<String> {
    let title = campaign.title_of(seat);
    let failures = campaign.life().undelivered.get(seat).and_then(|failures| failures.get(failing));
    let times = failures.map_or(1, |failures: &Failures| failures.count);
    let how = if times == 1 { format!("({status})") } else { format!("({status}, {times} mails in a row)") };
    let mut paragraphs =
        vec![format!("Mail to {failing}, an address of {title} ({seat}), comes back {how}.")];
    paragraphs.push(match campaign.address_of(seat).filter(|_| !campaign.is_out_of_reach(seat)) {
        Some(next) => format!(
            "{title} is written to at {next} from now on, until a mail comes from the other address or ADDRESS ADD names it again."
        ),
        None => {
            let then = match campaign.charter().terms.missing {
                Missing::Standing => "the turn runs without them",
                Missing::Hold => "the turn is held back",
                Missing::Computer { .. } => "the computer gives them",
                Missing::Gm => "you are asked",
            };
            format!(
                "No other address is registered, so {title} can't be reached. Mails go there all the same, in case it mends. Orders \
                 that don't come are missing like anybody's: {then}. REPLACE {seat} finds another player."
            )
        }
    });
    paragraphs
}
