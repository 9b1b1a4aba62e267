//! Nobody can tell from the mails that he gets how often the others write.

use std::collections::{BTreeMap, BTreeSet};

use musterd::daemon::Host;
use musterd::dice::{Chain, ChainLines, LogEntry, LoggedVerdict, Witness};
use musterd::engine::terms::{Reveal, Terms};

use super::support::*;

/// What blue does between two mails of red's: as many drafts and letters.
fn blue_writes(camp: &Camp, host: &mut Host, part: usize, often: usize) {
    for n in 0..often {
        let id = format!("blue-{part}-{n}");
        let letter = format!("PRESS TO umpire\r\nOnce more, {n}.\r\nEND PRESS\r\n");
        let words = if n % 2 == 0 { block(&format!("BID {n}")) } else { letter };
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
        // Three receipts, the answer to a letter, and that to the withdrawal; before the first blue wrote once in both.
        assert_eq!(heads, 5, "{still:?}");
    }
}

#[test]
fn no_mail_of_an_open_turn_shows_a_number_but_that_of_its_dispatch() {
    let (mails, _) = spied(&Terms::default(), |part| 1 + part % 3);
    let shown: BTreeSet<u64> =
        mails.values().flat_map(|mail| Witness::all_in(mail)).map(|witness| witness.index).collect();
    assert_eq!(shown.len(), 1, "{shown:?}");
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
            LogEntry::Note { text } => text.as_str().starts_with("press "),
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
