//! Amendments of the position, and drafts of what they would change.

use super::*;

#[test]
fn an_amendment_reaches_those_who_can_know_it_and_nobody_else() {
    for way in WAYS {
        let mut table = Table::of(way);
        let (red, blue) = (table.camp.count("red", "dispatch"), table.camp.count("blue", "dispatch"));
        let (asked, done) = table.gm_confirmed("AMEND 2 PURSE red 31 BECAUSE the treasurer miscounted");
        assert!(
            asked.text.contains("+ red 31 coins") && asked.text.contains("blue: nothing"),
            "{}",
            asked.text
        );
        assert!(done.text.contains("those who can know it: red, umpire"), "{}", done.text);
        assert_eq!(table.camp.count("red", "dispatch"), red + 1);
        assert_eq!(table.camp.count("blue", "dispatch"), blue);
        assert!(body(&table.camp.newest("red", "dispatch")).contains("the GM gives red 31 coins"));
        let log = table.gm_log();
        assert!(
            log[0].starts_with("gm 2 amend ") && log[0].ends_with(" the treasurer miscounted"),
            "{log:?}"
        );
        assert!(!log[0].contains("PURSE"), "the log hides what it was");
        assert!(table.gm("AMEND 2 PURSE green 3").text.contains("Write PURSE red 5"));
        table.orders("red", "rich", "BID 30\r\nREADY");
        assert!(!table.camp.newest("red", "receipt").subject.contains("ERRORS"), "red can pay that now");
        table.orders("blue", "poor", "BID 0\r\nREADY");
        assert_eq!(purses(&table.camp.newest("red", "dispatch")), ["red 1 coins"]);
        table.check();
    }
}

#[test]
fn draft_with_an_amendment_shows_what_it_would_change_and_does_nothing() {
    for way in WAYS {
        let mut table = Table::of(way);
        let before = table.log();
        let said = table.gm("DRAFT 2 WITH AMEND WON blue 2");
        assert!(said.text.contains("- blue 0 won + blue 2 won"), "{}", said.text);
        assert_eq!(table.log(), before);
        assert!(table.gm("DRAFT 2").text.contains("no dispatches wait"));
        assert!(table.gm("STATUS").text.contains("turn 2 is open"));
    }
}

#[test]
fn a_moderated_turn_waits_for_the_gm_who_sees_and_corrects_it() {
    for way in WAYS {
        let mut table = Table::of(way);
        table.gm("TERMS --approval 2d BECAUSE we want to look at it first");
        let dispatches = table.camp.count("red", "dispatch");
        table.round("one", 3, 1);
        assert_eq!((table.open(), table.camp.count("red", "dispatch")), (None, dispatches));
        let draft = |table: &Table| {
            let mut mails = table.camp.mails(GM);
            mails.retain(|mail| mail.subject.contains("waits for your approval"));
            mails.len()
        };
        assert_eq!(draft(&table), 1);
        let said = table.gm("DRAFT 2");
        assert!(
            way == Way::Mail
                || said.files
                    == [
                        "blue.txt",
                        "red.txt",
                        "umpire.txt",
                        "lines.txt",
                        "blue.html",
                        "red.html",
                        "umpire.html"
                    ],
            "{:?}",
            said.files
        );
        // What was told last is still to be had.
        assert!(
            flat(&table.gm("REPORT red 2").text)
                .contains("Turn 2 waits, and is told to nobody yet: DRAFT 2 shows it.")
        );
        let told = table.gm("REPORT red");
        assert!(
            way == Way::Mail || told.files == ["red-1.txt"] || told.files == ["red.txt"],
            "{:?}",
            told.files
        );
        assert!(flat(&told.text).contains("The dispatch of red"), "{}", told.text);
        table.orders("red", "early", "BID 1");
        assert!(table.camp.newest("red", "refusal").subject.contains("the turn has run"));
        assert!(table.log().last().unwrap().ends_with("refused between-turns"), "{:?}", table.log());
        let letter = table.camp.answer("red", "dispatch", "letter", "PRESS TO blue\r\nHello.\r\nEND PRESS");
        table.camp.post(letter);
        table.settle();
        let said = flat(&body(&table.camp.newest("red", "press")));
        assert!(said.contains("no turn is open while the GM looks at the last one"), "{said}");
        table.gm("NARRATE 2 TO red\r\nSnow falls on the ridge.\r\nEND NARRATE");
        let (asked, _) = table.gm_confirmed("RERUN 2 AMEND PURSE red 1 BECAUSE red had only one coin");
        assert!(asked.text.contains("- red 9 coins + red 1 coins"), "{}", asked.text);
        assert_eq!(draft(&table), 2, "the new drafts come by themselves");
        table.gm("AMEND round-1 PURSE blue 9 CONFIRM");
        assert_eq!(table.camp.count("red", "dispatch"), dispatches, "nothing went out");
        let said = table.gm("APPROVE 2");
        assert!(said.text.contains("on their way"), "{}", said.text);
        assert_eq!((table.open(), table.camp.count("red", "dispatch")), (Some(3), dispatches + 1));
        let (red, blue) = (table.camp.newest("red", "dispatch"), table.camp.newest("blue", "dispatch"));
        assert!(body(&red).contains("Snow falls") && !body(&blue).contains("Snow falls"));
        assert!(flat(&body(&blue)).contains("turn 2 ran again with the same orders and the same dice"));
        assert_eq!(purses(&red), ["red 1 coins"], "a bid of more than there was is none");
        assert_eq!(purses(&blue), ["blue 9 coins"]);
        table.check();
    }
}

/// A campaign of La Grande Armée between people.
#[cfg(feature = "lga")]
pub(super) fn campaign() -> (Camp, Host) {
    let camp = Camp::new();
    let mut host = camp.open();
    let new = NewGame {
        templates: std::collections::BTreeMap::new(),
        scenario: "lga/austrian-1805".to_owned(),
        id: game(),
        seats: ["french", "allied"].map(|name| (seat(name), player(name))).into(),
        gm: Vec::new(),
        witnesses: Vec::new(),
        deadline: Some("24h".to_owned()),
        start_now: true,
        press: PressPolicy::default(),
        terms: Terms::default(),
        beacon: None,
        missing: None,
        options: std::collections::BTreeMap::new(),
    };
    host.execute(Request::found(new)).unwrap();
    settle(&mut host);
    (camp, host)
}

#[test]
#[cfg(feature = "lga")]
fn any_field_of_a_campaign_can_be_amended_and_what_would_not_hang_together_is_refused() {
    let (camp, host) = campaign();
    let mut table = Table { camp, host: Some(host), way: Way::Line, sent: 0 };
    for (amendment, told) in [
        ("UNIT 1 MORALE 1", "has morale 1"),
        ("UNIT 1 FATIGUE 2", "has fatigue 2"),
        ("UNIT 1 MOVES 0", "has 0 moves left"),
        ("UNIT 1 SUPPLIED NO", "is not in supply"),
        ("UNIT 1 RALLIED YES", "is rallied this season"),
        ("UNIT 1 TOP", "lies on top of its stack"),
        ("UNIT 1 AT Paris", "is at Paris"),
        ("UNIT 1 GARRISON YES", "is the garrison of its city"),
        ("POINTS french 33", "has 33 military points"),
        ("VICTORY allied 4", "has 4 victory points"),
        ("CONTROL Vienna french", "is under French control"),
        ("UNIT 2 POOL", "is in the build pool"),
    ] {
        let (_, done) = table.gm_confirmed(&format!("AMEND 2 {amendment} BECAUSE of a test"));
        assert!(done.text.contains("french"), "{amendment}: {}", done.text);
        let dispatch = flat(&body(&table.camp.newest("french", "dispatch")));
        assert!(dispatch.contains(told), "{amendment}: {told}");
    }
    for (wrong, why) in [
        ("UNIT 1 MORALE 9", "hang together"),
        ("UNIT 999 MORALE 1", "no unit 999"),
        ("UNIT 1 AT Atlantis", "no place"),
        ("UNIT 2 MORALE 1", "in the build pool"),
        ("UNIT 1 VALOUR 3", "Write MORALE"),
        ("POINTS spain 3", "not in this scenario"),
        ("CONTROL Ulm french", "hang together"),
        ("UNIT 1 AT Ulm", "hang together"),
    ] {
        let said = table.gm(&format!("AMEND 2 {wrong} CONFIRM"));
        assert!(said.text.contains(why) && said.text.contains("Nothing was done"), "{wrong}: {}", said.text);
    }
    table.check();
}

#[test]
#[cfg(feature = "lga")]
fn a_campaign_is_run_again_and_rolled_back_and_replays() {
    let (camp, host) = campaign();
    let mut table = Table { camp, host: Some(host), way: Way::Mail, sent: 0 };
    table.gm("PROCESS 2 CONFIRM");
    let allied = table.camp.count("allied", "dispatch");
    let (asked, done) = table.gm_confirmed("RERUN 2 AMEND UNIT 1 MORALE 1 BECAUSE of a slip");
    assert!(asked.text.contains("french:"), "{}", asked.text);
    assert!(done.text.contains("has run again"), "{}", done.text);
    assert!(table.camp.count("allied", "dispatch") >= allied);
    table.gm("PROCESS 3 CONFIRM");
    table.gm("AMEND 4 UNIT 1 FATIGUE 4 CONFIRM");
    table.gm_confirmed("ROLLBACK 3");
    assert_eq!(table.open(), Some(5));
    table.gm("PROCESS 5 CONFIRM");
    assert_eq!(table.open(), Some(6));
    table.check();
    let players = journal(table.host()).into_iter().find_map(|entry| match entry.cause {
        Cause::Founded { charter, .. } => Some(charter.players),
        _ => None,
    });
    assert!(
        players
            .unwrap()
            .values()
            .all(|player| matches!(player, musterd::engine::journal::Player::Mail { .. }))
    );
}

/// The newest mail to the GM that brings drafts, on one line.
fn newest_draft(camp: &Camp) -> String {
    let mut mails = camp.mails(GM);
    mails.retain(|mail| mail.subject.contains("waits for your approval"));
    flat(&body(mails.last().unwrap()))
}

#[test]
fn nothing_goes_out_where_a_line_above_was_not_done() {
    for way in WAYS {
        let mut table = Table::of(way);
        table.gm("TERMS --approval 2d");
        table.round("one", 3, 1);
        for above in ["AMEND 2 PURSE green 3", "AMEND 2 PURSE red 3"] {
            let said = table.gm(&format!("{above}\r\nAPPROVE 2"));
            assert!(
                said.text.contains("A line above this one was not done: nothing was sent"),
                "{}",
                said.text
            );
            assert_eq!(table.open(), None, "{above}: it went out");
        }
        table.gm("AMEND 2 PURSE red 3 CONFIRM\r\nAPPROVE 2");
        assert_eq!(table.open(), Some(3));
        assert_eq!(purses(&table.camp.newest("red", "dispatch")), ["red 3 coins"]);
        let said = table.gm("AMEND 3 PURSE red 4\r\nPROCESS 3 CONFIRM");
        assert!(said.text.contains("no turn has run"), "{}", said.text);
        assert_eq!(table.open(), Some(3));
        table.check();
    }
}

#[test]
fn a_draft_says_who_sent_nothing_and_offers_what_can_be_done() {
    let mut table = Table::of(Way::Mail);
    table.gm("TERMS --approval 2d");
    table.orders("red", "one", "BID 3\r\nREADY");
    table.gm("PROCESS 2 CONFIRM");
    let told = newest_draft(&table.camp);
    assert!(told.contains("RERUN 2") && told.contains("ROLLBACK 2 takes it back."), "{told}");
    assert!(told.contains("No orders came from the blue player."), "{told}");
    table.gm("APPROVE 2");
    table.orders("umpire", "two", "UPHOLD\r\nREADY");
    let told = newest_draft(&table.camp);
    assert!(told.contains("Turn 3") && !told.contains("No orders came"), "{told}");
}

#[test]
fn the_founding_neither_runs_again_nor_is_taken_back_and_its_draft_offers_neither() {
    let camp = Camp::new();
    let mut host = camp.open();
    let new = NewGame {
        templates: std::collections::BTreeMap::new(),
        scenario: "toy/ridge".to_owned(),
        id: game(),
        seats: ["red", "blue", "umpire"].map(|name| (seat(name), player(name))).into(),
        gm: vec![GM.to_owned()],
        witnesses: Vec::new(),
        deadline: Some("24h".to_owned()),
        start_now: true,
        press: PressPolicy::default(),
        terms: Terms { approval: Some(2880), ..Terms::default() },
        beacon: None,
        missing: None,
        options: std::collections::BTreeMap::new(),
    };
    host.execute(Request::found(new)).unwrap();
    settle(&mut host);
    let told = newest_draft(&camp);
    assert!(
        told.contains("APPROVE 1 sends them now") && told.contains("AMEND 1 changes the position."),
        "{told}"
    );
    assert!(!told.contains("RERUN") && !told.contains("ROLLBACK"), "{told}");
    let mut table = Table { camp, host: Some(host), way: Way::Line, sent: 0 };
    let said = table.gm("NARRATE 1 TO green: Good morning.");
    assert!(said.text.contains("The game has no seat green: there are blue, red, umpire."), "{}", said.text);
}
