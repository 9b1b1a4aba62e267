//! The whole inquiry: everything that was read, examined, compared, played again; a case for each game.

use std::collections::BTreeMap;

use serde::Serialize;

use super::book::Book;
use super::compare;
use super::contradiction::Contradiction;
use super::evidence::{AuditText, Evidence, Mails};
use super::mine::{Story, story};
use super::replay::{Replayed, replay};
use super::sources::Source;
use crate::desk::{Desk, Game};
use crate::dice::audit::{AuditFile, Examination, examine};
use crate::dice::{GameId, Seat};
use crate::engine::files::RuleFiles;

/// What is asked.
pub struct Questions<'a> {
    /// The rules that games are played again by.
    pub desk: &'a Desk,
    /// Whether they are.
    pub replay: bool,
    /// Whose mails are traced.
    pub mine: Option<&'a Seat>,
}

/// What an inquiry is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// It throws the dice of a game again.
    Examining,
    /// It plays a game again.
    Replaying,
}

/// What an inquiry came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Inquiry {
    /// What was read.
    pub sources: Vec<Source>,
    /// A case for each game.
    pub cases: Vec<Case>,
    /// Files that say they are audit files and can't be read as such: where, and why.
    pub damaged: Vec<(String, String)>,
    /// Whether there was more testimony than is kept.
    pub overfull: bool,
}

/// Everything about one game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Case {
    /// Which; none where an audit file doesn't even say that.
    pub game: Option<GameId>,
    /// Its audit files.
    pub files: Vec<Examined>,
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
    /// Adjudications of which a seat's report is missing among those that it has, by seat.
    pub missing: BTreeMap<Seat, Vec<u32>>,
    /// What contradicts what.
    #[serde(serialize_with = "super::told::all")]
    pub contradictions: Vec<Contradiction>,
    /// What became of one seat's mails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mine: Option<Story>,
}

/// An audit file and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Examined {
    /// Where it lies.
    pub path: String,
    /// Whether its dice are as they had to fall.
    pub examination: Examination,
    /// Whether its events follow from the orders, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replayed: Option<Replayed>,
}

impl Inquiry {
    /// Whether anything is wrong, or in doubt: what is not revealed is in doubt, unless that is allowed.
    #[must_use]
    pub fn found_something(&self, allow_unrevealed: bool) -> bool {
        let files = || self.cases.iter().flat_map(|case| &case.files);
        let examined = |file: &Examined| match allow_unrevealed {
            true => file.examination.faults().next().is_some(),
            false => !file.examination.findings.is_empty(),
        };
        !self.damaged.is_empty()
            || self.overfull
            || files()
                .any(|file| examined(file) || file.replayed.as_ref().is_some_and(|r| r.difference.is_some()))
            || self.cases.iter().any(|case| !case.contradictions.is_empty() || case.has_trouble())
    }
}

impl Case {
    /// Whether the story of a seat's mails holds something to ask the host about.
    #[must_use]
    pub fn has_trouble(&self) -> bool {
        let story = self
            .mine
            .iter()
            .flat_map(|story| story.turns.iter().flat_map(|turn| &turn.mails).chain(&story.elsewhere));
        story.into_iter().any(|sent| sent.fate.is_trouble())
    }

    /// The file whose log reaches furthest, if there is one.
    #[must_use]
    pub fn main_file(&self) -> Option<&Examined> {
        self.files.first()
    }
}

/// Looks into everything that was read. `progress` is told what is being done, and how much of how much of it.
#[must_use]
pub fn inquire(
    evidence: Evidence,
    sources: Vec<Source>,
    questions: &Questions<'_>,
    mut progress: impl FnMut(Stage, usize, usize),
) -> Inquiry {
    let Evidence { files, mut games, overfull } = evidence;
    let mut damaged = Vec::new();
    let mut read: BTreeMap<Option<GameId>, Vec<(AuditText, Book, Examination)>> = BTreeMap::new();
    for file in files {
        let examined = examine(&file.text, &[], |done, all| progress(Stage::Examining, done, all));
        match (examined, Book::read(&file.text)) {
            (Ok(examined), Some(book)) => {
                read.entry(examined.game.clone()).or_default().push((file, book, examined));
            }
            (Err(error), _) => damaged.push((file.path, error.to_string())),
            (Ok(_), None) => damaged.push((file.path, "its log or its turns are no lists".to_owned())),
        }
    }
    let mut cases = Vec::new();
    for (game, files) in read {
        let mails = game.as_ref().and_then(|game| games.remove(game)).unwrap_or_default();
        cases.push(case(game, files, &mails, questions, &mut progress));
    }
    for (game, mails) in games {
        cases.push(case(Some(game), Vec::new(), &mails, questions, &mut progress));
    }
    Inquiry { sources, cases, damaged, overfull }
}

fn case(
    game: Option<GameId>,
    mut files: Vec<(AuditText, Book, Examination)>,
    mails: &Mails,
    questions: &Questions<'_>,
    progress: &mut impl FnMut(Stage, usize, usize),
) -> Case {
    // The one that reaches furthest comes first; of two, the one that reveals more.
    files.sort_by_key(|(_, book, examined)| {
        let revealed = examined.turns.iter().filter(|turn| turn.level.is_some()).count();
        std::cmp::Reverse((book.heads.len(), revealed))
    });
    let mut contradictions =
        game.as_ref().map(|game| compare::among_themselves(game, mails)).unwrap_or_default();
    let main = files.first();
    if let Some((file, book, _)) = main {
        contradictions.extend(compare::with_book(mails, book, &file.path));
        for (other, other_book, _) in &files[1..] {
            contradictions.extend(compare::books(book, other_book).map(|index| Contradiction::TwoLogs {
                index,
                file: file.path.clone(),
                other_file: other.path.clone(),
            }));
        }
    }
    let at_table = main.and_then(|(file, ..)| table(questions.desk, &file.text));
    let book = main.map(|(_, book, _)| book);
    let mine = questions.mine.map(|seat| story(seat, mails, book, at_table.as_deref()));
    let examined = |(file, _, examination): (AuditText, Book, Examination)| {
        let replayed = questions.replay.then(|| {
            let whole =
                !examination.findings.iter().any(|f| matches!(f.place, crate::dice::audit::Place::Log(_)));
            play_again(questions.desk, &file.text, whole, &mut *progress)
        });
        Examined { path: file.path, examination, replayed }
    };
    Case {
        files: files.into_iter().map(examined).collect(),
        mails_of_host: mails.of_host,
        mails_of_players: mails.of_players,
        heads: mails.heads.values().map(BTreeMap::len).sum(),
        closes: mails.closes.len(),
        receipts: mails.receipts.len(),
        missing: missing(mails),
        contradictions,
        mine,
        game,
    }
}

/// Plays a game again, if its log is whole.
fn play_again(
    desk: &Desk,
    text: &str,
    whole: bool,
    progress: &mut impl FnMut(Stage, usize, usize),
) -> Replayed {
    let file = serde_json::from_str::<AuditFile>(text).ok().filter(|_| whole);
    file.map_or_else(Replayed::damaged, |file| {
        replay(desk, &file, |done, all| progress(Stage::Replaying, done, all))
    })
}

/// The game of an audit file as it was founded, where the file brings its rules and this program has them.
fn table(desk: &Desk, text: &str) -> Option<Box<dyn Game>> {
    let file: AuditFile = serde_json::from_str(text).ok()?;
    let replay = file.replay?;
    let seats: Vec<Seat> = file.turns.iter().find_map(|turn| {
        let seats = turn.orders.keys().map(|seat| seat.parse()).collect::<Result<Vec<_>, _>>().ok()?;
        (!seats.is_empty()).then_some(seats)
    })?;
    desk.open(&replay.ruleset, &RuleFiles(replay.founding), &seats).ok()
}

/// The reports that are missing between the first and the last that each seat's mails hold. A turn may have no report of its own
/// for a seat, so this is no contradiction.
fn missing(mails: &Mails) -> BTreeMap<Seat, Vec<u32>> {
    let gaps = mails.dispatches.iter().map(|(seat, there)| {
        let (first, last) = (there.first().copied().unwrap_or(1), there.last().copied().unwrap_or(0));
        // A forged Message-ID may name any number.
        let all = (first..=last).take(100_000);
        (seat.clone(), all.filter(|t| !there.contains(t)).collect::<Vec<_>>())
    });
    gaps.filter(|(_, missing)| !missing.is_empty()).collect()
}
