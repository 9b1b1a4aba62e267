//! One part of a mail as plain text, whatever its type and its encoding.

use std::borrow::Cow;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{Encoding, Message, MessagePart, MimeHeaders, PartType};

use super::marks::Marks;
use super::plain::make_plain;
use super::{charset, flowed, html, struck, transfer};

/// The visible text of an HTML page: text that a style hides is left out, quotations get `> ` marks, and a line that is struck out as a whole stands
/// between `~~`. From other lines the struck-out words are removed.
#[must_use]
pub fn html_to_text(page: &str) -> String {
    struck::settle(make_plain(&html::to_text(page)))
}

/// One part as plain text.
pub(super) fn part_text(part: &MessagePart<'_>, raw: &[u8], marks: &dyn Marks) -> String {
    struck::settle(marked_text(part, raw, marks))
}

/// One part as plain text, with marks around struck-out passages.
pub(super) fn marked_text(part: &MessagePart<'_>, raw: &[u8], marks: &dyn Marks) -> String {
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
    // A page without a tag is plain text with the wrong type, and the reverse happens too.
    let is_page = if matches!(part.body, PartType::Html(_)) { text.contains('<') } else { is_page(&text) };
    if is_page {
        make_plain(&html::to_text(&text))
    } else if says("format", "flowed") {
        make_plain(&flowed::unflow(&text.replace("\r\n", "\n"), says("delsp", "yes"), marks))
    } else {
        make_plain(&text)
    }
}

/// The paragraphs of more than one line in the parts of a mail that say `format=flowed`.
pub(super) fn flowed_paragraphs(mail: &Message<'_>, raw: &[u8], marks: &dyn Marks) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for part in &mail.parts {
        let parameter = |name: &str| part.content_type().and_then(|content| content.attribute(name));
        let says =
            |name: &str, value: &str| parameter(name).is_some_and(|given| given.eq_ignore_ascii_case(value));
        if let PartType::Text(text) = &part.body
            && says("format", "flowed")
        {
            let text = decoded_anew(part, text, raw).replace("\r\n", "\n");
            all.extend(flowed::broken(&text, says("delsp", "yes"), marks));
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

/// The parser's decoding, or a new one if the transfer encoding or the charset is doubtful.
pub(super) fn decoded_anew<'t>(part: &MessagePart<'_>, decoded: &'t str, raw: &[u8]) -> Cow<'t, str> {
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
