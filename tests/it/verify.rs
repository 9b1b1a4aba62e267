//! The audit from outside: audit files and kept mails, held against each other; games played again; one player's mails traced.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use musterd::audit::{
    Case, Contradiction, Divergence, Fate, Inquiry, Questions, Reader, SourceKind, Unable, inquire, sections,
};
use musterd::daemon::{Host, Reply, Request};
use musterd::desk::audit::audit_file;
use musterd::desk::campaign::Campaign;
use musterd::dice::{Level, Seat, SecretChain, Witness};
use musterd::engine::briefing::Briefing;
use musterd::engine::journal::Entry;
use musterd::engine::terms::Terms;
use musterd::report::text;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::audit::{change_body, lines_of, place_of, rechain};
use super::support::*;
use super::toy::seat;

/// A game of two people and a computer, and a folder with what its players kept: what they got in their Maildirs, what they sent.
pub(crate) struct Kept {
    pub(crate) camp: Camp,
    pub(crate) host: Host,
    /// What each player sent, with how often.
    sent: Vec<(&'static str, String)>,
    pub(crate) dir: TempDir,
}

impl Kept {
    pub(crate) fn founded() -> Self {
        Self::founded_on(Terms::default())
    }

    pub(crate) fn founded_on(terms: Terms) -> Self {
        let camp = Camp::in_memory();
        let mut host = camp.open();
        new_game_on(&mut host, &[("umpire", "computer")], "24h", terms);
        settle(&mut host);
        let mut kept = Self { camp, host, sent: Vec::new(), dir: tempfile::tempdir().unwrap() };
        kept.send("red", "invitation", &block("salt: seven grey stones\r\nJOIN"));
        kept.send("blue", "invitation", "JOIN");
        kept
    }

    /// Has a player answer the newest mail of a kind, and the host deal with it.
    fn send(&mut self, seat: &'static str, kind: &str, words: &str) {
        let mail = self.write(seat, kind, words);
        self.camp.post(mail);
        settle(&mut self.host);
    }

    /// A mail that a player sent, and that may never arrive.
    fn write(&mut self, seat: &'static str, kind: &str, words: &str) -> String {
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

    /// What a player sent, as a mailbox file.
    fn sent_by(&self, seat: &str) -> PathBuf {
        let mails = self.sent.iter().filter(|(who, _)| *who == seat).map(|(_, mail)| mail.as_str());
        self.keep(&format!("{seat}-sent.mbox"), mbox(mails))
    }

    pub(crate) fn audit(&mut self) -> PathBuf {
        let file = self.file();
        self.keep("alpha.json", file.to_string())
    }
}

fn mbox<'a>(mails: impl IntoIterator<Item = &'a str>) -> String {
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
    let heads: BTreeSet<u64> = mails
        .flat_map(|mail| Witness::all_in(&mail.body.unwrap().text).map(|w| w.index).collect::<Vec<_>>())
        .collect();
    assert_eq!(case.heads, heads.len(), "no head is missed, whatever else is in a mail");
    assert!(case.heads > 5 && case.closes == 7 && case.receipts == 8, "{case:?}");
    assert!(!inquiry.found_something(false));
    let kinds: Vec<SourceKind> = inquiry.sources.iter().map(|source| source.kind).collect();
    assert_eq!(kinds, [SourceKind::Mbox, SourceKind::Maildir, SourceKind::AuditFile, SourceKind::Maildir]);
    let page = unwrapped(&inquiry);
    assert!(page.contains("nothing is wrong") && page.contains("every mail fits the log"), "{page}");
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
    assert!(page.contains("the mails don't contradict each other"), "{page}");
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

/// However a mail was kept, the head in it is found.
#[test]
fn mails_are_read_as_people_keep_them() {
    let mut kept = Kept::founded();
    kept.play(1);
    let raw = raw_mails(&kept.maildir("red"));
    let dispatch = raw.iter().map(|(_, raw)| String::from_utf8(raw.clone()).unwrap()).next_back().unwrap();
    let head = Witness::all_in(&read(dispatch.as_bytes()).body.unwrap().text).last().unwrap();
    let sent = mail_parser::MessageParser::default().parse(dispatch.as_bytes()).unwrap();
    let own_page = sent.body_html(0).unwrap().into_owned();
    let page = format!("<html><body><p>Hello</p><pre>{head}</pre></body></html>");
    let encoded = format!(
        "Chain: {} {}=\r\n\r\n=20 {}=\r\n{}",
        head.game,
        head.index,
        &head.head.to_string()[..40],
        &head.head.to_string()[40..]
    );
    let typed = |kind: &str, encoding: &str, body: &str| {
        format!(
            "From: a@b.example\r\nSubject: Fwd\r\nMIME-Version: 1.0\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n{body}\r\n"
        )
    };
    let quoted =
        |mark: &str| head.to_string().lines().map(|line| format!("{mark}{line}\r\n")).collect::<String>();
    let attached = format!(
        "From: a@b.example\r\nSubject: Fwd\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\
         Content-Type: text/plain\r\n\r\nSee below.\r\n--x\r\nContent-Type: message/rfc822\r\n\r\n{dispatch}\r\n--x--\r\n"
    );
    for (how, mail) in [
        ("as it came", dispatch.clone()),
        ("as the page of the dispatch", typed("text/html", "8bit", &own_page)),
        ("as a page only", typed("text/html", "8bit", &page)),
        ("encoded", typed("text/plain", "quoted-printable", &encoded.replace("=\r\n\r\n", "\r\n"))),
        (
            "quoted in an answer",
            typed("text/plain", "8bit", &format!("Thanks!\r\n\r\nThe host wrote:\r\n{}", quoted("> "))),
        ),
        ("quoted twice", typed("text/plain", "8bit", &quoted("> > "))),
        ("forwarded inline", typed("text/plain", "8bit", &format!("---------- Forwarded message\r\n{head}"))),
        ("forwarded as an attachment", attached),
    ] {
        let other = mail.replace(&head.head.to_string()[41..], &"0".repeat(23));
        assert_ne!(other, mail, "{how}");
        for (name, text) in [("one.eml", mail.clone()), ("one.mbox", mbox([mail.as_str()]))] {
            let inquiry = asked(&[&kept.keep(name, text)], false, None);
            assert_eq!(the_case(&inquiry).heads, 1, "{how}, in {name}");
        }
        let inquiry = asked(&[&kept.keep("one.eml", mail), &kept.keep("other.eml", other)], false, None);
        let found = &the_case(&inquiry).contradictions;
        assert!(found.iter().any(|c| matches!(c, Contradiction::TwoHeads { .. })), "{how}: {found:?}");
    }
}

/// What somebody saved into one folder: all sorts of files, folders in folders, the audit file still in its mail.
#[test]
fn a_folder_of_all_sorts_is_gone_through() {
    let mut kept = Kept::founded();
    kept.play(1);
    let dir = kept.dir.path().join("saved");
    fs::create_dir_all(dir.join("old/letters")).unwrap();
    let mails: Vec<String> =
        raw_mails(&kept.maildir("red")).into_iter().map(|(_, raw)| String::from_utf8(raw).unwrap()).collect();
    let (first, rest) = mails.split_first().unwrap();
    fs::write(dir.join("old/letters/invitation.eml"), first).unwrap();
    fs::write(dir.join("old/rest.mbox"), mbox(rest.iter().map(String::as_str))).unwrap();
    fs::write(dir.join("old/again.mbox"), mbox([first.as_str()])).unwrap();
    fs::write(dir.join("map.png"), [0x89, 0x50]).unwrap();
    fs::write(dir.join("position.json"), "{\"protocol\": 7}").unwrap();
    let attached = format!(
        "From: host@example.org\r\nSubject: The end\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n\
         --x\r\nContent-Type: text/plain\r\n\r\nIt is over.\r\n--x\r\nContent-Type: application/json\r\n\
         Content-Disposition: attachment; filename=\"alpha.json\"\r\n\r\n{}\r\n--x--\r\n",
        kept.file()
    );
    fs::write(dir.join("the-end.eml"), attached).unwrap();
    let inquiry = asked(&[&dir], false, None);
    let [source] = &*inquiry.sources else { panic!("{inquiry:?}") };
    let told = (source.kind, source.mails, source.files, source.passed_over);
    assert_eq!(told, (SourceKind::Folder, mails.len() as u64 + 2, 1, 2));
    let case = the_case(&inquiry);
    assert_eq!((case.mails_of_host, case.files.len()), (mails.len(), 1), "a second copy counts once");
    assert_eq!(case.contradictions, []);
}

/// The line `seen:` in the form that a player sent back is what he was shown, though he kept no mail of the host's.
#[test]
fn what_a_players_form_was_filled_in_with_is_a_witness() {
    let mut kept = Kept::founded();
    let other = "1".repeat(64);
    kept.send("red", "dispatch", &block(&format!("seen: 3 {other}\r\nBID 1\r\nREADY")));
    let (file, sent) = (kept.audit(), kept.sent_by("red"));
    let inquiry = asked(&[&sent, &file], false, None);
    let quoted = |c: &Contradiction| matches!(c, Contradiction::OtherLog { index: 3, quoted: true, .. });
    assert!(the_case(&inquiry).contradictions.iter().any(quoted), "{}", in_words(&inquiry));
}

#[test]
fn a_mailbox_of_nothing_but_forgeries_costs_no_more_than_a_true_one() {
    let dir = tempfile::tempdir().unwrap();
    let mail = |n: usize| {
        let head = |k: usize| format!("Chain: alpha {}\n  {:064x}\n", n * 1000 + k, n * 1000 + k);
        let heads: String = (0..1000).map(head).collect();
        format!("From x Sat Nov 21 12:00:00 2026\nMessage-ID: <{n}@x>\n\n{heads}\n")
    };
    let path = dir.path().join("forged.mbox");
    fs::write(&path, (0..120).map(mail).collect::<String>()).unwrap();
    let inquiry = asked(&[&path], false, None);
    assert_eq!((inquiry.overfull, the_case(&inquiry).heads), (true, 100_000));
    assert!(inquiry.found_something(true), "what was not compared is not fine");
}

// One player's mails.

fn fates(inquiry: &Inquiry, t: u32) -> Vec<&Fate> {
    let story = the_case(inquiry).mine.as_ref().unwrap();
    let turn = story.turns.iter().find(|turn| turn.t == t).unwrap_or_else(|| panic!("{story:?}"));
    turn.mails.iter().map(|sent| &sent.fate).collect()
}

#[test]
fn a_player_learns_what_became_of_each_of_his_mails() {
    let mut kept = Kept::founded();
    // t 2: a set, and a better one; t 3 is the umpire's.
    kept.send("red", "dispatch", &block("BID 1"));
    kept.send("red", "dispatch", &block("salt: x\r\nBID 2\r\nREADY"));
    let stale = kept.camp.newest("red", "dispatch");
    kept.send("blue", "dispatch", &block("BID 1\r\nREADY"));
    // t 4: one for the turn before, one that never arrives, thanks without orders.
    let late = Mail {
        from: &player("red"),
        to: &stale.reply_to[0],
        id: "late",
        in_reply_to: stale.message_id.as_deref(),
        text: &block("BID 0"),
    };
    let late = late.raw();
    kept.sent.push(("red", late.clone()));
    kept.camp.post(late);
    settle(&mut kept.host);
    kept.write("red", "dispatch", &block("BID 2\r\nREADY"));
    kept.write("red", "dispatch", "Thanks, a good game!");
    kept.camp.wait(24 * HOUR);
    settle(&mut kept.host);
    let (file, sent) = (kept.audit(), kept.sent_by("red"));
    let red = seat("red");
    let inquiry = asked(&[&sent, &kept.maildir("red"), &file], false, Some(&red));
    assert!(matches!(fates(&inquiry, 1)[..], [Fate::Counted { .. }]), "{inquiry:?}");
    let [Fate::Replaced { by, .. }, Fate::Counted { entry }] = fates(&inquiry, 2)[..] else {
        panic!("{}", in_words(&inquiry))
    };
    assert_eq!(by, entry);
    // The log has the refusal where the mail came in, whatever it was meant for.
    let [Fate::Refused { reason, .. }, Fate::NotInLog, Fate::NoOrders] = fates(&inquiry, 4)[..] else {
        panic!("{}", in_words(&inquiry))
    };
    assert_eq!(reason, "other-turn");
    assert!(inquiry.found_something(false), "a mail that never arrived is something to ask about");
    let page = unwrapped(&inquiry);
    assert!(
        page.contains("NOT IN THE LOG") && page.contains("not every mail of the seat's is in the log"),
        "{page}"
    );
    // The receipts alone, without what was sent, tell of what arrived.
    let inquiry = asked(&[&kept.maildir("red"), &file], false, Some(&red));
    assert!(matches!(fates(&inquiry, 2)[..], [Fate::Replaced { .. }, Fate::Counted { .. }]), "{inquiry:?}");
    // What was sent, without receipts, is found by its leaves.
    let inquiry = asked(&[&sent, &file], false, Some(&red));
    assert!(matches!(fates(&inquiry, 2)[..], [Fate::Replaced { .. }, Fate::Counted { .. }]), "{inquiry:?}");
    assert!(fates(&inquiry, 4).contains(&&Fate::NotInLog), "{}", in_words(&inquiry));
}

#[test]
fn a_receipt_convicts_the_host_that_dropped_the_orders() {
    let mut kept = Kept::founded();
    kept.play(1);
    let mut file = kept.file();
    // The host takes the mail out of its log, makes the log whole again and shows the seat as silent.
    let at = place_of(&file, "recv", "2 red");
    lines_of(&mut file).remove(at);
    rechain(&mut file);
    file["turns"][1]["orders"]["red"] = Value::Null;
    let file = kept.keep("forged.json", file.to_string());
    let (red, sent) = (seat("red"), kept.sent_by("red"));
    let inquiry = asked(&[&sent, &kept.maildir("red"), &file], false, Some(&red));
    let dropped = |c: &Contradiction| matches!(c, Contradiction::Dropped { t: 2, seat, .. } if seat == "red");
    assert!(the_case(&inquiry).contradictions.iter().any(dropped), "{}", in_words(&inquiry));
    assert!(fates(&inquiry, 2).contains(&&Fate::Dropped), "{}", in_words(&inquiry));
    assert!(unwrapped(&inquiry).contains("DROPPED: the host gave a receipt for it"));
    // Programs are told the same, by a word and in a sentence.
    let told = serde_json::to_value(&inquiry).unwrap();
    let first = &told["cases"][0]["contradictions"][0];
    assert!(first["contradiction"].is_string() && first["text"].as_str().unwrap().contains(' '), "{first}");
    let turn = &told["cases"][0]["mine"]["turns"][1];
    assert!(turn["mails"][0]["fate"] == "dropped" && turn["mails"][0]["text"].is_string(), "{turn}");
    assert!(turn["counted"]["counted"] == "nothing" && turn["counted"]["text"].is_string(), "{turn}");
}

#[test]
fn a_receipt_convicts_the_host_that_changed_the_orders() {
    let mut kept = Kept::founded();
    kept.play(1);
    let mut file = kept.file();
    file["turns"][1]["orders"]["red"] = json!("salt: spring 1\nBID 0\nREADY\n");
    let file = kept.keep("forged.json", file.to_string());
    let inquiry = asked(&[&kept.maildir("red"), &file], false, None);
    let changed = |c: &Contradiction| matches!(c, Contradiction::Changed { t: 2, seat, .. } if seat == "red");
    assert!(the_case(&inquiry).contradictions.iter().any(changed), "{}", in_words(&inquiry));
}

#[test]
fn what_mails_say_of_anchors_and_closes_is_compared() {
    let mut kept = Kept::founded();
    kept.play(1);
    let mut file = kept.file();
    let other = "1".repeat(64);
    change_body(&mut file, "game", "", |body| {
        let mut fields: Vec<&str> = body.split(' ').collect();
        fields[1] = &other;
        fields.join(" ")
    });
    change_body(&mut file, "close", "2 ", |_| format!("2 {other}"));
    rechain(&mut file);
    let inquiry = asked(&[&kept.maildir("red"), &kept.keep("forged.json", file.to_string())], false, None);
    let found = &the_case(&inquiry).contradictions;
    assert!(found.iter().any(|c| matches!(c, Contradiction::TwoAnchors { .. })), "{found:?}");
    assert!(found.iter().any(|c| matches!(c, Contradiction::OtherClose { t: 2, .. })), "{found:?}");
    // A longer log than the file's.
    let mut file = kept.file();
    lines_of(&mut file).truncate(8);
    let inquiry = asked(&[&kept.maildir("red"), &kept.keep("short.json", file.to_string())], false, None);
    assert!(the_case(&inquiry).contradictions.iter().any(|c| matches!(c, Contradiction::NotYet { .. })));
}

// Games played again.

fn difference(kept: &Kept, file: &Value) -> Option<Divergence> {
    let path = kept.keep("forged.json", file.to_string());
    let inquiry = asked(&[&path], true, None);
    assert!(inquiry.found_something(true), "{}", in_words(&inquiry));
    in_words(&inquiry);
    the_case(&inquiry).files[0].replayed.clone().unwrap().difference.map(|difference| difference.divergence)
}

#[test]
fn a_replay_names_the_first_thing_that_differs() {
    let mut kept = Kept::founded();
    kept.play(3);
    let honest = kept.file();
    let steps = honest["replay"]["steps"].as_array().unwrap();
    let at = steps.iter().position(|step| step["events"].as_array().unwrap().len() > 1).unwrap();

    let mut file = honest.clone();
    let event = file["replay"]["steps"][at]["events"][1].clone();
    file["replay"]["steps"][at]["events"][0] = event;
    let Some(Divergence::Event { number: 0, shown: Some(shown), again: Some(again) }) =
        difference(&kept, &file)
    else {
        panic!("an event")
    };
    assert_eq!(shown, honest["replay"]["steps"][at]["events"][1].to_string());
    assert_eq!(again, honest["replay"]["steps"][at]["events"][0].to_string());

    let mut file = honest.clone();
    _ = file["replay"]["steps"][at]["events"].as_array_mut().unwrap().pop();
    assert!(matches!(difference(&kept, &file), Some(Divergence::Event { shown: None, .. })));

    let mut file = honest.clone();
    file["replay"]["founding"]["scenario.yaml"] = json!("other");
    assert!(matches!(difference(&kept, &file), Some(Divergence::OtherRules { .. })));

    let mut file = honest.clone();
    file["replay"]["steps"].as_array_mut().unwrap().remove(1);
    assert_eq!(difference(&kept, &file), Some(Divergence::NoStep));

    let mut file = honest.clone();
    let turn = file["turns"].as_array().unwrap().iter().position(|turn| turn["rolls"] != json!([])).unwrap();
    file["turns"][turn]["rolls"].as_array_mut().unwrap().pop();
    assert!(matches!(difference(&kept, &file), Some(Divergence::Roll { shown: None, again: Some(_), .. })));

    let mut file = honest.clone();
    file["turns"][1]["result"] = json!("1".repeat(64));
    assert!(matches!(difference(&kept, &file), Some(Divergence::OtherDigest { .. })));

    // A log that isn't whole is not played again: what is wrong with it comes first.
    let mut file = honest;
    file["log"][3]["hash"] = json!("1".repeat(64));
    assert_eq!(difference(&kept, &file), None);
}

#[test]
fn what_the_gm_changed_is_played_again_from_his_words() {
    let mut kept = Kept::founded();
    kept.play(1);
    let gm = |kept: &mut Kept, text: &str| {
        let request = Request::Gm { game: game(), text: text.to_owned(), yes: true };
        kept.host.execute(request).unwrap();
        settle(&mut kept.host);
    };
    gm(&mut kept, "AMEND 4 PURSE red 31 BECAUSE the treasurer miscounted");
    kept.play(1);
    gm(&mut kept, "ROLLBACK 4 BECAUSE the mails were mixed up");
    kept.play(1);
    let honest = kept.file();
    let steps = honest["replay"]["steps"].as_array().unwrap().clone();
    let amended = steps.iter().position(|step| step["amend"].is_string()).unwrap();
    let inquiry = asked(&[&kept.keep("alpha.json", honest.to_string())], true, None);
    let replayed = the_case(&inquiry).files[0].replayed.as_ref().unwrap();
    assert_eq!((&replayed.difference, &replayed.unable, replayed.amendments), (&None, &None, 1), "{honest}");
    let campaign = Campaign::fold(&desk(), &journal(&mut kept.host)).unwrap();
    assert_eq!(replayed.luck, *campaign.game().luck(), "nothing that was rolled back was anybody's luck");

    let mut file = honest.clone();
    file["replay"]["steps"][amended]["amend"] = json!("PURSE red 30");
    assert!(matches!(difference(&kept, &file), Some(Divergence::Event { .. })));
    let mut file = honest.clone();
    file["replay"]["steps"][amended]["amend"] = json!("PURSE green 30");
    assert!(matches!(difference(&kept, &file), Some(Divergence::NotAmendable { .. })));
    // Words that come to the same are not what was committed to.
    let mut file = honest.clone();
    file["replay"]["steps"][amended]["amend"] = json!("PURSE  red 31");
    assert!(matches!(
        difference(&kept, &file),
        Some(Divergence::OtherAmendment { .. } | Divergence::NotAmendable { .. })
    ));
    // A courier who never set out.
    let mut file = honest;
    let ran = steps.iter().rposition(|step| step["amend"].is_null()).unwrap();
    file["replay"]["steps"][ran]["couriers"] = json!([["red", "blue", 7]]);
    assert!(matches!(difference(&kept, &file), Some(Divergence::Courier { shown: 7, .. })));
}

// The program itself.

fn musterd(dir: &Path, arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_musterd");
    Command::new(program).current_dir(dir).args(arguments).env_remove("MUSTERD_DIR").output().unwrap()
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|out| String::from_utf8_lossy(out).into_owned()).concat()
}

#[test]
fn the_commands_end_with_the_status_that_scripts_rely_on() {
    let dir = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = musterd(dir.path(), arguments);
        (output.status.code().unwrap(), said(&output))
    };
    assert_eq!(run(&["demo", "--keep", "camp"]).0, 0);
    let (status, text) = run(&["--dir", "camp", "audit", "demo", "--out", "demo.json"]);
    assert!(status == 0 && text.contains("every secret, every set of orders and every die"), "{text}");
    for shown in
        ["THE DICE, COUNTED", "d6, ", "d100: lag 1", "all rolls", "can't prove that a host is honest"]
    {
        assert!(text.contains(shown), "`{shown}` is not in\n{text}");
    }
    let luck = text.split("LUCK ---").nth(1).unwrap().to_owned();
    let (status, text) = run(&["verify", "demo.json", "camp/mail", "--replay"]);
    assert!(status == 0 && text.contains("nothing is wrong"), "{text}");
    assert!(text.contains("dice were counted.") && text.contains(luck.trim_end()), "{text}");
    assert!(text.contains("the same log and the same dice are in 2 mails"), "{text}");
    let (status, text) = run(&["verify", "demo.json"]);
    assert!(status == 0 && text.contains("dice were counted.") && !text.contains("LUCK"), "{text}");
    let (status, text) = run(&["--json", "verify", "demo.json", "camp/mail"]);
    let inquiry: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, &inquiry["cases"][0]["game"]), (0, &json!("demo")));
    let (status, text) = run(&["--dir", "camp", "--json", "audit", "demo"]);
    let told: Value = serde_json::from_str(&text).unwrap();
    assert!(
        status == 0 && told["examination"]["turns"][1]["level"] == "L0" && told["head"][0].is_u64(),
        "{text}"
    );
    let statistics = &told["statistics"];
    assert!(statistics["verdict"].is_string() && statistics["luck"][0]["hits"].is_u64(), "{text}");

    // On a terminal it says the same.
    let program = env!("CARGO_BIN_EXE_musterd");
    let on_terminal = Command::new("script")
        .current_dir(dir.path())
        .args(["-qec", &format!("{program} verify demo.json camp/mail"), "/dev/null"])
        .output()
        .unwrap();
    assert!(on_terminal.status.success(), "{}", said(&on_terminal));
    assert!(said(&on_terminal).contains("nothing is wrong"), "{}", said(&on_terminal));

    let honest = fs::read_to_string(dir.path().join("demo.json")).unwrap();
    let forged = honest.replacen("\"kind\":\"deadline\"", "\"kind\":\"note\"", 1);
    assert_ne!(forged, honest);
    fs::write(dir.path().join("forged.json"), forged).unwrap();
    assert_eq!(run(&["verify", "forged.json"]).0, 1);
    fs::write(dir.path().join("holiday.jpg"), [0xff, 0xd8]).unwrap();
    assert_eq!(run(&["verify", "holiday.jpg"]).0, 2, "nothing to check");
    assert_eq!(run(&["verify"]).0, 2);
    let (status, text) = run(&["verify", "nowhere"]);
    assert!(status == 3 && text.contains("nowhere"), "{text}");
    assert_eq!(run(&["--dir", "camp", "audit", "nogame"]).0, 2);
}
