//! How seats change hands by mail: resigning, waiting for a seat, joining, and what a stranger is answered.

use super::*;

#[test]
fn who_resigns_is_replaced_by_the_first_of_those_who_wait() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    says(&guest(&camp, &mut host, ANNA, "j", "JOIN alpha\r\n"), "No seat is free.");
    for (who, wish) in [(ANNA, "STANDBY alpha red"), (BEN, "standby alpha")] {
        let offer = guest(&camp, &mut host, who, &format!("s-{who}"), &format!("{wish}\r\n"));
        let line = confirm_line(&offer);
        says(
            &guest(&camp, &mut host, who, &format!("c-{who}"), &format!("{line}\r\n")),
            "You are on the list",
        );
    }
    camp.post(camp.answer("red", "dispatch", "r", &block("BID 3")));
    settle(&mut host);
    let old = camp.answer("red", "dispatch", "old", &block("BID 1"));
    let wish = asked(&camp, &mut host, "red", "wish", "RESIGN\r\n");
    says(
        &wish,
        "Nothing has been done yet. To give up your seat as the red player in alpha for good, answer this mail",
    );
    let line = confirm_line(&wish);
    let resigns = camp.answer("red", "dispatch", "bye", &format!("{line}\r\nSTATUS\r\n{}", block("BID 9")));
    camp.post(&resigns);
    camp.post(&resigns);
    settle(&mut host);
    let answer = answer_to(&camp, &player("red"), "bye");
    says(&answer, "You have given your seat up");
    says(&answer, "The seat is no longer yours: nothing was done.");
    assert_eq!(verdicts(&mut host)[3..], ["accepted"], "orders in the mail of one who resigns are nobody's");
    says(
        &camp.newest("blue", "notice"),
        "The red player has resigned, and the seat is free. The 2 who wait for a seat were asked.",
    );
    assert!(camp.mails(GM).iter().any(|mail| mail.subject == "[alpha] a player has resigned"));
    let before = camp.mails(&player("red")).len();
    camp.post(&old);
    settle(&mut host);
    assert_eq!(verdicts(&mut host).last().map(String::as_str), Some("wrong-sender"));
    assert_eq!(camp.mails(&player("red")).len(), before, "nobody is written to for a free seat");
    // Both answer; the first has it.
    let offers = [ANNA, BEN].map(|who| {
        let offered = camp.mails(who).into_iter().find(|mail| mail.subject == "[alpha] a seat is free");
        confirm_line(&offered.unwrap())
    });
    camp.post(guest_mail(BEN, "ben", &offers[1]));
    camp.post(guest_mail(ANNA, "anna", &offers[0]));
    settle(&mut host);
    says(&answer_to(&camp, ANNA, "anna"), "The seat red is taken.");
    let mails = camp.mails(BEN);
    let of = |kind: &str| mails.iter().find(|mail| mail.message_id.as_deref().unwrap().contains(kind));
    let welcome = of(".invitation.").unwrap();
    assert_eq!(welcome.subject, "[alpha] Welcome: The Ridge, 3 rounds");
    says(welcome, "Welcome: you play the red player from now on.");
    says(welcome, "Nothing need be confirmed.");
    let dispatch = of(".dispatch.").unwrap();
    says(dispatch, "Round 1");
    says(&camp.newest("blue", "notice"), "Somebody plays the red player from now on: the seat was free.");
    assert!(!format!("{:?}", camp.mails(&player("blue"))).contains(BEN), "no address is given away");
    // The old secret and the old address are worth nothing; the new ones are.
    camp.post(old.replace("<old@", "<old2@"));
    camp.post(
        old.replace("<old@", "<old3@")
            .replace(&format!("From: <{}>", player("red")), &format!("From: <{BEN}>")),
    );
    let answered = Mail {
        from: BEN,
        to: &dispatch.reply_to[0],
        id: "ben2",
        in_reply_to: dispatch.message_id.as_deref(),
        text: &block("BID 2\r\nREADY"),
    };
    camp.post(answered.raw());
    settle(&mut host);
    assert_eq!(verdicts(&mut host)[5..], ["wrong-secret", "wrong-secret", "accepted"]);
    camp.post(camp.answer("blue", "dispatch", "b", &block("BID 1\r\nREADY")));
    settle(&mut host);
    assert!(camp.newest("umpire", "dispatch").subject.contains("Round 1"));
    assert_eq!(camp.mails(&player("red")).len(), before);
    checked(&camp, &mut host);
}

/// Who sits there, as the GM's command line says it.
fn sits(host: &mut Host, at: &str) -> String {
    let Reply::Status { games } = host.execute(Request::Status { game: Some(game()) }).unwrap() else {
        panic!()
    };
    games[0].seats.iter().find(|one| one.seat == seat(at)).unwrap().player.clone()
}

#[test]
fn one_mail_alone_ends_nobodys_seat() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let wish = asked(&camp, &mut host, "red", "wish", "Resign.\r\n");
    let line = confirm_line(&wish);
    assert_eq!(sits(&mut host, "red"), player("red"));
    assert_eq!(changes(&mut host), [], "nothing is kept of it");
    assert_eq!(camp.count("blue", "notice"), 0);
    // The code is good from that address alone, for that seat, and three days.
    let text = format!("{line}\r\n");
    for (n, other) in ["blue", "umpire"].into_iter().enumerate() {
        says(
            &asked(&camp, &mut host, other, &format!("other-{n}"), &text),
            "This code is not good for this address",
        );
    }
    says(&guest(&camp, &mut host, ANNA, "spy", &text), "This code is not good for this address");
    camp.wait(4 * 24 * HOUR);
    says(
        &asked(&camp, &mut host, "red", "late", &text),
        "This code is not good for this address, or not any more",
    );
    assert_eq!(sits(&mut host, "red"), player("red"));
    // It counts without the seat's secret: whoever knows it has read the player's mail.
    let line = confirm_line(&asked(&camp, &mut host, "red", "again", "RESIGN\r\n"));
    says(&guest(&camp, &mut host, &player("red"), "yes", &line), "You have given your seat up");
    assert_eq!(sits(&mut host, "red"), "nobody");
    // It is worth nothing any more, not even to whoever has taken the seat again since.
    says(&guest(&camp, &mut host, &player("red"), "twice", &line), "You don't play the seat red of alpha");
    let join = confirm_line(&guest(&camp, &mut host, &player("red"), "join", "JOIN alpha red\r\n"));
    says(&guest(&camp, &mut host, &player("red"), "joined", &join), "You play the red player in alpha");
    says(&guest(&camp, &mut host, &player("red"), "thrice", &line), "This code is not good");
    assert_eq!(sits(&mut host, "red"), player("red"));
    checked(&camp, &mut host);
}

#[test]
fn a_seat_that_was_accepted_is_declined_with_a_code_too() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game(&mut host, &[], "24h");
    settle(&mut host);
    // Who has not accepted has nothing to lose.
    camp.post(camp.answer("blue", "invitation", "no", "DECLINE"));
    camp.post(camp.answer("red", "invitation", "yes", "JOIN"));
    settle(&mut host);
    assert_eq!(sits(&mut host, "blue"), "nobody");
    camp.post(camp.answer("red", "invitation", "no", "DECLINE"));
    camp.post(camp.answer("umpire", "invitation", "no", "RESIGN"));
    settle(&mut host);
    assert_eq!(["red", "umpire"].map(|seat| sits(&mut host, seat)), ["red", "umpire"].map(player));
    for seat in ["red", "umpire"] {
        let line = confirm_line(&answer_to(&camp, &player(seat), "no"));
        camp.post(camp.answer(seat, "invitation", "sure", &line));
    }
    settle(&mut host);
    assert_eq!(["red", "umpire"].map(|seat| sits(&mut host, seat)), ["nobody", "nobody"]);
    says(
        &answer_to(&camp, &player("red"), "sure"),
        "You have declined the seat, and somebody else can have it.",
    );
}

#[test]
fn a_game_waits_for_its_free_seats() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game(&mut host, &[("blue", "open")], "24h");
    settle(&mut host);
    says(&camp.newest("red", "invitation"), "Nobody yet the blue player");
    for seat in ["red", "umpire"] {
        camp.post(camp.answer(seat, "invitation", &format!("join-{seat}"), "JOIN\r\nsalt: dice of mine"));
    }
    settle(&mut host);
    camp.wait(30 * HOUR);
    settle(&mut host);
    assert_eq!(
        camp.count("red", "dispatch"),
        0,
        "the time is over, and the game doesn't begin without a player"
    );
    let Reply::Status { games } = host.execute(Request::Status { game: Some(game()) }).unwrap() else {
        panic!()
    };
    let blue = games[0].seats.iter().find(|one| one.seat == seat("blue")).unwrap();
    assert_eq!((blue.player.as_str(), blue.owes, blue.sent), ("nobody", true, 0));
    let offer = guest(&camp, &mut host, ANNA, "j", "JOIN alpha\r\n");
    says(&offer, "To play a free seat in alpha (The Ridge, 3 rounds)");
    let line = confirm_line(&offer);
    let confirmation = guest_mail(ANNA, "c", &line);
    camp.post(&confirmation);
    camp.post(&confirmation);
    settle(&mut host);
    let seated = changes(&mut host);
    assert_eq!(
        seated[0],
        Change::Seated { seat: seat("blue"), player: Player::Mail { addresses: vec![ANNA.to_owned()] } }
    );
    assert_eq!(seated.len(), 2, "a player and a secret, once: {seated:?}");
    assert_eq!(camp.count("red", "dispatch"), 1, "nobody is missing any more whom the game waits for");
    let mails = camp.mails(ANNA);
    assert_eq!(
        mails.iter().filter(|mail| mail.message_id.as_deref().unwrap().contains(".dispatch.")).count(),
        1
    );
    checked(&camp, &mut host);
}

#[test]
fn who_joins_before_the_game_begins_confirms_like_everybody() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game(&mut host, &[("blue", "open")], "24h");
    settle(&mut host);
    for seat in ["red", "umpire"] {
        camp.post(camp.answer(seat, "invitation", &format!("join-{seat}"), "JOIN\r\nsalt: dice of mine"));
    }
    let line = confirm_line(&guest(&camp, &mut host, ANNA, "j", "JOIN alpha blue\r\n"));
    guest(&camp, &mut host, ANNA, "c", &line);
    assert_eq!(camp.count("red", "dispatch"), 0);
    let welcome = camp
        .mails(ANNA)
        .into_iter()
        .find(|mail| mail.message_id.as_deref().unwrap().contains(".invitation."))
        .unwrap();
    says(&welcome, "at the latest on Sunday 22 November 2026");
    let join = Mail {
        from: ANNA,
        to: &welcome.reply_to[0],
        id: "join",
        in_reply_to: welcome.message_id.as_deref(),
        text: "JOIN\r\nsalt: mine",
    };
    camp.post(join.raw());
    settle(&mut host);
    assert_eq!(camp.count("red", "dispatch"), 1);
    checked(&camp, &mut host);
}

#[test]
fn a_code_is_good_for_its_address_and_for_three_days() {
    let camp = Camp::new();
    let mut host = camp.open();
    another(
        &mut host,
        "alpha",
        &[("red", "open"), ("blue", "open"), ("umpire", "computer")],
        Terms::default(),
    );
    let line = confirm_line(&guest(&camp, &mut host, ANNA, "j", "JOIN alpha red\r\n"));
    says(&guest(&camp, &mut host, BEN, "c1", &line), "not good for this address");
    says(&guest(&camp, &mut host, ANNA, "c2", "CONFIRM alpha.0000000000000000"), "not good for this address");
    says(&guest(&camp, &mut host, ANNA, "c3", "CONFIRM whatever"), "That is no code of this host");
    says(
        &guest(&camp, &mut host, ANNA, "c4", &line.replace("alpha", "omega")),
        "There is no game `omega` here.",
    );
    camp.wait(4 * 24 * HOUR);
    says(&guest(&camp, &mut host, ANNA, "c5", &line), "not any more");
    let line = confirm_line(&guest(&camp, &mut host, ANNA, "j2", "JOIN alpha red\r\n"));
    camp.wait(3 * 24 * HOUR);
    drop(host);
    let mut host = camp.open();
    says(&guest(&camp, &mut host, ANNA, "c6", &line), "You play the red player in alpha.");
    says(&guest(&camp, &mut host, ANNA, "c7", &line), "You play the red player in this game.");
    says(
        &guest(&camp, &mut host, ANNA, "j3", "JOIN alpha blue\r\n"),
        "You play the red player in this game.",
    );
    for (n, wish, why) in [
        (1, "JOIN alpha red", "The seat red is taken. Free: blue."),
        (2, "JOIN alpha green", "This game has no seat `green`: there are blue, red and umpire."),
        (3, "JOIN omega", "There is no game `omega` here."),
        (4, "STANDBY alpha", "There is a free seat now: JOIN alpha takes it."),
        (5, "LEAVE alpha", "You neither watch alpha nor wait for a seat of it."),
    ] {
        says(&guest(&camp, &mut host, BEN, &format!("w{n}"), &format!("{wish}\r\n")), why);
    }
    checked(&camp, &mut host);
}

#[test]
fn a_stranger_is_answered_so_often_a_day() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game(&mut host, &[("blue", "open")], "24h");
    settle(&mut host);
    let before = camp.mails(ANNA).len();
    for n in 0..4 {
        camp.post(guest_mail(ANNA, &format!("l{n}"), "LIST\r\nHELP\r\n"));
        camp.post(guest_mail(ANNA, &format!("x{n}"), "I would like to play.\r\n"));
    }
    settle(&mut host);
    assert_eq!(camp.mails(ANNA).len(), before + 1 + 4, "one note a day, and what is asked");
    for n in 0..9 {
        camp.post(guest_mail(ANNA, &format!("j{n}"), "JOIN alpha blue\r\n"));
    }
    settle(&mut host);
    assert_eq!(camp.mails(ANNA).len(), before + 1 + 4 + 5);
    camp.wait(24 * HOUR);
    says(&guest(&camp, &mut host, ANNA, "again", "LIST\r\n"), "JOIN alpha blue");
    // A command of a seat is nobody's without its secret.
    says(&guest(&camp, &mut host, BEN, "r", "RESIGN\r\n"), "That is for the player of a seat");
    says(&guest(&camp, &mut host, &player("red"), "r", "RESIGN\r\n"), "That is for the player of a seat");
    assert_eq!(changes(&mut host), []);
}

#[test]
fn one_who_plays_elsewhere_joins_by_an_answer_to_any_mail() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    another(
        &mut host,
        "beta",
        &[("red", &player("blue")), ("blue", "open"), ("umpire", "computer")],
        Terms::default(),
    );
    let offer = asked(&camp, &mut host, "red", "j", "JOIN beta blue\r\nSTATUS\r\nJOIN alpha\r\n");
    says(&offer, "To play the blue player in beta");
    says(&offer, "To confirm it before the game begins, write JOIN alone");
    let answer = asked(&camp, &mut host, "red", "c", &format!("{}\r\nSTATUS\r\n", confirm_line(&offer)));
    says(&answer, "You play the blue player in beta.");
    says(&answer, "beta: The Ridge");
    assert_eq!(changes(&mut host), [], "of alpha nothing has changed");
    assert!(
        camp.mails(&player("red")).iter().any(|mail| mail.subject == "[beta] Welcome: The Ridge, 3 rounds")
    );
}

#[test]
fn when_the_gm_frees_a_seat_those_who_wait_are_asked() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    listed(&camp, &mut host, ANNA, "STANDBY alpha red");
    listed(&camp, &mut host, BEN, "STANDBY alpha blue");
    gm(&mut host, "EJECT red");
    let asked = |camp: &Camp, who: &str| {
        camp.mails(who).into_iter().find(|mail| mail.subject == "[alpha] a seat is free")
    };
    assert!(asked(&camp, BEN).is_none());
    let line = confirm_line(&asked(&camp, ANNA).unwrap());
    says(&guest(&camp, &mut host, ANNA, "take", &line), "You play the red player in alpha.");
    checked(&camp, &mut host);
}

#[test]
fn whom_the_gm_ejects_may_not_come_back_until_the_gm_says_so() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    // Red has a second address, which is barred with the first.
    asked(&camp, &mut host, "red", "add", &format!("ADDRESS ADD {BEN}\r\n"));
    let line = confirm_line(&camp.mails(BEN)[0]);
    guest(&camp, &mut host, BEN, "added", &line);
    let offer = camp.answer("blue", "dispatch", "blue-add", &format!("ADDRESS ADD {}\r\n", player("red")));
    gm(&mut host, "EJECT red BECAUSE of three turns without orders");
    says(&camp.newest("red", "notice"), "You can take no seat of it again, nor wait for one nor watch");
    let barred = "The GM has taken your seat in alpha from you";
    for (n, who) in [player("red"), BEN.to_owned()].into_iter().enumerate() {
        for (m, wish) in
            ["JOIN alpha", "JOIN alpha red", "STANDBY alpha blue", "OBSERVE alpha"].iter().enumerate()
        {
            says(&guest(&camp, &mut host, &who, &format!("no-{n}-{m}"), wish), barred);
        }
    }
    // Nor as somebody else's second address.
    camp.post(offer);
    settle(&mut host);
    let mails = camp.mails(&player("red"));
    let code =
        confirm_line(mails.iter().find(|mail| mail.subject.contains("is this your address?")).unwrap());
    says(&guest(&camp, &mut host, &player("red"), "as-blue", &code), barred);
    // Others may, and the journal alone says who may not.
    drop(host);
    let mut host = camp.open();
    confirm_line(&guest(&camp, &mut host, ANNA, "anna", "JOIN alpha red"));
    camp.wait(24 * HOUR);
    says(&guest(&camp, &mut host, BEN, "still", "OBSERVE alpha"), barred);
    // One address lets the person in, with all of them.
    gm(&mut host, &format!("ADMIT {BEN} BECAUSE we have talked"));
    assert!(camp.mails(BEN).iter().any(|mail| mail.subject == "[alpha] you are admitted again"));
    let line = confirm_line(&guest(&camp, &mut host, &player("red"), "again", "JOIN alpha red"));
    says(&guest(&camp, &mut host, &player("red"), "taken", &line), "You play the red player in alpha.");
    let public: Vec<String> = journal(&mut host)
        .iter()
        .flat_map(|entry| entry.cause.log_entries())
        .map(|line| line.body())
        .collect();
    for line in [
        "2 seat red open: red is free: of three turns without orders",
        "2 the former player of red is barred: of three turns without orders",
        "3 somebody who was barred is admitted: we have talked",
    ] {
        assert!(public.iter().any(|body| body == line), "{line}: {public:?}");
    }
    checked(&camp, &mut host);
}

#[test]
fn a_seat_given_by_the_gm_ends_the_bar_and_one_taken_without_ejection_leaves_none() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    gm(&mut host, "EJECT red");
    gm(&mut host, &format!("REPLACE red {}", player("red")));
    gm(&mut host, "REPLACE red open BECAUSE Red is ill");
    confirm_line(&guest(&camp, &mut host, &player("red"), "back", "JOIN alpha red"));
    checked(&camp, &mut host);
}

#[test]
fn an_invitation_brings_the_first_steps_on_one_page() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game_on(&mut host, &[], "24h", Terms::default());
    settle(&mut host);
    let raw = raw_mails(&camp.path().join("mail").join(player("red"))).remove(0).1;
    let (_, page) = musterd::letter::attached_files(&raw, "first-steps.txt").remove(0);
    let page = String::from_utf8(page).unwrap();
    assert!(page.lines().count() <= 60 && page.lines().all(|line| line.len() <= 78), "one page:\n{page}");
    for said in ["JOIN on top", "BEGIN ORDERS", "READY", "HELP ORDERS", "TRY"] {
        assert!(page.contains(said), "{said}:\n{page}");
    }
}
