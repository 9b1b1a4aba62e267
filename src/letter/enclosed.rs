//! What a mail holds beside its text and its file of orders: other files, forwarded mails, its subject. Orders may be in any of it.
//!
//! What programs add to every mail is passed over, else no READY would ever count: signatures and keys, calendar entries, address cards,
//! logos, the formatting of Outlook, what comes with the host's own dispatches.

use std::fmt;

use mail_parser::{Message, MessagePart, MimeHeaders, PartType};

use super::body::{own_text, part_text};
use super::inbound::header;
use super::orders::begins_block;
use super::outbound::OWN_HEADER;
use super::plain::make_plain;
use super::sealed::is_wrapping;

/// The largest picture that is taken for a logo wherever it stands, in bytes.
const SMALL_PICTURE: usize = 10_000;
/// The same of one that is shown inside the mail's page.
const LOGO: usize = 50_000;
/// The longest `Re:` or its like, in any language, in bytes.
const LONGEST_PREFIX: usize = 12;
/// The most of a file's name that is told, in characters.
const LONGEST_NAME: usize = 60;

/// Something of a mail that is neither its text nor its file of orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enclosed {
    /// What it is.
    pub place: Place,
    /// What it says, lines ended by LF; none where that can't be read.
    pub text: Option<String>,
}

/// Where in a mail something stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In the subject.
    Subject,
    /// Below the signature mark.
    Signature,
    /// Behind the sign of a comment, in an order form or beside it.
    Comments,
    /// In the mail that it answers or forwards, as that was not mailed.
    Quotation,
    /// In the one of its two versions, HTML and plain text, that was not read.
    OtherVersion,
    /// In a file of this name.
    File(String),
    /// In a mail that was forwarded as a file, with this subject.
    Forwarded(String),
    /// In a letter to these players that can't be passed on, since nothing says where it ends.
    Press(String),
    /// In a passage of the text that is encrypted.
    Encrypted,
    /// In the part of this name or behind it: the mail is so large that the rest was not kept.
    Behind {
        /// The first part that was not kept whole.
        name: String,
        /// How large the mail is, in bytes.
        bytes: u64,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Subject => f.write_str("your subject line"),
            Self::Signature => f.write_str("lines below your signature mark"),
            Self::Comments => f.write_str("lines that begin with #"),
            Self::Quotation => f.write_str("lines in the mail that you quote"),
            Self::OtherVersion => f.write_str("the other version of your text"),
            Self::File(name) => f.write_str(name),
            Self::Forwarded(subject) if subject.is_empty() => f.write_str("the forwarded mail"),
            Self::Forwarded(subject) => write!(f, "the forwarded mail \"{subject}\""),
            Self::Press(to) => write!(f, "your letter to {}", told(to, "nobody")),
            Self::Encrypted => f.write_str("an encrypted passage"),
            Self::Behind { name, .. } => write!(f, "{name} and what follows it"),
        }
    }
}

impl Enclosed {
    /// A file of which nothing can be read.
    pub(super) fn closed(name: String) -> Self {
        Self { place: Place::File(name), text: None }
    }

    /// A file of text.
    pub(super) fn file(name: &str, text: String) -> Self {
        Self { place: Place::File(told(name, "a file without a name")), text: Some(text) }
    }

    /// The subject of a mail without what programs put before it: `Re:`, `[alpha]`. Of several orders each is a line.
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
        let text: String = rest.split(';').flat_map(|line| [line.trim(), "\n"]).collect();
        Some(Self { place: Place::Subject, text: Some(text) })
    }

    pub(super) fn name(&self) -> String {
        self.place.to_string()
    }

    /// Whether a block of orders begins in it.
    pub(super) fn begins_block(&self) -> bool {
        self.text.iter().any(|text| text.lines().any(begins_block))
    }
}

/// A name as it may stand in a subject: on one line, without the brackets in which games stand there.
fn told(name: &str, otherwise: &str) -> String {
    let plain =
        make_plain(name).replace(|c: char| c.is_whitespace(), " ").replace('[', "(").replace(']', ")");
    let name: String = plain.trim().chars().take(LONGEST_NAME).collect();
    if name.is_empty() { otherwise.to_owned() } else { name }
}

/// What a part is called: by its name, or by its type.
pub(super) fn name_of(part: &MessagePart<'_>) -> String {
    let kind = || match type_of(part) {
        (kind, _) if kind.is_empty() => "a part without a name".to_owned(),
        (kind, subtype) => format!("a part of type {kind}/{subtype}"),
    };
    told(part.attachment_name().unwrap_or_default(), &told(&kind(), ""))
}

/// The type of a part, in lower case.
fn type_of(part: &MessagePart<'_>) -> (String, String) {
    let content = part.content_type();
    let kind = content.map(|content| content.ctype().to_ascii_lowercase()).unwrap_or_default();
    let subtype = content.and_then(|content| content.subtype()).unwrap_or_default();
    (kind, subtype.to_ascii_lowercase())
}

/// What of a mail was read neither into `text` nor as its file of orders, which is the part `orders`. `depth`: how many forwarded mails
/// within one another are opened.
pub(super) fn enclosed_in(
    mail: &Message<'_>,
    raw: &[u8],
    text: &str,
    orders: Option<usize>,
    depth: usize,
) -> Vec<Enclosed> {
    let is_body = |at: usize| {
        u32::try_from(at).is_ok_and(|at| mail.text_body.contains(&at) || mail.html_body.contains(&at))
    };
    let is_read = |at: usize, part: &MessagePart<'_>| {
        Some(at) == orders
            || mail.parts.len() == 1 && !text.trim().is_empty()
            || matches!(part.body, PartType::Multipart(_))
            || part.is_text() && is_body(at) && !super::body::is_orders_file(part)
            || is_wrapping(part)
    };
    let left = mail.parts.iter().enumerate().filter(|(at, part)| !is_read(*at, part));
    let mut found = Vec::new();
    for (at, part) in left {
        match &part.body {
            PartType::Message(forwarded) => found.extend(in_forwarded(forwarded, depth)),
            _ if is_added(mail, at, part) => {}
            _ => {
                let content = readable(part).then(|| part_text(part, raw));
                // Damaged mails have parts of their text among the files.
                let is_in_text =
                    |content: &String| part.attachment_name().is_none() && text.contains(content.trim());
                if !content.as_ref().is_some_and(is_in_text) {
                    found.push(Enclosed { place: Place::File(name_of(part)), text: content });
                }
            }
        }
    }
    found
}

/// A mail that was forwarded as a file, and its own files. A mail of ours that comes back is a quotation.
fn in_forwarded(mail: &Message<'_>, depth: usize) -> Vec<Enclosed> {
    let raw = mail.raw_message.as_ref();
    let place = Place::Forwarded(told(mail.subject().unwrap_or_default(), ""));
    if header(mail, raw, OWN_HEADER).is_some() {
        return Vec::new();
    }
    let is_sealed =
        mail.parts.iter().any(|part| is_wrapping(part) || part.is_content_type("multipart", "encrypted"));
    if depth == 0 || is_sealed {
        return vec![Enclosed { place, text: None }];
    }
    let text = own_text(mail, raw);
    let files = enclosed_in(mail, raw, &text, None, depth - 1);
    [Enclosed { place, text: Some(text) }].into_iter().chain(files).collect()
}

/// Whether a part can be read as text: by its type or its name; of one that says neither, by its bytes.
fn readable(part: &MessagePart<'_>) -> bool {
    let (kind, subtype) = type_of(part);
    let name = part.attachment_name().unwrap_or_default().trim().to_ascii_lowercase();
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    if ends(&[".txt", ".text", ".md"]) {
        return true;
    }
    match kind.as_str() {
        _ if ends(&[".rtf", ".doc", ".eml", ".msg", ".csv", ".xml"]) => false,
        "text" => matches!(subtype.as_str(), "plain" | "html" | "markdown" | "x-markdown"),
        "" => true,
        // Its parts could not be found: it is read as one text.
        "multipart" => part.is_text(),
        "application" if subtype.starts_with("octet") || subtype.starts_with("x-") => {
            let bytes = part.contents();
            let begins =
                ["%", "{\\", "<?xml", "-----BEGIN "].iter().any(|sign| bytes.starts_with(sign.as_bytes()));
            let is_text = |text: &str| !text.contains(|c: char| c.is_control() && !c.is_whitespace());
            !begins && std::str::from_utf8(bytes).is_ok_and(is_text)
        }
        _ => false,
    }
}

/// Whether a part is none that a player puts orders into: a program added it, or the host did.
fn is_added(mail: &Message<'_>, at: usize, part: &MessagePart<'_>) -> bool {
    let (kind, subtype) = type_of(part);
    let name = part.attachment_name().unwrap_or_default().trim().to_ascii_lowercase();
    let by_type = match (kind.as_str(), subtype.as_str()) {
        ("text", sub) => {
            matches!(sub, "calendar" | "vcard" | "x-vcard" | "directory" | "css" | "rfc822-headers")
        }
        ("application", "ms-tnef" | "vnd.ms-tnef") => return !has_files(part.contents()),
        ("application", sub) => matches!(
            sub,
            "ics"
                | "json"
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
        ("image", _) => return is_logo(mail, part),
        _ => false,
    };
    let by_name = || [".vcf", ".ics", ".p7s", ".p7c", "chain.sig"].iter().any(|end| name.ends_with(end));
    let by_content = || {
        let bytes = part.contents().trim_ascii_start();
        [&b"-----BEGIN PGP SIGNATURE-----"[..], b"-----BEGIN PGP PUBLIC KEY BLOCK-----"]
            .iter()
            .any(|sign| bytes.starts_with(sign))
    };
    let is_picture = [".png", ".gif", ".jpg", ".jpeg"].iter().any(|end| name.ends_with(end));
    by_type || by_name() || by_content() || is_picture && is_logo(mail, part) || is_version(mail, at, part)
}

/// Whether a part is one more version of the text, in a form that few programs know.
fn is_version(mail: &Message<'_>, at: usize, part: &MessagePart<'_>) -> bool {
    let versions = mail.parts.iter().filter(|part| part.is_content_type("multipart", "alternative"));
    let mut children = versions.filter_map(|part| match &part.body {
        PartType::Multipart(children) => Some(children),
        _ => None,
    });
    part.attachment_name().is_none()
        && u32::try_from(at).is_ok_and(|at| children.any(|all| all.contains(&at)))
}

/// Whether a picture is too small for orders that somebody wrote by hand: a logo, as it stands in signatures. A mail that is a picture and
/// nothing else has none.
fn is_logo(mail: &Message<'_>, part: &MessagePart<'_>) -> bool {
    let size = part.contents().len();
    let shows = |id: &str| {
        let link = format!("cid:{}", id.trim_matches(['<', '>']));
        mail.parts.iter().any(|part| matches!(&part.body, PartType::Html(page) if page.contains(&link)))
    };
    mail.parts.len() > 1 && (size <= SMALL_PICTURE || size <= LOGO && part.content_id().is_some_and(shows))
}

/// Whether the container that Outlook packs its formatting and its files into (MS-OXTNEF) holds a file, or can't be read.
fn has_files(bytes: &[u8]) -> bool {
    let Some(mut rest) = bytes.strip_prefix(&[0x78, 0x9f, 0x3e, 0x22]).and_then(|rest| rest.get(2..)) else {
        return true;
    };
    while let Some((head, behind)) = rest.split_at_checked(9) {
        let length = u32::from_le_bytes([head[5], head[6], head[7], head[8]]) as usize;
        // Of the two levels the second is that of files.
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

    #[test]
    fn a_name_stays_on_its_line_and_is_no_games() {
        assert_eq!(told("plan\r\nBcc: x [beta].doc", ""), "plan Bcc: x (beta).doc");
        assert_eq!(told(&"x".repeat(100), "").len(), LONGEST_NAME);
        assert_eq!(told(" \u{200b}", "none"), "none");
    }
}
