//! `DRAW`: the game ends once all its players agree, and nobody learns who did before.

use super::super::audit::{as_arguments, independent};
use super::super::verify::{self, Kept};
use super::*;
use musterd::desk::audit::audit_file;
use musterd::dice::ChainLines;

fn draws(camp: &Camp, host: &mut Host, who: &str, id: &str) -> String {
    unwrapped(&asked(camp, host, who, id, "DRAW\r\n"))
}

#[test]
fn a_draw_is_told_to_all_ends_the_game_with_the_last_vote_and_is_true_to_every_verifier() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    assert!(draws(&camp, &mut host, "red", "r").contains("You agree to a draw."));
    for other in ["blue", "umpire"] {
        let told = camp.newest(other, "notice");
        says(&told, "A player proposes to end the game as a draw.");
        is_silent_about(&told, "red");
    }
    assert_eq!(camp.count("red", "notice"), 0);
    assert!(draws(&camp, &mut host, "blue", "b").contains("You agree to a draw."));
    says(
        &asked(&camp, &mut host, "red", "no", "DRAW NO\r\n"),
        "You agree to a draw no longer. Nobody is told.",
    );
    assert!(draws(&camp, &mut host, "umpire", "u").contains("You agree to a draw."));
    assert_eq!(camp.count("blue", "notice") + camp.count("umpire", "notice"), 2, "all are told once");
    says(&asked(&camp, &mut host, "red", "s", "STATUS\r\n"), "proposed; DRAW agrees");
    // Orders of the open turn are here; it never runs.
    camp.post(camp.answer("blue", "dispatch", "bid", &block("BID 2\r\nREADY")));
    settle(&mut host);
    let last = camp.answer("red", "dispatch", "last", "DRAW\r\n");
    camp.post(&last);
    settle(&mut host);
    says(&answer_to(&camp, &player("red"), "last"), "All players agree, and the game has ended as a draw.");
    let sent = traces(&camp, &mut host);
    camp.post(format!("X-Copy: 2\r\n{last}"));
    settle(&mut host);
    assert_eq!(traces(&camp, &mut host), sent, "a second copy does nothing");
    for seat in ["red", "blue", "umpire"] {
        let report = camp.newest(seat, "dispatch");
        says(&report, "The game ended as a draw: all its players agreed to that.");
        assert!(files(&camp, seat).contains_key("alpha.audit.json"), "all is revealed at the end");
    }
    let log: Vec<String> = journal(&mut host)
        .iter()
        .flat_map(|entry| entry.cause.log_entries())
        .map(|line| line.body())
        .collect();
    assert!(log.iter().any(|line| line.contains("all players agreed to a draw")));
    assert!(!log.iter().any(|line| line.contains("draw") && line.contains("red")), "{log:?}");
    says(&asked(&camp, &mut host, "red", "again", "DRAW\r\n"), "The game is over.");
    camp.wait(24 * HOUR);
    settle(&mut host);
    drop(host);
    let mut host = camp.open();
    assert_eq!(camp.count("red", "dispatch"), 2);
    checked(&camp, &mut host);
    let entries = journal(&mut host);
    let file = serde_json::to_value(audit_file(&entries, &camp.secrets(), u32::MAX)).unwrap();
    let heads: Vec<ChainLines> = camp
        .mails(&player("red"))
        .iter()
        .flat_map(|mail| ChainLines::all_in(&mail.body.as_ref().unwrap().text).collect::<Vec<_>>())
        .collect();
    let (code, said) = independent(camp.path(), &file, &as_arguments(&heads));
    assert_eq!(code, 0, "{said}");
}

#[test]
fn a_vote_for_a_draw_lapses_when_the_turn_runs_and_counts_for_no_other_turn() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let stale = camp.answer("blue", "dispatch", "stale", "DRAW\r\n");
    draws(&camp, &mut host, "red", "r");
    draws(&camp, &mut host, "umpire", "u");
    camp.wait(24 * HOUR + 1);
    settle(&mut host);
    camp.post(&stale);
    settle(&mut host);
    says(&answer_to(&camp, &player("blue"), "stale"), "a vote for a draw counts for one turn");
    says(&asked(&camp, &mut host, "red", "no", "DRAW NO\r\n"), "there is nothing to take back");
    draws(&camp, &mut host, "blue", "b");
    assert!(!matches!(changes(&mut host).last(), Some(Change::Ended { .. })));
    checked(&camp, &mut host);
}

#[test]
fn a_game_that_ended_as_a_draw_is_verified_by_what_its_players_kept() {
    let mut kept = Kept::founded();
    kept.play(1);
    // The computer's seat agrees by itself.
    kept.send("red", "dispatch", "DRAW\r\n");
    kept.send("blue", "dispatch", "DRAW\r\n");
    assert!(changes(&mut kept.host).iter().any(|change| matches!(change, Change::Ended { .. })));
    let file = kept.audit();
    let inquiry = verify::asked(&[&kept.maildir("red"), &file, &kept.maildir("blue")], true, None);
    let case = verify::the_case(&inquiry);
    assert_eq!((&case.contradictions, &case.files[0].examination.findings), (&vec![], &vec![]));
    let replayed = case.files[0].replayed.as_ref().unwrap();
    assert_eq!((&replayed.difference, &replayed.unable), (&None, &None));
    assert!(!inquiry.found_something(false), "{}", verify::in_words(&inquiry));
}

#[test]
fn a_game_that_ended_as_a_draw_goes_on_when_its_gm_takes_a_turn_back() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    camp.wait(24 * HOUR + 1);
    settle(&mut host);
    for seat in ["red", "blue", "umpire"] {
        draws(&camp, &mut host, seat, seat);
    }
    assert!(matches!(happened_last(&journal(&mut host)), Cause::Arranged(_)));
    gm(&mut host, "ROLLBACK 2");
    let opened = journal(&mut host).into_iter().rev().find_map(|entry| match entry.cause {
        Cause::Opened { t, .. } => Some(t),
        _ => None,
    });
    assert_eq!(opened, Some(4), "the turn that was open at the end is void: its secret is public");
    camp.post(camp.answer("red", "dispatch", "bid", &block("BID 2")));
    settle(&mut host);
    assert_eq!(verdicts(&mut host).last().map(String::as_str), Some("accepted"));
    checked(&camp, &mut host);
}

#[test]
fn who_plays_with_the_computer_alone_is_asked_before_a_draw_ends_the_game() {
    let camp = Camp::new();
    let mut host = camp.open();
    let computers = [("blue", "computer"), ("umpire", "computer")];
    let new = NewGame { start_now: true, ..toy_game(&computers, "24h", Terms::default()) };
    host.execute(Request::found(new)).unwrap();
    settle(&mut host);
    assert!(
        draws(&camp, &mut host, "red", "a")
            .contains("the game would end at once. To end it, write DRAW CONFIRM.")
    );
    let is_over = |host: &mut Host| journal(host).iter().any(|entry| entry.cause.results().is_some());
    assert!(!is_over(&mut host));
    says(&asked(&camp, &mut host, "red", "b", "DRAW CONFIRM\r\n"), "the game has ended as a draw");
    assert!(is_over(&mut host));
    checked(&camp, &mut host);
}

#[test]
fn a_seat_that_changes_hands_ends_a_proposal() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    for who in ["red", "blue"] {
        assert!(draws(&camp, &mut host, who, who).contains("before this turn runs or a seat changes hands"));
    }
    let text = "REPLACE umpire computer".to_owned();
    host.execute(Request::Gm { game: game(), text, yes: true }).unwrap();
    settle(&mut host);
    let is_over = |host: &mut Host| journal(host).iter().any(|entry| entry.cause.results().is_some());
    assert!(!is_over(&mut host), "they agreed with somebody else");
    for who in ["red", "blue"] {
        draws(&camp, &mut host, who, &format!("{who}-again"));
    }
    assert!(is_over(&mut host));
    checked(&camp, &mut host);
}
