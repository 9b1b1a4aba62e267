//! Odd lines that rules version 1 reads or refuses, and goes on to: stored orders are read again on every replay.

use super::*;
use crate::data::shipped;
use musterd_engine::Ruleset;

/// What a line of a French set says in a scenario: its orders, or the remark with the characters under the caret.
fn said(rules: &Lga, line: &str) -> String {
    let view = opening(rules, Side::French);
    match line::read(&Names::new(rules, &view), line, false) {
        Ok(Some(Line::Command(command))) => match command.who {
            Who::All { at, span } => {
                let place = at.map(|hex| format!(" AT {hex}")).unwrap_or_default();
                let order = command.order((UnitId(7), span)).order;
                format!("all{place}: {}", super::super::written(&order))
            }
            _ => {
                let lines = command.each();
                let lines = lines.iter().map(|marked| super::super::written(&marked.order));
                lines.collect::<Vec<_>>().join("; ")
            }
        },
        Ok(Some(Line::Reactions(file))) => {
            let lines = file.iter().map(|marked| marked.order.line.as_str());
            format!("reactions: {}", lines.collect::<Vec<_>>().join("; "))
        }
        Ok(_) => panic!("{line}: no orders"),
        Err(remark) => {
            let (start, length) = remark.span.unwrap();
            let caret: String = line.chars().skip(start).take(length).collect();
            format!("{} [{caret}]", remark.text)
        }
    }
}

#[test]
fn a_list_of_separators_alone_is_one_of_nobody() {
    let rules = rules("austrian-1805");
    assert_eq!(said(&rules, "TOP +"), "");
    assert_eq!(said(&rules, "ATTACK 1507 WITH AND"), "");
    assert_eq!(said(&rules, "REINFORCE AND TO 1507"), "reactions: ");
    assert_eq!(said(&rules, "RALLY"), "Which unit? Its number or name is missing. []");
}

/// `In` is Innsbruck 1509.
#[test]
fn a_place_may_be_called_as_a_word_of_the_orders() {
    let rules = rules("austrian-1805");
    assert_eq!(said(&rules, "MOVE 3 IN"), "MOVE 3 TO 1509");
    assert_eq!(said(&rules, "MOVE ALL, IN"), "all: MOVE 7 TO 1509");
    assert_eq!(said(&rules, "MOVE ALL IN"), "Where does the one place end and the other begin? [IN]");
    assert_eq!(said(&rules, "ATTACK IN WITH 3"), "ATTACK 1509 WITH 3");
    assert_eq!(said(&rules, "ATTACK 3 IN IN"), "No unit of yours is called `3 IN`. [3 IN]");
    assert_eq!(said(&rules, "ATTACK ALL FROM 1507 IN"), "Where? A hex or a city is missing. []");
    assert_eq!(said(&rules, "ATTACK ALL FROM 1507 In.."), "all AT 1509: ATTACK 1507 WITH 7");
}

#[test]
fn names_may_be_made_of_the_words_of_the_orders() {
    let mut files = shipped("austrian-1805").unwrap();
    for text in files.0.values_mut() {
        for (name, odd) in [
            ("II Marmont", "Corps at Ulm"),
            ("III Davout", "All Saints"),
            ("Italy A", "5 with 3"),
            ("Munich", "Town with Gate"),
            ("Zurich", "Stratford on Avon"),
        ] {
            *text = text.replace(&format!("name: {name}"), &format!("name: {odd}"));
        }
    }
    let rules = Lga::from_files(&files, &[]).unwrap();
    for (line, order) in [
        ("ATTACK Corps at Ulm AT 1507", "ATTACK 1507 WITH 2"),
        ("ATTACK Stratford on Avon WITH 3", "ATTACK 1407 WITH 3"),
        ("ATTACK 3 AT Town with Gate", "There is no city called `3 AT Town`. [3 AT Town]"),
        ("RALLY All Saints", "RALLY 3"),
        ("RALLY ALL AND 4", "RALLY 3; RALLY 4"),
        ("RALLY ALL", "all: RALLY 7"),
        ("ATTACK 1507 WITH all saints x2", "ATTACK 1507 WITH 3 x2"),
        ("ATTACK 1507 WITH ALL x2", "all: ATTACK 1507 WITH 7 x2"),
        ("MOVE ALL SAINTS TO Ulm", "MOVE 3 TO 1507"),
        ("MOVE 5 3 Ulm", "MOVE 8 TO 1507"),
    ] {
        assert_eq!(said(&rules, line), order, "{line}");
    }
}

/// Of several things that happen the first is meant, so that a second order in the line is told as such.
#[test]
fn a_second_order_in_a_line_is_pointed_at() {
    let rules = rules("austrian-1805");
    for (line, remark) in [
        (
            "TOP 3 WHEN 4 ATTACKED, WITHDRAW 4 TO 1206 WHEN 4 MORALE <= 1",
            "What is `,` here? The order is complete before it. [,]",
        ),
        (
            "TOP 3 WHEN 4 ATTACKED ENTERED",
            "What is `ENTERED` here? The order is complete before it. [ENTERED]",
        ),
        ("WITHDRAW 3 TO 1206 WHEN 21 ATTACKED MORALE", "Mack 1 (21) is Austria's, your enemy. [21]"),
    ] {
        assert_eq!(said(&rules, line), remark, "{line}");
    }
}

#[test]
fn what_is_missing_is_pointed_at_where_it_is() {
    let rules = rules("austrian-1805");
    for (line, remark) in [
        ("ATTACK 1507", "Which unit? Its number or name is missing. []"),
        ("ATTACK 1507 x2", "Which unit? Its number or name is missing. [x2]"),
        ("ATTACK 1507 WITH 3 WHILE MORALE >=", "A number is missing here. []"),
        ("TOP 3 WHEN 4 MORALE <= much", "A number is missing here. [much]"),
        ("MOVE 3, Mack 1 1405", "Mack 1 (21) is Austria's, your enemy. [Mack 1]"),
    ] {
        assert_eq!(said(&rules, line), remark, "{line}");
    }
    assert_error("GARRISON 1507", "name the unit: GARRISON 1507 WITH 3", "1507");
    assert_error("GARRISON Ulm", "name the unit: GARRISON 1507 WITH 3", "Ulm");
}

#[test]
fn words_of_the_orders_that_letters_use_too_make_no_order() {
    let rules = rules("austrian-1805");
    for (line, like) in [
        ("AID DAV MP Rus,", Likeness::Prose),
        ("E ALL 0904 THEN ADVANCE", Likeness::Prose),
        ("NED POINTS", Likeness::Prose),
        ("GO IF m.", Likeness::Slip),
        ("AID Austria 4 points", Likeness::Order),
    ] {
        assert_eq!(likeness(&rules, line), like, "{line}");
    }
}
