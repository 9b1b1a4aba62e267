//! Recall: a turn that would run because all are ready waits a short while first, and a mail stops it. It is in the log as `deadline`
//! entries, never lasts beyond the deadline, and loses nothing, however it is interrupted.

use std::cell::RefCell;
use std::fs;

use musterd::daemon::serve::{Run, serve};
use musterd::daemon::{Host, Reply, Request, Trust};
use musterd::desk::audit::audit_file;
use musterd::desk::recall::NO_DEADLINE;
use musterd::dice::LogEntry;
use musterd::engine::journal::{Cause, Charter};
use musterd::engine::terms::{Early, Missing, Terms};
use serde_json::Value;

use super::audit::{codes, independent};
use super::browser;
use super::replay::replay;
use super::sim::cut_short_at_any_call;
use super::support::*;

const MINUTE: i64 = 60;
/// How long the games here wait.
const WAIT: i64 = 15 * MINUTE;

fn terms() -> Terms {
    Terms { recall: Some(15), ..Terms::default() }
}

/// A game whose players have joined, and both sides are asked to bid.
fn begun(camp: &Camp, terms: Terms) -> Host {
    let mut host = camp.open();
    founded_on(camp, &mut host, terms);
    host
}

fn send(camp: &Camp, host: &mut Host, seat: &str, id: &str, text: &str) {
    camp.post(camp.answer(seat, "dispatch", id, text));
    settle(host);
}

fn orders(camp: &Camp, host: &mut Host, seat: &str, id: &str, lines: &str) {
    send(camp, host, seat, id, &block(lines));
}

/// Both sides are ready; blue's was the second mail.
fn both_ready(camp: &Camp, host: &mut Host) {
    orders(camp, host, "red", "red-ready", "BID 2\r\nREADY");
    orders(camp, host, "blue", "blue-ready", "BID 1\r\nREADY");
}

/// The open adjudication.
fn open(host: &mut Host) -> Option<u32> {
    match host.execute(Request::Status { game: Some(game()) }).unwrap() {
        Reply::Status { games } => games[0].t,
        other => panic!("{other:?}"),
    }
}

/// Until when the game waits, in words of `status`.
fn runs(host: &mut Host) -> Option<String> {
    match host.execute(Request::Status { game: Some(game()) }).unwrap() {
        Reply::Status { games } => games[0].runs.clone(),
        other => panic!("{other:?}"),
    }
}

/// The deadlines of t in the log, the first and every change.
fn deadlines(host: &mut Host, of: u32) -> Vec<Option<i64>> {
    let lines: Vec<LogEntry> = journal(host).iter().flat_map(|entry| entry.cause.log_entries()).collect();
    let at = |at: u64| i64::try_from(at).unwrap();
    let told = lines.into_iter().filter_map(|line| match line {
        LogEntry::Open { t, deadline, .. } if t == of => Some(deadline.map(at)),
        LogEntry::Deadline { t, at: to } if t == of => Some(Some(at(to))),
        _ => None,
    });
    told.collect()
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What the newest mail of a kind says to a seat's player.
#[track_caller]
fn says(camp: &Camp, seat: &str, kind: &str, said: &str) {
    let text = words(&camp.newest(seat, kind).body.unwrap().text);
    assert!(text.contains(said), "`{said}`: {text}");
}

/// The journal holds under replay, and the log's every verifier finds nothing wrong.
fn verified(camp: &Camp, host: &mut Host) -> Value {
    let entries = journal(host);
    replay(&desk(), &entries, &camp.secrets());
    let file = serde_json::to_value(audit_file(&entries, &camp.secrets(), u32::MAX)).unwrap();
    assert_eq!(codes(&file, &[]), Vec::<&str>::new());
    let dir = tempfile::tempdir().unwrap();
    let (status, said) = independent(dir.path(), &file, &[]);
    assert!(said.contains("nothing wrong") && matches!(status, 0 | 5), "{said}");
    file
}

/// The game to its end, both sides ready in each round.
fn play_on(camp: &Camp, host: &mut Host) {
    for _ in 0..40 {
        let Some(t) = open(host) else { return };
        match t % 2 {
            0 => {
                orders(camp, host, "red", &format!("r{t}"), "BID 1\r\nREADY");
                orders(camp, host, "blue", &format!("b{t}"), "BID 2\r\nREADY");
            }
            _ => orders(camp, host, "umpire", &format!("u{t}"), "UPHOLD\r\nREADY"),
        }
        camp.wait(WAIT);
        settle(host);
    }
    panic!("the game goes on for ever");
}

#[test]
fn a_turn_that_would_run_waits_and_its_players_are_told() {
    let camp = Camp::new();
    let mut host = begun(&camp, terms());
    assert_eq!(open(&mut host), Some(2), "the founding has nothing to take back");
    says(&camp, "red", "dispatch", "a line READY lets the turn run 15 minutes after everybody is ready.");
    orders(&camp, &mut host, "red", "r", "BID 2\r\nREADY");
    says(&camp, "red", "receipt", "Ready yes: the turn runs 15 minutes after everybody is");
    camp.wait(MINUTE);
    orders(&camp, &mut host, "blue", "b", "BID 1\r\nREADY");
    says(
        &camp,
        "blue",
        "receipt",
        "Ready yes, and so is everybody: the turn runs on Saturday 21 November 2026, 12:16 UTC (15 minutes from now), unless a mail stops \
         it before: WAIT, new orders, or WITHDRAW ORDERS",
    );
    says(&camp, "blue", "receipt", "Until Sunday 22 November 2026, 12:00 UTC");
    assert_eq!(runs(&mut host).as_deref(), Some("Sat 21 Nov 2026 12:16 UTC"));
    // Whoever asks is told, and asking stops nothing.
    send(&camp, &mut host, "red", "ask", "STATUS\r\n");
    says(
        &camp,
        "red",
        "answer",
        "the turn runs on Saturday 21 November 2026, 12:16 UTC, unless a mail stops it",
    );
    assert_eq!(host.next_due().unwrap(), Some(NOON + MINUTE + WAIT), "the daemon wakes for it");
    camp.wait(WAIT - 1);
    settle(&mut host);
    assert_eq!(open(&mut host), Some(2));
    camp.wait(1);
    settle(&mut host);
    assert_eq!(open(&mut host), Some(3));
    let told = [24 * HOUR, MINUTE + WAIT, MINUTE + WAIT].map(|after| Some(NOON + after));
    assert_eq!(deadlines(&mut host, 2), told);
    assert_eq!(camp.count("red", "notice") + camp.count("blue", "notice"), 0, "nobody is flooded");
    play_on(&camp, &mut host);
    verified(&camp, &mut host);
}

#[test]
fn other_orders_wait_and_withdrawn_orders_stop_it() {
    for (n, (mail, kind)) in [
        ("WAIT\r\n".to_owned(), "receipt"),
        (block("BID 3"), "receipt"),
        (block("BID 3\r\nREADY\r\nWAIT"), "receipt"),
        ("WITHDRAW ORDERS\r\n".to_owned(), "answer"),
        ("EXTEND 2h\r\n".to_owned(), "answer"),
        ("ABSENT UNTIL 2026-11-30\r\n".to_owned(), "answer"),
        ("EXTEND soon\r\n".to_owned(), "answer"),
        ("RESIGN\r\n".to_owned(), "answer"),
        ("PRESS TO BLUE\r\nhello\r\n".to_owned(), "press"),
        ("PRESS TO BLUE\r\nhello\r\nBID 3\r\n".to_owned(), "press"),
        ("Stop! I have sent my army the wrong way, please hold it.\r\n".to_owned(), "refusal"),
    ]
    .into_iter()
    .enumerate()
    {
        let camp = Camp::new();
        let mut host = begun(&camp, terms());
        both_ready(&camp, &mut host);
        camp.wait(5 * MINUTE);
        // It was red who had been ready first, and had not been told that the turn is about to run.
        send(&camp, &mut host, "red", &format!("stop-{n}"), &mail);
        says(
            &camp,
            "red",
            kind,
            "the turn was about to run on Saturday 21 November 2026, 12:15 UTC. Your mail stopped it",
        );
        assert_eq!(runs(&mut host), None, "{mail}");
        camp.wait(WAIT);
        settle(&mut host);
        assert_eq!(open(&mut host), Some(2), "{mail}");
        let before = deadlines(&mut host, 2);
        assert_eq!(before[..3], [24 * HOUR, WAIT, 24 * HOUR].map(|after| Some(NOON + after)), "{mail}");
        // Ready again, the wait begins anew.
        orders(&camp, &mut host, "red", "again", "BID 2\r\nREADY");
        let until = camp.clock.now() + WAIT;
        assert_eq!(deadlines(&mut host, 2).last(), Some(&Some(until)), "{mail}");
        camp.wait(WAIT);
        settle(&mut host);
        assert_eq!(open(&mut host), Some(3), "{mail}");
        verified(&camp, &mut host);
    }
}

#[test]
fn what_is_no_word_about_the_turn_does_not_stop_it() {
    let camp = Camp::new();
    let mut host = begun(&camp, terms());
    both_ready(&camp, &mut host);
    camp.wait(MINUTE);
    send(&camp, &mut host, "red", "ask", "PREVIEW\r\nHISTORY\r\nZONE Europe/Vienna\r\n");
    send(&camp, &mut host, "red", "letter", "PRESS TO BLUE\r\nGood luck!\r\nEND PRESS\r\n");
    // Nobody stops another's turn: neither without his secret nor from elsewhere, and no copy of an old mail does.
    let forged = camp.answer("red", "dispatch", "forged", "WAIT\r\n");
    camp.post(forged.replace(&format!("From: <{}>", player("red")), "From: <spy@example.net>"));
    camp.post(
        Mail { from: &player("red"), to: HOST, id: "bare", in_reply_to: None, text: "[alpha] WAIT" }.raw(),
    );
    camp.post(camp.answer("red", "dispatch", "red-ready", &block("BID 2\r\nREADY")));
    settle(&mut host);
    assert_eq!(deadlines(&mut host, 2), [24 * HOUR, WAIT].map(|after| Some(NOON + after)));
    camp.wait(WAIT - MINUTE);
    settle(&mut host);
    assert_eq!(open(&mut host), Some(3));
}

#[test]
fn other_orders_that_are_ready_too_begin_the_wait_anew() {
    let camp = Camp::new();
    let mut host = begun(&camp, terms());
    both_ready(&camp, &mut host);
    camp.wait(10 * MINUTE);
    orders(&camp, &mut host, "red", "better", "BID 3\r\nREADY");
    says(
        &camp,
        "red",
        "receipt",
        "the turn runs on Saturday 21 November 2026, 12:25 UTC (15 minutes from now)",
    );
    camp.wait(10 * MINUTE);
    settle(&mut host);
    assert_eq!(open(&mut host), Some(2));
    camp.wait(5 * MINUTE);
    settle(&mut host);
    assert_eq!(open(&mut host), Some(3));
}

#[test]
fn it_never_waits_beyond_the_deadline() {
    let camp = Camp::new();
    let mut host = begun(&camp, Terms { grace: 60, ..terms() });
    camp.wait(24 * HOUR - 5 * MINUTE);
    both_ready(&camp, &mut host);
    says(
        &camp,
        "blue",
        "receipt",
        "the turn runs on Sunday 22 November 2026, 12:00 UTC (5 minutes from now)",
    );
    camp.wait(5 * MINUTE - 1);
    settle(&mut host);
    assert_eq!(open(&mut host), Some(2));
    camp.wait(1);
    settle(&mut host);
    assert_eq!(open(&mut host), Some(3));
    // After the deadline, in grace or held back, a turn runs as soon as nothing is missing.
    camp.wait(24 * HOUR + MINUTE);
    settle(&mut host);
    orders(&camp, &mut host, "umpire", "u", "UPHOLD\r\nREADY");
    assert_eq!(open(&mut host), Some(4));

    let camp = Camp::new();
    let mut host = begun(&camp, Terms { missing: Missing::Hold, ..terms() });
    orders(&camp, &mut host, "red", "r", "BID 2\r\nREADY");
    camp.wait(25 * HOUR);
    settle(&mut host);
    assert_eq!(open(&mut host), Some(2), "held back");
    orders(&camp, &mut host, "blue", "b", "BID 1\r\nREADY");
    assert_eq!(open(&mut host), Some(3));
    verified(&camp, &mut host);
}

#[test]
fn a_game_without_a_deadline_has_none_again_and_every_verifier_accepts_its_log() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game_on(&mut host, &[("umpire", "computer")], "none", terms());
    settle(&mut host);
    for seat in ["red", "blue"] {
        camp.post(camp.answer(seat, "invitation", &format!("join-{seat}"), "JOIN\r\nsalt: dice of mine"));
    }
    settle(&mut host);
    says(&camp, "red", "dispatch", "the turn runs 15 minutes after everybody has sent a line READY.");
    both_ready(&camp, &mut host);
    send(&camp, &mut host, "blue", "stop", "WAIT\r\n");
    assert_eq!(deadlines(&mut host, 2), [None, Some(NOON + WAIT), Some(NO_DEADLINE)]);
    says(&camp, "blue", "receipt", "Ready no: you asked to wait for the deadline");
    assert_eq!(host.next_due().unwrap(), None);
    camp.wait(365 * 24 * HOUR);
    drop(host);
    let mut host = camp.open();
    settle(&mut host);
    assert_eq!(open(&mut host), Some(2));
    assert!(!camp.newest("blue", "receipt").body.unwrap().text.contains("Until"));
    play_on(&camp, &mut host);
    assert_eq!(open(&mut host), None, "where only the computer is asked, nothing waits");
    let file = verified(&camp, &mut host);
    browser::finds_nothing_wrong(&file);
}

#[test]
fn it_can_be_turned_off_and_old_games_have_none() {
    // What a journal doesn't say of it means none, and a journal that has none doesn't say so.
    assert_eq!(Terms::default().recall, None);
    assert_eq!(Terms::usual().recall, Some(15));
    assert!(!serde_json::to_string(&Terms::default()).unwrap().contains("recall"));
    for terms in [Terms::default(), Terms { recall: None, ..Terms::usual() }] {
        let camp = Camp::new();
        let mut host = begun(&camp, terms);
        both_ready(&camp, &mut host);
        assert_eq!(open(&mut host), Some(3));
        says(&camp, "red", "receipt", "yes: the turn may run as soon as everybody is");
    }
    // The GM turns it off in the wait, and the turn runs; or on in an old game.
    let camp = Camp::new();
    let mut host = begun(&camp, terms());
    both_ready(&camp, &mut host);
    gm(&mut host, "TERMS --recall none");
    assert_eq!(open(&mut host), Some(3));
    gm(&mut host, "TERMS --recall 1h");
    orders(&camp, &mut host, "umpire", "u", "UPHOLD\r\nREADY");
    assert_eq!(deadlines(&mut host, 3).last(), Some(&Some(NOON + HOUR)));
    verified(&camp, &mut host);
}

fn gm(host: &mut Host, text: &str) {
    let command = Request::Gm { game: game(), text: text.to_owned(), yes: true };
    let Reply::Gm { answers, .. } = host.execute(command).unwrap() else { panic!() };
    assert!(answers.iter().all(|answer| answer.end == musterd::daemon::Effect::Done), "{answers:?}");
    settle(host);
}

#[test]
fn the_gm_runs_pauses_and_moves_a_turn_that_waits() {
    let camp = Camp::new();
    let mut host = begun(&camp, terms());
    both_ready(&camp, &mut host);
    gm(&mut host, "PAUSE 2");
    assert_eq!(runs(&mut host), None);
    camp.wait(HOUR);
    settle(&mut host);
    assert_eq!(open(&mut host), Some(2));
    gm(&mut host, "RESUME 2");
    let until = NOON + HOUR + WAIT;
    assert_eq!(deadlines(&mut host, 2)[3..], [25 * HOUR + NOON, until].map(Some));
    // Another deadline, and the wait begins anew; never beyond it.
    gm(&mut host, "DEADLINE 2 2026-11-21 13:05");
    assert_eq!(deadlines(&mut host, 2).last(), Some(&Some(NOON + HOUR + 5 * MINUTE)));
    gm(&mut host, "EXTEND 2 1h");
    assert_eq!(deadlines(&mut host, 2).last(), Some(&Some(until)));
    gm(&mut host, "PROCESS 2");
    assert_eq!(open(&mut host), Some(3));
    // The umpire's READY, and `resolve` runs the turn at once.
    orders(&camp, &mut host, "umpire", "u", "UPHOLD\r\nREADY");
    assert!(runs(&mut host).is_some());
    host.execute(Request::Resolve { game: game(), turn: "3".to_owned() }).unwrap();
    assert_eq!(open(&mut host), Some(4));
    verified(&camp, &mut host);
}

#[test]
fn mail_that_came_in_the_wait_counts_however_late_it_is_read() {
    let camp = Camp::new();
    let mut host = begun(&camp, terms());
    both_ready(&camp, &mut host);
    camp.wait(WAIT - 1);
    camp.post(camp.answer("red", "dispatch", "late", "WAIT\r\n"));
    // The host was off meanwhile.
    drop(host);
    camp.wait(6 * HOUR);
    let mut host = camp.open();
    settle(&mut host);
    assert_eq!(open(&mut host), Some(2));
    // While a mailbox can't be reached the turn is held, for a word of somebody's may lie in it.
    orders(&camp, &mut host, "red", "again", "BID 2\r\nREADY");
    camp.wait(WAIT);
    host.run_due(camp.clock.now(), Trust::Unreached(host.clock().passed())).unwrap();
    assert_eq!(open(&mut host), Some(2));
    host.run_due(camp.clock.now(), Trust::Sure).unwrap();
    assert_eq!(open(&mut host), Some(3));
}

#[test]
fn a_wait_that_is_cut_short_at_any_call_loses_nothing() {
    let camp = Camp::new();
    let mut host = begun(&camp, terms());
    orders(&camp, &mut host, "red", "r", "BID 2\r\nREADY");
    drop(host);
    camp.post(camp.answer("blue", "dispatch", "b", &block("BID 1\r\nREADY")));
    // A receipt; then the wait goes on in a host that is opened anew, and is stopped: another.
    let waits = camp.clone();
    cut_short_at_any_call(&waits, 1);
    settle(&mut camp.open());
    let stopped = camp.clone();
    stopped.post(stopped.answer("red", "dispatch", "stop", "WAIT\r\n"));
    cut_short_at_any_call(&stopped, 1);
    // Or it ends, and all are told: three dispatches.
    camp.wait(WAIT);
    cut_short_at_any_call(&camp, 3);
}

/// What `serve --once` says.
fn once(camp: &Camp) -> Vec<String> {
    let said = RefCell::new(Vec::new());
    serve(&|| camp.options(), Run::Once, &|line| said.borrow_mut().push(line.to_owned())).unwrap();
    said.into_inner()
}

#[test]
fn serve_once_says_that_it_waits_and_a_later_one_runs_the_turn() {
    let camp = Camp::new();
    drop(begun(&camp, Terms { remind: None, ..terms() }));
    camp.post(camp.answer("red", "dispatch", "r", &block("BID 2\r\nREADY")));
    assert_eq!(once(&camp), Vec::<String>::new());
    camp.post(camp.answer("blue", "dispatch", "b", &block("BID 1\r\nREADY")));
    let said = "alpha: all are ready. Turn 2 waits until Sat 21 Nov 2026 12:15 UTC, in case a mail stops it, and runs when this command is \
                called after that.";
    assert_eq!(once(&camp), [said]);
    camp.wait(WAIT - 1);
    assert_eq!(once(&camp), [said], "a host that is opened anew knows of it");
    camp.wait(1);
    assert_eq!(once(&camp), Vec::<String>::new());
    assert_eq!(open(&mut camp.open()), Some(3));
}

#[test]
fn who_takes_a_seat_in_the_wait_is_not_ready_for_its_last_player() {
    let camp = Camp::new();
    let mut host = begun(&camp, terms());
    both_ready(&camp, &mut host);
    gm(&mut host, "REPLACE red ada@example.org");
    assert_eq!(runs(&mut host), None);
    camp.wait(WAIT);
    settle(&mut host);
    assert_eq!(open(&mut host), Some(2));
    verified(&camp, &mut host);
}

#[test]
fn where_no_ready_runs_a_turn_nothing_waits() {
    let camp = Camp::new();
    let mut host = begun(&camp, Terms { early: Early::Never, ..terms() });
    both_ready(&camp, &mut host);
    assert_eq!(deadlines(&mut host, 2), [Some(NOON + 24 * HOUR)]);
    camp.wait(24 * HOUR);
    settle(&mut host);
    assert_eq!(open(&mut host), Some(3));
}

#[test]
fn a_game_on_the_usual_terms_waits_and_its_audit_plays_again() {
    let camp = Camp::new();
    let mut host = begun(&camp, Terms::usual());
    play_on(&camp, &mut host);
    let entries = journal(&mut host);
    let Cause::Founded { charter, .. } = &entries[0].cause else { panic!() };
    let Charter { terms, .. } = &**charter;
    assert_eq!(terms.recall, Some(15));
    let file = verified(&camp, &mut host);
    browser::finds_nothing_wrong(&file);
    // The store as its mirror has it.
    drop(host);
    fs::remove_dir_all(camp.path().join("store")).unwrap();
    verified(&camp, &mut camp.open());
}
