//! READY UNTIL CONTACT: turns in which nothing is in reach run without a mail, and stop when something is.

use musterd::daemon::{Host, NewGame, Reply, Request};
use musterd::engine::journal::{Cause, Change};
use musterd::engine::terms::{Reveal, Terms};

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

#[cfg(feature = "acw")]
#[test]
fn contact_asks_for_orders_again() {
    let camp = Camp::new();
    let mut host = camp.open();
    let seats = ["union", "confederate"].map(|name| (name.parse().unwrap(), player(name)));
    let new = NewGame {
        scenario: "acw/bull-run".to_owned(),
        seats: seats.into(),
        start_now: true,
        ..toy_game(&[], "24h", Terms { recall: None, ..Terms::default() })
    };
    host.execute(Request::found(new)).unwrap();
    settle(&mut host);
    // Orders that were left for the turn don't keep the word back.
    camp.post(camp.answer("union", "dispatch", "left", &format!("AHEAD\r\n{}", block("COLUMN 1"))));
    settle(&mut host);
    for who in ["union", "confederate"] {
        ready_until_contact(&camp, &mut host, who);
    }
    assert!(text(&camp.newest("union", "receipt")).contains("READY UNTIL CONTACT ends with them"));
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

/// A command of the GM's.
fn gm(host: &mut Host, text: &str) -> String {
    let request = Request::Gm { game: game(), text: text.to_owned(), yes: true };
    let Reply::Gm { answers, .. } = host.execute(request).unwrap() else { panic!() };
    settle(host);
    answers.into_iter().flat_map(|answer| answer.paragraphs).collect::<Vec<_>>().join(" ")
}

/// A game in which red goes on without a mail, as soon as it has run a turn, with the turns that ran by then. Blue is waited for.
fn red_goes_on(camp: &Camp, host: &mut Host) -> usize {
    ready_until_contact(camp, host, "red");
    camp.post(camp.answer("blue", "dispatch", "blue-first", &block("READY")));
    settle(host);
    let (turns, went_on) = ran(host);
    assert_eq!(went_on, 1, "red goes on, and blue is waited for");
    turns
}

#[test]
fn who_takes_his_orders_back_is_waited_for() {
    let camp = Camp::new();
    let mut host = ridge(&camp, None);
    let turns = red_goes_on(&camp, &mut host);
    camp.post(camp.answer("red", "dispatch", "bid", &block("BID 2")));
    settle(&mut host);
    camp.post(camp.answer("blue", "dispatch", "blue-again", &block("BID 1\r\nREADY")));
    settle(&mut host);
    assert_eq!(ran(&mut host).0, turns);
    camp.post(camp.answer("red", "dispatch", "no", "WITHDRAW ORDERS"));
    settle(&mut host);
    assert_eq!(ran(&mut host).0, turns, "no turn runs without him");
    camp.wait(25 * HOUR);
    settle(&mut host);
    let (after, went_on) = ran(&mut host);
    assert!(after > turns && went_on == 1, "the deadline is over, and he is asked in the next turn too");
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn a_turn_that_is_taken_back_leaves_nobody_ready() {
    let camp = Camp::new();
    let mut host = ridge(&camp, None);
    for who in ["red", "blue"] {
        camp.post(camp.answer(who, "dispatch", &format!("{who}-first"), &block("BID 1\r\nREADY")));
    }
    settle(&mut host);
    let first = ran(&mut host).0;
    red_goes_on(&camp, &mut host);
    let told = gm(&mut host, &format!("ROLLBACK {}", first + 1));
    assert!(told.contains("Open now"), "{told}");
    let (turns, went_on) = ran(&mut host);
    camp.post(camp.answer("blue", "dispatch", "blue-anew", &block("BID 3\r\nREADY")));
    settle(&mut host);
    assert_eq!(ran(&mut host), (turns, went_on), "red is asked anew");
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn a_new_player_does_not_go_on_by_the_words_of_the_one_before() {
    let camp = Camp::new();
    let mut host = ridge(&camp, None);
    ready_until_contact(&camp, &mut host, "red");
    let told = gm(&mut host, "REPLACE red carl@example.org");
    assert!(!told.contains("can't"), "{told}");
    camp.post(camp.answer("blue", "dispatch", "blue-bids", &block("BID 1\r\nREADY")));
    settle(&mut host);
    camp.wait(30 * HOUR);
    settle(&mut host);
    assert!(ran(&mut host).0 > 1, "the turn ran on the orders that stood");
    assert_eq!(ran(&mut host).1, 0, "the newcomer has said nothing");
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn words_that_do_not_count_as_ready_say_nothing_of_later_turns() {
    for lines in ["UNTIL the moon\r\nREADY UNTIL CONTACT", "WAIT\r\nREADY UNTIL CONTACT"] {
        let camp = Camp::new();
        let mut host = ridge(&camp, None);
        for who in ["red", "blue"] {
            camp.post(camp.answer(who, "dispatch", who, &block(lines)));
        }
        settle(&mut host);
        camp.wait(25 * HOUR);
        settle(&mut host);
        assert!(ran(&mut host).0 > 1, "the deadline ran the turn");
        assert_eq!(ran(&mut host).1, 0, "{lines}");
    }
}

#[test]
fn where_the_log_is_shown_nobody_goes_on_as_it_would_tell_what_he_sees() {
    let camp = Camp::new();
    let mut host = camp.open();
    let terms = Terms { reveal: Reveal::Lag { turns: 2 }, recall: None, ..Terms::default() };
    let new = NewGame { start_now: true, ..toy_game(&[("umpire", "computer")], "24h", terms) };
    host.execute(Request::found(new)).unwrap();
    settle(&mut host);
    for who in ["red", "blue"] {
        ready_until_contact(&camp, &mut host, who);
    }
    let receipt = text(&camp.newest("red", "receipt"));
    assert!(receipt.contains("UNTIL CONTACT isn't followed, as this game shows its log"), "{receipt}");
    let (turns, went_on) = ran(&mut host);
    assert!(turns > 1 && went_on == 0, "it counts as READY: {turns} {went_on}");
}

#[cfg(feature = "dog")]
#[test]
fn a_changed_position_asks_again_whoever_has_something_in_reach_now() {
    let camp = Camp::new();
    let mut host = camp.open();
    let seats = ["red", "blue"].map(|name| (name.parse().unwrap(), player(name)));
    let new = NewGame {
        scenario: "dog/training".to_owned(),
        seats: seats.into(),
        start_now: true,
        ..toy_game(&[], "24h", Terms { recall: None, ..Terms::default() })
    };
    host.execute(Request::found(new)).unwrap();
    settle(&mut host);
    gm(&mut host, "AMEND 2 UNIT B1 HIDDEN YES");
    red_goes_on(&camp, &mut host);
    let notices = camp.count("red", "notice");
    gm(&mut host, "AMEND 3 UNIT B1 HIDDEN NO");
    assert_eq!(camp.count("red", "notice"), notices + 1);
    assert!(text(&camp.newest("red", "notice")).contains("Now there is the enemy B1 at 0405"));
    let turns = ran(&mut host).0;
    camp.post(camp.answer("blue", "dispatch", "blue-again", &block("READY")));
    settle(&mut host);
    assert_eq!(ran(&mut host).0, turns, "red is waited for");
    camp.post(camp.answer("red", "dispatch", "red-again", &block("READY")));
    settle(&mut host);
    assert_eq!(ran(&mut host).0, turns + 1);
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[cfg(feature = "dog")]
#[test]
fn a_position_that_changes_while_dispatches_wait_tells_nobody_of_contact() {
    let camp = Camp::new();
    let mut host = camp.open();
    let seats = ["red", "blue"].map(|name| (name.parse().unwrap(), player(name)));
    let new = NewGame {
        scenario: "dog/training".to_owned(),
        seats: seats.into(),
        start_now: true,
        ..toy_game(&[], "24h", Terms { recall: None, ..Terms::default() })
    };
    host.execute(Request::found(new)).unwrap();
    settle(&mut host);
    gm(&mut host, "AMEND 2 UNIT B1 HIDDEN YES");
    red_goes_on(&camp, &mut host);
    gm(&mut host, "TERMS --approval 2d");
    camp.post(camp.answer("blue", "dispatch", "blue-again", &block("READY")));
    settle(&mut host);
    let notices = camp.count("red", "notice");
    gm(&mut host, "AMEND 3 UNIT B1 HIDDEN NO");
    assert_eq!(camp.count("red", "notice"), notices, "the GM has released nothing");
    gm(&mut host, "APPROVE 3");
    assert_eq!(camp.count("red", "notice"), notices + 1, "told once, with the dispatch");
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn who_goes_on_is_asked_again_once_the_log_is_shown() {
    let camp = Camp::new();
    let mut host = ridge(&camp, None);
    let turns = red_goes_on(&camp, &mut host);
    gm(&mut host, "TERMS --reveal turn");
    camp.post(camp.answer("blue", "dispatch", "blue-second", &block("READY")));
    settle(&mut host);
    camp.post(camp.answer("blue", "dispatch", "blue-third", &block("READY")));
    settle(&mut host);
    let (after, went_on) = ran(&mut host);
    assert!(after > turns && went_on == 1, "{after} {went_on}");
}

/// Orders of a fight can be learned by mail before there is one: from the first form, and from HELP.
#[cfg(feature = "acw")]
#[test]
fn orders_of_a_fight_are_told_before_there_is_one() {
    let camp = Camp::new();
    let mut host = camp.open();
    let seats =
        [("union", "red"), ("confederate", "blue")].map(|(name, who)| (name.parse().unwrap(), player(who)));
    let new = NewGame {
        scenario: "acw/kellys-mill".to_owned(),
        seats: seats.into(),
        start_now: true,
        ..toy_game(&[], "24h", Terms::default())
    };
    host.execute(Request::found(new)).unwrap();
    settle(&mut host);
    let first = text(&camp.newest("red", "dispatch"));
    for order in ["ASSAULT 1", "SKIRMISH 1", "ADVANCE 1", "WITHDRAW 1", "IF ENGAGED 1"] {
        assert!(first.contains(order), "{order}: {first}");
    }
    camp.post(camp.answer("red", "dispatch", "help", "HELP WITHDRAW\r\nHELP IF\r\n"));
    settle(&mut host);
    let answer = text(&camp.newest("red", "answer"));
    for said in [
        "Goes out of the enemy's reach, and fires little; as things stand nothing of yours can do so",
        "that needs mail turns of several hours, and this game's are of one",
    ] {
        assert!(answer.contains(said), "{said}: {answer}");
    }
}
