//! Bad input: each gets a clear answer, and nothing is lost or stopped.

use musterd::daemon::{Host, Reply, Request, serve};
use musterd::engine::journal::{Cause, Verdict};
use musterd::fault::{self, Plan};
use musterd::letter::Letter;
use musterd::post::{Drained, Keep, Outcome, PostError, Relay, Source};

use super::replay::replay;
use super::support::*;
use super::toy::seat;

const STRANGER: &str = "mallory@elsewhere.example";

/// A founded game of three people, with everything sent.
fn camp() -> (Camp, Host) {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    (camp, host)
}

/// The verdicts on mails after the three JOINs.
fn judged(host: &mut Host) -> Vec<String> {
    settle(host);
    verdicts(host).split_off(3)
}

/// The answers to refused mails that a seat's player got.
fn refusals(camp: &Camp, seat: &str) -> usize {
    camp.count(seat, "refusal")
}

/// Proof that the host is alive: red's orders are taken, and the turn runs to its end.
fn still_plays(camp: &Camp, host: &mut Host) {
    let accepted = |host: &mut Host| verdicts(host).iter().filter(|v| *v == "accepted").count();
    let before = accepted(host);
    camp.post(camp.answer("red", "dispatch", "alive", &block("BID 1")));
    settle(host);
    assert_eq!(accepted(host), before + 1, "{:?}", verdicts(host));
    camp.wait(25 * HOUR);
    settle(host);
    replay(&desk(), &journal(host), &camp.secrets());
}

fn from_stranger(to: &str, id: &str) -> String {
    Mail { from: STRANGER, to, id, in_reply_to: None, text: "How do I join?" }.raw()
}

#[test]
fn a_stranger_is_helped_once_a_day() {
    let (camp, mut host) = camp();
    let answers = |camp: &Camp| camp.mails(STRANGER).len();
    for id in ["one", "two"] {
        camp.post(from_stranger(HOST, id));
        settle(&mut host);
        assert_eq!(answers(&camp), 1, "after mail {id}");
    }
    camp.wait(12 * HOUR);
    camp.post(from_stranger(HOST, "three"));
    settle(&mut host);
    assert_eq!(answers(&camp), 2, "the next day");
    assert!(judged(&mut host).is_empty(), "no game heard of it");
    still_plays(&camp, &mut host);
}

#[test]
fn a_player_whose_mail_names_no_seat_is_told_each_time() {
    let (camp, mut host) = camp();
    let red = &player("red");
    let orders = |id: &str| Mail { from: red, to: HOST, id, in_reply_to: None, text: &block("BID 5") }.raw();
    let notes = |camp: &Camp| {
        let mails = camp.mails(red);
        mails
            .into_iter()
            .filter(|mail| mail.subject == "not accepted: the mail names no seat")
            .collect::<Vec<_>>()
    };
    for (id, expected) in [("one", 1), ("two", 2), ("two", 2), ("three", 3)] {
        camp.post(orders(id));
        settle(&mut host);
        assert_eq!(notes(&camp).len(), expected, "after mail {id}");
    }
    assert!(notes(&camp).iter().all(|note| note.body.as_ref().unwrap().text.contains("they were NOT")));
    (0..20).for_each(|n| camp.post(orders(&format!("more-{n}"))));
    settle(&mut host);
    assert_eq!(notes(&camp).len(), 10, "whoever feigns his address floods nobody");
    assert!(judged(&mut host).is_empty(), "no game heard of it");
    still_plays(&camp, &mut host);
}

#[test]
fn sub_addresses_of_one_mailbox_are_one_stranger() {
    let (camp, mut host) = camp();
    let outgoing = |camp: &Camp| std::fs::read_dir(camp.path().join("mail")).unwrap().count();
    let before = outgoing(&camp);
    for n in 0..4 {
        let from = format!("S1+{n}@strangers.example");
        let (id, text) = (format!("s{n}"), if n % 2 == 0 { "How do I join?" } else { "STATUS" });
        camp.post(Mail { from: &from, to: HOST, id: &id, in_reply_to: None, text }.raw());
    }
    settle(&mut host);
    assert_eq!(outgoing(&camp), before + 1, "one of four is answered");
}

#[test]
fn a_game_that_is_not_here_is_said_to_be_unknown() {
    let (camp, mut host) = camp();
    camp.post(from_stranger("host+nogame.red.0123456789abcdef@example.org", "one"));
    settle(&mut host);
    let answer: Letter = camp.mails(STRANGER).pop().unwrap();
    assert_eq!(answer.subject, "not accepted: no such game");
    assert_eq!(answer.in_reply_to.as_deref(), Some("one@players.example"));
    still_plays(&camp, &mut host);
}

#[test]
fn senders_that_no_mail_can_reach_stop_nothing() {
    let (camp, mut host) = camp();
    for (n, from) in ["", "a@b@c.example", "é@b.example", "x@-", "\"q q\"@h", "<>@", "@"].iter().enumerate()
    {
        camp.post(format!("From: {from}\r\nTo: {HOST}\r\nMessage-ID: <odd{n}@x>\r\n\r\nHello\r\n"));
    }
    settle(&mut host);
    still_plays(&camp, &mut host);
}

#[test]
fn orders_without_the_secret_or_from_another_address_change_nothing() {
    let (camp, mut host) = camp();
    let red = player("red");
    let reply_to = camp.newest("red", "dispatch").reply_to[0].clone();
    let text = &block("BID 5");
    let gm = camp.mails(GM).len();
    let wrong_secret = "host+alpha.red.0123456789abcdef@example.org";
    camp.post(Mail { from: &red, to: wrong_secret, id: "w1", in_reply_to: None, text }.raw());
    camp.wait(1);
    camp.post(Mail { from: STRANGER, to: &reply_to, id: "w2", in_reply_to: None, text }.raw());
    camp.wait(1);
    camp.post(Mail { from: &red, to: "host+alpha@example.org", id: "w3", in_reply_to: None, text }.raw());
    assert_eq!(judged(&mut host), ["wrong-secret", "wrong-sender", "no-secret"]);
    assert_eq!(refusals(&camp, "red"), 3, "the seat's registered address is told");
    assert_eq!(camp.mails(STRANGER).len(), 0, "and nobody else");
    assert_eq!(camp.mails(GM).len(), gm + 3, "the GM sees it");
    still_plays(&camp, &mut host);
}

#[test]
fn what_strangers_send_in_a_players_name_keeps_no_refusal_of_his_own_from_him() {
    let (camp, mut host) = camp();
    for n in 0..25 {
        let from = format!("spy-{n}@strangers.example");
        let to = "host+alpha.red.0123456789abcdef@example.org";
        camp.post(Mail { from: &from, to, id: &format!("w{n}"), in_reply_to: None, text: "x" }.raw());
    }
    settle(&mut host);
    let before = refusals(&camp, "red");
    assert!(before <= 20, "{before}");
    camp.post(camp.answer("red", "dispatch", "own", "I bid five!"));
    settle(&mut host);
    assert_eq!(refusals(&camp, "red"), before + 1);
}

#[test]
fn who_has_the_secret_is_answered_however_much_strangers_sent() {
    let (camp, mut host) = camp();
    let reply_to = camp.newest("red", "dispatch").reply_to[0].clone();
    for n in 0..102 {
        let from = format!("spy-{n}@strangers.example");
        let to = "host+alpha.red.0123456789abcdef@example.org";
        camp.post(Mail { from: &from, to, id: &format!("w{n}"), in_reply_to: None, text: "x" }.raw());
    }
    settle(&mut host);
    let (before, gm) = (refusals(&camp, "red"), camp.mails(GM).len());
    let text = &block("BID 5");
    camp.post(Mail { from: "red@phone.example", to: &reply_to, id: "phone", in_reply_to: None, text }.raw());
    let words = judged(&mut host);
    assert_eq!((words.len(), words.last().map(String::as_str)), (101, Some("wrong-sender")));
    assert_eq!((refusals(&camp, "red"), camp.mails(GM).len()), (before + 1, gm + 1));
    still_plays(&camp, &mut host);
}

#[test]
fn a_guess_does_not_hide_that_the_same_stranger_has_the_secret() {
    let (camp, mut host) = camp();
    let reply_to = camp.newest("red", "dispatch").reply_to[0].clone();
    let text = &block("BID 5");
    for (id, to) in [("guess", "host+alpha.red.0123456789abcdef@example.org"), ("knows", &reply_to)] {
        camp.post(Mail { from: STRANGER, to, id, in_reply_to: None, text }.raw());
        camp.wait(1);
    }
    assert_eq!(judged(&mut host), ["wrong-secret", "wrong-sender"]);
    let said = |mails: Vec<Letter>, word: &str| {
        let texts = mails.into_iter().filter_map(|mail| mail.body.ok()).map(|body| body.text);
        texts.filter(|text| text.split_whitespace().collect::<Vec<_>>().join(" ").contains(word)).count()
    };
    assert_eq!(
        said(camp.mails(GM), "somebody else knows the secret: SECRET red gives the seat a new one"),
        1
    );
    assert_eq!((refusals(&camp, "red"), said(camp.mails(&player("red")), "with NEW SECRET")), (2, 1));
    still_plays(&camp, &mut host);
}

#[test]
fn a_stranger_who_names_a_game_floods_nobody() {
    let (camp, mut host) = camp();
    let gm = camp.mails(GM).len();
    for id in ["one", "two", "three"] {
        camp.post(from_stranger("host+alpha.red.0123456789abcdef@example.org", id));
    }
    assert_eq!(judged(&mut host), ["wrong-secret"; 3], "the journal has them all");
    assert_eq!((refusals(&camp, "red"), camp.mails(GM).len()), (1, gm + 1));
    still_plays(&camp, &mut host);
}

#[test]
fn mails_to_a_seat_that_does_not_exist_flood_neither_player_nor_journal() {
    let (camp, mut host) = camp();
    let gm = camp.mails(GM).len();
    for n in 0..130 {
        let red = player("red");
        let from = if n % 2 == 0 { red.as_str() } else { STRANGER };
        let to = "host+alpha.nosuch@example.org";
        camp.post(Mail { from, to, id: &format!("n{n}"), in_reply_to: None, text: "x" }.raw());
    }
    assert_eq!(judged(&mut host), ["unknown-seat"; 100], "`unproved_a_day`");
    assert_eq!((refusals(&camp, "red"), camp.mails(GM).len()), (5, gm));
    camp.post(camp.answer("red", "dispatch", "own", "I bid five!"));
    settle(&mut host);
    assert_eq!(refusals(&camp, "red"), 6, "his own mail is answered");
    still_plays(&camp, &mut host);
}

#[test]
fn of_several_sets_in_one_second_the_last_in_the_mailbox_counts() {
    let (camp, mut host) = camp();
    for bid in [1, 2, 3, 4, 5, 6] {
        camp.post(camp.answer("red", "dispatch", &format!("at-once-{bid}"), &block(&format!("BID {bid}"))));
    }
    settle(&mut host);
    let last = received(&mut host).pop().unwrap();
    assert!(
        matches!(&last.verdict, Verdict::Accepted { block, .. } if block.as_str() == "BID 6\n"),
        "{last:?}"
    );
}

#[test]
fn late_orders_are_refused_and_never_carried_over() {
    let (camp, mut host) = camp();
    camp.wait(24 * HOUR + 1);
    camp.post(camp.answer("red", "dispatch", "late", &block("BID 5")));
    assert_eq!(judged(&mut host), ["late"]);
    assert_eq!(refusals(&camp, "red"), 1);
    let bids = journal(&mut host).into_iter().find_map(|e| match e.cause {
        Cause::Adjudicated { t: 2, events, .. } => Some(events),
        _ => None,
    });
    assert_eq!(bids.unwrap()[0]["bid"]["coins"], 0, "the turn ran without them");
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn an_answer_to_an_old_turn_is_refused() {
    let (camp, mut host) = camp();
    let old = camp.answer("red", "dispatch", "old", &block("BID 5"));
    camp.wait(24 * HOUR);
    settle(&mut host);
    camp.post(camp.answer("umpire", "dispatch", "ruling", &block("UPHOLD\r\nREADY")));
    settle(&mut host);
    camp.post(old);
    assert_eq!(judged(&mut host), ["accepted", "other-turn"]);
    assert_eq!(refusals(&camp, "red"), 1);
    still_plays(&camp, &mut host);
}

/// The `seen:` line of a seat's newest order form.
fn seen_line(camp: &Camp, seat: &str) -> String {
    let text = camp.newest(seat, "dispatch").body.unwrap().text;
    text.lines().rfind(|line| line.starts_with("seen: ")).unwrap().to_owned()
}

#[test]
fn the_form_of_an_old_turn_in_a_mail_of_its_own_is_refused() {
    let (camp, mut host) = camp();
    let old = block(&format!("{}\r\nBID 5\r\nREADY", seen_line(&camp, "red")));
    camp.wait(24 * HOUR);
    settle(&mut host);
    camp.post(camp.answer("umpire", "dispatch", "ruling", &block("UPHOLD\r\nREADY")));
    settle(&mut host);
    let (red, to) = (&player("red"), &camp.newest("red", "dispatch").reply_to[0]);
    let fresh = |id: &str, text: &str| Mail { from: red, to, id, in_reply_to: None, text }.raw();
    camp.post(fresh("old-form", &old));
    assert_eq!(judged(&mut host), ["accepted", "other-turn"]);
    let refusal = camp.newest("red", "refusal").body.unwrap().text;
    assert!(refusal.contains("for t 2, but t 4 is open"), "{refusal}");
    let new = block(&format!("{}\r\nBID 2", seen_line(&camp, "red")));
    camp.post(fresh("new-form", &new));
    assert_eq!(judged(&mut host)[2..], ["accepted"]);
    let receipt = camp.newest("red", "receipt").body.unwrap().text;
    assert!(!receipt.contains("ERROR"), "{receipt}");
    still_plays(&camp, &mut host);
}

#[test]
fn a_form_of_an_old_turn_or_of_another_log_runs_nothing_by_its_ready() {
    let (camp, mut host) = camp();
    let old = seen_line(&camp, "red");
    camp.wait(24 * HOUR);
    settle(&mut host);
    camp.post(camp.answer("umpire", "dispatch", "ruling", &block("UPHOLD\r\nREADY")));
    settle(&mut host);
    camp.post(camp.answer("blue", "dispatch", "blue", &block("BID 1\r\nREADY")));
    settle(&mut host);
    let foreign = format!("seen: 3 {}", "0".repeat(64));
    for (id, seen, says) in [("old", &old, "This form is that of t 2"), ("foreign", &foreign, "no such line")]
    {
        camp.wait(1);
        camp.post(camp.answer("red", "dispatch", id, &block(&format!("{seen}\r\nBID 5\r\nREADY"))));
        assert_eq!(
            judged(&mut host).last().unwrap(),
            "accepted",
            "the answered mail says which turn is meant"
        );
        let receipt = camp.newest("red", "receipt").body.unwrap().text.replace('\n', " ");
        assert!(receipt.contains(says), "{receipt}");
        assert_eq!(
            camp.newest("red", "dispatch").message_id.map(|id| numbers_in(&id)[0]),
            Some(4),
            "nothing ran"
        );
    }
    still_plays(&camp, &mut host);
}

#[test]
fn mails_without_orders_and_orders_for_what_is_not_ones_own() {
    let (camp, mut host) = camp();
    camp.post(camp.answer("red", "dispatch", "empty", ""));
    camp.wait(1);
    camp.post(camp.answer("red", "dispatch", "thanks", "Thank you, a fine report!"));
    assert_eq!(judged(&mut host), ["unreadable", "no-orders"]);
    assert_eq!(refusals(&camp, "red"), 2);
    camp.post(camp.answer("blue", "dispatch", "theirs", &block("VOID\r\nBID 1")));
    assert_eq!(judged(&mut host)[2..], ["accepted"]);
    let check =
        |text: &str| Request::Check { game: game(), seat: "blue".parse().unwrap(), text: text.to_owned() };
    let Reply::Check { errors, .. } = host.execute(check("VOID\nBID 1\n")).unwrap() else { panic!() };
    assert_eq!(errors, 1, "the umpire's order is an error of blue's, and the rest stands");
    still_plays(&camp, &mut host);
}

#[test]
fn mails_too_large_or_too_long_are_refused_with_a_reason() {
    let (camp, mut host) = camp();
    let giant = camp.answer("red", "dispatch", "giant", &"BID 1\r\n".repeat(10_000_000 / 7));
    assert!(giant.len() > 9_999_000);
    camp.post(giant);
    camp.wait(1);
    camp.post(camp.answer("red", "dispatch", "long", &block(&"BID 1\r\n".repeat(20_000))));
    assert_eq!(judged(&mut host), ["too-large", "unreadable"]);
    assert_eq!(refusals(&camp, "red"), 2);
    camp.post(camp.answer("red", "dispatch", "many", &block(&"\u{2603} what is this\r\n".repeat(1_990))));
    assert_eq!(judged(&mut host)[2..], ["accepted"], "the longest answer still fits into a mail");
    assert_eq!(camp.count("red", "receipt"), 2);
    still_plays(&camp, &mut host);
}

#[test]
fn broken_mime_and_nul_bytes_stop_nothing() {
    let (camp, mut host) = camp();
    let reply_to = camp.newest("red", "dispatch").reply_to[0].clone();
    let head =
        |n: usize| format!("From: red@players.example\r\nTo: {reply_to}\r\nMessage-ID: <broken{n}@x>\r\n");
    for (n, rest) in [
        "Content-Type: multipart/mixed\r\n\r\n--b\r\n\r\nBID 1\r\n",
        "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!!",
        "Content-Type: text/plain; charset=no-such\r\nContent-Transfer-Encoding: no-such\r\n\r\nBID 1\r\n",
        "\r\nBID\0 1\r\n\0\0\0\r\n",
        "",
    ]
    .iter()
    .enumerate()
    {
        camp.post(format!("{}{rest}", head(n)));
    }
    camp.post(b"\0\xff\xfe\r\n\r\n\0");
    camp.post(b"");
    let judged = judged(&mut host);
    assert_eq!(judged.len(), 5, "each that names the seat has its verdict: {judged:?}");
    assert_eq!(refusals(&camp, "red") + camp.count("red", "receipt") - 1, 5, "and its answer: {judged:?}");
    still_plays(&camp, &mut host);
}

#[test]
fn two_copies_of_a_mail_have_one_effect_and_the_same_orders_anew_count_anew() {
    let (camp, mut host) = camp();
    let first = camp.answer("red", "dispatch", "a1", &block("BID 1"));
    camp.post(&first);
    camp.post(&first);
    camp.post(format!("Delivered-To: host@example.org\r\n{first}"));
    assert_eq!(judged(&mut host), ["accepted"]);
    camp.wait(60);
    camp.post(&first);
    assert_eq!(judged(&mut host), ["accepted"], "redelivered a minute later");
    assert_eq!(camp.count("red", "receipt"), 2, "one for JOIN, one for the orders");
    camp.post(camp.answer("red", "dispatch", "b", &block("BID 4")));
    settle(&mut host);
    camp.post(camp.answer("red", "dispatch", "a2", &block("BID 1")));
    assert_eq!(judged(&mut host), ["accepted"; 3]);
    camp.wait(24 * HOUR);
    settle(&mut host);
    let coins = journal(&mut host).into_iter().find_map(|e| match e.cause {
        Cause::Adjudicated { t: 2, events, .. } => Some(events[0]["bid"]["coins"].clone()),
        _ => None,
    });
    assert_eq!(coins.unwrap(), 1, "A, then B, then A again ends as A");
}

#[test]
fn orders_that_are_all_struck_out_change_nothing_and_the_refusal_names_them() {
    let (camp, mut host) = camp();
    camp.post(camp.answer("red", "dispatch", "bid", &block("BID 1")));
    camp.wait(1);
    camp.post(camp.answer("red", "dispatch", "struck", &block("~~BID 1~~")));
    assert_eq!(judged(&mut host), ["accepted", "no-orders"]);
    let refusal = camp.newest("red", "refusal").body.unwrap().text;

    let words = refusal.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("struck out in your mail: \"BID 1\"."), "{refusal}");
}

#[test]
fn two_copies_of_a_refused_mail_get_one_answer() {
    let (camp, mut host) = camp();
    let mail = camp.answer("red", "dispatch", "thanks", "Thank you!");
    camp.post(&mail);
    camp.post(format!("Delivered-To: host@example.org\r\n{mail}"));
    assert_eq!(judged(&mut host), ["no-orders"]);
    assert_eq!(refusals(&camp, "red"), 1);
}

#[test]
fn automatic_mail_is_never_answered() {
    let (camp, mut host) = camp();
    let sent = camp.mails(&player("red")).len();
    for header in ["Auto-Submitted: auto-replied", "Precedence: bulk", "Return-Path: <>", "X-Autoreply: yes"]
    {
        let mail = camp.answer("red", "dispatch", "away", "I am away until Monday. BID 5");
        camp.post(format!("{header}\r\n{mail}"));
    }
    assert!(judged(&mut host).is_empty());
    assert_eq!(camp.mails(&player("red")).len(), sent);
    still_plays(&camp, &mut host);
}

#[test]
fn while_the_disk_is_full_the_mail_stays_and_afterwards_it_counts_once() {
    for n in 1.. {
        let (camp, mut host) = camp();
        camp.post(camp.answer("red", "dispatch", "bid", &block("BID 2")));
        let (mut sources, relay) = local_mail(&host);
        let full = fault::arm(Plan::disk_full_from(n));
        let outcome = serve::pass(&mut host, &mut sources, &*relay);
        let undisturbed = full.passed().len() < usize::try_from(n).unwrap();
        drop((full, host));
        if let Err(error) = outcome {
            assert!(error.to_string().contains("disk is full"), "call {n}: {error}");
        }
        let mut open = camp.open();
        // A mail that could not be sent waits its half minute.
        camp.wait(31);
        settle(&mut open);
        assert_eq!(judged(&mut open), ["accepted"], "call {n}");
        assert_eq!(camp.count("red", "receipt"), 2, "call {n}");
        if undisturbed {
            assert!(n > 8, "{n} calls");
            return;
        }
    }
}

/// A relay that can't be reached until a certain time.
struct Down<'a> {
    camp: &'a Camp,
    until: i64,
    relay: Box<dyn Relay>,
}

impl Relay for Down<'_> {
    fn send(&self, from: &str, to: &[String], raw: &[u8]) -> Vec<(String, Outcome)> {
        if self.camp.clock.now() < self.until {
            return to.iter().map(|to| (to.clone(), Outcome::Deferred("no route".to_owned()))).collect();
        }
        self.relay.send(from, to, raw)
    }
}

#[test]
fn mails_survive_an_hour_without_a_relay() {
    let (camp, mut host) = camp();
    camp.post(camp.answer("red", "dispatch", "bid", &block("BID 2")));
    let (mut sources, relay) = local_mail(&host);
    let relay = Down { camp: &camp, until: camp.clock.now() + HOUR, relay };
    let mut tries = 0;
    serve::settle(&mut host, &mut sources, &relay).unwrap();
    while camp.count("red", "receipt") < 2 {
        let due = host.next_due().unwrap().unwrap();
        assert!(due > camp.clock.now(), "it waits before it tries again");
        camp.clock.set(due);
        serve::settle(&mut host, &mut sources, &relay).unwrap();
        tries += 1;
    }
    assert!((4..20).contains(&tries), "{tries} tries");
    assert!(camp.clock.now() < relay.until + HOUR, "and not for ever");
    still_plays(&camp, &mut host);
}

/// A mailbox that can't be reached.
struct Gone;

impl Source for Gone {
    fn name(&self) -> &str {
        "gone"
    }
    fn drain(&mut self, _: &mut dyn Keep) -> Result<Drained, PostError> {
        let error = std::io::Error::from(std::io::ErrorKind::TimedOut);
        Err(PostError::Connect { server: "imap.example.org:993".to_owned(), error })
    }
}

#[test]
fn a_mailbox_that_cannot_be_reached_holds_the_turn_up_to_the_limit() {
    let (camp, mut host) = camp();
    let gm = camp.mails(GM).len();
    let (_, relay) = local_mail(&host);
    let mut gone: Vec<Box<dyn Source>> = vec![Box::new(Gone)];
    let ran = |host: &mut Host| {
        journal(host).iter().filter(|e| matches!(e.cause, Cause::Adjudicated { .. })).count()
    };
    for _ in 0..3 {
        camp.wait(12 * HOUR);
        serve::settle(&mut host, &mut gone, &*relay).unwrap();
        drop(host);
        host = camp.open();
    }
    assert_eq!((ran(&mut host), camp.mails(GM).len()), (1, gm + 1), "held, and the GM told once");
    // The GM was told for how long: whoever starts the daemon anew makes it no longer.
    for (wait, turns) in [(0, 1), (11 * HOUR, 1), (HOUR, 2)] {
        camp.wait(wait);
        serve::settle(&mut host, &mut gone, &*relay).unwrap();
        assert_eq!(ran(&mut host), turns, "not for ever");
    }
}

#[test]
fn a_second_host_on_the_same_store_is_told_so() {
    let (camp, host) = camp();
    let error = Host::open(camp.options()).err().unwrap().to_string();
    assert!(error.contains("another musterd is running"), "{error}");
    drop(host);
    camp.open();
}

/// The blocks of a seat that were accepted since the game was founded, oldest first.
fn blocks(host: &mut Host, whose: &str) -> Vec<String> {
    let received = journal(host).into_iter().filter_map(|entry| match entry.cause {
        Cause::Received(received) if received.seat == Some(seat(whose)) && received.t > 1 => Some(received),
        _ => None,
    });
    let accepted = received.filter_map(|received| match received.verdict {
        Verdict::Accepted { block, .. } => Some(block.as_str().to_owned()),
        Verdict::Refused { .. } | Verdict::Withdrawn { .. } => None,
    });
    accepted.collect()
}

#[test]
fn a_lone_ready_runs_the_orders_that_stand() {
    let (camp, mut host) = camp();
    let said = [block("BID 3\r\nsalt: dice"), "READY\r\n".to_owned(), "wait.\r\n".to_owned()];
    for (n, text) in said.iter().enumerate() {
        camp.post(camp.answer("red", "dispatch", &format!("lone{n}"), text));
        settle(&mut host);
    }
    let kept = ["BID 3\nsalt: dice\n", "BID 3\nsalt: dice\nREADY\n", "BID 3\nsalt: dice\nwait.\n"];
    assert_eq!(blocks(&mut host, "red"), kept);
    camp.post(camp.answer("red", "dispatch", "lone1", "READY\r\n"));
    settle(&mut host);
    assert_eq!(blocks(&mut host, "red").len(), 3, "a second copy of a READY changes nothing");
    camp.post(camp.answer("red", "dispatch", "none", &block("READY")));
    settle(&mut host);
    assert_eq!(blocks(&mut host, "red").pop().unwrap(), "READY\n", "a marked set replaces the one before");
}

#[test]
fn ready_waits_where_prose_may_be_an_order() {
    let (camp, mut host) = camp();
    for (n, prose) in ["I add five coins", "not ready yet"].iter().enumerate() {
        let text = format!("{prose}\r\n\r\nBID 3\r\nREADY\r\n\r\nYours, Red\r\n");
        camp.post(camp.answer("red", "dispatch", &format!("prose{n}"), &text));
        settle(&mut host);
        assert_eq!(blocks(&mut host, "red").pop().unwrap(), "BID 3\n", "{prose}");
        let receipt = camp.newest("red", "receipt").body.unwrap().text;
        assert!(receipt.contains("Your READY was left out"), "{receipt}");
    }
    camp.post(camp.answer(
        "red",
        "dispatch",
        "kind",
        "Dear all,\r\n\r\nBID 3\r\nREADY\r\n\r\nYours, Red\r\n",
    ));
    settle(&mut host);
    assert_eq!(blocks(&mut host, "red").pop().unwrap(), "BID 3\nREADY\n");
}
