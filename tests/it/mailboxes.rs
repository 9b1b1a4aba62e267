//! What mailboxes say of themselves and of the time, and what the log says of them.

use std::collections::VecDeque;
use std::io;

use musterd::daemon::clock::Clock;
use musterd::daemon::{Host, serve};
use musterd::post::{Drained, Keep, PostError, Source};

use crate::support::*;
use crate::trouble::log_of;

const MINUTE: i64 = 60;

/// A founded game whose first window, of 24 hours, was opened so long ago by the system's clock; it is that clock's time now.
fn opened_ago(seconds: i64) -> (Camp, Host, i64) {
    let mut camp = Camp::new();
    let now = Clock::System.now();
    camp.clock = Clock::at(now - seconds);
    let mut host = camp.open();
    founded(&camp, &mut host);
    drop(host);
    camp.clock = Clock::System;
    let host = camp.open();
    (camp, host, now)
}

fn take_in(host: &mut Host) -> usize {
    let (mut sources, _) = local_mail(host);
    serve::take_in(host, &mut sources, &mut |_, _| Ok(())).unwrap()
}

#[test]
fn a_mailbox_whose_clock_is_ahead_makes_no_orders_late() {
    let (camp, mut host, now) = opened_ago(23 * HOUR);
    for (seat, ahead) in [("red", 2 * HOUR), ("blue", 4 * 24 * HOUR)] {
        let orders = camp.answer(seat, "dispatch", seat, &block("BID 3"));
        put(&camp.inbox(), seat, orders.as_bytes(), now + ahead);
    }
    assert_eq!(take_in(&mut host), 2);
    assert_eq!(verdicts(&mut host)[3..], ["accepted", "accepted"]);
    let arrived: Vec<i64> = received(&mut host)[3..].iter().map(|mail| mail.arrived).collect();
    assert!(arrived.iter().all(|at| (now..=Clock::System.now()).contains(at)), "{arrived:?}");
}

#[test]
fn what_came_before_the_deadline_and_is_found_after_it_is_in_time() {
    let (camp, mut host, now) = opened_ago(25 * HOUR);
    for (seat, before) in [("red", 61 * MINUTE), ("blue", 59 * MINUTE)] {
        let orders = camp.answer(seat, "dispatch", seat, &block("BID 3"));
        put(&camp.inbox(), seat, orders.as_bytes(), now - before);
    }
    assert_eq!(take_in(&mut host), 2);
    assert_eq!(verdicts(&mut host)[3..], ["accepted", "late"]);
}

/// A mailbox with a trouble for each look.
struct Troubled(VecDeque<Option<io::ErrorKind>>);

impl Source for Troubled {
    fn name(&self) -> &str {
        "troubled"
    }

    fn drain(&mut self, _: &mut dyn Keep) -> Result<Drained, PostError> {
        let server = "imap.example.org:993".to_owned();
        match self.0.pop_front().flatten() {
            Some(kind) => Err(PostError::Connect { server, error: kind.into() }),
            None => Ok(Drained::default()),
        }
    }
}

#[test]
fn trouble_with_a_mailbox_is_told_when_it_begins_and_when_it_changes_and_then_once_an_hour() {
    let (refused, silent) = (Some(io::ErrorKind::ConnectionRefused), Some(io::ErrorKind::TimedOut));
    let camp = Camp::new();
    let mut host = camp.open();
    let looks = [
        // What it says, seconds after the look before, and whether the log tells of it.
        (refused, 0, true),
        (refused, 1, false),
        (silent, 1, true),
        (silent, 3000, false),
        (silent, 600, true),
        (None, 1, true),
        (silent, 1, true),
    ];
    let mut sources: [Box<dyn Source>; 1] =
        [Box::new(Troubled(looks.iter().map(|(trouble, ..)| *trouble).collect()))];
    for (n, (_, after, told)) in looks.into_iter().enumerate() {
        camp.wait(after);
        let log =
            log_of(|| assert_eq!(serve::take_in(&mut host, &mut sources, &mut |_, _| Ok(())).unwrap(), 0));
        assert_eq!(
            log.lines().filter(|line| line.contains("this mailbox")).count(),
            usize::from(told),
            "{n}: {log}"
        );
    }
}
