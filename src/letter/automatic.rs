//! Recognises mail that no person wrote, or that programs must not answer (RFC 3834).

use mail_parser::{Message, MessagePart, MimeHeaders};

use super::absence::{announces_absence, is_marked_as_vacation, is_null_path};
use super::bounce::{self, Bounce};
use super::headers::header;
use super::marks::Marks;

/// Why a letter counts as automatic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Automatic {
    /// A mail could not be delivered, or is late: one entry for each recipient that the report names, at least one.
    Bounce(Vec<Bounce>),
    /// A mail of the caller's own came back: it bears the header [`Marks::own_header`].
    OwnMail,
    /// The mail is marked `Auto-Submitted`, or is a report of another kind (that a mail was read, for example).
    AutoSubmitted,
    /// A vacation notice, marked as such by a header of some program's own.
    Vacation,
    /// The subject begins like that of a vacation notice, and nothing else says that a program wrote the mail.
    CalledAway,
    /// The mail is from a mailing list, in bulk, or from an address that only programs use.
    List,
    /// The mail asks other programs not to answer, as some mail servers do in all mail of their users (`X-Auto-Response-Suppress: All`).
    Suppressed,
    /// A calendar program's answer to an appointment (RFC 5546).
    CalendarReply,
    /// The return path is `<>`: an answer would go nowhere.
    NullSender,
}

impl Automatic {
    /// The reason in one word.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Bounce(_) => "bounce",
            Self::OwnMail => "own mail",
            Self::AutoSubmitted => "auto-submitted",
            Self::Vacation => "vacation notice",
            Self::CalledAway => "vacation notice by its subject",
            Self::List => "list",
            Self::Suppressed => "asks for silence",
            Self::CalendarReply => "calendar's reply",
            Self::NullSender => "null sender",
        }
    }

    /// Whether a person may have written the mail even so: servers mark people's mail too, calendars let people add words, and the subject of a
    /// person's mail may announce an absence. Such a mail counts if it proves its sender; otherwise it is ignored like the other kinds. None of the
    /// other kinds is ever answered.
    #[must_use]
    pub const fn may_be_a_persons(&self) -> bool {
        match self {
            Self::List | Self::Suppressed | Self::CalendarReply | Self::CalledAway => true,
            Self::Bounce(_) | Self::OwnMail | Self::AutoSubmitted | Self::Vacation | Self::NullSender => {
                false
            }
        }
    }
}

/// Headers that mark a mailing list, whatever their value (RFC 2369, RFC 2919, and older ones).
const LIST_HEADERS: &[&str] = &[
    "list-id",
    "list-post",
    "list-unsubscribe",
    "list-subscribe",
    "list-help",
    "list-owner",
    "list-archive",
    "mailing-list",
    "x-mailing-list",
    "x-beenthere",
];

/// Local parts that only programs use.
const ROBOTS: &[&str] =
    &["noreply", "no-reply", "no_reply", "donotreply", "do-not-reply", "listserv", "majordomo", "mailman"];

/// Classifies a mail by its headers, and by its parts if it reports a failed delivery.
pub(super) fn classify(
    mail: &Message<'_>,
    raw: &[u8],
    from: &[String],
    subject: &str,
    marks: &dyn Marks,
) -> Option<Automatic> {
    let says = |name: &str| header(mail, raw, name).map(|value| value.to_lowercase());
    let has = |names: &[&str]| names.iter().any(|name| header(mail, raw, name).is_some());
    if let Some(bounces) = bounce::read(mail, raw, from, subject, marks) {
        return Some(Automatic::Bounce(bounces));
    }
    if marks.own_header().is_some_and(|name| has(&[name])) {
        return Some(Automatic::OwnMail);
    }
    let report = mail.root_part().is_content_type("multipart", "report");
    if report || says("auto-submitted").is_some_and(|value| !value.starts_with("no")) {
        return Some(Automatic::AutoSubmitted);
    }
    let precedence = says("precedence").map(|value| value.trim().to_owned());
    if is_marked_as_vacation(mail, raw) {
        return Some(Automatic::Vacation);
    }
    if header(mail, raw, "return-path").is_some_and(|path| is_null_path(&path)) {
        return Some(Automatic::NullSender);
    }
    let bulk = precedence.is_some_and(|value| ["bulk", "list", "junk"].contains(&value.as_str()));
    if bulk || has(LIST_HEADERS) || from.iter().any(|address| is_robot(address)) {
        return Some(Automatic::List);
    }
    if mail.parts.iter().any(is_calendar_reply) {
        return Some(Automatic::CalendarReply);
    }
    if announces_absence(subject) {
        return Some(Automatic::CalledAway);
    }
    let silence = |value: String| {
        value.split([',', ';']).map(str::trim).any(|word| ["all", "autoreply"].contains(&word))
    };
    says("x-auto-response-suppress").is_some_and(silence).then_some(Automatic::Suppressed)
}

/// Whether a part is somebody's answer to an appointment.
fn is_calendar_reply(part: &MessagePart<'_>) -> bool {
    let method = part.content_type().and_then(|content| content.attribute("method"));
    part.is_content_type("text", "calendar")
        && method.is_some_and(|method| {
            ["reply", "counter", "refresh"].iter().any(|way| method.eq_ignore_ascii_case(way))
        })
}

/// Whether only programs write from this address: the names of RFC 3834, section 2, and newer ones.
fn is_robot(address: &str) -> bool {
    let local = address.split('@').next().unwrap_or_default();
    let local = local.split('+').next().unwrap_or_default();
    ROBOTS.contains(&local)
        || local.starts_with("owner-")
        || ["-request", "-owner", "-bounces", "-bounce"].iter().any(|end| local.ends_with(end))
}
