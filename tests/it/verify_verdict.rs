//! One verdict: what a player's own mails show is found without being asked for, by whichever of his mails somebody gives; and honest hosts
//! and players are accused of nothing.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::fmt::rfc2822;
use jiff::tz::TimeZone;
use musterd::audit::{Contradiction, Inquiry, Verdict};
use musterd::daemon::Request;
use musterd::engine::journal::Cause;
use serde_json::Value;

use super::audit::{place_of, rechain};
use super::support::*;
use super::toy::seat;
use super::verify::{Kept, asked, in_words, mbox, the_case, unwrapped};

/// What a player got, those of it that are kept.
fn got(kept: &Kept, seat: &str, is_kept: impl Fn(&str) -> bool) -> PathBuf {
    let mails = raw_mails(&kept.maildir(seat)).into_iter().map(|(_, raw)| String::from_utf8(raw).unwrap());
    let mails: Vec<String> = mails.filter(|mail| is_kept(mail)).collect();
    kept.keep(&format!("{seat}-got.mbox"), mbox(mails.iter().map(String::as_str)))
}

fn verdict(paths: &[&Path]) -> (Verdict, Inquiry) {
    let inquiry = asked(paths, false, None);
    (inquiry.verdict(false), inquiry)
}

/// The host's journal and its receipts say something else than the player mailed.
#[test]
fn a_host_that_alters_orders_on_arrival_is_found_without_being_asked_about_the_seat() {
    let mut kept = Kept::founded();
    kept.play(1);
    let file = kept.audit();
    let altered: Vec<String> = kept.sent.iter().map(|(_, mail)| mail.replace("BID 2", "BID 3")).collect();
    let sent = kept.keep("sent.mbox", mbox(altered.iter().map(String::as_str)));
    let (reds, blues) = (kept.maildir("red"), kept.maildir("blue"));
    let is_it = |c: &Contradiction| matches!(c, Contradiction::Altered { t: 2, seat, .. } if seat == "red");
    for paths in [&[&*sent, &*reds, &*file][..], &[&*file, &*blues, &*sent, &*reds], &[&*sent, &*reds]] {
        for mine in [None, Some(seat("red")), Some(seat("blue"))] {
            let inquiry = asked(paths, false, mine.as_ref());
            let found = &the_case(&inquiry).contradictions;
            assert!(found.len() == 1 && found.iter().all(is_it), "{}", in_words(&inquiry));
            assert_eq!(inquiry.verdict(true), Verdict::ToExplain);
            assert!(unwrapped(&inquiry).contains("alpha: 1 thing is wrong."), "{}", in_words(&inquiry));
        }
    }
}

#[test]
fn what_is_to_be_asked_of_a_seat_is_asked_without_its_name() {
    let mut kept = Kept::founded();
    kept.play(1);
    let file = kept.audit();
    // Who keeps receipts lacks the one for orders that counted.
    let last = kept.newest_raw("red", "receipt");
    let other = |mail: &str| mail.as_bytes() != last;
    let (found, inquiry) = verdict(&[&got(&kept, "red", other), &file]);
    assert_eq!(found, Verdict::ToExplain, "{}", in_words(&inquiry));
    let page = unwrapped(&inquiry);
    assert!(page.contains("WHAT IS TO BE ASKED") && page.contains("red, t 2: log entry"), "{page}");
    assert!(page.contains("alpha: orders counted as red's that no mail here explains"), "{page}");
    // A mail that never arrived.
    kept.write("blue", "dispatch", &block("BID 3"));
    kept.camp.wait(24 * HOUR);
    settle(&mut kept.host);
    let (file, sent) = (kept.audit(), kept.sent_by("blue"));
    let (found, inquiry) = verdict(&[&sent, &kept.maildir("blue"), &file]);
    assert_eq!(found, Verdict::ToExplain, "{}", in_words(&inquiry));
    assert!(unwrapped(&inquiry).contains("not every mail of blue's is in the log"), "{}", in_words(&inquiry));
}

#[test]
fn honest_mailboxes_accuse_nobody_whatever_of_them_was_kept() {
    let mut kept = Kept::founded();
    kept.send("red", "dispatch", &block("BID 1"));
    kept.send("red", "dispatch", "WITHDRAW ORDERS");
    kept.send("blue", "dispatch", "Thanks for the report!");
    kept.play(3);
    let file = kept.audit();
    let sent = ["red", "blue"].map(|seat| kept.sent_by(seat));
    let all = ["red", "blue"].map(|seat| kept.maildir(seat));
    let dispatches = got(&kept, "red", |mail| is_of_kind(&read(mail.as_bytes()), "dispatch"));
    let receipts = got(&kept, "blue", |mail| is_of_kind(&read(mail.as_bytes()), "receipt"));
    for paths in [
        &[&all[0]][..],
        &[&all[0], &all[1]],
        &[&sent[0]],
        &[&sent[0], &sent[1]],
        &[&all[0], &sent[0]],
        &[&all[0], &sent[0], &all[1], &sent[1]],
        &[&all[1], &sent[0]],
        &[&dispatches],
        &[&receipts],
        &[&dispatches, &sent[0]],
    ] {
        let mut paths: Vec<&Path> = paths.iter().map(|path| path.as_path()).collect();
        let (_, inquiry) = verdict(&paths);
        assert!(!inquiry.found_something(true), "{paths:?}: {}", in_words(&inquiry));
        paths.push(&file);
        let (found, inquiry) = verdict(&paths);
        assert_eq!(found, Verdict::NothingWrong, "{paths:?}: {}", in_words(&inquiry));
    }
}

/// Allies answer the dispatch that they write to each other about, with orders in it that are none.
#[test]
fn what_players_write_to_each_other_is_no_mail_that_the_host_lost() {
    let mut kept = Kept::founded();
    let draft = kept.write("red", "dispatch", &block("BID 7"));
    let to = draft.lines().find(|line| line.starts_with("To: ")).unwrap().to_owned();
    kept.sent.pop();
    kept.play(1);
    let file = kept.audit();
    let (reds, sent) = (kept.maildir("red"), kept.sent_by("red"));
    let to_an_ally = draft.replace(&to, "To: blue@players.example").replace("<red-2@", "<red-to-blue@");
    let to_an_ally = kept.keep("to-an-ally.eml", to_an_ally);
    // A draft may have the id of the mail that was sent in the end.
    let draft = kept.keep("draft.eml", draft);
    let (found, inquiry) = verdict(&[&reds, &sent, &to_an_ally, &draft, &file]);
    assert_eq!(found, Verdict::NothingWrong, "{}", in_words(&inquiry));
    let inquiry = asked(&[&reds, &sent, &to_an_ally, &file], false, Some(&seat("red")));
    assert!(unwrapped(&inquiry).contains("It is to none of the host's addresses"), "{}", in_words(&inquiry));
}

/// A comment that a program broke is one line for whoever knows the rules, where every line that stands alone might be an order.
#[test]
fn a_flowed_mail_is_read_as_the_host_reads_it() {
    let mut kept = Kept::founded();
    let flowed = |text: &str| {
        format!("{}\r\n", block(text)).replace("# a long remark about it ", "# a long remark about it \r\n")
    };
    let mail = kept.write("red", "dispatch", &flowed("BID 2 # a long remark about it that goes on\r\nREADY"));
    let mail = mail.replacen("charset=utf-8", "charset=utf-8; format=flowed", 1);
    kept.sent.pop();
    kept.sent.push(("red", mail.clone()));
    kept.camp.post(mail);
    settle(&mut kept.host);
    kept.send("blue", "dispatch", &block("BID 1\r\nREADY"));
    kept.camp.wait(24 * HOUR);
    settle(&mut kept.host);
    let taken = kept.file()["turns"][1]["orders"]["red"].as_str().unwrap().to_owned();
    assert!(taken.contains("about it that goes on"), "{taken}");
    let (file, sent) = (kept.audit(), kept.sent_by("red"));
    let (found, inquiry) = verdict(&[&kept.maildir("red"), &sent, &file]);
    assert_eq!(found, Verdict::NothingWrong, "{}", in_words(&inquiry));
}

fn date(seconds: i64) -> String {
    rfc2822::to_string(&Timestamp::from_second(seconds).unwrap().to_zoned(TimeZone::UTC)).unwrap()
}

/// The instant behind `t` in the last entry of a kind for it.
fn instant(file: &Value, kind: &str, t: u32) -> i64 {
    let begins = format!("{t} ");
    let bodies = file["log"].as_array().unwrap().iter().filter(|line| line["kind"] == kind);
    let mut bodies = bodies.map(|line| line["body"].as_str().unwrap());
    bodies.rfind(|body| body.starts_with(&begins)).unwrap().split(' ').nth(1).unwrap().parse().unwrap()
}

/// A host that closes when it likes, and writes no `deadline` for it: its mails show the log of that time.
#[test]
fn a_close_before_its_deadline_that_the_log_says_nothing_of_is_found_by_the_dates_of_mails() {
    let mut kept = Kept::founded();
    kept.play(1);
    let honest = kept.file();
    let due = instant(&honest, "open", 2);
    let mut forged = honest.clone();
    place_of(&forged, "deadline", "2 ");
    for line in forged["log"].as_array_mut().unwrap() {
        if line["kind"] == "deadline" && line["body"].as_str().unwrap().starts_with("2 ") {
            line["body"] = format!("2 {due}").into();
        }
    }
    rechain(&mut forged);
    let heads = |file: &Value| -> Vec<String> {
        file["log"].as_array().unwrap().iter().map(|line| line["hash"].as_str().unwrap().to_owned()).collect()
    };
    let (old, new) = (heads(&honest), heads(&forged));
    let mails = |leave: &dyn Fn(&str) -> String| {
        let mails =
            raw_mails(&kept.maildir("red")).into_iter().map(|(_, raw)| String::from_utf8(raw).unwrap());
        let told = |mail: String| old.iter().zip(&new).fold(mail, |mail, (old, new)| mail.replace(old, new));
        let mails: Vec<String> = mails.map(told).map(|mail| leave(&mail)).collect();
        kept.keep("red.mbox", mbox(mails.iter().map(String::as_str)))
    };
    let file = kept.keep("forged.json", forged.to_string());
    let is_early = |server: bool| move |c: &Contradiction| matches!(c, Contradiction::ClosedEarly { t: 2, by_server, .. } if *by_server == server);
    let (found, inquiry) = verdict(&[&mails(&|mail| mail.to_owned()), &file]);
    let told = &the_case(&inquiry).contradictions;
    assert!(told.len() == 1 && told.iter().all(is_early(false)), "{}", in_words(&inquiry));
    assert_eq!(found, Verdict::ToExplain);
    assert!(unwrapped(&inquiry).contains("no `deadline` entry in"), "{}", in_words(&inquiry));
    // It dates its mails later, and the reader's server says when they came.
    let dated = |written: i64, came: Option<i64>| {
        mails(&|mail| {
            let lines = mail.lines().map(|line| match line.starts_with("Date: ") {
                true => format!("Date: {}\r\n", date(written)),
                false => format!("{line}\r\n"),
            });
            let received =
                came.map(|at| format!("Received: from host by mx with ESMTP id 7;\r\n\t{}\r\n", date(at)));
            received.into_iter().chain(lines).collect()
        })
    };
    let (_, inquiry) = verdict(&[&dated(due, Some(due - HOUR)), &file]);
    assert!(the_case(&inquiry).contradictions.iter().any(is_early(true)), "{}", in_words(&inquiry));
    // Clocks differ, and mail is late.
    for (written, came) in
        [(due - 200, None), (due, Some(due - 299)), (due, Some(due + HOUR)), (due + HOUR, None)]
    {
        let (found, inquiry) = verdict(&[&dated(written, came), &file]);
        assert_eq!(found, Verdict::NothingWrong, "{written}, {came:?}: {}", in_words(&inquiry));
    }
    // What the honest host logged accuses nobody.
    let (found, inquiry) = verdict(&[&kept.maildir("red"), &kept.keep("honest.json", honest.to_string())]);
    assert_eq!(found, Verdict::NothingWrong, "{}", in_words(&inquiry));
}

/// Whatever closes a turn before its deadline is in the log, directly before the close.
#[test]
fn every_close_ahead_of_its_deadline_has_a_deadline_of_that_instant() {
    let mut kept = Kept::founded();
    kept.play(1);
    let process = Request::Gm { game: game(), text: "PROCESS 2".to_owned(), yes: true };
    kept.host.execute(process).unwrap();
    settle(&mut kept.host);
    let (mut deadlines, mut early) = (std::collections::BTreeMap::new(), 0);
    let entries = journal(&mut kept.host);
    for pair in entries.windows(2) {
        let [before, entry] = pair else { continue };
        match (&before.cause, &entry.cause) {
            (_, Cause::Opened { t, deadline: Some(at), .. } | Cause::Rescheduled { t, deadline: at, .. }) => {
                deadlines.insert(*t, *at);
            }
            (before, Cause::Closed { t, .. }) => {
                let is_said = matches!(before, Cause::Rescheduled { deadline, .. } if *deadline == entry.at);
                assert!(is_said || deadlines.get(t).is_none_or(|at| *at <= entry.at), "t {t}");
                early += u32::from(is_said);
            }
            _ => {}
        }
    }
    assert!(early > 1, "{early}");
}
