//! Reads a mail from its bytes: its headers, its kind and its body.

use std::panic::{AssertUnwindSafe, catch_unwind};

use mail_parser::{HeaderName, Message, MessageParser, MessagePart, MimeHeaders, PartType};

use super::authentication::{self, Stamp};
use super::author;
use super::automatic::{self, Automatic};
use super::body::{Body, Unreadable, read_body};
use super::enclosed::{Enclosed, EnclosedIn};
use super::headers::{HEAD_BYTES, addresses, header, message_ids, raw_headers, split_addresses};
use super::marks::Marks;
use super::names::name_of;
use super::nested::{MOST_NESTED, count_nested};
use super::part::decoded_anew;
use super::plain::make_plain;
use super::transfer::with_line_feeds;

/// The longest subject kept, in characters.
const LONGEST_SUBJECT: usize = 300;

/// Limits to what is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The largest mail whose body is read, in bytes, attachments included.
    pub bytes: u64,
}

impl Default for Limits {
    /// One megabyte: more than anybody writes.
    fn default() -> Self {
        Self { bytes: 1_000_000 }
    }
}

/// A mail: its headers, and its body if that could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// The address that the mail is from, in lower case; `None` if its `From` is ambiguous. Only this address is used for proofs and for answers.
    pub author: Option<String>,
    /// Every address that `From` may be taken to name, lower case: to recognise programs, for example.
    pub from: Vec<String>,
    /// The text of `From` on one line, without the caller's secrets: for a person who looks into a mail without an author.
    pub from_line: String,
    /// Addresses of `Reply-To`, lower case.
    pub reply_to: Vec<String>,
    /// Every address that the mail was sent or delivered to, lower case: `To`, `Cc`, `Delivered-To`, `X-Original-To` and the like.
    pub to: Vec<String>,
    /// `Message-ID` without its `<>`.
    pub message_id: Option<String>,
    /// The first Message-ID of `In-Reply-To`.
    pub in_reply_to: Option<String>,
    /// The Message-IDs of `References`, oldest first.
    pub references: Vec<String>,
    /// The decoded subject on one line; empty if there is none.
    pub subject: String,
    /// The verdicts of mail servers on its origin.
    pub stamps: Vec<Stamp>,
    /// Why the mail must not be answered, if so.
    pub automatic: Option<Automatic>,
    /// The body, or why it can't be read.
    pub body: Result<Body, Unreadable>,
}

impl Letter {
    /// The sender in words for people: the author, or the text of `From` if there is no author.
    #[must_use]
    pub fn sender_in_words(&self) -> String {
        match (&self.author, self.from_line.as_str()) {
            (Some(author), _) => author.clone(),
            (None, "") => "nobody (it has no From line)".to_owned(),
            (None, line) => format!("a sender in doubt (`From: {line}`)"),
        }
    }
}

/// Reads a mail. Any bytes give a letter, in time and memory proportional to their number.
#[must_use]
pub fn open(raw: &[u8], limits: &Limits, marks: &dyn Marks) -> Letter {
    let bytes = raw.len() as u64;
    if bytes > limits.bytes {
        return open_beginning(raw, bytes, limits, marks);
    }
    let raw = &*with_line_feeds(raw);
    if count_nested(raw) > MOST_NESTED {
        return open_head(raw, Unreadable::Damaged, marks);
    }
    // The parser is well tested but not ours: a panic in it loses one mail and doesn't end the daemon.
    catch_unwind(AssertUnwindSafe(|| {
        let mail = MessageParser::default().parse(raw)?;
        let body = read_body(&mail, raw, marks);
        Some(read_head(&mail, raw, body, marks))
    }))
    .ok()
    .flatten()
    .unwrap_or_else(|| open_head(raw, Unreadable::Damaged, marks))
}

/// Reads the beginning of a mail that is too large: the parts that are complete, if there is a text among them. `bytes` is the size of the whole
/// mail.
#[must_use]
pub fn open_beginning(raw: &[u8], bytes: u64, limits: &Limits, marks: &dyn Marks) -> Letter {
    let head = &raw[..raw.len().min(HEAD_BYTES)];
    let too_large = || open_head(head, Unreadable::TooLarge { bytes, limit: limits.bytes }, marks);
    let head = &*with_line_feeds(head);
    if count_nested(head) > MOST_NESTED {
        return too_large();
    }
    catch_unwind(AssertUnwindSafe(|| {
        let mail = MessageParser::default().parse(head)?;
        let cut = mail.parts.last().filter(|_| mail.parts.len() > 1)?;
        let whole = head.get(..cut.offset_header as usize)?;
        let place = EnclosedIn::Behind { name: name_of(cut), bytes };
        let mail = MessageParser::default().parse(whole)?;
        let mut body = read_body(&mail, whole, marks).ok()?;
        let has_text = !body.text.trim().is_empty() || body.attachment.is_some();
        body.enclosed.insert(0, Enclosed::unread(place));
        has_text.then(|| read_head(&mail, whole, Ok(body), marks))
    }))
    .ok()
    .flatten()
    .unwrap_or_else(too_large)
}

/// The files attached to a mail whose names have this ending (in lower case), with their bytes: files that a person kept or forwarded.
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
    // As above: a panic in the parser loses one mail.
    catch_unwind(AssertUnwindSafe(|| MessageParser::default().parse(raw).map(|mail| files(&mail))))
        .ok()
        .flatten()
        .unwrap_or_default()
}

/// The texts of a mail's own parts as their sender wrote them: what their encoding hides, and nothing made plain.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Written {
    /// The plain texts, in order.
    pub texts: Vec<String>,
    /// The sources of the pages of HTML.
    pub pages: Vec<String>,
}

/// What a mail's sender wrote into its parts, for whoever compares it letter by letter. Attached files and enclosed mails are left out, and so is a
/// mail that can't be read.
#[must_use]
pub fn written(raw: &[u8]) -> Written {
    if count_nested(raw) > MOST_NESTED {
        return Written::default();
    }
    let raw = &*with_line_feeds(raw);
    let texts = |mail: &Message<'_>| {
        let mut written = Written::default();
        for part in mail.parts.iter().filter(|part| part.attachment_name().is_none()) {
            let is_attached = part.content_disposition().is_some_and(mail_parser::ContentType::is_attachment);
            match &part.body {
                PartType::Text(text) if !is_attached && is_plain(part) => {
                    written.texts.push(decoded_anew(part, text, raw).into_owned());
                }
                PartType::Html(page) if !is_attached => {
                    written.pages.push(decoded_anew(part, page, raw).into_owned());
                }
                _ => {}
            }
        }
        written
    };
    // As above: a panic in the parser loses one mail.
    catch_unwind(AssertUnwindSafe(|| MessageParser::default().parse(raw).map(|mail| texts(&mail))))
        .ok()
        .flatten()
        .unwrap_or_default()
}

/// Whether a part is a plain text, which it is too where it says nothing.
fn is_plain(part: &MessagePart<'_>) -> bool {
    part.content_type().is_none() || part.is_content_type("text", "plain")
}

/// The letter of a mail whose body isn't read, or of which only the first bytes were loaded: its headers say whom to answer, and `why` becomes its
/// body.
#[must_use]
pub fn open_head(raw: &[u8], why: Unreadable, marks: &dyn Marks) -> Letter {
    let head = &raw[..raw.len().min(HEAD_BYTES)];
    let body = Err(why);
    catch_unwind(AssertUnwindSafe(|| {
        let mail = MessageParser::default().parse_headers(head)?;
        Some(read_head(&mail, head, body.clone(), marks))
    }))
    .ok()
    .flatten()
    .unwrap_or_else(|| Letter {
        author: None,
        from: Vec::new(),
        from_line: String::new(),
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

/// The first header with this name in a mail, on one line, whatever the mail's bytes; `None` if there is none.
#[must_use]
pub fn head_field(raw: &[u8], name: &str) -> Option<String> {
    let head = &raw[..raw.len().min(HEAD_BYTES)];
    // The parser is well tested but not ours: a panic in it loses one mail.
    let line =
        catch_unwind(AssertUnwindSafe(|| header(&MessageParser::default().parse_headers(head)?, head, name)));
    line.ok().flatten()
}

fn read_head(
    mail: &Message<'_>,
    raw: &[u8],
    mut body: Result<Body, Unreadable>,
    marks: &dyn Marks,
) -> Letter {
    let author::From { author, text: from_line } = author::From::of(mail, raw);
    let from = addresses(mail, raw, &HeaderName::From);
    let mut to = addresses(mail, raw, &HeaderName::To);
    to.extend(addresses(mail, raw, &HeaderName::Cc));
    // The headers of a resent mail name its new recipients; its author is still the writer of the mail.
    to.extend(addresses(mail, raw, &HeaderName::ResentTo));
    to.extend(addresses(mail, raw, &HeaderName::ResentCc));
    for name in
        ["delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "x-delivered-to", "apparently-to"]
    {
        to.extend(raw_headers(mail, raw, name).iter().flat_map(|value| split_addresses(value)));
    }
    let subject = on_one_line(mail.subject().unwrap_or_default());
    if let Ok(body) = &mut body {
        body.enclosed.extend(Enclosed::subject(&subject));
    }
    Letter {
        reply_to: addresses(mail, raw, &HeaderName::ReplyTo),
        to,
        message_id: message_ids(mail.header(HeaderName::MessageId)).into_iter().next(),
        in_reply_to: message_ids(mail.header(HeaderName::InReplyTo)).into_iter().next(),
        references: message_ids(mail.header(HeaderName::References)),
        stamps: authentication::stamps(mail, raw),
        automatic: automatic::classify(mail, raw, &from, &subject, marks),
        author,
        from,
        from_line: on_one_line(&marks.masked(from_line)),
        subject,
        body,
    }
}

/// Words that are shown again: on one line, cut off if they are too long.
fn on_one_line(text: &str) -> String {
    let plain = make_plain(text).replace(['\n', '\t'], " ");
    plain.trim().chars().take(LONGEST_SUBJECT).collect()
}
