//! Encrypted mail, and S/MIME signatures wrapped around a text. The text inside such a signature is not encrypted: it lies in a CMS structure (RFC
//! 5652) and is taken out. The signature itself is not checked.

use std::borrow::Cow;

use mail_parser::{MessagePart, MimeHeaders, PartType};

/// How many signatures around signatures are opened.
pub(super) const DEPTH: usize = 3;

/// The most pieces that a text may be made of; OpenSSL makes one of each 1024 bytes.
const MOST_PIECES: usize = 20_000;

/// 1.2.840.113549.1.7.2 and .1: signed data, and the plain data in it.
const SIGNED_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02];
const DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01];

const OID: u8 = 0x06;
const OCTETS: u8 = 0x04;
const OCTETS_IN_PIECES: u8 = 0x24;
const SEQUENCE: u8 = 0x30;
/// `[0] EXPLICIT`.
const WRAPPED: u8 = 0xa0;

/// What a reader without a key can see of a part of a mail.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Seal {
    /// The part is not sealed.
    None,
    /// A signature around the bytes of another mail.
    Signed(Vec<u8>),
    /// This part can't be read.
    Closed,
    /// The mail can't be read: its readable parts only say that it is encrypted.
    Encrypted,
}

/// Examines a part.
pub(super) fn seal_of(part: &MessagePart<'_>) -> Seal {
    if part.is_content_type("multipart", "encrypted") {
        return Seal::Encrypted;
    }
    if !is_wrapping(part) {
        return Seal::None;
    }
    let bytes: Cow<'_, [u8]> = match &part.body {
        PartType::Binary(bytes) | PartType::InlineBinary(bytes) => Cow::Borrowed(bytes),
        PartType::Text(text) | PartType::Html(text) => Cow::Borrowed(text.as_bytes()),
        PartType::Message(_) | PartType::Multipart(_) => return Seal::Closed,
    };
    signed_content(&bytes).map_or(Seal::Closed, Seal::Signed)
}

/// Whether a part says that it is wrapped around a text; certificates alone contain no text.
pub(super) fn is_wrapping(part: &MessagePart<'_>) -> bool {
    let is = |subtype: &str| part.is_content_type("application", subtype);
    let named = |end: &str| {
        part.attachment_name().is_some_and(|name| name.trim().to_ascii_lowercase().ends_with(end))
    };
    let kind = part.content_type().and_then(|content| content.attribute("smime-type"));
    let is_certificates = named(".p7c") || kind.is_some_and(|kind| kind.eq_ignore_ascii_case("certs-only"));
    let is_wrapped = is("pkcs7-mime") || is("x-pkcs7-mime") || is("octet-stream") && named(".p7m");
    is_wrapped && !is_certificates
}

/// The contents of a signature in the form `signed-data`. Any bytes give an answer in time linear in their number: each element is entered once, and
/// nothing is searched for.
fn signed_content(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut info = Element::first(bytes)?.inside(SEQUENCE)?;
    if info.take(OID)?.content != SIGNED_DATA {
        return None;
    }
    let mut signed = info.take(WRAPPED)?.inside(WRAPPED)?.take(SEQUENCE)?.inside(SEQUENCE)?;
    // Skips its version, and the algorithms of its digests.
    signed.skip()?;
    signed.skip()?;
    let mut content = signed.take(SEQUENCE)?.inside(SEQUENCE)?;
    if content.take(OID)?.content != DATA {
        return None;
    }
    let octets = content.take(WRAPPED)?.inside(WRAPPED)?.next()?;
    match octets.tag {
        OCTETS => Some(octets.content.to_vec()),
        OCTETS_IN_PIECES => {
            let mut pieces = octets.inside(OCTETS_IN_PIECES)?;
            let mut whole = Vec::new();
            for _ in 0..MOST_PIECES {
                if pieces.is_at_end() {
                    return Some(whole);
                }
                whole.extend_from_slice(pieces.take(OCTETS)?.content);
            }
            None
        }
        _ => None,
    }
}

/// An element of the structure (X.690): a tag and its contents.
struct Element<'a> {
    tag: u8,
    /// The contents. If the element has an end marker instead of a length, everything up to the end of the data.
    content: &'a [u8],
    ends_by_mark: bool,
}

/// Elements that follow one another.
struct Elements<'a> {
    rest: &'a [u8],
    ends_by_mark: bool,
}

impl<'a> Element<'a> {
    fn first(bytes: &'a [u8]) -> Option<Self> {
        Elements { rest: bytes, ends_by_mark: false }.next()
    }

    /// The elements inside, if this one has the given tag.
    fn inside(self, tag: u8) -> Option<Elements<'a>> {
        (self.tag == tag).then_some(Elements { rest: self.content, ends_by_mark: self.ends_by_mark })
    }
}

impl<'a> Elements<'a> {
    /// The next element. Nothing after an element with an end marker can be reached; the wanted data lies inside it.
    fn next(&mut self) -> Option<Element<'a>> {
        let (&tag, rest) = self.rest.split_first()?;
        // No element on the way has a tag of several bytes.
        if tag & 0x1f == 0x1f {
            return None;
        }
        let (&first, rest) = rest.split_first()?;
        let (length, rest) = match first {
            0..=0x7f => (usize::from(first), rest),
            0x80 if tag & 0x20 != 0 => {
                self.rest = &[];
                return Some(Element { tag, content: rest, ends_by_mark: true });
            }
            0x81..=0x84 => {
                let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
                (digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)), rest)
            }
            _ => return None,
        };
        let (content, rest) = rest.split_at_checked(length)?;
        self.rest = rest;
        Some(Element { tag, content, ends_by_mark: false })
    }

    /// The next element, which must have this tag.
    fn take(&mut self, tag: u8) -> Option<Element<'a>> {
        self.next().filter(|element| element.tag == tag)
    }

    /// Skips an element with a known length.
    fn skip(&mut self) -> Option<()> {
        self.next().filter(|element| !element.ends_by_mark).map(drop)
    }

    fn is_at_end(&self) -> bool {
        if self.ends_by_mark { self.rest.starts_with(&[0, 0]) } else { self.rest.is_empty() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(tag: u8, content: &[u8]) -> Vec<u8> {
        let length = content.len();
        let head = match length {
            0..=127 => vec![tag, u8::try_from(length).unwrap()],
            _ => [vec![tag, 0x82], u16::try_from(length).unwrap().to_be_bytes().to_vec()].concat(),
        };
        [head, content.to_vec()].concat()
    }

    /// An element with an end marker, as programs write it that don't know the length yet.
    fn streamed(tag: u8, content: &[u8]) -> Vec<u8> {
        [&[tag, 0x80], content, &[0, 0]].concat()
    }

    /// The CMS structure around these octets.
    fn round(octets: &[u8], wrap: fn(u8, &[u8]) -> Vec<u8>, inner: &[u8], outer: &[u8]) -> Vec<u8> {
        let content = wrap(SEQUENCE, &[element(OID, inner), wrap(WRAPPED, octets)].concat());
        let before = [element(0x02, &[1]), element(0x31, &element(SEQUENCE, &[]))].concat();
        let signed = wrap(SEQUENCE, &[before, content, element(0x31, b"signers")].concat());
        wrap(SEQUENCE, &[element(OID, outer), wrap(WRAPPED, &signed)].concat())
    }

    #[test]
    fn the_text_inside_a_signature_is_found_however_its_lengths_are_told() {
        let text = b"MOVE 1\r\n".repeat(40);
        let whole = element(OCTETS, &text);
        let pieces: Vec<u8> = text.chunks(100).flat_map(|piece| element(OCTETS, piece)).collect();
        for octets in [whole, element(OCTETS_IN_PIECES, &pieces), streamed(OCTETS_IN_PIECES, &pieces)] {
            for wrap in [element, streamed] {
                let found = signed_content(&round(&octets, wrap, DATA, SIGNED_DATA));
                assert_eq!(found.as_deref(), Some(&text[..]));
            }
        }
        let enveloped = [&DATA[..8], &[3]].concat();
        assert_eq!(signed_content(&round(&element(OCTETS, &text), element, DATA, &enveloped)), None);
        assert_eq!(signed_content(&round(&element(OCTETS, &text), element, &enveloped, SIGNED_DATA)), None);
    }

    #[test]
    fn what_is_cut_off_or_altered_is_never_a_panic() {
        let text = b"MOVE 1\r\n".repeat(20);
        let good = round(&streamed(OCTETS_IN_PIECES, &element(OCTETS, &text)), streamed, DATA, SIGNED_DATA);
        for at in 0..good.len() {
            let _ = signed_content(&good[..at]);
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                let _ = signed_content(&bad);
            }
        }
        assert_eq!(signed_content(&[]), None);
        assert_eq!(signed_content(&[SEQUENCE, 0x84, 0xff, 0xff, 0xff, 0xff]), None);
        assert_eq!(signed_content(&[SEQUENCE, 0x80].repeat(500_000)), None);
    }
}
