//! The audit from outside: what became of one player's mails.

use std::path::{Path, PathBuf};

use musterd::audit::{Contradiction, Fate, Inquiry};
use musterd::daemon::Request;
use musterd::dice::Digest;
use serde_json::{Value, json};

use super::audit::{lines_of, place_of, rechain};
use super::support::*;
use super::toy::seat;
use super::verify::{Kept, asked, in_words, mbox, the_case, unwrapped};

fn fates(inquiry: &Inquiry, t: u32) -> Vec<&Fate> {
    let story = the_case(inquiry).mine.as_ref().unwrap();
    let turn = story.turns.iter().find(|turn| turn.t == t).unwrap_or_else(|| panic!("{story:?}"));
    turn.mails.iter().map(|sent| &sent.fate).collect()
}

/// What red got, without the answer to one of red's mails.
fn without_the_answer_to(kept: &Kept, id: &str) -> PathBuf {
    let id = format!("{id}@players.example");
    let mails: Vec<String> = raw_mails(&kept.maildir("red"))
        .into_iter()
        .filter(|(_, raw)| read(raw).in_reply_to.as_ref() != Some(&id))
        .map(|(_, raw)| String::from_utf8(raw).unwrap())
        .collect();
    kept.keep("told.mbox", mbox(mails.iter().map(String::as_str)))
}

#[test]
fn a_set_that_was_replaced_needs_no_mail_that_explains_it() {
    let mut kept = Kept::founded();
    kept.send("red", "dispatch", &block("BID 1"));
    kept.send("red", "dispatch", &block("BID 2\r\nREADY"));
    // The first is lost, with its receipt.
    kept.sent.remove(2);
    kept.send("blue", "dispatch", &block("BID 1\r\nREADY"));
    let told = without_the_answer_to(&kept, "red-2");
    let (file, sent) = (kept.audit(), kept.sent_by("red"));
    let inquiry = asked(&[&sent, &told, &file], false, Some(&seat("red")));
    assert!(matches!(fates(&inquiry, 2)[..], [Fate::Counted { .. }]), "{}", in_words(&inquiry));
    assert!(!the_case(&inquiry).has_foreign_orders(), "{}", in_words(&inquiry));
}

#[test]
fn a_player_who_was_not_told_of_a_refusal_is_to_ask() {
    let mut kept = Kept::founded();
    let late = kept.write("red", "dispatch", &block("BID 0"));
    kept.play(1);
    kept.camp.post(late);
    settle(&mut kept.host);
    let told = without_the_answer_to(&kept, "red-2");
    let (file, sent) = (kept.audit(), kept.sent_by("red"));
    let last = |mails: &Path| unwrapped(&asked(&[&sent, mails, &file], false, Some(&seat("red"))));
    let says = "a mail of red's was refused and none here tells so";
    assert!(last(&told).contains(says), "{}", last(&told));
    assert!(!last(&kept.maildir("red")).contains(says));
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
        page.contains("NOT IN THE LOG") && page.contains("not every mail of red's is in the log"),
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

/// Without its attachment a receipt still has the leaf and the SHA-256, and the revealed orders are held against both and the mail.
#[test]
fn a_receipt_without_its_attachment_convicts_the_host_that_took_other_orders() {
    let mut kept = Kept::founded();
    kept.play(1);
    let (file, red) = (kept.audit(), seat("red"));
    let taken = "salt: spring 1\nBID 2\nREADY\n";
    let ordered = taken.replace("BID 2", "BID 3");
    let stripped = |sha: &str| {
        let receipts =
            raw_mails(&kept.maildir("red")).into_iter().map(|(_, raw)| String::from_utf8(raw).unwrap());
        let receipts = receipts.filter(|mail| mail.contains(".receipt."));
        let own = Digest::of(taken.as_bytes()).to_string();
        assert!(
            raw_mails(&kept.maildir("red"))
                .iter()
                .any(|(_, raw)| { String::from_utf8(raw.clone()).unwrap().contains(&own) })
        );
        let receipts = receipts.map(|mail| mail.replace("orders.txt", "notes.dat").replace(&own, sha));
        let receipts: Vec<String> = receipts.collect();
        kept.keep("receipts.mbox", mbox(receipts.iter().map(String::as_str)))
    };
    let changed = |c: &Contradiction| matches!(c, Contradiction::Changed { t: 2, seat, .. } if seat == "red");
    let honest = kept.sent_by("red");
    let receipts = stripped(&Digest::of(taken.as_bytes()).to_string());
    let inquiry = asked(&[&honest, &receipts, &file], false, Some(&red));
    assert!(!inquiry.found_something(true), "{}", in_words(&inquiry));
    // His mail holds other orders.
    let sent: Vec<String> = kept.sent.iter().map(|(_, mail)| mail.replace("BID 2", "BID 3")).collect();
    let sent = kept.keep("other.mbox", mbox(sent.iter().map(String::as_str)));
    let inquiry = asked(&[&sent, &receipts, &file], false, Some(&red));
    assert!(fates(&inquiry, 2).contains(&&Fate::Changed), "{}", in_words(&inquiry));
    // So does the SHA-256, where the mail itself is lost.
    let receipts = stripped(&Digest::of(ordered.as_bytes()).to_string());
    let inquiry = asked(&[&receipts, &file], false, None);
    assert!(the_case(&inquiry).contradictions.iter().any(changed), "{}", in_words(&inquiry));
}

/// A mail that no `recv` can name stands in a note: it is in the log all the same.
#[test]
fn a_mail_that_came_after_the_end_is_found_in_its_note() {
    let mut kept = Kept::founded();
    kept.play(3);
    let last = kept.camp.newest("red", "dispatch");
    let mail = Mail {
        from: &player("red"),
        to: &last.reply_to[0],
        id: "too-late",
        in_reply_to: last.message_id.as_deref(),
        text: &block("BID 1"),
    };
    let mail = mail.raw();
    kept.sent.push(("red", mail.clone()));
    kept.camp.post(mail);
    settle(&mut kept.host);
    let (file, sent, red) = (kept.audit(), kept.sent_by("red"), seat("red"));
    place_of(&kept.file(), "note", "mail after the end: red ");
    let inquiry = asked(&[&sent, &file], false, Some(&red));
    assert!(
        fates(&inquiry, 7).iter().any(|fate| matches!(fate, Fate::Refused { .. })),
        "{}",
        in_words(&inquiry)
    );
    assert!(!inquiry.found_something(true), "{}", in_words(&inquiry));
    assert_eq!(
        the_case(&inquiry).mine.as_ref().unwrap().turns.last().unwrap().t,
        7,
        "nothing follows the end"
    );
}

/// The word beside a mail hides nothing that the revealed orders belie.
#[test]
fn orders_under_the_name_of_a_withdrawal_are_his_to_ask_about() {
    let mut kept = Kept::founded();
    kept.play(1);
    let mut file = kept.file();
    let at = place_of(&file, "recv", "2 red");
    let body = file["log"][at]["body"].as_str().unwrap().replace("accepted -", "accepted withdrawn");
    file["log"][at]["body"] = json!(body);
    rechain(&mut file);
    let file = kept.keep("forged.json", file.to_string());
    let received =
        raw_mails(&kept.maildir("red")).into_iter().map(|(_, raw)| String::from_utf8(raw).unwrap());
    let received: Vec<String> = received.filter(|mail| !mail.contains(".receipt.")).collect();
    let received = kept.keep("received.mbox", mbox(received.iter().map(String::as_str)));
    let inquiry = asked(&[&received, &file], false, Some(&seat("red")));
    let page = unwrapped(&inquiry);
    assert!(page.contains("NOT YOURS? Orders were taken") && page.contains("took them back"), "{page}");
}

/// Nothing in the log tells orders that a host made up for a player from those that he sent: only he knows.
#[test]
fn orders_that_counted_and_no_mail_of_the_players_explains_are_his_to_ask_about() {
    let mut kept = Kept::founded();
    kept.play(1);
    let (file, sent, red) = (kept.audit(), kept.sent_by("red"), seat("red"));
    let received =
        raw_mails(&kept.maildir("red")).into_iter().map(|(_, raw)| String::from_utf8(raw).unwrap());
    let received: Vec<String> = received.filter(|mail| !mail.contains(".receipt.")).collect();
    let received = kept.keep("received.mbox", mbox(received.iter().map(String::as_str)));
    let inquiry = asked(&[&received, &file], false, Some(&red));
    let turn = &the_case(&inquiry).mine.as_ref().unwrap().turns[1];
    assert!(turn.t == 2 && turn.unexplained.iter().any(|entry| entry.foreign), "{turn:?}");
    assert!(inquiry.found_something(true));
    let page = unwrapped(&inquiry);
    assert!(page.contains("NOT YOURS?") && page.contains("orders counted as red's that no mail"), "{page}");
    // What he sent explains them; and who shows nothing that the host wrote to him can't miss a receipt.
    let with_sent = asked(&[&received, &sent, &file], false, Some(&red));
    assert!(!with_sent.found_something(true), "{}", in_words(&with_sent));
    let unasked = asked(&[&file], false, Some(&red));
    assert!(!unasked.found_something(true), "{}", in_words(&unasked));
}

/// As little does it tell of a withdrawal that the host made up: the player's own mail explains one, or the answer to it.
#[test]
fn a_withdrawal_that_no_mail_of_the_players_explains_is_his_to_ask_about() {
    let mut kept = Kept::founded();
    kept.send("red", "dispatch", &block("BID 1"));
    kept.send("red", "dispatch", "WITHDRAW ORDERS");
    kept.send("blue", "dispatch", &block("BID 1\r\nREADY"));
    kept.camp.wait(24 * HOUR);
    settle(&mut kept.host);
    let (file, sent, red) = (kept.audit(), kept.sent_by("red"), seat("red"));
    let received =
        raw_mails(&kept.maildir("red")).into_iter().map(|(_, raw)| String::from_utf8(raw).unwrap());
    let (answers, others): (Vec<String>, Vec<String>) = received.partition(|mail| mail.contains(".answer."));
    let others = kept.keep("others.mbox", mbox(others.iter().map(String::as_str)));
    let answers = kept.keep("answers.mbox", mbox(answers.iter().map(String::as_str)));
    for explained in [&sent, &answers] {
        let inquiry = asked(&[&others, explained, &file], false, Some(&red));
        assert!(!inquiry.found_something(true), "{}", in_words(&inquiry));
    }
    let inquiry = asked(&[&others, &sent, &file], false, Some(&red));
    let [Fate::Replaced { .. }, Fate::TookBack { .. }] = fates(&inquiry, 2)[..] else {
        panic!("{}", in_words(&inquiry))
    };
    let inquiry = asked(&[&others, &file], false, Some(&red));
    assert!(inquiry.found_something(true), "{}", in_words(&inquiry));
    let page = unwrapped(&inquiry);
    assert!(
        page.contains("NOT YOURS? The orders were taken back") && page.contains("or were taken back"),
        "{page}"
    );
}

/// Who takes a seat over, or leaves it, answers for no orders but those of his own time; the computer's are nobody's to ask about.
#[test]
fn a_seat_that_changed_hands_makes_nobody_suspect_the_orders_of_another() {
    const ZOE: &str = "zoe@players.example";
    let mut kept = Kept::founded();
    kept.play(1);
    kept.send("red", "dispatch", &block("BID 2\r\nREADY"));
    gm(&mut kept, &format!("REPLACE red {ZOE}"));
    let zoes = kept.camp.path().join("mail").join(ZOE);
    let write = |kept: &mut Kept, id: &str, text: &str| {
        let mut mails = kept.camp.mails(ZOE);
        mails.retain(|mail| is_of_kind(mail, "dispatch"));
        let answered = mails.pop().unwrap();
        let mail = Mail {
            from: ZOE,
            to: &answered.reply_to[0],
            id,
            in_reply_to: answered.message_id.as_deref(),
            text,
        };
        kept.camp.post(mail.raw());
        settle(&mut kept.host);
    };
    // t 4 is played with the orders of whoever left.
    kept.send("blue", "dispatch", &block("BID 1"));
    kept.camp.wait(24 * HOUR);
    settle(&mut kept.host);
    write(&mut kept, "zoe-1", &block("BID 1\r\nREADY"));
    kept.send("blue", "dispatch", &block("BID 1\r\nREADY"));
    // Behind the end a refusal is about no t.
    write(&mut kept, "zoe-2", &block("BID 1"));
    assert!(
        kept.camp.mails(ZOE).iter().any(|mail| mail.message_id.as_ref().unwrap().contains("alpha.0.red."))
    );
    let (file, sent, red) = (kept.audit(), kept.sent_by("red"), seat("red"));
    let (reds, handed) = (kept.maildir("red"), place_of(&kept.file(), "gm", "4 seat red player"));
    let told = format!("orders of whoever had the seat then (log entry {handed} gave it to another)");
    for paths in [&[&zoes, &file][..], &[&reds, &sent, &file]] {
        let paths: Vec<&Path> = paths.iter().map(|path| path.as_path()).collect();
        let inquiry = asked(&paths, false, Some(&red));
        let page = unwrapped(&inquiry);
        assert!(!inquiry.found_something(true) && !page.contains("NOT YOURS?"), "{page}");
        assert!(page.contains(&told), "{told}: {page}");
    }
    // Of their own time they are asked.
    let without_receipts = |of: &Path| {
        let mails = raw_mails(of).into_iter().map(|(_, raw)| String::from_utf8(raw).unwrap());
        let mails: Vec<String> = mails.filter(|mail| !mail.contains(".receipt.")).collect();
        kept.keep("few.mbox", mbox(mails.iter().map(String::as_str)))
    };
    for (whose, ts) in [(&zoes, &[6][..]), (&reds, &[2, 4])] {
        let inquiry = asked(&[&without_receipts(whose), &file], false, Some(&red));
        let turns = &the_case(&inquiry).mine.as_ref().unwrap().turns;
        let foreign = turns.iter().filter(|turn| turn.unexplained.iter().any(|entry| entry.foreign));
        let foreign: Vec<u32> = foreign.map(|turn| turn.t).filter(|t| *t > 1).collect();
        assert_eq!(foreign, ts, "{}", in_words(&inquiry));
    }
}

/// Two lines of the log hide no orders from a player who kept the seat all the time, as far as he was told.
#[test]
fn a_seat_that_was_anothers_for_a_while_is_asked_about_unless_its_player_was_told() {
    const ZOE: &str = "zoe@players.example";
    let mut kept = Kept::founded();
    kept.play(1);
    let red = seat("red");
    let is_known: Vec<Vec<u8>> = raw_mails(&kept.maildir("red")).into_iter().map(|(_, raw)| raw).collect();
    gm(&mut kept, &format!("REPLACE red {ZOE}"));
    let mut mails = kept.camp.mails(ZOE);
    mails.retain(|mail| is_of_kind(mail, "dispatch"));
    let answered = mails.pop().unwrap();
    let (to, in_reply_to) = (&answered.reply_to[0], answered.message_id.as_deref());
    kept.camp.post(Mail { from: ZOE, to, id: "zoe-1", in_reply_to, text: &block("BID 2") }.raw());
    settle(&mut kept.host);
    gm(&mut kept, &format!("REPLACE red {}", player("red")));
    let all = |kept: &Kept| raw_mails(&kept.maildir("red")).into_iter().map(|(_, raw)| raw);
    let of_change: Vec<Vec<u8>> = all(&kept).filter(|raw| !is_known.contains(raw)).collect();
    kept.send("blue", "dispatch", &block("BID 1\r\nREADY"));
    kept.camp.wait(24 * HOUR);
    settle(&mut kept.host);
    let audit = kept.audit();
    let asked_about = |told: bool| {
        let mails = all(&kept).filter(|raw| told || !of_change.contains(raw));
        let mails: Vec<String> = mails.map(|raw| String::from_utf8(raw).unwrap()).collect();
        let few = kept.keep("few.mbox", mbox(mails.iter().map(String::as_str)));
        let inquiry = asked(&[&few, &kept.sent_by("red"), &audit], false, Some(&red));
        let page = unwrapped(&inquiry);
        let asks = page.contains("By the log another had your seat from entry");
        assert_eq!(inquiry.found_something(true), asks, "{page}");
        asks
    };
    assert!(asked_about(false) && !asked_about(true));
}

#[test]
fn what_the_computer_mails_is_what_it_sealed() {
    let mut kept = Kept::founded();
    kept.play(1);
    let red = seat("red");
    gm(&mut kept, "REPLACE red computer");
    kept.send("blue", "dispatch", &block("BID 1\r\nREADY"));
    kept.camp.wait(24 * HOUR);
    settle(&mut kept.host);
    kept.send("blue", "dispatch", &block("BID 1\r\nREADY"));
    let file = kept.file();
    let mut sealed = place_of(&file, "seal", "6 red");
    let mailed = place_of(&file, "recv", "6 red");
    let audit = kept.audit();
    // He got mails of this time too, as who watches does.
    let watched = String::from_utf8(kept.newest_raw("blue", "dispatch")).unwrap().replace(".blue.", ".red.");
    let inquiry = asked(
        &[&kept.maildir("red"), &kept.keep("watched.eml", watched), &kept.sent_by("red"), &audit],
        false,
        Some(&red),
    );
    let turns = &the_case(&inquiry).mine.as_ref().unwrap().turns;
    let turn = turns.iter().find(|turn| turn.t == 6).unwrap();
    for entry in &turn.unexplained {
        assert!(entry.sealed && !entry.foreign, "{turn:?}");
        sealed = sealed.max(usize::try_from(entry.entry).unwrap());
    }
    assert_eq!((turn.unexplained.len(), sealed), (2, mailed));
    // His marks are another seat's, and that is all.
    let found = &the_case(&inquiry).contradictions;
    assert!(matches!(&found[..], [Contradiction::BrokenMarks { .. }]), "{}", in_words(&inquiry));
}

fn gm(kept: &mut Kept, text: &str) {
    kept.host.execute(Request::Gm { game: game(), text: text.to_owned(), yes: true }).unwrap();
    settle(&mut kept.host);
}

#[test]
fn a_ready_that_waited_for_what_was_not_read_accuses_no_host() {
    let mut kept = Kept::founded();
    let doc = "Content-Type: application/msword; name=plan.doc\r\n\r\n\u{1}";
    let mails = [
        ("BID 1\r\nREADY", doc),
        (
            "BEGIN ORDERS\r\nBID 2\r\nREADY\r\nEND ORDERS",
            "Content-Type: text/plain; name=other.txt\r\n\r\nBID 3",
        ),
        ("READY\r\nsalt: mine", "Content-Type: text/plain; name=mine.txt\r\n\r\nBID 4"),
        ("READY", doc),
    ];
    for (n, (text, part)) in mails.iter().enumerate() {
        let mail = kept.camp.answer("red", "dispatch", &format!("held-{n}"), "");
        let (head, _) = mail.split_once("Content-Type:").unwrap();
        let raw = format!(
            "{head}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=q\r\n\r\n--q\r\n\r\n{text}\r\n--q\r\n{part}\r\n--q--\r\n"
        );
        kept.sent.push(("red", raw.clone()));
        kept.camp.wait(60);
        kept.camp.post(raw);
        settle(&mut kept.host);
    }
    kept.send("blue", "dispatch", &block("BID 1\r\nREADY"));
    kept.camp.wait(24 * HOUR);
    settle(&mut kept.host);
    let (file, sent, red) = (kept.audit(), kept.sent_by("red"), seat("red"));
    let maildir = kept.maildir("red");
    for files in [&[sent.as_path(), &maildir, &file][..], &[&sent, &file]] {
        let inquiry = asked(files, false, Some(&red));
        let [Fate::Replaced { .. }, Fate::Replaced { .. }, Fate::Counted { .. }, last] =
            fates(&inquiry, 2)[..]
        else {
            panic!("{}", in_words(&inquiry))
        };
        assert!(matches!(last, Fate::Refused { reason, .. } if reason == "unread"), "{}", in_words(&inquiry));
        assert_eq!(the_case(&inquiry).contradictions, [], "{}", in_words(&inquiry));
    }
}

/// A receipt shows the log behind the mail that it is for. A file that reaches as far and lacks the mail dropped it, though the turn is
/// still open.
#[test]
fn orders_that_were_dropped_in_an_open_turn_are_told_so_by_log_and_by_mail() {
    let mut kept = Kept::founded();
    kept.send("red", "dispatch", &block("BID 2"));
    kept.send("blue", "dispatch", &block("BID 1"));
    let mut file = kept.file();
    let whole = kept.keep("whole.json", file.to_string());
    let at = place_of(&file, "recv", "2 red ");
    lines_of(&mut file).remove(at);
    rechain(&mut file);
    let (red, sent) = (seat("red"), kept.sent_by("red"));
    let told = |file: &Path| {
        let inquiry = asked(&[&kept.maildir("red"), &sent, file], false, Some(&red));
        let dropped = |c: &Contradiction| matches!(c, Contradiction::Dropped { t: 2, .. });
        let contradicted = the_case(&inquiry).contradictions.iter().any(dropped);
        (contradicted, fates(&inquiry, 2).into_iter().cloned().collect::<Vec<_>>())
    };
    let (contradicted, fates) = told(&kept.keep("dropped.json", file.to_string()));
    // A receipt's head has no number, so that while the turn is open the file may be the older of the two.
    assert_eq!((contradicted, fates), (false, vec![Fate::NotYet]));
    let mut closed = file.clone();
    lines_of(&mut closed).push(json!({"kind": "close", "body": format!("2 {}", "1".repeat(64)), "hash": ""}));
    rechain(&mut closed);
    let (contradicted, fates) = told(&kept.keep("closed.json", closed.to_string()));
    assert_eq!((contradicted, fates), (true, vec![Fate::Dropped]));
    assert!(matches!(told(&whole), (false, fates) if matches!(fates[..], [Fate::Taken { .. }])));
    // A file that ends before the receipt's head has the mail in none of its entries: it is older.
    lines_of(&mut file).truncate(at);
    assert_eq!(told(&kept.keep("older.json", file.to_string())), (false, vec![Fate::NotYet]));
}
