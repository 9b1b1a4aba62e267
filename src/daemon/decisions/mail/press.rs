//! Letters between players: taken out of a mail, journalled, passed on to their readers, and answered to their writer.

use crate::HostError;
use crate::decisions::sitting::Sitting;
use crate::inbox::incoming::Incoming;
use crate::mails::frame::ToSeat;
use crate::mails::mailroom::Clerk;
use crate::packet_id::number_of;
use musterd_desk::mail::{Kind, Press};
use musterd_desk::press::{UNKNOWN_HAND, fitting, for_gm};
use musterd_desk::{calendar, letters};
use musterd_dice::{ChainLines, Digest, Seat};
use musterd_engine::journal::{self, Author, Carriage, Cause, Change, Player, Seal};
use musterd_report::press;
use musterd_report::text::{listed, sentence};

/// How many letters of a seat are dealt with in a day.
const MOST_LETTERS: u32 = 50;

impl Sitting<'_> {
    /// Passes on the letters in a mail of this seat, each once, and tells the writer what became of them. They change nothing
    /// else; but where nothing says where one ends, orders may be in it, and its writer is ready no more.
    pub(crate) fn pass_on(&mut self, mail: &Incoming<'_>, seat: &Seat) -> Result<(), HostError> {
        let mut said = Said::default();
        let mut stopped = None;
        for press in mail.press {
            if !self.is_first(mail.press_key(seat, press))? {
                tracing::info!(game = %mail.game, mail = mail.name, "a second copy of a letter: no effect");
            } else if self.is_among(MOST_LETTERS, &format!("{}/{seat}/letters", mail.game))? {
                if press.text.is_err() {
                    stopped = self.stop_by(seat)?.or(stopped);
                }
                self.pass_one_on(mail, seat, press, &mut said)?;
            } else {
                tracing::warn!(game = %mail.game, %seat, "too many letters today: this one is not passed on");
                let why = format!("more than {MOST_LETTERS} letters came from you today; send it tomorrow");
                self.keep_back(mail, seat, press, &why, &mut said)?;
            }
        }
        if said.paragraphs.is_empty() {
            return Ok(());
        }
        self.mail(|clerk| {
            said.paragraphs.extend(stopped.map(|at| clerk.stopped(seat, at)));
            clerk.press_answer(seat, &said, mail)
        })
    }

    fn pass_one_on(
        &mut self,
        mail: &Incoming<'_>,
        seat: &Seat,
        press: &Press,
        said: &mut Said,
    ) -> Result<(), HostError> {
        let game = mail.game;
        let (is_for_gm, others) = for_gm(&press.to);
        if is_for_gm {
            self.pass_on_to_gm(mail, seat, press, said)?;
            if others.is_empty() {
                return Ok(());
            }
        }
        let press = &Press { to: if is_for_gm { others } else { press.to.clone() }, ..press.clone() };
        let chain = self.chain()?;
        let cause = self
            .campaign()
            .pressing(&chain, seat, press, mail.name, mail.arrived, mail.zone)
            .map_err(|e| HostError::campaign(game, e))?;
        let letter = match cause {
            Ok(Cause::Pressed(letter)) => letter,
            Ok(other) => return self.play(other),
            Err(why) => return self.keep_back(mail, seat, press, &why.to_string(), said),
        };
        self.play(Cause::Pressed(letter.clone()))?;
        tracing::info!(%game, %seat, mail = mail.name, readers = letter.to.len(), "a letter passed on");
        self.mail(|clerk| clerk.press(&letter))?;
        (said.sent, said.committed) = (said.sent + 1, said.committed + 1);
        let campaign = self.campaign();
        let is_person =
            |seat: &&Seat| matches!(campaign.charter().players.get(*seat), Some(Player::Mail { .. }));
        let titles = |seats: Vec<&Seat>| -> Vec<String> {
            seats.into_iter().map(|seat| campaign.title_of(seat)).collect()
        };
        let (people, computers): (Vec<&Seat>, Vec<&Seat>) = letter.to.iter().partition(is_person);
        let (people, computers) = (titles(people), titles(computers));
        let readers = listed(&people);
        let lines = lines_in_words(&letter.text);
        let mut paragraph = match &letter.carriage {
            Carriage::AtOnce => {
                format!(
                    "Your letter of {lines} was sent on to {readers}. It will stand in the next dispatch too."
                )
            }
            Carriage::Sealed { until } => {
                let until = match until {
                    Seal::Turn { t } => format!("until turn {t} opens"),
                    Seal::Named { name } => format!("until a turn opens whose name begins {name}"),
                    Seal::Time { at } => {
                        calendar::zoned(*at, mail.zone).strftime("until %A %-d %B %Y, %H:%M %Z").to_string()
                    }
                };
                format!(
                    "Your letter of {lines} to {readers} is sealed {until}, or until the game ends. The log holds its commitment."
                )
            }
            Carriage::Courier { .. } => format!(
                "Your letter of {lines} goes to {readers} by courier. How long he rides, and whether he arrives, you aren't told."
            ),
        };
        if letter.anonymous {
            paragraph.push_str(" It doesn't say whose it is.");
        }
        if !computers.is_empty() {
            paragraph.push_str(&format!(" The computer reads no letters: {}.", listed(&computers)));
        }
        said.paragraphs.push(paragraph);
        Ok(())
    }

    /// Passes a letter on to the GM, whatever letters the game allows between players.
    fn pass_on_to_gm(
        &mut self,
        mail: &Incoming<'_>,
        seat: &Seat,
        press: &Press,
        said: &mut Said,
    ) -> Result<(), HostError> {
        let to_gm = Press { to: "the GM".to_owned(), ..press.clone() };
        let text = match (&press.text, self.campaign().charter().gm.is_empty()) {
            (Err(fault), _) => Err(fault.to_string()),
            (_, true) => Err("this game has no GM".to_owned()),
            (Ok(_), _) if press.anonymous || press.sealed.is_some() => {
                Err("a letter to the GM is neither anonymous nor sealed; send it to the GM by itself"
                    .to_owned())
            }
            (Ok(text), _) => fitting(text).map(|()| text).map_err(|why| why.to_string()),
        };
        let text = match text {
            Ok(text) => text.clone(),
            Err(why) => return self.keep_back(mail, seat, &to_gm, &why, said),
        };
        let change = Change::ToGm { from: seat.clone(), text: text.clone() };
        self.arrange(Author::Seat { seat: seat.clone() }, change, "a player wrote to the GM")?;
        tracing::info!(game = %mail.game, %seat, mail = mail.name, "a letter to the GM");
        self.mail(|clerk| clerk.letter_to_gm(seat, &text))?;
        said.sent += 1;
        said.paragraphs.push(format!(
            "Your letter of {} was sent on to the GM, and to nobody else.",
            lines_in_words(&text)
        ));
        Ok(())
    }

    /// Journals a letter that goes nowhere as a mail that changed nothing, and says why.
    fn keep_back(
        &mut self,
        mail: &Incoming<'_>,
        seat: &Seat,
        press: &Press,
        why: &str,
        said: &mut Said,
    ) -> Result<(), HostError> {
        let text = Digest::of(mail.text().as_bytes());
        let word = "letter".parse().map_err(|e: musterd_dice::BadWord| HostError::usage(e.to_string()))?;
        let campaign = self.campaign();
        let cause = campaign.refusing((mail.name, mail.arrived), Some(seat), &word, text);
        self.play(cause)?;
        said.kept += 1;
        let to: String = press.to.chars().filter(|c| !c.is_control()).take(60).collect();
        said.paragraphs.push(format!("Your letter to `{to}` was NOT sent on: {why}."));
        Ok(())
    }
}

/// What the writer is told.
#[derive(Default)]
pub(crate) struct Said {
    sent: usize,
    /// Of those, the letters of which the log holds a commitment that their writer can't compute.
    committed: usize,
    kept: usize,
    paragraphs: Vec<String>,
}

impl Said {
    fn subject(&self) -> String {
        match (self.sent, self.kept) {
            (1, 0) => "your letter was sent on".to_owned(),
            (sent, 0) => format!("your {sent} letters were sent on"),
            (0, 1) => "your letter was NOT sent on".to_owned(),
            (0, kept) => format!("your {kept} letters were NOT sent on"),
            (sent, kept) => format!("{sent} of your letters sent on, {kept} NOT"),
        }
    }
}

fn lines_in_words(text: &str) -> String {
    match text.lines().count() {
        1 => "one line".to_owned(),
        n => format!("{n} lines"),
    }
}

impl Clerk<'_> {
    /// A player's letter to the GM.
    fn letter_to_gm(&mut self, from: &Seat, text: &str) -> Result<(), HostError> {
        let title = self.campaign.title_of(from);
        let told = format!(
            "{} ({from}) writes to you, as follows. To answer, write a line PRESS TO {from}, your words below it, and a line END PRESS below \
             them; BROADCAST answers to all.",
            sentence(&title)
        );
        let message =
            self.words_and_lines(&format!("a letter from {title}"), vec![told], text.to_owned(), None);
        self.notice_of(&message)
    }

    /// A letter to each of its readers that is a person.
    pub(crate) fn press(&mut self, letter: &journal::PressLetter) -> Result<(), HostError> {
        let campaign = self.campaign;
        for seat in &letters::at_once(letter) {
            let Some(Player::Mail { .. }) = campaign.charter().players.get(seat) else { continue };
            let Some(witness) = campaign.open_head() else { continue };
            let mail = press::Press {
                to: self.addressee(seat),
                anonymous: letter.anonymous,
                from: match letter.anonymous {
                    true => UNKNOWN_HAND.to_owned(),
                    false => campaign.title_of(&letter.from),
                },
                // Whoever is missing among the readers of an anonymous letter would be its writer.
                readers: match letter.anonymous {
                    true => vec![campaign.title_of(seat)],
                    false => letter.to.iter().map(|reader| campaign.title_of(reader)).collect(),
                },
                text: letter.text.clone(),
                witness: witness.clone(),
            };
            let message = press::press(&self.templates, &mail);
            let n = number_of(&letter.commit.to_string(), letter.arrived);
            let mail = ToSeat::new(self.open_turn(), Kind::Press, n, message);
            self.mail_seat(seat, mail.showing(witness))?;
        }
        Ok(())
    }

    /// What became of a player's letters.
    fn press_answer(&mut self, seat: &Seat, said: &Said, mail: &Incoming<'_>) -> Result<(), HostError> {
        let campaign = self.campaign;
        // What the log has of a letter that was sent on to players its writer can't compute; that he wrote to the GM he can.
        let shows = campaign.open_head().filter(|_| said.committed > 0).map(ChainLines::from);
        let paragraphs = said.paragraphs.clone();
        let message = self.words_and_lines(&said.subject(), paragraphs, String::new(), shows.clone());
        let n = mail.number();
        let answer = ToSeat::new(self.open_turn(), Kind::Press, n, message);
        self.mail_seat(seat, ToSeat { shows, ..answer.answering(mail.letter, self.now) })
    }
}
