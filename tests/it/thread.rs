//! The thread, end to end: invitation, JOIN, orders, receipts, deadline, adjudication, dispatches, commands, a reopened host.

use musterd::daemon::{Reply, Request, Shape};
use musterd::dice::{Chain, ChainLines, Digest};
use musterd::engine::journal::{Cause, Entry, Verdict};

use super::replay::replay;
use super::support::*;
use super::toy::seat;

fn status(host: &mut musterd::daemon::Host) -> musterd::daemon::GameStatus {
    match host.execute(Request::Status { game: Some(game()) }).unwrap() {
        Reply::Status { games } => games.into_iter().next().unwrap(),
        other => panic!("{other:?}"),
    }
}

fn report(host: &mut musterd::daemon::Host, name: &str, turn: Option<&str>) -> (String, String) {
    let request =
        Request::Report { game: game(), seat: seat(name), turn: turn.map(str::to_owned), shape: Shape::Text };
    match host.execute(request).unwrap() {
        Reply::Report { subject, text } => (subject, text),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_game_is_played_by_mail_from_the_invitation_to_its_end() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game(&mut host, &[], "24h");
    settle(&mut host);
    for name in ["red", "blue", "umpire"] {
        let invitation = camp.newest(name, "invitation");
        assert!(
            invitation.reply_to[0].starts_with(&format!("host+alpha.{name}.")),
            "{:?}",
            invitation.reply_to
        );
    }
    camp.post(camp.answer("red", "invitation", "a", "JOIN"));
    camp.post(camp.answer("blue", "invitation", "b", "join  # gladly"));
    settle(&mut host);
    assert_eq!(status(&mut host).name.as_deref(), Some("founding"), "one seat has not confirmed");
    camp.post(camp.answer("umpire", "invitation", "c", &block("salt: nine white stones\r\nJOIN")));
    settle(&mut host);
    assert_eq!(status(&mut host).name.as_deref(), Some("round-1"));

    for round in 1..=3 {
        // Red is early and ready; blue lets the deadline pass once.
        camp.post(camp.answer("red", "dispatch", &format!("r{round}"), &block("BID 2\r\nREADY")));
        settle(&mut host);
        assert_eq!(status(&mut host).name.as_deref(), Some(&*format!("round-{round}")), "blue is waited for");
        if round == 2 {
            camp.wait(24 * HOUR);
        } else {
            camp.post(camp.answer("blue", "dispatch", &format!("b{round}"), &block("BID 1\r\nready")));
        }
        settle(&mut host);
        assert_eq!(
            status(&mut host).name.as_deref(),
            Some(&*format!("ruling-{round}")),
            "the umpire is waited for"
        );
        camp.post(camp.answer("umpire", "dispatch", &format!("u{round}"), &block("UPHOLD\r\nREADY")));
        settle(&mut host);
    }
    let end = status(&mut host);
    assert_eq!((end.t, end.results.len()), (None, 2));
    assert_eq!(camp.count("red", "receipt"), 4, "one for JOIN, one for each bid");
    assert_eq!(camp.count("blue", "receipt"), 3);
    assert_eq!(camp.count("red", "dispatch"), 7, "one after each adjudication");
    let entries = journal(&mut host);
    let replayed = replay(&desk(), &entries, &camp.secrets());
    assert_eq!(replayed.steps, 7);
    assert!(matches!(happened_last(&entries), Cause::Ended { .. }));
    let log = every_head(&entries);
    for mail in ["red", "blue", "umpire"].iter().flat_map(|name| camp.mails(&player(name))) {
        let text = mail.body.unwrap().text;
        match ChainLines::all_in(&text).last().unwrap_or_else(|| panic!("no chain lines:\n{text}")) {
            ChainLines::Numbered(witness) => {
                assert_eq!(log.get(usize::try_from(witness.index).unwrap()), Some(&witness.head), "{text}");
            }
            ChainLines::Open(open) => assert!(log.contains(&open.head), "{text}"),
        }
        assert!(text.is_ascii() && text.lines().all(|line| line.len() <= 78), "{text}");
    }
    for seat in end.seats {
        assert_eq!((seat.waiting, seat.failed), (0, 0), "every mail of {} was sent", seat.seat);
    }
}

/// The hash of every line of the dice log.
fn every_head(entries: &[Entry]) -> Vec<Digest> {
    let mut chain = Chain::new(&game());
    entries.iter().flat_map(|entry| entry.cause.log_entries()).map(|line| chain.push(&line)).collect()
}

#[test]
fn a_receipt_says_what_was_understood_what_was_wrong_and_how_the_dice_are_bound() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    camp.post(camp.answer("red", "dispatch", "r", &block("BID 2\r\nBID 900\r\nFLY")));
    settle(&mut host);
    let receipt = camp.newest("red", "receipt");
    assert!(receipt.subject.starts_with("[ERRORS] [alpha]"), "{}", receipt.subject);
    assert_eq!(receipt.in_reply_to.as_deref(), Some("r@players.example"));
    let body = receipt.body.unwrap();
    assert_eq!(body.attachment.as_deref(), Some("BID 2\nBID 900\nFLY\n"), "the exact block");
    let Some(Verdict::Accepted { leaf, .. }) = received(&mut host).pop().map(|mail| mail.verdict) else {
        panic!()
    };
    for said in ["Bid 2", "coins stay", "you have", "this is no order", &leaf.to_string()] {
        assert!(body.text.contains(said), "`{said}` is missing:\n{}", body.text);
    }
}

#[test]
fn orders_count_however_they_are_written_and_the_last_set_counts() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    for (id, text) in [
        ("block", block("BID 1")),
        ("loose", "I am in a hurry, so:\r\n  bid 2\r\nYours, Red".to_owned()),
        ("form", "Done below.\r\n\r\n> BEGIN ORDERS\r\n> # BID 3\r\nBID 3\r\n> END ORDERS\r\n".to_owned()),
    ] {
        camp.post(camp.answer("red", "dispatch", id, &text));
        settle(&mut host);
    }
    let accepted: Vec<String> = received(&mut host)
        .into_iter()
        .filter(|mail| mail.t == 2)
        .map(|mail| match mail.verdict {
            Verdict::Accepted { block, .. } => block.as_str().to_owned(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(accepted, ["BID 1\n", "  bid 2\n", "# BID 3\nBID 3\n"]);
    camp.wait(24 * HOUR);
    settle(&mut host);
    let bids: Vec<_> = journal(&mut host)
        .into_iter()
        .filter_map(|entry| match entry.cause {
            Cause::Adjudicated { t: 2, events, .. } => Some(events[0]["bid"]["coins"].clone()),
            _ => None,
        })
        .collect();
    assert_eq!(bids, [3], "events: {bids:?}");
}

#[test]
fn commands_say_what_the_mails_say_and_a_stale_one_does_nothing() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let before = report(&mut host, "red", None);
    assert_eq!(before.0, camp.newest("red", "dispatch").subject);

    let check = Request::Check { game: game(), seat: seat("red"), text: "BID 2\nBID 900\nFLY\n".to_owned() };
    let Reply::Check { errors, .. } = host.execute(check).unwrap() else { panic!() };
    assert_eq!(errors, 2);
    assert_eq!(status(&mut host).seats.iter().map(|s| s.orders.as_str()).collect::<Vec<_>>(), ["none"; 3]);

    let resolve = |turn: &str| Request::Resolve { game: game(), turn: turn.to_owned() };
    let stale = host.execute(resolve("founding")).unwrap_err().to_string();
    assert!(stale.contains("round-1") && stale.contains("nothing was done"), "{stale}");
    let Reply::Resolved { t, next, .. } = host.execute(resolve("round-1")).unwrap() else { panic!() };
    assert_eq!((t, next.as_str()), (2, "Round 1, the umpire rules"));
    assert_eq!(report(&mut host, "red", Some("founding")).0, before.0, "the report of a past turn");
    assert_eq!(report(&mut host, "red", Some("1")), report(&mut host, "red", Some("founding")));
    assert_ne!(report(&mut host, "red", None), before);
    let unknown =
        Request::Report { game: game(), seat: seat("red"), turn: Some("9".to_owned()), shape: Shape::Text };
    assert!(host.execute(unknown).is_err());
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn ready_counts_once_no_line_has_an_error() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    camp.post(camp.answer("blue", "dispatch", "b1", &block("BID 2\r\nREADY")));
    camp.post(camp.answer("umpire", "dispatch", "u1", &block("READY")));
    camp.post(camp.answer("red", "dispatch", "r1", &block("BID 2000\r\nREADY")));
    settle(&mut host);
    let open = status(&mut host);
    assert_eq!(open.t, Some(2), "a slip with READY ran the turn");
    let receipt = camp.newest("red", "receipt");
    assert!(receipt.subject.contains("[ERRORS]"), "{}", receipt.subject);
    let text = &receipt.body.as_ref().unwrap().text;
    assert!(text.contains("READY counts once no line has an error"), "{text}");

    camp.post(camp.answer("red", "dispatch", "r2", &block("BID 2\r\nREADY")));
    settle(&mut host);
    assert_eq!(status(&mut host).t, Some(3));
}

#[test]
fn a_mistyped_order_is_answered_wherever_it_stands_even_without_a_block() {
    for text in [
        "BID 2\r\nBDI 3\r\nREADY\r\n",
        "BDI 3\r\nBID 2\r\nREADY\r\n",
        "READY\r\nBID 2\r\n\r\nBIDD 3\r\n",
        "BID 2\r\nREDY\r\nREADY\r\n",
    ] {
        let camp = Camp::new();
        let mut host = camp.open();
        founded(&camp, &mut host);
        camp.post(camp.answer("blue", "dispatch", "b1", &block("BID 2\r\nREADY")));
        camp.post(camp.answer("umpire", "dispatch", "u1", &block("READY")));
        camp.post(camp.answer("red", "dispatch", "r1", text));
        settle(&mut host);
        let receipt = camp.newest("red", "receipt");
        assert!(receipt.subject.contains("[ERRORS]"), "{text}: {}", receipt.subject);
        assert_eq!(status(&mut host).t, Some(2), "a slip ran the turn: {text}");
    }
}

#[test]
fn a_letter_around_orders_is_listed_and_holds_nothing_up() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    camp.post(camp.answer("blue", "dispatch", "b1", &block("BID 2\r\nREADY")));
    camp.post(camp.answer("umpire", "dispatch", "u1", &block("READY")));
    let text = "Dear GM,\r\nI bid you good day, and with it:\r\nBID 2\r\nReady!\r\n\r\nYours, Red\r\n-- \r\nRed & Co\r\n";
    camp.post(camp.answer("red", "dispatch", "r1", text));
    settle(&mut host);
    assert_eq!(status(&mut host).t, Some(3), "an ordinary letter held the turn up");
    let receipt = camp.newest("red", "receipt");
    assert!(!receipt.subject.contains("[ERRORS]"), "{}", receipt.subject);
    let text = receipt.body.unwrap().text;
    assert!(
        text.contains("  | Dear GM,\n  | I bid you good day, and with it:\n  | Yours, Red\n\n"),
        "{text}"
    );
}

#[test]
fn an_order_outside_the_block_is_not_read_and_its_player_is_told() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let text = format!("Hello\r\nBID 1\r\n{}", block("BID 2"));
    camp.post(camp.answer("red", "dispatch", "r1", &text));
    settle(&mut host);
    let text = camp.newest("red", "receipt").body.unwrap().text;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("stand outside your order block") && text.contains("  | BID 1\n\n"), "{text}");
    assert!(!text.contains("| Hello"), "{text}");
}

#[test]
fn a_host_opened_again_knows_all_it_knew() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    camp.post(camp.answer("red", "dispatch", "r1", &block("BID 2\r\nREADY")));
    settle(&mut host);
    let before = (status(&mut host), journal(&mut host), report(&mut host, "blue", None));
    drop(host);
    let mut host = camp.open();
    assert_eq!((status(&mut host), journal(&mut host), report(&mut host, "blue", None)), before);
    camp.wait(24 * HOUR);
    settle(&mut host);
    assert_eq!(
        status(&mut host).name.as_deref(),
        Some("ruling-1"),
        "the deadline is known after the opening"
    );
}

#[test]
fn computer_players_mail_their_sealed_orders_like_anybody() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game(&mut host, &[("red", "computer"), ("blue", "computer:timid"), ("umpire", "computer")], "24h");
    settle(&mut host);
    let end = status(&mut host);
    assert_eq!(end.results.len(), 2, "a game of computers plays itself: {end:?}");
    let verdicts = verdicts(&mut host);
    assert!(verdicts.len() >= 9 && verdicts.iter().all(|v| v == "accepted"), "{verdicts:?}");
    replay(&desk(), &journal(&mut host), &camp.secrets());
}
