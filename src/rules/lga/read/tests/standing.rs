//! Standing orders: the section, single lines, and what may stand in them.

use super::*;

#[test]
fn every_standing_order_carries_its_own_line() {
    let reading =
        reading("MOVE 7 TO Paris\nSTANDING\n# first\nREINFORCE 3 TO 1303\nTOP 99\nWITHDRAW 4 TO 1104");
    let lines: Vec<_> =
        reading.remarks.iter().filter(|r| r.weight == Weight::Error).map(|r| r.line).collect();
    assert_eq!(lines, [5]);
    let Some(Placed { order: Order { act: Act::Standing { file }, .. }, .. }) = reading.orders.last() else {
        panic!("{reading:?}")
    };
    assert_eq!(file.iter().map(|placed| placed.line).collect::<Vec<_>>(), [4, 6]);
}

#[test]
fn a_standing_section_replaces_the_file() {
    let reading =
        reading("STANDING\n REINFORCE 3 TO 1303 WHEN 1303 ATTACKED\n WITHDRAW 4 TO 1104\n TOP 5\nEND\nEND 7");
    assert!(!reading.has_errors(), "{:?}", reading.remarks);
    assert_eq!(reading.orders.len(), 2);
    let Act::Standing { file } = &reading.orders[0].order.act else { panic!("{reading:?}") };
    let lines: Vec<_> = file.iter().map(|placed| placed.order.line.as_str()).collect();
    assert_eq!(
        lines,
        ["REINFORCE 3 TO 1303 WHEN 1303 ATTACKED", "WITHDRAW 4 TO 1104 WHEN 4 ATTACKED", "TOP 5 ALWAYS"]
    );
    assert_eq!(file[2].order.when, Trigger::Always);
    assert_eq!(file[2].order.reaction, Reaction::Top { unit: UnitId(5), at: None });
    assert_eq!(act("STANDING NONE"), Act::Standing { file: Vec::new() });
}

#[test]
fn who_is_never_attacked_first_is_not_put_on_top() {
    // 14 is NAPOLEON; 6 is VI Ney, the garrison of Boulogne.
    assert_error("TOP 14", "never attacked first", "14");
    assert_error("STANDING\nTOP 14 ALWAYS", "never attacked first", "14");
    let garrison = reading("STANDING\nTOP 6 ALWAYS");
    assert!(
        !garrison.has_errors() && garrison.remarks.iter().any(|r| r.text.contains("never attacked first"))
    );
}

#[test]
fn standing_orders_may_stand_alone() {
    let acts =
        acts("STANDING REINFORCE 3 TO 1303 ALWAYS\nWITHDRAW 4 TO Paris WHEN 4 MORALE < 2\nMOVE 7 TO Paris");
    let [Act::Standing { file }, Act::Move { .. }] = acts.as_slice() else { panic!("{acts:?}") };
    assert_eq!(file[1].order.when, Trigger::MoraleAtMost { unit: UnitId(4), morale: 1 });
    assert_error("STANDING MOVE 3 TO Paris", "`MOVE` is no standing order.", "MOVE");
    assert_error("WITHDRAW 3 TO 1204 WHEN", "When?", "");
}

/// It can never be carried out, wherever the unit will be.
#[test]
fn a_reaction_into_a_closed_hex_is_an_error_for_who_is_not_on_the_map_too() {
    // 3 is III Davout at Boulogne; 17 waits in the build pool; London is not in play.
    for unit in ["3", "17"] {
        for reaction in [format!("WITHDRAW {unit} TO London"), format!("REINFORCE {unit} TO London")] {
            assert_error(&reaction, "London 1201 is closed to", "London");
        }
    }
    let waits = reading("WITHDRAW 17 TO Orleans");
    assert!(!waits.has_errors() && waits.remarks.iter().any(|r| r.text.contains("the order waits for it")));
}

/// A standing order is answered like any other: with the place in its line, and with what to write instead.
#[test]
fn what_is_wrong_with_a_standing_order_is_pointed_at() {
    let rules = rules("spanish-1808");
    let view = opening(&rules, Side::Allied);
    let said = |view: &View, text: &str| {
        let mut remarks = read_orders(&rules, view, text).remarks.into_iter();
        let remark = remarks.find(|remark| remark.weight < Weight::Note).unwrap();
        let line: Vec<char> = text.lines().nth(remark.line - 1).unwrap().chars().collect();
        let (start, length) = remark.span.unwrap();
        let under: String = line[start..start + length].iter().collect();
        (remark.weight, under, remark.hint.unwrap_or_default())
    };
    let answer = |weight, under: &str, hint: &str| (weight, under.to_owned(), hint.to_owned());
    let moore = answer(Weight::Error, "MOORE", "did you mean Moore Army (25)?");
    assert_eq!(said(&view, "STANDING\n  TOP MOORE ALWAYS"), moore);
    assert_eq!(said(&view, "TOP MOORE"), moore);
    let water = answer(Weight::Error, "0205", "a reaction goes one hex over land");
    assert_eq!(said(&view, "STANDING WITHDRAW 25 TO 0205"), water);
    let far = answer(Weight::Warning, "Madrid", "a reaction goes one hex: name one next to Lisbon 0106");
    assert_eq!(said(&view, "STANDING REINFORCE 25 TO Madrid WHEN Madrid ATTACKED"), far);
    let twice = answer(Weight::Warning, "Moore Army", "");
    assert_eq!(said(&view, "STANDING\nTOP 25 ALWAYS\nTOP Moore Army ALWAYS"), twice);
    let not_now = View { phasing: Some(Side::French), ..view };
    let hint = "STANDING begins your reactions on that turn";
    assert_eq!(said(&not_now, "MOVE 25 TO Madrid"), answer(Weight::Error, "25", hint));
}

#[test]
fn on_the_enemys_turn_only_standing_orders_are_taken() {
    let rules = rules("austrian-1805");
    let view = View { phasing: Some(Side::Allied), ..opening(&rules, Side::French) };
    let reading = read_orders(&rules, &view, "MOVE 3 TO Brussels\nSTANDING\nTOP 3\n");
    assert_eq!(reading.orders.len(), 1);
    assert!(matches!(reading.orders[0].order.act, Act::Standing { .. }));
    assert!(reading.remarks[0].text.contains("It is the Allied turn"), "{:?}", reading.remarks);
}

#[test]
fn a_reaction_that_cannot_be_made_as_things_stand_is_doubted() {
    let rules = rules("austrian-1805");
    let doubt = |view: &View, line: &str| {
        let reading = read_orders(&rules, view, &format!("STANDING\n{line}"));
        assert!(!reading.has_errors(), "{line}: {:?}", reading.remarks);
        reading.remarks.into_iter().map(|remark| remark.text).collect::<Vec<_>>()
    };
    let view = opening(&rules, Side::French);
    let none: [&str; 0] = [];
    assert_eq!(doubt(&view, "REINFORCE 3 TO 1303"), none);
    assert_eq!(doubt(&view, "WITHDRAW 3 TO 1303"), none);

    let mut cut_off = view.clone();
    cut_off.own.get_mut(&UnitId(3)).unwrap().supplied = false;
    assert!(doubt(&cut_off, "REINFORCE 3 TO 1303")[0].contains("began its turn out of supply"));

    // An enemy at 1303, next to Boulogne, where 3 stands; its zone covers 1304 too.
    let (_, at_grips) = at_grips();
    assert!(doubt(&at_grips, "REINFORCE 3 TO 1303")[0].contains("An enemy is seen at 1303"));
    assert!(doubt(&at_grips, "REINFORCE 3 TO 1204")[0].contains("in an enemy zone"));
    assert!(doubt(&at_grips, "WITHDRAW 3 TO 1204")[0].contains("An enemy zone covers"));

    // What an earlier line takes is ours by then.
    let mut lost = view.clone();
    lost.control.insert(hex("1303"), Side::Allied);
    assert!(doubt(&lost, "REINFORCE 3 TO 1303")[0].contains("is not ours now"));
    let reading = read_orders(&rules, &lost, "MOVE 4 1303\nSTANDING\nREINFORCE 3 TO 1303");
    assert!(reading.remarks.is_empty(), "{:?}", reading.remarks);
}
