//! Numbers come with every game of Death or Glory, and with every audit file that a stranger sends: none may bring the arithmetic down.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use musterd::engine::files::RuleFiles;
use musterd::engine::{Input, Ruleset, Scribe};
use musterd::rules::dog::event::Event;
use musterd::rules::dog::{Dog, SHIPPED};
use serde_yaml::Value;

use super::lga_arena::Loose;

/// What isn't multiplied by anything, or has to stay so that units can be raised and rounds can end.
const KEPT: [&str; 5] = ["size", "hide", "drowning", "rear_guard_one_in", "leadership"];

/// Makes every number as large as the file may have it.
fn swell(value: &mut Value) {
    let Value::Mapping(fields) = value else {
        if let Value::Sequence(all) = value {
            all.iter_mut().for_each(swell);
        }
        return;
    };
    for (key, value) in fields.iter_mut() {
        let key = key.as_str().unwrap();
        match value {
            _ if KEPT.contains(&key) => {}
            Value::Number(number) => {
                *number = match key {
                    "visibility" => u64::from(u8::MAX).into(),
                    "attack" | "hp" | "ego" | "hire" | "maintenance" | "native_attack" | "swamp_bar" => {
                        100_000.into()
                    }
                    _ => u64::from(u16::MAX).into(),
                };
            }
            Value::String(distance) if key == "distance" => *distance = "1000x10000:99".to_owned(),
            value => swell(value),
        }
    }
}

/// Two armies of as many fighters as a unit may have, among woods, walls and water.
fn vast(tiny_strikes: bool) -> Dog {
    let mut numbers: Value = serde_yaml::from_str(SHIPPED[0].1).unwrap();
    swell(&mut numbers);
    let mut battle = format!(
        "{{id: vast, title: Vast, situation: Vast., scale: strategic, rounds: 6, switches: {{tiny_strikes: {tiny_strikes}}}, field: {{rows: [\
         \"f . . . .\", \". ~ ~ . .\", \". ~ ~ .h .\", \". . . . f\"], fortifications: {{\"0501\": castle}}}}, armies: ["
    );
    let places = [["0101", "0201", "0301", "0302"], ["0102", "0501", "0401", "0402"]];
    let units = [("F", 200, ""), ("HC", 200, ""), ("C", 200, ", crew: A"), ("A", 200, ", hidden: true")];
    for (letter, places) in ["A", "B"].into_iter().zip(places) {
        let seat = format!("army-{}", letter.to_lowercase());
        write!(battle, "{{seat: {seat}, letter: {letter}, name: Army {letter}, leadership: 20, units: [")
            .unwrap();
        for (number, ((kind, fighters, more), at)) in (1..).zip(units.into_iter().zip(places)) {
            write!(
                battle,
                "{{id: {number}, type: {kind}, fighters: {fighters}, elite: true, at: \"{at}\"{more}}}, "
            )
            .unwrap();
        }
        battle.push_str("]}, ");
    }
    battle.push_str("]}");
    let numbers = serde_yaml::to_string(&numbers).unwrap();
    let files = [("ruleset.yaml".to_owned(), numbers), ("scenario.yaml".to_owned(), battle)];
    Dog::load(&RuleFiles(files.into()), &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn the_largest_numbers_that_a_ruleset_may_have_stop_no_battle() {
    for tiny_strikes in [false, true] {
        let rules = vast(tiny_strikes);
        let (mut state, mut dice, mut strikes) = (rules.found(), Loose::numbered(5), 0);
        for t in 1..=7 {
            let orders = rules.battle().armies().iter().map(|army| {
                let lines =
                    ["ATTACK #1", "ATTACK #2", "SHOOT #3", "SHOOT #4", "MOVE #1 TO 0303", "MOVE #3 TO 0403"];
                let text = lines.join("\n").replace('#', &army.letter.to_string());
                (army.seat.clone(), rules.read_orders(&rules.view(&state, &army.seat), &text))
            });
            let orders: BTreeMap<_, _> = orders.filter(|_| t > 1).collect();
            let mut scribe = Scribe::new(&rules, state.clone(), t, &mut dice);
            rules.step(&mut scribe, &Input { orders });
            for event in scribe.finish() {
                let told: Vec<_> = rules
                    .seats()
                    .iter()
                    .filter_map(|spec| rules.witness(&state, &event, &spec.seat))
                    .collect();
                strikes += usize::from(
                    matches!(event, Event::Exchanged { .. } | Event::Shot { .. }) && !told.is_empty(),
                );
                rules.apply(&mut state, &event);
            }
        }
        assert!(strikes > 2, "{strikes} strikes tried nothing");
    }
}
