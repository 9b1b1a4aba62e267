//! The frame of a mail: whom it is from and to, where an answer goes, what thread it belongs to. What it says comes from the mailroom's
//! other files.

use crate::HostError;
use crate::clock::DAY;
use crate::mails::enclosures::AUDIT_ENDING;
use crate::mails::mailroom::{Clerk, Mailroom};
use crate::secrets::vault::{last_of, mail_tag};
use musterd_desk::gm_seat;
use musterd_desk::mail::{self, Attachment, Kind, MailTag, Mailbox, Sent, Token, Which, key_line};
use musterd_dice::{ChainLines, GameId, Seat};
use musterd_engine::journal::{GmRole, Preferences};
use musterd_letter::Letter;
use musterd_report::html::without_drawings;
use musterd_report::letters::{self, Message, Notice};
use musterd_store::Packet;

/// A mail before it has its frame.
pub(crate) struct Unframed<'a> {
    pub(crate) id: String,
    pub(crate) to: Vec<String>,
    pub(crate) reply_to: Option<String>,
    pub(crate) message_id: String,
    pub(crate) in_reply_to: Option<String>,
    pub(crate) references: Vec<String>,
    pub(crate) kind: Kind,
    pub(crate) game: Option<&'a GameId>,
    pub(crate) seat: Option<&'a Seat>,
    pub(crate) message: Message,
    /// The head of the log that it shows, which is signed.
    pub(crate) shows: Option<ChainLines>,
    pub(crate) attachments: Vec<Attachment>,
    pub(crate) stale_after: Option<i64>,
    /// Whether its reader is on a list of the game that he may leave.
    pub(crate) may_leave: bool,
}

impl Unframed<'_> {
    /// A mail that stands alone: it answers none, and is sent however late it is. `name` is its id and its Message-ID.
    pub(crate) fn new(name: (String, String), to: Vec<String>, kind: Kind, message: Message) -> Self {
        let (id, message_id) = name;
        Self {
            id,
            to,
            reply_to: None,
            message_id,
            in_reply_to: None,
            references: Vec::new(),
            kind,
            game: None,
            seat: None,
            message,
            shows: None,
            attachments: Vec::new(),
            stale_after: None,
            may_leave: false,
        }
    }

    /// The same as an answer to this mail.
    pub(crate) fn answering(self, answered: &Letter) -> Self {
        let answered = answered.message_id.clone();
        Self { in_reply_to: answered.clone(), references: answered.into_iter().collect(), ..self }
    }
}

/// Where a mail stands in the thread of its seat.
pub(crate) enum InThread<'a> {
    /// It begins it: it brings the seat's secret.
    Begins,
    /// It goes on with it.
    GoesOn,
    /// It answers this mail of the player's.
    Answers(&'a Letter),
    /// It stands outside: what somebody else wrote is no part of the player's thread.
    Outside,
}

/// A mail to the player of a seat.
pub(crate) struct ToSeat<'a> {
    /// The adjudication that an answer to it is meant for.
    pub(crate) t: u32,
    pub(crate) kind: Kind,
    /// Tells it from others of its kind for this `t`; nobody who reads the mail is told it.
    pub(crate) n: u64,
    pub(crate) thread: InThread<'a>,
    pub(crate) message: Message,
    /// The head of the log that it shows, which is signed.
    pub(crate) shows: Option<ChainLines>,
    pub(crate) attachments: Vec<Attachment>,
    /// From when on nobody wants to read it, unix seconds.
    pub(crate) stale_after: Option<i64>,
}

impl ToSeat<'_> {
    /// A mail that goes on with the seat's thread, and is sent however late it is.
    pub(crate) fn new(t: u32, kind: Kind, n: u64, message: Message) -> Self {
        Self {
            t,
            kind,
            n,
            thread: InThread::GoesOn,
            message,
            shows: None,
            attachments: Vec::new(),
            stale_after: None,
        }
    }
}

impl<'a> ToSeat<'a> {
    /// The same, which shows this head of the log.
    pub(crate) fn showing(self, lines: impl Into<ChainLines>) -> Self {
        Self { shows: Some(lines.into()), ..self }
    }

    /// The same as an answer to this mail, for two days from `now`.
    pub(crate) fn answering(self, answered: &'a Letter, now: i64) -> Self {
        Self { thread: InThread::Answers(answered), stale_after: Some(now + 2 * DAY), ..self }
    }
}

/// Where mails for a seat go, and answers to them.
pub(crate) struct Correspondent {
    to: String,
    reply: ReturnAddress,
}

/// How an answer shows whose it is.
pub(crate) struct ReturnAddress {
    /// The address that it goes to.
    to: String,
    /// The key line, where that address has no room for the secret: every mail must bring it then.
    key: Option<String>,
}

impl ReturnAddress {
    /// Whether the address alone shows whose the answer is: it has room for the secret.
    pub(crate) fn is_enough(&self) -> bool {
        self.key.is_none()
    }

    /// Sets an answer's address, and adds the key line to what the mail says, where it is needed and doesn't stand there.
    pub(crate) fn frame(self, draft: Unframed<'_>) -> Unframed<'_> {
        let is_missing = |key: &String| !draft.message.body.lines().any(|line| line.trim() == key);
        let message = match self.key.filter(is_missing) {
            Some(key) => draft.message.with_lines_below(&key),
            None => draft.message,
        };
        Unframed { reply_to: Some(self.to), message, ..draft }
    }
}

impl Mailroom {
    /// The mail as it goes into the outbox.
    pub(crate) fn packet(&self, draft: Unframed<'_>, now: i64) -> Result<Packet, HostError> {
        let mut mail = mail::Composition {
            from: Mailbox { name: Some(self.name.clone()), address: self.address.to_string() },
            to: draft.to.clone(),
            reply_to: draft.reply_to,
            subject: draft.message.subject,
            message_id: draft.message_id.clone(),
            in_reply_to: draft.in_reply_to,
            references: draft.references,
            date: now,
            kind: draft.kind,
            game: draft.game.cloned(),
            seat: draft.seat.cloned(),
            text: draft.message.body,
            html: draft.message.html.filter(|_| self.html),
            attachments: draft.attachments,
            may_leave: draft.may_leave,
            automatic: true,
        };
        let mut raw = as_text(mail::compose(&mail)?);
        for shed in [without_data, without_html, without_middle] {
            if raw.len() >= Packet::LARGEST {
                shed(&mut mail);
                raw = as_text(mail::compose(&mail)?);
            }
        }
        Ok(Packet {
            id: draft.id,
            to: draft.to,
            from: self.address.to_string(),
            message_id: draft.message_id,
            raw,
            not_before: now,
            stale_after: draft.stale_after,
        })
    }
}

impl Clerk<'_> {
    /// Puts a mail behind those that are written.
    pub(crate) fn write(&mut self, mut draft: Unframed<'_>) -> Result<(), HostError> {
        let signature = draft.shows.as_ref().and_then(|lines| self.chain_signature(lines));
        draft.attachments.extend(signature);
        let packet = self.packet(draft, self.now)?;
        self.written.push(packet);
        Ok(())
    }

    /// The id and the Message-ID of a mail about a seat.
    pub(crate) fn id(&self, t: u32, seat: &Seat, kind: Kind, n: u64) -> Result<(String, String), HostError> {
        let game = &self.campaign.charter().game;
        // The first of a kind of which a turn has one counts nothing.
        let which = match n {
            0 => Which::Number(0),
            n => Which::Tag(self.tag(&[&t.to_string(), seat.as_str(), kind.as_str(), &n.to_string()])?),
        };
        let id = format!("{game}/{t}/{seat}/{kind}/{which}");
        Ok((id, mail::message_id(self.address.domain(), game, t, seat, kind, which)))
    }

    /// What tells a mail from others in its ids: a hash of what it is, the same whenever it is written.
    pub(crate) fn tag(&self, what: &[&str]) -> Result<MailTag, HostError> {
        Ok(mail_tag(&last_of(self.secrets)?, &self.campaign.charter().game, what))
    }

    /// A few words about a game, as a mail says them that shows no head of the log: whoever is told one by himself could tell when others write.
    pub(crate) fn words(&self, subject: &str, paragraphs: Vec<String>) -> Message {
        self.words_and_lines(subject, paragraphs, String::new(), None)
    }

    /// The same with lines below them that must keep their places, and with a head of the log.
    pub(crate) fn words_and_lines(
        &self,
        subject: &str,
        paragraphs: Vec<String>,
        lines: String,
        witness: Option<ChainLines>,
    ) -> Message {
        let notice = Notice {
            game: Some(self.campaign.charter().game.clone()),
            subject: subject.to_owned(),
            paragraphs,
            lines,
            witness,
        };
        letters::notice(&self.templates, &notice)
    }

    /// Where a seat's mails go now, or the answer to one of its player's; none where nobody is to be written to.
    pub(crate) fn correspondent(&self, seat: &Seat, answered: Option<&Letter>) -> Option<Correspondent> {
        let to = match answered {
            Some(letter) => self.answered_at(self.campaign, seat, letter),
            None => self.address_of(self.campaign, seat),
        }?;
        Some(Correspondent { to, reply: self.reply_of(seat) })
    }

    /// How an answer shows that it is from this seat.
    pub(crate) fn reply_of(&self, seat: &Seat) -> ReturnAddress {
        self.reply_with(seat, &self.token(seat))
    }

    /// How an answer shows that it is from an address of the GM's with this part.
    pub(crate) fn reply_of_gm(&self, role: GmRole) -> ReturnAddress {
        self.reply_with(&gm_seat(), &self.gm_token(role))
    }

    fn reply_with(&self, seat: &Seat, token: &Token) -> ReturnAddress {
        let game = &self.campaign.charter().game;
        let to = self.address.reply_address(game, seat, token);
        let key = (to == self.address.to_string()).then(|| key_line(game, seat, token));
        ReturnAddress { to, key }
    }

    /// These addresses of the GM's by their part in leading the game: each part has a secret of its own, and mails of its own.
    pub(crate) fn gms_by_role(&self, to: &[String]) -> Vec<(GmRole, Vec<String>)> {
        let of = |role: GmRole| {
            let to = to.iter().filter(|address| self.campaign.gm_role(address) == role).cloned();
            (role, to.collect::<Vec<String>>())
        };
        GmRole::ALL.into_iter().rev().map(of).filter(|(_, to)| !to.is_empty()).collect()
    }

    /// A mail to the player of a seat; none where nobody is to be written to.
    pub(crate) fn mail_seat(&mut self, seat: &Seat, mail: ToSeat<'_>) -> Result<(), HostError> {
        let answered = match mail.thread {
            InThread::Answers(letter) => Some(letter),
            InThread::Begins | InThread::GoesOn | InThread::Outside => None,
        };
        let whom = self.correspondent(seat, answered);
        whom.map_or(Ok(()), |whom| self.mail_to(seat, whom, mail))
    }

    /// The Message-ID of the seat's mail that a mail of its player's answers: it stands between the two in the thread (RFC 5322, 3.6.4).
    fn answered_by(&self, seat: &Seat, letter: &Letter) -> Option<String> {
        let is_seats = |id: &&String| {
            let sent = Sent::of(id, self.address.domain());
            sent.is_some_and(|sent| sent.game == self.campaign.charter().game && sent.seat == *seat)
        };
        letter.in_reply_to.iter().chain(letter.references.iter().rev()).find(is_seats).cloned()
    }

    /// The same to whoever is meant, though the seat may be somebody else's by now.
    pub(crate) fn mail_to(
        &mut self,
        seat: &Seat,
        whom: Correspondent,
        mail: ToSeat<'_>,
    ) -> Result<(), HostError> {
        let ToSeat { t, kind, n, thread, message, shows, attachments, stale_after } = mail;
        let (message, attachments) = as_wanted(self.campaign.preferences(seat), message, attachments);
        // The Message-ID that begins a seat's thread: that of the mail which brought its secret.
        let (_, first) = self.id(1, seat, Kind::Invitation, self.campaign.issue(seat).into())?;
        let (in_reply_to, references) = match thread {
            InThread::Begins | InThread::Outside => (None, Vec::new()),
            InThread::GoesOn => (Some(first.clone()), vec![first]),
            InThread::Answers(letter) => {
                let answered = letter.message_id.clone();
                let asked = self.answered_by(seat, letter).filter(|asked| *asked != first);
                (answered.clone(), std::iter::once(first).chain(asked).chain(answered).collect())
            }
        };
        let draft = Unframed {
            in_reply_to,
            references,
            game: Some(&self.campaign.charter().game),
            seat: Some(seat),
            shows,
            attachments,
            stale_after,
            ..Unframed::new(self.id(t, seat, kind, n)?, vec![whom.to], kind, message)
        };
        self.write(whom.reply.frame(draft))
    }
}

/// A mail without what its reader doesn't want. The words that the log binds stay.
pub(super) fn as_wanted(
    wanted: Preferences,
    message: Message,
    mut attachments: Vec<Attachment>,
) -> (Message, Vec<Attachment>) {
    let html = message.html.filter(|_| wanted.html).map(|page| match wanted.pictures && wanted.full {
        true => page,
        false => without_drawings(&page),
    });
    attachments.retain(|file| wanted.calendar || !file.mime.starts_with("text/calendar"));
    (Message { html, ..message }, attachments)
}

// What is left out of a mail that is too large for the store, one after the other: programs have to do without first, then
// those who like it handsome. The text stays, and an audit file, which is never too large for that.

fn without_data(mail: &mut mail::Composition) {
    mail.attachments.retain(|file| file.mime != "application/json" || file.name.ends_with(AUDIT_ENDING));
}

fn without_html(mail: &mut mail::Composition) {
    mail.html = None;
}

fn without_middle(mail: &mut mail::Composition) {
    mail.text = shortened(&mail.text);
}

/// A text too long for a mail, without its middle; the end has the chain lines. Any encoding of it stays far below
/// [`Packet::LARGEST`], attached orders included.
fn shortened(text: &str) -> String {
    const FRONT: usize = 32_000;
    const BACK: usize = 2_000;
    let front = &text[..text.floor_char_boundary(FRONT)];
    let back = &text[text.ceil_char_boundary(text.len().saturating_sub(BACK))..];
    let front = front.rsplit_once('\n').map_or(front, |(front, _)| front);
    let back = back.split_once('\n').map_or(back, |(_, back)| back);
    format!("{front}\n\n[ This mail was too long: its middle is left out. ]\n\n{back}")
}

pub(crate) fn as_text(mail: Vec<u8>) -> String {
    // Composed mails are ASCII; anything else would have been encoded.
    String::from_utf8(mail).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}
