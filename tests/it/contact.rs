//! READY UNTIL CONTACT: turns in which nothing is in reach run without a mail, and stop when something is.

use std::collections::BTreeMap;

use musterd::daemon::{Host, NewGame, Request};
use musterd::engine::journal::{Cause, Change};
use musterd::engine::terms::Terms;

use super::replay::replay;
use super::support::*;
use super::toy::seat;

/// A campaign of La Grande Armee that has begun, with a person for each side.
fn campaign(camp: &Camp, scenario: &str, terms: Terms) -> Host {
    let mut host = camp.open();
    let seats = ["french", "allied"].map(|name| (seat(name), player(name)));
    let new = NewGame {
        scenario: scenario.to_owned(),
        seats: BTreeMap::from(seats),
        start_now: true,
        ..toy_game(&[], "24h", terms)
    };
    host.execute(Request::found(new)).unwrap();
    settle(&mut host);
    host
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
    let terms = Terms { recall: Some(15), ..Terms::default() };
    let mut host = campaign(&camp, "lga/austrian-1805", terms);
    for who in ["french", "allied"] {
        camp.post(camp.answer(who, "dispatch", who, &block("READY UNTIL CONTACT")));
        settle(&mut host);
        let receipt = camp.newest(who, "receipt");
        let text = receipt.body.as_ref().unwrap().text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            text.contains("turns to come go on without a mail of yours until something is in reach"),
            "{text}"
        );
    }
    let before = ran(&mut host);
    for hour in 0..12 {
        camp.wait(HOUR / 3);
        settle(&mut host);
        println!("{hour}: {:?}", ran(&mut host));
    }
    let after = ran(&mut host);
    assert!(after.0 > before.0 + 1 && after.1 > 0, "turns run by themselves: {before:?} {after:?}");
    let told = camp.mails(&player("french"));
    println!("{:?}", told.iter().map(|mail| mail.subject.clone()).collect::<Vec<_>>());
    let told = camp.mails(&player("allied"));
    println!("{:?}", told.iter().map(|mail| mail.subject.clone()).collect::<Vec<_>>());
    let _ = replay;
}
