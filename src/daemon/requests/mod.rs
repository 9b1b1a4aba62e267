//! What is asked of the host by mail: each command is carried out or refused, and answered. Those of a seat are for its proved
//! player, the others for everybody.

mod ask;
mod confirm;
mod guest;
mod seat;

use super::HostError;
use super::host::{Batch, Host};
use super::incoming::Incoming;
use super::mailroom::{About, Draft, Mailroom};
use crate::dice::{Digest, GameId, Seat};
use crate::engine::briefing::Fact;
use crate::letter::{Attachment, Command, Given, Kind};
use crate::report::answer::{self, Answer, Answered};
use crate::store::{Packet, Step};
use guest::Guest;

/// How many mails with commands a seat is answered in a day.
const MOST_MAILS: u32 = 50;
/// How much one answer brings along, in bytes: a mail must stay below [`Packet::LARGEST`].
const MOST_ATTACHED: usize = 100_000;
/// Seconds in a day.
const DAY: i64 = 24 * 3600;

/// What came of a command.
pub(super) enum Outcome {
    /// It was done, or answered.
    Done(Done),
    /// It could not be: why, and what to do.
    Wrong(String),
}

/// What is said of a command that was carried out.
#[derive(Default)]
pub(super) struct Done {
    /// A paragraph each.
    paragraphs: Vec<String>,
    /// Facts under headings.
    tables: Vec<(String, Vec<Fact>)>,
    /// A page laid out already.
    page: String,
    /// Files that come with the answer.
    attachments: Vec<Attachment>,
}

impl Outcome {
    fn done(paragraph: impl Into<String>) -> Self {
        Self::Done(Done { paragraphs: vec![paragraph.into()], ..Done::default() })
    }

    fn wrong(why: impl Into<String>) -> Self {
        Self::Wrong(why.into())
    }
}

/// What is to be answered for the commands of one mail.
#[derive(Default)]
struct Answers {
    items: Vec<Answered>,
    attachments: Vec<Attachment>,
}

impl Answers {
    fn add(&mut self, line: &str, outcome: Outcome) {
        let attached: usize = self.attachments.iter().map(|file| file.bytes.len()).sum();
        let mut item = Answered { line: line.to_owned(), ..Answered::default() };
        match outcome {
            Outcome::Done(Done { attachments, .. })
                if attached + attachments.iter().map(|file| file.bytes.len()).sum::<usize>()
                    > MOST_ATTACHED =>
            {
                item.wrong = true;
                item.paragraphs =
                    vec!["That is too much for one mail: ask for it in a mail of its own.".to_owned()];
            }
            Outcome::Done(done) => {
                item.paragraphs = done.paragraphs;
                item.tables = done.tables;
                item.page = done.page;
                self.attachments.extend(done.attachments);
            }
            Outcome::Wrong(why) => {
                item.wrong = true;
                item.paragraphs = vec![why];
            }
        }
        self.items.push(item);
    }

    fn subject(&self) -> String {
        let wrong = self.items.iter().filter(|item| item.wrong).count();
        match (self.items.len(), wrong) {
            (1, 0) => "your command".to_owned(),
            (n, 0) => format!("your {n} commands"),
            (1, _) => "your command, with an error".to_owned(),
            (n, wrong) => format!("your {n} commands, {wrong} with errors"),
        }
    }
}

/// Where an answer goes.
struct Correspondent {
    to: String,
    reply_to: String,
}

impl Host {
    /// Carries out the commands of a seat's player, in the order given, and answers them all in one mail.
    pub(super) fn obey_player(
        &mut self,
        mail: &Incoming<'_>,
        seat: &Seat,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<(), HostError> {
        if mail.commands.is_empty() || !self.is_first(mail.commands_key(seat), step, batch)? {
            return Ok(());
        }
        if !self.is_among(MOST_MAILS, &format!("{}/{seat}/commands", mail.game), step, batch)? {
            tracing::warn!(game = %mail.game, %seat, "too many mails with commands today: this one is not answered");
            return Ok(());
        }
        // Who gives a seat up is answered all the same.
        let before =
            self.about(mail.game, |mailroom, about| Ok(mailroom.correspondent(about, seat, mail)))?;
        let mut answers = Answers::default();
        for Given { line, command } in &mail.commands {
            let is_free = self.campaign(mail.game)?.free_seats().contains(seat);
            let outcome = match command {
                Ok(_) if is_free => Outcome::wrong("The seat is no longer yours: nothing was done."),
                Ok(command) => self.obey_one(mail, seat, command, step, batch)?,
                Err(fault) => Outcome::wrong(format!("This command can't be read: {fault}.")),
            };
            tracing::info!(game = %mail.game, %seat, line, "command");
            answers.add(line, outcome);
        }
        self.move_deadline(mail.game, step)?;
        let answer = self.about(mail.game, |mailroom, about| {
            let after = mailroom.correspondent(about, seat, mail);
            after.or(before).map(|whom| mailroom.answer(about, seat, whom, answers, mail)).transpose()
        })?;
        step.packets.extend(answer);
        Ok(())
    }

    fn obey_one(
        &mut self,
        mail: &Incoming<'_>,
        seat: &Seat,
        command: &Command,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<Outcome, HostError> {
        match command {
            Command::Status => self.status_of_player(mail, seat),
            Command::List => self.list(),
            Command::Help(topic) => Ok(self.help_on(topic.as_deref())),
            Command::Report(turn) => self.report_again(mail, seat, turn.as_deref(), step),
            Command::History => self.history_of(mail, seat),
            Command::Preview => self.preview(mail, seat, step),
            Command::WithdrawOrders => self.withdraw_orders(mail, seat, step),
            Command::Absent { from, until } => self.absent(mail, seat, *from, *until, step),
            Command::Back => self.back(mail, seat, step),
            Command::Extend(span) => self.vote(mail, seat, *span, step),
            Command::Zone(zone) => self.set_zone(mail, seat, zone, step),
            Command::AddAddress(address) => self.add_address(mail, seat, address, step, batch),
            Command::DropAddress(address) => self.drop_address(mail, seat, address, step),
            Command::NewSecret => self.new_secret(mail, seat, step),
            Command::Resign => self.resign(mail, seat, step),
            Command::Join { game, .. } if game == mail.game => Ok(Outcome::wrong(
                "You have a seat in this game. To confirm it before the game begins, write JOIN alone, between BEGIN ORDERS and END \
                 ORDERS.",
            )),
            Command::Join { .. }
            | Command::Standby { .. }
            | Command::Observe(_)
            | Command::Leave(_)
            | Command::Confirm(_) => {
                let [from] = mail.letter.from.as_slice() else {
                    return Ok(Outcome::wrong("The mail names more than one sender."));
                };
                let guest = Guest { from, asked: Some(mail.game) };
                self.obey_guest(&guest, command, Some((mail.game, step)), batch)
            }
        }
    }
}

impl Mailroom {
    /// Where a seat's answers go now; none where nobody is to be written to.
    fn correspondent(&self, about: &About<'_>, seat: &Seat, mail: &Incoming<'_>) -> Option<Correspondent> {
        let to = self.answered_at(about.campaign, seat, mail.letter)?;
        Some(Correspondent { to, reply_to: self.addressee(about, seat).reply_to })
    }

    /// The answer to a player's commands.
    fn answer(
        &self,
        about: &About<'_>,
        seat: &Seat,
        whom: Correspondent,
        answers: Answers,
        mail: &Incoming<'_>,
    ) -> Result<Packet, HostError> {
        let campaign = about.campaign;
        let game: &GameId = &campaign.charter().game;
        let subject = answers.subject();
        let Answers { items, attachments } = answers;
        let answer = Answer { game: Some(game.clone()), subject, items, witness: campaign.witness() };
        let t = campaign.window().map_or(campaign.next_t(), |w| w.t);
        let (id, message_id) = self.id(about, t, seat, Kind::Answer, number_of(mail.name, mail.arrived));
        let answered = mail.letter.message_id.clone();
        let draft = Draft {
            id,
            to: vec![whom.to],
            reply_to: Some(whom.reply_to),
            message_id,
            in_reply_to: answered.clone(),
            references: std::iter::once(self.thread(about, seat)).chain(answered).collect(),
            kind: Kind::Answer,
            game: Some(game),
            seat: Some(seat),
            message: answer::answer(&self.templates, &answer),
            attachments,
            stale_after: Some(about.now + 2 * DAY),
        };
        self.packet(draft, about.now)
    }
}

/// A number for a mail that arrived then: the same whenever it is looked at, and greater than those of earlier ones. Commands that
/// only ask leave no other mark in the journal.
pub(super) fn number_of(mail: &str, arrived: i64) -> u64 {
    let digest = Digest::of(mail.as_bytes());
    let tail = digest.as_bytes().iter().take(4).fold(0, |number, byte| number << 8 | u64::from(*byte));
    u64::try_from(arrived).unwrap_or_default() << 32 | tail
}
