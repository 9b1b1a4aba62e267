//! The mails that the host writes: the contents of each, and how the host's [`Templates`] turn them into a message.

use std::borrow::Cow;

use minijinja::value::Value;
use serde::Serialize;

pub use super::deadline::Deadline;
use super::dice::revealed;
pub use super::dice::{assurance, leaves, leaves_in_lines};
pub use super::form::{form_of, join_form};
pub use super::mail::{
    Addressee, AuditDelivery, BoundLeaves, Dispatch, Final, Help, History, Invitation, Message, Notice, Part,
    Revealed, WindowShown,
};
use super::page::{self, Piece, Pieces, Sheet};
pub use super::reason::Reason;
pub use super::receipt::{NotRead, Receipt, problems};
use super::text::sentence;
use super::told::Told;
use super::{Templates, receipt};
use musterd_dice::GameId;
use musterd_engine::briefing::{Briefing, Fact, Section};

/// The answer to a mail that changed nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The game, if it is known.
    pub game: Option<GameId>,
    /// Why the mail changed nothing.
    #[serde(flatten)]
    pub reason: Reason,
    /// The subject of the mail refused.
    pub about: String,
    /// When the mail arrived, in the reader's zone; empty if it doesn't matter.
    pub arrived: String,
    /// The open window of the seat that wrote, if the sender has proved to be its player.
    #[serde(rename = "now_open")]
    pub window: Option<WindowShown>,
    /// Whether this mail makes a `READY` wait that stands in earlier orders.
    pub ready_waits: bool,
    /// A sentence or two saying that the mail stopped a turn that was about to run.
    pub stopped: Option<String>,
    /// Whether the game has a GM, who is told of mails that prove nothing.
    pub has_gm: bool,
    /// The host's plain address.
    pub host: String,
}

/// The report after an adjudication, with the order form.
pub fn dispatch(templates: &Templates, mail: &Dispatch) -> Message {
    templates.message(&dispatch_sheet(mail))
}

pub(super) fn dispatch_sheet(mail: &Dispatch) -> Sheet<'_> {
    let Dispatch { briefing, window, .. } = mail;
    let wanted = match window.part {
        Part::Phasing => "orders",
        Part::Standing => "standing orders",
    };
    let mut asked = Vec::new();
    let mut subject = briefing.subject.clone();
    if let Some(deadline) = &window.deadline {
        subject.push_str(&format!(" - {wanted} by {}", deadline.short));
        asked.push(Fact {
            label: sentence(wanted),
            text: format!("until {} ({})", deadline.long, deadline.left_in_words()),
        });
    }
    let mut pieces = Pieces::default();
    let more = Report {
        order_form: pieces.place(Piece::Lines(form_of(mail))),
        revealed: mail.revealed.as_ref().map(revealed).unwrap_or_default(),
        ..report_of(
            briefing,
            asked,
            (told(&mail.told, &mail.said, briefing), &mail.further),
            mail.closed.as_ref(),
            &mut pieces,
        )
    };
    Sheet::new("dispatch", Some(&mail.to.game), subject, &MailValues { mail, more }, pieces)
}

/// The last report.
pub fn final_report(templates: &Templates, mail: &Final) -> Message {
    templates.message(&final_sheet(mail))
}

pub(super) fn final_sheet(mail: &Final) -> Sheet<'_> {
    let mut pieces = Pieces::default();
    let told = (told(&mail.told, &mail.said, &mail.briefing), &mail.further[..]);
    let more = report_of(&mail.briefing, Vec::new(), told, mail.closed.as_ref(), &mut pieces);
    let subject = mail.briefing.subject.clone();
    Sheet::new("final", Some(&mail.to.game), subject, &MailValues { mail, more }, pieces)
}

/// The history of a game.
pub fn history(templates: &Templates, mail: &History) -> Message {
    templates.message(&history_sheet(mail))
}

pub(super) fn history_sheet(mail: &History) -> Sheet<'_> {
    let mut pieces = Pieces::default();
    let told = Cow::Owned(Told::of_report(&[], &mail.briefing));
    let more = report_of(&mail.briefing, Vec::new(), (told, &[]), None, &mut pieces);
    let subject = mail.briefing.subject.clone();
    Sheet::new("history", Some(&mail.to.game), subject, &MailValues { mail, more }, pieces)
}

/// The answer to orders. Its subject begins with `[ERRORS]` if a line will not be carried out, and with `[NOT READ]` if orders may be in a part that
/// was not read.
pub fn receipt(templates: &Templates, mail: &Receipt<'_>) -> Message {
    let (sheet, errors) = receipt_sheet(mail);
    let mut message = templates.message(&sheet);
    if !mail.unread.is_empty() {
        message.subject.insert_str(0, "[NOT READ] ");
    }
    if errors > 0 {
        message.subject.insert_str(0, "[ERRORS] ");
    }
    message
}

/// The sheet of a receipt, and the number of lines of the orders that have errors.
pub(super) fn receipt_sheet<'a>(mail: &'a Receipt<'_>) -> (Sheet<'a>, usize) {
    let mut pieces = Pieces::default();
    let more = receipt::answer(mail, &mut pieces);
    let page = MailValues { mail, more: &more };
    (Sheet::new("receipt", Some(&mail.to.game), more.subject(mail), &page, pieces), more.errors)
}

/// The first mail of a game.
pub fn invitation(templates: &Templates, mail: &Invitation) -> Message {
    templates.message(&invitation_sheet(mail))
}

pub(super) fn invitation_sheet(mail: &Invitation) -> Sheet<'_> {
    let mut players = vec![Fact::of("You", mail.to.title.clone())];
    let other = |(title, who): &(String, String)| Fact { label: sentence(who), text: title.clone() };
    players.extend(mail.others.iter().map(other));
    let mut pieces = Pieces::default();
    let more = Welcome {
        players: pieces.place(Piece::Facts(players)),
        rhythm: pieces.place(Piece::Facts(mail.rhythm.clone())),
        order_form: pieces.place(Piece::Lines(join_form(mail))),
    };
    let subject = format!("{}: {}", if mail.seated { "Welcome" } else { "Invitation" }, mail.scenario);
    Sheet::new("invitation", Some(&mail.to.game), subject, &MailValues { mail, more }, pieces)
}

/// The answer to a mail that changed nothing.
pub fn refusal(templates: &Templates, mail: &Refusal) -> Message {
    templates.message(&refusal_sheet(mail))
}

pub(super) fn refusal_sheet(mail: &Refusal) -> Sheet<'_> {
    let subject = format!("not accepted: {}", mail.reason.in_words());
    let game = mail.game.as_ref().map_or("", GameId::as_str);
    let more = Banner { heading: page::beside("MAIL NOT ACCEPTED", game), witness: () };
    Sheet::new("refusal", mail.game.as_ref(), subject, &MailValues { mail, more }, Pieces::default())
}

/// The answer to a mail that names no seat.
pub fn help(templates: &Templates, mail: &Help) -> Message {
    templates.message(&help_sheet(mail))
}

pub(super) fn help_sheet(mail: &Help) -> Sheet<'_> {
    let subject = if mail.plays { "not accepted: the mail names no seat" } else { "How to play here" };
    Sheet::new("help", None, subject.to_owned(), mail, Pieces::default())
}

/// An announcement.
pub fn notice(templates: &Templates, mail: &Notice) -> Message {
    templates.message(&notice_sheet(mail))
}

pub(super) fn notice_sheet(mail: &Notice) -> Sheet<'_> {
    let game = mail.game.as_ref().map_or("", GameId::as_str);
    let mut pieces = Pieces::default();
    let lines = match mail.lines.as_str() {
        "" => Value::from(""),
        lines => pieces.place(Piece::Lines(lines.to_owned())),
    };
    let more = Announcement { heading: page::beside(&sentence(&mail.subject), game), lines };
    Sheet::new("notice", mail.game.as_ref(), mail.subject.clone(), &MailValues { mail, more }, pieces)
}

/// A mail as a template sees it: its own fields, and fields that are made for the page.
#[derive(Serialize)]
pub(super) struct MailValues<'a, M, E> {
    #[serde(flatten)]
    pub(super) mail: &'a M,
    #[serde(flatten)]
    pub(super) more: E,
}

#[derive(Serialize)]
struct Banner {
    heading: Value,
    /// A refusal shows no head; templates of a host's own may ask for one.
    witness: (),
}

#[derive(Serialize)]
struct Announcement {
    heading: Value,
    lines: Value,
}

#[derive(Serialize)]
struct Welcome {
    players: Value,
    rhythm: Value,
    order_form: Value,
}

/// The pages of a report, ready for its template.
#[derive(Serialize)]
struct Report {
    /// The campaign and its progress.
    scenario: String,
    date: String,
    standing: Value,
    report: Value,
    order_form: Value,
    /// How far the dice can be trusted: a paragraph.
    assurance: String,
    /// What the dice were bound to: every seat's leaf, and the root.
    leaves: Value,
    /// What is public already, a paragraph.
    revealed: String,
    /// Whether the log binds what is told.
    bound: bool,
}

/// What a report tells, as it is bound or set anew.
fn told<'a>(bound: &'a Option<Told>, said: &[String], briefing: &Briefing) -> Cow<'a, Told> {
    bound.as_ref().map_or_else(|| Cow::Owned(Told::of_report(said, briefing)), Cow::Borrowed)
}

fn report_of<'a>(
    briefing: &'a Briefing,
    standing: Vec<Fact>,
    (told, further): (Cow<'a, Told>, &'a [Section]),
    closed: Option<&BoundLeaves>,
    pieces: &mut Pieces<'a>,
) -> Report {
    let bound = told.is_bound();
    let report = [pieces.place(Piece::Told(told)), pieces.place(Piece::Sections(further))];
    let report = report.map(|piece| piece.to_string()).join("\n");
    Report {
        scenario: briefing.title.clone(),
        date: briefing.date.clone(),
        standing: pieces.place(Piece::Facts(standing)),
        report: Value::from_safe_string(report.trim_end().to_owned()),
        order_form: Value::from(""),
        assurance: closed.map(assurance).unwrap_or_default(),
        leaves: pieces.place(Piece::Lines(closed.map(leaves).unwrap_or_default())),
        revealed: String::new(),
        bound,
    }
}
