//! What can be wrong with an audit file.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::Label;

/// Where something is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// The file as a whole.
    File,
    /// An entry of the log, by its index from 0.
    Log(u64),
    /// An adjudication.
    Turn(u32),
    /// A rerun of an adjudication, by its number from 1.
    Rerun(u32, u32),
    /// A head that somebody was shown, by the index that it names.
    Witness(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => f.write_str("the file"),
            Self::Log(index) => write!(f, "log entry {index}"),
            Self::Turn(t) => write!(f, "t {t}"),
            Self::Rerun(t, k) => write!(f, "t {t}, rerun {k}"),
            Self::Witness(index) => write!(f, "a head of entry {index}"),
        }
    }
}

/// Something wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Where.
    pub place: Place,
    /// What.
    #[serde(flatten)]
    pub fault: Fault,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.fault)
    }
}

/// What is wrong. The words of each are for a person who has never seen the program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A part that can't be read.
    #[error("it can't be read: {0}")]
    Malformed(String),
    /// The hash of an entry is not that of its content and its predecessor.
    #[error("its hash is wrong: {expected} belongs there. The entry, or one before it, was changed")]
    WrongHash {
        /// What it should be.
        expected: String,
    },
    /// An entry stands where it can't.
    #[error("{0}")]
    OutOfPlace(String),
    /// A number was left out.
    #[error("t {expected} comes next: adjudications are missing, or out of order")]
    Gap {
        /// The number that was due.
        expected: u32,
    },
    /// There is none, or a second one.
    #[error("it has {count} `{kind}` entries, and must have one")]
    Count {
        /// Of which kind.
        kind: &'static str,
        /// How many.
        count: usize,
    },
    /// A close dated back to a time whose public beacon was known.
    #[error(
        "it closes at second {at} of unix time, before an earlier close or an earlier round of the beacon, at second {latest}: the host \
         may have known what the beacon would give"
    )]
    Backdated {
        /// When it says that it closed, in unix seconds.
        at: u64,
        /// What had passed by then, in unix seconds.
        latest: u64,
    },
    /// A computer's orders were not fixed at the opening.
    #[error(
        "the orders of {seat} were not sealed directly after the opening, though the host or its computer plays it"
    )]
    SealMissing {
        /// Whose.
        seat: String,
    },
    /// A seal where none belongs.
    #[error("{seat} is sealed, though the host doesn't play it, or it is sealed twice, late or out of order")]
    SealOdd {
        /// Whose.
        seat: String,
    },
    /// Sealed orders that were changed.
    #[error(
        "the orders of {seat} were sealed at the opening, as the host or its computer plays it, and others were accepted for it afterwards"
    )]
    SealBroken {
        /// Whose.
        seat: String,
    },
    /// A head that the log doesn't have.
    #[error(
        "somebody was shown {head} as the head of the log, and this log {}: a different log was shown to them",
        if *.known { "has another one there" } else { "has no such entry" }
    )]
    OtherLog {
        /// The head.
        head: String,
        /// Whether the log is long enough.
        known: bool,
    },
    /// A turn that the log didn't close.
    #[error("the file shows it, and the log never closed it")]
    TurnNotClosed,
    /// A head that the log didn't have while the turn was open.
    #[error(
        "somebody was shown {head} as the head of the log while it was open, and this log had no such head then: a different log was shown to them"
    )]
    NoSuchHead {
        /// The head.
        head: String,
    },
    /// A turn that the file shows twice.
    #[error("the file shows it twice")]
    TurnTwice,
    /// A closed turn that the file doesn't show.
    #[error("the log closed it, and the file doesn't show it")]
    TurnMissing,
    /// A log without a single entry.
    #[error("its log has no entries")]
    NoLog,
    /// A log in which nothing has closed yet.
    #[error("no adjudication has closed, so there is nothing to verify")]
    NothingClosed,
    /// More of a kind than are told.
    #[error("{count} more findings of the kind `{code}`")]
    More {
        /// The word for the kind.
        code: &'static str,
        /// How many.
        count: usize,
    },
    /// A turn whose secret is still kept.
    #[error("not revealed yet, so not verified")]
    Unrevealed,
    /// A secret that doesn't lead to `s_0`.
    #[error(
        "its secret is not in the chain: hashed back, it doesn't give {}. The host used another secret than the one it fixed in advance",
        if *.number == 0 { "the anchor s_0".to_owned() } else { format!("the secret of t {number}") }
    )]
    SecretNotInChain {
        /// The number of the secret that it should have led to.
        number: u32,
    },
    /// Another secret than the one that was revealed.
    #[error("its secret is not the one that the log says was revealed: {noted}")]
    OtherSecret {
        /// The secret in the log.
        noted: String,
    },
    /// Orders of other slots than the game has.
    #[error("it shows orders of {0}, and the game has other slots")]
    OtherSlots(String),
    /// The root of the shown orders is not what was closed.
    #[error(
        "the orders shown are not those that the dice were bound to: their root is {found}, the close says {closed}"
    )]
    OtherOrders {
        /// The root of the shown orders.
        found: String,
        /// What the close says.
        closed: String,
    },
    /// The last accepted mail of a slot is not what was closed.
    #[error(
        "the orders shown for {seat} are not those of its last accepted mail: that one has the leaf {accepted}"
    )]
    NotTheAccepted {
        /// Whose.
        seat: String,
        /// The leaf in the log.
        accepted: String,
    },
    /// A slot that had sent nothing has orders.
    #[error("orders are shown for {seat}, and no mail of its was accepted")]
    NeverAccepted {
        /// Whose.
        seat: String,
    },
    /// Orders counted that the log says were taken back.
    #[error("orders are shown for {seat}, and by the word of the log its last accepted mail took them back")]
    NotTakenBack {
        /// Whose.
        seat: String,
    },
    /// A consent where no roll is thrown again.
    #[error(
        "orders of {seat} were accepted as a consent to throw a roll again, and this adjudication throws none again"
    )]
    ConsentToNothing {
        /// Whose.
        seat: String,
    },
    /// A stand-in for a seat that had orders.
    #[error("a stand-in's orders were accepted for {seat}, which had orders that nobody had taken back")]
    StandInUncalled {
        /// Whose.
        seat: String,
    },
    /// A player saw another log.
    #[error(
        "{seat} wrote `seen: {index} {head}`, and this log has another head there: a different log was shown to that player"
    )]
    SeenOther {
        /// Whose.
        seat: String,
        /// The index that the player wrote.
        index: u64,
        /// The head that the player wrote.
        head: String,
    },
    /// The beacon is missing, or not the one that was due, or not the one that the log notes.
    #[error("the public beacon is {}, and {due} was due", if .found.is_empty() { "missing" } else { .found.as_str() })]
    WrongBeacon {
        /// What the file has.
        found: String,
        /// Name and round.
        due: String,
    },
    /// The value of the beacon that the file shows is another one, or belongs to no beacon.
    #[error(
        "the value that it shows of the public beacon is not the one in the log, which notes {}",
        if .noted.is_empty() { "none" } else { .noted.as_str() }
    )]
    WrongBeaconValue {
        /// What the log notes: `name/round/hash`.
        noted: String,
    },
    /// The value of the beacon was left out.
    #[error("it doesn't show the value that the public beacon published, and an earlier adjudication does")]
    BeaconValueMissing,
    /// The beacon didn't sign its value.
    #[error(
        "the beacon's value isn't signed by {name}: {name} did not publish it in round {round}, and the host may have chosen it"
    )]
    BeaconNotSigned {
        /// The beacon.
        name: String,
        /// The round that was due.
        round: u64,
    },
    /// A die that didn't fall so.
    #[error("{label}: the die {number} shows {found}, and the seed gives {expected}")]
    WrongDie {
        /// Which roll.
        label: String,
        /// Which die of it, from 1.
        number: usize,
        /// What the file has.
        found: u64,
        /// What the seed gives.
        expected: u32,
    },
    /// A roll that no dice can make.
    #[error("{label}: {count} dice of {sides} sides can't show {faces} faces")]
    ImpossibleRoll {
        /// Which roll.
        label: String,
        /// How many dice it says.
        count: u64,
        /// Of how many sides.
        sides: u64,
        /// How many faces there are.
        faces: usize,
    },
    /// A label that this adjudication can't have.
    #[error("`{0}` is not a label of this adjudication: t/phase/kind/subject/seq")]
    ForeignLabel(String),
    /// Somebody didn't agree to throw a roll again.
    #[error(
        "{seat} didn't consent to throw {label} again: its block doesn't begin with the line `reroll: {label}`"
    )]
    NoConsent {
        /// Who.
        seat: String,
        /// Which roll.
        label: Label,
    },
    /// The house consented for a player.
    #[error("the host stood in for {seat}, and nobody but its player can consent to throw {label} again")]
    ConsentByStandIn {
        /// For whom.
        seat: String,
        /// Which roll.
        label: Label,
    },
    /// The house said more than that it consents.
    #[error(
        "the consent of {seat}, whom the house plays or nobody does, says more than `reroll: LABEL`: with other words the host could have chosen the dice"
    )]
    ConsentOfChoice {
        /// Who.
        seat: String,
    },
    /// Another roll was thrown, or none.
    #[error("it is there to throw {label} again, and that alone: it shows {found}")]
    NotThatRoll {
        /// The roll agreed on.
        label: Label,
        /// What the file shows.
        found: String,
    },
    /// A label used twice.
    #[error("the label {0} is used twice")]
    LabelTwice(Label),
    /// A number left out of a sequence.
    #[error(
        "the rolls {stem}/… are not numbered 0, 1, 2, …: {missing} is missing, so a roll may have been made and hidden"
    )]
    LabelGap {
        /// The label without its number.
        stem: String,
        /// The first number missing.
        missing: usize,
    },
    /// The rolls are not the committed ones.
    #[error(
        "its rolls are not those that were committed to: their root is {found}, the log says {committed}"
    )]
    OtherRolls {
        /// The root of the shown rolls.
        found: String,
        /// What the log says.
        committed: String,
    },
    /// Rolls or a result without a commitment.
    #[error(
        "it shows rolls or a result, and the log never committed to any: nobody can tell when they were thrown"
    )]
    NeverCommitted,
    /// The result is not the committed one.
    #[error("its result is not the one that was committed to")]
    OtherResult,
    /// What was told, opened otherwise than it was bound.
    #[error(
        "what {seat} was told there, the number {n} of its turn, is opened otherwise than the log binds it"
    )]
    ToldOther {
        /// To whom.
        seat: String,
        /// Its number.
        n: u32,
    },
    /// What was told and isn't opened.
    #[error(
        "the log binds what {seat} was told there, the number {n} of its turn, and the file doesn't open it"
    )]
    ToldMissing {
        /// To whom.
        seat: String,
        /// Its number.
        n: u32,
    },
    /// An opening of nothing.
    #[error("the file opens what a seat was told there, and this entry binds nothing of that turn")]
    ToldNever,
    /// An opening that stands twice.
    #[error("the file opens what a seat was told there twice")]
    ToldTwice,
    /// Another number of reruns than in the log.
    #[error("the file shows {shown} reruns, the log has {logged}")]
    OtherReruns {
        /// In the file.
        shown: usize,
        /// In the log.
        logged: usize,
    },
}

impl Fault {
    /// This, found there.
    #[must_use]
    pub const fn at(self, place: Place) -> Finding {
        Finding { place, fault: self }
    }

    /// Whether nothing is wrong by it, and something can't be told yet.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self, Self::Unrevealed | Self::NothingClosed)
    }

    /// The word that programs know it by.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Malformed(_) => "malformed",
            Self::WrongHash { .. } => "wrong-hash",
            Self::OutOfPlace(_) => "out-of-place",
            Self::Gap { .. } => "gap",
            Self::Count { .. } => "count",
            Self::Backdated { .. } => "backdated",
            Self::SealMissing { .. } => "seal-missing",
            Self::SealOdd { .. } => "seal-odd",
            Self::SealBroken { .. } => "seal-broken",
            Self::OtherLog { .. } => "other-log",
            Self::NoSuchHead { .. } => "no-such-head",
            Self::TurnNotClosed => "turn-not-closed",
            Self::TurnTwice => "turn-twice",
            Self::TurnMissing => "turn-missing",
            Self::NoLog => "no-log",
            Self::NothingClosed => "nothing-closed",
            Self::More { .. } => "more",
            Self::Unrevealed => "unrevealed",
            Self::SecretNotInChain { .. } => "secret-not-in-chain",
            Self::OtherSecret { .. } => "other-secret",
            Self::OtherSlots(_) => "other-slots",
            Self::OtherOrders { .. } => "other-orders",
            Self::NotTheAccepted { .. } => "not-the-accepted",
            Self::NeverAccepted { .. } => "never-accepted",
            Self::NotTakenBack { .. } => "not-taken-back",
            Self::ConsentToNothing { .. } => "consent-to-nothing",
            Self::StandInUncalled { .. } => "stand-in-uncalled",
            Self::SeenOther { .. } => "seen-other",
            Self::WrongBeacon { .. } => "wrong-beacon",
            Self::WrongBeaconValue { .. } => "wrong-beacon-value",
            Self::BeaconValueMissing => "beacon-value-missing",
            Self::BeaconNotSigned { .. } => "beacon-not-signed",
            Self::WrongDie { .. } => "wrong-die",
            Self::ImpossibleRoll { .. } => "impossible-roll",
            Self::ForeignLabel(_) => "foreign-label",
            Self::NoConsent { .. } => "no-consent",
            Self::ConsentByStandIn { .. } => "consent-by-stand-in",
            Self::ConsentOfChoice { .. } => "consent-of-choice",
            Self::NotThatRoll { .. } => "not-that-roll",
            Self::LabelTwice(_) => "label-twice",
            Self::LabelGap { .. } => "label-gap",
            Self::OtherRolls { .. } => "other-rolls",
            Self::NeverCommitted => "never-committed",
            Self::OtherResult => "other-result",
            Self::ToldOther { .. } => "told-other",
            Self::ToldMissing { .. } => "told-missing",
            Self::ToldNever => "told-never",
            Self::ToldTwice => "told-twice",
            Self::OtherReruns { .. } => "other-reruns",
        }
    }
}

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap as _;
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("finding", self.code())?;
        map.serialize_entry("text", &self.to_string())?;
        map.end()
    }
}
