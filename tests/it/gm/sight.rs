//! What the GM looks at, and that all learn of it where he looks at orders.

use super::*;

#[test]
fn reports_histories_journal_audit_and_dice_come_as_files_and_change_nothing() {
    for way in WAYS {
        let mut table = Table::of(way);
        table.round("one", 2, 1);
        let before = table.log();
        for (command, file) in [
            ("REPORT red", "red.txt"),
            ("REPORT red 2", "red-2.txt"),
            ("HISTORY blue", "blue-history.txt"),
            ("JOURNAL", "alpha.jsonl"),
            ("AUDIT", "alpha.audit.json"),
            ("LUCK", "luck.txt"),
        ] {
            let said = table.gm(command);
            assert!(said.text.contains(&format!("see {file}, attached.")), "{command}: {}", said.text);
            if way == Way::Line {
                assert_eq!(said.files, [file], "{command}");
            }
        }
        for (command, why) in [
            ("REPORT green", "The game has no seat green: there are blue, red, umpire."),
            ("REPORT red 9", "9"),
            ("ORDERS red", "No orders have come from the red player for the open turn."),
            ("OVERVIEW", "This game has no page with everything"),
        ] {
            let said = table.gm(command);
            assert!(said.text.contains(why), "{command}: {}", said.text);
        }
        assert_eq!(table.log(), before, "looking changes nothing");
        table.check();
    }
}

#[cfg(feature = "lga")]
#[test]
fn how_the_manual_is_read_is_told_to_the_gm_too() {
    let (_camp, mut host) = position::campaign();
    let mut ask = |text: &str| {
        let request = Request::Gm { game: game(), text: text.to_owned(), yes: false };
        let Reply::Gm { answers, .. } = host.execute(request).unwrap() else { panic!() };
        format!("{} {}", answers[0].paragraphs.join(" "), answers[0].page)
    };
    assert!(ask("RULES").contains("Rulings on the manual of La Grande Armee"));
    assert!(ask("RULES 12").contains("LGA-12"));
    assert!(ask("SCENARIO").contains("How it goes"));
}

#[test]
fn what_is_laid_out_stands_apart_from_the_words_above_it() {
    let mut table = Table::of(Way::Mail);
    table.gm("SCENARIO");
    let answer = body(&table.camp.mails(GM).pop().unwrap());
    assert!(answer.contains("\n\nSeats\n") && !answer.contains("\n\n\n"), "{answer}");
}

#[test]
fn that_the_gm_looked_at_orders_is_in_the_log_and_told_to_all() {
    for way in WAYS {
        let mut table = Table::of(way);
        table.orders("red", "o", "BID 3");
        let told = table.camp.count("blue", "notice");
        let said = table.gm("ORDERS red BECAUSE the player asks what is wrong");
        assert!(said.text.contains("see red-orders.txt, attached."), "{}", said.text);
        assert_eq!(
            table.gm_log(),
            ["gm 2 looked at the orders of red for turn 2: the player asks what is wrong"]
        );
        assert_eq!(table.camp.count("blue", "notice"), told + 1);
        for seat in ["red", "blue"] {
            let notice = flat(&body(&table.camp.newest(seat, "notice")));
            assert!(notice.contains("The GM has looked at the orders of the red player"), "{notice}");
            assert!(notice.contains("the player asks what is wrong"), "{notice}");
        }
        table.check();
    }
}

#[test]
fn the_journal_that_the_gm_is_sent_keeps_the_orders_for_the_open_turn_back() {
    let mut table = Table::of(Way::Line);
    table.orders("red", "o", "BID 3\r\n# a note to myself");
    let request = Request::Gm { game: game(), text: "JOURNAL".to_owned(), yes: false };
    let Reply::Gm { answers, .. } = table.host().execute(request).unwrap() else { panic!() };
    let journal = String::from_utf8(answers[0].files[0].bytes.clone()).unwrap();
    assert!(journal.contains("\"founded\"") && journal.contains("\"adjudicated\""), "{journal}");
    assert!(!journal.contains("a note to myself"), "{journal}");
}

/// The GM's page of everything of a new game: as text, as a page and drawn.
fn everything(scenario: &str, seats: [&str; 2]) -> [String; 3] {
    let camp = Camp::new();
    let mut host = camp.open();
    let new = NewGame {
        scenario: scenario.to_owned(),
        seats: seats.into_iter().zip(["red", "blue"]).map(|(name, who)| (seat(name), player(who))).collect(),
        start_now: true,
        ..toy_game(&[], "24h", Terms::default())
    };
    host.execute(Request::found(new)).unwrap();
    settle(&mut host);
    let request = Request::Gm { game: game(), text: "OVERVIEW".to_owned(), yes: false };
    let Reply::Gm { answers, .. } = host.execute(request).unwrap() else { panic!() };
    ["everything.txt", "everything.html", "everything.svg"].map(|name| {
        let file = answers[0].files.iter().find(|file| file.name == name).unwrap();
        String::from_utf8(file.bytes.clone()).unwrap()
    })
}

#[cfg(feature = "games")]
#[test]
fn everything_is_on_one_page_and_one_drawn_map() {
    // The seats; a unit of each side, as it is called on the page, and on the drawn map.
    let cases = [
        ("sa/mill", ["northwold", "reaches"], ["Northwold Spears", "Lockwood Horse"], ["A1", "B1"]),
        ("acw/kellys-mill", ["union", "confederate"], ["Hale", "Maddox"], ["A1", "B1"]),
        ("lga/austrian-1805", ["french", "allied"], ["French", "Austrian"], ["F1", "A1g"]),
        ("dog/training", ["red", "blue"], ["First Swords", "Long Pikes"], ["R1", "B1"]),
    ];
    for (scenario, seats, units, signs) in cases {
        let [text, html, svg] = everything(scenario, seats);
        assert!(svg.starts_with("<svg") && html.starts_with("<!DOCTYPE html>"), "{scenario}");
        for page in [&text, &html] {
            assert!(units.iter().all(|unit| page.contains(unit)), "{scenario}: {page}");
        }
        for sign in signs {
            assert!(svg.contains(&format!(">{sign}<")), "{scenario}: {sign}");
        }
    }
}

#[test]
fn the_gm_learns_a_command_by_its_word_and_how_the_mail_goes() {
    let mut table = Table::of(Way::Line);
    table.round("first", 3, 2);
    let log = table.log();
    let help = table.gm("HELP amend").text;
    for said in ["Write AMEND, the open turn and what to change: AMEND 5 CHANGE.", "CONFIRM at its end"] {
        assert!(help.contains(said), "`{said}`: {help}");
    }
    assert!(help.contains("Owners and referees may give it."), "{help}");
    assert!(table.gm("HELP overview").text.contains("Owners, referees and readers may give it."));
    assert!(table.gm("HELP amned").text.contains("`AMNED` is no command: did you mean AMEND?"));
    let health = table.gm("HEALTH").text;
    for said in ["red: ", "taken by the mail server", "No mail of the host waits"] {
        assert!(health.contains(said), "`{said}`: {health}");
    }
    assert_eq!(table.log(), log, "to ask changes nothing");
    let mut mailed = Table::of(Way::Mail);
    let slip = mailed.gm("PORCESS 2").text;
    assert!(
        slip.contains("Nothing from here on was read: `PORCESS` is no command: did you mean PROCESS?"),
        "{slip}"
    );
}
