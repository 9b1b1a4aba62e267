//! What is asked of the host by mail: each command is carried out or refused, and answered. Those of a seat are for its proved
//! player, the others for everybody.

mod answers;
mod ask;
mod confirm;
mod guest;
mod seat;
mod wish;

use super::HostError;
use super::batch::Batch;
use super::frame::{Correspondent, ToSeat};
use super::games::Games;
use super::incoming::{Incoming, number_of};
use super::mailroom::Clerk;
use super::recall::ask_to_wait;
use super::response::{Responded, Response, said, wrong};
use answers::{Answers, first_word};
pub(super) use guest::guest_seat;
use musterd_desk::mail::{Command, Given, Kind, OpenCommand, SeatCommand};
use musterd_dice::{GameId, Seat};
use musterd_report::answer::{self, Answer};
use musterd_store::Step;
use wish::Guest;
pub(super) use wish::{MOST_ADDRESSES, Wish};

/// How many mails with commands a seat is answered in a day.
const MOST_MAILS: u32 = 50;

/// The commands of one mail, carried out but for those that wait for its orders.
pub(super) struct Hearing {
    /// Where answers went before: who gives a seat up is answered all the same.
    before: Option<Correspondent>,
    /// What came of each; none where it is still to be answered.
    responses: Vec<Option<Response>>,
    /// When the turn was to run, where the mail has stopped it; unix seconds.
    stopped: Option<i64>,
}

impl Games {
    /// Carries out the commands of a seat's player, in the order given. Where the mail brings orders too, what only asks waits
    /// until these are taken in: [`Host::answer_player`]. None where there is nothing to be answered.
    pub(super) fn hear_player(
        &mut self,
        mail: &Incoming<'_>,
        seat: &Seat,
        brings_orders: bool,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<Option<Hearing>, HostError> {
        if mail.commands.is_empty() || !self.is_first(mail.commands_key(seat), step, batch)? {
            return Ok(None);
        }
        if !self.is_among(MOST_MAILS, &format!("{}/{seat}/commands", mail.game), step, batch)? {
            tracing::warn!(game = %mail.game, %seat, "too many mails with commands today: this one is not answered");
            return Ok(None);
        }
        let before = self.about(mail.game, |clerk| clerk.correspondent(seat, Some(mail.letter)))?;
        // Before a vote moves the deadline: a turn that is about to run has to be stopped first.
        let mut stopped = match ask_to_wait(mail.commands) {
            true => self.stop_by(mail.game, seat, step)?,
            false => None,
        };
        let mut responses = Vec::new();
        for Given { line, verb, command } in mail.commands {
            let is_free = self.campaign(mail.game)?.free_seats().contains(seat);
            responses.push(match command {
                Ok(_) if is_free => Some(not_yours()),
                Ok(_) if brings_orders && verb.only_asks => None,
                Ok(command) => Some(said(self.obey_one(mail, seat, command, step, batch))?),
                Err(fault) => Some(Response::wrong(format!("This command can't be read: {fault}."))),
            });
            tracing::info!(game = %mail.game, %seat, command = first_word(line), "command");
        }
        self.move_deadline(mail.game, step)?;
        stopped = self.mind_recall(mail.game, false, step)?.or(stopped);
        Ok(Some(Hearing { before, responses, stopped }))
    }

    /// Answers all commands of one mail, in the order given.
    pub(super) fn answer_player(
        &mut self,
        mail: &Incoming<'_>,
        seat: &Seat,
        hearing: Hearing,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<(), HostError> {
        let Hearing { before, responses, stopped } = hearing;
        let mut answers = Answers::default();
        for (Given { line, command, .. }, response) in mail.commands.iter().zip(responses) {
            let is_free = self.campaign(mail.game)?.free_seats().contains(seat);
            let response = match (response, command) {
                (None, Ok(command)) if !is_free => said(self.obey_one(mail, seat, command, step, batch))?,
                (response, _) => response.unwrap_or_else(not_yours),
            };
            answers.add(line, response);
        }
        self.mail(mail.game, step, |clerk| {
            // Orders in the same mail may have made all ready again.
            let stopped = stopped.filter(|_| clerk.campaign.runs_at().is_none());
            let stopped = stopped.map(|at| clerk.stopped(seat, at));
            answers.items.last_mut().into_iter().for_each(|item| item.paragraphs.extend(stopped.clone()));
            let after = clerk.correspondent(seat, Some(mail.letter));
            after.or(before).map_or(Ok(()), |whom| clerk.answer(seat, whom, answers, mail))
        })?;
        Ok(())
    }

    fn obey_one(
        &mut self,
        mail: &Incoming<'_>,
        seat: &Seat,
        command: &Command,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Responded {
        match command {
            Command::Seat(command) => self.obey_seat(mail, seat, command, step, batch),
            Command::Open(OpenCommand::Status) => self.status_of_player(mail, seat),
            Command::Open(OpenCommand::List) => self.list(),
            Command::Open(OpenCommand::Help(topic)) => self.help_on(topic.as_deref()),
            Command::Open(OpenCommand::Join { game, .. }) if game == mail.game => wrong(
                "You have a seat in this game. To confirm it before the game begins, write JOIN alone on the first line.",
            ),
            Command::Open(command) => {
                let Some(from) = &mail.letter.author else {
                    return wrong("The mail's From leaves a doubt whom it is from.");
                };
                let guest = Guest { from, asked: Some(mail.game), mail: mail.name, arrived: mail.arrived };
                self.obey_guest(&guest, command, Some((mail.game, step)), batch)
            }
        }
    }

    fn obey_seat(
        &mut self,
        mail: &Incoming<'_>,
        seat: &Seat,
        command: &SeatCommand,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Responded {
        match command {
            SeatCommand::Report(turn) => self.report_again(mail, seat, turn.as_deref(), step),
            SeatCommand::History => self.history_of(mail, seat),
            SeatCommand::Luck => self.luck_of(mail, seat),
            SeatCommand::Preview => self.preview(mail, seat, step),
            SeatCommand::WithdrawOrders => self.withdraw_orders(mail, seat, step),
            SeatCommand::Absent { from, until } => self.absent(mail, seat, *from, *until, step),
            SeatCommand::Back => self.back(mail, seat, step),
            SeatCommand::Extend(span) => self.vote(mail, seat, *span, step),
            SeatCommand::Zone(zone) => self.set_zone(mail, seat, zone, step),
            SeatCommand::AddAddress(address) => self.add_address(mail, seat, address, step, batch),
            SeatCommand::DropAddress(address) => self.drop_address(mail, seat, address, step, &batch.steps),
            SeatCommand::NewSecret => self.new_secret(mail, seat, step),
            SeatCommand::Consent(label, salt) => self.consent(mail, seat, label, salt, step),
            // A word that answers many a letter: it gives up no seat that is played.
            SeatCommand::Decline if self.campaign(mail.game)?.last().is_some() => {
                wrong("The game has begun, so there is no invitation to decline: RESIGN gives your seat up.")
            }
            SeatCommand::Resign | SeatCommand::Decline => self.ask_to_resign(mail, seat, command, step),
        }
    }
}

impl Clerk<'_> {
    /// The answer to a player's commands.
    fn answer(
        &mut self,
        seat: &Seat,
        whom: Correspondent,
        answers: Answers,
        mail: &Incoming<'_>,
    ) -> Result<(), HostError> {
        let campaign = self.campaign;
        let game: &GameId = &campaign.charter().game;
        let subject = answers.subject();
        let Answers { items, attachments } = answers;
        let answer = Answer { game: Some(game.clone()), subject, items, witness: campaign.witness() };
        let t = campaign.next_t();
        let n = number_of(mail.name, mail.arrived);
        let message = answer::answer(&self.templates, &answer);
        let answer = ToSeat::new(t, Kind::Answer, n, message).answering(mail.letter, self.now);
        self.to_correspondent(seat, whom, ToSeat { attachments, ..answer })
    }
}

fn not_yours() -> Response {
    Response::wrong("The seat is no longer yours: nothing was done.")
}
