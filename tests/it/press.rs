//! Letters between the players of a shared side, by mail: passed on once, answered, listed, never orders.

use std::collections::BTreeMap;

use musterd::daemon::{Host, NewGame, Request};
use musterd::dice::{LogEntry, Seat};
use musterd::engine::journal::{Cause, Change};
use musterd::engine::terms::{PressPolicy, Terms};
use musterd::letter::Letter;

use super::replay::replay;
use super::support::*;

pub(crate) const AUSTRIA: &str = "allied.austria";
pub(crate) const RUSSIA: &str = "allied.russia";

/// A campaign with Austria and Russia in two persons' hands and Britain in the computer's, begun.
fn shared(camp: &Camp, press: PressPolicy) -> Host {
    shared_on(camp, press, Terms::default())
}

/// The same on terms of its own.
pub(crate) fn shared_on(camp: &Camp, press: PressPolicy, terms: Terms) -> Host {
    let mut host = camp.open();
    let who = |seat: &&str| match *seat {
        "allied.britain" => "computer".to_owned(),
        person => player(person),
    };
    let seats: BTreeMap<Seat, String> =
        ["french", AUSTRIA, RUSSIA, "allied.britain"].iter().map(|s| (s.parse().unwrap(), who(s))).collect();
    let new = NewGame {
        scenario: "lga/austrian-1805".to_owned(),
        id: game(),
        seats,
        gm: Vec::new(),
        witnesses: Vec::new(),
        deadline: Some("24h".to_owned()),
        start_now: true,
        press,
        terms,
        beacon: None,
        missing: None,
        options: BTreeMap::new(),
        templates: BTreeMap::new(),
    };
    host.execute(Request::found(new)).unwrap();
    settle(&mut host);
    host
}

pub(crate) fn text(mail: &Letter) -> &str {
    &mail.body.as_ref().unwrap().text
}

/// The text with its lines joined.
pub(crate) fn unwrapped(mail: &Letter) -> String {
    text(mail).split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) fn letter_to(who: &str, words: &str) -> String {
    format!("PRESS TO {who}\r\n{words}\r\nEND PRESS\r\n")
}

/// The texts that were passed on.
fn passed_on(host: &mut Host) -> Vec<String> {
    let text = |cause| match cause {
        Cause::Pressed(letter) => Some(letter.text),
        _ => None,
    };
    journal(host).into_iter().filter_map(|entry| text(entry.cause)).collect()
}

/// Has a seat send this, and gives the answer that it gets.
pub(crate) fn answered(camp: &Camp, host: &mut Host, seat: &str, id: &str, words: &str) -> Letter {
    camp.post(camp.answer(seat, "dispatch", id, words));
    settle(host);
    camp.newest(seat, "press")
}

#[test]
fn a_letter_reaches_the_allies_at_once_and_changes_no_orders() {
    let camp = Camp::new();
    let mut host = shared(&camp, PressPolicy::Side);
    // It is the French turn; and a letter is never read as orders.
    let words = "Hold Ulm until I come. Übermorgen bin ich da.\r\n\r\nMOVE 19 TO Ulm\r\nBEGIN ORDERS\r\nREADY\r\nEND ORDERS";
    let answer = answered(&camp, &mut host, AUSTRIA, "a", &letter_to("ALLIES", words));
    assert_eq!(passed_on(&mut host).len(), 1);
    assert_eq!(verdicts(&mut host), ["accepted"], "the computer's orders alone");
    assert_eq!(answer.subject, "[alpha] your letter was sent on");
    assert_eq!(answer.in_reply_to.as_deref(), Some("a@players.example"));
    let back = unwrapped(&camp.newest(RUSSIA, "press"));
    assert!(back.contains("a line PRESS TO THE COMMANDER OF AUSTRIA and a line END PRESS"), "{back}");
    for said in ["the commander of Russia", "The computer reads no letters: the commander of Britain."] {
        assert!(unwrapped(&answer).contains(said), "`{said}`:\n{}", text(&answer));
    }
    let relayed = camp.newest(RUSSIA, "press");
    assert_eq!(relayed.subject, "[alpha] Letter from the commander of Austria");
    assert!(relayed.automatic.is_some(), "no program answers it");
    assert!(relayed.references.iter().any(|id| id.contains("invitation")), "in the seat's thread");
    for said in [
        "| Hold Ulm until I come. Ubermorgen bin ich da.\n|\n| MOVE 19 TO Ulm\n| BEGIN ORDERS\n",
        "Chain: alpha",
    ] {
        assert!(text(&relayed).contains(said), "`{said}`:\n{}", text(&relayed));
    }
    assert_eq!(relayed.from, [HOST]);
    assert!(!format!("{relayed:?}").contains(&player(AUSTRIA)), "no address is given away");
    assert_eq!(camp.count("french", "press"), 0);
    // His answer, with the letter quoted below it as most programs do, brings what he wrote and nothing of hers.
    let quoted: String = text(&relayed).lines().map(|line| format!("> {line}\r\n")).collect();
    camp.post(camp.answer(RUSSIA, "press", "r", &format!("{}{quoted}", letter_to("Austria", "I come."))));
    let unmarked = format!("{}\r\n{}", letter_to("THE COMMANDER OF AUSTRIA", "Soon."), text(&relayed));
    camp.post(camp.answer(RUSSIA, "press", "r2", &unmarked));
    settle(&mut host);
    assert_eq!(passed_on(&mut host)[1..], ["I come.\n", "Soon.\n"]);
    assert_eq!(verdicts(&mut host), ["accepted"]);
}

#[test]
fn letters_stand_in_the_next_dispatch_of_those_who_may_read_them() {
    let camp = Camp::new();
    let mut host = shared(&camp, PressPolicy::Side);
    answered(&camp, &mut host, AUSTRIA, "a", &letter_to("allies", "To all of us."));
    answered(&camp, &mut host, RUSSIA, "r", &letter_to("Austria", "To you."));
    camp.wait(24 * HOUR);
    settle(&mut host);
    let [austria, russia, french] = [AUSTRIA, RUSSIA, "french"].map(|seat| camp.newest(seat, "dispatch"));
    let joint = |mail: &Letter| {
        let text = text(mail);
        let start = text.find("FOR THE ALLIED SIDE").unwrap();
        text[start..text.find("FOR YOU ALONE").unwrap()].to_owned()
    };
    assert_eq!(joint(&austria), joint(&russia), "the joint part is the same for all");
    // What players write stands behind what the log binds of the host's words.
    let letters = |mail: &Letter| text(mail).split_once("End told: ").unwrap().1.to_owned();
    assert!(letters(&austria).contains("| To all of us.") && letters(&russia).contains("| To all of us."));
    assert!(letters(&austria).contains("| To you."), "{}", text(&austria));
    assert!(!text(&russia).contains("| To you.") && !text(&french).contains("| To"));
    camp.wait(24 * HOUR);
    settle(&mut host);
    assert!(!text(&camp.newest(RUSSIA, "dispatch")).contains("| To all of us."), "in one dispatch only");
    assert!(replay(&desk(), &journal(&mut host), &camp.secrets()).steps > 2);
}

#[test]
fn the_same_mail_twice_is_one_letter_and_a_new_mail_another() {
    let camp = Camp::new();
    let mut host = shared(&camp, PressPolicy::Side);
    let mail = camp.answer(AUSTRIA, "dispatch", "a", &letter_to("ALLIES", "Once."));
    camp.post(&mail);
    camp.post(format!("X-Copy: 2\r\n{mail}"));
    settle(&mut host);
    camp.post(&mail);
    settle(&mut host);
    drop(host);
    let mut host = camp.open();
    camp.post(&mail);
    settle(&mut host);
    assert_eq!(
        (passed_on(&mut host).len(), camp.count(RUSSIA, "press"), camp.count(AUSTRIA, "press")),
        (1, 1, 1)
    );
    camp.post(camp.answer(AUSTRIA, "dispatch", "b", &letter_to("ALLIES", "Once.")));
    settle(&mut host);
    assert_eq!((passed_on(&mut host).len(), camp.count(RUSSIA, "press")), (2, 2));
}

#[test]
fn orders_and_letters_of_one_mail_go_their_own_ways() {
    let camp = Camp::new();
    let mut host = shared(&camp, PressPolicy::Side);
    let orders = block("STANDING\r\nREINFORCE 19 TO 1510\r\nPRESS TO RUSSIA\r\nCome.\r\nEND PRESS\r\nREADY");
    let answer = answered(&camp, &mut host, AUSTRIA, "a", &orders);
    assert_eq!(answer.subject, "[alpha] your letter was sent on");
    let receipt = camp.newest(AUSTRIA, "receipt");
    let attached = receipt.body.unwrap().attachment.unwrap();
    assert_eq!(
        attached, "STANDING\nREINFORCE 19 TO 1510\n\n\n\nREADY\n",
        "the letter is no part of the orders"
    );
    // Orders that come too late don't hold a letter back.
    camp.wait(24 * HOUR);
    let late =
        camp.answer(AUSTRIA, "dispatch", "b", &(letter_to("RUSSIA", "Late.") + &block("STANDING NONE")));
    settle(&mut host);
    camp.post(late);
    settle(&mut host);
    assert_eq!(passed_on(&mut host), ["Come.\n", "Late.\n"]);
    assert_eq!(verdicts(&mut host).last().map(String::as_str), Some("other-turn"));
}

#[test]
fn a_letter_that_cannot_be_passed_on_says_why_and_changes_nothing() {
    let camp = Camp::new();
    let mut host = shared(&camp, PressPolicy::Side);
    let long = "word ".repeat(2_000);
    for (n, (words, why)) in [
        (letter_to("FRENCH", "Peace?"), "the French commander is not of your side"),
        (letter_to("ALL", "Peace?"), "not of your side"),
        (
            letter_to("Spain", "Hola"),
            "`spain` is nobody in this game: write PRESS TO ALLIES, or ALLIED.RUSSIA, or",
        ),
        (letter_to("", "Hallo"), "it doesn't say for whom it is: begin it with PRESS TO ALLIES"),
        (letter_to("BRITAIN", "Money!"), "it is for nobody but the computer, which reads no letters"),
        (letter_to("AUSTRIA", "Me"), "it is for nobody but yourself"),
        (letter_to("ALLIES", " \r\n"), "it is empty"),
        (letter_to("ALLIES", &long), "at most 200 lines and 8000 bytes are passed on"),
        ("PRESS TO ALLIES\r\nMOVE 19 TO Ulm\r\n".to_owned(), "no line END PRESS says where it ends"),
    ]
    .into_iter()
    .enumerate()
    {
        let answer = answered(&camp, &mut host, AUSTRIA, &format!("a{n}"), &words);
        assert_eq!(answer.subject, "[alpha] your letter was NOT sent on");
        assert!(unwrapped(&answer).contains(why), "{why}:\n{}", text(&answer));
    }
    assert_eq!((passed_on(&mut host).len(), camp.count(RUSSIA, "press")), (0, 0));
    let verdicts = verdicts(&mut host);
    let (last, others) = verdicts[1..].split_last().unwrap();
    assert!(others.iter().all(|verdict| verdict == "letter") && last == "unread", "{verdicts:?}");
    let answer = answered(&camp, &mut host, "french", "f", &letter_to("ALLIES", "Anybody?"));
    assert!(unwrapped(&answer).contains("nobody shares your side"), "{}", text(&answer));
}

#[test]
fn only_the_proved_player_of_a_seat_writes_in_its_name_and_only_so_often() {
    let camp = Camp::new();
    let mut host = shared(&camp, PressPolicy::Side);
    let forged = camp.answer(AUSTRIA, "dispatch", "x", &letter_to("ALLIES", "Flee!"));
    camp.post(forged.replace(&format!("From: <{}>", player(AUSTRIA)), "From: <spy@example.net>"));
    settle(&mut host);
    assert_eq!((passed_on(&mut host).len(), camp.count(RUSSIA, "press")), (0, 0));
    assert_eq!(verdicts(&mut host).last().map(String::as_str), Some("wrong-sender"));
    for n in 0..55 {
        camp.post(camp.answer(AUSTRIA, "dispatch", &format!("a{n}"), &letter_to("ALLIES", &format!("{n}"))));
    }
    settle(&mut host);
    assert_eq!((passed_on(&mut host).len(), camp.count(RUSSIA, "press")), (50, 50));
}

#[test]
fn the_public_log_shows_of_a_letter_a_commitment_and_nothing_else() {
    let camp = Camp::new();
    let mut host = shared(&camp, PressPolicy::Side);
    answered(&camp, &mut host, AUSTRIA, "a", &letter_to("ALLIES", "Hold Ulm"));
    answered(&camp, &mut host, AUSTRIA, "b", &letter_to("ALLIES", "Hold Ulm"));
    let entries = journal(&mut host);
    let notes: Vec<String> = entries
        .iter()
        .filter(|entry| matches!(entry.cause, Cause::Pressed(_)))
        .flat_map(|entry| entry.cause.log_entries())
        .map(|line| match line {
            LogEntry::Note { text } => text.to_string(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(notes.len(), 2);
    assert_ne!(notes[0], notes[1], "the same words twice don't look the same");
    for note in notes {
        let commit = note.strip_prefix("press ").unwrap();
        assert!(commit.len() == 64 && commit.bytes().all(|b| b.is_ascii_hexdigit()), "{note}");
    }
}

#[test]
fn a_game_can_allow_letters_to_everybody_or_none() {
    let camp = Camp::new();
    let mut host = shared(&camp, PressPolicy::All);
    answered(&camp, &mut host, AUSTRIA, "a", &letter_to("the French", "Peace?"));
    answered(&camp, &mut host, "french", "f", &letter_to("ALL", "War!"));
    assert_eq!((camp.count("french", "press"), camp.count(RUSSIA, "press")), (2, 1));
    let camp = Camp::new();
    let mut host = shared(&camp, PressPolicy::None);
    let answer = answered(&camp, &mut host, AUSTRIA, "a", &letter_to("ALLIES", "Hello"));
    assert!(unwrapped(&answer).contains("in this game the host passes no letters on"), "{}", text(&answer));
    assert!(!text(&camp.newest(AUSTRIA, "dispatch")).contains("PRESS TO"));
}

/// The letters between players and the GM.
fn letters_of_gm(host: &mut Host) -> usize {
    let is_one = |entry: &musterd::engine::journal::Entry| {
        matches!(&entry.cause, Cause::Arranged(arrangement)
            if matches!(arrangement.change, Change::ToGm { .. } | Change::FromGm { .. }))
    };
    journal(host).iter().filter(|entry| is_one(entry)).count()
}

#[test]
fn players_and_the_gm_write_to_each_other_whatever_letters_the_game_allows() {
    let camp = Camp::new();
    let mut host = shared(&camp, PressPolicy::None);
    let answer =
        answered(&camp, &mut host, AUSTRIA, "a", &letter_to("the GM", "May I swap corps 3?\r\n\r\n  Anna"));
    assert!(unwrapped(&answer).contains("was sent on to the GM, and to nobody else"), "{}", text(&answer));
    assert!(!text(&answer).contains("Chain:"), "what the log says of it its writer can compute");
    let read = camp.mails(GM).pop().unwrap();
    assert_eq!(read.subject, "[alpha] a letter from the commander of Austria");
    for said in ["May I swap corps 3?", "a line PRESS TO allied.austria"] {
        assert!(unwrapped(&read).contains(said), "`{said}`:\n{}", text(&read));
    }
    // The GM answers by mail; nobody else reads it, and the log has none of the words.
    let to = camp.mails(GM)[0].reply_to[0].clone();
    let words = "PRESS TO allied.austria\r\nNo, you may not.\r\nEND PRESS\r\nPRESS TO allied.britain: hello\r\nPRESS TO nobody: hello";
    camp.post(Mail { from: GM, to: &to, id: "g", in_reply_to: None, text: words }.raw());
    settle(&mut host);
    let told = camp.mails(&player(AUSTRIA)).pop().unwrap();
    assert_eq!(told.subject, "[alpha] a letter from the GM");
    for said in ["The GM writes to you alone:", "No, you may not.", "a line PRESS TO gm"] {
        assert!(unwrapped(&told).contains(said), "`{said}`:\n{}", text(&told));
    }
    let said = unwrapped(&camp.mails(GM).pop().unwrap());
    for word in [
        "went to the commander of Austria, and to nobody else",
        "Nobody reads letters for the commander of Britain",
        "no seat nobody",
    ] {
        assert!(said.contains(word), "`{word}`:\n{said}");
    }
    assert!(!camp.mails(&player(RUSSIA)).iter().any(|mail| text(mail).contains("may not")));
    assert_eq!(letters_of_gm(&mut host), 2);
    let log: Vec<String> = journal(&mut host)
        .iter()
        .flat_map(|entry| entry.cause.log_entries())
        .map(|line| format!("{line:?}"))
        .collect();
    assert!(log.iter().any(|line| line.contains("a player wrote to the GM")), "{log:?}");
    assert!(!log.iter().any(|line| line.contains("swap") || line.contains("may not")), "{log:?}");
}

#[test]
fn a_letter_to_the_gm_and_an_ally_goes_to_both_and_a_hidden_one_to_nobody() {
    let camp = Camp::new();
    let mut host = shared(&camp, PressPolicy::Side);
    let answer = answered(&camp, &mut host, AUSTRIA, "a", &letter_to("Russia and GM", "We march."));
    assert_eq!(answer.subject, "[alpha] your 2 letters were sent on");
    assert_eq!((passed_on(&mut host).len(), letters_of_gm(&mut host)), (1, 1));
    let hidden = answered(&camp, &mut host, AUSTRIA, "b", "PRESS ANONYMOUS TO gm\r\nBoo.\r\nEND PRESS\r\n");
    assert!(
        unwrapped(&hidden).contains("NOT sent on: a letter to the GM is neither anonymous nor sealed"),
        "{}",
        text(&hidden)
    );
    assert_eq!(letters_of_gm(&mut host), 1);
}
