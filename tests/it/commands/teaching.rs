//! What a player learns by mail: what the game is about, how its manual is read, a command or an order by its word, the own map.

use super::*;

/// A campaign of La Grande Armee that has begun, with a person for each side.
fn campaign(host: &mut Host) {
    let seats = ["french", "allied"].map(|name| (seat(name), player(name)));
    let new = NewGame {
        scenario: "lga/austrian-1805".to_owned(),
        seats: BTreeMap::from(seats),
        start_now: true,
        ..toy_game(&[], "24h", Terms::default())
    };
    host.execute(Request::found(new)).unwrap();
    settle(host);
}

#[test]
fn a_game_tells_what_it_is_about_to_players_and_strangers() {
    let camp = Camp::new();
    let mut host = camp.open();
    campaign(&mut host);
    let own = asked(&camp, &mut host, "french", "s", "SCENARIO\r\n");
    let strangers = guest(&camp, &mut host, ANNA, "g", "SCENARIO alpha\r\n");
    for mail in [&own, &strangers] {
        for said in [
            "alpha: La Grande Armee. Austrian Challenge, Summer 1805 to Summer 1806.",
            "french the French commander: a person",
            "Deadline 1 day after each turn opens",
            "Missed turn the turn runs, and your units do what units without orders do",
            "Led by a game master",
            "RULES, in a mail about alpha, tells how the manual is read.",
        ] {
            says(mail, said);
        }
        is_silent_about(mail, "french@");
    }
    let unnamed = guest(&camp, &mut host, ANNA, "u", "SCENARIO\r\nSCENARIO nowhere\r\nRULES\r\n");
    says(&unnamed, "Name the game, as in SCENARIO alpha");
    says(&unnamed, "There is no game `nowhere` here.");
    says(&unnamed, "Name the game in the mail's subject");
    checked(&camp, &mut host);
}

#[test]
fn the_rulings_are_found_by_subject_number_and_word() {
    let camp = Camp::new();
    let mut host = camp.open();
    campaign(&mut host);
    let all = asked(&camp, &mut host, "french", "r", "RULES\r\nHELP rules\r\n");
    for said in ["Rulings on the manual of La Grande Armee", "Supply LGA-", "Combat LGA-"] {
        says(&all, said);
    }
    let one = asked(&camp, &mut host, "french", "r1", "RULES 1\r\nrules lga-2\r\nRULES zeppelin\r\n");
    says(&one, "LGA-1 Costs, dates and scenarios: The manual prices a headquarters at 5 points");
    says(&one, "LGA-2 Costs, dates and scenarios: Games run from 1805 to 1816");
    says(&one, "No ruling on the manual of La Grande Armee has `zeppelin`");
    is_silent_about(&one, "Cases:");
    is_silent_about(&one, "yaml");
    let many = asked(&camp, &mut host, "french", "r2", "RULES morale\r\n");
    says(&many, "These too have it: LGA-");
    assert!(text(&many).lines().all(|line| line.chars().count() <= 78), "{}", text(&many));
}

#[test]
fn help_knows_every_command_and_says_which_word_may_be_meant() {
    let camp = Camp::new();
    let mut host = camp.open();
    campaign(&mut host);
    let answer = asked(
        &camp,
        &mut host,
        "french",
        "h",
        "HELP resign\r\nHELP oders\r\nHELP absnet\r\nHELP mvoe\r\nHELP cooking\r\nHELP move\r\nHELP ready\r\nHELP withdraw\r\n",
    );
    for said in [
        "RESIGN gives your seat up",
        "There is no help on `oders`: did you mean HELP orders?",
        "There is no help on `absnet`: did you mean HELP ABSENT?",
        "There is no help on `mvoe`: did you mean HELP MOVE?",
        "There is no help on `cooking`.",
        "The kinds of orders that you can give now, with examples: MOVE",
        "READY UNTIL CONTACT in its place lets the turns to come run too",
        "WITHDRAW ORDERS takes back",
    ] {
        says(&answer, said);
    }
}

#[test]
fn a_misspelt_command_above_orders_is_named_and_holds_their_ready() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let before = camp.count("red", "receipt");
    for (bid, line, meant) in [(1, "TYR", "TRY"), (2, "AHAED", "AHEAD"), (3, "DRAWW", "DRAW")] {
        let body = format!("{line}\r\n{}", block(&format!("BID {bid}\r\nREADY")));
        camp.post(camp.answer("red", "dispatch", line, &body));
        settle(&mut host);
        let answer = camp.newest("red", "answer");
        says(&answer, &format!("did you mean {meant}?"));
        says(&answer, &format!("> {line}"));
        // What was to be tried, or kept for later, must not replace what stands.
        if meant == "DRAW" {
            says(&camp.newest("red", "receipt"), "not yet: your READY was left out");
        } else {
            says(&answer, "No orders of this mail were taken");
            assert_eq!(camp.count("red", "receipt"), before, "{line}");
        }
    }
}

#[test]
fn a_player_is_sent_the_own_map_alone() {
    let camp = Camp::new();
    let mut host = camp.open();
    campaign(&mut host);
    let answer = asked(&camp, &mut host, "french", "m", "MAP\r\n");
    let report = camp.newest("french", "dispatch");
    let answer = text(&answer);
    let map = answer.split_once("> MAP").unwrap().1.split_once("=====").unwrap().0;
    let told = text(&report);
    assert!(map.contains("THE MAP"), "{map}");
    for line in map.lines() {
        assert!(told.contains(line), "`{line}` is of no map of the dispatch:\n{told}");
    }
    assert!(!map.contains("WHAT HAPPENED"), "{map}");
}

#[test]
fn words_of_commands_that_orders_or_letters_begin_with_are_left_to_them() {
    let camp = Camp::new();
    let mut host = camp.open();
    let seats = ["northwold", "reaches"].map(|name| (seat(name), player(name)));
    let new = NewGame {
        scenario: "sa/mill".to_owned(),
        seats: BTreeMap::from(seats),
        start_now: true,
        ..toy_game(&[], "24h", Terms::default())
    };
    host.execute(Request::found(new)).unwrap();
    settle(&mut host);
    let orders = "MAP NONE\r\nMAP SIDEWAYS\r\n";
    camp.post(camp.answer("northwold", "dispatch", "o", &block(orders)));
    settle(&mut host);
    let receipt = camp.newest("northwold", "receipt");
    says(&receipt, "MAP SIDEWAYS");
    is_silent_about(&receipt, "is for the host");
    let answers = |camp: &Camp| camp.count("northwold", "answer");
    let before = answers(&camp);
    camp.post(camp.answer(
        "northwold",
        "dispatch",
        "l",
        "Rules are rules, and I keep to them.\r\nPRESS TO ALL\r\nSnow.\r\nEND PRESS\r\n",
    ));
    settle(&mut host);
    assert_eq!(answers(&camp), before, "a sentence is no question");
}

#[test]
fn orders_are_tried_without_counting() {
    let camp = Camp::new();
    let mut host = camp.open();
    campaign(&mut host);
    let none = asked(&camp, &mut host, "french", "n", "TRY\r\n");
    says(&none, "There are no orders in this mail that could be tried");
    let orders = "BEGIN ORDERS\r\nMOVE 3 TO Ulm\r\nMOVE 3 TO Nowhere\r\nREADY\r\nEND ORDERS\r\n";
    let tried = asked(&camp, &mut host, "french", "t", &format!("TRY\r\n\r\n{orders}"));
    says(
        &tried,
        "This set was only tried, and doesn't count: 1 order understood, with errors in 1 line. No orders of yours are here",
    );
    says(&tried, "ORDERS AS UNDERSTOOD");
    says(&tried, "ERROR: ");
    // Lines without marks that are all wrong are pointed at too.
    let wrong = asked(&camp, &mut host, "french", "w", "TRY\r\n\r\nMUVE 3 TO Ulm\r\n");
    says(&wrong, "0 orders understood, with errors in 1 line");
    says(&wrong, "did you mean MOVE?");
    // What is said of a set alone is said of the one that stands.
    assert!(!verdicts(&mut host).contains(&"accepted".to_owned()), "tried orders were taken");
    camp.post(camp.answer("french", "dispatch", "given", &block("MOVE 3 TO Ulm")));
    settle(&mut host);
    let ready = asked(&camp, &mut host, "french", "ready", "TRY\r\n\r\nREADY\r\n");
    says(
        &ready,
        "doesn't count: 1 order understood, with no errors. Your 1 order for the turn stands as before.",
    );
    checked(&camp, &mut host);
}

#[test]
fn one_order_is_answered_with_what_it_would_come_to() {
    let camp = Camp::new();
    let mut host = camp.open();
    campaign(&mut host);
    let odds = asked(&camp, &mut host, "french", "o", "ODDS MOVE 3 TO Ulm\r\nODDS MVOE 3 TO Ulm\r\nODDS\r\n");
    says(&odds, "It was read as your only order, and is not given.");
    says(&odds, "ORDERS AS UNDERSTOOD");
    says(&odds, "This is no order that can be given now.");
    says(&odds, "Hint: write ODDS and an order of the game");
    assert!(!verdicts(&mut host).contains(&"accepted".to_owned()), "an order was taken");
    checked(&camp, &mut host);
}

#[test]
fn where_a_unit_gets_is_told_with_a_map() {
    let camp = Camp::new();
    let mut host = camp.open();
    campaign(&mut host);
    let reach = asked(&camp, &mut host, "french", "r", "REACH 3\r\nREACH 99\r\nREACH\r\n");
    for said in ["as far as you know the position", "Strasbourg", "This can't be answered."] {
        says(&reach, said);
    }
    says(&reach, "/ in reach");
    checked(&camp, &mut host);
}

#[test]
fn a_mistyped_ready_until_contact_is_told_what_it_was_meant_to_be() {
    let camp = Camp::new();
    let mut host = camp.open();
    campaign(&mut host);
    camp.post(camp.answer("french", "dispatch", "slip", "MOVE 3 TO Ulm\r\nready untill contact\r\n"));
    settle(&mut host);
    let receipt = camp.newest("french", "receipt");
    says(&receipt, "2 ready untill contact ^^^^^^ ERROR: `ready untill contact` is no order.");
    says(&receipt, "Hint: did you mean READY UNTIL CONTACT?");
    camp.post(camp.answer("french", "dispatch", "alone", "READY UNTIL CONTCT\r\n"));
    settle(&mut host);
    says(&camp.newest("french", "refusal"), "Hint: did you mean READY UNTIL CONTACT?");
}

#[test]
fn who_joins_again_is_told_that_the_seat_is_his() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    camp.post(camp.answer("red", "dispatch", "again", "JOIN\r\n"));
    settle(&mut host);
    let refusal = camp.newest("red", "refusal");
    assert!(refusal.subject.ends_with("not accepted: the seat is yours already"), "{}", refusal.subject);
    says(&refusal, "JOIN confirms a seat before the game begins. It has begun, the seat is yours");
    camp.post(camp.answer("red", "dispatch", "among", &block("JOIN\r\nBID 2")));
    settle(&mut host);
    is_silent_about(&camp.newest("red", "receipt"), "Your seat is confirmed");
    // A first line in small letters that is perhaps a command is told of where there are no orders.
    camp.post(camp.answer("red", "dispatch", "tyr", "tyr\r\n"));
    settle(&mut host);
    let refusal = camp.newest("red", "refusal");
    says(&refusal, "If its first line is meant as a command, it can't be read: tyr ^^^");
    says(&refusal, "Did you mean TRY?");
}

#[test]
fn the_first_mail_with_commands_too_many_is_told_so() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    for n in 0..=51 {
        camp.post(camp.answer("red", "dispatch", &format!("s{n}"), "STATUS\r\n"));
    }
    settle(&mut host);
    assert_eq!(camp.count("red", "answer"), 51);
    says(
        &answer_to(&camp, &player("red"), "s50"),
        "50 mails with commands were answered today, and no more are before 00:00 UTC: nothing was done.",
    );
    camp.post(camp.answer("red", "dispatch", "bid", &block("BID 1")));
    settle(&mut host);
    assert!(verdicts(&mut host).contains(&"accepted".to_owned()));
    checked(&camp, &mut host);
}
