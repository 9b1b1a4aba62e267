//! The body of a mail: its text of every part and encoding as one plain text, its attached orders.

use std::borrow::Cow;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{Encoding, Message, MessageParser, MessagePart, MimeHeaders, PartType};

use super::content::is_closed;
use super::enclosed::{Enclosed, Place, enclosed_in, name_of};
use super::inbound::{MOST_NESTED, count_nested};
use super::orders::{LineKind, begins_block};
use super::plain::{make_plain, strip_quote_marks, without_pgp_armour};
use super::sealed::{self, Seal, seal_of};
use super::transfer::{is_header, with_line_feeds};
use super::{charset, flowed, html, struck, transfer, uuencode, versions};

/// Forwarded mails within forwarded mails are read to this depth.
const FORWARD_DEPTH: usize = 3;
/// The most lines that a program writes instead of a plain version.
const LONGEST_STAND_IN: usize = 5;

/// The line that begins an encrypted passage (RFC 9580, 6.2).
pub(super) const ENCRYPTED: &str = "-----BEGIN PGP MESSAGE-----";

/// The headers of a text that has none.
const BARE: &[u8] = b"Content-Type: text/plain\n\n";

/// The readable content of a mail.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Body {
    /// All text parts, decoded and plain, lines ended by LF, quotations marked by `> `. A forwarded mail stands at the
    /// end as a quotation.
    pub text: String,
    /// The attachment `orders.txt` (or `orders-2.txt`, `Orders (1).txt` …), or any other attached text with a
    /// `BEGIN ORDERS` line.
    pub orders_attachment: Option<String>,
    /// The name of that file; empty if there is none.
    pub orders_file: String,
    /// What the mail holds beside these.
    pub enclosed: Vec<Enclosed>,
    /// The lines that `format=flowed` joined in the text, a paragraph each.
    pub flowed: Vec<Vec<String>>,
}

impl Body {
    /// Takes in what another part of the mail holds. The first file of orders is that of the mail; a second is one more file.
    fn join(&mut self, other: Self) {
        self.text.push_str(&other.text);
        self.flowed.extend(other.flowed);
        self.enclosed.extend(other.enclosed);
        match other.orders_attachment {
            Some(file) if self.orders_attachment.is_some() => {
                self.enclosed.push(Enclosed::file(&other.orders_file, file));
            }
            Some(file) => {
                (self.orders_attachment, self.orders_file) = (Some(file), other.orders_file);
            }
            None => {}
        }
    }

    /// The text for whoever looks for orders in it: two lines that are an order each are not joined.
    #[must_use]
    pub fn unflowed(&self, kind: &dyn Fn(&str) -> LineKind) -> Cow<'_, str> {
        flowed::with_orders_apart(&self.text, &self.flowed, kind)
    }
}

/// Why a mail's body can't be read. The messages are for its sender.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Over [`Limits::bytes`](super::Limits::bytes).
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
    #[error(
        "This mail holds no text, and its subject is not read. Write the orders into the mail itself, or attach them as orders.txt."
    )]
    Empty,
    /// No parser could make sense of it.
    #[error("This mail is damaged and can't be read. Send the orders again as plain text.")]
    Damaged,
}

/// The text of all its parts and its attached orders, or why there is nothing to read.
pub(super) fn read_body(mail: &Message<'_>, raw: &[u8]) -> Result<Body, Unreadable> {
    read_body_within(mail, raw, sealed::DEPTH)
}

/// `depth`: how many signatures wrapped round the text are opened yet.
fn read_body_within(mail: &Message<'_>, raw: &[u8], depth: usize) -> Result<Body, Unreadable> {
    let mut opened = Body::default();
    let mut has_closed = false;
    for part in &mail.parts {
        match seal_of(part) {
            Seal::None => {}
            Seal::Signed(inner) if depth > 0 => match read_signed(&inner, depth - 1) {
                Ok(body) => opened.join(body),
                // Something else of the mail may have a text.
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
    let Text { text, other } = read_text(mail, raw, FORWARD_DEPTH);
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
    let part = orders_part(mail, raw);
    let orders = part.map(|at| (name_of(&mail.parts[at]), part_text(&mail.parts[at], raw)));
    let among = || files.iter().position(|file| is_orders_name(&file.name()) || file.begins_block());
    let among = orders.is_none().then(among).flatten().map(|at| files.remove(at));
    let orders = orders.or_else(|| among.and_then(|file| Some((file.name(), file.text?))));
    let found = Body {
        enclosed: enclosed_in(mail, raw, &text, part, FORWARD_DEPTH),
        flowed: flowed_paragraphs(mail, raw),
        ..Body::default()
    };
    opened.join(found);
    if let Some((name, orders)) = orders {
        let is_closed = is_closed(&orders);
        opened.enclosed.extend(is_closed.then(|| Enclosed::closed(name.clone())));
        opened.join(Body { orders_attachment: Some(orders), orders_file: name, ..Body::default() });
    }
    opened.enclosed.extend(files);
    let is_blank = text.trim().is_empty() && opened.orders_attachment.is_none();
    if is_blank && (has_closed || opened.enclosed.is_empty()) {
        return Err(if has_closed { Unreadable::Encrypted } else { Unreadable::Empty });
    }
    opened
        .enclosed
        .extend(other.map(|text| Enclosed { text: Some(text), ..Enclosed::unread(Place::OtherVersion) }));
    if text.contains(ENCRYPTED) && text.lines().any(|line| line.starts_with(ENCRYPTED)) {
        opened.enclosed.push(Enclosed::unread(Place::Encrypted));
    }
    Ok(Body { text: without_pgp_armour(&text), ..opened })
}

/// The body of a mail that a signature was wrapped round; or of a text, as programs sign it that know no mail.
fn read_signed(inner: &[u8], depth: usize) -> Result<Body, Unreadable> {
    let inner = with_line_feeds(inner);
    let inner = &*if has_headers(&inner) { inner } else { Cow::Owned([BARE, &*inner].concat()) };
    if count_nested(inner) > MOST_NESTED {
        return Err(Unreadable::Damaged);
    }
    let mail = MessageParser::default().parse(inner).ok_or(Unreadable::Damaged)?;
    read_body_within(&mail, inner, depth)
}

/// Whether what a signature was wrapped round begins as a mail's part does. An order may have a colon too.
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

/// The text of a mail.
struct Text {
    text: String,
    /// The lines of its other version that are not in it.
    other: Option<String>,
}

/// The text of a mail: its plain parts; where they are blank or beside the point, its HTML; where there is none, whatever
/// attached text has no name (damaged MIME ends there); failing that, a mail of one part in a type that the parser doesn't
/// know as text. Then forwarded mails, quoted.
fn read_text(mail: &Message<'_>, raw: &[u8], depth: usize) -> Text {
    let mut other = None;
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
            Text { text, other } = with_page(&text, page);
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
            for line in read_text(forwarded, forwarded.raw_message.as_ref(), depth - 1).text.lines() {
                text.push_str("> ");
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    Text { text, other }
}

/// The text of a mail without those of forwarded ones.
pub(super) fn text_alone(mail: &Message<'_>, raw: &[u8]) -> String {
    read_text(mail, raw, 0).text
}

/// The text of a mail with two versions of itself: the plain one, set right by the other; the HTML one where the plain one
/// says something else, such as that the reader's program is too old.
fn with_page(plain: &str, page: String) -> Text {
    let begins = |text: &str| text.lines().any(|line| begins_block(strip_quote_marks(line)));
    let is_stand_in = || {
        let mut lines = plain.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.clone().count() <= LONGEST_STAND_IN
            && plain.len() < page.len()
            && !lines.any(|line| page.contains(line))
    };
    if !begins(plain) && (begins(&page) || is_stand_in()) {
        Text { other: versions::lacking(&page, plain), text: page }
    } else {
        let text = versions::set_right(plain, &page);
        Text { other: versions::lacking(&text, &page).map(struck::settle), text }
    }
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

/// The paragraphs of several lines in the parts of a mail that say `format=flowed`.
fn flowed_paragraphs(mail: &Message<'_>, raw: &[u8]) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for part in &mail.parts {
        let parameter = |name: &str| part.content_type().and_then(|content| content.attribute(name));
        let says =
            |name: &str, value: &str| parameter(name).is_some_and(|given| given.eq_ignore_ascii_case(value));
        if let PartType::Text(text) = &part.body
            && says("format", "flowed")
        {
            let text = decoded_anew(part, text, raw).replace("\r\n", "\n");
            all.extend(flowed::broken(&text, says("delsp", "yes")));
        }
    }
    all
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

/// The part that is the mail's file of orders.
fn orders_part(mail: &Message<'_>, raw: &[u8]) -> Option<usize> {
    let is_text_file = |part: &MessagePart<'_>| {
        part.is_text()
            || part.attachment_name().is_some_and(|name| name.to_ascii_lowercase().ends_with(".txt"))
    };
    let begins = |at: &usize| {
        let part = mail.parts.get(*at).filter(|part| is_text_file(part));
        part.is_some_and(|part| part_text(part, raw).lines().any(begins_block))
    };
    let attached = || mail.attachments.iter().filter_map(|at| usize::try_from(*at).ok());
    mail.parts.iter().position(is_orders_file).or_else(|| attached().find(begins))
}

/// A file that stood in the text itself.
fn read_file(file: &uuencode::File) -> Enclosed {
    let is_text =
        std::str::from_utf8(&file.bytes).is_ok() || file.name.to_ascii_lowercase().ends_with(".txt");
    let text = is_text.then(|| make_plain(&charset::decode(&file.bytes, None)));
    let text = text.filter(|text| !is_closed(text));
    Enclosed { text, ..Enclosed::file(&file.name, String::new()) }
}

/// Whether a part is a file of orders.
pub(super) fn is_orders_file(part: &MessagePart<'_>) -> bool {
    let content = !matches!(part.body, PartType::Multipart(_) | PartType::Message(_));
    content && part.attachment_name().is_some_and(is_orders_name)
}

/// Whether a file is one of orders, by its name: `orders.txt` and what programs make of it for a second copy.
fn is_orders_name(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase();
    name.starts_with("orders") && name.ends_with(".txt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_that_the_page_has_too_is_no_stand_in_for_it() {
        let page = "Read this in a browser\nMOVE 1 TO Ulm\nRegards\n";
        assert_eq!(with_page("MOVE 1 TO Ulm\n", page.to_owned()).text, "MOVE 1 TO Ulm\n");
        assert_eq!(with_page("Your program can't show this.\n", page.to_owned()).text, page);
    }
}
