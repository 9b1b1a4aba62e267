//! Who can be reached: mails that come back, forged reports of such, second addresses, and seats that no mail reaches.

use std::collections::BTreeMap;
use std::sync::Mutex;

use musterd::daemon::{Host, NewGame, Reply, Request, SeatStatus, serve};
use musterd::engine::journal::{Cause, Change};
use musterd::engine::terms::{Missing, Terms};
use musterd::fault::{self, Plan};
use musterd::letter::Letter;
use musterd::post::{Outcome, Relay};

use super::replay::replay;
use super::support::*;
use super::toy::seat;
use super::trouble::log_of;
use super::verify::mails_fit;

/// Red's second address.
pub(crate) const SECOND: &str = "red@second.example";
/// Red's third, where there is one.
const THIRD: &str = "red@third.example";

/// A founded game in which red has two addresses.
pub(crate) fn camp() -> (Camp, Host) {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    add_address(&camp, &mut host, SECOND);
    (camp, host)
}

/// Red adds an address and confirms it from there.
pub(crate) fn add_address(camp: &Camp, host: &mut Host, address: &str) {
    let id = format!("add-{}", camp.count("red", "answer"));
    camp.post(camp.answer("red", "dispatch", &id, &format!("ADDRESS ADD {address}\r\n")));
    settle(host);
    let code = camp.mails(address).pop().unwrap().body.unwrap().text;
    let code = code.lines().find(|line| line.starts_with("CONFIRM")).unwrap();
    let id = format!("confirm-{id}");
    camp.post(Mail { from: address, to: HOST, id: &id, in_reply_to: None, text: code }.raw());
    settle(host);
}

/// A server's report on a mail of ours, which it returns as far as its headers go.
fn report_on(mail: &Letter, to: &str, action: &str, status: &str) -> String {
    let id = mail.message_id.as_deref().unwrap();
    let reply_to =
        mail.reply_to.first().map(|address| format!("Reply-To: {address}\r\n")).unwrap_or_default();
    format!(
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@relay.example\r\nTo: {HOST}\r\nSubject: Undelivered Mail\r\n\
         Message-ID: <{status}-{id}>\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n\
         --b\r\nContent-Type: text/plain\r\n\r\nNot delivered.\r\n\
         --b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; relay.example\r\n\r\n\
         Final-Recipient: rfc822; {to}\r\nAction: {action}\r\nStatus: {status}\r\n\r\n\
         --b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <{id}>\r\n{reply_to}\r\n--b--\r\n"
    )
}

/// That this mail came back for good: no such user.
fn bounce(mail: &Letter, to: &str) -> String {
    report_on(mail, to, "failed", "5.1.1")
}

pub(crate) fn status(host: &mut Host, whose: &str) -> SeatStatus {
    let Reply::Status { games } = host.execute(Request::Status { game: Some(game()) }).unwrap() else {
        panic!()
    };
    games[0].seats.iter().find(|s| s.seat == seat(whose)).unwrap().clone()
}

/// What the GM was told about mail that comes back.
pub(crate) fn told_gm(camp: &Camp) -> Vec<String> {
    let mails = camp.mails(GM).into_iter().filter(|mail| mail.subject.contains("comes back"));
    mails.map(|mail| mail.body.unwrap().text).collect()
}

/// How often red's addresses were marked, and unmarked.
pub(crate) fn marks(host: &mut Host) -> (usize, usize) {
    let changes = |is: fn(&Change) -> bool| {
        let entries = journal(host).into_iter();
        entries.filter(|e| matches!(&e.cause, Cause::Arranged(a) if is(&a.change))).count()
    };
    let mut changes = changes;
    (changes(|c| matches!(c, Change::Undelivered { .. })), changes(|c| matches!(c, Change::Reached { .. })))
}

fn run_turn(camp: &Camp, host: &mut Host) {
    camp.wait(25 * HOUR);
    settle(host);
}

#[test]
fn a_mail_that_came_back_goes_to_the_second_address_and_so_do_the_next() {
    let (camp, mut host) = camp();
    let dispatch = camp.newest("red", "dispatch");
    let before = camp.mails(SECOND).len();
    camp.post(bounce(&dispatch, &player("red")));
    settle(&mut host);
    let again = camp.mails(SECOND);
    assert_eq!(again.len(), before + 1);
    let again = again.into_iter().find(|mail| mail.message_id == dispatch.message_id).unwrap();
    assert_eq!(
        (again.to.last().unwrap().as_str(), &again.body),
        (SECOND, &dispatch.body),
        "the same mail, readdressed"
    );
    assert_eq!(told_gm(&camp).len(), 1);
    assert!(told_gm(&camp)[0].contains(SECOND), "{:?}", told_gm(&camp));
    assert!(status(&mut host, "red").player.contains("red@players.example (mail to it comes back)"));
    assert_eq!(status(&mut host, "red").bounced, 1);

    let (first, second) = (camp.mails(&player("red")).len(), camp.mails(SECOND).len());
    run_turn(&camp, &mut host);
    assert_eq!(camp.mails(&player("red")).len(), first, "nothing goes to the marked address");
    assert!(camp.mails(SECOND).len() > second);
    let entries = journal(&mut host);
    replay(&desk(), &entries, &camp.secrets());
    mails_fit(&camp, &entries);
}

#[test]
fn a_mail_goes_to_a_second_address_once_whatever_comes_back_from_there() {
    let (camp, mut host) = camp();
    let dispatch = camp.newest("red", "dispatch");
    camp.post(bounce(&dispatch, &player("red")));
    settle(&mut host);
    let sent = (camp.mails(SECOND).len(), camp.mails(&player("red")).len());
    camp.post(bounce(&dispatch, SECOND));
    settle(&mut host);
    assert_eq!((camp.mails(SECOND).len(), camp.mails(&player("red")).len()), sent);
    assert_eq!((told_gm(&camp).len(), marks(&mut host)), (2, (2, 0)));
    assert!(told_gm(&camp)[1].contains("can't be reached"), "{:?}", told_gm(&camp));
    // Its mails go to the first address all the same.
    run_turn(&camp, &mut host);
    assert!(camp.mails(&player("red")).len() > sent.1);
}

#[test]
fn a_mail_goes_on_from_address_to_address_until_one_takes_it_and_never_back() {
    for status in ["5.1.1", "5.2.2"] {
        let (camp, mut host) = camp();
        add_address(&camp, &mut host, THIRD);
        let dispatch = camp.newest("red", "dispatch");
        let copies = |address: &str| {
            camp.mails(address).iter().filter(|mail| mail.message_id == dispatch.message_id).count()
        };
        let everywhere = || [copies(&player("red")), copies(SECOND), copies(THIRD)];
        camp.post(report_on(&dispatch, &player("red"), "failed", status));
        settle(&mut host);
        assert_eq!(everywhere(), [1, 1, 0], "{status}");
        camp.post(report_on(&dispatch, SECOND, "failed", status));
        settle(&mut host);
        assert_eq!(everywhere(), [1, 1, 1], "{status}");
        // What is said again of the first two, and of the last, sends nothing.
        for address in [&player("red"), SECOND, THIRD] {
            camp.post(format!("X-Try: 2\r\n{}", report_on(&dispatch, address, "failed", status)));
            settle(&mut host);
        }
        assert_eq!((everywhere(), marks(&mut host).0), ([1, 1, 1], 3), "{status}");
    }
}

#[test]
fn a_gm_who_cannot_be_reached_is_told_of_to_the_operator_and_in_health() {
    const LEADS: &str = "Leads@gm.example";
    let camp = Camp::new();
    let mut host = camp.open();
    let new = NewGame { gm: vec![LEADS.to_owned()], ..toy_game(&[], "24h", Terms::default()) };
    host.execute(Request::found(new)).unwrap();
    settle(&mut host);
    let unreached = |host: &mut Host| match host.execute(Request::Vitals).unwrap() {
        Reply::Vitals(vitals) => vitals.gms_unreached,
        other => panic!("{other:?}"),
    };
    assert!(unreached(&mut host).is_empty());
    let (operator, welcome) = (camp.mails(GM).len(), camp.mails(&LEADS.to_lowercase()).pop().unwrap());
    for n in 1..=2 {
        camp.post(format!("X-Try: {n}\r\n{}", bounce(&welcome, LEADS)));
        settle(&mut host);
    }
    let told = camp.mails(GM).pop().unwrap();
    assert_eq!((camp.mails(GM).len(), told.reply_to.len()), (operator + 1, 0), "and no secret of the game's");
    assert!(told.body.unwrap().text.contains(LEADS));
    assert_eq!(unreached(&mut host), ["alpha"]);
    drop(host);
    let mut host = camp.open();
    assert_eq!(unreached(&mut host), ["alpha"], "as the ledger has it");
    // He is given another address, and all is well: what still comes back from the old one is nobody's affair.
    for text in ["ADDRESS ADD moved@gm.example", &format!("ADDRESS DROP {LEADS}")] {
        let (game, text) = (game(), text.to_owned());
        host.execute(Request::Gm { game, text, yes: true }).unwrap();
        settle(&mut host);
    }
    assert_eq!(unreached(&mut host), [""; 0]);
    let last = camp.mails(&LEADS.to_lowercase()).pop().unwrap();
    assert_ne!(last.message_id, welcome.message_id);
    let operator = camp.mails(GM).len();
    camp.wait(3 * HOUR);
    camp.post(bounce(&last, LEADS));
    settle(&mut host);
    drop(host);
    let mut host = camp.open();
    assert_eq!((camp.mails(GM).len(), unreached(&mut host)), (operator, Vec::new()));
    // The old one is mended and added again, in small letters: the first mail that arrives there shows it.
    let (game, text) = (game(), format!("ADDRESS ADD {}", LEADS.to_lowercase()));
    host.execute(Request::Gm { game, text, yes: true }).unwrap();
    settle(&mut host);
    assert_eq!(unreached(&mut host), [""; 0]);
}

#[test]
fn the_log_says_from_which_address_a_mail_came_back() {
    let (camp, mut host) = camp();
    let (dispatch, welcome) = (camp.newest("red", "dispatch"), camp.mails(GM).pop().unwrap());
    camp.post(bounce(&dispatch, &player("red")));
    camp.post(bounce(&welcome, GM));
    let log = log_of(|| settle(&mut host));
    for address in [&player("red"), GM] {
        let told = |line: &str| line.contains("a mail did not arrive") && line.contains(address);
        assert_eq!(log.lines().filter(|line| told(line)).count(), 1, "{address}: {log}");
    }
}

#[test]
fn the_gm_hears_of_an_address_once_and_of_a_mail_that_was_never_sent_not_at_all() {
    let (camp, mut host) = camp();
    let (dispatch, invitation) = (camp.newest("red", "dispatch"), camp.newest("red", "invitation"));
    // In one commit, and later, in a mail of its own and after the host was opened again.
    camp.post(bounce(&dispatch, &player("red")));
    camp.post(format!("X-Try: 2\r\n{}", bounce(&dispatch, &player("red"))));
    settle(&mut host);
    drop(host);
    let mut host = camp.open();
    camp.wait(HOUR);
    camp.post(format!("X-Try: 3\r\n{}", bounce(&dispatch, &player("red"))));
    camp.post(bounce(&invitation, &player("red")));
    let mut never = dispatch.clone();
    never.message_id = dispatch.message_id.map(|id| id.replace(".2.red.", ".7.red."));
    camp.post(bounce(&never, &player("red")));
    settle(&mut host);
    assert_eq!((told_gm(&camp).len(), marks(&mut host)), (1, (1, 0)));
}

#[test]
fn a_report_that_does_not_return_our_mail_marks_nothing() {
    let (camp, mut host) = camp();
    let dispatch = camp.newest("red", "dispatch");
    let before = (camp.mails(SECOND).len(), camp.mails(GM).len());
    let secret = |text: &str| vec![format!("host+alpha.red.{text}@example.org")];
    for reply_to in [Vec::new(), secret("0123456789abcdef"), camp.newest("blue", "dispatch").reply_to] {
        let forged = Letter { reply_to, ..dispatch.clone() };
        camp.post(bounce(&forged, &player("red")));
        settle(&mut host);
    }
    assert_eq!(marks(&mut host), (0, 0));
    assert_eq!(camp.mails(SECOND).len(), before.0);
    assert_eq!(status(&mut host, "red").failed, 0);
    assert_eq!(camp.mails(GM).len(), before.1 + 1, "the GM is told once a day");
    camp.post(bounce(&dispatch, &player("red")));
    settle(&mut host);
    assert_eq!(marks(&mut host), (1, 0), "the true one counts after all");
}

#[test]
fn a_report_that_returns_nothing_is_told_of_once_a_day_where_its_recipient_plays() {
    let nameless = |n: u32, to: &str, answers: &str| {
        format!(
            "Return-Path: <>\r\nFrom: MAILER-DAEMON@relay.example\r\nTo: {HOST}\r\nSubject: Undelivered Mail\r\n\
             Message-ID: <nameless-{n}@relay.example>\r\n{answers}MIME-Version: 1.0\r\n\
             Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n\
             --b\r\nContent-Type: text/plain\r\n\r\nNot delivered.\r\n\
             --b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; relay.example\r\n\r\n\
             Final-Recipient: rfc822; {to}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n"
        )
    };
    let (camp, mut host) = camp();
    let before = camp.mails(GM).len();
    camp.post(nameless(1, "nobody@players.example", ""));
    settle(&mut host);
    assert_eq!(camp.mails(GM).len(), before, "no player of any game");
    camp.post(nameless(2, &player("red"), ""));
    camp.post(nameless(3, &player("red"), ""));
    settle(&mut host);
    let told = camp.mails(GM).pop().unwrap().body.unwrap().text;
    assert!(camp.mails(GM).len() == before + 1 && told.contains(&player("red")), "{told}");
    camp.wait(24 * HOUR);
    settle(&mut host);
    let before = camp.mails(GM).len();
    let answers = format!("In-Reply-To: <{}>\r\n", camp.newest("red", "dispatch").message_id.unwrap());
    camp.post(nameless(4, &player("red"), &answers));
    settle(&mut host);
    assert_eq!(
        (camp.mails(GM).len(), marks(&mut host)),
        (before + 1, (0, 0)),
        "it names a mail and proves nothing"
    );
}

#[test]
fn the_log_that_all_may_read_names_no_address() {
    let (camp, mut host) = camp();
    camp.post(bounce(&camp.newest("red", "dispatch"), &player("red")));
    settle(&mut host);
    let entries = journal(&mut host);
    let lines: Vec<String> =
        entries.iter().flat_map(|e| e.cause.log_entries()).map(|line| format!("{line:?}")).collect();
    assert!(lines.iter().any(|line| line.contains("a mail to red did not arrive")), "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains('@')), "{lines:?}");
}

#[test]
fn an_address_that_a_mail_comes_from_is_written_to_again() {
    let (camp, mut host) = camp();
    let dispatch = camp.newest("red", "dispatch");
    camp.post(bounce(&dispatch, &player("red")));
    settle(&mut host);
    let receipts = camp.count("red", "receipt");
    // Anybody can write the sender; the wrong secret heals nothing.
    let wrong = "host+alpha.red.0123456789abcdef@example.org";
    camp.post(
        Mail { from: &player("red"), to: wrong, id: "w", in_reply_to: None, text: &block("BID 1") }.raw(),
    );
    settle(&mut host);
    assert_eq!(marks(&mut host), (1, 0));
    camp.post(camp.answer("red", "dispatch", "bid", &block("BID 1")));
    settle(&mut host);
    assert_eq!((marks(&mut host), camp.count("red", "receipt")), ((1, 1), receipts + 1));
    let dispatches = camp.count("red", "dispatch");
    run_turn(&camp, &mut host);
    assert_eq!(camp.count("red", "dispatch"), dispatches + 1);
}

#[test]
fn a_player_can_say_that_an_address_is_good_again() {
    let (camp, mut host) = camp();
    let dispatch = camp.newest("red", "dispatch");
    camp.post(bounce(&dispatch, &player("red")));
    settle(&mut host);
    let text = "ADDRESS ADD red@players.example\r\nSTATUS\r\n";
    camp.post(Mail { from: SECOND, to: &dispatch.reply_to[0], id: "good", in_reply_to: None, text }.raw());
    settle(&mut host);
    assert_eq!(marks(&mut host), (1, 1));
    let answer = camp.mails(SECOND).pop().unwrap().body.unwrap().text;
    assert!(answer.contains("It is tried again") && !answer.contains("comes back"), "{answer}");
}

#[test]
fn a_mail_that_is_only_late_has_not_come_back_however_often_that_is_said() {
    let (camp, mut host) = camp();
    let before = camp.mails(SECOND).len();
    for turn in 1..=4 {
        camp.post(report_on(&camp.newest("red", "dispatch"), &player("red"), "delayed", "4.2.2"));
        settle(&mut host);
        run_turn(&camp, &mut host);
        camp.post(camp.answer("umpire", "dispatch", &format!("u{turn}"), &block("UPHOLD\r\nREADY")));
        settle(&mut host);
    }
    assert_eq!((marks(&mut host), told_gm(&camp).len()), ((0, 0), 0));
    assert_eq!(camp.mails(SECOND).len(), before, "it is on its way");
}

#[test]
fn what_may_mend_marks_an_address_only_when_it_lasts() {
    let (camp, mut host) = camp();
    for (turn, failed) in [(1, false), (2, false), (3, true)] {
        camp.post(report_on(&camp.newest("red", "dispatch"), &player("red"), "failed", "4.2.2"));
        settle(&mut host);
        assert_eq!(told_gm(&camp).len(), usize::from(failed), "report {turn}");
        if !failed {
            run_turn(&camp, &mut host);
            camp.post(camp.answer("umpire", "dispatch", &format!("u{turn}"), &block("UPHOLD\r\nREADY")));
            settle(&mut host);
        }
    }
    assert_eq!(marks(&mut host).0, 3);
}

#[test]
fn a_full_mailbox_sends_the_mail_on_and_marks_nothing_yet() {
    let (camp, mut host) = camp();
    let before = camp.mails(SECOND).len();
    camp.post(report_on(&camp.newest("red", "dispatch"), &player("red"), "failed", "5.2.2"));
    settle(&mut host);
    assert_eq!((camp.mails(SECOND).len(), told_gm(&camp).len()), (before + 1, 0));
    assert!(!status(&mut host, "red").player.contains("comes back"));
}

/// A relay that knows no mailbox of red's first address.
struct NoSuchUser(Box<dyn Relay>);

impl Relay for NoSuchUser {
    fn send(&self, from: &str, to: &[String], raw: &[u8]) -> Vec<(String, Outcome)> {
        if to == [player("red")] {
            return vec![(to[0].clone(), Outcome::Refused("550 5.1.1 no such user".to_owned()))];
        }
        self.0.send(from, to, raw)
    }
}

#[test]
fn a_notice_of_absence_that_returns_our_mail_marks_nothing() {
    let (camp, mut host) = camp();
    let dispatch = camp.newest("red", "dispatch");
    let notice = report_on(&dispatch, &player("red"), "failed", "5.1.1");
    // No report by its form: only what it returns could tell.
    let notice = notice.replace("multipart/report; report-type=delivery-status", "multipart/mixed");
    let (head, rest) = notice.split_once("--b\r\nContent-Type: message/delivery-status").unwrap();
    let returned = rest.split_once("--b\r\n").unwrap().1;
    let from_its_reader = head
        .replace("From: MAILER-DAEMON@relay.example", &format!("From: {}", player("red")))
        .replace("Subject: Undelivered Mail", "Subject: Jsem na dovolen\u{e9}")
        .replace("Not delivered.", "Vr\u{e1}t\u{ed}m se v pond\u{11b}l\u{ed}.");
    let returned = returned.replacen("Message-ID:", &format!("To: {}\r\nMessage-ID:", player("red")), 1);
    camp.post(format!("{from_its_reader}--b\r\n{returned}"));
    settle(&mut host);
    assert_eq!(marks(&mut host), (0, 0));
    // The same from a server's address is a report.
    let from_a_server = from_its_reader
        .replace(&format!("From: {}", player("red")), "From: admin@relay.example")
        .replace("Message-ID: <5.1.1-", "Message-ID: <again-");
    camp.post(format!("{from_a_server}--b\r\n{returned}"));
    settle(&mut host);
    assert_eq!(marks(&mut host), (1, 0));
}

#[test]
fn what_the_relay_refuses_counts_like_a_mail_that_came_back() {
    let (camp, mut host) = camp();
    let (mut sources, relay) = local_mail(&host);
    let second = camp.mails(SECOND).len();
    camp.wait(25 * HOUR);
    serve::settle(&mut host, &mut sources, &NoSuchUser(relay)).unwrap();
    assert_eq!((marks(&mut host), told_gm(&camp).len()), ((1, 0), 1));
    let ids: Vec<_> =
        camp.mails(SECOND)[second..].iter().map(|mail| mail.message_id.clone().unwrap()).collect();
    assert!(ids.iter().any(|id| id.contains(".dispatch.")), "{ids:?}");
}

/// A relay that says this of every mail to whom it is asked about, and takes all others.
pub(crate) struct Says<F>(pub(crate) F, pub(crate) Box<dyn Relay>);

impl<F: Fn(&str) -> Option<Outcome> + Send + Sync> Relay for Says<F> {
    fn send(&self, from: &str, to: &[String], raw: &[u8]) -> Vec<(String, Outcome)> {
        match (self.0)(&to[0]) {
            Some(outcome) => vec![(to[0].clone(), outcome)],
            None => self.1.send(from, to, raw),
        }
    }
}

/// The ids of the dispatches that came to an address, each as often as it came.
pub(crate) fn dispatches(camp: &Camp, address: &str) -> Vec<String> {
    let ids = camp.mails(address).into_iter().filter_map(|mail| mail.message_id);
    ids.filter(|id| id.contains(".dispatch.")).collect()
}

/// Lets so many hours pass, a few at a time.
pub(crate) fn hours(camp: &Camp, host: &mut Host, relay: &dyn Relay, hours: i64) {
    let (mut sources, _) = local_mail(host);
    for _ in 0..hours / 4 {
        camp.wait(4 * HOUR);
        serve::settle(host, &mut sources, relay).unwrap();
    }
}

#[test]
fn what_the_relay_puts_off_for_days_goes_to_the_second_address() {
    let later = |to: &str| {
        let reply = "450 4.1.2 Recipient address rejected: Domain not found";
        (to == player("red")).then(|| Outcome::Deferred(reply.to_owned()))
    };
    let (camp, mut host) = camp();
    let relay = Says(later, local_mail(&host).1);
    let second = dispatches(&camp, SECOND).len();
    // A turn runs after a day, and its dispatch is put off for three.
    hours(&camp, &mut host, &relay, 4 * 24);
    assert_eq!((marks(&mut host), told_gm(&camp).len()), ((0, 0), 0), "it may mend");
    assert_eq!(dispatches(&camp, SECOND).len(), second);
    hours(&camp, &mut host, &relay, 2 * 24);
    assert_eq!(told_gm(&camp).len(), 1, "{:?}", told_gm(&camp));
    assert!(dispatches(&camp, SECOND).len() > second);
    assert!(status(&mut host, "red").player.contains("comes back"));
    // What comes later goes there at once.
    let before = dispatches(&camp, SECOND).len();
    camp.post(camp.answer("umpire", "dispatch", "u", &block("UPHOLD\r\nREADY")));
    hours(&camp, &mut host, &relay, 30);
    assert!(dispatches(&camp, SECOND).len() > before);
}

#[test]
fn a_mailbox_that_the_relay_finds_full_is_passed_by_at_once_and_marks_nothing() {
    let full: [fn(String) -> Outcome; 2] = [Outcome::Refused, Outcome::Deferred];
    for (says, reply) in full.into_iter().zip(["552 5.2.2 Mailbox full", "452 4.2.2 Over quota"]) {
        let (camp, mut host) = camp();
        let full = |to: &str| (to == player("red")).then(|| says(reply.to_owned()));
        let relay = Says(full, local_mail(&host).1);
        let (first, second) = (dispatches(&camp, &player("red")).len(), dispatches(&camp, SECOND).len());
        hours(&camp, &mut host, &relay, 35);
        assert_eq!(dispatches(&camp, SECOND).len(), second + 1, "{reply}: once, however often it is tried");
        assert_eq!((marks(&mut host), told_gm(&camp).len()), ((0, 0), 0), "{reply}");
        // What waits arrives once there is room.
        let relay = local_mail(&host).1;
        hours(&camp, &mut host, &*relay, 10);
        assert_eq!(dispatches(&camp, &player("red")).len(), first + 1, "{reply}");
        assert_eq!(dispatches(&camp, SECOND).len(), second + 1, "{reply}");
    }
}

#[test]
fn days_without_a_connection_are_no_days_of_a_refusal() {
    let down: [fn(String) -> Outcome; 2] = [Outcome::Unreached, Outcome::Deferred];
    for down in down {
        let down = |_: &str| Some(down("no route".to_owned()));
        let grey = |_: &str| Some(Outcome::Deferred("450 4.2.0 greylisted".to_owned()));
        let (camp, mut host) = camp();
        let (first, second) = (dispatches(&camp, &player("red")).len(), dispatches(&camp, SECOND).len());
        let (down, grey) = (Says(down, local_mail(&host).1), Says(grey, local_mail(&host).1));
        hours(&camp, &mut host, &down, 6 * 24);
        hours(&camp, &mut host, &grey, 10);
        assert_eq!(marks(&mut host), (0, 0));
        let relay = local_mail(&host).1;
        hours(&camp, &mut host, &*relay, 10);
        assert!(dispatches(&camp, &player("red")).len() > first);
        assert_eq!(dispatches(&camp, SECOND).len(), second);
    }
}

#[test]
fn a_passing_rule_of_the_relays_loses_no_mail_and_is_told_of() {
    let refuses = |host: &mut Host| {
        let Reply::Vitals(vitals) = host.execute(Request::Vitals).unwrap() else { panic!() };
        (
            vitals.relay.refuses.clone(),
            vitals.ailments(HOUR).iter().any(|ill| ill.text.contains("refuses mail")),
        )
    };
    for reply in ["554 5.7.1 Relay access denied", "550 5.4.5 Daily user sending limit exceeded"] {
        let (camp, mut host) = camp();
        let before = dispatches(&camp, &player("red"));
        let refused = Says(|_: &str| Some(Outcome::Refused(reply.to_owned())), local_mail(&host).1);
        hours(&camp, &mut host, &refused, 30);
        assert_eq!(
            (marks(&mut host), dispatches(&camp, &player("red"))),
            ((0, 0), before.clone()),
            "{reply}"
        );
        let status = reply.split(' ').nth(1).map(str::to_owned);
        assert_eq!(refuses(&mut host), (status, true));
        let relay = local_mail(&host).1;
        hours(&camp, &mut host, &*relay, 10);
        assert!(dispatches(&camp, &player("red")).len() > before.len(), "{reply}");
        assert_eq!(refuses(&mut host), (None, false));
    }
}

/// A relay that delivers, and breaks off before it says so: how often it was given each mail.
#[derive(Default)]
struct NeverSays(Mutex<BTreeMap<Vec<u8>, usize>>);

impl Relay for NeverSays {
    fn send(&self, _: &str, to: &[String], raw: &[u8]) -> Vec<(String, Outcome)> {
        *self.0.lock().unwrap().entry([to[0].as_bytes(), raw].concat()).or_default() += 1;
        vec![(to[0].clone(), Outcome::Unclear("the connection was lost".to_owned()))]
    }
}

#[test]
fn a_relay_that_never_says_whether_it_takes_a_mail_gets_it_three_times() {
    let (camp, mut host) = camp();
    let relay = NeverSays::default();
    hours(&camp, &mut host, &relay, 5 * 24);
    let copies: Vec<usize> = relay.0.lock().unwrap().values().copied().collect();
    assert!(copies.contains(&3) && copies.iter().all(|&copies| copies <= 3), "{copies:?}");
    assert_eq!(marks(&mut host), (0, 0));
}

#[test]
fn a_refusal_and_what_it_says_of_the_address_are_one_commit() {
    for n in 1.. {
        let (camp, mut host) = camp();
        let down = Says(|_: &str| Some(Outcome::Unreached("no route".to_owned())), local_mail(&host).1);
        camp.wait(25 * HOUR);
        let (mut sources, _) = local_mail(&host);
        serve::settle(&mut host, &mut sources, &down).unwrap();
        camp.wait(HOUR);
        let relay = NoSuchUser(local_mail(&host).1);
        let armed = fault::arm(Plan::crash_at(n).only("store."));
        let sent = host.send_due(&relay);
        drop(armed);
        drop(host);
        let mut host = camp.open();
        camp.wait(HOUR);
        serve::settle(&mut host, &mut sources, &relay).unwrap();
        assert_eq!((marks(&mut host).0, told_gm(&camp).len()), (1, 1), "killed at {n}");
        assert!(!dispatches(&camp, SECOND).is_empty(), "killed at {n}");
        if sent.is_ok() {
            assert!(n > 2, "there is something to be killed in");
            return;
        }
    }
}

#[test]
fn a_seat_that_no_mail_reaches_is_missing_like_any_other() {
    for missing in [Missing::Standing, Missing::Hold] {
        let camp = Camp::new();
        let mut host = camp.open();
        founded_on(&camp, &mut host, Terms { missing: missing.clone(), ..Terms::default() });
        camp.post(bounce(&camp.newest("red", "dispatch"), &player("red")));
        settle(&mut host);
        let told = told_gm(&camp).pop().unwrap();
        let (then, ran) = match missing {
            Missing::Standing => ("the turn runs without them", true),
            _ => ("the turn is held back", false),
        };
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains("can't be reached") && told.contains(then), "{told}");
        camp.post(camp.answer("blue", "dispatch", "b", &block("BID 1\r\nREADY")));
        run_turn(&camp, &mut host);
        let t =
            |entry: &musterd::engine::journal::Entry| matches!(entry.cause, Cause::Adjudicated { t: 2, .. });
        assert_eq!(journal(&mut host).iter().any(t), ran);
    }
}

#[test]
fn answers_go_where_the_mail_came_from_and_the_rest_to_the_first_address() {
    let (camp, mut host) = camp();
    let to = camp.newest("red", "dispatch").reply_to[0].clone();
    let (first, second) = (camp.mails(&player("red")).len(), camp.mails(SECOND).len());
    let text = format!("STATUS\r\nPRESS TO BLUE\r\nHello.\r\nEND PRESS\r\n{}", block("BID 2"));
    camp.post(Mail { from: SECOND, to: &to, id: "from-second", in_reply_to: None, text: &text }.raw());
    camp.wait(1);
    camp.post(Mail { from: SECOND, to: &to, id: "nothing", in_reply_to: None, text: "Well done!" }.raw());
    settle(&mut host);
    assert_eq!(camp.mails(SECOND).len(), second + 4, "answer, receipt, word of the letter, refusal");
    assert_eq!(camp.mails(&player("red")).len(), first);
    // A sender that only claims to be red is told of where red reads.
    let wrong = "host+alpha.red.0123456789abcdef@example.org";
    camp.post(Mail { from: SECOND, to: wrong, id: "wrong", in_reply_to: None, text: &block("BID 1") }.raw());
    settle(&mut host);
    assert_eq!((camp.mails(SECOND).len(), camp.mails(&player("red")).len()), (second + 4, first + 1));
}
