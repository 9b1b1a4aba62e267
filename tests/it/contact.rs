//! READY UNTIL CONTACT: turns in which nothing is in reach run without a mail, and stop when something is.

use std::collections::BTreeMap;

use musterd::daemon::{Host, NewGame, Request};
use musterd::engine::journal::{Cause, Change};
use musterd::engine::terms::Terms;

use super::replay::replay;
use super::support::*;

/// A game of the toy that has begun, with persons who bid and the computer as umpire. Nothing is in reach there but a clash, which only the umpire meets.
fn ridge(camp: &Camp, recall: Option<u32>) -> Host {
    let mut host = camp.open();
    let terms = Terms { recall, ..Terms::default() };
    let new = NewGame { start_now: true, ..toy_game(&[("umpire", "computer")], "24h", terms) };
    host.execute(Request::found(new)).unwrap();
    settle(&mut host);
    host
}

fn ready_until_contact(camp: &Camp, host: &mut Host, who: &str) {
    camp.post(camp.answer(who, "dispatch", who, &block("READY UNTIL CONTACT")));
    settle(host);
}

fn text(mail: &musterd::letter::Letter) -> String {
    mail.body.as_ref().unwrap().text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The turns that ran, and how often a seat went on without a mail.
fn ran(host: &mut Host) -> (usize, usize) {
    let entries = journal(host);
    let is_run = |cause: &Cause| matches!(cause, Cause::Adjudicated { .. });
    let goes_on = |cause: &Cause| matches!(cause, Cause::Arranged(arranged) if matches!(arranged.change, Change::GoesOn { .. }));
    let count = |is: &dyn Fn(&Cause) -> bool| entries.iter().filter(|entry| is(&entry.cause)).count();
    (count(&is_run), count(&goes_on))
}

#[test]
fn turns_without_contact_run_without_a_mail_and_a_mail_stops_them() {
    let camp = Camp::new();
    let mut host = ridge(&camp, Some(15));
    for who in ["red", "blue"] {
        ready_until_contact(&camp, &mut host, who);
        let said = "turns to come go on without a mail of yours until something is in reach";
        assert!(text(&camp.newest(who, "receipt")).contains(said));
    }
    let before = ran(&mut host);
    camp.wait(HOUR / 3);
    settle(&mut host);
    let after = ran(&mut host);
    assert_eq!(after, (before.0 + 2, 2), "bids by mail, then the umpire's word, and the next turn is ready");
    // Whoever orders again is waited for.
    camp.post(camp.answer("red", "dispatch", "halt", &block("WAIT")));
    settle(&mut host);
    camp.wait(3 * HOUR);
    settle(&mut host);
    assert_eq!(ran(&mut host).0, after.0, "no turn runs before its deadline");
    let is_theirs = |cause: &Cause| matches!(cause, Cause::Received(mail) if mail.seat.as_ref().is_some_and(|seat| seat.as_str() != "umpire"));
    let theirs = journal(&mut host).iter().filter(|entry| is_theirs(&entry.cause)).count();
    assert_eq!(theirs, 3, "no orders were made up");
    camp.post(camp.answer("red", "dispatch", "on", &block("READY")));
    settle(&mut host);
    camp.wait(HOUR / 3);
    settle(&mut host);
    let (turns, went_on) = ran(&mut host);
    assert_eq!((turns, went_on), (after.0 + 2, 3), "blue goes on, red is asked again");
    assert!(text(&camp.newest("red", "dispatch")).contains("Round 3"));
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn where_nothing_waits_the_turns_run_to_the_end() {
    let camp = Camp::new();
    let mut host = ridge(&camp, None);
    for who in ["red", "blue"] {
        ready_until_contact(&camp, &mut host, who);
    }
    camp.wait(HOUR);
    settle(&mut host);
    assert!(ran(&mut host).0 >= 4, "{:?}", ran(&mut host));
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn contact_asks_for_orders_again() {
    let camp = Camp::new();
    let mut host = camp.open();
    let seats = ["union", "confederate"].map(|name| (name.parse().unwrap(), player(name)));
    let new = NewGame {
        scenario: "acw/bull-run".to_owned(),
        seats: BTreeMap::from(seats),
        start_now: true,
        ..toy_game(&[], "24h", Terms { recall: None, ..Terms::default() })
    };
    host.execute(Request::found(new)).unwrap();
    settle(&mut host);
    for who in ["union", "confederate"] {
        ready_until_contact(&camp, &mut host, who);
    }
    let told = camp.newest("union", "notice");
    assert_eq!(told.subject, "[alpha] your orders are wanted");
    assert!(
        text(&told).contains("You were READY UNTIL CONTACT. Now there is an enemy at"),
        "{}",
        text(&told)
    );
    let turns = ran(&mut host).0;
    camp.wait(12 * HOUR);
    settle(&mut host);
    assert_eq!(ran(&mut host).0, turns, "the turn waits for orders");
}
