//! Turns that run again, and turns that are taken back.

use super::*;

#[test]
fn a_turn_runs_again_with_the_same_dice_while_orders_for_the_next_are_here() {
    for way in WAYS {
        let mut table = Table::of(way);
        table.round("one", 3, 1);
        table.orders("umpire", "rule-1", "UPHOLD");
        let faces = |entries: &[musterd::engine::journal::Entry]| -> Vec<Vec<u32>> {
            let rolls = entries.iter().filter_map(|entry| match &entry.cause {
                Cause::Adjudicated { t: 2, rolls, .. } | Cause::Rerun { t: 2, rolls, .. } => Some(rolls),
                _ => None,
            });
            rolls.map(|rolls| rolls.iter().flat_map(|roll| roll.faces.clone()).collect()).collect()
        };
        let (red, blue) = (table.camp.count("red", "dispatch"), table.camp.count("blue", "dispatch"));
        let (_, done) = table.gm_confirmed("RERUN 2 AMEND PURSE red 31 BECAUSE of a slip");
        assert!(done.text.contains("Turn 2 has run again"), "{}", done.text);
        let faces = faces(&journal(table.host()));
        assert_eq!((faces.len(), &faces[0]), (2, &faces[1]), "the same dice");
        assert_eq!(table.open(), Some(3), "the ruling is still asked for");
        assert_eq!(table.camp.count("red", "dispatch"), red + 1);
        assert_eq!(purses(&table.camp.newest("red", "dispatch")), ["red 28 coins"]);
        // Blue can't know that red is richer: the log alone says that something was corrected.
        assert_eq!(table.camp.count("blue", "dispatch"), blue + 1, "all are told of the correction");
        let done = table.gm("RERUN 2 AMEND PURSE red 3 CONFIRM");
        assert!(done.text.contains("run again"), "{}", done.text);
        assert_eq!(purses(&table.camp.newest("red", "dispatch")), ["red 0 coins"], "each rerun begins anew");
        let reruns: Vec<String> = table.log().into_iter().filter(|line| line.starts_with("rerun ")).collect();
        assert!(reruns[0].starts_with("rerun 2 1 ") && reruns[1].starts_with("rerun 2 2 "), "{reruns:?}");
        let accepted = received(table.host()).last().unwrap().t;
        assert_eq!(accepted, 3);
        table.gm("PROCESS 3");
        assert_eq!(table.open(), Some(4), "the ruling that was here counts");
        table.check();
    }
}

#[test]
fn a_rollback_takes_play_back_and_goes_on_with_a_new_turn() {
    for way in WAYS {
        let mut table = Table::of(way);
        let purse = purses(&table.camp.newest("red", "dispatch"));
        table.round("one", 3, 1);
        table.orders("umpire", "rule-1", "UPHOLD\r\nREADY");
        table.gm("AMEND 4 PURSE blue 1 CONFIRM");
        table.orders("red", "void", "BID 2");
        assert_eq!(table.open(), Some(4));
        let (asked, done) = table.gm_confirmed("ROLLBACK round-1 BECAUSE the map was wrong");
        assert!(asked.text.contains("2 (round-1), 3 (ruling-1)"), "{}", asked.text);
        assert!(done.text.contains("Open now: turn 5, Round 1, both bid"), "{}", done.text);
        let log = table.log();
        assert!(log.contains(&"rollback 4 2".to_owned()), "{log:?}");
        assert!(log.contains(&"gm 4 rollback to before 2: the map was wrong".to_owned()), "{log:?}");
        let dispatch = table.camp.newest("red", "dispatch");
        assert!(flat(&body(&dispatch)).contains("taken back all turns from 2 to 4"), "{}", body(&dispatch));
        assert_eq!(purses(&dispatch), purse, "the position before");
        table.round("again", 0, 4);
        assert_eq!(table.open(), Some(6));
        assert!(!body(&table.camp.newest("red", "dispatch")).contains("taken back"), "told once");
        // What was rolled back can't be rolled back again, what was played since can.
        assert!(table.gm("ROLLBACK 3 CONFIRM").text.contains("No turn 3 can be rolled back"));
        table.gm_confirmed("ROLLBACK 5");
        assert_eq!(table.open(), Some(7));
        table.round("third", 1, 1);
        table.check();
    }
}

#[test]
fn a_finished_game_goes_on_after_a_rollback() {
    let mut table = Table::of(Way::Line);
    for n in 0..6 {
        let open = table.open().unwrap();
        if n % 2 == 0 {
            table.round(&format!("r{n}"), 1, 0);
        } else {
            table.orders("umpire", &format!("u{n}"), "UPHOLD\r\nREADY");
        }
        assert_ne!(table.open(), Some(open));
    }
    assert_eq!(table.open(), None);
    assert!(table.gm("PROCESS 8").text.contains("The game is over"));
    table.gm("ROLLBACK ruling-3 CONFIRM");
    assert_eq!(table.open(), Some(8));
    table.orders("umpire", "again", "VOID\r\nREADY");
    let Reply::Status { games } = table.host().execute(Request::Status { game: Some(game()) }).unwrap()
    else {
        panic!()
    };
    assert!(games[0].results.iter().any(|line| line.contains("rounds won")), "{:?}", games[0].results);
    table.check();
}

#[test]
fn a_rollback_that_is_cut_short_anywhere_happens_once() {
    let prepared = {
        let mut table = Table::of(Way::Mail);
        table.round("one", 3, 1);
        table.orders("umpire", "rule-1", "UPHOLD\r\nREADY");
        let to = table.camp.mails(GM)[0].reply_to[0].clone();
        let text = "ROLLBACK 2 BECAUSE the map was wrong CONFIRM\r\nSTATUS";
        table.camp.post(Mail { from: GM, to: &to, id: "back", in_reply_to: None, text }.raw());
        drop(table.host.take());
        table.camp
    };
    let run = |camp: &Camp| {
        let mut host = camp.try_open()?;
        let sources = host.config().sources(host.dir());
        let relay = host.config().relay(host.dir(), host.clock());
        serve::settle(&mut host, &mut sources?, &*relay?)
    };
    let end = |camp: &Camp| {
        run(camp).unwrap();
        let mut host = camp.open();
        let entries = journal(&mut host);
        replay(&desk(), &entries, &camp.secrets());
        mails_fit(camp, &entries);
        let mails = ["red", "blue", "umpire"].map(|seat| camp.count(seat, "dispatch"));
        (serde_json::to_string(&entries).unwrap(), mails, answers(camp).len())
    };
    let (points, expected) = {
        let camp = prepared.clone();
        let plan = fault::arm(Plan::observe());
        run(&camp).unwrap();
        let points = plan.passed().len();
        drop(plan);
        (points, end(&camp))
    };
    assert!(points > 10, "{points} fault points");
    for n in (1..=points).step_by(3) {
        let camp = prepared.clone();
        let plan = fault::arm(Plan::crash_at(n.try_into().unwrap()));
        // What it says of its own death is nobody's business.
        let _ = run(&camp);
        drop(plan);
        assert_eq!(end(&camp), expected, "cut short at fault point {n}");
    }
}

#[test]
fn dispatches_of_void_turns_that_have_not_left_never_do() {
    let confirmed = |table: &mut Table, text: &str| -> String {
        let request = Request::Gm { game: game(), text: text.to_owned(), yes: true };
        let Reply::Gm { answers, .. } = table.host().execute(request).unwrap() else { panic!() };
        answers.into_iter().map(|answer| answer.paragraphs.join(" ")).collect()
    };
    let mut table = Table::of(Way::Line);
    let before = table.camp.count("red", "dispatch");
    // Nothing is sent between the two.
    confirmed(&mut table, "PROCESS 2");
    let done = confirmed(&mut table, "ROLLBACK 2 BECAUSE the map was wrong");
    assert!(done.contains("3 mails about them that had not left were taken back."), "{done}");
    table.settle();
    assert_eq!(table.camp.count("red", "dispatch"), before + 1);
    assert!(flat(&body(&table.camp.newest("red", "dispatch"))).contains("taken back all turns from 2 to 3"));
    let question = table.camp.answer("red", "dispatch", "status", "STATUS");
    table.camp.post(question);
    table.settle();
    let status = flat(&body(&table.camp.newest("red", "answer")));
    assert!(status.contains("0 waiting, 0 came back, 1 taken back unsent"), "{status}");
    // The mirror journal alone says so too.
    drop(table.host.take());
    std::fs::remove_dir_all(table.camp.path().join("store")).unwrap();
    table.host = Some(table.camp.open());
    let sent = table.camp.count("red", "dispatch");
    // A turn that runs and is taken back in one mail, or by mails that are dealt with together.
    confirmed(&mut table, "PROCESS 4\nROLLBACK 4");
    table.settle();
    assert_eq!(table.camp.count("red", "dispatch"), sent + 1);
    for seat in ["red", "blue"] {
        let mail = table.camp.answer(seat, "dispatch", &format!("last-{seat}"), &block("BID 1\r\nREADY"));
        table.camp.post(mail);
    }
    let to = table.camp.mails(GM)[0].reply_to[0].clone();
    table
        .camp
        .post(Mail { from: GM, to: &to, id: "back", in_reply_to: None, text: "ROLLBACK 6 CONFIRM" }.raw());
    table.settle();
    assert_eq!(table.open(), Some(8));
    assert_eq!(table.camp.count("red", "dispatch"), sent + 2);
    table.check();
}

#[test]
fn turns_are_taken_back_twice_while_their_dispatches_wait() {
    for (way, together) in [(Way::Line, true), (Way::Mail, true), (Way::Mail, false)] {
        let mut table = Table::of(way);
        let before = table.camp.count("red", "dispatch");
        // Three turns run, and nothing is sent.
        for t in 2..=4 {
            let request = Request::Gm { game: game(), text: format!("PROCESS {t}"), yes: true };
            table.host().execute(request).unwrap();
        }
        let lines = ["ROLLBACK 4 CONFIRM", "ROLLBACK 3 CONFIRM"];
        let to = table.camp.mails(GM)[0].reply_to[0].clone();
        match (way, together) {
            (Way::Line, _) => _ = table.gm(&lines.join("\n")),
            (Way::Mail, true) => _ = table.gm(&lines.join("\r\n")),
            (Way::Mail, false) => {
                for text in lines {
                    table.camp.post(Mail { from: GM, to: &to, id: text, in_reply_to: None, text }.raw());
                }
            }
        }
        table.settle();
        let Reply::Vitals(vitals) = table.host().execute(Request::Vitals).unwrap() else { panic!() };
        assert_eq!((vitals.spool_waiting, vitals.outbox.waiting), (0, 0), "{way:?}, {together}");
        // Of turn 2 and of the last rollback.
        assert_eq!(table.camp.count("red", "dispatch"), before + 2, "{way:?}, {together}");
        table.check();
    }
}

#[test]
fn a_turn_that_was_rolled_back_is_reported_as_void_and_the_one_that_counts_before_it() {
    let mut table = Table::of(Way::Line);
    table.round("one", 3, 1);
    table.gm("RERUN 2 AMEND PURSE red 31 CONFIRM");
    let report = |table: &mut Table, turn: &str| {
        let turn = Some(turn.to_owned());
        let request =
            Request::Report { game: game(), seat: seat("red"), turn, shape: musterd::daemon::Shape::Text };
        let Reply::Report { text, .. } = table.host().execute(request).unwrap() else { panic!() };
        flat(&text)
    };
    assert!(report(&mut table, "2").contains("red 28 coins"), "as it ran last");
    table.gm("ROLLBACK 2 CONFIRM");
    let void = "Turn 2 was rolled back: this is what was told of it, and none of it counts.";
    for turn in ["2", "round-1"] {
        let text = report(&mut table, turn);
        assert!(text.contains(void) && text.contains("red 28 coins"), "{turn}: {text}");
    }
    table.round("again", 0, 4);
    table.orders("umpire", "rule", "UPHOLD\r\nREADY");
    // Round 1 counts now as turn 4; by its number the void one can still be had.
    let text = report(&mut table, "round-1");
    assert!(text.contains("red 12 coins") && !text.contains("was rolled back:"), "{text}");
    assert!(report(&mut table, "2").contains(void));
    let question = table.camp.answer("red", "dispatch", "reports", "REPORT 2\r\nREPORT round-1\r\nREPORT 3");
    table.camp.post(question);
    table.settle();
    let answer = flat(&body(&table.camp.newest("red", "answer")));
    assert!(
        answer.contains("Turn 2 was rolled back. Your dispatch of then is attached: report-2.txt."),
        "{answer}"
    );
    assert!(answer.contains("Your dispatch is attached: report-round-1.txt."), "{answer}");
    assert!(answer.contains("There is no dispatch about `3`"), "it never ran: {answer}");
}

#[test]
fn a_turn_whose_dispatches_waited_for_the_gm_is_reported_once_they_went() {
    let mut table = Table::of(Way::Line);
    table.gm("TERMS --approval 2d");
    table.round("one", 3, 1);
    table.gm("NARRATE 2: Snow.");
    table.gm("APPROVE 2");
    table.orders("umpire", "rule", "UPHOLD\r\nREADY");
    table.gm("APPROVE 3");
    let question = table.camp.answer("red", "dispatch", "report", "REPORT 2");
    table.camp.post(question);
    table.settle();
    let answer = flat(&body(&table.camp.newest("red", "answer")));
    assert!(answer.contains("Your dispatch is attached: report-2.txt."), "{answer}");
}
