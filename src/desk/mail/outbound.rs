//! Turns packets into mails: the same packet always gives the same bytes.

use std::fmt;
use std::time::{Duration, SystemTime};

use lettre::Address;
use lettre::address::Envelope;
use lettre::message::header::{
    ContentDisposition, ContentTransferEncoding, ContentType, HeaderName, HeaderValue, InReplyTo, MessageId,
    References,
};
use lettre::message::{Body, Message, MultiPart, SinglePart};
use memchr::memmem;
use serde::{Deserialize, Serialize};

use musterd_dice::{Digest, GameId, Seat};
use musterd_text::lines;

/// The header that marks the host's own mail, so that it never answers itself.
pub(super) const OWN_HEADER: &str = "X-Musterd";
/// The header of order mails of computer players, for people who read the mailbox; the host doesn't use it.
const PLAYER_HEADER: &str = "X-Musterd-Player";
/// The command by which somebody leaves a list.
const LEAVE: &str = "LEAVE";
/// The longest line that mail servers must pass on unchanged (RFC 5322, 2.1.1), in bytes.
const LONGEST_LINE: usize = 998;
/// How many of the latest ancestors `References` names besides the first.
const MOST_ANCESTORS: usize = 20;
/// The first second of the year 10000, which a `Date` header can't express.
const END_OF_DATES: i64 = 253_402_300_800;

/// The purpose of a mail; a part of its Message-ID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Asks a player to join.
    Invitation,
    /// Answers orders.
    Receipt,
    /// A seat's report after an adjudication.
    Dispatch,
    /// A deadline is near.
    Reminder,
    /// Any other message to all seats, or to the GM.
    Notice,
    /// Answers a letter that can't be taken, or a stranger.
    Refusal,
    /// A player's orders, when a computer writes them.
    Orders,
    /// A player's letter that is forwarded, or the answer to its writer.
    Press,
    /// Answers commands.
    Answer,
}

impl Kind {
    const ALL: [Self; 9] = [
        Self::Invitation,
        Self::Receipt,
        Self::Dispatch,
        Self::Reminder,
        Self::Notice,
        Self::Refusal,
        Self::Orders,
        Self::Press,
        Self::Answer,
    ];

    /// The kind with this word in Message-IDs and headers.
    pub(super) fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.as_str() == word)
    }

    /// The word for the kind in Message-IDs and headers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invitation => "invitation",
            Self::Receipt => "receipt",
            Self::Dispatch => "dispatch",
            Self::Reminder => "reminder",
            Self::Notice => "notice",
            Self::Refusal => "refusal",
            Self::Orders => "orders",
            Self::Press => "press",
            Self::Answer => "answer",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// An address and the name shown with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mailbox {
    /// The name shown, if any.
    pub name: Option<String>,
    /// `local@domain`.
    pub address: String,
}

/// An attached file. It arrives byte for byte.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// Its name: `orders.txt`.
    pub name: String,
    /// Its type: `text/plain`, `application/json`, `text/calendar; method=PUBLISH`.
    pub mime: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl Attachment {
    /// A file of this type.
    pub fn of(name: impl Into<String>, mime: &str, text: String) -> Self {
        Self { name: name.into(), mime: mime.to_owned(), bytes: text.into_bytes() }
    }

    /// A text.
    pub fn text(name: impl Into<String>, text: String) -> Self {
        Self::of(name, "text/plain", text)
    }
}

/// A mail to be sent. Message-IDs stand without `<>` throughout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Composition {
    /// The sender.
    pub from: Mailbox,
    /// The recipients. All of them see each other's addresses, so only one player's addresses at a time.
    pub to: Vec<String>,
    /// Where answers go: the seat's own address at the host.
    pub reply_to: Option<String>,
    /// The subject; line ends and control characters in it become spaces.
    pub subject: String,
    /// Its Message-ID, as [`message_id`] makes it.
    pub message_id: String,
    /// The mail it answers. An id with odd characters is left out.
    pub in_reply_to: Option<String>,
    /// The mails before it in the thread, oldest first.
    pub references: Vec<String>,
    /// Its date, seconds since 1970 in UTC.
    pub date: i64,
    /// The purpose.
    pub kind: Kind,
    /// The game of the mail, if any.
    pub game: Option<GameId>,
    /// The seat it is for, or from.
    pub seat: Option<Seat>,
    /// The text.
    pub text: String,
    /// The text as a page of HTML, for programs that show HTML.
    pub html: Option<String>,
    /// Attached files.
    pub attachments: Vec<Attachment>,
    /// Whether its reader is on a list of the game that the command `LEAVE` strikes him off: then a mail program can offer that.
    pub may_leave: bool,
    /// Whether the host writes it: then no program may answer it, and the host itself ignores it. `false` for orders.
    pub automatic: bool,
}

/// Why a packet can't become a mail. Trying again doesn't help.
#[derive(Debug, thiserror::Error)]
pub enum ComposeError {
    /// A text that isn't an address.
    #[error(
        "{field}: `{address}` is not a mail address; correct it in the game's list of players or the configuration"
    )]
    BadAddress {
        /// The header that it was for.
        field: &'static str,
        /// The text.
        address: String,
    },
    /// A packet without recipients.
    #[error("a mail needs at least one recipient")]
    NoRecipient,
    /// A date before 1970 or after 9999.
    #[error("{0} seconds since 1970 is not a date a mail can carry; check the clock")]
    BadDate(i64),
    /// A Message-ID with odd characters.
    #[error("`{0}` is not a Message-ID: write local@domain in printable ASCII without spaces and `<>`")]
    BadMessageId(String),
    /// An attachment whose type is not a media type.
    #[error("`{0}` is not a media type, such as text/plain, for an attachment")]
    BadMediaType(String),
    /// The mail library refused.
    #[error("the mail can't be put together: {0}")]
    Refused(#[from] lettre::error::Error),
}

/// What tells a mail from others of its kind, without telling how many there were: a hash of its number with a key that only the host has. So nobody
/// can count by it what happened between two mails, and the same mail made again has the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MailTag([u8; 10]);

impl MailTag {
    const LETTERS: usize = 20;

    /// The tag that is the beginning of this hash.
    pub fn of(hash: &Digest) -> Self {
        let mut tag = [0; 10];
        tag.copy_from_slice(&hash.as_bytes()[..10]);
        Self(tag)
    }
}

impl fmt::Display for MailTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// What tells a mail from others of its kind, in its Message-ID.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// A hash.
    Tag(MailTag),
    /// A number: 0 for the first of a kind of which an adjudication has one, and others in the mails of a host that wrote them there.
    Number(u64),
}

impl Which {
    fn read(word: &str) -> Option<Self> {
        if word.len() != MailTag::LETTERS {
            return Some(Self::Number(word.parse().ok()?));
        }
        if !word.bytes().all(|letter| matches!(letter, b'0'..=b'9' | b'a'..=b'f')) {
            return None;
        }
        let mut tag = [0; 10];
        for (byte, at) in tag.iter_mut().zip((0..MailTag::LETTERS).step_by(2)) {
            *byte = u8::from_str_radix(&word[at..at + 2], 16).ok()?;
        }
        Some(Self::Tag(MailTag(tag)))
    }
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tag(tag) => tag.fmt(f),
            Self::Number(number) => number.fmt(f),
        }
    }
}

/// The Message-ID (without `<>`) of this mail of that kind to a seat in adjudication `t`. The same mail made again after a crash has the same
/// id, and is recognised by it. Whatever stands in it beside a tag its reader knows.
pub fn message_id(domain: &str, game: &GameId, t: u32, seat: &Seat, kind: Kind, which: Which) -> String {
    format!("{game}.{t}.{seat}.{kind}.{which}@{domain}")
}

/// The contents of a Message-ID made by [`message_id`]: which of the host's mails a letter answers, or a bounce returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// The game.
    pub game: GameId,
    /// The adjudication that was open.
    pub t: u32,
    /// The seat it went to.
    pub seat: Seat,
    /// The purpose.
    pub kind: Kind,
    /// Which mail of its kind.
    pub which: Which,
}

impl Sent {
    /// Reads a Message-ID; `None` if the host at `domain` didn't make it. Anybody can write such an id: it explains a letter, but proves nothing.
    pub fn of(id: &str, domain: &str) -> Option<Self> {
        let id = id.strip_suffix(domain)?.strip_suffix('@')?;
        let (game, rest) = id.split_once('.')?;
        let (t, rest) = rest.split_once('.')?;
        let (rest, which) = rest.rsplit_once('.')?;
        let (seat, kind) = rest.rsplit_once('.')?;
        let kind = Kind::named(kind)?;
        Some(Self {
            game: game.parse().ok()?,
            t: t.parse().ok()?,
            seat: seat.parse().ok()?,
            kind,
            which: Which::read(which)?,
        })
    }
}

/// Writes a packet as a mail: its text; with HTML as an alternative version (`multipart/alternative`, the better one last); with attachments after
/// that (`multipart/mixed`).
///
/// Printable ASCII in lines of up to 998 bytes is sent unchanged, as `7bit` and `us-ascii`, so that maps arrive unchanged; other text is sent as
/// UTF-8, encoded. Attachments are always base64, because their bytes must arrive exactly.
///
/// # Errors
/// [`ComposeError`]: an address, date, id or type that no mail can carry.
pub fn compose(packet: &Composition) -> Result<Vec<u8>, ComposeError> {
    if !is_message_id(&packet.message_id) {
        return Err(ComposeError::BadMessageId(packet.message_id.clone()));
    }
    let date = u64::try_from(packet.date).ok().filter(|_| packet.date < END_OF_DATES);
    let date = SystemTime::UNIX_EPOCH + Duration::from_secs(date.ok_or(ComposeError::BadDate(packet.date))?);
    let name = packet.from.name.as_deref().map(one_line);
    let from = address("From", &packet.from.address)?;
    let mut mail = Message::builder()
        .date(date)
        .from(lettre::message::Mailbox::new(name, from.clone()))
        .subject(one_line(&packet.subject))
        .header(MessageId::from(format!("<{}>", packet.message_id)));
    if packet.to.is_empty() {
        return Err(ComposeError::NoRecipient);
    }
    let to: Vec<Address> = packet.to.iter().map(|to| address("To", to)).collect::<Result<_, _>>()?;
    for to in &to {
        mail = mail.to(to.clone().into());
    }
    // Otherwise the library would read it from the headers again.
    mail = mail.envelope(Envelope::new(Some(from), to)?);
    if let Some(reply_to) = &packet.reply_to {
        mail = mail.reply_to(address("Reply-To", reply_to)?.into());
    }
    if let Some(id) = packet.in_reply_to.as_deref().filter(|id| is_message_id(id)) {
        mail = mail.header(InReplyTo::from(format!("<{id}>")));
    }
    if let Some(references) = references(&packet.references) {
        mail = mail.header(References::from(references));
    }
    for header in marks(packet) {
        mail = mail.raw_header(header);
    }
    let views = packet.html.as_deref().map(|html| {
        let views = MultiPart::alternative().boundary(boundary(packet, "views"));
        views.singlepart(text_part("plain", &packet.text)).singlepart(text_part("html", html))
    });
    let mail = if packet.attachments.is_empty() {
        match views {
            Some(views) => mail.multipart(views)?,
            // The library adds a line end to a part.
            None => {
                let text = packet.text.strip_suffix('\n').unwrap_or(&packet.text);
                mail.singlepart(text_part("plain", text))?
            }
        }
    } else {
        let parts = MultiPart::mixed().boundary(boundary(packet, ""));
        let mut parts = match views {
            Some(views) => parts.multipart(views),
            None => parts.singlepart(text_part("plain", &packet.text)),
        };
        for attachment in &packet.attachments {
            parts = parts.singlepart(attachment_part(attachment)?);
        }
        mail.multipart(parts)?
    };
    Ok(mail.formatted())
}

/// The headers that tell programs the kind of this mail: RFC 3834 (`Auto-Submitted`), RFC 2919 (`List-Id`), RFC 2369 (`List-Unsubscribe`), our own.
fn marks(packet: &Composition) -> Vec<HeaderValue> {
    let header = |name, value| HeaderValue::new(HeaderName::new_from_ascii_str(name), value);
    let named = [packet.game.as_ref().map(GameId::as_str), packet.seat.as_ref().map(Seat::as_str)];
    let named = named.into_iter().flatten().collect::<Vec<_>>().join(" ");
    if !packet.automatic {
        return if named.is_empty() { Vec::new() } else { vec![header(PLAYER_HEADER, named)] };
    }
    let mut marks = vec![
        header("Auto-Submitted", if is_reply(packet) { "auto-replied" } else { "auto-generated" }.to_owned()),
        // Exchange answers mail like ours with vacation notices unless it is told not to.
        header("X-Auto-Response-Suppress", "All".to_owned()),
        header(OWN_HEADER, format!("{} {named}", packet.kind).trim_end().to_owned()),
    ];
    if let (Some(game), Some((_, domain))) = (&packet.game, packet.message_id.rsplit_once('@')) {
        marks.push(header("List-Id", format!("<{game}.musterd.{domain}>")));
    }
    if let Some(game) = packet.game.as_ref().filter(|_| packet.may_leave) {
        let to = in_url(&packet.from.address);
        marks.push(header("List-Unsubscribe", format!("<mailto:{to}?subject={LEAVE}%20{game}>")));
    }
    marks
}

/// An address as it stands in a `mailto:` URL (RFC 6068).
fn in_url(address: &str) -> String {
    address.bytes().fold(String::new(), |mut url, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'@' => {
                url.push(byte.into());
            }
            other => url.push_str(&format!("%{other:02X}")),
        }
        url
    })
}

/// Whether a packet answers a mail (RFC 3834, 5.2) rather than being sent on its own; a forwarded letter only joins its reader's thread.
fn is_reply(packet: &Composition) -> bool {
    match packet.kind {
        Kind::Receipt | Kind::Refusal | Kind::Answer => true,
        Kind::Press => packet.in_reply_to.as_ref() != packet.references.first(),
        Kind::Invitation | Kind::Dispatch | Kind::Reminder | Kind::Notice | Kind::Orders => false,
    }
}

/// A composed mail with another recipient.
pub fn readdressed(raw: &str, to: &str) -> String {
    let end = raw.find("\r\n\r\n").map_or(raw.len(), |at| at + 2);
    let (head, rest) = raw.split_at(end);
    let mut text = String::with_capacity(raw.len() + to.len());
    let mut is_to = false;
    for line in head.split_inclusive("\r\n") {
        let goes_on = line.starts_with([' ', '\t']);
        if !goes_on {
            is_to = line.to_ascii_lowercase().starts_with("to:");
            if is_to {
                text.push_str(&format!("To: {to}\r\n"));
            }
        }
        if !is_to {
            text.push_str(line);
        }
    }
    text + rest
}

fn address(field: &'static str, text: &str) -> Result<Address, ComposeError> {
    text.parse().map_err(|_| ComposeError::BadAddress { field, address: one_line(text) })
}

/// Text that stays on its header's line, whatever its contents.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c })
        .collect()
}

fn is_message_id(id: &str) -> bool {
    (3..=250).contains(&id.len())
        && id.contains('@')
        && id.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>".contains(&byte))
}

/// The thread: its first mail and the latest ones, without odd ids.
fn references(ids: &[String]) -> Option<String> {
    let ids: Vec<String> = ids.iter().filter(|id| is_message_id(id)).map(|id| format!("<{id}>")).collect();
    let (first, rest) = ids.split_first()?;
    let latest = &rest[rest.len().saturating_sub(MOST_ANCESTORS)..];
    Some([std::slice::from_ref(first), latest].concat().join(" "))
}

/// A boundary that the same mail always gets and that no part contains: a player who can predict a Message-ID must not be able to add parts to
/// another player's mail.
///
/// `level` distinguishes the boundaries of nested parts.
fn boundary(packet: &Composition, level: &str) -> String {
    let mut boundary = format!("{}{level}", packet.message_id);
    let parts = || [Some(&packet.text), packet.html.as_ref()].into_iter().flatten();
    loop {
        boundary = Digest::of(boundary.as_bytes()).to_string();
        boundary.truncate(40);
        if !parts().any(|part| memmem::find(part.as_bytes(), boundary.as_bytes()).is_some()) {
            return format!("=_{boundary}");
        }
    }
}

/// A text of this kind: `plain` or `html`.
fn text_part(kind: &str, text: &str) -> SinglePart {
    let printable = |byte: u8| matches!(byte, b'\n' | b'\t' | b' '..=b'~');
    // Without an early exit the processor tests many bytes at once.
    let mut plain = text.bytes().fold(true, |all, byte| all & printable(byte));
    let mut mailed = Vec::with_capacity(text.len() + text.len() / 16);
    for ended in lines::ended(text) {
        let line = ended.strip_suffix('\n').unwrap_or(ended);
        plain &= line.len() <= LONGEST_LINE;
        mailed.extend_from_slice(line.as_bytes());
        if line.len() < ended.len() {
            mailed.extend_from_slice(b"\r\n");
        }
    }
    if !plain {
        let html = kind == "html";
        return if html { SinglePart::html(text.to_owned()) } else { SinglePart::plain(text.to_owned()) };
    }
    // The library would encode every line of more than 76 columns.
    let body = Body::dangerous_pre_encoded(mailed, ContentTransferEncoding::SevenBit);
    let ascii = ContentType::parse(&format!("text/{kind}; charset=us-ascii"));
    let ascii = ascii.unwrap_or(ContentType::TEXT_PLAIN);
    SinglePart::builder().header(ascii).body(body)
}

fn attachment_part(attachment: &Attachment) -> Result<SinglePart, ComposeError> {
    let bad = |_| ComposeError::BadMediaType(one_line(&attachment.mime));
    let text = attachment.mime.starts_with("text/") && !attachment.mime.contains("charset=");
    let charset = if text { "; charset=utf-8" } else { "" };
    let kind = ContentType::parse(&format!("{}{charset}", attachment.mime)).map_err(bad)?;
    let name: String = one_line(&attachment.name).replace(['/', '\\', '"'], "_");
    Ok(SinglePart::builder()
        .header(kind)
        .header(ContentDisposition::attachment(&name))
        .header(ContentTransferEncoding::Base64)
        .body(attachment.bytes.clone()))
}
