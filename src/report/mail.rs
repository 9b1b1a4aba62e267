//! The contents of the mails around a briefing.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::{Serialize, Serializer};

use super::deadline::Deadline;
use super::told::Told;
use musterd_dice::{Assurance, Beacon, BeaconPolicy, ChainLines, Digest, GameId, HostKey, Seat, Witness};
use musterd_engine::briefing::{Briefing, Fact, Section};

/// A mail's subject and body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// One line of ASCII.
    pub subject: String,
    /// The text: ASCII, at most [`super::WIDTH`] columns, lines ended by LF.
    pub body: String,
    /// The body as a page of HTML, for mails that are more than lines.
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
    /// How its player is addressed: `the French commander`.
    pub title: String,
    /// The address, with the seat's secret, that answers go to.
    pub reply_to: String,
    /// The titles of the other seats of its side, to which it can write letters; empty if letters aren't forwarded.
    pub allies: Vec<String>,
    /// The line with game, seat and secret, in case a mail program loses the reply address (`letter::key_line`). It stands above the order form,
    /// never in it.
    pub key_line: String,
}

/// The part that a seat has in the current turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// It is the seat's own turn.
    Phasing,
    /// It is another seat's turn; this seat may give standing orders only.
    Standing,
}

/// A time in which orders are taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WindowShown {
    /// The adjudication that the orders are for.
    pub t: u32,
    /// Its name for readers: `Autumn 1805, French to move`.
    pub title: String,
    /// The part of this seat in the turn.
    pub part: Part,
    /// When it closes; `None` if it runs only when all are ready.
    pub deadline: Option<Deadline>,
    /// How long the turn waits once all are ready, in words; `None` if it runs at once.
    pub recall: Option<Box<str>>,
    /// When it runs because all are ready, unless a mail stops it.
    pub runs: Option<Box<Deadline>>,
}

/// What the last adjudication's dice were bound to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BoundLeaves {
    /// The adjudication.
    pub t: u32,
    /// Every seat's leaf.
    pub leaves: BTreeMap<Seat, Digest>,
    /// The root over the leaves.
    pub root: Digest,
    /// The value of the public beacon, if the dice waited for one.
    pub beacon: Option<Beacon>,
    /// How far the dice can be trusted, and whose salts made it so.
    pub assurance: Assurance,
}

/// A seat's report after an adjudication, with the form for the next one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Dispatch {
    /// The recipient.
    #[serde(flatten)]
    pub to: Addressee,
    /// The events and the position.
    #[serde(skip)]
    pub briefing: Briefing,
    /// What the host and its game master say in their own words: a narration, seats that sent no orders, a correction. A paragraph each.
    #[serde(skip)]
    pub said: Vec<String>,
    /// What is told, where it is set and bound already.
    #[serde(skip)]
    pub told: Option<Told>,
    /// What stands behind it and isn't bound: the letters of players.
    #[serde(skip)]
    pub further: Vec<Section>,
    /// The window for the next orders.
    pub window: WindowShown,
    /// The order form's lines, without its frame.
    pub form: Vec<String>,
    /// The adjudication that the report is about.
    pub closed: Option<BoundLeaves>,
    /// What is public already.
    #[serde(skip)]
    pub revealed: Option<Revealed>,
    /// The end of the log that its form and its data show: as far as all were told of it.
    #[serde(skip)]
    pub seen: Witness,
    /// The end of the log at the end of the mail.
    #[serde(serialize_with = "shown")]
    pub witness: ChainLines,
}

/// What a running game has made public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revealed {
    /// The last adjudication that is revealed; all before it are too.
    pub t: u32,
    /// Its secret.
    pub secret: Digest,
    /// Where the orders and dice of these adjudications can be had.
    pub audit: AuditDelivery,
}

/// Where an audit file can be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditDelivery {
    /// In this mail, under this name.
    Attached(String),
    /// By a request; it is not in this mail.
    OnRequest,
    /// Not by mail, because it is too large.
    TooLarge,
}

/// A seat's last report, when the game is over.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Final {
    /// The recipient.
    #[serde(flatten)]
    pub to: Addressee,
    /// The last events and the final position.
    #[serde(skip)]
    pub briefing: Briefing,
    /// What the host and its game master say in their own words, a paragraph each.
    #[serde(skip)]
    pub said: Vec<String>,
    /// What is told, where it is set and bound already.
    #[serde(skip)]
    pub told: Option<Told>,
    /// What stands behind it and isn't bound: the letters of players, the statistics of the game's dice.
    #[serde(skip)]
    pub further: Vec<Section>,
    /// The result, one line for each side.
    pub results: Vec<String>,
    /// The name of the attached audit file, with every secret and die; `None` if it is not attached.
    pub audit_file: Option<String>,
    /// How the audit file can be had where it is too large for a mail; empty where it is attached.
    pub audit_note: String,
    /// The adjudication that the report is about.
    pub closed: Option<BoundLeaves>,
    /// The end of the log that its form and its data show: as far as all were told of it.
    #[serde(skip)]
    pub seen: Witness,
    /// The end of the log at the end of the mail.
    #[serde(serialize_with = "shown")]
    pub witness: ChainLines,
}

/// The history of a game as its seat knows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct History {
    /// The recipient.
    #[serde(flatten)]
    pub to: Addressee,
    /// The history.
    #[serde(skip)]
    pub briefing: Briefing,
}

/// The first mail of a game: the game, the seat's secret, the anchor of the dice, how to answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Invitation {
    /// The recipient.
    #[serde(flatten)]
    pub to: Addressee,
    /// The scenario, one line.
    pub scenario: String,
    /// The situation before the first order.
    pub situation: String,
    /// The options of the rules as they were chosen, each a sentence.
    pub options: Vec<String>,
    /// Whether `HELP BATTLE` shows the armies and the field to anybody.
    pub shows_battle: bool,
    /// The other seats, each with who plays it: `the Allied commander`, `a person` or `the computer`.
    pub others: Vec<(String, String)>,
    /// How the game goes on: its deadlines, missed turns, letters.
    #[serde(skip)]
    pub rhythm: Vec<Fact>,
    /// s_0 of the secret chain.
    pub anchor: Digest,
    /// The public beacon that the dice wait for, if any.
    pub beacon: Option<BeaconPolicy>,
    /// The key that signs the chain lines of the mails, if they are signed.
    pub host_key: Option<HostKey>,
    /// A paragraph about what the host reveals before the end of the game, and what it does not reveal although the terms ask for it. Empty if there
    /// is nothing to say.
    pub reveal: String,
    /// Until when a JOIN is waited for; `None` if the game waits for all.
    pub deadline: Option<Deadline>,
    /// Whether the game has begun already, so that no JOIN is needed.
    pub started: bool,
    /// Whether the player has asked for the seat and already has it: a welcome to a player who joins later.
    pub seated: bool,
    /// The end of the log that all were shown last: the form names it.
    #[serde(skip)]
    pub seen: Witness,
    /// The end of the log when this was written; of a welcome in an open turn without its number.
    #[serde(serialize_with = "shown")]
    pub witness: ChainLines,
}

/// The answer to a mail that names no seat. A stranger gets it at most once a day.
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
    /// The paragraphs; each is wrapped.
    pub paragraphs: Vec<String>,
    /// Preformatted lines below the paragraphs.
    #[serde(skip)]
    pub lines: String,
    /// The end of the game's log when this was written, where all are told it at once.
    #[serde(serialize_with = "shown_if_any")]
    pub witness: Option<ChainLines>,
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
