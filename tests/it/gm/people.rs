//! Who plays, and what they are told.

use super::*;

#[test]
fn a_replaced_player_loses_the_seat_and_the_new_one_plays_on() {
    for way in WAYS {
        let mut table = Table::of(way);
        let old = table.camp.answer("red", "dispatch", "old", &block("BID 1"));
        let (asked, done) = table.gm_confirmed("REPLACE red zoe@players.example BECAUSE Red moved house");
        assert!(asked.text.contains("played by red@players.example"), "{}", asked.text);
        assert!(done.text.contains("it is now zoe@players.example"), "{}", done.text);
        let mails = table.camp.mails("zoe@players.example");
        let of_kind = |kind: &str| {
            let kind = format!(".{kind}.");
            mails.iter().find(|mail| mail.message_id.as_deref().unwrap().contains(&kind)).unwrap()
        };
        let (welcome, dispatch) = (of_kind("invitation"), of_kind("dispatch"));
        assert!(body(welcome).contains("you play the red player from now on"), "{}", body(welcome));
        assert_eq!(welcome.reply_to, dispatch.reply_to);
        assert!(flat(&body(&table.camp.newest("blue", "notice"))).contains("has another player"));
        let farewell = table.camp.newest("red", "notice");
        assert!(farewell.subject.contains("no more"), "{}", farewell.subject);
        table.camp.post(old);
        table.settle();
        assert_eq!(verdicts(table.host()).last().unwrap(), "wrong-secret", "the old secret is void");
        let text = block("BID 3\r\nREADY");
        let mail = Mail {
            from: "zoe@players.example",
            to: &welcome.reply_to[0],
            id: "zoe-1",
            in_reply_to: dispatch.message_id.as_deref(),
            text: &text,
        };
        table.camp.post(mail.raw());
        table.settle();
        assert_eq!(verdicts(table.host()).last().unwrap(), "accepted");
        assert_eq!(
            table.gm_log(),
            ["gm 2 seat red player: red has another player: Red moved house", "gm 2 red has a new secret"]
        );
        table.check();
    }
}

#[test]
fn the_gm_moves_to_another_address_and_the_one_before_leads_no_more() {
    const NEW: &str = "new@gm.example";
    for way in WAYS {
        let mut table = Table::of(way);
        let old = table.camp.mails(GM)[0].reply_to[0].clone();
        for (line, why) in [
            (format!("ADDRESS ADD {HOST}"), "is this host's own address"),
            (format!("ADDRESS ADD {GM}"), "is an address of the GM's already"),
            ("ADDRESS ADD nonsense".to_owned(), "Nothing was done"),
            (format!("ADDRESS DROP {NEW}"), "the game has gm@example.org"),
            (format!("ADDRESS DROP {GM} CONFIRM"), "the GM's only address"),
        ] {
            let said = table.gm(&line).text;
            assert!(said.contains(why), "{line}: {said}");
        }
        let (asked, _) = table.gm_confirmed(&format!("ADDRESS ADD {NEW} BECAUSE the old one closes"));
        assert!(asked.text.contains(&format!("would go to {NEW} too")), "{}", asked.text);
        let welcome = table.camp.mails(NEW);
        assert!(welcome.len() == 1 && welcome[0].subject.contains("you are the GM"), "{welcome:?}");
        assert_eq!(welcome[0].reply_to[0], old, "with the secret");
        let told = table.camp.mails(GM).into_iter().find(|mail| mail.subject.contains("has another address"));
        assert!(
            flat(&body(&told.unwrap())).contains(&format!("{NEW} is an address of the GM's from now on"))
        );
        // From there he leads the game, and is answered there.
        let drop = format!("ADDRESS DROP {GM} CONFIRM");
        let mail = |from, id, text| Mail { from, to: &old, id, in_reply_to: None, text }.raw();
        table.camp.post(mail(NEW, "drop", &drop));
        table.settle();
        let answer = format!("The GM is written to at {NEW} from now on");
        assert!(table.camp.mails(NEW).iter().any(|mail| flat(&body(mail)).contains(&answer)));
        let before = (table.camp.mails(GM).len(), table.open());
        table.camp.post(mail(GM, "late", "PROCESS 2 CONFIRM"));
        table.settle();
        assert_eq!((table.camp.mails(GM).len(), table.open()), before, "neither obeyed nor answered");
        assert_eq!(verdicts(table.host()).last().unwrap(), "wrong-sender");
        assert_eq!(
            table.gm_log(),
            ["gm 2 the GM has one address more: the old one closes", "gm 2 the GM has one address less"]
        );
        table.check();
    }
}

#[test]
fn a_gm_who_drops_the_address_that_he_writes_from_is_answered_at_another_and_nothing_follows_him() {
    const NEW: &str = "new@gm.example";
    let mut table = Table::of(Way::Line);
    table.gm_confirmed(&format!("ADDRESS ADD {NEW}"));
    let to = table.camp.mails(GM)[0].reply_to[0].clone();
    let mail = |id, text| Mail { from: GM, to: &to, id, in_reply_to: None, text }.raw();
    // The answer to his question waits for the relay while he drops the address.
    table.camp.post(mail("ask", "STATUS"));
    let (mut sources, _) = local_mail(table.host.as_ref().unwrap());
    serve::take_in(table.host(), &mut sources, &mut |_, _| Ok(())).unwrap();
    let before = (table.camp.mails(GM).len(), table.camp.mails(NEW).len());
    table.camp.post(mail("drop", &format!("ADDRESS DROP {GM} CONFIRM")));
    table.settle();
    assert_eq!(table.camp.mails(GM).len(), before.0, "nothing goes there any more");
    let told: Vec<String> = table.camp.mails(NEW)[before.1..].iter().map(|mail| flat(&body(mail))).collect();
    let answer = format!("The GM is written to at {NEW} from now on");
    assert!(told.iter().any(|words| words.contains(&answer)), "{told:?}");
    table.check();
}

/// A game that a second GM leads too, and the address that his commands go to.
fn two_gms(way: Way, other: &str) -> (Table, String) {
    let mut table = Table::of(way);
    table.gm_confirmed(&format!("ADDRESS ADD {other}"));
    let to = table.camp.mails(GM)[0].reply_to[0].clone();
    (table, to)
}

/// What a mail shows of the GM's secret.
fn reply_to(mail: &Letter) -> &str {
    &mail.reply_to[0]
}

#[test]
fn the_new_secret_never_goes_to_an_address_that_is_dropped_with_it() {
    const NEW: &str = "new@gm.example";
    let (secret, drop) = ("SECRET gm CONFIRM", format!("ADDRESS DROP {GM} CONFIRM"));
    for way in WAYS {
        let (mut table, to) = two_gms(way, NEW);
        let before = table.camp.mails(GM).len();
        match way {
            Way::Line => _ = table.gm(&format!("{secret}\n{drop}")),
            Way::Mail => {
                let text = format!("{secret}\r\n{drop}");
                table
                    .camp
                    .post(Mail { from: NEW, to: &to, id: "both", in_reply_to: None, text: &text }.raw());
                table.settle();
            }
        }
        let old = table.camp.mails(GM);
        assert!(old.iter().all(|mail| reply_to(mail) == to), "{way:?}");
        assert_eq!(old.len(), before, "{way:?}");
        let welcome = table.camp.mails(NEW).into_iter().rfind(|mail| mail.subject.contains("you are the GM"));
        assert_ne!(reply_to(&welcome.unwrap()), to, "the other GM has it: {way:?}");
        table.check();
    }
}

#[test]
fn an_address_that_comes_and_goes_in_one_batch_hears_of_nothing() {
    const NEW: &str = "new@gm.example";
    const TYPO: &str = "typo@gm.example";
    let (mut table, to) = two_gms(Way::Mail, NEW);
    let before = table.camp.mails(GM).len();
    let commands = [
        "STATUS".to_owned(),
        format!("ADDRESS ADD {TYPO} CONFIRM"),
        format!("ADDRESS DROP {TYPO} CONFIRM"),
        format!("ADDRESS DROP {GM} CONFIRM"),
    ];
    for (n, text) in commands.iter().enumerate() {
        table.camp.post(Mail { from: GM, to: &to, id: &format!("m{n}"), in_reply_to: None, text }.raw());
    }
    table.settle();
    assert!(table.camp.mails(TYPO).is_empty());
    assert_eq!(table.camp.mails(GM).len(), before);
    // What was for both goes to the one that is left.
    let mut told: Vec<String> = table.camp.mails(NEW).into_iter().map(|mail| mail.subject).collect();
    told.sort();
    let expected = ["the GM has an address less", "the GM has an address less", "the GM has another address"];
    let expected = expected.into_iter().chain(["you are the GM", "your command"]);
    assert_eq!(told, expected.map(|subject| format!("[alpha] {subject}")).collect::<Vec<_>>());
    table.check();
}

#[test]
fn an_address_is_dropped_twice_in_one_mail_while_mail_waits_for_it() {
    const NEW: &str = "new@gm.example";
    for together in [true, false] {
        let (mut table, to) = two_gms(Way::Mail, NEW);
        // Mail to both waits for the relay.
        let text =
            format!("BROADCAST\r\nHo!\r\nEND BROADCAST\r\nTERMS --approval 2d\r\nADDRESS ADD x{NEW} CONFIRM");
        table.camp.post(Mail { from: GM, to: &to, id: "wait", in_reply_to: None, text: &text }.raw());
        let (mut sources, _) = local_mail(table.host.as_ref().unwrap());
        serve::take_in(table.host(), &mut sources, &mut |_, _| Ok(())).unwrap();
        let before = table.camp.mails(NEW).len();
        let lines = ["DROP", "ADD", "DROP"].map(|what| format!("ADDRESS {what} {NEW} CONFIRM"));
        let mails = if together { vec![lines.join("\r\n")] } else { lines.to_vec() };
        for (n, text) in mails.iter().enumerate() {
            table.camp.post(Mail { from: GM, to: &to, id: &format!("m{n}"), in_reply_to: None, text }.raw());
        }
        table.settle();
        let Reply::Vitals(vitals) = table.host().execute(Request::Vitals).unwrap() else { panic!() };
        assert_eq!((vitals.spool_waiting, vitals.outbox.waiting), (0, 0), "together: {together}");
        assert_eq!(table.camp.mails(NEW).len(), before, "together: {together}");
        table.check();
    }
}

#[test]
fn what_waits_for_the_gm_at_an_address_that_fails_goes_to_the_one_that_takes_its_place() {
    const NEW: &str = "new@gm.example";
    let mut table = Table::of(Way::Mail);
    let to = table.camp.mails(GM)[0].reply_to[0].clone();
    let before = table.camp.mails(GM).len();
    // That another address was added is told to this one, and waits for the relay while the GM moves.
    for (n, text) in [
        "ADDRESS ADD x@gm.example CONFIRM",
        "ADDRESS ADD new@gm.example CONFIRM\r\nADDRESS DROP gm@example.org CONFIRM",
    ]
    .iter()
    .enumerate()
    {
        table.camp.post(Mail { from: GM, to: &to, id: &format!("m{n}"), in_reply_to: None, text }.raw());
        let (mut sources, _) = local_mail(table.host.as_ref().unwrap());
        serve::take_in(table.host(), &mut sources, &mut |_, _| Ok(())).unwrap();
    }
    table.settle();
    assert_eq!(table.camp.mails(GM).len(), before);
    let told: Vec<String> = table.camp.mails(NEW).into_iter().map(|mail| flat(&body(&mail))).collect();
    let of_the_other = told.iter().filter(|words| words.contains("x@gm.example is an address of the GM's"));
    assert_eq!(of_the_other.count(), 1, "{told:?}");
    table.check();
}

#[test]
fn a_seat_goes_to_the_computer_at_once_or_to_nobody() {
    for way in WAYS {
        let mut table = Table::of(way);
        table.gm_confirmed("REPLACE red computer:timid");
        let (asked, _) = table.gm_confirmed("EJECT umpire");
        assert!(asked.text.contains("REPLACE umpire open frees the seat without that"), "{}", asked.text);
        assert!(table.gm("STATUS").text.contains("barred: umpire@players.example"));
        assert!(
            table.gm("ADMIT ida@players.example").text.contains("neither asks to watch alpha nor is barred")
        );
        table.orders("blue", "bid-1", "BID 1\r\nREADY");
        let stood_in =
            journal(table.host()).into_iter().any(|entry| matches!(entry.cause, Cause::StoodIn { .. }));
        assert!(stood_in, "the computer's orders are there at once");
        table.gm("PROCESS 2");
        assert_eq!(table.open(), Some(3));
        assert!(
            !body(&table.camp.newest("blue", "dispatch")).contains("sent no orders"),
            "the computer is never late"
        );
        let said = table.gm("PROCESS 3");
        assert!(said.text.contains("without orders from"), "nobody rules: {}", said.text);
        assert!(table.gm("REPLACE red computer:wild").text.contains("use timid or bold"));
        assert!(table.gm("REPLACE green open").text.contains("no seat green"));
        let own = table.gm(&format!("REPLACE red {HOST} CONFIRM"));
        assert!(own.text.contains("is this host's own address"), "{}", own.text);
        table.check();
    }
}

#[test]
fn who_went_to_the_computer_in_an_open_turn_is_not_waited_for() {
    for way in WAYS {
        let mut table = Table::of(way);
        table.gm_confirmed("REPLACE red computer");
        table.gm_confirmed("REPLACE umpire computer");
        table.orders("blue", "bid-1", "BID 1");
        assert_eq!(table.open(), Some(2), "the one person left is not done yet");
        table.orders("blue", "bid-2", "BID 1\r\nREADY");
        assert_ne!(table.open(), Some(2));
        table.check();
    }
}

#[test]
fn a_game_that_only_computers_are_left_in_runs_to_its_end_at_once() {
    for way in WAYS {
        let mut table = Table::of(way);
        // Orders of whoever left stand, and nobody can put a READY behind them any more.
        table.orders("blue", "bid-1", "BID 1");
        for seat in ["umpire", "red", "blue"] {
            assert_eq!(table.open(), Some(2), "{seat} is a person");
            table.gm_confirmed(&format!("REPLACE {seat} computer"));
        }
        assert_eq!(table.open(), None);
        assert!(matches!(happened_last(&journal(table.host())), Cause::Ended { .. }));
        table.check();
    }
}

#[test]
fn a_person_after_the_computer_is_told_that_its_sealed_orders_stand() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game(&mut host, &[("umpire", "computer")], "24h");
    settle(&mut host);
    for seat in ["red", "blue"] {
        camp.post(camp.answer(seat, "invitation", &format!("join-{seat}"), "JOIN"));
    }
    settle(&mut host);
    let mut table = Table { camp, host: Some(host), way: Way::Line, sent: 0 };
    table.round("one", 1, 2);
    let open = table.open();
    // The umpire's mail comes back at once and its turn runs; the next bids are open, and it is asked again after them.
    table.orders("red", "two-red", "BID 1");
    assert_eq!(open, Some(4));
    table.gm("REPLACE umpire ida@players.example CONFIRM");
    let ida = table.camp.mails("ida@players.example");
    let of_kind = |kind: &str| {
        let kind = format!(".{kind}.");
        ida.iter().find(|mail| mail.message_id.as_deref().unwrap().contains(&kind)).unwrap().clone()
    };
    let (welcome, notice) = (of_kind("invitation"), of_kind("notice"));
    let sealed = journal(table.host()).into_iter().rev().find_map(|entry| match entry.cause {
        Cause::Opened { sealed, .. } => Some(sealed.len()),
        _ => None,
    });
    assert_eq!(sealed, Some(1));
    assert!(flat(&body(&notice)).contains("sealed when it opened, and they stand"), "{}", body(&notice));
    let text = block("VOID");
    let mail = Mail {
        from: "ida@players.example",
        to: &welcome.reply_to[0],
        id: "ida-1",
        in_reply_to: None,
        text: &text,
    };
    table.camp.post(mail.raw());
    table.settle();
    assert_eq!(verdicts(table.host()).last().unwrap(), "not-as-sealed");
    let told = "its orders were sealed then";
    assert!(table.camp.mails("ida@players.example").iter().any(|mail| flat(&body(mail)).contains(told)));
    table.check();
}

#[test]
fn words_go_to_all_at_once_or_with_the_next_dispatch_to_some() {
    for way in WAYS {
        let mut table = Table::of(way);
        let said = table.gm("BROADCAST\r\nNo game next week.\r\n\r\nMerry Christmas!\r\nEND BROADCAST");
        assert!(said.text.contains("went to 3 players"), "{}", said.text);
        let notice = body(&table.camp.newest("umpire", "notice"));
        assert!(notice.contains("No game next week.") && notice.contains("Merry Christmas!"), "{notice}");
        table.gm("NARRATE 2 TO blue: Drums in the night.");
        table.gm("NARRATE 2: Dawn.");
        assert!(table.gm("NARRATE 2 TO green: Snow.").text.contains("no seat green"));
        assert!(table.gm("STATUS").text.contains("words of yours for the next dispatch: 2"));
        table.round("one", 1, 1);
        let (red, blue) =
            (body(&table.camp.newest("red", "dispatch")), body(&table.camp.newest("blue", "dispatch")));
        assert!(blue.contains("Drums in the night.") && blue.contains("Dawn."));
        assert!(!red.contains("Drums") && red.contains("Dawn."));
        let log = table.gm_log().join("\n");
        assert!(!log.contains("Drums") && !log.contains("blue"), "{log}");
        table.check();
    }
}
