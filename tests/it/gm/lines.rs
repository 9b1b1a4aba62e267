//! Lines of dispatches that wait, changed by the GM's hand.

use serde_json::{Value, json};

use musterd::audit::{self, Divergence};
use musterd::desk::audit::audit_file;

use super::*;

/// A moderated game whose first round has run.
fn moderated(way: Way) -> Table {
    let mut table = Table::of(way);
    table.gm("TERMS --approval 2d BECAUSE we want to look at it first");
    table.round("one", 3, 1);
    assert_eq!(table.open(), None);
    table
}

/// The dispatch of a seat as it would go out now.
fn draft(table: &mut Table, of: &str) -> String {
    let request = Request::Gm { game: game(), text: "DRAFT 2".to_owned(), yes: false };
    let Reply::Gm { answers, .. } = table.host().execute(request).unwrap() else { panic!() };
    let name = format!("{of}.txt");
    let file = answers[0].files.iter().find(|file| file.name == name).expect("the file comes");
    String::from_utf8(file.bytes.clone()).unwrap()
}

#[test]
fn a_line_is_struck_reworded_or_added_for_one_reader_and_said_to_be() {
    for way in WAYS {
        let mut table = moderated(way);
        let lines = draft(&mut table, "lines");
        let number = |of: &str, line: &str| {
            let (_, rest) = lines.split_once(&format!("TO {}", of.to_uppercase())).expect(of);
            let row =
                rest.lines().find(|row| row.contains(line)).unwrap_or_else(|| panic!("{line}\n{lines}"));
            row.split_whitespace().next().unwrap().to_owned()
        };
        let wins = "red takes the ridge";
        for seat in ["red", "blue"] {
            assert!(draft(&mut table, seat).contains(wins), "{}", draft(&mut table, seat));
        }
        let said = table.gm(&format!("STRIKE 2 blue {}", number("blue", wins)));
        assert!(said.text.contains("will not be told: `") && said.text.contains(wins), "{}", said.text);
        let said = table
            .gm(&format!("REWORD 2 red {}\r\nNobody saw\r\nwho won.\r\nEND REWORD", number("red", wins)));
        assert!(said.text.contains("will say `GM: Nobody saw who won.` instead of"), "{}", said.text);
        table.gm(&format!("ADD round-1 blue {}: It rained.", number("blue", wins)));
        let blue = draft(&mut table, "blue");
        assert!(!blue.contains(wins) && blue.contains("GM: It rained."), "{blue}");
        // The numbers stay, and what was done stands below its line.
        let changed = draft(&mut table, "lines");
        let (to_blue, to_red) = changed.split_once("TO RED").unwrap();
        let told = flat(to_blue);
        assert!(told.contains(&format!("{wins} STRUCK: it isn't told. ADDED: GM: It rained.")), "{told}");
        assert!(flat(to_red).contains(&format!("{wins} REWORDED: GM: Nobody saw who won.")), "{to_red}");
        // What was done to a line is taken back, and done in another way.
        table.gm(&format!("RESTORE 2 blue {}", number("blue", wins)));
        assert!(draft(&mut table, "blue").contains(wins) && !draft(&mut table, "blue").contains("rained"));
        table.gm(&format!("STRIKE 2 blue {} BECAUSE of the fog", number("blue", wins)));
        table.gm("APPROVE 2");
        let (red, blue) = (table.camp.newest("red", "dispatch"), table.camp.newest("blue", "dispatch"));
        let (red, blue) = (flat(&body(&red)), flat(&body(&blue)));
        assert!(red.contains("GM: Nobody saw who won.") && !red.contains(wins), "{red}");
        assert!(
            red.contains("changed this report by hand: 1 line is the GM's own and begins with `GM:`"),
            "{red}"
        );
        assert!(!blue.contains(wins) && !blue.contains("Nobody saw"), "{blue}");
        assert!(blue.contains("changed this report by hand: 1 line is struck."), "{blue}");
        let log = table.gm_log();
        let edits: Vec<&String> = log.iter().filter(|line| line.contains(" edit ")).collect();
        assert_eq!(edits.len(), 5, "{log:?}");
        assert!(edits[4].ends_with(" of the fog"), "{edits:?}");
        assert!(
            !log.join(" ").contains("rained") && !edits.iter().any(|line| line.contains("blue")),
            "{log:?}"
        );
        table.check();
        // The dispatch of a past turn, and one that is sent again, say the same as the one that went out.
        table.round("two", 1, 0);
        table.gm("APPROVE 3");
        let again = table.gm("REPORT blue 2");
        assert!(way == Way::Mail || again.files == ["blue-2.txt"], "{:?}", again.files);
        let request = Request::Gm { game: game(), text: "REPORT blue 2".to_owned(), yes: false };
        let Reply::Gm { answers, .. } = table.host().execute(request).unwrap() else { panic!() };
        let again = flat(&String::from_utf8(answers[0].files[0].bytes.clone()).unwrap());
        assert!(!again.contains(wins) && again.contains("1 line is struck"), "{again}");
        table.check();
    }
}

#[test]
fn a_corrected_dispatch_keeps_what_was_changed_by_hand() {
    let mut table = moderated(Way::Line);
    table.gm("STRIKE 2 blue 1");
    let struck = draft(&mut table, "blue");
    table.gm("APPROVE 2");
    table.gm("AMEND 3 PURSE blue 9 CONFIRM");
    let blue = flat(&body(&table.camp.newest("blue", "dispatch")));
    assert!(struck.contains("1 line is struck") && blue.contains("1 line is struck"), "{blue}");
    assert!(blue.contains("blue 9 coins"), "{blue}");
    table.check();
}

#[test]
fn a_change_whose_line_is_gone_is_told_to_the_gm() {
    let mut table = moderated(Way::Line);
    // With one coin red's bid is none, and blue takes the ridge.
    let lines = draft(&mut table, "lines");
    let (_, blue) = lines.split_once("TO BLUE").unwrap();
    let row = blue.lines().find(|row| row.contains("red takes the ridge")).unwrap();
    table.gm(&format!("STRIKE 2 blue {}", row.split_whitespace().next().unwrap()));
    assert!(draft(&mut table, "blue").contains("is struck"));
    table.gm("RERUN 2 AMEND PURSE red 1 CONFIRM");
    let said = table.gm("DRAFT 2").text;
    assert!(
        said.contains(
            "Your change of a line to blue counts no more, as that line isn't there now: `red takes the ridge`"
        ),
        "{said}"
    );
    assert!(!draft(&mut table, "blue").contains("is struck"));
    table.check();
}

#[test]
fn a_line_that_is_not_there_or_not_waiting_is_not_changed() {
    let mut table = moderated(Way::Line);
    let before = table.log();
    for (command, why) in [
        ("STRIKE 2 blue 99", "The dispatch of blue has no line 99"),
        ("STRIKE 2 green 1", "green"),
        ("STRIKE 3 blue 1", "The open turn is 2"),
        ("STRIKE 2 blue 0", "STRIKE, the turn that ran, a seat and the number"),
        ("REWORD 2 blue 1\nEND REWORD", "END REWORD below them"),
        (&format!("ADD 2 blue 1: {}", "x".repeat(2001)), "2000 characters"),
    ] {
        let said = table.gm(command).text;
        assert!(said.contains(why), "{command}: {said}");
    }
    assert_eq!(table.log(), before);
    table.gm("APPROVE 2");
    assert!(table.gm("STRIKE 3 blue 1").text.contains("No dispatches wait"), "nothing to change");
}

#[test]
fn a_host_that_shows_other_changes_than_it_made_is_found() {
    let mut table = moderated(Way::Line);
    table.gm("REWORD 2 red 1: Nobody saw it.");
    table.gm("APPROVE 2");
    let entries = journal(table.host());
    let honest = serde_json::to_value(audit_file(&entries, &table.camp.secrets(), u32::MAX)).unwrap();
    let replayed = |file: &Value| {
        let file = serde_json::from_value(file.clone()).unwrap();
        audit::replay(&desk(), &file, |_, _| {})
    };
    let told = replayed(&honest);
    assert_eq!((told.difference, told.told.differences, told.edits.len()), (None, Vec::new(), 1));

    let mut other = honest.clone();
    other["replay"]["edits"][0]["edit"]["change"] = json!({"reworded": "All saw it."});
    let found = replayed(&other).difference.unwrap().divergence;
    assert!(matches!(found, Divergence::OtherEdit { .. }), "{found:?}");

    let mut twice = honest.clone();
    let edit = twice["replay"]["edits"][0].clone();
    twice["replay"]["edits"].as_array_mut().unwrap().push(edit);
    assert!(matches!(replayed(&twice).difference.unwrap().divergence, Divergence::OddStep { .. }));

    let mut hidden = honest;
    hidden["replay"]["edits"] = json!([]);
    let found = replayed(&hidden).told.differences;
    assert!(found.iter().any(|d| matches!(d.divergence, Divergence::OtherWords { .. })), "{found:?}");
}
