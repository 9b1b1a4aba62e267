//! Mail that the relay puts off: what it says of everybody, of one recipient, and of an address that is dropped meanwhile.

use std::fs;

use musterd::daemon::{Host, Reply, Request, Vitals, serve};
use musterd::letter::Letter;
use musterd::post::{Outcome, Relay};

use super::reach::{SECOND, Says, add_address, camp, dispatches, hours, marks, status, told_gm};
use super::support::*;

const DAY: i64 = 24;

fn grey() -> Outcome {
    Outcome::Deferred("451 4.7.1 Greylisted, try again in five minutes".to_owned())
}

/// A relay that puts off red's first address, and takes what is for anybody else.
fn grey_for_red(host: &Host) -> Box<dyn Relay> {
    Box::new(Says(|to: &str| (to == player("red")).then(grey), local_mail(host).1))
}

/// A relay that says this of everybody's mail.
fn says_to_all(host: &Host, outcome: Outcome) -> Box<dyn Relay> {
    Box::new(Says(move |_: &str| Some(outcome.clone()), local_mail(host).1))
}

fn vitals(host: &mut Host) -> Vitals {
    match host.execute(Request::Vitals).unwrap() {
        Reply::Vitals(vitals) => *vitals,
        other => panic!("{other:?}"),
    }
}

fn settle_with(host: &mut Host, relay: &dyn Relay) {
    let (mut sources, _) = local_mail(host);
    serve::settle(host, &mut sources, relay).unwrap();
}

/// That nothing was lost: nobody's mail failed, and red's arrives where it was sent to once the relay takes mail again.
fn nothing_is_lost(camp: &Camp, host: &mut Host, what: &str) {
    let refused = vitals(host).counters.refused_by_relay;
    assert_eq!((marks(host), told_gm(camp).len(), refused), ((0, 0), 0, 0), "{what}");
    let (first, second) = (dispatches(camp, &player("red")).len(), dispatches(camp, SECOND).len());
    let relay = local_mail(host).1;
    hours(camp, host, &*relay, 10);
    assert!(dispatches(camp, &player("red")).len() > first, "{what}");
    assert_eq!(dispatches(camp, SECOND).len(), second, "{what}");
}

#[test]
fn what_the_relay_says_of_everybodys_mail_loses_none_however_long_it_lasts() {
    for outcome in [
        Outcome::Deferred("452 4.3.1 Insufficient system storage".to_owned()),
        Outcome::Deferred("421 4.3.2 no more".to_owned()),
        Outcome::Refused("550 5.4.5 Daily user sending limit exceeded".to_owned()),
        Outcome::Login("454 4.7.0 temporary authentication failure".to_owned()),
    ] {
        for restarts in [false, true] {
            let (camp, mut host) = camp();
            let what = format!("{outcome:?}, started anew: {restarts}");
            let relay = says_to_all(&host, outcome.clone());
            hours(&camp, &mut host, &*relay, 6 * DAY);
            if restarts {
                drop(host);
                host = camp.open();
            }
            hours(&camp, &mut host, &*relay, 6 * DAY);
            if !restarts {
                // Whom his own server greets with a grey list then has his time before him.
                let grey = grey_for_red(&host);
                hours(&camp, &mut host, &*grey, 8);
            }
            nothing_is_lost(&camp, &mut host, &what);
        }
    }
}

#[test]
fn a_mail_that_was_put_off_before_the_relay_took_nobodys_is_not_lost_with_it() {
    let (camp, mut host) = camp();
    let relay = grey_for_red(&host);
    camp.wait(25 * HOUR);
    settle_with(&mut host, &*relay);
    let full = Outcome::Deferred("452 4.3.1 Insufficient system storage".to_owned());
    let relay = says_to_all(&host, full);
    hours(&camp, &mut host, &*relay, 6 * DAY);
    nothing_is_lost(&camp, &mut host, "greylisted, and then no room for anybody");
}

#[test]
fn days_in_which_nobody_asked_are_no_days_of_a_refusal() {
    type Days = fn(&Camp, &mut Host);
    let days: [(&str, Days); 3] = [
        ("the daemon was off", |camp, _| camp.wait(6 * DAY * HOUR)),
        ("the relay was out of reach", |camp, host| {
            let relay = says_to_all(host, Outcome::Unreached("no route".to_owned()));
            hours(camp, host, &*relay, 6 * DAY);
        }),
        ("the relay wanted a login for red's mail", |camp, host| {
            let login = Outcome::Login("530 5.7.0 log in first".to_owned());
            let relay =
                Says(move |to: &str| (to == player("red")).then(|| login.clone()), local_mail(host).1);
            hours(camp, host, &relay, 6 * DAY);
        }),
    ];
    for (what, days) in days {
        let (camp, mut host) = camp();
        let relay = grey_for_red(&host);
        camp.wait(25 * HOUR);
        settle_with(&mut host, &*relay);
        days(&camp, &mut host);
        // Two tries, and mail of others that is taken meanwhile.
        hours(&camp, &mut host, &*relay, 10);
        nothing_is_lost(&camp, &mut host, what);
    }
}

#[test]
fn a_host_that_cron_starts_gives_up_too_what_one_server_alone_puts_off() {
    let (camp, mut host) = camp();
    let relay = grey_for_red(&host);
    for day in 0.. {
        assert!(day < 60, "it is never given up");
        drop(host);
        camp.wait(DAY * HOUR);
        host = camp.open();
        settle_with(&mut host, &*relay);
        if !told_gm(&camp).is_empty() {
            assert!(day >= 4, "{day}");
            break;
        }
    }
    assert!(!dispatches(&camp, SECOND).is_empty(), "the second address gets it");
}

#[test]
fn what_waits_at_an_address_that_its_player_drops_goes_to_the_next_one_once() {
    let (camp, mut host) = camp();
    add_address(&camp, &mut host, "red@third.example");
    let relay = grey_for_red(&host);
    camp.wait(25 * HOUR);
    settle_with(&mut host, &*relay);
    let [first, second] = [player("red"), SECOND.to_owned()];
    let to = camp.newest("red", "dispatch").reply_to[0].clone();
    let before = (camp.mails(&first).len(), dispatches(&camp, &second).len());
    let waiting = status(&mut host, "red").waiting;
    assert!(waiting > 0);
    // Answers of the same moment, to what he asks from the address that he drops, wait there too.
    for (id, from, text) in [
        ("ask", &first, "STATUS".to_owned()),
        ("drop", &second, format!("ADDRESS DROP {first}\r\nNEW SECRET")),
    ] {
        camp.post(Mail { from, to: &to, id, in_reply_to: None, text: &text }.raw());
    }
    settle_with(&mut host, &*relay);
    assert_eq!(camp.mails(&first).len(), before.0);
    assert_eq!(dispatches(&camp, &second).len(), before.1 + 1, "the dispatch that waited");
    let is_answer = |mail: &Letter| mail.in_reply_to.iter().any(|id| id.starts_with("ask@"));
    assert_eq!(camp.mails(&second).into_iter().filter(is_answer).count(), 1, "to his question");
    let now = status(&mut host, "red");
    assert_eq!((now.waiting, now.failed), (0, 0), "{now:?}");
    let sent = camp.mails(&second).len();
    hours(&camp, &mut host, &*relay, 5);
    assert_eq!(camp.mails(&second).len(), sent);
}

#[test]
fn a_mail_follows_its_player_through_two_addresses_that_are_dropped_at_once() {
    const THIRD: &str = "red@third.example";
    for together in [true, false] {
        let (camp, mut host) = camp();
        add_address(&camp, &mut host, THIRD);
        let relay = says_to_all(&host, Outcome::Unreached("no route".to_owned()));
        camp.wait(25 * HOUR);
        settle_with(&mut host, &*relay);
        let to = camp.newest("red", "dispatch").reply_to[0].clone();
        let drops = [player("red"), SECOND.to_owned()].map(|address| format!("ADDRESS DROP {address}"));
        let mails = if together { vec![drops.join("\r\n")] } else { drops.to_vec() };
        for (n, text) in mails.iter().enumerate() {
            camp.post(Mail { from: THIRD, to: &to, id: &format!("drop-{n}"), in_reply_to: None, text }.raw());
        }
        let before = [&player("red"), SECOND, THIRD].map(|address| dispatches(&camp, address).len());
        settle_with(&mut host, &*relay);
        camp.wait(HOUR);
        settle(&mut host);
        let after = [&player("red"), SECOND, THIRD].map(|address| dispatches(&camp, address).len());
        assert_eq!(after, [before[0], before[1], before[2] + 1], "in one mail: {together}");
        assert_eq!((vitals(&mut host).spool_waiting, status(&mut host, "red").failed), (0, 0));
        // The mirror journal is enough to know it.
        drop(host);
        fs::remove_dir_all(camp.path().join("store")).unwrap();
        let mut host = camp.open();
        settle(&mut host);
        assert_eq!(dispatches(&camp, THIRD).len(), after[2]);
    }
}
