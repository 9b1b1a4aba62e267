//! From the bytes of a mail to what it says: headers, kind, decoded text, attached orders.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{
    Encoding, Header, HeaderName, HeaderValue, Message, MessageParser, MessagePart, MimeHeaders, PartType,
};

use super::authentication::{self, Stamp};
use super::automatic::{self, Automatic};
use super::orders::begins_block;
use super::plain::{make_plain, strip_quote_marks, without_pgp_armour};
use super::sealed::{self, Seal, seal_of};
use super::transfer::{is_header, with_line_feeds};
use super::{charset, flowed, html, struck, transfer, uuencode, versions};

/// What is kept of a mail too large to read, to learn whom to answer: its first bytes.
const HEAD_BYTES: usize = 64 * 1024;
/// Forwarded mails within forwarded mails are read to this depth.
const FORWARD_DEPTH: usize = 3;
/// Mails within mails and multiparts: no forwarding makes more. Each is a level of recursion for the parser's data, and for
/// each multipart that never begins the parser looks through the rest of the mail.
const MOST_NESTED: usize = 100;
/// The most lines that a program writes instead of a plain version.
const LONGEST_STAND_IN: usize = 5;
/// The longest subject kept, in characters.
const LONGEST_SUBJECT: usize = 300;

/// How much mail is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The largest mail whose body is read, in bytes, attachments included.
    pub bytes: u64,
}

impl Default for Limits {
    /// One megabyte: a hundred times the longest orders.
    fn default() -> Self {
        Self { bytes: 1_000_000 }
    }
}

/// A mail, as far as its headers go, and its body where that could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// Addresses of `From`, lower case, without names; usually one.
    pub from: Vec<String>,
    /// Addresses of `Reply-To`, lower case.
    pub reply_to: Vec<String>,
    /// Every address it was sent or delivered to, lower case: `To`, `Cc`, `Delivered-To`, `X-Original-To` and the like.
    pub to: Vec<String>,
    /// `Message-ID` without its `<>`.
    pub message_id: Option<String>,
    /// The first Message-ID of `In-Reply-To`.
    pub in_reply_to: Option<String>,
    /// The Message-IDs of `References`, oldest first.
    pub references: Vec<String>,
    /// The decoded subject on one line; empty if there is none.
    pub subject: String,
    /// What mail servers said of where it came from.
    pub stamps: Vec<Stamp>,
    /// Why it must not be answered, if so.
    pub automatic: Option<Automatic>,
    /// What it says, or why that can't be read.
    pub body: Result<Body, Unreadable>,
}

/// The readable content of a mail.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Body {
    /// All text parts, decoded and plain, lines ended by LF, quotations marked by `> `. A forwarded mail stands at the
    /// end as a quotation.
    pub text: String,
    /// The attachment `orders.txt` (or `orders-2.txt`, `Orders (1).txt` …), or any other attached text with a
    /// `BEGIN ORDERS` line.
    pub orders_attachment: Option<String>,
}

/// Why a mail's body can't be read. The messages are for its sender.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Over [`Limits::bytes`].
    #[error(
        "This mail has {bytes} bytes; at most {limit} are read. Send the orders as plain text, without pictures."
    )]
    TooLarge {
        /// The size of the mail.
        bytes: u64,
        /// The limit it broke.
        limit: u64,
    },
    /// PGP or S/MIME encryption, or an S/MIME wrapping that can't be opened.
    #[error(
        "This mail is encrypted, or packed by S/MIME in a way that the host can't open; it has no key. Send the orders as plain text, with \
         encryption switched off."
    )]
    Encrypted,
    /// No text and no attached orders.
    #[error("This mail holds no text. Write the orders into the mail itself, or attach them as orders.txt.")]
    Empty,
    /// No parser could make sense of it.
    #[error("This mail is damaged and can't be read. Send the orders again as plain text.")]
    Damaged,
}

/// Reads a mail. Any bytes give a letter, in time and memory proportional to their number.
#[must_use]
pub fn open(raw: &[u8], limits: &Limits) -> Letter {
    let bytes = raw.len() as u64;
    if bytes > limits.bytes {
        return open_head(raw, Unreadable::TooLarge { bytes, limit: limits.bytes });
    }
    let raw = &*with_line_feeds(raw);
    if count_nested(raw) > MOST_NESTED {
        return open_head(raw, Unreadable::Damaged);
    }
    // The parser is well tested but not ours: a panic in it costs one mail, not the daemon.
    catch_unwind(AssertUnwindSafe(|| {
        let mail = MessageParser::default().parse(raw)?;
        let body = read_body(&mail, raw);
        Some(read_head(&mail, raw, body))
    }))
    .ok()
    .flatten()
    .unwrap_or_else(|| open_head(raw, Unreadable::Damaged))
}

/// The files attached to a mail whose names end so (in lower case), with their bytes: what somebody kept or forwarded.
#[must_use]
pub fn attached_files(raw: &[u8], name_ends: &str) -> Vec<(String, Vec<u8>)> {
    let names_one = raw.windows(name_ends.len()).any(|at| at.eq_ignore_ascii_case(name_ends.as_bytes()));
    if name_ends.is_empty() || !names_one || count_nested(raw) > MOST_NESTED {
        return Vec::new();
    }
    let raw = &*with_line_feeds(raw);
    let files = |mail: &Message<'_>| {
        let parts = mail.parts.iter().filter_map(|part| Some((part.attachment_name()?, part)));
        let named = parts.filter(|(name, _)| name.to_ascii_lowercase().ends_with(name_ends));
        named.map(|(name, part)| (make_plain(name), part.contents().to_vec())).collect::<Vec<_>>()
    };
    // As above: a panic in the parser costs one mail.
    catch_unwind(AssertUnwindSafe(|| MessageParser::default().parse(raw).map(|mail| files(&mail))))
        .ok()
        .flatten()
        .unwrap_or_default()
}

/// The letter of a mail whose body isn't read, or of which only the first bytes were loaded: its headers say whom to
/// answer, and `why` what.
#[must_use]
pub fn open_head(raw: &[u8], why: Unreadable) -> Letter {
    let head = &raw[..raw.len().min(HEAD_BYTES)];
    let body = Err(why);
    catch_unwind(AssertUnwindSafe(|| {
        let mail = MessageParser::default().parse_headers(head)?;
        Some(read_head(&mail, head, body.clone()))
    }))
    .ok()
    .flatten()
    .unwrap_or_else(|| Letter {
        from: Vec::new(),
        reply_to: Vec::new(),
        to: Vec::new(),
        message_id: None,
        in_reply_to: None,
        references: Vec::new(),
        subject: String::new(),
        stamps: Vec::new(),
        automatic: None,
        body,
    })
}

/// How often the bytes seem to announce a mail within the mail, by type or by a `multipart/digest` of mails, or a multipart.
fn count_nested(raw: &[u8]) -> usize {
    let announces = |at: &&[u8]| {
        // Cheap test first: this runs at every byte.
        matches!(at[0], b'e' | b'E' | b'/' | b'l' | b'L')
            && [&b"essage/"[..], b"/digest", b"ltipart"].iter().any(|word| at.eq_ignore_ascii_case(word))
    };
    raw.windows(7).filter(announces).count()
}

fn read_head(mail: &Message<'_>, raw: &[u8], body: Result<Body, Unreadable>) -> Letter {
    let from = addresses(mail, raw, &HeaderName::From);
    let mut to = addresses(mail, raw, &HeaderName::To);
    to.extend(addresses(mail, raw, &HeaderName::Cc));
    // A mail that somebody sent on as it is says for whom in headers of its own; its author is still who wrote it.
    to.extend(addresses(mail, raw, &HeaderName::ResentTo));
    to.extend(addresses(mail, raw, &HeaderName::ResentCc));
    for name in
        ["delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "x-delivered-to", "apparently-to"]
    {
        to.extend(raw_headers(mail, raw, name).iter().flat_map(|value| split_addresses(value)));
    }
    let subject = make_plain(mail.subject().unwrap_or_default()).replace(['\n', '\t'], " ");
    let subject: String = subject.trim().chars().take(LONGEST_SUBJECT).collect();
    Letter {
        reply_to: addresses(mail, raw, &HeaderName::ReplyTo),
        to,
        message_id: message_ids(mail.header(HeaderName::MessageId)).into_iter().next(),
        in_reply_to: message_ids(mail.header(HeaderName::InReplyTo)).into_iter().next(),
        references: message_ids(mail.header(HeaderName::References)),
        stamps: authentication::stamps(mail, raw),
        automatic: automatic::classify(mail, raw, &from, &subject),
        from,
        subject,
        body,
    }
}

/// Every address of every header of that name, in order.
fn addresses(mail: &Message<'_>, raw: &[u8], name: &HeaderName<'_>) -> Vec<String> {
    let parsed: Vec<String> = mail
        .headers()
        .iter()
        .filter(|header| header.name == *name)
        .filter_map(|header| header.value.as_address())
        .flat_map(|list| {
            let addresses = list.iter().filter_map(|one| one.address());
            addresses.filter_map(|address| address_in(&closed_up(address))).collect::<Vec<_>>()
        })
        .collect();
    if !parsed.is_empty() {
        return parsed;
    }
    raw_headers(mail, raw, name.as_str()).iter().flat_map(|value| split_addresses(value)).collect()
}

fn split_addresses(value: &str) -> Vec<String> {
    value.split([',', ';']).filter_map(|one| address_in(&closed_up(one))).collect()
}

/// An address without the blanks that may stand round its `@` (RFC 5322, 4.4).
fn closed_up(text: &str) -> String {
    let mut closed = String::with_capacity(text.len());
    for (index, part) in text.split('@').enumerate() {
        if index > 0 {
            closed.truncate(closed.trim_end().len());
            closed.push('@');
        }
        closed.push_str(if index > 0 { part.trim_start() } else { part });
    }
    closed
}

/// The first thing in `text` that looks like an address, lower case.
pub(super) fn address_in(text: &str) -> Option<String> {
    text.split(|c: char| c.is_whitespace() || c.is_control() || "<>()[],;:\"'".contains(c))
        .find(|word| {
            let (local, domain) = word.rsplit_once('@').unwrap_or_default();
            !local.is_empty() && !domain.is_empty() && word.len() <= 320
        })
        .map(str::to_lowercase)
}

fn message_ids(value: Option<&HeaderValue<'_>>) -> Vec<String> {
    match value {
        Some(HeaderValue::Text(id)) => vec![id.to_string()],
        Some(HeaderValue::TextList(ids)) => ids.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    }
}

/// The first header of that name, unfolded, undecoded, trimmed.
pub(super) fn header(mail: &Message<'_>, raw: &[u8], name: &str) -> Option<String> {
    raw_headers(mail, raw, name).into_iter().next()
}

fn raw_headers(mail: &Message<'_>, raw: &[u8], name: &str) -> Vec<String> {
    mail.headers()
        .iter()
        .filter(|header| header.name.as_str().eq_ignore_ascii_case(name))
        .map(|header| unfolded(raw, header))
        .collect()
}

/// A header's value, unfolded, undecoded, trimmed.
pub(super) fn unfolded(raw: &[u8], header: &Header<'_>) -> String {
    let bytes = raw.get(header.offset_start as usize..header.offset_end as usize).unwrap_or_default();
    String::from_utf8_lossy(bytes).replace(['\r', '\n'], "").trim().to_owned()
}

fn read_body(mail: &Message<'_>, raw: &[u8]) -> Result<Body, Unreadable> {
    read_body_within(mail, raw, sealed::DEPTH)
}

/// `depth`: how many signatures wrapped round the text are opened yet.
fn read_body_within(mail: &Message<'_>, raw: &[u8], depth: usize) -> Result<Body, Unreadable> {
    let mut opened = Body::default();
    for part in &mail.parts {
        match seal_of(part) {
            Seal::None => {}
            Seal::Signed(inner) if depth > 0 => {
                let body = read_signed(&inner, depth - 1)?;
                opened.text.push_str(&body.text);
                opened.orders_attachment = opened.orders_attachment.or(body.orders_attachment);
            }
            Seal::Signed(_) | Seal::Closed => return Err(Unreadable::Encrypted),
        }
    }
    let mut text = opened.text + &read_text(mail, raw, FORWARD_DEPTH);
    if text.trim().is_empty() && mail.parts.len() == 1 {
        text = text_behind_headers(raw);
    }
    let first = text.lines().find(|line| !line.trim().is_empty());
    if first.is_some_and(|line| line.starts_with("-----BEGIN PGP MESSAGE-----")) {
        return Err(Unreadable::Encrypted);
    }
    let (files, text) = uuencode::take_files(&text);
    let attached = || read_orders_attachment(mail, raw).or_else(|| orders_among(files));
    let orders_attachment = opened.orders_attachment.or_else(attached);
    let first = text.lines().find(|line| !line.trim().is_empty());
    if first.is_none() && orders_attachment.is_none() {
        return Err(Unreadable::Empty);
    }
    Ok(Body { text: without_pgp_armour(&text), orders_attachment })
}

/// The body of a mail that a signature was wrapped round.
fn read_signed(inner: &[u8], depth: usize) -> Result<Body, Unreadable> {
    let inner = &*with_line_feeds(inner);
    if count_nested(inner) > MOST_NESTED {
        return Err(Unreadable::Damaged);
    }
    let mail = MessageParser::default().parse(inner).ok_or(Unreadable::Damaged)?;
    match read_body_within(&mail, inner, depth) {
        // Something else of the mail may have a text.
        Err(Unreadable::Empty) => Ok(Body::default()),
        other => other,
    }
}

/// What follows the headers of a mail that has no empty line between them and its text.
fn text_behind_headers(raw: &[u8]) -> String {
    let is_header = |line: &[u8]| line.first().is_some_and(|byte| b" \t".contains(byte)) || is_header(line);
    let headers = raw.split_inclusive(|byte| *byte == b'\n').take_while(|line| is_header(line));
    let length: usize = headers.map(<[u8]>::len).sum();
    let text = &raw[length..];
    if text.starts_with(b"\n") || text.starts_with(b"\r\n") {
        return String::new();
    }
    make_plain(&charset::decode(text, None))
}

/// The text of a mail: its plain parts; where they are blank or beside the point, its HTML; where there is none, whatever
/// attached text has no name (damaged MIME ends there); failing that, a mail of one part in a type that the parser doesn't
/// know as text. Then forwarded mails, quoted.
fn read_text(mail: &Message<'_>, raw: &[u8], depth: usize) -> String {
    let join = |parts: Vec<&MessagePart<'_>>| {
        let mut text = String::new();
        for part in parts.into_iter().filter(|part| !is_orders_file(part)) {
            text.push_str(&marked_text(part, raw));
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
        }
        text
    };
    // The parser counts inline pictures among the bodies.
    let mut text = join(mail.text_bodies().filter(|part| part.is_text()).collect());
    if text.trim().is_empty() {
        text = join(mail.html_bodies().filter(|part| part.is_text()).collect());
    } else {
        let page = join(mail.html_bodies().filter(|part| matches!(part.body, PartType::Html(_))).collect());
        if !page.trim().is_empty() {
            text = with_page(&text, page);
        }
    }
    if text.trim().is_empty() {
        text = join(
            mail.attachments().filter(|part| part.is_text() && part.attachment_name().is_none()).collect(),
        );
    }
    if text.trim().is_empty()
        && mail.parts.len() == 1
        && std::str::from_utf8(mail.root_part().contents()).is_ok()
    {
        text = join(vec![mail.root_part()]);
    }
    text = struck::settle(text);
    if depth > 0 {
        for forwarded in mail.attachments().filter_map(MessagePart::message) {
            for line in read_text(forwarded, forwarded.raw_message.as_ref(), depth - 1).lines() {
                text.push_str("> ");
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    text
}

/// The text of a mail with two versions of itself: the plain one, set right by the other; the HTML one where the plain one
/// says something else, such as that the reader's program is too old.
fn with_page(plain: &str, page: String) -> String {
    let begins = |text: &str| text.lines().any(|line| begins_block(strip_quote_marks(line)));
    let is_stand_in = || {
        let mut lines = plain.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.clone().count() <= LONGEST_STAND_IN
            && plain.len() < page.len()
            && !lines.any(|line| page.contains(line))
    };
    if !begins(plain) && (begins(&page) || is_stand_in()) { page } else { versions::set_right(plain, &page) }
}

/// One part as plain text.
pub(super) fn part_text(part: &MessagePart<'_>, raw: &[u8]) -> String {
    struck::settle(marked_text(part, raw))
}

/// The same with marks round what is struck out.
fn marked_text(part: &MessagePart<'_>, raw: &[u8]) -> String {
    let parameter = |name: &str| part.content_type().and_then(|content| content.attribute(name));
    let says =
        |name: &str, value: &str| parameter(name).is_some_and(|given| given.eq_ignore_ascii_case(value));
    let text = match &part.body {
        PartType::Html(text) | PartType::Text(text) => decoded_anew(part, text, raw),
        PartType::Binary(bytes) | PartType::InlineBinary(bytes) => {
            let encoding =
                part.content_transfer_encoding().filter(|_| matches!(part.encoding, Encoding::None));
            let mended = encoding.and_then(|encoding| transfer::mend(bytes, encoding, true));
            Cow::Owned(charset::decode(mended.as_deref().unwrap_or(bytes), parameter("charset")))
        }
        PartType::Message(_) | PartType::Multipart(_) => Cow::Borrowed(""),
    };
    // A page without a tag is a text that somebody called a page, and the other way round.
    let is_page = if matches!(part.body, PartType::Html(_)) { text.contains('<') } else { is_page(&text) };
    if is_page {
        make_plain(&html::to_text(&text))
    } else if says("format", "flowed") {
        make_plain(&flowed::unflow(&text.replace("\r\n", "\n"), says("delsp", "yes")))
    } else {
        make_plain(&text)
    }
}

/// Whether a text begins as an HTML page does.
fn is_page(text: &str) -> bool {
    let begins = text.trim_start();
    let begins = begins.get(..200).unwrap_or(begins);
    begins.starts_with('<') && begins.to_ascii_lowercase().contains("<html")
}

/// The parser's decoding, unless its transfer encoding or its charset is in doubt.
fn decoded_anew<'t>(part: &MessagePart<'_>, decoded: &'t str, raw: &[u8]) -> Cow<'t, str> {
    let declared = part.content_type().and_then(|content| content.attribute("charset"));
    let body = raw.get(part.offset_body as usize..part.offset_end as usize).unwrap_or_default();
    let encoding = part.content_transfer_encoding();
    let mended = encoding
        .and_then(|encoding| transfer::mend(body, encoding, !matches!(part.encoding, Encoding::None)));
    if mended.is_none() && !charset::is_doubtful(decoded, declared) {
        return Cow::Borrowed(decoded);
    }
    let bytes = mended.or_else(|| match part.encoding {
        Encoding::None => Some(body.to_vec()),
        Encoding::QuotedPrintable => quoted_printable_decode(body),
        Encoding::Base64 => base64_decode(body),
    });
    let in_page = || charset::named_in(decoded).filter(|_| matches!(part.body, PartType::Html(_)));
    let declared = declared.or_else(in_page);
    bytes.map_or(Cow::Borrowed(decoded), |bytes| Cow::Owned(charset::decode(&bytes, declared)))
}

fn read_orders_attachment(mail: &Message<'_>, raw: &[u8]) -> Option<String> {
    if let Some(part) = mail.parts.iter().find(|part| is_orders_file(part)) {
        return Some(part_text(part, raw));
    }
    let is_text_file = |part: &&MessagePart<'_>| {
        part.is_text()
            || part.attachment_name().is_some_and(|name| name.to_ascii_lowercase().ends_with(".txt"))
    };
    mail.attachments()
        .filter(is_text_file)
        .map(|part| part_text(part, raw))
        .find(|text| text.lines().any(begins_block))
}

/// The orders among files that stood in the text itself.
fn orders_among(files: Vec<uuencode::File>) -> Option<String> {
    let mut read = files.into_iter().map(|file| (file.name, make_plain(&charset::decode(&file.bytes, None))));
    read.find(|(name, text)| is_orders_name(name) || text.lines().any(begins_block)).map(|(_, text)| text)
}

/// Whether a part is a file of orders.
fn is_orders_file(part: &MessagePart<'_>) -> bool {
    let content = !matches!(part.body, PartType::Multipart(_) | PartType::Message(_));
    content && part.attachment_name().is_some_and(is_orders_name)
}

/// Whether a file is one of orders, by its name: `orders.txt` and what programs make of it for a second copy.
fn is_orders_name(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase();
    name.starts_with("orders") && name.ends_with(".txt")
}
