//! What is asked of the host by mail: each command is carried out or refused, and answered. Those of a seat are for its proved
//! player, the others for everybody.

mod ahead;
mod answers;
mod ask;
mod confirm;
mod create;
mod draw;
mod guest;
mod prefer;
mod preferences;
mod seat;
mod teach;
mod trial;
mod wish;

use std::ops::{Deref, DerefMut};

use crate::HostError;
use crate::decisions::counting::too_many;
use crate::decisions::sitting::Sitting;
use crate::inbox::incoming::Incoming;
use crate::mails::frame::{Correspondent, ToSeat};
use crate::mails::mailroom::Clerk;
use crate::response::{Responded, Response, said, wrong};
use answers::{Answers, first_word};
use guest::change_meant;
pub(crate) use guest::guest_seat;
use musterd_desk::mail::{Command, Given, Kind, OpenCommand, SeatCommand};
use musterd_dice::{ChainLines, GameId, Seat};
use musterd_engine::journal::{Cause, Received, Verdict};
use musterd_report::answer::{self, Answer};
use wish::mail_of;
pub(crate) use wish::{MOST_ADDRESSES, Wish};

/// How many mails with commands a seat is answered in a day.
const MOST_MAILS: u32 = 50;
/// What becomes of orders below a `TRY` or `AHEAD` that can't be read.
const NOT_TAKEN: &str = "No orders of this mail were taken: send all of it again with that line corrected.";

/// What becomes of those below one that is not read any more today.
const NOT_TAKEN_TODAY: &str =
    "The orders in this mail were not taken: to give them, send them without this command.";

/// The commands of one mail, carried out but for those that wait for its orders.
pub(crate) struct Hearing {
    /// Where answers went before: who gives a seat up is answered all the same.
    before: Option<Correspondent>,
    /// What came of each; none where it is still to be answered.
    responses: Vec<Option<Response>>,
    /// When the turn was to run, where the mail has stopped it; unix seconds.
    stopped: Option<i64>,
}

/// What the proved player of a seat asks.
pub(crate) struct Asking<'a, 'g> {
    pub(crate) at: &'a mut Sitting<'g>,
    pub(crate) incoming: &'a Incoming<'a>,
    pub(crate) seat: &'a Seat,
}

impl<'g> Deref for Asking<'_, 'g> {
    type Target = Sitting<'g>;

    fn deref(&self) -> &Sitting<'g> {
        self.at
    }
}

impl DerefMut for Asking<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.at
    }
}

impl<'g> Sitting<'g> {
    /// What the proved player of a seat asks in this mail.
    pub(crate) fn asked_by<'a>(&'a mut self, incoming: &'a Incoming<'a>, seat: &'a Seat) -> Asking<'a, 'g> {
        Asking { at: self, incoming, seat }
    }
}

impl Asking<'_, '_> {
    /// Carries out the commands of a seat's player, in the order given. Where the mail brings orders too, what only asks waits
    /// until these are taken in: [`Self::answer`]. None where there is nothing to be answered.
    pub(crate) fn hear(&mut self, brings_orders: bool) -> Result<Option<Hearing>, HostError> {
        let (mail, seat) = (self.incoming, self.seat);
        if mail.commands.is_empty() || !self.is_first(mail.commands_key(seat))? {
            return Ok(None);
        }
        // The first one too many is told so.
        let manieth = self.how_manieth(MOST_MAILS + 1, &format!("{}/{seat}/commands", mail.game))?;
        let Some(manieth) = manieth else {
            tracing::warn!(game = %mail.game, %seat, "too many mails with commands today: this one is not answered");
            return Ok(None);
        };
        let is_too_many = manieth > MOST_MAILS;
        let before = self.about(|clerk| clerk.correspondent(seat, Some(mail.letter)))?;
        // Before a vote moves the deadline: a turn that is about to run has to be stopped first.
        let mut stopped = match !is_too_many && mail.commands.iter().any(Given::asks_to_wait) {
            true => self.stop_by(seat)?,
            false => None,
        };
        let mut responses = Vec::new();
        for given in mail.commands {
            let Given { line, verb, command } = given;
            let is_free = self.campaign().free_seats().contains(seat);
            responses.push(match command {
                _ if is_too_many => {
                    let aside = given.sets_orders_aside().then(|| NOT_TAKEN_TODAY.to_owned());
                    let told = std::iter::once(too_many(MOST_MAILS)).chain(aside);
                    Some(Response::refused(told.collect()))
                }
                Ok(_) if is_free => Some(not_yours()),
                Ok(_) if brings_orders && verb.only_asks => None,
                Ok(command) => Some(said(self.obey_one(command))?),
                Err(fault) => {
                    let mut unread = Response::unread(fault, &[]);
                    unread.paragraphs.extend(given.sets_orders_aside().then(|| NOT_TAKEN.to_owned()));
                    Some(unread)
                }
            });
            tracing::info!(game = %mail.game, %seat, command = first_word(line), "command");
        }
        self.move_deadline()?;
        stopped = self.mind_recall(false)?.or(stopped);
        Ok(Some(Hearing { before, responses, stopped }))
    }

    /// Answers all commands of one mail, in the order given.
    pub(crate) fn answer(&mut self, hearing: Hearing) -> Result<(), HostError> {
        let (mail, seat) = (self.incoming, self.seat);
        let Hearing { before, responses, stopped } = hearing;
        let mut answers = Answers::default();
        for (Given { line, command, .. }, response) in mail.commands.iter().zip(responses) {
            let is_free = self.campaign().free_seats().contains(seat);
            let response = match (response, command) {
                (None, Ok(command)) if !is_free => said(self.obey_one(command))?,
                (response, _) => response.unwrap_or_else(not_yours),
            };
            answers.add(line, response);
        }
        let is_taken_back = |cause: &Cause| {
            matches!(cause, Cause::Received(Received { verdict: Verdict::Withdrawn { .. }, .. }))
        };
        let takes_back = self.step.entries.iter().any(|entry| is_taken_back(&entry.cause));
        self.mail(|clerk| {
            // Orders in the same mail may have made all ready again.
            let stopped = stopped.filter(|_| clerk.campaign.runs_at().is_none());
            let stopped = stopped.map(|at| clerk.stopped(seat, at));
            answers.items.last_mut().into_iter().for_each(|item| item.paragraphs.extend(stopped.clone()));
            let after = clerk.correspondent(seat, Some(mail.letter));
            after.or(before).map_or(Ok(()), |whom| clerk.answer(seat, whom, (answers, takes_back), mail))
        })
    }

    fn obey_one(&mut self, command: &Command) -> Responded {
        let mail = self.incoming;
        match command {
            Command::Seat(command) => self.obey_seat(command),
            Command::Open(OpenCommand::Status) => self.status_of_player(),
            Command::Open(OpenCommand::List) => self.at.games.list(),
            Command::Open(OpenCommand::Help(topic)) => self.help_of_player(topic.as_deref()),
            Command::Open(OpenCommand::Scenario(game)) => {
                self.at.games.scenario(game.as_ref().or(Some(mail.game)))
            }
            Command::Open(OpenCommand::Rules(asked)) => self.at.games.rules(Some(mail.game), asked),
            Command::Open(OpenCommand::OrderOfBattle(game)) => {
                self.at.games.order_of_battle(game.as_ref().or(Some(mail.game)))
            }
            Command::Open(OpenCommand::Join { game, .. }) if game == mail.game => wrong(
                "You have a seat in this game. To confirm it before the game begins, write JOIN alone on the first line.",
            ),
            Command::Open(command) => {
                let Some(from) = &mail.letter.author else {
                    return wrong("The mail's From leaves a doubt whom it is from.");
                };
                let guest = mail_of(mail, from);
                match change_meant(command, guest.asked) {
                    // What is about this game belongs to its step.
                    Some((game, code)) if game == *mail.game => self.change_for(&guest, code.as_ref()),
                    _ => self.at.games.obey_guest(&guest, command, self.at.batch),
                }
            }
        }
    }

    fn obey_seat(&mut self, command: &SeatCommand) -> Responded {
        match command {
            SeatCommand::Report(turn) => self.report_again(turn.as_deref()),
            SeatCommand::History => self.history_of(),
            SeatCommand::Luck => self.luck_of(),
            SeatCommand::Preview => self.preview(),
            SeatCommand::Map => self.map(),
            SeatCommand::Try => self.try_orders(),
            SeatCommand::Ahead(turn) => self.leave_orders(turn),
            SeatCommand::Odds(order) => self.odds_of(order),
            SeatCommand::Reach(units) => self.reach_of(units),
            SeatCommand::WithdrawOrders => self.withdraw_orders(),
            SeatCommand::Absent { from, until } => self.absent(*from, *until),
            SeatCommand::Back => self.back(),
            SeatCommand::Extend(span) => self.vote(*span),
            SeatCommand::Zone(zone) => self.set_zone(zone),
            SeatCommand::AddAddress(address) => self.add_address(address),
            SeatCommand::DropAddress(address) => self.drop_address(address),
            SeatCommand::NewSecret => self.new_secret(),
            SeatCommand::Mail(choices) => self.mails_wanted(choices),
            SeatCommand::Draw(vote) => self.draw(*vote),
            SeatCommand::Consent(label, salt) => self.consent(label, salt),
            // A word that answers many a letter: it gives up no seat that is played.
            SeatCommand::Decline if self.campaign().last().is_some() => {
                wrong("The game has begun, so there is no invitation to decline: RESIGN gives your seat up.")
            }
            SeatCommand::Resign | SeatCommand::Decline => self.ask_to_resign(command),
        }
    }
}

impl Clerk<'_> {
    /// The answer to a player's commands, which took orders back or not.
    fn answer(
        &mut self,
        seat: &Seat,
        whom: Correspondent,
        (answers, takes_back): (Answers, bool),
        mail: &Incoming<'_>,
    ) -> Result<(), HostError> {
        let campaign = self.campaign;
        let game: &GameId = &campaign.charter().game;
        let subject = answers.subject();
        let Answers { items, attachments } = answers;
        // What the log has of orders that are taken back the player can't compute, and he is shown the head behind it.
        let witness = campaign.open_head().filter(|_| takes_back);
        let shows = witness.clone().map(ChainLines::from);
        let answer = Answer { game: Some(game.clone()), subject, items, witness };
        let t = campaign.next_t();
        let n = mail.number();
        let message = answer::answer(&self.templates, &answer);
        let answer = ToSeat::new(t, Kind::Answer, n, message).answering(mail.letter, self.now);
        self.mail_to(seat, whom, ToSeat { attachments, shows, ..answer })
    }
}

fn not_yours() -> Response {
    Response::wrong("The seat is no longer yours: nothing was done.")
}
