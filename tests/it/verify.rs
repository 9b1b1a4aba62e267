//! The audit from outside: audit files and kept mails, held against each other.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use musterd::audit::{
    Case, Contradiction, Inquiry, Questions, ReadPathKind, Reader, Unable, inquire, sections,
};
use musterd::daemon::{Host, Reply, Request};
use musterd::desk::audit::audit_file;
use musterd::dice::{ChainLines, Level, Seat, SecretChain};
use musterd::engine::briefing::Briefing;
use musterd::engine::journal::Entry;
use musterd::engine::terms::Terms;
use musterd::report::text;
use serde_json::Value;
use tempfile::TempDir;

use super::support::*;

/// A game of two people and a computer, and a folder with what its players kept: what they got in their Maildirs, what they sent.
pub(crate) struct Kept {
    pub(crate) camp: Camp,
    pub(crate) host: Host,
    /// What each player sent, with how often.
    pub(crate) sent: Vec<(&'static str, String)>,
    pub(crate) dir: TempDir,
}

impl Kept {
    pub(crate) fn founded() -> Self {
        Self::founded_on(Terms::default())
    }

    pub(crate) fn founded_on(terms: Terms) -> Self {
        Self::founded_in(Camp::in_memory(), terms)
    }

    pub(crate) fn founded_in(camp: Camp, terms: Terms) -> Self {
        let mut host = camp.open();
        new_game_on(&mut host, &[("umpire", "computer")], "24h", terms);
        settle(&mut host);
        let mut kept = Self { camp, host, sent: Vec::new(), dir: tempfile::tempdir().unwrap() };
        kept.send("red", "invitation", &block("salt: seven grey stones\r\nJOIN"));
        kept.send("blue", "invitation", "JOIN");
        kept
    }

    /// Has a player answer the newest mail of a kind, and the host deal with it.
    pub(crate) fn send(&mut self, seat: &'static str, kind: &str, words: &str) {
        let mail = self.write(seat, kind, words);
        self.camp.post(mail);
        settle(&mut self.host);
    }

    /// A mail that a player sent, and that may never arrive.
    pub(crate) fn write(&mut self, seat: &'static str, kind: &str, words: &str) -> String {
        let mail = self.camp.answer(seat, kind, &format!("{seat}-{}", self.sent.len()), words);
        self.sent.push((seat, mail.clone()));
        mail
    }

    /// Some rounds, to the end of the game if there are three.
    pub(crate) fn play(&mut self, rounds: usize) {
        for round in 1..=rounds {
            let seen = format!("salt: spring {round}\r\nBID 2\r\nREADY");
            self.send("red", "dispatch", &block(&seen));
            self.send("blue", "dispatch", &block("BID 1\r\nREADY"));
        }
    }

    pub(crate) fn file(&mut self) -> Value {
        let entries = journal(&mut self.host);
        serde_json::to_value(audit_file(&entries, &self.camp.secrets(), u32::MAX)).unwrap()
    }

    /// A file with these bytes among what was kept.
    pub(crate) fn keep(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    /// A player's Maildir.
    pub(crate) fn maildir(&self, seat: &str) -> PathBuf {
        self.camp.path().join("mail").join(player(seat))
    }

    /// The newest mail of a kind that a player got, as it came.
    pub(crate) fn newest_raw(&self, seat: &str, kind: &str) -> Vec<u8> {
        let id = self.camp.newest(seat, kind).message_id;
        let mut mails = raw_mails(&self.maildir(seat)).into_iter().map(|(_, raw)| raw);
        mails.find(|raw| read(raw).message_id == id).unwrap()
    }

    /// What a player sent, as a mailbox file.
    pub(crate) fn sent_by(&self, seat: &str) -> PathBuf {
        let mails = self.sent.iter().filter(|(who, _)| *who == seat).map(|(_, mail)| mail.as_str());
        self.keep(&format!("{seat}-sent.mbox"), mbox(mails))
    }

    pub(crate) fn audit(&mut self) -> PathBuf {
        let file = self.file();
        self.keep("alpha.json", file.to_string())
    }
}

pub(crate) fn mbox<'a>(mails: impl IntoIterator<Item = &'a str>) -> String {
    mails
        .into_iter()
        .map(|mail| format!("From x@players.example Sat Nov 21 12:00:00 2026\n{mail}\n"))
        .collect()
}

pub(crate) fn asked(paths: &[&Path], replay: bool, mine: Option<&Seat>) -> Inquiry {
    asked_with(paths, replay, mine, None)
}

/// The same of somebody who has the game's escrow.
pub(crate) fn asked_with(
    paths: &[&Path],
    replay: bool,
    mine: Option<&Seat>,
    secrets: Option<&SecretChain>,
) -> Inquiry {
    let mut silent = |_| {};
    let mut reader = Reader::new(&mut silent);
    paths.iter().for_each(|path| reader.read(path).unwrap());
    let Reader { evidence, sources, .. } = reader;
    inquire(evidence, sources, &Questions { desk: &desk(), replay, mine, secrets }, |_, _, _| {})
}

#[track_caller]
pub(crate) fn the_case(inquiry: &Inquiry) -> &Case {
    let [case] = &*inquiry.cases else { panic!("{inquiry:?}") };
    case
}

pub(crate) fn in_words(inquiry: &Inquiry) -> String {
    let sections = sections(inquiry, false);
    let page = text::sections(&Briefing { sections, ..Briefing::default() });
    assert!(page.lines().all(|line| line.len() <= 78 && line.is_ascii()), "{page}");
    page
}

/// The words of a page, however its lines break.
pub(crate) fn unwrapped(inquiry: &Inquiry) -> String {
    in_words(inquiry).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// No mail that the host sent in a game contradicts its log, whatever happened in it.
pub(crate) fn mails_fit(camp: &Camp, entries: &[Entry]) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("alpha.json");
    fs::write(&file, serde_json::to_string(&audit_file(entries, &camp.secrets(), u32::MAX)).unwrap())
        .unwrap();
    let folders = fs::read_dir(camp.path().join("mail")).unwrap().map(|folder| folder.unwrap().path());
    let mut paths: Vec<PathBuf> = folders.filter(|folder| !folder.ends_with(HOST)).collect();
    paths.push(file);
    let inquiry = asked(&paths.iter().map(PathBuf::as_path).collect::<Vec<_>>(), false, None);
    let case = inquiry.cases.iter().find(|case| case.game == Some(game())).unwrap();
    assert!(case.contradictions.is_empty() && case.heads > 0, "{}", in_words(&inquiry));
}

#[test]
fn an_honest_game_stands_up_to_everything() {
    let mut kept = Kept::founded();
    kept.play(3);
    let (file, sent) = (kept.audit(), kept.sent_by("red"));
    let inquiry = asked(&[&sent, &kept.maildir("red"), &file, &kept.maildir("blue")], true, None);
    let case = the_case(&inquiry);
    assert_eq!((&case.contradictions, &case.files[0].examination.findings), (&vec![], &vec![]));
    let replayed = case.files[0].replayed.as_ref().unwrap();
    assert_eq!((&replayed.difference, &replayed.unable, replayed.adjudications), (&None, &None, 7));
    let mails = ["red", "blue"].iter().flat_map(|seat| kept.camp.mails(&player(seat)));
    let heads: BTreeSet<String> = mails
        .flat_map(|mail| {
            ChainLines::all_in(&mail.body.unwrap().text).map(|w| w.to_string()).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(case.heads, heads.len(), "no head is missed, whatever else is in a mail");
    assert!(case.heads > 5 && case.closes == 7 && case.receipts == 8, "{case:?}");
    assert!(!inquiry.found_something(false));
    let kinds: Vec<ReadPathKind> = inquiry.sources.iter().map(|source| source.kind).collect();
    assert_eq!(
        kinds,
        [ReadPathKind::Mbox, ReadPathKind::Maildir, ReadPathKind::AuditFile, ReadPathKind::Maildir]
    );
    let page = unwrapped(&inquiry);
    assert!(
        page.contains("nothing is wrong") && page.contains("what the mails show fits the log: "),
        "{page}"
    );
    assert!(page.contains("7 adjudications came out as the file says, event for event"), "{page}");
}

#[test]
fn without_a_file_mails_are_held_against_each_other_and_the_rest_is_said_to_be_open() {
    let mut kept = Kept::founded();
    kept.play(1);
    let inquiry = asked(&[&kept.maildir("red"), &kept.maildir("blue")], true, None);
    assert_eq!(the_case(&inquiry).contradictions, []);
    assert!(!inquiry.found_something(false));
    let page = unwrapped(&inquiry);
    assert!(page.contains("closes and 4 receipts) don't contradict each other"), "{page}");
    assert!(page.contains("that takes the game's audit file"), "{page}");
}

#[test]
fn a_game_that_goes_on_is_in_doubt_where_it_is_not_revealed() {
    let mut kept = Kept::founded();
    kept.play(1);
    let entries = journal(&mut kept.host);
    let revealed = musterd::desk::reveal::revealed(&entries);
    let text = serde_json::to_string(&audit_file(&entries, &kept.camp.secrets(), revealed)).unwrap();
    for hidden in ["seven grey stones", "BID 2", "\"secret\":\"", "replay"] {
        assert!(!text.contains(hidden), "{hidden} is out before its time: {text}");
    }
    let inquiry = asked(&[&kept.keep("alpha.json", text), &kept.maildir("red")], true, None);
    assert!(inquiry.found_something(false) && !inquiry.found_something(true));
    assert_eq!(the_case(&inquiry).contradictions, []);
    let replayed = the_case(&inquiry).files[0].replayed.as_ref().unwrap();
    assert_eq!((&replayed.difference, &replayed.unable), (&None, &Some(Unable::NothingToReplay)));
    assert!(
        unwrapped(&inquiry).contains("What fell in t 1 to 3: not revealed yet"),
        "{}",
        in_words(&inquiry)
    );
    // The host says how far they can be trusted all the same, as its reports do.
    let Reply::Audit { file, assurances } = kept.host.execute(Request::Audit { game: game() }).unwrap()
    else {
        panic!("no audit")
    };
    assert!(file.turns.iter().all(|turn| turn.secret.is_none()));
    let levels: Vec<(u32, Level)> = assurances.iter().map(|(t, told)| (*t, told.level)).collect();
    assert_eq!(levels, [(1, Level::L2), (2, Level::L2), (3, Level::L0)]);
}

#[test]
fn a_file_that_reveals_some_turns_is_played_again_up_to_there() {
    let mut kept = Kept::founded();
    kept.play(2);
    let entries = journal(&mut kept.host);
    let file = audit_file(&entries, &kept.camp.secrets(), 3);
    let steps = &file.replay.as_ref().unwrap().steps;
    assert_eq!(steps.len(), 3, "nothing of a later turn leaks through what a replay needs");
    let inquiry = asked(&[&kept.keep("alpha.json", serde_json::to_string(&file).unwrap())], true, None);
    let replayed = the_case(&inquiry).files[0].replayed.as_ref().unwrap();
    assert_eq!((replayed.last, &replayed.difference), (Some(3), &None));
    assert_eq!(replayed.unable, Some(Unable::Unrevealed { t: 4 }));
}

/// A host that keeps two copies of its game, and goes on with each for one of its players.
#[test]
fn a_host_that_tells_two_players_two_stories_is_caught_by_their_mailboxes() {
    let mut kept = Kept::founded();
    kept.play(1);
    drop(kept.host);
    let other = kept.camp.in_memory_copy();
    let (mut one, mut two) = (kept.camp.open(), other.open());
    for (camp, host, bid) in [(&kept.camp, &mut one, "BID 2"), (&other, &mut two, "BID 0")] {
        camp.post(camp.answer("red", "dispatch", "r", &block(&format!("{bid}\r\nREADY"))));
        camp.post(camp.answer("blue", "dispatch", "b", &block("BID 1\r\nREADY")));
        settle(host);
    }
    let maildir = |camp: &Camp, seat: &str| camp.path().join("mail").join(player(seat));
    let (red, blue) = (maildir(&kept.camp, "red"), maildir(&other, "blue"));
    let inquiry = asked(&[&red, &blue], false, None);
    let case = the_case(&inquiry);
    let two_heads = |c: &Contradiction| matches!(c, Contradiction::TwoHeads { .. });
    let two_closes = |c: &Contradiction| matches!(c, Contradiction::TwoCloses { t: 4, .. });
    assert!(
        case.contradictions.iter().any(two_heads) && case.contradictions.iter().any(two_closes),
        "{case:?}"
    );
    assert!(inquiry.found_something(false));
    assert!(unwrapped(&inquiry).contains("The host keeps two logs"), "{}", in_words(&inquiry));
    // One mailbox alone is consistent; with the other copy's audit file it is not, nor are both files.
    assert_eq!(the_case(&asked(&[&red], false, None)).contradictions, []);
    let file = |camp: &Camp, host: &mut Host| {
        serde_json::to_string(&audit_file(&journal(host), &camp.secrets(), u32::MAX)).unwrap()
    };
    let dir = tempfile::tempdir().unwrap();
    let files = [dir.path().join("one.json"), dir.path().join("two.json")];
    fs::write(&files[0], file(&kept.camp, &mut one)).unwrap();
    fs::write(&files[1], file(&other, &mut two)).unwrap();
    let against = asked(&[&red, &files[1]], false, None);
    let other_log = |c: &Contradiction| matches!(c, Contradiction::OtherLog { quoted: false, .. });
    assert!(the_case(&against).contradictions.iter().any(other_log), "{against:?}");
    let both = asked(&[&files[0], &files[1]], false, None);
    assert!(matches!(the_case(&both).contradictions[..], [Contradiction::TwoLogs { .. }]), "{both:?}");
}
