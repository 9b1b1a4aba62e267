//! What a player settles about the own seat: orders taken back, addresses, secrets.

use super::*;

#[test]
fn orders_are_taken_back_whole_and_the_log_says_so() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    says(
        &asked(&camp, &mut host, "red", "w0", "WITHDRAW ORDERS\r\n"),
        "no orders of yours for the open turn",
    );
    camp.post(camp.answer("red", "dispatch", "r", &block("BID 3\r\nREADY")));
    settle(&mut host);
    let withdrawal = camp.answer("red", "dispatch", "w", "WITHDRAW ORDERS\r\n");
    camp.post(&withdrawal);
    settle(&mut host);
    says(&answer_to(&camp, &player("red"), "w"), "Your orders for Round 1, both bid are taken back");
    says(&asked(&camp, &mut host, "red", "s", "STATUS\r\n"), "red you: orders missing");
    // The turn doesn't run on the READY of orders that are gone.
    camp.post(camp.answer("blue", "dispatch", "b", &block("BID 1\r\nREADY")));
    settle(&mut host);
    assert_eq!(camp.count("red", "dispatch"), 1);
    camp.post(camp.answer("red", "dispatch", "r2", &block("BID 2")));
    camp.post(&withdrawal);
    settle(&mut host);
    assert_eq!(
        verdicts(&mut host)[4..],
        ["withdrawn", "accepted", "accepted"],
        "a second copy takes nothing back"
    );
    camp.post(camp.answer("red", "dispatch", "w2", "WITHDRAW ORDERS\r\n"));
    camp.wait(24 * HOUR + 1);
    settle(&mut host);
    assert_eq!(
        verdicts(&mut host).last().map(String::as_str),
        Some("accepted"),
        "it arrived when the time was over"
    );
    checked(&camp, &mut host);
    // An answer to the old dispatch means the old turn.
    let umpire = camp.newest("umpire", "dispatch");
    assert!(umpire.subject.contains("Round 1"));
}

#[test]
fn a_withdrawal_in_time_counts_at_the_close() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let old = camp.answer("red", "dispatch", "late", "WITHDRAW ORDERS\r\n");
    for seat in ["red", "blue"] {
        camp.post(camp.answer(seat, "dispatch", seat, &block("BID 3")));
    }
    settle(&mut host);
    camp.post(camp.answer("red", "dispatch", "w", "WITHDRAW ORDERS\r\n"));
    camp.wait(24 * HOUR);
    camp.clock.set(camp.clock.now() - 1);
    settle(&mut host);
    camp.wait(1);
    settle(&mut host);
    says(&camp.newest("blue", "dispatch"), "The red player sent no orders");
    camp.post(old);
    settle(&mut host);
    says(
        &answer_to(&camp, &player("red"), "late"),
        "This mail answers one of turn 2, and turn 3 is open now",
    );
    checked(&camp, &mut host);
}

#[test]
fn a_new_address_counts_once_it_is_confirmed_from_there() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let new = "red@elsewhere.example";
    let add = camp.answer("red", "dispatch", "a", &format!("ADDRESS ADD {new}\r\n"));
    camp.post(&add);
    camp.post(&add);
    settle(&mut host);
    says(&answer_to(&camp, &player("red"), "a"), "A code went to red@elsewhere.example.");
    let asked_there = camp.mails(new);
    assert_eq!(asked_there.len(), 1);
    let token = camp.newest("red", "dispatch").reply_to[0]
        .split('.')
        .nth(2)
        .unwrap()
        .split('@')
        .next()
        .unwrap()
        .to_owned();
    assert!(
        !format!("{:?}", asked_there[0]).contains(&token),
        "no secret goes to an address that nobody confirmed"
    );
    let line = confirm_line(&asked_there[0]);
    // Nobody else can confirm it, the player's old address neither.
    says(&guest(&camp, &mut host, ANNA, "c0", &line), "This code is not good for this address");
    let from_new = |camp: &Camp, id: &str, words: &str| {
        camp.answer("red", "dispatch", id, words)
            .replace(&format!("From: <{}>", player("red")), &format!("From: <{new}>"))
    };
    camp.post(from_new(&camp, "n0", &block("BID 1")));
    settle(&mut host);
    assert_eq!(verdicts(&mut host).last().map(String::as_str), Some("wrong-sender"));
    says(&guest(&camp, &mut host, new, "c", &line), "Mails from this address count for your seat in alpha");
    says(&guest(&camp, &mut host, new, "c2", &line), "You play the red player in this game.");
    says(&camp.newest("red", "notice"), "Orders from red@elsewhere.example count as yours");
    camp.post(from_new(&camp, "n", &block("BID 1")));
    settle(&mut host);
    assert_eq!(verdicts(&mut host).last().map(String::as_str), Some("accepted"));
    // Dropping the first one makes the other the one that is written to; the last can't be dropped.
    says(
        &asked(&camp, &mut host, "red", "d0", "ADDRESS DROP nobody@example.org\r\n"),
        "is not registered for your seat",
    );
    camp.post(camp.answer("red", "dispatch", "d", &format!("ADDRESS DROP {}\r\n", player("red"))));
    settle(&mut host);
    says(&answer_to(&camp, new, "d"), "You are written to at red@elsewhere.example.");
    camp.post(from_new(&camp, "d2", &format!("ADDRESS DROP {new}\r\n")));
    settle(&mut host);
    says(&answer_to(&camp, new, "d2"), "It is the only address of your seat");
    let mails = camp.mails(&player("red")).len();
    camp.wait(24 * HOUR);
    settle(&mut host);
    assert_eq!(camp.mails(&player("red")).len(), mails, "nothing more goes to an address that was dropped");
    assert!(camp.mails(new).iter().any(|mail| mail.message_id.as_deref().unwrap().contains(".dispatch.")));
    checked(&camp, &mut host);
}

#[test]
fn an_address_that_was_dropped_does_not_come_back_by_its_old_code() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let new = "red@elsewhere.example";
    asked(&camp, &mut host, "red", "a", &format!("ADDRESS ADD {new}\r\n"));
    let line = confirm_line(&camp.mails(new)[0]);
    guest(&camp, &mut host, new, "c", &line);
    asked(&camp, &mut host, "red", "d", &format!("ADDRESS DROP {new}\r\n"));
    says(&guest(&camp, &mut host, new, "c2", &line), "This code was used already.");
    // Nor does a code outlive the secret that it was asked for with.
    let other = "red@third.example";
    asked(&camp, &mut host, "red", "a2", &format!("ADDRESS ADD {other}\r\nNEW SECRET\r\n"));
    let line = confirm_line(&camp.mails(other)[0]);
    says(&guest(&camp, &mut host, other, "c3", &line), "not good for this address, or not any more");
    checked(&camp, &mut host);
}

#[test]
fn addresses_that_cannot_be_had_are_refused() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    for (n, (address, why)) in [
        ("nonsense", "is not a mail address"),
        (HOST, "the address of this host"),
        ("host+x@example.org", "the address of this host"),
        ("red@players.example", "is registered already"),
    ]
    .into_iter()
    .enumerate()
    {
        let answer = asked(&camp, &mut host, "red", &format!("a{n}"), &format!("ADDRESS ADD {address}\r\n"));
        assert!(answer.subject.contains("[ERRORS]"));
        says(&answer, why);
    }
    let many: String = (0..7).map(|n| format!("ADDRESS ADD red{n}@elsewhere.example\r\n")).collect();
    says(&asked(&camp, &mut host, "red", "many", &many), "enough new addresses for one day");
    assert!(
        camp.mails("red4@elsewhere.example").len() == 1 && camp.mails("red5@elsewhere.example").is_empty()
    );
}

#[test]
fn a_new_secret_makes_the_old_one_worthless() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let with_old = camp.answer("red", "dispatch", "old", &block("BID 1"));
    let change = camp.answer("red", "dispatch", "n", &format!("NEW SECRET\r\n{}", block("BID 2")));
    camp.post(&change);
    camp.post(&change);
    settle(&mut host);
    assert_eq!(changes(&mut host), [Change::Secret { seat: seat("red"), issue: 1 }]);
    let brought = camp.newest("red", "invitation");
    assert_eq!(brought.subject, "[alpha] your seat's new secret");
    assert_eq!(verdicts(&mut host).last().map(String::as_str), Some("accepted"), "orders beside it count");
    camp.post(with_old);
    settle(&mut host);
    assert_eq!(verdicts(&mut host).last().map(String::as_str), Some("wrong-secret"));
    camp.post(camp.answer("red", "invitation", "new", &block("BID 3")));
    settle(&mut host);
    assert_eq!(verdicts(&mut host).last().map(String::as_str), Some("accepted"));
    says(&camp.newest("red", "receipt"), "Bid 3");
    assert!(camp.newest("red", "receipt").references.contains(brought.message_id.as_ref().unwrap()));
    // The journal alone says which secret counts.
    drop(host);
    let mut host = camp.open();
    camp.post(camp.answer("red", "receipt", "new2", &block("BID 1")));
    settle(&mut host);
    assert_eq!(verdicts(&mut host).last().map(String::as_str), Some("accepted"));
    checked(&camp, &mut host);
}

#[test]
#[cfg(feature = "lga")]
fn a_command_whose_word_orders_use_too_has_its_caret_and_an_order_stays_an_order() {
    let camp = Camp::new();
    let mut host = camp.open();
    let new = NewGame {
        scenario: "lga/austrian-1805".to_owned(),
        seats: ["french", "allied"].map(|name| (seat(name), player(name))).into(),
        start_now: true,
        ..toy_game(&[], "24h", Terms::default())
    };
    host.execute(Request::found(new)).unwrap();
    settle(&mut host);
    for (line, told) in [
        (
            "JOIN beta fr_ench",
            "> JOIN beta fr_ench ^^^^^^^ ERROR: `fr_ench` can't be read: the name of a seat is expected here.",
        ),
        ("MAIL PICTURE OFF", "Hint: did you mean PICTURES? Write MAIL with TEXT, HTML,"),
        ("MAP north", "^^^^^ ERROR: `north` can't be read: nothing more is expected here."),
        ("BACK again", "nothing more is expected here."),
        ("NEW SECRTE", "did you mean SECRET? Write NEW SECRET."),
        ("WITHDRAW ORDER", "did you mean ORDERS? Write WITHDRAW ORDERS."),
        ("SCENARIO al_pha", "the name of a game such as alpha is expected here."),
        ("RULES the retreat of guards", "RULES and a number or words"),
    ] {
        let id = format!("slip-{}", line.split(' ').next().unwrap());
        let answer = asked(&camp, &mut host, "french", &id, &format!("{line}\r\nSTATUS\r\n"));
        says(&answer, told);
        says(&answer, "> STATUS");
        assert!(answer.subject.contains("[ERRORS]"), "{}", answer.subject);
    }
    // Orders, and a heading above some.
    for (id, orders) in [
        ("order", "WITHDRAW 4 TO Munich WHEN 4 MORALE <= 1\r\n"),
        ("heading", "NEW ORDERS:\r\nWITHDRAW 4 TO Munich WHEN 4 MORALE <= 1\r\n"),
    ] {
        camp.post(camp.answer("french", "dispatch", id, orders));
        settle(&mut host);
        let receipt = camp.newest("french", "receipt");
        assert!(text(&receipt).contains("WITHDRAW 4 TO Munich"), "{}", text(&receipt));
        let id = format!("{id}@players.example");
        assert!(
            !camp.mails(&player("french")).iter().any(|mail| {
                mail.in_reply_to.as_deref() == Some(id.as_str()) && is_of_kind(mail, "answer")
            })
        );
    }
    // Somebody without a game.
    says(&guest(&camp, &mut host, ANNA, "join", "JOIN\r\n"), "Something is missing: the name of a game");
    checked(&camp, &mut host);
}

#[test]
fn orders_without_their_end_line_count_and_the_receipt_says_what_is_missing() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    camp.post(camp.answer("red", "dispatch", "open", "BEGIN ORDERS\r\nBID 3\r\n"));
    settle(&mut host);
    let receipt = camp.newest("red", "receipt");
    says(&receipt, "1 order understood, with no errors. No line END ORDERS ends them:");
    says(&receipt, "Write END ORDERS on a line of its own below the last one.");
    camp.post(camp.answer("red", "dispatch", "ended", &block("BID 2")));
    settle(&mut host);
    is_silent_about(&camp.newest("red", "receipt"), "No line END ORDERS");
}
