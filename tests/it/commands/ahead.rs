//! Orders that are left for a later turn.

use super::*;

use musterd::engine::journal::{Cause, Verdict};

/// What a seat's orders for the open turn are, as the journal has them last; nothing where it has none since the turn opened.
fn orders(host: &mut Host, of: &str) -> Option<String> {
    let entries = journal(host);
    let open = entries.iter().rposition(|entry| matches!(entry.cause, Cause::Opened { .. })).unwrap();
    entries[open..].iter().rev().find_map(|entry| match &entry.cause {
        Cause::Received(mail) if mail.seat.as_ref().is_some_and(|seat| seat.as_str() == of) => {
            match &mail.verdict {
                Verdict::Accepted { block, .. } => Some(block.as_str().to_owned()),
                _ => None,
            }
        }
        _ => None,
    })
}

/// Both bid, and the umpire rules.
fn round(camp: &Camp, host: &mut Host, id: &str) {
    for (who, bid) in [("red", 2), ("blue", 1)] {
        camp.post(camp.answer(
            who,
            "dispatch",
            &format!("{id}-{who}"),
            &block(&format!("BID {bid}\r\nREADY")),
        ));
        settle(host);
    }
    camp.post(camp.answer("umpire", "dispatch", &format!("{id}-umpire"), &block("UPHOLD\r\nREADY")));
    settle(host);
}

#[test]
fn orders_that_were_left_count_when_their_turn_comes_and_are_said_back() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let before = orders(&mut host, "red");
    let left = asked(
        &camp,
        &mut host,
        "red",
        "left",
        &format!("AHEAD\r\n\r\n{}", block("BID 2\r\nsalt: ahead\r\nREADY")),
    );
    says(&left, "These orders are kept for your next turn after the open one, and don't count before.");
    says(&left, "Bid 2");
    assert_eq!(orders(&mut host, "red"), before, "they are none of this turn's");
    says(&asked(&camp, &mut host, "red", "what", "AHEAD\r\n"), "AHEAD NOTHING takes them back");
    let receipts = camp.count("red", "receipt");
    round(&camp, &mut host, "one");
    assert_eq!(orders(&mut host, "red").as_deref(), Some("BID 2\nsalt: ahead\n"), "without READY");
    assert_eq!(camp.count("red", "receipt"), receipts + 2, "one for each set");
    let said = camp.newest("red", "receipt");
    says(
        &said,
        "You left orders in turn 2 for this one: they count from now on, and a new set replaces them",
    );
    says(&said, "Bid 2");
    // A better set replaces them; they are not said twice.
    camp.post(camp.answer("red", "dispatch", "better", &block("BID 3\r\nREADY")));
    settle(&mut host);
    assert_eq!(orders(&mut host, "red").as_deref(), Some("BID 3\nREADY\n"));
    round(&camp, &mut host, "two");
    assert_eq!(orders(&mut host, "red"), None, "the turn after that is asked for anew");
    checked(&camp, &mut host);
}

#[test]
fn orders_for_a_named_turn_wait_for_it_and_are_taken_back() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let says_of = |camp: &Camp, host: &mut Host, id: &str, words: &str, said: &str| {
        says(&asked(camp, host, "red", id, words), said);
    };
    says_of(&camp, &mut host, "old", &format!("AHEAD 2\r\n\r\n{}", block("BID 2")), "Turn 2 is open or over");
    for turn in ["round-1", "slowly", "founding"] {
        let words = format!("AHEAD {turn}\r\n\r\n{}", block("BID 2"));
        says_of(&camp, &mut host, turn, &words, "This is no turn to come.");
    }
    says_of(&camp, &mut host, "none", "AHEAD\r\n", "No orders stand below AHEAD, and none of yours are kept");
    says_of(
        &camp,
        &mut host,
        "wrong",
        "AHEAD\r\n\r\nBUD 2\r\n",
        "None of these lines can be read as an order now, and nothing was kept.",
    );
    says_of(
        &camp,
        &mut host,
        "prose",
        "AHEAD\r\n\r\nGather at the ford\r\n",
        "Not read, as orders or as commands: `Gather at the ford`.",
    );
    says_of(&camp, &mut host, "nothing", "AHEAD NOTHING\r\n", "No orders of yours are kept");
    says_of(&camp, &mut host, "four", &format!("AHEAD 6\r\n\r\n{}", block("BID 4")), "are kept for turn 6");
    says_of(
        &camp,
        &mut host,
        "again",
        &format!("AHEAD 6\r\n\r\n{}", block("BID 5")),
        "take the place of those that were kept before",
    );
    round(&camp, &mut host, "one");
    assert_eq!(orders(&mut host, "red"), None, "turn 4 is not theirs");
    round(&camp, &mut host, "two");
    assert_eq!(orders(&mut host, "red").as_deref(), Some("BID 5\n"));
    says_of(&camp, &mut host, "more", &format!("AHEAD\r\n\r\n{}", block("BID 1")), "are kept");
    says_of(&camp, &mut host, "forget", "AHEAD NOTHING\r\n", "are forgotten");
    checked(&camp, &mut host);
}

#[test]
fn what_was_left_belongs_to_its_player_and_its_game_as_it_went() {
    // A new player has left nothing.
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    asked(&camp, &mut host, "red", "left", &format!("AHEAD\r\n\r\n{}", block("BID 2")));
    let gm = |host: &mut Host, text: &str| {
        host.execute(Request::Gm { game: game(), text: text.to_owned(), yes: true }).unwrap();
        settle(host);
    };
    gm(&mut host, "REPLACE red carl@example.org");
    gm(&mut host, "PROCESS 2");
    gm(&mut host, "PROCESS 3");
    assert_eq!(orders(&mut host, "red"), None);
    checked(&camp, &mut host);
    // A turn that was taken back has forgotten it too.
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    round(&camp, &mut host, "one");
    asked(&camp, &mut host, "red", "left", &format!("AHEAD\r\n\r\n{}", block("BID 2")));
    gm(&mut host, "ROLLBACK 2");
    round(&camp, &mut host, "anew");
    assert_eq!(orders(&mut host, "red"), None);
    checked(&camp, &mut host);
}
