//! Mail that no person wrote, which must never be answered (RFC 3834), and what bounces say (RFC 3464).

use mail_parser::{Message, MessagePart, MimeHeaders, PartType};

use super::inbound::{address_in, header, headers};

/// Why a letter counts as automatic. None of these is ever answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Automatic {
    /// Mail could not be delivered, or is late: one entry for each recipient the report names, at least one.
    Bounce(Vec<Bounce>),
    /// The host's own mail come back: it carries the header that [`super::compose`] sets.
    OwnMail,
    /// Marked `Auto-Submitted`, or a report of another kind (that a mail was read, say).
    AutoSubmitted,
    /// A vacation notice without the proper header.
    Vacation,
    /// From a mailing list or in bulk.
    List,
    /// The return path is `<>`: an answer would go nowhere.
    NullSender,
}

/// What a bounce says of one recipient.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bounce {
    /// The address that failed, lower case.
    pub recipient: Option<String>,
    /// The status code of RFC 3463, such as `5.1.1`.
    pub status: Option<String>,
    /// The Message-ID (without `<>`) of the mail that bounced.
    pub original: Option<String>,
    /// Whether delivery was given up for good; `false` for a delay or a full mailbox, which may mend.
    pub permanent: bool,
}

/// How vacation notices begin their subjects. A person's answer begins with `Re:` instead.
const VACATION_SUBJECTS: &[&str] = &[
    "automatic reply",
    "auto reply",
    "autoreply",
    "auto-reply",
    "auto:",
    "out of office",
    "out of the office",
    "vacation reply",
    "abwesenheit",
    "automatische antwort",
    "automatisch antwoord",
    "réponse automatique",
    "respuesta automática",
    "risposta automatica",
    "resposta automática",
    "autosvar",
    "automatiskt svar",
];

/// Headers whose mere presence marks an automatic answer.
const VACATION_HEADERS: &[&str] = &["x-autoreply", "x-autorespond", "x-autoresponder", "x-autoreply-from"];

/// Headers whose mere presence marks a mailing list.
const LIST_HEADERS: &[&str] = &["list-id", "list-post", "list-unsubscribe", "mailing-list", "x-mailing-list"];

/// Classifies a mail by its headers, and by its parts where it reports a failed delivery.
pub(super) fn classify(mail: &Message<'_>, raw: &[u8], from: &[String], subject: &str) -> Option<Automatic> {
    let says = |name: &str| header(mail, raw, name).map(|value| value.to_lowercase());
    let has = |names: &[&str]| names.iter().any(|name| header(mail, raw, name).is_some());
    if let Some(bounces) = read_bounce(mail, raw, from, subject) {
        return Some(Automatic::Bounce(bounces));
    }
    if has(&[super::outbound::OWN_HEADER]) {
        return Some(Automatic::OwnMail);
    }
    let report = mail.root_part().is_content_type("multipart", "report");
    if report || says("auto-submitted").is_some_and(|value| !value.starts_with("no")) {
        return Some(Automatic::AutoSubmitted);
    }
    let subject = subject.to_lowercase();
    let suppressed = says("x-auto-response-suppress").is_some_and(|value| value.trim() == "all");
    let replied = says("precedence").is_some_and(|value| value.contains("auto_reply"));
    let announced = VACATION_SUBJECTS.iter().any(|start| subject.starts_with(start));
    if suppressed || replied || announced || has(VACATION_HEADERS) {
        return Some(Automatic::Vacation);
    }
    let bulk = |value: String| ["bulk", "list", "junk"].contains(&value.trim());
    if has(LIST_HEADERS) || says("precedence").is_some_and(bulk) {
        return Some(Automatic::List);
    }
    says("return-path").is_some_and(|value| value.trim() == "<>").then_some(Automatic::NullSender)
}

/// Reads a delivery report: the standard one by its fields, others by their sender and what their text shows.
fn read_bounce(mail: &Message<'_>, raw: &[u8], from: &[String], subject: &str) -> Option<Vec<Bounce>> {
    let original = mail.parts.iter().find_map(original_id);
    let status_part = mail.parts.iter().find(|part| part.is_content_type("message", "delivery-status"));
    let mut bounces = match status_part {
        Some(part) => read_delivery_status(&String::from_utf8_lossy(part.contents())),
        None if is_from_mailer(from, subject) || header(mail, raw, "x-failed-recipients").is_some() => {
            read_loose_bounce(mail, raw)
        }
        None => return None,
    };
    for bounce in &mut bounces {
        bounce.original.clone_from(&original);
    }
    Some(bounces)
}

fn is_from_mailer(from: &[String], subject: &str) -> bool {
    let sender = |names: &[&str]| {
        from.iter().filter_map(|address| address.split('@').next()).any(|local| names.contains(&local))
    };
    let subject = subject.to_lowercase();
    let failure = ["undeliver", "delivery", "returned mail", "failure", "unzustellbar"];
    // A person may write from postmaster@; a machine says what it is about.
    sender(&["mailer-daemon", "mail-daemon"])
        || sender(&["postmaster"]) && failure.iter().any(|word| subject.contains(word))
}

/// RFC 3464: groups of fields, the first about the report, then one for each recipient.
fn read_delivery_status(report: &str) -> Vec<Bounce> {
    let report = report.replace("\r\n", "\n");
    let groups = report.split("\n\n").filter(|group| !group.trim().is_empty());
    let bounces: Vec<Bounce> = groups.filter_map(read_recipient_group).collect();
    if bounces.is_empty() { vec![Bounce { permanent: true, ..Bounce::default() }] } else { bounces }
}

fn read_recipient_group(group: &str) -> Option<Bounce> {
    let unfolded = group.replace("\n ", " ").replace("\n\t", " ");
    let field = |name: &str| {
        unfolded.lines().filter_map(|line| line.split_once(':')).find_map(|(field, value)| {
            field.trim().eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    };
    // The recipient as we wrote it matters more than where it was forwarded to.
    let recipient = field("original-recipient").or_else(|| field("final-recipient"))?;
    let address = recipient.split_once(';').map_or(recipient.as_str(), |(_, address)| address);
    let action = field("action").unwrap_or_else(|| "failed".to_owned()).to_ascii_lowercase();
    if !["failed", "delayed"].contains(&action.as_str()) {
        return None;
    }
    let status = field("status").and_then(|text| find_status(&text));
    let permanent = action == "failed" && status.as_deref().is_none_or(|status| status.starts_with('5'));
    Some(Bounce { recipient: address_in(address), status, original: None, permanent })
}

/// Reports in no standard form (qmail, Exim, old Exchange): addresses from Exim's header or from `<…>` in the text.
fn read_loose_bounce(mail: &Message<'_>, raw: &[u8]) -> Vec<Bounce> {
    let told: Vec<&str> = mail.text_bodies().filter_map(MessagePart::text_contents).collect();
    let text = match told.as_slice() {
        // Damaged MIME: the report is in there somewhere.
        [] => String::from_utf8_lossy(mail.root_part().contents()).into_owned(),
        told => told.join("\n"),
    };
    // The returned mail often follows in the same text, with addresses of its own.
    let told = text.split("--- Below this line is a copy").next().unwrap_or_default();
    let status = find_status(told);
    let permanent = status.as_deref().is_none_or(|status| status.starts_with('5'));
    let named = header(mail, raw, "x-failed-recipients").map(|value| value.replace(',', " "));
    let recipients: Vec<String> = match named {
        Some(named) => named.split_whitespace().filter_map(address_in).collect(),
        None => told
            .split('<')
            .skip(1)
            .filter_map(|rest| rest.split('>').next())
            .find_map(address_in)
            .into_iter()
            .collect(),
    };
    let one = |recipient| Bounce { recipient, status: status.clone(), original: None, permanent };
    if recipients.is_empty() {
        vec![one(None)]
    } else {
        recipients.into_iter().map(|r| one(Some(r))).collect()
    }
}

/// The first `4.x.y` or `5.x.y` of a text.
fn find_status(text: &str) -> Option<String> {
    text.split(|c: char| !c.is_ascii_digit() && c != '.').map(|word| word.trim_matches('.')).find_map(
        |word| {
            let parts: Vec<&str> = word.split('.').collect();
            let number = |part: &&str| (1..=3).contains(&part.len());
            (parts.len() == 3 && ["4", "5"].contains(&parts[0]) && parts.iter().all(number))
                .then(|| word.to_owned())
        },
    )
}

/// The Message-ID of the mail that a report returns, whole or as headers only.
fn original_id(part: &MessagePart<'_>) -> Option<String> {
    match &part.body {
        PartType::Message(message) => message.message_id().map(str::to_owned),
        PartType::Text(text) if part.is_content_type("text", "rfc822-headers") => headers(text)
            .find(|(name, _)| name.eq_ignore_ascii_case("message-id"))
            .map(|(_, value)| value.trim().trim_matches(['<', '>']).to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_recipient_of_a_report_is_told_and_a_delay_is_not_for_good() {
        let report = "Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; Ney@Example.org\nAction: failed\n\
                      Status: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1\n no such user\n\n\
                      Final-Recipient: rfc822;mack@example.org\nAction: delayed\nStatus: 4.2.2 (full)\n";
        let told = read_delivery_status(report);
        assert_eq!(told.len(), 2);
        assert_eq!(told[0].recipient.as_deref(), Some("ney@example.org"));
        assert_eq!((told[0].status.as_deref(), told[0].permanent), (Some("5.1.1"), true));
        assert_eq!((told[1].status.as_deref(), told[1].permanent), (Some("4.2.2"), false));
    }

    #[test]
    fn a_status_is_not_an_address_or_a_date() {
        assert_eq!(find_status("at 192.168.0.1 on 5.12 said 550 5.7.1, sorry"), Some("5.7.1".to_owned()));
        assert_eq!(find_status("no code here 10.5.1.1.2"), None);
    }
}
