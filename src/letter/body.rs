//! The body of a mail: the text of all its parts in any encoding as one plain text, the file that the caller waits for, and other enclosures.

use std::borrow::Cow;

use mail_parser::{Message, MessageParser, MessagePart, MimeHeaders};

use super::content::{ENCRYPTED, is_closed};
use super::enclosed::{Enclosed, EnclosedIn, enclosed_in};
use super::marks::Marks;
use super::names::name_of;
use super::nested::{MOST_NESTED, count_nested};
use super::part::{flowed_paragraphs, part_text};
use super::plain::{make_plain, without_pgp_armour};
use super::sealed::{self, Seal, seal_of};
use super::text::{Text, is_awaited, read_text};
use super::transfer::{is_header, with_line_feeds};
use super::{charset, uuencode};

/// Forwarded mails within forwarded mails are read to this depth.
const FORWARD_DEPTH: usize = 3;
/// The headers that are put before a text without headers.
const BARE: &[u8] = b"Content-Type: text/plain\n\n";

/// The readable content of a mail.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Body {
    /// All text parts, decoded and made plain, with lines ended by LF and quotations marked by `> `. A forwarded mail follows at the end as a
    /// quotation.
    pub text: String,
    /// The text of the file that the caller waits for: a file whose name [`Marks::is_awaited`] knows, or another attached text in which
    /// [`Marks::begins_block`] finds a block.
    pub attachment: Option<String>,
    /// The name of that file; empty if there is none.
    pub attachment_name: String,
    /// Other contents of the mail.
    pub enclosed: Vec<Enclosed>,
    /// The lines that `format=flowed` joined in the text: one list for each paragraph.
    pub flowed: Vec<Vec<String>>,
}

impl Body {
    /// Adds the contents of another part of the mail. Only the first file that the caller waits for is kept as such; a second one is added to the
    /// enclosures.
    fn join(&mut self, other: Self) {
        self.text.push_str(&other.text);
        self.flowed.extend(other.flowed);
        self.enclosed.extend(other.enclosed);
        match other.attachment {
            Some(file) if self.attachment.is_some() => {
                self.enclosed.push(Enclosed::file(&other.attachment_name, file));
            }
            Some(file) => {
                (self.attachment, self.attachment_name) = (Some(file), other.attachment_name);
            }
            None => {}
        }
    }
}

/// Why a mail's body can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// The mail is larger than [`Limits::bytes`](super::Limits::bytes).
    #[error("the mail has {bytes} bytes; at most {limit} are read")]
    TooLarge {
        /// The size of the mail.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// The mail is encrypted by PGP or S/MIME, or is an S/MIME wrapper that can't be opened.
    #[error("the mail is encrypted, or packed by S/MIME in a way that can't be opened without a key")]
    Encrypted,
    /// The mail has no text, and nothing else that could be read.
    #[error("the mail holds no text")]
    Empty,
    /// No parser could read the mail.
    #[error("the mail is damaged and can't be read")]
    Damaged,
}

/// Reads the text of all parts and the file that the caller waits for, or says why there is nothing to read.
pub(super) fn read_body(mail: &Message<'_>, raw: &[u8], marks: &dyn Marks) -> Result<Body, Unreadable> {
    read_body_within(mail, raw, sealed::DEPTH, marks)
}

/// `depth`: how many more signatures wrapped around the text are opened.
fn read_body_within(
    mail: &Message<'_>,
    raw: &[u8],
    depth: usize,
    marks: &dyn Marks,
) -> Result<Body, Unreadable> {
    let mut opened = Body::default();
    let mut has_closed = false;
    for part in &mail.parts {
        match seal_of(part) {
            Seal::None => {}
            Seal::Signed(inner) if depth > 0 => match read_signed(&inner, depth - 1, marks) {
                Ok(body) => opened.join(body),
                // Another part of the mail may have a text.
                Err(Unreadable::Empty) => {}
                Err(Unreadable::Encrypted) => has_closed = true,
                Err(other) => return Err(other),
            },
            Seal::Signed(_) | Seal::Closed => {
                has_closed = true;
                opened.enclosed.push(Enclosed::closed(name_of(part)));
            }
            Seal::Encrypted => return Err(Unreadable::Encrypted),
        }
    }
    if has_closed && mail.parts.len() == 1 {
        return Err(Unreadable::Encrypted);
    }
    let Text { text, other } = read_text(mail, raw, FORWARD_DEPTH, marks);
    let mut text = std::mem::take(&mut opened.text) + &text;
    if text.trim().is_empty() && mail.parts.len() == 1 {
        text = text_behind_headers(raw);
    }
    let first = text.lines().find(|line| !line.trim().is_empty());
    if first.is_some_and(|line| line.starts_with(ENCRYPTED)) {
        return Err(Unreadable::Encrypted);
    }
    let (files, text) = uuencode::take_files(&text);
    let mut files: Vec<Enclosed> = files.iter().map(read_file).collect();
    let part = awaited_part(mail, raw, marks);
    let awaited = part.map(|at| (name_of(&mail.parts[at]), part_text(&mail.parts[at], raw, marks)));
    let among = || files.iter().position(|file| marks.is_awaited(&file.name()) || file.begins_block(marks));
    let among = awaited.is_none().then(among).flatten().map(|at| files.remove(at));
    let awaited = awaited.or_else(|| among.and_then(|file| Some((file.name(), file.text?))));
    let found = Body {
        enclosed: enclosed_in(mail, raw, &text, part, FORWARD_DEPTH, marks),
        flowed: flowed_paragraphs(mail, raw, marks),
        ..Body::default()
    };
    opened.join(found);
    if let Some((name, file)) = awaited {
        let is_closed = is_closed(&file);
        opened.enclosed.extend(is_closed.then(|| Enclosed::closed(name.clone())));
        opened.join(Body { attachment: Some(file), attachment_name: name, ..Body::default() });
    }
    opened.enclosed.extend(files);
    let is_blank = text.trim().is_empty() && opened.attachment.is_none();
    if is_blank && (has_closed || opened.enclosed.is_empty()) {
        return Err(if has_closed { Unreadable::Encrypted } else { Unreadable::Empty });
    }
    opened.enclosed.extend(
        other.map(|text| Enclosed { text: Some(text), ..Enclosed::unread(EnclosedIn::OtherVersion) }),
    );
    if text.contains(ENCRYPTED) && text.lines().any(|line| line.starts_with(ENCRYPTED)) {
        opened.enclosed.push(Enclosed::unread(EnclosedIn::Encrypted));
    }
    Ok(Body { text: without_pgp_armour(&text), ..opened })
}

/// The body of a mail inside a signature; or of a bare text, as programs sign it that don't know mail.
fn read_signed(inner: &[u8], depth: usize, marks: &dyn Marks) -> Result<Body, Unreadable> {
    let inner = with_line_feeds(inner);
    let inner = &*if has_headers(&inner) { inner } else { Cow::Owned([BARE, &*inner].concat()) };
    if count_nested(inner) > MOST_NESTED {
        return Err(Unreadable::Damaged);
    }
    let mail = MessageParser::default().parse(inner).ok_or(Unreadable::Damaged)?;
    read_body_within(&mail, inner, depth, marks)
}

/// Whether the signed contents begin with headers, as a part of a mail does. A line of a text may have a colon too.
fn has_headers(inner: &[u8]) -> bool {
    let is_of_mail = |line: &[u8]| {
        let begins =
            |name: &[u8]| line.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        begins(b"Content-") || begins(b"MIME-Version:")
    };
    let mut head =
        inner.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).take_while(|line| !line.is_empty());
    head.any(is_of_mail)
}

/// The text after the headers of a mail that has no empty line between its headers and its text.
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

/// The part that is the file that the caller waits for.
fn awaited_part(mail: &Message<'_>, raw: &[u8], marks: &dyn Marks) -> Option<usize> {
    let is_text_file = |part: &MessagePart<'_>| {
        part.is_text()
            || part.attachment_name().is_some_and(|name| name.to_ascii_lowercase().ends_with(".txt"))
    };
    let begins = |at: &usize| {
        let part = mail.parts.get(*at).filter(|part| is_text_file(part));
        part.is_some_and(|part| part_text(part, raw, marks).lines().any(|line| marks.begins_block(line)))
    };
    let attached = || mail.attachments.iter().filter_map(|at| usize::try_from(*at).ok());
    mail.parts.iter().position(|part| is_awaited(part, marks)).or_else(|| attached().find(begins))
}

/// A file that was written into the text itself.
fn read_file(file: &uuencode::File) -> Enclosed {
    let is_text =
        std::str::from_utf8(&file.bytes).is_ok() || file.name.to_ascii_lowercase().ends_with(".txt");
    let text = is_text.then(|| make_plain(&charset::decode(&file.bytes, None)));
    let text = text.filter(|text| !is_closed(text));
    Enclosed { text, ..Enclosed::file(&file.name, String::new()) }
}
