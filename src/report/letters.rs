//! The mails that the host writes: what each one needs, and what becomes of it through the host's [`Templates`].

use std::collections::BTreeMap;
use std::fmt::Display;

use minijinja::value::Value;
use serde::{Serialize, Serializer};

pub use super::deadline::Deadline;
use super::dice::revealed;
pub use super::dice::{assurance, leaves, leaves_in_lines};
pub use super::form::{form_of, join_form};
use super::page::{self, Piece, Pieces, Sheet};
pub use super::reason::Reason;
pub use super::receipt::{NotRead, Receipt, problems};
use super::text::sentence;
use super::{Templates, receipt};
use musterd_dice::{Assurance, Beacon, BeaconPolicy, Digest, GameId, HostKey, Seat, Witness};
use musterd_engine::briefing::{Briefing, Fact};

/// A mail's subject and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// One line of ASCII.
    pub subject: String,
    /// The text: ASCII, at most [`super::WIDTH`] columns, lines ended by LF.
    pub body: String,
    /// The same as a page of HTML, for mails that are more than lines.
    pub html: Option<String>,
}

/// The seat that a mail goes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Addressee {
    /// The game's name.
    pub game: GameId,
    /// The game system's name for readers: `La Grande Armee`.
    pub system: String,
    /// The seat.
    pub seat: Seat,
    /// What its player is addressed as: `the French commander`.
    pub title: String,
    /// The address, with the seat's secret, that answers go to.
    pub reply_to: String,
    /// The titles of the other seats of its side, to which it can write letters; none where letters aren't passed on.
    pub allies: Vec<String>,
    /// The line that carries game, seat and secret where a mail program loses the reply address
    /// (`letter::key_line`); it stands above the order form, never in it.
    pub key_line: String,
}

/// What a seat's orders are wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// It is the seat's own turn.
    Phasing,
    /// Somebody else's: standing orders only.
    Standing,
}

/// A time in which orders are taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Window {
    /// The adjudication that the orders are for.
    pub t: u32,
    /// Its name for readers: `Autumn 1805, French to move`.
    pub title: String,
    /// What is wanted of this seat.
    pub part: Part,
    /// When it closes; none where it runs as soon as all are ready.
    pub deadline: Option<Deadline>,
    /// How long the turn waits once all are ready, in words; none where it runs at once.
    pub recall: Option<Box<str>>,
    /// When it runs because all are ready, unless a mail stops it.
    pub runs: Option<Box<Deadline>>,
}

/// What the last adjudication's dice were bound to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Closed {
    /// The adjudication.
    pub t: u32,
    /// Every seat's leaf.
    pub leaves: BTreeMap<Seat, Digest>,
    /// The root over them.
    pub root: Digest,
    /// What the public beacon gave, where the dice waited for one.
    pub beacon: Option<Beacon>,
    /// How far the dice can be trusted, and whose salts made it so.
    pub assurance: Assurance,
}

/// A seat's report after an adjudication, with the form for the next one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Dispatch {
    /// To whom.
    #[serde(flatten)]
    pub to: Addressee,
    /// What happened and how things stand.
    #[serde(skip)]
    pub briefing: Briefing,
    /// What the host has to say before all else: who sent no orders, a new player, a ruling. A paragraph each.
    pub notices: Vec<String>,
    /// The orders that are now wanted.
    pub window: Window,
    /// The order form's lines, without its frame.
    pub form: Vec<String>,
    /// The adjudication reported.
    pub closed: Option<Closed>,
    /// What is public already.
    #[serde(skip)]
    pub revealed: Option<Revealed>,
    /// The log when this was written.
    #[serde(serialize_with = "shown")]
    pub witness: Witness,
}

/// What a running game has made public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revealed {
    /// The last adjudication that is revealed; all before it are too.
    pub t: u32,
    /// Its secret.
    pub secret: Digest,
    /// Where their orders and dice are to be had.
    pub audit: AuditFile,
}

/// Where an audit file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditFile {
    /// In the mail, under this name.
    Attached(String),
    /// Not in this mail, but to be asked for.
    OnRequest,
    /// Nowhere by mail.
    TooLarge,
}

/// A seat's last report, when the game is over.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Final {
    /// To whom.
    #[serde(flatten)]
    pub to: Addressee,
    /// What happened and how things ended.
    #[serde(skip)]
    pub briefing: Briefing,
    /// What the host has to say before all else, a paragraph each.
    pub notices: Vec<String>,
    /// How it ended, a line a side.
    pub results: Vec<String>,
    /// The name of the attached audit file, with every secret and die; none where it is not attached.
    pub audit_file: Option<String>,
    /// The adjudication reported.
    pub closed: Option<Closed>,
    /// The log when this was written.
    #[serde(serialize_with = "shown")]
    pub witness: Witness,
}

/// The history of a game as its seat knows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct History {
    /// To whom.
    #[serde(flatten)]
    pub to: Addressee,
    /// How things went.
    #[serde(skip)]
    pub briefing: Briefing,
}

/// The first mail of a game: what it is, the seat's secret, the anchor of the dice, how to answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Invitation {
    /// To whom.
    #[serde(flatten)]
    pub to: Addressee,
    /// The scenario, one line.
    pub scenario: String,
    /// The situation before the first order.
    pub situation: String,
    /// The other seats, each with who plays it: `the Allied commander`, `a person` or `the computer`.
    pub others: Vec<(String, String)>,
    /// s_0 of the secret chain.
    pub anchor: Digest,
    /// Which public beacon the dice wait for, if any.
    pub beacon: Option<BeaconPolicy>,
    /// The key that signs the chain lines of the mails, where they are signed.
    pub host_key: Option<HostKey>,
    /// What is revealed before the end of the game, and what is not though the terms would have it, a paragraph; empty where there is
    /// nothing to say.
    pub reveal: String,
    /// Until when a JOIN is waited for; none where the game waits for all.
    pub deadline: Option<Deadline>,
    /// Whether the game has begun already, so that no JOIN is needed.
    pub started: bool,
    /// Whether the player has asked for the seat and has it: a later one's welcome.
    pub seated: bool,
    /// The log when this was written.
    #[serde(serialize_with = "shown")]
    pub witness: Witness,
}

/// The answer to a mail that changed nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The game, where it could be told.
    pub game: Option<GameId>,
    /// Why.
    #[serde(flatten)]
    pub reason: Reason,
    /// The subject of the mail refused.
    pub about: String,
    /// When the mail arrived, in the reader's zone; empty where it doesn't matter.
    pub arrived: String,
    /// What is open now for the seat that wrote, if the sender proved to be it.
    #[serde(rename = "now_open")]
    pub window: Option<Window>,
    /// Whether the `READY` of orders that stand waits for another mail, because of this one.
    pub ready_waits: bool,
    /// That the mail stopped a turn that was about to run, a sentence or two.
    pub stopped: Option<String>,
    /// Whether the game has a GM, who hears of mails that prove nothing.
    pub has_gm: bool,
    /// The host's plain address.
    pub host: String,
    /// The game's log when this was written.
    #[serde(serialize_with = "shown_if_any")]
    pub witness: Option<Witness>,
}

/// What somebody gets whose mail names no seat; a stranger once a day at most.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Help {
    /// The host's plain address.
    pub host: String,
    /// Whether the mail came from an address that is registered for a seat.
    pub plays: bool,
}

/// A plain announcement, to the GM or to all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Notice {
    /// The game, if it is about one.
    pub game: Option<GameId>,
    /// One line, without the game's name.
    pub subject: String,
    /// What there is to say; each is wrapped.
    pub paragraphs: Vec<String>,
    /// Lines that must keep their places, below it.
    #[serde(skip)]
    pub lines: String,
    /// The game's log when this was written.
    #[serde(serialize_with = "shown_if_any")]
    pub witness: Option<Witness>,
}

pub(super) fn shown<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

#[expect(clippy::ref_option, reason = "the shape that serde calls")]
pub(super) fn shown_if_any<T: Display, S: Serializer>(value: &Option<T>, to: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => to.collect_str(value),
        None => to.serialize_none(),
    }
}

/// The report after an adjudication, with the order form.
#[must_use]
pub fn dispatch(templates: &Templates, mail: &Dispatch) -> Message {
    templates.message(&dispatch_sheet(mail))
}

pub(super) fn dispatch_sheet(mail: &Dispatch) -> Sheet<'_> {
    let Dispatch { briefing, window, .. } = mail;
    let wanted = match window.part {
        Part::Phasing => "orders",
        Part::Standing => "standing orders",
    };
    let mut standing = briefing.standing.clone();
    let mut subject = briefing.subject.clone();
    if let Some(deadline) = &window.deadline {
        subject.push_str(&format!(" - {wanted} by {}", deadline.short));
        standing.push(Fact {
            label: sentence(wanted),
            text: format!("until {} ({})", deadline.long, deadline.left_in_words()),
        });
    }
    let mut pieces = Pieces::default();
    let more = Report {
        order_form: pieces.place(Piece::Lines(form_of(mail))),
        revealed: mail.revealed.as_ref().map(revealed).unwrap_or_default(),
        ..report_of(briefing, standing, mail.closed.as_ref(), &mut pieces)
    };
    Sheet::new("dispatch", Some(&mail.to.game), subject, &Page { mail, more }, pieces)
}

/// The last report.
#[must_use]
pub fn final_report(templates: &Templates, mail: &Final) -> Message {
    templates.message(&final_sheet(mail))
}

pub(super) fn final_sheet(mail: &Final) -> Sheet<'_> {
    let mut pieces = Pieces::default();
    let standing = mail.briefing.standing.clone();
    let more = report_of(&mail.briefing, standing, mail.closed.as_ref(), &mut pieces);
    let subject = mail.briefing.subject.clone();
    Sheet::new("final", Some(&mail.to.game), subject, &Page { mail, more }, pieces)
}

/// The history of a game.
#[must_use]
pub fn history(templates: &Templates, mail: &History) -> Message {
    templates.message(&history_sheet(mail))
}

pub(super) fn history_sheet(mail: &History) -> Sheet<'_> {
    let mut pieces = Pieces::default();
    let more = report_of(&mail.briefing, mail.briefing.standing.clone(), None, &mut pieces);
    let subject = mail.briefing.subject.clone();
    Sheet::new("history", Some(&mail.to.game), subject, &Page { mail, more }, pieces)
}

/// The answer to orders; its subject begins with `[ERRORS]` where a line will not be carried out, with `[NOT READ]` where orders may be in
/// what was not read.
#[must_use]
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

/// And how many lines of the orders have errors.
pub(super) fn receipt_sheet<'a>(mail: &'a Receipt<'_>) -> (Sheet<'a>, usize) {
    let mut pieces = Pieces::default();
    let more = receipt::answer(mail, &mut pieces);
    let page = Page { mail, more: &more };
    (Sheet::new("receipt", Some(&mail.to.game), more.subject(mail), &page, pieces), more.errors)
}

/// The first mail of a game.
#[must_use]
pub fn invitation(templates: &Templates, mail: &Invitation) -> Message {
    templates.message(&invitation_sheet(mail))
}

pub(super) fn invitation_sheet(mail: &Invitation) -> Sheet<'_> {
    let mut players = vec![Fact { label: "You".to_owned(), text: mail.to.title.clone() }];
    let other = |(title, who): &(String, String)| Fact { label: sentence(who), text: title.clone() };
    players.extend(mail.others.iter().map(other));
    let mut pieces = Pieces::default();
    let more = Welcome {
        players: pieces.place(Piece::Facts(players)),
        order_form: pieces.place(Piece::Lines(join_form(mail))),
    };
    let subject = format!("{}: {}", if mail.seated { "Welcome" } else { "Invitation" }, mail.scenario);
    Sheet::new("invitation", Some(&mail.to.game), subject, &Page { mail, more }, pieces)
}

/// The answer to a mail that changed nothing.
#[must_use]
pub fn refusal(templates: &Templates, mail: &Refusal) -> Message {
    templates.message(&refusal_sheet(mail))
}

pub(super) fn refusal_sheet(mail: &Refusal) -> Sheet<'_> {
    let subject = format!("not accepted: {}", mail.reason.in_words());
    let game = mail.game.as_ref().map_or("", GameId::as_str);
    let more = Banner { heading: page::beside("MAIL NOT ACCEPTED", game) };
    Sheet::new("refusal", mail.game.as_ref(), subject, &Page { mail, more }, Pieces::default())
}

/// What a stranger gets.
#[must_use]
pub fn help(templates: &Templates, mail: &Help) -> Message {
    templates.message(&help_sheet(mail))
}

pub(super) fn help_sheet(mail: &Help) -> Sheet<'_> {
    let subject = if mail.plays { "not accepted: the mail names no seat" } else { "How to play here" };
    Sheet::new("help", None, subject.to_owned(), mail, Pieces::default())
}

/// An announcement.
#[must_use]
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
    Sheet::new("notice", mail.game.as_ref(), mail.subject.clone(), &Page { mail, more }, pieces)
}

/// A mail as a template sees it: its own fields and those made for the page.
#[derive(Serialize)]
pub(super) struct Page<'a, M, E> {
    #[serde(flatten)]
    pub(super) mail: &'a M,
    #[serde(flatten)]
    pub(super) more: E,
}

#[derive(Serialize)]
struct Banner {
    heading: Value,
}

#[derive(Serialize)]
struct Announcement {
    heading: Value,
    lines: Value,
}

#[derive(Serialize)]
struct Welcome {
    players: Value,
    order_form: Value,
}

/// A report's pages, ready for its template.
#[derive(Serialize)]
struct Report {
    /// The campaign and how far it is.
    scenario: String,
    date: String,
    standing: Value,
    report: Value,
    order_form: Value,
    /// How far the dice can be trusted, a paragraph.
    assurance: String,
    /// What the dice were bound to: every seat's leaf, and the root.
    leaves: Value,
    /// What is public already, a paragraph.
    revealed: String,
}

fn report_of<'a>(
    briefing: &'a Briefing,
    standing: Vec<Fact>,
    closed: Option<&Closed>,
    pieces: &mut Pieces<'a>,
) -> Report {
    Report {
        scenario: briefing.title.clone(),
        date: briefing.date.clone(),
        standing: pieces.place(Piece::Facts(standing)),
        report: pieces.place(Piece::Sections(briefing)),
        order_form: Value::from(""),
        assurance: closed.map(assurance).unwrap_or_default(),
        leaves: pieces.place(Piece::Lines(closed.map(leaves).unwrap_or_default())),
        revealed: String::new(),
    }
}
