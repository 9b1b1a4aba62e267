//! What players write, and what they are told.

mod expected;
mod grammar;
mod odd;
mod standing;
mod written;

use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;
use crate::fixture::{nation, opening, rules};
use crate::model::{Arm, Side, UnitId};
use crate::order::{Guard, HexIs, Limit, Path, Reaction, Trigger};
use crate::view::EnemyStack;
use musterd_engine::hex::{Direction, Hex};
use musterd_kit::set::MOST_REMARKS;

fn reading(text: &str) -> Reading<Order> {
    let rules = rules("austrian-1805");
    read_orders(&rules, &opening(&rules, Side::French), text)
}

/// The acts of orders that must be read without an error.
fn acts(text: &str) -> Vec<Act> {
    let reading = reading(text);
    assert!(!reading.has_errors(), "{text}: {:?}", reading.remarks);
    reading.orders.into_iter().map(|placed| placed.order.act).collect()
}

/// What a line says, whether or not it can be carried out.
fn written(text: &str) -> Vec<Act> {
    let rules = rules("austrian-1805");
    let view = opening(&rules, Side::French);
    match line::read(&Names::new(&rules, &view), text, false) {
        Ok(Some(Line::Command(command))) if !matches!(command.who, Who::All { .. }) => {
            command.each().into_iter().map(|m| m.order.act).collect()
        }
        Ok(_) => panic!("{text}: no orders to units"),
        Err(remark) => panic!("{text}: {remark:?}"),
    }
}

fn act(text: &str) -> Act {
    let [act] = <[Act; 1]>::try_from(acts(text)).unwrap();
    act
}

/// The one error that a text must give, as `line: text (hint)` with the characters under the caret.
fn error(text: &str) -> (String, String) {
    let reading = reading(text);
    let errors: Vec<_> = reading.remarks.iter().filter(|r| r.weight == Weight::Error).collect();
    let [error] = errors.as_slice() else { panic!("{text}: {errors:?}") };
    let line = text.lines().nth(error.line - 1).unwrap();
    let (start, length) = error.span.unwrap_or((0, 0));
    let caret = line.chars().skip(start).take(length).collect();
    (format!("{} {}", error.text, error.hint.as_deref().unwrap_or("-")), caret)
}

fn assert_error(text: &str, says: &str, under: &str) {
    let (message, caret) = error(text);
    assert!(message.contains(says), "{text}: {message}");
    assert_eq!(caret, under, "{text}: {message}");
}

fn hex(text: &str) -> Hex {
    text.parse().unwrap()
}

fn move_to(unit: u16, to: &str) -> Act {
    Act::Move { unit: UnitId(unit), path: Path::To(hex(to)) }
}

#[test]
fn one_order_in_many_spellings() {
    // Unit 3 is III Davout, at Boulogne 1203; Frankfurt is 1505.
    for spelling in [
        "MOVE 3 TO Brussels",
        "m 3 to brus",
        "Move III Davout TO 1304",
        "- MOVE iii to Brussels;",
        "march \"III Davout\" to BRUSSELS.  # on to the Rhine",
        "MOVE 3 Brussels",
        "mov 3 1304",
    ] {
        assert_eq!(act(spelling), move_to(3, "1304"), "{spelling}");
    }
}

#[test]
fn paths_are_directions_hexes_or_goals() {
    let directions = Path::Directions(vec![Direction::SouthEast, Direction::East]);
    assert_eq!(act("MOVE 3 se E"), Act::Move { unit: UnitId(3), path: directions });
    let hexes = Path::Hexes(vec![hex("1303"), hex("1304")]);
    assert_eq!(act("MOVE 3 1303 1304"), Act::Move { unit: UnitId(3), path: hexes.clone() });
    assert_eq!(
        act("MOVE 3 Antwerp"),
        move_to(3, &rules("austrian-1805").map.city("Antwerp").unwrap().to_string())
    );
    assert_eq!(act("MOVE 3, 1303, 1304"), Act::Move { unit: UnitId(3), path: hexes });
}

#[test]
fn names_beat_numbers_only_where_they_go_on() {
    assert_eq!(act("MOVE 1 Cav TO Brussels"), move_to(12, "1304"));
    assert_eq!(act("MOVE 1 Cav Brussels"), move_to(12, "1304"));
    assert_eq!(act("END 1"), Act::End { unit: UnitId(1) });
}

#[test]
fn lists_of_units_give_an_order_each() {
    assert_eq!(
        acts("MOVE 3, IV Soult and 5 TO Brussels"),
        [move_to(3, "1304"), move_to(4, "1304"), move_to(5, "1304")]
    );
    assert_eq!(acts("END 3 4 5").len(), 3);
}

/// "1" and "2" also begin the names of cavalry: the words on both sides of a comma are never read together.
#[test]
fn a_comma_ends_a_unit() {
    let east = Path::Directions(vec![Direction::East]);
    for (line, units) in [
        ("MOVE 1, E", &[1][..]),
        ("MOVE 2, E", &[2]),
        ("MOVE 1, 2 E", &[1, 2]),
        ("MOVE 3, 1, 4 E", &[3, 1, 4]),
        ("MOVE 1, 3-5 E", &[1, 3, 4, 5]),
        ("MOVE 1 + 2 E", &[1, 2]),
        ("MOVE 1 & 1 Cav E", &[1, 12]),
        ("MOVE 1 AND 3 E", &[1, 3]),
    ] {
        let orders = units.iter().map(|n| Act::Move { unit: UnitId(*n), path: east.clone() });
        assert_eq!(written(line), orders.collect::<Vec<_>>(), "{line}");
    }
    assert_eq!(written("MOVE 1, 1505"), [move_to(1, "1505")]);
    assert_eq!(written("MOVE 1, 2 1405"), [move_to(1, "1405"), move_to(2, "1405")]);
    assert_eq!(written("MOVE 1, 3 1405"), [move_to(1, "1405"), move_to(3, "1405")]);
}

#[test]
fn a_corps_called_x_is_no_number_of_rounds() {
    let rules = rules("russian-1812");
    let view = opening(&rules, Side::French);
    let names = Names::new(&rules, &view);
    for (line, rounds) in [
        ("ATTACK Riga WITH X Macdonald", 1),
        ("ATTACK Riga WITH X Macdonald x 3", 3),
        ("ATTACK Riga WITH X x3", 3),
    ] {
        let Ok(Some(Line::Command(command))) = line::read(&names, line, false) else { panic!("{line}") };
        let Act::Attack { unit, limit, .. } = &command.each()[0].order.act else { panic!("{line}") };
        assert_eq!(
            (rules.scenario.unit(*unit).name.as_str(), limit.rounds),
            ("X Macdonald", rounds),
            "{line}"
        );
    }
}

/// The numbers of the units that orders are for.
fn units_of(text: &str) -> Vec<u16> {
    acts(text).iter().map(|act| act.unit().unwrap().0).collect()
}

#[test]
fn lists_and_ranges_give_an_order_each_in_the_order_written() {
    for (line, units) in [
        ("MOVE 3-5 TO Brussels", &[3, 4, 5][..]),
        ("move 3 - 5 to Brussels", &[3, 4, 5]),
        ("MOVE 5-3 Brussels", &[5, 4, 3]),
        ("MOVE 3 - 4, 12 Brussels", &[3, 4, 12]),
        ("MOVE 3, 4, and 12 TO Brussels", &[3, 4, 12]),
        ("MOVE 3, 4, and 12 Brussels", &[3, 4, 12]),
        ("MOVE 3 + IV Soult & 12 TO Brussels", &[3, 4, 12]),
        ("MOVE 3-4 se E", &[3, 4]),
        ("END 3-5, 7 AND 10-12", &[3, 4, 5, 7, 10, 11, 12]),
        ("END 3 4-5 7", &[3, 4, 5, 7]),
        ("TOP 3-5", &[5, 4, 3]),
    ] {
        assert_eq!(units_of(line), units, "{line}");
    }
    assert_error("END 3-99", "There is no unit 99 for `3-99`: they go from 1 to", "3-99");
    assert_error("END 15-20", "(19) is Austria's, your enemy", "15-20");
    assert_error("END 70000-70001", "There is no unit 65535", "70000-70001");
    assert_error("MOVE 16-18 TO Brussels", "it is in the build pool", "16-18");
}

#[test]
fn an_attack_by_several_is_an_attack_each() {
    let (rules, view) = at_grips();
    for line in ["ATTACK 1303 WITH 3-5 x2", "ATTACK 1303 WITH 3, 4 and 5 x2", "ATTACK 3-5 AT 1303 x2"] {
        let reading = read_orders(&rules, &view, line);
        assert!(!reading.has_errors(), "{line}: {:?}", reading.remarks);
        let units: Vec<_> = reading.orders.iter().filter_map(|placed| placed.order.act.unit()).collect();
        assert_eq!(units, [3, 4, 5].map(UnitId), "{line}");
    }
}

#[test]
fn all_means_who_is_there_by_then_but_no_garrison() {
    // At Boulogne stand 3, 4, 5, 12, 14 and 15 and the garrison VI Ney (6).
    let (rules, view) = at_grips();
    let at_boulogne: Vec<u16> = view
        .own
        .values()
        .filter(|unit| unit.hex == hex("1203") && !unit.garrison)
        .map(|unit| unit.id.0)
        .collect();
    assert!(at_boulogne.len() > 3 && !at_boulogne.contains(&6), "{at_boulogne:?}");
    assert_eq!(units_of("MOVE ALL AT Boulogne TO 1303"), at_boulogne);
    assert_eq!(units_of("END ALL IN 1203"), at_boulogne);
    let whole_army = units_of("END ALL");
    assert!(whole_army.len() > at_boulogne.len() && !whole_army.contains(&6), "{whole_army:?}");
    assert_eq!(units_of("move all 1303"), units_of("MOVE ALL TO 1303"));
    // Who has left is not there, who has ended acts no more, and who is named before goes his own way first.
    let after = units_of("MOVE 3 TO 1303\nEND 4\nMOVE ALL AT Boulogne TO 1304");
    let rest: Vec<u16> = at_boulogne.iter().copied().filter(|unit| ![3, 4].contains(unit)).collect();
    assert_eq!(after[2..], rest);

    let reading = read_orders(&rules, &view, "ATTACK 1303 WITH ALL");
    assert!(reading.orders.len() > 1 && !reading.has_errors(), "{:?}", reading.remarks);
    let guarded = self::reading("IF 1303 EMPTY MOVE ALL AT 1203 TO 1303");
    assert_eq!(guarded.orders.len(), at_boulogne.len());
    assert!(guarded.orders.iter().all(|placed| placed.order.guard.is_some()));
}

#[test]
fn who_of_all_cannot_is_left_out_with_the_reason() {
    let rules = rules("austrian-1805");
    let mut view = opening(&rules, Side::French);
    for unit in [3, 4, 5] {
        view.own.get_mut(&UnitId(unit)).unwrap().morale = 2;
    }
    // France has 8 points and a step from morale 2 costs 2: with 5 it is enough for two of three.
    view.points.insert(nation("french"), 5);
    let reading = read_orders(&rules, &view, "RALLY ALL");
    assert_eq!(reading.orders.len(), 2, "{:?}", reading.remarks);
    assert!(!reading.has_errors());
    let [left_out] = reading.remarks.as_slice() else { panic!("{:?}", reading.remarks) };
    assert!(
        left_out.text.starts_with("Left out of ALL: V Lannes (5): It costs 2 points"),
        "{}",
        left_out.text
    );

    assert_error("RALLY ALL", "RALLY ALL is for units below full morale", "ALL");
    assert_error("MOVE ALL AT Madrid TO Paris", "ALL means nobody here", "ALL");
    assert_error("MOVE ALL TO London", "London 1201 is closed", "London");
    assert_error("MOVE ALL AT Boulogne Paris", "Where does the one place end", "AT");
    assert_error("TOP ALL", "No unit of yours is called `ALL`", "ALL");
    assert_error("MOVE ALL AT Nowhere TO Paris", "There is no city called `Nowhere`", "Nowhere");
}

#[test]
fn the_city_of_a_garrison_may_come_first() {
    assert_eq!(
        acts("MOVE 6 TO 1303\nGARRISON Boulogne WITH 3")[1],
        Act::Garrison { unit: UnitId(3), at: Some(hex("1203")) },
        "the old garrison has left"
    );
    assert_error(
        "GARRISON Paris WITH 3",
        "III Davout (3) will be at Boulogne 1203 by then, not at Paris",
        "3",
    );
    assert_error("GARRISON Paris", "name the unit: GARRISON 1104 WITH 3", "Paris");
    assert_error("GARRISON WITH 3", "Where? A hex or a city is missing.", "WITH");
}

#[test]
fn a_colon_may_follow_the_verb() {
    assert_eq!(act("MOVE: 3 TO Brussels"), move_to(3, "1304"));
}

#[test]
fn a_headquarters_and_a_corps_of_one_name_are_told_apart() {
    assert_eq!(act("END Davout"), Act::End { unit: UnitId(15) });
    assert_eq!(act("END III"), Act::End { unit: UnitId(3) });
    assert_error("END Italy", "`Italy` could be 8 (Italy A) or 9 (Italy B).", "Italy");
}

#[test]
fn of_several_units_on_a_line_each_remark_says_which() {
    let reading = reading("MOVE 3, 4 TO Vienna");
    let warnings: Vec<&str> = reading.remarks.iter().map(|remark| remark.text.as_str()).collect();
    assert!(warnings.len() == 2 && warnings.iter().all(|text| text.contains("It gets to")), "{warnings:?}");
    assert!(warnings[0].starts_with("III Davout (3): ") && warnings[1].contains("(4): "));
    let one = self::reading("MOVE 3 TO Vienna").remarks.remove(0).text;
    assert!(one.starts_with("It gets to"), "the line names it: {one}");
}

#[test]
fn hints_fit_what_was_written() {
    assert_error("STANDING\nWITHDRAW 9 TO Turin WHEN ATTACKED", "WHEN 1507 ATTACKED", "ATTACKED");
    assert_error("GARRISON 1203 WITH Davout", "did you mean III Davout (3)?", "Davout");
    assert_error("MOVE 5 TO Viena", "did you mean Vienna 1809?", "Viena");
    assert_error("ATTACK Ulm WITH 3X2", "write a space: 3 x2", "3X2");
    assert_error("AID French 20", "Only the Allied commander gives aid", "French");
}

/// The French view with Austrians next to Boulogne.
fn at_grips() -> (Lga, View) {
    let rules = rules("austrian-1805");
    let mut view = opening(&rules, Side::French);
    let stack = EnemyStack {
        id: UnitId(21),
        nation: nation("austria"),
        kind: Arm::Militia.into(),
        name: "Mack 1".to_owned(),
        count: Some(2),
    };
    view.enemies.insert(hex("1303"), stack);
    (rules, view)
}

#[test]
fn attacks_take_every_limit_in_any_order() {
    let (rules, view) = at_grips();
    let once = Limit { rounds: 1, while_morale: None, while_odds: None };
    let lines = [
        ("ATTACK 1303 WITH 3", once, false),
        ("att 3 at 1303", once, false),
        ("AT 1303 3", once, false),
        ("ATTACK 1303 WITH 3 x3", Limit { rounds: 3, ..once }, false),
        ("ATTACK 1303 WITH 3 UNTIL CLEAR THEN ENTER", Limit { rounds: 20, ..once }, true),
        (
            "ATTACK 1303 WITH 3 WHILE MORALE > 1 AND WHILE ODDS>=-1 2x",
            Limit { rounds: 2, while_morale: Some(2), while_odds: Some(-1) },
            false,
        ),
    ];
    for (line, limit, enter) in lines {
        let reading = read_orders(&rules, &view, line);
        let expected = Act::Attack { unit: UnitId(3), at: hex("1303"), limit, enter };
        assert_eq!(
            reading.orders.first().map(|p| &p.order.act),
            Some(&expected),
            "{line}: {:?}",
            reading.remarks
        );
        assert!(reading.remarks.is_empty(), "{line}: {:?}", reading.remarks);
    }
}

#[test]
fn guards_stand_before_any_order() {
    let reading = reading("IF Brussels IS EMPTY THEN MOVE 3 TO Brussels");
    assert_eq!(reading.orders[0].order.guard, Some(Guard { hex: hex("1304"), is: HexIs::Empty }));
    assert_error("IF Brussels MOVE 3 TO Brussels", "EMPTY, HELD or CONTROLLED", "Brussels");
    assert_error("IF 1304 EMPTY STANDING NONE", "IF guards orders", "STANDING");
}

#[test]
fn top_of_several_ends_with_the_first_on_top() {
    assert_eq!(
        acts("TOP 1203 3, 4"),
        [4, 3].map(|unit| Act::Top { unit: UnitId(unit), at: Some(hex("1203")) })
    );
    assert_error("TOP 1104 3", "III Davout (3) will be at Boulogne 1203", "3");
}

#[test]
fn what_can_never_be_done_is_an_error_with_its_place() {
    assert_error("MVOE 3 TO Ulm", "did you mean MOVE?", "MVOE");
    assert_error("R 3", "`R` could be RALLY or REINFORCE", "R");
    assert_error("MOVE 3 TO Brusels", "did you mean Brussels 1304?", "Brusels");
    assert_error("MOVE 3 TO 4112", "no hex of this map", "4112");
    assert_error("MOVE 3 TO London", "London 1201 is closed: it is not in play", "London");
    assert_error("MOVE 3 NW", "only the British sail", "NW");
    assert_error("MOVE 3 1303 1603", "1603 is closed", "1303 1603");
    assert_error("MOVE 3 1303 1505", "is not next to", "1303 1505");
}

#[test]
fn units_of_others_are_refused() {
    assert_error("MOVE 19 TO Ulm", "Italy 1 (19) is Austria's, your enemy.", "19");
    assert_error("MOVE Kutusov TO Ulm", "KUTUSOV", "Kutusov");
    assert_error("MOVE 17 TO Ulm", "Rhine Mil (17) is not on the map: it is in the build pool.", "17");
    assert_error("MOVE 99 TO Ulm", "There is no unit `99`", "99");
    assert_error("MOVE Nay TO Paris", "did you mean VI Ney (6)?", "Nay");
}

#[test]
fn only_infantry_guard_and_militia_garrison_a_city_without_one() {
    assert_error("GARRISON 12", "only infantry, guard and militia", "12");
    assert_error("GARRISON 3", "Boulogne 1203 has a garrison already: VI Ney (6).", "3");
    assert_eq!(acts("MOVE 6 TO 1303\nGARRISON 3").len(), 2, "the old garrison has left");
}

#[test]
fn points_are_counted_through_the_whole_set() {
    // France starts with 8: one militia for 7 leaves 1.
    assert_eq!(act("BUILD Rhine"), Act::Build { unit: UnitId(17), at: None });
    assert_error("BUILD 17\nBUILD 18", "It costs 7 points, and France has 1 left.", "18");
    assert_error("BUILD 17 AT Milan", "France can't build at Milan", "Milan");
    assert_error("BUILD 3", "III Davout (3) is on the map already.", "3");
    assert_error("RALLY 3", "full morale", "3");
    assert_error("AID Austria 2", "Only the Allied commander gives aid.", "Austria");
}

#[test]
fn aid_comes_before_building_though_it_stands_later() {
    let rules = rules("austrian-1805");
    let mut view = opening(&rules, Side::Allied);
    view.points.insert(nation("austria"), 5);
    view.own.remove(&UnitId(21));
    let mack = rules.scenario.find(UnitId(21)).unwrap();
    view.pool.push(crate::view::PoolUnit {
        id: mack.id,
        name: mack.name.clone(),
        nation: mack.nation,
        kind: mack.kind,
        cost: 7,
        from_year: 1805,
    });
    let reading = read_orders(&rules, &view, "BUILD 21\nAID Austria 2");
    assert!(!reading.has_errors(), "{:?}", reading.remarks);
    assert!(reading.remarks.iter().any(|r| r.weight == Weight::Note && r.line == 2), "{:?}", reading.remarks);
    assert!(read_orders(&rules, &view, "BUILD 21\nAID Austria 3").has_errors());
}

#[test]
fn a_unit_that_ended_its_move_takes_no_further_order() {
    assert_error("END 3\nMOVE 3 TO Brussels", "III Davout (3) has ended its move in line 1.", "3");
}

#[test]
fn info_answers_from_the_view_alone() {
    let (rules, view) = at_grips();
    let reading = read_orders(&rules, &view, "INFO Boulogne, 1303, London");
    let texts: Vec<_> = reading.remarks.iter().map(|r| r.text.as_str()).collect();
    assert!(reading.orders.is_empty());
    assert!(
        texts[0].contains("VI Ney (6) as garrison") && texts[0].contains("French control"),
        "{}",
        texts[0]
    );
    assert!(texts[1].contains("enemy: 2 pieces, on top Austrian militia, Mack 1"), "{}", texts[1]);
    assert!(texts[2].contains("not in play"), "{}", texts[2]);
}

#[test]
fn info_answers_what_it_can_and_remarks_on_the_rest() {
    let reading = reading("INFO Boulogne, Atlantis, 9999, Paris");
    let said: Vec<_> =
        reading.remarks.iter().map(|r| (r.weight, r.text.split(':').next().unwrap())).collect();
    let expected = [
        (Weight::Warning, "There is no city called `Atlantis`."),
        (Weight::Warning, "`9999` is no hex of this map."),
        (Weight::Note, "Boulogne 1203"),
        (Weight::Note, "Paris 1104"),
    ];
    assert_eq!(said, expected);
    assert!(!reading.has_errors(), "a question left open holds up no turn");
}

#[test]
fn a_flood_is_answered_briefly() {
    let flood = "MOVE 3 TO Nowhere\n".repeat(20_000);
    let flooded = reading(&flood);
    assert_eq!(flooded.remarks.len(), MOST_REMARKS + 1);
    assert_eq!(flooded.remarks[MOST_REMARKS].text, "19950 more errors are not shown.");

    let long = format!("MOVE 3 TO {}", "x".repeat(1_000_000));
    let (message, _) = error(&long);
    assert!(message.contains("longer than 400"), "{message}");

    let many = "TOP 3\n".repeat(MOST_ORDERS + 5);
    assert_eq!(reading(&many).orders.len(), MOST_ORDERS);
    for line in ["MOVE ALL E\n", "MOVE 1-16 E\n"] {
        assert!(reading(&line.repeat(MOST_ORDERS)).orders.len() <= MOST_ORDERS, "{line}");
    }
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,200}") {
        let _ = reading(&text);
        let _ = likeness(&rules("austrian-1805"), &text);
    }

    #[test]
    fn no_mixture_of_order_words_panics_or_loses_its_line(words in prop::collection::vec(
        prop::sample::select(vec![
            "MOVE", "ATTACK", "TO", "WITH", "1", "3", "14", "17", "19", "1203", "1303", "1405", "Ulm", "E", "NE", "x3", ",", "AND",
            "UNTIL", "CLEAR", "WHILE", "MORALE", "ODDS", ">=", "<=", "THEN", "ENTER", "IF", "EMPTY", "STANDING", "NONE",
            "REINFORCE", "WITHDRAW", "TOP", "WHEN", "ALWAYS", "END", "BUILD", "RALLY", "AID", "Austria", "GARRISON", "AT",
            "INFO", "\"", "#", "\n", "HELD", "St.", "Davout", "-", "ALL", "1-5", "5-1", "1-99999", "BY", "IN", "FROM", "->", ":",
        ]), 0..40)) {
        let text = words.join(" ");
        let lines = text.lines().count();
        for line in text.lines() {
            let _ = likeness(&rules("austrian-1805"), line);
        }
        let reading = reading(&text);
        for remark in &reading.remarks {
            prop_assert!(remark.line <= lines);
            let length = remark.line.checked_sub(1).and_then(|n| text.lines().nth(n)).map_or(0, |l| l.chars().count());
            prop_assert!(remark.span.is_none_or(|(start, _)| start <= length), "{:?} in {}", remark, text);
        }
    }
}
