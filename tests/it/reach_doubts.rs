//! Reports that prove nothing: what a GM hears of them, and what one game's damage or end does to that.

use std::fs;

use musterd::daemon::{Host, NewGame, Reply, Request, Vitals};
use musterd::engine::terms::Terms;

use super::support::*;

/// A server's report on mail to this address that returns nothing of ours; `answers` names a mail of ours, or nothing.
fn report(n: u32, to: &str, answers: &str) -> String {
    format!(
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@relay.example\r\nTo: {HOST}\r\nSubject: Undelivered Mail\r\n\
         Message-ID: <nameless-{n}@relay.example>\r\n{answers}\r\n\
         550 5.1.1 <{to}>: no such user\r\n"
    )
}

fn vitals(host: &mut Host) -> Vitals {
    match host.execute(Request::Vitals).unwrap() {
        Reply::Vitals(vitals) => *vitals,
        other => panic!("{other:?}"),
    }
}

/// The games whose GM was told of such a report, once for each mail.
fn told(camp: &Camp) -> Vec<String> {
    let mails = camp.mails(GM).into_iter().filter(|mail| mail.subject.contains("proves nothing"));
    mails.map(|mail| mail.subject.split([']', '[']).nth(1).unwrap().to_owned()).collect()
}

fn new(host: &mut Host, id: &str, deadline: &str) {
    let game = NewGame { id: id.parse().unwrap(), ..toy_game(&[], deadline, Terms::default()) };
    host.execute(Request::found(game)).unwrap();
    settle(host);
}

#[test]
fn the_gm_hears_of_doubtful_reports_each_day_though_nothing_else_happens_in_the_game() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game(&mut host, &[], "90d");
    settle(&mut host);
    // Something else that the GM is told of, at the same point of the journal.
    let wrong = "host+alpha.red.0123456789abcdef@example.org";
    camp.post(Mail { from: &player("red"), to: wrong, id: "w", in_reply_to: None, text: "JOIN" }.raw());
    settle(&mut host);
    let entries = journal(&mut host).len();
    let invitation = camp.newest("red", "invitation").message_id.unwrap();
    let answers = format!("In-Reply-To: <{invitation}>\r\n");
    for (n, answers) in (1..).zip(["", "", &answers, ""]) {
        camp.post(report(n, &player("red"), answers));
        camp.post(report(10 + n, &player("red"), answers));
        settle(&mut host);
        assert_eq!(told(&camp).len(), usize::try_from(n).unwrap(), "one on day {n}");
        assert_eq!((vitals(&mut host).spool_waiting, journal(&mut host).len()), (0, entries), "day {n}");
        camp.wait(24 * HOUR);
    }
}

#[test]
fn a_game_that_cannot_go_on_keeps_no_report_from_the_others_and_one_that_is_over_hears_of_none() {
    let camp = Camp::new();
    let mut host = camp.open();
    new(&mut host, "over", "24h");
    for _ in 0..40 {
        camp.wait(24 * HOUR);
        settle(&mut host);
    }
    assert_eq!(vitals(&mut host).games.ended, 1, "the game of short deadlines has run out");
    new(&mut host, "alpha", "90d");
    new(&mut host, "beta", "90d");
    drop(host);
    fs::rename(camp.path().join("secrets/alpha.secret"), camp.path().join("elsewhere")).unwrap();
    let mut host = camp.open();
    camp.post(report(1, &player("red"), ""));
    settle(&mut host);
    assert_eq!(told(&camp), ["beta"]);
    assert_eq!(vitals(&mut host).spool_waiting, 0);
}
