//! The whole inquiry: everything that was read, examined, compared, played again; a case for each game.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::book::Book;
use super::case::{Case, ExaminedFile};
use super::compare;
use super::compare::Compared;
use super::contradiction::Contradiction;
use super::copies::{SameFile, differs};
use super::evidence::{AuditText, Evidence};
use super::idle::{Idle, idle};
use super::in_time::in_time;
use super::mails::Mails;
use super::mine::{Story, story, traced};
use super::place::MailRef;
use super::proven::{Known, Proven};
use super::replay::{Replayed, replay};
use super::signatures::Signatures;
use super::sources::ReadPath;
use super::tellings;
use musterd_desk::mail::Kind;
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
    /// Whose mails are told of one by one. Those of all seats are traced.
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
    pub sources: Vec<ReadPath>,
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

/// What an inquiry comes to. Scripts are told it by [`Verdict::status`], and what comes first here goes before the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Something is wrong, or to be asked about.
    ToExplain,
    /// Something that was given can't be read, or has nothing to do with a game.
    NothingThere,
    /// Nothing is wrong as far as a file reaches, and mails show more of its log.
    Older,
    /// Nothing is wrong so far, and not all is revealed, or nothing has closed.
    Unrevealed,
    /// Nothing is wrong.
    NothingWrong,
}

impl Verdict {
    /// The exit status of a verifier for it (dice.md, "The audit file").
    pub const fn status(self) -> u8 {
        match self {
            Self::NothingWrong => 0,
            Self::ToExplain => 1,
            Self::NothingThere => 2,
            Self::Older => 4,
            Self::Unrevealed => 5,
        }
    }
}

impl Inquiry {
    /// What it comes to. What is not revealed may be allowed.
    pub fn verdict(&self, allow_unrevealed: bool) -> Verdict {
        if self.is_wrong() {
            Verdict::ToExplain
        } else if !self.damaged.is_empty() || self.cases.is_empty() || !self.idle.is_empty() {
            Verdict::NothingThere
        } else if self.cases.iter().any(|case| case.newer.is_some()) {
            Verdict::Older
        } else if !allow_unrevealed && self.is_open() {
            Verdict::Unrevealed
        } else {
            Verdict::NothingWrong
        }
    }

    /// Whether anything is wrong, or in doubt: what is not revealed is in doubt, unless that is allowed. What can't be read at all, or has
    /// nothing to do with a game here, is no finding: [`Inquiry::damaged`], [`Inquiry::idle`].
    pub fn found_something(&self, allow_unrevealed: bool) -> bool {
        self.is_wrong() || !allow_unrevealed && self.is_open()
    }

    fn is_wrong(&self) -> bool {
        let is_wrong = |case: &Case| {
            case.count_wrong() > 0 || case.has_trouble() || case.files.iter().any(ExaminedFile::is_unplayed)
        };
        self.overfull || self.cases.iter().any(is_wrong)
    }

    /// Whether something is not revealed, or nothing has closed yet.
    fn is_open(&self) -> bool {
        let mut files = self.cases.iter().flat_map(|case| &case.files);
        files.any(|file| !file.examination.findings.is_empty())
    }
}

/// Looks into everything that was read. `progress` is told what is being done, and how much of how much of it.
pub fn inquire(
    evidence: Evidence,
    sources: Vec<ReadPath>,
    questions: &Questions<'_>,
    mut progress: impl FnMut(Stage, usize, usize),
) -> Inquiry {
    let Evidence { files, proofs, games, overfull, .. } = evidence;
    let mut inquirer = Inquirer { questions, progress: &mut progress, damaged: Vec::new(), overfull };
    let mut kept: BTreeMap<Option<GameId>, OfGame> = BTreeMap::new();
    for file in files.all {
        match Book::read(&file.path, &file.text) {
            Some(book) => kept.entry(book.game.clone()).or_default().files.push((file, book)),
            None => {
                // What is no log to a book is no audit file either.
                let why = examine(&file.text, &[], |_, _| {}).err();
                inquirer.damaged.extend(why.map(|error| (file.path, error.to_string())));
            }
        }
    }
    for (game, mails) in games {
        kept.entry(Some(game)).or_default().mails = mails;
    }
    for file in proofs.all {
        match serde_json::from_str::<Proofs>(&file.text) {
            Ok(proofs) => {
                kept.entry(Some(proofs.game.clone())).or_default().proofs.push((file, proofs));
            }
            Err(error) => inquirer.damaged.push((file.path, format!("these are no proofs: {error}"))),
        }
    }
    // Games with an audit file come first.
    let (with_file, without): (Vec<_>, Vec<_>) =
        kept.into_iter().partition(|(_, kept)| !kept.files.is_empty());
    let cases = with_file.into_iter().chain(without).map(|(game, kept)| inquirer.case(game, kept));
    let cases: Vec<Case> = cases.filter(|case| !case.is_empty()).collect();
    let Inquirer { damaged, overfull, .. } = inquirer;
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

/// Looks into one game after the other; what it notes besides its cases.
struct Inquirer<'a> {
    questions: &'a Questions<'a>,
    progress: &'a mut dyn FnMut(Stage, usize, usize),
    damaged: Vec<(String, String)>,
    overfull: bool,
}

/// What became of the mails of the seat that was asked about, and of the others that are traced.
#[derive(Default)]
struct Stories {
    mine: Option<Story>,
    others: Vec<Story>,
}

impl Stories {
    fn of(mine: Option<&Seat>, traced: &BTreeSet<Seat>, tell: impl Fn(&Seat) -> Story) -> Self {
        let others = traced.iter().filter(|seat| Some(*seat) != mine);
        Self { mine: mine.map(&tell), others: others.map(&tell).collect() }
    }

    fn all(&self) -> impl Iterator<Item = &Story> {
        self.mine.iter().chain(&self.others)
    }

    /// How much of the mails was held against a log, with players' own mails by their fates.
    fn compared(&self, mails: &Mails, book: &Book) -> Compared {
        let own = mails.all.iter().filter(|mail| mail.own.is_some()).map(|mail| &mail.at);
        let own: BTreeSet<&MailRef> = own.collect();
        let sent = || self.all().flat_map(Story::mails).filter(|(_, sent)| own.contains(&sent.mail));
        Compared {
            sent: sent().filter(|(_, sent)| sent.fate.entry().is_some()).count(),
            untold: sent().filter(|(_, sent)| sent.fate.is_open()).count(),
            ..Compared::of(mails, book)
        }
    }
}

/// An audit file that was examined.
struct Exhibit {
    file: AuditText,
    book: Book,
    examination: Examination,
}

/// The audit files of one game: the main one first, then those that say something else.
#[derive(Default)]
struct Files {
    examined: Vec<Exhibit>,
    copies: Vec<SameFile>,
    /// A copy with what plays the game again, where the main file has none.
    replayable: Option<AuditText>,
    contradictions: Vec<Contradiction>,
}

impl Inquirer<'_> {
    fn case(&mut self, game: Option<GameId>, kept: OfGame) -> Case {
        let OfGame { files, mut mails, proofs: to_prove } = kept;
        let mut found = self.files(files);
        if let (Some(main), Some(secrets)) = (found.examined.first_mut(), self.questions.secrets) {
            main.book.open(secrets);
        }
        let (copies, between_files) =
            (std::mem::take(&mut found.copies), std::mem::take(&mut found.contradictions));
        let main = found.examined.first();
        let book = main.map(|main| &main.book);
        let never_taken = book.map(|book| mails.place(book)).unwrap_or_default();
        let key = main.map(|main| (main.examination.host_key, &main.book.path));
        let (signatures, unsigned, unproved) = Signatures::check(&mut mails, key);
        let (mails, claims) = (&mails, &mails.claims);
        let subjects = claims.by_subject();
        let among =
            game.as_ref().map(|game| compare::among_themselves(game, mails, &subjects)).unwrap_or_default();
        let two_games = compare::two_games(claims, book, &among);
        let with_book = book.map(|book| compare::with_book(mails, &subjects, book)).unwrap_or_default();
        let (in_time, late) = book.map(|book| in_time(mails, book)).unwrap_or_default();
        let (told, told_otherwise) = tellings::compare(game.as_ref(), mails, book);
        let levels = main.map(|main| compare::levels(claims, &main.examination.turns, &main.book.path));
        let all = [
            among,
            with_book,
            told_otherwise,
            late,
            levels.unwrap_or_default(),
            never_taken,
            unsigned,
            between_files,
        ];
        let mut contradictions: Vec<_> = all.into_iter().flatten().collect();
        let secrets = self.questions.secrets.filter(|secrets| Some(secrets.game()) == game.as_ref());
        let misfit = secrets.and_then(|secrets| compare::with_escrow(claims, book, secrets));
        let secrets = secrets.filter(|_| misfit.is_none());
        let seats = seats(book, mails);
        let mine = self.questions.mine.filter(|seat| seats.is_empty() || seats.contains(*seat));
        let traced = traced(mails, &seats);
        let with_rules = main.filter(|_| mine.is_some() || !traced.is_empty() || !to_prove.is_empty());
        let with_rules = with_rules.map(|main| found.replayable.as_ref().unwrap_or(&main.file));
        let at_table = with_rules.and_then(|file| table(self.questions.desk, &file.text));
        let mut known = Known { book, claims, secrets, game: at_table.as_deref(), proofs: BTreeMap::new() };
        let proofs = self.prove(&mut known, &to_prove, &mut contradictions);
        contradictions.extend(misfit);
        if let Some(unproved) = unproved {
            contradictions = unproved.set_apart(contradictions);
        }
        let tell = |seat: &Seat| story(seat, mails, book, at_table.as_deref());
        let stories = if two_games.is_none() { Stories::of(mine, &traced, tell) } else { Stories::default() };
        contradictions.extend(stories.all().flat_map(Story::altered));
        let compared = book.filter(|_| two_games.is_none()).map(|book| stories.compared(mails, book));
        if let Some(two_games) = two_games {
            // What differs between two games is no contradiction.
            contradictions = vec![two_games];
        }
        let newer = book.and_then(|book| compare::newer(claims, book));
        let missing = missing(mails, book);
        let (files, statistics) = self.played_again(found.examined, found.replayable);
        Case {
            game,
            seats,
            files,
            copies,
            proofs,
            statistics,
            opened: secrets.is_some(),
            mails_of_host: mails.of_host(),
            mails_of_players: mails.all.len() - mails.of_host(),
            heads: claims.count_heads(),
            closes: claims.closes().chunk_by(|(one, ..), (other, ..)| one == other).count(),
            receipts: mails.receipts().len(),
            signatures,
            newer,
            in_time,
            told,
            missing,
            contradictions,
            compared,
            mine: stories.mine,
            others: stories.others,
        }
    }

    /// Examines the proofs of seats' own dice; what contradicts others joins these.
    fn prove(
        &mut self,
        known: &mut Known<'_>,
        to_prove: &[(AuditText, Proofs)],
        contradictions: &mut Vec<Contradiction>,
    ) -> Vec<Proven> {
        let mut proofs = Vec::new();
        for (file, parsed) in to_prove {
            match known.examine(file, parsed) {
                Ok((proven, against)) => {
                    proofs.push(proven);
                    contradictions.extend(against);
                }
                Err(error) => self.damaged.push((file.path.clone(), error.to_string())),
            }
        }
        proofs
    }

    /// Examines the audit files of a game.
    fn files(&mut self, mut files: Vec<(AuditText, Book)>) -> Files {
        // The one that reaches furthest comes first; of two, the one that reveals more, then the one that can be played again.
        files.sort_by_key(|(_, book)| std::cmp::Reverse((book.entries, book.turns.len(), book.replayable)));
        let several = files.len() > 1;
        let mut found = Files::default();
        let mut whole: Option<AuditFile> = None;
        for (file, book) in files {
            let parsed = if several { serde_json::from_str::<AuditFile>(&file.text).ok() } else { None };
            let main = found.examined.first();
            let two_logs = main.and_then(|main| compare::books(&main.book, &book));
            let paths = main.map(|main| (main.book.path.clone(), book.path.clone()));
            if let (Some(main), Some(whole), Some(parsed)) = (main, &whole, &parsed) {
                let Some(what) = differs(whole, parsed) else {
                    found.copies.push(SameFile::of(&file, book.entries));
                    if book.replayable && !main.book.replayable {
                        found.replayable.get_or_insert(file);
                    }
                    continue;
                };
                let contents = paths
                    .clone()
                    .filter(|_| two_logs.is_none())
                    .map(|(file, other_file)| Contradiction::TwoContents { what, file, other_file });
                found.contradictions.extend(contents);
            }
            if found.examined.len() >= MOST_EXAMINED {
                self.overfull = true;
                continue;
            }
            match examine(&file.text, &[], |done, all| (self.progress)(Stage::Examining, done, all)) {
                Ok(examination) => {
                    let logs = two_logs.zip(paths).map(|(index, (file, other_file))| {
                        Contradiction::TwoLogs { index, file, other_file }
                    });
                    found.contradictions.extend(logs);
                    if found.examined.is_empty() {
                        whole = parsed;
                    }
                    found.examined.push(Exhibit { file, book, examination });
                }
                Err(error) => self.damaged.push((file.path, error.to_string())),
            }
        }
        found
    }

    /// The files with what came of playing each again, if that is asked for; and the dice of the main one, counted.
    fn played_again(
        &mut self,
        exhibits: Vec<Exhibit>,
        mut replayable: Option<AuditText>,
    ) -> (Vec<ExaminedFile>, Option<Statistics>) {
        let (mut examined, mut statistics) = (Vec::new(), None);
        for (place, Exhibit { file, book, examination }) in exhibits.into_iter().enumerate() {
            let with_rules = replayable.take();
            let replayed = self.questions.replay.then(|| {
                let whole = !examination.findings.iter().any(|f| matches!(f.place, Place::Log(_)));
                self.play_again(with_rules.as_ref().unwrap_or(&file), whole)
            });
            if place == 0 {
                statistics = statistics_of(book.turns.values(), &examination, replayed.as_ref());
            }
            let replayed_from = with_rules.filter(|_| self.questions.replay).map(|file| file.path);
            examined.push(ExaminedFile { path: file.path, examination, replayed, replayed_from });
        }
        (examined, statistics)
    }

    /// Plays a game again, if its log is whole.
    fn play_again(&mut self, file: &AuditText, whole: bool) -> Replayed {
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
            replay(self.questions.desk, &file, |done, all| (self.progress)(Stage::Replaying, done, all))
        })
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

/// The game of an audit file as it was founded, where the file brings the rules that its log names and this program has them.
fn table(desk: &Desk, text: &str) -> Option<Box<dyn Game>> {
    let file: AuditFile = serde_json::from_str(text).ok()?;
    let replay = file.replay?;
    let Some(LogEntry::Game { seats, rules, .. }) = file.log.first()?.entry() else { return None };
    let files = RuleFiles(replay.founding);
    let is_its = files.digest(&replay.ruleset, replay.version) == rules;
    let seats: Vec<Seat> = seats.into_iter().collect();
    is_its.then(|| desk.open((&replay.ruleset, replay.version), &files, &seats).ok()).flatten()
}

/// The reports that are missing between the first and the last that each seat's mails hold. A turn may have no report of its own
/// for a seat, so this is no contradiction. What comes of a roll that is thrown again is told with the turn behind it.
fn missing(mails: &Mails, book: Option<&Book>) -> BTreeMap<Seat, Vec<u32>> {
    let mut reports: BTreeMap<&Seat, BTreeSet<u32>> = BTreeMap::new();
    for sent in mails.all.iter().filter_map(|mail| mail.sent.as_ref()).filter(|it| it.kind == Kind::Dispatch)
    {
        reports.entry(&sent.seat).or_default().insert(sent.t);
    }
    let gaps = reports.into_iter().map(|(seat, there)| {
        let (first, last) = (there.first().copied().unwrap_or(1), there.last().copied().unwrap_or(0));
        // A forged Message-ID may name any number.
        let all = (first..=last).take(100_000);
        let is_reroll = |t: &u32| book.is_some_and(|book| book.rerolls.contains_key(t));
        (seat.clone(), all.filter(|t| !there.contains(t) && !is_reroll(t)).collect::<Vec<_>>())
    });
    gaps.filter(|(_, missing)| !missing.is_empty()).collect()
}
