//! Somebody takes a seat shortly before a deadline: the deadline moves so far that there is time to read and to order, once, and all
//! are told.

use musterd::daemon::{Host, Reply, Request};
use musterd::engine::journal::Cause;
use musterd::engine::terms::{Missing, Terms};
use musterd::letter::Letter;

use super::replay::replay;
use super::support::*;
use super::verify::mails_fit;

const ZOE: &str = "zoe@players.example";

fn terms() -> Terms {
    Terms { newcomer: 24 * 60, ..Terms::default() }
}

/// The moves of deadlines: hours after noon, and why.
fn moves(host: &mut Host) -> Vec<(i64, String)> {
    let moved = journal(host).into_iter().filter_map(|entry| match entry.cause {
        Cause::Rescheduled { deadline, reason, .. } => Some(((deadline - NOON) / HOUR, reason)),
        _ => None,
    });
    moved.filter(|(_, reason)| reason != "ready").collect()
}

fn newcomer(hours: i64) -> (i64, String) {
    (hours, "newcomer".to_owned())
}

fn gm(host: &mut Host, text: &str) -> String {
    let request = Request::Gm { game: game(), text: text.to_owned(), yes: true };
    let Reply::Gm { answers, .. } = host.execute(request).unwrap() else { panic!() };
    settle(host);
    answers[0].paragraphs.join(" ")
}

fn words(mail: &Letter) -> String {
    mail.body.as_ref().unwrap().text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn mail_of(camp: &Camp, address: &str, kind: &str) -> Letter {
    let mut mails = camp.mails(address);
    mails.retain(|mail| is_of_kind(mail, kind));
    mails.pop().unwrap_or_else(|| panic!("no {kind} for {address}"))
}

#[test]
fn a_player_whom_the_gm_seats_has_a_day_and_all_are_told_in_one_mail() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded_on(&camp, &mut host, terms());
    camp.wait(22 * HOUR);
    settle(&mut host);
    let said = gm(&mut host, &format!("REPLACE red {ZOE}"));
    assert!(said.contains("the deadline is now Monday 23 November 2026, 10:00 UTC"), "{said}");
    assert_eq!(moves(&mut host), [newcomer(46)]);
    let until = "taken until Monday 23 November 2026, 10:00 UTC";
    for seat in ["blue", "umpire"] {
        let told = camp.newest(seat, "notice");
        assert_eq!(told.subject, "[alpha] another player");
        assert!(words(&told).contains("The new player gets some time.") && words(&told).contains(until));
    }
    assert!(words(&mail_of(&camp, ZOE, "dispatch")).contains("Monday 23 November 2026, 10:00 UTC"));
    let log: Vec<String> =
        journal(&mut host).iter().flat_map(|e| e.cause.log_entries()).map(|line| line.body()).collect();
    assert!(log.contains(&format!("2 {}", NOON + 46 * HOUR)), "{log:?}");
    // A second new player in the same turn gets no more: seats that change hands don't hold a game up.
    camp.wait(22 * HOUR);
    gm(&mut host, "REPLACE red yan@players.example");
    assert_eq!(moves(&mut host), [newcomer(46)]);
    let entries = journal(&mut host);
    replay(&desk(), &entries, &camp.secrets());
    mails_fit(&camp, &entries);
}

#[test]
fn whoever_joins_has_the_same_time() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded_on(&camp, &mut host, terms());
    gm(&mut host, "REPLACE red open");
    camp.wait(23 * HOUR);
    settle(&mut host);
    let mut write = |id: &str, text: &str| {
        camp.post(Mail { from: ZOE, to: HOST, id, in_reply_to: None, text }.raw());
        settle(&mut host);
        let id = format!("{id}@players.example");
        camp.mails(ZOE).into_iter().find(|mail| mail.in_reply_to.as_ref() == Some(&id)).unwrap()
    };
    let offer = write("join", "JOIN alpha red");
    let text = offer.body.unwrap().text;
    write("yes", text.lines().find(|line| line.starts_with("CONFIRM ")).unwrap());
    assert_eq!(moves(&mut host), [newcomer(47)]);
    assert_eq!(camp.newest("blue", "notice").subject, "[alpha] a new player");
}

#[test]
fn no_time_is_given_where_enough_is_left_none_is_wanted_or_the_terms_give_none() {
    let case = |terms: Terms, wait: i64, command: &str| {
        let camp = Camp::new();
        let mut host = camp.open();
        founded_on(&camp, &mut host, terms);
        camp.wait(wait * HOUR);
        settle(&mut host);
        gm(&mut host, command);
        moves(&mut host)
    };
    let zoe = format!("REPLACE red {ZOE}");
    assert_eq!(case(Terms { newcomer: 60, ..terms() }, 12, &zoe), [], "twelve hours are left");
    assert_eq!(case(Terms { newcomer: 0, ..terms() }, 23, &zoe), []);
    assert_eq!(case(terms(), 23, "REPLACE red computer"), []);
    assert_eq!(case(terms(), 23, &format!("REPLACE umpire {ZOE}")), [], "the umpire rules in the next turn");
    // A turn that waits beyond its deadline waits from now on.
    let held = Terms { missing: Missing::Gm, ..terms() };
    assert_eq!(case(held, 40, &zoe), [newcomer(64)]);
}

#[test]
fn the_time_of_a_new_player_ends_on_no_free_day() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game_on(&mut host, &[], "6d not weekends", terms());
    settle(&mut host);
    for seat in ["red", "blue", "umpire"] {
        camp.post(camp.answer(seat, "invitation", &format!("join-{seat}"), "JOIN"));
    }
    settle(&mut host);
    // Friday the 27th, 11:00, an hour before the deadline: a day more is a Saturday.
    camp.wait(6 * 24 * HOUR - HOUR);
    settle(&mut host);
    gm(&mut host, &format!("REPLACE red {ZOE}"));
    assert_eq!(moves(&mut host), [newcomer(9 * 24 - 1)], "Monday");
}

#[test]
fn in_a_pause_the_time_that_is_left_is_what_counts() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded_on(&camp, &mut host, Terms { newcomer: 6 * 60, ..Terms::default() });
    camp.wait(20 * HOUR);
    settle(&mut host);
    gm(&mut host, "PAUSE");
    camp.wait(48 * HOUR);
    gm(&mut host, &format!("REPLACE red {ZOE}"));
    assert_eq!(moves(&mut host), [newcomer(26)], "four hours were left, and are six now");
    gm(&mut host, "RESUME");
    assert_eq!(moves(&mut host).last(), Some(&(26 + 48, "resumed".to_owned())));
}
