//! Mail that no person wrote, or that asks for no answer by a program (RFC 3834).

use mail_parser::{Message, MessagePart, MimeHeaders};

use super::absence::{announces_absence, is_marked_as_vacation, is_null_path};
use super::bounce::{self, Bounce};
use super::headers::header;
use super::marks::Marks;

/// Why a letter counts as automatic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Automatic {
    /// Mail could not be delivered, or is late: one entry for each recipient the report names, at least one.
    Bounce(Vec<Bounce>),
    /// The caller's own mail come back: it bears the header [`Marks::own_header`].
    OwnMail,
    /// Marked `Auto-Submitted`, or a report of another kind (that a mail was read, say).
    AutoSubmitted,
    /// A vacation notice that a header of some program's own shows to be one.
    Vacation,
    /// Its subject begins as those of vacation notices do, and nothing else says that a program wrote it.
    CalledAway,
    /// From a mailing list, in bulk, or from an address that only programs write from.
    List,
    /// It asks other programs for silence, as some mail servers do in the name of all their people
    /// (`X-Auto-Response-Suppress: All`).
    Suppressed,
    /// A calendar's answer to an appointment (RFC 5546).
    CalendarReply,
    /// The return path is `<>`: an answer would go nowhere.
    NullSender,
}

impl Automatic {
    /// What it is, in a word.
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

    /// Whether a person may have written it all the same: servers mark people's mail so too, calendars let them add words, and who is
    /// out of office tomorrow may say so in a subject. Such a mail counts if it proves whose it is; otherwise it is passed over like the
    /// rest, and none of the rest is ever answered.
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

/// Headers whose mere presence marks a mailing list (RFC 2369, RFC 2919, and older ones).
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

/// Local parts that only programs write from.
const ROBOTS: &[&str] =
    &["noreply", "no-reply", "no_reply", "donotreply", "do-not-reply", "listserv", "majordomo", "mailman"];

/// Classifies a mail by its headers, and by its parts where it reports a failed delivery.
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

/// Whether a part tells how somebody answers an appointment.
fn is_calendar_reply(part: &MessagePart<'_>) -> bool {
    let method = part.content_type().and_then(|content| content.attribute("method"));
    part.is_content_type("text", "calendar")
        && method.is_some_and(|method| {
            ["reply", "counter", "refresh"].iter().any(|way| method.eq_ignore_ascii_case(way))
        })
}

/// Whether only programs write from this address: RFC 3834, section 2, and what has come up since.
fn is_robot(address: &str) -> bool {
    let local = address.split('@').next().unwrap_or_default();
    let local = local.split('+').next().unwrap_or_default();
    ROBOTS.contains(&local)
        || local.starts_with("owner-")
        || ["-request", "-owner", "-bounces", "-bounce"].iter().any(|end| local.ends_with(end))
}
