//! Commands that need no seat, of players and of strangers. A stranger is answered where the mail came from, so often a day and no
//! more: nobody can have somebody else mailed to without end.

use super::answers::{Answers, first_word};
use super::wish::{Guest, Wish};
use crate::HostError;
use crate::addresses::mailbox_of;
use crate::books::batch::Batch;
use crate::clock::DAY;
use crate::decisions::sitting::Sitting;
use crate::games::Games;
use crate::mails::frame::Unframed;
use crate::mails::mailroom::{Clerk, Mailroom};
use crate::packet_id::number_of;
use crate::response::{Early, Effect, Responded, Response, said, wrong, wrong_at};
use musterd_desk::mail::{Attachment, Command, CommandFault, Given, Kind, OpenCommand, Token};
use musterd_dice::{Digest, GameId, Seat};
use musterd_engine::terms::Observers;
use musterd_letter::Letter;
use musterd_report::answer::{self, Answer};
use musterd_store::{HOST, Packet, Step};
use musterd_text::nouns::count;

/// How many mails of one address are answered in a day that ask for something to be confirmed, or confirm it.
const MOST_REQUESTS: u32 = 5;
/// How many of one address that only ask.
const MOST_QUESTIONS: u32 = 5;
/// How many codes of one founder are looked at in a day beyond the mails that are answered.
const MOST_CODES: u32 = 100;

impl Games {
    /// Carries out and answers the commands of somebody who has proved no seat. Nothing is answered that leaves a doubt whom it is from.
    pub(crate) fn obey_stranger(
        &mut self,
        letter: &Letter,
        mail: &str,
        asked: Option<&GameId>,
        commands: &[Given],
        batch: &mut Batch,
    ) -> Result<(), HostError> {
        let Some(from) = &letter.author else { return Ok(()) };
        if self.mailroom().address.is_own(from) {
            return Ok(());
        }
        let mut step = Step::default();
        let text = letter.body.as_ref().map_or("", |body| body.text.as_str());
        let id = letter.message_id.as_deref().unwrap_or(mail);
        let what = Digest::of(format!("{id}\n{from}\n{text}").as_bytes());
        if !self.is_first(format!("{HOST}/commands/{what}"), &mut step, batch)? {
            return Ok(());
        }
        let is_authentic = self.config.authentication.as_ref().is_none_or(|way| way.vouches_for(letter));
        let guest = Guest { from, asked, mail, arrived: self.now(), is_authentic };
        let may = self.may_be_answered(&guest, commands, &mut step, batch)?;
        let mut answers = Answers::default();
        // Who is struck out, or has founded a game, hears of it however much was asked in that name today.
        let mut is_told = may;
        for Given { line, command, .. } in commands {
            let founds = !may && self.may_confirm_founding(&guest, command);
            let response = match command {
                // Nobody makes the host work for what it doesn't answer.
                Ok(Command::Open(command)) if !may && !founds && !self.counts_unanswered(command, asked) => {
                    continue;
                }
                Ok(Command::Open(command)) => said(self.obey_guest(&guest, command, batch))?,
                Ok(Command::Seat(_)) => Response::wrong(
                    "That is for the player of a seat: answer one of its mails, from a registered address, with its reply address as it is.",
                ),
                Err(fault) => Response::unread(fault, &[]),
            };
            let is_done = response.effect != Effect::Wrong;
            is_told |= is_done && (founds || matches!(command, Ok(Command::Open(OpenCommand::Leave(_)))));
            tracing::info!(from, command = first_word(line), "command of a stranger");
            if !founds || is_done {
                answers.add(line, response);
            } else if self.may_tell_founder(&guest, &mut step, batch)? {
                is_told = true;
                answers.add(line, not_today(response));
            }
        }
        if is_told {
            let packet = self.mailroom().answer_stranger(from, answers, letter, mail, self.now());
            match packet {
                Ok(packet) => step.packets.push(packet),
                Err(HostError::Compose(error)) => {
                    tracing::info!(from, %error, "this sender can't be answered");
                }
                Err(other) => return Err(other),
            }
        } else {
            tracing::warn!(from, "too many mails of a stranger today: this one is not answered");
        }
        batch.steps.push(step);
        Ok(())
    }

    /// Whether a command may confirm a founding although its mail is not answered any more today.
    fn may_confirm_founding(&mut self, guest: &Guest<'_>, command: &Result<Command, CommandFault>) -> bool {
        let Ok(Command::Open(command)) = command else { return false };
        let Some((game, Some(_))) = change_meant(command, guest.asked) else { return false };
        !self.knows(&game)
            && guest.is_authentic
            && self.config.founders.admit(guest.from)
            && self.is_among_seen(MOST_CODES, &format!("{}/codes", founder_key(guest.from)))
    }

    /// Whether a founder is told that nothing of his is answered any more today: once.
    fn may_tell_founder(
        &mut self,
        guest: &Guest<'_>,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<bool, HostError> {
        let (from, all) = (guest.from, self.config.limits.strangers_a_day);
        Ok(self.is_among(1, &format!("{}/told", founder_key(from)), step, batch)?
            && (self.config.founders.name(from)
                || self.is_among(all, &format!("{HOST}/foundings/told"), step, batch)?))
    }

    /// Whether a stranger's commands may be answered. Whether the note was sent today that tells how to ask is all the same: who does what it
    /// says is answered.
    fn may_be_answered(
        &mut self,
        guest: &Guest<'_>,
        commands: &[Given],
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<bool, HostError> {
        let from = guest.from;
        let founds = |given: &Given| {
            matches!(given.command, Ok(Command::Open(OpenCommand::Create(_) | OpenCommand::Confirm(_))))
        };
        // What nobody vouches for uses up nothing of a founder's.
        if self.config.founders.admit(from) && guest.is_authentic && commands.iter().any(founds) {
            // One answer more tells that there were enough; for each there may be a confirmation.
            let most = self.config.limits.foundings_a_day.saturating_mul(2).saturating_add(1);
            // Who may found by the domain of an address alone is anybody who writes such a one: all of them together have a limit.
            let all = self.config.limits.strangers_a_day;
            let is_named = self.config.founders.name(from);
            return Ok(self.is_among(most, &format!("{}/answered", founder_key(from)), step, batch)?
                && (is_named || self.is_among(all, &format!("{HOST}/foundings/answered"), step, batch)?));
        }
        let who = who_is(from);
        let asks = |given: &Given| match given.command {
            Ok(Command::Open(_)) => given.verb.only_asks,
            Ok(Command::Seat(_)) => false,
            Err(_) => true,
        };
        let (most, what) = match commands.iter().all(asks) {
            true => (MOST_QUESTIONS, "questions"),
            false => (MOST_REQUESTS, "requests"),
        };
        Ok(self.is_among(most, &format!("{HOST}/{what}/{who}"), step, batch)?
            && self.may_answer_strangers(step, batch)?)
    }

    /// Whether a command is carried out even where its mail is not answered any more today: it strikes somebody out, or brings a code of a game that is
    /// here.
    fn counts_unanswered(&self, command: &OpenCommand, asked: Option<&GameId>) -> bool {
        change_meant(command, asked).is_some_and(|(game, _)| self.knows(&game))
    }

    fn status_of_stranger(&mut self, asked: Option<&GameId>) -> Responded {
        match asked {
            Some(game) if self.knows(game) => self.status_for_all(game),
            _ => self.list(),
        }
    }

    /// Carries out a command that needs no seat. What it changes is a step of its own.
    pub(super) fn obey_guest(
        &mut self,
        guest: &Guest<'_>,
        command: &OpenCommand,
        batch: &mut Batch,
    ) -> Responded {
        let (game, wish) = match command {
            OpenCommand::Status => return self.status_of_stranger(guest.asked),
            OpenCommand::List => return self.list(),
            OpenCommand::Help(topic) => return self.help_on(topic.as_deref(), [].into_iter()),
            OpenCommand::Scenario(game) => return self.scenario(game.as_ref().or(guest.asked)),
            OpenCommand::Rules(asked) => return self.rules(guest.asked, asked),
            OpenCommand::Scenarios(system) => return self.scenarios(guest.from, system.as_deref()),
            OpenCommand::Create(creation) => return self.create(guest, creation, batch),
            OpenCommand::OrderOfBattle(game) => return self.order_of_battle(game.as_ref().or(guest.asked)),
            OpenCommand::Prefer { game, seats } => return self.offer_preferred(guest, game, seats),
            OpenCommand::Join { game, seat } => (game, Wish::Join(seat.clone())),
            OpenCommand::Standby { game, seat } => (game, Wish::Standby(seat.clone())),
            OpenCommand::Observe(game) => (game, Wish::Observe),
            OpenCommand::Witness(game) => (game, Wish::Witness),
            OpenCommand::Leave(_) | OpenCommand::Confirm(_) => {
                let Some((game, code)) = change_meant(command, guest.asked) else {
                    let OpenCommand::Confirm(code) = command else { return self.list() };
                    return wrong_at(
                        code,
                        "That is no code of this host: copy the whole line CONFIRM from its mail.",
                    );
                };
                let founds = !self.knows(&game) && self.config.founders.admit(guest.from);
                if let Some(code) = code.as_ref().filter(|_| founds) {
                    return self.confirm_founding(guest, &game, code, batch);
                }
                self.is_here(&game)?;
                let mut at = Sitting::begin(self, &game, batch)?;
                let response = said(at.change_for(guest, code.as_ref()))?;
                at.close();
                return Ok(response);
            }
        };
        self.is_here(game)?;
        self.offer(guest, game, &wish)
    }

    pub(super) fn is_here(&self, game: &GameId) -> Result<(), Early> {
        if self.knows(game) {
            Ok(())
        } else {
            wrong_at(game.as_str(), format!("There is no game `{game}` here."))
        }
    }

    /// Says how a wish is confirmed, if it can be had.
    pub(super) fn offer(&mut self, guest: &Guest<'_>, game: &GameId, wish: &Wish) -> Responded {
        if let Some(why) = wish.objection(self.campaign(game)?, guest.from) {
            let named = wish.seat().map_or_else(|| game.as_str(), Seat::as_str).to_owned();
            return wrong_at(named, why);
        }
        let line = self.confirm_line(game, wish, guest.from)?;
        let campaign = self.campaign(game)?;
        let (title, lag) = (campaign.game().title(), campaign.charter().terms.observers_lag);
        let seat = |seat: &Option<Seat>| {
            seat.as_ref().map_or("a free seat".to_owned(), |seat| campaign.title_of(seat))
        };
        let what = match wish {
            Wish::Join(wanted) => format!("play {} in {game} ({title})", seat(wanted)),
            Wish::Standby(Some(wanted)) => {
                format!("be asked when {} in {game} ({title}) needs a player", campaign.title_of(wanted))
            }
            Wish::Standby(None) => format!("be asked when a seat of {game} ({title}) falls free"),
            Wish::Witness => format!("be a witness of the dice of {game} ({title})"),
            Wish::Observe if campaign.charter().terms.observers == Observers::Ask => {
                let lag = count(lag, "turn");
                format!("ask the GM of {game} ({title}) whether you may watch it, {lag} behind its players")
            }
            Wish::Observe | Wish::Address(_) | Wish::Resign(_) => {
                format!("watch {game} ({title}), {} behind its players", count(lag, "turn"))
            }
        };
        let told = format!(
            "To {what}, answer this mail within three days, from {}, with this line on top:",
            guest.from
        );
        Ok(Response::of(vec![told, line]))
    }
}

impl Sitting<'_> {
    /// Does what a code confirms, or strikes somebody out where there is none.
    pub(super) fn change_for(&mut self, guest: &Guest<'_>, code: Option<&Token>) -> Responded {
        match code {
            Some(code) => self.confirm(guest, code),
            None => self.leave(guest),
        }
    }

    fn leave(&mut self, guest: &Guest<'_>) -> Responded {
        let game = self.game.clone();
        let lists = Wish::granted(self.campaign(), guest.from);
        if self.strike(guest.from)? {
            let mut paragraphs = vec![
                format!("You neither watch {game} nor wait for a seat of it nor witness its dice any more."),
                // The command needs no code, so anybody could have written it.
                format!(
                    "If that was not your wish, somebody wrote in your name: all is as it was when you answer this mail within three days, from \
                     {}, with",
                    guest.from
                ),
            ];
            for wish in lists {
                paragraphs.push(self.confirm_line(&wish, guest.from)?);
            }
            return Ok(Response::of(paragraphs));
        }
        let plays = !self.campaign().seats_of(guest.from).is_empty();
        wrong(match plays {
            true => {
                "You play in this game: RESIGN, in an answer to one of your seat's mails, gives the seat up."
                    .to_owned()
            }
            false => format!("You neither watch {game} nor wait for a seat of it."),
        })
    }
}

/// What a founder is told at last on a day on which nothing more of his is answered.
fn not_today(mut response: Response) -> Response {
    response.paragraphs.push(
        "No more mails of yours about foundings are answered today. Send this one again tomorrow if the line is right: a code counts for three \
         days. One that founds its game is carried out and answered today, too."
            .to_owned(),
    );
    response
}

/// What stands for the mailbox of an address in marks.
fn who_is(address: &str) -> String {
    Digest::of(mailbox_of(address).as_bytes()).to_string().chars().take(16).collect()
}

/// Under which the mails of a founder are counted.
pub(super) fn founder_key(address: &str) -> String {
    format!("{HOST}/foundings/{}", who_is(address))
}

/// What stands for somebody without a seat in the ids of mails.
pub(crate) fn guest_seat(address: &str) -> Option<Seat> {
    let who = Digest::of(address.as_bytes()).to_string();
    format!("guest.{}", &who[..16]).parse().ok()
}

/// The game whose lists or seats a command changes, and the code that it comes with; none where it changes nothing, or the code is none of ours.
pub(super) fn change_meant(command: &OpenCommand, asked: Option<&GameId>) -> Option<(GameId, Option<Token>)> {
    match command {
        OpenCommand::Leave(game) => Some((game.clone(), None)),
        OpenCommand::Confirm(code) => read_code(code, asked).map(|(game, code)| (game, Some(code))),
        _ => None,
    }
}

/// The game and the code of a `CONFIRM`; the game may stand in the mail's address or subject alone.
fn read_code(text: &str, asked: Option<&GameId>) -> Option<(GameId, Token)> {
    match text.split_once('.') {
        Some((game, code)) => Some((game.to_ascii_lowercase().parse().ok()?, code.parse().ok()?)),
        None => Some((asked?.clone(), text.parse().ok()?)),
    }
}

impl Mailroom {
    /// The answer to a stranger's commands.
    fn answer_stranger(
        &self,
        to: &str,
        answers: Answers,
        answered: &Letter,
        mail: &str,
        now: i64,
    ) -> Result<Packet, HostError> {
        let subject = answers.subject();
        let answer = Answer { game: None, subject, items: answers.items, witness: None };
        let n = number_of(mail, now);
        let name = (format!("{HOST}/answer/{n}"), format!("guest.answer.{n}@{}", self.address.domain()));
        let message = answer::answer(&self.templates, &answer);
        let draft = Unframed {
            attachments: answers.attachments,
            stale_after: Some(now + 2 * DAY),
            ..Unframed::new(name, vec![to.to_owned()], Kind::Answer, message).answering(answered)
        };
        self.packet(draft, now)
    }
}

impl Clerk<'_> {
    /// A few words about a game to somebody who has no seat in it; `n` tells apart what is said to them in one window.
    pub(crate) fn tell_guest(
        &mut self,
        to: &str,
        subject: &str,
        paragraphs: Vec<String>,
        n: u64,
        attachments: Vec<Attachment>,
    ) -> Result<(), HostError> {
        let campaign = self.campaign;
        let game = &campaign.charter().game;
        let Some(guest) = guest_seat(to) else { return Ok(()) };
        let name = self.id(self.open_turn(), &guest, Kind::Notice, n)?;
        let draft = Unframed {
            game: Some(game),
            attachments,
            stale_after: Some(self.now + 7 * DAY),
            may_leave: !Wish::granted(campaign, to).is_empty(),
            ..Unframed::new(name, vec![to.to_owned()], Kind::Notice, self.words(subject, paragraphs))
        };
        self.write(draft)
    }
}
