//! Nobody can tell from the mails that he gets how often the others write.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use musterd::audit::Contradiction;
use musterd::daemon::{Effect, Host, Reply, Request};
use musterd::dice::{Chain, ChainLines, Digest, LogEntry, LoggedVerdict, OpenHead, Witness};
use musterd::engine::terms::{Reveal, Terms};

use super::audit::{as_arguments, codes, examined, independent, independent_of};
use super::support::*;
use super::verify::{Kept, asked, in_words, the_case};

/// What blue does between two mails of red's: as many drafts and letters.
fn blue_writes(camp: &Camp, host: &mut Host, part: usize, often: usize) {
    for n in 0..often {
        let id = format!("blue-{part}-{n}");
        let letter = format!("PRESS TO umpire\r\nOnce more, {n}.\r\nEND PRESS\r\n");
        let to_gm = letter.replace("TO umpire", "TO gm");
        let words = match n % 8 {
            7 => format!("AHEAD\r\n{}", block("BID 1")),
            0 | 3 => block(&format!("BID {n}")),
            1 => letter,
            2 => to_gm,
            4 => "MAIL BRIEF\r\nMAIL FULL\r\n".to_owned(),
            5 => format!("TRY\r\n{}", block("BID 1\r\nREADY UNTIL CONTACT")),
            _ => "ODDS BID 2\r\nREACH 3\r\n".to_owned(),
        };
        camp.post(camp.answer("blue", "dispatch", &id, &words));
        settle(host);
    }
}

/// What red sends to learn something.
const ASKED: &[&str] = &[
    "BEGIN ORDERS\r\nBID 1\r\nEND ORDERS\r\n",
    "BEGIN ORDERS\r\nBID 1\r\nEND ORDERS\r\n",
    "STATUS\r\n",
    "REPORT\r\n",
    "HELP orders\r\n",
    "EXTEND 2d\r\n",
    "PREVIEW\r\n",
    "HISTORY\r\n",
    "Thank you.\r\n",
    "PRESS TO umpire\r\nAre you there?\r\nEND PRESS\r\n",
    "PRESS TO nobody\r\nAre you there?\r\nEND PRESS\r\n",
    "BEGIN ORDERS\r\nBID 2\r\nEND ORDERS\r\n",
    "WITHDRAW ORDERS\r\n",
    "ABSENT UNTIL 2026-12-24\r\n",
    "BACK\r\n",
    "ZONE Europe/Vienna\r\n",
    "TRY\r\nBEGIN ORDERS\r\nBID 2\r\nEND ORDERS\r\n",
    "AHEAD\r\nBEGIN ORDERS\r\nBID 2\r\nEND ORDERS\r\n",
    "ODDS BID 2\r\n",
    "REACH 3\r\n",
    "MAIL\r\n",
    "SCENARIO\r\nRULES\r\nMAP\r\n",
    "PRESS TO gm\r\nWhat do the others do?\r\nEND PRESS\r\n",
    "DRAW\r\n",
    "DRAW NO\r\n",
    "NEW SECRET\r\n",
];

/// Red's mails of a turn in which blue writes so often between any two of red's: each whole, by its Message-ID.
fn spied(terms: &Terms, often: impl Fn(usize) -> usize) -> (BTreeMap<String, String>, Camp) {
    let camp = Camp::new();
    let mut host = camp.open();
    founded_on(&camp, &mut host, terms.clone());
    for seat in ["red", "blue"] {
        camp.post(camp.answer(
            seat,
            "dispatch",
            &format!("{seat}-1"),
            &block("BID 1\r\nsalt: a stone\r\nREADY"),
        ));
        settle(&mut host);
    }
    camp.post(camp.answer("umpire", "dispatch", "umpire-1", &block("UPHOLD\r\nREADY")));
    settle(&mut host);
    let before: BTreeSet<Vec<u8>> = raw(&camp).into_iter().collect();
    for (part, words) in ASKED.iter().enumerate() {
        blue_writes(&camp, &mut host, part, often(part));
        camp.post(camp.answer("red", "dispatch", &format!("spy-{part}"), words));
        settle(&mut host);
        camp.wait(60);
    }
    camp.wait(21 * HOUR);
    settle(&mut host);
    let since = raw(&camp).into_iter().filter(|mail| !before.contains(mail));
    let named = since.map(|mail| (read(&mail).message_id.unwrap(), String::from_utf8(mail).unwrap()));
    (named.collect(), camp)
}

fn raw(camp: &Camp) -> Vec<Vec<u8>> {
    raw_mails(&camp.path().join("mail").join(player("red"))).into_iter().map(|(_, mail)| mail).collect()
}

/// A mail without the heads that it shows without a number: those say nothing, whatever they are.
fn without_open_heads(mail: &str) -> String {
    let open = ChainLines::all_in(mail).filter(|lines| matches!(lines, ChainLines::Open(_)));
    open.fold(mail.to_owned(), |mail, lines| mail.replace(&lines.head().to_string(), "the head"))
}

#[test]
fn how_often_the_enemy_writes_changes_no_byte_of_a_players_mails_but_a_head_without_a_number() {
    let revealing = Terms { reveal: Reveal::Lag { turns: 0 }, proofs: true, ..Terms::default() };
    for terms in [Terms { remind: Some(180), ..Terms::default() }, revealing] {
        let (still, _) = spied(&terms, |part| usize::from(part == 0));
        let (busy, _) = spied(&terms, |part| 1 + part % 4);
        assert!(still.len() > ASKED.len(), "{:?}", still.keys());
        let ids = |mails: &BTreeMap<String, String>| mails.keys().cloned().collect::<Vec<_>>();
        assert_eq!(ids(&still), ids(&busy), "by the Message-IDs");
        let mut heads = 0;
        for (id, mail) in &still {
            assert_eq!(without_open_heads(mail), without_open_heads(&busy[id]), "{id}");
            heads += usize::from(without_open_heads(mail) != *mail);
        }
        // Receipts, the answer to a letter, and that to the withdrawal.
        assert!(heads >= 5, "{heads}");
    }
}

/// Proofs hold the log from a close to the dispatches of its turn. What is told later, because a player asks for it, is no part of them.
#[test]
fn how_often_the_enemy_asks_for_his_report_changes_no_byte_of_a_players_proofs() {
    let proofs = |often: usize, rerun: bool| {
        let mut kept = Kept::founded_on(Terms { proofs: true, ..Terms::default() });
        kept.play(1);
        if rerun {
            let text = "RERUN 3 AMEND PURSE red 9 BECAUSE of a slip".to_owned();
            let request = Request::Gm { game: game(), text, yes: true };
            let Reply::Gm { answers, .. } = kept.host.execute(request).unwrap() else { panic!() };
            assert_eq!(answers[0].end, Effect::Done, "{answers:?}");
            settle(&mut kept.host);
        }
        for _ in 0..often {
            kept.send("blue", "dispatch", "REPORT");
        }
        kept.send("red", "dispatch", "REPORT");
        let mut files = files(&kept.camp, "red");
        files.retain(|name, _| name.ends_with("-proofs.json"));
        files
    };
    for rerun in [false, true] {
        let undisturbed = proofs(0, rerun);
        assert_eq!(undisturbed.len(), 1);
        assert_eq!(undisturbed, proofs(3, rerun));
    }
}

#[test]
fn no_mail_of_an_open_turn_shows_a_number() {
    let (mails, _) = spied(&Terms::default(), |part| 1 + part % 3);
    let shown: BTreeSet<u64> =
        mails.values().flat_map(|mail| Witness::all_in(mail)).map(|witness| witness.index).collect();
    assert_eq!(shown, BTreeSet::new());
}

/// Whoever knows a head and the entry behind it can work out the next one, and so whether anything stands between the two.
#[test]
fn no_head_stands_right_behind_an_entry_that_its_reader_can_compute() {
    let (mails, camp) = spied(&Terms::default(), |_| 1);
    let shown: BTreeSet<Vec<u8>> = mails
        .values()
        .flat_map(|mail| ChainLines::all_in(mail))
        .filter(|lines| matches!(lines, ChainLines::Open(_)))
        .map(|lines| lines.head().as_bytes().to_vec())
        .collect();
    assert!(shown.len() >= 5);
    let mut log = Chain::new(&game());
    for entry in journal(&mut camp.open()).iter().flat_map(|entry| entry.cause.log_entries()) {
        let head = log.push(&entry);
        let is_blinded = match &entry {
            LogEntry::Recv { verdict, .. } => *verdict == LoggedVerdict::Accepted,
            LogEntry::Note { text } => {
                ["press ", "told "].iter().any(|begins| text.as_str().starts_with(begins))
            }
            _ => false,
        };
        assert!(
            is_blinded || !shown.contains(head.as_bytes().as_slice()),
            "{} {}",
            entry.kind(),
            entry.body()
        );
    }
}

/// What is kept of a host whose every mail showed the number of the log's last entry, and a journal's length in its Message-ID.
#[test]
fn mails_of_a_host_that_numbered_every_head_are_verified_as_before() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vintage/mails");
    let [mails, file] = ["french.mbox", "audit.json"].map(|name| folder.join(name));
    let french = "french".parse().unwrap();
    let inquiry = asked(&[&mails, &file], true, Some(&french));
    let case = the_case(&inquiry);
    assert_eq!(case.contradictions, [], "{}", in_words(&inquiry));
    assert!(
        case.heads > 10 && case.receipts > 4 && !inquiry.found_something(false),
        "{}",
        in_words(&inquiry)
    );
    let (text, log) = (fs::read_to_string(&mails).unwrap(), fs::read_to_string(&file).unwrap());
    let heads: Vec<ChainLines> = ChainLines::all_in(&text).collect();
    assert!(heads.len() > 10 && heads.iter().all(|lines| matches!(lines, ChainLines::Numbered(_))));
    let dir = tempfile::tempdir().unwrap();
    let (status, said) = independent_of(dir.path(), &log, &as_arguments(&heads));
    assert!(status == 0 && !said.contains("not witnessed"), "{said}");
}

#[test]
fn a_head_without_its_number_that_the_log_never_had_is_found_by_every_verifier() {
    let mut kept = Kept::founded();
    kept.play(1);
    let receipt = String::from_utf8(kept.newest_raw("red", "receipt")).unwrap();
    let shown = ChainLines::all_in(&read(receipt.as_bytes()).body.unwrap().text).last().unwrap();
    let ChainLines::Open(open) = &shown else { panic!("{shown}") };
    let file = kept.file();
    let dispatch = read(&kept.newest_raw("red", "dispatch")).body.unwrap().text;
    let later = ChainLines::all_in(&dispatch).last().unwrap();
    let dir = tempfile::tempdir().unwrap();
    // Another head; that of an entry when another turn was open; and what was open is another one than the mail says.
    let forged = [
        OpenHead { head: Digest::of(b"another log"), ..open.clone() },
        OpenHead { head: later.head(), ..open.clone() },
        OpenHead { t: open.t - 1, ..open.clone() },
    ];
    assert_eq!(codes(&file, std::slice::from_ref(&shown)), [""; 0]);
    let (status, said) = independent(dir.path(), &file, &as_arguments(std::slice::from_ref(&shown)));
    assert!(status == 0 && !said.contains("not witnessed"), "{said}");
    for forged in forged {
        let lines = ChainLines::Open(forged.clone());
        assert_eq!(codes(&file, std::slice::from_ref(&lines)), ["no-such-head"], "{lines}");
        let (status, said) = independent(dir.path(), &file, &as_arguments(std::slice::from_ref(&lines)));
        assert!(
            status == 1 && said.contains("a head that this log did not have while it was open"),
            "{said}"
        );
        let mail = kept.keep(
            "forged.eml",
            receipt
                .replace(&shown.to_string().replace('\n', "\r\n"), &lines.to_string().replace('\n', "\r\n")),
        );
        let audit = kept.audit();
        let inquiry = asked(&[&mail, &audit], false, None);
        let found = &the_case(&inquiry).contradictions;
        let is_it =
            |found: &Contradiction| matches!(found, Contradiction::NoSuchHead { t, .. } if *t == forged.t);
        assert!(found.iter().any(is_it), "{lines}: {}", in_words(&inquiry));
    }
    // While the turn is open in the file, the mail may be newer.
    let next = ChainLines::Open(OpenHead { t: open.t + 50, ..open.clone() });
    assert_eq!(examined(&file, std::slice::from_ref(&next)).witnesses, 0);
    let (status, said) = independent(dir.path(), &file, &as_arguments(&[next]));
    assert!(status == 4 && said.contains("older than the mails: 1 of their heads"), "{said}");
}
