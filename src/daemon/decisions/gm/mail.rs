//! The GM's mails: commands in, answers out, and the welcome that brings the GM his secret.

use super::addresses::may_in_words;
use super::lines::lost_lines;
use super::overview::overview_told;
use super::{GmAnswer, Leader, not_a_command};
use crate::HostError;
use crate::books::batch::Batch;
use crate::clock::DAY;
use crate::decisions::counting::too_many;
use crate::decisions::sitting::Sitting;
use crate::games::Games;
use crate::inbox::incoming::Incoming;
use crate::mails::frame::Unframed;
use crate::mails::mailroom::Clerk;
use crate::response::Effect;
use musterd_desk::campaign::Campaign;
use musterd_desk::gm_seat;
use musterd_desk::mail::{Attachment, Kind, gm_slip, key_line, own_words, read_gm_commands};
use musterd_dice::Seat;
use musterd_engine::journal::GmRole;
use musterd_report::answer::{self, Answer, Answered, Caret};
use musterd_report::letters::Message;
use musterd_report::text::{self, listed};

/// How many mails with commands a game's GM is answered in a day.
const MOST_MAILS: u32 = 100;
/// How much one mail brings in attachments, in bytes: far enough below what the store takes, however it is encoded.
const LARGEST: usize = 160_000;

/// A mail to the GM, before it has its frame.
struct GmMail {
    kind: Kind,
    /// Tells it from others of its kind.
    n: u64,
    /// The Message-ID of the mail that it answers.
    answered: Option<String>,
    message: Message,
    files: Vec<Attachment>,
}

impl GmMail {
    /// One that goes with the nth entry of the journal.
    fn at(n: u64, kind: Kind, message: Message, files: Vec<Attachment>) -> Self {
        Self { kind, n, answered: None, message, files }
    }
}

impl Games {
    /// A mail that says it is the GM's.
    pub(crate) fn consider_gm(&mut self, mail: &Incoming<'_>, batch: &mut Batch) -> Result<(), HostError> {
        let mut at = Sitting::begin(self, mail.game, batch)?;
        if let Err(refused) = mail.is_gms(at.campaign()) {
            if at.is_first(mail.refused_key(&refused))? {
                at.refuse(mail, refused)?;
            }
        } else if !at.is_first(mail.commands_key(&gm_seat()))? {
            tracing::info!(game = %mail.game, mail = mail.name, "a second copy of the GM's: no effect");
        } else {
            // The first one too many is told so.
            match at.how_manieth(MOST_MAILS + 1, &format!("{}/gm/commands", mail.game))? {
                Some(manieth) if manieth <= MOST_MAILS => at.answer_gm(mail)?,
                Some(_) => {
                    let why = format!(
                        "{} `musterd gm` on the host's machine does it all the same.",
                        too_many(MOST_MAILS)
                    );
                    let answers = vec![not_read(mail.letter.subject.clone(), None, why)];
                    at.mail(|clerk| clerk.gm_answer(answers, mail))?;
                }
                None => {
                    tracing::warn!(game = %mail.game, mail = mail.name, "too many mails of the GM's today: this one is not answered");
                }
            }
        }
        at.close();
        Ok(())
    }
}

impl Sitting<'_> {
    /// Obeys the commands in a mail of the GM's, and answers them.
    fn answer_gm(&mut self, mail: &Incoming<'_>) -> Result<(), HostError> {
        let (given, unread) = read_gm_commands(&own_words(mail.text()));
        let from = mail.letter.author.as_deref().unwrap_or_default();
        // Who shows the secret of a lesser part may do what that part may.
        let role = self.campaign().gm_role(from).min(mail.gm_part);
        let leads_host =
            mail.gm_part == GmRole::Owner && self.config.gm.iter().any(|gm| gm.eq_ignore_ascii_case(from));
        let mut answers = self.obey_gm(&given, false, Leader { role, leads_host })?;
        self.tell_other_gms(from, &given, &answers, mail.number())?;
        if let Some(line) = unread {
            let first = line.split_whitespace().next().unwrap_or_default();
            let (what, span) = match gm_slip(&line) {
                Some(slip) => {
                    let told = format!("{} If it is a command, {}", slip.told(&[]), slip.hint(&[]));
                    (told, slip.span)
                }
                None => (not_a_command(first), (0, first.chars().count())),
            };
            let why = format!("Nothing from here on was read: {what}");
            answers.push(not_read(line, Some(Caret { below: None, span }), why));
        } else if answers.is_empty() {
            let why = "There was no command in your mail, or its text could not be read.".to_owned();
            answers.push(not_read(mail.letter.subject.clone(), None, why));
        }
        self.mail(|clerk| clerk.gm_answer(answers, mail))
    }

    /// Tells the GM that a turn has run, and shows him the dispatches that wait for him.
    pub(crate) fn draft(&mut self) -> Result<(), HostError> {
        let files = self.games.dispatches_foreseen(&self.game)?;
        self.mail(|clerk| clerk.draft_notice(files))
    }
}

/// The answer to what was not read as a command, and why.
fn not_read(line: String, caret: Option<Caret>, why: String) -> GmAnswer {
    let (end, page) = (Effect::Wrong, String::new());
    GmAnswer { line, end, caret, paragraphs: vec![why], page, files: Vec::new() }
}

/// Who sent no orders for the turn that ran last.
fn without_orders(campaign: &Campaign) -> Option<String> {
    let last = campaign.last().filter(|last| last.t > 1)?;
    let who = |(seat, stood_in): (&Seat, &bool)| match stood_in {
        true => format!("{} (the computer stood in)", campaign.title_of(seat)),
        false => campaign.title_of(seat),
    };
    let all: Vec<String> = last.missing.iter().map(who).collect();
    (!all.is_empty()).then(|| format!("No orders came from {}.", listed(&all)))
}

impl Clerk<'_> {
    /// The first mail to the GM: what the game is, and how it is led.
    pub(crate) fn gm_welcome(&mut self) -> Result<(), HostError> {
        self.gm_welcome_at(&self.campaign.charter().gm)
    }

    /// The same to some of his addresses.
    pub(super) fn gm_welcome_at(&mut self, to: &[String]) -> Result<(), HostError> {
        self.gms_by_role(to).into_iter().try_for_each(|(role, to)| self.gm_welcome_as(role, &to))
    }

    /// The same to addresses with this part in leading the game.
    fn gm_welcome_as(&mut self, role: GmRole, to: &[String]) -> Result<(), HostError> {
        let campaign = self.campaign;
        let (game, gm, token) = (&campaign.charter().game, gm_seat(), self.gm_token(role));
        let seats: Vec<String> = campaign
            .charter()
            .players
            .keys()
            .map(|seat| format!("{seat} ({})", campaign.title_of(seat)))
            .collect();
        let address = self.address.reply_address(game, &gm, &token);
        let (secret, line) = match self.reply_of_gm(role).is_enough() {
            true => (
                "The address holds your secret: pass it on to nobody.",
                "For mail programs that spoil the address, this line above the commands does the same:",
            ),
            false => (
                "Your secret stands in the line at the end of each mail to you: pass none of them on.",
                "Leave that line in your answers, or write it above the commands:",
            ),
        };
        let mut paragraphs = vec![
            format!("You are the GM of {game}: {}.", campaign.game().title()),
            format!("Its seats are {}.", listed(&seats)),
            format!(
                "Commands reach the game at {address}, which is also where an answer to this mail goes: write them on lines of their own, \
                 before anything else. HELP lists them, STATUS tells where the game stands. {secret}"
            ),
            line.to_owned(),
            key_line(game, &gm, &token),
            format!("On the host's machine `musterd gm {game} COMMAND` does the same."),
        ];
        if role != GmRole::Owner {
            paragraphs.insert(1, format!("You are a {} of it. {}", role.word(), may_in_words(role)));
        }
        let message = self.words("you are the GM", paragraphs);
        self.gm_mails(to, GmMail::at(campaign.entries(), Kind::Invitation, message, Vec::new()))
    }

    /// A word to some of the GM's addresses.
    pub(super) fn gm_notice(
        &mut self,
        to: &[String],
        subject: &str,
        paragraphs: Vec<String>,
    ) -> Result<(), HostError> {
        self.gm_notice_at(self.campaign.entries(), to, subject, paragraphs)
    }

    /// The same that goes with something else than the last entry of the journal, by its number.
    pub(super) fn gm_notice_at(
        &mut self,
        n: u64,
        to: &[String],
        subject: &str,
        paragraphs: Vec<String>,
    ) -> Result<(), HostError> {
        let message = self.words(subject, paragraphs);
        self.gm_mails(to, GmMail::at(n, Kind::Notice, message, Vec::new()))
    }

    /// That a turn has run and its dispatches wait for the GM; they come with it.
    fn draft_notice(&mut self, files: Vec<Attachment>) -> Result<(), HostError> {
        let campaign = self.campaign;
        let Some(draft) = campaign.draft() else { return Ok(()) };
        let (t, name) = (draft.t, &draft.name);
        let by_themselves = match campaign.next_due(self.now) {
            Some(at) => format!("they go out by themselves on {}", self.time(None, at)),
            None => "they don't go out by themselves while the game is paused".to_owned(),
        };
        let mut paragraphs = vec![
            format!(
                "Turn {t} ({name}) has run. Its dispatches, which come with this mail, wait for you; {by_themselves}."
            ),
            format!(
                "APPROVE {t} sends them now. NARRATE {t} puts words of yours before them; STRIKE, REWORD and ADD change a line by its number in \
                 lines.txt; AMEND {t} changes the position{}",
                // The founding stays: there is no position before it.
                match t {
                    1 => ".".to_owned(),
                    t => format!(
                        ", RERUN {t} runs the turn again from an amended one, ROLLBACK {t} takes it back."
                    ),
                }
            ),
        ];
        paragraphs.extend(lost_lines(campaign));
        paragraphs.extend(without_orders(campaign));
        paragraphs.extend(overview_told(&files));
        let message = self.words("a turn waits for your approval", paragraphs);
        self.gm_mails(&campaign.charter().gm, GmMail::at(campaign.entries(), Kind::Notice, message, files))
    }

    /// The answer to the commands of one mail, to whoever of the GMs sent it.
    fn gm_answer(&mut self, answers: Vec<GmAnswer>, mail: &Incoming<'_>) -> Result<(), HostError> {
        let campaign = self.campaign;
        let count = |end: Effect| answers.iter().filter(|answer| answer.end == end).count();
        let subject = match (answers.len(), count(Effect::Wrong), count(Effect::Unconfirmed)) {
            (1, 0, 0) => "your command".to_owned(),
            (n, 0, 0) => format!("your {n} commands"),
            (1, 0, _) => "your command waits to be confirmed".to_owned(),
            (n, 0, open) => format!("{open} of your {n} commands to be confirmed"),
            (1, ..) => "your command".to_owned(),
            (n, wrong, _) => format!("{wrong} of your {n} commands"),
        };
        let mut files = Vec::new();
        let item = |answer: GmAnswer| {
            files.extend(answer.files);
            let GmAnswer { line, end, caret, paragraphs, page, .. } = answer;
            let below = if page.is_empty() { page } else { format!("\n\n{page}") };
            Answered {
                line,
                caret,
                wrong: end == Effect::Wrong,
                page: [text::page(&paragraphs), below].concat(),
                ..Answered::default()
            }
        };
        let items = answers.into_iter().map(item).collect();
        let game = Some(campaign.charter().game.clone());
        let message = answer::answer(&self.templates, &Answer { game, subject, items, witness: None });
        // Whoever has just dropped the address that he writes from was an owner, and may read it at another's only.
        let own = mail.letter.author.as_ref().filter(|from| campaign.is_gms(from));
        let to = own.map_or_else(|| campaign.owners().cloned().collect(), |own| vec![own.clone()]);
        let n = mail.number();
        let answered = mail.letter.message_id.clone();
        self.gm_mails(&to, GmMail { kind: Kind::Answer, n, answered, message, files })
    }

    /// The mail that brings the files for which one before it had no room.
    fn further_part(&self, subject: &str, number: usize, files: &[Attachment]) -> Message {
        let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
        let told = format!("What else comes with the mail before this one: {}.", listed(&names));
        Message { subject: format!("{subject} (part {number})"), ..self.words("further files", vec![told]) }
    }

    /// One mail, or several where the attachments are too much for one.
    fn gm_mails(&mut self, to: &[String], mail: GmMail) -> Result<(), HostError> {
        let GmMail { kind, n, answered, message, files } = mail;
        let (game, gm) = (&self.campaign.charter().game, gm_seat());
        let mut parts: Vec<Vec<Attachment>> = vec![Vec::new()];
        for file in files {
            let held: usize = parts.last().map_or(0, |part| part.iter().map(|file| file.bytes.len()).sum());
            if held > 0 && held + file.bytes.len() > LARGEST {
                parts.push(Vec::new());
            }
            parts.extend(parts.is_empty().then(Vec::new));
            if let Some(part) = parts.last_mut() {
                part.push(file);
            }
        }
        let tag = self.tag(&[gm.as_str(), kind.as_str(), &n.to_string()])?;
        for (role, to) in self.gms_by_role(to) {
            for (number, attachments) in parts.iter().enumerate() {
                let message = match number {
                    0 => message.clone(),
                    _ => self.further_part(&message.subject, number + 1, attachments),
                };
                let name = self.gm_mail_name(&format!("{kind}/{tag}/{number}"), role);
                let draft = Unframed {
                    in_reply_to: answered.clone(),
                    references: answered.iter().cloned().collect(),
                    game: Some(game),
                    seat: Some(&gm),
                    attachments: attachments.clone(),
                    stale_after: (kind != Kind::Invitation).then_some(self.now + 7 * DAY),
                    ..Unframed::new(name, to.clone(), kind, message)
                };
                self.write(self.reply_of_gm(role).frame(draft))?;
            }
        }
        Ok(())
    }
}
