//! The whole inquiry: everything that was read, examined, compared, played again; a case for each game.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::book::Book;
use super::case::{Case, Examined};
use super::compare;
use super::contradiction::Contradiction;
use super::copies::{Copy, differs};
use super::evidence::{AuditText, Evidence};
use super::idle::{Idle, idle};
use super::in_time::in_time;
use super::mails::Mails;
use super::mine::story;
use super::proven::{Known, Proven};
use super::replay::{Replayed, replay};
use super::signatures::Signatures;
use super::sources::Source;
use musterd_desk::{Desk, Game};
use musterd_dice::audit::{AuditFile, Examination, Place, Proofs, Turn, examine};
use musterd_dice::statistics::{Statistics, Tally};
use musterd_dice::{GameId, LogEntry, Seat, SecretChain};
use musterd_engine::files::RuleFiles;

/// The most audit files of one game that say different things and are examined: a forger may send any number.
const MOST_EXAMINED: usize = 20;

/// What is asked.
pub struct Questions<'a> {
    /// The rules that games are played again by.
    pub desk: &'a Desk,
    /// Whether they are.
    pub replay: bool,
    /// Whose mails are traced.
    pub mine: Option<&'a Seat>,
    /// The game's secrets from an escrow, which open what its host hasn't revealed.
    pub secrets: Option<&'a SecretChain>,
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
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inquiry {
    /// What was read.
    pub sources: Vec<Source>,
    /// A case for each game.
    pub cases: Vec<Case>,
    /// Files that say they are audit files and can't be read as such: where, and why.
    pub damaged: Vec<(String, String)>,
    /// What was given and has nothing to do with any game here.
    #[serde(serialize_with = "super::told::all")]
    pub idle: Vec<Idle>,
    /// Whether there was more testimony than is kept.
    pub overfull: bool,
}

impl Inquiry {
    /// Whether anything is wrong, or in doubt: what is not revealed is in doubt, unless that is allowed. What can't be read at all, or has
    /// nothing to do with a game here, is no finding: [`Inquiry::damaged`], [`Inquiry::idle`].
    #[must_use]
    pub fn found_something(&self, allow_unrevealed: bool) -> bool {
        let files = || self.cases.iter().flat_map(|case| &case.files);
        let examined = |file: &Examined| match allow_unrevealed {
            true => file.examination.faults().next().is_some(),
            false => !file.examination.findings.is_empty(),
        };
        let replayed = |file: &Examined| file.replayed.as_ref().is_some_and(|r| r.difference.is_some());
        self.overfull
            || files().any(|file| examined(file) || replayed(file) || file.is_unplayed())
            || self.cases.iter().any(|case| {
                !case.contradictions.is_empty()
                    || case.has_trouble()
                    || case.proofs.iter().any(Proven::is_forged)
            })
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
    let Evidence { files, proofs, games, mut overfull, .. } = evidence;
    let mut damaged = Vec::new();
    let mut kept: BTreeMap<Option<GameId>, OfGame> = BTreeMap::new();
    for file in files {
        match Book::read(&file.path, &file.text) {
            Some(book) => kept.entry(book.game.clone()).or_default().files.push((file, book)),
            None => {
                let why = match examine(&file.text, &[], |_, _| {}) {
                    Err(error) => error.to_string(),
                    Ok(_) => "its log or its turns are no lists".to_owned(),
                };
                damaged.push((file.path, why));
            }
        }
    }
    for (game, mails) in games {
        kept.entry(Some(game)).or_default().mails = mails;
    }
    for file in proofs {
        match serde_json::from_str::<Proofs>(&file.text) {
            Ok(proofs) => {
                kept.entry(Some(proofs.game.clone())).or_default().proofs.push((file, proofs));
            }
            Err(error) => damaged.push((file.path, format!("these are no proofs: {error}"))),
        }
    }
    // Games with an audit file come first.
    let (with_file, without): (Vec<_>, Vec<_>) =
        kept.into_iter().partition(|(_, kept)| !kept.files.is_empty());
    let cases = with_file.into_iter().chain(without);
    let cases = cases.map(|(game, kept)| {
        let mut within = Within { damaged: &mut damaged, overfull: &mut overfull, progress: &mut progress };
        case(game, kept, questions, &mut within)
    });
    let cases: Vec<Case> = cases.filter(|case| !case.is_empty()).collect();
    let idle = idle(&sources, &cases, questions.secrets.map(SecretChain::game));
    Inquiry { sources, cases, damaged, idle, overfull }
}

/// What was read of one game.
#[derive(Default)]
struct OfGame {
    files: Vec<(AuditText, Book)>,
    mails: Mails,
    proofs: Vec<(AuditText, Proofs)>,
}

/// What an inquiry notes besides its cases, and whom it tells how far it is.
struct Within<'a, P> {
    damaged: &'a mut Vec<(String, String)>,
    overfull: &'a mut bool,
    progress: &'a mut P,
}

/// The audit files of one game, examined: the main one first, then those that say something else.
#[derive(Default)]
struct Files {
    examined: Vec<(AuditText, Book, Examination)>,
    copies: Vec<Copy>,
    /// A copy with what plays the game again, where the main file has none.
    replayable: Option<AuditText>,
    contradictions: Vec<Contradiction>,
}

fn files<P: FnMut(Stage, usize, usize)>(
    mut files: Vec<(AuditText, Book)>,
    within: &mut Within<'_, P>,
) -> Files {
    // The one that reaches furthest comes first; of two, the one that reveals more, then the one that can be played again.
    files.sort_by_key(|(_, book)| std::cmp::Reverse((book.entries, book.turns.len(), book.replayable)));
    let several = files.len() > 1;
    let mut found = Files::default();
    let mut whole: Option<AuditFile> = None;
    for (file, book) in files {
        let parsed = if several { serde_json::from_str::<AuditFile>(&file.text).ok() } else { None };
        if let (Some((main, main_book, _)), Some(whole), Some(parsed)) =
            (found.examined.first(), &whole, &parsed)
        {
            let Some(what) = differs(whole, parsed) else {
                found.copies.push(Copy::of(&file, book.entries));
                if book.replayable && !main_book.replayable {
                    found.replayable.get_or_insert(file);
                }
                continue;
            };
            if compare::books(main_book, &book).is_none() {
                let (file, other_file) = (main.path.clone(), file.path.clone());
                found.contradictions.push(Contradiction::TwoContents { what, file, other_file });
            }
        }
        if found.examined.len() >= MOST_EXAMINED {
            *within.overfull = true;
            continue;
        }
        match examine(&file.text, &[], |done, all| (within.progress)(Stage::Examining, done, all)) {
            Ok(examination) => {
                if let Some((main, main_book, _)) = found.examined.first() {
                    let (file, other_file) = (main.path.clone(), file.path.clone());
                    let index = compare::books(main_book, &book);
                    let two = index.map(|index| Contradiction::TwoLogs { index, file, other_file });
                    found.contradictions.extend(two);
                } else {
                    whole = parsed;
                }
                found.examined.push((file, book, examination));
            }
            Err(error) => within.damaged.push((file.path, error.to_string())),
        }
    }
    found
}

fn case<P: FnMut(Stage, usize, usize)>(
    game: Option<GameId>,
    mut kept: OfGame,
    questions: &Questions<'_>,
    within: &mut Within<'_, P>,
) -> Case {
    let mut found = files(kept.files, within);
    if let (Some((_, book, _)), Some(secrets)) = (found.examined.first_mut(), questions.secrets) {
        book.open(secrets);
    }
    let main = found.examined.first().map(|(_, book, _)| book);
    let never_taken = main.map(|book| kept.mails.place(book)).unwrap_or_default();
    let key = found.examined.first().map(|(file, _, examined)| (examined.host_key, file.path.as_str()));
    let (signatures, unsigned) = Signatures::check(&mut kept.mails, key);
    let mails = &kept.mails;
    let mut contradictions =
        game.as_ref().map(|game| compare::among_themselves(game, mails)).unwrap_or_default();
    let two_games = compare::two_games(&mails.claims, main, &contradictions);
    if let Some((file, book, examination)) = found.examined.first() {
        contradictions.extend(compare::with_book(mails, book));
        contradictions.extend(compare::levels(&mails.claims, &examination.turns, &file.path));
    }
    contradictions.extend(never_taken);
    contradictions.extend(unsigned);
    contradictions.append(&mut found.contradictions);
    let secrets = questions.secrets.filter(|secrets| Some(secrets.game()) == game.as_ref());
    let misfit = secrets.and_then(|secrets| compare::with_escrow(&mails.claims, main, secrets));
    let seats = seats(main, mails);
    let mine = questions.mine.filter(|seat| seats.is_empty() || seats.contains(*seat));
    let with_rules = found.examined.first().filter(|_| mine.is_some() || !kept.proofs.is_empty());
    let with_rules = with_rules.map(|(file, ..)| found.replayable.as_ref().unwrap_or(file));
    let at_table = with_rules.and_then(|file| table(questions.desk, &file.text));
    let opening = secrets.filter(|_| misfit.is_none());
    let mut known = Known::new(main, &mails.claims, opening, at_table.as_deref());
    let (proofs, against) = proofs(&mut known, &kept.proofs, within.damaged);
    contradictions.extend(against);
    let opened = opening.is_some();
    contradictions.extend(misfit);
    let mine = mine.filter(|_| two_games.is_none());
    if let Some(two_games) = two_games {
        // What differs between two games is no contradiction.
        contradictions = vec![two_games];
    }
    let mine = mine.map(|seat| story(seat, mails, main, at_table.as_deref()));
    let newer = main.and_then(|book| compare::newer(&mails.claims, book));
    let in_time = main.and_then(|book| in_time(mails, book));
    let missing_reports = missing(mails, main);
    let copies = std::mem::take(&mut found.copies);
    let (examined, statistics) = found.played_again(questions, &mut *within.progress);
    Case {
        seats,
        files: examined,
        copies,
        proofs,
        statistics,
        opened,
        mails_of_host: mails.of_host(),
        mails_of_players: mails.all.len() - mails.of_host(),
        heads: mails.claims.count_heads(),
        closes: mails.claims.closes().into_iter().map(|(t, ..)| t).collect::<BTreeSet<_>>().len(),
        receipts: mails.receipts().len(),
        signatures,
        newer,
        in_time,
        missing: missing_reports,
        contradictions,
        mine,
        game,
    }
}

/// The proofs of one game, examined, and what they are held against.
fn proofs(
    known: &mut Known<'_>,
    files: &[(AuditText, Proofs)],
    damaged: &mut Vec<(String, String)>,
) -> (Vec<Proven>, Vec<Contradiction>) {
    let (mut proofs, mut contradictions) = (Vec::new(), Vec::new());
    for (file, parsed) in files {
        match known.examine(file, parsed) {
            Ok((proven, against)) => {
                proofs.push(proven);
                contradictions.extend(against);
            }
            Err(error) => damaged.push((file.path.clone(), error.to_string())),
        }
    }
    (proofs, contradictions)
}

impl Files {
    /// The files with what came of playing each again, if that is asked for; and the dice of the main one, counted.
    fn played_again(
        self,
        questions: &Questions<'_>,
        progress: &mut impl FnMut(Stage, usize, usize),
    ) -> (Vec<Examined>, Option<Statistics>) {
        let (mut examined, mut statistics, mut replayable) = (Vec::new(), None, self.replayable);
        for (place, (file, book, examination)) in self.examined.into_iter().enumerate() {
            let with_rules = if place == 0 { replayable.take() } else { None };
            let replayed = questions.replay.then(|| {
                let whole = !examination.findings.iter().any(|f| matches!(f.place, Place::Log(_)));
                play_again(questions.desk, with_rules.as_ref().unwrap_or(&file), whole, &mut *progress)
            });
            if place == 0 {
                statistics = statistics_of(book.turns.values(), &examination, replayed.as_ref());
            }
            let replayed_from = with_rules.filter(|_| questions.replay).map(|file| file.path);
            examined.push(Examined { path: file.path, examination, replayed, replayed_from });
        }
        (examined, statistics)
    }
}

/// The seats of a game: by the log, or by what a mail says of all of them at a close.
fn seats(book: Option<&Book>, mails: &Mails) -> BTreeSet<Seat> {
    let logged = book.map(|book| book.seats.clone()).filter(|seats| !seats.is_empty());
    let closed = || mails.claims.closes().first().map(|(_, close, _)| close.leaves.keys().cloned().collect());
    logged.or_else(closed).unwrap_or_default()
}

/// What there is to say of the revealed dice of an audit file; of whom they were kind to only if it was played again. None where
/// nothing is revealed.
#[must_use]
pub fn statistics_of<'a>(
    turns: impl IntoIterator<Item = &'a Turn>,
    examination: &Examination,
    replayed: Option<&Replayed>,
) -> Option<Statistics> {
    let dice = Tally::of_file(turns, examination);
    let luck =
        replayed.filter(|replayed| replayed.difference.is_none()).map(|replayed| replayed.luck.clone());
    (dice.dice() > 0).then(|| Statistics::of(&dice, &luck.unwrap_or_default()))
}

/// Plays a game again, if its log is whole.
fn play_again(
    desk: &Desk,
    file: &AuditText,
    whole: bool,
    progress: &mut impl FnMut(Stage, usize, usize),
) -> Replayed {
    #[derive(serde::Deserialize)]
    struct Part {
        #[serde(default, rename = "replay")]
        _replay: Option<musterd_dice::audit::Replay>,
    }
    if let Err(error) = serde_json::from_str::<Part>(&file.text) {
        return Replayed::unreadable(error.to_string());
    }
    let file = serde_json::from_str::<AuditFile>(&file.text).ok().filter(|_| whole);
    file.map_or_else(Replayed::damaged, |file| {
        replay(desk, &file, |done, all| progress(Stage::Replaying, done, all))
    })
}

/// The game of an audit file as it was founded, where the file brings the rules that its log names and this program has them.
fn table(desk: &Desk, text: &str) -> Option<Box<dyn Game>> {
    let file: AuditFile = serde_json::from_str(text).ok()?;
    let replay = file.replay?;
    let Some(LogEntry::Game { seats, rules, .. }) = file.log.first()?.entry() else { return None };
    let files = RuleFiles(replay.founding);
    let is_its = files.digest(&replay.ruleset, replay.version) == rules;
    let is_known = desk.rules_version(&replay.ruleset) == Some(replay.version);
    let seats: Vec<Seat> = seats.into_iter().collect();
    (is_its && is_known).then(|| desk.open(&replay.ruleset, &files, &seats).ok()).flatten()
}

/// The reports that are missing between the first and the last that each seat's mails hold. A turn may have no report of its own
/// for a seat, so this is no contradiction. What comes of a roll that is thrown again is told with the turn behind it.
fn missing(mails: &Mails, book: Option<&Book>) -> BTreeMap<Seat, Vec<u32>> {
    let gaps = mails.claims.reports().into_iter().map(|(seat, there)| {
        let (first, last) = (there.first().copied().unwrap_or(1), there.last().copied().unwrap_or(0));
        // A forged Message-ID may name any number.
        let all = (first..=last).take(100_000);
        let is_reroll = |t: &u32| book.is_some_and(|book| book.rerolls.contains_key(t));
        (seat.clone(), all.filter(|t| !there.contains(t) && !is_reroll(t)).collect::<Vec<_>>())
    });
    gaps.filter(|(_, missing)| !missing.is_empty()).collect()
}
