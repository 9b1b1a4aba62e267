//! Delivery reports: the caller's own mail that came back or is late. Reports in the standard form (RFC 3464, and RFC 6533 for addresses beyond
//! ASCII) are read by their fields, all others by their sender and the words of their text.
//!
//! Anybody can write such a report. To prove that a report is genuine, the caller puts a secret into each mail, into its `Reply-To` or a line of its
//! text. A server that returns the mail returns the secret too ([`Marks::proof_in_address`], [`Marks::proof_in_line`]).

use mail_parser::{Address, Message, MessageParser, MessagePart, MimeHeaders, PartType};

use super::absence::{is_null_path, is_vacation};
use super::headers::{address_in, header};
use super::marks::{Marks, Proof};
use super::part::part_text;

/// A report's statement about one recipient.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bounce {
    /// The address that failed, lower case.
    pub recipient: Option<String>,
    /// The status code of RFC 3463, such as `5.1.1`.
    pub status: Option<String>,
    /// The Message-ID (without `<>`) of the mail that bounced.
    pub original: Option<String>,
    /// The secret of the mail that bounced, as proof of a genuine report, if the report returns that part of the mail.
    pub proof: Option<Proof>,
    /// Whether delivery was given up; `false` if the mail is only late.
    pub failed: bool,
    /// Whether the address is no good; `false` for causes that may pass: a full mailbox, a server that is down, a mail that was taken for spam or is
    /// too large.
    pub permanent: bool,
}

/// Beginnings of the local parts of programs that send reports.
const MAILERS: &[&str] = &["mailer-daemon", "mail-daemon", "mailerdaemon", "microsoftexchange"];

/// Words in the subjects of reports. A person may write from `postmaster@`; a program names the subject of its report.
const FAILURES: &[&str] = &[
    "undeliver",
    "undelivr",
    "delivery",
    "returned mail",
    "failure",
    "failed",
    "unzustellbar",
    "nicht zugestellt",
    "could not be delivered",
    "mail system error",
    "non remis",
    "non consegnat",
    "no se puede entregar",
    "mailbox full",
    "over quota",
];

/// Lines between a report's text and the mail that it returns.
const BELOW: &[&str] = &[
    "--- below this line is a copy",
    "--- this is a copy of",
    "--- the header of the original",
    "--- original message",
    "--- unsent message follows",
    "original message header",
    "original message follows",
    "message text follows",
    "message headers follow",
    "message headers:",
    "--- the transcript",
    "--- forwarded message",
];

/// Beginnings of header lines in a returned mail that follows without a separator: one of these must be there, and one more of these or of
/// [`FIELDS`]. A report may name a single field in words of its own.
const HEAD: &[&str] = &["return-path:", "received:", "message-id:"];

/// Other fields in a mail's header.
const FIELDS: &[&str] = &["from:", "to:", "date:", "subject:", "reply-to:"];

/// Statuses of RFC 3463 that begin with 5 but aren't a lasting fault of the address: a full mailbox, a system's storage, a mail that is too large, a
/// loop, a time limit, the content, a policy (mail taken for spam is refused so), and faults of the sender's address or of the servers' protocol.
const MAY_MEND: &[&str] = &[
    "5.1.7", "5.1.8", "5.2.2", "5.2.3", "5.3.", "5.4.0", "5.4.3", "5.4.5", "5.4.6", "5.4.7", "5.5.1",
    "5.5.2", "5.5.3", "5.5.4", "5.5.5", "5.5.6", "5.6.", "5.7.",
];

/// How many recipients of a report count: a report about more is cut short.
const MOST_RECIPIENTS: usize = 20;

/// Reads a delivery report; `None` if the mail is something else.
pub(super) fn read(
    mail: &Message<'_>,
    raw: &[u8],
    from: &[String],
    subject: &str,
    marks: &dyn Marks,
) -> Option<Vec<Bounce>> {
    let is_status = |part: &&MessagePart<'_>| {
        ["delivery-status", "global-delivery-status"]
            .iter()
            .any(|subtype| part.is_content_type("message", subtype))
    };
    let mut bounces = match mail.parts.iter().find(is_status) {
        Some(part) => read_delivery_status(&String::from_utf8_lossy(part.contents())),
        None if is_from_mailer(mail, raw, from, subject, marks) => read_loose(mail, raw, subject, marks),
        None => return None,
    };
    bounces.truncate(MOST_RECIPIENTS);
    let Returned { original, proof, .. } = returned(mail, raw, marks);
    // A report that returns nothing may still be an answer to the mail. That proves nothing, but somebody should hear of it.
    let original = original.or_else(|| answered(mail, raw));
    for bounce in &mut bounces {
        bounce.original.clone_from(&original);
        bounce.proof.clone_from(&proof);
    }
    Some(bounces)
}

/// The proof in a mail of the caller's own; a report that returns the mail has to show it.
#[must_use]
pub fn proof_in(raw: &[u8], marks: &dyn Marks) -> Option<Proof> {
    let mail = MessageParser::default().parse(raw)?;
    of_message(&mail, marks).proof
}

fn is_from_mailer(mail: &Message<'_>, raw: &[u8], from: &[String], subject: &str, marks: &dyn Marks) -> bool {
    let sender =
        |is: &dyn Fn(&str) -> bool| from.iter().filter_map(|address| address.split('@').next()).any(is);
    let lower = subject.to_lowercase();
    let tells = || FAILURES.iter().any(|word| lower.contains(word));
    // Some programs write an empty sender into `From`: `MAILER-DAEMON <>`.
    let from_nobody = || from.is_empty();
    let by_name = || header(mail, raw, "from").is_some_and(|line| is_mailers_name(&line));
    let null = || from_nobody() || header(mail, raw, "return-path").is_some_and(|path| is_null_path(&path));
    // The mail is returned, in whatever language the report is written. Reports of another kind return mail too: that a mail was read, for example.
    let returns = || {
        let Returned { original, proof, to } = returned(mail, raw, marks);
        let is_other =
            mail.root_part().is_content_type("multipart", "report") || is_vacation(mail, raw, subject);
        // A sender to whom the mail was addressed has received it.
        let is_its_reader = from.iter().any(|from| to.iter().any(|to| to.eq_ignore_ascii_case(from)));
        original.is_some() && proof.is_some() && !is_other && !is_its_reader
    };
    sender(&|local| is_mailers_name(local))
        || from_nobody() && by_name()
        || header(mail, raw, "x-failed-recipients").is_some()
        || sender(&|local| local == "postmaster") && tells()
        || null() && (tells() || returns())
}

/// Whether a local part, or a line without an address, is the name of a program that sends reports.
fn is_mailers_name(name: &str) -> bool {
    let name =
        name.trim_start_matches(|c: char| c.is_whitespace() || "\"'<(".contains(c)).to_ascii_lowercase();
    MAILERS.iter().any(|mailer| name.starts_with(mailer))
}

/// Reads a report in the form of RFC 3464: groups of fields, the first about the report, then one for each recipient.
fn read_delivery_status(report: &str) -> Vec<Bounce> {
    let report = report.replace("\r\n", "\n");
    let groups: Vec<&str> = report.split("\n\n").filter(|group| !group.trim().is_empty()).collect();
    let bounces: Vec<Bounce> = groups.iter().filter_map(|group| read_recipient_group(group)).collect();
    // A report that all was delivered, relayed or expanded names its recipients too.
    let is_good = groups.iter().any(|group| field(group, "action").is_some());
    if bounces.is_empty() && !is_good {
        return vec![Bounce { failed: true, ..Bounce::default() }];
    }
    bounces
}

fn field(group: &str, name: &str) -> Option<String> {
    let unfolded = group.replace("\n ", " ").replace("\n\t", " ");
    unfolded
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find_map(|(field, value)| field.trim().eq_ignore_ascii_case(name).then(|| value.trim().to_owned()))
}

fn read_recipient_group(group: &str) -> Option<Bounce> {
    // The recipient as the caller wrote it matters more than the address that it was forwarded to.
    let recipient = field(group, "original-recipient").or_else(|| field(group, "final-recipient"))?;
    let address = recipient.split_once(';').map_or(recipient.as_str(), |(_, address)| address);
    let action = field(group, "action").unwrap_or_else(|| "failed".to_owned()).to_ascii_lowercase();
    let failed = match action.split_whitespace().next().unwrap_or_default() {
        "failed" => true,
        "delayed" => false,
        _ => return None,
    };
    // Some servers write 5.0.0 as the status, and the real code into the diagnostic text.
    let status = field(group, "status").and_then(|text| find_status(&text));
    let told = field(group, "diagnostic-code").and_then(|text| find_status(&text));
    let status = match (status, told) {
        (Some(vague), Some(told)) if vague.ends_with(".0.0") && told[..1] == vague[..1] => Some(told),
        (status, told) => status.or(told),
    };
    let permanent = failed && is_permanent(status.as_deref());
    Some(Bounce { recipient: address_in(address), status, failed, permanent, ..Bounce::default() })
}

/// The status in a server's reply to a mail that it refused for good, `550 5.1.1 no such user`; and whether that says that the address is no good.
#[must_use]
pub fn read_reply(reply: &str) -> (Option<String>, bool) {
    let status = find_status(reply).or_else(|| find_reply(reply)).or_else(|| find_code(reply));
    let permanent = is_permanent(status.as_deref());
    (status, permanent)
}

/// The class of a reply that a mail library reports as `permanent error (521): …`, as a status.
fn find_code(told: &str) -> Option<String> {
    let code = told.split_once("error (")?.1.split_once(')')?.0;
    let class = code.chars().next().filter(|class| ['4', '5'].contains(class))?;
    (code.len() == 3 && code.parse::<u16>().is_ok()).then(|| format!("{class}.0.0"))
}

/// Whether a failure with this status says that the address is no good. A failure without a status does.
fn is_permanent(status: Option<&str>) -> bool {
    status.is_none_or(|status| {
        status.starts_with('5') && !MAY_MEND.iter().any(|class| status.starts_with(class))
    })
}

/// Reads reports in no standard form (qmail, old Exim, IMail, MailEnable …): addresses from Exim's header or from the text.
fn read_loose(mail: &Message<'_>, raw: &[u8], subject: &str, marks: &dyn Marks) -> Vec<Bounce> {
    let text = words(mail, raw, marks);
    // The returned mail often follows in the same text and contains other addresses.
    let lower = text.to_ascii_lowercase();
    let end = start_of_returned(&lower).unwrap_or(text.len());
    let (told, lower) = (&text[..end], &lower[..end]);
    let status = find_status(told).or_else(|| find_reply(told));
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let full = says(&["over quota", "quota exceeded", "quota is exceeded"])
        || says(&["mailbox"]) && says(&[" full", "exceeds", "exceeded"]);
    // Exim gives up on a server that was long out of reach, and qmail in the end on any mail, whatever the cause.
    let gave_up = says(&["retry timeout exceeded", "retry time not reached", "in the queue too long"]);
    let late = says(&["delayed", "will be retried", "will keep trying", "do not need to resend"])
        || subject.to_lowercase().contains("delay");
    let late = late && status.as_deref().is_none_or(|status| !status.starts_with('5'));
    let permanent = !late && !full && !gave_up && is_permanent(status.as_deref());
    let one = |recipient| Bounce {
        recipient,
        status: status.clone(),
        failed: !late,
        permanent,
        ..Bounce::default()
    };
    if let Some(named) = header(mail, raw, "x-failed-recipients") {
        let recipients: Vec<String> =
            named.replace(',', " ").split_whitespace().filter_map(address_in).collect();
        if !recipients.is_empty() {
            return recipients.into_iter().map(|recipient| one(Some(recipient))).collect();
        }
    }
    // A Message-ID looks like an address.
    let lines = || told.lines().filter(|line| !begins(&line.to_ascii_lowercase(), HEAD));
    let bracketed =
        |line: &str| line.split('<').skip(1).filter_map(|rest| rest.split('>').next()).find_map(address_in);
    vec![one(lines().find_map(bracketed).or_else(|| lines().find_map(address_in)))]
}

/// The place in a report's text, in lower case, where the returned mail begins.
fn start_of_returned(lower: &str) -> Option<usize> {
    BELOW.iter().filter_map(|mark| lower.find(mark)).chain(start_of_head(lower)).min()
}

/// The place in a text, in lower case, where the header of a mail begins without a separator line before it.
fn start_of_head(lower: &str) -> Option<usize> {
    let (mut at, mut first, mut fields, mut is_head) = (0, 0, 0, false);
    for line in lower.split_inclusive('\n') {
        let is_of_head = begins(line, HEAD);
        if line.trim().is_empty() {
            (fields, is_head) = (0, false);
        } else if is_of_head || begins(line, FIELDS) {
            first = if fields == 0 { at } else { first };
            fields += 1;
            is_head |= is_of_head;
        }
        if is_head && fields > 1 {
            return Some(first);
        }
        at += line.len();
    }
    None
}

fn begins(line: &str, names: &[&str]) -> bool {
    names.iter().any(|name| line.starts_with(name))
}

/// The text of a report; if the report is damaged, the text of its raw bytes.
fn words(mail: &Message<'_>, raw: &[u8], marks: &dyn Marks) -> String {
    let told: Vec<String> =
        mail.text_bodies().filter(|part| part.is_text()).map(|part| part_text(part, raw, marks)).collect();
    match told.as_slice() {
        [] => String::from_utf8_lossy(mail.root_part().contents()).into_owned(),
        told => told.join("\n"),
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

/// The first SMTP reply in a text without a status, such as `452`, as a status.
fn find_reply(text: &str) -> Option<String> {
    let is_reply = |word: &&str| {
        word.len() == 3 && (word.starts_with("45") || word.starts_with("55")) && word.parse::<u16>().is_ok()
    };
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '@');
    words.find(is_reply).map(|reply| match reply {
        "452" | "552" => format!("{}.2.2", &reply[..1]),
        _ => format!("{}.0.0", &reply[..1]),
    })
}

/// The Message-ID of the mail that a report says it answers.
fn answered(mail: &Message<'_>, raw: &[u8]) -> Option<String> {
    let named = ["x-original-message-id", "in-reply-to", "references"];
    let ids = named.iter().find_map(|name| header(mail, raw, name))?;
    let last = ids.split_whitespace().last()?.trim_matches(['<', '>']);
    last.contains('@').then(|| last.to_owned())
}

/// The part of a bounced mail that a report returns.
#[derive(Default)]
struct Returned {
    original: Option<String>,
    proof: Option<Proof>,
    /// The recipients of that mail.
    to: Vec<String>,
}

fn returned(mail: &Message<'_>, raw: &[u8], marks: &dyn Marks) -> Returned {
    for part in &mail.parts {
        let found = match &part.body {
            PartType::Message(message) => of_message(message, marks),
            _ if is_headers(part) => of_lines(&String::from_utf8_lossy(part.contents()), marks),
            _ => continue,
        };
        if found.original.is_some() {
            return found;
        }
    }
    of_lines(&words(mail, raw, marks), marks)
}

/// Whether a part holds a mail's headers, or a mail that the parser has not parsed.
fn is_headers(part: &MessagePart<'_>) -> bool {
    [
        ("text", "rfc822-headers"),
        ("message", "rfc822-headers"),
        ("message", "global-headers"),
        ("message", "global"),
    ]
    .iter()
    .any(|(kind, subtype)| part.is_content_type(kind, subtype))
}

fn of_message(message: &Message<'_>, marks: &dyn Marks) -> Returned {
    let reply_to = message.reply_to().and_then(|list| list.first()).and_then(|addr| addr.address());
    let in_text = || {
        let texts = message.text_bodies().filter_map(MessagePart::text_contents);
        texts.flat_map(str::lines).find_map(|line| marks.proof_in_line(line))
    };
    Returned {
        original: message.message_id().map(str::to_owned),
        proof: reply_to.and_then(|address| marks.proof_in_address(address)).or_else(in_text),
        to: message.to().map(addresses).unwrap_or_default(),
    }
}

fn addresses(list: &Address<'_>) -> Vec<String> {
    list.iter().filter_map(|addr| addr.address()).map(str::to_owned).collect()
}

/// Reads them from a text that quotes a mail, or lists its headers.
fn of_lines(text: &str, marks: &dyn Marks) -> Returned {
    let mut found = Returned::default();
    let mut lines = text.lines().map(|line| line.trim_start_matches(['>', ' ', '\t'])).peekable();
    while let Some(line) = lines.next() {
        if let Some(proof) = marks.proof_in_line(line) {
            found.proof = found.proof.or(Some(proof));
        }
        let Some((name, value)) = line.split_once(':') else { continue };
        // A long value may stand on the next line.
        let value = match value.trim() {
            "" => lines.peek().copied().unwrap_or_default(),
            value => value,
        };
        if name.eq_ignore_ascii_case("message-id") && found.original.is_none() {
            let id = value.trim().trim_matches(['<', '>']);
            found.original = id.contains('@').then(|| id.to_owned());
        } else if name.eq_ignore_ascii_case("reply-to") && found.proof.is_none() {
            found.proof = address_in(value).as_deref().and_then(|address| marks.proof_in_address(address));
        } else if name.eq_ignore_ascii_case("to") && found.to.is_empty() {
            found.to.extend(address_in(value));
        }
    }
    found
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
        assert_eq!(
            (told[0].status.as_deref(), told[0].failed, told[0].permanent),
            (Some("5.1.1"), true, true)
        );
        assert_eq!(
            (told[1].status.as_deref(), told[1].failed, told[1].permanent),
            (Some("4.2.2"), false, false)
        );
    }

    struct Secret;

    impl Marks for Secret {
        fn proof_in_address(&self, address: &str) -> Option<Proof> {
            Some(Proof::new(address.split_once('@')?.0.split_once('+')?.1))
        }
    }

    #[test]
    fn the_proof_of_a_returned_mail_is_that_of_its_first_reply_to() {
        let returned = |lines: &[String]| of_lines(&lines.join("\n"), &Secret).proof;
        let head = |name: &str, secret: &str| format!("{name}: <host+{secret}@example.org>");
        let proof = |text: &str| Some(Proof::new(text));
        assert_eq!(returned(&[head("Reply-To", "one"), head("Reply-To", "other")]), proof("one"));
        assert_eq!(returned(&[head("X-Failed", "other"), head("Reply-To", "one")]), proof("one"));
        assert_eq!(returned(&[head("From", "one")]), None);
        let named =
            of_lines("From: <a@b>\nMessage-ID: <one@host>\nMessage-ID: <two@host>\n", &Secret).original;
        assert_eq!(named.as_deref(), Some("one@host"));
        let to = of_lines("Cc: <a@b>\nTo: <ney@players>\nTo: <mack@players>\n", &Secret).to;
        assert_eq!(to, ["ney@players"]);
    }

    #[test]
    fn a_report_that_all_went_well_tells_of_nobody() {
        let report = "Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822;ney@example.org\nAction: delivered\nStatus: 2.0.0\n";
        assert_eq!(read_delivery_status(report), []);
    }

    #[test]
    fn what_may_mend_says_nothing_of_the_address() {
        for (status, permanent) in [
            (None, true),
            (Some("5.1.1"), true),
            (Some("5.2.1"), true),
            (Some("5.0.0"), true),
            (Some("5.2.2"), false),
            (Some("5.7.1"), false),
            (Some("5.3.4"), false),
            (Some("5.4.7"), false),
            (Some("4.4.7"), false),
            (Some("5.1.8"), false),
            (Some("5.5.2"), false),
        ] {
            assert_eq!(is_permanent(status), permanent, "{status:?}");
        }
    }

    #[test]
    fn a_vague_status_gives_way_to_the_diagnostic() {
        let group = "Final-Recipient: rfc822; ney@example.org\nAction: failed\nStatus: 5.0.0\n\
                     Diagnostic-Code: smtp; 552 5.2.2 Over quota\n";
        let bounce = read_recipient_group(group).unwrap();
        assert_eq!((bounce.status.as_deref(), bounce.permanent), (Some("5.2.2"), false));
    }

    #[test]
    fn a_status_is_not_an_address_or_a_date() {
        assert_eq!(find_status("at 192.168.0.1 on 5.12 said 550 5.7.1, sorry"), Some("5.7.1".to_owned()));
        assert_eq!(find_status("no code here 10.5.1.1.2"), None);
        assert_eq!(find_reply("Remote host said: 552 mailbox too big"), Some("5.2.2".to_owned()));
        assert_eq!(find_reply("5500 players, 10.0.0.45"), None);
        assert_eq!(read_reply("permanent error (521): no thanks"), (Some("5.0.0".to_owned()), true));
        assert_eq!(read_reply("transient error (432): in a moment"), (Some("4.0.0".to_owned()), false));
        assert_eq!(read_reply("the connection was lost (32)"), (None, true));
    }
}
