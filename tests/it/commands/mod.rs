//! Commands to the host by mail: what each does, when it is refused, that a second copy does nothing, and that no address and
//! nothing hidden comes into the public log.

mod ahead;
mod asking;
mod creating;
mod draw;
mod joining;
mod mails;
mod misplaced;
mod prefer;
mod seats;
#[cfg(feature = "games")]
mod teaching;
mod watching;

use std::collections::BTreeMap;

use musterd::daemon::{Host, NewGame, Reply, Request};
use musterd::engine::journal::{Cause, Change, Player};
use musterd::engine::terms::{PressPolicy, Terms};
use musterd::letter::Letter;

use super::replay::replay;
use super::support::*;
use super::toy::seat;
use super::verify::mails_fit;

const ANNA: &str = "anna@guests.example";
const BEN: &str = "ben@guests.example";

fn text(mail: &Letter) -> String {
    mail.body.as_ref().unwrap().text.clone()
}

/// The text with its lines joined.
fn unwrapped(mail: &Letter) -> String {
    text(mail).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn says(mail: &Letter, words: &str) {
    assert!(unwrapped(mail).contains(words), "`{words}`:\n{}", text(mail));
}

#[track_caller]
fn is_silent_about(mail: &Letter, words: &str) {
    assert!(!unwrapped(mail).contains(words), "`{words}`:\n{}", text(mail));
}

/// The host's answer to the mail of that id.
fn answer_to(camp: &Camp, address: &str, id: &str) -> Letter {
    let id = format!("{id}@players.example");
    let is_answer = |mail: &Letter| {
        let own = mail.message_id.as_deref().unwrap_or_default();
        mail.in_reply_to.as_deref() == Some(id.as_str()) && own.contains("answer.")
    };
    camp.mails(address).into_iter().find(is_answer).unwrap_or_else(|| panic!("no answer to {id}"))
}

/// Has a seat's player answer its newest dispatch with these commands, and gives the answer.
fn asked(camp: &Camp, host: &mut Host, seat: &str, id: &str, commands: &str) -> Letter {
    camp.post(camp.answer(seat, "dispatch", id, commands));
    settle(host);
    answer_to(camp, &player(seat), id)
}

fn guest_mail(from: &str, id: &str, words: &str) -> String {
    Mail { from, to: HOST, id, in_reply_to: None, text: words }.raw()
}

/// Has somebody without a seat write to the host's plain address, and gives the answer.
fn guest(camp: &Camp, host: &mut Host, from: &str, id: &str, words: &str) -> Letter {
    camp.post(guest_mail(from, id, words));
    settle(host);
    answer_to(camp, from, id)
}

/// The line of a mail that confirms what was asked for.
fn confirm_line(mail: &Letter) -> String {
    let text = text(mail);
    text.lines()
        .find(|line| line.starts_with("CONFIRM "))
        .unwrap_or_else(|| panic!("no code:\n{text}"))
        .to_owned()
}

fn changes(host: &mut Host) -> Vec<Change> {
    let change = |cause| match cause {
        Cause::Arranged(arrangement) => Some(arrangement.change),
        _ => None,
    };
    journal(host).into_iter().filter_map(|entry| change(entry.cause)).collect()
}

/// The journal holds under replay, and what of it is public names nobody's address.
fn checked(camp: &Camp, host: &mut Host) {
    let entries = journal(host);
    replay(&desk(), &entries, &camp.secrets());
    mails_fit(camp, &entries);
    for entry in &entries {
        for line in entry.cause.log_entries() {
            let line = serde_json::to_string(&line).unwrap();
            assert!(!line.contains('@'), "{line}");
        }
    }
}

/// A second toy game, with these seats.
fn another(host: &mut Host, id: &str, seats: &[(&str, &str)], terms: Terms) {
    let new = NewGame {
        scenario: "toy/ridge".to_owned(),
        id: id.parse().unwrap(),
        seats: seats.iter().map(|(name, who)| (seat(name), (*who).to_owned())).collect::<BTreeMap<_, _>>(),
        gm: Vec::new(),
        witnesses: Vec::new(),
        deadline: Some("24h".to_owned()),
        start_now: false,
        press: PressPolicy::All,
        terms,
        beacon: None,
        missing: None,
        options: BTreeMap::new(),
        templates: BTreeMap::new(),
    };
    host.execute(Request::found(new)).unwrap();
    settle(host);
}

#[test]
fn a_mail_that_claims_a_seat_and_proves_none_commands_nothing() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let forged = camp.answer("red", "dispatch", "f", "RESIGN\r\nNEW SECRET\r\nWITHDRAW ORDERS\r\n");
    camp.post(forged.replace(&format!("From: <{}>", player("red")), "From: <spy@example.net>"));
    // Orders beside a command, without the secret, are refused as orders are, and their player told.
    let unproved = Mail {
        from: &player("red"),
        to: HOST,
        id: "u",
        in_reply_to: None,
        text: &format!("STATUS\r\n{}", block("BID 3")),
    };
    camp.post(unproved.raw().replace("Re: orders", "[alpha] orders"));
    settle(&mut host);
    assert_eq!(verdicts(&mut host)[3..], ["wrong-sender", "no-secret"]);
    assert_eq!(changes(&mut host), []);
    assert!(camp.mails("spy@example.net").is_empty());
}

#[test]
fn a_command_among_the_orders_is_told_where_it_belongs() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    camp.post(camp.answer("red", "dispatch", "r", &block("BID 3\r\nSTATUS\r\nWITHDRAW ORDERS")));
    settle(&mut host);
    let receipt = camp.newest("red", "receipt");
    says(&receipt, "STATUS is for the host, not for the rules. Hint: write STATUS above BEGIN ORDERS");
    says(&receipt, "Hint: write WITHDRAW ORDERS above BEGIN ORDERS");
    assert_eq!(camp.count("red", "answer"), 0);
}

/// `RESIGN` gives a seat up, and begins the order `RESIGN CONFIRM` of this game: among orders the game says what is missing.
#[test]
#[cfg(feature = "acw")]
fn a_line_that_begins_an_order_of_the_game_is_the_games_to_explain() {
    let camp = Camp::new();
    let mut host = camp.open();
    let new = NewGame {
        scenario: "acw/kellys-mill".to_owned(),
        id: game(),
        seats: ["union", "confederate"].map(|name| (seat(name), player(name))).into(),
        gm: Vec::new(),
        witnesses: Vec::new(),
        deadline: Some("24h".to_owned()),
        start_now: true,
        press: PressPolicy::default(),
        terms: Terms::default(),
        beacon: None,
        missing: None,
        options: BTreeMap::new(),
        templates: BTreeMap::new(),
    };
    host.execute(Request::found(new)).unwrap();
    settle(&mut host);
    camp.post(camp.answer("union", "dispatch", "r", &block("RESIGN\r\nSTATUS")));
    settle(&mut host);
    let receipt = camp.newest("union", "receipt");
    says(&receipt, "Write RESIGN CONFIRM if you mean it");
    says(&receipt, "Hint: write STATUS above BEGIN ORDERS");
    // On top of a mail it is the order, and the seat is not given up.
    camp.post(camp.answer("union", "dispatch", "c", "RESIGN CONFIRM\r\n"));
    settle(&mut host);
    says(&camp.newest("union", "receipt"), "1 order");
    assert_eq!(camp.count("union", "answer"), 0);
}

#[test]
fn a_command_below_other_words_is_not_carried_out_and_its_writer_is_told_why() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    camp.post(camp.answer("red", "dispatch", "hello", "Hello umpire,\r\n\r\nEXTEND 2d\r\n\r\nRed\r\n"));
    settle(&mut host);
    let refusal = camp.newest("red", "refusal");
    says(&refusal, "Its line \"EXTEND 2d\" can be a command to the host: commands stand first in a mail");
    assert_eq!(changes(&mut host), []);
}

/// Every mail that anybody was sent, and the length of the journal.
fn traces(camp: &Camp, host: &mut Host) -> (usize, usize) {
    let boxes = std::fs::read_dir(camp.path().join("mail")).unwrap().map(|file| file.unwrap().path());
    let sent = boxes.filter(|path| !path.ends_with(HOST)).map(|path| raw_mails(&path).len()).sum();
    (sent, journal(host).len())
}

#[test]
fn a_second_copy_of_any_command_has_no_effect() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    another(
        &mut host,
        "beta",
        &[("red", &player("blue")), ("blue", "open"), ("umpire", "open")],
        Terms::default(),
    );
    camp.post(camp.answer("red", "dispatch", "orders", &block("BID 1")));
    settle(&mut host);
    let seats_own = [
        "STATUS",
        "LIST",
        "HELP",
        "REPORT",
        "REPORT 1",
        "HISTORY",
        "LUCK",
        "PREVIEW",
        "WITHDRAW ORDERS",
        "ABSENT UNTIL 2026-12-01",
        "BACK",
        "EXTEND 2d",
        "DRAW",
        "DRAW NO",
        "ZONE Europe/Vienna",
        "ADDRESS ADD new@elsewhere.example",
        "JOIN beta",
        "STANDBY beta",
        "OBSERVE beta",
        "LEAVE beta",
        "RESIGN",
    ];
    let mut mails: Vec<String> = seats_own
        .iter()
        .enumerate()
        .map(|(n, command)| camp.answer("red", "dispatch", &format!("own-{n}"), &format!("{command}\r\n")))
        .collect();
    let resign = confirm_line(&asked(&camp, &mut host, "red", "wish", "RESIGN\r\n"));
    mails.push(camp.answer("red", "dispatch", "own-resign", &format!("{resign}\r\n")));
    mails.push(camp.answer("blue", "dispatch", "own-new", "NEW SECRET\r\n"));
    for (n, wish) in ["JOIN beta blue", "OBSERVE alpha", "STANDBY alpha blue"].iter().enumerate() {
        let who = format!("guest{n}@guests.example");
        let line = confirm_line(&guest(&camp, &mut host, &who, &format!("w-{n}"), &format!("{wish}\r\n")));
        mails.push(guest_mail(&who, &format!("c-{n}"), &line));
        mails.push(guest_mail(&who, &format!("l-{n}"), "LEAVE alpha\r\n"));
    }
    for mail in mails {
        camp.post(&mail);
        settle(&mut host);
        let before = traces(&camp, &mut host);
        camp.post(format!("X-Copy: 2\r\n{mail}"));
        settle(&mut host);
        drop(host);
        host = camp.open();
        camp.post(&mail);
        settle(&mut host);
        assert_eq!(traces(&camp, &mut host), before, "{mail}");
    }
    checked(&camp, &mut host);
}

/// Has somebody confirm what he asks for.
fn listed(camp: &Camp, host: &mut Host, who: &str, wish: &str) {
    let name = wish.replace(' ', "-");
    let line = confirm_line(&guest(camp, host, who, &format!("wish-{name}-{who}"), wish));
    guest(camp, host, who, &format!("yes-{name}-{who}"), &line);
}

fn gm(host: &mut Host, text: &str) {
    let Reply::Gm { .. } =
        host.execute(Request::Gm { game: game(), text: text.to_owned(), yes: true }).unwrap()
    else {
        panic!()
    };
    settle(host);
}
