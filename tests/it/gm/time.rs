//! When the turn runs, when its dispatches go, on what terms the game is played.

use super::*;

#[test]
fn process_tells_who_is_missing_and_runs_the_turn_when_confirmed() {
    for way in WAYS {
        let mut table = Table::of(way);
        table.orders("red", "bid-1", "BID 2");
        let (asked, done) = table.gm_confirmed("PROCESS round-1 BECAUSE all agreed");
        assert!(asked.text.contains("without orders from") && asked.text.contains("blue"), "{}", asked.text);
        assert!(done.text.contains("Turn 2 has run"), "{}", done.text);
        assert_eq!(table.open(), Some(3));
        assert_eq!(table.gm_log(), ["gm 2 processed before its deadline: all agreed"]);
        table.orders("umpire", "rule-1", "UPHOLD");
        let done = table.gm("PROCESS 3");
        assert!(done.text.contains("Turn 3 has run"), "nobody is missing: {}", done.text);
        table.check();
    }
}

#[test]
fn in_a_pause_time_stands_still_and_the_deadline_moves_by_its_length() {
    for way in WAYS {
        let mut table = Table::of(way);
        table.wait(10 * HOUR);
        table.gm("PAUSE BECAUSE of the holidays");
        assert!(body(&table.camp.newest("red", "notice")).contains("holidays"));
        assert!(table.gm("PAUSE").text.contains("paused already"));
        assert!(table.gm("PROCESS 2").text.contains("is paused"));
        let reminders = table.camp.count("blue", "reminder");
        table.wait(48 * HOUR);
        assert_eq!(
            (table.open(), table.camp.count("blue", "reminder")),
            (Some(2), reminders),
            "nothing runs"
        );
        table.orders("red", "late", "BID 2");
        assert_eq!(verdicts(table.host()).last().unwrap(), "accepted", "orders are taken in a pause");
        let said = table.gm("RESUME");
        assert!(said.text.contains("Tuesday 24 November 2026, 12:00"), "a day and two more: {}", said.text);
        assert!(table.gm("RESUME").text.contains("not paused"));
        table.wait(13 * HOUR);
        assert_eq!(table.open(), Some(2), "its ten hours of the day are not over");
        assert_eq!(
            table.camp.count("blue", "reminder"),
            reminders + 1,
            "a moved deadline is reminded of again"
        );
        table.wait(HOUR + 60);
        assert_eq!(table.open(), Some(3));
        let log = table.gm_log();
        assert_eq!(log, ["gm 2 paused: of the holidays", "gm 2 resumed"]);
        table.check();
    }
}

#[test]
fn a_deadline_is_set_and_extended_and_all_are_told() {
    for way in WAYS {
        let mut table = Table::of(way);
        let said = table.gm("DEADLINE 2 2026-11-25 20:00 BECAUSE Anna is ill");
        assert!(said.text.contains("it is now Wednesday 25 November 2026, 20:00"), "{}", said.text);
        assert!(
            flat(&body(&table.camp.newest("blue", "notice"))).contains("Wednesday 25 November 2026, 20:00")
        );
        let said = table.gm("EXTEND round-1 2d");
        assert!(said.text.contains("it is now Friday 27 November 2026, 20:00"), "{}", said.text);
        let past = table.gm("DEADLINE 2 2026-11-20 20:00").text;
        assert!(past.contains("in the past: it is Saturday 21 November 2026"), "{past}");
        assert!(way == Way::Line || past.contains("20:00 ^^^^^^^^^^^^^^^^ That lies"), "{past}");
        table.wait(5 * 24 * HOUR);
        assert_eq!(table.open(), Some(2));
        table.wait(2 * 24 * HOUR);
        assert_eq!(table.open(), Some(3));
        assert_eq!(table.gm_log(), ["gm 2 deadline moved: Anna is ill", "gm 2 deadline moved"]);
        table.check();
    }
}

#[test]
fn words_without_their_end_are_told_with_the_line_that_was_written_in_its_place() {
    for way in WAYS {
        let mut table = Table::of(way);
        let said = table.gm("BROADCAST\r\nSnow falls.\r\nEND BRODCAST\r\nPAUSE\r\n").text;
        assert!(
            said.contains("no line END BROADCAST ends the words below it, so nothing from here on was read"),
            "{said}"
        );
        assert!(said.contains("Write END BROADCAST on a line of its own"), "{said}");
        assert!(way == Way::Line || said.contains("END BRODCAST ^^^^^^^^^^^^"), "{said}");
        assert!(table.gm_log().is_empty());
    }
}

#[test]
fn a_moderated_game_can_begin_at_once() {
    let camp = Camp::new();
    let mut host = camp.open();
    let terms = Terms { approval: Some(24 * 60), ..Terms::default() };
    let new = NewGame {
        templates: std::collections::BTreeMap::new(),
        scenario: "toy/ridge".to_owned(),
        id: game(),
        seats: ["red", "blue", "umpire"].map(|name| (seat(name), player(name))).into(),
        gm: Vec::new(),
        witnesses: Vec::new(),
        deadline: Some("24h".to_owned()),
        start_now: true,
        press: PressPolicy::All,
        terms,
        beacon: None,
        missing: None,
        options: std::collections::BTreeMap::new(),
    };
    let Reply::New { lines } = host.execute(Request::found(new)).unwrap() else { panic!() };
    assert!(lines[2].contains("wait for the GM: APPROVE 1 sends them"), "{lines:?}");
    settle(&mut host);
    assert_eq!(camp.count("red", "dispatch"), 0);
    let mut gm = |text: &str| {
        let request = Request::Gm { game: game(), text: text.to_owned(), yes: false };
        let Reply::Gm { answers, .. } = host.execute(request).unwrap() else { panic!() };
        settle(&mut host);
        answers[0].paragraphs.join("\n")
    };
    gm("APPROVE 1");
    assert_eq!(camp.count("red", "dispatch"), 1);
    let status = gm("STATUS");
    assert!(!status.contains("turns missed"), "nobody missed a turn yet: {status}");
    let said = gm("TERMS --deadline tomorrow");
    assert!(said.contains("--deadline tomorrow: write `3d`, `36h`"), "{said}");
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn without_the_gm_the_dispatches_go_by_themselves_but_not_in_a_pause() {
    let mut table = Table::of(Way::Line);
    table.gm("TERMS --approval 2d");
    table.round("one", 3, 1);
    table.wait(24 * HOUR);
    table.gm("PAUSE");
    table.wait(48 * HOUR);
    assert_eq!(table.open(), None, "the pause doesn't count");
    table.gm("RESUME");
    table.wait(23 * HOUR);
    assert_eq!(table.open(), None);
    table.wait(HOUR + 60);
    assert_eq!(table.open(), Some(3));
    table.check();
}

#[test]
fn terms_are_changed_in_the_words_of_a_new_game() {
    for way in WAYS {
        let mut table = Table::of(way);
        let said = table.gm("TERMS --missing hold --hold 2h --press none BECAUSE nobody must be left behind");
        assert!(
            said.text.contains("terms are changed: --missing hold --hold 2h --press none"),
            "{}",
            said.text
        );
        assert!(
            flat(&body(&table.camp.newest("red", "notice")))
                .contains("--missing hold --hold 2h --press none")
        );
        assert!(table.gm("TERMS --missing hold").text.contains("already"));
        assert!(table.gm("TERMS --taxes 3").text.contains("no option --taxes"));
        table.wait(25 * HOUR);
        assert_eq!(table.open(), Some(2), "held back");
        let line = "gm 2 terms --missing hold --hold 2h --press none: nobody must be left behind";
        assert_eq!(table.gm_log(), [line]);
        table.check();
    }
}

/// A game whose host names no GM.
fn without_gm(terms: Terms, deadline: &str) -> (Camp, Host, Result<Reply, HostError>) {
    let camp = Camp::new();
    let path = camp.path().join(config::FILE);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace(&format!("gm: [{GM}]"), "gm: []")).unwrap();
    let mut host = camp.open();
    let new = NewGame {
        templates: std::collections::BTreeMap::new(),
        scenario: "toy/ridge".to_owned(),
        id: game(),
        seats: ["red", "blue", "umpire"].map(|name| (seat(name), player(name))).into(),
        gm: Vec::new(),
        witnesses: Vec::new(),
        deadline: Some(deadline.to_owned()),
        start_now: true,
        press: PressPolicy::All,
        terms,
        beacon: None,
        missing: None,
        options: std::collections::BTreeMap::new(),
    };
    let founded = host.execute(Request::found(new));
    (camp, host, founded)
}

#[test]
fn a_game_without_a_gm_is_not_founded_on_terms_that_ask_one() {
    for (terms, option, instead) in [
        (Terms { missing: Missing::Gm, ..Terms::default() }, "--missing gm", "--missing standing"),
        (Terms { missing: Missing::Hold, ..Terms::default() }, "--missing hold", "--missing computer"),
        (Terms { most_missing: Some(1), ..Terms::default() }, "--most-missing", "leave it out"),
        (Terms { approval: Some(60), ..Terms::default() }, "--approval", "leave it out"),
    ] {
        let (_camp, mut host, founded) = without_gm(terms, "24h");
        let why = founded.unwrap_err().to_string();
        assert!(why.contains(option) && why.contains("--gm ADDRESS") && why.contains(instead), "{why}");
        assert!(host.execute(Request::Status { game: Some(game()) }).is_err(), "nothing was founded");
    }
    let (_camp, _host, founded) = without_gm(Terms::default(), "none");
    let Reply::New { lines } = founded.unwrap() else { panic!() };
    assert!(lines.iter().any(|line| line.contains("waits until all are ready, however long")), "{lines:?}");
}

#[test]
fn a_game_without_a_gm_takes_no_such_terms_later() {
    let (_camp, mut host, founded) = without_gm(Terms::default(), "24h");
    founded.unwrap();
    settle(&mut host);
    let request = |text: &str| Request::Gm { game: game(), text: text.to_owned(), yes: false };
    let Reply::Gm { answers, .. } = host.execute(request("TERMS --missing hold")).unwrap() else { panic!() };
    assert!(answers[0].paragraphs[0].contains("no GM's address to ask"), "{answers:?}");
    let Reply::Gm { answers, .. } = host.execute(request("TERMS --deadline none")).unwrap() else { panic!() };
    assert!(answers[0].paragraphs[1].contains("PROCESS"), "{answers:?}");
}
