//! Commands to the host by mail: what each does, when it is refused, that a second copy does nothing, and that no address and
//! nothing hidden comes into the public log.

use std::collections::BTreeMap;

use musterd::daemon::{Host, NewGame, Reply, Request};
use musterd::engine::journal::{Cause, Change, Player};
use musterd::engine::terms::{PressPolicy, Terms};
use musterd::letter::Letter;

use super::replay::replay;
use super::support::*;
use super::toy::seat;

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
        deadline: Some("24h".to_owned()),
        start_now: false,
        press: PressPolicy::All,
        terms,
    };
    host.execute(Request::New(new)).unwrap();
    settle(host);
}

#[test]
fn status_tells_a_player_what_is_owed_and_nothing_hidden() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    camp.post(camp.answer("blue", "dispatch", "b", &block("BID 2\r\nREADY")));
    camp.wait(HOUR);
    let answer = asked(&camp, &mut host, "red", "s", "STATUS\r\n");
    assert_eq!(answer.subject, "[alpha] your command");
    assert_eq!(answer.in_reply_to.as_deref(), Some("s@players.example"));
    for said in [
        "> STATUS",
        "alpha: The Ridge, 3 rounds",
        "Waits for Round 1, both bid (turn 2)",
        "Until Sunday 22 November 2026, 12:00 UTC (23 hours)",
        "red you: orders missing",
        "blue a person: orders here",
        "umpire a person: owes nothing",
        "0 waiting, 0 came back",
        "Orders from you 1 accepted, 0 refused",
        "Chain: alpha",
    ] {
        says(&answer, said);
    }
    is_silent_about(&answer, "you are done");
    is_silent_about(&answer, "blue@");
    camp.post(camp.answer(
        "red",
        "dispatch",
        "r",
        &format!("ZONE Europe/Vienna\r\n{}", block("BID 1\r\nREADY\r\nWAIT")),
    ));
    settle(&mut host);
    let answer = asked(&camp, &mut host, "red", "s2", "STATUS\r\n");
    says(&answer, "red you: orders here");
    says(&answer, "13:00 CET");
    checked(&camp, &mut host);
}

#[test]
fn a_stranger_is_told_what_is_public_and_a_player_of_several_games_all_of_them() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    another(
        &mut host,
        "beta",
        &[("red", &player("red")), ("blue", "open"), ("umpire", "computer")],
        Terms::default(),
    );
    another(
        &mut host,
        "gamma",
        &[("red", &player("blue")), ("blue", &player("umpire")), ("umpire", "computer")],
        Terms::default(),
    );
    let answer = asked(&camp, &mut host, "red", "s", "STATUS\r\nLIST\r\n");
    for said in [
        "alpha: The Ridge",
        "beta: The Ridge",
        "blue nobody yet: not confirmed",
        "JOIN beta blue, for one, takes a seat",
        "Free: blue.",
    ] {
        says(&answer, said);
    }
    is_silent_about(&answer, "gamma");
    // Nor does red's secret prove another address that the mail says it is from too.
    let both = camp.answer("red", "dispatch", "both", "STATUS\r\n");
    let (red, blue) = (player("red"), player("blue"));
    camp.post(both.replace(&format!("From: <{red}>"), &format!("From: <{red}>, <{blue}>")));
    settle(&mut host);
    let answer = answer_to(&camp, &red, "both");
    says(&answer, "beta: The Ridge");
    is_silent_about(&answer, "gamma");
    // The same player's address proves nothing by itself.
    let public = guest(&camp, &mut host, &player("red"), "g", "STATUS\r\n");
    says(&public, "JOIN beta blue");
    for hidden in ["orders", "alpha", "gamma"] {
        is_silent_about(&public, hidden);
    }
    let asked_of_alpha = guest_mail(ANNA, "g2", "STATUS\r\n").replace("Re: orders", "[alpha] how is it?");
    camp.post(asked_of_alpha);
    settle(&mut host);
    let public = answer_to(&camp, ANNA, "g2");
    says(&public, "Waits for Round 1, both bid");
    is_silent_about(&public, "missing");
    assert!(verdicts(&mut host).iter().all(|word| word == "accepted"), "a question is no refused mail");
}

#[test]
fn help_has_topics() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let answer = asked(
        &camp,
        &mut host,
        "red",
        "h",
        "HELP\r\nHELP orders\r\nhelp COMMANDS\r\nHELP seats\r\nHELP dice\r\nHELP press\r\nHELP gm\r\nHELP cooking\r\n",
    );
    assert_eq!(answer.subject, "[alpha] your 8 commands");
    for said in [
        "orders, commands, seats, press, dice, gm",
        "Each set of orders replaces the one before",
        "ABSENT UNTIL 2026-12-10",
        "STANDBY alpha",
        "the anchor in your invitation",
        "PRESS TO ALLIES",
        "can change no die",
    ] {
        says(&answer, said);
    }
    let text = text(&answer);
    assert!(text.lines().all(|line| line.len() <= 78), "{text}");
    assert_eq!(text.matches("belongs to a program").count(), 2, "an unknown topic gives the general help");
}

#[test]
fn reports_come_again() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game(&mut host, &[], "24h");
    settle(&mut host);
    camp.post(camp.answer("red", "invitation", "early", "REPORT\r\n"));
    settle(&mut host);
    says(&answer_to(&camp, &player("red"), "early"), "Nothing has been reported yet");
    for seat in ["red", "blue", "umpire"] {
        camp.post(camp.answer(seat, "invitation", &format!("join-{seat}"), "JOIN\r\nsalt: dice of mine"));
    }
    settle(&mut host);
    for seat in ["red", "blue"] {
        camp.post(camp.answer(seat, "dispatch", &format!("bid-{seat}"), &block("BID 1\r\nREADY")));
    }
    settle(&mut host);
    let first = camp.newest("red", "dispatch");
    let answer = asked(&camp, &mut host, "red", "r", "REPORT\r\nREPORT round-1\r\n");
    says(&answer, "Your last dispatch comes again in a mail of its own.");
    assert_eq!(camp.count("red", "dispatch"), 3, "two turns, and one of them again, once");
    let again = camp.newest("red", "dispatch");
    let report = |mail: &Letter| text(mail).split("BEGIN ORDERS").next().unwrap().to_owned();
    assert_eq!(report(&again), report(&first));
    assert_eq!(again.reply_to, first.reply_to);
    let old = asked(&camp, &mut host, "red", "r2", "REPORT 1\r\nHISTORY\r\nREPORT 9\r\n");
    assert_eq!(old.subject, "[ERRORS] [alpha] your 3 commands, 1 with errors");
    says(&old, "Your dispatch is attached: report-1.txt.");
    says(&old, "attached: history.txt.");
    says(&old, "There is no dispatch about `9`");
    checked(&camp, &mut host);
    let umpire = asked(&camp, &mut host, "umpire", "u", "PREVIEW\r\n");
    says(&umpire, "There are no orders of yours");
}

#[test]
fn a_preview_is_the_receipt_again_and_gives_no_order() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    camp.post(camp.answer("red", "dispatch", "r", &block("BID 3")));
    settle(&mut host);
    let before = journal(&mut host).len();
    let answer = asked(&camp, &mut host, "red", "p", "PREVIEW\r\nPREVIEW\r\n");
    says(&answer, "what each order will do and its odds");
    assert_eq!(camp.count("red", "receipt"), 3, "the JOIN's, the bid's, and the bid's again once");
    says(&camp.newest("red", "receipt"), "Bid 3");
    assert_eq!(journal(&mut host).len(), before);
    let answer = asked(&camp, &mut host, "red", "p2", &format!("PREVIEW\r\n{}", block("BID 4")));
    says(&answer, "The orders in this mail count");
    assert_eq!(verdicts(&mut host).len(), 5);
}

#[test]
fn orders_are_taken_back_whole_and_the_log_says_so() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    says(
        &asked(&camp, &mut host, "red", "w0", "WITHDRAW ORDERS\r\n"),
        "no orders of yours for the open turn",
    );
    camp.post(camp.answer("red", "dispatch", "r", &block("BID 3\r\nREADY")));
    settle(&mut host);
    let withdrawal = camp.answer("red", "dispatch", "w", "WITHDRAW ORDERS\r\n");
    camp.post(&withdrawal);
    settle(&mut host);
    says(&answer_to(&camp, &player("red"), "w"), "Your orders for Round 1, both bid are taken back");
    says(&asked(&camp, &mut host, "red", "s", "STATUS\r\n"), "red you: orders missing");
    // The turn doesn't run on the READY of orders that are gone.
    camp.post(camp.answer("blue", "dispatch", "b", &block("BID 1\r\nREADY")));
    settle(&mut host);
    assert_eq!(camp.count("red", "dispatch"), 1);
    camp.post(camp.answer("red", "dispatch", "r2", &block("BID 2")));
    camp.post(&withdrawal);
    settle(&mut host);
    assert_eq!(
        verdicts(&mut host)[4..],
        ["withdrawn", "accepted", "accepted"],
        "a second copy takes nothing back"
    );
    camp.post(camp.answer("red", "dispatch", "w2", "WITHDRAW ORDERS\r\n"));
    camp.wait(24 * HOUR + 1);
    settle(&mut host);
    assert_eq!(
        verdicts(&mut host).last().map(String::as_str),
        Some("accepted"),
        "it arrived when the time was over"
    );
    checked(&camp, &mut host);
    // An answer to the old dispatch means the old turn.
    let umpire = camp.newest("umpire", "dispatch");
    assert!(umpire.subject.contains("Round 1"));
}

#[test]
fn a_withdrawal_in_time_counts_at_the_close() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let old = camp.answer("red", "dispatch", "late", "WITHDRAW ORDERS\r\n");
    for seat in ["red", "blue"] {
        camp.post(camp.answer(seat, "dispatch", seat, &block("BID 3")));
    }
    settle(&mut host);
    camp.post(camp.answer("red", "dispatch", "w", "WITHDRAW ORDERS\r\n"));
    camp.wait(24 * HOUR);
    camp.clock.set(camp.clock.now() - 1);
    settle(&mut host);
    camp.wait(1);
    settle(&mut host);
    says(&camp.newest("blue", "dispatch"), "The red player sent no orders");
    camp.post(old);
    settle(&mut host);
    says(
        &answer_to(&camp, &player("red"), "late"),
        "This mail answers one of turn 2, and turn 3 is open now",
    );
    checked(&camp, &mut host);
}

#[test]
fn a_new_address_counts_once_it_is_confirmed_from_there() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let new = "red@elsewhere.example";
    let add = camp.answer("red", "dispatch", "a", &format!("ADDRESS ADD {new}\r\n"));
    camp.post(&add);
    camp.post(&add);
    settle(&mut host);
    says(&answer_to(&camp, &player("red"), "a"), "A code went to red@elsewhere.example.");
    let asked_there = camp.mails(new);
    assert_eq!(asked_there.len(), 1);
    let token = camp.newest("red", "dispatch").reply_to[0]
        .split('.')
        .nth(2)
        .unwrap()
        .split('@')
        .next()
        .unwrap()
        .to_owned();
    assert!(
        !format!("{:?}", asked_there[0]).contains(&token),
        "no secret goes to an address that nobody confirmed"
    );
    let line = confirm_line(&asked_there[0]);
    // Nobody else can confirm it, the player's old address neither.
    says(&guest(&camp, &mut host, ANNA, "c0", &line), "This code is not good for this address");
    let from_new = |camp: &Camp, id: &str, words: &str| {
        camp.answer("red", "dispatch", id, words)
            .replace(&format!("From: <{}>", player("red")), &format!("From: <{new}>"))
    };
    camp.post(from_new(&camp, "n0", &block("BID 1")));
    settle(&mut host);
    assert_eq!(verdicts(&mut host).last().map(String::as_str), Some("wrong-sender"));
    says(&guest(&camp, &mut host, new, "c", &line), "Mails from this address count for your seat in alpha");
    says(&guest(&camp, &mut host, new, "c2", &line), "You play the red player in this game.");
    says(&camp.newest("red", "notice"), "Orders from red@elsewhere.example count as yours");
    camp.post(from_new(&camp, "n", &block("BID 1")));
    settle(&mut host);
    assert_eq!(verdicts(&mut host).last().map(String::as_str), Some("accepted"));
    // Dropping the first one makes the other the one that is written to; the last can't be dropped.
    says(
        &asked(&camp, &mut host, "red", "d0", "ADDRESS DROP nobody@example.org\r\n"),
        "is not registered for your seat",
    );
    camp.post(camp.answer("red", "dispatch", "d", &format!("ADDRESS DROP {}\r\n", player("red"))));
    settle(&mut host);
    says(&answer_to(&camp, new, "d"), "You are written to at red@elsewhere.example.");
    camp.post(from_new(&camp, "d2", &format!("ADDRESS DROP {new}\r\n")));
    settle(&mut host);
    says(&answer_to(&camp, new, "d2"), "It is the only address of your seat");
    let mails = camp.mails(&player("red")).len();
    camp.wait(24 * HOUR);
    settle(&mut host);
    assert_eq!(camp.mails(&player("red")).len(), mails, "nothing more goes to an address that was dropped");
    assert!(camp.mails(new).iter().any(|mail| mail.message_id.as_deref().unwrap().contains(".dispatch.")));
    checked(&camp, &mut host);
}

#[test]
fn an_address_that_was_dropped_does_not_come_back_by_its_old_code() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let new = "red@elsewhere.example";
    asked(&camp, &mut host, "red", "a", &format!("ADDRESS ADD {new}\r\n"));
    let line = confirm_line(&camp.mails(new)[0]);
    guest(&camp, &mut host, new, "c", &line);
    asked(&camp, &mut host, "red", "d", &format!("ADDRESS DROP {new}\r\n"));
    says(&guest(&camp, &mut host, new, "c2", &line), "This code was used already.");
    // Nor does a code outlive the secret that it was asked for with.
    let other = "red@third.example";
    asked(&camp, &mut host, "red", "a2", &format!("ADDRESS ADD {other}\r\nNEW SECRET\r\n"));
    let line = confirm_line(&camp.mails(other)[0]);
    says(&guest(&camp, &mut host, other, "c3", &line), "not good for this address, or not any more");
    checked(&camp, &mut host);
}

#[test]
fn addresses_that_cannot_be_had_are_refused() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    for (n, (address, why)) in [
        ("nonsense", "is not a mail address"),
        (HOST, "the address of this host"),
        ("host+x@example.org", "the address of this host"),
        ("red@players.example", "is registered already"),
    ]
    .into_iter()
    .enumerate()
    {
        let answer = asked(&camp, &mut host, "red", &format!("a{n}"), &format!("ADDRESS ADD {address}\r\n"));
        assert!(answer.subject.contains("[ERRORS]"));
        says(&answer, why);
    }
    let many: String = (0..7).map(|n| format!("ADDRESS ADD red{n}@elsewhere.example\r\n")).collect();
    says(&asked(&camp, &mut host, "red", "many", &many), "enough new addresses for one day");
    assert!(
        camp.mails("red4@elsewhere.example").len() == 1 && camp.mails("red5@elsewhere.example").is_empty()
    );
}

#[test]
fn a_new_secret_makes_the_old_one_worthless() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let with_old = camp.answer("red", "dispatch", "old", &block("BID 1"));
    let change = camp.answer("red", "dispatch", "n", &format!("NEW SECRET\r\n{}", block("BID 2")));
    camp.post(&change);
    camp.post(&change);
    settle(&mut host);
    assert_eq!(changes(&mut host), [Change::Secret { seat: seat("red"), issue: 1 }]);
    let brought = camp.newest("red", "invitation");
    assert_eq!(brought.subject, "[alpha] your seat's new secret");
    assert_eq!(verdicts(&mut host).last().map(String::as_str), Some("accepted"), "orders beside it count");
    camp.post(with_old);
    settle(&mut host);
    assert_eq!(verdicts(&mut host).last().map(String::as_str), Some("wrong-secret"));
    camp.post(camp.answer("red", "invitation", "new", &block("BID 3")));
    settle(&mut host);
    assert_eq!(verdicts(&mut host).last().map(String::as_str), Some("accepted"));
    says(&camp.newest("red", "receipt"), "Bid 3");
    assert!(camp.newest("red", "receipt").references.contains(brought.message_id.as_ref().unwrap()));
    // The journal alone says which secret counts.
    drop(host);
    let mut host = camp.open();
    camp.post(camp.answer("red", "receipt", "new2", &block("BID 1")));
    settle(&mut host);
    assert_eq!(verdicts(&mut host).last().map(String::as_str), Some("accepted"));
    checked(&camp, &mut host);
}

#[test]
fn who_resigns_is_replaced_by_the_first_of_those_who_wait() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    says(&guest(&camp, &mut host, ANNA, "j", "JOIN alpha\r\n"), "No seat is free.");
    for (who, wish) in [(ANNA, "STANDBY alpha red"), (BEN, "standby alpha")] {
        let offer = guest(&camp, &mut host, who, &format!("s-{who}"), &format!("{wish}\r\n"));
        let line = confirm_line(&offer);
        says(
            &guest(&camp, &mut host, who, &format!("c-{who}"), &format!("{line}\r\n")),
            "You are on the list",
        );
    }
    camp.post(camp.answer("red", "dispatch", "r", &block("BID 3")));
    settle(&mut host);
    let old = camp.answer("red", "dispatch", "old", &block("BID 1"));
    let resigns = camp.answer("red", "dispatch", "bye", &format!("RESIGN\r\nSTATUS\r\n{}", block("BID 9")));
    camp.post(&resigns);
    camp.post(&resigns);
    settle(&mut host);
    let answer = answer_to(&camp, &player("red"), "bye");
    says(&answer, "You have given your seat up");
    says(&answer, "The seat is no longer yours: nothing was done.");
    assert_eq!(verdicts(&mut host)[3..], ["accepted"], "orders in the mail of one who resigns are nobody's");
    says(
        &camp.newest("blue", "notice"),
        "The red player has resigned, and the seat is free. The 2 who wait for a seat were asked.",
    );
    assert!(camp.mails(GM).iter().any(|mail| mail.subject == "[alpha] a player has resigned"));
    let before = camp.mails(&player("red")).len();
    camp.post(&old);
    settle(&mut host);
    assert_eq!(verdicts(&mut host).last().map(String::as_str), Some("wrong-sender"));
    assert_eq!(camp.mails(&player("red")).len(), before, "nobody is written to for a free seat");
    // Both answer; the first has it.
    let offers = [ANNA, BEN].map(|who| {
        let offered = camp.mails(who).into_iter().find(|mail| mail.subject == "[alpha] a seat is free");
        confirm_line(&offered.unwrap())
    });
    camp.post(guest_mail(BEN, "ben", &offers[1]));
    camp.post(guest_mail(ANNA, "anna", &offers[0]));
    settle(&mut host);
    says(&answer_to(&camp, ANNA, "anna"), "The seat red is taken.");
    let mails = camp.mails(BEN);
    let of = |kind: &str| mails.iter().find(|mail| mail.message_id.as_deref().unwrap().contains(kind));
    let welcome = of(".invitation.").unwrap();
    assert_eq!(welcome.subject, "[alpha] Welcome: The Ridge, 3 rounds");
    says(welcome, "Welcome: you play the red player from now on.");
    says(welcome, "Nothing need be confirmed.");
    let dispatch = of(".dispatch.").unwrap();
    says(dispatch, "Round 1");
    says(&camp.newest("blue", "notice"), "The red player is played by somebody else from now on.");
    assert!(!format!("{:?}", camp.mails(&player("blue"))).contains(BEN), "no address is given away");
    // The old secret and the old address are worth nothing; the new ones are.
    camp.post(old.replace("<old@", "<old2@"));
    camp.post(
        old.replace("<old@", "<old3@")
            .replace(&format!("From: <{}>", player("red")), &format!("From: <{BEN}>")),
    );
    let answered = Mail {
        from: BEN,
        to: &dispatch.reply_to[0],
        id: "ben2",
        in_reply_to: dispatch.message_id.as_deref(),
        text: &block("BID 2\r\nREADY"),
    };
    camp.post(answered.raw());
    settle(&mut host);
    assert_eq!(verdicts(&mut host)[5..], ["wrong-secret", "wrong-secret", "accepted"]);
    camp.post(camp.answer("blue", "dispatch", "b", &block("BID 1\r\nREADY")));
    settle(&mut host);
    assert!(camp.newest("umpire", "dispatch").subject.contains("Round 1"));
    assert_eq!(camp.mails(&player("red")).len(), before);
    checked(&camp, &mut host);
}

#[test]
fn a_game_waits_for_its_free_seats() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game(&mut host, &[("blue", "open")], "24h");
    settle(&mut host);
    says(&camp.newest("red", "invitation"), "Nobody yet the blue player");
    for seat in ["red", "umpire"] {
        camp.post(camp.answer(seat, "invitation", &format!("join-{seat}"), "JOIN\r\nsalt: dice of mine"));
    }
    settle(&mut host);
    camp.wait(30 * HOUR);
    settle(&mut host);
    assert_eq!(
        camp.count("red", "dispatch"),
        0,
        "the time is over, and the game doesn't begin without a player"
    );
    let Reply::Status { games } = host.execute(Request::Status { game: Some(game()) }).unwrap() else {
        panic!()
    };
    let blue = games[0].seats.iter().find(|one| one.seat == seat("blue")).unwrap();
    assert_eq!((blue.player.as_str(), blue.owes, blue.sent), ("nobody", true, 0));
    let offer = guest(&camp, &mut host, ANNA, "j", "JOIN alpha\r\n");
    says(&offer, "To play a free seat in alpha (The Ridge, 3 rounds)");
    let line = confirm_line(&offer);
    let confirmation = guest_mail(ANNA, "c", &line);
    camp.post(&confirmation);
    camp.post(&confirmation);
    settle(&mut host);
    let seated = changes(&mut host);
    assert_eq!(
        seated[0],
        Change::Seated { seat: seat("blue"), player: Player::Mail { addresses: vec![ANNA.to_owned()] } }
    );
    assert_eq!(seated.len(), 2, "a player and a secret, once: {seated:?}");
    assert_eq!(camp.count("red", "dispatch"), 1, "nobody is missing any more whom the game waits for");
    let mails = camp.mails(ANNA);
    assert_eq!(
        mails.iter().filter(|mail| mail.message_id.as_deref().unwrap().contains(".dispatch.")).count(),
        1
    );
    checked(&camp, &mut host);
}

#[test]
fn who_joins_before_the_game_begins_confirms_like_everybody() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game(&mut host, &[("blue", "open")], "24h");
    settle(&mut host);
    for seat in ["red", "umpire"] {
        camp.post(camp.answer(seat, "invitation", &format!("join-{seat}"), "JOIN\r\nsalt: dice of mine"));
    }
    let line = confirm_line(&guest(&camp, &mut host, ANNA, "j", "JOIN alpha blue\r\n"));
    guest(&camp, &mut host, ANNA, "c", &line);
    assert_eq!(camp.count("red", "dispatch"), 0);
    let welcome = camp
        .mails(ANNA)
        .into_iter()
        .find(|mail| mail.message_id.as_deref().unwrap().contains(".invitation."))
        .unwrap();
    says(&welcome, "at the latest on Sunday 22 November 2026");
    let join = Mail {
        from: ANNA,
        to: &welcome.reply_to[0],
        id: "join",
        in_reply_to: welcome.message_id.as_deref(),
        text: "JOIN\r\nsalt: mine",
    };
    camp.post(join.raw());
    settle(&mut host);
    assert_eq!(camp.count("red", "dispatch"), 1);
    checked(&camp, &mut host);
}

#[test]
fn a_code_is_good_for_its_address_and_for_three_days() {
    let camp = Camp::new();
    let mut host = camp.open();
    another(
        &mut host,
        "alpha",
        &[("red", "open"), ("blue", "open"), ("umpire", "computer")],
        Terms::default(),
    );
    let line = confirm_line(&guest(&camp, &mut host, ANNA, "j", "JOIN alpha red\r\n"));
    says(&guest(&camp, &mut host, BEN, "c1", &line), "not good for this address");
    says(&guest(&camp, &mut host, ANNA, "c2", "CONFIRM alpha.0000000000000000"), "not good for this address");
    says(&guest(&camp, &mut host, ANNA, "c3", "CONFIRM whatever"), "That is no code of this host");
    says(
        &guest(&camp, &mut host, ANNA, "c4", &line.replace("alpha", "omega")),
        "There is no game `omega` here.",
    );
    camp.wait(4 * 24 * HOUR);
    says(&guest(&camp, &mut host, ANNA, "c5", &line), "not any more");
    let line = confirm_line(&guest(&camp, &mut host, ANNA, "j2", "JOIN alpha red\r\n"));
    camp.wait(3 * 24 * HOUR);
    drop(host);
    let mut host = camp.open();
    says(&guest(&camp, &mut host, ANNA, "c6", &line), "You play the red player in alpha.");
    says(&guest(&camp, &mut host, ANNA, "c7", &line), "You play the red player in this game.");
    says(
        &guest(&camp, &mut host, ANNA, "j3", "JOIN alpha blue\r\n"),
        "You play the red player in this game.",
    );
    for (n, wish, why) in [
        (1, "JOIN alpha red", "The seat red is taken. Free: blue."),
        (2, "JOIN alpha green", "This game has no seat `green`: there are blue, red and umpire."),
        (3, "JOIN omega", "There is no game `omega` here."),
        (4, "STANDBY alpha", "There is a free seat now: JOIN alpha takes it."),
        (5, "LEAVE alpha", "You neither watch alpha nor wait for a seat of it."),
    ] {
        says(&guest(&camp, &mut host, BEN, &format!("w{n}"), &format!("{wish}\r\n")), why);
    }
    checked(&camp, &mut host);
}

#[test]
fn those_who_watch_see_every_side_but_later() {
    let camp = Camp::new();
    let mut host = camp.open();
    let seats = [("red", player("red")), ("blue", player("blue")), ("umpire", "computer".to_owned())];
    let seats: Vec<(&str, &str)> = seats.iter().map(|(s, who)| (*s, who.as_str())).collect();
    another(&mut host, "alpha", &seats, Terms { observers_lag: 2, ..Terms::default() });
    for seat in ["red", "blue"] {
        camp.post(camp.answer(seat, "invitation", &format!("join-{seat}"), "JOIN\r\nsalt: dice of mine"));
    }
    settle(&mut host);
    let line = confirm_line(&guest(&camp, &mut host, ANNA, "o", "OBSERVE alpha\r\n"));
    says(&guest(&camp, &mut host, ANNA, "c", &line), "2 turns behind the players");
    says(&guest(&camp, &mut host, ANNA, "o2", "OBSERVE alpha\r\n"), "You watch this game.");
    assert!(camp.mails(GM).iter().any(|mail| mail.subject == "[alpha] somebody watches"));
    let shown = |camp: &Camp| -> Vec<String> {
        let mails = camp.mails(ANNA).into_iter().map(|mail| mail.subject);
        let mut shown: Vec<String> = mails.filter(|subject| subject.starts_with("[alpha] turn")).collect();
        shown.sort();
        shown
    };
    assert_eq!(shown(&camp), Vec::<String>::new());
    // Round 1 and the umpire's ruling run: the founding can be seen.
    let bid = |camp: &Camp, host: &mut Host, n: u32| {
        for seat in ["red", "blue"] {
            camp.post(camp.answer(seat, "dispatch", &format!("bid-{seat}-{n}"), &block("BID 1\r\nREADY")));
        }
        settle(host);
    };
    bid(&camp, &mut host, 1);
    assert_eq!(shown(&camp), ["[alpha] turn 1, founding"]);
    bid(&camp, &mut host, 2);
    assert_eq!(shown(&camp)[1..], ["[alpha] turn 2, round-1", "[alpha] turn 3, ruling-1"]);
    let raw = raw_mails(&camp.path().join("mail").join(ANNA));
    let secrets = ["red", "blue"].map(|seat| camp.newest(seat, "dispatch").reply_to[0].clone());
    for (_, mail) in &raw {
        let mail = String::from_utf8_lossy(mail);
        assert!(secrets.iter().all(|secret| !mail.contains(secret.split('@').next().unwrap())));
    }
    let newest = String::from_utf8_lossy(
        &raw.iter().find(|(_, raw)| String::from_utf8_lossy(raw).contains("turn 3")).unwrap().1,
    )
    .into_owned();
    for name in ["red.txt", "blue.txt", "umpire.txt"] {
        assert!(newest.contains(name), "{newest}");
    }
    // A stop in between changes nothing; the end is shown whole.
    drop(host);
    let mut host = camp.open();
    bid(&camp, &mut host, 3);
    let seen = shown(&camp);
    assert_eq!(
        seen[3..],
        [
            "[alpha] turn 4, round-2",
            "[alpha] turn 5, ruling-2",
            "[alpha] turn 6, round-3",
            "[alpha] turn 7, ruling-3"
        ],
        "the last ones as soon as the game is over"
    );
    says(&guest(&camp, &mut host, ANNA, "l", "LEAVE alpha\r\n"), "You neither watch alpha");
    checked(&camp, &mut host);
}

#[test]
fn a_player_of_the_game_cannot_watch_it_and_who_leaves_is_shown_no_more() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    says(&asked(&camp, &mut host, "red", "o", "OBSERVE alpha\r\n"), "You play the red player in this game.");
    let line = confirm_line(&guest(&camp, &mut host, ANNA, "o", "OBSERVE alpha\r\n"));
    guest(&camp, &mut host, ANNA, "c", &line);
    says(&guest(&camp, &mut host, ANNA, "l", "LEAVE alpha\r\n"), "You neither watch alpha nor wait");
    for _ in 0..3 {
        camp.wait(25 * HOUR);
        settle(&mut host);
    }
    let shown = |camp: &Camp| camp.mails(ANNA).iter().filter(|mail| mail.subject.contains("turn")).count();
    assert_eq!(shown(&camp), 0);
    // Who comes back is shown the newest again, as often as that is.
    for n in 1..3 {
        let line = confirm_line(&guest(&camp, &mut host, BEN, &format!("o{n}"), "OBSERVE alpha\r\n"));
        says(&guest(&camp, &mut host, BEN, &format!("c{n}"), &line), "You watch alpha");
        assert_eq!(camp.mails(BEN).iter().filter(|mail| mail.subject.contains("turn")).count(), n);
        if n == 1 {
            guest(&camp, &mut host, BEN, "l1", "LEAVE alpha\r\n");
        }
    }
}

#[test]
fn a_stranger_is_answered_so_often_a_day() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game(&mut host, &[("blue", "open")], "24h");
    settle(&mut host);
    let before = camp.mails(ANNA).len();
    for n in 0..4 {
        camp.post(guest_mail(ANNA, &format!("l{n}"), "LIST\r\nHELP\r\n"));
        camp.post(guest_mail(ANNA, &format!("x{n}"), "I would like to play.\r\n"));
    }
    settle(&mut host);
    assert_eq!(camp.mails(ANNA).len(), before + 1, "one help a day, asked for or not");
    for n in 0..9 {
        camp.post(guest_mail(ANNA, &format!("j{n}"), "JOIN alpha blue\r\n"));
    }
    settle(&mut host);
    assert_eq!(camp.mails(ANNA).len(), before + 1 + 5);
    camp.wait(24 * HOUR);
    says(&guest(&camp, &mut host, ANNA, "again", "LIST\r\n"), "JOIN alpha blue");
    // A command of a seat is nobody's without its secret.
    says(&guest(&camp, &mut host, BEN, "r", "RESIGN\r\n"), "That is for the player of a seat");
    says(&guest(&camp, &mut host, &player("red"), "r", "RESIGN\r\n"), "That is for the player of a seat");
    assert_eq!(changes(&mut host), []);
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

#[test]
fn one_who_plays_elsewhere_joins_by_an_answer_to_any_mail() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    another(
        &mut host,
        "beta",
        &[("red", &player("blue")), ("blue", "open"), ("umpire", "computer")],
        Terms::default(),
    );
    let offer = asked(&camp, &mut host, "red", "j", "JOIN beta blue\r\nSTATUS\r\nJOIN alpha\r\n");
    says(&offer, "To play the blue player in beta");
    says(&offer, "To confirm it before the game begins, write JOIN alone");
    let answer = asked(&camp, &mut host, "red", "c", &format!("{}\r\nSTATUS\r\n", confirm_line(&offer)));
    says(&answer, "You play the blue player in beta.");
    says(&answer, "beta: The Ridge");
    assert_eq!(changes(&mut host), [], "of alpha nothing has changed");
    assert!(
        camp.mails(&player("red")).iter().any(|mail| mail.subject == "[beta] Welcome: The Ridge, 3 rounds")
    );
}

#[test]
fn a_turn_that_waits_for_the_gm_is_not_reported_by_command() {
    let camp = Camp::new();
    let mut host = camp.open();
    let seats = [("red", player("red")), ("blue", player("blue")), ("umpire", player("umpire"))];
    let seats: Vec<(&str, &str)> = seats.iter().map(|(s, who)| (*s, who.as_str())).collect();
    another(
        &mut host,
        "alpha",
        &seats,
        Terms { approval: Some(48 * 60), observers_lag: 0, ..Terms::default() },
    );
    let line = confirm_line(&guest(&camp, &mut host, ANNA, "o", "OBSERVE alpha\r\n"));
    guest(&camp, &mut host, ANNA, "c", &line);
    for seat in ["red", "blue", "umpire"] {
        camp.post(camp.answer(seat, "invitation", &format!("join-{seat}"), "JOIN\r\nsalt: dice of mine"));
    }
    settle(&mut host);
    camp.post(camp.answer(
        "red",
        "invitation",
        "q",
        "REPORT\r\nREPORT 1\r\nHISTORY\r\nSTATUS\r\nPREVIEW\r\nWITHDRAW ORDERS\r\n",
    ));
    settle(&mut host);
    let answer = answer_to(&camp, &player("red"), "q");
    says(&answer, "Nothing has been reported yet");
    says(&answer, "Stands the GM, who looks at the turn that has run");
    says(&answer, "so none can be taken back");
    let raw = raw_mails(&camp.path().join("mail").join(player("red")));
    assert!(!raw.iter().any(|(_, raw)| String::from_utf8_lossy(raw).contains("coins")));
    assert!(
        !camp.mails(ANNA).iter().any(|mail| mail.subject.contains("turn 1")),
        "nor is it shown to those who watch"
    );
    camp.wait(48 * HOUR);
    settle(&mut host);
    assert_eq!(camp.count("red", "dispatch"), 1);
    assert!(camp.mails(ANNA).iter().any(|mail| mail.subject.contains("turn 1")));
    checked(&camp, &mut host);
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
        "PREVIEW",
        "WITHDRAW ORDERS",
        "ABSENT UNTIL 2026-12-01",
        "BACK",
        "EXTEND 2d",
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
    let line = confirm_line(&guest(camp, host, who, &format!("wish-{who}"), wish));
    guest(camp, host, who, &format!("yes-{who}"), &line);
}

fn gm(host: &mut Host, text: &str) {
    let Reply::Gm { .. } =
        host.execute(Request::Gm { game: game(), text: text.to_owned(), yes: true }).unwrap()
    else {
        panic!()
    };
    settle(host);
}

#[test]
fn whom_the_gm_gives_a_seat_watches_no_more() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    listed(&camp, &mut host, ANNA, "OBSERVE alpha");
    gm(&mut host, &format!("REPLACE red {ANNA}"));
    let said = guest(&camp, &mut host, ANNA, "leave", "LEAVE alpha");
    says(&said, "You play in this game");
    assert!(changes(&mut host).contains(&Change::Observer { address: ANNA.to_owned(), listed: false }));
    checked(&camp, &mut host);
}

#[test]
fn when_the_gm_frees_a_seat_those_who_wait_are_asked() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    listed(&camp, &mut host, ANNA, "STANDBY alpha red");
    listed(&camp, &mut host, BEN, "STANDBY alpha blue");
    gm(&mut host, "EJECT red");
    let asked = |camp: &Camp, who: &str| {
        camp.mails(who).into_iter().find(|mail| mail.subject == "[alpha] a seat is free")
    };
    assert!(asked(&camp, BEN).is_none());
    let line = confirm_line(&asked(&camp, ANNA).unwrap());
    says(&guest(&camp, &mut host, ANNA, "take", &line), "You play the red player in alpha.");
    checked(&camp, &mut host);
}
