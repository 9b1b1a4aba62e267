//! What mails and files can say against each other.

use std::fmt;

use serde::Serialize;

use super::form::Form;
use super::place::{FileRef, MailRef};
use musterd_dice::{ChainLines, Digest, Level};

/// What the host's signature of a head makes of another log.
const SIGNED: &str = ", and signed with the host's key: nobody else can have made that, so this is proof";
/// By which time a mail that a server took in is late.
const BY_SERVER: &str = "by its topmost `Received` line (if a program of the reader's fetched it later, the \
    line below that one counts)";

/// Two testimonies that can't both be true. Each is a sentence; what begins with a file keeps the file's spelling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "contradiction", rename_all = "kebab-case")]
pub enum Contradiction {
    /// The host showed two logs.
    #[error(
        "Entry {index} of the log was shown with two hashes: {one} in {mail}, and {other} in {other_mail}. \
         The host keeps two logs{}",
        two_signed(*signed)
    )]
    TwoHeads {
        /// Of which entry.
        index: u64,
        /// One hash.
        one: Digest,
        /// Where.
        mail: MailRef,
        /// The other.
        other: Digest,
        /// Where.
        other_mail: MailRef,
        /// How many of the two bear the host's signature.
        signed: usize,
    },
    /// A head that the file's log has otherwise.
    #[error(
        "{mail} {} {head} as the hash of entry {index}, and in {file} that entry has {logged}. Another log \
         was shown there{}",
        if *.quoted { "quotes" } else { "shows" },
        if *.signed { SIGNED } else { "" }
    )]
    OtherLog {
        /// Of which entry.
        index: u64,
        /// The hash in the mail.
        head: Digest,
        /// The mail.
        mail: MailRef,
        /// Whether it stands in a quotation.
        quoted: bool,
        /// Whether it bears the host's signature.
        signed: bool,
        /// The hash in the file.
        logged: Digest,
        /// The file.
        file: FileRef,
    },
    /// A head that the file's log never had while the adjudication was open which the mail names.
    #[error(
        "{mail} {} {head} as the head of the log while t {t} was open, and in {file} no entry of that time has this hash. Another log \
         was shown there{}",
        if *.quoted { "quotes" } else { "shows" },
        if *.signed { SIGNED } else { "" }
    )]
    NoSuchHead {
        /// Which was open.
        t: u32,
        /// The hash in the mail.
        head: Digest,
        /// The mail.
        mail: MailRef,
        /// Whether it stands in a quotation.
        quoted: bool,
        /// Whether it bears the host's signature.
        signed: bool,
        /// The file.
        file: FileRef,
    },
    /// A file that ends with the game's end, though the game went on.
    #[error(
        "{mail} is of t {t}, and {file} says that the game was over after t {last}: what happened then \
         is left out of it. Ask for a newer file"
    )]
    WentOn {
        /// The mail.
        mail: MailRef,
        /// The adjudication that it is of: a receipt for it, or what it was closed with.
        t: u32,
        /// The file.
        file: FileRef,
        /// The last adjudication there.
        last: u32,
    },
    /// A signature that doesn't hold.
    #[error(
        "{mail} shows {shown} and brings a signature that isn't the host's of these \
         lines, by the key that is named in {place}: {why}. The mail was changed or made up, or the host \
         signed with another key"
    )]
    BadSignature {
        /// The mail.
        mail: MailRef,
        /// What it shows.
        shown: Shown,
        /// Why it doesn't hold.
        why: String,
        /// Where the key is named.
        place: FileRef,
    },
    /// A mail of the host's in which there is nothing to compare.
    #[error(
        "{mail} is the host's mail, and shows no {what} that can be read, as all of its kind do: it was \
         changed, or written so that nothing in it can be compared"
    )]
    Unreadable {
        /// The mail.
        mail: MailRef,
        /// What can't be read in it.
        what: &'static str,
    },
    /// A mail without a signature from a host that signs.
    #[error(
        "{mail} is the host's mail, and brings no signature (`chain.sig`), as its other mails do: it was \
         taken off, or the host didn't stand by this one"
    )]
    Unsigned {
        /// The mail.
        mail: MailRef,
    },
    /// A mail that the host may not have written says something else than the rest.
    #[error(
        "{mail} says something else of {about} than the rest does, and no signature of the host's stands behind that, as behind \
         each of its mails to players in this game. The host may not have written it, for whoever had it can have: it proves \
         nothing against the host"
    )]
    Unproved {
        /// The mail.
        mail: MailRef,
        /// What it says something else of.
        about: String,
    },
    /// Another level than the dice have.
    #[error("{mail} says that the dice of t {t} have level {claimed}, and by {file} they have {level}")]
    OtherLevel {
        /// Which adjudication.
        t: u32,
        /// The mail.
        mail: MailRef,
        /// The level in it.
        claimed: String,
        /// The level by the revealed orders and the log.
        level: Level,
        /// The file.
        file: FileRef,
    },
    /// Two values of the public beacon for one adjudication.
    #[error(
        "{mail} says that the public beacon gave {value} for t {t}, and {place} has {other}: one of them \
         is not what was published"
    )]
    TwoBeacons {
        /// Which adjudication.
        t: u32,
        /// A mail.
        mail: MailRef,
        /// The hash of the value there.
        value: Digest,
        /// Another mail, or a file's log.
        place: FileRef,
        /// The hash of the value there.
        other: Digest,
    },
    /// A close that was told when its round of the public beacon had come.
    #[error(
        "{mail} brought the close of t {t} and came on {at}, {}; but round {round} of the beacon came on \
         {came}. So the host could know what the beacon gives before it told anybody what the dice are bound to",
        if *.by_server { BY_SERVER } else { "by its `Date`, which is the host's own word" }
    )]
    ToldLate {
        /// Which adjudication.
        t: u32,
        /// The mail, of several the one that came first.
        mail: MailRef,
        /// When it came.
        at: String,
        /// Whether a server says so, or the mail alone.
        by_server: bool,
        /// The round.
        round: u64,
        /// When that came.
        came: String,
    },
    /// A turn that was still open when its round of the public beacon had come.
    #[error(
        "{mail} was written on {written} by its `Date`, and t {t} was still open then; but its dice are \
         of round {round} of the beacon, which came on {came}. So its deadline was dated back to a round \
         that was known, or one of the two clocks was wrong"
    )]
    OpenLate {
        /// Which adjudication.
        t: u32,
        /// The host's mail, which shows a log without the close; or one of a player's that was taken.
        mail: MailRef,
        /// When it was written.
        written: String,
        /// The round.
        round: u64,
        /// When that came.
        came: String,
    },
    /// Two audit files of one game with different logs.
    #[error(
        "{file} and {other_file} differ from entry {index} of the log on: one of them is not what \
         happened"
    )]
    TwoLogs {
        /// The first entry that differs.
        index: u64,
        /// One file.
        file: FileRef,
        /// The other.
        other_file: FileRef,
    },
    /// Two audit files with one log that say different things beside it.
    #[error(
        "{file} and {other_file} tell of one log, and differ in {what}, of which both must say the same. \
         What is wrong in either is told of it by itself"
    )]
    TwoContents {
        /// In what they differ: `t 3`.
        what: String,
        /// One file.
        file: FileRef,
        /// The other.
        other_file: FileRef,
    },
    /// Proofs that stand on another log.
    #[error(
        "{proofs} prove the dice of {seat} for t {t} by a log in which entry {index} has the hash \
         {shown}, and in {place} it has {known}. Another log was shown there"
    )]
    OtherProofs {
        /// The file of proofs.
        proofs: FileRef,
        /// Whose dice.
        seat: String,
        /// Of which adjudication.
        t: u32,
        /// The first entry that differs.
        index: u64,
        /// The hash in the proofs.
        shown: Digest,
        /// An audit file, a mail, or other proofs.
        place: FileRef,
        /// The hash there.
        known: Digest,
    },
    /// Proofs of one seat's dice that came with another seat's dispatch.
    #[error(
        "{proofs} are proofs of the dice of {seat}, and came with a dispatch to {sent_to}: nobody gets \
         another seat's"
    )]
    OthersProofs {
        /// The file of proofs.
        proofs: FileRef,
        /// Whose dice they say they are.
        seat: String,
        /// Whose dispatch it was.
        sent_to: String,
    },
    /// A roll in proofs that is not the seat's own.
    #[error(
        "{proofs} show the roll {label} of t {t} as one of {seat}, and by the rules it isn't: what is \
         hidden from that seat was shown, or these are another seat's"
    )]
    OthersRoll {
        /// The file of proofs.
        proofs: FileRef,
        /// Whose dice they say they are.
        seat: String,
        /// Of which adjudication.
        t: u32,
        /// The roll.
        label: String,
    },
    /// Secrets of an escrow that are not those of the game.
    #[error(
        "The secrets of the escrow lead to the anchor {escrowed}, and {place} has {anchor}: they don't \
         open this game's dice"
    )]
    OtherEscrow {
        /// The anchor of the escrow.
        escrowed: Digest,
        /// The anchor of the game.
        anchor: Digest,
        /// An audit file, or a mail.
        place: FileRef,
    },
    /// Two anchors for one game.
    #[error(
        "{mail} fixes the host's secrets by the anchor {anchor}, and {other_place} by {other}: the host \
         has two chains of secrets to choose from"
    )]
    TwoAnchors {
        /// One anchor.
        anchor: Digest,
        /// Where.
        mail: MailRef,
        /// The other.
        other: Digest,
        /// A mail, or a file's log.
        other_place: FileRef,
    },
    /// Mails and files of two games that have one name, from two hosts or with nothing else in common.
    #[error(
        "These are of two games of one name: {mail} fixes the host's secrets by the anchor {anchor}, and \
         {other_place} by {other}, and a game has one anchor, fixed before its first mail. Nothing more is \
         compared: give the mails and the file of one game alone. If all are of one game, its host has two \
         chains of secrets to choose from"
    )]
    TwoGames {
        /// One anchor.
        anchor: Digest,
        /// Where.
        mail: MailRef,
        /// The other.
        other: Digest,
        /// A mail, or a file's log.
        other_place: FileRef,
    },
    /// Two closes of one adjudication.
    #[error("{mail} and {other_mail} say of t {t} that its dice were bound to different orders")]
    TwoCloses {
        /// Which.
        t: u32,
        /// One mail.
        mail: MailRef,
        /// The other.
        other_mail: MailRef,
    },
    /// A root that is not that of the leaves beside it.
    #[error("{mail} shows leaves of t {t} whose root is {found}, and says that it is {shown}")]
    WrongRoot {
        /// Which adjudication.
        t: u32,
        /// The mail.
        mail: MailRef,
        /// The root of its leaves.
        found: Digest,
        /// What it says.
        shown: Digest,
    },
    /// A root that the log has otherwise.
    #[error("{mail} says that t {t} was closed with the root {shown}, and in {file} {}", closed(*logged))]
    OtherClose {
        /// Which adjudication.
        t: u32,
        /// The mail.
        mail: MailRef,
        /// What it says.
        shown: Digest,
        /// What the log says.
        logged: Option<Digest>,
        /// The file.
        file: FileRef,
    },
    /// A receipt whose attachment is not what it says.
    #[error("{mail} is a receipt whose attached orders have another SHA-256 than it says")]
    OtherAttachment {
        /// The receipt.
        mail: MailRef,
    },
    /// A receipt for orders that the log doesn't have.
    #[error(
        "{mail} is a receipt for orders of {seat} for t {t} with the leaf {leaf}, and {file} has no such \
         mail: the host took these orders and dropped them"
    )]
    Dropped {
        /// The receipt.
        mail: MailRef,
        /// Whose orders.
        seat: String,
        /// For which adjudication.
        t: u32,
        /// Their leaf.
        leaf: Digest,
        /// The file.
        file: FileRef,
    },
    /// A mail that shows orders as taken, of nobody knows whom, and the log doesn't have them.
    #[error(
        "{mail} says that the log holds orders as the leaf {leaf}, and {file} has no such mail: the host \
         took these orders and dropped them"
    )]
    NeverTaken {
        /// The mail.
        mail: MailRef,
        /// Their leaf.
        leaf: Digest,
        /// The file.
        file: FileRef,
    },
    /// A receipt whose leaf doesn't stand for the orders attached to it.
    #[error(
        "{mail} is a receipt whose leaf doesn't stand for the orders attached to it: the host logged \
         other orders of {seat} for t {t} than it returned"
    )]
    OtherOrders {
        /// The receipt.
        mail: MailRef,
        /// Whose orders.
        seat: String,
        /// For which adjudication.
        t: u32,
    },
    /// A player's mail that holds other orders than the host took for it.
    #[error(
        "{mail} holds orders of {seat} for t {t}, and what the host returned in its receipt for it, or \
         has in its log, are other orders: the host altered them, or the mail was changed since"
    )]
    Altered {
        /// The player's mail.
        mail: MailRef,
        /// Whose orders.
        seat: String,
        /// For which adjudication.
        t: u32,
    },
    /// A turn that was closed before its deadline, without an entry of the log that moved it.
    #[error(
        "{mail} {}, and shows t {t} as closed; but its deadline was {deadline}, and no `deadline` entry in \
         {file} moved it. So the host closed early and doesn't say so, or one of the clocks was wrong",
        if *.by_server { format!("came on {at} by its topmost `Received` line") } else { format!("was written on {at} by its `Date`") }
    )]
    ClosedEarly {
        /// Which adjudication.
        t: u32,
        /// The mail, which shows the log up to the close.
        mail: MailRef,
        /// When it was written, or came.
        at: String,
        /// Whether a server says so, or the mail alone.
        by_server: bool,
        /// The last deadline before the close by the log.
        deadline: String,
        /// The file.
        file: FileRef,
    },
    /// What the last receipt says is not what counted, and no later mail explains it.
    #[error(
        "t {t}: {mail} is the last mail of {seat} in the log that was accepted, and the file shows other \
         orders for it"
    )]
    Changed {
        /// The receipt.
        mail: MailRef,
        /// Whose orders.
        seat: String,
        /// For which adjudication.
        t: u32,
    },
    /// What a mail tells, otherwise than the log binds it.
    #[error(
        "{mail} tells {seat} something of t {t}, and its {form} is not what {file} binds as the number {n} of \
         that turn: the host told something else than it bound, or the mail was changed on its way"
    )]
    ToldOtherwise {
        /// The mail.
        mail: MailRef,
        /// Who is told.
        seat: String,
        /// Of which adjudication.
        t: u32,
        /// Which telling to that seat of that adjudication.
        n: u32,
        /// In which form it differs.
        form: Form,
        /// The file that opens what was bound.
        file: FileRef,
    },
    /// A telling of which the log has no entry, though it reaches to the mail.
    #[error(
        "{mail} tells {seat} something of t {t} as the number {n} of that turn, and {file} has no entry that \
         binds it, though its log reaches to this mail"
    )]
    ToldUnbound {
        /// The mail.
        mail: MailRef,
        /// Who is told.
        seat: String,
        /// Of which adjudication.
        t: u32,
        /// Which telling to that seat of that adjudication.
        n: u32,
        /// The file.
        file: FileRef,
    },
    /// A mail that tells something without marks, from a host that binds what it tells.
    #[error(
        "{mail} tells something that can't be compared, for it lacks the lines `Told:` and `End told:`; {file} \
         binds from entry {since} on what is told. They were taken off, or the host didn't stand by this mail"
    )]
    NoMarks {
        /// The mail.
        mail: MailRef,
        /// The first entry that binds something.
        since: u64,
        /// The file.
        file: FileRef,
    },
    /// Marks that can't be read.
    #[error(
        "{mail} has marks round what was told (`Told:` and `End told:`), and {why}: it was changed, or \
         written so that it can't be compared"
    )]
    BrokenMarks {
        /// The mail.
        mail: MailRef,
        /// What is wrong with them.
        why: &'static str,
    },
    /// A mail whose forms say different things.
    #[error("{mail} tells different things: {}", forms_differ(*one, *other, here, there))]
    FormsDiffer {
        /// The mail.
        mail: MailRef,
        /// One form.
        one: Form,
        /// The other.
        other: Form,
        /// The first words that the one has more often.
        here: String,
        /// The first words that the other has more often.
        there: String,
    },
    /// Two mails, or two copies of one, that tell different things under one number.
    #[error(
        "{mail} and {other_mail} are the same telling, the number {n} to {seat} of t {t}, and their {form} \
         differs: the host told two stories under one number, or one of the mails was changed on its way"
    )]
    TwoTellings {
        /// One mail.
        mail: MailRef,
        /// The other.
        other_mail: MailRef,
        /// Who is told.
        seat: String,
        /// Of which adjudication.
        t: u32,
        /// Which telling to that seat of that adjudication.
        n: u32,
        /// In which form they differ.
        form: Form,
    },
}

/// The head that a mail shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shown {
    /// That of the entry with this number.
    Entry(u64),
    /// One without a number, of this adjudication.
    Open(u32),
}

impl From<ChainLines> for Shown {
    fn from(lines: ChainLines) -> Self {
        match lines {
            ChainLines::Numbered(witness) => Self::Entry(witness.index),
            ChainLines::Open(open) => Self::Open(open.t),
        }
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entry(index) => write!(f, "entry {index} of the log"),
            Self::Open(t) => write!(f, "a head of the log while t {t} was open"),
        }
    }
}

impl Contradiction {
    /// Which entry of the log it is about, where it is about one: one forged entry makes all heads behind it differ.
    pub(super) const fn index(&self) -> Option<u64> {
        match self {
            Self::TwoHeads { index, .. } | Self::OtherLog { index, .. } => Some(*index),
            _ => None,
        }
    }
}

/// How many of two heads bear the host's signature.
const fn two_signed(signed: usize) -> &'static str {
    match signed {
        0 => "",
        1 => ". It signed one of the two with its key: that one nobody else can have made",
        _ => ", and signed both with its key: nobody else can have made them, so this is proof",
    }
}

/// In which words two forms of a mail differ.
fn forms_differ(one: Form, other: Form, here: &str, there: &str) -> String {
    let says = |form: Form, words: &str| match words {
        "" => format!("the {form} says nothing of that"),
        words => format!("the {form} says `{words}`"),
    };
    format!("{}, where {}", says(one, here), says(other, there))
}

/// What a log has of a close.
fn closed(logged: Option<Digest>) -> String {
    logged.map_or_else(|| "it was never closed".to_owned(), |root| format!("the root is {root}"))
}
