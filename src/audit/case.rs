//! What came of one game: its files, proofs and mails, and what is wrong with them.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::compare::{Compared, Newer};
use super::contradiction::Contradiction;
use super::copies::SameFile;
use super::difference::Unable;
use super::fate::Fate;
use super::in_time::InTime;
use super::mine::Story;
use super::proven::Proven;
use super::replay::Replayed;
use super::signatures::Signatures;
use super::tellings::ToldMails;
use musterd_dice::audit::Examination;
use musterd_dice::statistics::Statistics;
use musterd_dice::{GameId, Seat};

/// Everything about one game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Case {
    /// Which; none where an audit file doesn't even say that.
    pub game: Option<GameId>,
    /// Its seats, where an audit file or a mail names all of them.
    pub seats: BTreeSet<Seat>,
    /// Its audit files, the one whose log reaches furthest first; those that say the same are not among them.
    pub files: Vec<ExaminedFile>,
    /// Files that say nothing but what the first one says.
    pub copies: Vec<SameFile>,
    /// The proofs of seats' own dice.
    pub proofs: Vec<Proven>,
    /// The revealed dice of the first file, counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Statistics>,
    /// Whether secrets that were brought along open what the files don't.
    pub opened: bool,
    /// How many mails of the host's there are.
    pub mails_of_host: usize,
    /// How many of players'.
    pub mails_of_players: usize,
    /// How many different heads these mails show.
    pub heads: usize,
    /// Of how many adjudications they show what was closed.
    pub closes: usize,
    /// How many receipts there are.
    pub receipts: usize,
    /// The host's signatures of its chain lines.
    pub signatures: Signatures,
    /// That mails show more of the log than the first file has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer: Option<Newer>,
    /// Of a game with a public beacon, which closes were told in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_time: Option<InTime>,
    /// What mails tell, compared with what the log binds.
    pub told: ToldMails,
    /// Adjudications of which a seat's report is missing among those that it has, by seat.
    pub missing: BTreeMap<Seat, Vec<u32>>,
    /// What contradicts what.
    #[serde(serialize_with = "super::told::all")]
    pub contradictions: Vec<Contradiction>,
    /// How much of the mails was held against the log of the first file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<Compared>,
    /// What became of the mails of the seat that was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mine: Option<Story>,
    /// The same of the other seats of which somebody kept his own mails, or the receipts for them.
    pub others: Vec<Story>,
}

/// An audit file and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExaminedFile {
    /// Where it lies.
    pub path: String,
    /// Whether its dice are as they had to fall.
    pub examination: Examination,
    /// Whether its events follow from the orders, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replayed: Option<Replayed>,
    /// The copy that it was played again from, where the file itself lacks the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replayed_from: Option<String>,
}

impl ExaminedFile {
    /// Whether it was to be played again and could not be, though all of it is revealed: then it lacks what every such file has. That
    /// the program of another time is needed is no fault of the file's.
    pub fn is_unplayed(&self) -> bool {
        let unable = self.replayed.as_ref().and_then(|replayed| replayed.unable.as_ref());
        self.examination.findings.is_empty()
            && matches!(unable, Some(Unable::NothingToReplay | Unable::Damaged))
    }
}

impl Case {
    /// How many things are wrong with its files, proofs and mails.
    pub fn count_wrong(&self) -> usize {
        let faults: usize = self.files.iter().map(|file| file.examination.faults().count()).sum();
        let proofs: usize = self.proofs.iter().map(|proven| proven.findings.len()).sum();
        let replayed = self.files.iter().filter_map(|file| file.replayed.as_ref());
        let replays: usize = replayed
            .map(|replayed| usize::from(replayed.difference.is_some()) + replayed.told.differences.len())
            .sum();
        faults + replays + proofs + self.contradictions.len()
    }

    /// The story of each seat whose mails were traced.
    pub fn stories(&self) -> impl Iterator<Item = &Story> {
        self.mine.iter().chain(&self.others)
    }

    /// Whether the story of a seat's mails holds something to ask the host about.
    pub fn has_trouble(&self) -> bool {
        self.fates().any(Fate::is_trouble) || self.has_foreign_orders()
    }

    pub(super) fn fates(&self) -> impl Iterator<Item = &Fate> {
        self.stories().flat_map(Story::mails).map(|(_, sent)| &sent.fate)
    }

    /// Whether orders counted as a seat's, or were taken back, and no mail of the seat's explains it.
    pub fn has_foreign_orders(&self) -> bool {
        self.stories().any(|story| story.foreign().next().is_some())
    }

    /// Whether there turned out to be nothing of it that can be read.
    pub(super) const fn is_empty(&self) -> bool {
        self.files.is_empty()
            && self.proofs.is_empty()
            && self.mails_of_host + self.mails_of_players + self.heads == 0
    }

    /// The file whose log reaches furthest, if there is one.
    pub fn main_file(&self) -> Option<&ExaminedFile> {
        self.files.first()
    }
}
