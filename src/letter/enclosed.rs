//! The contents of a mail besides its text and the file that the caller waits for: other files, forwarded mails, its subject. A person may have
//! written into any of them.
//!
//! Things that programs add to every mail are ignored: signatures and keys, calendar entries, address cards, logos, Outlook's formatting, and the
//! files of the caller's own mails.

use std::fmt;

use mail_parser::{Message, MessagePart, MimeHeaders, PartType};

use super::content::{Content, Nature, content_of, is_closed, is_rich, without_rich_marks};
use super::headers::header;
use super::marks::Marks;
use super::names::{kind_of_part, name_in_small, name_of, shown_name};
use super::plain::make_plain;
use super::sealed::is_wrapping;
use super::text::{is_awaited, text_alone};
use super::versions;

/// The largest picture that counts as a logo wherever it is, in bytes.
const SMALL_PICTURE: usize = 10_000;
/// The largest picture that counts as a logo if the mail's page shows it, or did before it was removed, in bytes.
const LOGO: usize = 50_000;
/// The largest picture that counts as a logo if it is at the end of the page or in a signature, in bytes.
const BANNER: usize = 100_000;
/// The longest `Re:` or similar prefix, in any language, in bytes.
const LONGEST_PREFIX: usize = 12;
/// A part of a mail that is neither its text nor the file that the caller waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enclosed {
    /// Its place in the mail.
    pub place: EnclosedIn,
    /// Its text, lines ended by LF; `None` if it can't be read.
    pub text: Option<String>,
    /// The nature of its lines.
    pub nature: Nature,
}

/// A place in a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EnclosedIn {
    /// In the subject.
    Subject,
    /// In the version of the text, HTML or plain, that was not read.
    OtherVersion,
    /// In a file of this name.
    File(String),
    /// In a mail that was forwarded as a file, with this subject.
    Forwarded(String),
    /// In the subject of a mail that was forwarded as a file.
    ForwardedSubject(String),
    /// In a passage of the text that is encrypted.
    Encrypted,
    /// In the part of this name or after it: the mail is so large that the rest was not kept.
    Behind {
        /// The first part that was not kept whole.
        name: String,
        /// The size of the mail, in bytes.
        bytes: u64,
    },
    /// Anywhere else, in the words of a caller who adds something to a [`Body`](super::Body). This library doesn't use it.
    Other(String),
}

impl fmt::Display for EnclosedIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Subject => f.write_str("your subject line"),
            Self::OtherVersion => f.write_str("the other version of your text"),
            Self::File(name) => f.write_str(name),
            Self::Forwarded(subject) if subject.is_empty() => f.write_str("the forwarded mail"),
            Self::Forwarded(subject) => write!(f, "the forwarded mail \"{subject}\""),
            Self::Other(words) => f.write_str(words),
            Self::ForwardedSubject(subject) => write!(f, "the subject of the forwarded mail \"{subject}\""),
            Self::Encrypted => f.write_str("an encrypted passage"),
            Self::Behind { name, .. } => write!(f, "{name} and what follows it"),
        }
    }
}

impl Enclosed {
    /// An enclosure that could not be read.
    #[must_use]
    pub fn unread(place: EnclosedIn) -> Self {
        Self { place, text: None, nature: Nature::Written }
    }

    /// A file that could not be read.
    pub(super) fn closed(name: String) -> Self {
        Self::unread(EnclosedIn::File(name))
    }

    /// A file of text.
    #[must_use]
    pub fn file(name: &str, text: String) -> Self {
        Self { text: Some(text), ..Self::closed(shown_name(name, "a file without a name")) }
    }

    /// The subject of a mail without the prefixes of programs: `Re:`, `[alpha]`. Each piece between semicolons becomes a line, and so does the rest
    /// after each colon or tag: `My plan for alpha: to Ulm`.
    pub(super) fn subject(subject: &str) -> Option<Self> {
        let mut rest = subject.trim();
        loop {
            let tag = rest.strip_prefix('[').and_then(|tag| tag.split_once(']')).map(|(_, behind)| behind);
            let word = rest.split_once(':').filter(|(word, _)| {
                word.len() <= LONGEST_PREFIX
                    && word.chars().all(|c| c.is_alphanumeric() || "()[] ".contains(c))
            });
            match tag.or(word.map(|(_, behind)| behind)) {
                Some(behind) => rest = behind.trim_start(),
                None if rest.is_empty() => return None,
                None => break,
            }
        }
        let mut text = String::new();
        for piece in rest.split(';') {
            let behind = |sign: &'static str| piece.match_indices(sign).map(|(at, sign)| at + sign.len());
            let begins = [0].into_iter().chain(behind(":")).chain(behind("]"));
            begins.for_each(|at| text.extend([piece[at..].trim(), "\n"]));
        }
        Some(Self { text: Some(text), ..Self::unread(EnclosedIn::Subject) })
    }

    pub(super) fn name(&self) -> String {
        self.place.to_string()
    }

    /// Whether a block that the caller looks for begins in it.
    pub(super) fn begins_block(&self, marks: &dyn Marks) -> bool {
        self.text.iter().any(|text| text.lines().any(|line| marks.begins_block(line)))
    }
}

/// The contents of a mail that were read neither into `text` nor as the file that the caller waits for, which is the part `awaited`. `depth`: how
/// many levels of forwarded mails are opened.
pub(super) fn enclosed_in(
    mail: &Message<'_>,
    raw: &[u8],
    text: &str,
    awaited: Option<usize>,
    depth: usize,
    marks: &dyn Marks,
) -> Vec<Enclosed> {
    let is_body = |at: usize| {
        u32::try_from(at).is_ok_and(|at| mail.text_body.contains(&at) || mail.html_body.contains(&at))
    };
    let is_read = |at: usize, part: &MessagePart<'_>| {
        Some(at) == awaited
            || mail.parts.len() == 1 && !text.trim().is_empty()
            || matches!(part.body, PartType::Multipart(_))
            || part.is_text() && is_body(at) && !is_awaited(part, marks)
            || is_wrapping(part)
    };
    let left = mail.parts.iter().enumerate().filter(|(at, part)| !is_read(*at, part));
    let mut found = Vec::new();
    for (at, part) in left {
        match &part.body {
            PartType::Message(forwarded) => found.extend(in_forwarded(forwarded, depth, marks)),
            _ if is_version(mail, at, part) => found.extend(in_version(mail, part, raw, text, marks)),
            _ => found.extend(in_file(mail, part, raw, text, marks)),
        }
    }
    found
}

/// A file, if a person may have written it.
fn in_file(
    mail: &Message<'_>,
    part: &MessagePart<'_>,
    raw: &[u8],
    text: &str,
    marks: &dyn Marks,
) -> Option<Enclosed> {
    let place = EnclosedIn::File(name_of(part));
    let is_picture = is_picture(part);
    let is_of_programs = is_of_programs(part) || marks.is_own_file(&name_in_small(part));
    match content_of(part, raw, is_of_programs || is_picture, marks) {
        Content::Nothing => None,
        Content::Binary if is_picture && is_logo(mail, part) => None,
        Content::Binary if is_picture => Some(Enclosed::unread(place)),
        Content::Binary if is_outlooks(part) && !has_files(part.contents()) => None,
        Content::Binary if is_of_programs => None,
        Content::Binary | Content::Closed => Some(Enclosed::unread(place)),
        // Damaged mails have parts of their text among the files.
        Content::Text(content, _) if part.attachment_name().is_none() && text.contains(content.trim()) => {
            None
        }
        Content::Text(content, nature) => Some(Enclosed { place, text: Some(content), nature }),
    }
}

/// Another version of the text, if it says something else, or can't be read.
fn in_version(
    mail: &Message<'_>,
    part: &MessagePart<'_>,
    raw: &[u8],
    text: &str,
    marks: &dyn Marks,
) -> Option<Enclosed> {
    let found = match is_rich(part.contents()) {
        true => Enclosed::file("", without_rich_marks(&String::from_utf8_lossy(part.contents()))),
        false => in_file(mail, part, raw, text, marks)?,
    };
    let Some(version) = &found.text else { return Some(found) };
    let text = Some(versions::lacking(text, version, marks)?);
    Some(Enclosed { place: EnclosedIn::OtherVersion, text, nature: Nature::Added })
}

/// A mail that was forwarded as a file: all its text, its subject, and its own files.
fn in_forwarded(mail: &Message<'_>, depth: usize, marks: &dyn Marks) -> Vec<Enclosed> {
    let raw = mail.raw_message.as_ref();
    let subject = mail.subject().unwrap_or_default();
    let name = shown_name(subject, "");
    if is_as_sent(mail, raw, marks) {
        return Vec::new();
    }
    let is_sealed =
        mail.parts.iter().any(|part| is_wrapping(part) || part.is_content_type("multipart", "encrypted"));
    if depth == 0 || is_sealed {
        return vec![Enclosed::unread(EnclosedIn::Forwarded(name))];
    }
    let text = text_alone(mail, raw, marks);
    let files = enclosed_in(mail, raw, &text, None, depth - 1, marks);
    let subject = Enclosed::subject(&make_plain(subject));
    let subject = subject.map(|one| Enclosed { place: EnclosedIn::ForwardedSubject(name.clone()), ..one });
    let encrypted = is_closed(&text).then(|| Enclosed::unread(EnclosedIn::Forwarded(name.clone())));
    let text = Enclosed { text: Some(text), ..Enclosed::unread(EnclosedIn::Forwarded(name.clone())) };
    [text].into_iter().chain(encrypted).chain(subject).chain(files).collect()
}

/// Whether a mail is one of the caller's own, unchanged, so that it counts as a quotation.
fn is_as_sent(mail: &Message<'_>, raw: &[u8], marks: &dyn Marks) -> bool {
    let value = marks.own_header().and_then(|name| header(mail, raw, name));
    value.zip(mail.message_id()).is_some_and(|(value, id)| marks.is_as_sent(&value, id))
}

/// Whether a program added a part, judged by its type or its name.
fn is_of_programs(part: &MessagePart<'_>) -> bool {
    let (kind, subtype) = kind_of_part(part);
    let name = name_in_small(part);
    let by_type = match (kind.as_str(), subtype.as_str()) {
        ("text", sub) => {
            matches!(sub, "calendar" | "vcard" | "x-vcard" | "directory" | "css" | "rfc822-headers")
        }
        ("application", sub) => matches!(
            sub,
            "ics"
                | "json"
                | "smil"
                | "smil+xml"
                | "autocrypt-setup"
                | "pgp-signature"
                | "pgp-keys"
                | "pkcs7-signature"
                | "x-pkcs7-signature"
                | "pkcs7-mime"
                | "applefile"
        ),
        ("message", sub) => {
            ["status", "notification", "report", "headers"].iter().any(|end| sub.ends_with(end))
        }
        _ => false,
    };
    by_type || [".vcf", ".ics", ".p7s", ".p7c", ".smil"].iter().any(|end| name.ends_with(end))
}

/// Whether a part is Outlook's container (TNEF).
fn is_outlooks(part: &MessagePart<'_>) -> bool {
    part.is_content_type("application", "ms-tnef") || part.is_content_type("application", "vnd.ms-tnef")
}

/// Whether a part is a picture, by its type or its name.
fn is_picture(part: &MessagePart<'_>) -> bool {
    let name = name_in_small(part);
    let ends = [".png", ".gif", ".jpg", ".jpeg", ".webp", ".bmp", ".svg"];
    kind_of_part(part).0 == "image" || ends.iter().any(|end| name.ends_with(end))
}

/// Whether a part is another version of the text, in a format that few programs know.
fn is_version(mail: &Message<'_>, at: usize, part: &MessagePart<'_>) -> bool {
    let versions = mail.parts.iter().filter(|part| part.is_content_type("multipart", "alternative"));
    let mut children = versions.filter_map(|part| match &part.body {
        PartType::Multipart(children) => Some(children),
        _ => None,
    });
    part.attachment_name().is_none()
        && u32::try_from(at).is_ok_and(|at| children.any(|all| all.contains(&at)))
}

/// Whether a picture is too small to hold handwritten words: a logo, as in signatures. A mail that consists of a picture alone has no logo.
fn is_logo(mail: &Message<'_>, part: &MessagePart<'_>) -> bool {
    let largest = match shown_in(mail, part) {
        Some(Shown::InSignature) => BANNER,
        Some(Shown::InPage) => LOGO,
        None if is_drawn_inline(part) => LOGO,
        None => SMALL_PICTURE,
    };
    mail.parts.len() > 1 && part.contents().len() <= largest
}

/// The place in a mail's page where a picture is shown.
enum Shown {
    InPage,
    InSignature,
}

fn shown_in(mail: &Message<'_>, part: &MessagePart<'_>) -> Option<Shown> {
    let link = format!("cid:{}", part.content_id()?.trim_matches(['<', '>']));
    let before = mail.parts.iter().find_map(|part| match &part.body {
        PartType::Html(page) => Some(&page[..page.find(&link)?]),
        _ => None,
    })?;
    // Programs mark the element by a class such as moz-signature, gmail_signature or Signature.
    let is_signed = before.to_ascii_lowercase().contains("signature")
        || before.split(['<', '>', '\n']).any(|text| text == "--" || text == "-- " || text == "--&nbsp;");
    Some(if is_signed { Shown::InSignature } else { Shown::InPage })
}

/// Whether a picture belongs to a page that is no longer in the mail, because a program answered in plain text and left the picture. Photos are JPEG.
fn is_drawn_inline(part: &MessagePart<'_>) -> bool {
    let (kind, subtype) = kind_of_part(part);
    let is_inline = part.content_disposition().is_some_and(mail_parser::ContentType::is_inline);
    is_inline && part.content_id().is_some() && kind == "image" && matches!(subtype.as_str(), "png" | "gif")
}

/// Whether Outlook's container for formatting and files (MS-OXTNEF) holds a file, or can't be read.
fn has_files(bytes: &[u8]) -> bool {
    let Some(mut rest) = bytes.strip_prefix(&[0x78, 0x9f, 0x3e, 0x22]).and_then(|rest| rest.get(2..)) else {
        return true;
    };
    while let Some((head, behind)) = rest.split_at_checked(9) {
        let length = u32::from_le_bytes([head[5], head[6], head[7], head[8]]) as usize;
        // The second of its two levels is that of files.
        let next = length.checked_add(2).and_then(|length| behind.get(length..));
        match (head[0], next) {
            (1, Some(next)) => rest = next,
            _ => return true,
        }
    }
    !rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(level: u8, data: &[u8]) -> Vec<u8> {
        let length = u32::try_from(data.len()).unwrap().to_le_bytes();
        [&[level, 1, 0, 2, 0][..], &length, data, &[0, 0]].concat()
    }

    #[test]
    fn outlooks_container_holds_files_or_formatting_alone() {
        let head = [0x78, 0x9f, 0x3e, 0x22, 1, 0];
        let container = |attributes: &[Vec<u8>]| [&head[..], &attributes.concat()].concat();
        let formatting = [attribute(1, b"a"), attribute(1, &[7; 300])];
        assert!(!has_files(&container(&formatting)));
        let with_file = [attribute(1, b"a"), attribute(2, b"plan.doc")];
        assert!(has_files(&container(&with_file)));
        let whole = container(&formatting);
        for cut in (0..6).chain(7..whole.len()).filter(|cut| *cut != 6 + attribute(1, b"a").len()) {
            assert!(has_files(&whole[..cut]), "{cut}");
        }
        assert!(has_files(b"Outlook"));
    }
}
