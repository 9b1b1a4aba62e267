//! One mail: what it is, whose it is, and what it changes. Every mail for a game goes into its journal, accepted or refused; none is answered twice,
//! and automatic mail never.

use std::collections::BTreeSet;

use crate::HostError;
use crate::books::batch::Batch;
use crate::books::decided::Decision;
use crate::decisions::sitting::Sitting;
use crate::games::Games;
use crate::inbox::held::mark_in_each;
use crate::inbox::incoming::Incoming;
use crate::inbox::opened::TakenApart;
use crate::secrets::vault::Holder;
use musterd_desk::is_gm;
use musterd_desk::mail::{self, Route, Token};
use musterd_desk::order_mail::{OrderMail, is_order_beside_commands};
use musterd_dice::{GameId, Seat};
use musterd_engine::journal::{GmRole, Player};
use musterd_letter::Automatic;
use musterd_post::Pending;
use musterd_store::Step;

/// How many receipts a day are sent for one set of orders: whatever mails it again and again is no person.
const MOST_RECEIPTS: u32 = 10;
/// How many receipts a seat is sent in a day for mails that look like a program's.
const MOST_TO_PROGRAMS: u32 = 10;

/// Where a mail goes once it was dealt with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Disposal {
    /// It is a game's: it stays in the spool for good.
    Kept,
    /// It is nobody's: it is kept a while.
    Other,
    /// It is automatic, and not answered: it is kept a while.
    Automatic,
    /// It has had its effect in some of its games, and one can't go on: it stays in the spool until that is looked at again.
    Waits,
}

impl Games {
    /// Whether an address is this host's, with a detail or without.
    pub(crate) fn is_own(&self, address: &str) -> bool {
        self.mailroom().address.is_own(address)
    }

    pub(crate) fn consider(
        &mut self,
        mail: &Pending,
        apart: &TakenApart,
        batch: &mut Batch,
    ) -> Result<Disposal, HostError> {
        let letter = &apart.letter;
        let handled = vec![mail.name.clone()];
        // What had no effect leaves no mark: to look at it twice does no harm.
        let before = batch.steps.len();
        if let Some(automatic) = letter.automatic.as_ref().filter(|kind| !kind.may_be_a_persons()) {
            tracing::info!(mail = mail.name, kind = automatic.as_str(), "automatic mail: not answered");
            if let Automatic::Bounce(bounces) = automatic {
                self.note_bounces(bounces, batch)?;
            }
            if let Some(step) = batch.steps.get_mut(before..).and_then(|steps| steps.last_mut()) {
                step.handled = handled;
            }
            return Ok(Disposal::Automatic);
        }
        let mut ours = Vec::new();
        let mut others = Vec::new();
        for route in mail::routes(letter, &self.mailroom().address) {
            match &route.game {
                Some(game) if self.knows(game) => ours.push((game.clone(), route)),
                other => others.push(other.clone()),
            }
        }
        if self.held().has(&mail.name) {
            ours = self.routes_due(&mail.name, ours);
            if ours.is_empty() {
                return Ok(Disposal::Kept);
            }
            others.clear();
        }
        let all: BTreeSet<GameId> = ours.iter().map(|(game, _)| game.clone()).collect();
        let is_taken_up = self.pass_over_decided(&mail.name, &all, &mut ours)?;
        if is_taken_up {
            others.clear();
            if ours.is_empty() {
                return Ok(Disposal::Kept);
            }
        }
        if letter.automatic.is_none() {
            // Without a game there are no orders.
            let parts = apart.beside(|_| false);
            if ours.is_empty() && !parts.commands.is_empty() {
                batch.steps.push(Step { handled, ..Step::default() });
                self.obey_stranger(letter, &mail.name, None, &parts.commands, batch)?;
                return Ok(Disposal::Other);
            }
            for game in others {
                let step = self.help_sender(game.as_ref(), letter, &mail.name, batch)?;
                let helped = !step.packets.is_empty();
                let from = letter.author.as_deref().unwrap_or("-");
                tracing::info!(mail = mail.name, from, helped, "mail for no game of this host");
                batch.steps.extend(Some(step).filter(|step| *step != Step::default()));
            }
        }
        if ours.is_empty() {
            if batch.steps.len() > before {
                batch.steps.push(Step { handled, ..Step::default() });
            }
            return Ok(Disposal::Other);
        }
        let fate = self.consider_for_all(all.len() > 1, ours, mail, apart, batch)?;
        Ok(if is_taken_up && fate == Disposal::Other { Disposal::Kept } else { fate })
    }

    /// A mail for seats of ours, each of which is dealt with alone. What runs by it runs once all are.
    fn consider_for_all(
        &mut self,
        is_for_several: bool,
        mut routes: Vec<(GameId, Route)>,
        mail: &Pending,
        apart: &TakenApart,
        batch: &mut Batch,
    ) -> Result<Disposal, HostError> {
        let before = batch.steps.len();
        let mut games: BTreeSet<GameId> = routes.iter().map(|(game, _)| game.clone()).collect();
        let waiting = if is_for_several { self.waiting_among(&games, &mail.name)? } else { BTreeSet::new() };
        routes.retain(|(game, _)| !waiting.contains(game));
        games.retain(|game| !waiting.contains(game));
        let mut fate = Disposal::Other;
        for (game, route) in &routes {
            // Of two addresses of a seat, one from before it had another secret, the good one counts.
            let same = |other: &&(GameId, Route)| other.0 == *game && other.1.seat == route.seat;
            let (secret, gm_part) = self.secret_of(game, route)?;
            let is_good = |route: &Route| secret.is_some() && route.token == secret;
            if !is_good(route) && routes.iter().filter(same).any(|(_, other)| is_good(other)) {
                continue;
            }
            if self.consider_for(game, (route, secret, gm_part), mail, apart, batch)? == Disposal::Kept {
                fate = Disposal::Kept;
            }
        }
        let steps = batch.steps.get_mut(before..).unwrap_or_default();
        if is_for_several || self.held().has(&mail.name) {
            mark_in_each(steps, &mail.name);
        }
        if waiting.is_empty() {
            // The mirror journals are written in the order of their names: the mail is done with when the last of them is.
            if let Some(step) = steps.iter_mut().rfind(|step| step.game.is_some()) {
                step.handled.push(mail.name.clone());
            }
        } else {
            fate = Disposal::Waits;
        }
        for game in &games {
            self.run_if_ready(game, batch)?;
        }
        Ok(fate)
    }

    /// The right secret of the seat that a mail names; none if there is no such seat. For the GM it is that of the part whose secret the mail
    /// shows, with this part.
    fn secret_of(&mut self, game: &GameId, route: &Route) -> Result<(Option<Token>, GmRole), HostError> {
        let part = GmRole::Owner;
        match &route.seat {
            Some(seat) if self.campaign(game)?.charter().players.contains_key(seat) => {
                Ok((Some(self.token(game, Holder::Seat(seat))?), part))
            }
            Some(seat) if is_gm(seat) => {
                for lesser in [GmRole::Reader, GmRole::Referee] {
                    let token = self.token(game, Holder::Gm(lesser))?;
                    if route.token.as_ref() == Some(&token) {
                        return Ok((Some(token), lesser));
                    }
                }
                Ok((Some(self.token(game, Holder::Gm(part))?), part))
            }
            _ => Ok((None, part)),
        }
    }

    /// A mail that names a seat of a game we have, or the game alone; with the right secret of that seat.
    fn consider_for(
        &mut self,
        game: &GameId,
        (route, secret, gm_part): (&Route, Option<Token>, GmRole),
        mail: &Pending,
        apart: &TakenApart,
        batch: &mut Batch,
    ) -> Result<Disposal, HostError> {
        let default_zone = self.config.zone.clone();
        let zone = self.campaign(game)?.zone(route.seat.as_ref(), &default_zone).to_owned();
        let domain = self.mailroom().address.domain().to_owned();
        let letter = &apart.letter;
        let campaign = self.campaign(game)?;
        let seat = route.seat.as_ref().filter(|seat| campaign.charter().players.contains_key(seat));
        let parts = apart.beside(|line| is_order_beside_commands(campaign.game(), seat, line));
        let mail::Parts { commands, press, rest, .. } = &*parts;
        let mail = Incoming {
            game,
            commands,
            press,
            rest,
            name: &mail.name,
            arrived: self.arrival_of(mail, game),
            decided: self.held().decision(&mail.name, game).map(|decided| decided.at.clone()),
            letter,
            route,
            secret,
            gm_part,
            is_authentic: self.config.authentication.as_ref().is_none_or(|way| way.vouches_for(letter)),
            domain: &domain,
            zone: &zone,
        };
        if let Some(automatic) = &letter.automatic
            && !mail.counts_all_the_same(self.campaign(game)?)
        {
            tracing::info!(
                mail = mail.name,
                kind = automatic.as_str(),
                "it may be a person's and asks for nothing: not answered"
            );
            return Ok(Disposal::Other);
        }
        if self.has_noted_enough(&mail) && mail.proves_nothing(self.campaign(game)?) {
            tracing::info!(%game, mail = mail.name, "enough mails that prove nothing were noted today: this one is not");
            return Ok(Disposal::Other);
        }
        // Where the game stands whose journal is about to take this mail.
        let at = self.campaign(game)?.juncture();
        let (mail_name, arrived) = (mail.name.to_owned(), mail.arrived);
        batch.decisions.push(Decision { mail: mail_name, game: game.clone(), arrived, at });
        if route.seat.as_ref().is_some_and(is_gm) {
            self.consider_gm(&mail, batch)?;
            return Ok(Disposal::Kept);
        }
        Sitting::begin(self, game, batch)?.decide(&mail)
    }
}

impl Sitting<'_> {
    fn decide(mut self, mail: &Incoming<'_>) -> Result<Disposal, HostError> {
        let (game, name) = (mail.game, mail.name);
        // A copy of a mail that changed the seat's player or secret is no stranger's attempt.
        if let Some(key) =
            mail.route.seat.as_ref().filter(|_| !mail.commands.is_empty()).map(|s| mail.commands_key(s))
            && (self.batch.seen.contains(&key) || self.books.seen(&key)?)
        {
            tracing::info!(%game, mail = name, "a second copy of commands: no effect");
            self.close();
            return Ok(Disposal::Kept);
        }
        let mut heard = None;
        if let Some((seat, orders)) = mail.writer(self.campaign()) {
            self.note_reached(&seat, mail.letter.author.as_slice())?;
            let hearing = self.asked_by(mail, &seat).hear(orders)?;
            // Who has just resigned has no more to say.
            let resigned = self.campaign().free_seats().contains(&seat);
            if !resigned {
                self.pass_on(mail, &seat)?;
            }
            if resigned || !orders {
                if let Some(hearing) = hearing {
                    self.asked_by(mail, &seat).answer(hearing)?;
                }
                self.close();
                return Ok(Disposal::Kept);
            }
            heard = hearing.map(|hearing| (seat, hearing));
        }
        if mail.is_strangers_request(self.campaign()) {
            // What it asks for is a step of its own.
            let Self { games, step, batch, .. } = self;
            batch.steps.push(step);
            games.obey_stranger(mail.letter, name, Some(game), mail.commands, batch)?;
            return Ok(Disposal::Other);
        }
        if self.games.asks_in_vain(mail)? {
            let answer = self.games.help_sender(Some(game), mail.letter, name, self.batch)?;
            self.batch.steps.extend([self.step, answer]);
            return Ok(Disposal::Other);
        }
        if mail.is_spent_seal(self.campaign()) {
            tracing::info!(%game, mail = name, "orders that were sealed for a turn that has run");
        } else {
            match mail.judge(self.campaign()) {
                Ok((seat, reply)) if self.is_first(mail.orders_key(&seat, &reply.block))? => {
                    self.note_reached(&seat, mail.letter.author.as_slice())?;
                    self.accept(mail, &seat, reply)?;
                }
                Err(refused) if self.is_first(mail.refused_key(&refused))? => {
                    self.refuse(mail, refused)?;
                }
                _ => tracing::info!(%game, mail = name, "a second copy: no effect"),
            }
        }
        if let Some((seat, hearing)) = heard {
            self.asked_by(mail, &seat).answer(hearing)?;
        }
        self.close();
        Ok(Disposal::Kept)
    }

    fn accept(&mut self, mail: &Incoming<'_>, seat: &Seat, reply: OrderMail) -> Result<(), HostError> {
        let campaign = self.campaign();
        let previous = campaign.window().and_then(|w| w.accepted.get(seat)).cloned();
        let standing = previous.as_ref().map(|accepted| &accepted.block);
        let reply = &reply.upon(standing, Some(campaign.game()));
        let chain = self.chain()?;
        let cause = self
            .campaign()
            .acceptance(&chain, seat, reply.block.clone(), mail.name, mail.arrived)
            .map_err(|e| HostError::campaign(mail.game, e))?;
        self.play(cause)?;
        self.games.campaign(mail.game)?.keep_read(seat, reply.read.as_ref());
        let anew = self.campaign().is_asked_person(seat);
        let stopped = self.mind_recall(anew)?;
        if !self.may_send_receipt(mail, seat, reply)? {
            tracing::warn!(game = %mail.game, %seat, mail = mail.name, "too many receipts today: the orders count, and this one is not sent");
            return Ok(());
        }
        if matches!(self.campaign().charter().players.get(seat), Some(Player::Computer { .. }) | None) {
            return Ok(());
        }
        let told = self.bind_receipt(seat)?;
        self.mail(|clerk| {
            clerk.receipt(seat, reply, (previous.as_ref(), stopped), (mail.letter, mail.number(), told))
        })
    }

    /// Whether a receipt may be sent for these orders: so many a day for one set, and for mails that look like a program's.
    fn may_send_receipt(
        &mut self,
        mail: &Incoming<'_>,
        seat: &Seat,
        reply: &OrderMail,
    ) -> Result<bool, HostError> {
        let game = mail.game;
        Ok(self.games.is_among_seen(MOST_RECEIPTS, &format!("{game}/{seat}/{}", reply.block.digest()))
            && (mail.letter.automatic.is_none()
                || self.is_among(MOST_TO_PROGRAMS, &format!("{game}/{seat}/to-programs"))?))
    }
}
