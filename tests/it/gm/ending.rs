//! A game that its GM ends or cancels, and the archive.

use super::*;
use musterd::daemon::StatusFilter;

/// The games that `musterd status` names.
fn told(table: &mut Table, filter: StatusFilter) -> Vec<String> {
    let Reply::Status { games } = table.host().execute(Request::Find(filter)).unwrap() else { panic!() };
    games.into_iter().map(|status| status.game.to_string()).collect()
}

fn all(table: &mut Table) -> usize {
    let Reply::Status { games } = table.host().execute(Request::Status { game: None }).unwrap() else {
        panic!()
    };
    games.len()
}

#[test]
fn the_gm_ends_a_game_with_results_and_everybody_gets_a_last_report() {
    for way in WAYS {
        let mut table = Table::of(way);
        table.round("first", 3, 2);
        let stale = table.gm("END 1 Red wins");
        assert!(stale.text.contains("The open turn is"), "{}", stale.text);
        let t = table.open().unwrap();
        let (asked, done) =
            table.gm_confirmed(&format!("END {t} Red wins by agreement; Blue loses BECAUSE the club closes"));
        assert!(asked.text.contains("Red wins by agreement. Blue loses. Turn"), "{}", asked.text);
        assert!(done.text.contains("The game is over."), "{}", done.text);
        for who in ["red", "blue"] {
            let last = table.camp.mails(&player(who)).pop().unwrap();
            for said in ["Red wins by agreement", "Blue loses", "Because: the club closes."] {
                assert!(flat(&body(&last)).contains(said), "`{said}`:\n{}", body(&last));
            }
        }
        assert!(table.gm(&format!("END {t}")).text.contains("The game is over already."));
        table.orders("red", "late", "BID 4\r\nREADY");
        assert_eq!(table.open(), None, "no turn runs any more");
        table.check();
    }
}

#[test]
fn a_game_that_has_not_begun_is_cancelled_without_reports() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game_on(&mut host, &[], "24h", Terms::default());
    settle(&mut host);
    let mut table = Table { camp, host: Some(host), way: Way::Line, sent: 0 };
    let (asked, done) = table.gm_confirmed("CANCEL 1");
    assert!(asked.text.contains("All are told; there is nothing to report yet."), "{}", asked.text);
    assert!(done.text.contains("The game is over. All are told."), "{}", done.text);
    let told = flat(&body(&table.camp.newest("red", "notice")));
    assert!(told.contains("cancelled the game: nobody wins or loses"), "{told}");
    table.check();
}

#[test]
fn words_that_wait_with_a_draft_are_told_when_the_game_ends_before_it_goes_out() {
    let mut table = Table::of(Way::Line);
    table.gm("TERMS --approval 2d");
    table.round("first", 3, 2);
    table.gm("NARRATE 2: Snow falls.");
    table.gm_confirmed("END 2 Red wins");
    let last = flat(&body(&table.camp.newest("red", "dispatch")));
    assert!(last.contains("Red wins") && last.contains("The GM: Snow falls."), "{last}");
    table.check();
}

#[test]
fn a_game_is_cancelled_in_play() {
    let mut table = Table::of(Way::Line);
    table.round("first", 3, 2);
    let t = table.open().unwrap();
    table.gm_confirmed(&format!("CANCEL {t}"));
    let last = table.camp.mails(&player("red")).pop().unwrap();
    assert!(flat(&body(&last)).contains("cancelled the game: nobody wins or loses"), "{}", body(&last));
    table.check();
}

#[test]
#[cfg(feature = "lga")]
fn the_last_report_of_a_game_that_was_ended_awaits_nobodys_orders() {
    let (camp, host) = position::campaign();
    let mut table = Table { camp, host: Some(host), way: Way::Line, sent: 0 };
    table.gm("PROCESS 2 CONFIRM");
    let sent = table.camp.newest("french", "dispatch");
    assert!(flat(&body(&sent)).contains("To move"), "{}", body(&sent));
    let t = table.open().unwrap();
    table.gm_confirmed(&format!("CANCEL {t}"));
    for who in ["french", "allied"] {
        let last = table.camp.newest(who, "dispatch");
        let text = flat(&body(&last));
        assert!(!text.contains("To move") && text.contains("Game Over: no turn runs any more."), "{text}");
        assert!(last.subject.ends_with("the game is over"), "{}", last.subject);
    }
    table.check();
    // Whoever plays the game again from its audit file is told the same.
    let entries = journal(table.host());
    let file = musterd::desk::audit::audit_file(&entries, &table.camp.secrets(), u32::MAX);
    let file = serde_json::from_value(serde_json::to_value(file).unwrap()).unwrap();
    let played = musterd::audit::replay(&desk(), &file, |_, _| {});
    assert_eq!((played.difference, played.told.differences), (None, Vec::new()));
}

#[test]
fn an_archived_game_is_left_out_of_lists_and_opened_when_somebody_asks_for_it() {
    for way in WAYS {
        let mut table = Table::of(way);
        table.round("first", 3, 2);
        assert!(table.gm("ARCHIVE").text.contains("The game is not over: END or CANCEL ends it."));
        let t = table.open().unwrap();
        table.gm_confirmed(&format!("END {t}"));
        table.gm_confirmed("ARCHIVE BECAUSE nobody plays it");
        // Also after a restart, and though a mail comes for it.
        for restarted in [false, true] {
            if restarted {
                table.orders("red", "stray", "BID 4\r\nREADY");
                table.host = None;
                table.host = Some(table.camp.open());
            }
            assert_eq!(all(&mut table), 0, "restarted: {restarted}");
            let filter = StatusFilter { archived: true, ..StatusFilter::default() };
            assert_eq!(told(&mut table, filter), ["alpha"], "restarted: {restarted}");
        }
        assert!(table.gm("ARCHIVE").text.contains("in the archive already"));
        // What is taken back is in play again.
        table.gm_confirmed("ROLLBACK 2");
        assert_eq!(all(&mut table), 1);
        table.host = None;
        table.host = Some(table.camp.open());
        assert_eq!(all(&mut table), 1);
        assert!(table.open().is_some());
        table.check();
    }
}
