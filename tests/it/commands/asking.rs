//! What is asked: where games stand, help, reports once more, the receipt once more.

use super::*;

#[test]
fn status_tells_a_player_what_is_owed_and_nothing_hidden() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    camp.post(camp.answer("blue", "dispatch", "b", &block("BID 2\r\nREADY")));
    camp.wait(HOUR);
    let answer = asked(&camp, &mut host, "red", "s", "STATUS\r\n");
    assert_eq!(answer.subject, "[alpha] your command");
    assert_eq!(answer.in_reply_to.as_deref(), Some("s@players.example"));
    for said in [
        "> STATUS",
        "alpha: The Ridge, 3 rounds",
        "Waits for Round 1, both bid (turn 2)",
        "Until Sunday 22 November 2026, 12:00 UTC (23 hours)",
        "red you: orders missing",
        "blue a person: orders here",
        "umpire a person: owes nothing",
        "0 waiting, 0 came back",
        "Orders from you 1 accepted, 0 refused",
        "Game: alpha",
    ] {
        says(&answer, said);
    }
    is_silent_about(&answer, "you are done");
    is_silent_about(&answer, "blue@");
    camp.post(camp.answer(
        "red",
        "dispatch",
        "r",
        &format!("ZONE Europe/Vienna\r\n{}", block("BID 1\r\nREADY\r\nWAIT")),
    ));
    settle(&mut host);
    let answer = asked(&camp, &mut host, "red", "s2", "STATUS\r\n");
    says(&answer, "red you: orders here");
    says(&answer, "13:00 CET");
    checked(&camp, &mut host);
}

#[test]
fn a_stranger_is_told_what_is_public_and_a_player_of_several_games_all_of_them() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    another(
        &mut host,
        "beta",
        &[("red", &player("red")), ("blue", "open"), ("umpire", "computer")],
        Terms::default(),
    );
    another(
        &mut host,
        "gamma",
        &[("red", &player("blue")), ("blue", &player("umpire")), ("umpire", "computer")],
        Terms::default(),
    );
    let answer = asked(&camp, &mut host, "red", "s", "STATUS\r\nLIST\r\n");
    for said in [
        "alpha: The Ridge",
        "beta: The Ridge",
        "blue nobody yet: not confirmed",
        "JOIN beta blue, for one, takes a seat",
        "Free: blue.",
    ] {
        says(&answer, said);
    }
    is_silent_about(&answer, "gamma");
    // A mail from two addresses is from neither, whatever secret it shows.
    let both = camp.answer("red", "dispatch", "both", "STATUS\r\n");
    let (red, blue) = (player("red"), player("blue"));
    camp.post(both.replace(&format!("From: <{red}>"), &format!("From: <{red}>, <{blue}>")));
    settle(&mut host);
    let refusal = camp.newest("red", "refusal");
    says(&refusal, "It came from somebody else's address and could not be taken for yours.");
    is_silent_about(&refusal, "gamma");
    assert_eq!(verdicts(&mut host).last().unwrap(), "wrong-sender");
    // The same player's address proves nothing by itself.
    let public = guest(&camp, &mut host, &player("red"), "g", "STATUS\r\n");
    says(&public, "JOIN beta blue");
    for hidden in ["orders", "alpha", "gamma"] {
        is_silent_about(&public, hidden);
    }
    let asked_of_alpha = guest_mail(ANNA, "g2", "STATUS\r\n").replace("Re: orders", "[alpha] how is it?");
    camp.post(asked_of_alpha);
    settle(&mut host);
    let public = answer_to(&camp, ANNA, "g2");
    says(&public, "Waits for Round 1, both bid");
    is_silent_about(&public, "missing");
    let mut words = verdicts(&mut host).into_iter().filter(|word| word != "wrong-sender");
    assert!(words.all(|word| word == "accepted"), "a question is no refused mail");
}

#[test]
fn help_has_topics() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let answer = asked(
        &camp,
        &mut host,
        "red",
        "h",
        "HELP\r\nHELP orders\r\nhelp COMMANDS\r\nHELP seats\r\nHELP dice\r\nHELP press\r\nHELP gm\r\nHELP cooking\r\n",
    );
    assert_eq!(answer.subject, "[alpha] your 8 commands");
    for said in [
        "orders, commands, seats, press, dice, gm",
        "Each set of orders replaces the one before",
        "ABSENT UNTIL 2026-12-10",
        "STANDBY alpha",
        "the anchor in your invitation",
        "PRESS TO ALLIES",
        "can change no die",
    ] {
        says(&answer, said);
    }
    let text = text(&answer);
    assert!(text.lines().all(|line| line.len() <= 78), "{text}");
    assert_eq!(text.matches("belongs to a program").count(), 2, "an unknown topic gives the general help");
}

#[test]
fn reports_come_again() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game(&mut host, &[], "24h");
    settle(&mut host);
    camp.post(camp.answer("red", "invitation", "early", "REPORT\r\n"));
    settle(&mut host);
    says(&answer_to(&camp, &player("red"), "early"), "Nothing has been reported yet");
    for seat in ["red", "blue", "umpire"] {
        camp.post(camp.answer(seat, "invitation", &format!("join-{seat}"), "JOIN\r\nsalt: dice of mine"));
    }
    settle(&mut host);
    for seat in ["red", "blue"] {
        camp.post(camp.answer(seat, "dispatch", &format!("bid-{seat}"), &block("BID 1\r\nREADY")));
    }
    settle(&mut host);
    let first = camp.newest("red", "dispatch");
    let answer = asked(&camp, &mut host, "red", "r", "REPORT\r\nREPORT round-1\r\n");
    says(&answer, "Your last dispatch comes again in a mail of its own.");
    assert_eq!(camp.count("red", "dispatch"), 3, "two turns, and one of them again, once");
    let again = camp.newest("red", "dispatch");
    let report = |mail: &Letter| text(mail).split("BEGIN ORDERS").next().unwrap().to_owned();
    assert_eq!(
        report(&again),
        report(&first)
            .replace("told: alpha 2 red 2", "told: alpha 2 red 3")
            .replace("Told: alpha 2 red 2", "Told: alpha 2 red 3")
    );
    assert_eq!(again.reply_to, first.reply_to);
    let old = asked(&camp, &mut host, "red", "r2", "REPORT 1\r\nHISTORY\r\nREPORT 9\r\n");
    assert_eq!(old.subject, "[ERRORS] [alpha] your 3 commands, 1 with errors");
    says(&old, "Your dispatch is attached: report-1.txt.");
    says(&old, "attached: history.txt.");
    says(&old, "There is no dispatch about `9`");
    checked(&camp, &mut host);
    let umpire = asked(&camp, &mut host, "umpire", "u", "PREVIEW\r\n");
    says(&umpire, "There are no orders of yours");
}

#[test]
fn luck_is_a_seats_own_while_the_game_runs_and_everybodys_when_it_is_over() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    for round in 1..=3 {
        for seat in ["red", "blue"] {
            let bid = block(&format!("BID 1\r\nREADY\r\nsalt: {round}"));
            camp.post(camp.answer(seat, "dispatch", &format!("bid-{seat}-{round}"), &bid));
        }
        settle(&mut host);
        if round == 1 {
            let answer = asked(&camp, &mut host, "red", "l", "LUCK\r\n");
            says(&answer, "1 of your rolls could have gone better or worse so far");
            says(&answer, "told in the last report");
            is_silent_about(&answer, "dice were thrown");
            let umpire = asked(&camp, &mut host, "umpire", "lu", "LUCK\r\n");
            says(&umpire, "0 of your rolls");
        }
        camp.post(camp.answer("umpire", "dispatch", &format!("rule-{round}"), &block("UPHOLD\r\nREADY")));
        settle(&mut host);
    }
    let last = camp.newest("red", "dispatch");
    says(&last, "THE DICE, COUNTED");
    // Two purses, and two dice in each of three rounds.
    says(&last, "8 dice were thrown. There are too few dice to say anything of them.");
    says(&last, "can't prove that a host is honest");
    let answer = asked(&camp, &mut host, "blue", "l2", "LUCK\r\n");
    says(&answer, "8 dice were thrown.");
    checked(&camp, &mut host);
}

#[test]
fn a_preview_is_the_receipt_again_and_gives_no_order() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    camp.post(camp.answer("red", "dispatch", "r", &block("BID 3")));
    settle(&mut host);
    let before = journal(&mut host);
    let answer = asked(&camp, &mut host, "red", "p", "PREVIEW\r\nPREVIEW\r\n");
    says(&answer, "what each order will do and its odds");
    assert_eq!(camp.count("red", "receipt"), 3, "the JOIN's, the bid's, and the bid's again once");
    says(&camp.newest("red", "receipt"), "Bid 3");
    let entries = journal(&mut host);
    let [entry] = &entries[before.len()..] else { panic!("{entries:?}") };
    assert!(matches!(entry.cause, Cause::Reported(_)), "nothing but what is told: {entry:?}");
    let answer = asked(&camp, &mut host, "red", "p2", &format!("PREVIEW\r\n{}", block("BID 4")));
    says(&answer, "The orders in this mail count");
    assert_eq!(verdicts(&mut host).len(), 5);
}

#[test]
fn a_turn_that_waits_for_the_gm_is_not_reported_by_command() {
    let camp = Camp::new();
    let mut host = camp.open();
    let seats = [("red", player("red")), ("blue", player("blue")), ("umpire", player("umpire"))];
    let seats: Vec<(&str, &str)> = seats.iter().map(|(s, who)| (*s, who.as_str())).collect();
    another(
        &mut host,
        "alpha",
        &seats,
        Terms { approval: Some(48 * 60), observers_lag: 0, ..Terms::default() },
    );
    let line = confirm_line(&guest(&camp, &mut host, ANNA, "o", "OBSERVE alpha\r\n"));
    guest(&camp, &mut host, ANNA, "c", &line);
    for seat in ["red", "blue", "umpire"] {
        camp.post(camp.answer(seat, "invitation", &format!("join-{seat}"), "JOIN\r\nsalt: dice of mine"));
    }
    settle(&mut host);
    camp.post(camp.answer(
        "red",
        "invitation",
        "q",
        "REPORT\r\nREPORT 1\r\nHISTORY\r\nLUCK\r\nSTATUS\r\nPREVIEW\r\nWITHDRAW ORDERS\r\n",
    ));
    settle(&mut host);
    let answer = answer_to(&camp, &player("red"), "q");
    says(&answer, "Nothing has been reported yet");
    says(&answer, "Stands the GM, who looks at the turn that has run");
    says(&answer, "0 of your rolls");
    says(&answer, "so none can be taken back");
    let raw = raw_mails(&camp.path().join("mail").join(player("red")));
    assert!(!raw.iter().any(|(_, raw)| String::from_utf8_lossy(raw).contains("coins")));
    assert!(
        !camp.mails(ANNA).iter().any(|mail| mail.subject.contains("turn 1")),
        "nor is it shown to those who watch"
    );
    camp.wait(48 * HOUR);
    settle(&mut host);
    assert_eq!(camp.count("red", "dispatch"), 1);
    assert!(camp.mails(ANNA).iter().any(|mail| mail.subject.contains("turn 1")));
    checked(&camp, &mut host);
}

#[test]
fn what_is_asked_is_answered_after_the_orders_of_the_same_mail() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let answer = asked(&camp, &mut host, "red", "both", &format!("STATUS\r\nPREVIEW\r\n{}", block("BID 2")));
    says(&answer, "red you: orders here");
    says(&answer, "2 accepted, 0 refused");
    says(&answer, "The orders in this mail count");
    // In the order given, with what changes something among it.
    let words = format!("STATUS\r\nWITHDRAW ORDERS\r\nZONE Europe/Vienna\r\n{}", block("BID 3"));
    let answer = asked(&camp, &mut host, "red", "again", &words);
    let said = text(&answer);
    let place = |word: &str| said.find(&format!("> {word}")).unwrap();
    assert!(place("STATUS") < place("WITHDRAW") && place("WITHDRAW") < place("ZONE"), "{said}");
    says(&answer, "13:00 CET");
    says(&answer, "red you: orders here");
    // What came too late is not said to count.
    let late = camp.answer("red", "dispatch", "late", &format!("STATUS\r\nPREVIEW\r\n{}", block("BID 4")));
    camp.wait(24 * HOUR + 1);
    camp.post(late);
    settle(&mut host);
    let answer = answer_to(&camp, &player("red"), "late");
    is_silent_about(&answer, "The orders in this mail count");
    checked(&camp, &mut host);
}
